"""Rows of a replay or of a running evaluator."""

from __future__ import annotations

import datetime
import importlib
import importlib.util
import json
from collections.abc import Iterator
from typing import Any

from ._errors import InputError


class Rows:
    """Rows as `recmeter replay --format jsonl` writes them: `jsonl`, the bytes; iteration gives each as a dict."""

    def __init__(self, jsonl: bytes) -> None:
        self.jsonl = jsonl

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return (json.loads(line) for line in self.jsonl.splitlines())

    def __len__(self) -> int:
        return self.jsonl.count(b"\n")

    def __repr__(self) -> str:
        return f"<recmeter.Rows: {len(self)} rows>"

    def columns(self) -> dict[str, list[Any]]:
        """A column for each key of a row, segment and metric. Of a metric `m` there are `m`, `m_low` and `m_high`."""
        rows = list(self)
        segments = list(dict.fromkeys(key for row in rows for key in row["segment"]))
        metrics = list(dict.fromkeys(key for row in rows for key in row["metrics"]))

        def time(ms: int) -> datetime.datetime:
            return datetime.datetime.fromtimestamp(ms / 1000, datetime.timezone.utc)

        table: dict[str, list[Any]] = {
            "window": [row["window"] for row in rows],
            "start": [time(row["start"]) for row in rows],
            "end": [time(row["end"]) for row in rows],
            "horizon": [row["horizon"] for row in rows],
        }
        for key in segments:
            table[key] = [row["segment"].get(key) for row in rows]
        table["stage"] = [row["stage"] for row in rows]
        table["matured"] = [float(row["matured"]) for row in rows]
        table["lists"] = [row["lists"] for row in rows]
        for key in metrics:
            values = [row["metrics"].get(key) or {} for row in rows]
            table[key] = [_number(value.get("value")) for value in values]
            if any("ci" in value and value["ci"] is not None for value in values):
                table[f"{key}_low"] = [_number((value.get("ci") or [None, None])[0]) for value in values]
                table[f"{key}_high"] = [_number((value.get("ci") or [None, None])[1]) for value in values]
        return table

    def to_pandas(self) -> Any:
        return importlib.import_module("pandas").DataFrame(self.columns())

    def to_polars(self) -> Any:
        return importlib.import_module("polars").DataFrame(self.columns(), infer_schema_length=None)

    def to_arrow(self) -> Any:
        return importlib.import_module("pyarrow").table(self.columns())

    def to_duckdb(self) -> Any:
        duckdb = importlib.import_module("duckdb")
        return duckdb.from_df(self.to_pandas()) if _has("pandas") else duckdb.from_arrow(self.to_arrow())

    def to(self, library: str) -> Any:
        """The table of that library; itself where there is none of the name."""
        converters = {
            "pandas": self.to_pandas,
            "polars": self.to_polars,
            "pyarrow": self.to_arrow,
            "duckdb": self.to_duckdb,
        }
        return converters[library]() if library in converters else self

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        for library in ("polars", "pyarrow", "pandas"):
            if _has(library):
                return self.to(library).__arrow_c_stream__(requested_schema)
        raise InputError("rows as a stream of Arrow need polars, pyarrow or pandas; install one of them")


def _number(value: Any) -> float | None:
    return None if value is None else float(value)


def _has(library: str) -> bool:
    return importlib.util.find_spec(library) is not None


def read_rows(path: str) -> Rows:
    """The rows in a file that `recmeter replay --format jsonl` or `recmeter attach` wrote."""
    with open(path, "rb") as file:
        rows = Rows(file.read())
    for number, line in enumerate(rows.jsonl.splitlines(), 1):
        try:
            is_row = json.loads(line).get("schema") == "recmeter.window/1"
        except (ValueError, AttributeError):
            is_row = False
        if not is_row:
            raise InputError(f"line {number} of {path} is no row of recmeter.window/1; write rows with --format jsonl")
    return rows
