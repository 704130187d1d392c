#!/usr/bin/env bash
# recmeter attach that is not let in, and what it says then, on a real broker: refused_test.sh PROGRAM PRODUCE VERSION
name=refused_test
# Who comes without a password may do everything, and he with one whatever is not denied.
broker_options=(--sasl --set authorizer.class.name=org.apache.kafka.metadata.authorizer.StandardAuthorizer
  --set super.users=User:ANONYMOUS --set allow.everyone.if.no.acl.found=true)
# shellcheck source-path=SCRIPTDIR source=live.sh
source "$(dirname "$0")/live.sh"

canary=XQ7canary7QX
make_log 3000 1 2
send 0
bootstrap=$(fact sasl_bootstrap)
properties() { # PASSWORD [CA] [PROTOCOL]
  echo "  properties: {security.protocol: ${3:-SASL_SSL}, ssl.ca.location: \"${2:-$(fact sasl_ca)}\", sasl.mechanism: PLAIN,
    sasl.username: $(fact sasl_username), sasl.password: \"$1\", ssl.key.password: $canary}"
}
expect() { # NAME CODE TEXT
  start "$1"
  ends "$2" "$pid" "$1"
  says "$1" "$3" || fail "$1 does not say '$3': $(<"$1.said")"
}

configuration right "$(properties "$(fact sasl_password)")"
start right
within 30 has_rows right.jsonl 1 || fail "with the right password: $(<right.said)"
end "$pid"

configuration password "$(properties $canary)"
expect password 1 "log: $bootstrap does not let us in (.*[Aa]uthentication"
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 3 -subj /CN=other -keyout other.key \
  -out other.pem 2>/dev/null
configuration stranger "$(properties "$(fact sasl_password)" "$scratch/other.pem")"
expect stranger 1 "log: $bootstrap does not let us in (.*certificate"
configuration nothing "$(properties $canary "$scratch/no.such.pem")"
expect nothing 2 "kafka.properties do not fit together: ssl.ca.location"
sed 's/topic: log/topic: other/; s/"right\./"missing./' right.yaml >missing.yaml
expect missing 1 "other: there is no such topic at $bootstrap"

# Rights that this user lacks.
deny() { # OPERATION RESOURCE...
  tool AclCommand --add --deny-principal User:recmeter --operation "$@" >/dev/null
}
deny Read --group strangers
configuration group "$(properties "$(fact sasl_password)")"
sed -i 's/group: evaluation/group: strangers/' group.yaml
expect group 1 "kafka.group strangers: not allowed (.*). Get permission"
"$program" replay --config group.yaml --output group.rows --progress none 2>group.replay ||
  fail "a replay, which is in no group, needs its rights: $(<group.replay)"
deny Read --topic log
configuration topic "$(properties "$(fact sasl_password)")"
expect topic 1 "log.*not allowed (.*). Get permission to describe and read the topic"

# A port that wants TLS and gets none: it waits, and says what to look at.
configuration plain
start plain
within 20 says plain "no broker of $bootstrap answers (.*security.protocol" || fail "TLS that is missing: $(<plain.said)"
end "$pid"

! grep -l "$canary\|$(fact sasl_password)" ./*.said || fail "a secret is shown"
echo "refused_test: said:"
grep -h . ./*.said
