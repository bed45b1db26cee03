//! The rational quadratic kernel k(x, z) = (1 + ‖x − z‖²/(2·alpha·length²))^−alpha.
//!
//! A mixture of Gaussian (RBF) kernels of many widths; it becomes one as alpha grows.

use mercer_linalg::Epilogue;

use crate::kernel::distance::{Radial, Rates, Slope};
use crate::kernel::resolve::admit_vectors;
use crate::kernel::statistics::median_distance;
use crate::kernel::{Allowed, Definiteness, Fallback, Family, Input, Parameter, Rule};

const ALPHA: usize = 0;
const LENGTH: usize = 1;

/// Beyond this the power of a number near 1 loses more than six of f64's digits, and the
/// logarithm is taken instead.
const LARGEST_POWER: f64 = 1e9;

/// The rational quadratic family.
pub(in crate::kernel) static FAMILY: Family = Family {
    name: "rq",
    summary: "a mixture of Gaussian (RBF) kernels of many widths",
    formula: "(1 + ‖x−z‖²/(2·alpha·length²))^−alpha",
    parameters: &[
        Parameter {
            name: "alpha",
            meaning: "how alike the widths are; large values give the Gaussian kernel",
            allowed: Allowed::Number(Rule::Positive),
            fallback: Fallback::Number(1.0),
            default: "1",
            instead_of: None,
        },
        Parameter {
            name: "length",
            meaning: "the distance over which values are alike, one or one per feature",
            allowed: Allowed::Scale(Rule::Positive),
            fallback: Fallback::Data(|_, sample| {
                let square = |x: f64, z: f64| (x - z).powi(2);
                Ok(median_distance(
                    sample.records,
                    "Euclidean",
                    square,
                    f64::sqrt,
                ))
            }),
            default: "the median distance of rows",
            instead_of: None,
        },
    ],
    parameter_kind: "parameter of `rq`",
    input: Input::Vectors,
    definiteness: Definiteness::Always,
    normalised: None,
    admit: |_, records| admit_vectors("rq", records),
    bind: |settings, records| {
        let rates = Rates::of(settings, LENGTH, f64::recip).unwrap_or(Rates::One(1.0));
        let alpha = settings.number(ALPHA).unwrap_or(1.0);
        let in_range = (LARGEST_POWER.recip()..LARGEST_POWER).contains(&alpha);
        let radial = Radial {
            name: "rq",
            epilogue: Epilogue::RationalQuadratic {
                alpha,
                length: rates.split().0.recip(),
            },
            rates,
            profile: move |square| profile(alpha, square),
            slope: Slope::Square(0.5),
            extra: if in_range {
                4.0 + 2.0 * alpha
            } else {
                f64::INFINITY
            },
        };
        radial.bind(records)
    },
};

/// k as a function of s².
fn profile(alpha: f64, square: f64) -> f64 {
    let share = (square / 2.0 / alpha).min(f64::MAX);
    if share == 0.0 && square > 0.0 {
        return (-square / 2.0).exp();
    }
    (-alpha * share.ln_1p()).exp()
}

#[cfg(test)]
mod tests {
    use crate::kernel::testing::{check_family, gram, records, squared};

    #[test]
    fn agrees_with_the_formula() {
        check_family("rq(alpha=1, length=1)", |x, z| {
            1.0 / (1.0 + squared(x, z) / 2.0)
        });
        check_family("rq(0.7, 2)", |x, z| {
            (1.0 + squared(x, z) / (2.0 * 0.7 * 4.0)).powf(-0.7)
        });
        check_family("rq(3, [1,2,3])", |x, z| {
            let terms = [1.0, 2.0, 3.0].iter().zip(x.iter().zip(z));
            let s2: f64 = terms.map(|(l, (x, z))| ((x - z) / l).powi(2)).sum();
            (1.0 + s2 / 6.0).powi(-3)
        });
    }

    #[test]
    fn large_alpha_is_gauss_and_small_alpha_is_one() {
        let rows = records(&[&[0.0, 1.0], &[1.0, 0.0]]);
        for alpha in ["1e8", "1e12", "1e300"] {
            let k = gram(&format!("rq({alpha}, 1)"), &rows);
            assert!((k[(0, 1)] - (-1.0_f64).exp()).abs() < 1e-6, "{alpha}");
        }
        let k = gram("rq(1e-300, 1)", &rows);
        assert_eq!(k[(0, 1)], 1.0);
    }
}
