//! ε-insensitive regression.

use mercer_linalg::Matrix;
use serde::{Deserialize, Serialize};

use super::dual;
use super::settings::{Bias, Softness, SolverSettings, softness_setters, solver_setters};
use super::warm::match_rows;
use super::workspace::SharedWorkspace;
use crate::data::Dataset;
use crate::fit::{FitContext, Fitted, Note, ProblemReport};
use crate::kernel::KernelSpec;
use crate::learn::canonical::{Canonical, Found};
use crate::learn::{Estimator, Settings};
use crate::model::expansion::KernelExpansion;
use crate::model::readout::Readout;
use crate::solver::smo::{Coupling, DualProblem, Solution};
use crate::{Error, Result};

/// Support vector regression.
///
/// Minimises ½‖w‖² + C Σ w_i max(0, |y_i − f(x_i)| − ε): errors inside a tube of half-width
/// ε cost nothing, errors outside cost in proportion.
///
/// Use it when a few gross errors must not bend the solution. Time grows between n² and n³.
///
/// # Examples
/// ```
/// use mercer::data::{Dataset, Points, Records, Targets};
/// use mercer::fit::FitContext;
/// use mercer::kernel::KernelSpec;
/// use mercer::learn::{Estimator, margin::Svr};
/// use mercer_linalg::Matrix;
///
/// let x = Matrix::from_fn(20, 1, |i, _| i as f64 / 10.0);
/// let y = (0..20).map(|i| 3.0 * i as f64 / 10.0 + 1.0).collect();
/// let data = Dataset::try_new(Records::from_points(Points::from(x)), Targets::Real(y))?;
/// let fitted = Svr::default()
///     .kernel(KernelSpec::linear())
///     .c(100.0)
///     .epsilon(0.01)
///     .fit(&data, &FitContext::default())?;
/// assert!((fitted.report.solver().problems[0].norm - 3.0).abs() < 0.05);
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// # References
/// Smola and Schölkopf, Statistics and Computing 14, 2004.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, mercer_derive::Settings)]
pub struct Svr {
    /// Kernel expression.
    #[setting(kernel)]
    pub kernel: KernelSpec,
    /// The weight of errors outside the tube; a hard one is refused.
    #[serde(flatten)]
    #[setting(group("c", "lambda"))]
    pub softness: Softness,
    /// Half-width of the tube in which errors cost nothing.
    #[setting(not_negative, search(larger))]
    pub epsilon: f64,
    /// The constant term of the prediction.
    #[setting(words("free", "none", "regularised"), python = "fit_intercept")]
    pub bias: Bias,
    /// How the quadratic problem is solved.
    #[setting(group)]
    pub solver: SolverSettings,
}

impl Default for Svr {
    fn default() -> Self {
        Self {
            kernel: KernelSpec::rbf_auto(),
            softness: Softness::default(),
            epsilon: 0.1,
            bias: Bias::default(),
            solver: SolverSettings::default(),
        }
    }
}

impl Svr {
    solver_setters!();
    softness_setters!();

    /// Learns from data, starting from the multipliers of an earlier model.
    ///
    /// # Errors
    /// As [`Estimator::fit`].
    pub fn fit_from(
        &self,
        data: &Dataset,
        context: &FitContext,
        earlier: Option<&KernelExpansion>,
    ) -> Result<Fitted<KernelExpansion>> {
        let mut errors = Vec::new();
        self.check(&mut errors);
        Error::collect(errors)?;
        let total = data.total_weight();
        let Some(c) = self.softness.c(total) else {
            return Err(Error::Unsupported {
                what: "regression has no hard margin".to_owned(),
                cure: "give a finite C".into(),
            });
        };
        let job = Regression {
            kernel: &self.kernel,
            c,
            tube: Tube::Fixed(self.epsilon),
            bias: self.bias,
            solver: &self.solver,
        };
        let mut fitted = job.fit(data, context, earlier)?;
        if let Softness::Lambda(lambda) = self.softness {
            let note = format!("C = {c} from lambda = {lambda} and {total} rows: C = 1/(2λn)");
            fitted.report.notes.insert(0, Note::Choice(note));
        }
        Ok(fitted)
    }
}

impl Estimator for Svr {
    type Model = KernelExpansion;

    fn fit(&self, data: &Dataset, context: &FitContext) -> Result<Fitted<KernelExpansion>> {
        self.fit_from(data, context, None)
    }
}

/// How the half-width of the tube is found.
#[derive(Debug, Clone, Copy)]
pub(super) enum Tube {
    /// Given.
    Fixed(f64),
    /// As narrow as a share ν of rows outside allows.
    Share(f64),
}

/// What ε and ν regression have in common.
pub(super) struct Regression<'a> {
    pub(super) kernel: &'a KernelSpec,
    pub(super) c: f64,
    pub(super) tube: Tube,
    pub(super) bias: Bias,
    pub(super) solver: &'a SolverSettings,
}

impl Regression<'_> {
    pub(super) fn fit(
        &self,
        data: &Dataset,
        context: &FitContext,
        earlier: Option<&KernelExpansion>,
    ) -> Result<Fitted<KernelExpansion>> {
        let context = context.restarted();
        context.install(|| self.fit_installed(data, &context, earlier))?
    }

    fn fit_installed(
        &self,
        data: &Dataset,
        context: &FitContext,
        earlier: Option<&KernelExpansion>,
    ) -> Result<Fitted<KernelExpansion>> {
        let mut rows = Canonical::try_new(data, self.kernel)?;
        let (kernel, mut notes) = rows.resolve(self.kernel, self.bias)?;
        notes.extend(self.solver.fine_note());
        let y = rows.values()?;
        let bound = kernel.bind(rows.seen())?;
        let offset = self.bias.kernel_offset();
        let shared =
            SharedWorkspace::new(bound.as_ref(), &rows.records, offset, self.solver, context);
        let mut workspace = shared.workspace(rows.spans.clone());
        let problem = self.dual(y, &rows.weights);
        let start = match self.tube {
            Tube::Fixed(_) => earlier.map_or_else(
                || vec![0.0; problem.len()],
                |model| self.warm_start(&problem, model, &match_rows(&rows, model)),
            ),
            Tube::Share(nu) => {
                let total: f64 = rows.weights.iter().sum();
                let half = dual::fill_up(&problem.upper[..rows.len()], self.c * nu * total / 2.0);
                [half.clone(), half].concat()
            }
        };
        let options = self.solver.options(rows.len());
        let solution = workspace.solve(&problem, start, &options, "regression", 0.0..1.0)?;
        let beta = problem.coefficients(&solution.alpha);
        let (level, epsilon) = self.level(&problem, &solution);
        let bias = match self.bias {
            Bias::Regularised => beta.iter().sum(),
            Bias::Free | Bias::None => level,
        };
        let (evaluations, bytes) = workspace.cost();
        let mut report = self.report(&problem, &solution, &beta, y, &rows.weights, level, epsilon);
        report.kernel_evaluations = evaluations;
        report.precision = workspace.precision();
        report.bias = bias;
        let support: Vec<usize> = (0..rows.len()).filter(|&r| beta[r] != 0.0).collect();
        let coefficients = support.iter().map(|&r| beta[r]).collect();
        let model = rows.expansion(Found {
            kernel,
            coefficients: Matrix::from_vec(1, support.len(), coefficients),
            support,
            biases: vec![bias],
            readout: Readout::Values,
            prices: vec![self.c],
        });
        Ok(rows.finish(model, vec![report], notes, bytes, context))
    }

    /// The quadratic problem; the width that a share ν asks for is found by its solution.
    fn dual(&self, y: &[f64], weights: &[f64]) -> DualProblem {
        match self.tube {
            Tube::Fixed(epsilon) => {
                dual::tube(self.c, epsilon, y, weights, dual::coupling(self.bias))
            }
            Tube::Share(_) => dual::tube(self.c, 0.0, y, weights, Coupling::PerSign),
        }
    }

    fn warm_start(
        &self,
        problem: &DualProblem,
        model: &KernelExpansion,
        matched: &[Option<usize>],
    ) -> Vec<f64> {
        let n = problem.rows;
        let mut start = vec![0.0; 2 * n];
        if model.readout == Readout::Values {
            for (row, vector) in matched.iter().enumerate() {
                let Some(vector) = vector else { continue };
                let beta = model.coefficients[(0, *vector)];
                let variable = if beta > 0.0 { row } else { n + row };
                start[variable] = beta.abs().min(problem.upper[row]);
            }
            if self.bias == Bias::Free {
                super::warm::balance(&mut start, n);
            }
        }
        start
    }

    /// The constant of the decision and the half-width of the tube.
    fn level(&self, problem: &DualProblem, solution: &Solution) -> (f64, f64) {
        let n = problem.rows;
        let of = |range| problem.level(&solution.alpha, &solution.residuals, range);
        match (self.tube, self.bias) {
            (Tube::Share(_), _) => {
                // Free variables lie on the tube: y − f = b + ε above, b − ε below.
                let (above, below) = (of(0..n), of(n..2 * n));
                (f64::midpoint(above, below), (above - below) / 2.0)
            }
            (Tube::Fixed(epsilon), Bias::Free) => (of(0..2 * n), epsilon),
            (Tube::Fixed(epsilon), Bias::None | Bias::Regularised) => (0.0, epsilon),
        }
    }

    #[expect(clippy::too_many_arguments, reason = "all parts of one solution")]
    fn report(
        &self,
        problem: &DualProblem,
        solution: &Solution,
        beta: &[f64],
        y: &[f64],
        weights: &[f64],
        level: f64,
        epsilon: f64,
    ) -> ProblemReport {
        let n = problem.rows;
        // F + c-shift gives y − f for the first copy of every row.
        let shift = match self.tube {
            Tube::Fixed(epsilon) => epsilon,
            Tube::Share(_) => 0.0,
        };
        let error: Vec<f64> = (0..n)
            .map(|i| solution.residuals[i] + shift - level)
            .collect();
        let norm_squared: f64 = (0..n).map(|i| beta[i] * (y[i] - level - error[i])).sum();
        let mut loss: f64 = (0..n)
            .map(|i| problem.upper[i] * (error[i].abs() - epsilon).max(0.0))
            .sum();
        if let Tube::Share(nu) = self.tube {
            loss += self.c * nu * weights.iter().sum::<f64>() * epsilon;
        }
        let bounded = (0..n)
            .filter(|&i| beta[i].abs() >= problem.upper[i])
            .count();
        let support = beta.iter().filter(|b| **b != 0.0).count();
        ProblemReport {
            name: "regression".to_owned(),
            rows: n,
            primal: 0.5 * norm_squared + loss,
            dual: -solution.objective,
            kkt_violation: solution.violation,
            norm: norm_squared.max(0.0).sqrt(),
            margin: None,
            bias: level,
            free_support_vectors: support - bounded,
            bounded_support_vectors: bounded,
            on_margin_without_weight: (0..n)
                .filter(|&i| {
                    beta[i] == 0.0 && (error[i].abs() - epsilon).abs() <= self.solver.tolerance
                })
                .count(),
            iterations: solution.iterations,
            kernel_evaluations: 0,
            stop_reason: solution.stop_reason,
            precision: mercer_linalg::Precision::F64,
            slack: None,
        }
    }
}
