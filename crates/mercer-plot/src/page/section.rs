//! Parts of a page with a title.

use crate::markup::{Markup, element};

/// A part of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    id: &'static str,
    title: Markup,
    lead: Markup,
    body: Markup,
}

impl Section {
    /// An empty section.
    pub fn new(id: &'static str, title: impl Into<Markup>) -> Self {
        Self {
            id,
            title: title.into(),
            lead: Markup::new(),
            body: Markup::new(),
        }
    }

    /// Sets what it says first.
    #[must_use]
    pub fn lead(mut self, lead: impl Into<Markup>) -> Self {
        self.lead = lead.into();
        self
    }

    /// Adds to what it shows.
    #[must_use]
    pub fn body(mut self, part: impl Into<Markup>) -> Self {
        self.body.push(part);
        self
    }

    /// Whether it shows nothing; a lead alone is nothing.
    pub fn is_empty(&self) -> bool {
        self.body.is_empty()
    }

    /// Its name within the page.
    pub fn id(&self) -> &'static str {
        self.id
    }

    pub(super) fn markup(&self) -> Markup {
        let lead =
            (!self.lead.is_empty()).then(|| element("p").class("lead").child(self.lead.clone()));
        element("section")
            .attribute("id", self.id)
            .child("\n")
            .child(element("h2").child(self.title.clone()))
            .child(lead)
            .child(self.body.clone())
            .into()
    }
}
