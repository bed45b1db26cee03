//! Numbers beside ticks.

/// A number of a linear axis with this step: as many digits as tell it from its neighbours.
pub(crate) fn linear(value: f64, step: f64) -> String {
    // Multiples of a step miss zero by a rounding error at most.
    if value.abs() < step * 1e-9 {
        return if decimals(step) == 0 || step < 1e-5 {
            "0".to_owned()
        } else {
            minus(&format!("{:.*}", decimals(step), 0.0))
        };
    }
    if value.abs() < 1e6 && step >= 1e-5 {
        return minus(&format!("{value:.*}", decimals(step)));
    }
    let digits = (value.abs().log10().floor() - step.log10().floor()).clamp(0.0, 15.0) as usize;
    let text = format!("{value:.digits$e}");
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let mantissa = if mantissa.contains('.') {
        mantissa.trim_end_matches('0').trim_end_matches('.')
    } else {
        mantissa
    };
    minus(&format!("{mantissa}e{exponent}"))
}

fn decimals(step: f64) -> usize {
    // 0.05 has two decimals, and its logarithm is not below -2 for rounding only.
    (-(step * (1.0 + 1e-9)).log10().floor()).clamp(0.0, 6.0) as usize
}

/// A power of ten, in full where all of an axis is short enough.
pub(crate) fn power(exponent: i32, plain: bool) -> String {
    multiple(1.0, exponent, plain)
}

/// A multiple of a power of ten.
pub(crate) fn multiple(multiple: f64, exponent: i32, plain: bool) -> String {
    if plain {
        let value = multiple * 10_f64.powi(exponent);
        let decimals = (-exponent).max(0) as usize + usize::from(multiple.fract() > 0.0);
        let decimals = if exponent > 0 { 0 } else { decimals };
        return format!("{value:.decimals$}");
    }
    match (multiple, exponent) {
        (1.0, 0) => "1".to_owned(),
        (1.0, 1) => "10".to_owned(),
        (1.0, _) => format!("10{}", superscript(exponent)),
        (_, 0) => format!("{multiple}"),
        _ => format!("{multiple}·10{}", superscript(exponent)),
    }
}

/// A whole number in raised digits.
pub(crate) fn superscript(value: i32) -> String {
    value.to_string().chars().map(raised).collect()
}

fn raised(c: char) -> char {
    match c {
        '-' => '⁻',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        digit => char::from_u32(0x2070 + (digit as u32 - '0' as u32)).unwrap_or(digit),
    }
}

/// Hyphens of numbers as minus signs.
pub(crate) fn minus(text: &str) -> String {
    text.replace('-', "−")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_follow_the_step() {
        assert_eq!(
            [linear(0.25, 0.05), linear(-10.0, 5.0), linear(0.0, 1.0)],
            ["0.25", "−10", "0"]
        );
        assert_eq!(linear(2_000_000.0, 1e6), "2e6");
        assert_eq!(linear(1_500_000.0, 5e5), "1.5e6");
        assert_eq!(linear(-3e-7, 1e-7), "−3e−7");
        assert_eq!(linear(1_000_000.002, 0.002), "1.000000002e6");
    }

    #[test]
    fn powers_are_raised() {
        assert_eq!(
            [power(-12, false), power(0, false), power(4, false)],
            ["10⁻¹²", "1", "10⁴"]
        );
        assert_eq!([power(-2, true), power(3, true)], ["0.01", "1000"]);
        assert_eq!(
            [multiple(1.5, 0, true), multiple(5.0, -7, false)],
            ["1.5", "5·10⁻⁷"]
        );
        assert_eq!(multiple(1.5, 1, true), "15");
    }
}
