#!/usr/bin/env bash
# recmeter attach, started again as something else: restart_test.sh PROGRAM PRODUCE VERSION
#
# A state that eight threads wrote opens with two; windows, segments and metrics may be added.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=prelude.sh
. "$(dirname "$0")/prelude.sh" "$@"

make_pieces 2 30000 12
produce_piece 0 threads
produce_piece 0 added

configuration() { # NAME WINDOWS SEGMENTS METRICS
  cat <<YAML
inputs: [{topic: $1}]
kafka: {brokers: "$bootstrap", align: 1m}
windows: [$2]
segments: [$3]
metrics: {cutoffs: [5, 10], names: [$4]}
limits: {lost_share: 1}
state: {dir: $1.state, checkpoint_every: 10ms}
publish: {file: {path: $1.windows, rotate: 365d}, http: {listen: off}}
YAML
}
minute='{name: minute, size: 1m}'
configuration threads "$minute" '[variant]' 'precision, mrr' >threads.yaml

# attach_until NAME CONFIG COUNT OPTION...: until there are so many rows.
attach_until() {
  local name=$1 config=$2 count=$3
  shift 3
  "$program" attach --config "$config.yaml" "$@" 2>>said &
  running=$!
  wait_for_rows "$name.windows" "$count" 0.002
}

attach_until threads threads 200 --threads 8
kill -KILL "$running"
wait "$running" 2>/dev/null || true
eight=$(rows threads.windows)
produce_piece 1 threads
replay whole --config threads.yaml
attach_until threads threads "$(rows whole.rows)" --threads 2 --report threads.live
end_attach
cmp whole.rows threads.windows || fail "two threads go on from eight with other rows"
same_report whole.report threads.live
echo "restart_test: $eight rows by eight threads, killed, the rest by two: the $(rows whole.rows) rows of a replay"

# What is added has the rows of a replay from the first window that starts after the restart; what was there goes on.
configuration added "$minute" '[variant]' 'precision, mrr' >before.yaml
configuration added "$minute, {name: five, size: 5m}" '[variant], [surface]' 'precision, mrr, recall' >after.yaml
attach_until added before 300 --report before.live
end_attach
produce_piece 1 added
replay before --config before.yaml
replay after --config after.yaml
cp added.windows before.windows
"$program" attach --config after.yaml --report after.live 2>>said &
running=$!
last=$(tail -n 1 after.rows)
for ((tenths = 0; tenths < 1200; ++tenths)); do
  [[ $(tail -n 1 added.windows) != "$last" ]] || break
  kill -0 "$running" 2>/dev/null || fail "attach ended by itself: $(<said)"
  sleep 0.1
done
end_attach
python3 - <<'PY' || fail "a window, segment or metric added over a restart gives other rows than a replay"
import json

def rows(path):
    return open(path).read().splitlines()

def identity(row):
    row = json.loads(row)
    return json.dumps([row[key] for key in ("window", "start", "horizon", "segment")])

partitions = json.load(open("before.live"))["partitions"]
restarted = min(partition["watermark"] for partition in partitions)
old, new, first, all_of_it = rows("before.rows"), rows("after.rows"), rows("before.windows"), rows("added.windows")
then = all_of_it[len(first):]
assert 300 <= len(first) < len(old) - 300 and all_of_it[: len(first)] == first == old[: len(first)]
later = [row for row in then if json.loads(row)["start"] >= restarted]
assert later == [row for row in new if json.loads(row)["start"] >= restarted] and len(later) > 300, len(later)
between = [row for row in then if json.loads(row)["start"] < restarted]
assert set(between) <= set(old) | set(new), "windows open at the restart have rows of neither configuration"
identities = [identity(row) for row in all_of_it]
assert len(set(identities)) == len(identities), "a window has two final rows"
assert set(map(identity, old)) <= set(identities), "a window is lost"
print(f"restart_test: {len(first)} rows before, {len(between)} of windows open then, {len(later)} after, as replays give them")
PY
