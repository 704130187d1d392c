#!/bin/sh
# One log in parts with GNU parallel, on one machine or, with --sshlogin, on several that see the same files:
#
#   evaluate.sh CONFIG PARTS DIRECTORY LOG...
#
# Files are stamped, parts evaluated, partials merged; rows.jsonl and report.json are in DIRECTORY. A task that fails is run
# again by --retries; one that was done before has its file, and is not run again when the script is.
set -eu
config=$1 parts=$2 to=$3
shift 3
mkdir -p "$to"
export config parts to
printf '%s\n' "$@" | parallel --retries 3 --halt now,fail=1 \
  'test -e "$to/{#}.tsv" || recmeter stamp --threads 1 --config "$config" --output "$to/{#}.tsv" {}'
seq 0 $((parts - 1)) | parallel --retries 3 --halt now,fail=1 \
  'test -e "$to/{}.rmp" || recmeter replay --threads 1 --config "$config" --part {}/"$parts" --partials "$to/{}.rmp" --stamped "$to"/*.tsv'
recmeter merge "$to"/*.rmp --output "$to/rows.jsonl" --report "$to/report.json"
