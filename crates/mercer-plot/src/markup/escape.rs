//! The one place where text becomes part of markup.

/// Where a text goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// Between two tags.
    Content,
    /// Between the quotes of an attribute.
    Attribute,
}

/// Appends a text so that any parser of XML or HTML reads it as this text.
///
/// Characters that neither allows, even as references, become U+FFFD.
pub(super) fn escape(text: &str, place: Place, out: &mut String) {
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            // Parsers replace bare ones: line ends everywhere, all three in attributes.
            '\r' => out.push_str("&#13;"),
            '\n' if place == Place::Attribute => out.push_str("&#10;"),
            '\t' if place == Place::Attribute => out.push_str("&#9;"),
            '\n' | '\t' => out.push(c),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn escaped(text: &str, place: Place) -> String {
        let mut out = String::new();
        escape(text, place, &mut out);
        out
    }

    #[test]
    fn markup_is_taken_apart() {
        assert_eq!(
            escaped("<b a='1'>&\"\u{0}\u{ffff}\u{85}", Place::Content),
            "&lt;b a=&#39;1&#39;&gt;&amp;&quot;\u{fffd}\u{fffd}\u{fffd}"
        );
    }

    #[test]
    fn line_ends_survive_parsers() {
        assert_eq!(escaped("a\r\n\tb", Place::Content), "a&#13;\n\tb");
        assert_eq!(escaped("a\r\n\tb", Place::Attribute), "a&#13;&#10;&#9;b");
    }
}
