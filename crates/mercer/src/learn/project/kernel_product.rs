//! Products with a kernel matrix around its mean, which is stored where it fits and computed again where it does not.
//!
//! With weights w, p = w/Σw and S = diag(√w) the matrix is S (I − 1pᵀ) K (I − p1ᵀ) S. Neither the means nor
//! the weights are ever put into K: they are taken out of the columns before the product and out of the product after it.
//! Values are single precision where that is good enough; sums over blocks are double. Of what is kept, one side of the diagonal
//! is, and so of what is computed again: a block serves the rows above and, transposed, the rows to its left while it is in the cache.
//!
//! The blocks of a round meet no panel of rows twice, so that threads need not wait for each other and every sum has one order.
//! Rounds are those of a tournament in which every panel meets every other one once.

use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use mercer_linalg::{Matrix, MatrixMut, MatrixRef, Par, Precision, Rows, WeightLists};

use crate::fit::FitContext;
use crate::gram::TileElement;
use crate::kernel::BoundKernel;
use crate::solver::subspace::Operator;
use crate::{Error, Result};

/// Rows and columns of a block: 256 KiB of single precision. Sums over the columns of one are single precision, too.
const PANEL: usize = 256;

/// A kernel matrix that can be multiplied by.
pub(super) struct KernelProduct<'a> {
    kernel: &'a dyn BoundKernel,
    stored: Stored,
    /// √w; `None` where all weights are 1.
    roots: Option<Vec<f64>>,
    /// p; `None` where the matrix is not centred.
    shares: Option<Vec<f64>>,
    context: &'a FitContext,
    evaluations: AtomicU64,
}

/// What is kept of the matrix: the blocks of every panel of rows up to the diagonal, each in one piece of memory.
enum Stored {
    Single(Vec<Vec<Matrix<f32>>>),
    Double(Vec<Vec<Matrix<f64>>>),
    Nothing(Precision),
}

impl<'a> KernelProduct<'a> {
    /// Prepares products in a precision; values are kept where they fit into the memory limit.
    pub(super) fn try_new(
        kernel: &'a dyn BoundKernel,
        precision: Precision,
        roots: Option<Vec<f64>>,
        shares: Option<Vec<f64>>,
        context: &'a FitContext,
    ) -> Result<Self> {
        let mut product = Self {
            kernel,
            stored: Stored::Nothing(precision),
            roots,
            shares,
            context,
            evaluations: AtomicU64::new(0),
        };
        if product.bytes(precision) <= context.memory_limit {
            let kept = match precision {
                Precision::F32 => product.panels()?.map(Stored::Single),
                Precision::F64 => product.panels()?.map(Stored::Double),
            };
            product.stored = kept.unwrap_or(Stored::Nothing(precision));
        }
        Ok(product)
    }

    fn count(&self) -> usize {
        self.kernel.len().div_ceil(PANEL)
    }

    /// The rows of a panel.
    fn rows(&self, panel: usize) -> Range<usize> {
        panel * PANEL..((panel + 1) * PANEL).min(self.kernel.len())
    }

    /// Entries of all panels.
    fn entries(&self) -> u64 {
        let of = |k: usize| {
            let rows = self.rows(k);
            rows.len() as u64 * rows.end as u64
        };
        (0..self.count()).map(of).sum()
    }

    /// Bytes of all panels.
    fn bytes(&self, precision: Precision) -> u64 {
        let size = match precision {
            Precision::F32 => 4,
            Precision::F64 => 8,
        };
        self.entries().saturating_mul(size)
    }

    /// Bytes that are held, beside the rows.
    pub(super) fn held(&self) -> u64 {
        match &self.stored {
            Stored::Single(_) => self.bytes(Precision::F32),
            Stored::Double(_) => self.bytes(Precision::F64),
            Stored::Nothing(_) => (PANEL * PANEL * 8 * self.context.thread_count()) as u64,
        }
    }

    /// Kernel values that were computed.
    pub(super) fn evaluations(&self) -> u64 {
        self.evaluations.load(Ordering::Relaxed)
    }

    /// Computes all panels; `None` where there is no room for them.
    fn panels<T: TileElement>(&self) -> Result<Option<Vec<Vec<Matrix<T>>>>> {
        let panels: Vec<usize> = (0..self.count()).collect();
        let made = self.context.map(panels, |k| {
            let rows = self.rows(k);
            let mut panel = Vec::with_capacity(k + 1);
            for columns in (0..=k).map(|j| self.rows(j)) {
                let mut block = Matrix::<T>::try_zeros(rows.len(), columns.len())?;
                if self.context.goes_on() {
                    let (rows, columns) = (Rows::Range(rows.clone()), Rows::Range(columns));
                    self.kernel
                        .tile(rows, columns, T::tile(block.as_mut()), Par::Sequential);
                }
                panel.push(block);
            }
            Some(panel)
        });
        self.context.check()?;
        self.evaluations
            .fetch_add(self.entries(), Ordering::Relaxed);
        Ok(made.into_iter().collect())
    }

    /// K · x, without weights and means.
    pub(super) fn plain(&self, x: &Matrix<f64>) -> Result<Matrix<f64>> {
        let (n, width) = (self.kernel.len(), x.columns());
        let mut out = Matrix::zeros(n, width);
        if width == 0 {
            return Ok(out);
        }
        match &self.stored {
            Stored::Single(panels) => self.fill(Some(panels), &x.cast(), &mut out),
            Stored::Nothing(Precision::F32) => self.fill::<f32>(None, &x.cast(), &mut out),
            Stored::Double(panels) => self.fill(Some(panels), x, &mut out),
            Stored::Nothing(Precision::F64) => self.fill::<f64>(None, x, &mut out),
        }
        self.context.check()?;
        if matches!(self.stored, Stored::Nothing(_)) {
            self.evaluations
                .fetch_add(self.entries(), Ordering::Relaxed);
        }
        Ok(out)
    }

    /// Adds K · x to `out`, a round of blocks after the other.
    fn fill<T: TileElement>(
        &self,
        stored: Option<&Vec<Vec<Matrix<T>>>>,
        x: &Matrix<T>,
        out: &mut Matrix<f64>,
    ) {
        let lists = WeightLists::of_columns(x.as_ref());
        let lines: Vec<Mutex<&mut [f64]>> = out
            .as_mut_slice()
            .chunks_mut(PANEL * x.columns())
            .map(Mutex::new)
            .collect();
        let par = self.context.par();
        par.for_each(lines.len(), |k| {
            self.block(k, k, stored, &lists, &lines);
        });
        for round in rounds(lines.len()) {
            if !self.context.goes_on() {
                return;
            }
            par.for_each(round.len(), |pair| {
                let (above, left) = round[pair];
                self.block(above, left, stored, &lists, &lines);
            });
        }
    }

    /// Adds the products with a block on or below the diagonal, and with its mirror image.
    fn block<T: TileElement>(
        &self,
        k: usize,
        j: usize,
        stored: Option<&Vec<Vec<Matrix<T>>>>,
        x: &WeightLists<T>,
        lines: &[Mutex<&mut [f64]>],
    ) {
        if !self.context.goes_on() {
            return;
        }
        let (rows, columns) = (self.rows(k), self.rows(j));
        let (height, width) = (rows.len(), columns.len());
        let mut tile = Vec::new();
        let block = if let Some(panels) = stored {
            panels[k][j].as_ref()
        } else {
            tile.resize(height * width, T::ZERO);
            let view = MatrixMut::from_slice(height, width, &mut tile);
            let (r, c) = (Rows::Range(rows.clone()), Rows::Range(columns.clone()));
            self.kernel.tile(r, c, T::tile(view), Par::Sequential);
            MatrixRef::from_slice(height, width, &tile)
        };
        if let Ok(mut sums) = lines[k].lock() {
            let stride = sums.len() / height;
            x.add(columns, block, &mut sums, 0, stride);
        }
        if j != k
            && let Ok(mut sums) = lines[j].lock()
        {
            x.add_across(rows, block, &mut sums);
        }
    }

    /// Multiplies rows by √w.
    fn weigh(&self, block: &mut Matrix<f64>) {
        if let Some(roots) = &self.roots {
            for (row, root) in roots.iter().enumerate() {
                block.row_mut(row).iter_mut().for_each(|v| *v *= root);
            }
        }
    }
}

impl Operator for KernelProduct<'_> {
    fn len(&self) -> usize {
        self.kernel.len()
    }

    fn multiply(&self, columns: &Matrix<f64>) -> Result<Matrix<f64>> {
        let mut x = columns.clone();
        self.weigh(&mut x);
        if let Some(shares) = &self.shares {
            let mut sums = vec![0.0; x.columns()];
            for row in 0..x.rows() {
                for (sum, v) in sums.iter_mut().zip(x.row(row)) {
                    *sum += v;
                }
            }
            for (row, share) in shares.iter().enumerate() {
                for (v, sum) in x.row_mut(row).iter_mut().zip(&sums) {
                    *v -= share * sum;
                }
            }
        }
        let mut out = self.plain(&x)?;
        if out.as_slice().iter().any(|v| !v.is_finite()) {
            return Err(Error::rows(
                "kernel values of some rows are beyond what numbers can hold",
                "scale the columns, or use another kernel",
            ));
        }
        if let Some(shares) = &self.shares {
            let mut means = vec![0.0; out.columns()];
            for (row, share) in shares.iter().enumerate() {
                for (mean, v) in means.iter_mut().zip(out.row(row)) {
                    *mean += share * v;
                }
            }
            for row in 0..out.rows() {
                for (v, mean) in out.row_mut(row).iter_mut().zip(&means) {
                    *v -= mean;
                }
            }
        }
        self.weigh(&mut out);
        Ok(out)
    }

    fn noise(&self) -> f64 {
        match &self.stored {
            Stored::Single(_) | Stored::Nothing(Precision::F32) => 3e-8,
            Stored::Double(_) | Stored::Nothing(Precision::F64) => 1e-14,
        }
    }
}

/// The pairs of different panels, the later one first, in rounds that have no panel twice: the first one stays, the others move on by
/// one place around a table from round to round, and those that sit opposite meet.
fn rounds(count: usize) -> impl Iterator<Item = Vec<(usize, usize)>> {
    // An odd one out waits for a round.
    let seats = count.next_multiple_of(2);
    let others = seats.saturating_sub(1);
    (0..others).map(move |round| {
        let at = |seat: usize| {
            if seat == 0 {
                0
            } else {
                1 + (round + seat - 1) % others
            }
        };
        let opposite = (0..seats / 2).map(|seat| (at(seat), at(seats - 1 - seat)));
        let in_order = opposite.map(|(a, b)| (a.max(b), a.min(b)));
        in_order.filter(|(later, _)| *later < count).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::rounds;

    #[test]
    fn every_pair_meets_once_and_no_panel_twice_in_a_round() {
        for count in 0..12 {
            let mut met = vec![0; count * count];
            for round in rounds(count) {
                let mut busy = vec![false; count];
                for (later, earlier) in round {
                    assert!(earlier < later && later < count);
                    for panel in [later, earlier] {
                        assert!(!busy[panel], "{count}");
                        busy[panel] = true;
                    }
                    met[later * count + earlier] += 1;
                }
            }
            let all: usize = met.iter().sum();
            assert_eq!(all, count * count.saturating_sub(1) / 2);
            assert!(met.iter().all(|m| *m <= 1));
        }
    }
}
