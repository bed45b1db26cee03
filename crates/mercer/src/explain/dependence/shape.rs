//! The own part of a column in a function that is a sum over columns, and how sure it is.
//!
//! Where k = k_j + k_rest and k_j alone reads column j, f_j(x) = Σ c_i k_j(x_ij, x) is the column's part of f. Its
//! level is shared with the constant and the other parts, so that what is told is
//!
//! ```text
//! h(x) = f_j(x) − mean_r f_j(x_r) = cᵀθ(x),   θ(x) = k_j(·, x) − mean_r k_j(·, x_r),
//! ```
//!
//! which has mean 0 over the rows and differs from the partial dependence by a constant. Under the posterior of
//! [`crate::model::expansion::Certainty`], A = K + D/γ, with a free constant
//!
//! ```text
//! μ Var h(x) = ‖φ_j(x) − mean_r φ_j(x_r)‖² − θᵀA⁻¹θ + (1ᵀA⁻¹θ)²/(1ᵀA⁻¹1).
//! ```
//!
//! A linear function has h(x) = ⟨w_j, x_j − mean_r x_rj⟩ with the covariance of its weights.

use mercer_linalg::{Matrix, Precision, Rows, dot};
use serde::{Deserialize, Serialize};

use super::additive::part_of;
use super::options::DependenceOptions;
use super::varied::Prepared;
use crate::Result;
use crate::data::Records;
use crate::explain::hide::dense;
use crate::explain::shuffle::runs;
use crate::fit::FitContext;
use crate::kernel::{BoundKernel, ResolvedKernel, TileMut};
use crate::model::LinearModel;
use crate::model::expansion::{KernelExpansion, around};
use crate::model::readout::Readout;
use crate::special::normal_quantile;

/// Rows whose mean is taken out, at most: their kernel matrix is added up.
const CENTRE_ROWS: usize = 1000;
/// Rows that are compared at a time.
const BLOCK: usize = 256;

/// The own part of a column, with mean 0 over the rows.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Shape {
    /// Its values, in the order of the grid.
    pub values: Vec<f64>,
    /// Its standard deviations under the posterior, where the model has one.
    pub deviations: Option<Vec<f64>>,
    /// How far the band of the level reaches to both sides.
    pub half_widths: Option<Vec<f64>>,
    /// How probable it is that the band holds the shape at a place.
    pub level: f64,
}

/// The shape of the one varied column, where the function is a sum in which it has a part of its own.
pub(super) fn of(
    prepared: &Prepared<'_>,
    options: &DependenceOptions,
    context: &FitContext,
) -> Result<Option<Shape>> {
    let form = &prepared.trained.form;
    if form.width() != 1 {
        return Ok(None);
    }
    let varied = &prepared.varied[0];
    let rows = prepared.chosen.len();
    let some = rows.min(CENTRE_ROWS);
    let centre: Vec<usize> = (0..some).map(|k| k * rows / some).collect();
    let parts = Parts {
        column: &varied.column,
        grid: prepared.records.select(&varied.from),
        centre: prepared.records.select(&centre),
        // The one decision of two classes is for the first; the second one is told.
        sign: match form.readout() {
            Readout::Classes(_) => -1.0,
            _ => 1.0,
        },
        level: options.level,
    };
    if let Some(model) = form.linear() {
        return Ok(linear(model, &parts));
    }
    match form.expansion() {
        Some(model) => expansion(model, prepared, &parts, options, context),
        None => Ok(None),
    }
}

/// What a shape is made of.
struct Parts<'a> {
    column: &'a str,
    grid: Records,
    centre: Records,
    sign: f64,
    level: f64,
}

impl Parts<'_> {
    /// A shape with a band of so many standard deviations.
    fn shape(&self, values: Vec<f64>, variances: Option<Vec<f64>>, reach: f64) -> Shape {
        // Rounding may leave a variance of nothing a little below 0.
        let deviations: Option<Vec<f64>> = variances
            .map(|all| all.into_iter().map(|v| v.max(0.0).sqrt()).collect())
            .filter(|all: &Vec<f64>| all.iter().all(|v| v.is_finite()));
        let half_widths = deviations
            .as_ref()
            .map(|all| all.iter().map(|deviation| reach * deviation).collect());
        Shape {
            values: values.into_iter().map(|v| self.sign * v).collect(),
            deviations,
            half_widths,
            level: self.level,
        }
    }
}

fn linear(model: &LinearModel, parts: &Parts<'_>) -> Option<Shape> {
    let features: Vec<usize> = runs(&parts.grid, parts.column)
        .into_iter()
        .flatten()
        .collect();
    if features.is_empty() {
        return None;
    }
    let [grid, centre] = [&parts.grid, &parts.centre].map(|r| dense(&r.features.points));
    let share = 1.0 / centre.rows() as f64;
    let means: Vec<f64> = features
        .iter()
        .map(|&j| share * (0..centre.rows()).map(|row| centre[(row, j)]).sum::<f64>())
        .collect();
    let away = Matrix::from_fn(grid.rows(), features.len(), |g, k| {
        grid[(g, features[k])] - means[k]
    });
    let weights: Vec<f64> = features.iter().map(|&j| model.weights[(0, j)]).collect();
    let values = (0..grid.rows()).map(|g| dot(&weights, away.row(g)));
    let variances = model.spread.as_ref().map(|spread| {
        let variance = |g: usize| {
            let own = away.row(g);
            let products = features.iter().zip(own).map(|(&i, a)| {
                let line = features.iter().zip(own);
                a * line
                    .map(|(&j, b)| spread.covariance[(i, j)] * b)
                    .sum::<f64>()
            });
            spread.noise[0] * products.sum::<f64>()
        };
        (0..grid.rows()).map(variance).collect()
    });
    let reach = model
        .spread
        .as_ref()
        .map_or(0.0, |s| s.deviations(parts.level));
    Some(parts.shape(values.collect(), variances, reach))
}

fn expansion(
    model: &KernelExpansion,
    prepared: &Prepared<'_>,
    parts: &Parts<'_>,
    options: &DependenceOptions,
    context: &FitContext,
) -> Result<Option<Shape>> {
    if model.slopes.is_some() {
        return Ok(None);
    }
    let encoder = &prepared.trained.encoder;
    let Some(part) = part_of(model.kernel.spec(), encoder, parts.column) else {
        return Ok(None);
    };
    let kernel = ResolvedKernel::try_new(part)?;
    let seen = |records: &Records| match &model.origin {
        Some(origin) => around(records, origin),
        None => records.clone(),
    };
    let (grid, centre) = (seen(&parts.grid), seen(&parts.centre));
    let bound = kernel.bind(&seen(&model.support))?;
    let mut theta = compared(&*bound, &grid, context)?;
    take_out(&mut theta, &mean_row(&*bound, &centre, context)?);
    let coefficients = model.coefficients.row(0);
    let values = (0..theta.rows()).map(|g| dot(coefficients, theta.row(g)));
    let values: Vec<f64> = values.collect();
    let variances = if model.support.len() <= options.band_rows {
        match model.certainty(context.par())? {
            Some(certainty) => {
                let before = spread_before(&kernel, &grid, &centre, context)?;
                Some(certainty.contrasts(&theta, before, context.par()))
            }
            None => None,
        }
    } else {
        None
    };
    let reach = normal_quantile(0.5 + 0.5 * parts.level);
    Ok(Some(parts.shape(values, variances, reach)))
}

/// ‖φ(x) − mean_r φ(x_r)‖² of every row of the grid.
fn spread_before(
    kernel: &ResolvedKernel,
    grid: &Records,
    centre: &Records,
    context: &FitContext,
) -> Result<Vec<f64>> {
    let bound = kernel.bind(centre)?;
    let mean = |row: &[f64]| row.iter().sum::<f64>() / row.len() as f64;
    let within = mean(&mean_row(&*bound, centre, context)?);
    let across = compared(&*bound, grid, context)?;
    let mut own = vec![0.0; grid.len()];
    bound.query(grid)?.diagonal(Precision::F64, &mut own);
    let each = own.iter().enumerate();
    let each = each.map(|(g, own)| own - 2.0 * mean(across.row(g)) + within);
    Ok(each.collect())
}

/// k(x, ·) of rows, one line each.
fn compared(bound: &dyn BoundKernel, rows: &Records, context: &FitContext) -> Result<Matrix<f64>> {
    let mut values = Matrix::zeros(rows.len(), bound.len());
    let query = bound.query(rows)?;
    query.tile(
        Rows::Range(0..rows.len()),
        Rows::Range(0..bound.len()),
        TileMut::F64(values.as_mut()),
        context.par(),
    );
    Ok(values)
}

/// The mean of k(x, ·) over rows, in blocks.
fn mean_row(bound: &dyn BoundKernel, rows: &Records, context: &FitContext) -> Result<Vec<f64>> {
    let mut mean = vec![0.0; bound.len()];
    let share = 1.0 / rows.len() as f64;
    for start in (0..rows.len()).step_by(BLOCK) {
        context.check()?;
        let part = rows.slice(start..(start + BLOCK).min(rows.len()));
        let values = compared(bound, &part, context)?;
        for row in 0..values.rows() {
            mercer_linalg::axpy(share, values.row(row), &mut mean);
        }
    }
    Ok(mean)
}

fn take_out(values: &mut Matrix<f64>, mean: &[f64]) {
    for row in 0..values.rows() {
        mercer_linalg::axpy(-1.0, mean, values.row_mut(row));
    }
}
