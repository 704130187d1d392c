"""What is installed: manual, completions, the core as a library, the Debian package, the image's recipe, the schemas.

usage: packaging_test.py TEST BUILD_DIRECTORY SOURCE_DIRECTORY
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

SKIPPED = 77
build = pathlib.Path(sys.argv[2])
source = pathlib.Path(sys.argv[3])
program = build / "recmeter"


def run(*words, **more):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, **more)
    if done.returncode != 0:
        raise AssertionError(f"{words} ended with {done.returncode}:\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}")
    return done.stdout


def commands():
    listed = run(program, "--help").split("Version only\n")[1]
    names = [line.split()[0] for line in listed.splitlines() if re.match(r"  [a-z]", line)]
    assert len(names) >= 10 or "attach" not in names, names
    return names


def options(command):
    """Names of a command's options, as its help has them."""
    return set(re.findall(r"(?m)^  (?:-\w,)?(--[a-z-]+)", run(program, command, "--help")))


def skip(why):
    print("skipped:", why)
    sys.exit(SKIPPED)


def the_manual_names_every_command_and_option():
    main = run(program, "manual").replace("\\-", "-")
    for command in commands():
        assert f"recmeter-{command}" in main, command
        page = run(program, "manual", command).replace("\\-", "-")
        for option in options(command):
            assert f"\\fB{option}\\fR" in page, (command, option)
        assert ".SH SYNOPSIS" in page and ".SH OPTIONS" in page


def pages_are_sound_for_man():
    if shutil.which("man") is None:
        skip("man is missing")
    for words in [[], *([name] for name in commands())]:
        page = run(program, "manual", *words)
        done = subprocess.run(["man", "--warnings", "-E", "UTF-8", "-l", "-Tutf8", "-Z", "-"], input=page, text=True,
                              capture_output=True, env={**os.environ, "MANROFFSEQ": "", "LC_ALL": "C.UTF-8"})
        assert done.returncode == 0 and not done.stderr, (words, done.stderr)


def completions_name_every_option():
    texts = {shell: run(program, "manual", "--format", shell) for shell in ("bash", "zsh", "fish")}
    for command in commands():
        for option in options(command):
            assert re.search(rf"    {command}\) options='[^']*{option}\b", texts["bash"]), (command, option)
            assert option in texts["zsh"].split(f"\n  {command})\n")[1].split(";;")[0], (command, option)
            if option not in ("--help", "--json"):
                assert re.search(rf"from {command}' .*-l {option[2:]}\b", texts["fish"]), (command, option)
    for shell, text in texts.items():
        if shutil.which(shell) is None:
            continue
        done = subprocess.run([shell, "-n", "/dev/stdin"], input=text, text=True, capture_output=True)
        assert done.returncode == 0 and not done.stderr, (shell, done.stderr)


def bash_completes():
    """What a user sees who presses the tab key."""
    def answers(*words):
        script = run(program, "manual", "--format", "bash") + (
            f"\ncompopt() {{ :; }}\nCOMP_WORDS=({' '.join(repr(w) for w in words)})\nCOMP_CWORD={len(words) - 1}\n"
            "_recmeter\nprintf '%s\\n' \"${COMPREPLY[@]}\"\n")
        return [line for line in run("bash", "-c", script).split("\n") if line]

    assert answers("recmeter", "rep") == [name for name in commands() if name.startswith("rep")]
    assert answers("recmeter", "replay", "--sort-") == ["--sort-memory"]
    assert answers("recmeter", "replay", "--format", "") == ["jsonl", "csv", "table"]
    assert answers("recmeter", "replay", "-f", "c") == ["csv"]
    assert answers("recmeter", "--json", "replay", "--cur") == ["--curves"]


def another_program_uses_the_core():
    """find_package(recmeter) in the installed tree; the example's numbers are those of the program."""
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        run("cmake", "--install", build, "--prefix", folder / "tree", "--component", "Development")
        run("cmake", "-S", source / "examples/embed", "-B", folder / "build", "-DCMAKE_BUILD_TYPE=Release",
            f"-DCMAKE_PREFIX_PATH={folder / 'tree'}")
        run("cmake", "--build", folder / "build")
        log = folder / "log.jsonl"
        run(program, "generate", "--lists", 3000, "--hours", 3, "--seed", 2, "--output", log)
        found = [line.split(",") for line in run(folder / "build/embed", log).splitlines()]
        config = folder / "config.yaml"
        config.write_text("join: {horizons: [30m], actions: {click: {gain: 1}}}\nwindows: [{name: hour, size: 1h}]\n"
                          "segments: [[variant]]\nmetrics: {names: [precision, mrr], cutoffs: [10]}\n")
        said = run(program, "replay", "-f", "jsonl", "--sort", "never", "-c", config, log)
        rows = [json.loads(line) for line in said.splitlines()]
        wanted = [[str(row["start"]), "=".join(*row["segment"].items()) if row["segment"] else "all",
                   *(f"{metric['value'] or 0:.6f}" for metric in row["metrics"].values())] for row in rows]
        assert found == wanted and len(found) > 5, (found, wanted)


def the_debian_package_is_whole():
    if shutil.which("dpkg-deb") is None or shutil.which("dpkg-shlibdeps") is None:
        skip("dpkg-dev is missing")
    with tempfile.TemporaryDirectory() as folder:
        run("cpack", "--config", build / "CPackConfig.cmake", "-B", folder)
        package, = pathlib.Path(folder).glob("*.deb")
        files = {line.split()[5].removeprefix(".") for line in run("dpkg-deb", "-c", package).splitlines()}
        wanted = ["/usr/bin/recmeter", "/usr/share/man/man1/recmeter.1.gz", "/usr/share/man/man1/recmeter-replay.1.gz",
                  "/usr/share/bash-completion/completions/recmeter", "/usr/share/zsh/vendor-completions/_recmeter",
                  "/usr/share/fish/vendor_completions.d/recmeter.fish", "/usr/share/recmeter/schemas/row.schema.json",
                  "/usr/share/doc/recmeter/copyright", "/usr/share/doc/recmeter/changelog.gz",
                  "/usr/share/doc/recmeter/examples/replay.yaml"]
        if "attach" in commands():
            wanted.append("/usr/lib/systemd/system/recmeter.service")
        assert not [name for name in wanted if name not in files], (wanted, sorted(files))
        assert not [name for name in files if name.endswith((".a", ".h"))], "what is for builders does not belong there"
        depends = run("dpkg-deb", "-f", package, "Depends")
        assert "libc6" in depends and "libzstd1" in depends, depends
        if shutil.which("lintian") is None:
            print("lintian is missing: the package's form was not looked at")
        else:
            said = run("lintian", "--allow-root", "--fail-on", "error,warning", package)
            assert not said.strip(), said
        if shutil.which("systemd-analyze") is not None and "attach" in commands():
            tree = pathlib.Path(folder) / "tree"
            run("dpkg-deb", "-x", package, tree)
            unit = (tree / "usr/lib/systemd/system/recmeter.service").read_text()
            assert "ExecStart=/usr/bin/recmeter attach" in unit, unit


def the_image_has_a_sound_recipe():
    """Built where a builder and its base image are to be had, else read as far as a program can."""
    recipe = source / "packaging/Containerfile"
    lines = re.sub(r"\\\n", " ", recipe.read_text())
    steps = [line.split(None, 1) for line in lines.splitlines() if line and not line.startswith("#")]
    known = {"FROM", "COPY", "WORKDIR", "RUN", "USER", "VOLUME", "ENTRYPOINT", "CMD"}
    assert {word for word, _ in steps} <= known, steps
    stages = [text.split(" AS ")[1] for word, text in steps if word == "FROM" and " AS " in text]
    for word, text in steps:
        if word == "FROM":
            assert re.fullmatch(r"\S+:[a-z-]+( AS \w+)?", text), f"{text}: no tag"
        if word == "COPY" and "--from=" in text:
            assert re.search(r"--from=(\w+)", text)[1] in stages, text
        if word in ("ENTRYPOINT", "CMD"):
            assert isinstance(json.loads(text), list), text
        if word == "RUN" and "apt-get install" in text:
            assert "--no-install-recommends" in text and "rm -rf /var/lib/apt/lists" in text, text
        if word == "RUN" and text.startswith("scripts/"):
            assert os.access(source / text.split()[0], os.X_OK), text
    users = [text for word, text in steps if word == "USER"]
    assert users and users[-1] not in ("0", "root"), "it runs as root"
    builder = shutil.which("podman") or shutil.which("buildah")
    base = next(text.split()[0] for word, text in steps if word == "FROM")
    if builder and subprocess.run([builder, "inspect", "--type", "image", base], capture_output=True).returncode == 0:
        run(builder, "build", "-f", recipe, source)
    else:
        print("no builder with the base image here: the recipe was read only")


def documents_are_as_their_schemas_say():
    """The schemas by a validator that is not ours."""
    python = next((name for name in (sys.executable, "/usr/bin/python3")
                   if subprocess.run([name, "-c", "import jsonschema, yaml"], capture_output=True).returncode == 0), None)
    if python is None:
        skip("the Python packages jsonschema and yaml are missing")
    if python != sys.executable:
        sys.exit(subprocess.run([python, *sys.argv]).returncode)
    import jsonschema
    import yaml

    def judge(name):
        schema = json.loads((source / "docs/schemas" / f"{name}.schema.json").read_text())
        jsonschema.Draft7Validator.check_schema({k: v for k, v in schema.items() if k != "$schema"})
        kind = getattr(jsonschema, "Draft202012Validator", jsonschema.Draft7Validator)
        validator = kind(schema)

        def check(document, what):
            faults = [f"{'/'.join(map(str, error.absolute_path))}: {error.message[:200]}"
                      for error in validator.iter_errors(document)]
            assert not faults, (what, faults[:5])
        return check

    row, report, configuration = judge("row"), judge("report"), judge("configuration")
    golden = (source / "tests/golden/rows.jsonl").read_text().splitlines()
    for line in golden:
        row(json.loads(line), "tests/golden/rows.jsonl")
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        run(program, "generate", "--lists", 3000, "--hours", 3, "--seed", 2, "--output", folder / "log.jsonl")
        rows = run(program, "replay", "-f", "jsonl", "--report", folder / "report.json", folder / "log.jsonl").splitlines()
        for line in rows:
            row(json.loads(line), "rows of a replay")
        report(json.loads((folder / "report.json").read_text()), "its report")
        broken = json.loads(rows[0]) | {"stage": "done"}
        try:
            row(broken, "a broken row")
        except AssertionError:
            pass
        else:
            raise AssertionError("a row with a wrong stage passes")
    checked = 0
    for path in [*sorted((source / "configs").glob("*.yaml")), *sorted((source / "configs/shapes").glob("*.yaml"))]:
        text = re.sub(r"\$\{[^}]*\}", "x", path.read_text())
        # Times and the like are texts here, as in JSON.
        loader = type("Texts", (yaml.SafeLoader,), {"yaml_implicit_resolvers": {
            first: [(tag, form) for tag, form in rules if tag != "tag:yaml.org,2002:timestamp"]
            for first, rules in yaml.SafeLoader.yaml_implicit_resolvers.items()}})
        configuration(yaml.load(text, loader), path)
        checked += 1
    print(f"{len(golden)} golden rows, {len(rows)} rows, a report and {checked} configurations")
    assert checked > 10


if __name__ == "__main__":
    globals()[sys.argv[1]]()
