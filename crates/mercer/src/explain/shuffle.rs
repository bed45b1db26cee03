//! Rows with the values of one column in another order.

use std::ops::Range;

use mercer_linalg::{Csr, CsrBuilder, Matrix};

use crate::data::{Block, Points, Records};

/// Records whose columns can be shuffled one at a time.
pub(super) struct Shuffled<'a> {
    records: &'a Records,
    numbers: Block<f64>,
}

impl<'a> Shuffled<'a> {
    pub(super) fn of(records: &'a Records) -> Self {
        Self {
            numbers: records.features.points.widened(),
            records,
        }
    }

    /// Returns the rows where row i has the column of row `order[i]`, whatever it is made of:
    /// all features of a category or a date move together.
    pub(super) fn with(&self, column: &str, order: &[usize]) -> Records {
        fn moved<T: Clone>(values: &[T], order: &[usize]) -> Vec<T> {
            order.iter().map(|&row| values[row].clone()).collect()
        }
        let mut all = self.records.clone();
        let runs = runs(self.records, column);
        if !runs.is_empty() {
            all.features.points = match &self.numbers {
                Block::Dense(own) => {
                    let is_moved = |feature: usize| runs.iter().any(|run| run.contains(&feature));
                    let source: Vec<bool> = (0..own.columns()).map(is_moved).collect();
                    Points::from(Matrix::from_fn(
                        own.rows(),
                        own.columns(),
                        |row, feature| {
                            let row = if source[feature] { order[row] } else { row };
                            own.row(row)[feature]
                        },
                    ))
                }
                Block::Sparse(own) => Points::from(moved_sparse(own, &runs, order)),
            };
        }
        for codes in all.codes.iter_mut().filter(|c| c.source == column) {
            codes.codes = moved(&codes.codes, order);
        }
        for texts in all.texts.iter_mut().filter(|t| t.source == column) {
            texts.texts = moved(&texts.texts, order);
        }
        for graphs in all.graphs.iter_mut().filter(|g| g.source == column) {
            graphs.graphs = moved(&graphs.graphs, order);
        }
        for nodes in all.nodes.iter_mut().filter(|n| n.source == column) {
            nodes.nodes = moved(&nodes.nodes, order);
        }
        all
    }
}

/// Sparse rows where row i has the features of some runs from row `order[i]`.
fn moved_sparse(own: &Csr<f64>, runs: &[Range<usize>], order: &[usize]) -> Csr<f64> {
    let is_moved = |feature: u32| runs.iter().any(|run| run.contains(&(feature as usize)));
    let mut builder = CsrBuilder::new(own.columns());
    let mut entries: Vec<(u32, f64)> = Vec::new();
    for (row, &from) in order.iter().enumerate() {
        entries.clear();
        for (source, moved) in [(row, false), (from, true)] {
            let (features, values) = own.row(source);
            let own = features.iter().copied().zip(values.iter().copied());
            entries.extend(own.filter(|(feature, _)| is_moved(*feature) == moved));
        }
        entries.sort_unstable_by_key(|(feature, _)| *feature);
        builder
            .push_row(&entries)
            .expect("a feature is of one row or the other");
    }
    builder.finish()
}

/// The features that were made of a column.
pub(super) fn runs(records: &Records, column: &str) -> Vec<Range<usize>> {
    let mut start = 0;
    let mut found = Vec::new();
    for group in &records.features.groups {
        let end = start + group.width();
        if group.source == column && start < end {
            found.push(start..end);
        }
        start = end;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{FeatureGroup, Features, Parts};
    use crate::explain::hide::dense;

    #[test]
    fn features_of_a_column_move_together() {
        let group = |source: &str, parts: Parts| FeatureGroup {
            source: source.to_owned(),
            parts,
        };
        let named = Parts::Named(vec!["x".to_owned(), "y".to_owned()]);
        let points = Matrix::from_vec(3, 3, vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0]);
        let records = Records::from_features(Features {
            points: Points::from(points),
            groups: vec![group("a", Parts::Whole), group("b", named)],
        });
        let found = Shuffled::of(&records).with("b", &[2, 0, 1]);
        let numbers = dense(&found.features.points);
        let expected = [1.0, 8.0, 9.0, 4.0, 2.0, 3.0, 7.0, 5.0, 6.0];
        assert_eq!(numbers.as_slice(), expected);
        let mut sparse = records.clone();
        let all = Csr::from_dense(dense(&records.features.points).as_ref());
        sparse.features.points = Points::from(all);
        let found = Shuffled::of(&sparse).with("b", &[2, 0, 1]);
        assert!(found.features.points.is_sparse());
        assert_eq!(dense(&found.features.points).as_slice(), expected);
        let texts = Records::from_texts(["u", "v"]);
        let found = Shuffled::of(&texts).with("text", &[1, 0]);
        assert_eq!(found.texts[0].texts[0].as_ref(), "v");
    }
}
