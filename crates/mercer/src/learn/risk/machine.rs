//! A kernel machine for any convex loss.

use mercer_linalg::{Matrix, Precision};
use serde::{Deserialize, Serialize};

use super::Loss;
use super::newton::{RiskProblem, RiskSolution};
use crate::data::{ClassTargets, Dataset, Targets, Task};
use crate::fit::{FitContext, FitReport, Fitted, ProblemReport};
use crate::kernel::KernelSpec;
use crate::learn::Estimator;
use crate::learn::canonical::Canonical;
use crate::learn::expansion::{KernelExpansion, Machine, Scheme, Sigmoid};
use crate::learn::margin::{Bias, ClassWeights};
use crate::learn::squared::matrix_bytes;
use crate::{Error, Result};

/// Minimises ½‖f‖² + C Σ w_i L(y_i, f(x_i)) for a loss of choice.
///
/// With the logistic loss it is kernel logistic regression, whose decisions are log-odds. Time
/// grows with n³ a Newton step, of which there are about ten.
///
/// # References
/// Schölkopf, Herbrich and Smola, A generalized representer theorem, 2001; Keerthi et al., A
/// fast dual algorithm for kernel logistic regression, 2005.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct KernelRisk {
    /// The kernel.
    pub kernel: KernelSpec,
    /// The loss.
    pub loss: Loss,
    /// Price of losses.
    pub c: f64,
    /// The constant of f.
    pub bias: Bias,
    /// Factors on C by class; probabilities are those of classes that are so much more frequent.
    pub class_weights: ClassWeights,
    /// Largest violation of the optimality conditions, relative to the largest price.
    pub tolerance: f64,
}

impl Default for KernelRisk {
    fn default() -> Self {
        Self {
            kernel: KernelSpec::rbf_auto(),
            loss: Loss::Logistic,
            c: 1.0,
            bias: Bias::Free,
            class_weights: ClassWeights::default(),
            tolerance: 1e-8,
        }
    }
}

impl KernelRisk {
    /// Sets the kernel.
    pub fn kernel(mut self, kernel: KernelSpec) -> Self {
        self.kernel = kernel;
        self
    }

    /// Sets the loss.
    pub fn loss(mut self, loss: Loss) -> Self {
        self.loss = loss;
        self
    }

    /// Sets the price of losses.
    pub fn c(mut self, c: f64) -> Self {
        self.c = c;
        self
    }

    /// Sets the constant of f.
    pub fn bias(mut self, bias: Bias) -> Self {
        self.bias = bias;
        self
    }

    /// Sets whether a constant without penalty is part of f.
    pub fn intercept(self, intercept: bool) -> Self {
        self.bias(if intercept { Bias::Free } else { Bias::None })
    }

    /// Sets factors on C by class.
    pub fn class_weights(mut self, class_weights: ClassWeights) -> Self {
        self.class_weights = class_weights;
        self
    }

    /// Returns the task the loss is for.
    pub fn task(&self) -> Task {
        self.loss.task()
    }
}

impl Estimator for KernelRisk {
    type Model = KernelExpansion;

    fn fit(&self, data: &Dataset, context: &FitContext) -> Result<Fitted<KernelExpansion>> {
        let mut errors = Vec::new();
        if !(self.c.is_finite() && self.c > 0.0) {
            errors.push(Error::setting("c", self.c, "positive and finite"));
        }
        if !(self.tolerance.is_finite() && self.tolerance > 0.0) {
            errors.push(Error::setting(
                "tolerance",
                self.tolerance,
                "positive and finite",
            ));
        }
        self.loss.check(&mut errors);
        Error::collect(errors)?;
        let context = context.restarted();
        context.install(|| self.fit_installed(data, &context))?
    }
}

impl KernelRisk {
    fn fit_installed(
        &self,
        data: &Dataset,
        context: &FitContext,
    ) -> Result<Fitted<KernelExpansion>> {
        let mut rows = Canonical::try_new(data, &self.kernel)?;
        let (kernel, notes) = rows.resolve(&self.kernel)?;
        let outputs = match (&rows.targets, self.loss.task()) {
            (Targets::Classes(classes), Task::Classify) => self.classes(classes, &rows)?,
            (Targets::Real(values), Task::Regress) => self.values(values, &rows)?,
            (_, task) => {
                return Err(Error::rows(
                    format!("this loss is for the task `{task}`"),
                    "choose a loss for the target column: logistic, hinge, squared_hinge for classes; squared, huber, insensitive for numbers",
                ));
            }
        };
        let (needed, limit) = (matrix_bytes(rows.len()), context.most_memory());
        if needed > limit {
            return Err(Error::Memory {
                what: format!("the kernel matrix of {} rows and its factor", rows.len()),
                needed,
                limit,
            });
        }
        let mut gram = kernel.gram_within(&rows.records, context.par(), context)?;
        self.bias.append_feature(&mut gram);
        let mut solutions = Vec::with_capacity(outputs.targets.rows());
        for k in 0..outputs.targets.rows() {
            let problem = RiskProblem {
                gram: &gram,
                targets: outputs.targets.row(k),
                prices: &outputs.prices,
                loss: self.loss,
                intercept: self.bias.is_free(),
                tolerance: self.tolerance,
            };
            let left = outputs.targets.rows() - k;
            let mut solution = problem.solve(&context.share(1.0 / left as f64))?;
            solution.bias = self.bias.constant(&solution.alpha, solution.bias);
            if self.bias.is_regularised() {
                // ‖(w, b)‖² less b².
                let square = solution.norm.powi(2) - solution.bias.powi(2);
                solution.norm = square.max(0.0).sqrt();
            }
            solutions.push(solution);
        }
        let used = |r: &usize| solutions.iter().any(|s| s.alpha[*r] != 0.0);
        let support: Vec<usize> = (0..rows.len()).filter(used).collect();
        let coefficients = Matrix::from_fn(solutions.len(), support.len(), |k, s| {
            solutions[k].alpha[support[s]]
        });
        let biases: Vec<f64> = solutions.iter().map(|s| s.bias).collect();
        let machine = match &rows.targets {
            Targets::Classes(classes) => Machine::Classifier {
                labels: classes.labels.clone(),
                scheme: if classes.labels.len() == 2 {
                    Scheme::OneVsOne
                } else {
                    Scheme::OneVsRest
                },
                class_sizes: rows
                    .spans
                    .iter()
                    .map(|span| support.iter().filter(|r| span.contains(r)).count())
                    .collect(),
                // The logistic loss's own link: P(+) = 1/(1 + e^{−f}). Class factors are part of
                // the likelihood, so that P has counted them, and the label is the sign of f.
                sigmoids: (self.loss == Loss::Logistic)
                    .then(|| vec![Sigmoid { a: -1.0, b: 0.0 }; biases.len()]),
                coefficients,
                biases,
                factors: None,
            },
            _ => Machine::Regressor {
                coefficients,
                biases,
            },
        };
        let problems = solutions
            .iter()
            .zip(&outputs.names)
            .map(|(solution, name)| account(solution, name, rows.len()))
            .collect();
        let mut report = FitReport::gather(problems, notes, context);
        report.rows = data.len();
        report.distinct_rows = rows.len();
        report.support_vectors = support.len();
        report.kernel_bytes = needed;
        let model = KernelExpansion {
            kernel,
            support: rows.records.select(&support),
            machine,
            posterior: None,
            left_out: None,
            copies: rows.copies(&support, &[]),
        };
        Ok(Fitted { model, report })
    }

    fn classes(&self, classes: &ClassTargets, rows: &Canonical) -> Result<Outputs> {
        if rows.spans.len() < 2 || rows.spans.iter().any(std::ops::Range::is_empty) {
            return Err(Error::rows(
                "every class needs at least one row",
                "remove labels without rows; at least two classes are needed",
            ));
        }
        let factors = self.class_weights.factors(classes, &rows.span_weights())?;
        let k = classes.labels.len();
        let labels = &classes.labels;
        let targets = Matrix::from_fn(if k == 2 { 1 } else { k }, rows.len(), |o, i| {
            if classes.codes[i] as usize == o {
                1.0
            } else {
                -1.0
            }
        });
        let names = if k == 2 {
            vec![format!("{} against {}", labels[0], labels[1])]
        } else {
            labels
                .iter()
                .map(|l| format!("{l} against the rest"))
                .collect()
        };
        let prices = rows
            .weights
            .iter()
            .zip(&classes.codes)
            .map(|(w, &code)| self.c * w * factors[code as usize])
            .collect();
        Ok(Outputs {
            targets,
            prices,
            names,
        })
    }

    fn values(&self, values: &[f64], rows: &Canonical) -> Result<Outputs> {
        if values.iter().any(|v| !v.is_finite()) {
            return Err(Error::rows(
                "a target is not a finite number",
                "replace or remove it before fitting",
            ));
        }
        Ok(Outputs {
            targets: Matrix::from_vec(1, values.len(), values.to_vec()),
            prices: rows.weights.iter().map(|w| self.c * w).collect(),
            names: vec!["regression".to_owned()],
        })
    }
}

/// What Newton's method is given.
struct Outputs {
    targets: Matrix<f64>,
    prices: Vec<f64>,
    names: Vec<String>,
}

fn account(solution: &RiskSolution, name: &str, rows: usize) -> ProblemReport {
    let support = solution.alpha.iter().filter(|a| **a != 0.0).count();
    ProblemReport {
        name: name.to_owned(),
        rows,
        primal: solution.objective,
        dual: solution.objective,
        kkt_violation: solution.violation,
        norm: solution.norm,
        margin: None,
        bias: solution.bias,
        free_support_vectors: support,
        bounded_support_vectors: 0,
        on_margin_without_weight: 0,
        iterations: solution.steps,
        kernel_evaluations: (rows * rows) as u64,
        stop_reason: solution.stop_reason,
        precision: Precision::F64,
    }
}
