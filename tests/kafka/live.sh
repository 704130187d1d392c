# What tests of recmeter attach on a real broker share; sourced by them with PROGRAM PRODUCE VERSION as arguments.
#
# Sets program, produce, kafka and bootstrap, is in a scratch folder, and ends what it started. The test sets `name`, and
# `broker_options` where the broker needs some.
set -euo pipefail
program=$(realpath "$1") produce=$(realpath "$2") version=$3
kafka=$(cd "$(dirname "$0")/../.." && pwd)/scripts/kafka
scratch=$(mktemp -d)
export TMPDIR=$scratch # the brokers of others are not ours to find
data=$scratch/recmeter-kafka.test
running=()

fail() { echo "$name: $1" >&2; exit 1; }
leave() {
  for pid in "${running[@]}"; do kill -KILL "$pid" 2>/dev/null || true; done
  [[ ! -f $data/broker ]] || "$kafka" down --data "$data"
  rm -rf "$scratch"
}
trap leave EXIT

"$kafka" up --data "$data" --version "$version" --owner $$ ${broker_options[@]+"${broker_options[@]}"} >"$scratch/facts"
fact() { sed -n "s/^$1=//p" "$scratch/facts"; }
bootstrap=$(fact bootstrap)
cd "$scratch"

# within SECONDS COMMAND...: until it succeeds.
within() {
  local deadline=$((SECONDS + $1))
  shift
  until "$@"; do
    ((SECONDS < deadline)) || return 1
    sleep 0.1
  done
}
rows() { if [[ -f $1 ]]; then wc -l <"$1"; else echo 0; fi; }
has_rows() { (($(rows "$1") >= $2)); }
says() { grep -q -- "$2" "$1.said"; } # NAME TEXT
tool() { "$kafka" tool --data "$data" "$@"; }

# make_log LISTS PIECES PARTITIONS: piece I of partition P is in partIP.jsonl; the last ends with an event that takes the
# watermark beyond all windows.
make_log() {
  "$program" generate --quiet --lists "$1" --hours 12 --rows 0.2 --disorder 20s --duplicates 0.01 --late 0.01 --malformed 0.01 \
    --output log.jsonl
  python3 - "$2" "$3" <<'PY'
import sys
pieces, partitions = int(sys.argv[1]), int(sys.argv[2])
lines = [line.rstrip(b"\r") + b"\n" for line in open("log.jsonl", "rb").read().split(b"\n") if line.strip()]
for piece in range(pieces):
    some = lines[len(lines) * piece // pieces:len(lines) * (piece + 1) // pieces]
    for p in range(partitions):
        with open(f"part{piece}{p}.jsonl", "wb") as part:
            part.writelines(some[p::partitions])
            if piece == pieces - 1:
                part.write(b'{"type":"tick","ts":1700100000000}\n')
PY
}
send() { "$produce" "$bootstrap" "${2:-log}" "part$1"?.jsonl; } # PIECE [TOPIC]

# configuration NAME [KAFKA]: NAME.yaml, with its own state and rows; KAFKA: more lines of `kafka`, each with two blanks.
configuration() {
  cat >"$1.yaml" <<YAML
inputs: [{topic: log}]
kafka:
  brokers: "$bootstrap"
  group: evaluation
${2:-}
windows:
  - {name: minute, size: 1m}
  - {name: hour, size: 1h, slide: 5m}
segments: [[variant]]
metrics: {cutoffs: [5, 10], names: [precision, mrr, ndcg_list]}
state: {dir: "$1.state", checkpoint_every: 100ms}
publish: {file: {path: "$1.jsonl"}, http: {listen: off}}
YAML
}

# start NAME: attach by NAME.yaml, in the background; what it says is added to NAME.said. Sets `pid`.
start() {
  "$program" attach --config "$1.yaml" 2>>"$1.said" &
  pid=$!
  running+=("$pid")
}
# end PID: it is asked to end, and does.
end() {
  kill -TERM "$1"
  wait "$1" || fail "asked to end: exit code $?: $(tail -n 3 ./*.said)"
}
# ends CODE PID NAME: it ends by itself.
ends() {
  local code=0
  wait "$2" || code=$?
  ((code == $1)) || fail "$3 ends with exit code $code, not $1: $(<"$3.said")"
}
# replayed CONFIGURATION ROWS: what a replay of the topic gives; sets `wanted`.
replayed() {
  local code=0
  "$program" replay --progress none --format jsonl --config "$1.yaml" --output "$2" 2>replay.said || code=$?
  ((code == 0 || code == 3)) || fail "replay: exit code $code: $(<replay.said)"
  wanted=$(wc -l <"$2")
}
