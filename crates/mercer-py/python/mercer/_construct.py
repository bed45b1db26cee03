"""Networks that are written down rather than learnt: a truth table, a staircase."""

import numpy as np
from sklearn.utils.validation import check_array, check_consistent_length, column_or_1d

from . import _mercer
from ._exchange import _machine_of
from ._labels import label_texts
from ._rows import lend

# Places at which a function of Python is evaluated; between them it is a straight line.
PLACES = 2049


def truth_table(X, y):
    """Write down the network of thresholds that computes a Boolean function.

    There is one hidden gate for every row whose label is the second one, on for that row alone, and an
    output that is on where any of them is: two layers of thresholds compute every function of bits.

    Parameters
    ----------
    X : array-like of shape (n_lines, n_bits)
        Zeros and ones: every combination of bits, in any order.
    y : array-like of shape (n_lines,)
        One of two labels for each; the second one, in sorted order, is what is true.

    Returns
    -------
    MLPClassifier
        A fitted network, which predicts, is saved and becomes ONNX as any other.

    Examples
    --------
    >>> import mercer
    >>> either = mercer.truth_table([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0])
    >>> either.predict([[1, 0], [1, 1]])
    array([1, 0])
    >>> either.coefs_[0]
    array([[-1.,  1.],
           [ 1., -1.]])
    """
    X = check_array(X, dtype=np.float64, order="C")
    y = column_or_1d(y)
    check_consistent_length(X, y)
    classes, codes = np.unique(y, return_inverse=True)
    model = _mercer.network_of_truth_table(
        lend(X), codes.astype(np.int64), label_texts(classes)
    )
    machine = _machine_of(model)
    machine.classes_ = classes
    return _sized(machine)


def staircase(x, y=None, *, interval=None, tolerance=None, steps=None, slope=None):
    """Write down a network of sigmoids that follows a function of one variable.

    Each hidden gate is a step between two knots, so that one hidden layer comes as near to a continuous
    function as one likes.

    Parameters
    ----------
    x : array-like of shape (n_points,) or callable
        Places; or a function of an array of places, with ``interval``.
    y : array-like of shape (n_points,), optional
        The values there; between two places the function is a straight line.
    interval : tuple (low, high), optional
        Where a callable is followed; it is evaluated at 2,049 places.
    tolerance : float, optional
        Largest distance from the function; a hundredth of the range of its values by default.
    steps : int, optional
        Steps, each a hidden gate, instead of as many as the tolerance takes.
    slope : float, optional
        Slope of the sigmoids; 100 over the width of a step by default.

    Returns
    -------
    MLPRegressor
        A fitted network, with ``deviation_``, the largest distance from the function that was measured,
        and ``slope_``.

    Examples
    --------
    >>> import mercer, numpy as np
    >>> sine = mercer.staircase(np.sin, interval=(0, 6), tolerance=0.05)
    >>> bool(sine.deviation_ <= 0.05), sine.hidden_layer_sizes
    (True, (62,))
    """
    if callable(x):
        if interval is None or y is not None:
            raise TypeError("a function needs an `interval`, and no `y`")
        low, high = interval
        function, x = x, np.linspace(low, high, PLACES)
        y = function(x)
    elif y is None or interval is not None:
        raise TypeError("give places `x` and values `y`, or a function and its `interval`")
    if steps is not None and tolerance is not None:
        raise TypeError("give `steps` or `tolerance`")
    x, y = (np.asarray(column_or_1d(values), dtype=np.float64) for values in (x, y))
    check_consistent_length(x, y)
    if steps is None and tolerance is None:
        tolerance = np.ptp(y) / 100 or 0.01
    model, slope, deviation = _mercer.network_of_function(
        x.tolist(),
        y.tolist(),
        steps=None if steps is None else int(steps),
        tolerance=None if tolerance is None else float(tolerance),
        slope=None if slope is None else float(slope),
    )
    machine = _sized(_machine_of(model)).set_params(activation="logistic")
    machine.slope_, machine.deviation_ = slope, deviation
    return machine


def _sized(machine):
    """Give a network the parameter that says how many gates it has."""
    hidden = tuple(len(biases) for biases in machine.intercepts_[:-1])
    return machine.set_params(hidden_layer_sizes=hidden)
