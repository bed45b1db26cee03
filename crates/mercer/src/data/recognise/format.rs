//! Numbers as people write them.

use serde::{Deserialize, Serialize};

use super::affix::{is_currency, without_unit};
use crate::data::number;

/// The decimal sign.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Decimal {
    /// 1.5
    Point,
    /// 1,5
    Comma,
}

impl Decimal {
    /// The signs by name.
    pub const NAMED: [(&'static str, Self); 2] = [("point", Self::Point), ("comma", Self::Comma)];

    fn sign(self) -> char {
        match self {
            Self::Point => '.',
            Self::Comma => ',',
        }
    }
}

/// How the numbers of a column are written.
///
/// A sign stands before or after the number, or parentheses make it negative; spaces may stand
/// around currency and unit. A number without the currency is one too, a number without the unit
/// only when it is 0. What is left after currency, percent sign and unit is the number: 5.8% is
/// 5.8.
///
/// # Examples
/// ```
/// use mercer::data::recognise::{Decimal, NumberFormat};
///
/// let euros = NumberFormat {
///     decimal: Decimal::Comma,
///     group: '.',
///     prefix: String::new(),
///     suffix: "€".to_owned(),
/// };
/// assert_eq!(euros.parse("1.234,50 €"), Some(1234.5));
/// assert_eq!(euros.parse("(99 €)"), Some(-99.0));
/// assert_eq!(euros.parse("1.23 €"), None);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NumberFormat {
    /// The decimal sign.
    pub decimal: Decimal,
    /// What may stand between thousands; a space stands for spaces of any width.
    pub group: char,
    /// The currency before numbers.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub prefix: String,
    /// The currency, percent sign or unit after numbers.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub suffix: String,
}

/// A number, and how it was written.
pub(super) struct Written {
    pub(super) value: f64,
    /// In parentheses.
    pub(super) enclosed: bool,
    /// With a separator between thousands.
    pub(super) grouped: bool,
}

/// Characters that no number exceeds.
const LONGEST: usize = 64;

impl NumberFormat {
    /// Reads a number in this format.
    pub fn parse(&self, text: &str) -> Option<f64> {
        self.read(text).map(|written| written.value)
    }

    pub(super) fn read(&self, text: &str) -> Option<Written> {
        let mut rest = text.trim();
        if rest.len() > LONGEST {
            return None;
        }
        let mut signs = Signs::default();
        rest = signs.before(rest);
        let mut marked = false;
        if !self.prefix.is_empty()
            && let Some(after) = rest.strip_prefix(self.prefix.as_str())
        {
            marked = true;
            rest = signs.before(after.trim_start());
        }
        if !self.suffix.is_empty()
            && let Some(before) = without_unit(rest, &self.suffix)
        {
            marked = true;
            rest = signs.before(before.trim_end());
        }
        rest = signs.after(rest);
        let (value, grouped) = self.core(rest)?;
        let has_marks = !self.prefix.is_empty() || !self.suffix.is_empty();
        let unmarked = has_marks && !marked;
        if unmarked && value != 0.0 && !is_currency(&self.prefix) && !is_currency(&self.suffix) {
            return None;
        }
        (signs.count <= 1).then_some(Written {
            value: if signs.negative { -value } else { value },
            enclosed: signs.enclosed,
            grouped,
        })
    }

    /// Reads digits with separators; the value and whether thousands were separated.
    fn core(&self, text: &str) -> Option<(f64, bool)> {
        let decimal = self.decimal.sign();
        let (whole, fraction) = match text.split_once(decimal) {
            Some((whole, fraction)) => (whole, Some(fraction)),
            None => (text, None),
        };
        if !text.starts_with(|c: char| c.is_ascii_digit() || c == decimal) {
            return None;
        }
        let grouped = whole.contains(|c| self.separates(c));
        if grouped && !self.is_grouped_well(whole) {
            return None;
        }
        let mut digits = [0_u8; LONGEST];
        let mut length = 0;
        let mut push = |byte: u8| {
            digits[length] = byte;
            length += 1;
        };
        // An exponent may follow; what is no number after all is found at the end.
        let part = |c: char| {
            let fits = c.is_ascii_digit() || matches!(c, 'e' | 'E' | '-' | '+');
            fits.then_some(c as u8)
        };
        for c in whole.chars().filter(|c| !self.separates(*c)) {
            push(part(c)?);
        }
        if let Some(fraction) = fraction {
            push(b'.');
            for c in fraction.chars() {
                push(part(c)?);
            }
        }
        number::parse(&digits[..length]).map(|value| (value, grouped))
    }

    fn separates(&self, c: char) -> bool {
        match self.group {
            ' ' => matches!(c, ' ' | '\u{a0}' | '\u{2009}' | '\u{202f}'),
            '\'' => matches!(c, '\'' | '\u{2019}'),
            group => c == group,
        }
    }

    /// Groups of three after the first one; or, with commas, of two before the last (India).
    fn is_grouped_well(&self, whole: &str) -> bool {
        let mut first = 0;
        let mut middle = (true, true);
        let mut last = 0;
        for (index, group) in whole.split(|c| self.separates(c)).enumerate() {
            if !group.bytes().all(|b| b.is_ascii_digit()) {
                return false;
            }
            if index == 0 {
                first = group.len();
                // 0,123 has decimals; 030 123 456 is a telephone number.
                if group.starts_with('0') {
                    return false;
                }
                continue;
            }
            if index > 1 {
                middle.0 &= last == 3;
                middle.1 &= last == 2;
            }
            last = group.len();
        }
        let western = middle.0 && (1..=3).contains(&first);
        let indian = self.group == ',' && middle.1 && (1..=2).contains(&first);
        last == 3 && (western || indian)
    }

    /// Says how numbers are written, after "numbers are written".
    pub(super) fn words(&self, grouped: bool) -> String {
        let mut parts = Vec::new();
        if !self.prefix.is_empty() {
            parts.push(format!("with `{}` before them", self.prefix));
        }
        if !self.suffix.is_empty() {
            parts.push(format!("with `{}` after them", self.suffix));
        }
        if grouped {
            let group = match self.group {
                ' ' => "a space".to_owned(),
                other => format!("`{other}`"),
            };
            parts.push(format!("with {group} between thousands"));
        }
        if self.decimal == Decimal::Comma {
            parts.push("with a decimal comma".to_owned());
        }
        if parts.is_empty() {
            parts.push("with signs of their own".to_owned());
        }
        parts.join(", ")
    }
}

/// Signs and parentheses around a number.
#[derive(Default)]
struct Signs {
    negative: bool,
    enclosed: bool,
    count: usize,
}

impl Signs {
    fn before<'a>(&mut self, text: &'a str) -> &'a str {
        if let Some(inner) = text.strip_prefix('(').and_then(|t| t.strip_suffix(')')) {
            self.negative = true;
            self.enclosed = true;
            self.count += 1;
            return inner.trim();
        }
        let minus = text.strip_prefix(['-', '\u{2212}']);
        if let Some(rest) = minus.or_else(|| text.strip_prefix('+')) {
            self.negative |= minus.is_some();
            self.count += 1;
            return rest.trim_start();
        }
        text
    }

    fn after<'a>(&mut self, text: &'a str) -> &'a str {
        match text.strip_suffix(['-', '\u{2212}']) {
            Some(rest) => {
                self.negative = true;
                self.count += 1;
                rest.trim_end()
            }
            None => text,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn format(decimal: Decimal, group: char, prefix: &str, suffix: &str) -> NumberFormat {
        NumberFormat {
            decimal,
            group,
            prefix: prefix.to_owned(),
            suffix: suffix.to_owned(),
        }
    }

    #[test]
    fn thousands() {
        let us = format(Decimal::Point, ',', "", "");
        for (text, value) in [
            ("1,234,567", 1_234_567.0),
            ("1,234.5", 1234.5),
            ("12,34,567.25", 1_234_567.25),
            ("999", 999.0),
            ("1234", 1234.0),
            ("-1,234", -1234.0),
            ("\u{2212}5", -5.0),
            ("(1,234)", -1234.0),
            ("1,234-", -1234.0),
            ("+7", 7.0),
            ("1e3", 1000.0),
            (".5", 0.5),
        ] {
            assert_eq!(us.parse(text), Some(value), "{text}");
        }
        for text in [
            "1,23",
            "0,123",
            "1,2345",
            ",123",
            "1,,234",
            "1,234,56",
            "12-345",
            "-(5)",
            "--5",
            "1 234",
            "",
            "-",
            "inf",
            "nan",
            "1.2.3",
            "555,12,34",
            "1,5",
            "5%",
            "$5",
            "1/2",
            "12:30",
        ] {
            assert_eq!(us.parse(text), None, "{text}");
        }
        let eu = format(Decimal::Comma, '.', "", "");
        assert_eq!(eu.parse("1.234.567,89"), Some(1_234_567.89));
        assert_eq!(eu.parse("1,5"), Some(1.5));
        assert_eq!(eu.parse("2.5"), None);
        let spaces = format(Decimal::Comma, ' ', "", "");
        assert_eq!(spaces.parse("12 345,5"), Some(12_345.5));
        assert_eq!(spaces.parse("12\u{202f}345"), Some(12_345.0));
        assert_eq!(spaces.parse("555 123 4567"), None);
        assert_eq!(spaces.parse("030 123 456"), None);
        let swiss = format(Decimal::Point, '\'', "", "");
        assert_eq!(swiss.parse("1'234.50"), Some(1234.5));
        assert_eq!(swiss.parse("1\u{2019}234"), Some(1234.0));
    }

    #[test]
    fn currencies_and_units() {
        let dollars = format(Decimal::Point, ',', "$", "");
        for (text, value) in [
            ("$43,165.30", 43_165.3),
            ("-$5", -5.0),
            ("$-5", -5.0),
            ("($5.00)", -5.0),
            ("$ 7", 7.0),
            ("7", 7.0),
        ] {
            assert_eq!(dollars.parse(text), Some(value), "{text}");
        }
        let percent = format(Decimal::Point, ',', "", "%");
        assert_eq!(percent.parse("5.8 %"), Some(5.8));
        assert_eq!(percent.parse("0"), Some(0.0));
        assert_eq!(percent.parse("5.8"), None);
        let weight = format(Decimal::Point, ',', "", "kg");
        assert_eq!(weight.parse("3.5kg"), Some(3.5));
        assert_eq!(weight.parse("3.5 lb"), None);
    }

    proptest::proptest! {
        #[test]
        fn arbitrary_texts_do_not_panic(text in "\\PC{0,70}|[-+($€0-9., '’%kg)]{0,70}") {
            for group in [',', '.', ' ', '\''] {
                for decimal in [Decimal::Point, Decimal::Comma] {
                    let _ = format(decimal, group, "$", "kg").parse(&text);
                    let _ = format(decimal, group, "", "%").parse(&text);
                }
            }
        }
    }
}
