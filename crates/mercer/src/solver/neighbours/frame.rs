//! How rows become points: scales, whitening, weights of columns.
//!
//! A number x becomes (x − shift)·scale·w^(1/p), so that its column adds w·|difference|ᵖ to a sum.
//! Categories that differ add w. A missing number is as far away as the training rows allow:
//! max(x − low, high − x) from a known one, high − low from another that is missing; with numbers
//! scaled to a range that is max(x, 1 − x) and 1. A missing category differs from everything. These are the rules
//! of Weka's IBk (and, for what is known, of the heterogeneous distance HEOM).

use mercer_linalg::{Matrix, SymmetricEigen};
use serde::{Deserialize, Serialize};

use super::metric::DistanceMetric;
use crate::data::{Block, Points, Records};
use crate::fit::{Note, available_memory};
use crate::{Error, Result};

/// How numbers are brought to a common size.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Scaling {
    /// Numbers stay as they are.
    None,
    /// The training rows span 0 to 1.
    #[default]
    Range,
    /// Mean 0 and standard deviation 1 over the training rows.
    Standard,
    /// Mean 0 and covariance the identity: all directions count alike.
    Whiten,
}

impl Scaling {
    /// Returns the name.
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Range => "range",
            Self::Standard => "standard",
            Self::Whiten => "whiten",
        }
    }
}

/// How rows become points.
#[derive(Debug, Clone, PartialEq)]
pub struct Frame {
    /// The distance of two points.
    pub metric: DistanceMetric,
    /// How numbers were scaled.
    pub scaling: Scaling,
    /// What is subtracted from the numbers of every feature.
    pub shift: Vec<f64>,
    /// What they are multiplied by then.
    pub scale: Vec<f64>,
    /// The least scaled number of every feature among the training rows.
    pub low: Vec<f64>,
    /// The largest.
    pub high: Vec<f64>,
    /// The weight of every feature; 0 leaves it out.
    pub weights: Vec<f64>,
    /// Source columns of the categories.
    pub codes: Vec<String>,
    /// The weights of the categories.
    pub code_weights: Vec<f64>,
    /// A column for every whitened direction, where numbers are whitened.
    pub whitening: Option<Matrix<f64>>,
}

/// Directions whose variance is below this share of the largest are rounding.
const FLAT: f64 = 1e-12;

impl Frame {
    /// Measures training rows, each as many times as its weight says; tells of columns that have no say.
    ///
    /// # Errors
    /// Infinite numbers; gaps and categories that the distance has no place for; too little memory.
    pub(crate) fn fit(
        records: &Records,
        scaling: Scaling,
        metric: DistanceMetric,
        weights: Option<&[f64]>,
    ) -> Result<(Self, Vec<Note>)> {
        let features = &records.features;
        if let Some((row, column)) = features.points.first_infinite() {
            return Err(Error::Cell {
                place: format!("row {}", row + 1),
                column: features.name(column),
                problem: "the value is infinite".to_owned(),
                cure: "replace or remove it before fitting".into(),
            });
        }
        let points = dense(&features.points)?;
        let d = points.columns();
        let mut frame = Self {
            metric,
            scaling,
            shift: vec![0.0; d],
            scale: vec![1.0; d],
            low: vec![0.0; d],
            high: vec![0.0; d],
            weights: vec![1.0; d],
            codes: records.codes.iter().map(|c| c.source.clone()).collect(),
            code_weights: vec![1.0; records.codes.len()],
            whitening: None,
        };
        // Categories that are features as well count once, as categories.
        let mut start = 0;
        for group in &features.groups {
            let end = start + group.width();
            if frame.codes.contains(&group.source) {
                frame.weights[start..end].fill(0.0);
            }
            start = end;
        }
        let mut empty = Vec::new();
        for j in 0..d {
            if !frame.measure(&points, weights, j) {
                empty.push(format!("`{}`", features.name(j)));
            }
        }
        let gap = (0..points.rows()).find_map(|row| {
            let column = points.row(row).iter().position(|v| v.is_nan())?;
            Some((row, column))
        });
        if metric == DistanceMetric::Cosine && (gap.is_some() || !frame.codes.is_empty()) {
            return Err(Error::Conflict {
                what: "angles between rows need numbers in all columns, and some are missing or categories"
                    .to_owned(),
                cure: "use the euclidean distance, or leave such columns out".into(),
            });
        }
        if scaling == Scaling::Whiten {
            if let Some((row, column)) = gap {
                return Err(Error::Cell {
                    place: format!("row {}", row + 1),
                    column: features.name(column),
                    problem: "the value is missing, and whitening mixes all columns".to_owned(),
                    cure: "scale to a range instead, or fill in missing values".into(),
                });
            }
            frame.whitening = Some(whitening(&points, &frame.shift, weights)?);
        }
        let notes = (!empty.is_empty()).then(|| {
            Note::Choice(format!(
                "without a value in any row, and so without a say: {}",
                empty.join(", ")
            ))
        });
        Ok((frame, notes.into_iter().collect()))
    }

    /// Numbers as they are.
    pub(crate) fn unscaled(features: usize) -> Self {
        Self {
            metric: DistanceMetric::Euclidean,
            scaling: Scaling::None,
            shift: vec![0.0; features],
            scale: vec![1.0; features],
            low: vec![0.0; features],
            high: vec![0.0; features],
            weights: vec![1.0; features],
            codes: Vec::new(),
            code_weights: Vec::new(),
            whitening: None,
        }
    }

    /// Measures one feature; `false` where it has no value at all.
    fn measure(&mut self, points: &Matrix<f64>, weights: Option<&[f64]>, j: usize) -> bool {
        let weighed = || {
            let values = (0..points.rows()).map(|row| (points[(row, j)], weight(weights, row)));
            values.filter(|(value, _)| !value.is_nan())
        };
        let known = || weighed().map(|(value, _)| value);
        let count: f64 = weighed().map(|(_, weight)| weight).sum();
        if count == 0.0 {
            self.weights[j] = 0.0;
            return points.rows() == 0;
        }
        let low = known().fold(f64::INFINITY, f64::min);
        let high = known().fold(f64::NEG_INFINITY, f64::max);
        let mean = || weighed().map(|(value, w)| w * value / count).sum::<f64>();
        match self.scaling {
            Scaling::None => {}
            Scaling::Range => {
                let span = high - low;
                self.shift[j] = low;
                self.scale[j] = if span > 0.0 { 1.0 / span } else { 0.0 };
                // A constant column still tells what is missing.
                (self.low[j], self.high[j]) = (0.0, 1.0);
                return true;
            }
            Scaling::Standard => {
                let mean = mean();
                let variance = weighed()
                    .map(|(v, w)| w * (v - mean) * (v - mean) / count)
                    .sum::<f64>();
                let deviation = variance.sqrt();
                self.shift[j] = mean;
                self.scale[j] = if deviation > 0.0 && low < high {
                    1.0 / deviation
                } else {
                    0.0
                };
            }
            Scaling::Whiten => self.shift[j] = mean(),
        }
        self.low[j] = (low - self.shift[j]) * self.scale[j];
        self.high[j] = (high - self.shift[j]) * self.scale[j];
        true
    }

    /// Returns the number of features that rows must have.
    pub(crate) fn width(&self) -> usize {
        self.shift.len()
    }

    /// Returns w^(1/p): what a weight multiplies coordinates by.
    pub fn root(&self, weight: f64) -> f64 {
        match self.metric.exponent() {
            Some(p) if weight != 1.0 => weight.powf(1.0 / p),
            _ if weight == 0.0 => 0.0,
            _ => 1.0,
        }
    }

    /// Returns the least and the largest coordinate of a feature.
    pub fn ends(&self, feature: usize) -> (f64, f64) {
        let root = self.root(self.weights[feature]);
        (self.low[feature] * root, self.high[feature] * root)
    }

    /// Turns rows into points; gaps stay gaps.
    ///
    /// # Errors
    /// Rows of another width; too little memory for rows with all their zeros.
    pub fn points(&self, points: &Points) -> Result<Matrix<f64>> {
        if points.columns() != self.width() {
            return Err(Error::Length {
                what: "a row".to_owned(),
                found: points.columns(),
                expected: self.width(),
                unit: "features",
            });
        }
        let mut made = dense(points)?;
        let roots: Vec<f64> = self.weights.iter().map(|w| self.root(*w)).collect();
        let plain = self.scaling == Scaling::None && roots.iter().all(|root| *root == 1.0);
        if !plain {
            for row in 0..made.rows() {
                let line = made.row_mut(row);
                for (j, value) in line.iter_mut().enumerate() {
                    // A column without a say has no gaps either.
                    *value = if roots[j] == 0.0 {
                        0.0
                    } else {
                        (*value - self.shift[j]) * self.scale[j] * roots[j]
                    };
                }
            }
        }
        if let Some(whitening) = &self.whitening {
            let mut white = Matrix::zeros(made.rows(), whitening.columns());
            for row in 0..made.rows() {
                for (j, value) in made.row(row).iter().enumerate() {
                    let factors = whitening.row(j).iter();
                    for (sum, factor) in white.row_mut(row).iter_mut().zip(factors) {
                        *sum += value * factor;
                    }
                }
            }
            made = white;
        }
        if self.metric == DistanceMetric::Cosine {
            for row in 0..made.rows() {
                let line = made.row_mut(row);
                let largest = line.iter().fold(0.0_f64, |most, v| most.max(v.abs()));
                if largest > 0.0 && largest.is_finite() {
                    line.iter_mut().for_each(|v| *v /= largest);
                    let norm = line.iter().map(|v| v * v).sum::<f64>().sqrt();
                    line.iter_mut().for_each(|v| *v /= norm);
                }
            }
        }
        Ok(made)
    }

    /// Checks the rules between the fields of a frame that was read.
    pub(crate) fn check(&self) -> Result<()> {
        let d = self.width();
        let lists = [&self.scale, &self.low, &self.high, &self.weights];
        if lists.iter().any(|list| list.len() != d) || self.code_weights.len() != self.codes.len() {
            return Err(Error::model("the lists of scales differ in length"));
        }
        let mut numbers = self.shift.iter().chain(lists.into_iter().flatten());
        let weights = self.weights.iter().chain(&self.code_weights);
        let negative = weights.clone().any(|w| !(w.is_finite() && *w >= 0.0));
        if !numbers.all(|v| v.is_finite()) || negative {
            return Err(Error::model("a scale is not finite or a weight negative"));
        }
        if let DistanceMetric::Minkowski(p) = self.metric
            && !(p.is_finite() && p > 0.0)
        {
            return Err(Error::model("the exponent of the distance is not positive"));
        }
        match &self.whitening {
            Some(matrix)
                if matrix.rows() != d || !matrix.as_slice().iter().all(|v| v.is_finite()) =>
            {
                Err(Error::model("the whitening does not fit the features"))
            }
            None if self.scaling == Scaling::Whiten => Err(Error::model("the whitening is absent")),
            _ => Ok(()),
        }
    }
}

/// How many times a row counts.
fn weight(weights: Option<&[f64]>, row: usize) -> f64 {
    weights.map_or(1.0, |weights| weights[row])
}

/// V Λ^(−1/2) of the covariance (divided by n), without directions in which nothing varies.
fn whitening(points: &Matrix<f64>, mean: &[f64], weights: Option<&[f64]>) -> Result<Matrix<f64>> {
    let (n, d) = (points.rows(), points.columns());
    let total: f64 = (0..n).map(|row| weight(weights, row)).sum();
    let mut covariance = Matrix::<f64>::zeros(d, d);
    let mut centred = vec![0.0; d];
    for row in 0..n {
        for (c, (x, m)) in centred.iter_mut().zip(points.row(row).iter().zip(mean)) {
            *c = x - m;
        }
        for i in 0..d {
            let factor = weight(weights, row) * centred[i] / total;
            for (sum, c) in covariance.row_mut(i)[..=i].iter_mut().zip(&centred) {
                *sum += factor * c;
            }
        }
    }
    let eigen = SymmetricEigen::new(covariance.as_ref()).map_err(|e| {
        Error::rows(
            format!("the covariance of the columns has no eigenvectors: {e}"),
            "scale to a range instead",
        )
    })?;
    let largest = eigen.values.iter().copied().fold(0.0, f64::max);
    let kept: Vec<usize> = (0..d)
        .filter(|&k| eigen.values[k] > FLAT * largest && eigen.values[k] > 0.0)
        .collect();
    Ok(Matrix::from_fn(d, kept.len(), |i, k| {
        eigen.vectors[(i, kept[k])] / eigen.values[kept[k]].sqrt()
    }))
}

/// All values of rows, those of sparse rows written out.
pub(super) fn dense(points: &Points) -> Result<Matrix<f64>> {
    let needed = 8 * points.rows() as u64 * points.columns() as u64;
    let limit = available_memory();
    if points.is_sparse() && needed > limit {
        return Err(Error::Memory {
            what: "rows with all their zeros".to_owned(),
            needed,
            limit,
        });
    }
    Ok(match points.widened() {
        Block::Dense(rows) => rows.to_matrix(),
        Block::Sparse(rows) => rows.to_dense(),
    })
}
