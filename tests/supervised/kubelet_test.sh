#!/usr/bin/env bash
# examples/kubernetes/live.yaml under a kubelet that is played: kubelet_test.sh PROGRAM PRODUCE VERSION
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=../kafka/prelude.sh
. "$(dirname "$0")/../kafka/prelude.sh" "$@"

"$program" generate --quiet --lists 20000 --hours 8 --disorder 20s --output log.jsonl
python3 - <<'PY'
import json
lines = [line for line in open("log.jsonl", "rb").read().split(b"\n") if line.strip()]
for half, some in enumerate((lines[: len(lines) // 2], lines[len(lines) // 2 :])):
    for topic in ("impressions", "feedback"):
        mine = [line for line in some if (json.loads(line)["type"] == "impression") == (topic == "impressions")]
        end = [b'{"type":"tick","ts":1700200000000}'] if half == 1 else []
        open(f"{topic}{half}.jsonl", "wb").write(b"\n".join(mine + end) + b"\n")
PY
for topic in impressions feedback; do "$produce" "$bootstrap" $topic ${topic}0.jsonl; done
RECMETER_PRODUCE="$produce" python3 "$here/../supervised/kubelet_test.py" "$program" "$bootstrap" \
  "$here/../../examples/kubernetes/live.yaml" "$scratch"
