//! Novelty by the distance from the k-th nearest row.

use std::cmp::Ordering;

use mercer_linalg::Matrix;
use serde::{Deserialize, Serialize};

use super::threshold::level;
use crate::data::{Block, Dataset};
use crate::fit::{FitContext, FitReport, Fitted, Note};
use crate::learn::{Estimator, Settings};
use crate::model::NearestNovelty;
use crate::{Error, Result};

/// Novelty by neighbours: f(x) = t − d_k(x), with d_k the distance from the k-th nearest row.
///
/// The threshold t is such that a share of the rows has no k neighbours within it, each row looked
/// at as if it were new. Use it where the familiar has several regions of similar density, in
/// columns of one scale. Learning takes n² distances, a prediction n; all rows are kept.
///
/// Weights mean copies: a row of weight 3 is three neighbours at one place. Targets are not read.
///
/// # Examples
/// ```
/// use mercer::data::{Dataset, Records, Targets};
/// use mercer::fit::FitContext;
/// use mercer::learn::Estimator;
/// use mercer::learn::novelty::Nearest;
/// use mercer_linalg::Matrix;
///
/// let x = Matrix::from_vec(5, 1, vec![0.0, 1.0, 2.0, 3.0, 9.0]);
/// let data = Dataset::try_new(Records::from_points(x), Targets::None)?;
/// let model = Nearest::default().neighbours(1).share(0.2);
/// let found = model.fit(&data, &FitContext::default())?.model;
/// assert_eq!(found.threshold, 1.0);
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// # References
/// Ramaswamy, Rastogi and Shim, Efficient algorithms for mining outliers from large data sets, 2000.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, mercer_derive::Settings)]
pub struct Nearest {
    /// Number of the neighbour whose distance counts.
    #[setting(count, python = "n_neighbors")]
    pub neighbours: usize,
    /// Expected share of novel rows: so many of the rows learnt from have no such neighbour within the
    /// threshold.
    #[setting(share)]
    pub share: f64,
}

impl Default for Nearest {
    fn default() -> Self {
        Self {
            neighbours: 5,
            share: 0.05,
        }
    }
}

impl Nearest {
    fn fit_installed(
        &self,
        data: &Dataset,
        context: &FitContext,
    ) -> Result<Fitted<NearestNovelty>> {
        let given = data.len();
        let points = &data.records.features.points;
        if points.columns() == 0 {
            return Err(Error::rows(
                "there are no numbers to measure distances by",
                "give numeric columns, or choose a method with a kernel",
            ));
        }
        if let Some((row, _)) = points.first_not_finite() {
            return Err(Error::rows(
                format!("row {} has a value that is not finite", row + 1),
                "fill it in or leave the row out",
            ));
        }
        let data = &merged(data);
        let copies: f64 = data
            .weights
            .as_ref()
            .map_or(data.len() as f64, |w| w.iter().sum());
        if copies < self.neighbours as f64 + 1.0 {
            let rule = format!("below the number of rows, {copies}");
            return Err(Error::setting("neighbours", self.neighbours, &rule));
        }
        let mut model = NearestNovelty {
            rows: data.records.clone(),
            weights: data.weights.clone(),
            neighbours: self.neighbours,
            threshold: 0.0,
        };
        let distances = model.left_out(context)?;
        let decisions: Vec<f64> = distances.iter().map(|d| -d).collect();
        model.threshold = -level(&decisions, data.weights.as_deref(), self.share);
        let mut notes = vec![Note::Choice(format!(
            "a row is novel whose neighbour number {} is farther away than {}, as that of {} % of the rows is",
            self.neighbours,
            crate::data::number_text(format!("{:.3e}", model.threshold).parse().unwrap_or(0.0)),
            crate::data::number_text(100.0 * self.share)
        ))];
        if model.threshold == 0.0 {
            notes.push(Note::Alert(
                "so many rows are equal that every other row is novel: use more neighbours, or a smaller share"
                    .to_owned(),
            ));
        }
        let report = FitReport {
            distinct_rows: data.len(),
            ..FitReport::of_rows(given, notes, context)
        };
        Ok(Fitted { model, report })
    }
}

/// The distinct rows in an order that follows from them, copies as weights: neither the order of rows
/// nor the splitting of weights into copies changes a distance then.
fn merged(data: &Dataset) -> Dataset {
    let rows = match data.records.features.points.widened() {
        Block::Dense(rows) => Matrix::from_fn(rows.rows(), rows.columns(), |i, j| rows.row(i)[j]),
        Block::Sparse(rows) => rows.to_dense(),
    };
    let weight = |row: usize| data.weights.as_ref().map_or(1.0, |w| w[row]);
    let compare = |a: usize, b: usize| {
        let pairs = rows.row(a).iter().zip(rows.row(b));
        let unlike = pairs
            .map(|(x, z)| x.partial_cmp(z))
            .find(|o| *o != Some(Ordering::Equal));
        unlike.flatten().unwrap_or(Ordering::Equal)
    };
    let mut order: Vec<usize> = (0..data.len()).filter(|&row| weight(row) > 0.0).collect();
    order.sort_by(|&a, &b| compare(a, b));
    let (mut first, mut weights): (Vec<usize>, Vec<f64>) = (Vec::new(), Vec::new());
    for row in order {
        match (first.last(), weights.last_mut()) {
            (Some(&last), Some(sum)) if compare(last, row) == Ordering::Equal => {
                *sum += weight(row);
            }
            _ => {
                first.push(row);
                weights.push(weight(row));
            }
        }
    }
    Dataset {
        weights: weights.iter().any(|w| *w != 1.0).then_some(weights),
        ..data.select(&first)
    }
}

impl Estimator for Nearest {
    type Model = NearestNovelty;

    fn fit(&self, data: &Dataset, context: &FitContext) -> Result<Fitted<NearestNovelty>> {
        let mut errors = Vec::new();
        self.check(&mut errors);
        Error::collect(errors)?;
        let context = context.restarted();
        context.install(|| self.fit_installed(data, &context))?
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Records, Targets};
    use crate::model::{Answers, Form};

    fn data(values: &[f64], weights: Option<Vec<f64>>) -> Dataset {
        let x = Matrix::from_vec(values.len(), 1, values.to_vec());
        let records = Records::from_points(x);
        let data = Dataset::try_new(records, Targets::None).unwrap();
        match weights {
            Some(weights) => data.with_weights(weights).unwrap(),
            None => data,
        }
    }

    fn fitted(neighbours: usize, share: f64, data: &Dataset) -> NearestNovelty {
        let model = Nearest { neighbours, share };
        model.fit(data, &FitContext::default()).unwrap().model
    }

    #[test]
    fn distances_and_threshold_by_hand() {
        let rows = data(&[0.0, 1.0, 2.0, 3.0, 9.0], None);
        let model = fitted(2, 0.2, &rows);
        // Second neighbours of each among the others: 2, 1, 1, 2, 7.
        assert_eq!(model.threshold, 2.0);
        let new = Records::from_points(Matrix::from_vec(3, 1, vec![1.5, 5.5, -3.0]));
        let found = Form::from(model)
            .predict(&new, &FitContext::default())
            .unwrap();
        assert_eq!(found.decisions.as_slice(), [1.5, -1.5, -2.0]);
        let Answers::Novelty { novel } = found.answers else {
            panic!("novelty");
        };
        assert_eq!(novel, [false, true, true]);
    }

    #[test]
    fn weights_are_copies() {
        let weighted = data(&[0.0, 1.0, 5.0, 6.0], Some(vec![2.0, 1.0, 3.0, 0.0]));
        let copied = data(&[0.0, 0.0, 1.0, 5.0, 5.0, 5.0], None);
        for k in 1..=4 {
            for share in [0.1, 0.35, 0.6] {
                let (a, b) = (fitted(k, share, &weighted), fitted(k, share, &copied));
                assert_eq!(a.threshold, b.threshold, "{k} {share}");
                let new = Records::from_points(Matrix::from_vec(3, 1, vec![0.0, 3.0, 7.0]));
                let of = |model| {
                    let form = Form::from(model);
                    form.predict(&new, &FitContext::default())
                        .unwrap()
                        .decisions
                };
                assert_eq!(of(a), of(b), "{k} {share}");
            }
        }
    }

    #[test]
    fn too_many_neighbours_and_bad_rows_are_refused() {
        let context = FitContext::default();
        let refused = |model: Nearest, rows: &Dataset| {
            let error = model.fit(rows, &context).unwrap_err();
            error.to_string()
        };
        let two = data(&[0.0, 1.0], None);
        assert!(refused(Nearest::default(), &two).contains("below the number of rows, 2"));
        assert!(fitted(1, 0.1, &two).threshold == 1.0);
        let bad = data(&[0.0, f64::NAN, 1.0], None);
        assert!(refused(Nearest::default().neighbours(1), &bad).contains("row 2"));
        let settings = Nearest {
            neighbours: 0,
            share: 2.0,
        };
        let told = refused(settings, &two);
        assert!(
            told.contains("neighbours") && told.contains("share"),
            "{told}"
        );
    }

    #[test]
    fn equal_rows_are_told_of() {
        let rows = data(&[1.0; 8], None);
        let fitted = Nearest::default()
            .fit(&rows, &FitContext::default())
            .unwrap();
        assert_eq!(fitted.model.threshold, 0.0);
        assert!(fitted.report.notes.iter().any(Note::is_alert));
    }

    #[test]
    fn threads_change_nothing() {
        let values: Vec<f64> = (0..300).map(|i| f64::from(i * i % 97) / 7.0).collect();
        let rows = data(&values, None);
        let with = |threads| {
            let context = FitContext::default().threads(threads);
            Nearest::default().fit(&rows, &context).unwrap().model
        };
        assert_eq!(with(1), with(2));
    }
}
