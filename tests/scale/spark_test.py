"""examples/spark gives the rows and the report of one replay, though a stamp fails half way and a part runs twice.

usage: spark_test.py PROGRAM SOURCE_DIRECTORY

Makes a virtual environment with pyspark in a temporary directory, and installs a JRE where there is none and it may.
RECMETER_LISTS: how many lists the log has; 300,000 without, in 16 files.
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from one_run import CONFIG, make_log, report, same_rows

SKIPPED = 77

# Fails once for a stamp, half way, and once for a part, when it is done.
UNRELIABLE = """#!/bin/sh
case "$*" in
  *stamp*03.jsonl) if mkdir {marks}/stamp 2>/dev/null; then {program} "$@" | head -c 100000; exit 1; fi ;;
  *"--part 1/"*) if mkdir {marks}/part 2>/dev/null; then {program} "$@"; exit 1; fi ;;
esac
exec {program} "$@"
"""


def python_with_spark(work):
    subprocess.run([sys.executable, "-m", "venv", work / "venv"], check=True)
    python = work / "venv/bin/python"
    subprocess.run([python, "-m", "pip", "install", "--quiet", "pyspark"], check=True)
    return python


def find_java():
    if shutil.which("java") is None and os.geteuid() == 0 and shutil.which("apt-get"):
        subprocess.run(["apt-get", "install", "--yes", "--quiet", "default-jre-headless"], check=False)
    return shutil.which("java") is not None


def main():
    program, source = (pathlib.Path(path).resolve() for path in sys.argv[1:3])
    if not find_java():
        print("skipped: needs a JRE; install default-jre-headless")
        return SKIPPED
    with tempfile.TemporaryDirectory() as directory:
        work = pathlib.Path(directory)
        python = python_with_spark(work)
        logs = make_log(program, work, 16)
        (work / "c.yaml").write_text(CONFIG)
        (work / "marks").mkdir()
        unreliable = work / "unreliable"
        unreliable.write_text(UNRELIABLE.format(marks=work / "marks", program=program))
        unreliable.chmod(0o755)
        one = [program, "replay", "--config", "c.yaml", "--output", "one.jsonl", "--report", "one.json", *logs]
        subprocess.run(one, cwd=work, check=True)
        submit = [work / "venv/bin/spark-submit", "--master", "local[2,4]", source / "examples/spark/evaluate.py"]
        submit += ["--config", "c.yaml", "--parts", "4", "--recmeter", unreliable]
        submit += ["--output", "spark.jsonl", "--report", "spark.json", *logs]
        spark = {"PYSPARK_PYTHON": str(python), "SPARK_LOCAL_DIRS": str(work), "SPARK_LOCAL_IP": "127.0.0.1"}
        subprocess.run(submit, cwd=work, env={**os.environ, **spark}, check=True)
        assert sorted(os.listdir(work / "marks")) == ["part", "stamp"], "nothing failed"
        same_rows(work / "one.jsonl", work / "spark.jsonl")
        assert report(work / "one.json") == report(work / "spark.json")
        print(json.dumps(report(work / "spark.json")["events"]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
