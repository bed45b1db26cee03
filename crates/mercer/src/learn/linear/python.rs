//! The Python classes of linear least squares.

use crate::data::Task;
use crate::learn::{Parameter, PythonClass};

const COPY: Parameter = Parameter {
    name: "copy_X",
    kind: "bool",
    annotation: "bool",
    constraint: "[\"boolean\"]",
    doc: "Accepted for compatibility; rows are never written to.",
};

const SIGNED: Parameter = Parameter {
    name: "positive",
    kind: "bool",
    annotation: "bool",
    constraint: "[\"boolean\"]",
    doc: "Accepted for compatibility; ``True`` is refused.",
};

const STEPS: &[Parameter] = &[
    COPY,
    SIGNED,
    Parameter {
        name: "solver",
        kind: "{\"auto\", \"factors\", \"conjugate\", \"batch\", \"online\"}",
        annotation: "Literal[\"auto\", \"factors\", \"conjugate\", \"batch\", \"online\"]",
        constraint: "[StrOptions({\"auto\", \"factors\", \"conjugate\", \"batch\", \"online\"})]",
        doc: "``\"factors\"`` is exact and knows rank and standard errors; ``\"conjugate\"`` takes steps of \
              conjugate gradients, for many sparse columns; ``\"auto\"`` chooses between them by cost. \
              ``\"batch\"`` steps down the slope over all rows, ``\"online\"`` over one row after the other.",
    },
    Parameter {
        name: "tol",
        kind: "float",
        annotation: "float",
        constraint: "[NOT_NEGATIVE]",
        doc: "Violation of the normal equations at which steps end; factors do not read it.",
    },
    Parameter {
        name: "step",
        kind: "float",
        annotation: "float | None",
        constraint: "[POSITIVE, None]",
        doc: "First step; half the longest that is sure to converge where it is ``None``.",
    },
    Parameter {
        name: "schedule",
        kind: "{\"constant\", \"inverse\", \"root\"}",
        annotation: "Literal[\"constant\", \"inverse\", \"root\"]",
        constraint: "[StrOptions({\"constant\", \"inverse\", \"root\"})]",
        doc: "Steps of epoch t are those of the first, divided by 1, 1 + t or √(1 + t).",
    },
    Parameter {
        name: "epochs",
        kind: "int",
        annotation: "int",
        constraint: "[COUNT]",
        doc: "Most passes over the rows.",
    },
    Parameter {
        name: "shuffle",
        kind: "bool",
        annotation: "bool",
        constraint: "[\"boolean\"]",
        doc: "Whether ``\"online\"`` draws the order of the rows anew in every epoch.",
    },
    Parameter {
        name: "random_state",
        kind: "int or RandomState instance",
        annotation: "Any",
        constraint: "[\"random_state\"]",
        doc: "Seed of the order of rows.",
    },
];

const EXACT: Parameter = Parameter {
    name: "tol",
    kind: "float",
    annotation: "float",
    constraint: "[NOT_NEGATIVE]",
    doc: "Accepted for compatibility; the solution is found by factors, not by iteration.",
};

pub(super) static OLS: &[PythonClass] = &[PythonClass {
    name: "LinearRegression",
    task: Task::Regress,
    base: "_linear.LeastSquaresLine",
    about: "Ordinary least squares, with scikit-learn's names and meanings.\n\n\
            Minimises Σ (y − ⟨w, x⟩ − b)² by rank-revealing orthogonal factors; where columns \
            depend on each other the weights are those of least norm. Beyond scikit-learn, \
            weights come with standard errors and Student's intervals, and steps down the slope \
            are a choice.",
    signature: "*, fit_intercept=True, copy_X=True, tol=1e-6, n_jobs=None, positive=False, \
                solver=\"auto\", step=None, schedule=\"constant\", epochs=1000, shuffle=True, \
                random_state=None, encode=None",
    parameters: STEPS,
    attributes: "\
coef_ : ndarray of shape (n_features,) or (n_targets, n_features)
    The weights.
intercept_ : float or ndarray of shape (n_targets,)
    The constants; 0 without ``fit_intercept``.
rank_ : int
    How many columns are independent, the constant not counted, where it is known.
condition_ : float
    Ratio of the largest to the smallest singular value of the centred rows, with columns
    scaled to length one.
n_iter_ : int
    Passes over the rows, or steps of conjugate gradients; 1 for factors.
coef_std_, intercept_std_ : ndarray, float
    Standard errors of weights and constant; ``coef_interval(level)`` has intervals.
sigma_ : ndarray of shape (n_features, n_features)
    Covariance of the weights; one for each target where there are several.
noise_variance_ : float
    Variance of the targets around the function.
objective_, kkt_violation_, report_
    Σ (y − f(x))², how far the normal equations are from being met, and the whole account.",
    example: "\
>>> from mercer import LinearRegression
>>> model = LinearRegression().fit([[0.0], [1.0], [2.0]], [1.0, 3.0, 5.0])
>>> model.coef_.round(6), round(model.intercept_, 6)
(array([2.]), 1.0)",
}];

pub(super) static RIDGE: &[PythonClass] = &[PythonClass {
    name: "Ridge",
    task: Task::Regress,
    base: "_linear.RidgeLine",
    about: "Ridge regression, with scikit-learn's names and meanings.\n\n\
            Minimises Σ (y − ⟨w, x⟩ − b)² + alpha ‖w‖², by a Cholesky factor of the smaller of \
            the two normal equations, by orthogonal factors where rounding asks for them, and by \
            conjugate gradients where rows are sparse and columns many. \
            Beyond scikit-learn, ``alpha`` may be found from the data, and the model knows the \
            posterior of its weights.",
    signature: "alpha=1.0, *, fit_intercept=True, copy_X=True, max_iter=None, tol=1e-4, \
                solver=\"auto\", positive=False, random_state=None, noise=None, encode=None",
    parameters: &[
        Parameter {
            name: "alpha",
            kind: "float, {\"evidence\", \"loo\", \"gcv\"} or array-like of shape (n_targets,)",
            annotation: "Any",
            constraint: "[NOT_NEGATIVE, StrOptions({\"evidence\", \"loo\", \"gcv\"}), \"array-like\"]",
            doc: "Weight of the penalty; one for all targets. A list of values is taken where \
                  all are equal. Or how it is found from the data: by largest evidence, as in \
                  :class:`sklearn.linear_model.BayesianRidge`, by rows left out one by one in closed form, or by \
                  generalised cross-validation. ``path`` has many values at once.",
        },
        COPY,
        Parameter {
            name: "max_iter",
            kind: "int",
            annotation: "int | None",
            constraint: "[COUNT, None]",
            doc: "Accepted for compatibility; the solution is found by factors, not by iteration.",
        },
        EXACT,
        Parameter {
            name: "solver",
            kind: "str",
            annotation: "str",
            constraint: "[StrOptions({\"auto\", \"svd\", \"cholesky\", \"lsqr\", \"sparse_cg\", \
                         \"sag\", \"saga\", \"lbfgs\"})]",
            doc: "Accepted for compatibility; all of scikit-learn's solvers have the same solution.",
        },
        SIGNED,
    ],
    attributes: "\
coef_ : ndarray of shape (n_features,) or (n_targets, n_features)
    The weights.
intercept_ : float or ndarray of shape (n_targets,)
    The constants; 0 without ``fit_intercept``.
n_iter_ : None
    Factors need no iterations; ``report_.iterations`` has steps of conjugate gradients.
solver_ : str
    ``\"cholesky\"``.
alpha_ : float
    The weight of the penalty that was used.
coef_std_, intercept_std_ : ndarray, float
    Standard deviations of the posterior, with alpha = σ²/τ² for noise σ² and a prior N(0, τ²)
    of the weights; ``coef_interval(level)`` has intervals.
sigma_ : ndarray of shape (n_features, n_features)
    Covariance of the weights; one for each target where there are several.
noise_variance_ : float
    Variance of the targets around the function.
effective_parameters_ : float
    Trace of the map from targets to predictions, plus 1 for the constant; an estimate after
    conjugate gradients.
objective_, kkt_violation_, report_
    As in :class:`LinearRegression`, with the penalty in the objective.",
    example: "\
>>> from mercer import Ridge
>>> model = Ridge(alpha=1.0).fit([[-1.0], [0.0], [1.0]], [-2.0, 0.0, 2.0])
>>> model.coef_.round(4)
array([1.3333])",
}];
