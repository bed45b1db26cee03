//! Feature maps written out, for kernels whose features can be counted.
//!
//! The maps ψ satisfy ⟨ψ(x), ψ(z)⟩ = k(x, z): exactly for polynomials, up to a stated
//! remainder for the Gaussian (RBF) kernel.

use crate::{Error, Result};

/// Most features a map may have; beyond this the kernel itself is the cheaper way.
const MAX_FEATURES: usize = 1 << 20;

/// Returns the features of (scale·⟨x, z⟩ + offset)^degree.
///
/// One feature per monomial x^a of total degree |a| ≤ degree, with weight
/// √(degree!/(a!·(degree − |a|)!)·scale^|a|·offset^(degree − |a|)).
///
/// # Errors
/// More than 2²⁰ features, a negative scale or offset.
///
/// # Examples
/// ```
/// use mercer::features::polynomial_features;
/// use mercer::kernel::KernelSpec;
///
/// let (x, z) = ([1.0, 2.0], [0.5, -1.0]);
/// let (left, right) = (polynomial_features(&x, 2, 1.0, 1.0)?, polynomial_features(&z, 2, 1.0, 1.0)?);
/// // 1, x, y, x², xy and y², each with its weight.
/// assert_eq!(left.len(), 6);
/// let product: f64 = left.iter().zip(&right).map(|(a, b)| a * b).sum();
/// let kernel = KernelSpec::poly(2, 1.0, 1.0).evaluate(&x, &z)?;
/// assert!((product - kernel).abs() < 1e-12);
/// # Ok::<(), mercer::Error>(())
/// ```
pub fn polynomial_features(x: &[f64], degree: u32, offset: f64, scale: f64) -> Result<Vec<f64>> {
    check("offset", offset)?;
    check("scale", scale)?;
    // The offset is one more coordinate whose value is √offset.
    let mut point: Vec<f64> = x.iter().map(|v| v * scale.sqrt()).collect();
    point.push(offset.sqrt());
    let mut features = Vec::new();
    monomials(&point, degree, &mut features)?;
    Ok(features)
}

/// Returns the features of exp(−gamma·‖x − z‖²) up to a total degree.
///
/// `exp(−γ‖x−z‖²) = exp(−γ‖x‖²)·exp(−γ‖z‖²)·Σ_t (2γ⟨x,z⟩)^t/t!`, cut after t = degree. The
/// remainder is at most (2γ‖x‖‖z‖)^(degree+1)/(degree+1)!.
///
/// # Errors
/// More than 2²⁰ features, a negative gamma.
///
/// # Examples
/// ```
/// use mercer::features::gaussian_features;
/// use mercer::kernel::KernelSpec;
///
/// let (x, z) = ([0.6], [-0.4]);
/// let kernel = KernelSpec::rbf(0.5).evaluate(&x, &z)?;
/// let error = |degree| {
///     let (left, right) = (gaussian_features(&x, 0.5, degree)?, gaussian_features(&z, 0.5, degree)?);
///     let product: f64 = left.iter().zip(&right).map(|(a, b)| a * b).sum();
///     mercer::Result::Ok((product - kernel).abs())
/// };
/// assert!(error(2)? < 3e-3 && error(6)? < 1e-7);
/// # Ok::<(), mercer::Error>(())
/// ```
pub fn gaussian_features(x: &[f64], gamma: f64, degree: u32) -> Result<Vec<f64>> {
    check("gamma", gamma)?;
    let point: Vec<f64> = x.iter().map(|v| v * (2.0 * gamma).sqrt()).collect();
    let damp = (-gamma * x.iter().map(|v| v * v).sum::<f64>()).exp();
    let mut features = Vec::new();
    let mut factorial = 1.0_f64;
    for total in 0..=degree {
        let start = features.len();
        monomials(&point, total, &mut features)?;
        factorial *= f64::from(total.max(1));
        for feature in &mut features[start..] {
            *feature *= damp / factorial.sqrt();
        }
    }
    Ok(features)
}

fn check(name: &str, value: f64) -> Result<()> {
    if value.is_finite() && value >= 0.0 {
        return Ok(());
    }
    Err(Error::setting(name, value, "finite and not negative"))
}

/// Appends √(total!/a!)·x^a for every exponent a of that total: the features of ⟨x, z⟩^total.
fn monomials(point: &[f64], total: u32, features: &mut Vec<f64>) -> Result<()> {
    let count = (1..=total).fold(1.0, |count, t| {
        count * (point.len() as f64 + f64::from(t) - 1.0) / f64::from(t)
    });
    if count + features.len() as f64 > MAX_FEATURES as f64 {
        return Err(Error::Unsupported {
            what: format!("the map has more than {MAX_FEATURES} features"),
            cure: "use the kernel instead of its features, or a lower degree".into(),
        });
    }
    // Multinomial weights grow one factor at a time: (left choose power) per coordinate.
    let mut partial = vec![(total, 1.0_f64)];
    for (index, x) in point.iter().enumerate() {
        let last = index + 1 == point.len();
        let mut next = Vec::with_capacity(partial.len());
        for &(left, value) in &partial {
            let mut term = value;
            for power in 0..=left {
                if !last || power == left {
                    next.push((left - power, term));
                }
                let choose = f64::from(left - power) / f64::from(power + 1);
                term *= x * choose.sqrt();
            }
        }
        partial = next;
    }
    features.extend(partial.iter().filter(|(left, _)| *left == 0).map(|p| p.1));
    Ok(())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::kernel::KernelSpec;

    fn dot(a: &[f64], b: &[f64]) -> f64 {
        a.iter().zip(b).map(|(a, b)| a * b).sum()
    }

    fn point() -> impl Strategy<Value = Vec<f64>> {
        prop::collection::vec(-1.5..1.5_f64, 3)
    }

    proptest! {
        #[test]
        fn polynomial_features_give_the_kernel(
            x in point(),
            z in point(),
            degree in 1_u32..6,
            offset in prop_oneof![Just(0.0), 0.1..2.0_f64],
            scale in 0.1..2.0_f64,
        ) {
            let map = |x: &[f64]| polynomial_features(x, degree, offset, scale).expect("small");
            let k = KernelSpec::poly(degree, offset, scale).evaluate(&x, &z).expect("finite");
            let found = dot(&map(&x), &map(&z));
            prop_assert!((found - k).abs() <= 1e-10 * (1.0 + k.abs() + found.abs()).powi(2));
        }

        #[test]
        fn gaussian_features_come_close(x in point(), z in point(), gamma in 0.01..0.5_f64) {
            let map = |x: &[f64]| gaussian_features(x, gamma, 12).expect("small");
            let k = KernelSpec::rbf(gamma).evaluate(&x, &z).expect("finite");
            let reach = 2.0 * gamma * (dot(&x, &x) * dot(&z, &z)).sqrt();
            let remainder = reach.powi(13) / 6_227_020_800.0;
            prop_assert!((dot(&map(&x), &map(&z)) - k).abs() <= remainder + 1e-12);
        }
    }

    #[test]
    fn counts_monomials() {
        // Degree ≤ 2 in two variables: 1, x, y, x², xy, y².
        assert_eq!(
            polynomial_features(&[1.0, 2.0], 2, 1.0, 1.0)
                .expect("small")
                .len(),
            6
        );
        assert!(polynomial_features(&[1.0; 100], 20, 1.0, 1.0).is_err());
        assert!(gaussian_features(&[1.0], -1.0, 2).is_err());
    }

    #[test]
    fn distance_in_feature_space_is_that_of_features() {
        let (x, z) = ([1.0, 2.0], [0.5, -1.0]);
        let map = |x: &[f64]| polynomial_features(x, 2, 1.0, 1.0).expect("small");
        let difference: f64 = map(&x)
            .iter()
            .zip(map(&z))
            .map(|(a, b)| (a - b).powi(2))
            .sum();
        let distance = KernelSpec::poly(2, 1.0, 1.0)
            .distance(&x, &z)
            .expect("finite");
        assert!((distance - difference.sqrt()).abs() < 1e-12);
    }

    /// Only a pseudo-metric: an even power cannot tell x from −x.
    #[test]
    fn different_points_may_have_no_distance() {
        let (x, z) = ([1.0, 2.0], [-1.0, -2.0]);
        let distance = |degree| KernelSpec::poly(degree, 0.0, 1.0).distance(&x, &z);
        assert_eq!(distance(2).expect("finite"), 0.0);
        assert!(distance(3).expect("finite") > 1.0);
    }
}
