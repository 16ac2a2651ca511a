"""Tests of the detection of tables and of their columns."""

import os
import threading
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from irjudge.errors import FormatError, Undecided
from irjudge.formats import ReaderWarnings
from irjudge.formats.judgments import read_gold_labels
from irjudge.formats.rankings import read_qrels
from irjudge.formats.rows import (
    ASSESSOR,
    DOCUMENT,
    GRADE,
    JSON,
    TOPIC,
    ColumnKind,
    detect_columnar_format,
    detect_table_format,
    parse_columns,
    parse_integer,
    read_table,
)
from irjudge.formats.rows.tables import iter_column_rows, read_table_rows

PARTS = (TOPIC, DOCUMENT, GRADE)


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("qid\tdocno\n", "TSV"),
        ('\ufeff"Topic";"Grade"\n', "CSV with semicolons"),
        ("topic,document,x\n", "CSV"),
        ("topic document grade\n", ""),
        ("topic,other\n", ""),
        ("1 0 d 1\n", ""),
        (' \n { "a\\"b" : {', JSON),
        ("{}\n", JSON),
        ("{ Q0 d 1 2 t\n", ""),
        ("", ""),
    ],
)
def test_a_table_is_recognised_by_its_header(tmp_path, text, form):
    (tmp_path / "a").write_text(text, encoding="utf-8")
    assert detect_table_format(tmp_path / "a", PARTS) == form


def test_a_pipe_is_not_inspected(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    writer = threading.Thread(target=(tmp_path / "pipe").write_text, args=("1 0 d 1\n",))
    writer.start()
    assert len(read_qrels(tmp_path / "pipe")) == 1
    writer.join()


def test_a_mapped_column_is_used_for_no_other_part(tmp_path):
    (tmp_path / "a.csv").write_text("topic,query,doc\n1,2,3\n")
    table = read_table(
        tmp_path / "a.csv",
        (TOPIC, DOCUMENT),
        ReaderWarnings(),
        columns=parse_columns("document=topic", ("topic", "document")),
    )
    assert list(table.records()) == [(2, {"topic": "2", "document": "1"})]
    assert table.unread == ("doc",)


def test_a_column_is_used_for_one_part_only(tmp_path):
    (tmp_path / "a.csv").write_text("topic,score\n1,2\n")
    rank = ColumnKind("rank", ("score",), needed=False)
    assert read_table(tmp_path / "a.csv", (TOPIC, GRADE, rank), ReaderWarnings()).index_of_part == {
        "topic": 0,
        "grade": 1,
    }


@pytest.mark.slow
def test_unmapped_columns_of_a_wide_table_are_listed_in_linear_time(tmp_path):
    names = [f"c{number}" for number in range(15_000)]
    header = ["topic", "document", *names, "c0", "c,d"]
    cells = ["1", "d1", *names, "x", "y"]
    (tmp_path / "a.tsv").write_text("\t".join(header) + "\n" + "\t".join(cells) + "\n")
    table = read_table(tmp_path / "a.tsv", (TOPIC, DOCUMENT), ReaderWarnings())
    began = time.process_time()
    cells_by_column = table.unmapped_cells()
    assert time.process_time() - began < 0.5
    # a repeated name, and a name with a comma, are replaced by the number of the column
    assert [*cells_by_column] == ["3", *names[1:], "15003", "15004"]
    assert cells_by_column["15003"] == ["x"]


def test_a_number_that_is_a_column_name_is_the_name(tmp_path):
    (tmp_path / "a.csv").write_text("2,topic,1\nx,y,z\n")
    table = read_table(
        tmp_path / "a.csv",
        (TOPIC, DOCUMENT),
        ReaderWarnings(),
        columns=parse_columns("document=1", ("topic", "document")),
    )
    assert next(table.records()) == (2, {"topic": "y", "document": "z"})


def test_blanks_around_texts_are_removed_unless_part_of_an_id(tmp_path):
    (tmp_path / "a.csv").write_text("topic,note\n  1 , a \n")
    table = read_table(
        tmp_path / "a.csv", (TOPIC, ColumnKind("note", ("note",), verbatim=True)), ReaderWarnings()
    )
    assert list(table.records()) == [(2, {"topic": "1", "note": " a "})]


@pytest.mark.parametrize(
    ("text", "number"), [("2", 2), ("-1", -1), ("+03", 3), ("2.0", 2), ("000000000000", 0)]
)
def test_whole_numbers_are_read_as_spreadsheets_write_them(text, number):
    assert parse_integer(Path("a"), "grade", text, 1) == number


@pytest.mark.parametrize("text", ["", "1.5", "x", "1e3", "\u0661", "1.", "--1", "1234567890"])
def test_invalid_integers_are_refused(text):
    with pytest.raises(FormatError, match="a, line 7: grade"):
        parse_integer(Path("a"), "grade", text, 7)


def test_a_missing_column_error_lists_existing_columns(tmp_path):
    (tmp_path / "a.csv").write_text("topic,doc\n1,2\n")
    with pytest.raises(
        Undecided,
        match=r"no assessor.* topic \(1\), doc \(2\);",
    ):
        read_table(tmp_path / "a.csv", (TOPIC, DOCUMENT, ASSESSOR), ReaderWarnings())


def test_a_part_that_a_table_cannot_have_is_refused(tmp_path):
    (tmp_path / "a.csv").write_text("topic,doc\n1,2\n")
    with pytest.raises(FormatError, match="--columns") as refused:
        read_table(
            tmp_path / "a.csv",
            (TOPIC, DOCUMENT),
            ReaderWarnings(),
            columns=parse_columns("score=2", ("score",)),
        )
    values = refused.value.values
    assert (refused.value.key, values["first"]) == ("unknown-part", "score")
    assert values["parts"] == "topic, document"


def test_categories_that_are_numbers_are_read_from_arrow_files(tmp_path: Path) -> None:
    """As pandas saves a column of the type `category`."""
    columns = {"topic": [7, 7], "document": [5, 6], "grade": [1.0, 0.0], "used": [True, False]}
    table = pa.table({name: pa.array(values) for name, values in columns.items()})
    for name in columns:
        coded = table.set_column(
            table.schema.get_field_index(name), name, table[name].dictionary_encode()
        )
        with pa.ipc.new_file(tmp_path / "a.arrow", coded.schema) as file:
            file.write_table(coded)
        assert [*read_qrels(tmp_path / "a.arrow").rows()] == [("7", "5", 1), ("7", "6", 0)]


@pytest.mark.parametrize("coded", [True, False])
def test_invalid_offsets_in_an_arrow_file_give_an_error(coded: bool, tmp_path: Path) -> None:
    path, documents = tmp_path / "wrong.arrow", pa.array(["d1", "d2", "d3"])
    table = pa.table(
        {
            "topic": ["1", "1", "1"],
            "document": documents.dictionary_encode() if coded else documents,
            "grade": [1, 0, 2],
        }
    )
    with pa.OSFile(str(path), "wb") as file, pa.ipc.new_file(file, table.schema) as writer:
        writer.write_table(table)
    whole = path.read_bytes()
    right, invalid = (
        np.array(columns, dtype=np.int32).tobytes()
        for columns in (([0, 1, 2], [0, 9_000_000, 2]) if coded else ([2, 4], [2, 9_000_000]))
    )
    assert right in whole
    path.write_bytes(whole.replace(right, invalid))
    for read in (
        read_qrels,
        read_gold_labels,
        lambda path: list(iter_column_rows(path, detect_columnar_format(path))),
    ):
        with pytest.raises(FormatError, match=r"wrong\.arrow.* cannot be read"):
            read(path)


@pytest.mark.parametrize("cell", [",", ",{}", "[],"])
@pytest.mark.parametrize(("before", "cells"), [(b"", 50_000), (b"item,worker,label\n", 1_100_000)])
def test_a_line_of_very_many_cells_is_one_error(
    tmp_path: Path, cell: str, before: bytes, cells: int
) -> None:
    """4 MB of gzip, one line of 120 million cells, filled the memory."""
    path = tmp_path / "a.csv"
    path.write_bytes(before + cell.encode() * cells)
    with pytest.raises(FormatError) as raised:
        list(read_table_rows(path, ReaderWarnings())[1])
    assert raised.value.key == "many-columns"
