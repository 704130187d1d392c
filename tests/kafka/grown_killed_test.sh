#!/usr/bin/env bash
# recmeter attach killed while its topic grows, on a real broker: grown_killed_test.sh PROGRAM PRODUCE VERSION RUNS
#
# A member that is back before its session has run out is given the place it had, and with it the partitions of before. In odd
# runs partitions are added before the kill, in even ones between kill and start.
name=grown_killed_test
# shellcheck source-path=SCRIPTDIR source=live.sh
source "$(dirname "$0")/live.sh"
runs=$4

kill_it() {
  kill -KILL "$pid"
  wait "$pid" 2>/dev/null || true
}
# configured NAME TOPIC: with a topic and a group of its own, and the usual session, which no restart here outlives.
configured() {
  configuration "$1"
  sed -i "s/topic: log/topic: $2/; s/group: evaluation/group: $1/" "$1.yaml"
}
# reads NAME PARTITIONS SECONDS: all of them, and what they hold.
reads() {
  within 10 says "$1" "$2 partitions; " || fail "$1 does not see $2 partitions: $(<"$1.said")"
  replayed "$1" "$1.rows"
  within "$3" has_rows "$1.jsonl" "$wanted" || fail "$1: $(rows "$1.jsonl") of $wanted rows: $(<"$1.said")"
  end "$pid"
  cmp "$1.rows" "$1.jsonl" || fail "$1 gives other rows than a replay"
}

make_log 3000 2 4
for ((run = 1; run <= runs; ++run)); do
  topic=log$run
  configured "$topic" "$topic"
  tool TopicCommand --create --topic "$topic" --partitions 2 >/dev/null
  "$produce" "$bootstrap" "$topic" part00.jsonl part01.jsonl
  start "$topic"
  within 30 has_rows "$topic.jsonl" 1 || fail "$topic: nothing is published: $(<"$topic.said")"
  ((run % 2 == 1)) || kill_it
  tool TopicCommand --alter --topic "$topic" --partitions 4
  ((run % 2 == 0)) || kill_it
  : >"$topic.said"
  "$produce" "$bootstrap" "$topic" part1?.jsonl
  start "$topic"
  reads "$topic" 4 20
done
echo "grown_killed_test: $runs of $runs runs read all partitions"

# A topic that the configuration gains.
for topic in kept added; do "$produce" "$bootstrap" "$topic" part00.jsonl part01.jsonl; done
configured gains kept
start gains
within 30 has_rows gains.jsonl 1 || fail "gains: nothing is published: $(<gains.said)"
kill_it
sed -i 's/topic: kept/topic: [kept, added]/' gains.yaml
for topic in kept added; do "$produce" "$bootstrap" "$topic" part10.jsonl part11.jsonl; done
before=$(rows gains.jsonl)
"$program" attach --rebuild --config gains.yaml 2>>gains.said &
pid=$!
running+=("$pid")
within 30 has_rows gains.jsonl $((before + 1)) || fail "gains reads nothing: $(<gains.said)"
says gains "; it leaves the group and joins anew" || fail "gains does not say what it does: $(<gains.said)"
kill_it

# Another state, under the same name in the group, that reads one topic of the two.
for state in two one; do
  configuration $state "  properties: {group.instance.id: chosen}"
  sed -i 's/topic: log/topic: [kept, added]/' $state.yaml
done
sed -i 's/, added//' one.yaml
start two
within 30 has_rows two.jsonl 1 || fail "two: nothing is published: $(<two.said)"
kill_it
start one
within 30 has_rows one.jsonl 1 || fail "one: nothing is published: $(<one.said)"
within 10 says one "the topics have no others" || fail "one does not say what it does: $(<one.said)"
within 10 says one "reading continues" || fail "one does not say that it goes on: $(<one.said)"
! says one "more partitions than before" || fail "partitions of a topic that is not read count: $(<one.said)"
reads one 2 10
echo "grown_killed_test: said by the last:"
cat one.said
