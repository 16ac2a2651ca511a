"""The sheets of an evaluation: Summary with the means, and Per topic with the topics of each run."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from xlsxwriter.utility import xl_col_to_name

from irjudge.evaluation.table import COVERAGE_DEPTH, Coverage, Evaluation
from irjudge.metrics.naming.names import Measure
from irjudge.progress import Progress
from irjudge.report.workbook.formulas import TopicTable, is_count, summary
from irjudge.report.workbook.sheet_writer import (
    Book,
    Cell,
    Formula,
    Kind,
    Sheet,
    WorkbookColumn,
    write_table,
)

SUMMARY, PER_TOPIC = "Summary", "Per topic"
RUN_NUMBER, ROW_NUMBER = "Run number", "Row number"
KEYS = tuple(WorkbookColumn(name, "whole", is_key=True) for name in (RUN_NUMBER, ROW_NUMBER))
TITLE = WorkbookColumn("Title")


@dataclass(frozen=True, slots=True)
class CoverageColumn:
    """A column of the Summary that says what the means rest on."""

    title: str
    meaning: str
    value: Callable[[Coverage], int | float]
    kind: Kind = "whole"


TOPICS = CoverageColumn("Topics", "Topics averaged.", lambda coverage: coverage.topics)
COVERAGE = (
    TOPICS,
    CoverageColumn(
        "Missing topics",
        "Topics of the qrels that the run lacks.",
        lambda coverage: coverage.missing,
    ),
    CoverageColumn(
        "Topics without qrels",
        "Topics of the run that the qrels lack.",
        lambda coverage: coverage.unjudged_topics,
    ),
    CoverageColumn(
        "Without relevant",
        "Averaged topics without a relevant document; they score 0.",
        lambda coverage: coverage.without_relevant,
    ),
    CoverageColumn(
        f"Unjudged in top {COVERAGE_DEPTH}",
        f"Share of unjudged documents among the first {COVERAGE_DEPTH} of all averaged topics.",
        lambda coverage: coverage.unjudged_top,
        "share",
    ),
    CoverageColumn(
        "Tied documents",
        "Documents of the run that share their score with another.",
        lambda coverage: coverage.tied,
    ),
)


def kind_of(measure: Measure) -> Kind:
    """Return how the values of a measure are shown."""
    return "whole" if is_count(measure) else "number"


def topic_table(
    evaluation: Evaluation, name: str = PER_TOPIC, *, titled: bool = False
) -> TopicTable:
    """Return where the values of an evaluation stand that `write_topics` writes."""
    return TopicTable(
        name, 2 + titled, len(evaluation.measures), sum(len(run.topics) for run in evaluation.runs)
    )


def write_summary(book: Book, evaluation: Evaluation, table: TopicTable) -> None:
    """Write a row for each run, its means as formulas over the sheet Per topic."""
    measures = [WorkbookColumn(each.name, kind_of(each)) for each in evaluation.measures]
    rest = [WorkbookColumn(each.title, each.kind) for each in COVERAGE]
    sheet = Sheet(book, SUMMARY, [WorkbookColumn("Run"), *measures, *rest, KEYS[0]], frozen=1)
    number = xl_col_to_name(1 + len(measures) + len(rest), col_abs=True)
    for row, run in enumerate(evaluation.runs, 1):
        cell = f"{number}{row + 1}"
        values = [
            summary(evaluation, table, place, cell, len(run.topics), value)
            for place, value in enumerate(run.summary.tolist())
        ]
        topics = Formula(f"={table.count(cell)}", run.coverage.topics)
        sheet.add(
            [
                run.run,
                *values,
                topics,
                *(each.value(run.coverage) for each in COVERAGE if each is not TOPICS),
                row,
            ]
        )
    sheet.finish()


def write_topics(
    book: Book,
    evaluation: Evaluation,
    table: TopicTable,
    titles: Mapping[str, str],
    progress: Progress,
) -> None:
    """Write a row for each run and topic, with the values of all measures and the keys of the formulas over them."""
    measures = [WorkbookColumn(each.name, kind_of(each)) for each in evaluation.measures]
    columns = [
        WorkbookColumn("Run"),
        WorkbookColumn("Topic"),
        *title_column(titles),
        *measures,
        *KEYS,
    ]
    rows = _topic_rows(evaluation, titles)
    write_table(book, table.name, columns, rows, progress, frozen=2, total=table.rows)


def _topic_rows(evaluation: Evaluation, titles: Mapping[str, str]) -> Iterator[Sequence[Cell]]:
    row = 0
    for number, run in enumerate(evaluation.runs, 1):
        for topic, values in zip(run.topics, run.values.T.tolist(), strict=True):
            row += 1
            yield run.run, topic, *title(titles, topic), *values, number, row


def title_column(titles: Mapping[str, str]) -> list[WorkbookColumn]:
    """Return the column of the topics' titles; none where no title is known."""
    return [TITLE] if titles else []


def title(titles: Mapping[str, str], topic: str) -> list[str]:
    """Return the cell of `title_column`."""
    return [titles.get(topic, "")] if titles else []
