//! The page of `mercer explain`: the row with its parts coloured by their influence.

use std::fmt::Write as _;

use mercer::data::molecule::{self, draw};
use mercer::data::{Encoding, Table, Values};
use mercer::explain::{Explanation, Part};
use mercer::model::Trained;

use super::page::document;
use super::section::wrap;
use super::text::{escape, figure};
use crate::commands::part_text;

/// Pixels of a bond.
const BOND: f64 = 52.0;
/// Parts listed below the pictures.
const LISTED: usize = 15;

/// Renders one self-contained page.
pub(crate) fn render_explanation(
    title: &str,
    trained: &Trained,
    row: &Table,
    found: &Explanation,
) -> String {
    let target = escape(trained.target.as_deref().unwrap_or("answer"));
    let answer = match &found.class {
        Some(class) => format!("{target} is <strong>{}</strong>", escape(class)),
        None => target,
    };
    let header = format!(
        "<header>\n<p class=\"eyebrow\">mercer explain</p>\n<h1>{}</h1>\n<p class=\"what\">{answer}; decision {}. Red parts speak for it, blue parts against it.</p>\n</header>\n",
        escape(title),
        figure(found.score)
    );
    let largest = found.influences.iter().map(|i| i.value.abs());
    let full = largest.fold(f64::MIN_POSITIVE, f64::max);
    let mut body = header;
    for column in row.columns() {
        body += &match &column.values {
            Values::Text(_) => text_section(&column.name, row, found, full),
            Values::Molecules(_) | Values::Graphs(_) => {
                graph_section(&column.name, trained, row, found)
            }
            _ => String::new(),
        };
    }
    body += &list(row, found, full);
    document(title, &body)
}

/// A text whose words or letters are coloured.
fn text_section(name: &str, row: &Table, found: &Explanation, full: f64) -> String {
    let text = row
        .find(name)
        .and_then(|c| c.values.text(0))
        .unwrap_or_default();
    let mut html = String::from("<p class=\"explained\">");
    let mut end = 0;
    for influence in &found.influences {
        let (Part::Word { column, range } | Part::Letter { column, range }) = &influence.part
        else {
            continue;
        };
        if column != name {
            continue;
        }
        html += &escape(&text[end..range.start]);
        let _ = write!(
            html,
            "<span style=\"background:{}\" title=\"{:+.4}\">{}</span>",
            tint(influence.value / full),
            influence.value,
            escape(&text[range.clone()])
        );
        end = range.end;
    }
    html += &escape(&text[end..]);
    html += "</p>\n";
    wrap("text", &escape(name), "", &html)
}

/// A colour between blue and red that leaves the text readable.
fn tint(share: f64) -> String {
    let hue = if share < 0.0 {
        "58,110,165"
    } else {
        "201,63,31"
    };
    format!("rgba({hue},{:.3})", 0.65 * share.abs().min(1.0))
}

fn graph_section(name: &str, trained: &Trained, row: &Table, found: &Explanation) -> String {
    let mut by_vertex: Vec<(usize, f64)> = Vec::new();
    for influence in &found.influences {
        if let Part::Vertex { column, vertex } = &influence.part
            && column == name
        {
            by_vertex.push((*vertex, influence.value));
        }
    }
    let weights: Vec<f64> = by_vertex.iter().map(|v| v.1).collect();
    let style = draw::Style {
        bond_length: BOND,
        ..draw::Style::default().legend("influence")
    };
    let picture = match row.find(name).map(|c| &c.values) {
        Some(Values::Molecules(texts)) => texts[0].as_deref().and_then(|text| {
            let whole = molecule::parse(text).ok()?;
            let mut names = mercer::data::LabelNames::default();
            let graph = molecule::to_graph(&whole, &mut names, molecule::GraphOptions::default());
            let mut of_atoms = vec![0.0; whole.atoms.len()];
            for (&atom, &weight) in graph.atoms.iter().zip(&weights) {
                of_atoms[atom as usize] = weight;
            }
            Some(draw::molecule(&whole, Some(&of_atoms), &style))
        }),
        Some(Values::Graphs(list)) => list.graphs[0].as_ref().map(|graph| {
            let (vertices, edges) = (&list.vertex_labels, &list.edge_labels);
            draw::graph(graph, vertices, edges, Some(&weights), &style)
        }),
        _ => None,
    };
    let is_molecule =
        trained.encoder.columns().iter().any(|c| {
            c.name == name && matches!(c.encoding, Encoding::Graph { molecule: true, .. })
        });
    let lead = if is_molecule {
        "Every atom by what the decision loses without it."
    } else {
        "Every vertex by what the decision loses without it."
    };
    let body = picture.map_or(String::new(), |svg| {
        format!("<div class=\"plot\">{svg}</div>\n")
    });
    wrap("graph", &escape(name), lead, &body)
}

/// The strongest parts with bars.
fn list(row: &Table, found: &Explanation, full: f64) -> String {
    let mut html = String::from("<table class=\"influences\">\n");
    for influence in found.strongest(LISTED) {
        let share = 100.0 * (influence.value / full).abs();
        let _ = writeln!(
            html,
            "<tr><td>{}</td><td class=\"number\">{}</td><td class=\"bar\"><i style=\"width:{share:.1}%;background:{}\"></i></td></tr>",
            escape(&part_text(&influence.part, row)),
            figure(influence.value),
            tint(influence.value.signum()),
        );
    }
    html += "</table>\n";
    let lead = "Without a part the decision loses this much; parts below 0 speak against it.";
    wrap("parts", "The strongest parts", lead, &html)
}
