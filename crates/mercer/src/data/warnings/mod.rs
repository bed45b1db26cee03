//! What a table gives reason to warn of before anything is learnt from it.
//!
//! Every file finds one thing. `identifier` tells columns that number or name rows from
//! measurements; `giveaway` columns that alone predict the target, `values` columns with one
//! value or none, `classes` those that rows hardly have, `contradiction` equal rows with different
//! targets, `overlap` rows that stand on both sides of a split. All of it takes O(n d log n) at
//! most: searches look at a sample where tables are large.

mod classes;
mod contradiction;
mod giveaway;
mod identifier;
mod overlap;
mod row_key;
mod values;

pub use contradiction::{Contradictions, contradictions};
pub use identifier::{Identity, identities};
pub use overlap::{shared_between_folds, shared_with};

use super::{Table, Targets};
use crate::fit::Warning;

/// Rows from which on a class can be dealt to the folds that models are compared by.
pub const FEWEST_OF_CLASS: usize = 5;

/// Looks at the columns and targets that are to be learnt from.
///
/// `target` is the name of the predicted column, `y` where it has none. Identifiers are not told of here: who learns decides
/// what becomes of them ([`identities`]).
pub fn look(features: &Table, targets: &Targets, target: Option<&str>) -> Vec<Warning> {
    let mut found = Vec::new();
    let target = target.unwrap_or("y");
    found.extend(giveaway::find(features, targets, target));
    found.extend(values::find(features));
    found.extend(classes::find(targets, target));
    found.extend(contradictions(features, targets).and_then(|c| c.warning(target)));
    found
}

/// A share in per cent to one decimal: what is not all is never 100 %, what is something never 0.
fn percent(share: f64) -> String {
    let thousandths = (1000.0 * share).round();
    let rounded = if 0.0 < share && share < 1.0 {
        thousandths.clamp(1.0, 999.0)
    } else {
        thousandths
    };
    format!("{} %", rounded / 10.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nearly_all_is_not_all() {
        assert_eq!(percent(1.0), "100 %");
        assert_eq!(percent(0.99999), "99.9 %");
        assert_eq!(percent(0.5), "50 %");
        assert_eq!(percent(0.983), "98.3 %");
        assert_eq!(percent(6.0 / 90.0), "6.7 %");
        assert_eq!(percent(0.00001), "0.1 %");
        assert_eq!(percent(0.0), "0 %");
    }
}
