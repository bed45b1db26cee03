"""What is in a table, before anything is learnt from it."""

import html
import json
import os

import numpy as np

from . import _mercer
from ._frame import as_frame, frame_columns, is_frame

__all__ = ["Look", "look"]


class Look:
    """What is in a table: kinds, gaps, ranges and shapes of its columns.

    Printing it shows a line for every column with a small histogram; notebooks show the same.

    Examples
    --------
    >>> import mercer
    >>> found = mercer.look({"size": [1.0, 2.5, None], "town": ["Oslo", "Rome", "Oslo"]})
    >>> found.to_dict()["columns"][0]["missing"]
    1
    """

    def __init__(self, account, text):
        self._account = account
        self._text = text

    def to_dict(self):
        """Return the account as dictionaries and lists."""
        return json.loads(self._account)

    def __repr__(self):
        return self._text.rstrip("\n")

    def _repr_html_(self):
        return f"<pre>{html.escape(self._text)}</pre>"


class _Frame:
    """Columns by name, where there is no data frame."""

    def __init__(self, columns):
        arrays = {str(name): np.asarray(list(cells)) for name, cells in columns.items()}
        objects = {
            str(name): np.asarray(list(cells), dtype=object) for name, cells in columns.items()
        }
        self.columns = list(arrays)
        self._cells = {
            name: a if a.dtype.kind in "iufbM" else objects[name] for name, a in arrays.items()
        }
        self.shape = (len(next(iter(arrays.values()), ())), len(arrays))

    def __getitem__(self, name):
        return self._cells[name]


def look(data, target=None):
    """Look at a table: what mercer takes its columns for, and what deserves a second look.

    Parameters
    ----------
    data : DataFrame, dict of columns, array, or path
        A path leads to a file of any format that the command reads, or to a folder of tables.
    target : str, default=None
        A column to be predicted. The account then tells how much of its variance every other
        column explains by itself: between categories, or between ten groups of numbers.

    Returns
    -------
    Look
        ``print`` it, or take ``to_dict()``.

    Examples
    --------
    >>> import mercer
    >>> print(mercer.look({"size": [1.0, 2.5, 4.0]}))  # doctest: +ELLIPSIS
    Table: 3 rows × 1 column
    ...
    """
    data = as_frame(data)
    if isinstance(data, (str, os.PathLike)):
        account, text = _mercer.look(os.fspath(data), target)
    elif isinstance(data, dict):
        account, text = _mercer.look(frame_columns(_Frame(data), strings="strings"), target)
    elif is_frame(data):
        account, text = _mercer.look(frame_columns(data, strings="strings"), target)
    else:
        array = np.asarray(data)
        if array.ndim != 2:
            raise ValueError(f"data has shape {array.shape}; a table has rows and columns")
        columns = {f"x{j}": array[:, j] for j in range(array.shape[1])}
        account, text = _mercer.look(frame_columns(_Frame(columns), strings="strings"), target)
    return Look(account, text)
