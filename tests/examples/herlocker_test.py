"""examples/herlocker from its command line to its page, and against numbers of a program written apart from recmeter.

usage: herlocker_test.py stand_in|movielens PROGRAM SOURCE_DIRECTORY
"""

import html.parser
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

SKIPPED = 77
log, program, source = sys.argv[1], pathlib.Path(sys.argv[2]).resolve(), pathlib.Path(sys.argv[3]).resolve()
sys.path.insert(0, str(source / "examples/herlocker"))
sys.dont_write_bytecode = True

import classes  # noqa: E402
import herlocker  # noqa: E402
import holdout  # noqa: E402

# Of (pearson, significance 50, k 20, threshold 0, mean) on MovieLens 100K, by a program written apart. It rounds no weights,
# so chance decides between equally similar neighbours.
MEASURED = {"mae": 0.756340, "pearson": 0.524496, "pearson/list": 0.409411, "spearman": 0.388779, "ndpm": 0.309319,
            "half_life_utility": 85.161393, "roc4": 0.759953, "roc4/list": 0.713145}  # fmt: skip

# The MAE of that variant by another such program, with weights rounded as S12.6 says and their ties in the order of numbers.
MAE_BY_NUMBER = 0.756384367


class Page(html.parser.HTMLParser):
    """Whether every element that was opened is closed, and what would be loaded from elsewhere."""

    def __init__(self, text):
        super().__init__()
        self.open, self.loads, self.count = [], [], {}
        self.feed(text)
        self.close()
        assert not self.open, f"not closed: {self.open}"

    def handle_starttag(self, tag, attrs):
        self.count[tag] = self.count.get(tag, 0) + 1
        self.loads += [value for name, value in attrs if name in ("src", "href")]
        if tag not in ("meta", "br"):
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.count[tag] = self.count.get(tag, 0) + 1

    def handle_endtag(self, tag):
        assert self.open and self.open[-1] == tag, f"</{tag}> closes {self.open[-1:]}"
        self.open.pop()


def run(folder, *arguments):
    command = [sys.executable, "-B", source / "examples/herlocker/herlocker.py", "--recmeter", program, *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True)


def hashes_are_those_of_xxhash():
    """By libxxhash 0.8.1: one of each length that has a way of its own."""
    for data, seed, expected in ((b"7", 0, 0x6EED105B82285FA), (b"196\x00242", 5, 0x4B1405B916077E67),
                                 (b"user1\x00item12", 9, 0x97F67622E6A0DF3)):  # fmt: skip
        assert holdout.xxh3(data, seed) == expected, data


def correlations_are_right():
    assert classes.ranks([3, 1, 3, 2]) == [3.5, 1, 3.5, 2]
    assert abs(classes.rank_correlation([1, 2, 3, None, 4], [10, 30, 20, 5, 40]) - 0.8) < 1e-12
    assert classes.rank_correlation([1, 1, 1], [1, 2, 3]) is None
    columns = {"a": [1, 2, 3, 4], "b": [1, 2, 3, 5], "c": [4, 1, 3, 2], "d": [7, 7, 7, 7]}
    steps = classes.merges(list(columns), classes.correlations(columns))
    assert classes.classes(list(columns), steps) == [("a", "b"), ("c",), ("d",)]


def faults_say_what_to_do(folder):
    for content, expected in (("1\t2\t3\n", "u.data:1: has 3 columns, not 4. Give it u.data"),
                              ("1\t2\tx\t4\n", "u.data:1: 'x' and '4' are no rating and time"),
                              ("1\t2\t9\t4\n", "u.data:1: rating 9 is not from 1 to 5"),
                              ("1\t2\t3\t4\n1\t2\t3\t5\n", "u.data:2: user 1 rated item 2 in line 1 too"),
                              ("1\t2\t3\t4\n", "no user has more than 10 ratings"),
                              ("", "u.data: is empty")):  # fmt: skip
        (folder / "u.data").write_text(content)
        done = run(folder, "u.data")
        assert done.returncode == 1 and expected in done.stderr and "Traceback" not in done.stderr, done.stderr
    done = run(folder, "absent.data")
    assert done.returncode == 1 and "absent.data: cannot be read" in done.stderr, done.stderr
    done = run(folder, "--stand-in", "--output", "u.data")
    assert done.returncode == 1 and "Name a folder that can be written to" in done.stderr, done.stderr
    done = run(folder)
    assert done.returncode == 2 and "give either" in done.stderr, done.stderr


def on_stand_in(folder):
    hashes_are_those_of_xxhash()
    correlations_are_right()
    faults_say_what_to_do(folder)
    done = run(folder, "--stand-in", "--output", "one")
    assert done.returncode == 0, done.stderr
    assert "432 variants of user_knn predicted 1500 withheld ratings of 150 users" in done.stdout, done.stdout
    rows = [json.loads(line) for line in (folder / "one/rows.jsonl").read_text().splitlines()]
    assert len(rows) == 432 and all(row["lists"] == 150 and row["stage"] == "final" for row in rows)
    table = [line.split("\t") for line in (folder / "one/variants.tsv").read_text().splitlines()]
    assert len(table) == 433 and {len(line) for line in table} == {1 + 5 + 12}
    assert len({tuple(line[1:6]) for line in table}) == 433, "each combination once"
    text = (folder / "one/classes.html").read_text()
    page = Page(text)
    assert page.loads == [] and not re.search(r"url\(|@import|https?:", text), "it needs nothing from elsewhere"
    assert page.count["svg"] >= 2 and "nothing can be learned from these numbers" in text
    assert "width=device-width" in text and "prefers-color-scheme:dark" in text
    groups = herlocker.analyse(herlocker.read_rows(folder / "one/rows.jsonl"))["all"]["classes"]
    assert sorted(key for group in groups for key in group) == sorted(herlocker.NAMES)
    assert f"all: 432 variants, {len(groups)} class" in done.stdout, done.stdout
    again = run(folder, "--stand-in", "--output", "two")
    assert again.returncode == 0, again.stderr
    for name in ("log.jsonl", "variants.yaml", "rows.jsonl", "variants.tsv", "classes.txt", "classes.html"):
        assert (folder / "one" / name).read_bytes() == (folder / "two" / name).read_bytes(), name


def names_by_number(users):
    """Names whose hashes are in the order of the users' numbers: so recmeter breaks ties as a program without hashes can."""
    names = sorted((f"u{count}" for count in range(len(users))), key=lambda name: holdout.xxh3(name.encode(), 0))
    return dict(zip(sorted(users, key=int), names))


def on_movielens(folder):
    path = os.environ.get("RECMETER_ML100K")
    if path is None:
        print("skipped: RECMETER_ML100K names no u.data of MovieLens 100K")
        return SKIPPED
    learned, withheld = holdout.divide(holdout.read(path), 0)
    assert (len(learned), len(withheld)) == (90_570, 9_430)
    (folder / "renamed").mkdir()
    name_of = names_by_number({one[0] for one in learned}).get
    holdout.write_log(folder / "renamed/log.jsonl", learned, withheld, name_of)
    (folder / "renamed/variants.yaml").write_text(herlocker.configuration(len(learned), 0))
    herlocker.run(program, folder / "renamed")
    found = herlocker.analyse(herlocker.read_rows(folder / "renamed/rows.jsonl"))
    usual = found["rows"]["pearson-s50-k20-t0-mean"]
    assert abs(usual["mae"]["value"] - MAE_BY_NUMBER) < 1e-9, usual["mae"]
    for key, expected in MEASURED.items():
        assert abs(usual[key]["value"] / expected - 1) < 1e-3, (key, usual[key]["value"], expected)
    first, second, third = (set(group) for group in found["all"]["classes"])
    assert first == {"pearson/list", "spearman", "kendall_tau_b"}, first
    assert second == {"ndpm", "map", "half_life_utility", "roc4/list", "roc5/list"}, second
    assert third == {"mae", "pearson", "roc4", "roc5"}, third
    table = found["all"]["table"]
    for one, other, expected in ((first, first, 0.97), (second, second, 0.97), (third, third, 0.98),
                                 (first, second, 0.53), (first, third, 0.40), (second, third, 0.57)):  # fmt: skip
        mean = classes.mean_between(table, one, other)
        assert abs(mean - expected) < 0.02, (one, other, mean, expected)
    return 0


with tempfile.TemporaryDirectory() as directory:
    sys.exit({"stand_in": on_stand_in, "movielens": on_movielens}[log](pathlib.Path(directory)))
