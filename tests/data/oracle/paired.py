"""The corrected t-test and its Bayesian reading of one worked case, by NumPy and SciPy.

The answers stand in `crates/mercer/src/judge/paired.rs`.
"""

import numpy as np
from scipy import stats

differences = np.array([0.02, 0.05, -0.01, 0.03, 0.04, 0.0, 0.06, 0.01, 0.02, 0.03])
ratio, margin = 1 / 9, 0.01
n = len(differences)
mean = differences.mean()
error = np.sqrt((1 / n + ratio) * differences.var(ddof=1))
law = stats.t(n - 1, loc=mean, scale=error)
print("standard error", repr(error))
print("p", repr(2 * stats.t.sf(abs(mean) / error, n - 1)))
print("better, equal, worse", law.sf(margin), law.cdf(margin) - law.cdf(-margin), law.cdf(-margin))
