"""Tests of documents for a browser: harmless, sliced, and with the text of its text nodes."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from irjudge.model import Document, DocumentKind
from irjudge.web import to_browser_document
from tests.engine.web.page_parser import PageParser
from tests.lengths import example_count

BODIES: list[tuple[DocumentKind, str]] = [
    ("text", "First line\nsecond\n\nA new paragraph & <b>no tag</b>."),
    ("text", "المد والجزر\nسطر آخر\n\nفقرة"),
    (
        "markdown",
        "# Tide\n\n- one\n- two\n\n```\ncode  here\n\n  more\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |",
    ),
    (
        "html",
        "words<p>para<div>in <b>bold <i>both</b></i></div>after<pre>\n\n  kept\n</pre><table><tr><td>1<td>2</table>end",
    ),
    ("html", "<ul><li>a<li>b<p>c</ul><blockquote>q</blockquote><h2 id=top>h</h2>x<br><br>y<hr>z"),
    (
        "html",
        "a\r\nb\rc\0d &amp;lt; &#128; \U0001f319 <a name='n' href='#top'>in</a> <a href='https://x.org/?a=1&b=2'>out</a>",
    ),
]


@pytest.mark.parametrize(("kind", "body"), BODIES)
def test_the_text_is_that_of_the_text_nodes_of_the_pieces(kind: DocumentKind, body: str) -> None:
    paper = to_browser_document(Document("d", body.encode(), "A title", kind), "c3-")
    assert "".join(PageParser(piece).text for piece in paper.parts) == paper.text
    assert paper.text.startswith("A title\n")


@pytest.mark.parametrize(("kind", "body"), BODIES)
def test_blocks_are_separated_in_the_text(kind: DocumentKind, body: str) -> None:
    text = to_browser_document(Document("d", body.encode(), "", kind), "").text
    assert not {"linesecond", "wordspara", "bothafter", "12", "ab", "onetwo", "hx"} & set(
        re.split(r"\s+", text)
    )


HOSTILE = (
    "<script>alert(1)</script><style>*{}</style><p style='x:y' onclick='a()' id=state class=first>p</p><iframe src=x></iframe>"
    "<img src=x onerror=a()><img src='https://x.org/y.png'><a href='javascript:a()'>j</a><a href='//x.org'>k</a><a href='http://x.org'>l</a>"
    "<form action=x><input autofocus onfocus=a()></form><svg onload=a()><math><meta http-equiv=refresh content='0;url=x'><base href=x>"
)


def test_nothing_in_a_document_loads_runs_links_outside_or_takes_an_id() -> None:
    paper = to_browser_document(Document("d", HOSTILE.encode(), "<b>t", "html"), "c0-")
    tags = [tag for piece in paper.parts for tag in PageParser(piece).tags]
    names = {name for _, attributes in tags for name in attributes}
    assert names <= {"id", "data-link", "class"} and {tag for tag, _ in tags} <= {"h1", "p", "a"}
    assert [attributes["id"] for _, attributes in tags if "id" in attributes] == ["c0-state"]
    assert [attributes["data-link"] for _, attributes in tags if "data-link" in attributes] == [
        "http://x.org"
    ]


def test_internal_links_lead_to_internal_ids() -> None:
    (piece,) = to_browser_document(
        Document("d", b"<a href='#x'>go</a><p id=x>there", "", "html"), "c7-"
    ).parts
    assert 'href="#c7-x"' in piece and 'id="c7-x"' in piece


def test_a_long_text_is_sliced_without_a_style_attribute() -> None:
    paper = to_browser_document(Document("d", ("word " * 40_000).encode(), "long"), "")
    assert (
        len(paper.parts) > 3
        and not any("style=" in piece for piece in paper.parts)
        and 'class="continued"' in paper.parts[1]
    )
    assert "".join(PageParser(piece).text for piece in paper.parts) == paper.text


def test_an_image_is_embedded_and_an_invalid_one_described() -> None:
    (piece,) = to_browser_document(
        Document("d", b"\x89PNG\r\n\x1a\nxyz", 'a "title"', "image"), ""
    ).parts
    assert PageParser(piece).tags[-1] == (
        "img",
        {"src": "data:image/png;base64,iVBORw0KGgp4eXo=", "alt": 'a "title"'},
    )
    assert (
        "This picture is damaged."
        in to_browser_document(Document("d", b"<svg onload=a()>", "", "image"), "").text
    )


def test_an_empty_document_is_described_as_empty() -> None:
    assert (
        '<p class="empty">This document is empty.</p>'
        in to_browser_document(Document("d", b"", "t"), "").parts[0]
    )


@settings(max_examples=example_count(60), deadline=None)
@given(
    st.text(alphabet=st.sampled_from("<>/=\"'& abpr#;\n\r\0\u2028\U0001f319")),
    st.sampled_from(["text", "markdown", "html"]),
)
def test_the_pieces_of_any_text_have_its_text(body: str, kind: DocumentKind) -> None:
    paper = to_browser_document(Document("d", body.encode(), "", kind), "c-")
    assert "".join(PageParser(piece).text for piece in paper.parts) == paper.text
