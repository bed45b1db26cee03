"""From scikit-learn's ``kernel``, ``gamma``, ``degree``, ``coef0`` to a kernel expression.

A bare scikit-learn name means scikit-learn's parameters; any other text is an expression,
and then ``gamma``, ``degree`` and ``coef0`` are not read.
"""

from . import _mercer
from .kernels import Kernel

SKLEARN_KERNELS = ("linear", "poly", "rbf", "sigmoid", "precomputed")


def is_function(kernel):
    """Tell whether the kernel is a Python function of two sets of rows."""
    return callable(kernel) and not isinstance(kernel, Kernel)


def is_precomputed(kernel):
    """Tell whether rows are rows of a kernel matrix."""
    if is_function(kernel):
        return False
    if isinstance(kernel, str) and kernel in SKLEARN_KERNELS:
        return kernel == "precomputed"
    try:
        return _mercer.kernel_reads_matrix(str(kernel))
    except ValueError:
        return False


def kernel_text(kernel, gamma, degree, coef0, n_features):
    """Return the expression a machine is fitted with."""
    if is_function(kernel):
        return "precomputed"
    if isinstance(kernel, Kernel) or kernel not in SKLEARN_KERNELS:
        return _mercer.kernel_canonical(str(kernel))
    if kernel in ("linear", "precomputed"):
        return kernel
    # A scale left out is chosen as scikit-learn's "scale" is, with weights as copies.
    width = {"scale": None, "auto": 1.0 / n_features}.get(gamma, gamma) if isinstance(
        gamma, str
    ) else float(gamma)
    if kernel == "rbf":
        return "rbf" if width is None else f"rbf(gamma={width!r})"
    scale = "" if width is None else f"scale={width!r}, "
    offset = float(coef0)
    if kernel == "poly":
        return f"poly({scale}degree={int(degree)}, offset={offset!r})"
    return f"sigmoid({scale}offset={offset!r}, form=tanh)"
