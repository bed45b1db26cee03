//! `value = mantissa · 2^exponent`: numbers beyond the range of `f64`.

use std::f64::consts::LN_2;

/// A number of any size that is not negative.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Scaled {
    /// In [½, 1), or 0.
    pub(super) mantissa: f64,
    /// Power of two.
    pub(super) exponent: i64,
}

impl Scaled {
    /// The natural logarithm; −∞ for 0.
    pub(super) fn log(self) -> f64 {
        self.mantissa.ln() + self.exponent as f64 * LN_2
    }

    /// The nearest `f64`, infinite when the number is too large and 0 when it is too small.
    pub(super) fn to_f64(self) -> f64 {
        let exponent = self.exponent.clamp(-2200, 2200);
        let half = exponent / 2;
        // Two factors: 2^exponent itself may leave the range when the product does not.
        self.mantissa * 2_f64.powi(half as i32) * 2_f64.powi((exponent - half) as i32)
    }

    /// The normalised kernel `K(x, z) / √(K(x, x) K(z, z))`, at most 1; 0 when a square is 0.
    pub(super) fn ratio(product: Self, square: Self, other_square: Self) -> f64 {
        if product.mantissa == 0.0 || square.mantissa == 0.0 || other_square.mantissa == 0.0 {
            return 0.0;
        }
        let squares = square.exponent + other_square.exponent;
        let odd = squares.rem_euclid(2);
        let root = (square.mantissa * other_square.mantissa * (1 << odd) as f64).sqrt();
        let exponent = product.exponent - (squares - odd) / 2;
        let quotient = Self {
            mantissa: product.mantissa / root,
            exponent,
        };
        quotient.to_f64().min(1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_any_size() {
        let number = |mantissa, exponent| Scaled { mantissa, exponent };
        assert_eq!(number(0.75, 2).to_f64(), 3.0);
        assert_eq!(number(0.0, 0).to_f64(), 0.0);
        assert_eq!(number(0.0, 0).log(), f64::NEG_INFINITY);
        assert_eq!(number(0.5, 1 << 40).to_f64(), f64::INFINITY);
        assert_eq!(number(0.5, -1073).to_f64(), f64::from_bits(1));
        assert_eq!(number(0.5, -(1 << 40)).to_f64(), 0.0);
        assert!((number(0.5, 4001).log() - 4000.0 * LN_2).abs() < 1e-9);
        let (large, larger) = (number(0.5, 2001), number(0.5, 2004));
        assert_eq!(Scaled::ratio(large, large, large), 1.0);
        assert!((Scaled::ratio(large, larger, large) - 0.125_f64.sqrt()).abs() < 1e-16);
        assert_eq!(Scaled::ratio(number(0.0, 0), large, larger), 0.0);
    }
}
