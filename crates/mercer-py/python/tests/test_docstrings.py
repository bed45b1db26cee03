"""Docstrings: complete for every parameter, with examples that run."""

import doctest
import importlib
import inspect
import pkgutil

import pytest
from sklearn.base import BaseEstimator

import mercer

MODULES = [m.name for m in pkgutil.iter_modules(mercer.__path__) if m.name != "_mercer"]


@pytest.mark.parametrize("name", ["", *MODULES])
def test_examples_run(name):
    module = importlib.import_module(f"mercer.{name}" if name else "mercer")
    outcome = doctest.testmod(module)
    assert outcome.failed == 0
    assert outcome.attempted > 0 or ">>>" not in inspect.getsource(module)


MACHINES = [
    item
    for item in (getattr(mercer, name) for name in mercer.__all__)
    if inspect.isclass(item) and issubclass(item, BaseEstimator)
]


@pytest.mark.parametrize("machine", MACHINES)
def test_every_parameter_is_described_in_order(machine):
    text = inspect.getdoc(machine)
    parameters = [p for p in inspect.signature(machine).parameters]
    places = [text.index(f"\n{name} : ") for name in parameters]
    assert places == sorted(places)
    assert ">>>" in text


@pytest.mark.parametrize("name", [n for n in mercer.__all__ if callable(getattr(mercer, n))])
def test_public_names_have_docstrings(name):
    item = getattr(mercer, name)
    assert inspect.getdoc(item)
    if inspect.isclass(item):
        for method, function in inspect.getmembers(item, inspect.isfunction):
            own = function.__module__.startswith("mercer")
            if own and not method.startswith("_"):
                assert function.__doc__, f"{name}.{method}"
