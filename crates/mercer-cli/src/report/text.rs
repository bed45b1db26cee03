//! Text and numbers as HTML.

/// Makes any text safe inside elements and attribute values.
pub(super) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            // Control characters are not allowed in HTML.
            c if c.is_control() && c != '\n' && c != '\t' => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

/// Escapes a text and sets what stands between backticks as code.
pub(super) fn prose(text: &str) -> String {
    let parts: Vec<&str> = text.split('`').collect();
    if parts.len().is_multiple_of(2) {
        return escape(text);
    }
    let set = |(k, part): (usize, &&str)| {
        if k % 2 == 1 {
            format!("<code>{}</code>", escape(part))
        } else {
            escape(part)
        }
    };
    parts.iter().enumerate().map(set).collect()
}

/// Cuts a name to a length that fits a chart; the whole name goes into its title.
pub(super) fn shorten(text: &str, length: usize) -> String {
    if text.chars().count() <= length {
        return text.to_owned();
    }
    let kept: String = text.chars().take(length.saturating_sub(1)).collect();
    format!("{}…", kept.trim_end())
}

/// Returns a number with four significant digits; powers of ten are typeset.
pub(super) fn figure(value: f64) -> String {
    let plain = crate::style::number(value);
    if let Some((mantissa, exponent)) = plain.split_once('e') {
        let exponent = exponent.replace('-', "−");
        return format!("{}×10<sup>{exponent}</sup>", minus(mantissa));
    }
    let digits = plain.trim_start_matches('-');
    if digits.len() > 4 && digits.bytes().all(|b| b.is_ascii_digit()) {
        let sign = if plain.starts_with('-') { "−" } else { "" };
        return format!(
            "{sign}{}",
            crate::style::count(digits.parse().unwrap_or(u64::MAX))
        );
    }
    minus(&plain)
}

/// Returns a number for chart axes: short, without needless digits.
pub(super) fn tick(value: f64, step: f64) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    if value.abs() >= 1e6 || step < 1e-5 {
        let text = format!("{value:.1e}");
        return minus(&text.replace(".0e", "e"));
    }
    let decimals = (-step.log10().floor()).clamp(0.0, 6.0) as usize;
    minus(&format!("{value:.decimals$}"))
}

/// Returns a share in per cent.
pub(super) fn percent(share: f64) -> String {
    let hundredths = share * 100.0;
    if hundredths > 0.0 && hundredths < 1.0 || hundredths > 99.0 && hundredths < 100.0 {
        format!("{hundredths:.1}\u{a0}%")
    } else {
        format!("{hundredths:.0}\u{a0}%")
    }
}

/// Returns a sum of weights without decimals where it is whole.
pub(super) fn amount(value: f64) -> String {
    if value.fract() == 0.0 && value < 1e15 {
        crate::style::count(value as u64)
    } else {
        format!("{value:.2}")
    }
}

fn minus(text: &str) -> String {
    text.replace('-', "−")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_is_taken_apart() {
        assert_eq!(
            escape("<b a='1'>&\"\u{0}"),
            "&lt;b a=&#39;1&#39;&gt;&amp;&quot;\u{fffd}"
        );
    }

    #[test]
    fn numbers_are_typeset() {
        assert_eq!(figure(-2.5e-7), "−2.50×10<sup>−7</sup>");
        assert_eq!(figure(33.523_91), "33.52");
        assert_eq!(
            [tick(0.25, 0.05), tick(-10.0, 5.0), tick(0.0, 1.0)],
            ["0.25", "−10", "0"]
        );
        assert_eq!(
            [percent(0.5), percent(0.004), percent(1.0)],
            ["50\u{a0}%", "0.4\u{a0}%", "100\u{a0}%"]
        );
        assert_eq!([amount(1234.0), amount(1.5)], ["1,234", "1.50"]);
    }

    #[test]
    fn backticks_become_code() {
        assert_eq!(
            prose("`a<b` is `c`"),
            "<code>a&lt;b</code> is <code>c</code>"
        );
        assert_eq!(prose("a ` alone"), "a ` alone");
        assert_eq!(figure(1_734_924.0), "1,734,924");
    }

    #[test]
    fn long_names_are_cut() {
        assert_eq!(shorten("abcdef", 4), "abc…");
        assert_eq!(shorten("äöü", 3), "äöü");
    }
}
