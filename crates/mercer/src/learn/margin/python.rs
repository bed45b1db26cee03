//! The Python classes of the support vector machines.

use crate::data::Task;
use crate::learn::{Parameter, PythonClass};

const KERNEL: Parameter = Parameter {
    name: "kernel",
    kind: "str, Kernel or callable",
    annotation: "_KernelLike",
    constraint: "[str, Kernel, callable]",
    doc: "``\"linear\"``, ``\"poly\"``, ``\"rbf\"``, ``\"sigmoid\"`` and ``\"precomputed\"`` as in \
          scikit-learn; or an expression such as ``\"rbf(sigma=2) + linear\"``; or an object of \
          :mod:`mercer.kernels`; or a function ``k(X, Y)`` that returns a matrix. With a kernel \
          on strings, graphs or nodes of a network, rows are a list, an array of objects or a \
          series of them, or what :func:`mercer.kernels.graphs` and \
          :func:`mercer.kernels.network` prepare; ``\"spectrum@text + rbf@price\"`` reads the \
          columns of a frame.",
};

const GAMMA: Parameter = Parameter {
    name: "gamma",
    kind: "{\"scale\", \"auto\"} or float",
    annotation: "float | Literal[\"scale\", \"auto\"]",
    constraint: "[StrOptions({\"scale\", \"auto\"}), NOT_NEGATIVE]",
    doc: "Coefficient of ``\"rbf\"``, ``\"poly\"`` and ``\"sigmoid\"``; ``\"scale\"`` is \
          1 / (n_features * X.var()), whatever rows weigh. An expression does not read it, \
          ``degree`` or ``coef0``, and says so; what it leaves open is chosen with weights as \
          copies.",
};

/// scikit-learn lets infinity pass: it asks for the hard margin.
const HARD_C: Parameter = Parameter {
    name: "C",
    kind: "float",
    annotation: "float",
    constraint: "[Interval(Real, 0.0, None, closed=\"right\")]",
    doc: "Regularisation parameter, the weight of margin errors. ``inf`` asks for the hard margin.",
};

const PROBABILITY: Parameter = Parameter {
    name: "probability",
    kind: "bool",
    annotation: "bool | Literal[\"deprecated\"]",
    constraint: "[\"boolean\", StrOptions({\"deprecated\"})]",
    doc: "Whether :meth:`predict_proba` is wanted; labels then follow the probabilities, and \
          without them the votes. The default, scikit-learn 1.9's own placeholder, means no.",
};

const FACTORS: Parameter = Parameter {
    name: "class_weight",
    kind: "dict or \"balanced\"",
    annotation: "_ClassWeight",
    constraint: "[StrOptions({\"balanced\"}), dict, None]",
    doc: "Factors by class on the C that ``nu`` stands for, and on the probabilities where they \
          choose a label.",
};

const SHARE: Parameter = Parameter {
    name: "nu",
    kind: "float",
    annotation: "float",
    constraint: "[SHARE]",
    doc: "Share of margin errors at most and of support vectors at least, above 0 and at most 1. \
          Twice the share of the smaller class (weights counted) is the most it can be; where it \
          is more it is lowered, with a warning.",
};

pub(super) static SVC: &[PythonClass] = &[PythonClass {
    name: "SVC",
    task: Task::Classify,
    base: "_classify.MarginClassifier",
    about: "Support vector classification, with scikit-learn's names and meanings.\n\n\
            Minimises ½‖w‖² + C Σ ξ over the margin errors ξ for every pair of classes, and says \
            how far it got: every fit carries its objective, duality gap and KKT violation.",
    signature: "*, C=1.0, kernel=\"rbf\", degree=3, gamma=\"scale\", coef0=0.0, shrinking=True, \
                probability=\"deprecated\", tol=1e-3, cache_size=200, class_weight=None, \
                verbose=False, max_iter=-1, decision_function_shape=\"ovr\", break_ties=False, \
                random_state=None, max_seconds=None, callback=None, n_jobs=None, \
                warm_start=False, verify=False, memory_limit=None",
    parameters: &[HARD_C, KERNEL, GAMMA, PROBABILITY],
    attributes: "\
classes_ : ndarray of shape (n_classes,)
    The labels.
support_, support_vectors_, n_support_, dual_coef_, intercept_, coef_ : ndarray
    The support vectors and their coefficients, arranged as in scikit-learn. Equal rows are
    solved as one and listed apart, each with a coefficient of C times its weight at most;
    one after the other takes what is left.
class_weight_ : ndarray of shape (n_classes,)
    Factors on C.
fit_status_ : int
    0 when converged, 1 otherwise.
n_iter_ : ndarray of shape (n_pairs,)
    Solver steps.
objective_, dual_gap_, kkt_violation_ : float
    How good the solution is.
stop_reason_ : str
    Why the solver stopped.
report_ : Report
    The whole account.
kernel_ : Kernel
    The kernel with every parameter fixed.",
    example: "\
>>> from sklearn.datasets import load_iris
>>> from mercer import SVC
>>> X, y = load_iris(return_X_y=True)
>>> model = SVC(C=10).fit(X, y)
>>> round(model.score(X, y), 3)
0.987
>>> model.stop_reason_
'converged'

Strings, graphs and molecules are rows as well:

>>> molecules = [\"CCO\", \"CCCO\", \"c1ccccc1\", \"Oc1ccccc1\"]
>>> model = SVC(kernel=\"normalise(wl)\").fit(molecules, [0, 0, 1, 1])
>>> model.predict([\"CCCCO\", \"Nc1ccccc1\"])
array([0, 1])",
}];

pub(super) static NU_SVC: &[PythonClass] = &[PythonClass {
    name: "NuSVC",
    task: Task::Classify,
    base: "_classify.NuClassifier",
    about: "Support vector classification with a share of margin errors.\n\n\
            ``nu`` bounds the share of margin errors from above and that of support vectors from \
            below; otherwise the method is that of :class:`SVC`.",
    signature: "*, nu=0.5, kernel=\"rbf\", degree=3, gamma=\"scale\", coef0=0.0, shrinking=True, \
                probability=\"deprecated\", tol=1e-3, cache_size=200, class_weight=None, \
                verbose=False, max_iter=-1, decision_function_shape=\"ovr\", break_ties=False, \
                random_state=None, max_seconds=None, callback=None, n_jobs=None, \
                warm_start=False, verify=False, memory_limit=None",
    parameters: &[SHARE, GAMMA, PROBABILITY, FACTORS],
    attributes: "\
classes_ : ndarray of shape (n_classes,)
    The labels; all other attributes are those of :class:`SVC`.",
    example: "\
>>> from sklearn.datasets import load_iris
>>> from mercer import NuSVC
>>> X, y = load_iris(return_X_y=True)
>>> round(NuSVC(nu=0.1).fit(X, y).score(X, y), 3)
0.987",
}];

/// The attributes of a fit without classes.
macro_rules! of_one_function {
    ($first:literal) => {
        concat!(
            $first,
            "\
support_, support_vectors_, n_support_, dual_coef_, intercept_, coef_ : ndarray
    The support vectors and their coefficients, arranged as in scikit-learn.
n_iter_ : int
    Solver steps.
fit_status_ : int
    0 when converged, 1 otherwise.
objective_, dual_gap_, kkt_violation_, stop_reason_, report_, kernel_
    As in :class:`SVC`."
        )
    };
}

pub(super) static SVR: &[PythonClass] = &[PythonClass {
    name: "SVR",
    task: Task::Regress,
    base: "_regress.MarginRegressor",
    about: "Support vector regression: a tube of half-width ``epsilon`` around a smooth function.\
            \n\nMinimises ½‖w‖² + C Σ max(0, |y − f(x)| − ε).",
    signature: "*, kernel=\"rbf\", degree=3, gamma=\"scale\", coef0=0.0, tol=1e-3, C=1.0, \
                epsilon=0.1, shrinking=True, cache_size=200, verbose=False, max_iter=-1, \
                max_seconds=None, callback=None, n_jobs=None, warm_start=False, verify=False, \
                memory_limit=None",
    parameters: &[GAMMA],
    attributes: of_one_function!(""),
    example: "\
>>> import numpy as np
>>> from mercer import SVR
>>> x = np.linspace(0, 6, 60)[:, None]
>>> model = SVR(C=10, epsilon=0.01).fit(x, np.sin(x[:, 0]))
>>> bool(abs(model.predict([[1.0]])[0] - np.sin(1.0)) < 0.02)
True",
}];

pub(super) static NU_SVR: &[PythonClass] = &[PythonClass {
    name: "NuSVR",
    task: Task::Regress,
    base: "_regress.MarginRegressor",
    about: "Support vector regression whose tube is as wide as a share ``nu`` of rows asks for.",
    signature: "*, nu=0.5, C=1.0, kernel=\"rbf\", degree=3, gamma=\"scale\", coef0=0.0, \
                shrinking=True, tol=1e-3, cache_size=200, verbose=False, max_iter=-1, \
                max_seconds=None, callback=None, n_jobs=None, warm_start=False, verify=False, \
                memory_limit=None",
    parameters: &[GAMMA],
    attributes: of_one_function!(""),
    example: "\
>>> import numpy as np
>>> from mercer import NuSVR
>>> x = np.linspace(0, 6, 60)[:, None]
>>> model = NuSVR(C=10, nu=0.2).fit(x, np.sin(x[:, 0]))
>>> bool(abs(model.predict([[1.0]])[0] - np.sin(1.0)) < 0.05)
True",
}];

pub(super) static ONE_CLASS: &[PythonClass] = &[PythonClass {
    name: "OneClassSVM",
    task: Task::Novelty,
    base: "_novelty.MarginNovelty",
    about: "Novelty detection: learns where rows lie, and tells outliers.\n\n\
            Separates the rows from the origin of feature space with the largest margin; ``nu`` \
            bounds the share of training rows called outliers from above.",
    signature: "*, kernel=\"rbf\", degree=3, gamma=\"scale\", coef0=0.0, tol=1e-3, nu=0.5, \
                shrinking=True, cache_size=200, verbose=False, max_iter=-1, max_seconds=None, \
                callback=None, n_jobs=None, warm_start=False, verify=False, memory_limit=None",
    parameters: &[GAMMA],
    attributes: of_one_function!(
        "\
offset_ : ndarray of shape (1,)
    What :meth:`score_samples` has to reach for a row to be an inlier.
"
    ),
    example: "\
>>> from mercer import OneClassSVM
>>> model = OneClassSVM(gamma=0.5, nu=0.25).fit([[0.0], [0.1], [0.2], [0.3]])
>>> model.predict([[0.15], [9.0]])
array([ 1, -1])",
}];
