//! Tables and matrices out: CSV and `.npy`.

use std::io::Write;

use mercer::data::{Block, Points, Table, Values};

use crate::read::date;
use crate::{Error, Result};

/// Returns the shortest text that reads back as the same number; NaN is empty.
pub fn format_number(value: f64) -> String {
    let size = value.abs();
    if value.is_nan() {
        String::new()
    } else if size == 0.0 || (1e-5..1e16).contains(&size) || value.is_infinite() {
        value.to_string()
    } else {
        format!("{value:e}")
    }
}

/// Writes CSV: comma, line feed, quotes where needed.
#[derive(Debug)]
pub struct CsvWriter<W> {
    writer: W,
    file: String,
    width: Option<usize>,
    line: String,
}

impl<W: Write> CsvWriter<W> {
    /// Wraps a writer; `file` names it in errors.
    pub fn new(writer: W, file: impl Into<String>) -> Self {
        Self {
            writer,
            file: file.into(),
            width: None,
            line: String::new(),
        }
    }

    /// Writes one row; the first, usually the names, fixes the number of fields.
    ///
    /// # Errors
    /// A number of fields other than the first row's, and the writer's refusal.
    pub fn write_row<S: AsRef<str>>(&mut self, fields: impl IntoIterator<Item = S>) -> Result<()> {
        self.line.clear();
        let mut count = 0;
        for field in fields {
            if count > 0 {
                self.line.push(',');
            }
            push_field(&mut self.line, field.as_ref());
            count += 1;
        }
        // An empty line would be passed over by readers.
        if self.line.is_empty() {
            self.line.push_str("\"\"");
        }
        let width = *self.width.get_or_insert(count);
        if count != width {
            return Err(mercer::Error::Length {
                what: format!("a row of {}", self.file),
                found: count,
                expected: width,
                unit: "fields",
            }
            .into());
        }
        self.line.push('\n');
        let written = self.writer.write_all(self.line.as_bytes());
        written.map_err(|e| Error::io(&self.file, e))
    }
}

/// Quotes what a reader would cut, trim or take for the end of the row.
fn push_field(line: &mut String, field: &str) {
    let special = field.contains([',', ';', '\t', '|', '"', '\n', '\r']);
    if !special && field.trim() == field && !field.starts_with('\u{feff}') {
        line.push_str(field);
        return;
    }
    line.push('"');
    for c in field.chars() {
        if c == '"' {
            line.push('"');
        }
        line.push(c);
    }
    line.push('"');
}

/// Writes a table as CSV; missing values are empty, vectors take a column per value.
///
/// # Errors
/// The writer's refusal.
///
/// # Examples
/// ```
/// use mercer::data::{Categories, Column, Origin, Table, Values};
///
/// let names = Categories::from_names([Some("rose"), None]);
/// let columns = vec![
///     Column::new("size", Values::Numeric(vec![1.5, f64::NAN])),
///     Column::new("kind", Values::Categorical(names)),
/// ];
/// let table = Table::try_new(columns, Origin::default())?;
/// let mut out = Vec::new();
/// mercer_io::write_csv(&mut out, &table)?;
/// assert_eq!(out, b"size,kind\n1.5,rose\n,\n");
/// # Ok::<(), mercer_io::Error>(())
/// ```
pub fn write_csv(writer: &mut dyn Write, table: &Table) -> Result<()> {
    let mut csv = CsvWriter::new(writer, &table.origin().name);
    let mut names = Vec::new();
    for column in table.columns() {
        match &column.values {
            Values::Vectors(points) => {
                names.extend((1..=points.columns()).map(|i| format!("{}_{i}", column.name)));
            }
            _ => names.push(column.name.clone()),
        }
    }
    csv.write_row(&names)?;
    let mut fields: Vec<String> = Vec::new();
    for row in 0..table.rows() {
        fields.clear();
        for column in table.columns() {
            push_value(&mut fields, &column.values, row);
        }
        csv.write_row(&fields)?;
    }
    Ok(())
}

fn push_value(fields: &mut Vec<String>, values: &Values, row: usize) {
    match values {
        Values::Numeric(v) => fields.push(format_number(v[row])),
        Values::Boolean(t) => fields.push(t.word(row).unwrap_or_default().to_owned()),
        Values::Categorical(c) => fields.push(c.name(row).unwrap_or_default().to_owned()),
        Values::Text(_) | Values::Molecules(_) | Values::Nodes(_) | Values::Graphs(_) => {
            fields.push(values.text(row).unwrap_or_default());
        }
        Values::Date(v) => {
            fields.push(date::format(v[row]).unwrap_or_else(|| format_number(v[row])));
        }
        Values::Vectors(points) => push_vector(fields, points, row),
    }
}

fn push_vector(fields: &mut Vec<String>, points: &Points, row: usize) {
    match points.select(&[row]).widened() {
        Block::Dense(m) => fields.extend(m.row(0).iter().map(|&v| format_number(v))),
        Block::Sparse(m) => {
            let start = fields.len();
            fields.resize(start + m.columns(), "0".to_owned());
            let (indices, stored) = m.row(0);
            for (&index, &value) in indices.iter().zip(stored) {
                fields[start + index as usize] = format_number(value);
            }
        }
    }
}

/// Writes a matrix of doubles as `.npy` row by row, such as a Gram matrix larger than memory.
#[derive(Debug)]
pub struct NpyWriter<W> {
    writer: W,
    file: String,
    rows: usize,
    columns: usize,
    written: usize,
    buffer: Vec<u8>,
}

impl<W: Write> NpyWriter<W> {
    /// Writes the header of a matrix; `file` names it in errors.
    ///
    /// # Errors
    /// The writer's refusal.
    pub fn try_new(
        mut writer: W,
        file: impl Into<String>,
        rows: usize,
        columns: usize,
    ) -> Result<Self> {
        let file = file.into();
        let mut header =
            format!("{{'descr': '<f8', 'fortran_order': False, 'shape': ({rows}, {columns}), }}");
        // Magic, version and length take 10 bytes; data start at a multiple of 64, as NumPy does.
        let padding = 63 - (10 + header.len()) % 64;
        header.extend(std::iter::repeat_n(' ', padding));
        header.push('\n');
        let mut start = b"\x93NUMPY\x01\x00".to_vec();
        start.extend((header.len() as u16).to_le_bytes());
        start.extend(header.as_bytes());
        writer.write_all(&start).map_err(|e| Error::io(&file, e))?;
        Ok(Self {
            writer,
            file,
            rows,
            columns,
            written: 0,
            buffer: Vec::new(),
        })
    }

    /// Writes the next row.
    ///
    /// # Errors
    /// A width other than promised, a row too many, and the writer's refusal.
    pub fn write_row(&mut self, row: &[f64]) -> Result<()> {
        self.expect(row.len(), self.columns, "columns")?;
        self.written += 1;
        if self.written > self.rows {
            self.expect(self.written, self.rows, "rows")?;
        }
        self.buffer.clear();
        self.buffer.extend(row.iter().flat_map(|v| v.to_le_bytes()));
        let written = self.writer.write_all(&self.buffer);
        written.map_err(|e| Error::io(&self.file, e))
    }

    /// Checks that every row was written, and returns the writer.
    ///
    /// # Errors
    /// Missing rows.
    pub fn finish(self) -> Result<W> {
        self.expect(self.written, self.rows, "rows")?;
        Ok(self.writer)
    }

    fn expect(&self, found: usize, expected: usize, unit: &'static str) -> Result<()> {
        if found == expected {
            return Ok(());
        }
        Err(mercer::Error::Length {
            what: format!("the matrix for {}", self.file),
            found,
            expected,
            unit,
        }
        .into())
    }
}

#[cfg(test)]
mod tests {
    use mercer::data::{Categories, Column, Origin};
    use mercer_linalg::Matrix;
    use proptest::prelude::*;

    use super::*;
    use crate::read::{ReadOptions, Source, read};

    #[test]
    fn numbers_are_short_and_exact() {
        for (value, text) in [
            (1.0, "1"),
            (-0.1, "-0.1"),
            (1e300, "1e300"),
            (1.5e-9, "1.5e-9"),
            (0.0, "0"),
            (f64::NAN, ""),
            (123_456_789_012.0, "123456789012"),
        ] {
            assert_eq!(format_number(value), text);
        }
    }

    #[test]
    fn rows_must_agree() {
        let mut csv = CsvWriter::new(Vec::new(), "out.csv");
        csv.write_row(["a", "b"]).expect("first");
        let error = csv.write_row(["1"]).expect_err("short");
        assert_eq!(
            error.to_string(),
            "a row of out.csv has 1 fields; 2 expected"
        );
        let mut npy = NpyWriter::try_new(Vec::new(), "k.npy", 1, 2).expect("header");
        assert!(npy.write_row(&[1.0]).is_err());
        npy.write_row(&[1.0, 2.0]).expect("row");
        assert!(npy.write_row(&[1.0, 2.0]).is_err());
        assert!(
            NpyWriter::try_new(Vec::new(), "k.npy", 1, 2)
                .expect("header")
                .finish()
                .is_err()
        );
    }

    #[test]
    fn matrices_read_back() {
        let matrix = Matrix::from_fn(3, 2, |i, j| i as f64 + 0.1 * j as f64);
        let mut npy = NpyWriter::try_new(Vec::new(), "k.npy", 3, 2).expect("memory");
        for row in 0..3 {
            npy.write_row(matrix.row(row)).expect("memory");
        }
        let bytes = npy.finish().expect("three rows");
        assert_eq!((bytes.len() - 48) % 64, 0);
        let table =
            read(&Source::bytes("k.npy", bytes), &ReadOptions::default()).expect("readable");
        assert_eq!(
            table.columns()[0].values,
            Values::Vectors(Points::from(matrix))
        );
    }

    fn columns() -> impl Strategy<Value = Vec<Column>> {
        (1..12_usize).prop_flat_map(|n| {
            let number = prop_oneof![
                any::<f64>().prop_filter("finite", |v| v.is_finite()),
                (-1000..1000_i32).prop_map(f64::from),
            ];
            let numbers = proptest::collection::vec(number, n);
            let truths = proptest::collection::vec(proptest::option::of(any::<bool>()), n);
            let codes =
                proptest::collection::vec(prop_oneof![4 => 0..3_u32, 1 => Just(u32::MAX)], n);
            let texts = proptest::collection::vec(
                proptest::option::of("[ -~äß\n]{0,8}x y z [\",;|]{1,3}"),
                n,
            );
            let days = proptest::collection::vec(-900_000_000_i64..9_000_000_000, n);
            (numbers, truths, codes, texts, days).prop_map(
                |(numbers, truths, codes, texts, days)| {
                    let levels = vec!["a".into(), "b,\"c".into(), "d e".into()];
                    vec![
                        Column::new("n", Values::Numeric(numbers)),
                        Column::new("t, u", Values::Boolean(truths.into())),
                        Column::new("c", Values::Categorical(Categories { codes, levels })),
                        Column::new("s", Values::Text(texts)),
                        Column::new(
                            "d",
                            Values::Date(days.into_iter().map(|d| d as f64).collect()),
                        ),
                    ]
                },
            )
        })
    }

    proptest! {
        #[test]
        fn writing_and_reading_is_identity(columns in columns()) {
            let table = Table::try_new(columns, Origin::default()).expect("equal lengths");
            let mut bytes = Vec::new();
            write_csv(&mut bytes, &table).expect("memory");
            let schema = table.columns().iter().map(|c| (c.name.clone(), c.kind())).collect();
            let options = ReadOptions::default().schema(schema).header(true);
            let read = read(&Source::bytes("t.csv", bytes), &options).expect("readable");
            prop_assert_eq!(read.names(), table.names());
            prop_assert_eq!(read.rows(), table.rows());
            for (a, b) in read.columns().iter().zip(table.columns()) {
                match (&a.values, &b.values) {
                    (Values::Categorical(x), Values::Categorical(y)) => {
                        for row in 0..table.rows() {
                            prop_assert_eq!(x.name(row), y.name(row));
                        }
                    }
                    (x, y) => prop_assert_eq!(x, y),
                }
            }
        }
    }
}
