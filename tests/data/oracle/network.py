"""Loss and gradient of scikit-learn's networks from weights that are written down.

    python network.py > network.json

Rows, targets and weights come from a small generator of its own, so that the file holds all that
a test needs. The loss and its gradient are those of one full batch (`_backprop`), the penalty
included; three steps of momentum and of Adam follow from the same weights, in the order of the
rows.
"""

import json
import sys
import warnings

import numpy as np
import sklearn
from sklearn.neural_network import MLPClassifier, MLPRegressor
from sklearn.neural_network._stochastic_optimizers import AdamOptimizer, SGDOptimizer

ROWS, COLUMNS = 12, 3


def numbers(count, seed):
    draw = np.random.RandomState(seed)
    return draw.uniform(-1, 1, count).round(4)


def case(name, machine, y, weights, outputs, hidden):
    X = numbers(ROWS * COLUMNS, 1).reshape(ROWS, COLUMNS)
    sizes = [COLUMNS, *hidden, outputs]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        machine.set_params(hidden_layer_sizes=hidden, max_iter=1, batch_size=ROWS).fit(X, y)
    coefs = [numbers(a * b, 10 + k).reshape(a, b) for k, (a, b) in enumerate(zip(sizes, sizes[1:]))]
    intercepts = [numbers(b, 20 + k) for k, b in enumerate(sizes[1:])]
    machine.coefs_, machine.intercepts_ = coefs, intercepts
    target = y
    if isinstance(machine, MLPClassifier):
        target = machine._label_binarizer.transform(y).astype(float)
    target = np.asarray(target, dtype=float).reshape(ROWS, -1)

    def backprop():
        activations = [X] + [None] * len(coefs)
        deltas = [None] * len(coefs)
        return machine._backprop(
            X, target, weights, activations, deltas, [None] * len(coefs), [None] * len(coefs)
        )

    loss, coef_grads, intercept_grads = backprop()
    record = {
        "name": name,
        "activation": machine.activation,
        "output": machine.out_activation_,
        "alpha": machine.alpha,
        "hidden": list(hidden),
        "targets": target.tolist(),
        "row_weights": None if weights is None else weights.tolist(),
        "coefs": [c.tolist() for c in coefs],
        "intercepts": [b.tolist() for b in intercepts],
        "loss": loss,
        "coef_grads": [g.tolist() for g in coef_grads],
        "intercept_grads": [g.tolist() for g in intercept_grads],
    }
    start = [c.copy() for c in coefs], [b.copy() for b in intercepts]
    rules = {
        "momentum": lambda p: SGDOptimizer(p, 0.1, "constant", 0.9, False, 0.5),
        "nesterov": lambda p: SGDOptimizer(p, 0.1, "constant", 0.9, True, 0.5),
        "adam": lambda p: AdamOptimizer(p, 0.05, 0.9, 0.999, 1e-8),
    }
    for rule, make in rules.items():
        machine.coefs_, machine.intercepts_ = ([p.copy() for p in part] for part in start)
        coefs = machine.coefs_
        params = machine.coefs_ + machine.intercepts_
        optimizer = make(params)
        losses = []
        for _ in range(3):
            loss, coef_grads, intercept_grads = backprop()
            losses.append(loss)
            optimizer.update_params(params, coef_grads + intercept_grads)
        record[rule] = {
            "losses": losses,
            "coefs": [c.tolist() for c in machine.coefs_],
            "intercepts": [b.tolist() for b in machine.intercepts_],
        }
    return record


def main():
    two = np.arange(ROWS) % 2
    three = np.arange(ROWS) % 3
    real = numbers(ROWS, 2)
    counts = np.arange(ROWS) % 4
    weights = np.abs(numbers(ROWS, 3)) + 0.5
    cases = [
        case("two classes", MLPClassifier(activation="tanh", alpha=0.3), two, None, 1, (4,)),
        case("three classes", MLPClassifier(activation="relu", alpha=0.1), three, None, 3, (5, 4)),
        case("weighted", MLPClassifier(activation="logistic", alpha=0.2), three, weights, 3, (4,)),
        case("numbers", MLPRegressor(activation="logistic", alpha=0.5), real, None, 1, (4, 3)),
        case("linear gates", MLPRegressor(activation="identity", alpha=0.0), real, weights, 1, (2,)),
        case("counts", MLPRegressor(loss="poisson", activation="tanh", alpha=0.1), counts, None, 1, (3,)),
    ]
    X = numbers(ROWS * COLUMNS, 1).reshape(ROWS, COLUMNS)
    json.dump({"scikit-learn": sklearn.__version__, "rows": X.tolist(), "cases": cases}, sys.stdout)
    print()


main()
