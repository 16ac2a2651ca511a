"""Reads of a regular run only what qrels ask for, a few megabytes at a time: several times as fast as reading it whole."""

from bisect import bisect_left
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import numpy as np
import pyarrow as pa

from irjudge.errors import FormatError
from irjudge.formats.columns import open_plain
from irjudge.formats.grouping import offsets_of
from irjudge.formats.runs import contradicting, run_name
from irjudge.formats.words import (
    LENGTH_MIX,
    ROOM,
    SIZE,
    Words,
    fixed_width,
    from_left,
    hashed,
    roomy,
    texts_of,
    zero_filled,
)
from irjudge.model.arrow import values_of
from irjudge.model.order import Ties, ranking_order, tied_documents
from irjudge.model.ranking import Floats, Ints, Longs, Qrels, Run
from irjudge.model.retrieved import Retrieved

COLUMNS = 6
PART = 2 << 20
MOST_THREADS = 4
LONGEST_TOPIC = 32 << 20  # bytes of its lines
LONGEST = (ROOM, LONGEST_TOPIC, ROOM, 9, 32, ROOM)  # bytes of topic, Q0, document, rank (which then is not too large), score and tag


class Irregular(Exception):
    """The file must be read by who can read everything and names what is wrong."""


@dataclass(frozen=True, slots=True, eq=False)
class Wanted:
    """What is looked for: the rows of the qrels, by topic.

    Parameters
    ----------
    places
        The place of each topic in the qrels.
    starts, document
        As in the qrels.
    key
        Shape (N,): the hash of each row's document.
    words, lengths
        The documents' ids, as their codes order them.
    """

    places: dict[str, int]
    starts: Longs
    document: Ints
    key: Words
    words: list[Words]
    lengths: Longs


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """What was found in some whole topics; `topic` is the place in this part's topics."""

    topics: list[str]
    sizes: Longs
    topic: Ints
    rank: Ints
    document: Ints
    tied: int
    tag: bytes


def read_retrieved(path: Path, qrels: Qrels, name: str | None = None, *, ties: Ties = "trec", single: bool = False) -> Retrieved | None:
    """Read where the documents stand in a run that the qrels name for their topic.

    Parameters
    ----------
    path
        A run of the TREC form, plain or packed.
    qrels
        Compared by id.
    name
        What to call the run; by default its file name without `.run`, `.txt` or `.gz`.
    ties
        The order of ties, see `ranking_order`.
    single
        Compare scores in single precision, as trec_eval 9 does.

    Returns
    -------
    Retrieved or None
        None where the file is not regular, so that `read_run` must read it and say what is strange or wrong. Regular is: ASCII, six
        columns in each line with one space or tab between them, no comments, all lines of a topic together, no document twice in a
        topic, scores in decimals that ranks do not contradict, one tag, no id of more than 64 bytes.
    """
    if ties == "rank" or not path.is_file():
        return None
    wanted = _wanted(qrels)
    try:
        with open_plain(path) as file:
            parts = list(_side_by_side(lambda text: _part(text, wanted, ties, single), _whole_topics(file)))
        return _joined(name or run_name(path), parts, ties, single)
    except (Irregular, OSError, FormatError):
        return None


def _side_by_side(work: Callable[[bytes], Part], texts: Iterator[bytes]) -> Iterator[Part]:
    """Yield what `work` makes of each text, in order; numpy works on several at once, and few are in memory."""
    waiting: deque[Future[Part]] = deque()
    with ThreadPoolExecutor(min(MOST_THREADS, pa.cpu_count())) as pool:
        try:
            for text in texts:
                waiting.append(pool.submit(work, text))
                if len(waiting) > MOST_THREADS:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            pool.shutdown(cancel_futures=True)


def _joined(name: str, parts: list[Part], ties: Ties, single: bool) -> Retrieved:
    topics = [topic for part in parts for topic in part.topics]
    if not parts or len(set(topics)) < len(topics) or len({part.tag for part in parts}) > 1:
        raise Irregular
    before = np.cumsum([0] + [len(part.topics) for part in parts])
    return Retrieved(
        name,
        tuple(topics),
        np.concatenate([part.sizes for part in parts]),
        np.concatenate([part.topic + first for part, first in zip(parts, before, strict=False)]).astype(np.int32),
        np.concatenate([part.rank for part in parts]),
        np.concatenate([part.document for part in parts]),
        sum(part.tied for part in parts),
        ties,
        single,
    )


def _wanted(qrels: Qrels) -> Wanted:
    documents = qrels.documents
    offsets = offsets_of(documents).astype(np.int64)
    lengths = np.diff(offsets)
    text = roomy((documents.buffers()[2] if len(documents) else None) or b"")
    words = from_left(text, offsets[:-1], np.minimum(lengths, ROOM))  # a longer one differs in its length from all of a regular run
    places = {topic: place for place, topic in enumerate(qrels.topics)}
    return Wanted(places, qrels.starts, qrels.document, hashed(words, lengths)[qrels.document], words, lengths)


def _whole_topics(file: BinaryIO) -> Iterator[bytes]:
    """Yield a file in parts that end with a topic's last line, with room before and after each."""
    rest = b""
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


def _part(text: bytes, wanted: Wanted, ties: Ties, single: bool) -> Part:
    """Return what is found in whole topics."""
    separator = "\t" if b"\t" in text else " "
    if not text.isascii() or any(letter in text for letter in (b"\r", b"\0", *([b" "] if separator == "\t" else []))):
        raise Irregular
    topic, _, document, place, score, tag = _columns(text, separator)
    topics, starts = _topics(text, *topic)
    values = _scores(text, *score, single=single)
    rises = values[1:] > values[:-1]
    rises[starts[1:-1] - 1] = False
    # Where scores never rise the ranks are not read: they count the lines in all but the strangest files.
    if rises.any() and len(contradicting(starts, _scores(text, *place, single=False).astype(np.int32), values)[0]):
        raise Irregular
    words = from_left(text, *document)
    row, code = _found(topics, starts, words, document[1], wanted)
    rank, tied = _ranks(starts, values, words, document[1], row, ties)
    owner = (np.searchsorted(starts, row, side="right") - 1).astype(np.int32)
    order = np.lexsort((rank, owner))
    return Part(topics, np.diff(starts), owner[order], rank[order], code[order], tied, _only(text, *tag))


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


def _scores(text: bytes, begins: Longs, lengths: Longs, *, single: bool) -> Floats:
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
    if single:
        with np.errstate(over="ignore"):
            return score.astype(np.float32).astype(np.float64)
    return score


def _found(topics: list[str], starts: Longs, document: list[Words], lengths: Longs, wanted: Wanted) -> tuple[Longs, Ints]:
    """Return the rows whose documents the qrels name for their topic, ascending, and the documents' codes."""
    key = hashed(document, lengths)
    key ^= np.repeat(np.arange(1, len(starts), dtype=np.uint64) * LENGTH_MIX, np.diff(starts))
    in_order = np.sort(key)
    if (in_order[1:] == in_order[:-1]).any():  # a document twice, or nearly never two of the same hash
        raise Irregular
    wanted_key, code = _asked(topics, wanted)
    bits = max(8, (8 * len(code)).bit_length())
    begins = np.zeros(1 << bits, dtype=bool)
    begins[wanted_key >> np.uint64(64 - bits)] = True
    row = np.flatnonzero(begins[key >> np.uint64(64 - bits)])
    place = np.minimum(np.searchsorted(wanted_key, key[row]), len(wanted_key) - 1)
    found = wanted_key[place] == key[row]
    row, code = row[found], code[place[found]]
    same = lengths[row] == wanted.lengths[code]
    for mine, theirs in zip(document, wanted.words, strict=False):
        same &= mine[row] == theirs[code]
    return row[same], code[same]


def _asked(topics: list[str], wanted: Wanted) -> tuple[Words, Ints]:
    """Return the hashes of topics and documents that the qrels have for some topics, ascending, and the documents' codes."""
    keys, codes = [np.empty(0, np.uint64)], [np.empty(0, np.int32)]
    for number, topic in enumerate(topics, 1):
        place = wanted.places.get(topic)
        if place is not None:
            rows = slice(wanted.starts[place], wanted.starts[place + 1])
            keys.append(wanted.key[rows] ^ np.uint64(number * int(LENGTH_MIX) & 0xFFFFFFFFFFFFFFFF))
            codes.append(wanted.document[rows])
    key, code = np.concatenate(keys), np.concatenate(codes)
    order = np.argsort(key)
    key, code = key[order], code[order]
    if ((key[1:] == key[:-1]) & (code[1:] != code[:-1])).any():
        raise Irregular
    return key, code


def _ranks(starts: Longs, score: Floats, document: list[Words], lengths: Longs, row: Longs, ties: Ties) -> tuple[Ints, int]:
    """Return the ranks of some rows, and how many of all are tied; only topics in which a score is not below the one before are ordered."""
    stays = score[1:] >= score[:-1]
    stays[starts[1:-1] - 1] = False
    owner = np.searchsorted(starts, row, side="right") - 1
    rank = row - starts[owner] + 1
    if not stays.any():
        return rank.astype(np.int32), 0
    touched = np.unique(np.searchsorted(starts, np.flatnonzero(stays) + 1, side="right") - 1)
    sizes = np.diff(starts)[touched]
    own = np.concatenate(([0], np.cumsum(sizes)))
    rows = np.arange(own[-1]) + np.repeat(starts[touched] - own[:-1], sizes)
    few = Run("", ("",) * len(touched), own, texts_of([word[rows] for word in document], lengths[rows]), score[rows], rows, rows)
    order = ranking_order(few, ties)
    if order is not None:
        new = np.empty(len(score), dtype=np.int64)
        new[rows[order]] = np.arange(len(order)) - np.repeat(own[:-1], sizes) + 1
        moved = np.isin(owner, touched)
        rank[moved] = new[row[moved]]
    return rank.astype(np.int32), tied_documents(few)
