"""Judgments as columns, and readers of files with one judgment per line.

SMART's `topic document 0 0.0` and TREC's `topic 0 document grade` both have four columns. They are
distinguished as follows. A TREC grade is an integer, which `0.000000` is not. If columns 3 and 4
are 0 in every line and column 2 varies within a topic, column 2 is the document.
"""

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pyarrow as pa

from irjudge.errors import FormatError, Undecided
from irjudge.formats.bytes import InputFile
from irjudge.formats.rankings.grade_rules import (
    NO_RULES,
    GradeRules,
    fold_word,
    format_rating,
    is_word,
    make_unknown_words_error,
    resolve_grades,
    to_grade_column,
)
from irjudge.formats.rows import (
    AS_RECOGNISED,
    CODED_TYPE,
    NUMBER_PATTERN,
    WHOLE_NUMBER,
    ColumnMapping,
    FileLines,
    Layout,
    TypedColumn,
    describe_columns,
    list_candidate_columns,
    list_head_lines,
    make_column_count_message,
    read_columns,
)
from irjudge.message import Message
from irjudge.model import UNJUDGEABLE, Floats, Ids, Ints, to_arrow_strings, to_numpy

if TYPE_CHECKING:
    from irjudge.formats.judgments import RatingsFile

# Judgments in a file as columns, before duplicates are removed and grades converted


@dataclass(frozen=True, slots=True)
class CodedTexts:
    """Text column of N rows: its distinct texts, and for each row the index of its text."""

    texts: Ids
    codes: Ints

    @classmethod
    def from_texts(cls, texts: Sequence[str]) -> "CodedTexts":
        """Return a column of texts; distinct texts are in the order of first appearance."""
        return cls.from_column(pa.chunked_array([to_arrow_strings(texts).dictionary_encode()]))

    @classmethod
    def from_column(cls, column: Any) -> "CodedTexts":
        """Return a column made from a chunked dictionary array."""
        array = column.combine_chunks()
        if isinstance(array, pa.ChunkedArray):  # an empty column has no chunks
            array = to_arrow_strings([]).dictionary_encode()
        return cls(array.dictionary, to_numpy(array.indices))

    @classmethod
    def repeat(cls, text: str, rows: int) -> "CodedTexts":
        """Return a column with the same text in every row."""
        return cls(to_arrow_strings([text]), np.zeros(rows, dtype=np.int32))

    def with_texts(self, texts: Sequence[str]) -> "CodedTexts":
        """Return the column with its distinct texts replaced; equal new texts are merged."""
        coded_texts = CodedTexts.from_texts(texts)
        return CodedTexts(coded_texts.texts, coded_texts.codes[self.codes])


@dataclass(frozen=True, slots=True)
class JudgedRows:
    """Judgments of a file as columns, with N rows in file order, from which qrels are made."""

    topic: CodedTexts
    group: CodedTexts  # text in the column "iteration", such as a subtopic; "0" if it is missing
    document: CodedTexts
    # shape (N,): grades in the file, as floats if the grade rules accept fractions; all 1 if the
    # file has no grades
    grade: Ints | Floats
    has_negative_codes: bool = (
        True  # whether -1 means unjudged and -2 unjudgeable in this file format
    )
    messages: tuple[str, ...] = ()  # messages about recognised columns and formats
    # text of each topic's query, if the file contains these texts; the id of a query without text
    titles: tuple[str, ...] = ()
    # whether the grades are already converted, because some ratings were fractions or words; if
    # not, the grade rules are applied when the qrels are made
    is_converted: bool = False


RELEVANT_GRADE = 1
NTCIR_LEVEL = re.compile(r"L(\d{1,3})", re.ASCII)  # grade of NTCIR, such as L2


class PlainJudgment(NamedTuple):
    """One judgment in the qrels formats of older collections and of extension packages.

    The grade is 1 in formats that only list relevant documents.
    """

    topic: str
    document: str
    grade: int = RELEVANT_GRADE


def to_judged_rows(path: Path, file: "RatingsFile", rules: GradeRules) -> JudgedRows:
    """Return the ratings as judgments; raise FormatError if they are by several assessors."""
    if len(file.assessors) > 1:
        problem = Message(
            "{form}, judged by {count} assessors; combine their grades first: irjudge "
            "consensus {file} --method majority -o QRELS",
            key="several-assessors",
            form=file.format_name,
            count=len(file.assessors),
            file=path.name,
        )
        raise FormatError(path, problem)
    ratings = [
        rating
        for rating in file.ratings
        if rating.value is not None or rating.is_unjudgeable or rating.word
    ]
    if not ratings:
        raise FormatError(
            path,
            Message("no rating found; expected {form}", key="no-rating", form=file.format_name),
        )
    rated_values = [
        rating.value for rating in ratings if rating.value is not None and not rating.is_unjudgeable
    ]
    grades, is_converted = to_grade_column(path, rated_values, rules)
    grade = dict(zip(rated_values, grades.tolist(), strict=True))
    words = list(dict.fromkeys(rating.word for rating in ratings if rating.word))
    grade_by_word = dict(zip(words, resolve_grades(path, words, rules).tolist(), strict=True))
    if words and not is_converted and rules.numbers is not None:
        numbers = resolve_grades(path, [format_rating(value) for value in grade], rules)
        grade = dict(zip(grade, numbers.tolist(), strict=True))
    values = np.array(
        [
            grade_by_word[rating.word]
            if rating.word
            else UNJUDGEABLE
            if rating.is_unjudgeable or rating.value is None
            else grade[rating.value]
            for rating in ratings
        ]
    )
    topics = CodedTexts.from_texts([rating.topic for rating in ratings])
    return JudgedRows(
        topics,
        CodedTexts.repeat("0", len(ratings)),
        CodedTexts.from_texts([rating.document for rating in ratings]),
        values.astype(np.float64) if grades.dtype == np.float64 else values.astype(np.int32),
        messages=tuple(_iter_rating_messages(path, file, len(file.ratings) - len(ratings))),
        titles=tuple(file.queries[topic].text for topic in topics.texts.to_pylist()),
        is_converted=is_converted or bool(words),
    )


def _iter_rating_messages(
    path: Path, file: "RatingsFile", skipped_count: int
) -> Iterator[Message | str]:
    """Yield messages about the format, the model, skipped rows and irregular ids."""
    if any(not query.is_topic_id and query.text != query.id for query in file.queries.values()):
        yield Message(
            "{file}: read as {form}; queries are identified by their text.",
            key="read-as-ratings",
            file=path.name,
            form=file.format_name,
        )
    else:
        yield Message(
            "{file}: read as {form}.",
            key="read-as-ratings-with-ids",
            file=path.name,
            form=file.format_name,
        )
    if file.model:
        yield Message(
            "{file}: the ratings are from the model {model} and are used as judgments; "
            "to store them as model labels, use `import --judgments`.",
            key="ratings-of-a-model",
            file=path.name,
            model=file.model,
        )
    if skipped_count:
        yield Message(
            "{file}: skipped rows without a rating: {left:,}.",
            key="without-rating",
            file=path.name,
            left=skipped_count,
        )
    yield from file.id_warnings.format_for(path.name)


# Lines of judgments: TREC qrels, and relevance files of SMART collections

TOPIC = TypedColumn("topic", CODED_TYPE)
GROUP = TypedColumn("iteration", CODED_TYPE)
DOCUMENT = TypedColumn("document", CODED_TYPE)
GRADE, RATING = TypedColumn("grade", pa.int32()), TypedColumn("grade", pa.float64())
WORD = TypedColumn("grade", CODED_TYPE)
RATING_LIMIT = 2**31
MAX_WORDS = 100  # maximum number of distinct words that can be grades
EXPECTED = Message("4 (topic, iteration, document, grade)")
QRELS_LAYOUT = Layout((TOPIC, GROUP, DOCUMENT, GRADE), 4, EXPECTED)
TRIPLE_LAYOUT = Layout(
    (TOPIC, DOCUMENT, GRADE), 3, Message("3, as in the first line (topic, document, grade)")
)
PAIR_LAYOUT = Layout((TOPIC, DOCUMENT), 2, Message("2, as in the first line (topic, document)"))
SMART_LAYOUT = Layout(
    (TOPIC, DOCUMENT, TypedColumn("third", pa.float64()), TypedColumn("weight", pa.float64())),
    4,
    Message("4, as in the first line (topic, document, 0, 0.0)"),
)
COLUMN_BY_NAME = {"topic": TOPIC, "iteration": GROUP, "document": DOCUMENT, "grade": GRADE}
NO_GRADES_MESSAGE = Message(
    "the lines have no grades; each topic–document pair counts as grade 1", key="no-grades"
)


def read_lines(file: InputFile, columns: ColumnMapping, rules: GradeRules = NO_RULES) -> JudgedRows:
    """Read a file with one judgment per line, plain or compressed with gzip."""
    path = file.path
    if columns:
        lines = _read_judgment_lines(file, lambda first_row: _map_layout(first_row, columns), rules)
        _check_no_unread_grade(path, lines, columns)
        return _make_rows(
            lines,
            path,
            (
                Message(
                    "{file}: read as specified: {columns}{grades_missing}.",
                    key="read-as-said",
                    file=path.name,
                    columns=columns,
                    grades_missing=""
                    if "grade" in lines.table.column_names
                    else Message("; {no_grades}", no_grades=NO_GRADES_MESSAGE),
                ),
            ),
            rules,
        )
    lines = _read_judgment_lines(file, lambda first_row: _detect_layout(first_row, rules), rules)
    names = lines.table.column_names
    if "weight" in names:
        return _read_smart(path, lines)
    if "iteration" in names:
        rows = _make_rows(lines, path, (), rules)
        if rows.document.texts.to_pylist() == ["0"] and not rows.grade.any():
            return _detect_column_order(path, rows)
        return replace(rows, messages=_warn_of_zero_documents(path, rows))
    messages = (
        Message("topic, document, grade")
        if "grade" in names
        else Message("topic and document; {no_grades}", no_grades=NO_GRADES_MESSAGE)
    )
    return _make_rows(
        lines,
        path,
        (Message("{file}: read as {columns}.", key="read-as", file=path.name, columns=messages),),
        rules,
        has_negative_codes=False,
    )


def _read_judgment_lines(
    file: InputFile, choose_layout: Callable[[list[str]], Layout], rules: GradeRules
) -> FileLines:
    """Read lines with integer grades; if this fails, with fractional grades or words."""
    try:
        return read_columns(file, choose_layout)
    except FormatError as error:
        if rules.words:
            return read_columns(
                file, lambda first_row: _replace_grade_column(WORD, choose_layout(first_row))
            )
        try:
            lines = read_columns(
                file, lambda first_row: _replace_grade_column(RATING, choose_layout(first_row))
            )
        except FormatError as retry_error:
            _check_words(file, choose_layout, error.line)
            raise (error if retry_error.line == error.line else retry_error) from None
        ratings = (
            to_numpy(lines.table["grade"]) if "grade" in lines.table.column_names else np.empty(0)
        )
        if not (abs(ratings) < RATING_LIMIT).all() or (
            not rules.is_numeric and (ratings == np.floor(ratings)).all()
        ):
            raise
        return lines


def _check_words(
    file: InputFile, choose_layout: Callable[[list[str]], Layout], line: int | None
) -> None:
    """Raise Undecided if all grades are words, in lines that are otherwise regular."""
    try:
        lines = read_columns(
            file, lambda first_row: _replace_grade_column(WORD, choose_layout(first_row))
        )
    except FormatError:
        return
    if "grade" not in lines.table.column_names:
        return
    distinct_words = lines.take_distinct_texts("grade")
    if all(map(is_word, distinct_words)) and len(distinct_words) <= MAX_WORDS:
        raise make_unknown_words_error(file.path, distinct_words, line)


def _replace_grade_column(column: TypedColumn, layout: Layout) -> Layout:
    return replace(
        layout, columns=tuple(column if name is GRADE else name for name in layout.columns)
    )


def _detect_layout(first_row: list[str], rules: GradeRules = NO_RULES) -> Layout:
    check_separators(first_row, COLUMN_BY_NAME)
    if len(first_row) == 2:
        return PAIR_LAYOUT
    if len(first_row) == 3 and (
        NUMBER_PATTERN.fullmatch(first_row[2]) or fold_word(first_row[2]) in rules.words
    ):
        return TRIPLE_LAYOUT
    if len(first_row) == 5:
        raise ValueError(
            Message(
                "{problem}; a file of preferences or sampled judgments (prels) is not qrels",
                key="column-count",
                problem=make_column_count_message(5, EXPECTED),
            )
        )
    if len(first_row) != 4:
        raise ValueError(make_column_count_message(len(first_row), EXPECTED))
    has_empty_grade = (
        NUMBER_PATTERN.fullmatch(first_row[3])
        and not WHOLE_NUMBER.fullmatch(first_row[3])
        and float(first_row[3]) == 0
    )
    return (
        SMART_LAYOUT
        if has_empty_grade and WHOLE_NUMBER.fullmatch(first_row[2]) and int(first_row[2][:19]) == 0
        else QRELS_LAYOUT
    )


def _map_layout(first_row: list[str], columns: ColumnMapping) -> Layout:
    numbers = map_column_indices(columns, first_row, COLUMN_BY_NAME)
    other_columns = (
        None if "grade" in numbers.values() else TypedColumn(str(number), CODED_TYPE)
        for number in range(1, len(first_row) + 1)
    )
    return Layout(
        tuple(
            COLUMN_BY_NAME[numbers[index]] if index in numbers else other_column
            for index, other_column in enumerate(other_columns)
        ),
        len(first_row),
        Message("{first}, as in the first line", first=len(first_row)),
    )


# Lines separated by tabs, with ids that contain blanks: the parts in the columns of a line. The
# columns "iteration" and "" are not read in runs.
QRELS_TAB_LAYOUTS = (
    ("topic", "document", "grade"),
    ("topic", "iteration", "document", "grade"),
)
RUN_TAB_LAYOUTS = (
    ("topic", "iteration", "document", "rank", "score", ""),
    ("topic", "iteration", "document", "rank", "score"),
    ("topic", "document", "rank", "score", ""),
    ("topic", "iteration", "document", "score", ""),
    ("topic", "document", "rank", "score"),
    ("topic", "document", "score"),
)
_PATTERN_BY_PART = {
    "topic": re.compile(r".+"),
    "document": re.compile(r".+"),
    "iteration": re.compile(r"\S+"),
    "rank": WHOLE_NUMBER,
    "score": NUMBER_PATTERN,
    "grade": NUMBER_PATTERN,
    "": re.compile(r".*"),
}
HEAD_BYTES = 4096


def find_tab_columns(file: InputFile, layouts: Sequence[Sequence[str]]) -> ColumnMapping:
    """Return the columns of lines that are separated by tabs and have blanks in ids.

    The mapping is empty for other files, also if tabs and blanks may separate columns alike.
    """
    if not file.path.is_file():
        return AS_RECOGNISED
    head = file.plain(last=False).read(HEAD_BYTES)
    if b"\t" not in head or b" " not in head:
        return AS_RECOGNISED
    lines = list_head_lines(head)
    rows = [[cell.strip() for cell in line.split("\t")] for line in lines]
    parts = next(
        (parts for parts in layouts if all(_matches_parts(row, parts) for row in rows)), None
    )
    if not rows or parts is None or any(line.lstrip().startswith("#") for line in lines):
        return AS_RECOGNISED
    ids = [parts.index("topic"), parts.index("document")]
    if not any(" " in row[index] for row in rows for index in ids):
        return AS_RECOGNISED
    has_markers = parts[1:4] in (
        ("iteration", "document", "rank"),
        ("iteration", "document", "grade"),
    ) and all(row[1] in ("0", "Q0") for row in rows)
    if not has_markers and _are_words_columns([line.split() for line in lines], parts):
        return AS_RECOGNISED
    used_parts = {"grade": ("iteration", "grade")}.get(parts[-1], ("rank", "score"))
    return ColumnMapping(
        tuple(
            (part, str(number))
            for number, part in enumerate(parts, 1)
            if part in ("topic", "document", *used_parts)
        )
    )


def _matches_parts(row: Sequence[str], parts: Sequence[str]) -> bool:
    return len(row) == len(parts) and all(
        _PATTERN_BY_PART[part].fullmatch(cell) for cell, part in zip(row, parts, strict=True)
    )


def _are_words_columns(rows: Sequence[Sequence[str]], parts: Sequence[str]) -> bool:
    """Return whether the words of lines are qrels or a run, so that blanks may separate columns."""
    if len({*map(len, rows)}) != 1 or len(rows[0]) < 4:
        return False
    second, third, fourth = ([row[index] for row in rows] for index in (1, 2, 3))
    is_marker = all(word == "Q0" or WHOLE_NUMBER.fullmatch(word) for word in second)
    if parts[-1] == "grade":
        has_zeros = all(_is_zero(word) for word in (*third, *fourth))  # SMART
        return (is_marker or has_zeros) and all(map(NUMBER_PATTERN.fullmatch, fourth))
    if len(rows[0]) == 4:
        return all(map(WHOLE_NUMBER.fullmatch, third)) and all(
            map(NUMBER_PATTERN.fullmatch, fourth)
        )
    return (
        (is_marker or len({*second}) == 1)
        and all(map(WHOLE_NUMBER.fullmatch, fourth))
        and all(NUMBER_PATTERN.fullmatch(row[4]) for row in rows)
    )


def _is_zero(word: str) -> bool:
    return NUMBER_PATTERN.fullmatch(word) is not None and float(word) == 0


def has_ntcir_levels(rows: Sequence[Sequence[str]], column: int) -> bool:
    """Return whether a column contains grades of NTCIR such as L2, and not ids such as L2.

    The rows have two to four columns. Ids do not repeat within a topic, but grades do.
    """
    if not all(NTCIR_LEVEL.fullmatch(row[column].upper()) for row in rows):
        return False
    distinct_rows = {tuple(row) for row in rows}
    if len({(row[0], row[column]) for row in distinct_rows}) < len(distinct_rows):
        return True
    if not all(WHOLE_NUMBER.fullmatch(row[-1]) for row in distinct_rows):
        return True
    if len(rows[0]) == 4 and column == 2:
        return not all(row[1].upper() in ("0", "Q0") for row in distinct_rows)
    # the last column contains grades if its numbers repeat within a topic
    numbers = {(row[0], row[-1]) for row in distinct_rows}
    return len(rows[0]) != 3 or len(numbers) == len(distinct_rows)


def _check_no_unread_grade(path: Path, lines: FileLines, columns: ColumnMapping) -> None:
    """Raise Undecided if an unread column may be the grade.

    A column cannot be the grade if it contains nothing but zeros and Q0.
    """
    for name in (name for name in lines.table.column_names if name.isdecimal()):
        if any(
            text != "Q0" and not (NUMBER_PATTERN.fullmatch(text) and float(text) == 0)
            for text in lines.take_distinct_texts(name)
        ):
            raise Undecided(
                path,
                Message(
                    "cannot tell which column is the grade (perhaps column {name}); choose one "
                    'with --columns "{choice}"',
                    key="no-grade-column",
                    name=name,
                    choice=columns.format_extended("grade", name),
                ),
                ("columns",),
            )


def map_column_indices(
    columns: ColumnMapping, first_row: list[str], parts: Collection[str]
) -> dict[int, str]:
    """Return the part that each mapped column contains, such as `grade`, by column index from 0.

    The lines have no header. Raises ValueError if the mapping contains names instead of numbers of
    columns, an unknown part, or a column that the first row does not have.
    """
    numbers = columns.numbers()
    if numbers is None:
        column_list = describe_columns(
            [
                column
                for column in list_candidate_columns(first_row, has_header=False)
                # column 2 of TREC qrels can be neither the topic nor the document
                if column.values not in (("0",), ("Q0",))
            ],
            ("topic", "document"),
        )
        raise ValueError(
            Message(
                "the lines have no header, so columns must be given by number; {columns}",
                key="no-header",
                columns=column_list,
            )
        )
    if not {"topic", "document"} <= set(numbers.values()) <= set(parts):
        raise ValueError(
            Message(
                "--columns gives {columns}; topic and document are required, and only {parts} "
                "are allowed",
                key="unknown-part",
                columns=columns,
                parts=", ".join(parts),
            )
        )
    if max(numbers) >= len(first_row):
        raise ValueError(
            Message(
                "--columns {columns} names a column that the line does not have; number of "
                "columns in the line: {first}",
                key="column-count",
                first=len(first_row),
                columns=columns,
            )
        )
    return numbers


def check_separators(first_row: list[str], parts: Collection[str]) -> None:
    """Raise ValueError for a file whose lines must not be split at spaces.

    Such a file is XML, HTML, a JSON list, or a table with an unrecognised header.
    """
    if first_row[0].startswith("<") and len(first_row) > 1:
        raise ValueError(
            Message("the file is XML or HTML; expected lines or a table", key="markup")
        )
    if "".join(first_row[:2]).startswith("[{"):
        raise ValueError(
            Message(
                "the file is a JSON list in an unknown format; expected lines of text, or a table",
                key="json-list",
            )
        )
    separator = next(
        (
            character
            for character in ",;"
            if len(first_row) < 3 and "".join(first_row).count(character) > 1
        ),
        "",
    )
    if separator:
        cells = [cell.strip().strip('"') for cell in " ".join(first_row).split(separator)]
        is_header = not any(character.isdigit() for cell in cells for character in cell)
        raise ValueError(
            Message(
                "the first line names neither topic nor document; {columns}",
                key="no-column",
                columns=describe_columns(
                    list_candidate_columns(cells, has_header=is_header),
                    [part for part in parts if part not in ("iteration", "rank")],
                ),
            )
        )


def _make_rows(
    lines: FileLines,
    path: Path,
    messages: tuple[str, ...],
    rules: GradeRules = NO_RULES,
    *,
    has_negative_codes: bool = True,
) -> JudgedRows:
    table, count = lines.table, lines.table.num_rows
    names = table.column_names
    grade, is_converted = np.ones(count, dtype=np.int32), False
    if "grade" in names and pa.types.is_dictionary(table["grade"].type):
        words = CodedTexts.from_column(table["grade"])
        grade = resolve_grades(path, words.texts.to_pylist(), rules)[words.codes]
        is_converted = True
    elif "grade" in names:
        grade = to_numpy(table["grade"])
    if grade.dtype != np.int32:
        grade, is_converted = to_grade_column(path, grade.tolist(), rules)
    return JudgedRows(
        CodedTexts.from_column(table["topic"]),
        CodedTexts.from_column(table["iteration"])
        if "iteration" in names
        else CodedTexts.repeat("0", count),
        CodedTexts.from_column(table["document"]),
        grade,
        has_negative_codes,
        messages,
        is_converted=is_converted,
    )


def _read_smart(path: Path, lines: FileLines) -> JudgedRows:
    """Read SMART's lines `topic document 0 0.000000`; the last two columns must be 0."""
    for name in ("third", "weight"):
        other_lines = np.flatnonzero(to_numpy(lines.table[name]))
        if len(other_lines):
            raise FormatError(
                path,
                Message(
                    "found {value:g}; expected 0, as in the earlier lines, which contain topic, "
                    "document, 0 and 0.0",
                    key="not-zero",
                    value=to_numpy(lines.table[name])[other_lines[0]],
                ),
                int(lines.line_numbers[other_lines[0]]),
            )
    return _reorder_smart_columns(path, _make_rows(lines, path, ()))


def _warn_of_zero_documents(path: Path, rows: JudgedRows) -> tuple[str, ...]:
    """Return a warning if all document ids are 0 or Q0, since they may be in another column."""
    texts = rows.document.texts
    id = texts[0].as_py() if len(texts) == 1 else ""
    if id not in ("0", "Q0") or len(rows.group.texts) < 2:
        return ()
    return (
        Message(
            "{file}: all document ids are {id}. If the document id is in column 2, use --columns "
            '"{choice}".',
            key="documents-all-0",
            file=path.name,
            id=id,
            choice="topic=1,document=2,iteration=3,grade=4",
        ),
    )


def _detect_column_order(path: Path, rows: JudgedRows) -> JudgedRows:
    """Return the rows with the document taken from column 2 or 3.

    Columns 3 and 4 must be 0 in every line. Raises Undecided if it is not clear which column
    contains the document.
    """
    second_column = rows.group
    if all(text in ("0", "Q0") for text in second_column.texts.to_pylist()):
        return rows
    pairs = np.unique(np.stack([rows.topic.codes, second_column.codes]), axis=1)
    if pairs.shape[1] > len(rows.topic.texts):
        unit_grades = np.ones(len(rows.grade), dtype=np.int32)
        return _reorder_smart_columns(
            path,
            JudgedRows(
                rows.topic, CodedTexts.repeat("0", len(unit_grades)), second_column, unit_grades
            ),
        )
    raise Undecided(
        path,
        Message(
            "columns 3 and 4 are 0 in every line, so the document may be in column 2 or 3; "
            "choose one with --columns {choice}",
            key="either-order",
            choice=Message(
                '"topic=1,document=2" (SMART, without grades) or '
                '"topic=1,iteration=2,document=3,grade=4" (TREC)'
            ),
        ),
        ("columns",),
    )


def _reorder_smart_columns(path: Path, rows: JudgedRows) -> JudgedRows:
    message = Message(
        "{file} is read in the column order of SMART (topic, document and two zeros on each "
        "line); {no_grades}.",
        key="read-as-smart",
        file=path.name,
        no_grades=NO_GRADES_MESSAGE,
    )
    topic, document = _strip_leading_zeros(rows.topic), _strip_leading_zeros(rows.document)
    changes = [
        example
        for old, new in ((rows.topic, topic), (rows.document, document))
        if (example := _describe_first_change(old, new))
    ]
    zeros = Message(
        "{file}: leading zeros of ids were removed, to match the record numbers of SMART "
        "({changes}).",
        key="ids-without-zeros",
        file=path.name,
        changes="; ".join(changes),
    )
    return JudgedRows(
        topic, rows.group, document, rows.grade, True, (message, zeros) if changes else (message,)
    )


def _strip_leading_zeros(ids: CodedTexts) -> CodedTexts:
    return ids.with_texts(
        [(text.lstrip("0") or "0") if text.isdecimal() else text for text in ids.texts.to_pylist()]
    )


def _describe_first_change(original: CodedTexts, stripped: CodedTexts) -> str:
    stripped_texts = set(stripped.texts.to_pylist())
    return next(
        (
            f"{text} is {text.lstrip('0') or '0'}"
            for text in original.texts.to_pylist()
            if text not in stripped_texts
        ),
        "",
    )
