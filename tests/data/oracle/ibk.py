"""Records distances and answers of Weka's IBk on a table of numbers, categories and gaps.

    python tests/data/oracle/ibk.py

writes ibk.json beside this file. It needs `javac`, `java` and weka.jar (Debian's package `weka`). New
rows stay within the ranges of the others, because IBk widens its ranges by rows that it is asked about.
"""

import json
import pathlib
import random
import subprocess
import tempfile

import j48

HERE = pathlib.Path(__file__).parent
HEADER = ["height", "width", "age", "colour", "shape", "class"]
KINDS = ["numeric", "numeric", "numeric", "nominal", "nominal", "nominal"]
COLOURS = ["blue", "red", "yellow"]
SHAPES = ["flat", "round"]


def table(draw, count):
    rows = []
    for _ in range(count):
        numbers = [f"{draw.uniform(0, 10):.3f}", f"{draw.uniform(-1, 1):.3f}", f"{draw.uniform(20, 70):.2f}"]
        words = [draw.choice(COLOURS), draw.choice(SHAPES)]
        label = "yes" if float(numbers[0]) + (words[0] == "red") * 3 > 6 else "no"
        cells = [None if draw.random() < 0.15 else cell for cell in [*numbers, *words]]
        rows.append([*cells, label])
    return rows


def main():
    draw = random.Random(7)
    rows = table(draw, 40)
    # The ends of all ranges, and all categories, are among the rows to learn from.
    rows += [["0", "-1", "20", "blue", "flat", "no"], ["10", "1", "70", "red", "round", "yes"]]
    rows += [[None, None, None, "yellow", None, "no"]]
    asked = table(draw, 20) + [[None] * 5 + ["no"]]
    both = rows + asked
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for name, part in (("rows", rows), ("asked", asked)):
            path = f"{folder}/{name}.arff"
            # All categories in the order of both tables.
            j48.write_arff(path, HEADER, KINDS, both)
            head = pathlib.Path(path).read_text().split("@data\n")[0] + "@data\n"
            j48.write_arff(path, HEADER, KINDS, part)
            body = pathlib.Path(path).read_text().split("@data\n")[1]
            pathlib.Path(path).write_text(head + body)
            paths.append(path)
        source = str(HERE / "IbkOracle.java")
        subprocess.run(["javac", "-cp", j48.JAR, "-d", folder, source], check=True)
        command = ["java", "-cp", f"{j48.JAR}:{folder}", "IbkOracle", *paths]
        told = subprocess.run(command, text=True, check=True, capture_output=True).stdout
    lines = [line.split() for line in told.splitlines()]
    labels = j48.levels(row[-1] for row in both)
    recorded = dict(
        source="Weka 3.6.14, EuclideanDistance and IBk -K 1, 3, 5",
        header=HEADER,
        rows=rows,
        asked=asked,
        distances=[[float(v) for v in line[1:]] for line in lines if line[0] == "DISTANCES"],
        answers={
            str(k): [labels[int(v)] for v in line[1:]]
            for k, line in zip((1, 3, 5), [l for l in lines if l[0] == "CLASSES"], strict=True)
        },
    )
    (HERE / "ibk.json").write_text(json.dumps(recorded, separators=(",", ":")) + "\n")
    print(len(recorded["distances"]), "rows", recorded["answers"]["3"])


if __name__ == "__main__":
    main()
