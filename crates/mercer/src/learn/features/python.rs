//! The Python classes of feature maps.

use crate::data::Task;
use crate::learn::{Parameter, PythonClass};

const RANDOM: Parameter = Parameter {
    name: "random_state",
    kind: "int or RandomState instance",
    annotation: "Any",
    constraint: "[\"random_state\"]",
    doc: "What landmarks, or frequencies and offsets, are drawn with.",
};

pub(super) static NYSTROEM: &[PythonClass] = &[PythonClass {
    name: "Nystroem",
    task: Task::Embed,
    base: "_features.LandmarkFeatures",
    about: "Nyström features of a kernel, with scikit-learn's names and meanings.\n\n\
            Rows are compared with landmarks, under any kernel expression; inner products of features are nearly the kernel. \
            By default landmarks are the rows that scikit-learn draws; ``landmarks=\"pivoted\"`` chooses such as leave less of the kernel over.",
    signature: "kernel=\"rbf\", *, gamma=None, coef0=None, degree=None, kernel_params=None, n_components=100, \
                random_state=None, n_jobs=None, landmarks=\"uniform\", fit_inverse_transform=False, alpha=1.0, \
                memory_limit=None",
    parameters: &[
        Parameter {
            name: "kernel",
            kind: "str, Kernel or callable",
            annotation: "_KernelLike",
            constraint: "[str, Kernel, callable]",
            doc: "A name of scikit-learn's kernels, any kernel expression, or a function of two rows.",
        },
        Parameter {
            name: "gamma",
            kind: "float",
            annotation: "float | None",
            constraint: "[NOT_NEGATIVE, None]",
            doc: "Coefficient of scikit-learn's kernels; 1 / n_features where it is ``None`` (1 for \
                  ``\"chi2\"``).",
        },
        Parameter {
            name: "coef0",
            kind: "float",
            annotation: "float | None",
            constraint: "[FINITE, None]",
            doc: "Offset of ``\"poly\"`` and ``\"sigmoid\"``; 1 where it is ``None``.",
        },
        Parameter {
            name: "degree",
            kind: "float",
            annotation: "float | None",
            constraint: "[POSITIVE, None]",
            doc: "Degree of ``\"poly\"``; 3 where it is ``None``.",
        },
        Parameter {
            name: "kernel_params",
            kind: "dict",
            annotation: "dict[str, Any] | None",
            constraint: "[dict, None]",
            doc: "Parameters of a kernel that is a function.",
        },
        Parameter {
            name: "n_components",
            kind: "int",
            annotation: "int",
            constraint: "[COUNT]",
            doc: "Number of landmarks, at most that of rows.",
        },
        RANDOM,
        Parameter {
            name: "landmarks",
            kind: "str, array-like or None",
            annotation: "Any",
            constraint: "[StrOptions({\"uniform\", \"pivoted\", \"kmeans\", \"squared_diagonal\"}), \"array-like\", None]",
            doc: "How landmarks are chosen: scikit-learn's uniform draw, randomly pivoted Cholesky, centres of k-means, rows in \
                  proportion to k(x, x)²; or the landmarks themselves, as rows or as whole numbers of rows.",
        },
        Parameter {
            name: "fit_inverse_transform",
            kind: "bool",
            annotation: "bool",
            constraint: "[\"boolean\"]",
            doc: "Whether the way back from features to rows is learnt, by ridge regression.",
        },
        Parameter {
            name: "alpha",
            kind: "float",
            annotation: "float",
            constraint: "[NOT_NEGATIVE]",
            doc: "Regularisation of that ridge regression.",
        },
    ],
    attributes: "\
components_ : {ndarray, sparse matrix} of shape (n_components, n_features)
    The landmarks.
component_indices_ : ndarray of shape (n_components,)
    Their row numbers; absent where landmarks are no rows.
normalization_ : ndarray of shape (n_components, n_components)
    The root of the inverse of their kernel matrix, on its numerical range.
report_
    The whole account, with the measured error of kernel values.",
    example: "\
>>> from mercer import Nystroem
>>> X = [[0.0], [1.0], [2.0], [3.0]]
>>> model = Nystroem(gamma=0.5, landmarks=[0, 3]).fit(X)
>>> Z = model.transform(X)
>>> round(float(Z[1] @ Z[2]), 8)
0.15989949
>>> round(float(model.residual(X).sum()), 8)
1.23116249",
}];

pub(super) static RANDOM_FEATURES: &[PythonClass] = &[PythonClass {
    name: "RBFSampler",
    task: Task::Embed,
    base: "_features.RandomFourier",
    about: "Random Fourier features of the Gaussian kernel, with scikit-learn's names and meanings.\n\n\
            Features are √(2/D)·cos(⟨w, x⟩ + b), whose inner products have exp(-gamma·‖x - z‖²) as their mean. By default \
            frequencies and offsets are those that scikit-learn draws; ``orthogonal=True`` draws frequencies whose error is smaller.",
    signature: "*, gamma=1.0, n_components=100, random_state=None, orthogonal=False, fit_inverse_transform=False, \
                alpha=1.0",
    parameters: &[
        Parameter {
            name: "gamma",
            kind: "float or \"scale\"",
            annotation: "float | Literal[\"scale\"]",
            constraint: "[StrOptions({\"scale\"}), NOT_NEGATIVE]",
            doc: "Inverse squared width; ``\"scale\"`` is 1 / (n_features · X.var()).",
        },
        Parameter {
            name: "n_components",
            kind: "int",
            annotation: "int",
            constraint: "[COUNT]",
            doc: "Number of features.",
        },
        RANDOM,
        Parameter {
            name: "orthogonal",
            kind: "bool",
            annotation: "bool",
            constraint: "[\"boolean\"]",
            doc: "Whether frequencies are drawn in blocks of orthogonal directions.",
        },
        Parameter {
            name: "fit_inverse_transform",
            kind: "bool",
            annotation: "bool",
            constraint: "[\"boolean\"]",
            doc: "Whether the way back from features to rows is learnt, by ridge regression.",
        },
        Parameter {
            name: "alpha",
            kind: "float",
            annotation: "float",
            constraint: "[NOT_NEGATIVE]",
            doc: "Regularisation of that ridge regression.",
        },
    ],
    attributes: "\
random_weights_ : ndarray of shape (n_features, n_components)
    The frequencies, one per column.
random_offset_ : ndarray of shape (n_components,)
    The offsets, between 0 and 2π.
report_
    The whole account, with the measured error of kernel values.",
    example: "\
>>> from mercer import RBFSampler
>>> X = [[0.0, 0.0], [1.0, 0.5]]
>>> features = RBFSampler(n_components=20000, random_state=0, orthogonal=True)
>>> Z = features.fit_transform(X)
>>> bool(abs(Z[0] @ Z[1] - 0.2865) < 0.03)
True",
}];
