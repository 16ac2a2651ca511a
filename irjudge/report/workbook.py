"""The Excel workbook: an evaluation whose means recalculate, what it rests on, and what every number means."""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from xlsxwriter.utility import xl_col_to_name

from irjudge.evaluation.join import TOPICS_MEAN
from irjudge.evaluation.table import TOP, Coverage, Evaluation, RunScores
from irjudge.formats.replacing import replacing
from irjudge.metrics.names import Measure
from irjudge.metrics.parameters import show
from irjudge.metrics.profiles import RULES
from irjudge.model.event import Event
from irjudge.model.order import MEANING
from irjudge.model.pool import Pool
from irjudge.model.ranking import rows_to_topics
from irjudge.progress import SILENT, Progress
from irjudge.report.sheets import Book, Cell, Column, Formula, Kind, Sheet, new_book, parts

SUMMARY, PER_TOPIC, JUDGMENTS, QRELS, POOL = "Summary", "Per topic", "Judgments", "Qrels", "Pool"
SETTINGS, LEGEND = "Settings", "Legend"
RUN_NUMBER = "Run number"


@dataclass(frozen=True, slots=True)
class Judgment:
    """One row of the sheet of judgments.

    Parameters
    ----------
    topic, document, assessor
        Ids.
    grade
        None for an unjudgeable document.
    reason
        Why it is unjudgeable; empty when it has a grade.
    time
        As the event keeps it: UTC, ISO 8601.
    active_ms
        Milliseconds the assessor was at work on it; None when they were not measured.
    """

    topic: str
    document: str
    assessor: str
    grade: int | None
    reason: str = ""
    time: str = ""
    active_ms: int | None = None


@dataclass(frozen=True, slots=True)
class WrittenWorkbook:
    """What was written: the file, each sheet with its rows (headings not counted), and what does not stand there as it was."""

    path: Path
    sheets: tuple[tuple[str, int], ...]
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CoverageColumn:
    """A column of the Summary that says what the means rest on."""

    title: str
    meaning: str
    value: Callable[[Coverage], int | float]
    kind: Kind = "whole"


COVERAGE = (
    CoverageColumn("Topics", "Topics averaged.", lambda coverage: coverage.topics),
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


def write_workbook(
    path: Path,
    evaluation: Evaluation,
    *,
    judgments: Iterable[Judgment] = (),
    qrels: Iterable[tuple[str, str, int]] = (),
    pool: Pool | None = None,
    facts: Mapping[str, str] | None = None,
    decimals: int = 4,
    progress: Progress = SILENT,
) -> WrittenWorkbook:
    """Write an evaluation as a workbook, whole or not at all.

    Parameters
    ----------
    path
        The file; one that is there is replaced when the new one is complete.
    evaluation
        Each run becomes a row of the Summary, whose values are formulas over the sheet Per topic.
    judgments
        Rows of the sheet Judgments.
    qrels
        (topic, document, grade), rows of the sheet Qrels.
    pool
        Its documents in pool order; without one there is no such sheet.
    facts
        More settings to show, such as the source files.
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
    with replacing(path) as part:
        with new_book(part, decimals=decimals) as book:
            book.workbook.set_properties({"title": "Evaluation", "comments": program()})
            _summary(book, evaluation)
            _per_topic(book, evaluation, progress)
            _table(book, JUDGMENTS, JUDGMENT_COLUMNS, map(_judgment_row, judgments), progress)
            _table(book, QRELS, QRELS_COLUMNS, qrels, progress)
            if pool:
                _table(book, POOL, POOL_COLUMNS, pool_rows(pool), progress)
            _legend(book, evaluation.measures)
            _settings(book, evaluation, facts or {})
        progress.step(1, 1, f"Wrote {path.name}")
    return WrittenWorkbook(path, tuple(book.counts), book.remarks)


def judgment_rows(events: Iterable[Event]) -> Iterator[Judgment]:
    """Yield the grades and the unjudgeable documents among events, in their order."""
    for event in events:
        if event.kind in ("grade", "unjudgeable"):
            payload = event.payload
            document = event.item.documents[0]
            grade = int(payload["value"]) if event.kind == "grade" else None
            reason = str(payload.get("reason", ""))
            yield Judgment(event.item.topic, document, event.assessor, grade, reason, event.time, payload.get("active_ms"))


def pool_rows(pool: Pool) -> Iterator[tuple[str, str, int, int | None, str]]:
    """Yield (topic, document, number of runs that brought it, best rank, the runs with their ranks), in pool order."""
    documents = pool.document.to_pylist()
    topics = rows_to_topics(pool.starts).tolist()
    begins = pool.contribution_starts.tolist()
    for place, (document, topic) in enumerate(zip(documents, topics, strict=True)):
        mine = slice(begins[place], begins[place + 1])
        ranks = pool.contribution_rank[mine].tolist()
        names = [pool.runs[code] for code in pool.contribution_run[mine].tolist()]
        brought = ", ".join(f"{name} ({rank})" for name, rank in zip(names, ranks, strict=True))
        yield pool.topics[topic], document, len(ranks), min(ranks, default=None), brought


def program() -> str:
    """Return the program's name and version."""
    try:
        return f"irjudge {version('irjudge')}"
    except PackageNotFoundError:
        return "irjudge, from a checkout"


# The evaluation


def _summary(book: Book, evaluation: Evaluation) -> None:
    measures = [Column(each.name, _kind(each)) for each in evaluation.measures]
    rest = [Column(each.title, each.kind) for each in COVERAGE]
    sheet = Sheet(book, SUMMARY, [Column("Run"), *measures, *rest, Column(RUN_NUMBER, "whole")], frozen=1)
    number = xl_col_to_name(1 + len(measures) + len(rest), col_abs=True)
    for row, run in enumerate(evaluation.runs, 1):
        # The number, not the name: a criterion takes `*` for anything, and 007 for 7.
        formulas = [
            Formula(_formula(evaluation, place, f"{number}{row + 1}", len(run.topics)), value)
            for place, value in enumerate(run.summary.tolist())
        ]
        sheet.add([run.run, *formulas, *(each.value(run.coverage) for each in COVERAGE), row])
    sheet.finish()


def _formula(evaluation: Evaluation, place: int, number: str, topics: int) -> str:
    """Return the formula of one run's value: a mean or the sum over its topics, wherever they stand after sorting."""
    column = xl_col_to_name(2 + place, col_abs=True)
    numbers = xl_col_to_name(2 + len(evaluation.measures), col_abs=True)
    tables = parts(PER_TOPIC, sum(len(run.topics) for run in evaluation.runs))
    areas = [(_area(part.sheet, column, part.last), _area(part.sheet, numbers, part.last)) for part in tables]
    total = "+".join(f"SUMIFS({values},{runs},{number})" for values, runs in areas)
    declaration = evaluation.measures[place].declaration
    if declaration.summary == "sum":
        return f"={total}"
    if declaration.mean == "geometric":
        if not topics:
            return "=0"
        logarithms = "+".join(f"SUMPRODUCT(({runs}={number})*LN({values}))" for values, runs in areas)
        return f"=EXP(({logarithms})/({'+'.join(f'COUNTIFS({runs},{number})' for _, runs in areas)}))"
    if len(areas) == 1 and topics:
        values, runs = areas[0]
        return f"=AVERAGEIFS({values},{runs},{number})"
    return f"=({total})/MAX(1,{'+'.join(f'COUNTIFS({runs},{number})' for _, runs in areas)})"


def _area(sheet: str, column: str, last: int) -> str:
    return f"'{sheet}'!{column}$2:{column}${max(2, last)}"


def _per_topic(book: Book, evaluation: Evaluation, progress: Progress) -> None:
    measures = [Column(each.name, _kind(each)) for each in evaluation.measures]
    columns = [Column("Run"), Column("Topic"), *measures, Column(RUN_NUMBER, "whole")]
    rows = (row for number, run in enumerate(evaluation.runs, 1) for row in _topic_rows(run, number))
    _table(book, PER_TOPIC, columns, rows, progress, frozen=2, total=sum(len(run.topics) for run in evaluation.runs))


def _topic_rows(run: RunScores, number: int) -> Iterator[Sequence[Cell]]:
    for topic, values in zip(run.topics, run.values.T.tolist(), strict=True):
        yield run.run, topic, *values, number


def _kind(measure: Measure) -> Kind:
    return "whole" if measure.declaration.summary == "sum" else "number"


# What it rests on

JUDGMENT_COLUMNS = (
    Column("Topic"),
    Column("Document"),
    Column("Assessor"),
    Column("Grade", "whole"),
    Column("Unjudgeable because"),
    Column("Time (UTC)"),
    Column("Active ms", "whole"),
)
QRELS_COLUMNS = (Column("Topic"), Column("Document"), Column("Grade", "whole"))
POOL_COLUMNS = (Column("Topic"), Column("Document"), Column("Runs", "whole"), Column("Best rank", "whole"), Column("Brought by (rank)"))


def _judgment_row(judgment: Judgment) -> Sequence[Cell]:
    return (
        judgment.topic,
        judgment.document,
        judgment.assessor,
        judgment.grade,
        judgment.reason,
        judgment.time,
        judgment.active_ms,
    )


def _table(
    book: Book,
    name: str,
    columns: Sequence[Column],
    rows: Iterable[Sequence[Cell]],
    progress: Progress,
    *,
    frozen: int = 0,
    total: int | None = None,
) -> None:
    sheet = Sheet(book, name, columns, frozen=frozen)
    for row in progress.through(rows, f"Writing {name}", total=total):
        sheet.add(row)
    sheet.finish()


# What it means

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


def _legend(book: Book, measures: Sequence[Measure]) -> None:
    sheet = Sheet(book, LEGEND, LEGEND_COLUMNS, frozen=1)
    for measure in measures:
        declaration = measure.declaration
        parameters = ", ".join(f"{name} = {'none' if value is None else show(value)}" for name, value in measure.parameters)
        mean = "geometric mean" if declaration.mean == "geometric" else "mean"
        summary = f"{mean if declaration.summary == 'mean' else 'sum'} over the topics"
        reference = " ".join(declaration.references.split())
        sheet.add([measure.name, declaration.title, measure.definition, parameters, _bounds(*declaration.bounds), summary, reference])
    for column in COVERAGE:
        sheet.add([column.title, "What the means rest on", column.meaning, None, None, None, None])
    number = f"Tells the runs apart in the formulas of {SUMMARY}, whatever they are called."
    sheet.add([RUN_NUMBER, "Key of the formulas", number, None, None, None, None])
    sheet.finish()


def _bounds(low: float, high: float) -> str:
    if math.isinf(low):
        return "any number" if math.isinf(high) else f"{show(high)} or less"
    return f"{show(low)} or more" if math.isinf(high) else show(low) if low == high else f"{show(low)} to {show(high)}"


def _settings(book: Book, evaluation: Evaluation, facts: Mapping[str, str]) -> None:
    """Write the settings last, so that they end with what could not be written as it is."""
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
    if policy.profile != "irjudge":
        settings["Profile"] = f"{policy.profile}: {RULES[policy.profile].meaning}"
    if policy.depth is not None:
        settings["Depth"] = f"only the top {policy.depth:,} of each ranking"
    for name, value in [*settings.items(), *facts.items()]:
        sheet.add([name, value])
    for remark in book.remarks:
        sheet.add(["Remark", remark])
    sheet.finish()
