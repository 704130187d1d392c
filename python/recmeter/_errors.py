"""What can go wrong, told by place, cause and remedy."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
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


# Texts of the core name options of the command line.
_WORDS = (
    (re.compile(r", or --config C with a log"), ", or the result of evaluate()"),
    (re.compile(r"--config C with\s+the log has both"), "the result of evaluate() has both"),
    (re.compile(r"replay the log with --config"), "give the result of evaluate()"),
    (re.compile(r"--key, --a and --b go together: .*"), 'key=, a= and b= go together: key="variant", a="A", b="B"'),
    (re.compile(r"\(--all\)"), "(in rows)"),
    (re.compile(r"recmeter replay --report"), "the report of evaluate()"),
    (re.compile(r"--user\b"), "user_id="),
    (re.compile(r"--control (\S+?)(?=[\s;,]|\.\s|\.?$)"), r'control="\1"'),
    (re.compile(r"--([a-z]+):"), r"\1:"),
    # The option stays for a file that another command wrote.
    (re.compile(r"(?<![\w-])(?<!replay )(?<!prequential )--([a-z]+)"), r"\1="),
)


def as_arguments(text: str) -> str:
    """Options of the command line as arguments of a function: `--control A` is `control="A"`."""
    for pattern, words in _WORDS:
        text = pattern.sub(words, text)
    return text


@contextlib.contextmanager
def in_arguments() -> Iterator[None]:
    """Faults that the core tells are told in words of Python."""
    try:
        yield
    except RecmeterError as fault:
        text = as_arguments(str(fault))
        raise type(fault)(text) from None
