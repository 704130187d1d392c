"""The pods of examples/kubernetes give the rows and the report of one replay; they can write where they do; a fault that all
of them have ends the Job at once.

usage: kubernetes_test.py PROGRAM SOURCE_DIRECTORY
"""

import gzip
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import yaml

from one_run import CONFIG, make_log, report, same_rows


def run_pod(pod, index, work):
    """Its container's command, with folders of `work` for its volumes. Returns the exit code."""
    container, = pod["containers"]
    args = container["args"]
    for mount in container["volumeMounts"]:
        args = [one.replace(mount["mountPath"] + "/", f"{work / mount['name']}/") for one in args]
    environment = {"PATH": f"{work / 'bin'}:{os.environ['PATH']}", "JOB_COMPLETION_INDEX": str(index)}
    return subprocess.run([*container["command"], *args], env=environment).returncode


def check_written(text, pod):
    """What commands write, those of comments included, is on volumes that can be written, by the image's user."""
    kinds = {volume["name"]: volume for volume in pod["volumes"]}
    fixed = [mount["mountPath"] for mount in pod["containers"][0]["volumeMounts"]
             if mount.get("readOnly") or "configMap" in kinds[mount["name"]]]
    written = re.findall(r"--(?:partials|pin|output|report) \"?(/[^\s\"]+)", text)
    assert len(written) == 2, written
    assert not [path for path in written if path.startswith(tuple(fixed))], written


def check_failures(job, work):
    """Of the exit codes that a pod has, those that another try cannot change, and no others, end the Job."""
    pod = job["template"]["spec"]
    assert pod["restartPolicy"] == "Never"  # podFailurePolicy demands it
    rule, = job["podFailurePolicy"]["rules"]
    codes = rule["onExitCodes"]
    assert (rule["action"], codes["operator"], codes["containerName"]) == ("FailJob", "In", pod["containers"][0]["name"])
    config = work / "config/shop.yaml"
    config.write_text(CONFIG.replace("windows", "window"))
    assert run_pod(pod, 0, work) in codes["values"]
    config.write_text(CONFIG)
    for log in (work / "log").iterdir():
        log.unlink()
    code = run_pod(pod, 0, work)
    assert code != 0 and code not in codes["values"], code  # the volume is not there yet


def main():
    program, source = (pathlib.Path(path).resolve() for path in sys.argv[1:3])
    text = (source / "examples/kubernetes/parts.yaml").read_text()
    job = yaml.safe_load(text)["spec"]
    pod = job["template"]["spec"]
    check_written(text, pod)
    user = re.search(r"--uid (\d+)", (source / "packaging/Containerfile").read_text())
    assert pod["securityContext"]["fsGroup"] == int(user[1])
    with tempfile.TemporaryDirectory() as directory:
        work = pathlib.Path(directory)
        for name in ("bin", "config", "log", "out"):
            (work / name).mkdir()
        (work / "bin/recmeter").symlink_to(program)
        (work / "config/shop.yaml").write_text(CONFIG)
        for name in make_log(program, work / "bin", 4):
            log = pathlib.Path(name)
            (work / "log" / f"{log.name}.gz").write_bytes(gzip.compress(log.read_bytes(), 1))
        one = [program, "replay", "--config", work / "config/shop.yaml", "--output", work / "one.jsonl"]
        subprocess.run([*one, "--report", work / "one.json", *sorted((work / "log").iterdir())], check=True)
        for index in range(job["completions"]):
            assert run_pod(pod, index, work) == 0
        merge = [program, "merge", *(work / "out").glob("*.rmp"), "--output", work / "rows.jsonl"]
        subprocess.run([*merge, "--report", work / "report.json"], check=True)
        same_rows(work / "one.jsonl", work / "rows.jsonl")
        assert report(work / "one.json") == report(work / "report.json")
        check_failures(job, work)
    return 0


if __name__ == "__main__":
    os.environ.setdefault("RECMETER_LISTS", "30000")
    sys.exit(main())
