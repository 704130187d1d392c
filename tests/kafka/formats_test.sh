#!/usr/bin/env bash
# Avro and Protobuf as Confluent's own client writes them, with a schema registry: formats_test.sh PROGRAM PRODUCE VERSION
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=prelude.sh
. "$(dirname "$0")/prelude.sh" "$@"

# Its own packages, so that nothing of the machine's decides.
if ! { python3 -m venv "$scratch/venv" && "$scratch/venv/bin/pip" install -q "confluent-kafka[avro,protobuf]==2.16.0"; } 2>pip.said >&2; then
  echo "formats_test: skipped: pip cannot install confluent-kafka: $(tail -n 1 pip.said)" >&2
  exit 77
fi
python=$scratch/venv/bin/python

"$program" generate --quiet --lists 5000 --hours 12 --rows 0.2 --disorder 20s --duplicates 0.01 --late 0.01 --output log.jsonl
python3 - <<'PY'
parts = [open(f"part{p}.jsonl", "wb") for p in range(4)]
for number, line in enumerate(line for line in open("log.jsonl", "rb").read().split(b"\n") if line.strip()):
    parts[number % 4].write(line + b"\n")
PY
cat >shop.proto <<'PROTO'
syntax = "proto3";
package shop;
message Other {}
message Event {
  message Shown { repeated string items = 1; }
  int64 ts = 1;
  optional int32 position = 2;
  Shown shown = 3;
  map<string, string> segments = 4;
  string type = 5;
  string user_id = 6;
  string list_id = 7;
  string item_id = 8;
  string event_id = 9;
  optional double value = 10;
  optional double score = 11;
  optional double propensity = 12;
}
PROTO
"$python" "$here/registry_stub.py" port says shop.proto 2>registry.said &
registry_pid=$!
leave_all() { kill "$registry_pid" 2>/dev/null || true; leave; }
trap leave_all EXIT
for ((tenths = 0; tenths < 100; ++tenths)); do [[ ! -s port ]] || break; sleep 0.1; done
registry=http://127.0.0.1:$(<port)

for topic in avro avro_header protobuf; do
  "$kafka" tool --data "$data" TopicCommand --create --topic $topic --partitions 4 >/dev/null
done
"$kafka" tool --data "$data" TopicCommand --create --topic broken --partitions 1 >/dev/null
"$produce" "$bootstrap" json part0.jsonl part1.jsonl part2.jsonl part3.jsonl
"$python" "$here/produce_formats.py" "$bootstrap" "$registry" part

configuration() { # INPUT
  cat <<YAML
inputs: [{$1}]
kafka: {brokers: "$bootstrap"}
windows:
  - {name: minute, size: 1m}
  - {name: hour, size: 1h, slide: 5m}
segments: [[variant]]
metrics: {cutoffs: [5, 10], names: [precision, mrr, ndcg_list, recall]}
YAML
}
registered="registry: {url: \"$registry\"}"
configuration "topic: json" >json.yaml
configuration "topic: avro, format: avro, $registered" >avro.yaml
configuration "topic: avro_header, format: avro, $registered" >avro_header.yaml
configuration "topic: protobuf, format: protobuf, $registered, fields: {items: shown.items}" >protobuf.yaml
replay json --config json.yaml
[[ -s json.rows ]] || fail "there are no rows"
for topic in avro avro_header protobuf; do
  replay $topic --config $topic.yaml
  cmp json.rows $topic.rows || fail "$topic gives other rows than JSON lines: $(<$topic.said)"
  sed "s#\"$topic/#\"json/#" $topic.report >$topic.json_report
  same_report json.report $topic.json_report
done
for topic in json avro protobuf; do
  for threads in 1 2 8; do
    replay by_threads --config $topic.yaml --threads $threads
    cmp json.rows by_threads.rows || fail "$topic gives other rows with $threads threads: $(<by_threads.said)"
  done
done

# A dump of the topic is the topic.
kcat -C -J -q -e -o beginning -b "$bootstrap" -t avro >dump.jsonl
configuration "file: dump.jsonl, format: kcat, $registered" >dump.yaml
replay dump --config dump.yaml
cmp json.rows dump.rows || fail "a dump gives other rows than its topic: $(<dump.said)"

# What is wrong with a message is counted for what it is.
configuration "topic: broken, format: avro, $registered" >broken.yaml
replay broken --config broken.yaml
python3 - <<'PY' || fail "broken messages have other reasons: $(<broken.report)"
import json
assert json.load(open("broken.report"))["invalid_reasons"] == {"not_avro": 1, "no_frame": 1, "unknown_schema": 1}
PY

# attach: the registry is down when it begins, and is waited for.
echo 500 >says
{
  cat avro.yaml
  echo "state: {dir: state}"
  echo "publish: {file: {path: live.rows}, http: {listen: \"127.0.0.1:0\"}}"
} >live.yaml
"$program" attach --config live.yaml >out 2>said &
running=$!
for ((tenths = 0; tenths < 300; ++tenths)); do
  ! grep -q "cannot be asked for schema id" said || break
  kill -0 "$running" || fail "attach ended by itself: $(<said)"
  sleep 0.1
done
grep -q "cannot be asked for schema id" said || fail "attach does not say that the registry is down: $(<said)"
url=$(grep -o 'http://127.0.0.1:[0-9]*' said | head -n 1)
[[ $(rows live.rows) == 0 ]] || fail "rows without a schema"
for ((tenths = 0; tenths < 300; ++tenths)); do # until the run has a round behind it
  ! curl -s "$url/readyz" | grep -q "schema registry" || break
  sleep 0.1
done
curl -s "$url/readyz" | grep -q "schema registry" || fail "/readyz does not name the registry: $(curl -s "$url/readyz")"
rm says
final=$(grep -c '"stage":"final"' json.rows)
wait_for_rows live.rows $((final * 9 / 10))
end_attach
python3 - <<'PY' || fail "attach publishes other rows than the replay of the JSON lines"
whole = set(open("json.rows"))
live = open("live.rows").read().splitlines(keepends=True)
assert live and all(row in whole for row in live), [row for row in live if row not in whole][:1]
PY
echo "formats_test: $(rows json.rows) rows, $(rows live.rows) of them live"
