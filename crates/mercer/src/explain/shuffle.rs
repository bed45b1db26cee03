//! Rows with the values of one column in another order.

use std::ops::Range;

use mercer_linalg::Matrix;

use super::hide::{dense, in_form};
use crate::data::Records;

/// Records whose columns can be shuffled one at a time.
pub(super) struct Shuffled<'a> {
    records: &'a Records,
    numbers: Matrix<f64>,
}

impl<'a> Shuffled<'a> {
    pub(super) fn of(records: &'a Records) -> Self {
        Self {
            numbers: dense(&records.features.points),
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
            let mut numbers = self.numbers.clone();
            for run in runs {
                for (row, &from) in order.iter().enumerate() {
                    let source = &self.numbers.row(from)[run.clone()];
                    numbers.row_mut(row)[run.clone()].copy_from_slice(source);
                }
            }
            all.features.points = in_form(numbers, &self.records.features.points);
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

/// The features that were made of a column.
fn runs(records: &Records, column: &str) -> Vec<Range<usize>> {
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
    use crate::data::{FeatureGroup, Features, Parts, Points};

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
        let texts = Records::from_texts(["u", "v"]);
        let found = Shuffled::of(&texts).with("text", &[1, 0]);
        assert_eq!(found.texts[0].texts[0].as_ref(), "v");
    }
}
