"""Each closed hour of the configured topics, evaluated by a task of its own: finals, as attach would publish them.

An hour is closed once its lists have had their horizon. So the task of 12:00 to 13:00 waits until 13:00, the horizon, the
lateness and some minutes have passed on the clock. The topics may be behind it: a producer is late, or quiet. Then rows are
truncated, or there is none. The task fails, and tries again every quarter of an hour, for six hours. Files get their names
only when all rows of the hour are final, and the topics go on behind it: an hour in which nobody was shown a list has none.

Exit code 3 is success with a warning in the task's log: rows and report are right, but more events were invalid or lost than
`limits` allows. Another try would find the same. Exit code 2, a wrong configuration, fails at once.

A task is safe to repeat: the same hour of the same topics has the same rows. `/etc/recmeter/shop.yaml` names brokers and
topics, and has hours as windows. Let `start_date` be an hour that the topics still hold.
"""

import datetime
import json
import logging
import pathlib
import subprocess

from airflow.decorators import dag, task
from airflow.exceptions import AirflowFailException
from airflow.timetables.interval import CronDataIntervalTimetable

CONFIG = "/etc/recmeter/shop.yaml"
ROWS = pathlib.Path("/rows")
SETTLED = datetime.timedelta(minutes=45)  # horizon 30m, lateness 5m, and what the pipeline needs
WRONG_CONFIGURATION, BEYOND_LIMITS = 2, 3

log = logging.getLogger(__name__)


@dag(
    schedule=CronDataIntervalTimetable("@hourly", timezone="UTC"),  # "@hourly" alone has no intervals from Airflow 3 on
    start_date=datetime.datetime(2026, 11, 1, tzinfo=datetime.timezone.utc),
    catchup=True,
)
def recmeter_hourly():
    @task.sensor(poke_interval=60, timeout=2 * SETTLED.total_seconds(), mode="reschedule")
    def settled(data_interval_end=None):
        return datetime.datetime.now(datetime.timezone.utc) >= data_interval_end + SETTLED

    @task(retries=24, retry_delay=datetime.timedelta(minutes=15))
    def evaluate(data_interval_start=None, data_interval_end=None):
        start, end = (time.strftime("%Y-%m-%dT%H:%M:%SZ") for time in (data_interval_start, data_interval_end))
        hour = data_interval_start.strftime("%Y%m%dT%H%M%SZ")  # no colons: rsync, scp and some volumes refuse them
        rows, report = ROWS / f"{hour}.jsonl", ROWS / f"{hour}.report.json"
        new_rows, new_report = ROWS / f"{hour}.jsonl.new", ROWS / f"{hour}.report.json.new"
        command = ["recmeter", "replay", "--config", CONFIG, "--from", start, "--to", end]
        command += ["--format", "jsonl", "--output", new_rows, "--report", new_report]
        run = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
        log.info("%s", run.stdout)
        if run.returncode == WRONG_CONFIGURATION:
            raise AirflowFailException("recmeter: wrong usage or configuration; see above")
        if run.returncode not in (0, BEYOND_LIMITS):
            raise RuntimeError(f"recmeter: exit code {run.returncode}; see above")

        with open(new_rows) as lines:
            stages = [json.loads(line)["stage"] for line in lines]
        partitions = json.loads(new_report.read_text())["partitions"]
        newest = [partition["watermark"] for partition in partitions if partition["watermark"] is not None]
        is_over = newest and min(newest) >= data_interval_end.timestamp() * 1000
        if not is_over or set(stages) - {"final"}:
            final = f"{stages.count('final')} of {len(stages)} rows of {start} are final"
            raise RuntimeError(f"{final}: the topics do not reach far enough yet")
        if run.returncode == BEYOND_LIMITS:
            log.warning("rows of %s are right, but more events were invalid or lost than limits allows; see above", start)
        new_report.replace(report)
        new_rows.replace(rows)  # last: who finds rows finds the report, too

    settled() >> evaluate()


recmeter_hourly()
