"""Tests of plain text: hard-wrapped lines are joined, other lines kept, and offsets unchanged."""

import re
import textwrap
from html import unescape
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from irjudge.model import Document
from irjudge.text import Passage, find_hidden_title, find_selected_passage, to_html
from irjudge.text.render import collapse_blanks, iter_paragraph_tokens, measure_repeated_title

WORDS = "the tides of the sea follow the moon and the moon follows no one but the earth on which we stand so long"
PROSE = " ".join([f"{WORDS.capitalize()}."] * 4)


def html(text: str) -> str:
    return "".join(iter_paragraph_tokens(text))


def rendered_text(document: Document) -> str:
    """Return the rendered text, with offsets as in rationales."""
    return collapse_blanks(
        unescape(
            re.sub("<(?:/p|/h1|br)>", "\n", to_html(document))
            .replace("<p>", "")
            .replace("<h1>", "")
        )
    )


@pytest.mark.parametrize("width", [45, 65, 78, 110])
def test_hard_wrapped_prose_is_joined(width: int) -> None:
    assert html("\n".join(textwrap.wrap(PROSE, width))) == f"<p>{PROSE}</p>"


def test_an_indent_after_a_sentence_begins_a_paragraph() -> None:
    wrapped = "\n".join(textwrap.wrap(PROSE, 60))
    assert html(f"{wrapped}\n   {wrapped}\n\n{wrapped}") == f"<p>{PROSE}</p>" * 3


@pytest.mark.parametrize(
    "text",
    [
        "I wandered lonely as a cloud\nThat floats on high over vales and hills,\nWhen all at once I saw a crowd,\nA host, of daffodils;",
        "Mean range      1.2 m     Brest          spring\nmean range      4.1 m     Calais         spring\nneap range      2.0 m     Ost",
        "\n".join(["one paragraph a line, as long as it may be and longer " * 5] * 4),
        "def tide(moon):\n    return moon\n\n\ndef ebb():\n    return 0",
        "\u6f6e\u6c50" * 30 + "\n" + "\u6f6e\u6c50" * 30 + "\n" + "\u6f6e" * 9,
        "a line\nand a line",
    ],
)
def test_intentional_line_breaks_stay(text: str) -> None:
    lines = [line for line in text.split("\n") if line]
    assert html(text).count("<br>") + html(text).count("<p>") == len(lines)


def test_items_of_a_list_stay_separate_and_are_joined_inside() -> None:
    long = textwrap.wrap(f"1. {PROSE}", 60) + textwrap.wrap(f"2. {PROSE}", 60)
    assert html("\n".join(long)) == f"<p>1. {PROSE}<br>2. {PROSE}</p>"


def test_an_address_longer_than_the_lines_changes_nothing() -> None:
    lines = textwrap.wrap(PROSE * 3, 60)
    assert (
        html("\n".join([*lines[:9], "http://example.org/" + "x" * 200, *lines[9:]])).count("<br>")
        <= 2
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    "line",
    [
        "x" * 70 + "\n",
        "and so on and on, as long as it goes, with words\n",
        "- item\n",
        "a   b\tc\n",
    ],
)
def test_long_texts_take_linear_time(line: str) -> None:
    began = process_time()
    assert html(line * (3_000_000 // len(line)))
    assert process_time() - began < 8


@given(
    st.lists(
        st.sampled_from(
            [
                *"abc-|1",
                "1.",
                ".",
                "The",
                "tide.",
                "\n",
                "\n\n",
                "  ",
                "\t",
                "\u6f6e",
                "\u05d0",
                "&",
                "word " * 9,
            ]
        )
    )
)
def test_no_word_is_lost_and_offsets_are_unchanged_for_any_lines(parts: list[str]) -> None:
    text = " ".join(parts)
    assert collapse_blanks(unescape(re.sub("<[^>]*>", "\n", html(text)))) == collapse_blanks(text)
    assert html(text).count("<p") == html(text).count("</p>")


@pytest.mark.parametrize(
    ("title", "text", "rest"),
    [
        ("Tides of the sea", "TIDES OF\nthe sea .\n  They come.", "  They come."),
        ("Tides", "Tides are high.", "Tides are high."),
        ("Tides", "Tides.\nTides", "Tides"),
        ("Tides", "Ebb\nTides", "Ebb\nTides"),
        ("", "Tides", "Tides"),
        (" . ", ".\nTides", ".\nTides"),
        ("Tides", "Tides", ""),
    ],
)
def test_first_lines_that_repeat_the_title_are_recognised(title: str, text: str, rest: str) -> None:
    assert text[measure_repeated_title(title, text) :] == rest


def test_a_title_is_shown_once_even_without_other_text() -> None:
    assert (
        to_html(Document("d", b"Tides.\nThey come.", "Tides")) == "<h1>Tides</h1><p>They come.</p>"
    )
    assert to_html(Document("d", b"Tides", "Tides")) == "<h1>Tides</h1>"
    assert (
        to_html(Document("d", b"", "Tides"))
        == "<h1>Tides</h1><p><i>This document is empty.</i></p>"
    )


@pytest.mark.parametrize(
    "body",
    [
        "Tides of the sea .\n They come and go.",
        f"tides of\nthe SEA\n{PROSE}",
        "They come.",
        "\U0001f319 come",
    ],
)
def test_rationales_keep_the_offsets_of_older_logs(body: str) -> None:
    document = Document("d", body.encode(), "Tides of  the sea")
    # as rendered when titles appeared twice
    before = collapse_blanks(f"{document.title}\n{body}")
    at = (
        rendered_text(document).index("come")
        if "come" in body
        else rendered_text(document).rindex("moon")
    )
    text = rendered_text(document)[at : at + 4]
    old = before.index(text) if text == "come" else before.rindex(text)
    assert find_selected_passage(
        rendered_text(document)[:at], text, find_hidden_title(document)
    ) == Passage(text, old, old + 4)
    assert find_selected_passage("", "Tides", find_hidden_title(document)) == Passage("Tides", 0, 5)
