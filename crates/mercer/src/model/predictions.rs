//! Answers of a model for a list of rows.

use mercer_linalg::Matrix;

use crate::fit::Note;

/// The answers themselves.
#[derive(Debug, Clone, PartialEq)]
pub enum Answers {
    /// A class per row.
    Classes {
        /// The labels that codes point to.
        labels: Vec<String>,
        /// One code per row.
        codes: Vec<u32>,
        /// Per row, a probability for every label; `None` where the model has none.
        probabilities: Option<Vec<Vec<f64>>>,
    },
    /// A number per row.
    Values(Vec<f64>),
    /// Whether each row is unlike the training rows.
    Novelty {
        /// One answer per row.
        novel: Vec<bool>,
    },
}

impl Answers {
    /// Adds the answers of more rows of the same model.
    pub(super) fn append(&mut self, more: Self) {
        match (self, more) {
            (
                Self::Classes {
                    codes,
                    probabilities,
                    ..
                },
                Self::Classes {
                    codes: new_codes,
                    probabilities: new_probabilities,
                    ..
                },
            ) => {
                codes.extend(new_codes);
                if let (Some(all), Some(new)) = (probabilities, new_probabilities) {
                    all.extend(new);
                }
            }
            (Self::Values(values), Self::Values(new)) => values.extend(new),
            (Self::Novelty { novel }, Self::Novelty { novel: new }) => novel.extend(new),
            _ => unreachable!("a model has answers of one kind"),
        }
    }
}

/// Answers with what they were made from.
#[derive(Debug, Clone, PartialEq)]
pub struct Predictions {
    /// The answers.
    pub answers: Answers,
    /// Decision values, a row of them per record.
    pub decisions: Matrix<f64>,
    /// What happened on the way: unseen categories, values filled in.
    pub notes: Vec<Note>,
}

impl Predictions {
    /// Returns the number of rows answered for.
    pub fn len(&self) -> usize {
        self.decisions.rows()
    }

    /// Returns whether there are no answers.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
