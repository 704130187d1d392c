#!/usr/bin/env bash
# recmeter attach whose configuration changes over its restarts: changes_test.sh PROGRAM PRODUCE VERSION
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=prelude.sh
. "$(dirname "$0")/prelude.sh" "$@"

# Three stretches of one log, in two partitions; the last ends with an event that takes the watermark beyond all windows.
"$program" generate --quiet --lists 45000 --hours 12 --rows 0.2 --disorder 20s --duplicates 0.01 --late 0.01 --output log.jsonl
python3 - <<'PY'
lines = [line for line in open("log.jsonl", "rb").read().split(b"\n") if line.strip()]
for third in range(3):
    for part in range(2):
        some = lines[third * len(lines) // 3 : (third + 1) * len(lines) // 3][part::2]
        if third == 2:
            some.append(b'{"type":"tick","ts":1700100000000}')
        open(f"log{third}.{part}", "wb").write(b"\n".join(some) + b"\n")
PY

cat >first.yaml <<YAML
inputs: [{topic: log}]
kafka: {brokers: "$bootstrap"}
windows: [{name: minute, size: 1m}]
metrics: {cutoffs: [5], names: [precision, mrr]}
state: {dir: state, checkpoint_every: 100ms}
publish: {file: {path: windows.jsonl}, http: {listen: off}}
YAML
sed -e 's/^windows:.*/windows: [{name: minute, size: 1m}, {name: hour, size: 1h, slide: 5m}]/' \
  -e 's/names: .*/names: [precision, mrr, distinct_items]}/' -e '$a segments: [[variant]]' first.yaml >second.yaml
cp second.yaml third.yaml
echo "join: {actions: {click: {gain: 2}, purchase: {gain: 3, after: click}}}" >>third.yaml

# Until nothing more comes of what has been produced.
attach() { # ARGUMENT...
  : >said
  "$program" attach "$@" 2>>said &
  running=$!
  local before=-1 now=0 still=0
  for ((tenths = 0; tenths < 900 && still < 20; ++tenths)); do
    sleep 0.1
    kill -0 "$running" 2>/dev/null || fail "attach ended by itself: $(<said)"
    [[ ! -f windows.jsonl ]] || now=$(wc -c <windows.jsonl)
    ((now == before && now > 0)) && still=$((still + 1)) || still=0
    before=$now
  done
  kill -TERM "$running"
  local code=0
  wait "$running" || code=$?
  running=
  ((code == 0)) || fail "asked to end: exit code $code: $(<said)"
}

"$produce" "$bootstrap" log log0.0 log0.1
attach --config first.yaml
rows_first=$(wc -l <windows.jsonl)

"$produce" "$bootstrap" log log1.0 log1.1
attach --config second.yaml
grep -q "changed: windows, segments, metrics.names; this holds for windows that start at" said || fail "what changed is not told: $(<said)"
rows_second=$(wc -l <windows.jsonl)
cp windows.jsonl before.jsonl

code=0
timeout 60 "$program" attach --config third.yaml 2>said || code=$?
((code == 4)) || fail "a changed gain: exit code $code, not 4: $(<said)"
grep -q "join.actions.click.gain was 1, is 2; undo the change, start with another state.dir, or run attach --rebuild" said ||
  fail "a changed gain is not told: $(<said)"
cmp before.jsonl windows.jsonl || fail "a run that was refused changed the rows"

"$produce" "$bootstrap" log log2.0 log2.1
# Killed on its way, and started again without the flag.
"$program" attach --config third.yaml --rebuild 2>said &
running=$!
for ((tenths = 0; tenths < 600; ++tenths)); do
  ! grep -q "going on from" said || break
  sleep 0.1
done
kill -KILL "$running" 2>/dev/null || fail "attach --rebuild ended by itself: $(<said)"
wait "$running" 2>/dev/null || true
attach --config third.yaml

for which in first second third; do
  "$program" replay --progress none --format jsonl --config $which.yaml --output $which.rows 2>/dev/null || (($? == 3)) ||
    fail "replay by $which.yaml"
done
python3 - "$rows_first" "$rows_second" <<'PY' || fail "the rows are not those of replays by the three configurations"
import json, sys
made_by_first, made_by_second = int(sys.argv[1]), int(sys.argv[2])
rows = {name: [(json.loads(line), line) for line in open(name + ".rows")] for name in ("first", "second", "third")}
actual = list(open("windows.jsonl"))
# The first start of the second configuration lies behind what the first one had made; from there on all rows are its own.
new_names = [json.loads(line) for line in actual if "distinct_items@5" in line]
begin = min(row["start"] for row in new_names)
expected = [(row, line) for row, line in rows["first"] if row["start"] < begin]
expected += [(row, line) for row, line in rows["second"] if row["start"] >= begin]
expected.sort(key=lambda row: row[0]["end"])  # one horizon; stable
expected = [line for _, line in expected][:made_by_second]
last_end = json.loads(actual[made_by_second - 1])["end"]
expected += [line for row, line in rows["third"] if row["end"] > last_end]
by_first = sum("distinct_items@5" not in line for line in actual)
assert made_by_first < by_first, "windows that had begun were not finished"
for number, (a, b) in enumerate(zip(actual, expected)):
    assert a == b, f"row {number}:\n{a}{b}"
assert len(actual) == len(expected), (len(actual), len(expected))
print(f"changes_test: {by_first} rows by the first configuration, {made_by_second - by_first} by the second, "
      f"{len(actual) - made_by_second} by the third")
PY
