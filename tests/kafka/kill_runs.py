#!/usr/bin/env python3
"""Runs of recmeter attach that are killed at least three times each, for kill_test.sh, in its scratch folder.

There: live.yaml (what is evaluated), whole.rows and whole.report (a replay of the same topics, never interrupted). Every run
has its own state, file and topic. Shown of each run:
  - at least 20 final rows were published before the first kill, between two and after the last;
  - what the file holds at the end is whole.rows, byte for byte, and the report the replay's: nothing lost or counted twice;
  - no identity was ever published with two values, in the topic, which keeps all, or in the file as each kill left it.
"""
import argparse
import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

POINTS = ["before_checkpoint", "inside_checkpoint", "after_checkpoint", "inside_publish", "after_publish",
          "before_commit", "after_commit"]
BETWEEN = 20  # final rows
AT_ONCE = 2  # runs
DRAWS = 5  # of a run whose kills came too late
FAILURES_MAX = 3
PATIENCE = 60  # seconds that anything may take


class Failed(Exception):
    pass


class TooFast(Exception):
    """Attach has published too much for the kills that are still to come: the run shows nothing, and is drawn again."""


def caught_signals(pid):
    """A bit for each, the lowest that of signal 1."""
    with open(f"/proc/{pid}/status", encoding="ascii", errors="replace") as status:
        return int(next(line for line in status if line.startswith("SigCgt:")).split()[1], 16)


def identity(row):
    """Evaluator, window, start, horizon and segment: with what follows from them all that stands before the stage."""
    return row[: row.index(b',"stage":')]


class RowFile:
    """The whole lines of a file that another process writes and, when it starts, cuts back."""

    def __init__(self, path):
        self.path, self.size, self.count = path, 0, 0

    def rows(self):
        try:
            with open(self.path, "rb") as file:
                if os.fstat(file.fileno()).st_size < self.size:
                    self.size = self.count = 0
                file.seek(self.size)
                new = file.read()
        except FileNotFoundError:
            return 0
        self.size += len(new)
        self.count += new.count(b"\n")
        return self.count


class Lives:
    def __init__(self, options, name, seed, whole):
        self.options, self.name, self.whole = options, name, whole
        self.chance = random.Random(seed)
        os.mkdir(name)
        self.path = os.path.join(name, "windows.jsonl")
        self.file = RowFile(self.path)
        self.config = os.path.join(name, "live.yaml")
        with open("live.yaml", encoding="utf-8") as base, open(self.config, "w", encoding="utf-8") as config:
            # Runs go on at the same time: each has a group of its own.
            config.write(base.read().replace("kafka: {", f"kafka: {{group: {name}, "))
            config.write(f"state: {{dir: {name}/state, checkpoint_every: {self.chance.choice([10, 20, 50])}ms}}\n"
                         f"publish: {{file: {{path: {self.path}, rotate: 365d}}, kafka: {{topic: {name}}},\n"
                         "          http: {listen: off}}\n")
        with open(os.path.join(name, "nothing"), "w", encoding="utf-8"):
            pass
        subprocess.run([options.produce, options.bootstrap, name, os.path.join(name, "nothing")], check=True)
        self.said = open(os.path.join(name, "said"), "a+b")
        self.seen = {}  # identity: row
        self.before = 0  # rows when it was killed last
        self.points = []

    def next_rows(self, kills_left):
        """How many rows there are to be at the next kill: those it needs, and a random part of those it can spare."""
        spare = len(self.whole) - self.before - BETWEEN * (kills_left + 2)
        if spare < 0:
            raise TooFast
        return self.before + BETWEEN + self.chance.randrange(spare // (2 * kills_left + 2) + 1)

    def start(self, *command):
        return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=self.said)

    def wait_for(self, process, count):
        deadline = time.monotonic() + PATIENCE
        while self.file.rows() < count:
            if process.poll() is not None:
                raise Failed(f"attach ended by itself with {process.returncode}: {self.messages()}")
            if time.monotonic() > deadline:
                process.kill()
                raise Failed(f"only {self.file.rows()} of {count} rows after {PATIENCE} s: {self.messages()}")
            time.sleep(0.003)

    def wait_until_it_catches(self, process, number):
        """No program catches a signal before its first instruction, and where all rows are there already that is now."""
        deadline = time.monotonic() + PATIENCE
        while not caught_signals(process.pid) & (1 << (number - 1)):
            if process.poll() is not None or time.monotonic() > deadline:
                raise Failed(f"attach does not catch signal {number}: {self.messages()}")
            time.sleep(0.001)

    def messages(self):
        self.said.seek(0)
        return self.said.read().decode(errors="replace")[-1000:]

    def attach(self, *more):
        threads = str(self.chance.choice([1, 1, 2, 2, 4]))
        return self.start(self.options.program, "attach", "--config", self.config, "--threads", threads, *more)

    def killed_at_random(self, kills_left):
        process = self.attach()
        self.wait_for(process, self.next_rows(kills_left))
        time.sleep(self.chance.choice([0, 0, self.chance.uniform(0, 0.01), self.chance.uniform(0, 0.05)]))
        process.kill()
        if process.wait() != -signal.SIGKILL:
            raise Failed(f"attach ended by itself with {process.returncode}: {self.messages()}")
        self.points.append("a random moment")

    def killed_at_point(self, kills_left, point):
        rows, passes = self.next_rows(kills_left), self.chance.randint(1, 2)
        threads = str(self.chance.choice([1, 2, 3]))
        size = sum(len(row) + 1 for row in self.whole[:rows])
        process = self.start(self.options.killed, self.config, threads, point, str(size), str(passes))
        deadline, done_at = time.monotonic() + PATIENCE, None
        while (code := process.poll()) is None:
            time.sleep(0.01)
            if done_at is None and self.file.rows() >= len(self.whole):
                done_at = time.monotonic()
            if time.monotonic() > deadline or (done_at and time.monotonic() > done_at + 1):
                process.kill()
                process.wait()
                if done_at:  # the last rows were published again, or all at once
                    raise TooFast
                raise Failed(f"{point} was not reached within {PATIENCE} s after {rows} rows")
        if code != -signal.SIGKILL or not self.messages().endswith(f"reached {point}\n"):
            raise Failed(f"{point} was not reached (exit code {code}): {self.messages()}")
        self.points.append(point)

    def look(self):
        """What a reader of the file has seen when the run was killed."""
        count = self.file.rows()
        if count < self.before + BETWEEN:
            raise Failed(f"only {count - self.before} rows between two kills")
        self.before = count
        with open(self.path, "rb") as file:
            self.see(file.read().split(b"\n")[:-1])

    def see(self, rows):
        for row in rows:
            known = self.seen.setdefault(identity(row), row)
            if known != row:
                raise Failed(f"two final rows of one window: {known} and {row}")

    def finish(self):
        report = os.path.join(self.name, "report")
        for _ in range(DRAWS):
            process = self.attach("--report", report)
            self.wait_for(process, len(self.whole))
            self.wait_until_it_catches(process, signal.SIGTERM)
            process.terminate()
            if process.wait(PATIENCE) != 0:
                raise Failed(f"asked to end: exit code {process.returncode}: {self.messages()}")
            # Asked before it has cut the file back and made its rows anew, or ended as it is after 1.5 s on a busy machine:
            # that is one kill more.
            if os.path.exists(report) and self.file.rows() == len(self.whole):
                break
        else:
            raise Failed(f"asked to end {DRAWS} times: no report, or {self.file.rows()} rows: {self.messages()}")
        with open(self.path, "rb") as file:
            rows = file.read().split(b"\n")[:-1]
        if rows != self.whole:
            raise Failed(f"the file has {len(rows)} rows, {len(set(rows) - set(self.whole))} of them not those of a replay")
        self.see(rows)
        self.compare_reports(report)

    def compare_reports(self, path):
        with open(path, encoding="utf-8") as live, open("whole.report", encoding="utf-8") as whole:
            live, whole = json.load(live), json.load(whole)
        for report in (live, whole):
            del report["rows"]["provisional"]
        for key in ("records", "events", "feedback", "lists", "invalid_reasons", "rows"):
            if live[key] != whole[key]:
                raise Failed(f"{key}: {live[key]}, and of a replay {whole[key]}")

    def look_at_topic(self):
        """Each row, at least once; returns how many were there again."""
        everything = ["kcat", "-C", "-q", "-e", "-o", "beginning", "-b", self.options.bootstrap, "-t", self.name]
        said = subprocess.run([*everything, "-f", "%k\t%s\n"], check=True, capture_output=True).stdout
        rows = said.split(b"\n")[:-1]
        values, again = {}, 0
        for row in rows:
            key, value = row.split(b"\t")
            if b'"stage":"provisional"' in value:
                if key in values:
                    raise Failed(f"a provisional row after the final one: {value}")
                continue
            again += key in values
            if values.setdefault(key, value) != value:
                raise Failed(f"two final rows of one window in the topic: {values[key]} and {value}")
        self.see(values.values())
        if set(values.values()) != set(self.whole):
            others = len(set(values.values()) - set(self.whole))
            raise Failed(f"the topic has {len(values)} rows, {others} of them not those of a replay")
        return again


class Failures:
    """Printed as they come; after a few the rest of the runs would say the same."""

    def __init__(self):
        self.lock, self.count = threading.Lock(), 0

    def add(self, text):
        with self.lock:
            self.count += 1
            print(text, flush=True)


def run(options, number, named, whole, failures):
    """One run; its kills by point and the rows its topic has twice, or None if it failed."""
    if failures.count >= FAILURES_MAX:
        return None
    for draw in range(DRAWS):
        name = f"{'named' if named else 'random'}.{number}.{draw}"
        try:
            return run_once(Lives(options, name, f"{options.seed} {name}", whole), number, named, failures)
        except TooFast:
            continue
    failures.add(f"{name}: FAILED: attach was too fast to be killed {DRAWS} times over")
    return None


def run_once(lives, number, named, failures):
    kills = 3 + (lives.chance.random() < 0.25)
    try:
        for kill in range(kills):
            left = kills - kill - 1
            if named:
                lives.killed_at_point(left, POINTS[(number * 3 + kill) % len(POINTS)])
            else:
                lives.killed_at_random(left)
            lives.look()
        if len(lives.whole) < lives.before + BETWEEN:
            raise TooFast
        lives.finish()
        again = lives.look_at_topic()
    except Failed as why:
        failures.add(f"{lives.name}: FAILED after kills at {lives.points}: {why}")
        return None
    return Counter(lives.points), again


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name in ("--program", "--produce", "--killed", "--bootstrap"):
        parser.add_argument(name, required=True)
    for name in ("--random", "--named", "--seed"):
        parser.add_argument(name, type=int, default=1)
    options = parser.parse_args()
    with open("whole.rows", "rb") as file:
        whole = file.read().split(b"\n")[:-1]
    wanted = [(number, False) for number in range(options.random)] + [(number, True) for number in range(options.named)]
    failures = Failures()
    begin = time.monotonic()
    with ThreadPoolExecutor(AT_ONCE) as pool:
        outcomes = list(pool.map(lambda each: run(options, *each, whole, failures), wanted))
    done = [outcome for outcome in outcomes if outcome]
    points = sum((outcome[0] for outcome in done), Counter())
    print(f"kill_test: {len(done)} of {len(wanted)} runs gave the {len(whole)} rows of a replay, in "
          f"{time.monotonic() - begin:.0f} s; kills at " + ", ".join(f"{point}: {points[point]}" for point in sorted(points))
          + f"; {sum(outcome[1] for outcome in done)} rows published again")
    missed = [point for point in POINTS if options.named and not points[point]]
    if missed:
        print(f"kill_test: never reached: {', '.join(missed)}")
    return 0 if len(done) == len(wanted) and not missed else 1


if __name__ == "__main__":
    sys.exit(main())
