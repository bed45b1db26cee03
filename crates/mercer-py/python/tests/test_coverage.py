"""Measured coverage, by hand and against what models promise."""

import numpy as np
import pytest

import mercer


def test_coverage_by_hand():
    y = np.arange(100.0)
    low, high = y - 1, y + 1
    low[90:], high[90:] = y[90:] + 1, y[90:] + 9
    found = mercer.coverage(y, (low, high), level=0.9)
    assert found.covered == 0.9 and found.rows == 100
    assert found.parts[-1]["covered"] == 0.0 and found.parts[0]["covered"] == 1.0
    # 90 rows of width 2, ten of width 8 that miss by 1.
    assert found.interval_score == pytest.approx((90 * 2 + 10 * (8 + 20)) / 100)
    assert "all rows" in repr(found) and found._repr_html_().startswith("<table")


def test_sets_per_class_keep_their_promise_for_rare_classes():
    rng = np.random.default_rng(0)

    def rows(n):
        y = (rng.uniform(size=n) < 0.12).astype(int)
        return rng.normal(size=(n, 2)) + 1.2 * y[:, None], y

    (X, y), (X_new, y_new) = rows(500), rows(4000)
    model = mercer.KernelClassifier(random_state=0).fit(X, y)
    plain = mercer.coverage(y_new, sets=model.predict_set(X_new, 0.9), labels=model.classes_)
    own = mercer.coverage(
        y_new, sets=model.predict_set(X_new, 0.9, per_class=True), labels=model.classes_
    )
    assert plain.covered == pytest.approx(0.9, abs=0.03)
    rare = [part["covered"] for part in plain.parts]
    conditional = [part["covered"] for part in own.parts]
    # The rare class pays for the frequent one, unless each has a promise of its own.
    assert rare[1] < 0.8
    # The promise is a lower bound: where no class would be left, the most probable one stays.
    assert conditional[0] > 0.87
    assert conditional[1] == pytest.approx(0.9, abs=0.1)
    assert own.size > plain.size


def test_nonsense_is_refused():
    with pytest.raises(ValueError, match="either"):
        mercer.coverage([1.0])
    with pytest.raises(ValueError, match="labels"):
        mercer.coverage(["a"], sets=[[True]])
    with pytest.raises(ValueError, match="none of"):
        mercer.coverage(["x"], sets=[[True]], labels=["a"])
    with pytest.raises(ValueError, match="upper"):
        mercer.coverage([1.0], ([2.0], [1.0]))
