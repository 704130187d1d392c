#!/usr/bin/env python3
"""The rules for Prometheus: promtool takes them, their tests pass and could fail, and runbook and program know what they
name: rules_test.py PROGRAM"""

import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from live_demo import ROOT, fail, skip_without

FOLDER = ROOT / "configs/prometheus"
RULES = (FOLDER / "rules.yml").read_text()
TESTS = (FOLDER / "rules_test.yml").read_text()
RUNBOOK = (ROOT / "docs/runbook.md").read_text()

# A change to the rules, each of which the tests of the rules have to notice.
FAULTS = [
    ("a wider disk guard", "recmeter_disk_guard == 1", "recmeter_disk_guard == 2"),
    ("provisional windows judged", ', stage="final"}, "metric"', '}, "metric"'),
    ("every day's rhythm told as a fall", "[2h] offset 23h", "[1d]"),
    ("a loss told by its counter alone", "time() - recmeter_last_gap_timestamp_seconds < 3600",
     "increase(recmeter_lost_records_total[1h]) > 0"),
]


def promtool(*arguments, folder=FOLDER):
    done = subprocess.run(["promtool", *arguments], capture_output=True, text=True, cwd=folder, check=False)
    return done.returncode, done.stdout + done.stderr


def check_promtool():
    for what, file in (("check rules", "rules.yml"), ("check config", "prometheus.yml"), ("test rules", "rules_test.yml")):
        code, said = promtool(*what.split(), file)
        if code != 0:
            fail(f"promtool {what}: {said}")


def check_tests_can_fail():
    for what, right, wrong in FAULTS:
        if right not in RULES:
            fail(f"the fault '{what}' is not possible any more; put another in its place")
        with tempfile.TemporaryDirectory() as folder:
            shutil.copy(FOLDER / "rules_test.yml", folder)
            (Path(folder) / "rules.yml").write_text(RULES.replace(right, wrong))
            if promtool("test", "rules", "rules_test.yml", folder=folder)[0] == 0:
                fail(f"the tests of the rules pass with {what}")


def check_alerts_are_documented():
    alerts = re.findall(r"^ +- alert: (\w+)$", RULES, re.MULTILINE)
    entries = re.findall(r"^## (Recmeter\w+)$", RUNBOOK, re.MULTILINE)
    if sorted(alerts) != sorted(entries):
        fail(f"docs/runbook.md has entries for {entries}, and there are the alerts {alerts}")
    for alert in alerts:
        if f"docs/runbook.md#{alert.lower()}\n" not in RULES:
            fail(f"the annotation `runbook` of {alert} does not name its entry")
        if alert not in TESTS:
            fail(f"{alert} is in no test of rules_test.yml")
    if len(alerts) < 10:
        fail(f"only {len(alerts)} alerts were found")


def names_in(constant):
    """The set of names that the page has under this name."""
    page = (ROOT / "web/src/model/metric_kind.ts").read_text()
    return set(re.findall(r'"(\w+)"', re.search(rf"const {constant} = new Set\(\[(.*?)\]\)", page, re.DOTALL)[1]))


def check_directions(program):
    """Which way a metric should go: rules.yml names those that should be low, and those that are neither, as the page."""
    listed = subprocess.run([program, "metrics", "--format", "json"], capture_output=True, check=True)
    names = [one["name"] for one in json.loads(listed.stdout)]
    lower, neither = names_in("LOWER"), names_in("NEITHER")
    named = re.findall(r'metric(!~|=~)"([^"]+)"', RULES)
    if [kind for kind, _ in named] != ["!~", "!~", "=~"] or named[0][1] != named[2][1]:
        fail(f"the alert names metrics in another way: {named}")
    for pattern, wanted in ((named[0][1], lower), (named[1][1], neither)):
        matched = {name for name in names if re.fullmatch(pattern, name)}
        if matched != wanted:
            fail(f"the page and rules.yml differ in {sorted(matched ^ wanted)}, or recmeter has no such metrics")
    return len(names)


def main():
    skip_without("promtool")
    check_alerts_are_documented()
    count = check_directions(sys.argv[1])
    check_promtool()
    check_tests_can_fail()
    print(f"rules_test: {count} metrics")


main()
