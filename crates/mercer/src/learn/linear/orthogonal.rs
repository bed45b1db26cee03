//! Least squares by orthogonal factors.
//!
//! With at least as many rows as columns, runs of rows are reduced to triangles, triangles to one:
//! X = QR and Qᵀy, in the memory of a few squares of the columns, whether rows are dense or
//! sparse. Pivoting is needed where R is close to singular only. With more columns than rows,
//! Xᵀ = QR, and w = Qz with Rᵀz = y is the solution of least norm.
//!
//! Where columns depend on each other, R P = Q₂ R₂ has a leading block [R₁₁ R₁₂] of full rank.
//! A second factorisation, of its transpose, makes the least norm: a complete orthogonal
//! decomposition (Golub and Van Loan, Matrix Computations, 4th edition, section 5.5).
//!
//! A remainder is zero where it is the rounding of the factors or of the data: a column that is
//! the sum of two others far from zero is so to the rounding of its values, not to that of its
//! centred values.

use mercer_linalg::{Matrix, PivotedQr, Qr, Upper, axpy};

use super::centre::runs;
use super::design::Design;
use super::normal::stopped;
use super::solution::{Answer, Dependence, Spread, TOLD, norm};
use crate::fit::FitContext;
use crate::learn::margin::Bias;
use crate::{Error, Result};

/// Rounding of a reflected column, in units of ε: a few per operation on it. Bounds that grow with
/// the number of rows are far from what is seen.
const FACTOR_NOISE: f64 = 16.0;
/// Rounding of data, in units of ε: half a unit in the last place of every value, and as much of
/// those it was computed from.
const DATA_NOISE: f64 = 2.0;
/// Remainders above this share of a column are not looked at closely.
const CLOSE: f64 = 1e-3;

/// Rows of a block beside the triangle of those before.
fn block_rows(width: usize) -> usize {
    (2 * width).max(512)
}

/// Solves with at least as many rows as columns; `penalties` are λ of every column.
///
/// # Errors
/// [`Error::Memory`], cancellation and the time limit.
pub(super) fn tall(
    design: &Design,
    penalties: Option<&[f64]>,
    context: &FitContext,
) -> Result<Answer> {
    let (n, width, outputs) = (design.rows(), design.width(), design.targets.rows());
    let most = (n / (16 * width)).clamp(1, 16);
    let block = block_rows(width).min(n);
    let bytes = most as u64 * (width + outputs) as u64 * (3 * width + 2 * block) as u64;
    check_memory(
        8 * (bytes + 3 * (width as u64).pow(2)),
        width,
        "columns",
        context,
    )?;
    let parts = context.map(runs(n, most), |run| reduce(design, run, context));
    let mut triangles = parts.into_iter().collect::<Result<Vec<_>>>()?;
    let reduced = if triangles.len() == 1 && penalties.is_none() {
        triangles.remove(0)
    } else {
        let extra = if penalties.is_some() { width } else { 0 };
        let height = triangles.len() * width + extra;
        let mut stack = Matrix::zeros(width + outputs, height);
        for (place, triangle) in triangles.iter().enumerate() {
            for c in 0..width + outputs {
                stack.row_mut(c)[place * width..(place + 1) * width]
                    .copy_from_slice(triangle.row(c));
            }
        }
        for (j, penalty) in penalties.into_iter().flatten().enumerate() {
            stack[(j, height - width + j)] = penalty.sqrt();
        }
        top(&factored(stack, width, context)?, width, outputs)
    };
    let blocks = n.div_ceil(block * most) + most;
    from_triangle(design, &reduced, blocks, penalties, context)
}

/// Reduces a run of rows to a triangle, and the targets to as many numbers.
fn reduce(
    design: &Design,
    run: std::ops::Range<usize>,
    context: &FitContext,
) -> Result<Matrix<f64>> {
    let (width, outputs) = (design.width(), design.targets.rows());
    let block = block_rows(width);
    let mut buffer = vec![0.0; block.min(run.len()) * width];
    let mut before: Option<Matrix<f64>> = None;
    for start in run.clone().step_by(block) {
        let rows = start..(start + block).min(run.end);
        let head = before.as_ref().map_or(0, Matrix::columns);
        let mut stack = Matrix::zeros(width + outputs, head + rows.len());
        if let Some(before) = &before {
            for c in 0..width + outputs {
                stack.row_mut(c)[..head].copy_from_slice(before.row(c));
            }
        }
        let values = &mut buffer[..rows.len() * width];
        design.fill(rows.clone(), 0..width, values);
        for c in 0..width {
            let column = &mut stack.row_mut(c)[head..];
            for (to, row) in column.iter_mut().zip(values.chunks_exact(width)) {
                *to = row[c];
            }
        }
        for k in 0..outputs {
            stack.row_mut(width + k)[head..].copy_from_slice(&design.targets.row(k)[rows.clone()]);
        }
        let qr = factored(stack, width, context)?;
        before = Some(top(&qr, width, outputs));
    }
    Ok(before.expect("runs have rows"))
}

fn factored(columns: Matrix<f64>, width: usize, context: &FitContext) -> Result<Qr<f64>> {
    Qr::factor_while(columns, width, context.par(), &|| context.goes_on())
        .map_err(|_| stopped(context))
}

/// Columns of the triangle and of the targets, of the length of the triangle.
fn top(qr: &Qr<f64>, width: usize, outputs: usize) -> Matrix<f64> {
    let upper = qr.upper();
    let sides = qr.sides(width);
    Matrix::from_fn(width + outputs, width, |c, i| {
        if c >= width {
            sides[(c - width, i)]
        } else if i <= c {
            upper.row(i)[c - i]
        } else {
            0.0
        }
    })
}

/// Solves the triangle that rows were reduced to.
fn from_triangle(
    design: &Design,
    reduced: &Matrix<f64>,
    blocks: usize,
    penalties: Option<&[f64]>,
    context: &FitContext,
) -> Result<Answer> {
    let (width, outputs) = (design.width(), design.targets.rows());
    // Columns of length one: what follows does not depend on their units.
    let lengths: Vec<f64> = (0..width)
        .map(|c| {
            Some(norm(reduced.row(c)))
                .filter(|l| *l > 0.0)
                .unwrap_or(1.0)
        })
        .collect();
    let upper = Upper::from_fn(width, |i, c| reduced[(c, i)] / lengths[c]);
    let mut sides = Matrix::from_fn(outputs, width, |k, i| reduced[(width + k, i)]);
    let noise = |c: usize| {
        if penalties.is_some() {
            1.0
        } else {
            design.noise()[c]
        }
    };
    let own = FACTOR_NOISE * ((width as f64).sqrt() + blocks as f64);
    let loudest = (0..width).map(noise).fold(0.0, f64::max);
    let condition = upper.condition();
    let clear = condition * f64::EPSILON * (own + DATA_NOISE * loudest * width as f64) < 0.1;
    let mut answer = Answer {
        weights: Matrix::zeros(outputs, width),
        rank: Some(width),
        condition,
        parameters: width as f64,
        spread: None,
        dependent: Vec::new(),
        plain: None,
        account: None,
    };
    let order: Vec<usize> = if clear {
        upper.solve(&mut sides);
        answer.spread = Some(spread(design, &upper, &lengths, None));
        (0..width).collect()
    } else {
        let columns = Matrix::from_fn(
            width,
            width,
            |c, i| {
                if i <= c { upper.row(i)[c - i] } else { 0.0 }
            },
        );
        let pivoted =
            PivotedQr::factor_while(columns, &mut sides, context.par(), &|| context.goes_on())
                .map_err(|_| stopped(context))?;
        let order = pivoted.order().to_vec();
        let rank = (0..width)
            .position(|k| {
                let size = pivoted.upper(k, k).abs();
                if size > CLOSE {
                    return false;
                }
                let shares = pivoted.combination(k);
                let others = shares.iter().zip(&order).map(|(s, &c)| s.abs() * noise(c));
                let data = noise(order[k]) + others.sum::<f64>();
                !(size > f64::EPSILON * (own + DATA_NOISE * data))
            })
            .unwrap_or(width);
        answer.rank = Some(rank);
        answer.parameters = rank as f64;
        let leading = pivoted.leading(rank);
        answer.condition = leading.condition();
        if rank == width {
            leading.solve(&mut sides);
            answer.spread = Some(spread(design, &leading, &lengths, Some(&order)));
            order
        } else {
            answer.dependent = dependences(&pivoted, &leading, rank);
            let scales: Vec<f64> = order.iter().map(|&c| lengths[c]).collect();
            answer.weights = least_norm(&pivoted, rank, &scales, &sides, context)?;
            return Ok(answer.penalised(penalties));
        }
    };
    for k in 0..outputs {
        for (place, &c) in order.iter().enumerate() {
            answer.weights[(k, c)] = sides[(k, place)] / lengths[c];
        }
    }
    Ok(answer.penalised(penalties))
}

impl Answer {
    /// With a penalty, rank and standard errors have no meaning, and parameters count in part.
    fn penalised(mut self, penalties: Option<&[f64]>) -> Self {
        if let Some(penalties) = penalties {
            self.rank = None;
            self.dependent = Vec::new();
            if let Some(spread) = &self.spread {
                let pairs = spread.weights.iter().zip(penalties);
                let shrunk: f64 = pairs.map(|(v, p)| v * p).sum();
                self.parameters = (self.parameters - shrunk).max(0.0);
            }
        }
        self
    }
}

/// Which columns the dependent ones are combinations of, by the shares that are not rounding.
fn dependences(pivoted: &PivotedQr<f64>, leading: &Upper<f64>, rank: usize) -> Vec<Dependence> {
    /// Shares of columns of length one below this are rounding.
    const SHARE: f64 = 1e-6;
    let order = pivoted.order();
    let of = |k: usize| {
        let mut shares: Vec<f64> = (0..rank).map(|i| pivoted.upper(i, k)).collect();
        leading.solve_vector(&mut shares);
        let places = (0..rank).filter(|&i| shares[i].abs() > SHARE);
        let mut combines: Vec<usize> = places.map(|i| order[i]).collect();
        combines.sort_unstable();
        Dependence {
            column: order[k],
            combines,
        }
    };
    let mut found: Vec<Dependence> = (rank..order.len()).map(of).collect();
    found.sort_by_key(|d| d.column);
    found
}

/// Variances of the weights, from R⁻¹, columns of R in some order.
fn spread(design: &Design, upper: &Upper<f64>, lengths: &[f64], order: Option<&[usize]>) -> Spread {
    let width = lengths.len();
    let column = |place: usize| order.map_or(place, |order| order[place]);
    if width <= TOLD {
        // Row c of `inverse` is R⁻ᵀe_c: (RᵀR)⁻¹ are the products of columns of R⁻ᵀ.
        let mut inverse = Matrix::from_fn(width, width, |i, j| f64::from(u8::from(i == j)));
        upper.solve_transposed(&mut inverse);
        upper.solve(&mut inverse);
        let mut places = vec![0; width];
        for place in 0..width {
            places[column(place)] = place;
        }
        let covariance = Matrix::from_fn(width, width, |i, j| {
            inverse[(places[i], places[j])] / (lengths[i] * lengths[j])
        });
        return Spread::whole(design, covariance);
    }
    let mut weights = vec![0.0; width];
    for (place, square) in upper.inverse_squares().into_iter().enumerate() {
        let c = column(place);
        weights[c] = square / (lengths[c] * lengths[c]);
    }
    let centre = if design.bias == Bias::Free {
        let means: Vec<f64> = design.means().collect();
        let mut turned: Vec<f64> = (0..width)
            .map(|place| means[column(place)] / lengths[column(place)])
            .collect();
        upper.solve_transposed_vector(&mut turned);
        norm(&turned).powi(2)
    } else {
        0.0
    };
    Spread {
        weights,
        centre,
        covariance: None,
    }
}

/// Solves with more columns than rows; `penalty` is the same for all columns.
///
/// A penalty λ makes √λ I stand beside X: of min ‖w‖² + ‖s‖² under Xw + √λ s = y, w is the ridge
/// solution.
///
/// # Errors
/// [`Error::Memory`], cancellation and the time limit.
pub(super) fn wide(design: &Design, penalty: Option<f64>, context: &FitContext) -> Result<Answer> {
    let (n, width, outputs) = (design.rows(), design.width(), design.targets.rows());
    let extra = if penalty.is_some() { n } else { 0 };
    let bytes = 8 * n as u64 * (2 * (width + extra) + 3 * n) as u64;
    check_memory(bytes, width, "columns, which need dense rows,", context)?;
    let mut all = Matrix::zeros(n, width);
    for i in 0..n {
        design.fill(i..i + 1, 0..width, all.row_mut(i));
    }
    let mut targets = design.targets.clone();
    let first = usize::from(design.bias.is_free());
    if design.bias.is_free() {
        project_constant(design, &mut all, &mut targets);
    }
    let order = n - first;
    let mut rows = Matrix::zeros(order, width + extra);
    for i in 0..order {
        let row = rows.row_mut(i);
        row[..width].copy_from_slice(all.row(first + i));
        if let Some(penalty) = penalty {
            row[width + i] = penalty.sqrt();
        }
    }
    drop(all);
    let mut sides = Matrix::from_fn(outputs, order, |k, i| targets[(k, first + i)]);
    let qr = factored(rows, order, context)?;
    let upper = qr.upper();
    // Rounding of the factors, and of the data they were made from.
    let sums = |values: &mut dyn Iterator<Item = f64>| values.map(|v| v * v).sum::<f64>().sqrt();
    let size = sums(&mut design.norms().iter().copied());
    let raw = sums(
        &mut design
            .norms()
            .iter()
            .zip(design.noise())
            .map(|(l, r)| l * r),
    );
    let tolerance = f64::EPSILON * (FACTOR_NOISE * size + DATA_NOISE * raw);
    let (smallest, largest) = upper.singular_range();
    let mut answer = Answer {
        weights: Matrix::zeros(outputs, width),
        rank: Some(order),
        condition: (largest / smallest).max(1.0),
        parameters: order as f64,
        spread: None,
        dependent: Vec::new(),
        plain: None,
        account: None,
    };
    if smallest > 10.0 * tolerance {
        upper.solve_transposed(&mut sides);
        if let Some(penalty) = penalty {
            let shrunk = penalty * upper.inverse_squares().iter().sum::<f64>();
            answer.parameters = (answer.parameters - shrunk).max(0.0);
        }
    } else {
        let columns = Matrix::from_fn(
            order,
            order,
            |j, i| {
                if i >= j { upper.row(j)[i - j] } else { 0.0 }
            },
        );
        let pivoted =
            PivotedQr::factor_while(columns, &mut sides, context.par(), &|| context.goes_on())
                .map_err(|_| stopped(context))?;
        let rank = (0..order)
            .position(|k| !(pivoted.upper(k, k).abs() > tolerance))
            .unwrap_or(order);
        answer.rank = Some(rank);
        answer.parameters = rank as f64;
        answer.condition = pivoted.leading(rank).condition();
        sides = least_norm(&pivoted, rank, &vec![1.0; order], &sides, context)?;
    }
    let mut long = Matrix::zeros(outputs, width + extra);
    for k in 0..outputs {
        long.row_mut(k)[..order].copy_from_slice(sides.row(k));
    }
    qr.multiply(&mut long);
    for k in 0..outputs {
        answer
            .weights
            .row_mut(k)
            .copy_from_slice(&long.row(k)[..width]);
    }
    if penalty.is_some() {
        answer.rank = None;
    }
    Ok(answer)
}

/// Turns centred rows such that the first one is zero: a reflection takes √w, to which all columns
/// are orthogonal, to the first axis. Row i loses √w_i/(‖√w‖ + √w_0) times the first one.
fn project_constant(design: &Design, rows: &mut Matrix<f64>, targets: &mut Matrix<f64>) {
    let (n, width) = (rows.rows(), rows.columns());
    let size = design.total().sqrt() + design.root(0);
    let (top, below) = rows.as_mut_slice().split_at_mut(width);
    for (i, row) in (1..n).zip(below.chunks_exact_mut(width)) {
        axpy(-design.root(i) / size, top, row);
    }
    for k in 0..targets.rows() {
        let row = targets.row_mut(k);
        for i in 1..n {
            row[i] -= design.root(i) / size * row[0];
        }
    }
}

/// The x of least norm with [R₁₁ R₁₂] D Pᵀ x = c for every row c of `sides`, D the scales by
/// place: the transpose is Z S, x = Z S⁻ᵀ c.
fn least_norm(
    pivoted: &PivotedQr<f64>,
    rank: usize,
    scales: &[f64],
    sides: &Matrix<f64>,
    context: &FitContext,
) -> Result<Matrix<f64>> {
    let (width, outputs) = (scales.len(), sides.rows());
    let rows = Matrix::from_fn(rank, width, |i, j| {
        if j >= i {
            pivoted.upper(i, j) * scales[j]
        } else {
            0.0
        }
    });
    let qr = factored(rows, rank, context)?;
    let mut short = Matrix::from_fn(outputs, rank, |k, i| sides[(k, i)]);
    qr.upper().solve_transposed(&mut short);
    let mut turned = Matrix::zeros(outputs, width);
    for k in 0..outputs {
        turned.row_mut(k)[..rank].copy_from_slice(short.row(k));
    }
    qr.multiply(&mut turned);
    let mut solution = Matrix::zeros(outputs, width);
    for k in 0..outputs {
        for (place, &c) in pivoted.order().iter().enumerate() {
            solution[(k, c)] = turned[(k, place)];
        }
    }
    Ok(solution)
}

fn check_memory(needed: u64, width: usize, what: &str, context: &FitContext) -> Result<()> {
    let limit = context.most_memory();
    if needed > limit {
        return Err(Error::Memory {
            what: format!("the orthogonal factors of {width} {what}"),
            needed,
            limit,
        });
    }
    Ok(())
}
