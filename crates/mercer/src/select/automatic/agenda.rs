//! What the phases of a fit take, for those who watch.
//!
//! Seconds are multiplications over [`PER_SECOND`], so that phases compare as the plan compares
//! them; whoever shows the time that is left holds them against a clock.

use super::plan::{PER_SECOND, Plan, judging_work, weighing_work};
use crate::data::{Dataset, Targets};
use crate::fit::{FitContext, Phase};
use crate::learn::AnyEstimator;
use crate::learn::work::{LAST_FITS, exact_work, learning_work, margin_work, per_pair};

/// Fits of a search on the kernel of largest evidence: three values of C on five folds, of which
/// most are given up.
const EVIDENT_FITS: f64 = 10.0;
/// Seconds of a kind of work for every second that its multiplications would take as matrix products,
/// medians over fifteen tables of 500 to 32,000 rows on two cores: solvers of searches read rows of
/// matrices in memory, and folds that score are fits of their own.
const SEARCH_COST: f64 = 2.15;
const EVIDENT_COST: f64 = 6.0;
const SCORE_COST: f64 = 13.5;

/// Part of a fit without settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    /// Kernels by evidence, and the squared loss with the best of them.
    Choose,
    /// Support vector machines on a Gaussian kernel.
    Search,
    /// Support vector machines on the kernel of largest evidence.
    SearchEvident,
    /// Held-out scores of the one that won.
    Score,
    /// Learning from all rows.
    Fit,
}

/// Seconds of every part, in their order.
#[derive(Debug, Clone)]
pub(super) struct Agenda {
    steps: Vec<(Step, f64)>,
    rows: usize,
}

impl Agenda {
    /// Follows a plan.
    pub(super) fn of(plan: &Plan, data: &Dataset, together: bool, chooses: bool) -> Self {
        let columns = data.records.features.points.columns();
        let per_pair = per_pair(&data.targets);
        let m = plan.judged_rows;
        let pairs = (m as f64).powi(2);
        let margin = judging_work(m, columns, per_pair, false);
        let squared = judging_work(m, columns, per_pair, plan.squared) - margin;
        let choosing = weighing_work(plan.weighed_rows, plan.kernels.len()) + squared;
        let searching = if chooses { margin } else { 0.0 };
        let evident = pairs * (columns as f64 + EVIDENT_FITS * per_pair);
        let is_class = matches!(data.targets, Targets::Classes(_));
        // Five folds of the winner: what scores of held-out rows take. Those of numbers are known.
        let scoring = if is_class {
            5.0 * learning_work(m * 4 / 5, columns, per_pair) / LAST_FITS
        } else {
            0.0
        };
        let fitting = if plan.squared {
            exact_work(data.len())
        } else {
            margin_work(data)
        };
        let steps = if together {
            vec![(Step::Search, SEARCH_COST * choosing.max(searching))]
        } else {
            vec![
                (Step::Choose, choosing),
                (Step::Search, SEARCH_COST * searching),
            ]
        };
        let mut steps: Vec<(Step, f64)> = steps;
        steps.extend([
            (Step::SearchEvident, EVIDENT_COST * evident),
            (Step::Score, SCORE_COST * scoring),
            (Step::Fit, fitting),
        ]);
        for (_, work) in &mut steps {
            *work /= PER_SECOND;
        }
        Self {
            steps,
            rows: data.len(),
        }
    }

    /// Begins a part; one that is not on the agenda belongs to the one before it.
    pub(super) fn begin(&self, step: Step, context: &FitContext) -> FitContext {
        let Some(place) = self.steps.iter().position(|(s, _)| *s == step) else {
            return context.clone();
        };
        self.at(place, 0.0, self.steps[place].1, context)
    }

    /// Begins the search on a Gaussian kernel, or repeats it at values of C that are higher still:
    /// fewer points, which take longer.
    pub(super) fn search(&self, repeats: usize, context: &FitContext) -> FitContext {
        let place = self.steps.iter().position(|(s, _)| *s == Step::Search);
        let place = place.expect("every agenda has a search");
        let seconds = self.steps[place].1;
        self.at(place, repeats as f64 * seconds, seconds, context)
    }

    /// Begins the last part, now that it is known what learns.
    pub(super) fn finish(&self, seconds: f64, context: &FitContext) -> FitContext {
        self.at(self.steps.len() - 1, 0.0, seconds, context)
    }

    /// Begins a part that takes so many seconds, after those of the parts before it and some `more`.
    fn at(&self, place: usize, more: f64, seconds: f64, context: &FitContext) -> FitContext {
        let sum = |steps: &[(Step, f64)]| steps.iter().map(|(_, s)| s).sum();
        let name = match self.steps[place].0 {
            Step::Choose => "choosing kernels",
            Step::Search | Step::SearchEvident => "searching",
            Step::Score => "scoring",
            Step::Fit => "fitting",
        };
        context.phase(Phase {
            name: name.to_owned(),
            rows: self.rows,
            before: more + sum(&self.steps[..place]),
            seconds,
            after: sum(&self.steps[place + 1..]),
            share: None,
        })
    }
}

/// Returns about how many seconds a method takes to learn from rows on a typical computer.
pub fn learning_seconds(estimator: &AnyEstimator, data: &Dataset) -> f64 {
    estimator.work(data) / PER_SECOND
}
