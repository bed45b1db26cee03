"""Records the permutation importance of scikit-learn for kernel ridge on the diabetes set.

    python tests/data/oracle/importance.py

The first 300 rows are learnt from, the others are shuffled column by column, 200 times each.
"""

import csv
import json
import pathlib

import numpy as np
import sklearn
from sklearn.inspection import permutation_importance
from sklearn.kernel_ridge import KernelRidge
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

HERE = pathlib.Path(__file__).parent
ROWS, REPEATS, GAMMA, ALPHA = 300, 200, 0.02, 0.5

with open(HERE.parent / "sets" / "diabetes_efron.csv") as file:
    header, *rows = csv.reader(file)
table = np.array(rows, float)
X, y = table[:, :-1], table[:, -1]
model = make_pipeline(StandardScaler(), KernelRidge(kernel="rbf", gamma=GAMMA, alpha=ALPHA))
model.fit(X[:ROWS], y[:ROWS])
found = permutation_importance(model, X[ROWS:], y[ROWS:], scoring="r2", n_repeats=REPEATS, random_state=0)
record = {
    "made_by": f"scikit-learn {sklearn.__version__}",
    "rows": ROWS,
    "repeats": REPEATS,
    "gamma": GAMMA,
    "alpha": ALPHA,
    "r2": model.score(X[ROWS:], y[ROWS:]),
    "columns": header[:-1],
    "mean": found.importances_mean.tolist(),
    "deviation": found.importances_std.tolist(),
}
(HERE / "importance.json").write_text(json.dumps(record, indent=1) + "\n")
