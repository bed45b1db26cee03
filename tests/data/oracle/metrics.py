"""Records what scikit-learn says of made-up predictions: the metrics of `judge::metrics`, weighted and not.

Run: python tests/data/oracle/metrics.py  (writes metrics.json beside it)
"""

import json
from pathlib import Path

import numpy as np
from sklearn import metrics as m

rng = np.random.default_rng(22)


def two(weights):
    """Two classes; the second is positive, and some scores tie."""
    n = 60
    truth = rng.integers(0, 2, n)
    chance = np.round(np.clip(0.3 + 0.4 * truth + rng.normal(0, 0.25, n), 0.01, 0.99), 2)
    decision = np.round(4 * (chance - 0.5) + rng.normal(0, 0.2, n), 3)
    said = (chance > 0.5).astype(int)
    w = rng.integers(1, 4, n).astype(float) if weights else None
    found = {
        "precision": m.precision_score(truth, said, sample_weight=w),
        "recall": m.recall_score(truth, said, sample_weight=w),
        "f1": m.f1_score(truth, said, sample_weight=w),
        "kappa": m.cohen_kappa_score(truth, said, sample_weight=w),
        "average_precision": m.average_precision_score(truth, chance, sample_weight=w),
        "roc_auc": m.roc_auc_score(truth, chance, sample_weight=w),
        "hinge": m.hinge_loss(truth, decision, sample_weight=w),
        "balanced_accuracy": m.balanced_accuracy_score(truth, said, sample_weight=w),
        "mcc": m.matthews_corrcoef(truth, said, sample_weight=w),
        "log_loss": m.log_loss(truth, chance, sample_weight=w),
    }
    rows = {"truth": truth, "said": said, "decision": decision, "chance": np.c_[1 - chance, chance]}
    return rows, w, found


def three(weights):
    n = 70
    truth = rng.integers(0, 3, n)
    chance = rng.dirichlet([1, 1, 1], n)
    chance[np.arange(n), truth] += 0.5
    chance /= chance.sum(axis=1, keepdims=True)
    said = chance.argmax(axis=1)
    w = rng.integers(1, 4, n).astype(float) if weights else None
    found = {
        "precision": m.precision_score(truth, said, average="macro", sample_weight=w),
        "recall": m.recall_score(truth, said, average="macro", sample_weight=w),
        "macro_f1": m.f1_score(truth, said, average="macro", sample_weight=w),
        "kappa": m.cohen_kappa_score(truth, said, sample_weight=w),
        "log_loss": m.log_loss(truth, chance, sample_weight=w),
    }
    return {"truth": truth, "said": said, "decision": None, "chance": chance}, w, found


def numbers(weights):
    n = 51
    truth = np.round(rng.normal(3, 2, n), 3)
    said = np.round(truth + rng.normal(0.3, 1, n), 3)
    w = rng.integers(1, 4, n).astype(float) if weights else None
    found = {
        "mae": m.mean_absolute_error(truth, said, sample_weight=w),
        "rmse": m.root_mean_squared_error(truth, said, sample_weight=w),
        "r2": m.r2_score(truth, said, sample_weight=w),
        "explained_variance": m.explained_variance_score(truth, said, sample_weight=w),
        "mape": m.mean_absolute_percentage_error(truth, said, sample_weight=w),
        "max_error": m.max_error(truth, said),
    }
    if w is None:
        # With weights scikit-learn takes another point between two errors.
        found["median_absolute_error"] = m.median_absolute_error(truth, said)
        found["pinball_0.9"] = m.mean_pinball_loss(truth, said, alpha=0.9)
    return {"truth": truth, "said": said, "decision": None, "chance": None}, w, found


def plain(value):
    return None if value is None else np.asarray(value).tolist()


cases = []
for kind in (two, three, numbers):
    for weights in (False, True):
        rows, w, found = kind(weights)
        case = {"kind": kind.__name__, "weights": plain(w)}
        case |= {name: plain(values) for name, values in rows.items()}
        cases.append(case | {"metrics": {name: float(v) for name, v in found.items()}})
text = json.dumps({"cases": cases})
Path(__file__).with_suffix(".json").write_text(text + "\n")
