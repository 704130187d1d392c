#!/usr/bin/env python3
"""What `recmeter attach` costs and what bounds it, on a broker of its own; `scripts/bench --live` says more and builds."""

import argparse
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse
import urllib.request
from pathlib import Path

from compare import print_comparison
from run import CONFIGS, HISTORY, RECMETER, ROOT, Run, commit, in_turn, median, processor, run

BARE = ROOT / "build/release/bench/recmeter_bare_consumer"
PARTS = ("cost", "flat", "cold", "writes", "archive", "memory", "watched", "latency", "clients", "page", "restart")
HOUR_MS = 3_600_000
HORIZON_MS = 1_800_000


class Broker:
    """A broker, and the topics that were filled: `NAME`, keyed by user, with 4 partitions."""

    def __init__(self, directory: Path):
        self.data = directory / "broker"
        said = subprocess.run([ROOT / "scripts/kafka", "up", "--data", self.data, "--owner", str(os.getpid())], check=True,
                              capture_output=True, text=True).stdout
        self.bootstrap = dict(line.split("=", 1) for line in said.splitlines())["bootstrap"]

    def generate(self, topic: str, *options: str) -> list:
        return [RECMETER, "generate", "--quiet", "--plain", *options, "--brokers", self.bootstrap, "--topic", topic,
                "--partitions", "4"]

    def fill(self, topic: str, *options: str) -> None:
        print(f"filling topic {topic}: {' '.join(options)}", flush=True)
        subprocess.run(self.generate(topic, *options), check=True)


class Place:
    """Where an attach keeps what it has: a configuration, a state, a file of rows."""

    def __init__(self, directory: Path, name: str, broker: Broker, base: str, more: str = ""):
        self.folder = directory / name
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir()
        self.config, self.rows, self.database = (self.folder / part for part in ("live.yaml", "rows.jsonl", "state/db"))
        self.report = self.folder / "report.json"
        self.config.write_text((CONFIGS / base).read_text() + f"""
inputs: [{{topic: {name}}}]
kafka: {{brokers: "{broker.bootstrap}"}}
state: {{dir: {self.folder}/state}}
publish: {{file: {{path: {self.rows}}}, http: {{listen: off}}}}
{more}
""")

    def listen(self) -> int:
        """From its next start on it answers at this port."""
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        listening = f'http: {{listen: "127.0.0.1:{port}"}}'
        self.config.write_text(self.config.read_text().replace("http: {listen: off}", listening))
        return port

    def attach(self, threads: int) -> subprocess.Popen:
        said = open(self.folder / "said", "ab")
        return subprocess.Popen([RECMETER, "attach", "--config", self.config, "--threads", str(threads), "--report",
                                 self.report], stdout=said, stderr=said)

    def row_count(self) -> int:
        # The file is a new one each day of the rows.
        files = list(self.folder.glob(self.rows.stem + "*" + self.rows.suffix))
        if not files:
            return 0
        counted = subprocess.run(["wc", "-l", *files], check=True, capture_output=True, text=True).stdout
        return int(counted.splitlines()[-1].split()[0])  # their total, if they are several

    def row_bytes(self) -> int:
        return sum(size for name, size in file_sizes(self.folder).items() if name.startswith(self.rows.stem))

    def last_row(self) -> dict | None:
        try:
            with open(self.rows, "rb") as file:
                file.seek(max(0, os.path.getsize(self.rows) - 100_000))
                lines = file.read().split(b"\n")
            return json.loads(lines[-2])
        except (OSError, IndexError, ValueError):
            return None

    def state_bytes(self) -> int:
        return sum(file_sizes(self.database).values())

    def forget(self) -> None:
        shutil.rmtree(self.database.parent, ignore_errors=True)
        for rows in self.folder.glob(self.rows.stem + "*" + self.rows.suffix):
            rows.unlink()


def file_sizes(folder: Path) -> dict[str, int]:
    """By name; a database drops files while one looks."""
    sizes = {}
    try:
        for path in folder.iterdir():
            try:
                sizes[path.name] = path.stat().st_size
            except FileNotFoundError:
                continue
    except FileNotFoundError:
        pass
    return sizes


def anonymous_memory(pid: int) -> int:
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("RssAnon:"):
            return int(line.split()[1]) * 1024
    return 0


def resident_memory(pid: int) -> int:
    """Pages of files among them."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) * 1024
    return 0


def cpu_seconds(pid: int) -> float:
    """Of all threads so far."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def end(process: subprocess.Popen, place: Place) -> Run:
    process.send_signal(signal.SIGTERM)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"bench: attach ended with {process.returncode}\n" + (place.folder / "said").read_text())
    return Run(0, usage.ru_utime + usage.ru_stime, 0)


def check_runs(process: subprocess.Popen, place: Place) -> None:
    if process.poll() is not None:
        sys.exit(f"bench: attach ended with {process.returncode}\n" + (place.folder / "said").read_text())


def cost(directory: Path, broker: Broker, options: argparse.Namespace) -> dict:
    """CPU time of all threads: a bare consumer, replay and attach of the same topic, replay of its log as a file."""
    lists = 3_077_000 // options.share
    log = ["--lists", str(lists), "--hours", f"{2 / options.share:.6f}"]
    broker.fill("cost", *log, "--end-marks", "2d")
    place = Place(directory, "cost", broker, "bench.yaml")
    file_log = directory / "cost.jsonl"
    subprocess.run([RECMETER, "generate", "--quiet", "--plain", *log, "--output", file_log], check=True)
    file_log.read_bytes()  # into the page cache

    def replay(*source) -> Run:
        return run([RECMETER, "replay", "--threads", str(options.threads), "--progress", "none", "--format", "jsonl",
                    "--output", directory / "replay.rows", "--report", directory / "replay.report", *source])

    replay("--config", place.config)
    wanted = (directory / "replay.rows").read_bytes().count(b"\n")
    events = json.loads((directory / "replay.report").read_text())["events"]["read"]

    def attach() -> Run:
        place.forget()
        begin = time.monotonic()
        process = place.attach(options.threads)
        peak = 0
        while place.row_count() < wanted:
            check_runs(process, place)
            peak = max(peak, anonymous_memory(process.pid))
            time.sleep(0.05)
        wall = time.monotonic() - begin
        return Run(wall, end(process, place).cpu, peak)

    runs = in_turn(options.rounds, bare_consumer=lambda: run([BARE, broker.bootstrap, "cost"]),
                   replay_file=lambda: replay("--config", CONFIGS / "bench.yaml", file_log),
                   replay_topic=lambda: replay("--config", place.config), attach=attach)
    if place.rows.read_bytes() != (directory / "replay.rows").read_bytes():
        sys.exit("bench: attach gave other rows than replay of its topic")
    file_log.unlink()
    per_event = {name: round(median(made, "cpu") / events * 1e6, 3) for name, made in runs.items()}
    bare = per_event["bare_consumer"]
    allowed = {source: round(bare + 1.5 * per_event[source], 3) for source in ("replay_file", "replay_topic")}
    print(f"CPU microseconds an event: {per_event}\nattach {per_event['attach']}, wanted at most bare consumer + 1.5 replay: "
          f"{allowed['replay_topic']} by replay of the topic, {allowed['replay_file']} by replay of its log as a file",
          flush=True)
    return {"events": events, "cpu_us_per_event": per_event, "allowed": allowed,
            "wall": {name: round(median(made, "wall"), 2) for name, made in runs.items()}}


def flat(directory: Path, broker: Broker, options: argparse.Namespace) -> dict:
    """State and memory over event time, at a constant rate: 10 million events in 10 hours, horizon 30 minutes."""
    broker.fill("flat", "--lists", str(7_692_000 // options.share), "--hours", "10", "--end-marks", "2d")
    place = Place(directory, "flat", broker, "bench.yaml")
    process = place.attach(options.threads)
    samples = []  # hour of event time, RssAnon, bytes of the state
    while True:
        check_runs(process, place)
        row = place.last_row()
        if row:
            start = 1_699_920_000_000  # of a generated log
            hour = (row["end"] + HORIZON_MS - start) / HOUR_MS
            samples.append((hour, anonymous_memory(process.pid), place.state_bytes()))
            if row["end"] - start >= 10.9 * HOUR_MS:
                break
        time.sleep(0.05)
    end(process, place)

    def most(what: int, first: float, last: float) -> int:
        return max((sample[what] for sample in samples if first <= sample[0] < last), default=0)

    hours = [[hour, most(1, hour, hour + 1), most(2, hour, hour + 1)] for hour in range(1, 10)]
    print("hour of event time, most RssAnon and most state in it, MB:")
    for hour, memory, state in hours:
        print(f"  {hour:2d} {memory / 1e6:8.1f} {state / 1e6:8.1f}")
    early, late = (most(1, 1, 4), most(2, 1, 4)), (most(1, 7, 10), most(2, 7, 10))
    ratios = {"memory": round(late[0] / early[0], 3), "state": round(late[1] / early[1], 3)}
    print(f"hours 7 to 10 against hours 1 to 4: {ratios}", flush=True)
    return {"samples": len(samples), "hours": hours, "late_to_early": ratios}


def cold(directory: Path, broker: Broker, options: argparse.Namespace) -> dict:
    """A horizon of 24 hours with little memory and with much: the same rows, and what was in memory."""
    hours = 10 / options.share
    broker.fill("cold", "--lists", str(7_692_000 // options.share), "--hours", f"{hours:.6f}", "--end-marks", "2d")
    horizon = "join: {horizons: [24h]}"
    figures: dict = {}
    rows = {}
    for memory in ("64MiB", "16GiB"):
        place = Place(directory, "cold", broker, "bench.yaml", horizon)
        place.config.write_text(place.config.read_text().replace("state: {", f"state: {{memory: {memory}, "))
        if not rows:
            run([RECMETER, "replay", "--threads", str(options.threads), "--progress", "none", "--format", "jsonl", "--output",
                 directory / "cold.rows", "--report", directory / "cold.report", "--config", place.config])
            rows["replay"] = (directory / "cold.rows").read_bytes()
        begin = time.monotonic()
        process = place.attach(options.threads)
        resident = anonymous = 0
        while place.row_count() < rows["replay"].count(b"\n"):
            check_runs(process, place)
            resident = max(resident, resident_memory(process.pid))
            anonymous = max(anonymous, anonymous_memory(process.pid))
            time.sleep(0.1)
        wall = time.monotonic() - begin
        cpu = end(process, place).cpu
        rows[memory] = place.rows.read_bytes()
        if rows[memory] != rows["replay"]:
            sys.exit(f"bench: attach with {memory} gave other rows than replay")
        figures[memory] = {"resident_mb": round(resident / 1e6, 1), "anonymous_mb": round(anonymous / 1e6, 1),
                           "wall": round(wall, 1), "cpu": round(cpu, 1)}
        place.forget()
    figures["events"] = json.loads((directory / "cold.report").read_text())["events"]["read"]
    print(f"the same {rows['replay'].count(bytes(chr(10), 'ascii'))} rows: {figures}", flush=True)
    return figures


def consume(broker: Broker, topic: str) -> list[tuple[int, dict]]:
    """Broker time (ms) and value of every record there is."""
    said = subprocess.run(["kcat", "-C", "-q", "-e", "-o", "beginning", "-b", broker.bootstrap, "-t", topic, "-f",
                           "%T %s\\n"], check=True, capture_output=True, text=True).stdout
    records = []
    for line in said.splitlines():
        broker_time, _, value = line.partition(" ")
        records.append((int(broker_time), json.loads(value)))
    return records


def latency(directory: Path, broker: Broker, options: argparse.Namespace) -> dict:
    """From a list's record in its topic to the first row that counts it, while as many come as are wanted a second."""
    seconds, rate, every_ms = (30 if options.quick else 150), options.event_rate, 1000
    place = Place(directory, "latency", broker, "bench.yaml")
    place.config.write_text(place.config.read_text().replace(
        "publish: {file: {path: " + str(place.rows) + "},", "publish: {every: 1s, kafka: {topic: latency-rows},"))
    for topic in ("latency", "latency-rows"):  # so that they are there
        broker.fill(topic, "--lists", "1", "--hours", "0.001", "--start", "2023-11-14T00:00:00Z")
    process = place.attach(options.threads)
    time.sleep(3)
    start = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    producer = subprocess.Popen(broker.generate("latency", "--lists", str(int(rate / 1.3 * seconds)), "--hours",
                                                f"{seconds / 3600:.6f}", "--rate", str(rate), "--start", start,
                                                "--longest-delay", "20m"))  # brokers refuse what is an hour ahead
    while producer.poll() is None:
        check_runs(process, place)
        time.sleep(0.01)
    ended = time.time() * 1000
    time.sleep(3 * every_ms / 1000)
    end(process, place)
    shown: dict[int, list[tuple[int, int]]] = {}  # start of a minute -> broker time of its rows, and their lists
    for at, row in consume(broker, "latency-rows"):
        if row.get("window") == "minute" and not row["segment"]:
            shown.setdefault(row["start"], []).append((at, row["lists"]))
    # A record's own time is the event's; it was sent, one after the other at the rate, so long before the last one.
    newest = (event for _, event in consume(broker, "latency") if event["ts"] > ended - HOUR_MS)
    events = sorted((event["ts"], event["type"]) for event in newest)
    arrived: dict[int, list[tuple[int, float]]] = {}
    for number, (ts, kind) in enumerate(events):
        if kind == "impression":
            arrived.setdefault(ts // 60_000 * 60_000, []).append((ts, ended - (len(events) - number) / rate * 1000))
    waits = []
    for minute, rows in shown.items():
        lists = sorted(arrived.get(minute, []))
        counted = 0
        for at, number in sorted(rows):
            waits += [at - lists[i][1] for i in range(counted, min(number, len(lists)))]
            counted = max(counted, number)
    waits.sort()
    figures = {"rate": rate, "lists": len(waits), "every_ms": every_ms,
               **{f"p{share}": round(waits[len(waits) * share // 100]) for share in (50, 90, 99)}, "max": round(waits[-1])}
    print(f"ms from a record to a row that counts it: {figures}; wanted: p99 at most {1000 + every_ms}", flush=True)
    return figures


def thread_clocks(pid: int) -> dict[str, float]:
    """CPU seconds by thread: those that serve HTTP, and all others."""
    clocks = {"http": 0.0, "ingest": 0.0}
    for task in Path(f"/proc/{pid}/task").iterdir():
        name = (task / "comm").read_text().strip()
        clocks["http" if name == "http" else "ingest"] += int((task / "schedstat").read_text().split()[0]) / 1e9
    return clocks


def sockets(pid: int) -> int:
    """Its open ones; what a store opens beside them comes and goes."""
    number = 0
    for descriptor in Path(f"/proc/{pid}/fd").iterdir():
        try:
            number += os.readlink(descriptor).startswith("socket:")
        except OSError:  # closed meanwhile
            pass
    return number


def clients(directory: Path, broker: Broker, options: argparse.Namespace) -> dict:
    """CPU time of the threads that evaluate, an event, alone and with a crowd of clients (bench/crowd.py)."""
    seconds, rate = (20 if options.quick else 40), 20_000
    figures: dict[str, list] = {"alone": [], "crowd": []}
    for turn in range(2 * options.rounds):
        name = "alone" if turn % 2 == 0 else "crowd"
        topic = f"clients-{turn}"
        place = Place(directory, topic, broker, "bench.yaml")
        port = place.listen()
        broker.fill(topic, "--lists", "1", "--hours", "0.001")
        process = place.attach(options.threads)
        time.sleep(2)
        before = sockets(process.pid)
        crowd = None
        if name == "crowd":
            said = open(place.folder / "crowd", "wb")
            crowd = subprocess.Popen([sys.executable, ROOT / "bench/crowd.py", "127.0.0.1", str(port)], stdout=said)
        start = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        producer = subprocess.Popen(broker.generate(topic, "--lists", str(int(rate / 1.3 * seconds)), "--hours",
                                                    f"{seconds / 3600:.6f}", "--rate", str(rate), "--start", start))
        memory = 0
        while producer.poll() is None:
            check_runs(process, place)
            memory = max(memory, anonymous_memory(process.pid))
            time.sleep(0.2)
        time.sleep(2)
        clocks = thread_clocks(process.pid)
        made = {"http": round(clocks["http"], 3), "memory": memory, "sockets": before}
        if crowd:
            made |= json.loads((place.folder / "crowd").read_text().splitlines()[-1])
            made["sockets_with"] = sockets(process.pid)
            crowd.kill()
            crowd.wait()
            time.sleep(3)
            made["sockets_after"] = sockets(process.pid)
        end(process, place)
        events = json.loads(place.report.read_text())["events"]["read"]
        made["cpu_us_per_event"] = round(clocks["ingest"] / events * 1e6, 3)
        print(f"  {name:6s} {made}", flush=True)
        figures[name].append(made)

    def middle(name: str, what: str) -> float:
        return sorted(made[what] for made in figures[name])[options.rounds // 2]

    result = {"ratio": round(middle("crowd", "cpu_us_per_event") / middle("alone", "cpu_us_per_event"), 4),
              "memory_mb": round((middle("crowd", "memory") - middle("alone", "memory")) / 1e6, 1), **figures}
    print(f"with a crowd {result['ratio']} of the CPU time an event, {result['memory_mb']} MB more; wanted: at most 1.03, 67")
    return result


def ask(port: int, path: str) -> tuple[float, int, str]:
    """Milliseconds, bytes, and what was answered."""
    begin = time.monotonic()
    with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=30) as answer:
        body = answer.read()
    return (time.monotonic() - begin) * 1000, len(body), body.decode()


def many_metrics(place: Place) -> int:
    """Twelve metrics at three cutoffs; where it listens."""
    names = "[precision, hit_rate, mrr, map_list, ndcg_list, recall, f1, fbeta, gmap, hmap, qmap, distinct_items]"
    place.config.write_text(place.config.read_text().replace("cutoffs: [10]", "cutoffs: [5, 10, 20]").replace(
        "[precision, mrr, ndcg_list, distinct_items]", names))
    return place.listen()


def page(directory: Path, broker: Broker, options: argparse.Namespace) -> dict:
    """What a page asks for when it opens, of a day of minutes of ten segments; and a scrape at the cap of series."""
    place = Place(directory, "page", broker, "bench.yaml")
    port = many_metrics(place)
    broker.fill("page", "--lists", str(1_000_000 // options.share), "--hours", "24", "--segment-values", "10", "--end-marks",
                "2d")
    process = place.attach(options.threads)
    quiet, last = 0, 0
    while quiet < 30:
        check_runs(process, place)
        size = place.row_count()
        quiet, last = (quiet + 1 if size == last and size > 1000 else 0), size
        time.sleep(0.1)
    values = [value for of in json.loads(ask(port, "/api/v1/status")[2])["evaluator"]["segments"] for value in of["values"]]
    series = []
    for segment in [{}] + values:
        text = ",".join(f"{key}:{value}" for key, value in segment.items())
        query = urllib.parse.urlencode({"window": "minute", "metric": "precision@10", "segment": text})
        series.append(ask(port, "/api/v1/series?" + query))
    end(process, place)
    figures = {"series": len(series), "points": sum(len(json.loads(one[2])["columns"]["start"]) for one in series),
               "series_ms": round(sum(one[0] for one in series), 1), "series_bytes": sum(one[1] for one in series),
               **scrape(directory, broker, options)}
    print(f"{figures}; wanted: a page within 1000 ms and 2 MB, a scrape within 100 ms", flush=True)
    return figures


def scrape(directory: Path, broker: Broker, options: argparse.Namespace) -> dict:
    """Of a log that has not ended, with more series than are handed out."""
    place = Place(directory, "scrape", broker, "bench.yaml", "limits: {segment_values: 100}")
    port = many_metrics(place)
    broker.fill("scrape", "--lists", "200000", "--hours", "2", "--segment-values", "100")
    process = place.attach(options.threads)
    deadline = time.monotonic() + 120

    def left_out() -> int:
        found = re.search(r"^recmeter_series_capped (\d+)", ask(port, "/metrics")[2], re.M)
        return int(found[1]) if found else 0

    while not is_ready(port) or left_out() == 0:
        check_runs(process, place)
        if time.monotonic() > deadline:
            sys.exit("bench: a scrape does not come to its cap of series")
        time.sleep(0.2)
    scrapes = sorted(ask(port, "/metrics")[:2] for _ in range(20))
    figures = {"scrape_ms": round(scrapes[10][0], 1), "scrape_ms_max": round(scrapes[-1][0], 1),
               "scrape_bytes": scrapes[10][1], "left_out_of_scrape": left_out()}
    end(process, place)
    return figures


class LogGrowth:
    """Bytes that RocksDB has put into its write-ahead logs, files that are gone included."""

    def __init__(self, database: Path):
        self.database, self.sizes = database, {}

    def bytes(self) -> int:
        for name, size in file_sizes(self.database).items():
            if name.endswith(".log"):
                self.sizes[name] = max(self.sizes.get(name, 0), size)
        return sum(self.sizes.values())


def writes(directory: Path, broker: Broker, options: argparse.Namespace) -> dict:
    """What checkpoints write with 400 values of a segment at 5,000 events/s, before compaction."""
    seconds = 60 if options.quick else 300
    # So that windows become final while it is measured.
    place = Place(directory, "writes", broker, "bench-segments.yaml", "join: {horizons: [1m]}")
    producer = subprocess.Popen(broker.generate("writes", "--lists", str(3_846 * seconds), "--hours", f"{seconds / 3600:.6f}",
                                                "--segment-values", "400", "--rate", "5000"))
    time.sleep(2)  # the topic is there
    process = place.attach(options.threads)
    growth = LogGrowth(place.database)
    io = Path(f"/proc/{process.pid}/io")

    def written() -> int:
        return int(next(line for line in io.read_text().splitlines() if line.startswith("wchar")).split()[1])

    samples = []
    while producer.poll() is None:
        check_runs(process, place)
        samples.append((time.monotonic(), growth.bytes(), written()))
        time.sleep(0.1)
    end(process, place)
    begin = next(sample for sample in samples if sample[0] >= samples[0][0] + seconds / 3)
    over = samples[-1][0] - begin[0]
    figures = {"seconds": round(over, 1), "log_mb_per_s": round((samples[-1][1] - begin[1]) / over / 1e6, 3),
               "all_writes_mb_per_s": round((samples[-1][2] - begin[2]) / over / 1e6, 3), "rows": place.row_count(),
               "events": json.loads(place.report.read_text())["events"]["read"]}
    print(f"{figures}; wanted: at most 5 MB/s of the log", flush=True)
    return figures


def with_candidates(log: Path, lanes: int):
    """The lines of a generated log, each with its user, and after each list what as many recommenders would have shown."""
    with open(log, encoding="utf-8") as lines:
        for line in lines:
            event = json.loads(line)
            yield event["user_id"], line.rstrip("\n")
            if event["type"] != "impression":
                continue
            for lane in range(lanes):
                items = event["items"]
                turned = items[lane % len(items):] + items[:lane % len(items)]
                yield event["user_id"], json.dumps({"type": "candidate", "recommender": f"R{lane}", "ts": event["ts"],
                                                    "user_id": event["user_id"], "list_id": event["list_id"],
                                                    "items": turned}, separators=(",", ":"))


def fill_lanes(directory: Path, broker: Broker, topic: str, lanes: int, *options: str, rate: int = 0) -> None:
    """A topic of generated events and candidates; `rate`: records a second, 0: as many as the broker takes."""
    broker.fill(topic, "--lists", "1", "--hours", "0.001")  # so that it is there
    log = directory / f"{topic}.jsonl"
    subprocess.run([RECMETER, "generate", "--quiet", "--plain", *options, "--output", log], check=True)
    print(f"filling topic {topic}: {' '.join(options)}, candidates of {lanes} recommenders", flush=True)
    producer = subprocess.Popen(["kcat", "-P", "-b", broker.bootstrap, "-t", topic, "-K", "\t"], stdin=subprocess.PIPE,
                                text=True)
    begin = time.monotonic()
    for number, (user, event) in enumerate(with_candidates(log, lanes)):
        producer.stdin.write(f"{user}\t{event}\n")
        if rate and number % 200 == 0:
            producer.stdin.flush()
            time.sleep(max(0.0, begin + number / rate - time.monotonic()))
    producer.stdin.close()
    if producer.wait() != 0:
        sys.exit("bench: kcat cannot write candidates")
    log.unlink()
    if not rate:
        end_mark = json.dumps({"type": "tick", "ts": event_time(event) + 48 * HOUR_MS})
        for partition in range(4):
            subprocess.run(["kcat", "-P", "-b", broker.bootstrap, "-t", topic, "-p", str(partition)], input=end_mark + "\n",
                           text=True, check=True)


def event_time(event: str) -> int:
    return json.loads(event)["ts"]


def lanes_of(count: int) -> str:
    return f"lanes: {{names: [{', '.join(f'R{lane}' for lane in range(count))}], logged: shadow}}"


def without_windows(config: str, name: str) -> str:
    return re.sub(rf"^  - {{name: {name},.*}}\n", "", config, flags=re.M)


def archive(directory: Path, broker: Broker, options: argparse.Namespace) -> dict:
    """What a run writes into its state for each byte of its rows, which it keeps for queries, with HTTP off and on: rows of
    many segment values, and of many lanes. Of the journal's events the same is written without windows of a minute, which
    have nearly all rows: what is written more is of them."""
    hours = ["--hours", f"{24 / options.share:.6f}"]
    broker.fill("segments", "--lists", str(2_000_000 // options.share), *hours, "--segment-values", "100", "--end-marks",
                "2d")
    fill_lanes(directory, broker, "lanes", 20, "--lists", str(100_000 // options.share), *hours)
    figures: dict = {}
    for topic, more in (("segments", "limits: {segment_values: 100}"), ("lanes", lanes_of(20))):
        figures[topic] = {}

        def attach(http: str, has_minutes: bool) -> tuple[int, int]:
            """Bytes of rows, and of what is written beside their file."""
            place = Place(directory, topic, broker, "bench.yaml", more)
            if not has_minutes:
                place.config.write_text(without_windows(place.config.read_text(), "minute"))
            if http == "on":
                place.listen()
            process = place.attach(options.threads)
            quiet, last = 0, 0
            while quiet < 100:
                check_runs(process, place)
                size = place.row_bytes()
                quiet, last = (quiet + 1 if size == last and size > 0 else 0), size
                time.sleep(0.1)
            written = int(re.search(r"^write_bytes: (\d+)", Path(f"/proc/{process.pid}/io").read_text(), re.M)[1])
            end(process, place)
            place.forget()
            return last, written - last

        for http in ("off", "on"):
            (rows, written), (fewer, without) = attach(http, True), attach(http, False)
            figures[topic][http] = {"rows_mb": round(rows / 1e6, 1), "state_mb": round(written / 1e6, 1),
                                    "fewer_rows_mb": round(fewer / 1e6, 1), "state_without_mb": round(without / 1e6, 1),
                                    "of_a_byte_of_rows": round((written - without) / (rows - fewer), 2)}
            print(f"  {topic}, http {http}: {figures[topic][http]}; wanted: at most 3", flush=True)
    return figures


# Configuration beside bench.yaml, lists a second of event time, hours of it, how much faster it passes than the clock, lanes,
# options of the log.
MEMORY = {
    "few_segments": ("", 200, 1.7, 60, 0, ["--items", "10000"]),
    "many_items": ("", 200, 1.7, 60, 0, []),
    "many_segments": ("segments: [{keys: [variant], keep: [" + ", ".join(f"[v{n}]" for n in range(100)) + "]}]", 100, 1.7,
                      100, 0, ["--items", "10000", "--segment-values", "100"]),
    "lanes": ("join: {horizons: [5m]}\n" + lanes_of(10), 5, 1.2, 20, 10, ["--items", "10000"]),
    "long_windows": ("windows: [{name: day, size: 1d, slide: 1h}]", 4, 26, 500, 0, ["--items", "10000"]),
}


def memory(directory: Path, broker: Broker, options: argparse.Namespace) -> dict:
    """Most memory of a run that keeps up, beside what `validate --rate` says of its configuration."""
    figures = {}
    for name, (more, lists, hours, speed, lanes, log) in MEMORY.items():
        topic = name.replace("_", "-")
        lists = max(1, lists // options.share)
        log = ["--lists", str(int(lists * hours * 3600)), "--hours", str(hours), *log]
        place = Place(directory, topic, broker, "bench.yaml", "")
        written = place.config.read_text()
        for key in ("segments", "windows"):  # what `more` says in their place
            if more.startswith(key + ":"):
                written = re.sub(rf"^{key}:\n(  - .*\n)+", "", written, flags=re.M)
        # Little is fetched ahead, so that a moment in which it does not keep up hardly shows.
        place.config.write_text(written.replace("kafka: {", "kafka: {memory: 16MiB, ") + more + "\n")
        place.listen()
        told = json.loads(subprocess.run([RECMETER, "--json", "validate", place.config, "--rate", str(lists)], check=True,
                                         capture_output=True, text=True).stdout)["forecast"]
        broker.fill(topic, "--lists", "1", "--hours", "0.001")
        process = place.attach(options.threads)
        rate = int(lists * (1.3 + lanes) * speed)
        if lanes:
            filler = threading.Thread(target=fill_lanes, args=(directory, broker, topic, lanes, *log), kwargs={"rate": rate})
        else:
            filler = threading.Thread(target=broker.fill, args=(topic, *log, "--rate", str(rate)))
        filler.start()
        while filler.is_alive():
            check_runs(process, place)
            time.sleep(0.2)
        peak = int(re.search(r"^VmHWM:\s+(\d+)", Path(f"/proc/{process.pid}/status").read_text(), re.M)[1]) * 1024
        end(process, place)
        place.forget()
        figures[name] = {"lists_per_second": lists, "peak_mb": round(peak / 1e6, 1),
                         "forecast_mb": round(told["memory_bytes"] / 1e6, 1),
                         "forecast_to_peak": round(told["memory_bytes"] / peak, 2)}
        print(f"  {name}: {figures[name]}; wanted: 0.5 to 2", flush=True)
    return figures


class Client(threading.Thread):
    """Asks for /metrics each second, or holds the stream, until it is told to stop."""

    def __init__(self, port: int, path: str):
        super().__init__(daemon=True)
        self.url, self.is_over = f"http://127.0.0.1:{port}{path}", False
        self.answers, self.bytes, self.longest_ms = 0, 0, 0.0

    def run(self) -> None:
        while not self.is_over:
            begin = time.monotonic()
            try:
                with urllib.request.urlopen(self.url, timeout=60) as answer:
                    while chunk := answer.read1(1 << 16):
                        self.bytes += len(chunk)
                        if self.is_over:
                            return
                self.answers += 1
                self.longest_ms = max(self.longest_ms, (time.monotonic() - begin) * 1000)
            except OSError:
                pass
            time.sleep(1)


def watched(directory: Path, broker: Broker, options: argparse.Namespace) -> dict:
    """Time from the first row to the last and CPU time with HTTP on beside those with it off, with as many segment values as
    there are lists in a window. With --quick all rows come at once, so that CPU time alone says something."""
    figures = {}
    for values in (2_000, 20_000, 100_000):
        topic = f"watched-{values}"
        # So that windows become final all the time.
        broker.fill(topic, "--lists", str(400_000 // options.share), "--hours", f"{0.2 / options.share:.6f}",
                    "--segment-values", str(values), "--end-marks", "2d")
        more = f"join: {{horizons: [1m]}}\nlimits: {{segment_values: {values}}}"

        def place_of() -> Place:
            place = Place(directory, topic, broker, "bench.yaml", more)
            place.config.write_text(without_windows(place.config.read_text(), "hour"))
            return place

        rows = directory / "replay.rows"
        run([RECMETER, "replay", "--threads", str(options.threads), "--progress", "none", "--format", "jsonl", "--output",
             rows, "--report", directory / "replay.report", "--config", place_of().config])
        wanted = rows.stat().st_size

        def attach(path: str | None) -> Run:
            place = place_of()
            port = place.listen() if path is not None else 0
            process = place.attach(options.threads)
            begin = changed = time.monotonic()
            client = Client(port, path) if path else None
            if client:
                client.start()
            last = 0
            while last < wanted:
                check_runs(process, place)
                size = place.row_bytes()
                if size != last:
                    changed = time.monotonic()
                    begin = begin if last else changed  # before its first row it joins the group
                    last = size
                time.sleep(0.02)
            peak = anonymous_memory(process.pid)
            if client:
                client.is_over = True
            return Run(changed - begin, end(process, place).cpu, peak)

        runs = in_turn(options.rounds, off=lambda: attach(None), on=lambda: attach(""), polled=lambda: attach("/metrics"),
                       streamed=lambda: attach("/api/v1/stream"))
        wall = {name: median(made, "wall") for name, made in runs.items()}
        figures[values] = {"wall": {name: round(one, 2) for name, one in wall.items()},
                           "cpu": {name: round(median(made, "cpu"), 2) for name, made in runs.items()},
                           "rate_to_off": {name: round(wall["off"] / one, 3) for name, one in wall.items() if name != "off"},
                           "cpu_of_off": {name: round(median(runs["off"], "cpu") / median(made, "cpu"), 3)
                                          for name, made in runs.items() if name != "off"}}
        print(f"  {values} values: {figures[values]}; wanted: at least 0.5", flush=True)
    return figures


def is_ready(port: int) -> bool:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/readyz", timeout=30) as answer:
            return answer.status == 200
    except OSError:  # 503 among them
        return False


def restart(directory: Path, broker: Broker, options: argparse.Namespace) -> dict:
    """From the start of the process to its first checkpoint with something newly read, and to where its state has been
    read again and it is ready; with a GiB of state (quick: 0.1)."""
    wanted = (1 << 30) // options.share
    hours = 20
    broker.fill("restart", "--lists", str(options.restart_lists // options.share), "--hours", str(hours))
    place = Place(directory, "restart", broker, "bench.yaml", "join: {horizons: [24h]}")
    port = place.listen()
    process = place.attach(options.threads)
    quiet, last = 0, 0
    while quiet < 30:  # until there has been nothing to write for three seconds
        check_runs(process, place)
        size = place.state_bytes()
        quiet, last = (quiet + 1 if size == last and size > wanted // 20 else 0), size
        time.sleep(0.1)
    process.kill()
    process.wait()
    size = place.state_bytes()
    broker.fill("restart", "--lists", "10000", "--hours", "0.1", "--start", "2023-11-14T20:00:00Z")
    took, cpu, ready = [], [], []
    for _ in range(3):
        known = file_sizes(place.database)
        begin = time.monotonic()
        process = place.attach(options.threads)
        # Until the log that this process has begun is written to.
        while not any(size > 0 and name.endswith(".log") and name not in known
                      for name, size in file_sizes(place.database).items()):
            check_runs(process, place)
            time.sleep(0.01)
        took.append(round(time.monotonic() - begin, 2))
        while not is_ready(port):
            check_runs(process, place)
            time.sleep(0.05)
        ready.append(round(time.monotonic() - begin, 2))
        cpu.append(round(cpu_seconds(process.pid), 2))
        memory = anonymous_memory(process.pid)
        process.kill()
        process.wait()
        broker.fill("restart", "--lists", "10000", "--hours", "0.1", "--start", "2023-11-14T20:10:00Z")
    figures = {"state_bytes": size, "seconds": took, "ready": ready, "cpu": cpu, "memory": memory}
    print(f"{size / (1 << 30):.2f} GiB of state, reading again after {took} s (wanted: 10 s at 1 GiB), ready after {ready} "
          f"s, {cpu} s of CPU on {options.threads} threads", flush=True)
    return figures


def main() -> None:
    parser = argparse.ArgumentParser(prog="scripts/bench --live", description="What attach costs, and what bounds it.")
    parser.add_argument("--compare", action="store_true",
                        help="say what changed since the last such run on this type of machine")
    parser.add_argument("--quick", action="store_true", help="a tenth of the events and three runs: is anything broken?")
    parser.add_argument("--part", action="append", choices=PARTS, help="this alone; may be given more than once")
    parser.add_argument("--threads", type=int, default=min(2, os.cpu_count() or 1))
    parser.add_argument("--rounds", type=int)
    parser.add_argument("--event-rate", type=int, default=50_000, help="of the part latency")
    parser.add_argument("--restart-lists", type=int, default=15_385_000, help="lists of the state that is opened again")
    parser.add_argument("--dir", type=Path, help="where topics, states and logs are, for the time being")
    options = parser.parse_args()
    options.share = 10 if options.quick else 1
    options.rounds = options.rounds or (3 if options.quick else 5)
    with tempfile.TemporaryDirectory(prefix="recmeter-bench.", dir=options.dir) as folder:
        directory = Path(folder)
        broker = Broker(directory)
        try:
            figures: dict = {"threads": options.threads, "rounds": options.rounds,
                             "load_before": round(os.getloadavg()[0], 2)}
            for part in options.part or PARTS:
                print(f"\n{part}", flush=True)
                figures[part] = globals()[part](directory, broker, options)
            figures["load_after"] = round(os.getloadavg()[0], 2)
        finally:
            subprocess.run([ROOT / "scripts/kafka", "down", "--data", broker.data], check=True)
    line = {"date": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()), "commit": commit(), "bench": "live",
            "quick": options.quick, "cores": os.cpu_count(), "processor": processor(), **figures}
    if options.compare:
        print_comparison(line, HISTORY)
    with open(HISTORY, "a", encoding="utf-8") as history:
        history.write(json.dumps(line) + "\n")


if __name__ == "__main__":
    main()
