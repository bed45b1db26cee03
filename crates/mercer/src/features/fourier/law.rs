//! The spectral law of a kernel: what frequencies are drawn from.
//!
//! A kernel k(x − z) with k(0) = 1 is the mean of cos ⟨w, x − z⟩ over frequencies w (Bochner). With a rate r_c for every
//! column:
//!
//! | kernel | w_c |
//! |---|---|
//! | Gaussian, r = 1/σ | r_c·N(0, 1) |
//! | Laplace, r = 1/scale | r_c·Cauchy, independent |
//! | Matérn, r = 1/length | r_c·N(0, 1)·√(2ν/χ²), one χ² of 2ν degrees of freedom for all columns |
//!
//! A product of kernels has the sum of their frequencies, since characteristic functions multiply.

use crate::data::Features;
use crate::hint::{Hint, Word};
use crate::kernel::{Family, KernelSpec, Settings, Value};
use crate::{Error, Result};

/// The law of one coordinate, up to its rate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Spectrum {
    /// Normal: the Gaussian (RBF) kernel.
    Normal,
    /// Cauchy: the Laplace kernel.
    Cauchy,
    /// Student's t with so many degrees of freedom, all columns together: Matérn kernels.
    Student {
        /// 2ν.
        degrees: u8,
    },
}

/// Independent frequencies that are added up.
#[derive(Debug, Clone, PartialEq)]
pub struct LawPart {
    /// The law of a coordinate.
    pub spectrum: Spectrum,
    /// What a coordinate is multiplied by, for every numeric column; 0 where the kernel does not read it.
    pub rates: Vec<f64>,
}

/// The law of the frequencies of a kernel.
#[derive(Debug, Clone, PartialEq)]
pub struct SpectralLaw {
    /// What is added up; normal parts are one.
    pub parts: Vec<LawPart>,
    /// k(x, x).
    pub factor: f64,
}

impl SpectralLaw {
    /// Finds the law of a kernel on rows of these features.
    ///
    /// # Errors
    /// [`Error::Unsupported`] naming the kernel that has no known law; columns that are not there.
    pub fn of(kernel: &KernelSpec, features: &Features) -> Result<Self> {
        let mut law = Self {
            parts: Vec::new(),
            factor: 1.0,
        };
        let all: Vec<usize> = (0..features.points.columns()).collect();
        law.add(kernel, features, &all)?;
        law.merge();
        Ok(law)
    }

    fn add(&mut self, kernel: &KernelSpec, features: &Features, columns: &[usize]) -> Result<()> {
        match kernel {
            KernelSpec::Base { family, settings } => {
                let part = base(kernel, family, settings, features, columns)?;
                self.parts.push(part);
                Ok(())
            }
            KernelSpec::Scaled { factor, kernel } => {
                self.factor *= factor;
                self.add(kernel, features, columns)
            }
            KernelSpec::Product(parts) => parts
                .iter()
                .try_for_each(|part| self.add(part, features, columns)),
            KernelSpec::Power { kernel, exponent } => {
                (0..*exponent).try_for_each(|_| self.add(kernel, features, columns))
            }
            // k(x, x) is the factor everywhere.
            KernelSpec::Normalise(kernel) => {
                let before = self.factor;
                self.add(kernel, features, columns)?;
                self.factor = before;
                Ok(())
            }
            KernelSpec::On {
                columns: named,
                kernel,
            } => {
                let mut own = Vec::new();
                for column in named {
                    own.extend(features.find(column)?);
                }
                self.add(kernel, features, &own)
            }
            KernelSpec::Sum(_) | KernelSpec::Exp(_) => Err(refused(&kernel.to_string())),
        }
    }

    /// Sums of normal numbers are normal.
    fn merge(&mut self) {
        let normal = |part: &LawPart| part.spectrum == Spectrum::Normal;
        let (normals, others): (Vec<_>, Vec<_>) = std::mem::take(&mut self.parts)
            .into_iter()
            .partition(normal);
        self.parts = others;
        if let Some(first) = normals.first() {
            let rate = |c: usize| {
                let all = normals.iter().map(|part| part.rates[c]);
                all.fold(0.0, f64::hypot)
            };
            self.parts.push(LawPart {
                spectrum: Spectrum::Normal,
                rates: (0..first.rates.len()).map(rate).collect(),
            });
        }
    }

    /// σ_p, the root of E‖w‖²; `None` where that is infinite.
    pub fn spread(&self) -> Option<f64> {
        let mut sum = 0.0;
        for part in &self.parts {
            let squares: f64 = part.rates.iter().map(|r| r * r).sum();
            sum += match part.spectrum {
                Spectrum::Normal => squares,
                // A variance of degrees/(degrees − 2) for every coordinate.
                Spectrum::Student {
                    degrees: degrees @ 3..,
                } => squares * f64::from(degrees) / f64::from(degrees - 2),
                Spectrum::Cauchy | Spectrum::Student { .. } => return None,
            };
        }
        Some(sum.sqrt())
    }
}

fn base(
    kernel: &KernelSpec,
    family: &'static Family,
    settings: &Settings,
    features: &Features,
    columns: &[usize],
) -> Result<LawPart> {
    let value = |name: &str| Ok::<_, Error>(settings.value(family.parameter(name)?));
    // Families that a program adds have names of their own, so that these are the built-in ones.
    let (spectrum, value, rate): (_, _, fn(f64) -> f64) = match family.name {
        "rbf" => match value("gamma")? {
            Value::Open => (Spectrum::Normal, value("sigma")?, f64::recip),
            gamma => (Spectrum::Normal, gamma, |gamma| (2.0 * gamma).sqrt()),
        },
        "laplace" => (Spectrum::Cauchy, value("scale")?, f64::recip),
        "matern" => {
            let nu = match value("nu")? {
                Value::Number(nu) => *nu,
                _ => 1.5,
            };
            let degrees = (2.0 * nu) as u8;
            (Spectrum::Student { degrees }, value("length")?, f64::recip)
        }
        name => return Err(refused(name)),
    };
    let rate = |number: f64| rate(number).clamp(f64::MIN_POSITIVE, f64::MAX);
    let mut rates = vec![0.0; features.points.columns()];
    match value {
        Value::Number(number) => {
            for &column in columns {
                rates[column] = rate(*number);
            }
        }
        Value::Numbers(numbers) if numbers.len() == columns.len() => {
            for (&column, number) in columns.iter().zip(numbers) {
                rates[column] = rate(*number);
            }
        }
        Value::Numbers(numbers) => {
            return Err(Error::Length {
                what: format!("the list of widths of {}", family.name),
                found: numbers.len(),
                expected: columns.len(),
                unit: "values, one per feature",
            });
        }
        _ => {
            return Err(Error::Kernel {
                kernel: kernel.to_string(),
                problem: "its width is not given".to_owned(),
                cure: "give every parameter, or fit the kernel to rows first".into(),
            });
        }
    }
    if columns.is_empty() {
        return Err(Error::Kernel {
            kernel: family.name.to_owned(),
            problem: "there is no numeric column to compare".to_owned(),
            cure: "name columns with `@`, or use a kernel for the columns there are".into(),
        });
    }
    Ok(LawPart { spectrum, rates })
}

/// The error of a kernel without a known law.
pub(crate) fn refused(kernel: &str) -> Error {
    Error::Unsupported {
        what: format!(
            "the kernel `{kernel}` has no known spectral law to draw random features from; `rbf`, `laplace` and `matern` have one, \
             and `poly` is sketched"
        ),
        cure: Hint::from("use ")
            .word(Word::Models(&["nystroem"]))
            .then(", which takes any kernel"),
    }
}

#[cfg(test)]
mod tests {
    use mercer_linalg::Matrix;

    use super::*;
    use crate::data::Records;

    fn law(text: &str, columns: usize) -> Result<SpectralLaw> {
        let rows = Records::from_points(Matrix::<f64>::zeros(1, columns));
        SpectralLaw::of(&text.parse()?, &rows.features)
    }

    #[test]
    fn spreads_are_those_of_the_bound() {
        let gauss = law("rbf(sigma=2)", 3).unwrap();
        assert!((gauss.spread().unwrap() - 0.75_f64.sqrt()).abs() < 1e-15);
        let each = law("rbf(sigma=[1,2])", 2).unwrap();
        assert!((each.spread().unwrap() - 1.25_f64.sqrt()).abs() < 1e-15);
        // 2ν d/((2ν − 2)ℓ²) with ν = 5/2, d = 3, ℓ = 2.
        let matern = law("matern(nu=2.5, length=2)", 3).unwrap();
        assert!((matern.spread().unwrap().powi(2) - 5.0 * 3.0 / (3.0 * 4.0)).abs() < 1e-14);
        assert_eq!(law("laplace(1)", 2).unwrap().spread(), None);
        assert_eq!(law("matern(0.5, 1)", 2).unwrap().spread(), None);
    }

    #[test]
    fn products_add_and_columns_are_chosen() {
        let product = law("2*rbf(sigma=1)@1 * rbf(sigma=0.5)@2", 3).unwrap();
        assert_eq!(product.factor, 2.0);
        assert_eq!(product.parts.len(), 1);
        assert_eq!(product.parts[0].rates, [1.0, 2.0, 0.0]);
        let power = law("rbf(sigma=1)^4", 1).unwrap();
        assert!((power.parts[0].rates[0] - 2.0).abs() < 1e-15);
        assert_eq!(law("normalise(3*laplace(2))", 1).unwrap().factor, 1.0);
    }

    #[test]
    fn others_are_refused_by_name_with_the_way_out() {
        for text in [
            "linear",
            "rq",
            "spline",
            "rbf(gamma=1) + linear",
            "exp(rbf(gamma=1))",
            "chi2(1)",
        ] {
            let error = law(text, 2).unwrap_err();
            let name = text.split('(').next().unwrap();
            assert!(error.to_string().contains(name), "{error}");
            assert!(error.hints()[0].to_string().contains("`nystroem`"));
        }
    }
}
