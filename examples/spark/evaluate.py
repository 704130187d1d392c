"""One log, evaluated by Spark: a task per file stamps it, the shuffle hands events to parts, partials are merged in a tree.

usage: spark-submit evaluate.py --config shop.yaml --parts 8 --output rows.jsonl --report report.json LOG...

The rows and the report are those of one `recmeter replay` of the files in the order of their names. recmeter is on the PATH
of each worker, or where --recmeter says; the files are where each worker can read them under the same name. Tasks may fail
and be repeated: what they make depends on their input alone.
"""

import argparse
import os
import subprocess
import tempfile

from pyspark import SparkFiles
from pyspark.sql import SparkSession

BLOCK = 1 << 20  # about so many bytes of lines travel as one


def stamp(recmeter, config, parts, path):
    """(part, lines) for the events of a file; the last line, of slot -, goes to every part."""
    command = [recmeter, "stamp", "--threads", "1", "--config", SparkFiles.get(config), path]
    waiting = {part: [] for part in range(parts)}
    held = dict.fromkeys(waiting, 0)
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        for line in process.stdout:
            slot = line[: line.index(b"\t")]
            for part in waiting if slot == b"-" else [int(slot) % parts]:
                waiting[part].append(line)
                held[part] += len(line)
                if held[part] >= BLOCK:
                    yield part, b"".join(waiting[part])
                    waiting[part], held[part] = [], 0
    if process.returncode != 0:
        raise RuntimeError(f"recmeter stamp {path}: exit code {process.returncode}")
    yield from ((part, b"".join(lines)) for part, lines in waiting.items())


def evaluate(recmeter, config, parts, part, blocks):
    """The partial of one part, as bytes."""
    with tempfile.TemporaryDirectory() as work:
        partial = os.path.join(work, "partial.rmp")
        command = [recmeter, "replay", "--threads", "1", "--config", SparkFiles.get(config), "--part", f"{part}/{parts}"]
        command += ["--partials", partial, "--stamped", "-"]
        with subprocess.Popen(command, stdin=subprocess.PIPE) as process:
            for _, lines in blocks:
                process.stdin.write(lines)
            process.stdin.close()
        if process.returncode != 0:
            raise RuntimeError(f"recmeter replay --part {part}/{parts}: exit code {process.returncode}")
        with open(partial, "rb") as file:
            yield file.read()


def merge(recmeter, partials, options):
    with tempfile.TemporaryDirectory() as work:
        paths = [os.path.join(work, f"{number}.rmp") for number in range(len(partials))]
        for path, partial in zip(paths, partials):
            with open(path, "wb") as file:
                file.write(partial)
        subprocess.run([recmeter, "merge", *paths, *options], check=True)


def merge_two(recmeter, one, other):
    """The partial of the parts of both."""
    with tempfile.TemporaryDirectory() as work:
        both = os.path.join(work, "both.rmp")
        merge(recmeter, [one, other], ["--partials", both])
        with open(both, "rb") as file:
            return file.read()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--config", required=True)
    parser.add_argument("--parts", type=int, default=8)
    parser.add_argument("--output", required=True)
    parser.add_argument("--report", required=True)
    parser.add_argument("--recmeter", default="recmeter")
    parser.add_argument("logs", nargs="+")
    asked = parser.parse_args()
    recmeter, parts, config = asked.recmeter, asked.parts, os.path.basename(asked.config)

    context = SparkSession.builder.appName("recmeter").getOrCreate().sparkContext
    context.addFile(asked.config)
    partials = (
        context.parallelize(asked.logs, len(asked.logs))
        .flatMap(lambda path: stamp(recmeter, config, parts, path))
        .partitionBy(parts, lambda part: part)
        .mapPartitionsWithIndex(lambda part, blocks: evaluate(recmeter, config, parts, part, blocks))
    )
    whole = partials.treeReduce(lambda one, other: merge_two(recmeter, one, other))
    merge(recmeter, [whole], ["--output", asked.output, "--report", asked.report])


if __name__ == "__main__":
    main()
