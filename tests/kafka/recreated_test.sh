#!/usr/bin/env bash
# recmeter attach whose topic is deleted and made anew, on a real broker: recreated_test.sh PROGRAM PRODUCE VERSION
name=recreated_test
# shellcheck source-path=SCRIPTDIR source=live.sh
source "$(dirname "$0")/live.sh"

is_gone() { ! tool TopicCommand --list | grep -qx log; }
make_anew() { # PIECE...: longer than it was
  tool TopicCommand --delete --topic log
  within 20 is_gone || fail "the topic is not deleted"
  for piece in "$@"; do send "$piece"; done
}

make_log 40000 4 2
configuration one
send 0
start one
within 30 has_rows one.jsonl 10 || fail "nothing is published: $(<one.said)"
end "$pid"
! says one "recreated" || fail "the topic is taken for another: $(<one.said)"

# It is the same topic: nothing to say.
start one
sleep 3
end "$pid"
! says one "recreated\|no longer exists" || fail "the same topic is taken for another: $(<one.said)"

# While it was away the topic was made anew, and is longer than what was read of it.
make_anew 1 2
sed 's/group: evaluation/group: evaluation\n  on_gap: stop/' one.yaml >stop.yaml
start stop
ends 1 "$pid" stop
says stop "log/[01]: the topic was recreated .*Set kafka.on_gap" || fail "on_gap: stop says: $(<stop.said)"
start one
for p in 0 1; do
  within 20 says one "log/$p: the topic was recreated.*goes on at offset 0" || fail "it is not noticed: $(<one.said)"
done
within 20 grep -q '"incomplete":\[[^]]*"gap"' one.jsonl || fail "no row is marked: $(<one.said)"

# While it looks on.
before=$(grep -c recreated one.said)
make_anew 1 2 3
has_noticed() { (($(grep -c recreated one.said) >= before + 2)); }
within 60 has_noticed || fail "a topic made anew under it is not noticed: $(<one.said)"
end "$pid"
echo "recreated_test: said:"
cat one.said
