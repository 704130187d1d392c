#!/usr/bin/env bash
# alone.sh COMMAND...: runs it with a loopback of its own where the system allows that, so that it shares no port with others:
# recmeter demo listens on 127.0.0.1:8080. Elsewhere the command runs as it is.
set -euo pipefail
if unshare --map-root-user --net true 2>/dev/null && command -v ip >/dev/null; then
  # shellcheck disable=SC2016 # the inner shell expands it
  exec unshare --map-root-user --net -- bash -c 'ip link set lo up && exec "$@"' alone "$@"
fi
exec "$@"
