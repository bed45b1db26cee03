"""Exceptions speak Python: they name parameters and classes, never a flag of the command."""

import json
import re

import numpy as np
import pandas as pd
import pytest

import mercer
from mercer import _mercer

X = np.array([[0.0, 0.0], [1.0, 0.2], [3.0, 3.0], [4.0, 3.5]])
Y = np.array([0, 0, 1, 1])
LINE = [[0.0], [1.0], [2.0], [3.0]]
FRAME = pd.DataFrame({"length": X[:, 0]})

# A flag, or a subcommand in backticks.
FOREIGN = re.compile(r"(?:^|[ `(])--[a-z]|`mercer [a-z]")


def many():
    return np.random.default_rng(0).normal(size=(3000, 2))


def automatic():
    """A model whose settings were chosen, of columns with very different scales."""
    rows = np.random.default_rng(0).normal(size=(60, 2)) * [1.0, 50.0]
    return mercer.KernelClassifier(budget=0.01).fit(rows, (rows[:, 0] > 0).astype(int))


def reading(path, content):
    path.write_bytes(content)
    return mercer.load(path)


def core(machine, **changes):
    """Take settings past scikit-learn's checks, to the core's own."""
    settings = machine._settings(2) | changes
    return _mercer.fit(json.dumps(settings), X, values=X[:, 0].copy())


CASES = {
    "hard margin": (
        lambda _: mercer.SVC(C=np.inf, kernel="linear").fit(LINE, [0, 1, 0, 1]),
        ValueError,
        "use the soft margin (a finite `C`)",
    ),
    "memory of a solver": (
        lambda _: mercer.SVC(memory_limit=10).fit(many(), many()[:, 0] > 0),
        MemoryError,
        "raise `memory_limit` or use fewer rows",
    ),
    "memory of a factor": (
        lambda _: mercer.KernelRidge(kernel="rbf", memory_limit=10).fit(many(), many()[:, 0]),
        MemoryError,
        "raise `memory_limit` or use fewer rows",
    ),
    "time": (
        lambda _: mercer.tune(mercer.SVC(), many(), many()[:, 0] > 0, max_seconds=1e-9),
        TimeoutError,
        "raise `max_seconds` or use fewer rows",
    ),
    "settings": (
        lambda _: core(mercer.SVR(), c=-1.0, tolerance=0.0, max_iterations=0),
        ValueError,
        "`C` is `-1`; it must be positive and finite; `max_iter` is `0`; it must be at least 1; "
        "`tol` is `0`; it must be positive and finite",
    ),
    "ridge": (
        lambda _: core(mercer.KernelRidge(), **{"lambda": -1.0}),
        ValueError,
        "`alpha` is `-1`; it must be positive and finite",
    ),
    "grid": (
        lambda _: mercer.tune(mercer.SVC(), X, Y, grid={"C": [-1.0]}, folds=2),
        ValueError,
        "`C` is `-1`; it must be positive and finite",
    ),
    "no strings": (
        lambda _: mercer.KernelClassifier(kernel="spectrum").fit(FRAME, Y),
        ValueError,
        "there is no text column to compare; give strings, or name a column of strings after `@`",
    ),
    "no graphs": (
        lambda _: mercer.SVC(kernel="wl@length").fit(FRAME, Y),
        ValueError,
        "there is no graph column to compare; give graphs or SMILES, or name a column of them",
    ),
    "no members": (
        lambda _: mercer.SVC(kernel="diffusion").fit(X, Y),
        TypeError,
        "give what the `nodes` of `mercer.kernels.network` returns",
    ),
    "scaled to LIBSVM": (
        lambda _: mercer.to_libsvm(automatic()),
        ValueError,
        'fit with `scale="none"`',
    ),
    "method to LIBSVM": (
        lambda _: mercer.to_libsvm(mercer.LSSVC().fit(X, Y)),
        ValueError,
        "fit with `SVC`, `NuSVC`, `SVR`, `NuSVR` or `OneClassSVM`",
    ),
    "kernel to LIBSVM": (
        lambda _: mercer.to_libsvm(mercer.SVC(kernel="laplace").fit(X, Y)),
        ValueError,
        "fit with `linear`, `poly`",
    ),
    "texts to ONNX": (
        lambda _: mercer.to_onnx(mercer.SVC(kernel="spectrum").fit(["ab", "ba", "xy", "yx"], Y)),
        ValueError,
        "ONNX cannot express",
    ),
    "a matrix to ONNX": (
        lambda _: mercer.to_onnx(mercer.SVC(kernel="precomputed").fit(np.eye(4), Y)),
        ValueError,
        "fit with a kernel of the columns themselves, such as `rbf`",
    ),
    "a LIBSVM file to load": (
        lambda folder: reading(folder / "a.mercer", b"svm_type c_svc\nkernel_type linear\n"),
        ValueError,
        "read it with `mercer.from_libsvm`",
    ),
    "no model": (
        lambda folder: reading(folder / "a.mercer", b"hello"),
        ValueError,
        "give a file written by `mercer.save`",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_advice_is_in_words_of_python(case, tmp_path):
    call, kind, says = CASES[case]
    with pytest.raises(kind, match=re.escape(says)) as caught:
        call(tmp_path)
    assert not FOREIGN.search(str(caught.value)), str(caught.value)


def test_notes_name_no_flags():
    """Files keep notes, and every front end shows them."""
    rows = many()
    machine = mercer.KernelClassifier(memory_limit=20_000_000, budget=0.01)
    told = machine.fit(rows, rows[:, 0] > 0).report_.notes
    assert any("memory limit" in note for note in told), told
    assert not [note for note in told if FOREIGN.search(note)]
