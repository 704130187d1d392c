#!/usr/bin/env bash
# recmeter attach while its broker is killed and started again, on a real broker: outage_test.sh PROGRAM PRODUCE VERSION
name=outage_test
# shellcheck source-path=SCRIPTDIR source=live.sh
source "$(dirname "$0")/live.sh"

make_log 30000 10 4
configuration one
send 0
"$kafka" stop --data "$data"
start one
within 15 says one "no broker of $bootstrap answers" || fail "a broker that is down at the start is not said: $(<one.said)"
"$kafka" restart --data "$data" >/dev/null
within 60 has_rows one.jsonl 1 || fail "it does not begin when the broker is there: $(<one.said)"
for piece in {1..9}; do
  send "$piece"
  "$kafka" kill --data "$data"
  sleep 0.$((piece * 37 % 10))
  "$kafka" restart --data "$data" >/dev/null
done
"$kafka" kill --data "$data"
"$kafka" restart --data "$data" >/dev/null
replayed one whole.rows
within 60 has_rows one.jsonl "$wanted" || fail "$(rows one.jsonl) of $wanted rows after ten kills: $(<one.said)"
end "$pid"
cmp whole.rows one.jsonl || fail "a run whose broker was killed ten times gives other rows than a replay"
! says one "recreated\|are gone\|no longer exists" || fail "something is lost: $(<one.said)"
(($(wc -l <one.said) < 60)) || fail "it says too much: $(wc -l <one.said) lines"
echo "outage_test: $wanted rows, the same bytes; said:"
cat one.said
