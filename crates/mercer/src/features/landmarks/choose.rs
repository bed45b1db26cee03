//! Which rows become landmarks.

use mercer_linalg::Precision;
use serde::{Deserialize, Serialize};

use super::centres;
use super::keys::{first_rows, squared_diagonal_shares};
use crate::data::Records;
use crate::fit::{FitContext, Note, StopReason};
use crate::gram::KernelSource;
use crate::kernel::ResolvedKernel;
use crate::solver::pivoted::{PivotedCholesky, Pivoting};
use crate::{Error, Result};

/// Rows among which pivots are looked for, for every landmark.
const POOL: usize = 20;

/// How landmarks are chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LandmarkRule {
    /// By what the landmarks so far leave of a row: randomly pivoted Cholesky.
    #[default]
    Pivoted,
    /// Rows, each as likely.
    Uniform,
    /// Rows in proportion to K_ii² (Drineas and Mahoney).
    SquaredDiagonal,
    /// The centres of k-means.
    Kmeans,
}

impl LandmarkRule {
    /// Returns the name in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pivoted => "pivoted",
            Self::Uniform => "uniform",
            Self::SquaredDiagonal => "squared_diagonal",
            Self::Kmeans => "kmeans",
        }
    }
}

/// Landmarks that were chosen.
#[derive(Debug, Clone, PartialEq)]
pub struct Landmarks {
    /// The landmarks.
    pub records: Records,
    /// The rows that they are; `None` where they are no rows.
    pub rows: Option<Vec<usize>>,
    /// Choices made and reasons for care.
    pub notes: Vec<Note>,
    /// The time limit, where it left landmarks out.
    pub stop_reason: StopReason,
    /// Kernel values that were computed.
    pub evaluations: u64,
}

impl Landmarks {
    /// Takes rows by their numbers.
    ///
    /// # Errors
    /// No numbers, and numbers beyond the rows.
    pub fn of_rows(records: &Records, rows: Vec<usize>) -> Result<Self> {
        if let Some(row) = rows.iter().find(|row| **row >= records.len()) {
            let rule = format!("below the number of rows, {}", records.len());
            return Err(Error::setting("landmarks", row, &rule));
        }
        let mut found = Self::given(records.select(&rows))?;
        found.rows = Some(rows);
        Ok(found)
    }

    /// Takes landmarks that somebody chose.
    ///
    /// # Errors
    /// No landmarks.
    pub fn given(records: Records) -> Result<Self> {
        if records.is_empty() {
            return Err(Error::setting("landmarks", "[]", "at least one row"));
        }
        Ok(Self {
            records,
            rows: None,
            notes: Vec::new(),
            stop_reason: StopReason::Converged,
            evaluations: 0,
        })
    }
}

impl LandmarkRule {
    /// Chooses at most `count` landmarks among the rows of positive weight; weights mean copies.
    ///
    /// What is chosen hangs on the seed of the context and the numbers of rows, never on threads. To be called inside of
    /// [`FitContext::install`].
    ///
    /// # Errors
    /// No rows, rows that the kernel cannot compare, k-means under a kernel whose rows have no mean, cancellation.
    pub fn choose(
        self,
        kernel: &ResolvedKernel,
        records: &Records,
        weights: Option<&[f64]>,
        count: usize,
        context: &FitContext,
    ) -> Result<Landmarks> {
        let weight = |row: usize| weights.map_or(1.0, |w| w[row]);
        let counting = (0..records.len()).filter(|&row| weight(row) > 0.0).count();
        if counting == 0 {
            return Err(Error::rows(
                "there are no rows to choose landmarks from",
                "give at least one row with a positive weight",
            ));
        }
        if count == 0 {
            return Err(Error::setting("components", 0, "at least 1"));
        }
        let mut notes = Vec::new();
        if count > counting {
            notes.push(Note::Alert(format!(
                "{counting} landmarks instead of {count}: as many as rows"
            )));
        }
        let count = count.min(counting);
        let plain = |rows: Vec<usize>, notes| Landmarks {
            records: records.select(&rows),
            rows: Some(rows),
            notes,
            stop_reason: StopReason::Converged,
            evaluations: 0,
        };
        match self {
            Self::Uniform => Ok(plain(
                first_rows(records.len(), weight, count, context.seed),
                notes,
            )),
            Self::SquaredDiagonal => {
                let mut diagonal = vec![0.0; records.len()];
                kernel
                    .bind(records)?
                    .diagonal(Precision::F64, &mut diagonal);
                let shares = squared_diagonal_shares(&diagonal);
                let weight = |row: usize| weight(row) * shares[row];
                let rows = first_rows(records.len(), weight, count, context.seed);
                if rows.len() < count {
                    notes.push(Note::Alert(format!(
                        "{} landmarks instead of {count}: k(x, x) of all other rows is 0",
                        rows.len()
                    )));
                }
                if rows.is_empty() {
                    return Err(nothing());
                }
                Ok(plain(rows, notes))
            }
            Self::Kmeans => {
                centres::check(kernel)?;
                let pool = self.pool(records, weights, count, context, &mut notes);
                let (records, own) = pooled(records, weights, pool.as_deref());
                let found = centres::centres(&records, own.as_deref(), count, context)?;
                if found.len() < count {
                    notes.push(Note::Alert(format!(
                        "{} landmarks instead of {count}: there are no more distinct rows",
                        found.len()
                    )));
                }
                Ok(Landmarks {
                    records: found,
                    rows: None,
                    notes,
                    stop_reason: StopReason::Converged,
                    evaluations: 0,
                })
            }
            Self::Pivoted => self.pivoted(kernel, records, weights, count, notes, context),
        }
    }

    fn pivoted(
        self,
        kernel: &ResolvedKernel,
        records: &Records,
        weights: Option<&[f64]>,
        count: usize,
        mut notes: Vec<Note>,
        context: &FitContext,
    ) -> Result<Landmarks> {
        let pool = self.pool(records, weights, count, context, &mut notes);
        let (near, own) = pooled(records, weights, pool.as_deref());
        let bound = kernel.bind(&near)?;
        let source = KernelSource::whole(&*bound, 0.0);
        let roots: Option<Vec<f64>> = own.map(|w| w.iter().map(|w| w.sqrt()).collect());
        let asked = Pivoting {
            rank: count,
            tolerance: 0.0,
            scales: roots.as_deref(),
        };
        let found = PivotedCholesky::new(&source, asked, context)?;
        let rows: Vec<usize> = found
            .pivots
            .iter()
            .map(|&row| {
                pool.as_ref()
                    .map_or(row as usize, |pool| pool[row as usize])
            })
            .collect();
        if rows.is_empty() {
            return Err(match found.stop_reason {
                StopReason::TimeLimit => Error::OutOfTime,
                _ => nothing(),
            });
        }
        if found.stop_reason == StopReason::TimeLimit {
            notes.push(Note::Alert(format!(
                "the time limit came after {} of {count} landmarks",
                rows.len()
            )));
        } else if rows.len() < count {
            notes.push(Note::Choice(format!(
                "{} landmarks instead of {count}: nothing is left of the other rows",
                rows.len()
            )));
        }
        Ok(Landmarks {
            records: records.select(&rows),
            rows: Some(rows),
            notes,
            stop_reason: found.stop_reason,
            evaluations: source.evaluations(),
        })
    }

    /// The rows among which landmarks are looked for, ascending; `None` for all.
    fn pool(
        self,
        records: &Records,
        weights: Option<&[f64]>,
        count: usize,
        context: &FitContext,
        notes: &mut Vec<Note>,
    ) -> Option<Vec<usize>> {
        let mut most = POOL.saturating_mul(count);
        if self == Self::Pivoted {
            // The factor has a number for every landmark and row.
            let room = context.most_memory() / (8 * count.max(1) as u64);
            let room = usize::try_from(room / 2)
                .unwrap_or(usize::MAX)
                .max(2 * count);
            if room < most && room < records.len() {
                notes.push(Note::Alert(format!(
                    "landmarks are looked for among {room} rows instead of {}: more do not fit into {}",
                    most.min(records.len()),
                    context.memory_holder()
                )));
                most = room;
            }
        }
        let weight = |row: usize| weights.map_or(1.0, |w| w[row]);
        if records.len() <= most && weights.is_none_or(|w| w.iter().all(|w| *w > 0.0)) {
            return None;
        }
        let mut rows = first_rows(records.len(), weight, most, context.seed);
        rows.sort_unstable();
        Some(rows)
    }
}

/// The rows of a pool with their weights; those drawn by weight count alike.
fn pooled(
    records: &Records,
    weights: Option<&[f64]>,
    pool: Option<&[usize]>,
) -> (Records, Option<Vec<f64>>) {
    match pool {
        None => (records.clone(), weights.map(<[f64]>::to_vec)),
        Some(rows) => {
            let all = rows.len() == weights.map_or(0, |w| w.iter().filter(|w| **w > 0.0).count());
            let own = weights.filter(|_| all);
            (
                records.select(rows),
                own.map(|w| rows.iter().map(|&row| w[row]).collect()),
            )
        }
    }
}

fn nothing() -> Error {
    Error::rows(
        "k(x, x) of all rows is 0: there is nothing to choose landmarks by",
        "give rows that the kernel tells from nothing, or another kernel",
    )
}
