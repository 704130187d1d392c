"""The same events are the same rows, to the byte, from whatever library they come."""

import json

import duckdb
import polars
import pyarrow
import pyarrow.csv
import pyarrow.parquet
import pytest
from conftest import ARGUMENTS, SHOP

import recmeter


def pandas_tables(shop, folder):
    return shop


def pandas_strings_of_arrow(shop, folder):
    return tuple(table.convert_dtypes(dtype_backend="pyarrow") for table in shop)


def pandas_categories(shop, folder):
    shown, actions = shop
    return shown.astype({"visitor": "category", "ranker": "category"}), actions.astype({"action": "category"})


def polars_tables(shop, folder):
    return tuple(polars.read_csv(SHOP / name, try_parse_dates=True) for name in ("shown.csv", "actions.csv"))


def polars_in_chunks(shop, folder):
    tables = polars_tables(shop, folder)
    return tuple(polars.concat([table[:100], table[100:101], table[101:]], rechunk=False) for table in tables)


def duckdb_relations(shop, folder):
    return tuple(duckdb.sql(f"SELECT * FROM '{SHOP / name}'") for name in ("shown.csv", "actions.csv"))


def pyarrow_tables(shop, folder):
    return tuple(pyarrow.csv.read_csv(SHOP / name) for name in ("shown.csv", "actions.csv"))


def pyarrow_large(shop, folder):
    def larger(table):
        return table.cast(
            pyarrow.schema(
                [
                    (field.name, pyarrow.large_string() if field.type == pyarrow.string() else field.type)
                    for field in table.schema
                ]
            )
        )

    return tuple(map(larger, pyarrow_tables(shop, folder)))


def pyarrow_slices(shop, folder):
    def sliced(table):
        return pyarrow.concat_tables([table, table]).slice(table.num_rows - 7, table.num_rows + 7).slice(7)

    return tuple(map(sliced, pyarrow_tables(shop, folder)))


def parquet_files(shop, folder):
    for name, table in zip(("shown", "actions"), pyarrow_tables(shop, folder)):
        pyarrow.parquet.write_table(table, folder / f"{name}.parquet")
    return folder / "shown.parquet", folder / "actions.parquet"


def files(shop, folder):
    return SHOP / "shown.csv", SHOP / "actions.csv"


def json_lines(shop, folder):
    for name, table in zip(("shown", "actions"), polars_tables(shop, folder)):
        time = "shown_at" if name == "shown" else "at"
        table.with_columns(polars.col(time).dt.strftime("%Y-%m-%dT%H:%M:%SZ")).write_ndjson(folder / f"{name}.jsonl")
    return folder / "shown.jsonl", folder / "actions.jsonl"


def out_of_order(shop, folder):
    return tuple(table.sample(frac=1, random_state=3) for table in shop)


FORMS = [
    pandas_tables,
    pandas_strings_of_arrow,
    pandas_categories,
    polars_tables,
    polars_in_chunks,
    duckdb_relations,
    pyarrow_tables,
    pyarrow_large,
    pyarrow_slices,
    parquet_files,
    files,
    json_lines,
    out_of_order,
]


def without_hash(rows):
    return [{**json.loads(row), "config": ""} for row in rows.splitlines()]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("threads", [1, 2, 8])
def test_rows_are_those_of_the_command_line(form, threads, shop, wanted, tmp_path):
    impressions, feedback = form(shop, tmp_path)
    arguments = dict(ARGUMENTS)
    if form in (files, json_lines):
        arguments["fields"] = {side: {**fields, "unit": "rfc3339"} for side, fields in ARGUMENTS["fields"].items()}
    found = recmeter.evaluate(impressions, feedback, threads=threads, **arguments)
    assert found.rows.jsonl == wanted
    assert found.warnings == []


def test_items_may_be_lists_and_places_rows(shop, wanted):
    shown, actions = shop
    fields = {
        "impressions": {**ARGUMENTS["fields"]["impressions"], "items": "products"},
        "feedback": ARGUMENTS["fields"]["feedback"],
    }
    lists = polars.from_pandas(shown).with_columns(polars.col("products").str.split("|"))
    assert recmeter.evaluate(lists, actions, **{**ARGUMENTS, "fields": fields}).rows.jsonl == wanted
    for kind in (
        pyarrow.list_(pyarrow.string()),
        pyarrow.large_list(pyarrow.large_string()),
        pyarrow.list_(pyarrow.string(), 5),
    ):
        table = pyarrow.Table.from_pandas(shown).set_column(
            3, "products", pyarrow.array([text.split("|") for text in shown["products"]], type=kind)
        )
        assert recmeter.evaluate(table, actions, **{**ARGUMENTS, "fields": fields}).rows.jsonl == wanted, kind
    places = lists.with_columns(place=polars.int_ranges(1, polars.col("products").list.len() + 1)).explode(
        "products", "place"
    )
    fields["impressions"] = {**ARGUMENTS["fields"]["impressions"], "item_id": "products", "position": "place"}
    del fields["impressions"]["items"]
    assert recmeter.evaluate(places, actions, **{**ARGUMENTS, "fields": fields}).rows.jsonl == wanted
    from_zero = places.with_columns(place=polars.col("place") - 1)
    with pytest.raises(recmeter.InputError, match="position_base: 0"):
        recmeter.evaluate(from_zero, actions, **{**ARGUMENTS, "fields": fields})
    fields["impressions"]["position_base"] = 0
    rows = recmeter.evaluate(from_zero, actions, **{**ARGUMENTS, "fields": fields}).rows.jsonl
    assert without_hash(rows) == without_hash(wanted)


def test_structs_dictionaries_and_views_are_read_where_they_lie(shop, wanted):
    shown, actions = pyarrow_tables(shop, None)
    views = [
        shown.column(name).cast(pyarrow.string_view())
        if shown.schema.field(name).type == pyarrow.string()
        else shown.column(name)
        for name in shown.column_names
    ]
    assert recmeter.evaluate(pyarrow.table(views, names=shown.column_names), actions, **ARGUMENTS).rows.jsonl == wanted
    who = pyarrow.StructArray.from_arrays(
        [shown.column("visitor").combine_chunks().dictionary_encode(), pyarrow.nulls(shown.num_rows)], ["id", "rest"]
    )
    nested = shown.drop_columns("visitor").append_column("who", who)
    fields = {
        "impressions": {**ARGUMENTS["fields"]["impressions"], "user_id": "who.id"},
        "feedback": ARGUMENTS["fields"]["feedback"],
    }
    assert recmeter.evaluate(nested, actions, **{**ARGUMENTS, "fields": fields}).rows.jsonl == wanted


@pytest.mark.parametrize("unit", ["s", "ms", "us", "ns"])
@pytest.mark.parametrize("zone", [None, "UTC", "Europe/Vienna"])
def test_timestamps_of_every_unit_and_zone(unit, zone, shop, wanted):
    shown, actions = pyarrow_tables(shop, None)
    kind = pyarrow.timestamp(unit, zone)
    shown = shown.set_column(0, "shown_at", shown.column("shown_at").cast(pyarrow.timestamp(unit, "UTC")).cast(kind))
    assert recmeter.evaluate(shown, actions, **ARGUMENTS).rows.jsonl == wanted


def test_a_reader_of_batches_is_read_once(shop, wanted):
    shown, actions = pyarrow_tables(shop, None)
    found = recmeter.evaluate(shown.to_reader(max_chunksize=64), actions.to_reader(max_chunksize=10), **ARGUMENTS)
    assert found.rows.jsonl == wanted
    shuffled = pyarrow.Table.from_pandas(shop[0].sample(frac=1, random_state=5), preserve_index=False)
    found = recmeter.evaluate(shuffled.to_reader(max_chunksize=64), actions.to_reader(), sort="always", **ARGUMENTS)
    assert found.rows.jsonl == wanted


def test_rows_come_in_the_library_of_the_impressions(shop):
    import pandas

    for form, kind in (
        (pandas_tables, pandas.DataFrame),
        (polars_tables, polars.DataFrame),
        (pyarrow_tables, pyarrow.Table),
        (duckdb_relations, duckdb.DuckDBPyRelation),
    ):
        impressions, feedback = form(shop, None)
        assert isinstance(recmeter.replay(impressions, feedback, **ARGUMENTS), kind)


def test_null_and_nan_are_absent():
    table = polars.DataFrame(
        {
            "type": ["impression", "click", "click"],
            "ts": [1_700_000_000_000, 1_700_000_001_000, 1_700_000_002_000],
            "user_id": ["u", "u", "u"],
            "list_id": ["l", None, None],
            "items": [["a", "b"], None, None],
            "item_id": [None, "a", "b"],
            "value": [None, float("nan"), 2.5],
        }
    )
    found = recmeter.evaluate(table, windows="all", cutoffs=[1])
    row = next(iter(found.rows))
    assert row["feedback"]["click"]["credited"] == 2 and found.report["events"]["invalid"] == 0
