//! Principal axes: the directions of largest variance.
//!
//! With X the rows around their mean (see [`super::design`]), axes are the eigenvectors c of XᵀX, and the spread along each is
//! λ = Σ w ⟨c, x − m⟩². Few columns go by XᵀX, few rows by XXᵀ, whose eigenvectors u give c = Xᵀu/√λ; where
//! an eigenvalue that matters is so small that squares have lost it, by the singular values of X; and a few axes of
//! many rows and columns by products with blocks of columns ([`crate::solver::subspace`]).

use mercer_linalg::{Matrix, Op, Par, RightSvd, SymmetricEigen, add_square, gemm};
use serde::{Deserialize, Serialize};

use super::design::{Design, Rows, mirror};
use crate::fit::{FitContext, StopReason};
use crate::solver::subspace::{Leading, Operator, Wanted, leading};
use crate::{Error, Result};

/// How axes are found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AxesSolver {
    /// By whichever takes less work.
    #[default]
    Auto,
    /// All of them at once.
    Exact,
    /// The first ones, by products with random columns and what follows from them.
    Randomised,
}

/// The first axes.
pub(super) struct Axes {
    /// λ, in descending order and in the units of X.
    pub(super) values: Vec<f64>,
    /// One axis per row.
    pub(super) vectors: Matrix<f64>,
    /// Σλ over all axes.
    pub(super) total: f64,
    /// Largest residual ‖XᵀX c − λ c‖, relative to the largest λ.
    pub(super) residual: f64,
    /// Products with blocks of columns; 0 where all axes were found at once.
    pub(super) iterations: u64,
    /// Why the search ended.
    pub(super) stop_reason: StopReason,
}

/// Share of the largest eigenvalue below which XᵀX has lost digits of an eigenvalue, and below which it is rounding.
const LOST: f64 = 1e-9;
const ROUNDING: f64 = 1e-14;
/// Products with blocks of columns that are tried at all.
const MOST: u64 = 500;

/// Finds the first axes of rows; `count` is at most the smaller side of X.
pub(super) fn axes(
    rows: &mut Rows,
    count: usize,
    solver: AxesSolver,
    context: &FitContext,
) -> Result<Axes> {
    let (n, d) = (rows.len(), rows.columns());
    let by_blocks = match solver {
        AxesSolver::Auto => block_work(n, d, count) < exact_work(n, d),
        AxesSolver::Exact => false,
        AxesSolver::Randomised => true,
    };
    let mut axes = if by_blocks {
        let most = match solver {
            // Spectra without gaps would take longer than all axes at once.
            AxesSolver::Auto => MOST.min(1 + (exact_work(n, d) / product_work(n, d, count)) as u64),
            _ => MOST,
        };
        rows.settle(context);
        let found = by_products(rows, count, most, context)?;
        let is_late = found.stop_reason == StopReason::IterationLimit;
        if is_late && solver == AxesSolver::Auto {
            at_once(rows, count, context)?
        } else {
            found
        }
    } else {
        at_once(rows, count, context)?
    };
    for row in 0..axes.vectors.rows() {
        turn_up(axes.vectors.row_mut(row));
    }
    Ok(axes)
}

/// Multiplications of a matrix of products and its eigenvectors.
pub(super) fn exact_work(rows: usize, columns: usize) -> f64 {
    let (n, d) = (rows as f64, columns as f64);
    let small = n.min(d);
    0.5 * n * d * small + 12.0 * small.powi(3)
}

/// Multiplications of the products that a few axes take, some six of them.
fn block_work(rows: usize, columns: usize, count: usize) -> f64 {
    6.0 * product_work(rows, columns, count)
}

/// Multiplications of a product of XᵀX or XXᵀ with a block of columns.
fn product_work(rows: usize, columns: usize, count: usize) -> f64 {
    /// What a multiplication in a product with few columns costs beside one in a large product.
    const NARROW: f64 = 2.0;
    NARROW * 2.0 * rows as f64 * columns as f64 * (count as f64 + 10.0)
}

/// Changes signs so that the entry of largest magnitude is positive.
pub(super) fn turn_up(axis: &mut [f64]) {
    let largest = axis.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
    let first = axis.iter().find(|v| v.abs() == largest).copied();
    if first.is_some_and(|v| v < 0.0) {
        axis.iter_mut().for_each(|v| *v = -*v);
    }
}

fn not_finite() -> Error {
    Error::rows(
        "products of the rows are beyond what numbers can hold",
        "scale the columns",
    )
}

/// All axes at once.
fn at_once(rows: &mut Rows, count: usize, context: &FitContext) -> Result<Axes> {
    let (n, d) = (rows.len(), rows.columns());
    let is_narrow = d <= n;
    let x = if is_narrow {
        None
    } else {
        rows.settle(context);
        Some(rows.dense(context))
    };
    let square = match &x {
        None => rows.covariance(context)?,
        Some(x) => {
            let mut square = Matrix::zeros(n, n);
            add_square(x.as_ref(), Op::None, square.as_mut(), context.par());
            mirror(&mut square);
            square
        }
    };
    context.check()?;
    let eigen = SymmetricEigen::new(square.as_ref()).map_err(|_| not_finite())?;
    let size = eigen.values.len();
    let largest = eigen.values.last().copied().unwrap_or(0.0).max(0.0);
    let values: Vec<f64> = (0..count).map(|k| eigen.values[size - 1 - k]).collect();
    let is_lost = |v: &f64| *v < LOST * largest && *v > ROUNDING * largest * size as f64;
    if values.iter().any(is_lost) {
        let whole = x.unwrap_or_else(|| rows.dense(context));
        return by_singular_values(rows, &whole, count);
    }
    let values: Vec<f64> = values
        .into_iter()
        .map(|v| {
            if v > ROUNDING * largest * size as f64 {
                v
            } else {
                0.0
            }
        })
        .collect();
    let sides = Matrix::from_fn(count, size, |k, i| eigen.vectors[(i, size - 1 - k)]);
    let (vectors, residual) = match &x {
        None => {
            let residual = residual(&square, &sides, &values, largest, context.par());
            (sides, residual)
        }
        Some(x) => {
            let residual = residual(&square, &sides, &values, largest, context.par());
            let mut vectors = Matrix::zeros(count, d);
            let (a, b) = (sides.as_ref(), x.as_ref());
            gemm(
                1.0,
                a,
                Op::None,
                b,
                Op::None,
                0.0,
                vectors.as_mut(),
                context.par(),
            );
            (completed(vectors, &values), residual)
        }
    };
    Ok(Axes {
        values,
        vectors,
        total: rows.squares,
        residual,
        iterations: 0,
        stop_reason: StopReason::Converged,
    })
}

/// Largest ‖A v − λ v‖ relative to the largest eigenvalue.
fn residual(
    square: &Matrix<f64>,
    vectors: &Matrix<f64>,
    values: &[f64],
    largest: f64,
    par: Par,
) -> f64 {
    if largest <= 0.0 {
        return 0.0;
    }
    let mut images = Matrix::zeros(vectors.rows(), square.columns());
    let (a, b) = (vectors.as_ref(), square.as_ref());
    gemm(1.0, a, Op::None, b, Op::None, 0.0, images.as_mut(), par);
    let of = |k: usize| {
        let pairs = images.row(k).iter().zip(vectors.row(k));
        let sum: f64 = pairs.map(|(a, v)| (a - values[k] * v).powi(2)).sum();
        sum.sqrt() / largest
    };
    (0..values.len()).map(of).fold(0.0, f64::max)
}

/// Rows to length 1; those of no spread become directions orthogonal to all others.
fn completed(mut vectors: Matrix<f64>, values: &[f64]) -> Matrix<f64> {
    let width = vectors.columns();
    for k in 0..vectors.rows() {
        if values[k] > 0.0 {
            let norm = vectors.row(k).iter().map(|v| v * v).sum::<f64>().sqrt();
            vectors.row_mut(k).iter_mut().for_each(|v| *v /= norm);
            continue;
        }
        // A unit vector less its parts along the rows before; one of the first k + 1 is not among them.
        let mut best: (f64, Vec<f64>) = (0.0, vec![0.0; width]);
        for j in 0..width.min(4 * (k + 1)) {
            let mut line = vec![0.0; width];
            line[j] = 1.0;
            for _ in 0..2 {
                for before in 0..k {
                    let other = vectors.row(before);
                    let dot: f64 = other.iter().zip(&line).map(|(a, b)| a * b).sum();
                    for (v, other) in line.iter_mut().zip(other) {
                        *v -= dot * other;
                    }
                }
            }
            let norm = line.iter().map(|v| v * v).sum::<f64>().sqrt();
            if norm > best.0 {
                best = (norm, line);
            }
            if norm > 0.5 {
                break;
            }
        }
        let (norm, line) = best;
        for (out, v) in vectors.row_mut(k).iter_mut().zip(line) {
            *out = if norm > 0.0 { v / norm } else { 0.0 };
        }
    }
    vectors
}

/// By the singular values of X, which keep digits that squares lose.
fn by_singular_values(rows: &Rows, x: &Matrix<f64>, count: usize) -> Result<Axes> {
    let svd = RightSvd::new(x.as_ref()).map_err(|_| not_finite())?;
    Ok(Axes {
        values: svd.values[..count].iter().map(|s| s * s).collect(),
        vectors: Matrix::from_fn(count, x.columns(), |k, j| svd.vectors[(k, j)]),
        total: rows.squares,
        residual: f64::EPSILON,
        iterations: 0,
        stop_reason: StopReason::Converged,
    })
}

/// XᵀX or XXᵀ, whichever is smaller.
struct Squared<'a> {
    design: &'a Design,
    /// Whether it is XᵀX.
    of_columns: bool,
    context: &'a FitContext,
}

impl Operator for Squared<'_> {
    fn len(&self) -> usize {
        if self.of_columns {
            self.design.columns()
        } else {
            self.design.rows()
        }
    }

    fn multiply(&self, columns: &Matrix<f64>) -> Result<Matrix<f64>> {
        self.context.check()?;
        let par = self.context.par();
        if self.of_columns {
            let image = self.design.times(columns, par);
            self.context.check()?;
            Ok(self.design.transposed_times(&image, par))
        } else {
            let image = self.design.transposed_times(columns, par);
            self.context.check()?;
            Ok(self.design.times(&image, par))
        }
    }
}

/// The first axes by products with blocks of columns.
fn by_products(rows: &Rows, count: usize, most: u64, context: &FitContext) -> Result<Axes> {
    /// Residuals, relative to the largest variance; variances are off by their squares over the gaps.
    const TOLERANCE: f64 = 1e-7;
    let design = rows.design(context);
    let of_columns = rows.columns() <= rows.len();
    let operator = Squared {
        design: &design,
        of_columns,
        context,
    };
    let wanted = Wanted {
        count,
        tolerance: TOLERANCE,
        max_products: most,
    };
    let Leading {
        values,
        vectors,
        residual,
        products,
        stop_reason,
        ..
    } = leading(&operator, wanted, context)?;
    let largest = values.first().copied().unwrap_or(0.0);
    let floor = ROUNDING * largest * operator.len() as f64;
    let values: Vec<f64> = values
        .into_iter()
        .map(|v| if v > floor { v } else { 0.0 })
        .collect();
    let vectors = if of_columns {
        vectors.transposed()
    } else {
        let turned = design.transposed_times(&vectors, context.par());
        completed(turned.transposed(), &values)
    };
    Ok(Axes {
        values,
        vectors,
        total: rows.squares,
        residual,
        iterations: products,
        stop_reason,
    })
}
