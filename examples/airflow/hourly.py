"""Each closed hour of the configured topics, evaluated by a task of its own: finals, as attach would publish them.

An hour is closed once its lists have had their horizon: the task of 12:00 to 13:00 runs at 13:00 and the horizon, the
lateness and some minutes later. It is safe to repeat: the same hour of the same topics has the same rows, in a file that has
its name only once it is whole. `/etc/recmeter/shop.yaml` names brokers and topics, and has hours as windows.
"""

import datetime

from airflow.decorators import dag, task

SETTLED = datetime.timedelta(minutes=45)  # horizon 30m, lateness 5m, and what the pipeline needs


@dag(schedule="@hourly", start_date=datetime.datetime(2026, 11, 1, tzinfo=datetime.timezone.utc), catchup=True)
def recmeter_hourly():
    @task.sensor(poke_interval=60, mode="reschedule")
    def settled(data_interval_end=None):
        return datetime.datetime.now(datetime.timezone.utc) >= data_interval_end + SETTLED

    @task.bash(retries=3)
    def evaluate():
        hour = "{{ data_interval_start.strftime('%Y-%m-%dT%H:%M:%SZ') }}"
        end = "{{ data_interval_end.strftime('%Y-%m-%dT%H:%M:%SZ') }}"
        return (
            f"recmeter replay --config /etc/recmeter/shop.yaml --from {hour} --to {end}"
            f" --output /rows/{hour}.jsonl --report /rows/{hour}.report.json"
        )

    settled() >> evaluate()


recmeter_hourly()
