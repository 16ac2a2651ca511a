"""JSON of topics, their documents and a number for each: runs and qrels as ir_measures and ranx save them."""

import json
import math
from dataclasses import dataclass, field
from pathlib import Path

from irjudge.errors import FormatError, Undecided
from irjudge.formats.bytes.one_file import OneFile
from irjudge.formats.bytes.utf8 import decoded, whole, without_half_characters
from irjudge.formats.remarks import Remarks
from irjudge.formats.rows.records import LARGEST_LIST, checked_id, storable
from irjudge.message import Message

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
