"""Turns rows in any order into rows grouped by topic, without duplicates."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from irjudge.model.ranking import Ids, Ints, Longs, column_of, starts_of

Mask = npt.NDArray[np.bool_]
Words = npt.NDArray[np.uint64]

SLICE = 1 << 16  # rows looked at at a time: small enough for the cache
HASHED = (
    1 << 14
)  # texts hashed at a time: what is made of them is so small that the system is not asked for its memory each time

MIX = np.uint64(0x9E3779B97F4A7C15)
LENGTH_MIX = np.uint64(0xD6E8FEB86659FD93)
_INSIDE = np.array(
    [(1 << 8 * length) - 1 for length in range(9)], dtype=np.uint64
)  # the first bytes of a word


@dataclass(frozen=True, slots=True)
class Grouped:
    """Which rows stay, in which order, and where each topic begins."""

    rows: (
        Longs | None
    )  # shape (N,): places in the file's order, grouped by topic; None when all stay as they are
    starts: Longs  # shape (T + 1,)
    duplicates: int = (
        0  # how many rows were left out because the same topic and document stood before
    )
    example: tuple[int, str] | None = None  # the first of them, as (topic code, document id)

    def take(self, values: Any) -> Any:
        """Return the values of the rows that stay: for numpy and Arrow arrays."""
        if self.rows is None:
            return values
        return (
            values.take(column_of(self.rows)) if isinstance(values, pa.Array) else values[self.rows]
        )


def group_by_topic(topic: Ints, topics: int, document: Ids, extra: Ints | None = None) -> Grouped:
    """Group rows by topic, keeping the file's order within each, and leave out duplicates after the first."""
    rows: Longs | None = None
    if np.any(topic[1:] < topic[:-1]):
        rows = np.argsort(topic, kind="stable")
    keys = _keys(topic, document, extra)
    keys.sort()
    doubled = keys[1:][keys[1:] == keys[:-1]]
    if len(doubled):
        return _without_duplicates(topic, topics, document, extra, doubled, rows)
    return Grouped(rows, starts_of(topic if rows is None else topic[rows], topics))


def _keys(topic: Ints, document: Ids, extra: Ints | None) -> Words:
    """Return a fingerprint of each row, shape (N,), in slices: what is made on the way stays in the cache."""
    keys = fingerprints(document)
    for begin in range(0, len(keys), SLICE):
        part = slice(begin, begin + SLICE)
        keys[part] ^= (topic[part].astype(np.uint64) + np.uint64(1)) * LENGTH_MIX
        if extra is not None:
            keys[part] ^= (extra[part].astype(np.uint64) + np.uint64(1)) * MIX
    return keys


def _without_duplicates(
    topic: Ints, topics: int, document: Ids, extra: Ints | None, doubled: Words, rows: Longs | None
) -> Grouped:
    """Compare the suspects by their texts: equal fingerprints alone prove nothing."""
    seen: set[tuple[int, int, str]] = set()
    stays = np.ones(len(topic), dtype=bool)
    example = None
    for place in np.flatnonzero(np.isin(_keys(topic, document, extra), doubled)).tolist():
        pair = (
            int(topic[place]),
            int(extra[place]) if extra is not None else 0,
            document[place].as_py(),
        )
        if pair in seen:
            stays[place] = False
            example = example or (pair[0], pair[2])
        seen.add(pair)
    count = int((~stays).sum())
    if count:
        rows = np.flatnonzero(stays) if rows is None else rows[stays[rows]]
    return Grouped(rows, starts_of(topic if rows is None else topic[rows], topics), count, example)


def offsets_of(ids: Ids) -> Ints:
    """Return where each id begins in the buffer of their texts, and where the last one ends: shape (N + 1,)."""
    if not len(ids):
        return np.zeros(1, dtype=np.int32)
    return np.frombuffer(ids.buffers()[1], dtype=np.int32)[ids.offset : ids.offset + len(ids) + 1]


def with_topics(keys: Words, starts: Longs) -> Words:
    """Return the hashes of rows' documents mixed with the number of each row's topic, from 1; `starts` says where topics begin."""
    numbers = np.arange(1, len(starts), dtype=np.uint64) * LENGTH_MIX
    return keys ^ np.repeat(numbers, np.diff(starts))


def fingerprints(ids: Ids) -> Words:
    """Return a 64-bit hash of each id, shape (N,): equal ids have equal hashes, others nearly never."""
    count = len(ids)
    result = np.zeros(count, dtype=np.uint64)
    if not count:
        return result
    offsets = offsets_of(ids)
    text = np.frombuffer(ids.buffers()[2] or b"", dtype=np.uint8)
    for begin in range(0, count, HASHED):
        part = offsets[begin : begin + HASHED + 1].astype(np.int64)
        first = int(part[0]) // 8 * 8
        part -= first
        result[begin : begin + HASHED] = _fingerprints(
            _as_words(text[first:], int(part[-1]) // 8 * 8 + 16), part
        )
    return result


def _as_words(text: npt.NDArray[np.uint8], size: int) -> Words:
    """Return bytes, filled up with zeros to whole words of this many bytes in all: a view where the text is longer."""
    if len(text) < size:
        text = np.concatenate(
            (text, np.zeros(size - len(text), np.uint8))
        )  # only the end of a column
    return text[:size].view("<u8")


def _fingerprints(words: Words, offsets: Longs) -> Words:
    begins, left = offsets[:-1], np.diff(offsets)
    result = _mixed(left.view(np.uint64) * LENGTH_MIX, _eight_bytes(words, begins), left)
    alive = np.flatnonzero(left > 8)
    while len(
        alive
    ):  # an id that has ended is left alone: one long id among many short ones costs its own length
        begins, left = begins + 8, left - 8
        result[alive] = _mixed(result[alive], _eight_bytes(words, begins[alive]), left[alive])
        alive = alive[left[alive] > 8]
    return result


def _eight_bytes(words: Words, begins: Longs) -> Words:
    """Return the eight bytes from each place of a text on, out of the two words they lie in: reading across words takes twice as long."""
    place = begins >> 3
    shift = (begins & 7).view(np.uint64) << np.uint64(3)
    found = words.take(place, mode="clip") >> shift
    place += 1
    rest = words.take(place, mode="clip") << np.uint64(1)
    shift ^= np.uint64(63)
    rest <<= shift
    found |= rest
    return found


def _mixed(before: Words, word: Words, left: Longs) -> Words:
    """Mix the next eight bytes of ids, which it takes over, into what was made of those before; only `left` of them belong to the id."""
    word &= _INSIDE.take(left, mode="clip")
    word ^= before
    word *= MIX
    word ^= word >> np.uint64(29)
    return word
