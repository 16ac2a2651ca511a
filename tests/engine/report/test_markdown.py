"""Tables in Markdown: a reader of Markdown gets back every cell as it was."""

from html.parser import HTMLParser

from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from irjudge.report.contents import report_of
from irjudge.report.markdown import escaped, markdown_lines, table_lines
from irjudge.report.printed import Printed
from irjudge.text.visible import visible
from tests.engine.report.three_runs import HOSTILE, evaluated, hostile

READER = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
WORDS = st.text(st.characters(exclude_categories=["Cs", "Cc", "Z"]), max_size=15)


class Cells(HTMLParser):
    """Collects the words of each cell, and the tags that are met."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: list[list[str]] = []
        self.tags: set[str] = set()

    def handle_starttag(self, tag: str, _attributes: object) -> None:
        self.tags.add(tag)
        if tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th"):
            self.rows[-1].append("")

    def handle_data(self, data: str) -> None:
        if self.rows and self.rows[-1]:
            self.rows[-1][-1] += data


def read(text: str) -> Cells:
    cells = Cells()
    cells.feed(READER.render(text))
    return cells


@given(st.lists(st.tuples(WORDS, WORDS), min_size=1, max_size=4))
def test_any_cell_reads_back_as_it_was(rows: list[tuple[str, str]]) -> None:
    found = read("\n".join(table_lines(Printed(("a", "b"), (False, False), tuple(rows)))))
    assert [[cell.strip() for cell in row] for row in found.rows[1:]] == [list(row) for row in rows]
    assert found.tags <= {"table", "thead", "tbody", "tr", "th", "td"}


@given(WORDS)
def test_a_note_is_text_too(text: str) -> None:
    assert not read(f"x{escaped(text)}").tags - {"p"}


def test_the_best_is_bold_and_significance_a_dagger():
    lines = list(markdown_lines(report_of(evaluated("AP"))))
    row = next(line for line in lines if line.startswith("| good"))
    assert row == "| good | **1.0000** |"
    assert next(line for line in lines if line.startswith("| poorer")).endswith("† |")
    assert "| --- | ---: |" in lines and "# Evaluation of 3 runs" in lines


def test_hostile_names_stand_in_the_report_as_they_are():
    summary = read("\n".join(markdown_lines(report_of(hostile()))).split("## ")[1])
    assert [row[0].strip() for row in summary.rows[1:]] == [visible(name).strip() for name in HOSTILE]
