//! The features of a kernel, written out by its expression.

use super::explicit::{gaussian_features, polynomial_features};
use crate::kernel::{KernelSpec, ResolvedKernel, Value};
use crate::{Error, Result};

/// Total degree after which the features of the Gaussian (RBF) kernel end, where none is named.
const USUAL_DEGREE: u32 = 8;

/// Returns ψ(x) with ⟨ψ(x), ψ(z)⟩ = k(x, z): the columns of `linear`, the monomials of `poly`, those of `rbf` up to a
/// total degree; sums have the features of all their terms, side by side.
///
/// # Errors
/// Kernels whose features are not counted, and more than 2²⁰ of them.
///
/// # Examples
/// ```
/// use mercer::features::explicit_features;
/// use mercer::kernel::ResolvedKernel;
///
/// let kernel: ResolvedKernel = "linear + poly(degree=2, offset=1, scale=1)".parse()?;
/// let of = |x: &[f64]| explicit_features(&kernel, x, None);
/// let (left, right) = (of(&[1.0, 2.0])?, of(&[0.5, -1.0])?);
/// let product: f64 = left.iter().zip(&right).map(|(a, b)| a * b).sum();
/// assert!((product - (-1.5 + 0.25)).abs() < 1e-12);
/// # Ok::<(), mercer::Error>(())
/// ```
pub fn explicit_features(
    kernel: &ResolvedKernel,
    x: &[f64],
    degree: Option<u32>,
) -> Result<Vec<f64>> {
    written(kernel.spec(), x, degree.unwrap_or(USUAL_DEGREE))
}

fn written(kernel: &KernelSpec, x: &[f64], degree: u32) -> Result<Vec<f64>> {
    match kernel {
        KernelSpec::Sum(terms) => {
            let mut all = Vec::new();
            for term in terms {
                all.extend(written(term, x, degree)?);
            }
            Ok(all)
        }
        KernelSpec::Scaled { factor, kernel } => {
            let mut all = written(kernel, x, degree)?;
            all.iter_mut().for_each(|feature| *feature *= factor.sqrt());
            Ok(all)
        }
        KernelSpec::Base { family, settings } => {
            let number = |name: &str| -> Result<f64> {
                let found = settings.number(family.parameter(name)?);
                found.ok_or_else(|| refused(kernel))
            };
            match family.name {
                "linear" => Ok(x.to_vec()),
                "poly" => polynomial_features(
                    x,
                    number("degree")? as u32,
                    number("offset")?,
                    number("scale")?,
                ),
                "rbf" => {
                    let gamma = match settings.value(family.parameter("gamma")?) {
                        Value::Open => 0.5 / number("sigma")?.powi(2),
                        _ => number("gamma")?,
                    };
                    gaussian_features(x, gamma, degree)
                }
                _ => Err(refused(kernel)),
            }
        }
        _ => Err(refused(kernel)),
    }
}

fn refused(kernel: &KernelSpec) -> Error {
    Error::Unsupported {
        what: format!("the features of `{kernel}` are not written out"),
        cure: "use `linear`, `poly`, `rbf` with one width, or sums of them".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn features(kernel: &str, x: &[f64]) -> Result<Vec<f64>> {
        explicit_features(&kernel.parse().expect("a kernel"), x, Some(12))
    }

    #[test]
    fn products_of_features_are_kernel_values() {
        let (x, z) = ([0.3, -0.7], [0.5, 0.4]);
        let kernels = [
            "linear",
            "poly(degree=3, offset=0.5, scale=2)",
            "rbf(gamma=0.5)",
            "rbf(sigma=1.5)",
            "0.5*linear + 2*rbf(gamma=0.3)",
        ];
        for text in kernels {
            let (left, right) = (features(text, &x).unwrap(), features(text, &z).unwrap());
            let product: f64 = left.iter().zip(&right).map(|(a, b)| a * b).sum();
            let spec: KernelSpec = text.parse().unwrap();
            let value = spec.evaluate(&x, &z).unwrap();
            assert!((product - value).abs() < 1e-9, "{text}: {product} {value}");
        }
    }

    #[test]
    fn kernels_without_a_list_of_features_are_refused() {
        for text in [
            "laplace(scale=1)",
            "normalise(linear)",
            "rbf(gamma=[1, 2])",
            "linear*linear",
        ] {
            assert!(features(text, &[1.0, 2.0]).is_err(), "{text}");
        }
    }
}
