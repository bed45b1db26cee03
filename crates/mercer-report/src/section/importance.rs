//! Why: the columns that predictions rest on.

use mercer::explain::Importance;
use mercer_plot::page::{Column, Section, Table, cell, paragraph, prose};
use mercer_plot::text::shorten;
use mercer_plot::{Amount, Figure, Markup, markup};

use crate::words::{count, plural};

/// Columns shown.
const SHOWN: usize = 20;
/// Columns shown before the rest is folded away.
const FIRST: usize = 8;
/// Pairs of columns named.
const PAIRS: usize = 3;

/// Draws what the score loses without each column.
pub(in super::super) fn importance(found: &Importance) -> Option<Section> {
    let most = found.columns.iter().map(|c| c.loss + c.standard_deviation);
    let most = most.fold(0.0, f64::max);
    let shown: Vec<_> = found.columns.iter().take(SHOWN).collect();
    if shown.is_empty() {
        return None;
    }
    let table = |columns: &[&mercer::explain::ColumnImportance]| -> Markup {
        let mut table = Table::new([Column::names(""), Column::figure(), Column::number("")])
            .class("importance");
        for column in columns {
            let strip = Amount {
                share: column.loss / most,
                error: column.standard_deviation / most,
            };
            let error = (column.standard_deviation > 0.0).then(|| {
                markup![
                    " ",
                    mercer_plot::page::small(format!("± {}", digits(column.standard_deviation)))
                ]
            });
            table.row([
                cell(shorten(&column.column, 32)).tip(&column.column),
                cell(strip.to_markup()),
                cell(markup![digits(column.loss), error]),
            ]);
        }
        table.into()
    };
    let verb = if found.metric.is_loss() {
        "rises"
    } else {
        "falls"
    };
    let times = match found.repeats {
        1 => "once".to_owned(),
        times => format!("{times} times"),
    };
    let mut section = Section::new("importance", "Which columns matter")
        .lead(format!(
            "How much the {} {verb} when the values of one column are shuffled among {}, {times} \
             each.",
            found.metric.title(),
            plural(found.rows, "row"),
        ))
        .body(table(&shown[..shown.len().min(FIRST)]));
    if shown.len() > FIRST {
        let rest = shown.len() - FIRST;
        let more = format!("{} more", plural(rest, "column"));
        section = section.body(mercer_plot::page::details(more, table(&shown[FIRST..])));
    }
    if found.columns.len() > SHOWN {
        let rest = count((found.columns.len() - SHOWN) as u64);
        section = section
            .body(paragraph(format!("and {rest} more, none of them more important")).class("more"));
    }
    let pairs: Vec<String> = found
        .together
        .iter()
        .take(PAIRS)
        .map(|pair| {
            let [one, other] = pair.columns.each_ref().map(|name| shorten(name, 40));
            format!("`{one}` and `{other}` ({:.2})", pair.correlation)
        })
        .collect();
    if !pairs.is_empty() {
        let text = format!(
            "Columns that go together stand in for each other, and each alone looks less \
             important; correlations: {}.",
            pairs.join(", ")
        );
        section = section.body(paragraph(prose(&text)).class("more"));
    }
    Some(section)
}

fn digits(value: f64) -> String {
    // A rounded zero has no sign.
    let text = format!("{value:.3}");
    let text = text
        .strip_prefix('-')
        .filter(|t| *t == "0.000")
        .unwrap_or(&text);
    text.replace('-', "−")
}
