"""A model of yours as a recommender that `recmeter prequential` asks: the other side of recmeter.recommender/1.

    from recmeter.recommender import serve

    serve(model)

`model.learn(events)` is told what happened: mappings with ts (milliseconds), user_id, item_id, action and perhaps value.
`model.recommend(requests)` makes a list for each request: a mapping with ts, user_id, n, and perhaps exclude and
candidates. A list has item ids, the best first, or pairs of an item and its score; or is a mapping with items, and perhaps
scores and confidence. A function of requests is a model that does not learn.
"""

from __future__ import annotations

import contextlib
import json
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import IO, Any, Protocol, Union

PROTOCOL = "recmeter.recommender/1"

Events = Sequence[Mapping[str, Any]]
Requests = Sequence[Mapping[str, Any]]
Made = Union[Iterable[str], Iterable[tuple[str, float]], Mapping[str, Any]]


class Model(Protocol):
    def learn(self, events: Events) -> None: ...

    def recommend(self, requests: Requests) -> Iterable[Made]: ...


def serve(
    model: Model | Callable[[Requests], Iterable[Made]],
    reader: IO[bytes] | None = None,
    writer: IO[bytes] | None = None,
) -> None:
    """Answers until it is told bye, by default over standard input and output; what the model prints goes to standard
    error."""
    recommend: Any = getattr(model, "recommend", model)
    learn = getattr(model, "learn", None)
    reader = reader or sys.stdin.buffer
    writer = writer or sys.stdout.buffer
    sys.stdout.flush()  # what was printed before comes first, and is refused, whether Python buffers or not
    with contextlib.redirect_stdout(sys.stderr):
        for line in reader:
            message = json.loads(line)
            if "learn" in message:
                if learn is not None:
                    learn(message["learn"])
            elif "recommend" in message:
                _answer(writer, {"recommend": message["recommend"], "lists": _lists(message["requests"], recommend)})
            elif "hello" in message:
                _answer(writer, {"hello": PROTOCOL, "model": type(model).__name__})
            elif "bye" in message:
                return


def _answer(writer: IO[bytes], message: Mapping[str, Any]) -> None:
    writer.write(json.dumps(message).encode() + b"\n")
    writer.flush()


def _lists(requests: Requests, recommend: Callable[[Requests], Iterable[Made]]) -> list[dict[str, Any]]:
    made = list(recommend(requests))
    if len(made) != len(requests):
        raise ValueError(f"recommend() gave {len(made)} lists for {len(requests)} requests; give one for each")
    return [{"id": request["id"], **_list(one)} for request, one in zip(requests, made)]


def _list(made: Made) -> dict[str, Any]:
    """Numbers of numpy and the like become plain ones."""
    if isinstance(made, Mapping):
        numbers = {key: [float(one) for one in made[key]] for key in ("scores", "confidence") if key in made}
        return {"items": [str(item) for item in made["items"]], **numbers}
    entries = list(made)
    if entries and not isinstance(entries[0], str):
        pairs: list[Any] = entries
        return {"items": [str(item) for item, _ in pairs], "scores": [float(score) for _, score in pairs]}
    return {"items": entries}
