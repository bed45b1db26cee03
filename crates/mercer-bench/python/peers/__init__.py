"""The programs under comparison, each behind the same few methods.

A peer takes arrays in ``load`` (conversions there are not timed), then ``fit``, ``predict`` all
test rows, ``predict_one`` row, ``tune``, and tells its ``answers``: rows of the support vectors,
coefficients, intercepts and the order of the classes. In ``answers`` a positive decision of a
pair speaks for the first class of the pair, whatever the program's own convention is.
"""

import importlib

MODULES = {
    "mercer": "mercer_peer",
    "scikit-learn": "scikit_learn",
    "intelex": "intelex",
    "libsvm": "libsvm_peer",
    "thundersvm": "thundersvm_peer",
}


def find(name):
    """Return the module of a peer; raises when the program is not installed or does not load."""
    return importlib.import_module(f"{__name__}.{MODULES[name]}")
