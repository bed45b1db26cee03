//! Kernel principal component analysis: parameters and fit.

use mercer_linalg::{Matrix, Par, Precision, Rows, SymmetricEigen};
use serde::{Deserialize, Serialize};

use super::axes::turn_up;
use super::kernel_product::KernelProduct;
use crate::data::{Dataset, Records};
use crate::fit::{
    FitContext, FitReport, Fitted, KernelReport, Note, ProjectionReport, SolverReport, StopReason,
};
use crate::gram::TileElement as _;
use crate::kernel::{BoundKernel, KernelSpec, ResolvedKernel};
use crate::learn::{Estimator, Settings};
use crate::model::expansion::{KernelComponents, KernelExpansion};
use crate::model::readout::Readout;
use crate::solver::subspace::{Operator as _, Wanted, leading};
use crate::{Error, Result};

/// Kernel PCA: the axes of largest variance in the space of a kernel, K_c v = λ v with K_c the kernel matrix of the rows
/// around their mean there.
///
/// A row x becomes λ_j^−½ Σ_i (v_j)_i k_c(x_i, x) for the largest eigenvalues λ_j. Use it where structure is curved, on rows of
/// any kind that a kernel compares: numbers, texts, graphs. What the components do not reach of a row tells how unlike the
/// training rows it is ([`KernelExpansion::residuals`]), and rows of numbers can be found again from their
/// coordinates ([`KernelExpansion::denoise`]).
///
/// A few components of n rows take some products of a kernel matrix with as many columns. The matrix is kept in single precision
/// where it fits into the memory limit; otherwise its values are computed again for every product, and memory grows with
/// n alone. All components take time in n³ and memory in n². Weights mean copies.
///
/// # Examples
/// ```
/// use mercer::data::{Dataset, Records, Targets};
/// use mercer::fit::FitContext;
/// use mercer::kernel::KernelSpec;
/// use mercer::learn::Estimator;
/// use mercer::learn::project::KernelPca;
/// use mercer_linalg::Matrix;
///
/// let x = Matrix::from_vec(5, 2, vec![0.0, 0.0, 2.0, 0.0, 0.0, 1.0, 2.0, 1.0, 1.0, 3.0]);
/// let data = Dataset::try_new(Records::from_points(x), Targets::None)?;
/// let kpca = KernelPca::default().kernel(KernelSpec::rbf(0.25)).components(Some(2));
/// let fitted = kpca.fit(&data, &FitContext::default())?;
/// let told = fitted.report.projection.expect("components have eigenvalues");
/// assert!((told.eigenvalues[0] - 1.12441655).abs() < 1e-8);
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// # References
/// Schölkopf, Smola and Müller, Nonlinear component analysis as a kernel eigenvalue problem, 1998.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, mercer_derive::Settings)]
pub struct KernelPca {
    /// Kernel expression.
    #[setting(kernel)]
    pub kernel: KernelSpec,
    /// Number of components; all with an eigenvalue above 0 where it is left open.
    #[serde(default)]
    #[setting(count, python = "n_components")]
    pub components: Option<usize>,
    /// Whether rows are taken around their mean in the space of the kernel.
    #[setting(switch, off = "uncentred")]
    pub centred: bool,
    /// Largest residual ‖K v − λ v‖ of a component, relative to the largest eigenvalue.
    #[setting(not_negative, python = "tol")]
    pub tolerance: f64,
    /// Most products with a block of columns.
    #[serde(default)]
    #[setting(count, python = "max_iter")]
    pub max_iterations: Option<u64>,
    /// Whether components with an eigenvalue of 0 are left out.
    #[serde(default)]
    #[setting(switch, unlisted, python = "remove_zero_eig")]
    pub leave_out_zeros: bool,
    /// Whether the way back from coordinates to rows is learnt, by ridge regression.
    #[serde(default)]
    #[setting(switch, python = "fit_inverse_transform")]
    pub restore: bool,
    /// Regularisation of that ridge regression.
    #[serde(default = "one")]
    #[setting(not_negative, unlisted, python = "alpha")]
    pub ridge: f64,
}

fn one() -> f64 {
    1.0
}

impl Default for KernelPca {
    fn default() -> Self {
        Self {
            kernel: KernelSpec::linear(),
            components: None,
            centred: true,
            tolerance: 1e-7,
            max_iterations: None,
            leave_out_zeros: false,
            restore: false,
            ridge: 1.0,
        }
    }
}

/// Rows up to which all eigenvalues are found at once, whatever is asked for.
const FEW: usize = 300;
/// Products that are tried where no limit is set.
const PRODUCTS: u64 = 300;
/// Share of the largest eigenvalue in magnitude below which an eigenvalue is rounding, and beyond which a negative one
/// is no rounding: single precision of somebody else's matrix.
const ROUNDING: f64 = 1e-12;
const NEGATIVE: f64 = 1e-6;

/// Eigenpairs, whoever found them.
struct Spectrum {
    values: Vec<f64>,
    /// One vector per column, of unit length and with √w in it.
    vectors: Matrix<f64>,
    least: f64,
    residual: f64,
    products: u64,
    stop_reason: StopReason,
    /// Means of the kernel matrix's rows, p-weighted.
    row_means: Vec<f64>,
    evaluations: u64,
    bytes: u64,
}

impl Estimator for KernelPca {
    type Model = KernelExpansion;

    fn fit(&self, data: &Dataset, context: &FitContext) -> Result<Fitted<KernelExpansion>> {
        let mut errors = Vec::new();
        self.check(&mut errors);
        Error::collect(errors)?;
        let context = context.restarted();
        context.install(|| self.run(data, &context))?
    }
}

/// The deviation of single from double precision over pairs of some rows, spread evenly.
fn sampled_error(kernel: &dyn BoundKernel) -> f64 {
    /// Rows of the sample: 65,536 pairs.
    const SAMPLE: usize = 256;
    let n = kernel.len();
    let count = SAMPLE.min(n);
    let ids: Vec<u32> = (0..count).map(|k| (k * n / count) as u32).collect();
    let mut exact = Matrix::<f64>::zeros(count, count);
    let mut rough = Matrix::<f32>::zeros(count, count);
    let rows = || (Rows::Ids(&ids), Rows::Ids(&ids));
    let ((a, b), (c, d)) = (rows(), rows());
    kernel.tile(a, b, f64::tile(exact.as_mut()), Par::Sequential);
    kernel.tile(c, d, f32::tile(rough.as_mut()), Par::Sequential);
    let pairs = exact.as_slice().iter().zip(rough.as_slice());
    let squares: f64 = pairs.map(|(e, r)| (e - f64::from(*r)).powi(2)).sum();
    (squares / (count * count).max(1) as f64).sqrt()
}

/// Rows of positive weight, and what they weigh.
struct Weighed {
    records: Records,
    /// `None` where all weights are 1.
    weights: Option<Vec<f64>>,
    total: f64,
}

impl Weighed {
    fn try_new(data: &Dataset) -> Result<Self> {
        if let Some((row, column)) = data.records.features.points.first_not_finite() {
            return Err(Error::Cell {
                place: format!("row {}", row + 1),
                column: data.records.features.name(column),
                problem: "the value is not a finite number".to_owned(),
                cure: "fill it in or leave the row out".into(),
            });
        }
        let weight = |row: usize| data.weights.as_ref().map_or(1.0, |w| w[row]);
        let kept: Vec<usize> = (0..data.len()).filter(|&r| weight(r) > 0.0).collect();
        if kept.is_empty() {
            return Err(Error::rows(
                "there are no rows to learn from",
                "give at least one row with a positive weight",
            ));
        }
        let records = if kept.len() == data.len() {
            data.records.clone()
        } else {
            data.records.select(&kept)
        };
        let weights: Vec<f64> = kept.iter().map(|&r| weight(r)).collect();
        Ok(Self {
            records,
            total: weights.iter().sum(),
            weights: Some(weights).filter(|w| w.iter().any(|w| *w != 1.0)),
        })
    }

    fn weight(&self, row: usize) -> f64 {
        self.weights.as_ref().map_or(1.0, |w| w[row])
    }

    fn shares(&self) -> Vec<f64> {
        (0..self.records.len())
            .map(|row| self.weight(row) / self.total)
            .collect()
    }

    fn roots(&self) -> Option<Vec<f64>> {
        let weights = self.weights.as_ref()?;
        Some(weights.iter().map(|w| w.sqrt()).collect())
    }
}

impl KernelPca {
    fn run(&self, data: &Dataset, context: &FitContext) -> Result<Fitted<KernelExpansion>> {
        let rows = Weighed::try_new(data)?;
        let (kernel, mut notes) = self
            .kernel
            .resolve(&rows.records, rows.weights.as_deref())?;
        let bound = kernel.bind(&rows.records)?;
        let n = bound.len();
        let count = self.components.unwrap_or(n).min(n);
        if let Some(asked) = self.components.filter(|asked| *asked > n) {
            notes.push(Note::Alert(format!(
                "there are {n} components instead of {asked}: as many as rows"
            )));
        }
        let mut diagonal = vec![0.0; n];
        bound.diagonal(Precision::F64, &mut diagonal);
        let found = if n <= FEW || by_blocks(n, count) >= all_at_once(n) {
            self.whole(&kernel, &rows, count, context)?
        } else {
            self.first(bound.as_ref(), &rows, &diagonal, count, context)?
        };
        let weighed = diagonal.iter().enumerate();
        let mut trace: f64 = weighed.map(|(i, k)| rows.weight(i) * k).sum();
        let shares = rows.shares();
        let mean: f64 = shares
            .iter()
            .zip(&found.row_means)
            .map(|(p, r)| p * r)
            .sum();
        if self.centred {
            trace -= rows.total * mean;
        }
        self.finish(data, kernel, rows, found, (trace, mean), notes, context)
    }

    /// All eigenpairs of the matrix at once.
    fn whole(
        &self,
        kernel: &ResolvedKernel,
        rows: &Weighed,
        count: usize,
        context: &FitContext,
    ) -> Result<Spectrum> {
        let n = rows.records.len();
        let needed = (n as u64).pow(2).saturating_mul(8 * 4);
        if needed > context.most_memory() {
            return Err(Error::Memory {
                what: format!("finding all components of {n} rows"),
                needed,
                limit: context.most_memory(),
            });
        }
        let mut gram = kernel.gram_within(&rows.records, context.par(), context)?;
        let shares = rows.shares();
        let row_means: Vec<f64> = (0..n)
            .map(|i| gram.row(i).iter().zip(&shares).map(|(k, p)| k * p).sum())
            .collect();
        let mean: f64 = shares.iter().zip(&row_means).map(|(p, r)| p * r).sum();
        let roots = rows.roots();
        let root = |i: usize| roots.as_ref().map_or(1.0, |roots| roots[i]);
        for i in 0..n {
            let own = root(i);
            for (j, k) in gram.row_mut(i).iter_mut().enumerate() {
                if self.centred {
                    *k = *k - row_means[i] - row_means[j] + mean;
                }
                *k *= own * root(j);
            }
        }
        context.check()?;
        let eigen = SymmetricEigen::new(gram.as_ref()).map_err(|_| {
            Error::rows(
                "kernel values of some rows are beyond what numbers can hold",
                "scale the columns, or use another kernel",
            )
        })?;
        let values: Vec<f64> = (0..count).map(|k| eigen.values[n - 1 - k]).collect();
        let vectors = Matrix::from_fn(n, count, |i, k| eigen.vectors[(i, n - 1 - k)]);
        let residual = residual(&gram, &values, &vectors);
        Ok(Spectrum {
            values,
            vectors,
            least: eigen.values[0],
            residual,
            products: 0,
            stop_reason: StopReason::Converged,
            row_means,
            evaluations: (n as u64).pow(2),
            bytes: needed,
        })
    }

    /// The first eigenpairs, by products with blocks of columns.
    fn first(
        &self,
        kernel: &dyn BoundKernel,
        rows: &Weighed,
        diagonal: &[f64],
        count: usize,
        context: &FitContext,
    ) -> Result<Spectrum> {
        /// Largest bound on the error of an entry at which single precision is tried.
        const SINGLE: f64 = 1e-4;
        /// What the rounding of entries may be of the least eigenvalue that is wanted.
        const SHARE: f64 = 1e-5;
        let top = diagonal.iter().fold(0.0_f64, |m, k| m.max(k.abs()));
        let error = kernel.rounding_error();
        let mut evaluations = 0;
        if error <= SINGLE {
            let mut found = self.products(kernel, rows, Precision::F32, count, context)?;
            // Errors of entries are as good as random: a bound is some four deviations, which of a
            // sample are often far less. A random symmetric matrix of deviation s turns vectors by s√n in all.
            let deviation = (0.25 * error * top).min(2.0 * sampled_error(kernel));
            let noise = deviation * (kernel.len() as f64).sqrt();
            let least = found.values.last().copied().unwrap_or(0.0);
            if noise <= SHARE * least.abs() {
                return Ok(found);
            }
            evaluations = found.evaluations;
            if !context.goes_on() {
                found.stop_reason = found.stop_reason.worse(StopReason::TimeLimit);
                return Ok(found);
            }
        }
        let mut found = self.products(kernel, rows, Precision::F64, count, context)?;
        found.evaluations += evaluations;
        Ok(found)
    }

    fn products(
        &self,
        kernel: &dyn BoundKernel,
        rows: &Weighed,
        precision: Precision,
        count: usize,
        context: &FitContext,
    ) -> Result<Spectrum> {
        let shares = rows.shares();
        let n = shares.len();
        let centre = self.centred.then(|| shares.clone());
        let product = KernelProduct::try_new(kernel, precision, rows.roots(), centre, context)?;
        let row_means = product.plain(&Matrix::from_vec(n, 1, shares))?.into_vec();
        let wanted = Wanted {
            count,
            tolerance: self.tolerance,
            max_products: self.max_iterations.unwrap_or(PRODUCTS),
        };
        let found = leading(&product, wanted, context)?;
        debug_assert_eq!(product.len(), n);
        Ok(Spectrum {
            values: found.values,
            vectors: found.vectors,
            least: found.least,
            residual: found.residual,
            products: found.products,
            stop_reason: found.stop_reason,
            row_means,
            evaluations: product.evaluations(),
            bytes: product.held(),
        })
    }

    /// Makes coefficients of eigenvectors.
    #[expect(
        clippy::too_many_arguments,
        reason = "the parts of a fit that come together"
    )]
    fn finish(
        &self,
        data: &Dataset,
        kernel: ResolvedKernel,
        rows: Weighed,
        mut found: Spectrum,
        (trace, mean): (f64, f64),
        mut notes: Vec<Note>,
        context: &FitContext,
    ) -> Result<Fitted<KernelExpansion>> {
        let n = rows.records.len();
        let largest = found
            .values
            .iter()
            .fold(found.least.abs(), |m, v| m.max(v.abs()));
        if found.least < -NEGATIVE * largest {
            notes.push(Note::Alert(format!(
                "the kernel matrix has negative eigenvalues, such as {:.3e} beside {:.3e}: it is no kernel on these rows, and components of negative eigenvalues are left at 0",
                found.least,
                found.values.first().copied().unwrap_or(0.0)
            )));
        }
        // Around the mean one direction is lost; rounding leaves something of it.
        let floor = ROUNDING.max(n as f64 * f64::EPSILON) * largest;
        for value in &mut found.values {
            if *value <= floor {
                *value = 0.0;
            }
        }
        let drops = self.leave_out_zeros || self.components.is_none();
        let kept: Vec<usize> = (0..found.values.len())
            .filter(|&k| !drops || found.values[k] > 0.0)
            .collect();
        if kept.is_empty() {
            return Err(Error::rows(
                format!("the kernel takes all {n} rows for equal: there is no component"),
                "give rows that differ, or another kernel",
            ));
        }
        let values: Vec<f64> = kept.iter().map(|&k| found.values[k]).collect();
        let empty = values.iter().filter(|v| **v == 0.0).count();
        if empty > 0 {
            notes.push(Note::Alert(format!(
                "{empty} of {} components have the eigenvalue 0: their coordinates are 0",
                values.len()
            )));
        }
        if found.stop_reason != StopReason::Converged {
            notes.push(Note::Alert(format!(
                "not converged ({}): residuals of the components are {:.1e} of the largest eigenvalue",
                found.stop_reason, found.residual
            )));
        }
        let mut coefficients = Matrix::zeros(kept.len(), n);
        let mut coordinates = Matrix::zeros(n, kept.len());
        let mut biases = Vec::new();
        for (k, &pair) in kept.iter().enumerate() {
            // As if every copy were a row of its own.
            let roots = (0..n).map(|i| rows.weight(i).sqrt());
            let mut vector: Vec<f64> = roots
                .enumerate()
                .map(|(i, root)| found.vectors[(i, pair)] / root)
                .collect();
            turn_up(&mut vector);
            let value = values[k];
            if value > 0.0 {
                let line = coefficients.row_mut(k);
                for (i, (c, v)) in line.iter_mut().zip(&vector).enumerate() {
                    *c = rows.weight(i) * v / value.sqrt();
                }
                if self.centred {
                    // What rounding left of the sum would shift all rows alike.
                    let sum: f64 = line.iter().sum();
                    for (i, c) in line.iter_mut().enumerate() {
                        *c -= sum * rows.weight(i) / rows.total;
                    }
                }
            }
            let line = coefficients.row(k);
            let shift: f64 = line.iter().zip(&found.row_means).map(|(c, r)| c * r).sum();
            biases.push(if self.centred { -shift } else { 0.0 });
            for (i, v) in vector.iter().enumerate() {
                coordinates[(i, k)] = v * value.sqrt();
            }
        }
        let shares = rows.weights.as_ref().map(|_| rows.shares());
        let mut model = KernelExpansion::new(
            kernel,
            rows.records,
            coefficients,
            biases,
            Readout::Coordinates,
        );
        model.components = Some(KernelComponents {
            eigenvalues: values.clone(),
            trace,
            mean: self.centred.then_some(mean),
            shares,
            restoring: None,
        });
        if self.restore {
            model.learn_to_restore(coordinates, self.ridge, context)?;
        }
        let report = FitReport {
            stop_reason: found.stop_reason,
            distinct_rows: n,
            solver: Some(SolverReport::of_objective(
                (trace - values.iter().sum::<f64>()).max(0.0),
                found.products,
            )),
            kernel: Some(KernelReport {
                support_vectors: n,
                kernel_evaluations: found.evaluations,
                kernel_bytes: found.bytes,
            }),
            projection: Some(ProjectionReport {
                eigenvalues: values,
                total: trace,
                noise: None,
                residual: found.residual,
                singular_values: Vec::new(),
            }),
            ..FitReport::of_rows(data.len(), notes, context)
        };
        Ok(Fitted { model, report })
    }
}

/// Largest ‖A v − λ v‖ relative to the largest eigenvalue, over a few pairs at both ends.
fn residual(gram: &Matrix<f64>, values: &[f64], vectors: &Matrix<f64>) -> f64 {
    /// Pairs that are looked at.
    const SOME: usize = 20;
    let largest = values.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
    if largest == 0.0 {
        return 0.0;
    }
    let n = gram.rows();
    let pairs = (0..values.len()).filter(|k| *k < SOME || k + 1 == values.len());
    let of = |k: usize| {
        let vector: Vec<f64> = (0..n).map(|i| vectors[(i, k)]).collect();
        let rest = |i: usize| mercer_linalg::dot(gram.row(i), &vector) - values[k] * vector[i];
        (0..n).map(|i| rest(i).powi(2)).sum::<f64>().sqrt() / largest
    };
    pairs.map(of).fold(0.0, f64::max)
}

/// Multiplications of all eigenvectors at once, and of some products with blocks of columns.
pub(super) fn all_at_once(rows: usize) -> f64 {
    6.0 * (rows as f64).powi(3)
}

pub(super) fn by_blocks(rows: usize, count: usize) -> f64 {
    8.0 * (rows as f64).powi(2) * (count as f64 + 10.0)
}
