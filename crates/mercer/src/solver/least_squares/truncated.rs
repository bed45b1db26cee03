//! The cost at every ratio γ from the leading eigenvalues alone.
//!
//! Eigenvalues that are left out count as 0, and their part of the targets stays in r₀, so that the cost is that of a kernel
//! without them; tr K_c − Σ λ_i says what that kernel lacks. With all eigenvalues it is [`Spectrum`] itself.

use mercer_linalg::{Matrix, Op, Par, Precision, gemm};

use super::centred::Centred;
use super::conjugate::System;
use super::{Problem, Spectrum};
use crate::Result;
use crate::fit::{FitContext, StopReason};
use crate::solver::em;
use crate::solver::subspace::{self, Leading, Operator, Wanted};

/// Largest residual of an eigenpair, relative to the largest eigenvalue.
const TOLERANCE: f64 = 1e-10;
/// Most products with blocks of columns, by each method.
const PRODUCTS: [u64; 2] = [300, 3000];

/// How leading eigenvalues are found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EigenMethod {
    /// In a block Krylov space.
    Krylov,
    /// By expectation and maximisation.
    Em,
}

/// A spectrum of leading eigenvalues.
#[derive(Debug, Clone, PartialEq)]
pub struct Truncated {
    /// The leading eigenvalues with the targets in their directions, the rest in r₀.
    pub spectrum: Spectrum,
    /// tr K_c − Σ λ_i.
    pub left_out: f64,
    /// Largest residual of an eigenpair, relative to the largest eigenvalue.
    pub residual: f64,
    /// Products with blocks of columns.
    pub products: u64,
    /// Whether all of them have converged.
    pub stop_reason: StopReason,
}

/// What a spectrum is put together from, beside eigenpairs.
struct Rest {
    /// M S y, a column per output.
    sides: Matrix<f64>,
    /// Average eigenvalue of K_c.
    mean: f64,
    copies: f64,
    intercept: bool,
}

impl Truncated {
    fn new(
        operator: &dyn Operator,
        rest: &Rest,
        count: usize,
        method: EigenMethod,
        context: &FitContext,
    ) -> Result<Self> {
        let freedom = rest.copies - f64::from(u8::from(rest.intercept));
        let wanted = |products: u64| Wanted {
            count,
            tolerance: TOLERANCE,
            max_products: products,
        };
        let Leading {
            mut values,
            vectors,
            residual,
            products,
            stop_reason,
            ..
        } = match method {
            EigenMethod::Krylov => subspace::leading(operator, wanted(PRODUCTS[0]), context)?,
            EigenMethod::Em => em::leading(operator, wanted(PRODUCTS[1]), context)?,
        };
        values.iter_mut().for_each(|v| *v = v.max(0.0));
        let (n, outputs) = (rest.sides.rows(), rest.sides.columns());
        let mut projections = Matrix::zeros(outputs, values.len());
        let mut outside = Vec::with_capacity(outputs);
        for o in 0..outputs {
            let row = projections.row_mut(o);
            let mut square = 0.0;
            for i in 0..n {
                let y = rest.sides[(i, o)];
                square += y * y;
                for (z, v) in row.iter_mut().zip(vectors.row(i)) {
                    *z += y * v;
                }
            }
            outside.push((square - row.iter().map(|z| z * z).sum::<f64>()).max(0.0));
        }
        let left_out = (rest.mean * freedom - values.iter().sum::<f64>()).max(0.0);
        let spectrum =
            Spectrum::from_parts(values, projections, outside, rest.copies, rest.intercept);
        Ok(Self {
            spectrum: spectrum.with_mean(rest.mean),
            left_out,
            residual,
            products,
            stop_reason,
        })
    }
}

/// K_c in memory.
struct Dense {
    matrix: Matrix<f64>,
    par: Par,
}

impl Operator for Dense {
    fn len(&self) -> usize {
        self.matrix.rows()
    }

    fn multiply(&self, columns: &Matrix<f64>) -> Result<Matrix<f64>> {
        let mut out = Matrix::zeros(columns.rows(), columns.columns());
        let (a, b) = (self.matrix.as_ref(), columns.as_ref());
        gemm(1.0, a, Op::None, b, Op::None, 0.0, out.as_mut(), self.par);
        Ok(out)
    }
}

/// K_c that is multiplied by.
struct Streamed<'a, 'b> {
    system: &'a System<'b>,
    context: &'a FitContext,
}

impl Operator for Streamed<'_, '_> {
    fn len(&self) -> usize {
        self.system.rows()
    }

    fn multiply(&self, columns: &Matrix<f64>) -> Result<Matrix<f64>> {
        self.system.multiply(columns, Precision::F64, self.context)
    }
}

impl Problem<'_> {
    /// Finds the leading eigenvalues of the kernel matrix of a problem.
    ///
    /// # Errors
    /// Kernel values that are no numbers; cancellation and the time limit.
    pub fn truncated(
        &self,
        count: usize,
        method: EigenMethod,
        context: &FitContext,
    ) -> Result<Truncated> {
        let Centred { matrix, sides, .. } = Centred::new(self);
        let rest = Rest {
            sides: sides.transposed(),
            mean: self.mean_eigenvalue(),
            copies: self.copies(),
            intercept: self.intercept,
        };
        let par = context.par();
        Truncated::new(&Dense { matrix, par }, &rest, count, method, context)
    }
}

impl System<'_> {
    /// Finds the leading eigenvalues of a kernel matrix that is multiplied by.
    ///
    /// # Errors
    /// Kernel values that are no numbers; cancellation and the time limit.
    pub fn truncated(
        &self,
        count: usize,
        method: EigenMethod,
        context: &FitContext,
    ) -> Result<Truncated> {
        let rest = Rest {
            sides: self.sides(),
            mean: self.mean_eigenvalue(),
            copies: self.copies(),
            intercept: self.freedom() < self.copies(),
        };
        let operator = Streamed {
            system: self,
            context,
        };
        Truncated::new(&operator, &rest, count, method, context)
    }
}

#[cfg(test)]
mod tests {
    use mercer_linalg::Par;

    use super::*;
    use crate::data::Records;
    use crate::gram::{GramProduct, KernelSource};
    use crate::kernel::KernelSpec;

    fn near(found: f64, expected: f64, bound: f64) {
        assert!(
            (found - expected).abs() <= bound,
            "{found} is not {expected}"
        );
    }

    const METHODS: [EigenMethod; 2] = [EigenMethod::Krylov, EigenMethod::Em];

    /// Five rows whose numbers were worked out by hand.
    fn five() -> (Records, Matrix<f64>) {
        let rows = [0.0, 0.0, 2.0, 0.0, 0.0, 1.0, 2.0, 1.0, 1.0, 3.0];
        let records = Records::from_points(Matrix::from_vec(5, 2, rows.to_vec()));
        let targets = Matrix::from_vec(1, 5, vec![1.0, -1.0, 1.0, -1.0, 1.0]);
        (records, targets)
    }

    #[test]
    fn worked_numbers_of_five_rows() {
        let (records, targets) = five();
        let (kernel, _) = KernelSpec::rbf(0.25).resolve(&records, None).unwrap();
        let gram = kernel.gram(&records, Par::Sequential).unwrap();
        let problem = Problem {
            gram: gram.as_ref(),
            targets: &targets,
            weights: None,
            intercept: true,
        };
        let context = FitContext::default();
        near(
            Spectrum::new(&problem).unwrap().cost(2.0),
            0.915_459_333,
            5e-10,
        );
        let bound = kernel.bind(&records).unwrap();
        let product = GramProduct::new(KernelSource::whole(&*bound, 0.0));
        let system = System::new(product, &targets, None, true, &context).unwrap();
        for method in METHODS {
            let two = problem.truncated(2, method, &context).unwrap();
            near(two.spectrum.values()[0], 1.124_416_55, 5e-9);
            near(two.spectrum.values()[1], 1.037_267_1, 5e-8);
            near(two.spectrum.cost(2.0), 0.605_656_529, 5e-10);
            near(two.left_out, 0.396_896_50, 5e-9);
            let all = problem.truncated(5, method, &context).unwrap();
            near(all.spectrum.cost(2.0), 0.915_459_333, 5e-10);
            near(all.left_out, 0.0, 1e-12);
            let streamed = system.truncated(2, method, &context).unwrap();
            near(streamed.spectrum.cost(2.0), 0.605_656_529, 5e-10);
            near(streamed.left_out, 0.396_896_50, 5e-9);
        }
    }

    #[test]
    fn leading_eigenvalues_find_the_same_ratio() {
        let n = 150;
        let x = |i: usize| 6.0 * i as f64 / n as f64;
        let records = Records::from_points(Matrix::from_fn(n, 1, |i, _| x(i)));
        let wave = |i: usize| ((i * 7919) % 101) as f64 / 101.0 - 0.5;
        let targets = Matrix::from_fn(2, n, |k, i| (x(i) + k as f64).sin() + 0.3 * wave(i));
        let weights: Vec<f64> = (0..n).map(|i| 1.0 + (i % 2) as f64).collect();
        let (kernel, _) = KernelSpec::rbf(1.0).resolve(&records, None).unwrap();
        let gram = kernel.gram(&records, Par::Sequential).unwrap();
        let problem = Problem {
            gram: gram.as_ref(),
            targets: &targets,
            weights: Some(&weights),
            intercept: true,
        };
        let best = Spectrum::new(&problem).unwrap().best_ratio().unwrap();
        let context = FitContext::default();
        for method in METHODS {
            let some = problem.truncated(20, method, &context).unwrap();
            assert_eq!(some.stop_reason, StopReason::Converged);
            // Twenty eigenvalues of a smooth kernel on a line are all that matter.
            assert!(some.left_out < 1e-6, "{}", some.left_out);
            let found = some.spectrum.best_ratio().unwrap();
            assert!((found / best - 1.0).abs() < 1e-4, "{found} {best}");
        }
    }
}
