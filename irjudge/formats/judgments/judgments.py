"""Tables of judgments by several assessors.

The columns may be in any order: topic and document (or item), assessor, grade, optional columns.
"""

import csv
import math
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path

import numpy as np

from irjudge.errors import FormatError, Undecided
from irjudge.formats.bytes import replace_file
from irjudge.formats.judgments.crowd_platforms import read_crowd_table
from irjudge.formats.judgments.labels import (
    LABEL,
    NO_LABEL,
    NOT_JUDGED,
    SECONDS,
    UNJUDGEABLE_LABELS,
    WORKER,
    parse_seconds,
)
from irjudge.formats.rankings import (
    DECIMAL,
    GradeMap,
    GradeRules,
    fold_word,
    is_word,
    make_unmapped_rating_error,
    suggest_words,
    to_grade_column,
)
from irjudge.formats.reader_warnings import ReaderWarnings
from irjudge.formats.rows import (
    ASSESSOR,
    DOCUMENT,
    GRADE,
    MAX_LISTED,
    MAX_SHOWN_CHARACTERS,
    NAMED_MAPPING,
    TOPIC,
    ColumnKind,
    ColumnMapping,
    ReadTable,
    describe_columns,
    escape_formula,
    is_integer,
    parse_integer,
)
from irjudge.message import Message, join_messages
from irjudge.model import (
    ACTORS,
    UNJUDGEABLE,
    UNJUDGED,
    Actor,
    Rationale,
    format_rationales,
    parse_rationales,
)

# columns of tables of judgments; topic and document are optional if there is an item column
TOPIC_OF_ITEM, DOCUMENT_OF_ITEM = replace(TOPIC, needed=False), replace(DOCUMENT, needed=False)
ITEM = ColumnKind("item", ("item", "input.item", "item_id", "itemid"), needed=False, suggested=True)
ASSESSOR_COLUMN = replace(
    ASSESSOR, column_names=tuple(dict.fromkeys((*ASSESSOR.column_names, *WORKER.column_names)))
)
GRADE_COLUMN = replace(
    GRADE,
    column_names=tuple(
        dict.fromkeys((*GRADE.column_names, *LABEL.column_names, "answer.grade", "answer.label"))
    ),
)
TIME = ColumnKind("time", ("time", "timestamp", "date"), needed=False)
NOTE = ColumnKind("note", ("note", "comment", "remark"), needed=False, verbatim=True)
UNSURE = ColumnKind("unsure", ("unsure",), needed=False)
PRESENTATION = ColumnKind("showing", ("showing",), needed=False)
UNJUDGEABLE_REASON = ColumnKind("unjudgeable_because", ("unjudgeable_because",), needed=False)
KIND = ColumnKind("kind", ("kind", "assessor_kind"), needed=False)
RATIONALES = ColumnKind("rationales", ("rationales",), needed=False, verbatim=True)
JUDGMENT_PARTS = (
    TOPIC_OF_ITEM,
    DOCUMENT_OF_ITEM,
    ITEM,
    ASSESSOR_COLUMN,
    GRADE_COLUMN,
    TIME,
    NOTE,
    UNSURE,
    SECONDS,
    PRESENTATION,
    UNJUDGEABLE_REASON,
    KIND,
    RATIONALES,
)
# names that crowd platforms use for columns
JUDGMENT_ALIASES = {"worker": ASSESSOR_COLUMN.name, "label": GRADE_COLUMN.name}
WRITTEN_COLUMNS = tuple(
    part.name for part in JUDGMENT_PARTS if part not in (ITEM, KIND, RATIONALES)
)
UNJUDGEABLE_LABEL = "unjudgeable"
YES_TEXTS, NO_TEXTS = frozenset({"yes", "true", "1", "x"}), frozenset({"", "no", "false", "0"})
MAX_GRADE = 9999
TURK_TIME = re.compile(
    r"\w{3} (?P<month>\w{3}) (?P<day>\d{1,2}) (?P<clock>\d{2}:\d{2}:\d{2}) (?P<zone>\w{3}) (?P<year>\d{4})",
    re.ASCII,
)
MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()
HOURS_BEHIND_UTC = {"UTC": 0, "GMT": 0, "PDT": 7, "PST": 8}


@dataclass(frozen=True, slots=True)
class JudgmentFileRow:
    """Row of a file of judgments to import or export: one judgment by one assessor or model.

    The judgment is a grade or unjudgeable (-2). Adjudications are exported as rows, too.
    """

    line: int  # line in the file; 0 for exported rows
    topic: str  # topic id; empty if the file has only an item code
    document: str  # document id; empty if the file has only an item code
    assessor: str  # name of the assessor
    grade: int  # grade; `UNJUDGEABLE` (-2) for an unjudgeable document
    # time of judging, in UTC if exported; empty if unknown
    time: str = ""
    note: str = ""
    unsure: bool = False  # whether the assessor flagged the judgment as unsure
    seconds: float | None = None  # seconds taken for the judgment; None if unknown
    # number of the presentation of the document to the assessor, from 1
    showing: int = 1
    because: str = ""  # reason for an unjudgeable document; may be empty
    item: str = ""  # item code of a task; empty if there is none
    kind: Actor | None = None  # whether the assessor is a person or a model; None if unknown
    # passages that the assessor saved as rationales, in file order
    rationales: tuple[Rationale, ...] = ()


@dataclass(frozen=True, slots=True)
class JudgmentFile:
    """Content of a table of judgments: the judgments in file order, and the reader's warnings."""

    rows: tuple[JudgmentFileRow, ...]  # judgments; rows without a grade are omitted
    warnings: tuple[str, ...]  # warnings, and messages about the recognised format and columns
    # column names; empty if columns were mapped by number. If the user mapped columns, the project
    # saves the mapping under these names, for later files
    header: tuple[str, ...] = ()
    mapping_text: str = ""  # mapping of columns, as text for messages


def read_judgments(
    path: Path,
    *,
    columns: ColumnMapping = NAMED_MAPPING,
    encoding: str | None = None,
    words: Mapping[str, int] | None = None,
    grades: GradeMap | GradeRules | None = None,
    scale: Collection[int] = (),
    assessor: str = "",
) -> JudgmentFile:
    """Read a table of judgments from a file or spreadsheet.

    In a text file, the columns are separated by commas, tabs or semicolons. `assessor` is the
    assessor of all judgments if the table has no column for assessors. `words` maps labels to
    grades. `grades` converts the numbers and words in the table to grades of the scale. If `scale`
    is not empty, other grades raise Undecided.
    """
    warnings = ReaderWarnings()
    table = read_crowd_table(
        path, JUDGMENT_PARTS, warnings, columns=columns, encoding=encoding, assessor=assessor
    )
    if ITEM.name not in table.index_of_part and not {"topic", "document"} <= set(
        table.index_of_part
    ):
        raise Undecided(
            table.path,
            Message(
                "the header has neither {part} nor item; {columns}",
                key="no-column",
                part="document" if "topic" in table.index_of_part else "topic",
                columns=describe_columns(
                    table.candidates(),
                    (ITEM.name, ASSESSOR_COLUMN.name, GRADE_COLUMN.name),
                    known_columns=table.columns(),
                ),
            ),
            ("columns",),
            1,
        )
    rules = GradeRules.from_grades(grades).with_words(words or {})
    _check_answers(table, rules)
    rows = tuple(_iter_rows(table, rules, scale, warnings))
    _check_scale(path, rows, scale)
    table.report_unread(warnings)
    return JudgmentFile(
        rows, warnings.format_for(path.name), table.header, table.describe_mapping()
    )


def _check_scale(path: Path, rows: Iterable[JudgmentFileRow], scale: Collection[int]) -> None:
    """Raise Undecided if any grade is not on the scale; the error lists all such grades."""
    unknown_grades: dict[int, int] = {}
    for row in rows if scale else ():
        if row.grade not in (*scale, UNJUDGEABLE):
            unknown_grades.setdefault(row.grade, row.line)
    if unknown_grades:
        raise Undecided(
            path,
            Message(
                "the file has grades that are not on the scale ({found}); the scale has {values}. "
                "Map each grade with --grades",
                key="unknown-grade",
                found=", ".join(map(str, sorted(unknown_grades))),
                values=", ".join(map(str, sorted(scale))),
            ),
            ("grades",),
            next(iter(unknown_grades.values())),
        )


def _iter_rows(
    table: ReadTable,
    rules: GradeRules,
    scale: Collection[int],
    warnings: ReaderWarnings,
) -> Iterator[JudgmentFileRow]:
    """Yield the judgments in a table; warn about rows without a grade or with -1 (unjudged)."""
    path = table.path
    for line, fields in table.records():
        item = fields.get("item", "")
        for part in (ASSESSOR_COLUMN.name, *(() if item else ("topic", "document"))):
            if not fields.get(part):
                raise table.make_empty_cell_error(part, line)
        if not fields["grade"]:
            warnings.add(NO_LABEL, Message("line {line}", line=line))
            continue
        grade = _parse_grade(path, line, fields["grade"], rules)
        if grade == UNJUDGED and grade not in scale:
            warnings.add(NOT_JUDGED, Message("line {line}", line=line))
            continue
        yield JudgmentFileRow(
            line,
            fields.get("topic", ""),
            fields.get("document", ""),
            fields["assessor"],
            grade,
            to_utc(fields.get("time", "")),
            fields.get("note", ""),
            _parse_unsure(path, line, fields.get("unsure", "")),
            _parse_seconds(path, line, fields.get("seconds", "")),
            parse_integer(path, "showing", fields["showing"], line) if fields.get("showing") else 1,
            fields.get(UNJUDGEABLE_REASON.name, ""),
            item,
            _parse_kind(path, line, fields.get(KIND.name, "")),
            _parse_rationales(path, line, fields.get(RATIONALES.name, "")),
        )


def to_utc(text: str) -> str:
    """Convert a timestamp of Mechanical Turk to ISO 8601 in UTC; return other texts unchanged.

    >>> to_utc("Wed Apr 14 18:29:32 PDT 2010")
    '2010-04-15T01:29:32Z'
    """
    match = TURK_TIME.fullmatch(text)
    if not match or match["month"] not in MONTHS or match["zone"] not in HOURS_BEHIND_UTC:
        return text
    timestamp = f"{match['year']}-{MONTHS.index(match['month']) + 1:02}-{int(match['day']):02}T{match['clock']}"
    try:
        return f"{(datetime.fromisoformat(timestamp) + timedelta(hours=HOURS_BEHIND_UTC[match['zone']])).isoformat()}Z"
    except (ValueError, OverflowError):
        return text


def _check_answers(table: ReadTable, rules: GradeRules) -> None:
    """Raise an error if the table contains answers that are not grades.

    The error lists these answers and the line of the first one. Undecided is raised if all of them
    are words or fractions, which the user can map to grades; otherwise FormatError is raised.
    """
    rows = list(table.rows)
    table.rows, index = iter(rows), table.index_of_part[GRADE_COLUMN.name]
    unknown_answers: dict[str, int] = {}
    known_answers = {*UNJUDGEABLE_LABELS, *rules.words}
    numbers: set[float] = set()
    for line, cells in rows:
        text = cells[index].strip() if index < len(cells) else ""
        if text and not is_integer(text) and fold_word(text) not in known_answers:
            unknown_answers.setdefault(text, line)
        numbers |= {float(text)} if is_integer(text) or DECIMAL.fullmatch(text) else set()
    if unknown_answers and all(map(DECIMAL.fullmatch, unknown_answers)):
        if rules.numbers is None and not rules.cuts:
            to_grade_column(table.path, [*numbers], None)
        return
    if unknown_answers:
        texts = join_messages(
            [repr(text[:MAX_SHOWN_CHARACTERS]) for text in [*unknown_answers][:MAX_LISTED]]
        )
        words = ", ".join(rules.words)
        problem = Message(
            "{problem}{known}",
            key="not-whole",
            problem=Message("grade {grades} is not a whole number", grades=texts)
            if len(unknown_answers) == 1
            else Message("grades {grades} are not whole numbers", grades=texts),
            known=Message("; known names: {words}", words=words) if words else "",
        )
        line = next(iter(unknown_answers.values()))
        if not all(map(is_word, unknown_answers)):
            raise FormatError(table.path, problem, line)
        raise Undecided(
            table.path,
            Message(
                '{problem}; map the grades with --grades "{example}"',
                key="not-whole",
                problem=problem,
                example=suggest_words(unknown_answers),
            ),
            ("grades",),
            line,
        )


def _parse_grade(path: Path, line: int, text: str, rules: GradeRules) -> int:
    folded_text = fold_word(text)
    if not is_integer(text) and folded_text in rules.words:
        return rules.words[folded_text]
    if folded_text in UNJUDGEABLE_LABELS:
        return UNJUDGEABLE
    if rules.cuts and float(text) >= 0:
        return int(rules.cut(np.array([float(text)]))[0])
    if (pairs := rules.numbers) is not None:
        if (value := float(text)) not in pairs:
            raise make_unmapped_rating_error(path, value, line)
        return pairs[value]
    grade = parse_integer(path, "grade", text, line)
    if abs(grade) > MAX_GRADE:
        raise FormatError(
            path,
            Message(
                "grade {grade} is too large for a scale",
                key="large-grade",
                grade=grade,
            ),
            line,
        )
    return grade


def _parse_seconds(path: Path, line: int, text: str) -> float | None:
    seconds = parse_seconds(path, line, text)
    return None if math.isnan(seconds) else seconds


def _parse_kind(path: Path, line: int, text: str) -> Actor | None:
    kind = next((actor for actor in ACTORS if actor == text.casefold()), None)
    if text and kind is None:
        raise FormatError(
            path, Message("kind is {text!r}; expected person or model", text=text[:20]), line
        )
    return kind


def _parse_unsure(path: Path, line: int, text: str) -> bool:
    folded_text = text.casefold()
    if folded_text not in YES_TEXTS | NO_TEXTS:
        raise FormatError(
            path,
            Message(
                "unsure is {text!r}; expected yes or an empty cell", key="not-yes", text=text[:20]
            ),
            line,
        )
    return folded_text in YES_TEXTS


def _parse_rationales(path: Path, line: int, text: str) -> tuple[Rationale, ...]:
    try:
        return parse_rationales(text)
    except ValueError as error:
        raise FormatError(
            path,
            Message(
                "rationales is {text!r}; expected a JSON list of objects with text, begin and end",
                text=text[:MAX_SHOWN_CHARACTERS],
            ),
            line,
        ) from error


Cells = tuple[str | float | None, ...]


def list_used_columns(rows: Iterable[JudgmentFileRow]) -> tuple[str, ...]:
    """Return the names of the columns that are written for judgments.

    The kind of assessor is written only if an assessor is a model, and rationales only if there
    are any.
    """
    rows = list(rows)
    kind = (KIND.name,) if any(row.kind == "model" for row in rows) else ()
    rationales = (RATIONALES.name,) if any(row.rationales for row in rows) else ()
    return (*WRITTEN_COLUMNS, *kind, *rationales)


def to_cells(path: Path, row: JudgmentFileRow, columns: Sequence[str] = WRITTEN_COLUMNS) -> Cells:
    """Return the cells of a judgment in the given columns; a missing value is an empty cell."""
    for text in (row.topic, row.document, row.assessor):
        if not text or text != text.strip():
            raise FormatError(
                path,
                Message(
                    "{text!r} is empty, or has a space at its beginning or end; a table cannot "
                    "represent it",
                    text=text,
                ),
            )
    texts = (row.topic, row.document, row.assessor, row.time, row.note, row.because)
    if any("\0" in text for text in (*texts, *(rationale.text for rationale in row.rationales))):
        raise FormatError(
            path,
            Message(
                "topic {topic!r}, document {document!r}: contains a zero byte, which a table "
                "cannot store",
                topic=row.topic,
                document=row.document,
            ),
        )
    cells: dict[str, str | float | None] = {
        TOPIC.name: row.topic,
        DOCUMENT.name: row.document,
        ASSESSOR_COLUMN.name: row.assessor,
        GRADE_COLUMN.name: UNJUDGEABLE_LABEL if row.grade == UNJUDGEABLE else row.grade,
        TIME.name: row.time,
        NOTE.name: row.note,
        UNSURE.name: "yes" if row.unsure else "",
        SECONDS.name: row.seconds,
        PRESENTATION.name: row.showing if row.showing != 1 else None,
        UNJUDGEABLE_REASON.name: row.because,
        KIND.name: row.kind or "person",
        RATIONALES.name: format_rationales(row.rationales),
    }
    return tuple(cells[name] for name in columns)


def write_judgments(path: Path, rows: Sequence[JudgmentFileRow]) -> int:
    """Write judgments as CSV atomically and return their number.

    `read_judgments` reads the same judgments, except for line numbers and item codes. Item codes
    are not written, since topic and document identify the item. Formulas are escaped
    (`escape_formula`).
    """
    columns = list_used_columns(rows)
    with replace_file(path) as part, part.open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file)
        table.writerow(columns)
        table.writerows(map(escape_formula, to_cells(path, row, columns)) for row in rows)
    return len(rows)
