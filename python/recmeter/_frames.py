"""Tables of other libraries as streams of Arrow, and rows as tables of theirs."""

from __future__ import annotations

import importlib
import os
from typing import Any, Protocol, runtime_checkable

from ._errors import InputError


@runtime_checkable
class ArrowStream(Protocol):
    """A table: of pandas, Polars, DuckDB, pyarrow, or of anything that exports itself so."""

    def __arrow_c_stream__(self, requested_schema: object = None) -> object: ...


Table = Any  # an ArrowStream, or the path of a file


def is_path(table: Table) -> bool:
    return isinstance(table, (str, os.PathLike))


def library_of(table: Table) -> str:
    return "" if is_path(table) else type(table).__module__.split(".")[0].lstrip("_")


def opened(table: Table, name: str) -> ArrowStream:
    """The table, or that of a Parquet file, by whichever library can read one."""
    if is_path(table):
        path = os.fspath(table)
        for library, function in (
            ("polars", "read_parquet"),
            ("pandas", "read_parquet"),
            ("pyarrow.parquet", "read_table"),
        ):
            try:
                return getattr(importlib.import_module(library), function)(path)  # type: ignore[no-any-return]
            except ImportError:
                continue
        raise InputError(f"{path}: reading Parquet needs polars, pandas or pyarrow; install one of them")
    if not isinstance(table, ArrowStream):
        raise InputError(
            f"{name} is a {type(table).__name__}: give a table that has __arrow_c_stream__ (pandas 2.2 or later, "
            "Polars, DuckDB, pyarrow), or the path of a file"
        )
    return table


def can_be_read_again(table: ArrowStream) -> bool:
    """A table can; a reader of batches is gone once it was read."""
    return "reader" not in type(table).__name__.lower()


def columns_of(table: ArrowStream) -> list[str] | None:
    """Their names, where the table tells them without being read."""
    names = getattr(table, "column_names", None) or getattr(table, "columns", None)
    if names is None and hasattr(table, "schema"):
        names = getattr(table.schema, "names", None)
    return None if names is None or callable(names) else [str(name) for name in names]


def stream_of(table: ArrowStream, name: str) -> object:
    try:
        return table.__arrow_c_stream__()
    except Exception as fault:
        raise InputError(f"{name} cannot be read as Arrow: {fault}") from fault
