"""Tests of right-to-left tables: cells of each row are reversed, and nothing is lost."""

import re

import pytest

from irjudge.text import mirror_tables
from irjudge.text.sanitize import sanitize

ONE, TWO = "\u0648\u0627\u062d\u062f", "\u0627\u062b\u0646\u0627\u0646"
LATIN = "<table><tr><td>a</td><td>b</td></tr></table>"


def rows(html: str) -> list[list[str]]:
    return [re.findall(r"<t[dh][^>]*>([^<]*)", row) for row in re.findall(r"<tr>(.*?)</tr>", html)]


@pytest.mark.parametrize(
    ("page", "turned"),
    [
        ("<table><tr><td>a<td>b</table>", [["a", "b"]]),
        ("<table dir=rtl><tr><td>a<td>b</table>", [["b", "a"]]),
        ("<TABLE DIR = ' RTL '><tr><th>a<td>b</table>", [["b", "a"]]),
        ("<html dir='rtl'><body><p>x<table><tr><td>a<td>b</table>", [["b", "a"]]),
        (
            "<div dir=rtl><div dir=ltr><table><tr><td>a<td>b</table></div><table><tr><td>c<td>d</table></div>",
            [["a", "b"], ["d", "c"]],
        ),
        ("<div dir=rtl><p>x</div><table><tr><td>a<td>b</table>", [["a", "b"]]),
        (f"<table><tr><td>1<td>{ONE}<td>b</table>", [["b", ONE, "1"]]),
        (f"<table dir=ltr><tr><td>{ONE}<td>b</table>", [[ONE, "b"]]),
        (f"<body dir=rtl><table dir=auto><tr><td>a<td>{ONE}</table>", [["a", ONE]]),
        (f"<table><tr><td>{ONE}<td>2<td>3<tr><td>4</table>", [["3", "2", ONE], ["", "", "4"]]),
        (
            f"<table><thead><tr><th>{ONE}<th>2<tbody><tr><td>3<td>4</table>",
            [["2", ONE], ["4", "3"]],
        ),
    ],
)
def test_a_table_has_the_direction_of_the_page_or_of_its_first_letter(
    page: str, turned: list[list[str]]
) -> None:
    assert rows(mirror_tables(sanitize(page))) == turned


def test_nested_tables_have_their_own_directions() -> None:
    inner = f"<table><tr><td>{ONE}</td><td>{TWO}</td></tr></table>"
    made = mirror_tables(f"<table><tr><td>a{inner}</td><td>b</td></tr></table>{inner}")
    assert [made.index(sign) for sign in ("<td>a", TWO, ONE, "<td>b")] == sorted(
        made.index(sign) for sign in ("<td>a", TWO, ONE, "<td>b")
    )
    assert re.findall(r'dir="(...)"', made) == ["ltr", "rtl", "rtl"]
    numbers = mirror_tables(
        f"<table><tr><td>{ONE}<table><tr><td>1</td><td>2</td></tr></table></td></tr></table>"
    )
    assert numbers.index(">2<") < numbers.index(">1<"), (
        "without a letter of its own it runs as the one around it"
    )


def test_wide_cells_keep_their_width_and_are_counted_in_short_rows() -> None:
    made = mirror_tables(
        f'<table><tr><td colspan="2">{ONE}</td><td>2</td></tr><tr><td colspan="2">3</td></tr></table>'
    )
    assert made == (
        f'<table dir="rtl" width="100%"><tr><td>2</td><td colspan="2">{ONE}</td></tr><tr><td></td><td colspan="2">3</td></tr></table>'
    )


@pytest.mark.parametrize(
    "html",
    ["", f"<p>{ONE}</p>", LATIN, f"<p>{ONE} &lt;table", "<table", f"{ONE}</td></tr></table></p>"],
)
def test_text_without_such_tables_is_unchanged(html: str) -> None:
    assert mirror_tables(html) == html


def test_a_latin_table_in_hebrew_text_keeps_its_order() -> None:
    assert rows(mirror_tables(f"<p>{ONE}</p>{LATIN}")) == [["a", "b"]]
