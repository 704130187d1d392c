"""A running `recmeter demo` for tests, and what they ask of it. It and all they start is gone when they end."""

import contextlib
import json
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
URL = "http://127.0.0.1:8080"  # recmeter demo has no option for it; alone.sh
SKIPPED = 77


def skip_without(*commands):
    """Ends the test as skipped, aloud, when a program is missing."""
    for command in commands:
        if shutil.which(command) is None:
            print(f"skipped: there is no {command}; scripts/bootstrap --page installs it", file=sys.stderr)
            sys.exit(SKIPPED)


def fail(message):
    sys.exit(f"{Path(sys.argv[0]).name}: {message}")


def get(url, accept="*/*"):
    """The answer's text and its content type. OSError where there is none, or another status than 200."""
    request = urllib.request.Request(url, headers={"Accept": accept})
    with urllib.request.urlopen(request, timeout=10) as answer:
        return answer.read().decode(), answer.headers["Content-Type"]


def get_json(url):
    return json.loads(get(url)[0])


def until(what, seconds, is_so):
    """What `is_so` gives once it is true. An OSError is not so yet."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        with contextlib.suppress(OSError):
            if so := is_so():
                return so
        time.sleep(0.1)
    fail(f"not so after {seconds} s: {what}")


@contextlib.contextmanager
def running(command, folder):
    """A process of the test's own, ended when the block is left; its output is in the folder."""
    name = Path(command[0]).name
    with open(Path(folder) / f"{name}.out", "wb") as out, open(Path(folder) / f"{name}.err", "wb") as err:
        process = subprocess.Popen(command, stdout=out, stderr=err, stdin=subprocess.DEVNULL, cwd=folder)
    try:
        yield process
    except SystemExit:
        sys.stderr.write((Path(folder) / f"{name}.err").read_text(errors="replace")[-2000:])
        raise
    finally:
        process.terminate()
        try:
            process.wait(30)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


@contextlib.contextmanager
def live_demo(program, rate=200):
    """A demo that has final windows of all its series; gives its URL."""
    with contextlib.suppress(OSError):
        get(URL + "/livez")
        fail(f"somebody listens on {URL} already")
    with tempfile.TemporaryDirectory() as folder:
        command = [str(Path(program).resolve()), "demo", "--seconds", "600", "--rate", str(rate)]
        with running(command, folder) as process:

            def has_finals():
                if process.poll() is not None:
                    fail(f"recmeter demo ended by itself with {process.returncode}")
                return 'recmeter_precision_low{stage="final"' in get(URL + "/metrics")[0]

            until("the demo has a final window", 90, has_finals)
            yield URL
