"""prequential()."""

from __future__ import annotations

import contextlib
import json
import os
import socket
import tempfile
import threading
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from . import _core
from ._errors import ConfigError
from ._evaluation import _ACTIONS, _Asked
from ._frames import Table
from ._rows import Rows
from .recommender import serve


class _Served:
    """A model in this process, at a socket of its own until the run ends."""

    def __init__(self, model: Any, path: str) -> None:
        self.fault: BaseException | None = None
        self._model = model
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(path)
        self._listener.listen(1)
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        try:
            connection, _ = self._listener.accept()
            with connection, connection.makefile("rb") as reader, connection.makefile("wb") as writer:
                serve(self._model, reader, writer)
        except OSError:
            pass  # the run ended first
        except BaseException as fault:
            self.fault = fault

    def close(self) -> None:
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self._thread.join(timeout=5)


@contextlib.contextmanager
def _serving(recommenders: Mapping[str, Any]) -> Iterator[tuple[list[dict[str, Any]], list[_Served]]]:
    """Entries of `recommenders`, and what serves those that are objects."""
    served: list[_Served] = []
    with tempfile.TemporaryDirectory(prefix="recmeter-") as folder:
        entries = []
        try:
            for number, (name, one) in enumerate(recommenders.items()):
                if isinstance(one, str):
                    entries.append({"name": name, "kind": one})
                elif isinstance(one, Mapping):
                    entries.append({"name": name, **one})
                else:
                    path = os.path.join(folder, str(number))
                    served.append(_Served(one, path))
                    entries.append({"name": name, "kind": "process", "connect": f"unix:{path}"})
            yield entries, served
        finally:
            for one in served:
                one.close()


def _with(config: str, added: Mapping[str, Any]) -> str:
    """The configuration with more sections; JSON is YAML."""
    if config.lstrip().startswith("{"):
        return json.dumps({**json.loads(config), **added})
    return config.rstrip() + "\n" + "".join(f"{name}: {json.dumps(section)}\n" for name, section in added.items())


def prequential(
    feedback: Table,
    impressions: Table | None = None,
    *,
    recommenders: Mapping[str, Any],
    rules: Mapping[str, Any] | None = None,
    config: str | os.PathLike[str] | Mapping[str, Any] | None = None,
    shape: str | None = None,
    fields: Mapping[str, Any] | None = None,
    horizon: str | Sequence[str] = "1ms",
    windows: str | Sequence[str] = "all",
    cutoffs: Sequence[int | str] = (10,),
    metrics: Sequence[str | Mapping[str, Any]] | None = ("hit_rate", "mrr", "recall"),
    segments: Sequence[Any] = (),
    actions: Mapping[str, float] = _ACTIONS,
    sort: str = "auto",
    threads: int = 0,
) -> Any:
    """Judges recommenders that were not live: they predict, are judged and learn, in event time. docs/prequential.md.

    feedback: a table with an action in each row, as of replay(); impressions: one of lists, for rules={"at": "impressions"}.
    recommenders: by name a kind ("popularity"), a mapping of a kind with its parameters, or a model of yours: an object with
    learn(events) and recommend(requests), or a function of requests (recmeter.recommender), which is asked on a thread of
    its own. rules: what `prequential` of a configuration has: at, step, candidates, ... Returns rows, with a column
    `recommender`, as a table of the library that `feedback` is of. What a model raises is raised.
    """
    if not recommenders:
        raise ConfigError('recommenders is empty; write {"top": "popularity"}')
    asked = _Asked(
        impressions,
        feedback,
        config,
        shape,
        fields,
        horizon,
        windows,
        cutoffs,
        list(metrics) if metrics is not None else None,
        segments,
        "user",
        actions,
        sort,
        threads,
    )
    with _serving(recommenders) as (entries, served):
        added: dict[str, Any] = {"recommenders": entries}
        if config is None:  # requests have no rows to assemble, and horizons may be short
            added["join"] = {**json.loads(asked.config)["join"], "assemble": "0s"}
        if rules is not None:
            added["prequential"] = dict(rules)
        try:
            rows = _core.prequential(_with(asked.config, added), asked.frames(), asked.files, sort, threads)
        except Exception:
            for one in served:
                one.close()
                if one.fault is not None:
                    raise one.fault from None
            raise
    return Rows(rows).to(asked.library)
