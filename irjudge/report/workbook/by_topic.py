"""The sheet By topic: all runs beside each other, a row for each topic."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from xlsxwriter.utility import xl_col_to_name

from irjudge.evaluation.table import Evaluation
from irjudge.progress import Progress
from irjudge.report.workbook.evaluation import title, title_column
from irjudge.report.workbook.formulas import TopicTable, area, is_count
from irjudge.report.workbook.sheet_writer import (
    Book,
    Cell,
    Formula,
    WorkbookColumn,
    part_of,
    write_table,
)

BY_TOPIC = "By topic"
# So many values stand beside each other at most: each is a formula, which every program that opens the workbook computes.
MOST_BESIDE = 100_000
LOW, HIGH = "#FFFFFF", "#7FB2E5"  # of the scale of colours


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
        return area(
            BY_TOPIC, xl_col_to_name(self.column(measure, run), col_abs=True), 1 + len(self.topics)
        )


def beside(evaluation: Evaluation, *, titled: bool = False) -> ByTopicSheet:
    """Return what the sheet By topic shows: as many of the measures that are averaged as there is room for, from the first on."""
    values = max(1, sum(len(run.topics) for run in evaluation.runs))
    averaged = [place for place, measure in enumerate(evaluation.measures) if not is_count(measure)]
    return ByTopicSheet(
        tuple(averaged[: MOST_BESIDE // values]),
        len(evaluation.runs),
        evaluation.topics,
        1 + titled,
    )


def write_beside(
    book: Book,
    evaluation: Evaluation,
    shown: ByTopicSheet,
    table: TopicTable,
    titles: Mapping[str, str],
    progress: Progress,
) -> None:
    """Write a row for each topic with the values of all runs, as formulas that find them on the sheet Per topic."""
    averaged = [measure for measure in evaluation.measures if not is_count(measure)]
    if left := [measure.name for measure in averaged[len(shown.measures) :]]:
        what = ", ".join(left) if shown.measures else "the sheet"
        book.left_out.append(
            f"{BY_TOPIC} holds {MOST_BESIDE:,} values at most and leaves out {what}."
        )
    if not shown.measures or not shown.topics:
        return
    names = [
        f"{evaluation.measures[place].name}, {run.run}"
        for place in shown.measures
        for run in evaluation.runs
    ]
    columns = [
        WorkbookColumn("Topic"),
        *title_column(titles),
        *(WorkbookColumn(name, "number") for name in names),
    ]
    rows = _beside_rows(evaluation, shown, table, titles)
    sheet = write_table(
        book, BY_TOPIC, columns, rows, progress, frozen=shown.first, total=len(shown.topics)
    )
    for measure in shown.measures:
        block = (
            1,
            shown.column(measure, 0),
            len(shown.topics),
            shown.column(measure, shown.runs - 1),
        )
        sheet.conditional_format(
            *block, {"type": "2_color_scale", "min_color": LOW, "max_color": HIGH}
        )


def _beside_rows(
    evaluation: Evaluation, shown: ByTopicSheet, table: TopicTable, titles: Mapping[str, str]
) -> Iterator[Sequence[Cell]]:
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
