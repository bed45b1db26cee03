"""Data that many tests share."""

import os
import pathlib

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_diabetes, load_digits, load_iris
from sklearn.preprocessing import StandardScaler


@pytest.fixture(scope="session")
def iris():
    return load_iris(return_X_y=True)


@pytest.fixture(scope="session")
def digits():
    X, y = load_digits(return_X_y=True)
    return X / 16.0, y


@pytest.fixture(scope="session")
def cancer():
    X, y = load_breast_cancer(return_X_y=True)
    return StandardScaler().fit_transform(X), y


@pytest.fixture(scope="session")
def diabetes():
    X, y = load_diabetes(return_X_y=True)
    return StandardScaler().fit_transform(X), (y - y.mean()) / y.std()


@pytest.fixture(scope="session")
def a9a():
    """The first rows of a9a, sparse; larger published sets live outside the repository."""
    from sklearn.datasets import load_svmlight_file

    folder = os.environ.get("MERCER_DATA", "")
    found = sorted(pathlib.Path(folder).glob("**/a9a*")) if folder else []
    files = [f for f in found if f.is_file() and ".t" not in f.name]
    if not files:
        pytest.skip("a9a is not here: set MERCER_DATA to the folder of the larger sets")
    X, y = load_svmlight_file(str(files[0]), n_features=123)
    return X[:4000], y[:4000]


@pytest.fixture
def two_moons():
    rng = np.random.default_rng(7)
    angle = rng.uniform(0, np.pi, 120)
    side = np.arange(120) % 2
    X = np.c_[np.cos(angle) + side, np.sin(angle) * (1 - 2 * side)]
    return X + rng.normal(scale=0.15, size=X.shape), side


@pytest.fixture(scope="session")
def mercer_command():
    """The built command, where there is one."""
    root = pathlib.Path(__file__).resolve().parents[4]
    for profile in ("release", "debug"):
        command = root / "target" / profile / "mercer"
        if command.exists():
            return command
    pytest.skip("the command is not built")
