//! The sums themselves.

use std::sync::Arc;

use mercer_linalg::{Matrix, MatrixRef, Par, Precision, Real, SquareRows, add_square_sums};

use super::Origin;
use crate::{Error, Result};

/// Rows to be added.
#[derive(Debug, Clone, Copy)]
pub struct Addition<'a, T> {
    /// One row of features each.
    pub features: MatrixRef<'a, T>,
    /// Their targets, a row per output.
    pub targets: MatrixRef<'a, f64>,
    /// How many copies each stands for; `None` means one each.
    pub weights: Option<&'a [f64]>,
    /// The rows that count, in this order.
    pub rows: &'a [usize],
}

/// Sums over rows from which least squares can be solved.
///
/// # Examples
/// ```
/// use std::sync::Arc;
/// use mercer::solver::moments::{Addition, Moments, Origin};
/// use mercer_linalg::{Matrix, Par};
///
/// let x = Matrix::<f32>::from_vec(3, 1, vec![-1.0, 0.0, 1.0]);
/// let y = Matrix::from_vec(1, 3, vec![0.0, 2.0, 4.0]);
/// let origin = Arc::new(Origin::zero(1, 1));
/// let of = |rows: &[usize]| {
///     let mut sums = Moments::new(Arc::clone(&origin));
///     let (features, targets) = (x.as_ref(), y.as_ref());
///     sums.add(&Addition { features, targets, weights: None, rows }, Par::Sequential);
///     sums
/// };
/// let mut both = of(&[0]);
/// both.merge(&of(&[1, 2]))?;
/// assert_eq!(both, of(&[0, 1, 2]));
/// let solution = both.normal(None, true, Par::Sequential).solve(2.0, Par::Sequential)?;
/// assert!((solution.weights[(0, 0)] - 1.0).abs() < 1e-12);
/// assert!((solution.biases[0] - 2.0).abs() < 1e-12);
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Moments {
    pub(super) origin: Arc<Origin>,
    /// Rows of a weight above zero.
    pub(super) rows: u64,
    /// n.
    pub(super) copies: f64,
    /// Distance from one to the next number in the precision of the features.
    pub(super) epsilon: f64,
    /// Σ w vvᵀ of v = (φ − o, (y − t)/u, 1); the lower triangle.
    pub(super) sums: Matrix<f64>,
}

/// What is above the diagonal is no part of the sums.
impl PartialEq for Moments {
    fn eq(&self, other: &Self) -> bool {
        self.origin == other.origin
            && (self.rows, self.copies, self.epsilon) == (other.rows, other.copies, other.epsilon)
            && (0..self.sums.rows()).all(|r| self.sums.row(r)[..=r] == other.sums.row(r)[..=r])
    }
}

impl Moments {
    /// Sums over no rows.
    pub fn new(origin: Arc<Origin>) -> Self {
        let width = origin.features.len() + origin.targets.len() + 1;
        Self {
            origin,
            rows: 0,
            copies: 0.0,
            epsilon: f64::EPSILON,
            sums: Matrix::zeros(width, width),
        }
    }

    /// Returns the bytes that sums over so many features and outputs take.
    pub fn bytes(features: usize, outputs: usize) -> u64 {
        let width = features as u64 + outputs as u64 + 1;
        width.saturating_mul(width).saturating_mul(8)
    }

    /// Returns what features and targets are measured from.
    pub fn origin(&self) -> &Arc<Origin> {
        &self.origin
    }

    /// Returns the number of features m.
    pub fn features(&self) -> usize {
        self.origin.features.len()
    }

    /// Returns the number of outputs.
    pub fn outputs(&self) -> usize {
        self.origin.targets.len()
    }

    /// Returns how many rows of a weight above zero were added.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// Returns how many copies all rows stand for.
    pub fn copies(&self) -> f64 {
        self.copies
    }

    /// Adds rows; those of weight 0 leave no trace.
    ///
    /// Threads change no bit; how rows are dealt out to calls changes rounding.
    ///
    /// # Panics
    /// Another number of features or outputs, or lengths that differ.
    pub fn add<T: Real>(&mut self, addition: &Addition<'_, T>, par: Par) {
        let Addition {
            features,
            targets,
            weights,
            rows,
        } = *addition;
        assert_eq!(features.columns(), self.features(), "features of a row");
        assert_eq!(targets.rows(), self.outputs(), "a row per output");
        assert_eq!(targets.columns(), features.rows(), "a target for every row");
        let kept: Vec<usize>;
        let rows = match weights {
            Some(weights) if rows.iter().any(|&r| weights[r] <= 0.0) => {
                kept = rows.iter().copied().filter(|&r| weights[r] > 0.0).collect();
                &kept
            }
            _ => rows,
        };
        self.rows += rows.len() as u64;
        self.copies += match weights {
            Some(weights) => rows.iter().map(|&r| weights[r]).sum(),
            None => rows.len() as f64,
        };
        if T::PRECISION == Precision::F32 {
            self.epsilon = Precision::F32.epsilon();
        }
        let outputs = self.outputs();
        let origin = &*self.origin;
        let beside = Matrix::from_fn(features.rows(), outputs + 1, |row, k| {
            if k == outputs {
                return T::ONE;
            }
            let value = targets.row(k)[row];
            T::from_f64((value - origin.targets[k]) / origin.units[k])
        });
        let shift: Vec<T> = origin
            .features
            .iter()
            .map(|o| T::from_f64(f64::from(*o)))
            .collect();
        let roots: Option<Vec<T>> =
            weights.map(|weights| weights.iter().map(|w| T::from_f64(w.sqrt())).collect());
        let asked = SquareRows {
            left: features,
            shift: &shift,
            beside: beside.as_ref(),
            factors: roots.as_deref(),
            rows,
        };
        add_square_sums(&asked, self.sums.as_mut(), par);
    }

    /// Adds the sums over other rows.
    ///
    /// # Errors
    /// Another number of features or outputs, or another origin.
    pub fn merge(&mut self, other: &Self) -> Result<()> {
        if self.origin != other.origin {
            return Err(Error::Conflict {
                what: "sums over rows have different features, outputs or origins".to_owned(),
                cure: "make all of them by the same plan".into(),
            });
        }
        self.rows += other.rows;
        self.copies += other.copies;
        self.epsilon = self.epsilon.max(other.epsilon);
        for (sum, more) in self
            .sums
            .as_mut_slice()
            .iter_mut()
            .zip(other.sums.as_slice())
        {
            *sum += more;
        }
        Ok(())
    }

    /// Returns the sums over the rows that are not in a part of these.
    ///
    /// # Panics
    /// A part with another origin, or of more rows.
    #[must_use]
    pub fn without(&self, part: &Self) -> Self {
        assert_eq!(self.origin, part.origin, "sums with one origin");
        assert!(self.rows >= part.rows, "a part of the rows");
        let mut rest = self.clone();
        rest.rows -= part.rows;
        rest.copies = (rest.copies - part.copies).max(0.0);
        for (sum, less) in rest
            .sums
            .as_mut_slice()
            .iter_mut()
            .zip(part.sums.as_slice())
        {
            *sum -= less;
        }
        rest
    }

    /// Returns the lower triangle of the sums, row by row, as files have it.
    pub fn lower(&self) -> Vec<f64> {
        let width = self.sums.rows();
        let mut lower = Vec::with_capacity(width * (width + 1) / 2);
        for row in 0..width {
            lower.extend_from_slice(&self.sums.row(row)[..=row]);
        }
        lower
    }

    /// Puts sums together again.
    ///
    /// # Errors
    /// A list of another length, numbers that are not finite, or sums that no rows have.
    pub fn from_parts(
        origin: Arc<Origin>,
        rows: u64,
        copies: f64,
        epsilon: f64,
        lower: &[f64],
    ) -> Result<Self> {
        let mut moments = Self::new(origin);
        let width = moments.sums.rows();
        if lower.len() != width * (width + 1) / 2 {
            return Err(Error::model(format!(
                "{} sums for {} features and {} outputs",
                lower.len(),
                moments.features(),
                moments.outputs()
            )));
        }
        if lower.iter().any(|s| !s.is_finite()) || !copies.is_finite() || copies < 0.0 {
            return Err(Error::model("a sum is not finite"));
        }
        if ![Precision::F32.epsilon(), Precision::F64.epsilon()].contains(&epsilon) {
            return Err(Error::model("the precision of the sums is unknown"));
        }
        let mut start = 0;
        for row in 0..width {
            moments.sums.row_mut(row)[..=row].copy_from_slice(&lower[start..=start + row]);
            start += row + 1;
            if moments.sums[(row, row)] < 0.0 {
                return Err(Error::model("a sum of squares is below zero"));
            }
        }
        moments.rows = rows;
        moments.copies = copies;
        moments.epsilon = epsilon;
        Ok(moments)
    }

    /// Returns whether the rows that were added have finite features and targets.
    pub fn is_finite(&self) -> bool {
        let last = self.sums.rows() - 1;
        self.sums.row(last).iter().all(|s| s.is_finite())
    }

    /// Returns the distance from one to the next number in the precision of the features.
    pub fn epsilon(&self) -> f64 {
        self.epsilon
    }

    /// Σ w over the last column: the weights as they were rounded with the rows.
    pub(super) fn mass(&self) -> f64 {
        let last = self.sums.rows() - 1;
        self.sums[(last, last)]
    }

    /// Σ w (φ − o).
    pub(super) fn feature_sums(&self) -> &[f64] {
        let last = self.sums.rows() - 1;
        &self.sums.row(last)[..self.features()]
    }

    /// Σ w (y − t)/u.
    pub(super) fn target_sums(&self) -> &[f64] {
        let last = self.sums.rows() - 1;
        &self.sums.row(last)[self.features()..last]
    }

    /// Σ w (φ − o)(y − t)/u of an output.
    pub(super) fn products(&self, output: usize) -> &[f64] {
        &self.sums.row(self.features() + output)[..self.features()]
    }

    /// Σ w (y − t)²/u² of an output.
    pub(super) fn target_square(&self, output: usize) -> f64 {
        let place = self.features() + output;
        self.sums[(place, place)]
    }

    /// Returns Σ w y of every output.
    pub fn target_totals(&self) -> Vec<f64> {
        let sums = self.target_sums().iter().enumerate();
        sums.map(|(k, s)| self.origin.targets[k] * self.mass() + self.origin.units[k] * s)
            .collect()
    }
}
