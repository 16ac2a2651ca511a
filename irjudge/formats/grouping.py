"""Turns rows in any order into rows grouped by topic, without duplicates."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from irjudge.model.ranking import Ids, Ints, Longs, starts_of

Mask = npt.NDArray[np.bool_]
Words = npt.NDArray[np.uint64]

SLICE = 1 << 18  # rows hashed at a time: small enough for the cache

_MIX = np.uint64(0x9E3779B97F4A7C15)
_TOPIC_MIX = np.uint64(0xD6E8FEB86659FD93)


@dataclass(frozen=True, slots=True)
class Grouped:
    """Which rows stay, in which order, and where each topic begins.

    Parameters
    ----------
    rows
        Shape (N,): places in the file's order, grouped by topic; None when all stay as they are.
    starts
        Shape (T + 1,).
    duplicates
        How many rows were left out because the same topic and document stood before.
    example
        The first of them, as (topic code, document id).
    """

    rows: Longs | None
    starts: Longs
    duplicates: int = 0
    example: tuple[int, str] | None = None

    def take(self, values: Any) -> Any:
        """Return the values of the rows that stay: for numpy and Arrow arrays."""
        if self.rows is None:
            return values
        return values.take(pa.array(self.rows)) if isinstance(values, pa.Array) else values[self.rows]


def group_by_topic(topic: Ints, topics: int, document: Ids, extra: Ints | None = None) -> Grouped:
    """Group rows by topic, keeping the file's order within each, and leave out duplicates after the first.

    Parameters
    ----------
    topic
        Shape (N,), codes in order of first appearance.
    topics
        T.
    document
        N ids.
    extra
        Shape (N,): rows that differ here are no duplicates (the subtopic of diversity qrels).
    """
    rows: Longs | None = None
    if np.any(topic[1:] < topic[:-1]):
        rows = np.argsort(topic, kind="stable")
    starts = starts_of(topic, topics)
    key = fingerprints(document)
    if extra is not None:
        key = key ^ (extra.astype(np.uint64) + np.uint64(1)) * _MIX
    key = key ^ (topic.astype(np.uint64) + np.uint64(1)) * _TOPIC_MIX
    ordered = np.sort(key)
    if not np.any(ordered[1:] == ordered[:-1]):
        return Grouped(rows, starts)
    return _without_duplicates(topic, topics, document, extra, ordered[1:][ordered[1:] == ordered[:-1]], key, rows)


def _without_duplicates(
    topic: Ints, topics: int, document: Ids, extra: Ints | None, doubled: Words, key: Words, rows: Longs | None
) -> Grouped:
    """Compare the suspects by their texts: equal fingerprints alone prove nothing."""
    seen: set[tuple[int, int, str]] = set()
    stays = np.ones(len(topic), dtype=bool)
    example = None
    for place in np.flatnonzero(np.isin(key, doubled)).tolist():
        pair = (int(topic[place]), int(extra[place]) if extra is not None else 0, document[place].as_py())
        if pair in seen:
            stays[place] = False
            example = example or (pair[0], pair[2])
        seen.add(pair)
    if stays.all():
        return Grouped(rows, starts_of(topic, topics))
    rows = np.flatnonzero(stays) if rows is None else rows[stays[rows]]
    return Grouped(rows, starts_of(topic[stays], topics), int((~stays).sum()), example)


def fingerprints(ids: Ids) -> Words:
    """Return a 64-bit hash of each id, shape (N,): equal ids have equal hashes, others nearly never."""
    count = len(ids)
    result = np.zeros(count, dtype=np.uint64)
    if not count:
        return result
    offsets = np.frombuffer(ids.buffers()[1], dtype=np.int32)[ids.offset : ids.offset + count + 1]
    text = np.frombuffer(ids.buffers()[2] or b"", dtype=np.uint8)
    for begin in range(0, count, SLICE):
        part = offsets[begin : begin + SLICE + 1].astype(np.int64)
        result[begin : begin + SLICE] = _fingerprints(text[part[0] : part[-1]], part - part[0])
    return result


def _fingerprints(text: npt.NDArray[np.uint8], offsets: Longs) -> Words:
    padded = np.concatenate((text, np.zeros(8, np.uint8)))
    words: Words = np.ndarray((len(text) + 1,), dtype="<u8", buffer=padded, strides=(1,))  # the eight bytes from each place on
    lengths = np.diff(offsets)
    result = lengths.astype(np.uint64) * _TOPIC_MIX
    step, alive = 0, np.flatnonzero(lengths > 0)
    while len(alive):  # an id that has ended is left alone: one long id among many short ones costs its own length
        left = np.minimum(lengths[alive] - step, 8)
        inside = np.where(left == 8, np.uint64(2**64 - 1), (np.uint64(1) << (left * 8).astype(np.uint64)) - np.uint64(1))
        mixed = (result[alive] ^ (words[offsets[alive] + step] & inside)) * _MIX
        result[alive] = mixed ^ (mixed >> np.uint64(29))
        step += 8
        alive = alive[lengths[alive] > step]
    return result
