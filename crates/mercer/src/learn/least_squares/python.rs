//! The Python classes of the squared loss.

use crate::data::Task;
use crate::learn::{Parameter, PythonClass};

const C: Parameter = Parameter {
    name: "C",
    kind: "{\"evidence\", \"loo\", \"gcv\"} or float",
    annotation: "_Strength",
    constraint: "[StrOptions({\"evidence\", \"loo\", \"gcv\"}), POSITIVE]",
    doc: "Regularisation parameter, the weight of errors, or how it is found: by evidence (log \
          marginal likelihood), by leave-one-out error, by generalised cross-validation.",
};

const ALPHA: Parameter = Parameter {
    name: "alpha",
    kind: "{\"evidence\", \"loo\", \"gcv\"}, float or array-like of shape (n_targets,)",
    annotation: "Any",
    constraint: "[StrOptions({\"evidence\", \"loo\", \"gcv\"}), POSITIVE, \"array-like\"]",
    doc: "Weight of the penalty, above 0, for all targets or for each; or how it is found: by \
          evidence (log marginal likelihood), by leave-one-out error, by generalised \
          cross-validation.",
};

pub(super) static LS_SVC: &[PythonClass] = &[PythonClass {
    name: "LSSVC",
    task: Task::Classify,
    base: "_squared.LeastSquaresClassifier",
    about: "Least-squares support vector classification.\n\n\
            Regression on labels ±1 with a constant: ½‖w‖² + (C/2) Σ (1 − y f(x))². By default C \
            is the one of largest evidence; probabilities come from leave-one-out decisions and \
            cost nothing. They grow with f, and labels follow them (:meth:`predict`).",
    signature: "*, kernel=\"rbf\", degree=3, gamma=\"scale\", coef0=0.0, C=\"evidence\", \
                multi_class=\"ovr\", probability=\"sigmoid\", class_weight=None, keep=None, \
                n_jobs=None, memory_limit=None",
    parameters: &[
        C,
        Parameter {
            name: "multi_class",
            kind: "{\"ovr\", \"ovo\"}",
            annotation: "Literal[\"ovr\", \"ovo\"]",
            constraint: "[StrOptions({\"ovr\", \"ovo\"})]",
            doc: "Whether several classes are told apart one against the rest, or in pairs.",
        },
        Parameter {
            name: "probability",
            kind: "{\"sigmoid\", \"moderated\"}",
            annotation: "Literal[\"sigmoid\", \"moderated\"]",
            constraint: "[StrOptions({\"sigmoid\", \"moderated\"})]",
            doc: "Where probabilities come from: a sigmoid of leave-one-out decisions, or Bayes' \
                  rule with the variance of the decision, which takes them back to the prior far \
                  from all rows. Moderated ones need all rows as support vectors and no pairs of \
                  classes.",
        },
    ],
    attributes: "\
classes_ : ndarray of shape (n_classes,)
    The labels.
C_, effective_parameters_, loo_error_ : float
    As in :class:`LSSVR`.
noise_ : ndarray
    Standard deviation of the labels ±1 around each decision.",
    example: "\
>>> from sklearn.datasets import load_iris
>>> from mercer import LSSVC
>>> X, y = load_iris(return_X_y=True)
>>> model = LSSVC().fit(X, y)
>>> bool(model.loo_error_ < 0.06)
True",
}];

pub(super) static LS_SVR: &[PythonClass] = &[PythonClass {
    name: "LSSVR",
    task: Task::Regress,
    base: "_squared.LeastSquaresRegressor",
    about: "Least-squares support vector regression: a Gaussian process with constant mean.\n\n\
            Minimises ½‖w‖² + (C/2) Σ (y − f(x))², with a constant that is not penalised. By \
            default C is the one of largest evidence.",
    signature: "*, kernel=\"rbf\", degree=3, gamma=\"scale\", coef0=0.0, C=\"evidence\", \
                keep=None, n_jobs=None, memory_limit=None",
    parameters: &[C],
    attributes: "\
C_ : float
    The regularisation parameter that was used.
effective_parameters_, loo_error_ : float
    Effective number of parameters, and the leave-one-out error; where C was found.
noise_ : ndarray of shape (1,)
    Standard deviation of the targets around the function; where C was found.
report_, kernel_, support_, support_vectors_, dual_coef_, intercept_
    As in :class:`SVC`.",
    example: "\
>>> import numpy as np
>>> from mercer import LSSVR
>>> x = np.linspace(0, 6, 60)[:, None]
>>> model = LSSVR().fit(x, np.sin(x[:, 0]) + 0.1 * np.cos(40 * x[:, 0]))
>>> mean, std = model.predict([[1.0], [9.0]], return_std=True)
>>> bool(std[0] < std[1])
True",
}];

pub(super) static KRR: &[PythonClass] = &[PythonClass {
    name: "KernelRidge",
    task: Task::Regress,
    base: "_ridge.RidgeRegressor",
    about: "Kernel ridge regression, with scikit-learn's names and meanings.\n\n\
            Minimises Σ (y − f(x))² + alpha ‖f‖²; the command's ``krr`` is the same function, \
            with alpha called lambda. Beyond scikit-learn, ``alpha`` may be found from the data, \
            and a constant may be part of f.",
    signature: "alpha=1, *, kernel=\"linear\", gamma=None, degree=3, coef0=1, \
                kernel_params=None, fit_intercept=False, n_jobs=None, memory_limit=None, \
                unpenalised=\"bias\", basis=False",
    parameters: &[
        ALPHA,
        Parameter {
            name: "kernel",
            kind: "str, Kernel or callable",
            annotation: "_KernelLike",
            constraint: "[str, Kernel, callable]",
            doc: "``\"linear\"``, ``\"poly\"``, ``\"rbf\"``, ``\"laplacian\"``, ``\"sigmoid\"``, \
                  ``\"cosine\"``, ``\"chi2\"`` and ``\"precomputed\"`` as in scikit-learn; or an \
                  expression such as ``\"rbf(sigma=2) + linear\"``; or an object of \
                  :mod:`mercer.kernels`; or a function of two rows that returns a number.",
        },
        Parameter {
            name: "gamma",
            kind: "float",
            annotation: "float | None",
            constraint: "[NOT_NEGATIVE, None]",
            doc: "Coefficient of ``\"rbf\"``, ``\"laplacian\"``, ``\"poly\"``, ``\"chi2\"`` and \
                  ``\"sigmoid\"``; 1 divided by the number of features by default.",
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
            doc: "Keyword arguments of a function as kernel.",
        },
        Parameter {
            name: "unpenalised",
            kind: "{\"bias\", \"constant\", \"columns\"}",
            annotation: "Literal[\"bias\", \"constant\", \"columns\"]",
            constraint: "[StrOptions({\"bias\", \"constant\", \"columns\"})]",
            doc: "Functions that carry no penalty: what ``fit_intercept`` says, the constant, or \
                  the constant and the columns themselves. With ``kernel=\"bent_spline\"`` the last \
                  is the smoothing spline of :func:`scipy.interpolate.make_smoothing_spline`.",
        },
        Parameter {
            name: "basis",
            kind: "bool",
            annotation: "bool",
            constraint: "[\"boolean\"]",
            doc: "Whether kernels at the rows are mere basis functions: alpha Σ c² of their coefficients is \
                  the penalty, in the place of alpha ‖f‖².",
        },
    ],
    attributes: "\
dual_coef_ : ndarray of shape (n_samples,) or (n_samples, n_targets)
    Coefficients of the training rows, in their order: w (y − f(x)) / alpha.
X_fit_ : {ndarray, sparse matrix} of shape (n_samples, n_features)
    The training rows.
alpha_ : float or ndarray of shape (n_targets,)
    The weight of the penalty that was used.
intercept_ : ndarray of shape (n_targets,)
    The constant of each target; 0 without ``fit_intercept``.
objective_, dual_gap_, kkt_violation_, stop_reason_, report_, kernel_
    As in :class:`SVC`; the objective is Σ (y − f(x))² + alpha ‖f‖².",
    example: "\
>>> import numpy as np
>>> from mercer import KernelRidge
>>> x = np.linspace(0, 6, 60)[:, None]
>>> model = KernelRidge(kernel=\"rbf\", gamma=1.0, alpha=\"loo\").fit(x, np.sin(x[:, 0]))
>>> bool(abs(model.predict([[1.0]])[0] - np.sin(1.0)) < 1e-3)
True",
}];
