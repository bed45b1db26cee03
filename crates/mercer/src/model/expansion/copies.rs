//! The training rows that support vectors stand for.
//!
//! Equal rows are one variable of a problem, and one support vector. Other programs have a variable
//! for every row. Where coefficients are bounded, rows take their share one after the other, each
//! up to its bound C w_i: a sum at its bound Σ C w_i has every copy at its own, and on the margin
//! every value in the box is as good as another. Solvers that know no copies end there too. A
//! smooth loss has the coefficient w_i times a slope that equal rows have in common: rows share in
//! proportion to their weights.

use std::borrow::Cow;

use mercer_linalg::Matrix;
use serde::{Deserialize, Serialize};

use super::model::KernelExpansion;
use super::posterior::KeptFactor;
use crate::{Error, Result};

/// What rounding may take from a bound: it is a product of three numbers.
const SLACK: f64 = 8.0 * f64::EPSILON;

/// The training rows that each support vector stands for, where one stands for several.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Copies {
    /// How many rows each support vector stands for.
    counts: Vec<u32>,
    /// The numbers of those rows, support vector by support vector.
    rows: Vec<u32>,
    /// The weights of those rows; `None` means 1 each.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    weights: Option<Vec<f64>>,
    /// The largest coefficient of a row of weight 1: for every class, one per line of
    /// coefficients. Empty where rows share by weight.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    prices: Vec<f64>,
}

impl Copies {
    /// Collects rows and weights by support vector; `None` where each stands for one row.
    pub(crate) fn of(
        groups: impl Iterator<Item = impl AsRef<[(u32, f64)]>>,
        prices: &[f64],
    ) -> Option<Self> {
        let mut copies = Self {
            counts: Vec::new(),
            rows: Vec::new(),
            weights: None,
            // Files hold no infinite number: a hard margin has the largest one as its bound.
            prices: prices.iter().map(|p| p.min(f64::MAX)).collect(),
        };
        let mut weights = Vec::new();
        for group in groups {
            let group = group.as_ref();
            copies.counts.push(group.len() as u32);
            copies.rows.extend(group.iter().map(|(row, _)| *row));
            weights.extend(group.iter().map(|(_, weight)| *weight));
        }
        if weights.iter().any(|w| *w != 1.0) {
            copies.weights = Some(weights);
        }
        let several = copies.counts.iter().any(|c| *c > 1);
        several.then_some(copies)
    }

    /// Takes the lists as a file holds them; [`KernelExpansion::check`] looks at them.
    pub(in crate::model) fn unchecked(
        counts: Vec<u32>,
        rows: Vec<u32>,
        weights: Option<Vec<f64>>,
        prices: Vec<f64>,
    ) -> Self {
        Self {
            counts,
            rows,
            weights,
            prices,
        }
    }

    /// Checks every rule that ties the lists together.
    pub(super) fn check(&self, support: usize, prices: usize) -> Result<()> {
        let sum = self
            .counts
            .iter()
            .try_fold(0_usize, |s, c| s.checked_add(*c as usize));
        if self.counts.len() != support
            || self.counts.contains(&0)
            || sum != Some(self.rows.len())
            || self
                .weights
                .as_ref()
                .is_some_and(|w| w.len() != self.rows.len())
        {
            return Err(Error::model(
                "the copies are not one row or more for every support vector",
            ));
        }
        let positive = |w: &f64| w.is_finite() && *w > 0.0;
        if !self.weights.iter().flatten().all(positive) {
            return Err(Error::model("the weight of a copy is not positive"));
        }
        if !(self.prices.is_empty() || self.prices.len() == prices)
            || !self.prices.iter().all(|p| p.is_finite() && *p >= 0.0)
        {
            return Err(Error::model(
                "the bounds of copies are not one number of at least 0 for every class and line",
            ));
        }
        Ok(())
    }

    /// Weights of the rows of a support vector, which start at place `start`.
    fn weights(&self, start: usize, count: usize) -> Cow<'_, [f64]> {
        match &self.weights {
            Some(weights) => Cow::Borrowed(&weights[start..start + count]),
            None => Cow::Owned(vec![1.0; count]),
        }
    }

    /// Shares a coefficient of a support vector of class `class` among rows of these weights;
    /// returns how many are at their bound.
    fn share(
        &self,
        coefficient: f64,
        (class, line, lines): (usize, usize, usize),
        weights: &[f64],
        out: &mut [f64],
    ) -> usize {
        if let Some(price) = self.prices.get(class * lines + line) {
            return fill(coefficient, *price, weights, out);
        }
        let total: f64 = weights.iter().sum();
        for (part, weight) in out.iter_mut().zip(weights) {
            *part = coefficient * (weight / total);
        }
        0
    }
}

/// Gives rows one after the other as much of a coefficient as their bounds allow; returns how many
/// get that much.
fn fill(coefficient: f64, price: f64, weights: &[f64], out: &mut [f64]) -> usize {
    let total: f64 = weights.iter().sum();
    let size = coefficient.abs();
    let bounded = size > 0.0 && size >= price * total * (1.0 - SLACK);
    let (mut rest, mut full) = (size, 0);
    for (part, weight) in out.iter_mut().zip(weights) {
        let most = price * weight;
        let own = if bounded { most } else { most.min(rest) };
        *part = own.copysign(coefficient);
        full += usize::from(own > 0.0 && own >= most);
        rest -= own;
        // What rounding leaves is no share.
        if rest <= size * SLACK {
            rest = 0.0;
        }
    }
    full
}

/// How many training rows take part in a line of coefficients.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counted {
    /// Rows with a coefficient.
    pub support: usize,
    /// Those of them at their bound.
    pub bounded: usize,
}

/// A function with a support vector for every training row that takes part.
#[derive(Debug, Clone, PartialEq)]
pub struct Unmerged {
    /// The merged support vector that each row is a copy of.
    pub vectors: Vec<usize>,
    /// The numbers of the rows.
    pub rows: Vec<u32>,
    /// How many rows each class has; one number without classes.
    pub class_sizes: Vec<usize>,
    /// A column for every row, laid out as in [`KernelExpansion`].
    pub coefficients: Matrix<f64>,
    /// Rows that take part, for every class and line of coefficients.
    pub counts: Vec<Vec<Counted>>,
}

impl KernelExpansion {
    /// The support vectors as other programs have them, with copies of equal rows apart; `None`
    /// where no support vector is known to stand for several rows.
    pub fn unmerged(&self) -> Option<Unmerged> {
        let copies = self.copies.as_ref()?;
        let merged = &self.coefficients;
        let lines = merged.rows();
        let sizes = self.class_sizes.as_slice();
        let mut out = Unmerged {
            vectors: Vec::new(),
            rows: Vec::new(),
            class_sizes: vec![0; sizes.len()],
            coefficients: Matrix::zeros(0, 0),
            counts: vec![vec![Counted::default(); lines]; sizes.len()],
        };
        let classes = sizes
            .iter()
            .enumerate()
            .flat_map(|(class, size)| std::iter::repeat_n(class, *size));
        let mut columns: Vec<f64> = Vec::new();
        let mut start = 0;
        for (vector, (class, count)) in classes.zip(&copies.counts).enumerate() {
            let count = *count as usize;
            let weights = copies.weights(start, count);
            let mut shares = Matrix::zeros(lines, count);
            for line in 0..lines {
                let place = (class, line, lines);
                let parts = shares.row_mut(line);
                let bounded = copies.share(merged[(line, vector)], place, &weights, parts);
                let taking = parts.iter().filter(|p| **p != 0.0).count();
                let counted = &mut out.counts[class][line];
                counted.support += taking;
                counted.bounded += bounded;
            }
            for copy in 0..count {
                if (0..lines).all(|line| shares[(line, copy)] == 0.0) {
                    continue;
                }
                out.vectors.push(vector);
                out.rows.push(copies.rows[start + copy]);
                out.class_sizes[class] += 1;
                columns.extend((0..lines).map(|line| shares[(line, copy)]));
            }
            start += count;
        }
        out.coefficients = Matrix::from_fn(lines, out.rows.len(), |line, column| {
            columns[column * lines + line]
        });
        Some(out)
    }

    /// The same function with copies of equal rows as support vectors of their own.
    pub fn with_copies_apart(&self) -> Cow<'_, Self> {
        let Some(apart) = self.unmerged() else {
            return Cow::Borrowed(self);
        };
        let mut support = self.support.select(&apart.vectors);
        support.ids = apart.rows;
        Cow::Owned(Self {
            kernel: self.kernel.clone(),
            support,
            coefficients: apart.coefficients,
            biases: self.biases.clone(),
            origin: self.origin.clone(),
            slopes: self.slopes.clone(),
            class_sizes: apart.class_sizes,
            readout: self.readout.clone(),
            // It speaks of the merged rows.
            posterior: None,
            left_out: self.left_out.clone(),
            copies: None,
            components: None,
            kept: KeptFactor::default(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bounded_sum_has_bounded_parts() {
        let (price, weights) = (0.1, [1.0, 1.0, 1.0]);
        let mut parts = [0.0; 3];
        assert_eq!(fill(-(price * 3.0), price, &weights, &mut parts), 3);
        assert_eq!(parts, [-0.1; 3]);
    }

    #[test]
    fn a_free_sum_goes_to_one_row_after_the_other() {
        let weights = [1.0, 3.0, 1.0];
        let mut parts = [0.0; 3];
        assert_eq!(fill(2.0, 1.0, &weights, &mut parts), 1);
        assert_eq!(parts, [1.0, 1.0, 0.0]);
        assert_eq!(fill(0.1 * 2.0 + 1e-17, 0.1, &[1.0; 3], &mut parts), 2);
        assert_eq!(parts, [0.1, 0.1, 0.0]);
        assert_eq!(fill(2.0, f64::MAX, &weights, &mut parts), 0);
        assert_eq!(parts, [2.0, 0.0, 0.0]);
        assert_eq!(fill(0.0, 1.0, &weights, &mut parts), 0);
        assert_eq!(parts, [0.0; 3]);
    }

    #[test]
    fn without_bounds_rows_share_by_weight() {
        let groups: [&[(u32, f64)]; 1] = [&[(0, 1.0), (3, 3.0)]];
        let copies = Copies::of(groups.into_iter(), &[]).expect("a row is there twice");
        let mut parts = [0.0; 2];
        assert_eq!(copies.share(2.0, (0, 0, 1), &[1.0, 3.0], &mut parts), 0);
        assert_eq!(parts, [0.5, 1.5]);
    }

    #[test]
    fn lists_that_do_not_match_are_refused() {
        let groups: [&[(u32, f64)]; 2] = [&[(0, 1.0), (3, 2.0)], &[(1, 1.0)]];
        let good = Copies::of(groups.into_iter(), &[1.0]).expect("a row is there twice");
        assert!(good.check(2, 1).is_ok());
        assert!(good.check(3, 1).is_err());
        assert!(good.check(2, 2).is_err());
        for spoil in [
            |c: &mut Copies| c.counts[0] = 3,
            |c: &mut Copies| c.counts = vec![3, 0],
            |c: &mut Copies| c.weights = Some(vec![1.0]),
            |c: &mut Copies| c.weights = Some(vec![1.0, 0.0, 1.0]),
            |c: &mut Copies| c.prices = vec![f64::NAN],
        ] {
            let mut bad = good.clone();
            spoil(&mut bad);
            assert!(bad.check(2, 1).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn rows_that_are_there_once_need_no_list() {
        let groups: [&[(u32, f64)]; 2] = [&[(0, 2.0)], &[(1, 1.0)]];
        assert_eq!(Copies::of(groups.into_iter(), &[1.0]), None);
    }
}
