//! The Matérn kernels of smoothness ν = 1/2, 3/2 and 5/2.
//!
//! With s = ‖x − z‖/length: exp(−s), (1 + √3 s)·exp(−√3 s) and
//! (1 + √5 s + 5s²/3)·exp(−√5 s) (Rasmussen and Williams 2006, eq. 4.17).

use mercer_linalg::Epilogue;

use crate::kernel::distance::{Radial, Rates, Slope};
use crate::kernel::resolve::admit_vectors;
use crate::kernel::statistics::median_distance;
use crate::kernel::{Allowed, Definiteness, Fallback, Family, Input, Parameter, Rule};

const NU: usize = 0;
const LENGTH: usize = 1;

/// The Matérn family.
pub(in crate::kernel) static FAMILY: Family = Family {
    name: "matern",
    summary: "rougher than the RBF kernel: functions with a limited number of derivatives",
    formula: "nu = 1.5: (1 + √3·s)·exp(−√3·s), s = ‖x−z‖/length",
    parameters: &[
        Parameter {
            name: "nu",
            meaning: "the smoothness: 0.5, 1.5 or 2.5",
            allowed: Allowed::Number(Rule::OneOf(&[0.5, 1.5, 2.5])),
            fallback: Fallback::Number(1.5),
            default: "1.5",
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
    parameter_kind: "parameter of `matern`",
    input: Input::Vectors,
    definiteness: Definiteness::Always,
    normalised: None,
    admit: |_, records| admit_vectors("matern", records),
    bind: |settings, records| {
        let rates = Rates::of(settings, LENGTH, f64::recip).unwrap_or(Rates::One(1.0));
        let twice = (2.0 * settings.number(NU).unwrap_or(1.5)) as u8;
        let slope = match twice {
            1 => Slope::Root,
            3 => Slope::Square(1.5),
            _ => Slope::Square(5.0 / 6.0),
        };
        let radial = Radial {
            name: "matern",
            epilogue: Epilogue::Matern {
                nu_twice: twice,
                length: rates.split().0.recip(),
            },
            rates,
            profile: move |square| profile(twice, square),
            slope,
            extra: 4.0,
        };
        radial.bind(records)
    },
};

/// k as a function of s².
fn profile(twice: u8, square: f64) -> f64 {
    let s = square.sqrt();
    // exp(−750) is 0, and infinity times 0 is no number.
    if s > 750.0 {
        return 0.0;
    }
    let t = f64::from(twice).sqrt() * s;
    let polynomial = match twice {
        1 => 1.0,
        3 => 1.0 + t,
        _ => 1.0 + t + t * t / 3.0,
    };
    polynomial * (-t).exp()
}

#[cfg(test)]
mod tests {
    use crate::kernel::testing::{check_family, gram, records, squared};

    #[test]
    fn agrees_with_the_formula() {
        check_family("matern(nu=0.5, length=2)", |x, z| {
            (-squared(x, z).sqrt() / 2.0).exp()
        });
        check_family("matern(1.5, 0.7)", |x, z| {
            let t = 3.0_f64.sqrt() * squared(x, z).sqrt() / 0.7;
            (1.0 + t) * (-t).exp()
        });
        check_family("matern(2.5, 1.3)", |x, z| {
            let s = squared(x, z).sqrt() / 1.3;
            let t = 5.0_f64.sqrt() * s;
            (1.0 + t + 5.0 * s * s / 3.0) * (-t).exp()
        });
        check_family("matern(2.5, [1,2,3])", |x, z| {
            let terms = [1.0, 2.0, 3.0].iter().zip(x.iter().zip(z));
            let s2: f64 = terms.map(|(l, (x, z))| ((x - z) / l).powi(2)).sum();
            let t = (5.0 * s2).sqrt();
            (1.0 + t + t * t / 3.0) * (-t).exp()
        });
    }

    #[test]
    fn extreme_lengths_give_ones_or_the_identity() {
        let rows = records(&[&[0.0, 1.0], &[1.0, 0.0]]);
        for nu in ["0.5", "1.5", "2.5"] {
            for length in ["1e-300", "5e-324"] {
                let k = gram(&format!("matern({nu}, {length})"), &rows);
                assert_eq!(k.as_slice(), [1.0, 0.0, 0.0, 1.0]);
            }
            let k = gram(&format!("matern({nu}, 1e300)"), &rows);
            assert_eq!(k.as_slice(), [1.0; 4]);
        }
    }

    #[test]
    fn refuses_other_smoothness() {
        assert!("matern(nu=2)".parse::<crate::kernel::KernelSpec>().is_err());
    }
}
