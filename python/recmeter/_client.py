"""A running evaluator, by its API."""

from __future__ import annotations

import json
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator
from typing import Any

from ._errors import InputError
from ._rows import Rows


class Client:
    """What `recmeter attach` or `replay --listen` serves. Made by connect()."""

    def __init__(self, url: str, token: str | None = None, timeout: float = 10) -> None:
        self.url = url.rstrip("/")
        self._token = token
        self._timeout = timeout

    def _get(self, path: str, **query: Any) -> Any:
        asked = urllib.parse.urlencode({key: value for key, value in query.items() if value is not None})
        request = urllib.request.Request(f"{self.url}/api/v1/{path}" + (f"?{asked}" if asked else ""))
        if self._token is not None:
            request.add_header("Authorization", f"Bearer {self._token}")
        try:
            with urllib.request.urlopen(request, timeout=self._timeout) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as fault:
            text = fault.read().decode(errors="replace")
            try:
                text = json.loads(text)["detail"]
            except (ValueError, KeyError, TypeError):
                pass
            raise InputError(f"{self.url}: {fault.code}: {text}") from fault
        except (OSError, ValueError) as fault:
            raise InputError(f"{self.url} does not answer as recmeter does: {fault}") from fault

    def status(self) -> dict[str, Any]:
        """The run report, with lag, readiness and what is configured."""
        return dict(self._get("status"))

    def rows(self, window: str | None = None, metric: str | None = None, **query: Any) -> Rows:
        """The rows it keeps, of every window unless one is named, oldest first.

        More of the query is as in web/API.md: horizon, segment, stage, from_, to.
        """
        query = {key.rstrip("_"): value for key, value in query.items()}
        names = [window] if window is not None else [one["name"] for one in self.status()["evaluator"]["windows"]]
        rows: list[dict[str, Any]] = []
        for name in names:
            cursor = None
            while True:
                page = self._get("windows", window=name, metric=metric, limit=1000, cursor=cursor, **query)
                rows += page["rows"]
                cursor = page["next"]
                if cursor is None:
                    break
        return Rows("".join(json.dumps(row, separators=(",", ":"), ensure_ascii=False) + "\n" for row in rows).encode())

    def watch(self, every: float = 2) -> Iterator[dict[str, Any]]:
        """The status, again and again."""
        while True:
            yield self.status()
            time.sleep(every)


def connect(url: str, token: str | None = None) -> Client:
    """A running evaluator at `url`, such as http://127.0.0.1:8080. Raises InputError where none answers."""
    client = Client(url, token)
    client.status()
    return client
