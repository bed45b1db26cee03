//! One fold: what is learnt from, and what is predicted.

use crate::data::{ClassTargets, Dataset, Folds, Targets};
use crate::learn::AnyEstimator;

/// Rows with targets, of which subsets can be taken.
pub trait Subsets: Sized {
    /// Returns the targets.
    fn targets(&self) -> &Targets;

    /// Returns how many copies each row stands for; `None` means one each.
    fn weights(&self) -> Option<&[f64]>;

    /// Returns the given rows, in that order; class codes keep their meaning.
    #[must_use]
    fn subset(&self, rows: &[usize]) -> Self;

    /// Takes classes without those that no row has.
    fn leave_out(&mut self, classes: ClassTargets, absent: &[String]);
}

impl Subsets for Dataset {
    fn targets(&self) -> &Targets {
        &self.targets
    }

    fn weights(&self) -> Option<&[f64]> {
        self.weights.as_deref()
    }

    fn subset(&self, rows: &[usize]) -> Self {
        self.select(rows)
    }

    fn leave_out(&mut self, classes: ClassTargets, _absent: &[String]) {
        self.targets = Targets::Classes(classes);
    }
}

/// One fold of a cross-validation.
#[derive(Debug)]
pub struct Fold<'a, D> {
    data: &'a D,
    /// Its number, from 0.
    pub number: usize,
    /// The rows to predict.
    pub rows: &'a [usize],
    /// What to learn from: the rows outside, without classes that none of them has.
    pub train: D,
    /// The code that every class of the training part has among all classes; empty without classes.
    codes: Vec<u32>,
    /// Labels of classes that the training part lacks.
    pub absent: Vec<String>,
}

impl<'a, D: Subsets> Fold<'a, D> {
    /// Opens a fold by its number.
    pub fn of(data: &'a D, folds: &'a Folds, number: usize) -> Self {
        let rows = folds.train(number);
        let (train, codes, absent) = match data.targets() {
            Targets::Classes(classes) => without_absent(data, classes, rows),
            _ => (data.subset(&rows), Vec::new(), Vec::new()),
        };
        Self {
            data,
            number,
            rows: &folds.test[number],
            train,
            codes,
            absent,
        }
    }

    /// Returns the rows to predict.
    pub fn test(&self) -> D {
        self.data.subset(self.rows)
    }

    /// Returns the one class that all training rows have, by its code among all classes.
    pub fn only_class(&self) -> Option<u32> {
        match self.codes[..] {
            [only] => Some(only),
            _ => None,
        }
    }

    /// Returns the code that a class of the training part has among all classes.
    pub fn code(&self, of_part: u32) -> u32 {
        self.codes[of_part as usize]
    }

    /// Returns the code that a class has in the training part; `None` where it is absent.
    pub fn place(&self, code: u32) -> Option<u32> {
        let place = self.codes.iter().position(|c| *c == code);
        place.map(|place| place as u32)
    }

    /// Returns a method without factors for classes that the training part lacks.
    pub fn suited(&self, estimator: &AnyEstimator) -> AnyEstimator {
        let mut estimator = estimator.clone();
        estimator.forget_classes(&self.absent);
        estimator
    }
}

/// Takes the rows of classes that have a row of positive weight among them.
fn without_absent<D: Subsets>(
    data: &D,
    classes: &ClassTargets,
    mut rows: Vec<usize>,
) -> (D, Vec<u32>, Vec<String>) {
    let weight = |row: usize| data.weights().map_or(1.0, |w| w[row]);
    let mut present = vec![false; classes.labels.len()];
    for &row in &rows {
        present[classes.codes[row] as usize] |= weight(row) > 0.0;
    }
    let of = |wanted: bool| {
        let codes = (0..).zip(&present);
        codes.filter_map(move |(code, is)| (*is == wanted).then_some(code))
    };
    let codes: Vec<u32> = of(true).collect();
    if codes.len() == present.len() {
        return (data.subset(&rows), codes, Vec::new());
    }
    let labels = |codes: &mut dyn Iterator<Item = u32>| -> Vec<String> {
        codes.map(|c| classes.labels[c as usize].clone()).collect()
    };
    let absent = labels(&mut of(false));
    let mut place = vec![0; present.len()];
    for (new, &old) in (0..).zip(&codes) {
        place[old as usize] = new;
    }
    rows.retain(|&row| present[classes.codes[row] as usize]);
    let mut train = data.subset(&rows);
    let code = |row: &usize| place[classes.codes[*row] as usize];
    let kept = ClassTargets {
        codes: rows.iter().map(code).collect(),
        labels: labels(&mut codes.iter().copied()),
    };
    train.leave_out(kept, &absent);
    (train, codes, absent)
}

/// Visits every fold.
///
/// # Errors
/// What a visit refuses.
pub fn each<'a, D: Subsets, E>(
    data: &'a D,
    folds: &'a Folds,
    visit: impl FnMut(Fold<'a, D>) -> Result<(), E>,
) -> Result<(), E> {
    let numbers = 0..folds.test.len();
    numbers
        .map(|number| Fold::of(data, folds, number))
        .try_for_each(visit)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use mercer_linalg::Matrix;

    use super::*;
    use crate::data::Records;
    use crate::learn::ClassWeights;
    use crate::learn::margin::Svc;

    fn data(codes: &[u32], weights: Option<Vec<f64>>) -> Dataset {
        let labels = ["a", "b", "c"].map(str::to_owned).to_vec();
        Dataset {
            records: Records::from_points(Matrix::from_fn(codes.len(), 1, |i, _| i as f64)),
            targets: Targets::Classes(ClassTargets {
                codes: codes.to_vec(),
                labels,
            }),
            weights,
        }
    }

    fn folds(test: &[&[usize]]) -> Folds {
        Folds {
            test: test.iter().map(|rows| rows.to_vec()).collect(),
            gap: None,
            notes: Vec::new(),
        }
    }

    #[test]
    fn absent_classes_leave_the_training_part() {
        let (data, folds) = (data(&[2, 0, 2, 1], None), folds(&[&[0, 3], &[1, 2]]));
        let fold = Fold::of(&data, &folds, 0);
        let classes = fold.train.targets.classes().expect("classes");
        assert_eq!(classes.labels, ["a", "c"]);
        assert_eq!(classes.codes, [0, 1]);
        assert_eq!(fold.absent, ["b"]);
        assert_eq!((fold.code(0), fold.code(1)), (0, 2));
        assert_eq!((fold.place(1), fold.place(2)), (None, Some(1)));
        assert_eq!(fold.only_class(), None);
        assert_eq!(fold.test().targets, data.targets.select(&[0, 3]));
    }

    #[test]
    fn rows_without_weight_do_not_make_a_class() {
        let weights = Some(vec![1.0, 0.0, 1.0, 1.0]);
        let (data, folds) = (data(&[0, 1, 2, 2], weights), folds(&[&[3], &[0, 1, 2]]));
        let fold = Fold::of(&data, &folds, 0);
        assert_eq!(fold.absent, ["b"]);
        assert_eq!(fold.train.len(), 2);
        assert_eq!(Fold::of(&data, &folds, 1).only_class(), Some(2));
    }

    #[test]
    fn factors_of_absent_classes_are_forgotten() {
        let (data, folds) = (data(&[2, 0, 2, 1], None), folds(&[&[0, 3], &[1, 2]]));
        let fold = Fold::of(&data, &folds, 0);
        let given = |labels: &[&str]| {
            let factors: BTreeMap<String, f64> =
                labels.iter().map(|l| ((*l).to_owned(), 2.0)).collect();
            AnyEstimator::Svc(Svc {
                class_weights: ClassWeights::Given(factors),
                ..Svc::default()
            })
        };
        // A name that no class ever had stays, and is refused by the fit.
        assert_eq!(fold.suited(&given(&["a", "b", "x"])), given(&["a", "x"]));
    }

    #[test]
    fn every_fold_is_visited_until_one_is_refused() {
        let (data, folds) = (data(&[0, 1, 0, 1], None), folds(&[&[0, 1], &[2, 3]]));
        let mut seen = Vec::new();
        let all: Result<(), ()> = each(&data, &folds, |fold| {
            seen.push((fold.number, fold.rows.to_vec()));
            Ok(())
        });
        assert_eq!(
            (all, seen),
            (Ok(()), vec![(0, vec![0, 1]), (1, vec![2, 3])])
        );
        let mut count = 0;
        let refused = each(&data, &folds, |fold| {
            count += 1;
            Err(fold.number)
        });
        assert_eq!((refused, count), (Err(0), 1));
    }
}
