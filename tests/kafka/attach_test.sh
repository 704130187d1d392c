#!/usr/bin/env bash
# recmeter attach on a real broker, killed again and again: attach_test.sh PROGRAM PRODUCE VERSION
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=prelude.sh
. "$(dirname "$0")/prelude.sh" "$@"

make_log 60000
# Every partition ends with an event that takes the watermark beyond the last window.
for part in part?.jsonl; do echo '{"type":"tick","ts":1700100000000}' >>"$part"; done
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
publish: {file: {path: windows.jsonl}, kafka: {topic: rows}, http: {listen: "127.0.0.1:0"}}
YAML
"$program" validate live.yaml --connect 2>found >/dev/null || fail "validate --connect: $(<found)"
grep -q 'topic log has 4 partitions' found || fail "validate --connect says of the topics: $(<found)"
sed 's/topic: log/topic: nowhere/' live.yaml >wrong.yaml
if "$program" validate wrong.yaml --connect 2>found >/dev/null; then fail "validate --connect finds a topic that is not there"; fi
grep -q 'there is no such topic' found || fail "validate --connect says of a topic that is not there: $(<found)"

replay whole --config live.yaml
! grep -q '"stage":"truncated"' whole.rows || fail "the last events are not beyond all windows"
wanted=$(wc -l <whole.rows)

kills=0
for nap in 0.2 0.35 0.5 0.25 0.6 0.3 0.8 0.4; do
  "$program" attach --config live.yaml --threads $((kills % 3 + 1)) 2>>said &
  running=$!
  sleep $nap
  kill -KILL "$running" 2>/dev/null || fail "attach ended by itself: $(<said)"
  wait "$running" 2>/dev/null || true
  kills=$((kills + 1))
  echo "attach_test: killed after ${nap} s, $(rows windows.jsonl) of $wanted rows"
done
"$program" attach --config live.yaml 2>last &
running=$!
wait_to_begin last
wait_for_rows windows.jsonl "$wanted"
# What is kept for queries, over all kills, is what was published.
python3 - "$(sed -n 's/.*dashboard: //p' last)" <<'PY' || fail "the API has other rows than were published"
import json, sys, urllib.parse, urllib.request

rows = [json.loads(line) for line in open("whole.rows")]
for window in ("minute", "hour"):
    for segment in [{}] + [{"variant": v} for v in sorted({r["segment"].get("variant") for r in rows} - {None})]:
        wanted = [r for r in rows if r["window"] == window and r["segment"] == segment]
        query = {"window": window, "limit": 1000, "stage": "final", "segment": ",".join(f"{k}:{v}" for k, v in segment.items())}
        found, cursor = [], None
        while cursor is not None or not found:
            if cursor:
                query["cursor"] = cursor
            with urllib.request.urlopen(f"{sys.argv[1]}/api/v1/windows?{urllib.parse.urlencode(query)}") as answer:
                page = json.load(answer)
            assert page["rows"], query
            found += page["rows"]
            cursor = page["next"]
        assert found == wanted, (window, segment, len(found), len(wanted))
PY
end_attach
cmp whole.rows windows.jsonl || fail "a live run gives other rows than a replay of its topics"

# The topic has every row, some of them again, each with the same bytes, and none that may change after one that may not.
kcat -C -q -e -o beginning -b "$bootstrap" -t rows -f '%k\t%s\n' >all
python3 - <<'PY' || fail "a provisional row comes after its final one"
finals = set()
for line in open("all"):
    key, row = line.split("\t", 1)
    assert '"stage":"final"' in row or key not in finals, line
    if '"stage":"final"' in row:
        finals.add(key)
PY
grep '"stage":"final"' all >published
sort -u published >published.once
(($(wc -l <published.once) == wanted)) || fail "$(wc -l <published.once) different rows in the topic, not $wanted"
(($(cut -f 1 published.once | sort -u | wc -l) == wanted)) || fail "a row's identity is there with different bytes"
cut -f 2 published.once | sort | cmp - <(sort whole.rows) || fail "the topic has other rows than the file"

# It goes on where it was: nothing again, and nothing more.
timeout --foreground --preserve-status -s TERM 3 "$program" attach --config live.yaml 2>>said || fail "again: exit code $?"
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
expect_unusable "create its parent directory"
echo "attach_test: $kills kills, $wanted rows, the same bytes; $(wc -l <published) published to the topic"
