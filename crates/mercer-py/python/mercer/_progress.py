"""Progress of a fit: what callbacks get, and the bar that ``verbose`` draws."""

import sys
import time
from typing import NamedTuple


class Progress(NamedTuple):
    """How far a fit has come."""

    stage: str
    """What is being done, such as ``class pair 3 of 45``."""
    share: float | None
    """Share of the whole work done, from 0 to 1, where it can be told."""
    iterations: int
    """Solver steps of the present stage."""
    violation: float | None
    """Largest violation of the optimality conditions among the rows looked at."""


class Bar:
    """A line on stderr that is drawn again and again, and taken away at the end."""

    WIDTH = 24

    def __init__(self, title, stream=None):
        self.title = title
        self.stream = stream or sys.stderr
        self.started = time.monotonic()
        self.drawn = 0

    def __call__(self, progress):
        """Draw the state of the work."""
        seconds = time.monotonic() - self.started
        text = f"{self.title}: {progress.stage}"
        if progress.share is not None:
            share = min(max(progress.share, 0.0), 1.0)
            done = int(share * self.WIDTH)
            text += f" |{'█' * done}{' ' * (self.WIDTH - done)}| {share:4.0%}"
        text += f" {progress.iterations:,} steps"
        if progress.violation is not None:
            text += f", violation {progress.violation:.1e}"
        text += f" [{seconds:.1f} s]"
        self._draw(text)

    def close(self, last):
        """Leave one line that says how it ended."""
        self._draw(f"{self.title}: {last} [{time.monotonic() - self.started:.1f} s]")
        self.stream.write("\n")
        self.stream.flush()

    def _draw(self, text):
        self.stream.write("\r" + text.ljust(self.drawn))
        self.stream.flush()
        self.drawn = len(text)


class Listener:
    """Hands progress from Rust to the user's callback and to the bar."""

    def __init__(self, callback, bar):
        self.callback = callback
        self.bar = bar
        self.heard = False

    def __call__(self, stage, share, iterations, violation):
        """Tell everybody; a true return value of the callback stops the fit."""
        self.heard = True
        progress = Progress(stage, share, iterations, violation)
        if self.bar is not None:
            self.bar(progress)
        return self.callback is not None and self.callback(progress) is True

    def finish(self, report):
        """Tell a callback of a fit that was over before it could be told."""
        if self.bar is not None:
            self.bar.close(f"{report.stop_reason}, {report.iterations:,} steps")
        if self.callback is not None and not self.heard:
            self.callback(Progress("done", 1.0, report.iterations, report.kkt_violation))
