//! Linear support vector regression.

use serde::{Deserialize, Serialize};

use super::answer::{Answer, Units, fitted};
use super::input::{Input, on_worthwhile_threads};
use super::svc::{at_edges, at_squares};
use super::told::Kept;
use crate::data::Dataset;
use crate::fit::{FitContext, Fitted};
use crate::learn::margin::Bias;
use crate::learn::{Estimator, Settings};
use crate::model::LinearModel;
use crate::model::readout::Readout;
use crate::solver::linear_loss::{Edges, SquaredTube};
use crate::{Error, Result};

/// What residuals beyond ε cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TubeLoss {
    /// max(0, |y − f| − ε).
    #[default]
    EpsilonInsensitive,
    /// max(0, |y − f| − ε)².
    SquaredEpsilonInsensitive,
}

/// Linear support vector regression: minimises ½‖w‖² + C Σ w_i L(y_i − f(x_i)).
///
/// L is max(0, |r| − ε) or its square; ε = 0 with the first is the least absolute deviation. The
/// constant is penalised like a weight unless it is [`Bias::Free`], as in LIBLINEAR and scikit-learn. Time is
/// that of [`super::LinearSvc`].
///
/// # Examples
/// ```
/// use mercer::data::{Dataset, Records, Targets};
/// use mercer::fit::FitContext;
/// use mercer::learn::Estimator;
/// use mercer::learn::linear_loss::LinearSvr;
/// use mercer::learn::margin::Bias;
/// use mercer_linalg::Matrix;
///
/// let x = Matrix::from_fn(5, 1, |i, _| i as f64);
/// // The last row is far off the line of the others.
/// let y = Targets::Real(vec![1.0, 3.0, 5.0, 7.0, 90.0]);
/// let data = Dataset::try_new(Records::from_points(x), y)?;
/// let line = LinearSvr::default().c(1e3).bias(Bias::Free);
/// let fitted = line.fit(&data, &FitContext::default())?;
/// assert!((fitted.model.weights[(0, 0)] - 2.0).abs() < 1e-3);
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// # References
/// Ho and Lin, Large-scale linear support vector regression, 2012.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, mercer_derive::Settings)]
pub struct LinearSvr {
    /// What residuals beyond ε cost.
    #[setting(words("epsilon_insensitive", "squared_epsilon_insensitive"))]
    pub loss: TubeLoss,
    /// Regularisation parameter C, the weight of errors.
    #[setting(positive, python = "C", search(smaller, Regularisation))]
    pub c: f64,
    /// Half-width of the tube within which errors cost nothing.
    #[setting(not_negative)]
    pub epsilon: f64,
    /// The constant term of the prediction.
    #[setting(words("free", "none", "regularised"), python = "fit_intercept")]
    pub bias: Bias,
    /// Value of the feature that stands for a regularised constant: the larger, the less the
    /// penalty counts.
    #[setting(positive, python = "intercept_scaling")]
    pub bias_scale: f64,
    /// Largest duality gap of a converged solution, relative to the objective.
    #[setting(positive, python = "tol")]
    pub tolerance: f64,
    /// Largest number of steps, or of passes over the rows; a generous one where it is left open.
    #[setting(count, python = "max_iter")]
    pub max_iterations: Option<u64>,
}

impl Default for LinearSvr {
    fn default() -> Self {
        Self {
            loss: TubeLoss::default(),
            c: 1.0,
            epsilon: 0.0,
            bias: Bias::Regularised,
            bias_scale: 1.0,
            tolerance: 1e-6,
            max_iterations: None,
        }
    }
}

impl Estimator for LinearSvr {
    type Model = LinearModel;

    fn fit(&self, data: &Dataset, context: &FitContext) -> Result<Fitted<LinearModel>> {
        let mut errors = Vec::new();
        self.check(&mut errors);
        Error::collect(errors)?;
        let context = on_worthwhile_threads(context.restarted(), data);
        context.install(|| self.fit_installed(data, &context))?
    }
}

impl LinearSvr {
    fn fit_installed(&self, data: &Dataset, context: &FitContext) -> Result<Fitted<LinearModel>> {
        let values = data.targets.values().ok_or_else(|| {
            Error::rows(
                "regression needs a number for every row",
                "give a numeric target column, or use classification",
            )
        })?;
        if let Some(row) = values.iter().position(|y| !(y.abs() < 1e100)) {
            return Err(Error::rows(
                format!("the target of row {} is `{}`", row + 1, values[row]),
                "give finite targets whose squares are within the range of numbers",
            ));
        }
        // Zeros of either sign are the same target.
        let target = |row: usize| (values[row] + 0.0).to_bits();
        let input = Input::try_new(data, self.bias, target, |_| 1.0)?;
        let (space, unit) = input.space(Some(self.c), self.bias, self.bias_scale);
        let prices = input.prices(Some(self.c));
        let targets: Vec<f64> = input
            .sources
            .iter()
            .map(|&row| values[row as usize])
            .collect();
        let solution = match self.loss {
            TubeLoss::SquaredEpsilonInsensitive => {
                let loss = SquaredTube {
                    targets: &targets,
                    epsilon: self.epsilon,
                    prices: &prices,
                };
                let edges = || self.edges(&targets, &prices);
                at_squares(
                    &space,
                    &loss,
                    edges,
                    self.tolerance,
                    self.max_iterations,
                    context,
                )
            }
            TubeLoss::EpsilonInsensitive => {
                let edges = self.edges(&targets, &prices);
                at_edges(&space, &edges, self.tolerance, self.max_iterations, context)
            }
        };
        let answer = Answer {
            name: "regression".to_owned(),
            solution,
            outputs: 1,
        };
        let units = Units {
            objective: unit,
            constant: space.constant,
            has_margin: false,
            kept: Kept::Squares,
        };
        Ok(fitted(
            &[answer],
            Readout::Values,
            &units,
            data,
            &input,
            context,
        ))
    }

    /// The two edges of the tube.
    fn edges(&self, targets: &[f64], prices: &[f64]) -> Edges {
        let rows = targets.len();
        let below = targets.iter().map(|y| y - self.epsilon);
        let above = targets.iter().map(|y| -y - self.epsilon);
        Edges {
            signs: [vec![1.0; rows], vec![-1.0; rows]].concat(),
            targets: below.chain(above).collect(),
            prices: [prices, prices].concat(),
            squared: self.loss == TubeLoss::SquaredEpsilonInsensitive,
        }
    }
}
