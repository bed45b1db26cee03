//! Randomly pivoted Cholesky: K ≈ FFᵀ of a kernel matrix that is given by its diagonal and by columns.
//!
//! With the residual R = K − FFᵀ a pivot i is drawn with probability R_ii/tr R, and R(·, i)/√R_ii is the next
//! column of F. The expected trace of what is left is, up to constants, the least that as many columns can
//! leave; rows that are far from all pivots are drawn, copies of pivots never. Of K only the diagonal and
//! the columns of pivots are computed: n·r values for r pivots.
//!
//! Pivots come in blocks. A block of proposals is drawn by the diagonal as it stands; inside of it the j-th is accepted with
//! probability R_jj now/R_jj then, which leaves the law of the pivots as it is and makes products with blocks of it.
//!
//! The factor is kept as Fᵀ, a row per pivot: a step then is sums of rows, and a factor that ends early needs no copy.
//!
//! References: Chen, Epperly, Tropp and Webber, Randomly pivoted Cholesky, 2024; Epperly, Tropp and Webber,
//! Embrace rejection: kernel matrix approximation by accelerated randomly pivoted Cholesky, 2024.

use std::ops::Range;

use mercer_linalg::{Matrix, MatrixMut, MatrixRef, Op, Par, axpy, gemm};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use crate::data::random::unit;
use crate::fit::{FitContext, StopReason};
use crate::gram::KernelSource;
use crate::{Error, Result};

/// Columns of a task: a block of proposals against them stays in the second-level cache.
const RUN: usize = 1024;
/// Fewest and most proposals of a block; in between an eighth of the rank, so that few of a block are near each other.
const PROPOSALS: (usize, usize) = (8, 128);
/// Share of K_ii below which a residual is the rounding of the sums that it is left of.
const ROUNDING: f64 = 1e-13;

/// When to stop, and what is factored.
#[derive(Debug, Clone, Copy)]
pub struct Pivoting<'a> {
    /// Most pivots.
    pub rank: usize,
    /// Share of the trace of K that may be left.
    pub tolerance: f64,
    /// Factors s of the rows: s_i K_ij s_j is factored in place of K.
    pub scales: Option<&'a [f64]>,
}

/// A factor of a kernel matrix with what it leaves.
#[derive(Debug, Clone)]
pub struct PivotedCholesky {
    /// Rows of the kernel matrix in the order in which they became pivots, no row twice.
    pub pivots: Vec<u32>,
    /// Fᵀ: a row per pivot, a column per row of K.
    pub factor: Matrix<f64>,
    /// The diagonal of K − FFᵀ; nowhere negative, and 0 where it is rounding.
    pub residual: Vec<f64>,
    /// The trace of K.
    pub trace: f64,
    /// The trace of K − FFᵀ.
    pub remaining: f64,
    /// [`StopReason::TimeLimit`] where the time limit left pivots out.
    pub stop_reason: StopReason,
}

impl PivotedCholesky {
    /// Factors a kernel matrix until the rank or the tolerance is reached, or nothing but rounding is left.
    ///
    /// Time n·r² multiplications and n·r kernel values, memory n·r numbers. What is drawn depends on the seed of the
    /// context, never on threads.
    ///
    /// # Errors
    /// Cancellation; kernel values that are no numbers; [`Error::Memory`] where there is no room for the factor.
    pub fn new(
        source: &KernelSource<'_>,
        asked: Pivoting<'_>,
        context: &FitContext,
    ) -> Result<Self> {
        let n = source.len();
        let scale = |i: usize| asked.scales.map_or(1.0, |s| s[i]);
        let mut residual = source.diagonal::<f64>();
        for (i, value) in residual.iter_mut().enumerate() {
            *value *= scale(i) * scale(i);
        }
        if residual.iter().any(|v| !v.is_finite()) {
            return Err(not_finite());
        }
        let floors: Vec<f64> = residual.iter().map(|v| ROUNDING * v.max(0.0)).collect();
        residual.iter_mut().for_each(|v| *v = v.max(0.0));
        let rank = asked.rank.min(n);
        let mut values = Vec::new();
        values
            .try_reserve_exact(rank * n)
            .map_err(|_| Error::Memory {
                what: format!("a factor of {rank} columns for {n} rows"),
                needed: (rank * n * size_of::<f64>()) as u64,
                limit: context.most_memory(),
            })?;
        let trace = residual.iter().sum();
        let mut state = State {
            source,
            scales: asked.scales,
            floors,
            residual,
            pivots: Vec::with_capacity(rank),
            values,
        };
        let mut rng = ChaCha8Rng::seed_from_u64(context.seed);
        let width = (rank / 8).clamp(PROPOSALS.0, PROPOSALS.1);
        let mut stop_reason = StopReason::Converged;
        while state.pivots.len() < rank {
            let (proposals, remaining) = state.propose(width, &mut rng);
            if remaining <= asked.tolerance * trace || proposals.is_empty() {
                break;
            }
            if context.cancel.is_cancelled() {
                return Err(Error::Cancelled);
            }
            if context.out_of_time() {
                stop_reason = StopReason::TimeLimit;
                break;
            }
            let most = rank - state.pivots.len();
            let accepted = state.accept(&proposals, most, &mut rng)?;
            state.extend(&accepted, context)?;
        }
        let State {
            residual,
            pivots,
            values,
            ..
        } = state;
        Ok(Self {
            factor: Matrix::from_vec(pivots.len(), n, values),
            remaining: residual.iter().sum(),
            pivots,
            residual,
            trace,
            stop_reason,
        })
    }

    /// Returns the number of pivots.
    pub fn rank(&self) -> usize {
        self.pivots.len()
    }
}

fn not_finite() -> Error {
    Error::rows(
        "kernel values of some rows are beyond what numbers can hold",
        "scale the columns, or use another kernel",
    )
}

/// A factor that grows.
struct State<'a, 'b> {
    source: &'a KernelSource<'b>,
    scales: Option<&'a [f64]>,
    /// Below them a residual is rounding.
    floors: Vec<f64>,
    residual: Vec<f64>,
    pivots: Vec<u32>,
    /// Fᵀ, row after row.
    values: Vec<f64>,
}

/// Pivots of a block with the Cholesky factor of their residuals.
struct Accepted {
    pivots: Vec<u32>,
    /// Row j up to its diagonal.
    lower: Vec<Vec<f64>>,
}

impl State<'_, '_> {
    fn scale(&self, row: u32) -> f64 {
        self.scales.map_or(1.0, |s| s[row as usize])
    }

    /// Draws rows by the residual diagonal; returns its sum, too.
    fn propose(&self, width: usize, rng: &mut ChaCha8Rng) -> (Vec<u32>, f64) {
        let mut sums = Vec::with_capacity(self.residual.len());
        let mut total = 0.0;
        for value in &self.residual {
            total += value;
            sums.push(total);
        }
        if total <= 0.0 {
            return (Vec::new(), 0.0);
        }
        let draw = |_: usize| {
            // In (0, total]: a row without a residual has no part of it.
            let place = unit(rng) * total;
            let row = sums.partition_point(|sum| *sum < place);
            row.min(sums.len() - 1) as u32
        };
        ((0..width).map(draw).collect(), total)
    }

    /// Columns of Fᵀ for some rows of K, one row each.
    fn gather(&self, rows: &[u32]) -> Matrix<f64> {
        let (n, rank) = (self.residual.len(), self.pivots.len());
        Matrix::from_fn(rows.len(), rank, |k, r| {
            self.values[r * n + rows[k] as usize]
        })
    }

    /// Accepts proposals one after the other, each by what those before it left of its residual.
    fn accept(&mut self, proposals: &[u32], most: usize, rng: &mut ChaCha8Rng) -> Result<Accepted> {
        let width = proposals.len();
        let mut block = Matrix::<f64>::zeros(width, width);
        self.source
            .block(proposals, proposals, block.as_mut(), Par::Sequential);
        for (k, &row) in proposals.iter().enumerate() {
            let own = self.scale(row);
            for (value, &column) in block.row_mut(k).iter_mut().zip(proposals) {
                *value *= own * self.scale(column);
            }
        }
        let known = self.gather(proposals);
        subtract(&known, &known, Op::Transpose, block.as_mut());
        if block.as_slice().iter().any(|v| !v.is_finite()) {
            return Err(not_finite());
        }
        let first: Vec<f64> = (0..width).map(|k| block[(k, k)]).collect();
        let mut taken: Vec<usize> = Vec::new();
        // Columns of the block's factor, one per pivot, over all proposals.
        let mut columns: Vec<Vec<f64>> = Vec::new();
        for k in 0..width {
            let left = first[k] - columns.iter().map(|c| c[k] * c[k]).sum::<f64>();
            // A draw for every proposal, so that what rounding decides moves no later draw.
            let draw = unit(rng);
            let row = proposals[k] as usize;
            if left <= self.floors[row] {
                if taken.is_empty() {
                    // The sums of the diagonal had drifted: without this the row would be drawn again.
                    self.residual[row] = 0.0;
                }
                continue;
            }
            if draw * first[k] > left {
                continue;
            }
            let root = left.sqrt();
            let mut column: Vec<f64> = block.row(k).to_vec();
            for earlier in &columns {
                axpy(-earlier[k], earlier, &mut column);
            }
            column.iter_mut().for_each(|v| *v /= root);
            column[k] = root;
            columns.push(column);
            taken.push(k);
            if taken.len() == most {
                break;
            }
        }
        Ok(Accepted {
            pivots: taken.iter().map(|&k| proposals[k]).collect(),
            lower: (0..taken.len())
                .map(|j| (0..=j).map(|l| columns[l][taken[j]]).collect())
                .collect(),
        })
    }

    /// Adds the rows of Fᵀ that belong to new pivots.
    fn extend(&mut self, accepted: &Accepted, context: &FitContext) -> Result<()> {
        let (n, more) = (self.residual.len(), accepted.pivots.len());
        if more == 0 {
            return Ok(());
        }
        let known = self.gather(&accepted.pivots);
        let bound = self.source.bound_rows(&accepted.pivots);
        let runs: Vec<Range<usize>> = (0..n)
            .step_by(RUN)
            .map(|start| start..(start + RUN).min(n))
            .collect();
        let parts = context.map(runs.clone(), |run| {
            let mut part = Matrix::<f64>::zeros(more, run.len());
            self.source.run(&bound, run.clone(), part.as_mut());
            if let Some(scales) = self.scales {
                for (j, &pivot) in accepted.pivots.iter().enumerate() {
                    let own = self.scale(pivot);
                    let columns = part.row_mut(j).iter_mut().zip(&scales[run.clone()]);
                    columns.for_each(|(value, scale)| *value *= own * scale);
                }
            }
            let all = MatrixRef::from_slice(self.pivots.len(), n, &self.values);
            let view = all.submatrix(0..self.pivots.len(), run.clone());
            if known.columns() > 0 {
                gemm(
                    -1.0,
                    known.as_ref(),
                    Op::None,
                    view,
                    Op::None,
                    1.0,
                    part.as_mut(),
                    Par::Sequential,
                );
            }
            solve_lower(&accepted.lower, &mut part);
            part
        });
        let start = self.values.len();
        self.values.resize(start + more * n, 0.0);
        for (run, part) in runs.into_iter().zip(&parts) {
            for j in 0..more {
                let from = part.row(j);
                let to = start + j * n;
                self.values[to + run.start..to + run.end].copy_from_slice(from);
                for (left, value) in self.residual[run.clone()].iter_mut().zip(from) {
                    *left -= value * value;
                }
            }
        }
        for (left, floor) in self.residual.iter_mut().zip(&self.floors) {
            if !left.is_finite() {
                return Err(not_finite());
            }
            if *left <= *floor {
                *left = 0.0;
            }
        }
        for &pivot in &accepted.pivots {
            self.residual[pivot as usize] = 0.0;
        }
        self.pivots.extend(&accepted.pivots);
        Ok(())
    }
}

/// out −= a·op(b).
fn subtract(a: &Matrix<f64>, b: &Matrix<f64>, op: Op, out: MatrixMut<'_, f64>) {
    if a.columns() > 0 {
        let (a, b) = (a.as_ref(), b.as_ref());
        gemm(-1.0, a, Op::None, b, op, 1.0, out, Par::Sequential);
    }
}

/// Solves L X = part for the rows of X.
fn solve_lower(lower: &[Vec<f64>], part: &mut Matrix<f64>) {
    let width = part.columns();
    for (j, row) in lower.iter().enumerate() {
        let (above, from) = part.as_mut_slice().split_at_mut(j * width);
        let own = &mut from[..width];
        for (l, value) in row[..j].iter().enumerate() {
            axpy(-value, &above[l * width..(l + 1) * width], own);
        }
        let diagonal = row[j];
        own.iter_mut().for_each(|v| *v /= diagonal);
    }
}

#[cfg(test)]
mod tests {
    use mercer_linalg::Matrix;
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::SeedableRng;

    use super::*;
    use crate::data::Records;
    use crate::data::random::normal;
    use crate::kernel::KernelSpec;

    fn points(n: usize, d: usize, seed: u64) -> Matrix<f64> {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        Matrix::from_fn(n, d, |_, _| normal(&mut rng))
    }

    /// The factor and the kernel matrix.
    fn factored(
        kernel: &KernelSpec,
        points: Matrix<f64>,
        asked: Pivoting<'_>,
        context: &FitContext,
    ) -> (PivotedCholesky, Matrix<f64>) {
        let records = Records::from_points(points);
        let (kernel, _) = kernel.resolve(&records, None).unwrap();
        let bound = kernel.bind(&records).unwrap();
        let source = KernelSource::whole(&*bound, 0.0);
        let found = context
            .install(|| PivotedCholesky::new(&source, asked, context))
            .unwrap()
            .unwrap();
        (found, kernel.gram(&records, Par::Sequential).unwrap())
    }

    fn asked(rank: usize) -> Pivoting<'static> {
        Pivoting {
            rank,
            tolerance: 0.0,
            scales: None,
        }
    }

    fn largest_difference(found: &PivotedCholesky, gram: &Matrix<f64>, scales: &[f64]) -> f64 {
        let n = gram.rows();
        let mut largest: f64 = 0.0;
        for i in 0..n {
            for j in 0..n {
                let product: f64 = (0..found.rank())
                    .map(|r| found.factor[(r, i)] * found.factor[(r, j)])
                    .sum();
                let exact = scales[i] * gram[(i, j)] * scales[j];
                largest = largest.max((exact - product).abs());
            }
        }
        largest
    }

    #[test]
    fn a_full_factor_is_the_matrix_and_pivots_are_distinct() {
        let context = FitContext::default();
        for scaled in [false, true] {
            let n = 60;
            let scales: Vec<f64> = (0..n)
                .map(|i| if scaled { 1.0 + (i % 4) as f64 } else { 1.0 })
                .collect();
            let how = Pivoting {
                scales: scaled.then_some(&scales[..]),
                ..asked(n)
            };
            let (found, gram) = factored(&KernelSpec::rbf(0.5), points(n, 3, 1), how, &context);
            let mut pivots = found.pivots.clone();
            pivots.sort_unstable();
            pivots.dedup();
            assert_eq!(pivots.len(), found.rank());
            assert!(largest_difference(&found, &gram, &scales) < 1e-11);
        }
    }

    #[test]
    fn the_residual_is_the_diagonal_that_is_left() {
        let context = FitContext::default();
        let (found, gram) = factored(
            &KernelSpec::rbf(0.1),
            points(300, 2, 2),
            asked(20),
            &context,
        );
        assert_eq!(found.rank(), 20);
        for i in 0..300 {
            let sum: f64 = (0..20).map(|r| found.factor[(r, i)].powi(2)).sum();
            assert!((gram[(i, i)] - sum - found.residual[i]).abs() < 1e-11);
        }
        assert!((found.trace - 300.0).abs() < 1e-9);
        assert!((found.remaining - found.residual.iter().sum::<f64>()).abs() < 1e-12);
        // Twenty pivots of a smooth kernel on a plane leave next to nothing.
        assert!(found.remaining < 0.1 * found.trace, "{}", found.remaining);
        for &pivot in &found.pivots {
            assert!(found.residual[pivot as usize] == 0.0);
        }
    }

    #[test]
    fn copies_and_low_rank_end_the_factor() {
        let context = FitContext::default();
        let some = points(40, 3, 3);
        let copies = Matrix::from_fn(200, 3, |i, j| some[(i % 40, j)]);
        let (found, gram) = factored(&KernelSpec::rbf(1.0), copies, asked(200), &context);
        assert!(found.rank() <= 40, "{}", found.rank());
        assert!(largest_difference(&found, &gram, &[1.0; 200]) < 1e-11);
        let (found, gram) = factored(
            &KernelSpec::linear(),
            points(100, 3, 4),
            asked(100),
            &context,
        );
        assert_eq!(found.rank(), 3);
        assert!(found.remaining == 0.0);
        assert!(largest_difference(&found, &gram, &[1.0; 100]) < 1e-11);
        // One row, two equal rows, rows of zeros.
        let (found, _) = factored(
            &KernelSpec::rbf(1.0),
            Matrix::zeros(1, 1),
            asked(5),
            &context,
        );
        assert_eq!(found.pivots, [0]);
        let (found, _) = factored(
            &KernelSpec::rbf(1.0),
            Matrix::zeros(2, 1),
            asked(5),
            &context,
        );
        assert_eq!(found.rank(), 1);
        let (found, _) = factored(
            &KernelSpec::linear(),
            Matrix::zeros(4, 2),
            asked(5),
            &context,
        );
        assert_eq!((found.rank(), found.trace), (0, 0.0));
    }

    #[test]
    fn a_tolerance_on_the_trace_ends_the_factor() {
        let context = FitContext::default();
        let how = Pivoting {
            tolerance: 0.2,
            ..asked(300)
        };
        let (found, _) = factored(&KernelSpec::rbf(0.1), points(300, 2, 5), how, &context);
        assert!(found.remaining <= 0.2 * found.trace && found.rank() < 60);
    }

    #[test]
    fn threads_change_no_bit_and_the_seed_does() {
        let run = |threads: usize, seed: u64| {
            let context = FitContext::default().threads(threads).seed(seed);
            factored(
                &KernelSpec::rbf(0.3),
                points(2500, 4, 6),
                asked(100),
                &context,
            )
            .0
        };
        let (one, two, other) = (run(1, 0), run(2, 0), run(1, 7));
        assert_eq!(one.pivots, two.pivots);
        assert_eq!(one.factor, two.factor);
        assert_eq!(one.residual, two.residual);
        assert_ne!(one.pivots, other.pivots);
    }

    #[test]
    fn rows_are_drawn_by_what_is_left_of_them() {
        // A block of one proposal is the method without blocks: the law of the second pivot, counted over
        // seeds, is the residual diagonal after the first; blocks with rejection must keep it.
        let n = 6;
        let rows = points(n, 1, 8);
        let records = Records::from_points(rows.clone());
        let (kernel, _) = KernelSpec::rbf(0.8).resolve(&records, None).unwrap();
        let gram = kernel.gram(&records, Par::Sequential).unwrap();
        let mut expected = vec![0.0; n];
        for first in 0..n {
            let left: Vec<f64> = (0..n).map(|i| 1.0 - gram[(i, first)].powi(2)).collect();
            let total: f64 = left.iter().sum();
            for i in 0..n {
                expected[i] += left[i] / total / n as f64;
            }
        }
        let draws = 4000;
        let mut counts = vec![0.0; n];
        for seed in 0..draws {
            let context = FitContext::default().threads(1).seed(seed);
            let (found, _) = factored(&KernelSpec::rbf(0.8), rows.clone(), asked(2), &context);
            counts[found.pivots[1] as usize] += 1.0 / draws as f64;
        }
        for (found, expected) in counts.iter().zip(&expected) {
            // Four standard errors of a share of 4000 draws.
            assert!((found - expected).abs() < 0.03, "{counts:?} {expected:?}");
        }
    }

    #[test]
    fn cancelling_and_the_time_limit_are_heard() {
        let cancelled = FitContext::default();
        cancelled.cancel.cancel();
        let records = Records::from_points(points(50, 2, 9));
        let (kernel, _) = KernelSpec::rbf(1.0).resolve(&records, None).unwrap();
        let bound = kernel.bind(&records).unwrap();
        let source = KernelSource::whole(&*bound, 0.0);
        let found = PivotedCholesky::new(&source, asked(10), &cancelled);
        assert!(matches!(found, Err(Error::Cancelled)));
        let late = FitContext::default().time_limit(Some(std::time::Duration::ZERO));
        let found = PivotedCholesky::new(&source, asked(10), &late).unwrap();
        assert_eq!(
            (found.rank(), found.stop_reason),
            (0, StopReason::TimeLimit)
        );
    }
}
