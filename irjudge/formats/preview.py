"""What a file would bring, in a few lines, before anything is imported."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np

from irjudge.formats.documents import preview_documents, recognise_documents
from irjudge.formats.qrels import read_qrels
from irjudge.formats.runs import read_run
from irjudge.formats.topics import read_topics

FileKind = Literal["documents", "topics", "runs", "qrels"]
SHOWN = 3
LONGEST = 80


@dataclass(frozen=True, slots=True)
class Preview:
    """What was recognised, the first records, and what is odd: lines of text each."""

    found: tuple[str, ...]
    first: tuple[str, ...]
    odd: tuple[str, ...] = ()


def preview(kind: FileKind, paths: Sequence[Path]) -> Preview:
    """Read as much of files as it takes to show what they are.

    Raises
    ------
    FormatError
        When a file is not of that kind.
    """
    return {"documents": _documents, "topics": _topics, "runs": _runs, "qrels": _qrels}[kind](paths)


def _documents(paths: Sequence[Path]) -> Preview:
    found = tuple(f"{path.name}: {recognise_documents(path)}" for path in paths)
    documents = preview_documents(paths, SHOWN)
    return Preview(found, tuple(_short(f"{each.id}  {each.title or each.text.strip()}") for each in documents))


def _topics(paths: Sequence[Path]) -> Preview:
    files = [read_topics(path) for path in paths]
    found = tuple(f"{path.name}: {len(file.topics):,} topics, {file.form}" for path, file in zip(paths, files, strict=True))
    topics = [topic for file in files for topic in file.topics][:SHOWN]
    return Preview(
        found, tuple(_short(f"{topic.id}  {topic.title}") for topic in topics), tuple(odd for file in files for odd in file.remarks)
    )


def _runs(paths: Sequence[Path]) -> Preview:
    found: list[str] = []
    odd: list[str] = []
    for path in paths:
        run = read_run(path)
        found.append(f"{run.name}: {len(run):,} documents for {len(run.topics):,} topics")
        odd += run.remarks
    return Preview(tuple(found), (), tuple(odd))


def _qrels(paths: Sequence[Path]) -> Preview:
    found: list[str] = []
    odd: list[str] = []
    for path in paths:
        qrels = read_qrels(path)
        values, counts = np.unique(qrels.grade, return_counts=True)
        grades = ", ".join(f"{count:,} of grade {value}" for value, count in zip(values.tolist(), counts.tolist(), strict=True))
        found.append(f"{path.name}: {len(qrels):,} judgments for {len(qrels.topics):,} topics ({grades})")
        odd += qrels.remarks
    return Preview(tuple(found), (), tuple(odd))


def _short(line: str) -> str:
    folded = " ".join(line.split())
    return folded if len(folded) <= LONGEST else folded[: LONGEST - 1] + "…"
