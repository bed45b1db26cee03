"""Kernels as values: expressions that can be combined, printed and evaluated.

Every kernel family is a function here, and :func:`parse` reads the expressions that the
command line and model files use. A parameter left out is chosen from the data.

Examples
--------
>>> from mercer import kernels
>>> k = 0.5 * (kernels.rbf(sigma=2) @ ["age", "height"]) + kernels.linear()
>>> print(k)
0.5*rbf(sigma=2)@[age,height] + linear
>>> kernels.parse(str(k)) == k
True
>>> kernels.rbf(gamma=1).gram([[0.0], [1.0]]).round(4)
array([[1.    , 0.3679],
       [0.3679, 1.    ]])

String kernels compare strings, graph kernels graphs and molecules (:func:`graphs`), node
kernels members of a :func:`network`:

>>> kernels.subsequence().gram(["BEERE", "BERT"])
array([[64., 14.],
       [14., 16.]])
>>> kernels.wl(iterations=1).gram(["CCO", "CCN"]).shape
(2, 2)
"""

import inspect as _inspect
import json as _json
import re as _re
from typing import NamedTuple as _NamedTuple

import numpy as _np

from . import _mercer, _rows, _space, _structured
from ._graphs import Graph, Graphs, graphs
from ._network import Network, Nodes, network
from ._threads import thread_count as _thread_count

_PLAIN_NAME = _re.compile(r"[A-Za-z_]\w*\Z", _re.ASCII)


class PsdCheck(_NamedTuple):
    """What a kernel matrix turned out to be; true when it is that of a kernel."""

    is_psd: bool
    """Whether it is symmetric and has no negative eigenvalue."""
    verdict: str
    """In words: ``positive definite``, ``indefinite``, ``not symmetric``, …"""
    smallest_eigenvalue: float
    """Its smallest eigenvalue."""
    largest_eigenvalue: float
    """Its largest eigenvalue."""
    symmetric_error: float
    """Largest difference between its two triangles."""
    tolerance: float
    """What counts as zero: the rounding error of the eigenvalues."""
    rank: int
    """How many eigenvalues differ from zero."""

    def __bool__(self):
        return self.is_psd


class Kernel:
    """A kernel expression.

    Parameters
    ----------
    text : str
        The expression, such as ``"0.5*rbf(sigma=2)@[age] + linear"``.

    Notes
    -----
    ``k + k``, ``k * k``, ``2 * k``, ``k ** 3`` and ``k @ columns`` combine kernels;
    columns are names, or positions counted from zero as everywhere in Python.
    """

    __slots__ = ("_text",)

    def __init__(self, text):
        object.__setattr__(self, "_text", _mercer.kernel_canonical(str(text)))

    def __setattr__(self, name, value):
        raise AttributeError("a kernel does not change; make another one")

    def gram(self, X, Y=None, *, n_jobs=None):
        """Return the matrix of kernel values.

        Parameters
        ----------
        X : {array-like, sparse matrix, data frame} of shape (n, d), or sequence of objects
            Rows. String kernels take a list, array or series of strings, graph kernels what
            :func:`graphs` takes or makes, node kernels :meth:`Network.nodes`.
        Y : {array-like, sparse matrix, data frame} of shape (m, d), optional
            Rows to compare them with; ``X`` itself when left out.
        n_jobs : int, optional
            Threads; all cores by default.

        Returns
        -------
        ndarray of shape (n, m)
            In double precision. Open parameters are chosen from ``X``.
        """
        rows, names = self._lent(X)
        other = None
        if Y is not None:
            needs = _structured.wanted(self._text)
            compared = _structured.columns_to_compare(Y, needs) if needs else _rows.checked(Y)
            other = _rows.lend(compared)
        return _mercer.kernel_gram(self._text, rows, other, names, _thread_count(n_jobs))

    def _lent(self, X):
        """Return rows as Rust takes them, with the names of their columns."""
        needs = _structured.wanted(self._text)
        if needs:
            return _rows.lend(_structured.columns_to_fit(X, needs)), None
        return _rows.lend(_rows.checked(X)), _rows.column_names(X)

    __call__ = gram

    def diagonal(self, X):
        """Return k(x, x) of every row, without the rest of the matrix."""
        return _mercer.kernel_diagonal(self._text, *self._lent(X))

    def residual(self, X, landmarks, *, n_jobs=None):
        """Return what landmarks leave of every row: k(x, x) - k_m(x)ᵀ K_mm⁺ k_m(x).

        Parameters
        ----------
        X : {array-like, sparse matrix, data frame} of shape (n, d), or sequence of objects
            Rows.
        landmarks : array-like
            Whole numbers of rows of ``X``, or rows like those of ``X``.
        n_jobs : int, optional
            Threads; all cores by default.

        Returns
        -------
        ndarray of shape (n,)
            Squared distances from the span of the landmarks in the space of the kernel; their sum is the trace of
            what Nyström features with these landmarks leave of the kernel matrix.

        Examples
        --------
        >>> from mercer import kernels
        >>> left = kernels.rbf(gamma=0.5).residual([[0.0], [1.0], [2.0], [3.0]], [0, 3])
        >>> round(float(left.sum()), 8)
        1.23116249
        """
        rows, names = self._lent(X)
        numbers = _rows.row_numbers(landmarks)
        other = None
        if numbers is None:
            needs = _structured.wanted(self._text)
            compared = _structured.columns_to_compare(landmarks, needs) if needs else _rows.checked(landmarks)
            other = _rows.lend(compared)
        return _mercer.landmark_residuals(
            self._text, rows, numbers, other, names, _thread_count(n_jobs)
        )

    def resolve(self, X):
        """Return this kernel with every open parameter chosen from ``X``."""
        return Kernel(_mercer.kernel_resolve(self._text, *self._lent(X)))

    def check_psd(self, X):
        """Test on rows whether this is a kernel: symmetric and positive semidefinite.

        Returns
        -------
        PsdCheck
            Verdict, extreme eigenvalues and rank; true when the matrix is that of a kernel.
        """
        return check_psd(self.gram(X))

    def distance(self, X, Y=None):
        """Return ‖φ(x) − φ(z)‖, the distance in the kernel's space, of every pair of rows.

        Parameters
        ----------
        X, Y : as in :meth:`gram`
            Rows; ``X`` is compared with itself when ``Y`` is left out.

        Returns
        -------
        ndarray of shape (n, m)
            A pseudo-metric: rows that the kernel cannot tell apart have distance 0.

        Examples
        --------
        >>> from mercer import kernels
        >>> kernels.poly(degree=2, offset=0).distance([[1.0, 2.0]], [[-1.0, -2.0]])
        array([[0.]])
        """
        return _space.distance(self, X, Y)

    def inner(self, X, a, Z=None, b=None):
        """Return ⟨f, g⟩ = Σ aᵢ bⱼ k(xᵢ, zⱼ) of two functions in the kernel's space.

        Parameters
        ----------
        X : as in :meth:`gram`
            Points of f = Σ aᵢ k(xᵢ, ·).
        a : array-like of shape (n,)
            Its coefficients.
        Z : as in :meth:`gram`, optional
            Points of g = Σ bⱼ k(zⱼ, ·); those of f when left out.
        b : array-like of shape (m,), optional
            Its coefficients; those of f when left out, which gives ‖f‖².

        Returns
        -------
        float
            The inner product. Open parameters are chosen from ``X``.

        Examples
        --------
        >>> from mercer import kernels
        >>> k = kernels.rbf(gamma=1)
        >>> f = ([[0.0], [1.0]], [2.0, -1.0])
        >>> round(k.inner(*f, [[0.0]], [1.0]), 4)  # f(0), for evaluation is an inner product
        1.6321
        """
        return _space.inner(self, X, a, Z, b)

    def norm(self, X, a, Z=None, b=None):
        """Return ‖f‖ of a function in the kernel's space, or the distance ‖f − g‖ of two.

        Parameters
        ----------
        X, a
            Points and coefficients of f, as in :meth:`inner`.
        Z, b : optional
            Those of g; ``Z`` alone may be left out where both have the same points.

        Returns
        -------
        float
            The norm of f, or of f − g where ``b`` is given.

        Examples
        --------
        >>> from mercer import kernels
        >>> kernels.linear().norm([[3.0, 4.0]], [2.0])
        10.0
        """
        return _space.norm(self, X, a, Z, b)

    def pairs(self, first, second):
        """Return the pairs of places that ``subsequence`` or ``substring`` counts in two short words.

        Parameters
        ----------
        first, second : str
            The words.

        Returns
        -------
        list of tuple
            Places in the first and in the second word, counted from 1, that spell the same word: short
            words first.

        Examples
        --------
        >>> from mercer import kernels
        >>> kernels.substring().pairs("BERT", "BEERE")[-1]
        ((2, 3), (3, 4))
        """
        found = _mercer.kernel_pairs(self._text, first, second)
        return [(tuple(own), tuple(other)) for own, other in found]

    def features(self, X, degree=None):
        """Return features whose inner products are the kernel: the map written out.

        ``linear``, ``poly``, ``rbf`` with one width, and sums of them have such a list.

        Parameters
        ----------
        X : array-like of shape (n, n_features)
            Rows of numbers.
        degree : int, optional
            Total degree after which the features of ``rbf`` end; 8 by default.

        Returns
        -------
        ndarray of shape (n, n_written)
            A row of features for every row.

        Examples
        --------
        >>> from mercer import kernels
        >>> left, right = kernels.parse("poly(degree=2, offset=1, scale=1)").features([[1.0, 2.0], [3.0, 4.0]])
        >>> round(float(left @ right), 9)
        144.0
        """
        X = _np.asarray(X, dtype=float)
        if X.ndim != 2:
            raise ValueError("`X` must have rows and columns")
        return _np.array(_mercer.kernel_features(str(self.resolve(X)), X.tolist(), degree))

    def expansion(self, X, n_terms=None):
        """Return eigenvalues and eigenfunctions over a sample (Mercer's expansion), with a picture in notebooks.

        Parameters
        ----------
        X : as in :meth:`gram`
            The sample.
        n_terms : int, optional
            Terms to keep; all that are not rounding by default.

        Returns
        -------
        Expansion
            ``eigenvalues``, ``values`` at the sample, ``functions(X)`` at other rows, ``explained``.
        """
        return _space.Expansion(self, X, n_terms)

    def draw(self, X, n_draws=1, *, given=None, noise=0.0, random_state=0):
        """Return functions drawn at random with this kernel as covariance.

        Parameters
        ----------
        X : as in :meth:`gram`
            Rows at which they are evaluated.
        n_draws : int, default=1
            How many functions.
        given : tuple (X, y), optional
            Rows and values that the functions go through: draws of the posterior.
        noise : float, default=0.0
            Variance of those values around the function.
        random_state : int, default=0
            Seed.

        Returns
        -------
        ndarray of shape (n_draws, n)
            One function per row.
        """
        return _space.draw(self, X, n_draws, given=given, noise=noise, random_state=random_state)

    def exp(self):
        """Return exp(k)."""
        return Kernel(f"exp({self._text})")

    def normalise(self):
        """Return k(x, z)/√(k(x, x) k(z, z))."""
        return Kernel(f"normalise({self._text})")

    def __add__(self, other):
        return self._join(other, "+")

    def __radd__(self, other):
        # `sum` starts from 0.
        return self if other == 0 else NotImplemented

    def __mul__(self, other):
        if _is_number(other):
            return other * self
        return self._join(other, "*")

    def __rmul__(self, other):
        if not _is_number(other):
            return NotImplemented
        return Kernel(f"{float(other)!r}*({self._text})")

    def __pow__(self, exponent):
        if int(exponent) != exponent:
            raise ValueError(f"the power of a kernel must be a whole number, not {exponent}")
        return Kernel(f"({self._text})^{int(exponent)}")

    def __matmul__(self, columns):
        if isinstance(columns, (str, int, _np.integer)):
            columns = [columns]
        return Kernel(f"({self._text})@[{','.join(map(_column, columns))}]")

    def _join(self, other, sign):
        if isinstance(other, str):
            other = Kernel(other)
        if not isinstance(other, Kernel):
            return NotImplemented
        return Kernel(f"({self._text}) {sign} ({other._text})")

    def __eq__(self, other):
        return isinstance(other, Kernel) and self._text == other._text

    def __hash__(self):
        return hash(self._text)

    def __str__(self):
        return self._text

    def __repr__(self):
        return f"kernels.parse({self._text!r})"

    def _repr_html_(self):
        return _mercer.code_html(self._text)

    def __reduce__(self):
        return Kernel, (self._text,)


def parse(text):
    """Read a kernel expression."""
    return Kernel(text)


def exp(kernel):
    """Return exp(k) of a kernel."""
    return Kernel(str(kernel)).exp()


def normalise(kernel):
    """Return k(x, z)/√(k(x, x) k(z, z)) of a kernel."""
    return Kernel(str(kernel)).normalise()


def check_psd(matrix):
    """Test whether a matrix is symmetric and positive semidefinite.

    Examples
    --------
    >>> from mercer import kernels
    >>> bool(kernels.check_psd([[1.0, 2.0], [2.0, 1.0]]))
    False
    """
    matrix = _np.ascontiguousarray(matrix, dtype=_np.float64)
    if matrix.ndim != 2:
        raise ValueError(f"expected a matrix, got an array of {matrix.ndim} dimension(s)")
    return PsdCheck(**_mercer.kernel_check(matrix))


def _is_number(value):
    return isinstance(value, (int, float, _np.integer, _np.floating)) and not isinstance(
        value, bool
    )


def _column(column):
    if isinstance(column, (int, _np.integer)):
        return str(int(column) + 1)
    if _PLAIN_NAME.match(column):
        return column
    return _json.dumps(column, ensure_ascii=False)


def _value(value):
    if isinstance(value, (bool, _np.bool_)):
        return "true" if value else "false"
    if isinstance(value, str):
        return value
    if _np.ndim(value) == 1:
        return "[" + ", ".join(repr(float(v)) for v in value) + "]"
    return repr(float(value))


def _family(entry):
    """Make the function that writes one family's expressions."""
    name, order = entry["name"], [p[0] for p in entry["parameters"]]

    def make(*args, **parameters):
        if len(args) > len(order):
            raise TypeError(f"{name}() takes at most {len(order)} arguments")
        twice = set(order[: len(args)]) & set(parameters)
        if twice:
            raise TypeError(f"{name}() got {twice.pop()!r} twice")
        given = {**dict(zip(order, args, strict=False)), **parameters}
        text = ", ".join(f"{key}={_value(v)}" for key, v in given.items() if v is not None)
        return Kernel(f"{name}({text})" if text else name)

    make.__name__ = make.__qualname__ = name
    make.__module__ = __name__
    make.__signature__ = _inspect.Signature(
        [
            _inspect.Parameter(p, _inspect.Parameter.POSITIONAL_OR_KEYWORD, default=None)
            for p in order
        ]
    )
    lines = [f"Return the kernel {entry['formula']}: {entry['summary']}."]
    if order:
        lines += ["", "Parameters", "----------"]
    for parameter, meaning, default, takes in entry["parameters"]:
        lines += [f"{parameter} : {takes}, default: {default}", f"    {meaning}"]
    make.__doc__ = "\n".join(lines)
    return make


_FAMILIES = {entry["name"]: _family(entry) for entry in _mercer.kernel_families()}
globals().update(_FAMILIES)

__all__ = [
    "Graph",
    "Graphs",
    "Kernel",
    "Network",
    "Nodes",
    "PsdCheck",
    "check_psd",
    "exp",
    "graphs",
    "network",
    "normalise",
    "parse",
    *_FAMILIES,
]
