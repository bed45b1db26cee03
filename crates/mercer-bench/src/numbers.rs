//! Medians, geometric means and numbers as people read them.

/// The median; none of nothing.
pub(crate) fn median(values: &[f64]) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let n = sorted.len();
    (n > 0).then(|| f64::midpoint(sorted[(n - 1) / 2], sorted[n / 2]))
}

/// The geometric mean of positive numbers; none of nothing.
pub(crate) fn geometric_mean(values: &[f64]) -> Option<f64> {
    let count = values.len();
    (count > 0).then(|| (values.iter().map(|value| value.ln()).sum::<f64>() / count as f64).exp())
}

/// A number with three significant digits.
pub(crate) fn three_digits(value: f64) -> String {
    match value.abs() {
        size if size >= 99.95 => format!("{value:.0}"),
        size if size >= 9.995 => format!("{value:.1}"),
        size if size >= 0.9995 || size == 0.0 => format!("{value:.2}"),
        size => {
            let digits = (2.0 - size.log10().floor()) as usize;
            format!("{value:.digits$}")
        }
    }
}

/// Seconds in the unit that suits them.
pub(crate) fn seconds(value: f64) -> String {
    if value >= 0.9995 {
        format!("{} s", three_digits(value))
    } else if value >= 0.9995e-3 {
        format!("{} ms", three_digits(value * 1e3))
    } else {
        format!("{} µs", three_digits(value * 1e6))
    }
}

/// A ratio.
pub(crate) fn times(value: f64) -> String {
    format!("{} ×", three_digits(value))
}

/// Bytes in megabytes.
pub(crate) fn megabytes(bytes: u64) -> String {
    format!("{} MB", bytes / 1_000_000)
}

/// A count with separated thousands.
pub(crate) fn thousands(count: usize) -> String {
    mercer_plot::text::count(count as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medians() {
        assert_eq!(median(&[]), None);
        assert_eq!(median(&[3.0]), Some(3.0));
        assert_eq!(median(&[3.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(median(&[4.0, 1.0, 2.0, 100.0]), Some(3.0));
    }

    #[test]
    fn geometric_means() {
        assert_eq!(geometric_mean(&[]), None);
        let mean = geometric_mean(&[1.0, 10.0, 100.0]).unwrap();
        assert!((mean - 10.0).abs() < 1e-12);
        let half = geometric_mean(&[0.5, 2.0]).unwrap();
        assert!((half - 1.0).abs() < 1e-12);
    }

    #[test]
    fn numbers_have_three_digits() {
        let texts: Vec<String> = [
            0.0,
            0.000_123_4,
            0.0456,
            0.999,
            1.0,
            9.994,
            9.996,
            12.345,
            99.96,
            12345.0,
        ]
        .map(three_digits)
        .to_vec();
        let wanted = [
            "0.00", "0.000123", "0.0456", "0.999", "1.00", "9.99", "10.0", "12.3", "100", "12345",
        ];
        assert_eq!(texts, wanted);
    }

    #[test]
    fn units() {
        assert_eq!(seconds(61.26), "61.3 s");
        assert_eq!(seconds(0.0123), "12.3 ms");
        assert_eq!(seconds(4.2e-6), "4.20 µs");
        assert_eq!(thousands(1_234_567), "1,234,567");
        assert_eq!(thousands(150), "150");
    }
}
