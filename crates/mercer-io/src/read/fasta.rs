//! FASTA: `>id description`, then lines of sequence.
//!
//! The table has the text columns `id`, `description` and `sequence`. Spaces inside a sequence
//! are dropped; letters keep their case. Lines that start with `;` are comments.

use mercer::data::{Column, Origin, Table, Values};

use super::cells::STRIDE;
use super::limit::Budget;
use super::lines::{Lines, column_of, long_field};
use super::source::Opened;
use super::{Chunks, ReadOptions, convert};
use crate::Result;

/// Reads a FASTA file in chunks of records.
pub(crate) struct FastaReader {
    lines: Lines,
    options: ReadOptions,
    /// The header line that ended the record before, with its number.
    header: Option<(String, usize)>,
    line: Vec<u8>,
}

impl FastaReader {
    pub(crate) fn open(opened: Opened, options: &ReadOptions) -> Self {
        Self {
            lines: Lines::new(opened, options.max_field),
            options: options.clone(),
            header: None,
            line: Vec::new(),
        }
    }

    /// Reads lines up to the next header, appending sequence; returns whether a header came.
    fn advance(&mut self, sequence: &mut String, inside: bool) -> Result<bool> {
        self.header = None;
        while self.lines.next(&mut self.line)? {
            let text = self.line.trim_ascii();
            if let Some(header) = text.strip_prefix(b">") {
                let header = String::from_utf8_lossy(header.trim_ascii()).into_owned();
                self.header = Some((header, self.lines.number));
                return Ok(true);
            }
            if text.is_empty() || text.starts_with(b";") {
                continue;
            }
            if !inside {
                let start = self.line.len() - self.line.trim_ascii_start().len();
                let cure = "start every record with a line `>name`";
                let problem = "comes before the first `>`";
                return Err(self.lines.bad_word(&self.line, start, text, problem, cure));
            }
            if let Some(at) = self
                .line
                .iter()
                .position(|b| b.is_ascii_control() && *b != b'\t')
            {
                let problem = "a control character in a sequence".to_owned();
                let cure = "keep letters, `-` and `*` only";
                return Err(self.lines.syntax(column_of(&self.line, at), problem, cure));
            }
            // Lines are checked to be UTF-8.
            let text = String::from_utf8_lossy(text);
            sequence.extend(text.chars().filter(|c| !c.is_whitespace()));
            if sequence.len() > self.options.max_field {
                let problem = format!(
                    "the sequence is longer than {} bytes",
                    self.options.max_field
                );
                return Err(self.lines.syntax(1, problem, long_field()));
            }
        }
        Ok(false)
    }
}

impl Chunks for FastaReader {
    fn next_chunk(&mut self, rows: usize) -> Result<Option<Table>> {
        let names = ["id", "description", "sequence"].map(str::to_owned);
        let mut ids = Vec::new();
        let mut descriptions = Vec::new();
        let mut sequences = Vec::new();
        let mut lines = Vec::new();
        let mut budget = Budget::new(&self.options);
        if self.header.is_none() && !self.advance(&mut String::new(), self.lines.number > 0)? {
            return Ok(None);
        }
        while lines.len() < rows {
            if lines.len().is_multiple_of(STRIDE) {
                self.options.check_cancel()?;
            }
            let Some((header, number)) = self.header.take() else {
                break;
            };
            let mut sequence = String::new();
            self.advance(&mut sequence, true)?;
            let mut words = header.splitn(2, char::is_whitespace);
            let id = words.next().unwrap_or_default().to_owned();
            if sequence.is_empty() {
                let problem = format!(
                    "the record `{}` has no sequence",
                    crate::error::shorten(&id)
                );
                let cure = "remove the record, or add its sequence below the `>` line";
                return Err(self.lines.syntax_at(number, 1, problem, cure));
            }
            let description = words.next().map(|d| d.trim().to_owned());
            ids.push((!id.is_empty()).then_some(id));
            descriptions.push(description.filter(|d| !d.is_empty()));
            let bytes = header.len() + sequence.len() + 3 * size_of::<String>();
            budget.add(bytes, &self.lines.file)?;
            sequences.push(Some(sequence));
            lines.push(u32::try_from(number).unwrap_or(u32::MAX));
        }
        let [id, description, sequence] = names;
        let columns = vec![
            Column::new(id, Values::Text(ids)),
            Column::new(description, Values::Text(descriptions)),
            Column::new(sequence, Values::Text(sequences)),
        ];
        let name = self.lines.file.clone();
        convert::table(columns, Origin { name, lines }, &self.options).map(Some)
    }

    fn empty(&self) -> &'static str {
        "there are no records"
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::{Source, read, stream};

    fn table(text: &str) -> Result<Table> {
        read(
            &Source::bytes("p.fasta", text.as_bytes()),
            &ReadOptions::default(),
        )
    }

    fn texts(table: &Table, name: &str) -> Vec<Option<String>> {
        match &table.column(name).expect("a column").values {
            Values::Text(texts) => texts.clone(),
            other => panic!("unexpected {other:?}"),
        }
    }

    fn message(text: &str) -> String {
        table(text).expect_err("refused").to_string()
    }

    #[test]
    fn records_are_read() {
        let t = table("; old\n>a  first one \nACg\n T-\n\n>b\r\nKK*\r\n").expect("readable");
        assert_eq!(texts(&t, "id"), [Some("a".into()), Some("b".into())]);
        assert_eq!(texts(&t, "description"), [Some("first one".into()), None]);
        assert_eq!(
            texts(&t, "sequence"),
            [Some("ACgT-".into()), Some("KK*".into())]
        );
        assert_eq!(t.origin().lines, [2, 6]);
    }

    #[test]
    fn bad_records_are_placed() {
        assert_eq!(
            message("  ACGT\n>a\n"),
            "p.fasta, line 1, column 3: `ACGT` comes before the first `>`"
        );
        assert_eq!(
            message(">a\nA\n>b x\n>c\nA\n"),
            "p.fasta, line 3, column 1: the record `b` has no sequence"
        );
        assert_eq!(
            message(">a\nA\u{1}C\n"),
            "p.fasta, line 2, column 2: a control character in a sequence"
        );
        assert_eq!(message(""), "p.fasta: there are no records");
    }

    #[test]
    fn chunks_follow_each_other() {
        let source = Source::bytes("p.fa", &b">a\nA\n>b\nC\n>c\nG\n"[..]);
        let chunks: Vec<usize> = stream(&source, &ReadOptions::default(), 2)
            .expect("opened")
            .map(|t| t.expect("readable").rows())
            .collect();
        assert_eq!(chunks, [2, 1]);
    }
}
