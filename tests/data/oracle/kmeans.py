"""Records what scikit-learn's KMeans finds from given first centres.

    python tests/data/oracle/kmeans.py

writes kmeans.json beside this file: rows, first centres and settings with the centres, labels,
inertia and number of iterations of Lloyd's algorithm, and for some cases distances and labels of
new rows. Rows have three decimals, so that the file has the very numbers that were used.
"""

import json
import pathlib
import warnings

import numpy as np
import scipy
import scipy.sparse
import sklearn
from sklearn.cluster import KMeans


def blobs(seed, rows, columns, groups, spread):
    rng = np.random.default_rng(seed)
    middles = rng.uniform(-5, 5, (groups, columns))
    x = middles[rng.integers(groups, size=rows)] + spread * rng.standard_normal((rows, columns))
    return np.round(x, 3)


def cases():
    near = blobs(1, 120, 3, 4, 0.6)
    yield dict(id="groups", x=near, start=near[:4], new=blobs(2, 25, 3, 4, 2.0))
    noise = blobs(3, 200, 5, 1, 2.0)
    yield dict(id="no_groups", x=noise, start=noise[10:16])
    yield dict(id="single_precision", x=noise.astype(np.float32), start=noise[10:16])
    weights = np.random.default_rng(4).integers(1, 6, size=200) / 2.0
    yield dict(id="weights", x=noise, start=noise[20:26], weights=weights)
    yield dict(id="far_from_zero", x=near + np.array([1e6, -3e6, 5e5]), start=near[:4] + np.array([1e6, -3e6, 5e5]))
    constant = near.copy()
    constant[:, 1] = 7.25
    yield dict(id="constant_column", x=constant, start=constant[:5])
    grid = np.random.default_rng(5).integers(0, 4, size=(90, 2)) + np.array([0.0, 0.125])
    yield dict(id="duplicates", x=grid, start=np.array([[0.1, 0.2], [2.7, 0.4], [1.3, 2.9]]))
    lost = near[:4].copy()
    lost[2] = [100, 100, 100]
    yield dict(id="empty_cluster", x=near, start=lost)
    yield dict(id="one_cluster", x=near, start=near[:1])
    yield dict(id="all_rows", x=near[:9], start=near[:9])
    yield dict(id="loose", x=noise, start=noise[10:16], tol=0.02)
    yield dict(id="three_iterations", x=noise, start=noise[10:16], max_iter=3)
    yield dict(id="exact", x=noise, start=noise[30:38], tol=0.0)
    few = np.repeat(near[:3], 4, axis=0)
    yield dict(id="fewer_rows_than_clusters", x=few, start=np.vstack([near[:3], near[:2]]))
    rng = np.random.default_rng(6)
    holes = np.round(rng.exponential(1.0, (150, 24)) * (rng.random((150, 24)) < 0.15), 3)
    yield dict(id="sparse", x=scipy.sparse.csr_matrix(holes), start=holes[:5], new=holes[60:80])
    weights = rng.integers(1, 4, size=150).astype(float)
    yield dict(id="sparse_weights", x=scipy.sparse.csr_matrix(holes), start=holes[7:12], weights=weights)


def record(case):
    x, start = case["x"], np.asarray(case["start"], dtype=float)
    settings = dict(tol=case.get("tol", 1e-4), max_iter=case.get("max_iter", 300))
    model = KMeans(len(start), init=start, n_init=1, algorithm="lloyd", **settings)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        model.fit(x, sample_weight=case.get("weights"))
    sparse = scipy.sparse.issparse(x)
    out = dict(
        id=case["id"],
        sparse=bool(sparse),
        single=bool(x.dtype == np.float32),
        rows=np.asarray(x.toarray() if sparse else x, dtype=float).round(3).tolist(),
        start=start.tolist(),
        weights=None if "weights" not in case else case["weights"].tolist(),
        tolerance=settings["tol"],
        max_iterations=settings["max_iter"],
        centres=np.asarray(model.cluster_centers_, dtype=float).tolist(),
        labels=model.labels_.tolist(),
        inertia=float(model.inertia_),
        iterations=int(model.n_iter_),
        warned=any("distinct clusters" in str(w.message) for w in caught),
    )
    if "new" in case:
        new = scipy.sparse.csr_matrix(case["new"]) if sparse else case["new"]
        out["new"] = np.asarray(case["new"], dtype=float).tolist()
        out["new_labels"] = model.predict(new).tolist()
        out["new_distances"] = model.transform(new).tolist()
    return out


def main():
    recorded = [record(case) for case in cases()]
    header = dict(
        command="python tests/data/oracle/kmeans.py",
        versions=dict(numpy=np.__version__, scipy=scipy.__version__, sklearn=sklearn.__version__),
        objective="sum w |x - c|^2",
    )
    lines = ",\n".join(json.dumps(case, separators=(",", ":")) for case in recorded)
    text = f'{{"header":{json.dumps(header)},\n"cases":[\n{lines}\n]}}\n'
    pathlib.Path(__file__).with_name("kmeans.json").write_text(text)
    for case in recorded:
        print(case["id"], case["iterations"], case["inertia"], case["warned"])


if __name__ == "__main__":
    main()
