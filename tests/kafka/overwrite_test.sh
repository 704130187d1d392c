#!/usr/bin/env bash
# recmeter attach with a new state, on a topic that has rows of the one before, on a real broker:
# overwrite_test.sh PROGRAM PRODUCE VERSION
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=prelude.sh
. "$(dirname "$0")/prelude.sh" "$@"

make_log 20000
for part in part?.jsonl; do echo '{"type":"tick","ts":1700100000000}' >>"$part"; done
"$produce" "$bootstrap" log part0.jsonl part1.jsonl part2.jsonl part3.jsonl
: >nothing
"$produce" "$bootstrap" rows nothing
"$produce" "$bootstrap" elsewhere nothing

cat >live.yaml <<YAML
inputs: [{topic: log}]
kafka: {brokers: "$bootstrap"}
windows: [{name: hour, size: 1h, slide: 5m}]
metrics: {cutoffs: [10], names: [precision]}
state: {dir: state, checkpoint_every: 100ms}
publish: {file: {path: windows.jsonl}, kafka: {topic: rows}, http: {listen: off}}
YAML
sed 's/path: windows/path: another/' live.yaml >another.yaml
replay whole --config live.yaml
wanted=$(wc -l <whole.rows)

topic() { kcat -C -q -e -o beginning -b "$bootstrap" -t "$1" -f '%k\t%s\n' | grep '"stage":"final"' || true; }
run() { # FILE WANTED PROGRAM-ARGUMENT...
  local rows=$1 count=$2
  shift 2
  "$program" attach "$@" 2>said &
  running=$!
  wait_for_rows "$rows" "$count"
  end_attach
}
refused() { # TEXT PROGRAM-ARGUMENT...
  local text=$1 code=0
  shift
  timeout 60 "$program" attach "$@" >/dev/null 2>said || code=$?
  ((code == 4)) || fail "attach $*: exit code $code, not 4: $(<said)"
  grep -q -- "$text" said || fail "attach $* does not say '$text': $(<said)"
}

run windows.jsonl "$wanted" --config live.yaml
topic rows >first
(($(wc -l <first) == wanted)) || fail "$(wc -l <first) rows in the topic, not $wanted"

# The state is lost, and half of a partition with it: what is left gives worse rows.
mv state lost
echo '{"version":1,"partitions":[{"topic":"log","partition":0,"offset":5000}]}' >delete.json
"$kafka" tool --data "$data" DeleteRecordsCommand --offset-json-file delete.json >/dev/null
refused "publish.file.path .*windows.jsonl holds rows" --config live.yaml --overwrite
for _ in 1 2; do refused "topic rows holds final rows of default .*--overwrite" --config another.yaml; done
topic rows | cmp - first || fail "a new state that was refused has published"
[[ ! -s another.jsonl ]] || fail "a new state that was refused has written rows"

# The rows of others, and a topic of its own, are no hindrance.
sed 's/path: another/path: named/; s/dir: state/dir: named.state/; 1i name: default2' another.yaml >named.yaml
run named.jsonl 1 --config named.yaml
sed 's/path: another/path: elsewhere/; s/dir: state/dir: elsewhere.state/; s/topic: rows/topic: elsewhere/' another.yaml \
  >elsewhere.yaml
run elsewhere.jsonl 1 --config elsewhere.yaml

# As asked for; and from the first checkpoint on the state is one that goes on.
run another.jsonl 1 --config another.yaml --overwrite
timeout --foreground --preserve-status -s TERM 3 "$program" attach --config another.yaml 2>said || fail "again: $(<said)"
(($(topic rows | grep -c '^{"evaluator":"default",.*"incomplete":\["start"\]') > $(grep -c '"incomplete":\["start"\]' first))) ||
  fail "what was asked for did not happen"

# The state that made them goes on, too.
rm -rf state
mv lost state
timeout --foreground --preserve-status -s TERM 3 "$program" attach --config live.yaml 2>said || fail "the old state: $(<said)"
cmp whole.rows windows.jsonl || fail "the old state publishes other rows"
echo "overwrite_test: $wanted rows stayed until they were to be overwritten"
