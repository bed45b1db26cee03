//! Lines of text, one after the other.

use std::io::{BufRead, Read};

use super::ReadFault;

/// Where a reader takes its lines from.
///
/// The crate's own line reader fits as it is; [`TextLines`] reads anything in memory.
pub(crate) trait LineSource {
    /// What can go wrong while reading.
    type Error: From<ReadFault>;

    /// Replaces `line` by the next line without its end; returns whether there was one.
    fn next(&mut self, line: &mut String) -> Result<bool, Self::Error>;

    /// Returns the number of the line read last.
    fn number(&self) -> usize;
}

/// Lines of any reader; line ends of Unix and Windows are removed.
#[derive(Debug)]
pub(crate) struct TextLines<R> {
    reader: R,
    number: usize,
    /// Bytes of the longest line.
    limit: usize,
}

impl<R: BufRead> TextLines<R> {
    /// Wraps a reader; longer lines than `limit` bytes are refused.
    pub(crate) fn new(reader: R, limit: usize) -> Self {
        Self {
            reader,
            number: 0,
            limit,
        }
    }
}

impl<R: BufRead> LineSource for TextLines<R> {
    type Error = ReadFault;

    fn next(&mut self, line: &mut String) -> Result<bool, ReadFault> {
        let mut bytes = Vec::new();
        let whole = self.reader.by_ref().take(self.limit as u64 + 2);
        let read = { whole }.read_until(b'\n', &mut bytes);
        let read =
            read.map_err(|e| ReadFault::new(self.number + 1, e.to_string(), "check the file"))?;
        if read == 0 {
            return Ok(false);
        }
        self.number += 1;
        if bytes.trim_ascii_end().len() > self.limit {
            return Err(ReadFault::new(
                self.number,
                format!("the line is longer than {} bytes", self.limit),
                "check that the file is of this format",
            ));
        }
        line.clear();
        match std::str::from_utf8(&bytes) {
            Ok(text) => {
                let text = text.strip_suffix('\n').unwrap_or(text);
                line.push_str(text.strip_suffix('\r').unwrap_or(text));
                Ok(true)
            }
            Err(_) => Err(ReadFault::new(
                self.number,
                "the line is not UTF-8 text",
                "convert the file, such as with `iconv -f LATIN1 -t UTF-8`",
            )),
        }
    }

    fn number(&self) -> usize {
        self.number
    }
}
