"""TREC qrels: topic, iteration (or subtopic, or group), document, grade."""

from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pyarrow as pa

from irjudge.errors import FormatError
from irjudge.formats.columns import CODED, Column, Layout, misfit, read_columns
from irjudge.formats.grouping import group_by_topic
from irjudge.model.ranking import Qrels

EXPECTED = "4 (topic, iteration, document, grade)"
QRELS = Layout((Column("topic", CODED), Column("iteration", CODED), Column("document", CODED), Column("grade", pa.int32())), 4, EXPECTED)


def read_qrels(path: Path) -> Qrels:
    """Read qrels of the TREC form, plain or gzip.

    Any mix of spaces and tabs separates columns; blank lines and `#` lines are left out. The first of two lines
    for the same topic, iteration and document is kept; how many were not is said in `remarks`.

    Raises
    ------
    FormatError
        With the first line that does not fit; nothing is returned then.
    """
    lines = read_columns(path, _layout)
    topics, topic = _coded(lines.table["topic"])
    groups, group = _coded(lines.table["iteration"])
    documents, document = _coded(lines.table["document"])
    names = documents.take(pa.array(document))
    grouped = group_by_topic(topic, len(topics), names, group)
    return Qrels(
        topics=tuple(topics.to_pylist()),
        starts=grouped.starts,
        documents=documents,
        document=grouped.take(document),
        grade=grouped.take(lines.table["grade"].to_numpy()),
        group=grouped.take(group),
        groups=tuple(groups.to_pylist()),
        remarks=duplicate_remarks(path, grouped.duplicates, grouped.example, topics),
    )


def _layout(first: list[str]) -> Layout:
    if len(first) == 5:
        raise ValueError(f"{misfit(5, EXPECTED)}; a file of preferences or sampled judgments (prels) is not qrels")
    if len(first) != 4:
        raise ValueError(misfit(len(first), EXPECTED))
    return QRELS


def _coded(column: pa.ChunkedArray) -> tuple[pa.Array, np.ndarray]:
    array = column.combine_chunks()
    return array.dictionary, array.indices.to_numpy()


def duplicate_remarks(path: Path, count: int, example: tuple[int, str] | None, topics: pa.Array) -> tuple[str, ...]:
    """Return the sentence about lines left out as duplicates, or nothing."""
    if not example:
        return ()
    lines = "1 line names" if count == 1 else f"{count:,} lines name"
    first = f"topic {topics[example[0]].as_py()}, document {example[1]}"
    return (f"{path.name}: {lines} a topic and document that stood before; the first was kept (for example {first}).",)


def write_qrels(path: Path, rows: Iterable[tuple[str, str, int]]) -> int:
    """Write (topic, document, grade) rows as TREC qrels and return how many.

    Raises
    ------
    FormatError
        When an id holds white space or looks like a comment, which the form cannot say (no file is touched then), or
        the file cannot be written.
    """
    lines = [f"{_sayable(path, topic, '#')} 0 {_sayable(path, document)} {grade}\n" for topic, document, grade in rows]
    try:
        path.write_text("".join(lines), encoding="utf-8", newline="\n")
    except OSError as fault:
        raise FormatError(path, f"cannot be written ({fault.strerror or fault})") from fault
    return len(lines)


def _sayable(path: Path, name: str, comment: str = "") -> str:
    if name.encode().split() != [name.encode()] or "\0" in name or (comment and name.startswith(comment)):
        raise FormatError(path, f"the id {name!r} holds white space, nothing, or begins a comment; TREC qrels cannot say it")
    return name
