#!/usr/bin/env bash
# In a minimal Debian that has nothing but the tarball: the program runs, with no library of the system but glibc's.
#   usage: tarball.sh TARBALL      (scripts/clean-root SUITE tarball calls it)
set -euo pipefail
fail() { echo "tarball: $1" >&2; exit 1; }

for tool in gcc cmake python3; do
  if command -v $tool >/dev/null; then fail "there is a $tool: this proves little"; fi
done
mkdir /tmp/there
tar --extract --file "$1" --directory /tmp/there
place=$(echo /tmp/there/recmeter-*)
foreign=$(ldd "$place/bin/recmeter" | grep -vF "$place/" | grep -vE 'linux-vdso|ld-linux|/lib(c|m|mvec|pthread|dl|rt|resolv|util)\.so' || true)
[[ -z $foreign ]] || fail "it needs libraries of the system: $foreign"
export PATH=$place/bin:$PATH
recmeter version

# The tutorial, with the files that come with it.
cp -r "$place/share/doc/recmeter/examples/shop" /tmp/shop
cd /tmp/shop
[[ -s $place/share/doc/recmeter/docs/tutorial.md ]] || fail "there is no tutorial"
recmeter infer shown.csv actions.csv >shop.yaml
recmeter doctor --config shop.yaml shown.csv actions.csv >doctor.txt
recmeter replay --config shop.yaml shown.csv actions.csv --format table
recmeter compare --config shop.yaml --by ranker shown.csv actions.csv >compared.txt
grep -q '^new against old: precision@5 +6.5 %' compared.txt || fail "compare says something else: $(<compared.txt)"
recmeter replay --config shop.yaml shown.csv actions.csv --output rows.jsonl --lists lists.jsonl
recmeter report rows.jsonl --lists lists.jsonl --output report.html
grep -q uPlot report.html || fail "the page has no charts"

# A live run with a broker that is not there: it starts, and stops when it is asked to.
recmeter init --live >live.yaml
recmeter attach --config live.yaml >attach.txt 2>&1 &
run=$!
sleep 3
kill -0 $run || { cat attach.txt; fail "attach ended by itself"; }
kill -TERM $run
code=0
wait $run || code=$?
[[ $code == 0 || $code == 130 ]] || { cat attach.txt; fail "attach ended with exit code $code"; }
echo "tarball: all is well"
