"""A collection's postings: one sparse matrix of documents and terms, made once and kept in the user's cache."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO
from zipfile import BadZipFile

import numpy as np
import scipy

from irjudge.errors import IrjudgeError
from irjudge.message import Message
from irjudge.model.arrow import strings_of
from irjudge.model.document import Document
from irjudge.model.ranking import Floats, Ids, Longs
from irjudge.progress import SILENT, Progress
from irjudge.search.tokens import STOP, Vocabulary, searched_text
from irjudge.text.stems import guess_languages

FORM = 1  # of what is kept: another number makes it anew
SAMPLE = 200  # documents by whose texts the languages are guessed
GUESSED_BY = 2000  # letters of each of them
AT_ONCE = 20_000  # documents counted together
MOST_KEPT = 8  # indexes in the cache
STEP = 500  # documents between two words on the progress


@dataclass(frozen=True, eq=False)
class Postings:
    """How often each of T terms stands in each of N documents."""

    documents: tuple[str, ...]  # N ids, in the order the documents came
    terms: tuple[str, ...]  # T terms
    languages: Mapping[str, str]  # the language of the words of each script
    counts: Any  # shape (N, T), float32, in compressed rows

    def __len__(self) -> int:
        return len(self.documents)

    @cached_property
    def by_term(self) -> Any:
        """The counts in compressed columns: the postings of term t are `indptr[t]:indptr[t + 1]`, by document ascending."""
        return self.counts.tocsc()

    @cached_property
    def length(self) -> Floats:
        """How many terms each document has, repeated ones too, shape (N,)."""
        sums = [np.asarray(block.sum(axis=1, dtype=np.float64)).ravel() for block in self._blocks()]
        return np.concatenate(sums) if sums else np.empty(0)

    @cached_property
    def mean_length(self) -> float:
        """The mean of the lengths; 1 where all documents are empty."""
        return float(self.length.mean()) if len(self) and self.length.any() else 1.0

    @cached_property
    def document_frequency(self) -> Longs:
        """In how many documents each term stands, shape (T,)."""
        found: Longs = np.diff(self.by_term.indptr).astype(np.int64)
        return found

    @cached_property
    def collection_frequency(self) -> Floats:
        """How often each term stands in all documents together, shape (T,)."""
        sums = (np.asarray(block.sum(axis=0, dtype=np.float64)).ravel() for block in self._blocks())
        return sum(sums, start=np.zeros(len(self.terms)))

    def _blocks(self) -> Iterator[Any]:
        """Yield the counts some documents at a time: SciPy copies what it sums."""
        for begin in range(0, len(self), AT_ONCE):
            yield self.counts[begin : begin + AT_ONCE]

    @cached_property
    def by_id(self) -> Longs:
        """The place of each document in the order of the ids by UTF-8 bytes, shape (N,): how ties are put in order."""
        place = np.empty(len(self), dtype=np.int64)
        place[
            np.array(
                sorted(range(len(self)), key=lambda code: self.documents[code].encode()),
                dtype=np.int64,
            )
        ] = np.arange(len(self))
        return place

    @cached_property
    def ids(self) -> Ids:
        """The ids as an Arrow column."""
        return strings_of(self.documents)

    @cached_property
    def code(self) -> Mapping[str, int]:
        """The number of each document."""
        return {id: code for code, id in enumerate(self.documents)}

    @cached_property
    def vocabulary(self) -> Vocabulary:
        """What turns the words of a query into terms."""
        return Vocabulary(self.languages, self.terms, grows=False)

    def read(self, query: str) -> dict[int, float]:
        """Return how often each term of a query stands in it, in the order of the terms; what no document has is left out."""
        numbers, counts = np.unique(
            np.array(self.vocabulary.read(query), dtype=np.int64), return_counts=True
        )
        return {
            int(number): float(count)
            for number, count in zip(numbers, counts, strict=True)
            if number != STOP
        }


def make_postings(
    documents: Iterable[Document],
    *,
    total: int | None = None,
    languages: Mapping[str, str] | None = None,
    progress: Progress = SILENT,
) -> Postings:
    """Count the terms of documents, each id once, titles and texts together, in the order they came; without documents nothing is found.

    The language of the words of each script is as given; None guesses them from the first 200 documents. Progress is told of every 500
    documents, of `total` where that is known; it may stop the work.

    >>> postings = make_postings([Document("d1", b"Tides and tides"), Document("d2", b"A tide")])
    >>> postings.terms, postings.counts.toarray().tolist()
    (('tide',), [[2.0], [1.0]])
    """
    coming = iter(documents)
    first = list(islice(coming, SAMPLE))
    spoken = (
        guess_languages("\n".join(searched_text(each)[:GUESSED_BY] for each in first))
        if languages is None
        else languages
    )
    vocabulary, ids, blocks = Vocabulary(spoken), list[str](), []
    every = progress.through(
        _chained(first, coming), Message("Indexing documents"), total=total, every=STEP
    )
    while block := list(
        islice(((each.id, vocabulary.read(searched_text(each))) for each in every), AT_ONCE)
    ):
        ids += [id for id, _ in block]
        blocks.append(_counted([numbers for _, numbers in block]))
    return Postings(
        tuple(ids), tuple(vocabulary.numbers), spoken, _stacked(blocks, len(vocabulary.numbers))
    )


def _chained(first: Sequence[Document], rest: Iterator[Document]) -> Iterator[Document]:
    yield from first
    yield from rest


def _counted(documents: Sequence[Any]) -> Any:
    """Return the counts of a block of documents, as wide as their highest term; numbers of no term are left out."""
    sizes = np.array([len(numbers) for numbers in documents])
    term = np.concatenate([np.frombuffer(numbers, dtype=np.int32) for numbers in documents])
    kept = term != STOP
    before = np.concatenate(([0], np.cumsum(kept)))
    starts = before[np.concatenate(([0], np.cumsum(sizes)))]
    term = term[kept]
    shape = (len(documents), int(term.max(initial=-1)) + 1)
    counts = scipy.sparse.csr_matrix(
        (np.ones(len(term), dtype=np.float32), term, starts), shape=shape
    )
    counts.sum_duplicates()
    return counts


def _stacked(blocks: list[Any], terms: int) -> Any:
    for block in blocks:
        block.resize(block.shape[0], terms)
    return (
        scipy.sparse.vstack(blocks, format="csr")
        if blocks
        else scipy.sparse.csr_matrix((0, terms), dtype=np.float32)
    )


# Kept in the cache


def fingerprint(documents: Iterable[tuple[str, str]]) -> str:
    """Return what a collection is known by in the cache: a hash of the ids of its documents and of the hashes of their texts, in order."""
    whole = sha256(f"{FORM}".encode())
    for id, digest in documents:
        whole.update(json.dumps([id, digest]).encode())
    return whole.hexdigest()[:32]


def keep(postings: Postings, path: Path) -> None:
    """Write postings into a file of the cache."""
    texts = {
        "documents": postings.documents,
        "terms": postings.terms,
        "languages": postings.languages,
    }
    columns = {
        "indptr": postings.counts.indptr,
        "indices": postings.counts.indices,
        "data": postings.counts.data,
    }
    keep_in_cache(
        path,
        lambda file: np.savez(
            file, texts=np.frombuffer(json.dumps(texts).encode(), dtype=np.uint8), **columns
        ),
    )


def keep_in_cache(path: Path, write: Callable[[BinaryIO], object]) -> None:
    """Let a file of the cache be written, which gets its name when it is whole; the oldest of many of its kind go.

    IrjudgeError when it cannot be written.
    """
    part = path.with_suffix(".part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with part.open("wb") as file:
            write(file)
        part.replace(path)
        newest_first = sorted(
            path.parent.glob(f"*{path.suffix}"), key=lambda file: file.stat().st_mtime, reverse=True
        )
        for old in newest_first[MOST_KEPT:]:
            old.unlink(missing_ok=True)
    except OSError as fault:
        with suppress(OSError):
            part.unlink(missing_ok=True)
        raise IrjudgeError(
            "The index could not be written to {folder}: {fault}.",
            folder=str(path.parent),
            fault=fault,
        ) from fault


def kept(path: Path) -> Postings | None:
    """Return the postings that a file of the cache holds; None where there is none that can be read."""
    try:
        with path.open("rb") as raw, np.load(raw, allow_pickle=False) as file:
            texts = json.loads(file["texts"].tobytes())
            shape = len(texts["documents"]), len(texts["terms"])
            counts = scipy.sparse.csr_matrix(
                (file["data"], file["indices"], file["indptr"]), shape=shape
            )
    except (OSError, ValueError, KeyError, EOFError, BadZipFile):
        return None
    return Postings(tuple(texts["documents"]), tuple(texts["terms"]), texts["languages"], counts)
