//! Logistic regression.

use serde::{Deserialize, Serialize};

use super::answer::{Answer, Units, fitted};
use super::input::{Input, classes, limits, on_worthwhile_threads};
use super::svc::NEWTON_STEPS;
use super::told::Kept;
use crate::data::Dataset;
use crate::fit::{BayesReport, FitContext, Fitted, Note, StopReason};
use crate::learn::margin::Bias;
use crate::learn::{ClassWeights, Estimator, Settings};
use crate::model::LinearModel;
use crate::model::readout::{ClassReadout, Readout, Scheme, Sigmoid};
use crate::solver::linear_loss::{
    self, Limits, Smooth, Softmax, Solution, Space, absolute, newton,
};
use crate::{Error, Result};

/// What weights cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Penalty {
    /// ½‖w‖².
    #[default]
    L2,
    /// ‖w‖₁, which makes weights exactly zero.
    L1,
    /// ρ‖w‖₁ + ½(1 − ρ)‖w‖².
    ElasticNet,
    /// Nothing: maximum likelihood.
    None,
}

/// Logistic regression: minimises ½‖w‖² + C Σ w_i log(1 + exp(−y_i f(x_i))).
///
/// Decisions are log-odds, so that P = 1/(1 + e^{−f}) is that of the likelihood, as in scikit-learn: as sure as C
/// makes it, and not held against rows left out. On labels without any signal it loses about 1.8/n nats against
/// their share at C = 1 and few columns, and more with more; a C that was searched for loses less. Several classes have a function each,
/// learnt together: −Σ w_i log P(y_i) with P = softmax(f). The constants are not penalised unless the bias is
/// [`Bias::Regularised`]. Class factors are part of the likelihood. Newton's method: where columns are few
/// (some hundreds) a step takes time n d², otherwise some dozens of readings of the rows.
///
/// # Examples
/// ```
/// use mercer::data::{ClassTargets, Dataset, Records, Targets};
/// use mercer::fit::FitContext;
/// use mercer::learn::Estimator;
/// use mercer::learn::linear_loss::Logistic;
/// use mercer_linalg::Matrix;
///
/// let x = Matrix::from_vec(4, 1, vec![0.0, 1.0, 4.0, 5.0]);
/// let y = ClassTargets::from_labels(&["low", "low", "high", "high"]);
/// let data = Dataset::try_new(Records::from_points(x), Targets::Classes(y))?;
/// let fitted = Logistic::default().fit(&data, &FitContext::default())?;
/// assert!(fitted.model.readout.has_probabilities());
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// # References
/// Lin, Weng and Keerthi, Trust region Newton method for large-scale logistic regression, 2008.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, mercer_derive::Settings)]
pub struct Logistic {
    /// What weights cost: `l2`; `l1`, for few weights other than zero; both, `elastic_net`; or, for maximum
    /// likelihood, `none`.
    #[setting(words("l2", "l1", "elastic_net", "none"))]
    pub penalty: Penalty,
    /// Share ρ of the absolute values in the penalty `elastic_net`, from 0 to 1.
    #[setting(not_negative, unlisted)]
    #[serde(default = "half")]
    pub l1_ratio: f64,
    /// Regularisation parameter C, the weight of errors; not read without a penalty.
    #[setting(positive, python = "C", search(smaller, Regularisation))]
    pub c: f64,
    /// The constant term of the decision.
    #[setting(words("free", "none", "regularised"), python = "fit_intercept")]
    pub bias: Bias,
    /// Value of the feature that stands for a regularised constant: the larger, the less the
    /// penalty counts.
    #[setting(positive, python = "intercept_scaling")]
    pub bias_scale: f64,
    /// Factors on C by class: `balanced`, or a factor for a class, repeatable.
    ///
    /// Probabilities are those of classes that are so much more frequent.
    #[setting(class_weights, flag = "class-weight", python = "class_weight")]
    pub class_weights: ClassWeights,
    /// Largest duality gap of a converged solution, relative to the objective.
    #[setting(positive, python = "tol")]
    pub tolerance: f64,
    /// Largest number of Newton steps; a generous one where it is left open.
    #[setting(count, python = "max_iter")]
    pub max_iterations: Option<u64>,
}

/// Both penalties alike.
fn half() -> f64 {
    0.5
}

impl Default for Logistic {
    fn default() -> Self {
        Self {
            penalty: Penalty::default(),
            l1_ratio: half(),
            c: 1.0,
            bias: Bias::Free,
            bias_scale: 1.0,
            class_weights: ClassWeights::default(),
            tolerance: 1e-6,
            max_iterations: None,
        }
    }
}

impl Estimator for Logistic {
    type Model = LinearModel;

    fn fit(&self, data: &Dataset, context: &FitContext) -> Result<Fitted<LinearModel>> {
        let mut errors = Vec::new();
        self.check(&mut errors);
        if self.l1_ratio > 1.0 {
            errors.push(Error::setting("l1_ratio", self.l1_ratio, "from 0 to 1"));
        }
        Error::collect(errors)?;
        let context = on_worthwhile_threads(context.restarted(), data);
        context.install(|| self.fit_installed(data, &context))?
    }
}

impl Logistic {
    /// ρ, whatever the penalty is called.
    fn absolute_share(&self) -> f64 {
        match self.penalty {
            Penalty::L2 | Penalty::None => 0.0,
            Penalty::L1 => 1.0,
            Penalty::ElasticNet => self.l1_ratio,
        }
    }

    fn fit_installed(&self, data: &Dataset, context: &FitContext) -> Result<Fitted<LinearModel>> {
        let (classes, factors) = classes(data, &self.class_weights)?;
        let code = |row: usize| classes.codes[row] as usize;
        let factor = |row: usize| factors[code(row)];
        let input = Input::try_new(data, self.bias, |row| code(row) as u64, factor)?;
        let c = (self.penalty != Penalty::None).then_some(self.c);
        let (space, unit) = input.space(c, self.bias, self.bias_scale);
        let prices = input.prices(c);
        let labels = &classes.labels;
        let limits = limits(
            self.tolerance,
            self.max_iterations,
            NEWTON_STEPS,
            context.seed,
        );
        let share = self.absolute_share();
        let (answer, scheme, sigmoids) = if labels.len() == 2 {
            let sign = |row: &u32| if code(*row as usize) == 0 { 1.0 } else { -1.0 };
            let signs: Vec<f64> = input.sources.iter().map(sign).collect();
            let loss = linear_loss::Logistic {
                signs: &signs,
                prices: &prices,
            };
            let answer = Answer {
                name: format!("{} against {}", labels[0], labels[1]),
                solution: minimise(&space, share, &loss, limits, context),
                outputs: 1,
            };
            // P(+) = 1/(1 + e^{−f}).
            let link = vec![Sigmoid { a: -1.0, b: 0.0 }];
            (answer, Scheme::OneVsOne, Some(link))
        } else {
            let codes: Vec<u32> = input
                .sources
                .iter()
                .map(|&r| classes.codes[r as usize])
                .collect();
            let loss = Softmax {
                codes: &codes,
                prices: &prices,
                classes: labels.len(),
            };
            let mut solution = minimise(&space, share, &loss, limits, context);
            centre(&mut solution, labels.len(), self.bias, c.is_none());
            let answer = Answer {
                name: "all classes".to_owned(),
                solution,
                outputs: labels.len(),
            };
            (answer, Scheme::Softmax, None)
        };
        let readout = Readout::Classes(ClassReadout {
            labels: labels.clone(),
            scheme,
            sigmoids,
            factors: None,
        });
        let units = Units {
            objective: unit,
            constant: space.constant,
            has_margin: false,
            kept: if c.is_none() {
                Kept::Nothing
            } else if share > 0.0 {
                Kept::AbsoluteValues
            } else {
                Kept::Squares
            },
        };
        let lost = c.is_none()
            && !answer.solution.unbounded
            && answer.solution.stop_reason != StopReason::Converged;
        let mut fitted = fitted(&[answer], readout, &units, data, &input, context);
        fitted.report.notes.push(of_the_likelihood(c));
        fitted.report.bayes = c.map(|c| BayesReport::of_likely_weights(c, share, labels.len()));
        if lost {
            fitted.report.notes.push(Note::Alert(
                "without a penalty no finite weights may be best, where a linear function separates \
                 some rows of the classes: the solver stopped early; a penalty gives an answer"
                    .to_owned(),
            ));
        }
        Ok(fitted)
    }
}

/// By Newton's method where the penalty is smooth.
fn minimise(
    space: &Space<'_>,
    share: f64,
    loss: &impl Smooth,
    limits: Limits,
    context: &FitContext,
) -> Solution {
    if share > 0.0 {
        absolute(space, share, loss, limits, context)
    } else {
        newton(space, loss, limits, None, context)
    }
}

/// Of functions that differ by one for all classes, which softmax does not tell apart, takes those
/// that add up to zero.
fn centre(solution: &mut Solution, classes: usize, bias: Bias, weights: bool) {
    let constants = solution.weights.len() - classes;
    let from = match (weights, bias) {
        (true, _) => 0,
        (false, Bias::Free) => constants,
        (false, _) => return,
    };
    for group in solution.weights[from..].chunks_exact_mut(classes) {
        let mean = group.iter().sum::<f64>() / classes as f64;
        group.iter_mut().for_each(|weight| *weight -= mean);
    }
}

/// Says what probabilities of a logistic likelihood rest on; `None` as C is no penalty at all.
fn of_the_likelihood(c: Option<f64>) -> Note {
    let price = c.map_or("without a penalty".to_owned(), |c| format!("at C = {c}"));
    Note::Choice(format!(
        "probabilities are those of the likelihood {price}, not held against rows left out: with little signal they are too sure, unless C is searched for"
    ))
}
