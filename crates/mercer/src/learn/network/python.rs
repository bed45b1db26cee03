//! The Python classes of networks.

use crate::data::Task;
use crate::learn::{Parameter, PythonClass};

const fn parameter(
    name: &'static str,
    kind: &'static str,
    annotation: &'static str,
    constraint: &'static str,
    doc: &'static str,
) -> Parameter {
    Parameter {
        name,
        kind,
        annotation,
        constraint,
        doc,
    }
}

const LOSS: Parameter = parameter(
    "loss",
    "{\"squared_error\", \"poisson\"}",
    "Literal[\"squared_error\", \"poisson\"]",
    "[StrOptions({\"squared_error\", \"poisson\"})]",
    "What is minimised: half the squared error, summed over targets, or half the deviance of counts, \
     whose logarithm the network learns.",
);

const HIDDEN: Parameter = parameter(
    "hidden_layer_sizes",
    "int or array-like of int",
    "Any",
    "[COUNT, \"array-like\"]",
    "Gates of every hidden layer, from the inputs on; none makes a linear model.",
);

const ACTIVATION: Parameter = parameter(
    "activation",
    "{\"identity\", \"logistic\", \"tanh\", \"relu\"}",
    "Literal[\"identity\", \"logistic\", \"tanh\", \"relu\"]",
    "[StrOptions({\"identity\", \"logistic\", \"tanh\", \"relu\"})]",
    "What hidden gates make of their net inputs.",
);

const SOLVER: Parameter = parameter(
    "solver",
    "{\"adam\", \"sgd\", \"lbfgs\", \"cg\", \"lm\"}",
    "Literal[\"adam\", \"sgd\", \"lbfgs\", \"cg\", \"lm\"]",
    "[StrOptions({\"adam\", \"sgd\", \"lbfgs\", \"cg\", \"lm\"})]",
    "How the loss is minimised: in batches (``\"adam\"``, ``\"sgd\"``), or on all rows by L-BFGS, \
     conjugate gradients or Levenberg–Marquardt.",
);

const BATCH: Parameter = parameter(
    "batch_size",
    "int or \"auto\"",
    "int | Literal[\"auto\"]",
    "[StrOptions({\"auto\"}), COUNT]",
    "Rows of a batch; ``\"auto\"`` means 200, or all where there are fewer.",
);

const MOMENTUM: Parameter = parameter(
    "momentum",
    "float",
    "float",
    "[Interval(Real, 0.0, 1.0, closed=\"both\")]",
    "Share of the last step that counts on in ``\"sgd\"``.",
);

const VALIDATION: Parameter = parameter(
    "validation_fraction",
    "float",
    "float",
    "[Interval(Real, 0.0, 1.0, closed=\"left\")]",
    "Share of the rows that early stopping holds out.",
);

const FIRST: Parameter = parameter(
    "beta_1",
    "float",
    "float",
    "[Interval(Real, 0.0, 1.0, closed=\"left\")]",
    "Share of the first moment that ``\"adam\"`` keeps.",
);

const SECOND: Parameter = parameter(
    "beta_2",
    "float",
    "float",
    "[Interval(Real, 0.0, 1.0, closed=\"left\")]",
    "Share of the second moment that ``\"adam\"`` keeps.",
);

const PATIENCE: Parameter = parameter(
    "n_iter_no_change",
    "int or inf",
    "float",
    "[Interval(Real, 1, float(\"inf\"), closed=\"both\")]",
    "Epochs without improvement after which it ends.",
);

const MOST: Parameter = parameter(
    "max_iter",
    "int",
    "int",
    "[COUNT]",
    "Most epochs, or steps on all rows.",
);

const DRAW: Parameter = parameter(
    "random_state",
    "int or RandomState instance",
    "Any",
    "[\"random_state\"]",
    "What first weights, orders of rows and rows to hold out are drawn with.",
);

const VERBOSE: Parameter = parameter(
    "verbose",
    "bool",
    "bool | int",
    "[\"verbose\"]",
    "Whether the loss after every epoch is printed once the fit has ended.",
);

const CONTINUE: Parameter = parameter(
    "warm_start",
    "bool",
    "bool",
    "[\"boolean\"]",
    "Whether a fit begins with the weights of the last one.",
);

const OF_CLASSES: &[Parameter] = &[
    HIDDEN, ACTIVATION, SOLVER, BATCH, MOMENTUM, VALIDATION, FIRST, SECOND, PATIENCE, MOST, DRAW,
    VERBOSE, CONTINUE,
];

const OF_NUMBERS: &[Parameter] = &[
    LOSS, HIDDEN, ACTIVATION, SOLVER, BATCH, MOMENTUM, VALIDATION, FIRST, SECOND, PATIENCE, MOST,
    DRAW, VERBOSE, CONTINUE,
];

const ATTRIBUTES: &str = "\
coefs_ : list of ndarray
    The weights of every layer: a row for each input, a column for each gate.
intercepts_ : list of ndarray
    The constants of every layer.
loss_, best_loss_, loss_curve_
    The last loss, the least one (``None`` with early stopping), and that of every epoch.
validation_scores_, best_validation_score_
    Scores of the rows held out by early stopping, and the best; ``None`` without.
n_iter_, t_, n_layers_, n_outputs_, out_activation_
    Epochs, rows met by them, layers with the inputs counted, outputs, and what they make of
    their net inputs.
start_losses_ : ndarray of shape (n_init,)
    The loss at the end of every beginning.
objective_, stop_reason_, report_
    The loss of all rows, why the fit ended, and the whole account.";

pub(super) static MLP: &[PythonClass] = &[
    PythonClass {
        name: "MLPClassifier",
        task: Task::Classify,
        base: "_layers.NetworkClassifier",
        about: "A multilayer perceptron that tells classes apart, with scikit-learn's names and \
                meanings.\n\n\
                Minimises the cross-entropy of classes and a penalty on squared weights. \
                ``solver=\"cg\"`` are conjugate gradients, ``\"lm\"`` damped Gauss–Newton steps, which \
                pay for small networks; ``n_init`` beginnings are tried.",
        signature: "hidden_layer_sizes=(100,), activation=\"relu\", *, solver=\"adam\", alpha=0.0001, \
                    batch_size=\"auto\", learning_rate=\"constant\", learning_rate_init=0.001, \
                    power_t=0.5, max_iter=200, shuffle=True, random_state=None, tol=1e-4, \
                    verbose=False, warm_start=False, momentum=0.9, nesterovs_momentum=True, \
                    early_stopping=False, validation_fraction=0.1, beta_1=0.9, beta_2=0.999, \
                    epsilon=1e-8, n_iter_no_change=10, max_fun=15000, n_init=1",
        parameters: OF_CLASSES,
        attributes: ATTRIBUTES,
        example: "\
>>> from mercer import MLPClassifier
>>> X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0]
>>> model = MLPClassifier((4,), \"tanh\", solver=\"lbfgs\", n_init=5, random_state=0).fit(X, y)
>>> model.predict(X)
array([0, 1, 1, 0])",
    },
    PythonClass {
        name: "MLPRegressor",
        task: Task::Regress,
        base: "_layers.NetworkRegressor",
        about: "A multilayer perceptron that predicts numbers, with scikit-learn's names and \
                meanings.\n\n\
                Minimises half the squared error, or the deviance of counts, and a penalty on squared \
                weights. ``solver=\"cg\"`` are conjugate gradients, ``\"lm\"`` damped Gauss–Newton \
                steps, which pay for small networks; ``n_init`` beginnings are tried.",
        signature: "loss=\"squared_error\", hidden_layer_sizes=(100,), activation=\"relu\", *, \
                    solver=\"adam\", alpha=0.0001, batch_size=\"auto\", learning_rate=\"constant\", \
                    learning_rate_init=0.001, power_t=0.5, max_iter=200, shuffle=True, \
                    random_state=None, tol=1e-4, verbose=False, warm_start=False, momentum=0.9, \
                    nesterovs_momentum=True, early_stopping=False, validation_fraction=0.1, \
                    beta_1=0.9, beta_2=0.999, epsilon=1e-8, n_iter_no_change=10, max_fun=15000, \
                    n_init=1",
        parameters: OF_NUMBERS,
        attributes: ATTRIBUTES,
        example: "\
>>> from mercer import MLPRegressor
>>> X = [[x / 10] for x in range(20)]
>>> y = [x[0] ** 2 for x in X]
>>> model = MLPRegressor(hidden_layer_sizes=5, activation=\"tanh\", solver=\"lm\", random_state=0)
>>> bool(model.fit(X, y).score(X, y) > 0.999)
True",
    },
];

const GAUSSIAN_DRAW: Parameter = parameter(
    "random_state",
    "int or RandomState instance",
    "Any",
    "[\"random_state\"]",
    "What the first centres of k-means are drawn with.",
);

const GAUSSIANS: &str = "\
centers_ : ndarray of shape (n_centers, n_features)
    The centres of the Gaussians.
coef_ : ndarray of shape (n_centers,) or (n_decisions, n_centers)
    The weights of the Gaussians.
intercept_ : float or ndarray of shape (n_decisions,)
    The constants.
width_ : float
    The width of the Gaussians.
objective_, kkt_violation_, stop_reason_, report_
    The sum of squares with the penalty, how far the normal equations are from being met, why
    k-means ended, and the whole account.";

pub(super) static RBF_NET: &[PythonClass] = &[
    PythonClass {
        name: "RBFNetRegressor",
        task: Task::Regress,
        base: "_gaussians.GaussianRegressor",
        about: "A network of radial basis functions that predicts numbers.\n\n\
                f(x) = b + Σ v exp(−‖x − c‖²/(2 width²)) with the centres c by k-means, v and b by \
                least squares with the penalty alpha ‖v‖².",
        signature: "n_centers=10, *, width=None, alpha=0.0, n_init=1, random_state=None",
        parameters: &[GAUSSIAN_DRAW],
        attributes: GAUSSIANS,
        example: "\
>>> import numpy as np
>>> from mercer import RBFNetRegressor
>>> X = np.linspace(0, 6, 50)[:, None]
>>> model = RBFNetRegressor(8, random_state=0).fit(X, np.sin(X[:, 0]))
>>> bool(model.score(X, np.sin(X[:, 0])) > 0.99)
True",
    },
    PythonClass {
        name: "RBFNetClassifier",
        task: Task::Classify,
        base: "_gaussians.GaussianClassifier",
        about: "A network of radial basis functions that tells classes apart.\n\n\
                As :class:`RBFNetRegressor` with targets ±1; more than two classes are told apart \
                one against the rest.",
        signature: "n_centers=10, *, width=None, alpha=0.0, n_init=1, random_state=None",
        parameters: &[GAUSSIAN_DRAW],
        attributes: GAUSSIANS,
        example: "\
>>> from mercer import RBFNetClassifier
>>> X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0]
>>> RBFNetClassifier(4, width=0.5, random_state=0).fit(X, y).predict(X)
array([0, 1, 1, 0])",
    },
];
