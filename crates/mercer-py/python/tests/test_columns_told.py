"""What is wrong with a column is said with its name and with what helps."""

import numpy as np
import pytest

import mercer

pandas = pytest.importorskip("pandas")

LABELS = [0, 1, 0, 1]
NUMERIC = [mercer.SVC, mercer.SVR, mercer.LSSVC, mercer.KernelRidge, mercer.Ridge]


def frame(**columns):
    return pandas.DataFrame({"income": [1.0, 2.0, 3.0, 4.0], **columns})


@pytest.mark.parametrize("machine", NUMERIC)
def test_a_column_of_text_is_named_with_two_cures(machine):
    countries = frame(country=["Spain", "France", "Spain", "Italy"])
    with pytest.raises(ValueError, match="column `country` holds text such as 'Spain'") as told:
        machine().fit(countries, LABELS)
    assert "could not convert string to float" in str(told.value)
    assert "OneHotEncoder" in str(told.value)
    open_one = "KernelClassifier" if machine._task == "classify" else "KernelRegressor"
    assert f"mercer.{open_one}" in str(told.value)
    assert "income" not in str(told.value)


def test_what_the_hint_names_works():
    countries = frame(country=["Spain", "France", "Spain", "Italy"])
    mercer.KernelClassifier().fit(countries, LABELS).predict(countries)


def test_machines_without_an_open_brother_name_the_encoder_alone():
    countries = frame(country=["Spain", "France", "Spain", "Italy"])
    for machine in (mercer.OneClassSVM, mercer.KMeans):
        with pytest.raises(ValueError, match="column `country`.*OneHotEncoder") as told:
            machine().fit(countries)
        assert "Kernel" not in str(told.value)


def test_new_rows_are_looked_at_as_well():
    machine = mercer.SVC().fit(frame(), LABELS)
    with pytest.raises(ValueError, match="column `income` holds text such as 'much'"):
        machine.predict(pandas.DataFrame({"income": ["much"]}))


@pytest.mark.parametrize("machine", NUMERIC)
def test_missing_and_infinite_values_are_counted_by_column(machine):
    with pytest.raises(ValueError, match=r"NaN.*\n.*missing in column `age` \(2\): fill"):
        machine().fit(frame(age=[1.0, np.nan, 2.0, np.nan]), LABELS)
    with pytest.raises(ValueError, match=r"infinity.*\n.*column `age` \(1\)"):
        machine().fit(frame(age=[1.0, np.inf, 2.0, 3.0]), LABELS)


def test_columns_that_were_not_learnt_from_are_listed_whatever_they_hold():
    machine = mercer.SVC().fit(frame(), LABELS)
    with pytest.raises(ValueError, match=r"unseen at fit time:\n- country") as told:
        machine.predict(frame(country=["Spain", "France", "Spain", "Italy"]))
    assert "OneHotEncoder" not in str(told.value)


def test_dates_are_not_sent_to_an_encoder():
    dates = frame(day=pandas.to_datetime(["2024-01-01"] * 4))
    with pytest.raises(TypeError, match="column `day` holds values of type Timestamp") as told:
        mercer.SVC().fit(dates, LABELS)
    assert "OneHotEncoder" not in str(told.value)


def test_columns_of_arrays_are_counted():
    with pytest.raises(ValueError, match=r"column 1 \(counted from 0\) holds text such as 'a'"):
        mercer.SVC().fit([[1, "a"], [2, "b"]], [0, 1])
    with pytest.raises(ValueError, match=r"column 1 \(counted from 0\) \(1\)"):
        mercer.SVC().fit(np.array([[1, 2], [2, np.nan]]), [0, 1])


def test_an_open_estimator_asks_for_a_frame():
    rows = np.array([[1, "a"], [2, "b"]] * 5, dtype=object)
    with pytest.raises(ValueError, match="column 1 .*give a data frame"):
        mercer.KernelClassifier().fit(rows, [0, 1] * 5)


@pytest.mark.full
def test_polars_columns_are_named():
    polars = pytest.importorskip("polars")
    countries = polars.DataFrame({"income": [1.0, 2.0], "country": ["Spain", "Italy"]})
    with pytest.raises(ValueError, match="column `country` holds text such as 'Spain'"):
        mercer.SVC().fit(countries, [0, 1])
