"""The sheets of norming rounds: how far people agreed in each, how each document was judged and why, and who met the answers."""

from collections.abc import Iterator, Mapping, Sequence

from irjudge.judging.norming import NormedSession, RoundDocument
from irjudge.progress import Progress
from irjudge.report.tables import Cell
from irjudge.report.workbook.findings import EVERYTHING
from irjudge.report.workbook.sheet_writer import Book, WorkbookColumn, write_table

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
    WorkbookColumn("95 % low", "number"),
    WorkbookColumn("95 % high", "number"),
    WorkbookColumn("Undefined because, or how"),
)
DOCUMENT_COLUMNS = (
    WorkbookColumn("Session", "whole"),
    WorkbookColumn("Round", "whole"),
    WorkbookColumn("Topic"),
    WorkbookColumn("Document"),
    WorkbookColumn("Judgments", "whole"),
    WorkbookColumn("Grades"),
    WorkbookColumn("Split"),
    WorkbookColumn("Stays split"),
    WorkbookColumn("Reasons", "words", 60),
)
QUALIFIED_COLUMNS = (
    WorkbookColumn("Session", "whole"),
    WorkbookColumn("Round", "whole"),
    WorkbookColumn("Person"),
    WorkbookColumn("Met", "whole"),
    WorkbookColumn("Of", "whole"),
)
ROUND_NOTE = (
    "Everybody judged the same documents blind, talked about them once the round was closed for all, and judged again. A document is "
    "split where no answer has more than two thirds of the judgments. In qrels and agreement the first, blind judgment counts."
)


def round_rows(sessions: Sequence[NormedSession]) -> Iterator[Sequence[Cell]]:
    """Yield a row for each statistic of each round: of all grades, and of each grade against the others."""
    for each in sessions:
        for found in each.rounds:
            for one in found.agreement:
                about = (
                    each.session.code,
                    found.number,
                    one.of or EVERYTHING,
                    one.statistic,
                    one.scale,
                    found.people,
                )
                yield (*about, one.used, one.value, one.low, one.high, one.reason)


def round_document_rows(sessions: Sequence[NormedSession]) -> Iterator[Sequence[Cell]]:
    """Yield a row for each document of each round: how it was judged, whether people are split over it, and reasons that were kept."""
    for each in sessions:
        stays = set(each.stayed_split)
        for found in each.rounds:
            for one in found.documents:
                reasons = "\n".join(f"{grade}: {words}" for grade, words, _ in one.reasons)
                split = "yes" if one.split else "", "yes" if one.pair in stays else ""
                yield (
                    each.session.code,
                    found.number,
                    *one.pair,
                    one.votes,
                    counts_words(one),
                    *split,
                    reasons,
                )


def counts_words(document: RoundDocument) -> str:
    """Return how often each grade was given.

    >>> counts_words(RoundDocument(1, ("1", "d"), ((0, 2), (1, 0), (2, 5)), 1, ()))
    '0 × 2, 2 × 5, unjudgeable × 1'
    """
    counts = [
        *((str(grade), count) for grade, count in document.counts),
        ("unjudgeable", document.unjudgeable),
    ]
    return ", ".join(f"{grade} × {count}" for grade, count in counts if count)


def qualified_rows(
    sessions: Sequence[NormedSession], names: Mapping[str, str]
) -> Iterator[Sequence[Cell]]:
    """Yield a row for each person of each round that qualifies: how many answers they met."""
    for each in sessions:
        for found in each.rounds:
            for person, (met, asked) in found.qualified.items():
                yield each.session.code, found.number, names.get(person, person), met, asked


def write_rounds(
    book: Book, sessions: Sequence[NormedSession], names: Mapping[str, str], progress: Progress
) -> None:
    """Write the sheets of the rounds; none where there were none."""
    write_table(book, ROUNDS, ROUND_COLUMNS, round_rows(sessions), progress, frozen=2)
    write_table(
        book, ROUND_DOCUMENTS, DOCUMENT_COLUMNS, round_document_rows(sessions), progress, frozen=4
    )
    qualified = list(qualified_rows(sessions, names))
    if qualified:
        write_table(book, QUALIFIED, QUALIFIED_COLUMNS, qualified, progress)
