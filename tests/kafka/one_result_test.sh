#!/usr/bin/env bash
# One result, however a log is read: one_result_test.sh PROGRAM PRODUCE VERSION LISTS EVENTS
#
# Topics that `recmeter generate` fills: attach, replay of the topics and replay of their dump give the same rows and the same
# accounting; without late events so do 1, 4 and 12 partitions. EVENTS: how many there are at least.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=prelude.sh
. "$(dirname "$0")/prelude.sh" "$@"
lists=$4 events=$5

# generate NAME PARTITIONS OPTION...: topics NAME.lists and NAME.actions, keyed by user; each partition ends beyond all windows.
generate() {
  local name=$1 partitions=$2
  shift 2
  "$program" generate --quiet --lists "$lists" --hours 6 --rows 0.1 --empty-lists 0.03 --placeholder-users 0.01 --purchases 0.2 \
    --disorder 40s --duplicates 0.01 --malformed 0.01 --brokers "$bootstrap" --impressions-topic "$name.lists" \
    --feedback-topic "$name.actions" --partitions "$partitions" --end-marks 2d "$@"
}

# configuration NAME INPUTS
configuration() {
  cat <<YAML
inputs: [$2]
kafka: {brokers: "$bootstrap"}
join:
  horizons: [30m, 5m]
  actions: {click: {gain: 1}, purchase: {gain: 3, after: click}}
  skew: 2s
  not_users: [anonymous, "0"]
windows:
  - {name: minute, size: 1m}
  - {name: hour, size: 1h, slide: 5m}
segments: [[variant], [variant, surface]]
limits: {invalid_share: 1, lost_share: 1}
metrics: {cutoffs: [5, 10], names: [precision, mrr, ndcg_list, recall, distinct_items]}
state: {dir: $1.state}
publish: {file: {path: $1.windows, rotate: 365d}, http: {listen: off}}
YAML
}

# attach NAME COUNT: NAME.windows, when it has so many rows, and NAME.live.
attach() {
  "$program" attach --config "$1.yaml" --report "$1.live" 2>>said &
  running=$!
  wait_for_rows "$1.windows" "$2"
  end_attach
}

generate spoilt 4 --late 0.01 --wrong-clocks 0.01 --far-clock
configuration spoilt "{topic: [spoilt.lists, spoilt.actions]}" >spoilt.yaml
replay spoilt --config spoilt.yaml
! grep -q '"stage":"truncated"' spoilt.rows || fail "the last events are not beyond all windows"
wanted=$(rows spoilt.rows)
attach spoilt "$wanted"
cmp spoilt.rows spoilt.windows || fail "attach gives other rows than a replay of its topics"
same_report spoilt.report spoilt.live

for topic in lists actions; do kcat -C -J -q -e -o beginning -b "$bootstrap" -t spoilt.$topic >$topic.dump; done
configuration dump "{file: [lists.dump, actions.dump], format: kcat}" >dump.yaml
replay dump --config dump.yaml
cmp spoilt.rows dump.rows || fail "a dump gives other rows than its topics"
same_report spoilt.report dump.report

# Topics are as a shop's: a user has one partition number, brokers took what came in its order, the marks come last.
python3 - lists.dump actions.dump <<'PY' || fail "the topics are not what they should be"
import json, sys
partition_of, keyless = {}, 0
for path in sys.argv[1:]:
    last = {}
    for line in open(path, errors="surrogateescape"):
        message = json.loads(line)
        partition, payload, key = message["partition"], message["payload"], message["key"]
        before = last.get(partition, (0, ""))
        assert message["ts"] >= before[0], (before, line)
        assert "end_mark" not in before[1], line
        last[partition] = (message["ts"], payload)
        keyless += key is None
        if key is not None:
            assert f'"user_id":"{key}"' in payload, line
            assert partition_of.setdefault(key, partition) == partition, (key, partition)
    assert len(last) == 4 and all("end_mark" in payload for _, payload in last.values()), last
assert len(partition_of) > 1000 and set(partition_of.values()) == {0, 1, 2, 3} and 0 < keyless < len(partition_of)
PY

# What the log was made to hold it holds, and no clock of ours has played a part.
python3 - spoilt.live "$events" <<'PY' || fail "the log is not what it should be"
import json, sys
report = json.load(open(sys.argv[1]))
events, feedback = report["events"], report["feedback"]
print("one_result_test:", events, feedback)
assert events["read"] >= int(sys.argv[2]), events
assert events["late_after_idle"] == 0 and events["future_by_clock"] == 0 and events["undecided"] == 0, events
for fate in ("invalid", "ignored", "future", "late", "duplicate", "impressions", "feedback"):
    assert events[fate] > 0, (fate, events)
for outcome in ("credited", "repeated", "organic", "not_in_list", "unmatched"):
    assert feedback[outcome] > 0 or outcome == "repeated", (outcome, feedback)
assert feedback["pending"] == 0, feedback
PY
echo "one_result_test: $wanted rows, the same bytes from attach, replay and replay of a dump"

for partitions in 1 4 12; do
  name=laid$partitions
  generate "$name" $partitions
  configuration $name "{topic: [$name.lists, $name.actions]}" >$name.yaml
  if ((partitions == 1)); then replay whole --config $name.yaml; fi
  attach $name "$(rows whole.rows)"
  cmp whole.rows $name.windows || fail "$partitions partitions give other rows"
  python3 - whole.report $name.live <<'PY' || fail "$partitions partitions give other fates"
import json, sys
one, other = (json.load(open(path)) for path in sys.argv[1:3])
assert one["events"]["late"] == 0, one["events"]
marks = len(other["partitions"]) - len(one["partitions"])  # each partition has one
for events in (other["events"],):
    events["read"] -= marks
    events["ignored"] -= marks
assert one["events"] == other["events"] and one["feedback"] == other["feedback"], (one["events"], other["events"])
PY
done
echo "one_result_test: $(rows whole.rows) rows, the same bytes from 1, 4 and 12 partitions"
