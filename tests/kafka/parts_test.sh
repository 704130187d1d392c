#!/usr/bin/env bash
# A topic in parts, read by each or stamped once, on a real broker: parts_test.sh PROGRAM PRODUCE VERSION
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=prelude.sh
. "$(dirname "$0")/prelude.sh" "$@"

make_log 20000
"$produce" "$bootstrap" log part0.jsonl part1.jsonl part2.jsonl part3.jsonl
cat >c.yaml <<YAML
inputs: [{topic: log}]
kafka: {brokers: "$bootstrap"}
windows: [{name: minute, size: 1m}, {name: hour, size: 1h, slide: 5m}]
segments: [[variant]]
metrics: {cutoffs: [5, 10], names: [precision, mrr, ndcg_list, distinct_items, personalisation]}
YAML

replay whole --config c.yaml
"$program" replay --config c.yaml --pin ends
[[ $(cut -f 1 ends | tr '\n' ' ') == 'log/0 log/1 log/2 log/3 ' ]] || fail "other partitions are pinned: $(<ends)"

# What comes later is in no part.
"$produce" "$bootstrap" log part1.jsonl part0.jsonl part3.jsonl part2.jsonl
part() { # NUMBER NAME OPTION...
  local number=$1 name=$2
  shift 2
  "$program" replay --progress none --config c.yaml --part "$number/3" --partials "$name$number.rmp" "$@" 2>said || fail "$(<said)"
}
for stamp in 0 1; do
  "$program" stamp --config c.yaml --ends ends --partitions "$stamp/2" --output "$stamp.tsv" 2>said || fail "$(<said)"
done
for number in 0 1 2; do
  part "$number" read --ends ends
  part "$number" stamped --stamped 1.tsv 0.tsv
  cmp "read$number.rmp" "stamped$number.rmp" || fail "stamped events give another part $number"
done
"$program" merge --format jsonl --output merged.rows --report merged.report read2.rmp read0.rmp read1.rmp 2>said || (($? == 3)) ||
  fail "$(<said)"
cmp whole.rows merged.rows || fail "parts give other rows than the topic"
same_report whole.report merged.report

# What does not fit is said.
expect_refusal() { # CODE TEXT COMMAND...
  local wanted=$1 text=$2 code=0
  shift 2
  "$program" "$@" >/dev/null 2>said || code=$?
  [[ $code == "$wanted" ]] || fail "exit code $code, not $wanted: $(<said)"
  grep -q "$text" said || fail "it does not say '$text': $(<said)"
}
part 1 later
expect_refusal 2 "different logs, or one log at different times" merge read0.rmp later1.rmp read2.rmp
head -n 3 ends >fewer
expect_refusal 1 "log/3: no end is pinned for it" replay --config c.yaml --ends fewer
sed 's/^log\/0\t.*/log\/0\t1000000/' ends >beyond
expect_refusal 1 "log/0: ends at offset" replay --config c.yaml --ends beyond
expect_refusal 2 "not a file of replay --pin" replay --config c.yaml --ends c.yaml
expect_refusal 2 "give N that is not larger" stamp --config c.yaml --partitions 4/5
echo "parts_test: $(wc -l <whole.rows) rows"
