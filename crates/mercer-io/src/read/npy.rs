//! `NumPy`'s `.npy`: one array of numbers or booleans.
//!
//! A matrix becomes the column `x` of dense vectors, a list the numeric column `y`. Header
//! versions 1 to 3, both byte orders, row and column order.

use std::io::Read;

use mercer::data::{Column, Origin, Points, Table, Values};
use mercer_linalg::Matrix;

use super::source::Opened;
use super::{ReadOptions, convert};
use crate::error::shorten;
use crate::{Error, Result};

/// The longest header that is read; `NumPy`'s own limit for safe evaluation is 10 000.
const MAX_HEADER: u64 = 1 << 16;

/// Bytes decoded between two looks at the cancel flag.
const BLOCK: usize = 1 << 16;

/// What a header says.
#[derive(Debug, PartialEq)]
struct Header {
    item: Item,
    big_endian: bool,
    fortran: bool,
    shape: Vec<usize>,
}

/// The numbers that binary arrays hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Item {
    Bool,
    U8,
    U16,
    U32,
    U64,
    I8,
    I16,
    I32,
    I64,
    F32,
    F64,
}

impl Item {
    pub(super) fn size(self) -> usize {
        match self {
            Self::Bool | Self::U8 | Self::I8 => 1,
            Self::U16 | Self::I16 => 2,
            Self::U32 | Self::I32 | Self::F32 => 4,
            Self::U64 | Self::I64 | Self::F64 => 8,
        }
    }

    /// Decodes items of one byte order; the length must be a multiple of the size.
    pub(super) fn decode(self, bytes: &[u8], big_endian: bool, out: &mut Vec<f64>) {
        fn each<const N: usize>(
            bytes: &[u8],
            big: bool,
            out: &mut Vec<f64>,
            value: impl Fn([u8; N]) -> f64,
        ) {
            out.extend(bytes.as_chunks::<N>().0.iter().map(|item| {
                let mut item = *item;
                if big {
                    item.reverse();
                }
                value(item)
            }));
        }
        match self {
            Self::Bool => each(bytes, false, out, |[b]: [u8; 1]| {
                f64::from(u8::from(b != 0))
            }),
            Self::U8 => each(bytes, false, out, |b: [u8; 1]| f64::from(b[0])),
            Self::I8 => each(bytes, false, out, |b| f64::from(i8::from_le_bytes(b))),
            Self::U16 => each(bytes, big_endian, out, |b| f64::from(u16::from_le_bytes(b))),
            Self::I16 => each(bytes, big_endian, out, |b| f64::from(i16::from_le_bytes(b))),
            Self::U32 => each(bytes, big_endian, out, |b| f64::from(u32::from_le_bytes(b))),
            Self::I32 => each(bytes, big_endian, out, |b| f64::from(i32::from_le_bytes(b))),
            Self::U64 => each(bytes, big_endian, out, |b| u64::from_le_bytes(b) as f64),
            Self::I64 => each(bytes, big_endian, out, |b| i64::from_le_bytes(b) as f64),
            Self::F32 => each(bytes, big_endian, out, |b| f64::from(f32::from_le_bytes(b))),
            Self::F64 => each(bytes, big_endian, out, f64::from_le_bytes),
        }
    }
}

/// Reads `count` items; memory follows the bytes that arrive, not the claim.
pub(super) fn items(
    opened: &mut Opened,
    item: Item,
    big_endian: bool,
    count: usize,
    options: &ReadOptions,
) -> Result<Vec<f64>> {
    let mut values = Vec::with_capacity(opened.reserve(count, item.size()));
    let mut block = vec![0; BLOCK];
    while values.len() < count {
        options.check_cancel()?;
        let wanted = (count - values.len()).min(BLOCK / item.size()) * item.size();
        opened
            .reader
            .read_exact(&mut block[..wanted])
            .map_err(|e| {
                // A decoder's own error has a cause inside.
                if e.kind() == std::io::ErrorKind::UnexpectedEof && e.get_ref().is_none() {
                    return Error::Damaged {
                        file: opened.name.clone(),
                        problem: format!(
                            "the header promises {count} values, but the data end before"
                        ),
                    };
                }
                Error::io(&opened.name, e)
            })?;
        item.decode(&block[..wanted], big_endian, &mut values);
    }
    let mut more = [0];
    let left = opened
        .reader
        .read(&mut more)
        .map_err(|e| Error::io(&opened.name, e))?;
    if left > 0 {
        return Err(Error::Damaged {
            file: opened.name.clone(),
            problem: format!("bytes follow the {count} values the header promises"),
        });
    }
    Ok(values)
}

/// Makes the table of an array: `y` for a list, `x` for rows of vectors.
pub(super) fn table(
    file: String,
    rows: usize,
    columns: Option<usize>,
    values: Vec<f64>,
    options: &ReadOptions,
) -> Result<Table> {
    if rows == 0 || columns == Some(0) {
        return Err(Error::Empty {
            problem: "the array is empty".to_owned(),
            file,
        });
    }
    let bad = values.iter().position(|v| match columns {
        Some(_) => !v.is_finite(),
        None => v.is_infinite(),
    });
    if let Some(at) = bad {
        let width = columns.unwrap_or(1);
        return Err(Error::Entry {
            file,
            row: at / width + 1,
            column: (at % width + 1).to_string(),
            problem: format!("`{}` is not a finite number", values[at]),
            cure: "replace such values before saving; CSV can mark values as missing".into(),
        });
    }
    let column = match columns {
        None => Column::new("y", Values::Numeric(values)),
        Some(columns) => {
            let matrix =
                Matrix::try_from_vec(rows, columns, values).map_err(|e| Error::Damaged {
                    file: file.clone(),
                    problem: e.to_string(),
                })?;
            Column::new("x", Values::Vectors(Points::from(matrix)))
        }
    };
    let origin = Origin {
        name: file,
        lines: Vec::new(),
    };
    convert::table(vec![column], origin, options)
}

/// Reads an array.
pub(crate) fn read(mut opened: Opened, options: &ReadOptions) -> Result<Table> {
    let header = header(&mut opened)?;
    let count = header
        .shape
        .iter()
        .try_fold(1_usize, |a, &b| a.checked_mul(b));
    let count = count.ok_or_else(|| damaged(&opened, "the shape is too large"))?;
    let (rows, columns) = match header.shape[..] {
        [rows] => (rows, None),
        [rows, columns] => (rows, Some(columns)),
        _ => {
            return Err(Error::Unsupported {
                file: opened.name,
                problem: format!("the array has {} dimensions", header.shape.len()),
                cure: "reshape it to one row per example: `a.reshape(len(a), -1)`".into(),
            });
        }
    };
    let mut values = items(&mut opened, header.item, header.big_endian, count, options)?;
    if let Some(columns) = columns.filter(|&c| header.fortran && c > 0 && rows > 0) {
        let by_column = Matrix::try_from_vec(columns, rows, values)
            .map_err(|e| damaged(&opened, &e.to_string()))?;
        values = by_column.transposed().into_vec();
    }
    table(opened.name, rows, columns, values, options)
}

fn damaged(opened: &Opened, problem: &str) -> Error {
    Error::Damaged {
        file: opened.name.clone(),
        problem: problem.to_owned(),
    }
}

fn header(opened: &mut Opened) -> Result<Header> {
    let mut bytes = |n: u64| -> Result<Vec<u8>> {
        let mut bytes = Vec::new();
        let read = opened.reader.by_ref().take(n).read_to_end(&mut bytes);
        read.map_err(|e| Error::io(&opened.name, e))?;
        Ok(bytes)
    };
    let start = bytes(8)?;
    let length_bytes = match start[..] {
        [0x93, b'N', b'U', b'M', b'P', b'Y', 1, _] => 2,
        [0x93, b'N', b'U', b'M', b'P', b'Y', 2 | 3, _] => 4,
        [0x93, b'N', b'U', b'M', b'P', b'Y', version, _] => {
            let problem = format!("version {version} of the NumPy format is not known");
            return Err(damaged(opened, &problem));
        }
        _ => return Err(damaged(opened, "this is not a NumPy file")),
    };
    let length = bytes(length_bytes)?
        .iter()
        .rev()
        .fold(0, |n, &b| n << 8 | u64::from(b));
    if length > MAX_HEADER {
        let problem = format!("the header claims {length} bytes; {MAX_HEADER} are allowed");
        return Err(damaged(opened, &problem));
    }
    let text = bytes(length)?;
    if (text.len() as u64) < length {
        return Err(damaged(opened, "the data end inside the header"));
    }
    let text = String::from_utf8_lossy(&text);
    parse_header(&text).map_err(|fault| match fault {
        Fault::Syntax => damaged(
            opened,
            &format!("the header cannot be read: `{}`", shorten(&text)),
        ),
        Fault::Item(item) => Error::Unsupported {
            file: opened.name.clone(),
            problem: format!("the array holds items of type `{}`", shorten(&item)),
            cure: "save it as numbers: `a.astype(float)`".into(),
        },
    })
}

#[derive(Debug, PartialEq)]
enum Fault {
    Syntax,
    Item(String),
}

/// Reads `{'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }`.
fn parse_header(text: &str) -> Result<Header, Fault> {
    let body = text
        .trim()
        .strip_prefix('{')
        .and_then(|t| t.strip_suffix('}'));
    let body = body.ok_or(Fault::Syntax)?;
    let value = |key: &str| -> Result<&str, Fault> {
        let at = [format!("'{key}'"), format!("\"{key}\"")]
            .iter()
            .find_map(|k| body.find(k.as_str()).map(|i| i + k.len()));
        let rest = body[at.ok_or(Fault::Syntax)?..].trim_start();
        Ok(rest.strip_prefix(':').ok_or(Fault::Syntax)?.trim_start())
    };
    let descr = value("descr")?;
    let quote = descr.chars().next().ok_or(Fault::Syntax)?;
    if quote == '[' {
        return Err(Fault::Item("record".to_owned()));
    }
    if quote != '\'' && quote != '"' {
        return Err(Fault::Syntax);
    }
    let descr = descr[1..].split(quote).next().ok_or(Fault::Syntax)?;
    let (order, code) = match descr.chars().next() {
        Some(c @ ('<' | '>' | '|' | '=')) => (c, &descr[1..]),
        _ => ('=', descr),
    };
    let item = match code {
        "b1" | "?" => Item::Bool,
        "u1" => Item::U8,
        "u2" => Item::U16,
        "u4" => Item::U32,
        "u8" => Item::U64,
        "i1" => Item::I8,
        "i2" => Item::I16,
        "i4" => Item::I32,
        "i8" => Item::I64,
        "f4" => Item::F32,
        "f8" => Item::F64,
        _ => return Err(Fault::Item(descr.to_owned())),
    };
    let order_text = value("fortran_order")?;
    let fortran = if order_text.starts_with("True") {
        true
    } else if order_text.starts_with("False") {
        false
    } else {
        return Err(Fault::Syntax);
    };
    let shape = value("shape")?.strip_prefix('(').ok_or(Fault::Syntax)?;
    let shape = shape.split(')').next().ok_or(Fault::Syntax)?;
    let shape: Result<Vec<usize>, Fault> = shape
        .split(',')
        .map(|n| n.trim().trim_end_matches('L'))
        .filter(|n| !n.is_empty())
        .map(|n| n.parse().map_err(|_| Fault::Syntax))
        .collect();
    Ok(Header {
        item,
        big_endian: order == '>',
        fortran,
        shape: shape?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::{Source, read};
    use mercer::data::Block;

    fn file(version: u8, header: &str, data: &[u8]) -> Vec<u8> {
        let mut bytes = b"\x93NUMPY".to_vec();
        bytes.extend([version, 0]);
        if version == 1 {
            bytes.extend((header.len() as u16).to_le_bytes());
        } else {
            bytes.extend((header.len() as u32).to_le_bytes());
        }
        bytes.extend(header.as_bytes());
        bytes.extend(data);
        bytes
    }

    fn array(descr: &str, fortran: &str, shape: &str, data: &[u8]) -> Result<Table> {
        let header =
            format!("{{'descr': '{descr}', 'fortran_order': {fortran}, 'shape': {shape}, }}   \n");
        let source = Source::bytes("a.npy", file(1, &header, data));
        read(&source, &ReadOptions::default())
    }

    fn rows(table: &Table) -> Vec<Vec<f64>> {
        match &table.columns()[0].values {
            Values::Vectors(Points::Double(Block::Dense(m))) => {
                (0..m.rows()).map(|r| m.row(r).to_vec()).collect()
            }
            Values::Numeric(v) => vec![v.clone()],
            other => panic!("unexpected {other:?}"),
        }
    }

    fn message(result: Result<Table>) -> String {
        result.expect_err("refused").to_string()
    }

    #[test]
    fn every_item_type_is_read() {
        macro_rules! check {
            ($($descr:literal $type:ty),*) => {$(
                let values: [$type; 2] = [1 as $type, 100 as $type];
                let little: Vec<u8> = values.iter().flat_map(|v| v.to_le_bytes()).collect();
                let big: Vec<u8> = values.iter().flat_map(|v| v.to_be_bytes()).collect();
                let le = array(concat!("<", $descr), "False", "(2,)", &little).expect("little");
                let be = array(concat!(">", $descr), "False", "(2,)", &big).expect("big");
                assert_eq!(rows(&le), [[1.0, 100.0]]);
                assert_eq!(rows(&be), [[1.0, 100.0]]);
            )*};
        }
        check!("u1" u8, "u2" u16, "u4" u32, "u8" u64, "i1" i8, "i2" i16, "i4" i32, "i8" i64, "f4" f32, "f8" f64);
        assert_eq!(
            rows(&array("|b1", "False", "(3,)", &[0, 1, 1]).expect("bool")),
            [[0.0, 1.0, 1.0]]
        );
        assert_eq!(
            rows(&array("|i1", "False", "(1,)", &[0xff]).expect("signed")),
            [[-1.0]]
        );
    }

    #[test]
    fn both_orders_and_all_versions() {
        let c = array("|u1", "False", "(2, 3)", &[1, 2, 3, 4, 5, 6]).expect("rows");
        assert_eq!(rows(&c), [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]);
        assert_eq!(c.names(), ["x"]);
        let f = array("|u1", "True", "(2, 3)", &[1, 4, 2, 5, 3, 6]).expect("columns");
        assert_eq!(rows(&c), rows(&f));
        for version in [2, 3] {
            let header = "{\"descr\": \"|u1\", \"fortran_order\": False, \"shape\": (1,)}";
            let source = Source::bytes("a", file(version, header, &[9]));
            assert_eq!(
                rows(&read(&source, &ReadOptions::default()).expect("read")),
                [[9.0]]
            );
        }
    }

    #[test]
    fn bad_files_are_named() {
        assert_eq!(
            message(array("<f8", "False", "(1000000000, 1000)", &[0; 16])),
            "a.npy: the header promises 1000000000000 values, but the data end before"
        );
        assert_eq!(
            message(array(
                "<f8",
                "False",
                "(18446744073709551615, 18446744073709551615)",
                &[]
            )),
            "a.npy: the shape is too large"
        );
        assert_eq!(
            message(array("|u1", "False", "(1,)", &[1, 2])),
            "a.npy: bytes follow the 1 values the header promises"
        );
        assert_eq!(
            message(array("|u1", "False", "(0,)", &[])),
            "a.npy: the array is empty"
        );
        assert_eq!(
            message(array("<f2", "False", "(1,)", &[0, 0])),
            "a.npy: the array holds items of type `<f2`"
        );
        assert_eq!(
            message(array("|u1", "False", "(1, 1, 1)", &[1])),
            "a.npy: the array has 3 dimensions"
        );
        assert_eq!(
            message(array("|u1", "False", "()", &[1])),
            "a.npy: the array has 0 dimensions"
        );
        let nan = [1.0, f64::NAN].map(f64::to_le_bytes).concat();
        assert_eq!(
            message(array("<f8", "False", "(1, 2)", &nan)),
            "a.npy, row 1, column 2: `NaN` is not a finite number"
        );
        let short = read(
            &Source::bytes("a.npy", &b"\x93NUMPY\x01\x00\xff\xff{"[..]),
            &ReadOptions::default(),
        );
        assert_eq!(message(short), "a.npy: the data end inside the header");
        let huge = read(
            &Source::bytes("a.npy", &b"\x93NUMPY\x02\x00\xff\xff\xff\xff{"[..]),
            &ReadOptions::default(),
        );
        assert_eq!(
            message(huge),
            "a.npy: the header claims 4294967295 bytes; 65536 are allowed"
        );
        let other = read(
            &Source::bytes("a.npy", &b"hello"[..]),
            &ReadOptions::default(),
        );
        assert_eq!(message(other), "a.npy: this is not a NumPy file");
    }
}
