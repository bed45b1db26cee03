"""Values of classes from values of pairs of classes."""

import numpy as np


def votes_with_confidence(decisions, n_classes):
    """Turn values of pairs into values of classes: votes, and confidences to break ties.

    Confidences are squeezed into (−1/3, 1/3), so that they never outweigh a vote.
    """
    votes = np.zeros((len(decisions), n_classes))
    confidences = np.zeros_like(votes)
    pair = 0
    for a in range(n_classes):
        for b in range(a + 1, n_classes):
            value = decisions[:, pair]
            confidences[:, a] += value
            confidences[:, b] -= value
            votes[:, a] += value >= 0
            votes[:, b] += value < 0
            pair += 1
    return votes + confidences / (3 * (np.abs(confidences) + 1))
