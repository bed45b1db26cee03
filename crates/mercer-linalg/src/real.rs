//! The two floating-point types of the crate and their names.

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Sub, SubAssign};

use crate::backend::Backend;
use crate::simd::{Simd, Vector};
use crate::tile::Transpose;

/// A floating-point type of the crate: `f32` or `f64`.
///
/// The trait is sealed: it cannot be implemented outside this crate.
pub trait Real:
    Backend
    + Transpose
    + Copy
    + Send
    + Sync
    + 'static
    + Default
    + PartialEq
    + PartialOrd
    + fmt::Debug
    + fmt::Display
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
    + AddAssign
    + SubAssign
    + MulAssign
    + DivAssign
    + Sum
{
    /// Zero.
    const ZERO: Self;
    /// One.
    const ONE: Self;
    /// The distance from one to the next larger number.
    const EPSILON: Self;
    /// Positive infinity.
    const INFINITY: Self;
    /// Not a number.
    const NAN: Self;
    /// The run-time name of the type.
    const PRECISION: Precision;

    /// Rounds from double precision.
    fn from_f64(value: f64) -> Self;
    /// Widens to double precision.
    fn to_f64(self) -> f64;
    /// Absolute value.
    fn abs(self) -> Self;
    /// Square root.
    fn sqrt(self) -> Self;
    /// Power with a real exponent.
    fn powf(self, exponent: Self) -> Self;
    /// `self * factor + term` rounded once.
    fn mul_add(self, factor: Self, term: Self) -> Self;
    /// Whether the number is neither infinite nor NaN.
    fn is_finite(self) -> bool;

    /// The vector of this type on an instruction set.
    #[doc(hidden)]
    type Vector<S: Simd>: Vector<Self>;
    /// Rows interleaved in one panel: 128 bytes, two cache lines.
    #[doc(hidden)]
    const PANEL: usize;
    /// Shifts, masks and polynomials of the exponential.
    #[doc(hidden)]
    fn exp_body<const FUSED: bool>(self) -> Self;
    /// Branch-free hyperbolic tangent.
    #[doc(hidden)]
    fn tanh_body<const FUSED: bool>(self) -> Self;
    /// Branch-free cosine and sine of angles up to [`Real::REACH`].
    #[doc(hidden)]
    fn cos_sin_body<const FUSED: bool>(self) -> (Self, Self);
    /// Largest angle of that body.
    #[doc(hidden)]
    const REACH: Self;
}

/// The name of a floating-point type, for choices made at run time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Precision {
    /// Single precision, 24 bits of significand.
    F32,
    /// Double precision, 53 bits of significand.
    F64,
}

impl Precision {
    /// Bytes of one number.
    pub const fn bytes(self) -> usize {
        match self {
            Self::F32 => 4,
            Self::F64 => 8,
        }
    }

    /// The distance from one to the next larger number.
    pub const fn epsilon(self) -> f64 {
        match self {
            Self::F32 => f32::EPSILON as f64,
            Self::F64 => f64::EPSILON,
        }
    }
}

impl fmt::Display for Precision {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::F32 => "f32",
            Self::F64 => "f64",
        })
    }
}

macro_rules! real {
    ($type:ident, $precision:ident, $vector:ident, $exp:path, $tanh:path, $cos_sin:path, $reach:path) => {
        impl Real for $type {
            const ZERO: Self = 0.0;
            const ONE: Self = 1.0;
            const EPSILON: Self = $type::EPSILON;
            const INFINITY: Self = $type::INFINITY;
            const NAN: Self = $type::NAN;
            const PRECISION: Precision = Precision::$precision;

            #[inline(always)]
            fn from_f64(value: f64) -> Self {
                value as $type
            }
            #[inline(always)]
            fn to_f64(self) -> f64 {
                self as f64
            }
            #[inline(always)]
            fn abs(self) -> Self {
                self.abs()
            }
            #[inline(always)]
            fn sqrt(self) -> Self {
                self.sqrt()
            }
            #[inline(always)]
            fn powf(self, exponent: Self) -> Self {
                self.powf(exponent)
            }
            #[inline(always)]
            fn mul_add(self, factor: Self, term: Self) -> Self {
                self.mul_add(factor, term)
            }
            #[inline(always)]
            fn is_finite(self) -> bool {
                self.is_finite()
            }

            type Vector<S: Simd> = S::$vector;
            const PANEL: usize = 128 / size_of::<$type>();
            #[inline(always)]
            fn exp_body<const FUSED: bool>(self) -> Self {
                $exp(self)
            }
            #[inline(always)]
            fn tanh_body<const FUSED: bool>(self) -> Self {
                $tanh(self)
            }
            #[inline(always)]
            fn cos_sin_body<const FUSED: bool>(self) -> (Self, Self) {
                $cos_sin(self)
            }
            const REACH: Self = $reach;
        }
    };
}

real!(
    f32,
    F32,
    F32,
    crate::exp::exp_f32::<FUSED>,
    crate::exp::tanh_f32::<FUSED>,
    crate::cos_sin::cos_sin_f32::<FUSED>,
    crate::cos_sin::REACH_32
);
real!(
    f64,
    F64,
    F64,
    crate::exp::exp_f64::<FUSED>,
    crate::exp::tanh_f64::<FUSED>,
    crate::cos_sin::cos_sin_f64::<FUSED>,
    crate::cos_sin::REACH_64
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn precision_names() {
        assert_eq!(Precision::F32.to_string(), "f32");
        assert_eq!(Precision::F64.to_string(), "f64");
        assert_eq!(<f32 as Real>::PRECISION.bytes(), 4);
        assert_eq!(<f64 as Real>::PRECISION.epsilon(), f64::EPSILON);
    }
}
