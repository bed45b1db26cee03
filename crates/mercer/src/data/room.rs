//! How many bytes tables take, and whether there is room for what is made of them.
//!
//! Readers stop at half of what the process may take. Encoded rows come on top of the table, so
//! they are counted before they are made, and both together have to stay below the same bound.

use super::{Column, Points, Table, Values, each};
use crate::fit::available_memory;
use crate::{Error, Result};

/// Bytes of the block that an allocator sets aside for so many: with its header, in units of
/// sixteen, and 32 at least.
pub(super) fn block(bytes: usize) -> u64 {
    (bytes + 8).next_multiple_of(16).max(32) as u64
}

/// Refuses what would take more than half of what the process may take.
pub(super) fn check(needed: u64, what: impl FnOnce() -> String) -> Result<()> {
    check_against(needed, available_memory() / 2, what)
}

fn check_against(needed: u64, limit: u64, what: impl FnOnce() -> String) -> Result<()> {
    if needed <= limit {
        return Ok(());
    }
    Err(Error::Data {
        what: what(),
        needed,
        limit,
    })
}

impl Points {
    /// Returns the bytes of the values, and of their places where they are stored sparsely.
    pub fn bytes(&self) -> u64 {
        each!(self, block => {
            let values = size_of_val(block.values());
            let places = match block {
                super::Block::Dense(_) => 0,
                super::Block::Sparse(m) => size_of_val(m.indices()) + size_of_val(m.row_starts()),
            };
            (values + places) as u64
        })
    }
}

impl Values {
    /// Returns the bytes that the values take.
    pub fn bytes(&self) -> u64 {
        fn list<T>(values: &[T]) -> u64 {
            size_of_val(values) as u64
        }
        let texts = |texts: &[Option<String>]| {
            let own = texts.iter().flatten().filter(|t| !t.is_empty());
            list(texts) + own.map(|t| block(t.len())).sum::<u64>()
        };
        let names = |names: &[String]| {
            let own = names.iter().map(|name| block(name.len()));
            list(names) + own.sum::<u64>()
        };
        match self {
            Self::Numeric(v) | Self::Date(v) => list(v),
            Self::Boolean(t) => list(&t.values),
            Self::Categorical(c) => list(&c.codes) + names(&c.levels),
            Self::Text(v) | Self::Molecules(v) => texts(v),
            Self::Vectors(points) => points.bytes(),
            Self::Graphs(g) => {
                let own = g.graphs.iter().flatten().map(|graph| graph.bytes());
                list(&g.graphs) + own.sum::<u64>()
            }
            Self::Nodes(n) => list(&n.nodes),
        }
    }

    /// Returns the bytes that classes of these values take at most: a code per row, and the names
    /// of all classes where every row may have one of its own.
    fn class_bytes(&self) -> u64 {
        let codes = 4 * self.len() as u64;
        match self {
            // A name, and a place in the table that finds it.
            Self::Text(_) | Self::Molecules(_) => codes + self.bytes() + 48 * self.len() as u64,
            _ => 2 * codes,
        }
    }
}

impl Column {
    /// Returns the bytes of texts and graphs that encoding makes of the column; numbers follow
    /// from the encoder.
    pub(super) fn structured_bytes(&self) -> u64 {
        let lengths = |texts: &[Option<String>], bytes: fn(usize) -> u64| -> u64 {
            let lengths = texts.iter().map(|t| t.as_ref().map_or(0, String::len));
            lengths.map(bytes).sum()
        };
        match &self.values {
            // Shared texts have two counts, and their address and length in the list.
            Values::Text(texts) => lengths(texts, |length| 16 + block(16 + length)),
            // Graphs as they are read, and labelled as in training. A letter is an atom at most,
            // with a label, a start and both ends of a bond.
            Values::Molecules(texts) => lengths(texts, |length| 2 * (8 + 160 + 28 * length as u64)),
            Values::Graphs(_) => self.values.bytes(),
            _ => 0,
        }
    }
}

impl Table {
    /// Returns the bytes that the table takes.
    pub fn bytes(&self) -> u64 {
        let columns: u64 = self.columns().iter().map(|c| c.values.bytes()).sum();
        columns + size_of_val(&self.origin().lines[..]) as u64
    }

    /// Makes sure that there is room for what is certainly made of the table: numbers of its rows,
    /// classes or numbers of the target, texts and graphs.
    ///
    /// # Errors
    /// [`Error::Data`].
    pub(super) fn check_room(&self, target: Option<&str>) -> Result<()> {
        let target_bytes = target
            .and_then(|name| self.find(name))
            .map_or(0, |column| column.values.class_bytes());
        let features = self.columns().iter();
        let features = features.filter(|c| target != Some(c.name.as_str()));
        let structured: u64 = features.map(Column::structured_bytes).sum();
        // A row has its number among those given, and one of its own when it is encoded.
        let numbers = 12 * self.rows() as u64;
        check(self.bytes() + target_bytes + structured + numbers, || {
            let columns = self.columns().len();
            format!(
                "{} rows × {columns} columns and what is made of them",
                self.rows()
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Categories, Origin};

    #[test]
    fn tables_are_counted() {
        let categories = Categories {
            codes: vec![0, 1, 0],
            levels: vec!["a".to_owned(), "b".to_owned()],
        };
        let texts = vec![Some("x".repeat(100)), None, Some(String::new())];
        let columns = vec![
            Column::new("n", Values::Numeric(vec![1.0, 2.0, 3.0])),
            Column::new("c", Values::Categorical(categories)),
            Column::new("t", Values::Text(texts)),
        ];
        let lines = vec![2, 3, 4];
        let origin = Origin {
            name: String::new(),
            lines,
        };
        let table = Table::try_new(columns, origin).expect("a table");
        // Levels are a list of two texts of a letter each; one long text has a block of its own.
        let (numbers, levels, texts) = (24 + 12, 2 * 24 + 2 * 32, 3 * 24 + 112);
        assert_eq!(table.bytes(), numbers + levels + texts + 12);
        assert_eq!(table.check_room(Some("c")), Ok(()));
    }

    #[test]
    fn what_has_no_room_is_refused_with_its_size() {
        let what = || "7 rows × 2 columns and what is made of them".to_owned();
        assert_eq!(check_against(100, 100, what), Ok(()));
        let error = check_against(101, 100, what).expect_err("too large");
        assert_eq!(
            error.to_string(),
            "7 rows × 2 columns and what is made of them take 101 bytes; data may take 100, half of what this process may take"
        );
        assert!(
            error.hints()[0]
                .to_string()
                .contains("fewer rows or columns")
        );
    }
}
