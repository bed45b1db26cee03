//! Decisions of a kernel expansion about new rows.

use mercer_linalg::{Matrix, Par, Precision, Rows, dot};
use rayon::prelude::*;

use super::collapse::Weights;
use super::combine::{Combination, Scratch};
use super::model::KernelExpansion;
use crate::data::{Block, Records};
use crate::fit::Cancel;
use crate::kernel::{BoundKernel, QuerySide};
use crate::{Error, Result};

/// New rows of one task: what a tile packs at a time.
const BLOCK: usize = 96;

/// Sums that a task may hold: 16 MiB of them.
const SUMS: usize = 1 << 21;

/// Operations below which threads cost more than they save: about 100 µs on one core.
const WORTH_THREADS: f64 = 1e7;

/// Support vectors on which both precisions are compared.
const SAMPLE: usize = 16;

/// Largest difference of single-precision decisions on the sample, relative to max(1, |f|) and to
/// 1/max(1, |a|) where a sigmoid of slope a makes a probability of f.
///
/// A decision is wrong by a sum of many rounding errors, which is nearly normal. The largest
/// of 16 normal errors is expected at 1.77 standard deviations, so that the 4e-4 that is
/// promised is seven of them.
const SINGLE_ERROR: f64 = 1e-4;

/// Largest bound on the error of an f32 kernel value at which the sample is drawn at all.
const SINGLE_ROUNDING: f64 = 1e-2;

/// A kernel expansion with its kernel bound to the support vectors, ready to predict.
///
/// It owns all it needs and can be used from many threads at once. Preparing costs a
/// comparison of 16 support vectors with all; a row then costs one comparison with
/// each support vector, or one product per decision where the kernel is `linear`.
///
/// In double precision decisions differ from the formula by rounding only. In single precision
/// they keep within 4e-4·max(1, |f|), less than half of what a solver leaves open at its default
/// tolerance: kernel values are computed in f32 where 16 support vectors, evenly spaced, get the same
/// decisions up to 1e-4·max(1, |f|) as in f64, and up to 1/|a| of that under a sigmoid of slope a
/// beyond 1; rows whose k(x, x) is larger than that of any
/// support vector are computed in f64 always. A row gets the same prediction, bit for bit, alone
/// and among others, and for any number of threads.
pub struct ExpansionPredictor {
    constants: Vec<f64>,
    /// Weights of the features themselves.
    slopes: Option<Matrix<f64>>,
    work: Work,
    /// Operations per row.
    cost: f64,
}

impl std::fmt::Debug for ExpansionPredictor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ExpansionPredictor")
            .field("decisions", &self.constants.len())
            .field("precision", &self.precision())
            .finish_non_exhaustive()
    }
}

/// How decisions are computed.
enum Work {
    /// Without support vectors only constants are left.
    Constant,
    /// The kernel is the dot product.
    Linear(Box<dyn BoundKernel>, Weights),
    /// Any other kernel.
    Kernel(Box<Expansion>),
}

struct Expansion {
    kernel: Box<dyn BoundKernel>,
    double: Combination<f64>,
    /// Where f32 is good enough.
    single: Option<Combination<f32>>,
    /// Largest k(x, x) of a support vector.
    top: f64,
    decisions: usize,
    /// max(1, |a|) of every decision.
    slopes: Vec<f64>,
}

/// Buffers of one thread.
#[derive(Default)]
struct Buffers {
    single: Scratch<f32>,
    double: Scratch<f64>,
    row: Vec<f64>,
}

impl KernelExpansion {
    /// Prepares the model for predictions, in f64 or, where it is good enough, in f32.
    ///
    /// # Errors
    /// A kernel that cannot be bound to the stored support vectors.
    pub fn predictor(&self, precision: Precision) -> Result<ExpansionPredictor> {
        let points = &self.support.features.points;
        let width = self.coefficients.rows();
        let cost = (2 * points.columns() + 16 + 2 * width) as f64 * self.support.len() as f64;
        let (work, cost) = if self.support.is_empty() {
            (Work::Constant, 0.0)
        } else {
            let kernel = self.kernel.bind(&self.support)?;
            if let Some(weights) = Weights::of(self) {
                let cost = (4 * points.columns() * self.decisions()) as f64;
                (Work::Linear(kernel, weights), cost)
            } else {
                let expansion = Expansion::new(kernel, self, precision)?;
                (Work::Kernel(Box::new(expansion)), cost)
            }
        };
        Ok(ExpansionPredictor {
            constants: match &self.origin {
                None => self.biases.clone(),
                Some(_) => self.constants_at_origin(),
            },
            slopes: self.slopes.clone(),
            work,
            cost,
        })
    }
}

impl Expansion {
    fn new(
        kernel: Box<dyn BoundKernel>,
        model: &KernelExpansion,
        precision: Precision,
    ) -> Result<Self> {
        let n = model.support.len();
        let mut diagonal = vec![0.0; n];
        kernel.diagonal(Precision::F64, &mut diagonal);
        let mut expansion = Self {
            double: Combination::new(model),
            single: None,
            top: diagonal.into_iter().fold(0.0, f64::max),
            decisions: model.decisions(),
            slopes: model.readout.slopes(model.decisions()),
            kernel,
        };
        if precision == Precision::F32 && expansion.kernel.rounding_error() <= SINGLE_ROUNDING {
            let single = Combination::new(model);
            let count = n.min(SAMPLE);
            let sample: Vec<usize> = (0..count).map(|k| k * n / count).collect();
            let records = model.support.select(&sample);
            if expansion.is_close(&single, &records)? {
                expansion.single = Some(single);
            }
        }
        Ok(expansion)
    }

    /// Whether both precisions give the same decisions on a sample.
    fn is_close(&self, single: &Combination<f32>, sample: &Records) -> Result<bool> {
        let query = self.kernel.query(sample)?;
        let rows = Rows::Range(0..sample.len());
        let length = sample.len() * self.decisions;
        let (mut wide, mut narrow) = (vec![0.0; length], vec![0.0; length]);
        let mut buffers = Buffers::default();
        let query = query.as_ref();
        if !self.inside(query).iter().all(|inside| *inside) {
            return Ok(false);
        }
        self.double
            .decide(query, &rows, &mut buffers.double, &mut wide);
        single.decide(query, &rows, &mut buffers.single, &mut narrow);
        let mut pairs = wide.iter().zip(&narrow).zip(self.slopes.iter().cycle());
        // A value that is no number is close to none.
        Ok(pairs.all(|((f, g), slope)| (f - g).abs() * slope <= SINGLE_ERROR * f.abs().max(1.0)))
    }

    /// Whether k(x, x) of each new row is known and no larger than that of a support vector.
    fn inside(&self, query: &dyn QuerySide) -> Vec<bool> {
        let mut diagonal = vec![0.0; query.len()];
        query.diagonal(Precision::F32, &mut diagonal);
        // Rounding to f32 may lift the largest one itself.
        let most = self.top * (1.0 + 1e-5);
        diagonal.into_iter().map(|value| value <= most).collect()
    }

    /// Writes the decisions of a block of records.
    fn block(&self, records: &Records, buffers: &mut Buffers, out: &mut [f64]) -> Result<()> {
        let query = self.kernel.query(records)?;
        let query = query.as_ref();
        let all = Rows::Range(0..records.len());
        let Some(single) = &self.single else {
            self.double.decide(query, &all, &mut buffers.double, out);
            return Ok(());
        };
        single.decide(query, &all, &mut buffers.single, out);
        let inside = self.inside(query);
        for (row, out) in out.chunks_exact_mut(self.decisions).enumerate() {
            if !inside[row] {
                let row = Rows::Range(row..row + 1);
                self.double.decide(query, &row, &mut buffers.double, out);
            }
        }
        Ok(())
    }
}

impl ExpansionPredictor {
    /// Returns the precision of the kernel values.
    pub fn precision(&self) -> Precision {
        match &self.work {
            Work::Kernel(expansion) if expansion.single.is_some() => Precision::F32,
            _ => Precision::F64,
        }
    }

    /// Returns whether that many rows are worth starting threads for.
    pub fn is_worth_threads(&self, rows: usize) -> bool {
        rows > BLOCK && rows as f64 * self.cost >= WORTH_THREADS
    }

    /// Returns one row of decision values per record.
    ///
    /// Pairs come in the order (0,1), (0,2), …; a positive value speaks for the first class
    /// of the pair. One-vs-rest has a column per class. Regression returns the prediction,
    /// novelty detection a value that is negative for new rows.
    ///
    /// # Errors
    /// Records of another shape than the support vectors; cancellation.
    pub fn decisions(&self, records: &Records, par: Par, cancel: &Cancel) -> Result<Matrix<f64>> {
        let (n, width) = (records.len(), self.constants.len());
        // A decision between two of many classes is a sum of two, so rows have twice as many.
        let height = (SUMS / (2 * width).max(1)).clamp(1, BLOCK);
        let mut out = Matrix::zeros(n, width);
        let stopped = || {
            if cancel.is_cancelled() {
                Err(Error::Cancelled)
            } else {
                Ok(())
            }
        };
        let block = |buffers: &mut Buffers, (b, out): (usize, &mut [f64])| {
            stopped()?;
            let start = b * height;
            let rows = start..start + out.len() / width;
            if n <= height {
                return self.block(records, buffers, out);
            }
            // A block counts its rows from 0; the whole finds the fault again by its own number.
            self.block(&records.slice(rows), buffers, out)
                .or_else(|error| self.admit(records).and(Err(error)))
        };
        let length = height * width;
        if par == Par::Sequential || !self.is_worth_threads(n) {
            let mut buffers = Buffers::default();
            let mut blocks = out.as_mut_slice().chunks_mut(length).enumerate();
            blocks.try_for_each(|part| block(&mut buffers, part))?;
        } else {
            let blocks = out.as_mut_slice().par_chunks_mut(length).enumerate();
            blocks.try_for_each_init(Buffers::default, block)?;
        }
        Ok(out)
    }

    /// Checks that records can be compared with the support vectors.
    fn admit(&self, records: &Records) -> Result<()> {
        match &self.work {
            Work::Constant => Ok(()),
            Work::Linear(kernel, _) => kernel.query(records).map(drop),
            Work::Kernel(expansion) => expansion.kernel.query(records).map(drop),
        }
    }

    fn block(&self, records: &Records, buffers: &mut Buffers, out: &mut [f64]) -> Result<()> {
        self.without_slopes(records, buffers, out)?;
        let (Some(slopes), width) = (&self.slopes, self.constants.len()) else {
            return Ok(());
        };
        let points = records.features.points.widened();
        for (row, out) in out.chunks_exact_mut(width).enumerate() {
            for (d, out) in out.iter_mut().enumerate() {
                let weights = slopes.row(d);
                *out += match &points {
                    Block::Dense(m) => dot(m.row(row), weights),
                    Block::Sparse(m) => {
                        let (indices, values) = m.row(row);
                        let pairs = indices.iter().zip(values);
                        pairs.map(|(&j, v)| v * weights[j as usize]).sum()
                    }
                };
            }
        }
        Ok(())
    }

    fn without_slopes(
        &self,
        records: &Records,
        buffers: &mut Buffers,
        out: &mut [f64],
    ) -> Result<()> {
        let width = self.constants.len();
        match &self.work {
            Work::Constant => out.fill(0.0),
            Work::Linear(kernel, weights) => {
                kernel.query(records)?;
                let points = &records.features.points;
                for (row, out) in out.chunks_exact_mut(width).enumerate() {
                    weights.decide(points, row, &mut buffers.row, out);
                }
            }
            Work::Kernel(expansion) => {
                return expansion.block(records, buffers, out);
            }
        }
        for out in out.chunks_exact_mut(width) {
            for (out, constant) in out.iter_mut().zip(&self.constants) {
                *out += constant;
            }
        }
        Ok(())
    }
}
