"""Bounds, planes and the reject option, against SciPy and by hand."""

import math
import pickle

import numpy as np
import pytest
from scipy import special, stats

import mercer
from mercer import bounds


def test_worked_numbers():
    assert bounds.chebyshev_sample_size(epsilon=0.1, delta=0.05) == 500
    assert bounds.chernoff_sample_size(epsilon=0.1, delta=0.05) == 185
    assert bounds.chernoff_sample_size(epsilon=0.1, delta=0.05, sided=1) == 150
    found = bounds.chebyshev_interval(errors=20, n=200, delta=0.05)
    assert found == pytest.approx((0.03887450, 0.23385278), abs=5e-9)
    found = bounds.chernoff_interval(errors=20, n=200, delta=0.05)
    assert found == pytest.approx((0.1 - 0.09603228, 0.1 + 0.09603228), abs=5e-9)
    found = bounds.binomial_interval(errors=20, n=200, delta=0.05)
    assert found == pytest.approx((0.06215937, 0.15021279), abs=5e-9)
    assert bounds.vc_sample_size(vc=11, epsilon=0.1, delta=0.05) == 96614
    assert bounds.growth_function(m=10, vc=3) == 176
    assert bounds.growth_function(m=5, vc=9) == 32


@pytest.mark.parametrize("errors, n", [(0, 7), (3, 40), (40, 40), (251, 1000)])
@pytest.mark.parametrize("delta", [0.01, 0.2])
def test_exact_intervals_are_scipys(errors, n, delta):
    theirs = stats.binomtest(errors, n).proportion_ci(1 - delta, "exact")
    ours = bounds.binomial_interval(errors=errors, n=n, delta=delta)
    assert ours == pytest.approx((theirs.low, theirs.high), abs=1e-12)
    theirs = stats.binomtest(errors, n, alternative="less").proportion_ci(1 - delta, "exact")
    ours = bounds.binomial_interval(errors=errors, n=n, delta=delta, sided=1)
    assert ours == pytest.approx((theirs.low, theirs.high), abs=1e-12)
    law = stats.binom(n, 0.3)
    assert bounds.binomial_probability(errors=errors, n=n, rate=0.3) == pytest.approx(
        law.pmf(errors), rel=1e-12
    )
    assert bounds.error_count(n=n, rate=0.3) == pytest.approx((law.mean(), law.var()))


def test_the_exact_size_is_scipys():
    for rate, sided in ((0.5, 2), (0.1, 2), (0.1, 1)):
        n = bounds.binomial_sample_size(0.04, 0.05, rate=rate, sided=sided)

        def reach(n, rate=rate, share=0.05 / sided, sided=sided):
            wrong, right = n * rate, n * (1 - rate)
            high = stats.beta.ppf(1 - share, wrong + 1, right)
            low = stats.beta.ppf(share, wrong, right + 1)
            return max(high - rate, rate - low if sided == 2 else 0)

        assert reach(n) <= 0.04 < reach(n - 1)


@pytest.mark.parametrize("vc, epsilon, delta", [(3, 0.1, 0.05), (20, 0.3, 0.01), (1, 0.05, 0.2)])
def test_uniform_convergence_is_smallest(vc, epsilon, delta):
    def failure(rows):
        terms = [math.log(math.comb(2 * rows, i)) for i in range(vc + 1)]
        return math.log(4) + special.logsumexp(terms) - rows * epsilon**2 / 8

    rows = bounds.vc_sample_size(vc=vc, epsilon=epsilon, delta=delta)
    assert failure(rows) <= math.log(delta) < failure(rows - 1)
    assert bounds.uniform_deviation(rows, vc, delta) <= epsilon


@pytest.mark.parametrize("m, vc", [(0, 0), (30, 7), (64, 64), (200, 20), (127, 127)])
def test_the_growth_function_is_a_sum(m, vc):
    found = bounds.growth_function(m=m, vc=vc)
    assert found == sum(math.comb(m, i) for i in range(vc + 1))
    assert isinstance(found, int)


def test_large_growth_is_a_float():
    found = bounds.growth_function(m=1000, vc=60)
    assert found == pytest.approx(float(sum(math.comb(1000, i) for i in range(61))), rel=1e-9)
    assert bounds.growth_function(m=10**6, vc=10**6) == math.inf


def test_shattering():
    assert bounds.shatters([[0, 0], [1, 0], [0, 1]])
    square = bounds.shatters([[0, 0], [1, 1], [0, 1], [1, 0]])
    assert not square and square.reached == 14 and square.labellings == 16
    assert square.witness in ((True, True, False, False), (False, False, True, True))
    assert not bounds.shatters(np.array([[0.1, 1], [0.2, 2], [0.3, 3]]))
    assert bounds.shatters([[1, 0], [0, 1]], homogeneous=True)


def test_shattering_agrees_with_linear_programmes():
    optimize = pytest.importorskip("scipy.optimize")
    rng = np.random.default_rng(0)
    for k, d in ((4, 2), (5, 2), (5, 3), (6, 1)):
        points = rng.integers(-2, 3, size=(k, d)).astype(float)
        reached = 0
        for labelling in range(2**k):
            y = np.array([1 if labelling >> i & 1 else -1 for i in range(k)])
            A = -y[:, None] * np.column_stack([points, np.ones(k)])
            found = optimize.linprog(np.zeros(d + 1), A, -np.ones(k), bounds=(None, None))
            reached += found.status == 0
        ours = bounds.shatters(points)
        assert ours.reached == reached and ours.exact
        assert bool(ours) == (reached == 2**k)
        if ours.witness is not None:
            y = np.where(ours.witness, 1, -1)
            A = -y[:, None] * np.column_stack([points, np.ones(k)])
            found = optimize.linprog(np.zeros(d + 1), A, -np.ones(k), bounds=(None, None))
            assert found.status == 2


def test_margins():
    given = {"n": 1000, "radius": 1, "margin": 0.5, "delta": 0.05}
    assert bounds.margin_bound(**given) == pytest.approx(0.212384988, abs=5e-10)
    measured = bounds.margin_bound(**given, measured=True)
    assert measured == pytest.approx(0.295929154, abs=5e-10)
    assert bounds.margin_bound(**given, measured=True, bias="free") > measured
    with pytest.raises(ValueError, match="free constant"):
        bounds.margin_bound(**given, bias="free")
    soft = bounds.soft_margin_bound(n=1000, radius=1, norm=2)
    assert soft[:2] == pytest.approx((0.0223606798, 0.178885438), abs=5e-10)
    soft = bounds.soft_margin_bound(n=1000, radius=1, lambda_=0.01)
    assert soft.excess == pytest.approx(0.2) and soft.bound is None
    with pytest.raises(ValueError, match="one of"):
        bounds.soft_margin_bound(n=1000, radius=1)


def test_bad_numbers_are_named():
    for call, name in (
        (lambda: bounds.chernoff_sample_size(0.1, 1.0), "delta"),
        (lambda: bounds.chernoff_sample_size(0.0, 0.1), "epsilon"),
        (lambda: bounds.chernoff_sample_size(math.nan, 0.1), "epsilon"),
        (lambda: bounds.chernoff_sample_size(0.1, 0.1, sided=3), "sided"),
        (lambda: bounds.binomial_interval(3, 2, 0.05), "errors"),
        (lambda: bounds.binomial_interval(0, 0, 0.05), "`n`"),
        (lambda: bounds.binomial_interval(-1, 5, 0.05), "errors"),
        (lambda: bounds.binomial_interval(1.5, 5, 0.05), "whole"),
        (lambda: bounds.binomial_probability(1, 5, 1.5), "rate"),
        (lambda: bounds.margin_bound(10, 0, 1, 0.1), "radius"),
        (lambda: bounds.shatters(np.zeros((21, 2))), "21 points"),
        (lambda: bounds.shatters([[1.0, math.nan]]), "not finite"),
        (lambda: bounds.shatters([1.0, 2.0]), "points"),
        (lambda: bounds.vc_sample_size(3, 0.1, -1), "delta"),
        (lambda: mercer.margin([[1.0]], ["a"], [1.0]), "pos_label"),
        (lambda: mercer.margin([[1.0], [2.0]], [0, 1], [0.0]), "all zero"),
        (lambda: mercer.margin([[1.0], [2.0]], [0, 1], [1.0, 2.0]), "1 expected"),
        (lambda: mercer.reject_curve([0, 1], [[0.5, 0.3, 0.2], [1, 0, 0]]), "classes"),
    ):
        with pytest.raises(ValueError, match=name):
            call()


def test_the_plane_of_the_course():
    X, y = [[3, 4], [0, 0], [-1, 1]], [1, -1, 1]
    found = mercer.margin(X, y, weights=[3, 4], bias=-5)
    assert (found.functional, found.geometric) == (-4.0, -0.8)
    assert found.mean_hinge == pytest.approx(5 / 3) and found.error == pytest.approx(1 / 3)
    assert found.distances[0] == 4
    assert found.distances_with_constant[0] == pytest.approx(2.82842712, abs=5e-9)
    names = mercer.margin(X, ["yes", "no", "yes"], [3, 4], -5)
    assert names.functional == found.functional
    turned = mercer.margin(X, y, [3, 4], -5, pos_label=-1)
    assert turned.functional == -20


def test_the_hinge_is_scikit_learns():
    from sklearn.metrics import hinge_loss

    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(50, 3)), rng.choice([-1, 1], 50)
    w = rng.normal(size=3)
    found = mercer.margin(X, y, w, 0.3)
    assert found.mean_hinge == pytest.approx(hinge_loss(y, X @ w + 0.3))
    assert found.error <= found.mean_hinge


def test_the_reject_option():
    found = mercer.reject_curve([1, 1, 0, 1], [0.95, 0.9, 0.8, 0.6])
    assert found.wrong.tolist() == [0.25, 0.25, 0, 0, 0]
    assert found.error[:4] == pytest.approx([1 / 4, 1 / 3, 0, 0]) and np.isnan(found.error[4])
    three = np.array([[0.5, 0.3, 0.2], [0.1, 0.8, 0.1], [0.4, 0.4, 0.2]])
    found = mercer.reject_curve(["a", "b", "c"], three, sample_weight=[1, 1, 2])
    assert found.wrong[0] == 0.5 and found.rejected.tolist() == [0, 0.5, 0.75, 1]
    weighted = mercer.reject_curve([0, 1], [[0.9, 0.1], [0.2, 0.8]], classes=[0, 1])
    assert weighted.wrong.tolist() == [0, 0, 0]


def test_values_are_kept_by_pickles():
    for value in (bounds.error_count(5, 0.2), bounds.shatters([[0.0]])):
        assert pickle.loads(pickle.dumps(value)) == value


def test_fits_report_slack():
    X = np.array([[-2.0], [-1.0], [1.0], [2.0], [1.5]])
    y = np.array([0, 0, 1, 1, 0])
    for model in (mercer.SVC(kernel="linear"), mercer.LinearSVC(loss="hinge", C=1.0)):
        problem = model.fit(X, y).report_.problems[0]
        f = model.decision_function(X) * np.where(y == 1, 1, -1)
        slack = np.maximum(0, 1 - f)
        assert problem["slack"]["mean_hinge"] == pytest.approx(slack.mean(), abs=1e-3)
        assert problem["slack"]["above_one"] == (slack > 1).sum()
        assert problem["slack"]["radius"] == 2.0


def test_description_lengths():
    found = bounds.description([0.25, 0.75], [0.9**9 * 0.1, 0.5**10])
    assert found.bits == pytest.approx([6.68995594, 10.41503750], abs=5e-9)
    assert found.posterior[0] == pytest.approx(0.929696054, abs=5e-10)
    assert found.hypothesis_bits[0] == 2 and found.shortest == 0
    assert found.entropy == pytest.approx(0.811278, abs=5e-7)
    # Logarithms reach where numbers do not, and weights are priors.
    far = bounds.description([1, 1], log_likelihood=[-1e6, -1e6 + math.log(2)])
    assert far.posterior == pytest.approx([1 / 3, 2 / 3])
    assert far.entropy == 1
    assert bounds.description([0.5, 0.5], [0.0, 0.1]).posterior.tolist() == [0, 1]
    for wrong in ([0.5, -0.5], [0, 0], [0.5]):
        with pytest.raises(ValueError):
            bounds.description(wrong, [0.1, 0.1])
    with pytest.raises(ValueError):
        bounds.description([0.5, 0.5], [1.5, 0.1])
    with pytest.raises(TypeError):
        bounds.description([0.5, 0.5])


def test_finite_classes():
    assert bounds.finite_class_dimension(1000) == 9
    assert bounds.finite_class_dimension(1024) == 10
    with pytest.raises(ValueError):
        bounds.finite_class_dimension(0)
