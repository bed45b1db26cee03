//! The parts that rows are made of.

use std::ops::Range;

use crate::data::{ColumnEncoder, Encoder, Encoding, Records, Table};

/// Characters of the pieces in which a text without spaces is searched: about the words of a
/// genome or a protein.
const PIECE: usize = 6;
/// Parts looked at in one text or graph; more are not readable anyway.
const MOST: usize = 4000;

/// A part of a row.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Part {
    /// All features of a column of numbers, categories or dates.
    Column {
        /// The column.
        column: String,
    },
    /// A word of a text, between spaces.
    Word {
        /// The column.
        column: String,
        /// Where it stands, in bytes.
        range: Range<usize>,
    },
    /// One letter of a text without spaces.
    Letter {
        /// The column.
        column: String,
        /// Where it stands, in bytes.
        range: Range<usize>,
    },
    /// A few letters of a text without spaces; pieces overlap.
    Piece {
        /// The column.
        column: String,
        /// Where it stands, in bytes.
        range: Range<usize>,
    },
    /// A vertex of a graph: an atom of a molecule.
    Vertex {
        /// The column.
        column: String,
        /// Its number.
        vertex: usize,
    },
}

impl Part {
    /// Returns the column that the part belongs to.
    pub fn column(&self) -> &str {
        match self {
            Self::Column { column }
            | Self::Word { column, .. }
            | Self::Letter { column, .. }
            | Self::Piece { column, .. }
            | Self::Vertex { column, .. } => column,
        }
    }
}

/// Lists the parts of the only row of records; texts whose words are features are left to
/// [`words_of`].
pub(super) fn parts(records: &Records, encoder: &Encoder) -> Vec<Part> {
    let mut columns: Vec<&String> = Vec::new();
    let is_words = |name: &String| {
        encoder
            .columns()
            .iter()
            .any(|c| c.name == *name && counts(c))
    };
    let groups = records.features.groups.iter().filter(|g| g.width() > 0);
    let groups = groups.filter(|g| !is_words(&g.source));
    let numbers = groups.map(|g| &g.source);
    for column in numbers.chain(records.codes.iter().map(|c| &c.source)) {
        if !columns.contains(&column) {
            columns.push(column);
        }
    }
    let mut parts: Vec<Part> = columns
        .into_iter()
        .map(|column| Part::Column {
            column: column.clone(),
        })
        .collect();
    for column in &records.texts {
        parts.extend(of_text(&column.source, &column.texts[0]));
    }
    for column in &records.graphs {
        let vertices = 0..column.graphs[0].len().min(MOST);
        parts.extend(vertices.map(|vertex| Part::Vertex {
            column: column.source.clone(),
            vertex,
        }));
    }
    parts
}

/// Whether the words of a column are features.
fn counts(column: &ColumnEncoder) -> bool {
    matches!(column.encoding, Encoding::Words(_))
}

/// Lists the words of the only row of a table, of columns whose words are features.
pub(super) fn words_of(row: &Table, encoder: &Encoder) -> Vec<Part> {
    let columns = encoder.columns().iter().filter(|c| counts(c));
    let texts = columns.filter_map(|c| Some((&c.name, row.find(&c.name)?.values.text(0)?)));
    texts.flat_map(|(name, text)| words(name, &text)).collect()
}

fn words(column: &str, text: &str) -> Vec<Part> {
    let words = text.split_whitespace().take(MOST);
    words
        .map(|word| {
            let start = word.as_ptr() as usize - text.as_ptr() as usize;
            Part::Word {
                column: column.to_owned(),
                range: start..start + word.len(),
            }
        })
        .collect()
}

fn of_text(column: &str, text: &str) -> Vec<Part> {
    if text.contains(char::is_whitespace) {
        return words(column, text);
    }
    let letters: Vec<Range<usize>> = text
        .char_indices()
        .take(MOST)
        .map(|(start, c)| start..start + c.len_utf8())
        .collect();
    let pieces = letters.windows(PIECE.min(letters.len().max(1)));
    let pieces = pieces.map(|p| Part::Piece {
        column: column.to_owned(),
        range: p[0].start..p[p.len() - 1].end,
    });
    let single = letters.iter().map(|range| Part::Letter {
        column: column.to_owned(),
        range: range.clone(),
    });
    single.chain(pieces).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Storage;

    #[test]
    fn texts_fall_into_words_or_letters_and_pieces() {
        let parts = |records: &Records| parts(records, &Encoder::identity(0, Storage::Dense));
        let words = parts(&Records::from_texts(["free entry  now"]));
        let ranges: Vec<Range<usize>> = words
            .iter()
            .map(|p| match p {
                Part::Word { range, .. } => range.clone(),
                other => panic!("{other:?}"),
            })
            .collect();
        assert_eq!(ranges, [0..4, 5..10, 12..15]);
        let letters = parts(&Records::from_texts(["acgtacgt"]));
        assert_eq!(letters.len(), 8 + 3);
        assert!(parts(&Records::from_texts([""])).is_empty());
    }
}
