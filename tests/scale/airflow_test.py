"""examples/airflow has an hour's files only once all of its rows are final. Until then it fails and is tried again; exit
code 3 is success. The tasks run here as Airflow would call them; of Airflow itself there is a stand-in.

usage: airflow_test.py PROGRAM SOURCE_DIRECTORY
"""

import datetime
import importlib.util
import json
import logging
import os
import pathlib
import subprocess
import sys
import tempfile
import types

HOUR = datetime.timedelta(hours=1)
START = datetime.datetime(2023, 11, 14, 1, tzinfo=datetime.timezone.utc)
CONFIG = """
windows: [{name: hour, size: 1h}]
segments: [[variant]]
join: {horizons: [10m, 30m]}
metrics: {names: [precision], cutoffs: [5]}
limits: {invalid_share: 0.5}
"""


class FailWithoutRetry(Exception):
    pass


class Intervals:
    def __init__(self, cron, timezone):
        self.cron, self.timezone = cron, timezone


class Task:
    def __init__(self, function, options):
        self.function, self.options, self.before = function, options, []

    def __call__(self):
        return self

    def __rshift__(self, after):
        after.before.append(self)
        return after


def load(path, tasks, dags):
    """Runs the file with a stand-in for Airflow; what it declares is in `tasks` by name, and in `dags`."""
    def declare_task(**options):
        return lambda function: tasks.setdefault(function.__name__, Task(function, options))

    def declare_dag(**options):
        dags.append(options)
        return lambda function: function

    declare_task.sensor = declare_task
    stand_ins = {
        "airflow": {},
        "airflow.decorators": {"dag": declare_dag, "task": declare_task},
        "airflow.exceptions": {"AirflowFailException": FailWithoutRetry},
        "airflow.timetables": {},
        "airflow.timetables.interval": {"CronDataIntervalTimetable": Intervals},
    }
    for name, members in stand_ins.items():
        sys.modules[name] = types.ModuleType(name)
        vars(sys.modules[name]).update(members)
    module = importlib.util.spec_from_file_location("hourly", path)
    module.loader.exec_module(importlib.util.module_from_spec(module))


class Warnings(logging.Handler):
    def __init__(self):
        super().__init__(logging.WARNING)
        self.found = []

    def emit(self, record):
        self.found.append(record.getMessage())


class Hour:
    """The task of 01:00 to 02:00, and what it has left."""

    def __init__(self, work, evaluate):
        self.work, self.evaluate = work, evaluate
        self.evaluate.__globals__.update(CONFIG=str(work / "c.yaml"), ROWS=work / "rows")

    def run(self):
        self.evaluate(data_interval_start=START, data_interval_end=START + HOUR)

    def fails(self, kind=RuntimeError):
        """As which exception says whether Airflow tries again."""
        before = self.files()
        try:
            self.run()
        except Exception as error:
            assert type(error) is kind, repr(error)
        else:
            raise AssertionError("the task is a success")
        assert self.files() == before, "files have changed"

    def files(self):
        """Those that have their names."""
        return {path.name: path.read_bytes() for path in (self.work / "rows").iterdir() if path.suffix != ".new"}


def cut(log, until, to):
    """What the topics hold when event time is `until`."""
    lines = (line for line in log.read_bytes().splitlines(keepends=True))
    limit = until.timestamp() * 1000
    to.write_bytes(b"".join(line for line in lines if json.loads(line)["ts"] < limit))


def check_declared(tasks, dags):
    assert [(type(one["schedule"]), one["schedule"].cron, one["schedule"].timezone) for one in dags] == [
        (Intervals, "@hourly", "UTC")]
    evaluate, settled = tasks["evaluate"], tasks["settled"]
    assert evaluate.before == [settled]
    assert evaluate.options["retries"] * evaluate.options["retry_delay"] >= 3 * HOUR
    now = datetime.datetime.now(datetime.timezone.utc)
    assert not settled.function(data_interval_end=now - datetime.timedelta(minutes=35))
    assert settled.function(data_interval_end=now - HOUR)
    assert settled.options["timeout"] > settled.function.__globals__["SETTLED"].total_seconds()


def check_hour(program, work, whole, hour, warnings):
    config, log = work / "c.yaml", work / "log"
    log.write_bytes(b"")
    hour.fails()
    for ends in (-10, 70, 85, 90):  # before the hour; no row final; those of 10 minutes; the lateness is missing
        cut(whole, START + datetime.timedelta(minutes=ends), log)
        hour.fails()
    assert hour.files() == {}
    log.write_bytes(whole.read_bytes())
    hour.run()
    one = ["replay", "--config", config, "--from", "2023-11-14T01:00:00Z", "--to", "2023-11-14T02:00:00Z"]
    subprocess.run([program, *one, "--output", work / "one.jsonl", whole], check=True)
    wanted = (work / "one.jsonl").read_bytes()
    assert wanted.count(b'"stage":"final"') == wanted.count(b"\n") == 6, wanted
    assert hour.files()["20231114T010000Z.jsonl"] == wanted
    assert sorted(hour.files()) == ["20231114T010000Z.jsonl", "20231114T010000Z.report.json"]
    assert json.loads(hour.files()["20231114T010000Z.report.json"])["rows"]["final"] == 6
    hour.run()
    assert hour.files()["20231114T010000Z.jsonl"] == wanted
    assert not warnings.found, warnings.found
    cut(whole, START, log)  # what was there is not lost
    hour.fails()
    begin, end = (1000 * time.timestamp() for time in (START - HOUR, START + HOUR))
    lines = whole.read_bytes().splitlines(keepends=True)
    log.write_bytes(b"".join(line for line in lines if not begin <= json.loads(line)["ts"] < end))
    hour.run()
    assert hour.files()["20231114T010000Z.jsonl"] == b"", "nobody was shown a list then"


def check_exit_codes(program, work, whole, hour, warnings):
    config, log = work / "c.yaml", work / "log"
    hour.fails(FileNotFoundError)  # no program on this machine
    (work / "bin/recmeter").write_text(f'#!/bin/sh\nexec {program} "$@" {log}\n')
    (work / "bin/recmeter").chmod(0o755)
    log.unlink(missing_ok=True)
    hour.fails()  # 1, no such log
    config.write_text(CONFIG.replace("windows", "window"))
    hour.fails(FailWithoutRetry)  # 2
    config.write_text(CONFIG.replace("0.5", "0.001"))
    invalid = b"{}\n" * 1000
    cut(whole, START + datetime.timedelta(minutes=70), log)
    log.write_bytes(invalid + log.read_bytes())
    hour.fails()  # 3, and rows are truncated
    log.write_bytes(invalid + whole.read_bytes())
    hour.run()  # 3
    assert len(warnings.found) == 1 and "limits" in warnings.found[0], warnings.found
    for path in (work / "rows").iterdir():
        path.unlink()
    warnings.found.clear()
    config.write_text(CONFIG)


def main():
    program, source = (pathlib.Path(path).resolve() for path in sys.argv[1:3])
    tasks, dags, warnings = {}, [], Warnings()
    load(source / "examples/airflow/hourly.py", tasks, dags)
    logging.getLogger().addHandler(warnings)
    check_declared(tasks, dags)
    with tempfile.TemporaryDirectory() as directory:
        work = pathlib.Path(directory)
        (work / "bin").mkdir()
        (work / "rows").mkdir()
        (work / "c.yaml").write_text(CONFIG)
        generate = [program, "generate", "--quiet", "--lists", "20000", "--hours", "4", "--users", "2000"]
        subprocess.run([*generate, "-o", work / "whole"], check=True)
        hour = Hour(work, tasks["evaluate"].function)
        os.environ["PATH"] = f"{work / 'bin'}:/usr/bin:/bin"
        check_exit_codes(program, work, work / "whole", hour, warnings)
        check_hour(program, work, work / "whole", hour, warnings)
    return 0


if __name__ == "__main__":
    sys.exit(main())
