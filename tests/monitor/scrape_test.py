#!/usr/bin/env python3
"""A real Prometheus, with the example's scrape and rules, scrapes a running evaluator: it has the evaluator's values, and
every query of the Grafana dashboard an answer: scrape_test.py PROGRAM"""

import json
import re
import socket
import sys
import tempfile
import urllib.parse
from pathlib import Path

from live_demo import ROOT, URL, fail, get, get_json, live_demo, running, skip_without, until

FOLDER = ROOT / "configs/prometheus"
DASHBOARD = ROOT / "configs/grafana/dashboard.json"
# What the dashboard's variables stand for here.
CHOSEN = {"job": "recmeter", "instance": ".*", "metric": "precision", "k": "10", "window": "2s", "horizon": "5s",
          "__rate_interval": "20s"}  # fmt: skip
# Nothing fires in a run that is in order, and the rules' ten minutes have not passed.
MAY_BE_EMPTY = {"Alerts that fire", "$metric against the day past"}
METRIC = re.compile(r"\b(?:\w+:)?recmeter_\w+(?::\w+)?\b")


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def example_in(folder):
    """The example's configuration, scraping every second, where a test need not wait."""
    text = (FOLDER / "prometheus.yml").read_text()
    for wanted in ("scrape_interval: 15s", "evaluation_interval: 30s"):
        if wanted not in text:
            fail(f"prometheus.yml has no `{wanted}`")
        text = text.replace(wanted, wanted.split()[0] + " 1s")
    if URL.removeprefix("http://") not in text:
        fail(f"the example does not scrape {URL}")
    (Path(folder) / "prometheus.yml").write_text(text)
    rules = (FOLDER / "rules.yml").read_text().replace("interval: 5m", "interval: 1s")
    (Path(folder) / "rules.yml").write_text(rules)


class Prometheus:
    def __init__(self, url):
        self.url = url

    def ask(self, path, **parameters):
        answer = get_json(f"{self.url}/api/v1/{path}?{urllib.parse.urlencode(parameters)}")
        if answer["status"] != "success":
            fail(f"{path} {parameters}: {answer}")
        return answer["data"]

    def values(self, query):
        """[(labels, value)]"""
        result = self.ask("query", query=query)["result"]
        return [(one["metric"], float(one["value"][1])) for one in result]


def check_target(prometheus):
    targets = prometheus.ask("targets")["activeTargets"]
    if len(targets) != 1 or targets[0]["health"] != "up":
        fail(f"targets: {targets}")
    samples = prometheus.values("scrape_samples_scraped")[0][1]
    if samples < 100:
        fail(f"only {samples} samples a scrape")
    for group in prometheus.ask("rules")["groups"]:
        for rule in group["rules"]:
            if rule["health"] == "err":
                fail(f"rule {rule['name']}: {rule['lastError']}")
    # What Prometheus keeps of HELP and TYPE: of OpenMetrics, which it prefers, without _total in older versions.
    metadata = prometheus.ask("targets/metadata", metric="recmeter_precision")
    if not metadata or metadata[0]["type"] != "gauge":
        fail(f"metadata: {metadata}")


def check_values(prometheus):
    """The values of final windows are those of the evaluator's own API."""
    of_whole = '{stage="final",k="10",window="2s",horizon="5s",segment_variant=""}'
    found = prometheus.values("recmeter_precision" + of_whole)
    if len(found) != 1:
        fail(f"recmeter_precision: {found}")
    value = found[0][1]
    series = get_json(f"{URL}/api/v1/series?window=2s&horizon=5s&metric={urllib.parse.quote('precision@10')}")
    columns = series["columns"]
    finals = [v for v, stage in zip(columns["value"], columns["stage"]) if stage == "final"]
    if value not in finals:
        fail(f"Prometheus has precision@10 = {value}, the evaluator {finals}")
    if not 0.01 < value < 0.2:
        fail(f"precision@10 = {value} is not what the generator makes")
    by_segment = {labels["segment_variant"]: v for labels, v in
                  prometheus.values('recmeter_precision{stage="final",segment_variant!=""}')}  # fmt: skip
    if set(by_segment) != {"A", "B"}:
        fail(f"segments: {by_segment}")
    by_rule = prometheus.values('job:recmeter_metric:mean{metric="precision",stage="final",segment_variant=""}')
    if len(by_rule) != 1 or not 0.01 < by_rule[0][1] < 0.2:
        fail(f"job:recmeter_metric:mean: {by_rule}")
    return value


def check_events(prometheus):
    counts = {labels["fate"]: count for labels, count in prometheus.values("recmeter_events_total")}
    if not counts.get("impression", 0) > 1000 or not counts.get("feedback", 0) > 100 or counts.get("future") != 0:
        fail(f"recmeter_events_total: {counts}")

    def rate():
        return [value for _, value in prometheus.values('rate(recmeter_events_total{fate="impression"}[10s])')]

    rates = until("a rate of impressions near 200 a second", 60, lambda: [r for r in rate() if 100 < r < 300])
    return counts["impression"], rates[0]


def filled(query):
    for name, value in CHOSEN.items():
        query = query.replace("${" + name + "}", value).replace("$" + name, value)
    if "$" in query:
        fail(f"the dashboard has a variable this test does not know: {query}")
    return query


def check_dashboard(prometheus):
    """It imports without questions, names only metrics that exist, and its queries have answers."""
    text = DASHBOARD.read_text()
    dashboard = json.loads(text)
    if "__inputs" in dashboard or "DS_PROMETHEUS" in text or "id" in dashboard or dashboard["uid"] != "recmeter":
        fail("the dashboard does not import as it is: __inputs, an id, or another uid")
    variables = {one["name"]: one for one in dashboard["templating"]["list"]}
    if variables["datasource"]["type"] != "datasource":
        fail("there is no variable for the data source")
    own = get(URL + "/metrics")[0]
    known = set(re.findall(r"^([a-z_]\w*)[{ ]", own, re.MULTILINE))
    known |= set(re.findall(r"record: (\S+)", (FOLDER / "rules.yml").read_text()))
    panels = [panel for panel in dashboard["panels"] if panel["type"] != "row"]
    if len({panel["id"] for panel in dashboard["panels"]}) != len(dashboard["panels"]):
        fail("two panels have one id")
    queries = 0
    for panel in panels:
        if not panel["targets"] or panel["datasource"]["uid"] != "${datasource}":
            fail(f"panel {panel['title']} asks nothing, or not the chosen data source")
        for target in panel["targets"]:
            query = filled(target["expr"])
            queries += 1
            if unknown := set(METRIC.findall(query)) - known:
                fail(f"panel {panel['title']}: nobody has {unknown}")
            if panel["title"] not in MAY_BE_EMPTY:
                until(f"panel {panel['title']} has an answer to {query}", 40, lambda q=query: prometheus.values(q))
            else:
                prometheus.values(query)
    for variable in variables.values():
        for name in METRIC.findall(filled(variable["query"]["query"])) if variable["type"] == "query" else []:
            if name not in known and not name.endswith("_"):
                fail(f"variable {variable['name']}: nobody has {name}")
    return len(panels), queries


def main():
    skip_without("prometheus")
    with live_demo(sys.argv[1]), tempfile.TemporaryDirectory() as folder:
        example_in(folder)
        url = f"http://127.0.0.1:{free_port()}"
        command = ["prometheus", f"--config.file={folder}/prometheus.yml", f"--storage.tsdb.path={folder}/tsdb",
                   f"--web.listen-address={url.removeprefix('http://')}", "--log.level=warn"]  # fmt: skip
        with running(command, folder) as process:
            prometheus = Prometheus(url)
            ready = until("Prometheus is ready", 60, lambda: process.poll() is not None or get(url + "/-/ready"))
            if ready is True:
                fail(f"prometheus ended by itself with {process.returncode}")
            until("values by rule", 60, lambda: prometheus.values('job:recmeter_metric:mean{stage="final"}'))
            check_target(prometheus)
            value = check_values(prometheus)
            impressions, rate = check_events(prometheus)
            panels, queries = check_dashboard(prometheus)
            print(f"scrape_test: precision@10 {value:.4f}, {impressions:.0f} impressions, {rate:.0f} a second; "
                  f"{queries} queries of {panels} panels answered")  # fmt: skip


main()
