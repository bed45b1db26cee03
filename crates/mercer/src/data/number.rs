//! Numbers as programs write them.

/// Powers of ten that a double holds exactly.
const POWERS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
];

/// Parses a decimal number; `inf` and overflow give an infinity, `nan` and anything else `None`.
///
/// Sign, digits, point and exponent as Rust reads them; no spaces, no thousands separators.
#[inline]
pub fn parse(text: &[u8]) -> Option<f64> {
    quick(text).or_else(|| slow(text))
}

/// The exact short cut: up to 2^53 as digits, scaled by an exact power of ten, rounds once.
#[inline]
fn quick(text: &[u8]) -> Option<f64> {
    let (negative, digits) = match text {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        _ => (false, text),
    };
    // 16 bytes hold at most 16 digits, so the mantissa fits a u64.
    if digits.is_empty() || digits.len() > 16 {
        return None;
    }
    let mut mantissa = 0_u64;
    let mut fraction = None;
    let mut seen = 0;
    for &byte in digits {
        match byte {
            b'0'..=b'9' => {
                mantissa = mantissa * 10 + u64::from(byte - b'0');
                seen += 1;
            }
            b'.' if fraction.is_none() => fraction = Some(seen),
            _ => return None,
        }
    }
    if seen == 0 || mantissa >= 1 << 53 {
        return None;
    }
    let value = mantissa as f64 / POWERS[fraction.map_or(0, |f| seen - f)];
    Some(if negative { -value } else { value })
}

#[cold]
fn slow(text: &[u8]) -> Option<f64> {
    let text = std::str::from_utf8(text).ok()?;
    let value: f64 = text.parse().ok()?;
    (!value.is_nan()).then_some(value)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn edges() {
        assert_eq!(parse(b"+1"), Some(1.0));
        assert_eq!(parse(b"-.5"), Some(-0.5));
        assert_eq!(parse(b"5."), Some(5.0));
        assert_eq!(parse(b"1e3"), Some(1000.0));
        assert_eq!(parse(b"1e400"), Some(f64::INFINITY));
        assert_eq!(parse(b"-inf"), Some(f64::NEG_INFINITY));
        assert!(parse(b"-0").expect("zero").is_sign_negative());
        for bad in [
            "", "+", "-", ".", "nan", "NaN", "1,000", "1 ", " 1", "1_0", "0x1", "--1", "1.2.3",
        ] {
            assert_eq!(parse(bad.as_bytes()), None, "{bad}");
        }
    }

    proptest! {
        #[test]
        fn agrees_with_the_standard_library(text in "[-+]?[0-9]{0,18}\\.?[0-9]{0,18}(e-?[0-9]{1,3})?") {
            let expected = text.parse::<f64>().ok().map(f64::to_bits);
            prop_assert_eq!(parse(text.as_bytes()).map(f64::to_bits), expected);
        }

        #[test]
        fn arbitrary_bytes_do_not_panic(bytes in proptest::collection::vec(any::<u8>(), 0..40)) {
            let _ = parse(&bytes);
        }
    }
}
