"""Records what scikit-learn's PCA, KernelPCA and FastICA find on small rows.

    python tests/data/oracle/projection.py
"""

import json
import pathlib

import numpy as np
import sklearn
from sklearn.decomposition import PCA, FastICA, KernelPCA

HERE = pathlib.Path(__file__).parent
rng = np.random.default_rng(7)


def rounded(array):
    """Numbers as JSON holds them: all digits."""
    return np.asarray(array, float).tolist()


def pca_case(name, X, new, **settings):
    model = PCA(svd_solver="full", **settings).fit(X)
    return {
        "id": name,
        "rows": rounded(X),
        "new": rounded(new),
        "components": settings.get("n_components"),
        "whiten": settings.get("whiten", False),
        "axes": rounded(model.components_),
        "variances": rounded(model.explained_variance_),
        "shares": rounded(model.explained_variance_ratio_),
        "singular_values": rounded(model.singular_values_),
        "noise": float(model.noise_variance_),
        "found": int(model.n_components_),
        "coordinates": rounded(model.transform(new)),
        "back": rounded(model.inverse_transform(model.transform(new))),
    }


tall = rng.normal(size=(40, 5)) @ np.diag([3.0, 2.0, 1.0, 0.5, 0.1]) @ rng.normal(size=(5, 5))
wide = rng.normal(size=(8, 30)) * np.linspace(3, 0.1, 30)
far = tall * 1e-3 + 1e6
small = tall @ np.diag([1.0, 1e-3, 1e-6, 1.0, 1e-5])
pca = [
    pca_case("tall", tall, tall[:4] + 0.5),
    pca_case("tall_two", tall, tall[:4] + 0.5, n_components=2),
    pca_case("tall_share", tall, tall[:4] + 0.5, n_components=0.8),
    pca_case("tall_mle", tall, tall[:4] + 0.5, n_components="mle"),
    pca_case("whitened", tall, tall[:4] + 0.5, n_components=4, whiten=True),
    pca_case("wide", wide, wide[:4] - 0.5, n_components=6),
    pca_case("far", far, far[:4] + 1e-3, n_components=3),
    pca_case("small_scales", small, small[:4], n_components=5),
]


def kernel_case(name, X, new, expression, back=False, **settings):
    model = KernelPCA(eigen_solver="dense", fit_inverse_transform=back, **settings).fit(X)
    case = {
        "id": name,
        "rows": rounded(X),
        "new": rounded(new),
        "kernel": expression,
        "components": settings.get("n_components"),
        "eigenvalues": rounded(model.eigenvalues_),
        "eigenvectors": rounded(model.eigenvectors_.T),
        "coordinates": rounded(model.transform(new)),
    }
    if back:
        case["ridge"] = model.alpha
        case["back"] = rounded(model.inverse_transform(model.transform(new)))
    return case


ring = rng.normal(size=(30, 2))
ring *= (1 + 0.1 * rng.normal(size=(30, 1))) / np.linalg.norm(ring, axis=1, keepdims=True)
many = rng.normal(size=(400, 3)) + 3 * rng.integers(0, 2, size=(400, 1))
kernels = [
    kernel_case("rbf", ring, ring[:5] * 1.2, "rbf(gamma=0.7)", n_components=4, kernel="rbf", gamma=0.7),
    kernel_case("rbf_all", ring, ring[:5] * 1.2, "rbf(gamma=5)", kernel="rbf", gamma=5.0),
    kernel_case(
        "poly", ring, ring[:5] * 1.2, "poly(scale=0.5, degree=2, offset=1)", n_components=3,
        kernel="poly", degree=2, gamma=0.5, coef0=1,
    ),
    kernel_case(
        "back", ring, ring[:5] * 1.2, "rbf(gamma=0.7)", back=True, n_components=4, kernel="rbf", gamma=0.7,
        alpha=0.1,
    ),
    # More rows than are solved at once.
    kernel_case("many", many, many[:5] + 0.1, "rbf(gamma=0.2)", n_components=5, kernel="rbf", gamma=0.2),
]

t = np.arange(600)
sources = np.column_stack([np.sign(np.sin(2 * np.pi * t / 97)), (t % 61) / 30.5 - 1, np.sin(t / 13.0)])
mixed = sources @ np.array([[1.0, 0.5, 0.2], [1.0, 2.0, -0.4], [0.3, -1.0, 1.0]]) + [3.0, -2.0, 10.0]
start = rng.normal(size=(3, 3))
ica = []
for algorithm in ("parallel", "deflation"):
    for fun in ("logcosh", "exp", "cube"):
        for whiten in ("unit-variance", "arbitrary-variance"):
            model = FastICA(
                algorithm=algorithm, fun=fun, whiten=whiten, w_init=start, max_iter=400, tol=1e-10,
                fun_args={"alpha": 1.5} if fun == "logcosh" else None,
            ).fit(mixed)
            ica.append(
                {
                    "id": f"{algorithm}, {fun}, {whiten}",
                    "algorithm": "symmetric" if algorithm == "parallel" else "deflation",
                    "contrast": fun,
                    "variance": whiten.split("-")[0],
                    "steepness": 1.5 if fun == "logcosh" else 1.0,
                    "components": rounded(model.components_),
                    "mixing": rounded(model.mixing_),
                    "whitening": rounded(model.whitening_),
                    "mean": rounded(model.mean_),
                    "iterations": int(model.n_iter_),
                }
            )

record = {
    "made_by": f"scikit-learn {sklearn.__version__}",
    "pca": pca,
    "kernel_pca": kernels,
    "ica": {"rows": rounded(mixed), "start": rounded(start), "cases": ica},
}
(HERE / "projection.json").write_text(json.dumps(record) + "\n")
