//! The evidence around a fitted kernel, over its width and the regularisation.

use mercer_linalg::{Matrix, Par};

use super::climb::Rows;
use super::sample::fair_order;
use super::{Outputs, Ranked};
use crate::data::Dataset;
use crate::fit::FitContext;
use crate::solver::least_squares::{Problem, Reduced};
use crate::{Error, Result};

/// Rows on which the picture is computed: a tridiagonal form for every width.
const ROWS: usize = 400;
/// Steps to either side of the fitted widths, and of γ.
const STEPS: [i32; 2] = [6, 7];
/// Length of a step of the logarithm, in powers of e.
const LENGTHS: [f64; 2] = [0.5, 1.0];

/// Evidence over a grid.
#[derive(Debug, Clone, PartialEq)]
pub struct Landscape {
    /// Factors on all fitted hyperparameters; 1 is where they are.
    pub factors: Vec<f64>,
    /// Values of γ.
    pub ratios: Vec<f64>,
    /// log p(D | factor, γ) less its largest value: a row per factor.
    pub log_evidence: Matrix<f64>,
    /// Rows it was computed on.
    pub rows: usize,
}

/// Computes the evidence around a ranked kernel.
///
/// # Errors
/// Rows that the kernel cannot compare; cancellation and the time limit.
pub fn landscape(best: &Ranked, data: &Dataset, context: &FitContext) -> Result<Landscape> {
    let outputs = Outputs::of(data)?;
    let order = fair_order(data, context.seed);
    let rows = Rows {
        data,
        outputs: &outputs,
        order: &order,
    };
    let part = rows.first(ROWS);
    let hyperparameters = best.kernel.hyperparameters();
    let at: Vec<f64> = hyperparameters
        .iter()
        .map(|d| best.kernel.hyperparameter_value(d))
        .collect();
    let steps = |count: i32, length: f64| -> Vec<f64> {
        (-count..=count)
            .map(|k| (f64::from(k) * length).exp())
            .collect()
    };
    let factors = if hyperparameters.is_empty() {
        vec![1.0]
    } else {
        steps(STEPS[0], LENGTHS[0])
    };
    let ratios: Vec<f64> = steps(STEPS[1], LENGTHS[1])
        .iter()
        .map(|step| step * best.ratio)
        .collect();
    let mut log_evidence = Matrix::zeros(factors.len(), ratios.len());
    for (line, factor) in factors.iter().enumerate() {
        context.check()?;
        let values: Vec<f64> = at.iter().map(|v| v * factor).collect();
        let kernel = best.kernel.turned(&hyperparameters, &values)?;
        let gram = kernel.gram_within(&part.records, Par::Sequential, context)?;
        let problem = Problem {
            gram: gram.as_ref(),
            targets: &part.targets,
            weights: part.weights.as_deref(),
            intercept: true,
        };
        let reduced = Reduced::new(&problem)
            .map_err(|e| Error::rows(e.to_string(), "check the kernel and the rows"))?;
        for (value, ratio) in log_evidence.row_mut(line).iter_mut().zip(&ratios) {
            *value = -reduced.cost(*ratio);
        }
    }
    let top = log_evidence
        .as_slice()
        .iter()
        .fold(f64::NEG_INFINITY, |m, v| m.max(*v));
    for value in log_evidence.as_mut_slice() {
        *value -= top;
    }
    Ok(Landscape {
        factors,
        ratios,
        log_evidence,
        rows: part.records.len(),
    })
}
