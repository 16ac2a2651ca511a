"""Tests of rendered documents: plain text, Markdown and HTML."""

import random
import re
import time
from html import unescape

import pytest
from markdown_it import MarkdownIt

from irjudge.model import Document
from irjudge.text import render, title_and_body, to_html, to_slices
from irjudge.text.render import (
    CHARACTERS_PER_TOKEN,
    MAX_SHOWN_SOURCE,
    measure_repeated_title,
)


def body(text: str | bytes, kind: str = "text") -> str:
    return title_and_body(
        Document("d", text if isinstance(text, bytes) else text.encode(), "", kind)
    )[1]


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("one\ntwo\n\nthree", "<p>one<br>two</p><p>three</p>"),
        ("one\r\ntwo\r\n\r\nthree\r\n", "<p>one<br>two</p><p>three</p>"),
        ("one\rtwo\r\rthree", "<p>one<br>two</p><p>three</p>"),
        (
            "שלום.\nB4.\n\nthree",
            '<p class="first">שלום.</p><p class="line">B4.</p><p class="first">three</p>',
        ),
        ("\n\n one \n \t\n\n two", "<p>one </p><p>two</p>"),
        ("<script>a & b</script> &amp;", "<p>&lt;script&gt;a &amp; b&lt;/script&gt; &amp;amp;</p>"),
        (b"caf\xe9", "<p>caf\ufffd</p>"),
        ("", ""),
    ],
)
def test_plain_text_becomes_paragraphs_without_tags(text: str | bytes, html: str) -> None:
    assert body(text) == html


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("*a* **b**", "<p><em>a</em> <strong>b</strong></p>\n"),
        ("# head\n\n- x\n- y", "<h1>head</h1>\n<ul>\n<li>x</li>\n<li>y</li>\n</ul>\n"),
        ("![alt](http://x/y.png)", "<p>[alt]</p>\n"),
        (
            "[text](http://x) [in](#part) [j](javascript:x())",
            '<p><a href="http://x">text</a> <a href="#part">in</a> [j](javascript:x())</p>\n',
        ),
        ("<script>x()</script>\n\nb", "\n<p>b</p>\n"),
        ("<img src=http://x>", ""),
    ],
)
def test_markdown_is_rendered_and_sanitised(text: str, html: str) -> None:
    assert body(text, "markdown").strip() == html.strip()


def test_a_table_in_markdown_is_a_table() -> None:
    assert "<td>1</td>" in body("|a|\n|-|\n|1|", "markdown")


def test_the_title_is_shown_above_as_text() -> None:
    assert to_html(Document("d", b"x", "a <b>")) == "<h1>a &lt;b&gt;</h1><p>x</p>"
    assert title_and_body(Document("d", b"<title>T &amp; t</title><p>x", "", "html")) == (
        "T & t",
        "<p>x</p>",
    )
    assert title_and_body(Document("d", b"<title>T</title><p>x", "mine", "html"))[0] == "mine"


@pytest.mark.parametrize(
    ("text", "kind"), [("", "text"), (" \n\n ", "text"), ("\n", "html"), ("", "markdown")]
)
def test_an_empty_document_has_a_notice(text: str, kind: str) -> None:
    assert (
        to_html(Document("d", text.encode(), "", kind)) == "<p><i>This document is empty.</i></p>"
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        "\n" * 300_000 + "x",
        "\n \t" * 100_000 + "x",
        "x\n" * 100_000,
        "x " * 500_000,
        "x" * 1_000_000,
        "&<" * 200_000,
    ],
)
def test_long_plain_texts_take_linear_time(text: str) -> None:
    began = time.process_time()
    assert "x" in body(text) or "&" in body(text)
    assert time.process_time() - began < 2


HOSTILE = {
    "quotes": ">" * 20_000,
    "lists": "- " * 20_000,
    "brackets": "[" * 20_000,
    "links": "[a](" * 10_000,
    "images": "![" * 10_000,
    "stars": "*a_" * 10_000,
    "backticks": "`a" * 10_000,
    "autolinks": "<" * 20_000,
    "comments": "<!--" * 10_000,
    "tables": "|a" * 5_000 + "\n" + "|-" * 5_000,
    "entities": "&" * 20_000,
    "headings": "# a\n" * 10_000,
}


@pytest.mark.slow
@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_markdown_takes_linear_time(name: str) -> None:
    began = time.process_time()
    body(HOSTILE[name], "markdown")
    assert time.process_time() - began < 3


ROWS = "".join(f"r{number}\n" for number in range(300))
PADDED = {
    "one table": f"{'a|' * 200}\n{'-|' * 200}\n{ROWS}",
    "many tables": f"{'a|' * 40}\n{'-|' * 40}\n{ROWS[:200]}\n" * 60,
    "tables without blank lines": f"{'a|' * 40}\n{'-|' * 40}\n# r1\n" * 60,
    "tables in quotations and lists": f"> {'a|' * 40}\n> {'-|' * 40}\n> r1\n\n- a|b|c\n  -|-|-\n  r1\n\n"
    * 100,
    "headers alone": f"{'a|' * 400}\n{'-|' * 400}\n\n" * 30,
}


@pytest.mark.parametrize("name", PADDED)
def test_short_rows_of_tables_are_filled_up_to_a_limit_and_the_rest_is_text(name: str) -> None:
    html = body(PADDED[name], "markdown")
    assert html.count("<td") + html.count("<th>") <= 1_000 + len(PADDED[name]) // 2
    assert html.count("r1") == PADDED[name].count("r1")
    assert "<table>" in html


def test_a_table_with_all_cells_given_is_never_truncated() -> None:
    html = body("a|b\n-|-\n" + "x|y\n" * 6_000, "markdown")
    assert (html.count("<table>"), html.count("<td")) == (1, 12_000)


def test_long_markdown_in_parts_keeps_links_and_code() -> None:
    filler = "words and more words\n\n" * 3000
    html = body(
        f"[a][1]\n\n```\nx *y*\n\n{'z *y*' * 10}\n{filler}```\n\n{filler}\n\n[b][1] *c*\n\n[1]: http://example.org/\n",
        "markdown",
    )
    assert html.count('<a href="http://example.org/">') == 2 and html.endswith("<em>c</em></p>\n")
    assert html.count("<em>") == 1, "code that is cut stays code"
    assert html.count("words and more words") == 6000


@pytest.mark.slow
def test_markdown_without_a_blank_line_is_split_too() -> None:
    assert body("*a* b " * 20_000, "markdown").count("<em>a</em>") == 20_000


@pytest.mark.parametrize(
    "text",
    [
        "- " * 12 + "deep\n\nafter",
        "1. " * 12 + "deep\n\nafter",
        "> " * 25 + "deep\n\nafter",
        "".join(f"{'  ' * depth}- level{depth}\n" for depth in range(30)) + "- deep\n\nafter",
    ],
)
def test_deeply_nested_markdown_keeps_its_text_and_what_follows(text: str) -> None:
    words = unescape(re.sub("<[^>]*>", " ", body(text, "markdown")))
    assert [word for word in words.split() if word.isalnum()] == re.findall(r"[a-z]+\d*", text)
    assert "<p>after</p>" in body(text, "markdown")


def test_items_below_the_maximum_depth_are_separate_paragraphs() -> None:
    deep = "".join(f"{'  ' * depth}- a{depth}\n" for depth in range(9))
    html = body(f"{deep}{' ' * 18}- b\n{' ' * 18}- c\n- d\n", "markdown")
    assert re.findall("<p>(.*?)</p>", html) == ["- b", "- c"] and "<li>d</li>" in html


NESTED = {
    "items in items": "* * * * * a\n" * 10_000,
    "short items": "- a\n" * 30_000,
    "numbered items": "1. - + * a\n" * 11_000,
    "quotations in quotations": "> > > > > > a\n\n" * 8_000,
    "items in quotations": "> - > - > - a\n" * 8_000,
    "very deep items": ("- " * 40 + "a\n") * 1_500,
    "tables": "a|b\n-|-\n" * 15_000,
    "brackets": "![" * 60_000,
}


@pytest.mark.slow
@pytest.mark.parametrize("name", NESTED)
def test_the_markup_of_long_markdown_is_limited_and_the_rest_is_text(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A megabyte of nested lists took 28 s."""
    monkeypatch.setattr(render, "MIN_MARKDOWN_TOKENS", 10_000)
    counts = []
    parse = MarkdownIt.parse

    def parse_and_count(markdown: MarkdownIt, text: str, environment: dict[str, object]):
        tokens = parse(markdown, text, environment)
        counts.append(sum(1 + len(token.children or ()) for token in tokens))
        return tokens

    monkeypatch.setattr(MarkdownIt, "parse", parse_and_count)
    document = Document("d", NESTED[name].encode(), "", "markdown")
    html = "".join(to_slices(document))
    limit = 10_000 + len(NESTED[name]) // CHARACTERS_PER_TOKEN
    assert sum(counts) <= limit + max(counts)
    assert html.count("a") >= NESTED[name].count("a")


def test_all_markup_of_ordinary_tables_and_lists_is_rendered(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A fifth of the markup in 100 such tables or 9,000 links, with a fifth of the limit."""
    monkeypatch.setattr(render, "MIN_MARKDOWN_TOKENS", render.MIN_MARKDOWN_TOKENS // 5)
    table = "|a|b|c|d|e|\n|-|-|-|-|-|\n" + "|1|2|3|4|5|\n" * 50
    assert body(f"{table}\n" * 20, "markdown").count("<td>") == 5_000
    links = "".join(f"- [name {number}](https://example.org/{number})\n" for number in range(1800))
    assert body(links, "markdown").count("<a ") == 1800


def test_an_image_has_no_text_to_render() -> None:
    assert title_and_body(Document("d", b"<p>x", "", "image")) == ("", "")


@pytest.mark.parametrize(
    ("title", "kind", "body", "html"),
    [
        (
            "Tides & co",
            "html",
            "<div><h1>Tides &amp; <b>co</b></h1><p>words</p></div>",
            "<h1>Tides &amp; co</h1><div><p>words</p></div>",
        ),
        ("Tides", "markdown", "# Tides\n\nwords", "<h1>Tides</h1>\n<p>words</p>\n"),
        ("Tides", "html", "<h1>Moon</h1><p>words</p>", "<h1>Tides</h1><h1>Moon</h1><p>words</p>"),
        ("Tides", "html", "<p>words</p><h1>Tides</h1>", "<h1>Tides</h1><p>words</p><h1>Tides</h1>"),
        ("", "html", "<h1>Tides</h1>", "<h1>Tides</h1>"),
    ],
)
def test_a_first_heading_that_is_the_title_is_not_repeated(
    title: str, kind: str, body: str, html: str
) -> None:
    assert to_html(Document("d", body.encode(), title, kind)) == html  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("before", "expected"),
    [
        ("<pre>\n\n \n", "<pre>"),
        ("<pre>\n<b>\n\n", "<pre><b>"),
        ("<br><br><p>\n\n", "<p>"),
        ("<p>&nbsp;<br>\n", "<p>\xa0"),
    ],
)
def test_a_document_does_not_begin_with_empty_lines(before: str, expected: str) -> None:
    html = to_html(Document("d", f"{before}  first\n\nsecond<br>third".encode(), "", "html"))
    assert html.startswith(f"{expected}  first\n\nsecond<br>third</")


def test_a_picture_at_the_start_keeps_the_lines_after_it() -> None:
    html = '<img src="data:image/png;base64,AAAA"><br>words'
    assert to_html(Document("d", html.encode(), "", "html")) == html


def visible_text(html: str) -> str:
    """Return the visible contents of a page: its text, and one character per picture or line."""
    text = unescape(re.sub("<[^>]*>", "", re.sub("<(img|hr)[^>]*>", "▪", html)))
    return "".join(sign for sign in text if sign.isprintable() and not sign.isspace())


EMPTY = {
    "only a script": ("html", "<script>alert('x')</script>"),
    "an empty table": ("html", "<table><tr><td></td><td> </td></tr></table>"),
    "nested quotes": ("markdown", "> " * 6 + "\n\n"),
    "tags alone": ("html", "<div><p><b></b></p></div>"),
    "letters without a shape": ("text", "\u200b\u200d\ufeff\u2060\x07"),
    "a comment": ("html", "<!-- nothing -->"),
    "a definition that nothing uses": ("markdown", "[a]: http://example.org\n"),
    "a title element alone": ("html", "<head><style>p{}</style></head>"),
}


@pytest.mark.parametrize("times", [1, 3000])
@pytest.mark.parametrize("name", EMPTY)
def test_a_page_without_visible_content_shows_a_notice_and_its_source(
    name: str, times: int
) -> None:
    kind, source = EMPTY[name]
    made = list(to_slices(Document("d", (source * times).encode(), "", kind)))
    assert re.match("<p><i>[^<]+</i></p><pre>", made[0])
    assert ("script" in made[0]) == ("script" in source) and len(
        visible_text("".join(made))
    ) < MAX_SHOWN_SOURCE * 6 + 200
    assert (f"of {len(source * times):,} characters" in made[-1]) == (
        len(source * times) > MAX_SHOWN_SOURCE
    )


def test_a_title_is_shown_above_a_page_without_visible_content() -> None:
    assert to_html(Document("d", b"<script>1</script>", "The title", "html")).startswith(
        "<h1>The title</h1><p><i>"
    )


PIECES = (
    *(
        "<script>",
        "</script>",
        "<style>",
        "<table>",
        "<tr>",
        "<td>",
        "</td>",
        "</table>",
        "<ul><li>",
        "<p>",
        "</p>",
        "<pre>",
        "</pre>",
    ),
    *(
        "<!--",
        "-->",
        "<svg>",
        "</svg>",
        "<iframe src=x>",
        "<img src=x>",
        "<a href='javascript:1'>",
        "<h1>",
        "</h1>",
        "&#8203;",
        "&nbsp;",
    ),
    *(
        "> ",
        "> " * 20,
        "- ",
        "# ",
        "```\n",
        "|-|\n",
        "[x]: y\n",
        "\n\n",
        " ",
        "\u200b",
        "\x00",
        "\x1b[31m",
        "\u202e",
        "<",
        "&",
        "\ufeff",
        "a",
    ),
)


@pytest.mark.parametrize("kind", ["text", "markdown", "html"])
def test_every_document_has_visible_content(kind: str, full: bool) -> None:
    chance = random.Random(12)
    for _ in range(20_000 if full else 60):
        source = "".join(
            chance.choices(PIECES[: chance.randint(3, len(PIECES))], k=chance.randint(0, 40))
        ) * chance.choice((1,) * 9 + (200,))
        made = list(
            to_slices(Document("d", source.encode(), chance.choice(("", "", "title")), kind))
        )
        assert made and visible_text("".join(made)), source[:200]


def test_a_long_link_target_is_repeated_up_to_a_limit() -> None:
    """A document of 60 KB became 30 MB of HTML."""
    definition = f"[a]: http://example.org/{'y' * 1900}\n\n"
    few, many = (body(definition + "[a] " * count, "markdown") for count in (10, 15_000))
    assert few.count("<a ") == 10
    assert 20 < many.count("<a ") < 1000
    assert many.count("[a]") + many.count("<a ") == 15_000


@pytest.mark.slow
def test_references_are_limited_over_all_parts_of_a_document() -> None:
    definition = f'[a]: http://example.org/{"y" * 900} "{"z" * 900}"\n\n'
    text = definition + "[a] ![a] " * 20_000
    assert len(body(text, "markdown")) < 8 * len(text)


@pytest.mark.slow
def test_definitions_of_a_long_document_are_parsed_once() -> None:
    """Each part of 30 KB repeated all definitions, up to 440 KB."""
    definitions = "".join(f"[r{index}]: http://x/{'y' * 1900}\n" for index in range(200))
    text = definitions + "\n" + "[r199] word\n\n" * 20_000
    began = time.process_time()
    assert body(text, "markdown").count("<a ") > 500
    assert time.process_time() - began < 6


@pytest.mark.parametrize("ending", ["", "b"])
def test_a_long_title_that_the_text_repeats_line_by_line_is_found_in_linear_time(
    ending: str,
) -> None:
    """A title of 120 KB took 1.6 s, and one of 1 MB minutes."""
    text = "a\n" * 60_000
    began = time.process_time()
    length = measure_repeated_title(f"{text}{ending}", f"{text}. \nx")
    assert time.process_time() - began < 0.5
    assert length == (0 if ending else len(text))


@pytest.mark.parametrize(
    ("title", "text", "repeated"),
    [
        ("Tides of the sea", "Tides of,\nthe sea.\nx", "Tides of,\nthe sea.\n"),
        ("Tides . of", "Tides\n. of\nx", "Tides\n. of\n"),
        ("Tides", ".\n \nTides !\nx", ".\n \nTides !\n"),
        ("Straße", "STRASSE\nx", "STRASSE\n"),
        ("Tides of", "Tides\nfor", ""),
        ("Tides of", "Tides", ""),
        ("...", "...\nx", ""),
    ],
)
def test_a_title_may_be_repeated_in_several_lines(title: str, text: str, repeated: str) -> None:
    assert text[: measure_repeated_title(title, text)] == repeated
