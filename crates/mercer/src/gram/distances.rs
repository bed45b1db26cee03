//! Kernel rows in memory: one matrix of distances serves every width of a kernel.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use mercer_linalg::{DenseRows, Epilogue, Matrix, Par, Rows, SparseRows, sparse_tile, tile};

use crate::Result;
use crate::data::{Block, Points, Records};
use crate::fit::FitContext;
use crate::kernel::{KernelSpec, ResolvedKernel, TileMut};

/// Rows of distances or kernel values computed at a time in double precision.
const BLOCK: usize = 128;
/// Time between two looks at the clock.
const GLANCE: Duration = Duration::from_millis(20);

/// Which distance a kernel is a function of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Distance {
    /// ‖x − z‖².
    Squared,
    /// Σ |x − z|.
    Absolute,
}

/// Returns the distance and the function of it, for kernels with one width for all features.
pub(crate) fn radial(kernel: &KernelSpec) -> Option<(Distance, Epilogue)> {
    let KernelSpec::Base { family, settings } = kernel else {
        return None;
    };
    let number = |name: &str| settings.number(family.parameter(name).ok()?);
    let (distance, epilogue) = match family.name {
        "rbf" => {
            let gamma = number("gamma").or_else(|| Some(0.5 / number("sigma")?.powi(2)))?;
            (Distance::Squared, Epilogue::Rbf { gamma })
        }
        "matern" => {
            let nu_twice = (2.0 * number("nu")?) as u8;
            let length = number("length")?;
            (Distance::Squared, Epilogue::Matern { nu_twice, length })
        }
        "rq" => {
            let (alpha, length) = (number("alpha")?, number("length")?);
            (
                Distance::Squared,
                Epilogue::RationalQuadratic { alpha, length },
            )
        }
        "laplace" => {
            let gamma = number("scale")?.recip();
            (Distance::Absolute, Epilogue::Laplace { gamma })
        }
        _ => return None,
    };
    Some((distance, epilogue))
}

/// Distances of all pairs of rows, rounded once: cancellation happens in double precision.
pub(crate) struct Distances {
    pub(crate) kind: Distance,
    values: Matrix<f32>,
    /// Matrices that kernel groups write kernel rows into; used again to spare page faults.
    spare: Mutex<Vec<Matrix<f32>>>,
}

impl Distances {
    /// Computes them; `None` where they leave the range of single precision, or the time is up.
    pub(crate) fn new(kind: Distance, points: &Points, context: &FitContext) -> Option<Self> {
        let epilogue = match kind {
            Distance::Squared => Epilogue::SquaredDistance,
            Distance::Absolute => Epilogue::L1Distance,
        };
        let (n, par) = (points.rows(), context.par());
        let mut values = Matrix::<f32>::zeros(n, n);
        let mut block = Matrix::<f64>::zeros(BLOCK.min(n), n);
        let points = points.widened();
        let dense = match &points {
            Block::Dense(m) => {
                let share = 1.0 / n.max(1) as f64;
                let mut means = vec![0.0; m.columns()];
                for row in 0..n {
                    for (mean, value) in means.iter_mut().zip(m.row(row)) {
                        *mean += value * share;
                    }
                }
                Some(DenseRows::<f64>::new(m.as_ref(), Some(&means), None))
            }
            Block::Sparse(_) => None,
        };
        let sparse = match &points {
            Block::Sparse(m) => Some(SparseRows::<f64>::new(m, None)),
            Block::Dense(_) => None,
        };
        for start in (0..n).step_by(BLOCK) {
            context.check().ok()?;
            let height = BLOCK.min(n - start);
            let (rows, columns) = (Rows::Range(start..start + height), Rows::Range(0..n));
            let out = block.as_mut().submatrix(0..height, 0..n);
            match (&dense, &sparse) {
                (Some(side), _) => tile(side, rows, side, columns, &epilogue, out, par),
                (_, Some(side)) => sparse_tile(side, rows, side, columns, &epilogue, out, par),
                _ => return None,
            }
            for row in 0..height {
                let from = block.row(row);
                for (to, &value) in values.row_mut(start + row).iter_mut().zip(from) {
                    *to = value as f32;
                }
            }
        }
        let finite = values.as_slice().iter().all(|v| v.is_finite());
        finite.then(|| Self {
            kind,
            values,
            spare: Mutex::new(Vec::new()),
        })
    }

    fn take(&self) -> Matrix<f32> {
        let n = self.values.rows();
        let spare = self.spare.lock().ok().and_then(|mut s| s.pop());
        spare.unwrap_or_else(|| Matrix::zeros(n, n))
    }
}

/// Computes a whole kernel matrix, rounded from double precision.
///
/// # Errors
/// Rows the kernel cannot compare; cancellation and the time limit.
pub(crate) fn whole(
    kernel: &ResolvedKernel,
    records: &Records,
    context: &FitContext,
) -> Result<Matrix<f32>> {
    let bound = kernel.bind(records)?;
    let n = records.len();
    let mut values = Matrix::<f32>::zeros(n, n);
    let mut block = Matrix::<f64>::zeros(BLOCK.min(n), n);
    // Kernels of texts and graphs take seconds for as many rows as others do in no time.
    let (mut start, mut most) = (0, 1);
    while start < n {
        context.check()?;
        let begun = Instant::now();
        let height = most.min(n - start);
        bound.tile(
            Rows::Range(start..start + height),
            Rows::Range(0..n),
            TileMut::F64(block.as_mut().submatrix(0..height, 0..n)),
            Par::Sequential,
        );
        for row in 0..height {
            let from = block.row(row);
            for (to, &value) in values.row_mut(start + row).iter_mut().zip(from) {
                *to = value as f32;
            }
        }
        start += height;
        most = if begun.elapsed() > GLANCE {
            (most / 2).max(1)
        } else {
            (2 * most).min(BLOCK)
        };
    }
    Ok(values)
}

/// The rows of one kernel matrix, made when they are first needed.
pub(crate) struct KernelRows<'a> {
    values: Matrix<f32>,
    ready: Vec<bool>,
    lazy: Option<(&'a Distances, Epilogue)>,
}

impl<'a> KernelRows<'a> {
    /// Rows made from distances.
    pub(crate) fn from_distances(distances: &'a Distances, epilogue: Epilogue) -> Self {
        let values = distances.take();
        Self {
            ready: vec![false; values.rows()],
            values,
            lazy: Some((distances, epilogue)),
        }
    }

    /// Rows of a matrix that is there.
    pub(crate) fn from_matrix(values: Matrix<f32>) -> Self {
        Self {
            ready: vec![true; values.rows()],
            values,
            lazy: None,
        }
    }

    /// Makes rows that are not there yet.
    pub(crate) fn prepare(&mut self, rows: impl IntoIterator<Item = u32>) {
        let Some((distances, epilogue)) = &self.lazy else {
            return;
        };
        for row in rows {
            let row = row as usize;
            if !self.ready[row] {
                self.ready[row] = true;
                let out = self.values.row_mut(row);
                out.copy_from_slice(distances.values.row(row));
                epilogue.apply_to_distances(out);
            }
        }
    }

    /// Returns a row that was prepared.
    pub(crate) fn row(&self, row: u32) -> &[f32] {
        debug_assert!(self.ready[row as usize], "row {row} was not prepared");
        self.values.row(row as usize)
    }

    /// Returns the number of rows.
    pub(crate) fn len(&self) -> usize {
        self.values.rows()
    }

    /// Forgets which rows are ready, so that the next use starts anew.
    pub(crate) fn release(self) -> Option<Matrix<f32>> {
        match self.lazy {
            Some((distances, _)) => {
                if let Ok(mut spare) = distances.spare.lock() {
                    spare.push(self.values);
                }
                None
            }
            None => Some(self.values),
        }
    }
}
