//! The matrix ∂K/∂log θ of one number θ of a kernel expression.

use mercer_linalg::{Matrix, Par};

use crate::Result;
use crate::data::Records;
use crate::kernel::{Hyperparameter, KernelSpec, ResolvedKernel, Value};

/// Step of log θ in the difference (K(θ+h) − K(θ−h))/2h. Kernel values are analytic in θ, so
/// that the difference is wrong by h²/6 ≈ 2e-9 of the third derivative.
const STEP: f64 = 1e-4;

/// Returns the lower triangle of ∂K/∂log θ; `gram` is K.
///
/// A sum changes by the one term that θ is in. A term f·e^{−u} with u proportional to a power
/// of θ changes by itself times log(k/f); all others by a difference of two matrices.
pub(super) fn log_slope(
    kernel: &ResolvedKernel,
    hyperparameter: &Hyperparameter,
    records: &Records,
    gram: &Matrix<f64>,
    par: Par,
) -> Result<Matrix<f64>> {
    let KernelSpec::Sum(terms) = kernel.spec() else {
        return term_slope(kernel, hyperparameter, gram.clone(), records, par);
    };
    let resolved = |term: &KernelSpec| ResolvedKernel::try_new(term.clone());
    match hyperparameter {
        Hyperparameter::Weight(term) => resolved(&terms[*term])?.gram(records, par),
        Hyperparameter::Parameter {
            base,
            index,
            column,
        } => {
            let mut before = 0;
            for term in terms {
                let here = term.families().len();
                if *base < before + here {
                    let own = Hyperparameter::Parameter {
                        base: base - before,
                        index: *index,
                        column: *column,
                    };
                    let term = resolved(term)?;
                    let gram = term.gram(records, par)?;
                    return log_slope(&term, &own, records, &gram, par);
                }
                before += here;
            }
            unreachable!("a hyperparameter of a family of the sum")
        }
    }
}

/// The slope of a term that is no sum, from its own matrix.
fn term_slope(
    kernel: &ResolvedKernel,
    hyperparameter: &Hyperparameter,
    mut gram: Matrix<f64>,
    records: &Records,
    par: Par,
) -> Result<Matrix<f64>> {
    if let Some((factor, power)) = exponential(kernel.spec(), hyperparameter) {
        for i in 0..gram.rows() {
            for value in &mut gram.row_mut(i)[..=i] {
                // k log(k/f) goes to 0 with k.
                if *value > 0.0 {
                    *value *= power * (*value / factor).ln();
                }
            }
        }
        return Ok(gram);
    }
    let value = kernel.hyperparameter_value(hyperparameter);
    let at = |factor: f64| {
        let turned = kernel.turned(std::slice::from_ref(hyperparameter), &[value * factor])?;
        turned.gram(records, par)
    };
    let (mut up, down) = (at(STEP.exp())?, at((-STEP).exp())?);
    for (up, down) in up.as_mut_slice().iter_mut().zip(down.as_slice()) {
        *up = (*up - down) / (2.0 * STEP);
    }
    Ok(up)
}

/// f and p of a kernel f·exp(−c θ^p) with one θ for all columns.
fn exponential(spec: &KernelSpec, hyperparameter: &Hyperparameter) -> Option<(f64, f64)> {
    let Hyperparameter::Parameter {
        base: 0,
        index,
        column: None,
    } = hyperparameter
    else {
        return None;
    };
    match spec {
        KernelSpec::Scaled { factor, kernel } => {
            exponential(kernel, hyperparameter).map(|(f, p)| (f * factor, p))
        }
        KernelSpec::On { kernel, .. } => exponential(kernel, hyperparameter),
        KernelSpec::Base { family, settings } => {
            let parameter = family.parameters[*index].name;
            let number = matches!(settings.value(*index), Value::Number(_));
            let power = match (family.name, parameter) {
                ("rbf", "gamma") => 1.0,
                ("rbf", "sigma") => -2.0,
                ("laplace", "scale") => -1.0,
                ("matern", "length") if settings.number(0) == Some(0.5) => -1.0,
                _ => return None,
            };
            number.then_some((1.0, power))
        }
        _ => None,
    }
}
