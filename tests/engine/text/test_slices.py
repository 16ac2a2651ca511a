"""Tests of long pages in slices: each is valid HTML, together they have the whole text."""

import re
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from irjudge.model import Document
from irjudge.text import to_html, to_slices
from irjudge.text.render import (
    FIRST_SLICE_WEIGHT,
    MARKDOWN_PART,
    MAX_BLOCK_LENGTH,
    _find_part_end,
    slice_html,
)
from irjudge.text.sanitize import iter_tokens, sanitize


class Balanced(HTMLParser):
    """Parser that checks that tags are closed, and collects the words."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.words = ""
        self.feed(html)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag not in ("br", "hr", "img"):
            self.open.append(tag)
        if tag in ("td", "th"):
            assert self.open[-2] == "tr"

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if not data.isspace():
            assert not {"table", "tr", "tbody"} & set(self.open[-1:]), (
                "words outside of a cell are not shown"
            )
            self.words += data


def page(html: str) -> list[str]:
    return list(slice_html(iter_tokens(html)))


def words(html: str) -> str:
    return re.sub(r"\s", "", Balanced(html).words)


WORDS = "some words of a sentence " * 40
PAGES = {
    "paragraphs": f"<p>{WORDS}" * 100,
    "one paragraph": f"<p><b>{WORDS * 100}",
    "one word": "x" * 100_000,
    "references": "<p>" + "&amp;" * 50_000,
    "lines": "words<br>" * 10_000,
    "lists": "<ol>" + "<li>one<ul><li>two</ul>" * 1000,
    "quotes": f"<blockquote><p>{WORDS}" * 100,
    "a table": "<table>" + ("<tr>" + "<td>a<th>b" * 10) * 500,
    "a row": "<table><tr>" + "<td>words" * 5000,
    "a cell": f"<table><tr><td>{WORDS * 100}<td>last</table>after",
    "tables in tables": f"<table><tr><td>{WORDS}" * 200,
    "tables side by side": ("<table><tr><td>" * 8 + WORDS + "</table>" * 8) * 20,
    "a table within": "<table><tr><td>a<table>"
    + "<tr><td>b<td>c" * 3000
    + "</table>d<td>e</table>f",
    "a caption": f"<table><caption>{WORDS * 100}<tr><td>a</table>",
    "inline": "<b>x</b><i>y</i>" * 5000,
    "nothing": "<p></p><i></i>" * 10_000 + "end",
    "links": f"<p><a href='#x'>{WORDS}</a>" * 100,
}


@pytest.mark.slow
@pytest.mark.parametrize("name", PAGES)
def test_slices_are_valid_and_have_the_text_of_the_page(name: str) -> None:
    made = page(PAGES[name])
    assert len(made) > 1
    assert "".join(words(each) for each in made) == words(sanitize(PAGES[name]))
    assert max(len(re.sub("<[^>]*>", "", each)) for each in made) < 90_000
    max_length = max(
        len(block)
        for each in made
        for block in re.split("</?(?:p|div|li|td|th|tr|table|blockquote)[ >]", each)
    )
    assert max_length <= MAX_BLOCK_LENGTH * 5 + 40


@given(
    st.lists(
        st.sampled_from(
            "<p> <b> </b> <ul> <li> </ul> <ol> <table> <tr> <td> </td> </table> word <br> <h1> <blockquote>".split()
        ),
        max_size=40,
    )
)
def test_slices_of_any_page_are_valid(parts: list[str]) -> None:
    html = "".join(part if part.startswith("<") else WORDS * 8 for part in parts)
    assert "".join(words(each) for each in page(html)) == words(sanitize(html))


def test_a_short_page_is_one_slice() -> None:
    html = "<h1>a</h1><p>b <b>c</b></p><table><tr><td>d</td></tr></table>"
    assert page(html) == [html]
    assert page("") == []


def test_the_first_slice_is_short_and_made_before_the_rest() -> None:
    read: list[str] = []
    slices = slice_html(read.append(token) or token for token in iter_tokens(PAGES["paragraphs"]))
    assert (
        len(next(slices)) < FIRST_SLICE_WEIGHT + MAX_BLOCK_LENGTH
        and len("".join(read)) < FIRST_SLICE_WEIGHT + MAX_BLOCK_LENGTH
    )


def test_a_list_continues_with_its_next_number() -> None:
    made = page("<ol>" + f"<li>{WORDS}" * 20 + "</ol>")
    seen = 0
    for each in made:
        assert each.startswith("<ol>" if not seen else f'<ol start="{seen + 1}">')
        seen += each.count("<li>")
    assert seen == 20
    assert all("<li>" not in each for each in page(f"<ul><li>{WORDS * 20}</ul>")[1:])


def test_a_continued_paragraph_leaves_no_gap() -> None:
    first, *others = page(f"<p>{WORDS * 20}</p>")
    assert (
        first.startswith('<p style="margin-bottom:0px">')
        and others[-1].startswith("<p")
        and "margin" not in page("<p>a")[0]
    )


@pytest.mark.parametrize(
    "cell", ["words", "<p>words of a cell</p><p>and more</p>", "<ul><li>a<li>b</ul>", ""]
)
@pytest.mark.parametrize(("rows", "columns"), [(13, 4), (99, 4), (15, 25), (390, 1)])
def test_a_table_that_is_not_large_is_not_split(rows: int, columns: int, cell: str) -> None:
    table = "<table>" + ("<tr>" + f"<td>{cell}</td>" * columns + "</tr>") * rows + "</table>"
    assert [
        each.count("<tr>")
        for each in page(f"<p>{WORDS * 4}</p>{table}<p>after</p>")
        if "<tr>" in each
    ] == [rows]
    assert [
        each.count("<tr>")
        for each in page(f"<p>{WORDS * 10}</p>{table}<p>after</p>")
        if "<tr>" in each
    ] == [rows]


@pytest.mark.slow
def test_a_nested_table_is_not_split_inside_a_row() -> None:
    made = page(
        "<table><tr><td>"
        + "<table>"
        + ("<tr>" + "<td>words</td>" * 5 + "</tr>") * 2000
        + "</table></table>"
    )
    assert len(made) > 1 and all(each.count("words") % 5 == 0 for each in made)


@pytest.mark.slow
def test_a_large_table_is_split_between_rows() -> None:
    made = page("<table>" + ("<tr>" + "<td>a</td>" * 7 + "</tr>") * 500 + "</table>")
    assert len(made) > 5 and all(
        each.count("<td>") % 7 == 0 and each.count("<td>") < 420 for each in made
    )
    assert all(each.startswith("<table><tr>") and each.endswith("</tr></table>") for each in made)


def test_a_table_split_inside_a_cell_continues_as_blocks() -> None:
    made = page(
        f"<table><tr><td>{WORDS * 100}</td><td>next</td></tr></table><table><tr><td>another</td></tr></table>"
    )
    assert "<table>" in made[0] and "<div>next</div>" in made[-1]
    assert made[-1].endswith("<table><tr><td>another</td></tr></table>")


@pytest.mark.parametrize("kind", ["text", "markdown", "html"])
def test_the_slices_of_a_short_document_equal_it(kind: str) -> None:
    document = Document("d", b"# a\n\nb *c* <p>d", "title", kind)
    assert "".join(to_slices(document)) == to_html(document)


@pytest.mark.parametrize("kind", ["text", "markdown", "html"])
def test_the_slices_of_a_long_document_have_its_whole_text(kind: str) -> None:
    text = "".join(f"paragraph {number} {WORDS}\n\n" for number in range(300))
    document = Document("d", text.encode(), "title", kind)
    made = list(to_slices(document))
    assert len(made) > 10 and made[0].startswith("<h1>title</h1>")
    assert (
        "".join(words(each) for each in made)
        == words(to_html(document))
        == "title" + "".join(text.split())
    )


def test_an_empty_document_is_one_slice_with_a_notice() -> None:
    assert list(to_slices(Document("d", b""))) == ["<p><i>This document is empty.</i></p>"]


def test_a_title_of_megabytes_is_split_too() -> None:
    made = list(to_slices(Document("d", b"x", "word " * 100_000)))
    assert max(map(len, made)) < 2 * MAX_BLOCK_LENGTH and made[-1].endswith("</h1><p>x</p>")


def test_a_part_of_markdown_ends_at_its_last_blank_line_unless_that_is_in_its_first_half() -> None:
    half = MARKDOWN_PART // 2
    early, late = "x" * (half - 100) + "\n\n", "y " * 100 + "\n\n"
    assert _find_part_end(early + late + "z " * MARKDOWN_PART, 0) == len(early + late)
    assert _find_part_end(early + "z " * MARKDOWN_PART, 0) > half


@pytest.mark.slow
def test_open_tags_repeat_neither_anchors_nor_outer_links_in_later_slices() -> None:
    """1 MB of HTML became 738 MB."""
    opened = "".join(
        f'<b id="b{index}{"&amp;" * 300}"><a href="http://x/{index}{"&amp;" * 300}">'
        for index in range(49)
    )
    html = f"{opened}{'<p>x' * 20_000}"
    slices = list(slice_html(iter_tokens(html)))
    assert len(slices) > 10
    assert sum(map(len, slices)) < 4 * len(html)
    assert all(each.count(' href="http://x/48') == 1 for each in slices)
    assert [each.count(" id=") for each in slices[:3]] == [49, 0, 0]


@pytest.mark.parametrize("target", ["#" + "'" * 90_000, "http://a.org/" + "'" * 1500])
def test_long_link_targets_do_not_multiply_the_size_of_a_document(target: str) -> None:
    """A document of 206 KB became 238 MB, since each slice repeated the target."""
    rows = (("<table><tr><td>" * 8) + "word" + ("</td></tr></table>" * 8)) * 200
    document = Document("d", f'<a href="{target}">{rows}</a>'.encode(), "", "html")
    slices = list(to_slices(document))
    assert len(slices) > 10
    assert sum(map(len, slices)) < 4 * len(document.body)
