#!/usr/bin/env bash
# Records of schemas that the registry does not know, and good ones behind them: unknown_schemas_test.sh PROGRAM PRODUCE VERSION
#
# 1,500 of six bytes with random schema ids, and a registry that takes 20 ms for an answer: attach reads on, and says meanwhile
# what it waits for.
name=unknown_schemas_test
# shellcheck source-path=SCRIPTDIR source=live.sh
source "$(dirname "$0")/live.sh"
here=$(dirname "$kafka")/../tests/kafka
unknown=1500

python3 "$here/registry_stub.py" port says none 0.02 2>registry.said &
registry_pid=$!
running+=("$registry_pid")
within 20 test -s port || fail "the registry does not start: $(<registry.said)"
registry=http://127.0.0.1:$(<port)

"$program" generate --quiet --lists 1000 --hours 12 --rows 0.2 --output log.jsonl
seq 1699963200000 600000 1699974000000 | sed 's/.*/{"type":"tick","ts":&}/' >>log.jsonl # in steps beyond all windows
python3 "$here/unknown_schemas.py" "$registry" $unknown log.jsonl '|of the test|' >messages
tool TopicCommand --create --topic log --partitions 1 >/dev/null
kcat -P -b "$bootstrap" -t log -p 0 -D '|of the test|' -l messages

configuration live
sed "s#topic: log#file: log.jsonl#; /^kafka:/,/^ *group:/d; /^state:/d; s#publish:.*#publish: {file: {path: none}}#" live.yaml >whole.yaml
sed -i "s#topic: log#topic: log, format: avro, registry: {url: \"$registry\"}#; s/listen: off/listen: \"127.0.0.1:0\"/" live.yaml
replayed whole whole.rows
((wanted > 0)) || fail "there are no rows: $(<replay.said)"

url() { sed -n 's/.*dashboard: //p' live.said | tail -n 1; }
metrics() { curl -sS "$(url)/metrics"; }
is() { [[ $(metrics) == *$'\n'"$1"$'\n'* ]]; }
of_registry() { is "recmeter_registry_$1{registry=\"$registry\"} $2"; }
is_ready() { curl -fsS "$(url)/readyz" >/dev/null 2>&1; }
is_asking() { [[ $(curl -sS "$(url)/readyz" 2>/dev/null) == *"$registry is asked for "* ]]; }

: >live.said
begun=$(date +%s%N)
start live
within 60 is_asking || fail "/readyz does not say what it waits for: $(curl -sS "$(url)/readyz") $(<live.said)"
! of_registry asked 0 || fail "no question is open: $(metrics | grep registry)"
is 'recmeter_not_ready{reason="registry"} 1' || fail "the reason is another: $(metrics | grep not_ready)"
within 60 has_rows live.jsonl "$wanted" ||
  fail "$(rows live.jsonl) of $wanted rows after a minute: $(curl -sS "$(url)/readyz") $(<live.said)"
took=$((($(date +%s%N) - begun) / 1000000))
within 20 is_ready || fail "it is not ready behind them: $(curl -sS "$(url)/readyz")"
{ of_registry unknown $unknown && of_registry asked 0 && of_registry up 1; } || fail "its counts: $(metrics | grep registry)"
says live "is asked for [0-9]* schemas" || fail "no message says what it waits for: $(<live.said)"
curl -fsS "$registry/asked" >asked
kill "$registry_pid"
wait "$registry_pid" || true
end "$pid"
python3 - $unknown <<'PY' || fail "not each id is asked for once, several side by side: $(<asked)"
import json, sys
asked = json.load(open("asked"))
assert asked["questions"] == asked["ids"] == int(sys.argv[1]) + 1 and 2 <= asked["side_by_side"] <= 16
PY
# Nobody knows what the unknown ones were, so that more of the first windows may lack something.
starts() { grep -c '"incomplete":\["start"\]' "$1"; }
(($(starts live.jsonl) > $(starts whole.rows))) || fail "no row says that records before it are unknown"
for file in whole.rows live.jsonl; do sed -i 's/"incomplete":\["start"\]/"incomplete":[]/' $file; done
cmp whole.rows live.jsonl || fail "it gives other rows than the JSON lines"
echo "$name: $wanted rows behind $unknown unknown ids after $took ms: $(<asked)"
