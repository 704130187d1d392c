#!/usr/bin/env python3
"""What recmeter prequential costs beside a replay of its lists: scripts/bench --prequential. Every process has one thread."""

import argparse
import json
import os
import tempfile
import time
from pathlib import Path

from compare import print_comparison
from parts import cpu_of
from run import HISTORY, commit, processor

RULES = """\
join: {horizons: [1ms], assemble: 0s, actions: {click: {gain: 1}}%s}
time: {max_step: 0s}
windows: [{name: all, size: all}]
metrics: {names: [hit_rate, mrr, {name: recall, unit: pooled}], cutoffs: [10]}
"""
POPULARITY = "recommenders: [{name: top, kind: popularity}]\n"
WEEKLY = "prequential: {step: 7d}\nrecommenders: [{name: top, kind: popularity}, {name: knn, kind: item_knn}]\n"
WEEKLY_EVENTS = 20_000


def clicks_of(log: Path, to: Path) -> list[bytes]:
    """Lines of clicks alone, in the order of time."""
    clicks = []
    for line in log.read_bytes().splitlines(keepends=True):
        event = json.loads(line)
        if event["type"] == "click":
            clicks.append((event["ts"], line))
    clicks.sort()
    to.write_bytes(b"".join(line for _, line in clicks))
    return [line for _, line in clicks]


def lists_with_clicks(recorded: Path, clicks: list[bytes], to: Path) -> int:
    """The log that prequential replays: the recorded lists and all clicks, in the order of time. Their number."""
    events = []
    for number, line in enumerate(clicks):
        event = json.loads(line)
        kept = {key: event[key] for key in ("type", "ts", "user_id", "item_id")}
        events.append((event["ts"], 1, number, {**kept, "event_id": str(number)}))
    lists = 0
    for line in recorded.read_bytes().splitlines():
        made = json.loads(line)
        segments = {"recommender": made.pop("recommender")}
        events.append((made["ts"], 0, lists, {**made, "type": "impression", "list_id": f"top/{lists}", "segments": segments}))
        lists += 1
    events.sort(key=lambda one: one[:3])
    with open(to, "w", encoding="utf-8") as out:
        for *_, event in events:
            out.write(json.dumps(event, separators=(",", ":")) + "\n")
    return lists


def measured(folder: Path, clicks: list[bytes], runs: int) -> dict:
    (folder / "top.yaml").write_text(RULES % "" + POPULARITY)
    (folder / "weekly.yaml").write_text(RULES % "" + WEEKLY)
    (folder / "lists.yaml").write_text(RULES % ", credit: every_touch" + "segments: [[recommender]]\n")
    (folder / "weekly.jsonl").write_bytes(b"".join(clicks[:WEEKLY_EVENTS]))
    one = ["--threads", 1, "--format", "jsonl", "--output", folder / "rows.jsonl", "--config"]
    cpu_of("prequential", *one, folder / "top.yaml", "--record", folder / "recorded.jsonl", folder / "clicks.jsonl")
    lists = lists_with_clicks(folder / "recorded.jsonl", clicks, folder / "lists.jsonl")
    figures: dict[str, list[float]] = {"prequential": [], "replay": [], "weekly": []}
    for _ in range(runs):
        figures["prequential"].append(cpu_of("prequential", *one, folder / "top.yaml", folder / "clicks.jsonl"))
        figures["replay"].append(cpu_of("replay", *one, folder / "lists.yaml", folder / "lists.jsonl"))
        figures["weekly"].append(cpu_of("prequential", *one, folder / "weekly.yaml", folder / "weekly.jsonl"))
    middle = {name: sorted(seconds)[len(seconds) // 2] for name, seconds in figures.items()}
    return {"events": len(clicks), "lists": lists, "to_replay": middle["prequential"] / middle["replay"],
            "weekly_events_per_s": min(len(clicks), WEEKLY_EVENTS) / middle["weekly"], **middle}


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--dir", type=Path, default=Path(os.environ.get("TMPDIR", "/tmp")) / "recmeter-bench")
    options.add_argument("--quick", action="store_true", help="a tenth of the size; figures are rough")
    options.add_argument("--compare", action="store_true", help="what differs from the last run here of this kind")
    given = options.parse_args()
    given.dir.mkdir(parents=True, exist_ok=True)
    lists = 20_000 if given.quick else 200_000
    log = given.dir / f"prequential-{lists}.jsonl"
    if not log.exists():
        cpu_of("generate", "--lists", lists, "--days", 60, "--users", 1000, "--items", 2000, "--seed", 1, "--output", log)
    with tempfile.TemporaryDirectory(dir=given.dir) as scratch:
        folder = Path(scratch)
        figures = measured(folder, clicks_of(log, folder / "clicks.jsonl"), 3 if given.quick else 5)
    print(f"{figures['events']} clicks, {figures['lists']} lists of popularity: {figures['prequential']:.2f} s CPU,",
          f"{figures['to_replay']:.2f} of a replay of the lists ({figures['replay']:.2f} s CPU)")
    print(f"popularity and item_knn that learn weekly: {figures['weekly']:.2f} s CPU,",
          f"{figures['weekly_events_per_s']:.0f} events a second of it")
    line = {"date": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()), "commit": commit(), "bench": "prequential",
            "quick": given.quick, "cores": os.cpu_count(), "processor": processor(),
            "load_after": round(os.getloadavg()[0], 2), "cpu": {name: round(value, 3) for name, value in figures.items()}}
    if given.compare:
        print_comparison(line, HISTORY)
    with open(HISTORY, "a", encoding="utf-8") as history:
        history.write(json.dumps(line) + "\n")



if __name__ == "__main__":
    main()
