//! What a search found.

use super::Axis;
use crate::Result;
use crate::data::Dataset;
use crate::fit::{FitContext, Fitted, Note, StopReason};
use crate::judge::Metric;
use crate::learn::AnyEstimator;
use crate::model::Form;

/// How far a point was scored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// On every fold.
    Complete,
    /// Given up after some folds: it could not win any more.
    Dropped,
    /// Given up on a fold that took more than its share of the work.
    Cut,
    /// Not on every fold when the time was up.
    NotRun,
}

impl Status {
    /// Returns the status as tables write it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Complete => "complete",
            Self::Dropped => "dropped",
            Self::Cut => "cut",
            Self::NotRun => "not_run",
        }
    }
}

/// One point of the grid with its scores.
#[derive(Debug, Clone, PartialEq)]
pub struct Point {
    /// A value for each axis.
    pub values: Vec<f64>,
    /// Mean score over the folds that were run; NaN without any.
    pub mean: f64,
    /// Standard error of the mean; NaN with fewer than two folds.
    pub standard_error: f64,
    /// The score of each fold; NaN where it was not run or has no value. Empty for leave-one-out, whose
    /// predictions are scored together.
    pub folds: Vec<f64>,
    /// How far the point was scored.
    pub status: Status,
    /// 0 for the first grid, then the round of refinement.
    pub round: usize,
}

/// The outcome of a search.
#[derive(Debug, Clone)]
pub struct Tuned {
    /// The axes, with the values of all rounds.
    pub axes: Vec<Axis>,
    /// The metric that decided.
    pub metric: Metric,
    /// Every point, in the order of the grid; refinements follow.
    pub points: Vec<Point>,
    /// The number of the best point.
    pub best: usize,
    /// The estimator at the best point.
    pub estimator: AnyEstimator,
    /// Number of folds; the number of rows for leave-one-out.
    pub folds: usize,
    /// The loss of every row at the best point when its fold was held out, where the metric is
    /// a mean of losses; NaN for rows that were not evaluated.
    pub losses: Option<Vec<f32>>,
    /// Whether the time limit cut the search short.
    pub stop_reason: StopReason,
    /// Seconds the search took.
    pub seconds: f64,
    /// Choices made and reasons for care.
    pub notes: Vec<Note>,
}

impl Tuned {
    /// Returns the best point.
    pub fn best_point(&self) -> &Point {
        &self.points[self.best]
    }

    /// Returns the numbers of all points that were scored, best first: complete ones by their
    /// mean, then the others.
    pub fn ranking(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.points.len())
            .filter(|&k| !self.points[k].mean.is_nan())
            .collect();
        let rank = |k: usize| {
            let point = &self.points[k];
            let group = u8::from(point.status != Status::Complete);
            (
                u8::from(k != self.best),
                group,
                -self.metric.utility(point.mean),
            )
        };
        order.sort_by(|&a, &b| {
            let ((x, s, u), (y, t, v)) = (rank(a), rank(b));
            x.cmp(&y).then(s.cmp(&t)).then(u.total_cmp(&v))
        });
        order
    }

    /// Learns from all rows at the best point.
    ///
    /// # Errors
    /// As the estimator's own fit.
    pub fn refit(&self, data: &Dataset, context: &FitContext) -> Result<Fitted<Form>> {
        self.estimator.fit(data, context, None)
    }
}
