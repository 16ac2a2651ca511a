"""Sheets of workbooks: values, comparisons, agreement, judgments, norming rounds, worked example."""

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

from xlsxwriter.utility import xl_col_to_name

from irjudge.evaluation import (
    COVERAGE_DEPTH,
    MIN_GEOMETRIC_VALUE,
    PAIRED_TEST,
    PARTS,
    ComparedPair,
    Comparison,
    Coverage,
    Evaluation,
    OrderingPair,
    Policy,
    PreferenceResults,
    evaluate_topic,
    is_total_of_grades_above_0,
    ordering_rows,
)
from irjudge.judging import AdjudicatedGrade, Marks, NormingSession, RoundDocument
from irjudge.metrics import (
    AVERAGE_PRECISION_SHEET,
    CUMULATIVE_GAIN_SHEET,
    PRECISION_SHEET,
    ExampleTopic,
    Measure,
    SheetColumn,
    SheetGain,
    WorksheetData,
    parse_measure_name,
)
from irjudge.model import (
    UNJUDGEABLE,
    Event,
    PageSeen,
    Pool,
    Qrels,
    Rationale,
    Run,
    format_rationales,
    topic_of_each_row,
)
from irjudge.progress import Progress
from irjudge.report.tables import Cell
from irjudge.report.workbook.sheet_writer import (
    Formula,
    Kind,
    SheetCell,
    SheetWriter,
    WorkbookColumn,
    WorkbookWriter,
    set_print_layout,
    sheet_index,
    table_sheets,
    write_formula,
    write_table,
)
from irjudge.stats import TIE_TOLERANCE
from irjudge.stats.agreement import AgreementEstimate

# Formulas that refer to a sheet with a row for each run and topic. They remain valid if its rows
# are sorted differently.


@dataclass(frozen=True, slots=True)
class TopicTable:
    """Layout of the table with a row for each run and topic, and formulas that refer to it.

    Each row has values and, in the next two columns, the number of the run and the number of the
    row, both from 1. Rows are numbered across all sheets: a table with too many rows continues on
    further sheets. Formulas use these numbers as keys instead of names, because Excel's criteria
    treat `*` as a wildcard and 007 as 7.
    """

    name: str  # name of the first sheet
    first_column: int  # column of the first value, from 0
    values: int  # number of values in a row
    rows: int  # number of rows on all sheets, without headings

    def cell_ranges(self, index: int) -> list[str]:
        """Return the cell range of a column on each sheet.

        `index` is the index of a value in a row. The two columns of keys have the next two indexes.
        """
        column = xl_col_to_name(self.first_column + index, col_abs=True)
        return [
            column_range(sheet.sheet, column, sheet.last)
            for sheet in table_sheets(self.name, self.rows)
        ]

    @property
    def run_number_ranges(self) -> list[str]:
        """Cell range of the run numbers on each sheet."""
        return self.cell_ranges(self.values)

    @property
    def row_number_ranges(self) -> list[str]:
        """Cell range of the row numbers on each sheet."""
        return self.cell_ranges(self.values + 1)

    def count_formula(self, run: str) -> str:
        """Return the formula for the number of a run's topics.

        `run` is the number of the run, or the cell that contains this number.
        """
        return "+".join(f"COUNTIFS({numbers},{run})" for numbers in self.run_number_ranges)

    def sum_formula(self, index: int, run: str) -> str:
        """Return the formula for the sum of a run's values in a column; see `count_formula`."""
        return "+".join(
            f"SUMIFS({values},{numbers},{run})"
            for values, numbers in zip(self.cell_ranges(index), self.run_number_ranges, strict=True)
        )

    def mean_formula(self, index: int, run: str, topics: int) -> str:
        """Return the formula for the mean of a run's values in a column.

        `topics` is the number of the run's topics; the mean is 0 if there are none.
        """
        values, numbers = self.cell_ranges(index), self.run_number_ranges
        if len(values) == 1 and topics:
            return f"AVERAGEIFS({values[0]},{numbers[0]},{run})"
        return f"({self.sum_formula(index, run)})/MAX(1,{self.count_formula(run)})"

    def geometric_mean_formula(self, index: int, run: str, floor: float = 0.0) -> str:
        """Return the formula for the geometric mean of a run's values in a column.

        Values below `floor` are replaced with `floor`.
        """
        summands = []
        for values, numbers in zip(self.cell_ranges(index), self.run_number_ranges, strict=True):
            floored_values = (
                f"({values}>={floor:g})*{values}+({values}<{floor:g})*{floor:g}"
                if floor
                else values
            )
            summands.append(f"SUMPRODUCT(({numbers}={run})*LN({floored_values}))")
        return f"EXP(({'+'.join(summands)})/({self.count_formula(run)}))"

    def median_formula(self, index: int, run: str) -> str:
        """Return the array formula for the median of a run's values in a column."""
        run_values = (
            f"IF({numbers}={run},{values})"
            for values, numbers in zip(self.cell_ranges(index), self.run_number_ranges, strict=True)
        )
        return f"MEDIAN({','.join(run_values)})"

    def lookup_formulas(self, index: int) -> list[str]:
        """Return, for each sheet, a template of the formula that looks up a value in a column.

        `{row}` in the template must be replaced with the number of the row.
        """
        cell_ranges = zip(self.cell_ranges(index), self.row_number_ranges, strict=True)
        return [f"=INDEX({values},MATCH({{row}},{numbers},0))" for values, numbers in cell_ranges]


def column_range(sheet: str, column: str, last: int) -> str:
    """Return the cell range of a column from below the heading to row `last`."""
    return f"'{sheet}'!{column}$2:{column}${max(2, last)}"


def summary_cell(
    evaluation: Evaluation, table: TopicTable, index: int, run: str, topics: int, value: float
) -> Formula | float:
    """Return the cell with a run's average by the measure at `index`.

    The cell is a formula. It is a number only if the average is computed from counts pooled over
    topics, or if a total is not the sum of the values of the topics.
    """
    measure, average = evaluation.measures[index], evaluation.policy.average
    if is_total_of_grades_above_0(measure, evaluation.policy):
        return value
    if is_count(measure):
        return Formula(f"={table.sum_formula(index, run)}", value)
    if measure.declaration.summary == "pooled":
        return value
    if measure.declaration.mean == "geometric" or average == "geometric":
        floor = 0.0 if measure.declaration.mean == "geometric" else MIN_GEOMETRIC_VALUE
        return Formula(
            f"={table.geometric_mean_formula(index, run, floor)}" if topics else "=0", value
        )
    if average == "median":
        return Formula(
            f"={table.median_formula(index, run)}" if topics else "=0", value, array=bool(topics)
        )
    return (
        value
        if average == "micro"
        else Formula(f"={table.mean_formula(index, run, topics)}", value)
    )


def is_count(measure: Measure) -> bool:
    """Return whether a measure is a count, which is summed over topics and not averaged."""
    return measure.declaration.summary == "sum"


@dataclass(frozen=True, slots=True)
class PairedColumns:
    """Two columns of values by topic on the sheet By topic, and formulas that compare them.

    A cell is empty if the run lacks the topic.
    """

    first: str  # cell range of the first column
    second: str  # cell range of the second column

    @property
    def topic_count_formula(self) -> str:
        """Formula for the number of topics for which both columns have a value."""
        return f"=SUMPRODUCT(ISNUMBER({self.first})*ISNUMBER({self.second}))"

    def mean_formulas(self, topics: str) -> Sequence[str]:
        """Return formulas for the means of the two columns over the topics with a value in each.

        `topics` is the cell with the number of these topics.
        """
        return (
            f"=SUMPRODUCT(--ISNUMBER({self.second}),{self.first})/{topics}",
            f"=SUMPRODUCT(--ISNUMBER({self.first}),{self.second})/{topics}",
        )

    def outcome_formulas(self, measure: Measure) -> Sequence[str]:
        """Return formulas for the numbers of topics on which the first run is better, equal, worse.

        Values are compared as in `count_outcomes`.
        """
        has_both = f"ISNUMBER({self.first})*ISNUMBER({self.second})"
        difference = f"{self.first}-{self.second}"
        is_better = f"({difference}>{TIE_TOLERANCE:g})"
        is_worse = f"({difference}<-{TIE_TOLERANCE:g})"
        if measure.direction < 0:
            is_better, is_worse = is_worse, is_better
        return tuple(
            f"=SUMPRODUCT({has_both}*{formula})"
            for formula in (is_better, f"(1-{is_better}-{is_worse})", is_worse)
        )


# Sheets of an evaluation: Summary with averages, and Per topic with values by run and topic

SUMMARY, PER_TOPIC = "Summary", "Per topic"
RUN_NUMBER, ROW_NUMBER = "Run number", "Row number"
KEY_COLUMNS = tuple(WorkbookColumn(name, "whole", is_key=True) for name in (RUN_NUMBER, ROW_NUMBER))
TITLE = WorkbookColumn("Title")


@dataclass(frozen=True, slots=True)
class CoverageColumn:
    """Declaration of a column of the sheet Summary: a count or share of topics or documents."""

    title: str  # heading
    meaning: str  # explanation of the column
    value: Callable[[Coverage], int | float]  # function that returns the value of a run
    kind: Kind = "whole"


TOPICS = CoverageColumn("Topics", "Topics averaged.", lambda coverage: coverage.topics)
COVERAGE = (
    TOPICS,
    CoverageColumn(
        "Missing topics",
        "Topics of the qrels missing from the run.",
        lambda coverage: coverage.missing,
    ),
    CoverageColumn(
        "Topics without qrels",
        "Topics of the run missing from the qrels.",
        lambda coverage: coverage.unjudged_topics,
    ),
    CoverageColumn(
        "Without relevant",
        "Topics without a relevant document, averaged with a score of 0.",
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
        "Documents of the run whose score is tied with another.",
        lambda coverage: coverage.tied,
    ),
)


def column_kind(measure: Measure) -> Kind:
    """Return the kind of column in which values of a measure are displayed."""
    return "whole" if is_count(measure) else "number"


def topic_table(
    evaluation: Evaluation, name: str = PER_TOPIC, *, has_titles: bool = False
) -> TopicTable:
    """Return the layout of the sheet that `write_topics` writes."""
    return TopicTable(
        name,
        2 + has_titles,
        len(evaluation.measures),
        sum(len(run.topics) for run in evaluation.runs),
    )


def write_summary(workbook: WorkbookWriter, evaluation: Evaluation, table: TopicTable) -> None:
    """Write the sheet Summary, with a row for each run.

    Averages are formulas that use the sheet Per topic.
    """
    measures = [
        WorkbookColumn(measure.name, column_kind(measure)) for measure in evaluation.measures
    ]
    coverage_columns = [WorkbookColumn(column.title, column.kind) for column in COVERAGE]
    sheet = SheetWriter(
        workbook,
        SUMMARY,
        [WorkbookColumn("Run"), *measures, *coverage_columns, KEY_COLUMNS[0]],
        frozen=1,
    )
    number = xl_col_to_name(1 + len(measures) + len(coverage_columns), col_abs=True)
    for row, run in enumerate(evaluation.runs, 1):
        cell = f"{number}{row + 1}"
        sheet.add(
            [
                run.run,
                *[
                    summary_cell(evaluation, table, index, cell, len(run.topics), value)
                    for index, value in enumerate(run.summary.tolist())
                ],
                Formula(f"={table.count_formula(cell)}", run.coverage.topics),
                *(column.value(run.coverage) for column in COVERAGE if column is not TOPICS),
                row,
            ]
        )
    sheet.finish()


def write_topics(
    workbook: WorkbookWriter,
    evaluation: Evaluation,
    table: TopicTable,
    titles: Mapping[str, str],
    progress: Progress,
) -> None:
    """Write the sheet Per topic, with a row for each run and topic.

    A row contains the values of all measures, and the keys that formulas use.
    """
    columns = [
        WorkbookColumn("Run"),
        WorkbookColumn("Topic"),
        *title_column(titles),
        *[WorkbookColumn(measure.name, column_kind(measure)) for measure in evaluation.measures],
        *KEY_COLUMNS,
    ]
    rows = _list_topic_rows(evaluation, titles)
    write_table(workbook, table.name, columns, rows, progress, frozen=2, total=table.rows)


def _list_topic_rows(
    evaluation: Evaluation, titles: Mapping[str, str]
) -> Iterator[Sequence[SheetCell]]:
    row = 0
    for number, run in enumerate(evaluation.runs, 1):
        for topic, values in zip(run.topics, run.values.T.tolist(), strict=True):
            row += 1
            yield run.run, topic, *title_cells(titles, topic), *values, number, row


def title_column(titles: Mapping[str, str]) -> list[WorkbookColumn]:
    """Return the declaration of the title column, as a list; empty if there are no titles."""
    return [TITLE] if titles else []


def title_cells(titles: Mapping[str, str], topic: str) -> list[str]:
    """Return a topic's cell in the title column, as a list; empty if there are no titles."""
    return [titles.get(topic, "")] if titles else []


# Sheet By topic: a row for each topic, with the runs next to each other

BY_TOPIC = "By topic"
# maximum number of values on the sheet By topic; each is a formula, and all formulas are computed
# when the workbook is opened
MAX_FORMULAS = 100_000
LOW_COLOUR, HIGH_COLOUR = "#FFFFFF", "#7FB2E5"  # colours of the lowest and the highest value


@dataclass(frozen=True, slots=True)
class ByTopicSheet:
    """Layout of the sheet By topic, which has a row for each topic.

    The sheet has a column for each pair of measure and run.
    """

    # index in the evaluation of each measure on the sheet; counts, and the last measures if there
    # are too many, are not on the sheet
    measures: tuple[int, ...]
    runs: int  # number of runs; the columns of a measure are adjacent, in the order of the runs
    topics: tuple[str, ...]  # topics of the evaluation, one row each
    first_column: int  # column of the first value, from 0

    def get_column(self, measure: int, run: int) -> int:
        """Return the number of a column, from 0; measure and run are indexes in the evaluation."""
        return self.first_column + self.measures.index(measure) * self.runs + run

    def cell_range(self, measure: int, run: int) -> str:
        """Return the cell range of a column; measure and run are indexes in the evaluation."""
        return column_range(
            BY_TOPIC,
            xl_col_to_name(self.get_column(measure, run), col_abs=True),
            1 + len(self.topics),
        )


def by_topic_sheet(evaluation: Evaluation, *, has_titles: bool = False) -> ByTopicSheet:
    """Return the layout of the sheet By topic.

    Measures that are counts are omitted. The last measures are omitted if there are too many
    formulas.
    """
    values = max(1, sum(len(run.topics) for run in evaluation.runs))
    averaged_indices = [
        index for index, measure in enumerate(evaluation.measures) if not is_count(measure)
    ]
    return ByTopicSheet(
        tuple(averaged_indices[: MAX_FORMULAS // values]),
        len(evaluation.runs),
        evaluation.topics,
        1 + has_titles,
    )


def write_by_topic(
    workbook: WorkbookWriter,
    evaluation: Evaluation,
    layout: ByTopicSheet,
    table: TopicTable,
    titles: Mapping[str, str],
    progress: Progress,
) -> None:
    """Write the sheet By topic, with a row for each topic.

    Cells are formulas that look up values on the sheet Per topic. Omitted measures are reported as
    a warning of the workbook.
    """
    averaged_measures = [measure for measure in evaluation.measures if not is_count(measure)]
    if omitted_names := [measure.name for measure in averaged_measures[len(layout.measures) :]]:
        omitted_text = ", ".join(omitted_names) if layout.measures else "the sheet"
        workbook.omissions.append(
            f"{BY_TOPIC} holds {MAX_FORMULAS:,} values at most and excludes {omitted_text}."
        )
    if not layout.measures or not layout.topics:
        return
    names = [
        f"{evaluation.measures[index].name}, {run.run}"
        for index in layout.measures
        for run in evaluation.runs
    ]
    columns = [
        WorkbookColumn("Topic"),
        *title_column(titles),
        *(WorkbookColumn(name, "number") for name in names),
    ]
    rows = _iter_by_topic_rows(evaluation, layout, table, titles)
    sheet = write_table(
        workbook,
        BY_TOPIC,
        columns,
        rows,
        progress,
        frozen=layout.first_column,
        total=len(layout.topics),
    )
    for measure in layout.measures:
        cell_area = (
            1,
            layout.get_column(measure, 0),
            len(layout.topics),
            layout.get_column(measure, layout.runs - 1),
        )
        sheet.conditional_format(
            *cell_area, {"type": "2_color_scale", "min_color": LOW_COLOUR, "max_color": HIGH_COLOUR}
        )


def _iter_by_topic_rows(
    evaluation: Evaluation, layout: ByTopicSheet, table: TopicTable, titles: Mapping[str, str]
) -> Iterator[Sequence[SheetCell]]:
    start, row_maps = 1, []
    for run in evaluation.runs:
        row_maps.append({topic: (start + index, index) for index, topic in enumerate(run.topics)})
        start += len(run.topics)
    lookup_formulas = {measure: table.lookup_formulas(measure) for measure in layout.measures}
    for topic in layout.topics:
        cells: list[SheetCell] = []
        for measure in layout.measures:
            for run, row_by_topic in zip(evaluation.runs, row_maps, strict=True):
                row, index = row_by_topic.get(topic, (0, 0))
                text = (
                    lookup_formulas[measure][sheet_index(row)].replace("{row}", str(row))
                    if row
                    else ""
                )
                cells.append(Formula(text, float(run.values[measure, index])) if row else None)
        yield topic, *title_cells(titles, topic), *cells


# Sheets of curves, by topic and averaged: precision over recall, and nDCG over rank

CURVES, CURVES_PER_TOPIC = "Curves", "Curves per topic"


@dataclass(frozen=True, slots=True)
class Curve:
    """Kind of curve on the sheets of curves: titles, and the measure of each point.

    `measure` is the name of the measure without cutoff or level; `points` are cutoffs or levels.
    """

    title: str  # title of the chart
    axis: str  # label of the horizontal axis
    height: str  # label of the vertical axis
    measure: str
    points: tuple[float, ...]
    logarithmic: bool = False  # whether the horizontal axis is logarithmic

    @property
    def names(self) -> list[str]:
        """Names of the measures, one for each point."""
        return [f"{self.measure}@{point:g}" for point in self.points]


CURVE_SHEETS = (
    Curve(
        "Precision–recall curve",
        "Recall",
        "Interpolated precision",
        "IPrec",
        tuple(level / 10 for level in range(11)),
    ),
    Curve(
        "nDCG over rank",
        "Rank",
        "nDCG",
        "nDCG",
        (1, 2, 3, 5, 10, 20, 30, 50, 100),
        logarithmic=True,
    ),
)


def curve_measures(policy: Policy) -> tuple[Measure, ...]:
    """Return the measures of all points of all curves, in the order of the sheets of curves."""
    return tuple(
        parse_measure_name(name, rel=policy.rel, profile=policy.profile)[0]
        for curve in CURVE_SHEETS
        for name in curve.names
    )


def curve_row(curve: int, point: int = 0) -> int:
    """Return the row of a point on the sheet Curves, from 0; curve and point are indexes."""
    return 1 + sum(len(sheet.points) for sheet in CURVE_SHEETS[:curve]) + point


def write_curves(
    workbook: WorkbookWriter, curves: Evaluation, titles: Mapping[str, str], progress: Progress
) -> None:
    """Write the sheet of averaged curves, then the sheet of curves by topic.

    The first sheet has a row for each point and a column for each run. Averages are formulas that
    use the second sheet.
    """
    table = topic_table(curves, CURVES_PER_TOPIC, has_titles=bool(titles))
    columns = [
        WorkbookColumn("Curve"),
        WorkbookColumn("At", "plain"),
        *(WorkbookColumn(run.run, "number") for run in curves.runs),
    ]
    write_table(workbook, CURVES, columns, _iter_mean_rows(curves, table), progress, frozen=2)
    write_topics(workbook, curves, table, titles, progress)


def _iter_mean_rows(curves: Evaluation, table: TopicTable) -> Iterator[Sequence[SheetCell]]:
    points = [(curve.title, point) for curve in CURVE_SHEETS for point in curve.points]
    for index, (name, point) in enumerate(points):
        means = (
            Formula(
                f"={table.mean_formula(index, str(number), len(run.topics))}",
                float(run.values[index].mean()) if run.topics else 0.0,
            )
            for number, run in enumerate(curves.runs, 1)
        )
        yield name, point, *means


# Sheets of results: comparisons, correlations, preferences and agreement

COMPARISONS = "Comparisons"
CORRELATIONS = "Correlations"
PREFERENCES = "Preferences"
AGREEMENT = "Agreement"

COMPARISON_COLUMNS = (
    WorkbookColumn("Measure"),
    WorkbookColumn("Run A"),
    WorkbookColumn("Run B"),
    WorkbookColumn("Topics", "whole"),
    WorkbookColumn("Mean A", "number"),
    WorkbookColumn("Mean B", "number"),
    WorkbookColumn("Difference", "number"),
    WorkbookColumn("Lower 95 %", "number"),
    WorkbookColumn("Upper 95 %", "number"),
    WorkbookColumn("Test"),
    WorkbookColumn("Statistic", "number"),
    WorkbookColumn("p", "probability"),
    WorkbookColumn("p adjusted", "probability"),
    WorkbookColumn("Effect size", "number"),
    WorkbookColumn("A better", "whole"),
    WorkbookColumn("Equal", "whole"),
    WorkbookColumn("B better", "whole"),
    WorkbookColumn("Detectable difference", "number"),
    WorkbookColumn("Topics needed", "whole"),
)
COMPARISON_MEANINGS = {
    "Topics": "Topics in both runs; the means are over these.",
    "Difference": "Mean A minus mean B.",
    "Lower 95 %": "Lower end of the interval of the difference.",
    "Upper 95 %": "Upper end of the interval.",
    "p": "Two-sided p-value: probability of a difference at least this large if the runs did not differ.",
    "p adjusted": "The same, corrected for the number of pairs.",
    "Effect size": "Mean of the topics' differences divided by their standard deviation.",
    "A better": "Topics on which run A has the better value: the higher one, or the lower one if lower is better."
    " Equal and B better likewise.",
    "Detectable difference": "Smallest true difference that these topics detect with 80 % power, by a paired t-test of this pair alone.",
    "Topics needed": "Number of topics that detect a true difference of the observed size with 80 % power. "
    "Empty if there is no difference, nothing varies, or a million are too few.",
}
CORRELATION_COLUMNS = (
    WorkbookColumn("Measure A"),
    WorkbookColumn("Measure B"),
    WorkbookColumn("Statistic"),
    WorkbookColumn("Runs", "whole"),
    WorkbookColumn("Value", "number"),
)
PREFERENCE_COLUMNS = (
    WorkbookColumn("Part"),
    WorkbookColumn("Topic"),
    WorkbookColumn("Assessor"),
    WorkbookColumn("First"),
    WorkbookColumn("Second"),
    WorkbookColumn("Statistic"),
    WorkbookColumn("Value", "number"),
    WorkbookColumn("Lower 95 %", "number"),
    WorkbookColumn("Upper 95 %", "number"),
    WorkbookColumn("p", "probability"),
    WorkbookColumn("Count", "whole"),
    WorkbookColumn("Of", "whole"),
)
AGREEMENT_COLUMNS = (
    WorkbookColumn("Of"),
    WorkbookColumn("Statistic"),
    WorkbookColumn("Scale"),
    WorkbookColumn("Items used", "whole"),
    WorkbookColumn("Items", "whole"),
    WorkbookColumn("Value", "number"),
    WorkbookColumn("Lower 95 %", "number"),
    WorkbookColumn("Upper 95 %", "number"),
    WorkbookColumn("Reason if undefined, or method"),
)
ALL_ITEMS = "all"


def write_comparisons(
    workbook: WorkbookWriter,
    evaluation: Evaluation,
    comparison: Comparison,
    layout: ByTopicSheet,
    progress: Progress,
) -> None:
    """Write the sheet of comparisons, with a row for each pair of runs, measure and test.

    Means, differences and counts are formulas that use the sheet By topic.
    """
    measures = {measure.name: index for index, measure in enumerate(evaluation.measures)}
    runs = {run.run: index for index, run in enumerate(evaluation.runs)}
    needed_topics = need_cells(comparison)

    def cells() -> Iterator[Sequence[SheetCell]]:
        for row, pair in enumerate(comparison.pairs, 2):
            measure = measures[pair.measure]
            paired_columns = PairedColumns(
                layout.cell_range(measure, runs[pair.run_a]),
                layout.cell_range(measure, runs[pair.run_b]),
            )
            yield (
                *_make_pair_cells(evaluation.measures[measure], pair, paired_columns, row),
                *needed_topics[pair.measure, pair.run_a, pair.run_b],
            )

    write_table(
        workbook,
        COMPARISONS,
        COMPARISON_COLUMNS,
        cells(),
        progress,
        frozen=3,
        total=len(comparison.pairs),
    )


def need_cells(
    comparison: Comparison,
) -> Mapping[tuple[str, str, str], tuple[float | None, int | None]]:
    """Return two cells of the power analysis for each measure and pair of runs.

    They are the detectable difference, and the number of topics needed to detect the observed
    difference. A cell is None if its value is unknown.
    """
    cells = {
        (need.measure, need.run_a, need.run_b): (need.seen, need.needed)
        for need in comparison.needs
        if need.test == PAIRED_TEST
    }
    return defaultdict(lambda: (None, None), cells)


def _make_pair_cells(
    measure: Measure, pair: ComparedPair, paired_columns: PairedColumns, row: int
) -> Sequence[SheetCell]:
    mean_a, mean_b = paired_columns.mean_formulas(f"$D{row}")
    counts = zip(
        paired_columns.outcome_formulas(measure), (pair.wins, pair.ties, pair.losses), strict=True
    )
    return (
        pair.measure,
        pair.run_a,
        pair.run_b,
        Formula(paired_columns.topic_count_formula, pair.topics),
        Formula(mean_a, pair.mean_a),
        Formula(mean_b, pair.mean_b),
        Formula(f"=E{row}-F{row}", pair.difference),
        pair.low,
        pair.high,
        pair.test,
        pair.statistic,
        pair.p if pair.is_tested else None,
        pair.p_adjusted if pair.is_tested else None,
        pair.effect,
        *(Formula(text, count) for text, count in counts),
    )


def write_correlations(
    workbook: WorkbookWriter, pairs: Sequence[OrderingPair], progress: Progress
) -> None:
    """Write the sheet of correlations between the orders of runs by two measures.

    The sheet has a row for each combination of pair of measures and statistic.
    """
    write_table(
        workbook,
        CORRELATIONS,
        CORRELATION_COLUMNS,
        ordering_rows(pairs),
        progress,
        frozen=2,
        total=len(pairs),
    )


def write_preferences(
    workbook: WorkbookWriter, results: PreferenceResults, progress: Progress
) -> None:
    """Write the sheet of preferences, with a row for each result."""
    rows = (
        (PARTS[str(part_name)], *map(_replace_nonfinite_by_none, cells))
        for part_name, *cells in results.rows()
    )
    write_table(workbook, PREFERENCES, PREFERENCE_COLUMNS, rows, progress, frozen=1)


def _replace_nonfinite_by_none(cell: SheetCell) -> SheetCell:
    """Return a cell, or None for infinity and NaN, which a sheet cannot contain.

    Ends of intervals may be infinite.
    """
    return None if isinstance(cell, float) and not math.isfinite(cell) else cell


def write_agreement(
    workbook: WorkbookWriter, estimates: Iterable[AgreementEstimate], progress: Progress
) -> None:
    """Write the sheet of agreement, with a row for each estimate."""
    rows = (
        (
            estimate.of or ALL_ITEMS,
            estimate.statistic,
            estimate.scale,
            estimate.used,
            estimate.total,
            estimate.value,
            estimate.low,
            estimate.high,
            estimate.reason,
        )
        for estimate in estimates
    )
    write_table(workbook, AGREEMENT, AGREEMENT_COLUMNS, rows, progress, frozen=2)


# Sheets of workbooks with judgments, qrels, the pool and norming rounds

# Sheets of the inputs of an evaluation: judgments, qrels and pool

JUDGMENTS, QRELS, POOL = "Judgments", "Qrels", "Pool"
UNMARKED = Marks()
JUDGMENT_COLUMNS = (
    WorkbookColumn("Document"),
    WorkbookColumn("Assessor"),
    WorkbookColumn("Grade", "whole"),
    WorkbookColumn("Unjudgeable because"),
    WorkbookColumn("Unsure"),
    WorkbookColumn("Note"),
    WorkbookColumn("Time (UTC)"),
    WorkbookColumn("Active ms", "whole"),
    WorkbookColumn("Showing", "whole"),
    WorkbookColumn("Calibration only"),
    WorkbookColumn("Imported from"),
    WorkbookColumn("On a page with"),
    WorkbookColumn("In view"),
    WorkbookColumn("Rationales"),
)
# a rating can be a gain, such as 0.4
QRELS_COLUMNS = (WorkbookColumn("Document"), WorkbookColumn("Grade", "plain"))
ADJUDICATION_COLUMNS = (  # additional columns of the sheet of qrels, if pairs were adjudicated
    WorkbookColumn("Adjudicated by"),
    WorkbookColumn("Reason"),
    WorkbookColumn("Adjudicated (UTC)"),
)
NOT_ADJUDICATED = ("", "", "")
POOL_COLUMNS = (
    WorkbookColumn("Document"),
    WorkbookColumn("Runs", "whole"),
    WorkbookColumn("Best rank", "whole"),
    WorkbookColumn("Retrieved by (rank)"),
)


@dataclass(frozen=True, slots=True)
class JudgmentRow:
    """Row on the sheet of judgments: a judgment of a document, with the assessor's annotations."""

    topic: str  # topic id
    document: str  # document id
    assessor: str
    grade: int | None  # grade; None for an unjudgeable document
    reason: str = ""  # reason why the document is unjudgeable; empty for a graded document
    time: str = ""  # time of judging in UTC, ISO 8601; for imported judgments, from their table
    # time in milliseconds that the assessor actively spent on the document; None if unknown
    active_ms: int | None = None
    unsure: bool = False  # whether the assessor flagged the judgment as unsure
    note: str = ""  # the assessor's note
    # number of this presentation of the document to the assessor: 2 for a deliberate repeat
    showing: int = 1
    # whether the document is judged for calibration only, so that it is not in the qrels
    calibration: bool = False
    imported: str = ""  # imported file and line; empty if the judgment was not imported
    # documents on the same page of results, separated by spaces; empty if documents are judged one
    # at a time
    page: str = ""
    seen: str = ""  # documents of `page` that were visible, separated by spaces
    rationales: tuple[Rationale, ...] = ()  # passages saved as rationales

    @classmethod
    def from_event(
        cls, event: Event, marks: Marks = UNMARKED, *, calibration: bool = False
    ) -> "JudgmentRow":
        """Return the row for an event of kind `grade` or `unjudgeable`, with annotations."""
        payload, item, page = event.payload, event.item, PageSeen.from_payload(event.payload)
        imported = str(payload.get("imported", ""))
        return cls(
            item.topic,
            item.documents[0],
            event.assessor,
            int(payload["value"]) if event.kind == "grade" else None,
            str(payload.get("reason", "")),
            event.judged_at,
            None if imported else payload.get("active_ms"),
            marks.unsure,
            marks.note,
            item.occurrence,
            calibration,
            imported,
            " ".join(page.order) if page else "",
            " ".join(page.visible) if page else "",
            marks.rationales,
        )


def write_judgments(
    workbook: WorkbookWriter,
    judgments: Iterable[JudgmentRow],
    titles: Mapping[str, str],
    progress: Progress,
) -> None:
    """Write the sheet of judgments, one per row; if there are no judgments, write no sheet."""
    rows: Iterator[Sequence[SheetCell]] = (
        (
            judgment.topic,
            *title_cells(titles, judgment.topic),
            judgment.document,
            judgment.assessor,
            judgment.grade,
            judgment.reason,
            "yes" if judgment.unsure else "",
            judgment.note,
            judgment.time,
            judgment.active_ms,
            judgment.showing,
            "yes" if judgment.calibration else "",
            judgment.imported,
            judgment.page,
            judgment.seen,
            format_rationales(judgment.rationales),
        )
        for judgment in judgments
    )
    _write_table_with_titles(workbook, JUDGMENTS, titles, JUDGMENT_COLUMNS, rows, progress)


def write_qrels(
    workbook: WorkbookWriter,
    qrels: Iterable[tuple[str, str, float]],
    titles: Mapping[str, str],
    adjudications: Mapping[tuple[str, str], AdjudicatedGrade],
    progress: Progress,
) -> None:
    """Write the sheet of qrels, with a row for each pair; if the qrels are empty, write no sheet.

    If there are adjudications, the sheet has additional columns: adjudicator, reason and time.
    """
    adjudication_cells = {
        pair: (adjudication.adjudicator, adjudication.why, adjudication.time)
        for pair, adjudication in adjudications.items()
    }
    rows: Iterator[Sequence[SheetCell]] = (
        (
            topic,
            *title_cells(titles, topic),
            document,
            grade,
            *(
                adjudication_cells.get((topic, document), NOT_ADJUDICATED)
                if adjudication_cells
                else ()
            ),
        )
        for topic, document, grade in qrels
    )
    columns = (*QRELS_COLUMNS, *(ADJUDICATION_COLUMNS if adjudication_cells else ()))
    _write_table_with_titles(workbook, QRELS, titles, columns, rows, progress)


def write_pool(
    workbook: WorkbookWriter, pool: Pool, titles: Mapping[str, str], progress: Progress
) -> None:
    """Write the sheet of the pool, with a row for each document in the order of the pool.

    If the pool is empty, write no sheet.
    """
    rows: Iterator[Sequence[SheetCell]] = (
        (row[0], *title_cells(titles, row[0]), *row[1:]) for row in pool_rows(pool)
    )
    _write_table_with_titles(workbook, POOL, titles, POOL_COLUMNS, rows, progress)


def _write_table_with_titles(
    workbook: WorkbookWriter,
    name: str,
    titles: Mapping[str, str],
    columns: Sequence[WorkbookColumn],
    rows: Iterator[Sequence[SheetCell]],
    progress: Progress,
) -> None:
    first = next(rows, None)
    if first is not None:
        write_table(
            workbook,
            name,
            [WorkbookColumn("Topic"), *title_column(titles), *columns],
            chain([first], rows),
            progress,
        )


def pool_rows(pool: Pool) -> Iterator[tuple[str, str, int, int | None, str]]:
    """Yield a row for each pooled document, in the order of the pool.

    A row contains the topic, the document, the number of contributing runs, the best rank in these
    runs, and a text that lists the runs with the document's ranks.
    """
    topics = topic_of_each_row(pool.starts).tolist()
    starts = pool.contribution_starts.tolist()
    for index, (document, topic) in enumerate(zip(pool.document.to_pylist(), topics, strict=True)):
        pair_entries = slice(starts[index], starts[index + 1])
        ranks = pool.contribution_rank[pair_entries].tolist()
        names = [pool.runs[code] for code in pool.contribution_run[pair_entries].tolist()]
        runs_text = ", ".join(f"{name} ({rank})" for name, rank in zip(names, ranks, strict=True))
        yield pool.topics[topic], document, len(ranks), min(ranks, default=None), runs_text


# Sheets of norming rounds: agreement by round, judgments and reasons by document, and qualified
# participants

ROUNDS, ROUND_DOCUMENTS, QUALIFIED = "Rounds", "Round documents", "Qualified"
ROUND_COLUMNS = (
    WorkbookColumn("Session", "whole"),
    WorkbookColumn("Round", "whole"),
    WorkbookColumn("Of"),
    WorkbookColumn("Statistic"),
    WorkbookColumn("Scale"),
    WorkbookColumn("People", "whole"),
    WorkbookColumn("Documents", "whole"),
    WorkbookColumn("Value", "number"),
    WorkbookColumn("Lower 95 %", "number"),
    WorkbookColumn("Upper 95 %", "number"),
    WorkbookColumn("Reason if undefined, or method"),
)
DOCUMENT_COLUMNS = (
    WorkbookColumn("Session", "whole"),
    WorkbookColumn("Round", "whole"),
    WorkbookColumn("Topic"),
    WorkbookColumn("Document"),
    WorkbookColumn("Judgments", "whole"),
    WorkbookColumn("Grades"),
    WorkbookColumn("Disputed"),
    WorkbookColumn("Still disputed"),
    WorkbookColumn("Reasons", "words", 60),
)
QUALIFIED_COLUMNS = (
    WorkbookColumn("Session", "whole"),
    WorkbookColumn("Round", "whole"),
    WorkbookColumn("Participant"),
    WorkbookColumn("Met", "whole"),
    WorkbookColumn("Of", "whole"),
)
ROUND_NOTE = (
    "Everyone judged the same documents independently, discussed them after the round was closed, and "
    "judged again. A document is disputed if no answer has more than two thirds of the judgments. "
    "Qrels and agreement use the first, independent judgment."
)


def round_rows(sessions: Sequence[NormingSession]) -> Iterator[Sequence[Cell]]:
    """Yield a row of `ROUND_COLUMNS` for each agreement statistic of each norming round.

    A statistic applies to all grades, or to one grade against all others.
    """
    for session in sessions:
        for judged_round in session.rounds:
            for estimate in judged_round.agreement:
                scope = (
                    session.session.code,
                    judged_round.number,
                    estimate.of or ALL_ITEMS,
                    estimate.statistic,
                    estimate.scale,
                    judged_round.participants,
                )
                yield (
                    *scope,
                    estimate.used,
                    estimate.value,
                    estimate.low,
                    estimate.high,
                    estimate.reason,
                )


def round_document_rows(sessions: Sequence[NormingSession]) -> Iterator[Sequence[Cell]]:
    """Yield a row of `DOCUMENT_COLUMNS` for each document of each norming round.

    A row contains the judgments, whether the document is disputed, and the reasons given.
    """
    for session in sessions:
        persistent_splits = set(session.persistent_splits)
        for judged_round in session.rounds:
            for document in judged_round.documents:
                is_split = (
                    "yes" if document.is_split else "",
                    "yes" if document.pair in persistent_splits else "",
                )
                yield (
                    session.session.code,
                    judged_round.number,
                    *document.pair,
                    document.votes,
                    format_counts(document),
                    *is_split,
                    "\n".join(f"{grade}: {reason}" for grade, reason, _ in document.reasons),
                )


def format_counts(document: RoundDocument) -> str:
    """Return a text that lists a document's grades, each with its number of judgments.

    >>> format_counts(RoundDocument(1, ("1", "d"), ((0, 2), (1, 0), (2, 5)), 1, ()))
    '0 × 2, 2 × 5, unjudgeable × 1'
    """
    counts = [
        *((str(grade), count) for grade, count in document.counts),
        ("unjudgeable", document.unjudgeable),
    ]
    return ", ".join(f"{grade} × {count}" for grade, count in counts if count)


def qualified_rows(
    sessions: Sequence[NormingSession], names: Mapping[str, str]
) -> Iterator[Sequence[Cell]]:
    """Yield a row of `QUALIFIED_COLUMNS` for each qualified participant of each norming round.

    A row contains the number of matching answers and the number of all answers. `names` contains
    the names of participants by id.
    """
    for session in sessions:
        for judged_round in session.rounds:
            for participant_id, (right_count, total_count) in judged_round.qualified.items():
                yield (
                    session.session.code,
                    judged_round.number,
                    names.get(participant_id, participant_id),
                    right_count,
                    total_count,
                )


def write_rounds(
    workbook: WorkbookWriter,
    sessions: Sequence[NormingSession],
    names: Mapping[str, str],
    progress: Progress,
) -> None:
    """Write two sheets of norming rounds, and one of qualified participants if there are any."""
    write_table(workbook, ROUNDS, ROUND_COLUMNS, round_rows(sessions), progress, frozen=2)
    write_table(
        workbook,
        ROUND_DOCUMENTS,
        DOCUMENT_COLUMNS,
        round_document_rows(sessions),
        progress,
        frozen=4,
    )
    qualified = list(qualified_rows(sessions, names))
    if qualified:
        write_table(workbook, QUALIFIED, QUALIFIED_COLUMNS, qualified, progress)


# Sheets with worked examples: formulas that compute measures of a run for one topic

WORKED = "Worked"
WORKED_CUTOFF = 10
WORKED_GAINS: tuple[SheetGain, ...] = ("linear", "exp2")
WORKED_INSTRUCTIONS = (
    "Change a grade or another coloured cell to recompute all values. Gain: linear is the grade, exp2 is 2^grade − 1. "
    "A grade that is not a number counts as unjudged."
)
NOT_RETRIEVED = "not retrieved"
RATING_HEADING = "Rating"  # heading of the column with the gains that the qrels contain
WORKED_PARTS = (PRECISION_SHEET, AVERAGE_PRECISION_SHEET, CUMULATIVE_GAIN_SHEET)
WORKED_RESULTS = tuple(result.title for part in WORKED_PARTS for result in part.results)

# Settings and results are above the table and do not scroll. Row numbers start at 0, except in
# names of cells, where they start at 1.
REL_CELL, CUTOFF_CELL, GAIN_CELL = "$B$4", "$B$5", "$B$6"
RESULT_COLUMN, INSTRUCTIONS_ROW, HEADING_ROW = 4, 6, 7
FIRST_ROW = HEADING_ROW + 2  # first row of the table below its headings, counted from 1
ENTRY_FORMAT = {
    "bg_color": "#FFF4CC",
    "font_color": "#1F3FA8",
    "border": 1,
    "border_color": "#C9B458",
}
RELEVANT_FORMAT = {"bg_color": "#E3F1DD"}


@dataclass(frozen=True, slots=True)
class WorkedSheet:
    """Content of a sheet with a worked example: a run's ranking for a topic, with parameters.

    On the sheet, formulas compute the values of several measures from the grades; the parameters
    (lowest relevant grade, cutoff and gain) can be edited there. `values` are the values that the
    program computed.
    """

    example: ExampleTopic  # ranking with grades, and relevant documents that were not retrieved
    title: str  # title of the topic; empty if unknown
    rel: int  # lowest relevant grade; can be edited on the sheet
    cutoff: int  # cutoff of measures; can be edited on the sheet
    gain: SheetGain  # rule that converts grades to gains; can be edited on the sheet
    values: tuple[float, ...]  # values of the measures `WORKED_RESULTS`, for these parameters


def make_worked_sheet(
    qrels: Qrels,
    run: Run,
    topic: str,
    policy: Policy | None = None,
    *,
    cutoff: int = WORKED_CUTOFF,
    gain: SheetGain = "linear",
    title: str = "",
) -> WorkedSheet:
    """Return the content of the sheet with the worked example of a run and a topic."""
    policy = policy or Policy()
    names = [
        result.name.format(cutoff=cutoff, gain=gain)
        for part in WORKED_PARTS
        for result in part.results
    ]
    measures = [parse_measure_name(name, rel=policy.rel)[0] for name in names]
    evaluated = evaluate_topic(qrels, run, topic, measures, policy)
    return WorkedSheet(evaluated.example, title, policy.rel, cutoff, gain, evaluated.values)


def worked_settings(evaluation: Evaluation) -> tuple[int, SheetGain]:
    """Return the cutoff and the gain for worked examples of an evaluation.

    They are the first cutoff and the first gain among the parameters of its measures. The defaults
    are 10 and linear.
    """
    values = [measure.values for measure in evaluation.measures]
    cutoff = next(
        (value["cutoff"] for value in values if isinstance(value.get("cutoff"), int)), WORKED_CUTOFF
    )
    gain = next(
        (value["gain"] for value in values if value.get("gain") in WORKED_GAINS), WORKED_GAINS[0]
    )
    return int(str(cutoff)), "exp2" if gain == "exp2" else "linear"


class _ColumnLetter(str):
    """Letter of a column of the table, for templates of formulas.

    In a template, `{Name}` becomes the letter and `{Name:area}` the range of the column's cells.
    """

    __slots__ = ("last",)
    last: int

    def __format__(self, spec: str) -> str:
        return f"${self}${FIRST_ROW}:${self}${self.last}" if spec == "area" else str(self)


class _WorkedTable:
    """Table of a worked example: columns with values, and the formulas that use the columns."""

    def __init__(self, content: WorkedSheet) -> None:
        example = content.example
        grades = (*example.grades, *(grade for _, grade in example.missed))
        ratings = example.gains and (*example.gains.ranked, *example.gains.missed)
        data = WorksheetData(
            grades, len(example.documents), content.rel, content.gain, ratings or grades
        )
        relevance_formula = "=IF(ISNUMBER({Grade}{row}),IF({Grade}{row}>={rel},1,0),0)"
        first_columns = (
            SheetColumn(
                "Rank",
                20,
                "",
                lambda _: [*data.rank.tolist(), *([NOT_RETRIEVED] * len(example.missed))],
                decimals=False,
            ),
            SheetColumn(
                "Document",
                28,
                "",
                lambda _: [*example.documents, *(document for document, _ in example.missed)],
                decimals=False,
            ),
            SheetColumn(
                "Grade",
                13,
                "",
                lambda _: [_make_grade_cell(grade) for grade in grades],
                decimals=False,
            ),
            SheetColumn(
                "Relevant", 11, relevance_formula, lambda data: data.relevant, decimals=False
            ),
            *(
                (SheetColumn(RATING_HEADING, 13, "", _make_rating_cells, decimals=False),)
                if ratings
                else ()
            ),
        )
        self.columns = (
            *first_columns,
            *(column for part in WORKED_PARTS for column in part.columns),
        )
        self.values = [column.values(data) for column in self.columns]
        self.rows = max(map(len, self.values))
        self.last = FIRST_ROW + max(self.rows, 1) - 1
        self._names: dict[str, object] = {"rel": REL_CELL, "k": CUTOFF_CELL, "gain": GAIN_CELL}
        for index, column in enumerate(self.columns):
            letter = _ColumnLetter(xl_col_to_name(index))
            letter.last = self.last
            self._names[column.heading] = letter
        self._names.setdefault(RATING_HEADING, self._names["Grade"])

    def fill_formula(self, formula: str, row: int = 0) -> str:
        """Insert cells into the template of a formula; `row` is the formula's own row, from 0."""
        return formula.format_map({**self._names, "row": row + 1, "above": row})

    @property
    def result_formulas(self) -> list[str]:
        """Formulas of the measures, in the order of `WORKED_RESULTS`."""
        return [
            self.fill_formula(result.formula) for part in WORKED_PARTS for result in part.results
        ]


def _make_rating_cells(data: WorksheetData) -> list[float | str]:
    return [
        _make_grade_cell(grade) if gain_or_grade is None else gain_or_grade
        for grade, gain_or_grade in zip(data.grades, data.gains_or_grades, strict=True)
    ]


def _make_grade_cell(grade: int | None) -> int | str:
    """Return the cell for a grade; unjudged and unjudgeable are texts, which formulas ignore."""
    if grade == UNJUDGEABLE:
        return "unjudgeable"
    if grade is None or grade < 0:
        return "unjudged"
    return grade


def write_worked_sheet(workbook: WorkbookWriter, content: WorkedSheet, index: int) -> None:
    """Write the sheet of a worked example; its name has a number if `index` is not 0."""
    name = f"{WORKED} {index + 1}" if index else WORKED
    sheet = workbook.workbook.add_worksheet(name)
    add_format = workbook.workbook.add_format
    cell_formats = {
        "bold": add_format({"bold": True}),
        "note": add_format({"italic": True, "font_color": "#595959"}),
        "entry": add_format({**ENTRY_FORMAT, "align": "left"}),
        "grade": add_format({**ENTRY_FORMAT, "align": "right"}),
        "result": add_format(
            {"bold": True, "num_format": workbook.cell_formats["number"].num_format}
        ),
    }
    table = _WorkedTable(content)
    _write_worked_settings(workbook, sheet, content, table.result_formulas, cell_formats)
    _write_worked_table(workbook, sheet, table, cell_formats["grade"])
    _finish_worked_sheet(workbook, sheet, table)
    workbook.counts.append((name, table.rows))


def _write_worked_settings(
    workbook: WorkbookWriter,
    sheet: Any,
    content: WorkedSheet,
    formulas: Sequence[str],
    cell_formats: dict[str, Any],
) -> None:
    """Write the settings and parameters, and next to them the values of the measures."""
    settings = (
        ("Run", content.example.run),
        ("Topic", content.example.topic),
        ("Title", content.title),
    )
    entries = (
        ("Lowest relevant grade", content.rel),
        ("Cutoff k", content.cutoff),
        ("Gain", content.gain),
    )
    for row, (name, value) in enumerate((*settings, *entries)):
        sheet.write_string(row, 0, name, cell_formats["bold"])
        if row < len(settings):
            sheet.write_string(row, 1, workbook.fit_text(str(value), f"{sheet.name}, {name}"))
        else:
            sheet.write(row, 1, value, cell_formats["entry"])
        sheet.write_string(row, RESULT_COLUMN, WORKED_RESULTS[row], cell_formats["bold"])
        write_formula(
            sheet,
            row,
            RESULT_COLUMN + 1,
            Formula(formulas[row], content.values[row]),
            cell_formats["result"],
        )
    sheet.write_string(INSTRUCTIONS_ROW, 0, WORKED_INSTRUCTIONS, cell_formats["note"])


def _write_worked_table(
    workbook: WorkbookWriter, sheet: Any, table: _WorkedTable, grade: Any
) -> None:
    for index, column in enumerate(table.columns):
        sheet.write_string(
            HEADING_ROW,
            index,
            column.heading,
            workbook.heading if column.heading == "Document" else workbook.heading_right,
        )
        sheet.set_column(index, index, column.width)
    # row by row, since XlsxWriter cannot change a row after a later row was begun
    for row in range(table.rows):
        cell_row = row + HEADING_ROW + 1
        for index, (column, values) in enumerate(zip(table.columns, table.values, strict=True)):
            if row < len(values):
                cell_format = (
                    grade
                    if column.heading in ("Grade", RATING_HEADING)
                    else workbook.cell_formats["number" if column.decimals else "plain"]
                )
                _write_worked_cell(
                    workbook,
                    sheet,
                    (cell_row, index),
                    column,
                    table.fill_formula(column.formula, cell_row),
                    values[row],
                    cell_format,
                )


def _write_worked_cell(
    workbook: WorkbookWriter,
    sheet: Any,
    position: tuple[int, int],
    column: SheetColumn,
    formula: str,
    value: Any,
    cell_format: Any,
) -> None:
    if formula:
        write_formula(sheet, *position, Formula(formula, float(value)), cell_format)
    elif isinstance(value, str):
        sheet.write_string(
            *position,
            workbook.fit_text(value, f"{sheet.name}, row {position[0] + 1}, {column.heading}"),
            workbook.cell_formats["id"] if column.heading == "Document" else cell_format,
        )
    else:
        sheet.write_number(*position, value, cell_format)


def _finish_worked_sheet(workbook: WorkbookWriter, sheet: Any, table: _WorkedTable) -> None:
    """Set the permitted values of cells, the colour of relevant documents, and the print layout."""
    sheet.freeze_panes(HEADING_ROW + 1, 2)
    number = {
        "validate": "integer",
        "criteria": ">=",
        "value": 1,
        "error_message": "Expected a whole number, 1 or more.",
    }
    sheet.data_validation("B4:B5", number)
    sheet.data_validation("B6", {"validate": "list", "source": list(WORKED_GAINS)})
    relevant_format = {
        "type": "formula",
        "criteria": f"=$D{FIRST_ROW}=1",
        "format": workbook.workbook.add_format(RELEVANT_FORMAT),
    }
    last_column = xl_col_to_name(len(table.columns) - 1)
    # cells of grades and ratings are not coloured, since they have the colour of editable cells
    has_ratings = any(column.heading == RATING_HEADING for column in table.columns)
    for first, last in (
        ("AB", "DD", ("F", last_column)) if has_ratings else ("AB", ("D", last_column))
    ):
        sheet.conditional_format(f"{first}{FIRST_ROW}:{last}{table.last}", relevant_format)
    sheet.ignore_errors({"number_stored_as_text": f"A1:{last_column}{table.last}"})
    set_print_layout(sheet, HEADING_ROW)
