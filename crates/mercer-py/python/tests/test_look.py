"""``mercer.look``: the account of a table."""

import numpy as np
import pandas as pd
import pytest

import mercer


def frame():
    return pd.DataFrame(
        {
            "size": [1.0, 2.5, np.nan, 4.0] * 10,
            "town": ["Oslo", "Rome", None, "Oslo"] * 10,
            "day": pd.date_range("2024-01-01", periods=40),
            "yes": [True, False] * 20,
        }
    )


def test_account_agrees_with_pandas():
    x = frame()
    found = mercer.look(x).to_dict()
    assert found["rows"] == 40
    kinds = [c["kind"] for c in found["columns"]]
    assert kinds == ["numeric", "categorical", "date", "boolean"]
    for column in found["columns"]:
        assert column["missing"] == int(x[column["name"]].isna().sum())
        assert column["distinct"] == x[column["name"]].nunique()
    numbers = found["columns"][0]["numbers"]
    described = x["size"].describe()
    for ours, theirs in [
        ("mean", "mean"),
        ("standard_deviation", "std"),
        ("min", "min"),
        ("lower_quartile", "25%"),
        ("median", "50%"),
        ("upper_quartile", "75%"),
        ("max", "max"),
    ]:
        assert numbers[ours] == pytest.approx(described[theirs], rel=1e-12)
    assert sum(numbers["histogram"]) == 30
    assert found["columns"][1]["levels"][0] == {"name": "Oslo", "rows": 20}


def test_shown_and_escaped():
    found = mercer.look(frame().rename(columns={"size": "<b>"}), target="yes")
    assert "40 rows × 4 columns" in repr(found)
    assert all(len(line) <= 80 for line in repr(found).splitlines())
    assert "<b>" not in found._repr_html_()
    assert found.to_dict()["target"]["name"] == "yes"


def test_paths_dicts_and_arrays(tmp_path):
    path = tmp_path / "t.csv"
    frame().to_csv(path, index=False)
    for data in [path, str(path)]:
        found = mercer.look(data).to_dict()
        assert found["layout"]["format"] == "csv"
        assert [c["missing"] for c in found["columns"]] == [10, 10, 0, 0]
    assert mercer.look({"a": [1, 2]}).to_dict()["rows"] == 2
    assert len(mercer.look(np.ones((3, 2))).to_dict()["columns"]) == 2
    with pytest.raises(FileNotFoundError, match="there is no file"):
        mercer.look(tmp_path / "gone.csv")
    with pytest.raises(ValueError, match="no column"):
        mercer.look(frame(), target="nobody")
    with pytest.raises(ValueError, match="rows and columns"):
        mercer.look([1, 2, 3])
