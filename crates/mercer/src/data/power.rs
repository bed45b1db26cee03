//! Powers of two, which go in and out of numbers without a rounding.

/// Exponents of two within which nothing has to be taken out: sums of squares of millions of numbers, times
/// ratios of any sensible size, are far from the ends of the range there.
pub(crate) const SAFE_EXPONENT: i32 = 200;

/// The exponent e with 2ᵉ ≤ |x| < 2ᵉ⁺¹.
pub(crate) fn exponent_of(x: f64) -> i32 {
    let (x, shift) = if x < f64::MIN_POSITIVE {
        (x * 2.0_f64.powi(64), 64)
    } else {
        (x, 0)
    };
    ((x.to_bits() >> 52) & 0x7ff) as i32 - 1023 - shift
}

/// x·2ᵉ, in two steps, because 2ᵉ alone may leave the range of numbers.
pub(crate) fn times_power(x: f64, e: i32) -> f64 {
    let half = e / 2;
    x * 2.0_f64.powi(half) * 2.0_f64.powi(e - half)
}

/// The exponent of the largest of some numbers where their squares may leave the range of numbers; 0 elsewhere.
pub(crate) fn unsafe_exponent(numbers: impl Iterator<Item = f64>) -> i32 {
    let largest = numbers.fold(0.0_f64, |m, v| m.max(v.abs()));
    if largest == 0.0 || !largest.is_finite() {
        return 0;
    }
    let exponent = exponent_of(largest);
    if exponent.abs() > SAFE_EXPONENT {
        exponent
    } else {
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exponents_are_those_of_the_number() {
        for (x, e) in [
            (1.0, 0),
            (0.75, -1),
            (8.5, 3),
            (f64::MAX, 1023),
            (5e-324, -1074),
        ] {
            assert_eq!(exponent_of(x), e, "{x}");
        }
    }

    #[test]
    fn only_squares_out_of_reach_have_an_exponent() {
        assert_eq!(unsafe_exponent([1e-3, -5.0, 1e50].into_iter()), 0);
        assert_eq!(unsafe_exponent(std::iter::empty()), 0);
        assert_eq!(unsafe_exponent([0.0, -0.0].into_iter()), 0);
        assert_eq!(
            unsafe_exponent([1e300, -2.0].into_iter()),
            exponent_of(1e300)
        );
        assert_eq!(
            unsafe_exponent([1e-200, 0.0].into_iter()),
            exponent_of(1e-200)
        );
    }
}
