#!/usr/bin/env bash
# recmeter replay of topics, on a real broker: replay_test.sh PROGRAM PRODUCE VERSION
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=prelude.sh
. "$(dirname "$0")/prelude.sh" "$@"

make_log 40000
"$produce" "$bootstrap" log part0.jsonl part1.jsonl part2.jsonl part3.jsonl

configuration() { # INPUTS
  cat <<YAML
inputs: [$1]
kafka: {brokers: "$bootstrap"}
time: {max_step: 0s}
windows:
  - {name: minute, size: 1m}
  - {name: hour, size: 1h, slide: 5m}
segments: [[variant]]
metrics: {cutoffs: [5, 10], names: [precision, mrr, ndcg_list, recall, distinct_items, novelty],
  popularity: {period: 10m, step: 5m, top: 10}}
YAML
}
configuration '{topic: log}' >topics.yaml
configuration '{file: [part0.jsonl, part1.jsonl, part2.jsonl, part3.jsonl]}' >files.yaml

fates() { python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["events"])' "$1.report"; }

# Late events stay late, as they do in a topic.
replay files --config files.yaml --sort never
replay topics --config topics.yaml
[[ -s files.rows ]] || fail "there are no rows"
cmp files.rows topics.rows || fail "a topic gives other rows than its log"
[[ $(fates files) == "$(fates topics)" ]] || fail "a topic gives other fates: $(fates topics), the files $(fates files)"
replay threads --config topics.yaml --threads 1
cmp files.rows threads.rows || fail "one thread gives other rows"

# A dump of the topic is the topic.
kcat -C -J -q -e -o beginning -b "$bootstrap" -t log >dump.jsonl
configuration '{file: dump.jsonl, format: kcat}' >dump.yaml
replay dump --config dump.yaml
cmp files.rows dump.rows || fail "a dump gives other rows than its topic"
configuration '{format: kcat}' >line.yaml
gzip -c dump.jsonl | "$program" replay --progress none --format jsonl --config line.yaml --output piped.rows - 2>said || true
cmp files.rows piped.rows || fail "a packed dump on standard input gives other rows: $(<said)"
same_report topics.report dump.report
[[ $(grep -o '"log/[0-9]*"' topics.report | tr '\n' ' ') == '"log/0" "log/1" "log/2" "log/3" ' ]] ||
  fail "partitions have other names: $(grep '"name"' topics.report)"

# Between two times it reads a part, and gives the rows of the whole.
replay part --config topics.yaml --from 2023-11-14T01:30:00Z --to 2023-11-14T02:30:00Z
python3 - <<'PY' || fail "between two times the rows are not those of the whole"
import json
whole = [line for line in open("files.rows")
         if json.loads(line)["start"] >= 1699925400000 and json.loads(line)["end"] <= 1699929000000]
assert whole and whole == list(open("part.rows"))
read = json.load(open("part.report"))["events"]["read"]
assert read < json.load(open("topics.report"))["events"]["read"] * 0.6, read
PY

# What is wrong is said in one sentence that names the place.
expect_failure() { # CODE TEXT OPTION...
  local wanted=$1 text=$2 code=0
  shift 2
  "$program" replay --progress none --output none.rows "$@" >/dev/null 2>said || code=$?
  [[ $code == "$wanted" ]] || fail "exit code $code, not $wanted: $(<said)"
  grep -q "$text" said || fail "it does not say '$text': $(<said)"
  [[ ! -e none.rows ]] || fail "a failed replay leaves rows"
}
sed 's/topic: log/topic: nothing/' topics.yaml >missing.yaml
expect_failure 1 "nothing: there is no such topic" --config missing.yaml
sed 's/^kafka: .*/kafka: {brokers: "127.0.0.1:1"}/' topics.yaml >nobody.yaml
expect_failure 1 "log: no answer from 127.0.0.1:1" --config nobody.yaml
sed "s/^kafka: .*/kafka: {brokers: \"$bootstrap\", properties: {no.such.property: secret}}/" topics.yaml >property.yaml
expect_failure 2 "no.such.property" --config property.yaml
! grep -q secret said || fail "a property's value is shown"
echo "replay_test: $(wc -l <files.rows) rows, $(fates topics)"
