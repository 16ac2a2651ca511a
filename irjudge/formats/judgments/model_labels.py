"""Labels that a model gave: qrels, tables with probabilities, and the JSON lines of programs that ask models."""

import math
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from irjudge.errors import FormatError
from irjudge.formats.bytes.one_file import OneFile, one_file
from irjudge.formats.bytes.utf8 import numbered_lines
from irjudge.formats.judgments.labels import LABEL
from irjudge.formats.remarks import Oddity, Remarks
from irjudge.formats.rows.records import Record, checked_id, json_lines, storable
from irjudge.formats.rows.tables import (
    DOCUMENT,
    GRADE,
    JSON,
    TOPIC,
    ColumnKind,
    as_written,
    is_whole,
    read_table,
    table_form,
)
from irjudge.message import Message

MOST_GRADES = 20  # columns `probability_0` and so on that are looked for
PROBABILITY = tuple(
    ColumnKind(name, (name,), needed=False)
    for name in (f"probability_{grade}" for grade in range(MOST_GRADES))
)
OF_MODEL = (
    ColumnKind("topic", (*TOPIC.known, "qidx")),
    ColumnKind("document", (*DOCUMENT.known, "docidx", "passage_id")),
    ColumnKind("grade", tuple(dict.fromkeys((*LABEL.known, *GRADE.known))), needed=False),
    *PROBABILITY,
)
TOPICS, DOCUMENTS = OF_MODEL[0].known, OF_MODEL[1].known
GRADES = ("judgment", *OF_MODEL[2].known)
ANSWERS, VERSIONS, STATUS = (
    ("prediction", "answer", "response", "raw"),
    ("model", "model_version"),
    "result_status",
)
FAILED = frozenset({"0", "false", "no", "failed", "error"})
SUM_OFF = 0.02  # by which probabilities may miss 1, as they are written with few digits
WIDTH = 4  # columns of a line of qrels
LONGEST_GRADE = 12  # letters

NO_GRADE = Oddity(
    "1 line has no valid grade and is unjudged, never 0: {first}.",
    "{count} lines have no valid grade and are unjudged, never 0, beginning with {first}.",
    key="no-grade",
)
ANSWERED_AGAIN = Oddity(
    "1 pair was answered more than once; its last answer counts, and all are kept: {first}.",
    "{count} pairs were answered more than once; their last answers count, and all are kept, beginning with {first}.",
    key="answered-again",
)


@dataclass(frozen=True, slots=True)
class ModelLabel:
    """One answer of a model about one document of a topic."""

    line: int  # in the file
    # ids; empty where the file has the texts alone
    topic: str
    document: str
    grade: int | None  # None where there is no valid one
    why: str = ""  # why there is none
    probabilities: tuple[float, ...] = ()  # of the grades from 0; empty where the file has none
    answer: str = ""  # as the model wrote it
    version: str = ""  # what the file says answered
    # the texts that stand for the ids where the file has no ids
    query: str = ""
    passage: str = ""

    @property
    def pair(self) -> tuple[str, str]:
        """What was judged."""
        return self.topic, self.document


@dataclass(frozen=True, slots=True)
class ModelLabelFile:
    """The answers of one file, in its order: each line is one of them."""

    labels: tuple[ModelLabel, ...]
    remarks: tuple[str, ...]  # what was strange, a sentence each

    def last(self) -> dict[tuple[str, str], int]:
        """Return the last valid grade of each pair."""
        return {label.pair: label.grade for label in self.labels if label.grade is not None}


def read_model_labels(
    path: Path, scale: Collection[int] | None = None, *, encoding: str | None = None
) -> ModelLabelFile:
    """Read what a model answered: a label for each line, on a scale; None takes any grade of 0 or more.

    Lines are `topic 0 document grade`, as qrels, LLMJudge and AutoJudge have them; a table with a `grade` or with `probability_0`,
    `probability_1` …, of which the most likely is the grade, the lower of two; or JSON lines with a `judgment`, as umbrela writes them. A
    label without a valid grade has None and says why: a grade that is no whole number, is not on the scale, or that umbrela put there where
    it could not read the answer (`result_status` 0). The encoding is that of a table of text; None for what is detected.
    """
    remarks = Remarks()
    with one_file(path) as file:
        labels = [_on_scale(label, scale) for label in _labels(file, encoding, remarks)]
    if not labels:
        raise FormatError(
            path, Message("the file holds no label, expected lines of topic, 0, document and grade")
        )
    for label in labels:
        if label.grade is None:
            remarks.add(NO_GRADE, Message("line {line} ({why})", line=label.line, why=label.why))
    for pair, times in Counter(label.pair for label in labels if label.topic).items():
        if times > 1:
            remarks.add(
                ANSWERED_AGAIN,
                Message(
                    "{topic} {document} ({times:,} answers)",
                    topic=pair[0],
                    document=pair[1],
                    times=times,
                ),
            )
    return ModelLabelFile(tuple(labels), remarks.about(path.name))


def is_of_model_form(path: Path) -> bool:
    """Tell whether a file says of no label whose it is, so that it can only be all of one model's: lines, or JSON lines of texts."""
    return table_form(path, OF_MODEL) in ("", JSON)


def _labels(file: OneFile, encoding: str | None, remarks: Remarks) -> Iterator[ModelLabel]:
    form = table_form(file, OF_MODEL, encoding=encoding)
    if form == JSON:
        return (
            _of_record(record, remarks)
            for record in json_lines(file.text(remarks, encoding=encoding))
        )
    return _of_table(file, encoding, remarks) if form else _of_lines(file, remarks)


def _on_scale(label: ModelLabel, scale: Collection[int] | None) -> ModelLabel:
    if label.grade is None or (label.grade in scale if scale is not None else label.grade >= 0):
        return label
    there = ", ".join(map(str, sorted(scale))) if scale is not None else Message("0 or more")
    return replace(
        label,
        grade=None,
        why=Message("grade {grade} is not on the scale {there}", grade=label.grade, there=there),
    )


# Lines


def _of_lines(file: OneFile, remarks: Remarks) -> Iterator[ModelLabel]:
    entry = file.text(remarks)
    for number, line in numbered_lines(entry.stream, entry.where):
        parts = line.split()
        if parts[0].startswith("#"):
            continue
        if len(parts) != WIDTH:
            problem = Message(
                "{count} columns, expected 4: topic, 0, document and grade", count=len(parts)
            )
            raise FormatError(file.path, problem, number)
        topic, document = (checked_id(parts[at], file.path, number, remarks) for at in (0, 2))
        yield ModelLabel(number, topic, document, *_grade(parts[3]))


def _grade(text: str) -> tuple[int | None, str]:
    """Return a grade, or None and why there is none."""
    text = text.strip()
    if not text:
        return None, Message("no grade")
    if not is_whole(text) or len(text) > LONGEST_GRADE:
        return None, Message("{text!r} is no whole number", text=text[:LONGEST_GRADE])
    return int(float(text)), ""


# Tables


def _of_table(file: OneFile, encoding: str | None, remarks: Remarks) -> Iterator[ModelLabel]:
    table = as_written(read_table(file, OF_MODEL, remarks, encoding=encoding), remarks)
    names = [part.name for part in PROBABILITY if part.name in table.places]
    if not names and "grade" not in table.places:
        raise FormatError(
            table.path, Message("the header has no grade, nor probability_0 and more"), 1
        )
    table.report_unread(remarks)
    for line, fields in table.records():
        topic, document = (
            checked_id(fields[part], table.path, line, remarks) for part in ("topic", "document")
        )
        probabilities, why = _probabilities([fields[name] for name in names])
        grade = None
        if fields.get("grade") or not names:
            grade, why = _grade(fields.get("grade", ""))
        elif probabilities:
            grade = max(range(len(probabilities)), key=probabilities.__getitem__)
        yield ModelLabel(line, topic, document, grade, why, probabilities)


def _probabilities(texts: list[str]) -> tuple[tuple[float, ...], str]:
    """Return the probabilities of the grades, or none and what is wrong with them."""
    try:
        values = tuple(float(text) for text in texts)
    except ValueError:
        return (), Message("a probability is no number")
    if not all(0 <= value <= 1 for value in values) or (
        values and abs(math.fsum(values) - 1) > SUM_OFF
    ):
        return (), Message("the probabilities are no parts of 1")
    return values, ""


# JSON lines


def _of_record(record: Record, remarks: Remarks) -> ModelLabel:
    fields = record.fields
    query, passage = (
        _inner(fields.get(name), "text", "segment", "contents") for name in ("query", "passage")
    )
    topic = _first(fields, TOPICS, but="query") or _inner(
        fields.get("query"), "qid", "id", alone=False
    )
    document = _first(fields, DOCUMENTS) or _inner(
        fields.get("passage"), "docid", "id", alone=False
    )
    if not (topic and document) and not (query and passage):
        problem = Message(
            "the record names no topic and document, expected qid and docid, or query and passage"
        )
        raise FormatError(record.where, problem, record.line)
    place = f"{record.where.name}, line {record.line}"
    grade, why = _grade(_first(fields, GRADES))
    if _text(fields.get(STATUS, "1")).casefold() in FAILED:
        grade, why = None, Message("the answer could not be read (result_status)")
    if topic and document:
        topic, document = (
            checked_id(each, record.where, record.line, remarks) for each in (topic, document)
        )
    else:
        topic = document = ""
    said = (
        storable(text, place, remarks)
        for text in (_first(fields, ANSWERS), _first(fields, VERSIONS), query, passage)
    )
    answer, version, query, passage = said
    return ModelLabel(record.line, topic, document, grade, why, (), answer, version, query, passage)


def _text(value: object) -> str:
    return (
        value if isinstance(value, str) else str(value).lower() if isinstance(value, bool) else ""
    )


def _first(fields: Mapping[str, object], names: Collection[str], *, but: str = "") -> str:
    """Return the text of the first of the fields that holds one."""
    return next((text for name in names if name != but and (text := _text(fields.get(name)))), "")


def _inner(value: object, *names: str, alone: bool = True) -> str:
    """Return the text of a field, or what an object in it has under one of the names."""
    if isinstance(value, Mapping):
        return _first(value, names)
    return _text(value) if alone else ""


# Names


LIKE_A_MODEL = re.compile(
    r"(?:^|[^a-z])(?:gpt|chatgpt|claude|gemini|gemma|llama|qwen|mistral|mixtral|deepseek|umbrela|llm)",
    re.IGNORECASE,
)


def looks_like_model(name: str) -> bool:
    """Tell whether an assessor's name may be that of a model, so that somebody has to say; nobody assumes it.

    >>> [name for name in ("ann", "gpt-4o", "my_llm", "Galliano") if looks_like_model(name)]
    ['gpt-4o', 'my_llm']
    """
    return LIKE_A_MODEL.search(name) is not None
