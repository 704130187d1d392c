#!/usr/bin/env bash
# The rights of recmeter attach are withdrawn while it runs, and given back, on a real broker: withdrawn_test.sh PROGRAM PRODUCE VERSION
name=withdrawn_test
# Who comes without a password may do everything, and he with one whatever is not denied.
broker_options=(--sasl --set authorizer.class.name=org.apache.kafka.metadata.authorizer.StandardAuthorizer
  --set super.users=User:ANONYMOUS --set allow.everyone.if.no.acl.found=true --set group.min.session.timeout.ms=1000)
# shellcheck source-path=SCRIPTDIR source=live.sh
source "$(dirname "$0")/live.sh"

rights() { tool AclCommand "$@" >/dev/null; }
url() { sed -n 's/.*dashboard: //p' one.said | tail -n 1; }
is_ready() { curl -fsS "$(url)/readyz" >/dev/null 2>&1; }
unready_for() { curl -sS "$(url)/readyz" | grep -q -- "$1"; }
# waits_for WHAT PIECE: it says so, lives, reads nothing of what comes, and says so once.
waits_for() {
  within 20 says one "$1: not allowed (.*); reading waits" || fail "without the right of $1: $(<one.said)"
  within 5 unready_for "$1: not allowed" || fail "ready without the right of $1: $(curl -sS "$(url)/readyz")"
  local had
  had=$(rows one.jsonl)
  send "$2"
  sleep 3
  kill -0 "$pid" || fail "it ends without the right of $1: $(<one.said)"
  (($(rows one.jsonl) == had)) || fail "it reads without the right of $1"
  (($(grep -c "$1: not allowed" one.said) == 1)) || fail "it says more than once what it lacks: $(<one.said)"
}
# goes_on ROWS
goes_on() {
  within 30 is_ready || fail "it does not go on: $(curl -sS "$(url)/readyz") $(<one.said)"
  within 30 has_rows one.jsonl "$1" || fail "$(rows one.jsonl) of $1 rows: $(<one.said)"
}

make_log 12000 4 2
configuration one "  session: 3s
  properties: {security.protocol: SASL_SSL, ssl.ca.location: \"$(fact sasl_ca)\", sasl.mechanism: PLAIN,
    sasl.username: $(fact sasl_username), sasl.password: \"$(fact sasl_password)\"}"
sed -i 's/http: {listen: off}/http: {listen: "127.0.0.1:0"}/; s/brokers: .*/brokers: "'"$(fact sasl_bootstrap)"'"/' one.yaml
sed 's/security.protocol.*/{}/; s/sasl.*//; s/brokers: .*/brokers: "'"$bootstrap"'"/; s/properties.*/properties: {}/' one.yaml >open.yaml

send 0
start one
within 30 has_rows one.jsonl 1 || fail "nothing is published: $(<one.said)"

# The topic may be seen, and not be read.
had=$(rows one.jsonl)
rights --add --allow-principal User:recmeter --operation Describe --topic log
waits_for log 1
rights --remove --force --allow-principal User:recmeter --operation Describe --topic log
goes_on $((had + 1))
says one "log: may be read again" || fail "it does not say that it goes on: $(<one.said)"

# The group.
: >one.said.before && cat one.said >>one.said.before && grep dashboard one.said.before >one.said
had=$(rows one.jsonl)
rights --add --deny-principal User:recmeter --operation Read --group evaluation
waits_for "kafka.group evaluation" 2
rights --remove --force --deny-principal User:recmeter --operation Read --group evaluation
goes_on $((had + 1))
says one "reading continues" || fail "it does not say that it goes on: $(<one.said)"

# The topic may not even be seen.
cat one.said >>one.said.before && grep dashboard one.said.before >one.said
rights --add --deny-principal User:recmeter --operation All --topic log
waits_for log 3
rights --remove --force --deny-principal User:recmeter --operation All --topic log
replayed open whole.rows
goes_on "$wanted"
end "$pid"
cmp whole.rows one.jsonl || fail "rights that came back give other rows than a replay"
echo "withdrawn_test: $wanted rows, the same bytes; said:"
cat one.said.before one.said
