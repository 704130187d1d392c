#!/bin/sh
# One log in parts with GNU parallel:
#
#   evaluate.sh CONFIG PARTS DIRECTORY LOG...
#
# Files are stamped, parts evaluated, partials merged; rows.jsonl and report.json are in DIRECTORY. A task that fails is run
# again by --retries. Run again, the script goes on where it stopped: a task that has its file is done. So DIRECTORY belongs
# to one run. Its run.txt names the number of parts, the configuration, and the logs with their sizes. Another run is refused.
#
# On several machines that see the same files under the same names, and have recmeter on their PATH:
#
#   PARALLEL='--sshlogin one,two' evaluate.sh CONFIG PARTS DIRECTORY LOG...
set -eu
config=$1 parts=$2 to=$3
shift 3
mkdir -p "$to"

run=$(
  sum=$(cksum <"$config")
  echo "parts $parts"
  echo "config $sum"
  for log; do
    bytes=$(wc -c <"$log")
    case $log in /*) ;; *) log=$PWD/$log ;; esac
    echo "log $((bytes)) $log"
  done
)
if [ ! -e "$to/run.txt" ]; then
  for file in "$to"/*.tsv "$to"/*.rmp; do
    if [ -e "$file" ]; then
      echo "evaluate.sh: $file is of another run: name another directory, or delete the files in this one" >&2
      exit 2
    fi
  done
  echo "$run" >"$to/run.txt.new"
  mv "$to/run.txt.new" "$to/run.txt"
elif ! echo "$run" | diff "$to/run.txt" - >&2; then
  echo "evaluate.sh: $to has files of another run (<), not of this one (>): name another directory, or delete that one" >&2
  exit 2
fi

export config parts to
tasks() { # On other machines nothing else of the environment is there, and the current directory is another one.
  parallel --env config --env parts --env to --workdir "$PWD" --retries 3 --halt now,fail=1 "$1"
}
printf '%s\n' "$@" |
  tasks 'test -e "$to/{#}.tsv" || recmeter stamp --threads 1 --config "$config" --output "$to/{#}.tsv" {}'
seq 0 $((parts - 1)) |
  tasks 'test -e "$to/{}.rmp" ||
    recmeter replay --threads 1 --config "$config" --part {}/"$parts" --partials "$to/{}.rmp" --stamped "$to"/*.tsv'
recmeter merge "$to"/*.rmp --output "$to/rows.jsonl" --report "$to/report.json"
