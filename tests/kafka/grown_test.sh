#!/usr/bin/env bash
# recmeter attach whose topic gets more partitions, on a real broker: grown_test.sh PROGRAM PRODUCE VERSION
name=grown_test
# shellcheck source-path=SCRIPTDIR source=live.sh
source "$(dirname "$0")/live.sh"

make_log 30000 2 3
configuration one "  properties: {topic.metadata.refresh.interval.ms: 1000}"
send 0
start one
within 30 has_rows one.jsonl 10 || fail "nothing is published: $(<one.said)"

# The second half comes in five partitions.
python3 - <<'PY'
import glob
lines = [line for path in sorted(glob.glob("part1?.jsonl")) for line in open(path, "rb") if b'"tick"' not in line]
for p in range(5):
    with open(f"part1{p}.jsonl", "wb") as part:
        part.writelines(lines[p::5])
        part.write(b'{"type":"tick","ts":1700100000000}\n')
PY
tool TopicCommand --alter --topic log --partitions 5
within 30 says one "more partitions than before" || fail "new partitions are not noticed: $(<one.said)"
within 10 says one "5 partitions; going on" || fail "it does not go on with them: $(<one.said)"
send 1
replayed one whole.rows
within 30 has_rows one.jsonl "$wanted" || fail "$(rows one.jsonl) of $wanted rows: $(<one.said)"
end "$pid"
cmp whole.rows one.jsonl || fail "a run whose topic has grown gives other rows than a replay"
echo "grown_test: $wanted rows, the same bytes; said:"
cat one.said
