//! The style sheet that gives tones their colours.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use crate::markup::coordinate;
use crate::palette::{Base, SERIES, Theme, Tone};

/// The class of figures that bring their own style sheet. Its rules hold inside them only, for
/// such a figure may stand in somebody else's page.
pub(crate) const SCOPE: &str = "mercer-figure";

/// The class that gives `fill` or `stroke` a colour.
pub(crate) fn class(property: &str, base: Base) -> String {
    let letter = &property[..1];
    format!("{letter}-{}", base.name())
}

/// A tone as a value of a style sheet.
pub(crate) fn value(tone: Tone) -> String {
    match tone {
        Tone::Plain(base) => format!("var(--{})", base.name()),
        Tone::Mix { over, under, share } => format!(
            "color-mix(in srgb,var(--{}) {}%,var(--{}))",
            over.name(),
            coordinate(100.0 * share),
            under.name()
        ),
    }
}

/// Declarations for letters on a coloured ground.
pub(crate) fn ground(tone: Tone) -> String {
    format!(
        "background:{};color:{}",
        value(tone),
        value(tone.letters().into())
    )
}

/// Declarations of the variables of a theme.
fn variables(bases: &BTreeSet<Base>, theme: Theme) -> String {
    let mut text = String::new();
    for base in bases {
        let _ = write!(text, "--{}:{};", base.name(), base.colour(theme));
    }
    text
}

/// One rule for each class.
fn classes(bases: &BTreeSet<Base>, within: &str) -> String {
    let mut text = String::new();
    for base in bases {
        for property in ["fill", "stroke"] {
            let class = class(property, *base);
            let _ = writeln!(
                text,
                "{within}.{class}{{{property}:var(--{})}}",
                base.name()
            );
        }
    }
    text
}

/// The style sheet of a figure that stands alone, with the colours it uses.
pub(crate) fn scoped(bases: &BTreeSet<Base>) -> String {
    format!(
        "\n.{SCOPE}{{{}}}\n@media (prefers-color-scheme: dark){{.{SCOPE}{{{}}}}}\n{}",
        variables(bases, Theme::Light),
        variables(bases, Theme::Dark),
        classes(bases, &format!(".{SCOPE} ")),
    )
}

/// The style sheet of a page: all colours, light on paper too.
pub(crate) fn whole() -> String {
    let all: BTreeSet<Base> = Base::all().into_iter().collect();
    let light = variables(&all, Theme::Light);
    let mut hues = String::new();
    for name in (0..SERIES).map(|k| Base::series(k).name()) {
        let _ = writeln!(hues, ".{name}{{--hue:var(--{name})}}");
    }
    format!(
        ":root{{color-scheme:light dark;{light}}}\n\
         @media (prefers-color-scheme: dark){{:root{{{}}}}}\n\
         @media print{{:root{{{light}--paper:#fff}}}}\n{hues}{}",
        variables(&all, Theme::Dark),
        classes(&all, ""),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_class_has_a_variable() {
        let sheet = whole();
        for base in Base::all() {
            let name = base.name();
            assert_eq!(
                sheet.matches(&format!("--{name}:#")).count(),
                3 + usize::from(name == "paper"),
                "{name}"
            );
            assert!(sheet.contains(&format!(".f-{name}{{fill:var(--{name})}}")));
        }
        let few = scoped(&BTreeSet::from([Base::Ink]));
        assert!(few.contains("--ink:#21252b;") && !few.contains("--soft"));
        assert!(!few.contains(['<', '&']));
    }
}
