//! LIBSVM text: `label index:value index:value ...`.
//!
//! The table has the columns `y`, the labels, and `x`, the sparse vectors; unlabelled files
//! have `x` alone. Indices start at 1, or at 0 where the options say so, and ascend; what follows `#` is a comment. The width is
//! the largest index, or [`ReadOptions::width`].

use mercer::data::{Column, Origin, Points, Table, Values};
use mercer::hint::{Hint, Word};
use mercer_linalg::Csr;

use super::cells::STRIDE;
use super::limit::Budget;
use super::lines::Lines;
use super::source::Opened;
use super::{Chunks, ReadOptions, convert, number};
use crate::{Error, Result};

/// The largest index, as LIBSVM keeps it in an `int` and ends rows with -1.
const MAX_INDEX: u64 = (1 << 31) - 2;

/// Reads a LIBSVM file in chunks of rows.
pub(crate) struct LibsvmReader {
    lines: Lines,
    options: ReadOptions,
    /// The largest column number so far, plus one.
    width: usize,
    line: Vec<u8>,
}

/// The rows of one chunk as they grow.
struct Rows {
    labels: Vec<f64>,
    starts: Vec<usize>,
    indices: Vec<u32>,
    values: Vec<f64>,
    lines: Vec<u32>,
}

impl LibsvmReader {
    pub(crate) fn open(opened: Opened, options: &ReadOptions) -> Self {
        Self {
            lines: Lines::new(opened, options.max_field),
            options: options.clone(),
            width: options.width.unwrap_or(0),
            line: Vec::new(),
        }
    }

    /// Reads the next line into `rows`; returns whether there was one.
    fn next_line(&mut self, rows: &mut Rows) -> Result<bool> {
        let mut line = std::mem::take(&mut self.line);
        let more = loop {
            if !self.lines.next(&mut line)? {
                break false;
            }
            let end = line.iter().position(|&b| b == b'#').unwrap_or(line.len());
            let text = line[..end].trim_ascii_end();
            let start = text.len() - text.trim_ascii_start().len();
            if start < text.len() {
                self.row(text, start, rows)?;
                break true;
            }
        };
        self.line = line;
        Ok(more)
    }

    fn row(&mut self, text: &[u8], start: usize, rows: &mut Rows) -> Result<()> {
        let mut at = start;
        if !self.options.unlabelled {
            let label = word(text, at);
            rows.labels.push(self.label(text, at, label)?);
            at += label.len();
        }
        let first = u64::from(!self.options.zero_based);
        let row_start = rows.indices.len();
        let mut next_allowed = first;
        loop {
            while at < text.len() && text[at].is_ascii_whitespace() {
                at += 1;
            }
            if at == text.len() {
                break;
            }
            let (index, value, length) = self.pair(text, at)?;
            if index < next_allowed || index > MAX_INDEX {
                return Err(self.bad_index(text, at, index, next_allowed));
            }
            if let Some(width) = self.options.width
                && index - first >= width as u64
            {
                let problem = format!("is beyond the width of {width}");
                let cure = "raise the width, or drop the features the model does not know";
                return Err(self
                    .lines
                    .bad_word(text, at, word(text, at), &problem, cure));
            }
            next_allowed = index + 1;
            let column = (index - first) as u32;
            self.width = self.width.max(column as usize + 1);
            if value != 0.0 {
                rows.indices.push(column);
                rows.values.push(value);
            }
            at += length;
        }
        debug_assert!(rows.indices[row_start..].is_sorted());
        rows.starts.push(rows.indices.len());
        rows.lines
            .push(u32::try_from(self.lines.number).unwrap_or(u32::MAX));
        Ok(())
    }

    fn label(&self, text: &[u8], at: usize, label: &[u8]) -> Result<f64> {
        if let Some(value) = number::parse(label).filter(|v| v.is_finite()) {
            return Ok(value);
        }
        let (problem, cure) = if label.contains(&b':') {
            (
                "stands where the label is expected",
                "put a label first, or say that the file is unlabelled",
            )
        } else if label.contains(&b',') {
            (
                "is a list of labels; one number is expected",
                "keep one label per row; several at once are not read",
            )
        } else {
            (
                "is not a finite number for a label",
                "write labels as numbers, such as -1 and +1",
            )
        };
        Err(self.lines.bad_word(text, at, label, problem, cure))
    }

    /// Reads `index:value`; returns both and the length in bytes.
    fn pair(&self, text: &[u8], at: usize) -> Result<(u64, f64, usize)> {
        let mut index = 0_u64;
        let mut length = 0;
        for &byte in &text[at..] {
            if !byte.is_ascii_digit() {
                break;
            }
            // Saturation keeps huge indices above the limit.
            index = index
                .saturating_mul(10)
                .saturating_add(u64::from(byte - b'0'));
            length += 1;
        }
        if length == 0 || text.get(at + length) != Some(&b':') {
            return Err(self.bad_pair(text, at));
        }
        let value = word(text, at + length + 1);
        let end = length + 1 + value.len();
        match number::parse(value) {
            Some(v) if v.is_finite() => Ok((index, v, end)),
            Some(_) => {
                let cure = "give a finite number; leave a value of zero out";
                Err(self.lines.bad_word(
                    text,
                    at + length + 1,
                    value,
                    "is not a finite number",
                    cure,
                ))
            }
            None => {
                let problem = "is not a number after the colon";
                let cure = "write `index:value` without spaces around the colon, and no NaN";
                Err(self
                    .lines
                    .bad_word(text, at + length + 1, value, problem, cure))
            }
        }
    }

    #[cold]
    fn bad_pair(&self, text: &[u8], at: usize) -> Error {
        let found = word(text, at);
        let (problem, cure) = if found.starts_with(b"qid:") {
            (
                "is a query number; ranking files are not read",
                "remove the `qid` fields",
            )
        } else if found.starts_with(b"-") && found.contains(&b':') {
            ("has a negative index", "count features from 1")
        } else {
            (
                "is not `index:value`",
                "write every feature as a whole number, a colon and a value",
            )
        };
        self.lines.bad_word(text, at, found, problem, cure)
    }

    #[cold]
    fn bad_index(&self, text: &[u8], at: usize, index: u64, next_allowed: u64) -> Error {
        let found = word(text, at);
        let (problem, cure) = if index > MAX_INDEX {
            (
                format!("has an index above {MAX_INDEX}"),
                "number the features from 1 upwards",
            )
        } else if index == 0 {
            let cure = Hint::from("say that they start at 0: ").word(Word::Setting("zero_based"));
            let problem = "has index 0; indices start at 1";
            return self.lines.bad_word(text, at, found, problem, cure);
        } else if index + 1 == next_allowed {
            (
                "repeats an index".to_owned(),
                "give every index once per line",
            )
        } else {
            (
                format!(
                    "comes after index {}; indices must ascend",
                    next_allowed - 1
                ),
                "sort the features of every line by index",
            )
        };
        self.lines.bad_word(text, at, found, &problem, cure)
    }
}

impl Chunks for LibsvmReader {
    fn next_chunk(&mut self, rows: usize) -> Result<Option<Table>> {
        let mut chunk = Rows {
            labels: Vec::new(),
            starts: vec![0],
            indices: Vec::new(),
            values: Vec::new(),
            lines: Vec::new(),
        };
        let mut budget = Budget::new(&self.options);
        while chunk.lines.len() < rows {
            if chunk.lines.len().is_multiple_of(STRIDE) {
                self.options.check_cancel()?;
            }
            let before = chunk.indices.len();
            if !self.next_line(&mut chunk)? {
                break;
            }
            // A value and its column number; a label, a start and a line.
            let bytes = 12 * (chunk.indices.len() - before) + 20;
            budget.add(bytes, &self.lines.file)?;
        }
        if chunk.lines.is_empty() {
            return Ok(None);
        }
        let csr =
            Csr::try_new(self.width, chunk.starts, chunk.indices, chunk.values).map_err(|e| {
                Error::Damaged {
                    file: self.lines.file.clone(),
                    problem: e.to_string(),
                }
            })?;
        let mut columns = Vec::new();
        if !self.options.unlabelled {
            columns.push(Column::new("y", Values::Numeric(chunk.labels)));
        }
        columns.push(Column::new("x", Values::Vectors(Points::from(csr))));
        let origin = Origin {
            name: self.lines.file.clone(),
            lines: chunk.lines,
        };
        convert::table(columns, origin, &self.options).map(Some)
    }

    fn empty(&self) -> &'static str {
        "there are no rows"
    }
}

/// The bytes up to the next space.
fn word(text: &[u8], at: usize) -> &[u8] {
    let rest = &text[at..];
    let end = rest.iter().position(u8::is_ascii_whitespace);
    &rest[..end.unwrap_or(rest.len())]
}

#[cfg(test)]
mod tests {
    use mercer::data::Block;
    use proptest::prelude::*;

    use super::*;
    use crate::read::{Format, Source, read, stream};

    fn options() -> ReadOptions {
        ReadOptions::default().format(Format::Libsvm)
    }

    fn table_with(text: &str, options: &ReadOptions) -> Result<Table> {
        read(&Source::bytes("a.svm", text.as_bytes()), options)
    }

    fn parts(table: &Table) -> (&[f64], &Csr<f64>) {
        match (&table.columns()[0].values, &table.columns()[1].values) {
            (Values::Numeric(y), Values::Vectors(Points::Double(Block::Sparse(x)))) => (y, x),
            other => panic!("unexpected columns {other:?}"),
        }
    }

    fn message(text: &str) -> String {
        let error = table_with(text, &options()).expect_err("refused");
        assert!(!error.hints().is_empty(), "{error} has no hint");
        error.to_string()
    }

    #[test]
    fn rows_are_read() {
        let text = "+1 1:0.5 3:-2 # note\n\n# all comment\r\n-1.0\t2:1e2 5:0 \n 2\n";
        let table = table_with(text, &options()).expect("readable");
        let (y, x) = parts(&table);
        assert_eq!(y, [1.0, -1.0, 2.0]);
        assert_eq!((x.rows(), x.columns(), x.nnz()), (3, 5, 3));
        assert_eq!(x.row(0), (&[0, 2][..], &[0.5, -2.0][..]));
        assert_eq!(x.row(1), (&[1][..], &[100.0][..]));
        assert_eq!(table.origin().lines, [1, 4, 5]);
    }

    #[test]
    fn bad_lines_are_placed() {
        for (text, expected) in [
            (
                "1 2:1\n1 3:1 2:1\n",
                "line 2, column 7: `2:1` comes after index 3; indices must ascend",
            ),
            ("1 2:1 2:3\n", "line 1, column 7: `2:3` repeats an index"),
            (
                "1 0:1\n",
                "line 1, column 3: `0:1` has index 0; indices start at 1",
            ),
            ("1 -3:1\n", "line 1, column 3: `-3:1` has a negative index"),
            (
                "1 2147483647:1\n",
                "line 1, column 3: `2147483647:1` has an index above 2147483646",
            ),
            (
                "1 99999999999999999999999:1\n",
                "line 1, column 3: `99999999999999999999999:1` has an index above 2147483646",
            ),
            (
                "1 qid:3 1:1\n",
                "line 1, column 3: `qid:3` is a query number; ranking files are not read",
            ),
            ("1 1\n", "line 1, column 3: `1` is not `index:value`"),
            (
                "1 1:x\n",
                "line 1, column 5: `x` is not a number after the colon",
            ),
            (
                "1 1: 2\n",
                "line 1, column 5: `` is not a number after the colon",
            ),
            (
                "1 1:nan\n",
                "line 1, column 5: `nan` is not a number after the colon",
            ),
            (
                "1 1:inf\n",
                "line 1, column 5: `inf` is not a finite number",
            ),
            (
                "1 1:1e999\n",
                "line 1, column 5: `1e999` is not a finite number",
            ),
            (
                "1:1 2:1\n",
                "line 1, column 1: `1:1` stands where the label is expected",
            ),
            (
                "1,2 2:1\n",
                "line 1, column 1: `1,2` is a list of labels; one number is expected",
            ),
            (
                "spam 2:1\n",
                "line 1, column 1: `spam` is not a finite number for a label",
            ),
            (
                "nan 2:1\n",
                "line 1, column 1: `nan` is not a finite number for a label",
            ),
        ] {
            assert_eq!(message(text), format!("a.svm, {expected}"), "{text}");
        }
        assert_eq!(message("# nothing\n"), "a.svm: there are no rows");
    }

    #[test]
    fn options_change_the_reading() {
        let table = table_with("1:2\n3:4\n", &options().unlabelled(true)).expect("unlabelled");
        assert_eq!(table.names(), ["x"]);
        let table = table_with("1 0:1 1:5\n", &options().zero_based(true)).expect("zero based");
        assert_eq!(parts(&table).1.row(0), (&[0, 1][..], &[1.0, 5.0][..]));
        let table = table_with("1 2:1\n", &options().width(10)).expect("padded");
        assert_eq!(parts(&table).1.columns(), 10);
        let error = table_with("1 2:1 11:4\n", &options().width(10)).expect_err("beyond");
        assert_eq!(
            error.to_string(),
            "a.svm, line 1, column 7: `11:4` is beyond the width of 10"
        );
    }

    #[test]
    fn a_huge_index_takes_no_memory() {
        let table = table_with("1 2147483646:1\n", &options()).expect("wide");
        assert_eq!(parts(&table).1.columns(), 2_147_483_646);
    }

    #[test]
    fn chunks_grow_in_width() {
        let source = Source::bytes("a.svm", &b"1 1:1\n2 4:1\n"[..]);
        let widths: Vec<usize> = stream(&source, &options(), 1)
            .expect("opened")
            .map(|t| parts(&t.expect("readable")).1.columns())
            .collect();
        assert_eq!(widths, [1, 4]);
    }

    proptest! {
        #[test]
        fn writing_and_reading_is_identity(rows in proptest::collection::vec(
            (-1e6..1e6_f64, proptest::collection::btree_map(1..500_u32, -1e9..1e9_f64, 0..8)), 1..20
        )) {
            use std::fmt::Write;
            let mut text = String::new();
            for (label, row) in &rows {
                write!(text, "{label}").expect("memory");
                for (index, value) in row {
                    write!(text, " {index}:{value}").expect("memory");
                }
                text.push('\n');
            }
            let table = table_with(&text, &options()).expect("readable");
            let (y, x) = parts(&table);
            for (i, (label, row)) in rows.iter().enumerate() {
                prop_assert_eq!(y[i], *label);
                let expected: Vec<(u32, f64)> = row.iter().filter(|r| *r.1 != 0.0).map(|(&k, &v)| (k - 1, v)).collect();
                let (indices, values) = x.row(i);
                let found: Vec<(u32, f64)> = indices.iter().copied().zip(values.iter().copied()).collect();
                prop_assert_eq!(found, expected);
            }
        }
    }
}
