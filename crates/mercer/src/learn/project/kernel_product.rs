//! Products with a kernel matrix around its mean, which is stored where it fits and computed again where it does not.
//!
//! With weights w, p = w/Σw and S = diag(√w) the matrix is S (I − 1pᵀ) K (I − p1ᵀ) S. Neither the means nor
//! the weights are ever put into K: they are taken out of the columns before the product and out of the product after it.
//! Values are single precision where that is good enough; sums over blocks are double. Of what is kept, one side of the diagonal is.

use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use mercer_linalg::{Matrix, MatrixMut, MatrixRef, Op, Par, Precision, Rows, gemm};

use crate::fit::FitContext;
use crate::gram::TileElement;
use crate::kernel::BoundKernel;
use crate::solver::subspace::Operator;
use crate::{Error, Result};

/// Rows and columns of a block: 256 KiB of single precision. Sums over the columns of one are single precision, too.
const PANEL: usize = 256;
/// Columns that are computed between two looks at the clock.
const CHUNK: usize = 1024;

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

/// What is kept of the matrix: panels of rows, each up to the diagonal.
enum Stored {
    Single(Vec<Matrix<f32>>),
    Double(Vec<Matrix<f64>>),
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
    fn panels<T: TileElement>(&self) -> Result<Option<Vec<Matrix<T>>>> {
        let panels: Vec<usize> = (0..self.count()).collect();
        let made = self.context.map(panels, |k| {
            let rows = self.rows(k);
            let mut panel = Matrix::<T>::try_zeros(rows.len(), rows.end)?;
            for start in (0..rows.end).step_by(CHUNK) {
                if !self.context.goes_on() {
                    break;
                }
                let columns = start..(start + CHUNK).min(rows.end);
                let part = panel.as_mut().submatrix(0..rows.len(), columns.clone());
                let (rows, columns) = (Rows::Range(rows.clone()), Rows::Range(columns));
                self.kernel
                    .tile(rows, columns, T::tile(part), Par::Sequential);
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
            let count = (n as u64).saturating_mul(n as u64);
            self.evaluations.fetch_add(count, Ordering::Relaxed);
        }
        Ok(out)
    }

    /// Writes K · x, a panel of rows a task.
    fn fill<T: TileElement>(
        &self,
        stored: Option<&Vec<Matrix<T>>>,
        x: &Matrix<T>,
        out: &mut Matrix<f64>,
    ) {
        let width = x.columns();
        let lines: Vec<Mutex<&mut [f64]>> = out
            .as_mut_slice()
            .chunks_mut(PANEL * width)
            .map(Mutex::new)
            .collect();
        self.context.par().for_each(lines.len(), |k| {
            if let Ok(mut lines) = lines[k].lock() {
                self.panel(k, stored, x, &mut lines);
            }
        });
    }

    /// Writes a panel of K · x: block after block, so that what is kept has no say in a sum.
    fn panel<T: TileElement>(
        &self,
        k: usize,
        stored: Option<&Vec<Matrix<T>>>,
        x: &Matrix<T>,
        out: &mut [f64],
    ) {
        let (rows, width) = (self.rows(k), x.columns());
        let mut sums = vec![T::ZERO; rows.len() * width];
        let mut tile = vec![T::ZERO; 0];
        for j in 0..self.count() {
            if !self.context.goes_on() {
                return;
            }
            let columns = self.rows(j);
            let (block, op) = match stored {
                Some(panels) if j <= k => {
                    let all = panels[k].as_ref();
                    (all.submatrix(0..rows.len(), columns.clone()), Op::None)
                }
                // Beyond the diagonal the matrix is its own mirror image.
                Some(panels) => {
                    let all = panels[j].as_ref();
                    let part = all.submatrix(0..columns.len(), rows.clone());
                    (part, Op::Transpose)
                }
                // The same blocks as those that are kept, so that sums are the same.
                None => {
                    let (above, left, op) = if j <= k {
                        (rows.clone(), columns.clone(), Op::None)
                    } else {
                        (columns.clone(), rows.clone(), Op::Transpose)
                    };
                    let shape = (above.len(), left.len());
                    tile.resize(shape.0 * shape.1, T::ZERO);
                    let view = MatrixMut::from_slice(shape.0, shape.1, &mut tile);
                    let (r, c) = (Rows::Range(above), Rows::Range(left));
                    self.kernel.tile(r, c, T::tile(view), Par::Sequential);
                    (MatrixRef::from_slice(shape.0, shape.1, &tile), op)
                }
            };
            let x = x.as_ref().submatrix(columns, 0..width);
            let view = MatrixMut::from_slice(rows.len(), width, &mut sums);
            gemm(
                T::ONE,
                block,
                op,
                x,
                Op::None,
                T::ZERO,
                view,
                Par::Sequential,
            );
            for (out, sum) in out.iter_mut().zip(&sums) {
                *out += sum.to_f64();
            }
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
