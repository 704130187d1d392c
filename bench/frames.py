"""Data frames read where they lie against frame -> JSON lines -> replay: seconds of wall and processor time, side by side.

usage: python bench/frames.py PROGRAM [--lists N]      (in an environment that has recmeter, pandas and polars)
"""

import argparse
import json
import os
import pathlib
import resource
import statistics
import subprocess
import tempfile
import time

import pandas
import polars

import recmeter

parser = argparse.ArgumentParser()
parser.add_argument("program")
parser.add_argument("--lists", type=int, default=200_000)
parser.add_argument("--runs", type=int, default=5)
arguments = parser.parse_args()
arguments.program = os.path.abspath(arguments.program)


def timed(call):
    def spent():
        return sum(
            getattr(resource.getrusage(who), field)
            for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
            for field in ("ru_utime", "ru_stime")
        )

    wall, processor = time.perf_counter(), spent()
    rows = call()
    return rows, time.perf_counter() - wall, spent() - processor


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    subprocess.run(
        [
            arguments.program,
            "generate",
            "--lists",
            str(arguments.lists),
            "--seed",
            "3",
            "--hours",
            "20",
            "--output",
            folder / "log.jsonl",
        ],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        check=True,
    )
    events = [json.loads(line) for line in (folder / "log.jsonl").read_text().splitlines()]
    shown = polars.DataFrame(
        [
            {
                "ts": e["ts"],
                "user_id": e["user_id"],
                "list_id": e["list_id"],
                "items": e["items"],
                "variant": e["segments"]["variant"],
            }
            for e in events
            if e["type"] == "impression"
        ]
    )
    done = polars.DataFrame(
        [
            {
                "ts": e["ts"],
                "user_id": e["user_id"],
                "item_id": e["item_id"],
                "list_id": e.get("list_id"),
                "type": e["type"],
            }
            for e in events
            if e["type"] != "impression"
        ],
        infer_schema_length=None,
    )
    frames = {"polars": (shown, done), "pandas": (shown.to_pandas(), done.to_pandas())}
    config = {
        "inputs": [
            {
                "file": ["s.jsonl"],
                "events": [{"type": "impression"}],
                "fields": {**{k: k for k in ("ts", "user_id", "list_id", "items")}, "segments": {"variant": "variant"}},
            },
            {"file": ["d.jsonl"]},
        ],
        "windows": [{"name": "hour", "size": "1h"}],
        "segments": [["variant"]],
        "join": {"horizons": ["30m"], "actions": {"click": {"gain": 1}, "purchase": {"gain": 3}}},
        "metrics": {"cutoffs": [1, 5, 10]},
    }
    (folder / "c.yaml").write_text(json.dumps(config))

    def direct(tables):
        return recmeter.evaluate(*tables, windows="hour", segments=["variant"]).rows.jsonl

    def by_lines(tables):
        for table, file in zip(tables, ("s.jsonl", "d.jsonl")):
            if isinstance(table, pandas.DataFrame):
                table.to_json(folder / file, orient="records", lines=True)
            else:
                table.write_ndjson(folder / file)
        return subprocess.run(
            [arguments.program, "replay", "-c", "c.yaml", "-f", "jsonl"], cwd=folder, capture_output=True, check=True
        ).stdout

    for library, tables in frames.items():
        ratios = []
        for _ in range(arguments.runs):
            one, wall, processor = timed(lambda: direct(tables))
            other, other_wall, other_processor = timed(lambda: by_lines(tables))
            assert one == other, "the rows differ"
            ratios.append((wall / other_wall, processor / other_processor, wall, other_wall))
        wall, processor, seconds, other = (statistics.median(column) for column in zip(*ratios))
        print(
            f"{library}: {len(events)} events, {os.cpu_count()} cores: direct {seconds:.2f} s, by JSON lines {other:.2f} s; "
            f"wall {wall:.2f}, processor {processor:.2f} of it (medians of {arguments.runs} pairs)"
        )
