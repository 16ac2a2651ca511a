"""RIS files of reference managers: records of tagged lines (`TI  - Title`) from `TY` to `ER`."""

import re
from collections.abc import Iterator, Mapping

from irjudge.errors import FormatError
from irjudge.formats.bytes.archives import ArchiveEntry
from irjudge.formats.bytes.utf8 import LONGEST, every_line, folded, megabytes
from irjudge.formats.remarks import Remarks
from irjudge.formats.rows.records import checked_id
from irjudge.message import Message
from irjudge.model.documents import Document

_STARTS = re.compile(rb"(?:\xef\xbb\xbf)?\s*+TY {2}- [A-Z]++\s")
_TAGGED = re.compile(r"([A-Z][A-Z0-9])  -(?: (.*))?$")
TITLE_TAGS = ("TI", "T1", "CT")
ABSTRACT_TAGS = ("AB", "N2")
ID_TAGS = ("ID", "AN", "DO")  # the manager's id, the database's accession number, the DOI
FIELDS = {
    "authors": ("AU", "A1"),
    "year": ("PY", "Y1"),
    "journal": ("JO", "JF", "T2"),
    "keywords": ("KW",),
}
Tags = Mapping[str, list[str]]


def is_ris(head: bytes) -> bool:
    """Return whether a file that begins with `head` is RIS."""
    return bool(_STARTS.match(head))


def ris_documents(entry: ArchiveEntry, remarks: Remarks) -> Iterator[Document]:
    """Yield the references of a file: title and abstract, with authors, year and so on as fields.

    A reference is identified by its ID, accession number or DOI.

    Raises
    ------
    FormatError
        A reference has none of these, or its record is too long.
    """
    for line, tags in _records(entry):
        id = _first(tags, ID_TAGS)
        if not id:
            raise FormatError(
                entry.where,
                Message("the reference has no ID, AN or DO", key="no-id"),
                line,
            )
        fields = ((name, ", ".join(_all(tags, of))) for name, of in FIELDS.items())
        yield Document(
            checked_id(id, entry.where, line, remarks),
            "\n\n".join(_all(tags, ABSTRACT_TAGS)).encode(),
            folded(_first(tags, TITLE_TAGS)),
            fields=tuple(each for each in fields if each[1]),
        )


def _records(entry: ArchiveEntry) -> Iterator[tuple[int, dict[str, list[str]]]]:
    """Yield the first line and the values by tag of each record; a line without a tag goes on."""
    tags: dict[str, list[str]] = {}
    begins, size, values = 0, 0, list[str]()
    for number, line in every_line(entry.stream, entry.where):
        tagged = _TAGGED.match(line)
        if tagged and tagged[1] in ("TY", "ER"):
            if tags:
                yield begins, tags
            tags, begins, size, values = {}, number, 0, []
        elif tagged:
            values = tags.setdefault(tagged[1], [])
            values.append((tagged[2] or "").strip())
        elif values and line.strip():
            values[-1] = f"{values[-1]}\n{line.strip()}".strip()
        size += len(line)
        if size > LONGEST:
            problem = Message(
                "no end of the record within {megabytes}",
                key="no-end",
                megabytes=megabytes(LONGEST),
            )
            raise FormatError(entry.where, problem, begins)
    if tags:
        yield begins, tags


def _all(tags: Tags, names: tuple[str, ...]) -> list[str]:
    """Return the values of the first of some tags that a record has."""
    return next((found for name in names if (found := list(filter(None, tags.get(name, ()))))), [])


def _first(tags: Tags, names: tuple[str, ...]) -> str:
    return next(iter(_all(tags, names)), "")
