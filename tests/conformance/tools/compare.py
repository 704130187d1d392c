#!/usr/bin/env python3
"""Holds recmeter against other tools on the same random lists, list by list and in the mean, to 1e-9.

  build/release/tests/conformance/recmeter_chance 10000 > lists.json
  tests/conformance/tools/compare.py lists.json              compares with every tool that is installed (requirements.txt)
  tests/conformance/tools/compare.py lists.json --record     and writes their values to recorded.json, which the C++ suite
                                                             reads; a tool that is not installed keeps what was recorded

Exit code 1 when something differs, 2 when a tool that requirements.txt names is missing.
"""

import argparse
import json
import pathlib
import platform
import sys
import warnings

from lists import SKIPPED, is_number, read_list
from other_tools import TOOLS

HERE = pathlib.Path(__file__).resolve().parent
RECORDED = HERE / "recorded.json"
CUTOFFS = [1, 5, 10]
FIRST = 200  # lists recorded one by one
TOLERANCE = 1e-9
OPTIONAL = {"torchmetrics"}  # not in requirements.txt: PyTorch is gigabytes


class Difference(Exception):
    pass


def compare_lists(key, ours, series):
    """The worst difference of a list, the number compared and the number skipped."""
    worst, compared, skipped = 0.0, 0, 0
    if len(ours["lists"]) != len(series.values):
        raise Difference(f"{key}: {len(ours['lists'])} lists against {len(series.values)}")
    for i, (own, theirs) in enumerate(zip(ours["lists"], series.values)):
        if theirs == SKIPPED:
            skipped += 1
            continue
        compared += 1
        if (own is None) != (theirs is None):
            raise Difference(f"{key}: list {i} is {own} here and {theirs} there")
        if is_number(own) and is_number(theirs):
            worst = max(worst, abs(own - theirs))
            if not abs(own - theirs) <= series.tolerance:
                raise Difference(f"{key}: list {i} is {own} here and {theirs} there")
    if not any(is_number(v) for v in series.values):
        raise Difference(f"{key}: no list was compared")
    return worst, compared, skipped


def compare_means(key, ours, series):
    """Over the lists the tool was given, and of them those in its mean."""
    pairs = [(own, theirs) for own, theirs in zip(ours["lists"], series.values) if theirs != SKIPPED]
    in_mean = sum(theirs is not None for _, theirs in pairs)
    own = sum(own for own, _ in pairs if own is not None) / in_mean
    theirs = series.sum() / in_mean
    if not abs(own - theirs) <= series.tolerance:
        raise Difference(f"{key}: the mean is {own} here and {theirs} there")
    return abs(own - theirs)


def compare_all(key, ours, value):
    if ours["all"] is None and value is None:
        return 0.0
    if ours["all"] is None or value is None or not abs(ours["all"] - value) <= TOLERANCE:
        raise Difference(f"{key}: all lists together give {ours['all']} here and {value} there")
    return abs(ours["all"] - value)


def wholes_of(out, given):
    """What all lists give together: the mean, where no list was skipped and the tool does not say otherwise."""
    whole = dict(given)
    for key, series in out.items():
        if key in whole or series.tolerance > TOLERANCE or any(isinstance(v, str) for v in series.values):
            continue
        in_mean = sum(v is not None for v in series.values)
        whole[key] = series.sum() / in_mean
    return whole


def compare(tool, version, out, given, values):
    """Prints a line and says whether all is equal."""
    expected = {key for key in values if key.startswith(tool + ".")}
    found = set(out) | set(given)
    problems = [f"{key}: not computed by the tool's side" for key in sorted(expected - found)]
    problems += [f"{key}: unknown to recmeter" for key in sorted(found - expected)]
    worst_list, worst_mean, fewest, most_skipped = 0.0, 0.0, None, 0
    for key in sorted(expected & set(out)):
        try:
            worst, compared, skipped = compare_lists(key, values[key], out[key])
            mean = compare_means(key, values[key], out[key]) if key not in given else 0.0
        except Difference as difference:
            problems.append(str(difference))
            continue
        worst_list, worst_mean = max(worst_list, worst), max(worst_mean, mean)
        fewest = compared if fewest is None else min(fewest, compared)
        most_skipped = max(most_skipped, skipped)
    for key, value in wholes_of(out, given).items():
        try:
            worst_mean = max(worst_mean, compare_all(key, values[key], value))
        except (Difference, KeyError) as difference:
            problems.append(str(difference))
    print(
        f"{tool:13} {len(found):3} keys, each on {fewest} lists or more (at most {most_skipped} skipped); "
        f"largest difference of a list {worst_list:.1e}, of a mean {worst_mean:.1e}  ({version})"
    )
    for problem in problems[:20]:
        print("  " + problem)
    return not problems


def bits_of(series):
    bits = "".join("1" if v == SKIPPED else "0" for v in series.values)
    bits += "0" * (-len(bits) % 4)
    return "".join(f"{int(bits[i : i + 4], 2):x}" for i in range(0, len(bits), 4))


def record_of(out, given, skipped):
    """What tools_test.cpp reads of each key."""
    records = {}
    whole = wholes_of(out, given)
    for key in sorted(set(out) | set(given)):
        record = records[key] = {}
        if key in whole:
            record["all"] = whole[key]
        if key not in out:
            continue
        series = out[key]
        record["first"] = [v if is_number(v) else None for v in series.values[:FIRST]]
        record["in_mean"] = sum(v is not None and v != SKIPPED for v in series.values)
        record["sum"] = series.sum()
        record["tolerance"] = series.tolerance
        record["skipped"] = None
        if SKIPPED in series.values:
            bits = bits_of(series)
            if bits not in skipped:
                skipped.append(bits)
            record["skipped"] = skipped.index(bits)
    return records


def kept(old, tool, skipped):
    """A tool's former records, with the places of their skipped lists in the new table."""
    records = {key: value for key, value in old.get("values", {}).items() if key.startswith(tool + ".")}
    for record in records.values():
        if record.get("skipped") is not None:
            bits = old["skipped"][record["skipped"]]
            if bits not in skipped:
                skipped.append(bits)
            record["skipped"] = skipped.index(bits)
    return records


def rounded(value):
    """14 digits: enough for 1e-9, and half the size."""
    if isinstance(value, float):
        return float(f"{value:.14g}")
    if isinstance(value, dict):
        return {key: rounded(each) for key, each in value.items()}
    return [rounded(each) for each in value] if isinstance(value, list) else value


def write(recorded):
    """A line a key, so that a difference can be read."""
    lines = [f'"{name}": {json.dumps(recorded[name])}' for name in ("lists", "command", "versions", "skipped")]
    values = ",\n".join(
        f"{json.dumps(key)}: {json.dumps(record, separators=(',', ':'))}"
        for key, record in sorted(recorded["values"].items())
    )
    RECORDED.write_text("{\n" + ",\n".join(lines) + ',\n"values": {\n' + values + "\n}\n}\n", encoding="utf-8")


def run(tool, lists, catalog):
    """(keys with a value a list, keys with one of all lists, version), or None when the tool is not installed."""
    try:
        if tool == "own":
            import own
            import scipy
            import sklearn

            out, given = own.own(lists, CUTOFFS, catalog)
            return out, given, f"scipy {scipy.__version__}, scikit-learn {sklearn.__version__}, plain formulas"
        out, given, version = TOOLS[tool](lists, CUTOFFS, catalog)
        return out, given, version
    except ImportError as error:
        print(f"{tool:13} skipped, not installed: {error}")
        return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", help="what recmeter_chance printed")
    parser.add_argument("--record", action="store_true", help="write recorded.json")
    parser.add_argument("--only", action="append", choices=[*TOOLS, "own"], help="this tool alone; may be repeated")
    options = parser.parse_args()
    warnings.simplefilter("ignore")  # tools warn of lists without anything relevant

    data = json.loads(pathlib.Path(options.file).read_text(encoding="utf-8"))
    lists, values = [read_list(entry) for entry in data["lists"]], data["values"]
    again = sum(not all(one.distinct) for one in lists)
    print(f"{len(lists)} lists: {sum(not one.items for one in lists)} empty, {again} with a repeated item")
    old = json.loads(RECORDED.read_text(encoding="utf-8")) if RECORDED.exists() else {}
    if old.get("lists") != len(lists):
        old = {}  # of other lists
    recorded = {
        "lists": len(lists),
        "command": f"recmeter_chance {len(lists)} > lists.json; compare.py lists.json --record",
        "versions": {"python": platform.python_version()},
        "skipped": [],
        "values": {},
    }
    all_equal, missing = True, []
    for tool in [*TOOLS, "own"]:
        result = run(tool, lists, data["catalog"]) if not options.only or tool in options.only else None
        if result is None:
            missing.append(tool)
            recorded["values"] |= kept(old, tool, recorded["skipped"])
            recorded["versions"][tool] = old.get("versions", {}).get(tool)
            continue
        out, given, version = result
        all_equal = compare(tool, version, out, given, values) and all_equal
        recorded["values"] |= record_of(out, given, recorded["skipped"])
        recorded["versions"][tool] = version
    if not all_equal:
        return 1
    if options.record:
        write(rounded(recorded))
        print(f"wrote {RECORDED}: {len(recorded['values'])} keys, {RECORDED.stat().st_size} bytes")
    return 2 if not options.only and set(missing) - OPTIONAL else 0


if __name__ == "__main__":
    sys.exit(main())
