#!/usr/bin/env python3
"""What a running evaluator shows Prometheus is by the book: exposition_test.py PROGRAM

promtool reads the text format 0.0.4; of OpenMetrics it knows no suffix `_total`, so that is judged by the rules of its
specification here, and by a Prometheus that asks for it in scrape_test.py.
"""

import re
import subprocess
import sys

from live_demo import fail, get, live_demo, skip_without

OPENMETRICS = "application/openmetrics-text; version=1.0.0"
SUFFIXES = {"counter": ("", "_total"), "histogram": ("_bucket", "_sum", "_count")}
SAMPLE = re.compile(r"^([a-zA-Z_:][a-zA-Z0-9_:]*)(\{.*\})? (\S+)$")


def promtool(text):
    """What promtool finds, "" for nothing."""
    found = subprocess.run(["promtool", "check", "metrics"], input=text, capture_output=True, text=True, check=False)
    return found.stderr + found.stdout or (f"exit code {found.returncode}" if found.returncode else "")


def samples_of(text):
    """{name and labels: value}, and {family: its type}. Each family stands in one piece, each sample once."""
    samples, types, family, closed = {}, {}, None, set()
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("# TYPE "):
            closed.add(family)
            _, _, family, kind = line.split(" ")
            if family in closed:
                fail(f"line {number}: {family} stands in two pieces")
            types[family] = kind
        elif not line.startswith("#"):
            sample = SAMPLE.match(line) or fail(f"line {number} is no sample: {line}")
            if sample[1] not in {family + suffix for suffix in SUFFIXES.get(types[family], ("",))}:
                fail(f"line {number}: {sample[1]} stands in the family {family}")
            key = sample[1] + (sample[2] or "")
            if key in samples:
                fail(f"line {number}: {key} is there twice")
            samples[key] = float(sample[3])
    return samples, types


def check_text(url):
    text, content_type = get(url + "/metrics")
    if content_type != "text/plain; version=0.0.4; charset=utf-8":
        fail(f"the content type is {content_type}")
    if found := promtool(text):
        fail(f"promtool finds: {found}")
    samples, types = samples_of(text)
    for key, value in samples.items():
        if value != value:
            fail(f"{key} is no number; it should be absent")
    if types.get("recmeter_precision") != "gauge" or types.get("recmeter_events_total") != "counter":
        fail(f"types: {types}")
    of_whole = '{stage="final",k="10",unit="list",window="2s",horizon="5s"}'
    parts = ("", "_numerator", "_denominator")
    value, numerator, denominator = (samples[f"recmeter_precision{part}{of_whole}"] for part in parts)
    if abs(numerator / denominator - value) > 1e-12:
        fail(f"{numerator} / {denominator} is not {value}")
    if not samples["recmeter_precision_low" + of_whole] < value < samples["recmeter_precision_high" + of_whole]:
        fail(f"{value} is outside its interval")
    return len(samples)


def check_openmetrics(url):
    text, content_type = get(url + "/metrics", OPENMETRICS)
    if content_type != OPENMETRICS + "; charset=utf-8":
        fail(f"asked for OpenMetrics the content type is {content_type}")
    if not text.endswith("\n# EOF\n") or text.count("# EOF") != 1:
        fail(f"it does not end with # EOF: {text[-80:]!r}")
    samples, types = samples_of(text)
    for family, kind in types.items():
        of_family = [key for key in samples if re.match(rf"{family}(_total)?(\{{|$)", key)]
        if kind == "counter" and not all(key.startswith(family + "_total") for key in of_family):
            fail(f"the counter {family} has samples without _total: {of_family}")
    if types.get("recmeter_events") != "counter":
        fail(f"types: {types}")
    # Apart from how counters are called it is the text that promtool reads.
    as_text = re.sub(r"^(# (?:TYPE|HELP) )(\S+)", lambda m: m[1] + m[2] + ("_total" if types[m[2]] == "counter" else ""),
                     text.removesuffix("# EOF\n"), flags=re.MULTILINE)  # fmt: skip
    if found := promtool(as_text):
        fail(f"promtool finds in what was OpenMetrics: {found}")


def main():
    skip_without("promtool")
    if not promtool("recmeter_lists 1\n"):
        fail("promtool finds nothing wrong with a metric without HELP")
    with live_demo(sys.argv[1]) as url:
        count = check_text(url)
        check_openmetrics(url)
        print(f"exposition_test: {count} samples")


main()
