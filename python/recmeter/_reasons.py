"""why() and explain(): why a metric changed, and what happened to one list."""

from __future__ import annotations

import datetime
import json
import os
from collections.abc import Mapping, Sequence
from typing import Any

from . import _core, _html
from ._errors import ConfigError, as_arguments, in_arguments
from ._frames import is_path
from ._rows import Rows, read_rows
from ._tables import Tabular, number


class Why(Tabular):
    """What `recmeter why` says: `words`, a sentence or two; printed, all of it; as a table, its parts by segment key and
    value. `data` is recmeter.why/1."""

    def __init__(self, found: dict[str, Any]) -> None:
        self.data: dict[str, Any] = json.loads(found["json"])
        self.text: str = as_arguments(found["text"])
        self.words: str = self.data["words"]
        self.difference: float = self.data["difference"]
        self.interval: list[float] | None = self.data["ci"]
        self.may_be_chance: bool = self.data["may_be_chance"]
        self.cause: dict[str, Any] | None = self.data["cause"]

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return self.text.rstrip("\n")

    def _repr_html_(self) -> str:
        head, _, rest = self.text.partition("\n\n")
        return _html.lines(" ".join(head.splitlines()), strong=True) + _html.preformatted(rest)

    @property
    def parts(self) -> list[dict[str, Any]]:
        """Of each segment key `by` and `value`: lists and values before (a) and after (b), and the parts of the difference
        that come from values that changed (`within`) and from shares that did (`mix`)."""
        return [{"by": key["key"], **part} for key in self.data["by"] for part in key["parts"]]

    def columns(self) -> dict[str, list[Any]]:
        parts = self.parts
        table: dict[str, list[Any]] = {
            "by": [part["by"] for part in parts],
            "value": [part["value"] for part in parts],
        }
        for at, side in enumerate(("a", "b")):
            table[f"lists_{side}"] = [part["lists"][at] for part in parts]
            table[f"value_{side}"] = [number(part["values"][at]) for part in parts]
        for name in ("within", "mix"):
            table[name] = [number(part[name]) for part in parts]
            bounds = [part[f"{name}_ci"] or (None, None) for part in parts]
            table[f"{name}_low"] = [number(low) for low, _ in bounds]
            table[f"{name}_high"] = [number(high) for _, high in bounds]
        return table


def asked_of(
    window: str | None,
    at: str | datetime.datetime | None,
    against: str | datetime.datetime | None,
    key: str | None,
    a: str | None,
    b: str | None,
    by: str | None,
) -> dict[str, str]:
    def time(value: str | datetime.datetime | None) -> str | None:
        if not isinstance(value, datetime.datetime):
            return value
        # Without a zone it is UTC, as in tables.
        zoned = value if value.tzinfo else value.replace(tzinfo=datetime.timezone.utc)
        return zoned.isoformat()

    asked = dict(window=window, at=time(at), against=time(against), key=key, a=a, b=b, by=by)
    return {name: value for name, value in asked.items() if value is not None}


def why_of_rows(rows: Any, metric: str, asked: dict[str, str], top: int) -> Why:
    if isinstance(rows, (str, os.PathLike)):
        rows = read_rows(os.fspath(rows))
    if not isinstance(rows, Rows):
        raise ConfigError(
            f"why() takes what evaluate() returned, its rows, or a file of rows, not {type(rows).__name__}: a table of "
            "replay() has no parts"
        )
    with in_arguments():
        return Why(_core.why_of_rows(rows.jsonl, metric, asked, top))


class Explained:
    """What `recmeter explain` says: printed, the text; `lists`, each list of the id as a mapping."""

    def __init__(self, found: dict[str, Any]) -> None:
        self.text: str = found["text"]
        self.lists: list[dict[str, Any]] = [json.loads(line) for line in found["lines"].splitlines()]

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return self.text.rstrip("\n")

    def _repr_html_(self) -> str:
        return _html.preformatted(self.text)
