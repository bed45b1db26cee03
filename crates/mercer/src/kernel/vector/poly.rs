//! The polynomial kernel k(x, z) = (scale·⟨x, z⟩ + offset)^degree.
//!
//! With offset 0 its features are the monomials of exactly that degree, with a positive
//! offset those up to that degree.

use mercer_linalg::Epilogue;

use crate::kernel::pairwise::UNIT;
use crate::kernel::product::{Reach, bind};
use crate::kernel::resolve::admit_vectors;
use crate::kernel::statistics::inverse_spread;
use crate::kernel::{Allowed, Definiteness, Fallback, Family, Input, Parameter, Rule};

const DEGREE: usize = 0;
const OFFSET: usize = 1;
const SCALE: usize = 2;

/// The polynomial family.
pub(in crate::kernel) static FAMILY: Family = Family {
    name: "poly",
    summary: "polynomials: interactions of up to `degree` features",
    formula: "(scale·⟨x,z⟩ + offset)^degree",
    parameters: &[
        Parameter {
            name: "degree",
            meaning: "the highest degree",
            // Values of higher degrees leave the range of f64 on rows longer than 2.
            allowed: Allowed::Number(Rule::Count(1000)),
            fallback: Fallback::Number(3.0),
            default: "3",
            instead_of: None,
        },
        Parameter {
            name: "offset",
            meaning: "the weight of lower degrees; 0 leaves only the highest",
            allowed: Allowed::Number(Rule::NotNegative),
            fallback: Fallback::Number(1.0),
            default: "1",
            instead_of: None,
        },
        Parameter {
            name: "scale",
            meaning: "the factor of the dot product",
            allowed: Allowed::Number(Rule::Positive),
            fallback: Fallback::Data(|_, sample| Ok(inverse_spread(sample))),
            default: "1/(columns × variance)",
            instead_of: None,
        },
    ],
    parameter_kind: "parameter of `poly`",
    input: Input::Vectors,
    definiteness: Definiteness::Always,
    normalised: None,
    admit: |_, records| admit_vectors("poly", records),
    bind: |settings, records| {
        let degree = settings.number(DEGREE).unwrap_or(3.0);
        let offset = settings.number(OFFSET).unwrap_or(1.0);
        let scale = settings.number(SCALE).unwrap_or(1.0);
        let epilogue = Epilogue::Poly {
            scale,
            offset,
            degree,
        };
        bind("poly", epilogue, records, |square, error| {
            let base = scale * square + offset;
            // A base off by a share e is off by (1 + e)^degree − 1 after the power.
            let share = error * scale * square / base.max(f64::MIN_POSITIVE) + 4.0 * UNIT;
            Reach {
                largest: base.powf(degree),
                rounding: (degree * share.ln_1p()).exp_m1(),
            }
        })
    },
};

#[cfg(test)]
mod tests {
    use crate::kernel::testing::{check_family, dot};

    #[test]
    fn agrees_with_the_formula() {
        check_family("poly(degree=3, offset=1, scale=0.5)", |x, z| {
            (0.5 * dot(x, z) + 1.0).powi(3)
        });
        check_family("poly(degree=2, offset=0, scale=2)", |x, z| {
            (2.0 * dot(x, z)).powi(2)
        });
        check_family("poly(degree=5, offset=0.25, scale=0.1)", |x, z| {
            (0.1 * dot(x, z) + 0.25).powi(5)
        });
        check_family("poly(degree=1, offset=2, scale=1)", |x, z| dot(x, z) + 2.0);
    }

    #[test]
    fn checks_its_parameters() {
        for text in [
            "poly(degree=0)",
            "poly(degree=2.5)",
            "poly(offset=-1)",
            "poly(scale=0)",
        ] {
            assert!(text.parse::<crate::kernel::KernelSpec>().is_err(), "{text}");
        }
    }
}
