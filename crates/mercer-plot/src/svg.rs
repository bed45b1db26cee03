//! The one writer of SVG.

use std::collections::BTreeSet;

use crate::drawing::{Anchor, Drawing, Item, Kind, Paint, Shape, Words};
use crate::markup::{Element, Markup, coordinate, element, style_sheet};
use crate::palette::{Base, Theme, Tone};
use crate::sheet;

/// Where colours come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Look {
    /// From the style sheet of the page around the drawing.
    Page,
    /// From a style sheet inside, by what the reader's screen prefers; viewers that read no style
    /// sheets see the light theme.
    Adaptive,
    /// From attributes.
    Fixed(Theme),
}

/// Fonts of figures that stand alone.
const FONTS: &str = "system-ui, sans-serif";

/// Writes a drawing into a page.
pub(crate) fn embedded(drawing: &Drawing) -> Markup {
    let mut pen = Pen::new(Look::Page);
    let body = pen.items(&drawing.items);
    let class = match drawing.kind {
        Kind::Figure => "plot",
        Kind::Strip => "strip",
        Kind::Stretched => "strip wide",
        Kind::Sign => "sign",
    };
    let mut root = frame(drawing).class(class);
    if drawing.kind == Kind::Figure {
        // A page makes figures smaller, never larger.
        root = root.style(&format!("max-width:{}px", coordinate(drawing.width.ceil())));
    }
    if drawing.kind == Kind::Stretched {
        root = root.attribute("preserveAspectRatio", "none");
    }
    described(root, drawing).child(body).into()
}

/// Writes a drawing with its title above it, for a file or for a page that knows nothing of it.
pub(crate) fn stand_alone(drawing: &Drawing, look: Look) -> Markup {
    let whole = match drawing.kind {
        Kind::Figure => drawing.headed(),
        Kind::Strip | Kind::Stretched | Kind::Sign => drawing.clone(),
    };
    let mut pen = Pen::new(look);
    let ground = pen.painted(element("rect"), &Paint::fill(Base::Card));
    let ground = ground
        .attribute("width", "100%")
        .attribute("height", "100%");
    let body = pen.items(&whole.items);
    let mut root = frame(&whole)
        .attribute("xmlns", "http://www.w3.org/2000/svg")
        .number("width", whole.width.ceil())
        .number("height", whole.height.ceil())
        .attribute("font-family", FONTS);
    if look == Look::Adaptive {
        root = root
            .class(sheet::SCOPE)
            .child(style_sheet(&[&sheet::scoped(&pen.used)]));
    }
    described(root, drawing).child(ground).child(body).into()
}

fn frame(drawing: &Drawing) -> Element {
    let (width, height) = (drawing.width.ceil(), drawing.height.ceil());
    element("svg").attribute(
        "viewBox",
        format_args!("0 0 {} {}", coordinate(width), coordinate(height)),
    )
}

/// Says what a figure shows to readers that cannot see it; strips and signs stand beside words.
fn described(root: Element, drawing: &Drawing) -> Element {
    if drawing.kind == Kind::Figure && !drawing.title.is_empty() {
        root.attribute("role", "img")
            .attribute("aria-label", &drawing.title)
            .child(element("title").text(&drawing.title))
    } else {
        root.attribute("aria-hidden", "true")
    }
}

/// Writes shapes and remembers which colours they need.
struct Pen {
    look: Look,
    used: BTreeSet<Base>,
}

impl Pen {
    fn new(look: Look) -> Self {
        Self {
            look,
            used: BTreeSet::new(),
        }
    }

    fn items(&mut self, items: &[Item]) -> Markup {
        items.iter().map(|item| self.item(item)).collect()
    }

    fn item(&mut self, item: &Item) -> Markup {
        let made = match item {
            Item::Painted { shape, paint, tip } => {
                let drawn = self.painted(outline(shape), paint);
                match tip {
                    Some(tip) => drawn.child(element("title").text(tip)),
                    None => drawn,
                }
            }
            Item::Alike { shapes, paint } => self
                .painted(element("g"), paint)
                .children(shapes.iter().map(outline)),
            Item::Words(words) => self.words(words),
            Item::Moved { by: [x, y], items } => {
                let place = format!("translate({} {})", coordinate(*x), coordinate(*y));
                element("g")
                    .attribute("transform", place)
                    .child(self.items(items))
            }
            Item::Group { tip, items } => element("g")
                .child(element("title").text(tip))
                .child(self.items(items)),
        };
        made.into()
    }

    fn painted(&mut self, element: Element, paint: &Paint) -> Element {
        let mut element = if let Some(tone) = paint.fill {
            self.coloured(element, "fill", tone, paint.stroke)
        } else {
            let element = element.attribute("fill", "none");
            match paint.stroke {
                Some(tone) => self.coloured(element, "stroke", tone, None),
                None => element,
            }
        };
        if paint.stroke.is_some() {
            element = element.number("stroke-width", paint.stroke_width);
            element = match paint.dash.pattern() {
                Some(pattern) => element.attribute("stroke-dasharray", pattern),
                // Lines that meet have no notch; between dashes, round ends would fill the gaps.
                None => element.attribute("stroke-linecap", "round"),
            };
            element = element.attribute("stroke-linejoin", "round");
        }
        if paint.fill.is_some() && paint.fill_opacity < 1.0 {
            element = element.number("fill-opacity", paint.fill_opacity);
        }
        if paint.opacity < 1.0 {
            element = element.number("opacity", paint.opacity);
        }
        element
    }

    /// Gives an element the colour of one property, and of the stroke where there are both.
    fn coloured(
        &mut self,
        mut element: Element,
        property: &'static str,
        tone: Tone,
        stroke: Option<Tone>,
    ) -> Element {
        let pairs = std::iter::once((property, tone)).chain(stroke.map(|s| ("stroke", s)));
        for (property, tone) in pairs {
            self.used.extend(tone.bases());
            match self.look {
                Look::Fixed(theme) => {
                    element = element.attribute(property, tone.colour(theme));
                    continue;
                }
                Look::Adaptive => element = element.attribute(property, tone.colour(Theme::Light)),
                Look::Page => {}
            }
            element = match tone {
                Tone::Plain(base) => element.class(&sheet::class(property, base)),
                Tone::Mix { .. } => element.style(&format!("{property}:{}", sheet::value(tone))),
            };
        }
        element
    }

    fn words(&mut self, words: &Words) -> Element {
        let [x, y] = words.at;
        let mut text = element("text");
        text = if words.upwards {
            let (x, y) = (coordinate(x), coordinate(y));
            text.attribute("transform", format_args!("translate({x} {y}) rotate(-90)"))
        } else {
            text.number("x", x).number("y", y)
        };
        text = text.number("font-size", words.size);
        text = self.coloured(text, "fill", words.tone, None);
        match words.anchor {
            Anchor::Start => {}
            Anchor::Middle => text = text.attribute("text-anchor", "middle"),
            Anchor::End => text = text.attribute("text-anchor", "end"),
        }
        if words.bold {
            text = text.attribute("font-weight", "bold");
        }
        if words.opacity < 1.0 {
            text = text.number("opacity", words.opacity);
        }
        if let Some(tip) = &words.tip {
            text = text.child(element("title").text(tip));
        }
        let text = text.text(&words.text);
        if words.remark.is_empty() {
            return text;
        }
        let remark = element("tspan")
            .number("dx", 5.0)
            .number("font-size", 0.92 * words.size);
        let remark = self.coloured(remark, "fill", Base::Soft.into(), None);
        text.child(remark.text(&words.remark))
    }
}

fn outline(shape: &Shape) -> Element {
    match shape {
        Shape::Rectangle {
            x,
            y,
            width,
            height,
            round,
        } => {
            let made = element("rect")
                .number("x", *x)
                .number("y", *y)
                .number("width", width.max(0.0))
                .number("height", height.max(0.0));
            if *round > 0.0 {
                made.number("rx", *round)
            } else {
                made
            }
        }
        Shape::Circle { x, y, radius } => element("circle")
            .number("cx", *x)
            .number("cy", *y)
            .number("r", radius.max(0.0)),
        Shape::Line { from, to } => element("line")
            .number("x1", from[0])
            .number("y1", from[1])
            .number("x2", to[0])
            .number("y2", to[1]),
        Shape::Path(path) => element("path").attribute("d", path.data()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drawing::Dash;

    fn drawing() -> Drawing {
        let mut drawing = Drawing::new(100.0, 40.0, "a <title>");
        let disc = Shape::Circle {
            x: 10.0,
            y: 10.0,
            radius: 4.0,
        };
        let mixed = Tone::mix(Base::series(0), Base::Back, 0.25);
        drawing.paint_told(
            disc.clone(),
            Paint::fill(mixed).outlined(Base::Ink, 1.0),
            "\"tip\"",
        );
        drawing.alike(
            vec![disc.clone(), disc],
            Paint::stroke(Base::Soft, 2.0).dashed(Dash::Rule),
        );
        drawing.words(Words::new("a & b", [0.0, 10.0], 12.0, Base::Ink).end());
        drawing
    }

    #[test]
    fn pages_give_the_colours() {
        let made = embedded(&drawing()).into_string();
        assert!(made.starts_with(
            "<svg viewBox=\"0 0 100 40\" role=\"img\" aria-label=\"a &lt;title&gt;\" \
             style=\"max-width:100px\" class=\"plot\"><title>a &lt;title&gt;</title>"
        ));
        assert!(made.contains("style=\"fill:color-mix(in srgb,var(--c0) 25%,var(--back))\""));
        assert!(made.contains("class=\"s-ink\"") && made.contains(">a &amp; b</text>"));
        assert!(!made.contains('#') && !made.contains("http") && !made.contains("<style"));
        assert_eq!(made.matches("<circle").count(), 3);
    }

    #[test]
    fn files_bring_theirs() {
        let made = stand_alone(&drawing(), Look::Adaptive).into_string();
        assert!(made.contains("xmlns=") && made.contains("prefers-color-scheme: dark"));
        // The light colour stands in the attribute as well.
        let light = Tone::mix(Base::series(0), Base::Back, 0.25).colour(Theme::Light);
        assert!(made.contains(&format!("fill=\"{light}\"")));
        // Colours that are not used are not defined.
        assert!(made.contains("--soft:") && !made.contains("--good:"));
        for theme in [Theme::Light, Theme::Dark] {
            let fixed = stand_alone(&drawing(), Look::Fixed(theme)).into_string();
            assert!(!fixed.contains("<style") && !fixed.contains("class="));
            let ground = Base::Card.colour(theme).to_string();
            assert!(fixed.contains(&ground), "{fixed}");
        }
    }
}
