//! The prediction that looks at no feature.

use super::metrics::mean;
use crate::data::Targets;
use crate::fit::ConstantPrediction;

/// What every row is told without a look at it, learnt from targets alone.
///
/// Learnt from the rows that it is compared on it is flattered a little, so that a model which is
/// better than that is better than a constant. Folds of their own would do worse than chance where
/// classes are balanced: what is held out is missing from the count.
///
/// A class is the most frequent one, with the shares of all classes as probabilities: no constant
/// has fewer errors, and none a smaller log loss on those rows. A number is the mean, which has the
/// least squared error, and the median, which has the least absolute one.
#[derive(Debug, Clone, PartialEq)]
pub enum Constant {
    /// A class.
    Class {
        /// Its code.
        code: u32,
        /// Its name.
        label: String,
        /// The share of every class.
        shares: Vec<f64>,
    },
    /// A number per output.
    Values {
        /// The means.
        means: Vec<f64>,
        /// The medians.
        medians: Vec<f64>,
    },
}

impl Constant {
    /// Learns from targets; `None` where there is nothing to predict.
    pub fn of(targets: &Targets, weights: Option<&[f64]>) -> Option<Self> {
        let rows = targets.len().filter(|rows| *rows > 0)?;
        let weight = |row: usize| weights.map_or(1.0, |w| w[row]);
        let total: f64 = (0..rows).map(weight).sum();
        if total <= 0.0 {
            return None;
        }
        match targets {
            Targets::None => None,
            Targets::Classes(classes) => {
                let mut shares = vec![0.0; classes.labels.len()];
                for (row, code) in classes.codes.iter().enumerate() {
                    shares[*code as usize] += weight(row) / total;
                }
                let mut code = 0;
                for (other, share) in shares.iter().enumerate() {
                    if *share > shares[code] {
                        code = other;
                    }
                }
                Some(Self::Class {
                    code: code as u32,
                    label: classes.labels[code].clone(),
                    shares,
                })
            }
            Targets::Real(values) => Some(Self::of_outputs(&[values], weights)),
            Targets::Several(values) => {
                let outputs: Vec<&[f64]> = (0..values.rows()).map(|k| values.row(k)).collect();
                Some(Self::of_outputs(&outputs, weights))
            }
        }
    }

    /// Returns what it says: the class, or the means.
    pub fn prediction(&self) -> ConstantPrediction {
        match self {
            Self::Class { label, .. } => ConstantPrediction::Class(label.clone()),
            Self::Values { means, .. } => match means[..] {
                [one] => ConstantPrediction::Value(one),
                _ => ConstantPrediction::Values(means.clone()),
            },
        }
    }

    fn of_outputs(outputs: &[&[f64]], weights: Option<&[f64]>) -> Self {
        Self::Values {
            means: outputs
                .iter()
                .map(|values| mean(values.len(), weights, |i| values[i]))
                .collect(),
            medians: outputs.iter().map(|v| median(v, weights)).collect(),
        }
    }
}

/// The value with half of the weight below it; between two of them, their middle.
fn median(values: &[f64], weights: Option<&[f64]>) -> f64 {
    let weight = |row: usize| weights.map_or(1.0, |w| w[row]);
    let mut order: Vec<usize> = (0..values.len()).filter(|&r| weight(r) > 0.0).collect();
    order.sort_by(|&a, &b| values[a].total_cmp(&values[b]));
    let half = order.iter().map(|&r| weight(r)).sum::<f64>() / 2.0;
    let mut below = 0.0;
    for (place, &row) in order.iter().enumerate() {
        below += weight(row);
        if below > half {
            return values[row];
        }
        if below == half
            && let Some(&next) = order.get(place + 1)
        {
            return f64::midpoint(values[row], values[next]);
        }
    }
    f64::NAN
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::ClassTargets;

    #[test]
    fn classes_by_weight_and_shares() {
        let targets = Targets::Classes(ClassTargets::from_labels(&["a", "b", "b", "a"]));
        let plain = Constant::of(&targets, None).expect("classes");
        assert!(matches!(&plain, Constant::Class { label, .. } if label == "a"));
        let heavy = Constant::of(&targets, Some(&[1.0, 3.0, 0.0, 0.0])).expect("classes");
        let Constant::Class { label, shares, .. } = heavy else {
            panic!("classes");
        };
        assert_eq!((label.as_str(), &shares[..]), ("b", &[0.25, 0.75][..]));
        assert_eq!(Constant::of(&Targets::None, None), None);
        assert_eq!(Constant::of(&targets, Some(&[0.0; 4])), None);
    }

    #[test]
    fn numbers_by_mean_and_median() {
        let of = |values: &[f64], weights| {
            let found = Constant::of(&Targets::Real(values.to_vec()), weights);
            let Some(Constant::Values { means, medians }) = found else {
                panic!("numbers");
            };
            (means[0], medians[0])
        };
        assert_eq!(of(&[1.0, 2.0, 9.0], None), (4.0, 2.0));
        assert_eq!(of(&[1.0, 2.0, 4.0, 9.0], None), (4.0, 3.0));
        assert_eq!(of(&[1.0, 9.0], Some(&[3.0, 1.0])), (3.0, 1.0));
        assert_eq!(of(&[7.0], None), (7.0, 7.0));
    }
}
