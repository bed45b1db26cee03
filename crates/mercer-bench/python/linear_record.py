"""Keeps the timings of linear models and networks: `linear.json` has raw seconds, `linear.md` tables.

`linear_speed.py`, `linear_classify_speed.py`, `lasso_speed.py` and `mlp_speed.py` write sections of their own, and
leave those of the others as they are. A run of some cases replaces those cases alone.
"""

import json

ORDER = ("least squares", "classification", "lasso", "networks", "levenberg")


def record(folder, section, heading, about, columns, rows, raw, names=1):
    """Write cases of a section: lines of a table, and the numbers that they were made from.

    The first `names` cells of a line say which case it is.
    """
    path = folder / "linear.json"
    known = json.loads(path.read_text()) if path.exists() else {}
    cases = {}
    if section in known:
        before = known[section]
        cases = {tuple(row[:names]): (row, of) for row, of in zip(before["rows"], before["raw"], strict=True)}
    cases |= {tuple(row[:names]): (row, of) for row, of in zip(rows, raw, strict=True)}
    rows, raw = ([case[k] for case in cases.values()] for k in range(2))
    known[section] = {"heading": heading, "about": about, "columns": columns, "rows": rows, "raw": raw}
    known = {name: known[name] for name in ORDER if name in known}
    path.write_text(json.dumps(known, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    (folder / "linear.md").write_text(page(known), encoding="utf-8")


def page(known):
    """Return all sections as Markdown."""
    lines = [
        "# Linear models and networks, timed",
        "",
        "Two cores, programs taking turns in one process, medians. Raw seconds are in [linear.json](linear.json).",
    ]
    for part in known.values():
        lines += ["", f"## {part['heading']}", "", part["about"], ""]
        lines.append(table_line(part["columns"]))
        lines.append("|---" * len(part["columns"]) + "|")
        lines += map(table_line, part["rows"])
    return "\n".join(lines) + "\n"


def table_line(cells):
    """Return cells as a line of a table."""
    return "| " + " | ".join(cells) + " |"
