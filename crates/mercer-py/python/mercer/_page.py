"""Reports of models as pages."""

import html
import os
import warnings

from sklearn.base import is_classifier, is_regressor
from sklearn.utils.validation import _num_samples

from . import _mercer
from ._explain import readable
from ._importance import known_targets
from ._threads import thread_count
from ._told import DataWarning


class Page:
    """A report as one HTML file, without scripts and with nothing loaded from elsewhere.

    Attributes
    ----------
    html : str
        The page. Notebooks show it in a frame of its own.
    title : str
        Its title.
    """

    def __init__(self, html, title):
        self.html = html
        self.title = title

    def save(self, path):
        """Write the page to a file; a failure leaves an older one as it was."""
        _mercer.write_atomically(os.fspath(path), self.html.encode())

    def __repr__(self):
        return f"Page({self.title!r}, {len(self.html)} characters)"

    def _repr_html_(self):
        # Its style would change the rest of the notebook.
        return (
            f'<iframe srcdoc="{html.escape(self.html)}" title="{html.escape(self.title)}" '
            'style="width:100%;height:900px;border:0"></iframe>'
        )


def report(machine, X, y, *, title=None, sample_weight=None, random_state=0, n_jobs=None):
    """Write a page on how good a model is on rows whose targets are known.

    The page is the one that the command ``mercer report`` writes: a verdict with the score
    beside that of a constant, what the columns are worth, calibration or residuals, the worst rows, and
    what is known of the fit.

    Parameters
    ----------
    machine : estimator or Pipeline
        A fitted estimator of mercer that predicts classes or a number, or a pipeline that ends
        in one and whose steps :func:`save` can store.
    X : {array-like, sparse matrix, data frame} of shape (n_samples, n_features)
        Rows, held out of learning: on training rows every model looks better than it is, and
        a :class:`DataWarning` says so where the model remembers them.
    y : array-like of shape (n_samples,)
        Their labels or numbers.
    title : str, optional
        Title of the page; the class of the estimator by default.
    sample_weight : array-like of shape (n_samples,), optional
        How many copies each row stands for.
    random_state : int, default=0
        Seed of the shuffles that measure what columns are worth.
    n_jobs : int, optional
        Threads; all cores by default.

    Returns
    -------
    Page
        The page, to be shown in a notebook or saved.

    Examples
    --------
    >>> import mercer, numpy as np
    >>> X = np.random.default_rng(0).normal(size=(80, 3))
    >>> model = mercer.KernelRegressor().fit(X[:60], 3 * X[:60, 1])
    >>> page = mercer.report(model, X[60:], 3 * X[60:, 1], title="a line")
    >>> "<h1>a line</h1>" in page.html
    True
    """
    count = _num_samples(X)
    model, rows, machine = readable(machine, X)
    if not (is_classifier(machine) or is_regressor(machine)):
        raise TypeError(
            f"{type(machine).__name__} predicts neither classes nor numbers, which a report compares with y"
        )
    title = type(machine).__name__ if title is None else str(title)
    page, alerts = model.page(
        rows,
        title=title,
        target=str(getattr(y, "name", None) or "y"),
        threads=thread_count(n_jobs),
        seed=int(random_state),
        **known_targets(machine, y, sample_weight, count),
    )
    for alert in alerts:
        warnings.warn(alert, DataWarning, stacklevel=2)
    return Page(page, title)
