//! Novelty detection with one class.

use mercer_linalg::Matrix;
use serde::{Deserialize, Serialize};

use super::settings::{Bias, SolverSettings, solver_setters};
use super::workspace::SharedWorkspace;
use crate::data::{Dataset, Targets};
use crate::fit::{FitContext, Fitted, Note, ProblemReport};
use crate::kernel::KernelSpec;
use crate::learn::canonical::{Canonical, Found};
use crate::learn::novelty::threshold::by_folds;
use crate::learn::{Estimator, Settings};
use crate::model::expansion::KernelExpansion;
use crate::model::readout::Readout;
use crate::solver::smo::{DualProblem, Solution};
use crate::{Error, Result};

/// One-class support vector machine: tells the familiar from the new.
///
/// Minimises ½‖w‖² − ρ ν W + Σ w_i max(0, ρ − ⟨w,φ(x_i)⟩), W the sum of weights. At most a
/// share ν of the training rows ends up outside; f(x) = ⟨w,φ(x)⟩ − ρ is negative for new
/// rows. Targets are not read.
///
/// # References
/// Schölkopf, Platt, Shawe-Taylor, Smola, Williamson, Neural Computation 13, 2001.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, mercer_derive::Settings)]
pub struct OneClass {
    /// Kernel expression.
    #[setting(kernel)]
    pub kernel: KernelSpec,
    /// Share of training rows outside at most and of support vectors at least.
    #[setting(share, search(larger))]
    pub nu: f64,
    /// Expected share of novel rows among new ones, to which the threshold is then set by rows that are held out
    /// in folds; otherwise it is where the machine puts it.
    #[serde(default)]
    #[setting(share)]
    pub share: Option<f64>,
    /// How the quadratic problem is solved.
    #[setting(group)]
    pub solver: SolverSettings,
}

impl Default for OneClass {
    fn default() -> Self {
        Self {
            kernel: KernelSpec::rbf_auto(),
            nu: 0.5,
            share: None,
            solver: SolverSettings::default(),
        }
    }
}

impl OneClass {
    solver_setters!();

    fn fit_installed(
        &self,
        data: &Dataset,
        context: &FitContext,
    ) -> Result<Fitted<KernelExpansion>> {
        let unlabelled = Dataset {
            records: data.records.clone(),
            targets: Targets::None,
            weights: data.weights.clone(),
        };
        let mut rows = Canonical::try_new(&unlabelled, &self.kernel)?;
        let (kernel, mut notes) = rows.resolve(&self.kernel, Bias::None)?;
        notes.extend(self.solver.fine_note());
        let n = rows.len();
        let total: f64 = rows.weights.iter().sum();
        let bound = kernel.bind(&rows.records)?;
        let shared =
            SharedWorkspace::new(bound.as_ref(), &rows.records, 0.0, &self.solver, context);
        let mut workspace = shared.workspace(rows.spans.clone());
        let problem = self.dual(&rows.weights);
        let start = self.start(&problem);
        let options = self.solver.options(n);
        let solution = workspace.solve(&problem, start, &options, "novelty detection", 0.0..1.0)?;
        let (evaluations, bytes) = workspace.cost();
        let mut report = self.report(&problem, &solution, total);
        report.kernel_evaluations = evaluations;
        report.precision = workspace.precision();
        let bias = report.bias;
        let support: Vec<usize> = (0..n).filter(|&r| solution.alpha[r] > 0.0).collect();
        let coefficients = support.iter().map(|&r| solution.alpha[r]).collect();
        let model = rows.expansion(Found {
            kernel,
            coefficients: Matrix::from_vec(1, support.len(), coefficients),
            support,
            biases: vec![bias],
            readout: Readout::Novelty,
            prices: vec![1.0],
        });
        Ok(rows.finish(model, vec![report], notes, bytes, context))
    }

    fn report(&self, problem: &DualProblem, solution: &Solution, total: f64) -> ProblemReport {
        let n = problem.rows;
        // F = −f: its level over free rows is −ρ.
        let rho = -problem.level(&solution.alpha, &solution.residuals, 0..n);
        let norm_squared: f64 = solution
            .alpha
            .iter()
            .zip(&solution.residuals)
            .map(|(a, f)| -a * f)
            .sum();
        let slack: f64 = (0..n)
            .map(|i| problem.upper[i] * (rho + solution.residuals[i]).max(0.0))
            .sum();
        let bounded = (0..n)
            .filter(|&i| solution.alpha[i] > 0.0 && solution.alpha[i] >= problem.upper[i])
            .count();
        let support = solution.alpha.iter().filter(|a| **a > 0.0).count();
        ProblemReport {
            name: "novelty detection".to_owned(),
            rows: n,
            primal: 0.5 * norm_squared - rho * self.nu * total + slack,
            dual: -0.5 * norm_squared,
            kkt_violation: solution.violation,
            norm: norm_squared.max(0.0).sqrt(),
            margin: (norm_squared > 0.0).then(|| rho / norm_squared.sqrt()),
            bias: -rho,
            free_support_vectors: support - bounded,
            bounded_support_vectors: bounded,
            on_margin_without_weight: (0..n)
                .filter(|&i| {
                    solution.alpha[i] == 0.0
                        && (rho + solution.residuals[i]).abs() <= self.solver.tolerance
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

impl Estimator for OneClass {
    type Model = KernelExpansion;

    fn fit(&self, data: &Dataset, context: &FitContext) -> Result<Fitted<KernelExpansion>> {
        let mut errors = Vec::new();
        self.check(&mut errors);
        Error::collect(errors)?;
        let context = context.restarted();
        let mut fitted = context.install(|| self.fit_installed(data, &context))??;
        if let Some(share) = self.share {
            let plain = Self {
                share: None,
                ..self.clone()
            };
            let level = by_folds(&plain, data, share, &context)?;
            for bias in &mut fitted.model.biases {
                *bias -= level;
            }
            fitted.report.notes.push(Note::Choice(format!(
                "the threshold is set so that {} % of rows that were held out in folds are novel",
                crate::data::number_text(100.0 * share)
            )));
        }
        Ok(fitted)
    }
}
