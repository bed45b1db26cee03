"""What a fit leaves behind, in scikit-learn's arrangement.

mercer sorts support vectors by content and has one for all equal rows; scikit-learn lists rows
by class and number, equal ones apart. The arrays here follow scikit-learn, are made on first use and cannot be written to: the model
that predicts is the one in Rust.
"""

from functools import cached_property

import numpy as np
import scipy.sparse as sp

from . import _mercer
from ._report import Report
from ._rows import borrow


class Fitted:
    """A model of the extension module with scikit-learn's view of its parts."""

    def __init__(self, model):
        self.model = model

    def __reduce__(self):
        # Whatever was looked at is made again; only the model's own bytes travel.
        return _from_bytes, (self.model.to_bytes(),)

    @cached_property
    def report(self):
        """The account of the fit."""
        return Report(self.model.report, self.model.task)

    @cached_property
    def class_sizes(self):
        """Support vectors per class."""
        return _frozen(np.array(self.model.class_sizes, dtype=np.int32))

    @cached_property
    def _order(self):
        rows = self.model.support_rows
        starts = np.concatenate([[0], np.cumsum(self.class_sizes)])
        runs = [
            start + np.argsort(rows[start:end], kind="stable")
            for start, end in zip(starts[:-1], starts[1:], strict=True)
        ]
        return np.concatenate(runs).astype(np.intp)

    @cached_property
    def support(self):
        """Training rows of the support vectors."""
        return _frozen(self.model.support_rows[self._order])

    @cached_property
    def support_vectors(self):
        """The support vectors."""
        vectors = borrow(self.model.support_vectors)[self._order]
        return vectors if sp.issparse(vectors) else _frozen(vectors)

    @cached_property
    def dual_coef(self):
        """Coefficients, one column per support vector."""
        coefficients = self.model.coefficients[:, self._order]
        if self.flipped:
            coefficients = -coefficients
        if isinstance(self.model.support_vectors, tuple):
            return sp.csr_matrix(coefficients)
        return _frozen(coefficients)

    @cached_property
    def intercept(self):
        """The constant of each decision."""
        biases = self.model.biases
        return _frozen(-biases if self.flipped else biases)

    @cached_property
    def flipped(self):
        """Whether signs change: of two classes scikit-learn's positive one is the second."""
        labels = self.model.labels
        return labels is not None and len(labels) == 2 and self.model.scheme == "ovo"

    @cached_property
    def coef(self):
        """Weights of the features under the linear kernel, one row per decision."""
        vectors, signs = self.support_vectors, self.dual_coef
        if self.flipped or self.model.scheme != "ovo":
            weights = signs @ vectors
        else:
            weights = self._pair_weights(vectors, signs)
        if sp.issparse(weights):
            weights = sp.csr_matrix(weights)
            weights.data.flags.writeable = False
            return weights
        return _frozen(np.asarray(weights))

    def _pair_weights(self, vectors, signs):
        starts = np.concatenate([[0], np.cumsum(self.class_sizes)])
        runs = [slice(a, b) for a, b in zip(starts[:-1], starts[1:], strict=True)]
        weights = [
            # Class a meets b as the (b−1)-th of the others, b meets a as the a-th.
            signs[b - 1 : b, runs[a]] @ vectors[runs[a]] + signs[a : a + 1, runs[b]] @ vectors[runs[b]]
            for a in range(len(runs))
            for b in range(a + 1, len(runs))
        ]
        return sp.vstack(weights) if sp.issparse(vectors) else np.vstack(weights)


def _from_bytes(data):
    return Fitted(_mercer.Model.from_bytes(data))


def _frozen(array):
    array.flags.writeable = False
    return array
