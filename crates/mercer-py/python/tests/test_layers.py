"""MLPClassifier and MLPRegressor beside scikit-learn's."""

import inspect
import pickle
import warnings

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn import neural_network
from sklearn.datasets import load_iris, make_circles
from sklearn.exceptions import ConvergenceWarning

import mercer

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")

SOLVERS = ["adam", "sgd", "lbfgs", "cg", "lm"]


def wave(n=80):
    x = np.linspace(-2, 2, n)[:, None]
    return x, np.sin(2 * x[:, 0])


@pytest.mark.parametrize("name", ["MLPClassifier", "MLPRegressor"])
def test_parameters_and_defaults_are_scikit_learns(name):
    def parameters(module):
        return {
            p.name: p.default
            for p in inspect.signature(getattr(module, name)).parameters.values()
        }

    ours, theirs = parameters(mercer), parameters(neural_network)
    assert ours.pop("n_init") == 1
    assert ours == theirs
    assert list(ours) == list(theirs)


@pytest.mark.parametrize("solver", SOLVERS)
def test_every_solver_learns_circles(solver):
    X, y = make_circles(120, noise=0.05, factor=0.4, random_state=0)
    model = mercer.MLPClassifier(
        (8,), "tanh", solver=solver, max_iter=400, learning_rate_init=0.05, random_state=0
    ).fit(X, y)
    assert model.score(X, y) > 0.97
    p = model.predict_proba(X)
    np.testing.assert_allclose(p.sum(axis=1), 1)
    np.testing.assert_array_equal(model.classes_[p.argmax(axis=1)], model.predict(X))
    assert model.out_activation_ == "logistic" and model.n_layers_ == 3 and model.n_outputs_ == 1
    assert [c.shape for c in model.coefs_] == [(2, 8), (8, 1)]
    assert [b.shape for b in model.intercepts_] == [(8,), (1,)]
    assert model.loss_curve_[-1] == model.loss_ and len(model.loss_curve_) == model.n_iter_


@pytest.mark.parametrize("activation", ["identity", "logistic", "tanh", "relu"])
@pytest.mark.parametrize("targets", [2, 3])
def test_weights_answer_as_in_scikit_learn(activation, targets):
    X, y = load_iris(return_X_y=True)
    X, y = X[y < targets], np.array(["a", "b", "c"])[y[y < targets]]
    ours = mercer.MLPClassifier((5, 4), activation, max_iter=30, random_state=0).fit(X, y)
    theirs = neural_network.MLPClassifier((5, 4), activation, max_iter=1).fit(X, y)
    theirs.coefs_, theirs.intercepts_ = ours.coefs_, ours.intercepts_
    assert ours.out_activation_ == theirs.out_activation_
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), atol=1e-12)
    np.testing.assert_array_equal(ours.predict(X), theirs.predict(X))


@pytest.mark.parametrize("loss", ["squared_error", "poisson"])
def test_numbers_are_learnt_as_well_as_by_scikit_learn(loss):
    X, y = wave()
    y = y if loss == "squared_error" else np.exp(y)
    settings = {
        "loss": loss,
        "hidden_layer_sizes": (10,),
        "activation": "tanh",
        "solver": "lbfgs",
        "random_state": 1,
        "max_iter": 500,
    }
    ours = mercer.MLPRegressor(**settings, n_init=3).fit(X, y)
    theirs = neural_network.MLPRegressor(**settings).fit(X, y)
    assert ours.out_activation_ == theirs.out_activation_
    assert ours.score(X, y) > min(0.99, theirs.score(X, y) - 0.01)
    assert len(ours.start_losses_) == 3 and min(ours.start_losses_) == ours.objective_


def test_several_targets_sparse_rows_and_weights():
    X, y = wave()
    X = np.c_[X, np.maximum(X, 0), np.zeros(len(X))]
    Y = np.c_[y, 3 * y + 1]
    model = mercer.MLPRegressor(
        hidden_layer_sizes=8, activation="tanh", solver="lm", random_state=0
    )
    assert model.fit(X, Y).predict(X).shape == Y.shape
    assert model.score(X, Y) > 0.99
    sparse = mercer.MLPRegressor(**model.get_params()).fit(sp.csr_matrix(X), Y)
    np.testing.assert_allclose(sparse.predict(X), model.predict(X), atol=1e-4)
    counted = np.arange(len(X)) % 3
    model.set_params(solver="lbfgs", max_iter=15).fit(X, y, counted)
    repeated = mercer.MLPRegressor(**model.get_params())
    repeated.fit(np.repeat(X, counted, axis=0), np.repeat(y, counted))
    np.testing.assert_allclose(model.predict(X), repeated.predict(X), atol=1e-6)


def test_early_stopping_and_warm_start():
    X, y = wave(200)
    model = mercer.MLPRegressor(
        hidden_layer_sizes=20, early_stopping=True, random_state=0, learning_rate_init=0.01
    ).fit(X, y)
    assert len(model.validation_scores_) == model.n_iter_
    assert model.best_validation_score_ == max(model.validation_scores_)
    assert model.best_loss_ is None
    warm = mercer.MLPRegressor(hidden_layer_sizes=20, warm_start=True, max_iter=20, random_state=0)
    first = warm.fit(X, y).loss_
    assert warm.fit(X, y).loss_ < first
    with pytest.raises(ValueError, match="layers"):
        warm.set_params(hidden_layer_sizes=21).fit(X, y)


def test_what_is_kept_answers_alike(tmp_path):
    onnxruntime = pytest.importorskip("onnxruntime")
    X, y = load_iris(return_X_y=True)
    for machine, targets in [
        (mercer.MLPClassifier((6,), "logistic", max_iter=20, random_state=0), y),
        (mercer.MLPClassifier((6, 3), "relu", max_iter=20, random_state=0), y % 2),
        (mercer.MLPRegressor(hidden_layer_sizes=4, activation="tanh", random_state=0), X[:, 0] * y),
    ]:
        machine.fit(X, targets)
        copied = pickle.loads(pickle.dumps(machine))
        np.testing.assert_array_equal(copied.predict(X), machine.predict(X))
        path = tmp_path / "model.mercer"
        mercer.save(machine, path)
        loaded = mercer.load(path)
        np.testing.assert_array_equal(loaded.predict(X), machine.predict(X))
        assert type(loaded) is type(machine) and loaded.loss_curve_ == machine.loss_curve_
        session = onnxruntime.InferenceSession(mercer.to_onnx(machine))
        feed = {i.name: X[:, k : k + 1] for k, i in enumerate(session.get_inputs())}
        if len(feed) == 1:
            feed = {session.get_inputs()[0].name: X}
        names = [o.name for o in session.get_outputs()]
        answers = dict(zip(names, session.run(None, feed), strict=True))
        if "label" in answers:
            np.testing.assert_array_equal(answers["label"], machine.predict(X))
            found = answers["probabilities"]
            np.testing.assert_allclose(found, machine.predict_proba(X), atol=1e-12)
        else:
            found = answers["prediction"][:, 0]
            np.testing.assert_allclose(found, machine.predict(X), atol=1e-12)


def test_bad_input_is_told():
    X, y = wave(20)
    with pytest.raises(ValueError, match="hidden_layer_sizes"):
        mercer.MLPRegressor(hidden_layer_sizes=(3, 0)).fit(X, y)
    with pytest.raises(ValueError, match="not negative"):
        mercer.MLPRegressor(loss="poisson").fit(X, y - 10)
    with pytest.raises(ValueError, match="early stopping"):
        mercer.MLPRegressor(solver="cg", early_stopping=True).fit(X, y)
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        mercer.MLPRegressor(
            hidden_layer_sizes=(5,), activation="identity", solver="sgd", learning_rate_init=1e3
        ).fit(1e3 * X, 1e3 * y)
    assert any("diverged" in str(w.message) for w in told if w.category is ConvergenceWarning)


def test_one_seed_gives_one_network():
    X, y = wave()
    fit = [mercer.MLPRegressor(random_state=s, max_iter=5).fit(X, y).predict(X) for s in (0, 0, 1)]
    np.testing.assert_array_equal(fit[0], fit[1])
    assert not np.array_equal(fit[0], fit[2])


def test_rows_may_have_several_labels():
    X, y = load_iris(return_X_y=True)
    Y = np.c_[y == 0, X[:, 0] > 5.5, X[:, 2] > 3].astype(int)
    model = mercer.MLPClassifier((10,), "tanh", solver="lbfgs", random_state=0).fit(X, Y)
    assert model.predict(X).shape == Y.shape and (model.predict(X) == Y).mean() > 0.95
    theirs = neural_network.MLPClassifier((10,), "tanh", max_iter=1).fit(X, Y)
    theirs.coefs_, theirs.intercepts_ = model.coefs_, model.intercepts_
    np.testing.assert_allclose(model.predict_proba(X), theirs.predict_proba(X), atol=1e-12)
    np.testing.assert_array_equal(model.predict(X), theirs.predict(X))
    assert model.out_activation_ == "logistic" and model.n_outputs_ == 3


def test_gaussians_around_centres():
    X, y = wave()
    model = mercer.RBFNetRegressor(9, random_state=0).fit(X, y)
    assert model.score(X, y) > 0.99 and model.centers_.shape == (9, 1)
    squares = ((X[:, None, :] - model.centers_) ** 2).sum(axis=2)
    features = np.exp(-squares / (2 * model.width_**2))
    expected = features @ model.coef_ + model.intercept_
    np.testing.assert_allclose(model.predict(X), expected, atol=1e-9)
    X, y = load_iris(return_X_y=True)
    model = mercer.RBFNetClassifier(12, random_state=0).fit(X, y)
    assert model.score(X, y) > 0.93 and model.decision_function(X).shape == (150, 3)
    copied = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(copied.predict(X), model.predict(X))


@pytest.mark.parametrize("solver", ["adam", "sgd"])
def test_passes_over_parts_reach_what_a_fit_reaches(solver):
    X, y = load_iris(return_X_y=True)
    X = (X - X.mean(0)) / X.std(0)
    names = np.array(["setosa", "versicolor", "virginica"])[y]
    settings = {"hidden_layer_sizes": 12, "solver": solver, "learning_rate_init": 0.01}
    machine = mercer.MLPClassifier(**settings, random_state=0, batch_size=10)
    parts = np.array_split(np.random.default_rng(1).permutation(len(y)), 3)
    for turn in range(40):
        for part in parts:
            machine.partial_fit(X[part], names[part], classes=None if turn else np.unique(names))
    assert machine.score(X, names) > 0.94
    assert machine.t_ == 40 * len(y)
    # A part may lack a class, and bring none that is new.
    machine.partial_fit(X[:50], names[:50])
    with pytest.raises(ValueError, match="not in `classes`"):
        machine.partial_fit(X[:1], ["daisy"])
    with pytest.raises(ValueError, match="not the same"):
        machine.partial_fit(X[:1], names[:1], classes=["setosa", "daisy"])
    with pytest.raises(ValueError, match="features"):
        machine.partial_fit(X[:, :2], names)


def test_passes_of_a_regression():
    x, y = wave()
    machine = mercer.MLPRegressor(
        hidden_layer_sizes=30, learning_rate_init=0.02, batch_size=20, random_state=0
    )
    losses = []
    for _ in range(120):
        machine.partial_fit(x, np.c_[y, -y])
        losses.append(machine.loss_)
    assert losses[-1] < 0.1 * losses[0]
    assert machine.predict(x).shape == (80, 2)
    with pytest.raises(ValueError, match="early_stopping"):
        mercer.MLPRegressor(early_stopping=True).partial_fit(x, y)


def test_only_stochastic_solvers_go_over_parts():
    assert hasattr(mercer.MLPClassifier(), "partial_fit")
    assert not hasattr(mercer.MLPClassifier(solver="lm"), "partial_fit")
    with pytest.raises(ValueError, match="first call"):
        mercer.MLPClassifier().partial_fit([[0.0], [1.0]], [0, 1])
