//! Numbers, counts and times in words.

pub use mercer_plot::text::count;

/// Prints a number with up to four significant digits.
pub fn number(value: f64) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    if !value.is_finite() {
        return if value.is_nan() {
            "-".to_owned()
        } else {
            value.to_string()
        };
    }
    let magnitude = value.abs();
    if !(1e-4..1e7).contains(&magnitude) {
        return format!("{value:.2e}");
    }
    let decimals = (3 - magnitude.log10().floor() as i32).clamp(0, 7) as usize;
    format!("{value:.decimals$}")
}

/// Shortens the numbers of an expression to six significant digits, for reading.
pub fn short_numbers(expression: &str) -> String {
    let mut out = String::new();
    let mut rest = expression;
    while let Some(start) = rest.find(|c: char| c.is_ascii_digit()) {
        let (before, tail) = rest.split_at(start);
        out.push_str(before);
        let end = tail
            .find(|c: char| !(c.is_ascii_digit() || c == '.'))
            .unwrap_or(tail.len());
        let (digits, after) = tail.split_at(end);
        let named = before.ends_with(|c: char| c.is_alphanumeric() || c == '_');
        match digits.parse::<f64>() {
            Ok(value) if !named && digits.len() > 8 && value >= 1e-5 => {
                let decimals = (5 - value.log10().floor() as i32).max(0) as usize;
                let text = format!("{value:.decimals$}");
                let short = if text.contains('.') {
                    text.trim_end_matches('0').trim_end_matches('.')
                } else {
                    &text
                };
                out.push_str(short);
            }
            _ => out.push_str(digits),
        }
        rest = after;
    }
    out + rest
}

/// Prints a count with its noun: `1 row`, `2 rows`.
pub fn plural(value: usize, noun: &str) -> String {
    let s = if value == 1 { "" } else { "s" };
    format!("{} {noun}{s}", count(value as u64))
}

/// Prints a duration: `0.4 ms`, `31 ms`, `2.53 s`, `3 min 5 s`.
pub fn duration(seconds: f64) -> String {
    if seconds < 0.01 {
        format!("{:.1} ms", seconds * 1e3)
    } else if seconds < 1.0 {
        format!("{:.0} ms", seconds * 1e3)
    } else if seconds < 120.0 {
        format!("{seconds:.2} s")
    } else {
        let whole = seconds.round() as u64;
        format!("{} min {} s", whole / 60, whole % 60)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_four_digits() {
        let printed = [0.0, 1.0, 33.523_91, 0.001_234_5, 123_456.7, 1e9, -2.5e-7].map(number);
        assert_eq!(
            printed,
            [
                "0", "1.000", "33.52", "0.001234", "123457", "1.00e9", "-2.50e-7"
            ]
        );
        assert_eq!(number(f64::INFINITY), "inf");
        assert_eq!(number(f64::NAN), "-");
    }

    #[test]
    fn expressions_are_shortened() {
        assert_eq!(
            short_numbers("rbf(gamma=0.03333333333333351)"),
            "rbf(gamma=0.0333333)"
        );
        assert_eq!(
            short_numbers("0.5*rbf@x123456789 + poly(degree=3)"),
            "0.5*rbf@x123456789 + poly(degree=3)"
        );
        assert_eq!(
            short_numbers("laplace(scale=1.2345678901e-9)"),
            "laplace(scale=1.23457e-9)"
        );
    }

    #[test]
    fn counts_and_times() {
        assert_eq!(
            [count(7), count(1234), count(1_234_567)],
            ["7", "1,234", "1,234,567"]
        );
        assert_eq!(
            [duration(0.0004), duration(0.031), duration(185.0)],
            ["0.4 ms", "31 ms", "3 min 5 s"]
        );
        assert_eq!([plural(1, "row"), plural(2, "row")], ["1 row", "2 rows"]);
    }
}
