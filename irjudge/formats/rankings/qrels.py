"""Qrels of TREC and of other collections."""

import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, repeat
from pathlib import Path
from typing import Literal, NamedTuple, get_args

import numpy as np
import pyarrow as pa

from irjudge.errors import FormatError, Undecided
from irjudge.formats.bytes import (
    ArchiveEntry,
    OneFile,
    decoded,
    numbered_lines,
    one_file,
    replacing,
    whole,
    without_half_characters,
)
from irjudge.formats.collections import NPL, is_npl, plain_records
from irjudge.formats.file_formats import FirstLook, FormOfFiles, look_at, with_extensions
from irjudge.formats.judgments import read_ratings
from irjudge.formats.rankings.judged_rows import (
    DECIMAL,
    Coded,
    JudgedRows,
    rated_rows,
    read_lines,
    turned,
    whole_grades,
)
from irjudge.formats.reader_warnings import Oddity, Remarks, in_file
from irjudge.formats.rows import (
    AS_SAID,
    DOCUMENT,
    GRADE,
    JSON,
    LARGEST_LIST,
    LONGEST_SHOWN,
    TOPIC,
    ColumnKind,
    ColumnMapping,
    ColumnTable,
    Irregular,
    PieceOfRows,
    ReadTable,
    cast,
    checked_id,
    codes_of,
    either,
    group_by_topic,
    is_whole,
    listed_columns,
    numbers,
    read_table,
    storable,
    table_form,
    whole_number,
)
from irjudge.message import Message, listed
from irjudge.model import UNJUDGEABLE, UNJUDGED, Ids, Ints, Qrels, column_of, strings_of

# JSON of topics, their documents and a number for each: runs and qrels as ir_measures and ranx save them.

SCORE = "score"  # what is read of a run


@dataclass(slots=True)
class JsonPairs:
    """The pairs of a file in its order: N topics, documents and numbers."""

    topics: list[str] = field(default_factory=list)
    documents: list[str] = field(default_factory=list)
    values: list[float] = field(default_factory=list)
    empty: list[str] = field(default_factory=list)  # topics without documents
    remarks: tuple[str, ...] = ()


def json_pairs(file: OneFile, value: str) -> JsonPairs:
    """Read a file of JSON like `{"1": {"d7": 2.5, "d3": 1.0}}`."""
    expected = Message(
        'expected topics with documents and their {value}s, like {{"1": {{"d7": 2}}}}', value=value
    )
    path, remarks, result = file.path, Remarks(), JsonPairs()
    for topic, documents in _items(file, remarks, expected):
        if not isinstance(documents, tuple):
            problem = Message(
                "topic {topic} holds no documents, {expected}",
                key="no-documents",
                topic=without_half_characters(topic[:40]),
                expected=expected,
            )
            raise _refused(path, problem, value)
        name = _id(topic, path, remarks)
        if not documents:
            result.empty.append(name)
        for document, number in documents:
            if (
                isinstance(number, bool)
                or not isinstance(number, int | float)
                or math.isnan(number)
            ):
                problem = Message(
                    "topic {topic}, document {document}: the {value} is not a number, {expected}",
                    key="not-a-number",
                    topic=without_half_characters(topic[:40]),
                    document=without_half_characters(document[:40]),
                    value=value,
                    expected=expected,
                )
                raise _refused(path, problem, value)
            result.topics.append(name)
            result.documents.append(_id(document, path, remarks))
            result.values.append(_float(number))
    if not result.values:
        raise FormatError(
            path, Message("the JSON holds no pair, {expected}", key="no-pair", expected=expected)
        )
    result.remarks = remarks.sentences()
    return result


def _refused(path: Path, problem: Message, value: str) -> FormatError:
    """Return the refusal of JSON of another shape: a run may be what an engine answered, and a person can say where its hits are."""
    if value != SCORE:
        return FormatError(path, problem)
    words = Message(
        "{problem}; if it is an engine's answer, say with --paths where its hits are",
        key=problem.key,
        problem=problem,
    )
    return Undecided(path, words, ("paths",))


def _id(name: str, path: Path, remarks: Remarks) -> str:
    return checked_id(storable(name, path.name, remarks), path, None, remarks)


def _items(file: OneFile, remarks: Remarks, expected: str) -> tuple[tuple[str, object], ...]:
    """Return the members of the outer object, objects as tuples of pairs: a name that comes again is not lost."""
    path = file.path
    text = decoded(whole(file.text(remarks).stream, path, LARGEST_LIST), path)
    try:
        found = json.loads(text, object_pairs_hook=tuple)
    except json.JSONDecodeError as fault:
        raise FormatError(
            path,
            Message(
                "not JSON ({msg}), {expected}", key="not-json", msg=fault.msg, expected=expected
            ),
            fault.lineno,
        ) from None
    except (RecursionError, ValueError):  # a number of more digits than Python turns into one
        raise FormatError(
            path,
            Message(
                "the JSON nests too deeply or holds too long a number, {expected}",
                key="too-deep",
                expected=expected,
            ),
        ) from None
    if isinstance(found, tuple):
        return found
    raise FormatError(
        path, Message("the JSON is no object, {expected}", key="not-object", expected=expected)
    )


def _float(number: float) -> float:
    try:
        return float(number)
    except OverflowError:
        return math.copysign(math.inf, number)


# Judgments of NPL, LISA and TIME, which list the relevant documents of each query, and NTCIR's, whose grades are L0, L1, L2 …

RELEVANT = 1
MOST_DIGITS = 9
LEVEL = re.compile(r"L(\d{1,3})", re.ASCII)
_NUMBERS = re.compile(r"\s*+\d++(?:\s++\d++)*+\s*+", re.ASCII)
_QUERY = re.compile(r"Query\s++(\d++)\s*+", re.IGNORECASE | re.ASCII)
_COUNT = re.compile(r"(\d{1,9})\s++Relevant\s++Refs?:?\s*+", re.IGNORECASE | re.ASCII)

WRONG_COUNT = Oddity(
    "1 query says another number of relevant documents than it lists, and keeps those that are listed: {first}.",
    "{count} queries say another number of relevant documents than they list, and keep those that are listed, beginning with {first}.",
    key="wrong-count",
)
NO_QUERY = Oddity(
    "1 document stands below a count without a query, and was left out: {first}.",
    "{count} documents stand below a count without a query, and were left out, beginning with {first}.",
    key="no-query",
)
PLACES = Oddity(
    "The documents are their places in the collection (1, 2, 3 …), not the numbers that stand in its records.",
    "The documents are their places in the collection (1, 2, 3 …), not the numbers that stand in its records.",
    key="ids-by-position",
)


class PlainJudgment(NamedTuple):
    """One judgment; where a form only lists documents, they are relevant."""

    topic: str
    document: str
    grade: int = RELEVANT


def is_npl_judgments(look: FirstLook) -> bool:
    """Tell whether it is NPL's form, and all lines hold numbers."""
    return is_npl(look) and all(
        _NUMBERS.fullmatch(line) or line.strip() == "/" for line in look.lines
    )


def npl_judgments(entry: ArchiveEntry, remarks: Remarks) -> Iterator[PlainJudgment]:
    """Yield the documents below each query's number, up to its slash."""
    for record in plain_records(entry, NPL, remarks):
        for line, text in enumerate(record.lines, record.line + 1):
            yield from (
                PlainJudgment(record.id, document) for document in _numbers(text, entry, line)
            )


def is_lisa_judgments(look: FirstLook) -> bool:
    """Tell whether the first line is `Query` and a number."""
    return bool(re.match(rb"query[ \t]++[0-9]++[ \t]*+\r?\n", look.start))


def lisa_judgments(entry: ArchiveEntry, remarks: Remarks) -> Iterator[PlainJudgment]:
    """Yield the documents of each `Query n`, which end with -1; the count before them is checked."""
    topic, expected, found = "", 0, 0
    for line, text in numbered_lines(entry.stream, entry.where):
        query, count = _QUERY.fullmatch(text), _COUNT.fullmatch(text)
        if query or (count and expected):
            _check_count(topic, expected, found, remarks)
            topic, expected, found = query[1] if query else "", 0, 0
        if count:
            expected = int(count[1])
        elif not query:
            documents = _numbers(text.rstrip().removesuffix("-1"), entry, line)
            found += len(documents)
            if not topic:
                remarks.add(NO_QUERY, Message("line {line}", line=line), len(documents))
                continue
            yield from (PlainJudgment(topic, document) for document in documents)
    _check_count(topic, expected, found, remarks)


def is_counted_list(look: FirstLook) -> bool:
    """Tell whether the file is numbers alone: a query, how many documents it has, these documents, the next query."""
    lines = look.lines
    if not all(map(_NUMBERS.fullmatch, lines)):
        return False
    numbers = [int(number[-MOST_DIGITS:]) for line in lines for number in line.split()]
    at, queries = 0, 0
    while at + 1 < len(numbers) and numbers[at] == queries + 1:
        at, queries = at + 2 + numbers[at + 1], queries + 1
    return queries > 1 and at + 1 >= len(numbers)


def counted_list(entry: ArchiveEntry, _remarks: Remarks) -> Iterator[PlainJudgment]:
    """Yield the documents of a list of numbers, in which each query says how many it has."""
    topic, left = "", 0
    for line, text in numbered_lines(entry.stream, entry.where):
        for number in _numbers(text, entry, line):
            if left < 0:
                left = int(number[:MOST_DIGITS])
            elif left:
                left -= 1
                yield PlainJudgment(topic, number)
            else:
                topic, left = number, -1
    if left:
        raise FormatError(
            entry.where,
            Message(
                "query {topic} lists fewer documents than it says; the end is missing",
                key="missing-end",
                topic=topic,
            ),
            line,
        )


def is_document_list(look: FirstLook) -> bool:
    """Tell whether lines hold a query and its documents, all of them numbers, and some have more of them than others.

    Each query has one line: where one comes again it is a topic, and a line that is too long is a wrong one. So it is where a document
    comes again, or is 0, which is no place in a collection but the second column of qrels.
    """
    lines = look.lines
    rows = [line.split() for line in lines]
    widths, queries = {len(row) for row in rows}, {row[0] for row in rows if row}
    if (
        len(widths) < 2
        or max(widths) <= 4
        or len(queries) < len(rows)
        or not all(map(_NUMBERS.fullmatch, lines))
    ):
        return False
    return all(
        len({*documents}) == len(documents) and not any(each[0] == "0" for each in documents)
        for _, *documents in rows
    )


def document_list(entry: ArchiveEntry, remarks: Remarks) -> Iterator[PlainJudgment]:
    """Yield the documents behind the query on each line, as TIME lists them by their places in the collection."""
    for line, text in numbered_lines(entry.stream, entry.where):
        topic, *documents = _numbers(text, entry, line)
        yield from (PlainJudgment(topic, document) for document in documents)
    remarks.add(PLACES, "")


def is_ntcir(look: FirstLook) -> bool:
    """Tell whether each of the first lines has a grade like L2 in the same column, one of two to four."""
    rows = [line.split() for line in look.lines]
    width = len(rows[0]) if rows else 0
    return 2 <= width <= 4 and any(
        all(len(row) == width and LEVEL.fullmatch(row[at].upper()) for row in rows)
        for at in range(1, width)
    )


def ntcir_judgments(entry: ArchiveEntry, _remarks: Remarks) -> Iterator[PlainJudgment]:
    """Yield NTCIR's judgments: topic, document and L0, L1, L2 … in either order, or with an iteration in the second of four columns."""
    width, at = 0, 0
    for line, text in numbered_lines(entry.stream, entry.where):
        cells = text.split()
        if not width:
            width, at = (
                len(cells),
                max(place for place, cell in enumerate(cells) if LEVEL.fullmatch(cell)),
            )
        if width == 2:
            raise FormatError(
                entry.where,
                Message(
                    "2 columns, a document and its grade; expected the topic in front of each line",
                    key="column-count",
                ),
                line,
            )
        level = LEVEL.fullmatch(cells[at]) if len(cells) == width else None
        if not level:
            problem = Message(
                "found “{text}”, expected {width} columns with a grade such as L2",
                key="column-count",
                text=text[:LONGEST_SHOWN],
                width=width,
            )
            raise FormatError(entry.where, problem, line)
        others = [cell for place, cell in enumerate(cells) if place != at]
        yield PlainJudgment(others[0], others[-1], int(level[1]))


def _numbers(text: str, entry: ArchiveEntry, line: int) -> list[str]:
    if text.strip() and not _NUMBERS.fullmatch(text):
        problem = Message(
            "found “{text}”, expected the numbers of documents",
            key="not-numbers",
            text=text.strip()[:LONGEST_SHOWN],
        )
        raise FormatError(entry.where, problem, line)
    return text.split()


def _check_count(topic: str, expected: int, found: int, remarks: Remarks) -> None:
    if topic and expected != found:
        remarks.add(
            WRONG_COUNT,
            Message(
                "query {topic} says {expected} and lists {found}",
                topic=topic,
                expected=expected,
                found=found,
            ),
        )


# Qrels: TREC's topic, iteration (or subtopic, or group), document and grade, and what other collections have in their place.

# The first form that fits is taken. A new form is one more line here.
FORMS: tuple[FormOfFiles[PlainJudgment], ...] = (
    FormOfFiles(Message("NTCIR qrels, where L2 is grade 2"), is_ntcir, ntcir_judgments),
    FormOfFiles(Message("NPL's lists of relevant documents"), is_npl_judgments, npl_judgments),
    FormOfFiles(Message("LISA's lists of relevant documents"), is_lisa_judgments, lisa_judgments),
    FormOfFiles(
        Message("a query, a count, and that many relevant documents"), is_counted_list, counted_list
    ),
    FormOfFiles(
        Message("a query and its relevant documents on each line"), is_document_list, document_list
    ),
)


def listed_rows(file: OneFile) -> JudgedRows | None:
    """Read judgments in one of these forms; None where none fits."""
    if not file.path.is_file():
        return None
    remarks = Remarks()
    entry = file.text(remarks)
    look = look_at(entry)
    form = next(
        (form for form in with_extensions("qrels", FORMS, PlainJudgment) if form.fits(look)), None
    )
    return (
        _judged_forms_rows(file.path, form.name, list(form.read(entry, remarks)), remarks)
        if form
        else None
    )


def _judged_forms_rows(
    path: Path, form: str, judged: list[PlainJudgment], remarks: Remarks
) -> JudgedRows:
    if not judged:
        raise FormatError(
            path, Message("no judgment was found, expected {form}", key="no-judgment", form=form)
        )
    topics, documents, grades = zip(*judged, strict=True)
    said = Message("{file}: read as {form}.", key="read-as", file=path.name, form=form)
    group = Coded.same("0", len(grades))
    grade = np.array(grades, dtype=np.int32)
    return JudgedRows(
        Coded.of(topics), group, Coded.of(documents), grade, said=(said, *remarks.about(path.name))
    )


Negative = Literal["unjudged", "unjudgeable", "0"]
NEGATIVES: tuple[Negative, ...] = get_args(Negative)
MEANT: dict[int, Negative] = {UNJUDGED: "unjudged", UNJUDGEABLE: "unjudgeable"}
NO_GROUPS = repeat("0")  # without end
SAID: dict[Negative, str] = {
    "unjudged": Message("unjudged"),
    "unjudgeable": Message("unjudgeable"),
    "0": "0",
}
CODE: dict[Negative, int] = {"unjudged": UNJUDGED, "unjudgeable": UNJUDGEABLE, "0": 0}


def read_qrels(
    path: Path,
    negative: Negative | None = None,
    *,
    grades: Mapping[float, int] | None = None,
    columns: ColumnMapping = AS_SAID,
    encoding: str | None = None,
) -> Qrels:
    """Read qrels, plain or packed: lines of the TREC form, relevance of SMART collections, tables with a header, spreadsheets or JSON.

    In lines, any mix of spaces and tabs separates columns; blank lines and `#` lines are left out. The first of two lines for the same
    topic, iteration and document is kept. What is not of the TREC form is said in `remarks`, as is all that was decided and how many lines
    were left out.

    `negative` is what every negative grade means: `unjudged`, `unjudgeable`, or `0`, a grade of zero. None takes -1 for unjudged and -2 for
    unjudgeable, as irjudge writes them; lines without an iteration have no such convention, and are refused. Before that `grades` says
    which becomes which, and each grade of the file must be there; None keeps grades. `columns` says which column holds the topic, document,
    grade and iteration, by name or number, where it cannot be told; the encoding is that of a table of text, lines are UTF-8.

    FormatError with the first line that does not fit, or where a grade or the order of columns may mean two things and nobody said which;
    nothing is returned then.
    """
    with one_file(path) as file:
        rows = _rows_by_columns(file, columns) or _rows(file, columns, encoding, grades)
    return _qrels_of_rows(path, rows, negative, grades)


def table_qrels(
    table: ColumnTable,
    negative: Negative | None = None,
    grades: Mapping[float, int] | None = None,
) -> Qrels | None:
    """Return the judgments of a table in memory; None where something in it must be looked at row by row, a pair that comes twice too."""
    try:
        found = _qrels_of_rows(table.path, _rows_of_columns(table), negative, grades)
    except (Irregular, FormatError):
        return None
    return found if len(found) == table.whole.num_rows else None


def _qrels_of_rows(
    path: Path, rows: JudgedRows, negative: Negative | None, grades: Mapping[float, int] | None
) -> Qrels:
    topics, documents = rows.topic.texts, rows.document.texts
    names = documents.take(column_of(rows.document.codes))
    grouped = group_by_topic(rows.topic.codes, len(topics), names, rows.group.codes)
    grade, said = _settle(
        path, rows, grouped.take(rows.grade), negative, None if rows.turned else grades
    )
    return Qrels(
        topics=tuple(topics.to_pylist()),
        starts=grouped.starts,
        documents=documents,
        document=grouped.take(rows.document.codes),
        grade=grade,
        group=grouped.take(rows.group.codes),
        groups=tuple(rows.group.texts.to_pylist()),
        remarks=rows.said
        + duplicate_remarks(path, grouped.duplicates, grouped.example, topics)
        + (_contradictions(path, rows) if grouped.duplicates else ())
        + said,
        titles=rows.titles,
    )


def _rows_by_columns(file: OneFile, columns: ColumnMapping) -> JudgedRows | None:
    """Read judgments that are kept by columns; None for any others, and for a single file of which something must be read as text."""
    try:
        table = ColumnTable.at(file, QRELS_PARTS, columns)
        return _rows_of_columns(table) if table else None
    except (Irregular, Undecided) as fault:
        if file.path.is_file():
            return None
        if isinstance(fault, Undecided):
            raise
        words = Message(
            "a column holds what cannot be read, expected ids as text or whole numbers, and grades as whole numbers"
        )
        raise FormatError(file.path, words) from None


def _rows_of_columns(table: ColumnTable) -> JudgedRows:
    if GRADE.name not in table.places:
        raise Irregular
    pieces = [_judged_piece(read()) for read in table.pieces([kind.name for kind in QRELS_PARTS])]
    if not pieces:
        raise Irregular
    topic, group, document, grade = zip(*pieces, strict=True)
    return JudgedRows(
        _coded(topic), _coded(group), _coded(document), np.concatenate(grade), said=table.said("")
    )


def _judged_piece(piece: PieceOfRows) -> tuple[Ids, Ids, Ids, Ints]:
    """Return topic, group, document and grade of some rows."""
    found = {}
    for name in (TOPIC.name, ITERATION.name, DOCUMENT.name):
        if name in piece.places:
            codes, texts = codes_of(piece.column(name))
            found[name] = (
                cast(column_of(codes), pa.string())
                if texts is None
                else texts.take(column_of(codes))
            )
    grade = numbers(piece.column(GRADE.name), pa.int32())
    if ITERATION.name not in found:
        found[ITERATION.name] = strings_of(["0"]).take(
            column_of(np.zeros(len(grade), dtype=np.int32))
        )
    return found[TOPIC.name], found[ITERATION.name], found[DOCUMENT.name], grade


def _coded(parts: Iterable[Ids]) -> Coded:
    return Coded.column(pa.chunked_array([pa.concat_arrays([*parts]).dictionary_encode()]))


def _contradictions(path: Path, rows: JudgedRows) -> tuple[str, ...]:
    """Return the sentence about duplicates that give another grade than the line that was kept, or nothing."""
    pairs = np.stack((rows.topic.codes, rows.group.codes, rows.document.codes))
    _, first, place = np.unique(pairs, axis=1, return_index=True, return_inverse=True)
    kept = rows.grade[first][place.reshape(-1)]
    others = np.flatnonzero(kept != rows.grade)
    if not len(others):
        return ()
    at = others[0]
    topic, document = (
        rows.topic.texts[int(rows.topic.codes[at])].as_py(),
        rows.document.texts[int(rows.document.codes[at])].as_py(),
    )
    example = Message(
        "topic {topic}, document {document}: {kept}, then {grade}",
        topic=topic,
        document=document,
        kept=kept[at],
        grade=rows.grade[at],
    )
    return (
        Message(
            "{file}: {others:,} of these contradict the grade that was kept (for example {example}).",
            key="contradicting-grades",
            file=path.name,
            others=len(others),
            example=example,
        ),
    )


def _rows(
    file: OneFile, columns: ColumnMapping, encoding: str | None, grades: Mapping[float, int] | None
) -> JudgedRows:
    if not columns and (ratings := read_ratings(file)) and not ratings.by_judge:
        return rated_rows(file.path, ratings, grades)
    form = table_form(file, HEADER, columns, encoding)
    if form == JSON:
        return json_rows(file, grades)
    if form:
        return table_rows(file, columns, encoding, grades)
    return (None if columns else listed_rows(file)) or read_lines(file, columns, grades)


def _settle(
    path: Path,
    rows: JudgedRows,
    grade: Ints,
    negative: Negative | None,
    grades: Mapping[float, int] | None,
) -> tuple[Ints, tuple[str, ...]]:
    """Return grades that mean what ours do, and what was done, a sentence each."""
    if grades is not None:
        grade, turning = turned(path, grade, grades, keep_negative=negative is not None)
        settled, said = _settle_negative(path, grade, negative)
        return settled, (turning, *said)
    if not rows.convention and negative is None and (grade < 0).any():
        raise _negative_unsaid(path, grade)
    settled, said = _settle_negative(path, grade, negative)
    return settled, _perhaps_inverted(path, rows, grade) + said


def _negative_unsaid(path: Path, grade: Ints) -> Undecided:
    found = np.unique(grade).tolist()
    problem = Message(
        "{sum:,} grades are negative (grades: {founds}), which lines of three columns leave open",
        sum=int((grade < 0).sum()),
        founds=", ".join(map(str, found)),
    )
    turning = _turning(found)
    zeros = "".join(f",{value}:0" for value in found if value < 0)
    example = (
        Message(
            ', such as "{turning}{zeros}" where {first} is the best',
            turning=turning,
            zeros=zeros,
            first=turning.partition(":")[0],
        )
        if turning
        else ""
    )
    choice = Message(
        "say with --negative what they mean ({negatives}), or turn grades into others with --grades{example}",
        negatives=", ".join(NEGATIVES),
        example=example,
    )
    return Undecided(
        path,
        Message("{problem}; {choice}", key="negative-grades", problem=problem, choice=choice),
        ("negative", "grades"),
    )


def to_grades(
    path: Path,
    values: Sequence[float],
    negative: Negative | None,
    grades: Mapping[float, int] | None,
) -> list[int]:
    """Return the grades that numbers become by the options of `read_qrels`."""
    whole, is_done = whole_grades(path, values, grades)
    grade = np.array(whole, dtype=np.int32)
    if grades is not None and not is_done:
        grade, _ = turned(path, grade, grades, keep_negative=negative is not None)
    settled, _ = _settle_negative(path, grade, negative)
    return [int(each) for each in settled]


def _turning(found: list[int]) -> str:
    """Return the pairs that turn grades round where they may count from the best, as Cranfield's do: several, and none is 0."""
    levels = [grade for grade in found if grade >= 0]
    if len(levels) < 2 or levels[0] == 0:
        return ""
    return ",".join(f"{low}:{high}" for low, high in zip(levels, reversed(levels), strict=True))


def _perhaps_inverted(path: Path, rows: JudgedRows, grade: Ints) -> tuple[str, ...]:
    if rows.convention:
        return ()
    found = np.unique(grade[grade >= 0]).tolist()
    if not (turning := _turning(found)):
        return ()
    kept = Message(
        "the grades are {founds} and none is 0; they are kept, so that {found} is the best",
        founds=", ".join(map(str, found)),
        found=found[-1],
    )
    return (
        Message(
            '{file}: {kept}. Where {first} is the best, turn them round with --grades "{turning}".',
            key="no-grade-0",
            file=path.name,
            kept=kept,
            first=found[0],
            turning=turning,
        ),
    )


def _settle_negative(
    path: Path, grade: Ints, negative: Negative | None
) -> tuple[Ints, tuple[str, ...]]:
    """Return grades in which a negative one is unjudged or unjudgeable, and the sentence that says what was done."""
    values, counts = np.unique(grade[grade < 0], return_counts=True)
    if not len(values):
        return grade, ()
    if negative is None and values[0] < UNJUDGEABLE:
        problem = Message(
            "{count:,} grades are {grade}; say what negative grades mean: {negatives}",
            key="unknown-negative",
            count=counts[0],
            grade=values[0],
            negatives=", ".join(NEGATIVES),
        )
        raise Undecided(path, problem, ("negative", "grades"))
    meaning = {int(value): negative or MEANT[int(value)] for value in values}
    parts = [
        Message(
            "{count:,} of grade {value} count as {meaning}",
            count=count,
            value=value,
            meaning=SAID[meaning[value]],
        )
        for value, count in zip(values.tolist(), counts.tolist(), strict=True)
    ]
    settled = grade.copy()
    for value, name in meaning.items():
        settled[grade == value] = CODE[name]
    return settled, (
        Message("{file}: {parts}.", key="meaning-of-negative", file=path.name, parts=listed(parts)),
    )


def duplicate_remarks(
    path: Path, count: int, example: tuple[int, str] | None, topics: pa.Array
) -> tuple[str, ...]:
    """Return the sentence about lines left out as duplicates, or nothing."""
    if not example:
        return ()
    lines = Message("1 line names") if count == 1 else Message("{count:,} lines name", count=count)
    first = Message(
        "topic {as_py}, document {example}", as_py=topics[example[0]].as_py(), example=example[1]
    )
    return (
        Message(
            "{file}: {lines} a topic and document that stood before; the first was kept (for example {first}).",
            key="same-pair",
            file=path.name,
            lines=lines,
            first=first,
        ),
    )


def qrels_lines(
    rows: Iterable[tuple[str, str, int]], path: Path, groups: Iterable[str] = NO_GROUPS
) -> Iterator[str]:
    """Yield (topic, document, grade) rows as lines of TREC qrels; `groups` is column 2 of each row."""
    for (topic, document, grade), group in zip(rows, groups, strict=False):
        check_ids(path, (topic,), (group, document), "qrels")
        yield f"{topic} {group} {document} {grade}\n"


def check_ids(path: Path, topics: Iterable[str], documents: Iterable[str], form: str) -> None:
    """Refuse ids that lines split by blanks cannot hold."""
    for name in chain(topics, documents):
        if name.encode().split() != [name.encode()] or "\0" in name:
            raise FormatError(
                path,
                Message(
                    "the id {name!r} holds white space or nothing; TREC {form} cannot say it",
                    key="not-writable",
                    name=name,
                    form=form,
                ),
            )
    for topic in topics:
        if topic.startswith(("#", "\ufeff")):
            raise FormatError(
                path,
                Message(
                    "the topic {topic!r} would begin a comment or mark the file; TREC {form} cannot say it",
                    key="not-writable",
                    topic=topic,
                    form=form,
                ),
            )


def write_qrels(
    path: Path, rows: Iterable[tuple[str, str, int]], groups: Iterable[str] = NO_GROUPS
) -> int:
    """Write (topic, document, grade) rows as TREC qrels, whole or not at all, and return how many; `groups` is column 2 of each row.

    IrjudgeError when an id cannot be written, or the file cannot.
    """
    count = 0
    with replacing(path) as part, part.open("w", encoding="utf-8", newline="\n") as file:
        for count, line in enumerate(qrels_lines(rows, path, groups), 1):  # noqa: B007 -- the last number is the result
            file.write(line)
    return count


ITERATION = ColumnKind("iteration", ("iteration", "iter", "subtopic"), needed=False)
QUEPID = ("query", "docid", "rating")
MOST_CHOICES = 5
QRELS_PARTS = (TOPIC, DOCUMENT, ColumnKind(GRADE.name, GRADE.known, needed=False), ITERATION)
HEADER = (TOPIC, DOCUMENT, GRADE)

NOT_RATED = Oddity(
    "1 row has no document or no grade, which is not judged, and was left out: {first}.",
    "{count} rows have no document or no grade, which is not judged, and were left out, beginning with {first}.",
    key="not-rated",
)


def table_rows(
    file: OneFile, columns: ColumnMapping, encoding: str | None, turning: Mapping[float, int] | None
) -> JudgedRows:
    """Read a table of judgments: topic, document and, where it is there, grade; `turning` says what fractions become."""
    path, remarks = file.path, Remarks()
    table = read_table(file, QRELS_PARTS, remarks, columns=columns, encoding=encoding)
    if GRADE.name not in table.places and (further := table.further()):
        raise _no_grade(table, further)
    values: dict[str, list[str]] = {part: [] for part in table.places}
    given: list[float] = []
    for line, fields in _rated(table, remarks):
        for part, text in fields.items():
            if not text:
                raise table.empty(part, line)
            values[part].append(text)
        given.append(_number(path, fields.get("grade", "1"), line))
    if not given:
        raise FormatError(
            path,
            Message(
                "the table has a header and no rows, expected judgments below it", key="no-rows"
            ),
        )
    grades, done = whole_grades(path, given, turning)
    table.report_unread(remarks)
    group = Coded.of(values["iteration"]) if "iteration" in values else Coded.same("0", len(grades))
    said = (
        Message(
            "{file}: read as {form}: {reading}{rest}.",
            key="read-as",
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


def _number(path: Path, text: str, line: int) -> float:
    if not is_whole(text) and DECIMAL.fullmatch(text):
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
    graded = [
        name
        for name, cells in further.items()
        if cells and all(is_whole(cell) or DECIMAL.fullmatch(cell) for cell in cells)
    ]
    choice = either(table.said.also(GRADE.name, name) for name in graded[:MOST_CHOICES])
    if not graded:
        rest = Message(
            "none of {names} holds whole numbers; where each pair is relevant, leave them out",
            names=listed_columns([*further]),
        )
    elif len(graded) == 1:
        rest = Message("say which is with --columns {choice}", choice=choice)
    else:
        judges = Message(
            "{names} hold grades, as where each assessor has a column", names=listed_columns(graded)
        )
        rest = Message(
            "{judges}; say whose count with --columns {choice}", judges=judges, choice=choice
        )
    return Undecided(
        table.path,
        Message("no column is understood as the grade; {rest}", key="no-grade-column", rest=rest),
        ("columns",),
        1,
    )


def json_rows(file: OneFile, turning: Mapping[float, int] | None) -> JudgedRows:
    """Read JSON of topics, their documents and the grades of these, as ranx and ir_measures have qrels."""
    path, pairs = file.path, json_pairs(file, "grade")
    for topic, document, value in zip(pairs.topics, pairs.documents, pairs.values, strict=True):
        if not abs(value) < 2**31:
            raise FormatError(
                path,
                Message(
                    "topic {topic}, document {document}: grade {value:g} is too large, expected less than {most:,}",
                    key="large-number",
                    topic=topic[:LONGEST_SHOWN],
                    document=document[:LONGEST_SHOWN],
                    value=value,
                    most=2**31,
                ),
            )
    whole, done = whole_grades(path, pairs.values, turning)
    grade = np.array(whole, dtype=np.int32)
    said = (
        Message(
            "{file}: read as JSON of topics, documents and grades.",
            key="read-as-json",
            file=path.name,
        ),
        *in_file(path.name, pairs.remarks),
    )
    return JudgedRows(
        Coded.of(pairs.topics),
        Coded.same("0", len(grade)),
        Coded.of(pairs.documents),
        grade,
        said=said,
        turned=done,
    )
