//! Words within a line.

use crate::axis::minus;
use crate::markup::{Element, Markup, element};
use crate::palette::{Base, Tone};
use crate::sheet;
use crate::text::count;

/// Something to type or to read as it is.
pub fn code(text: impl Into<Markup>) -> Element {
    element("code").child(text)
}

/// Something that stands out of its sentence.
pub fn emphasis(text: impl Into<Markup>) -> Element {
    element("em").child(text)
}

/// Something that is seen first.
pub fn strong(text: impl Into<Markup>) -> Element {
    element("strong").child(text)
}

/// A remark.
pub fn small(text: impl Into<Markup>) -> Element {
    element("small").child(text)
}

/// Words in the colour of a weight between −1 and 1; those below zero are underlined too.
pub fn weighted(text: &str, share: f64, tip: &str) -> Element {
    let share = if share.is_finite() { share } else { 0.0 };
    let over = if share < 0.0 { Base::Low } else { Base::High };
    // Two thirds of the colour at most: a text is not a drawing.
    let tone = Tone::mix(over, Base::Paper, 0.65 * share.abs().min(1.0));
    element("span")
        .class("weighted")
        .class(if share < 0.0 { "against" } else { "" })
        .style(&sheet::ground(tone))
        .tip(tip)
        .text(text)
}

/// Sets what stands between backticks as code.
///
/// ```
/// let text = mercer_plot::page::prose("use `a<b`");
/// assert_eq!(text.as_str(), "use <code>a&lt;b</code>");
/// ```
pub fn prose(text: &str) -> Markup {
    let parts: Vec<&str> = text.split('`').collect();
    if parts.len().is_multiple_of(2) {
        return text.into();
    }
    let set = |(k, part): (usize, &&str)| -> Markup {
        if k % 2 == 1 {
            code(*part).into()
        } else {
            (*part).into()
        }
    };
    parts.iter().enumerate().map(set).collect()
}

/// Typesets a number: powers of ten are raised, minus signs long, thousands grouped.
///
/// ```
/// assert_eq!(mercer_plot::page::number("1.2e-7").as_str(), "1.2×10<sup>−7</sup>");
/// ```
pub fn number(plain: &str) -> Markup {
    if let Some((mantissa, exponent)) = plain.split_once('e') {
        let mut set = Markup::from(format!("{}×10", minus(mantissa)));
        set.push(element("sup").text(&minus(exponent)));
        return set;
    }
    let digits = plain.trim_start_matches('-');
    if digits.len() > 4
        && digits.bytes().all(|b| b.is_ascii_digit())
        && let Ok(value) = digits.parse()
    {
        let sign = if plain.starts_with('-') { "−" } else { "" };
        return format!("{sign}{}", count(value)).into();
    }
    minus(plain).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_typeset() {
        assert_eq!(number("-2.50e-7").as_str(), "−2.50×10<sup>−7</sup>");
        assert_eq!(number("33.52").as_str(), "33.52");
        assert_eq!(number("-1734924").as_str(), "−1,734,924");
        assert_eq!(
            number("99999999999999999999999").as_str(),
            "99999999999999999999999"
        );
    }

    #[test]
    fn backticks_become_code() {
        assert_eq!(
            prose("`a<b` is `c`").as_str(),
            "<code>a&lt;b</code> is <code>c</code>"
        );
        assert_eq!(prose("a ` alone").as_str(), "a ` alone");
    }
}
