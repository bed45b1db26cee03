//! Counts of every pair of true and predicted class.

use std::fmt;

use serde::Serialize;

use crate::{Error, Result};

/// How often each class was taken for each other class.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ConfusionMatrix {
    labels: Vec<String>,
    /// Row by row: true class, then predicted class; sums of row weights.
    counts: Vec<Vec<f64>>,
}

impl ConfusionMatrix {
    /// Counts predictions; with weights, adds them up instead.
    ///
    /// # Errors
    /// Lengths that differ, and codes without a label.
    pub fn try_new(
        truth: &[u32],
        predicted: &[u32],
        weights: Option<&[f64]>,
        labels: &[String],
    ) -> Result<Self> {
        let same_length = |what: &str, found: usize| {
            if found == truth.len() {
                return Ok(());
            }
            Err(Error::Length {
                what: what.to_owned(),
                found,
                expected: truth.len(),
                unit: "rows",
            })
        };
        same_length("the prediction", predicted.len())?;
        same_length(
            "the weight column",
            weights.map_or(truth.len(), <[f64]>::len),
        )?;
        let k = labels.len();
        let mut counts = vec![vec![0.0; k]; k];
        for (row, (&t, &p)) in truth.iter().zip(predicted).enumerate() {
            let (t, p) = (t as usize, p as usize);
            if t >= k || p >= k {
                return Err(Error::setting(
                    "class code",
                    t.max(p),
                    &format!("below the number of labels, {k}"),
                ));
            }
            counts[t][p] += weights.map_or(1.0, |w| w[row]);
        }
        Ok(Self {
            labels: labels.to_vec(),
            counts,
        })
    }

    /// Wraps a table of counts whose shape is known to fit the labels.
    pub(super) fn from_counts(labels: Vec<String>, counts: Vec<Vec<f64>>) -> Self {
        Self { labels, counts }
    }

    /// Returns the labels, in the order of rows and columns.
    pub fn labels(&self) -> &[String] {
        &self.labels
    }

    /// Returns how often rows of class `truth` were predicted to be of class `predicted`.
    pub fn count(&self, truth: usize, predicted: usize) -> f64 {
        self.counts[truth][predicted]
    }

    /// Returns the number of rows, or the sum of their weights.
    pub fn total(&self) -> f64 {
        self.counts.iter().flatten().sum()
    }

    /// Returns the number of right predictions.
    pub fn right(&self) -> f64 {
        (0..self.labels.len()).map(|c| self.counts[c][c]).sum()
    }

    /// Returns the number of rows that are of a class.
    pub fn truths(&self, class: usize) -> f64 {
        self.counts[class].iter().sum()
    }

    /// Returns the number of rows that were predicted to be of a class.
    pub fn predictions(&self, class: usize) -> f64 {
        self.counts.iter().map(|row| row[class]).sum()
    }

    /// Share of the rows predicted to be of a class that are of it; `None` when there are none.
    pub fn precision(&self, class: usize) -> Option<f64> {
        ratio(self.counts[class][class], self.predictions(class))
    }

    /// Share of the rows of a class that were predicted to be of it; `None` when there are none.
    pub fn recall(&self, class: usize) -> Option<f64> {
        ratio(self.counts[class][class], self.truths(class))
    }

    /// Harmonic mean of precision and recall, 2·right/(truths + predictions); `None` when the
    /// class occurs in neither.
    pub fn f1(&self, class: usize) -> Option<f64> {
        ratio(
            2.0 * self.counts[class][class],
            self.truths(class) + self.predictions(class),
        )
    }

    /// Share of right predictions; NaN without rows.
    pub fn accuracy(&self) -> f64 {
        self.right() / self.total()
    }

    /// Mean recall over the classes that occur; NaN without rows.
    pub fn balanced_accuracy(&self) -> f64 {
        mean((0..self.labels.len()).filter_map(|c| self.recall(c)))
    }

    /// Mean F1 over the classes that occur or were predicted; NaN without rows.
    pub fn macro_f1(&self) -> f64 {
        mean((0..self.labels.len()).filter_map(|c| self.f1(c)))
    }

    /// Returns precision of the second of two classes, else the mean over the classes; 0 where nothing is
    /// predicted as a class.
    pub fn mean_precision(&self) -> f64 {
        self.mean_of(|class| self.precision(class))
    }

    /// Returns recall of the second of two classes, else the mean over the classes; 0 where a class has no row.
    pub fn mean_recall(&self) -> f64 {
        self.mean_of(|class| self.recall(class))
    }

    /// The value of the second of two classes, else the mean over those that occur.
    fn mean_of(&self, value: impl Fn(usize) -> Option<f64>) -> f64 {
        let known: Vec<usize> = match self.labels().len() {
            2 => vec![1],
            all => {
                let occurs = |c: &usize| self.truths(*c) + self.predictions(*c) > 0.0;
                (0..all).filter(occurs).collect()
            }
        };
        let sum: f64 = known.iter().map(|&c| value(c).unwrap_or(0.0)).sum();
        sum / known.len() as f64
    }

    /// Returns Cohen's kappa: agreement beyond what the shares of the classes alone give; NaN where those
    /// leave nothing.
    pub fn kappa(&self) -> f64 {
        let total = self.total();
        let classes = 0..self.labels().len();
        let by_chance: f64 = classes
            .map(|c| self.truths(c) * self.predictions(c) / (total * total))
            .sum();
        if by_chance < 1.0 {
            (self.accuracy() - by_chance) / (1.0 - by_chance)
        } else {
            f64::NAN
        }
    }

    /// Correlation of truth and prediction (Matthews; Gorodkin's form for many classes).
    ///
    /// (c·s − Σ tₖpₖ)/√((s² − Σ pₖ²)(s² − Σ tₖ²)) with s rows, c right predictions, tₖ truths and
    /// pₖ predictions of class k. It is 0 where truth or prediction never varies.
    pub fn matthews(&self) -> f64 {
        let s = self.total();
        if s == 0.0 {
            return f64::NAN;
        }
        let k = self.labels.len();
        // Shares instead of counts: squares of large weights must not overflow.
        let truths: Vec<f64> = (0..k).map(|c| self.truths(c) / s).collect();
        let predictions: Vec<f64> = (0..k).map(|c| self.predictions(c) / s).collect();
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f64>();
        let spread = |a: &[f64]| {
            if a.iter().filter(|&&v| v > 0.0).count() < 2 {
                0.0
            } else {
                1.0 - dot(a, a)
            }
        };
        let denominator = (spread(&truths) * spread(&predictions)).sqrt();
        if denominator <= 0.0 {
            return 0.0;
        }
        ((self.right() / s - dot(&truths, &predictions)) / denominator).clamp(-1.0, 1.0)
    }
}

fn ratio(part: f64, whole: f64) -> Option<f64> {
    (whole > 0.0).then(|| part / whole)
}

fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (mut sum, mut count) = (0.0, 0.0);
    for value in values {
        sum += value;
        count += 1.0;
    }
    sum / count
}

impl fmt::Display for ConfusionMatrix {
    /// Writes an aligned table: one line a true class, one column a predicted class, then
    /// recall, precision and F1 of the line's class.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let share = |value: Option<f64>| value.map_or("-".to_owned(), |v| format!("{v:.3}"));
        let mut header = vec!["true \\ predicted".to_owned()];
        header.extend(self.labels.iter().cloned());
        header.extend(["recall", "precision", "f1"].map(str::to_owned));
        let mut lines = vec![header];
        for (class, label) in self.labels.iter().enumerate() {
            let mut line = vec![label.clone()];
            line.extend(self.counts[class].iter().map(|&c| count_text(c)));
            line.push(share(self.recall(class)));
            line.push(share(self.precision(class)));
            line.push(share(self.f1(class)));
            lines.push(line);
        }
        let widths: Vec<usize> = (0..lines[0].len())
            .map(|c| {
                lines
                    .iter()
                    .map(|l| l[c].chars().count())
                    .max()
                    .unwrap_or(0)
            })
            .collect();
        for (number, line) in lines.iter().enumerate() {
            if number > 0 {
                writeln!(f)?;
            }
            write!(f, "{:<width$}", line[0], width = widths[0])?;
            for (cell, width) in line.iter().zip(&widths).skip(1) {
                write!(f, "  {cell:>width$}")?;
            }
        }
        Ok(())
    }
}

fn count_text(count: f64) -> String {
    if count.fract() == 0.0 {
        format!("{count:.0}")
    } else {
        format!("{count:.3}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(names: &[&str]) -> Vec<String> {
        names.iter().map(ToString::to_string).collect()
    }

    /// 3 classes; true a: 2 right, 1 as b; true b: 1 right, 1 as c; true c: 1 right.
    fn small() -> ConfusionMatrix {
        ConfusionMatrix::try_new(
            &[0, 0, 0, 1, 1, 2],
            &[0, 0, 1, 1, 2, 2],
            None,
            &labels(&["a", "b", "c"]),
        )
        .unwrap()
    }

    #[test]
    fn shares_by_hand() {
        let m = small();
        assert_eq!(m.recall(0), Some(2.0 / 3.0));
        assert_eq!(m.precision(0), Some(1.0));
        assert_eq!(m.precision(1), Some(0.5));
        assert_eq!(m.f1(2), Some(2.0 / 3.0));
        assert!((m.accuracy() - 4.0 / 6.0).abs() < 1e-15);
        assert!((m.balanced_accuracy() - (2.0 / 3.0 + 0.5 + 1.0) / 3.0).abs() < 1e-15);
        // c=4, s=6, t=(3,2,1), p=(2,2,2): (24−12)/√((36−12)(36−14)).
        assert!((m.matthews() - 12.0 / (24.0_f64 * 22.0).sqrt()).abs() < 1e-15);
    }

    #[test]
    fn classes_without_rows_have_no_shares() {
        let m =
            ConfusionMatrix::try_new(&[0, 0], &[0, 1], None, &labels(&["a", "b", "c"])).unwrap();
        assert_eq!(m.recall(1), None);
        assert_eq!(m.precision(1), Some(0.0));
        assert_eq!(m.f1(2), None);
        assert_eq!(m.balanced_accuracy(), 0.5);
        assert_eq!(m.matthews(), 0.0);
    }

    #[test]
    fn weights_count_as_copies() {
        let names = labels(&["a", "b"]);
        let weighted =
            ConfusionMatrix::try_new(&[0, 1, 1], &[0, 0, 1], Some(&[2.0, 1.0, 3.0]), &names)
                .unwrap();
        let copied =
            ConfusionMatrix::try_new(&[0, 0, 1, 1, 1, 1], &[0, 0, 0, 1, 1, 1], None, &names)
                .unwrap();
        assert_eq!(weighted, copied);
    }

    #[test]
    fn the_table_is_aligned() {
        let text = small().to_string();
        let expected = "\
true \\ predicted  a  b  c  recall  precision     f1
a                 2  1  0   0.667      1.000  0.800
b                 0  1  1   0.500      0.500  0.500
c                 0  0  1   1.000      0.500  0.667";
        assert_eq!(text, expected);
    }

    #[test]
    fn wrong_input_is_refused() {
        let names = labels(&["a"]);
        assert!(ConfusionMatrix::try_new(&[0], &[0, 0], None, &names).is_err());
        assert!(ConfusionMatrix::try_new(&[0], &[1], None, &names).is_err());
        assert!(ConfusionMatrix::try_new(&[0], &[0], Some(&[]), &names).is_err());
    }
}
