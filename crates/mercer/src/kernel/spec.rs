//! Kernels as data: plain, comparable, printable.

use super::families;
use super::vector::{chi2, overlap, rbf, sigmoid, spline};
use super::vector::{cosine, laplace, linear, matern, poly, precomputed, rational_quadratic};
use super::{Definiteness, Family, Settings, Value};
use crate::Result;
use crate::data::ColumnRef;

/// A kernel expression. Parameters may be open; [`KernelSpec::resolve`] fixes them.
///
/// The text form is the same in commands, files and Python:
///
/// ```
/// use mercer::kernel::KernelSpec;
///
/// let kernel: KernelSpec = "0.5*rbf(sigma=2)@[a,\"b c\"] + linear".parse()?;
/// assert_eq!(kernel.to_string(), "0.5*rbf(sigma=2)@[a,\"b c\"] + linear");
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub enum KernelSpec {
    /// One kernel of a family.
    Base {
        /// The family.
        family: &'static Family,
        /// Its parameters.
        settings: Settings,
    },
    /// A kernel times a positive number.
    Scaled {
        /// The number.
        factor: f64,
        /// The kernel.
        kernel: Box<KernelSpec>,
    },
    /// A sum of two or more kernels.
    Sum(Vec<KernelSpec>),
    /// A product of two or more kernels.
    Product(Vec<KernelSpec>),
    /// A kernel to a whole power.
    Power {
        /// The kernel.
        kernel: Box<KernelSpec>,
        /// The power, at least 1.
        exponent: u32,
    },
    /// exp(k(x, z)).
    Exp(Box<KernelSpec>),
    /// k(x, z) / √(k(x, x) k(z, z)).
    Normalise(Box<KernelSpec>),
    /// A kernel that reads only some columns.
    On {
        /// The columns.
        columns: Vec<ColumnRef>,
        /// The kernel.
        kernel: Box<KernelSpec>,
    },
}

impl KernelSpec {
    /// Reads a kernel expression.
    ///
    /// # Errors
    /// Text that is no expression, unknown names, and parameters outside their range.
    pub fn parse(text: &str) -> Result<Self> {
        super::parse::parse(text)
    }

    /// A kernel of a family with all parameters open.
    pub fn open(family: &'static Family) -> Self {
        Self::Base {
            family,
            settings: Settings::open(family),
        }
    }

    /// A kernel of a family by name, with all parameters open.
    ///
    /// # Errors
    /// A name that is no family's.
    pub fn named(name: &str) -> Result<Self> {
        families::find(name).map(Self::open)
    }

    /// Sets a parameter by name.
    ///
    /// # Errors
    /// A parameter the family does not have; a combination has none.
    pub fn with(mut self, name: &str, value: impl Into<Value>) -> Result<Self> {
        match &mut self {
            Self::Base { family, settings } => settings.set(family.parameter(name)?, value),
            other => {
                return Err(crate::Error::Kernel {
                    kernel: other.to_string(),
                    problem: format!("a combination has no parameter `{name}`"),
                    cure: "set the parameter on one of its parts".into(),
                });
            }
        }
        Ok(self)
    }

    fn base<const N: usize>(family: &'static Family, values: [Value; N]) -> Self {
        let mut settings = Settings::open(family);
        for (index, value) in values.into_iter().enumerate() {
            settings.set(index, value);
        }
        Self::Base { family, settings }
    }

    /// ⟨x, z⟩.
    pub fn linear() -> Self {
        Self::open(&linear::FAMILY)
    }

    /// (scale·⟨x, z⟩ + offset)^degree; a scale of `None` is chosen from the data.
    pub fn poly(degree: u32, offset: f64, scale: impl Into<Option<f64>>) -> Self {
        Self::base(
            &poly::FAMILY,
            [
                Value::Number(f64::from(degree)),
                Value::Number(offset),
                scale.into().into(),
            ],
        )
    }

    /// exp(−gamma·‖x − z‖²), with one gamma or one per feature.
    pub fn rbf(gamma: impl Into<Value>) -> Self {
        Self::base(&rbf::FAMILY, [gamma.into()])
    }

    /// exp(−gamma·‖x − z‖²) with gamma chosen from the data.
    pub fn rbf_auto() -> Self {
        Self::open(&rbf::FAMILY)
    }

    /// exp(−‖x − z‖²/(2 sigma²)), with one sigma or one per feature.
    pub fn rbf_sigma(sigma: impl Into<Value>) -> Self {
        Self::base(&rbf::FAMILY, [Value::Open, sigma.into()])
    }

    /// exp(−‖x − z‖₁/scale); a scale of `Value::Open` is chosen from the data.
    pub fn laplace(scale: impl Into<Value>) -> Self {
        Self::base(&laplace::FAMILY, [scale.into()])
    }

    /// The Matérn kernel of smoothness 0.5, 1.5 or 2.5.
    pub fn matern(nu: f64, length: impl Into<Value>) -> Self {
        Self::base(&matern::FAMILY, [Value::Number(nu), length.into()])
    }

    /// (1 + ‖x − z‖²/(2·alpha·length²))^−alpha.
    pub fn rational_quadratic(alpha: f64, length: impl Into<Value>) -> Self {
        Self::base(
            &rational_quadratic::FAMILY,
            [Value::Number(alpha), length.into()],
        )
    }

    /// tanh(scale·⟨x, z⟩ + offset), which is not positive semidefinite in general.
    pub fn sigmoid(scale: impl Into<Option<f64>>, offset: f64) -> Self {
        Self::base(
            &sigmoid::FAMILY,
            [scale.into().into(), Value::Number(offset)],
        )
    }

    /// The cubic spline kernel on [0, 1] without constant and slope.
    pub fn bent_spline() -> Self {
        Self::open(&spline::BENT)
    }

    /// The cubic spline kernel on [0, 1], multiplied over the columns.
    pub fn spline() -> Self {
        Self::open(&spline::FAMILY)
    }

    /// ⟨x, z⟩/(‖x‖·‖z‖).
    pub fn cosine() -> Self {
        Self::open(&cosine::FAMILY)
    }

    /// exp(−gamma·Σ (x − z)²/(x + z)); a gamma of `None` is chosen from the data.
    pub fn chi2(gamma: impl Into<Option<f64>>) -> Self {
        Self::base(&chi2::FAMILY, [gamma.into().into()])
    }

    /// The number of equal categorical values.
    pub fn overlap() -> Self {
        Self::open(&overlap::FAMILY)
    }

    /// Values looked up in a given matrix.
    pub fn precomputed() -> Self {
        Self::open(&precomputed::FAMILY)
    }

    /// This kernel reading only some columns.
    pub fn on(self, columns: impl IntoIterator<Item = ColumnRef>) -> Self {
        Self::On {
            columns: columns.into_iter().collect(),
            kernel: Box::new(self),
        }
    }

    /// This kernel times a positive number.
    pub fn scaled(self, factor: f64) -> Self {
        Self::Scaled {
            factor,
            kernel: Box::new(self),
        }
    }

    /// This kernel to a whole power.
    pub fn power(self, exponent: u32) -> Self {
        Self::Power {
            kernel: Box::new(self),
            exponent,
        }
    }

    /// exp of this kernel.
    pub fn exp(self) -> Self {
        Self::Exp(Box::new(self))
    }

    /// This kernel divided by the root of its two diagonals; twice is as good as once.
    pub fn normalised(self) -> Self {
        match self {
            Self::Normalise(_) => self,
            other => Self::Normalise(Box::new(other)),
        }
    }

    /// Returns the kernels this one combines.
    pub(super) fn children(&self) -> &[Self] {
        match self {
            Self::Base { .. } => &[],
            Self::Scaled { kernel, .. }
            | Self::Power { kernel, .. }
            | Self::Exp(kernel)
            | Self::Normalise(kernel)
            | Self::On { kernel, .. } => std::slice::from_ref(kernel),
            Self::Sum(kernels) | Self::Product(kernels) => kernels,
        }
    }

    /// Returns whether Gram matrices of this kernel are positive semidefinite.
    pub fn definiteness(&self) -> Definiteness {
        if let Self::Base { family, .. } = self {
            return family.definiteness;
        }
        let parts = self.children().iter().map(Self::definiteness);
        parts.max().unwrap_or(Definiteness::Always)
    }

    /// Returns whether nothing in this kernel is known to break positive semidefiniteness.
    ///
    /// A given matrix counts as a kernel; [`super::check_gram`] tests it.
    pub fn is_definite(&self) -> bool {
        self.definiteness() != Definiteness::NotInGeneral
    }

    /// Returns the families this kernel is made of, in the order of the text.
    pub fn families(&self) -> Vec<&'static Family> {
        match self {
            Self::Base { family, .. } => vec![family],
            other => other.children().iter().flat_map(Self::families).collect(),
        }
    }
}

impl std::ops::Add for KernelSpec {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        let mut parts = match self {
            Self::Sum(parts) => parts,
            single => vec![single],
        };
        parts.push(other);
        Self::Sum(parts)
    }
}

impl std::ops::Mul for KernelSpec {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        let mut parts = match self {
            Self::Product(parts) => parts,
            single => vec![single],
        };
        parts.push(other);
        Self::Product(parts)
    }
}

impl std::ops::Mul<KernelSpec> for f64 {
    type Output = KernelSpec;

    fn mul(self, kernel: KernelSpec) -> KernelSpec {
        kernel.scaled(self)
    }
}

impl std::str::FromStr for KernelSpec {
    type Err = crate::Error;

    fn from_str(text: &str) -> Result<Self> {
        Self::parse(text)
    }
}

impl serde::Serialize for KernelSpec {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> serde::Deserialize<'de> for KernelSpec {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}
