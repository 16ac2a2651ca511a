"""Readers of qrels other than TREC lines: JSON, lists of documents, tables, columnar files."""

import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import pyarrow as pa

from irjudge.errors import FormatError, Undecided
from irjudge.formats.bytes import (
    ArchiveEntry,
    InputFile,
    decode_text,
    iter_nonblank_lines,
    read_limited,
    replace_surrogates,
)
from irjudge.formats.collections import NPL_MARKS, is_npl, iter_plain_records
from irjudge.formats.file_formats import FileFormat, FileHead, read_in_format
from irjudge.formats.judgments import read_ratings
from irjudge.formats.rankings.grade_rules import (
    DECIMAL,
    NO_RULES,
    GradeRules,
    is_word,
    resolve_grades,
    to_grade_column,
)
from irjudge.formats.rankings.judged_rows import (
    NTCIR_LEVEL,
    CodedTexts,
    JudgedRows,
    PlainJudgment,
    has_ntcir_levels,
    to_judged_rows,
)
from irjudge.formats.reader_warnings import ReaderWarnings, WarningKind, prefix_file_name
from irjudge.formats.rows import (
    DOCUMENT,
    GRADE,
    JSON,
    MAX_LIST_BYTES,
    MAX_SHOWN_CHARACTERS,
    NUMBER_PATTERN,
    TOPIC,
    ColumnKind,
    ColumnMapping,
    ColumnTable,
    IrregularFile,
    ReadTable,
    RowPiece,
    cast_column,
    detect_table_format,
    encode_ids,
    format_choices,
    format_columns,
    is_integer,
    parse_id,
    parse_integer,
    read_table,
    to_numbers,
    to_storable,
)
from irjudge.message import Message
from irjudge.model import Floats, Ids, Ints, to_arrow_column, to_arrow_strings

# JSON objects that map topics to documents and numbers: runs and qrels of ir_measures and ranx

SCORE_NAME = "score"  # name of the numbers in a run, passed as `value` to `parse_json_pairs`
SCORE: ColumnKind = ColumnKind(SCORE_NAME, ("score", "sim", "similarity"), needed=False)
RANK: ColumnKind = ColumnKind("rank", ("rank", "position"), needed=False)
# names of the numbers in lists such as ["d7", 2.5] and ["d7", 1, 2.5]
FIRST_NUMBER, SECOND_NUMBER = "first number", "second number"
_RANK_TEXT = re.compile(r"\s*+\d{1,9}+\s*+", re.ASCII)


@dataclass(slots=True)
class JsonPairs:
    """Content of a JSON file of qrels or of a run, with N topic-document pairs in file order."""

    topics: list[str] = field(default_factory=list)  # topic of each pair
    documents: list[str] = field(default_factory=list)  # document of each pair
    # N numbers by name, such as the score, rank or grade; empty for ranked lists of ids
    numbers: dict[str, list[float]] = field(default_factory=dict)
    empty_topics: list[str] = field(default_factory=list)  # topics without documents
    warnings: tuple[str, ...] = ()


def parse_json_pairs(file: InputFile, value: str) -> JsonPairs:
    """Read a JSON file such as `{"1": {"d7": 2.5, "d3": 1.0}}`.

    `value` is the name that messages use for the numbers. If it is `SCORE_NAME`, the file is a run.
    """
    expected = Message(
        'expected the {value} of each document of each topic, such as {{"1": {{"d7": 2}}}}',
        value=value,
    )
    path, warnings, result = file.path, ReaderWarnings(), JsonPairs()
    for topic, content in _read_items(file, warnings, expected):
        rows = _read_documents(content, value)
        if rows is None:
            problem = Message(
                "topic {topic} contains no documents; {expected}",
                key="no-documents",
                topic=replace_surrogates(topic[:40]),
                expected=expected,
            )
            raise _make_structure_error(path, problem, value)
        name = _parse_id(topic, path, warnings)
        if not rows:
            result.empty_topics.append(name)
            continue
        wrong_row = _add_numbers(result, rows)
        if wrong_row is not None:
            index, reason = wrong_row
            problem = Message(
                "topic {topic}, document {document}: {problem}; {expected}",
                key=reason.key,
                topic=replace_surrogates(topic[:40]),
                document=replace_surrogates(rows[index][0][:40]),
                problem=reason,
                expected=expected,
            )
            raise _make_structure_error(path, problem, value)
        result.topics += [name] * len(rows)
        result.documents += [_parse_id(row[0], path, warnings) for row in rows]
    if not result.documents:
        raise FormatError(
            path,
            Message(
                "the JSON contains no topic–document pair; {expected}",
                key="no-pair",
                expected=expected,
            ),
        )
    result.warnings = warnings.sentences()
    return result


# id of a document, names of its numbers, and the numbers
_JsonRow: TypeAlias = tuple[Any, ...]


def _read_documents(content: object, value: str) -> list[_JsonRow] | None:
    """Return the id, the names of the numbers and the numbers of each document of a topic.

    The result is None for other JSON.
    """
    if value == SCORE_NAME and isinstance(content, list):
        rows = [_read_listed_document(item) for item in content]
        return None if None in rows else [*filter(None, rows)]
    if not isinstance(content, tuple):
        return None
    names = (value,)
    return [(document, names, number) for document, number in content]


def _add_numbers(pairs: JsonPairs, rows: list[_JsonRow]) -> tuple[int, Message] | None:
    """Append the numbers of a topic's documents to the columns.

    If the numbers of a row are wrong, its index and the problem are returned.
    """
    names = tuple(pairs.numbers) if pairs.documents else rows[0][1]
    for index, row in enumerate(rows):
        if {row[1], names} == {(), (RANK.name,)}:
            return index, Message(
                "only some documents of the file have a rank", key="mixed-documents"
            )
        if row[1] != names:
            return index, Message(
                "its numbers are not of the same kind as those of the first document",
                key="mixed-documents",
            )
    _, _, *columns = zip(*rows, strict=True)
    for name, column in zip(names, columns, strict=True):
        numbers = _parse_numbers(column)
        if None in numbers:
            reason = Message("the {value} is not a number", key="not-a-number", value=name)
            return numbers.index(None), reason
        pairs.numbers.setdefault(name, []).extend(numbers)
    return None


def _parse_numbers(column: Sequence[object]) -> list[Any]:
    """Return JSON values as floats; None for a value that is not a number."""
    if {*map(type, column)} <= {int, float}:
        with suppress(OverflowError):
            numbers = np.array(column, dtype=np.float64)
            if not np.isnan(numbers).any():
                return [*numbers.tolist()]
    return [_parse_number_or_none(value) for value in column]


def _parse_number_or_none(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    number = _parse_float(value)
    return None if math.isnan(number) else number


_NAMES_IN_LIST: tuple[tuple[str, ...], ...] = ((), (FIRST_NUMBER,), (FIRST_NUMBER, SECOND_NUMBER))


def _read_listed_document(item: object) -> _JsonRow | None:
    """Return the id, the names of the numbers and the numbers of an item in a ranked list.

    An item is an id, [id, number], [id, number, number], [id, title, number] or an object. The
    result is None if it is not recognised.
    """
    if isinstance(item, tuple):
        fields = {name.lower(): value for name, value in item if value is not None}
        document = _find_field(fields, DOCUMENT)
        names, numbers = _read_score_and_rank(fields)
    else:
        parts = item if isinstance(item, list) else [item]
        if not 1 <= len(parts) <= 3:
            return None
        document, numbers = parts[0], tuple(parts[1:])
        if len(numbers) == 2:
            numbers = tuple(_parse_json_rank(number, number) for number in numbers)
            titles = [number for number in numbers if _is_title(number)]
            if len(titles) == 1:
                numbers = tuple(number for number in numbers if number not in titles)
        names = _NAMES_IN_LIST[len(numbers)]
    if isinstance(document, bool) or not isinstance(document, str | int):
        return None
    return str(document), names, *numbers


def _is_title(value: object) -> bool:
    return isinstance(value, str) and not NUMBER_PATTERN.fullmatch(value.strip())


def _read_score_and_rank(
    fields: Mapping[str, object],
) -> tuple[tuple[str, ...], tuple[object, ...]]:
    """Return names and values of the score and the rank in an object.

    A rank is -1 if it is missing or not a number. Without a score, such a rank is not returned.
    """
    score, rank = _find_field(fields, SCORE), _parse_json_rank(_find_field(fields, RANK), -1)
    if score is not None:
        return (SCORE.name, RANK.name), (score, rank)
    return ((), ()) if rank == -1 else ((RANK.name,), (rank,))


def _parse_json_rank(value: object, default: object) -> object:
    """Return a rank, which may be a text; -1 if it is missing; `default` for other values."""
    if value is None or value != value:
        return -1
    if isinstance(value, str):
        return int(value) if _RANK_TEXT.fullmatch(value) else default
    return value if isinstance(value, int | float) and not isinstance(value, bool) else default


def _find_field(fields: Mapping[str, object], kind: ColumnKind) -> object:
    for name in kind.column_names:
        if name in fields:
            return fields[name]
    return None


def _make_structure_error(path: Path, problem: Message, value: str) -> FormatError:
    """Return the error for a JSON file with an unexpected structure.

    If a run was expected, the error suggests `--paths`, since the file may be a search engine
    response.
    """
    if value != SCORE_NAME:
        return FormatError(path, problem)
    return Undecided(
        path,
        Message(
            "{problem}; if the file is a search engine response, give the path of its hits with "
            "--paths",
            key=problem.key,
            problem=problem,
        ),
        ("paths",),
    )


def _parse_id(name: str, path: Path, warnings: ReaderWarnings) -> str:
    return parse_id(to_storable(name, path.name, warnings), path, None, warnings)


def _read_items(
    file: InputFile, warnings: ReaderWarnings, expected: str
) -> tuple[tuple[str, object], ...]:
    """Return the members of the outermost object.

    Objects inside it are tuples of (name, value) pairs, so that repeated names are not lost.
    """
    path = file.path
    text = decode_text(read_limited(file.text(warnings).stream, path, MAX_LIST_BYTES), path)
    try:
        data = json.loads(text, object_pairs_hook=tuple)
    except json.JSONDecodeError as error:
        raise FormatError(
            path,
            Message(
                "not JSON ({reason}); {expected}",
                key="not-json",
                reason=error.msg,
                expected=expected,
            ),
            error.lineno,
        ) from None
    except (RecursionError, ValueError):  # a ValueError is raised if a number has too many digits
        raise FormatError(
            path,
            Message(
                "the JSON is nested too deeply or contains a number that is too long; {expected}",
                key="too-deep",
                expected=expected,
            ),
        ) from None
    if isinstance(data, tuple):
        return data
    raise FormatError(
        path, Message("the JSON is not an object; {expected}", key="not-object", expected=expected)
    )


def _parse_float(number: float) -> float:
    try:
        return float(number)
    except OverflowError:
        return math.inf if number > 0 else -math.inf  # an integer too large for a float


# Lists of relevant documents per query (NPL, LISA, TIME), and NTCIR qrels with grades L0, L1, L2 …

MAX_DIGITS = 9
_NUMBERS_LINE = re.compile(r"\s*+\d++(?:\s++\d++)*+\s*+", re.ASCII)
_LISA_START = re.compile(rb"query[ \t]++[0-9]++[ \t]*+\r?\n")
_QUERY_LINE = re.compile(r"Query\s++(\d++)\s*+", re.IGNORECASE | re.ASCII)
_COUNT_LINE = re.compile(r"(\d{1,9})\s++Relevant\s++Refs?:?\s*+", re.IGNORECASE | re.ASCII)

COUNT_MISMATCH = WarningKind(
    "1 query states a different number of relevant documents than it lists; the listed "
    "documents are used: {first}.",
    "{count} queries state a different number of relevant documents than they list; the listed "
    "documents are used. First: {first}.",
    key="wrong-count",
)
NO_QUERY = WarningKind(
    "Skipped 1 document that belongs to no query: {first}.",
    "Skipped {count} documents that belong to no query. First: {first}.",
    key="no-query",
)
IDS_BY_POSITION = WarningKind(
    "Document ids are positions in the collection (1, 2, 3 …), not the numbers in its records.",
    "Document ids are positions in the collection (1, 2, 3 …), not the numbers in its records.",
    key="ids-by-position",
)


def is_npl_judgments(file_head: FileHead) -> bool:
    """Return whether a file has NPL's format: lines of numbers, with a slash after each query."""
    return is_npl(file_head) and all(
        _NUMBERS_LINE.fullmatch(line) or line.strip() == "/" for line in file_head.lines
    )


def iter_npl_judgments(entry: ArchiveEntry, warnings: ReaderWarnings) -> Iterator[PlainJudgment]:
    """Yield the documents in NPL qrels, which are between the number of a query and a slash."""
    for record in iter_plain_records(entry, NPL_MARKS, warnings):
        for line, text in enumerate(record.lines, record.line + 1):
            yield from (
                PlainJudgment(record.id, document) for document in _split_numbers(text, entry, line)
            )


def iter_lisa_judgments(entry: ArchiveEntry, warnings: ReaderWarnings) -> Iterator[PlainJudgment]:
    """Yield the documents in LISA qrels, which are between `Query n` and -1.

    A warning is added if a query does not have the number of documents that the file states.
    """
    topic, expected, listed_count = "", 0, 0
    for line, text in iter_nonblank_lines(entry.stream, entry.where):
        query, count = _QUERY_LINE.fullmatch(text), _COUNT_LINE.fullmatch(text)
        if query or (count and expected):
            _check_count(topic, expected, listed_count, warnings)
            topic, expected, listed_count = query[1] if query else "", 0, 0
        if count:
            expected = int(count[1])
        elif not query:
            documents = _split_numbers(text.rstrip().removesuffix("-1"), entry, line)
            listed_count += len(documents)
            if not topic:
                warnings.add(NO_QUERY, Message("line {line}", line=line), len(documents))
                continue
            yield from (PlainJudgment(topic, document) for document in documents)
    _check_count(topic, expected, listed_count, warnings)


def is_counted_list(file_head: FileHead) -> bool:
    """Return whether a file is a list of numbers, which are queries and their documents.

    The numbers are a query, the number of its documents, its documents, the next query, and so on.
    There must be at least two queries, which are numbered from 1.
    """
    lines = file_head.lines
    if not all(map(_NUMBERS_LINE.fullmatch, lines)):
        return False
    numbers = [int(number[:MAX_DIGITS]) for line in lines for number in line.split()]
    position, queries = 0, 0
    while position + 1 < len(numbers) and numbers[position] == queries + 1:
        position, queries = position + 2 + numbers[position + 1], queries + 1
    return queries > 1 and position + 1 >= len(numbers)


def iter_counted_list(entry: ArchiveEntry, _warnings: ReaderWarnings) -> Iterator[PlainJudgment]:
    """Yield the documents in a list of numbers (see `is_counted_list`)."""
    topic, remaining = "", 0
    for line, text in iter_nonblank_lines(entry.stream, entry.where):
        for number in _split_numbers(text, entry, line):
            if remaining < 0:
                remaining = int(number[:MAX_DIGITS])
            elif remaining:
                remaining -= 1
                yield PlainJudgment(topic, number)
            else:
                topic, remaining = number, -1
    if remaining:
        raise FormatError(
            entry.where,
            Message(
                "query {topic} lists fewer documents than stated; the file may be truncated",
                key="missing-end",
                topic=topic,
            ),
            line,
        )


def is_document_list(file_head: FileHead) -> bool:
    """Return whether each line consists of the number of a query and the numbers of its documents.

    The lines must differ in length, and one of them must have more than four numbers; otherwise
    they could be rows of a table. Each query must have only one line, since a repeated query
    indicates a column of topics. Repeated documents and documents that begin with 0 are not
    accepted; the second column of qrels, for example, contains zeros.
    """
    lines = file_head.lines
    rows = [line.split() for line in lines]
    widths, queries = {len(row) for row in rows}, {row[0] for row in rows if row}
    return (
        len(widths) > 1
        and max(widths) > 4
        and len(queries) == len(rows)
        and all(map(_NUMBERS_LINE.fullmatch, lines))
        and all(
            len({*documents}) == len(documents)
            and not any(document[0] == "0" for document in documents)
            for _, *documents in rows
        )
    )


def iter_document_list(entry: ArchiveEntry, warnings: ReaderWarnings) -> Iterator[PlainJudgment]:
    """Yield the documents on each line of TIME's qrels; the first number is the query."""
    for line, text in iter_nonblank_lines(entry.stream, entry.where):
        topic, *documents = _split_numbers(text, entry, line)
        yield from (PlainJudgment(topic, document) for document in documents)
    warnings.add(IDS_BY_POSITION, "")


def is_ntcir(file_head: FileHead) -> bool:
    """Return whether the first lines have two to four columns, one with grades such as L2."""
    rows = [line.split() for line in file_head.lines]
    width = len(rows[0]) if rows else 0
    return 2 <= width <= 4 and any(
        all(len(row) == width for row in rows) and has_ntcir_levels(rows, column)
        for column in range(1, width)
    )


def iter_ntcir_judgments(entry: ArchiveEntry, _warnings: ReaderWarnings) -> Iterator[PlainJudgment]:
    """Yield judgments of NTCIR: topic, document and grade (L0, L1, L2 …).

    Document and grade may be in either order. If there are four columns, the second is the
    iteration.
    """
    width, document_column = 0, 0
    for line, text in iter_nonblank_lines(entry.stream, entry.where):
        cells = text.split()
        levels = [NTCIR_LEVEL.fullmatch(cell.upper()) for cell in cells]
        if not width:
            width = len(cells)
            document_column = max((index for index, level in enumerate(levels) if level), default=0)
        if width == 2:
            raise FormatError(
                entry.where,
                Message(
                    "2 columns, a document and its grade; expected the topic first on each line",
                    key="column-count",
                ),
                line,
            )
        level = levels[document_column] if len(cells) == width else None
        if not level:
            raise FormatError(
                entry.where,
                Message(
                    "found “{text}”; expected {width} columns with a grade such as L2",
                    key="column-count",
                    text=text[:MAX_SHOWN_CHARACTERS],
                    width=width,
                ),
                line,
            )
        other_cells = [cell for index, cell in enumerate(cells) if index != document_column]
        yield PlainJudgment(other_cells[0], other_cells[-1], int(level[1]))


def _split_numbers(text: str, entry: ArchiveEntry, line: int) -> list[str]:
    if text.strip() and not _NUMBERS_LINE.fullmatch(text):
        raise FormatError(
            entry.where,
            Message(
                "found “{text}”; expected document numbers",
                key="not-numbers",
                text=text.strip()[:MAX_SHOWN_CHARACTERS],
            ),
            line,
        )
    return text.split()


def _check_count(topic: str, expected: int, count: int, warnings: ReaderWarnings) -> None:
    if topic and expected != count:
        warnings.add(
            COUNT_MISMATCH,
            Message(
                "query {topic} states {expected} documents but lists {found}",
                topic=topic,
                expected=expected,
                found=count,
            ),
        )


# Formats in the order in which they are tried. A new format is added to this list.
FORMATS: tuple[FileFormat[PlainJudgment], ...] = (
    FileFormat(Message("NTCIR qrels (L2 means grade 2)"), is_ntcir, iter_ntcir_judgments),
    FileFormat(Message("NPL relevance lists"), is_npl_judgments, iter_npl_judgments),
    FileFormat(
        Message("LISA relevance lists"),
        lambda file_head: bool(_LISA_START.match(file_head.start)),
        iter_lisa_judgments,
    ),
    FileFormat(
        Message("a query, the number of its relevant documents, and these documents"),
        is_counted_list,
        iter_counted_list,
    ),
    FileFormat(
        Message("a query and its relevant documents on each line"),
        is_document_list,
        iter_document_list,
    ),
)


def _read_listed_rows(file: InputFile) -> JudgedRows | None:
    content = read_in_format(file, "qrels", FORMATS, PlainJudgment)
    if content is None:
        return None
    form, judgments, warnings = content
    if not judgments:
        raise FormatError(
            file.path, Message("no judgment found; expected {form}", key="no-judgment", form=form)
        )
    topics, documents, grades = zip(*judgments, strict=True)
    return JudgedRows(
        CodedTexts.from_texts(topics),
        CodedTexts.repeat("0", len(grades)),
        CodedTexts.from_texts(documents),
        np.array(grades, dtype=np.int32),
        messages=(
            Message("{file}: read as {form}.", key="read-as", file=file.path.name, form=form),
            *warnings.format_for(file.path.name),
        ),
    )


# Detection of all formats


def read_other_qrels(
    file: InputFile,
    columns: ColumnMapping,
    encoding: str | None,
    rules: GradeRules,
) -> JudgedRows | None:
    """Read judgments in a format other than TREC lines; None if the file must be read as lines."""
    if (column_rows := _read_columnar_rows(file, columns, rules)) is not None:
        return column_rows
    if not columns and (ratings := read_ratings(file)) and not ratings.has_assessor_columns:
        return to_judged_rows(file.path, ratings, rules)
    format_name = detect_table_format(
        file, (TOPIC, DOCUMENT, GRADE), columns, encoding, records=True
    )
    if format_name == JSON:
        return _read_json_rows(file, rules)
    if format_name:
        return _read_judgment_table(file, columns, encoding, rules)
    return None if columns else _read_listed_rows(file)


def _read_columnar_rows(
    file: InputFile, columns: ColumnMapping, rules: GradeRules
) -> JudgedRows | None:
    """Read judgments from a columnar file; None if the file must be read as text."""
    try:
        table = ColumnTable.open(file, QRELS_PARTS, columns)
        return make_rows_from_columns(table, rules) if table else None
    except (IrregularFile, Undecided) as error:
        if file.path.is_file():
            return None
        if isinstance(error, Undecided):
            raise
        raise FormatError(
            file.path,
            Message(
                "a column contains unreadable values; expected ids as text or whole numbers, and "
                "grades as whole numbers"
            ),
        ) from None


def make_rows_from_columns(table: ColumnTable, rules: GradeRules = NO_RULES) -> JudgedRows:
    """Return the judgments in a columnar table; raise IrregularFile if it must be read as text."""
    if GRADE.name not in table.column_of_part:
        raise IrregularFile
    number = pa.float64() if rules.is_numeric else pa.int32()
    pieces = [
        _parse_piece(read_piece(), number)
        for read_piece in table.pieces([kind.name for kind in QRELS_PARTS])
    ]
    if not pieces:
        raise IrregularFile
    topic, group, document, grade = zip(*pieces, strict=True)
    return JudgedRows(
        _encode_rows(topic),
        _encode_rows(group),
        _encode_rows(document),
        np.concatenate(grade),
        messages=table.messages(""),
    )


def _parse_piece(piece: RowPiece, number: Any) -> tuple[Ids, Ids, Ids, Ints]:
    judged_values = {}
    for name in (TOPIC.name, ITERATION.name, DOCUMENT.name):
        if name in piece.column_of_part:
            codes, texts = encode_ids(piece.id_column(name))
            judged_values[name] = (
                cast_column(to_arrow_column(codes), pa.string())
                if texts is None
                else texts.take(to_arrow_column(codes))
            )
    grade = to_numbers(piece.column(GRADE.name), number)
    if ITERATION.name not in judged_values:
        judged_values[ITERATION.name] = to_arrow_strings(["0"]).take(
            to_arrow_column(np.zeros(len(grade), dtype=np.int32))
        )
    return (
        judged_values[TOPIC.name],
        judged_values[ITERATION.name],
        judged_values[DOCUMENT.name],
        grade,
    )


def _encode_rows(parts: Iterable[Ids]) -> CodedTexts:
    return CodedTexts.from_column(
        pa.chunked_array([pa.concat_arrays([*parts]).dictionary_encode()])
    )


ITERATION = ColumnKind("iteration", ("iteration", "iter", "subtopic"), needed=False)
MAX_CHOICES = 5
QRELS_PARTS = (TOPIC, DOCUMENT, ColumnKind(GRADE.name, GRADE.column_names, needed=False), ITERATION)

NOT_RATED = WarningKind(
    "Skipped 1 row without a document or grade: {first}.",
    "Skipped {count} rows without a document or grade. First: {first}.",
    key="not-rated",
)


def _read_judgment_table(
    file: InputFile, columns: ColumnMapping, encoding: str | None, rules: GradeRules
) -> JudgedRows:
    """Read a table of judgments: topic, document and optionally grade."""
    path, warnings = file.path, ReaderWarnings()
    table = read_table(
        file, QRELS_PARTS, warnings, columns=columns, encoding=encoding, records=True
    )
    if GRADE.name not in table.index_of_part and (unmapped_cells := table.unmapped_cells()):
        raise _make_no_grade_error(table, unmapped_cells)
    values: dict[str, list[str]] = {part: [] for part in table.index_of_part}
    grade_texts: list[tuple[int, str]] = []
    for line, fields in _iter_rated_rows(table, warnings):
        for column, text in fields.items():
            if not text:
                raise table.make_empty_cell_error(column, line)
            values[column].append(text)
        grade_texts.append((line, fields.get("grade", "1")))
    if not grade_texts:
        raise FormatError(
            path,
            Message(
                "the table has a header but no rows; expected judgments below the header",
                key="no-rows",
            ),
        )
    grades, is_converted = _parse_grade_texts(path, grade_texts, rules)
    table.report_unread(warnings)
    return JudgedRows(
        CodedTexts.from_texts(values["topic"]),
        CodedTexts.from_texts(values["iteration"])
        if "iteration" in values
        else CodedTexts.repeat("0", len(grades)),
        CodedTexts.from_texts(values["document"]),
        grades,
        messages=(
            Message(
                "{file}: read as {form}: {columns}{note}.",
                key="read-as",
                file=path.name,
                form=table.format_name,
                columns=table.describe_mapping(),
                note="" if "grade" in values else Message("; each pair counts as grade 1"),
            ),
            *warnings.format_for(path.name),
        ),
        is_converted=is_converted,
    )


def _parse_grade_texts(
    path: Path, grade_texts: Sequence[tuple[int, str]], rules: GradeRules
) -> tuple[Ints | Floats, bool]:
    """Return the grades of ratings given as texts, and whether the ratings were converted."""
    texts = [text for _, text in grade_texts]
    distinct_texts = {*texts}
    if any(map(is_word, distinct_texts)) and all(
        is_word(text) or is_integer(text) or DECIMAL.fullmatch(text) for text in distinct_texts
    ):
        coded_texts = CodedTexts.from_texts(texts)
        return resolve_grades(path, coded_texts.texts.to_pylist(), rules)[coded_texts.codes], True
    return to_grade_column(
        path, [_parse_number(path, text, line) for line, text in grade_texts], rules
    )


def _parse_number(path: Path, text: str, line: int) -> float:
    if not is_integer(text) and DECIMAL.fullmatch(text):
        return float(text)
    return float(parse_integer(path, "grade", text, line))


def _iter_rated_rows(
    table: ReadTable, warnings: ReaderWarnings
) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield the rows of a table of judgments; omit unrated rows where they are allowed.

    Unrated rows are allowed in Quepid's tables, and in other tables if the user mapped the grade
    column.
    """
    quepid = tuple(name.lower() for name in table.header) == ("query", "docid", "rating")
    is_optional_by_part = {
        DOCUMENT.name: quepid,
        GRADE.name: quepid or GRADE.name in dict(table.mapping.named),
    }
    for line, fields in table.records():
        if any(
            may_be_empty and not fields[part] for part, may_be_empty in is_optional_by_part.items()
        ):
            warnings.add(NOT_RATED, Message("line {line}", line=line))
        else:
            yield line, fields


def _make_no_grade_error(table: ReadTable, other_columns: Mapping[str, list[str]]) -> Undecided:
    """Return the error for a table without a recognised grade column, and suggest a mapping."""
    graded_columns = [
        name
        for name, cells in other_columns.items()
        if cells and all(is_integer(cell) or DECIMAL.fullmatch(cell) for cell in cells)
    ]
    choice = format_choices(
        table.mapping.format_extended(GRADE.name, name) for name in graded_columns[:MAX_CHOICES]
    )
    if not graded_columns:
        advice = Message(
            "none of the columns {names} contains only numbers; if every topic–document pair "
            "is relevant, remove these columns",
            names=format_columns([*other_columns]),
        )
    elif len(graded_columns) == 1:
        advice = Message("choose the column with --columns {choice}", choice=choice)
    else:
        advice = Message(
            "{judges}; choose an assessor with --columns {choice}",
            judges=Message(
                "the columns {names} contain grades, apparently one column per assessor",
                names=format_columns(graded_columns),
            ),
            choice=choice,
        )
    return Undecided(
        table.path,
        Message(
            "cannot tell which column is the grade; {advice}", key="no-grade-column", advice=advice
        ),
        ("columns",),
        1,
    )


def _read_json_rows(file: InputFile, rules: GradeRules) -> JudgedRows:
    """Read JSON that maps topics to documents and grades, as ranx and ir_measures write it."""
    path, pairs = file.path, parse_json_pairs(file, "grade")
    grades = pairs.numbers["grade"]
    for topic, document, value in zip(pairs.topics, pairs.documents, grades, strict=True):
        if not abs(value) < 2**31:
            raise FormatError(
                path,
                Message(
                    "topic {topic}, document {document}: grade {value:g} is too large; "
                    "expected less than {limit:,}",
                    key="large-number",
                    topic=topic[:MAX_SHOWN_CHARACTERS],
                    document=document[:MAX_SHOWN_CHARACTERS],
                    value=value,
                    limit=2**31,
                ),
            )
    grade, is_converted = to_grade_column(path, grades, rules)
    return JudgedRows(
        CodedTexts.from_texts(pairs.topics),
        CodedTexts.repeat("0", len(grade)),
        CodedTexts.from_texts(pairs.documents),
        grade,
        messages=(
            Message(
                "{file}: read as JSON of topics, documents and grades.",
                key="read-as-json",
                file=path.name,
            ),
            *prefix_file_name(path.name, pairs.warnings),
        ),
        is_converted=is_converted,
    )
