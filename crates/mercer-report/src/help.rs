//! What would make a model better: rows, columns, cleaning.

use mercer::fit::{Note, WarningCode};
use mercer::judge::{LearningVerdict, MoreRows};
use mercer::model::Trained;

use crate::evaluation::Evaluation;
use crate::verdict::percent;

/// Columns named.
const NAMED: usize = 6;

/// Lists what would help, in sentences; names stand between backticks.
pub fn what_helps(
    trained: &Trained,
    evaluation: Option<&Evaluation>,
    learning: Option<&LearningVerdict>,
) -> Vec<String> {
    let mut found = Vec::new();
    if let Some(verdict) = learning {
        let head = match verdict.more_rows {
            MoreRows::Help => "More rows: ",
            MoreRows::DoNotHelp => "Not more rows: ",
            MoreRows::Unclear => "Perhaps more rows: ",
        };
        found.push(format!("{head}{}.", verdict.reason));
    }
    found.extend(evaluation.and_then(columns));
    found.extend(cleaning(trained));
    if let Some(evaluation) = evaluation
        && evaluation.worst.len() > 1
    {
        found.push(
            "Cleaning: the rows that were predicted worst are listed below; labels and numbers that are \
             wrong show there first."
                .to_owned(),
        );
    }
    found
}

/// Columns that the score does not miss.
fn columns(evaluation: &Evaluation) -> Option<String> {
    let importance = evaluation.importance.as_ref()?;
    let idle: Vec<&str> = importance
        .columns
        .iter()
        .filter(|c| c.loss <= c.standard_deviation)
        .map(|c| c.column.as_str())
        .collect();
    if idle.is_empty() || idle.len() == importance.columns.len() {
        return None;
    }
    let shown: Vec<String> = idle.iter().take(NAMED).map(|c| format!("`{c}`")).collect();
    let more = match idle.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    Some(format!(
        "Fewer columns: the score loses nothing without {}{more}, one at a time; with fewer columns a model \
         needs fewer rows.",
        shown.join(", ")
    ))
}

/// What the table itself gives reason to clean.
fn cleaning(trained: &Trained) -> Vec<String> {
    let report = &trained.report;
    let warnings = report.notes.iter().filter_map(|note| match note {
        Note::Warning(warning) => Some(warning),
        _ => None,
    });
    let mut found = Vec::new();
    for warning in warnings {
        let rows = warning.rows as f64 / report.rows.max(1) as f64;
        match warning.code {
            WarningCode::Contradiction => found.push(format!(
                "Cleaning: {}; no model is right about all of them{}.",
                warning.text,
                if rows > 0.0 && rows <= 1.0 {
                    format!(" ({} of the rows)", percent(rows))
                } else {
                    String::new()
                }
            )),
            WarningCode::Missing | WarningCode::Unlabelled => {
                found.push(format!("Cleaning: {}.", warning.text));
            }
            WarningCode::RareClass | WarningCode::Imbalance => {
                found.push(format!("More rows of rare classes: {}.", warning.text));
            }
            _ => {}
        }
    }
    found.dedup();
    found
}
