"""Judgments of several assessors as a table with a header: topic, document, assessor, grade, in any order."""

import csv
import io
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from irjudge.errors import FormatError
from irjudge.formats.columns import WHOLE
from irjudge.formats.utf8 import decoded

NAMES = {
    "topic": ("topic", "query", "qid", "query_id"),
    "document": ("document", "doc", "docno", "docid", "doc_id"),
    "assessor": ("assessor", "worker", "judge", "annotator"),
    "grade": ("grade", "label", "relevance", "rel"),
}
SEPARATORS = ",\t;"


@dataclass(frozen=True, slots=True)
class LabelRow:
    """One judgment of one assessor, and its line in the file."""

    line: int
    topic: str
    document: str
    assessor: str
    grade: int


def read_judgments(path: Path) -> tuple[LabelRow, ...]:
    """Read a table of judgments: comma, tab or semicolon between columns, quotes where needed, UTF-8.

    Raises
    ------
    FormatError
        With the first line that does not fit; nothing is returned then.
    """
    try:
        text = decoded(path.read_bytes(), path).removeprefix("\ufeff")
    except OSError as fault:
        raise FormatError(path, f"cannot be read ({fault.strerror or fault})") from fault
    header = text.partition("\n")[0]
    separator = max(SEPARATORS, key=header.count)
    lines = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
    try:
        places = _places(path, next(lines, []))
        return tuple(_rows(path, lines, places))
    except csv.Error as fault:
        raise FormatError(path, f"the line cannot be split into columns ({fault})", lines.line_num) from fault


def _places(path: Path, header: list[str]) -> dict[str, int]:
    """Return in which column each field stands."""
    given = [name.strip().lower() for name in header]
    places = {}
    for field, names in NAMES.items():
        found = next((given.index(name) for name in names if name in given), None)
        if found is None:
            raise FormatError(path, f"the header has no {field}, expected the columns topic, document, assessor, grade", 1)
        places[field] = found
    return places


def _rows(path: Path, lines: Any, places: dict[str, int]) -> Iterator[LabelRow]:
    for cells in lines:
        line = lines.line_num
        if not any(cell.strip() for cell in cells):
            continue
        if len(cells) <= max(places.values()):
            raise FormatError(path, f"{len(cells)} columns, expected {max(places.values()) + 1} or more as in the header", line)
        fields = {field: cells[place].strip() for field, place in places.items()}
        empty = [field for field, value in fields.items() if not value]
        if empty:
            raise FormatError(path, f"the {empty[0]} is empty", line)
        if not WHOLE.fullmatch(fields["grade"]) or len(fields["grade"]) > 4:
            raise FormatError(path, f"grade {fields['grade']!r} is not a whole number", line)
        yield LabelRow(line, fields["topic"], fields["document"], fields["assessor"], int(fields["grade"]))
