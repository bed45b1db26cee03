//! Decision trees: C4.5.
//!
//! | file | idea |
//! |---|---|
//! | `c45` | the parameters |
//! | `columns` | columns as they are, and how a test deals rows out to branches |
//! | `criterion` | gain and gain ratio |
//! | `tally` | class counts of the categories of many columns at once |
//! | `candidate` | the best split of one column |
//! | `grow` | the tree, on lists that were sorted once |
//! | `pessimism` | errors expected on new rows |
//! | `prune` | leaves and raised branches instead of subtrees |
//! | `node`, `flat` | the tree while it grows, and as a model keeps it |
//! | `rules` | rules made of paths, simplified and ranked |
//! | `length` | bits that state the tree and the classes given the tree |
//! | `fit` | from data sets to models, with the account |

mod c45;
mod candidate;
mod columns;
mod criterion;
mod fit;
mod flat;
mod grow;
mod length;
mod node;
mod pessimism;
mod prune;
mod python;
mod rules;
mod table;
mod tally;
#[cfg(test)]
mod tests;

pub use c45::{C45, MissingValues, RuleMaking};
pub use pessimism::Estimate;
