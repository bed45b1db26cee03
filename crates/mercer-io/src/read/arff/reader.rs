//! The rows of an ARFF file.

use mercer::data::recognise::MissingTexts;
use mercer::data::{Categories, Column, Kind, MISSING_CODE, Origin, Table, Values};

use super::header::{self, Attribute, open_quote};
use super::words::{Word, Words, without_comment};
use crate::error::shorten;
use crate::read::cells::{self, Cells, Known, STRIDE};
use crate::read::limit::Budget;
use crate::read::lines::{Lines, column_of};
use crate::read::source::Opened;
use crate::read::{Chunks, ReadOptions, convert, number};
use crate::{Error, Result};

/// The most cells that sparse rows may spread to: 2 GiB of numbers.
///
/// A sparse row of two bytes stands for every attribute, so the file's size is no bound.
const MAX_SPARSE_CELLS: usize = 1 << 28;

/// Reads an ARFF file in chunks of rows.
pub(crate) struct ArffReader {
    lines: Lines,
    attributes: Vec<Attribute>,
    options: ReadOptions,
    buffer: Vec<u8>,
    max_sparse_cells: usize,
    missing: MissingTexts,
    /// How columns are read, once the first chunk has told.
    known: Vec<Known>,
}

impl ArffReader {
    pub(crate) fn open(opened: Opened, options: &ReadOptions) -> Result<Self> {
        let mut lines = Lines::new(opened, options.max_field);
        let attributes = header::read(&mut lines)?;
        Ok(Self {
            lines,
            attributes,
            options: options.clone(),
            buffer: Vec::new(),
            max_sparse_cells: MAX_SPARSE_CELLS,
            missing: options.missing_texts(),
            known: Vec::new(),
        })
    }

    /// Reads the next row into `columns`; returns whether there was one.
    fn next_row(&mut self, columns: &mut [Values], rows: usize) -> Result<bool> {
        let mut buffer = std::mem::take(&mut self.buffer);
        let more = loop {
            if !self.lines.next(&mut buffer)? {
                break false;
            }
            let line = String::from_utf8_lossy(&buffer);
            let text = without_comment(&line);
            let mut words = Words::new(text);
            match words.peek() {
                None => continue,
                Some('{') => self.sparse_row(text, &mut words, columns, rows)?,
                Some(_) => self.dense_row(text, &mut words, columns)?,
            }
            break true;
        };
        self.buffer = buffer;
        Ok(more)
    }

    fn dense_row(&self, text: &str, words: &mut Words<'_>, columns: &mut [Values]) -> Result<()> {
        let expected = self.attributes.len();
        for (index, column) in columns.iter_mut().enumerate() {
            let word = words
                .word(&[',', '\t'])
                .map_err(|q| open_quote(&self.lines, text, &q))?;
            self.push(index, column, &word, text)?;
            let more = words.take(',') || words.peek().is_some();
            if more != (index + 1 < expected) {
                if more && words.rest().trim_start().starts_with('{') {
                    return Err(self.weight(text, words.at()));
                }
                return Err(self.field_count(text, index + 1));
            }
        }
        Ok(())
    }

    fn sparse_row(
        &self,
        text: &str,
        words: &mut Words<'_>,
        columns: &mut [Values],
        rows: usize,
    ) -> Result<()> {
        if (rows + 1).saturating_mul(columns.len()) > self.max_sparse_cells {
            return Err(Error::Unsupported {
                file: self.lines.file.clone(),
                problem: format!(
                    "{} sparse rows of {} attributes are too many to be written out",
                    rows + 1,
                    columns.len()
                ),
                cure: "convert the file to LIBSVM, which stays sparse".into(),
            });
        }
        words.take('{');
        let mut next = 0;
        while !words.take('}') {
            let word = words
                .word(&[' ', '\t', ',', '}'])
                .map_err(|q| open_quote(&self.lines, text, &q))?;
            let index = word
                .text
                .parse()
                .ok()
                .filter(|&i: &usize| i < columns.len());
            let Some(index) = index.filter(|&i| i >= next) else {
                let problem = format!(
                    "`{}` is not an attribute number from {next} to {}",
                    shorten(&word.text),
                    columns.len() - 1
                );
                let cure = "count attributes from 0, in ascending order, as `{number value, ...}`";
                return Err(self
                    .lines
                    .syntax(column_of(text.as_bytes(), word.at), problem, cure));
            };
            for (column, attribute) in columns[next..index]
                .iter_mut()
                .zip(&self.attributes[next..])
            {
                push_zero(column, attribute);
            }
            let value = words
                .word(&[',', '}'])
                .map_err(|q| open_quote(&self.lines, text, &q))?;
            self.push(index, &mut columns[index], &value, text)?;
            next = index + 1;
            if !words.take(',') && words.peek() != Some('}') {
                let problem = "the sparse row is not closed".to_owned();
                return Err(self.lines.syntax(
                    column_of(text.as_bytes(), words.at()),
                    problem,
                    "end it with `}`",
                ));
            }
        }
        if words.take(',') || words.peek().is_some() {
            return Err(self.weight(text, words.at()));
        }
        for (column, attribute) in columns[next..].iter_mut().zip(&self.attributes[next..]) {
            push_zero(column, attribute);
        }
        Ok(())
    }

    fn push(&self, index: usize, column: &mut Values, word: &Word, text: &str) -> Result<()> {
        let missing = !word.quoted && word.text == "?";
        let attribute = &self.attributes[index];
        if word.text.is_empty() && !word.quoted {
            let place = column_of(text.as_bytes(), word.at);
            let problem = format!("attribute `{}` has no value", shorten(&attribute.name));
            return Err(self
                .lines
                .syntax(place, problem, "write `?` for a missing value"));
        }
        match column {
            Values::Numeric(values) if missing => values.push(f64::NAN),
            Values::Numeric(values) => match number::parse(word.text.as_bytes()) {
                Some(value) if value.is_finite() => values.push(value),
                Some(_) => return Err(self.misfit(index, word, "is not a finite number", None)),
                None => return Err(self.misfit(index, word, "is not a number", None)),
            },
            Values::Date(values) if missing => values.push(f64::NAN),
            Values::Date(values) => {
                if let Some(value) = attribute.date(&word.text) {
                    values.push(value);
                } else {
                    let wanted = match &attribute.date_format {
                        Some(format) => format!("is not a date written as `{format}`"),
                        None => "is not an ISO 8601 date".to_owned(),
                    };
                    return Err(self.misfit(index, word, &wanted, None));
                }
            }
            Values::Text(values) => values.push((!missing).then(|| word.text.clone())),
            Values::Categorical(values) if missing => values.codes.push(MISSING_CODE),
            Values::Categorical(values) => match attribute.codes.get(&word.text) {
                Some(&code) => values.codes.push(code),
                None => {
                    return Err(self.misfit(
                        index,
                        word,
                        "is not a declared value",
                        Some(&attribute.levels),
                    ));
                }
            },
            _ => unreachable!("no attribute has this kind"),
        }
        Ok(())
    }

    fn misfit(&self, index: usize, word: &Word, problem: &str, known: Option<&[String]>) -> Error {
        let cure = match known {
            // A list longer than a line helps nobody.
            Some(levels) if levels.len() > 20 => {
                format!("declared: {}, …", levels[..20].join(", "))
            }
            Some(levels) => format!("declared: {}", levels.join(", ")),
            None => "correct the value, or write `?` for a missing one".to_owned(),
        };
        Error::Cell {
            file: self.lines.file.clone(),
            line: self.lines.number,
            column: self.attributes[index].name.clone(),
            position: index + 1,
            problem: format!("`{}` {problem}", shorten(&word.text)),
            cure: cure.into(),
        }
    }

    fn field_count(&self, text: &str, read: usize) -> Error {
        let expected = self.attributes.len();
        let mut found = read;
        if read == expected {
            // Count what is left, so that the message gives the whole number.
            found += 1 + text.matches(',').count().saturating_sub(expected);
        }
        Error::FieldCount {
            file: self.lines.file.clone(),
            line: self.lines.number,
            found,
            expected,
            cure: "give one value per declared attribute; put values with commas in quotes".into(),
        }
    }

    fn weight(&self, text: &str, at: usize) -> Error {
        self.lines.syntax(
            column_of(text.as_bytes(), at),
            "text after the row; instance weights are not read".to_owned(),
            "declare a numeric attribute for the weights and name it as the weight column",
        )
    }

    /// Strings are what they look like, as in files that declare nothing.
    fn strings(&self, index: usize, texts: &[Option<String>], lines: &[u32]) -> Result<Column> {
        let mut cells = Cells::default();
        for text in texts {
            match text {
                Some(text) => cells.push(text.as_bytes()),
                None => cells.push_missing(),
            }
        }
        let reader = cells::Column {
            name: &self.attributes[index].name,
            position: index + 1,
            file: &self.lines.file,
            lines,
            missing: &self.missing,
            options: &self.options,
            comma: false,
        };
        reader.read(&cells, self.known.get(index))
    }

    fn empty_columns(&self) -> Vec<Values> {
        let attributes = self.attributes.iter();
        attributes
            .map(|a| match a.kind {
                Kind::Numeric => Values::Numeric(Vec::new()),
                Kind::Date => Values::Date(Vec::new()),
                Kind::Text => Values::Text(Vec::new()),
                _ => Values::Categorical(Categories {
                    codes: Vec::new(),
                    levels: a.levels.clone(),
                }),
            })
            .collect()
    }
}

/// What a sparse row leaves out: zero, the first declared value, or nothing for texts.
fn push_zero(column: &mut Values, attribute: &Attribute) {
    match column {
        Values::Numeric(values) | Values::Date(values) => values.push(0.0),
        Values::Text(values) => values.push(None),
        Values::Categorical(values) => {
            values.codes.push(if attribute.levels.is_empty() {
                MISSING_CODE
            } else {
                0
            });
        }
        Values::Boolean(truths) => truths.values.push(None),
        _ => {}
    }
}

impl Chunks for ArffReader {
    fn next_chunk(&mut self, rows: usize) -> Result<Option<Table>> {
        let mut columns = self.empty_columns();
        let mut lines = Vec::new();
        let mut budget = Budget::new(&self.options);
        while lines.len() < rows {
            if lines.len().is_multiple_of(STRIDE) {
                self.options.check_cancel()?;
            }
            if !self.next_row(&mut columns, lines.len())? {
                break;
            }
            let bytes = self.lines.length + 8 * columns.len() + 4;
            budget.add(bytes, &self.lines.file)?;
            lines.push(u32::try_from(self.lines.number).unwrap_or(u32::MAX));
        }
        if lines.is_empty() {
            return Ok(None);
        }
        let mut done = Vec::with_capacity(columns.len());
        for (index, values) in columns.into_iter().enumerate() {
            done.push(match values {
                Values::Text(texts) => self.strings(index, &texts, &lines)?,
                values => Column::new(self.attributes[index].name.clone(), values),
            });
        }
        if self.known.is_empty() {
            self.known = done.iter().map(Known::of).collect();
        }
        let name = self.lines.file.clone();
        convert::table(done, Origin { name, lines }, &self.options).map(Some)
    }

    fn empty(&self) -> &'static str {
        "there is no row after `@data`"
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::{Source, read, stream};

    const HEAD: &str = "% c\n@RELATION r\n@Attribute size numeric\n@attribute 'a b' {red, 'dark blue',green}\n\
        @attribute note string\n@attribute day date\n@data\n";

    fn table(text: &str) -> Result<Table> {
        read(
            &Source::bytes("w.arff", text.as_bytes()),
            &ReadOptions::default(),
        )
    }

    fn message(text: &str) -> String {
        let error = table(text).expect_err("refused");
        assert!(!error.hints().is_empty(), "{error} has no hint");
        error.to_string()
    }

    fn row_message(row: &str) -> String {
        message(&format!("{HEAD}{row}\n"))
    }

    #[test]
    fn dense_rows() {
        let t = table(&format!(
            "{HEAD}1.5, 'dark blue', 'it\\'s', 2024-01-01\n% c\n?,?,?,?\n"
        ))
        .expect("readable");
        assert_eq!(t.names(), ["size", "a b", "note", "day"]);
        assert_eq!(t.origin().lines, [8, 10]);
        let Values::Categorical(c) = &t.columns()[1].values else {
            panic!("nominal")
        };
        assert_eq!(c.levels, ["red", "dark blue", "green"]);
        assert_eq!(c.codes, [1, MISSING_CODE]);
        assert_eq!(t.columns()[2].values.text(0).as_deref(), Some("it's"));
        assert!(t.columns().iter().all(|c| c.values.is_missing(1)));
    }

    #[test]
    fn sparse_rows() {
        let t = table(&format!(
            "{HEAD}{{0 2, 1 green}}\n{{}}\n{{ 3 2024-01-01 }}\n"
        ))
        .expect("readable");
        assert_eq!(t.columns()[0].values, Values::Numeric(vec![2.0, 0.0, 0.0]));
        let Values::Categorical(c) = &t.columns()[1].values else {
            panic!("nominal")
        };
        assert_eq!(c.codes, [2, 0, 0]);
    }

    #[test]
    fn bad_rows_are_placed() {
        for (row, expected) in [
            ("x,red,n,?", "line 8, column `size`: `x` is not a number"),
            (
                "1e999,red,n,?",
                "line 8, column `size`: `1e999` is not a finite number",
            ),
            (
                "1,pink,n,?",
                "line 8, column `a b`: `pink` is not a declared value",
            ),
            (
                "1,red,n,31.1.2024",
                "line 8, column `day`: `31.1.2024` is not an ISO 8601 date",
            ),
            ("1,red", "line 8: the row has 2 fields; 4 expected"),
            ("1,red,n,?,5,6", "line 8: the row has 6 fields; 4 expected"),
            ("1,,n,?", "line 8, column 3: attribute `a b` has no value"),
            (
                "1,'red,n,?",
                "line 8, column 3: the quote that opens here is never closed",
            ),
            (
                "1,red,n,?,{5}",
                "line 8, column 11: text after the row; instance weights are not read",
            ),
            (
                "{0 1}, {5}",
                "line 8, column 7: text after the row; instance weights are not read",
            ),
            (
                "{9 1}",
                "line 8, column 2: `9` is not an attribute number from 0 to 3",
            ),
            (
                "{1 red, 0 2}",
                "line 8, column 9: `0` is not an attribute number from 2 to 3",
            ),
            ("{0 1", "line 8, column 5: the sparse row is not closed"),
        ] {
            assert_eq!(row_message(row), format!("w.arff, {expected}"), "{row}");
        }
        let error = table(&format!("{HEAD}1,pink,n,?\n")).expect_err("unknown value");
        assert_eq!(error.hints(), ["declared: red, dark blue, green"]);
    }

    #[test]
    fn dates_are_read_as_declared() {
        let text = "@relation r\n@attribute a date 'dd/MM/yyyy'\n@data\n'26/11/2023'\n?\n";
        let t = table(text).expect("readable");
        assert_eq!(t.columns()[0].values.text(0).as_deref(), Some("1700956800"));
        assert!(t.columns()[0].values.is_missing(1));
        let wrong = text.replace("26/11/2023", "11/26/2023");
        assert_eq!(
            message(&wrong),
            "w.arff, line 4, column `a`: `11/26/2023` is not a date written as `%d/%m/%Y`"
        );
    }

    #[test]
    fn bad_headers_are_placed() {
        for (text, expected) in [
            ("", ": there is no `@data` line"),
            (
                "@relation r\n1,2\n",
                ", line 2, column 1: `1,2` stands before `@data`",
            ),
            (
                "@data\n",
                ", line 1, column 1: `@data` comes before any `@attribute`",
            ),
            (
                "@atribute a numeric\n",
                ", line 1, column 1: `@atribute` is not a declaration",
            ),
            (
                "@attribute a relational\n",
                ", line 1, column 14: `relational` is not a type",
            ),
            (
                "@attribute a {x,x}\n",
                ", line 1, column 17: `x` is declared twice",
            ),
            (
                "@attribute a {x\n",
                ", line 1, column 16: the list of values is not closed",
            ),
            (
                "@attribute a {}\n",
                ", line 1, column 15: the attribute `a` has no values",
            ),
            (
                "@attribute\n",
                ", line 1, column 11: the attribute has no name",
            ),
            (
                "@attribute a date 'QQ.yyyy'\n",
                ", line 1, column 19: the date format `QQ.yyyy` is not read",
            ),
            (
                "@attribute a real\n@attribute a real\n",
                ", line 2, column 1: the attribute `a` is declared on line 1 already",
            ),
            (
                "@attribute a real\n@data\n",
                ": there is no row after `@data`",
            ),
        ] {
            assert_eq!(message(text), format!("w.arff{expected}"), "{text}");
        }
    }

    #[test]
    fn chunks_keep_all_levels() {
        let source = Source::bytes(
            "w.arff",
            format!("{HEAD}1,red,n,?\n2,green,n,?\n").into_bytes(),
        );
        let chunks: Vec<Table> = stream(&source, &ReadOptions::default(), 1)
            .expect("opened")
            .map(|t| t.expect("readable"))
            .collect();
        let Values::Categorical(c) = &chunks[1].columns()[1].values else {
            panic!("nominal")
        };
        assert_eq!((c.levels.len(), &c.codes[..]), (3, &[2][..]));
    }

    #[test]
    fn sparse_rows_cannot_explode() {
        let text = format!("{HEAD}{}", "{}\n".repeat(10));
        let options = ReadOptions::default();
        let opened = Source::bytes("w.arff", text.into_bytes())
            .open(None)
            .expect("opened");
        let mut reader = ArffReader::open(opened, &options).expect("a header");
        reader.max_sparse_cells = 20;
        let error = reader.next_chunk(100).expect_err("too many cells");
        assert_eq!(
            error.to_string(),
            "w.arff: 6 sparse rows of 4 attributes are too many to be written out"
        );
    }
}
