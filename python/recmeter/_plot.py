"""Values with their intervals over time. Needs matplotlib."""

from __future__ import annotations

import importlib
from typing import Any

from ._errors import ConfigError
from ._rows import Rows


def plot(rows: Rows, metric: str, by: str | None = None, window: str | None = None, ax: Any = None) -> Any:
    """Draws `metric` over the windows called `window` (the first of the rows, but not one over all), a line for each value of
    the segment key `by`. Returns the axes."""
    pyplot = importlib.import_module("matplotlib.pyplot")
    table = rows.columns()
    if metric not in table:
        known = [name for name in table if "@" in name and not name.endswith(("_low", "_high"))]
        raise ConfigError(f"the rows have no {metric}; they have {', '.join(known)}")
    if by is not None and by not in table:
        raise ConfigError(f"the rows have no segment key {by}; add it to segments")
    names = list(dict.fromkeys(table["window"]))
    chosen = window or next((name for name in names if name != "all"), names[0] if names else "")
    axes = ax if ax is not None else pyplot.subplots()[1]
    keys = [
        name
        for name in table
        if name not in ("window", "start", "end", "horizon", "stage", "matured", "lists")
        and "@" not in name
        and all(value is None or isinstance(value, str) for value in table[name])
    ]
    lines: dict[str, list[int]] = {}
    for i, name in enumerate(table["window"]):
        present = [key for key in keys if table[key][i] is not None]
        if name == chosen and present == ([] if by is None else [by]):
            lines.setdefault("all" if by is None else f"{by}={table[by][i]}", []).append(i)
    for label, numbers in lines.items():
        times = [table["start"][i] for i in numbers]
        axes.plot(times, [table[metric][i] for i in numbers], marker="o", label=label)
        if f"{metric}_low" in table:
            bounds = [[table[f"{metric}_{end}"][i] for i in numbers] for end in ("low", "high")]
            low, high = ([float("nan") if value is None else value for value in bound] for bound in bounds)
            axes.fill_between(times, low, high, alpha=0.2)
    axes.set_ylabel(metric)
    axes.set_xlabel(f"start of the {chosen}, UTC")
    axes.legend()
    axes.figure.autofmt_xdate()
    return axes
