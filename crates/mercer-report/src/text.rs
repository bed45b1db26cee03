//! Numbers as the page shows them.

use mercer_plot::Markup;
use mercer_plot::page::number;

/// Returns a number with four significant digits; powers of ten are typeset.
pub(super) fn figure(value: f64) -> Markup {
    number(&crate::words::number(value))
}

/// Returns a sum of weights without decimals where it is whole.
pub(super) fn amount(value: f64) -> String {
    if value.fract() == 0.0 && value < 1e15 {
        crate::words::count(value as u64)
    } else {
        format!("{value:.2}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_typeset() {
        assert_eq!(figure(-2.5e-7).as_str(), "−2.50×10<sup>−7</sup>");
        assert_eq!(figure(33.523_91).as_str(), "33.52");
        assert_eq!(figure(1_734_924.0).as_str(), "1,734,924");
        assert_eq!([amount(1234.0), amount(1.5)], ["1,234", "1.50"]);
    }
}
