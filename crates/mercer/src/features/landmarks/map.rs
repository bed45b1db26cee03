//! The map itself: a kernel, its landmarks and the root of their kernel matrix.

use mercer_linalg::{Matrix, Par, Precision, Rows};

use super::choose::Landmarks;
use super::whitening::Whitening;
use crate::data::Records;
use crate::fit::FitContext;
use crate::kernel::{ResolvedKernel, TileMut};
use crate::{Error, Result};

/// Nyström features of a kernel.
#[derive(Debug, Clone, PartialEq)]
pub struct LandmarkMap {
    /// The kernel.
    pub kernel: ResolvedKernel,
    /// The landmarks.
    pub landmarks: Records,
    /// Their row numbers, where they are rows.
    pub rows: Option<Vec<usize>>,
    /// T with TTᵀ = K_mm⁺; `None` where it was put into what comes after the map.
    pub whitening: Option<Whitening>,
}

/// The standard deviation of the errors of kernel values in single precision, as measured on the landmarks.
fn single_noise(
    kernel: &ResolvedKernel,
    landmarks: &Records,
    gram: &Matrix<f64>,
    par: Par,
) -> Result<f64> {
    let m = landmarks.len();
    let bound = kernel.bind(landmarks)?;
    let mut single = Matrix::<f32>::zeros(m, m);
    let all = || Rows::Range(0..m);
    bound.tile(all(), all(), TileMut::F32(single.as_mut()), par);
    let pairs = single.as_slice().iter().zip(gram.as_slice());
    let squares: f64 = pairs.map(|(s, d)| (f64::from(*s) - d).powi(2)).sum();
    Ok(squares.sqrt() / m as f64)
}

impl LandmarkMap {
    /// Decomposes the kernel matrix of landmarks, for kernel values of new rows in a precision.
    ///
    /// Time m³ and memory m² for m landmarks. To be called inside of [`FitContext::install`].
    ///
    /// # Errors
    /// Rows that the kernel cannot compare, cancellation and the time limit.
    pub fn try_new(
        kernel: ResolvedKernel,
        landmarks: Landmarks,
        precision: Precision,
        context: &FitContext,
    ) -> Result<Self> {
        let gram = kernel.gram_within(&landmarks.records, context.par(), context)?;
        Self::decomposed(kernel, landmarks, &gram, precision, context)
    }

    /// The same for sums over rows, which take any root of K_mm⁺: a triangular one where K_mm is far from singular.
    ///
    /// # Errors
    /// As [`LandmarkMap::try_new`].
    pub(crate) fn for_sums(
        kernel: ResolvedKernel,
        landmarks: Landmarks,
        context: &FitContext,
    ) -> Result<Self> {
        let gram = kernel.gram_within(&landmarks.records, context.par(), context)?;
        let Some(whitening) = Whitening::triangular(&gram, context.par()) else {
            return Self::decomposed(kernel, landmarks, &gram, Precision::F64, context);
        };
        Ok(Self {
            kernel,
            landmarks: landmarks.records,
            rows: landmarks.rows,
            whitening: Some(whitening),
        })
    }

    fn decomposed(
        kernel: ResolvedKernel,
        landmarks: Landmarks,
        gram: &Matrix<f64>,
        precision: Precision,
        context: &FitContext,
    ) -> Result<Self> {
        let noise = match precision {
            Precision::F64 => 0.0,
            Precision::F32 => single_noise(&kernel, &landmarks.records, gram, context.par())?,
        };
        let whitening = Whitening::of(gram, noise, context.par())?;
        if whitening.rank == 0 {
            return Err(Error::rows(
                "the kernel is 0 on all landmarks",
                "give rows that the kernel tells from nothing, or another kernel",
            ));
        }
        Ok(Self {
            kernel,
            landmarks: landmarks.records,
            rows: landmarks.rows,
            whitening: Some(whitening),
        })
    }

    /// Returns the number of landmarks.
    pub fn width(&self) -> usize {
        self.landmarks.len()
    }

    /// Returns what the landmarks leave of rows: k(x, x) − k_m(x)ᵀ K_mm⁺ k_m(x), nowhere negative.
    ///
    /// # Errors
    /// Rows that the kernel cannot compare, cancellation.
    pub fn residuals(&self, records: &Records, context: &FitContext) -> Result<Vec<f64>> {
        let map = super::super::FeatureMap::Landmarks(self.clone());
        let bound = map.bind(Precision::F64)?;
        let mut diagonal = bound.diagonal(records)?;
        let features = bound.features(records, context)?;
        for (row, left) in diagonal.iter_mut().enumerate() {
            let own = features.row(row);
            *left = (*left - mercer_linalg::dot(own, own)).max(0.0);
        }
        Ok(diagonal)
    }

    /// Checks every rule that ties the fields together.
    ///
    /// # Errors
    /// [`Error::Model`] naming the broken rule.
    pub fn check(&self) -> Result<()> {
        let m = self.landmarks.len();
        if m == 0 {
            return Err(Error::model("there are no landmarks"));
        }
        if self.rows.as_ref().is_some_and(|rows| rows.len() != m) {
            return Err(Error::model("landmarks and their row numbers differ"));
        }
        if let Some(whitening) = &self.whitening {
            let shape = |t: &Matrix<f64>| (t.rows(), t.columns());
            let numbers = whitening.transform.as_slice();
            if shape(&whitening.transform) != (m, m) || numbers.iter().any(|v| !v.is_finite()) {
                return Err(Error::model(format!(
                    "the root of the kernel matrix of {m} landmarks is {:?}, or not finite",
                    shape(&whitening.transform)
                )));
            }
        }
        self.kernel.bind(&self.landmarks).map(|_| ())
    }
}
