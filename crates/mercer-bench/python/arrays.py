"""The prepared data on disk: a folder of NumPy arrays per set.

``x.npy`` holds dense rows; ``x_values.npy``, ``x_columns.npy`` and ``x_starts.npy`` hold sparse
ones. ``xt`` are the test rows, ``y`` and ``yt`` the targets: class codes 0, 1, … or numbers.
"""

import json
import pathlib

import numpy as np
import scipy.sparse as sp


def save_rows(folder, name, rows):
    """Write dense or sparse rows."""
    if sp.issparse(rows):
        rows = sp.csr_matrix(rows)
        rows.sort_indices()
        np.save(folder / f"{name}_values.npy", rows.data.astype(np.float64))
        np.save(folder / f"{name}_columns.npy", rows.indices.astype(np.int32))
        np.save(folder / f"{name}_starts.npy", rows.indptr.astype(np.int32))
    else:
        np.save(folder / f"{name}.npy", np.ascontiguousarray(rows, dtype=np.float64))


def load_rows(folder, name, columns):
    """Read what ``save_rows`` wrote."""
    if (folder / f"{name}.npy").exists():
        return np.load(folder / f"{name}.npy")
    parts = [np.load(folder / f"{name}_{part}.npy") for part in ("values", "columns", "starts")]
    return sp.csr_matrix(tuple(parts), shape=(len(parts[2]) - 1, columns))


def load_set(job):
    """Return training rows, targets, test rows and their targets of a job."""
    folder = pathlib.Path(job["folder"])
    about = json.loads((folder / "about.json").read_text())
    x = load_rows(folder, "x", about["columns"])
    y = np.load(folder / "y.npy")
    if job.get("rows"):
        x, y = x[: job["rows"]], y[: job["rows"]]
    xt = load_rows(folder, "xt", about["columns"])
    return x, y, xt, np.load(folder / "yt.npy")
