#!/usr/bin/env bash
# The memory of recmeter attach that catches up with days of sparse traffic, against what validate says, on a real broker:
# catching_up_test.sh PROGRAM PRODUCE VERSION
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=prelude.sh
. "$(dirname "$0")/prelude.sh" "$@"

# A second of reading is hours of event time, and they make 30,000 rows: 2.0 GB in the first release.
lists=100000 days=2
"$program" generate --quiet --lists $lists --days $days --end-marks 30d --brokers "$bootstrap" --topic log --partitions 4
cat >live.yaml <<YAML
inputs: [{topic: log}]
kafka: {brokers: "$bootstrap", memory: 32MiB}
windows: [{name: minute, size: 1m}, {name: hour, size: 1h, slide: 5m}]
segments: [[variant], [surface]]
join: {horizons: [10m, 1h]}
metrics: {cutoffs: [5, 10], names: [precision, mrr, ndcg_list, recall, distinct_items]}
state: {dir: state, memory: 16MiB}
publish: {file: {path: windows.jsonl}, http: {listen: "127.0.0.1:0"}}
YAML
replay whole --config live.yaml
wanted=$(wc -l <whole.rows)
read -r keeps_up most < <("$program" validate --json --rate "$(awk "BEGIN {print $lists / ($days * 86400)}")" live.yaml |
  python3 -c 'import json, sys
of = json.load(sys.stdin)["forecast"]
print(int(of["memory_bytes"] / 1000), int(of["catching_up_bytes"] / 1000))')

# Without pages of files, which the system takes back when it wants them.
peak=0
"$program" attach --config live.yaml --threads 2 2>said &
running=$!
# Files are closed and named by the day of event time.
while (($(cat windows*.jsonl 2>/dev/null | wc -l) < wanted)); do
  kill -0 "$running" 2>/dev/null || fail "attach ended by itself: $(<said)"
  now=$(awk '/^RssAnon/ {print $2 * 1.024}' "/proc/$running/status")
  peak=$(awk "BEGIN {print int($now > $peak ? $now : $peak)}")
  sleep 0.2
done
end_attach
cat windows.*.jsonl windows.jsonl | cmp - whole.rows || fail "other rows than those of a replay"
((peak < most && 2 * peak > keeps_up)) ||
  fail "validate says $keeps_up kB, and $most kB at most while it catches up; it took $peak kB"
echo "catching_up_test: $wanted rows with at most $peak kB of memory, where validate says $keeps_up kB and at most $most kB"
