"""Labels and probabilities of the automatic model on few rows, with a signal and without.

Labels follow probabilities, so that a sigmoid which is shrunken too far gives one class to every
row. For every kind of set: how often the labels and the sign of the decision are right on new
rows, the log-loss, and for noise n times what the log-loss is above that of the true share.
Labels may be no more than a hundredth behind the sign.

    python few_rows.py [--sets 40] [--seed 0]
"""

import argparse
import warnings

import numpy as np

import mercer

ROWS = [10, 20, 40]
COLUMNS = 3
NEW = 400
# How strongly one direction tells the classes apart, and the log-odds at its origin.
KINDS = {
    "noise, 50 %": (0.0, 0.0),
    "noise, 30 %": (0.0, np.log(3 / 7)),
    "strong": (4.0, 0.0),
    "strong, uneven": (4.0, -2.0),
    "weak": (1.0, 0.0),
    "weak, uneven": (1.0, -1.0),
}


def draw(rng, rows, strength, level):
    """Return rows, labels with at least two of each class, new rows and their probabilities."""
    direction = rng.normal(size=COLUMNS)
    direction /= np.linalg.norm(direction)

    def probability(X):
        return 1 / (1 + np.exp(-(strength * (X @ direction) + level)))

    while True:
        X = rng.normal(size=(rows, COLUMNS))
        y = (rng.random(rows) < probability(X)).astype(int)
        if 2 <= y.sum() <= rows - 2:
            new = rng.normal(size=(NEW, COLUMNS))
            return X, y, new, probability(new)


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--sets", type=int, default=40)
    arguments.add_argument("--seed", type=int, default=0)
    given = arguments.parse_args()
    warnings.simplefilter("ignore")
    print(f"{'':16}{'rows':>5}{'labels':>9}{'sign':>9}{'log-loss':>10}{'n*excess':>10}")
    failed = False
    for kind, (strength, level) in KINDS.items():
        for n in ROWS:
            found = []
            for number in range(given.sets):
                rng = np.random.default_rng([given.seed, n, number])
                X, y, new, true = draw(rng, n, strength, level)
                machine = mercer.KernelClassifier(n_jobs=1).fit(X, y)
                p = np.clip(machine.predict_proba(new)[:, 1], 1e-12, 1 - 1e-12)
                labels = machine.predict(new)
                signs = machine.decision_function(new) > 0
                right = [np.where(said, true, 1 - true).mean() for said in (labels == 1, signs)]
                loss = -(true * np.log(p) + (1 - true) * np.log(1 - p)).mean()
                own = -(true * np.log(true) + (1 - true) * np.log(1 - true)).mean()
                found.append([*right, loss, n * (loss - own)])
            label, sign, loss, excess = np.mean(found, axis=0)
            failed |= strength > 0 and label < sign - 0.01
            told = f"{excess:10.2f}" if strength == 0 else ""
            print(f"{kind:16}{n:5}{label:9.3f}{sign:9.3f}{loss:10.3f}{told}")
    raise SystemExit(1 if failed else 0)


if __name__ == "__main__":
    main()
