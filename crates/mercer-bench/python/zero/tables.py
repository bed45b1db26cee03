"""Original files as numbers, and their splits.

A split has two thirds of the rows for training. Missing numbers become the median, missing
names the most frequent one, both of the training rows; then every name becomes a column of its
own, or one column when there are two. Nothing is standardised here: that is the programs' part.
"""

import csv
import gzip

import numpy as np
from sklearn.datasets import load_svmlight_file
from sklearn.model_selection import train_test_split

MISSING = ("?", "")


def read_cells(path):
    """Return the headings and the cells of a table as text."""
    if ".csv" not in path.name:
        x, y = load_svmlight_file(str(path))
        heads = [str(place + 1) for place in range(x.shape[1])] + ["target"]
        return heads, np.column_stack([x.toarray(), y]).astype(str)
    opened = gzip.open(path, "rt") if path.suffix == ".gz" else open(path)
    with opened as lines:
        heads, *cells = csv.reader(lines)
    return heads, np.array([[cell.strip() for cell in row] for row in cells])


def declared_nominal(path):
    """Return the columns that the file of types beside a table calls nominal."""
    types = path.with_suffix(".types.csv")
    if not types.exists():
        return set()
    with open(types) as lines:
        return {row["column"] for row in csv.DictReader(lines) if row["type"] == "nominal"}


def is_text(cells):
    try:
        cells[~np.isin(cells, MISSING)].astype(float)
    except ValueError:
        return True
    return False


class Table:
    """A set in memory: columns of numbers, columns of names, targets."""

    def __init__(self, folder, chosen):
        paths = [folder / name for name in chosen.files]
        heads, cells = read_cells(paths[0])
        cells = np.vstack([cells] + [read_cells(path)[1] for path in paths[1:]])
        kept = [place for place, head in enumerate(heads) if head not in chosen.dropped]
        heads, cells = [heads[place] for place in kept], cells[:, kept]
        nominal = declared_nominal(paths[0]) | set(chosen.nominal)
        self.classify = chosen.classify
        self.columns = []
        for head, column in zip(heads[:-1], cells.T):
            missing = np.isin(column, MISSING)
            if head in nominal or is_text(column):
                names = np.unique(column[~missing])
                codes = np.where(missing, -1, np.searchsorted(names, column))
                self.columns.append((len(names), codes))
            else:
                self.columns.append((0, np.where(missing, "nan", column).astype(float)))
        target = cells[:, -1]
        if self.classify:
            self.y = np.unique(target, return_inverse=True)[1]
        else:
            self.y = target.astype(float)

    def split(self, seed):
        """Return training rows, their targets, test rows and theirs."""
        train, test = train_test_split(
            np.arange(len(self.y)),
            test_size=1 / 3,
            random_state=seed,
            stratify=self.y if self.classify else None,
        )
        parts = [encode(names, column, train) for names, column in self.columns]
        x = np.ascontiguousarray(np.hstack(parts))
        return x[train], self.y[train], x[test], self.y[test]


def encode(names, column, train):
    """Return a column without missing values, as one column or a few."""
    if names == 0:
        median = np.nanmedian(column[train])
        return np.where(np.isnan(column), median, column)[:, None]
    known = column[train][column[train] >= 0]
    codes = np.where(column < 0, np.bincount(known).argmax(), column)
    if names == 2:
        return codes[:, None].astype(float)
    return (codes[:, None] == np.arange(names)).astype(float)
