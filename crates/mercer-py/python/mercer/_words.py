"""Texts as features of words, for estimators that read numbers: what ``encode`` asks for."""

from sklearn.utils.validation import _check_feature_names, _check_y, check_consistent_length

from ._frame import as_frame, frame_columns, is_frame
from ._rows import Columns
from ._structured import columns_to_fit

# What the only column is called where rows are texts.
TEXT = "text"


def encodings(machine):
    """Return how texts of columns become numbers, by name; None where nothing is asked for."""
    how = machine.encode
    if how is None:
        return None
    if isinstance(how, str):
        return {TEXT: how}
    return {str(name): str(way) for name, way in how.items()}


def worded(machine, X, y, *, multi_output=False, y_numeric=False):
    """Check rows with texts, and their targets; return the rows as columns."""
    X = as_frame(X)
    rows = _columns(machine.encode, X)
    machine.n_features_in_ = rows.shape[1]
    _check_feature_names(machine, X, reset=True)
    if y is not None:
        y = _check_y(y, multi_output=multi_output, y_numeric=y_numeric, estimator=machine)
        check_consistent_length(rows, y)
    return rows, y


def _columns(how, X):
    if not is_frame(X):
        if not isinstance(how, str):
            raise ValueError(
                "`encode` names columns of a data frame; X is none. Of a list of texts say "
                'encode="tfidf"'
            )
        return columns_to_fit(X, ((TEXT, None),))
    if isinstance(how, str):
        example = {str(name): how for name in list(X.columns)[:1]}
        raise ValueError(
            f"`encode` is {how!r}, which is for a list of texts; X is a data frame: name its "
            f"columns of texts, such as encode={example}"
        )
    if min(X.shape) == 0:
        raise ValueError(f"X has shape {X.shape}: there is nothing to learn from")
    texts = {str(name) for name in how}
    told = frame_columns(X, lambda name: "text" if name in texts else None, strings="names")
    return Columns(told, len(X))
