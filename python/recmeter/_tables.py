"""Columns of values as a table of a caller's library."""

from __future__ import annotations

import importlib
import importlib.util
from typing import Any

from ._errors import InputError


class Tabular:
    """What has columns: a table of pandas, Polars, pyarrow or DuckDB when asked; none of these is needed before."""

    def columns(self) -> dict[str, list[Any]]:
        raise NotImplementedError

    def to_pandas(self) -> Any:
        return importlib.import_module("pandas").DataFrame(self.columns())

    def to_polars(self) -> Any:
        return importlib.import_module("polars").DataFrame(self.columns(), infer_schema_length=None)

    def to_arrow(self) -> Any:
        return importlib.import_module("pyarrow").table(self.columns())

    def to_duckdb(self) -> Any:
        duckdb = importlib.import_module("duckdb")
        return duckdb.from_df(self.to_pandas()) if _has("pandas") else duckdb.from_arrow(self.to_arrow())

    def to(self, library: str) -> Any:
        """The table of that library; itself where there is none of the name."""
        converters = {
            "pandas": self.to_pandas,
            "polars": self.to_polars,
            "pyarrow": self.to_arrow,
            "duckdb": self.to_duckdb,
        }
        return converters[library]() if library in converters else self

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        for library in ("polars", "pyarrow", "pandas"):
            if _has(library):
                return self.to(library).__arrow_c_stream__(requested_schema)
        raise InputError("rows as a stream of Arrow need polars, pyarrow or pandas; install one of them")


def number(value: Any) -> float | None:
    return None if value is None else float(value)


def _has(library: str) -> bool:
    return importlib.util.find_spec(library) is not None
