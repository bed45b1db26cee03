//! Cuts text into records of fields.
//!
//! A field may stand in quotes, and must when it holds a delimiter, a quote (then doubled) or a
//! line end. Spaces around a field do not belong to it; spaces inside quotes do. A quote inside
//! an unquoted field is an ordinary character. Empty lines are passed over, and so are lines that
//! begin with the mark of comments. Where fields are separated by blanks, a run of spaces and tabs
//! is one delimiter.

use crate::error::shorten_bytes;
use crate::read::lines::{Lines, column_of};
use crate::{Error, Result};

/// One record; a buffer that is used again for the next.
#[derive(Debug, Default, Clone, PartialEq)]
pub(crate) struct Record {
    bytes: Vec<u8>,
    ends: Vec<usize>,
    /// The line on which the record starts.
    pub(crate) line: usize,
}

impl Record {
    /// Fields that were cut already.
    pub(crate) fn of(fields: &[&[u8]], line: usize) -> Self {
        let mut record = Self::default();
        record.clear(line);
        for field in fields {
            record.push(field);
        }
        record
    }

    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    pub(crate) fn fields(&self) -> impl Iterator<Item = &[u8]> {
        let mut start = 0;
        self.ends.iter().map(move |&end| {
            let field = &self.bytes[start..end];
            start = end;
            field
        })
    }

    pub(crate) fn field(&self, index: usize) -> &[u8] {
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        &self.bytes[start..self.ends[index]]
    }

    fn clear(&mut self, line: usize) {
        self.bytes.clear();
        self.ends.clear();
        self.line = line;
    }

    fn push(&mut self, field: &[u8]) {
        self.bytes.extend_from_slice(field);
        self.ends.push(self.bytes.len());
    }
}

/// How lines are cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Cut {
    /// The byte between fields; a space stands for any run of blanks.
    pub(crate) delimiter: u8,
    pub(crate) quote: u8,
    /// What begins a line that is no record.
    pub(crate) comment: Option<u8>,
}

/// Reads records.
pub(crate) struct Records {
    pub(crate) lines: Lines,
    pub(crate) delimiter: u8,
    quote: u8,
    comment: Option<u8>,
    limit: usize,
    buffer: Vec<u8>,
}

/// Where a quoted field opened.
struct Opening {
    line: usize,
    column: usize,
}

impl Records {
    pub(crate) fn new(lines: Lines, cut: Cut, limit: usize) -> Self {
        Self {
            lines,
            delimiter: cut.delimiter,
            quote: cut.quote,
            comment: cut.comment,
            limit,
            buffer: Vec::new(),
        }
    }

    /// Replaces `record` by the next one; returns whether there was one.
    pub(crate) fn next(&mut self, record: &mut Record) -> Result<bool> {
        loop {
            if !self.lines.next(&mut self.buffer)? {
                return Ok(false);
            }
            let first = self.buffer.iter().find(|&&b| !self.is_space(b));
            if first.is_some_and(|b| Some(*b) != self.comment) {
                break;
            }
        }
        record.clear(self.lines.number);
        if self.delimiter == b' ' {
            self.split_blanks(record)?;
        } else if self.buffer.contains(&self.quote) {
            self.split_quoted(record)?;
        } else {
            for field in self.buffer.split(|&b| b == self.delimiter) {
                record.push(trim(field, self.delimiter));
            }
        }
        Ok(true)
    }

    /// Whether a byte alone makes no record.
    fn is_space(&self, byte: u8) -> bool {
        byte == b' ' || (self.delimiter == b' ' && byte == b'\t')
    }

    /// Cuts a line at runs of blanks; those at its ends separate nothing.
    fn split_blanks(&mut self, record: &mut Record) -> Result<()> {
        let is_between = |b: &u8| *b == b' ' || *b == b'\t';
        let (mut at, mut line_start) = (0, 0);
        loop {
            at += self.buffer[at..]
                .iter()
                .take_while(|b| is_between(b))
                .count();
            match self.buffer.get(at) {
                None => return Ok(()),
                Some(b) if *b == self.quote => {
                    at = self.quoted_field(record, at, &mut line_start)?;
                    if self.buffer.get(at).is_some_and(|b| !is_between(b)) {
                        return Err(self.after_closing(at, line_start));
                    }
                }
                Some(_) => {
                    let rest = &self.buffer[at..];
                    let length = rest.iter().position(is_between).unwrap_or(rest.len());
                    record.push(&rest[..length]);
                    at += length;
                }
            }
        }
    }

    fn split_quoted(&mut self, record: &mut Record) -> Result<()> {
        // The start of the field, and of the line that the scan has reached.
        let mut at = 0;
        let mut line_start = 0;
        loop {
            let blank = self.buffer[at..]
                .iter()
                .take_while(|&&b| is_blank(b, self.delimiter))
                .count();
            if self.buffer.get(at + blank) == Some(&self.quote) {
                at = self.quoted_field(record, at + blank, &mut line_start)?;
                at = self.after_quote(at, line_start)?;
            } else {
                let rest = &self.buffer[at..];
                let length = rest.iter().position(|&b| b == self.delimiter);
                let length = length.unwrap_or(rest.len());
                record.push(trim(&rest[..length], self.delimiter));
                at += length;
            }
            if at >= self.buffer.len() {
                return Ok(());
            }
            // The delimiter; a field follows even when nothing stands after it.
            at += 1;
        }
    }

    /// Reads a field from its opening quote; returns the offset after the closing one.
    fn quoted_field(
        &mut self,
        record: &mut Record,
        open: usize,
        line_start: &mut usize,
    ) -> Result<usize> {
        let opening = Opening {
            line: self.lines.number,
            column: column_of(&self.buffer[*line_start..], open - *line_start),
        };
        let mut at = open + 1;
        let field_start = record.bytes.len();
        loop {
            let rest = &self.buffer[at..];
            let Some(length) = rest.iter().position(|&b| b == self.quote) else {
                record.bytes.extend_from_slice(rest);
                record.bytes.push(b'\n');
                if record.bytes.len() - field_start > self.limit {
                    let problem = format!("the quoted field is longer than {} bytes", self.limit);
                    return Err(self.unclosed(&opening, problem));
                }
                // What was copied need not be kept in the buffer.
                self.buffer.clear();
                if !self.lines.append(&mut self.buffer)? {
                    let problem = "the quote that opens here is never closed".to_owned();
                    return Err(self.unclosed(&opening, problem));
                }
                (at, *line_start) = (0, 0);
                continue;
            };
            record.bytes.extend_from_slice(&rest[..length]);
            at += length + 1;
            if self.buffer.get(at) == Some(&self.quote) {
                record.bytes.push(self.quote);
                at += 1;
            } else {
                record.ends.push(record.bytes.len());
                return Ok(at);
            }
        }
    }

    /// Passes spaces after a closing quote; anything else before the delimiter is an error.
    fn after_quote(&self, at: usize, line_start: usize) -> Result<usize> {
        let rest = &self.buffer[at..];
        let blank = rest
            .iter()
            .take_while(|&&b| is_blank(b, self.delimiter))
            .count();
        match rest.get(blank) {
            None => Ok(self.buffer.len()),
            Some(&b) if b == self.delimiter => Ok(at + blank),
            Some(_) => Err(self.after_closing(at + blank, line_start)),
        }
    }

    fn after_closing(&self, at: usize, line_start: usize) -> Error {
        self.lines.syntax(
            column_of(&self.buffer[line_start..], at - line_start),
            format!(
                "`{}` follows a closing quote",
                shorten_bytes(&self.buffer[at..])
            ),
            "double the quotes inside a quoted field, or name another quote character",
        )
    }

    fn unclosed(&self, opening: &Opening, problem: String) -> Error {
        self.lines.syntax_at(
            opening.line,
            opening.column,
            problem,
            "close the quote, or name another quote character",
        )
    }
}

fn is_blank(byte: u8, delimiter: u8) -> bool {
    (byte == b' ' || byte == b'\t') && byte != delimiter
}

fn trim(field: &[u8], delimiter: u8) -> &[u8] {
    let start = field
        .iter()
        .take_while(|&&b| is_blank(b, delimiter))
        .count();
    let field = &field[start..];
    let end = field
        .iter()
        .rev()
        .take_while(|&&b| is_blank(b, delimiter))
        .count();
    &field[..field.len() - end]
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::read::Source;

    fn records(text: &[u8], limit: usize) -> Result<Vec<(usize, Vec<String>)>> {
        records_at(b',', text, limit)
    }

    fn records_at(delimiter: u8, text: &[u8], limit: usize) -> Result<Vec<(usize, Vec<String>)>> {
        let lines = Lines::new(Source::bytes("a.csv", text).open(None)?, 1 << 20);
        let cut = Cut {
            delimiter,
            quote: b'"',
            comment: Some(b'%'),
        };
        let mut records = Records::new(lines, cut, limit);
        let mut record = Record::default();
        let mut all = Vec::new();
        while records.next(&mut record)? {
            let fields = record
                .fields()
                .map(|f| String::from_utf8_lossy(f).into_owned());
            all.push((record.line, fields.collect()));
        }
        Ok(all)
    }

    fn message(text: &str) -> String {
        records(text.as_bytes(), 20)
            .expect_err("refused")
            .to_string()
    }

    fn fields(text: &str) -> Vec<String> {
        let mut all = records(text.as_bytes(), 1000).expect("records");
        assert_eq!(all.len(), 1, "{all:?}");
        all.remove(0).1
    }

    #[test]
    fn fields_are_cut() {
        assert_eq!(fields("a,b"), ["a", "b"]);
        assert_eq!(fields("a,,"), ["a", "", ""]);
        assert_eq!(fields(" a\t, b c "), ["a", "b c"]);
        assert_eq!(
            fields(r#""a,b", "c""d" ,"""#.trim_end_matches('"')),
            ["a,b", "c\"d", ""]
        );
        assert_eq!(fields(r#""",x"#), ["", "x"]);
        assert_eq!(fields(r#"5" pipe,x"#), ["5\" pipe", "x"]);
        assert_eq!(fields("\"a\nb\",\" c \""), ["a\nb", " c "]);
    }

    #[test]
    fn runs_of_blanks_are_one_delimiter() {
        let text = b"  a \t b\n \t\n1  \"x  y\" \n%\n\"\" z%\n";
        let all = records_at(b' ', text, 100).expect("records");
        let expected = [(1, ["a", "b"]), (3, ["1", "x  y"]), (5, ["", "z%"])];
        assert_eq!(
            all,
            expected.map(|(l, f)| (l, f.map(str::to_owned).to_vec()))
        );
        let error = records_at(b' ', b"a \"b\"c d\n", 100).expect_err("refused");
        assert_eq!(
            error.to_string(),
            "a.csv, line 1, column 6: `c d` follows a closing quote"
        );
    }

    #[test]
    fn comments_are_no_records() {
        let all = records(b"%a\na,b\n  % c,d\n\"%x\",\"\n%\"\n", 100).expect("records");
        let lines: Vec<usize> = all.iter().map(|(l, _)| *l).collect();
        assert_eq!(lines, [2, 4]);
        assert_eq!(all[1].1, ["%x", "\n%"]);
    }

    #[test]
    fn lines_are_counted() {
        let all = records(b"a\r\n\r\n\"b\nb\"\n   \nc\n", 100).expect("records");
        let lines: Vec<usize> = all.iter().map(|(l, _)| *l).collect();
        assert_eq!(lines, [1, 3, 6]);
    }

    #[test]
    fn open_quotes_are_placed_where_they_open() {
        assert_eq!(
            message("a,b\n1,2\n3, \"x\n5,6\n7,8\n"),
            "a.csv, line 3, column 4: the quote that opens here is never closed"
        );
        let long = format!("a\nä,\"{}", "0123456789\n".repeat(5));
        assert_eq!(
            message(&long),
            "a.csv, line 2, column 3: the quoted field is longer than 20 bytes"
        );
        assert_eq!(
            message("\"a\nb\" c,d"),
            "a.csv, line 2, column 4: `c,d` follows a closing quote"
        );
    }

    proptest! {
        #[test]
        fn agrees_with_the_csv_crate(
            table in proptest::collection::vec(proptest::collection::vec("[a-c\",\n ]{0,6}", 2), 1..6)
        ) {
            let mut writer = csv::WriterBuilder::new()
                .quote_style(csv::QuoteStyle::Always)
                .from_writer(Vec::new());
            for row in &table {
                writer.write_record(row).expect("memory");
            }
            let text = writer.into_inner().expect("memory");
            let read: Vec<Vec<String>> = records(&text, 1000).expect("records").into_iter().map(|r| r.1).collect();
            prop_assert_eq!(read, table);
        }

        #[test]
        fn arbitrary_bytes_do_not_panic(bytes in proptest::collection::vec(prop_oneof![
            any::<u8>(), Just(b'"'), Just(b','), Just(b'\n')
        ], 0..200)) {
            let _ = records(&bytes, 50);
        }
    }
}
