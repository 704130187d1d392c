#!/usr/bin/env bash
# recmeter attach on a real broker, killed again and again: attach_test.sh PROGRAM PRODUCE VERSION
set -euo pipefail
program=$(realpath "$1") produce=$(realpath "$2") version=$3
kafka=$(cd "$(dirname "$0")/../.." && pwd)/scripts/kafka
scratch=$(mktemp -d)
export TMPDIR=$scratch # the brokers of others are not ours to find
data=$scratch/recmeter-kafka.test
running=

fail() { echo "attach_test: $1" >&2; exit 1; }
leave() {
  [[ -z $running ]] || kill -KILL "$running" 2>/dev/null || true
  [[ ! -f $data/broker ]] || "$kafka" down --data "$data"
  rm -rf "$scratch"
}
trap leave EXIT

"$kafka" up --data "$data" --version "$version" --owner $$ >"$scratch/facts"
bootstrap=$(sed -n 's/^bootstrap=//p' "$scratch/facts")
cd "$scratch"

# Every partition ends with an event that takes the watermark beyond the last window.
"$program" generate --quiet --lists 60000 --hours 12 --rows 0.2 --empty-lists 0.05 --disorder 20s --duplicates 0.01 --late 0.01 \
  --malformed 0.01 --output log.jsonl
python3 - <<'PY'
parts = [open(f"part{p}.jsonl", "wb") for p in range(4)]
for number, line in enumerate(line for line in open("log.jsonl", "rb").read().split(b"\n") if line.strip()):
    parts[number % 4].write(line.rstrip(b"\r") + b"\n")
for part in parts:
    part.write(b'{"type":"tick","ts":1700100000000}\n')
PY
"$produce" "$bootstrap" log part0.jsonl part1.jsonl part2.jsonl part3.jsonl
: >nothing
"$produce" "$bootstrap" rows nothing

cat >live.yaml <<YAML
inputs: [{topic: log}]
kafka: {brokers: "$bootstrap"}
windows:
  - {name: minute, size: 1m}
  - {name: hour, size: 1h, slide: 5m}
segments: [[variant]]
metrics: {cutoffs: [5, 10], names: [precision, mrr, ndcg_list, recall, distinct_items]}
state: {dir: state, checkpoint_every: 100ms}
publish: {file: {path: windows.jsonl}, kafka: {topic: rows}}
YAML
code=0
"$program" replay --progress none --format jsonl --config live.yaml --output whole.rows --report whole.report 2>said || code=$?
((code == 0 || code == 3)) || fail "replay: exit code $code: $(<said)"
! grep -q '"stage":"truncated"' whole.rows || fail "the last events are not beyond all windows"
wanted=$(wc -l <whole.rows)

rows() { if [[ -f windows.jsonl ]]; then wc -l <windows.jsonl; else echo 0; fi; }
kills=0
for nap in 0.2 0.35 0.5 0.25 0.6 0.3 0.8 0.4; do
  "$program" attach --config live.yaml --threads $((kills % 3 + 1)) 2>>said &
  running=$!
  sleep $nap
  kill -KILL "$running" 2>/dev/null || fail "attach ended by itself: $(<said)"
  wait "$running" 2>/dev/null || true
  kills=$((kills + 1))
  echo "attach_test: killed after ${nap} s, $(rows) of $wanted rows"
done
"$program" attach --config live.yaml 2>>said &
running=$!
for ((tenths = 0; tenths < 600 && $(rows) < wanted; ++tenths)); do sleep 0.1; done
kill -TERM "$running"
code=0
wait "$running" || code=$?
running=
((code == 0)) || fail "asked to end: exit code $code: $(<said)"
cmp whole.rows windows.jsonl || fail "a live run gives other rows than a replay of its topics"

# The topic has every row, some of them again, each with the same bytes.
kcat -C -q -e -o beginning -b "$bootstrap" -t rows -f '%k\t%s\n' >published
sort -u published >published.once
(($(wc -l <published.once) == wanted)) || fail "$(wc -l <published.once) different rows in the topic, not $wanted"
(($(cut -f 1 published.once | sort -u | wc -l) == wanted)) || fail "a row's identity is there with different bytes"
cut -f 2 published.once | sort | cmp - <(sort whole.rows) || fail "the topic has other rows than the file"

# It goes on where it was: nothing again, and nothing more.
timeout --preserve-status -s TERM 3 "$program" attach --config live.yaml 2>>said || fail "again: exit code $?"
cmp whole.rows windows.jsonl || fail "a run without news changes the rows"

expect_unusable() { # TEXT
  code=0
  timeout 20 "$program" attach --config other.yaml >/dev/null 2>said || code=$?
  ((code == 4)) || fail "exit code $code, not 4: $(<said)"
  grep -q "$1" said || fail "it does not say '$1': $(<said)"
}
mkdir foreign && touch foreign/photo.jpg
sed 's/dir: state/dir: foreign/' live.yaml >other.yaml
expect_unusable "not recmeter's"
sed 's/dir: state/dir: no\/where/' live.yaml >other.yaml
expect_unusable "make its parent directory"
echo "attach_test: $kills kills, $wanted rows, the same bytes; $(wc -l <published) published to the topic"
