"""From scikit-learn's ``kernel``, ``gamma``, ``degree``, ``coef0`` to a kernel expression.

A bare scikit-learn name means scikit-learn's parameters; any other text is an expression,
and then ``gamma``, ``degree`` and ``coef0`` are not read; who gives them is warned.
"""

import inspect
import warnings

from . import _mercer
from ._structured import wanted
from .kernels import Kernel

SKLEARN_KERNELS = ("linear", "poly", "rbf", "sigmoid", "precomputed")

# How an expression says what scikit-learn's parameters say.
IN_EXPRESSIONS = {
    "gamma": "rbf(gamma={0})` or `poly(scale={0})",
    "degree": "poly(degree={0})",
    "coef0": "poly(offset={0})",
}


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


def needs_objects(kernel):
    """Return what a kernel reads beside numbers, such as texts or graphs."""
    if is_function(kernel) or (isinstance(kernel, str) and kernel in SKLEARN_KERNELS):
        return ()
    return wanted(kernel)


def asks_for_scale(kernel, gamma):
    """Tell whether the width is scikit-learn's ``"scale"``, which row weights do not change.

    An expression's open parameters are mercer's own choice, and so are those of estimators that
    scikit-learn does not have: there weights count as copies.
    """
    named = isinstance(kernel, str) and kernel in ("poly", "rbf", "sigmoid")
    return named and isinstance(gamma, str) and gamma == "scale"


def kernel_text(kernel, gamma, degree, coef0, n_features):
    """Return the expression an estimator is fitted with."""
    if is_function(kernel):
        return "precomputed"
    if isinstance(kernel, Kernel) or kernel not in SKLEARN_KERNELS:
        return _mercer.kernel_canonical(str(kernel))
    if kernel in ("linear", "precomputed"):
        return kernel
    parameters = {
        "gamma" if kernel == "rbf" else "scale": _coefficient(gamma, n_features),
        "degree": int(degree) if kernel == "poly" else None,
        "offset": float(coef0) if kernel in ("poly", "sigmoid") else None,
        "form": "tanh" if kernel == "sigmoid" else None,
    }
    given = ", ".join(f"{name}={value}" for name, value in parameters.items() if value is not None)
    return f"{kernel}({given})" if given else kernel


def warn_of_unread(machine, names=SKLEARN_KERNELS, stacklevel=5):
    """Warn of parameters that were given and that the kernel's expression does not read.

    scikit-learn's own ``names`` ignore some of them too, in silence: grids rely on it.
    """
    kernel = machine.kernel
    if is_function(kernel) or (isinstance(kernel, str) and kernel in names):
        return
    signature = inspect.signature(type(machine).__init__).parameters
    for name, written in IN_EXPRESSIONS.items():
        value = getattr(machine, name, None)
        if name not in signature or value == signature[name].default:
            continue
        # A word such as "auto" has no place in an expression.
        is_word = isinstance(value, str)
        warnings.warn(
            f"`{name}={repr(value) if is_word else value}` is not used: the kernel is the "
            f"expression `{kernel}`. Write it into the expression, as in "
            f"`{written.format('…' if is_word else value)}`.",
            UserWarning,
            stacklevel=stacklevel,
        )


def _coefficient(gamma, n_features):
    """Return the number ``gamma`` stands for; ``None`` leaves the choice to Rust.

    Rust chooses as scikit-learn's ``"scale"`` does where it is told to let weights alone.
    """
    if gamma == "scale":
        return None
    return 1.0 / n_features if gamma == "auto" else float(gamma)
