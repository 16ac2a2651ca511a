"""Judgments in tables with a header, spreadsheets and JSON, as qrels."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np

from irjudge.errors import FormatError, Undecided
from irjudge.formats.bytes.single import OneFile
from irjudge.formats.rankings.grades import whole_grades
from irjudge.formats.rankings.json_rankings import json_pairs
from irjudge.formats.rankings.judged_rows import Coded, JudgedRows
from irjudge.formats.remarks import Oddity, Remarks
from irjudge.formats.rows.columns import LONGEST_SHOWN
from irjudge.formats.rows.mapping import ColumnMapping, either, listed_columns
from irjudge.formats.rows.tables import DOCUMENT, GRADE, TOPIC, ColumnKind, ReadTable, is_whole, read_table, whole_number
from irjudge.message import Message

ITERATION = ColumnKind("iteration", ("iteration", "iter", "subtopic"), needed=False)
QUEPID = ("query", "docid", "rating")
MOST_CHOICES = 5
DECIMAL = re.compile(r"[+-]?\d{1,9}\.\d{1,9}", re.ASCII)
OF_RUNS = "score"
PARTS = (TOPIC, DOCUMENT, ColumnKind(GRADE.name, GRADE.known, needed=False), ITERATION)
HEADER = (TOPIC, DOCUMENT, GRADE)

NOT_RATED = Oddity(
    "1 row has no document or no grade, which is not judged, and was left out: {first}.",
    "{count} rows have no document or no grade, which is not judged, and were left out, beginning with {first}.",
)


def table_rows(file: OneFile, columns: ColumnMapping, encoding: str | None, turning: Mapping[float, int] | None) -> JudgedRows:
    """Read a table of judgments: topic, document and, where it is there, grade; `turning` says what fractions become."""
    path, remarks = file.path, Remarks()
    table = read_table(file, PARTS, remarks, columns=columns, encoding=encoding)
    if GRADE.name not in table.places and (further := table.further()):
        raise _no_grade(table, further)
    values: dict[str, list[str]] = {part: [] for part in table.places}
    given: list[float] = []
    fractions = _may_be_fractions(table)
    for line, fields in _rated(table, remarks):
        for part, text in fields.items():
            if not text:
                raise table.empty(part, line)
            values[part].append(text)
        given.append(_number(path, fields.get("grade", "1"), line, fractions=fractions or turning is not None))
    if not given:
        raise FormatError(path, "the table has a header and no rows, expected judgments below it")
    grades, done = whole_grades(path, given, turning)
    remarks.unread(table.unread)
    group = Coded.of(values["iteration"]) if "iteration" in values else Coded.same("0", len(grades))
    said = (
        Message(
            "{file}: read as {form}: {reading}{rest}.",
            file=path.name,
            form=table.form,
            reading=table.reading(),
            rest="" if "grade" in values else "; each pair counts as grade 1",
        ),
    )
    return JudgedRows(
        Coded.of(values["topic"]),
        group,
        Coded.of(values["document"]),
        np.array(grades, dtype=np.int32),
        said=said + remarks.about(path.name),
        turned=done,
    )


def _may_be_fractions(table: ReadTable) -> bool:
    """Tell whether the column of grades can hold nothing else: one called score is that of a run where it holds fractions."""
    place = table.places.get(GRADE.name)
    return place is not None and [name.strip().lower() for name in table.header[place : place + 1]] != [OF_RUNS]


def _number(path: Path, text: str, line: int, *, fractions: bool) -> float:
    if fractions and not is_whole(text) and DECIMAL.fullmatch(text):
        return float(text)
    return float(whole_number(path, "grade", text, line))


def _rated(table: ReadTable, remarks: Remarks) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield the rows of judgments: of Quepid's ratings, and of the column of one judge, those that have a document and a grade."""
    quepid = tuple(name.lower() for name in table.header) == QUEPID
    may_lack = {DOCUMENT.name: quepid, GRADE.name: quepid or GRADE.name in dict(table.said.named)}
    for line, fields in table.records():
        if any(allowed and not fields[part] for part, allowed in may_lack.items()):
            remarks.add(NOT_RATED, Message("line {line}", line=line))
        else:
            yield line, fields


def _no_grade(table: ReadTable, further: Mapping[str, list[str]]) -> Undecided:
    """Return the sentence about a table of which no column is understood as the grade, with what reads it."""
    graded = [name for name, cells in further.items() if cells and all(is_whole(cell) or DECIMAL.fullmatch(cell) for cell in cells)]
    choice = either(table.said.also(GRADE.name, name) for name in graded[:MOST_CHOICES])
    if not graded:
        rest = Message("none of {names} holds whole numbers; where each pair is relevant, leave them out", names=listed_columns([*further]))
    elif len(graded) == 1:
        rest = Message("say which is with --columns {choice}", choice=choice)
    else:
        judges = Message("{names} hold grades, as where each assessor has a column", names=listed_columns(graded))
        rest = Message("{judges}; say whose count with --columns {choice}", judges=judges, choice=choice)
    return Undecided(table.path, Message("no column is understood as the grade; {rest}", rest=rest), ("columns",), 1)


def json_rows(file: OneFile) -> JudgedRows:
    """Read JSON of topics, their documents and the grades of these, as ranx and ir_measures have qrels."""
    path, pairs = file.path, json_pairs(file, "grade")
    for topic, document, value in zip(pairs.topics, pairs.documents, pairs.values, strict=True):
        if not abs(value) < 2**31 or value != int(value):
            raise FormatError(
                path,
                Message(
                    "topic {topic}, document {document}: grade {value:g} is not a whole number",
                    topic=topic[:LONGEST_SHOWN],
                    document=document[:LONGEST_SHOWN],
                    value=value,
                ),
            )
    grade = np.array(pairs.values, dtype=np.int64).astype(np.int32)
    said = (
        Message("{file}: read as JSON of topics, documents and grades.", file=path.name),
        *(Message("{file}: {each}", file=path.name, each=each) for each in pairs.remarks),
    )
    return JudgedRows(Coded.of(pairs.topics), Coded.same("0", len(grade)), Coded.of(pairs.documents), grade, said=said)
