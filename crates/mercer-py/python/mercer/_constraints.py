"""Ranges of parameters, as scikit-learn's validation reads them."""

from numbers import Integral, Real

from sklearn.utils._param_validation import Interval, RealNotInt

FINITE = Interval(Real, None, None, closed="neither")
POSITIVE = Interval(Real, 0.0, None, closed="neither")
EXPONENT = Interval(Real, 0.0, None, closed="right")
NOT_NEGATIVE = Interval(Real, 0.0, None, closed="left")
SHARE = Interval(Real, 0.0, 1.0, closed="right")
COUNT = Interval(Integral, 1, None, closed="left")
WHOLE = Interval(Integral, 0, None, closed="left")
FRACTION = Interval(RealNotInt, 0, 1, closed="neither")
