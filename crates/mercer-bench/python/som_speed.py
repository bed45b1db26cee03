"""Kohonen maps beside somoclu and MiniSom: seconds to train, and how well the maps show the rows.

    som_speed.py [--rows N] [--columns D] [--side S] [--epochs E] [--rounds N] [--out docs/bench]

Batch maps of S × S units on a rectangular grid, from the same first units, with the radius σ of exp(−d²/(2σ²)) falling
evenly from S/2 to 1. somoclu multiplies its radius by `std_coeff`, one half unless it is told otherwise: with its default it
trains with half of the radius, and is held against mercer with half of it, too (`narrow`). MiniSom trains online, as many visits as E passes have. Programs take turns in one process on all
cores; the least time of the rounds counts. Errors are computed here, by the same code for all. A program
that is not installed is left out and named. With `--out` records in `course.json` and `course.md`.
"""

import argparse
import importlib.util
import pathlib
import time

import course
import mercer
import numpy as np


def rows_of(count, columns):
    """Return rows in forty groups."""
    rng = np.random.default_rng(0)
    middles = 4 * rng.standard_normal((40, columns))
    return middles[rng.integers(40, size=count)] + rng.standard_normal((count, columns))


def timed(work):
    course.rest()
    start = time.perf_counter()
    result = work()
    return time.perf_counter() - start, result


def ours(x, start, side, epochs, share=1.0):
    model = mercer.SelfOrganizingMap(
        side,
        side,
        lattice="rectangular",
        init=start,
        epochs=epochs,
        radius=share * side / 2,
        last_radius=share,
    )
    return model.fit(x).codebook_


def somoclu_map(x, start, side, epochs, share=1.0):
    import somoclu

    book = start.astype(np.float32).reshape(side, side, -1).copy()
    som = somoclu.Somoclu(side, side, initialcodebook=book, compactsupport=False, std_coeff=share)
    som.train(x.astype(np.float32), epochs=epochs, radius0=side / 2, radiusN=1)
    return som.codebook.reshape(side * side, -1).astype(float)


def minisom_map(x, start, side, epochs):
    import minisom

    som = minisom.MiniSom(side, side, x.shape[1], sigma=side / 2, learning_rate=0.5, random_seed=0)
    som._weights = start.reshape(side, side, -1).copy()
    som.train(x, epochs * len(x), random_order=True)
    return som._weights.reshape(side * side, -1)


def errors(x, units, side):
    """Return the quantisation and the topographic error."""
    distance, apart = 0.0, 0
    norms = (units**2).sum(axis=1)
    for start in range(0, len(x), 4096):
        part = x[start : start + 4096]
        squares = norms - 2 * part @ units.T
        two = np.argpartition(squares, 1, axis=1)[:, :2]
        order = np.take_along_axis(squares, two, axis=1).argsort(axis=1)
        two = np.take_along_axis(two, order, axis=1)
        distance += np.linalg.norm(part - units[two[:, 0]], axis=1).sum()
        (r, s), (c, d) = two.T // side, two.T % side
        apart += int((np.maximum(abs(r - s), abs(c - d)) > 1).sum())
    return distance / len(x), apart / len(x)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=20_000)
    parser.add_argument("--columns", type=int, default=16)
    parser.add_argument("--side", type=int, default=20)
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--out", type=pathlib.Path)
    options = parser.parse_args()
    x = rows_of(options.rows, options.columns)
    start = x[np.random.default_rng(1).choice(len(x), options.side**2)]
    def narrow(work):
        return lambda *given: work(*given, share=0.5)

    programs = {"mercer": ours, "mercer, narrow": narrow(ours)}
    for name, module, work in [
        ("somoclu", "somoclu", somoclu_map),
        ("somoclu, narrow", "somoclu", narrow(somoclu_map)),
        ("minisom", "minisom", minisom_map),
    ]:
        if importlib.util.find_spec(module) is None:
            print(f"{module} is not installed")
        else:
            programs[name] = work
    seconds = {name: [] for name in programs}
    units = {}
    for _ in range(options.rounds):
        for name, work in programs.items():
            spent, units[name] = timed(lambda work=work: work(x, start, options.side, options.epochs))
            seconds[name].append(spent)
    best = {name: min(all_) for name, all_ in seconds.items()}
    lines = [
        "| program | seconds | ratio to mercer | quantisation error | topographic error |",
        "|---|---:|---:|---:|---:|",
    ]
    def beside(name):
        return "mercer, narrow" if "narrow" in name else "mercer"

    for name in programs:
        quantisation, topographic = errors(x, units[name], options.side)
        lines.append(
            f"| {name} | {best[name]:.3f} | {best[name] / best[beside(name)]:.1f} "
            f"| {quantisation:.4f} | {topographic:.4f} |"
        )
    heading = f"{options.rows:,} × {options.columns}, {options.side} × {options.side} units, {options.epochs} passes"
    print(heading, *lines, sep="\n")
    if options.out:
        course.record(
            options.out,
            "maps",
            title="Kohonen maps",
            told=f"{heading}; the radius falls evenly from {options.side / 2:g} to 1, `narrow` from {options.side / 4:g} to 0.5, "
            "from the same first units; ratios are to mercer with the same radius.",
            seconds=seconds,
            table=lines,
            programs=course.versions("somoclu", "minisom"),
        )


if __name__ == "__main__":
    main()
