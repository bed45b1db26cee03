//! Pictures of molecules and labelled graphs, with a colour for every vertex.
//!
//! [`molecule`] and [`graph`] return an SVG as text, complete and without scripts, fonts or
//! links. A weight for every vertex, such as its share in a prediction, colours it: blue below
//! zero, grey at zero, red above, with a legend that has numbers.

mod colour;
mod lines;

use std::fmt::Write;

use super::layout::{self, Point, bounds};
use super::rings::{Adjacency, Ring, small_rings};
use super::{Molecule, Order};
use crate::data::Graph;
use lines::{Line, lines};

/// How a picture looks.
#[derive(Debug, Clone, PartialEq)]
pub struct Style {
    /// The length of a bond in pixels.
    pub bond_length: f64,
    /// What the picture shows, for readers that cannot see it; shown as a tooltip too.
    pub title: String,
    /// What the weights are, above the legend's numbers.
    pub legend: String,
    /// The weight that has the full colour; the largest in size where it is `None`.
    pub full: Option<f64>,
    /// Whether a white ground is painted.
    pub ground: bool,
}

impl Default for Style {
    fn default() -> Self {
        Self {
            bond_length: 36.0,
            title: String::new(),
            legend: String::new(),
            full: None,
            ground: true,
        }
    }
}

impl Style {
    /// Sets what the picture shows.
    #[must_use]
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.title = title.into();
        self
    }

    /// Sets what the weights are.
    #[must_use]
    pub fn legend(mut self, legend: impl Into<String>) -> Self {
        self.legend = legend.into();
        self
    }

    /// Sets the weight that has the full colour.
    #[must_use]
    pub fn full(mut self, full: Option<f64>) -> Self {
        self.full = full;
        self
    }
}

/// What is written at a vertex.
#[derive(Debug, Clone, Default)]
struct Mark {
    /// The letters; none where a corner stands for carbon.
    text: String,
    hydrogens: u8,
    charge: i8,
    isotope: Option<u16>,
}

/// The colour of letters without a disc.
const PLAIN_INK: &str = "#111";

/// The frame around the drawing, in bond lengths.
const MARGIN: f64 = 0.8;

/// Draws a molecule; `weights` has one number for each of its atoms.
///
/// Carbon has no letter unless it stands alone or is charged; other atoms show their hydrogens.
pub fn molecule(molecule: &Molecule, weights: Option<&[f64]>, style: &Style) -> String {
    let ends = molecule.ends();
    let adjacency = Adjacency::new(molecule.atoms.len(), &ends);
    let hydrogens = molecule.hydrogens();
    let marks: Vec<Mark> = molecule
        .atoms
        .iter()
        .enumerate()
        .map(|(index, atom)| {
            let plain = atom.charge == 0 && atom.isotope.is_none() && atom.class.is_none();
            if atom.element == "C" && plain && !adjacency.of(index).is_empty() {
                return Mark::default();
            }
            Mark {
                text: atom.element.to_owned(),
                hydrogens: hydrogens[index],
                charge: atom.charge,
                isotope: atom.isotope,
            }
        })
        .collect();
    let straight: Vec<bool> = (0..molecule.atoms.len())
        .map(|atom| {
            let pairs = adjacency
                .of(atom)
                .iter()
                .map(|&(_, b)| molecule.bonds[b].order);
            let multiple = pairs.fold(0, |sum, order| match order {
                Order::Triple | Order::Quadruple => sum + 2,
                Order::Double => sum + 1,
                _ => sum,
            });
            multiple >= 2
        })
        .collect();
    let places = layout::place(molecule.atoms.len(), &ends, &straight);
    let orders: Vec<Order> = molecule.bonds.iter().map(|b| b.order).collect();
    let rings = small_rings(&adjacency, ends.len());
    draw(&places, &marks, &ends, &orders, &rings, weights, style)
}

/// Draws a graph with the names of its vertices' labels; `weights` has one number a vertex.
///
/// Edges whose name is a bond of SMILES (`=`, `#`, `$`, `:`) are drawn as such bonds.
pub fn graph(
    graph: &Graph,
    vertex_names: &[String],
    edge_names: &[String],
    weights: Option<&[f64]>,
    style: &Style,
) -> String {
    let name = |names: &[String], code: u32| {
        let name = names.get(code as usize).cloned();
        name.unwrap_or_else(|| code.to_string())
    };
    let mut ends = Vec::new();
    let mut orders = Vec::new();
    for edge in graph.edges().filter(|e| e.from != e.to) {
        ends.push((edge.from, edge.to));
        let symbol = name(edge_names, edge.label);
        let order = Order::ALL.into_iter().find(|o| o.symbol() == symbol);
        orders.push(order.unwrap_or(Order::Single));
    }
    let marks: Vec<Mark> = graph
        .labels()
        .iter()
        .map(|&label| Mark {
            text: name(vertex_names, label),
            ..Mark::default()
        })
        .collect();
    let adjacency = Adjacency::new(graph.len(), &ends);
    let places = layout::place(graph.len(), &ends, &[]);
    // Rings are needed for the inner lines of aromatic and double bonds only.
    let rings = if orders.iter().all(|o| *o == Order::Single) {
        Vec::new()
    } else {
        small_rings(&adjacency, ends.len())
    };
    draw(&places, &marks, &ends, &orders, &rings, weights, style)
}

fn draw(
    places: &[Point],
    marks: &[Mark],
    ends: &[(u32, u32)],
    orders: &[Order],
    rings: &[Ring],
    weights: Option<&[f64]>,
    style: &Style,
) -> String {
    let scale = if style.bond_length.is_finite() {
        style.bond_length.clamp(4.0, 400.0)
    } else {
        36.0
    };
    let (low, high) = bounds(places);
    let legend_height = if weights.is_some() { 46.0 } else { 0.0 };
    let width =
        ((high.x - low.x + 2.0 * MARGIN) * scale).max(if weights.is_some() { 180.0 } else { 60.0 });
    let height = (high.y - low.y + 2.0 * MARGIN) * scale;
    let middle = (low + high) * 0.5;
    let points: Vec<Point> = places
        .iter()
        .map(|p| {
            let from_middle = *p - middle;
            Point::new(
                width / 2.0 + from_middle.x * scale,
                height / 2.0 - from_middle.y * scale,
            )
        })
        .collect();
    let mut svg = String::new();
    let title = escape(&style.title);
    put(
        &mut svg,
        format_args!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" aria-label=\"{title}\" width=\"{w:.0}\" height=\"{h:.0}\" viewBox=\"0 0 {w:.0} {h:.0}\" font-family=\"Helvetica, Arial, sans-serif\">\n",
            w = width.ceil(),
            h = (height + legend_height).ceil(),
        ),
    );
    if !title.is_empty() {
        put(&mut svg, format_args!("<title>{title}</title>\n"));
    }
    if style.ground {
        svg.push_str("<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n");
    }
    let coloured = weights.is_some();
    let full = full_weight(weights.unwrap_or(&[]), style.full);
    let room = |vertex: usize| {
        let mark = &marks[vertex];
        match (coloured, mark.text.chars().count()) {
            (true, _) | (false, 0) => 0.0,
            (false, 1) => 0.25,
            (false, _) => 0.32,
        }
    };
    svg.push_str("<g stroke=\"#222\" stroke-linecap=\"round\" fill=\"none\">\n");
    for line in lines(&points, ends, orders, rings, &room, scale) {
        put_line(&mut svg, &line, scale);
    }
    svg.push_str("</g>\n");
    for (vertex, point) in points.iter().enumerate() {
        let share = match weights {
            Some(weights) => weights.get(vertex).copied().unwrap_or(0.0) / full,
            None => 0.0,
        };
        let fill = colour::of_share(share);
        if coloured {
            let radius = scale
                * if marks[vertex].text.is_empty() {
                    0.2
                } else {
                    0.29
                };
            put(
                &mut svg,
                format_args!(
                    "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"{radius:.1}\" fill=\"{fill}\" stroke=\"#666\" stroke-width=\"0.8\"/>\n",
                    point.x, point.y
                ),
            );
        }
        let ink = if coloured { fill.ink() } else { PLAIN_INK };
        let near = ends
            .iter()
            .filter_map(|&(a, b)| match (a as usize, b as usize) {
                (a, b) if a == vertex => points.get(b),
                (a, b) if b == vertex => points.get(a),
                _ => None,
            });
        let near: Vec<Point> = near.copied().collect();
        put_mark(&mut svg, *point, &marks[vertex], &near, ink, scale);
    }
    if coloured {
        put_legend(&mut svg, width, height, full, &style.legend);
    }
    svg.push_str("</svg>\n");
    svg
}

/// The weight with the full colour: given, or the largest in size, or one.
fn full_weight(weights: &[f64], given: Option<f64>) -> f64 {
    let largest = weights.iter().filter(|w| w.is_finite());
    let largest = largest.fold(0.0_f64, |most, w| most.max(w.abs()));
    match given {
        Some(full) if full.is_finite() && full > 0.0 => full,
        _ if largest > 0.0 => largest,
        _ => 1.0,
    }
}

fn put_line(svg: &mut String, line: &Line, scale: f64) {
    let dashes = if line.dashed {
        format!(
            " stroke-dasharray=\"{:.1} {:.1}\"",
            scale * 0.1,
            scale * 0.09
        )
    } else {
        String::new()
    };
    put(
        svg,
        format_args!(
            "<line x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\" stroke-width=\"{:.1}\"{dashes}/>\n",
            line.from.x,
            line.from.y,
            line.to.x,
            line.to.y,
            (scale * 0.045).max(1.0),
        ),
    );
}

/// Writes letters centred on the vertex; hydrogens, charge and mass stand beside them.
fn put_mark(svg: &mut String, at: Point, mark: &Mark, near: &[Point], ink: &str, scale: f64) {
    if mark.text.is_empty() {
        return;
    }
    let size = scale * 0.4;
    let letters = mark.text.chars().count();
    // Long names are set smaller so that they stay near their vertex.
    let shrink = if letters > 3 {
        3.0 / letters as f64
    } else {
        1.0
    };
    let own = (size * shrink).max(7.0);
    let base = at.y + own * 0.36;
    put(
        svg,
        format_args!(
            "<text x=\"{:.1}\" y=\"{base:.1}\" font-size=\"{own:.1}\" text-anchor=\"middle\" fill=\"{ink}\">{}</text>\n",
            at.x,
            escape(&mark.text)
        ),
    );
    put_extras(svg, at, base, mark, near, ink != PLAIN_INK, scale);
}

/// Where hydrogens stand.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Left,
    Right,
    Above,
    Below,
}

/// The side with room for hydrogens, away from the neighbours.
fn hydrogen_side(at: Point, mark: &Mark, near: &[Point], scale: f64) -> Side {
    let steps = near.iter().map(|p| (*p - at) * (1.0 / scale));
    let lean = steps.fold(Point::default(), |sum, step| sum + step);
    if near.is_empty()
        && matches!(
            mark.text.as_str(),
            "O" | "S" | "Se" | "F" | "Cl" | "Br" | "I"
        )
    {
        return Side::Left;
    }
    // Between neighbours to the left and right there is room above or below only.
    if near.len() > 1 && lean.x.abs() < 0.5 {
        return if lean.y > 0.0 {
            Side::Above
        } else {
            Side::Below
        };
    }
    if lean.x > 0.1 {
        Side::Left
    } else {
        Side::Right
    }
}

/// Writes hydrogens, charge and mass beside the letters.
fn put_extras(
    svg: &mut String,
    at: Point,
    base: f64,
    mark: &Mark,
    near: &[Point],
    coloured: bool,
    scale: f64,
) {
    let size = scale * 0.4;
    let small = size * 0.7;
    let letters = mark.text.chars().count() as f64;
    // Letters are about 0.72 of their size wide; a coloured disc has a radius of 0.29.
    let half = (0.36 * size * letters).max(if coloured { scale * 0.3 } else { 0.0 });
    let mut right = at.x + half;
    if let Some(mass) = mark.isotope {
        let (x, y) = (at.x - half, base - size * 0.45);
        put(
            svg,
            format_args!(
                "<text x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"{small:.1}\" text-anchor=\"end\" fill=\"#111\">{mass}</text>\n"
            ),
        );
    }
    if mark.hydrogens > 0 {
        let number = match mark.hydrogens {
            1 => String::new(),
            n => format!(
                "<tspan dy=\"{:.1}\" font-size=\"{small:.1}\">{n}</tspan>",
                size * 0.2
            ),
        };
        let lift = if coloured { scale * 0.5 } else { size * 0.9 };
        let (x, y, anchor) = match hydrogen_side(at, mark, near, scale) {
            Side::Left => (at.x - half, base, "end"),
            Side::Right => {
                let x = right;
                right += size * if mark.hydrogens > 1 { 1.15 } else { 0.75 };
                (x, base, "start")
            }
            Side::Above => (at.x, base - lift, "middle"),
            Side::Below => (at.x, base + lift, "middle"),
        };
        put(
            svg,
            format_args!(
                "<text x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"{size:.1}\" text-anchor=\"{anchor}\" fill=\"#111\">H{number}</text>\n"
            ),
        );
    }
    if mark.charge != 0 {
        let sign = if mark.charge < 0 { '\u{2212}' } else { '+' };
        let count = match mark.charge.unsigned_abs() {
            1 => String::new(),
            n => n.to_string(),
        };
        let y = base - size * if coloured { 0.6 } else { 0.45 };
        // A bond to the upper right would hide the sign.
        let hidden = near.iter().any(|p| {
            let step = (*p - at).unit();
            step.x > 0.3 && step.y < -0.2
        });
        let left = hidden && mark.isotope.is_none() && mark.hydrogens == 0;
        let (x, anchor) = match (left, coloured && mark.hydrogens == 0) {
            (true, _) => (at.x - half, "end"),
            (false, true) => (right - scale * 0.06, "start"),
            (false, false) => (right, "start"),
        };
        put(
            svg,
            format_args!(
                "<text x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"{small:.1}\" text-anchor=\"{anchor}\" fill=\"#111\">{count}{sign}</text>\n"
            ),
        );
    }
}

/// A bar with the colours from −full to full, in steps, so that no gradient needs an identifier.
fn put_legend(svg: &mut String, width: f64, top: f64, full: f64, name: &str) {
    const STEPS: usize = 41;
    let bar = 140.0_f64.min(width - 30.0);
    let left = (width - bar) / 2.0;
    let y = top + 14.0;
    if !name.is_empty() {
        put(
            svg,
            format_args!(
                "<text x=\"{:.1}\" y=\"{:.1}\" font-size=\"11\" text-anchor=\"middle\" fill=\"#111\">{}</text>\n",
                width / 2.0,
                y - 5.0,
                escape(name)
            ),
        );
    }
    let cell = bar / STEPS as f64;
    for step in 0..STEPS {
        let share = 2.0 * step as f64 / (STEPS - 1) as f64 - 1.0;
        put(
            svg,
            format_args!(
                "<rect x=\"{:.2}\" y=\"{y:.1}\" width=\"{:.2}\" height=\"10\" fill=\"{}\"/>\n",
                left + cell * step as f64,
                cell + 0.3,
                colour::of_share(share)
            ),
        );
    }
    let labels = [(0.0, -full), (0.5, 0.0), (1.0, full)];
    for (part, value) in labels {
        put(
            svg,
            format_args!(
                "<text x=\"{:.1}\" y=\"{:.1}\" font-size=\"11\" text-anchor=\"middle\" fill=\"#111\">{}</text>\n",
                left + bar * part,
                y + 22.0,
                short(value)
            ),
        );
    }
}

/// A number with three digits and a sign.
fn short(value: f64) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    let size = value.abs();
    let text = if (1e-3..1e5).contains(&size) {
        let digits = (2 - size.log10().floor() as i32).max(0) as usize;
        let text = format!("{size:.digits$}");
        if text.contains('.') {
            text.trim_end_matches('0').trim_end_matches('.').to_owned()
        } else {
            text
        }
    } else {
        format!("{size:.2e}")
    };
    let sign = if value < 0.0 { '\u{2212}' } else { '+' };
    format!("{sign}{text}")
}

/// Replaces what XML reserves and what it cannot hold.
fn escape(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => safe.push(' '),
            c => safe.push(c),
        }
    }
    safe
}

fn put(svg: &mut String, text: std::fmt::Arguments<'_>) {
    svg.write_fmt(text).expect("a string takes any text");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Edge;
    use crate::data::molecule::parse;

    #[test]
    fn a_molecule_is_drawn() {
        let aspirin = parse("CC(=O)Oc1ccccc1C(=O)O").expect("aspirin");
        let weights: Vec<f64> = (0..13).map(|i| f64::from(i) - 6.0).collect();
        let style = Style::default().title("aspirin <&>").legend("share");
        let svg = molecule(&aspirin, Some(&weights), &style);
        assert!(svg.contains("aspirin &lt;&amp;&gt;"));
        assert_eq!(svg.matches("<circle").count(), 13);
        assert_eq!(svg.matches("stroke-dasharray").count(), 6);
        assert!(svg.contains("fill=\"#2166ac\"") && svg.contains("fill=\"#b2182b\""));
        assert!(svg.contains(">\u{2212}6<") && svg.contains(">+6<"));
        assert!(svg.starts_with("<svg") && svg.ends_with("</svg>\n"));
        assert!(!svg.contains("NaN"));
    }

    #[test]
    fn weights_that_are_no_numbers_are_grey() {
        let ethanol = parse("CCO").expect("ethanol");
        let svg = molecule(
            &ethanol,
            Some(&[f64::NAN, f64::INFINITY]),
            &Style::default(),
        );
        assert!(!svg.contains("NaN") && !svg.contains("inf"));
    }

    #[test]
    fn any_graph_is_drawn() {
        let edges =
            [(0, 1, 0), (1, 2, 7), (2, 2, 0)].map(|(from, to, label)| Edge { from, to, label });
        let made = Graph::try_new(vec![0, 1, 9], &edges).expect("a graph");
        let names = ["<a>".to_owned(), "b".to_owned()];
        let svg = graph(
            &made,
            &names,
            &[],
            Some(&[0.5, -2.0, 0.0]),
            &Style::default(),
        );
        assert!(svg.contains("&lt;a&gt;") && svg.contains(">9<"));
        let empty = Graph::try_new(Vec::new(), &[]).expect("nothing");
        assert!(graph(&empty, &[], &[], None, &Style::default()).contains("<svg"));
    }

    #[test]
    fn numbers_are_short() {
        for (value, text) in [
            (0.123_456, "+0.123"),
            (-12.0, "\u{2212}12"),
            (1234.5, "+1234"),
            (2e-7, "+2.00e-7"),
            (1e5, "+1.00e5"),
            (100.0, "+100"),
        ] {
            assert_eq!(short(value), text);
        }
    }
}
