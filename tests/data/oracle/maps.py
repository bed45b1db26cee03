"""Records what other programs say of clusters, maps and ranks.

    python tests/data/oracle/maps.py

writes maps.json beside this file: silhouettes of scikit-learn; errors and U-matrices of MiniSom for
given units; batch maps by the plain formula in NumPy, all units against all rows; ranks of NetworkX.
Rows have three decimals, so that the file has the very numbers that were used.
"""

import json
import pathlib

import minisom
import networkx as nx
import numpy as np
import scipy
import sklearn
from scipy.spatial.distance import cdist
from sklearn.metrics import calinski_harabasz_score, silhouette_samples


def blobs(seed, rows, columns, groups, spread):
    rng = np.random.default_rng(seed)
    middles = rng.uniform(-5, 5, (groups, columns))
    x = middles[rng.integers(groups, size=rows)] + spread * rng.standard_normal((rows, columns))
    return np.round(x, 3)


def silhouettes():
    for name, x, clusters in [
        ("groups", blobs(1, 90, 3, 4, 0.7), 4),
        ("no_groups", blobs(2, 70, 5, 1, 2.0), 3),
        ("many", blobs(3, 300, 2, 12, 0.5), 12),
        ("far", blobs(4, 60, 2, 3, 0.5) + np.array([1e4, -1e4]), 3),
        ("equal_rows", np.round(blobs(5, 50, 1, 4, 0.4), 0), 4),
    ]:
        labels = np.random.default_rng(7).integers(clusters, size=len(x))
        # Near ones together, some of them wrong, and a cluster of one row.
        order = np.argsort(x[:, 0])
        labels[order] = np.where(labels[order] == 0, 0, np.arange(len(x)) * clusters // len(x))
        labels[order[0]] = clusters
        yield dict(
            id=name,
            rows=x.tolist(),
            labels=labels.tolist(),
            # Distances from differences: those of scikit-learn lose half the digits far from zero.
            samples=silhouette_samples(cdist(x, x), labels, metric="precomputed").tolist(),
            calinski_harabasz=float(calinski_harabasz_score(x, labels)),
        )


def of_minisom():
    for name, rows, columns, lattice in [
        ("square", 4, 5, "rectangular"),
        ("line", 1, 6, "rectangular"),
    ]:
        x = blobs(8, 80, 3, 5, 0.8)
        units = np.round(np.random.default_rng(9).uniform(-5, 5, (rows, columns, 3)), 3)
        som = minisom.MiniSom(rows, columns, 3, topology=lattice)
        som._weights = units.copy()
        near = som.distance_map(scaling="mean")
        yield dict(
            id=name,
            rows=rows,
            columns=columns,
            lattice=lattice,
            x=x.tolist(),
            units=units.reshape(-1, 3).tolist(),
            quantisation=float(som.quantization_error(x)),
            topographic=float(som.topographic_error(x)),
            # MiniSom divides by the largest.
            u_matrix=(near / near.max()).ravel().tolist(),
        )


def places(rows, columns, lattice):
    r, c = np.divmod(np.arange(rows * columns), columns)
    if lattice == "hexagonal":
        return np.stack([c + 0.5 * (r % 2), r * np.sqrt(0.75)], axis=1)
    return np.stack([c, r], axis=1).astype(float)


def by_formula():
    for name, rows, columns, lattice, epochs, radii in [
        ("hexagonal", 4, 6, "hexagonal", 7, (3.0, 0.5)),
        ("rectangular", 5, 4, "rectangular", 5, (2.5, 0.3)),
        ("one_pass", 3, 3, "hexagonal", 1, (1.0, 1.0)),
    ]:
        x = blobs(10, 70, 3, 4, 0.9)
        weights = np.random.default_rng(11).integers(1, 4, size=len(x)).astype(float)
        start = x[: rows * columns].copy()
        units, at = start.copy(), places(rows, columns, lattice)
        apart = ((at[:, None] - at[None]) ** 2).sum(axis=2)
        for epoch in range(epochs):
            share = epoch / max(epochs - 1, 1)
            radius = radii[0] + share * (radii[1] - radii[0])
            squares = ((x[:, None] - units[None]) ** 2).sum(axis=2)
            near = np.exp(-apart[squares.argmin(axis=1)] / (2 * radius**2)) * weights[:, None]
            units = near.T @ x / near.sum(axis=0)[:, None]
        yield dict(
            id=name,
            rows=rows,
            columns=columns,
            lattice=lattice,
            epochs=epochs,
            radii=radii,
            x=x.tolist(),
            weights=weights.tolist(),
            start=start.tolist(),
            units=units.tolist(),
        )


def ranks():
    rng = np.random.default_rng(12)
    graphs = {
        "worked": [(0, 1), (0, 2), (1, 2), (2, 0)],
        "dangling": [(0, 1), (0, 2), (1, 2), (3, 2)],
        "random": sorted({tuple(map(int, pair)) for pair in rng.integers(0, 30, (90, 2))}),
    }
    for name, edges in graphs.items():
        for damping in (0.85, 0.5):
            graph = nx.DiGraph()
            graph.add_nodes_from(range(1 + max(map(max, edges))))
            weights = [1.0 + (k % 3 if name == "random" else 0) for k in range(len(edges))]
            for (a, b), weight in zip(edges, weights, strict=True):
                graph.add_edge(a, b, weight=weight)
            found = nx.pagerank(graph, alpha=damping, tol=1e-14, max_iter=10_000)
            yield dict(
                id=name,
                damping=damping,
                nodes=len(graph),
                edges=[[a, b, w] for (a, b), w in zip(edges, weights, strict=True)],
                scores=[found[k] for k in range(len(graph))],
            )


def main():
    recorded = dict(
        header=dict(
            command="python tests/data/oracle/maps.py",
            versions=dict(
                minisom=getattr(minisom, "__version__", "2.3"),
                networkx=nx.__version__,
                numpy=np.__version__,
                scipy=scipy.__version__,
                sklearn=sklearn.__version__,
            ),
        ),
        silhouettes=list(silhouettes()),
        minisom=list(of_minisom()),
        batch=list(by_formula()),
        ranks=list(ranks()),
    )
    parts = []
    for name, cases in recorded.items():
        lines = cases if isinstance(cases, list) else [cases]
        text = ",\n".join(json.dumps(case, separators=(",", ":")) for case in lines)
        parts.append(f'"{name}":' + (f"[\n{text}\n]" if isinstance(cases, list) else text))
    path = pathlib.Path(__file__).with_name("maps.json")
    path.write_text("{" + ",\n".join(parts) + "}\n")
    for case in recorded["minisom"]:
        print(case["id"], case["quantisation"], case["topographic"])
    for case in recorded["ranks"]:
        print(case["id"], case["damping"], np.round(case["scores"][:4], 8))


if __name__ == "__main__":
    main()
