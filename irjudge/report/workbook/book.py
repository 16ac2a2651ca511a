"""The Excel workbook: an evaluation whose means recalculate, what it rests on, and what every number means."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from irjudge.evaluation.comparison import Comparison
from irjudge.evaluation.orderings import OrderingPair
from irjudge.evaluation.preference_results import PreferenceResults
from irjudge.evaluation.table import Evaluation
from irjudge.formats.bytes.replacing import replacing
from irjudge.model.pool import Pool
from irjudge.progress import SILENT, Progress
from irjudge.report.workbook.basis import program
from irjudge.report.workbook.charts import Charts
from irjudge.report.workbook.curves import write_curves
from irjudge.report.workbook.evaluation import Beside, beside, topic_table, write_beside, write_summary, write_topics
from irjudge.report.workbook.findings import (
    AGREEMENT,
    COMPARISONS,
    PREFERENCES,
    write_agreement,
    write_comparisons,
    write_correlations,
    write_preferences,
)
from irjudge.report.workbook.legend import write_legend, write_settings
from irjudge.report.workbook.sheets import Book, new_book
from irjudge.report.workbook.source import Judgment, write_judgments, write_pool, write_qrels
from irjudge.report.workbook.worked import Worked, write_worked
from irjudge.stats.agreement.estimates import Estimate


@dataclass(frozen=True, slots=True, kw_only=True)
class Contents:
    """What a workbook holds beside the evaluation; there is no sheet for what is empty.

    Parameters
    ----------
    titles
        Of topics, by their ids; they stand beside the ids.
    curves
        The same runs evaluated with `curve_measures`.
    comparison
        Of runs of the evaluation, by measures that the sheet By topic shows; see `compared`.
    correlations
        How alike the measures order the runs.
    preferences
        What preferences prove.
    agreement
        How far the assessors agree.
    worked
        A sheet each.
    judgments, qrels
        Rows; of qrels (topic, document, grade).
    pool
        Its documents in pool order.
    facts
        More settings to show, such as the source files.
    notes
        (heading, sentence) of what is to be known to read the sheets.
    """

    titles: Mapping[str, str] = field(default_factory=dict)
    curves: Evaluation | None = None
    comparison: Comparison | None = None
    correlations: Sequence[OrderingPair] = ()
    preferences: PreferenceResults | None = None
    agreement: Sequence[Estimate] = ()
    worked: Sequence[Worked] = ()
    judgments: Iterable[Judgment] = ()
    qrels: Iterable[tuple[str, str, int]] = ()
    pool: Pool | None = None
    facts: Mapping[str, str] = field(default_factory=dict)
    notes: Sequence[tuple[str, str]] = ()


@dataclass(frozen=True, slots=True)
class WrittenWorkbook:
    """What was written: the file, each sheet with its rows (headings not counted), and what does not stand there as it was."""

    path: Path
    sheets: tuple[tuple[str, int], ...]
    remarks: tuple[str, ...] = ()


def write_workbook(
    path: Path, evaluation: Evaluation, contents: Contents | None = None, *, decimals: int = 4, progress: Progress = SILENT
) -> WrittenWorkbook:
    """Write an evaluation as a workbook, whole or not at all.

    Parameters
    ----------
    path
        The file; one that is there is replaced when the new one is complete.
    evaluation
        Each run becomes a row of the Summary, whose values are formulas over the sheet Per topic.
    contents
        What else stands in it; None for the evaluation alone.
    decimals
        How many are shown; the full value is stored.
    progress
        Told while rows are written; cancelling leaves what was there before.

    Returns
    -------
    WrittenWorkbook
        A table with more rows than a sheet holds goes on on `Qrels 2` …; texts that had to be cut are remarked.

    Raises
    ------
    IrjudgeError
        When the file cannot be written.
    Cancelled
        When the user asked for it.
    """
    contents = contents or Contents()
    with replacing(path) as part:
        with new_book(part, decimals=decimals, progress=progress, name=path.name) as book:
            book.workbook.set_properties({"title": "Evaluation", "comments": program()})
            _write_evaluation(book, evaluation, contents, progress)
            _write_sources(book, contents, progress)
            write_legend(book, evaluation, compared=contents.comparison is not None)
            write_settings(book, evaluation, contents.facts, _notes(contents))
        progress.step(1, 1, f"Wrote {path.name}")
    return WrittenWorkbook(path, tuple(book.counts), book.remarks)


def _write_evaluation(book: Book, evaluation: Evaluation, contents: Contents, progress: Progress) -> None:
    """Write the evaluation and what was computed from it."""
    titles, titled = contents.titles, bool(contents.titles)
    table, shown = topic_table(evaluation, titled=titled), beside(evaluation, titled=titled)
    write_summary(book, evaluation, table)
    _draw(book, evaluation, contents.curves, shown)
    write_topics(book, evaluation, table, titles, progress)
    write_beside(book, evaluation, shown, table, titles, progress)
    if contents.curves:
        write_curves(book, contents.curves, titles, progress)
    for place, work in enumerate(contents.worked):
        write_worked(book, work, place)
    if contents.comparison:
        write_comparisons(book, evaluation, contents.comparison, shown, progress)
    if contents.correlations:
        write_correlations(book, contents.correlations, progress)


def _draw(book: Book, evaluation: Evaluation, curves: Evaluation | None, shown: Beside) -> None:
    """Draw the charts that there are values for."""
    bars = bool(shown.measures and shown.topics)
    if bars or curves:
        charts = Charts(book, evaluation)
        if curves:
            charts.curves()
        if bars:
            charts.bars(shown)


def _write_sources(book: Book, contents: Contents, progress: Progress) -> None:
    """Write what people said, and what the evaluation rests on."""
    if contents.preferences:
        write_preferences(book, contents.preferences, progress)
    if contents.agreement:
        write_agreement(book, contents.agreement, progress)
    write_judgments(book, contents.judgments, contents.titles, progress)
    write_qrels(book, contents.qrels, contents.titles, progress)
    if contents.pool:
        write_pool(book, contents.pool, contents.titles, progress)


def _notes(contents: Contents) -> Iterator[tuple[str, str]]:
    for name, found in ((COMPARISONS, contents.comparison), (PREFERENCES, contents.preferences)):
        yield from ((name, remark) for remark in (found.remarks if found else ()))
    if contents.agreement:
        yield AGREEMENT, "Judgments in force, one of each assessor and document; documents judged only to calibrate are left out."
    yield from contents.notes
