#!/usr/bin/env bash
# In a minimal Debian that has nothing but the package: it installs, runs, is found by man and shells, its service starts and stops,
# and it goes away without a trace.   usage: installed.sh PACKAGE.deb      (scripts/clean-root SUITE package calls it)
set -euo pipefail
export DEBIAN_FRONTEND=noninteractive
package=$1
fail() { echo "installed: $1" >&2; exit 1; }

apt-get -qq update
apt-get -qq install -y --no-install-recommends man-db bash-completion systemd lintian >/dev/null 2>&1
# A minimal Debian leaves manual pages out.
rm -f /etc/dpkg/dpkg.cfg.d/docker /etc/dpkg/dpkg.cfg.d/excludes
dpkg -i "$package" >/tmp/dpkg.log 2>&1 || apt-get -qq install -y --no-install-recommends -f >/dev/null 2>&1
dpkg -s recmeter | grep -q '^Status: install ok installed$' || fail "dpkg -i and apt-get -f install did not install it"
lintian --allow-root --fail-on error,warning "$package" || fail "lintian finds fault"

recmeter version
cd /tmp
recmeter generate --lists 20000 --hours 2 --seed 1 --output log.jsonl 2>/dev/null
recmeter replay --format jsonl log.jsonl 2>/dev/null | head -c 100
echo " ..."
MANPAGER="cat" man recmeter-replay | grep -q 'Evaluate event logs' || fail "man does not find its page"
# shellcheck disable=SC1091
. /usr/share/bash-completion/bash_completion
_completion_loader recmeter 2>/dev/null || true
complete -p recmeter | grep -q _recmeter || fail "bash does not find the completion"
systemd-analyze verify --man=no recmeter.service || fail "systemd finds fault with the service"

# The service's own command line, in its own directory, with a broker that is not there yet: it starts, says so, and stops when it
# is asked to.
install -d /etc/recmeter /var/lib/recmeter
recmeter init --live | sed 's|^\( *dir:\).*|\1 /var/lib/recmeter/state|' >/etc/recmeter/live.yaml
command=$(sed -n 's/^ExecStart=//p' /usr/lib/systemd/system/recmeter.service)
(cd /var/lib/recmeter && exec $command) >/tmp/service.log 2>&1 &
service=$!
sleep 3
kill -0 $service || { cat /tmp/service.log; fail "the service ended by itself"; }
kill -TERM $service
code=0
wait $service || code=$?
[[ $code == 0 || $code == 130 ]] || { cat /tmp/service.log; fail "the service ended with exit code $code"; }
echo "service: started, and ended with exit code $code on SIGTERM"

dpkg -r recmeter >/dev/null
hash -r # the shell remembers where it was
! command -v recmeter || fail "it is still there after dpkg -r"
echo "installed: all is well"
