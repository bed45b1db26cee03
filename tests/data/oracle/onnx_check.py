#!/usr/bin/env python3
"""Compare exported ONNX models with the `mercer` binary that wrote them.

Usage:  python tests/data/oracle/onnx_check.py PATH_TO_MERCER [WORD]

Needs numpy, onnx and onnxruntime; says so and stops when one is missing. With a WORD
only cases whose name has it are run.

Each case fits a model on bundled or generated rows, exports it in the forms `auto`,
`plain` and, where the model allows, `operators`, and checks of every file:
  * `onnx.checker` with full shape inference accepts it;
  * onnxruntime's labels, decisions, probabilities and values are those of
    `mercer predict`, for all rows at once and for the first row alone;
  * metadata name the kernel and the labels;
and of some files that the reference evaluator of `onnx` agrees too.

Prints one line per case and a last line with the number of checks; exits 1 when a
check failed.
"""

import csv
import datetime
import json
import math
import random
import subprocess
import sys
import tempfile
from pathlib import Path

try:
    import numpy as np
    import onnx
    import onnx.checker
    import onnx.reference
    import onnxruntime
except ImportError as e:
    print(f"skip  {e.name} is not installed; nothing was checked")
    sys.exit(0)

SETS = Path(__file__).resolve().parent.parent / "sets"
TIME_LIMIT = 120  # seconds for one command
PLAIN_RTOL = 1e-9  # double precision, sums in another order
AUTO_RTOL = 1e-4  # single precision, where the exporter says that it is enough
FORCED_RTOL = 5e-2  # single precision, asked for whatever the coefficients are
PROBABILITY_ATOL = 1e-6
# `mercer` takes the power of a number near 1, which costs alpha units of rounding.
# Features of a kernel are in single precision there, as many as sums have.
LOOSE = {"rq(alpha=1e8,length=2)": 1e-6, "nystroem": 1e-3, "rff": 1e-3}

CLUSTERS = {"kmeans", "som"}
# methods without a kernel
PLAIN = {"ols", "ridge", "c45", "knn", "ib1", "ib2", "lvq", "mlp", "nearest", "rff"} | CLUSTERS

MERCER = None
ONLY = ""
WORK = None


class Report:
    def __init__(self):
        self.checks = self.failed = 0
        self.files = 0
        self.forms = {}

    def check(self, name, ok, detail=""):
        self.checks += 1
        if not ok:
            self.failed += 1
            print(f"FAIL  {name}: {detail}", flush=True)
        return ok


REPORT = Report()


def mercer(*args, fails=False):
    done = subprocess.run(
        [MERCER, *map(str, args)], capture_output=True, text=True, timeout=TIME_LIMIT, cwd=WORK
    )
    if fails:
        return done
    if done.returncode != 0:
        raise RuntimeError(f"mercer {' '.join(map(str, args))}: {done.stderr.strip()}")
    return done.stdout


# ------------------------------------------------------------------- the data


def read_csv(path):
    with open(path, newline="") as f:
        rows = list(csv.reader(f))
    return rows[0], rows[1:]


def write_csv(name, header, rows):
    path = WORK / name
    with open(path, "w", newline="") as f:
        csv.writer(f).writerows([header, *rows])
    return path


def bundled(name, every=1, columns=None, most=None):
    """Returns a file with some rows and columns of a bundled set; the target stays."""
    header, rows = read_csv(SETS / f"{name}.csv")
    if columns is not None:
        kept = [*columns, len(header) - 1]
        header = [header[k] for k in kept]
        rows = [[r[k] for k in kept] for r in rows]
    rows = rows[::every][:most]
    return write_csv(f"{name}_{every}_{len(header)}_{len(rows)}.csv", header, rows)


def as_libsvm(path):
    header, rows = read_csv(path)
    labels = sorted({r[-1] for r in rows})
    lines = []
    for r in rows:
        label = r[-1] if all(is_number(l) for l in labels) else labels.index(r[-1])
        values = " ".join(f"{k + 1}:{v}" for k, v in enumerate(r[:-1]) if float(v) != 0.0)
        lines.append(f"{label} {values}")
    out = path.with_suffix(".svm")
    out.write_text("\n".join(lines) + "\n")
    return out


def as_npy(path):
    _, rows = read_csv(path)
    out = path.with_suffix(".npy")
    np.save(out, np.array([[float(v) for v in r[:-1]] for r in rows]))
    labels = path.with_suffix(".labels.csv")
    labels.write_text("y\n" + "".join(f"{r[-1]}\n" for r in rows))
    return out, labels


def is_number(text):
    try:
        float(text)
    except ValueError:
        return False
    return True


def is_whole(text):
    try:
        return str(int(text)) == text
    except ValueError:
        return False


def mixed(rows, seed, holes):
    """A table with every kind of column; `holes` leaves cells of all columns empty."""
    rng = random.Random(seed)
    header = ["age", "colour", "member", "since", "label", "note", "town", "kind", "height"]
    table = []
    for _ in range(rows):
        age, height = rng.gauss(40, 12), rng.gauss(1.7, 0.1)
        colour = rng.choice(["red", "green", "blue", "dark red"])
        member = rng.random() < 0.4
        moment = datetime.datetime(1995, 1, 1) + datetime.timedelta(
            seconds=rng.randrange(0, 60 * 365 * 86400 // 2)
        )
        label = rng.gauss(0, 1)
        town = rng.choice(["Ulm", "Köln", "1", "2.50"])
        score = (age - 40) / 12 + (colour == "red") - member + label + math.sin(moment.month)
        kind = "high" if score > 0.5 else "low" if score < -0.5 else "middle"
        row = [f"{age:.2f}", colour, "yes" if member else "no", moment.isoformat(sep="T"),
               f"{label:.4f}", "x", town, kind, f"{height:.3f}"]
        if holes:
            for k in (0, 1, 2, 3, 6):
                if rng.random() < 0.1:
                    row[k] = ""
        table.append(row)
    return header, table


def seconds(text):
    moment = datetime.datetime.fromisoformat(text).replace(tzinfo=datetime.timezone.utc)
    return moment.timestamp()


def truth(text):
    return {"yes": 1.0, "no": 0.0, "y": 1.0, "n": 0.0, "true": 1.0, "false": 0.0}[text.lower()]


# ------------------------------------------------------------------ one model


class Case:
    def __init__(self, name, data, flags, target=None, test=None, kinds=None, extra=(),
                 forms=("auto", "plain", "operators")):
        self.name, self.data, self.flags = name, Path(data), list(flags)
        self.target, self.test = target, Path(test or data)
        self.kinds = kinds or {}  # columns that are no plain numbers: date, bool, text
        self.extra = list(extra)  # flags of reading, for fit and predict
        self.forms = forms  # those that give mercer's answers

    def run(self):
        if ONLY not in self.name:
            return
        model, before = WORK / "model.mercer", REPORT.failed
        target = ["--target", self.target] if self.target else []
        if self.data.suffix == ".model":
            mercer("import", self.data, "-o", model)
        else:
            mercer("fit", self.data, *target, *self.flags, *self.extra, "-o", model)
        answers = json.loads(mercer("predict", model, self.test, "--json", "--decision",
                                    *self.extra))
        chosen = None
        for form in self.forms:
            file = WORK / f"{form}.onnx"
            done = mercer("export", model, "--to", "onnx", "--form", form, "-o", file,
                          fails=form == "operators")
            if form == "operators" and done.returncode != 0:
                REPORT.check(f"{self.name} operators", "hint:" in done.stderr, done.stderr)
                REPORT.check(f"{self.name} auto", chosen == "plain", f"auto chose {chosen}")
                continue
            used = self.compare(file, form, answers)
            chosen = used if form == "auto" else chosen
            if form != "auto":
                REPORT.check(f"{self.name} {form}", used == form, f"wrote {used}")
        REPORT.forms[chosen] = REPORT.forms.get(chosen, 0) + 1
        if REPORT.failed == before:
            print(f"ok    {self.name} (auto: {chosen})", flush=True)

    def feeds(self, session):
        ports = session.get_inputs()
        if [p.name for p in ports] == ["X"]:
            return {"X": self.vectors(ports[0])}
        header, rows = read_csv(self.test)
        feeds = {}
        for port in ports:
            column = port.name if port.name in header and port.name != "label" else (
                port.name.rstrip("_"))
            cells = [r[header.index(column)] for r in rows]
            kind = self.kinds.get(column)
            if port.type == "tensor(string)":
                feeds[port.name] = np.array(cells, dtype=object).reshape(-1, 1)
                continue
            read = {"date": seconds, "bool": truth}.get(kind, float)
            numbers = [math.nan if c in ("", "?") else read(c) for c in cells]
            feeds[port.name] = np.array(numbers, dtype=np.float64).reshape(-1, 1)
        return feeds

    def vectors(self, port):
        width = port.shape[1]
        kind = np.float32 if port.type == "tensor(float)" else np.float64
        if self.test.suffix == ".npy":
            return np.load(self.test).astype(kind)
        rows = []
        for line in self.test.read_text().splitlines():
            row = np.zeros(width)
            for pair in line.split()[1:]:
                index, value = pair.split(":")
                if int(index) <= width:  # as `mercer predict` leaves others out
                    row[int(index) - 1] = float(value)
            rows.append(row)
        return np.array(rows).astype(kind)

    def compare(self, file, form, answers):
        name = f"{self.name} {form}"
        model = onnx.load(file)
        try:
            onnx.checker.check_model(model, full_check=True)
            REPORT.check(name, True)
        except Exception as e:
            REPORT.check(name, False, f"checker: {e}")
        facts = {p.key: p.value for p in model.metadata_props}
        used = facts["mercer_form"]
        kernel = bool(facts.get("mercer_kernel")) or facts["mercer_method"] in PLAIN
        REPORT.check(name, kernel and model.producer_name == "mercer")
        options = onnxruntime.SessionOptions()
        options.log_severity_level = 3
        session = onnxruntime.InferenceSession(
            file, options, providers=["CPUExecutionProvider"])
        feeds = self.feeds(session)
        names = [o.name for o in session.get_outputs()]
        found = dict(zip(names, session.run(None, feeds)))
        rtol = PLAIN_RTOL if used == "plain" else AUTO_RTOL if form == "auto" else FORCED_RTOL
        if facts["mercer_method"] == "c45":
            rtol = PLAIN_RTOL  # leaves by number, and their decisions from a table
        rtol = next((r for kernel, r in LOOSE.items() if kernel in self.name), rtol)
        self.values(name, found, answers, facts, rtol)
        for key in list(found):
            shape = found[key].shape
            REPORT.check(name, shape[0] == len(answers["predictions"]), f"{key} is {shape}")
        alone = dict(zip(names, session.run(None, {k: v[:1] for k, v in feeds.items()})))
        for key, value in alone.items():
            same = (value == found[key][:1]).all() if value.dtype == object else np.allclose(
                value, found[key][:1], rtol=rtol, atol=rtol)
            REPORT.check(f"{name} first row", same, f"{key}: {value} {found[key][:1]}")
        empty = dict(zip(names, session.run(None, {k: v[:0] for k, v in feeds.items()})))
        REPORT.check(f"{name} no row", all(len(v) == 0 for v in empty.values()))
        # The evaluator has the operators of ONNX alone, not those of onnxruntime.
        plain = all(o.domain != "com.microsoft" for o in model.opset_import)
        if form == "plain" and plain and len(model.SerializeToString()) < 200_000:
            self.reference(name, model, feeds, found, names)
        REPORT.files += 1
        return used

    def reference(self, name, model, feeds, found, names):
        few = {k: v[:5] for k, v in feeds.items()}
        try:
            values = onnx.reference.ReferenceEvaluator(model).run(None, few)
        except Exception as e:
            REPORT.check(f"{name} reference", False, f"{type(e).__name__}: {e}")
            return
        for key, value in zip(names, values):
            expected = found[key][:5]
            same = list(value) == list(expected) if key == "label" else np.allclose(
                value, expected, rtol=1e-9, atol=1e-9)
            REPORT.check(f"{name} reference", same, f"{key}: {value} {expected}")

    def values(self, name, found, answers, facts, rtol):
        decisions = np.array(answers["decisions"])
        if "prediction" in found:
            expected = np.array(answers["predictions"]).reshape(-1, 1)
            self.close(name, "prediction", found["prediction"], expected, rtol,
                       np.median(np.abs(expected)))
            return
        scale = 1.0 if "mercer_labels" in facts else np.median(np.abs(decisions))
        if facts["mercer_method"] in CLUSTERS:
            self.close(name, "decision", found["decision"], decisions, rtol, scale)
            same = [str(v) for v in found["label"]] == [str(v) for v in answers["predictions"]]
            REPORT.check(name, same, "clusters differ")
            return
        self.close(name, "decision", found["decision"], decisions, rtol, scale)
        if "mercer_labels" in facts:
            expected = [str(v) for v in answers["predictions"]]
            labels = [str(v) for v in found["label"]]
            whole = all(is_whole(l) for l in json.loads(facts["mercer_labels"]))
            REPORT.check(name, (found["label"].dtype == np.int64) == whole, "kind of labels")
        else:
            expected = ["-1" if v == "novel" else "1" for v in answers["predictions"]]
            labels = [str(v) for v in found["label"]]
        # A row on the border may fall to either side once its decision is rounded.
        border = np.abs(decisions).min(axis=1) <= 10 * rtol * max(scale, 1e-300)
        if decisions.shape[1] > 1:
            ordered = np.sort(decisions, axis=1)
            border |= ordered[:, -1] - ordered[:, -2] <= 10 * rtol
        wrong = [i for i, (a, b) in enumerate(zip(labels, expected)) if a != b and not border[i]]
        REPORT.check(name, not wrong, f"{len(wrong)} labels differ, first row {wrong[:1]}")
        REPORT.check(name, ("probabilities" in found) == ("probabilities" in answers))
        if "probabilities" in found:
            order = json.loads(facts["mercer_labels"])
            odds = np.array([[p[l] for l in order] for p in answers["probabilities"]])
            atol = PROBABILITY_ATOL if rtol == PLAIN_RTOL else FORCED_RTOL
            gap = np.abs(found["probabilities"] - odds).max()
            REPORT.check(name, gap <= atol, f"probabilities differ by {gap}")

    @staticmethod
    def close(name, what, found, expected, rtol, scale):
        found = np.asarray(found, dtype=np.float64)
        if found.shape != expected.shape:
            REPORT.check(name, False, f"{what} has shape {found.shape}, not {expected.shape}")
            return
        gap = np.abs(found - expected) / np.maximum(np.abs(expected), max(scale, 1e-300))
        REPORT.check(name, bool((gap <= rtol).all()), f"{what} differs by {gap.max()}")


# ---------------------------------------------------------------- all of them


def kernels_of_four():
    """Expressions for tables with the four numeric columns of iris."""
    yield from [
        "linear", "poly(degree=2)", "poly(degree=3,offset=0,scale=0.1)",
        "poly(degree=1,offset=0.5,scale=2)", "rbf", "rbf(sigma=2)", "rbf(gamma=[0.1,0.5,1,2])",
        "rbf(sigma=[1,2,3,4])", "laplace", "laplace(scale=[1,2,3,4])",
        "matern(nu=0.5)", "matern(nu=1.5)", "matern(nu=2.5,length=[1,2,3,4])",
        "rq", "rq(alpha=0.3,length=2)", "rq(alpha=1e8,length=2)", "sigmoid(scale=0.01)",
        "sigmoid(scale=0.01,offset=0.2,form=logistic)", "cosine", "chi2", "chi2(gamma=0.2)",
        "overlap", "overlap(share=true,weights=[1,2,3,4])",
        "0.5*linear + 2*rbf(gamma=0.3)", "linear*rbf(gamma=0.3)", "(linear + rbf(gamma=1))^2",
        "exp(cosine)", "exp(0.1*linear)", "normalise(poly(degree=2))",
        "normalise(linear + laplace(scale=2))", "normalise(exp(cosine))",
        "normalise(sigmoid(scale=0.01,offset=0.1,form=logistic))", "normalise(overlap)",
        'normalise(chi2) + cosine@["Petal.Length","Petal.Width"]',
        'rbf(gamma=0.5)@["Petal.Length"] + linear@[1]',
        'normalise(linear@["Sepal.Width","Petal.Width"])*rbf(gamma=0.2)',
        '(linear@["Petal.Width"] + rbf(gamma=1)@[2])@["Petal.Width","Petal.Length","Sepal.Width"]',
        "normalise(normalise(poly(degree=2)))",
    ]


def classifiers(iris):
    for kernel in kernels_of_four():
        yield Case(f"svc iris {kernel}", iris, ["--kernel", kernel, "--model", "svc"], "class")
    for scaling in ("standard", "none"):
        for kernel in ("linear", "rbf", "laplace", "poly(degree=3)"):
            for flags in (["--model", "svc", "--proba"],
                          ["--model", "svc", "--multiclass", "one_vs_rest"],
                          ["--model", "svc", "--multiclass", "one_vs_rest", "--proba"],
                          ["--model", "nu_svc", "--nu", "0.2"],
                          ["--model", "nu_svc", "--nu", "0.2", "--proba"]):
                yield Case(f"{' '.join(flags[1:])} iris {kernel} {scaling}", iris,
                           ["--kernel", kernel, *flags, "--scale", scaling], "class")


def two_classes():
    wdbc = bundled("breast_cancer_wdbc", every=3)
    for kernel in ("linear", "rbf", "matern(nu=0.5)", "normalise(poly(degree=2))"):
        for flags in ([], ["--proba"], ["--multiclass", "one_vs_rest"],
                      ["--multiclass", "one_vs_rest", "--proba"], ["--c", "1000"],
                      ["--positive", "malignant", "--bias", "none"]):
            yield Case(f"svc wdbc {kernel} {' '.join(flags)}", wdbc,
                       ["--model", "svc", "--kernel", kernel, "--scale", "standard", *flags],
                       "class")
    ripley = bundled("ripley_synth_train")
    yield Case("svc ripley whole-number labels", ripley, ["--model", "svc"], "class")
    yield Case("nu_svc ripley whole-number labels", ripley,
               ["--model", "nu_svc", "--nu", "0.3", "--proba"], "class")
    sonar = bundled("sonar", columns=range(8))
    for kernel in ("spline", "normalise(spline)", "spline@[1] + spline@[V2,V5]"):
        yield Case(f"svc sonar {kernel}", sonar,
                   ["--model", "svc", "--scale", "none", "--kernel", kernel], "class")
    yield Case("auto wdbc", wdbc, [], "class")


def ten_classes():
    digits = bundled("digits", every=4)
    for kernel in ("rbf", "poly(degree=3)", "laplace", "chi2"):
        for flags in ([], ["--proba"], ["--multiclass", "one_vs_rest"]):
            yield Case(f"svc digits {kernel} {' '.join(flags)}", digits,
                       ["--model", "svc", "--kernel", kernel, "--scale", "none", *flags],
                       "class")


def regressions():
    diabetes = bundled("diabetes_efron", every=3)
    for kernel in ("linear", "rbf", "rbf(gamma=0.01)", "poly(degree=2)", "laplace", "matern(nu=2.5)",
                   "sigmoid(scale=0.001)", "linear + rbf(gamma=0.1)@[bmi,bp]"):
        for flags in (["--model", "svr", "--c", "10", "--epsilon", "5"],
                      ["--model", "nu_svr", "--c", "100", "--nu", "0.4"]):
            yield Case(f"{flags[1]} diabetes {kernel}", diabetes,
                       ["--kernel", kernel, "--scale", "standard", *flags], "target")
    yield Case("svr diabetes unscaled", diabetes,
               ["--model", "svr", "--scale", "none", "--kernel", "rbf(sigma=30)"], "target")
    yield Case("svr without support vectors", diabetes,
               ["--model", "svr", "--epsilon", "1000000", "--kernel", "rbf"], "target")


def novelties():
    ionosphere = bundled("ionosphere", every=2)
    for kernel in ("linear", "rbf", "rbf(gamma=1)", "poly(degree=2)", "laplace", "cosine",
                   "normalise(poly(degree=3))"):
        yield Case(f"one_class ionosphere {kernel}", ionosphere,
                   ["--task", "novelty", "--model", "one_class", "--nu", "0.2", "--drop", "class",
                    "--kernel", kernel])


def bare_vectors(iris):
    digits = bundled("digits", every=6)
    sparse, small = as_libsvm(digits), as_libsvm(iris)
    for kernel in ("linear", "rbf(gamma=0.001)", "laplace", "cosine", "rbf(gamma=0.001)@[20,21,22,30]"):
        for flags in ([], ["--proba"]):
            yield Case(f"libsvm digits {kernel} {' '.join(flags)}", sparse,
                       ["--model", "svc", "--kernel", kernel, *flags], "y")
    for scaling in ("none", "standard"):
        yield Case(f"libsvm iris {scaling}", small,
                   ["--model", "svc", "--kernel", "rbf(gamma=0.5)", "--scale", scaling], "y")
    dense, labels = as_npy(iris)
    for kernel in ("linear", "rbf(gamma=0.5)", "matern(nu=1.5)"):
        for scaling in ("none", "standard"):
            yield Case(f"npy iris {kernel} {scaling}", dense,
                       ["--model", "svc", "--kernel", kernel, "--scale", scaling], "y",
                       extra=["--labels", labels])


def imported():
    folder = SETS.parent / "libsvm"
    for path in sorted(folder.glob("*.model")):
        if "precomputed" not in path.name:
            yield Case(f"imported {path.stem}", path, [], test=folder / "new.txt")


def one_feature():
    ripley = bundled("ripley_synth_train", columns=[1])
    bmi = bundled("diabetes_efron", every=3, columns=[2])
    for kernel in ("linear", "0.3*rbf(gamma=0.7)", "poly(degree=2,scale=0.3)", "laplace",
                   "sigmoid(scale=0.1)", "0.7*cosine + 0.1*linear"):
        yield Case(f"svc one feature {kernel}", ripley,
                   ["--model", "svc", "--kernel", kernel, "--scale", "standard", "--proba"],
                   "class")
        yield Case(f"svr one feature {kernel}", bmi,
                   ["--model", "svr", "--kernel", kernel, "--scale", "standard"], "target")


def tables():
    kinds = {"since": "date", "member": "bool", "colour": "text", "town": "text"}
    spelt = ["--kind", "since=date", "--kind", "town=categorical", "--kind", "member=boolean"]
    for holes in (False, True):
        header, rows = mixed(160, 1, holes)
        train = write_csv(f"mixed_{holes}.csv", header, rows)
        header, rows = mixed(90, 2, True)
        rows[3][1] = "never seen"
        rows[4][6] = "Paris"
        rows[5][3] = "1969-12-31T23:59:59"
        rows[6][3] = "2100-03-01T12:30:00"
        rows[7][3] = "2000-02-29T00:00:00"
        new = write_csv("mixed_new.csv", header, rows)
        for kernel in ("linear", "rbf", "laplace", "overlap", "overlap(share=true)",
                       "overlap + rbf(gamma=0.1)", "normalise(overlap)*rbf@[age,height]",
                       "overlap@[colour,town] + linear@[since]", "rbf@[colour] + laplace@[label,member]",
                       "normalise(linear@[town] + overlap@[colour])"):
            for flags in (["--model", "svc"], ["--model", "svc", "--proba"]):
                yield Case(f"{' '.join(flags[1:])} mixed holes={holes} {kernel}", train,
                           [*flags, "--kernel", kernel, "--scale", "standard"], "kind", test=new,
                           kinds=kinds, extra=spelt)
        yield Case(f"auto mixed holes={holes}", train, [], "kind", test=new, kinds=kinds, extra=spelt)
        yield Case(f"svr mixed holes={holes}", train, ["--model", "svr"], "height", test=new,
                   kinds={**kinds, "kind": "text"}, extra=spelt)
        yield Case(f"one_class mixed holes={holes}", train,
                   ["--task", "novelty", "--model", "one_class", "--kernel", "rbf"], test=new,
                   kinds={**kinds, "kind": "text"}, extra=spelt)


def messages(rows, seed):
    """Texts of two kinds, with a number; some texts are empty, some in other scripts."""
    rng = random.Random(seed)
    spam = "WIN free PRIZE call now claim cash entry £1000 text 0800-555 Straße".split()
    ham = "see you at home tonight I'll be late naïve ПРИВЕТ 日本語 cafe\u0301s it's ok".split()
    table = []
    for k in range(rows):
        kind = k % 3 == 0
        words = [rng.choice((spam if kind else ham) if rng.random() < 0.8 else spam + ham)
                 for _ in range(rng.randrange(0, 12))]
        text = " ".join(w.upper() if rng.random() < 0.2 else w for w in words)
        text = "\n".join(text.rsplit(" ", 1)) if rng.random() < 0.1 else text
        score = (2.0 if kind else -1.0) + rng.gauss(0, 0.2)
        table.append([text, f"{rng.gauss(0, 1):.3f}", f"{score:.4f}", "spam" if kind else "ham"])
    return ["notes", "size", "score", "kind"], table


def texts():
    header, rows = messages(120, 5)
    train = write_csv("texts.csv", header, rows)
    header, rows = messages(40, 6)
    rows[2][0] = "unseen wörds only"
    rows[3][0] = ""
    new = write_csv("texts_new.csv", header, rows)
    spelt = ["--kind", "notes=text"]
    for how in ("tfidf", "bag", "bag(binary)", "tfidf(ngrams=2,min=2)", "tfidf(binary,ngrams=3)"):
        yield Case(f"ridge texts {how}", train,
                   ["--model", "ridge", "--drop", "kind", "--encode", f"notes={how}"], "score",
                   test=new, extra=spelt)
        yield Case(f"svc texts {how}", train,
                   ["--model", "svc", "--kernel", "rbf", "--drop", "score", "--encode",
                    f"notes={how}"], "kind", test=new, extra=spelt)
    alone = write_csv("texts_alone.csv", ["notes", "score"], [[r[0], r[2]] for r in rows])
    yield Case("ridge texts alone", alone, ["--model", "ridge"], "score", extra=spelt)


def trees():
    for name, target in (("iris", "class"), ("weather_nominal", "play"), ("vote", "Class"),
                         ("contact_lenses", "contact-lenses"), ("breast_cancer_wdbc", "class")):
        data = bundled(name)
        yes_or_no = {"windy": "bool", "astigmatism": "bool"}
        if name == "vote":
            yes_or_no = {column: "bool" for column in read_csv(data)[0]}
        # `vote` has gaps, at which the operator takes one branch and mercer all of them.
        forms = ("auto", "plain") if name == "vote" else ("auto", "plain", "operators")
        for flags in ([], ["--set", "prune=false", "--set", "min_rows=1"],
                      ["--set", "laplace=true"]):
            yield Case(f"c45 {name} {' '.join(flags)}", data, ["--model", "c45", *flags], target,
                       kinds=yes_or_no, forms=forms)
        yield Case(f"c45 {name} own branch", data,
                   ["--model", "c45", "--set", "missing=branch"], target, kinds=yes_or_no)
    kinds = {"since": "date", "member": "bool", "colour": "text", "town": "text"}
    spelt = ["--kind", "since=date", "--kind", "town=categorical", "--kind", "member=boolean"]
    for holes in (False, True):
        header, rows = mixed(200, 11, holes)
        train = write_csv(f"tree_{holes}.csv", header, rows)
        header, rows = mixed(90, 12, True)
        rows[3][1] = "never seen"
        new = write_csv("tree_new.csv", header, rows)
        yield Case(f"c45 mixed holes={holes}", train, ["--model", "c45"], "kind", test=new,
                   kinds=kinds, extra=spelt, forms=("auto", "plain"))
        yield Case(f"c45 mixed own branch holes={holes}", train,
                   ["--model", "c45", "--set", "missing=branch"], "kind", test=new, kinds=kinds,
                   extra=spelt, forms=("auto", "plain", "operators") if holes else ("plain",))
        for flags in (["--neighbours", "1"], ["--neighbours", "5"],
                      ["--neighbours", "7", "--set", "votes=distance"],
                      ["--set", "scaling=standard"], ["--set", "column_weights=true"],
                      ["--set", "distance=manhattan"]):
            # Not the largest difference, which ties wherever a category differs.
            yield Case(f"knn mixed holes={holes} {' '.join(flags)}", train,
                       ["--model", "knn", *flags], "kind", test=new, kinds=kinds, extra=spelt)


def neighbours(iris):
    diabetes = bundled("diabetes_efron", every=2)
    other = bundled("diabetes_efron", every=3)
    for flags in ([], ["--set", "votes=distance"], ["--set", "scaling=whiten"],
                  ["--set", "distance=minkowski", "--set", "exponent=3"],
                  ["--set", "distance=cosine"], ["--set", "distance=manhattan"],
                  ["--set", "distance=chebyshev"],
                  ["--set", "scaling=none", "--neighbours", "4"],
                  ["--kernel", "rbf(gamma=0.5)"],
                  ["--kernel", "poly(degree=2)"]):
        yield Case(f"knn iris {' '.join(flags)}", iris, ["--model", "knn", *flags], "class")
        yield Case(f"knn diabetes {' '.join(flags)}", diabetes, ["--model", "knn", *flags],
                   "target", test=other)
    for model in ("ib1", "ib2", "lvq"):
        yield Case(f"{model} iris", iris, ["--model", model], "class")
    yield Case("lvq wdbc", bundled("breast_cancer_wdbc", every=2), ["--model", "lvq"], "class")
    dense, labels = as_npy(iris)
    yield Case("knn npy iris", dense, ["--model", "knn"], "y", extra=["--labels", labels])
    for model in ("kmeans", "som"):
        yield Case(f"{model} iris", iris, ["--task", "cluster", "--model", model, "--drop", "class"])
    for k in ("1", "5"):
        yield Case(f"nearest iris {k}", iris, ["--task", "novelty", "--model", "nearest", "--drop",
                                               "class", "--set", f"neighbours={k}"])


def chains(iris):
    wdbc = bundled("breast_cancer_wdbc", every=2)
    for project in ("pca=2", "whiten", "kpca=3"):
        for flags in (["--model", "svc", "--kernel", "rbf", "--proba"], ["--model", "knn"],
                      ["--model", "c45"], ["--model", "lvq"], ["--model", "mlp"]):
            if flags[1] == "c45" and project == "kpca=3":
                continue  # thresholds are coordinates of rows, which differ in their last digit
            yield Case(f"{flags[1]} after {project}", iris, ["--project", project, *flags], "class")
    yield Case("svc wdbc after pca", wdbc, ["--project", "pca=5", "--model", "svc", "--kernel",
                                            "rbf"], "class")
    for flags in (["nystroem"], ["rff"], ["nystroem", "--kernel", "laplace"]):
        yield Case(f"{' '.join(flags)} wdbc", wdbc, ["--model", *flags], "class")
    yield Case("ridge after pca", bundled("diabetes_efron", every=3),
               ["--project", "pca=4", "--model", "ridge"], "target")


def refusals():
    """Files that must not come to be."""
    header, rows = mixed(20, 3, False)
    data = write_csv("refused.csv", header, rows)
    mercer("fit", data, "--target", "kind", "--model", "svc", "--kernel", "laplace",
           "-o", WORK / "refused.mercer")
    done = mercer("export", WORK / "refused.mercer", "--to", "onnx", "--form", "operators", fails=True)
    REPORT.check("refused operators", done.returncode == 2 and "hint:" in done.stderr, done.stderr)
    REPORT.check("refused operators", not (WORK / "refused.onnx").exists(), "a file was written")
    matrix = np.eye(6) + 0.1
    np.save(WORK / "matrix.npy", matrix)
    labels = WORK / "matrix.labels.csv"
    labels.write_text("y\n" + "a\nb\n" * 3)
    mercer("fit", WORK / "matrix.npy", "--labels", labels, "--target", "y", "--model", "svc",
           "--kernel", "precomputed", "-o", WORK / "matrix.mercer")
    done = mercer("export", WORK / "matrix.mercer", "--to", "onnx", fails=True)
    REPORT.check("refused precomputed", done.returncode == 2 and "precomputed" in done.stderr,
                 done.stderr)


def main():
    global MERCER, ONLY, WORK
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    MERCER = str(Path(sys.argv[1]).resolve())
    ONLY = sys.argv[2] if len(sys.argv) == 3 else ""
    with tempfile.TemporaryDirectory() as folder:
        WORK = Path(folder)
        iris = bundled("iris")
        cases = [*classifiers(iris), *two_classes(), *ten_classes(), *regressions(), *novelties(),
                 *bare_vectors(iris), *imported(), *one_feature(), *tables(), *texts(), *trees(),
                 *neighbours(iris), *chains(iris)]
        for case in cases:
            try:
                case.run()
            except Exception as e:  # one broken case must not stop the rest
                REPORT.check(case.name, False, f"{type(e).__name__}: {e}")
        if not ONLY:
            refusals()
    shares = ", ".join(f"{n} {form}" for form, n in sorted(REPORT.forms.items(), key=str))
    print(f"{REPORT.files} files ({shares} by choice), {REPORT.checks} checks, "
          f"{REPORT.failed} failed")
    sys.exit(1 if REPORT.failed else 0)


if __name__ == "__main__":
    main()
