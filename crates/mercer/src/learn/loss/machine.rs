//! A kernel method for any convex loss.

use mercer_linalg::{Matrix, Precision};
use serde::{Deserialize, Serialize};

use super::Loss;
use super::held_out::HeldOut;
use super::newton::{RiskProblem, RiskSolution};
use super::{power, ranking};
use crate::data::{Dataset, Targets, Task};
use crate::fit::{BayesReport, FitContext, Fitted, Note, ProblemReport};
use crate::hint::{Hint, Word};
use crate::kernel::KernelSpec;
use crate::learn::canonical::{Canonical, Found};
use crate::learn::least_squares::matrix_bytes;
use crate::learn::margin::{Bias, ClassWeights};
use crate::learn::{Estimator, Settings};
use crate::model::expansion::KernelExpansion;
use crate::model::readout::{ClassReadout, Origin, Readout, Scheme, Sigmoid};
use crate::{Error, Result};

/// Minimises ½‖f‖² + C Σ w_i L(y_i, f(x_i)) for a loss of choice, or ‖f‖^p/p in the place of ½‖f‖².
///
/// With the logistic loss it is kernel logistic regression, whose decisions are log-odds and whose probabilities
/// rest on decisions about rows left out. The
/// ranking loss is a joint loss of all rows, Σ over y_i > y_j of w_i w_j max(0, 1 − f_i + f_j): of its predictions
/// the order alone means something. Time grows with n³ a Newton step, of which there are about ten; with another
/// power than 2 some twenty such problems are solved.
///
/// # References
/// Schölkopf, Herbrich and Smola, A generalized representer theorem, 2001; Keerthi et al., A
/// fast dual algorithm for kernel logistic regression, 2005.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, mercer_derive::Settings)]
pub struct KernelRisk {
    /// Kernel expression.
    #[setting(kernel)]
    pub kernel: KernelSpec,
    /// The loss.
    #[setting(group)]
    pub loss: Loss,
    /// Regularisation parameter C, the weight of errors.
    #[setting(positive, python = "C", search(smaller, Regularisation))]
    pub c: f64,
    /// Power p of the penalty ‖f‖^p/p, at least 1.
    #[serde(default = "two")]
    #[setting(positive, unlisted)]
    pub power: f64,
    /// The constant term of the decision.
    #[setting(words("free", "none", "regularised"), python = "fit_intercept")]
    pub bias: Bias,
    /// Factors on C by class: `balanced`, or a factor for a class, repeatable.
    ///
    /// With the logistic loss labels are those of largest factor times probability.
    #[setting(class_weights, flag = "class-weight", python = "class_weight")]
    pub class_weights: ClassWeights,
    /// Largest violation of the optimality conditions, relative to the largest weighted C.
    #[setting(positive, python = "tol")]
    pub tolerance: f64,
}

fn two() -> f64 {
    2.0
}

impl Default for KernelRisk {
    fn default() -> Self {
        Self {
            kernel: KernelSpec::rbf_auto(),
            loss: Loss::Logistic,
            c: 1.0,
            power: 2.0,
            bias: Bias::Free,
            class_weights: ClassWeights::default(),
            tolerance: 1e-8,
        }
    }
}

impl KernelRisk {
    /// Sets whether a constant without penalty is part of f.
    pub fn intercept(self, intercept: bool) -> Self {
        self.bias(if intercept { Bias::Free } else { Bias::None })
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
        self.check(&mut errors);
        if self.power < 1.0 {
            errors.push(Error::setting("power", self.power, "at least 1"));
        }
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
        let joint = self.loss == Loss::Ranking;
        // Scores have no constant of their own that could take a shift of the rows.
        let constant = if joint { Bias::None } else { self.bias };
        let (kernel, mut notes) = rows.resolve(&self.kernel, constant)?;
        let outputs = match (&rows.targets, self.loss.task()) {
            (Targets::Classes(_), Task::Classify) => self.classes(&rows)?,
            (Targets::Real(_), Task::Regress) => self.values(&rows)?,
            (_, task) => {
                return Err(Error::Conflict {
                    what: format!("the loss `{}` is for the task `{task}`", self.loss.name()),
                    cure: Hint::from("choose another ").word(Word::Setting("loss")).then(
                        ": logistic, hinge or squared_hinge for classes; squared, huber, insensitive or ranking for numbers",
                    ),
                });
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
        let mut gram = kernel.gram_within(rows.seen(), context.par(), context)?;
        self.bias.append_feature(&mut gram);
        let root = joint.then(|| ranking::root(&gram)).transpose()?;
        if joint {
            notes.push(Note::Choice(
                "predictions are scores: only their order means something".to_owned(),
            ));
        }
        let mut solutions = Vec::with_capacity(outputs.targets.rows());
        let mut held = Vec::new();
        for k in 0..outputs.targets.rows() {
            let problem = RiskProblem {
                gram: &gram,
                targets: outputs.targets.row(k),
                prices: &outputs.prices,
                copies: &rows.weights,
                root: root.as_ref(),
                loss: self.loss,
                intercept: self.bias.is_free() && !joint,
                tolerance: self.tolerance,
            };
            let left = outputs.targets.rows() - k;
            let share = context.share(1.0 / left as f64);
            let mut solution = power::solve(&problem, self.power, &share)?;
            if self.loss == Loss::Logistic {
                held.extend(problem.held_out(&solution, context)?);
            }
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
        let calibrated = held.len() == solutions.len();
        if self.loss == Loss::Logistic && !calibrated {
            notes.push(Note::Alert(
                "probabilities are those of the likelihood, which may be too sure: there was no time for decisions about rows left out".to_owned(),
            ));
        }
        let readout = match &rows.targets {
            Targets::Classes(classes) => Readout::Classes(ClassReadout {
                labels: classes.labels.clone(),
                scheme: Scheme::one_or_rest(classes.labels.len()),
                sigmoids: (self.loss == Loss::Logistic).then(|| {
                    if calibrated {
                        outputs.sigmoids(&held, &rows.weights, context)
                    } else {
                        // The loss's own link. Class factors are part of the likelihood, so that P has
                        // counted them, and the label is the sign of f.
                        vec![Sigmoid { a: -1.0, b: 0.0 }; biases.len()]
                    }
                }),
                factors: outputs.factors.clone().filter(|_| calibrated),
            }),
            _ => Readout::Values,
        };
        let differing = calibrated
            .then(|| {
                let own = Matrix::from_fn(rows.len(), held.len(), |i, k| held[k].own[i]);
                readout.differing(&own, Some(&rows.weights))
            })
            .flatten();
        let all = rows.weights.iter().sum();
        notes.extend(differing.and_then(|d| Note::of_differing(d, all, "training rows")));
        let problems = solutions
            .iter()
            .zip(&outputs.names)
            .map(|(solution, name)| account(solution, name, rows.len()))
            .collect();
        let model = rows.expansion(Found {
            kernel,
            support,
            coefficients,
            biases,
            readout,
            prices: Vec::new(),
        });
        let decisions = solutions.len();
        let mut fitted = rows.finish(model, problems, notes, needed, context);
        fitted.report.differing = differing;
        if self.loss == Loss::Logistic && self.power == 2.0 {
            fitted.report.bayes = Some(BayesReport::of_log_odds(self.c, decisions));
        }
        Ok(fitted)
    }

    fn classes(&self, rows: &Canonical) -> Result<Outputs> {
        let classes = rows.classes()?;
        let factors = self.class_weights.factors(classes, &rows.span_weights())?;
        let k = classes.labels.len();
        let labels = &classes.labels;
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
        let of_rows = |code: &u32| factors[*code as usize];
        let unequal = factors.iter().any(|f| *f != 1.0);
        Ok(Outputs {
            targets: rows.signs(classes),
            prices,
            names,
            row_factors: if unequal {
                classes.codes.iter().map(of_rows).collect()
            } else {
                Vec::new()
            },
            factors: (unequal && self.loss == Loss::Logistic).then_some(factors),
        })
    }

    fn values(&self, rows: &Canonical) -> Result<Outputs> {
        let values = rows.values()?;
        Ok(Outputs {
            targets: Matrix::from_vec(1, values.len(), values.to_vec()),
            prices: rows.weights.iter().map(|w| self.c * w).collect(),
            names: vec!["regression".to_owned()],
            row_factors: Vec::new(),
            factors: None,
        })
    }
}

/// What Newton's method is given.
struct Outputs {
    targets: Matrix<f64>,
    prices: Vec<f64>,
    names: Vec<String>,
    /// The class factor of every row; empty for ones only.
    row_factors: Vec<f64>,
    /// That of every class, where they count for labels.
    factors: Option<Vec<f64>>,
}

impl Outputs {
    /// Sigmoids of decisions about rows left out; copies count, class factors only say where the model drew
    /// its border.
    fn sigmoids(&self, held: &[HeldOut], copies: &[f64], context: &FitContext) -> Vec<Sigmoid> {
        let origin = Origin {
            fitted: context.fitted_numbers,
            factors: &self.row_factors,
        };
        let one = |(k, held): (usize, &HeldOut)| {
            let positive: Vec<bool> = self.targets.row(k).iter().map(|t| *t > 0.0).collect();
            Sigmoid::fit(&held.left_out, &positive, copies, &origin)
        };
        held.iter().enumerate().map(one).collect()
    }
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
        slack: None,
    }
}
