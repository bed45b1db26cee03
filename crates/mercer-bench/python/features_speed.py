"""Least squares on features beside scikit-learn: Nyström and random Fourier features with a ridge.

    features_speed.py --out docs/bench [--rounds N] [--rows N] [--components M] [--parts target/release/feature_speed]

Programs take turns in one process on all cores; medians count. Rows are in single precision, kernel and penalty are
the same for all; scikit-learn draws landmarks uniformly, mercer once in that way and once by randomly pivoted Cholesky.
A plain product ΦᵀΦ of NumPy of the same size stands for what the machine can do, and `feature_speed` tells the time of our own. The
error of the same landmarks in double precision throughout, solved by NumPy, stands beside ours. Writes `features.json` with the raw numbers and
`features.md` with the table.
"""

import argparse
import json
import pathlib
import resource
import statistics
import subprocess
import time

import numpy as np
import sklearn
from mercer import _mercer
from sklearn.kernel_approximation import Nystroem, RBFSampler
from sklearn.linear_model import Ridge
from sklearn.pipeline import make_pipeline

GAMMA, ALPHA, COLUMNS, HELD_OUT = 0.05, 1.0, 20, 20_000


def rows(n):
    """Rows of which three columns matter, with noise."""
    generator = np.random.default_rng(0)
    x = generator.standard_normal((n, COLUMNS)).astype(np.float32)
    y = np.sin(x[:, 0]) + 0.5 * x[:, 1] * x[:, 2] + 0.3 * generator.standard_normal(n)
    return x, y.astype(np.float64)


def ours(method, components, **settings):
    """A fit of mercer as a function of rows, which returns predictions of others."""
    text = json.dumps(
        {
            "model": method,
            "kernel": f"rbf(gamma={GAMMA})",
            "components": components,
            "lambda": ALPHA,
            **settings,
        }
    )

    def fit(x, y):
        model = _mercer.fit(text, x, values=y)

        def predict(new):
            return np.asarray(model.decisions(new)).reshape(len(new), -1)[:, 0]

        predict.model = model
        return predict

    return fit


def theirs(map_):
    def fit(x, y):
        model = make_pipeline(map_, Ridge(alpha=ALPHA, solver="cholesky")).fit(x, y.astype(x.dtype))
        return model.predict

    return fit


def in_double(x, y, new, landmarks):
    """Predictions of the same function in double precision throughout: (Σ(k − k̄)(k − k̄)ᵀ + λK_mm) c = Σ(k − k̄)(y − ȳ)."""
    z = np.asarray(landmarks, dtype=np.float64)

    def values(rows):
        rows = rows.astype(np.float64)
        distances = (rows**2).sum(axis=1)[:, None] + (z**2).sum(axis=1) - 2 * rows @ z.T
        return np.exp(-GAMMA * distances)

    m, n = len(z), len(x)
    square, sums, along = np.zeros((m, m)), np.zeros(m), np.zeros(m)
    for start in range(0, n, 8192):
        k = values(x[start : start + 8192])
        square += k.T @ k
        sums += k.sum(axis=0)
        along += k.T @ y[start : start + 8192]
    mean = sums / n
    coefficients = np.linalg.solve(square - n * np.outer(mean, mean) + ALPHA * values(z), along - sums * y.mean())
    return values(new) @ coefficients + y.mean() - mean @ coefficients


def product(components):
    """Half of what all of them have to do: ΦᵀΦ in blocks of rows."""
    block = np.random.default_rng(1).standard_normal((4096, components)).astype(np.float32)

    def fit(x, _):
        for _ in range(0, len(x), len(block)):
            block.T @ block

    return fit


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=300_000)
    parser.add_argument("--components", type=int, default=1_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--parts", help="the program `feature_speed`, whose table is kept, too")
    parser.add_argument("--out", type=pathlib.Path)
    options = parser.parse_args()
    x, y = rows(options.rows + HELD_OUT)
    (x, new), (y, truth) = np.split(x, [options.rows]), np.split(y, [options.rows])
    m = options.components
    programs = {
        "product of NumPy": product(m),
        "mercer nystroem, uniform": ours("nystroem", m, landmarks="uniform"),
        "mercer nystroem, pivoted": ours("nystroem", m),
        "scikit-learn Nystroem + Ridge": theirs(
            Nystroem(gamma=GAMMA, n_components=m, random_state=0)
        ),
        "mercer rff": ours("rff", m),
        "scikit-learn RBFSampler + Ridge": theirs(
            RBFSampler(gamma=GAMMA, n_components=m, random_state=0)
        ),
    }
    seconds = {name: [] for name in programs}
    errors, doubles = {}, {}
    for _ in range(options.rounds):
        for name, fit in programs.items():
            start = time.perf_counter()
            predict = fit(x, y)
            seconds[name].append(time.perf_counter() - start)
            if predict is not None:
                errors[name] = float(np.sqrt(np.mean((predict(new) - truth) ** 2)))
            if "nystroem" in name and name not in doubles:
                double = in_double(x, y, new, predict.model.support_vectors)
                doubles[name] = float(np.sqrt(np.mean((double - truth) ** 2)))
    found = {
        "rows": options.rows,
        "components": m,
        "scikit-learn": sklearn.__version__,
        "seconds": seconds,
        "errors": errors,
        "errors in double precision": doubles,
        "peak MiB of the process": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }
    medians = {name: statistics.median(times) for name, times in seconds.items()}
    lines = [
        f"{options.rows:,} rows of {COLUMNS} columns (f32), {m:,} features, λ = {ALPHA:g}; medians of {options.rounds} rounds.",
        "",
        "| program | seconds | error on held-out rows | in double precision |",
        "|---|---:|---:|---:|",
    ]
    for name, median in medians.items():
        error = f"{errors[name]:.5f}" if name in errors else ""
        double = f"{doubles[name]:.5f}" if name in doubles else ""
        lines.append(f"| {name} | {median:.2f} | {error} | {double} |")
    against = [
        ("mercer nystroem, uniform", "scikit-learn Nystroem + Ridge"),
        ("mercer nystroem, pivoted", "scikit-learn Nystroem + Ridge"),
        ("mercer nystroem, uniform", "scikit-learn RBFSampler + Ridge"),
        ("mercer rff", "scikit-learn RBFSampler + Ridge"),
    ]
    lines.append("")
    for mine, other in against:
        lines.append(f"- {mine}: {medians[other] / medians[mine]:.2f} times as fast as {other}")
    if options.parts:
        command = [options.parts, str(options.rows), "--components", str(m), "--columns", str(COLUMNS)]
        found["parts"] = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        lines += ["", "The parts, the quickest of three rounds each:", "", "```text", found["parts"].rstrip("\n"), "```"]
    text = "\n".join(lines) + "\n"
    print(text)
    if options.out:
        (options.out / "features.json").write_text(json.dumps(found, indent=1) + "\n")
        (options.out / "features.md").write_text("# Least squares on features\n\n" + text)


if __name__ == "__main__":
    main()
