"""Groups of near-duplicate documents, which have the same words or share most shingles."""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from hashlib import blake2b
from itertools import islice
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from irjudge.errors import IrjudgeError
from irjudge.message import Message
from irjudge.model import Document
from irjudge.progress import SILENT, Progress
from irjudge.search.postings import extract_indexed_text, split_words, write_cache_file

Hashes: TypeAlias = npt.NDArray[np.uint64]

DEFAULT_OVERLAP = 0.8  # default minimum share of common shingles
# lowest overlap that may be requested; below it, MinHash would miss too many pairs
MIN_OVERLAP = 0.5
SHINGLE_SIZE = 3  # number of words in a shingle
# number of rows per band, and number of bands of MinHash; with these, MinHash misses about one in a
# million of the pairs with overlap .8, and seven in a hundred of the pairs with overlap .5
ROWS_PER_BAND = 3
BAND_COUNT = 20
# maximum number of earlier documents per bucket with which a document is compared, so that the
# time is linear in the number of documents
MAX_COMPARED_PER_BUCKET = 10
MAX_TEXTS_PER_BLOCK = 500  # maximum number of documents processed at a time
PROGRESS_STEP = 500  # number of documents between progress reports
MAX_CACHED_TEXTS = 1000  # maximum number of documents whose shingles are cached


@dataclass(frozen=True, slots=True)
class NearDuplicate:
    """Document of a group, with its shingle overlap with the first document of the group.

    `OverlapMeter` computes the overlap of any two documents, which is between 0 and 1.
    """

    id: str
    overlap: float


@dataclass(frozen=True)
class NearDuplicateGroups:
    """Groups of two or more near-duplicate documents, in the order of their first documents.

    A document is in at most one group, together with its overlap with the group's first document.
    Documents without near-duplicates are not included.

    >>> groups = NearDuplicateGroups(((NearDuplicate("a", 1.0), NearDuplicate("b", 0.9)),))
    >>> groups.find_first("b"), groups.find_first("c"), [each.id for each in groups.list_others("b")]
    ('a', 'c', ['a'])
    """

    groups: tuple[tuple[NearDuplicate, ...], ...]
    overlap: float = DEFAULT_OVERLAP  # minimum overlap that was requested

    def find_first(self, document: str) -> str:
        """Return the first document of a document's group, or the document if it has no group."""
        group = self._group_of_document.get(document)
        return group[0].id if group else document

    def list_others(self, document: str) -> tuple[NearDuplicate, ...]:
        """Return the other documents of a document's group; empty if it has no group."""
        return tuple(
            duplicate
            for duplicate in self._group_of_document.get(document, ())
            if duplicate.id != document
        )

    @cached_property
    def _group_of_document(self) -> Mapping[str, tuple[NearDuplicate, ...]]:
        return {duplicate.id: group for group in self.groups for duplicate in group}


def find_near_duplicates(
    documents: Callable[[], Iterable[Document]],
    *,
    overlap: float = DEFAULT_OVERLAP,
    total: int | None = None,
    progress: Progress = SILENT,
) -> NearDuplicateGroups:
    """Group near-duplicate documents by shingle overlap.

    Parameters
    ----------
    documents
        Function that returns an iterator over all documents, which have unique ids. It is called
        twice, since texts are not stored.
    overlap
        Minimum share of common three-word shingles: those in both documents, divided by those in
        either; from .5 to 1.
    total
        Number of documents, if known, for progress reports.
    progress
        Updated after every 500 documents; may cancel the search.

    Returns
    -------
    NearDuplicateGroups
        Every document has at least `overlap` with the first document of its group. Documents
        without words are not grouped; images are grouped if their files are equal.

    Raises
    ------
    IrjudgeError
        If the overlap is out of range.

    Notes
    -----
    Case, diacritics, punctuation and markup are ignored. Equal texts are always
    detected. Other candidate pairs are selected by MinHash, and their overlap is computed exactly,
    so groups have no false members, but a pair near the threshold may be missed.

    References
    ----------
    Broder (1997), On the resemblance and containment of documents, Compression and Complexity of Sequences.
    """
    if not MIN_OVERLAP <= overlap <= 1:
        raise IrjudgeError(
            "The overlap must be between {minimum} and 1, got {overlap}.",
            minimum=MIN_OVERLAP,
            overlap=overlap,
        )
    index = _ShingleIndex(WordHashes())
    tracked_documents = progress.track(
        documents(), Message("Comparing documents"), total=total, every=PROGRESS_STEP
    )
    while block := list(islice(tracked_documents, MAX_TEXTS_PER_BLOCK)):
        index.read(block)
    near_duplicates = index.find_earlier(documents, overlap, progress)
    members: dict[int, list[NearDuplicate]] = {}
    for code, (id, first_equal) in enumerate(zip(index.ids, index.first_equal, strict=True)):
        first_document, shared_overlap = near_duplicates.get(first_equal, (first_equal, 1.0))
        members.setdefault(first_document if first_equal >= 0 else code, []).append(
            NearDuplicate(id, shared_overlap)
        )
    return NearDuplicateGroups(
        tuple(tuple(group) for group in members.values() if len(group) > 1), overlap
    )


class WordHashes(dict[str, int]):
    """Cache of 64-bit hashes of words, for hashes of shingles.

    A missing hash is computed and stored. The hash of a word is the same on all machines.
    """

    def __missing__(self, word: str) -> int:
        self[word] = number = int.from_bytes(
            blake2b(word.encode("utf-8", "replace"), digest_size=8).digest(), "little"
        )
        return number


class _ShingleIndex:
    """Index of documents, to find near-duplicates by equal texts and by MinHash bands.

    Documents are numbered in the order in which they are read.
    """

    def __init__(self, hashes: WordHashes) -> None:
        self._hashes = hashes
        self.ids: list[str] = []
        # for each document, the number of the first document with the same words, or -1 if it has
        # no words; images are compared by their files, not by their titles
        self.first_equal: list[int] = []
        self._first_by_text: dict[bytes, int] = {}
        # numbers and MinHash bands of the documents with words that differ from earlier documents
        self._codes: list[int] = []
        self._bands: list[Hashes] = []

    def read(self, documents: list[Document]) -> None:
        """Add documents to the index, with the MinHash bands of texts that are new."""
        new_hashes: list[Hashes] = []
        for document in documents:
            is_image = document.kind == "image"
            hashes = hash_words(document, self._hashes)
            content = document.body if is_image else hashes.tobytes()
            code = len(self.ids)
            self.ids.append(document.id)
            if not content:
                self.first_equal.append(-1)
                continue
            key = blake2b(content, digest_size=16).digest()
            self.first_equal.append(self._first_by_text.setdefault(key, code))
            if self.first_equal[-1] == code and not is_image:
                self._codes.append(code)
                new_hashes.append(hash_shingles(hashes))
        if new_hashes:
            self._bands.append(_hash_bands(new_hashes))

    def find_earlier(
        self, documents: Callable[[], Iterable[Document]], overlap: float, progress: Progress
    ) -> dict[int, tuple[int, float]]:
        """Return the most similar earlier document of each document, with the overlap.

        Documents are represented by their numbers. Only earlier documents that have no earlier
        near-duplicate themselves are considered. A document is omitted if its overlap with all of
        these is too low, or if it has the same words as an earlier document.
        """
        buckets = self._group_by_bucket()
        # for each bucket, documents without an earlier near-duplicate
        representatives_by_bucket: dict[int, list[int]] = {}
        hashes_by_code: dict[int, Hashes] = {}
        nearest: dict[int, tuple[int, float]] = {}
        tracked_documents = progress.track(
            documents(), Message("Comparing documents"), total=len(self.ids), every=PROGRESS_STEP
        )
        for code, document in enumerate(tracked_documents):
            document_buckets = buckets.get(code)
            if document_buckets is None:
                continue
            shingles = hash_shingles(hash_words(document, self._hashes))
            candidates = sorted(
                {
                    representative
                    for bucket in document_buckets
                    for representative in representatives_by_bucket.get(bucket, ())
                }
            )
            best_match = max(
                (
                    (jaccard_similarity(shingles, hashes_by_code[representative]), -representative)
                    for representative in candidates
                ),
                default=(0.0, 0),
            )
            if best_match[0] >= overlap:
                nearest[code] = (-best_match[1], best_match[0])
                continue
            hashes_by_code[code] = shingles
            for bucket in document_buckets:
                if (
                    len(representatives := representatives_by_bucket.setdefault(bucket, []))
                    < MAX_COMPARED_PER_BUCKET
                ):
                    representatives.append(code)
        return nearest

    def _group_by_bucket(self) -> dict[int, list[int]]:
        """Return the numbers of the shared buckets of each document, by document number.

        A bucket is a set of documents with equal hashes in a band. Buckets of one document, and
        documents that have only such buckets, are omitted.
        """
        buckets: dict[int, list[int]] = {}
        bands = (
            np.concatenate(self._bands)
            if self._bands
            else np.empty((0, BAND_COUNT), dtype=np.uint64)
        )
        codes, first_bucket = np.array(self._codes, dtype=np.int64), 0
        for band in bands.T:
            _, bucket, count = np.unique(band, return_inverse=True, return_counts=True)
            is_shared = np.flatnonzero(count[bucket] > 1)
            for code, bucket_number in zip(
                codes[is_shared].tolist(), (bucket[is_shared] + first_bucket).tolist(), strict=True
            ):
                buckets.setdefault(code, []).append(bucket_number)
            first_bucket += len(count)
        return buckets


class OverlapMeter:
    """Calculator of the shingle overlap of two documents, with a cache of documents' shingles.

    `read` is a function that returns the document with a given id. The overlap is the Jaccard
    similarity, between 0 and 1, of the sets of three-word shingles. Images have overlap 1 if their
    files are equal, otherwise 0.
    """

    def __init__(self, read: Callable[[str], Document]) -> None:
        self._read = read
        self._hashes = WordHashes()
        self._shingles = lru_cache(MAX_CACHED_TEXTS)(self._hash_shingles)

    def measure(self, first: str, second: str) -> float:
        """Return the overlap of two documents; images have overlap 1 if their files are equal."""
        return jaccard_similarity(self._shingles(first), self._shingles(second))

    def _hash_shingles(self, id: str) -> Hashes:
        document = self._read(id)
        if document.kind == "image":
            digest = blake2b(document.body, digest_size=8).digest()
            return np.frombuffer(digest, dtype=np.uint64)
        return hash_shingles(hash_words(document, self._hashes))


def hash_words(document: Document, hashes: WordHashes) -> Hashes:
    """Return the hashes of the words of a document, in text order."""
    words = split_words(extract_indexed_text(document))
    return np.array([hashes[word] for word in words], dtype=np.uint64)


def hash_shingles(hashes: Hashes) -> Hashes:
    """Return the sorted distinct hashes of the three-word shingles of a text.

    `hashes` are the hashes of its words in text order. A text of one or two words is one shingle; a
    text without words has none.

    >>> hashes = WordHashes()
    >>> [len(hash_shingles(np.array([hashes[word] for word in text.split()], dtype=np.uint64))) for text in ("a b c d", "a b c a b c", "a", "")]
    [2, 3, 1, 0]
    """
    if not len(hashes):
        return hashes
    width = min(SHINGLE_SIZE, len(hashes))
    shingles: Hashes = np.zeros(len(hashes) - width + 1, dtype=np.uint64)
    for index in range(width):
        shingles = _mix_bits(shingles + hashes[index : index + len(shingles)])
    distinct_shingles: Hashes = np.unique(shingles)
    return distinct_shingles


def _mix_bits(numbers: Any) -> Hashes:
    """Return a hash of each number, by the finaliser of SplitMix64."""
    mixed_bits: Hashes = numbers + np.uint64(0x9E3779B97F4A7C15)
    mixed_bits = (mixed_bits ^ (mixed_bits >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed_bits = (mixed_bits ^ (mixed_bits >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return mixed_bits ^ (mixed_bits >> np.uint64(31))


HASH_FACTORS: Hashes = _mix_bits(
    np.arange(1, ROWS_PER_BAND * BAND_COUNT + 1, dtype=np.uint64)
) | np.uint64(1)


def _hash_bands(texts: list[Hashes]) -> Hashes:
    """Return the MinHash bands of N texts, shape (N, BAND_COUNT), given their shingle hashes."""
    all_hashes = np.concatenate(texts)
    starts = np.concatenate(([0], np.cumsum([len(text) for text in texts])))[:-1]
    minima = np.stack([np.minimum.reduceat(all_hashes * factor, starts) for factor in HASH_FACTORS])
    bands = np.zeros((BAND_COUNT, len(texts)), dtype=np.uint64)
    for row in range(ROWS_PER_BAND):
        bands = _mix_bits(bands + minima[row::ROWS_PER_BAND])
    return bands.T


def jaccard_similarity(first: Hashes, second: Hashes) -> float:
    """Return the Jaccard coefficient of two sets of shingles; 0 if both are empty."""
    common = len(np.intersect1d(first, second, assume_unique=True))
    return common / max(len(first) + len(second) - common, 1)


# Cache of groups


def cache_groups(groups: NearDuplicateGroups, path: Path) -> None:
    """Write groups to a cache file, with a checksum in its first line."""
    rows = [[[duplicate.id, duplicate.overlap] for duplicate in group] for group in groups.groups]
    content = json.dumps({"overlap": groups.overlap, "groups": rows}).encode()
    write_cache_file(path, lambda file: file.write(_compute_checksum(content) + b"\n" + content))


def load_cached_groups(path: Path) -> NearDuplicateGroups | None:
    """Load groups from a cache file; return None if it cannot be read or is damaged."""
    try:
        checksum, _, content = path.read_bytes().partition(b"\n")
        if checksum != _compute_checksum(content):
            return None
        cached_groups = json.loads(content)
        return NearDuplicateGroups(
            tuple(
                tuple(NearDuplicate(id, overlap) for id, overlap in group)
                for group in cached_groups["groups"]
            ),
            cached_groups["overlap"],
        )
    except (OSError, ValueError, TypeError, KeyError):
        return None


def _compute_checksum(content: bytes) -> bytes:
    return blake2b(content, digest_size=16).hexdigest().encode()
