"""Kernels ranked by evidence."""

import numpy as np
import pytest
import scipy.sparse as sp

import mercer


def rows(n=120, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.uniform(-2, 2, size=(n, 3))
    return X, rng


def test_the_right_kernel_wins():
    X, rng = rows()
    line = X @ [1.0, -2.0, 0.5] + 0.1 * rng.normal(size=len(X))
    found = mercer.select_kernel(X, line)
    assert found.table[0]["name"] == "linear"
    bump = np.sin(2 * X[:, 0]) * X[:, 1] + 0.05 * rng.normal(size=len(X))
    found = mercer.select_kernel(X, bump, kernels=["linear", "rbf", "rbf(columns)"])
    assert found.table[0]["name"] == "rbf(columns)"
    posteriors = [row["posterior"] for row in found.table]
    assert posteriors == sorted(posteriors, reverse=True)
    np.testing.assert_allclose(sum(posteriors), 1.0)


def test_the_outcome_can_be_used():
    X, rng = rows()
    y = np.sin(2 * X[:, 0]) + 0.1 * rng.normal(size=len(X))
    found = mercer.select_kernel(X, y, kernels=["rbf", mercer.kernels.linear()], standardise=False)
    machine = mercer.LSSVR(kernel=found.best_, C=found.ratio_).fit(X, y)
    assert machine.score(X, y) > 0.9
    # The ratio is the one that the machine finds by itself.
    np.testing.assert_allclose(
        mercer.LSSVR(kernel=found.best_).fit(X, y).C_, found.ratio_, rtol=0.02
    )


def test_the_table_is_shown():
    X, _ = rows(40)
    found = mercer.select_kernel(X, X[:, 0], kernels=["linear", "rbf"])
    text = repr(found)
    assert text.splitlines()[0].split()[:2] == ["name", "posterior"]
    assert "linear" in text and found._repr_html_().startswith("<table>")
    pytest.importorskip("pandas")
    assert list(found.to_frame()["name"]) == [row["name"] for row in found.table]


def test_classes_are_told_from_numbers(iris):
    X, y = iris
    classes = mercer.select_kernel(X, y, kernels=["linear", "rbf"])
    assert classes.table[0]["loo_error"] < 0.1
    numbers = mercer.select_kernel(X, y, kernels=["linear", "rbf"], task="regress")
    assert numbers.table[0]["log_evidence"] != classes.table[0]["log_evidence"]
    names = np.array(["a", "b", "c"])[y]
    named = mercer.select_kernel(X, names, kernels=["linear", "rbf"])
    assert [r["kernel"] for r in named.table] == [r["kernel"] for r in classes.table]


def test_other_rows():
    pd = pytest.importorskip("pandas")
    X, rng = rows()
    y = X[:, 0] + 0.1 * rng.normal(size=len(X))
    frame = pd.DataFrame(X, columns=["a", "b", "c"]).assign(kind=rng.choice(["u", "v"], len(X)))
    assert mercer.select_kernel(frame, y, kernels=["linear", "rbf"]).n_rows_ == 120
    options = {"kernels": ["linear"], "standardise": False}
    dense, sparse = (mercer.select_kernel(rows, y, **options) for rows in (X, sp.csr_matrix(X)))
    assert str(sparse.best_) == str(dense.best_)
    np.testing.assert_allclose(sparse.ratio_, dense.ratio_, rtol=1e-6)
    X[3, 1] = np.nan
    holes = mercer.select_kernel(X, y, kernels=["linear", "rbf"])
    assert holes.n_rows_ == 120 and holes.table[0]["name"] == "linear"


def test_refusals(iris):
    X, y = iris
    for arguments, says in (
        ({"y": y, "kernels": ["rfb"]}, "did you mean `rbf`"),
        ({"y": np.zeros(150)}, "greater than one"),
        ({"y": np.full(150, 0.5)}, "same for all rows"),
        ({"y": y[:9]}, "inconsistent numbers"),
        ({"y": y, "task": "guess"}, "classify"),
        ({"y": np.c_[y, y]}, "multiclass-multioutput"),
    ):
        with pytest.raises(ValueError, match=says):
            mercer.select_kernel(X, **arguments)
    with pytest.raises(ValueError, match="too few"):
        mercer.select_kernel(X[:2], [0.5, 1.5])


def test_groups_are_left_out_as_a_whole():
    rng = np.random.default_rng(3)
    own = np.repeat(rng.normal(size=(30, 2)) * [1.0, 3.0], 5, axis=0)
    slope = 2.0 * rng.normal(size=150)
    X = np.column_stack([slope, own[:, 0]])
    y = slope + own[:, 1] + 0.3 * rng.normal(size=150)
    names = np.repeat([f"thing {k}" for k in range(30)], 5)
    kernels = ["linear@1", "rbf@2"]
    assert mercer.select_kernel(X, y, kernels=kernels).table[0]["name"] == "rbf@2"
    found = mercer.select_kernel(X, y, kernels=kernels, groups=names)
    assert found.table[0]["name"] == "linear@1"
    assert any("30 groups" in note for note in found.notes_)
    with pytest.raises(ValueError, match="inconsistent"):
        mercer.select_kernel(X, y, kernels=kernels, groups=names[1:])
    with pytest.raises(ValueError, match="one group"):
        mercer.select_kernel(X, y, kernels=kernels, groups=np.zeros(150))
