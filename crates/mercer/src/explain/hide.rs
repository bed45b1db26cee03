//! Rows with one part hidden.

use std::sync::Arc;

use mercer_linalg::Matrix;

use super::Part;
use crate::Result;
use crate::data::{Block, MISSING_CODE, Points, Records, Table, Values};

/// A letter that no text has.
const NO_LETTER: &str = "\u{fffd}";
/// A label that no graph has.
const NO_LABEL: u32 = u32::MAX;

/// What stands for the numbers of a hidden column: their mean over some rows.
pub(super) struct Background(Vec<f64>);

impl Background {
    pub(super) fn of(rows: &Records) -> Self {
        let points = &rows.features.points;
        let share = 1.0 / points.rows().max(1) as f64;
        let mut means = vec![0.0; points.columns()];
        match points.widened() {
            Block::Dense(rows) => {
                for row in 0..rows.rows() {
                    for (mean, value) in means.iter_mut().zip(rows.row(row)) {
                        *mean += share * value;
                    }
                }
            }
            Block::Sparse(rows) => {
                for (feature, value) in rows.indices().iter().zip(rows.values()) {
                    means[*feature as usize] += share * value;
                }
            }
        }
        Self(means)
    }
}

/// Returns one row per part, with that part hidden.
pub(super) fn hidden(row: &Records, parts: &[Part], background: &Background) -> Records {
    let mut all = row.select(&vec![0; parts.len()]);
    let mut numbers = dense(&all.features.points);
    for (k, part) in parts.iter().enumerate() {
        match part {
            Part::Column { column } => {
                hide_numbers(row, column, numbers.row_mut(k), background);
                for codes in all.codes.iter_mut().filter(|c| c.source == *column) {
                    codes.codes[k] = MISSING_CODE;
                }
            }
            Part::Word { column, range }
            | Part::Letter { column, range }
            | Part::Piece { column, range } => {
                for texts in all.texts.iter_mut().filter(|t| t.source == *column) {
                    let text = &texts.texts[k];
                    // Every letter is replaced by one, so that places keep their numbers.
                    let letters = match part {
                        Part::Word { .. } => 1,
                        _ => text[range.clone()].chars().count(),
                    };
                    let nothing = NO_LETTER.repeat(letters);
                    texts.texts[k] =
                        Arc::from([&text[..range.start], &nothing, &text[range.end..]].concat());
                }
            }
            Part::Vertex { column, vertex } => {
                for graphs in all.graphs.iter_mut().filter(|g| g.source == *column) {
                    let graph = &graphs.graphs[k];
                    graphs.graphs[k] = Arc::new(graph.with_label(*vertex, NO_LABEL));
                }
            }
        }
    }
    all.features.points = in_form(numbers, &row.features.points);
    all
}

/// Returns one row of a table per word, with that word hidden.
///
/// # Errors
/// None but those of a column that is not there.
pub(super) fn without_words(row: &Table, parts: &[Part]) -> Result<Table> {
    let mut all = row.select(&vec![0; parts.len()]);
    let mut columns: Vec<&str> = parts.iter().map(Part::column).collect();
    columns.dedup();
    for name in columns {
        let text = row.column(name)?.values.text(0).unwrap_or_default();
        let hidden = parts.iter().map(|part| match part {
            Part::Word { column, range } if column == name => {
                Some([&text[..range.start], NO_LETTER, &text[range.end..]].concat())
            }
            _ => Some(text.clone()),
        });
        all.replace(name, Values::Text(hidden.collect()))?;
    }
    Ok(all)
}

fn hide_numbers(row: &Records, column: &str, numbers: &mut [f64], background: &Background) {
    let mut start = 0;
    for group in &row.features.groups {
        let end = start + group.width();
        if group.source == column {
            for feature in start..end {
                numbers[feature] = background.0.get(feature).copied().unwrap_or(0.0);
            }
        }
        start = end;
    }
}

pub(super) fn dense(points: &Points) -> Matrix<f64> {
    match points.widened() {
        Block::Dense(matrix) => {
            Matrix::from_fn(matrix.rows(), matrix.columns(), |i, j| matrix[(i, j)])
        }
        Block::Sparse(rows) => rows.to_dense(),
    }
}

pub(super) fn in_form(numbers: Matrix<f64>, like: &Points) -> Points {
    if like.is_sparse() {
        Points::from(mercer_linalg::Csr::from_dense(numbers.as_ref()))
    } else {
        Points::from(numbers)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Encoder, Storage};
    use crate::explain::parts::parts;

    #[test]
    fn only_the_part_changes() {
        let row = Records::from_texts(["to be"]);
        let list = parts(&row, &Encoder::identity(0, Storage::Dense));
        let all = hidden(&row, &list, &Background::of(&row));
        let texts: Vec<&str> = all.texts[0].texts.iter().map(AsRef::as_ref).collect();
        assert_eq!(texts, ["\u{fffd} be", "to \u{fffd}"]);
    }
}
