//! A number for every row that equal rows share.

use std::hash::{Hash, Hasher};

use crate::data::{Block, Points, Table, Values};

/// Cells beyond which rows are not compared: a second of work.
const MOST_CELLS: usize = 50_000_000;

/// Two independent hashes of a row's cells. Rows that differ share both by an accident of one in
/// 2⁶⁴ times the pairs of rows.
#[derive(Clone, Copy)]
struct Mix {
    one: u64,
    two: u64,
}

impl Mix {
    fn add(&mut self, value: u64) {
        self.one = (self.one.rotate_left(5) ^ value).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.two = (self.two.rotate_left(23) ^ value.wrapping_mul(0xd6e8_feb8_6659_fd93))
            .wrapping_mul(0xc2b2_ae3d_27d4_eb4f)
            .wrapping_add(1);
    }

    fn number(&mut self, value: f64) {
        // Both zeros are one number, and all that is missing is missing alike.
        self.add(if value.is_nan() {
            u64::MAX
        } else {
            (value + 0.0).to_bits()
        });
    }

    fn text(&mut self, text: Option<&str>) {
        let Some(text) = text else {
            return self.add(u64::MAX);
        };
        self.add(text.len() as u64);
        self.write(text.as_bytes());
    }
}

impl Hasher for Mix {
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.add(u64::from_le_bytes(word));
        }
    }

    fn finish(&self) -> u64 {
        self.one
    }
}

/// Whether comparing all rows is worth its time.
pub(super) fn is_comparable(table: &Table) -> bool {
    let width = |values: &Values| match values {
        Values::Vectors(points) => points.columns(),
        _ => 1,
    };
    let cells: usize = table.columns().iter().map(|c| width(&c.values)).sum();
    table.rows().saturating_mul(cells) <= MOST_CELLS || is_sparse(table)
}

/// Returns a key per row, equal for equal rows; `None` where there are too many cells.
pub(super) fn row_keys(table: &Table) -> Option<Vec<u128>> {
    if !is_comparable(table) {
        return None;
    }
    let start = Mix {
        one: 0x0123_4567_89ab_cdef,
        two: 0xfedc_ba98_7654_3210,
    };
    let mut mixes = vec![start; table.rows()];
    for column in table.columns() {
        add_column(&mut mixes, &column.values);
    }
    let key = |mix: &Mix| (u128::from(mix.one) << 64) | u128::from(mix.two);
    Some(mixes.iter().map(key).collect())
}

fn is_sparse(table: &Table) -> bool {
    let sparse = |values: &Values| matches!(values, Values::Vectors(p) if p.is_sparse());
    table.columns().iter().any(|c| sparse(&c.values))
}

fn add_column(mixes: &mut [Mix], values: &Values) {
    match values {
        Values::Numeric(v) | Values::Date(v) => {
            for (mix, value) in mixes.iter_mut().zip(v) {
                mix.number(*value);
            }
        }
        Values::Boolean(truths) => {
            for (mix, value) in mixes.iter_mut().zip(&truths.values) {
                mix.add(value.map_or(u64::MAX, u64::from));
            }
        }
        Values::Categorical(categories) => {
            // Codes would do within one table; two tables share names only.
            for (row, mix) in mixes.iter_mut().enumerate() {
                mix.text(categories.name(row));
            }
        }
        Values::Text(v) | Values::Molecules(v) => {
            for (mix, text) in mixes.iter_mut().zip(v) {
                mix.text(text.as_deref());
            }
        }
        Values::Nodes(list) => {
            for (row, mix) in mixes.iter_mut().enumerate() {
                mix.text(list.name(row));
            }
        }
        Values::Graphs(list) => {
            for (mix, graph) in mixes.iter_mut().zip(&list.graphs) {
                match graph {
                    Some(graph) => graph.hash(mix),
                    None => mix.add(u64::MAX),
                }
            }
        }
        Values::Vectors(points) => add_points(mixes, points),
    }
}

fn add_points(mixes: &mut [Mix], points: &Points) {
    match points.widened() {
        Block::Dense(matrix) => {
            for (row, mix) in mixes.iter_mut().enumerate() {
                matrix.row(row).iter().for_each(|v| mix.number(*v));
            }
        }
        Block::Sparse(matrix) => {
            for (row, mix) in mixes.iter_mut().enumerate() {
                let (indices, values) = matrix.row(row);
                // A zero that is stored is a zero.
                for (j, v) in indices.iter().zip(values).filter(|(_, v)| **v != 0.0) {
                    mix.add(u64::from(*j));
                    mix.number(*v);
                }
                mix.add(u64::MAX);
            }
        }
    }
}
