# What tests of the program on a real broker begin with: . prelude.sh PROGRAM PRODUCE VERSION
#
# Starts a broker and goes into a scratch folder; both are gone when the test ends, and so is process $running. Gives program,
# produce, bootstrap, fail and what follows.
# shellcheck shell=bash disable=SC2034  # used by those who source it
program=$(realpath "$1") produce=$(realpath "$2") version=$3
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
kafka=$here/../../scripts/kafka
scratch=$(mktemp -d)
export TMPDIR=$scratch # the brokers of others are not ours to find
data=$scratch/recmeter-kafka.test
running=

fail() { echo "$(basename "$0" .sh): $1" >&2; exit 1; }
leave() {
  [[ -z $running ]] || kill -KILL "$running" 2>/dev/null || true
  [[ ! -f $data/broker ]] || "$kafka" down --data "$data"
  rm -rf "$scratch"
}
trap leave EXIT

"$kafka" up --data "$data" --version "$version" --owner $$ >"$scratch/facts"
bootstrap=$(sed -n 's/^bootstrap=//p' "$scratch/facts")
cd "$scratch" || exit

# make_log LISTS: 12 hours with all that logs have in them, log.jsonl, and its lines in turn as part0.jsonl to part3.jsonl.
make_log() {
  "$program" generate --quiet --lists "$1" --hours 12 --rows 0.2 --empty-lists 0.05 --disorder 20s --duplicates 0.01 \
    --late 0.01 --malformed 0.01 --output log.jsonl
  python3 - <<'PY'
parts = [open(f"part{p}.jsonl", "wb") for p in range(4)]
for number, line in enumerate(line for line in open("log.jsonl", "rb").read().split(b"\n") if line.strip()):
    parts[number % 4].write(line.rstrip(b"\r") + b"\n")
PY
}

# make_pieces COUNT LISTS HOURS: a log cut by time, so that no attach can be done, whatever its speed, before the last piece is
# produced: pieceN.P.jsonl for partition P of 4. The last one takes the watermark of every partition beyond all windows.
make_pieces() {
  "$program" generate --quiet --lists "$2" --hours "$3" --rows 0.1 --disorder 20s --duplicates 0.01 --late 0.01 --output log.jsonl
  python3 - "$1" <<'PY'
import sys
lines, count = open("log.jsonl", "rb").readlines(), int(sys.argv[1])
for piece in range(count):
    for partition in range(4):
        here = lines[len(lines) * piece // count : len(lines) * (piece + 1) // count][partition::4]
        end = [b'{"type":"tick","ts":1700300000000}\n'] if piece == count - 1 else []
        open(f"piece{piece}.{partition}.jsonl", "wb").writelines(here + end)
PY
}
produce_piece() { "$produce" "$bootstrap" "$2" "piece$1".{0..3}.jsonl; } # NUMBER TOPIC

# replay NAME OPTION...: NAME.rows and NAME.report.
replay() {
  local name=$1 code=0
  shift
  "$program" replay --progress none --format jsonl --output "$name.rows" --report "$name.report" "$@" 2>"$name.said" || code=$?
  ((code == 0 || code == 3)) || fail "$name: exit code $code: $(<"$name.said")"
}

# rows FILE: how many there are.
rows() { if [[ -f $1 ]]; then wc -l <"$1"; else echo 0; fi; }

# wait_for_rows FILE COUNT [PAUSE]: of the attach that is running; looked at every 0.1 s, or every PAUSE.
wait_for_rows() {
  local until=$((SECONDS + 120))
  while ((SECONDS < until)); do
    (($(rows "$1") < $2)) || return 0
    kill -0 "$running" 2>/dev/null || fail "attach ended by itself: $(cat said 2>/dev/null)"
    sleep "${3:-0.1}"
  done
  fail "only $(rows "$1") of $2 rows after two minutes"
}

# wait_to_begin FILE: until the attach that is running has said there that it begins. What ran before may have left it nothing to
# do, and a process that has hardly begun is simply ended by a signal.
wait_to_begin() {
  local tenths
  for ((tenths = 0; tenths < 600; ++tenths)); do
    ! grep -q "partitions;" "$1" || return 0
    kill -0 "$running" 2>/dev/null || fail "attach ended by itself: $(<"$1")"
    sleep 0.1
  done
  fail "attach has not begun after a minute: $(<"$1")"
}

# end_attach: asks the one that is running to end.
end_attach() {
  local code=0
  kill -TERM "$running"
  wait "$running" || code=$?
  running=
  ((code == 0)) || fail "asked to end: exit code $code"
}

# same_report A B: two runs over the same partitions gave every event the same fate and every feedback the same outcome.
same_report() {
  python3 - "$@" <<'PY' || fail "the reports of $1 and $2 differ"
import json, sys
def report(path):
    of_the_run = ("wall_seconds", "events_per_second", "sums_bytes_max", "exposure_bytes_max", "popularity_bytes_max",
                  "actions")  # which a live run does not count: decision 111
    report = {key: value for key, value in json.load(open(path)).items() if key not in of_the_run}
    report["partitions"] = {partition.pop("name"): partition for partition in report["partitions"]}
    return report
one, other = (report(path) for path in sys.argv[1:3])
for key in one.keys() | other.keys():
    if one.get(key) != other.get(key):
        sys.exit(f"{key}: {one.get(key)} is not {other.get(key)}")
PY
}
