//! Predictions of a model for a list of rows.

use mercer_linalg::Matrix;

use super::ABSTAINED;
use crate::fit::Note;
use crate::{Error, Result};

/// The predictions themselves.
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
    /// Several numbers per row.
    Several(Matrix<f64>),
    /// Whether each row is unlike the training rows.
    Novelty {
        /// One prediction per row.
        novel: Vec<bool>,
    },
    /// The cluster of each row.
    Clusters {
        /// How many clusters there are.
        count: usize,
        /// One code per row.
        codes: Vec<u32>,
    },
}

impl Answers {
    /// Adds the predictions of more rows of the same model.
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
            (Self::Several(all), Self::Several(new)) => all.append_rows(&new),
            (Self::Novelty { novel }, Self::Novelty { novel: new }) => novel.extend(new),
            (Self::Clusters { codes, .. }, Self::Clusters { codes: new, .. }) => codes.extend(new),
            _ => unreachable!("a model has predictions of one kind"),
        }
    }
}

/// Predictions with what they were made from.
#[derive(Debug, Clone, PartialEq)]
pub struct Predictions {
    /// The predictions.
    pub answers: Answers,
    /// Decision values, a row of them per record.
    pub decisions: Matrix<f64>,
    /// What happened on the way: unseen categories, values filled in.
    pub notes: Vec<Note>,
}

impl Predictions {
    /// Returns the number of rows predicted.
    pub fn len(&self) -> usize {
        self.decisions.rows()
    }

    /// Returns whether there are no predictions.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the predictions in terms of a list of labels that has those of the model and
    /// perhaps more: a class that the model does not know is never its prediction, and has
    /// probability 0. Decisions are the model's own. The prediction of a model that abstains
    /// ([`ABSTAINED`]) comes after the list.
    ///
    /// # Errors
    /// A label of the model that is not on the list.
    pub fn in_terms_of(mut self, labels: &[String]) -> Result<Self> {
        let Answers::Classes {
            labels: own,
            codes,
            probabilities,
        } = &mut self.answers
        else {
            return Ok(self);
        };
        if own == labels {
            return Ok(self);
        }
        let mut labels = labels.to_vec();
        // Who abstains has one prediction more than there are classes.
        if own.iter().any(|label| label == ABSTAINED) && !labels.iter().any(|l| l == ABSTAINED) {
            labels.push(ABSTAINED.to_owned());
        }
        let find = |label: &String| {
            let place = labels.iter().position(|other| other == label);
            place.ok_or_else(|| Error::Unknown {
                kind: "class",
                name: label.clone(),
                known: labels.clone(),
            })
        };
        let place: Vec<usize> = own.iter().map(find).collect::<Result<_>>()?;
        for code in codes {
            *code = place[*code as usize] as u32;
        }
        for row in probabilities.iter_mut().flatten() {
            let mut wide = vec![0.0; labels.len()];
            for (probability, &to) in row.iter().zip(&place) {
                wide[to] = *probability;
            }
            *row = wide;
        }
        *own = labels;
        Ok(self)
    }

    /// Returns the predictions of the given rows, in that order.
    #[must_use]
    pub fn select(&self, rows: &[usize]) -> Self {
        fn pick<T: Clone>(all: &[T], rows: &[usize]) -> Vec<T> {
            rows.iter().map(|&row| all[row].clone()).collect()
        }
        let lines = |all: &Matrix<f64>| {
            Matrix::from_fn(rows.len(), all.columns(), |i, column| {
                all[(rows[i], column)]
            })
        };
        let answers = match &self.answers {
            Answers::Classes {
                labels,
                codes,
                probabilities,
            } => Answers::Classes {
                labels: labels.clone(),
                codes: pick(codes, rows),
                probabilities: probabilities.as_ref().map(|all| pick(all, rows)),
            },
            Answers::Values(values) => Answers::Values(pick(values, rows)),
            Answers::Several(values) => Answers::Several(lines(values)),
            Answers::Novelty { novel } => Answers::Novelty {
                novel: pick(novel, rows),
            },
            Answers::Clusters { count, codes } => Answers::Clusters {
                count: *count,
                codes: pick(codes, rows),
            },
        };
        Self {
            answers,
            decisions: lines(&self.decisions),
            notes: Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn classes(labels: &[&str], codes: &[u32], shares: &[&[f64]]) -> Predictions {
        Predictions {
            answers: Answers::Classes {
                labels: labels.iter().map(|&l| l.to_owned()).collect(),
                codes: codes.to_vec(),
                probabilities: Some(shares.iter().map(|row| row.to_vec()).collect()),
            },
            decisions: Matrix::from_fn(codes.len(), 1, |i, _| i as f64),
            notes: Vec::new(),
        }
    }

    #[test]
    fn more_labels_in_another_order() {
        let found = classes(&["c", "a"], &[0, 1], &[&[0.9, 0.1], &[0.2, 0.8]]);
        let labels = ["a", "b", "c"].map(str::to_owned);
        let wide = found.clone().in_terms_of(&labels).expect("all are there");
        let shares: [&[f64]; 2] = [&[0.1, 0.0, 0.9], &[0.8, 0.0, 0.2]];
        assert_eq!(wide, classes(&["a", "b", "c"], &[2, 0], &shares));
        assert!(found.in_terms_of(&labels[..2]).is_err());
    }

    #[test]
    fn some_rows_in_their_order() {
        let all = classes(
            &["a", "b"],
            &[0, 1, 1],
            &[&[1.0, 0.0], &[0.4, 0.6], &[0.3, 0.7]],
        );
        let some = all.select(&[2, 0]);
        assert_eq!(some.decisions.as_slice(), [2.0, 0.0]);
        let shares: [&[f64]; 2] = [&[0.3, 0.7], &[1.0, 0.0]];
        let expected = classes(&["a", "b"], &[1, 0], &shares);
        assert_eq!(some.answers, expected.answers);
    }
}
