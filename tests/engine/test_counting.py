"""A number has its noun in the right form."""

import pytest

from irjudge.counting import counted


@pytest.mark.parametrize(("number", "words"), [(0, "0 topics"), (1, "1 topic"), (2, "2 topics"), (12345, "12,345 topics")])
def test_one_alone_has_no_s(number: int, words: str) -> None:
    assert counted(number, "topic") == words
