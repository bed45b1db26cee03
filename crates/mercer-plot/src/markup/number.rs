//! Numbers of attributes.

/// Returns a coordinate in hundredths, without needless digits.
///
/// Figures leave out what is not finite; should one slip through, the file stays valid.
pub(crate) fn coordinate(value: f64) -> String {
    if !value.is_finite() {
        return "0".to_owned();
    }
    let text = format!("{value:.2}");
    let short = text.trim_end_matches('0').trim_end_matches('.');
    if short == "-0" {
        "0".to_owned()
    } else {
        short.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_few() {
        let shown = [0.0, -0.001, 10.0, 2.5, 1.0 / 3.0, 100.0, f64::INFINITY].map(coordinate);
        assert_eq!(shown, ["0", "0", "10", "2.5", "0.33", "100", "0"]);
    }
}
