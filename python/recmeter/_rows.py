"""Rows of a replay or of a running evaluator."""

from __future__ import annotations

import datetime
import json
from collections.abc import Iterator
from typing import Any

from . import _core
from ._errors import InputError
from ._summary import Summary
from ._tables import Tabular, number


class Rows(Tabular):
    """Rows as `recmeter replay --format jsonl` writes them: `jsonl`, the bytes; iteration gives each as a dict."""

    def __init__(self, jsonl: bytes, summary: dict[str, Any] | None = None) -> None:
        """`summary`: what the run that made them says of them."""
        self.jsonl = jsonl
        self._summary = summary

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
            table[key] = [number(value.get("value")) for value in values]
            if any("ci" in value and value["ci"] is not None for value in values):
                table[f"{key}_low"] = [number((value.get("ci") or [None, None])[0]) for value in values]
                table[f"{key}_high"] = [number((value.get("ci") or [None, None])[1]) for value in values]
        return table

    def summary(self) -> Summary:
        """What a person sees first: the whole log, its arms and the newest days, with a column for each kind of metric."""
        return Summary(self._summary if self._summary is not None else _core.summarise(self.jsonl))

    def _repr_html_(self) -> str:
        return self.summary()._repr_html_()


def read_rows(path: str) -> Rows:
    """The rows in a file that `recmeter replay --format jsonl` or `recmeter attach` wrote."""
    with open(path, "rb") as file:
        rows = Rows(file.read())
    for at, line in enumerate(rows.jsonl.splitlines(), 1):
        try:
            is_row = json.loads(line).get("schema") == "recmeter.window/1"
        except (ValueError, AttributeError):
            is_row = False
        if not is_row:
            raise InputError(f"line {at} of {path} is no row of recmeter.window/1; write rows with --format jsonl")
    return rows
