"""Tests of task files for crowd platforms: equal when read back, with an item per pair."""

import tempfile
from dataclasses import astuple
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from irjudge.errors import FormatError
from irjudge.formats.judgments import (
    TASK_COLUMNS,
    JudgingTask,
    make_item_id,
    read_tasks,
    write_tasks,
)

TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=30)
NASTY = JudgingTask(
    "p1",
    "=1+1",
    'a "quoted"\ttitle',
    "two\r\nlines\r",
    "\u202eeno",
    "שלום 🌍",
    "@SUM(A1)\n,;\t",
    "https://x.org/?a=b,c",
)


@given(st.lists(st.builds(JudgingTask, TEXT, TEXT, TEXT, TEXT, TEXT, TEXT, TEXT, TEXT), max_size=5))
@example([NASTY])
def test_written_tasks_are_read_back_equal(tasks):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "t.csv"
        assert write_tasks(path, tasks) == len(tasks)
        assert list(read_tasks(path)) == tasks


def test_a_long_document_stays_whole(tmp_path):
    task = JudgingTask("p1", "1", "t", "", "d", "", "word " * 100_000)
    write_tasks(tmp_path / "t.csv", [task])
    assert list(read_tasks(tmp_path / "t.csv")) == [task]


def test_columns_are_the_documented_ones(tmp_path):
    write_tasks(tmp_path / "t.csv", [NASTY])
    assert (
        (tmp_path / "t.csv")
        .read_bytes()
        .startswith(b"item,topic,title,description,document,document_title,text,url\r\np1,'=1+1,")
    )
    assert len(astuple(NASTY)) == len(TASK_COLUMNS)


@pytest.mark.parametrize(
    ("text", "key", "line"),
    [("", "not-tasks", 1), (",".join(TASK_COLUMNS) + "\n1,2\n", "column-count", 2)],
)
def test_another_table_is_refused(tmp_path, text, key, line):
    (tmp_path / "t.csv").write_text(text)
    with pytest.raises(FormatError) as refused:
        list(read_tasks(tmp_path / "t.csv"))
    assert (refused.value.key, refused.value.line) == (key, line)


@given(st.tuples(TEXT, TEXT), st.tuples(TEXT, TEXT))
def test_item_ids_are_unique_and_never_look_like_numbers(pair, other):
    assert (make_item_id(*pair) == make_item_id(*other)) == (pair == other)
    assert (
        make_item_id(*pair)[0] == "p"
        and make_item_id(*pair).isalnum()
        and make_item_id(*pair).isascii()
    )
