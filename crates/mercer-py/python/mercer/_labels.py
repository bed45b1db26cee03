"""Labels: as codes for Rust, as texts for files, and with weights."""

import numpy as np
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import column_or_1d

from ._frame import is_missing
from ._rows import are_plain_labels


def checked_labels(y):
    """Check the labels of a classification."""
    if not (are_plain_labels(y) or _are_whole(y)):
        y = column_or_1d(y, warn=True)
        refuse_missing(y)
        check_classification_targets(y)
    return y


def _are_whole(y):
    """Tell whether ``y`` is an array of whole numbers that are written as others: labels by every rule."""
    if type(y) is not np.ndarray or y.ndim != 1 or y.dtype != np.float64:
        return False
    with np.errstate(all="ignore"):
        return bool(np.isfinite(y.sum()) and (y == np.floor(y)).all())


def refuse_missing(y):
    """Say which labels are missing: texts and NaN cannot even be sorted."""
    if y is None or getattr(getattr(y, "dtype", None), "kind", "O") != "O":
        return
    try:
        y = np.asarray(y, dtype=object)
    except ValueError:
        # Whoever checks shapes says what is wrong with this one.
        return
    if y.ndim != 1:
        return
    missing = [row for row, label in enumerate(y.tolist()) if is_missing(label)]
    if missing:
        raise ValueError(
            f"Input y contains NaN: {len(missing):,} of {len(y):,} labels are missing, the first in "
            f"row {missing[0]} (counted from 0); drop such rows, or fill the labels in"
        )


def coded_labels(y, weights):
    """Return the classes, and a code for every row."""
    counted = slice(None) if weights is None else weights > 0
    classes = np.unique(y[counted])
    if len(classes) < 2:
        raise ValueError(
            "The number of classes has to be greater than one; got "
            f"{len(classes)} class, {classes[0]!r}."
        )
    # Rows without weight may have a label that nothing else has; they are dropped anyway.
    codes = np.searchsorted(classes, y)
    codes[codes == len(classes)] = 0
    return classes, codes.astype(np.int64)


def class_factors(class_weight, classes, codes, weights):
    """Return a factor on C per class; copies count as rows do."""
    n = len(classes)
    if class_weight is None:
        return np.ones(n)
    if class_weight == "balanced":
        totals = np.bincount(codes, weights=weights, minlength=n)
        return totals.sum() / (n * totals)
    known = classes.tolist()
    strange = [label for label in class_weight if label not in known]
    if strange:
        raise ValueError(f"The classes, {strange}, are not in class_weight")
    return np.array([float(class_weight.get(label, 1.0)) for label in known])


def factor_settings(class_weight, classes, factors):
    """Return the factors as Rust reads them."""
    if class_weight is None:
        return "equal"
    return {"given": dict(zip(label_texts(classes), factors.tolist(), strict=True))}


def label_texts(classes):
    """Return labels as the command and model files write them."""
    return [_label_text(label) for label in classes.tolist()]


def _label_text(label):
    if isinstance(label, bool):
        return "true" if label else "false"
    if isinstance(label, float) and label.is_integer() and abs(label) < 2**53:
        return str(int(label))
    return str(label)
