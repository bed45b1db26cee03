"""Weights of linear functions as an array or as a sparse matrix."""

import scipy.sparse as sp
from sklearn.utils.validation import check_is_fitted


class SparseWeights:
    """Base of linear classifiers whose ``coef_`` may be shown as a sparse matrix."""

    _is_sparse = False

    def _shown(self, weights):
        """Return weights in the form that was asked for last."""
        return sp.csr_matrix(weights) if self._is_sparse else weights

    def sparsify(self):
        """Show ``coef_`` as a sparse matrix; predictions stay as they are."""
        check_is_fitted(self)
        self._is_sparse = True
        return self

    def densify(self):
        """Show ``coef_`` as an array again."""
        check_is_fitted(self)
        self._is_sparse = False
        return self
