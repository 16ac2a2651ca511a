"""TREC qrels: topic, iteration (or subtopic, or group), document, grade."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Literal, get_args

import numpy as np
import pyarrow as pa

from irjudge.errors import FormatError
from irjudge.formats.columns import CODED, Column, Layout, misfit, read_columns
from irjudge.formats.grouping import group_by_topic
from irjudge.formats.replacing import replacing
from irjudge.model.arrow import places_of, values_of
from irjudge.model.ranking import UNJUDGEABLE, UNJUDGED, Ints, Qrels

Negative = Literal["unjudged", "unjudgeable", "0"]
NEGATIVES: tuple[Negative, ...] = get_args(Negative)
MEANT: dict[int, Negative] = {UNJUDGED: "unjudged", UNJUDGEABLE: "unjudgeable"}
CODE: dict[Negative, int] = {"unjudged": UNJUDGED, "unjudgeable": UNJUDGEABLE, "0": 0}
EXPECTED = "4 (topic, iteration, document, grade)"
QRELS = Layout((Column("topic", CODED), Column("iteration", CODED), Column("document", CODED), Column("grade", pa.int32())), 4, EXPECTED)


def read_qrels(path: Path, negative: Negative | None = None) -> Qrels:
    """Read qrels of the TREC form, plain or gzip.

    Any mix of spaces and tabs separates columns; blank lines and `#` lines are left out. The first of two lines
    for the same topic, iteration and document is kept; how many were not is said in `remarks`.

    Parameters
    ----------
    path
        The file.
    negative
        What every negative grade means: `unjudged`, `unjudgeable`, or `0`, a grade of zero. None takes -1 for unjudged and -2 for
        unjudgeable, as irjudge writes them.

    Raises
    ------
    FormatError
        With the first line that does not fit, or where a grade is below -2 and nobody said what it means; nothing is returned then.
    """
    lines = read_columns(path, _layout)
    topics, topic = _coded(lines.table["topic"])
    groups, group = _coded(lines.table["iteration"])
    documents, document = _coded(lines.table["document"])
    names = documents.take(places_of(document))
    grouped = group_by_topic(topic, len(topics), names, group)
    grade, said = _settle(path, grouped.take(values_of(lines.table["grade"])), negative)
    return Qrels(
        topics=tuple(topics.to_pylist()),
        starts=grouped.starts,
        documents=documents,
        document=grouped.take(document),
        grade=grade,
        group=grouped.take(group),
        groups=tuple(groups.to_pylist()),
        remarks=duplicate_remarks(path, grouped.duplicates, grouped.example, topics) + said,
    )


def _settle(path: Path, grade: Ints, negative: Negative | None) -> tuple[Ints, tuple[str, ...]]:
    """Return grades in which a negative one is unjudged or unjudgeable, and the sentence that says what was done."""
    values, counts = np.unique(grade[grade < 0], return_counts=True)
    if not len(values):
        return grade, ()
    if negative is None and values[0] < UNJUDGEABLE:
        raise FormatError(path, f"{counts[0]:,} grades are {values[0]}; say what negative grades mean: {', '.join(NEGATIVES)}")
    meaning = {int(value): negative or MEANT[int(value)] for value in values}
    parts = [f"{count:,} of grade {value} count as {meaning[value]}" for value, count in zip(values.tolist(), counts.tolist(), strict=True)]
    settled = grade.copy()
    for value, name in meaning.items():
        settled[grade == value] = CODE[name]
    return settled, (f"{path.name}: {', '.join(parts)}.",)


def _layout(first: list[str]) -> Layout:
    if len(first) == 5:
        raise ValueError(f"{misfit(5, EXPECTED)}; a file of preferences or sampled judgments (prels) is not qrels")
    if len(first) != 4:
        raise ValueError(misfit(len(first), EXPECTED))
    return QRELS


def _coded(column: pa.ChunkedArray) -> tuple[pa.Array, np.ndarray]:
    array = column.combine_chunks()
    return array.dictionary, values_of(array.indices)


def duplicate_remarks(path: Path, count: int, example: tuple[int, str] | None, topics: pa.Array) -> tuple[str, ...]:
    """Return the sentence about lines left out as duplicates, or nothing."""
    if not example:
        return ()
    lines = "1 line names" if count == 1 else f"{count:,} lines name"
    first = f"topic {topics[example[0]].as_py()}, document {example[1]}"
    return (f"{path.name}: {lines} a topic and document that stood before; the first was kept (for example {first}).",)


def qrels_lines(rows: Iterable[tuple[str, str, int]], path: Path) -> Iterator[str]:
    """Yield (topic, document, grade) rows as lines of TREC qrels.

    Raises
    ------
    FormatError
        When an id holds white space or nothing, or would begin a comment, which the form cannot say; `path` is named then.
    """
    for topic, document, grade in rows:
        if topic.startswith("#"):
            raise FormatError(path, f"the topic {topic!r} would begin a comment; TREC qrels cannot say it")
        for name in (topic, document):
            if name.encode().split() != [name.encode()] or "\0" in name:
                raise FormatError(path, f"the id {name!r} holds white space or nothing; TREC qrels cannot say it")
        yield f"{topic} 0 {document} {grade}\n"


def write_qrels(path: Path, rows: Iterable[tuple[str, str, int]]) -> int:
    """Write (topic, document, grade) rows as TREC qrels, whole or not at all, and return how many.

    Raises
    ------
    IrjudgeError
        When an id cannot be written, or the file cannot.
    """
    count = 0
    with replacing(path) as part, part.open("w", encoding="utf-8", newline="\n") as file:
        for count, line in enumerate(qrels_lines(rows, path), 1):  # noqa: B007 -- the last number is the result
            file.write(line)
    return count
