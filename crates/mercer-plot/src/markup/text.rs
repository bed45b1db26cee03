//! Markup that is known to be well formed.

use super::element::Element;
use super::escape::{Place, escape};

/// A piece of a document in which every element is closed and every text is escaped.
///
/// There are two ways to one: text, which is escaped, and an [`Element`]. So a name from a file
/// can never be read as a tag, whoever puts it where.
///
/// ```
/// use mercer_plot::{element, markup};
///
/// let name = "<script>";
/// let line = markup!["the class ", element("em").text(name), " & others"];
/// assert_eq!(line.as_str(), "the class <em>&lt;script&gt;</em> &amp; others");
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Markup(String);

impl Markup {
    /// Returns an empty piece.
    pub const fn new() -> Self {
        Self(String::new())
    }

    /// Appends text or markup.
    pub fn push(&mut self, part: impl Into<Self>) {
        let part = part.into();
        if self.0.is_empty() {
            self.0 = part.0;
        } else {
            self.0.push_str(&part.0);
        }
    }

    /// Whether there is nothing in it.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns what is written to a file.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns what is written to a file, without copying it.
    pub fn into_string(self) -> String {
        self.0
    }

    /// Joins pieces with a text between them.
    pub fn join<M: Into<Self>>(parts: impl IntoIterator<Item = M>, between: &str) -> Self {
        let mut whole = Self::new();
        for (k, part) in parts.into_iter().enumerate() {
            if k > 0 {
                whole.push(between);
            }
            whole.push(part);
        }
        whole
    }

    /// Wraps what this module has written itself.
    pub(super) fn written(text: String) -> Self {
        Self(text)
    }
}

impl From<&str> for Markup {
    fn from(text: &str) -> Self {
        let mut out = String::with_capacity(text.len());
        escape(text, Place::Content, &mut out);
        Self(out)
    }
}

impl From<String> for Markup {
    fn from(text: String) -> Self {
        Self::from(text.as_str())
    }
}

impl From<&String> for Markup {
    fn from(text: &String) -> Self {
        Self::from(text.as_str())
    }
}

impl From<Element> for Markup {
    fn from(element: Element) -> Self {
        element.close()
    }
}

impl<M: Into<Markup>> From<Option<M>> for Markup {
    fn from(part: Option<M>) -> Self {
        part.map_or_else(Self::new, Into::into)
    }
}

impl<M: Into<Markup>> FromIterator<M> for Markup {
    fn from_iter<I: IntoIterator<Item = M>>(parts: I) -> Self {
        let mut whole = Self::new();
        for part in parts {
            whole.push(part);
        }
        whole
    }
}

impl std::fmt::Display for Markup {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

/// Puts texts and pieces of markup one after the other.
#[macro_export]
macro_rules! markup {
    ($($part:expr),* $(,)?) => {{
        #[allow(unused_mut, reason = "nothing is pushed where there are no parts")]
        let mut whole = $crate::Markup::new();
        $(whole.push($part);)*
        whole
    }};
}
