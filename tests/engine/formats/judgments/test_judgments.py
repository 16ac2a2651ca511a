"""Tests of tables of judgments: accepted columns, and equal when read back."""

import tempfile
from dataclasses import replace
from pathlib import Path

import openpyxl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from irjudge.errors import FormatError, IrjudgeError
from irjudge.formats.judgments import JudgmentFileRow, read_judgments, write_judgments
from irjudge.formats.rows import parse_columns
from tests.messages import keys_and_values


def test_times_and_notes_are_read_if_present(tmp_path):
    path = tmp_path / "j.csv"
    path.write_text(
        'topic,document,assessor,grade,time,comment,mood\n1,d,ann,2,2026-01-31T10:00Z," two\nlines ",good\n'
    )
    file = read_judgments(path)
    assert file.rows == (
        JudgmentFileRow(3, "1", "d", "ann", 2, "2026-01-31T10:00Z", " two\nlines "),
    )
    assert keys_and_values(file.warnings, "file", "named") == [("unread-fields", "j.csv", "mood")]


def test_a_spreadsheet_of_labels_is_read_with_mapped_columns(tmp_path):
    book = openpyxl.Workbook()
    for row in (["query no", "page", "who", "mark"], [1, "d1", "ann", 2], [1, "d1", "bob", 0]):
        book.active.append(row)
    book.save(tmp_path / "labels.xlsx")
    columns = parse_columns(
        "topic=query no,document=page,assessor=who,grade=mark",
        ("topic", "document", "assessor", "grade"),
    )
    rows = read_judgments(tmp_path / "labels.xlsx", columns=columns).rows
    assert rows == (
        JudgmentFileRow(2, "1", "d1", "ann", 2),
        JudgmentFileRow(3, "1", "d1", "bob", 0),
    )


def test_columns_by_number_must_include_all_required_parts(tmp_path):
    path = tmp_path / "j.csv"
    path.write_text("1,d,ann,2\n")
    parts = ("topic", "document", "assessor", "grade")
    assert (
        read_judgments(path, columns=parse_columns("topic=1,document=2,assessor=3,grade=4", parts))
        .rows[0]
        .grade
        == 2
    )
    with pytest.raises(
        FormatError,
        match=r"3 \(ann\).*\"topic=1,document=2,assessor=3,grade=4\"",
    ):
        read_judgments(path, columns=parse_columns("topic=1,document=2,grade=4", parts))


WORD = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=12
)
IDS = WORD.filter(lambda text: text == text.strip())
ROWS = st.builds(
    JudgmentFileRow,
    st.just(0),
    IDS,
    IDS,
    IDS,
    st.integers(-9, 99).filter(lambda grade: grade != -1),  # rows with -1 (unjudged) are skipped
    st.just("") | IDS,
    st.just("") | WORD,
)


@given(st.lists(ROWS, min_size=1, max_size=6))
def test_written_judgments_are_read_back_equal(rows):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "j.csv"
        assert write_judgments(path, rows) == len(rows)
        assert [replace(row, line=0) for row in read_judgments(path).rows] == rows


def test_a_note_may_be_long(tmp_path):
    row = JudgmentFileRow(2, "1", "d", "ann", 1, "", "word " * 100_000)
    write_judgments(tmp_path / "j.csv", [row])
    assert read_judgments(tmp_path / "j.csv").rows == (row,)


@pytest.mark.parametrize(
    "row",
    [
        JudgmentFileRow(0, " 1", "d", "a", 1),
        JudgmentFileRow(0, "1", "", "a", 1),
        JudgmentFileRow(0, "1", "d", "a", 1, "", "\0"),
    ],
)
def test_judgments_that_a_table_cannot_store_leave_the_file_unchanged(tmp_path, row):
    path = tmp_path / "j.csv"
    path.write_text("before")
    with pytest.raises(IrjudgeError):
        write_judgments(path, [row])
    assert path.read_text() == "before"


def test_a_column_per_assessor_is_reported_as_such(tmp_path):
    (tmp_path / "a.csv").write_text("topic,document,Alice,Bob\nq,a,3,2|1\nq,b,,0\n")
    with pytest.raises(FormatError) as caught:
        read_judgments(tmp_path / "a.csv")
    assert (caught.value.key, caught.value.line) == ("column-per-assessor", 1)
    assert caught.value.values["judges"] == "Alice, Bob"


def test_unjudged_rows_are_skipped_with_a_warning(tmp_path):
    (tmp_path / "j.csv").write_text(
        "topic,document,assessor,grade\n1,d1,ann,-1\n1,d2,ann,-2\n1,d3,ann,1\n"
    )
    for grades in (None, {-1: -1, -2: -2, 1: 1}):
        file = read_judgments(tmp_path / "j.csv", scale=(0, 1), grades=grades)
        assert [(row.document, row.grade) for row in file.rows] == [("d2", -2), ("d3", 1)]
        assert keys_and_values(file.warnings, "line") == [("not-judged", "2")]
