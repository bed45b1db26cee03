//! The Python classes of the perceptron.

use crate::data::Task;
use crate::learn::{Parameter, PythonClass};

const PASSES: Parameter = Parameter {
    name: "max_iter",
    kind: "int",
    annotation: "int",
    constraint: "[COUNT]",
    doc: "Most passes over the rows.",
};

const RATIO: Parameter = Parameter {
    name: "l1_ratio",
    kind: "float",
    annotation: "float",
    constraint: "[Interval(Real, 0, 1, closed=\"both\")]",
    doc: "Share of the absolute values in the penalty ``\"elasticnet\"``.",
};

const SEED: Parameter = Parameter {
    name: "random_state",
    kind: "int or RandomState instance",
    annotation: "Any",
    constraint: "[\"random_state\"]",
    doc: "What orders of rows, and rows that are set aside, are drawn with.",
};

const ASIDE: Parameter = Parameter {
    name: "validation_fraction",
    kind: "float",
    annotation: "float",
    constraint: "[Interval(Real, 0, 1, closed=\"neither\")]",
    doc: "Share of the rows that ``early_stopping`` sets aside.",
};

const FACTORS: Parameter = Parameter {
    name: "class_weight",
    kind: "dict or \"balanced\"",
    annotation: "_ClassWeight",
    constraint: "[StrOptions({\"balanced\"}), dict, None]",
    doc: "Factors on the step by class.",
};

const CONSTANT: Parameter = Parameter {
    name: "fit_intercept",
    kind: "bool",
    annotation: "bool",
    constraint: "[\"boolean\"]",
    doc: "Whether a constant is part of the function, as the weight of a feature 1.",
};

pub(super) static PERCEPTRON: &[PythonClass] = &[
    PythonClass {
        name: "Perceptron",
        task: Task::Classify,
        base: "_perceptron.LinearPerceptron",
        about: "The perceptron, with scikit-learn's names and meanings.\n\n\
                Every row on the wrong side is added to the weights, w ← w + eta0 y x, pass after \
                pass. It ends with the first pass without a mistake, and where classes cannot be \
                separated once passes do not help any more. Several classes are told apart one \
                against the rest. Without ``shuffle`` rows come as they are given, and weights \
                are scikit-learn's; with it equal rows are visited as one, and ``sample_weight`` \
                means copies.",
        signature: "*, penalty=None, alpha=0.0001, l1_ratio=0.15, fit_intercept=True, \
                    max_iter=1000, tol=0.001, shuffle=True, verbose=0, eta0=1.0, n_jobs=None, \
                    random_state=0, early_stopping=False, validation_fraction=0.1, \
                    n_iter_no_change=5, class_weight=None, warm_start=False, variant=\"plain\", \
                    encode=None",
        parameters: &[RATIO, CONSTANT, PASSES, SEED, ASIDE, FACTORS],
        attributes: "\
classes_ : ndarray of shape (n_classes,)
    The labels.
coef_ : ndarray of shape (1, n_features) or (n_classes, n_features)
    The weights.
intercept_ : ndarray of shape (1,) or (n_classes,)
    The constants; 0 without ``fit_intercept``.
n_iter_ : int
    Passes over the rows, the largest number of all decisions.
t_ : int
    Visits of rows, plus 1.
mistakes_ : ndarray of int
    Mistakes of every decision.
mistake_bound_ : ndarray of float
    The most mistakes that there can be, (R/γ)²; NaN where rows were not separated.
objective_, stop_reason_, report_
    Σ max(0, −y f), why passes ended, and the whole account.",
        example: "\
>>> from mercer import Perceptron
>>> X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 0, 0, 1]
>>> model = Perceptron(shuffle=False, tol=None).fit(X, y)
>>> model.predict(X).tolist(), int(model.mistakes_[0]), float(model.mistake_bound_[0].round(3))
([0, 0, 0, 1], 18, 51.0)",
    },
    PythonClass {
        name: "KernelPerceptron",
        task: Task::Classify,
        base: "_perceptron.KernelPerceptronClassifier",
        about: "The perceptron in the space of a kernel.\n\n\
                Every row on the wrong side is added to the function, f ← f + eta0 y k(x, ·). \
                Everything else is as in :class:`Perceptron`.",
        signature: "*, kernel=\"rbf\", degree=3, gamma=\"scale\", coef0=0.0, variant=\"plain\", \
                    fit_intercept=True, max_iter=1000, tol=0.001, shuffle=True, eta0=1.0, \
                    early_stopping=False, validation_fraction=0.1, n_iter_no_change=5, \
                    class_weight=None, random_state=0, n_jobs=None, memory_limit=None",
        parameters: &[CONSTANT, PASSES, SEED, ASIDE, FACTORS],
        attributes: "\
classes_ : ndarray of shape (n_classes,)
    The labels.
n_iter_, mistakes_, mistake_bound_
    As in :class:`Perceptron`.
support_, support_vectors_, dual_coef_, intercept_, report_, kernel_
    As in :class:`SVC`; support vectors are the rows on which mistakes were made.",
        example: "\
>>> from mercer import KernelPerceptron
>>> X, y = [[0, 0], [1, 1], [0, 1], [1, 0]], [\"a\", \"a\", \"b\", \"b\"]
>>> KernelPerceptron(gamma=1.0, tol=None).fit(X, y).predict(X).tolist()
['a', 'a', 'b', 'b']",
    },
];
