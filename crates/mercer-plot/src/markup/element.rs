//! Elements with their attributes.

use std::fmt::{Display, Write as _};

use super::Markup;
use super::escape::{Place, escape};
use super::number::coordinate;

/// An element under construction; it closes when it becomes [`Markup`].
#[derive(Debug, Clone)]
pub struct Element {
    name: &'static str,
    /// The opening tag without its end.
    open: String,
    classes: String,
    declarations: String,
    body: Markup,
}

/// Elements that have no content in HTML or never have any in these figures. All others are
/// closed by a tag of their own: parsers of HTML do not know `<i/>`.
const EMPTY: [&str; 8] = [
    "br", "circle", "line", "meta", "path", "polygon", "rect", "stop",
];

/// Elements that end a line of the file, so that pages can be read and compared.
const LINES: [&str; 19] = [
    "body", "details", "div", "dl", "footer", "h1", "h2", "head", "header", "li", "main", "meta",
    "p", "pre", "section", "style", "table", "tr", "ul",
];

/// Starts an element. Its name is part of the program, never of data.
pub fn element(name: &'static str) -> Element {
    // What these hold is not text to a browser; `page` writes the style sheet itself.
    debug_assert!(!matches!(name, "script" | "style" | "iframe"), "{name}");
    Element::named(name)
}

impl Element {
    pub(super) fn named(name: &'static str) -> Self {
        debug_assert!(is_name(name), "{name}");
        Self {
            name,
            open: format!("<{name}"),
            classes: String::new(),
            declarations: String::new(),
            body: Markup::new(),
        }
    }

    /// Adds an attribute; its value is any text.
    ///
    /// Scripts and style declarations are not values for texts; colours come from this crate.
    #[must_use]
    pub fn attribute(mut self, name: &'static str, value: impl Display) -> Self {
        debug_assert!(is_name(name) && !name.starts_with("on") && name != "style");
        self.write(name, &value.to_string());
        self
    }

    /// Adds an attribute with a coordinate or a length, in few digits.
    #[must_use]
    pub fn number(mut self, name: &'static str, value: f64) -> Self {
        let _ = write!(self.open, " {name}=\"{}\"", coordinate(value));
        self
    }

    /// Adds classes, separated by spaces.
    #[must_use]
    pub fn class(mut self, names: &str) -> Self {
        if !names.is_empty() {
            if !self.classes.is_empty() {
                self.classes.push(' ');
            }
            self.classes.push_str(names);
        }
        self
    }

    /// Adds what a pointer reads.
    #[must_use]
    pub fn tip(self, text: &str) -> Self {
        self.attribute("title", text)
    }

    /// Adds text or markup to the content.
    #[must_use]
    pub fn child(mut self, part: impl Into<Markup>) -> Self {
        self.body.push(part);
        self
    }

    /// Adds several pieces to the content.
    #[must_use]
    pub fn children<M: Into<Markup>>(mut self, parts: impl IntoIterator<Item = M>) -> Self {
        for part in parts {
            self.body.push(part);
        }
        self
    }

    /// Adds text to the content.
    #[must_use]
    pub fn text(self, text: &str) -> Self {
        self.child(text)
    }

    /// Adds declarations that this crate has made up.
    pub(crate) fn style(mut self, declarations: &str) -> Self {
        if !self.declarations.is_empty() {
            self.declarations.push(';');
        }
        self.declarations.push_str(declarations);
        self
    }

    fn write(&mut self, name: &str, value: &str) {
        let _ = write!(self.open, " {name}=\"");
        escape(value, Place::Attribute, &mut self.open);
        self.open.push('"');
    }

    pub(super) fn close(mut self) -> Markup {
        for (name, value) in [
            ("style", std::mem::take(&mut self.declarations)),
            ("class", std::mem::take(&mut self.classes)),
        ] {
            if !value.is_empty() {
                self.write(name, &value);
            }
        }
        let mut out = self.open;
        if self.body.is_empty() && EMPTY.contains(&self.name) {
            out.push_str("/>");
        } else {
            let _ = write!(out, ">{}</{}>", self.body, self.name);
        }
        if LINES.contains(&self.name) {
            out.push('\n');
        }
        Markup::written(out)
    }
}

/// Whether a name can stand for an element or an attribute.
fn is_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::markup;

    #[test]
    fn elements_close() {
        let made: Markup = element("p")
            .class("lead")
            .tip("a \"b\"\n<c>")
            .text("1 < 2 ")
            .child(element("i").class("swatch").class("c0"))
            .child(element("br"))
            .into();
        assert_eq!(
            made.as_str(),
            "<p title=\"a &quot;b&quot;&#10;&lt;c&gt;\" class=\"lead\">1 &lt; 2 \
             <i class=\"swatch c0\"></i><br/></p>\n"
        );
    }

    #[test]
    fn markup_is_not_escaped_twice_and_text_is_once() {
        let inner = markup!["a & b", element("b").text("<")];
        assert_eq!(
            markup![inner.clone(), inner.as_str()].as_str(),
            "a &amp; b<b>&lt;</b>a &amp;amp; b&lt;b&gt;&amp;lt;&lt;/b&gt;"
        );
    }

    #[test]
    fn numbers_are_short_and_finite() {
        let made: Markup = element("circle")
            .number("cx", 1.0)
            .number("cy", -0.004)
            .number("r", f64::NAN)
            .into();
        assert_eq!(made.as_str(), "<circle cx=\"1\" cy=\"0\" r=\"0\"/>");
    }
}
