//! What a user may say about a file instead of having it recognised.

use std::time::Instant;

use mercer::data::Kind;
use mercer::fit::{Cancel, available_memory};

use super::Format;
use super::limit::Watch;
use crate::{Error, Result};

/// The longest field and line, unless told otherwise: 64 MiB.
const MAX_FIELD: usize = 64 << 20;

/// How to read a file; everything left out is recognised.
#[derive(Debug, Clone)]
pub struct ReadOptions {
    /// The format; otherwise by the file's name, then by its content.
    pub format: Option<Format>,
    /// CSV: the byte between fields.
    pub delimiter: Option<u8>,
    /// CSV: the byte around fields that hold delimiters; `"` by default.
    pub quote: Option<u8>,
    /// CSV: whether the first row holds the names.
    pub header: Option<bool>,
    /// CSV: the texts that stand for a missing value; [`mercer::data::MISSING`] by default.
    pub missing: Option<Vec<String>>,
    /// Columns whose kind is set by the user; every name must occur.
    pub kinds: Vec<(String, Kind)>,
    /// Kinds known beforehand, such as from a model; names that do not occur are passed over, and a
    /// column with cells that do not fit is read as texts, for the model to name those cells.
    pub schema: Vec<(String, Kind)>,
    /// LIBSVM: the lines have no label.
    pub unlabelled: bool,
    /// LIBSVM: the first index is 0, as in files of precomputed kernels (`0:serial`).
    pub zero_based: bool,
    /// LIBSVM: the width of the vectors; otherwise the largest index of the file.
    pub width: Option<usize>,
    /// The longest field and line, in bytes.
    pub max_field: usize,
    /// Bytes that the rows may take in memory; a chunk of them where a file is read in chunks.
    /// Half of what the process may take unless set.
    pub limit: u64,
    /// When reading stops.
    pub deadline: Option<Instant>,
    /// Stops reading.
    pub cancel: Option<Cancel>,
}

impl Default for ReadOptions {
    fn default() -> Self {
        Self {
            format: None,
            delimiter: None,
            quote: None,
            header: None,
            missing: None,
            kinds: Vec::new(),
            schema: Vec::new(),
            unlabelled: false,
            zero_based: false,
            width: None,
            max_field: MAX_FIELD,
            limit: available_memory() / 2,
            deadline: None,
            cancel: None,
        }
    }
}

impl ReadOptions {
    /// Sets the format.
    pub fn format(mut self, format: Format) -> Self {
        self.format = Some(format);
        self
    }

    /// Sets the byte between fields.
    pub fn delimiter(mut self, delimiter: u8) -> Self {
        self.delimiter = Some(delimiter);
        self
    }

    /// Sets the byte around fields.
    pub fn quote(mut self, quote: u8) -> Self {
        self.quote = Some(quote);
        self
    }

    /// Sets whether the first row holds the names.
    pub fn header(mut self, header: bool) -> Self {
        self.header = Some(header);
        self
    }

    /// Sets the texts that stand for a missing value.
    pub fn missing<S: Into<String>>(mut self, texts: impl IntoIterator<Item = S>) -> Self {
        self.missing = Some(texts.into_iter().map(Into::into).collect());
        self
    }

    /// Adds a column whose kind is set.
    pub fn kind(mut self, column: impl Into<String>, kind: Kind) -> Self {
        self.kinds.push((column.into(), kind));
        self
    }

    /// Sets the kinds known beforehand.
    pub fn schema(mut self, schema: Vec<(String, Kind)>) -> Self {
        self.schema = schema;
        self
    }

    /// Sets whether LIBSVM lines have no label.
    pub fn unlabelled(mut self, unlabelled: bool) -> Self {
        self.unlabelled = unlabelled;
        self
    }

    /// Sets whether LIBSVM indices start at 0.
    pub fn zero_based(mut self, zero_based: bool) -> Self {
        self.zero_based = zero_based;
        self
    }

    /// Sets the width of LIBSVM vectors.
    pub fn width(mut self, width: usize) -> Self {
        self.width = Some(width);
        self
    }

    /// Sets the longest field and line in bytes.
    pub fn max_field(mut self, bytes: usize) -> Self {
        self.max_field = bytes;
        self
    }

    /// Sets the bytes that the rows may take.
    pub fn limit(mut self, bytes: u64) -> Self {
        self.limit = bytes;
        self
    }

    /// Sets when reading stops.
    pub fn deadline(mut self, deadline: Instant) -> Self {
        self.deadline = Some(deadline);
        self
    }

    /// Sets the flag that stops reading.
    pub fn cancel(mut self, cancel: Cancel) -> Self {
        self.cancel = Some(cancel);
        self
    }

    /// Refuses settings that no file could be read with.
    pub(crate) fn check(&self) -> Result<()> {
        let mut errors = Vec::new();
        let show = |byte: u8| char::from(byte).escape_default().to_string();
        for (name, byte) in [("delimiter", self.delimiter), ("quote", self.quote)] {
            if let Some(byte) = byte.filter(|b| !b.is_ascii() || b"\r\n\0".contains(b)) {
                errors.push(mercer::Error::setting(
                    name,
                    show(byte),
                    "an ASCII character other than a line end",
                ));
            }
        }
        let delimiter = self.delimiter.unwrap_or(b',');
        if delimiter == self.quote.unwrap_or(b'"') {
            errors.push(mercer::Error::setting(
                "delimiter",
                show(delimiter),
                "different from the quote",
            ));
        }
        if self.max_field == 0 || self.max_field > i32::MAX as usize {
            errors.push(mercer::Error::setting(
                "max_field",
                self.max_field,
                "between 1 and 2147483647",
            ));
        }
        // The largest index of a sparse vector is 2^31 - 2, as LIBSVM stores it in an `int`.
        if let Some(width) = self.width.filter(|&w| w >= i32::MAX as usize) {
            errors.push(mercer::Error::setting("width", width, "below 2147483647"));
        }
        for (column, kind) in self.kinds.iter().filter(|(_, k)| *k == Kind::Vectors) {
            errors.push(mercer::Error::setting(
                &format!("kind of {column}"),
                kind,
                "numeric, boolean, categorical, text or date",
            ));
        }
        Ok(mercer::Error::collect(errors)?)
    }

    /// Returns the kind that was set for a column, or known beforehand.
    pub(crate) fn kind_of(&self, column: &str) -> Option<Kind> {
        let find =
            |list: &[(String, Kind)]| list.iter().find(|(n, _)| n == column).map(|(_, k)| *k);
        find(&self.kinds).or_else(|| find(&self.schema).filter(|k| *k != Kind::Vectors))
    }

    /// Returns whether the kind of a column is known beforehand, and not set by the user: who knows
    /// it has a say of his own on cells that do not fit.
    pub(crate) fn is_known(&self, column: &str) -> bool {
        let named = |list: &[(String, Kind)]| list.iter().any(|(n, _)| n == column);
        named(&self.schema) && !named(&self.kinds)
    }

    /// Refuses a kind set for a column that does not occur.
    pub(crate) fn check_names(&self, names: &[String]) -> Result<()> {
        for (name, _) in &self.kinds {
            if !names.contains(name) {
                return Err(mercer::Error::Unknown {
                    kind: "column",
                    name: name.clone(),
                    known: names.to_vec(),
                }
                .into());
            }
        }
        Ok(())
    }

    /// What stops a read.
    pub(crate) fn watch(&self) -> Watch {
        Watch {
            cancel: self.cancel.clone(),
            deadline: self.deadline,
        }
    }

    /// Fails when a stop was asked for, or the time is up.
    pub(crate) fn check_cancel(&self) -> Result<()> {
        self.watch().check().map_err(|e| Error::io("the data", e))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bad_settings_are_refused_together() {
        let options = ReadOptions::default()
            .delimiter(b'\n')
            .quote(b'\n')
            .max_field(0);
        let text = options.check().expect_err("refused").to_string();
        assert!(text.contains("`delimiter` is `\\n`"), "{text}");
        assert!(text.contains("`max_field` is `0`"), "{text}");
    }

    #[test]
    fn user_kinds_go_before_the_schema() {
        let options = ReadOptions::default()
            .kind("a", Kind::Text)
            .schema(vec![("a".into(), Kind::Numeric), ("b".into(), Kind::Date)]);
        assert_eq!(options.kind_of("a"), Some(Kind::Text));
        assert_eq!(options.kind_of("b"), Some(Kind::Date));
        assert_eq!(options.kind_of("c"), None);
    }
}
