"""Judgments of several assessors as a table with a header: topic and document (or item), assessor, grade and more, in any order."""

import csv
import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from irjudge.errors import FormatError, Undecided
from irjudge.formats.bytes.replacing import replacing
from irjudge.formats.judgments.labels import LABEL, NO_LABEL, REFUSED, SECONDS, WORKER, seconds_of
from irjudge.formats.judgments.platforms import read_crowd_table
from irjudge.formats.remarks import Remarks
from irjudge.formats.rows.cells import neutral
from irjudge.formats.rows.mapping import Columns, unknown_columns
from irjudge.formats.rows.tables import AS_SAID, ASSESSOR, DOCUMENT, GRADE, TOPIC, Part, Table, is_whole, whole_number
from irjudge.message import Message
from irjudge.model.ranking import UNJUDGEABLE

# Beside the names that people give columns stand those of Mechanical Turk, which puts `Input.` or `Answer.` in front.
TOPIC_OF_ITEM, DOCUMENT_OF_ITEM = replace(TOPIC, needed=False), replace(DOCUMENT, needed=False)
ITEM = Part("item", ("item", "input.item", "item_id", "itemid"), needed=False, suggested=True)
WHO = replace(ASSESSOR, known=tuple(dict.fromkeys((*ASSESSOR.known, *WORKER.known))))
GIVEN = replace(GRADE, known=tuple(dict.fromkeys((*GRADE.known, *LABEL.known, "answer.grade", "answer.label"))))
TIME = Part("time", ("time", "timestamp", "date"), needed=False)
NOTE = Part("note", ("note", "comment", "remark"), needed=False, verbatim=True)
UNSURE = Part("unsure", ("unsure",), needed=False)
SHOWING = Part("showing", ("showing",), needed=False)
BECAUSE = Part("unjudgeable_because", ("unjudgeable_because",), needed=False)
PARTS = (TOPIC_OF_ITEM, DOCUMENT_OF_ITEM, ITEM, WHO, GIVEN, TIME, NOTE, UNSURE, SECONDS, SHOWING, BECAUSE)
# Crowd platforms speak of workers and labels.
ALIASES = {"worker": WHO.name, "label": GIVEN.name}
WRITTEN = tuple(part.name for part in PARTS if part is not ITEM)
UNUSABLE = "unjudgeable"
YES, NO = frozenset({"yes", "true", "1", "x"}), frozenset({"", "no", "false", "0"})
LARGEST_GRADE = 9999


@dataclass(frozen=True, slots=True)
class LabelRow:
    """One judgment of one assessor.

    Parameters
    ----------
    line
        In the file.
    topic, document
        Both empty where only the item says what was judged.
    assessor, grade
        Who gave which grade; `UNJUDGEABLE` (-2) where the document could not be judged.
    time, note
        Empty where the table has none.
    unsure
        Whether the assessor flagged it.
    seconds
        How long it took; None where that is not known.
    showing
        2 where the document was planted a second time and this was said of that.
    because
        Why the document could not be judged; empty where that is not said.
    item
        The code that a task file gave to topic and document; empty where there is none.
    """

    line: int
    topic: str
    document: str
    assessor: str
    grade: int
    time: str = ""
    note: str = ""
    unsure: bool = False
    seconds: float | None = None
    showing: int = 1
    because: str = ""
    item: str = ""


@dataclass(frozen=True, slots=True)
class JudgmentFile:
    """The judgments of one table, in its order.

    Parameters
    ----------
    rows
        Those that have a grade.
    remarks
        What was recognised and strange, a sentence each.
    header
        The names of its columns; empty where columns were said by number.
    reading
        Which column was read as what, in words.
    """

    rows: tuple[LabelRow, ...]
    remarks: tuple[str, ...]
    header: tuple[str, ...] = ()
    reading: str = ""


def read_judgments(
    path: Path, *, columns: Columns = AS_SAID, encoding: str | None = None, words: Mapping[str, int] | None = None
) -> JudgmentFile:
    """Read a table of judgments: comma, tab or semicolon between columns, quotes where needed, or a spreadsheet.

    Parameters
    ----------
    path
        Text, plain or packed with gzip, or .xlsx. It has an assessor and a grade, and topic and document or an item. A row without a
        grade is left out, which the remarks say.
    columns
        Which columns hold the `PARTS`, where names do not tell.
    encoding
        Of the text; None detects one where it is not UTF-8.
    words
        What grades are called in words, in small letters; `unjudgeable` and -2 always say that a document could not be judged.

    Raises
    ------
    FormatError
        With the first line that does not fit; nothing is returned then. `Undecided` where the columns do not tell.
    """
    remarks = Remarks()
    table = read_crowd_table(path, PARTS, remarks, columns=columns, encoding=encoding)
    _check_columns(table)
    rows = tuple(_rows(table, words or {}, remarks))
    remarks.unread(table.unread)
    return JudgmentFile(rows, remarks.about(path.name), table.header, table.reading())


def _check_columns(table: Table) -> None:
    """Refuse a table that does not say what was judged."""
    if ITEM.name not in table.places and not {"topic", "document"} <= set(table.places):
        lacking = next(part for part in ("topic", "document") if part not in table.places)
        listed = unknown_columns(table.header, (ITEM.name, WHO.name, GIVEN.name))
        raise Undecided(
            table.path, Message("the header has no {lacking}, nor an item; {listed}", lacking=lacking, listed=listed), ("columns",), 1
        )


def _rows(table: Table, words: Mapping[str, int], remarks: Remarks) -> Iterator[LabelRow]:
    path = table.path
    for line, fields in table.records():
        item = fields.get("item", "")
        for part in (WHO.name, *(() if item else ("topic", "document"))):
            if not fields.get(part):
                raise table.empty(part, line)
        if not fields["grade"]:
            remarks.add(NO_LABEL, Message("line {line}", line=line))
            continue
        yield LabelRow(
            line,
            fields.get("topic", ""),
            fields.get("document", ""),
            fields["assessor"],
            _grade(path, line, fields["grade"], words),
            fields.get("time", ""),
            fields.get("note", ""),
            _unsure(path, line, fields.get("unsure", "")),
            _seconds(path, line, fields.get("seconds", "")),
            whole_number(path, "showing", fields["showing"], line) if fields.get("showing") else 1,
            fields.get(BECAUSE.name, ""),
            item,
        )


def _grade(path: Path, line: int, text: str, words: Mapping[str, int]) -> int:
    folded = text.casefold()
    if folded in REFUSED:
        return UNJUDGEABLE
    if folded in words and not is_whole(text):
        return words[folded]
    grade = whole_number(path, "grade", text, line)
    if abs(grade) > LARGEST_GRADE:
        raise FormatError(path, Message("grade {grade} is too large, expected one that a scale can have", grade=grade), line)
    return grade


def _seconds(path: Path, line: int, text: str) -> float | None:
    seconds = seconds_of(path, line, text)
    return None if math.isnan(seconds) else seconds


def _unsure(path: Path, line: int, text: str) -> bool:
    folded = text.casefold()
    if folded not in YES | NO:
        raise FormatError(path, Message("unsure is {text!r}, expected yes or nothing", text=text[:20]), line)
    return folded in YES


Cells = tuple[str, str, str, int | str, str, str, str, float | None, int | None, str]


def cells_of(path: Path, row: LabelRow) -> Cells:
    """Return what stands in the columns `WRITTEN` for a judgment; None is an empty cell.

    Raises
    ------
    FormatError
        When an id has blanks around it, or a text a zero byte, so that it would not read back as it was; `path` is named then.
    """
    for text in (row.topic, row.document, row.assessor):
        if not text or text != text.strip():
            raise FormatError(path, Message("{text!r} is empty or has blanks around it, which a table cannot say", text=text))
    if any("\0" in text for text in (row.topic, row.document, row.assessor, row.time, row.note, row.because)):
        raise FormatError(
            path,
            Message(
                "topic {topic!r}, document {document!r}: a zero byte, which a table cannot hold", topic=row.topic, document=row.document
            ),
        )
    grade = UNUSABLE if row.grade == UNJUDGEABLE else row.grade
    showing = row.showing if row.showing != 1 else None
    return (
        row.topic,
        row.document,
        row.assessor,
        grade,
        row.time,
        row.note,
        "yes" if row.unsure else "",
        row.seconds,
        showing,
        row.because,
    )


def write_judgments(path: Path, rows: Iterable[LabelRow]) -> int:
    """Write judgments as CSV, whole or not at all, and return how many; `read_judgments` reads them back equal but for their lines.

    Items are not written: topic and document say what was judged. What begins as a formula has an apostrophe before it (`neutral`).

    Raises
    ------
    IrjudgeError
        When a text cannot be written, or the file cannot.
    """
    count = 0
    with replacing(path) as part, part.open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file)
        table.writerow(WRITTEN)
        for count, row in enumerate(rows, 1):  # noqa: B007 -- the last number is the result
            table.writerow(map(neutral, cells_of(path, row)))
    return count
