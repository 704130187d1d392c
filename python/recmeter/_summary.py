"""The first table of rows: what `recmeter replay` shows in one screen."""

from __future__ import annotations

from typing import Any

from . import _html
from ._errors import as_arguments
from ._tables import Tabular


class Summary(Tabular):
    """The whole log and its arms, and the newest days: a column for each kind of metric, with margins of error, and how the
    arms compare. Printed, it is the table of `recmeter replay`; a notebook shows it as a table; `rows` are those that it
    shows, with these metrics alone."""

    def __init__(self, found: dict[str, Any]) -> None:
        from ._rows import Rows

        self.rows = Rows(found["rows"])
        self.text: str = as_arguments(found["text"])
        self._found = found

    def columns(self) -> dict[str, list[Any]]:
        return self.rows.columns()

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return self.text.rstrip("\n")

    def _repr_html_(self) -> str:
        found = self._found
        below = as_arguments(found["notes"])
        # Experiments are tables of their own, in columns of text.
        parts = [
            _html.preformatted(part.strip("\n")) if part.count("\n") > 1 else _html.lines(part, strong=True)
            for part in map(as_arguments, found["below"])
        ]
        left = found["header"].index("lists") if "lists" in found["header"] else 0
        return _html.table(found["header"], found["blocks"], left) + _html.lines(below) + "".join(parts)
