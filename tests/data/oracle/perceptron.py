"""Weights of scikit-learn's Perceptron on rows in their order: writes perceptron.json.

Run with scikit-learn 1.9: ``python tests/data/oracle/perceptron.py``.
"""

import json
import pathlib
import warnings

import numpy as np
from sklearn.linear_model import Perceptron

# Names of the settings in mercer and of scikit-learn's parameters.
NAMES = {
    "penalty": "penalty",
    "lambda": "alpha",
    "l1_ratio": "l1_ratio",
    "step": "eta0",
    "max_iterations": "max_iter",
    "tolerance": "tol",
    "patience": "n_iter_no_change",
}
CASES = [
    ("two", {}),
    ("three", {}),
    ("two", {"step": 0.25, "max_iterations": 7}),
    ("three", {"tolerance": None, "max_iterations": 40}),
    ("two", {"patience": 2, "tolerance": 0.1}),
    ("two", {"penalty": "l2", "lambda": 0.01}),
    # Without a tolerance: scikit-learn's rule to stop looks at norms from before weights
    # were truncated.
    ("three", {"penalty": "l1", "lambda": 0.02, "tolerance": None, "max_iterations": 12}),
    (
        "three",
        {
            "penalty": "elasticnet",
            "lambda": 0.03,
            "l1_ratio": 0.4,
            "step": 0.5,
            "tolerance": None,
            "max_iterations": 12,
        },
    ),
]

rng = np.random.default_rng(19)
x = rng.normal(size=(60, 4)).round(3)
score = x @ [1.0, -0.5, 0.25, 0.0] + 0.3 * rng.normal(size=60)
two = np.where(score > 0.1, "up", "down")
three = np.array(["low", "middle", "top"])[np.digitize(score, [-0.5, 0.6])]

warnings.simplefilter("ignore")
cases = []
for target, settings in CASES:
    given = {NAMES[name]: value for name, value in settings.items()}
    model = Perceptron(shuffle=False, **given).fit(x, {"two": two, "three": three}[target])
    cases.append(
        {
            "target": target,
            "settings": settings,
            "coef": model.coef_.tolist(),
            "intercept": model.intercept_.tolist(),
            "passes": int(model.n_iter_),
        }
    )
found = {"x": x.tolist(), "two": two.tolist(), "three": three.tolist(), "cases": cases}
place = pathlib.Path(__file__).with_suffix(".json")
place.write_text(json.dumps(found) + "\n")
