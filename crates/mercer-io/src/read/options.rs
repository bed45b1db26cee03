//! What a user may say about a file instead of having it recognised.

use std::time::Instant;

use mercer::data::Kind;
use mercer::data::recognise::{Decimal, MissingTexts, Spelling, check_date_format};
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
    /// CSV: the byte between fields; a space stands for any run of blanks.
    pub delimiter: Option<u8>,
    /// CSV: the byte around fields that hold delimiters; `"` by default.
    pub quote: Option<u8>,
    /// CSV: whether the first row holds the names.
    pub header: Option<bool>,
    /// CSV and workbooks: lines above the names or the first row; otherwise titles and comments are recognised.
    pub skip_rows: Option<usize>,
    /// CSV: what begins a line that is no row; otherwise `#` where lines above the table have it.
    pub comment: Option<u8>,
    /// The texts that stand for a missing value; by default [`mercer::data::MISSING`], for which
    /// `default` stands in a list, and among numbers and dates also
    /// [`mercer::data::recognise::MISSING_VALUES`].
    pub missing: Option<Vec<String>>,
    /// Columns whose kind is set by the user; every name must occur.
    pub kinds: Vec<(String, Kind)>,
    /// Kinds known beforehand, such as from a model; names that do not occur are passed over.
    pub schema: Vec<(String, Kind)>,
    /// Whether a model reads the rows: columns of the schema with cells that do not fit are read as
    /// texts, and it names those cells.
    pub for_model: bool,
    /// The decimal sign of numbers in text.
    pub decimal: Option<Decimal>,
    /// Formats of dates, as `strptime` has them: of a column, or of all where none is named.
    pub date_formats: Vec<(Option<String>, String)>,
    /// How values are written, such as in the training rows of a model; names that do not occur
    /// are passed over.
    pub spellings: Vec<(String, Spelling)>,
    /// Workbooks: the sheet to read; the first one otherwise.
    pub sheet: Option<String>,
    /// Archives: the member to read; otherwise the only table in it.
    pub member: Option<String>,
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
            skip_rows: None,
            comment: None,
            missing: None,
            kinds: Vec::new(),
            schema: Vec::new(),
            for_model: false,
            decimal: None,
            date_formats: Vec::new(),
            spellings: Vec::new(),
            sheet: None,
            member: None,
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

    /// Sets how many lines stand above the table.
    pub fn skip_rows(mut self, lines: usize) -> Self {
        self.skip_rows = Some(lines);
        self
    }

    /// Sets what begins a line that is no row.
    pub fn comment(mut self, mark: u8) -> Self {
        self.comment = Some(mark);
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

    /// Sets the decimal sign.
    pub fn decimal(mut self, decimal: Decimal) -> Self {
        self.decimal = Some(decimal);
        self
    }

    /// Adds a format of dates, of a column or of all.
    pub fn date_format(mut self, column: Option<&str>, format: impl Into<String>) -> Self {
        let column = column.map(str::to_owned);
        self.date_formats.push((column, format.into()));
        self
    }

    /// Sets how values are known to be written.
    pub fn spellings(mut self, spellings: Vec<(String, Spelling)>) -> Self {
        self.spellings = spellings;
        self
    }

    /// Sets the sheet of a workbook.
    pub fn sheet(mut self, name: impl Into<String>) -> Self {
        self.sheet = Some(name.into());
        self
    }

    /// Sets the member of an archive.
    pub fn member(mut self, name: impl Into<String>) -> Self {
        self.member = Some(name.into());
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
        for (name, byte) in [
            ("delimiter", self.delimiter),
            ("quote", self.quote),
            ("comment", self.comment),
        ] {
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
        if let Some(mark) = self
            .comment
            .filter(|&m| m == delimiter || m == self.quote.unwrap_or(b'"'))
        {
            errors.push(mercer::Error::setting(
                "comment",
                show(mark),
                "different from delimiter and quote",
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
        for (_, format) in &self.date_formats {
            if let Some(problem) = check_date_format(format) {
                let allowed = format!("a format such as `%d/%m/%Y` ({problem})");
                errors.push(mercer::Error::setting("date_format", format, &allowed));
            }
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
        if !self.for_model {
            return false;
        }
        let named = |list: &[(String, Kind)]| list.iter().any(|(n, _)| n == column);
        named(&self.schema) && !named(&self.kinds)
    }

    /// Returns the kind that the user set for a column.
    pub(crate) fn told_kind(&self, column: &str) -> Option<Kind> {
        let mut kinds = self.kinds.iter();
        kinds.find(|(n, _)| n == column).map(|(_, k)| *k)
    }

    /// Returns how a column is known to be written.
    pub(crate) fn spelling_of(&self, column: &str) -> Option<&Spelling> {
        let mut spellings = self.spellings.iter();
        spellings.find(|(n, _)| n == column).map(|(_, s)| s)
    }

    /// Returns the format of a column's dates, and whether it was named for this column.
    pub(crate) fn date_format_of(&self, column: &str) -> Option<(bool, &str)> {
        let find = |name: Option<&str>| {
            let mut formats = self.date_formats.iter();
            formats.find(|(n, _)| n.as_deref() == name)
        };
        let own = find(Some(column)).map(|(_, format)| (true, format.as_str()));
        own.or_else(|| find(None).map(|(_, format)| (false, format.as_str())))
    }

    /// Returns the texts that stand for a missing value.
    pub(crate) fn missing_texts(&self) -> MissingTexts {
        let own = self.missing.as_ref();
        own.map_or_else(MissingTexts::default, |texts| MissingTexts::of(texts))
    }

    /// Refuses a kind or a format set for a column that does not occur.
    pub(crate) fn check_names(&self, names: &[String]) -> Result<()> {
        let formats = self.date_formats.iter().filter_map(|(n, _)| n.as_ref());
        for name in self.kinds.iter().map(|(name, _)| name).chain(formats) {
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
