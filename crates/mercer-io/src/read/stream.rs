//! The two ways to read: a whole table, or chunks of rows.

use std::path::Path;

use mercer::data::{Kind, Layout, Table};

use super::arff::ArffReader;
use super::csv::CsvReader;
use super::fasta::FastaReader;
use super::json::{self, JsonLines};
use super::libsvm::LibsvmReader;
use super::limit::metered;
use super::source::{Opened, Passed};
use super::{Format, ReadOptions, Source, idx, npy, structure};
use crate::{Error, Result};

/// A reader of consecutive rows.
pub(crate) trait Chunks {
    /// Returns a table of up to `rows` rows, or `None` at the end.
    fn next_chunk(&mut self, rows: usize) -> Result<Option<Table>>;

    /// What a file without rows has instead.
    fn empty(&self) -> &'static str;

    /// How the file is read, where there is more to say than its format.
    fn layout(&self) -> Option<Layout> {
        None
    }

    /// Passes over rows without looking at their cells; returns how many there were.
    fn pass_over(&mut self, rows: usize) -> Result<usize> {
        Ok(self.next_chunk(rows)?.as_ref().map_or(0, Table::rows))
    }

    /// Share of the rows that were read, where the reader knows better than the file's bytes.
    fn share(&self) -> Option<f64> {
        None
    }
}

/// Reads a whole file, or all tables of a folder as one.
///
/// # Errors
/// Every problem of the file, with its place; a file without rows; unfit options.
pub fn read(source: &Source, options: &ReadOptions) -> Result<Table> {
    options.check()?;
    let (source, options) = &inside(source, options);
    if let Some(folder) = folder(source, options) {
        return of_folder(folder, options);
    }
    match open(source, options, options.limit, false)? {
        Found::Rows(mut reader, layout, file, _) => match reader.next_chunk(usize::MAX)? {
            Some(mut table) => {
                table.set_layout(reader.layout().unwrap_or(layout));
                Ok(table)
            }
            None => Err(Error::Empty {
                file,
                problem: reader.empty().to_owned(),
            }),
        },
        Found::Whole(table) => Ok(table),
    }
}

/// Reads a file as tables of up to `rows` rows each, in order.
///
/// CSV, LIBSVM, Parquet, ARFF, FASTA and lines of JSON hold one chunk in memory at a time; other formats,
/// and Parquet within a compressed file, are loaded whole and cut. The kinds of all chunks are those set or known in the options, and otherwise
/// those of the first chunk; a later value that does not fit is an error. Categories list the
/// categories of their own chunk, except in ARFF, where the file declares them. Without
/// [`ReadOptions::width`] the width of LIBSVM vectors is the largest index so far.
///
/// # Errors
/// Problems of the file's start, and unfit options; `rows` of zero.
pub fn stream(source: &Source, options: &ReadOptions, rows: usize) -> Result<Stream> {
    options.check()?;
    if rows == 0 {
        return Err(mercer::Error::setting("rows", rows, "at least 1").into());
    }
    let (source, options) = &inside(source, options);
    let found = match folder(source, options) {
        Some(folder) => Found::Whole(of_folder(folder, options)?),
        None => open(source, options, u64::MAX, true)?,
    };
    let (reader, layout, file, passed): (Box<dyn Chunks + Send>, _, _, _) = match found {
        Found::Rows(reader, layout, file, passed) => (reader, layout, file, passed),
        Found::Whole(table) => {
            let layout = table.layout().clone();
            let reader: Box<dyn Chunks + Send> = Box::new(Loaded { table, next: 0 });
            (reader, layout, source.name(), Passed::default())
        }
    };
    Ok(Stream {
        layout: reader.layout().unwrap_or(layout),
        reader,
        rows,
        file,
        schema: Vec::new(),
        done: false,
        passed,
        before: 0,
    })
}

/// Tables of consecutive rows of one file.
pub struct Stream {
    reader: Box<dyn Chunks + Send>,
    layout: Layout,
    rows: usize,
    file: String,
    schema: Vec<(String, Kind)>,
    done: bool,
    passed: Passed,
    /// Rows that were read or passed over.
    before: usize,
}

impl std::fmt::Debug for Stream {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Stream")
            .field("file", &self.file)
            .field("rows", &self.rows)
            .finish_non_exhaustive()
    }
}

impl Stream {
    /// Returns how the file is read.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Returns names and kinds of the columns; empty before the first chunk.
    pub fn schema(&self) -> &[(String, Kind)] {
        &self.schema
    }

    /// Returns how many rows were read or passed over.
    pub fn before(&self) -> usize {
        self.before
    }

    /// Returns the share of the file that was read, where its size is known.
    pub fn share(&self) -> Option<f64> {
        self.reader.share().or_else(|| self.passed.share())
    }

    /// Passes over rows, which need not be readable cell by cell; returns how many there were. The
    /// kinds of columns are those of the first chunk, which has to be read.
    ///
    /// # Errors
    /// Rows that are no rows, such as those with too many fields.
    pub fn pass_over(&mut self, rows: usize) -> Result<usize> {
        // As many at a time as a stop is to wait for.
        const AT_ONCE: usize = 4096;
        let mut passed = 0;
        while passed < rows && !self.done {
            let found = self.reader.pass_over(AT_ONCE.min(rows - passed));
            let found = found.inspect_err(|_| self.done = true)?;
            if found == 0 {
                break;
            }
            passed += found;
        }
        self.before += passed;
        Ok(passed)
    }

    /// Returns the next rows, up to so many; `None` at the end.
    pub fn next_rows(&mut self, rows: usize) -> Option<Result<Table>> {
        if self.done {
            return None;
        }
        let item = match self.reader.next_chunk(rows) {
            Ok(Some(mut table)) => {
                table.set_before(self.before);
                self.before += table.rows();
                Ok(table)
            }
            Ok(None) if self.schema.is_empty() => Err(Error::Empty {
                file: self.file.clone(),
                problem: self.reader.empty().to_owned(),
            }),
            Ok(None) => {
                self.done = true;
                return None;
            }
            Err(error) => Err(error),
        };
        match &item {
            Ok(table) if self.schema.is_empty() => {
                let columns = table.columns().iter();
                self.schema = columns.map(|c| (c.name.clone(), c.kind())).collect();
            }
            Ok(_) => {}
            Err(_) => self.done = true,
        }
        Some(item)
    }
}

impl Iterator for Stream {
    type Item = Result<Table>;

    fn next(&mut self) -> Option<Self::Item> {
        self.next_rows(self.rows)
    }
}

/// A table in memory, cut into chunks.
struct Loaded {
    table: Table,
    next: usize,
}

impl Chunks for Loaded {
    fn next_chunk(&mut self, rows: usize) -> Result<Option<Table>> {
        let end = self.next.saturating_add(rows).min(self.table.rows());
        if self.next >= end {
            return Ok(None);
        }
        let range: Vec<usize> = (self.next..end).collect();
        self.next = end;
        Ok(Some(self.table.select(&range)))
    }

    fn empty(&self) -> &'static str {
        "there are no rows"
    }

    fn layout(&self) -> Option<Layout> {
        Some(self.table.layout().clone())
    }
}

/// What is known of a text file before it is read.
fn plain_layout(format: Format, opened: &Opened) -> Layout {
    Layout {
        format: format.name().to_owned(),
        ..opened.layout()
    }
}

/// The folder that a source is, or one of the files of a folder of graphs.
fn folder<'a>(source: &'a Source, options: &ReadOptions) -> Option<&'a Path> {
    match source {
        Source::Path(path) if path.is_dir() || options.format == Some(Format::Tu) => Some(path),
        _ => None,
    }
}

fn of_folder(folder: &Path, options: &ReadOptions) -> Result<Table> {
    if options.format == Some(Format::Tu) || structure::has_graphs(folder) {
        let mut table = structure::graphs(folder, options)?;
        table.set_layout(Layout {
            format: Format::Tu.name().to_owned(),
            ..table.layout().clone()
        });
        return Ok(table);
    }
    super::folder::read(folder, options)
}

/// Follows a path into an archive, such as `data.zip/inner.csv`.
fn inside(source: &Source, options: &ReadOptions) -> (Source, ReadOptions) {
    #[cfg(feature = "excel")]
    if let Source::Path(path) = source
        && let Some((archive, member)) = super::archive::path_into(path)
    {
        let options = options.clone().member(member);
        return (Source::Path(archive), options);
    }
    (source.clone(), options.clone())
}

/// An open file: rows to come, or a table that was loaded whole.
enum Found {
    Rows(Box<dyn Chunks + Send>, Layout, String, Passed),
    Whole(Table),
}

fn open(source: &Source, options: &ReadOptions, limit: u64, in_chunks: bool) -> Result<Found> {
    let mut opened = source.open_within(&options.watch(), limit)?;
    let mut format = options.format.or_else(|| source.format());
    if is_archive(&opened.head) {
        match archive(opened, options, limit)? {
            Ok((inner, member)) => (format, opened) = (Some(inner), member),
            Err(table) => return Ok(Found::Whole(table)),
        }
    }
    let format = format.unwrap_or_else(|| Format::sniff(&opened.head, options));
    let layout = plain_layout(format, &opened);
    let file = opened.name.clone();
    let passed = opened.passed.clone();
    #[cfg(feature = "parquet")]
    if in_chunks
        && format == Format::Parquet
        && let Some(reader) = super::parquet::ParquetReader::open(source, options)?
    {
        return Ok(Found::Rows(Box::new(reader), layout, file, passed));
    }
    #[cfg(not(feature = "parquet"))]
    let _ = in_chunks;
    Ok(match chunks(format, opened, options)? {
        Ok(reader) => Found::Rows(reader, layout, file, passed),
        Err(opened) => Found::Whole(whole(format, source, opened, options)?),
    })
}

/// Whether a file is a workbook or an archive, by its first bytes.
fn is_archive(head: &[u8]) -> bool {
    head.starts_with(b"PK\x03\x04") || head.starts_with(b"\xd0\xcf\x11\xe0")
}

/// The table in an archive, opened, or that of a workbook, read.
#[cfg(feature = "excel")]
fn archive(
    opened: Opened,
    options: &ReadOptions,
    limit: u64,
) -> Result<Result<(Format, Opened), Table>> {
    use super::archive::Found as Inside;
    let (name, packing) = (opened.name.clone(), opened.packing);
    let workbook = |data: &std::sync::Arc<[u8]>, name: &str| -> Result<Table> {
        let mut table = super::excel::read(data, name, options)?;
        table.set_layout(Layout {
            format: Format::Excel.name().to_owned(),
            packing,
            ..table.layout().clone()
        });
        Ok(table)
    };
    if !opened.head.starts_with(super::archive::MAGIC) {
        return Ok(Err(workbook(
            &super::archive::whole(opened, options)?,
            &name,
        )?));
    }
    let member = options.member.as_deref();
    match super::archive::look(opened, member, options, limit)? {
        Inside::Workbook(data) => Ok(Err(workbook(&data, &name)?)),
        Inside::Table(_, member) if is_archive(&member.head) => {
            let name = member.name.clone();
            let data = super::archive::whole(member, options)?;
            Ok(Err(workbook(&data, &name)?))
        }
        Inside::Table(format, member) => Ok(Ok((format, member))),
    }
}

#[cfg(not(feature = "excel"))]
fn archive(opened: Opened, _: &ReadOptions, _: u64) -> Result<Result<(Format, Opened), Table>> {
    Err(Error::Unsupported {
        file: opened.name,
        problem: "this is a zip archive or a workbook, and this build does not read them"
            .to_owned(),
        cure: "build with the feature `excel`, or give the table as CSV".into(),
    })
}

/// A reader of chunks, or the opened source back when the format has none.
fn chunks(
    format: Format,
    opened: Opened,
    options: &ReadOptions,
) -> Result<Result<Box<dyn Chunks + Send>, Opened>> {
    Ok(Ok(match format {
        Format::Csv => Box::new(CsvReader::open(opened, false, options)?),
        Format::Tsv => Box::new(CsvReader::open(opened, true, options)?),
        Format::Libsvm => Box::new(LibsvmReader::open(opened, options)),
        Format::Arff => Box::new(ArffReader::open(opened, options)?),
        Format::Fasta => Box::new(FastaReader::open(opened, options)),
        Format::Json if json::is_lines(&opened.head, &opened.name) => {
            Box::new(JsonLines::open(opened, options))
        }
        Format::Json
        | Format::Excel
        | Format::Npy
        | Format::Idx
        | Format::Parquet
        | Format::Sdf
        | Format::Tu => {
            return Ok(Err(opened));
        }
    }))
}

fn whole(
    format: Format,
    source: &Source,
    mut opened: Opened,
    options: &ReadOptions,
) -> Result<Table> {
    // A stream of chunks is opened without a limit, before its format is known.
    opened.reader = metered(opened.reader, options.watch(), options.limit);
    let (packing, encoding) = (opened.packing, opened.encoding);
    let mut table = match format {
        Format::Npy => npy::read(opened, options),
        Format::Idx => idx::read(opened, options),
        Format::Sdf => structure::molecules(opened, options),
        Format::Json => json::read(opened, options),
        Format::Excel => Err(Error::Damaged {
            file: opened.name,
            problem: "this is no workbook: it begins with other bytes".to_owned(),
        }),
        Format::Tu => Err(Error::Unsupported {
            file: source.name(),
            problem: "graphs of this form are a folder of several files".to_owned(),
            cure: "name the folder".into(),
        }),
        #[cfg(feature = "parquet")]
        Format::Parquet => super::parquet::read(source, opened, options),
        #[cfg(not(feature = "parquet"))]
        Format::Parquet => Err(Error::Unsupported {
            file: source.name(),
            problem: "this build does not read Parquet".to_owned(),
            cure: "build with the feature `parquet`, or give the table as CSV".into(),
        }),
        Format::Csv | Format::Tsv | Format::Libsvm | Format::Arff | Format::Fasta => {
            unreachable!("text formats are read in chunks")
        }
    }?;
    let mut layout = table.layout().clone();
    format.name().clone_into(&mut layout.format);
    layout.packing = layout.packing.or(packing);
    if format == Format::Json {
        layout.encoding = Some(encoding);
    }
    table.set_layout(layout);
    Ok(table)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(name: &str, text: &str) -> Source {
        Source::bytes(name, text.as_bytes())
    }

    #[test]
    fn chunks_keep_the_first_kinds() {
        let csv = source("a.csv", "a,b\n1,x\n2,y\n3,z\n");
        let mut stream = stream(&csv, &ReadOptions::default(), 2).expect("opened");
        let first = stream.next().expect("a chunk").expect("readable");
        assert_eq!(
            (first.rows(), first.origin().lines.clone()),
            (2, vec![2, 3])
        );
        assert_eq!(stream.schema()[0], ("a".to_owned(), Kind::Numeric));
        let second = stream.next().expect("a chunk").expect("readable");
        assert_eq!((second.rows(), second.origin().lines.clone()), (1, vec![4]));
        assert!(stream.next().is_none());
    }

    #[test]
    fn later_misfits_are_placed() {
        let csv = source("a.csv", "a\n1\n2\nx\n4\n");
        let mut chunks = stream(&csv, &ReadOptions::default(), 2).expect("opened");
        assert!(chunks.next().expect("a chunk").is_ok());
        let error = chunks.next().expect("a chunk").expect_err("misfit");
        assert_eq!(
            error.to_string(),
            "a.csv, line 4, column `a`: `x` is not a number"
        );
        assert!(chunks.next().is_none());
        let known =
            ReadOptions::default().schema(vec![("a".into(), Kind::Text), ("z".into(), Kind::Date)]);
        let chunks: Result<Vec<Table>> = stream(&csv, &known, 2).expect("opened").collect();
        assert_eq!(chunks.expect("all text").len(), 2);
    }

    #[test]
    fn empty_streams_say_so() {
        let mut chunks =
            stream(&source("a.csv", "a,b\n"), &ReadOptions::default(), 2).expect("opened");
        let error = chunks.next().expect("an error").expect_err("no rows");
        assert_eq!(error.to_string(), "a.csv: there is a header but no row");
        assert!(chunks.next().is_none());
        assert!(stream(&source("a.csv", "a\n1\n"), &ReadOptions::default(), 0).is_err());
    }

    #[test]
    fn other_formats_are_cut() {
        let idx = Source::bytes("y", vec![0, 0, 8, 1, 0, 0, 0, 3, 7, 8, 9]);
        let rows: Vec<usize> = stream(&idx, &ReadOptions::default(), 2)
            .expect("opened")
            .map(|t| t.expect("readable").rows())
            .collect();
        assert_eq!(rows, [2, 1]);
    }

    #[test]
    fn formats_agree_with_and_without_a_name() {
        let text = "1 1:2\n-1 2:3\n";
        let named = read(&source("a.svm", text), &ReadOptions::default()).expect("named");
        let sniffed = read(
            &source("a.svm", text),
            &ReadOptions::default().format(Format::Libsvm),
        );
        assert_eq!(named, sniffed.expect("told"));
        let bare = read(&source("a", text), &ReadOptions::default()).expect("sniffed");
        assert_eq!(bare.columns(), named.columns());
    }
}
