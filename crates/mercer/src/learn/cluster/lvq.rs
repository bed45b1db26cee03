//! Learning vector quantisation: parameters and training.

use mercer_linalg::Matrix;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use serde::{Deserialize, Serialize};

use super::KMeans;
use super::centres::as_rows;
use crate::data::random::shuffle;
use crate::data::{Block, Dataset};
use crate::fit::{FitContext, FitReport, Fitted, Note, Progress, SolverReport, StopReason};
use crate::kernel::KernelSpec;
use crate::learn::canonical::Canonical;
use crate::learn::{Estimator, Settings};
use crate::model::Prototypes;
use crate::solver::kmeans::{nearest, power_of_two};
pub use crate::solver::lvq::LvqVariant;
use crate::solver::lvq::{LvqRule, visit};
use crate::{Error, Result};

/// Visits between two looks at the clock.
const RUN: usize = 256;

/// Learning vector quantisation: a few prototypes for every class; a row is of the class of the nearest.
///
/// Prototypes start at the centres of k-means inside each class. Rows come one after another in random order: LVQ1 pulls
/// the nearest prototype to a row of its class and pushes it away from others; LVQ2.1 moves the two nearest ones
/// where a row lies between a right and a wrong one; LVQ3 also settles two that are right. The rate falls from `rate` to 0.
///
/// Use it where a few typical rows of every class are to be looked at, or predictions must be quick, on columns of one
/// scale. A pass takes n·m·d multiplications for m prototypes. There is no objective that all steps lower; reported is the share of
/// training rows that the prototypes get wrong.
///
/// Weights mean copies: a row of weight w counts as w visits in a row.
///
/// # References
/// Kohonen, Self-Organizing Maps, 2001, chapter 6.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, mercer_derive::Settings)]
pub struct Lvq {
    /// Prototypes of every class.
    #[setting(
        count,
        python = "prototypes_per_class",
        search(smaller, Log(1.0, 16.0, 5))
    )]
    pub prototypes: usize,
    /// Which prototypes a row moves.
    #[serde(default)]
    #[setting(words("lvq1", "lvq2.1", "lvq3"))]
    pub variant: LvqVariant,
    /// Passes over the rows.
    #[setting(count)]
    pub epochs: u64,
    /// First rate of steps, which falls to 0.
    #[setting(share, python = "learning_rate")]
    pub rate: f64,
    /// Relative width of the window between two prototypes in which LVQ2.1 and LVQ3 move them.
    #[setting(share)]
    pub window: f64,
    /// Share of a step by which LVQ3 moves two prototypes that are both right.
    #[setting(share)]
    pub both_right: f64,
}

impl Default for Lvq {
    fn default() -> Self {
        Self {
            prototypes: 4,
            variant: LvqVariant::One,
            epochs: 30,
            rate: 0.1,
            window: 0.3,
            both_right: 0.2,
        }
    }
}

impl Estimator for Lvq {
    type Model = Prototypes;

    fn fit(&self, data: &Dataset, context: &FitContext) -> Result<Fitted<Prototypes>> {
        let mut errors = Vec::new();
        self.check(&mut errors);
        Error::collect(errors)?;
        let context = context.restarted();
        context.install(|| self.fit_installed(data, &context))?
    }
}

/// Where training got to.
struct Course {
    prototypes: Matrix<f64>,
    epochs: u64,
    stop_reason: StopReason,
}

impl Lvq {
    fn fit_installed(&self, data: &Dataset, context: &FitContext) -> Result<Fitted<Prototypes>> {
        let plain: KernelSpec = "linear".parse()?;
        let rows = Canonical::try_new(data, &plain)?;
        let labels = rows.classes()?.labels.clone();
        if rows.records.features.points.columns() == 0 {
            return Err(Error::rows(
                "the rows have no numeric columns to measure distances by",
                "encode at least one column as numbers",
            ));
        }
        let mut notes = Vec::new();
        let (start, classes) = self.start(&rows, &mut notes, context)?;
        let course = self.train(&rows, start, &classes, context)?;
        if course.stop_reason != StopReason::Converged {
            notes.push(Note::Alert(format!(
                "the time limit came after {} of {} passes",
                course.epochs, self.epochs
            )));
        }
        let wrong = training_error(&rows, &course.prototypes, &classes, context)?;
        let kept = as_rows(course.prototypes, &data.records);
        let report = FitReport {
            stop_reason: course.stop_reason,
            distinct_rows: rows.len(),
            solver: Some(SolverReport::of_objective(wrong, course.epochs)),
            ..FitReport::of_rows(data.len(), notes, context)
        };
        Ok(Fitted {
            model: Prototypes::of_classes(kept, classes, &labels),
            report,
        })
    }

    /// The centres of k-means inside each class, with its code.
    fn start(
        &self,
        rows: &Canonical,
        notes: &mut Vec<Note>,
        context: &FitContext,
    ) -> Result<(Matrix<f64>, Vec<u32>)> {
        let columns = rows.records.features.points.columns();
        let mut all = Matrix::zeros(0, columns);
        let mut classes = Vec::new();
        let mut copies = Vec::new();
        let mut fewer = 0;
        for (class, span) in rows.spans.iter().enumerate() {
            let count = self.prototypes.min(span.len());
            fewer += usize::from(count < self.prototypes);
            let part = rows.records.slice(span.clone());
            let weights = &rows.weights[span.clone()];
            let method = KMeans::default().clusters(count);
            let found = method.solve(&part, Some(weights), None, context)?;
            all.append_rows(&found.centres);
            let mut own = vec![0.0; count];
            for (label, weight) in found.labels.iter().zip(weights) {
                own[*label as usize] += weight;
            }
            copies.extend(own);
            classes.extend(std::iter::repeat_n(class as u32, count));
        }
        if fewer > 0 {
            let (noun, verb) = if fewer == 1 {
                ("class", "has")
            } else {
                ("classes", "have")
            };
            notes.push(Note::Choice(format!(
                "{fewer} {noun} {verb} fewer than {} distinct rows, and as many prototypes",
                self.prototypes
            )));
        }
        Ok(apart(&all, &classes, &copies, notes))
    }

    fn train(
        &self,
        rows: &Canonical,
        start: Matrix<f64>,
        classes: &[u32],
        context: &FitContext,
    ) -> Result<Course> {
        let targets = rows.classes()?;
        let points = rows.records.features.points.widened();
        let scale = power_of_two(points.largest());
        let mut prototypes = start;
        for value in prototypes.as_mut_slice() {
            *value *= scale;
        }
        let rule = LvqRule {
            variant: self.variant,
            window: self.window,
            both_right: self.both_right,
        };
        let mut rng = ChaCha8Rng::seed_from_u64(context.seed);
        let mut order: Vec<u32> = (0..rows.len() as u32).collect();
        let visits = (self.epochs as f64 * order.len() as f64).max(1.0);
        let mut done = 0.0;
        let mut row = vec![0.0; prototypes.columns()];
        let mut epochs = 0;
        let mut stop_reason = StopReason::Converged;
        'passes: for epoch in 0..self.epochs {
            shuffle(&mut rng, &mut order);
            for run in order.chunks(RUN) {
                match context.check() {
                    Err(Error::OutOfTime) => {
                        stop_reason = StopReason::TimeLimit;
                        break 'passes;
                    }
                    other => other?,
                }
                for &at in run {
                    let at = at as usize;
                    scaled_row(&points, at, scale, &mut row);
                    let rate = self.rate * (1.0 - done / visits);
                    let step = (rate, rows.weights[at]);
                    visit(
                        &mut prototypes,
                        classes,
                        &row,
                        targets.codes[at],
                        step,
                        rule,
                    );
                    done += 1.0;
                }
            }
            epochs = epoch + 1;
            context.tell(|| Progress {
                stage: "prototypes".to_owned(),
                share: Some(epochs as f64 / self.epochs as f64),
                iterations: epochs,
                violation: None,
                phase: None,
            });
        }
        for value in prototypes.as_mut_slice() {
            *value /= scale;
        }
        Ok(Course {
            prototypes,
            epochs,
            stop_reason,
        })
    }
}

/// Leaves out prototypes that lie on one of another class with more rows: neither could move the other, and the
/// first of them would name the class. Every class keeps one.
fn apart(
    all: &Matrix<f64>,
    classes: &[u32],
    copies: &[f64],
    notes: &mut Vec<Note>,
) -> (Matrix<f64>, Vec<u32>) {
    let mut kept: Vec<usize> = (0..classes.len()).collect();
    for place in 0..classes.len() {
        let stronger = |&other: &usize| {
            classes[other] != classes[place]
                && all.row(other) == all.row(place)
                && (copies[other], place) > (copies[place], other)
        };
        let own = kept
            .iter()
            .filter(|&&p| classes[p] == classes[place])
            .count();
        if own > 1 && kept.iter().any(stronger) {
            kept.retain(|&other| other != place);
        }
    }
    let lost = classes.len() - kept.len();
    if lost > 0 {
        notes.push(Note::Alert(format!(
            "{lost} of {} prototypes lay on one of another class with more rows, and were left out: equal rows are of different classes",
            classes.len()
        )));
    }
    let codes = kept.iter().map(|&place| classes[place]).collect();
    (all.select_rows(&kept), codes)
}

fn scaled_row(points: &Block<f64>, at: usize, scale: f64, out: &mut [f64]) {
    match points {
        Block::Dense(rows) => {
            for (out, value) in out.iter_mut().zip(rows.row(at)) {
                *out = value * scale;
            }
        }
        Block::Sparse(rows) => {
            out.fill(0.0);
            let (indices, values) = rows.row(at);
            for (&j, value) in indices.iter().zip(values) {
                out[j as usize] = value * scale;
            }
        }
    }
}

/// Share of the training rows whose nearest prototype is of another class.
fn training_error(
    rows: &Canonical,
    prototypes: &Matrix<f64>,
    classes: &[u32],
    context: &FitContext,
) -> Result<f64> {
    let targets = rows.classes()?;
    let (places, _) = nearest(prototypes, &rows.records, context.par(), &context.cancel)?;
    let (mut wrong, mut all) = (0.0, 0.0);
    for (row, place) in places.into_iter().enumerate() {
        all += rows.weights[row];
        if classes[place as usize] != targets.codes[row] {
            wrong += rows.weights[row];
        }
    }
    Ok(wrong / all)
}
