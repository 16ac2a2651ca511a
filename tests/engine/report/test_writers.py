"""Tests of report files: formats, atomic writing, and copied tables."""

import csv
import io
import os
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from irjudge.errors import Cancelled, IrjudgeError
from irjudge.evaluation import evaluate_runs, parse_measures
from irjudge.formats.rows import unescape_formula
from irjudge.message import escape_control_characters
from irjudge.model import make_qrels, make_run
from irjudge.progress import Progress
from irjudge.report import (
    COPY_FORMATS,
    PrintedTable,
    build_report,
    collect_report_content,
    format_table,
    write_report,
)
from irjudge.report.writers import (
    REPORT_WRITERS,
    escape_markdown,
    markdown_lines,
    markdown_table_lines,
    spreadsheet_warnings,
    write_long_form,
)
from tests.engine.report.three_runs import HOSTILE, evaluate_hostile_names, evaluate_three_runs


def rows_of(path: Path) -> list[list[str]]:
    with path.open(encoding="utf-8", errors="surrogateescape", newline="") as file:
        return list(csv.reader(file))


def test_every_id_and_value_reads_back(tmp_path):
    table, path = evaluate_hostile_names(), tmp_path / "r.csv"
    write_long_form(path, table)
    header, *rows = rows_of(path)
    assert header == ["run", "measure", "topic", "value"] and not path.read_bytes().startswith(
        b"\xef\xbb\xbf"
    )
    back = [
        (unescape_formula(run), measure, unescape_formula(topic), float(value))
        for run, measure, topic, value in rows
    ]
    assert back == list(table.rows(per_topic=True))
    assert {unescape_formula(row[0]) for row in rows} == set(HOSTILE)


def test_a_run_name_of_undecodable_bytes_keeps_them(tmp_path):
    name = os.fsdecode(b"run\xff")
    table = evaluate_runs(
        make_qrels([("1", "a", 1)]), [make_run(name, [("1", "a", 1.0)])], parse_measures(["AP"])
    )
    write_long_form(tmp_path / "r.csv", table)
    assert b"run\xff,AP,1,1.0\n" in (tmp_path / "r.csv").read_bytes()


def test_ids_that_a_spreadsheet_would_change_are_named_once():
    formulas, numbers = spreadsheet_warnings(
        ["=1+1", "@x", "+1", "-1", "=1+1", "\tx", "301", "007", "1e5", "d-1", "a=b"]
    )
    assert " 3 ids " in formulas and ": =1+1, @x, \\tx." in formulas
    assert " 2 ids " in numbers and ": 007, 1e5." in numbers
    assert spreadsheet_warnings(["301", "bm25", "0", "2.5"]) == ()


def test_a_cancelled_report_keeps_the_old_file(tmp_path):
    path = tmp_path / "r.csv"
    path.write_text("before")
    with pytest.raises(Cancelled):
        write_long_form(path, evaluate_three_runs(), Progress(cancelled=lambda: True))
    assert path.read_text() == "before" and [each.name for each in tmp_path.iterdir()] == ["r.csv"]


READER = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
WORDS = st.text(st.characters(exclude_categories=["Cs", "Cc", "Z"]), max_size=15)


class Cells(HTMLParser):
    """Parser that collects the texts of each cell, and the tags."""

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
def test_any_cell_is_read_back_equal(rows: list[tuple[str, str]]) -> None:
    result = read(
        "\n".join(markdown_table_lines(PrintedTable(("a", "b"), (False, False), tuple(rows))))
    )
    assert [[cell.strip() for cell in row] for row in result.rows[1:]] == [
        list(row) for row in rows
    ]
    assert result.tags <= {"table", "thead", "tbody", "tr", "th", "td"}


@given(WORDS)
def test_a_note_is_escaped_too(text: str) -> None:
    assert not read(f"x{escape_markdown(text)}").tags - {"p"}


def test_best_values_are_bold_and_significant_ones_have_a_dagger():
    lines = list(markdown_lines(build_report(evaluate_three_runs("AP"))))
    row = next(line for line in lines if line.startswith("| good"))
    assert row == "| good | **1.0000** |"
    assert next(line for line in lines if line.startswith("| poorer")).endswith("† |")
    assert "| --- | ---: |" in lines and lines[0].startswith("# Evaluation of 3 runs, ")


def test_hostile_names_are_unchanged_in_the_report():
    summary = read(
        "\n".join(markdown_lines(build_report(evaluate_hostile_names()))).split("## ")[1]
    )
    assert [row[0].strip() for row in summary.rows[1:]] == [
        escape_control_characters(name).strip() for name in HOSTILE
    ]


# two file extensions may mean the same format
ENDINGS = [*{lines: ending for ending, lines in REPORT_WRITERS.items()}.values(), ".csv"]


def test_all_extensions_of_a_format_are_accepted() -> None:
    assert REPORT_WRITERS[".htm"] is REPORT_WRITERS[".html"]


@pytest.fixture(
    scope="module",
    params=[
        pytest.param(each, marks=pytest.mark.slow if each == ".htm" else ()) for each in ENDINGS
    ],
)
def report_and_steps(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, list[str]]:
    """Return a report in each format, and the reported progress steps."""
    path = tmp_path_factory.mktemp("report") / f"report{request.param}"
    table = evaluate_three_runs("AP P@5")
    steps = []
    write_report(
        path,
        table,
        collect_report_content(table, {}, {"Qrels": "judged.txt"}),
        Progress(lambda done, total, what: steps.append(what)),
    )
    return path, steps


def test_every_format_has_the_mean_of_every_run(report_and_steps: tuple[Path, list[str]]) -> None:
    path, _ = report_and_steps
    text = path.read_text(encoding="utf-8")
    for run in evaluate_three_runs("AP P@5").runs:
        assert (
            run.run in text
            and (str(run.summary[0]) if path.suffix == ".csv" else f"{run.summary[0]:.4f}") in text
        )
    assert path.suffix == ".csv" or "judged.txt" in text
    assert not text.startswith("\ufeff")


@pytest.mark.slow
def test_cancelling_at_the_last_step_keeps_the_old_file(
    report_and_steps: tuple[Path, list[str]], tmp_path: Path
) -> None:
    (path, steps), table = report_and_steps, evaluate_three_runs("AP P@5")
    target, asked = tmp_path / path.name, iter(range(len(steps) + 1))
    target.write_text("before")
    with pytest.raises(Cancelled):
        write_report(
            target,
            table,
            collect_report_content(table, {}, {"Qrels": "judged.txt"}),
            Progress(cancelled=lambda: next(asked) == len(steps) - 1),
        )
    assert target.read_text() == "before" and [each.name for each in tmp_path.iterdir()] == [
        target.name
    ]


def test_a_missing_folder_is_reported(tmp_path):
    with pytest.raises(IrjudgeError, match=r"the folder .* does not exist"):
        write_report(tmp_path / "none" / "r.md", evaluate_three_runs("AP"))


TABLE = PrintedTable(
    ("run", "AP"),
    (False, True),
    (("a|b & <c>", "-0.5000"), ("tab\\t", "0.2500")),
    frozenset({(1, 1)}),
)


def test_a_copied_table_reads_back_from_text_and_csv():
    for form, between in (("text", "\t"), ("csv", ",")):
        assert list(csv.reader(io.StringIO(format_table(TABLE, form)), delimiter=between)) == [
            ["run", "AP"],
            *map(list, TABLE.rows),
        ]


def test_a_copied_table_is_escaped_for_its_format():
    copied = {form: format_table(TABLE, form) for form in COPY_FORMATS}
    assert (
        r"| a\|b \& \<c\> | -0.5000 |" in copied["markdown"] and "**0.2500**" in copied["markdown"]
    )
    assert (
        r"a\textbar{}b \& \textless{}c\textgreater{} & $-$0.5000 \\" in copied["latex"]
        and r"\textbf{0.2500}" in copied["latex"]
    )
    assert "<td>a|b &amp; &lt;c&gt;</td>" in copied["html"] and 'class="n best"' in copied["html"]
