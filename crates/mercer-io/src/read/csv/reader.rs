//! Gathers records into columns.

use std::collections::HashMap;

use mercer::data::recognise::MissingTexts;
use mercer::data::{Layout, Origin, Table};
use mercer::hint::{Hint, Word};

use super::dialect::{self, Dialect};
use super::records::{Record, Records};
use crate::read::cells::{self, Cells, Known, STRIDE};
use crate::read::limit::Budget;
use crate::read::lines::Lines;
use crate::read::source::Opened;
use crate::read::{Chunks, Format, ReadOptions};
use crate::{Error, Result};

/// Reads a CSV file in chunks of rows.
pub(crate) struct CsvReader {
    records: Records,
    names: Vec<String>,
    header: bool,
    /// The first row, when it is not a header.
    waiting: Option<Record>,
    /// Fixed by the first chunk.
    known: Option<Vec<Known>>,
    layout: Layout,
    missing: MissingTexts,
    options: ReadOptions,
}

impl CsvReader {
    pub(crate) fn open(opened: Opened, tabs: bool, options: &ReadOptions) -> Result<Self> {
        let dialect = dialect::recognise(&opened, tabs, options);
        let layout = layout(&dialect, &opened, tabs);
        let file = opened.name.clone();
        let mut lines = Lines::new(opened, options.max_field);
        lines.skip(dialect.skip)?;
        let mut records = Records::new(lines, dialect.cut, options.max_field);
        let mut first = Record::default();
        if !records.next(&mut first)? {
            return Err(Error::Empty {
                file,
                problem: "the file is empty".to_owned(),
            });
        }
        let header = dialect.header;
        let names = match &dialect.names {
            Some(names) => names_of(names, &file)?,
            None if header => names_of(&first, &file)?,
            None => (1..=first.len()).map(|i| format!("column_{i}")).collect(),
        };
        options.check_names(&names)?;
        Ok(Self {
            records,
            names,
            header,
            waiting: (!header).then_some(first),
            known: None,
            layout,
            missing: options.missing_texts(),
            options: options.clone(),
        })
    }

    fn field_count(&self, record: &Record, first: bool) -> Error {
        let (found, expected) = (record.len(), self.names.len());
        let cure = if first && self.header && found == expected + 1 {
            "the header may lack a name for the row names; add one in front"
        } else if expected == 1 {
            "name the delimiter if it is not comma, semicolon, tab, bar or blanks"
        } else if found > expected {
            "put fields that hold the delimiter in quotes"
        } else {
            "add the missing fields; leave a missing value empty between its delimiters"
        };
        let mut cure = Hint::from(cure);
        if first && found > expected {
            // Fewer fields above than below may be no names at all.
            cure = cure
                .then("; skip lines above the names with ")
                .word(Word::Setting("skip_rows"));
        }
        Error::FieldCount {
            file: self.records.lines.file.clone(),
            line: record.line,
            found,
            expected,
            cure,
        }
    }

    fn table(&mut self, columns: Vec<Cells>, lines: Vec<u32>) -> Result<Table> {
        let mut done = Vec::with_capacity(columns.len());
        for (index, cells) in columns.into_iter().enumerate() {
            let column = cells::Column {
                name: &self.names[index],
                position: index + 1,
                file: &self.records.lines.file,
                lines: &lines,
                missing: &self.missing,
                options: &self.options,
                comma: self.records.delimiter == b';',
            };
            let before = self.known.as_ref().map(|known| &known[index]);
            done.push(column.read(&cells, before)?);
        }
        if self.known.is_none() {
            self.known = Some(done.iter().map(Known::of).collect());
        }
        let name = self.records.lines.file.clone();
        Ok(Table::try_new(done, Origin { name, lines })?)
    }
}

impl Chunks for CsvReader {
    fn next_chunk(&mut self, rows: usize) -> Result<Option<Table>> {
        let mut columns: Vec<Cells> = Vec::new();
        columns.resize_with(self.names.len(), Cells::default);
        let mut lines: Vec<u32> = Vec::new();
        let mut record = Record::default();
        let mut budget = Budget::new(&self.options);
        while lines.len() < rows {
            if lines.len().is_multiple_of(STRIDE) {
                self.options.check_cancel()?;
            }
            match self.waiting.take() {
                Some(first) => record = first,
                None if self.records.next(&mut record)? => {}
                None => break,
            }
            if record.len() != self.names.len() {
                return Err(self.field_count(&record, lines.is_empty()));
            }
            let mut bytes = 0;
            for (column, field) in columns.iter_mut().zip(record.fields()) {
                column.push(field);
                bytes += field.len();
            }
            // Beside its text a cell has a length and a value, and a row its line.
            budget.add(bytes + 12 * columns.len() + 4, &self.records.lines.file)?;
            lines.push(u32::try_from(record.line).unwrap_or(u32::MAX));
        }
        if lines.is_empty() {
            return Ok(None);
        }
        self.table(columns, lines).map(Some)
    }

    fn empty(&self) -> &'static str {
        "there is a header but no row"
    }

    fn pass_over(&mut self, rows: usize) -> Result<usize> {
        self.options.check_cancel()?;
        let mut record = Record::default();
        for passed in 0..rows {
            match self.waiting.take() {
                Some(first) => record = first,
                None if self.records.next(&mut record)? => {}
                None => return Ok(passed),
            }
            if record.len() != self.names.len() {
                return Err(self.field_count(&record, false));
            }
        }
        Ok(rows)
    }

    fn layout(&self) -> Option<Layout> {
        Some(self.layout.clone())
    }
}

fn layout(dialect: &Dialect, opened: &Opened, tabs: bool) -> Layout {
    let delimiter = match dialect.cut.delimiter {
        b',' => "comma".to_owned(),
        b';' => "semicolon".to_owned(),
        b'\t' => "tab".to_owned(),
        b'|' => "pipe".to_owned(),
        b' ' => "space".to_owned(),
        other => char::from(other).to_string(),
    };
    let format = if tabs { Format::Tsv } else { Format::Csv };
    Layout {
        format: format.name().to_owned(),
        delimiter: Some(delimiter),
        header: Some(dialect.header || dialect.names.is_some()),
        comment: dialect.cut.comment.map(char::from),
        skipped: dialect.skip,
        notes: dialect.notes.clone(),
        ..opened.layout()
    }
}

/// The names of a header: `column_3` where one is empty; the same name twice is an error.
pub(crate) fn names_of(header: &Record, file: &str) -> Result<Vec<String>> {
    let mut seen: HashMap<String, usize> = HashMap::new();
    for (index, field) in header.fields().enumerate().filter(|(_, f)| !f.is_empty()) {
        let name = String::from_utf8_lossy(field).into_owned();
        if let Some(other) = seen.insert(name.clone(), index) {
            return Err(mercer::Error::Conflict {
                what: format!(
                    "{file}, line {}: columns {} and {} are both named `{name}`",
                    header.line,
                    other + 1,
                    index + 1
                ),
                cure: "give every column its own name, or say that there is no header".into(),
            }
            .into());
        }
    }
    let names = header.fields().enumerate().map(|(index, field)| {
        let mut name = String::from_utf8_lossy(field).into_owned();
        if name.is_empty() {
            name = format!("column_{}", index + 1);
            while seen.contains_key(&name) {
                name.push('_');
            }
        }
        name
    });
    Ok(names.collect())
}

#[cfg(test)]
mod tests {
    use mercer::data::{Column, Kind, Values};

    use super::*;
    use crate::read::{Source, read};

    fn table_with(text: &str, options: &ReadOptions) -> Result<Table> {
        read(&Source::bytes("a.csv", text.as_bytes()), options)
    }

    fn table(text: &str) -> Table {
        table_with(text, &ReadOptions::default()).expect("readable")
    }

    fn message(text: &str) -> String {
        let error = table_with(text, &ReadOptions::default()).expect_err("refused");
        assert!(!error.hints().is_empty(), "{error} has no hint");
        error.to_string()
    }

    #[test]
    fn a_mixed_table() {
        let t = table("\u{feff}size;when;ok;name\r\n1,5;2024-01-01;yes;b\r\n?;NA;no;\"a;c\"\r\n");
        assert_eq!(t.names(), ["size", "when", "ok", "name"]);
        let kinds: Vec<Kind> = t.columns().iter().map(Column::kind).collect();
        assert_eq!(
            kinds,
            [Kind::Numeric, Kind::Date, Kind::Boolean, Kind::Categorical]
        );
        assert_eq!(t.origin().lines, [2, 3]);
        assert_eq!(t.origin().name, "a.csv");
        let Values::Numeric(v) = &t.columns()[0].values else {
            panic!("numeric")
        };
        assert_eq!(v[0], 1.5);
        assert!(v[1].is_nan());
    }

    #[test]
    fn names_are_made_up_and_kept_distinct() {
        assert_eq!(table("1,2\n3,4\n").names(), ["column_1", "column_2"]);
        assert_eq!(table("1,2\n3,4\n").rows(), 2);
        assert_eq!(table(",column_1\nx,1\n").names(), ["column_1_", "column_1"]);
        assert_eq!(
            message("a,b,a\n1,2,3\n"),
            "a.csv, line 1: columns 1 and 3 are both named `a`"
        );
        let named = table_with("1,2\n3,4\n", &ReadOptions::default().header(true)).expect("told");
        assert_eq!(
            (named.names(), named.rows()),
            (vec!["1".to_owned(), "2".to_owned()], 1)
        );
        let bare = table_with("a,b\nc,d\n", &ReadOptions::default().header(false)).expect("told");
        assert_eq!(bare.rows(), 2);
    }

    #[test]
    fn uneven_rows_are_placed() {
        assert_eq!(
            message("a,b\n1,2\n3,4,5\n"),
            "a.csv, line 3: the row has 3 fields; 2 expected"
        );
        assert_eq!(
            message("a,b\n1,2\n3\n"),
            "a.csv, line 3: the row has 1 field; 2 expected"
        );
    }

    #[test]
    fn lines_above_the_table_are_passed_over() {
        let t = table("# made\nSales of May\n\na,b\n1,2\n# gone\n3,4\n");
        assert_eq!((t.names(), t.rows()), (vec!["a".into(), "b".into()], 2));
        assert_eq!(t.origin().lines, [5, 7]);
        assert_eq!((t.layout().skipped, t.layout().comment), (3, Some('#')));
        assert_eq!(
            t.layout().notes[0].text(),
            "the table begins in line 4; what stands above it is passed over"
        );
        let t = table("# x y\n1 2\n3 4\n");
        assert_eq!((t.names(), t.rows()), (vec!["x".into(), "y".into()], 2));
        assert_eq!(t.layout().delimiter.as_deref(), Some("space"));
        let told = ReadOptions::default().skip_rows(2).comment(b'%');
        let t = table_with("x\ny\na,b\n%\n1,2\n", &told).expect("told");
        assert_eq!(
            (t.names(), t.origin().lines.clone()),
            (vec!["a".into(), "b".into()], vec![5])
        );
        let error = table_with("Sales, May\na,b,c,d\n1,2,3,4\n", &ReadOptions::default());
        let hint = error.expect_err("a comma").hints()[0].to_string();
        assert!(
            hint.ends_with("skip lines above the names with `skip_rows`"),
            "{hint}"
        );
    }

    #[test]
    fn empty_files_are_refused() {
        assert_eq!(message(""), "a.csv: the file is empty");
        assert_eq!(message("\n\n"), "a.csv: the file is empty");
        assert_eq!(message("a,b\n"), "a.csv: there is a header but no row");
    }

    #[test]
    fn bad_input_is_placed() {
        assert_eq!(
            message("a,b\n1,1e999\n"),
            "a.csv, line 2, column `b`: `1e999` is not a finite number"
        );
        assert_eq!(
            message("a,b\n1,2\n3,\"4\n5,6\n"),
            "a.csv, line 3, column 3: the quote that opens here is never closed"
        );
        let error = read(
            &Source::bytes("b.csv", &b"a,b\n1,\xe4\n"[..]),
            &ReadOptions::default(),
        );
        assert_eq!(
            error.expect_err("latin").to_string(),
            "b.csv, line 2, column 3: byte 0xe4 is not UTF-8 text"
        );
        let error = read(
            &Source::bytes("b.csv", &b"a,b\n1,\0\n"[..]),
            &ReadOptions::default(),
        );
        assert_eq!(
            error.expect_err("binary").to_string(),
            "b.csv, line 2, column 3: a NUL byte; this is not a text file"
        );
    }

    #[test]
    fn kinds_are_overridable() {
        let options = ReadOptions::default().kind("a", Kind::Categorical);
        let t = table_with("a,b\n1,2\n", &options).expect("told");
        assert_eq!(t.columns()[0].kind(), Kind::Categorical);
        let options = ReadOptions::default().kind("agee", Kind::Text);
        let error = table_with("age,b\n1,2\n", &options).expect_err("unknown");
        assert_eq!(error.hints(), ["did you mean `age`?"]);
        let options = ReadOptions::default().missing(["-"]);
        let t = table_with("a,b\n1,NA\n-,x\n", &options).expect("told");
        assert!(t.columns()[0].values.is_missing(1));
        assert!(!t.columns()[1].values.is_missing(0));
    }

    #[test]
    fn a_million_characters_fit_in_a_field() {
        let long = "x y".repeat(400_000);
        let t = table(&format!("a,b\n1,\"{long}\"\n2,{long}\n"));
        assert_eq!(t.rows(), 2);
        let small = ReadOptions::default().max_field(1000);
        let error = table_with(&format!("a,b\n1,{long}\n"), &small).expect_err("long");
        assert_eq!(
            error.to_string(),
            "a.csv, line 2, column 1: the line is longer than 1000 bytes"
        );
    }

    #[test]
    fn tabs_by_format_or_name() {
        let text = "a\tb\n1,2\tx\n";
        assert_eq!(table(text).names(), ["a", "b"]);
        let t = table_with(
            "a,b\tc\n",
            &ReadOptions::default().format(Format::Tsv).header(false),
        );
        assert_eq!(t.expect("tabs").columns().len(), 2);
    }

    #[test]
    fn a_stop_is_obeyed() {
        let cancel = mercer::fit::Cancel::default();
        cancel.cancel();
        let options = ReadOptions::default().cancel(cancel);
        assert!(
            table_with("a\n1\n", &options)
                .expect_err("stopped")
                .is_cancelled()
        );
    }
}
