"""Probabilities never run against decisions; labels follow them and the class factors."""

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

import mercer

RHO = 1.324717957244746


def even(first, last):
    """Points that any program can write down: even, and without any structure."""
    i = np.arange(first, last + 1)
    return np.stack([i / RHO % 1, i / RHO**2 % 1], axis=1)


@pytest.fixture(scope="module")
def noise():
    return even(1, 60), ((7 * np.arange(60)) % 10 < 3).astype(int)


@pytest.fixture(scope="module")
def uneven():
    X = even(1, 150)
    return X, ((X[:, 0] > 0.75) & ((7 * np.arange(150)) % 10 < 6)).astype(int)


def rbf(A, B, gamma):
    return np.exp(-gamma * ((A[:, None] - B[None]) ** 2).sum(axis=2))


@pytest.mark.parametrize("params", [{}, {"C": 2.0}, {"probability": "moderated"},
                                    {"keep": 0.5}, {"class_weight": {1: 5.0}}], ids=str)
def test_decision_function_is_the_function(uneven, params):
    X, y = uneven
    machine = mercer.LSSVC(gamma=3.0, **params).fit(X, y)
    f = machine.decision_function(X)
    sum_ = rbf(X, machine.support_vectors_, 3.0) @ machine.dual_coef_[0]
    np.testing.assert_allclose(f, sum_ + machine.intercept_[0], atol=1e-9)


@pytest.mark.parametrize("multi_class", ["ovr", "ovo"])
def test_decision_functions_of_several_classes(iris, multi_class):
    """A value per class that is largest for the label: log of factor times probability."""
    X, y = iris
    machine = mercer.LSSVC(C=1.0, gamma=0.3, multi_class=multi_class, class_weight={1: 3.0})
    machine.fit(X, y)
    scores = machine.decision_function(X)
    np.testing.assert_array_equal(scores.argmax(axis=1), machine.predict(X))
    expected = np.log(machine.predict_proba(X) * [1.0, 3.0, 1.0])
    np.testing.assert_allclose(scores, expected, atol=1e-9)
    assert (scores.argmax(axis=1) == y).mean() > 0.9


@pytest.mark.parametrize(
    "machine",
    [
        mercer.LSSVC(),
        mercer.LSSVC(gamma=1.0, C=1e-8),
        mercer.LSSVC(gamma=10.0, C=100.0),
        mercer.SVC(gamma=10.0, probability=True),
        mercer.NuSVC(gamma=10.0, nu=0.4, probability=True),
        mercer.KernelClassifier(budget=0.1),
    ],
    ids=str,
)
def test_noise_gets_the_share_and_keeps_the_order(noise, machine):
    X, y = noise
    machine.fit(X, y)
    new = even(61, 560)
    p = machine.predict_proba(new)[:, 1]
    assert abs(p.mean() - 0.3) < 0.03
    assert p.min() > 0.15 and p.max() < 0.45
    labels = np.arange(500) % 2
    f = machine.decision_function(new)
    assert roc_auc_score(labels, p) == pytest.approx(roc_auc_score(labels, f), abs=1e-12)


@pytest.mark.parametrize("probability", ["sigmoid", "moderated"])
@pytest.mark.parametrize("factor", [0.2, 1.0, 4.0])
def test_labels_follow_probabilities_and_factors(uneven, probability, factor):
    X, y = uneven
    machine = mercer.LSSVC(
        gamma=5.0, C=2.0, probability=probability, class_weight={1: factor}
    ).fit(X, y)
    new = even(151, 600)
    scores = machine.predict_proba(new) * [1.0, factor]
    assert np.array_equal(machine.predict(new), scores.argmax(axis=1))


def test_class_weights_leave_probabilities_alone(noise):
    X, y = noise
    machine = mercer.LSSVC(gamma=10.0, C=10.0, class_weight={1: 10.0}).fit(X, y)
    p = machine.predict_proba(X)[:, 1]
    assert 0.298 < p.min() and p.max() < 0.306
    assert machine.loo_error_ == pytest.approx(48 / 60)
    assert (machine.predict(X) == 1).all()
    chosen = mercer.KernelClassifier(budget=0.1, class_weight={1: 10.0}).fit(X, y)
    assert abs(chosen.predict_proba(X)[:, 1].mean() - 0.3) < 0.05


def test_few_rows_are_labelled_as_the_decisions_say():
    # A sigmoid that is shrunken to the shares gives one class to every row.
    right = []
    for seed in range(8):
        rng = np.random.default_rng(seed)
        X, new = rng.normal(size=(12, 3)), rng.normal(size=(200, 3))
        y = (X[:, 0] + 0.3 * rng.normal(size=12) > 0.2).astype(int)
        machine = mercer.KernelClassifier(n_jobs=1).fit(X, y)
        labels, signs = machine.predict(new), machine.decision_function(new) > 0
        assert np.array_equal(labels, machine.predict_proba(new).argmax(axis=1))
        right.append([(said == (new[:, 0] > 0.2)).mean() for said in (labels, signs)])
    by_label, by_sign = np.mean(right, axis=0)
    assert by_label > by_sign - 0.03


def test_logistic_regression_counts_factors_once(uneven):
    X, y = uneven
    machine = mercer.KernelLogisticRegression(gamma=5.0, class_weight={1: 4.0}).fit(X, y)
    expected = (machine.predict_proba(X) * [1.0, 4.0]).argmax(axis=1)
    assert np.array_equal(machine.predict(X), expected)


def test_kernel_logistic_regression_does_not_believe_noise():
    # 1/(1 + exp(-f)) of the likelihood at C = 1 loses 0.007 nats on 400 rows; 2/n is the bar.
    rows, share, lost = 400, 0.3, []
    for seed in range(12):
        rng = np.random.default_rng(seed)
        X, y = rng.normal(size=(rows, 5)), rng.random(rows) < share
        machine = mercer.KernelLogisticRegression().fit(X, y)
        p = machine.predict_proba(rng.normal(size=(500, 5)))[:, 1]
        own = share * np.log(share) + (1 - share) * np.log(1 - share)
        lost.append(own - (share * np.log(p) + (1 - share) * np.log(1 - p)).mean())
    assert np.mean(lost) < 2 / rows


def test_rows_that_differ_from_the_sign_are_counted(uneven):
    X, y = uneven
    for factor in [1.0, 0.2, 4.0]:
        machine = mercer.LSSVC(gamma=5.0, C=2.0, class_weight={1: factor}).fit(X, y)
        differ = (machine.predict(X) != (machine.decision_function(X) > 0)).sum()
        told = [note for note in machine.report_.notes if "get another class" in note]
        assert bool(told) == bool(differ)
        assert all(note.startswith(f"{differ} of 150 ") for note in told)


def test_factors_are_kept_in_files_and_onnx(uneven, tmp_path):
    X, y = uneven
    machine = mercer.LSSVC(gamma=5.0, C=2.0, class_weight={1: 4.0}).fit(X, y)
    plain = mercer.LSSVC(gamma=5.0, C=2.0).fit(X, y)
    assert (machine.predict(X) != plain.predict(X)).any()
    mercer.save(machine, tmp_path / "m.mercer")
    again = mercer.load(tmp_path / "m.mercer")
    assert np.array_equal(again.predict(X), machine.predict(X))
    onnxruntime = pytest.importorskip("onnxruntime")
    session = onnxruntime.InferenceSession(
        mercer.to_onnx(machine), providers=["CPUExecutionProvider"]
    )
    given = session.get_inputs()[0]
    kind = np.float32 if "float" in given.type else np.float64
    label = session.run(["label"], {given.name: X.astype(kind)})[0].ravel()
    assert (label == machine.predict(X)).mean() > 0.99
