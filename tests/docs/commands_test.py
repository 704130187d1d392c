"""Runs every command of a page that users read, in its order, and looks for the output that the page shows below it.

usage: commands_test.py PAGE PROGRAM SOURCE_DIRECTORY

A block fenced as `sh` or `python` is run; a `text` block right below it has lines of its output, in order. A first line
`# needs: NAME` names what the block needs besides recmeter: `demo` is a running one; Python packages are installed into a
virtual environment with RECMETER_PYTHON_PACKAGES=1, and their blocks only compiled without; blocks for airflow and recmeter
always are. Logs of other tools than the tutorial's are those of recipe_logs.py.

Of NUMBERS_COMPUTED every decimal number outside of the blocks, too, is in the output of its section (`## `) to as many
digits, or is worked out, as in `0.125 / 0.25 = 0.5`. In a table it is in a line of that output which has the names that
stand in backquotes at the top of its column and in the first cell of its row, where the output has these names at all.
"""

import fcntl
import os
import pathlib
import pty
import re
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
import termios
import time
import urllib.request

import recipe_logs

NUMBERS_COMPUTED = {"docs/misleading-numbers.md"}
FENCED = r"(?ms)^```(\w+)\n(.*?)^```$"

page, program, source = sys.argv[1], pathlib.Path(sys.argv[2]).resolve(), pathlib.Path(sys.argv[3]).resolve()


def blocks(text):
    """(language, body, line) of every fenced block."""
    for match in re.finditer(FENCED, text):
        yield match[1], match[2], text[: match.start()].count("\n") + 1


def packages(folder, names):
    """A Python that has them."""
    home = folder / "venv"
    if not home.exists():
        subprocess.run([sys.executable, "-m", "venv", home], check=True)
    extra = ["duckdb-cli"] if "duckdb" in names else []
    subprocess.run([home / "bin/pip", "install", "--quiet", "--disable-pip-version-check", *names, *extra], check=True)
    return home / "bin"


def on_a_terminal(command, folder, environment):
    """As a user sees it, who has a terminal: exit code and output."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 100, 0, 0))
    process = subprocess.Popen(command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=theirs,
                               stderr=theirs)
    os.close(theirs)
    output = b""
    while True:
        try:
            some = os.read(ours, 65536)
        except OSError:  # the last one that held it is gone
            break
        if not some:
            break
        output += some
    os.close(ours)
    return process.wait(), output.decode(errors="replace").replace("\r\n", "\n")


def wait_for(url):
    for _ in range(200):
        try:
            return urllib.request.urlopen(url, timeout=1).read()
        except OSError:
            time.sleep(0.05)
    raise AssertionError(f"{url} does not answer")


def check_cell(cell, lines, derived):
    """Each decimal number of `cell` is in `lines`, or worked out in it or before. Returns how many there are."""
    known = [float(number) for line in lines for number in re.findall(r"\d+(?:\.\d+)?", line)]

    def check(number, values):
        off = 0.5 * 10.0 ** -len(number.partition(".")[2]) + 1e-9
        assert any(abs(float(number) - value) <= off for value in values), f"{page}: {number} does not come out: {cell}"

    for terms, result in re.findall(r"(\(?\d[\d.() +*/-]*) = (\d+\.\d+)", cell):
        check(result, [eval(terms)])
        for number in re.findall(r"\d+\.\d+", terms):
            check(number, known)
        derived.append(float(result))
    numbers = re.findall(r"(?<![\w.])\d+\.\d+(?![\w.]*\d)", cell)
    for number in numbers:
        check(number, known + derived)
    return len(numbers)


def check_numbers(text, outputs):
    """`outputs`: of each section's blocks, in order, what stands before the first one as a section of its own."""
    checked = 0
    for section, output in zip(re.split(r"(?m)^(?=## )", text), outputs, strict=True):
        derived, header = [], []
        for line in re.sub(FENCED, "", section).split("\n"):
            cells = line.split("|")[1:-1] if line.startswith("|") else [line]
            header = (header or cells) if line.startswith("|") else []
            for column, cell in enumerate(cells):
                names = re.findall(r"`(\w+)`", header[column] + cells[0]) if header else []
                names = [rf"\b{name}\b" for name in names if re.search(rf"\b{name}\b", output)]
                lines = [one for one in output.split("\n") if all(re.search(name, one) for name in names)]
                checked += check_cell(cell, lines, derived)
    print(f"{page}: {checked} numbers compared")
    assert checked > 0, f"{page} has no number"


def main():
    text = (source / page).read_text()
    folder = pathlib.Path(tempfile.mkdtemp())
    run = only_compiled = 0
    outputs = [""] * (text.count("\n## ") + 1)
    demo = None
    try:
        for name in ("shown.csv", "actions.csv"):
            shutil.copy(source / "examples/shop" / name, folder)
        recipe_logs.write(folder)
        (folder / "bin").mkdir()
        (folder / "bin/recmeter").symlink_to(program)
        path = f"{folder / 'bin'}:{os.environ['PATH']}"
        output = ""
        for language, body, line in blocks(text):
            if language == "text":
                at = 0
                for wanted in body.splitlines():
                    found = output.find(wanted, at)
                    assert found >= 0, f"{page}:{line}: not in the output above it: {wanted}\n{output}"
                    at = found + len(wanted)
                continue
            if language not in ("sh", "python"):
                continue
            needs = re.match(r"# needs: (.*)\n", body)
            words = needs[1].split() if needs else []
            here = path
            if "demo" in words:
                with socket.socket() as any_port:
                    any_port.bind(("127.0.0.1", 0))
                    address = f"127.0.0.1:{any_port.getsockname()[1]}"
                demo = subprocess.Popen([program, "demo", "--seconds", "60", "--listen", address], cwd=folder,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                body = body.replace("127.0.0.1:8391", address)
                wait_for(f"http://{address}/metrics")
            elif words and ("airflow" in words or "recmeter" in words or not os.environ.get("RECMETER_PYTHON_PACKAGES")):
                if language == "python":
                    compile(body, f"{page}:{line}", "exec")
                only_compiled += 1
                continue
            elif words:
                here = f"{packages(folder, words)}:{path}"
            command = ["bash", "-euo", "pipefail", "-c", body] if language == "sh" else ["python3", "-c", body]
            code, output = on_a_terminal(command, folder, {**os.environ, "PATH": here, "COLUMNS": "100", "NO_COLOR": "1",
                                                           "TERM": "xterm"})
            assert code == 0, f"{page}:{line}: exit code {code}\n{body}\n{output[-3000:]}"
            outputs["\n".join(text.split("\n")[:line]).count("\n## ")] += output
            run += 1
        for script in set(re.findall(r"(?m)^    (scripts/\w+)", text)):
            assert os.access(source / script, os.X_OK), f"{page}: {script} cannot be run"
        if page in NUMBERS_COMPUTED:
            check_numbers(text, outputs)
        print(f"{page}: {run} blocks run, {only_compiled} only compiled")
        assert run > 0, f"{page} has no command"
    finally:
        if demo:
            demo.terminate()
            demo.wait()
        shutil.rmtree(folder)


main()
