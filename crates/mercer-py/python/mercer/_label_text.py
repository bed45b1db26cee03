"""Labels and names of anything hashable, as the texts that models and files hold."""

import numpy as np


def label_text(value):
    """Return a value as the command reads it from a file: 1.0 as 1, True as true."""
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, (float, np.floating)) and float(value).is_integer():
        return str(int(value))
    return str(value)
