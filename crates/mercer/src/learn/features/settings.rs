//! The parameters of the methods on explicit features, and the maps they ask for.

use mercer_linalg::Precision;
use serde::{Deserialize, Serialize};

use super::{FeatureLoss, FeaturePenalty};
use crate::data::Records;
use crate::features::{
    FeatureMap, FourierMap, FrequencyDraw, LandmarkMap, LandmarkRule, Landmarks, SketchMap,
};
use crate::fit::{FitContext, Note, StopReason};
use crate::kernel::{KernelSpec, ResolvedKernel};
use crate::learn::Settings;
use crate::{Error, Result};

/// Features where their number is left open, as far as there are rows.
pub(super) const USUAL: usize = 1000;

/// Nyström features: φ(x) = K_mm^−½ k_m(x), k_m(x) the kernel values of a row with m landmarks.
///
/// ⟨φ(x), φ(z)⟩ is the kernel of what the landmarks span. Use it where a kernel matrix of all rows is too large, with any
/// kernel: on numbers, texts, graphs. Landmarks are chosen by what those before leave (`pivoted`), at random, or as centres of
/// clusters. Time n·m kernel values and m³; memory m². Weights mean copies.
///
/// # Examples
/// ```
/// use mercer::data::{Dataset, Records, Targets};
/// use mercer::fit::FitContext;
/// use mercer::kernel::KernelSpec;
/// use mercer::learn::Estimator;
/// use mercer::learn::features::Nystroem;
/// use mercer_linalg::Matrix;
///
/// let x = Matrix::from_vec(4, 1, vec![0.0, 1.0, 2.0, 3.0]);
/// let data = Dataset::try_new(Records::from_points(x), Targets::None)?;
/// let map = Nystroem::default().kernel(KernelSpec::rbf(0.5)).components(Some(2));
/// let fitted = map.fit(&data, &FitContext::default())?;
/// assert_eq!(fitted.model.width(), 2);
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// # References
/// Williams and Seeger, Using the Nyström method to speed up kernel machines, 2001; Drineas and Mahoney, On the Nyström method for
/// approximating a Gram matrix, 2005; Chen, Epperly, Tropp and Webber, Randomly pivoted Cholesky, 2024.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, mercer_derive::Settings)]
pub struct Nystroem {
    /// Kernel expression.
    #[setting(kernel)]
    pub kernel: KernelSpec,
    /// Number of landmarks; 1000, or as many as rows, where it is left open.
    #[serde(default)]
    #[setting(count, python = "n_components")]
    pub components: Option<usize>,
    /// How landmarks are chosen.
    #[serde(default)]
    #[setting(words("pivoted", "uniform", "squared_diagonal", "kmeans"))]
    pub landmarks: LandmarkRule,
    /// What errors cost where there is a target; losses other than the squared one are for classes, and walk over the rows once
    /// for every step.
    #[serde(default)]
    #[setting(words("squared", "logistic", "squared_hinge"))]
    pub loss: FeatureLoss,
    /// λ, or how it is found, where there is a target.
    #[serde(default)]
    #[setting(group)]
    pub penalty: FeaturePenalty,
}

impl Default for Nystroem {
    fn default() -> Self {
        Self {
            kernel: KernelSpec::rbf_auto(),
            components: None,
            landmarks: LandmarkRule::Pivoted,
            loss: FeatureLoss::Squared,
            penalty: FeaturePenalty::default(),
        }
    }
}

/// Random features: φ(x) = D^−½ (cos ⟨w_j, x⟩, sin ⟨w_j, x⟩) with frequencies w_j of the kernel's spectral law.
///
/// ⟨φ(x), φ(z)⟩ has the kernel as its mean. Use it for very many rows of few columns under the kernels `rbf`,
/// `laplace` and `matern`, and, as count sketches, `poly`; other kernels have landmarks ([`Nystroem`]). A row takes time d·D,
/// with structured frequencies D log d. Weights have no say.
///
/// # Examples
/// ```
/// use mercer::data::{Dataset, Records, Targets};
/// use mercer::fit::FitContext;
/// use mercer::kernel::KernelSpec;
/// use mercer::learn::Estimator;
/// use mercer::learn::features::RandomFeatures;
/// use mercer_linalg::Matrix;
///
/// let x = Matrix::from_vec(4, 1, vec![0.0, 1.0, 2.0, 3.0]);
/// let data = Dataset::try_new(Records::from_points(x), Targets::None)?;
/// let map = RandomFeatures::default().kernel(KernelSpec::rbf(0.5)).components(Some(100));
/// let fitted = map.fit(&data, &FitContext::default())?;
/// assert_eq!(fitted.model.width(), 100);
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// # References
/// Rahimi and Recht, Random features for large-scale kernel machines, 2007; Yu et al., Orthogonal random features, 2016; Pham
/// and Pagh, Fast and scalable polynomial kernels via explicit feature maps, 2013.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, mercer_derive::Settings)]
pub struct RandomFeatures {
    /// Kernel expression.
    #[setting(kernel)]
    pub kernel: KernelSpec,
    /// Number of features, a cosine and a sine for every frequency; 1000, or as many as rows, where it is left
    /// open.
    #[serde(default)]
    #[setting(count, python = "n_components")]
    pub components: Option<usize>,
    /// How frequencies are drawn.
    #[serde(default)]
    #[setting(words("orthogonal", "independent", "structured", "quasi"))]
    pub frequencies: FrequencyDraw,
    /// What errors cost where there is a target; losses other than the squared one are for classes, and walk over the rows once
    /// for every step.
    #[serde(default)]
    #[setting(words("squared", "logistic", "squared_hinge"))]
    pub loss: FeatureLoss,
    /// λ, or how it is found, where there is a target.
    #[serde(default)]
    #[setting(group)]
    pub penalty: FeaturePenalty,
}

impl Default for RandomFeatures {
    fn default() -> Self {
        Self {
            kernel: KernelSpec::rbf_auto(),
            components: None,
            frequencies: FrequencyDraw::Orthogonal,
            loss: FeatureLoss::Squared,
            penalty: FeaturePenalty::default(),
        }
    }
}

/// A map that was made for rows, and how that went.
#[derive(Debug, Clone, PartialEq)]
pub struct MadeMap {
    /// The map.
    pub map: FeatureMap,
    /// Choices made and reasons for care.
    pub notes: Vec<Note>,
    /// The time limit, where it left landmarks out.
    pub stop_reason: StopReason,
    /// Kernel values that were computed.
    pub evaluations: u64,
}

/// Number of features for so many rows, where none is asked for.
fn usual(asked: Option<usize>, rows: usize, notes: &mut Vec<Note>) -> usize {
    asked.unwrap_or_else(|| {
        let count = USUAL.min(rows).max(1);
        notes.push(Note::Choice(format!(
            "{count} features: the default, {USUAL} or the number of rows"
        )));
        count
    })
}

impl Nystroem {
    /// Chooses landmarks for rows, for features that will be computed in a precision. To be called inside of
    /// [`FitContext::install`].
    ///
    /// # Errors
    /// Every bad setting at once; rows that the kernel cannot compare; cancellation and the time limit.
    pub fn map(
        &self,
        records: &Records,
        weights: Option<&[f64]>,
        precision: Precision,
        context: &FitContext,
    ) -> Result<MadeMap> {
        self.map_in(records, weights, Some(precision), context)
    }

    /// Chooses landmarks for sums over rows, which do not ask for the symmetric root. To be called inside of
    /// [`FitContext::install`].
    pub(super) fn map_for_sums(
        &self,
        records: &Records,
        weights: Option<&[f64]>,
        context: &FitContext,
    ) -> Result<MadeMap> {
        self.map_in(records, weights, None, context)
    }

    fn map_in(
        &self,
        records: &Records,
        weights: Option<&[f64]>,
        precision: Option<Precision>,
        context: &FitContext,
    ) -> Result<MadeMap> {
        let mut errors = Vec::new();
        self.check(&mut errors);
        Error::collect(errors)?;
        let (kernel, mut notes) = self.resolved(records, weights)?;
        let count = usual(self.components, records.len(), &mut notes);
        let found = self
            .landmarks
            .choose(&kernel, records, weights, count, context)?;
        made(kernel, found, notes, precision, context)
    }

    /// Takes landmarks that are given; the rows choose open parameters of the kernel. To be called inside of
    /// [`FitContext::install`].
    ///
    /// # Errors
    /// Every bad setting at once; rows that the kernel cannot compare; cancellation and the time limit.
    pub fn map_at(
        &self,
        records: &Records,
        weights: Option<&[f64]>,
        landmarks: Landmarks,
        precision: Precision,
        context: &FitContext,
    ) -> Result<MadeMap> {
        let mut errors = Vec::new();
        self.check(&mut errors);
        Error::collect(errors)?;
        let (kernel, notes) = self.resolved(records, weights)?;
        made(kernel, landmarks, notes, Some(precision), context)
    }

    fn resolved(
        &self,
        records: &Records,
        weights: Option<&[f64]>,
    ) -> Result<(ResolvedKernel, Vec<Note>)> {
        let (kernel, mut notes) = self.kernel.resolve(records, weights)?;
        if !kernel.spec().is_definite() {
            notes.push(Note::Alert(format!(
                "`{kernel}` is not positive semidefinite in general: directions of negative eigenvalues are left out"
            )));
        }
        Ok((kernel, notes))
    }
}

/// Decomposes the kernel matrix of landmarks and tells of its rank; `None` is for sums over rows.
fn made(
    kernel: ResolvedKernel,
    found: Landmarks,
    mut notes: Vec<Note>,
    precision: Option<Precision>,
    context: &FitContext,
) -> Result<MadeMap> {
    notes.extend(found.notes.iter().cloned());
    let (stop_reason, evaluations) = (found.stop_reason, found.evaluations);
    let map = match precision {
        Some(precision) => LandmarkMap::try_new(kernel, found, precision, context)?,
        None => LandmarkMap::for_sums(kernel, found, context)?,
    };
    let m = map.width();
    if let Some(whitening) = map.whitening.as_ref().filter(|w| w.rank < m) {
        notes.push(Note::Choice(format!(
            "the kernel matrix of the {m} landmarks has rank {}: its other eigenvalues are rounding, below {:.1e} of the largest",
            whitening.rank,
            whitening.floor / whitening.largest
        )));
    }
    Ok(MadeMap {
        map: map.into(),
        notes,
        stop_reason,
        evaluations: evaluations + (m as u64).pow(2),
    })
}

impl RandomFeatures {
    /// Draws frequencies or sketches for rows. To be called inside of [`FitContext::install`].
    ///
    /// # Errors
    /// Every bad setting at once; a kernel without a known spectral law; rows that the kernel cannot compare.
    pub fn map(
        &self,
        records: &Records,
        weights: Option<&[f64]>,
        context: &FitContext,
    ) -> Result<MadeMap> {
        let mut errors = Vec::new();
        self.check(&mut errors);
        Error::collect(errors)?;
        let (kernel, mut notes) = self.kernel.resolve(records, weights)?;
        let asked = usual(self.components, records.len(), &mut notes);
        let features = &records.features;
        let map: FeatureMap = if SketchMap::takes(kernel.spec()) {
            SketchMap::draw(&kernel, features, asked, context.seed)?.into()
        } else {
            let pairs = asked.div_ceil(2);
            FourierMap::draw(&kernel, features, pairs, self.frequencies, context.seed)?.into()
        };
        if map.width() != asked {
            let why = match &map {
                FeatureMap::Sketch(_) => "a sketch has a power of two",
                _ => "cosines and sines come in pairs",
            };
            notes.push(Note::Choice(format!(
                "{} features instead of {asked}: {why}",
                map.width()
            )));
        }
        Ok(MadeMap {
            map,
            notes,
            stop_reason: StopReason::Converged,
            evaluations: 0,
        })
    }
}
