#!/usr/bin/env bash
# A topic with offsets that hold no record, written in transactions, on a real broker: holes_test.sh PROGRAM PRODUCE VERSION
name=holes_test
# shellcheck source-path=SCRIPTDIR source=live.sh
source "$(dirname "$0")/live.sh"

make_log 20000 2 2
send 0 plain
send 1 plain
configuration plain
sed -i 's/topic: log/topic: plain/' plain.yaml
replayed plain plain.rows

# Each transaction of 50 lines leaves a marker, and each third its lines a second time, which were never to be read.
"$produce" --transactions 50 "$bootstrap" log part0?.jsonl
configuration one
start one
within 30 has_rows one.jsonl 10 || fail "nothing is published: $(<one.said)"
end "$pid"
"$produce" --transactions 50 "$bootstrap" log part1?.jsonl
start one
within 60 has_rows one.jsonl "$wanted" || fail "$(rows one.jsonl) of $wanted rows: $(<one.said)"
end "$pid"
cmp plain.rows one.jsonl || fail "transactions make other rows"
says one "there are no records at offsets" || fail "the holes are not said: $(<one.said)"
! says one "gone" || fail "what was never there is said to be gone: $(<one.said)"
code=0
"$program" replay --progress none --format jsonl --config one.yaml --output replay.rows 2>replay.said || code=$?
((code == 0 || code == 3)) || fail "replay: exit code $code: $(<replay.said)"
cmp plain.rows replay.rows || fail "a replay of transactions gives other rows"
written=$(tool GetOffsetShell --topic log | awk -F : '{offsets += $3} END {print offsets}')
lines=$(cat part??.jsonl | wc -l)
((written > lines * 5 / 4)) || fail "there are no holes: $written offsets for $lines lines"
echo "holes_test: $lines records at $written offsets, $wanted rows the same"
