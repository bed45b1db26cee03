//! The support vectors of most influence, for the page.

use mercer::data::Table;
use mercer::explain::{Importance, SupportRow};
use mercer::model::Trained;

use crate::evaluation::{cells_of, place};

/// Rows shown one by one.
const SHOWN: usize = 8;
/// Methods whose loss leaves rows without a weight.
pub(crate) const SPARSE: [&str; 5] = ["svc", "svr", "nu_svc", "nu_svr", "one_class"];

/// A support vector as a row.
#[derive(Debug, Clone, PartialEq)]
pub struct ShownSupport {
    /// Where it stands: `line 12`.
    pub place: String,
    /// How many rows are equal to it.
    pub copies: usize,
    /// Its class, where it has one.
    pub class: Option<String>,
    /// Its influence.
    pub influence: f64,
    /// Names and values of its columns; a missing value is `None`.
    pub cells: Vec<(String, Option<String>)>,
}

/// Finds the support vectors of most influence among rows; none where every row is one, or none of these is.
pub fn support_rows(
    trained: &Trained,
    features: &Table,
    order: Option<&Importance>,
) -> Vec<ShownSupport> {
    if !SPARSE.contains(&trained.method.as_str()) {
        return Vec::new();
    }
    // Nobody asked: what cannot be told is left out.
    let found = trained.support_rows(features, SHOWN).unwrap_or_default();
    let shown = |row: &SupportRow| ShownSupport {
        place: place(features, row.rows[0]),
        copies: row.rows.len(),
        class: row.class.clone(),
        influence: row.influence,
        cells: cells_of(features, row.rows[0], order),
    };
    found.iter().map(shown).collect()
}
