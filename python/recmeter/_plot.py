"""Values with their intervals over time. Needs matplotlib."""

from __future__ import annotations

import importlib
from typing import Any

from ._core import metric_question
from ._errors import ConfigError
from ._frames import library_of
from ._rows import Rows


def plot(rows: Any, metric: str, by: str | None = None, window: str | None = None, ax: Any = None) -> Any:
    """Draws `metric` over the windows called `window` (the first of the rows, but not one over all), a line for each value of
    the segment key `by`. `rows`: what replay() returns, or Rows. Returns the axes."""
    pyplot = importlib.import_module("matplotlib.pyplot")
    table = _columns(rows)
    if metric not in table:
        values = [name for name in table if not name.endswith(("_low", "_high"))]
        known = [name for name in values if "@" in name or f"{name}_low" in table]
        question = metric_question(metric, known)
        raise ConfigError(f"the rows have no {metric}; {question or 'they have ' + ', '.join(known)}")
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


def _columns(rows: Any) -> dict[str, list[Any]]:
    """Of a table by any of the libraries that replay() returns one of; None where there is no value."""
    if isinstance(rows, Rows):
        return rows.columns()
    library = library_of(rows)
    if library == "pandas":
        table = {name: rows[name].tolist() for name in rows.columns}
    elif library == "polars":
        table = rows.to_dict(as_series=False)
    elif library == "pyarrow":
        table = rows.to_pydict()
    elif library == "duckdb":
        table = {name: list(values) for name, values in zip(rows.columns, zip(*rows.fetchall()))}
    else:
        raise ConfigError(f"plot() draws rows of replay(), evaluate() or read_rows(), not {type(rows).__name__}")
    # NaN and NaT equal nothing.
    return {name: [value if value == value else None for value in values] for name, values in table.items()}
