"""Reads a regular run a few megabytes at a time, in several threads: several times as fast as reading it whole."""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Generic, TypeVar, cast

import numpy as np
import pyarrow as pa

from irjudge.errors import FormatError
from irjudge.formats.bytes.one_file import Given, one_file
from irjudge.formats.rankings.hashed_ids import (
    ROOM,
    SIZE,
    Pieces,
    fixed_width,
    from_left,
    roomy,
    zero_filled,
)
from irjudge.formats.rankings.run_metadata import head_and_rest
from irjudge.formats.rankings.runs import contradicting, is_counting
from irjudge.formats.rows.group_by_topic import with_topics
from irjudge.formats.rows.read_in_threads import Irregular, side_by_side
from irjudge.model.ranking import Floats, Longs, Run, values_of

Made = TypeVar("Made")

COLUMNS = 6
PART = (
    512 << 10
)  # what is made of one stays in a core's cache, and is made anew in memory that was had before
LONGEST_TOPIC = 32 << 20  # bytes of its lines
LONGEST = (
    ROOM,
    LONGEST_TOPIC,
    ROOM,
    9,
    32,
    ROOM,
)  # bytes of topic, Q0, document, rank (which then is not too large), score and tag


def read_parts(given: Given, work: Callable[[Run], Made]) -> list[Made]:
    """Read a run a few whole topics at a time, and return what `work` makes of each part, in the order of the file.

    Regular is: ASCII, six columns in each line with one space or tab between them, comments at its head alone, all lines of a topic
    together, no document twice in a topic, scores in decimals that ranks do not contradict, one tag, no id of more than 64 bytes,
    no document marked NS.
    """
    try:
        with one_file(given) as file:
            if not file.path.is_file():
                raise Irregular  # a pipe comes once
            plain = file.plain(last=False)
            return one_run([_read_parts(head_and_rest(plain)[1], plain, work)])
    except (OSError, FormatError):
        raise Irregular from None


@dataclass(frozen=True, slots=True, eq=False)
class TextPart(Generic[Made]):
    """What was made of some lines of a run."""

    topics: tuple[str, ...]
    tag: bytes
    made: Made


def read_span(
    path: Path, begin: int, end: int, work: Callable[[Run], Made]
) -> list[TextPart[Made]]:
    """Read the lines between two places of a plain file at which topics begin, see `topic_borders`, as `read_parts` does.

    Irregular when the lines are not regular.
    """
    try:
        with path.open("rb") as file:
            file.seek(begin)
            span = cast(BinaryIO, _Span(file, end - begin))
            return _read_parts(b"" if begin else head_and_rest(span)[1], span, work)
    except OSError:
        raise Irregular from None


class _Span:
    """The next bytes of a file, so many of them."""

    def __init__(self, file: BinaryIO, left: int) -> None:
        self._file, self._left = file, left

    def read(self, count: int) -> bytes:
        found = self._file.read(min(count, self._left))
        self._left -= len(found)
        return found


def topic_borders(path: Path, size: int) -> list[int]:
    """Return places of a plain file at which topics begin, about `size` bytes apart: the first is 0, the last the file's end."""
    end = path.stat().st_size
    borders = [0]
    with path.open("rb") as file:
        while borders[-1] + size < end:
            file.seek(borders[-1] + size)
            file.readline()
            first = file.readline()
            borders.append(_next_topic(file, first.split(None, 1)[:1], end))
    return borders if borders[-1] == end else [*borders, end]


def _next_topic(file: BinaryIO, topic: list[bytes], end: int) -> int:
    while True:
        at = file.tell()
        line = file.readline()
        if not line:
            return end
        if line.split(None, 1)[:1] != topic:
            return at


def _read_parts(rest: bytes, file: BinaryIO, work: Callable[[Run], Made]) -> list[TextPart[Made]]:
    def read(text: bytes) -> TextPart[Made]:
        part, tag = _part(text)
        return TextPart(part.topics, tag, work(part))

    return list(side_by_side(read, _whole_topics(rest, file)))


def one_run(spans: Iterable[Sequence[TextPart[Made]]]) -> list[Made]:
    """Return what was made of the parts of a run, of which each holds topics of its own.

    Irregular when a topic is in two parts, or there are two tags.
    """
    parts = [part for span in spans for part in span]
    topics = [topic for part in parts for topic in part.topics]
    if not parts or len(set(topics)) < len(topics) or len({part.tag for part in parts}) > 1:
        raise Irregular
    return [part.made for part in parts]


def _whole_topics(rest: bytes, file: BinaryIO) -> Iterator[bytes]:
    """Yield what was read of a file and the rest of it in parts that end with a topic's last line, with room before and after each."""
    while more := file.read(PART):
        text = rest + more
        cut = _last_topic(text)
        if cut:
            yield roomy(memoryview(text)[:cut])
        elif len(text) > LONGEST_TOPIC:
            raise Irregular
        rest = text[cut:]
    if rest:
        yield roomy(rest, b"" if rest.endswith(b"\n") else b"\n")


def _last_topic(text: bytes) -> int:
    """Return where the lines of the last whole line's topic begin, which stand together; 0 where they fill all."""
    end = text.rfind(b"\n")
    begin = text.rfind(b"\n", 0, max(0, end)) + 1
    fields = text[begin:end].split(None, 1)
    if not fields:
        return 0
    topic = text[begin : begin + len(fields[0]) + 1]

    def is_last(place: int) -> bool:
        return text.startswith(topic, text.rfind(b"\n", 0, place) + 1)

    return bisect_left(range(begin), True, key=is_last)


def _part(text: bytes) -> tuple[Run, bytes]:
    """Return the run in the lines of whole topics, and its tag."""
    separator = "\t" if b"\t" in text else " "
    if not text.isascii() or any(
        letter in text
        for letter in (b"\r", b"\0", b" NS ", b"\tNS\t", *([b" "] if separator == "\t" else []))
    ):
        raise Irregular
    topic, _, document, place, score, tag = _columns(text, separator)
    topics, starts = _topics(text, *topic)
    values = _scores(text, *score)
    rises = values[1:] > values[:-1]
    rises[starts[1:-1] - 1] = False
    # Where scores never rise the ranks are not read: they count the lines in all but the strangest files.
    if rises.any():
        ranks = _scores(text, *place)
        if (
            (ranks != np.floor(ranks)).any()
            or is_counting(values, starts)
            or len(contradicting(starts, ranks.astype(np.int32), values)[0])
        ):
            raise Irregular  # what is strange is reported by the other reader
    pieces = Pieces.of(text, *document)
    key = np.sort(with_topics(pieces.hashes, starts))
    if (key[1:] == key[:-1]).any():  # a document twice, or nearly never two of the same hash
        raise Irregular
    missing = np.broadcast_to(np.int32(-1), len(values))
    return Run("", tuple(topics), starts, pieces, values, missing, missing), _only(text, *tag)


def _columns(text: bytes, separator: str) -> list[tuple[Longs, Longs]]:
    """Return where each column begins in each line, and how long it is there, shape (N,) each."""
    letters = np.frombuffer(text, dtype=np.uint8)[ROOM:-ROOM]
    line_end = letters == ord("\n")
    lines = int(np.count_nonzero(line_end))
    ends = np.flatnonzero(line_end | (letters == ord(separator)))
    if len(ends) != COLUMNS * lines or not line_end[ends[COLUMNS - 1 :: COLUMNS]].all():
        raise Irregular
    before = np.concatenate(([-1], ends[:-1]))
    columns = []
    for place, most in enumerate(LONGEST):
        begins = before[place::COLUMNS] + 1
        lengths = ends[place::COLUMNS] - begins
        if lengths.min() < 1 or lengths.max() > most:
            raise Irregular
        columns.append((begins, lengths))
    return columns


def _topics(text: bytes, begins: Longs, lengths: Longs) -> tuple[list[str], Longs]:
    """Return the topics and the rows at which each begins, and the number of all rows."""
    changes = np.zeros(len(begins), dtype=bool)
    changes[0] = True
    for word in from_left(text, begins, lengths):
        changes[1:] |= word[1:] != word[:-1]
    first = np.flatnonzero(changes)
    spans = zip((begins[first] + ROOM).tolist(), lengths[first].tolist(), strict=True)
    topics = [text[begin : begin + length].decode() for begin, length in spans]
    if any(topic.startswith("#") for topic in topics):
        raise Irregular
    return topics, np.append(first, len(begins))


def _only(text: bytes, begins: Longs, lengths: Longs) -> bytes:
    """Return what a column says in all lines alike."""
    if any((word != word[0]).any() for word in from_left(text, begins, lengths)):
        raise Irregular
    return text[begins[0] + ROOM : begins[0] + lengths[0] + ROOM]


def _scores(text: bytes, begins: Longs, lengths: Longs) -> Floats:
    """Return the numbers of a column."""
    filled = zero_filled(text, begins + lengths, lengths)
    letters = np.frombuffer(text, dtype=np.uint8)[ROOM:]
    first = letters[begins]
    below = np.flatnonzero(first == ord("-"))
    if len(below):
        first[below] = letters[begins[below] + 1]
        filled.view(np.uint8)[below, SIZE * filled.shape[1] - lengths[below]] = ord("0")
    if first.min() < ord("0") or first.max() > ord("9"):
        raise Irregular
    try:
        score: Floats = values_of(fixed_width(filled).cast(pa.float64()))
    except pa.ArrowInvalid:
        raise Irregular from None
    if len(below):
        score = score.copy()
        score[below] *= -1
    return score
