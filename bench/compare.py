"""What a line of bench/history.ndjson says beside the last one that can be compared with it."""

import json
from pathlib import Path

SAME = ("bench", "quick", "cores", "processor", "threads")  # of runs that can be compared
NOTED = 0.03  # a change that is worth a line; between runs on different days even more may be noise
NO_FIGURES = {"date", "commit", "rounds", "load_before", "load_after", *SAME}


def figures(value, path=""):
    """The numbers of a line, by their path."""
    if isinstance(value, bool) or value is None:
        return {}
    if isinstance(value, (int, float)):
        return {path: float(value)}
    found = {}
    for key, below in value.items() if isinstance(value, dict) else ():
        if path or key not in NO_FIGURES:
            found.update(figures(below, f"{path}.{key}" if path else key))
    return found


def last_like(line, history: Path):
    """The newest earlier line of the same kind, on the same type of machine, with a figure in common."""
    for text in reversed(history.read_text(encoding="utf-8").splitlines() if history.exists() else []):
        other = json.loads(text)
        if all(other.get(key) == line.get(key) for key in SAME) and figures(other).keys() & figures(line).keys():
            return other
    return None


def print_comparison(line, history: Path) -> None:
    """To be called before `line` is appended."""
    other = last_like(line, history)
    if other is None:
        print("\nNo earlier run of this kind on this type of machine to compare with.")
        return
    before, now = figures(other), figures(line)
    print(f"\nBeside {other['commit']} of {other['date']}, changes of more than {NOTED:.0%}:")
    changed = False
    for path in sorted(before.keys() & now.keys()):
        was, is_ = before[path], now[path]
        if abs(is_ - was) <= NOTED * abs(was):
            continue
        changed = True
        ratio = f"{is_ / was:.3f}" if was else "-"
        print(f"  {path:<48} {was:14.4g} -> {is_:<14.4g} {ratio}")
    if not changed:
        print("  none")
