#!/usr/bin/env bash
# own_symbols.sh NM FILE...: fails where a symbol of an unnamed namespace is weak or unique. The linker gives one of that name to
# all sources, so that metrics whose objects are called alike would share their values without a word (GCC 14 makes templates
# of such objects so).
set -euo pipefail
nm=$1
shift
shared=$("$nm" "$@" | awk '$2 ~ /^[WVu]$/ && /_GLOBAL__N_/ {print $3}' | sort -u)
[[ -z $shared ]] && exit 0
while read -r symbol; do echo "given to all sources: $symbol"; done <<<"$shared"
echo "Use a type where a template takes an object or a function of an unnamed namespace."
exit 1
