"""The sheets of an evaluation: the means, the topics of each run, and all runs beside each other topic by topic."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from xlsxwriter.utility import xl_col_to_name

from irjudge.evaluation.table import TOP, Coverage, Evaluation
from irjudge.metrics.naming.names import Measure
from irjudge.progress import Progress
from irjudge.report.workbook.formulas import TopicTable, area, is_count, summary
from irjudge.report.workbook.sheets import Book, Cell, Formula, Kind, Sheet, WorkbookColumn, part_of, write_table

SUMMARY, PER_TOPIC, BY_TOPIC = "Summary", "Per topic", "By topic"
RUN_NUMBER, ROW_NUMBER = "Run number", "Row number"
KEYS = tuple(WorkbookColumn(name, "whole", is_key=True) for name in (RUN_NUMBER, ROW_NUMBER))
TITLE = WorkbookColumn("Title")

# So many values stand beside each other at most: each is a formula, which every program that opens the workbook computes.
MOST_BESIDE = 100_000
LOW, HIGH = "#FFFFFF", "#7FB2E5"  # of the scale of colours


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
    CoverageColumn("Missing topics", "Topics of the qrels that the run lacks.", lambda coverage: coverage.missing),
    CoverageColumn("Topics without qrels", "Topics of the run that the qrels lack.", lambda coverage: coverage.unjudged_topics),
    CoverageColumn(
        "Without relevant",
        "Averaged topics without a relevant document; they score 0.",
        lambda coverage: coverage.without_relevant,
    ),
    CoverageColumn(
        f"Unjudged in top {TOP}",
        f"Share of unjudged documents among the first {TOP} of all averaged topics.",
        lambda coverage: coverage.unjudged_top,
        "share",
    ),
    CoverageColumn("Tied documents", "Documents of the run that share their score with another.", lambda coverage: coverage.tied),
)


def kind_of(measure: Measure) -> Kind:
    """Return how the values of a measure are shown."""
    return "whole" if is_count(measure) else "number"


def topic_table(evaluation: Evaluation, name: str = PER_TOPIC, *, titled: bool = False) -> TopicTable:
    """Return where the values of an evaluation stand that `write_topics` writes."""
    return TopicTable(name, 2 + titled, len(evaluation.measures), sum(len(run.topics) for run in evaluation.runs))


def write_summary(book: Book, evaluation: Evaluation, table: TopicTable) -> None:
    """Write a row for each run, its means as formulas over the sheet Per topic."""
    measures = [WorkbookColumn(each.name, kind_of(each)) for each in evaluation.measures]
    rest = [WorkbookColumn(each.title, each.kind) for each in COVERAGE]
    sheet = Sheet(book, SUMMARY, [WorkbookColumn("Run"), *measures, *rest, KEYS[0]], frozen=1)
    number = xl_col_to_name(1 + len(measures) + len(rest), col_abs=True)
    for row, run in enumerate(evaluation.runs, 1):
        cell = f"{number}{row + 1}"
        values = [summary(evaluation, table, place, cell, len(run.topics), value) for place, value in enumerate(run.summary.tolist())]
        topics = Formula(f"={table.count(cell)}", run.coverage.topics)
        sheet.add([run.run, *values, topics, *(each.value(run.coverage) for each in COVERAGE if each is not TOPICS), row])
    sheet.finish()


def write_topics(book: Book, evaluation: Evaluation, table: TopicTable, titles: Mapping[str, str], progress: Progress) -> None:
    """Write a row for each run and topic, with the values of all measures and the keys of the formulas over them."""
    measures = [WorkbookColumn(each.name, kind_of(each)) for each in evaluation.measures]
    columns = [WorkbookColumn("Run"), WorkbookColumn("Topic"), *title_column(titles), *measures, *KEYS]
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


# All runs beside each other


@dataclass(frozen=True, slots=True)
class ByTopicSheet:
    """The sheet By topic: a row for each topic, and a column for each measure and run."""

    measures: tuple[int, ...]  # the places of its measures in the evaluation
    runs: int  # their number; the columns of a measure stand together, in the order of the runs
    topics: tuple[str, ...]  # all topics, a row each
    first: int  # column of the first value, from 0

    def column(self, measure: int, run: int) -> int:
        """Return the column of a measure, by its place in the evaluation, and of a run."""
        return self.first + self.measures.index(measure) * self.runs + run

    def area(self, measure: int, run: int) -> str:
        """Return the cells of such a column."""
        return area(BY_TOPIC, xl_col_to_name(self.column(measure, run), col_abs=True), 1 + len(self.topics))


def beside(evaluation: Evaluation, *, titled: bool = False) -> ByTopicSheet:
    """Return what the sheet By topic shows: as many of the measures that are averaged as there is room for, from the first on."""
    values = max(1, sum(len(run.topics) for run in evaluation.runs))
    averaged = [place for place, measure in enumerate(evaluation.measures) if not is_count(measure)]
    return ByTopicSheet(tuple(averaged[: MOST_BESIDE // values]), len(evaluation.runs), evaluation.topics, 1 + titled)


def write_beside(
    book: Book, evaluation: Evaluation, shown: ByTopicSheet, table: TopicTable, titles: Mapping[str, str], progress: Progress
) -> None:
    """Write a row for each topic with the values of all runs, as formulas that find them on the sheet Per topic."""
    averaged = [measure for measure in evaluation.measures if not is_count(measure)]
    if left := [measure.name for measure in averaged[len(shown.measures) :]]:
        what = ", ".join(left) if shown.measures else "the sheet"
        book.left_out.append(f"{BY_TOPIC} holds {MOST_BESIDE:,} values at most and leaves out {what}.")
    if not shown.measures or not shown.topics:
        return
    names = [f"{evaluation.measures[place].name}, {run.run}" for place in shown.measures for run in evaluation.runs]
    columns = [WorkbookColumn("Topic"), *title_column(titles), *(WorkbookColumn(name, "number") for name in names)]
    rows = _beside_rows(evaluation, shown, table, titles)
    sheet = write_table(book, BY_TOPIC, columns, rows, progress, frozen=shown.first, total=len(shown.topics))
    for measure in shown.measures:
        block = (1, shown.column(measure, 0), len(shown.topics), shown.column(measure, shown.runs - 1))
        sheet.conditional_format(*block, {"type": "2_color_scale", "min_color": LOW, "max_color": HIGH})


def _beside_rows(evaluation: Evaluation, shown: ByTopicSheet, table: TopicTable, titles: Mapping[str, str]) -> Iterator[Sequence[Cell]]:
    begin, places = 1, []
    for run in evaluation.runs:
        places.append({topic: (begin + at, at) for at, topic in enumerate(run.topics)})
        begin += len(run.topics)
    finders = {measure: table.finders(measure) for measure in shown.measures}
    for topic in shown.topics:
        cells: list[Cell] = []
        for measure in shown.measures:
            for run, place in zip(evaluation.runs, places, strict=True):
                row, at = place.get(topic, (0, 0))
                text = finders[measure][part_of(row)].replace("{row}", str(row)) if row else ""
                cells.append(Formula(text, float(run.values[measure, at])) if row else None)
        yield topic, *title(titles, topic), *cells
