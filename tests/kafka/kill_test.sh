#!/usr/bin/env bash
# Runs of recmeter attach on a real broker that are killed again and again (kill_runs.py):
#
#   kill_test.sh PROGRAM PRODUCE VERSION KILLED RANDOM NAMED
#
# RANDOM runs with kills at random moments, NAMED with kills at named points (KILLED: recmeter_attach_killed).
# RECMETER_SEED=n: other moments.
set -euo pipefail
killed=$(realpath "$4")
# shellcheck source-path=SCRIPTDIR source=prelude.sh
. "$(dirname "$0")/prelude.sh" "$@"
random=$5 named=$6

"$program" generate --quiet --lists 50000 --hours 24 --rows 0.1 --empty-lists 0.05 --disorder 20s --duplicates 0.01 --late 0.01 \
  --malformed 0.01 --brokers "$bootstrap" --topic log --end-marks 2d
cat >live.yaml <<YAML
inputs: [{topic: log}]
kafka: {brokers: "$bootstrap"}
windows:
  - {name: minute, size: 1m}
  - {name: hour, size: 1h, slide: 5m}
metrics: {cutoffs: [10], names: [precision, mrr, distinct_items]}
limits: {invalid_share: 1, lost_share: 1}
YAML
replay whole --config live.yaml
! grep -q '"stage":"truncated"' whole.rows || fail "the last events are not beyond all windows"
python3 "$here/kill_runs.py" --program "$program" --produce "$produce" --killed "$killed" --bootstrap "$bootstrap" \
  --random "$random" --named "$named" --seed "${RECMETER_SEED:-1}" || fail "not every run gave what it should"
