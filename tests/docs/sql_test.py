"""The wrong numbers of README.md are those that the query gives, and the right ones those of recmeter.

usage: sql_test.py PROGRAM SOURCE_DIRECTORY
"""

import collections
import csv
import json
import math
import pathlib
import re
import sqlite3
import subprocess
import sys
import tempfile

program, source = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2])
readme = (source / "README.md").read_text()
shop = source / "examples/shop"

base = sqlite3.connect(":memory:")
tables = {}
for name in ("shown", "actions"):
    with open(shop / f"{name}.csv") as text:
        tables[name] = list(csv.DictReader(text))
    columns = list(tables[name][0])
    base.execute(f"CREATE TABLE {name} ({', '.join(columns)})")
    base.executemany(f"INSERT INTO {name} VALUES ({', '.join('?' * len(columns))})",
                     [list(row.values()) for row in tables[name]])
naive = dict(base.execute((shop / "naive.sql").read_text()).fetchall())
places = collections.Counter()
for row in tables["shown"]:
    places[row["ranker"]] += len(row["products"].split("|"))
share = sum(naive[ranker] * n for ranker, n in places.items()) / places.total()
half = 1.96 * math.sqrt(share * (1 - share) / places.total())

with tempfile.TemporaryDirectory() as folder:
    config = pathlib.Path(folder) / "shop.yaml"
    inferred = subprocess.run([program, "infer", "shown.csv", "actions.csv"], cwd=shop, capture_output=True, check=True)
    config.write_bytes(inferred.stdout)
    said = subprocess.run([program, "replay", "-c", config, "-f", "jsonl"], cwd=shop, capture_output=True, check=True)
all_rows = [json.loads(line) for line in said.stdout.splitlines()]
rows = {row["segment"].get("ranker", "all"): row for row in all_rows if row["window"] == "all"}
right = {name: row["metrics"]["precision@5"] for name, row in rows.items()}
width = {name: (one["ci"][1] - one["ci"][0]) / 2 for name, one in right.items()}
lists = collections.Counter(row["visitor"] for row in tables["shown"])

for wanted in (f"{share:.3f} clicks for each product shown", f"**{right['all']['value']:.3f}**",
               f"±{half:.3f} instead of ±{width['all']:.3f}", f"new ranker {100 * naive['new'] / naive['old'] - 100:.0f} %",
               f"{right['new']['value']:.3f} ±{width['new']:.3f} against {right['old']['value']:.3f} ±{width['old']:.3f}",
               f"one visitor has {lists.most_common(1)[0][1]} of them",
               f"{rows['all']['feedback']['click']['repeated']} of {len(tables['actions']):,} actions"):
    assert wanted in re.sub(r"\s+", " ", readme), f"README.md does not say: {wanted}"
print("as README.md says")
