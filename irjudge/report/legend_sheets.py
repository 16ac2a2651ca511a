"""The sheets that explain a workbook: what every column means, and how and from what it was made."""

import math
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version

from irjudge.evaluation.averages import AVERAGE_MEANS
from irjudge.evaluation.join import TOPICS_MEAN
from irjudge.evaluation.table import Evaluation
from irjudge.metrics.names import Measure
from irjudge.metrics.parameters import show
from irjudge.metrics.profiles import RULES
from irjudge.model.order import MEANING
from irjudge.report.evaluation_sheets import BY_TOPIC, COVERAGE, PER_TOPIC, ROW_NUMBER, RUN_NUMBER, SUMMARY
from irjudge.report.findings_sheets import COMPARISON_MEANS, COMPARISONS
from irjudge.report.formulas import is_count
from irjudge.report.sheets import Book, Cell, Column, Sheet

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


def program() -> str:
    """Return the program's name and version."""
    try:
        return f"irjudge {version('irjudge')}"
    except PackageNotFoundError:
        return "irjudge, from a checkout"


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
    summary = _averaged(measure, evaluation)
    return [measure.name, declaration.title, measure.definition, parameters, _bounds(*declaration.bounds), summary, reference]


def _averaged(measure: Measure, evaluation: Evaluation) -> str:
    if is_count(measure):
        return "sum over the topics"
    if measure.declaration.mean == "geometric":
        return "geometric mean over the topics"
    average = evaluation.policy.average
    return "mean over the topics" if average == "macro" else AVERAGE_MEANS[average]


def _bounds(low: float, high: float) -> str:
    if math.isinf(low):
        return "any number" if math.isinf(high) else f"{show(high)} or less"
    return f"{show(low)} or more" if math.isinf(high) else show(low) if low == high else f"{show(low)} to {show(high)}"


def write_settings(book: Book, evaluation: Evaluation, facts: Mapping[str, str], notes: Iterable[tuple[str, str]]) -> None:
    """Write how the workbook was made, with facts and notes; last of all, to end with what could not be written as it is."""
    policy = evaluation.policy
    sheet = Sheet(book, SETTINGS, SETTINGS_COLUMNS, frozen=1)
    settings = {
        "Program": program(),
        "Written": f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC",
        "Topics averaged": TOPICS_MEAN[policy.topics],
        "Order of ties": f"{policy.ties}: {MEANING[policy.ties]}",
        "Relevant": f"grade {policy.rel} or more",
        "Runs": str(len(evaluation.runs)),
    }
    if policy.average != "macro":
        settings["Average"] = f"{policy.average}: {AVERAGE_MEANS[policy.average]}"
    if policy.profile != "irjudge":
        settings["Profile"] = f"{policy.profile}: {RULES[policy.profile].meaning}"
    if policy.depth is not None:
        settings["Depth"] = f"only the top {policy.depth:,} of each ranking"
    if evaluation.assumed_highest is not None:
        settings["Highest grade"] = f"{evaluation.assumed_highest}, the highest in the qrels"
    for name, value in (*settings.items(), *facts.items(), *notes):
        sheet.add([name, value])
    for remark in book.remarks:
        sheet.add(["Remark", remark])
    sheet.finish()
