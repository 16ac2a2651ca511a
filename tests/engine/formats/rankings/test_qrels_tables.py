"""Tests of qrels in tables, spreadsheets and JSON."""

import gzip
import re
from pathlib import Path

import openpyxl
import pyarrow as pa
import pyarrow.parquet
import pytest

from irjudge.errors import FormatError, Undecided
from irjudge.formats.rankings import read_qrels
from irjudge.formats.rows import parse_columns
from irjudge.model import Qrels
from tests.messages import keys_and_values


def read(folder: Path, name: str, text: str | bytes, columns: str = "") -> Qrels:
    path = folder / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return read_qrels(
        path,
        columns=parse_columns(columns, ("topic", "iteration", "document", "grade", "assessor")),
    )


def rows(qrels: Qrels) -> list[tuple[str, str, int]]:
    return list(qrels.rows())


PAIRS = [("q1", "MED-7", 2), ("q1", "d 2", 0)]


@pytest.mark.parametrize(
    ("name", "text", "form"),
    [
        ("test.tsv", "query-id\tcorpus-id\tscore\nq1\tMED-7\t2\nq1\td 2\t0\n", "TSV"),
        ("a.csv", 'topic,document,grade\r\nq1,MED-7,2\r\nq1,"d 2",0\r\n', "CSV"),
        ("a.csv", "\ufeffgrade;docno;qid\n2.0;MED-7;q1\n\n 0; d 2 ;q1", "CSV with semicolons"),
        ("a.csv.gz", gzip.compress(b"qid,docid,rel\nq1,MED-7,2\nq1,d 2,0\n", mtime=0), "CSV"),
        ("a.txt", "qid\tdocid\trel\nq1\tMED-7\t2\nq1\td 2\t0\n".encode("utf-16"), "TSV"),
    ],
)
def test_a_header_names_the_columns(tmp_path, name, text, form):
    qrels = read(tmp_path, name, text)
    assert rows(qrels) == PAIRS
    assert f"{name}: read as {form}: topic is " in qrels.warnings[0]


def test_used_and_unused_columns_are_reported(tmp_path):
    qrels = read(tmp_path, "a.csv", "who,qid,docno,label,rel\nx,1,d,0,3\n")
    assert keys_and_values(qrels.warnings, "file", "named") == [
        ("read-as", "a.csv", ""),
        ("unread-fields", "a.csv", "who, rel"),
    ]
    assert [each in qrels.warnings[0] for each in ("qid", "docno", "label", "grade 1")] == [
        True,
        True,
        True,
        False,
    ]
    assert rows(read(tmp_path, "a.csv", "who,qid,docno,label,rel\nx,1,d,0,3\n", "grade=rel")) == [
        ("1", "d", 3)
    ]


def test_a_warning_names_its_file_once(tmp_path):
    warnings = read(tmp_path, "a.csv", "qid,docno,rel\n1,d,0\n".encode("utf-16")).warnings
    assert keys_and_values(warnings[1:], "first", "encoding") == [("read-as", "a.csv", "UTF-16")]
    assert warnings[1].count("a.csv") == 1


@pytest.mark.parametrize(
    ("name", "rows"), [("formula", [[1, "d", "=1+1"]]), ("topic", [[1, "d", 2], [None, "e", 2]])]
)
def test_a_spreadsheets_empty_cell_has_an_explanation(tmp_path, name, rows):
    book = openpyxl.Workbook()
    for row in (["topic", "document", "grade"], *rows):
        book.active.append(row)
    book.save(tmp_path / "a.xlsx")
    part = "topic" if name == "topic" else "grade"
    with pytest.raises(FormatError) as refused:
        read_qrels(tmp_path / "a.xlsx")
    assert (refused.value.key, refused.value.line) == ("empty-cell", 1 + len(rows))
    assert refused.value.values["part"] == part
    assert "formula" in refused.value.values["note"]


def test_columns_by_number_need_no_header(tmp_path):
    columns = "topic=2,document=3,grade=1"
    qrels = read(tmp_path, "a.csv", "2,q1,MED-7\n0,q1,d 2\n", columns)
    assert rows(qrels) == PAIRS
    ((key, reading),) = keys_and_values(qrels.warnings, "columns")
    assert (key, re.findall(r"\d", reading)) == ("read-as", ["2", "3", "1"])
    assert (
        rows(read(tmp_path, "a.csv", "grade,topic,doc\n2,q1,MED-7\n0,q1,d 2\n", columns)) == PAIRS
    )


def test_without_grades_each_pair_counts_as_grade_1(tmp_path):
    qrels = read(tmp_path, "a.csv", "qid,docno\n1,d\n")
    assert rows(qrels) == [("1", "d", 1)]
    assert "docno" in qrels.warnings[0] and "grade 1" in qrels.warnings[0].values["note"]


def test_subtopics_are_kept(tmp_path):
    qrels = read(tmp_path, "a.csv", "qid,subtopic,docno,rel\n1,a,d,1\n1,b,d,0\n")
    assert ([qrels.groups[code] for code in qrels.group], len(qrels)) == (["a", "b"], 2)


def test_qrels_are_read_from_a_spreadsheet(tmp_path):
    book = openpyxl.Workbook()
    for row in (["Topic", "Document", "Grade"], [51, "d 2", 2], [], ["052", 7, 0.0]):
        book.active.append(row)
    book.create_sheet("notes")
    book.save(tmp_path / "q.xlsx")
    qrels = read_qrels(tmp_path / "q.xlsx")
    assert rows(qrels) == [("51", "d 2", 2), ("052", "7", 0)]
    assert keys_and_values(qrels.warnings, "file", "form") == [
        ("read-as", "q.xlsx", "spreadsheet"),
        ("sheet-left-out", "q.xlsx", ""),
    ]
    assert "notes" in qrels.warnings[1]


def test_json_is_topics_documents_and_grades(tmp_path):
    qrels = read(tmp_path, "q.json", ' {"q1": {"MED-7": 2, "d 2": 0.0, "MED-7": 1}, "q2": {}}')
    assert rows(qrels) == PAIRS
    first, *_, same, other = keys_and_values(qrels.warnings, "document", "kept", "grade")
    assert (first[0], same[0]) == ("read-as-json", "same-pair")
    assert other == ("contradicting-grades", "MED-7", "2", "1")


def test_values_of_a_json_table_by_column_are_joined_by_row_name(tmp_path):
    columns = (
        '{"qid": {"0": "q1", "1": "q2"}, "docno": {"1": "b", "0": "a"}, "label": {"1": 0, "0": 2}}'
    )
    assert rows(read(tmp_path, "q.json", columns)) == [("q1", "a", 2), ("q2", "b", 0)]


@pytest.mark.parametrize(
    ("text", "key", "line", "value"),
    [
        ("topic,document,grade\n1,d,1\n1,e,1.5\n", "fractions", None, '--grades "1:0,1.5:1"'),
        ("topic,document,grade\n1,d,\n", "empty-cell", 2, "grade"),
        ("topic,document,grade\n1,,1\n", "empty-cell", 2, "document"),
        ("topic,document,grade\n1,d\n", "column-count", 2, "3"),
        ("topic,document,grade\n1,d,2,\n1,e,1,5\n", "column-count", 3, "4"),
        ("topic\tgrade\tdocument\n1\t1\te\tf\n", "column-count", 2, "4"),
        ("topic,document,grade\n1,d,1234567890\n", "large-number", 2, "'1234567890'"),
        ('topic,document,grade\n1,"d,1\n', "not-csv", 2, ""),
        ("topic,document,grade\n1,d\0,1\n", "zero-byte", 2, ""),
        ("topic,document,grade\n", "no-rows", None, ""),
        ('{"1": {"d": 1e999}}', "large-number", None, "document d"),
        ('{"1": {"d": "2"}}', "not-a-number", None, "document d"),
        ('{"1": {"d": true}}', "not-a-number", None, "grade"),
        ('{"1": {"d": ' + "9" * 400 + "}}", "large-number", None, "document d"),
        ('{"1": 2}', "no-documents", None, "topic 1"),
        ('{"1": {}}', "no-pair", None, ""),
        ('{"1": {"d": 1}', "not-json", 1, ""),
        ('{"1": ' * 100_000, "too-deep", None, ""),
        ('{"1": {"d": ' + "9" * 5000 + "}}", "too-deep", None, ""),
        ('{"": {"d": 1}}', "empty-id", None, ""),
    ],
)
def test_errors_are_named(tmp_path, text, key, line, value):
    with pytest.raises(FormatError) as caught:
        read(tmp_path, "a", text)
    assert (caught.value.key, caught.value.line) == (key, line)
    assert value in str(caught.value)


def test_a_header_without_a_document_column_is_refused(tmp_path):
    with pytest.raises(Undecided) as caught:
        read(tmp_path, "a.csv", "qid,page,rel\n1,d,1\n")
    assert '"topic=qid,document=page"' in str(caught.value)
    assert caught.value.options == ("columns",)
    assert rows(read(tmp_path, "a.csv", "qid,page,rel\n1,d,1\n", "document=page")) == [
        ("1", "d", 1)
    ]


def test_exact_whole_numbers_stored_as_fractions_are_ids(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    columns = {"topic": [1.0, 1.0], "document": [12345678901.0, 402.0], "grade": [1, 0]}
    pyarrow.parquet.write_table(pa.table(columns), path)
    assert rows(read_qrels(path)) == [("1", "12345678901", 1), ("1", "402", 0)]
    columns["document"] = [1e16, 402.0]
    pyarrow.parquet.write_table(pa.table(columns), path)
    with pytest.raises(FormatError) as error:
        read_qrels(path)
    assert error.value.key == "wrong-cell"
