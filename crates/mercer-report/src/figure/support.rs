//! Which rows are support vectors of a model.

use std::collections::BTreeSet;

use mercer::data::{Block, Records};
use mercer::model::Trained;

/// Methods whose function is carried by the rows on or beyond the margin alone.
const MARGIN: [&str; 3] = ["svc", "nu_svc", "one_class"];

/// Tells whether support vectors say something of a model: where all rows are some, they do not.
pub(super) fn has_margin(trained: &Trained) -> bool {
    MARGIN.contains(&trained.method.as_str())
}

/// Rows that are support vectors of a support vector machine: those whose features are, number by number.
pub(super) fn support_rows(trained: &Trained, records: &Records) -> BTreeSet<usize> {
    let expansion = trained.form.expansion();
    let Some(model) = expansion.filter(|_| has_margin(trained)) else {
        return BTreeSet::new();
    };
    // Texts and graphs have no features to know them by.
    if model.support.features.points.columns() == 0 {
        return BTreeSet::new();
    }
    let known: BTreeSet<Vec<(u32, u64)>> = marks(&model.support).into_iter().collect();
    let rows = marks(records).into_iter().enumerate();
    rows.filter(|(_, mark)| known.contains(mark))
        .map(|(row, _)| row)
        .collect()
}

/// The numbers of every row that are not zero, with their places.
fn marks(records: &Records) -> Vec<Vec<(u32, u64)>> {
    let points = records.features.points.widened();
    (0..points.rows())
        .map(|row| {
            let numbers: Vec<(u32, f64)> = match &points {
                Block::Dense(all) => (0..).zip(all.row(row).iter().copied()).collect(),
                Block::Sparse(all) => {
                    let (places, values) = all.row(row);
                    places.iter().copied().zip(values.iter().copied()).collect()
                }
            };
            let numbers = numbers.into_iter().filter(|(_, value)| *value != 0.0);
            numbers
                .map(|(place, value)| (place, value.to_bits()))
                .collect()
        })
        .collect()
}
