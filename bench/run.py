#!/usr/bin/env python3
"""Runs the benchmarks of scripts/bench, which says what they are and builds what they need."""

import argparse
import hashlib
import json
import os
import platform
import re
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path

from compare import print_comparison

ROOT = Path(__file__).resolve().parent.parent
RECMETER = ROOT / "build/release/recmeter"
FLOOR = ROOT / "build/release/bench/recmeter_floor"
HISTORY = ROOT / "bench/history.ndjson"
CONFIGS = ROOT / "configs"

HEADLINE = "precision, hit_rate, mrr, map_list, ndcg_list, recall, distinct_items, catalog_coverage"

SAMPLE_SECONDS = 0.02  # between two looks at a process's memory


@dataclass
class Run:
    """One run of a program. Seconds; bytes."""

    wall: float
    cpu: float
    anon_peak: int  # RssAnon: what the program itself asked for, without the page cache and its own text


def generated(directory: Path, name: str, options: list[str]) -> Path:
    """The log of these options; made once, and again when the options change."""
    log, note = directory / f"{name}.jsonl", directory / f"{name}.options"
    said = " ".join(options)
    if log.exists() and note.exists() and note.read_text() == said:
        return log
    print(f"generating {log}: {said}", flush=True)
    note.unlink(missing_ok=True)
    subprocess.run([RECMETER, "generate", *options, "--quiet", "--output", log], check=True)
    note.write_text(said)
    return log


def warm(log: Path) -> None:
    """Into the page cache."""
    with open(log, "rb", buffering=0) as file:
        while file.read(1 << 22):
            pass


def sample_memory(pid: int, peak: list[int], done: threading.Event) -> None:
    status = Path(f"/proc/{pid}/status")
    while not done.is_set():
        try:
            found = re.search(r"^RssAnon:\s+(\d+) kB", status.read_text(), re.MULTILINE)
        except (FileNotFoundError, ProcessLookupError):
            return
        if found:
            peak[0] = max(peak[0], int(found.group(1)) * 1024)
        done.wait(SAMPLE_SECONDS)


def run(command: list) -> Run:
    with tempfile.TemporaryFile() as output:
        begin = time.monotonic()
        process = subprocess.Popen([str(part) for part in command], stdout=output, stderr=subprocess.STDOUT)
        peak, done = [0], threading.Event()
        sampler = threading.Thread(target=sample_memory, args=(process.pid, peak, done))
        sampler.start()
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.monotonic() - begin
        process.returncode = os.waitstatus_to_exitcode(status)
        done.set()
        sampler.join()
        if process.returncode != 0:
            output.seek(0)
            sys.exit(f"bench: exit code {process.returncode} of {' '.join(map(str, command))}\n"
                     + output.read().decode(errors="replace"))
    return Run(wall, usage.ru_utime + usage.ru_stime, peak[0])


class Replay:
    """`recmeter replay` of one log, its rows and report kept for a look."""

    def __init__(self, directory: Path, log: Path, config: Path, threads: int):
        self.rows = directory / f"{log.stem}-{config.stem}.rows"
        self.report_file = directory / f"{log.stem}-{config.stem}.report"
        self.command = [RECMETER, "replay", "--config", config, "--threads", str(threads), "--progress", "none", "--output",
                        self.rows, "--report", self.report_file, log]

    def run(self) -> Run:
        return run(self.command)

    def report(self) -> dict:
        return json.loads(self.report_file.read_text())

    def rows_hash(self) -> str:
        return hashlib.sha256(self.rows.read_bytes()).hexdigest()[:16]


def asked_as(metric: dict) -> str | None:
    """As a configuration names it; nothing where more than the log has to be there, or a window that does not slide."""
    needs = " ".join(metric["needs"])
    if metric["averaged"] == "a mean over users" or any(word in needs for word in ("off_policy", "lanes", "examination")):
        return None
    is_of_one = any(option["name"] == "action" and not option["default"] for option in metric["options"])
    return f"{{name: {metric['name']}, action: click}}" if is_of_one else metric["name"]


def every_metric(directory: Path) -> tuple[Path, Path]:
    """The configuration of the headline metrics, and the same with every metric there is. Both know a catalogue with
    attributes and the ratings, so that what differs is the metrics."""
    catalog = directory / "items.ndjson"
    if not catalog.exists():
        genres = ("jazz", "rock", "pop", "folk", "metal", "soul")
        with open(catalog, "w", encoding="utf-8") as file:
            for item in range(100_000):
                genre = [genres[item % 6], genres[item // 6 % 6]]
                file.write(json.dumps({"item_id": f"i{item:06}", "genre": genre, "label": f"l{item % 50}"}) + "\n")
    listed = json.loads(subprocess.run([RECMETER, "metrics", "--format", "json"], check=True, capture_output=True).stdout)
    bench = (CONFIGS / "bench.yaml").read_text()
    rest = (f"\ncatalog: {{file: {catalog}}}\njoin:\n  actions:\n    click: {{gain: 1}}\n    purchase: {{gain: 3}}\n"
            "    rating: {gain: 0}\n")
    names = {"headline": HEADLINE, "every": ", ".join(filter(None, map(asked_as, listed)))}
    paths = []
    for name, chosen in names.items():
        paths.append(directory / f"{name}.yaml")
        paths[-1].write_text(re.sub(r"names: \[.*\]", f"names: [{chosen}]", bench) + rest)
    return paths[0], paths[1]


def in_turn(rounds: int, **runners) -> dict[str, list[Run]]:
    """A B A B ..., so that what troubles the machine troubles all alike."""
    runs: dict[str, list[Run]] = {name: [] for name in runners}
    for _ in range(rounds):
        for name, runner in runners.items():
            made = runner()
            runs[name].append(made)
            print(f"  {name:<14} {made.wall:7.2f} s wall  {made.cpu:7.2f} s CPU  {made.anon_peak / 1e6:8.1f} MB RssAnon",
                  flush=True)
    return runs


def median(runs: list[Run], what: str) -> float:
    return statistics.median(getattr(made, what) for made in runs)


def ratio(runs: dict[str, list[Run]], above: str, below: str, what: str) -> float:
    """Of the medians; the runs of both were made in turn."""
    return median(runs[above], what) / median(runs[below], what)


def commit() -> str:
    def git(*words: str) -> str:
        return subprocess.run(["git", "-C", str(ROOT), *words], capture_output=True, text=True, check=False).stdout.strip()

    changed = git("status", "--porcelain", "--untracked-files=no", "--", ".", ":!bench/history.ndjson")
    return git("rev-parse", "--short=12", "HEAD") + ("+" if changed else "")


def processor() -> str:
    try:
        return re.search(r"^model name\s*:\s*(.+)$", Path("/proc/cpuinfo").read_text(), re.MULTILINE).group(1)
    except (OSError, AttributeError):
        return platform.machine()


def main() -> None:
    parser = argparse.ArgumentParser(prog="scripts/bench", description="What recmeter costs, beside a floor.")
    parser.add_argument("--compare", action="store_true",
                        help="say what changed since the last such run on this type of machine")
    parser.add_argument("--quick", action="store_true", help="a tenth of the events and three runs: is anything broken?")
    parser.add_argument("--dir", type=Path, help="where the logs are kept")
    parser.add_argument("--threads", type=int, default=min(2, os.cpu_count() or 1), help="of replay (default: 2)")
    parser.add_argument("--rounds", type=int, help="runs of each program (default: 5, quick: 3)")
    options = parser.parse_args()
    directory = options.dir or Path(tempfile.gettempdir()) / "recmeter-bench"
    if options.quick:
        directory /= "quick"
    directory.mkdir(parents=True, exist_ok=True)
    share = 10 if options.quick else 1
    rounds = options.rounds or (3 if options.quick else 5)

    # 1.3 events a list: 4 million events over 2 hours, and 5 times that over 5 times as long.
    def plain(lists: int, hours: str, *more: str) -> list[str]:
        return ["--plain", "--lists", str(lists // share), "--hours", hours, *more]

    log = generated(directory, "plain", plain(3_077_000, "2"))
    heavy_log = generated(directory, "heavy", plain(3_077_000, "2", "--heavy-user", "0.2"))
    long_log = generated(directory, "long", plain(15_385_000, "10"))
    # 5,000 events/s of event time, which are 3,846 lists/s; longer than the horizon, so that all panes it keeps open exist.
    minutes = 4 if options.quick else 40
    segments_log = generated(directory, "segments", ["--plain", "--lists", str(3_846 * 60 * minutes), "--hours",
                                                     f"{minutes / 60:.7f}", "--segment-values", "400"])

    threads = options.threads
    replay = Replay(directory, log, CONFIGS / "bench.yaml", threads)
    heavy = Replay(directory, heavy_log, CONFIGS / "bench.yaml", threads)
    figures: dict = {"threads": threads, "rounds": rounds, "load_before": round(os.getloadavg()[0], 2)}

    print(f"\nplain log, {log.stat().st_size / 1e6:.0f} MB; replay with {threads} threads", flush=True)
    for path in (log, heavy_log):
        warm(path)
    runs = in_turn(rounds, floor=lambda: run([FLOOR, log]), replay=replay.run, heavy_user=heavy.run)
    report = replay.report()
    figures |= {"events": report["events"]["read"], "rows": replay.rows_hash()}
    for name, made in runs.items():
        figures[name] = {"wall": round(median(made, "wall"), 3), "cpu": round(median(made, "cpu"), 3)}
    figures["ratio"] = {"wall": round(ratio(runs, "replay", "floor", "wall"), 2),
                        "cpu": round(ratio(runs, "replay", "floor", "cpu"), 2)}
    figures["heavy_ratio"] = {"wall": round(ratio(runs, "heavy_user", "replay", "wall"), 2),
                              "cpu": round(ratio(runs, "heavy_user", "replay", "cpu"), 2)}

    print("\nevery metric there is, beside the headline metrics; the log has scores and ratings", flush=True)
    rated_log = generated(directory, "rated", plain(1_000_000, "0.65", "--ratings", "0.3"))
    warm(rated_log)
    headline, every = (Replay(directory, rated_log, config, threads) for config in every_metric(directory))
    costs = in_turn(rounds, headline=headline.run, every_metric=every.run)
    for name, made in costs.items():
        figures[name] = {"wall": round(median(made, "wall"), 3), "cpu": round(median(made, "cpu"), 3)}
    figures["every_ratio"] = {"wall": round(ratio(costs, "every_metric", "headline", "wall"), 2),
                              "cpu": round(ratio(costs, "every_metric", "headline", "cpu"), 2)}

    print("\nmemory: the same rate five times as long", flush=True)
    long_run = in_turn(1, long=Replay(directory, long_log, CONFIGS / "bench.yaml", threads).run)["long"][0]
    short_peak = max(made.anon_peak for made in runs["replay"])
    figures["memory"] = {"short": short_peak, "long": long_run.anon_peak, "ratio": round(long_run.anon_peak / short_peak, 2),
                         "long_wall": round(long_run.wall, 2), "long_cpu": round(long_run.cpu, 2)}

    print("\nwindow sums: 400 segment values, default metrics", flush=True)
    segments = Replay(directory, segments_log, CONFIGS / "bench-segments.yaml", threads)
    segments_run = in_turn(1, segments=segments.run)["segments"][0]
    figures["segments"] = {"sums_bytes_max": segments.report().get("sums_bytes_max"),
                           "exposure_bytes_max": segments.report().get("exposure_bytes_max"),
                           "anon_peak": segments_run.anon_peak,
                           "wall": round(segments_run.wall, 2), "cpu": round(segments_run.cpu, 2)}

    print("\nmedians                       wall       CPU")
    for name in ("floor", "replay"):
        print(f"  {name:<20} {figures[name]['wall']:8.2f} s {figures[name]['cpu']:7.2f} s")
    for name, key, wanted in (("replay : floor", "ratio", "4"), ("heavy user : plain", "heavy_ratio", "1.2"),
                              ("every : headline", "every_ratio", "2")):
        print(f"  {name:<20} {figures[key]['wall']:8.2f}   {figures[key]['cpu']:7.2f}    wanted: wall times at most {wanted}")
    print(f"  {'events a second':<20} {figures['events'] / figures['replay']['wall'] / 1e6:8.2f} million")
    print(f"  {'memory, long : short':<20} {figures['memory']['ratio']:8.2f}              wanted: at most 1.3;"
          f" {short_peak / 1e6:.0f} MB, {long_run.anon_peak / 1e6:.0f} MB")
    print(f"  {'window sums':<20} {(figures['segments']['sums_bytes_max'] or 0) / 1e6:8.1f} MB           wanted: below 150")

    line = {"date": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()), "commit": commit(), "quick": options.quick,
            "cores": os.cpu_count(), "processor": processor(), **figures}
    if options.compare:
        print_comparison(line, HISTORY)
    with open(HISTORY, "a", encoding="utf-8") as history:
        history.write(json.dumps(line) + "\n")


if __name__ == "__main__":
    main()
