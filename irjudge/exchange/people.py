"""Who is to judge: names on the command line, or a table with a header."""

import csv
import io
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from irjudge.errors import FormatError, IrjudgeError
from irjudge.exchange.shares import Judge
from irjudge.formats.bytes.utf8 import decoded
from irjudge.message import Message
from irjudge.store.project import OWNER

NAMES = {
    "name": ("name", "assessor", "worker", "judge"),
    "email": ("email", "e-mail", "mail", "address"),
    "topics": ("topics", "topic"),
    "most": ("most", "maximum", "max"),
}
LONGEST = 100  # letters of a name


@dataclass(frozen=True, slots=True)
class Candidate:
    """Someone who may be asked to judge: name, address, and limits."""

    name: str
    email: str = ""
    topics: frozenset[str] | None = None
    most: int | None = None

    @property
    def judge(self) -> Judge:
        """The assessor as sharing out sees them."""
        return Judge(self.name, self.topics, self.most)


def candidates_of(given: str) -> tuple[Candidate, ...]:
    """Return the assessors a user names: a file with a header, or names with commas between them."""
    path = Path(given)
    if _is_file(path):
        return read_candidates(path)
    if path.suffix.lower() in (".csv", ".tsv", ".txt"):
        raise IrjudgeError("{given} does not exist.", given=given)
    return tuple(
        _checked(
            [Candidate(name.strip()) for name in given.split(",") if name.strip()],
            Message("The list of assessors"),
        )
    )


def _is_file(path: Path) -> bool:
    """Tell whether there is such a file; many names together are longer than a path may be."""
    try:
        return path.is_file()
    except OSError:
        return False


def read_candidates(path: Path) -> tuple[Candidate, ...]:
    """Read a table with a column `name` and, where wanted, `email`, `topics` (spaces between them) and `most`."""
    try:
        text = decoded(path.read_bytes(), path).removeprefix("\ufeff")
    except OSError as fault:
        raise FormatError(
            path, Message("cannot be read ({value})", value=fault.strerror or fault)
        ) from fault
    header = text.partition("\n")[0]
    lines = csv.reader(io.StringIO(text, newline=""), delimiter=max(",\t;", key=header.count))
    try:
        given = [cell.strip().lower() for cell in next(lines, [])]
        places = {
            field: next((given.index(name) for name in names if name in given), None)
            for field, names in NAMES.items()
        }
        if places["name"] is None:
            raise FormatError(
                path,
                Message(
                    "the header has no name, expected the columns name and, where wanted, email, topics and most",
                    key="no-name-column",
                ),
                1,
            )
        rows = [
            (lines.line_num, {field: _cell(cells, place) for field, place in places.items()})
            for cells in lines
            if any(cells)
        ]
    except csv.Error as fault:
        raise FormatError(
            path,
            Message("the line cannot be split into columns ({fault})", fault=fault),
            lines.line_num,
        ) from fault
    return tuple(_checked([_candidate(path, line, row) for line, row in rows], path.name))


def _cell(cells: list[str], place: int | None) -> str:
    return cells[place].strip() if place is not None and place < len(cells) else ""


def _candidate(path: Path, line: int, row: dict[str, str]) -> Candidate:
    if row["most"] and not (
        row["most"].isascii() and row["most"].isdigit() and len(row["most"]) < 10
    ):
        raise FormatError(
            path,
            Message(
                "{most!r} is not a number of documents", key="invalid-number", most=row["most"]
            ),
            line,
        )
    if not row["name"]:
        raise FormatError(path, Message("the name is empty", key="empty-name"), line)
    topics = frozenset(row["topics"].split()) or None
    return Candidate(row["name"], row["email"], topics, int(row["most"]) if row["most"] else None)


def _checked(people: list[Candidate], where: str) -> Iterable[Candidate]:
    """Return the people, when each can be told from the others and from the owner of a project."""
    if not people:
        raise IrjudgeError("{where} names no assessor.", key="no-assessor", where=where)
    names = [person.name for person in people]
    for name in names:
        if len(name) > LONGEST or not name.isprintable():
            raise IrjudgeError(
                "{where}: {name!r} cannot be a name; it may have {longest} letters, all of them visible.",
                key="invalid-name",
                where=where,
                name=name[:LONGEST],
                longest=LONGEST,
            )
        if name == OWNER:
            raise IrjudgeError(
                "{where}: {owner!r} is what a project calls who judges in it without a name. Choose another name.",
                key="reserved-name",
                where=where,
                owner=OWNER,
            )
        if names.count(name) > 1:
            raise IrjudgeError(
                "{where} names {name} twice; names tell assessors apart.",
                key="repeated-name",
                where=where,
                name=name,
            )
    return people
