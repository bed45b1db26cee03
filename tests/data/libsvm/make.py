"""Makes the models and answers of this folder with LIBSVM itself.

Run with the Python package libsvm-official 3.37: `python make.py`. Every model is trained on
`rows.txt`; the answers are LIBSVM's own for the rows of `new.txt`, one of which has a feature
that no training row has.
"""

import json
import random
import subprocess
import sys
import tempfile

from libsvm.svmutil import svm_load_model, svm_predict, svm_save_model, svm_train

random.seed(7)


def make_row(label):
    centre = {3: (1, 0, 0, 0), -2: (0, 1, 0, 1), 7: (0, 0, 1, -1)}[label]
    row = {}
    for index, middle in enumerate(centre, start=1):
        value = round(middle + random.gauss(0, 0.8), 2)
        if random.random() < 0.75:
            row[index] = value
    return row


def dot(a, b):
    return sum(value * b.get(index, 0.0) for index, value in a.items())


def write(name, labels, rows):
    with open(name, "w", encoding="ascii") as file:
        for label, row in zip(labels, rows):
            pairs = " ".join(f"{index}:{value}" for index, value in sorted(row.items()))
            file.write(f"{label} {pairs}\n")


LABELS = [random.choice([3, -2, 7]) for _ in range(60)]
ROWS = [make_row(label) for label in LABELS]
NEW_LABELS = [random.choice([3, -2, 7]) for _ in range(12)]
NEW = [make_row(label) for label in NEW_LABELS]
NEW[4][6] = 0.5

VALUES = [round(row.get(1, 0.0) ** 2 - row.get(2, 0.0), 3) for row in ROWS]
TWO = [3 if label == 3 else -2 for label in LABELS]
MODELS = {
    "c_svc_rbf": (LABELS, "-s 0 -t 2 -g 0.35 -c 2"),
    "c_svc_rbf_probability": (LABELS, "-s 0 -t 2 -g 0.35 -c 2 -b 1"),
    "c_svc_two_probability": (TWO, "-s 0 -t 0 -c 0.5 -b 1"),
    "nu_svc_poly": (LABELS, "-s 1 -t 1 -d 2 -g 0.5 -r 1 -n 0.3"),
    "one_class_rbf": (LABELS, "-s 2 -t 2 -g 0.5 -n 0.3"),
    "one_class_density": (LABELS, "-s 2 -t 2 -g 0.5 -n 0.3 -b 1"),
    "epsilon_svr_sigmoid": (VALUES, "-s 3 -t 3 -g 0.1 -r 0.2 -p 0.1 -c 1 -b 1"),
    "nu_svr_linear": (VALUES, "-s 4 -t 0 -n 0.5 -c 1"),
    "c_svc_precomputed": (LABELS, "-s 0 -t 4 -c 1"),
}



def answer_of(name):
    labels, options = MODELS[name]
    train, new = ROWS, NEW
    if "-t 4" in options:
        gram = lambda rows: [
            {0: i + 1, **{j + 1: (dot(a, b) + 1) ** 2 for j, b in enumerate(ROWS)}}
            for i, a in enumerate(rows)
        ]
        train, new = gram(ROWS), gram(NEW)
    model = svm_train(labels, train, options + " -q")
    svm_save_model(f"{name}.model", model)
    if "-s 1" in options:
        # The binding crashes when nu_svc predicts; the decision function is that of c_svc.
        with open(f"{name}.model", encoding="ascii") as file:
            text = file.read().replace("nu_svc", "c_svc")
        with tempfile.NamedTemporaryFile("w", suffix=".model") as file:
            file.write(text)
            file.flush()
            model = svm_load_model(file.name)
    predicted, _, decisions = svm_predict([0] * len(new), new, model, "-q")
    answer = {"predicted": predicted, "decisions": decisions}
    if name.endswith("probability"):
        predicted, _, probabilities = svm_predict([0] * len(new), new, model, "-q -b 1")
        answer["probabilities"] = probabilities
        answer["most_probable"] = predicted
    if "-t 4" in options:
        answer["kernel"] = [[row[j + 1] for j in range(len(ROWS))] for row in new]
    return answer


if len(sys.argv) > 1:
    print(json.dumps(answer_of(sys.argv[1])))
else:
    write("rows.txt", LABELS, ROWS)
    write("new.txt", NEW_LABELS, NEW)
    answers = {}
    for name in MODELS:
        command = [sys.executable, __file__, name]
        output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        answers[name] = json.loads(output.splitlines()[-1])
    with open("answers.json", "w", encoding="ascii") as file:
        lines = [f"{json.dumps(name)}: {json.dumps(answer)}" for name, answer in answers.items()]
        file.write("{\n" + ",\n".join(lines) + "\n}\n")
