//! The Python classes of novelty detectors without a margin.

use crate::data::Task;
use crate::learn::{Parameter, PythonClass};

pub(super) static NEAREST: &[PythonClass] = &[PythonClass {
    name: "NearestNovelty",
    task: Task::Novelty,
    base: "_nearest_novelty.NearestDetector",
    about: "Novelty by neighbours, with scikit-learn's interface of outlier detectors.\n\n\
            A row is an outlier whose k-th nearest row of the training set is farther away than a \
            threshold; a share of the training rows, each looked at as if it were new, is beyond it. \
            A training row that is predicted again has itself as its first neighbour.",
    signature: "n_neighbors=5, *, share=0.05, n_jobs=None",
    parameters: &[],
    attributes: "\
offset_ : float
    What :meth:`score_samples` has to reach for a row to be an inlier.
n_samples_fit_ : int
    Rows that distances are measured from.
report_
    The whole account of the fit.",
    example: "\
>>> from mercer import NearestNovelty
>>> model = NearestNovelty(1, share=0.2).fit([[0.0], [1.0], [2.0], [3.0], [9.0]])
>>> model.predict([[1.5], [6.0]])
array([ 1, -1])",
}];

pub(super) static KERNEL_PCA_NOVELTY: &[PythonClass] = &[PythonClass {
    name: "KernelPCANovelty",
    task: Task::Novelty,
    base: "_component_novelty.ComponentDetector",
    about: "Novelty by kernel principal components, with scikit-learn's interface of outlier detectors.\n\n\
            A row is an outlier whose squared distance from the plane of the first components, in the space of \
            the kernel, is above a threshold; a share of the training rows, each told by components that were found \
            without it, is beyond it.",
    signature: "n_components=None, *, kernel=\"rbf\", degree=3, gamma=\"scale\", coef0=0.0, explained=0.95, \
                share=0.05, tol=1e-7, max_iter=None, max_seconds=None, n_jobs=None, memory_limit=None",
    parameters: &[
        Parameter {
            name: "n_components",
            kind: "int",
            annotation: "int | None",
            constraint: "[COUNT, None]",
            doc: "Number of components; as few as explain ``explained`` where it is ``None``.",
        },
        Parameter {
            name: "kernel",
            kind: "str or Kernel",
            annotation: "_KernelLike",
            constraint: "[str, Kernel]",
            doc: "``\"linear\"``, ``\"poly\"``, ``\"rbf\"``, ``\"sigmoid\"``, ``\"cosine\"`` or any kernel expression \
                  that is computed from rows.",
        },
        Parameter {
            name: "gamma",
            kind: "{\"scale\", \"auto\"} or float",
            annotation: "float | Literal[\"scale\", \"auto\"]",
            constraint: "[StrOptions({\"scale\", \"auto\"}), NOT_NEGATIVE]",
            doc: "Coefficient of ``\"rbf\"``, ``\"poly\"`` and ``\"sigmoid\"``; ``\"scale\"`` is 1 / (n_features * X.var()), with \
                  weights as copies. An expression does not read it, ``degree`` or ``coef0``.",
        },
        Parameter {
            name: "degree",
            kind: "float",
            annotation: "float",
            constraint: "[NOT_NEGATIVE]",
            doc: "Degree of ``\"poly\"``.",
        },
        Parameter {
            name: "max_iter",
            kind: "int",
            annotation: "int | None",
            constraint: "[COUNT, None]",
            doc: "Most products with a block of columns.",
        },
    ],
    attributes: "\
offset_ : float
    What :meth:`score_samples` has to reach for a row to be an inlier.
eigenvalues_ : ndarray of shape (n_components,)
    Eigenvalues of the components, the largest first.
explained_variance_ratio_ : ndarray of shape (n_components,)
    Share of each in the spread in the space of the kernel.
kernel_, report_
    The kernel as it was used, and the whole account of the fit.",
    example: "\
>>> import numpy as np
>>> from mercer import KernelPCANovelty
>>> angle = np.linspace(0, 6, 60)
>>> ring = np.column_stack([np.cos(angle), np.sin(angle)])
>>> model = KernelPCANovelty(kernel=\"rbf\", gamma=1.0).fit(ring)
>>> model.predict([[0.6, 0.8], [0.0, 0.0]])
array([ 1, -1])",
}];
