"""scikit-learn, which fits with one thread."""

import sklearn
from sklearn import svm

from .estimators import Estimators

VERSION = sklearn.__version__
TASKS = ["classify", "regress", "novelty", "latency", "tune"]


class Peer(Estimators):
    """The estimators with their own defaults, 200 MB of cache among them."""

    def __init__(self, job):
        super().__init__(job, svm)
