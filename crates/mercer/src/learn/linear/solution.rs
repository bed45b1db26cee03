//! What a linear fit returns.

use mercer_linalg::Matrix;

use super::design::Design;
use super::input::Input;
use super::products::{combine, residuals};
use crate::fit::{FitContext, Note};
use crate::learn::least_squares::times_power;
use crate::learn::margin::Bias;
use crate::{Error, Result};

/// Linear functions f(x) = ⟨w, x⟩ + b, one per output, with what is known of the solution.
#[derive(Debug, Clone, PartialEq)]
pub struct LinearSolution {
    /// One row per output, one weight per feature.
    pub weights: Matrix<f64>,
    /// The constant of every output; 0 where there is none.
    pub biases: Vec<f64>,
    /// How many columns are independent, the constant not counted; `None` where a penalty
    /// decides instead.
    pub rank: Option<usize>,
    /// An estimate of the ratio of the largest to the smallest singular value of the rows that
    /// were solved: centred and weighted, with √λ I below them for ridge. Of ordinary least
    /// squares with at least as many rows as columns, columns are scaled to length one and only
    /// independent ones count. 1 where there is nothing to solve.
    pub condition: f64,
    /// Σ w_i (y_i − f(x_i))² + λ‖w‖² of every output.
    pub objective: Vec<f64>,
    /// How far the normal equations are from being met: the largest
    /// |⟨x_j, r⟩ − λw_j| / (‖x_j‖ ‖y‖) over columns x_j and outputs, r the residuals, all of them
    /// centred and weighted.
    pub violation: f64,
    /// Rank, or the trace of the map from targets to predictions for ridge; plus 1 for a free
    /// constant.
    pub degrees_of_freedom: f64,
    /// Standard errors of ordinary least squares, where all columns are independent and the
    /// weights sum up to more than the parameters.
    pub standard_errors: Option<StandardErrors>,
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
    /// Without a penalty and with full rank, what the variance of the noise is multiplied by.
    pub(super) spread: Option<Spread>,
}

/// Variances of weights for noise of variance one.
pub(super) struct Spread {
    /// The diagonal of (XᵀX)⁻¹.
    pub(super) weights: Vec<f64>,
    /// mᵀ(XᵀX)⁻¹m for the means m of the columns.
    pub(super) centre: f64,
}

impl Answer {
    /// The solution where no column has anything to say.
    pub(super) fn empty(outputs: usize, penalised: bool) -> Self {
        Self {
            weights: Matrix::zeros(outputs, 0),
            rank: (!penalised).then_some(0),
            condition: 1.0,
            parameters: 0.0,
            spread: (!penalised).then(|| Spread {
                weights: Vec::new(),
                centre: 0.0,
            }),
        }
    }

    /// Puts powers of two, means and columns without a say back in, and works out residuals.
    ///
    /// # Errors
    /// Weights beyond the range of numbers; cancellation and the time limit.
    pub(super) fn finish(
        self,
        input: &Input,
        design: &Design,
        penalties: Option<&[f64]>,
        context: &FitContext,
    ) -> Result<LinearSolution> {
        let outputs = self.weights.rows();
        let left = residuals(design, &self.weights, context)?;
        let mut slopes = combine(design, &left, context)?;
        let mut objective = Vec::with_capacity(outputs);
        let mut violation: f64 = 0.0;
        let mut squares = Vec::with_capacity(outputs);
        for k in 0..outputs {
            let mut cost = norm(left.row(k)).powi(2);
            squares.push(cost);
            if let Some(penalties) = penalties {
                subtract_penalty(penalties, self.weights.row(k), slopes.row_mut(k));
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
        let freedom = input.copies() - solution.degrees_of_freedom;
        if let Some(spread) = self
            .spread
            .filter(|_| freedom > 0.0 && design.has_all_columns())
        {
            solution.standard_errors =
                Some(standard_errors(&spread, &squares, freedom, input, design));
        }
        Ok(solution)
    }
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
