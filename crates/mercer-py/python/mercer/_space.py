"""The space behind a kernel: distances, Mercer's expansion, draws of functions."""

import numpy as np

from . import _mercer

# Eigenvalues below this share of the largest are rounding.
ROUNDING = 1e-12


class Expansion:
    """Eigenvalues and eigenfunctions of a kernel over a sample of rows: k(x, z) = Σ λₕ φₕ(x) φₕ(z).

    Attributes
    ----------
    eigenvalues : ndarray of shape (n_terms,)
        λₕ, the largest first.
    values : ndarray of shape (n_samples, n_terms)
        φₕ at the rows of the sample; the mean of φₕ² over them is 1.
    explained : float
        Share of the kernel's trace that the terms explain.
    """

    def __init__(self, kernel, X, n_terms=None):
        gram = kernel.gram(X)
        n = len(gram)
        values, vectors = np.linalg.eigh(gram)
        order = np.argsort(values)[::-1]
        values, vectors = values[order], vectors[:, order]
        kept = values > ROUNDING * max(values[0], 0.0)
        if n_terms is not None:
            if n_terms < 1:
                raise ValueError("`n_terms` must be at least 1")
            kept &= np.arange(n) < n_terms
        self.kernel = kernel.resolve(X)
        self.eigenvalues = values[kept] / n
        # The largest entry of every function is positive: signs are arbitrary otherwise.
        own = vectors[:, kept] * np.sqrt(n)
        sign = np.sign(own[np.abs(own).argmax(axis=0), np.arange(own.shape[1])])
        self.values = own * sign
        trace = np.trace(gram) / n
        self.explained = float(self.eigenvalues.sum() / trace) if trace > 0 else 1.0
        self._sample = X
        self._n = n

    def functions(self, X):
        """Return φₕ at other rows: an array of shape (n, n_terms)."""
        gram = self.kernel.gram(X, self._sample)
        return gram @ self.values / (self._n * self.eigenvalues)

    def __repr__(self):
        shown = ", ".join(f"{value:.4g}" for value in self.eigenvalues[:6])
        more = ", …" if len(self.eigenvalues) > 6 else ""
        return f"{self.kernel}: {100 * self.explained:.1f} % of the trace by eigenvalues {shown}{more}"

    def _repr_svg_(self):
        sample = np.asarray(self._sample, dtype=float)
        terms = range(min(4, len(self.eigenvalues)))
        if sample.ndim == 2 and sample.shape[1] == 1:
            order = np.argsort(sample[:, 0])
            lines = [(f"λ = {self.eigenvalues[h]:.3g}", self.values[order, h].tolist()) for h in terms]
            x = sample[order, 0].tolist()
            return _mercer.lines_svg(f"Eigenfunctions of {self.kernel}", "x", "φ(x)", x, lines, False)
        values = self.eigenvalues.tolist()
        x = [float(k) for k in range(1, len(values) + 1)]
        title = f"Eigenvalues of {self.kernel}"
        return _mercer.lines_svg(title, "term", "eigenvalue", x, [("", values)], True)


def inner(kernel, X, a, Z, b):
    """Return Σ aᵢ bⱼ k(xᵢ, zⱼ)."""
    kernel = kernel.resolve(X)
    own = kernel.gram(X, Z)
    if b is None and Z is not None:
        raise TypeError("`Z` has points of a second function; give its coefficients `b`")
    a = _coefficients("a", a, own.shape[0])
    b = a if b is None else _coefficients("b", b, own.shape[1])
    return float(a @ own @ b)


def norm(kernel, X, a, Z, b):
    """Return ‖f‖, or ‖f − g‖ of two functions."""
    kernel = kernel.resolve(X)
    if b is None:
        return float(np.sqrt(max(inner(kernel, X, a, Z, b), 0.0)))
    if Z is None:
        # The difference itself keeps the digits that squares would lose.
        own = kernel.gram(X)
        left = _coefficients("a", a, len(own)) - _coefficients("b", b, len(own))
        return float(np.sqrt(max(left @ own @ left, 0.0)))
    both = inner(kernel, X, a, Z, b)
    square = inner(kernel, X, a, None, None) - 2 * both + inner(kernel, Z, b, None, None)
    return float(np.sqrt(max(square, 0.0)))


def _coefficients(name, values, count):
    values = np.asarray(values, dtype=np.float64)
    if values.shape != (count,):
        raise ValueError(f"`{name}` has the shape {values.shape}; there are {count} points")
    if not np.isfinite(values).all():
        raise ValueError(f"`{name}` has a coefficient that is not finite")
    return values


def distance(kernel, X, Y=None):
    """Return ‖φ(x) − φ(z)‖ of every pair of rows."""
    if Y is not None:
        kernel = kernel.resolve(X)
    gram = kernel.gram(X, Y)
    own = kernel.diagonal(X) if Y is not None else np.diag(gram)
    other = kernel.diagonal(Y) if Y is not None else own
    squares = own[:, None] + other[None, :] - 2.0 * gram
    found = np.sqrt(np.maximum(squares, 0.0))
    if Y is None:
        np.fill_diagonal(found, 0.0)
    return found


def draw(kernel, X, n_draws=1, *, given=None, noise=0.0, random_state=0):
    """Return functions drawn with the kernel as covariance, at rows X."""
    if n_draws < 1 or noise < 0:
        raise ValueError("`n_draws` must be at least 1 and `noise` not negative")
    if given is None:
        mean, cov = 0.0, kernel.gram(X)
    else:
        known, y = given
        y = np.asarray(y, dtype=float)
        kernel = kernel.resolve(known)
        inner = kernel.gram(known) + noise * np.eye(len(y))
        cross = kernel.gram(X, known)
        # A kernel matrix without noise may be singular: the least solution is meant.
        solved = np.linalg.lstsq(inner, np.c_[y, cross.T], rcond=None)[0]
        mean, cov = cross @ solved[:, 0], kernel.gram(X) - cross @ solved[:, 1:]
    values, vectors = np.linalg.eigh((cov + cov.T) / 2)
    root = vectors * np.sqrt(np.maximum(values, 0.0))
    normal = np.random.default_rng(random_state).normal(size=(len(values), n_draws))
    return (root @ normal).T + mean
