"""Tests of snippets: the passage with most query words, in one line, with the words marked."""

import pytest

from irjudge.model import Document
from irjudge.text import Snippet, extract_plain_text, make_snippet, query_terms
from irjudge.text.snippets import MAX_SEARCHED

TERMS = query_terms("moon tides")


def marked_words(snippet: Snippet) -> list[str]:
    return [snippet.text[begin:end] for begin, end in snippet.marks]


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("text", "Bread needs time.\n\nThe tide follows the moon.\n\nGrain is milled."),
        (
            "markdown",
            "# Bread\n\nBread needs *time*.\n\nThe **tide** follows the [moon](x).\n\nGrain is milled.",
        ),
        (
            "html",
            "<h1>Bread</h1><p>Bread needs time.</p><p>The <b>tide</b> follows the moon.</p><script>tides</script><p>Grain is milled.</p>",
        ),
    ],
)
def test_the_passage_with_most_query_words_is_shown_without_tags(kind: str, body: str) -> None:
    snippet = make_snippet(Document("d", body.encode(), "Of the sea", kind), TERMS, 40)  # type: ignore[arg-type]
    assert snippet.text == "… The tide follows the moon. …" and marked_words(snippet) == [
        "tide",
        "moon",
    ]


def test_words_of_the_title_are_marked_too() -> None:
    snippet = make_snippet(Document("d", b"words", "How tides  are\nmade"), TERMS)
    assert snippet.title == "How tides are made" and [
        snippet.title[begin:end] for begin, end in snippet.title_marks
    ] == ["tides"]


def test_without_query_words_the_beginning_is_shown() -> None:
    snippet = make_snippet(
        Document("d", b"Bread needs time and patience, they say.", "Bread"), TERMS, 20
    )
    assert (snippet.text, snippet.marks) == ("Bread needs time and …", ())
    assert make_snippet(Document("d", b"Bread.", "Title"), TERMS, 20).text == "Bread."


def test_a_repeated_title_is_left_out_and_a_missing_one_replaced() -> None:
    assert (
        make_snippet(
            Document("d", b"How tides are made\nThe moon pulls.", "How tides are made"), ()
        ).text
        == "The moon pulls."
    )
    assert make_snippet(Document("d", b"The moon pulls. More.", ""), ()).title == "The moon pulls."


def test_empty_documents_and_images_have_no_text() -> None:
    assert make_snippet(Document("d", b"", ""), TERMS) == Snippet("", "")
    assert make_snippet(Document("d", b"\x89PNG", "A chart of tides", "image"), TERMS) == Snippet(
        "A chart of tides", "", ((11, 16),)
    )


def test_only_the_beginning_of_a_long_text_is_searched() -> None:
    body = b"word " * MAX_SEARCHED + b"moon"
    snippet = make_snippet(Document("d", body, "t" * 300), TERMS)
    assert snippet.marks == () and len(snippet.title) == 120 and snippet.title.endswith("…")
    assert len(extract_plain_text(Document("d", body))) <= MAX_SEARCHED


def test_words_of_scripts_without_spaces_are_found() -> None:
    snippet = make_snippet(
        Document("d", "面包需要时间。潮汐跟随月亮。".encode(), ""), query_terms("潮汐"), 10
    )
    assert "潮汐" in snippet.text and marked_words(snippet) == ["潮汐"]
