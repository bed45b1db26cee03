//! The Python classes of convex losses.

use crate::data::Task;
use crate::learn::{Parameter, PythonClass};

const FACTORS: Parameter = Parameter {
    name: "class_weight",
    kind: "dict or \"balanced\"",
    annotation: "_ClassWeight",
    constraint: "[StrOptions({\"balanced\"}), dict, None]",
    doc: "Factors on C by class; labels are those of largest factor times probability.",
};

const POWER: Parameter = Parameter {
    name: "power",
    kind: "float",
    annotation: "float",
    constraint: "[POSITIVE]",
    doc: "Power p of the penalty ‖f‖^p/p, at least 1; 2 is the usual ½‖f‖².",
};

pub(super) static KLR: &[PythonClass] = &[PythonClass {
    name: "KernelLogisticRegression",
    task: Task::Classify,
    base: "_logistic.LogisticClassifier",
    about: "Logistic regression in the space of a kernel.\n\n\
            Minimises ½‖w‖² + C Σ log(1 + exp(−y f(x))), with a constant that is not penalised: \
            decisions are log-odds. Probabilities are sigmoids of them, fitted to approximate \
            leave-one-out decisions, so that noise is not believed; :class:`LogisticRegression` keeps \
            those of the likelihood, as scikit-learn does. Several classes are told apart one against the rest. Newton's method takes n³ time a step, about ten of \
            them.",
    signature: "*, C=1.0, kernel=\"rbf\", degree=3, gamma=\"scale\", coef0=0.0, \
                fit_intercept=True, tol=1e-8, class_weight=None, n_jobs=None, memory_limit=None",
    parameters: &[FACTORS],
    attributes: "\
classes_ : ndarray of shape (n_classes,)
    The labels.
n_iter_ : ndarray
    Newton steps of every decision.
support_, support_vectors_, dual_coef_, intercept_, coef_, report_, kernel_
    As in :class:`SVC`.",
    example: "\
>>> from sklearn.datasets import load_iris
>>> from mercer import KernelLogisticRegression
>>> X, y = load_iris(return_X_y=True)
>>> model = KernelLogisticRegression(C=10).fit(X, y)
>>> model.predict_proba(X[:1]).round(2)
array([[1., 0., 0.]])",
}];

pub(super) static RISK: &[PythonClass] = &[
    PythonClass {
        name: "KernelRiskClassifier",
        task: Task::Classify,
        base: "_logistic.RiskClassifier",
        about: "Classification with any convex loss in the space of a kernel.\n\n\
                Minimises ½‖f‖² + C Σ L(y f(x)) by Newton's method, with classes y = ±1, several \
                one against the rest. The logistic loss is that of \
                :class:`KernelLogisticRegression`, the hinge loss that of :class:`SVC`.",
        signature: "*, loss=\"logistic\", C=1.0, kernel=\"rbf\", degree=3, gamma=\"scale\", \
                    coef0=0.0, fit_intercept=True, tol=1e-8, class_weight=None, power=2.0, \
                    n_jobs=None, memory_limit=None",
        parameters: &[
            Parameter {
                name: "loss",
                kind: "{\"logistic\", \"hinge\", \"squared_hinge\"}",
                annotation: "Literal[\"logistic\", \"hinge\", \"squared_hinge\"]",
                constraint: "[StrOptions({\"logistic\", \"hinge\", \"squared_hinge\"})]",
                doc: "The loss that is minimised: log(1 + exp(−y f)), max(0, 1 − y f) or its \
                      square. Only the logistic loss gives probabilities.",
            },
            Parameter {
                doc: "Factors on C by class.",
                ..FACTORS
            },
            POWER,
        ],
        attributes: "\
classes_ : ndarray of shape (n_classes,)
    The labels.
n_iter_ : ndarray
    Newton steps of every decision.
support_, support_vectors_, dual_coef_, intercept_, coef_, report_, kernel_
    As in :class:`SVC`.",
        example: "\
>>> from sklearn.datasets import load_iris
>>> from mercer import KernelRiskClassifier
>>> X, y = load_iris(return_X_y=True)
>>> model = KernelRiskClassifier(loss=\"squared_hinge\", C=10).fit(X, y)
>>> bool(model.score(X, y) > 0.95)
True",
    },
    PythonClass {
        name: "KernelRiskRegressor",
        task: Task::Regress,
        base: "_logistic.RiskRegressor",
        about: "Regression with any convex loss in the space of a kernel.\n\n\
                Minimises ½‖f‖² + C Σ L(y − f(x)) by Newton's method. Huber's loss follows the \
                bulk of the rows, whatever outliers do.",
        signature: "*, loss=\"huber\", C=1.0, delta=1.345, epsilon=0.1, kernel=\"rbf\", \
                    degree=3, gamma=\"scale\", coef0=0.0, fit_intercept=True, tol=1e-8, \
                    power=2.0, n_jobs=None, memory_limit=None",
        parameters: &[
            Parameter {
                name: "loss",
                kind: "{\"squared\", \"huber\", \"insensitive\", \"epsilon\", \"ranking\"}",
                annotation: "Literal[\"squared\", \"huber\", \"insensitive\", \"epsilon\", \"ranking\"]",
                constraint: "[StrOptions({\"squared\", \"huber\", \"insensitive\", \"epsilon\", \
                             \"ranking\"})]",
                doc: "The loss that is minimised: ½(y − f)²; the same up to ``delta`` and linear \
                      beyond; max(0, |y − f| − ``epsilon``), that of :class:`SVR`, by two names; or \
                      Σ max(0, 1 − f_i + f_j) over pairs y_i > y_j, of whose predictions the \
                      order alone means something.",
            },
            Parameter {
                name: "delta",
                kind: "float",
                annotation: "float",
                constraint: "[POSITIVE]",
                doc: "Where the loss ``\"huber\"`` bends, in units of the target.",
            },
            Parameter {
                name: "epsilon",
                kind: "float",
                annotation: "float",
                constraint: "[NOT_NEGATIVE]",
                doc: "Half-width of the tube in which errors cost nothing; read by the loss \
                      ``\"insensitive\"`` alone.",
            },
            POWER,
        ],
        attributes: "\
n_iter_ : int
    Newton steps.
support_, support_vectors_, dual_coef_, intercept_, coef_, report_, kernel_
    As in :class:`SVC`.",
        example: "\
>>> import numpy as np
>>> from mercer import KernelRiskRegressor
>>> x = np.linspace(0, 6, 60)[:, None]
>>> y = np.sin(x[:, 0])
>>> y[::10] += 5.0
>>> model = KernelRiskRegressor(delta=0.1, C=10).fit(x, y)
>>> bool(abs(model.predict([[1.0]])[0] - np.sin(1.0)) < 0.1)
True",
    },
];
