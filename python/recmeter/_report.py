"""report(): rows as one HTML page."""

from __future__ import annotations

import json
import os
import pathlib
import tempfile
import warnings
from typing import Any

from . import _core
from ._errors import ConfigError, in_arguments
from ._evaluation import Evaluation
from ._frames import is_path
from ._rows import Rows

_Path = str | os.PathLike[str]


def report(
    rows: Evaluation | Rows | _Path,
    path: _Path,
    *,
    run: _Path | None = None,
    lists: _Path | bool | None = None,
    experiments: _Path | None = None,
    curves: _Path | None = None,
    learning_curves: _Path | None = None,
) -> pathlib.Path:
    """Writes the page of `recmeter report` to `path`: one HTML file that needs no network. Returns the path.

    rows: what evaluate() returned, with which the report of the run and its experiments are on the page; its rows; or a
    file of rows. lists: True reads the tables of an Evaluation again, so that the page compares variants with intervals.
    run, lists, experiments, curves and learning_curves: files of the same run, as `recmeter replay` writes them.
    """
    named = dict(run=run, lists=lists, experiments=experiments, curves=curves, learning_curves=learning_curves)
    with tempfile.TemporaryDirectory(prefix="recmeter-") as folder:

        def written(name: str, data: bytes) -> str:
            made = os.path.join(folder, name)
            pathlib.Path(made).write_bytes(data)
            return made

        if isinstance(rows, Evaluation):
            named["run"] = named["run"] or written("run.json", json.dumps(rows.report).encode())
            if lists is True or rows._has_experiments:
                paths = (os.path.join(folder, "lists.jsonl"), os.path.join(folder, "experiments.jsonl"))
                rows._asked.run(paths[0] if lists is True else "", paths[1])
                named["lists"] = paths[0] if lists is True else named["lists"]
                named["experiments"] = named["experiments"] or paths[1]
            source = written("rows.jsonl", rows.rows.jsonl)
        elif isinstance(rows, Rows):
            source = written("rows.jsonl", rows.jsonl)
        elif is_path(rows):
            source = os.fspath(rows)
        else:
            raise ConfigError(
                f"report() takes what evaluate() returned, its rows, or a file of rows, not {type(rows).__name__}: a table "
                "of replay() has not all that a page shows"
            )
        if named["lists"] is True:
            raise ConfigError("lists=True reads tables again, and these rows have none: give what evaluate() returned")
        files = [os.fspath(one) if isinstance(one, (str, os.PathLike)) else "" for one in named.values()]
        with in_arguments():
            doubts = _core.report(source, os.fspath(path), *files)
    for sentence in doubts:
        warnings.warn(sentence, stacklevel=2)
    return pathlib.Path(path)
