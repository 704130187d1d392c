"""What can go wrong, told by place, cause and remedy."""

from __future__ import annotations

from typing import Any


class RecmeterError(Exception):
    """The base of all of these."""


class ConfigError(RecmeterError, ValueError):
    """A configuration, or an argument, that cannot be run. Its text has a line for each fault."""


class InputError(RecmeterError, ValueError):
    """Events that cannot be read: which input, row and field."""


class Unsure(RecmeterError):
    """infer() found two answers near each other, or none. `proposal` has what it would write, and `doubts` the questions."""

    def __init__(self, doubts: list[dict[str, Any]], proposal: str) -> None:
        super().__init__("; ".join(f"{doubt['about']}: {doubt['question']}" for doubt in doubts))
        self.doubts = doubts
        self.proposal = proposal
