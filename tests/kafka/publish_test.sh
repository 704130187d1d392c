#!/usr/bin/env bash
# The output topic of recmeter attach is gone, takes no large rows, or its broker is frozen: publish_test.sh PROGRAM PRODUCE VERSION
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=prelude.sh
. "$(dirname "$0")/prelude.sh" "$@"

make_log 20000
for part in part?.jsonl; do echo '{"type":"tick","ts":1700100000000}' >>"$part"; done
"$produce" "$bootstrap" log part0.jsonl part1.jsonl part2.jsonl part3.jsonl
cat >live.yaml <<YAML
inputs: [{topic: log}]
kafka: {brokers: "$bootstrap"}
windows: [{name: minute, size: 1m}, {name: hour, size: 1h, slide: 1m}]
segments: [[variant], [surface]]
join: {horizons: [10m, 1h]}
metrics: {cutoffs: [10], names: [precision]}
state: {dir: state, checkpoint_every: 100ms}
publish: {file: {path: windows.jsonl}, kafka: {topic: rows}, http: {listen: "127.0.0.1:0"}}
YAML
replay whole --config live.yaml
wanted=$(wc -l <whole.rows)
((wanted > 12000)) || fail "only $wanted rows: not more than a publisher holds"

page() { sed -n 's/.*dashboard: \(http[^ ;]*\).*/\1/p' said | head -1; }
ready() { curl -s -o answer -w '%{http_code}' --max-time 5 "$(page)/$1" || true; }
until_says() { # TEXT
  local tenths
  for ((tenths = 0; tenths < 300; ++tenths)); do
    ! grep -q -- "$1" said || return 0
    kill -0 "$running" 2>/dev/null || fail "attach ended by itself: $(<said)"
    sleep 0.1
  done
  fail "attach does not say '$1': $(<said)"
}
metric() { curl -s "$(page)/metrics" | sed -n "s/^$1 //p"; }
start() { "$program" attach --config live.yaml 2>said & running=$!; }
topic() { "$kafka" tool --data "$data" TopicCommand "$@" >/dev/null; }
finals() { kcat -C -q -e -o beginning -b "$bootstrap" -t rows -f '%s\n' | grep -c '"stage":"final"' || true; }
within_a_minute() {
  local tenths
  for ((tenths = 0; tenths < 300; ++tenths)); do
    ! "$@" || return 0
    sleep 0.1
  done
  return 1
}
all_made() { [[ $(metric 'recmeter_rows_total{stage="final"}') == "$wanted" ]]; }
all_published() { [[ $(metric recmeter_rows_waiting) == 0 ]]; }
is_unready() { [[ $(ready readyz) == 503 ]] && grep -q "rows cannot be published" answer; }
is_ready() { [[ $(ready readyz) == 200 ]]; }

# A topic that takes no row: it is told, the run is not ready, and evaluates.
topic --create --topic rows --partitions 1 --config max.message.bytes=100
start
until_says 'rows does not take a message of .* raise its max.message.bytes'
within_a_minute is_unready || fail "ready, with rows that nobody takes: $(page) $(ready readyz) $(cat answer) $(<said)"
within_a_minute all_made || fail "$(metric 'recmeter_rows_total{stage="final"}') of $wanted rows are final: $(<said)"
[[ $(ready livez) == 200 ]] || fail "not alive, with rows that nobody takes"

# More of them than a publisher holds, and a broker that answers nobody: the run lives, and ends when it is asked to.
broker=$(sed -n 's/^pid=//p' facts)
kill -STOP "$broker"
sleep 3 # of silence, with nothing to wait for
[[ $(ready livez) == 200 ]] || fail "not alive beside a frozen broker"
begun=$SECONDS
end_attach
((SECONDS - begun < 30)) || fail "took $((SECONDS - begun)) s to end beside a frozen broker"
kill -CONT "$broker"

# The topic is gone: the same from the start, until it is there again.
topic --delete --topic rows
start
until_says 'there is no topic rows'
refused() { (($(metric recmeter_publish_errors_total) > 0)); }
within_a_minute refused || fail "a topic that is not there has refused nothing"
within_a_minute is_unready || fail "ready without the topic"
topic --create --topic rows --partitions 1
until_says 'rows are published again'
within_a_minute all_published || fail "$(metric recmeter_rows_waiting) rows wait: $(<said)"
within_a_minute is_ready || fail "not ready again: $(<answer)"
(($(finals) >= wanted)) || fail "only $(finals) of $wanted rows in the topic"
end_attach
cmp whole.rows windows.jsonl || fail "the file has other rows than a replay"
echo "publish_test: $wanted rows waited for their topic, and came"
