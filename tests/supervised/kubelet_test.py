"""A live run in the pod of examples/kubernetes/live.yaml, with a kubelet that is played (kubelet.py).

usage: kubelet_test.py PROGRAM BOOTSTRAP MANIFEST DIRECTORY

Through a start, a broker that is not there, kills of the process, a disk that is full, a pod that still has the state, a
frozen process, logrotate with SIGHUP, and the end: it is started again where it has to be, is killed where it has to be and
nowhere else, and its rows are those of a replay.
"""

import fcntl
import os
import pathlib
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request

from kubelet import Kubelet

PATIENCE = 90  # seconds; what it waits for is there in far less


def until(what, condition, kubelet):
    end = time.monotonic() + PATIENCE
    while not condition():
        if time.monotonic() > end:
            sys.exit(f"kubelet_test: no {what} after {PATIENCE} s: {kubelet.events}\n{kubelet.said.read_text()[-3000:]}")
        time.sleep(0.05)


def replayed(program, config, work):
    """The rows of a replay of the topics."""
    out = work / "replay.jsonl"
    command = [program, "replay", "--progress", "none", "--format", "jsonl", "--config", config, "--output", out]
    done = subprocess.run(command, capture_output=True)
    assert done.returncode in (0, 3), done
    return out.read_bytes()


def main():
    program, bootstrap, manifest, work = sys.argv[1:5]
    work = pathlib.Path(work)
    pod = work / "pod"
    pod.mkdir()
    # Nothing listens at port 1: the manifest's broker is not there yet.
    kubelet = Kubelet(manifest, program, pod, {"KAFKA_BROKERS": "127.0.0.1:1"})
    data = kubelet.folder("data")
    mount = ["mount", "-t", "tmpfs", "-o", "size=1g", "recmeter-test", data]
    has_disk = subprocess.run(mount, capture_output=True).returncode == 0
    if not has_disk:
        print("kubelet_test: no file system can be mounted here, so none is filled: that part is skipped", file=sys.stderr)
    rows = data / "windows.jsonl"
    # One file, but for logrotate.
    text = kubelet.config["live.yaml"].replace("windows.jsonl}", "windows.jsonl, rotate: 365d}")
    kubelet.write_config(text)
    threshold = kubelet.container["livenessProbe"]
    lives = threshold["periodSeconds"] * threshold["failureThreshold"]

    def get(path):
        """What it says, with whatever status; "" while nobody answers."""
        request = urllib.request.Request(kubelet.url("http") + path,
                                         headers={"Authorization": "Bearer 0123456789abcdef0123456789abcdef"})
        try:
            with urllib.request.urlopen(request, timeout=5) as answer:
                return answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.read().decode()
        except (urllib.error.URLError, OSError):
            return ""

    kubelet.start()
    try:
        # 1. Without a broker it lives, is not ready, and is not killed.
        until("word of the broker", lambda: "no broker of 127.0.0.1:1 " in kubelet.said.read_text(), kubelet)
        until("metrics", lambda: "recmeter_ready 0\n" in get("/metrics"), kubelet)
        time.sleep(lives + 2)
        assert kubelet.events == [("started", 1)], kubelet.events
        # 2. SIGHUP: a broker that answers is a change that it takes while it waits.
        kubelet.write_config(text.replace("${KAFKA_BROKERS:?}", bootstrap))
        kubelet.process.send_signal(signal.SIGHUP)
        until("readiness", lambda: kubelet.is_ready, kubelet)
        until("rows", lambda: rows.exists() and rows.stat().st_size > 0, kubelet)
        # 3. Killed, it goes on.
        kubelet.process.kill()
        until("second start", lambda: ("started", 2) in kubelet.events, kubelet)
        assert kubelet.ended() == [-signal.SIGKILL]
        until("readiness", lambda: kubelet.is_ready, kubelet)
        # 4. Frozen, it is killed by its liveness probe and goes on.
        kubelet.process.send_signal(signal.SIGSTOP)
        until("kill", lambda: ("killed", "livenessProbe") in kubelet.events, kubelet)
        until("third start", lambda: ("started", 3) in kubelet.events, kubelet)
        until("readiness", lambda: kubelet.is_ready, kubelet)
        # 5. A free key that needs a run of its own, and one with which no run can begin: the process stays the same.
        text = text.replace("${KAFKA_BROKERS:?}", bootstrap)
        kubelet.write_config(text.replace("group: recmeter-shop", "group: recmeter-shop, align: 10m"))
        kubelet.process.send_signal(signal.SIGHUP)
        until("word of the change", lambda: "begins anew: kafka.align" in kubelet.said.read_text(), kubelet)
        until("a run that began anew", lambda: kubelet.said.read_text().count("partitions; going on from") == 3, kubelet)
        (data / "other.jsonl").write_text("of somebody else\n")
        kubelet.write_config(text.replace("windows.jsonl,", "other.jsonl,"))
        kubelet.process.send_signal(signal.SIGHUP)
        until("word of the refusal", lambda: "the configuration before continues" in kubelet.said.read_text(), kubelet)
        until("the run before", lambda: kubelet.said.read_text().count("partitions; going on from") >= 5, kubelet)
        kubelet.write_config(text)
        until("readiness", lambda: '"ready":true' in get("/readyz"), kubelet)
        # 6. logrotate: rows until now are in the file that was moved, those after it in the new one.
        settled = -1
        while settled != rows.stat().st_size:
            settled = rows.stat().st_size
            time.sleep(2)
        moved = data / "moved.jsonl"
        rows.rename(moved)
        kubelet.process.send_signal(signal.SIGHUP)
        until("new file", rows.exists, kubelet)
        produce = os.environ["RECMETER_PRODUCE"]
        for topic in ("impressions", "feedback"):
            subprocess.run([produce, bootstrap, topic, work / f"{topic}1.jsonl"], check=True)
        until("rows in the new file", lambda: rows.stat().st_size > 0, kubelet)
        wanted = replayed(program, kubelet.folder("config") / "live.yaml", work)
        until("all rows", lambda: moved.stat().st_size + rows.stat().st_size >= len(wanted), kubelet)
        assert moved.read_bytes() + rows.read_bytes() == wanted, "rows differ from those of a replay"
        # 7. A pod that was lost still has the state: the next one lives, says why it is not ready, and goes on.
        kubelet.process.kill()
        until("end", lambda: len(kubelet.ended()) == 3, kubelet)
        with open(data / "state/db/LOCK", "r+b") as lock:
            fcntl.lockf(lock, fcntl.LOCK_EX)
            until("word of who has the state", lambda: "the state is in use by process" in get("/readyz"), kubelet)
            assert '"alive":true' in get("/livez")
            assert "recmeter_opening 1\n" in get("/metrics")
            time.sleep(5)
            assert ("ended", 1) not in kubelet.events and ("ready", True) != kubelet.events[-1], kubelet.events
        until("readiness", lambda: kubelet.is_ready, kubelet)
        # 8. Started on a disk that is full, it lives, the alert can fire, and it goes on when there is room.
        if has_disk:
            kubelet.process.kill()
            until("end", lambda: len(kubelet.ended()) == 4, kubelet)
            free = os.statvfs(data)
            with open(data / "filler", "wb") as filler:
                os.posix_fallocate(filler.fileno(), 0, free.f_bavail * free.f_frsize - (150 << 20))
            until("the disk guard", lambda: "recmeter_disk_guard 1\n" in get("/metrics"), kubelet)
            assert "recmeter_ready 0\n" in get("/metrics") and "disk" in get("/readyz")
            time.sleep(5)
            (data / "filler").unlink()
            until("readiness", lambda: kubelet.is_ready, kubelet)
        # 9. The end: within 2 s, with 0, and nothing else was killed.
        code, seconds = kubelet.stop()
        assert code == 0, kubelet.events
        assert seconds < kubelet.grace, seconds
        assert [one for one in kubelet.events if one[0] == "killed"] == [("killed", "livenessProbe")], kubelet.events
    finally:
        kubelet.abandon()
        if has_disk:
            subprocess.run(["umount", data], check=True)
    print(f"kubelet_test: ended within {seconds:.1f} s; {len(wanted)} bytes of rows; {kubelet.events}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
