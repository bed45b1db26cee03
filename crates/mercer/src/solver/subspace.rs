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

use mercer_linalg::{Matrix, Op, Par, SymmetricEigen, gemm};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use crate::data::random::normal;
use crate::fit::{FitContext, Progress, StopReason};
use crate::{Error, Result};

/// Columns beside those that are wanted: the first ones to settle are those with a gap below them.
const SPARE: usize = 10;
/// Blocks of the basis before it is restarted.
const BLOCKS: usize = 8;
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
    let width = (count + SPARE).min(n);
    let par = context.par();
    let mut rng = ChaCha8Rng::seed_from_u64(context.seed);
    let random = Matrix::from_fn(n, width, |_, _| normal(&mut rng));
    let mut basis = Basis::new(n);
    let fresh = basis.orthonormal(random, par)?;
    let image = operator.multiply(&fresh)?;
    basis.grow(&fresh, &image);
    let mut products = 1;
    let tolerance = wanted.tolerance.max(operator.noise());
    let (mut best, mut since) = (f64::INFINITY, 0);
    loop {
        let ritz = basis.ritz(width.min(basis.columns()), par)?;
        let largest = ritz.largest.max(f64::MIN_POSITIVE);
        let residual = ritz.norms[..count].iter().fold(0.0_f64, |m, r| m.max(*r)) / largest;
        context.tell(|| Progress {
            stage: "components".to_owned(),
            iterations: products,
            ..Progress::default()
        });
        if residual < 0.98 * best {
            (best, since) = (residual, 0);
        } else {
            since += 1;
        }
        let is_whole = basis.columns() >= n;
        let stop_reason = if residual <= tolerance || is_whole {
            Some(StopReason::Converged)
        } else if since >= STALLED && residual <= 1e3 * tolerance {
            Some(StopReason::Stalled)
        } else if products >= wanted.max_products {
            Some(StopReason::IterationLimit)
        } else if context.cancel.is_cancelled() {
            return Err(Error::Cancelled);
        } else if context.out_of_time() {
            Some(StopReason::TimeLimit)
        } else {
            None
        };
        let finish = |stop_reason| {
            let chosen = ritz.first(count);
            Leading {
                values: chosen.values,
                vectors: basis.combine(&chosen.turns, par),
                residual,
                least: ritz.least,
                products,
                stop_reason,
            }
        };
        if let Some(stop_reason) = stop_reason {
            return Ok(finish(stop_reason));
        }
        // Pairs that have settled need no direction of theirs; those beyond the wanted ones help the
        // last of them.
        let open: Vec<usize> = (0..ritz.values.len())
            .filter(|&k| ritz.norms[k] > 0.1 * tolerance * largest)
            .collect();
        let directions = basis.residuals(&ritz, &open, par);
        let fresh = basis.orthonormal(directions, par)?;
        if fresh.columns() == 0 {
            // The space is invariant: nothing is left to find in it.
            return Ok(finish(StopReason::Converged));
        }
        let image = match operator.multiply(&fresh) {
            Err(Error::OutOfTime) => return Ok(finish(StopReason::TimeLimit)),
            image => image?,
        };
        products += 1;
        if basis.columns() + fresh.columns() > BLOCKS * width {
            // The directions of the last round belong to what is kept: they are orthogonal to all.
            basis.restart(&ritz, par);
        }
        basis.grow(&fresh, &image);
    }
}

/// Orthonormal columns V and A V.
struct Basis {
    columns: Matrix<f64>,
    images: Matrix<f64>,
}

/// The best approximations in a basis.
struct Ritz {
    /// In descending order.
    values: Vec<f64>,
    /// Norms of the residuals.
    norms: Vec<f64>,
    /// Coordinates in the basis, one pair per column.
    turns: Matrix<f64>,
    /// Largest eigenvalue in magnitude that was met.
    largest: f64,
    /// The least one.
    least: f64,
}

impl Ritz {
    /// The first pairs.
    fn first(&self, count: usize) -> Chosen {
        Chosen {
            values: self.values[..count].to_vec(),
            turns: columns_of(&self.turns, 0..count),
        }
    }
}

struct Chosen {
    values: Vec<f64>,
    turns: Matrix<f64>,
}

/// A run of columns.
fn columns_of(matrix: &Matrix<f64>, columns: std::ops::Range<usize>) -> Matrix<f64> {
    let rows = 0..matrix.rows();
    matrix.as_ref().submatrix(rows, columns).to_owned()
}

/// op(a) · b.
fn product(a: &Matrix<f64>, op: Op, b: &Matrix<f64>, par: Par) -> Matrix<f64> {
    let rows = match op {
        Op::None => a.rows(),
        Op::Transpose => a.columns(),
    };
    let mut out = Matrix::zeros(rows, b.columns());
    let (a, b) = (a.as_ref(), b.as_ref());
    gemm(1.0, a, op, b, Op::None, 0.0, out.as_mut(), par);
    out
}

/// aᵀ · b of tall matrices: sums over fixed runs of rows, in their order.
pub(crate) fn inner(a: &Matrix<f64>, b: &Matrix<f64>, par: Par) -> Matrix<f64> {
    /// Rows of a run.
    const RUN: usize = 4096;
    let n = a.rows();
    if n <= RUN {
        return product(a, Op::Transpose, b, par);
    }
    let runs = n.div_ceil(RUN);
    let parts: Vec<std::sync::Mutex<Matrix<f64>>> = (0..runs)
        .map(|_| std::sync::Mutex::new(Matrix::zeros(0, 0)))
        .collect();
    par.for_each(runs, |run| {
        let rows = run * RUN..((run + 1) * RUN).min(n);
        let mut part = Matrix::zeros(a.columns(), b.columns());
        gemm(
            1.0,
            a.as_ref().submatrix(rows.clone(), 0..a.columns()),
            Op::Transpose,
            b.as_ref().submatrix(rows, 0..b.columns()),
            Op::None,
            0.0,
            part.as_mut(),
            Par::Sequential,
        );
        if let Ok(mut place) = parts[run].lock() {
            *place = part;
        }
    });
    let mut sum = Matrix::zeros(a.columns(), b.columns());
    for part in parts {
        let part = part.into_inner().unwrap_or_else(|e| e.into_inner());
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
    fn new(rows: usize) -> Self {
        Self {
            columns: Matrix::zeros(rows, 0),
            images: Matrix::zeros(rows, 0),
        }
    }

    fn columns(&self) -> usize {
        self.columns.columns()
    }

    fn grow(&mut self, fresh: &Matrix<f64>, image: &Matrix<f64>) {
        self.columns = beside(&self.columns, fresh);
        self.images = beside(&self.images, image);
    }

    /// V · turns.
    fn combine(&self, turns: &Matrix<f64>, par: Par) -> Matrix<f64> {
        product(&self.columns, Op::None, turns, par)
    }

    /// Eigenpairs of VᵀAV with the norms of their residuals.
    fn ritz(&self, count: usize, par: Par) -> Result<Ritz> {
        let m = self.columns();
        let mut inner = inner(&self.columns, &self.images, par);
        for i in 0..m {
            for j in 0..i {
                let mean = 0.5 * (inner[(i, j)] + inner[(j, i)]);
                inner[(i, j)] = mean;
                inner[(j, i)] = mean;
            }
        }
        let eigen = eigen(&inner)?;
        let values: Vec<f64> = (0..count).map(|k| eigen.values[m - 1 - k]).collect();
        let turns = Matrix::from_fn(m, count, |i, k| eigen.vectors[(i, m - 1 - k)]);
        let (least, most) = (eigen.values[0], eigen.values[m - 1]);
        let mut ritz = Ritz {
            norms: Vec::new(),
            values,
            turns,
            largest: most.abs().max(least.abs()),
            least,
        };
        let all: Vec<usize> = (0..count).collect();
        let residuals = self.residuals(&ritz, &all, par);
        let mut squares = vec![0.0; count];
        for row in 0..residuals.rows() {
            for (sum, r) in squares.iter_mut().zip(residuals.row(row)) {
                *sum += r * r;
            }
        }
        ritz.norms = squares.into_iter().map(f64::sqrt).collect();
        Ok(ritz)
    }

    /// A V s − θ V s of some pairs, one per column.
    fn residuals(&self, ritz: &Ritz, pairs: &[usize], par: Par) -> Matrix<f64> {
        let turns = Matrix::from_fn(ritz.turns.rows(), pairs.len(), |i, k| {
            ritz.turns[(i, pairs[k])]
        });
        let mut scaled = turns.clone();
        for row in 0..scaled.rows() {
            for (value, &pair) in scaled.row_mut(row).iter_mut().zip(pairs) {
                *value *= ritz.values[pair];
            }
        }
        let mut out = product(&self.images, Op::None, &turns, par);
        let (a, b) = (self.columns.as_ref(), scaled.as_ref());
        gemm(-1.0, a, Op::None, b, Op::None, 1.0, out.as_mut(), par);
        out
    }

    /// Keeps the best part of the basis.
    fn restart(&mut self, ritz: &Ritz, par: Par) {
        self.columns = product(&self.columns, Op::None, &ritz.turns, par);
        self.images = product(&self.images, Op::None, &ritz.turns, par);
    }

    /// An orthonormal basis of what columns add to the basis; what is in it already is left out.
    fn orthonormal(&self, mut fresh: Matrix<f64>, par: Par) -> Result<Matrix<f64>> {
        // Each pass loses half the digits of what cancels; the third is for good measure where two
        // would do.
        for _ in 0..3 {
            if self.columns() > 0 {
                let shares = inner(&self.columns, &fresh, par);
                let (a, b) = (self.columns.as_ref(), shares.as_ref());
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

/// Two matrices side by side.
fn beside(a: &Matrix<f64>, b: &Matrix<f64>) -> Matrix<f64> {
    let (left, right) = (a.columns(), b.columns());
    let mut out = Matrix::zeros(a.rows(), left + right);
    for row in 0..a.rows() {
        let line = out.row_mut(row);
        line[..left].copy_from_slice(a.row(row));
        line[left..].copy_from_slice(b.row(row));
    }
    out
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
    Ok(product(columns, Op::None, &turns, par))
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
        assert!(found.products > BLOCKS as u64);
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
