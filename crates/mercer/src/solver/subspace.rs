//! The largest eigenvalues of a symmetric matrix A that is known by its products only.
//!
//! A basis V of the block Krylov space of A and some random columns is grown round by round. In it the
//! eigenpairs of VᵀAV are the best approximations (θ, V s); their residuals r = A V s − θ V s tell
//! how far each is off, |λ − θ| ≤ ‖r‖ for an eigenvalue λ, and are the directions that the basis grows by. AV is kept beside V, so
//! that a round costs one product with a block of columns. When the basis is full, its best part is kept
//! (a thick restart).
//!
//! References: Golub and Underwood, The block Lanczos method for computing eigenvalues, 1977; Stathopoulos
//! and Wu, A block orthogonalization procedure with constant synchronization requirements, 2002; Musco and
//! Musco, Randomized block Krylov methods for stronger and faster approximate SVD, 2015.

use std::sync::{Mutex, PoisonError};

use mercer_linalg::{Matrix, MatrixRef, Op, Par, SymmetricEigen, gemm};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use crate::data::random::normal;
use crate::fit::{FitContext, Progress, StopReason};
use crate::{Error, Result};

/// Least columns of a block: eigenvalues that are equal to rounding are found as many at a time.
const NARROWEST: usize = 8;
/// Most of them: beyond, a product costs what its multiplications do, and a deep basis is worth more than a wide one.
const WIDEST: usize = 64;
/// Columns of the basis at least before it is restarted.
const DEEP: usize = 240;
/// Rounds without progress after which rounding is what is left.
const STALLED: usize = 10;

/// A symmetric matrix that can be multiplied by.
pub(crate) trait Operator: Sync {
    /// The number of rows.
    fn len(&self) -> usize;

    /// Returns the product with some columns.
    ///
    /// # Errors
    /// Cancellation and the time limit.
    fn multiply(&self, columns: &Matrix<f64>) -> Result<Matrix<f64>>;

    /// The error of a product, relative to the largest eigenvalue.
    fn noise(&self) -> f64 {
        f64::EPSILON
    }
}

/// What is looked for, and how well.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Wanted {
    /// How many eigenpairs.
    pub(crate) count: usize,
    /// Largest residual ‖A v − λ v‖, relative to the largest eigenvalue in magnitude.
    pub(crate) tolerance: f64,
    /// Most products with a block of columns.
    pub(crate) max_products: u64,
}

/// The largest eigenvalues with their vectors.
#[derive(Debug, Clone)]
pub(crate) struct Leading {
    /// In descending order.
    pub(crate) values: Vec<f64>,
    /// Orthonormal vectors, one per column.
    pub(crate) vectors: Matrix<f64>,
    /// Largest residual, relative to the largest eigenvalue in magnitude.
    pub(crate) residual: f64,
    /// The least eigenvalue that was met: if it is negative, there are negative ones.
    pub(crate) least: f64,
    /// Products with a block of columns.
    pub(crate) products: u64,
    /// Whether the residuals are below the tolerance.
    pub(crate) stop_reason: StopReason,
}

/// Finds the largest eigenvalues.
///
/// # Errors
/// Cancellation; a time limit that comes before the first products.
pub(crate) fn leading(
    operator: &dyn Operator,
    wanted: Wanted,
    context: &FitContext,
) -> Result<Leading> {
    let n = operator.len();
    let count = wanted.count.min(n);
    let width = (count / 2 + 2).clamp(NARROWEST, WIDEST).min(n);
    let kept = (count + width).min(n);
    let capacity = DEEP.max(2 * kept + 6 * width).min(n + width);
    let par = context.par();
    let mut rng = ChaCha8Rng::seed_from_u64(context.seed);
    let random = Matrix::from_fn(n, width, |_, _| normal(&mut rng));
    let mut basis = Basis::new(n, capacity);
    let fresh = basis.orthonormal(random, par)?;
    let image = operator.multiply(&fresh)?;
    basis.grow(&fresh, &image, par);
    let mut products = 1;
    let tolerance = wanted.tolerance.max(operator.noise());
    let (mut best, mut since) = (f64::INFINITY, 0);
    loop {
        let ritz = basis.ritz(count, kept, par)?;
        let largest = ritz.largest.max(f64::MIN_POSITIVE);
        let residual = ritz.norms.iter().fold(0.0_f64, |m, r| m.max(*r)) / largest;
        context.tell(|| Progress {
            stage: "components".to_owned(),
            iterations: products,
            ..Progress::default()
        });
        // As long as the basis grows to its first size there is no residual of all.
        let is_large = basis.used >= count;
        if !is_large || residual < 0.98 * best {
            since = 0;
            if is_large {
                best = residual;
            }
        } else {
            since += 1;
        }
        let stop_reason = if is_large && (residual <= tolerance || basis.used >= n) {
            Some(StopReason::Converged)
        } else if since >= STALLED && residual <= 1e3 * tolerance {
            Some(StopReason::Stalled)
        } else if context.cancel.is_cancelled() {
            return Err(Error::Cancelled);
        } else if is_large && products >= wanted.max_products {
            Some(StopReason::IterationLimit)
        } else if context.out_of_time() {
            if !is_large {
                return Err(Error::OutOfTime);
            }
            Some(StopReason::TimeLimit)
        } else {
            None
        };
        if let Some(stop_reason) = stop_reason {
            return Ok(basis.finish(&ritz, residual, products, stop_reason, par));
        }
        // Pairs that have settled need no direction of theirs; the largest of the others come first.
        let mut open: Vec<usize> = (0..ritz.norms.len())
            .filter(|&k| ritz.norms[k] > 0.1 * tolerance * largest)
            .take(width.min(n - basis.used))
            .collect();
        if open.is_empty() {
            open = (0..ritz.norms.len().min(width).min(n - basis.used)).collect();
        }
        let directions = Matrix::from_fn(n, open.len(), |i, k| ritz.residuals[(i, open[k])]);
        let mut fresh = basis.orthonormal(directions, par)?;
        if fresh.columns() == 0 {
            // The space is invariant, and may be too small: random columns lead out of it.
            let missing = width.min(n - basis.used);
            let random = Matrix::from_fn(n, missing, |_, _| normal(&mut rng));
            fresh = basis.orthonormal(random, par)?;
        }
        let image = match operator.multiply(&fresh) {
            Err(Error::OutOfTime) if is_large => {
                let reason = StopReason::TimeLimit;
                return Ok(basis.finish(&ritz, residual, products, reason, par));
            }
            image => image?,
        };
        products += 1;
        if basis.used + fresh.columns() > capacity {
            // New directions are orthogonal to all, and so to what is kept.
            basis.restart(&ritz, par);
        }
        basis.grow(&fresh, &image, par);
    }
}

/// Orthonormal columns V, A V and VᵀAV.
struct Basis {
    columns: Matrix<f64>,
    images: Matrix<f64>,
    inner: Matrix<f64>,
    /// How many columns there are.
    used: usize,
}

/// The best approximations in a basis.
struct Ritz {
    /// In descending order, more than are wanted.
    values: Vec<f64>,
    /// Coordinates in the basis, one pair per column.
    turns: Matrix<f64>,
    /// A V s − θ V s of those that are wanted.
    residuals: Matrix<f64>,
    /// Their norms.
    norms: Vec<f64>,
    /// Largest eigenvalue in magnitude that was met.
    largest: f64,
    /// The least one.
    least: f64,
}

/// A run of columns.
fn columns_of(matrix: &Matrix<f64>, columns: std::ops::Range<usize>) -> Matrix<f64> {
    let rows = 0..matrix.rows();
    matrix.as_ref().submatrix(rows, columns).to_owned()
}

/// a · b.
fn times(a: MatrixRef<'_, f64>, b: &Matrix<f64>, par: Par) -> Matrix<f64> {
    let mut out = Matrix::zeros(a.rows(), b.columns());
    let b = b.as_ref();
    gemm(1.0, a, Op::None, b, Op::None, 0.0, out.as_mut(), par);
    out
}

/// aᵀ · b of tall matrices: sums over fixed runs of rows, in their order.
pub(crate) fn inner(a: &Matrix<f64>, b: &Matrix<f64>, par: Par) -> Matrix<f64> {
    inner_of(a.as_ref(), b.as_ref(), par)
}

fn inner_of(a: MatrixRef<'_, f64>, b: MatrixRef<'_, f64>, par: Par) -> Matrix<f64> {
    /// Rows of a run.
    const RUN: usize = 1024;
    let n = a.rows();
    let multiply = |rows: std::ops::Range<usize>, par: Par| {
        let mut part = Matrix::zeros(a.columns(), b.columns());
        let (a, b) = (
            a.submatrix(rows.clone(), 0..a.columns()),
            b.submatrix(rows, 0..b.columns()),
        );
        gemm(1.0, a, Op::Transpose, b, Op::None, 0.0, part.as_mut(), par);
        part
    };
    // Wide sums are worth more than runs that are added up.
    if n <= RUN || a.columns() > 2 * RUN {
        return multiply(0..n, par);
    }
    // A few sums, however many runs: each task goes over some of them.
    let tasks = n.div_ceil(RUN).min(16);
    let parts: Vec<Mutex<Matrix<f64>>> = (0..tasks)
        .map(|_| Mutex::new(Matrix::zeros(0, 0)))
        .collect();
    par.for_each(tasks, |task| {
        let part = multiply(task * n / tasks..(task + 1) * n / tasks, Par::Sequential);
        if let Ok(mut place) = parts[task].lock() {
            *place = part;
        }
    });
    let mut sum = Matrix::zeros(a.columns(), b.columns());
    for part in parts {
        let part = part.into_inner().unwrap_or_else(PoisonError::into_inner);
        for (sum, part) in sum.as_mut_slice().iter_mut().zip(part.as_slice()) {
            *sum += part;
        }
    }
    sum
}

fn eigen(matrix: &Matrix<f64>) -> Result<SymmetricEigen<f64>> {
    SymmetricEigen::new(matrix.as_ref()).map_err(|_| {
        Error::rows(
            "products of the rows are beyond what numbers can hold",
            "scale the columns",
        )
    })
}

impl Basis {
    fn new(rows: usize, capacity: usize) -> Self {
        Self {
            columns: Matrix::zeros(rows, capacity),
            images: Matrix::zeros(rows, capacity),
            inner: Matrix::zeros(capacity, capacity),
            used: 0,
        }
    }

    /// V.
    fn vectors(&self) -> MatrixRef<'_, f64> {
        let rows = 0..self.columns.rows();
        self.columns.as_ref().submatrix(rows, 0..self.used)
    }

    /// A V.
    fn image(&self) -> MatrixRef<'_, f64> {
        let rows = 0..self.images.rows();
        self.images.as_ref().submatrix(rows, 0..self.used)
    }

    fn grow(&mut self, fresh: &Matrix<f64>, image: &Matrix<f64>, par: Par) {
        let (start, more) = (self.used, fresh.columns());
        for row in 0..fresh.rows() {
            self.columns.row_mut(row)[start..start + more].copy_from_slice(fresh.row(row));
            self.images.row_mut(row)[start..start + more].copy_from_slice(image.row(row));
        }
        self.used += more;
        let products = inner_of(self.vectors(), image.as_ref(), par);
        for i in 0..self.used {
            for k in 0..more {
                let j = start + k;
                // Both halves of the new block are computed; their mean is symmetric.
                let value = if i >= start {
                    0.5 * (products[(i, k)] + products[(j, i - start)])
                } else {
                    products[(i, k)]
                };
                self.inner[(i, j)] = value;
                self.inner[(j, i)] = value;
            }
        }
    }

    /// Eigenpairs of VᵀAV with the residuals of those that are wanted.
    fn ritz(&self, count: usize, kept: usize, par: Par) -> Result<Ritz> {
        let m = self.used;
        let square = self.inner.as_ref().submatrix(0..m, 0..m).to_owned();
        let eigen = eigen(&square)?;
        let (count, kept) = (count.min(m), kept.min(m));
        let values: Vec<f64> = (0..kept).map(|k| eigen.values[m - 1 - k]).collect();
        let turns = Matrix::from_fn(m, kept, |i, k| eigen.vectors[(i, m - 1 - k)]);
        let wanted = columns_of(&turns, 0..count);
        let mut residuals = times(self.image(), &wanted, par);
        let mut scaled = wanted;
        for row in 0..m {
            for (value, theta) in scaled.row_mut(row).iter_mut().zip(&values) {
                *value *= theta;
            }
        }
        let (v, s) = (self.vectors(), scaled.as_ref());
        gemm(-1.0, v, Op::None, s, Op::None, 1.0, residuals.as_mut(), par);
        let mut squares = vec![0.0; count];
        for row in 0..residuals.rows() {
            for (sum, r) in squares.iter_mut().zip(residuals.row(row)) {
                *sum += r * r;
            }
        }
        let (least, most) = (eigen.values[0], eigen.values[m - 1]);
        Ok(Ritz {
            values,
            turns,
            residuals,
            norms: squares.into_iter().map(f64::sqrt).collect(),
            largest: most.abs().max(least.abs()),
            least,
        })
    }

    fn finish(
        &self,
        ritz: &Ritz,
        residual: f64,
        products: u64,
        stop_reason: StopReason,
        par: Par,
    ) -> Leading {
        let count = ritz.norms.len();
        Leading {
            values: ritz.values[..count].to_vec(),
            vectors: times(self.vectors(), &columns_of(&ritz.turns, 0..count), par),
            residual,
            least: ritz.least,
            products,
            stop_reason,
        }
    }

    /// Keeps the best part of the basis.
    fn restart(&mut self, ritz: &Ritz, par: Par) {
        let columns = times(self.vectors(), &ritz.turns, par);
        let images = times(self.image(), &ritz.turns, par);
        let kept = ritz.values.len();
        for row in 0..columns.rows() {
            self.columns.row_mut(row)[..kept].copy_from_slice(columns.row(row));
            self.images.row_mut(row)[..kept].copy_from_slice(images.row(row));
        }
        self.inner.as_mut_slice().fill(0.0);
        for (k, value) in ritz.values.iter().enumerate() {
            self.inner[(k, k)] = *value;
        }
        self.used = kept;
    }

    /// An orthonormal basis of what columns add to the basis; what is in it already is left out.
    fn orthonormal(&self, mut fresh: Matrix<f64>, par: Par) -> Result<Matrix<f64>> {
        // A second pass takes off what rounding left of the first.
        for _ in 0..2 {
            if self.used > 0 {
                let shares = inner_of(self.vectors(), fresh.as_ref(), par);
                let (a, b) = (self.vectors(), shares.as_ref());
                gemm(-1.0, a, Op::None, b, Op::None, 1.0, fresh.as_mut(), par);
            }
            fresh = orthonormalised(&fresh, par)?;
            if fresh.columns() == 0 {
                break;
            }
        }
        Ok(fresh)
    }
}

/// Orthonormal columns that span the given ones, by the eigenvectors of their inner products; directions
/// within rounding of the others are left out.
fn orthonormalised(columns: &Matrix<f64>, par: Par) -> Result<Matrix<f64>> {
    /// Share of the largest eigenvalue below which a direction is rounding.
    const LEAST: f64 = 1e-14;
    let width = columns.columns();
    let gram = inner(columns, columns, par);
    let scales: Vec<f64> = (0..width)
        .map(|k| {
            let norm = gram[(k, k)].sqrt();
            if norm > 0.0 { norm.recip() } else { 0.0 }
        })
        .collect();
    let scaled = Matrix::from_fn(width, width, |i, j| gram[(i, j)] * scales[i] * scales[j]);
    let eigen = eigen(&scaled)?;
    let largest = eigen.values.last().copied().unwrap_or(0.0);
    let kept: Vec<usize> = (0..width)
        .rev()
        .filter(|&k| eigen.values[k] > LEAST * largest && largest > 0.0)
        .collect();
    let turns = Matrix::from_fn(width, kept.len(), |i, k| {
        scales[i] * eigen.vectors[(i, kept[k])] / eigen.values[kept[k]].sqrt()
    });
    Ok(times(columns.as_ref(), &turns, par))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A matrix with known eigenvalues: a diagonal one, reflected.
    struct Known {
        values: Vec<f64>,
        mirror: Vec<f64>,
    }

    impl Known {
        fn new(values: Vec<f64>) -> Self {
            let mut rng = ChaCha8Rng::seed_from_u64(7);
            let mut mirror: Vec<f64> = values.iter().map(|_| normal(&mut rng)).collect();
            let norm = mirror.iter().map(|v| v * v).sum::<f64>().sqrt();
            mirror.iter_mut().for_each(|v| *v /= norm);
            Self { values, mirror }
        }

        fn reflect(&self, x: &mut Matrix<f64>) {
            for k in 0..x.columns() {
                let dot: f64 = (0..x.rows()).map(|i| self.mirror[i] * x[(i, k)]).sum();
                for i in 0..x.rows() {
                    x[(i, k)] -= 2.0 * dot * self.mirror[i];
                }
            }
        }
    }

    impl Operator for Known {
        fn len(&self) -> usize {
            self.values.len()
        }

        fn multiply(&self, columns: &Matrix<f64>) -> Result<Matrix<f64>> {
            let mut x = columns.clone();
            self.reflect(&mut x);
            for i in 0..x.rows() {
                x.row_mut(i).iter_mut().for_each(|v| *v *= self.values[i]);
            }
            self.reflect(&mut x);
            Ok(x)
        }
    }

    fn find(values: Vec<f64>, count: usize) -> Leading {
        let wanted = Wanted {
            count,
            tolerance: 1e-10,
            max_products: 500,
        };
        leading(&Known::new(values), wanted, &FitContext::default()).expect("no limit")
    }

    #[test]
    fn the_largest_are_found_with_their_vectors() {
        let values: Vec<f64> = (0..300).map(|i| 1.0 / (1.0 + f64::from(i))).collect();
        let found = find(values.clone(), 6);
        assert_eq!(found.stop_reason, StopReason::Converged);
        for k in 0..6 {
            assert!((found.values[k] - values[k]).abs() < 1e-12, "{k}");
        }
        let known = Known::new(values);
        let image = known.multiply(&found.vectors).expect("a product");
        for k in 0..6 {
            for i in 0..300 {
                let rest = image[(i, k)] - found.values[k] * found.vectors[(i, k)];
                assert!(rest.abs() < 1e-9, "{k} {i}");
            }
        }
    }

    #[test]
    fn slow_spectra_need_restarts_and_end() {
        // Gaps of 1/1000: the basis is full several times.
        let values: Vec<f64> = (0..1000).map(|i| 1.0 - f64::from(i) / 1000.0).collect();
        let found = find(values, 3);
        assert_eq!(found.stop_reason, StopReason::Converged);
        assert!((found.values[2] - 0.998).abs() < 1e-9, "{:?}", found.values);
        // More columns than the basis holds at a time.
        assert!(
            found.products as usize * NARROWEST > DEEP,
            "{}",
            found.products
        );
    }

    #[test]
    fn equal_negative_and_zero_values() {
        let mut values = vec![2.0; 5];
        values.extend(vec![-3.0; 2]);
        values.extend(vec![0.0; 60]);
        let found = find(values, 7);
        for k in 0..5 {
            assert!((found.values[k] - 2.0).abs() < 1e-10);
        }
        assert!(found.values[5].abs() < 1e-9 && found.values[6].abs() < 1e-9);
        assert!((found.least + 3.0).abs() < 1e-9);
        let zeros = find(vec![0.0; 40], 3);
        assert!(zeros.values.iter().all(|v| *v == 0.0));
    }

    #[test]
    fn few_rows_are_solved_whole() {
        let found = find(vec![3.0, 1.0, 2.0], 3);
        let expected = [3.0, 2.0, 1.0];
        for (found, expected) in found.values.iter().zip(expected) {
            assert!((found - expected).abs() < 1e-12);
        }
    }

    #[test]
    fn a_limit_is_told() {
        let values: Vec<f64> = (0..1000).map(|i| 1.0 - f64::from(i) / 1000.0).collect();
        let wanted = Wanted {
            count: 3,
            tolerance: 1e-12,
            max_products: 2,
        };
        let found = leading(&Known::new(values), wanted, &FitContext::default()).expect("some");
        assert_eq!(found.stop_reason, StopReason::IterationLimit);
        assert!(found.residual > 1e-12);
    }
}
