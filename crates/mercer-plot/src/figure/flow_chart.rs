//! Boxes and round nodes in levels, and arrows between them.

use super::Figure;
use super::flow_layout::{Layout, Placed};
use crate::drawing::{Drawing, Item, Paint, Path, Shape, Words};
use crate::measure;
use crate::palette::{Base, Tone};

/// Steps or quantities, and what leads from one to another.
///
/// ```
/// use mercer_plot::{Figure, FlowChart, FlowLink, FlowNode};
///
/// let figure = FlowChart {
///     title: "From rows to a model".to_owned(),
///     nodes: vec![FlowNode::new(0, "rows"), FlowNode::new(1, "model")],
///     links: vec![FlowLink::new(0, 1).label("fit")],
///     ..FlowChart::default()
/// };
/// assert!(figure.to_svg().contains("From rows to a model"));
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct FlowChart {
    /// What it shows.
    pub title: String,
    /// How to read it; stands below the title.
    pub note: String,
    /// Which way it runs.
    pub flow: Flow,
    /// Names of the levels from the first on; one with a name has a band behind it.
    pub levels: Vec<String>,
    /// The nodes; those of one level stand in this order.
    pub nodes: Vec<FlowNode>,
    /// The arrows; those whose ends are not there are left out.
    pub links: Vec<FlowLink>,
}

/// Which way a chart runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Flow {
    /// From left to right: a level is a column.
    #[default]
    Right,
    /// From above: a level is a row.
    Down,
}

/// A step or a quantity.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FlowNode {
    /// Its level, from 0 on.
    pub level: usize,
    /// What it is.
    pub text: String,
    /// What is said of it, a paragraph each.
    pub details: Vec<String>,
    /// What is drawn around it.
    pub outline: Outline,
    /// The series whose colour it has; `None` for no colour.
    pub series: Option<usize>,
}

/// What is drawn around a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Outline {
    /// A box.
    #[default]
    Box,
    /// A circle, for a sign or two.
    Circle,
    /// Nothing.
    None,
}

/// An arrow. It runs straight where no other node is in its way and it does not lead back. Others go around the
/// side, below a column and to the right of a row, and pass behind what stands there in their level.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FlowLink {
    /// The node it comes from, by its place in the list.
    pub from: usize,
    /// The node it leads to.
    pub to: usize,
    /// What stands at it.
    pub label: String,
}

impl FlowNode {
    /// A box with words.
    pub fn new(level: usize, text: impl Into<String>) -> Self {
        Self {
            level,
            text: text.into(),
            ..Self::default()
        }
    }

    /// Adds what is said of it.
    #[must_use]
    pub fn detail(mut self, detail: impl Into<String>) -> Self {
        self.details.push(detail.into());
        self
    }

    /// Sets what is drawn around it.
    #[must_use]
    pub fn outline(mut self, outline: Outline) -> Self {
        self.outline = outline;
        self
    }

    /// Gives it the colour of a series.
    #[must_use]
    pub fn series(mut self, series: usize) -> Self {
        self.series = Some(series);
        self
    }
}

impl FlowLink {
    /// An arrow between two nodes, by their places in the list.
    pub fn new(from: usize, to: usize) -> Self {
        Self {
            from,
            to,
            label: String::new(),
        }
    }

    /// Sets what stands at it.
    #[must_use]
    pub fn label(mut self, label: impl Into<String>) -> Self {
        self.label = label.into();
        self
    }
}

pub(super) const TEXT: f64 = 13.0;
pub(super) const DETAIL: f64 = 11.5;
pub(super) const LABEL: f64 = 11.5;
pub(super) const NAME: f64 = 11.5;
/// From one base line to the next, by the size of the letters.
pub(super) const LINE: f64 = 1.35;
const HEAD: [f64; 2] = [8.0, 3.8];
/// Share of a colour behind words.
const TINT: f64 = 0.13;

impl Figure for FlowChart {
    fn drawing(&self) -> Drawing {
        let layout = Layout::of(self);
        let [width, height] = layout.size;
        let mut drawing = Drawing::new(width.max(240.0), height, &self.title).noted(&self.note);
        // A narrow chart stands in the middle.
        let mut inner = Drawing::new(width, height, "");
        for band in &layout.bands {
            let shape = Shape::Rectangle {
                x: band.corner[0],
                y: band.corner[1],
                width: band.size[0],
                height: band.size[1],
                round: 8.0,
            };
            inner.paint(shape, Paint::fill(Tone::mix(Base::Back, Base::Card, 0.55)));
            for (k, line) in band.name.lines.iter().enumerate() {
                let at = [
                    band.name.middle[0],
                    band.name.middle[1] + NAME * LINE * k as f64,
                ];
                let words = Words::new(line, at, NAME, Base::Soft).middle();
                inner.words(told(words, line, &band.name.whole));
            }
        }
        for way in &layout.ways {
            arrow(&mut inner, &way.points);
        }
        for way in layout.ways.iter().filter(|way| !way.label.is_empty()) {
            let wide = measure::width(&way.label, LABEL) + 6.0;
            let [x, y] = way.label_at;
            let ground = Shape::Rectangle {
                x: x - wide / 2.0,
                y: y - 0.7 * LABEL,
                width: wide,
                height: 1.4 * LABEL,
                round: 3.0,
            };
            inner.paint(ground, Paint::fill(Base::Card));
            let words = Words::new(&way.label, [x, y + 0.36 * LABEL], LABEL, Base::Ink);
            inner.words(told(
                words.middle(),
                &way.label,
                &self.links[way.link].label,
            ));
        }
        for (node, placed) in self.nodes.iter().zip(&layout.nodes) {
            draw_node(&mut inner, node, placed);
        }
        let left = (drawing.width - width) / 2.0;
        if !inner.items.is_empty() {
            drawing.insert(inner, [left, 0.0]);
        }
        drawing
    }
}

/// Words with the whole text as a tip where they are cut.
fn told(words: Words, shown: &str, whole: &str) -> Words {
    if shown.ends_with('…') && shown != whole {
        words.tip(whole)
    } else {
        words
    }
}

/// A line through points with a head at its end.
fn arrow(drawing: &mut Drawing, points: &[[f64; 2]]) {
    let [.., before, tip] = *points else {
        return;
    };
    let way = [tip[0] - before[0], tip[1] - before[1]];
    let length = way[0].hypot(way[1]);
    if length < 1.0 {
        return;
    }
    let [x, y] = way.map(|part| part / length);
    let [long, wide] = HEAD;
    let base = [tip[0] - long * x, tip[1] - long * y];
    let line = points[..points.len() - 1].iter().copied().chain([base]);
    drawing.paint(
        Shape::Path(Path::through(line)),
        Paint::stroke(Base::Soft, 1.4),
    );
    let head = [
        tip,
        [base[0] - wide * y, base[1] + wide * x],
        [base[0] + wide * y, base[1] - wide * x],
    ];
    drawing.paint(Shape::Path(Path::around(head)), Paint::fill(Base::Soft));
}

fn draw_node(drawing: &mut Drawing, node: &FlowNode, placed: &Placed) {
    let ([x, y], [half_width, half_height]) = (placed.middle, placed.half);
    let (ground, edge) = match node.series {
        Some(series) => {
            let hue = Base::series(series);
            (Tone::mix(hue, Base::Card, TINT), hue)
        }
        None => (Base::Card.into(), Base::Soft),
    };
    let shape = match node.outline {
        Outline::Box => Some(Shape::Rectangle {
            x: x - half_width,
            y: y - half_height,
            width: 2.0 * half_width,
            height: 2.0 * half_height,
            round: 7.0,
        }),
        Outline::Circle => Some(Shape::Circle {
            x,
            y,
            radius: half_width,
        }),
        Outline::None => None,
    };
    let mut items = Vec::new();
    let [strong, soft] = match node.series {
        Some(_) if shape.is_some() => [ground.letters(); 2],
        _ => [Base::Ink, Base::Soft],
    };
    if let Some(shape) = shape {
        items.push(Item::Painted {
            shape,
            paint: Paint::fill(ground).outlined(edge, 1.4),
            tip: None,
        });
    }
    let whole: f64 = placed.lines.iter().map(|line| line.size() * LINE).sum();
    let mut top = y - whole / 2.0;
    for line in &placed.lines {
        let size = line.size();
        let base = top + size * (LINE / 2.0 + 0.36);
        let tone = if line.is_detail { soft } else { strong };
        let words = Words::new(&line.text, [x, base], size, tone).middle();
        items.push(Item::Words(words.weight(!line.is_detail)));
        top += size * LINE;
    }
    if items.is_empty() {
        return;
    }
    let mut tip = node.text.clone();
    for detail in &node.details {
        tip.push('\n');
        tip.push_str(detail);
    }
    drawing.items.push(Item::Group { tip, items });
}
