"""Readers and writers of qrels."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, repeat
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, get_args

import numpy as np
import pyarrow as pa

from irjudge.catalogue import load_extensions
from irjudge.errors import FormatError, Undecided
from irjudge.formats.bytes import (
    InputFile,
    open_input,
    parse_encoding_option,
    replace_file,
)
from irjudge.formats.rankings.grade_rules import (
    GradeMap,
    GradeRules,
    convert_grades,
    format_rating,
    parse_grade_rules,
    split_ratings,
    to_grade_column,
)
from irjudge.formats.rankings.judged_rows import (
    QRELS_TAB_LAYOUTS,
    JudgedRows,
    find_tab_columns,
    has_ntcir_levels,
    read_lines,
)
from irjudge.formats.rankings.judged_rows import (
    PlainJudgment as PlainJudgment,  # plug-ins import this class from here
)
from irjudge.formats.rows import (
    AS_RECOGNISED,
    WHOLE_NUMBER,
    ColumnMapping,
    IrregularFile,
    group_by_topic,
)
from irjudge.message import Message, join_messages
from irjudge.model import (
    DOCUMENT_NAMES,
    TOPIC_NAMES,
    UNJUDGEABLE,
    UNJUDGED,
    Floats,
    Ints,
    Qrels,
    to_arrow_column,
)
from irjudge.options import Option

if TYPE_CHECKING:
    from irjudge.formats.rows import ColumnTable

# TREC qrels (topic; iteration, subtopic or group; document; grade), and other formats

Negative = Literal["unjudged", "unjudgeable", "0"]
NEGATIVES: tuple[Negative, ...] = get_args(Negative)
NegativeOption = Annotated[
    Negative | None,
    Option(
        "Meaning of negative grades in qrels. Default: -1 is unjudged and -2 unjudgeable.",
        choices=NEGATIVES,
    ),
]
GainsOption = Annotated[
    bool,
    Option(
        "The ratings in qrels are gains, such as 0.412: CG, DCG, nDCG, ERR and "
        "RBP(gain=graded) use them unchanged. Other measures use the grades set by --cuts or, "
        "without --cuts, grade 1 for all ratings above 0."
    ),
]
CutsOption = Annotated[
    str | None,
    Option(
        'The lowest rating for each of the grades 1, 2, 3 …; with "0.2,0.5,1", a rating of '
        "0.412 is grade 1.",
        metavar="RATING,...",
    ),
]


@dataclass(frozen=True, slots=True, kw_only=True)
class GradesRequest:
    """Options of commands for converting the grades in qrels files, or the labels in tables.

    `rules` makes grade rules from a mapping of grades or words, cuts and gains. The meaning of
    negative grades (`negative`) is not part of these rules; readers have a separate argument for
    it.
    """

    negative: NegativeOption = None
    grades: Annotated[
        str | None,
        Option(
            'Map the grades in qrels to other grades, such as "1:4,2:3,-1:0", "0.5:1,1:2" or, '
            'for words, "Exact:3,Partial:1".',
            metavar="OLD:NEW,...",
        ),
    ] = None
    gains: GainsOption = False
    cuts: CutsOption = None

    def rules(self) -> GradeRules | None:
        """Return rules that convert grades; None if no option is given."""
        return parse_grade_rules(self.grades or None, cuts=self.cuts, gains=self.gains)


NEGATIVE_MEANINGS: dict[int, Negative] = {UNJUDGED: "unjudged", UNJUDGEABLE: "unjudgeable"}
NO_GROUPS = repeat("0")  # values for column 2 of qrels without groups: 0 in every line
NEGATIVE_LABELS: dict[Negative, str] = {
    "unjudged": Message("unjudged"),
    "unjudgeable": Message("unjudgeable"),
    "0": "0",
}
NEGATIVE_CODES: dict[Negative, int] = {"unjudged": UNJUDGED, "unjudgeable": UNJUDGEABLE, "0": 0}


def read_qrels(
    path: Path,
    negative: Negative | None = None,
    *,
    grades: GradeMap | GradeRules | None = None,
    columns: ColumnMapping = AS_RECOGNISED,
    encoding: str | None = None,
) -> Qrels:
    """Read qrels: TREC lines, SMART relevance files, tables with a header, spreadsheets, JSON.

    In lines, spaces and tabs separate columns; blank lines and `#` lines are skipped. If several
    lines have the same topic, iteration and document, the first is used. `warnings` of the result
    contains messages about formats other than TREC lines, resolved ambiguities, and omitted
    duplicates.

    `negative` is the meaning of all negative grades: `unjudged`, `unjudgeable`, or `0` (grade 0).
    If it is None, -1 means unjudged and -2 unjudgeable, as in files that irjudge writes; lines
    without an iteration must not have negative grades then, since no such convention exists for
    them. `grades` is applied before `negative`. It is a mapping of grades or words that includes
    every grade in the file, or rules that convert ratings to gains and grades; None leaves grades
    unchanged. `columns` maps topic, document, grade and iteration to columns, by name or number, if
    they are not recognised. `encoding` is the encoding of the text, by default UTF-8, or UTF-16 if
    it is marked or detected.

    Raises FormatError, which names the line, if a line is invalid, or if the meaning of a grade or
    the order of columns is ambiguous.
    """
    rules = GradeRules.from_grades(grades)
    with open_input(path) as file:
        file.encoding = parse_encoding_option(encoding)
        rows = _read_rows(file, columns, encoding, rules)
    return _make_qrels(path, rows, negative, rules)


def _read_rows(
    file: InputFile,
    columns: ColumnMapping,
    encoding: str | None,
    rules: GradeRules,
) -> JudgedRows:
    # The other readers are slow to import, and most qrels are TREC lines.
    if columns or not _is_trec(file):
        from irjudge.formats.rankings.other_qrels import read_other_qrels  # noqa: PLC0415

        if rows := read_other_qrels(file, columns, encoding, rules):
            return rows
        if (
            not columns
            and (tab_columns := find_tab_columns(file, QRELS_TAB_LAYOUTS))
            and (rows := read_other_qrels(file, tab_columns, encoding, rules))
        ):
            return rows
    rows = read_lines(file, columns, rules)
    return replace(rows, messages=rows.messages + file.warnings.format_for(file.path.name))


def _is_trec(file: InputFile) -> bool:
    """Return whether the first lines are TREC qrels and match no other format."""
    rows = file.first_rows()
    return (
        bool(rows)
        and all(
            len(row) == 4 and row[1] in ("0", "Q0") and WHOLE_NUMBER.fullmatch(row[3])
            for row in rows
        )
        # the next conditions exclude NTCIR's lines, JSON, tables with a header, and lists in which
        # column 2 is the next query
        and not has_ntcir_levels(rows, 2)
        and not set(',;{"').intersection("".join(rows[0]))
        and {*TOPIC_NAMES, *DOCUMENT_NAMES}.isdisjoint(cell.lower() for cell in rows[0])
        and (rows[0][0], rows[0][2]) != ("1", "2")
        and not load_extensions("irjudge.readers")
    )


def qrels_from_table(
    table: "ColumnTable",
    negative: Negative | None = None,
    grades: GradeMap | GradeRules | None = None,
) -> Qrels | None:
    """Return the judgments in a table in memory; None if it needs the slow reader."""
    from irjudge.formats.rankings.other_qrels import make_rows_from_columns  # noqa: PLC0415 -- few qrels are columns

    try:
        rules = GradeRules.from_grades(grades)
        rows = _make_qrels(table.path, make_rows_from_columns(table, rules), negative, rules)
    except (IrregularFile, FormatError):
        return None
    return rows if len(rows) == table.arrow_table.num_rows else None


def _make_qrels(
    path: Path, rows: JudgedRows, negative: Negative | None, rules: GradeRules
) -> Qrels:
    topics, documents = rows.topic.texts, rows.document.texts
    names = documents.take(to_arrow_column(rows.document.codes))
    groups = group_by_topic(rows.topic.codes, len(topics), names, rows.group.codes)
    rating, gain = groups.take(rows.grade), None
    if rules.is_numeric and not rows.is_converted:
        code = None if negative is None else NEGATIVE_CODES[negative]
        grade, gain = split_ratings(path, rating.astype(np.float64), rules, code)
        messages = _describe_gains(path, grade, gain, rules)
    else:
        grade, messages = _convert_grades(path, rows, rating.astype(np.int32), negative, rules)
    return Qrels(
        topics=tuple(topics.to_pylist()),
        starts=groups.starts,
        documents=documents,
        document=groups.take(rows.document.codes),
        grade=grade,
        group=groups.take(rows.group.codes),
        groups=tuple(rows.group.texts.to_pylist()),
        warnings=rows.messages
        + warn_of_duplicates(path, groups.duplicate_count, groups.first_duplicate, topics)
        + (_warn_of_contradictions(path, rows) if groups.duplicate_count else ())
        + messages,
        titles=rows.titles,
        gain=gain if rules.gains else None,
    )


def _describe_gains(path: Path, grade: Ints, gain: Floats, rules: GradeRules) -> tuple[str, ...]:
    values, counts = np.unique(grade[grade >= 0], return_counts=True)
    message_values = {
        "file": path.name,
        "parts": join_messages(
            Message("grade {value}: {count:,}", count=count, value=value)
            for value, count in zip(values.tolist(), counts.tolist(), strict=True)
        ),
        "cuts": ", ".join(map(format_rating, rules.cuts)),
    }
    if not rules.gains:
        return (
            Message(
                "{file}: ratings were converted to grades at {cuts} ({parts}).",
                key="cut",
                **message_values,
            ),
        )
    judged_gains = gain[grade >= 0]
    low, high = map(
        format_rating,
        (judged_gains.min(), judged_gains.max()) if len(judged_gains) else (0.0, 0.0),
    )
    if rules.cuts:
        return (
            Message(
                "{file}: ratings are gains from {low} to {high}; converted to grades at {cuts} "
                "({parts}).",
                key="gains",
                low=low,
                high=high,
                **message_values,
            ),
        )
    return (
        Message(
            "{file}: ratings are gains from {low} to {high}; a gain above 0 is grade 1 ({parts}).",
            key="gains",
            low=low,
            high=high,
            **message_values,
        ),
    )


def _warn_of_contradictions(path: Path, rows: JudgedRows) -> tuple[str, ...]:
    """Return a warning if duplicates have different grades; otherwise empty."""
    pairs = np.stack((rows.topic.codes, rows.group.codes, rows.document.codes))
    _, first_rows, pair_index = np.unique(pairs, axis=1, return_index=True, return_inverse=True)
    first_grades = rows.grade[first_rows][pair_index.reshape(-1)]
    contradictions = np.flatnonzero(first_grades != rows.grade)
    if not len(contradictions):
        return ()
    row = contradictions[0]
    return (
        Message(
            "{file}: repeated lines whose grade contradicts the grade used: {others:,} (for "
            "example {example}).",
            key="contradicting-grades",
            file=path.name,
            others=len(contradictions),
            example=Message(
                "topic {topic}, document {document}: grade {kept}, then {grade}",
                topic=rows.topic.texts[int(rows.topic.codes[row])].as_py(),
                document=rows.document.texts[int(rows.document.codes[row])].as_py(),
                kept=first_grades[row],
                grade=rows.grade[row],
            ),
        ),
    )


def _convert_grades(
    path: Path,
    rows: JudgedRows,
    grade: Ints,
    negative: Negative | None,
    rules: GradeRules,
) -> tuple[Ints, tuple[str, ...]]:
    if rules.numbers is not None and not rows.is_converted:
        grade, messages_on_grades = convert_grades(
            path, grade, rules.numbers, keep_negative=negative is not None
        )
        resolved_grades, messages = _convert_negative(path, grade, negative)
        return resolved_grades, (messages_on_grades, *messages)
    if not rows.has_negative_codes and negative is None and (grade < 0).any():
        raise _check_negative_option(path, grade)
    resolved_grades, messages = _convert_negative(path, grade, negative)
    is_mapped = rows.is_converted and rules.numbers is not None
    return resolved_grades, (() if is_mapped else _warn_of_inversion(path, rows, grade)) + messages


def _check_negative_option(path: Path, grade: Ints) -> Undecided:
    grades = np.unique(grade).tolist()
    problem = Message(
        "files with three columns do not define the meaning of negative grades (judgments with "
        "negative grades: {count:,}; all grades: {grades})",
        count=int((grade < 0).sum()),
        grades=", ".join(map(str, grades)),
    )
    reversed_pairs = _format_inversion_pairs(grades)
    choice = Message(
        "set the meaning of negative grades with --negative ({negatives}), or map grades with "
        "--grades{example}",
        negatives=", ".join(NEGATIVES),
        example=Message(
            ', for example "{mapping}{zeros}" if {grade} is the best grade',
            mapping=reversed_pairs,
            zeros="".join(f",{value}:0" for value in grades if value < 0),
            grade=reversed_pairs.partition(":")[0],
        )
        if reversed_pairs
        else "",
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
    grades: GradeMap | GradeRules | None,
) -> list[int]:
    """Convert ratings to grades with the options of `read_qrels`."""
    rules = GradeRules.from_grades(grades)
    rating, is_converted = to_grade_column(path, values, rules)
    if rules.is_numeric:
        code = None if negative is None else NEGATIVE_CODES[negative]
        return [*split_ratings(path, rating.astype(np.float64), rules, code)[0].tolist()]
    grade = rating.astype(np.int32)
    if (pairs := rules.numbers) is not None and not is_converted:
        grade, _ = convert_grades(path, grade, pairs, keep_negative=negative is not None)
    resolved_grades, _ = _convert_negative(path, grade, negative)
    return [int(value) for value in resolved_grades]


def _format_inversion_pairs(values: list[int]) -> str:
    """Return the mapping for `--grades` that reverses the grades; empty if they need no reversal.

    If there are several grades but no grade 0, the lowest may be the best, as in Cranfield.
    """
    levels = [grade for grade in values if grade >= 0]
    if len(levels) < 2 or levels[0] == 0:
        return ""
    return ",".join(f"{low}:{high}" for low, high in zip(levels, reversed(levels), strict=True))


def _warn_of_inversion(path: Path, rows: JudgedRows, grade: Ints) -> tuple[str, ...]:
    if rows.has_negative_codes:
        return ()
    values = np.unique(grade[grade >= 0]).tolist()
    if not (reversed_pairs := _format_inversion_pairs(values)):
        return ()
    return (
        Message(
            "{file}: {message}. If {grade} is the best grade, reverse the grades with --grades "
            '"{mapping}".',
            key="no-grade-0",
            file=path.name,
            message=Message(
                "the grades are {grades}, without 0; they are used unchanged, so {best} is the best grade",
                grades=", ".join(map(str, values)),
                best=values[-1],
            ),
            grade=values[0],
            mapping=reversed_pairs,
        ),
    )


def _convert_negative(
    path: Path, grade: Ints, negative: Negative | None
) -> tuple[Ints, tuple[str, ...]]:
    """Convert negative grades by their meaning; return all grades, and messages."""
    values, counts = np.unique(grade[grade < 0], return_counts=True)
    if not len(values):
        return grade, ()
    if negative is None and values[0] < UNJUDGEABLE:
        raise Undecided(
            path,
            Message(
                "grade {grade} has no defined meaning (judgments: {count:,}); set the meaning of "
                "negative grades with --negative: {negatives}",
                key="unknown-negative",
                count=counts[0],
                grade=values[0],
                negatives=", ".join(NEGATIVES),
            ),
            ("negative", "grades"),
        )
    meaning = {int(value): negative or NEGATIVE_MEANINGS[int(value)] for value in values}
    parts = [
        Message(
            "judgments with grade {value} (treated as {meaning}): {count:,}",
            count=count,
            value=value,
            meaning=NEGATIVE_LABELS[meaning[value]],
        )
        for value, count in zip(values.tolist(), counts.tolist(), strict=True)
    ]
    converted_grades = grade.copy()
    for value, name in meaning.items():
        converted_grades[grade == value] = NEGATIVE_CODES[name]
    return converted_grades, (
        Message(
            "{file}: {parts}.",
            key="meaning-of-negative",
            file=path.name,
            parts=join_messages(parts),
        ),
    )


def warn_of_duplicates(
    path: Path, count: int, example: tuple[int, str] | None, topics: pa.Array
) -> tuple[str, ...]:
    """Return a warning about omitted duplicates; empty if there are none."""
    if not example:
        return ()
    lines = Message("1 line") if count == 1 else Message("{count:,} lines", count=count)
    return (
        Message(
            "{file}: {lines} with a repeated topic–document pair; the first occurrence is used "
            "(for example {first}).",
            key="same-pair",
            file=path.name,
            lines=lines,
            first=Message(
                "topic {topic}, document {document}",
                topic=topics[example[0]].as_py(),
                document=example[1],
            ),
        ),
    )


def iter_qrels_lines(
    rows: Iterable[tuple[str, str, float]], path: Path, groups: Iterable[str] = NO_GROUPS
) -> Iterator[str]:
    """Yield (topic, document, grade) rows as TREC lines; `groups` contains column 2 of each row."""
    for (topic, document, grade), group in zip(rows, groups, strict=False):
        check_ids(path, (topic,), (group, document), "qrels")
        yield f"{topic} {group} {document} {format_rating(grade)}\n"


def check_ids(
    path: Path, topics: Iterable[str], documents: Iterable[str], format_name: str
) -> None:
    """Raise FormatError for ids that cannot be written in lines separated by spaces."""
    for name in chain(topics, documents):
        if name.encode().split() != [name.encode()] or "\0" in name:
            raise FormatError(
                path,
                Message(
                    "the id {name!r} is empty or contains white space, which TREC {form} "
                    "cannot represent",
                    key="not-writable",
                    name=name,
                    form=format_name,
                ),
            )
    for topic in topics:
        if topic.startswith(("#", "\ufeff")):
            raise FormatError(
                path,
                Message(
                    "the topic {topic!r} would be read as a comment or a marker; TREC {form} "
                    "cannot represent it",
                    key="not-writable",
                    topic=topic,
                    form=format_name,
                ),
            )


def write_qrels(
    path: Path, rows: Iterable[tuple[str, str, float]], groups: Iterable[str] = NO_GROUPS
) -> int:
    """Write (topic, document, grade) rows as TREC qrels atomically, and return their number.

    `groups` contains column 2 of each row. Raises IrjudgeError if an id or the file cannot be
    written.
    """
    count = 0
    with replace_file(path) as part, part.open("w", encoding="utf-8", newline="\n") as file:
        for count, line in enumerate(iter_qrels_lines(rows, path, groups), 1):  # noqa: B007 -- the last number is the result
            file.write(line)
    return count
