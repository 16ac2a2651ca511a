"""Reads a regular run a few megabytes at a time, in several threads: several times as fast as reading it whole."""

from bisect import bisect_left
from collections.abc import Callable, Iterator
from typing import BinaryIO, TypeVar

import numpy as np
import pyarrow as pa

from irjudge.errors import FormatError
from irjudge.formats.bytes.single import Given, one_file
from irjudge.formats.rankings.hashed_ids import ROOM, SIZE, Pieces, fixed_width, from_left, roomy, zero_filled
from irjudge.formats.rankings.run_metadata import head_and_rest
from irjudge.formats.rankings.runs import contradicting
from irjudge.formats.rows.grouping import with_topics
from irjudge.formats.rows.side_by_side import Irregular, side_by_side
from irjudge.model.arrow import values_of
from irjudge.model.ranking import Floats, Longs, Run

Made = TypeVar("Made")

COLUMNS = 6
PART = 2 << 20
LONGEST_TOPIC = 32 << 20  # bytes of its lines
LONGEST = (ROOM, LONGEST_TOPIC, ROOM, 9, 32, ROOM)  # bytes of topic, Q0, document, rank (which then is not too large), score and tag


def read_parts(given: Given, work: Callable[[Run], Made]) -> list[Made]:
    """Read a run a few whole topics at a time, and return what `work` makes of each part, in the order of the file.

    Regular is: ASCII, six columns in each line with one space or tab between them, comments at its head alone, all lines of a topic
    together, no document twice in a topic, scores in decimals that ranks do not contradict, one tag, no id of more than 64 bytes.
    """

    def read(text: bytes) -> tuple[tuple[str, ...], bytes, Made]:
        part, tag = _part(text)
        return part.topics, tag, work(part)

    try:
        with one_file(given) as file:
            if not file.path.is_file():
                raise Irregular  # a pipe comes once
            plain = file.plain(last=False)
            parts = list(side_by_side(read, _whole_topics(head_and_rest(plain)[1], plain)))
    except (OSError, FormatError):
        raise Irregular from None
    topics = [topic for part, _, _ in parts for topic in part]
    if not parts or len(set(topics)) < len(topics) or len({tag for _, tag, _ in parts}) > 1:
        raise Irregular
    return [made for _, _, made in parts]


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
    if not text.isascii() or any(letter in text for letter in (b"\r", b"\0", *([b" "] if separator == "\t" else []))):
        raise Irregular
    topic, _, document, place, score, tag = _columns(text, separator)
    topics, starts = _topics(text, *topic)
    values = _scores(text, *score)
    rises = values[1:] > values[:-1]
    rises[starts[1:-1] - 1] = False
    # Where scores never rise the ranks are not read: they count the lines in all but the strangest files.
    if rises.any() and len(contradicting(starts, _scores(text, *place).astype(np.int32), values)[0]):
        raise Irregular
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
