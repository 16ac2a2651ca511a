"""Tables of interleaved searches: which team each shown document was of, and whether it was clicked."""

from dataclasses import dataclass
from pathlib import Path

from irjudge.errors import FormatError
from irjudge.formats.remarks import Remarks
from irjudge.formats.rows.tables import DOCUMENT, TOPIC, ColumnKind, read_table, whole_number
from irjudge.message import Message

SEARCH = ColumnKind("search", ("search", "search_id", "impression", "impression_id", "query_id"))
TEAM = ColumnKind("team", ("team", "ranker", "system", "run"))
CLICKED = ColumnKind("clicked", ("clicked", "click", "clicks"))
PARTS = (
    SEARCH,
    ColumnKind("topic", tuple(each for each in TOPIC.known if each != "query_id"), needed=False),
    ColumnKind("rank", ("rank", "position"), needed=False),
    DOCUMENT,
    TEAM,
    CLICKED,
)
YES, NO = ("true", "yes"), ("", "false", "no")


@dataclass(frozen=True, slots=True)
class InterleavedResult:
    """One result of one search."""

    search: str
    topic: str  # empty where the table has none
    document: str
    team: str  # empty for a document that is of no team
    clicks: int


def read_interleaved(path: Path, remarks: Remarks | None = None) -> tuple[InterleavedResult, ...]:
    """Read a table `search, topic, rank, document, team, clicked`, a row for each result that was shown.

    FormatError with the first line that does not fit, or where a document stands twice in a search.
    """
    told = remarks if remarks is not None else Remarks()
    table = read_table(path, PARTS, told)
    found, seen = list[InterleavedResult](), set[tuple[str, str]]()
    topics: dict[str, str] = {}
    for line, row in table.records():
        for part in ("search", "document"):
            if not row[part]:
                raise table.empty(part, line)
        key = row["search"], row["document"]
        if key in seen:
            raise FormatError(
                path,
                Message(
                    "document {document} stands twice in search {search}",
                    document=key[1],
                    search=key[0],
                ),
                line,
            )
        seen.add(key)
        topic = row.get("topic", "")
        if topics.setdefault(key[0], topic) != topic:
            raise FormatError(
                path, Message("search {search} has two topics, expected one", search=key[0]), line
            )
        found.append(
            InterleavedResult(
                key[0], topic, key[1], row["team"], _clicks(path, row["clicked"], line)
            )
        )
    if not found:
        raise FormatError(
            path,
            Message("the table has a header and no rows, expected results below it", key="no-rows"),
        )
    table.report_unread(told)
    return tuple(found)


def _clicks(path: Path, cell: str, line: int) -> int:
    if cell.lower() in (*YES, *NO):
        return int(cell.lower() in YES)
    count = whole_number(path, "clicked", cell, line)
    if count < 0:
        raise FormatError(
            path,
            Message("clicked {cell} is below 0, expected 0, 1 or a number of clicks", cell=cell),
            line,
        )
    return count
