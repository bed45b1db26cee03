"""Partitions of collections of Dask, and graphs over them."""

import math
import uuid

import dask.array as da
import numpy as np
import scipy.sparse as sp
from dask.delayed import Delayed, delayed

from ._schema import Schema


def is_frame(x):
    return type(x).__module__.partition(".")[0] == "dask" and hasattr(x, "npartitions") and not isinstance(
        x, da.Array
    )


def schema_of(X):
    if is_frame(X):
        return Schema.of(X._meta, declared=True)
    if not isinstance(X, da.Array):
        raise TypeError(
            f"X is a {type(X).__name__}; mercer.dask takes arrays and data frames of Dask, and mercer itself all others"
        )
    if X.ndim != 2:
        raise ValueError(f"X has {X.ndim} dimensions; two are expected")
    names = [f"x{j}" for j in range(X.shape[1])]
    return Schema(names, dict.fromkeys(names, "numeric"), False, sp.issparse(X._meta))


def partitions(x, name):
    """Return the partitions of a collection, and their rows where they are known."""
    if isinstance(x, da.Array):
        if x.ndim == 2 and x.numblocks[1] > 1:
            x = x.rechunk({1: -1})
        sizes = [int(n) for n in x.chunks[0]] if not any(math.isnan(n) for n in x.chunks[0]) else None
        return x.to_delayed().ravel().tolist(), sizes
    if is_frame(x):
        return list(x.to_delayed()), None
    raise TypeError(f"{name} is a {type(x).__name__}; it must be a collection of Dask as X is")


def beside(x, name, count, sizes):
    """Return the partitions of what goes with rows."""
    if sizes is not None and isinstance(x, da.Array) and not any(math.isnan(n) for n in x.chunks[0]):
        if x.shape[0] != sum(sizes):
            raise ValueError(f"{name} has {x.shape[0]} rows, and X has {sum(sizes)}")
        x = x.rechunk({0: tuple(sizes)})
    parts, own = partitions(x, name)
    if len(parts) != count:
        raise ValueError(f"{name} has {len(parts)} partitions, and X has {count}")
    return parts


def lengths_of(parts):
    import dask

    return list(dask.compute(*[delayed(count_rows)(part) for part in parts]))


def tree(parts, merge):
    """Merge neighbours until one is left: the order is that of the partitions, whoever works."""
    while len(parts) > 1:
        pairs = [parts[i : i + 2] for i in range(0, len(parts), 2)]
        parts = [delayed(merge)(*pair) if len(pair) == 2 else pair[0] for pair in pairs]
    return parts[0]


def in_order(parts, merge):
    """Merge one after the other, as one computer does: others are still being made meanwhile."""
    merged = parts[0]
    for part in parts[1:]:
        merged = delayed(merge)(merged, part)
    return merged


def node(value, what):
    """Put a value into the graph once, where tasks refer to it."""
    key = f"mercer-{what}-{uuid.uuid4().hex}"
    return Delayed(key, {key: value})


def answer(model, rows, method, shape, dtype):
    """Ask a model about a partition, which may be empty."""
    count = len(rows) if hasattr(rows, "iloc") else rows.shape[0]
    if count == 0:
        return np.empty((0, *shape), dtype=dtype)
    return np.asarray(getattr(model, method)(rows)).astype(dtype, copy=False)


def answer_frame(model, rows, method, columns, dtype):
    import pandas as pd

    shape = () if columns is None else (len(columns),)
    found = answer(model, rows, method, shape, dtype)
    if columns is None:
        return pd.Series(found, index=rows.index, name=method)
    return pd.DataFrame(found, index=rows.index, columns=columns)


def count_rows(rows):
    return len(rows) if hasattr(rows, "iloc") else rows.shape[0]


def lazily(model, X, width, method, shape, dtype, columns=None):
    """Ask a model, a node of the graph, partition by partition."""
    if is_frame(X):
        import dask.dataframe as dd
        import pandas as pd

        meta = pd.Series(dtype=dtype, name=method)
        if columns is not None:
            meta = pd.DataFrame({name: pd.Series(dtype=dtype) for name in columns})
        answers = [delayed(answer_frame)(model, part, method, columns, dtype) for part in X.to_delayed()]
        divisions = X.divisions if X.known_divisions else None
        return dd.from_delayed(answers, meta=meta, divisions=divisions, verify_meta=False)
    schema_of(X)
    if X.shape[1] != width:
        raise ValueError(f"X has {X.shape[1]} features, and {width} are expected")
    parts, _ = partitions(X, "X")
    answers = [
        da.from_delayed(delayed(answer)(model, part, method, shape, dtype), (size, *shape), dtype=dtype)
        for part, size in zip(parts, X.chunks[0], strict=True)
    ]
    return da.concatenate(answers, axis=0, allow_unknown_chunksizes=True)
