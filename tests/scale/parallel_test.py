"""examples/parallel gives the rows and the report of one replay, though a part is killed on its way and the script run again;
on other machines, too, which get nothing of the environment; and never those of another run that had the same directory.

usage: parallel_test.py PROGRAM SOURCE_DIRECTORY
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from one_run import CONFIG, make_log, report, same_rows

SKIPPED = 77

# Kills itself, once, when a part is on its way.
KILLED = """#!/bin/sh
case "$*" in
  *"--part 2/"*) if mkdir {marks}/part 2>/dev/null; then {program} "$@" & sleep 0.05; kill -9 $!; kill -9 $$; fi ;;
esac
exec {program} "$@"
"""

# Two machines that see the same files: their shells begin elsewhere, with nothing of ours but the PATH.
OTHER_MACHINE = """#!/bin/sh
while [ "$1" != -- ]; do host=$1; shift; done
shift
mkdir -p {marks}/"$host"
cd /
exec env -i HOME=/ SHELL=/bin/sh PATH="$PATH" sh -c "$*"
"""


def check_other_machines(script, work, environment):
    """Names of files that are not absolute and have a space, too."""
    (work / "ssh").write_text(OTHER_MACHINE.format(marks=work / "marks"))
    (work / "ssh").chmod(0o755)
    machines = {"PARALLEL": f"--ssh {work / 'ssh'} --sshlogin 2/one.example,2/two.example"}
    subprocess.run(script, cwd=work, env={**environment, **machines}, check=True)
    assert {"one.example", "two.example"} <= set(os.listdir(work / "marks")), "a machine had nothing to do"


def contents(directory):
    return {path.name: path.read_bytes() for path in directory.iterdir()}


def check_refused(script, why, work, environment):
    """Tells what to do, and leaves the directory as it is."""
    before = contents(work / "out")
    run = subprocess.run(script, cwd=work, env=environment, stderr=subprocess.PIPE, text=True)
    assert run.returncode == 2, f"{why}: exit code {run.returncode}"
    assert "another run" in run.stderr and "another directory" in run.stderr, run.stderr
    assert contents(work / "out") == before, f"{why}: files have changed"


def main():
    program, source = (pathlib.Path(path).resolve() for path in sys.argv[1:3])
    if shutil.which("parallel") is None:
        print("skipped: needs GNU parallel; install parallel")
        return SKIPPED
    with tempfile.TemporaryDirectory() as directory:
        work = pathlib.Path(directory)
        logs = make_log(program, work, 4)
        (work / "c.yaml").write_text(CONFIG)
        for name in ("marks", "bin", "out"):
            (work / name).mkdir()
        (work / "bin/recmeter").write_text(KILLED.format(marks=work / "marks", program=program))
        (work / "bin/recmeter").chmod(0o755)
        one = [program, "replay", "--config", "c.yaml", "--output", "one.jsonl", "--report", "one.json", *logs]
        subprocess.run(one, cwd=work, check=True)
        environment = {**os.environ, "PATH": f"{work / 'bin'}:{os.environ['PATH']}"}
        evaluate = source / "examples/parallel/evaluate.sh"
        script = [evaluate, "c.yaml", "5", "out", *logs]
        subprocess.run(script, cwd=work, env=environment, check=True)
        assert os.listdir(work / "marks") == ["part"], "nothing was killed"
        same_rows(work / "one.jsonl", work / "out/rows.jsonl")
        assert report(work / "one.json") == report(work / "out/report.json")
        os.remove(work / "out/3.rmp")
        subprocess.run(script, cwd=work, env=environment, check=True)
        same_rows(work / "one.jsonl", work / "out/rows.jsonl")

        names = [pathlib.Path(log).name for log in logs]
        check_other_machines([evaluate, "c.yaml", "5", "out of two", *names], work, environment)
        same_rows(work / "one.jsonl", work / "out of two/rows.jsonl")

        (work / "unlike").mkdir()
        (work / "unlike/c.yaml").write_text(CONFIG.replace("mrr, ", ""))
        check_refused([evaluate, "c.yaml", "5", "out", *logs[:3], work / "log"], "another log", work, environment)
        check_refused([evaluate, "c.yaml", "5", "out", *reversed(logs)], "another order", work, environment)
        check_refused([evaluate, "c.yaml", "4", "out", *logs], "fewer parts", work, environment)
        check_refused([evaluate, "unlike/c.yaml", "5", "out", *logs], "another configuration", work, environment)
        with open(logs[0], "ab") as log:
            log.write(b"{}\n")
        check_refused(script, "a log that has grown", work, environment)
        os.remove(work / "out/run.txt")
        check_refused(script, "nobody knows which run", work, environment)
    return 0


if __name__ == "__main__":
    sys.exit(main())
