"""The Python code of the two READMEs, run as it is printed."""

import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_wine

ROOT = Path(__file__).resolve().parents[4]
SMILES = ["CCO", "CCN", "c1ccccc1", "c1ccccc1O", "CCCC", "Cc1ccccc1"]


def blocks(path):
    if not path.exists():
        pytest.skip(f"{path.name} is not here")
    found = re.findall(r"```python\n(.*?)```", path.read_text(encoding="utf-8"), re.DOTALL)
    assert found
    return found


def names():
    """What the snippets take for granted."""
    wine = load_wine(as_frame=True)
    X, y = wine.data.iloc[::4, :4], wine.target.iloc[::4].to_numpy()
    rows = len(y)
    molecules = [SMILES[label * 2 + row % 2] for row, label in enumerate(y)]
    frame = X.assign(smiles=molecules, logp=np.linspace(0, 1, rows))
    return {
        "X": X,
        "y": y,
        "X_new": X.iloc[:5],
        "frame": frame,
        "new": frame.iloc[:5],
        "molecules": molecules,
        "texts": molecules,
        "graphs": molecules,
        "patients": np.arange(rows) // 3,
        "names": [["ann", "bob", "cem"][label] for label in y],
    }


def test_the_readme_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    space = names()
    for code in blocks(ROOT / "README.md"):
        exec(compile(code, "README.md", "exec"), space)
    # What it saves answers raw rows of the same columns, as a file reader gives them.
    mercer = pytest.importorskip("mercer")
    space["X"].to_csv("wine.csv", index=False)
    again = mercer.load("model.mercer").predict(pd.read_csv("wine.csv"))
    assert (again == space["best"].predict(space["X"])).all()
    assert Path("model.onnx").stat().st_size > 0
    again = mercer.load("svc.mercer").predict(pd.read_csv("wine.csv"))
    assert (again == space["found"].predict(space["X"])).all()


def test_the_readme_of_the_package_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    pytest.importorskip("networkx")
    space = names()
    for code in blocks(ROOT / "crates" / "mercer-py" / "README.md"):
        exec(compile(code, "README.md", "exec"), space)
