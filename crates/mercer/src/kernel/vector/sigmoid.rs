//! The sigmoid function k(x, z) = tanh(scale·⟨x, z⟩ + offset).
//!
//! With `form=logistic` it is ½ + ½·tanh(½·(scale·⟨x, z⟩ + offset)). Neither is positive
//! semidefinite in general: solvers must still stop, and learners warn.

use mercer_linalg::Epilogue;

use crate::kernel::combine::{Map, Mapped};
use crate::kernel::pairwise::UNIT;
use crate::kernel::product::{Reach, bind};
use crate::kernel::resolve::admit_vectors;
use crate::kernel::statistics::inverse_spread;
use crate::kernel::{
    Allowed, BoundKernel, Chosen, Definiteness, Fallback, Family, Input, Parameter, Rule,
};

const SCALE: usize = 0;
const OFFSET: usize = 1;
const FORM: usize = 2;

/// The sigmoid family.
pub(in crate::kernel) static FAMILY: Family = Family {
    name: "sigmoid",
    summary: "a neuron's response; not positive semidefinite in general",
    formula: "tanh(scale·⟨x,z⟩ + offset)",
    parameters: &[
        Parameter {
            name: "scale",
            meaning: "the factor of the dot product",
            allowed: Allowed::Number(Rule::Finite),
            fallback: Fallback::Data(|settings, sample| {
                if settings.is_word(FORM, "logistic") {
                    return Ok(Chosen {
                        number: 1.0,
                        why: "the default of the logistic form".to_owned(),
                    });
                }
                Ok(inverse_spread(sample))
            }),
            default: "1/(columns × variance); 1 with form=logistic",
            instead_of: None,
        },
        Parameter {
            name: "offset",
            meaning: "the constant added to it",
            allowed: Allowed::Number(Rule::Finite),
            fallback: Fallback::Number(0.0),
            default: "0",
            instead_of: None,
        },
        Parameter {
            name: "form",
            meaning: "`tanh`, or `logistic` for values between 0 and 1",
            allowed: Allowed::Word(&["tanh", "logistic"]),
            fallback: Fallback::Word("tanh"),
            default: "tanh",
            instead_of: None,
        },
    ],
    parameter_kind: "parameter of `sigmoid`",
    input: Input::Vectors,
    definiteness: Definiteness::NotInGeneral,
    normalised: None,
    admit: |_, records| admit_vectors("sigmoid", records),
    bind: |settings, records| {
        let logistic = settings.is_word(FORM, "logistic");
        let half = if logistic { 0.5 } else { 1.0 };
        let scale = half * settings.number(SCALE).unwrap_or(1.0);
        let offset = half * settings.number(OFFSET).unwrap_or(0.0);
        let epilogue = Epilogue::Sigmoid { scale, offset };
        let tanh = bind("sigmoid", epilogue, records, |square, error| {
            let argument = scale.abs() * square;
            // tanh is nowhere steeper than 1; offsets of opposite sign may cancel.
            let absolute = error * argument + 2.0 * UNIT * offset.abs() + 8.0 * UNIT;
            // The longest row's value: the largest diagonal entry is no smaller.
            let top = (scale * square + offset).tanh().abs();
            Reach {
                largest: 1.0,
                rounding: absolute / top,
            }
        })?;
        if !logistic {
            return Ok(tanh);
        }
        let map = Map::Affine {
            factor: 0.5,
            offset: 0.5,
        };
        Ok(Box::new(Mapped::new(map, tanh)) as Box<dyn BoundKernel>)
    },
};

#[cfg(test)]
mod tests {
    use crate::kernel::testing::{check_values, dot};

    #[test]
    fn agrees_with_the_formula() {
        check_values("sigmoid(scale=0.3, offset=-0.5)", |x, z| {
            (0.3 * dot(x, z) - 0.5).tanh()
        });
        check_values("sigmoid(0.3, 1)", |x, z| (0.3 * dot(x, z) + 1.0).tanh());
        check_values("sigmoid(scale=1, offset=0, form=logistic)", |x, z| {
            1.0 / (1.0 + (-dot(x, z)).exp())
        });
    }
}
