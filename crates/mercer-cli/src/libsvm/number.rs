//! Numbers as the summary lines show them.

/// Returns a number with six significant digits and no trailing zeros, as C's `%g` does.
pub(super) fn six_digits(value: f64) -> String {
    if value.is_nan() {
        return "nan".to_owned();
    }
    if value.is_infinite() || value == 0.0 {
        return if value == 0.0 {
            "0".to_owned()
        } else {
            value.to_string()
        };
    }
    let scientific = format!("{value:.5e}");
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let power: i32 = exponent.parse().unwrap_or(0);
    if !(-4..6).contains(&power) {
        let sign = if power < 0 { '-' } else { '+' };
        return format!("{}e{sign}{:02}", trimmed(mantissa), power.abs());
    }
    let decimals = usize::try_from(5 - power).unwrap_or(0);
    trimmed(&format!("{value:.decimals$}")).to_owned()
}

fn trimmed(text: &str) -> &str {
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.')
    } else {
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_c() {
        // Each result is printf("%g", x).
        for (value, text) in [
            (0.0, "0"),
            (66.925, "66.925"),
            (84.814_814_8, "84.8148"),
            (100.0, "100"),
            (999_999.5, "1e+06"),
            (123_456.0, "123456"),
            (0.000_1, "0.0001"),
            (0.000_012_345, "1.2345e-05"),
            (3_012.345_6, "3012.35"),
            (-0.5, "-0.5"),
            (1e100, "1e+100"),
        ] {
            assert_eq!(six_digits(value), text);
        }
        assert_eq!(six_digits(f64::NAN), "nan");
    }
}
