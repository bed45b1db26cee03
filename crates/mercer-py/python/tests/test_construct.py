"""Networks that are written down."""

import itertools

import numpy as np
import pytest

import mercer


def test_every_function_of_three_bits():
    X = np.array(list(itertools.product([0, 1], repeat=3)))
    for table in range(1, 255):
        y = (table >> np.arange(8)) & 1
        network = mercer.truth_table(X, y)
        assert (network.predict(X) == y).all()
        assert network.hidden_layer_sizes == (y.sum(),)
    assert network.predict_proba(X).tolist() == np.eye(2)[y].tolist()


def test_labels_and_order_are_free(tmp_path):
    X = np.array([[1, 1], [0, 0], [1, 0], [0, 1], [0, 1]])
    y = np.array(["same", "same", "other", "other", "other"])
    network = mercer.truth_table(X, y)
    assert (network.predict(X) == y).all()
    assert network.hidden_layer_sizes == (2,)
    mercer.save(network, tmp_path / "n.mercer")
    again = mercer.load(tmp_path / "n.mercer")
    assert isinstance(again, mercer.MLPClassifier)
    assert (again.predict(X) == y).all()


def test_what_is_no_truth_table():
    with pytest.raises(ValueError, match="lacks 1 of its 4 lines, such as 11"):
        mercer.truth_table([[0, 0], [0, 1], [1, 0]], [0, 1, 0])
    with pytest.raises(ValueError, match="rows 1 and 3"):
        mercer.truth_table([[0], [1], [0]], [0, 1, 1])
    with pytest.raises(ValueError, match="no bit"):
        mercer.truth_table([[0], [2]], [0, 1])
    with pytest.raises(ValueError, match="two classes"):
        mercer.truth_table([[0], [1]], [1, 1])


@pytest.mark.parametrize("tolerance", [0.2, 0.02])
def test_a_staircase_stays_within_its_tolerance(tolerance):
    network = mercer.staircase(np.sin, interval=(0, 6), tolerance=tolerance)
    x = np.linspace(0, 6, 10_001)
    off = np.abs(network.predict(x[:, None]) - np.sin(x)).max()
    assert off <= tolerance
    assert network.deviation_ <= tolerance
    # What was measured is nearly the largest distance there is.
    assert off <= 1.02 * network.deviation_ + 1e-6
    assert isinstance(network, mercer.MLPRegressor)


def test_steps_and_points(tmp_path):
    network = mercer.staircase([0.0, 2.0, 1.0], [0.0, 4.0, 1.0], steps=7)
    assert network.hidden_layer_sizes == (7,)
    # Knots are 2/7 apart, and have the values of the lines between the points.
    assert network.predict([[4 * 2 / 7]])[0] == pytest.approx(1 + 3 / 7, abs=1e-9)
    mercer.save(network, tmp_path / "s.mercer")
    again = mercer.load(tmp_path / "s.mercer")
    assert again.predict([[0.3]]) == network.predict([[0.3]])
    with pytest.raises(ValueError, match="two values at 0"):
        mercer.staircase([0.0, 0.0, 1.0], [0.0, 1.0, 1.0])
    with pytest.raises(ValueError, match="4096 steps"):
        mercer.staircase(np.sin, interval=(0, 6), tolerance=1e-7)
    with pytest.raises(TypeError, match="interval"):
        mercer.staircase(np.sin)
