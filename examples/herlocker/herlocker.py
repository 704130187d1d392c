#!/usr/bin/env python3
"""Herlocker's experiment: do metrics agree on which of 432 recommenders is better?

    python3 herlocker.py ml-100k/u.data
    python3 herlocker.py --stand-in       # without data: ratings made up

It withholds ten ratings of each user, has recmeter predict them by 432 variants of user_knn in one run, and groups twelve
metrics by how alike they order the variants. README.md says what to make of it.
"""

import argparse
import itertools
import json
import pathlib
import shutil
import subprocess
import sys
import time

import classes
import holdout
import page

OPTIONS = {  # of user_knn, and the letter that stands for it in names
    "similarity": ("", ["pearson", "spearman", "cosine", "constrained"]),
    "significance": ("s", [0, 50]),
    "k": ("k", [5, 10, 20, 40, 80, 0]),
    "threshold": ("t", [0, 0.1, 0.2]),
    "normalize": ("", ["none", "mean", "z"]),
}

# Key in rows, name, -1 where less is better, entry of metrics.names.
METRICS = [
    ("pearson/list", "Pearson, per user", 1, {"name": "pearson", "unit": "list"}),
    ("spearman", "Spearman, per user", 1, {"name": "spearman"}),
    ("kendall_tau_b", "Kendall, per user", 1, {"name": "kendall_tau_b"}),
    ("ndpm", "NDPM, per user", -1, {"name": "ndpm"}),
    ("map", "MAP, per user", 1, {"name": "map_list", "as": "map", "action": "like", "cut": "none", "over": "relevant"}),
    ("half_life_utility", "half-life, per user", 1, {"name": "half_life_utility"}),
    ("roc4/list", "ROC-4, per user", 1, {"name": "rated_auc", "from": 4, "unit": "list", "as": "roc4"}),
    ("roc5/list", "ROC-5, per user", 1, {"name": "rated_auc", "from": 5, "unit": "list", "as": "roc5"}),
    ("mae", "MAE, overall", -1, {"name": "mae"}),
    ("pearson", "Pearson, overall", 1, {"name": "pearson"}),
    ("roc4", "ROC-4, overall", 1, {"name": "rated_auc", "from": 4, "as": "roc4"}),
    ("roc5", "ROC-5, overall", 1, {"name": "rated_auc", "from": 5, "as": "roc5"}),
]
NAMES = {key: name for key, name, _, _ in METRICS}
SIGNS = {key: sign for key, _, sign, _ in METRICS}
CORRELATIONS = ["pearson/list", "spearman", "kendall_tau_b"]  # a list whose predictions are all equal has none

# The classes that the paper found (section 4.1.5).
PAPER = [
    ["pearson/list", "spearman", "kendall_tau_b", "ndpm", "map"],
    ["half_life_utility", "roc4/list", "roc5/list"],
    ["mae", "pearson", "roc4", "roc5"],
]


def variants():
    """{name: options}, all combinations."""
    letters = [letter for letter, _ in OPTIONS.values()]
    out = {}
    for chosen in itertools.product(*(values for _, values in OPTIONS.values())):
        name = "-".join(letter + str(value) for letter, value in zip(letters, chosen))
        out[name.replace("k0", "all")] = dict(zip(OPTIONS, chosen))
    return out


def configuration(warmup, seed):
    """YAML, a line for each metric and each variant."""
    low, high = holdout.SCALE
    lines = [
        "# Written by examples/herlocker/herlocker.py.",
        "join: {horizons: [1ms], assemble: 0s, actions: {rating: {gain: 0}, like: {gain: 1}}}",
        "time: {max_step: 0s}",
        f"ratings: {{min: {low}, max: {high}, half_life: 5, default_vote: 3, liked: {holdout.LIKED}}}",
        "windows: [{name: all, size: all}]",
        f"prequential: {{candidates: rated, targets: [rating], learn: [rating], warmup: {warmup}, seed: {seed}}}",
        "metrics:",
        "  cutoffs: [10]",
        "  names:",
        *("    - " + json.dumps(entry) for *_, entry in METRICS),
        "recommenders:",
    ]
    lines += ["  - " + json.dumps({"name": name, "kind": "user_knn", **options}) for name, options in variants().items()]
    return "\n".join(lines) + "\n"


def run(program, folder):
    """One run for all variants; seconds it took."""
    command = [program, "prequential", "--config", "variants.yaml", "log.jsonl"]
    command += ["--format", "jsonl", "--output", "rows.jsonl"]
    begun = time.monotonic()
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    (folder / "recmeter.txt").write_text(done.stderr, encoding="utf-8")
    if done.returncode != 0:
        raise holdout.Fault(f"recmeter ended with exit code {done.returncode}, in {folder}: {done.stderr.strip()}")
    return time.monotonic() - begun


def read_rows(path):
    """{variant: metrics} of the rows."""
    out = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        out[row["segment"].get("recommender")] = row["metrics"]
    lost = [name for name in variants() if name not in out]
    if lost:
        raise holdout.Fault(f"{path}: has no row of {lost[0]}, and {len(lost)} are missing. Look at recmeter.txt beside it")
    return {name: out[name] for name in variants()}


def values_of(rows):
    """{metric: a value or None for each variant}."""
    return {key: [metrics[key]["value"] for metrics in rows.values()] for key in NAMES}


def counted_as_zero(rows):
    """The same, but a user whose predictions are all equal has the correlation 0 instead of none."""
    out = values_of(rows)
    for key in CORRELATIONS:
        out[key] = [(one[key]["value"] or 0) * (one[key]["relevant_share"] or 0) for one in rows.values()]
    return out


def grouped(values, places):
    """Correlations and classes of the metrics over the variants at these places."""
    columns = {}
    for key, column in values.items():
        columns[key] = [None if column[at] is None else SIGNS[key] * column[at] for at in places]
    table = classes.correlations(columns)
    steps = classes.merges(list(NAMES), table)
    return {"table": table, "steps": steps, "classes": classes.classes(list(NAMES), steps), "variants": len(places)}


def analyse(rows):
    """What the page and the text show."""
    options = list(variants().values())
    everywhere = range(len(options))
    values = values_of(rows)
    return {
        "rows": rows,
        "options": options,
        "values": values,
        "all": grouped(values, everywhere),
        "others": [
            ("undefined correlations counted as 0", grouped(counted_as_zero(rows), everywhere)),
            *(
                (f"threshold {bound} alone", grouped(values, [at for at in everywhere if options[at]["threshold"] == bound]))
                for bound in OPTIONS["threshold"][1]
            ),
        ],
    }


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("ratings", nargs="?", help="u.data of MovieLens 100K")
    parser.add_argument("--stand-in", action="store_true", help="make ratings up instead of reading any")
    parser.add_argument("--seed", type=int, default=0, help="of what is withheld, and of what is made up (default 0)")
    here = pathlib.Path("herlocker-out")
    parser.add_argument("--output", type=pathlib.Path, default=here, help="folder to write to (default herlocker-out)")
    parser.add_argument("--recmeter", default="recmeter", help="the program (default: recmeter, from PATH)")
    given = parser.parse_args()
    if (given.ratings is None) != given.stand_in:
        parser.error("give either u.data of MovieLens 100K, or --stand-in")
    if not 0 <= given.seed < 2**63:
        parser.error(f"--seed: {given.seed} is not from 0 to 2^63 - 1. Choose another")
    return given


def main():
    given = arguments()
    program = shutil.which(given.recmeter)
    if program is None:
        raise holdout.Fault(f"--recmeter: there is no program {given.recmeter}. Build it, and name build/release/recmeter")
    ratings = holdout.made_up(given.seed) if given.stand_in else holdout.read(given.ratings)
    learned, withheld = holdout.divide(ratings, given.seed)
    folder = given.output
    folder.mkdir(parents=True, exist_ok=True)
    holdout.write_log(folder / "log.jsonl", learned, withheld)
    (folder / "variants.yaml").write_text(configuration(len(learned), given.seed), encoding="utf-8")
    seconds = run(str(pathlib.Path(program).resolve()), folder)
    found = analyse(read_rows(folder / "rows.jsonl"))
    found["about"] = (
        f"{len(found['options'])} variants of user_knn predicted {len(withheld)} withheld ratings of "
        f"{len({one[0] for one in withheld})} users, having learned {len(learned)}, in one run"
    )
    found["stand_in"] = given.stand_in
    text = page.text(found, NAMES, PAPER)
    (folder / "classes.txt").write_text(text, encoding="utf-8")
    (folder / "variants.tsv").write_text(page.variants_table(found, NAMES), encoding="utf-8")
    (folder / "classes.html").write_text(page.html(found, NAMES, SIGNS, PAPER), encoding="utf-8")
    print(text, end="")
    print(f"\nrecmeter took {seconds:.0f} s. {folder / 'classes.html'} shows it; {folder / 'variants.tsv'} has every variant")


if __name__ == "__main__":
    try:
        main()
    except holdout.Fault as fault:
        sys.exit(f"herlocker: {fault}")
    except OSError as error:
        sys.exit(f"herlocker: {error}. Name a folder that can be written to with --output")
