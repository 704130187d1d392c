"""The shop's log in every form, and the program beside which results are held."""

import json
import os
import pathlib
import subprocess

import pytest

SOURCE = pathlib.Path(__file__).parents[2]
SHOP = SOURCE / "examples/shop"
FIELDS = {
    "impressions": {
        "ts": "shown_at",
        "user_id": "visitor",
        "list_id": "search",
        "items": {"at": "products", "split": "|"},
    },
    "feedback": {"ts": "at", "user_id": "visitor", "item_id": "product", "type": "action"},
}
ARGUMENTS = dict(fields=FIELDS, actions={"click": 1, "order": 3}, segments=["ranker"], windows=["hour", "all"])


@pytest.fixture(scope="session")
def program():
    return os.environ["RECMETER_PROGRAM"]


@pytest.fixture(scope="session")
def shop():
    """pandas tables."""
    import pandas

    return pandas.read_csv(SHOP / "shown.csv", parse_dates=["shown_at"]), pandas.read_csv(
        SHOP / "actions.csv", parse_dates=["at"]
    )


@pytest.fixture(scope="session")
def configured(tmp_path_factory):
    """The configuration of the shop's files, as ARGUMENTS say it."""
    path = tmp_path_factory.mktemp("configured") / "shop.yaml"
    entries = [
        {
            "file": [str(SHOP / "shown.csv")],
            "unit": "rfc3339",
            "events": [{"type": "impression"}],
            "fields": {**FIELDS["impressions"], "segments": {"ranker": "ranker"}},
        },
        {"file": [str(SHOP / "actions.csv")], "unit": "rfc3339", "fields": FIELDS["feedback"]},
    ]
    config = {
        "inputs": entries,
        "windows": [{"name": "hour", "size": "1h"}, {"name": "all", "size": "all"}],
        "segments": [["ranker"]],
        "join": {"horizons": ["30m"], "actions": {"click": {"gain": 1}, "order": {"gain": 3}}},
        "metrics": {"cutoffs": [1, 5, 10]},
    }
    path.write_text(json.dumps(config))
    return path


@pytest.fixture(scope="session")
def wanted(program, configured):
    """Rows of the command line, for the shop's files."""
    return subprocess.run([program, "replay", "-c", configured, "-f", "jsonl"], capture_output=True, check=True).stdout
