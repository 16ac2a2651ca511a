"""Postings of a collection: tokens, and a sparse matrix of documents and terms."""

import json
import os
import re
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from html import unescape
from itertools import chain, islice
from pathlib import Path
from typing import Any, BinaryIO
from zipfile import BadZipFile

import numpy as np
import scipy

from irjudge.errors import IrjudgeError
from irjudge.message import Message
from irjudge.model import Document, Floats, Ids, Longs, to_arrow_strings
from irjudge.progress import SILENT, Progress
from irjudge.text import (
    ASCII_WORD,
    HANGUL,
    SPACELESS_TEXT,
    WORD,
    casefold_text,
    find_word_bounds,
    get_letter_script,
    guess_languages,
    load_stop_words,
    stem,
)

# Conversion of texts to term numbers. The terms are stemmed words other than stop words, and
# bigrams in Korean and in scripts without spaces.

TAG_PATTERN = re.compile(r"<[^>]*+(?:>|\Z)")
# pattern of text without comments, scripts and styles, from which only tags must be removed
PLAIN_MARKUP_PATTERN = re.compile(
    r"(?:[^<]++|<(?!!--|(?:script|style)\b)[^>]*+(?:>|\Z))++", re.IGNORECASE
)
BLOCK_PATTERN = re.compile(r"<(?:!--|(script|style)\b[^>]*+>?)", re.IGNORECASE)
COMMENT_END_PATTERN = re.compile("-->")
BLOCK_END_PATTERNS = {
    name: re.compile(rf"</{name}\s*+>", re.IGNORECASE) for name in ("script", "style")
}
ADDRESS_PATTERN = re.compile(r"[a-z]+://", re.IGNORECASE)
MAX_TERM_LENGTH = 64  # maximum number of characters of a term; longer words are not indexed
NO_TERM = -1  # term number of a word that is not a term


def split_words(text: str) -> Iterable[str]:
    """Return the folded words of a text; bigrams in Korean and in scripts without spaces.

    >>> [*split_words("Green 绿茶水 tea")]
    ['green', 'tea', '绿茶', '茶水']
    """
    folded_text = text.lower() if text.isascii() else casefold_text(text)
    if folded_text.isascii():
        return ASCII_WORD.findall(folded_text)
    tokens = WORD.findall(folded_text)
    korean = [word for word in tokens if HANGUL_FIRST <= word[0] <= HANGUL_LAST]
    sequences = [*SPACELESS_TEXT.findall(folded_text), *korean]
    if korean:
        tokens = [word for word in tokens if not HANGUL_FIRST <= word[0] <= HANGUL_LAST]
    return chain(tokens, *map(_split_bigrams, sequences)) if sequences else tokens


# first and last Hangul syllable; words that begin with other Korean letters, which are rare, are
# not split
HANGUL_FIRST = HANGUL[-3]
HANGUL_LAST = HANGUL[-1]


def _split_bigrams(characters: str) -> list[str]:
    """Return the bigrams of a sequence of characters, or the character if there is only one."""
    return [characters[index : index + 2] for index in range(max(1, len(characters) - 1))]


class Vocabulary(dict[str, int]):
    """Mapping of words to term numbers, which stems each distinct word once.

    `languages` is a result of `guess_languages`, and `terms` are the first terms in the order of
    their numbers. If `grows` is set, a new term gets the next number; otherwise its number is -1.
    The number of a word that is not a term, such as a stop word, is also -1.
    """

    def __init__(
        self, languages: Mapping[str, str], terms: Iterable[str] = (), *, grows: bool = True
    ) -> None:
        super().__init__()
        self.languages = dict(languages)
        self.numbers = {term: term_number for term_number, term in enumerate(terms)}
        self._grows = grows
        self._stop_words = load_stop_words(frozenset(languages.values()))

    def __missing__(self, word: str) -> int:
        term = self._find_term(word)
        if not term:
            term_number = NO_TERM
        elif self._grows:
            term_number = self.numbers.setdefault(term, len(self.numbers))
        else:
            term_number = self.numbers.get(term, NO_TERM)
        self[word] = term_number
        return term_number

    def _find_term(self, word: str) -> str:
        """Return the index term for a word; empty for stop words and overlong words."""
        start, end = find_word_bounds(word)
        stripped_word = word[start:end]
        if (
            not stripped_word
            or stripped_word in self._stop_words
            or len(stripped_word) > MAX_TERM_LENGTH
        ):
            return ""
        return stem(stripped_word, self.languages.get(get_letter_script(stripped_word[0]), ""))

    def read(self, text: str) -> "array[int]":
        """Return the term number of each word of a text, in any order; -1 if it is not a term."""
        return array("i", [self[word] for word in split_words(text)])


def remove_markup(text: str) -> str:
    """Return the text of HTML, with a space in place of each tag, comment, script and style.

    This takes linear time. If a comment, script or style is not closed, only its opening markup is
    removed; `<` without `>` is text.

    >>> remove_markup("<p>1 < 2</p><script>x = '<b>'</script>end<!-- <i> -->.<!-- <b>3")
    ' 1  end . 3'
    """
    text, text_after_markup = text[: text.rfind(">") + 1], text[text.rfind(">") + 1 :]
    text_parts, position, unclosed_patterns = [], 0, set[re.Pattern[str]]()
    while position < len(text):
        if plain_markup := PLAIN_MARKUP_PATTERN.match(text, position):
            text_parts.append(TAG_PATTERN.sub(" ", plain_markup[0]))
            position = plain_markup.end()
        if block := BLOCK_PATTERN.match(text, position):
            end_pattern = BLOCK_END_PATTERNS[block[1].lower()] if block[1] else COMMENT_END_PATTERN
            end = (
                None if end_pattern in unclosed_patterns else end_pattern.search(text, block.end())
            )
            if end is None:
                unclosed_patterns.add(end_pattern)
            text_parts.append(" ")
            position = end.end() if end else text.index(">", position) + 1
    return "".join([*text_parts, text_after_markup])


def extract_body_text(document: Document) -> str:
    """Return the text of a document to be indexed: its body without markup, then its fields.

    The text is not for display. An image has no body text. The field with the address of a picture
    and fields that begin with an address are omitted.

    >>> extract_body_text(Document("p1", b"For rain.", fields=(("brand", "Nordwind"), ("page", "https://example.org/p1"))))
    'For rain.\\nNordwind'
    """
    text = unescape(remove_markup(document.text)) if document.kind == "html" else document.text
    fields = [
        field_text
        for name, field_text in document.fields
        if name != document.pictured and not ADDRESS_PATTERN.match(field_text)
    ]
    return "\n".join((text, *fields)) if fields else text


def extract_indexed_text(document: Document) -> str:
    """Return the indexed text of a document: title and body."""
    return (
        f"{document.title}\n{extract_body_text(document)}"
        if document.title
        else extract_body_text(document)
    )


# Postings of a collection: one sparse document–term matrix, built once and stored in the user's
# cache

CACHE_VERSION = 2  # version of cache files; files of other versions are rebuilt
SAMPLE_DOCUMENTS = 200  # number of documents from which the languages are guessed
LANGUAGE_SAMPLE_CHARACTERS = 2000  # number of characters used from each sample document
DOCUMENTS_PER_BLOCK = 20_000  # number of documents whose terms are counted together
MAX_CACHED_FILES = 8  # maximum number of indexes in the cache
PROGRESS_STEP = 500  # number of documents between progress reports


@dataclass(frozen=True, eq=False)
class Postings:
    """Search index of a collection: the counts of T terms in N documents, as a sparse matrix.

    The index contains neither the texts of documents nor the positions of terms. It also derives
    document lengths and frequencies of terms, and converts queries to term counts.
    """

    documents: tuple[str, ...]  # N document ids, in the order in which the documents were added
    terms: tuple[str, ...]  # T terms
    languages: Mapping[str, str]  # guessed language of each script
    counts: Any  # shape (N, T), float32, in compressed rows

    def __len__(self) -> int:
        return len(self.documents)

    @cached_property
    def by_term(self) -> Any:
        """Counts in compressed columns.

        The postings of term t are `indptr[t]:indptr[t + 1]`, sorted by document.
        """
        return self.counts.tocsc()

    @cached_property
    def length(self) -> Floats:
        """Number of terms of each document, including repetitions, shape (N,)."""
        sums = [
            np.asarray(block.sum(axis=1, dtype=np.float64)).ravel() for block in self._iter_blocks()
        ]
        return np.concatenate(sums) if sums else np.empty(0)

    @cached_property
    def mean_length(self) -> float:
        """Mean document length; 1 if all documents are empty."""
        return float(self.length.mean()) if len(self) and self.length.any() else 1.0

    @cached_property
    def document_frequency(self) -> Longs:
        """Number of documents with each term, shape (T,)."""
        counts: Longs = np.diff(self.by_term.indptr).astype(np.int64)
        return counts

    @cached_property
    def collection_frequency(self) -> Floats:
        """Total count of each term, shape (T,)."""
        sums = (
            np.asarray(block.sum(axis=0, dtype=np.float64)).ravel() for block in self._iter_blocks()
        )
        return sum(sums, start=np.zeros(len(self.terms)))

    def _iter_blocks(self) -> Iterator[Any]:
        """Yield the counts in blocks of documents, since SciPy copies a matrix to sum it."""
        for start in range(0, len(self), DOCUMENTS_PER_BLOCK):
            yield self.counts[start : start + DOCUMENTS_PER_BLOCK]

    @cached_property
    def by_id(self) -> Longs:
        """Position of each document if documents are sorted by id, shape (N,), to break ties.

        Ids are sorted by their UTF-8 bytes.
        """
        positions = np.empty(len(self), dtype=np.int64)
        positions[
            np.array(
                sorted(range(len(self)), key=lambda code: self.documents[code].encode()),
                dtype=np.int64,
            )
        ] = np.arange(len(self))
        return positions

    @cached_property
    def ids(self) -> Ids:
        """Document ids as an Arrow column."""
        return to_arrow_strings(self.documents)

    @cached_property
    def code(self) -> Mapping[str, int]:
        """Number of each document, by id."""
        return {id: code for code, id in enumerate(self.documents)}

    @cached_property
    def vocabulary(self) -> Vocabulary:
        """Vocabulary for reading queries, to which no terms are added."""
        return Vocabulary(self.languages, self.terms, grows=False)

    def read(self, query: str) -> dict[int, float]:
        """Return the count of each known term of a query."""
        numbers, counts = np.unique(
            np.array(self.vocabulary.read(query), dtype=np.int64), return_counts=True
        )
        return {
            int(term_number): float(count)
            for term_number, count in zip(numbers, counts, strict=True)
            if term_number != NO_TERM
        }


def make_postings(
    documents: Iterable[Document],
    *,
    total: int | None = None,
    languages: Mapping[str, str] | None = None,
    progress: Progress = SILENT,
) -> Postings:
    """Count the terms of documents, which must have distinct ids.

    `languages` contains the language of each script; if it is None, the languages are guessed from
    the first 200 documents. `progress` is updated every 500 documents, and may cancel the work;
    `total` is the number of documents, if known.

    >>> postings = make_postings([Document("d1", b"Tides and tides"), Document("d2", b"A tide")])
    >>> postings.terms, postings.counts.toarray().tolist()
    (('tide',), [[2.0], [1.0]])
    """
    remaining_documents = iter(documents)
    first_documents = list(islice(remaining_documents, SAMPLE_DOCUMENTS))
    text_languages = (
        guess_languages(
            "\n".join(
                extract_indexed_text(document)[:LANGUAGE_SAMPLE_CHARACTERS]
                for document in first_documents
            )
        )
        if languages is None
        else languages
    )
    vocabulary, ids, blocks = Vocabulary(text_languages), list[str](), []
    tracked_documents = progress.track(
        chain(first_documents, remaining_documents),
        Message("Indexing documents"),
        total=total,
        every=PROGRESS_STEP,
    )
    while block := list(
        islice(
            (
                (document.id, vocabulary.read(extract_indexed_text(document)))
                for document in tracked_documents
            ),
            DOCUMENTS_PER_BLOCK,
        )
    ):
        ids += [id for id, _ in block]
        blocks.append(_count_terms([numbers for _, numbers in block]))
    return Postings(
        tuple(ids),
        tuple(vocabulary.numbers),
        text_languages,
        _stack_blocks(blocks, len(vocabulary.numbers)),
    )


def _count_terms(documents: Sequence[Any]) -> Any:
    """Return the term counts of a block of documents as a sparse matrix.

    `documents` contains the term numbers of each document, as `Vocabulary.read` returns them. The
    last column belongs to the highest term number in the block. Words that are not terms are
    omitted.
    """
    sizes = np.array([len(numbers) for numbers in documents])
    term = np.concatenate([np.frombuffer(numbers, dtype=np.int32) for numbers in documents])
    is_term = term != NO_TERM
    terms_before = np.concatenate(([0], np.cumsum(is_term)))
    starts = terms_before[np.concatenate(([0], np.cumsum(sizes)))]
    term = term[is_term]
    shape = (len(documents), int(term.max(initial=-1)) + 1)
    counts = scipy.sparse.csr_matrix(
        (np.ones(len(term), dtype=np.float32), term, starts), shape=shape
    )
    counts.sum_duplicates()
    return counts


def _stack_blocks(blocks: list[Any], terms: int) -> Any:
    for block in blocks:
        block.resize(block.shape[0], terms)
    return (
        scipy.sparse.vstack(blocks, format="csr")
        if blocks
        else scipy.sparse.csr_matrix((0, terms), dtype=np.float32)
    )


# Cache of postings


def compute_collection_fingerprint(documents: Iterable[tuple[str, str]]) -> str:
    """Return the cache key of a collection, which is a hash of ids and text hashes."""
    fingerprint = sha256(f"{CACHE_VERSION}".encode())
    for id, digest in documents:
        fingerprint.update(json.dumps([id, digest]).encode())
    return fingerprint.hexdigest()[:32]


def cache_postings(postings: Postings, path: Path) -> None:
    """Write postings to a cache file."""
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
    write_cache_file(
        path,
        lambda file: np.savez(
            file, texts=np.frombuffer(json.dumps(texts).encode(), dtype=np.uint8), **columns
        ),
    )


def write_cache_file(path: Path, write_content: Callable[[BinaryIO], object]) -> None:
    """Write a cache file atomically, and remove the oldest files with the same extension.

    Raises IrjudgeError if the file cannot be written.
    """
    # the name is unique, since several processes may write the same file
    temporary_path = path.with_name(f"{path.stem}-{os.urandom(6).hex()}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with temporary_path.open("wb") as file:
            write_content(file)
        temporary_path.replace(path)
        _remove_oldest(path.parent, path.suffix)
    except OSError as error:
        with suppress(OSError):
            temporary_path.unlink(missing_ok=True)
        raise IrjudgeError(
            "Cannot write the index to {folder}: {error}.",
            folder=str(path.parent),
            error=error,
        ) from error


def _remove_oldest(folder: Path, suffix: str) -> None:
    """Remove all but the newest cache files, including temporary files of killed processes."""
    paths_by_time = list[tuple[float, Path]]()
    for path in (*folder.glob(f"*{suffix}"), *folder.glob("*.part")):
        with suppress(FileNotFoundError):  # another process may replace or remove the file
            paths_by_time.append((path.stat().st_mtime, path))
    for _, path in sorted(paths_by_time, reverse=True)[MAX_CACHED_FILES:]:
        path.unlink(missing_ok=True)


def load_cached_postings(path: Path) -> Postings | None:
    """Load postings from a cache file; return None if it cannot be read."""
    try:
        with path.open("rb") as stream, np.load(stream, allow_pickle=False) as file:
            texts = json.loads(file["texts"].tobytes())
            shape = len(texts["documents"]), len(texts["terms"])
            counts = scipy.sparse.csr_matrix(
                (file["data"], file["indices"], file["indptr"]), shape=shape
            )
    except (OSError, ValueError, KeyError, EOFError, BadZipFile):
        return None
    return Postings(tuple(texts["documents"]), tuple(texts["terms"]), texts["languages"], counts)
