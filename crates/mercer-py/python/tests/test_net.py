"""The net: what users can name today, they can name tomorrow, and old pickles still answer.

`tests/data/net/python.txt` has one line per public name, parameter, attribute and key;
`tests/data/net/pickles` has one pickle per class and kind of rows, with its predictions.
`MERCER_RECORD=1 pytest -k net` adds what is new to both. Nothing is ever taken out by a program:
who means to break users edits the files by hand.
"""

import contextlib
import inspect
import json
import os
import pathlib
import pickle
import re
import warnings

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.base import BaseEstimator

import mercer
from mercer import bounds, kernels

NET = pathlib.Path(__file__).resolve().parents[4] / "tests" / "data" / "net"
NAMES = NET / "python.txt"
PICKLES = NET / "pickles"
ANSWERS = PICKLES / "answers.json"

RECORD = os.environ.get("MERCER_RECORD") == "1"
GONE = "removed or renamed; users rely on it: keep it or add an alias"
CHANGED = "changed; users rely on it as it was"
NEW = "not recorded; if it is meant to be public, add it with MERCER_RECORD=1"
DEMANDING = "a new parameter without a default breaks every call there is"

# -- tiny data -----------------------------------------------------------------------------------

ROWS = np.array(
    [[0.1, 1.2], [0.4, 0.7], [0.9, 0.2], [1.1, 1.9], [0.3, 1.5], [0.6, 0.1]]
    + [[2.1, 2.2], [2.6, 1.7], [3.0, 2.9], [1.9, 2.8], [2.4, 3.1], [2.8, 2.0]]
)
NUMBERS = np.array([1.3, 1.1, 1.2, 3.1, 1.7, 0.6, 4.4, 4.2, 5.8, 4.6, 5.6, 4.9])
TWO = np.array(["low"] * 6 + ["high"] * 6)
THREE = np.array([0, 1, 2, 0, 0, 1, 2, 2, 1, 0, 0, 2])
NEW_ROWS = np.array([[0.0, 0.0], [1.5, 1.5], [3.0, 2.5], [2.0, 0.5]])
TEXTS = ["prize now", "win a prize", "see you", "at home", "prize today", "see you at home"]
TEXT_LABELS = ["spam", "spam", "ham", "ham", "spam", "ham"]
MOLECULES = ["CCO", "c1ccccc1", "CCN", "c1ccncc1", "CCCO", "c1ccccc1O"]
MOLECULE_LABELS = [0, 1, 0, 1, 0, 1]
TIES = [("ann", "bob"), ("bob", "cem", 0.5), ("cem", "dora"), ("dora", "eve"), ("eve", "cem")]
MEMBER_LABELS = [0, 0, 1, 1, 1]
TABLE = {
    "size": [0.5, 1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5, 8.5, 9.5],
    "colour": ["red", "blue", "red", "blue", "red", "blue", "red", "red", "blue", "blue"],
}
TABLE_NUMBERS = [1.5, 1.4, 3.6, 3.4, 5.5, 5.6, 7.4, 8.6, 8.4, 9.5]


def friends():
    return kernels.network(TIES)


def frame(columns):
    return pytest.importorskip("pandas").DataFrame(columns)


# How to fit one machine of every class on every kind of rows; the first of a class also shows
# its fitted attributes, so its settings make as many as possible.
FITS = {
    "SVC": lambda: mercer.SVC(kernel="linear", probability=True).fit(ROWS, TWO),
    "SVC-three-classes": lambda: mercer.SVC(C=2.0, gamma=0.5).fit(ROWS, THREE),
    "SVC-sparse": lambda: mercer.SVC(gamma=0.5).fit(sp.csr_matrix(ROWS), TWO),
    "SVC-precomputed": lambda: mercer.SVC(kernel="precomputed").fit(ROWS @ ROWS.T, TWO),
    "SVC-expression": lambda: mercer.SVC(
        kernel=0.5 * kernels.rbf(gamma=1) + kernels.linear() @ [0]
    ).fit(ROWS, TWO),
    "SVC-texts": lambda: mercer.SVC(kernel="normalise(spectrum(length=2))").fit(TEXTS, TEXT_LABELS),
    "SVC-molecules": lambda: mercer.SVC(kernel="wl(iterations=2)").fit(MOLECULES, MOLECULE_LABELS),
    "SVC-members": lambda: mercer.SVC(kernel="diffusion(beta=0.5)").fit(
        friends().nodes(), MEMBER_LABELS
    ),
    "NuSVC": lambda: mercer.NuSVC(kernel="linear", nu=0.4, probability=True).fit(ROWS, TWO),
    "SVR": lambda: mercer.SVR(kernel="linear", C=5.0).fit(ROWS, NUMBERS),
    "NuSVR": lambda: mercer.NuSVR(kernel="linear", C=5.0).fit(ROWS, NUMBERS),
    "OneClassSVM": lambda: mercer.OneClassSVM(kernel="linear", nu=0.3).fit(ROWS),
    "OneClassSVM-rbf": lambda: mercer.OneClassSVM(gamma=0.4, nu=0.3).fit(ROWS),
    "KernelRidge": lambda: mercer.KernelRidge(kernel="linear", alpha="evidence").fit(ROWS, NUMBERS),
    "KernelRidge-two-targets": lambda: mercer.KernelRidge(
        kernel="rbf", gamma=0.3, alpha=[0.1, 1.0], fit_intercept=True
    ).fit(ROWS, np.c_[NUMBERS, ROWS[:, 0]]),
    "LSSVR": lambda: mercer.LSSVR(kernel="linear").fit(ROWS, NUMBERS),
    "LSSVR-loo": lambda: mercer.LSSVR(kernel="rbf(sigma=2)", C="loo").fit(ROWS, NUMBERS),
    "LSSVC": lambda: mercer.LSSVC(kernel="linear").fit(ROWS, TWO),
    "LSSVC-moderated": lambda: mercer.LSSVC(
        kernel="rbf(sigma=2)", C=3.0, probability="moderated"
    ).fit(ROWS, THREE),
    "LSSVC-pairs": lambda: mercer.LSSVC(kernel="rbf(sigma=2)", multi_class="ovo").fit(ROWS, THREE),
    "KernelLogisticRegression": lambda: mercer.KernelLogisticRegression(kernel="linear").fit(
        ROWS, TWO
    ),
    "KernelRiskClassifier": lambda: mercer.KernelRiskClassifier(kernel="linear").fit(ROWS, TWO),
    "KernelRiskRegressor": lambda: mercer.KernelRiskRegressor(kernel="linear").fit(ROWS, NUMBERS),
    "LinearRegression": lambda: mercer.LinearRegression().fit(ROWS, NUMBERS),
    "LinearRegression-two-targets": lambda: mercer.LinearRegression().fit(
        ROWS, np.c_[NUMBERS, ROWS[:, 0] ** 2]
    ),
    "Ridge": lambda: mercer.Ridge(alpha=0.5).fit(ROWS, NUMBERS),
    "LinearSVC": lambda: mercer.LinearSVC().fit(ROWS, THREE),
    "LinearSVR": lambda: mercer.LinearSVR(epsilon=0.1).fit(ROWS, NUMBERS),
    "LogisticRegression": lambda: mercer.LogisticRegression().fit(ROWS, THREE),
    "LogisticRegression-two": lambda: mercer.LogisticRegression().fit(ROWS, TWO),
    "Lasso": lambda: mercer.Lasso(alpha=0.1).fit(ROWS, NUMBERS),
    "ElasticNet": lambda: mercer.ElasticNet(alpha=0.1).fit(ROWS, NUMBERS),
    "Perceptron": lambda: mercer.Perceptron(variant="pocket").fit(ROWS, TWO),
    "KernelPerceptron": lambda: mercer.KernelPerceptron(kernel="linear").fit(ROWS, TWO),
    "MLPClassifier": lambda: mercer.MLPClassifier(
        (3,), "tanh", solver="lbfgs", max_iter=5, random_state=0
    ).fit(ROWS, THREE),
    "MLPClassifier-two-classes": lambda: mercer.MLPClassifier(
        (3,), "logistic", solver="lbfgs", max_iter=5, random_state=0
    ).fit(ROWS, TWO),
    "MLPRegressor": lambda: mercer.MLPRegressor(
        hidden_layer_sizes=3, activation="tanh", solver="lm", max_iter=3, random_state=0
    ).fit(ROWS, NUMBERS),
    "RBFNetRegressor": lambda: mercer.RBFNetRegressor(3, random_state=0).fit(ROWS, NUMBERS),
    "RBFNetClassifier": lambda: mercer.RBFNetClassifier(3, random_state=0).fit(ROWS, TWO),
    "KMeans": lambda: mercer.KMeans(n_clusters=2, random_state=0).fit(ROWS),
    "C45Classifier": lambda: mercer.C45Classifier(min_rows=1).fit(ROWS, THREE),
    "PCA": lambda: mercer.PCA(2).fit(ROWS),
    "KernelPCA": lambda: mercer.KernelPCA(
        2, kernel="linear", fit_inverse_transform=True
    ).fit(ROWS),
    "FastICA": lambda: mercer.FastICA(2, random_state=0, max_iter=1000).fit(ROWS),
    "Nystroem": lambda: mercer.Nystroem("linear", landmarks=[0, 2, 5]).fit(ROWS),
    "RBFSampler": lambda: mercer.RBFSampler(gamma=0.5, n_components=4, random_state=0).fit(ROWS),
    "KernelKMeans": lambda: mercer.KernelKMeans(2, kernel="linear", random_state=0).fit(ROWS),
    "SelfOrganizingMap": lambda: mercer.SelfOrganizingMap(2, 2, random_state=0).fit(ROWS),
    "LVQClassifier": lambda: mercer.LVQClassifier(1, random_state=0).fit(ROWS, TWO),
    "HopfieldNetwork": lambda: mercer.HopfieldNetwork().fit(np.sign(ROWS - 1.05)),
    "KNeighborsClassifier": lambda: mercer.KNeighborsClassifier(3).fit(ROWS, TWO),
    "KNeighborsRegressor": lambda: mercer.KNeighborsRegressor(3).fit(ROWS, NUMBERS),
    "NearestNeighbors": lambda: mercer.NearestNeighbors(n_neighbors=2).fit(ROWS),
    "IB1Classifier": lambda: mercer.IB1Classifier().fit(ROWS, TWO),
    "IB2Classifier": lambda: mercer.IB2Classifier().fit(ROWS, TWO),
    "MemorisingClassifier": lambda: mercer.MemorisingClassifier().fit(ROWS, TWO),
    "NearestNovelty": lambda: mercer.NearestNovelty(1, share=0.2).fit(ROWS),
    "KernelPCANovelty": lambda: mercer.KernelPCANovelty(1, kernel="linear", share=0.2).fit(ROWS),
    "Forecaster": lambda: mercer.Forecaster(mercer.Ridge(alpha=0.5), lags=2).fit(
        np.sin(np.arange(20.0))
    ),
    "KernelClassifier": lambda: mercer.KernelClassifier(budget=0.01).fit(ROWS, THREE),
    "KernelRegressor": lambda: mercer.KernelRegressor(budget=0.01).fit(ROWS, NUMBERS),
    "KernelRegressor-frame": lambda: mercer.KernelRegressor(budget=0.01).fit(
        frame(TABLE), TABLE_NUMBERS
    ),
}
# Rows to answer for, as JSON holds them.
QUESTIONS = {
    "SVC-sparse": {"sparse": NEW_ROWS.tolist()},
    "SVC-precomputed": {"array": (NEW_ROWS @ ROWS.T).tolist()},
    "SVC-texts": {"list": ["prize at home", "now"]},
    "SVC-molecules": {"list": ["CCCN", "Oc1ccccc1", "Br"]},
    "SVC-members": {"list": ["eve", "ann"]},
    "KernelRegressor-frame": {"frame": {"size": [3.0, 6.0], "colour": ["red", "green"]}},
}
# What is no estimator and yet kept by users; its answer is made by `answer_of_value`.
VALUES = {
    "ForwardChain": lambda: mercer.ForwardChain(3, gap=1),
    "SupportRows": lambda: mercer.support_rows(mercer.SVC(gamma=0.5).fit(ROWS, TWO), ROWS, n=2),
    "bounds.DescriptionLengths": lambda: bounds.description([0.25, 0.75], [0.9**9 * 0.1, 0.5**10]),
    "Progress": lambda: mercer.Progress("class pair 1 of 3", 0.25, 12, 0.5),
    "Report": lambda: FITS["SVC-three-classes"]().report_,
    "TuneResult": lambda: mercer.tune(
        mercer.SVC(gamma=0.5), ROWS, TWO, grid={"C": [0.1, 1.0], "gamma": [0.1, 1.0]}, folds=3
    ),
    "Explanation": lambda: mercer.explain(mercer.SVR(gamma=0.5).fit(ROWS, NUMBERS), ROWS),
    "Importances": lambda: mercer.importance(
        mercer.SVR(gamma=0.5).fit(ROWS, NUMBERS), ROWS, NUMBERS
    ),
    "PartialDependence": lambda: mercer.partial_dependence(
        mercer.SVR(gamma=0.5).fit(ROWS, NUMBERS), ROWS, [0], grid_resolution=3
    ),
    "Figure": lambda: mercer.plot_kernel("rbf(gamma=1)", ROWS),
    "Comparison": lambda: mercer.Comparison(
        "accuracy",
        {"a": np.array([0.9, 0.8, 0.85, 0.9]), "b": np.array([0.7, 0.75, 0.7, 0.8])},
        {"a": (0.1, 0.01), "b": (0.2, 0.02)},
        0.25,
        None,
    ),
    "LearningCurve": lambda: mercer.LearningCurve(
        "accuracy",
        np.array([10, 20]),
        np.array([[0.9, 0.8], [0.9, 0.85]]),
        np.array([[0.6, 0.7], [0.75, 0.8]]),
        np.array([0.1, 0.2]),
        0.25,
    ),
    "ValidationCurve": lambda: mercer.ValidationCurve(
        "accuracy",
        "C",
        [0.1, 1.0],
        np.array([[0.9, 0.8], [0.9, 0.85]]),
        np.array([[0.6, 0.7], [0.75, 0.8]]),
        np.array([0.1, 0.2]),
        0.25,
    ),
    "PermutationTest": lambda: mercer.PermutationTest("accuracy", 0.9, np.array([0.5, 0.6, 0.95])),
    "Coverage": lambda: mercer.coverage([1.0, 2.0, 9.0], ([0.0, 1.0, 2.0], [2.0, 3.0, 4.0])),
    "Page": lambda: mercer.Page("<p>well</p>", "a report"),
    "PlaneMargins": lambda: mercer.margin([[3, 4], [0, 0]], [1, -1], [3, 4], -5),
    "RejectCurve": lambda: mercer.reject_curve([0, 1, 1], [0.2, 0.9, 0.4]),
    "bounds.ErrorCount": lambda: bounds.error_count(10, 0.5),
    "bounds.Interval": lambda: bounds.chernoff_interval(20, 200, 0.05),
    "bounds.Shattering": lambda: bounds.shatters([[0, 0], [1, 1], [2, 2]]),
    "bounds.SoftMarginBound": lambda: bounds.soft_margin_bound(1000, 1, norm=2),
    "Look": lambda: mercer.look({"size": [1.0, 2.5, None], "town": ["Oslo", "Rome", "Oslo"]}),
    "KernelSelection": lambda: mercer.select_kernel(ROWS, NUMBERS, kernels=["linear", "rbf"]),
    "kernels.Kernel": lambda: 0.5 * kernels.rbf(gamma=1) @ [0] + kernels.linear(),
    "kernels.PsdCheck": lambda: kernels.check_psd([[2.0, 1.0], [1.0, 2.0]]),
    "kernels.Graph": lambda: kernels.graphs(["C=O"])[0],
    "kernels.Graphs": lambda: kernels.graphs(MOLECULES),
    "kernels.Network": friends,
    "kernels.Nodes": lambda: friends().nodes(["cem", "ann"]),
}
METHODS = (
    "predict",
    "decision_function",
    "predict_proba",
    "score_samples",
    "predict_interval",
    "predict_set",
    "transform",
)


def asked(question):
    (kind, rows), *_ = question.items()
    return {"array": np.array, "sparse": sp.csr_matrix, "list": list, "frame": frame}[kind](rows)


def plain(value):
    """Return an answer as JSON holds it."""
    if isinstance(value, (tuple, list)):
        return [plain(v) for v in value]
    if isinstance(value, dict):
        return {str(k): plain(v) for k, v in value.items()}
    if isinstance(value, (np.ndarray, np.generic)):
        return plain(value.tolist())
    return value


def answers_of_machine(machine, rows):
    answers = {m: plain(getattr(machine, m)(rows)) for m in METHODS if hasattr(machine, m)}
    if not hasattr(machine, "predict"):
        # What gives coordinates or neighbours, and nothing else.
        asked = machine.transform if hasattr(machine, "transform") else machine.kneighbors
        return {**answers, asked.__name__: plain(np.asarray(asked(rows)))}
    if "return_std" in inspect.signature(machine.predict).parameters:
        # Models of older versions may not know how sure they are.
        with contextlib.suppress(ValueError):
            answers["predict with return_std"] = plain(machine.predict(rows, return_std=True))
    return answers


def answers_of_value(value):
    if isinstance(value, kernels.Kernel):
        return {"text": str(value), "gram": plain(value.gram(ROWS, NEW_ROWS))}
    if isinstance(value, mercer.Report):
        return {"values": value.to_dict(), "notes": value.notes}
    if isinstance(value, mercer.TuneResult):
        return {
            "params": plain(value.best_params_),
            "score": value.best_score_,
            "predict": plain(value.predict(NEW_ROWS)),
        }
    if isinstance(value, mercer.KernelSelection):
        return {"best": str(value.best_), "ratio": value.ratio_, "table": plain(value.table)}
    if isinstance(value, kernels.Network):
        return {"names": value.names, "ties": plain(value.ties)}
    if isinstance(value, kernels.Nodes):
        gram = kernels.diffusion(beta=0.5).gram(value)
        return {"names": list(value), "gram": plain(gram)}
    if isinstance(value, kernels.Graphs):
        graphs = [[list(g.labels), plain(g.edges)] for g in value]
        return {"graphs": graphs, "gram": plain(kernels.wl().gram(value))}
    return {"text": repr(value)}


# -- what there is -------------------------------------------------------------------------------

KINDS = {
    inspect.Parameter.POSITIONAL_ONLY: "positional",
    inspect.Parameter.POSITIONAL_OR_KEYWORD: "",
    inspect.Parameter.KEYWORD_ONLY: "keyword",
    inspect.Parameter.VAR_POSITIONAL: "*",
    inspect.Parameter.VAR_KEYWORD: "**",
}
# Special methods that are used through an operator or a statement.
OPERATORS = {
    f"__{name}__"
    for name in "add radd mul rmul pow matmul call len getitem iter bool eq hash str repr".split()
}


def parameters(owner, function, bound):
    """Yield one line per parameter: its place if it has one, name, kind and default."""
    found = list(inspect.signature(function).parameters.values())[1 if bound else 0 :]
    for place, parameter in enumerate(found):
        kind = KINDS[parameter.kind]
        where = kind or f"place {place}"
        default = parameter.default
        ending = "required" if default is parameter.empty else f"default {default!r}"
        yield f"{owner}({parameter.name}) {where}" + ("" if "*" in kind else f", {ending}")


def members(owner, item):
    """Yield methods and properties that are mercer's own, whatever scikit-learn adds."""
    seen = set()
    for base in item.__mro__:
        if not base.__module__.startswith("mercer"):
            continue
        for name, value in vars(base).items():
            if name in seen or (name.startswith("_") and name not in OPERATORS):
                continue
            field = name in getattr(item, "_fields", getattr(item, "__dataclass_fields__", ()))
            if field:
                seen.add(name)
                yield f"{owner}.{name} attribute"
                continue
            static = isinstance(value, staticmethod)
            function = inspect.unwrap(value.fget if isinstance(value, property) else value)
            if isinstance(function, (classmethod, staticmethod)):
                function = function.__func__
            if not inspect.isfunction(function) or not function.__module__.startswith("mercer"):
                continue
            seen.add(name)
            if isinstance(value, property):
                # Those of machines are seen once fitted, property or not.
                if not issubclass(item, BaseEstimator):
                    yield f"{owner}.{name} attribute"
            elif name in OPERATORS:
                yield f"{owner}.{name} operator"
            else:
                yield f"{owner}.{name} method"
                yield from parameters(f"{owner}.{name}", function, bound=not static)


def described(value):
    if isinstance(value, np.ndarray):
        # How long texts are depends on the data.
        kind = re.sub(r"^<U\d+$", "text", value.dtype.str) if value.dtype.kind == "U" else value.dtype
        return f"{value.ndim}-d array of {kind}"
    return type(value).__name__


def fitted(owner, machine):
    """Yield the attributes that a fit leaves behind."""
    names = {n for n in vars(machine) if n.endswith("_") and not n.startswith("_")}
    for base in type(machine).__mro__:
        if base.__module__.startswith("mercer"):
            names |= {n for n, v in vars(base).items() if isinstance(v, property) and n[0] != "_"}
    for name in names:
        yield f"{owner}.{name} once fitted: {described(getattr(machine, name))}"


def keys(owner, value):
    """Yield the keys of a dict, or of the dicts of a list."""
    for one in value if isinstance(value, list) else [value]:
        for key in one:
            yield f"{owner}[{key!r}] key"


READ_ONLY = (mercer.Explanation, mercer.Report, mercer.TuneResult, mercer.KernelSelection)


def callables(prefix, module):
    for name in module.__all__:
        item = getattr(module, name)
        if inspect.ismodule(item):
            yield f"{prefix}{name} module"
        elif inspect.isclass(item):
            yield f"{prefix}{name} class"
            # Made by mercer alone, these are only read.
            if item not in READ_ONLY and not issubclass(item, Warning):
                yield from parameters(f"{prefix}{name}", item, bound=False)
            yield from members(f"{prefix}{name}", item)
        elif callable(item):
            yield f"{prefix}{name} function"
            yield from parameters(f"{prefix}{name}", item, bound=False)
        else:
            yield f"{prefix}{name} {type(item).__name__}"


def of_fits():
    """Yield lines about what fits and searches leave behind, one list per example."""
    for name in FITS:
        if "-" not in name:
            yield name, lambda name=name: fitted(name, FITS[name]())
    for name in ("KernelClassifier", "KernelRegressor"):
        yield name, lambda name=name: of_choices(name, FITS[name]())
    yield "Report", lambda: of_report(VALUES["Report"]())
    for name, table in (("TuneResult", "cv_results_"), ("KernelSelection", "table")):
        yield name, lambda name=name, table=table: of_outcome(name, VALUES[name](), table)


def of_choices(owner, machine):
    # Other settings are those of whatever machine was chosen.
    chosen = {key: machine.chosen_[key] for key in ("model", "kernel") if key in machine.chosen_}
    yield from keys(f"{owner}.chosen_", chosen)
    yield from keys(f"{owner}.trials_", machine.trials_)


def of_report(report):
    yield from keys("Report", report.to_dict())
    yield from keys("Report.problems", report.problems)


def of_outcome(owner, outcome, table):
    for name, value in vars(outcome).items():
        if not name.startswith("_"):
            yield f"{owner}.{name} attribute: {described(value)}"
    yield from keys(f"{owner}.{table}", getattr(outcome, table))


@pytest.fixture(scope="module")
def present():
    """The lines of today, and what went wrong on the way to them."""
    lines = {
        line
        for prefix, module in (("", mercer), ("bounds.", bounds), ("kernels.", kernels))
        for line in callables(prefix, module)
    }
    trouble = []
    for name, make in of_fits():
        try:
            lines |= set(make())
        except Exception as error:  # noqa: BLE001, reported with the lines it took away
            trouble.append(f"{name} does not work: {error!r}")
    assert len({subject(line) for line in lines}) == len(lines), "two lines about the same thing"
    return lines, trouble


@pytest.fixture(scope="module")
def recorded():
    return set(NAMES.read_text().splitlines()) if NAMES.exists() else set()


def subject(line):
    """Return what a line is about, without what it says of it."""
    return line.split(" ")[0]


def told(what, lines):
    return f"{len(lines)} in {NAMES.name}: {what}\n" + "\n".join(f"  {line}" for line in sorted(lines))


# -- the rules -----------------------------------------------------------------------------------


def test_nothing_public_is_gone(present, recorded):
    present, said = present
    here = {subject(line): line for line in present}
    missing = recorded - present
    gone = {line for line in missing if subject(line) not in here}
    changed = {f"{line}   is now: {here[subject(line)]}" for line in missing - gone}
    said = said + [told(what, lines) for what, lines in ((GONE, gone), (CHANGED, changed)) if lines]
    assert not said, "\n".join(said)


def test_everything_public_is_recorded(present, recorded):
    known = {subject(line) for line in recorded}
    new = {line for line in present[0] if subject(line) not in known}
    demanding = {n for n in new if n.endswith(", required") and subject(n).split("(")[0] in known}
    assert not demanding, told(DEMANDING, demanding)
    if RECORD and new:
        NET.mkdir(parents=True, exist_ok=True)
        NAMES.write_text("".join(f"{line}\n" for line in sorted(recorded | new)))
        return
    assert not new, told(NEW, new)


def test_every_class_has_a_pickle():
    classes = {
        f"{prefix}{name}"
        for prefix, module in (("", mercer), ("bounds.", bounds), ("kernels.", kernels))
        for name in module.__all__
        if inspect.isclass(getattr(module, name)) and not issubclass(getattr(module, name), Warning)
    }
    made = {name.split("-")[0] for name in (*FITS, *VALUES)}
    assert classes == made, "every public class has a tiny example in FITS or VALUES of this file"
    answers = json.loads(ANSWERS.read_text()) if ANSWERS.exists() else {}
    new = {name: make for name, make in (FITS | VALUES).items() if name not in answers}
    if RECORD and new:
        PICKLES.mkdir(parents=True, exist_ok=True)
        values = {name: make() for name, make in new.items()}
        answers |= {name: record_of(name, value) for name, value in values.items()}
        for name, value in values.items():
            # Protocol 4 is what every Python since 3.8 writes and reads.
            (PICKLES / f"{name}.pickle").write_bytes(pickle.dumps(value, protocol=4))
        lines = [f"{json.dumps(name)}: {json.dumps(answers[name])}" for name in sorted(answers)]
        ANSWERS.write_text("{\n" + ",\n".join(lines) + "\n}\n")
        return
    assert not new, f"{NEW}: {', '.join(new)}"


def record_of(name, value):
    """Return what an example answers, and to what."""
    if isinstance(value, BaseEstimator):
        question = QUESTIONS.get(name, {"array": NEW_ROWS.tolist()})
        return {"question": question, "answers": answers_of_machine(value, asked(question))}
    return {"answers": plain(answers_of_value(value))}


def pickled():
    return sorted(json.loads(ANSWERS.read_text())) if ANSWERS.exists() else []


@pytest.mark.parametrize("name", pickled())
def test_old_pickles_answer_as_they_did(name):
    record = json.loads(ANSWERS.read_text())[name]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        value = pickle.loads((PICKLES / f"{name}.pickle").read_bytes())
    if "question" in record:
        now = answers_of_machine(value, asked(record["question"]))
        assert repr(value)
    else:
        now = plain(answers_of_value(value))
    for what, expected in record["answers"].items():
        assert what in now, f"{name}.{what}: {GONE}"
        same(expected, now[what], f"{name}.{what}")


def same(expected, found, place):
    """Compare answers: numbers within 1e-9, the rest exactly; new keys may come."""
    if isinstance(expected, dict):
        assert isinstance(found, dict), place
        for key, value in expected.items():
            assert key in found, f"{place}[{key!r}]: {GONE}"
            same(value, found[key], f"{place}[{key!r}]")
    elif isinstance(expected, list):
        assert isinstance(found, list) and len(expected) == len(found), place
        for k, pair in enumerate(zip(expected, found, strict=True)):
            same(*pair, f"{place}[{k}]")
    elif isinstance(expected, float):
        assert found == pytest.approx(expected, rel=1e-9, abs=1e-9, nan_ok=True), place
    else:
        assert found == expected, place


def test_every_pickle_is_checked():
    """No pickle lies there without answers to compare, and none is missing."""
    files = {file.stem for file in PICKLES.glob("*.pickle")}
    assert files == set(pickled())
    assert files, "nothing is recorded"
