//! Style sheets, which are part of the program.

use super::element::Element;
use super::{Markup, element::element};

/// Returns a style element. Its text is raw to a browser, so only this crate and constants of
/// the program write one, and none of them has a character that markup reserves.
pub(crate) fn style_sheet(parts: &[&str]) -> Markup {
    let text = parts.concat();
    debug_assert!(!text.contains(['<', '&']), "a style sheet is no markup");
    let safe: String = text.chars().filter(|c| !matches!(c, '<' | '&')).collect();
    let mut sheet = Element::named("style");
    sheet = sheet.child(Markup::written(safe));
    sheet.into()
}

/// Returns a whole HTML document from its root.
pub(crate) fn html_document(head: Markup, body: Markup) -> String {
    let root = element("html")
        .attribute("lang", "en")
        .child("\n")
        .child(head)
        .child(body);
    format!("<!doctype html>\n{}\n", Markup::from(root))
}
