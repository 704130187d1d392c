#!/usr/bin/env bash
# recmeter attach whose topic loses records before they are read, on a real broker: gap_test.sh PROGRAM PRODUCE VERSION
name=gap_test
# shellcheck source-path=SCRIPTDIR source=live.sh
source "$(dirname "$0")/live.sh"

offsets_end() { tool GetOffsetShell --topic log --partitions "$1" | cut -d : -f 3; }
delete_before() { # PARTITION OFFSET
  echo "{\"version\":1,\"partitions\":[{\"topic\":\"log\",\"partition\":$1,\"offset\":$2}]}" >delete.json
  tool DeleteRecordsCommand --offset-json-file delete.json >/dev/null
}

make_log 40000 4 4
for piece in 0 1 2 3; do send $piece whole; done
configuration one
sed 's/topic: log/topic: whole/' one.yaml >whole.yaml
replayed whole whole.rows

send 0
start one
within 30 has_rows one.jsonl 10 || fail "nothing is published: $(<one.said)"
end "$pid"
before=$(rows one.jsonl)

# Gone while it was not there: the first half of what is new in one partition.
read_to=$(wc -l <part00.jsonl)
send 1
gone=$((read_to + $(wc -l <part10.jsonl) / 2))
delete_before 0 $gone
sed 's/group: evaluation/group: evaluation\n  on_gap: stop/' one.yaml >stop.yaml
start stop
ends 1 "$pid" stop
says stop "log/0: the records from offset $read_to on are gone .*Set kafka.on_gap" || fail "on_gap: stop says: $(<stop.said)"
start one
within 20 says one "log/0: the records from offset $read_to on are gone .*goes on at offset $gone" ||
  fail "the gap is not said: $(<one.said)"
within 20 has_rows one.jsonl $((before + 10)) || fail "it does not go on after a gap: $(<one.said)"

# Gone while it could not read: retention overtakes it.
kill -STOP "$pid"
send 2
end_of_3=$(offsets_end 3)
delete_before 3 "$end_of_3"
kill -CONT "$pid"
send 3
within 40 has_rows one.jsonl "$wanted" || fail "$(rows one.jsonl) of $wanted rows: $(<one.said)"
within 5 says one "log/3: .*goes on at offset $end_of_3" || fail "the second gap is not said: $(<one.said)"
(($(grep -c 'are gone' one.said) == 2)) || fail "a gap is said more than once: $(<one.said)"
end "$pid"

python3 - "$before" <<'PY' || fail "rows are not marked as they should be"
import json, sys
def rows_of(path):
    rows = {}
    for line in open(path):
        row = json.loads(line)
        rows[(row["window"], row["start"], row["horizon"], json.dumps(row["segment"]))] = row
    return rows
whole, live = rows_of("whole.rows"), rows_of("one.jsonl")
assert whole.keys() == live.keys()
marked = [key for key, row in live.items() if "gap" in row["incomplete"]]
differ = [key for key, row in live.items() if row != whole[key]]
unmarked = [key for key in differ if key not in set(marked)]
assert not unmarked, unmarked[:5]
assert any(live[key]["lists"] != whole[key]["lists"] for key in marked), "nothing was lost"
assert 0 < len(marked) < len(live) * 0.9, (len(marked), len(live))
first = [json.loads(line) for line in open("one.jsonl")][:int(sys.argv[1])]
assert not any("gap" in row["incomplete"] for row in first)
print(f"gap_test: {len(marked)} of {len(live)} rows marked, {len(differ)} differ from those of the whole log, all of them marked")
PY
cat one.said
