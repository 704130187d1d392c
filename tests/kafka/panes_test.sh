#!/usr/bin/env bash
# recmeter attach with a long window, killed again and again: panes_test.sh PROGRAM PRODUCE VERSION
#
# A restart takes up the sealed panes of its state, and goes on to the rows of a replay, with other numbers of threads too.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=prelude.sh
. "$(dirname "$0")/prelude.sh" "$@"

make_pieces 4 30000 24
produce_piece 0 log
cat >panes.yaml <<YAML
inputs: [{topic: log}]
kafka: {brokers: "$bootstrap", align: 1m}
windows: [{name: six, size: 6h, slide: 20m}]
segments: [[variant]]
join: {horizons: [15m], same_list: 15m}
metrics: {cutoffs: [5, 10], names: [precision, mrr]}
limits: {lost_share: 1}
state: {dir: panes.state, checkpoint_every: 10ms}
publish: {file: {path: panes.windows, rotate: 365d}, http: {listen: off}}
YAML

restarts=0
for threads in 1 4 2; do
  before=$(rows panes.windows)
  "$program" attach --config panes.yaml --threads "$threads" 2>>said &
  running=$!
  wait_for_rows panes.windows $((before + 20)) 0.002
  kill -KILL "$running"
  wait "$running" 2>/dev/null || true
  "$program" state check panes.state >checked 2>&1 || fail "the state is not sound: $(<checked)"
  "$program" state info panes.state >told
  grep -q '^sealed panes  [1-9]' told || fail "no pane is kept: $(<told)"
  restarts=$((restarts + 1))
  produce_piece "$restarts" log
done
replay whole --config panes.yaml
! grep -q '"stage":"truncated"' whole.rows || fail "the last events are not beyond all windows"
"$program" attach --config panes.yaml --report panes.live 2>last &
running=$!
wait_for_rows panes.windows "$(rows whole.rows)"
end_attach
grep -q "are read again; sealed panes have what was before" last || fail "a restart does not say what it reads: $(<last)"
cmp whole.rows panes.windows || fail "what goes on from sealed panes has other rows"
same_report whole.report panes.live
echo "panes_test: killed $restarts times; $(grep '^sealed panes' told), then the $(rows whole.rows) rows of a replay"
