#!/usr/bin/env python3
"""What a log in parts costs beside one replay of it: scripts/bench --parts. Every process has one thread. With --topics the
log is two topics keyed by user, on a broker beside it, and parts read some partitions each (docs/scale.md)."""

import argparse
import filecmp
import json
import os
import resource
import subprocess
import tempfile
import time
from pathlib import Path

from compare import print_comparison
from live import Broker
from run import CONFIGS, HISTORY, RECMETER, ROOT, commit, generated, processor, warm

FILES = 16
PARTS = 4
PARTITIONS = 8  # of a topic


def cpu_of(*words) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([RECMETER, *map(str, words)], check=True, stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def in_files(log: Path, directory: Path) -> list[Path]:
    """Each in time."""
    names = [directory / f"{number:02}.jsonl" for number in range(FILES)]
    files = [open(name, "wb") for name in names]
    with open(log, "rb") as lines:
        for number, line in enumerate(lines):
            files[number % FILES].write(line)
    for file in files:
        file.close()
    return names


def is_of(line: bytes, part: int) -> bool:
    slot = line[: line.index(b"\t")]
    return slot == b"-" or int(slot) % PARTS == part


def shuffle(files: list[Path], to: Path) -> list[Path]:
    """The lines of each part, as the engine would; on the disk before a part begins, as it is the engine's time."""
    shuffled = [to / f"{part}.lines" for part in range(PARTS)]
    for part, name in enumerate(shuffled):
        with open(name, "wb") as lines:
            for file in files:
                with open(file.with_suffix(".tsv"), "rb") as of_file:
                    lines.writelines(line for line in of_file if is_of(line, part))
    os.sync()
    return shuffled


def measured(files: list[Path], config: Path, to: Path) -> dict:
    one = ["--threads", 1, "--config", config]
    quiet = ["--progress", "none"]
    replay = cpu_of("replay", *one, *quiet, "--output", to / "whole.jsonl", *files)
    read = sum(cpu_of("replay", *one, *quiet, "--part", f"{part}/{PARTS}", "--partials", to / f"{part}.rmp", *files)
               for part in range(PARTS))
    merge = cpu_of("merge", "--threads", 1, "--output", to / "rows.jsonl", *(to / f"{part}.rmp" for part in range(PARTS)))
    assert filecmp.cmp(to / "whole.jsonl", to / "rows.jsonl", shallow=False), "merged rows are not those of one run"
    size = sum((to / f"{part}.rmp").stat().st_size for part in range(PARTS))
    stamps = sum(cpu_of("stamp", *one, "--output", file.with_suffix(".tsv"), file) for file in files)
    shuffled = shuffle(files, to)
    stamped = sum(cpu_of("replay", *one, *quiet, "--part", f"{part}/{PARTS}", "--partials", to / "s.rmp", "--stamped", lines)
                  for part, lines in enumerate(shuffled))
    return {"replay": replay, "stamps": stamps, "parts_of_stamped": stamped, "parts_that_read_all": read, "merge": merge,
            "partials_bytes": size}


def wall_of(*commands: list) -> float:
    """Of all at once."""
    began = time.monotonic()
    running = [subprocess.Popen([RECMETER, *map(str, command)], stderr=subprocess.DEVNULL) for command in commands]
    assert all(process.wait() == 0 for process in running), "a run failed"
    return time.monotonic() - began


def measured_of_topics(broker: Broker, traffic: list[str], to: Path) -> dict:
    print(f"filling topics: {' '.join(traffic)}", flush=True)
    topics = ["--impressions-topic", "shown", "--feedback-topic", "acted", "--partitions", str(PARTITIONS)]
    subprocess.run([RECMETER, "generate", "--quiet", *traffic, "--brokers", broker.bootstrap, *topics], check=True)
    config, ends = to / "topics.yaml", to / "ends"
    config.write_text((CONFIGS / "bench-parts.yaml").read_text() +
                      f'inputs: [{{topic: shown}}, {{topic: acted}}]\nkafka: {{brokers: "{broker.bootstrap}"}}\n')
    cpu_of("replay", "--config", config, "--pin", ends)
    reading = ["--config", config, "--ends", ends, "--progress", "none"]

    def part(number: int, count: int) -> list:
        share = ["--partitions", f"{number}/{count}", "--partials", to / f"{number}.rmp"]
        return ["replay", "--threads", 1, *reading, *share]

    figures = {"replay": cpu_of("replay", "--threads", 1, *reading, "--output", to / "whole.jsonl")}
    for count in (2, PARTS):
        figures[f"{count}_parts"] = sum(cpu_of(*part(number, count)) for number in range(count))
        partials = [to / f"{number}.rmp" for number in range(count)]
        figures[f"merge_of_{count}"] = cpu_of("merge", "--threads", 1, "--output", to / "rows.jsonl", *partials)
        assert filecmp.cmp(to / "whole.jsonl", to / "rows.jsonl", shallow=False), "merged rows are not those of one run"
        figures[f"{count}_partials_bytes"] = sum(partial.stat().st_size for partial in partials)
    figures["wall_of_2_threads"] = wall_of(["replay", "--threads", 2, *reading, "--output", to / "whole.jsonl"])
    figures["wall_of_2_parts"] = wall_of(part(0, 2), part(1, 2))
    return figures


def main() -> None:
    parser = argparse.ArgumentParser(prog="scripts/bench --parts", description=__doc__)
    parser.add_argument("--compare", action="store_true")
    parser.add_argument("--quick", action="store_true", help="a tenth of the events")
    parser.add_argument("--topics", action="store_true", help="parts by partitions of topics")
    parser.add_argument("--dir", type=Path, help="where the log is kept")
    options = parser.parse_args()
    directory = options.dir or Path(tempfile.gettempdir()) / "recmeter-bench"
    directory.mkdir(parents=True, exist_ok=True)
    lists = 270_000 if options.quick else 2_700_000
    traffic = ["--lists", str(lists), "--users", "200000", "--seed", "7", "--disorder", "5s"]
    with tempfile.TemporaryDirectory(prefix="recmeter-parts.", dir=directory) as folder:
        if options.topics:
            broker = Broker(Path(folder))
            try:
                figures = measured_of_topics(broker, traffic, Path(folder))
            finally:
                subprocess.run([ROOT / "scripts/kafka", "down", "--data", broker.data], check=True)
        else:
            files = in_files(generated(directory, f"parts-{lists}", traffic), Path(folder))
            for file in files:
                warm(file)
            figures = measured(files, CONFIGS / "bench-parts.yaml", Path(folder))
    for name, seconds in figures.items():
        share = f"{seconds:.2f} s {'wall' if 'wall' in name else 'CPU'}, {seconds / figures['replay']:.2f} of replay"
        print(f"{name:<20}", f"{seconds / 1e6:.1f} MB" if name.endswith("bytes") else share)
    line = {"date": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()), "commit": commit(),
            "bench": "parts_of_topics" if options.topics else "parts", "quick": options.quick, "cores": os.cpu_count(),
            "processor": processor(), "files": 0 if options.topics else FILES, "parts": PARTS,
            "load_after": round(os.getloadavg()[0], 2), "cpu": {name: round(value, 3) for name, value in figures.items()}}
    if options.compare:
        print_comparison(line, HISTORY)
    with open(HISTORY, "a", encoding="utf-8") as history:
        history.write(json.dumps(line) + "\n")


if __name__ == "__main__":
    main()
