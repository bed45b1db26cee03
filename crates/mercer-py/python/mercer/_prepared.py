"""Rows that are objects: counted, chosen and stored like an array of one dimension."""

from numbers import Integral

import numpy as np


class Prepared:
    """Base of rows that are held in Rust."""

    __slots__ = ()

    @property
    def shape(self):
        """The number of rows, as the only length."""
        return (len(self),)

    def __getitem__(self, key):
        # scikit-learn takes rows of anything with a shape as `rows[key, ...]`.
        if isinstance(key, tuple) and len(key) == 2 and key[1] is Ellipsis:
            key = key[0]
        if isinstance(key, Integral) and not isinstance(key, (bool, np.bool_)):
            return self._one(int(_positions([key], len(self))[0]))
        return self._several(_positions(key, len(self)))

    def __iter__(self):
        return (self._one(row) for row in range(len(self)))


def _positions(key, count):
    """Return the positions that an index means: a slice, numbers or booleans."""
    if isinstance(key, slice):
        return np.arange(count)[key]
    key = np.asarray(key)
    if key.ndim != 1:
        raise IndexError(f"rows have one index, not {key.ndim}")
    if key.dtype == bool:
        if len(key) != count:
            raise IndexError(f"there are {len(key)} booleans for {count} rows")
        return np.flatnonzero(key)
    if key.size == 0:
        return np.arange(0)
    if key.dtype.kind not in "iu":
        raise IndexError(f"rows are chosen by whole numbers or booleans, not {key.dtype}")
    outside = (key < -count) | (key >= count)
    if outside.any():
        raise IndexError(f"there is no row {key[outside][0]} among {count}")
    return np.where(key < 0, key + count, key)
