# Shows that something goes on, for scripts that are sourced it: one line that is rewritten every second on a terminal, a line
# whenever ten seconds have passed elsewhere.
# shellcheck shell=bash

# progress TITLE LOG COMMAND...: runs the command with its output in LOG, and shows the time it has taken and how far it is, read from
# LOG: ninja's "[12/320] ...", weighed by LOG.plan where plan_of() has written it, or apt's "dlstatus:3:41.2:..." and
# "pmstatus:name:41.2:...". The command's exit code is its own.
progress() {
  local title=$1 log=$2 job code=0 second=0 line
  shift 2
  left='' left_at=0 finished_before=0
  # A group of its own, so that an interrupt ends all that the command has started.
  set -m
  "$@" >>"$log" 2>&1 </dev/null &
  job=$!
  set +m
  trap 'kill -- "-$job" 2>/dev/null; wait "$job"; exit 130' INT TERM
  while kill -0 "$job" 2>/dev/null; do
    look_how_far "$log" $second
    line="$title, $(clock $second)$far"
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

# plan_of BUILD TARGET...: the steps that ninja will take, a line each, after about how many seconds one takes on a core: a batch of
# sources by their size, measured without a cache of compiled files.
plan_of() {
  local build=$1 step batch seconds bytes manifest
  shift
  # Where CMake looks for new sources, ninja would make its manifest anew first, and with -n it stops there: a copy has no rule for that.
  manifest=$(mktemp)
  sed '/^build build\.ninja[ :]/,/^$/d' "$build/build.ninja" >"$manifest"
  ninja -C "$build" -f "$manifest" -n "$@" | sed -n 's/^\[[0-9]*\/[0-9]*\] //p' | while IFS= read -r step; do
    seconds=1
    case $step in
      *Unity/*.o)
        batch=$build/${step##* }
        bytes=$(sed -n 's/^#include "\(.*\)"$/\1/p' "${batch%.o}" | tr '\n' '\0' | xargs -0 cat | wc -c)
        seconds=$((2 + bytes / 5000))
        ;;
      *' C'*' object '*) seconds=4 ;;
      *' executable '*) seconds=5 ;;
    esac
    printf '%d %s\n' "$seconds" "$step"
  done
  rm -f "$manifest"
}

# weighed LOG: "DONE TOTAL", the seconds of the steps that LOG says are done and of all in LOG.plan.
weighed() {
  awk 'FNR == NR { seconds = $1; sub(/^[0-9]+ /, ""); plan[$0] = seconds; total += seconds; next }
    sub(/^\[[0-9]+\/[0-9]+\] /, "") && ($0 in plan) { done += plan[$0]; delete plan[$0] }
    END { print done + 0, total + 0 }' "$1.plan" "$1"
}

# estimate SECOND DONE TOTAL: sets `left`, the time left in seconds, once a twentieth is done. Between two steps it counts down; from
# one line to the next it never climbs by more than 10 s, so that a step that takes long does not turn the clock back.
estimate() {
  local second=$1 finished=$2 total=$3 new expected
  ((second >= 5 && finished * 20 >= total)) || return 0
  expected=''
  if [[ $left ]]; then expected=$((left - (second - left_at))); fi
  if [[ $expected ]] && ((finished == finished_before)); then
    new=$expected
  else
    new=$((second * (total - finished) / finished))
  fi
  if [[ $expected ]] && ((new > left + 10)); then new=$((left + 10)); fi
  if ((new < 1)); then new=1; fi
  left=$new left_at=$second finished_before=$finished
}

# Sets `far`: what a log says of how far the work is. Nothing, if it says nothing.
look_how_far() {
  local log=$1 second=$2 end number total finished weight
  far=''
  end=$(tail -c 2000 "$log" 2>/dev/null | tr -d '\0' | grep -aE '^(\[[0-9]+/[0-9]+\]|dlstatus:|pmstatus:)' | tail -n 1) || return 0
  case $end in
    '['*)
      number=${end%%/*} number=${number#[}
      total=${end%%]*} total=${total#*/}
      far=", step $number of $total"
      finished=$number weight=$total
      if [[ -s $log.plan ]]; then read -r finished weight < <(weighed "$log"); fi
      estimate "$second" "$finished" "$weight"
      if [[ $left ]]; then far+=", about $(clock "$left") left"; fi
      ;;
    dlstatus:*) far=$(printf ', downloading %d %%' "$(cut -d : -f 3 <<<"$end" | cut -d . -f 1)") ;;
    pmstatus:*) far=$(printf ', installing %d %%: %s' "$(cut -d : -f 3 <<<"$end" | cut -d . -f 1)" "$(cut -d : -f 2 <<<"$end")") ;;
  esac
}

# How many compilers run at once: one a core, and as many as have 1.8 GB each of the memory that is free.
compilers() {
  local room
  room=$(awk '/^MemAvailable:/ { print int($2 / 1800000) }' /proc/meminfo)
  local cores
  cores=$(nproc)
  printf '%d\n' $((room < 1 ? 1 : room < cores ? room : cores))
}
