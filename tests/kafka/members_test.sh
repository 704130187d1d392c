#!/usr/bin/env bash
# recmeter attach beside others of its group, on a real broker: members_test.sh PROGRAM PRODUCE VERSION
#
# The log comes in three parts. The second comes while another member holds half of the partitions, and is read when that one
# has left; the third while yet another holds them, and is read when that one was killed.
name=members_test
broker_options=(--set group.min.session.timeout.ms=1000)
# shellcheck source-path=SCRIPTDIR source=live.sh
source "$(dirname "$0")/live.sh"

group() { tool consumer.group.ConsumerGroupCommand --describe --group evaluation "$@" 2>&1; }

make_log 30000 3 4
for member in one two three; do
  configuration $member "  properties: {client.id: $member, session.timeout.ms: 3000, heartbeat.interval.ms: 300}"
done

send 0
start one
first=$pid
within 30 has_rows one.jsonl 1 || fail "the first publishes nothing: $(<one.said)"

start two
within 20 says one 'client two .*holds log/' || fail "the first does not name the other: $(<one.said)"
within 20 says two 'client one .*holds log/' || fail "the second does not name the first: $(<two.said)"
held=$(rows one.jsonl)
send 1
sleep 2
(($(rows one.jsonl) == held)) || fail "the first publishes while another holds partitions of its topic"
(($(rows two.jsonl) == 0)) || fail "the second publishes although it does not hold all partitions"
end "$pid"
# It has left: nobody waits for its session to run out.
within 3 has_rows one.jsonl $((held + 1)) || fail "the first does not go on when it is alone again: $(<one.said)"
says one "reading goes on" || fail "the first does not say that it goes on: $(<one.said)"

start three
within 20 says one 'client three .*holds log/' || fail "the first does not name the third: $(<one.said)"
send 2
sleep 1
kill -KILL "$pid"
wait "$pid" 2>/dev/null || true

replayed one whole.rows
within 30 has_rows one.jsonl "$wanted" || fail "$(rows one.jsonl) of $wanted rows after the third was killed: $(<one.said)"
cmp whole.rows one.jsonl || fail "a run that was held twice gives other rows than a replay of its topic"
(($(grep -c 'holds log/' one.said) == 2)) || fail "who holds what is said more than once per change: $(<one.said)"

end "$first"
# Tools see how far it is: as far as the topic goes. And it has left.
group >members || fail "the group cannot be described: $(<members)"
python3 - members <<'PY' || fail "committed offsets: $(<members)"
import sys
lines = [line.split() for line in open(sys.argv[1]) if line.startswith("evaluation ")]
assert len(lines) == 4, lines
assert all(line[3] == line[4] and line[5] == "0" for line in lines), lines
PY
group --members >members || true
grep -q "no active members" members || fail "one that has ended is still a member: $(<members)"

# Two that say they are the same: the one that was there first ends.
for member in four five; do
  configuration $member "  properties: {client.id: $member, group.instance.id: evaluator-1}"
done
start four
fourth=$pid
within 30 has_rows four.jsonl 1 || fail "a member with a name of its own publishes nothing: $(<four.said)"
start five
ends 1 "$fourth" four
says four "not in it any more .*group.instance.id" || fail "one whose place was taken says: $(<four.said)"
within 30 has_rows five.jsonl "$wanted" || fail "the one that took the place publishes nothing: $(<five.said)"
end "$pid"

echo "members_test: $wanted rows, the same bytes; said by the first:"
cat one.said
