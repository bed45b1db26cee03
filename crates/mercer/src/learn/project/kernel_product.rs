//! Products with a kernel matrix around its mean, which is stored where it fits and computed again where it does not.
//!
//! With weights w, p = w/Σw and S = diag(√w) the matrix is S (I − 1pᵀ) K (I − p1ᵀ) S. Neither the means nor
//! the weights are ever put into K: they are taken out of the columns before the product and out of the product after it.
//! Values are single precision where that is good enough; sums over runs of columns are double.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use mercer_linalg::{Matrix, MatrixMut, MatrixRef, Op, Par, Precision, Rows, gemm};

use crate::fit::FitContext;
use crate::gram::TileElement;
use crate::kernel::{BoundKernel, TileMut};
use crate::solver::subspace::Operator;
use crate::{Error, Result};

/// Rows of a task, and columns whose sums are single precision: a tile is a megabyte.
const PANEL: usize = 256;
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

/// What is kept of the matrix.
enum Stored {
    Single(Matrix<f32>),
    Double(Matrix<f64>),
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
        let n = kernel.len();
        if product.bytes(precision) <= context.memory_limit {
            let kept =
                match precision {
                    Precision::F32 => Matrix::try_zeros(n, n)
                        .map(|whole| product.whole(whole).map(Stored::Single)),
                    Precision::F64 => Matrix::try_zeros(n, n)
                        .map(|whole| product.whole(whole).map(Stored::Double)),
                };
            if let Some(kept) = kept {
                product.stored = kept?;
            }
        }
        Ok(product)
    }

    /// Bytes of the whole matrix.
    fn bytes(&self, precision: Precision) -> u64 {
        let n = self.kernel.len() as u64;
        let size = match precision {
            Precision::F32 => 4,
            Precision::F64 => 8,
        };
        n.saturating_mul(n).saturating_mul(size)
    }

    /// Bytes that are held, beside the rows.
    pub(super) fn held(&self) -> u64 {
        match &self.stored {
            Stored::Single(_) => self.bytes(Precision::F32),
            Stored::Double(_) => self.bytes(Precision::F64),
            Stored::Nothing(_) => (PANEL * CHUNK * 8 * self.context.thread_count()) as u64,
        }
    }

    /// Kernel values that were computed.
    pub(super) fn evaluations(&self) -> u64 {
        self.evaluations.load(Ordering::Relaxed)
    }

    /// Fills a matrix with all values.
    fn whole<T: TileElement>(&self, mut out: Matrix<T>) -> Result<Matrix<T>> {
        let n = self.kernel.len();
        let panels: Vec<Mutex<&mut [T]>> = out
            .as_mut_slice()
            .chunks_mut(PANEL * n.max(1))
            .map(Mutex::new)
            .collect();
        self.context.par().for_each(panels.len(), |k| {
            if !self.context.goes_on() {
                return;
            }
            if let Ok(mut panel) = panels[k].lock() {
                let rows = k * PANEL..((k + 1) * PANEL).min(n);
                let view = MatrixMut::from_slice(rows.len(), n, &mut panel);
                let (rows, all) = (Rows::Range(rows), Rows::Range(0..n));
                self.kernel.tile(rows, all, T::tile(view), Par::Sequential);
            }
        });
        drop(panels);
        self.context.check()?;
        let count = (n as u64).saturating_mul(n as u64);
        self.evaluations.fetch_add(count, Ordering::Relaxed);
        Ok(out)
    }

    /// K · x, without weights and means.
    pub(super) fn plain(&self, x: &Matrix<f64>) -> Result<Matrix<f64>> {
        let (n, width) = (self.kernel.len(), x.columns());
        let mut out = Matrix::zeros(n, width);
        if width == 0 {
            return Ok(out);
        }
        let single = match &self.stored {
            Stored::Single(_) | Stored::Nothing(Precision::F32) => Some(x.cast::<f32>()),
            _ => None,
        };
        let panels: Vec<Mutex<&mut [f64]>> = out
            .as_mut_slice()
            .chunks_mut(PANEL * width)
            .map(Mutex::new)
            .collect();
        self.context.par().for_each(panels.len(), |k| {
            let Ok(mut panel) = panels[k].lock() else {
                return;
            };
            let rows = k * PANEL..((k + 1) * PANEL).min(n);
            match &single {
                Some(x) => self.single_panel(rows, x, &mut panel),
                None => self.double_panel(rows, x, &mut panel),
            }
        });
        drop(panels);
        self.context.check()?;
        if matches!(self.stored, Stored::Nothing(_)) {
            let count = (n as u64).saturating_mul(n as u64);
            self.evaluations.fetch_add(count, Ordering::Relaxed);
        }
        Ok(out)
    }

    /// Runs of columns.
    fn chunks(&self) -> impl Iterator<Item = std::ops::Range<usize>> + use<> {
        let n = self.kernel.len();
        (0..n).step_by(CHUNK).map(move |c| c..(c + CHUNK).min(n))
    }

    fn single_panel(&self, rows: std::ops::Range<usize>, x: &Matrix<f32>, out: &mut [f64]) {
        let width = x.columns();
        let mut sums = vec![0.0_f32; rows.len() * width];
        let mut tile = Vec::new();
        for columns in self.chunks() {
            if !self.context.goes_on() {
                return;
            }
            let block = match &self.stored {
                Stored::Single(all) => all.as_ref().submatrix(rows.clone(), columns.clone()),
                _ => {
                    tile.resize(rows.len() * columns.len(), 0.0);
                    let view = MatrixMut::from_slice(rows.len(), columns.len(), &mut tile);
                    let (r, c) = (Rows::Range(rows.clone()), Rows::Range(columns.clone()));
                    self.kernel.tile(r, c, TileMut::F32(view), Par::Sequential);
                    MatrixRef::from_slice(rows.len(), columns.len(), &tile)
                }
            };
            let x = x.as_ref().submatrix(columns, 0..width);
            let view = MatrixMut::from_slice(rows.len(), width, &mut sums);
            gemm(
                1.0,
                block,
                Op::None,
                x,
                Op::None,
                0.0,
                view,
                Par::Sequential,
            );
            for (out, sum) in out.iter_mut().zip(&sums) {
                *out += f64::from(*sum);
            }
        }
    }

    fn double_panel(&self, rows: std::ops::Range<usize>, x: &Matrix<f64>, out: &mut [f64]) {
        let width = x.columns();
        let mut tile = Vec::new();
        for columns in self.chunks() {
            if !self.context.goes_on() {
                return;
            }
            let block = match &self.stored {
                Stored::Double(all) => all.as_ref().submatrix(rows.clone(), columns.clone()),
                _ => {
                    tile.resize(rows.len() * columns.len(), 0.0);
                    let view = MatrixMut::from_slice(rows.len(), columns.len(), &mut tile);
                    let (r, c) = (Rows::Range(rows.clone()), Rows::Range(columns.clone()));
                    self.kernel.tile(r, c, TileMut::F64(view), Par::Sequential);
                    MatrixRef::from_slice(rows.len(), columns.len(), &tile)
                }
            };
            let x = x.as_ref().submatrix(columns, 0..width);
            let view = MatrixMut::from_slice(rows.len(), width, out);
            gemm(
                1.0,
                block,
                Op::None,
                x,
                Op::None,
                1.0,
                view,
                Par::Sequential,
            );
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
