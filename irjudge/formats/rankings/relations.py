"""Lines of judgments split by blanks or tabs: TREC's qrels, and files of relevance as SMART collections have them.

SMART's `topic document 0 0.0` and TREC's `topic 0 document grade` both have four columns. What tells them apart: a grade of TREC
is whole, so `0.000000` is none; and where columns 3 and 4 are 0 in every line while column 2 changes within a topic, column 2 is
the document.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa

from irjudge.errors import FormatError, Undecided
from irjudge.formats.bytes.one_file import OneFile
from irjudge.formats.rankings.judged_rows import Coded, JudgedRows, whole_grades
from irjudge.formats.rows.columns import (
    CODED,
    NUMBER,
    WHOLE,
    FileLines,
    Layout,
    TypedColumn,
    misfit,
    read_columns,
)
from irjudge.formats.rows.mapping import ColumnMapping
from irjudge.formats.rows.suggestions import candidate_columns, describe_columns
from irjudge.message import Message
from irjudge.model.ranking import values_of

TOPIC, GROUP, DOCUMENT = (
    TypedColumn("topic", CODED),
    TypedColumn("iteration", CODED),
    TypedColumn("document", CODED),
)
GRADE, RATING = TypedColumn("grade", pa.int32()), TypedColumn("grade", pa.float64())
HIGHEST = 2**31
EXPECTED = Message("4 (topic, iteration, document, grade)")
QRELS = Layout((TOPIC, GROUP, DOCUMENT, GRADE), 4, EXPECTED)
TRIPLES = Layout(
    (TOPIC, DOCUMENT, GRADE), 3, Message("3 as in the first line (topic, document, grade)")
)
PAIRS = Layout((TOPIC, DOCUMENT), 2, Message("2 as in the first line (topic, document)"))
SMART = Layout(
    (TOPIC, DOCUMENT, TypedColumn("third", pa.float64()), TypedColumn("weight", pa.float64())),
    4,
    Message("4 as in the first line (topic, document, 0, 0.0)"),
)
COLUMNS = {"topic": TOPIC, "iteration": GROUP, "document": DOCUMENT, "grade": GRADE}
NO_GRADES = Message("the lines have no grades, and each pair counts as grade 1", key="no-grades")


def read_lines(
    file: OneFile, columns: ColumnMapping, turning: Mapping[float, int] | None = None
) -> JudgedRows:
    """Read a plain or gzip file of judgments, one a line; `turning` says what fractions become."""
    path = file.path
    if columns:
        lines = _read(file, _said(columns))
        _check_nothing_unread(path, lines, columns)
        return _rows(
            lines,
            path,
            (
                Message(
                    "{file}: read as was said: {columns}{grades_missing}.",
                    key="read-as-said",
                    file=path.name,
                    columns=columns,
                    grades_missing=_grades_missing(lines),
                ),
            ),
            turning,
        )
    lines = _read(file, _layout)
    names = lines.table.column_names
    if "weight" in names:
        return _smart(path, lines)
    if "iteration" in names:
        rows = _rows(lines, path, (), turning)
        if _is_empty_form(rows):
            return _weigh_order(path, rows)
        return replace(rows, said=_documents_all_0(path, rows))
    said = (
        Message("topic, document, grade")
        if "grade" in names
        else Message("topic and document; {no_grades}", no_grades=NO_GRADES)
    )
    return _rows(
        lines,
        path,
        (Message("{file}: read as {said}.", key="read-as", file=path.name, said=said),),
        turning,
        convention=False,
    )


def _read(file: OneFile, choose: Callable[[list[str]], Layout]) -> FileLines:
    """Read lines with whole grades; where that fails and fractions are what was in its way, with these."""
    try:
        return read_columns(file, choose)
    except FormatError as fault:
        try:
            lines = read_columns(file, lambda first: _of_ratings(choose(first)))
        except FormatError as other:
            raise (fault if other.line == fault.line else other) from None
        ratings = (
            values_of(lines.table["grade"]) if "grade" in lines.table.column_names else np.empty(0)
        )
        if not (abs(ratings) < HIGHEST).all() or (ratings == np.floor(ratings)).all():
            raise
        return lines


def _of_ratings(layout: Layout) -> Layout:
    return replace(
        layout, columns=tuple(RATING if each is GRADE else each for each in layout.columns)
    )


def _layout(first: list[str]) -> Layout:
    check_separators(first, COLUMNS)
    if len(first) == 2:
        return PAIRS
    if len(first) == 3 and NUMBER.fullmatch(first[2]):
        return TRIPLES
    if len(first) == 5:
        raise ValueError(
            Message(
                "{misfit}; a file of preferences or sampled judgments (prels) is not qrels",
                key="column-count",
                misfit=misfit(5, EXPECTED),
            )
        )
    if len(first) != 4:
        raise ValueError(misfit(len(first), EXPECTED))
    empty = NUMBER.fullmatch(first[3]) and not WHOLE.fullmatch(first[3]) and float(first[3]) == 0
    return SMART if empty and WHOLE.fullmatch(first[2]) and int(first[2][:19]) == 0 else QRELS


def _said(columns: ColumnMapping) -> Callable[[list[str]], Layout]:
    def choose(first: list[str]) -> Layout:
        numbers = said_by_number(columns, first, COLUMNS)
        rest = (
            None if "grade" in numbers.values() else TypedColumn(str(place), CODED)
            for place in range(1, len(first) + 1)
        )
        layout = tuple(
            COLUMNS[numbers[place]] if place in numbers else other
            for place, other in enumerate(rest)
        )
        return Layout(layout, len(first), Message("{first} as in the first line", first=len(first)))

    return choose


def _check_nothing_unread(path: Path, lines: FileLines, columns: ColumnMapping) -> None:
    """Refuse lines without a grade that hold more than the zeros of SMART's third and fourth column."""
    for name in (name for name in lines.table.column_names if name.isdecimal()):
        if any(text != "Q0" and not _is_zero(text) for text in lines.different(name)):
            problem = Message(
                'no column is understood as the grade, and column {name} holds something; say which is with --columns "{choice}"',
                key="no-grade-column",
                name=name,
                choice=columns.also("grade", name),
            )
            raise Undecided(path, problem, ("columns",))


def _is_zero(text: str) -> bool:
    return NUMBER.fullmatch(text) is not None and float(text) == 0


def said_by_number(
    columns: ColumnMapping, first: list[str], parts: Collection[str]
) -> dict[int, str]:
    """Return the part that each column of plain lines holds, from 0."""
    numbers = columns.numbers()
    if numbers is None:
        listed = describe_columns(
            [
                column
                for column in candidate_columns(first, has_header=False)
                if column.values not in (("0",), ("Q0",))  # TREC's second column
            ],
            ("topic", "document"),
        )
        raise ValueError(
            Message(
                "the lines have no header, so that columns are said by number; {listed}",
                key="no-header",
                listed=listed,
            )
        )
    if not {"topic", "document"} <= set(numbers.values()) <= set(parts):
        raise ValueError(
            Message(
                "--columns says {columns}, expected topic and document, and of these where they are there: {parts}",
                key="unknown-part",
                columns=columns,
                parts=", ".join(parts),
            )
        )
    if max(numbers) >= len(first):
        raise ValueError(
            Message(
                "the line has {first} columns, and --columns says {columns}",
                key="column-count",
                first=len(first),
                columns=columns,
            )
        )
    return numbers


def check_separators(first: list[str], parts: Collection[str]) -> None:
    """Refuse a line of a table whose header names nothing that is known: what is left between its blanks is no column."""
    if "".join(first[:2]).startswith("[{"):
        raise ValueError(
            Message(
                "the file is a list of JSON, which is no form that is known here; expected lines or a table",
                key="json-list",
            )
        )
    separator = next(
        (each for each in ",;" if len(first) < 3 and "".join(first).count(each) > 1), ""
    )
    if separator:
        cells = [cell.strip().strip('"') for cell in " ".join(first).split(separator)]
        is_header = not any(letter.isdigit() for cell in cells for letter in cell)
        listed = describe_columns(
            candidate_columns(cells, has_header=is_header),
            [part for part in parts if part not in ("iteration", "rank")],
        )
        raise ValueError(
            Message(
                "the first line names neither topic nor document; {listed}",
                key="no-column",
                listed=listed,
            )
        )


def _grades_missing(lines: FileLines) -> str:
    return (
        "" if "grade" in lines.table.column_names else Message("; {no_grades}", no_grades=NO_GRADES)
    )


def _rows(
    lines: FileLines,
    path: Path,
    said: tuple[str, ...],
    turning: Mapping[float, int] | None = None,
    *,
    convention: bool = True,
) -> JudgedRows:
    table, count = lines.table, lines.table.num_rows
    names = table.column_names
    grade, done = (
        values_of(table["grade"]) if "grade" in names else np.ones(count, dtype=np.int32),
        False,
    )
    if grade.dtype != np.int32:
        whole, done = whole_grades(path, grade.tolist(), turning)
        grade = np.array(whole, dtype=np.int32)
    group = Coded.column(table["iteration"]) if "iteration" in names else Coded.same("0", count)
    return JudgedRows(
        Coded.column(table["topic"]),
        group,
        Coded.column(table["document"]),
        grade,
        convention,
        said,
        turned=done,
    )


def _smart(path: Path, lines: FileLines) -> JudgedRows:
    """Read `topic document 0 0.000000`, where nothing but 0 may stand in the last two columns."""
    for name in ("third", "weight"):
        other = np.flatnonzero(values_of(lines.table[name]))
        if len(other):
            problem = Message(
                "{values_of:g} where the lines before have 0 (topic, document, 0, 0.0), expected 0",
                key="not-zero",
                values_of=values_of(lines.table[name])[other[0]],
            )
            raise FormatError(path, problem, int(lines.line[other[0]]))
    return _in_smart_order(path, _rows(lines, path, ()))


def _is_empty_form(rows: JudgedRows) -> bool:
    """Tell whether columns 3 and 4 are 0 in every line."""
    return (
        len(rows.document.texts) == 1
        and rows.document.texts[0].as_py() == "0"
        and not rows.grade.any()
    )


def _documents_all_0(path: Path, rows: JudgedRows) -> tuple[str, ...]:
    """Return a warning where each document is called 0, as in lines of topic, document, 0 and grade."""
    if rows.document.texts.to_pylist() != ["0"] or len(rows.group.texts) < 2:
        return ()
    return (
        Message(
            "{file}: every document is called 0. If the document is column 2, use "
            '--columns "{choice}".',
            key="documents-all-0",
            file=path.name,
            choice="topic=1,document=2,iteration=3,grade=4",
        ),
    )


def _weigh_order(path: Path, rows: JudgedRows) -> JudgedRows:
    """Decide which column is the document where columns 3 and 4 are 0 in every line."""
    second = rows.group
    if [text for text in second.texts.to_pylist() if text not in ("0", "Q0")] == []:
        return rows
    pairs = np.unique(np.stack([rows.topic.codes, second.codes]), axis=1)
    if pairs.shape[1] > len(rows.topic.texts):
        ones = np.ones(len(rows.grade), dtype=np.int32)
        return _in_smart_order(
            path, JudgedRows(rows.topic, Coded.same("0", len(ones)), second, ones)
        )
    choice = Message(
        '"topic=1,document=2" (as SMART has it, without grades) or "topic=1,iteration=2,document=3,grade=4" (as TREC has it)'
    )
    raise Undecided(
        path,
        Message(
            "columns 3 and 4 are 0 in every line, so the document may be column 2 or 3; say with --columns {choice}",
            key="either-order",
            choice=choice,
        ),
        ("columns",),
    )


def _in_smart_order(path: Path, rows: JudgedRows) -> JudgedRows:
    said = Message(
        "{file}: read in the order of SMART: topic, document, and 0 twice in every line; {no_grades}.",
        key="read-as-smart",
        file=path.name,
        no_grades=NO_GRADES,
    )
    topic, document = _plain(rows.topic), _plain(rows.document)
    pairs = ((rows.topic, topic), (rows.document, document))
    changed = [example for old, new in pairs if (example := _first_change(old, new))]
    zeros = Message(
        "{file}: ids are written without zeros in front, as SMART's records are numbered ({changeds}).",
        key="ids-without-zeros",
        file=path.name,
        changeds="; ".join(changed),
    )
    return JudgedRows(
        topic, rows.group, document, rows.grade, True, (said, zeros) if changed else (said,)
    )


def _plain(ids: Coded) -> Coded:
    return ids.renamed(
        [(text.lstrip("0") or "0") if text.isdecimal() else text for text in ids.texts.to_pylist()]
    )


def _first_change(old: Coded, new: Coded) -> str:
    before, after = old.texts.to_pylist(), new.texts.to_pylist()
    known = set(after)
    return (
        next((f"{text} is {text.lstrip('0') or '0'}" for text in before if text not in known), "")
        if before != after
        else ""
    )
