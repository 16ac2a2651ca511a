"""Tests of column mappings by the user."""

import pytest

from irjudge.errors import IrjudgeError
from irjudge.formats.rows import ColumnMapping, parse_columns


def test_columns_are_printed_as_typed():
    columns = parse_columns("id=docno, text = the abstract", ("id", "text", "title"))
    assert columns == ColumnMapping((("id", "docno"), ("text", "the abstract")))
    assert parse_columns(str(columns), ("id", "text", "title")) == columns
    assert not parse_columns("", ("id",))


@pytest.mark.parametrize("text", ["docno", "id=", "author=a", "=a"])
def test_an_empty_mapping_is_refused(text):
    with pytest.raises(IrjudgeError, match="id=NAME") as refused:
        parse_columns(text, ("id", "text"))
    assert (refused.value.key, refused.value.values["pair"]) == ("no-pair", text)


def test_a_part_is_mapped_only_once():
    with pytest.raises(IrjudgeError) as refused:
        parse_columns("id=a,id=b", ("id",))
    assert refused.value.key == "named-twice"
    assert refused.value.values == {"part": "id", "named": "a", "column": "b"}


def test_unmapped_parts_are_recognised_by_unused_column_names():
    columns = ColumnMapping((("id", "title"),))
    assert columns.names("id", ("id",)) == ("title",)
    assert columns.names("title", ("title", "headline")) == ("headline",)


def test_column_numbers_are_used_only_if_all_are_numbers():
    assert ColumnMapping((("id", "1"), ("text", "b"))).numbers() is None
    assert ColumnMapping().numbers() is None
