//! The parameters of the neighbours.

use serde::{Deserialize, Serialize};

use crate::kernel::KernelSpec;
use crate::learn::Settings;
use crate::model::Votes;
use crate::solver::neighbours::{DistanceMetric, IndexChoice, Scaling};
use crate::{Error, Result};

/// What rows are compared by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Distance {
    /// √Σ (x − z)².
    #[default]
    Euclidean,
    /// Σ |x − z|.
    Manhattan,
    /// max |x − z|.
    Chebyshev,
    /// (Σ |x − z|ᵖ)^(1/p).
    Minkowski,
    /// 1 minus the cosine of the angle.
    Cosine,
}

impl Distance {
    pub(super) fn metric(self, exponent: f64) -> DistanceMetric {
        match self {
            Self::Euclidean => DistanceMetric::Euclidean,
            Self::Manhattan => DistanceMetric::Manhattan,
            Self::Chebyshev => DistanceMetric::Chebyshev,
            Self::Minkowski => DistanceMetric::of_exponent(exponent),
            Self::Cosine => DistanceMetric::Cosine,
        }
    }
}

/// The k nearest rows vote (IBk): classes by their shares, numbers by their mean.
///
/// Use it where near rows behave alike and columns are few, or their weights are learnt; it needs no
/// training, and rows come and go without another fit ([`crate::model::NeighbourModel::add`],
/// [`crate::model::NeighbourModel::remove`]). Prediction compares a row with all n others in time n d,
/// or with few of them by a tree where columns are few. Memory is the rows.
///
/// Columns are compared as they are: categories differ by 0 or 1, a missing category differs from
/// everything, and a missing number is as far away as the training rows allow. With a kernel other
/// than `linear` the distance is √(k(x,x) − 2k(x,z) + k(z,z)) instead; texts and graphs have neighbours then, too, and numbers are
/// not scaled. Of rows at one distance the first is the nearer; classes with equally many votes go to the first.
///
/// # Examples
/// ```
/// use mercer::data::{ClassTargets, Dataset, Records, Targets};
/// use mercer::fit::FitContext;
/// use mercer::learn::Estimator;
/// use mercer::learn::neighbours::Knn;
/// use mercer::model::{Answers, Form};
/// use mercer_linalg::Matrix;
///
/// let x = Matrix::from_vec(4, 1, vec![0.0, 1.0, 4.0, 5.0]);
/// let y = ClassTargets::from_labels(&["low", "low", "high", "high"]);
/// let data = Dataset::try_new(Records::from_points(x), Targets::Classes(y))?;
/// let context = FitContext::default();
/// let model = Form::from(Knn::default().neighbours(3).fit(&data, &context)?.model);
/// let new = Records::from_points(Matrix::from_vec(1, 1, vec![3.5]));
/// let Answers::Classes { labels, codes, .. } = model.predict(&new, &context)?.answers else {
///     unreachable!("the targets are classes");
/// };
/// assert_eq!(labels[codes[0] as usize], "high");
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// # References
/// Cover and Hart, Nearest neighbor pattern classification, 1967; Aha, Kibler and Albert,
/// Instance-based learning algorithms, 1991; Wilson and Martinez, Improved heterogeneous distance
/// functions, 1997.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, mercer_derive::Settings)]
pub struct Knn {
    /// How many neighbours vote; odd for two classes, which cannot tie then.
    #[setting(count, python = "n_neighbors", search(larger, Linear(1.0, 15.0, 8)))]
    pub neighbours: usize,
    /// How neighbours vote: all alike, or by the inverse of their distance.
    #[setting(words("uniform", "distance"), python = "weights")]
    pub votes: Votes,
    /// How numbers are brought to a common size before they are compared.
    #[setting(words("none", "range", "standard", "whiten"))]
    pub scaling: Scaling,
    /// The distance of two rows.
    #[setting(
        words("euclidean", "manhattan", "chebyshev", "minkowski", "cosine"),
        python = "metric"
    )]
    pub distance: Distance,
    /// The exponent of the distance `minkowski`.
    #[setting(positive, python = "p")]
    pub exponent: f64,
    /// Kernel expression whose distance is meant; `linear` is the distance of columns.
    #[setting(kernel)]
    pub kernel: KernelSpec,
    /// Give columns weights that lower the leave-one-out error.
    #[setting(switch)]
    pub column_weights: bool,
    /// How neighbours are looked for; what is found is the same.
    #[setting(words("auto", "tree", "brute"), python = "algorithm")]
    pub index: IndexChoice,
}

impl Default for Knn {
    fn default() -> Self {
        Self {
            neighbours: 5,
            votes: Votes::Uniform,
            scaling: Scaling::Range,
            distance: Distance::Euclidean,
            exponent: 2.0,
            kernel: KernelSpec::linear(),
            column_weights: false,
            index: IndexChoice::Auto,
        }
    }
}

impl Knn {
    /// Whether rows are compared in the space of a kernel.
    pub(super) fn has_kernel(&self) -> bool {
        self.kernel != KernelSpec::linear()
    }

    pub(super) fn check_all(&self) -> Result<()> {
        let mut errors = Vec::new();
        self.check(&mut errors);
        let conflict = |what: String, cure: &str| Error::Conflict {
            what,
            cure: cure.into(),
        };
        if self.has_kernel() {
            let kernel = &self.kernel;
            if self.distance != Distance::Euclidean {
                errors.push(conflict(
                    format!("the kernel `{kernel}` has a distance of its own"),
                    "leave out the kernel, or the distance",
                ));
            }
            if matches!(self.scaling, Scaling::Standard | Scaling::Whiten) {
                errors.push(conflict(
                    format!("numbers are not scaled under the kernel `{kernel}`"),
                    "standardise the columns when they are encoded, or leave out the kernel",
                ));
            }
            if self.column_weights {
                errors.push(conflict(
                    format!("the kernel `{kernel}` has no weights of columns"),
                    "leave out the kernel, or the weights",
                ));
            }
            if self.index == IndexChoice::Tree {
                errors.push(conflict(
                    format!("a tree has no place for the kernel `{kernel}`"),
                    "let all rows be looked at",
                ));
            }
        }
        let has_terms = self.distance.metric(self.exponent).exponent().is_some();
        if self.column_weights && (!has_terms || self.scaling == Scaling::Whiten) {
            errors.push(conflict(
                "weights of columns need a distance that adds columns up".to_owned(),
                "use the euclidean or the manhattan distance, without whitening",
            ));
        }
        Error::collect(errors)
    }
}

/// The nearest row decides (IB1).
///
/// Use it as the simplest of all neighbours; its error on many rows is at most twice the least that
/// any method can have. Columns are compared as in [`Knn`].
///
/// # Examples
/// ```
/// use mercer::data::{ClassTargets, Dataset, Records, Targets};
/// use mercer::fit::FitContext;
/// use mercer::learn::Estimator;
/// use mercer::learn::neighbours::Ib1;
/// use mercer_linalg::Matrix;
///
/// let x = Matrix::from_vec(2, 1, vec![0.0, 1.0]);
/// let y = ClassTargets::from_labels(&["a", "b"]);
/// let data = Dataset::try_new(Records::from_points(x), Targets::Classes(y))?;
/// let fitted = Ib1::default().fit(&data, &FitContext::default())?;
/// assert_eq!(fitted.model.neighbours, 1);
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// # References
/// Aha, Kibler and Albert, Instance-based learning algorithms, 1991.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, mercer_derive::Settings)]
pub struct Ib1 {
    /// How numbers are brought to a common size before they are compared.
    #[setting(words("none", "range", "standard", "whiten"))]
    pub scaling: Scaling,
    /// The distance of two rows.
    #[setting(
        words("euclidean", "manhattan", "chebyshev", "cosine"),
        python = "metric"
    )]
    pub distance: Distance,
}

/// The nearest of the rows that were misclassified when they came (IB2).
///
/// Rows are visited in the order in which they are given; a row is kept where the nearest of those
/// kept before is of another class. Use it where memory counts and labels can be trusted: rows with wrong
/// labels are misclassified, and so they are kept. It takes time n m d for m rows that are kept.
///
/// # Examples
/// ```
/// use mercer::data::{ClassTargets, Dataset, Records, Targets};
/// use mercer::fit::FitContext;
/// use mercer::learn::Estimator;
/// use mercer::learn::neighbours::Ib2;
/// use mercer_linalg::Matrix;
///
/// let x = Matrix::from_vec(4, 1, vec![0.0, 1.0, 4.0, 3.0]);
/// let y = ClassTargets::from_labels(&["a", "a", "b", "b"]);
/// let data = Dataset::try_new(Records::from_points(x), Targets::Classes(y))?;
/// let fitted = Ib2::default().fit(&data, &FitContext::default())?;
/// assert_eq!(fitted.model.rows.ids, [0, 2]);
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// # References
/// Aha, Kibler and Albert, Instance-based learning algorithms, 1991.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, mercer_derive::Settings)]
pub struct Ib2 {
    /// How numbers are brought to a common size before they are compared.
    #[setting(words("none", "range", "standard", "whiten"))]
    pub scaling: Scaling,
    /// The distance of two rows.
    #[setting(
        words("euclidean", "manhattan", "chebyshev", "cosine"),
        python = "metric"
    )]
    pub distance: Distance,
}

/// The learner that memorises: the class of an equal row, and "don't know" elsewhere.
///
/// Its error on the training rows is that of contradictory rows alone, and it has learnt nothing: a
/// baseline that others are held against.
///
/// # Examples
/// ```
/// use mercer::data::{ClassTargets, Dataset, Records, Targets};
/// use mercer::fit::FitContext;
/// use mercer::learn::Estimator;
/// use mercer::learn::neighbours::Memorise;
/// use mercer::model::{Answers, Form};
/// use mercer_linalg::Matrix;
///
/// let x = Matrix::from_vec(2, 1, vec![0.0, 1.0]);
/// let y = ClassTargets::from_labels(&["a", "b"]);
/// let data = Dataset::try_new(Records::from_points(x), Targets::Classes(y))?;
/// let context = FitContext::default();
/// let model = Form::from(Memorise::default().fit(&data, &context)?.model);
/// let asked = Records::from_points(Matrix::from_vec(2, 1, vec![0.0, 2.0]));
/// let Answers::Classes { labels, codes, .. } = model.predict(&asked, &context)?.answers else {
///     unreachable!("the targets are classes");
/// };
/// assert_eq!(labels[codes[0] as usize], "a");
/// assert_eq!(labels[codes[1] as usize], "don't know");
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// # References
/// Mitchell, Machine learning, 1997, section 2.7.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, mercer_derive::Settings)]
pub struct Memorise {
    /// Whether rows without an equal one are predicted as "don't know"; otherwise with the most
    /// frequent class.
    #[setting(switch, off = "guess")]
    pub abstain: bool,
}

impl Default for Memorise {
    fn default() -> Self {
        Self { abstain: true }
    }
}
