//! The two ways to read: a whole table, or chunks of rows.

use std::path::Path;

use mercer::data::{Kind, Layout, Table};

use super::arff::ArffReader;
use super::csv::CsvReader;
use super::fasta::FastaReader;
use super::libsvm::LibsvmReader;
use super::limit::metered;
use super::source::Opened;
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
}

/// Reads a whole file.
///
/// # Errors
/// Every problem of the file, with its place; a file without rows; unfit options.
pub fn read(source: &Source, options: &ReadOptions) -> Result<Table> {
    options.check()?;
    if let Some(folder) = folder(source, options) {
        return structure::graphs(folder, options);
    }
    let (format, opened) = open(source, options, options.limit)?;
    let file = opened.name.clone();
    let plain = plain_layout(format, &opened);
    match chunks(format, opened, options)? {
        Ok(mut reader) => match reader.next_chunk(usize::MAX)? {
            Some(mut table) => {
                table.set_layout(reader.layout().unwrap_or(plain));
                Ok(table)
            }
            None => Err(Error::Empty {
                file,
                problem: reader.empty().to_owned(),
            }),
        },
        Err(opened) => whole(format, source, opened, options),
    }
}

/// Reads a file as tables of up to `rows` rows each, in order.
///
/// CSV, LIBSVM, ARFF and FASTA hold one chunk in memory at a time; other formats are loaded
/// whole and cut. The kinds of all chunks are those set or known in the options, and otherwise
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
    let loaded = |table: Table| Box::new(Loaded { table, next: 0 });
    let mut plain = Layout::default();
    let (file, reader): (String, Box<dyn Chunks + Send>) =
        if let Some(folder) = folder(source, options) {
            (source.name(), loaded(structure::graphs(folder, options)?))
        } else {
            let (format, opened) = open(source, options, u64::MAX)?;
            let file = opened.name.clone();
            plain = plain_layout(format, &opened);
            match chunks(format, opened, options)? {
                Ok(reader) => (file, reader),
                Err(opened) => (file, loaded(whole(format, source, opened, options)?)),
            }
        };
    Ok(Stream {
        layout: reader.layout().unwrap_or(plain),
        reader,
        rows,
        file,
        schema: Vec::new(),
        done: false,
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
}

impl Iterator for Stream {
    type Item = Result<Table>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.done {
            return None;
        }
        let item = match self.reader.next_chunk(self.rows) {
            Ok(Some(table)) => Ok(table),
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

/// The folder of graphs that a source is, or one of its files.
fn folder<'a>(source: &'a Source, options: &ReadOptions) -> Option<&'a Path> {
    match source {
        Source::Path(path) if path.is_dir() || options.format == Some(Format::Tu) => Some(path),
        _ => None,
    }
}

fn open(source: &Source, options: &ReadOptions, limit: u64) -> Result<(Format, Opened)> {
    let opened = source.open_within(&options.watch(), limit)?;
    let format = options
        .format
        .or_else(|| source.format())
        .unwrap_or_else(|| Format::sniff(&opened.head, options));
    Ok((format, opened))
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
        Format::Npy | Format::Idx | Format::Parquet | Format::Sdf | Format::Tu => {
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
    let packing = opened.packing;
    let mut table = match format {
        Format::Npy => npy::read(opened, options),
        Format::Idx => idx::read(opened, options),
        Format::Sdf => structure::molecules(opened, options),
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
        _ => unreachable!("text formats are read in chunks"),
    }?;
    let mut layout = table.layout().clone();
    layout.format = format.name().to_owned();
    layout.packing = layout.packing.or(packing);
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
