//! Lines of text with their numbers, checked as they are read.

use std::io::{BufRead, Read};

use mercer::hint::{Act, Hint, Word};

use super::source::Opened;
use crate::error::shorten_bytes;
use crate::{Error, Result};

/// Reads lines; each is UTF-8, has no NUL and no line end, and is at most `limit` bytes long.
pub(crate) struct Lines {
    pub(crate) file: String,
    /// The number of the line read last.
    pub(crate) number: usize,
    /// Its length in bytes.
    pub(crate) length: usize,
    reader: Box<dyn BufRead + Send>,
    limit: usize,
}

impl Lines {
    pub(crate) fn new(opened: Opened, limit: usize) -> Self {
        Self {
            file: opened.name,
            number: 0,
            length: 0,
            reader: opened.reader,
            limit,
        }
    }

    /// Replaces `line` by the next line; returns whether there was one.
    pub(crate) fn next(&mut self, line: &mut Vec<u8>) -> Result<bool> {
        line.clear();
        self.append(line)
    }

    /// Passes over lines, which must be text all the same.
    pub(crate) fn skip(&mut self, count: usize) -> Result<()> {
        let mut line = Vec::new();
        for _ in 0..count {
            if !self.next(&mut line)? {
                break;
            }
        }
        Ok(())
    }

    /// Appends the next line to `line`; returns whether there was one.
    pub(crate) fn append(&mut self, line: &mut Vec<u8>) -> Result<bool> {
        let start = line.len();
        let limit = self.limit as u64 + 2;
        let read = self
            .reader
            .by_ref()
            .take(limit)
            .read_until(b'\n', line)
            .map_err(|e| Error::io(&self.file, e))?;
        if read == 0 {
            return Ok(false);
        }
        self.number += 1;
        self.length = read;
        if line.last() == Some(&b'\n') {
            line.pop();
            if line.len() > start && line.last() == Some(&b'\r') {
                line.pop();
            }
        }
        if line.len() - start > self.limit {
            return Err(self.syntax(
                1,
                format!("the line is longer than {} bytes", self.limit),
                long_field(),
            ));
        }
        if self.number == 1 && line[start..].starts_with(b"\xef\xbb\xbf") {
            line.drain(start..start + 3);
        }
        self.check(&line[start..])?;
        Ok(true)
    }

    fn check(&self, line: &[u8]) -> Result<()> {
        if let Err(error) = std::str::from_utf8(line) {
            let at = error.valid_up_to();
            return Err(self.syntax(
                column_of(line, at),
                format!("byte {:#04x} is not UTF-8 text", line[at]),
                "convert the file, such as with `iconv -f LATIN1 -t UTF-8`, or name its format",
            ));
        }
        if let Some(at) = line.iter().position(|&b| b == 0) {
            return Err(self.syntax(
                column_of(line, at),
                "a NUL byte; this is not a text file".to_owned(),
                "name the file's format, or export it as text",
            ));
        }
        if self.number == 1
            && let Some(at) = line.iter().position(|&b| b == b'\r')
        {
            return Err(self.syntax(
                column_of(line, at),
                "lines end with carriage returns alone".to_owned(),
                "convert the line ends, such as with `tr '\\r' '\\n'`",
            ));
        }
        Ok(())
    }

    /// An error at a character of the present line.
    pub(crate) fn syntax(&self, column: usize, problem: String, cure: impl Into<Hint>) -> Error {
        self.syntax_at(self.number, column, problem, cure)
    }

    /// An error at a character of any line.
    pub(crate) fn syntax_at(
        &self,
        line: usize,
        column: usize,
        problem: String,
        cure: impl Into<Hint>,
    ) -> Error {
        Error::Syntax {
            file: self.file.clone(),
            line,
            column,
            problem,
            cure: cure.into(),
        }
    }

    /// An error about a word of the present line; `word` must lie inside `line`.
    pub(crate) fn bad_word(
        &self,
        line: &[u8],
        at: usize,
        word: &[u8],
        problem: &str,
        cure: impl Into<Hint>,
    ) -> Error {
        let problem = format!("`{}` {problem}", shorten_bytes(word));
        self.syntax(column_of(line, at), problem, cure)
    }
}

/// What to do about a line or a field that is longer than the limit.
pub(crate) fn long_field() -> Hint {
    Hint::from("see whether a quote or a line end is missing; if it is meant to be so long, ")
        .word(Word::Act(Act::AllowLongFields))
}

/// The one-based character position of a byte offset.
pub(crate) fn column_of(line: &[u8], offset: usize) -> usize {
    let before = &line[..offset.min(line.len())];
    // Continuation bytes are not characters of their own.
    before.iter().filter(|&&b| b & 0xc0 != 0x80).count() + 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::Source;

    fn lines(data: &[u8], limit: usize) -> Result<Vec<String>> {
        let mut lines = Lines::new(Source::bytes("t.txt", data).open(None)?, limit);
        let mut line = Vec::new();
        let mut all = Vec::new();
        while lines.next(&mut line)? {
            all.push(String::from_utf8(line.clone()).expect("checked"));
        }
        Ok(all)
    }

    fn message(data: &[u8]) -> String {
        lines(data, 10).expect_err("refused").to_string()
    }

    #[test]
    fn line_ends_and_mark_are_removed() {
        assert_eq!(
            lines(b"\xef\xbb\xbfa\r\nb\n\nc", 10).expect("lines"),
            ["a", "b", "", "c"]
        );
        assert!(lines(b"", 10).expect("lines").is_empty());
    }

    #[test]
    fn bad_bytes_are_placed() {
        assert_eq!(
            message(b"ok\n\xc3\xa4\xe4x\n"),
            "t.txt, line 2, column 2: byte 0xe4 is not UTF-8 text"
        );
        assert_eq!(
            message(b"a\0b"),
            "t.txt, line 1, column 2: a NUL byte; this is not a text file"
        );
        assert_eq!(
            message(b"a\rb"),
            "t.txt, line 1, column 2: lines end with carriage returns alone"
        );
    }

    #[test]
    fn long_lines_are_refused_without_being_read() {
        assert_eq!(
            message(b"0123456789\n01234567890\n"),
            "t.txt, line 2, column 1: the line is longer than 10 bytes"
        );
    }
}
