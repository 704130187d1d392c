#!/usr/bin/env bash
# A topic in parts, read by each, stamped once, or cut by partitions, on a real broker: parts_test.sh PROGRAM PRODUCE VERSION
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
sed 's/^log\/0\t.*/log\/0\t0\t1000000/' ends >beyond
expect_refusal 1 "log/0: ends at offset" replay --config c.yaml --ends beyond
expect_refusal 2 "not a file of replay --pin" replay --config c.yaml --ends c.yaml
expect_refusal 2 "give N that is not larger" stamp --config c.yaml --partitions 4/5

# Outputs are none of what is read.
expect_refusal 2 "ends is what --ends reads as well" replay --config c.yaml --ends ends --part 0/2 --partials ends
expect_refusal 2 "ends is what --ends reads as well" stamp --config c.yaml --ends ends --output ends
expect_refusal 2 "c.yaml is the configuration as well" replay --config c.yaml --pin c.yaml

# What was deleted since the ends were pinned would be missing in the parts that are still to come.
"$produce" "$bootstrap" short part0.jsonl part1.jsonl
sed 's/topic: log/topic: short/' c.yaml >short.yaml
"$program" replay --config short.yaml --pin short.ends 2>>said
echo '{"partitions":[{"topic":"short","partition":0,"offset":1400},{"topic":"short","partition":1,"offset":0}],"version":1}' >deleted.json
"$kafka" tool --data "$data" DeleteRecordsCommand --offset-json-file "$PWD/deleted.json" >tool.said 2>&1 || fail "$(<tool.said)"
expect_refusal 1 "short/0: records before offset 1400 were deleted" replay --config short.yaml --ends short.ends
expect_refusal 1 "short/0: records before offset 1400 were deleted" stamp --config short.yaml --ends short.ends --partitions 0/2

# Topics keyed by user: each part reads some partitions of both, and nothing is read twice.
python3 - <<'PY'
import re, zlib
topics = {kind: [open(f"{kind}{p}.jsonl", "wb") for p in range(4)] for kind in ("shown", "acted")}
for line in open("log.jsonl", "rb").read().split(b"\n"):
    user = re.search(rb'"user_id":"([^"]*)"', line)
    kind = "shown" if b'"impression"' in line else "acted"
    if line.strip():
        topics[kind][zlib.crc32(user.group(1) if user else b"") % 4].write(line.rstrip(b"\r") + b"\n")
PY
"$produce" "$bootstrap" shown shown{0..3}.jsonl
"$produce" "$bootstrap" acted acted{0..3}.jsonl
sed 's/{topic: log}/{topic: shown}, {topic: acted}/' c.yaml >keyed.yaml
"$program" replay --config keyed.yaml --pin keyed.ends
replay keyed --config keyed.yaml
"$produce" "$bootstrap" shown shown{0..3}.jsonl # in no part
share() { # I/N NAME OPTION...
  local partitions=$1 name=$2
  shift 2
  "$program" replay --progress none --config keyed.yaml --partitions "$partitions" --partials "$name.rmp" "$@" 2>said || fail "$(<said)"
}
for number in 0 1 2; do share "$number/3" "share$number" --ends keyed.ends --threads $((number + 1)); done
"$program" merge --partials tree.rmp share2.rmp share0.rmp
for partials in "share1.rmp share2.rmp share0.rmp" "tree.rmp share1.rmp"; do
  # shellcheck disable=SC2086  # several
  "$program" merge --format jsonl --output merged.rows --report merged.report $partials 2>said || (($? == 3)) || fail "$(<said)"
  cmp keyed.rows merged.rows || fail "parts by partitions give other rows than the topics"
  same_report keyed.report merged.report
done
# With --to rows and looks end where those of one run do, though parts read on.
cat - keyed.yaml >looks.yaml <<YAML
experiments:
  - {name: e, start: "2023-11-14T01:00:00Z", duration: 9h, every: 1h, arms: {key: variant, values: [A, B], control: A},
     primary: [{metric: "precision@5", mde: 0.1}]}
YAML
until=(--to 2023-11-14T04:30:00Z --ends keyed.ends)
replay one.to --config looks.yaml "${until[@]}" --experiments one.looks
(($(rows one.looks) > 1)) || fail "no looks: $(<one.looks)"
for number in 0 1; do
  "$program" replay --config looks.yaml "${until[@]}" --partitions "$number/2" --partials "to$number.rmp" 2>said || fail "$(<said)"
  "$program" stamp --config looks.yaml --ends keyed.ends --partitions "$number/2" --output "to$number.tsv" 2>said || fail "$(<said)"
done
"$program" replay --config looks.yaml "${until[@]:0:2}" --part 0/1 --partials to.rmp --stamped to0.tsv to1.tsv 2>said || fail "$(<said)"
for partials in "to1.rmp to0.rmp" "to.rmp"; do
  # shellcheck disable=SC2086  # several
  "$program" merge --format jsonl --output to.rows --experiments to.looks $partials 2>said || (($? == 3)) || fail "$(<said)"
  cmp one.to.rows to.rows || fail "parts with --to give other rows"
  cmp one.looks to.looks || fail "parts with --to give other looks"
done
share 1/3 sorted --ends keyed.ends --sort always
expect_refusal 2 "because their --sort differs" merge share0.rmp sorted.rmp share2.rmp
"$program" replay --config keyed.yaml --pin later.ends
share 1/3 later --ends later.ends
expect_refusal 2 "because their --ends differ" merge share0.rmp later.rmp share2.rmp
expect_refusal 2 "part 1/3 is missing" merge share0.rmp share2.rmp
expect_refusal 2 "fewer than 5 parts" replay --config keyed.yaml --ends keyed.ends --partitions 4/5 --partials no.rmp
expect_refusal 2 "write the ends once" replay --config keyed.yaml --partitions 0/2 --partials no.rmp
"$program" replay --config keyed.yaml --ends keyed.ends --part 1/3 --partials users.rmp 2>said || fail "$(<said)"
expect_refusal 2 "some are cut by users and some by partitions" merge share0.rmp users.rmp share2.rmp

# Topics that are not partitioned alike.
"$produce" "$bootstrap" turned acted1.jsonl acted2.jsonl acted3.jsonl acted0.jsonl
"$produce" "$bootstrap" fewer acted0.jsonl acted1.jsonl
for topic in turned fewer; do
  sed "s/{topic: acted}/{topic: $topic}/" keyed.yaml >unlike.yaml
  "$program" replay --config unlike.yaml --pin unlike.ends
  for number in 0 1; do
    "$program" replay --config unlike.yaml --ends unlike.ends --partitions "$number/2" --partials "unlike$number.rmp" 2>said || (($? == 2))
  done
  [[ $topic == fewer ]] || expect_refusal 2 "events of u[0-9]* are in parts 0/2 and 1/2" merge unlike0.rmp unlike1.rmp
done
grep -q "fewer has 2 partitions, shown 4, so no number holds all that a user did" said || fail "$(<said)"
echo "parts_test: $(wc -l <whole.rows) rows"
