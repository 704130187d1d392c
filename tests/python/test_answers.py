"""compare, why, explain and report say what the commands say."""

import html
import json
import os
import re
import subprocess

import polars
import pyarrow
import pytest
from conftest import ARGUMENTS, SHOP

import recmeter

COMPARED = {name: ARGUMENTS[name] for name in ("fields", "actions")}


@pytest.fixture(scope="module")
def found(shop):
    return recmeter.evaluate(*shop, **ARGUMENTS)


@pytest.fixture(scope="module")
def said(program, configured):
    """What a command prints of the shop's log."""

    def run(*words, config=True):
        command = [program, words[0], *(["-c", str(configured)] if config else []), *words[1:]]
        done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "COLUMNS": "100"})
        assert done.returncode in (0, 3), done.stderr
        return done.stdout

    return run


# --- compare ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow", "duckdb"])
def test_compare_is_the_command(shop, said, library):
    tables = [recmeter._frames.opened(table, "table") for table in shop]
    if library == "polars":
        tables = [polars.from_pandas(table) for table in shop]
    elif library == "pyarrow":
        tables = [pyarrow.Table.from_pandas(table) for table in shop]
    elif library == "duckdb":
        import duckdb

        tables = [duckdb.from_df(table) for table in shop]
    compared = recmeter.compare(*tables, by="ranker", **COMPARED)
    assert compared.jsonl.decode() == said("compare", "--by", "ranker", "-f", "json")
    text = said("compare", "--by", "ranker")
    assert str(compared) == re.sub(r"\d+ more metrics are in --format json\.\n", "", text)
    assert compared.words == [text.splitlines()[0]] and compared.control == "old"
    assert type(compared.table).__module__.split(".")[0].lstrip("_") == library


def test_a_comparison_is_a_table_of_what_the_command_shows(shop):
    compared = recmeter.compare(*shop, by="ranker", **COMPARED)
    table = compared.table
    assert list(table["metric"]) == ["precision@5", "hit_rate@5", "mrr@5", "ndcg_list@5", "recall@5"]
    first = table.iloc[0]
    assert (first["arm"], first["control"], first["decided"]) == ("new", "old", "not decided")
    assert first["difference"] == pytest.approx(first["value"] / first["control_value"] - 1)
    assert first["low"] < 0 < first["high"] and first["is_relative"] and first["words"] == compared.words[0]
    assert len(compared) == len(list(compared)) > len(table)
    assert len(compared.columns(all=True)["metric"]) == len(compared)
    assert list(compared.to_polars()["metric"]) == list(table["metric"])


def test_another_control_turns_the_comparison_round(shop, said, found):
    turned = found.compare("ranker", control="new")
    assert turned.jsonl.decode() == said("compare", "--by", "ranker", "--control", "new", "-f", "json")
    assert turned.control == "new" and list(turned)[0]["arm"] == "old"
    assert recmeter.compare(found, by="ranker", control="new").jsonl == turned.jsonl


def test_what_cannot_be_compared_is_told_in_words_of_python(shop, found):
    with pytest.raises(recmeter.InputError, match="'arm', which impressions does not have; it has shown_at"):
        recmeter.compare(*shop, by="arm", **COMPARED)
    with pytest.raises(recmeter.ConfigError, match='control="best"; values of ranker in these lists: new, old'):
        recmeter.compare(*shop, by="ranker", control="best", **COMPARED)
    with pytest.raises(recmeter.ConfigError, match="no list has a value of the segment key rankr; did you mean `ranker`"):
        found.compare("rankr")
    with pytest.raises(recmeter.ConfigError, match="no list was acted on"):
        recmeter.compare(shop[0], shop[1].assign(visitor="nobody"), by="ranker", **COMPARED)
    with pytest.raises(recmeter.ConfigError, match="compares files of lists"):
        recmeter.compare(*shop, by="file", **COMPARED)


def test_without_a_known_control_every_choice_is_named(shop):
    shown, actions = shop
    compared = recmeter.compare(
        shown.assign(ranker=shown["ranker"].map({"new": "bts", "old": "random"})), actions, by="ranker", **COMPARED
    )
    assert 'say which it is: control="bts" or control="random".' in str(compared) and "--" not in str(compared)


def test_files_of_lists_are_compared(shop, said, found, tmp_path):
    lists = tmp_path / "lists.jsonl"
    found._asked.run(str(lists), "")
    assert lists.read_text() == said("replay", "--lists", "/dev/stdout", "--output", "/dev/null")
    compared = recmeter.compare(lists, by="ranker")
    assert compared.jsonl.decode() == said("compare", "--by", "ranker", "-f", "json", str(lists), config=False)
    arms = {}
    for line in lists.read_text().splitlines():
        arms.setdefault(json.loads(line)["segments"]["ranker"], []).append(line)
    for arm, lines in arms.items():
        (tmp_path / f"{arm}.jsonl").write_text("".join(line + "\n" for line in lines))
    paths = [tmp_path / "old.jsonl", tmp_path / "new.jsonl"]
    compared = recmeter.compare(paths, by="file", control="old.jsonl")
    arguments = ("--control", "old.jsonl", "-f", "json", *map(str, paths))
    assert compared.jsonl.decode() == said("compare", "--by", "file", *arguments, config=False)


# --- why -------------------------------------------------------------------------------------------------------------------


def test_why_is_the_command(found, said):
    why = recmeter.why(found, "precision@5", key="ranker", a="old", b="new")
    asked = ("precision@5", "--key", "ranker", "--a", "old", "--b", "new")
    assert str(why) == said("why", *asked)
    assert why.words == "precision@5 is 6.5 % higher with ranker=new than with ranker=old, which may be chance."
    assert why.may_be_chance and why.interval[0] < why.difference < why.interval[1]
    hours = found.why("mrr@5", window="hour", by="ranker")
    assert str(hours) == said("why", "mrr@5", "--window", "hour", "--by", "ranker")
    assert [part["value"] for part in hours.parts] == ["new", "old"]
    table = hours.to_pandas()
    assert (table["within"] + table["mix"]).sum() == pytest.approx(hours.difference)
    assert table["within_low"].notna().all()


def test_why_of_rows_has_no_intervals(found, said, tmp_path):
    rows = tmp_path / "rows.jsonl"
    rows.write_bytes(found.rows.jsonl)
    text = said("why", "mrr@5", "--window", "hour", str(rows), config=False)
    told = " ".join(text.split()).replace("--config C with the log has both", "the result of evaluate() has both")
    for source in (found.rows, rows, str(rows)):
        why = recmeter.why(source, "mrr@5", window="hour")
        assert " ".join(str(why).split()) == told and why.interval is None and why.cause is None


def test_a_time_may_be_a_datetime(found):
    import datetime

    noon = datetime.datetime(2026, 3, 2, 12)
    named = found.why("mrr@5", window="hour", at="2026-03-02T12:00:00Z", against="1h")
    assert str(found.why("mrr@5", window="hour", at=noon, against="1h")) == str(named)


def test_why_asks_in_words_of_python(found, shop):
    with pytest.raises(recmeter.ConfigError, match="^window: there is no window `day`; there are"):
        found.why("mrr@5", window="day")
    with pytest.raises(recmeter.ConfigError, match="key=, a= and b= go together"):
        found.why("mrr@5", key="ranker")
    with pytest.raises(recmeter.ConfigError, match="did you mean"):
        found.why("ndgc@5")
    with pytest.raises(recmeter.InputError, match="choose others with window=, at= and against="):
        found.why("mrr@5", window="all")
    with pytest.raises(recmeter.ConfigError, match="not DataFrame: a table of replay"):
        recmeter.why(recmeter.replay(*shop, **ARGUMENTS), "mrr@5")


# --- explain ---------------------------------------------------------------------------------------------------------------


def test_explain_is_the_command(found, shop, said, monkeypatch):
    explained = recmeter.explain(*shop, list_id="s0498", segments=["ranker"], cutoffs=[1, 5, 10], **COMPARED)
    command = said("explain", "--list", "s0498")
    named = command.replace(str(SHOP / "shown.csv"), "impressions").replace(str(SHOP / "actions.csv"), "feedback")
    assert str(explained).split() == named.split()
    assert explained.lists[0]["list_id"] == "s0498" and explained.lists[0]["user_id"] == "v159"
    assert str(found.explain("s0498")) == str(explained)
    assert found.explain("s0498", "v159").lists == explained.lists


def test_a_list_that_is_not_there_suggests_others(found, shop):
    with pytest.raises(recmeter.InputError, match="no list s049 among 1500 impressions"):
        found.explain("s049")
    with pytest.raises(recmeter.InputError, match="not of user v002 but of v159; leave user_id= out"):
        found.explain("s0498", "v002")
    stream = pyarrow.Table.from_pandas(shop[0]).to_reader()
    with pytest.raises(recmeter.InputError, match="impressions is a stream that can be read only once"):
        recmeter.explain(stream, shop[1], list_id="s0498", **COMPARED)


# --- report ----------------------------------------------------------------------------------------------------------------


def test_report_is_the_command(found, program, tmp_path):
    (tmp_path / "rows.jsonl").write_bytes(found.rows.jsonl)
    made = recmeter.report(tmp_path / "rows.jsonl", tmp_path / "page.html")
    assert made == tmp_path / "page.html"
    subprocess.run([program, "report", tmp_path / "rows.jsonl", "-o", tmp_path / "command.html"], check=True)
    assert made.read_text() == (tmp_path / "command.html").read_text()
    assert recmeter.report(found.rows, tmp_path / "of_rows.html").read_text() == made.read_text()


def test_a_report_of_an_evaluation_has_its_run_and_compares(found, program, tmp_path):
    page = recmeter.report(found, tmp_path / "page.html", lists=True).read_text()
    assert "recmeter.report/1" in page and "1500" in page
    assert len(page) > len(recmeter.report(found, tmp_path / "page.html").read_text())
    with pytest.raises(recmeter.ConfigError, match="these rows have none"):
        recmeter.report(found.rows, tmp_path / "page.html", lists=True)
    with pytest.raises(recmeter.ConfigError, match="not list: a table of replay"):
        recmeter.report([], tmp_path / "page.html")
    with pytest.raises(recmeter.InputError, match="none.jsonl"):
        recmeter.report(tmp_path / "none.jsonl", tmp_path / "page.html")


# --- what a person sees first ----------------------------------------------------------------------------------------------


def test_a_summary_is_the_first_table_of_the_command(found, said):
    table = said("replay", "-f", "table")
    told = table[: table.index("More: ")].replace("(--all)", "(in rows)")
    assert str(found.summary()) == told
    assert str(found.rows.summary()) == told and repr(found.summary()) == told.rstrip("\n")
    shown = found.summary().to_pandas()
    assert list(shown["ranker"].fillna("all")) == ["all", "new", "old"]
    assert [name for name in shown.columns if "@" in name and not name.endswith(("_low", "_high"))] == [
        "precision@5", "hit_rate@5", "mrr@5", "ndcg_list@5", "recall@5", "distinct_items@5",
    ]  # fmt: skip


def test_an_evaluation_is_a_line_and_a_notebook_shows_its_first_table(found):
    assert repr(found) == "<recmeter.Evaluation: 1500 lists, 1131 feedback, 21 rows; .summary() shows them>"
    page = found._repr_html_()
    assert page == found.rows._repr_html_() == found.summary()._repr_html_()
    cells = re.findall(r"<t[dh][^>]*>(.*?)</t[dh]>", page)
    assert cells[0].startswith("Lists of 2026-03-02 09:00 to 14:59 UTC")
    metrics = ["precision@5", "hit_rate@5", "mrr@5", "ndcg_list@5", "recall@5", "distinct_items@5"]
    assert cells[1:9] == ["segment", "lists", *metrics]
    assert cells[9:12] == ["all", "1500", "0.110 ±0.02"] and page.count("<tr>") == 5
    assert "new against old: precision@5 +6.5 %" in page and "in rows" in page


def test_what_a_log_says_cannot_become_markup(shop):
    shown, actions = shop
    evil = "<script>alert(1)</script>"
    found = recmeter.evaluate(
        shown.assign(ranker=shown["ranker"].map({"new": evil, "old": "old"})), actions, **ARGUMENTS
    )
    compared = found.compare("ranker")
    for thing in (found, compared, found.why("mrr@5", window="hour"), found.explain("s0498")):
        page = thing._repr_html_()
        assert "<script" not in page
        assert html.escape(evil) in page or thing not in (found, compared)


def test_rows_of_a_file_have_a_summary(found, wanted):
    rows = recmeter.Rows(wanted)
    text = str(rows.summary())
    assert text.startswith("Lists of 2026-03-02 09:00 to 14:59 UTC, horizon 30m\n")
    header = text.splitlines()[1].split()
    assert header[:2] == ["segment", "lists"] and "precision@10" in header and "precision@5" not in header
    assert "<table>" in rows._repr_html_()
    assert str(recmeter.Rows(b"").summary()) == "No window holds a list.\n"


def test_experiments_are_below_the_table(shop, program, tmp_path, configured):
    config = json.loads(configured.read_text())
    config["experiments"] = [
        {
            "name": "ranker",
            "arms": {"key": "ranker", "values": ["old", "new"], "control": "old"},
            "primary": [{"metric": "mrr@10", "mde": 0.05}],
            "start": "2026-03-02T09:00:00Z",
            "duration": "5h",
        }
    ]
    path = tmp_path / "experiment.yaml"
    path.write_text(json.dumps(config))
    table = subprocess.run(
        [program, "replay", "-c", path, "-f", "table"],
        capture_output=True, text=True, check=True, env={**os.environ, "COLUMNS": "100"},
    ).stdout  # fmt: skip
    table = "".join(line + "\n" for line in table.splitlines() if not line.startswith("More: "))
    for name, entry in zip(("impressions", "feedback"), config["inputs"]):
        entry["file"] = [name]
        entry.pop("unit")
    found = recmeter.evaluate(*shop, config=config)
    assert str(found.summary()) == table.replace("(--all)", "(in rows)") and "experiment ranker" in table
    page = recmeter.report(found, tmp_path / "page.html").read_text()
    assert "recmeter.experiment/" in page


# --- the command -----------------------------------------------------------------------------------------------------------


def test_the_command_is_installed(found, tmp_path, configured):
    import sys
    import sysconfig

    recmeter_command = f"{sysconfig.get_path('scripts')}/recmeter"
    for command in ([recmeter_command], [sys.executable, "-m", "recmeter"]):
        done = subprocess.run(
            [*command, "compare", "-c", configured, "--by", "ranker"], capture_output=True, text=True
        )
        assert done.returncode == 0 and done.stdout.startswith("new against old: precision@5 +6.5 %")
        (tmp_path / "rows.jsonl").write_bytes(found.rows.jsonl)
        done = subprocess.run([*command, "report", tmp_path / "rows.jsonl", "-o", tmp_path / "page.html"])
        assert done.returncode == 0 and (tmp_path / "page.html").read_text().startswith("<!doctype html>")
        done = subprocess.run([*command, "nosuch"], capture_output=True, text=True)
        assert done.returncode == 2 and "nosuch" in done.stderr
