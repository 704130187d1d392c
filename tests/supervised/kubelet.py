"""Plays the kubelet for one container of a manifest: starts the program as the manifest says, asks its probes as often as
they say, and kills what a kubelet would kill.

Folders stand for volumes, ports of loopback for the pod's. What is not played: images, users, memory limits, and the growing
pause before a container is started again, which is one second here.
"""

import os
import pathlib
import signal
import socket
import subprocess
import threading
import time
import urllib.error
import urllib.request

import yaml

PAUSE = 1.0  # before a container that has ended is started again


def free_port():
    with socket.socket() as place:
        place.bind(("127.0.0.1", 0))
        return place.getsockname()[1]


class Probe:
    """One probe of the manifest; answers count as a kubelet counts them."""

    def __init__(self, spec, ports):
        http = spec["httpGet"]
        port = http["port"]
        self.url = f"http://127.0.0.1:{ports[port]}{http['path']}"
        self.period = spec.get("periodSeconds", 10)
        self.timeout = spec.get("timeoutSeconds", 1)
        self.failures_max = spec.get("failureThreshold", 3)
        self.due = 0.0
        self.failures = 0

    def begin(self, now):
        self.due = now
        self.failures = 0

    def look(self, now):
        """None: not yet; True or False: what it found, False once it has failed often enough."""
        if now < self.due:
            return None
        self.due = now + self.period
        try:
            with urllib.request.urlopen(self.url, timeout=self.timeout) as answer:
                is_well = 200 <= answer.status < 400
        except (urllib.error.URLError, OSError):
            is_well = False
        self.failures = 0 if is_well else self.failures + 1
        return True if is_well else False if self.failures >= self.failures_max else None


class Kubelet:
    """Runs the container until stop(). `events` has what happened: ("started", n), ("ended", code), ("killed", probe),
    ("ready", bool)."""

    def __init__(self, manifest, program, work, environment):
        documents = {one["kind"]: one for one in yaml.safe_load_all(pathlib.Path(manifest).read_text())}
        self.config = documents["ConfigMap"]["data"]
        self.stateful = documents["StatefulSet"]["spec"]
        self.pod = self.stateful["template"]["spec"]
        self.container, = self.pod["containers"]
        self.grace = self.pod["terminationGracePeriodSeconds"]
        self.program = program
        self.work = pathlib.Path(work)
        self.ports = {}  # by number and name in the manifest
        for port in self.container["ports"]:
            self.ports[port["containerPort"]] = self.ports[port["name"]] = free_port()
        self.environment = {one["name"]: one["value"] for one in self.container["env"]} | environment
        self.events = []
        self.is_ready = False
        self.process = None
        self.said = self.work / "said"
        self.said.touch()
        self._stops = threading.Event()
        self._thread = None
        self._make_volumes()

    def folder(self, name):
        """Of a volume, by its name."""
        return self.work / name

    def here(self, text):
        """A text of the pod with this machine's folders and ports."""
        for mount in self.container["volumeMounts"]:
            text = text.replace(mount["mountPath"] + "/", f"{self.folder(mount['name'])}/")
        for port in [one["containerPort"] for one in self.container["ports"]]:
            text = text.replace(f"0.0.0.0:{port}", f"127.0.0.1:{self.ports[port]}")
        return text

    def _make_volumes(self):
        claims = [one["metadata"]["name"] for one in self.stateful["volumeClaimTemplates"]]
        names = claims + [one["name"] for one in self.pod["volumes"]]
        assert {one["name"] for one in self.container["volumeMounts"]} <= set(names)
        for name in names:
            self.folder(name).mkdir(exist_ok=True)
        self.write_config(self.config["live.yaml"])
        (self.folder("secret") / "token").write_text("0123456789abcdef0123456789abcdef\n")

    def write_config(self, text):
        (self.folder("config") / "live.yaml").write_text(self.here(text))

    def url(self, name):
        return f"http://127.0.0.1:{self.ports[name]}"

    def start(self):
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def stop(self):
        """As a pod that is deleted. Returns the exit code and the seconds it took."""
        begun = time.monotonic()
        self._stops.set()
        self._thread.join()
        return self.events[-1][1], time.monotonic() - begun

    def abandon(self):
        """Ends everything at once."""
        self._stops.set()
        if self.process and self.process.poll() is None:
            self.process.kill()
        self._thread.join()

    def ended(self):
        return [code for what, code in self.events if what == "ended"]

    def _run(self):
        count = 0
        while not self._stops.is_set():
            count += 1
            self.events.append(("started", count))
            self._run_once()
            self._stops.wait(PAUSE)

    def _start(self):
        words = [self.here(word) for word in self.container["args"]]
        with open(self.said, "ab") as said:
            self.process = subprocess.Popen([self.program, *words], stdin=subprocess.DEVNULL, stdout=said, stderr=said,
                                            cwd=self.work, env={**os.environ, **self.environment})

    def _kill(self):
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(self.grace)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.events.append(("grace is over", self.grace))

    def _run_once(self):
        names = ("startupProbe", "livenessProbe", "readinessProbe")
        probes = {name: Probe(self.container[name], self.ports) for name in names}
        self._start()
        probes["startupProbe"].begin(time.monotonic())
        has_started = False
        while self.process.poll() is None:
            if self._stops.wait(0.05):
                self._kill()
                break
            now = time.monotonic()
            if not has_started:
                found = probes["startupProbe"].look(now)
                if found:
                    has_started = True
                    for name in ("livenessProbe", "readinessProbe"):
                        probes[name].begin(now)
            else:
                found = probes["livenessProbe"].look(now)
                is_ready = probes["readinessProbe"].look(now)
                if is_ready is not None and is_ready != self.is_ready:
                    self.is_ready = is_ready
                    self.events.append(("ready", is_ready))
            if found is False:
                self.events.append(("killed", "livenessProbe" if has_started else "startupProbe"))
                self._kill()
                break
        code = self.process.wait()
        self.is_ready = False
        self.events.append(("ended", code))
