//! Whole pages.

use super::section::Section;
use crate::markup::{Markup, element, html_document, style_sheet};
use crate::sheet;

/// Everything that is not about one kind of page.
const STYLE: &str = include_str!("page.css");

/// A page under construction.
#[derive(Debug, Clone)]
pub struct Document {
    title: String,
    footer: String,
    style: &'static str,
    top: Markup,
    sections: Vec<Section>,
}

impl Document {
    /// An empty page; the title is that of the window.
    pub fn new(title: impl Into<String>, footer: impl Into<String>) -> Self {
        Self {
            title: title.into(),
            footer: footer.into(),
            style: "",
            top: Markup::new(),
            sections: Vec::new(),
        }
    }

    /// Adds rules to the style sheet. They are part of the program, never of data.
    #[must_use]
    pub fn style(mut self, rules: &'static str) -> Self {
        self.style = rules;
        self
    }

    /// Adds what stands before the first section.
    #[must_use]
    pub fn top(mut self, part: impl Into<Markup>) -> Self {
        self.top.push(part);
        self
    }

    /// Adds a section; an empty one leaves no trace.
    #[must_use]
    pub fn section(mut self, section: impl Into<Option<Section>>) -> Self {
        self.sections
            .extend(section.into().filter(|section| !section.is_empty()));
        self
    }

    /// Whether there is a section of this name.
    pub fn has(&self, id: &str) -> bool {
        self.sections.iter().any(|section| section.id() == id)
    }

    /// Writes the page.
    pub fn to_html(&self) -> String {
        let meta = |name: &'static str, content: &'static str| {
            element("meta")
                .attribute("name", name)
                .attribute("content", content)
        };
        let head = element("head")
            .child("\n")
            .child(element("meta").attribute("charset", "utf-8"))
            .child(meta("viewport", "width=device-width, initial-scale=1"))
            .child(meta("color-scheme", "light dark"))
            .child(element("title").text(&self.title))
            .child("\n")
            .child(style_sheet(&["\n", &sheet::whole(), STYLE, self.style]));
        let main = element("main")
            .child("\n")
            .child(self.top.clone())
            .children(self.sections.iter().map(Section::markup));
        let body = element("body")
            .child("\n")
            .child(main)
            .child(element("footer").text(&self.footer));
        html_document(head.into(), body.into())
    }
}

/// Returns the head of a page: a small line, the title, and what it is about.
pub fn heading(eyebrow: &str, title: &str, what: impl Into<Markup>) -> Markup {
    element("header")
        .child("\n")
        .child(element("p").class("eyebrow").text(eyebrow))
        .child(element("h1").text(title))
        .child(element("p").class("what").child(what))
        .into()
}
