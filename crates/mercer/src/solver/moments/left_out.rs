//! Squared error on folds from their sums.

use mercer_linalg::{Matrix, Par, Proceed, axpy, dot};

use super::normal::cannot;
use super::{Moments, Normal, NormalSolution};
use crate::{Error, Result};

/// Folds whose complements are ready to be solved at any λ.
///
/// What is learnt without a fold comes from the sums of all rows less those of the fold, and its squared error on the
/// fold from the fold's own: no row is looked at again.
#[derive(Debug)]
pub struct LeftOut<'a> {
    /// The number of each, its sums, and what is left without it.
    folds: Vec<Fold<'a>>,
}

#[derive(Debug)]
struct Fold<'a> {
    number: usize,
    own: &'a Moments,
    rest: Normal,
}

impl<'a> LeftOut<'a> {
    /// Prepares the folds; those without rows, and those without which nothing is left, are skipped. Time m²r + mr² a
    /// fold.
    pub fn new(
        total: &Moments,
        folds: &'a [Moments],
        map: Option<&Matrix<f64>>,
        intercept: bool,
        par: Par,
    ) -> Self {
        let some = folds.iter().enumerate();
        let some = some.filter(|(_, fold)| fold.rows > 0 && fold.rows < total.rows);
        let folds = some.map(|(number, own)| Fold {
            number,
            own,
            rest: total.without(own).normal(map, intercept, par),
        });
        Self {
            folds: folds.collect(),
        }
    }

    /// Returns where a fold stands among those that are left out.
    pub fn place(&self, fold: usize) -> Option<usize> {
        self.folds.iter().position(|f| f.number == fold)
    }

    /// Returns how many folds there are to leave out.
    pub fn len(&self) -> usize {
        self.folds.len()
    }

    /// Returns whether there is no fold to leave out.
    pub fn is_empty(&self) -> bool {
        self.folds.is_empty()
    }

    /// Returns how many copies all folds stand for.
    pub fn copies(&self) -> f64 {
        self.folds.iter().map(|fold| fold.own.copies).sum()
    }

    /// Returns what is learnt at λ without each fold.
    ///
    /// # Errors
    /// Equations that cannot be solved, and a call to stop.
    pub fn solutions(
        &self,
        lambda: f64,
        par: Par,
        proceed: Proceed<'_>,
    ) -> Result<Vec<NormalSolution>> {
        let solve = |fold: &Fold<'_>| fold.rest.solve_while(lambda, par, proceed);
        self.folds
            .iter()
            .map(solve)
            .collect::<Result<_, _>>()
            .map_err(cannot)
    }

    /// Returns the sum of squared errors of every output over all folds, each predicted by what is learnt at λ without it.
    ///
    /// # Errors
    /// Equations that cannot be solved, and a call to stop.
    pub fn squared_errors(&self, lambda: f64, par: Par, proceed: Proceed<'_>) -> Result<Vec<f64>> {
        self.squared_errors_of(&self.solutions(lambda, par, proceed)?)
    }

    /// Returns the same of functions that were learnt without each fold; no outputs where there is no fold to leave out.
    ///
    /// # Errors
    /// Functions of other features or outputs.
    pub fn squared_errors_of(&self, solutions: &[NormalSolution]) -> Result<Vec<f64>> {
        let outputs = self.folds.first().map_or(0, |fold| fold.own.outputs());
        let mut total = vec![0.0; outputs];
        for (fold, solution) in self.folds.iter().zip(solutions) {
            for (sum, error) in total.iter_mut().zip(fold.own.squared_errors(solution)?) {
                *sum += error;
            }
        }
        Ok(total)
    }
}

impl Moments {
    /// Returns Σ w (y − f)² of every output for a function learnt from other rows.
    ///
    /// # Errors
    /// A function of other features or outputs.
    pub fn squared_errors(&self, solution: &NormalSolution) -> Result<Vec<f64>> {
        let m = self.features();
        let found = (
            solution.coefficients.rows(),
            solution.coefficients.columns(),
        );
        if found != (self.outputs(), m) {
            return Err(Error::Length {
                what: "a function of features".to_owned(),
                found: found.1,
                expected: m,
                unit: "weights",
            });
        }
        let mass = self.mass();
        let origin = &self.origin;
        let error = |k: usize| {
            let unit = origin.units[k];
            let own: Vec<f64> = solution
                .coefficients
                .row(k)
                .iter()
                .map(|c| c / unit)
                .collect();
            // f in units, measured from the origin of the target, is cᵀ(φ − o) + constant.
            let at_origin: f64 = own
                .iter()
                .zip(&origin.features)
                .map(|(c, o)| c * f64::from(*o))
                .sum();
            let constant = (solution.biases[k] - origin.targets[k]) / unit + at_origin;
            let mut image = vec![0.0; m];
            for i in 0..m {
                // The lower triangle serves both sides of the diagonal.
                let row = &self.sums.row(i)[..i];
                axpy(own[i], row, &mut image[..i]);
                image[i] += dot(row, &own[..i]) + self.sums[(i, i)] * own[i];
            }
            let square = dot(&own, &image)
                + 2.0 * constant * dot(&own, self.feature_sums())
                + constant * constant * mass;
            let along = dot(&own, self.products(k)) + constant * self.target_sums()[k];
            (self.target_square(k) - 2.0 * along + square).max(0.0) * unit * unit
        };
        Ok((0..self.outputs()).map(error).collect())
    }
}
