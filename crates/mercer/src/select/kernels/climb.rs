//! From several starts on a few rows to one place on all.

use mercer_linalg::{Matrix, Par};

use super::Outputs;
use super::objective::Objective;
use crate::data::{Dataset, Records};
use crate::fit::FitContext;
use crate::kernel::{Hyperparameter, ResolvedKernel};
use crate::solver::least_squares::{RATIO_RANGE, Reduced};
use crate::solver::quasi_newton::{Minimum, Stopping, minimise};
use crate::{Error, Result};

/// Common factors of all hyperparameters from which the climb may start: the data's own guess, and
/// places that suit rougher and smoother functions.
const STARTS: [f64; 5] = [0.0, -2.0, 2.0, -4.0, 4.0];
/// How far a logarithm may move from the data's guess.
const REACH: f64 = 12.0;

/// Rows of a stage, and evaluations it may take: one takes rows³.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stage {
    pub(super) rows: usize,
    pub(super) evaluations: usize,
}

/// How much is spent on fitting and weighing kernels.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Effort {
    /// Rows at most.
    pub(super) rows: usize,
    /// Starts that are followed on the first rows.
    followed: usize,
    /// Stages that every kernel goes through; in the first, every number to be found is an
    /// evaluation more.
    stages: [Stage; 2],
    /// Kernels that are fitted on all rows in the end.
    pub(super) polished: usize,
    /// How level 3 is computed.
    pub(super) precision: Precision,
}

/// How exactly candidates are weighed at their fitted hyperparameters.
#[derive(Debug, Clone, Copy)]
pub(super) struct Precision {
    /// Rows up to which one tridiagonal form is integrated over all ratios.
    pub(super) reduced: usize,
    /// Rows up to which the integral of every kernel is computed from factorisations; with more,
    /// that of kernels which can win.
    pub(super) sampled: Option<usize>,
    /// Rows on which the curvature of so many fitted hyperparameters is measured.
    pub(super) curvature: fn(usize) -> usize,
}

/// Rows on which so many numbers take some billion multiplications: each is an evaluation of
/// rows³.
fn affordable_rows(numbers: usize) -> usize {
    (4e9 / (numbers + 1) as f64).cbrt() as usize
}

impl Effort {
    /// For a ranking that is the result itself.
    pub(super) const THOROUGH: Self = Self {
        rows: 5000,
        followed: 2,
        stages: [
            Stage {
                rows: 256,
                evaluations: 30,
            },
            Stage {
                rows: 640,
                evaluations: 8,
            },
        ],
        polished: 2,
        precision: Precision {
            reduced: 700,
            sampled: Some(2500),
            curvature: affordable_rows,
        },
    };

    /// For numbers that other trials stand beside.
    pub(crate) fn quick(rows: usize) -> Self {
        Self {
            rows,
            followed: 1,
            stages: [
                Stage {
                    rows: 200,
                    evaluations: 12,
                },
                Stage {
                    rows: 400,
                    evaluations: 4,
                },
            ],
            polished: 0,
            precision: Precision {
                reduced: 300,
                sampled: None,
                curvature: |_| 200,
            },
        }
    }

    /// Rows up to which every kernel is fitted on all of them.
    pub(super) fn climbed_rows(&self) -> usize {
        self.stages
            .iter()
            .map(|stage| stage.rows)
            .max()
            .unwrap_or(0)
    }
}

/// The stage on all rows, for the kernels that can still win; it starts next to the top and
/// knows how it curves.
const LAST: Stage = Stage {
    rows: usize::MAX,
    evaluations: 3,
};

/// Rows on which starts are compared: a tridiagonal form each.
const START_ROWS: usize = 128;

/// A kernel with its numbers fitted.
pub(super) struct Climbed {
    pub(super) kernel: ResolvedKernel,
    pub(super) hyperparameters: Vec<Hyperparameter>,
    /// Logarithms of the hyperparameters where the prior has its centre.
    pub(super) centre: Vec<f64>,
    /// Logarithms of the hyperparameters, then of the ratio.
    pub(super) at: Vec<f64>,
    /// Inverse of the second derivatives there, and the rows it was learnt on: it shrinks as
    /// rows are added.
    curvature: Option<(Matrix<f64>, usize)>,
}

/// The rows of a climb in an order of which every beginning is a fair sample.
pub(super) struct Rows<'a> {
    pub(super) data: &'a Dataset,
    pub(super) outputs: &'a Outputs,
    pub(super) order: &'a [usize],
}

/// Some of them.
pub(super) struct Part {
    pub(super) records: Records,
    pub(super) targets: Matrix<f64>,
    pub(super) weights: Option<Vec<f64>>,
}

impl Rows<'_> {
    pub(super) fn first(&self, count: usize) -> Part {
        let mut rows = self.order[..count.min(self.order.len())].to_vec();
        rows.sort_unstable();
        let weights = self.data.weights.as_ref();
        Part {
            records: self.data.records.select(&rows),
            targets: self.outputs.select(&rows),
            weights: weights.map(|w| rows.iter().map(|&r| w[r]).collect()),
        }
    }
}

/// Fits the hyperparameters of a resolved kernel on the rows of the first stages.
///
/// # Errors
/// Rows that the kernel cannot compare, a kernel that is constant on all of them, cancellation
/// and the time limit.
pub(super) fn climb(
    kernel: ResolvedKernel,
    hyperparameters: Vec<Hyperparameter>,
    rows: &Rows<'_>,
    effort: &Effort,
    par: Par,
    context: &FitContext,
) -> Result<Climbed> {
    let centre: Vec<f64> = hyperparameters
        .iter()
        .map(|d| kernel.hyperparameter_value(d).ln())
        .collect();
    let mut climbed = Climbed {
        kernel,
        hyperparameters,
        centre,
        at: Vec::new(),
        curvature: None,
    };
    if climbed.hyperparameters.is_empty() {
        // Only the ratio is open, and one tridiagonal form tells it.
        let part = rows.first(effort.climbed_rows());
        climbed.at = starts(&climbed.objective(&part, par, context), 1)?.remove(0);
        return Ok(climbed);
    }
    let beginning = rows.first(START_ROWS);
    for stage in &effort.stages {
        let part = rows.first(stage.rows);
        let objective = climbed.objective(&part, par, context);
        let mut stage = *stage;
        let places = if climbed.at.is_empty() {
            stage.evaluations += climbed.hyperparameters.len();
            starts(
                &climbed.objective(&beginning, par, context),
                effort.followed,
            )?
        } else {
            vec![climbed.at.clone()]
        };
        let found = best_of(&objective, &places, climbed.curvature.as_ref(), stage);
        climbed.at = found.0;
        climbed.curvature = found.1.map(|inverse| (inverse, part.records.len()));
        context.check()?;
        if stage.rows >= rows.order.len() {
            break;
        }
    }
    Ok(climbed)
}

impl Climbed {
    pub(super) fn objective<'a>(
        &'a self,
        part: &'a Part,
        par: Par,
        context: &'a FitContext,
    ) -> Objective<'a> {
        Objective {
            records: &part.records,
            targets: &part.targets,
            weights: part.weights.as_deref(),
            kernel: &self.kernel,
            hyperparameters: &self.hyperparameters,
            centre: &self.centre,
            par,
            context,
        }
    }

    /// Returns the kernel with its numbers.
    ///
    /// # Errors
    /// None: the climb stays inside the numbers' range.
    pub(super) fn fitted_kernel(&self) -> Result<ResolvedKernel> {
        let values: Vec<f64> = self.at[..self.hyperparameters.len()]
            .iter()
            .map(|t| t.exp())
            .collect();
        self.kernel.turned(&self.hyperparameters, &values)
    }

    /// Returns γ.
    pub(super) fn ratio(&self) -> f64 {
        self.at[self.hyperparameters.len()].exp()
    }

    /// Climbs on over all rows.
    pub(super) fn polish(&mut self, part: &Part, par: Par, context: &FitContext) {
        let objective = self.objective(part, par, context);
        let places = std::slice::from_ref(&self.at);
        let (at, inverse) = best_of(&objective, places, self.curvature.as_ref(), LAST);
        self.at = at;
        self.curvature = inverse.map(|inverse| (inverse, part.records.len()));
    }
}

/// Climbs from every place; returns the highest, or the first where none is defined, and the
/// inverse of the second derivatives there.
fn best_of(
    objective: &Objective<'_>,
    places: &[Vec<f64>],
    curvature: Option<&(Matrix<f64>, usize)>,
    stage: Stage,
) -> (Vec<f64>, Option<Matrix<f64>>) {
    let bounds = bounds(objective.centre, places[0][objective.hyperparameters.len()]);
    let stopping = Stopping {
        evaluations: stage.evaluations,
        slope: 1e-2,
        decrease: 1e-2,
        first_step: 0.5,
    };
    let inverse = curvature.map(|(inverse, rows)| {
        let shrink = *rows as f64 / objective.records.len() as f64;
        Matrix::from_fn(inverse.rows(), inverse.columns(), |i, j| {
            shrink * inverse[(i, j)]
        })
    });
    let climb = |start: &Vec<f64>| {
        minimise(
            |at| objective.value_and_slopes(at),
            start,
            inverse.clone(),
            &bounds,
            stopping,
        )
    };
    let reached = places.iter().filter_map(climb);
    let best = reached.min_by(|a: &Minimum, b| a.value.total_cmp(&b.value));
    match best {
        Some(best) => (best.at, best.inverse),
        None => (places[0].clone(), None),
    }
}

/// The best of the common factors, each with the ratio that suits it.
fn starts(objective: &Objective<'_>, followed: usize) -> Result<Vec<Vec<f64>>> {
    let factors = if objective.hyperparameters.is_empty() {
        &STARTS[..1]
    } else {
        &STARTS[..]
    };
    let mut found: Vec<(f64, Vec<f64>)> = Vec::new();
    for factor in factors {
        let mut at: Vec<f64> = objective.centre.iter().map(|c| c + factor).collect();
        at.push(0.0);
        let kernel = objective.kernel_at(&at)?;
        let gram = kernel.gram_within(objective.records, objective.par, objective.context)?;
        let Ok(reduced) = Reduced::new(&objective.problem(&gram)) else {
            continue;
        };
        let Some(ratio) = reduced.best_ratio() else {
            continue;
        };
        at[objective.hyperparameters.len()] = ratio.ln();
        found.push((reduced.cost(ratio) + objective.penalty(&at), at));
    }
    found.sort_by(|a, b| a.0.total_cmp(&b.0));
    found.truncate(followed);
    if found.is_empty() {
        return Err(Error::Kernel {
            kernel: objective.kernel.to_string(),
            problem: "it is the same for all pairs of rows".to_owned(),
            cure: "choose another kernel, or columns that vary".into(),
        });
    }
    Ok(found.into_iter().map(|(_, at)| at).collect())
}

/// Hyperparameters keep within e^±12 of the data's guess, the ratio within its range.
fn bounds(centre: &[f64], log_ratio: f64) -> Vec<(f64, f64)> {
    let width = (RATIO_RANGE.1 / RATIO_RANGE.0).ln() / 2.0;
    let hyperparameters = centre.iter().map(|c| (c - REACH, c + REACH));
    hyperparameters
        .chain([(log_ratio - width, log_ratio + width)])
        .collect()
}
