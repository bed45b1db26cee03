//! NumPy's array files: one- and two-dimensional arrays of numbers in C order.

use std::fs;
use std::path::Path;

/// An array as f64, with its shape.
pub(crate) struct Array {
    pub(crate) shape: Vec<usize>,
    pub(crate) values: Vec<f64>,
}

/// Reads an array of f64, i32 or i64.
pub(crate) fn read(path: &Path) -> Result<Array, String> {
    let bytes = fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
    parse(&bytes).ok_or_else(|| format!("{}: not an array this worker reads", path.display()))
}

fn parse(bytes: &[u8]) -> Option<Array> {
    if bytes.get(..6)? != b"\x93NUMPY" {
        return None;
    }
    let length = usize::from(u16::from_le_bytes(bytes.get(8..10)?.try_into().ok()?));
    let header = std::str::from_utf8(bytes.get(10..10 + length)?).ok()?;
    let body = bytes.get(10 + length..)?;
    let after = |key: &str| header.split(key).nth(1);
    if after("'fortran_order': ")?.starts_with("True") {
        return None;
    }
    let shape = after("'shape': (")?.split(')').next()?;
    let shape: Vec<usize> = shape
        .split(',')
        .filter_map(|part| part.trim().parse().ok())
        .collect();
    let values = match after("'descr': '")?.get(..3)? {
        "<f8" => chunks(body, f64::from_le_bytes),
        "<i4" => chunks(body, |four| f64::from(i32::from_le_bytes(four))),
        "<i8" => chunks(body, |eight| i64::from_le_bytes(eight) as f64),
        _ => return None,
    };
    Some(Array { shape, values })
}

fn chunks<const N: usize>(body: &[u8], number: impl Fn([u8; N]) -> f64) -> Vec<f64> {
    body.as_chunks::<N>()
        .0
        .iter()
        .map(|&part| number(part))
        .collect()
}

/// Writes an array of f64.
pub(crate) fn write_f64(path: &Path, shape: &[usize], values: &[f64]) -> Result<(), String> {
    let body = values
        .iter()
        .flat_map(|value| value.to_le_bytes())
        .collect();
    write(path, "<f8", shape, body)
}

/// Writes an array of i64.
pub(crate) fn write_i64(path: &Path, values: &[i64]) -> Result<(), String> {
    let body = values
        .iter()
        .flat_map(|value| value.to_le_bytes())
        .collect();
    write(path, "<i8", &[values.len()], body)
}

fn write(path: &Path, kind: &str, shape: &[usize], body: Vec<u8>) -> Result<(), String> {
    let shape: String = shape.iter().map(|side| format!("{side},")).collect();
    let mut header = format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': ({shape}), }}");
    while (10 + header.len() + 1) % 64 != 0 {
        header.push(' ');
    }
    header.push('\n');
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((header.len() as u16).to_le_bytes());
    bytes.extend(header.as_bytes());
    bytes.extend(body);
    fs::write(path, bytes).map_err(|error| format!("{}: {error}", path.display()))
}
