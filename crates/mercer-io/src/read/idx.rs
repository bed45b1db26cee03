//! IDX: the arrays of MNIST and its relatives.
//!
//! A list (labels) becomes the numeric column `y`; anything with more dimensions (images)
//! becomes the column `x` with one flattened vector per item.

use std::io::Read;

use mercer::data::Table;

use super::ReadOptions;
use super::npy::{Item, items, table};
use super::source::Opened;
use crate::{Error, Result};

/// Reads an array.
pub(crate) fn read(mut opened: Opened, options: &ReadOptions) -> Result<Table> {
    let magic = be_u32(&mut opened)?.to_be_bytes();
    let item = match magic {
        [0, 0, 0x08, _] => Item::U8,
        [0, 0, 0x09, _] => Item::I8,
        [0, 0, 0x0b, _] => Item::I16,
        [0, 0, 0x0c, _] => Item::I32,
        [0, 0, 0x0d, _] => Item::F32,
        [0, 0, 0x0e, _] => Item::F64,
        _ => return Err(damaged(&opened, "this is not an IDX file")),
    };
    let dimensions = usize::from(magic[3]);
    if dimensions == 0 {
        return Err(damaged(&opened, "the array has no dimensions"));
    }
    let mut shape = Vec::new();
    for _ in 0..dimensions {
        shape.push(be_u32(&mut opened)? as usize);
    }
    let rows = shape[0];
    let width = shape[1..]
        .iter()
        .try_fold(1_usize, |a, &b| a.checked_mul(b));
    let count = width.and_then(|w| w.checked_mul(rows));
    let (Some(width), Some(count)) = (width, count) else {
        return Err(damaged(&opened, "the shape is too large"));
    };
    let values = items(&mut opened, item, true, count, options)?;
    table(
        opened.name,
        rows,
        (dimensions > 1).then_some(width),
        values,
        options,
    )
}

fn be_u32(opened: &mut Opened) -> Result<u32> {
    let mut bytes = [0; 4];
    match opened.reader.read_exact(&mut bytes) {
        Ok(()) => Ok(u32::from_be_bytes(bytes)),
        Err(e) if e.kind() == std::io::ErrorKind::UnexpectedEof => {
            Err(damaged(opened, "the data end inside the header"))
        }
        Err(e) => Err(Error::io(&opened.name, e)),
    }
}

fn damaged(opened: &Opened, problem: &str) -> Error {
    Error::Damaged {
        file: opened.name.clone(),
        problem: problem.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use mercer::data::{Block, Points, Values};

    use super::*;
    use crate::read::{Format, Source, read};

    fn array(bytes: &[u8]) -> Result<Table> {
        let options = ReadOptions::default().format(Format::Idx);
        read(&Source::bytes("a.idx", bytes), &options)
    }

    fn message(bytes: &[u8]) -> String {
        array(bytes).expect_err("refused").to_string()
    }

    #[test]
    fn images_are_flattened() {
        let mut bytes = vec![0, 0, 8, 3, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 1];
        bytes.extend([1, 2, 3, 255]);
        let table = array(&bytes).expect("images");
        let Values::Vectors(Points::Double(Block::Dense(m))) =
            &table.column("x").expect("x").values
        else {
            panic!("dense vectors");
        };
        assert_eq!((m.row(0), m.row(1)), (&[1.0, 2.0][..], &[3.0, 255.0][..]));
    }

    #[test]
    fn labels_are_a_column() {
        let table = array(&[0, 0, 8, 1, 0, 0, 0, 2, 7, 9]).expect("labels");
        assert_eq!(
            table.column("y").expect("y").values,
            Values::Numeric(vec![7.0, 9.0])
        );
        let mut floats = vec![0, 0, 0x0d, 1, 0, 0, 0, 1];
        floats.extend(2.5_f32.to_be_bytes());
        let table = array(&floats).expect("floats");
        assert_eq!(
            table.column("y").expect("y").values,
            Values::Numeric(vec![2.5])
        );
    }

    #[test]
    fn bad_files_are_named() {
        assert_eq!(message(b"\0\0"), "a.idx: the data end inside the header");
        assert_eq!(message(b"hello"), "a.idx: this is not an IDX file");
        assert_eq!(message(&[0, 0, 8, 0]), "a.idx: the array has no dimensions");
        assert_eq!(
            message(&[0, 0, 8, 2, 255, 255, 255, 255, 255, 255, 255, 255, 1]),
            "a.idx: the header promises 18446744065119617025 values, but the data end before"
        );
        let mut deep = vec![0, 0, 8, 3];
        deep.extend([255; 12]);
        assert_eq!(message(&deep), "a.idx: the shape is too large");
        assert_eq!(
            message(&[0, 0, 8, 1, 0, 0, 0, 0]),
            "a.idx: the array is empty"
        );
        assert_eq!(
            message(&[0, 0, 8, 1, 0, 0, 0, 1, 1, 2]),
            "a.idx: bytes follow the 1 values the header promises"
        );
    }
}
