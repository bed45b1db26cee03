"""Pipelines of scikit-learn: searched, and stored as one model that takes raw rows."""

import json
import subprocess

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.compose import ColumnTransformer, make_column_transformer
from sklearn.decomposition import PCA
from sklearn.feature_selection import SelectKBest, VarianceThreshold
from sklearn.impute import SimpleImputer
from sklearn.model_selection import GridSearchCV, StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import (
    FunctionTransformer,
    MaxAbsScaler,
    MinMaxScaler,
    OneHotEncoder,
    OrdinalEncoder,
    PolynomialFeatures,
    RobustScaler,
    StandardScaler,
    TargetEncoder,
)

import mercer

pandas = pytest.importorskip("pandas")

# Values go through a map (x - shift)/scale + offset that may be composed of several, and through a text.
CLOSE = {"rtol": 1e-9, "atol": 1e-9}


@pytest.fixture(scope="module")
def customers():
    rng = np.random.default_rng(5)
    n = 90
    frame = pandas.DataFrame(
        {
            "income": rng.normal(40000, 9000, n).round(2),
            "country": rng.choice(["Spain", "France", "Italy"], n),
            "age": rng.integers(18, 80, n).astype(float),
            "plan": rng.choice(["basic", "gold"], n),
            "rooms": rng.integers(1, 4, n),
        }
    )
    frame.loc[[3, 17, 40], "age"] = np.nan
    frame.loc[[5, 8], "country"] = None
    spend = frame["income"] / 1000 + 10 * (frame["country"] == "Spain") + 3 * frame["rooms"]
    return frame, spend + rng.normal(size=n)


def columns():
    return make_column_transformer(
        (make_pipeline(SimpleImputer(strategy="median"), StandardScaler()), ["age", "income"]),
        (
            make_pipeline(
                SimpleImputer(strategy="most_frequent"),
                OneHotEncoder(handle_unknown="ignore"),
            ),
            ["country"],
        ),
        (OneHotEncoder(), ["plan", "rooms"]),
    )


def by_command(command, model, frame, folder):
    rows = folder / "rows.csv"
    frame.to_csv(rows, index=False)
    done = subprocess.run(
        [command, "predict", str(model), str(rows), "--json"], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)["predictions"]


@pytest.mark.parametrize(
    "steps",
    [
        (StandardScaler(),),
        (StandardScaler(with_mean=False),),
        (StandardScaler(with_std=False),),
        (MinMaxScaler(feature_range=(-1, 2)),),
        (MaxAbsScaler(),),
        (RobustScaler(),),
        (MinMaxScaler(), StandardScaler()),
        (StandardScaler(), MinMaxScaler()),
        (VarianceThreshold(0.05), StandardScaler()),
        (FunctionTransformer(), "passthrough", StandardScaler()),
    ],
    ids=str,
)
@pytest.mark.parametrize("named", [False, True])
def test_scalers_are_folded(steps, named, diabetes, tmp_path, mercer_command):
    X, y = diabetes
    X = X[:80] * np.arange(1, 11) + np.arange(10)
    X[:, 3] = np.where(np.arange(80) < 2, 0.1, 0.0)
    rows = pandas.DataFrame(X, columns=[f"column {j}" for j in range(10)]) if named else X
    pipeline = make_pipeline(*steps, mercer.SVR(C=3)).fit(rows, y[:80])
    expected = pipeline.predict(rows)
    path = tmp_path / "scaled.mercer"
    mercer.save(pipeline, path)
    np.testing.assert_allclose(mercer.load(path).predict(rows), expected, **CLOSE)
    frame = rows if named else pandas.DataFrame(X, columns=[f"x{j}" for j in range(10)])
    np.testing.assert_allclose(by_command(mercer_command, path, frame, tmp_path), expected, **CLOSE)


@pytest.mark.parametrize("strategy", ["mean", "median", "most_frequent", "constant"])
@pytest.mark.parametrize("scaler_first", [False, True])
def test_imputers_are_folded(strategy, scaler_first, diabetes, tmp_path, mercer_command):
    X, y = diabetes
    X = X[:70, :4].copy()
    X[::7, 1] = np.nan
    X[::5, 2] = np.nan
    steps = [SimpleImputer(strategy=strategy, fill_value=2.0), StandardScaler()]
    pipeline = make_pipeline(*(steps[::-1] if scaler_first else steps), mercer.LSSVR())
    expected = pipeline.fit(X, y[:70]).predict(X)
    path = tmp_path / "filled.mercer"
    mercer.save(pipeline, path)
    np.testing.assert_allclose(mercer.load(path).predict(X), expected, **CLOSE)
    frame = pandas.DataFrame(X, columns=["x0", "x1", "x2", "x3"])
    np.testing.assert_allclose(by_command(mercer_command, path, frame, tmp_path), expected, **CLOSE)


@pytest.mark.parametrize(
    "machine",
    [
        lambda: mercer.SVR(C=10),
        lambda: mercer.KernelRidge(kernel="rbf", gamma=0.2),
        lambda: mercer.Ridge(),
        lambda: mercer.LSSVR(),
    ],
)
@pytest.mark.parametrize("sparse", [False, True])
def test_columns_of_all_kinds_are_folded(machine, sparse, customers, tmp_path, mercer_command):
    frame, spend = customers
    step = columns().set_params(sparse_threshold=1.0 if sparse else 0.0)
    pipeline = make_pipeline(step, machine()).fit(frame, spend)
    assert sp.issparse(step.transform(frame)) == sparse
    expected = pipeline.predict(frame)
    path = tmp_path / "customers.mercer"
    mercer.save(pipeline, path)
    again = mercer.load(path)
    assert type(again) is type(pipeline[-1])
    np.testing.assert_allclose(again.predict(frame), expected, **CLOSE)
    # Columns in another order, and one that nobody asked for.
    moved = frame[frame.columns[::-1]].assign(other=1.0)
    np.testing.assert_allclose(again.predict(moved), expected, **CLOSE)
    # Arrays have their columns in the order of `fit`.
    np.testing.assert_allclose(again.predict(frame.to_numpy(dtype=object)), expected, **CLOSE)
    np.testing.assert_allclose(by_command(mercer_command, path, frame, tmp_path), expected, **CLOSE)


def test_classes_and_probabilities_survive(customers, tmp_path, mercer_command):
    frame, spend = customers
    labels = np.where(spend > spend.median(), "much", "little")
    pipeline = make_pipeline(columns(), mercer.SVC(probability=True)).fit(frame, labels)
    path = tmp_path / "classes.mercer"
    mercer.save(pipeline, path)
    again = mercer.load(path)
    np.testing.assert_allclose(again.predict_proba(frame), pipeline.predict_proba(frame), **CLOSE)
    assert by_command(mercer_command, path, frame, tmp_path) == pipeline.predict(frame).tolist()


def test_an_automatic_estimator_may_end_a_pipeline(customers, tmp_path, mercer_command):
    frame, spend = customers
    numbers = frame[["income", "age", "rooms"]]
    pipeline = make_pipeline(MinMaxScaler(), mercer.KernelRegressor(budget=0.3))
    expected = pipeline.fit(numbers, spend).predict(numbers)
    path = tmp_path / "automatic.mercer"
    mercer.save(pipeline, path)
    np.testing.assert_allclose(mercer.load(path).predict(numbers), expected, rtol=1e-7)
    answers = by_command(mercer_command, path, numbers, tmp_path)
    np.testing.assert_allclose(answers, expected, rtol=1e-7)
    # Frames from step to step: categories pass and are encoded by the estimator itself.
    mixed = make_column_transformer(
        (StandardScaler(), ["income"]), ("passthrough", ["plan"]), verbose_feature_names_out=False
    ).set_output(transform="pandas")
    pipeline = make_pipeline(mixed, mercer.KernelRegressor(budget=0.3)).fit(frame, spend)
    mercer.save(pipeline, path)
    expected = pipeline.predict(frame)
    np.testing.assert_allclose(mercer.load(path).predict(frame), expected, rtol=1e-7)


def test_one_hot_columns_that_are_standardised_are_refused(customers, tmp_path):
    frame, spend = customers
    pipeline = make_pipeline(columns(), mercer.KernelRegressor(budget=0.3)).fit(frame, spend)
    with pytest.raises(ValueError, match="`country`.*leave out the OneHotEncoder"):
        mercer.save(pipeline, tmp_path / "no.mercer")
    pipeline.set_params(kernelregressor__scale="none").fit(frame, spend)
    mercer.save(pipeline, tmp_path / "yes.mercer")
    again = mercer.load(tmp_path / "yes.mercer")
    np.testing.assert_allclose(again.predict(frame), pipeline.predict(frame), rtol=1e-7)


@pytest.mark.parametrize(
    ("steps", "says"),
    [
        ((PCA(2),), r"`pca` \(PCA\).*cannot say"),
        ((PolynomialFeatures(),), r"`polynomialfeatures`"),
        ((StandardScaler(), PolynomialFeatures()), r"`polynomialfeatures`"),
        ((MinMaxScaler(clip=True),), "`minmaxscaler`.*`clip=True`"),
        ((SimpleImputer(add_indicator=True),), "`simpleimputer`.*add_indicator"),
        ((SimpleImputer(missing_values=0),), "takes 0 for missing"),
        ((FunctionTransformer(np.log1p),), "Python function"),
        ((OrdinalEncoder(),), "OrdinalEncoder"),
        ((OneHotEncoder(drop="first"),), "drops categories"),
        ((OneHotEncoder(max_categories=2),), "rare categories"),
        ((OneHotEncoder(), MaxAbsScaler()), "`maxabsscaler`.*one-hot encoding of column `x0`"),
        ((ColumnTransformer([("a", MaxAbsScaler(), [0]), ("b", "passthrough", [0])]),), "two ways"),
    ],
)
def test_other_steps_are_refused_by_name(steps, says, tmp_path):
    X = np.array([[1.0, 0], [2, 1], [3, 0], [4, 2], [1, 1], [0, 2]])
    if isinstance(steps[0], SimpleImputer):
        X[0, 1] = np.nan if steps[0].missing_values != 0 else 0
    pipeline = make_pipeline(*steps, mercer.SVC()).fit(X, [0, 0, 1, 1, 0, 1])
    path = tmp_path / "refused.mercer"
    with pytest.raises(ValueError, match=says):
        mercer.save(pipeline, path)
    with pytest.raises(ValueError, match=says):
        mercer.to_onnx(pipeline)
    assert not path.exists()


def test_pipelines_of_others_are_refused(iris, tmp_path):
    from sklearn.svm import SVC

    pipeline = make_pipeline(StandardScaler(), SVC()).fit(*iris)
    with pytest.raises(TypeError, match="expected an estimator of mercer, got SVC"):
        mercer.save(pipeline, tmp_path / "theirs.mercer")


def test_categories_with_gaps_are_refused_with_the_cure(customers, tmp_path):
    frame, spend = customers
    pipeline = make_pipeline(OneHotEncoder(), mercer.SVR()).fit(frame[["country"]], spend)
    with pytest.raises(ValueError, match="missing values in column `country`: fill them in first"):
        mercer.save(pipeline, tmp_path / "gaps.mercer")


def test_a_loaded_pipeline_is_fitted_anew_like_any_other(iris, tmp_path):
    X, y = iris
    mercer.save(make_pipeline(StandardScaler(), mercer.SVC()).fit(X, y), tmp_path / "a.mercer")
    again = mercer.load(tmp_path / "a.mercer").fit(X, y)
    np.testing.assert_array_equal(
        again.decision_function(X), mercer.SVC().fit(X, y).decision_function(X)
    )


def test_onnx_takes_raw_columns(customers):
    runtime = pytest.importorskip("onnxruntime")
    frame, spend = customers
    frame = frame.drop(columns=["country"])
    step = make_column_transformer(
        (make_pipeline(SimpleImputer(), StandardScaler()), ["age", "income"]),
        (OneHotEncoder(), ["plan"]),
    )
    pipeline = make_pipeline(step, mercer.SVR(C=10)).fit(frame, spend)
    session = runtime.InferenceSession(mercer.to_onnx(pipeline))
    kinds = {entry.name: entry.type for entry in session.get_inputs()}
    assert set(kinds) == {"age", "income", "plan"}
    feed = {
        name: frame[[name]].to_numpy(
            dtype=object if "string" in kind else np.float64 if "double" in kind else np.float32
        )
        for name, kind in kinds.items()
    }
    answers = np.ravel(session.run(None, feed)[0])
    # Standard operators compute in single precision.
    np.testing.assert_allclose(answers, pipeline.predict(frame), rtol=1e-3)


# -- searching ---------------------------------------------------------------------------------


@pytest.mark.parametrize("prefix", ["", "svc__"])
def test_the_last_step_is_searched_on_scaled_rows(prefix, iris):
    X, y = iris
    X = X * [1, 100, 0.01, 1]
    grid = {f"{prefix}C": [0.1, 1, 10], f"{prefix}gamma": [0.01, 0.1, 1]}
    pipeline = make_pipeline(StandardScaler(), mercer.SVC())
    found = mercer.tune(pipeline, X, y, grid=grid, race=False)
    alone = mercer.tune(mercer.SVC(), StandardScaler().fit_transform(X), y, race=False, grid={
        "C": [0.1, 1, 10], "gamma": [0.01, 0.1, 1]
    })
    assert found.best_score_ == alone.best_score_
    assert set(found.best_params_) == {"svc__C", "svc__gamma"}
    assert "param_svc__C" in found.cv_results_
    best = found.best_estimator_
    assert best[-1].C == found.best_params_["svc__C"]
    # The same as a pipeline that is told the settings.
    again = make_pipeline(StandardScaler(), mercer.SVC()).set_params(**found.best_params_).fit(X, y)
    np.testing.assert_allclose(best.decision_function(X), again.decision_function(X))
    assert not hasattr(pipeline[0], "mean_")


def test_scores_are_those_of_grid_search_but_for_the_scaling_of_folds(iris):
    X, y = iris
    grid = {"svc__C": [0.1, 1, 10]}
    pipeline = make_pipeline(StandardScaler(), mercer.SVC(gamma=0.25))
    found = mercer.tune(pipeline, X, y, grid=grid, race=False)
    theirs = GridSearchCV(pipeline, grid, cv=StratifiedKFold(5, shuffle=True, random_state=0))
    theirs.fit(X, y)
    # Folds are drawn otherwise: means of 150 rows differ by some rows at most.
    difference = found.cv_results_["mean_test_score"] - theirs.cv_results_["mean_test_score"]
    assert np.abs(difference).max() < 0.05


def test_text_grids_and_defaults_work_in_pipelines(iris):
    X, y = iris
    pipeline = make_pipeline(StandardScaler(), mercer.SVC())
    found = mercer.tune(pipeline, X, y, grid="svc__C=0.1,1 gamma=0.1,1")
    assert set(found.best_params_) == {"svc__C", "svc__gamma"}
    assert mercer.tune(pipeline, X, y).best_score_ > 0.9


def test_what_cannot_be_searched_is_named(iris):
    X, y = iris
    pipeline = make_pipeline(StandardScaler(), mercer.SVC())
    with pytest.raises(ValueError, match="`standardscaler__with_mean` is a setting of step"):
        mercer.tune(pipeline, X, y, grid={"standardscaler__with_mean": [0, 1]})
    with pytest.raises(ValueError, match=r"step `selectkbest` \(SelectKBest\) reads `y`"):
        mercer.tune(make_pipeline(SelectKBest(k=2), mercer.SVC()), X, y)
    with pytest.raises(ValueError, match=r"step `targetencoder` \(TargetEncoder\) reads `y`"):
        mercer.tune(make_pipeline(TargetEncoder(), mercer.SVC()), X, y)
    with pytest.raises(TypeError, match="ends in KernelClassifier"):
        mercer.tune(make_pipeline(StandardScaler(), mercer.KernelClassifier()), X, y)
