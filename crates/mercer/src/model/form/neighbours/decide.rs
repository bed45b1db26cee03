//! From neighbours to decisions.

use mercer_linalg::{Matrix, Par};

use super::equal::Equal;
use super::{ABSTAINED, NeighbourModel, NeighbourRule, NeighbourTargets, Votes};
use crate::data::Records;
use crate::fit::Cancel;
use crate::model::Decide;
use crate::model::form::log_odds;
use crate::solver::neighbours::{Searcher, Wanted};
use crate::{Error, Result};

/// Multiplications below which threads cost more than they save.
const WORTH_THREADS: f64 = 1e7;
/// Rows whose neighbours are held at a time.
const AT_ONCE: usize = 1 << 14;

/// Rows prepared to predict.
#[derive(Debug)]
pub(super) struct NeighbourDecider {
    way: Way,
    targets: NeighbourTargets,
    /// How many copies each row stands for, where that differs, and how many are asked.
    copies: Option<(Vec<f64>, f64)>,
    votes: Votes,
    classes: usize,
}

#[derive(Debug)]
enum Way {
    Nearest {
        searcher: Searcher,
        neighbours: usize,
    },
    Equal {
        equal: Equal,
        /// Shares of the classes where no row is equal.
        otherwise: Vec<f64>,
    },
}

impl NeighbourDecider {
    pub(super) fn new(model: &NeighbourModel) -> Result<Self> {
        let classes = model.class_count();
        let way = match model.rule {
            NeighbourRule::Nearest => Way::Nearest {
                searcher: model.searcher()?,
                neighbours: model.rows_asked(),
            },
            NeighbourRule::Equal => {
                let mut otherwise = vec![0.0; classes];
                let labels = model.readout.labels().unwrap_or_default();
                if let Some(place) = labels.iter().position(|label| label == ABSTAINED) {
                    otherwise[place] = 1.0;
                } else if let NeighbourTargets::Classes(codes) = &model.targets {
                    for code in codes {
                        otherwise[*code as usize] += 1.0 / codes.len() as f64;
                    }
                }
                Way::Equal {
                    equal: Equal::new(&model.rows),
                    otherwise,
                }
            }
        };
        Ok(Self {
            way,
            targets: model.targets.clone(),
            copies: model.weights.clone().map(|w| (w, model.neighbours as f64)),
            votes: model.votes,
            classes,
        })
    }

    fn width(&self) -> usize {
        match &self.targets {
            NeighbourTargets::Classes(_) if self.classes == 2 => 1,
            NeighbourTargets::Classes(_) => self.classes,
            NeighbourTargets::Values(values) => values.rows(),
        }
    }

    /// Writes what some rows vote for; `weights` are the weights of their votes.
    fn answer(&self, rows: &[u32], weights: &[f64], shares: &mut [f64], out: &mut [f64]) {
        let whole: f64 = weights.iter().sum();
        match &self.targets {
            NeighbourTargets::Classes(codes) => {
                shares.fill(0.0);
                for (row, weight) in rows.iter().zip(weights) {
                    shares[codes[*row as usize] as usize] += weight;
                }
                for (out, share) in out.iter_mut().zip(&*shares) {
                    *out = log_odds(share / whole);
                }
            }
            NeighbourTargets::Values(values) => {
                for (k, out) in out.iter_mut().enumerate() {
                    let line = values.row(k);
                    let terms = rows.iter().zip(weights);
                    let sum: f64 = terms
                        .map(|(row, weight)| line[*row as usize] * weight)
                        .sum();
                    *out = sum / whole;
                }
            }
        }
    }

    fn part(&self, records: &Records, out: &mut [f64], par: Par, cancel: &Cancel) -> Result<()> {
        let width = self.width();
        let mut shares = vec![0.0; self.classes];
        let (mut weights, mut counts) = (Vec::new(), Vec::new());
        match &self.way {
            Way::Nearest {
                searcher,
                neighbours,
            } => {
                let wanted = Wanted::Nearest(*neighbours);
                let found = searcher.search(records, wanted, par, cancel)?;
                for (row, out) in out.chunks_exact_mut(width).enumerate() {
                    let (rows, distances) = found.of(row);
                    let taken = match &self.copies {
                        Some((copies, asked)) => take(rows, copies, *asked, &mut counts),
                        None => rows.len(),
                    };
                    vote_weights(self.votes, &distances[..taken], &mut weights);
                    if self.copies.is_some() {
                        for (weight, count) in weights.iter_mut().zip(&counts) {
                            *weight *= count;
                        }
                    }
                    self.answer(&rows[..taken], &weights, &mut shares, out);
                }
            }
            Way::Equal { equal, otherwise } => {
                for (row, out) in out.chunks_exact_mut(width).enumerate() {
                    if row % 1024 == 0 && cancel.is_cancelled() {
                        return Err(Error::Cancelled);
                    }
                    let rows = equal.of(records, row);
                    if rows.is_empty() {
                        for (out, share) in out.iter_mut().zip(otherwise) {
                            *out = log_odds(*share);
                        }
                    } else {
                        weights.clear();
                        weights.resize(rows.len(), 1.0);
                        self.answer(&rows, &weights, &mut shares, out);
                    }
                }
            }
        }
        Ok(())
    }
}

/// Counts copies of rows, the nearest first, until so many are asked; returns of how many rows they are.
fn take(rows: &[u32], copies: &[f64], asked: f64, counts: &mut Vec<f64>) -> usize {
    counts.clear();
    let mut left = asked;
    for row in rows {
        if left <= 0.0 {
            break;
        }
        let count = copies[*row as usize].min(left);
        counts.push(count);
        left -= count;
    }
    counts.len()
}

/// The weights of votes at some distances.
pub(crate) fn vote_weights(votes: Votes, distances: &[f64], weights: &mut Vec<f64>) {
    weights.clear();
    let inverse = |d: &f64| 1.0 / d;
    match votes {
        Votes::Uniform => weights.resize(distances.len(), 1.0),
        // One over a subnormal distance is infinite, too.
        Votes::Distance if distances.iter().any(|d| inverse(d).is_infinite()) => {
            let at_zero = |d: &f64| f64::from(u8::from(inverse(d).is_infinite()));
            weights.extend(distances.iter().map(at_zero));
        }
        Votes::Distance => {
            weights.extend(distances.iter().map(inverse));
            // All at an infinite distance vote alike.
            if weights.iter().all(|w| *w == 0.0) {
                weights.fill(1.0);
            }
        }
    }
}

fn refuse_infinite(records: &Records) -> Result<()> {
    let Some((row, column)) = records.features.points.first_infinite() else {
        return Ok(());
    };
    Err(Error::Cell {
        place: format!("row {}", row + 1),
        column: records.features.name(column),
        problem: "the value is infinite".to_owned(),
        cure: "give a finite number".into(),
    })
}

impl Decide for NeighbourDecider {
    fn decisions(&self, records: &Records, par: Par, cancel: &Cancel) -> Result<Matrix<f64>> {
        let (n, width) = (records.len(), self.width());
        let mut out = Matrix::zeros(n, width);
        if n <= AT_ONCE {
            self.part(records, out.as_mut_slice(), par, cancel)?;
            return Ok(out);
        }
        // A part would count its rows from 0.
        refuse_infinite(records)?;
        for (b, part) in out.as_mut_slice().chunks_mut(AT_ONCE * width).enumerate() {
            let start = b * AT_ONCE;
            let rows = records.slice(start..start + part.len() / width);
            self.part(&rows, part, par, cancel)?;
        }
        Ok(out)
    }

    fn is_worth_threads(&self, rows: usize) -> bool {
        match &self.way {
            Way::Nearest { searcher, .. } => rows as f64 * searcher.work() >= WORTH_THREADS,
            Way::Equal { .. } => false,
        }
    }
}
