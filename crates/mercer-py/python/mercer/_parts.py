"""Rows in parts, so that rows times pairs of classes stay small."""

from sklearn.utils import _safe_indexing, gen_batches
from sklearn.utils.validation import _num_samples

# Decisions at a time: 32 MB of them.
MOST_DECISIONS = 1 << 22


def row_parts(x, classes):
    """Cut rows into parts whose decisions between all pairs of classes stay within bounds."""
    step = max(1, MOST_DECISIONS // max(1, classes * (classes - 1) // 2))
    try:
        rows = _num_samples(x)
    except TypeError:
        # What is no list of rows is refused, or taken, as a whole.
        return [x]
    if rows <= step:
        return [x]
    return [_safe_indexing(x, batch) for batch in gen_batches(rows, step)]
