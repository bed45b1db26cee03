//! Tables from record batches of Apache Arrow.
//!
//! | Arrow | column |
//! |---|---|
//! | integers, floats, decimals, `Null` | numeric |
//! | `Boolean` | boolean |
//! | dates, timestamps; those without a zone are in UTC | date |
//! | strings | any kind but vectors, as [`super::recognise`] finds |
//! | dictionaries of strings | categorical |
//! | lists of a fixed number of floats | vectors |
//!
//! Nulls are missing, and among strings the texts that stand for it. Other types are refused by name.

use arrow_array::cast::AsArray;
use arrow_array::types::{
    ArrowPrimitiveType, Date32Type, Date64Type, Decimal32Type, Decimal64Type, Decimal128Type,
    Decimal256Type, Float16Type, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type,
    Int64Type, TimestampMicrosecondType, TimestampMillisecondType, TimestampNanosecondType,
    TimestampSecondType, UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_schema::{DataType, TimeUnit};
use mercer_linalg::{Matrix, Real};

use super::{Block, Categories, Column, Origin, Points, Table, Values};
use crate::{Error, Result};

impl Table {
    /// Joins the rows of record batches, as a Parquet reader or a query returns them.
    ///
    /// # Errors
    /// Batches whose columns differ in name or type; columns of a type that no table has; names
    /// that occur twice.
    ///
    /// # Examples
    /// ```
    /// use std::sync::Arc;
    ///
    /// use arrow_array::{ArrayRef, Float64Array, RecordBatch, StringArray};
    /// use mercer::data::{Kind, Table};
    ///
    /// let size: ArrayRef = Arc::new(Float64Array::from(vec![Some(1.5), None, Some(2.5)]));
    /// let kind: ArrayRef = Arc::new(StringArray::from(vec!["rose", "lily", "rose"]));
    /// let batch = RecordBatch::try_from_iter([("size", size), ("kind", kind)]).expect("equal lengths");
    ///
    /// let table = Table::from_batches(&[batch.clone(), batch])?;
    /// assert_eq!(table.rows(), 6);
    /// assert_eq!(table.column("kind")?.kind(), Kind::Categorical);
    /// assert!(table.column("size")?.values.is_missing(4));
    /// # Ok::<(), mercer::Error>(())
    /// ```
    pub fn from_batches(batches: &[RecordBatch]) -> Result<Self> {
        let Some(first) = batches.first() else {
            return Ok(Self::default());
        };
        let schema = first.schema();
        for (number, batch) in batches.iter().enumerate() {
            let found = batch.schema();
            let described = |s: &arrow_schema::Schema| {
                let fields = s.fields().iter();
                fields
                    .map(|f| (f.name().clone(), f.data_type().clone()))
                    .collect::<Vec<_>>()
            };
            if described(&found) != described(&schema) {
                return Err(Error::Conflict {
                    what: format!("batch {} has other columns than the first one", number + 1),
                    cure: "give batches of one schema".into(),
                });
            }
        }
        let columns = schema.fields().iter().enumerate().map(|(index, field)| {
            let chunks: Vec<&ArrayRef> = batches.iter().map(|b| b.column(index)).collect();
            let unknown = || Error::ColumnKind {
                column: field.name().clone(),
                found: format!("of Arrow's type `{}`", field.data_type()),
                expected: "a column of numbers, booleans, strings, dates or vectors".to_owned(),
            };
            if is_text(field.data_type()) {
                let texts = strings(&chunks).ok_or_else(unknown)?;
                return Column::of_strings(field.name(), &texts.iter().copied(), false);
            }
            let values = values(field.data_type(), &chunks).ok_or_else(unknown)?;
            Ok(Column::new(field.name(), values))
        });
        Self::try_new(columns.collect::<Result<_>>()?, Origin::default())
    }
}

impl TryFrom<&RecordBatch> for Table {
    type Error = Error;

    fn try_from(batch: &RecordBatch) -> Result<Self> {
        Self::from_batches(std::slice::from_ref(batch))
    }
}

/// The values of a column, chunk after chunk; `None` for types that no table has.
fn values(kind: &DataType, chunks: &[&ArrayRef]) -> Option<Values> {
    /// Exact powers divide with one rounding.
    fn tenth(scale: i8) -> impl Fn(f64) -> f64 {
        move |v| {
            if scale < 0 {
                v * 10_f64.powi(-i32::from(scale))
            } else {
                v / 10_f64.powi(i32::from(scale))
            }
        }
    }
    const DAY: f64 = 86_400.0;
    /// 2¹²⁸, the worth of the upper half of a 256-bit number.
    const UPPER: f64 = 340_282_366_920_938_463_463_374_607_431_768_211_456.0;
    Some(match kind {
        DataType::Null => {
            let rows = chunks.iter().fold(0, |rows, chunk| rows + chunk.len());
            Values::Numeric(vec![f64::NAN; rows])
        }
        DataType::Int8 => numbers::<Int8Type>(chunks, f64::from),
        DataType::Int16 => numbers::<Int16Type>(chunks, f64::from),
        DataType::Int32 => numbers::<Int32Type>(chunks, f64::from),
        DataType::Int64 => numbers::<Int64Type>(chunks, |v| v as f64),
        DataType::UInt8 => numbers::<UInt8Type>(chunks, f64::from),
        DataType::UInt16 => numbers::<UInt16Type>(chunks, f64::from),
        DataType::UInt32 => numbers::<UInt32Type>(chunks, f64::from),
        DataType::UInt64 => numbers::<UInt64Type>(chunks, |v| v as f64),
        DataType::Float16 => numbers::<Float16Type>(chunks, f64::from),
        DataType::Float32 => numbers::<Float32Type>(chunks, f64::from),
        DataType::Float64 => numbers::<Float64Type>(chunks, |v| v),
        DataType::Decimal32(_, scale) => {
            let scaled = tenth(*scale);
            numbers::<Decimal32Type>(chunks, |v| scaled(f64::from(v)))
        }
        DataType::Decimal64(_, scale) => {
            let scaled = tenth(*scale);
            numbers::<Decimal64Type>(chunks, |v| scaled(v as f64))
        }
        DataType::Decimal128(_, scale) => {
            let scaled = tenth(*scale);
            numbers::<Decimal128Type>(chunks, |v| scaled(v as f64))
        }
        DataType::Decimal256(_, scale) => {
            let scaled = tenth(*scale);
            numbers::<Decimal256Type>(chunks, |v| {
                // A small negative number is the difference of two large parts.
                let whole = v.to_i128().map_or_else(
                    || {
                        let (lower, upper) = v.to_parts();
                        upper as f64 * UPPER + lower as f64
                    },
                    |v| v as f64,
                );
                scaled(whole)
            })
        }
        DataType::Date32 => dates::<Date32Type>(chunks, |v| f64::from(v) * DAY),
        DataType::Date64 => dates::<Date64Type>(chunks, |v| v as f64 / 1e3),
        DataType::Timestamp(unit, _) => match unit {
            TimeUnit::Second => dates::<TimestampSecondType>(chunks, |v| v as f64),
            TimeUnit::Millisecond => dates::<TimestampMillisecondType>(chunks, |v| v as f64 / 1e3),
            TimeUnit::Microsecond => dates::<TimestampMicrosecondType>(chunks, |v| v as f64 / 1e6),
            TimeUnit::Nanosecond => dates::<TimestampNanosecondType>(chunks, |v| v as f64 / 1e9),
        },
        DataType::Boolean => {
            let chunks = chunks.iter().flat_map(|chunk| chunk.as_boolean().iter());
            Values::Boolean(chunks.collect::<Vec<_>>().into())
        }
        DataType::Dictionary(_, _) => names(chunks)?,
        DataType::FixedSizeList(item, width) => {
            let width = usize::try_from(*width).ok()?;
            match item.data_type() {
                DataType::Float32 => vectors::<Float32Type>(chunks, width, f32::NAN),
                DataType::Float64 => vectors::<Float64Type>(chunks, width, f64::NAN),
                _ => return None,
            }
        }
        _ => return None,
    })
}

fn is_text(kind: &DataType) -> bool {
    matches!(
        kind,
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View
    )
}

fn column_of<T: ArrowPrimitiveType>(
    chunks: &[&ArrayRef],
    number: impl Fn(T::Native) -> f64,
) -> Vec<f64> {
    let all = chunks.iter().flat_map(|c| c.as_primitive::<T>().iter());
    all.map(|v| v.map_or(f64::NAN, &number)).collect()
}

fn numbers<T: ArrowPrimitiveType>(
    chunks: &[&ArrayRef],
    number: impl Fn(T::Native) -> f64,
) -> Values {
    Values::Numeric(column_of::<T>(chunks, number))
}

fn dates<T: ArrowPrimitiveType>(
    chunks: &[&ArrayRef],
    seconds: impl Fn(T::Native) -> f64,
) -> Values {
    Values::Date(column_of::<T>(chunks, seconds))
}

/// The strings of all chunks; `None` where values are no strings.
fn strings<'a>(chunks: &[&'a ArrayRef]) -> Option<Vec<Option<&'a str>>> {
    let mut all = Vec::new();
    for chunk in chunks {
        match chunk.data_type() {
            DataType::Utf8 => all.extend(chunk.as_string::<i32>()),
            DataType::LargeUtf8 => all.extend(chunk.as_string::<i64>()),
            DataType::Utf8View => all.extend(chunk.as_string_view()),
            _ => return None,
        }
    }
    Some(all)
}

/// Names by row: dictionaries are a way of storing, and batches need not share one.
fn names(chunks: &[&ArrayRef]) -> Option<Values> {
    let mut all = Vec::new();
    for chunk in chunks {
        let dictionary = chunk.as_any_dictionary_opt()?;
        let levels = strings(&[dictionary.values()])?;
        if levels.is_empty() {
            all.extend(std::iter::repeat_n(None, chunk.len()));
            continue;
        }
        // Keys of nulls are any number.
        for (row, key) in dictionary.normalized_keys().into_iter().enumerate() {
            let level = levels.get(key).copied().flatten();
            all.push(level.filter(|_| dictionary.is_valid(row)));
        }
    }
    Some(Values::Categorical(Categories::from_names(all)))
}

/// A vector per row; NaN is missing.
fn vectors<T: ArrowPrimitiveType<Native: Real>>(
    chunks: &[&ArrayRef],
    width: usize,
    missing: T::Native,
) -> Values
where
    Points: From<Block<T::Native>>,
{
    let mut rows = 0;
    let mut all: Vec<T::Native> = Vec::new();
    for chunk in chunks {
        let lists = chunk.as_fixed_size_list();
        rows += lists.len();
        for list in lists {
            match list {
                Some(list) => {
                    let values = list.as_primitive::<T>().iter();
                    all.extend(values.map(|v| v.unwrap_or(missing)));
                }
                None => all.extend(std::iter::repeat_n(missing, width)),
            }
        }
    }
    Values::Vectors(Matrix::from_vec(rows, width, all).into())
}
