#!/usr/bin/env bash
# What tests on a real broker rely on. One claim a run:
#
#   broker_test.sh keeps VERSION      what a broker took it still has when it was killed and started again; nobody gets in
#                                     without the password; `down` leaves nothing
#   broker_test.sh owner VERSION      a broker ends with its owner
#   broker_test.sh missing            without Java it is said so: skipped, or failed where a broker is required
set -euo pipefail
kafka=$(cd "$(dirname "$0")/../.." && pwd)/scripts/kafka
scratch=$(mktemp -d)
export TMPDIR=$scratch # the brokers of others are not ours to find
data=$scratch/recmeter-kafka.test

fail() { echo "broker_test: $1" >&2; exit 1; }
expect() { [[ $2 == "$3" ]] || fail "$1: expected '$2', got '$3'"; }
fact() { sed -n "s/^$1=//p" "$scratch/facts"; }
ended() {  # gone, also while we look
  local state
  state=$(sed 's/.*) //; s/ .*//' "/proc/$1/stat" 2>/dev/null) || return 0
  [[ $state == Z ]]
}
client() { kcat -q -m 20 "$@"; }
leave() {
  [[ ! -f $data/broker ]] || "$kafka" down --data "$data"
  rm -rf "$scratch"
}
trap leave EXIT

# up OPTION...: a broker of ours; not to be had here is ctest's 77 all the same.
up() { "$kafka" up --data "$data" --version "$version" --owner $$ "$@" >"$scratch/facts"; }

# messages: all of them, `partition key value`, in the order of partition and offset.
messages() { client -C -b "$(fact bootstrap)" -t greetings -o beginning -e -f '%p %k %s\n' | sort -s -n -k 1,1; }

keeps() {
  local took pid
  up --sasl
  pid=$(fact pid)
  "$kafka" tool TopicCommand --create --topic greetings --partitions 2 >/dev/null
  printf '%s\n' a:hello b:hola c:moin | client -P -b "$(fact bootstrap)" -t greetings -K : -z lz4
  took=$(messages)
  expect "messages" 3 "$(wc -l <<<"$took")"

  local login=(-b "$(fact sasl_bootstrap)" -X security.protocol=SASL_SSL -X "ssl.ca.location=$(fact sasl_ca)"
    -X sasl.mechanism=PLAIN -X "sasl.username=$(fact sasl_username)")
  client -L "${login[@]}" -X "sasl.password=$(fact sasl_password)" >"$scratch/topics" || fail "the password does not open"
  grep -q greetings "$scratch/topics" || fail "with the right password there is: $(<"$scratch/topics")"
  if kcat -L -m 3 "${login[@]}" -X sasl.password=wrong >"$scratch/refused" 2>&1; then fail "a wrong password opens"; fi
  grep -qi authentication "$scratch/refused" || fail "a wrong password fails for another reason: $(<"$scratch/refused")"

  "$kafka" kill
  ended "$pid" || fail "kill leaves process $pid"
  "$kafka" status | grep -qx state=down || fail "a killed broker is not down"
  "$kafka" restart >"$scratch/facts.again"
  expect "what and where it is" "$(grep -v ^pid= "$scratch/facts")" "$(grep -v ^pid= "$scratch/facts.again")"
  "$kafka" status | grep -qx state=up || fail "a restarted broker is not up"
  expect "the messages after a kill" "$took" "$(messages)"

  pid=$(sed -n 's/^pid=//p' "$scratch/facts.again")
  "$kafka" stop
  ended "$pid" || fail "stop leaves process $pid"
  "$kafka" down
  [[ ! -e $data ]] || fail "down leaves $data"
}

owner() {
  local pid
  # shellcheck disable=SC2016  # expanded by the inner shell, the owner
  bash -c '"$1" up --data "$2" --version "$3" --owner $$' owner "$kafka" "$data" "$version" >"$scratch/facts"
  pid=$(fact pid)
  for _ in {1..200}; do
    if ended "$pid" && [[ ! -e $data ]]; then return 0; fi
    sleep 0.1
  done
  fail "the owner has ended, the broker (process $pid, $data) has not"
}

missing() {
  local code=0 tool
  mkdir "$scratch/bin"
  for tool in bash dirname realpath sed sha256sum head cat; do ln -s "$(command -v $tool)" "$scratch/bin"; done
  PATH=$scratch/bin RECMETER_REQUIRE_BROKER=0 "$kafka" up 2>"$scratch/said" || code=$?
  expect "the exit code without Java" 77 $code
  grep -q '^kafka: java is missing' "$scratch/said" || fail "without Java it says: $(<"$scratch/said")"
  code=0
  PATH=$scratch/bin RECMETER_REQUIRE_BROKER=1 "$kafka" up 2>"$scratch/said" || code=$?
  expect "the exit code without Java where a broker is required" 1 $code
}

claim=$1
version=${2:-}
if [[ $claim == keeps ]] && ! command -v kcat >/dev/null; then
  echo "broker_test: kcat is missing. Run scripts/bootstrap --test." >&2
  [[ ${RECMETER_REQUIRE_BROKER:-} == 1 ]] || exit 77
  exit 1
fi
case $claim in
  keeps | owner | missing) "$claim" ;;
  *) fail "no claim '$claim'" ;;
esac
