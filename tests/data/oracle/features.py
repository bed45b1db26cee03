"""Records what scikit-learn's Nystroem and RBFSampler make of small rows.

    python tests/data/oracle/features.py
"""

import json
import pathlib

import numpy as np
import sklearn
from sklearn.kernel_approximation import Nystroem, RBFSampler

HERE = pathlib.Path(__file__).parent
rng = np.random.default_rng(11)
X = rng.normal(size=(14, 3)).round(3)
NEW = rng.normal(size=(4, 3)).round(3)


def landmarks(text, **settings):
    model = Nystroem(n_components=5, random_state=2, **settings).fit(X)
    return {
        "kernel": text,
        "landmarks": model.component_indices_.tolist(),
        "root": model.normalization_.tolist(),
        "features": model.transform(NEW).tolist(),
    }


def frequencies(gamma, count):
    model = RBFSampler(gamma=gamma, n_components=count, random_state=4).fit(X)
    return {
        "gamma": gamma,
        "weights": model.random_weights_.T.tolist(),
        "offsets": model.random_offset_.tolist(),
        "features": model.transform(NEW).tolist(),
    }


found = {
    "by": f"scikit-learn {sklearn.__version__}",
    "rows": X.tolist(),
    "new": NEW.tolist(),
    "nystroem": [
        landmarks("rbf(gamma=0.4)", kernel="rbf", gamma=0.4),
        landmarks("laplace(scale=2)", kernel="laplacian", gamma=0.5),
        landmarks("poly(degree=3, offset=1, scale=0.5)", kernel="poly", gamma=0.5, degree=3, coef0=1),
    ],
    "rbf_sampler": [frequencies(0.3, 6), frequencies(25.0, 3)],
}
(HERE / "features.json").write_text(json.dumps(found, indent=1) + "\n")
