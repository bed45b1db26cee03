//! Which rows a model has seen, in few bytes.
//!
//! Every row gets a mark, a hash of its cells and its target, and the smallest marks are kept: a
//! sample of the rows that depends on their contents alone (bottom-k sketch: Cohen and Kaplan,
//! PODC 2007). Of other rows those below the largest kept mark are a sample drawn in the same
//! way, and the share of them that is kept tells how many of the rows were seen.

use serde::{Deserialize, Serialize};

use super::{Block, Table, Targets, Values};
use crate::{Error, Result};

/// Marks that are kept: a share is then known to within a tenth, and a model file grows by less
/// than two kilobytes.
const MOST: usize = 128;
/// Hexadecimal digits of a mark in files: 48 bits, so that a hundred thousand rows have no two
/// equal marks by chance.
const DIGITS: usize = 12;

/// A sample of the rows that a model learnt from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Seen {
    /// The smallest marks, ascending.
    marks: Vec<u64>,
    /// Whether these are the marks of all rows.
    is_whole: bool,
}

impl Seen {
    /// Marks the rows of a table, by some of its columns and the targets.
    pub fn of(table: &Table, columns: &[&str], targets: &Targets) -> Self {
        let mut marks = row_marks(table, columns, targets);
        marks.sort_unstable();
        marks.dedup();
        let is_whole = marks.len() <= MOST;
        marks.truncate(MOST);
        Self { marks, is_whole }
    }

    /// Adds the marks of more rows: the smallest of both are those of all.
    pub fn merge(&mut self, other: &Self) {
        self.marks.extend(&other.marks);
        self.marks.sort_unstable();
        self.marks.dedup();
        self.is_whole = self.is_whole && other.is_whole && self.marks.len() <= MOST;
        self.marks.truncate(MOST);
    }

    /// Takes the marks of rows away. What is left is still a sample of the others.
    pub fn forget(&mut self, other: &Self) {
        let goes = |mark: &u64| other.marks.binary_search(mark).is_ok();
        self.marks.retain(|mark| !goes(mark));
    }

    /// Returns the share of some rows that were seen, as far as the sample tells; `None` where no
    /// row falls into the sample.
    pub fn share(&self, table: &Table, columns: &[&str], targets: &Targets) -> Option<f64> {
        let last = *self.marks.last()?;
        let all = row_marks(table, columns, targets);
        let comparable = |mark: &&u64| self.is_whole || **mark <= last;
        let (mut drawn, mut seen) = (0, 0);
        for mark in all.iter().filter(comparable) {
            drawn += 1;
            seen += usize::from(self.marks.binary_search(mark).is_ok());
        }
        (drawn > 0).then(|| seen as f64 / f64::from(drawn))
    }
}

impl From<Seen> for String {
    fn from(seen: Seen) -> Self {
        let head = if seen.is_whole { "=" } else { "<" };
        let marks = seen.marks.iter().map(|mark| format!("{mark:0DIGITS$x}"));
        std::iter::once(head.to_owned()).chain(marks).collect()
    }
}

impl TryFrom<String> for Seen {
    type Error = Error;

    fn try_from(text: String) -> Result<Self> {
        let damaged = || Error::model("the marks of the rows that were learnt from are no marks");
        let (head, digits) = text.split_at_checked(1).ok_or_else(damaged)?;
        let is_whole = match head {
            "=" => true,
            "<" => false,
            _ => return Err(damaged()),
        };
        let fits = digits.len().is_multiple_of(DIGITS) && digits.len() <= MOST * DIGITS;
        if !fits || !digits.bytes().all(|b| b.is_ascii_hexdigit()) {
            return Err(damaged());
        }
        let marks: Vec<u64> = (0..digits.len() / DIGITS)
            .map(|k| u64::from_str_radix(&digits[k * DIGITS..(k + 1) * DIGITS], 16))
            .collect::<std::result::Result<_, _>>()
            .map_err(|_| damaged())?;
        if !marks.is_sorted() {
            return Err(damaged());
        }
        Ok(Self { marks, is_whole })
    }
}

/// Returns the mark of every row, equal for rows that are equal in some columns and the target; the
/// order of the columns does not matter.
pub(super) fn row_marks(table: &Table, columns: &[&str], targets: &Targets) -> Vec<u64> {
    let mut columns: Vec<&str> = columns.to_vec();
    columns.sort_unstable();
    let mut hashes = vec![Hash::default(); table.rows()];
    for column in columns.into_iter().filter_map(|name| table.find(name)) {
        if let Values::Vectors(points) = &column.values {
            let points = points.widened();
            for (row, hash) in hashes.iter_mut().enumerate() {
                hash.vector(&points, row);
            }
            continue;
        }
        for (row, hash) in hashes.iter_mut().enumerate() {
            hash.cell(&column.values, row);
        }
    }
    for (row, hash) in hashes.iter_mut().enumerate() {
        match targets {
            Targets::None => {}
            Targets::Classes(classes) => {
                hash.text(&classes.labels[classes.codes[row] as usize]);
            }
            Targets::Real(values) => hash.number(values[row]),
            Targets::Several(values) => {
                (0..values.rows()).for_each(|k| hash.number(values[(k, row)]));
            }
        }
    }
    hashes.into_iter().map(Hash::mark).collect()
}

/// FNV-1a of 64 bits: short, and the same on every machine and in every version.
#[derive(Clone, Copy)]
struct Hash(u64);

impl Default for Hash {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Hash {
    fn bytes(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    fn text(&mut self, text: &str) {
        self.bytes(text.as_bytes());
        // Ends a cell: no text has this byte.
        self.bytes(&[0xff]);
    }

    /// Both zeros are one number.
    fn number(&mut self, value: f64) {
        self.bytes(&(value + 0.0).to_bits().to_le_bytes());
    }

    fn cell(&mut self, values: &Values, row: usize) {
        if values.is_missing(row) {
            return self.bytes(&[0xfe]);
        }
        match values {
            Values::Numeric(v) | Values::Date(v) => self.number(v[row]),
            Values::Graphs(list) => {
                if let Some(graph) = &list.graphs[row] {
                    for label in graph.labels() {
                        self.text(&list.vertex_labels[*label as usize]);
                    }
                    for edge in graph.edges() {
                        self.bytes(&edge.from.to_le_bytes());
                        self.bytes(&edge.to.to_le_bytes());
                        let label = list.edge_labels.get(edge.label as usize);
                        self.text(label.map_or("", String::as_str));
                    }
                }
            }
            other => self.text(&other.text(row).unwrap_or_default()),
        }
    }

    fn vector(&mut self, points: &Block<f64>, row: usize) {
        match points {
            Block::Dense(m) => m.row(row).iter().for_each(|v| self.number(*v)),
            Block::Sparse(m) => {
                let (indices, values) = m.row(row);
                // A zero that is stored is a zero.
                for (index, value) in indices.iter().zip(values).filter(|(_, v)| **v != 0.0) {
                    self.bytes(&index.to_le_bytes());
                    self.number(*value);
                }
            }
        }
    }

    /// The bits mixed (the finaliser of SplitMix64), since FNV leaves the first ones alike.
    fn mark(self) -> u64 {
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (bits ^ (bits >> 31)) >> (64 - 4 * DIGITS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Column, Origin};

    fn rows(numbers: std::ops::Range<usize>) -> (Table, Targets) {
        let values: Vec<f64> = numbers.map(|i| i as f64 / 7.0).collect();
        let targets = Targets::Real(values.iter().map(|v| v.sin()).collect());
        let names = values.iter().map(|v| Some(format!("n{v}"))).collect();
        let columns = vec![
            Column::new("x", Values::Numeric(values)),
            Column::new("t", Values::Text(names)),
        ];
        let table = Table::try_new(columns, Origin::default()).expect("two columns");
        (table, targets)
    }

    fn share(seen: &Seen, (table, targets): &(Table, Targets)) -> Option<f64> {
        seen.share(table, &["t", "x"], targets)
    }

    #[test]
    fn rows_that_were_seen_are_known_in_any_order() {
        for n in [1, 50, 5000] {
            let own = rows(0..n);
            let seen = Seen::of(&own.0, &["x", "t"], &own.1);
            assert_eq!(share(&seen, &own), Some(1.0), "{n}");
            let turned: Vec<usize> = (0..n).rev().collect();
            let again = (own.0.select(&turned), own.1.select(&turned));
            assert_eq!(Seen::of(&again.0, &["x", "t"], &again.1), seen);
            let others = share(&seen, &rows(n..3 * n));
            assert!(others.is_none_or(|s| s == 0.0), "{others:?}");
        }
        let own = rows(0..4000);
        let seen = Seen::of(&own.0, &["x", "t"], &own.1);
        let half = share(&seen, &rows(2000..6000)).expect("some are drawn");
        assert!((half - 0.5).abs() < 0.15, "{half}");
    }

    #[test]
    fn rows_come_and_go() {
        for n in [30, 3000] {
            let of = |range: std::ops::Range<usize>| {
                let (table, targets) = rows(range);
                Seen::of(&table, &["x", "t"], &targets)
            };
            let mut both = of(0..n);
            both.merge(&of(n..2 * n));
            assert_eq!(both, of(0..2 * n), "{n}");
            both.forget(&of(n..n + 20));
            assert!(share(&both, &rows(n..n + 20)).is_none_or(|s| s == 0.0));
            assert_eq!(share(&both, &rows(0..n)), Some(1.0));
        }
    }

    #[test]
    fn other_targets_make_other_rows() {
        let (table, targets) = rows(0..60);
        let seen = Seen::of(&table, &["x"], &targets);
        let other = Targets::Real(vec![0.5; 60]);
        assert_eq!(seen.share(&table, &["x"], &other), Some(0.0));
    }

    #[test]
    fn files_keep_the_marks_and_damage_is_refused() {
        let (table, targets) = rows(0..300);
        let seen = Seen::of(&table, &["x"], &targets);
        let text = serde_json::to_string(&seen).expect("a text");
        assert_eq!(serde_json::from_str::<Seen>(&text).expect("readable"), seen);
        for bad in ["", "a", "=12", "<zzzzzzzzzzzz", "=ffffffffffff000000000000"] {
            assert!(Seen::try_from(bad.to_owned()).is_err(), "{bad}");
        }
    }
}
