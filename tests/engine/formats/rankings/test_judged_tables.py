"""Qrels in tables, spreadsheets and JSON."""

import gzip
from pathlib import Path

import openpyxl
import pytest

from irjudge.errors import FormatError, Undecided
from irjudge.formats.rankings.qrels import read_qrels
from irjudge.formats.rows.mapping import parse_columns
from irjudge.model.ranking import Qrels


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
    assert f"{name}: read as {form}: topic is " in qrels.remarks[0]


def test_which_column_was_taken_and_which_not_is_said(tmp_path):
    qrels = read(tmp_path, "a.csv", "who,qid,docno,label,rel\nx,1,d,0,3\n")
    assert qrels.remarks == (
        "a.csv: read as CSV: topic is qid, document is docno, grade is label.",
        "a.csv: Fields that are not read: who, rel.",
    )
    assert rows(read(tmp_path, "a.csv", "who,qid,docno,label,rel\nx,1,d,0,3\n", "grade=rel")) == [
        ("1", "d", 3)
    ]


def test_a_remark_names_its_file_once(tmp_path):
    said = read(tmp_path, "a.csv", "qid,docno,rel\n1,d,0\n".encode("utf-16")).remarks
    assert said[1:] == ("a.csv: read as UTF-16 (by its mark); name another with --encoding.",)


@pytest.mark.parametrize(
    ("name", "rows"), [("formula", [[1, "d", "=1+1"]]), ("topic", [[1, "d", 2], [None, "e", 2]])]
)
def test_a_spreadsheets_empty_cell_has_an_explanation(tmp_path, name, rows):
    book = openpyxl.Workbook()
    for row in (["topic", "document", "grade"], *rows):
        book.active.append(row)
    book.save(tmp_path / "a.xlsx")
    part = "topic" if name == "topic" else "grade"
    with pytest.raises(
        FormatError,
        match=rf"line {1 + len(rows)}: the {part} is empty; of merged cells only the first holds a value, and a formula",
    ):
        read_qrels(tmp_path / "a.xlsx")


def test_columns_by_number_need_no_header(tmp_path):
    columns = "topic=2,document=3,grade=1"
    qrels = read(tmp_path, "a.csv", "2,q1,MED-7\n0,q1,d 2\n", columns)
    assert rows(qrels) == PAIRS
    assert qrels.remarks == (
        "a.csv: read as CSV: topic is column 2, document is column 3, grade is column 1.",
    )
    assert (
        rows(read(tmp_path, "a.csv", "grade,topic,doc\n2,q1,MED-7\n0,q1,d 2\n", columns)) == PAIRS
    )


def test_without_grades_each_pair_counts_as_grade_1(tmp_path):
    qrels = read(tmp_path, "a.csv", "qid,docno\n1,d\n")
    assert rows(qrels) == [("1", "d", 1)]
    assert qrels.remarks[0].endswith("document is docno; each pair counts as grade 1.")


def test_subtopics_are_kept(tmp_path):
    qrels = read(tmp_path, "a.csv", "qid,subtopic,docno,rel\n1,a,d,1\n1,b,d,0\n")
    assert ([qrels.groups[code] for code in qrels.group], len(qrels)) == (["a", "b"], 2)


def test_a_spreadsheet_holds_qrels(tmp_path):
    book = openpyxl.Workbook()
    for row in (["Topic", "Document", "Grade"], [51, "d 2", 2], [], ["052", 7, 0.0]):
        book.active.append(row)
    book.create_sheet("notes")
    book.save(tmp_path / "q.xlsx")
    qrels = read_qrels(tmp_path / "q.xlsx")
    assert rows(qrels) == [("51", "d 2", 2), ("052", "7", 0)]
    assert qrels.remarks == (
        "q.xlsx: read as spreadsheet: topic is Topic, document is Document, grade is Grade.",
        "q.xlsx: The first sheet was read; 1 other sheet was left out: notes.",
    )


def test_json_is_topics_documents_and_grades(tmp_path):
    qrels = read(tmp_path, "q.json", ' {"q1": {"MED-7": 2, "d 2": 0.0, "MED-7": 1}, "q2": {}}')
    assert rows(qrels) == PAIRS
    assert qrels.remarks[0] == "q.json: read as JSON of topics, documents and grades."
    assert "1 line names a topic and document that stood before" in qrels.remarks[-2]
    assert (
        "1 of these contradict the grade that was kept (for example topic q1, document MED-7: 2, then 1)"
        in qrels.remarks[-1]
    )


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            "topic,document,grade\n1,d,1\n1,e,1.5\n",
            '(ratings: 1, 1.5); say with --grades "1:0,1.5:1" what each becomes',
        ),
        ("topic,document,grade\n1,d,\n", "line 2: the grade is empty"),
        ("topic,document,grade\n1,,1\n", "line 2: the document is empty"),
        ("topic,document,grade\n1,d\n", "line 2: 2 columns, expected 3 or more as in the header"),
        ("topic,document,grade\n1,d,1234567890\n", "line 2: grade '1234567890' is too large"),
        ('topic,document,grade\n1,"d,1\n', "line 2: the line cannot be split into columns"),
        ("topic,document,grade\n1,d\0,1\n", "line 2: a zero byte"),
        ("topic,document,grade\n", "the table has a header and no rows"),
        ('{"1": {"d": 1e999}}', "topic 1, document d: grade inf is too large"),
        (
            '{"1": {"d": "2"}}',
            'topic 1, document d: the grade is not a number, expected topics with documents and their grades, like {"1"',
        ),
        ('{"1": {"d": true}}', "the grade is not a number"),
        ('{"1": 2}', "topic 1 holds no documents"),
        ('{"1": {}}', "the JSON holds no pair"),
        ('{"1": {"d": 1}', "line 1: not JSON"),
        ('{"1": ' * 100_000, "nests too deeply"),
        ('{"1": {"d": ' + "9" * 5000 + "}}", "nests too deeply or holds too long a number"),
        ('{"": {"d": 1}}', "the id is empty"),
    ],
)
def test_what_is_wrong_is_named(tmp_path, text, sentence):
    with pytest.raises(FormatError) as caught:
        read(tmp_path, "a", text)
    assert sentence in str(caught.value)


def test_a_header_without_documents_asks_for_columns(tmp_path):
    with pytest.raises(Undecided) as caught:
        read(tmp_path, "a.csv", "qid,page,rel\n1,d,1\n")
    assert '"topic=qid,document=page"' in str(caught.value)
    assert caught.value.options == ("columns",)
    assert rows(read(tmp_path, "a.csv", "qid,page,rel\n1,d,1\n", "document=page")) == [
        ("1", "d", 1)
    ]
