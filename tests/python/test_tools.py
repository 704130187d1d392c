"""doctor, infer, rows, plots, a running evaluator, the program."""

import json
import os
import pathlib
import re
import socket
import subprocess
import sys
import time

import pytest
from conftest import ARGUMENTS, SHOP, SOURCE

import recmeter


def test_doctor_names_a_fault_with_its_remedy(shop):
    assert recmeter.doctor(*shop, fields=ARGUMENTS["fields"], actions=ARGUMENTS["actions"]) == []
    shown, actions = shop
    found = recmeter.doctor(
        shown, actions.assign(visitor="(not set)"), fields=ARGUMENTS["fields"], actions=ARGUMENTS["actions"]
    )
    assert found and all(one.text and one.weight in ("error", "warning", "note") for one in found)
    assert "user-id-foreign" in [one.code for one in found]


def test_infer_writes_a_configuration_that_replays(shop, wanted):
    config = recmeter.infer(*shop)
    assert "list_id: search" in config and "ranker" in config and "/tmp" not in config
    found = recmeter.evaluate(*shop, config=config)
    credited = next(row for row in found.rows if row["window"] == "all")["feedback"]
    assert credited["click"]["credited"] == 817


def test_infer_names_what_to_install_for_tables(shop, monkeypatch):
    for library in ("polars", "pyarrow"):
        monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(recmeter.InputError, match="polars or pyarrow; install one"):
        recmeter.infer(*shop)


def test_infer_asks_where_it_is_unsure(shop):
    shown, actions = shop
    with pytest.raises(recmeter.Unsure) as unsure:
        recmeter.infer(
            shown.assign(shown_at=shown["shown_at"].dt.strftime("%Y-%m-%d %H:%M:%S")),
            actions.assign(at=actions["at"].dt.strftime("%Y-%m-%d %H:%M:%S")),
        )
    assert "UNSURE" in unsure.value.proposal and unsure.value.doubts


def test_rows_are_read_and_turned_into_tables(wanted, tmp_path):
    path = tmp_path / "rows.jsonl"
    path.write_bytes(wanted)
    rows = recmeter.read_rows(path)
    assert rows.jsonl == wanted and len(rows) == wanted.count(b"\n")
    table = rows.to_pandas()
    assert table.loc[table["window"] == "all", "precision@5"].iloc[0] == pytest.approx(0.10986666664636384, abs=0)
    assert {"ranker", "precision@5_low", "precision@5_high", "lists"} <= set(table.columns)
    assert rows.to_polars().shape == table.shape and rows.to_arrow().num_rows == len(table)
    path.write_text('{"schema":"other"}\n')
    with pytest.raises(recmeter.InputError, match="line 1 of .*rows.jsonl is no row"):
        recmeter.read_rows(path)


def test_plot_draws_a_line_for_each_arm(shop):
    import matplotlib

    matplotlib.use("Agg")
    found = recmeter.evaluate(*shop, **ARGUMENTS)
    axes = found.plot("precision@5", by="ranker")
    assert [line.get_label() for line in axes.get_lines()] == ["ranker=new", "ranker=old"]
    assert [len(line.get_xdata()) for line in axes.get_lines()] == [6, 6] and len(axes.collections) == 2
    told = {"ndcg@5": "did you mean `ndcg_list@5`", "mr@5": "did you mean `mrr@5`", "xyz": "they have"}
    for unknown, meant in told.items():
        with pytest.raises(recmeter.ConfigError, match=f"no {unknown}; {re.escape(meant)}"):
            found.plot(unknown)


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow", "duckdb"])
def test_plot_draws_what_replay_returns(shop, library):
    import matplotlib

    matplotlib.use("Agg")
    rows = recmeter.evaluate(*shop, **ARGUMENTS).rows
    of_rows = recmeter.plot(rows, "precision@5", by="ranker")
    axes = recmeter.plot(rows.to(library), "precision@5", by="ranker")
    assert [line.get_label() for line in axes.get_lines()] == ["ranker=new", "ranker=old"]
    for line, other in zip(axes.get_lines(), of_rows.get_lines()):
        assert list(line.get_ydata()) == pytest.approx(list(other.get_ydata()), nan_ok=True)
    assert recmeter.plot(recmeter.replay(*shop, **ARGUMENTS), "precision@5").get_lines()
    with pytest.raises(recmeter.ConfigError, match="not dict"):
        recmeter.plot({"window": []}, "precision@5")


def test_connect_asks_a_running_evaluator(program):
    with socket.socket() as any_port:
        any_port.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{any_port.getsockname()[1]}"
    demo = subprocess.Popen(
        [program, "demo", "--seconds", "60", "--listen", address], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        for _ in range(100):
            try:
                client = recmeter.connect(f"http://{address}")
                break
            except recmeter.InputError:
                time.sleep(0.1)
        for status in client.watch(every=0.2):
            if status["lists"] > 0:
                break
        rows = client.rows()
        assert client.status()["schema"] == "recmeter.report/1"
        assert all(row["schema"] == "recmeter.window/1" for row in rows)
        with pytest.raises(recmeter.InputError, match="404|400"):
            client.rows(window="nosuch")
    finally:
        demo.terminate()
        demo.wait()
    with pytest.raises(recmeter.InputError, match="does not answer"):
        recmeter.connect(f"http://{address}")


def test_the_program_is_there():
    done = subprocess.run([sys.executable, "-m", "recmeter", "replay", "--help"], capture_output=True, text=True)
    assert done.returncode == 0 and "Evaluate event logs" in done.stdout


def test_the_notebook_runs(tmp_path):
    import nbclient
    import nbformat

    notebook = nbformat.read(SOURCE / "examples/notebook/shop.ipynb", as_version=4)
    nbclient.NotebookClient(
        notebook, timeout=120, resources={"metadata": {"path": str(SOURCE / "examples/notebook")}}
    ).execute()
    outputs = json.dumps([cell.get("outputs", []) for cell in notebook.cells])
    assert "image/png" in outputs and "precision@5" in outputs
    shown = [out.get("data", {}) for cell in notebook.cells for out in cell.get("outputs", [])]
    pages = ["".join(data["text/html"]) for data in shown if "text/html" in data]
    assert any("Lists of 2026-03-02 09:00" in page for page in pages), "an evaluation shows its first table"
    assert any("95 % interval" in page for page in pages), "a comparison shows its table"


def test_the_page_shows_what_runs(shop, monkeypatch, tmp_path):
    """Blocks of docs/python.md."""
    shown, actions = shop
    impressions = shown.rename(
        columns={"shown_at": "ts", "visitor": "user_id", "search": "list_id", "ranker": "variant"}
    )
    impressions["items"] = impressions.pop("products").str.split("|")
    clicks = actions.rename(columns={"at": "ts", "visitor": "user_id", "product": "item_id", "action": "type"})
    clicks = clicks[clicks["type"] == "click"]
    page = pathlib.Path(SOURCE / "docs/python.md").read_text()
    names = {"impressions": impressions, "clicks": clicks, "shown": shown, "actions": actions}
    blocks = re.findall(r"(?s)```python\n(.*?)```", page)
    monkeypatch.chdir(tmp_path)
    for block in blocks:
        exec(compile(block, "docs/python.md", "exec"), names)
    assert len(blocks) == 5 and len(names["rows"]) > 10
    assert (tmp_path / "report.html").stat().st_size > 10_000
    assert names["compared"].words[0].startswith("new against old: ")
    assert set(names["judged"]["recommender"]) == {"top", "ours"}
    assert SHOP.exists()


def test_a_metric_may_be_of_one_action(shop):
    asked = [{"name": "action_rate", "action": "click"}, {"name": "precision", "action": "order"}]
    rows = recmeter.evaluate(*shop, metrics=asked, **ARGUMENTS).rows.to_pandas()
    whole = rows.loc[rows["window"] == "all"].iloc[0]
    assert 0 < whole["action_rate{action=click}"] < 1 and 0 < whole["precision{action=order}@5"] < 1
    with pytest.raises(recmeter.ConfigError, match="of one action"):
        recmeter.evaluate(*shop, metrics=["action_rate"], **ARGUMENTS)


def test_a_build_says_every_two_seconds_that_it_goes_on(tmp_path, capfd):
    """pip turns its sign at each line; a batch of sources takes a minute to compile."""
    pytest.importorskip("scikit_build_core")
    import importlib.util

    spec = importlib.util.spec_from_file_location("pip_backend", SOURCE / "packaging/pip_backend.py")
    backend = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(backend)
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "slow"\nversion = "0.1"\n')
    (tmp_path / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.25)\nproject(slow LANGUAGES NONE)\n"
        'add_custom_target(slow ALL COMMAND "${CMAKE_COMMAND}" -E sleep 5)\n'
    )
    (tmp_path / "slow").mkdir()
    (tmp_path / "slow/__init__.py").write_text("")
    here = os.getcwd()
    os.chdir(tmp_path)
    try:
        assert backend.build_wheel(str(tmp_path)).startswith("slow-0.1")
    finally:
        os.chdir(here)
    told = capfd.readouterr().out
    assert "recmeter: building for 2 s\n" in told and "recmeter: building for 4 s\n" in told
