//! The page of `mercer explain`: the row with its parts coloured by their influence.

use mercer::data::molecule::{self, GraphOptions};
use mercer::data::{Encoding, LabelNames, Table, Values};
use mercer::explain::{Explanation, Part};
use mercer::model::Trained;
use mercer_plot::molecule::Structure;
use mercer_plot::page::{
    Column, Section, Table as Grid, cell, heading, paragraph, strong, weighted,
};
use mercer_plot::{Figure, Influence, Markup, markup};

use super::page::document;
use super::structure;
use super::text::figure;
use crate::told::Told;
use crate::verdict::percent;

/// Parts listed below the figures.
const LISTED: usize = 15;

/// Renders one self-contained page.
pub fn render_explanation(
    title: &str,
    trained: &Trained,
    row: &Table,
    found: &Explanation,
    told: &Told,
) -> String {
    let probability = told
        .probability
        .map(|p| format!(", probability {}", percent(p)));
    let decision = told
        .class
        .then(|| markup!["; decision ", figure(found.score)]);
    let what = markup![
        strong(told.answer.as_str()),
        probability,
        decision,
        if told.value.is_some() {
            ". Red parts raise the prediction, blue ones with a dashed edge lower it."
        } else {
            ". Red parts speak for it, blue ones with a dashed edge against it."
        }
    ];
    let largest = found.influences.iter().map(|i| i.value.abs());
    let full = largest.fold(f64::MIN_POSITIVE, f64::max);
    let mut page = document(title).top(heading("mercer explain", title, what));
    for column in row.columns() {
        page = page.section(match &column.values {
            Values::Text(_) => Some(text_section(&column.name, row, found, full)),
            Values::Molecules(_) | Values::Graphs(_) => {
                Some(graph_section(&column.name, trained, row, found, told))
            }
            _ => None,
        });
    }
    page.section(list(row, found, full, told)).to_html()
}

/// A text whose words or letters are coloured.
fn text_section(name: &str, row: &Table, found: &Explanation, full: f64) -> Section {
    let text = row
        .find(name)
        .and_then(|c| c.values.text(0))
        .unwrap_or_default();
    let mut line = Markup::new();
    let mut end = 0;
    for influence in &found.influences {
        let (Part::Word { column, range } | Part::Letter { column, range }) = &influence.part
        else {
            continue;
        };
        if column != name {
            continue;
        }
        line.push(&text[end..range.start]);
        let tip = format!("{:+.4}", influence.value);
        line.push(weighted(&text[range.clone()], influence.value / full, &tip));
        end = range.end;
    }
    line.push(&text[end..]);
    Section::new("text", name).body(paragraph(line).class("explained"))
}

/// A molecule or a graph as a figure; nothing where there is none in the row.
pub(super) fn picture(name: &str, row: &Table, found: &Explanation) -> Option<Structure> {
    let mut weights: Vec<f64> = Vec::new();
    for influence in &found.influences {
        if let Part::Vertex { column, vertex } = &influence.part
            && column == name
        {
            weights.resize(weights.len().max(vertex + 1), 0.0);
            weights[*vertex] = influence.value;
        }
    }
    match &row.find(name)?.values {
        Values::Molecules(texts) => {
            let whole = molecule::parse(texts[0].as_deref()?).ok()?;
            let mut names = LabelNames::default();
            let graph = molecule::to_graph(&whole, &mut names, GraphOptions::default());
            let mut of_atoms = vec![0.0; whole.atoms.len()];
            for (&atom, &weight) in graph.atoms.iter().zip(&weights) {
                of_atoms[atom as usize] = weight;
            }
            Some(structure::of_molecule(&whole, &of_atoms))
        }
        Values::Graphs(list) => Some(structure::of_graph(
            list.graphs[0].as_ref()?,
            &list.vertex_labels,
            &list.edge_labels,
            &weights,
        )),
        _ => None,
    }
}

fn graph_section(
    name: &str,
    trained: &Trained,
    row: &Table,
    found: &Explanation,
    told: &Told,
) -> Section {
    let is_molecule =
        trained.encoder.columns().iter().any(|c| {
            c.name == name && matches!(c.encoding, Encoding::Graph { molecule: true, .. })
        });
    let part = if is_molecule { "atom" } else { "vertex" };
    let lead = if told.value.is_some() {
        format!("Every {part} by how much it raises the prediction.")
    } else {
        format!("Every {part} by what the decision loses without it.")
    };
    Section::new("graph", name)
        .lead(lead)
        .body(picture(name, row, found).map(|picture| picture.to_markup()))
}

/// The strongest parts with bars.
fn list(row: &Table, found: &Explanation, full: f64, told: &Told) -> Section {
    let mut table = Grid::new([Column::text(""), Column::number(""), Column::figure()]);
    for influence in found.strongest(LISTED) {
        let share = influence.value / full;
        table.row([
            cell(influence.part.words(row)),
            cell(figure(influence.value)),
            cell(Influence { share }.to_markup()),
        ]);
    }
    Section::new("parts", "The strongest parts")
        .lead(if told.value.is_some() {
            "How much each part raises the prediction; parts below 0 lower it."
        } else {
            "Without a part the decision loses this much; parts below 0 speak against it."
        })
        .body(Markup::from(table.class("influences")))
}
