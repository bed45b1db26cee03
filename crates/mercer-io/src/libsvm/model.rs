//! What a LIBSVM model file holds.

use mercer_linalg::{Csr, Matrix};

/// The problem a model was trained for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SvmType {
    /// Classification with C.
    CSvc,
    /// Classification with ν.
    NuSvc,
    /// Novelty detection.
    OneClass,
    /// Regression with a tube of width ε.
    EpsilonSvr,
    /// Regression with ν.
    NuSvr,
}

impl SvmType {
    /// All types with the names that files use and mercer's method of the same kind.
    pub(super) const ALL: [(&'static str, Self, &'static str); 5] = [
        ("c_svc", Self::CSvc, "svc"),
        ("nu_svc", Self::NuSvc, "nu_svc"),
        ("one_class", Self::OneClass, "one_class"),
        ("epsilon_svr", Self::EpsilonSvr, "svr"),
        ("nu_svr", Self::NuSvr, "nu_svr"),
    ];

    /// Returns the name that files use.
    pub fn name(self) -> &'static str {
        match self {
            Self::CSvc => "c_svc",
            Self::NuSvc => "nu_svc",
            Self::OneClass => "one_class",
            Self::EpsilonSvr => "epsilon_svr",
            Self::NuSvr => "nu_svr",
        }
    }

    /// Returns whether the model tells classes apart.
    pub fn is_classifier(self) -> bool {
        matches!(self, Self::CSvc | Self::NuSvc)
    }

    /// Returns whether the model predicts numbers.
    pub fn is_regressor(self) -> bool {
        matches!(self, Self::EpsilonSvr | Self::NuSvr)
    }
}

/// A kernel of LIBSVM.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum LibsvmKernel {
    /// ⟨x, z⟩.
    Linear,
    /// (gamma·⟨x, z⟩ + coef0)^degree.
    Polynomial {
        /// The degree.
        degree: u32,
        /// The factor of the dot product.
        gamma: f64,
        /// The constant added to it.
        coef0: f64,
    },
    /// exp(−gamma·‖x − z‖²).
    Rbf {
        /// The inverse squared width.
        gamma: f64,
    },
    /// tanh(gamma·⟨x, z⟩ + coef0).
    Sigmoid {
        /// The factor of the dot product.
        gamma: f64,
        /// The constant added to it.
        coef0: f64,
    },
    /// Values looked up in a given matrix.
    Precomputed,
}

impl LibsvmKernel {
    /// Returns the name that files use.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Linear => "linear",
            Self::Polynomial { .. } => "polynomial",
            Self::Rbf { .. } => "rbf",
            Self::Sigmoid { .. } => "sigmoid",
            Self::Precomputed => "precomputed",
        }
    }
}

/// The support vectors of a model.
#[derive(Debug, Clone, PartialEq)]
pub enum Support {
    /// Sparse vectors.
    Vectors {
        /// The values; column 0 holds the first index.
        points: Csr<f64>,
        /// Whether the first index of the file is 0 instead of 1.
        zero_based: bool,
    },
    /// For [`LibsvmKernel::Precomputed`]: numbers of training rows, counted from 1.
    Serials(Vec<u32>),
}

impl Support {
    /// Returns the number of support vectors.
    pub fn len(&self) -> usize {
        match self {
            Self::Vectors { points, .. } => points.rows(),
            Self::Serials(serials) => serials.len(),
        }
    }

    /// Returns whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// A LIBSVM model.
///
/// Decision values are Σ coefficient·k(support vector, x) − rho. With k classes there is one
/// for every pair (0,1), (0,2), …, (1,2), … of the labels, and a positive value speaks for
/// the first of the pair.
#[derive(Debug, Clone, PartialEq)]
pub struct LibsvmModel {
    /// The problem.
    pub svm_type: SvmType,
    /// The kernel.
    pub kernel: LibsvmKernel,
    /// The labels of a classifier; empty otherwise.
    pub labels: Vec<i32>,
    /// The number of support vectors of each class; they are sorted by class. Empty unless
    /// the model is a classifier.
    pub class_sizes: Vec<usize>,
    /// The threshold of each decision.
    pub rho: Vec<f64>,
    /// The slope of each decision's sigmoid, or the noise scale of a regression.
    pub prob_a: Option<Vec<f64>>,
    /// The offset of each decision's sigmoid.
    pub prob_b: Option<Vec<f64>>,
    /// Decision values at the marks of a one-class model's density (LIBSVM 3.3 and later).
    pub density_marks: Option<Vec<f64>>,
    /// k − 1 rows for k classes, one row otherwise; a column per support vector. For a
    /// vector of class a, row j is its coefficient against the j-th of the other classes.
    pub coefficients: Matrix<f64>,
    /// The support vectors.
    pub support: Support,
}

impl LibsvmModel {
    /// Returns the number of coefficients of each support vector.
    pub(super) fn height(&self) -> usize {
        if self.svm_type.is_classifier() {
            self.labels.len().saturating_sub(1)
        } else {
            1
        }
    }
}

/// Returns how many decisions tell `classes` classes apart.
pub(super) fn pair_count(classes: usize) -> Option<usize> {
    Some(classes.checked_mul(classes.checked_sub(1)?)? / 2)
}
