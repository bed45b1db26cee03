//! k-means: parameters, runs and the best of them.

use mercer_linalg::Matrix;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use serde::{Deserialize, Serialize};

use super::centres::{as_rows, check_first};
use crate::data::{Dataset, Records};
use crate::fit::{FitContext, FitReport, Fitted, Note, SolverReport, StopReason};
use crate::learn::{Estimator, Settings};
use crate::model::Prototypes;
use crate::solver::kmeans::{Init, Limits, Prepared, Run, lloyd, nearest, seeds};
use crate::{Error, Result};

/// k-means: minimises Σ w_i ‖x_i − c_{a(i)}‖² over k centres c and the assignment a of rows to them.
///
/// Use it for compact groups of similar size in columns of one scale; every run finds a local
/// minimum, so that more starts can only help. An iteration takes time n·k·d at most, less once
/// most rows are settled; memory is two copies of the rows.
///
/// Weights mean copies: rows of weight 0 have no part in the centres, and neither the order of
/// rows nor the splitting of weights into copies changes the result. It stops when no row
/// changes its cluster, or when the squared moves of all centres add up to less than `tolerance`
/// times the mean variance of the columns. A cluster that loses all rows takes the row farthest
/// from its centre.
///
/// # Examples
/// ```
/// use mercer::data::Records;
/// use mercer::fit::FitContext;
/// use mercer::learn::cluster::KMeans;
/// use mercer_linalg::Matrix;
///
/// let x = Matrix::from_vec(4, 1, vec![0.0, 1.0, 10.0, 11.0]);
/// let found = KMeans::default().clusters(2).solve(
///     &Records::from_points(x),
///     None,
///     None,
///     &FitContext::default(),
/// )?;
/// assert_eq!(found.inertia, 1.0);
/// assert_eq!(found.labels[0], found.labels[1]);
/// assert_ne!(found.labels[0], found.labels[2]);
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// # References
/// Lloyd, Least squares quantization in PCM, 1982; Arthur and Vassilvitskii, k-means++: the
/// advantages of careful seeding, 2007; Hamerly, Making k-means even faster, 2010.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, mercer_derive::Settings)]
pub struct KMeans {
    /// Number of clusters.
    #[setting(count, python = "n_clusters")]
    pub clusters: usize,
    /// How the first centres are chosen.
    #[serde(default)]
    #[setting(words("kmeans++", "random"))]
    pub init: Init,
    /// Runs from different first centres, the best of which counts; 1 for kmeans++ and 10 for
    /// random rows where it is left open.
    #[serde(default)]
    #[setting(count, python = "n_init")]
    pub starts: Option<usize>,
    /// Most iterations of a run.
    #[setting(count, python = "max_iter")]
    pub max_iterations: u64,
    /// Share of the mean variance of the columns below which moves of the centres end a run.
    #[setting(not_negative, python = "tol")]
    pub tolerance: f64,
}

impl Default for KMeans {
    fn default() -> Self {
        Self {
            clusters: 8,
            init: Init::KMeansPlusPlus,
            starts: None,
            max_iterations: 300,
            tolerance: 1e-4,
        }
    }
}

/// Centres and what belongs to them.
#[derive(Debug, Clone, PartialEq)]
pub struct Clustering {
    /// One centre per line.
    pub centres: Matrix<f64>,
    /// The nearest centre of every row that was given, those of weight 0 included.
    pub labels: Vec<u32>,
    /// Σ w_i ‖x_i − c_{a(i)}‖².
    pub inertia: f64,
    /// Iterations of the run that was best.
    pub iterations: u64,
    /// Why that run stopped; the time limit also where it left no time for other runs.
    pub stop_reason: StopReason,
    /// Rows left after rows of weight zero were dropped and equal rows merged.
    pub distinct_rows: usize,
    /// Choices made and reasons for care.
    pub notes: Vec<Note>,
}

impl Estimator for KMeans {
    type Model = Prototypes;

    fn fit(&self, data: &Dataset, context: &FitContext) -> Result<Fitted<Prototypes>> {
        self.fit_from(data, None, context)
    }
}

impl KMeans {
    /// Runs from different first centres, where none are given.
    pub(super) fn runs(&self) -> usize {
        self.starts.unwrap_or(match self.init {
            Init::KMeansPlusPlus => 1,
            Init::Random => 10,
        })
    }

    /// Learns from data, from given first centres on where there are some.
    ///
    /// # Errors
    /// As [`KMeans::solve`].
    pub fn fit_from(
        &self,
        data: &Dataset,
        start: Option<&Matrix<f64>>,
        context: &FitContext,
    ) -> Result<Fitted<Prototypes>> {
        let context = context.restarted();
        let found = self.found(&data.records, data.weights.as_deref(), start, &context)?;
        let rows = as_rows(found.centres, &data.records);
        let report = FitReport {
            stop_reason: found.stop_reason,
            distinct_rows: found.distinct_rows,
            solver: Some(SolverReport::of_objective(found.inertia, found.iterations)),
            ..FitReport::of_rows(data.len(), found.notes, &context)
        };
        Ok(Fitted {
            model: Prototypes::of_clusters(rows),
            report,
        })
    }

    /// Finds the clusters of rows, from given first centres or from the best of several draws.
    ///
    /// # Errors
    /// Every bad setting at once; fewer rows than clusters, values or weights that cannot be
    /// used, first centres of another shape; cancellation, and a time limit that comes before the
    /// first centres. A run that is cut short is not an error: the stop reason tells.
    pub fn solve(
        &self,
        records: &Records,
        weights: Option<&[f64]>,
        start: Option<&Matrix<f64>>,
        context: &FitContext,
    ) -> Result<Clustering> {
        let mut found = self.found(records, weights, start, context)?;
        let label = || nearest(&found.centres, records, context.par(), &context.cancel);
        found.labels = context.install(label)??.0;
        Ok(found)
    }

    /// Finds the clusters without the labels of the rows that were given.
    fn found(
        &self,
        records: &Records,
        weights: Option<&[f64]>,
        start: Option<&Matrix<f64>>,
        context: &FitContext,
    ) -> Result<Clustering> {
        self.check_all()?;
        if let Some(start) = start {
            check_first(start, self.clusters, "centre", records)?;
        }
        context.install(|| self.run(records, weights, start, context))?
    }

    fn check_all(&self) -> Result<()> {
        /// Centres are numbered in single precision on the way.
        const MOST: usize = 1 << 24;
        let mut errors = Vec::new();
        self.check(&mut errors);
        if self.clusters >= MOST {
            let rule = format!("below {MOST}");
            errors.push(Error::setting("clusters", self.clusters, &rule));
        }
        Error::collect(errors)
    }

    fn run(
        &self,
        records: &Records,
        weights: Option<&[f64]>,
        start: Option<&Matrix<f64>>,
        context: &FitContext,
    ) -> Result<Clustering> {
        let (rows, counting) = Prepared::try_new(records, weights, context)?;
        if counting < self.clusters {
            return Err(Error::setting(
                "clusters",
                self.clusters,
                &format!("at most {counting}, the number of rows"),
            ));
        }
        let limits = Limits {
            max_iterations: self.max_iterations,
            moves: self.tolerance * rows.mean_variance(context),
        };
        let mut notes = Vec::new();
        let starts = match start {
            Some(_) => {
                if let Some(named @ 2..) = self.starts {
                    notes.push(Note::Choice(format!(
                        "one run instead of {named}: the first centres are given"
                    )));
                }
                1
            }
            None => self.runs(),
        };
        let mut rng = ChaCha8Rng::seed_from_u64(context.seed);
        let mut best: Option<Run> = None;
        let mut done = 0;
        for number in 1..=starts {
            let first = match start {
                Some(start) => Ok(rows.inward(start)),
                None => seeds(&rows, self.clusters, self.init, &mut rng, context),
            };
            let first = match first {
                Err(Error::OutOfTime) if best.is_some() => break,
                first => first?,
            };
            let stage = format!("start {number} of {starts}");
            let run = lloyd(&rows, first, limits, &stage, context)?;
            done = number;
            let is_cut = run.stop_reason == StopReason::TimeLimit;
            if best.as_ref().is_none_or(|best| run.is_better(best)) {
                best = Some(run);
            }
            if is_cut {
                break;
            }
        }
        let best = best.expect("one run at least");
        let mut stop_reason = best.stop_reason;
        if done < starts {
            stop_reason = stop_reason.worse(StopReason::TimeLimit);
            notes.push(Note::Alert(format!(
                "the time limit came after {done} of {starts} starts"
            )));
        }
        self.tell(&best, stop_reason, rows.len(), &mut notes);
        Ok(Clustering {
            labels: Vec::new(),
            inertia: rows.inertia(best.inertia),
            iterations: best.iterations,
            stop_reason,
            distinct_rows: rows.len(),
            notes,
            centres: rows.outward(&best.centres),
        })
    }

    /// Reasons for care.
    fn tell(&self, best: &Run, stop_reason: StopReason, distinct: usize, notes: &mut Vec<Note>) {
        if stop_reason != StopReason::Converged {
            notes.push(Note::Alert(format!(
                "not converged ({stop_reason}): another iteration would move the centres"
            )));
        }
        let mut has_rows = vec![false; self.clusters];
        for &label in &best.labels {
            has_rows[label as usize] = true;
        }
        let found = has_rows.iter().filter(|has| **has).count();
        if found < self.clusters {
            let cause = if distinct < self.clusters {
                format!(": there are only {distinct} distinct rows")
            } else {
                String::new()
            };
            notes.push(Note::Alert(format!(
                "{found} of {} clusters have rows{cause}",
                self.clusters
            )));
        }
    }
}

impl Run {
    /// Whether this run found other clusters than another, with a smaller sum of squares.
    ///
    /// The same clusters under other numbers may differ by rounding.
    fn is_better(&self, other: &Self) -> bool {
        self.inertia < other.inertia && !self.is_same(other)
    }

    fn is_same(&self, other: &Self) -> bool {
        let mut partner = vec![None; self.centres.rows()];
        let mut pairs = self.labels.iter().zip(&other.labels);
        pairs.all(|(&mine, &theirs)| *partner[mine as usize].get_or_insert(theirs) == theirs)
    }
}
