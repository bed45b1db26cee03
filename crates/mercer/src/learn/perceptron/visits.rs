//! Which rows are visited, with which sign, and how far each moves the weights.

use super::passes::Space;
use super::settings::Perceptron;
use crate::Result;
use crate::data::{ClassTargets, Dataset, Targets, holdout};
use crate::learn::canonical::Canonical;
use crate::learn::first_equals;

/// One visit of a pass.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Visit {
    /// The distinct row.
    pub(super) row: u32,
    /// +1 for the second of two classes, or for the class that is told from the rest.
    pub(super) sign: f64,
    /// η times row weight and class factor.
    pub(super) step: f64,
}

/// Rows that are set aside to see when to stop.
pub(super) struct Held {
    rows: Vec<Visit>,
}

impl Held {
    /// Whether no rows are set aside.
    pub(super) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Share of their weight that is on the wrong side.
    pub(super) fn error(&self, space: &dyn Space) -> f64 {
        let all: f64 = self.rows.iter().map(|visit| visit.step).sum();
        let is_wrong = |visit: &&Visit| {
            let z = visit.sign * space.value(visit.row as usize);
            z < 0.0 || (z == 0.0 && visit.sign < 0.0)
        };
        let wrong = self.rows.iter().filter(is_wrong).map(|visit| visit.step);
        wrong.sum::<f64>() / all
    }
}

/// A visit before classes are told apart: the row with its class and weight.
#[derive(Debug, Clone, Copy)]
struct Plain {
    row: u32,
    code: u32,
    weight: f64,
}

/// The visits of all decisions.
pub(super) struct Visits {
    learnt: Vec<Plain>,
    held: Vec<Plain>,
    factors: Vec<f64>,
    step: f64,
}

impl Visits {
    /// Lists the visits of a pass: distinct rows with all their copies where the order is random,
    /// rows as they were given otherwise.
    pub(super) fn try_new(
        settings: &Perceptron,
        data: &Dataset,
        rows: &Canonical,
        classes: &ClassTargets,
        seed: u64,
    ) -> Result<Self> {
        let code = |row: usize| classes.codes[row];
        let all: Vec<Plain> = if settings.shuffle {
            let each = rows.weights.iter().enumerate();
            each.map(|(row, &weight)| Plain {
                row: row as u32,
                code: code(row),
                weight,
            })
            .collect()
        } else {
            let mut record = vec![u32::MAX; data.len()];
            for (place, &source) in (0..).zip(&rows.sources) {
                record[source as usize] = place;
            }
            // Equal rows are one record, which has the number of the first that has a weight.
            let first = first_equals(data, &settings.kernel);
            let mut of_group = vec![u32::MAX; data.len()];
            for (&own, &first) in record.iter().zip(&first) {
                if own != u32::MAX {
                    of_group[first as usize] = own;
                }
            }
            let weight = |row: usize| data.weights.as_ref().map_or(1.0, |w| w[row]);
            let given = (0..data.len()).filter(|&row| weight(row) > 0.0);
            given
                .map(|row| {
                    let record = of_group[first[row] as usize];
                    Plain {
                        row: record,
                        code: code(record as usize),
                        weight: weight(row),
                    }
                })
                .collect()
        };
        let factors = settings
            .class_weights
            .factors(classes, &rows.span_weights())?;
        let (learnt, held) = if settings.early_stopping {
            parted(&all, classes, settings.validation, seed)?
        } else {
            (all, Vec::new())
        };
        Ok(Self {
            learnt,
            held,
            factors,
            step: settings.step,
        })
    }

    /// The visits of one decision of `decisions`, and the rows set aside.
    ///
    /// Of two classes the second is positive. A class against the rest has its own factor, the
    /// rest has none, as in scikit-learn. Rows that cannot move the weights are not visited.
    pub(super) fn decision(&self, decision: usize, decisions: usize) -> (Vec<Visit>, Held) {
        let visit = |plain: &Plain| {
            let code = plain.code as usize;
            let (positive, factor) = if decisions == 1 {
                (code == 1, self.factors[code])
            } else if code == decision {
                (true, self.factors[code])
            } else {
                (false, 1.0)
            };
            Visit {
                row: plain.row,
                sign: if positive { 1.0 } else { -1.0 },
                step: self.step * plain.weight * factor,
            }
        };
        let moves = |visit: &Visit| visit.step > 0.0;
        let learnt = self.learnt.iter().map(visit).filter(moves).collect();
        let plain = |held: &Plain| Visit {
            step: held.weight,
            ..visit(held)
        };
        let rows = self.held.iter().map(plain).collect();
        (learnt, Held { rows })
    }
}

/// Sets a share of the rows aside, class by class.
fn parted(
    all: &[Plain],
    classes: &ClassTargets,
    share: f64,
    seed: u64,
) -> Result<(Vec<Plain>, Vec<Plain>)> {
    let targets = Targets::Classes(ClassTargets {
        labels: classes.labels.clone(),
        codes: all.iter().map(|plain| plain.code).collect(),
    });
    let parts = holdout(all.len(), &targets, share, seed, None)?;
    let pick = |rows: &[usize]| rows.iter().map(|&row| all[row]).collect();
    Ok((pick(&parts.train), pick(&parts.test)))
}
