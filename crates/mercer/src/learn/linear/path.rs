//! Ridge at many λ from one decomposition.

use mercer_linalg::Matrix;

use super::design::{Design, Scaling};
use super::input::Input;
use super::reduced;
use super::ridge::Ridge;
use super::solution::Answer;
use super::spectrum::{Spectrum, score};
use crate::data::Records;
use crate::fit::FitContext;
use crate::learn::least_squares::times_power;
use crate::{Error, Result};

/// The solution at one λ of a path.
#[derive(Debug, Clone, PartialEq)]
pub struct LinearPathPoint {
    /// λ.
    pub lambda: f64,
    /// One row per output, one weight per feature.
    pub weights: Matrix<f64>,
    /// The constant of every output; 0 where there is none.
    pub biases: Vec<f64>,
    /// Effective number of parameters, a free constant counted.
    pub degrees_of_freedom: f64,
    /// Mean squared error of rows that are left out one by one, over all outputs.
    pub leave_one_out: f64,
    /// Score of generalised cross-validation, over all outputs.
    pub gcv: f64,
}

impl Ridge {
    /// Solves at every λ of a list; the estimator's own λ is not used.
    ///
    /// Time n d min(n, d) + 9 min(n, d)³ multiplications for the decomposition, and n min(n, d) a λ. The error of the
    /// weights grows with the condition number of XᵀX + λI, as that of normal equations without
    /// refinement.
    ///
    /// # Errors
    /// As [`Ridge::solve`]; a λ that is not positive and finite.
    pub fn path(
        &self,
        records: &Records,
        targets: &Matrix<f64>,
        weights: Option<&[f64]>,
        lambdas: &[f64],
        context: &FitContext,
    ) -> Result<Vec<LinearPathPoint>> {
        if let Some(lambda) = lambdas.iter().find(|l| !(l.is_finite() && **l > 0.0)) {
            return Err(Error::setting("lambda", lambda, "positive and finite"));
        }
        let input = Input::try_new(records, targets, weights)?;
        context.install(|| self.path_installed(&input, lambdas, context))?
    }

    fn path_installed(
        &self,
        input: &Input,
        lambdas: &[f64],
        context: &FitContext,
    ) -> Result<Vec<LinearPathPoint>> {
        let design = Design::try_new(input, self.bias, Scaling::Common, context)?;
        let outputs = input.targets.rows();
        let unit = design.one().powi(2);
        let own: Vec<f64> = lambdas.iter().map(|l| input.penalty(*l) * unit).collect();
        let free = f64::from(u8::from(self.bias.is_free()));
        if design.width() == 0 {
            let empty = Answer::empty(outputs, true);
            let point = |lambda: &f64| {
                point(
                    *lambda,
                    empty.weights.as_slice(),
                    &design,
                    input,
                    (free, f64::NAN, f64::NAN),
                )
            };
            return lambdas.iter().map(point).collect();
        }
        let copies = input.copies();
        let unit = input.weight_unit();
        let (all, parameters, errors, scores) =
            if let Some(found) = reduced::path(&design, &own, unit, context)? {
                let each = found.parameters.iter().zip(&found.errors);
                let scores = each.map(|(p, e)| score(e.residual, p + free, copies));
                let scores: Vec<f64> = scores.collect();
                (found.weights, found.parameters, found.errors, scores)
            } else {
                let spectrum = Spectrum::new(&design, copies, context)?;
                (
                    spectrum.weights(&design, &own, context)?,
                    own.iter().map(|&l| spectrum.parameters(l)).collect(),
                    spectrum.errors(&design, &own, unit, context)?,
                    own.iter().map(|&l| spectrum.gcv(l)).collect(),
                )
            };
        let width = design.width();
        // Squares of targets of one unit; of several units there is no common score.
        let same = input
            .target_exponents
            .iter()
            .all(|e| *e == input.target_exponents[0]);
        let power = 2 * (input.target_exponents[0] + input.weight_exponent);
        let in_units = |value: f64| {
            if same {
                times_power(value, power)
            } else {
                f64::NAN
            }
        };
        lambdas
            .iter()
            .enumerate()
            .map(|(l, &lambda)| {
                let rows = l * outputs * width..(l + 1) * outputs * width;
                let told = (
                    parameters[l] + free,
                    in_units(errors[l].left_out / copies),
                    in_units(scores[l]),
                );
                point(lambda, &all.as_slice()[rows], &design, input, told)
            })
            .collect()
    }
}

/// Puts weights of the design into units of the data.
fn point(
    lambda: f64,
    weights: &[f64],
    design: &Design,
    input: &Input,
    (degrees_of_freedom, leave_one_out, gcv): (f64, f64, f64),
) -> Result<LinearPathPoint> {
    let outputs = input.targets.rows();
    let mut point = LinearPathPoint {
        lambda,
        weights: Matrix::zeros(outputs, input.points.columns()),
        biases: vec![0.0; outputs],
        degrees_of_freedom,
        leave_one_out,
        gcv,
    };
    let width = design.width();
    for (k, &exponent) in input.target_exponents.iter().enumerate() {
        let own = &weights[k * width..(k + 1) * width];
        let (row, bias) = design.in_data_units(own, k);
        for (to, (value, power)) in row {
            point.weights[(k, to)] = times_power(value, power + exponent);
        }
        point.biases[k] = times_power(bias, exponent);
    }
    let finite = point.weights.as_slice().iter().chain(&point.biases);
    if finite.copied().all(f64::is_finite) {
        return Ok(point);
    }
    Err(Error::rows(
        "the weights of these targets are beyond the range of numbers",
        "divide the targets by a power of ten before fitting, or multiply the columns by one",
    ))
}
