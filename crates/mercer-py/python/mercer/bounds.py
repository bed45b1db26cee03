"""What theory says of an error rate: intervals, test sizes, VC dimension, margins.

A bound of 1 or more says nothing about an error rate; it is returned all the same.

Examples
--------
>>> from mercer import bounds
>>> bounds.chernoff_sample_size(epsilon=0.1, delta=0.05)
185
>>> low, high = bounds.binomial_interval(errors=20, n=200, delta=0.05)
>>> round(low, 4), round(high, 4)
(0.0622, 0.1502)
"""

import math as _math
import operator as _operator
from typing import NamedTuple as _NamedTuple

import numpy as _np

from . import _mercer


class Interval(_NamedTuple):
    """A range that holds the true value with a stated probability."""

    low: float
    """Lower end."""
    high: float
    """Upper end."""


class ErrorCount(_NamedTuple):
    """Mean and variance of a number of errors."""

    mean: float
    """How many to expect."""
    variance: float
    """Their variance."""


class SoftMarginBound(_NamedTuple):
    """What the soft margin promises in the mean over draws of the rows."""

    lambda_: float
    """Weight of ‖w‖² beside the mean hinge loss."""
    excess: float
    """What the error may be above the hinge loss of the best weights, or of training."""
    bound: float | None
    """The hinge loss that was given, plus the excess."""


class DescriptionLengths(_NamedTuple):
    """What it takes to state hypotheses, and the labels given them."""

    hypothesis_bits: _np.ndarray
    """−log₂ p(H) of every hypothesis."""
    label_bits: _np.ndarray
    """−log₂ p(L | H)."""
    bits: _np.ndarray
    """The whole message."""
    posterior: _np.ndarray
    """p(H | L) among the hypotheses given."""
    shortest: int
    """The hypothesis with the shortest message, counted from 0: the most probable one."""
    entropy: float
    """Mean number of bits that state a hypothesis drawn from the prior."""


class Shattering(_NamedTuple):
    """Which labellings of some points half-spaces can make; true when they make all."""

    shattered: bool
    """Whether all labellings can be made."""
    reached: int
    """How many can be made by planes that touch no point."""
    labellings: int
    """How many there are, 2 to the number of points."""
    witness: tuple[bool, ...] | None
    """A labelling that cannot be made, where there is one."""
    exact: bool
    """Whether whole numbers were computed with; otherwise doubles had to do."""

    def __bool__(self):
        return self.shattered


def _whole(name, value):
    """Return a count as Rust takes it."""
    try:
        number = _operator.index(value)
    except TypeError:
        if not (isinstance(value, float) and value.is_integer()):
            raise ValueError(f"`{name}` is `{value}`; it must be a whole number") from None
        number = int(value)
    if not 0 <= number < 2**63:
        raise ValueError(f"`{name}` is `{number}`; it must be a number from 0 to 2^63")
    return number


def chernoff_sample_size(epsilon, delta, *, sided=2):
    """Return the rows a test set needs by Chernoff's (Hoeffding's) law.

    Parameters
    ----------
    epsilon : float
        Largest difference between the error rate seen and the true one.
    delta : float
        Probability with which it may be larger.
    sided : {1, 2}, default=2
        1 bounds the true rate from above only.

    Examples
    --------
    >>> chernoff_sample_size(0.1, 0.05), chernoff_sample_size(0.1, 0.05, sided=1)
    (185, 150)
    """
    return _mercer.bound_size("chernoff", epsilon, delta, 0.5, _whole("sided", sided))


def chebyshev_sample_size(epsilon, delta, *, sided=2):
    """Return the rows a test set needs by Chebyshev's law, of one side by Cantelli's.

    Parameters
    ----------
    epsilon : float
        Largest difference between the error rate seen and the true one.
    delta : float
        Probability with which it may be larger.
    sided : {1, 2}, default=2
        1 bounds the true rate from above only.

    Examples
    --------
    >>> chebyshev_sample_size(epsilon=0.1, delta=0.05)
    500
    """
    return _mercer.bound_size("chebyshev", epsilon, delta, 0.5, _whole("sided", sided))


def binomial_sample_size(epsilon, delta, *, rate=0.5, sided=2):
    """Return the rows after which the exact interval reaches no further than ``epsilon``.

    Parameters
    ----------
    epsilon : float
        Largest distance of an end from the error rate seen.
    delta : float
        Probability with which the interval may miss the true rate.
    rate : float, default=0.5
        Error rate to expect; one half is the worst.
    sided : {1, 2}, default=2
        1 bounds the true rate from above only.

    Examples
    --------
    >>> binomial_sample_size(0.01, 0.05, rate=0.0, sided=1)
    299
    """
    return _mercer.bound_size("binomial", epsilon, delta, rate, _whole("sided", sided))


def _interval(law, errors, n, delta, sided):
    counts = _whole("errors", errors), _whole("n", n)
    return Interval(*_mercer.bound_interval(law, *counts, delta, _whole("sided", sided)))


def chernoff_interval(errors, n, delta, *, sided=2):
    """Return Chernoff's (Hoeffding's) interval for the error rate behind some errors.

    Parameters
    ----------
    errors : int
        Wrong predictions.
    n : int
        Rows that were predicted, none of which was learnt from.
    delta : float
        Probability with which the interval may miss the true rate.
    sided : {1, 2}, default=2
        1 bounds the true rate from above only: the interval starts at 0.

    Examples
    --------
    >>> round(chernoff_interval(errors=20, n=200, delta=0.05).high, 8)
    0.19603228
    """
    return _interval("chernoff", errors, n, delta, sided)


def chebyshev_interval(errors, n, delta, *, sided=2):
    """Return Chebyshev's interval for the error rate behind some errors.

    Parameters
    ----------
    errors : int
        Wrong predictions.
    n : int
        Rows that were predicted, none of which was learnt from.
    delta : float
        Probability with which the interval may miss the true rate.
    sided : {1, 2}, default=2
        1 bounds the true rate from above only, by Cantelli's law.

    Examples
    --------
    >>> round(chebyshev_interval(errors=20, n=200, delta=0.05).low, 7)
    0.0388745
    """
    return _interval("chebyshev", errors, n, delta, sided)


def binomial_interval(errors, n, delta, *, sided=2):
    """Return the exact interval of Clopper and Pearson.

    Parameters
    ----------
    errors : int
        Wrong predictions.
    n : int
        Rows that were predicted, none of which was learnt from.
    delta : float
        Probability with which the interval may miss the true rate.
    sided : {1, 2}, default=2
        1 bounds the true rate from above only.

    Examples
    --------
    >>> binomial_interval(errors=0, n=10, delta=0.05).low
    0.0
    """
    return _interval("binomial", errors, n, delta, sided)


def binomial_probability(errors, n, rate):
    """Return the probability of exactly that many errors.

    Parameters
    ----------
    errors, n : int
        Wrong predictions, of how many.
    rate : float
        Probability that a prediction is wrong.

    Examples
    --------
    >>> round(binomial_probability(errors=2, n=10, rate=0.1), 10)
    0.1937102445
    """
    return _mercer.bound_probability(_whole("errors", errors), _whole("n", n), rate)


def error_count(n, rate):
    """Return mean and variance of the number of errors.

    Parameters
    ----------
    n : int
        Predictions.
    rate : float
        Probability that one is wrong.

    Examples
    --------
    >>> error_count(n=200, rate=0.5)
    ErrorCount(mean=100.0, variance=50.0)
    """
    return ErrorCount(*_mercer.bound_count(_whole("n", n), rate))


def growth_function(m, vc):
    """Return in how many ways functions of a VC dimension label ``m`` points at most.

    Parameters
    ----------
    m : int
        Points.
    vc : int
        VC dimension.

    Returns
    -------
    int or float
        Σ C(m, i) for i up to ``vc``; a float where 128 bits do not hold it.

    Examples
    --------
    >>> growth_function(m=10, vc=3)
    176
    """
    exact, ln = _mercer.bound_growth(_whole("m", m), _whole("vc", vc))
    if exact is not None:
        return exact
    return _math.exp(ln) if ln < 709 else _math.inf


def finite_class_dimension(functions):
    """Return what the VC dimension of a finite class is at most: log₂ of its size, rounded down.

    Parameters
    ----------
    functions : int
        Functions of the class.

    Examples
    --------
    >>> finite_class_dimension(1000)
    9
    """
    return _mercer.bound_finite_class(_whole("functions", functions))


def description(prior, likelihood=None, *, log_likelihood=None):
    """Return how many bits hypotheses take to describe labels: MDL, which is MAP.

    A hypothesis H takes −log₂ p(H) bits, and the labels L take −log₂ p(L | H) after it; the shortest
    message belongs to the largest p(H) p(L | H), the most probable hypothesis.

    Parameters
    ----------
    prior : array-like of shape (n_hypotheses,)
        Probabilities of the hypotheses before labels were seen; weights where they do not sum to 1.
    likelihood : array-like of shape (n_hypotheses,), optional
        Probability of the labels under each of them.
    log_likelihood : array-like of shape (n_hypotheses,), optional
        The same as natural logarithms, which reach likelihoods of many rows.

    Returns
    -------
    DescriptionLengths
        Bits and posteriors of the hypotheses, the shortest of them, and the entropy of the prior.

    Examples
    --------
    >>> found = description([0.25, 0.75], [0.9**9 * 0.1, 0.5**10])
    >>> found.bits.round(4), found.posterior.round(4), round(found.entropy, 4)
    (array([ 6.69 , 10.415]), array([0.9297, 0.0703]), 0.8113)
    """
    prior = _np.asarray(prior, dtype=_np.float64)
    if (likelihood is None) == (log_likelihood is None):
        raise TypeError("give either `likelihood` or `log_likelihood`")
    if log_likelihood is None:
        likelihood = _np.asarray(likelihood, dtype=_np.float64)
        with _np.errstate(divide="ignore", invalid="ignore"):
            log_likelihood = _np.log(likelihood)
    log_likelihood = _np.asarray(log_likelihood, dtype=_np.float64)
    if prior.ndim != 1 or prior.shape != log_likelihood.shape:
        raise ValueError("`prior` and the likelihoods must be lists of the same length")
    if not (prior >= 0).all() or not 0 < prior.sum() < _math.inf:
        raise ValueError("`prior` must have numbers that are not negative, and not only zeros")
    if abs(prior.sum() - 1) > 1e-9:
        prior = prior / prior.sum()
    own, labels, posterior, entropy = _mercer.bound_description(
        prior.tolist(), log_likelihood.tolist()
    )
    own, labels, posterior = _np.array(own), _np.array(labels), _np.array(posterior)
    bits = own + labels
    return DescriptionLengths(own, labels, bits, posterior, int(bits.argmin()), entropy)


def vc_sample_size(vc, epsilon, delta, *, guaranteed=True):
    """Return the rows after which no function of a class deceives by more than ``epsilon``.

    Parameters
    ----------
    vc : int
        VC dimension of the class; that of half-spaces in d columns is d + 1.
    epsilon : float
        Largest difference between training error and true error, over all functions.
    delta : float
        Probability with which it may be larger.
    guaranteed : bool, default=True
        False gives the rule of thumb (vc + ln 1/ε + ln 1/δ)/ε², whose constant is unproven.

    Examples
    --------
    >>> vc_sample_size(vc=3, epsilon=0.1, delta=0.05)
    28341
    >>> vc_sample_size(vc=3, epsilon=0.1, delta=0.05, guaranteed=False)
    830
    """
    return _mercer.bound_vc_size(_whole("vc", vc), epsilon, delta, bool(guaranteed))


def uniform_deviation(n, vc, delta):
    """Return by how much training and true error differ at most, over all functions of a class.

    Parameters
    ----------
    n : int
        Training rows.
    vc : int
        VC dimension of the class.
    delta : float
        Probability with which they may differ by more.

    Examples
    --------
    >>> round(uniform_deviation(n=28341, vc=3, delta=0.05), 4)
    0.1
    """
    return _mercer.bound_deviation(_whole("n", n), _whole("vc", vc), delta)


def margin_bound(n, radius, margin, delta, *, measured=False, bias="none"):
    """Return the largest error rate of a plane that separates ``n`` rows with a margin.

    Parameters
    ----------
    n : int
        Training rows, all on their side.
    radius : float
        Length of the longest row; in a feature space √max k(x, x), which is an assumption about
        new rows unless k(x, x) is the same for all.
    margin : float
        Distance of the nearest row from the plane.
    delta : float
        Probability with which the bound may fail.
    measured : bool, default=False
        Whether the margin was measured on the rows, not fixed before they were drawn.
    bias : {"none", "free", "regularised"}, default="none"
        The constant of the plane; ``"free"`` asks for ``measured=True``.

    Examples
    --------
    >>> round(margin_bound(n=1000, radius=1, margin=0.5, delta=0.05), 9)
    0.212384988
    >>> round(margin_bound(n=1000, radius=1, margin=0.5, delta=0.05, measured=True), 9)
    0.295929154
    """
    return _mercer.bound_margin(_whole("n", n), radius, margin, delta, bool(measured), bias)


def soft_margin_bound(n, radius, *, norm=None, lambda_=None, hinge=None):
    """Return what the soft margin promises in the mean over draws of the rows.

    Parameters
    ----------
    n : int
        Training rows.
    radius : float
        Length of the longest row; with a regularised constant √(radius² + 1).
    norm : float, optional
        Length of the weights to compare with: gives the penalty λ that comes within ``excess`` of
        the best of them.
    lambda_ : float, optional
        Weight of ‖w‖² beside the mean hinge loss, 1/(2 C n): ``excess`` is what the error may be
        above the hinge loss of training. One of the two is given.
    hinge : float, optional
        Hinge loss to add to.

    Examples
    --------
    >>> found = soft_margin_bound(n=1000, radius=1, norm=2)
    >>> round(found.lambda_, 10), round(found.excess, 9)
    (0.0223606798, 0.178885438)
    >>> round(soft_margin_bound(n=1000, radius=1, lambda_=0.01, hinge=0.1).bound, 9)
    0.3
    """
    if (norm is None) == (lambda_ is None):
        raise ValueError("give one of `norm` and `lambda_`")
    rows = _whole("n", n)
    if norm is not None:
        lambda_, excess = _mercer.bound_soft_margin(rows, radius, norm)
    else:
        excess = _mercer.bound_stability(rows, radius, lambda_)
    return SoftMarginBound(lambda_, excess, None if hinge is None else hinge + excess)


def shatters(points, *, homogeneous=False):
    """Tell which labellings of a few points half-spaces can make.

    Parameters
    ----------
    points : array-like of shape (n_points, n_columns)
        Twenty points at most. Decimals are taken at their word and computed with exactly.
    homogeneous : bool, default=False
        Whether planes go through the origin.

    Returns
    -------
    Shattering
        True when all labellings can be made, with their number and one that cannot.

    Examples
    --------
    >>> bool(shatters([[0, 0], [1, 0], [0, 1]]))
    True
    >>> shatters([[0, 0], [1, 1], [0, 1], [1, 0]]).reached
    14
    """
    rows = _np.ascontiguousarray(points, dtype=_np.float64)
    if rows.ndim != 2:
        raise ValueError("`points` must have a row for each point and a column for each coordinate")
    shattered, reached, labellings, witness, exact = _mercer.bound_shatters(rows, bool(homogeneous))
    witness = None if witness is None else tuple(witness)
    return Shattering(shattered, reached, labellings, witness, exact)


def _spread(columns, sigma, spread):
    if spread is not None:
        return spread
    widths = _np.broadcast_to(_np.asarray(sigma, dtype=float), (columns,))
    if not (widths > 0).all():
        raise ValueError(f"`sigma` is `{sigma}`; it must be positive")
    return float(_np.sqrt((1.0 / widths**2).sum()))


def feature_count(columns, diameter, epsilon, delta, *, sigma=1.0, spread=None):
    """Return how many pairs of random Fourier features keep every kernel value to ±``epsilon``.

    Parameters
    ----------
    columns : int
        Columns of the rows.
    diameter : float
        Largest distance between two rows.
    epsilon, delta : float
        Largest error of a kernel value, and the probability with which it may be larger.
    sigma : float or array-like, default=1.0
        Width of the Gaussian kernel, or one for each column.
    spread : float, optional
        Root of the mean squared length of a frequency, for other kernels.

    Examples
    --------
    >>> feature_count(columns=2, diameter=2, epsilon=0.2, delta=0.05)
    5536
    """
    columns = _whole("columns", columns)
    spread = _spread(columns, sigma, spread)
    return _mercer.bound_feature_count(columns, spread, diameter, epsilon, delta)


def feature_failure(columns, diameter, epsilon, pairs, *, sigma=1.0, spread=None):
    """Return the probability that random Fourier features are off by ``epsilon`` somewhere, at most.

    Parameters
    ----------
    columns : int
        Columns of the rows.
    diameter : float
        Largest distance between two rows.
    epsilon : float
        Error of a kernel value.
    pairs : int
        Pairs of features, with independent frequencies.
    sigma : float or array-like, default=1.0
        Width of the Gaussian kernel, or one for each column.
    spread : float, optional
        Root of the mean squared length of a frequency, for other kernels.

    Examples
    --------
    >>> round(feature_failure(columns=2, diameter=2, epsilon=0.2, pairs=5000), 9)
    0.190804642
    """
    columns = _whole("columns", columns)
    spread = _spread(columns, sigma, spread)
    pairs = _whole("pairs", pairs)
    return _mercer.bound_feature_failure(columns, spread, diameter, epsilon, pairs)


def landmark_residuals(K, landmarks):
    """Return what landmarks (Nyström's method) leave of k(x, x), row by row.

    The error of every entry is at most the root of the product of two of them, and the largest
    eigenvalue of the error at most their sum.

    Parameters
    ----------
    K : array-like of shape (n, n)
        Kernel matrix.
    landmarks : sequence of int
        Rows that are landmarks.

    Examples
    --------
    >>> from mercer import kernels
    >>> K = kernels.rbf(gamma=0.5).gram([[0.0], [1.0], [2.0], [3.0]])
    >>> round(float(landmark_residuals(K, [0, 3]).sum()), 8)
    1.23116249
    """
    matrix = _np.ascontiguousarray(K, dtype=_np.float64)
    if matrix.ndim != 2:
        raise ValueError("`K` must be a square matrix")
    rows = [_whole("landmarks", row) for row in landmarks]
    return _np.array(_mercer.bound_landmarks(matrix, rows))


__all__ = [
    "DescriptionLengths",
    "ErrorCount",
    "Interval",
    "Shattering",
    "SoftMarginBound",
    "binomial_interval",
    "binomial_probability",
    "binomial_sample_size",
    "chebyshev_interval",
    "chebyshev_sample_size",
    "chernoff_interval",
    "chernoff_sample_size",
    "description",
    "error_count",
    "feature_count",
    "feature_failure",
    "finite_class_dimension",
    "growth_function",
    "landmark_residuals",
    "margin_bound",
    "shatters",
    "soft_margin_bound",
    "uniform_deviation",
    "vc_sample_size",
]
