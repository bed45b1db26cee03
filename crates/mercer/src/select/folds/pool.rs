//! The predictions of all folds, in the order of the rows.

use mercer_linalg::Matrix;

use super::{Fold, Subsets, each};
use crate::data::{Folds, Targets};
use crate::fit::FitContext;
use crate::model::{Answers, Predictions};
use crate::{Error, Result};

/// Predicts every row by a model that has not seen it; rows that no fold tests, as the first ones of
/// a forward chain, have predictions without meaning.
///
/// `learn` gets a fold, learns from its training part and predicts its rows; where the targets
/// are classes, with these, in any order. Decisions are kept where there are two classes, or none.
///
/// # Errors
/// What `learn` refuses, and predictions that have no meaning outside their fold, as clusters have
/// none.
pub fn predictions<D: Subsets, E: From<Error>>(
    data: &D,
    folds: &Folds,
    mut learn: impl FnMut(Fold<'_, D>) -> Result<Predictions, E>,
) -> Result<Predictions, E> {
    let labels = match data.targets() {
        Targets::Classes(classes) => &classes.labels[..],
        _ => &[],
    };
    let rows = folds.rows();
    let mut pooled: Option<Predictions> = None;
    each(data, folds, |fold| {
        let held_out = fold.rows;
        let found = answer(fold, labels, &mut learn)?;
        let all = pooled.get_or_insert_with(|| blank(&found, rows));
        place(all, held_out, found)?;
        Ok::<(), E>(())
    })?;
    Ok(pooled.ok_or_else(nothing)?)
}

/// Does the same with folds side by side, a thread each, and returns what `learn` tells besides, by fold: nothing
/// of folds whose training part has one class.
///
/// A fold is learnt from and predicted with its share of the memory; threads that have no fold left help the
/// others. The first refusal in the order of the folds is returned.
///
/// # Errors
/// As [`predictions`].
pub fn predictions_at_once<D, T, E>(
    data: &D,
    folds: &Folds,
    context: &FitContext,
    learn: impl Fn(Fold<'_, D>, &FitContext) -> Result<(Predictions, T), E> + Sync,
) -> Result<(Predictions, Vec<Option<T>>), E>
where
    D: Subsets + Sync,
    T: Send,
    E: From<Error> + Send,
{
    let labels = match data.targets() {
        Targets::Classes(classes) => &classes.labels[..],
        _ => &[],
    };
    let own = &context.shared_by(context.thread_count().min(folds.test.len()));
    let one = |number: usize| -> Result<(Predictions, Option<T>), E> {
        let mut told = None;
        let mut heard = |fold: Fold<'_, D>| -> Result<Predictions, E> {
            let (found, besides) = learn(fold, own)?;
            told = Some(besides);
            Ok(found)
        };
        let found = answer(Fold::of(data, folds, number), labels, &mut heard)?;
        Ok((found, told))
    };
    let found = context.install(|| context.map(0..folds.test.len(), one))?;
    let mut pooled: Option<Predictions> = None;
    let mut besides = Vec::with_capacity(found.len());
    for (rows, found) in folds.test.iter().zip(found) {
        let (found, told) = found?;
        let all = pooled.get_or_insert_with(|| blank(&found, folds.rows()));
        place(all, rows, found)?;
        besides.push(told);
    }
    Ok((pooled.ok_or_else(nothing)?, besides))
}

fn nothing() -> Error {
    Error::rows("there are no rows to predict", "give at least two rows")
}

/// Predicts the rows of one fold, in terms of all classes.
///
/// # Errors
/// What `learn` refuses.
pub fn fold_predictions<D: Subsets, E: From<Error>>(
    data: &D,
    folds: &Folds,
    number: usize,
    mut learn: impl FnMut(Fold<'_, D>) -> Result<Predictions, E>,
) -> Result<Predictions, E> {
    let labels = match data.targets() {
        Targets::Classes(classes) => &classes.labels[..],
        _ => &[],
    };
    answer(Fold::of(data, folds, number), labels, &mut learn)
}

/// What a fold predicts; where one class is left alone, that one.
fn answer<D: Subsets, E: From<Error>>(
    fold: Fold<'_, D>,
    labels: &[String],
    learn: &mut impl FnMut(Fold<'_, D>) -> Result<Predictions, E>,
) -> Result<Predictions, E> {
    let found = match fold.only_class() {
        Some(class) => constant(class, labels, fold.rows.len()),
        None => learn(fold)?,
    };
    Ok(in_all_classes(found, labels)?)
}

/// One class for all rows, without doubt.
fn constant(class: u32, labels: &[String], rows: usize) -> Predictions {
    let certain: Vec<f64> = (0..labels.len() as u32)
        .map(|code| f64::from(u8::from(code == class)))
        .collect();
    // A positive decision speaks for the first class.
    let decision = if class == 0 { 1.0 } else { -1.0 };
    Predictions {
        answers: Answers::Classes {
            labels: labels.to_vec(),
            codes: vec![class; rows],
            probabilities: Some(vec![certain; rows]),
        },
        decisions: Matrix::from_vec(rows, 1, vec![decision; rows]),
        notes: Vec::new(),
    }
}

/// Predictions in terms of all classes, with decisions where there are two.
fn in_all_classes(found: Predictions, labels: &[String]) -> Result<Predictions> {
    let Answers::Classes { .. } = found.answers else {
        return Ok(found);
    };
    let mut found = found.in_terms_of(labels)?;
    if labels.len() != 2 {
        found.decisions = Matrix::zeros(found.len(), 0);
    }
    Ok(found)
}

/// Room for so many predictions of this kind.
fn blank(like: &Predictions, rows: usize) -> Predictions {
    let answers = match &like.answers {
        Answers::Classes {
            labels,
            probabilities,
            ..
        } => Answers::Classes {
            labels: labels.clone(),
            codes: vec![0; rows],
            probabilities: probabilities.as_ref().map(|_| vec![Vec::new(); rows]),
        },
        Answers::Values(_) => Answers::Values(vec![0.0; rows]),
        Answers::Several(values) => Answers::Several(Matrix::zeros(rows, values.columns())),
        Answers::Novelty { .. } => Answers::Novelty {
            novel: vec![false; rows],
        },
        Answers::Clusters { count, .. } => Answers::Clusters {
            count: *count,
            codes: vec![0; rows],
        },
    };
    Predictions {
        answers,
        decisions: Matrix::zeros(rows, like.decisions.columns()),
        notes: Vec::new(),
    }
}

/// Puts the predictions of a fold where its rows are.
fn place(all: &mut Predictions, rows: &[usize], found: Predictions) -> Result<()> {
    let columns = all.decisions.columns();
    if found.decisions.columns() == columns {
        for (i, &row) in rows.iter().enumerate() {
            let from = found.decisions.row(i);
            all.decisions.row_mut(row).copy_from_slice(from);
        }
    } else {
        all.decisions = Matrix::zeros(all.len(), 0);
    }
    match (&mut all.answers, found.answers) {
        (
            Answers::Classes {
                labels,
                codes,
                probabilities,
            },
            Answers::Classes {
                labels: new_labels,
                codes: new_codes,
                probabilities: new_probabilities,
            },
        ) => {
            spread(codes, rows, new_codes);
            // A fold that abstains has one prediction more than one that does not.
            if new_labels.len() > labels.len() {
                *labels = new_labels;
            }
            match (probabilities.as_mut(), new_probabilities) {
                (Some(all), Some(new)) => {
                    spread(all, rows, new);
                    all.iter_mut()
                        .filter(|row| !row.is_empty())
                        .for_each(|row| row.resize(labels.len(), 0.0));
                }
                // A part of the rows with probabilities would be scored as if it were all.
                _ => *probabilities = None,
            }
        }
        (Answers::Values(all), Answers::Values(new)) => spread(all, rows, new),
        (Answers::Several(all), Answers::Several(new)) if all.columns() == new.columns() => {
            for (i, &row) in rows.iter().enumerate() {
                all.row_mut(row).copy_from_slice(new.row(i));
            }
        }
        (Answers::Novelty { novel: all }, Answers::Novelty { novel: new }) => {
            spread(all, rows, new);
        }
        _ => {
            return Err(Error::Unsupported {
                what: "predictions of this kind cannot be put together over folds".to_owned(),
                cure: "use a method that predicts classes, numbers or novelty".into(),
            });
        }
    }
    Ok(())
}

fn spread<T>(all: &mut [T], rows: &[usize], new: Vec<T>) {
    for (&row, value) in rows.iter().zip(new) {
        all[row] = value;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{ClassTargets, Dataset, Records};

    fn data(targets: Targets, rows: usize) -> Dataset {
        let records = Records::from_points(Matrix::from_fn(rows, 1, |i, _| i as f64));
        Dataset::try_new(records, targets).expect("as long as each other")
    }

    fn folds(test: &[&[usize]]) -> Folds {
        Folds {
            test: test.iter().map(|rows| rows.to_vec()).collect(),
            gap: None,
            notes: Vec::new(),
        }
    }

    /// Predicts the last class of the training part, two thirds sure of it.
    fn last_class(fold: &Fold<'_, Dataset>) -> Predictions {
        let classes = fold.train.targets.classes().expect("classes");
        let (rows, last) = (fold.rows.len(), classes.labels.len() - 1);
        let mut shares = vec![1.0 / 3.0; last];
        shares.push(2.0 / 3.0);
        Predictions {
            answers: Answers::Classes {
                labels: classes.labels.clone(),
                codes: vec![last as u32; rows],
                probabilities: Some(vec![shares; rows]),
            },
            decisions: Matrix::from_vec(rows, 1, vec![-0.5; rows]),
            notes: Vec::new(),
        }
    }

    #[test]
    fn answers_are_in_terms_of_all_classes() {
        let labels = ["a", "b", "c"].map(str::to_owned).to_vec();
        let codes = vec![0, 1, 2, 0, 1];
        let data = data(
            Targets::Classes(ClassTargets {
                codes,
                labels: labels.clone(),
            }),
            5,
        );
        // The part outside the first fold lacks `c`.
        let pooled = predictions(&data, &folds(&[&[2, 3], &[0, 1, 4]]), |fold| {
            Ok::<_, Error>(last_class(&fold))
        });
        let pooled = pooled.expect("pooled");
        let Answers::Classes {
            labels: found,
            codes,
            probabilities: Some(shares),
        } = pooled.answers
        else {
            panic!("classes with probabilities");
        };
        assert_eq!(found, labels);
        assert_eq!(codes, [2, 2, 1, 1, 2]);
        assert_eq!(shares[2], [1.0 / 3.0, 2.0 / 3.0, 0.0]);
        assert_eq!(pooled.decisions.columns(), 0);
    }

    #[test]
    fn a_class_that_is_left_alone_is_the_answer() {
        let classes = ClassTargets {
            codes: vec![0, 1, 1, 1],
            labels: ["a", "b"].map(str::to_owned).to_vec(),
        };
        let data = data(Targets::Classes(classes), 4);
        let pooled = predictions(&data, &folds(&[&[0, 1], &[2, 3]]), |fold| {
            Ok::<_, Error>(last_class(&fold))
        });
        let pooled = pooled.expect("pooled");
        assert_eq!(pooled.decisions.as_slice(), [-1.0, -1.0, -0.5, -0.5]);
        let Answers::Classes {
            codes,
            probabilities: Some(shares),
            ..
        } = pooled.answers
        else {
            panic!("classes with probabilities");
        };
        assert_eq!(codes, [1, 1, 1, 1]);
        assert_eq!(
            (&shares[0][..], &shares[3][..]),
            (&[0.0, 1.0][..], &[1.0 / 3.0, 2.0 / 3.0][..])
        );
    }

    #[test]
    fn numbers_come_back_in_the_order_of_the_rows() {
        let data = data(Targets::Real(vec![0.0; 4]), 4);
        let pooled = predictions(&data, &folds(&[&[3, 1], &[0, 2]]), |fold| {
            let values: Vec<f64> = fold.rows.iter().map(|&r| r as f64).collect();
            Ok::<_, Error>(Predictions {
                decisions: Matrix::from_vec(values.len(), 1, values.clone()),
                answers: Answers::Values(values),
                notes: Vec::new(),
            })
        });
        let pooled = pooled.expect("pooled");
        assert_eq!(pooled.answers, Answers::Values(vec![0.0, 1.0, 2.0, 3.0]));
        assert_eq!(pooled.decisions.as_slice(), [0.0, 1.0, 2.0, 3.0]);
    }

    #[test]
    fn clusters_mean_nothing_outside_their_fold() {
        let data = data(Targets::None, 2);
        let refused = predictions(&data, &folds(&[&[0], &[1]]), |_| {
            Ok::<_, Error>(Predictions {
                answers: Answers::Clusters {
                    count: 1,
                    codes: vec![0],
                },
                decisions: Matrix::zeros(1, 1),
                notes: Vec::new(),
            })
        });
        assert!(matches!(refused, Err(Error::Unsupported { .. })));
    }

    #[test]
    fn folds_side_by_side_answer_as_one_after_the_other() {
        let classes = ClassTargets {
            codes: vec![0, 1, 2, 0, 1, 1],
            labels: ["a", "b", "c"].map(str::to_owned).to_vec(),
        };
        let data = data(Targets::Classes(classes), 6);
        // The part outside the last fold has one class, and nothing is told of it.
        let folds = folds(&[&[1], &[4], &[5], &[0, 2, 3]]);
        let one = predictions(&data, &folds, |fold| Ok::<_, Error>(last_class(&fold)));
        let one = one.expect("pooled");
        for threads in [1, 2, 3] {
            let context = FitContext::default().threads(threads);
            let both = predictions_at_once(&data, &folds, &context, |fold, _| {
                Ok::<_, Error>((last_class(&fold), fold.number))
            });
            let (found, told) = both.expect("pooled");
            assert_eq!(found, one);
            assert_eq!(told, [Some(0), Some(1), Some(2), None]);
            let refused =
                predictions_at_once(&data, &folds, &context, |fold, _| match fold.number {
                    0 => Ok((last_class(&fold), ())),
                    number => Err(Error::rows(format!("fold {number}"), "none")),
                });
            let refused = refused.expect_err("refused").to_string();
            assert!(refused.contains("fold 1"), "{refused}");
        }
    }
}
