"""Judgments of several assessors as a table with a header: topic, document, assessor, grade and more, in any order."""

import csv
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from irjudge.errors import FormatError
from irjudge.formats.mapping import Columns
from irjudge.formats.remarks import Remarks
from irjudge.formats.replacing import replacing
from irjudge.formats.tables import AS_SAID, ASSESSOR, DOCUMENT, GRADE, TOPIC, Part, Table, read_table, whole_number

TIME = Part("time", ("time", "timestamp", "date"), needed=False)
NOTE = Part("note", ("note", "comment", "remark"), needed=False, verbatim=True)
NEEDED = (TOPIC, DOCUMENT, ASSESSOR, GRADE)
PARTS = (*NEEDED, TIME, NOTE)


@dataclass(frozen=True, slots=True)
class LabelRow:
    """One judgment of one assessor, and its line in the file; time and note are empty where the table has none."""

    line: int
    topic: str
    document: str
    assessor: str
    grade: int
    time: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class JudgmentFile:
    """The judgments of one table, in its order, and what was recognised and strange, a sentence each."""

    rows: tuple[LabelRow, ...]
    remarks: tuple[str, ...]


def read_judgments(path: Path, *, columns: Columns = AS_SAID, encoding: str | None = None) -> JudgmentFile:
    """Read a table of judgments: comma, tab or semicolon between columns, quotes where needed, or a spreadsheet.

    Parameters
    ----------
    path
        Text, plain or packed with gzip, or .xlsx.
    columns
        Which columns hold the `PARTS`, where names do not tell.
    encoding
        Of the text; None detects one where it is not UTF-8.

    Raises
    ------
    FormatError
        With the first line that does not fit; nothing is returned then.
    """
    remarks = Remarks()
    table = read_table(path, PARTS, remarks, columns=columns, encoding=encoding)
    rows = tuple(_rows(path, table))
    remarks.unread(table.unread)
    return JudgmentFile(rows, tuple(f"{path.name}: {sentence}" for sentence in remarks.sentences()))


def _rows(path: Path, table: Table) -> Iterator[LabelRow]:
    for line, fields in table.records():
        for part in NEEDED:
            if not fields[part.name]:
                raise FormatError(path, f"the {part.name} is empty", line)
        grade = whole_number(path, "grade", fields["grade"], line)
        if abs(grade) > 9999:
            raise FormatError(path, f"grade {grade} is too large, expected one that a scale can have", line)
        yield LabelRow(line, fields["topic"], fields["document"], fields["assessor"], grade, fields.get("time", ""), fields.get("note", ""))


def write_judgments(path: Path, rows: Iterable[LabelRow]) -> int:
    """Write judgments as CSV, whole or not at all, and return how many; `read_judgments` reads them back equal but for their lines.

    Raises
    ------
    IrjudgeError
        When a text cannot be written, or the file cannot.
    """
    count = 0
    with replacing(path) as part, part.open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file)
        table.writerow([part.name for part in PARTS])
        for count, row in enumerate(rows, 1):  # noqa: B007 -- the last number is the result
            _check(path, row)
            table.writerow((row.topic, row.document, row.assessor, row.grade, row.time, row.note))
    return count


def _check(path: Path, row: LabelRow) -> None:
    """Refuse what would not read back as it was."""
    for text in (row.topic, row.document, row.assessor):
        if not text or text != text.strip():
            raise FormatError(path, f"{text!r} is empty or has blanks around it, which a table cannot say")
    if any("\0" in text for text in (row.topic, row.document, row.assessor, row.time, row.note)):
        raise FormatError(path, f"topic {row.topic!r}, document {row.document!r}: a zero byte, which a table cannot hold")
