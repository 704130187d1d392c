"""Arguments of replay() as a configuration. JSON is YAML, so that nothing has to be escaped by hand."""

from __future__ import annotations

import json
import os
import pathlib
from collections.abc import Mapping, Sequence
from typing import Any

from ._errors import ConfigError, InputError

_SIZES = {"minute": "1m", "hour": "1h", "day": "1d", "week": "7d", "all": "all"}
_FIELDS = (
    "ts",
    "user_id",
    "list_id",
    "items",
    "item_id",
    "position",
    "scores",
    "score",
    "propensities",
    "propensity",
    "teams",
    "team",
    "latency_ms",
    "value",
    "event_id",
)
# What `fields` says besides where they are.
_READINGS = ("unit", "zone", "position_base")
_TYPES = ("type", "event", "event_type", "action")


def _several(value: Any) -> list[Any]:
    return [value] if isinstance(value, (str, int, float)) else list(value)


def window(name: str) -> dict[str, str]:
    return {"name": name, "size": _SIZES.get(name, name)}


def _fields_for(fields: Mapping[str, Any] | None, side: str) -> dict[str, Any]:
    if not fields:
        return {}
    if set(fields) <= {"impressions", "feedback"}:
        return dict(fields.get(side) or {})
    return dict(fields)


def _check(columns: list[str] | None, fields: Mapping[str, Any], side: str) -> None:
    """That what is mapped by a plain name is there."""
    if columns is None:
        return
    for name, source in fields.items():
        path = source.get("at") if isinstance(source, Mapping) else source
        if name in (*_READINGS, "segments") or not isinstance(path, str):
            continue
        column = path.split(".")[0].split("[")[0]
        if column not in columns and path not in columns:
            raise InputError(
                f"fields: {name} is in the column {column!r}, which {side} does not have; it has {', '.join(columns)}"
            )


def _entry(
    columns: list[str] | None,
    fields: dict[str, Any],
    side: str,
    segments: Sequence[str],
    is_both: bool,
    actions: Sequence[str],
) -> dict[str, Any]:
    fields = dict(fields)
    _check(columns, fields, side)
    for key in segments if side == "impressions" and "segments" not in fields else ():
        _check(columns, {f"segment {key}": key}, side)
    readings = {name: fields.pop(name) for name in _READINGS if name in fields}
    if columns is not None:
        fields = {**{name: name for name in _FIELDS if name in columns}, **fields}
    mapped = {column for column in fields.values() if isinstance(column, str)}
    if side == "impressions" and segments and "segments" not in fields:
        fields["segments"] = {key: key for key in segments}
    entry: dict[str, Any] = {"file": [side], "fields": fields}
    entry.update({name: value for name, value in readings.items() if value is not None})
    kind = fields.get("type") or next(
        (name for name in _TYPES if columns is not None and name in columns and name not in mapped), None
    )
    if is_both:
        if kind is not None:
            fields["type"] = kind
    elif side == "impressions":
        fields.pop("type", None)
        entry["events"] = [{"type": "impression"}]
    elif kind is None:
        entry["events"] = [{"type": actions[0]}]
    else:
        fields["type"] = kind
    return entry


def configuration(
    config: str | os.PathLike[str] | Mapping[str, Any] | None,
    *,
    shape: str | None,
    fields: Mapping[str, Any] | None,
    horizon: str | Sequence[str],
    windows: str | Sequence[str],
    cutoffs: Sequence[int | str],
    metrics: Sequence[str | Mapping[str, Any]] | None,
    segments: Sequence[Any],
    key: str,
    actions: Mapping[str, float],
    columns: dict[str, list[str] | None],
) -> str:
    """YAML. `columns`: of each table, by side."""
    if isinstance(config, Mapping):
        return json.dumps(config)
    if config is not None:
        text = os.fspath(config)
        if "\n" in text or ":" in text and not pathlib.Path(text).exists():
            return text
        try:
            return pathlib.Path(text).read_text()
        except OSError as fault:
            raise ConfigError(f"{text}: {fault.strerror}") from fault
    by_key = [[one] if isinstance(one, str) else list(one) for one in segments]
    names = list(dict.fromkeys(name for one in by_key for name in one))
    out: dict[str, Any] = {
        "windows": [window(name) for name in _several(windows)],
        "segments": by_key,
        "join": {
            "horizons": _several(horizon),
            "key": key,
            "actions": {name: {"gain": gain} for name, gain in actions.items()},
        },
        "metrics": {"cutoffs": list(cutoffs)},
    }
    if metrics is not None:
        out["metrics"]["names"] = list(metrics)
    if shape is not None:
        out["inputs"] = [{"shape": shape}]
        del out["join"]["actions"]
    else:
        is_both = list(columns) == ["impressions"]
        out["inputs"] = [
            _entry(known, _fields_for(fields, side), side, names, is_both, list(actions))
            for side, known in columns.items()
        ]
    return json.dumps(out)
