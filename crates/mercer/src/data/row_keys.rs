//! Rows as values: equal keys for equal rows.

use std::sync::Arc;

use super::{Block, Graph, Records};

/// What a row is, number by number: rows are equal where their keys are.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RowKey {
    /// Places and bits of the numbers that are not zero.
    numbers: Vec<(u32, u64)>,
    /// Categories by code, and nodes.
    codes: Vec<u32>,
    texts: Vec<Arc<str>>,
    graphs: Vec<Arc<Graph>>,
}

impl Records {
    /// Returns the key of every row, by numbers and by the columns that some other rows have as well: a model keeps
    /// those alone that it reads. Keys are comparable where one encoder made both.
    pub fn row_keys(&self, other: &Self) -> Vec<RowKey> {
        let points = self.features.points.widened();
        let numbers = |row: usize| -> Vec<(u32, u64)> {
            let numbers: Vec<(u32, f64)> = match &points {
                Block::Dense(all) => (0..).zip(all.row(row).iter().copied()).collect(),
                Block::Sparse(all) => {
                    let (places, values) = all.row(row);
                    places.iter().copied().zip(values.iter().copied()).collect()
                }
            };
            let numbers = numbers.into_iter().filter(|(_, value)| *value != 0.0);
            numbers.map(|(place, v)| (place, v.to_bits())).collect()
        };
        let codes = shared(&self.codes, &other.codes, |c| &c.source);
        let nodes = shared(&self.nodes, &other.nodes, |c| &c.source);
        let texts = shared(&self.texts, &other.texts, |c| &c.source);
        let graphs = shared(&self.graphs, &other.graphs, |c| &c.source);
        let key = |row: usize| RowKey {
            numbers: numbers(row),
            codes: {
                let codes = codes.iter().map(|column| column.codes[row]);
                codes.chain(nodes.iter().map(|c| c.nodes[row])).collect()
            },
            texts: texts.iter().map(|c| Arc::clone(&c.texts[row])).collect(),
            graphs: graphs.iter().map(|c| Arc::clone(&c.graphs[row])).collect(),
        };
        (0..self.len()).map(key).collect()
    }
}

/// The columns of a list that another has, too.
fn shared<'a, T>(own: &'a [T], other: &[T], source: impl Fn(&T) -> &String) -> Vec<&'a T> {
    let known = |column: &&T| other.iter().any(|o| source(o) == source(column));
    own.iter().filter(known).collect()
}

#[cfg(test)]
mod tests {
    use mercer_linalg::Matrix;

    use super::*;

    #[test]
    fn equal_rows_have_equal_keys() {
        let rows = Matrix::from_vec(4, 2, vec![0.0, 1.5, -0.0, 1.5, 1.5, 0.0, 0.0, 1.500_000_1]);
        let rows = Records::from_points(rows);
        let keys = rows.row_keys(&rows);
        assert_eq!(keys[0], keys[1]);
        assert!(keys[0] != keys[2] && keys[0] != keys[3]);
        let rows = Records::from_texts(["a", "b", "a"]);
        let keys = rows.row_keys(&rows);
        assert!(keys[0] == keys[2] && keys[0] != keys[1]);
        // What the others lack does not tell rows apart.
        let mut bare = rows.clone();
        bare.texts.clear();
        let keys = rows.row_keys(&bare);
        assert_eq!(keys[0], keys[1]);
    }
}
