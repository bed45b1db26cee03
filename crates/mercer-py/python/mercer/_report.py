"""The account of a fit."""

import json
import math

from . import _mercer

# Numbers of a fit: title, name, form.
SHOWN = [
    ("objective", "objective", ".6g"),
    ("duality gap", "dual_gap", ".2g"),
    ("KKT violation", "kkt_violation", ".2g"),
    ("support vectors", "support_vectors", ","),
    ("steps", "iterations", ","),
    ("kernel values", "kernel_evaluations", ","),
]

class Report:
    """The account of a fit: every number the solver can vouch for.

    Printed, it starts with how good the model was on rows that were held out, where there were
    some.

    Attributes are those of the fit (``objective``, ``dual_gap``, ``kkt_violation``,
    ``stop_reason``, ``rows``, ``distinct_rows``, ``support_vectors``, ``iterations``,
    ``kernel_evaluations``, ``seconds``, ``kernel_bytes``), ``problems`` (one dict per
    quadratic problem: a class pair or a regression) and ``notes`` (choices made, and
    reasons for care).

    Examples
    --------
    >>> from mercer import SVC
    >>> report = SVC().fit([[0.0], [1.0], [2.0], [3.0]], [0, 0, 1, 1]).report_
    >>> report.stop_reason
    'converged'
    >>> report.to_dict()["rows"]
    4
    """

    def __init__(self, text, task=None):
        self._text = text
        self._task = task
        self._values = json.loads(text)

    def __getattr__(self, name):
        values = self.__dict__.get("_values", {})
        try:
            return values[name]
        except KeyError:
            raise AttributeError(f"a report has no {name!r}") from None

    def __dir__(self):
        return sorted({*super().__dir__(), *self._values})

    @property
    def notes(self):
        """Choices made and reasons for care, in words."""
        return [note["text"] for note in self._values["notes"]]

    @property
    def alerts(self):
        """Reasons to trust the result less."""
        return [n["text"] for n in self._values["notes"] if n["kind"] == "alert"]

    @property
    def trials(self):
        """What was tried before, the best first; a dict each, nothing where nothing was."""
        trials = self.to_dict().get("trials", [])
        for trial in trials:
            trial["clearly_behind"] = trial["behind"] > 2 * trial["behind_error"]
        return trials

    def to_dict(self):
        """Return everything as plain dicts and lists."""
        return json.loads(self._text)

    def __reduce__(self):
        return Report, (self._text, self._task)

    def __eq__(self, other):
        return isinstance(other, Report) and self._values == other._values

    __hash__ = None  # type: ignore[assignment]

    def _score(self):
        """Return how good the model was on rows it had not seen, in words; None if unknown."""
        trials = self._values.get("trials")
        if trials:
            # What was chosen comes first.
            return _in_words(self._task, trials[0]["loss"], trials[0]["standard_error"])
        evidence = self._values.get("evidence") or {}
        loss = evidence.get("leave_one_out")
        if loss is None:
            return None
        return _in_words(self._task, loss if self._task == "classify" else loss**2)

    def _rows(self):
        values = self._values
        score = self._score()
        if score is not None:
            yield "held-out rows", score
        yield "stopped", values["stop_reason"]
        for title, name, form in SHOWN:
            # Methods without a kernel or a dual have less to tell.
            if name in values:
                yield title, format(values[name], form)
        yield "rows", f"{values['rows']:,} ({values['distinct_rows']:,} distinct)"
        yield "seconds", f"{values['seconds']:.3g}"
        for trial in self.trials:
            loss, error = trial["loss"], trial["standard_error"]
            yield "tried", f"{trial['name']}: {loss:.4g} ± {error:.2g}"

    def __repr__(self):
        lines = [f"{name:<16}{value}" for name, value in self._rows()]
        lines += [f"note: {note}" for note in self.notes]
        return "\n".join(lines)

    def _repr_html_(self):
        return _mercer.table_html([], list(self._rows()), list(self.notes))


def _in_words(task, loss, error=None):
    """Word a mean loss: a share of wrong classes, or a mean squared error."""
    if task == "classify":
        about = "" if error is None else f" ± {100 * error:.1f} %"
        return f"{100 * (1 - loss):.1f} %{about} right"
    root = math.sqrt(loss)
    # The error of a root is that of the square divided by twice the root.
    about = "" if error is None or root == 0 else f" ± {error / (2 * root):.2g}"
    return f"root mean squared error {root:.4g}{about}"
