#!/usr/bin/env bash
# Dead letters of recmeter attach on a real broker, killed again and again: letters_test.sh PROGRAM PRODUCE VERSION
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=prelude.sh
. "$(dirname "$0")/prelude.sh" "$@"

# Some records are broken, some of them by what is no text.
"$program" generate --quiet --lists 20000 --hours 4 --disorder 20s --late 0.01 --malformed 0.01 --output log.jsonl
python3 - <<'PY'
parts = [open(f"part{p}.jsonl", "wb") for p in range(2)]
lines = [line for line in open("log.jsonl", "rb").read().split(b"\n") if line.strip()]
for number, line in enumerate(lines):
    parts[number % 2].write(line.rstrip(b"\r") + b"\n")
PY
"$produce" "$bootstrap" log part0.jsonl part1.jsonl

configuration() { # PLACE STATE
  cat <<YAML
inputs: [{topic: log}]
windows: [{name: w, size: 5m}]
kafka: {brokers: "$bootstrap"}
metrics: {names: [precision]}
dead_letter: {$1, fates: [invalid, future, late]}
state: {dir: $2, checkpoint_every: 50ms}
publish: {file: {path: $2.rows, rotate: 20m}, http: {listen: off}}
YAML
}
configuration "topic: dead" in-topic >topic.yaml
configuration "file: dead.jsonl" in-file >file.yaml
code=0
"$program" replay --progress none --config topic.yaml --output whole.rows --report whole.report 2>said || code=$?
((code == 0 || code == 3)) || fail "replay: exit code $code: $(<said)"
wanted=$(python3 -c 'import json; r = json.load(open("whole.report")); e = r["events"]; print(e["invalid"] + e["future"] + e["late"])')

start() { # CONFIGURATION
  "$program" attach --config "$1" 2>>"$1.said" &
  running=$!
}
finish() { # CODE
  local code=0
  wait "$running" || code=$?
  running=
  ((code == $1)) || fail "exit code $code, not $1: $(cat ./*.said)"
}
await() { # WHAT COMMAND...
  local what=$1
  shift
  for ((tenths = 0; tenths < 900; ++tenths)); do
    if "$@"; then return 0; fi
    sleep 0.1
  done
  fail "no $what after 90 s: $(cat ./*.said)"
}
said() { grep -q "$2" "$1.said"; }
letters() { kcat -C -q -e -o beginning -b "$bootstrap" -t dead -J 2>/dev/null >letters.json; }
# Messages may hold bytes that are no text.
cat >messages.py <<'PY'
import json
def messages():
    for line in open("letters.json", encoding="utf-8", errors="surrogateescape"):
        yield json.loads(line, strict=False)
PY
export PYTHONPATH=$scratch
all_letters() {
  letters
  (($(python3 -c 'from messages import messages; print(len({tuple(m["headers"][1:6:2]) for m in messages()}))') == wanted))
}

# There is no such topic: it stops reading and says so, once; it drains without them; the second signal ends it at once.
start topic.yaml
await "complaint about the topic" said topic.yaml "dead letters cannot be delivered, so nothing more is read: there is no topic dead at $bootstrap; make it"
kill -INT "$running"
sleep 1
kill -0 "$running" 2>/dev/null || fail "it does not wait for its dead letters"
kill -INT "$running"
finish 130
[[ ! -s in-topic.rows ]] || fail "rows are published before the dead letters of their records"

# Once there is one, it goes on by itself.
start topic.yaml
# shellcheck disable=SC2016  # expanded when it is asked
await "second complaint" eval '(($(grep -c "cannot be delivered" topic.yaml.said) == 2))'
: >nothing
"$produce" "$bootstrap" dead nothing nothing nothing
await "word that it goes on" said topic.yaml "delivered again"
for nap in 0.2 0.3 0.1 0.4 0.15; do
  kill -KILL "$running" 2>/dev/null || fail "attach ended by itself: $(<topic.yaml.said)"
  wait "$running" 2>/dev/null || true
  start topic.yaml
  sleep $nap
done
await "letter of every record" all_letters

# They are the records that were left out, whole, and no others.
kill -TERM "$running"
finish 0
letters
python3 - <<'PY' || fail "letters are not the records that were left out"
import json
from messages import messages
lines = {p: open(f"part{p}.jsonl", "rb").read().split(b"\n")[:-1] for p in range(2)}
told = {}
for message in messages():
    headers = dict(zip(message["headers"][::2], message["headers"][1::2]))
    at = int(headers["__connect.errors.partition"]), int(headers["__connect.errors.offset"])
    assert headers["__connect.errors.topic"] == "log", headers
    reason = headers["__connect.errors.exception.message"]
    assert told.setdefault(at, reason) == reason
    raw = lines[at[0]][at[1]]
    assert message["payload"].encode("utf-8", "surrogateescape") == raw, (at, reason)
report = json.load(open("whole.report"))
kinds = {}
for reason in told.values():
    kinds[reason] = kinds.get(reason, 0) + 1
expected = {reason: count for reason, count in report["invalid_reasons"].items() if count}
expected |= {fate: report["events"][fate] for fate in ("future", "late") if report["events"][fate]}
assert kinds == expected, (kinds, expected)
open("reasons.json", "w").write(json.dumps(sorted([*at, reason] for at, reason in told.items())))
PY

# A file has each letter once, however often the run is killed, and whole lines.
for nap in 0.3 0.5 0.4 0.6 0.35 0.5; do
  start file.yaml
  sleep $nap
  kill -KILL "$running" 2>/dev/null || fail "attach ended by itself: $(<file.yaml.said)"
  wait "$running" 2>/dev/null || true
done
: >file.yaml.said
start file.yaml
wait_to_begin file.yaml.said
# shellcheck disable=SC2016  # expanded when it is asked
await "line of every record" eval '(($(wc -l <dead.jsonl) >= wanted))'
kill -TERM "$running"
finish 0
python3 - <<'PY' || fail "the file has other letters than the topic"
import base64, json
lines = {p: open(f"part{p}.jsonl", "rb").read().split(b"\n")[:-1] for p in range(2)}
letters = [json.loads(line) for line in open("dead.jsonl")]
for letter in letters:
    value = base64.b64decode(letter["value_base64"]) if "value_base64" in letter else letter["value"].encode()
    assert value == lines[letter["partition"]][letter["offset"]], letter
assert sorted([l["partition"], l["offset"], l["reason"]] for l in letters) == json.load(open("reasons.json"))
PY
# Rows are in files by period, each once; together they are those of a replay.
closed=$(find . -maxdepth 1 -name 'in-file.2*.rows' | wc -l)
((closed > 5)) || fail "only $closed files of rows were closed"
cat in-file.2*.rows in-file.rows >in-file.all
cmp -n "$(wc -c <in-file.all)" in-file.all whole.rows || fail "rotated files have other rows than a replay"
echo "letters_test: $closed files of rows; $wanted letters, $(wc -l <letters.json) deliveries to the topic, $(wc -l <dead.jsonl) lines in the file"
