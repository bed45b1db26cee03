//! What is to be predicted.

use std::collections::{BTreeSet, HashMap};

use mercer_linalg::Matrix;

/// A class per row, by code into the list of labels.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClassTargets {
    /// One code per row.
    pub codes: Vec<u32>,
    /// The labels as the user wrote them; the order fixes the code.
    pub labels: Vec<String>,
}

impl ClassTargets {
    /// Encodes labels; their order is numeric where all are numbers, alphabetic otherwise.
    pub fn from_labels<S: AsRef<str>>(rows: &[S]) -> Self {
        // A list of all rows' labels would keep its room when it is thinned out.
        let distinct: BTreeSet<&str> = rows.iter().map(AsRef::as_ref).collect();
        let mut labels: Vec<String> = distinct.into_iter().map(str::to_owned).collect();
        let numbers: Option<Vec<f64>> = labels.iter().map(|l| l.parse().ok()).collect();
        if let Some(numbers) = numbers {
            let mut order: Vec<usize> = (0..labels.len()).collect();
            order.sort_by(|&a, &b| numbers[a].total_cmp(&numbers[b]));
            labels = order.into_iter().map(|i| labels[i].clone()).collect();
        }
        let codes: HashMap<&str, u32> = labels.iter().map(String::as_str).zip(0..).collect();
        let codes = rows.iter().map(|r| codes[r.as_ref()]).collect();
        Self { codes, labels }
    }

    /// Returns the number of rows of each class.
    pub fn counts(&self) -> Vec<usize> {
        let mut counts = vec![0; self.labels.len()];
        for &code in &self.codes {
            counts[code as usize] += 1;
        }
        counts
    }
}

/// The targets of a data set.
#[derive(Debug, Clone, PartialEq)]
pub enum Targets {
    /// Nothing to predict: novelty detection, clustering, projection.
    None,
    /// A class per row.
    Classes(ClassTargets),
    /// A number per row.
    Real(Vec<f64>),
    /// Several numbers per row: a line of the matrix for each of them.
    Several(Matrix<f64>),
}

impl Targets {
    /// Returns the number of rows, or `None` where there is nothing to predict.
    pub fn len(&self) -> Option<usize> {
        match self {
            Self::None => None,
            Self::Classes(c) => Some(c.codes.len()),
            Self::Real(v) => Some(v.len()),
            Self::Several(m) => Some(m.columns()),
        }
    }

    /// Returns the classes, where rows have them.
    pub fn classes(&self) -> Option<&ClassTargets> {
        match self {
            Self::Classes(classes) => Some(classes),
            Self::None | Self::Real(_) | Self::Several(_) => None,
        }
    }

    /// Returns the numbers, where rows have one each.
    pub fn values(&self) -> Option<&[f64]> {
        match self {
            Self::Real(values) => Some(values),
            Self::None | Self::Classes(_) | Self::Several(_) => None,
        }
    }

    /// Returns whether there are targets but no row.
    pub fn is_empty(&self) -> bool {
        self.len() == Some(0)
    }

    /// Returns the targets of the given rows, in that order; class codes keep their meaning.
    #[must_use]
    pub fn select(&self, rows: &[usize]) -> Self {
        match self {
            Self::None => Self::None,
            Self::Classes(c) => Self::Classes(ClassTargets {
                codes: rows.iter().map(|&r| c.codes[r]).collect(),
                labels: c.labels.clone(),
            }),
            Self::Real(v) => Self::Real(rows.iter().map(|&r| v[r]).collect()),
            Self::Several(m) => Self::Several(Matrix::from_fn(m.rows(), rows.len(), |k, i| {
                m[(k, rows[i])]
            })),
        }
    }

    /// Returns the power of two next to the spread of numeric targets; 1 where they do not vary.
    pub(crate) fn unit(&self) -> f64 {
        let Self::Real(values) = self else {
            return 1.0;
        };
        let largest = values.iter().fold(0.0_f64, |most, v| most.max(v.abs()));
        let n = values.len().max(1) as f64;
        // Squares of the numbers themselves may leave the range of f64.
        let share = |v: &f64| v / largest;
        let mean = values.iter().map(share).sum::<f64>() / n;
        let squares = values.iter().map(|v| (share(v) - mean).powi(2));
        let spread = largest * (squares.sum::<f64>() / n).sqrt();
        if spread.is_finite() && spread > 0.0 {
            spread.log2().round().clamp(-1000.0, 1000.0).exp2()
        } else {
            1.0
        }
    }

    /// Returns numeric targets in units of a power of two, which changes no digit of them.
    #[must_use]
    pub(crate) fn in_unit(&self, unit: f64) -> Self {
        match self {
            Self::Real(values) => Self::Real(values.iter().map(|v| v / unit).collect()),
            other => other.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numeric_labels_sort_by_value() {
        let targets = ClassTargets::from_labels(&["10", "9", "-1", "9"]);
        assert_eq!(targets.labels, ["-1", "9", "10"]);
        assert_eq!(targets.codes, [2, 1, 0, 1]);
        assert_eq!(targets.counts(), [1, 2, 1]);
    }
}
