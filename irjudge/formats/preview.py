"""What a file would bring, in a few lines, before anything is imported."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import numpy as np

from irjudge.formats.decisions import UNDECIDED, Decisions, FileKind
from irjudge.formats.documents import preview_documents, recognise_documents
from irjudge.formats.qrels import read_qrels
from irjudge.formats.runs import read_run
from irjudge.formats.topics import read_topics

SHOWN = 3
LONGEST = 80


@dataclass(frozen=True, slots=True)
class Preview:
    """What was recognised, the first records, and what is odd: lines of text each."""

    found: tuple[str, ...]
    first: tuple[str, ...]
    odd: tuple[str, ...] = ()


def preview(kind: FileKind, paths: Sequence[Path], decided: Decisions = UNDECIDED) -> Preview:
    """Read as much of files as it takes to show what they are.

    Raises
    ------
    FormatError
        When a file is not of that kind; `Undecided` where it may mean two things and `decided` does not say which.
    """
    return PREVIEWS[kind](paths, decided)


def _documents(paths: Sequence[Path], decided: Decisions) -> Preview:
    columns, encoding = decided.columns, decided.encoding
    found = tuple(f"{path.name}: {recognise_documents(path, columns=columns, encoding=encoding)}" for path in paths)
    odd: list[str] = []
    documents = preview_documents(paths, SHOWN, remarks=odd, columns=columns, encoding=encoding)
    return Preview(found, tuple(_short(f"{each.id}  {each.title or each.text.strip()}") for each in documents), tuple(odd))


def _topics(paths: Sequence[Path], decided: Decisions) -> Preview:
    files = [read_topics(path, topic_ids=decided.topic_ids, columns=decided.columns, encoding=decided.encoding) for path in paths]
    found = tuple(f"{path.name}: {len(file.topics):,} topics, {file.form}" for path, file in zip(paths, files, strict=True))
    topics = [topic for file in files for topic in file.topics][:SHOWN]
    return Preview(
        found, tuple(_short(f"{topic.id}  {topic.title}") for topic in topics), tuple(odd for file in files for odd in file.remarks)
    )


def _runs(paths: Sequence[Path], decided: Decisions) -> Preview:
    found: list[str] = []
    first: list[str] = []
    odd: list[str] = []
    for path in paths:
        run = read_run(path, columns=decided.columns, encoding=decided.encoding)
        found.append(f"{run.name}: {len(run):,} documents for {len(run.topics):,} topics")
        rows = zip(run.topic[:SHOWN].tolist(), run.document[:SHOWN].to_pylist(), run.score[:SHOWN].tolist(), strict=True)
        first += [_short(f"{run.topics[topic]}  {document}  {score:g}") for topic, document, score in rows]
        odd += run.remarks
    return Preview(tuple(found), tuple(first[:SHOWN]), tuple(odd))


def _qrels(paths: Sequence[Path], decided: Decisions) -> Preview:
    found: list[str] = []
    first: list[str] = []
    odd: list[str] = []
    for path in paths:
        qrels = read_qrels(path, decided.negative, grades=decided.grades, columns=decided.columns, encoding=decided.encoding)
        values, counts = np.unique(qrels.grade, return_counts=True)
        grades = ", ".join(f"{count:,} of grade {value}" for value, count in zip(values.tolist(), counts.tolist(), strict=True))
        found.append(f"{path.name}: {len(qrels):,} judgments for {len(qrels.topics):,} topics ({grades})")
        first += [_short(f"{topic}  {document}  {grade}") for topic, document, grade in islice(qrels.rows(), SHOWN)]
        odd += qrels.remarks
    return Preview(tuple(found), tuple(first[:SHOWN]), tuple(odd))


def _short(line: str) -> str:
    folded = " ".join(line.split())
    return folded if len(folded) <= LONGEST else folded[: LONGEST - 1] + "…"


PREVIEWS: Mapping[FileKind, Callable[[Sequence[Path], Decisions], Preview]] = {
    "documents": _documents,
    "topics": _topics,
    "runs": _runs,
    "qrels": _qrels,
}
