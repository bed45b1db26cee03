//! λ by cross-validation along a path.

use mercer_linalg::{Matrix, Real};

use super::super::input::Input;
use super::job::{Job, Prepared, checked};
use super::path::{PathPoint, largest_lambda, ratios};
use crate::data::{Block, Points, Records, Targets, brief_number, each, folds};
use crate::fit::{FitContext, Note};
use crate::{Error, Result};

/// Folds, as scikit-learn's `LassoCV` has.
const FOLDS: usize = 5;
/// Values of λ, and the smallest as a share of the largest; scikit-learn's too.
const COUNT: usize = 100;
const SMALLEST: f64 = 1e-3;

/// The best value of a path.
pub(super) struct Chosen {
    /// λ/(2n), which means the same with fewer rows.
    pub(super) alpha: f64,
    folds: usize,
    error: f64,
    is_smallest: bool,
    is_cut: bool,
}

impl Chosen {
    pub(super) fn notes(&self, lambda: f64) -> Vec<Note> {
        let mut notes = vec![Note::Choice(format!(
            "λ = {} (alpha = {}) of {COUNT} values by {} folds: mean squared error of held-out rows {}",
            brief_number(lambda),
            brief_number(self.alpha),
            self.folds,
            brief_number(self.error)
        ))];
        if self.is_smallest {
            notes.push(Note::Alert(format!(
                "the best λ is the smallest that was tried ({SMALLEST} of the largest): a smaller one \
                 may be better"
            )));
        }
        if self.is_cut {
            notes.push(Note::Alert(
                "the time limit ended the search for λ: the best value so far is used".to_owned(),
            ));
        }
        notes
    }
}

/// Finds the α of least squared error of held-out rows, summed over outputs.
///
/// # Errors
/// Fewer than two rows with a weight; ρ = 0, which has no path; cancellation, a time limit that leaves
/// nothing to choose from.
pub(super) fn cross_validated(
    job: &Job<'_>,
    records: &Records,
    targets: &Matrix<f64>,
    weights: Option<&[f64]>,
    context: &FitContext,
) -> Result<Chosen> {
    if job.share == 0.0 {
        let rule = "above 0 where λ is found on a path";
        return Err(Error::setting("l1_ratio", job.share, rule));
    }
    let weight = |row: usize| weights.map_or(1.0, |weights| weights[row]);
    let rows: Vec<usize> = (0..records.len()).filter(|&i| weight(i) > 0.0).collect();
    if rows.len() < 2 {
        return Err(Error::rows(
            "one row cannot be split into folds",
            "give λ, or at least two rows",
        ));
    }
    let count = FOLDS.min(rows.len());
    let grid = ratios(COUNT, SMALLEST);
    let mut errors = vec![0.0; COUNT];
    let mut largest: f64 = 0.0;
    let one = |output: usize, rows: &[usize]| -> Result<Prepared> {
        let y = Matrix::from_fn(1, rows.len(), |_, at| targets[(output, rows[at])]);
        let own: Vec<f64> = rows.iter().map(|&i| weight(i)).collect();
        let input = Input::try_new(&records.select(rows), &y, Some(&own))?;
        Prepared::try_new(input, job.bias, context)
    };
    for output in 0..targets.rows() {
        let prepared = one(output, &rows)?;
        let lambda = largest_lambda(job, &prepared, context);
        largest = largest.max(lambda / (2.0 * prepared.input.copies()));
    }
    let (mut reached, mut total) = (COUNT, 0.0);
    for output in 0..targets.rows() {
        let dealt = Targets::Real(rows.iter().map(|&i| targets[(output, i)]).collect());
        let dealt = folds(rows.len(), &dealt, count, context.seed, None)?;
        for fold in 0..count {
            let train: Vec<usize> = dealt.train(fold).iter().map(|&at| rows[at]).collect();
            let test: Vec<usize> = dealt.test[fold].iter().map(|&at| rows[at]).collect();
            let prepared = one(output, &train)?;
            let copies = prepared.input.copies();
            let lambdas: Vec<f64> = grid.iter().map(|r| 2.0 * copies * r * largest).collect();
            let path = prepared.points(job, &lambdas, context)?;
            let held_out = records.features.points.select(&test);
            for (point, error) in path.iter().zip(&mut errors) {
                let predicted = predictions(&held_out, point);
                let misses = test.iter().zip(predicted);
                *error += misses
                    .map(|(&i, f)| weight(i) * (targets[(output, i)] - f).powi(2))
                    .sum::<f64>();
            }
            total += test.iter().map(|&i| weight(i)).sum::<f64>();
            reached = reached.min(path.len());
        }
    }
    checked(context)?;
    let tried = errors[..reached].iter().enumerate();
    let Some((best, &error)) = tried.min_by(|a, b| a.1.total_cmp(b.1)) else {
        return Err(Error::OutOfTime);
    };
    Ok(Chosen {
        alpha: grid[best] * largest,
        folds: count,
        error: error / total,
        is_smallest: best + 1 == COUNT && largest > 0.0,
        is_cut: reached < COUNT,
    })
}

/// f of every row.
fn predictions(points: &Points, point: &PathPoint) -> Vec<f64> {
    let used: Vec<(usize, f64)> = point
        .weights
        .iter()
        .copied()
        .enumerate()
        .filter(|(_, w)| *w != 0.0)
        .collect();
    each!(points, block => match block {
        Block::Dense(rows) => (0..rows.rows())
            .map(|i| {
                let row = rows.row(i);
                let terms = used.iter().map(|&(j, w)| w * row[j].to_f64());
                terms.sum::<f64>() + point.bias
            })
            .collect(),
        Block::Sparse(csr) => (0..csr.rows())
            .map(|i| {
                let (indices, values) = csr.row(i);
                let terms = indices.iter().zip(values);
                terms.map(|(&j, x)| point.weights[j as usize] * x.to_f64()).sum::<f64>()
                    + point.bias
            })
            .collect(),
    })
}
