"""Columns as the user names them."""

import pytest

from irjudge.errors import IrjudgeError
from irjudge.formats.rows.mapping import ColumnMapping, parse_columns


def test_columns_are_typed_and_shown_alike():
    columns = parse_columns("id=docno, text = the abstract", ("id", "text", "title"))
    assert columns == ColumnMapping((("id", "docno"), ("text", "the abstract")))
    assert parse_columns(str(columns), ("id", "text", "title")) == columns
    assert not parse_columns("", ("id",))


@pytest.mark.parametrize("text", ["docno", "id=", "author=a", "=a"])
def test_a_pair_that_names_nothing_is_refused(text):
    with pytest.raises(
        IrjudgeError, match="names no column, expected pairs like id=NAME with id or text in front"
    ):
        parse_columns(text, ("id", "text"))


def test_a_part_is_named_once():
    with pytest.raises(IrjudgeError, match="id is named twice, by a and b; expected one column"):
        parse_columns("id=a,id=b", ("id",))


def test_what_is_not_said_is_known_by_name_unless_it_was_said_of_something_else():
    columns = ColumnMapping((("id", "title"),))
    assert columns.names("id", ("id",)) == ("title",)
    assert columns.names("title", ("title", "headline")) == ("headline",)


def test_numbers_count_only_when_all_are_numbers():
    assert ColumnMapping((("id", "1"), ("text", "b"))).numbers() is None
    assert ColumnMapping().numbers() is None
