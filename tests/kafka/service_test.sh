#!/usr/bin/env bash
# recmeter attach as a service: what it tells systemd, and a disk that fills up: service_test.sh PROGRAM PRODUCE VERSION
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=prelude.sh
. "$(dirname "$0")/prelude.sh" "$@"
disk=$scratch/disk
listener=''

leave() {
  [[ -z $running ]] || kill -KILL "$running" 2>/dev/null || true
  [[ -z $listener ]] || kill "$listener" 2>/dev/null || true
  wait 2>/dev/null || true
  ! mountpoint -q "$disk" || umount "$disk"
  [[ ! -f $data/broker ]] || "$kafka" down --data "$data"
  rm -rf "$scratch"
}
mkdir disk
if ! mount -t tmpfs -o size=512m recmeter-test disk 2>/dev/null; then
  echo "service_test: no file system can be mounted here, so none is filled: that part is skipped" >&2
fi

# A log in two halves; the second ends beyond the last window.
"$program" generate --quiet --lists 30000 --hours 8 --disorder 20s --output log.jsonl
python3 - <<'PY'
lines = [line for line in open("log.jsonl", "rb").read().split(b"\n") if line.strip()]
half = len(lines) // 2
open("half1.jsonl", "wb").write(b"\n".join(lines[:half]) + b"\n")
open("half2.jsonl", "wb").write(b"\n".join(lines[half:]) + b'\n{"type":"tick","ts":1700100000000}\n')
PY
"$produce" "$bootstrap" log half1.jsonl
cat >live.yaml <<YAML
inputs: [{topic: log}]
windows: [{name: w, size: 5m}]
kafka: {brokers: "$bootstrap"}
metrics: {names: [precision, mrr]}
state: {dir: disk/state, checkpoint_every: 100ms}
publish: {file: {path: disk/windows.jsonl, rotate: 365d}, http: {listen: off}}
YAML

python3 - <<'PY' &
import socket
listener = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
listener.bind("notify")
with open("heard", "w") as heard:
    while True:
        print(repr(listener.recv(4096).decode()), file=heard, flush=True)
PY
listener=$!

rows() { if [[ -f disk/windows.jsonl ]]; then wc -l <disk/windows.jsonl; else echo 0; fi; }
start() {
  NOTIFY_SOCKET=$scratch/notify WATCHDOG_USEC=200000 "$program" attach --config live.yaml 2>>said &
  running=$!
}
await() { # WHAT COMMAND...
  local what=$1
  shift
  for ((tenths = 0; tenths < 600; ++tenths)); do
    if "$@"; then return 0; fi
    kill -0 "$running" 2>/dev/null || fail "attach ended before $what: $(<said)"
    sleep 0.1
  done
  fail "no $what after 60 s: $(<said)"
}
heard() { [[ -f heard ]] && grep -q "$1" heard; }
counted() { [[ $(grep -c "$2" said) == "$1" ]]; }
settled() {
  local before
  before=$(rows)
  sleep 1
  ((before > 0 && before == $(rows)))
}
await_listener() { for ((tenths = 0; tenths < 100; ++tenths)); do [[ ! -S notify ]] || return 0; sleep 0.1; done; }
await_listener

touch said
start
await "word that it is ready" heard "READY=1"
await "sign of life" heard "WATCHDOG=1"
await "rows of the first half" settled
first=$(rows)

if mountpoint -q disk; then
  free=$(df --output=avail -B1 disk | tail -1)
  fallocate -l $((free - (150 << 20))) disk/filler
  await "word that room is lacking" grep -q "nothing more is read: state.dir has [0-9]* MiB of disk left" said
  "$produce" "$bootstrap" log half2.jsonl
  sleep 2
  kill -0 "$running" 2>/dev/null || fail "attach does not stay alive: $(<said)"
  (($(rows) == first)) || fail "it goes on without room"
  counted 1 "nothing more is read" || fail "it says so again and again: $(<said)"
  heard "STATUS=nothing more is read" || fail "systemd is not told why nothing goes on: $(<heard)"

  # Killed meanwhile, it waits for room before it opens its state.
  kill -KILL "$running"
  wait "$running" 2>/dev/null || true
  start
  await "word of it after a kill" counted 2 "nothing more is read"
  (($(rows) == first)) || fail "it goes on without room"
  rm disk/filler
  await "word that there is room" grep -q "there is space again" said
else
  "$produce" "$bootstrap" log half2.jsonl
fi

code=0
"$program" replay --progress none --format jsonl --config live.yaml --output whole.rows 2>said.replay || code=$?
((code == 0 || code == 3)) || fail "replay: exit code $code: $(<said.replay)"
wanted=$(wc -l <whole.rows)
# shellcheck disable=SC2016  # expanded when it is asked
await "all rows" eval '(($(rows) >= wanted))'
cmp whole.rows disk/windows.jsonl || fail "a disk that was full changes the rows"

kill -TERM "$running"
code=0
wait "$running" || code=$?
running=
((code == 0)) || fail "asked to end: exit code $code: $(<said)"
heard "STOPPING=1" || fail "systemd is not told that it ends: $(<heard)"
"$program" state check disk/state 2>said.state || fail "its state is not sound: $(<said.state)"
grep -q "the state is sound" said.state || fail "a sound state is not called so: $(<said.state)"
"$program" state info disk/state | grep -q "^log/0 " || fail "a state does not tell its partitions"
echo "service_test: $first rows before, $wanted after; $(sort heard | uniq -c | tr -s ' \n' ' ')"
