"""The account of a fit."""

import json

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

    def __init__(self, text):
        self._text = text
        self._values = json.loads(text)

    def __getattr__(self, name):
        values = self.__dict__.get("_values", {})
        try:
            return values[name]
        except KeyError:
            raise AttributeError(f"a report has no {name!r}") from None

    def __dir__(self):
        return [*super().__dir__(), *self._values]

    @property
    def notes(self):
        """Choices made and reasons for care, in words."""
        return [note["text"] for note in self._values["notes"]]

    @property
    def alerts(self):
        """Reasons to trust the answer less."""
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
        return Report, (self._text,)

    def __eq__(self, other):
        return isinstance(other, Report) and self._values == other._values

    __hash__ = None  # type: ignore[assignment]

    def _rows(self):
        values = self._values
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
