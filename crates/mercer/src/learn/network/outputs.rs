//! What a network is to predict: targets as rows of outputs, and the last layer that suits them.

use mercer_linalg::Matrix;

use super::choices::NetworkLoss;
use crate::data::{Dataset, Targets};
use crate::model::Activation;
use crate::model::Layers;
use crate::model::readout::Readout;
use crate::solver::network::Loss;
use crate::{Error, Result};

/// Targets, row by row.
pub(super) struct Outputs {
    /// A row of outputs for every row.
    pub(super) targets: Matrix<f64>,
    /// Mean and standard deviation that were taken out of every output.
    pub(super) units: Vec<(f64, f64)>,
    /// What is minimised.
    pub(super) loss: Loss,
    /// The function of the last layer.
    pub(super) activation: Activation,
    /// What the outputs stand for.
    pub(super) readout: Readout,
}

impl Outputs {
    /// Takes the targets of all rows that count, `kept`; `again` where an earlier network goes on learning.
    ///
    /// # Errors
    /// No targets, one class only, targets that the loss has no meaning for.
    pub(super) fn try_new(
        data: &Dataset,
        kept: &[usize],
        loss: NetworkLoss,
        scaled: bool,
        again: bool,
    ) -> Result<Self> {
        match &data.targets {
            Targets::Classes(classes) => {
                let codes: Vec<u32> = kept.iter().map(|&r| classes.codes[r]).collect();
                of_classes(&codes, &classes.labels, loss, again)
            }
            Targets::Real(values) => {
                let targets = Matrix::from_fn(kept.len(), 1, |i, _| values[kept[i]]);
                of_numbers(targets, loss, scaled)
            }
            Targets::Several(values) => {
                let targets =
                    Matrix::from_fn(kept.len(), values.rows(), |i, k| values[(k, kept[i])]);
                of_numbers(targets, loss, scaled)
            }
            Targets::None => Err(Error::rows(
                "a network needs a class or a number for every row",
                "give a target column",
            )),
        }
    }
}

fn of_classes(codes: &[u32], labels: &[String], loss: NetworkLoss, again: bool) -> Result<Outputs> {
    let mut present = vec![false; labels.len()];
    codes.iter().for_each(|&c| present[c as usize] = true);
    // A network that knows more may go over rows of one class.
    let enough = again || present.iter().filter(|p| **p).count() >= 2;
    if labels.len() < 2 || !enough {
        return Err(Error::rows(
            "all rows are of one class",
            "classification needs rows of at least two classes",
        ));
    }
    let loss = match loss {
        NetworkLoss::Auto | NetworkLoss::CrossEntropy => Loss::CrossEntropy,
        NetworkLoss::Squared => Loss::Squared,
        NetworkLoss::Poisson => {
            return Err(Error::Conflict {
                what: "the loss `poisson` is for counts, not for classes".to_owned(),
                cure: "use `cross_entropy` or `squared`".into(),
            });
        }
    };
    let outputs = if labels.len() == 2 { 1 } else { labels.len() };
    let targets = Matrix::from_fn(codes.len(), outputs, |i, k| {
        let wanted = if outputs == 1 { 1 } else { k };
        f64::from(u8::from(codes[i] as usize == wanted))
    });
    Ok(Outputs {
        targets,
        units: vec![(0.0, 1.0); outputs],
        loss,
        activation: if outputs > 1 && loss == Loss::CrossEntropy {
            Activation::Softmax
        } else {
            Activation::Sigmoid
        },
        readout: Layers::class_readout(labels, outputs),
    })
}

fn of_numbers(mut targets: Matrix<f64>, loss: NetworkLoss, scaled: bool) -> Result<Outputs> {
    for row in 0..targets.rows() {
        if targets.row(row).iter().any(|y| !y.is_finite()) {
            return Err(Error::rows(
                format!("the target of row {} is not a finite number", row + 1),
                "replace or remove it before fitting",
            ));
        }
    }
    let outside =
        |low: f64, high: f64| targets.as_slice().iter().any(|y| !(low..=high).contains(y));
    let (loss, activation) = match loss {
        NetworkLoss::Auto | NetworkLoss::Squared => (Loss::Squared, Activation::Linear),
        NetworkLoss::CrossEntropy if outside(0.0, 1.0) => {
            return Err(Error::rows(
                "the cross-entropy of numbers needs targets between 0 and 1",
                "use the loss `squared`, or say that the target is a class",
            ));
        }
        NetworkLoss::CrossEntropy => (Loss::CrossEntropy, Activation::Sigmoid),
        NetworkLoss::Poisson if outside(0.0, f64::MAX) => {
            return Err(Error::rows(
                "the loss `poisson` needs targets that are not negative",
                "use the loss `squared`",
            ));
        }
        NetworkLoss::Poisson => (Loss::Poisson, Activation::Exponential),
    };
    let outputs = targets.columns();
    let mut units = vec![(0.0, 1.0); outputs];
    if scaled && loss == Loss::Squared {
        for (k, unit) in units.iter_mut().enumerate() {
            *unit = unit_of((0..targets.rows()).map(|i| targets[(i, k)]));
            for i in 0..targets.rows() {
                targets[(i, k)] = (targets[(i, k)] - unit.0) / unit.1;
            }
        }
    }
    Ok(Outputs {
        targets,
        units,
        loss,
        activation,
        readout: Readout::Values,
    })
}

/// Mean and standard deviation; 1 where numbers do not vary.
fn unit_of(values: impl Iterator<Item = f64> + Clone) -> (f64, f64) {
    let count = values.clone().count().max(1) as f64;
    // Sums of the largest numbers leave the range of f64; sums of their shares do not.
    let largest = values.clone().fold(0.0_f64, |most, v| most.max(v.abs()));
    if largest == 0.0 {
        return (0.0, 1.0);
    }
    let mean = values.clone().map(|v| v / largest / count).sum::<f64>();
    let squares = values.map(|v| (v / largest - mean).powi(2)).sum::<f64>();
    let spread = (squares / count).sqrt() * largest;
    let sound = spread.is_normal() && spread > 1e-14 * largest;
    (mean * largest, if sound { spread } else { 1.0 })
}
