"""configs/recmeter.service, read as systemd reads it: what each end of the program leads to, and that the program ends so.

usage: unit_test.py PROGRAM SOURCE_DIRECTORY
"""

import os
import pathlib
import re
import shlex
import signal
import socket
import subprocess
import sys
import tempfile
import time

# What docs/commands.md says of each exit code, as a supervisor of attach needs it: whether another start may help.
RESTARTS = {0: False, 1: True, 2: False, 4: False, 130: False}
NEVER = {3, 10, 11}  # of other commands
CONFIG = """inputs: [{{topic: log}}]
kafka: {{brokers: "127.0.0.1:1"}}
state: {{dir: state}}
publish: {{http: {{{http}}}}}
"""


def read_unit(text):
    """Its settings; one that stands there twice is a list."""
    settings = {}
    for line in text.splitlines():
        if "=" in line and not line.startswith("#"):
            key, value = line.split("=", 1)
            settings.setdefault(key, []).append(value)
    return settings


class Unit:
    def __init__(self, path):
        self.settings = read_unit(path.read_text())

    def one(self, key):
        value, = self.settings[key]
        return value

    def codes(self, key):
        return {int(word) for word in self.settings.get(key, [""])[0].split() if word.isdigit()}

    def restarts(self, code=None, by_signal=None):
        """systemd.service(5), the table of Restart=."""
        if code in self.codes("RestartPreventExitStatus"):
            return False
        is_clean = code == 0 or code in self.codes("SuccessExitStatus")
        is_clean = is_clean or by_signal in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM, signal.SIGPIPE)
        return {"no": False, "on-failure": not is_clean, "always": True}[self.one("Restart")]


class Service:
    """The program as the unit starts it, in a folder of its own."""

    def __init__(self, unit, program, folder):
        self.folder = folder
        self.notify = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.notify.bind(str(folder / "notify"))
        self.notify.settimeout(20)
        words = shlex.split(unit.one("ExecStart"))
        words = [str(program), *words[1:]]
        self.words = [word.replace("/etc/recmeter/", f"{folder}/") for word in words]
        self.unit = unit

    def start(self):
        self.notify.setblocking(False)
        try:
            while True:
                self.notify.recv(4096)  # what the one before has said
        except BlockingIOError:
            self.notify.settimeout(20)
        environment = {**os.environ, "NOTIFY_SOCKET": str(self.folder / "notify"), "WATCHDOG_USEC": "120000000"}
        self.said = self.folder / "said"
        with open(self.said, "wb") as said:
            self.process = subprocess.Popen(self.words, cwd=self.folder, env=environment, stdin=subprocess.DEVNULL,
                                            stdout=said, stderr=said)

    def says(self, text):
        end = time.monotonic() + 20
        while text not in self.said.read_text():
            assert time.monotonic() < end, (text, self.said.read_text())
            time.sleep(0.02)

    def hears(self, beginning):
        while not (heard := self.notify.recv(4096).decode()).startswith(beginning):
            pass
        return heard

    def reload(self):
        for command in self.unit.settings["ExecReload"]:
            subprocess.run(shlex.split(command.replace("$MAINPID", str(self.process.pid))), check=True)

    def end(self, by):
        self.process.send_signal(by)
        return self.process.wait(20)


def ends(unit, program, folder):
    """Each exit code that an attach can have, as it really comes about."""
    config = folder / "live.yaml"
    service = Service(unit, program, folder)
    config.write_text(CONFIG.format(http="listen: off"))
    service.start()
    service.says("no broker of 127.0.0.1:1 ")
    service.reload()
    service.says("read anew")
    yield 0, service.end(signal.SIGTERM)

    config.write_text(CONFIG.format(http='probes: "192.0.2.1:1"'))  # of no machine
    service.start()
    yield 1, service.process.wait(20)

    config.write_text("inputs: 7\n")
    service.start()
    yield 2, service.process.wait(20)

    config.write_text(CONFIG.format(http="listen: off"))
    marker = folder / "state/STATE"
    written = marker.read_text()
    marker.write_text("of another program\n")
    service.start()
    yield 4, service.process.wait(20)
    marker.write_text(written)

    service.start()
    service.says("no broker of 127.0.0.1:1 ")
    service.process.send_signal(signal.SIGKILL)
    yield -signal.SIGKILL, service.process.wait(20)

    # A state that another process has is waited for, for as long as it takes to start.
    import fcntl
    with open(folder / "state/db/LOCK", "r+b") as lock:
        fcntl.lockf(lock, fcntl.LOCK_EX)
        service.start()
        service.says("the state is in use by process")
        assert service.hears("EXTEND_TIMEOUT_USEC=")
        assert "in use" in service.hears("STATUS=the state is in use")
        yield 0, service.end(signal.SIGTERM)


def main():
    program, source = (pathlib.Path(path).resolve() for path in sys.argv[1:3])
    unit = Unit(source / "configs/recmeter.service")
    assert unit.one("Type") == "notify"
    documented = re.findall(r"^\| ([0-9, ]+) \|", (source / "docs/commands.md").read_text().split("## Exit codes")[1], re.M)
    codes = {int(code) for row in documented for code in row.split(",")}
    assert codes == set(RESTARTS) | NEVER, codes
    for code, restarts in RESTARTS.items():
        assert unit.restarts(code=code) == restarts, code
    for died_by in (signal.SIGKILL, signal.SIGABRT, signal.SIGSEGV, signal.SIGBUS):
        assert unit.restarts(by_signal=died_by), died_by
    assert not unit.restarts(by_signal=signal.SIGTERM)  # before its first instruction
    readme = (source / "README.md").read_text()
    described = unit.one("Description")
    assert described + "." in readme, f"the README does not begin as the unit does: {described}"
    # A stop takes 2 s, so that the grace is never what ends it.
    assert re.fullmatch(r"[0-9]+s", unit.one("TimeoutStopSec")) and int(unit.one("TimeoutStopSec")[:-1]) >= 5
    with tempfile.TemporaryDirectory() as directory:
        for wanted, code in ends(unit, program, pathlib.Path(directory)):
            assert code == wanted, (wanted, code, (pathlib.Path(directory) / "said").read_text())
    print("unit_test: every exit code leads to what the unit says")
    return 0


if __name__ == "__main__":
    sys.exit(main())
