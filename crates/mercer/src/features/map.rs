//! Feature maps: rows as lists of numbers whose inner products are the kernel, exactly or nearly.
//!
//! A map is data ([`FeatureMap`]); bound ([`FeatureMap::bind`]) it writes features of rows. It writes *raw* features: φ itself for
//! random features, and k_m(x) for landmarks, where φ = k_m·T with TTᵀ = K_mm⁺ ([`FeatureMap::finish`]). Sums over rows are made
//! of raw features, in single precision, and T is applied once to the sums. A raw feature hangs on its row alone: neither
//! threads nor how rows are cut into blocks change a bit.

use std::ops::Range;

use mercer_linalg::{Matrix, MatrixMut, MatrixRef, Op, Par, Precision, Rows, gemm};

use super::fourier::{BoundFourier, FourierMap};
use super::landmarks::{LandmarkMap, Whitening};
use super::sketch::{BoundSketch, SketchMap};
use crate::data::Records;
use crate::fit::FitContext;
use crate::kernel::{BoundKernel, ResolvedKernel, TileMut};
use crate::{Error, Result};

/// A map from rows to features.
#[derive(Debug, Clone, PartialEq)]
pub enum FeatureMap {
    /// Random Fourier features.
    Fourier(FourierMap),
    /// Kernel values of landmarks.
    Landmarks(LandmarkMap),
    /// Sketches of a polynomial kernel.
    Sketch(SketchMap),
}

impl From<FourierMap> for FeatureMap {
    fn from(map: FourierMap) -> Self {
        Self::Fourier(map)
    }
}

impl From<LandmarkMap> for FeatureMap {
    fn from(map: LandmarkMap) -> Self {
        Self::Landmarks(map)
    }
}

impl From<SketchMap> for FeatureMap {
    fn from(map: SketchMap) -> Self {
        Self::Sketch(map)
    }
}

impl FeatureMap {
    /// Returns the number of features, raw or not.
    pub fn width(&self) -> usize {
        match self {
            Self::Fourier(map) => map.width(),
            Self::Landmarks(map) => map.width(),
            Self::Sketch(map) => map.width,
        }
    }

    /// Returns the kernel that inner products of features stand for.
    pub fn kernel(&self) -> &ResolvedKernel {
        match self {
            Self::Fourier(map) => &map.kernel,
            Self::Landmarks(map) => &map.kernel,
            Self::Sketch(map) => &map.kernel,
        }
    }

    /// Returns T with φ = raw·T; `None` where raw features are φ.
    pub fn finish(&self) -> Option<&Whitening> {
        match self {
            Self::Landmarks(map) => map.whitening.as_ref(),
            Self::Fourier(_) | Self::Sketch(_) => None,
        }
    }

    /// Checks every rule that ties the fields together.
    ///
    /// # Errors
    /// [`Error::Model`] naming the broken rule.
    pub fn check(&self) -> Result<()> {
        match self {
            Self::Fourier(map) => map.check(),
            Self::Landmarks(map) => map.check(),
            Self::Sketch(map) => map.check(),
        }
    }

    /// Prepares the map for rows, whose features will be written in this precision mostly.
    ///
    /// # Errors
    /// A kernel that cannot be bound to the landmarks.
    pub fn bind(&self, precision: Precision) -> Result<BoundMap> {
        let work = match self {
            Self::Fourier(map) => Work::Fourier(BoundFourier::new(map, precision)),
            Self::Landmarks(map) => Work::Landmarks(map.kernel.bind(&map.landmarks)?),
            Self::Sketch(map) => Work::Sketch(BoundSketch::new(map)),
        };
        Ok(BoundMap {
            work,
            width: self.width(),
            transform: self.finish().map(|whitening| whitening.transform.clone()),
            constant: match self {
                Self::Fourier(map) => {
                    let pairs = map.offsets.is_none();
                    pairs.then(|| map.amplitude.powi(2) * map.count() as f64)
                }
                Self::Landmarks(_) | Self::Sketch(_) => None,
            },
        })
    }
}

/// A map that is ready for rows; it owns all it needs and serves many threads at once.
pub struct BoundMap {
    work: Work,
    width: usize,
    transform: Option<Matrix<f64>>,
    /// k(x, x), where it is the same for all rows.
    constant: Option<f64>,
}

#[expect(
    clippy::large_enum_variant,
    reason = "a map is held once; a box would cost every reader a step"
)]
enum Work {
    Fourier(BoundFourier),
    Landmarks(Box<dyn BoundKernel>),
    Sketch(BoundSketch),
}

impl std::fmt::Debug for BoundMap {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("BoundMap")
            .field("width", &self.width)
            .finish_non_exhaustive()
    }
}

/// Rows whose features are computed at a time: a few megabytes of a thousand features.
const BLOCK: usize = 384;

impl BoundMap {
    /// Returns the number of features.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Bounds the error of a raw feature in single precision, relative to the largest k(x, x).
    pub fn rounding_error(&self) -> f64 {
        match &self.work {
            Work::Landmarks(kernel) => kernel.rounding_error(),
            Work::Fourier(_) | Work::Sketch(_) => f64::from(f32::EPSILON),
        }
    }

    /// Writes the raw features of a run of rows in single precision, row after row.
    ///
    /// # Errors
    /// Rows of another shape.
    ///
    /// # Panics
    /// When `out` has not [`BoundMap::width`] places for every row.
    pub fn fill(
        &self,
        rows: &Records,
        range: Range<usize>,
        out: &mut [f32],
        par: Par,
    ) -> Result<()> {
        assert_eq!(out.len(), range.len() * self.width, "features of the rows");
        match &self.work {
            Work::Fourier(map) => map.fill(&rows.features.points, range, out, par),
            Work::Sketch(map) => map.fill(&rows.features.points, range, out, par),
            Work::Landmarks(kernel) => {
                let out = MatrixMut::from_slice(range.len(), self.width, out);
                self.kernel_values(kernel.as_ref(), rows, range, TileMut::F32(out), par)
            }
        }
    }

    /// Writes the raw features of a run of rows in double precision, row after row.
    ///
    /// # Errors
    /// Rows of another shape.
    ///
    /// # Panics
    /// When `out` has not [`BoundMap::width`] places for every row.
    pub fn fill_double(
        &self,
        rows: &Records,
        range: Range<usize>,
        out: &mut [f64],
        par: Par,
    ) -> Result<()> {
        assert_eq!(out.len(), range.len() * self.width, "features of the rows");
        match &self.work {
            Work::Fourier(map) => map.fill(&rows.features.points, range, out, par),
            Work::Sketch(map) => map.fill(&rows.features.points, range, out, par),
            Work::Landmarks(kernel) => {
                let out = MatrixMut::from_slice(range.len(), self.width, out);
                self.kernel_values(kernel.as_ref(), rows, range, TileMut::F64(out), par)
            }
        }
    }

    fn kernel_values(
        &self,
        kernel: &dyn BoundKernel,
        rows: &Records,
        range: Range<usize>,
        out: TileMut<'_>,
        par: Par,
    ) -> Result<()> {
        let count = range.len();
        let query = if count == rows.len() {
            kernel.query(rows)?
        } else {
            kernel.query(&rows.slice(range))?
        };
        let (rows, columns) = (Rows::Range(0..count), Rows::Range(0..self.width));
        query.tile(rows, columns, out, par);
        Ok(())
    }

    /// Returns φ of rows in double precision. To be called inside of [`FitContext::install`].
    ///
    /// # Errors
    /// Rows of another shape, cancellation and the time limit.
    pub fn features(&self, rows: &Records, context: &FitContext) -> Result<Matrix<f64>> {
        self.features_while(rows, Precision::F64, context.par(), &|| context.check())
    }

    /// Returns φ of rows, from raw features of a precision, as long as nobody objects.
    pub(crate) fn features_while(
        &self,
        rows: &Records,
        precision: Precision,
        par: Par,
        check: &dyn Fn() -> Result<()>,
    ) -> Result<Matrix<f64>> {
        let width = self.width;
        let mut out = Matrix::zeros(rows.len(), width);
        let mut single = Vec::new();
        let mut raw = Vec::new();
        for start in (0..rows.len()).step_by(BLOCK) {
            check()?;
            let range = start..(start + BLOCK).min(rows.len());
            let count = range.len();
            let place = &mut out.as_mut_slice()[start * width..range.end * width];
            raw.resize(count * width, 0.0);
            match precision {
                Precision::F64 => self.fill_double(rows, range, &mut raw, par)?,
                Precision::F32 => {
                    single.resize(count * width, 0.0);
                    self.fill(rows, range, &mut single, par)?;
                    for (to, from) in raw.iter_mut().zip(&single) {
                        *to = f64::from(*from);
                    }
                }
            }
            let Some(transform) = &self.transform else {
                place.copy_from_slice(&raw);
                continue;
            };
            gemm(
                1.0,
                MatrixRef::from_slice(count, width, &raw),
                Op::None,
                transform.as_ref(),
                Op::None,
                0.0,
                MatrixMut::from_slice(count, width, place),
                par,
            );
        }
        Ok(out)
    }

    /// Returns k(x, x) of rows; for sketches and offsets ‖φ(x)‖² in its place.
    ///
    /// # Errors
    /// Rows of another shape.
    pub fn diagonal(&self, rows: &Records) -> Result<Vec<f64>> {
        let mut out = vec![0.0; rows.len()];
        match (&self.work, self.constant) {
            (Work::Landmarks(kernel), _) => {
                kernel.query(rows)?.diagonal(Precision::F64, &mut out);
            }
            (_, Some(constant)) => out.fill(constant),
            _ => {
                let features = self.features(rows, &FitContext::default().threads(1))?;
                for (row, out) in out.iter_mut().enumerate() {
                    *out = mercer_linalg::dot(features.row(row), features.row(row));
                }
            }
        }
        Ok(out)
    }
}

/// How far inner products of features are from the kernel, on pairs of some rows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FeatureError {
    /// Largest |k̂ − k|.
    pub largest: f64,
    /// Root of the mean square of k̂ − k.
    pub root_mean_square: f64,
    /// Rows whose pairs were compared.
    pub rows: usize,
}

impl FeatureMap {
    /// Compares the features of some rows, evenly spaced, with the kernel. To be called inside of [`FitContext::install`].
    ///
    /// # Errors
    /// Rows of another shape, cancellation and the time limit.
    pub fn measured_error(&self, rows: &Records, context: &FitContext) -> Result<FeatureError> {
        /// Some five thousand pairs: kernels of texts and graphs may take a millisecond each.
        const SOME: usize = 100;
        let count = rows.len().min(SOME);
        if count == 0 {
            return Err(Error::rows("there are no rows to compare", "give rows"));
        }
        let places: Vec<usize> = (0..count).map(|k| k * rows.len() / count).collect();
        let some = rows.select(&places);
        let exact = self.kernel().gram_within(&some, context.par(), context)?;
        let features = self.bind(Precision::F64)?.features(&some, context)?;
        let (mut largest, mut squares) = (0.0_f64, 0.0);
        for i in 0..count {
            for j in 0..count {
                let off = mercer_linalg::dot(features.row(i), features.row(j)) - exact[(i, j)];
                largest = largest.max(off.abs());
                squares += off * off;
            }
        }
        Ok(FeatureError {
            largest,
            root_mean_square: (squares / (count * count) as f64).sqrt(),
            rows: count,
        })
    }
}
