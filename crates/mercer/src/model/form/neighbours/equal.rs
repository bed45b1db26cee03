//! Rows that are equal in all columns.

use std::collections::HashMap;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use crate::data::{Block, Points, Records};

/// The rows that a model keeps, by content.
#[derive(Debug)]
pub(super) struct Equal {
    rows: Records,
    by_content: HashMap<u64, Vec<u32>>,
}

impl Equal {
    pub(super) fn new(rows: &Records) -> Self {
        let mut by_content: HashMap<u64, Vec<u32>> = HashMap::new();
        for row in 0..rows.len() {
            by_content
                .entry(content(rows, row))
                .or_default()
                .push(row as u32);
        }
        Self {
            rows: rows.clone(),
            by_content,
        }
    }

    /// The rows that are equal to one of some records.
    pub(super) fn of(&self, records: &Records, row: usize) -> Vec<u32> {
        let alike = self.by_content.get(&content(records, row));
        let alike = alike.map_or(&[][..], Vec::as_slice).iter().copied();
        alike
            .filter(|own| same(&self.rows, *own as usize, records, row))
            .collect()
    }
}

/// The numbers of a row that are not zero, with their columns.
fn numbers(points: &Points, row: usize) -> Vec<(u32, f64)> {
    fn of<T: Copy + Into<f64>>(values: impl Iterator<Item = (u32, T)>) -> Vec<(u32, f64)> {
        let values = values.map(|(j, value)| (j, value.into()));
        values.filter(|(_, value)| *value != 0.0).collect()
    }
    fn sparse<'a, T: Copy>(row: (&'a [u32], &'a [T])) -> impl Iterator<Item = (u32, T)> + 'a {
        row.0.iter().copied().zip(row.1.iter().copied())
    }
    match points {
        Points::Double(Block::Dense(m)) => of((0..).zip(m.row(row).iter().copied())),
        Points::Single(Block::Dense(m)) => of((0..).zip(m.row(row).iter().copied())),
        Points::Double(Block::Sparse(m)) => of(sparse(m.row(row))),
        Points::Single(Block::Sparse(m)) => of(sparse(m.row(row))),
    }
}

/// A number that equal rows share.
fn content(records: &Records, row: usize) -> u64 {
    let mut hasher = DefaultHasher::new();
    for (j, value) in numbers(&records.features.points, row) {
        j.hash(&mut hasher);
        // All that is missing is missing alike.
        let bits = if value.is_nan() {
            u64::MAX
        } else {
            value.to_bits()
        };
        bits.hash(&mut hasher);
    }
    for column in &records.codes {
        column.codes[row].hash(&mut hasher);
    }
    for column in &records.texts {
        column.texts[row].hash(&mut hasher);
    }
    for column in &records.graphs {
        column.graphs[row].hash(&mut hasher);
    }
    for column in &records.nodes {
        column.nodes[row].hash(&mut hasher);
    }
    hasher.finish()
}

fn same(a: &Records, i: usize, b: &Records, j: usize) -> bool {
    let (one, other) = (
        numbers(&a.features.points, i),
        numbers(&b.features.points, j),
    );
    let equal = |x: f64, y: f64| x == y || (x.is_nan() && y.is_nan());
    one.len() == other.len()
        && one
            .iter()
            .zip(&other)
            .all(|((j, x), (k, y))| j == k && equal(*x, *y))
        && a.codes.len() == b.codes.len()
        && a.codes
            .iter()
            .zip(&b.codes)
            .all(|(x, y)| x.codes[i] == y.codes[j])
        && a.texts
            .iter()
            .zip(&b.texts)
            .all(|(x, y)| x.texts[i] == y.texts[j])
        && a.graphs
            .iter()
            .zip(&b.graphs)
            .all(|(x, y)| x.graphs[i] == y.graphs[j])
        && a.nodes
            .iter()
            .zip(&b.nodes)
            .all(|(x, y)| x.nodes[i] == y.nodes[j])
}
