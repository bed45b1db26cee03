//! Which rows are support vectors of a model.

use std::collections::BTreeSet;

use mercer::data::{Records, RowKey};
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
    let known = model.support.row_keys(records).into_iter();
    let known: BTreeSet<RowKey> = known.collect();
    let rows = records.row_keys(&model.support).into_iter().enumerate();
    rows.filter(|(_, key)| known.contains(key))
        .map(|(row, _)| row)
        .collect()
}
