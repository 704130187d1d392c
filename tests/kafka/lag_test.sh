#!/usr/bin/env bash
# What a run says of its lag, its brokers and its losses, on a real broker: lag_test.sh PROGRAM PRODUCE VERSION
name=lag_test
broker_options=(--set group.min.session.timeout.ms=1000)
# shellcheck source-path=SCRIPTDIR source=live.sh
source "$(dirname "$0")/live.sh"

url() { sed -n 's/.*dashboard: //p' one.said | tail -n 1; }
metrics() { curl -fsS "$(url)/metrics"; }
# sum NAME: over its partitions; `none` where there is no sample.
sum() { metrics | awk -v name="$1" 'index($1, name "{") == 1 || $1 == name {n = 1; s += $2} END {if (n) printf "%.0f\n", s; else print "none"}'; }
is() { [[ $(sum "$1") == "$2" ]]; }
above() { [[ $(sum "$1") != none ]] && (($(sum "$1") > $2)); }
is_ready() { curl -fsS "$(url)/readyz" >/dev/null 2>&1; }
unready_for() { curl -sS "$(url)/readyz" | grep -q -- "$1"; }
offsets() { tool GetOffsetShell --topic log | awk -F : '{offsets += $3} END {print offsets}'; }

make_log 6000 3 2
configuration one "  session: 3s
  properties: {heartbeat.interval.ms: 300, reconnect.backoff.max.ms: 500}"
sed -i 's/http: {listen: off}/http: {listen: "127.0.0.1:0"}/' one.yaml

# The last offsets hold markers, and records of transactions that were aborted: nobody can read them.
"$produce" --transactions 50 "$bootstrap" log part0?.jsonl
start one
within 30 is_ready || fail "it does not get ready: $(<one.said)"
within 20 above recmeter_lists_total 0 || fail "nothing is read: $(<one.said)"
within 5 is recmeter_partition_lag_records 0 || fail "markers count as lag: $(metrics | grep lag)"
is recmeter_partition_lag_seconds 0 || fail "markers count as lag in seconds: $(metrics | grep lag)"
committed() {
  tool consumer.group.ConsumerGroupCommand --describe --group evaluation 2>&1 |
    awk '$1 == "evaluation" {n += 1; lag += $6} END {print n ? lag : "none"}'
}
[[ $(committed) == 0 ]] || fail "tools of Kafka see a lag of $(committed)"

# Records behind a transaction that is open.
mkfifo hold
"$produce" --open "$bootstrap" log part1?.jsonl <hold 2>open.said &
holder=$!
running+=("$holder")
exec 9>hold
lines=$(cat part1?.jsonl | wc -l)
within 20 is recmeter_partition_open_transaction_records "$lines" ||
  fail "of $lines records behind an open transaction: $(metrics | grep -E 'partition_(lag|open)') $(<open.said)"
is recmeter_partition_lag_records "$lines" || fail "they are no lag: $(metrics | grep lag)"
above recmeter_partition_lag_seconds 0 || fail "they are no lag in seconds: $(metrics | grep lag)"
exec 9>&-
wait "$holder" || fail "the transaction is not committed: $(<open.said)"
within 20 is recmeter_partition_lag_records 0 || fail "the lag stays: $(metrics | grep lag)"
within 5 is recmeter_partition_open_transaction_records 0 || fail "there is no transaction: $(metrics | grep open_tr)"
is recmeter_brokers_reachable 1 || fail "one broker is reachable: $(metrics | grep brokers)"
within 20 above recmeter_row_latency_seconds_count 0 || fail "no latency of rows"
above recmeter_checkpoint_duration_seconds_count 0 || fail "no duration of checkpoints"

# A broker that is frozen is connected, and answers nothing.
frozen=$(fact pid)
kill -STOP "$frozen"
within 20 is recmeter_brokers_reachable 0 || fail "a frozen broker is reachable: $(metrics | grep brokers)"
within 3 unready_for "no broker of $bootstrap answers" || fail "beside a frozen broker: $(curl -sS "$(url)/readyz")"
kill -CONT "$frozen"
within 30 is_ready || fail "it does not go on with a broker that was frozen: $(curl -sS "$(url)/readyz")"

# No broker: that is what is said, also when the place in the group is lost.
"$kafka" kill --data "$data"
within 15 is recmeter_brokers_reachable 0 || fail "without a broker: $(metrics | grep brokers)"
for second in {1..8}; do
  unready_for "no broker of $bootstrap answers" || fail "after ${second} s without a broker: $(curl -sS "$(url)/readyz")"
  is recmeter_held 0 || fail "other members hold partitions without a broker: $(metrics | grep held)"
  [[ $(metrics) == *'recmeter_not_ready{reason="brokers"} 1'* ]] || fail "the reason is: $(metrics | grep not_ready)"
  ! unready_for "member\|partitions" || fail "another member is blamed: $(curl -sS "$(url)/readyz")"
  is recmeter_partition_lag_records none || fail "without a broker nobody knows the lag: $(metrics | grep lag)"
  above recmeter_partition_lag_seconds 0 || fail "without a broker the lag is 0 s: $(metrics | grep lag)"
  sleep 1
done
"$kafka" restart --data "$data" >/dev/null
within 60 is_ready || fail "it does not go on: $(curl -sS "$(url)/readyz") $(<one.said)"
is recmeter_brokers_reachable 1 || fail "the broker is back: $(metrics | grep brokers)"
within 10 is recmeter_partition_lag_records 0 || fail "the lag is not known again: $(metrics | grep lag)"
is recmeter_lost_records_total 0 || fail "nothing was lost: $(metrics | grep lost)"
is recmeter_last_gap_timestamp_seconds none || fail "nothing was lost: $(metrics | grep gap)"
end "$pid"

# A start without a broker says why nothing begins.
"$kafka" stop --data "$data"
start one
within 20 unready_for "no broker of $bootstrap answers" || fail "a start without a broker: $(curl -sS "$(url)/readyz")"
kill -TERM "$pid"
wait "$pid" || fail "asked to end without a broker: exit code $?"
"$kafka" restart --data "$data" >/dev/null

# Loss by retention is counted.
before=$(tool GetOffsetShell --topic log --partitions 0 | cut -d : -f 3)
send 2
echo "{\"version\":1,\"partitions\":[{\"topic\":\"log\",\"partition\":0,\"offset\":$((before + 100))}]}" >delete.json
tool DeleteRecordsCommand --offset-json-file delete.json >/dev/null
start one
within 30 above recmeter_lost_records_total 99 || fail "a loss is not counted: $(metrics | grep lost) $(<one.said)"
is recmeter_lost_records_total 100 || fail "100 records were lost: $(metrics | grep lost)"
above recmeter_last_gap_timestamp_seconds $(($(date +%s) - 60)) || fail "when it was: $(metrics | grep gap)"

# A broker that is frozen lets nobody go; the report is there all the same, and the run ends in time.
end "$pid"
"$program" attach --config one.yaml --report one.report 2>>one.said &
pid=$!
running+=("$pid")
within 30 is_ready || fail "it does not get ready again: $(<one.said)"
frozen=$(<"$data/pid")
kill -STOP "$frozen"
begun=$SECONDS
end "$pid"
((SECONDS - begun <= 3)) || fail "took $((SECONDS - begun)) s to end beside a frozen broker"
[[ -s one.report ]] || fail "no report beside a frozen broker: $(tail -n 3 one.said)"
kill -CONT "$frozen"
echo "lag_test: $lines records behind an open transaction, $(offsets) offsets"
