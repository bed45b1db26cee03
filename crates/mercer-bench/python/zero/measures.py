"""How good predictions are."""

import numpy as np
from sklearn.metrics import log_loss

BINS = 10
# A Gaussian has 90 % of its mass within this many deviations of its mean.
NINETY = 1.6448536269514722


def classification(y, predicted, probabilities):
    """Return accuracy, log-loss and Brier score.

    The Brier score of two classes is that of one of them; of more classes, the sum.
    """
    classes = probabilities.shape[1]
    happened = y[:, None] == np.arange(classes)
    brier = np.mean(np.sum((probabilities - happened) ** 2, axis=1))
    return {
        "accuracy": float(np.mean(predicted == y)),
        "log_loss": float(log_loss(y, probabilities, labels=np.arange(classes))),
        "brier": float(brier / 2 if classes == 2 else brier),
    }


def reliability(y, probability):
    """Return of every tenth of [0, 1]: rows, sum of probabilities, rows of the second class."""
    place = np.minimum((probability * BINS).astype(int), BINS - 1)
    counts = np.bincount(place, minlength=BINS)
    sums = np.bincount(place, weights=probability, minlength=BINS)
    happened = np.bincount(place, weights=y, minlength=BINS)
    return [
        [int(count), round(float(total), 6), int(hits)]
        for count, total, hits in zip(counts, sums, happened)
    ]


def regression(y, predicted, deviation=None):
    """Return errors in units of the test targets' deviation.

    With a predictive deviation also the negative log density and the share of targets within
    the central 90 % of the prediction.
    """
    unit = np.std(y)
    error = (predicted - y) / unit
    found = {"nrmse": float(np.sqrt(np.mean(error**2)))}
    if deviation is not None:
        deviation = np.asarray(deviation) / unit
        density = 0.5 * (error / deviation) ** 2 + np.log(deviation) + 0.5 * np.log(2 * np.pi)
        found["nlpd"] = float(np.mean(density))
        found["coverage"] = float(np.mean(np.abs(error) <= NINETY * deviation))
    return found
