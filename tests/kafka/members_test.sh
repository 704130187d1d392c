#!/usr/bin/env bash
# recmeter attach beside others of its group, on a real broker: members_test.sh PROGRAM PRODUCE VERSION
#
# Beside one that runs another attach does not begin: it says so and ends. One that was killed is waited for. A member that does
# not know of that holds reading up until it is gone.
name=members_test
broker_options=(--set group.min.session.timeout.ms=1000)
# shellcheck source-path=SCRIPTDIR source=live.sh
source "$(dirname "$0")/live.sh"

group() { tool consumer.group.ConsumerGroupCommand --describe --group evaluation "$@" 2>&1; }

# one_is_left PID PID: the other has ended.
one_is_left() { (($(kill -0 "$1" 2>/dev/null && echo 1 || echo 0) + $(kill -0 "$2" 2>/dev/null && echo 1 || echo 0) == 1)); }

make_log 30000 3 4
for member in one two three six seven; do
  configuration $member "  session: 3s
  properties: {client.id: $member, heartbeat.interval.ms: 300}"
done

# The one that runs goes on, the newcomer yields.
send 0
start one
first=$pid
within 30 has_rows one.jsonl 1 || fail "the first publishes nothing: $(<one.said)"
start two
within 10 says two 'client one .*holds log/.*waiting [5-8] s at most' || fail "the second does not say for whom it waits: $(<two.said)"
held=$(rows one.jsonl)
send 1
within 5 has_rows one.jsonl $((held + 1)) || fail "the first does not go on beside a newcomer: $(<one.said)"
ends 1 "$pid" two
says two 'client one .*holds log/.*this one yields' || fail "the second does not say that it yields: $(<two.said)"
(($(rows two.jsonl) == 0)) || fail "the second publishes beside the first"
! says one "reading waits" || fail "the first is disturbed by a newcomer: $(<one.said)"

# One that was killed, and would be known by another name, is waited for.
kill -KILL "$first"
wait "$first" 2>/dev/null || true
start three
within 10 says three 'client one .*waiting [5-8] s at most: if it was killed' || fail "nobody waits for the dead: $(<three.said)"
(($(rows three.jsonl) == 0)) || fail "it publishes beside one that is a member still"
within 20 has_rows three.jsonl 1 || fail "it does not begin when the dead is gone: $(<three.said)"
says three "no other member is left; reading begins" || fail "it does not say that it begins: $(<three.said)"
! says three yields || fail "it yields to a dead one: $(<three.said)"
end "$pid"

# Two at a time: one of them goes on.
start six
sixth=$pid
start seven
seventh=$pid
within 60 one_is_left "$sixth" "$seventh" || fail "none yields: $(<six.said) $(<seven.said)"
if kill -0 "$sixth" 2>/dev/null; then left=six yielded=seven; else left=seven yielded=six; fi
if [[ $left == six ]]; then ends 1 "$seventh" seven; else ends 1 "$sixth" six; fi
says "$yielded" "this one yields" || fail "the one that ended says: $(<"$yielded.said")"
within 20 has_rows "$left.jsonl" 1 || fail "the one that is left publishes nothing: $(<"$left.said")"
if [[ $left == six ]]; then end "$sixth"; else end "$seventh"; fi

# A member that yields to nobody, and leaves no place behind: reading is held up until it is gone.
start one
first=$pid
within 20 says one "going on from" || fail "one that was killed does not begin again: $(<one.said)"
"$kafka" tool --data "$data" consumer.ConsoleConsumer --group evaluation --topic log --command-property session.timeout.ms=3000 \
  --command-property heartbeat.interval.ms=300 --command-property client.id=other >/dev/null 2>other.said &
other=$!
running+=("$other")
within 30 says one 'client other .*holds log/.*reading waits' || fail "it does not name the other: $(<one.said) $(tail -n 3 other.said)"
held=$(rows one.jsonl)
send 2
sleep 2
(($(rows one.jsonl) == held)) || fail "it publishes while another holds partitions of its topic"
kill -KILL "$other"
wait "$other" 2>/dev/null || true
replayed one whole.rows
within 30 has_rows one.jsonl "$wanted" || fail "$(rows one.jsonl) of $wanted rows after the other has gone: $(<one.said)"
says one "reading continues" || fail "it does not say that it goes on: $(<one.said)"
cmp whole.rows one.jsonl || fail "a run that was held gives other rows than a replay of its topic"
(($(grep -c 'holds log/' one.said) == 1)) || fail "who holds what is said more than once per change: $(<one.said)"

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
says four "no longer in it .*group.instance.id" || fail "one whose place was taken says: $(<four.said)"
within 30 has_rows five.jsonl "$wanted" || fail "the one that took the place publishes nothing: $(<five.said)"
end "$pid"

echo "members_test: $wanted rows, the same bytes; said by the first:"
cat one.said
