//! Sums over the rows of a design: predictions, slopes and squares.
//!
//! Rows are filled into blocks of fixed size. Sums over blocks are made by a fixed number of
//! tasks and added in their order.

use mercer_linalg::{
    Epilogue, Matrix, MatrixMut, MatrixRef, Op, Par, SparseRows, add_square, axpy, dot, gemm,
    matvec, sparse_gram,
};

use super::centre::runs;
use super::design::Design;
use crate::Result;
use crate::fit::FitContext;

/// Values of a block: half a megabyte stays in the second-level cache.
const BLOCK_VALUES: usize = 1 << 16;
/// Columns that are summed by one task where they are many.
const BAND: usize = 512;
/// Rows or columns of a block of a square product.
const SQUARE_BLOCK: usize = 256;
/// Rows of such a block that are filled in by one task.
const FILLED: usize = 128;
/// Share of stored values from which dense products are cheaper than sparse ones: those make ten
/// times as many multiplications a second, and need the square of the share fewer.
const DENSE_SHARE: f64 = 0.3;

/// Rows of a block.
fn block_rows(design: &Design) -> usize {
    (BLOCK_VALUES / design.width().max(1)).clamp(8, 1024)
}

/// Tasks of a sum whose parts have the size of a few rows, so that they take little memory beside
/// the data.
fn tasks(length: usize, part: usize) -> usize {
    (length / (16 * part.max(1))).clamp(1, 16)
}

/// Bytes of the parts of a square product and of its factor.
pub(super) fn square_bytes(length: usize, order: usize) -> u64 {
    let squares = tasks(length, order) as u64 + 3;
    8 * squares * (order as u64).pow(2)
}

/// out ← βout + α rows wᵀ, row by row. One output is not worth the packing of a product of matrices.
fn predict(
    alpha: f64,
    rows: MatrixRef<'_, f64>,
    weights: &Matrix<f64>,
    beta: f64,
    out: &mut [f64],
) {
    let par = Par::Sequential;
    if weights.rows() == 1 {
        return matvec(alpha, rows, Op::None, weights.row(0), beta, out, par);
    }
    let out = MatrixMut::from_slice(rows.rows(), weights.rows(), out);
    let weights = weights.as_ref();
    gemm(
        alpha,
        rows,
        Op::None,
        weights,
        Op::Transpose,
        beta,
        out,
        par,
    );
}

/// sums ← sums + op(sides) rows.
fn add_combined(
    sides: MatrixRef<'_, f64>,
    op: Op,
    rows: MatrixRef<'_, f64>,
    sums: &mut Matrix<f64>,
) {
    if sums.rows() == 1 {
        let (side, out) = (sides.row(0), sums.row_mut(0));
        return matvec(1.0, rows, Op::Transpose, side, 1.0, out, Par::Sequential);
    }
    let (out, par) = (sums.as_mut(), Par::Sequential);
    gemm(1.0, sides, op, rows, Op::None, 1.0, out, par);
}

/// Targets minus predictions: y − Xw, one row per output.
pub(super) fn residuals(
    design: &Design,
    weights: &Matrix<f64>,
    context: &FitContext,
) -> Result<Matrix<f64>> {
    let mut left = design.targets.clone();
    subtract_predictions(design, weights, &mut left, context)?;
    Ok(left)
}

/// Subtracts Xw from `left`, one row per output.
pub(super) fn subtract_predictions(
    design: &Design,
    weights: &Matrix<f64>,
    left: &mut Matrix<f64>,
    context: &FitContext,
) -> Result<()> {
    let (n, outputs, width) = (design.rows(), weights.rows(), design.width());
    if width == 0 {
        return Ok(());
    }
    let runs = runs(n, (n / (2 * block_rows(design))).min(64));
    let parts = context.map(runs, |run| {
        let mut predictions = Matrix::zeros(run.len(), outputs);
        if let Some((csr, shifts)) = design.sparse() {
            for k in 0..outputs {
                let weights = weights.row(k);
                let level = dot(shifts, weights);
                for i in run.clone() {
                    let (indices, values) = csr.row(i);
                    let pairs = indices.iter().zip(values);
                    let sum: f64 = pairs.map(|(&j, v)| v * weights[j as usize]).sum();
                    predictions[(i - run.start, k)] = design.root(i) * (sum - level);
                }
            }
            return (run, predictions);
        }
        let block = block_rows(design);
        let mut buffer = vec![0.0; block.min(run.len()) * width];
        for start in run.clone().step_by(block) {
            let end = (start + block).min(run.end);
            if !context.goes_on() {
                break;
            }
            let values = &mut buffer[..(end - start) * width];
            design.fill(start..end, 0..width, values);
            let place = (start - run.start) * outputs..(end - run.start) * outputs;
            let rows = MatrixRef::from_slice(end - start, width, values);
            let out = &mut predictions.as_mut_slice()[place];
            predict(1.0, rows, weights, 0.0, out);
        }
        (run, predictions)
    });
    context.check()?;
    for (run, predictions) in parts {
        for k in 0..outputs {
            let row = &mut left.row_mut(k)[run.clone()];
            for (place, value) in row.iter_mut().enumerate() {
                *value -= predictions[(place, k)];
            }
        }
    }
    Ok(())
}

/// y − Xw and Xᵀ(y − Xw), by one pass over dense rows.
pub(super) fn residuals_and_slopes(
    design: &Design,
    weights: &Matrix<f64>,
    context: &FitContext,
) -> Result<(Matrix<f64>, Matrix<f64>)> {
    let (n, outputs, width) = (design.rows(), weights.rows(), design.width());
    if width == 0 || design.sparse().is_some() || width >= 2 * BAND {
        let left = residuals(design, weights, context)?;
        let slopes = combine(design, &left, context)?;
        return Ok((left, slopes));
    }
    let block = block_rows(design);
    let most = (n / (2 * block)).min(tasks(n, outputs));
    let parts = context.map(runs(n, most), |run| {
        let mut sums = Matrix::zeros(outputs, width);
        let mut left = Matrix::zeros(run.len(), outputs);
        let mut buffer = vec![0.0; block.min(run.len()) * width];
        for start in run.clone().step_by(block) {
            let end = (start + block).min(run.end);
            if !context.goes_on() {
                break;
            }
            let values = &mut buffer[..(end - start) * width];
            design.fill(start..end, 0..width, values);
            let rows = MatrixRef::from_slice(end - start, width, values);
            for i in start..end {
                for (k, value) in left.row_mut(i - run.start).iter_mut().enumerate() {
                    *value = design.targets[(k, i)];
                }
            }
            let place = (start - run.start) * outputs..(end - run.start) * outputs;
            let out = &mut left.as_mut_slice()[place];
            predict(-1.0, rows, weights, 1.0, out);
            // One column is one row.
            if outputs == 1 {
                let sides = MatrixRef::from_slice(1, end - start, out);
                add_combined(sides, Op::None, rows, &mut sums);
            } else {
                let sides = MatrixRef::from_slice(end - start, outputs, out);
                add_combined(sides, Op::Transpose, rows, &mut sums);
            }
        }
        (run, left, sums)
    });
    context.check()?;
    let mut left = Matrix::zeros(outputs, n);
    let mut slopes = Matrix::zeros(outputs, width);
    for (run, part, sums) in parts {
        for k in 0..outputs {
            let row = &mut left.row_mut(k)[run.clone()];
            for (place, value) in row.iter_mut().enumerate() {
                *value = part[(place, k)];
            }
        }
        axpy(1.0, sums.as_slice(), slopes.as_mut_slice());
    }
    Ok((left, slopes))
}

/// Xᵀr for every row r of `sides`.
pub(super) fn combine(
    design: &Design,
    sides: &Matrix<f64>,
    context: &FitContext,
) -> Result<Matrix<f64>> {
    let (n, outputs, width) = (design.rows(), sides.rows(), design.width());
    let mut sums = Matrix::zeros(outputs, width);
    if width == 0 {
        return Ok(sums);
    }
    if design.sparse().is_none() && width >= 2 * BAND {
        return combine_bands(design, sides, context);
    }
    let most = (n / (2 * block_rows(design))).min(tasks(n, outputs));
    let parts = context.map(runs(n, most), |run| {
        let mut sums = Matrix::zeros(outputs, width);
        if let Some((csr, shifts)) = design.sparse() {
            for k in 0..outputs {
                let (side, sums) = (sides.row(k), sums.row_mut(k));
                let mut level = 0.0;
                for i in run.clone() {
                    let share = design.root(i) * side[i];
                    level += share;
                    let (indices, values) = csr.row(i);
                    for (&j, v) in indices.iter().zip(values) {
                        sums[j as usize] += share * v;
                    }
                }
                axpy(-level, shifts, sums);
            }
            return sums;
        }
        let block = block_rows(design);
        let mut buffer = vec![0.0; block.min(run.len()) * width];
        for start in run.clone().step_by(block) {
            let end = (start + block).min(run.end);
            if !context.goes_on() {
                break;
            }
            let values = &mut buffer[..(end - start) * width];
            design.fill(start..end, 0..width, values);
            let rows = MatrixRef::from_slice(end - start, width, values);
            let sides = sides.as_ref().submatrix(0..outputs, start..end);
            add_combined(sides, Op::None, rows, &mut sums);
        }
        sums
    });
    context.check()?;
    for part in parts {
        axpy(1.0, part.as_slice(), sums.as_mut_slice());
    }
    Ok(sums)
}

/// Xᵀr of many columns, a band of them at a time.
fn combine_bands(
    design: &Design,
    sides: &Matrix<f64>,
    context: &FitContext,
) -> Result<Matrix<f64>> {
    let (n, outputs, width) = (design.rows(), sides.rows(), design.width());
    let bands = context.map(runs(width, width / BAND), |band| {
        let across = band.len();
        let block = (BLOCK_VALUES / across).clamp(8, 1024).min(n);
        let mut sums = Matrix::zeros(outputs, across);
        let mut buffer = vec![0.0; block * across];
        for start in (0..n).step_by(block) {
            let end = (start + block).min(n);
            if !context.goes_on() {
                break;
            }
            let values = &mut buffer[..(end - start) * across];
            design.fill(start..end, band.clone(), values);
            let rows = MatrixRef::from_slice(end - start, across, values);
            let sides = sides.as_ref().submatrix(0..outputs, start..end);
            add_combined(sides, Op::None, rows, &mut sums);
        }
        (band, sums)
    });
    context.check()?;
    let mut sums = Matrix::zeros(outputs, width);
    for (band, part) in bands {
        for k in 0..outputs {
            sums.row_mut(k)[band.clone()].copy_from_slice(part.row(k));
        }
    }
    Ok(sums)
}

fn is_sparse(design: &Design) -> bool {
    design.sparse().is_some_and(|(csr, _)| {
        (csr.nnz() as f64) < DENSE_SHARE * design.rows() as f64 * design.width() as f64
    })
}

/// The lower triangle of XᵀX, and Xᵀy for every output.
pub(super) fn normal_equations(
    design: &Design,
    context: &FitContext,
) -> Result<(Matrix<f64>, Matrix<f64>)> {
    let (n, width, outputs) = (design.rows(), design.width(), design.targets.rows());
    if is_sparse(design) {
        let square = sparse_column_square(design, context)?;
        return Ok((square, combine(design, &design.targets, context)?));
    }
    let parts = context.map(runs(n, tasks(n, width)), |run| {
        let mut square = Matrix::zeros(width, width);
        let mut sides = Matrix::zeros(outputs, width);
        let mut buffer = vec![0.0; SQUARE_BLOCK.min(run.len()) * width];
        for start in run.clone().step_by(SQUARE_BLOCK) {
            let end = (start + SQUARE_BLOCK).min(run.end);
            if !context.goes_on() {
                break;
            }
            let values = &mut buffer[..(end - start) * width];
            design.fill(start..end, 0..width, values);
            let block = MatrixRef::from_slice(end - start, width, values);
            add_square(block, Op::Transpose, square.as_mut(), context.par());
            let targets = design.targets.as_ref().submatrix(0..outputs, start..end);
            add_combined(targets, Op::None, block, &mut sides);
        }
        (square, sides)
    });
    context.check()?;
    let (squares, sides) = parts.into_iter().unzip();
    Ok((sum(squares), sum(sides)))
}

/// The lower triangle of XXᵀ.
pub(super) fn row_square(design: &Design, context: &FitContext) -> Result<Matrix<f64>> {
    let (n, width) = (design.rows(), design.width());
    if is_sparse(design) {
        return sparse_row_square(design, context);
    }
    let parts = context.map(runs(width, tasks(width, n)), |run| {
        let mut square = Matrix::zeros(n, n);
        let mut buffer = vec![0.0; n * SQUARE_BLOCK.min(run.len())];
        for start in run.clone().step_by(SQUARE_BLOCK) {
            let end = (start + SQUARE_BLOCK).min(run.end);
            if !context.goes_on() {
                break;
            }
            let values = &mut buffer[..n * (end - start)];
            let parts = values.chunks_mut(FILLED * (end - start)).enumerate();
            let parts: Vec<(usize, &mut [f64])> = parts.collect();
            context.map(parts, |(part, values)| {
                let first = part * FILLED;
                let rows = first..first + values.len() / (end - start);
                design.fill(rows, start..end, values);
            });
            let block = MatrixRef::from_slice(n, end - start, values);
            add_square(block, Op::None, square.as_mut(), context.par());
        }
        square
    });
    context.check()?;
    Ok(sum(parts))
}

fn sum(parts: Vec<Matrix<f64>>) -> Matrix<f64> {
    let mut parts = parts.into_iter();
    let mut whole = parts.next().expect("one task at least");
    for part in parts {
        axpy(1.0, part.as_slice(), whole.as_mut_slice());
    }
    whole
}

/// Σ w x xᵀ − (Σ w) m mᵀ, every entry summed in the order of the rows.
fn sparse_column_square(design: &Design, context: &FitContext) -> Result<Matrix<f64>> {
    let (csr, shifts) = design.sparse().expect("sparse rows");
    let width = design.width();
    let bands = context.map(runs(width, 32), |band| {
        let mut square = Matrix::zeros(band.len(), width);
        for i in 0..csr.rows() {
            if i % 4096 == 0 && !context.goes_on() {
                break;
            }
            let weight = design.root(i).powi(2);
            let (indices, values) = csr.row(i);
            let first = indices.partition_point(|&j| (j as usize) < band.start);
            for (at, &j) in indices.iter().enumerate().skip(first) {
                let j = j as usize;
                if j >= band.end {
                    break;
                }
                let row = square.row_mut(j - band.start);
                let share = weight * values[at];
                for (&l, value) in indices[..=at].iter().zip(values) {
                    row[l as usize] += share * value;
                }
            }
        }
        for j in band.clone() {
            let share = -design.total() * shifts[j];
            axpy(
                share,
                &shifts[..=j],
                &mut square.row_mut(j - band.start)[..=j],
            );
        }
        square
    });
    context.check()?;
    let values = bands.into_iter().flat_map(Matrix::into_vec).collect();
    Ok(Matrix::from_vec(width, width, values))
}

/// √w_i √w_j (⟨x_i, x_j⟩ − ⟨x_i, m⟩ − ⟨x_j, m⟩ + ‖m‖²).
fn sparse_row_square(design: &Design, context: &FitContext) -> Result<Matrix<f64>> {
    let (csr, shifts) = design.sparse().expect("sparse rows");
    let n = csr.rows();
    let mut square = Matrix::zeros(n, n);
    let rows = SparseRows::from_csr(csr.clone());
    sparse_gram(&rows, &Epilogue::Dot, square.as_mut(), context.par());
    context.check()?;
    let level: Vec<f64> = (0..n)
        .map(|i| {
            let (indices, values) = csr.row(i);
            let pairs = indices.iter().zip(values);
            pairs.map(|(&j, v)| v * shifts[j as usize]).sum()
        })
        .collect();
    let length = dot(shifts, shifts);
    for i in 0..n {
        let row = square.row_mut(i);
        for (j, value) in row[..=i].iter_mut().enumerate() {
            let centred = *value - level[i] - level[j] + length;
            *value = design.root(i) * design.root(j) * centred;
        }
    }
    Ok(square)
}
