"""What the tests of parts share: a log in files, and whether results are those of one run."""

import json
import os
import subprocess

CONFIG = """
windows: [{name: hour, size: 1h}, {name: day, size: 24h, slide: 1h}, {name: all, size: all}]
segments: [[variant]]
metrics: {names: [precision, ndcg_list, hit_rate, mrr, distinct_items, personalisation], cutoffs: [1, 5, 10]}
"""


def make_log(program, work, count):
    """The names of its files, each in time; a few events are late, of wrong clocks, there twice, or no events."""
    lists = os.environ.get("RECMETER_LISTS", "300000")
    options = "--users 20000 --seed 7 --disorder 5s --late 0.001 --malformed 0.001 --wrong-clocks 0.001 --duplicates 0.001"
    subprocess.run([program, "generate", "--quiet", "--lists", lists, *options.split(), "-o", work / "log"], check=True)
    names = [f"{number:02}.jsonl" for number in range(count)]
    files = [open(work / name, "wb") for name in names]
    with open(work / "log", "rb") as log:
        for number, line in enumerate(log):
            files[number % count].write(line)
    for file in files:
        file.close()
    return [str(work / name) for name in names]


def report(path):
    """Without what a run took."""
    with open(path) as file:
        found = json.load(file)
    for taken in ("wall_seconds", "events_per_second", "sums_bytes_max", "exposure_bytes_max"):
        found.pop(taken, None)
    return found


def same_rows(one, other):
    with open(one, "rb") as a, open(other, "rb") as b:
        assert a.read() == b.read(), f"{one} and {other} differ"
