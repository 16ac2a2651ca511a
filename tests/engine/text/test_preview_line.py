"""Tests of the first words of a document: one short line without markup."""

import pytest

from irjudge.model import DocumentKind
from irjudge.text import extract_preview_line


@pytest.mark.parametrize(
    ("head", "kind", "text"),
    [
        ("", "text", ""),
        ("----\n* * *\nwords", "text", "words"),
        ("a < b > c", "text", "a < b > c"),
        ("# The *tides*", "markdown", "The tides"),
        ("> - [moon](http://x/y) and `sun`", "markdown", "moon and sun"),
        ("---\n#5 stays", "markdown", "#5 stays"),
        ("<!-- no --><script>var x = 1 < 2</script><h1>Head</h1>text", "html", "Head"),
        ("<!doctype html><head><title>The title</title></head><p>text", "html", "The title"),
        ("<p>one\r\nline</p><p>next", "html", "one line"),
        ("<p></p><div><span>in</span>side", "html", "inside"),
        ("word <a href='http://example.org/a/long/addr", "html", "word"),
        ("<style>b { color: red", "html", ""),
        ("潮汐每天两次", "text", "潮汐每天两次"),
        ("words", "image", ""),
    ],
)
def test_the_first_line_with_words_is_shown_without_markup(
    head: str, kind: DocumentKind, text: str
) -> None:
    assert extract_preview_line(head.encode(), kind) == text


def test_a_long_line_is_cut_at_eighty_characters() -> None:
    assert extract_preview_line(b"a" * 80, "text") == "a" * 80
    assert extract_preview_line(b"ab " * 100, "text") == "ab " * 26 + "a…"
    assert len(extract_preview_line(b"a" * 81, "text")) == 80


def test_a_truncated_character_is_left_out() -> None:
    assert extract_preview_line("tidé".encode()[:-1], "text") == "tid"
