"""Sheets of workbooks with judgments, qrels, the pool and norming rounds."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from irjudge.judging import AdjudicatedGrade, Marks, NormingSession, RoundDocument
from irjudge.model import Event, PageSeen, Pool, Rationale, format_rationales, topic_of_each_row
from irjudge.progress import Progress
from irjudge.report.tables import Cell
from irjudge.report.workbook.evaluation_sheets import ALL_ITEMS, title_cells, title_column
from irjudge.report.workbook.sheet_writer import (
    SheetCell,
    WorkbookColumn,
    WorkbookWriter,
    write_table,
)

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
