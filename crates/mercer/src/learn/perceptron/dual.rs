//! One coefficient per row: f = Σ α_i k(x_i, ·) + b.
//!
//! The values of all rows are kept. A visit then costs nothing, and a mistake a row of the kernel
//! matrix, of which the last used ones are stored.

use super::passes::Space;
use crate::fit::FitContext;
use crate::gram::Gram;

/// Coefficients and the values of all rows.
pub(super) struct Dual<'a> {
    /// Kernel values, with 1 added where there is a constant.
    gram: &'a dyn Gram<f64>,
    coefficients: Vec<f64>,
    values: Vec<f64>,
    /// Σ visits · change, for the mean.
    sums: Vec<f64>,
    kept: (Vec<f64>, Vec<f64>),
}

impl<'a> Dual<'a> {
    /// Starts from f = 0.
    pub(super) fn new(gram: &'a dyn Gram<f64>) -> Self {
        let n = gram.len();
        Self {
            gram,
            coefficients: vec![0.0; n],
            values: vec![0.0; n],
            sums: vec![0.0; n],
            kept: (vec![0.0; n], vec![0.0; n]),
        }
    }

    /// The coefficients of the rows.
    pub(super) fn into_coefficients(self) -> Vec<f64> {
        self.coefficients
    }
}

impl Space for Dual<'_> {
    fn value(&self, row: usize) -> f64 {
        self.values[row]
    }

    fn add(&mut self, row: usize, change: f64, context: &FitContext) -> bool {
        // A row is short: values stay those of the coefficients unless all is given up.
        let going = || !context.cancel.is_cancelled();
        let rows = [row as u32];
        self.gram
            .add_rows(&rows, &[change], None, &mut self.values, &going);
        self.coefficients[row] += change;
        context.goes_on()
    }

    fn note(&mut self, row: usize, change: f64, visits: u64) {
        self.sums[row] += change * visits as f64;
    }

    fn keep(&mut self) {
        self.kept.0.clone_from(&self.coefficients);
        self.kept.1.clone_from(&self.values);
    }

    fn restore(&mut self) {
        self.coefficients.clone_from(&self.kept.0);
        self.values.clone_from(&self.kept.1);
    }

    fn average(&mut self, visits: u64, context: &FitContext) -> bool {
        let share = 1.0 / visits as f64;
        for (a, sum) in self.coefficients.iter_mut().zip(&self.sums) {
            *a -= share * sum;
        }
        let counts = |&i: &u32| self.coefficients[i as usize] != 0.0;
        let rows: Vec<u32> = (0..self.coefficients.len() as u32).filter(counts).collect();
        let coefficients: Vec<f64> = rows
            .iter()
            .map(|&i| self.coefficients[i as usize])
            .collect();
        self.values.fill(0.0);
        let going = || !context.cancel.is_cancelled();
        self.gram
            .add_rows(&rows, &coefficients, None, &mut self.values, &going)
    }

    fn square(&self) -> f64 {
        let terms = self.coefficients.iter().zip(&self.values);
        terms.map(|(a, f)| a * f).sum()
    }

    fn row_square(&self, row: usize) -> f64 {
        self.gram.diagonal()[row]
    }

    fn is_finite(&self) -> bool {
        self.values.iter().all(|f| f.is_finite())
    }
}
