//! What a linear fit returns.

use mercer_linalg::Matrix;

use super::design::Design;
use super::input::Input;
use super::products::residuals_and_slopes;
use super::trade::Plain;
use crate::fit::{BiasVariance, FitContext, GradientReport, Note, StopReason};
use crate::learn::least_squares::times_power;
use crate::learn::margin::Bias;
use crate::model::WeightSpread;
use crate::{Error, Result};

/// Features up to which the covariance of all weights is made and kept: two megabytes.
pub(super) const TOLD: usize = 500;

/// Linear functions f(x) = ⟨w, x⟩ + b, one per output, with what is known of the solution.
#[derive(Debug, Clone, PartialEq)]
pub struct LinearSolution {
    /// One row per output, one weight per feature.
    pub weights: Matrix<f64>,
    /// The constant of every output; 0 where there is none.
    pub biases: Vec<f64>,
    /// How many columns are independent, the constant not counted; `None` where a penalty
    /// decides instead, and where steps cannot know it.
    pub rank: Option<usize>,
    /// An estimate of the ratio of the largest to the smallest singular value of the rows that
    /// were solved: centred and weighted, with √λ I below them for ridge. Of ordinary least
    /// squares with at least as many rows as columns, columns are scaled to length one and only
    /// independent ones count. 1 where there is nothing to solve, NaN after steps of any kind.
    pub condition: f64,
    /// Σ w_i (y_i − f(x_i))² + λ‖w‖² of every output.
    pub objective: Vec<f64>,
    /// How far the normal equations are from being met: the largest
    /// |⟨x_j, r⟩ − λw_j| / (‖x_j‖ ‖y‖) over columns x_j and outputs, r the residuals, all of them
    /// centred and weighted.
    pub violation: f64,
    /// Rank, or the trace of the map from targets to predictions for ridge; plus 1 for a free
    /// constant. Conjugate gradients estimate it.
    pub degrees_of_freedom: f64,
    /// Standard errors of ordinary least squares, where all columns are independent and the
    /// weights sum up to more than the parameters.
    pub standard_errors: Option<StandardErrors>,
    /// How sure the weights are, together: the posterior under a penalty, where features are few.
    pub spread: Option<WeightSpread>,
    /// Weight λ of the penalty, where there is one.
    pub lambda: Option<f64>,
    /// Variance of the noise of every output, under a penalty: as it was given, or the objective
    /// over the number of copies less the free constant. Empty otherwise.
    pub noise: Vec<f64>,
    /// What the penalty costs and gains, a value per output, where least squares has one solution.
    pub bias_variance: Vec<BiasVariance>,
    /// Columns that say nothing of their own, where rows outnumber columns.
    pub dependences: Vec<Dependence>,
    /// Columns whose variance is inflated a hundredfold and more by the others.
    pub inflated: Vec<usize>,
    /// How steps down the slope went, where they were taken.
    pub gradient: Option<GradientReport>,
    /// Steps of conjugate gradients, where they were taken.
    pub conjugate_steps: Option<u64>,
    /// Why the solver stopped.
    pub stop_reason: StopReason,
    /// Choices made and reasons for care.
    pub notes: Vec<Note>,
}

/// Standard deviations of the weights if residuals are independent noise of one variance, which is
/// estimated by Σ w_i r_i² / (Σ w_i − parameters). Weights of rows count as copies.
#[derive(Debug, Clone, PartialEq)]
pub struct StandardErrors {
    /// One row per output, one standard error per feature.
    pub weights: Matrix<f64>,
    /// Of the constants; 0 where there is none.
    pub biases: Vec<f64>,
}

/// A column that is a combination of others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dependence {
    /// The column.
    pub column: usize,
    /// The others; none where the column is constant.
    pub combines: Vec<usize>,
}

/// Weights in the units of a design.
pub(super) struct Answer {
    /// One row per output, one weight per column of the design.
    pub(super) weights: Matrix<f64>,
    /// Independent columns of the design; `None` with a penalty.
    pub(super) rank: Option<usize>,
    /// See [`LinearSolution::condition`].
    pub(super) condition: f64,
    /// Trace of the map from targets to predictions, without the constant.
    pub(super) parameters: f64,
    /// With a penalty or full rank, what the variance of the noise is multiplied by.
    pub(super) spread: Option<Spread>,
    /// Columns of the design that are combinations of others.
    pub(super) dependent: Vec<Dependence>,
    /// Least squares beside a penalised solution.
    pub(super) plain: Option<Plain>,
    /// Residuals and slopes, where the solver knows them.
    pub(super) account: Option<Account>,
}

/// What a solution leaves, one row per output.
pub(super) struct Account {
    /// y − Xw.
    pub(super) left: Matrix<f64>,
    /// Xᵀ(y − Xw) − λ∘w.
    pub(super) slopes: Matrix<f64>,
}

impl Account {
    /// Passes over the rows.
    ///
    /// # Errors
    /// Cancellation and the time limit.
    pub(super) fn of(
        design: &Design,
        weights: &Matrix<f64>,
        penalties: Option<&[f64]>,
        context: &FitContext,
    ) -> Result<Self> {
        let (left, mut slopes) = residuals_and_slopes(design, weights, context)?;
        if let Some(penalties) = penalties {
            for k in 0..weights.rows() {
                subtract_penalty(penalties, weights.row(k), slopes.row_mut(k));
            }
        }
        Ok(Self { left, slopes })
    }
}

/// Variances of weights for noise of variance one: S = (XᵀX)⁻¹, or (XᵀX + λI)⁻¹.
pub(super) struct Spread {
    /// The diagonal of S.
    pub(super) weights: Vec<f64>,
    /// mᵀSm for the means m of the columns.
    pub(super) centre: f64,
    /// S, where columns are few.
    pub(super) covariance: Option<Matrix<f64>>,
}

impl Spread {
    /// Knows the diagonal alone, and nothing of the constant.
    pub(super) fn diagonal(weights: Vec<f64>) -> Self {
        Self {
            weights,
            centre: 0.0,
            covariance: None,
        }
    }

    /// Knows all of S.
    pub(super) fn whole(design: &Design, covariance: Matrix<f64>) -> Self {
        let means: Vec<f64> = design.means().collect();
        let row =
            |i: usize| means[i] * mercer_linalg::dot(&covariance.row(i)[..means.len()], &means);
        Self {
            weights: (0..covariance.rows()).map(|i| covariance[(i, i)]).collect(),
            centre: if design.bias == Bias::Free {
                (0..means.len()).map(row).sum::<f64>().max(0.0)
            } else {
                0.0
            },
            covariance: Some(covariance),
        }
    }
}

impl Answer {
    /// The solution where no column has anything to say.
    pub(super) fn empty(outputs: usize, penalised: bool) -> Self {
        Self {
            weights: Matrix::zeros(outputs, 0),
            rank: (!penalised).then_some(0),
            condition: 1.0,
            parameters: 0.0,
            spread: Some(Spread {
                weights: Vec::new(),
                centre: 0.0,
                covariance: Some(Matrix::zeros(0, 0)),
            }),
            dependent: Vec::new(),
            plain: None,
            account: None,
        }
    }

    /// Puts powers of two, means and columns without a say back in, and works out residuals.
    ///
    /// # Errors
    /// Weights beyond the range of numbers; cancellation and the time limit.
    pub(super) fn finish(
        mut self,
        input: &Input,
        design: &Design,
        penalised: Option<&Penalised<'_>>,
        context: &FitContext,
    ) -> Result<LinearSolution> {
        let penalties = penalised.map(|p| p.penalties);
        let outputs = self.weights.rows();
        let Account { left, slopes } = match self.account.take() {
            Some(account) => account,
            None => Account::of(design, &self.weights, penalties, context)?,
        };
        let mut objective = Vec::with_capacity(outputs);
        let mut violation: f64 = 0.0;
        let mut squares = Vec::with_capacity(outputs);
        for k in 0..outputs {
            let mut cost = norm(left.row(k)).powi(2);
            squares.push(cost);
            if let Some(penalties) = penalties {
                let pairs = penalties.iter().zip(self.weights.row(k));
                cost += pairs.map(|(p, w)| p * w * w).sum::<f64>();
            }
            let units = 2 * (input.target_exponents[k] + input.weight_exponent);
            objective.push(times_power(cost, units));
            violation = violation.max(design.violation(k, slopes.row(k)));
        }
        let mut notes = Vec::new();
        let lost = |(k, value): (usize, &f64)| {
            !value.is_finite() || (*value < f64::MIN_POSITIVE && squares[k] > 0.0)
        };
        if objective.iter().enumerate().any(lost) {
            notes.push(Note::Alert(
                "the squares of these targets leave the range of numbers: the objective is rounded \
                 to zero or infinity; divide or multiply the targets by a power of ten to have it"
                    .to_owned(),
            ));
        }
        let features = input.points.columns();
        let free = design.bias == Bias::Free;
        // A constant with a weight of its own is no column of the data.
        let rank = self.rank.map(|rank| rank - usize::from(design.has_ones()));
        let mut solution = LinearSolution {
            weights: Matrix::zeros(outputs, features),
            biases: vec![0.0; outputs],
            rank,
            condition: self.condition,
            objective,
            violation,
            degrees_of_freedom: self.parameters + f64::from(u8::from(free)),
            standard_errors: None,
            spread: None,
            lambda: penalised.map(|p| p.lambda),
            noise: Vec::new(),
            bias_variance: Vec::new(),
            dependences: self.dependences(design),
            inflated: Vec::new(),
            gradient: None,
            conjugate_steps: None,
            stop_reason: StopReason::Converged,
            notes,
        };
        for (k, &exponent) in input.target_exponents.iter().enumerate() {
            let (row, bias) = design.in_data_units(self.weights.row(k), k);
            for (to, (value, power)) in row {
                solution.weights[(k, to)] = times_power(value, power + exponent);
            }
            solution.biases[k] = times_power(bias, exponent);
            let finite = solution.weights.row(k).iter().all(|w| w.is_finite());
            if !(finite && solution.biases[k].is_finite()) {
                return Err(Error::rows(
                    "the weights of these targets are beyond the range of numbers",
                    "divide the targets by a power of ten before fitting, or multiply the columns by one",
                ));
            }
        }
        let Some(spread) = self.spread else {
            return Ok(solution);
        };
        let units = |k: usize| 2 * (input.target_exponents[k] + input.weight_exponent);
        if let Some(penalised) = penalised {
            let freedom = input.copies() - f64::from(u8::from(free));
            solution.noise = match penalised.noise {
                Some(noise) => vec![noise; outputs],
                None => solution.objective.iter().map(|o| o / freedom).collect(),
            };
            let plain = self.plain.filter(|_| design.has_all_columns());
            solution.bias_variance = plain
                .and_then(|plain| {
                    let noise = &solution.noise;
                    let (targets, weights) = (&input.target_exponents, input.weight_exponent);
                    plain.told(design, &spread, noise, targets, weights)
                })
                .unwrap_or_default();
            let noise = solution.noise.clone();
            solution.spread = design.weight_spread(input, &spread, noise, None, penalised.lambda);
            return Ok(solution);
        }
        solution.inflated = design.inflated(&spread.weights);
        let freedom = input.copies() - solution.degrees_of_freedom;
        if freedom > 0.0 && design.has_all_columns() {
            solution.standard_errors =
                Some(standard_errors(&spread, &squares, freedom, input, design));
            let noise = (0..outputs).map(|k| times_power(squares[k] / freedom, units(k)));
            solution.spread =
                design.weight_spread(input, &spread, noise.collect(), Some(freedom), 0.0);
        }
        Ok(solution)
    }

    /// Dependent columns by their places in the data, constant ones among them.
    fn dependences(&self, design: &Design) -> Vec<Dependence> {
        if self.rank.is_none() {
            return Vec::new();
        }
        let constant = design.left_out().map(|column| Dependence {
            column,
            combines: Vec::new(),
        });
        // The appended column is no column of the data.
        let place = |c: usize| design.place(c);
        let dependent = self.dependent.iter().filter_map(|d| {
            Some(Dependence {
                column: place(d.column)?,
                combines: d.combines.iter().filter_map(|&c| place(c)).collect(),
            })
        });
        let mut all: Vec<Dependence> = constant.chain(dependent).collect();
        all.sort_by_key(|d| d.column);
        all
    }
}

/// The penalty of a solution.
pub(super) struct Penalised<'a> {
    /// λ as it was given.
    pub(super) lambda: f64,
    /// λ of every column of the design.
    pub(super) penalties: &'a [f64],
    /// Variance of the noise, where it is known.
    pub(super) noise: Option<f64>,
}

fn standard_errors(
    spread: &Spread,
    squares: &[f64],
    freedom: f64,
    input: &Input,
    design: &Design,
) -> StandardErrors {
    let outputs = squares.len();
    let mut weights = Matrix::zeros(outputs, input.points.columns());
    let mut biases = vec![0.0; outputs];
    for (k, &exponent) in input.target_exponents.iter().enumerate() {
        // Powers of two of the row weights are in both factors, the other way round.
        let deviation = (squares[k] / freedom).sqrt();
        let each: Vec<f64> = spread
            .weights
            .iter()
            .map(|v| deviation * v.sqrt())
            .collect();
        for (to, (value, power)) in design.columns_in_data_units(&each) {
            weights[(k, to)] = times_power(value, power + exponent);
        }
        let bias = match design.bias {
            Bias::Free => deviation * (spread.centre + design.total().recip()).sqrt(),
            Bias::Regularised => design.ones_in_data_units(&each),
            Bias::None => 0.0,
        };
        biases[k] = times_power(bias, exponent);
    }
    StandardErrors { weights, biases }
}

/// g ← g − λ∘w.
pub(super) fn subtract_penalty(penalties: &[f64], weights: &[f64], slope: &mut [f64]) {
    for ((slope, penalty), weight) in slope.iter_mut().zip(penalties).zip(weights) {
        *slope -= penalty * weight;
    }
}

/// Euclidean length.
pub(super) fn norm(values: &[f64]) -> f64 {
    mercer_linalg::dot(values, values).sqrt()
}
