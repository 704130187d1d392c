#!/usr/bin/env bash
# A topic that is compacted while it is read, on a real broker: compacted_test.sh PROGRAM PRODUCE VERSION
name=compacted_test
# shellcheck source-path=SCRIPTDIR source=live.sh
source "$(dirname "$0")/live.sh"

make_log 20000 2 1
# Each third line of the first piece, and its last one, has a key that an event of no account takes later. Left is the log
# without them.
python3 - <<'PY'
first, second = (open(f"part{piece}0.jsonl", "rb").read().splitlines() for piece in (0, 1))
goes = [i % 3 == 0 or i == len(first) - 1 for i in range(len(first))]
tick = b'{"type":"tick","ts":1699920000000}'
with open("keyed0", "wb") as keyed:
    keyed.writelines(b"%d\t%s\n" % (i, line) for i, line in enumerate(first))
with open("keyed1", "wb") as keyed:
    keyed.writelines(b"%d\t%s\n" % (i, tick) for i in range(len(first)) if goes[i])
    keyed.writelines(b"later%d\t%s\n" % (i, line) for i, line in enumerate(second))
with open("left.jsonl", "wb") as left:
    left.writelines(line + b"\n" for i, line in enumerate(first) if not goes[i])
    left.writelines(line + b"\n" for line in second)
PY
put() { kcat -P -b "$bootstrap" -X message.max.bytes=8388608 -t log -p 0 -K $'\t' "$@"; }
records() { kcat -C -q -e -o beginning -b "$bootstrap" -t log -f '\n' | wc -l; }

cat part?0.jsonl >all.jsonl
"$produce" "$bootstrap" all all.jsonl
"$produce" "$bootstrap" left left.jsonl
for topic in all left; do
  configuration $topic
  sed -i "s/topic: log/topic: $topic/" $topic.yaml
done
replayed left left.rows
left_rows=$wanted
replayed all all.rows
! cmp -s all.rows left.rows || fail "what is to be taken away makes no difference"

tool TopicCommand --create --topic log --partitions 1 --config cleanup.policy=compact --config segment.ms=500 \
  --config min.cleanable.dirty.ratio=0.001 --config max.compaction.lag.ms=1000 --config max.message.bytes=8388608 >/dev/null
put -l keyed0
configuration early
start early
within 30 has_rows early.jsonl 10 || fail "nothing is published: $(<early.said)"
# Rows come while there is something to read: all of it has to be read before it is compacted.
stands_still() { local before; before=$(rows early.jsonl); sleep 3; (($(rows early.jsonl) == before)); }
within 60 stands_still || fail "rows do not end: $(<early.said)"
end "$pid"

put -l keyed1
sent=$(records)
is_compacted() { # what comes now begins a segment, and those before it may be compacted
  printf 'roll\t{"type":"tick","ts":1699920000000}\n' | put
  (($(records) < sent))
}
within 90 is_compacted || fail "nothing is compacted: $(records) records"

# Who read all of it before has all of it; that its last record is gone is no reason to take the topic for another.
start early
within 60 has_rows early.jsonl "$wanted" || fail "$(rows early.jsonl) of $wanted rows: $(<early.said)"
end "$pid"
cmp all.rows early.jsonl || fail "compaction of what was read changes rows"
says early "no longer exists (compacted?)" || fail "it does not say that its last record is gone: $(<early.said)"
! says early "recreated" || fail "a compacted topic is taken for another: $(<early.said)"

# Who comes now has what is left.
configuration late
start late
within 60 has_rows late.jsonl "$left_rows" || fail "$(rows late.jsonl) of $left_rows rows: $(<late.said)"
end "$pid"
cmp left.rows late.jsonl || fail "a compacted topic gives other rows than what is left of it"
says late "there are no records at offsets" || fail "the holes are not said: $(<late.said)"
replayed late late.rows
cmp left.rows late.rows || fail "a replay of a compacted topic gives other rows"
echo "compacted_test: $sent records, $(records) of them left; $wanted rows before, $left_rows after"
