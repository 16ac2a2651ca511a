"""Grouping of rows by topic, and columns of ids that are represented as 64-bit words."""

from dataclasses import dataclass
from typing import Any, Self, TypeAlias

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute

from irjudge.model import (
    Ids,
    Ints,
    Longs,
    index_in,
    row_offsets,
    to_arrow_column,
    to_arrow_strings,
    to_numpy,
)

# Grouping of rows by topic, without duplicates; the rows may be in any order

Mask = npt.NDArray[np.bool_]
HashWords = npt.NDArray[np.uint64]

SLICE_ROWS = 1 << 16  # number of rows processed at a time; they fit in the CPU cache
# number of texts hashed at a time; the allocator reuses the memory of arrays of this size
HASH_BLOCK_SIZE = 1 << 14
# number of words of an id that are mixed into its hash one by one; the remaining bytes of longer
# ids are hashed by blake2b
MAX_HASH_ROUNDS = 512

MIX_FACTOR = np.uint64(0x9E3779B97F4A7C15)
LENGTH_MIX = np.uint64(0xD6E8FEB86659FD93)
# masks that keep the first 0 to 8 bytes of a word
_BYTE_MASKS = np.array([(1 << 8 * length) - 1 for length in range(9)], dtype=np.uint64)


@dataclass(frozen=True, slots=True)
class Grouped:
    """Result of grouping rows by topic: the indices of the rows that are used, in topic order.

    `rows` is None if all rows are used and are already sorted by topic. Of several rows with the
    same topic and document (in qrels, also the same subtopic), the first is used. Duplicates are
    omitted; their number and the first of them are stored.
    """

    rows: Longs | None  # shape (N,)
    # shape (T + 1,): the used rows of topic t have the positions `starts[t]:starts[t + 1]`
    starts: Longs
    duplicate_count: int = 0  # number of omitted duplicates
    # topic code and document id of the first duplicate; None if there is none
    first_duplicate: tuple[int, str] | None = None

    def take(self, values: Any) -> Any:
        """Return the values of the rows that are used, given a NumPy or Arrow array."""
        if self.rows is None:
            return values
        return (
            values.take(to_arrow_column(self.rows))
            if isinstance(values, pa.Array)
            else values[self.rows]
        )


def group_by_topic(topic: Ints, topics: int, document: Ids, extra: Ints | None = None) -> Grouped:
    """Group rows by topic, in file order within each topic; omit duplicates of earlier rows."""
    is_sorted = not np.any(topic[1:] < topic[:-1])
    rows: Longs | None = None if is_sorted else np.argsort(topic, kind="stable")
    keys = _hash_rows(topic, document, extra)
    keys.sort()
    duplicate_keys = keys[1:][keys[1:] == keys[:-1]]
    if len(duplicate_keys):
        # texts are compared, since different texts may have the same hash
        seen_keys: set[tuple[int, int, str]] = set()
        is_first = np.ones(len(topic), dtype=bool)
        example = None
        for row in np.flatnonzero(
            np.isin(_hash_rows(topic, document, extra), duplicate_keys)
        ).tolist():
            key = (
                int(topic[row]),
                int(extra[row]) if extra is not None else 0,
                document[row].as_py(),
            )
            if key in seen_keys:
                is_first[row] = False
                example = example or (key[0], key[2])
            seen_keys.add(key)
        count = int((~is_first).sum())
        if count:
            rows = np.flatnonzero(is_first) if rows is None else rows[is_first[rows]]
        return Grouped(
            rows, row_offsets(topic if rows is None else topic[rows], topics), count, example
        )
    return Grouped(rows, row_offsets(topic if rows is None else topic[rows], topics))


def _hash_rows(topic: Ints, document: Ids, extra: Ints | None) -> HashWords:
    """Return a hash of (topic, document, extra) for each row, shape (N,).

    Hashes are computed in slices that fit in the CPU cache.
    """
    keys = hash_ids(document)
    for begin in range(0, len(keys), SLICE_ROWS):
        rows = slice(begin, begin + SLICE_ROWS)
        keys[rows] ^= (topic[rows].astype(np.uint64) + np.uint64(1)) * LENGTH_MIX
        if extra is not None:
            keys[rows] ^= (extra[rows].astype(np.uint64) + np.uint64(1)) * MIX_FACTOR
    return keys


def get_offsets(ids: Ids) -> Ints:
    """Return the text offsets of an Arrow string array, shape (N + 1,)."""
    if not len(ids):
        return np.zeros(1, dtype=np.int32)
    return np.frombuffer(ids.buffers()[1], dtype=np.int32)[ids.offset : ids.offset + len(ids) + 1]


def mix_topics_into_hashes(keys: HashWords, starts: Longs) -> HashWords:
    """Return a hash of the topic and document of each row, given hashes of the documents.

    `starts` contains the first row of each topic, followed by the number of rows.
    """
    numbers = np.arange(1, len(starts), dtype=np.uint64) * LENGTH_MIX
    return keys ^ np.repeat(numbers, np.diff(starts))


def hash_ids(ids: Ids) -> HashWords:
    """Return a 64-bit hash of each id, shape (N,); different ids rarely have the same hash."""
    count = len(ids)
    result = np.zeros(count, dtype=np.uint64)
    if not count:
        return result
    offsets = get_offsets(ids)
    text = np.frombuffer(ids.buffers()[2] or b"", dtype=np.uint8)
    for begin in range(0, count, HASH_BLOCK_SIZE):
        block_offsets = offsets[begin : begin + HASH_BLOCK_SIZE + 1].astype(np.int64)
        first_byte = int(block_offsets[0]) // 8 * 8
        block_offsets -= first_byte
        result[begin : begin + HASH_BLOCK_SIZE] = _hash_texts(
            _to_words(text[first_byte:], int(block_offsets[-1]) // 8 * 8 + 16), block_offsets
        )
    return result


def _to_words(text: npt.NDArray[np.uint8], size: int) -> HashWords:
    """Return the first `size` bytes as words, as a view if possible; missing bytes are 0."""
    if len(text) < size:
        # only the last block of a column needs padding
        text = np.concatenate((text, np.zeros(size - len(text), np.uint8)))
    return text[:size].view("<u8")


def _hash_texts(words: HashWords, offsets: Longs) -> HashWords:
    starts, remaining = offsets[:-1], np.diff(offsets)
    result = _mix_remaining(
        remaining.view(np.uint64) * LENGTH_MIX, _read_eight_bytes(words, starts), remaining
    )
    unfinished = np.flatnonzero(remaining > 8)
    # finished ids are skipped, so that a long id does not slow down many short ids
    for _ in range(MAX_HASH_ROUNDS):
        if not len(unfinished):
            return result
        starts, remaining = starts + 8, remaining - 8
        result[unfinished] = _mix_remaining(
            result[unfinished], _read_eight_bytes(words, starts[unfinished]), remaining[unfinished]
        )
        unfinished = unfinished[remaining[unfinished] > 8]
    if len(unfinished):
        _mix_rest(result, words.view(np.uint8).data, starts, remaining, unfinished)
    return result


def _mix_rest(
    hashes: HashWords, text: memoryview, starts: Longs, remaining: Longs, rows: Longs
) -> None:
    """Mix the rest of each long id into its hash: all bytes after the eight bytes at `starts`."""
    from hashlib import blake2b  # noqa: PLC0415 -- loads OpenSSL, which takes 3 ms

    for row in rows.tolist():
        begin, end = int(starts[row]) + 8, int(starts[row] + remaining[row])
        hashes[row] ^= np.uint64(int.from_bytes(blake2b(text[begin:end], digest_size=8).digest()))


def _read_eight_bytes(words: HashWords, starts: Longs) -> HashWords:
    """Return the eight bytes at each offset.

    Two aligned words are read and combined, which is twice as fast as reading one unaligned word.
    """
    index = starts >> 3
    shift = (starts & 7).view(np.uint64) << np.uint64(3)
    result = words.take(index, mode="clip") >> shift
    index += 1
    following_word = words.take(index, mode="clip") << np.uint64(1)
    shift ^= np.uint64(63)
    following_word <<= shift
    result |= following_word
    return result


def _mix_remaining(hashes: HashWords, word: HashWords, remaining: Longs) -> HashWords:
    """Mix the next bytes of each id, in `word`, into the hash of the id; `word` is modified.

    `remaining` is the number of remaining bytes of each id. If fewer than 8 bytes remain, the other
    bytes of the word belong to the next id and are ignored.
    """
    word &= _BYTE_MASKS.take(remaining, mode="clip")
    word ^= hashes
    word *= MIX_FACTOR
    word ^= word >> np.uint64(29)
    return word


# Substrings of a text as 64-bit words, which are compared and hashed without Python objects

Words: TypeAlias = npt.NDArray[np.uint64]

WORD_BYTES = 8
# number of padding bytes before and after a text, since words may extend beyond the text; this
# number is also the maximum length of a substring
PADDING_BYTES = 64
_MIX_SHIFT = np.uint64(29)
_BITS_PER_BYTE = np.uint64(8)
_ONE, _ALL_BITS = np.uint64(1), np.uint64(0xFFFFFFFFFFFFFFFF)
_ZERO_DIGITS = np.uint64(0x3030303030303030)


def add_padding(*pieces: Any) -> bytes:
    """Concatenate byte strings, with padding at both ends.

    Offsets in the text are counted from the end of the leading padding.
    """
    return b"".join((b"0" * PADDING_BYTES, *pieces, b"0" * PADDING_BYTES))


def to_left_aligned_words(text: bytes, starts: Longs, lengths: Longs) -> list[Words]:
    """Return the words of each substring: bytes 0–7, bytes 8–15 and so on; missing bytes are 0.

    Two substrings are equal if and only if all their words are equal. A substring must not be
    longer than `PADDING_BYTES` bytes.
    """
    max_length, shortest = int(lengths.max(initial=1)), int(lengths.min(initial=PADDING_BYTES))
    words = []
    for offset in range(0, max_length, WORD_BYTES):
        word = _view_words(text, offset)[starts]
        if shortest < offset + WORD_BYTES:
            remaining = (
                lengths.astype(np.uint64)
                if not offset
                else np.maximum(lengths - offset, 0).astype(np.uint64)
            )
            # a shift by 64 bits or more results in 0
            word &= (_ONE << (remaining * _BITS_PER_BYTE)) - _ONE
        words.append(word)
    return words


def to_zero_padded_words(text: bytes, ends: Longs, lengths: Longs) -> npt.NDArray[np.uint64]:
    """Return substrings as words, padded on the left with the digit 0 to the same width."""
    count = max(1, -(-int(lengths.max(initial=0)) // WORD_BYTES))
    padded_words = np.empty((len(ends), count), dtype=np.uint64)
    for column in range(count):
        following_bytes = WORD_BYTES * (count - 1 - column)
        word = _view_words(text, -following_bytes - WORD_BYTES)[ends]
        byte_counts = (
            lengths.astype(np.uint64)
            if not following_bytes
            else np.maximum(lengths - following_bytes, 0).astype(np.uint64)
        )
        padded_words[:, column] = word ^ (
            (word ^ _ZERO_DIGITS) & (_ALL_BITS >> (byte_counts * _BITS_PER_BYTE))
        )
    return padded_words


def _view_words(text: bytes, shift: int) -> Words:
    """Return a view of the eight bytes at distance `shift` from each offset in the text."""
    return np.ndarray(
        (len(text) - 2 * PADDING_BYTES + 1,),
        dtype="<u8",
        buffer=text,
        offset=PADDING_BYTES + shift,
        strides=(1,),
    )


def to_fixed_width(rows: npt.NDArray[np.uint64]) -> Any:
    """Return rows of W words, shape (N, W), as an Arrow array of N texts of 8 W bytes each."""
    width = WORD_BYTES * rows.shape[1]
    offsets = np.arange(0, width * (len(rows) + 1), width, dtype=np.int32)
    return pa.Array.from_buffers(
        pa.string(),
        len(rows),
        [None, pa.py_buffer(offsets), pa.py_buffer(np.ascontiguousarray(rows))],
    )


@dataclass(frozen=True, slots=True, eq=False)
class PackedTexts:
    """Column of N ids as 64-bit words, which are hashed and compared without Python objects.

    Of the methods of an Arrow column, it has only `take`, which returns texts. `from_texts`
    truncates the words of texts longer than `PADDING_BYTES`.
    """

    words: list[Words]  # first word of each id, second word …, as from `to_left_aligned_words`
    lengths: Longs  # shape (N,): length of each id in bytes
    hashes: Words  # shape (N,): hash of each id, as `hash_ids` returns it

    @classmethod
    def from_substrings(cls, text: bytes, starts: Longs, lengths: Longs) -> Self:
        """Return a column of substrings of a text."""
        words = to_left_aligned_words(text, starts, lengths)
        return cls(words, lengths, hash_words(words, lengths))

    @classmethod
    def from_texts(cls, ids: Ids) -> Self:
        """Return a column of texts.

        Texts longer than `PADDING_BYTES` are truncated. Their original length is stored, so that
        they are equal to no substring.
        """
        offsets = get_offsets(ids).astype(np.int64)
        text = add_padding((ids.buffers()[2] if len(ids) else None) or b"")
        return cls(
            to_left_aligned_words(text, offsets[:-1], np.minimum(np.diff(offsets), PADDING_BYTES)),
            np.diff(offsets),
            hash_ids(ids),
        )

    def compare_rows(self, rows: Longs, others: Self, other_rows: Ints) -> Mask:
        """Return a mask of equal ids: `rows` of this column compared with rows of another column.

        Element i compares the id in row `rows[i]` with the id of `others` in row `other_rows[i]`.
        """
        is_equal: Mask = self.lengths[rows] == others.lengths[other_rows]
        for own_word, other_word in zip(self.words, others.words, strict=False):
            is_equal &= own_word[rows] == other_word[other_rows]
        return is_equal

    def take(self, indices: Any) -> Ids:
        """Return the ids at these indices as texts."""
        rows = to_numpy(indices)
        return words_to_texts([word[rows] for word in self.words], self.lengths[rows])


def words_to_texts(words: list[Words], lengths: Longs) -> Ids:
    """Return left-aligned words as an Arrow array of texts."""
    characters = np.stack(words, axis=1).view(np.uint8)
    is_text_byte = np.arange(characters.shape[1]) < lengths[:, None]
    offsets = np.concatenate(([0], np.cumsum(lengths))).astype(np.int32)
    return pa.Array.from_buffers(
        pa.string(),
        len(lengths),
        [None, pa.py_buffer(offsets), pa.py_buffer(characters[is_text_byte])],
    )


def hash_words(words: list[Words], lengths: Longs) -> Words:
    """Return a 64-bit hash of each substring, shape (N,), as `hash_ids` returns it."""
    result = _mix_hashes(lengths.astype(np.uint64) * LENGTH_MIX, words[0])
    for index, word in enumerate(words[1:], 1):
        is_longer = lengths > WORD_BYTES * index
        result = (
            _mix_hashes(result, word)
            if is_longer.all()
            else np.where(is_longer, _mix_hashes(result, word), result)
        )
    return result


def _mix_hashes(hashes: Words, word: Words) -> Words:
    product = (hashes ^ word) * MIX_FACTOR
    return product ^ (product >> _MIX_SHIFT)


NO_NUMBER = int(np.iinfo(np.int64).min)  # value for a text that is not an integer in canonical form
_CANONICAL_INTEGER = "^(0|-?[1-9][0-9]{0,18})$"


@dataclass(frozen=True, slots=True, eq=False)
class NumberIds:
    """Column of ids, stored as integers or as codes of distinct strings.

    Of the methods of an Arrow column, it has only `len`, slicing and `take`, which returns texts.
    In a column made by `from_texts`, -1 or `NO_NUMBER` represents a text that is not an id of this
    kind.
    """

    values: Longs | Ints  # shape (N,): id or code of each row
    names: Ids | None = None  # text of each code; None if the ids are integers

    @property
    def hashes(self) -> Words:
        """Hash of each value, shape (N,); different values have different hashes."""
        hashes = self.values.astype(np.uint64)
        hashes *= MIX_FACTOR
        hashes ^= hashes >> _MIX_SHIFT
        hashes *= LENGTH_MIX
        return hashes

    @classmethod
    def from_texts(cls, ids: Ids, names: Ids | None) -> Self:
        """Return a column of texts; a text that cannot be an id of this kind is equal to no id."""
        if names is not None:
            return cls(index_in(ids, names), names)
        is_canonical = to_numpy(
            pa.compute.match_substring_regex(ids, _CANONICAL_INTEGER).cast(pa.uint8())
        ).astype(bool)
        values = np.full(len(ids), NO_NUMBER)
        rows = np.flatnonzero(is_canonical)
        selected_ids = ids.take(to_arrow_column(rows))
        try:
            values[rows] = to_numpy(selected_ids.cast(pa.int64()))
        except pa.ArrowInvalid:  # a number with 19 digits may be too large
            values[rows] = [
                value if -NO_NUMBER > value > NO_NUMBER else NO_NUMBER
                for value in map(int, selected_ids.to_pylist())
            ]
        return cls(values, None)

    def __len__(self) -> int:
        return len(self.values)

    def __getitem__(self, rows: slice) -> "NumberIds":
        return NumberIds(self.values[rows], self.names)

    def compare_rows(self, rows: Longs, others: Self, other_rows: Ints) -> Mask:
        """Return a mask of equal ids: `rows` of this column compared with rows of another column.

        Element i compares the id in row `rows[i]` with the id of `others` in row `other_rows[i]`.
        """
        is_equal: Mask = self.values[rows] == others.values[other_rows]
        return is_equal

    def take(self, indices: Any) -> Ids:
        """Return the ids at these indices as texts."""
        selected_values = self.values[to_numpy(indices)]
        return (
            to_arrow_strings([str(value) for value in selected_values.tolist()])
            if self.names is None
            else self.names.take(to_arrow_column(selected_values))
        )


@dataclass(frozen=True, slots=True, eq=False)
class HashedTexts:
    """Column of texts with the interface of `NumberIds`: it also hashes texts and compares rows.

    Of the methods of an Arrow column, it has only `len`, slicing and `take`; `ids` is the Arrow
    column. The hashes are not stored, but computed at each access.
    """

    ids: Ids

    @property
    def hashes(self) -> Words:
        """Hash of each text, shape (N,), as `hash_ids` returns it; computed at each access."""
        return hash_ids(self.ids)

    @classmethod
    def from_texts(cls, ids: Ids) -> Self:
        """Return a column of texts."""
        return cls(ids)

    def __len__(self) -> int:
        return len(self.ids)

    def __getitem__(self, rows: slice) -> "HashedTexts":
        return HashedTexts(self.ids[rows])

    def compare_rows(self, rows: Longs, others: Self, other_rows: Ints) -> Mask:
        """Return a mask of equal texts: `rows` of this column compared with rows of another column.

        Element i compares the text in row `rows[i]` with the text of `others` in row
        `other_rows[i]`.
        """
        is_equal = np.zeros(len(rows), dtype=bool)
        equality = pa.compute.equal(
            self.ids.take(to_arrow_column(rows)), others.ids.take(to_arrow_column(other_rows))
        )
        is_equal[to_numpy(pa.compute.indices_nonzero(equality))] = True
        return is_equal

    def take(self, indices: Any) -> Ids:
        """Return the texts at these indices."""
        return self.ids.take(indices)
