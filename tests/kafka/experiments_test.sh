#!/usr/bin/env bash
# Experiments on a real broker: experiments_test.sh PROGRAM PRODUCE VERSION
#
# An attach that is killed again and again leaves the looks of a replay of its topic, in its file and in its topic. It does
# not go on with an experiment that was changed.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=prelude.sh
. "$(dirname "$0")/prelude.sh" "$@"

make_log 40000
for part in part?.jsonl; do echo '{"type":"tick","ts":1700100000000}' >>"$part"; done
"$produce" "$bootstrap" log part0.jsonl part1.jsonl part2.jsonl part3.jsonl
: >nothing
"$produce" "$bootstrap" looks nothing

cat >live.yaml <<YAML
inputs: [{topic: log}]
kafka: {brokers: "$bootstrap"}
windows: [{name: hour, size: 1h}]
metrics: {cutoffs: [10], names: [precision, mrr, ndcg_list]}
limits: {invalid_share: 1, lost_share: 1}
experiments:
  - name: often
    arms: {key: variant, values: [A, B], control: A}
    start: 2023-11-14T00:00:00Z
    duration: 11h
    every: 5m
    primary: [{metric: "precision@10", mde: 0.05}]
    secondary: [{metric: "ndcg_list@10", mde: 0.05}, {metric: "mrr@10", mde: 0.05}]
  - name: before
    arms: {key: variant, values: [A, B], control: B}
    start: 2023-11-14T03:00:00Z
    duration: 6h
    every: 10m
    primary: [{metric: "mrr@10", mde: 0.05}]
    cuped: {before: 3h}
state: {dir: state, checkpoint_every: 50ms}
publish:
  experiments: {file: looks.jsonl, topic: looks}
  file: {path: windows.jsonl}
  http: {listen: off}
YAML
replay whole --config live.yaml --experiments whole.looks
wanted=$(rows whole.looks)
((wanted > 100)) || fail "$wanted looks"

kills=0
for nap in 0.25 0.4 0.55 0.3 0.7; do
  "$program" attach --config live.yaml --threads $((kills % 2 + 1)) 2>>said &
  running=$!
  sleep $nap
  kill -KILL "$running" 2>/dev/null || fail "attach ended by itself: $(<said)"
  wait "$running" 2>/dev/null || true
  kills=$((kills + 1))
done
# Rows behind the last checkpoint are taken back when a run begins. The signal may come before they are there again: then the
# next run goes on.
for _ in 1 2 3; do
  "$program" attach --config live.yaml --report last.report 2>last &
  running=$!
  wait_to_begin last
  wait_for_rows looks.jsonl "$wanted"
  wait_for_rows windows.jsonl "$(rows whole.rows)"
  end_attach
  if cmp -s whole.looks looks.jsonl && cmp -s whole.rows windows.jsonl; then break; fi
done
cmp whole.looks looks.jsonl || fail "attach gives other looks than a replay of its topic"
cmp whole.rows windows.jsonl || fail "attach gives other rows than a replay of its topic"
final() { python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["rows"]["final"])' "$1"; }
[[ $(final last.report) == "$(final whole.report)" ]] || fail "attach counts $(final last.report) final rows: looks are none"

# A kill may leave a look in the topic twice, with one value.
kcat -C -q -e -o beginning -b "$bootstrap" -t looks | LC_ALL=C sort -u >taken
LC_ALL=C sort whole.looks | cmp - taken || fail "the topic has other looks than the file"

sed 's/mde: 0.05}\]/mde: 0.1}]/' live.yaml >changed.yaml
code=0
"$program" attach --config changed.yaml 2>changed || code=$?
if ((code != 4)) || ! grep -q 'experiment often runs since' changed; then
  fail "exit code $code, a changed experiment: $(<changed)"
fi
echo "experiments_test: $kills kills, $wanted looks, the same bytes"
