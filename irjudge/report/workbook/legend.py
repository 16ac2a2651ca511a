"""The sheets that explain a workbook: what every column means, and how and from what it was made."""

from collections.abc import Iterable, Mapping

from irjudge.evaluation.table import Evaluation
from irjudge.metrics.naming.names import Measure
from irjudge.metrics.naming.parameters import show
from irjudge.report.workbook.basis import averaged_words, bounds_words, settings
from irjudge.report.workbook.evaluation import BY_TOPIC, COVERAGE, PER_TOPIC, ROW_NUMBER, RUN_NUMBER, SUMMARY
from irjudge.report.workbook.findings import COMPARISON_MEANS, COMPARISONS
from irjudge.report.workbook.sheets import Book, Cell, Column, Sheet

LEGEND, SETTINGS = "Legend", "Settings"
LEGEND_COLUMNS = (
    Column("Name", "words", 24),
    Column("Title", "words", 28),
    Column("Definition", "words", 60),
    Column("Parameters", "words", 28),
    Column("Values", "words", 14),
    Column("Summary", "words", 22),
    Column("Reference", "words", 48),
)
SETTINGS_COLUMNS = (Column("Setting", "words", 24), Column("Value", "words", 90))


def write_legend(book: Book, evaluation: Evaluation, *, compared: bool) -> None:
    """Write a row for each measure and for each column that needs a word; `compared` where there is a sheet of comparisons."""
    sheet = Sheet(book, LEGEND, LEGEND_COLUMNS, frozen=1)
    for measure in evaluation.measures:
        sheet.add(_measure_row(measure, evaluation))
    for column in COVERAGE:
        sheet.add([column.title, "What the means rest on", column.meaning, None, None, None, None])
    number = f"Tells the runs apart in the formulas of {SUMMARY}, whatever they are called."
    sheet.add([RUN_NUMBER, "Key of the formulas", number, None, None, None, None])
    row = f"Where {BY_TOPIC} finds a row of {PER_TOPIC}, however that sheet is sorted."
    sheet.add([ROW_NUMBER, "Key of the formulas", row, None, None, None, None])
    for name, meaning in COMPARISON_MEANS.items() if compared else ():
        sheet.add([name, COMPARISONS, meaning, None, None, None, None])
    sheet.finish()


def _measure_row(measure: Measure, evaluation: Evaluation) -> list[Cell]:
    declaration = measure.declaration
    parameters = ", ".join(f"{name} = {'none' if value is None else show(value)}" for name, value in measure.parameters)
    reference = " ".join(declaration.references.split())
    summary = averaged_words(measure, evaluation)
    return [measure.name, declaration.title, measure.definition, parameters, bounds_words(*declaration.bounds), summary, reference]


def write_settings(book: Book, evaluation: Evaluation, facts: Mapping[str, str], notes: Iterable[tuple[str, str]]) -> None:
    """Write how the workbook was made, with facts and notes; last of all, to end with what could not be written as it is."""
    sheet = Sheet(book, SETTINGS, SETTINGS_COLUMNS, frozen=1)
    for name, value in (*settings(evaluation).items(), *facts.items(), *notes):
        sheet.add([name, value])
    for remark in (*evaluation.remarks, *book.remarks):
        sheet.add(["Remark", remark])
    sheet.finish()
