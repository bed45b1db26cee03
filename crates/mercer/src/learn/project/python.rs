//! The Python classes of projections.

use crate::data::Task;
use crate::learn::{Parameter, PythonClass};

const RANDOM: Parameter = Parameter {
    name: "random_state",
    kind: "int or RandomState instance",
    annotation: "Any",
    constraint: "[\"random_state\"]",
    doc: "What first columns or directions are drawn with.",
};

const POWER: Parameter = Parameter {
    name: "iterated_power",
    kind: "int or \"auto\"",
    annotation: "int | Literal[\"auto\"]",
    constraint: "[StrOptions({\"auto\"}), WHOLE]",
    doc: "Accepted for compatibility; products go on until residuals are small.",
};

pub(super) static PCA: &[PythonClass] = &[PythonClass {
    name: "PCA",
    task: Task::Embed,
    base: "_project.AxesProjector",
    about: "Principal component analysis, with scikit-learn's names and meanings.\n\n\
            Finds the axes of largest variance. What is fastest for the shape of the rows is chosen: products of \
            columns, products of rows, singular values where digits would be lost, or blocks of random \
            columns for a few axes of many rows and columns, until residuals are small.",
    signature: "n_components=None, *, copy=True, whiten=False, svd_solver=\"auto\", tol=0.0, \
                iterated_power=\"auto\", n_oversamples=10, power_iteration_normalizer=\"auto\", \
                random_state=None",
    parameters: &[
        Parameter {
            name: "n_components",
            kind: "int, float, \"mle\" or None",
            annotation: "float | Literal[\"mle\"] | None",
            constraint: "[WHOLE, FRACTION, StrOptions({\"mle\"}), None]",
            doc: "Number of axes; a share of the variance that is to be explained; ``\"mle\"`` for the number of \
                  largest evidence (Minka); all where it is ``None``.",
        },
        Parameter {
            name: "copy",
            kind: "bool",
            annotation: "bool",
            constraint: "[\"boolean\"]",
            doc: "Accepted for compatibility; rows are never written to.",
        },
        Parameter {
            name: "whiten",
            kind: "bool",
            annotation: "bool",
            constraint: "[\"boolean\"]",
            doc: "Whether all coordinates are brought to variance 1.",
        },
        Parameter {
            name: "svd_solver",
            kind: "{\"auto\", \"full\", \"covariance_eigh\", \"arpack\", \"randomized\"}",
            annotation: "Literal[\"auto\", \"full\", \"covariance_eigh\", \"arpack\", \"randomized\"]",
            constraint: "[StrOptions({\"auto\", \"full\", \"covariance_eigh\", \"arpack\", \"randomized\"})]",
            doc: "``\"full\"`` and ``\"covariance_eigh\"`` find all axes at once, ``\"arpack\"`` and \
                  ``\"randomized\"`` the first ones by products with blocks of columns.",
        },
        Parameter {
            name: "tol",
            kind: "float",
            annotation: "float",
            constraint: "[NOT_NEGATIVE]",
            doc: "Accepted for compatibility; residuals are brought to 1e-7 of the largest variance.",
        },
        POWER,
        Parameter {
            name: "n_oversamples",
            kind: "int",
            annotation: "int",
            constraint: "[COUNT]",
            doc: "Accepted for compatibility; blocks have 10 columns more than axes.",
        },
        Parameter {
            name: "power_iteration_normalizer",
            kind: "{\"auto\", \"QR\", \"LU\", \"none\"}",
            annotation: "Literal[\"auto\", \"QR\", \"LU\", \"none\"]",
            constraint: "[StrOptions({\"auto\", \"QR\", \"LU\", \"none\"})]",
            doc: "Accepted for compatibility; columns are made orthonormal in every round.",
        },
        RANDOM,
    ],
    attributes: "\
components_ : ndarray of shape (n_components, n_features)
    The axes, one per row; their entries of largest magnitude are positive.
explained_variance_, explained_variance_ratio_ : ndarray of shape (n_components,)
    Variance along every axis, and its share in all variance.
singular_values_ : ndarray of shape (n_components,)
    Singular values of the rows around their mean.
mean_ : ndarray of shape (n_features,)
    Mean of the rows.
noise_variance_ : float
    Mean variance along the axes that are not kept.
n_components_, n_samples_ : int
    Axes that are kept, and rows.
objective_, stop_reason_, report_
    The variance that is not explained, why the search ended, and the whole account.",
    example: "\
>>> from mercer import PCA
>>> model = PCA(1).fit([[2.0, 1.0], [1.0, 2.0], [-2.0, -1.0], [-1.0, -2.0]])
>>> model.explained_variance_ratio_.round(3).tolist()
[0.9]
>>> model.components_.round(3).tolist()
[[0.707, 0.707]]",
}];

pub(super) static KERNEL_PCA: &[PythonClass] = &[PythonClass {
    name: "KernelPCA",
    task: Task::Embed,
    base: "_kernel_project.KernelProjector",
    about: "Kernel principal component analysis, with scikit-learn's names and meanings.\n\n\
            Finds the axes of largest variance in the space of a kernel, any kernel expression among them. A few components \
            of many rows are found by products with blocks of columns, without a matrix where none fits.",
    signature: "n_components=None, *, kernel=\"linear\", gamma=None, degree=3, coef0=1, kernel_params=None, \
                alpha=1.0, fit_inverse_transform=False, eigen_solver=\"auto\", tol=0, max_iter=None, \
                iterated_power=\"auto\", remove_zero_eig=False, random_state=None, copy_X=True, n_jobs=None, \
                centred=True, memory_limit=None",
    parameters: &[
        Parameter {
            name: "kernel",
            kind: "str, Kernel or callable",
            annotation: "_KernelLike",
            constraint: "[str, Kernel, callable]",
            doc: "``\"linear\"``, ``\"poly\"``, ``\"rbf\"``, ``\"sigmoid\"``, ``\"cosine\"``, ``\"precomputed\"``, any kernel \
                  expression, or a function of two rows.",
        },
        Parameter {
            name: "n_components",
            kind: "int",
            annotation: "int | None",
            constraint: "[COUNT, None]",
            doc: "Number of components; all with an eigenvalue above 0 where it is ``None``.",
        },
        Parameter {
            name: "gamma",
            kind: "float",
            annotation: "float | None",
            constraint: "[NOT_NEGATIVE, None]",
            doc: "Coefficient of ``\"rbf\"``, ``\"poly\"`` and ``\"sigmoid\"``; 1 / n_features where it is ``None``.",
        },
        Parameter {
            name: "degree",
            kind: "float",
            annotation: "float",
            constraint: "[NOT_NEGATIVE]",
            doc: "Degree of ``\"poly\"``.",
        },
        Parameter {
            name: "kernel_params",
            kind: "dict",
            annotation: "dict[str, Any] | None",
            constraint: "[dict, None]",
            doc: "Parameters of a kernel that is a function.",
        },
        Parameter {
            name: "eigen_solver",
            kind: "{\"auto\", \"dense\", \"arpack\", \"randomized\"}",
            annotation: "Literal[\"auto\", \"dense\", \"arpack\", \"randomized\"]",
            constraint: "[StrOptions({\"auto\", \"dense\", \"arpack\", \"randomized\"})]",
            doc: "Accepted for compatibility; what takes less work is chosen.",
        },
        Parameter {
            name: "tol",
            kind: "float",
            annotation: "float",
            constraint: "[NOT_NEGATIVE]",
            doc: "Largest residual of a component, relative to the largest eigenvalue; 0 means 1e-7.",
        },
        Parameter {
            name: "max_iter",
            kind: "int",
            annotation: "int | None",
            constraint: "[COUNT, None]",
            doc: "Most products with a block of columns.",
        },
        POWER,
        RANDOM,
        Parameter {
            name: "copy_X",
            kind: "bool",
            annotation: "bool",
            constraint: "[\"boolean\"]",
            doc: "Accepted for compatibility; rows are copied always, never written to.",
        },
    ],
    attributes: "\
eigenvalues_ : ndarray of shape (n_components,)
    Eigenvalues of the kernel matrix around its mean, the largest first.
eigenvectors_ : ndarray of shape (n_samples, n_components)
    Their vectors, one per column; entries of largest magnitude are positive.
X_fit_ : {ndarray, sparse matrix} of shape (n_samples, n_features)
    The rows that were given.
dual_coef_, X_transformed_fit_ : ndarray
    The learnt way back, with ``fit_inverse_transform``.
gamma_ : float
    The coefficient of the kernel that was used.
explained_variance_ratio_ : ndarray of shape (n_components,)
    Share of every eigenvalue in the trace.
objective_, stop_reason_, report_
    What of the trace is not explained, why the search ended, and the whole account.",
    example: "\
>>> from mercer import KernelPCA
>>> X = [[0.0, 0.0], [2.0, 0.0], [0.0, 1.0], [2.0, 1.0], [1.0, 3.0]]
>>> model = KernelPCA(2, kernel=\"rbf\", gamma=0.25).fit(X)
>>> model.eigenvalues_.round(4).tolist()
[1.1244, 1.0373]
>>> model.residual([[1.0, 1.0], [9.0, 9.0]]).round(4).tolist()
[0.2237, 1.4686]",
}];

pub(super) static ICA: &[PythonClass] = &[PythonClass {
    name: "FastICA",
    task: Task::Embed,
    base: "_ica.SourceProjector",
    about: "Independent component analysis by FastICA, with scikit-learn's names and meanings.\n\n\
            Takes mixtures of independent sources apart.",
    signature: "n_components=None, *, algorithm=\"parallel\", whiten=\"unit-variance\", fun=\"logcosh\", \
                fun_args=None, max_iter=200, tol=1e-4, w_init=None, whiten_solver=\"svd\", random_state=None",
    parameters: &[
        Parameter {
            name: "n_components",
            kind: "int",
            annotation: "int | None",
            constraint: "[COUNT, None]",
            doc: "Number of components; as many as columns where it is ``None``.",
        },
        Parameter {
            name: "algorithm",
            kind: "{\"parallel\", \"deflation\"}",
            annotation: "Literal[\"parallel\", \"deflation\"]",
            constraint: "[StrOptions({\"parallel\", \"deflation\"})]",
            doc: "Whether all components are found together, or one after the other.",
        },
        Parameter {
            name: "whiten",
            kind: "{\"unit-variance\", \"arbitrary-variance\"} or False",
            annotation: "Literal[\"unit-variance\", \"arbitrary-variance\", False]",
            constraint: "[StrOptions({\"arbitrary-variance\", \"unit-variance\"}), Options(bool, {False})]",
            doc: "How large sources are; ``False`` where rows are white already.",
        },
        Parameter {
            name: "fun",
            kind: "{\"logcosh\", \"exp\", \"cube\"} or callable",
            annotation: "Any",
            constraint: "[StrOptions({\"logcosh\", \"exp\", \"cube\"}), callable]",
            doc: "The function that tells how far from normal a coordinate is. A callable is refused: the \
                  work is done outside of Python.",
        },
        Parameter {
            name: "fun_args",
            kind: "dict",
            annotation: "dict[str, float] | None",
            constraint: "[dict, None]",
            doc: "``alpha`` of ``\"logcosh\"``, from 1 to 2.",
        },
        Parameter {
            name: "max_iter",
            kind: "int",
            annotation: "int",
            constraint: "[COUNT]",
            doc: "Most steps.",
        },
        Parameter {
            name: "w_init",
            kind: "array-like of shape (n_components, n_components)",
            annotation: "Any",
            constraint: "[\"array-like\", None]",
            doc: "First directions among white rows; drawn from a normal distribution where it is ``None``.",
        },
        Parameter {
            name: "whiten_solver",
            kind: "{\"svd\", \"eigh\"}",
            annotation: "Literal[\"svd\", \"eigh\"]",
            constraint: "[StrOptions({\"eigh\", \"svd\"})]",
            doc: "Accepted for compatibility; what keeps all digits is chosen.",
        },
        RANDOM,
    ],
    attributes: "\
components_ : ndarray of shape (n_components, n_features)
    What rows are multiplied by to give sources.
mixing_ : ndarray of shape (n_features, n_components)
    Its pseudoinverse: what sources are multiplied by to give rows.
mean_ : ndarray of shape (n_features,)
    Mean of the rows, where they were made white.
whitening_ : ndarray of shape (n_components, n_features)
    What made rows white.
n_iter_ : int
    Steps that were taken; of several directions one after the other the most.
stop_reason_, report_
    Why the search ended, and the whole account.",
    example: "\
>>> import numpy as np
>>> from mercer import FastICA
>>> t = np.arange(2000)
>>> sources = np.column_stack([np.sign(np.sin(2 * np.pi * t / 97)), (t % 61) / 30.5 - 1])
>>> found = FastICA(random_state=0).fit_transform(sources @ np.array([[1.0, 0.5], [1.0, 2.0]]))
>>> bool(np.abs(np.corrcoef(sources.T, found.T)[:2, 2:]).max(axis=1).min() > 0.9999)
True",
}];
