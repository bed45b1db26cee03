//! Whatever a name is, it stays text.

use mercer_plot::page::{self, Column, Document, Section, Table, cell};
use mercer_plot::{Markup, element, markup};
use proptest::prelude::*;
use roxmltree::Document as Xml;

use crate::samples;

/// Elements that figures and pages are made of.
const KNOWN: [&str; 36] = [
    "svg", "title", "g", "rect", "circle", "line", "path", "text", "style", "html", "head", "meta",
    "body", "main", "footer", "header", "section", "h1", "h2", "p", "em", "strong", "small",
    "code", "pre", "ul", "li", "details", "summary", "div", "span", "i", "table", "thead", "tbody",
    "tr",
];

fn assert_known(xml: &Xml<'_>) {
    for node in xml.descendants().filter(roxmltree::Node::is_element) {
        let name = node.tag_name().name();
        assert!(
            KNOWN.contains(&name) || ["th", "td", "sup", "tspan"].contains(&name),
            "{name}"
        );
        for attribute in node.attributes() {
            assert!(!attribute.name().starts_with("on"), "{}", attribute.name());
        }
    }
}

/// The text as it is after the characters that XML cannot hold are gone.
fn held(text: &str) -> String {
    text.chars()
        .map(|c| match c {
            '\n' | '\t' | '\r' => c,
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => '\u{fffd}',
            c => c,
        })
        .collect()
}

/// Text with all that markup reserves, more often than chance would have it.
fn hostile() -> impl Strategy<Value = String> {
    let part = prop_oneof![
        3 => any::<char>().prop_map(String::from),
        1 => prop::sample::select(vec![
            "<", ">", "&", "\"", "'", "</text>", "<script>alert(1)</script>", "]]>", "<![CDATA[",
            "<!--", "-->", "&lt;", "&#0;", "\u{0}", "\u{ffff}", "\r\n", "\u{202e}", "e\u{301}",
            "</style>", "\" onload=\"x", "'", "{", "}", "`", "%", "url(x)",
        ])
        .prop_map(str::to_owned),
    ];
    prop::collection::vec(part, 0..12).prop_map(|parts| parts.concat())
}

fn page(text: &str) -> String {
    let mut table = Table::new([Column::names(text), Column::number(text).tip(text)])
        .class("plain")
        .scrolling();
    table.row([
        cell(text).tip(text),
        cell(page::number(text)).shaded(1, 0.4),
    ]);
    let body = markup![
        page::paragraph(text),
        page::code_block(text),
        page::list("notes", [page::prose(text), Markup::from(text)]),
        page::details(text, text),
        page::legend([(text, text.to_owned())]),
        page::figures([page::emphasis(text), page::strong(text), page::small(text)]),
        page::weighted(text, -0.5, text),
        element("p").attribute("title", text).class(text).text(text),
        table,
    ];
    Document::new(text, text)
        .top(page::heading(text, text, text))
        .section(Section::new("one", text).lead(text).body(body))
        .to_html()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn markup_holds_any_text(text in hostile()) {
        let made = Markup::from(element("p").attribute("title", &text).text(&text)).into_string();
        let inside = &made["<p title=\"".len()..made.len() - "</p>\n".len()];
        let (value, content) = inside.split_once("\">").expect("the end of the tag");
        for part in [value, content] {
            prop_assert!(!part.contains(['<', '>', '"', '\'']), "{made}");
            for reference in part.split('&').skip(1) {
                let name = reference.split(';').next().unwrap_or_default();
                prop_assert!(
                    ["amp", "lt", "gt", "quot", "#39", "#13", "#10", "#9"].contains(&name),
                    "{made}"
                );
            }
        }
        let xml = Xml::parse(made.trim_end()).expect("well formed");
        let root = xml.root_element();
        let held = held(&text);
        prop_assert_eq!(root.text().unwrap_or_default(), &held);
        prop_assert_eq!(root.attribute("title"), Some(held.as_str()));
    }

    #[test]
    fn figures_hold_any_text(text in hostile()) {
        for (name, figure) in samples::all(&|_| text.clone()) {
            for svg in [
                figure.to_svg(),
                figure.to_markup().into_string(),
                figure.to_svg_in(mercer_plot::Theme::Dark),
            ] {
                let xml = Xml::parse(svg.trim_end());
                prop_assert!(xml.is_ok(), "{name}: {:?}", xml.err());
                assert_known(&xml.expect("checked"));
            }
        }
    }

    #[test]
    fn pages_hold_any_text(text in hostile()) {
        let html = page(&text);
        let xml = html.strip_prefix("<!doctype html>\n").expect("a document");
        let xml = Xml::parse(xml.trim_end());
        prop_assert!(xml.is_ok(), "{:?}", xml.err());
        let xml = xml.expect("checked");
        assert_known(&xml);
        let held = held(&text);
        let title = xml.descendants().find(|n| n.has_tag_name("h1")).expect("a title");
        prop_assert_eq!(title.text().unwrap_or_default(), &held);
        // The only style sheet is the crate's own.
        let sheets: Vec<_> = xml.descendants().filter(|n| n.has_tag_name("style")).collect();
        prop_assert_eq!(sheets.len(), 1);
        prop_assert!(!sheets[0].text().unwrap_or_default().contains("alert"));
    }
}

#[test]
fn pages_need_nothing_from_elsewhere() {
    let html = page("a name");
    for word in ["http", "src=", "<script", "@import", "url(", "<link"] {
        assert!(!html.contains(word), "{word}");
    }
}
