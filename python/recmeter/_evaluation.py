"""replay(), evaluate(), doctor() and infer()."""

from __future__ import annotations

import datetime
import json
import os
import tempfile
import warnings as python_warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

from . import _core
from ._configuration import configuration
from ._errors import ConfigError, InputError, Unsure, in_arguments
from ._frames import Table, can_be_read_again, columns_of, is_path, library_of, opened, stream_of
from ._plot import plot
from ._reasons import Explained, Why, asked_of, why_of_rows
from ._rows import Rows
from ._summary import Summary

if TYPE_CHECKING:
    from ._comparison import Comparison

_SORTS = ("auto", "always", "never")


@dataclass(frozen=True)
class Finding:
    """What the doctor found: `code` and `weight` (error, warning, note), cause and remedy in `text`; `data` is all of it."""

    code: str
    weight: str
    text: str
    data: dict[str, Any] = field(repr=False, default_factory=dict)


@dataclass(frozen=True, repr=False)
class Evaluation:
    """What evaluate() returns. A notebook shows the first table of its rows."""

    rows: Rows
    report: dict[str, Any]
    config: str
    warnings: list[str]
    _asked: "_Asked"
    _has_experiments: bool = False

    def __repr__(self) -> str:
        events = self.report["events"]
        told = f"{self.report['lists']} lists, {events['feedback']} feedback, {len(self.rows)} rows"
        return f"<recmeter.Evaluation: {told}; .summary() shows them>"

    def _repr_html_(self) -> str:
        return self.rows._repr_html_()

    def summary(self) -> Summary:
        """The table of `recmeter replay`: the whole log, its arms and the newest days, and how the arms compare."""
        return self.rows.summary()

    def doctor(self) -> list[Finding]:
        """What is wrong with the events. Reads them again."""
        return self._asked.doctor()

    def compare(self, by: str, control: str | None = None) -> "Comparison":
        """As recmeter.compare(). Reads the events again."""
        return self._asked.compare(by, control)

    def why(
        self,
        metric: str,
        *,
        window: str | None = None,
        at: str | datetime.datetime | None = None,
        against: str | datetime.datetime | None = None,
        key: str | None = None,
        a: str | None = None,
        b: str | None = None,
        by: str | None = None,
        top: int = 8,
    ) -> Why:
        """As recmeter.why(), with intervals and a cause. Reads the events again."""
        return self._asked.why(metric, asked_of(window, at, against, key, a, b, by), top)

    def explain(self, list_id: str, user_id: str | None = None) -> Explained:
        """As recmeter.explain(). Reads the events again."""
        return self._asked.explain(list_id, user_id)

    def plot(self, metric: str, by: str | None = None, window: str | None = None, ax: Any = None) -> Any:
        """See recmeter.plot()."""
        return plot(self.rows, metric, by, window, ax)


class _Asked:
    """Inputs and configuration, worked out."""

    def __init__(
        self,
        impressions: Table | None,
        feedback: Table | None,
        config: str | os.PathLike[str] | Mapping[str, Any] | None,
        shape: str | None,
        fields: Mapping[str, Any] | None,
        horizon: str | Sequence[str],
        windows: str | Sequence[str],
        cutoffs: Sequence[int | str],
        metrics: Sequence[str | Mapping[str, Any]] | None,
        segments: Sequence[Any],
        key: str,
        actions: Mapping[str, float],
        sort: str,
        threads: int,
    ) -> None:
        if sort not in _SORTS:
            raise ConfigError(f"sort is {sort!r}; write one of {', '.join(_SORTS)}")
        both = {"impressions": impressions, "feedback": feedback}
        given: dict[str, Any] = {side: table for side, table in both.items() if table is not None}
        self.sort, self.threads = sort, threads
        self.library = library_of(next(iter(given.values())))
        self.files: list[str] = []
        self.tables: dict[str, Any] = {}
        if all(is_path(table) and not os.fspath(table).endswith(".parquet") for table in given.values()):
            self.files = [os.fspath(table) for table in given.values()]
        else:
            self.tables = {side: opened(table, side) for side, table in given.items()}
        columns = {side: columns_of(table) for side, table in self.tables.items()} or {side: None for side in given}
        self.config = configuration(
            config,
            shape=shape,
            fields=fields,
            horizon=horizon,
            windows=windows,
            cutoffs=cutoffs,
            metrics=metrics,
            segments=segments,
            key=key,
            actions=actions,
            columns=columns,
        )
        if self.files and config is None and shape is None and list(given) != ["impressions"]:
            of_files = json.loads(self.config)
            for entry, path in zip(of_files["inputs"], self.files):
                entry["file"] = [path]
            self.config = json.dumps(of_files)

    def frames(self) -> list[tuple[Callable[[], object], str, int, bool]]:
        return [
            (partial(stream_of, table, side), side, number, can_be_read_again(table))
            for number, (side, table) in enumerate(self.tables.items())
        ]

    def run(self, lists: str = "", experiments: str = "") -> dict[str, Any]:
        """Writes every list with its values, and each look at an experiment, to files where they are named."""
        return _core.evaluate(self.config, self.frames(), self.files, self.sort, self.threads, lists, experiments)

    def evaluate(self) -> Evaluation:
        done = self.run()
        report = json.loads(done["report"])
        for name, table in self.tables.items():
            part = next((one for one in report["partitions"] if one["name"] == name), None)
            if name == "impressions" and part is not None and part["records"] == 0:
                raise InputError("impressions has no rows")
        self._tell(done["warnings"] if done["exceeds_limits"] else [], done["invalid"])
        for sentence in done["warnings"]:
            python_warnings.warn(sentence, stacklevel=4)
        rows = Rows(done["rows"], done["summary"])
        return Evaluation(rows, report, self.config, list(done["warnings"]), self, done["has_experiments"])

    def _tell(self, limits: Sequence[str], invalid: Sequence[Mapping[str, Any]]) -> None:
        """Raises where limits are exceeded; else warns of the first record that is invalid for each reason."""
        if limits:
            raise InputError("; ".join([*map(_sentence, invalid), *limits]))
        for record in invalid:
            python_warnings.warn(_sentence(record), stacklevel=5)

    def _check_again(self, what: str) -> None:
        for name, table in self.tables.items():
            if self.sort != "always" and not can_be_read_again(table):
                raise InputError(f"{name} is a stream that can be read only once, and {what}; give a table")

    def compare(self, by: str, control: str | None) -> "Comparison":
        from ._comparison import Comparison

        with in_arguments():
            done = _core.compare(self.config, self.frames(), self.files, self.sort, self.threads, by, control or "")
        self._tell(done["limits"], done["invalid"])
        return Comparison(done, self.library)

    def why(self, metric: str, asked: dict[str, str], top: int) -> Why:
        with in_arguments():
            done = _core.why_of_log(
                self.config, self.frames(), self.files, self.sort, self.threads, metric, asked, top
            )
        self._tell(done["limits"], done["invalid"])
        return Why(done)

    def explain(self, list_id: str, user_id: str | None) -> Explained:
        self._check_again("explain() reads it twice")
        with in_arguments():
            done = _core.explain(self.config, self.frames(), self.files, self.sort, str(list_id), user_id or "")
        if done["invalid"]:
            python_warnings.warn(f"{done['invalid']} events were invalid and have no ids to find them by", stacklevel=4)
        return Explained(done)

    def doctor(self) -> list[Finding]:
        found = json.loads(_core.diagnose(self.config, self.frames(), self.files, self.sort))["findings"]
        return [
            Finding(one["code"], one["weight"], f"{one['statistic']}. {one['cause']}. {one['remedy']}", one)
            for one in found
        ]


def _sentence(record: Mapping[str, Any]) -> str:
    """Rows are counted from 0, as data frames do, and lines from 1."""
    return f"{record['place']} of {record['input']} is invalid: {record['fault']}"


_ACTIONS: Mapping[str, float] = {"click": 1, "purchase": 3}


def evaluate(
    impressions: Table,
    feedback: Table | None = None,
    *,
    config: str | os.PathLike[str] | Mapping[str, Any] | None = None,
    shape: str | None = None,
    fields: Mapping[str, Any] | None = None,
    horizon: str | Sequence[str] = "30m",
    windows: str | Sequence[str] = "day",
    cutoffs: Sequence[int | str] = (1, 5, 10),
    metrics: Sequence[str | Mapping[str, Any]] | None = None,
    segments: Sequence[Any] = (),
    key: str = "user",
    actions: Mapping[str, float] = _ACTIONS,
    sort: str = "auto",
    threads: int = 0,
) -> Evaluation:
    """Evaluates logged lists by what users then did: as replay(), with the report and more.

    Raises ConfigError and InputError; a Ctrl-C ends it with KeyboardInterrupt.
    """
    return _Asked(
        impressions,
        feedback,
        config,
        shape,
        fields,
        horizon,
        windows,
        cutoffs,
        metrics,
        segments,
        key,
        actions,
        sort,
        threads,
    ).evaluate()


def replay(
    impressions: Table,
    feedback: Table | None = None,
    *,
    config: str | os.PathLike[str] | Mapping[str, Any] | None = None,
    shape: str | None = None,
    fields: Mapping[str, Any] | None = None,
    horizon: str | Sequence[str] = "30m",
    windows: str | Sequence[str] = "day",
    cutoffs: Sequence[int | str] = (1, 5, 10),
    metrics: Sequence[str | Mapping[str, Any]] | None = None,
    segments: Sequence[Any] = (),
    key: str = "user",
    actions: Mapping[str, float] = _ACTIONS,
    sort: str = "auto",
    threads: int = 0,
) -> Any:
    """Evaluates logged lists; rows as a table of the library that `impressions` is of (Rows for paths).

    impressions: a table with a list (or one place of a list) in each row, or a path. feedback: one with an action in each
    row; without it, `impressions` holds both, told apart by a column `type`. Columns are ts, user_id, list_id, items (or
    item_id and position); of feedback user_id, item_id, ts and perhaps type. `fields` maps other names, for both or
    {"impressions": {...}, "feedback": {...}}; with "unit" and "zone" for times that are numbers or texts, and
    "position_base": 0 for positions from 0.
    windows: minute, hour, day, week, all or durations. segments: columns of impressions to break rows down by.
    metrics: names, or what a configuration says of one: {"name": "action_rate", "action": "click"}.
    sort: as --sort; "auto" sorts what can be read twice, a reader of batches only with "always".
    config: YAML, a path or a mapping, instead of all of these; entries of `inputs` say how each table is read.
    """
    asked = _Asked(
        impressions,
        feedback,
        config,
        shape,
        fields,
        horizon,
        windows,
        cutoffs,
        metrics,
        segments,
        key,
        actions,
        sort,
        threads,
    )
    return asked.evaluate().rows.to(asked.library)


def doctor(
    impressions: Table,
    feedback: Table | None = None,
    *,
    config: str | os.PathLike[str] | Mapping[str, Any] | None = None,
    shape: str | None = None,
    fields: Mapping[str, Any] | None = None,
    horizon: str | Sequence[str] = "30m",
    segments: Sequence[Any] = (),
    key: str = "user",
    actions: Mapping[str, float] = _ACTIONS,
    sort: str = "auto",
) -> list[Finding]:
    """What is wrong with the events, gravest first: as `recmeter doctor`. Arguments as of replay()."""
    return _Asked(
        impressions, feedback, config, shape, fields, horizon, "day", (10,), None, segments, key, actions, sort, 1
    ).doctor()


def why(
    rows: Evaluation | Rows | str | os.PathLike[str],
    metric: str,
    *,
    window: str | None = None,
    at: str | datetime.datetime | None = None,
    against: str | datetime.datetime | None = None,
    key: str | None = None,
    a: str | None = None,
    b: str | None = None,
    by: str | None = None,
    top: int = 8,
) -> Why:
    """Why a metric changed, or differs between two values of a segment key: as `recmeter why`.

    rows: what evaluate() returned, whose tables are read again, for intervals and a cause; its rows, or a file of rows.
    metric: a mean over lists as rows call it, "mrr@10". window: its name, by default the longest that can be compared. at:
    the newest window that ends by then. against: the window so long before ("1d"), or the newest that ends by a time.
    key, a, b: two values of a segment key in one window, in place of two windows. by: parts by this key alone. top: so
    many values of a key are shown, 0: all.
    """
    asked = asked_of(window, at, against, key, a, b, by)
    return rows._asked.why(metric, asked, top) if isinstance(rows, Evaluation) else why_of_rows(rows, metric, asked, top)


def explain(
    impressions: Table | Evaluation,
    feedback: Table | None = None,
    *,
    list_id: str,
    user_id: str | None = None,
    config: str | os.PathLike[str] | Mapping[str, Any] | None = None,
    shape: str | None = None,
    fields: Mapping[str, Any] | None = None,
    horizon: str | Sequence[str] = "30m",
    cutoffs: Sequence[int] = (1, 5, 10),
    metrics: Sequence[str | Mapping[str, Any]] | None = None,
    segments: Sequence[Any] = (),
    key: str = "user",
    actions: Mapping[str, float] = _ACTIONS,
    sort: str = "auto",
) -> Explained:
    """What happened to a list: its items, its feedback and why that counts or not, and the arithmetic of every metric. As
    `recmeter explain`; arguments as of replay(), or what evaluate() returned. user_id: only lists of this user."""
    if isinstance(impressions, Evaluation):
        return impressions.explain(list_id, user_id)
    return _Asked(
        impressions, feedback, config, shape, fields, horizon, "all", cutoffs, metrics, segments, key, actions, sort, 1
    ).explain(list_id, user_id)


def infer(*tables: Table, rows: int = 100_000) -> str:
    """A commented configuration for tables or files of which nothing is known, by their first `rows` rows.

    Raises Unsure, which has the proposal, where a line should be looked at first.
    """
    with tempfile.TemporaryDirectory() as folder:
        files = []
        for number, table in enumerate(tables):
            if is_path(table) and not os.fspath(table).endswith(".parquet"):
                files.append(os.fspath(table))
            else:
                files.append(os.path.join(folder, f"table{number}.jsonl"))
                _write_lines(opened(table, f"table {number}"), files[-1], rows)
        found = json.loads(_core.propose(files))
    config = str(found.get("config") or "").replace(f"{folder}{os.sep}", "")
    doubts = list(found.get("unsure") or [])
    if doubts or not config:
        raise Unsure(doubts or [{"about": "the log", "question": "no lists and no ratings were found"}], config)
    return config


def _write_lines(table: Any, path: str, rows: int) -> None:
    """The table's first rows as JSON lines, by whichever library is there; times as RFC 3339."""
    try:
        import polars

        frame = polars.DataFrame(table).head(rows)
        times = [name for name, kind in frame.schema.items() if kind.is_temporal()]
        frame.with_columns(polars.col(name).dt.strftime("%Y-%m-%dT%H:%M:%S%.3fZ") for name in times).write_ndjson(path)
    except ImportError:
        try:
            import pyarrow
        except ImportError:
            raise InputError("infer reads tables by polars or pyarrow; install one of them") from None

        batch = pyarrow.table(table).slice(0, rows)
        with open(path, "w") as out:
            for row in batch.to_pylist():
                out.write(json.dumps(row, default=lambda time: time.isoformat(timespec="milliseconds")) + "\n")
