//! The printed form of cells: how numbers and booleans match names.

use super::{Values, date};

/// The texts that stand for a missing value unless told otherwise.
///
/// A lone `.` or `-` is not among them: both occur as names, and are missing among numbers and
/// dates only ([`super::recognise::MISSING_VALUES`]). Comparison is exact, after spaces around the
/// field are removed.
pub const MISSING: [&str; 20] = [
    "", "?", "NA", "N/A", "n/a", "n.a.", "N.A.", "NaN", "nan", "NaT", "null", "NULL", "None",
    "<NA>", "#N/A", "#NA", "#DIV/0!", "#VALUE!", "#REF!", "#NUM!",
];

/// Prints a number the shortest way that reads back the same: `1`, `-1`, `2.5`, `1e300`.
///
/// Both zeros print as `0`; only very large and very small numbers take an exponent.
pub fn number_text(value: f64) -> String {
    let magnitude = value.abs();
    if magnitude == 0.0 {
        "0".to_owned()
    } else if (1e-5..1e16).contains(&magnitude) || !value.is_finite() {
        value.to_string()
    } else {
        format!("{value:e}")
    }
}

/// Prints four digits of a number, for sentences: `400`, `2.281`, `7.332e20`.
pub(crate) fn brief_number(value: f64) -> String {
    let rounded = format!("{value:.3e}").parse().unwrap_or(value);
    number_text(rounded)
}

impl Values {
    /// Prints a row's value; `None` when it is missing, a whole vector or a graph.
    ///
    /// Dates print as seconds since 1970.
    pub fn text(&self, row: usize) -> Option<String> {
        match self {
            Self::Numeric(v) | Self::Date(v) => (!v[row].is_nan()).then(|| number_text(v[row])),
            Self::Boolean(t) => t.word(row).map(str::to_owned),
            Self::Categorical(c) => c.name(row).map(str::to_owned),
            Self::Text(v) | Self::Molecules(v) => v[row].clone(),
            Self::Nodes(n) => n.name(row).map(str::to_owned),
            Self::Vectors(_) | Self::Graphs(_) => None,
        }
    }

    /// Returns a row's value for people: as [`Values::text`], but dates are dates.
    pub fn shown(&self, row: usize) -> Option<String> {
        match self {
            Self::Date(seconds) => date::format(seconds[row]),
            other => other.text(row),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn numbers_print_canonically() {
        let printed = [1.0, -1.0, 2.5, 0.0, -0.0, 1e300, 1e-7, 123_456.0].map(number_text);
        assert_eq!(
            printed,
            ["1", "-1", "2.5", "0", "0", "1e300", "1e-7", "123456"]
        );
        assert_eq!(number_text(f64::INFINITY), "inf");
    }

    proptest! {
        #[test]
        fn printed_numbers_read_back(value in prop::num::f64::NORMAL | prop::num::f64::SUBNORMAL) {
            prop_assert_eq!(number_text(value).parse::<f64>().unwrap(), value);
        }
    }
}
