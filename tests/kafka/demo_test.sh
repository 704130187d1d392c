#!/usr/bin/env bash
# recmeter demo: no broker but its own, no terminal, a few seconds: demo_test.sh PROGRAM
set -euo pipefail
program=$(realpath "$1")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export TMPDIR=$scratch
cd "$scratch"

fail() { echo "demo_test: $1" >&2; exit 1; }
timeout 90 "$program" demo --seconds 8 --listen 127.0.0.1:0 >shown 2>said || fail "exit code $?: $(<said)"
grep -q 'variant=B' shown || fail "no table: $(<shown)"
! grep -q ' p [0-9]' shown || fail "a window is not final at the end: $(<shown)"
finals=$(sed -n 's/.*events read, \([0-9]*\) final rows.*/\1/p' said)
((finals >= 3)) || fail "$finals final rows: $(<said)"
# What was built in says how many lists and actions there were; the table has the lists.
lists=$(sed -n 's/^truth of seed 1: \([0-9]*\) lists.*/\1/p' said)
((lists == 1600)) || fail "$lists lists: $(<said)"
shown=$(awk '$2 == "all" {for (i = 3; i <= NF; i++) if ($i ~ /^[0-9]+$/) {sum += $i; break}} END {print sum}' shown)
((shown == lists)) || fail "$shown lists are shown, of $lists"
grep -q 'http://127.0.0.1:' said || fail "it does not say where it can be watched: $(<said)"
# On a terminal every frame has the address of its page.
TERM=xterm COLUMNS=100 timeout 90 script -qfec "'$program' demo --seconds 3 --listen 127.0.0.1:0" frames >/dev/null || fail "on a terminal: exit code $?"
last=$(awk 'BEGIN {RS = "\x1b\\[H\x1b\\[J"} {frame = $0} END {print frame}' frames)
[[ $last == *"Dashboard: http://127.0.0.1:"* ]] || fail "the last frame does not say where its page is: $last"
[[ -z $(find . -name 'recmeter-demo-*') ]] || fail "its state is left behind"
echo "demo_test: $finals final rows of $lists lists"
