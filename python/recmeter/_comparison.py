"""compare(): which variant is better, at one look."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from . import _core, _html
from ._errors import ConfigError, as_arguments, in_arguments
from ._evaluation import _ACTIONS, Evaluation, _Asked
from ._frames import Table, is_path
from ._tables import Tabular, number


class Comparison(Tabular):
    """What `recmeter compare --by` says: `words`, a sentence for each arm; printed, all that the command prints; `table`, the
    metrics that it shows, in the library of the tables that were compared; `jsonl`, every metric, as lines of
    recmeter.lists_comparison/1."""

    def __init__(self, found: dict[str, Any], library: str) -> None:
        self.jsonl: bytes = found["lines"]
        self.words: list[str] = found["sentences"]
        self.text: str = as_arguments(found["text"])
        self.control: str = next(iter(json.loads(line)["control"] for line in self.jsonl.splitlines()), "")
        self._found = found
        self._library = library

    def __iter__(self) -> Iterator[dict[str, Any]]:
        """Each line of `jsonl`, with `words` and `decided`."""
        told = zip(self.jsonl.splitlines(), self._found["words"], self._found["decisions"])
        return ({**json.loads(line), "words": words, "decided": decided} for line, words, decided in told)

    def __len__(self) -> int:
        return len(self._found["words"])

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return self.text.rstrip("\n")

    def _repr_html_(self) -> str:
        header, *rows = self._found["cells"]
        left = header.index("lists") - 2  # two values stand before
        sentences = _html.lines("\n".join(self.words), strong=True)
        return sentences + _html.table(header, [("", rows)], left) + _html.lines(as_arguments(self._found["notes"]))

    @property
    def table(self) -> Any:
        return self.to(self._library)

    def columns(self, all: bool = False) -> dict[str, list[Any]]:
        """A row for each metric and arm: of those that the command shows, or of `all`. `difference`, `low` and `high` are
        shares of the control where `is_relative`; without `low` and `high` nothing can be said of how sure it is, and
        `decided` says why."""
        pairs = [pair for pair, shown in zip(self, self._found["shown"]) if all or shown]
        changes = [pair["relative"] or pair["absolute"] or {} for pair in pairs]
        sure = [(change.get("ci") if pair["p"] is not None else None) for pair, change in zip(pairs, changes)]
        return {
            "horizon": [pair["horizon"] for pair in pairs],
            "metric": [pair["metric"] for pair in pairs],
            "arm": [pair["arm"] for pair in pairs],
            "control": [pair["control"] for pair in pairs],
            "value": [number(pair["values"][1]) for pair in pairs],
            "control_value": [number(pair["values"][0]) for pair in pairs],
            "lists": [pair["lists"][1] for pair in pairs],
            "control_lists": [pair["lists"][0] for pair in pairs],
            "difference": [number(change.get("value")) for change in changes],
            "low": [number(ci[0]) if ci else None for ci in sure],
            "high": [number(ci[1]) if ci else None for ci in sure],
            "is_relative": [pair["relative"] is not None for pair in pairs],
            "p": [number(pair["p"]) for pair in pairs],
            "decided": [pair["decided"] for pair in pairs],
            "words": [pair["words"] for pair in pairs],
        }


def compare(
    impressions: Table | Evaluation | Sequence[str | os.PathLike[str]],
    feedback: Table | None = None,
    *,
    by: str,
    control: str | None = None,
    config: str | os.PathLike[str] | Mapping[str, Any] | None = None,
    shape: str | None = None,
    fields: Mapping[str, Any] | None = None,
    horizon: str | Sequence[str] = "30m",
    cutoffs: Sequence[int] = (1, 5, 10),
    metrics: Sequence[str | Mapping[str, Any]] | None = None,
    key: str = "user",
    actions: Mapping[str, float] = _ACTIONS,
    sort: str = "auto",
    threads: int = 0,
) -> Comparison:
    """Compares the lists of the values of a segment key at one look: as `recmeter compare --by`.

    by: a column of impressions, such as "variant". control: the value that the others are compared with; by default the one
    that is called so (control, old, base, baseline, default, A). Other arguments as of replay().
    Instead of tables: what evaluate() returned, whose tables are read again; or files as `recmeter replay --lists` writes
    them, with by="file" one for each variant.
    """
    if isinstance(impressions, Evaluation):
        return impressions.compare(by, control)
    files: list[Any] = [impressions] if is_path(impressions) else []
    if isinstance(impressions, (list, tuple)):
        files = list(impressions)
    paths = [os.fspath(path) for path in files if is_path(path)]
    if by == "file" or (feedback is None and config is None and paths and _core.begins_with_list(paths[0])):
        if not paths or len(paths) < len(files) or feedback is not None:
            raise ConfigError('by="file" compares files of lists: compare(["old.jsonl", "new.jsonl"], by="file")')
        with in_arguments():
            return Comparison(_core.compare_files(paths, by, control or ""), "")
    asked = _Asked(
        impressions, feedback, config, shape, fields, horizon, "all", cutoffs,
        list(metrics) if metrics is not None else None, [by], key, actions, sort, threads,
    )  # fmt: skip
    return asked.compare(by, control)
