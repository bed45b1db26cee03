"""What columns of frames hold: declared types are kept, strings are read as in files."""

import datetime
import decimal

import numpy as np
import pytest

import mercer
from mercer._frame import frame_columns

pd = pytest.importorskip("pandas")

ROWS = 40


@pytest.fixture(scope="module")
def strings():
    """A frame of strings of every kind, with the kinds that they have."""
    days = [datetime.date(2024, 3, 1) + datetime.timedelta(i % 28) for i in range(ROWS)]
    income = [f"{1000 + 37 * i}" for i in range(ROWS)]
    income[9] = "unknown"
    frame = pd.DataFrame(
        {
            "plain": [f"{i}.5" for i in range(ROWS)],
            "income": income,
            "amount": [f"${i + 1},{i:03}.50" for i in range(ROWS)],
            "answer": ["yes" if i % 3 else "no" for i in range(ROWS)],
            "day": [d.isoformat() for d in days],
            "german": [d.strftime("%d.%m.%Y") for d in days],
            "colour": [("red", "green", "none")[i % 3] for i in range(ROWS)],
        }
    )
    kinds = ["numeric"] * 3 + ["boolean"] + ["date"] * 2 + ["categorical"]
    return frame, list(zip(frame.columns, kinds, strict=True))


def target():
    return np.arange(ROWS) * 0.5


def test_strings_are_read_as_in_files(strings):
    frame, kinds = strings
    model = mercer.KernelRegressor().fit(frame, target())
    assert model._fitted.model.column_kinds == kinds
    assert any("39 of 40 values are numbers; row 10 holds `unknown`" in a for a in model.report_.alerts)
    few = model.predict(frame[:3])
    np.testing.assert_allclose(few, model.predict(frame)[:3])
    typed = frame.assign(
        plain=frame["plain"].astype(float),
        amount=frame["amount"].str.replace("[$,]", "", regex=True).astype(float),
        german=pd.to_datetime(frame["german"], format="%d.%m.%Y"),
    )
    np.testing.assert_allclose(model.predict(typed), model.predict(frame))


def test_kernels_of_numbers_read_strings_alike(strings):
    frame, kinds = strings
    model = mercer.KernelRegressor(kernel="rbf").fit(frame, target())
    assert model._fitted.model.column_kinds == kinds


@pytest.mark.full
def test_frames_of_polars(strings):
    pl = pytest.importorskip("polars")
    frame, kinds = strings
    model = mercer.KernelRegressor().fit(pl.DataFrame(frame.to_dict("list")), target())
    assert model._fitted.model.column_kinds == kinds


def test_declared_types_are_kept():
    frame = pd.DataFrame(
        {
            "category": pd.Categorical(["1", "2", "1"]),
            "price": [decimal.Decimal("1.50"), None, decimal.Decimal("2")],
            "date": [datetime.date(1970, 1, 2), None, datetime.date(1970, 1, 3)],
            "moment": [datetime.datetime(1970, 1, 1, 1), None, datetime.datetime(1970, 1, 2)],
            "wait": pd.to_timedelta([36, None, 12], unit="h"),
            "waits": pd.Series([datetime.timedelta(days=2), None, datetime.timedelta(0)], dtype=object),
            "month": pd.PeriodIndex(["1970-01", None, "1970-02"], freq="M"),
        }
    )
    found = {name: (kind, list(values)) for name, kind, values in frame_columns(frame)}
    assert found["category"] == ("categorical", ["1", "2", "1"])
    nan = np.nan
    for name, kind, values in [
        ("price", "numeric", [1.5, nan, 2.0]),
        ("date", "date", [86_400.0, nan, 172_800.0]),
        ("moment", "date", [3600.0, nan, 86_400.0]),
        ("wait", "numeric", [1.5, nan, 0.5]),
        ("waits", "numeric", [2.0, nan, 0.0]),
        ("month", "date", [0.0, nan, 31 * 86_400.0]),
    ]:
        assert found[name][0] == kind, name
        np.testing.assert_array_equal(found[name][1], values, err_msg=name)


def test_periods_as_objects():
    frame = pd.DataFrame({"month": pd.Series([pd.Period("1970-01", "M")] * 2, dtype=object)})
    assert frame_columns(frame)[0][1] == "date"


def test_other_cells_are_refused_by_name():
    frame = pd.DataFrame({"x": [1.0, 2.0], "bytes": [b"a", b"b"]})
    with pytest.raises(TypeError, match="column 'bytes' holds a bytes"):
        frame_columns(frame)


def test_labels_that_are_missing_are_placed():
    X = np.arange(8.0).reshape(4, 2)
    with pytest.raises(ValueError, match="y contains NaN: 1 of 4 labels are missing, the first in row 1"):
        mercer.KernelClassifier().fit(X, np.array(["a", np.nan, "b", "a"], dtype=object))


@pytest.mark.full
def test_tables_of_arrow(strings):
    pa = pytest.importorskip("pyarrow")
    frame, kinds = strings
    model = mercer.KernelRegressor().fit(pa.Table.from_pandas(frame), target())
    assert model._fitted.model.column_kinds == kinds
    np.testing.assert_allclose(model.predict(pa.Table.from_pandas(frame)), model.predict(frame))
