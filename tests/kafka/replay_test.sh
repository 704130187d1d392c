#!/usr/bin/env bash
# recmeter replay of topics, on a real broker: replay_test.sh PROGRAM PRODUCE VERSION
set -euo pipefail
program=$(realpath "$1") produce=$(realpath "$2") version=$3
kafka=$(cd "$(dirname "$0")/../.." && pwd)/scripts/kafka
scratch=$(mktemp -d)
export TMPDIR=$scratch # the brokers of others are not ours to find
data=$scratch/recmeter-kafka.test

fail() { echo "replay_test: $1" >&2; exit 1; }
leave() {
  [[ ! -f $data/broker ]] || "$kafka" down --data "$data"
  rm -rf "$scratch"
}
trap leave EXIT

"$kafka" up --data "$data" --version "$version" --owner $$ >"$scratch/facts"
bootstrap=$(sed -n 's/^bootstrap=//p' "$scratch/facts")
cd "$scratch"

# A day with all that logs have in them; every fourth line is of the same partition.
"$program" generate --quiet --lists 40000 --hours 12 --rows 0.2 --empty-lists 0.05 --disorder 20s --duplicates 0.01 --late 0.01 \
  --malformed 0.01 --output log.jsonl
python3 - <<'PY'
parts = [open(f"part{p}.jsonl", "wb") for p in range(4)]
for number, line in enumerate(line for line in open("log.jsonl", "rb").read().split(b"\n") if line.strip()):
    parts[number % 4].write(line.rstrip(b"\r") + b"\n")
PY
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

replay() { # NAME OPTION...
  local name=$1 code=0
  shift
  "$program" replay --progress none --format jsonl --output "$name.rows" --report "$name.report" "$@" 2>"$name.said" || code=$?
  ((code == 0 || code == 3)) || fail "$name: exit code $code: $(<"$name.said")"
}
fates() { python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["events"])' "$1.report"; }

replay files --config files.yaml
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
python3 - <<'PY' || fail "a dump has another report than its topic"
import json
def report(name):
    of_the_run = ("wall_seconds", "events_per_second", "sums_bytes_max", "exposure_bytes_max", "popularity_bytes_max")
    return {key: value for key, value in json.load(open(name + ".report")).items() if key not in of_the_run}
topic, dump = report("topics"), report("dump")
assert topic == dump, (topic, dump)
assert [p["name"] for p in topic["partitions"]] == ["log/0", "log/1", "log/2", "log/3"], topic["partitions"]
PY

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
