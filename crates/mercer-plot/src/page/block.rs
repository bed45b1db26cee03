//! Paragraphs, lists and the like.

use super::inline::{code, small};
use crate::markup::{Element, Markup, element};
use crate::palette::SERIES;
use crate::text::shorten;

/// A paragraph.
pub fn paragraph(text: impl Into<Markup>) -> Element {
    element("p").child(text)
}

/// Lines to type or to read as they are.
pub fn code_block(text: &str) -> Markup {
    element("pre").child(code(text)).into()
}

/// A list of this class; nothing where there are no items.
pub fn list<M: Into<Markup>>(class: &str, items: impl IntoIterator<Item = M>) -> Markup {
    let items: Markup = items
        .into_iter()
        .map(|item| element("li").child(item))
        .collect();
    if items.is_empty() {
        return items;
    }
    element("ul").class(class).child("\n").child(items).into()
}

/// Something that is folded away under a line.
pub fn details(summary: impl Into<Markup>, body: impl Into<Markup>) -> Markup {
    element("details")
        .child(element("summary").child(summary))
        .child(body)
        .into()
}

/// Two things side by side where there is room.
pub fn figures<M: Into<Markup>>(parts: impl IntoIterator<Item = M>) -> Markup {
    let parts = parts.into_iter().map(|part| element("div").child(part));
    element("div").class("pair").children(parts).into()
}

/// Names of series beside their colours, each with a remark.
pub fn legend<'a>(entries: impl IntoIterator<Item = (&'a str, String)>) -> Markup {
    const NAMES: [&str; SERIES] = ["c0", "c1", "c2", "c3", "c4", "c5"];
    let entries = entries.into_iter().enumerate().map(|(k, (name, remark))| {
        element("span")
            .tip(name)
            .child(element("i").class("swatch").class(NAMES[k % SERIES]))
            .text(&shorten(name, 28))
            .text(" ")
            .child(small(remark))
    });
    element("p").class("legend").children(entries).into()
}
