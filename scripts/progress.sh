# Shows that something goes on, for scripts that are sourced it: one line that is rewritten every second on a terminal, a line
# whenever ten seconds have passed elsewhere.
# shellcheck shell=bash

# progress TITLE LOG COMMAND...: runs the command with its output in LOG, and shows the time it has taken and how far it is, read from
# the end of LOG: ninja's "[12/320] ...", or apt's "dlstatus:3:41.2:..." and "pmstatus:name:41.2:...". The command's exit code is its own.
progress() {
  local title=$1 log=$2 job code=0 second=0 line
  shift 2
  # A group of its own, so that an interrupt ends all that the command has started.
  set -m
  "$@" >>"$log" 2>&1 </dev/null &
  job=$!
  set +m
  trap 'kill -- "-$job" 2>/dev/null; wait "$job"; exit 130' INT TERM
  while kill -0 "$job" 2>/dev/null; do
    line="$title, $(clock $second)$(how_far "$log" $second)"
    if [[ -t 2 ]]; then
      printf '\r\033[K%s' "${line:0:$((${COLUMNS:-80} - 1))}" >&2
    elif ((second % 10 == 0)); then
      printf '%s\n' "$line" >&2
    fi
    sleep 1
    second=$((second + 1))
  done
  wait "$job" || code=$?
  trap - INT TERM
  if [[ -t 2 ]]; then printf '\r\033[K' >&2; fi
  ((code)) || printf '%s: done in %s\n' "$title" "$(clock $second)" >&2
  return $code
}

clock() { printf '%d:%02d' $(($1 / 60)) $(($1 % 60)); }

# What the end of a log says of how far the work is. Nothing, if it says nothing.
how_far() {
  local log=$1 second=$2 end number total
  end=$(tail -c 2000 "$log" 2>/dev/null | tr -d '\0' | grep -aE '^(\[[0-9]+/[0-9]+\]|dlstatus:|pmstatus:)' | tail -n 1) || return 0
  case $end in
    '['*)
      number=${end%%/*} number=${number#[}
      total=${end%%]*} total=${total#*/}
      printf ', step %d of %d' "$number" "$total"
      if ((number >= 20 && second >= 5)); then
        printf ', about %s left' "$(clock $((second * (total - number) / number)))"
      fi
      ;;
    dlstatus:*) printf ', downloading %d %%' "$(cut -d : -f 3 <<<"$end" | cut -d . -f 1)" ;;
    pmstatus:*) printf ', installing %d %%: %s' "$(cut -d : -f 3 <<<"$end" | cut -d . -f 1)" "$(cut -d : -f 2 <<<"$end")" ;;
  esac
}
