"""What surveys are made of: rows that were drawn, sums of columns by block, and the bytes of plans and states."""

import json
import struct
import zlib

import numpy as np

from . import _mercer
from ._rows import solid
from ._schema import join, select

#: Rows whose sums are made at once in a survey; blocks of states are multiples of it.
BLOCK = 1024


class Drawn:
    """Rows with the keys by which they are drawn, in their order."""

    def __init__(self, keys, parts, numbers, columns, y, weights):
        self.keys = keys
        self.parts = parts
        self.numbers = numbers
        self.columns = columns
        self.y = y
        self.weights = weights

    def __len__(self):
        return len(self.keys)

    def kept(self, rows):
        if len(rows) == len(self):
            return self
        return Drawn(
            self.keys[rows],
            self.parts[rows],
            self.numbers[rows],
            select(self.columns, rows),
            self.y[rows],
            None if self.weights is None else self.weights[rows],
        )

    def largest(self, count):
        """Return the rows of the largest keys; of equal ones the first."""
        if len(self) <= count:
            return self
        order = np.lexsort((self.numbers, self.parts, -self.keys))[:count]
        return self.kept(np.sort(order))

    def joined(self, other):
        weights = None
        if self.weights is not None:
            weights = np.concatenate([self.weights, other.weights])
        both = Drawn(
            np.concatenate([self.keys, other.keys]),
            np.concatenate([self.parts, other.parts]),
            np.concatenate([self.numbers, other.numbers]),
            join(self.columns, other.columns),
            np.concatenate([self.y, other.y]),
            weights,
        )
        order = np.lexsort((both.numbers, both.parts))
        if (order[1:] > order[:-1]).all():
            return both
        rows = np.arange(len(both))[order]
        return Drawn(
            both.keys[rows],
            both.parts[rows],
            both.numbers[rows],
            select(both.columns, rows),
            both.y[rows],
            None if weights is None else weights[rows],
        )


# -- sums of surveys -----------------------------------------------------------------------------


def block_sums(columns, weights, scaled, part, first, count):
    """Return sums of rows by block, in which it is not seen where a part began.

    Blocks that are cut by a border keep the places of their rows: only equal cuts give equal bits then.
    """
    sums = {}
    start = 0
    while start < count:
        block = (first + start) // BLOCK
        end = min(count, (block + 1) * BLOCK - first)
        rows = np.arange(start, end)
        own = None if weights is None else solid(weights[start:end])
        made = _mercer.EncoderSums.of(select(columns, rows), weights=own, scaled=scaled)
        sums = merged_sums(sums, {(part, 0, block, first + start): made})
        start = end
    return sums


def merged_sums(a, b):
    """Join sums; two whole neighbours of a level become one of the next."""
    sums = {**a, **b}
    if len(sums) < len(a) + len(b):
        raise ValueError("parts hold the same rows: each needs the number of its first row")
    waiting = list(b)
    while waiting:
        part, level, number, start = waiting.pop()
        size = BLOCK << level
        own = sums.get((part, level, number, start))
        # What a border has cut stays as it is.
        if own is None or start != number * size:
            continue
        if own.rows != size:
            continue
        other = number ^ 1
        place = (part, level, other, other * size)
        if place not in sums or sums[place].rows != size:
            continue
        first, second = sorted([(part, level, number, start), place], key=lambda key: key[2])
        up = (part, level + 1, number // 2, first[3])
        sums[up] = sums.pop(first).merge(sums.pop(second))
        waiting.append(up)
    return sums


def total_of(sums):
    """Return the sums of all rows, added in the order of their places."""
    total = None
    for key in sorted(sums, key=lambda key: (key[0], key[3])):
        total = sums[key] if total is None else total.merge(sums[key])
    return total


def merged_classes(a, b):
    labels = np.concatenate([a[0], b[0]])
    totals = np.concatenate([a[1], b[1]])
    found, codes = np.unique(labels, return_inverse=True)
    return found, np.bincount(codes, totals, len(found))


# -- bytes ---------------------------------------------------------------------------------------

_MAGIC = b"mercer.state 1\n"


def packed(about, data):
    head = json.dumps(about).encode()
    return _MAGIC + struct.pack("<II", len(head), zlib.crc32(head)) + head + bytes(data)


def unpacked(data):
    data = bytes(data)
    start = len(_MAGIC) + 8
    if not data.startswith(_MAGIC) or len(data) < start:
        raise ValueError("these are not the bytes of a plan or a state")
    length, checksum = struct.unpack("<II", data[len(_MAGIC) : start])
    head = data[start : start + length]
    if len(head) < length or zlib.crc32(head) != checksum:
        raise ValueError("the bytes of the state are cut off or were changed")
    return json.loads(head), data[start + length :]
