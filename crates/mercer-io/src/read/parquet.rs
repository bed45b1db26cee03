//! Apache Parquet: flat tables of numbers, booleans, strings, dates and timestamps.
//!
//! Nested structures of single values are read under their dotted path; lists and maps are
//! refused. Nulls and NaN are missing.

use std::fs::File;
use std::io::Read;

use mercer::data::{Column, Origin, Table, Values};
use parquet::basic::{ConvertedType, LogicalType, TimeUnit};
use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::data_type::{AsBytes, DataType};
use parquet::errors::ParquetError;
use parquet::file::metadata::ParquetMetaData;
use parquet::file::reader::{ChunkReader, FileReader, SerializedFileReader};
use parquet::schema::types::ColumnDescriptor;

use super::cells::{self, Cells, Known};
use super::convert;
use super::lines::long_field;
use super::quiet::quietly;
use super::source::Opened;
use super::{Chunks, ReadOptions, Source};
use crate::error::{Limited, shorten};
use crate::{Error, Result};

/// Records decoded between two looks at the cancel flag.
const BATCH: usize = 8192;

/// How every file begins.
const MAGIC: &[u8; 4] = b"PAR1";

/// Cells that a byte of a file may stand for, and cells that any file may have (512 MiB).
const CELLS_PER_BYTE: u64 = 1024;
const FREE_CELLS: u64 = 1 << 26;

/// Reads a file; a plain one is read in place, a compressed one is unpacked into memory.
pub(crate) fn read(source: &Source, mut opened: Opened, options: &ReadOptions) -> Result<Table> {
    let plain = plain_file(source);
    let name = opened.name.clone();
    // The decoder is written for honest files; a damaged one may break its own assumptions.
    let result = quietly(|| {
        if let Some(file) = plain {
            return table(file, &opened.name, options);
        }
        // The rest may be much larger than the file that holds it.
        let mut data = Vec::new();
        let mut begin = opened.reader.by_ref().take(MAGIC.len() as u64);
        let read = begin.read_to_end(&mut data);
        read.map_err(|e| Error::io(&opened.name, e))?;
        if data != MAGIC {
            return Err(Error::Damaged {
                file: opened.name.clone(),
                problem: "the Parquet data cannot be read (they do not begin with `PAR1`)"
                    .to_owned(),
            });
        }
        let read = opened.reader.read_to_end(&mut data);
        read.map_err(|e| Error::io(&opened.name, e))?;
        table(bytes::Bytes::from(data), &opened.name, options)
    });
    result.unwrap_or_else(|| Err(contradiction(&name)))
}

/// The file behind a source, where it is one that is read in place.
fn plain_file(source: &Source) -> Option<File> {
    let Source::Path(path) = source else {
        return None;
    };
    File::open(path).ok().filter(|file| {
        let mut magic = [0; 4];
        let mut file: &File = file;
        file.read_exact(&mut magic).is_ok() && magic == *MAGIC
    })
}

fn contradiction(file: &str) -> Error {
    Error::Damaged {
        file: file.to_owned(),
        problem: "the Parquet data contradict each other".to_owned(),
    }
}

/// Reads a file in chunks of rows, whatever the size of its row groups: pages are unpacked as rows
/// are asked for.
pub(crate) struct ParquetReader {
    reader: SerializedFileReader<File>,
    file: String,
    options: ReadOptions,
    /// Row groups that were opened.
    groups: usize,
    /// Columns of the group that is being read.
    open: Vec<ColumnReader>,
    /// Rows of that group that are left.
    left: usize,
    /// Rows that were read.
    done: usize,
    rows: usize,
    /// How texts were read; fixed by the first chunk.
    known: Vec<Option<Known>>,
}

impl ParquetReader {
    /// Opens a plain file; `None` for one that has to be unpacked first.
    pub(crate) fn open(source: &Source, options: &ReadOptions) -> Result<Option<Self>> {
        let Some(data) = plain_file(source) else {
            return Ok(None);
        };
        let file = source.name();
        let opened = quietly(|| -> Result<Self> {
            let size = parquet::file::reader::Length::len(&data);
            let reader = SerializedFileReader::new(data).map_err(|e| damaged(&file, &e))?;
            let schema = reader.metadata().file_metadata().schema_descr_ptr();
            let names: Vec<String> = schema.columns().iter().map(|c| c.path().string()).collect();
            options.check_names(&names)?;
            check_size(reader.metadata(), size, &file)?;
            let rows = reader.metadata().file_metadata().num_rows();
            Ok(Self {
                known: vec![None; names.len()],
                rows: usize::try_from(rows).unwrap_or(0),
                reader,
                file: file.clone(),
                options: options.clone(),
                groups: 0,
                open: Vec::new(),
                left: 0,
                done: 0,
            })
        });
        opened
            .unwrap_or_else(|| Err(contradiction(&file)))
            .map(Some)
    }

    /// Opens the next row group; returns whether there is one.
    fn next_group(&mut self) -> Result<bool> {
        if self.groups == self.reader.num_row_groups() {
            return Ok(false);
        }
        let fail = |e: &ParquetError| damaged(&self.file, e);
        let group = self.reader.get_row_group(self.groups);
        let group = group.map_err(|e| fail(&e))?;
        self.left = usize::try_from(group.metadata().num_rows()).unwrap_or(0);
        let columns = (0..self.known.len()).map(|index| group.get_column_reader(index));
        self.open = columns
            .collect::<std::result::Result<_, _>>()
            .map_err(|e| fail(&e))?;
        self.groups += 1;
        Ok(true)
    }

    fn chunk(&mut self, rows: usize) -> Result<Option<Table>> {
        let schema = self.reader.metadata().file_metadata().schema_descr_ptr();
        let names: Vec<String> = schema.columns().iter().map(|c| c.path().string()).collect();
        let rows = rows.min(self.rows.saturating_sub(self.done));
        let cells = (rows as u64).saturating_mul(names.len() as u64);
        if cells.saturating_mul(8) > self.options.limit {
            let limited = Limited::memory(self.options.limit);
            return Err(Error::limit(&self.file, &limited));
        }
        let mut columns = Vec::with_capacity(names.len());
        for (index, name) in names.iter().enumerate() {
            columns.push(Raw::of(&schema.column(index), name, &self.file)?);
        }
        let mut read = 0;
        while read < rows {
            if self.left == 0 {
                if !self.next_group()? {
                    break;
                }
                continue;
            }
            let want = self.left.min(rows - read);
            for (index, cells) in columns.iter_mut().enumerate() {
                let batches = Batches {
                    rows: want,
                    is_last: want == self.left,
                    max_definition: schema.column(index).max_def_level(),
                    file: &self.file,
                    options: &self.options,
                };
                cells.read(&mut self.open[index], &batches, &names[index])?;
            }
            self.left -= want;
            read += want;
        }
        if read == 0 {
            return Ok(None);
        }
        let mut done = Vec::with_capacity(columns.len());
        for (index, cells) in columns.into_iter().enumerate() {
            let before = self.known[index].as_ref();
            let is_text = matches!(cells, Raw::Texts(_));
            let column = cells.finish(&names[index], index + 1, &self.file, &self.options, before);
            let column = column.map_err(|e| self.placed(e))?;
            // A chunk without a value says nothing of what later ones mean.
            let has_value = (0..read).any(|row| !column.values.is_missing(row));
            if is_text && has_value && self.known[index].is_none() {
                self.known[index] = Some(Known::of(&column));
            }
            done.push(column);
        }
        let origin = Origin {
            name: self.file.clone(),
            lines: Vec::new(),
        };
        let table = convert::table(done, origin, &self.options).map_err(|e| self.placed(e))?;
        self.done += read;
        Ok(Some(table))
    }

    /// Counts the row of an error from the start of the file.
    fn placed(&self, error: Error) -> Error {
        match error {
            Error::Entry {
                file,
                row,
                column,
                problem,
                cure,
            } => Error::Entry {
                file,
                row: self.done + row,
                column,
                problem,
                cure,
            },
            other => other,
        }
    }
}

impl Chunks for ParquetReader {
    fn next_chunk(&mut self, rows: usize) -> Result<Option<Table>> {
        let file = self.file.clone();
        // The decoder is written for honest files; a damaged one may break its own assumptions.
        let chunk = quietly(|| self.chunk(rows));
        chunk.unwrap_or_else(|| Err(contradiction(&file)))
    }

    fn empty(&self) -> &'static str {
        "there are no rows"
    }

    fn share(&self) -> Option<f64> {
        (self.rows > 0).then(|| self.done as f64 / self.rows as f64)
    }
}

fn damaged(file: &str, error: &ParquetError) -> Error {
    Error::Damaged {
        file: file.to_owned(),
        problem: format!(
            "the Parquet data cannot be read ({})",
            shorten(&error.to_string())
        ),
    }
}

fn table<R: ChunkReader + 'static>(data: R, file: &str, options: &ReadOptions) -> Result<Table> {
    let size = data.len();
    let reader = SerializedFileReader::new(data).map_err(|e| damaged(file, &e))?;
    let schema = reader.metadata().file_metadata().schema_descr_ptr();
    let names: Vec<String> = schema.columns().iter().map(|c| c.path().string()).collect();
    options.check_names(&names)?;
    check_size(reader.metadata(), size, file)?;
    check_limit(reader.metadata(), options.limit, file)?;
    let mut columns = Vec::with_capacity(names.len());
    for (index, name) in names.into_iter().enumerate() {
        let about = schema.column(index);
        let mut cells = Raw::of(&about, &name, file)?;
        for group in 0..reader.num_row_groups() {
            let group = reader.get_row_group(group).map_err(|e| damaged(file, &e))?;
            let mut column = group
                .get_column_reader(index)
                .map_err(|e| damaged(file, &e))?;
            let batches = Batches {
                rows: usize::try_from(group.metadata().num_rows()).unwrap_or(0),
                is_last: true,
                max_definition: about.max_def_level(),
                file,
                options,
            };
            cells.read(&mut column, &batches, &name)?;
        }
        columns.push(cells.finish(&name, index + 1, file, options, None)?);
    }
    let rows = columns.first().map_or(0, |c| c.values.len());
    if rows == 0 {
        return Err(Error::Empty {
            file: file.to_owned(),
            problem: "there are no rows".to_owned(),
        });
    }
    let origin = Origin {
        name: file.to_owned(),
        lines: Vec::new(),
    };
    convert::table(columns, origin, options)
}

/// Refuses claims that no honest file makes: runs of one value take next to no bytes, so the
/// size of the file bounds the cells only loosely.
fn check_size(about: &ParquetMetaData, size: u64, file: &str) -> Result<()> {
    let rows = about
        .row_groups()
        .iter()
        .map(|g| u64::try_from(g.num_rows()).unwrap_or(0));
    let rows = rows.fold(0, u64::saturating_add);
    let columns = about.file_metadata().schema_descr().num_columns() as u64;
    if rows.saturating_mul(columns) > size.saturating_mul(CELLS_PER_BYTE).max(FREE_CELLS) {
        return Err(Error::Damaged {
            file: file.to_owned(),
            problem: format!("{size} bytes claim to hold {rows} rows of {columns} columns"),
        });
    }
    Ok(())
}

/// Refuses rows that would take more memory than may be read: eight bytes a cell at least, and one
/// column of all groups unpacked.
fn check_limit(about: &ParquetMetaData, limit: u64, file: &str) -> Result<()> {
    let size = |number: i64| u64::try_from(number).unwrap_or(0);
    let mut cells = 0_u64;
    for group in about.row_groups() {
        let rows = size(group.num_rows());
        cells = cells.saturating_add(rows.saturating_mul(group.columns().len() as u64));
        let unpacked = group.columns().iter().map(|c| size(c.uncompressed_size()));
        if unpacked.max().unwrap_or(0) > limit {
            return Err(Error::limit(file, &Limited::memory(limit)));
        }
    }
    if cells.saturating_mul(8) > limit {
        return Err(Error::limit(file, &Limited::memory(limit)));
    }
    Ok(())
}

/// How the stored numbers of a column are meant.
#[derive(Clone, Copy)]
enum Meaning {
    Number,
    Unsigned,
    /// A whole number times this power of ten.
    Decimal(i32),
    /// Multiples of so many seconds since 1970.
    Time(f64),
}

/// The values of a column as they grow.
enum Raw {
    Boolean(Vec<Option<bool>>),
    Numbers(Vec<f64>, Meaning),
    Texts(Cells),
}

impl Raw {
    /// No values yet of a column that can be read.
    fn of(about: &ColumnDescriptor, name: &str, file: &str) -> Result<Self> {
        if about.max_rep_level() > 0 {
            return Err(Error::Unsupported {
                file: file.to_owned(),
                problem: format!("column `{}` holds lists", shorten(name)),
                cure: "spread lists over columns of their own, or drop the column".into(),
            });
        }
        Self::new(about).ok_or_else(|| Error::Unsupported {
            file: file.to_owned(),
            problem: format!("column `{}` has a type that is not read", shorten(name)),
            cure: "save it as numbers, booleans, strings or timestamps".into(),
        })
    }

    fn new(about: &ColumnDescriptor) -> Option<Self> {
        use parquet::basic::Type;
        let meaning = meaning(about);
        match (about.physical_type(), meaning) {
            (Type::BOOLEAN, _) => Some(Self::Boolean(Vec::new())),
            (Type::INT96, _) => Some(Self::Numbers(Vec::new(), Meaning::Time(1.0))),
            (Type::INT32 | Type::INT64 | Type::FLOAT | Type::DOUBLE, meaning)
            | (Type::BYTE_ARRAY | Type::FIXED_LEN_BYTE_ARRAY, meaning @ Meaning::Decimal(_)) => {
                Some(Self::Numbers(Vec::new(), meaning))
            }
            (Type::BYTE_ARRAY, _) => Some(Self::Texts(Cells::default())),
            (Type::FIXED_LEN_BYTE_ARRAY, _) => None,
        }
    }

    fn read(&mut self, column: &mut ColumnReader, source: &Batches<'_>, name: &str) -> Result<()> {
        let (file, options) = (source.file, source.options);
        match (self, column) {
            (Self::Boolean(out), ColumnReader::BoolColumnReader(r)) => source.each(r, |v| {
                out.push(v.copied());
                Ok(())
            }),
            (Self::Numbers(out, meaning), column) => numbers(source, column, out, *meaning),
            (Self::Texts(out), ColumnReader::ByteArrayColumnReader(r)) => source.each(r, |v| {
                let Some(v) = v else {
                    out.push_missing();
                    return Ok(());
                };
                if std::str::from_utf8(v.data()).is_err() {
                    return Err(Error::Unsupported {
                        file: file.to_owned(),
                        problem: format!("column `{name}` holds bytes that are not text"),
                        cure: "drop the column, or save it as UTF-8 strings".into(),
                    });
                }
                if v.data().len() > options.max_field {
                    return Err(Error::Unsupported {
                        file: file.to_owned(),
                        problem: format!(
                            "column `{name}` holds a text longer than {} bytes",
                            options.max_field
                        ),
                        cure: long_field(),
                    });
                }
                out.push(v.data());
                Ok(())
            }),
            _ => Err(Error::Damaged {
                file: file.to_owned(),
                problem: format!("column `{name}` changes its type"),
            }),
        }
    }

    fn finish(
        self,
        name: &str,
        position: usize,
        file: &str,
        options: &ReadOptions,
        before: Option<&Known>,
    ) -> Result<Column> {
        let missing = options.missing_texts();
        let column = cells::Column {
            name,
            position,
            file,
            lines: &[],
            missing: &missing,
            options,
            comma: false,
        };
        let values = match self {
            Self::Texts(cells) => return column.read(&cells, before),
            Self::Boolean(values) => Values::Boolean(values.into()),
            Self::Numbers(values, meaning) => {
                if let Some(row) = values.iter().position(|v| v.is_infinite()) {
                    return Err(Error::Entry {
                        file: file.to_owned(),
                        row: row + 1,
                        column: format!("`{name}`"),
                        problem: format!("`{}` is not a finite number", values[row]),
                        cure: "give a finite number, or null for a missing value".into(),
                    });
                }
                match meaning {
                    Meaning::Time(_) => Values::Date(values),
                    _ => Values::Numeric(values),
                }
            }
        };
        Ok(Column::new(name, values))
    }
}

fn meaning(about: &ColumnDescriptor) -> Meaning {
    match about.logical_type_ref() {
        Some(LogicalType::Date) => return Meaning::Time(86_400.0),
        Some(LogicalType::Timestamp(t)) => {
            return Meaning::Time(match t.unit {
                TimeUnit::MILLIS => 1e-3,
                TimeUnit::MICROS => 1e-6,
                TimeUnit::NANOS => 1e-9,
            });
        }
        Some(LogicalType::Decimal(d)) => return Meaning::Decimal(d.scale),
        Some(LogicalType::Integer(i)) if !i.is_signed => return Meaning::Unsigned,
        _ => {}
    }
    match about.converted_type() {
        ConvertedType::DATE => Meaning::Time(86_400.0),
        ConvertedType::TIMESTAMP_MILLIS => Meaning::Time(1e-3),
        ConvertedType::TIMESTAMP_MICROS => Meaning::Time(1e-6),
        ConvertedType::DECIMAL => Meaning::Decimal(about.type_scale()),
        ConvertedType::UINT_8
        | ConvertedType::UINT_16
        | ConvertedType::UINT_32
        | ConvertedType::UINT_64 => Meaning::Unsigned,
        _ => Meaning::Number,
    }
}

fn scaled(value: f64, meaning: Meaning) -> f64 {
    match meaning {
        Meaning::Number | Meaning::Unsigned => value,
        // Division by an exact power rounds once.
        Meaning::Decimal(scale) => value / 10_f64.powi(scale),
        Meaning::Time(unit) if unit < 1.0 => value / unit.recip().round(),
        Meaning::Time(unit) => value * unit,
    }
}

fn numbers(
    source: &Batches<'_>,
    column: &mut ColumnReader,
    out: &mut Vec<f64>,
    meaning: Meaning,
) -> Result<()> {
    let unsigned = matches!(meaning, Meaning::Unsigned);
    let mut push = |value: Option<f64>| {
        out.push(value.map_or(f64::NAN, |v| scaled(v, meaning)));
        Ok(())
    };
    match column {
        ColumnReader::Int32ColumnReader(r) if unsigned => {
            source.each(r, |v| push(v.map(|&v| f64::from(v as u32))))
        }
        ColumnReader::Int64ColumnReader(r) if unsigned => {
            source.each(r, |v| push(v.map(|&v| v as u64 as f64)))
        }
        ColumnReader::Int32ColumnReader(r) => source.each(r, |v| push(v.map(|&v| f64::from(v)))),
        ColumnReader::Int64ColumnReader(r) => source.each(r, |v| push(v.map(|&v| v as f64))),
        ColumnReader::Int96ColumnReader(r) => {
            source.each(r, |v| push(v.map(|v| v.to_micros() as f64 / 1e6)))
        }
        ColumnReader::FloatColumnReader(r) => source.each(r, |v| push(v.map(|&v| f64::from(v)))),
        ColumnReader::DoubleColumnReader(r) => source.each(r, |v| push(v.copied())),
        ColumnReader::ByteArrayColumnReader(r) => {
            source.each(r, |v| push(v.map(|v| big_integer(v.data()))))
        }
        ColumnReader::FixedLenByteArrayColumnReader(r) => {
            source.each(r, |v| push(v.map(|v| big_integer(v.as_bytes()))))
        }
        ColumnReader::BoolColumnReader(_) => Err(Error::Damaged {
            file: source.file.to_owned(),
            problem: "a column of numbers holds booleans".to_owned(),
        }),
    }
}

/// A two's complement integer of any length, highest byte first, rounded to a double.
fn big_integer(bytes: &[u8]) -> f64 {
    let negative = bytes.first().is_some_and(|b| b & 0x80 != 0);
    // Sixteen bytes hold every decimal of up to 38 digits, the most that is in use.
    if bytes.len() <= 16 {
        let start = if negative { -1_i128 } else { 0 };
        return bytes.iter().fold(start, |v, &b| v << 8 | i128::from(b)) as f64;
    }
    let start = if negative { -1.0 } else { 0.0 };
    bytes.iter().fold(start, |v, &b| v * 256.0 + f64::from(b))
}

/// Reads the batches of one column chunk.
struct Batches<'a> {
    /// The rows that are wanted.
    rows: usize,
    /// Whether they are the last that the group is said to have.
    is_last: bool,
    max_definition: i16,
    file: &'a str,
    options: &'a ReadOptions,
}

impl Batches<'_> {
    fn each<T: DataType>(
        &self,
        reader: &mut ColumnReaderImpl<T>,
        mut push: impl FnMut(Option<&T::T>) -> Result<()>,
    ) -> Result<()> {
        let mut values = Vec::new();
        let mut levels = Vec::new();
        let mut rows = 0;
        loop {
            self.options.check_cancel()?;
            values.clear();
            levels.clear();
            // At the end of a group nothing may be left.
            let want = BATCH.min(self.rows - rows);
            if want == 0 && !self.is_last {
                return Ok(());
            }
            let definition = (self.max_definition > 0).then_some(&mut levels);
            let (records, _, _) = reader
                .read_records(want.max(1), definition, None, &mut values)
                .map_err(|e| damaged(self.file, &e))?;
            if records > want || (records == 0 && want > 0) {
                return Err(Error::Damaged {
                    file: self.file.to_owned(),
                    problem: "a column has other than the rows of its group".to_owned(),
                });
            }
            if records == 0 {
                return Ok(());
            }
            rows += records;
            if self.max_definition == 0 {
                for value in &values {
                    push(Some(value))?;
                }
                continue;
            }
            let mut stored = values.iter();
            for &level in &levels {
                push(if level == self.max_definition {
                    stored.next()
                } else {
                    None
                })?;
            }
        }
    }
}
