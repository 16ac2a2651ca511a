"""Search in a project: full-text index, postings and near-duplicates, stored in a cache."""

import re
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from irjudge.errors import IrjudgeError
from irjudge.message import Message
from irjudge.model import Document
from irjudge.progress import SILENT, Progress
from irjudge.search import (
    DEFAULT_OVERLAP,
    RANKER_REGISTRY,
    NearDuplicateGroups,
    OverlapMeter,
    Postings,
    cache_groups,
    cache_postings,
    compute_collection_fingerprint,
    extract_body_text,
    find_near_duplicates,
    load_cached_groups,
    load_cached_postings,
    make_postings,
    rank_documents,
)
from irjudge.store.presentation import select_fields, shown_field_names, summarise_fields
from irjudge.store.project import Project
from irjudge.text import SPACELESS_TEXT, casefold_text, make_snippet, query_terms

MAX_LISTED_RESULTS = 20  # maximum number of results listed during judging
MAX_ID_MATCHES = 5  # maximum number of results whose id begins with the query
INDEX_VERSION = 2  # version of the index; an index of another version is rebuilt
# maximum number of documents that are indexed without asking the user; indexing them takes a few
# seconds
MAX_DOCUMENTS_INDEXED_UNASKED = 20_000
# maximum number of matching documents that are ranked; if there are more, results are listed in
# import order
MAX_RANKED_DOCUMENTS = 10_000
MAX_SNIPPETS = 20  # maximum number of results with a snippet, since making snippets is slow
PROGRESS_STEP = 500  # number of documents between two progress reports
WORD_PATTERN = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class IndexMatches:
    """Result of a search in the index: ids of matching documents.

    The ids are ordered by relevance if `is_ranked`, otherwise by import. `has_more` is true if
    further documents match.
    """

    ids: tuple[str, ...]
    is_ranked: bool = False
    has_more: bool = False


@dataclass(frozen=True, slots=True)
class SearchHit:
    """Document in a list of search results, with texts for the list.

    Only the first results of a search for words have a snippet.
    """

    id: str
    # title of the document or, without a title, its first words; empty if there are none
    title: str
    text: str = ""  # snippet
    metadata: str = ""  # summary of the shown fields


@dataclass(frozen=True, slots=True)
class IndexState:
    """State of a search index: number of the project's documents, and whether all are indexed.

    `needs_consent` states whether the collection is so large that the user must be asked before an
    index is built; it does not depend on `is_ready`.
    """

    total: int
    is_ready: bool
    needs_consent: bool


@dataclass(frozen=True, slots=True)
class SearchResults:
    """Results of a search in a project's documents: listed documents, and state of the index.

    The documents contain the words of the query, or their id begins with it. If not all documents
    are indexed, the id contains the query. An empty query matches every document.
    `has_more` states whether further documents match.
    """

    hits: tuple[SearchHit, ...]
    has_more: bool
    index: IndexState


class SearchIndex:
    """Full-text index of a project's documents, a file in the user's cache.

    Creating the object builds nothing: `build` indexes all documents, and must be called again
    after documents have been added to the project; the index is then built from scratch.
    """

    def __init__(self, project: Project, cache: Path) -> None:
        self._project = project
        name = sha256(f"{project.seed} {project.path}".encode()).hexdigest()[:32]
        self.path = cache / "search" / f"{name}.sqlite"

    def state(self) -> IndexState:
        """Return the state of the index; in a large project, this takes longer than a search."""
        # Texts are never removed. Therefore the index is complete if it was built from the current
        # number of texts.
        total = self._project.collection.document_count()
        with suppress(sqlite3.Error), closing(self._open()) as index:
            is_ready = index.execute("SELECT form, documents FROM state").fetchone() == (
                INDEX_VERSION,
                total,
            )
            return IndexState(total, is_ready, total > MAX_DOCUMENTS_INDEXED_UNASKED)
        return IndexState(
            total, is_ready=False, needs_consent=total > MAX_DOCUMENTS_INDEXED_UNASKED
        )

    def build(self, progress: Progress = SILENT) -> None:
        """Index all documents; replace the old index when the new index is complete."""
        temporary_path = self.path.with_suffix(".part")
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            temporary_path.unlink(missing_ok=True)
            with closing(sqlite3.connect(temporary_path, isolation_level=None)) as index:
                self._index_documents(index, progress)
            temporary_path.replace(self.path)
        except (sqlite3.Error, OSError) as error:
            _delete_temporary(temporary_path)
            raise IrjudgeError(
                "Cannot write the index to {folder}: {error}.",
                folder=str(self.path.parent),
                error=error,
            ) from error
        except BaseException:
            _delete_temporary(temporary_path)
            raise

    def search(self, query: str, limit: int = 100) -> IndexMatches:
        """Return documents with all words of a query; the last word may be a prefix."""
        expression = to_match_expression(query)
        if not expression:
            return IndexMatches(())
        try:
            with closing(self._open()) as index:
                hits = [
                    row[0]
                    for row in index.execute(
                        "SELECT rowid FROM words WHERE words MATCH ? LIMIT ?",
                        (expression, MAX_RANKED_DOCUMENTS + 1),
                    )
                ]
                is_ranked = len(hits) <= MAX_RANKED_DOCUMENTS
                if is_ranked:
                    best_query = "SELECT rowid FROM words WHERE words MATCH ? ORDER BY bm25(words, 5.0, 1.0), rowid LIMIT ?"
                    codes = [row[0] for row in index.execute(best_query, (expression, limit))]
                else:
                    codes = hits[:limit]
        except sqlite3.Error as error:
            raise IrjudgeError(
                "Cannot read the index: {error}. Rebuild the index.", error=error
            ) from error
        names = self._project.collection.ids_of(codes)
        return IndexMatches(
            tuple(names[code] for code in codes if code in names), is_ranked, len(hits) > len(codes)
        )

    def _open(self) -> sqlite3.Connection:
        return sqlite3.connect(f"{self.path.as_uri()}?mode=ro", uri=True)

    def _index_documents(self, index: sqlite3.Connection, progress: Progress) -> None:
        for pragma in (
            "journal_mode = OFF",
            "synchronous = OFF",
            "page_size = 8192",
            "cache_size = -65536",
        ):
            index.execute(f"PRAGMA {pragma}")
        index.execute(
            "CREATE VIRTUAL TABLE words USING fts5 (title, body, content = '', tokenize = \"unicode61 remove_diacritics 2\")"
        )
        index.execute("CREATE TABLE state (form INTEGER, documents INTEGER)")
        index.execute("INSERT INTO words (words, rank) VALUES ('pgsz', 8000)")
        total = self._project.collection.document_count()
        index.execute("BEGIN")
        rows = (
            (code, to_index_text(document.title), to_index_text(extract_body_text(document)))
            for code, document in self._project.collection.iter_coded_documents()
        )
        for row in progress.track(
            rows, Message("Indexing documents"), total=total, every=PROGRESS_STEP
        ):
            index.execute("INSERT INTO words (rowid, title, body) VALUES (?, ?, ?)", row)
        index.execute("INSERT INTO state VALUES (?, ?)", (INDEX_VERSION, total))
        index.execute("COMMIT")


def search_documents(
    project: Project,
    cache: Path,
    query: str = "",
    limit: int = 100,
    *,
    state: IndexState | None = None,
) -> SearchResults:
    """Return documents whose id begins with the query or whose text matches its words.

    If there is no index, return the documents whose id contains the query. `state` is the state of
    the index, if it is already known.
    """
    index, stripped_query = SearchIndex(project, cache), query.strip()
    state = state or index.state()
    if stripped_query and state.is_ready:
        match = index.search(query, limit)
        ids_with_prefix = project.collection.ids_with_prefix(stripped_query, limit + 1)
        ids = [*dict.fromkeys([*ids_with_prefix[: limit // 4], *match.ids, *ids_with_prefix])]
        hits = make_hits(project, ids[:limit], stripped_query)
        return SearchResults(hits, match.has_more or len(ids) > limit, state)
    ids = project.collection.list_ids(stripped_query, limit + 1)
    return SearchResults(make_hits(project, ids[:limit], ""), len(ids) > limit, state)


def make_hits(project: Project, ids: Sequence[str], query: str) -> tuple[SearchHit, ...]:
    """Return documents as search results.

    The first `MAX_SNIPPETS` results have a snippet that matches the query.
    """
    titles = project.collection.titles(ids)
    terms = query_terms(query)
    names = shown_field_names(project)
    snippets: dict[str, str] = {}
    for id in ids[:MAX_SNIPPETS] if terms else ():
        document = project.collection.document(id)
        snippets[id] = make_snippet(document, terms).text if document else ""
    summaries = {
        id: summarise_fields(select_fields(Document(id, b"", fields=fields), names))
        for id, fields in project.collection.fields_of(ids).items()
    }
    return tuple(
        SearchHit(id, titles.get(id, ""), snippets.get(id, ""), summaries.get(id, "")) for id in ids
    )


def _delete_temporary(temporary_path: Path) -> None:
    with suppress(OSError):
        temporary_path.unlink(missing_ok=True)


def to_index_text(text: str) -> str:
    """Prepare a text for indexing: case-folded, with character bigrams for scripts without spaces.

    >>> to_index_text("Green 绿茶水 tea")
    'green  绿茶 茶水 水  tea'
    """
    folded_text = text.lower() if text.isascii() else casefold_text(text)
    return (
        folded_text
        if folded_text.isascii()
        else SPACELESS_TEXT.sub(lambda run: f" {' '.join(_iter_bigrams(run[0]))} ", folded_text)
    )


def to_match_expression(query: str) -> str:
    """Convert a query to an FTS5 expression; empty if the query has no words.

    All words must match; the last word may be a prefix. Text in scripts without spaces is searched
    as phrases. Operators in a query are treated as ordinary words.

    >>> to_match_expression('tide "moon* OR 绿茶水')
    '"tide" "moon" "or" "绿茶 茶水"'
    >>> to_match_expression("tid")
    '"tid"*'
    """
    folded_query, parts = casefold_text(query), list[str]()
    for word in WORD_PATTERN.findall(SPACELESS_TEXT.sub(lambda run: f" {run[0]} ", folded_query)):
        if not SPACELESS_TEXT.match(word):
            parts.append(f'"{word}"')
        elif len(word) == 1:
            parts.append(f'"{word}"*')
        else:
            parts.append('"' + " ".join(list(_iter_bigrams(word))[:-1]) + '"')
    if (
        parts
        and not folded_query[-1:].isspace()
        and not SPACELESS_TEXT.match(folded_query[-1:])
        and len(parts[-1]) > 4
    ):
        parts[-1] = parts[-1].rstrip("*") + "*"
    return " ".join(parts)


def _iter_bigrams(text: str) -> Iterator[str]:
    """Yield the character bigrams of a text, then the last character of the text."""
    yield from (text[index : index + 2] for index in range(len(text)))


# Postings


def postings_path(project: Project, cache: Path) -> Path:
    """Return the path at which the postings of a project's current documents are cached."""
    return (
        cache / "postings" / f"{compute_collection_fingerprint(project.collection.content())}.npz"
    )


def project_postings(project: Project, cache: Path, progress: Progress = SILENT) -> Postings:
    """Return the postings of all documents with a text; read them from the cache if possible."""
    path = postings_path(project, cache)
    postings = load_cached_postings(path)
    if postings is None:
        all_documents = (document for _, document in project.collection.iter_coded_documents())
        postings = make_postings(
            all_documents, total=project.collection.document_count(), progress=progress
        )
        cache_postings(postings, path)
    return postings


# Near-duplicates


def project_near_duplicates(
    project: Project, cache: Path, overlap: float = DEFAULT_OVERLAP, progress: Progress = SILENT
) -> NearDuplicateGroups:
    """Return the groups of near-duplicates among the documents with a text.

    They are read from the cache if possible.
    """
    path = (
        cache
        / "alike"
        / f"{compute_collection_fingerprint(project.collection.content())}-{overlap:g}.json"
    )
    groups = load_cached_groups(path)
    if groups is None:
        groups = find_near_duplicates(
            lambda: (document for _, document in project.collection.iter_coded_documents()),
            overlap=overlap,
            total=project.collection.document_count(),
            progress=progress,
        )
        cache_groups(groups, path)
    return groups


def measure_overlaps(
    project: Project, pairs: Sequence[tuple[str, str]], progress: Progress = SILENT
) -> list[float]:
    """Return the shingle overlap of each pair of documents; 0 if a document has no text."""
    collection = project.collection
    meter = OverlapMeter(lambda id: collection.document(id) or Document(id, b""))
    tracked_pairs = progress.track(
        pairs, Message("Comparing documents"), total=len(pairs), every=PROGRESS_STEP
    )
    return [meter.measure(*pair) for pair in tracked_pairs]


def find_document_ids(
    project: Project, postings: Postings, query: str, limit: int = MAX_LISTED_RESULTS
) -> list[str]:
    """Return ids that begin with the query, then the ids of the best documents by BM25."""
    stripped_query = query.strip()
    if not stripped_query:
        return []
    matching_ids = project.collection.ids_with_prefix(stripped_query, MAX_ID_MATCHES)
    best_documents = rank_documents(
        postings, RANKER_REGISTRY.parse("bm25"), postings.read(stripped_query), limit
    ).document.tolist()
    indexed_ids = (name for name in matching_ids if name in postings.code)
    return [*dict.fromkeys((*indexed_ids, *(postings.documents[code] for code in best_documents)))][
        :limit
    ]


def find_documents(
    project: Project, postings: Postings, query: str, limit: int = MAX_LISTED_RESULTS
) -> tuple[SearchHit, ...]:
    """Return the documents of `find_document_ids` as search results with titles and snippets."""
    return make_hits(project, find_document_ids(project, postings, query, limit), query)
