"""Sheets with worked examples: formulas that compute measures of a run for one topic."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from xlsxwriter.utility import xl_col_to_name

from irjudge.evaluation import Evaluation, Policy, evaluate_topic
from irjudge.metrics import (
    AVERAGE_PRECISION_SHEET,
    CUMULATIVE_GAIN_SHEET,
    PRECISION_SHEET,
    ExampleTopic,
    SheetColumn,
    SheetGain,
    WorksheetData,
    parse_measure_name,
)
from irjudge.model import UNJUDGEABLE, Qrels, Run
from irjudge.report.workbook.sheet_writer import (
    Formula,
    WorkbookWriter,
    set_print_layout,
    write_formula,
)

SHEET_NAME = "Worked"
CUTOFF = 10
GAINS: tuple[SheetGain, ...] = ("linear", "exp2")
INSTRUCTIONS = (
    "Change a grade or another coloured cell to recompute all values. Gain: linear is the grade, exp2 is 2^grade − 1. "
    "A grade that is not a number counts as unjudged."
)
NOT_RETRIEVED = "not retrieved"
RATING_HEADING = "Rating"  # heading of the column with the gains that the qrels contain
PARTS = (PRECISION_SHEET, AVERAGE_PRECISION_SHEET, CUMULATIVE_GAIN_SHEET)
RESULTS = tuple(result.title for part in PARTS for result in part.results)

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
    values: tuple[float, ...]  # values of the measures `RESULTS`, for these parameters


def make_worked_sheet(
    qrels: Qrels,
    run: Run,
    topic: str,
    policy: Policy | None = None,
    *,
    cutoff: int = CUTOFF,
    gain: SheetGain = "linear",
    title: str = "",
) -> WorkedSheet:
    """Return the content of the sheet with the worked example of a run and a topic."""
    policy = policy or Policy()
    names = [
        result.name.format(cutoff=cutoff, gain=gain) for part in PARTS for result in part.results
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
        (value["cutoff"] for value in values if isinstance(value.get("cutoff"), int)), CUTOFF
    )
    gain = next((value["gain"] for value in values if value.get("gain") in GAINS), GAINS[0])
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
        self.columns = (*first_columns, *(column for part in PARTS for column in part.columns))
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
        """Formulas of the measures, in the order of `RESULTS`."""
        return [self.fill_formula(result.formula) for part in PARTS for result in part.results]


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
    name = f"{SHEET_NAME} {index + 1}" if index else SHEET_NAME
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
    _write_settings(workbook, sheet, content, table.result_formulas, cell_formats)
    _write_table(workbook, sheet, table, cell_formats["grade"])
    _finish_sheet(workbook, sheet, table)
    workbook.counts.append((name, table.rows))


def _write_settings(
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
        sheet.write_string(row, RESULT_COLUMN, RESULTS[row], cell_formats["bold"])
        write_formula(
            sheet,
            row,
            RESULT_COLUMN + 1,
            Formula(formulas[row], content.values[row]),
            cell_formats["result"],
        )
    sheet.write_string(INSTRUCTIONS_ROW, 0, INSTRUCTIONS, cell_formats["note"])


def _write_table(workbook: WorkbookWriter, sheet: Any, table: _WorkedTable, grade: Any) -> None:
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
                _write_cell(
                    workbook,
                    sheet,
                    (cell_row, index),
                    column,
                    table.fill_formula(column.formula, cell_row),
                    values[row],
                    cell_format,
                )


def _write_cell(
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


def _finish_sheet(workbook: WorkbookWriter, sheet: Any, table: _WorkedTable) -> None:
    """Set the permitted values of cells, the colour of relevant documents, and the print layout."""
    sheet.freeze_panes(HEADING_ROW + 1, 2)
    number = {
        "validate": "integer",
        "criteria": ">=",
        "value": 1,
        "error_message": "Expected a whole number, 1 or more.",
    }
    sheet.data_validation("B4:B5", number)
    sheet.data_validation("B6", {"validate": "list", "source": list(GAINS)})
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
