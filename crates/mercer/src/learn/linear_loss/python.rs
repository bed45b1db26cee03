//! The Python classes of linear functions with a margin, a tube or a likelihood.

use crate::data::Task;
use crate::learn::{Parameter, PythonClass};

const DUAL: Parameter = Parameter {
    name: "dual",
    kind: "bool or \"auto\"",
    annotation: "bool | Literal[\"auto\"]",
    constraint: "[\"boolean\", StrOptions({\"auto\"})]",
    doc: "Accepted for compatibility; the way to the solution follows from the shape of the rows.",
};

const SCALE: Parameter = Parameter {
    name: "intercept_scaling",
    kind: "float",
    annotation: "float",
    constraint: "[POSITIVE]",
    doc: "Value of the feature that stands for the constant, which is penalised like a weight: \
          the larger, the less.",
};

const STEPS: Parameter = Parameter {
    name: "max_iter",
    kind: "int",
    annotation: "int",
    constraint: "[Interval(Integral, 0, None, closed=\"left\")]",
    doc: "Largest number of steps, or of passes over the rows.",
};

const GAP: Parameter = Parameter {
    name: "tol",
    kind: "float",
    annotation: "float",
    constraint: "[NOT_NEGATIVE]",
    doc: "Largest duality gap of a converged solution, relative to the objective.",
};

const CONSTANT: Parameter = Parameter {
    name: "fit_intercept",
    kind: "bool",
    annotation: "bool",
    constraint: "[\"boolean\"]",
    doc: "Whether there is a constant; it is penalised like a weight, see ``intercept_scaling``.",
};

const FACTORS: Parameter = Parameter {
    name: "class_weight",
    kind: "dict or \"balanced\"",
    annotation: "_ClassWeight",
    constraint: "[StrOptions({\"balanced\"}), dict, None]",
    doc: "Factors on C by class.",
};

const ORDER: Parameter = Parameter {
    name: "random_state",
    kind: "int or RandomState instance",
    annotation: "Any",
    constraint: "[\"random_state\"]",
    doc: "Accepted for compatibility; the order of rows in coordinate descent is always the same.",
};

pub(super) static LINEAR_SVC: &[PythonClass] = &[PythonClass {
    name: "LinearSVC",
    task: Task::Classify,
    base: "_linear_classify.MarginLine",
    about: "Linear support vector classification, with scikit-learn's names and meanings.\n\n\
            Minimises ½‖w‖² + C Σ L(y f(x)), or with ‖w‖₁, with the hinge loss or its square, one \
            class against the rest or all at once. The solver follows from the shape of the rows, and ``report_`` tells which \
            it was.",
    signature: "penalty=\"l2\", loss=\"squared_hinge\", *, dual=\"auto\", tol=1e-4, C=1.0, \
                multi_class=\"ovr\", fit_intercept=True, intercept_scaling=1, \
                class_weight=None, verbose=0, random_state=None, max_iter=1000, encode=None",
    parameters: &[
        Parameter {
            name: "penalty",
            kind: "{\"l1\", \"l2\"}",
            annotation: "Literal[\"l1\", \"l2\"]",
            constraint: "[StrOptions({\"l1\", \"l2\"})]",
            doc: "What weights cost: ½‖w‖² or, for few weights other than zero, ‖w‖₁, which goes with \
                  ``loss=\"squared_hinge\"``.",
        },
        Parameter {
            name: "loss",
            kind: "{\"hinge\", \"squared_hinge\"}",
            annotation: "Literal[\"hinge\", \"squared_hinge\"]",
            constraint: "[StrOptions({\"hinge\", \"squared_hinge\"})]",
            doc: "The loss that is minimised: max(0, 1 − y f) or its square.",
        },
        DUAL,
        GAP,
        Parameter {
            name: "multi_class",
            kind: "{\"ovr\", \"crammer_singer\"}",
            annotation: "Literal[\"ovr\", \"crammer_singer\"]",
            constraint: "[StrOptions({\"ovr\", \"crammer_singer\"})]",
            doc: "One class against the rest, or all at once with one margin between a class and all \
                  others, ``\"crammer_singer\"``, which reads neither ``loss`` nor ``penalty``.",
        },
        CONSTANT,
        SCALE,
        FACTORS,
        Parameter {
            name: "verbose",
            kind: "int",
            annotation: "int",
            constraint: "[\"verbose\"]",
            doc: "Accepted for compatibility; nothing is printed.",
        },
        ORDER,
        STEPS,
    ],
    attributes: "\
classes_ : ndarray of shape (n_classes,)
    The labels.
coef_ : ndarray of shape (1, n_features) or (n_classes, n_features)
    The weights.
intercept_ : ndarray of shape (1,) or (n_classes,), or 0.0
    The constants; 0.0 without ``fit_intercept``.
n_iter_ : int
    The most steps or passes of a class.
objective_, dual_gap_, kkt_violation_, report_
    What was minimised and how far it got, summed over the classes.",
    example: "\
>>> from sklearn.datasets import load_iris
>>> from mercer import LinearSVC
>>> X, y = load_iris(return_X_y=True)
>>> model = LinearSVC().fit(X, y)
>>> model.coef_.shape, bool(model.score(X, y) > 0.9)
((3, 4), True)",
}];

pub(super) static LINEAR_SVR: &[PythonClass] = &[PythonClass {
    name: "LinearSVR",
    task: Task::Regress,
    base: "_linear_classify.TubeLine",
    about: "Linear support vector regression, with scikit-learn's names and meanings.\n\n\
            Minimises ½‖w‖² + C Σ L(y − f(x)), L being 0 up to ``epsilon`` and linear or \
            quadratic beyond. With ``epsilon=0`` and the linear loss it is the least absolute \
            deviation.",
    signature: "*, epsilon=0.0, tol=1e-4, C=1.0, loss=\"epsilon_insensitive\", \
                fit_intercept=True, intercept_scaling=1.0, dual=\"auto\", verbose=0, \
                random_state=None, max_iter=1000, encode=None",
    parameters: &[
        Parameter {
            name: "loss",
            kind: "{\"epsilon_insensitive\", \"squared_epsilon_insensitive\"}",
            annotation: "Literal[\"epsilon_insensitive\", \"squared_epsilon_insensitive\"]",
            constraint: "[StrOptions({\"epsilon_insensitive\", \"squared_epsilon_insensitive\"})]",
            doc: "The loss that is minimised: max(0, |y − f| − epsilon) or its square.",
        },
        DUAL,
        GAP,
        CONSTANT,
        SCALE,
        Parameter {
            name: "verbose",
            kind: "int",
            annotation: "int",
            constraint: "[\"verbose\"]",
            doc: "Accepted for compatibility; nothing is printed.",
        },
        ORDER,
        STEPS,
    ],
    attributes: "\
coef_ : ndarray of shape (n_features,)
    The weights.
intercept_ : ndarray of shape (1,), or 0.0
    The constant; 0.0 without ``fit_intercept``.
n_iter_ : int
    Steps or passes.
objective_, dual_gap_, kkt_violation_, report_
    What was minimised and how far it got.",
    example: "\
>>> import numpy as np
>>> from mercer import LinearSVR
>>> x = np.arange(5.0)[:, None]
>>> model = LinearSVR(C=100, intercept_scaling=10).fit(x, [1, 3, 5, 7, 90])
>>> model.coef_.round(2)
array([2.])",
}];

pub(super) static LOGISTIC: &[PythonClass] = &[PythonClass {
    name: "LogisticRegression",
    task: Task::Classify,
    base: "_linear_classify.LogisticLine",
    about: "Logistic regression, with scikit-learn's names and meanings.\n\n\
            Minimises ½‖w‖² − C Σ log P(y), or with another penalty, see ``l1_ratio``; several classes have a function each, learnt together \
            by softmax. All solvers have the same solution; ``\"liblinear\"`` penalises the \
            constant, as in scikit-learn. ``C=inf`` is maximum likelihood without a penalty.",
    signature: "penalty=\"deprecated\", *, C=1.0, l1_ratio=0.0, dual=False, tol=1e-4, \
                fit_intercept=True, intercept_scaling=1, class_weight=None, random_state=None, \
                solver=\"lbfgs\", max_iter=100, verbose=0, warm_start=False, n_jobs=None, \
                encode=None",
    parameters: &[
        Parameter {
            name: "penalty",
            kind: "{\"l1\", \"l2\", \"elasticnet\", None}",
            annotation: "str | None",
            constraint: "[StrOptions({\"l1\", \"l2\", \"elasticnet\", \"deprecated\"}), None]",
            doc: "Deprecated in scikit-learn 1.8: ``\"l2\"`` is ``l1_ratio=0``, ``None`` is \
                  ``C=inf``, ``\"l1\"`` is ``l1_ratio=1``.",
        },
        Parameter {
            name: "C",
            kind: "float",
            annotation: "float",
            constraint: "[Interval(Real, 0, None, closed=\"right\")]",
            doc: "Regularisation parameter, the weight of errors; ``inf`` for no penalty.",
        },
        Parameter {
            name: "l1_ratio",
            kind: "float",
            annotation: "float | None",
            constraint: "[Interval(Real, 0, 1, closed=\"both\"), None]",
            doc: "Share ρ of absolute values in the penalty ρ‖w‖₁ + ½(1 − ρ)‖w‖²: 1 makes weights \
                  exactly zero.",
        },
        Parameter {
            name: "dual",
            kind: "bool",
            annotation: "bool",
            constraint: "[\"boolean\"]",
            doc: "Accepted for compatibility; the solution is the same.",
        },
        GAP,
        Parameter {
            doc: "Whether there is a constant; it costs nothing, but with \
                  ``solver=\"liblinear\"`` it is penalised like a weight.",
            ..CONSTANT
        },
        Parameter {
            doc: "With ``solver=\"liblinear\"`` the value of the feature that stands for the \
                  constant.",
            ..SCALE
        },
        Parameter {
            doc: "Factors on C by class; probabilities are those of classes that are so much more \
                  frequent.",
            ..FACTORS
        },
        Parameter {
            doc: "Accepted for compatibility; nothing here is random.",
            ..ORDER
        },
        Parameter {
            name: "solver",
            kind: "str",
            annotation: "str",
            constraint: "[StrOptions({\"lbfgs\", \"liblinear\", \"newton-cg\", \
                         \"newton-cholesky\", \"sag\", \"saga\"})]",
            doc: "Accepted for compatibility: Newton's method finds what they look for. Only \
                  ``\"liblinear\"`` means something else, a penalised constant and two classes.",
        },
        Parameter {
            doc: "Largest number of Newton steps.",
            ..STEPS
        },
        Parameter {
            name: "verbose",
            kind: "int",
            annotation: "int",
            constraint: "[\"verbose\"]",
            doc: "Accepted for compatibility; nothing is printed.",
        },
    ],
    attributes: "\
classes_ : ndarray of shape (n_classes,)
    The labels.
coef_ : ndarray of shape (1, n_features) or (n_classes, n_features)
    The weights.
intercept_ : ndarray of shape (1,) or (n_classes,)
    The constants; 0 without ``fit_intercept``.
n_iter_ : ndarray of shape (1,)
    Newton steps.
objective_, dual_gap_, kkt_violation_, report_
    What was minimised and how far it got.",
    example: "\
>>> from sklearn.datasets import load_iris
>>> from mercer import LogisticRegression
>>> X, y = load_iris(return_X_y=True)
>>> model = LogisticRegression().fit(X, y)
>>> model.predict_proba(X[:1]).round(2)
array([[0.98, 0.02, 0.  ]])",
}];
