"""What goes wrong names the place, the cause and the remedy."""

import os
import pathlib
import signal
import subprocess
import sys
import textwrap

import polars
import pyarrow
import pytest
from conftest import ARGUMENTS

import recmeter


def fault(kind, impressions, feedback, **arguments):
    with pytest.raises(kind) as raised:
        recmeter.evaluate(impressions, feedback, **{**ARGUMENTS, **arguments})
    return str(raised.value)


def test_a_column_that_is_not_there_is_named_with_those_that_are(shop):
    fields = {
        "impressions": {**ARGUMENTS["fields"]["impressions"], "ts": "seen_at"},
        "feedback": ARGUMENTS["fields"]["feedback"],
    }
    text = fault(recmeter.InputError, *shop, fields=fields)
    assert "'seen_at'" in text and "impressions does not have" in text and "shown_at, visitor" in text
    assert "'arm'" in fault(recmeter.InputError, *shop, segments=["arm"])


def test_a_value_of_a_wrong_type_is_named_with_its_row(shop):
    shown, actions = shop
    text = fault(recmeter.InputError, shown.assign(visitor=1.5), actions)
    assert "row 0 of impressions" in text and "`user_id` is 1.5" in text
    # One row among many is a warning, and is counted.
    table = (
        polars.from_pandas(shown)
        .with_row_index("n")
        .with_columns(visitor=polars.when(polars.col("n") == 7).then(None).otherwise(polars.col("visitor")))
    )
    with pytest.warns(UserWarning, match="row 7 of impressions is invalid: missing_field: `user_id`"):
        found = recmeter.evaluate(table, actions, **ARGUMENTS)
    assert found.report["invalid_reasons"] == {"missing_field": 1}


def test_an_empty_table_is_named(shop):
    shown, actions = shop
    assert fault(recmeter.InputError, shown.iloc[:0], actions) == "impressions has no rows"
    with pytest.warns(UserWarning, match="feedback"):
        assert recmeter.evaluate(shown, actions.iloc[:0], **ARGUMENTS).report["events"]["feedback"] == 0


def test_what_is_no_table_is_named(shop):
    assert "impressions is a list" in fault(recmeter.InputError, [1, 2], shop[1])


def test_a_stream_that_fails_says_why(shop):
    schema = pyarrow.Table.from_pandas(shop[0], preserve_index=False).schema

    def batches():
        yield pyarrow.Table.from_pandas(shop[0], preserve_index=False).to_batches()[0]
        raise OSError("the disk is gone")

    text = fault(recmeter.InputError, pyarrow.RecordBatchReader.from_batches(schema, batches()), shop[1])
    assert "impressions cannot be read" in text and "the disk is gone" in text


def test_all_faults_of_a_configuration_are_told(shop):
    text = fault(recmeter.ConfigError, *shop, windows="1x", horizon="never", cutoffs=[0])
    assert len(text.splitlines()) == 3 and "`1x` is not a duration" in text
    assert "sort is 'perhaps'" in fault(recmeter.ConfigError, *shop, sort="perhaps")


def test_a_text_that_is_no_utf8_is_an_invalid_row(shop):
    shown = pyarrow.Table.from_pandas(shop[0], preserve_index=False)
    broken = pyarrow.array([b"\xff\xfe"] * shown.num_rows).view(pyarrow.string())
    text = fault(recmeter.InputError, shown.set_column(1, "visitor", broken), shop[1])
    assert "row 0 of impressions is invalid: not_a_row" in text


def test_an_interrupt_ends_a_run(tmp_path):
    """As a notebook does it: SIGINT to the process, KeyboardInterrupt where the call is."""
    script = tmp_path / "long.py"
    script.write_text(
        textwrap.dedent("""
        import itertools, pyarrow, recmeter, sys
        names = ["type", "ts", "user_id", "list_id", "items"]
        def batches():
            for n in itertools.count():
                if n == 3: print("going", flush=True)
                ids = [f"l{n}-{i}" for i in range(1000)]
                columns = [["impression"] * 1000, [1_700_000_000_000 + n * 1000] * 1000, ids, ids, [["a", "b"]] * 1000]
                yield pyarrow.record_batch(columns, names=names)
        first = next(batches())
        try:
            recmeter.evaluate(pyarrow.RecordBatchReader.from_batches(first.schema, batches()), windows="hour")
        except KeyboardInterrupt:
            print("interrupted", flush=True)
            sys.exit(7)
    """)
    )
    process = subprocess.Popen([sys.executable, script], stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "going\n"
    os.kill(process.pid, signal.SIGINT)
    out, _ = process.communicate(timeout=30)
    assert (process.returncode, out) == (7, "interrupted\n")


def test_the_package_is_typed(tmp_path):
    """mypy --strict in a project of somebody else."""
    (tmp_path / "sample.py").write_text(
        textwrap.dedent("""
        import recmeter

        def first_hours(path: str) -> list[float]:
            rows = recmeter.read_rows(path)
            return [row["metrics"]["precision@10"]["value"] for row in rows]

        def judge(shown: recmeter.ArrowStream, done: recmeter.ArrowStream) -> int:
            found = recmeter.evaluate(shown, done, windows=["hour"], segments=["variant"])
            for finding in found.doctor():
                print(finding.code, finding.weight, finding.text)
            compared: recmeter.Comparison = found.compare("variant")
            print(compared.words, [pair["decided"] for pair in recmeter.compare(shown, done, by="variant", control="A")])
            why: recmeter.Why = recmeter.why(found, "mrr@10", window="hour")
            print(why.difference, why.parts, recmeter.explain(shown, done, list_id="l").lists, found.summary().text)
            page = recmeter.report(found.rows, "page.html").name + recmeter.report(found, "page.html", lists=True).name
            client: recmeter.Client = recmeter.connect("http://127.0.0.1:8080")
            print(client.status()["lists"], len(client.rows(window="hour")))
            try:
                recmeter.infer(shown, done)
            except recmeter.Unsure as unsure:
                print(unsure.proposal, unsure.doubts)
            return len(found.rows)
    """)
    )
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "sample.py"], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout
    (tmp_path / "sample.py").write_text("import recmeter\nx: int = recmeter.infer('a')\n")
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "sample.py"], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.returncode == 1 and "Incompatible types" in done.stdout
    package = pathlib.Path(recmeter.__file__).parent
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--ignore-missing-imports", "-p", "recmeter"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, (package, done.stdout)
