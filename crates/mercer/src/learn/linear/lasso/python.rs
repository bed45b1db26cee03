//! The Python classes of the LASSO and the elastic net.

use crate::data::Task;
use crate::learn::{Parameter, PythonClass};

const ALPHA: Parameter = Parameter {
    name: "alpha",
    kind: "float or \"cv\"",
    annotation: "float | Literal[\"cv\"]",
    constraint: "[NOT_NEGATIVE, StrOptions({\"cv\"})]",
    doc: "Weight of the penalty; ``\"cv\"`` takes the best of 100 values on five folds.",
};

const COPY: Parameter = Parameter {
    name: "copy_X",
    kind: "bool",
    annotation: "bool",
    constraint: "[\"boolean\"]",
    doc: "Accepted for compatibility; rows are never written to.",
};

const PRECOMPUTE: Parameter = Parameter {
    name: "precompute",
    kind: "bool or array-like of shape (n_features, n_features)",
    annotation: "Any",
    constraint: "[\"boolean\", \"array-like\"]",
    doc: "Accepted for compatibility; products of columns are computed where they pay.",
};

const SELECTION: Parameter = Parameter {
    name: "selection",
    kind: "{\"cyclic\", \"random\"}",
    annotation: "str",
    constraint: "[StrOptions({\"cyclic\", \"random\"})]",
    doc: "Accepted for compatibility; coordinates are always taken in turn.",
};

const WARM: Parameter = Parameter {
    name: "warm_start",
    kind: "bool",
    annotation: "bool",
    constraint: "[\"boolean\"]",
    doc: "Whether a fit starts from the weights of the last one.",
};

const PARAMETERS: &[Parameter] = &[ALPHA, PRECOMPUTE, COPY, WARM, SELECTION];

const NET_PARAMETERS: &[Parameter] = &[
    ALPHA,
    Parameter {
        name: "l1_ratio",
        kind: "float",
        annotation: "float",
        constraint: "[Interval(Real, 0, 1, closed=\"both\")]",
        doc: "Share of the absolute values in the penalty: 1 is the LASSO, 0 ridge regression.",
    },
    PRECOMPUTE,
    COPY,
    WARM,
    SELECTION,
];

const ATTRIBUTES: &str = "\
coef_ : ndarray of shape (n_features,) or (n_targets, n_features)
    The weights; many are exactly 0.
sparse_coef_ : sparse matrix of shape (1, n_features) or (n_targets, n_features)
    The same, without the zeros.
intercept_ : float or ndarray of shape (n_targets,)
    The constants; 0 without ``fit_intercept``.
alpha_ : float
    The weight of the penalty that was used.
alpha_max_ : float
    The least ``alpha`` at which all weights are 0.
dual_gap_ : float or ndarray of shape (n_targets,)
    How far the objective can be from its optimum.
n_iter_ : int or list of int
    Passes over working sets of columns.
objective_, report_
    2n times the objective above, and the whole account.";

pub(super) static LASSO: &[PythonClass] = &[PythonClass {
    name: "Lasso",
    task: Task::Regress,
    base: "_lasso.SparseLine",
    about: "LASSO, with scikit-learn's names and meanings.\n\n\
            Minimises (1 / 2n) Σ (y − ⟨w, x⟩ − b)² + alpha ‖w‖₁, by coordinate descent on working \
            sets of columns with gap-safe screening. A fit ends where the duality gap is below ``tol`` \
            times the squares of the centred targets.",
    signature: "alpha=1.0, *, fit_intercept=True, precompute=False, copy_X=True, max_iter=1000, \
                tol=1e-4, warm_start=False, positive=False, random_state=None, selection=\"cyclic\", \
                encode=None",
    parameters: PARAMETERS,
    attributes: ATTRIBUTES,
    example: "\
>>> from mercer import Lasso
>>> model = Lasso(alpha=0.1).fit([[0.0, 1.0], [1.0, 1.0], [2.0, 0.0]], [0.0, 1.0, 2.0])
>>> model.coef_.round(4), round(model.intercept_, 4)
(array([0.85, 0.  ]), 0.15)",
}];

pub(super) static ELASTIC_NET: &[PythonClass] = &[PythonClass {
    name: "ElasticNet",
    task: Task::Regress,
    base: "_lasso.SparseLine",
    about: "Elastic net, with scikit-learn's names and meanings.\n\n\
            Minimises (1 / 2n) Σ (y − ⟨w, x⟩ − b)² + alpha (l1_ratio ‖w‖₁ + ½ (1 − l1_ratio) ‖w‖²), \
            as :class:`Lasso` does.",
    signature: "alpha=1.0, *, l1_ratio=0.5, fit_intercept=True, precompute=False, max_iter=1000, \
                copy_X=True, tol=1e-4, warm_start=False, positive=False, random_state=None, \
                selection=\"cyclic\", encode=None",
    parameters: NET_PARAMETERS,
    attributes: ATTRIBUTES,
    example: "\
>>> from mercer import ElasticNet
>>> model = ElasticNet(alpha=0.1).fit([[0.0], [1.0], [2.0]], [0.0, 1.0, 2.0])
>>> model.coef_.round(4)
array([0.8605])",
}];
