"""Where the scripts of the second half of the course put their numbers: `course.json`, and `course.md` made of it.

A part is a title, what was run, seconds of every program in every round, and lines of a table. Parts that a script
does not run stay as they are.
"""

import importlib.metadata
import json
import os
import pathlib
import platform
import time

ORDER = ["kmeans", "projection", "memory", "neighbours", "maps", "trees"]

# OpenBLAS and OpenMP threads go on spinning for some ten milliseconds after a call, on the cores of whoever comes next.
REST = 0.15


def rest():
    """Wait until the threads of the last program have gone to sleep."""
    time.sleep(REST)


def versions(*names):
    """Return the versions of the packages that are installed."""
    found = {}
    for name in names:
        try:
            found[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            found[name] = None
    return found


def record(folder, part, *, title, told, seconds, table, programs, more=None):
    """Put a part into `course.json` and write `course.md` anew.

    `seconds` holds lists of rounds by case and program, `table` the lines of a Markdown table.
    """
    import mercer

    path = pathlib.Path(folder) / "course.json"
    found = json.loads(path.read_text()) if path.exists() else {}
    found[part] = {
        "title": title,
        "told": told,
        "mercer": mercer.__version__,
        "instruction set": _instructions(),
        "cores": os.cpu_count(),
        "python": platform.python_version(),
        "programs": programs,
        "seconds": seconds,
        "table": table,
        **(more or {}),
    }
    path.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n")
    path.with_suffix(".md").write_text(_page(found))


def _instructions():
    try:
        flags = pathlib.Path("/proc/cpuinfo").read_text()
    except OSError:
        return "unknown"
    return "avx512" if " avx512f" in flags else "avx2" if " avx2" in flags else "base"


def _page(found):
    lines = [
        "# The second half of the course, timed",
        "",
        "Written by the scripts of `crates/mercer-bench/python` with `--out docs/bench`; seconds of all rounds are in "
        "`course.json`. Programs take turns on the same rows in one process, and the least time of the rounds counts.",
    ]
    for part in sorted(found, key=lambda p: (ORDER.index(p) if p in ORDER else len(ORDER), p)):
        one = found[part]
        beside = ", ".join(f"{name} {version}" for name, version in one["programs"].items() if version)
        lines += ["", f"## {one['title']}", "", f"{one['told']} mercer {one['mercer']} beside {beside}; {one['cores']} cores, {one['instruction set']}."]
        lines += ["", *one["table"]]
    return "\n".join(lines) + "\n"
