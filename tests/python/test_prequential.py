"""Recommenders of Python's own, judged beside built-in ones."""

import json
import os
import subprocess
import sys
from collections import Counter

import pytest
from conftest import SOURCE

import recmeter


class Popular:
    """As the built-in one, but for ties."""

    def __init__(self):
        self.counts = Counter()

    def learn(self, events):
        self.counts.update(event["item_id"] for event in events)

    def recommend(self, requests):
        ranked = [item for item, _ in self.counts.most_common()]
        return [[item for item in ranked if item not in request.get("exclude", ())][: request["n"]] for request in requests]


@pytest.fixture(scope="module")
def clicks():
    import pandas

    rows = [(1_700_000_000_000 + n * 1000, f"u{n % 7}", f"i{(n * n) % 11 % (1 + n % 5)}") for n in range(400)]
    return pandas.DataFrame(rows, columns=["ts", "user_id", "item_id"])


def test_a_model_is_judged_beside_a_built_in_recommender(clicks):
    rows = recmeter.prequential(
        clicks, recommenders={"top": "popularity", "ours": Popular(), "near": {"kind": "item_knn", "k": 3}},
        rules={"exclude": "none"}, metrics=["hit_rate"], cutoffs=[3],
    )  # fmt: skip
    values = dict(zip(rows["recommender"], rows["hit_rate@3"]))
    assert set(values) == {"top", "ours", "near"}
    assert abs(values["top"] - values["ours"]) < 0.1 and values["ours"] > 0.3


def test_a_function_is_a_model_that_does_not_learn(clicks):
    rows = recmeter.prequential(
        clicks, recommenders={"same": lambda requests: [["i0", "i1"] for _ in requests]}, rules={"exclude": "none"}
    )
    assert list(rows["lists"]) == [400]


def test_a_model_is_told_nothing_of_the_future(clicks):
    class Watchful(Popular):
        def learn(self, events):
            assert all(event["ts"] > getattr(self, "asked", 0) - 60_000 for event in events)
            self.latest = events[-1]["ts"]

        def recommend(self, requests):
            assert all(request["ts"] > getattr(self, "latest", 0) for request in requests)
            self.asked = requests[-1]["ts"]
            return [[] for _ in requests]

    recmeter.prequential(clicks, recommenders={"ours": Watchful()}, rules={"step": "1m"})


def test_what_a_model_raises_is_raised(clicks):
    def broken(requests):
        raise KeyError("no such user")

    with pytest.raises(KeyError, match="no such user"):
        recmeter.prequential(clicks, recommenders={"ours": broken})


def test_a_configuration_that_cannot_be_is_refused(clicks):
    with pytest.raises(recmeter.ConfigError, match="nearest"):
        recmeter.prequential(clicks, recommenders={"ours": "nearest"})
    with pytest.raises(recmeter.ConfigError, match="recommenders is empty"):
        recmeter.prequential(clicks, recommenders={})


def test_a_program_serves_a_model(program, tmp_path, clicks):
    (tmp_path / "model.py").write_text(
        "from recmeter.recommender import serve\nprint('printed')\n"
        "serve(lambda requests: [[('i0', 0.5)] for _ in requests])\n"
    )
    lines = clicks.assign(type="click").to_dict("records")
    (tmp_path / "log.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    entry = {"name": "ours", "kind": "process", "command": [sys.executable, str(tmp_path / "model.py")]}
    (tmp_path / "c.yaml").write_text(json.dumps({"prequential": {"exclude": "none"}, "recommenders": [entry]}))
    buffered = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    for environment in (buffered, {**buffered, "PYTHONUNBUFFERED": "1"}):
        done = subprocess.run(
            [program, "prequential", "-c", "c.yaml", "log.jsonl", "--format", "jsonl", "--record", "lists.jsonl"],
            cwd=tmp_path, capture_output=True, text=True, env=environment,
        )  # fmt: skip
        assert done.returncode == 1 and "does not answer hello" in done.stderr, "what is printed before is no answer"
    (tmp_path / "model.py").write_text((tmp_path / "model.py").read_text().replace("print('printed')\n", ""))
    done = subprocess.run(
        [program, "prequential", "-c", "c.yaml", "log.jsonl", "--format", "jsonl", "--record", "lists.jsonl"],
        cwd=tmp_path, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    last = json.loads((tmp_path / "lists.jsonl").read_text().splitlines()[-1])
    assert last["items"] == ["i0"] and last["scores"] == [0.5]


def test_a_model_of_a_library_is_judged(program, tmp_path):
    pytest.importorskip("implicit", reason="implicit cannot be installed here")
    log = tmp_path / "log.jsonl"
    subprocess.run([program, "generate", "--lists", "2000", "--users", "100", "--output", log], check=True)
    done = subprocess.run(
        [program, "prequential", "-c", "als.yaml", log, "--format", "jsonl"],
        cwd=SOURCE / "examples/recommender", capture_output=True, text=True,
        env={**os.environ, "PATH": f"{sys.prefix}/bin:{os.environ['PATH']}"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    values = {row["segment"]["recommender"]: row["metrics"]["hit_rate@10"]["value"] for row in rows}
    assert set(values) == {"top", "als"} and values["als"] > 0
