"""Tests of the HTML report: self-contained, and safe for any name of a run."""

import re
from html.parser import HTMLParser

from irjudge.message import escape_control_characters
from irjudge.report import PrintedTable, build_report, html_lines
from irjudge.report.contents import summary_table
from irjudge.report.writers import FigureSvg, table_lines
from tests.engine.report.three_runs import HOSTILE, evaluate_hostile_names, evaluate_three_runs

VOID = {"meta", "img", "source", "link", "br"}


class Page(HTMLParser):
    """Parser that collects tables, tags and references, and checks that tags are closed."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.met: list[str] = []
        self.refers: list[str] = []
        self.tables: list[list[list[str]]] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.met.append(tag)
        self.refers += [
            value or ""
            for name, value in attributes
            if name in ("src", "href", "srcset", "data", "action")
        ]
        self.open += [] if tag in VOID else [tag]
        if tag == "table":
            self.tables.append([])
        elif tag == "tr":
            self.tables[-1].append([])
        elif tag in ("td", "th"):
            self.tables[-1][-1].append("")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if {"td", "th"} & set(self.open):
            self.tables[-1][-1][-1] += data


def page(evaluation=None, pictures=()) -> Page:
    return Page(
        "\n".join(html_lines(build_report(evaluation or evaluate_three_runs("AP P@5")), pictures))
    )


def test_the_tables_have_the_values_of_the_engine():
    report, table = page(), evaluate_three_runs("AP P@5")
    assert report.tables[0][0] == ["Run", "AP", "P@5"]
    for run, row in zip(table.runs, report.tables[0][1:], strict=True):
        assert [row[0], *(cell.removesuffix("†") for cell in row[1:])] == [
            run.run,
            *(f"{value:.4f}" for value in run.summary),
        ]
    assert report.open == []


def test_best_and_significant_values_are_marked_as_in_the_summary():
    made = "\n".join(table_lines(summary_table(evaluate_three_runs("AP")).format_rows()))
    assert '<td>good</td><td class="n best">1.0000</td>' in made
    assert len(re.findall(r"<sup>†</sup>", made)) == 2


def test_names_of_runs_and_topics_are_escaped():
    report = page(evaluate_hostile_names())
    assert "script" not in report.met
    assert [row[0] for row in report.tables[0][1:]] == [
        escape_control_characters(name) for name in HOSTILE
    ]
    topics = next(table for table in report.tables if table[0][0] == "Topic")
    assert topics[0][1:] == [escape_control_characters(name) for name in HOSTILE] and [
        row[0] for row in topics[1:]
    ] == [escape_control_characters(name) for name in HOSTILE]


def test_the_page_loads_nothing_and_has_no_scripts():
    picture = FigureSvg("A <figure>", 'a "caption"', b"<svg>light</svg>", b"<svg>dark</svg>")
    text = "\n".join(html_lines(build_report(evaluate_three_runs("AP")), [picture]))
    parsed_page = Page(text)
    assert len(parsed_page.refers) == 2 and all(
        each.startswith("data:image/svg+xml;base64,") for each in parsed_page.refers
    )
    assert (
        not {"script", "link", "iframe", "object"} & set(parsed_page.met)
        and "url(" not in text
        and "@import" not in text
    )
    assert (
        "default-src 'none'" in text
        and "(prefers-color-scheme: dark)" in text
        and "@media print" in text
    )


def test_results_are_open_and_reference_sections_are_folded():
    report = page()
    assert (
        report.met.count("details") == report.met.count("summary") == 3
    )  # two measures by topic, and the legend
    assert (
        report.met.count("section") == 4
    )  # summary, coverage, settings, how the numbers were made


def test_a_negative_number_has_a_minus_sign_and_an_id_its_hyphen():
    made = "\n".join(
        table_lines(PrintedTable(("run", "value"), (False, True), (("-1", "-0.5000"),)))
    )
    assert '<td>-1</td><td class="n">−0.5000</td>' in made
