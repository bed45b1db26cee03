//! Counts, shares and names for human eyes.

/// Returns a count with groups of thousands: `12,345`.
///
/// ```
/// assert_eq!(mercer_plot::text::count(1_234_567), "1,234,567");
/// ```
pub fn count(value: u64) -> String {
    let digits = value.to_string();
    let mut out = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// Returns a share in per cent, with a decimal near the ends.
///
/// ```
/// assert_eq!(mercer_plot::text::percent(0.004), "0.4\u{a0}%");
/// ```
pub fn percent(share: f64) -> String {
    let hundredths = share * 100.0;
    if hundredths > 0.0 && hundredths < 1.0 || hundredths > 99.0 && hundredths < 100.0 {
        format!("{hundredths:.1}\u{a0}%")
    } else {
        format!("{hundredths:.0}\u{a0}%")
    }
}

/// Cuts a name to a number of characters; the whole name goes into a tip.
///
/// ```
/// assert_eq!(mercer_plot::text::shorten("abcdef", 4), "abc…");
/// ```
pub fn shorten(text: &str, length: usize) -> String {
    if text.chars().count() <= length {
        return text.to_owned();
    }
    let kept: String = text.chars().take(length.saturating_sub(1)).collect();
    format!("{}…", kept.trim_end())
}

/// Returns a number with three significant digits and a minus sign, without needless zeros.
///
/// ```
/// use mercer_plot::text::short;
///
/// assert_eq!([short(0.012_34), short(-1500.0), short(2e-7)], ["0.0123", "−1500", "2e−7"]);
/// ```
pub fn short(value: f64) -> String {
    if !value.is_finite() {
        return "–".to_owned();
    }
    if value == 0.0 {
        return "0".to_owned();
    }
    let size = value.abs();
    let (text, exponent) = if (1e-3..1e5).contains(&size) {
        let digits = (2 - size.log10().floor() as i32).max(0) as usize;
        (format!("{value:.digits$}"), String::new())
    } else {
        let text = format!("{value:.2e}");
        let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        (mantissa.to_owned(), format!("e{exponent}"))
    };
    let text = if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.')
    } else {
        &text
    };
    crate::axis::minus(&format!("{text}{exponent}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_numbers_are_short() {
        assert_eq!([count(7), count(1234)], ["7", "1,234"]);
        assert_eq!(
            [percent(0.5), percent(0.004), percent(1.0)],
            ["50\u{a0}%", "0.4\u{a0}%", "100\u{a0}%"]
        );
        assert_eq!([shorten("abcdef", 4), shorten("äöü", 3)], ["abc…", "äöü"]);
        let numbers = [0.123_456, -12.0, 1234.5, 1e5, 100.0, f64::NAN].map(short);
        assert_eq!(numbers, ["0.123", "−12", "1234", "1e5", "100", "–"]);
    }
}
