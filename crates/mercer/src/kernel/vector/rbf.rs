//! The Gaussian (RBF) kernel k(x, z) = exp(−γ‖x − z‖²) with γ = 1/(2σ²).
//!
//! With one width per feature, `k(x, z) = exp(−Σ γ_c (x_c − z_c)²)`.

use mercer_linalg::Epilogue;

use crate::kernel::distance::{Radial, Rates, Slope};
use crate::kernel::resolve::admit_vectors;
use crate::kernel::statistics::inverse_spread;
use crate::kernel::{Allowed, Definiteness, Fallback, Family, Input, Parameter, Rule};

const GAMMA: usize = 0;
const SIGMA: usize = 1;

/// The Gaussian (RBF) family.
pub(in crate::kernel) static FAMILY: Family = Family {
    name: "rbf",
    summary: "the Gaussian (RBF) kernel: smooth functions of any shape",
    formula: "exp(−gamma·‖x−z‖²), gamma = 1/(2·sigma²)",
    parameters: &[
        Parameter {
            name: "gamma",
            meaning: "the inverse squared width, one or one per feature",
            allowed: Allowed::Scale(Rule::Positive),
            fallback: Fallback::Data(|_, sample| Ok(inverse_spread(sample))),
            default: "1/(columns × variance)",
            instead_of: None,
        },
        Parameter {
            name: "sigma",
            meaning: "the width, one or one per feature",
            allowed: Allowed::Scale(Rule::Positive),
            fallback: Fallback::Absent,
            default: "from gamma",
            instead_of: Some("gamma"),
        },
    ],
    parameter_kind: "parameter of `rbf`",
    input: Input::Vectors,
    definiteness: Definiteness::Always,
    normalised: None,
    admit: |_, records| admit_vectors("rbf", records),
    bind: |settings, records| {
        let rates = Rates::of(settings, GAMMA, f64::sqrt)
            .or_else(|| {
                Rates::of(settings, SIGMA, |sigma| {
                    std::f64::consts::FRAC_1_SQRT_2 / sigma
                })
            })
            .unwrap_or(Rates::One(1.0));
        // The rate's square is the gamma that was given, digit for digit where it can be.
        let gamma = match (&rates, settings.number(GAMMA)) {
            (_, Some(gamma)) => gamma,
            (rates, None) => rates.split().0.powi(2),
        };
        let radial = Radial {
            name: "rbf",
            rates,
            epilogue: Epilogue::Rbf { gamma },
            profile: |square: f64| (-square).exp(),
            slope: Slope::Square(1.0),
            extra: 0.0,
        };
        radial.bind(records)
    },
};

#[cfg(test)]
mod tests {
    use crate::kernel::testing::{check_family, gram, records, squared};

    #[test]
    fn agrees_with_the_formula() {
        check_family("rbf(gamma=0.3)", |x, z| (-0.3 * squared(x, z)).exp());
        check_family("rbf(sigma=1.5)", |x, z| (-squared(x, z) / 4.5).exp());
        check_family("rbf(gamma=[1,0.5,0.25])", |x, z| {
            let terms = [1.0, 0.5, 0.25].iter().zip(x.iter().zip(z));
            (-terms.map(|(g, (x, z))| g * (x - z).powi(2)).sum::<f64>()).exp()
        });
        check_family("rbf(sigma=[1,2,0.5])", |x, z| {
            let terms = [1.0, 2.0, 0.5].iter().zip(x.iter().zip(z));
            (-terms
                .map(|(s, (x, z))| ((x - z) / s).powi(2) / 2.0)
                .sum::<f64>())
            .exp()
        });
    }

    #[test]
    fn extreme_widths_give_ones_or_the_identity() {
        let rows = records(&[&[0.0, 1.0], &[1.0, 0.0], &[1e-3, 1.0]]);
        for text in [
            "rbf(gamma=1e-300)",
            "rbf(sigma=1e300)",
            "rbf(sigma=[1e300,1e300])",
        ] {
            assert!(
                gram(text, &rows).as_slice().iter().all(|v| *v == 1.0),
                "{text}"
            );
        }
        for text in [
            "rbf(gamma=1e300)",
            "rbf(gamma=1e308)",
            "rbf(sigma=5e-324)",
            "rbf(sigma=[1e-300,1e-300])",
        ] {
            let k = gram(text, &rows);
            for i in 0..3 {
                for j in 0..3 {
                    assert_eq!(k[(i, j)], f64::from(u8::from(i == j)), "{text}");
                }
            }
        }
    }

    #[test]
    fn rows_far_from_zero_keep_their_digits() {
        let rows = records(&[&[1e9, 1.0], &[1e9 + 1.0, 1.0]]);
        let k = gram("rbf(gamma=1)", &rows);
        assert!((k[(0, 1)] - (-1.0_f64).exp()).abs() < 1e-12);
        let rows = records(&[&[1e200], &[-1e200], &[1e200]]);
        let k = gram("rbf(gamma=1)", &rows);
        assert_eq!((k[(0, 1)], k[(0, 2)]), (0.0, 1.0));
    }
}
