//! Nearest neighbours: rows are kept, and the nearest predict new ones.
//!
//! | file | idea |
//! |---|---|
//! | `settings` | the parameters |
//! | `fit` | what all of them do: rows, frame, model, account |
//! | `column_weights` | weights of columns by leave-one-out |
//! | `condense` | IB2: rows that those before them misclassify |
//!
//! The search itself is `crate::solver::neighbours`, what is kept `crate::model::NeighbourModel`.

mod column_weights;
mod condense;
#[cfg(test)]
mod copies_tests;
mod fit;
mod python;
mod settings;
mod table;
#[cfg(test)]
mod tests;

pub use crate::model::Votes;
pub use crate::solver::neighbours::{IndexChoice, Scaling};
pub use settings::{Distance, Ib1, Ib2, Knn, Memorise};
