"""examples/parallel gives the rows and the report of one replay, though a part is killed on its way and the script run again.

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
        script = [source / "examples/parallel/evaluate.sh", "c.yaml", "5", "out", *logs]
        subprocess.run(script, cwd=work, env=environment, check=True)
        assert os.listdir(work / "marks") == ["part"], "nothing was killed"
        same_rows(work / "one.jsonl", work / "out/rows.jsonl")
        assert report(work / "one.json") == report(work / "out/report.json")
        os.remove(work / "out/3.rmp")
        subprocess.run(script, cwd=work, env=environment, check=True)
        same_rows(work / "one.jsonl", work / "out/rows.jsonl")
    return 0


if __name__ == "__main__":
    sys.exit(main())
