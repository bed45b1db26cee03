"""Record trees and held-out predictions of Weka's J48.

    python tests/data/oracle/j48.py ../shared/data/mixed/*.csv > tests/data/oracle/j48.json

Needs Weka 3.6.14 (Debian: weka) and javac. Reads tables with a `.types.csv` beside them, which
says what columns are nominal; the class is the last one. Categories and classes are declared in
sorted order, so that ties fall as they do in mercer. For the four small sets the tree itself is
recorded; for the sets of `FOLDED`, ten stratified folds (row i of a class, in the order of the
file, is in fold i modulo 10) and the number of rows predicted wrongly.
"""

import csv
import gzip
import json
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
JAR = os.environ.get("WEKA_JAR", "/usr/share/java/weka.jar")
TREES = ["weather_nominal", "weather_numeric", "contact_lenses", "vote"]
FOLDED = [
    "vote", "labor_neg", "credit_g", "credit_a", "soybean", "hypothyroid", "sick", "kr_vs_kp",
    "mushroom", "heart_c", "hepatitis", "car", "tic_tac_toe", "adult_train",
]


def read_table(path):
    """Return column names, kinds and rows; None is missing."""
    opener = gzip.open if path.endswith(".gz") else open
    with opener(path, "rt", newline="") as file:
        header, *rows = csv.reader(file)
    types = re.sub(r"\.csv(\.gz)?$", ".types.csv", path)
    if os.path.exists(types):
        with open(types, newline="") as file:
            kinds = {line["column"]: line["type"] for line in csv.DictReader(file)}
    else:
        kinds = {}
    rows = [[None if cell in ("?", "") else cell for cell in row] for row in rows]

    def is_number(cell):
        try:
            float(cell)
        except ValueError:
            return False
        return True

    def kind(j, name):
        if j == len(header) - 1:
            return "nominal"
        known = (row[j] for row in rows if row[j] is not None)
        return kinds.get(name) or ("numeric" if all(map(is_number, known)) else "nominal")

    return header, [kind(j, name) for j, name in enumerate(header)], rows


def levels(cells):
    """Return the distinct values in the order of mercer: numbers by size, words by letters."""
    known = {cell for cell in cells if cell is not None}
    try:
        return sorted(known, key=float)
    except ValueError:
        return sorted(known)


def quoted(text):
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def write_arff(path, header, kinds, rows):
    with open(path, "w") as out:
        out.write("@relation table\n")
        for j, (name, kind) in enumerate(zip(header, kinds)):
            values = "numeric"
            if kind != "numeric":
                values = "{" + ",".join(map(quoted, levels(row[j] for row in rows))) + "}"
            out.write(f"@attribute {quoted(name)} {values}\n")
        out.write("@data\n")
        for row in rows:
            cells = [
                "?" if cell is None else (cell if kind == "numeric" else quoted(cell))
                for cell, kind in zip(row, kinds)
            ]
            out.write(",".join(cells) + "\n")


def folds(rows, count=10):
    """Deal the rows of every class out in turn."""
    seen, dealt = {}, []
    for row in rows:
        place = seen.get(row[-1], 0)
        seen[row[-1]] = place + 1
        dealt.append(place % count)
    return dealt


def tree_text(answer):
    """Return the tree alone, counts without a fraction that is zero."""
    body = answer.split("------------------\n", 1)[1].split("\nNumber of Leaves", 1)[0].strip("\n")
    return re.sub(r"\.0(?=[/)])", "", body).strip() + "\n"


def run(jobs):
    """Run J48 on lines of jobs; return what it printed for each."""
    with tempfile.TemporaryDirectory() as built:
        source = os.path.join(HERE, "J48Oracle.java")
        subprocess.run(["javac", "-cp", JAR, "-d", built, source], check=True)
        command = ["java", "-cp", f"{JAR}:{built}", "J48Oracle"]
        text = "\n".join(jobs) + "\n"
        done = subprocess.run(command, input=text, text=True, check=True, capture_output=True)
    return re.findall(r"BEGIN \S+\n(.*?)\nEND\n", done.stdout, re.DOTALL)


def main(paths):
    recorded = {"source": "Weka 3.6.14, J48 -C 0.25 -M 2", "trees": {}, "held_out": {}}
    with tempfile.TemporaryDirectory() as folder:
        jobs, names = [], []
        for path in paths:
            name = re.sub(r"\.csv(\.gz)?$", "", os.path.basename(path))
            if name not in TREES + FOLDED:
                continue
            header, kinds, rows = read_table(path)
            arff, dealt = (os.path.join(folder, f"{name}.{end}") for end in ("arff", "folds"))
            write_arff(arff, header, kinds, rows)
            with open(dealt, "w") as out:
                out.write(" ".join(map(str, folds(rows))))
            jobs.append(f"{arff} {dealt if name in FOLDED else '-'} 0")
            names.append((name, rows))
        for (name, rows), answer in zip(names, run(jobs), strict=True):
            if name in TREES:
                recorded["trees"][name] = tree_text(answer)
            if name in FOLDED:
                labels = levels(row[-1] for row in rows)
                codes = re.search(r"^ANSWERS (.*)$", answer, re.MULTILINE).group(1).split()
                pairs = zip(codes, rows, strict=True)
                wrong = sum(labels[int(code)] != row[-1] for code, row in pairs)
                leaves = int(re.search(r"Number of Leaves\s*:\s*(\d+)", answer).group(1))
                recorded["held_out"][name] = {"rows": len(rows), "wrong": wrong, "leaves": leaves}
    json.dump(recorded, sys.stdout, indent=1, ensure_ascii=False)
    print()


if __name__ == "__main__":
    main(sys.argv[1:])
