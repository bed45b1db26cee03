"""Texts, graphs and members of networks as rows."""

import json
import pathlib
import pickle

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from sklearn.base import clone, is_regressor
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV, cross_val_score, train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

import mercer
from mercer import kernels

ORACLE = pathlib.Path(__file__).resolve().parents[4] / "tests" / "data" / "oracle"


# -- data ----------------------------------------------------------------------------------


def messages():
    """Sixty short texts; those about prizes are spam."""
    words = ["hello", "see you", "prize now", "winner today", "call me", "at home"]
    texts = [f"{words[i % 6]} {words[(i // 6) % 2]} {words[4 + i % 2]}" for i in range(60)]
    return texts, np.array(["spam" if i % 6 in (2, 3) else "ham" for i in range(60)])


def molecules():
    """Forty molecules; every second is aromatic."""
    rings = ["c1ccccc1", "C1CCCCC1", "c1ccncc1", "CCCCCC"]
    ends = ["O", "N", "Cl", "C(=O)O", "OC"]
    smiles = [ends[i % 5] + rings[i % 4] for i in range(40)]
    return smiles, np.where(np.arange(40) % 2 == 0, "yes", "no")


def clubs():
    """Two circles of friends with one tie between them."""
    edges = [(f"{club}{i}", f"{club}{j}") for club in "ab" for i in range(10) for j in range(i)]
    edges = [e for k, e in enumerate(edges) if k % 3]
    network = kernels.network([*edges, ("a0", "b0")])
    rows = network.nodes()
    return rows, np.array([name[0] for name in rows])


SETS = {
    "texts": (messages, "normalise(spectrum(length=2))"),
    "molecules": (molecules, "normalise(wl(iterations=2))"),
    "members": (clubs, "diffusion(beta=0.3)"),
}
CLASSIFIERS = [
    mercer.SVC(C=10),
    mercer.NuSVC(nu=0.2),
    mercer.LSSVC(C=10),
    mercer.KernelLogisticRegression(C=10),
]
REGRESSORS = [mercer.SVR(C=10), mercer.NuSVR(C=10), mercer.LSSVR(C=10), mercer.KernelRidge(0.1)]


def name_of(value):
    return type(value).__name__


@pytest.fixture(params=SETS)
def rows(request):
    make, kernel = SETS[request.param]
    X, y = make()
    return X, y, kernel


def part(X, rows):
    return [X[i] for i in rows] if isinstance(X, list) else X[rows]


# -- values --------------------------------------------------------------------------------


def test_words_of_the_notes():
    words = ["BEERE", "BERT"]
    assert kernels.subsequence().gram(words)[0, 1] == 14
    assert kernels.substring(decay=1).gram(words)[0, 1] == 8
    assert kernels.subsequence().diagonal(words).tolist() == [64, 16]


def expression(case):
    kernel = case["mercer"]
    if kernel.get("decay") is not None and kernel["decay"] > 1:
        return None
    names = {"gap": ("length", "decay"), "spectrum": ("length",)}
    names = names.get(kernel["kernel"], ("decay", "min", "max"))
    given = {name: kernel[name] for name in names if kernel.get(name) is not None}
    return getattr(kernels, kernel["kernel"])(**given)


def test_values_are_those_of_kernlab():
    answers = json.loads((ORACLE / "strings_kernlab.json").read_text())
    compared = 0
    for case in answers["cases"]:
        kernel = expression(case)
        if kernel is None:
            continue
        end = "\n" if case["line_break"] else ""
        found = kernel.gram([text + end for text in answers["strings"]])
        for i, line in enumerate(case["value"]):
            expected = (np.array(line) + case["add"]) / case["factor"]
            # kernlab's sums run in another order.
            np.testing.assert_allclose(found[i, i:], expected, rtol=1e-9, err_msg=str(kernel))
            compared += 1
    assert compared > 50


@pytest.mark.parametrize("as_form", [list, tuple, np.array, pd.Series], ids=lambda f: f.__name__)
def test_strings_come_in_any_sequence(as_form):
    texts = ["abcabc", "bca", "caab"]
    expected = kernels.spectrum(length=2).gram(texts)
    assert np.array_equal(kernels.spectrum(length=2).gram(as_form(texts)), expected)
    column = np.array(texts, dtype=object)
    assert np.array_equal(kernels.spectrum(length=2).gram(column), expected)
    assert np.array_equal(kernels.spectrum(length=2).gram(column[:, None]), expected)


def test_a_matrix_against_other_rows():
    texts = ["abcabc", "bca", "caab", "zz"]
    kernel = kernels.spectrum(length=2)
    assert np.array_equal(kernel.gram(texts[:2], texts), kernel.gram(texts)[:2])
    smiles = ["CCO", "c1ccccc1O", "CBr", "CC(=O)[O-]"]
    whole = kernels.wl().gram(smiles)
    assert np.array_equal(kernels.wl().gram(smiles[:2], smiles), whole[:2])
    assert np.array_equal(kernels.wl().gram(smiles, smiles[:2]), whole[:, :2])
    network = kernels.network([("a", "b"), ("b", "c"), ("c", "d")])
    whole = kernels.diffusion(beta=1).gram(network.nodes())
    some = kernels.diffusion(beta=1).gram(network.nodes(), ["b", "d"])
    assert np.array_equal(some, whole[:, [1, 3]])


@pytest.mark.parametrize(
    "kernel",
    ["wl", "wl(edges=false)", "shortest_path", "random_walk(decay=0.05)", "graphlet(size=3)"],
)
def test_graphs_are_the_same_in_every_form(kernel):
    networkx = pytest.importorskip("networkx")
    phenol = networkx.cycle_graph(6)
    networkx.set_node_attributes(phenol, "C", "label")
    networkx.set_edge_attributes(phenol, ":", "label")
    phenol.add_node("oxygen", label="O")
    phenol.add_edge(0, "oxygen", label="-")
    forms = ["c1ccccc1O", phenol, kernels.graphs(["Oc1ccccc1"])[0]]
    found = kernels.parse(kernel).gram(forms)
    np.testing.assert_allclose(found, found[0, 0], rtol=1e-12)
    assert found[0, 0] > 0
    assert kernels.parse(kernel).check_psd(forms)


def test_graphs_without_labels_have_the_label_zero():
    networkx = pytest.importorskip("networkx")
    path = networkx.path_graph(3)
    matrix = np.array([[0, 1, 0], [1, 0, 1], [0, 1, 0]])
    forms = [path, (matrix, None), (sp.csr_matrix(matrix), [0, 0, 0]), (matrix.tolist(), ["0"] * 3)]
    forms += [(matrix, {0: 0.0, 1: 0, 2: np.int64(0)})]
    found = kernels.wl(iterations=1).gram(forms)
    assert (found == found[0, 0]).all()
    # Three vertices alike, then two ends and one middle.
    assert found[0, 0] == 9 + 4 + 1


def test_labels_are_anything_hashable():
    edge = [[0, 1], [1, 0]]
    rows = [(edge, [("a", 1), None]), (edge, [None, ("a", 1)]), (edge, [True, 2.5])]
    found = kernels.wl(iterations=0).gram(rows)
    assert found.tolist() == [[2, 2, 0], [2, 2, 0], [0, 0, 2]]


def test_diffusion_is_the_exponential_of_the_laplacian():
    from scipy.linalg import expm

    ties = [("a", "b", 2.0), ("b", "c", 1.0), ("c", "a", 0.5), ("d", "a")]
    network = kernels.network(ties, names=["a", "b", "c", "d", "alone"])
    weights = np.zeros((5, 5))
    for tie in ties:
        i, j = ("abcd".index(end) for end in tie[:2])
        weights[i, j] = weights[j, i] = tie[2] if len(tie) > 2 else 1.0
    laplacian = np.diag(weights.sum(axis=0)) - weights
    found = kernels.diffusion(beta=0.7).gram(network.nodes())
    np.testing.assert_allclose(found, expm(-0.7 * laplacian), atol=1e-12)
    again = kernels.network(weights, names=network.names)
    assert again == network
    assert kernels.network(sp.csr_matrix(weights), names=network.names) == network


def test_networks_of_networkx():
    networkx = pytest.importorskip("networkx")
    graph = networkx.path_graph(4)
    graph.add_edge(0, 3, weight=2.5)
    network = kernels.network(graph)
    assert network.names == ["0", "1", "2", "3"]
    assert ("0", "3", 2.5) in network.ties and ("0", "1", 1.0) in network.ties
    assert list(network.nodes([2, 0])) == ["2", "0"]
    with pytest.raises(ValueError, match="directed"):
        kernels.network(networkx.DiGraph([(0, 1)]))


# -- prepared rows -------------------------------------------------------------------------


def prepared():
    network = kernels.network([("a", "b"), ("b", "c"), ("c", "d")])
    return [kernels.graphs(["CCO", "c1ccccc1", "N", "O=C=O"]), network.nodes()]


@pytest.mark.parametrize("rows", prepared(), ids=name_of)
def test_prepared_rows_are_chosen_like_an_array(rows):
    items = list(rows)
    assert len(rows) == 4 and rows.shape == (4,)
    for key in (slice(1, 3), slice(None, None, -1), [2, 0], np.array([3, -1]), [], slice(0, 0)):
        positions = np.arange(4)[np.array(key, dtype=int) if isinstance(key, list) else key]
        assert list(rows[key]) == [items[i] for i in positions]
    mask = np.array([True, False, False, True])
    assert list(rows[mask]) == list(rows[mask.tolist()]) == [items[0], items[3]]
    assert rows[-1] == items[3] == rows[np.int64(3)]
    for bad in (4, -5, [0, 4], [0.5], mask[:2], [[0]]):
        with pytest.raises(IndexError):
            rows[bad]


@pytest.mark.parametrize("rows", prepared(), ids=name_of)
def test_prepared_rows_can_be_pickled_and_printed(rows):
    again = pickle.loads(pickle.dumps(rows))
    assert again == rows and again != rows[:2]
    assert again[1:] == rows[1:]
    assert "4" in repr(rows)


def test_prepared_graphs_are_prepared_once():
    rows = kernels.graphs(["CCO", "N"])
    assert kernels.graphs(rows) is rows
    assert kernels.graphs(list(rows)) == rows
    assert rows[0] == kernels.Graph(("C", "C", "O"), ((0, 1, "-"), (1, 2, "-")))
    assert np.array_equal(kernels.wl().gram(rows), kernels.wl().gram(["CCO", "N"]))
    empty = kernels.graphs([(np.zeros((0, 0)), [])])
    assert len(empty[0].labels) == 0


def test_pickles_hold_arrays_and_not_objects():
    rows = kernels.graphs(["C" * 50] * 200)
    assert len(pickle.dumps(rows)) < 16 * 200 * 50 + 2000


# -- machines ------------------------------------------------------------------------------


@pytest.mark.parametrize("machine", CLASSIFIERS, ids=name_of)
def test_classifiers_learn(machine, rows):
    X, y, kernel = rows
    machine = clone(machine).set_params(kernel=kernel).fit(X, y)
    assert machine.score(X, y) > 0.9
    assert machine.n_features_in_ == 1
    assert not hasattr(machine, "feature_names_in_")
    assert machine.decision_function(X).shape == (len(y),)
    assert machine.predict(part(X, [0, 3])).tolist() == machine.predict(X)[[0, 3]].tolist()


@pytest.mark.parametrize("machine", REGRESSORS, ids=name_of)
def test_regressors_learn(machine, rows):
    X, y, kernel = rows
    y = (y == y[0]).astype(float)
    machine = clone(machine).set_params(kernel=kernel).fit(X, y)
    assert machine.score(X, y) > 0.6
    assert machine.predict(part(X, [2])).shape == (1,)


def test_novelties_are_told(rows):
    X, _, kernel = rows
    machine = mercer.OneClassSVM(kernel=kernel, nu=0.2).fit(X)
    assert machine.score_samples(X).shape == (len(X),)
    # Those on the border are on either side of it, within the tolerance.
    assert (machine.decision_function(X) > -1e-2).mean() >= 0.8
    assert set(machine.predict(X)) <= {-1, 1}


def test_several_targets(rows):
    X, y, kernel = rows
    targets = np.c_[y == y[0], np.arange(len(y))].astype(float)
    machine = mercer.KernelRidge(kernel=kernel).fit(X, targets)
    assert machine.predict(X).shape == targets.shape
    assert machine.X_fit_.size == 0


def test_probabilities(rows):
    X, y, kernel = rows
    machine = mercer.SVC(kernel=kernel, probability=True).fit(X, y)
    probabilities = machine.predict_proba(X)
    assert probabilities.shape == (len(y), 2)
    np.testing.assert_allclose(probabilities.sum(axis=1), 1)


@pytest.mark.parametrize("given", [True, False], ids=["kernel", "auto"])
def test_automatic_machines_learn(rows, given):
    X, y, kernel = rows
    if not given:
        # Without a kernel, strings are texts and not molecules.
        X, kernel = (kernels.graphs(X) if "wl" in kernel else X), "auto"
    machine = mercer.KernelClassifier(kernel=kernel, budget=0.2).fit(X, y)
    assert machine.score(X, y) > 0.9
    assert machine.n_features_in_ == 1
    regressor = mercer.KernelRegressor(kernel=kernel, budget=0.2).fit(X, (y == y[0]).astype(float))
    assert regressor.score(X, (y == y[0]).astype(float)) > 0.6
    low, high = regressor.predict_interval(X)
    assert (low <= high).all()


def test_a_list_of_strings_is_text_to_automatic_machines():
    X, y = messages()
    machine = mercer.KernelClassifier(budget=0.2).fit(X, y)
    assert machine._fitted.model.column_kinds == [("text", "text")]
    smiles, y = molecules()
    machine = mercer.KernelClassifier(budget=0.2).fit(kernels.graphs(smiles), y)
    assert machine._fitted.model.column_kinds == [("graph", "graph")]


def test_automatic_probabilities_and_sets():
    X, y = messages()
    machine = mercer.KernelClassifier(budget=0.2).fit(X, y)
    assert machine.predict_proba(X[:3]).shape == (3, 2)
    assert machine.predict_set(X[:3]).shape == (3, 2)


def mixed():
    texts, y = messages()
    smiles, _ = molecules()
    frame = pd.DataFrame(
        {
            "length": [float(i % 7) for i in range(60)],
            "text": texts,
            "smiles": [smiles[i % 40] for i in range(60)],
        }
    )
    return frame, y


MIXED = "rbf(gamma=0.1)@length + normalise(spectrum@text) + 0.5*normalise(wl@smiles)"


@pytest.mark.parametrize(
    "machine",
    [mercer.SVC(), mercer.LSSVC(), mercer.KernelClassifier(budget=0.2)],
    ids=name_of,
)
def test_mixed_frames(machine, tmp_path):
    frame, y = mixed()
    machine = clone(machine).set_params(kernel=MIXED).fit(frame, y)
    assert machine.score(frame, y) > 0.9
    assert machine.n_features_in_ == 3
    assert machine.feature_names_in_.tolist() == list(frame.columns)
    expected = machine.decision_function(frame)
    if not isinstance(machine, mercer.KernelClassifier):
        # Columns are found by name; machines without settings insist on the order as well.
        shuffled = frame[["smiles", "length", "text"]]
        np.testing.assert_array_equal(machine.decision_function(shuffled), expected)
    mercer.save(machine, tmp_path / "mixed.mercer")
    again = mercer.load(tmp_path / "mixed.mercer")
    np.testing.assert_array_equal(again.decision_function(frame), expected)
    assert again.feature_names_in_.tolist() == list(frame.columns)


def test_a_sum_over_columns_is_the_sum_of_matrices():
    frame, _ = mixed()
    found = kernels.parse(MIXED).gram(frame, frame[:5])
    expected = (
        kernels.rbf(gamma=0.1).gram(frame[["length"]], frame[["length"]][:5])
        + kernels.spectrum().normalise().gram(frame["text"], frame["text"][:5])
        + 0.5 * kernels.wl().normalise().gram(frame["smiles"], frame["smiles"][:5])
    )
    np.testing.assert_allclose(found, expected, rtol=1e-12)


def test_texts_and_molecules_of_a_frame_are_recognised(tmp_path):
    frame, y = mixed()
    # Texts that come again and again are names.
    frame["text"] = [f"{text} in room {row}" for row, text in enumerate(frame["text"])]
    machine = mercer.KernelClassifier(budget=0.2).fit(frame, y)
    assert dict(machine._fitted.model.column_kinds) == {
        "length": "numeric",
        "text": "text",
        "smiles": "molecule",
    }
    assert machine.score(frame, y) > 0.9
    assert "@" in machine.chosen_["kernel"]
    mercer.save(machine, tmp_path / "mixed.mercer")
    again = mercer.load(tmp_path / "mixed.mercer")
    np.testing.assert_array_equal(again.predict(frame[:7]), machine.predict(frame[:7]))
    names = {"text": "category", "smiles": "category"}
    # Categories of one row each would be left out as names of the rows.
    plain = mercer.KernelClassifier(budget=0.2, use=["text"]).fit(frame.astype(names), y)
    kinds = dict(plain._fitted.model.column_kinds)
    assert kinds["text"] == kinds["smiles"] == "categorical"
    assert any("@" in row["kernel"] for row in mercer.select_kernel(frame, y).table)


def test_frames_hold_graph_objects():
    smiles, y = molecules()
    frame = pd.DataFrame({"n": np.arange(40.0), "g": pd.Series(list(kernels.graphs(smiles)))})
    machine = mercer.SVC(kernel="normalise(wl@g) + 0.001*linear@n").fit(frame, y)
    assert machine.score(frame, y) > 0.9


@pytest.mark.full
def test_frames_of_polars():
    polars = pytest.importorskip("polars")
    texts, y = messages()
    frame = polars.DataFrame({"t": texts, "n": [0.0] * 60})
    for kernel in ("spectrum@t", "spectrum + linear"):
        machine = mercer.SVC(kernel=kernel).fit(frame, y)
        assert machine.score(frame, y) > 0.9
    assert mercer.SVC(kernel="spectrum").fit(frame["t"], y).score(frame["t"], y) > 0.9


def test_one_column_of_a_frame_needs_no_name():
    texts, y = messages()
    frame = pd.DataFrame({"message": texts})
    machine = mercer.SVC(kernel="spectrum").fit(frame, y)
    np.testing.assert_array_equal(
        machine.decision_function(frame), machine.decision_function(texts)
    )


# -- around machines -----------------------------------------------------------------------


def test_saved_machines_answer_alike(rows, tmp_path):
    X, y, kernel = rows
    for machine in [*CLASSIFIERS, mercer.KernelClassifier(budget=0.2)]:
        machine = clone(machine).set_params(kernel=kernels.parse(kernel)).fit(X, y)
        expected = machine.decision_function(X)
        mercer.save(machine, tmp_path / "model.mercer")
        for again in (mercer.load(tmp_path / "model.mercer"), pickle.loads(pickle.dumps(machine))):
            np.testing.assert_array_equal(again.decision_function(X), expected)
            assert again.predict(X).tolist() == machine.predict(X).tolist()
            assert again.n_features_in_ == 1
            assert str(again.kernel) == str(machine.kernel)
            assert not hasattr(again, "feature_names_in_")


def test_members_are_known_by_name_once_learnt(tmp_path):
    X, y = clubs()
    machine = mercer.SVC(kernel="diffusion").fit(X, y)
    names = list(X)
    np.testing.assert_array_equal(machine.decision_function(names), machine.decision_function(X))
    mercer.save(machine, tmp_path / "clubs.mercer")
    again = mercer.load(tmp_path / "clubs.mercer")
    np.testing.assert_array_equal(again.decision_function(names), machine.decision_function(X))
    with pytest.raises(ValueError, match="`eve` is not in the network"):
        machine.predict(["a0", "eve"])


def test_graphs_are_labelled_as_in_training():
    smiles, y = molecules()
    by_text = mercer.SVC(kernel="wl").fit(smiles, y)
    by_graph = mercer.SVC(kernel="wl").fit(kernels.graphs(smiles), y)
    new = ["BrCCO", "c1ccccc1", "O", "CC(=O)[O-]"]
    expected = by_text.decision_function(new)
    for machine in (by_text, by_graph):
        graphs = kernels.graphs(["F", *new])[1:]
        for form in (new, kernels.graphs(new), graphs, list(graphs)):
            np.testing.assert_allclose(machine.decision_function(form), expected, rtol=1e-9)
        np.testing.assert_allclose(
            machine.decision_function(new[::-1])[::-1], expected, rtol=1e-12
        )


def test_parameters_and_copies():
    machine = mercer.SVC(kernel=kernels.spectrum(length=2))
    assert clone(machine).get_params() == machine.get_params()
    X, y = messages()
    fitted = clone(machine).set_params(kernel="gap(length=2)").fit(X, y)
    assert str(fitted.kernel_) == str(fitted.kernel_.resolve(X))
    assert fitted.support_vectors_.size == 0
    assert len(fitted.support_) == fitted.n_support_.sum()
    with pytest.raises(NotFittedError):
        clone(fitted).predict(X)


def test_rows_stay_as_they_were(rows):
    X, y, kernel = rows
    before = pickle.dumps(X)
    mercer.SVC(kernel=kernel).fit(X, y).predict(X)
    assert pickle.dumps(X) == before


def test_searches_and_splits(rows):
    X, y, kernel = rows
    machine = mercer.SVC(kernel=kernel, C=10)
    assert cross_val_score(machine, X, y, cv=3).mean() > 0.8
    train, test, y_train, y_test = train_test_split(X, y, random_state=0, stratify=y)
    assert machine.fit(train, y_train).score(test, y_test) > 0.7
    arrays = np.array(X, dtype=object) if isinstance(X, list) else X
    grid = {"C": [0.1, 10.0], "kernel": [kernel, kernels.parse(kernel)]}
    search = GridSearchCV(machine, grid, cv=3)
    assert search.fit(arrays, y).best_score_ > 0.8
    workers = GridSearchCV(machine, {"C": [0.1, 10.0]}, cv=2, n_jobs=2).fit(X, y)
    assert workers.best_score_ > 0.8


def test_pipelines(rows):
    X, y, kernel = rows
    machine = make_pipeline(FunctionTransformer(), mercer.SVC(kernel=kernel, C=10))
    assert cross_val_score(machine, X, y, cv=3).mean() > 0.8
    texts, y = messages()
    lower = FunctionTransformer(lambda rows: [text.lower() for text in rows])
    machine = make_pipeline(lower, mercer.SVC(kernel="spectrum")).fit([t.upper() for t in texts], y)
    assert machine.score(texts, y) > 0.9


def test_weights_mean_copies(rows):
    X, y, kernel = rows
    keep = np.arange(len(y)) % 5 != 0
    weights = keep.astype(float)
    whole = mercer.SVC(kernel=kernel, tol=1e-8).fit(X, y, sample_weight=weights)
    some = mercer.SVC(kernel=kernel, tol=1e-8).fit(part(X, np.flatnonzero(keep)), y[keep])
    np.testing.assert_allclose(
        whole.decision_function(X), some.decision_function(X), atol=1e-6
    )


def test_refitting_takes_other_rows():
    X, y = messages()
    machine = mercer.SVC(kernel="spectrum", warm_start=True).fit(X, y)
    machine.fit(X[:30], y[:30])
    smiles, y = molecules()
    assert machine.set_params(kernel="wl").fit(smiles, y).score(smiles, y) > 0.9
    frame, y = mixed()
    assert machine.set_params(kernel="spectrum@text").fit(frame, y).n_features_in_ == 3
    machine.set_params(kernel="rbf").fit(frame[["length"]], y)
    assert machine.n_features_in_ == 1
    assert machine.set_params(kernel="spectrum").fit(X, y).n_features_in_ == 1
    assert not hasattr(machine, "feature_names_in_")


def test_tuning_and_selection():
    X, y = messages()
    machine = mercer.SVC(kernel="normalise(spectrum(length=2))")
    found = mercer.tune(machine, X, y, grid={"C": [1e-6, 10.0]})
    # So small a price puts every row into the larger class.
    assert found.best_params_["C"] == 10.0 and found.best_score_ > 0.9
    ranked = mercer.select_kernel(X, y, kernels=["normalise(spectrum)", "normalise(gap(length=2))"])
    assert len(ranked.table) == 2
    assert ranked.table[0]["loo_error"] < 0.1


# -- errors --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "kernel, X, error, said",
    [
        ("spectrum", ["a", 3, "b"], TypeError, r"X\[1\] is a int; string kernels compare strings"),
        ("spectrum", pd.Series(["a", "b", None]), TypeError, r"X\[2\] is missing"),
        ("spectrum", "abc", TypeError, "X is a str"),
        ("spectrum", np.zeros((3, 2)), TypeError, "X is a ndarray; this kernel compares strings"),
        ("spectrum", [], ValueError, "0 sample"),
        ("wl", kernels.graphs([]), ValueError, "0 sample"),
        ("spectrum@n", pd.DataFrame({"n": [1.0, 2.0, 3.0]}), ValueError, "give strings, or name"),
        ("wl@n", pd.DataFrame({"n": [1.0, 2.0, 3.0]}), ValueError, "give graphs or SMILES"),
        ("wl", ["CCO", "C1CC", "N"], ValueError, r"X\[1\] is `C1CC`, which is no SMILES, character 2"),
        ("wl", ["CCO", 7, "N"], TypeError, r"X\[1\] is a int; graph kernels compare networkx"),
        ("wl", ["CCO", None, "N"], TypeError, r"X\[1\] is missing"),
        ("wl", [([[0, 1], [0, 0]], None)] * 3, ValueError, r"adjacency of X\[0\] is not symmetric"),
        ("wl", ["C", ([[0, 1]], None), "N"], ValueError, r"X\[1\] has shape \(1, 2\)"),
        ("wl", ["C", ([[0]], "ab"), "N"], ValueError, r"X\[1\] has 1 vertices and 2 labels"),
        ("wl", ["C", ([[np.nan]], "a"), "N"], ValueError, r"X\[1\] has values that are not finite"),
        ("wl", ["C", ([[0]], {1: "a"}), "N"], ValueError, r"X\[1\] has no label for vertex 0"),
        ("wl", ["C", ("x", "y"), "N"], TypeError, r"X\[1\] is no matrix"),
        ("diffusion", ["a", "b", "c"], TypeError, "kernels.network"),
        ("rbf(gamma=1) + spectrum", ["a", "b", "c"], ValueError, "rbf"),
    ],
)
def test_bad_rows_are_named(kernel, X, error, said):
    with pytest.raises(error, match=said):
        kernels.parse(kernel).gram(X)
    with pytest.raises(error, match=said):
        mercer.SVC(kernel=kernel).fit(X, [0, 1, 0])
    with pytest.raises(error, match=said):
        mercer.KernelClassifier(kernel=kernel).fit(X, [0, 1, 0])


def test_directed_graphs_are_refused():
    networkx = pytest.importorskip("networkx")
    with pytest.raises(ValueError, match=r"X\[1\] is a directed graph"):
        kernels.graphs(["C", networkx.DiGraph([(0, 1)])])
    with pytest.raises(ValueError, match=r"X\[0\] may have several edges"):
        kernels.graphs([networkx.MultiGraph([(0, 1), (0, 1)])])
    with pytest.raises(TypeError, match="a list of one"):
        kernels.graphs(networkx.path_graph(2))


def test_bad_networks_are_refused():
    with pytest.raises(ValueError, match="edge 1 names `c`"):
        kernels.network([("a", "b"), ("b", "c")], names=["a", "b"])
    with pytest.raises(ValueError, match="two nodes"):
        kernels.network([("a", "b")], names=["a", "b", "b"])
    with pytest.raises(ValueError, match="weight"):
        kernels.network([("a", "b", -1)])
    with pytest.raises(TypeError, match="edge 0 is 'ab'"):
        kernels.network(["ab"])
    with pytest.raises(ValueError, match="element 1 is `z`"):
        kernels.network([("a", "b")]).nodes(["a", "z"])
    with pytest.raises(TypeError, match="a list of one"):
        kernels.network([("a", "b")]).nodes("a")
    with pytest.raises(ValueError, match="3 names"):
        kernels.network(np.zeros((2, 2)), names="abc")


def test_new_rows_are_checked_too():
    X, y = messages()
    machine = mercer.SVC(kernel="spectrum").fit(X, y)
    with pytest.raises(TypeError, match=r"X\[1\] is a float"):
        machine.predict(["a", 1.5])
    smiles, y = molecules()
    machine = mercer.KernelClassifier(kernel="wl").fit(smiles, y)
    with pytest.raises(ValueError, match=r"X\[0\] is `X`, which is no SMILES, character 1"):
        machine.predict(["X"])


def test_targets_are_checked():
    X, y = messages()
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        mercer.SVC(kernel="spectrum").fit(X, y[:-1])
    with pytest.raises(ValueError, match="NaN"):
        mercer.SVR(kernel="spectrum").fit(X, np.r_[np.nan, np.ones(59)])
    with pytest.raises(ValueError, match="requires y"):
        mercer.KernelRidge(kernel="spectrum").fit(X, None)
    with pytest.raises(ValueError):
        mercer.SVC(kernel="spectrum").fit(X, None)


def test_missing_numbers_in_a_frame_are_refused():
    frame, y = mixed()
    frame.loc[3, "length"] = np.nan
    with pytest.raises(ValueError, match="row 4, column `length`: the value is missing"):
        mercer.SVC(kernel=MIXED).fit(frame, y)


def test_bad_molecules_of_a_frame_are_placed():
    frame, y = mixed()
    frame.loc[3, "smiles"] = "C1CC"
    said = "row 4, column `smiles`: `C1CC` is no SMILES, character 2"
    with pytest.raises(ValueError, match=said):
        mercer.SVC(kernel=MIXED).fit(frame, y)


@pytest.mark.parametrize("kernel", ["rbf", "linear"])
def test_kernels_on_numbers_keep_the_usual_error(kernel):
    from sklearn.svm import SVC

    X, y = messages()
    with pytest.raises(ValueError) as theirs:
        SVC(kernel=kernel).fit(X, y)
    for machine in (mercer.SVC(kernel=kernel), mercer.KernelClassifier(kernel=kernel)):
        with pytest.raises(ValueError) as ours:
            machine.fit(X, y)
        assert str(ours.value) == str(theirs.value)


# -- what scikit-learn checks of machines for numbers ------------------------------------------


@pytest.mark.parametrize("machine", [*CLASSIFIERS, *REGRESSORS], ids=name_of)
def test_as_scikit_learn_checks_machines(machine, rows):
    X, y, kernel = rows
    if is_regressor(machine):
        y = (y == y[0]).astype(float)
    before = clone(machine).set_params(kernel=kernel)
    machine = clone(before)
    assert machine.fit(X, y) is machine
    assert machine.get_params() == before.get_params()
    first = machine.predict(X)
    # The same answer again, row by row, in another order, and after another fit.
    assert np.array_equal(first, machine.predict(X))
    one_by_one = np.concatenate([machine.predict(part(X, [i])) for i in range(len(y))])
    order = np.random.default_rng(0).permutation(len(y))
    shuffled = machine.predict(part(X, order))
    again = machine.fit(X, y).predict(X)
    for other, expected in ((one_by_one, first), (shuffled, first[order]), (again, first)):
        if first.dtype.kind == "f":
            np.testing.assert_allclose(other, expected, atol=1e-9)
        else:
            assert (other == expected).all()
    assert machine.__sklearn_tags__().input_tags.string
    assert not before.set_params(kernel="rbf").__sklearn_tags__().input_tags.string
