"""Data that many tests share, and what the end of a run says.

`scripts/test` runs `-n 2 -m "not serial"` and then `-m serial`: tests that look at the clock, at
memory or at all cores run alone. Tests marked `full` run with `--full` or `-m full`.
"""

import os
import pathlib

if "PYTEST_XDIST_WORKER" in os.environ:
    # Several processes share the cores; threads of NumPy's would only wait for each other.
    for library in ("OPENBLAS", "OMP", "MKL"):
        os.environ.setdefault(f"{library}_NUM_THREADS", "1")

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_diabetes, load_digits, load_iris
from sklearn.preprocessing import StandardScaler

ROOT = pathlib.Path(__file__).resolve().parents[4]

# -- which tests run, and what is said of the others ---------------------------------------------

LEFT_OUT = pytest.StashKey[int]()


def pytest_addoption(parser):
    parser.addoption("--full", action="store_true", help="run tests marked `full` as well")


def pytest_configure(config):
    config.stash[LEFT_OUT] = 0
    if config.pluginmanager.hasplugin("xdist"):
        config.pluginmanager.register(Workers(config))


def pytest_collection_modifyitems(config, items):
    named = any("::" in argument for argument in config.args)
    if config.option.full or named or "full" in config.option.markexpr:
        return
    left_out = [item for item in items if item.get_closest_marker("full")]
    config.hook.pytest_deselected(items=left_out)
    items[:] = [item for item in items if not item.get_closest_marker("full")]
    config.stash[LEFT_OUT] = len(left_out)


def pytest_sessionfinish(session):
    output = getattr(session.config, "workeroutput", None)
    if output is not None:
        output["left_out"] = session.config.stash[LEFT_OUT]


class Workers:
    """Hears what the processes of pytest-xdist left out; they all leave out the same."""

    def __init__(self, config):
        self.config = config

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node):
        output = getattr(node, "workeroutput", None) or {}
        self.config.stash[LEFT_OUT] = output.get("left_out", 0)


def pytest_terminal_summary(terminalreporter, config):
    reasons = {}
    for report in terminalreporter.stats.get("skipped", []):
        reason = report.longrepr[2] if isinstance(report.longrepr, (tuple, list)) else "no reason"
        reason = " ".join(str(reason).removeprefix("Skipped: ").split())
        reasons[reason] = reasons.get(reason, 0) + 1
    told = "; ".join(f"{reason} × {count}" for reason, count in sorted(reasons.items()))
    terminalreporter.write_line(f"skipped: {sum(reasons.values())}" + (f" ({told})" if told else ""))
    left_out = config.stash[LEFT_OUT]
    if left_out:
        terminalreporter.write_line(f"deselected: {left_out} tests marked `full`; --full runs them")


# -- data ----------------------------------------------------------------------------------------


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
    """The command as it was built last."""
    target = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    built = [target / profile / "mercer" for profile in ("debug", "release", "dist")]
    built = [command for command in built if command.exists()]
    if not built:
        pytest.fail(f"no `mercer` in {target}/debug: run `cargo build --workspace` first")
    return max(built, key=lambda command: command.stat().st_mtime)
