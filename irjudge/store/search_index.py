"""Full-text search in the documents of a project, the postings of its rankers, and which are alike: in the user's cache, never in it."""

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
    Postings,
    body_text,
    cache_groups,
    cache_postings,
    collection_fingerprint,
    find_near_duplicates,
    load_cached_groups,
    load_cached_postings,
    make_postings,
    rank_documents,
)
from irjudge.store.presentation import select_fields, shown_field_names, summarise_fields
from irjudge.store.project import Project
from irjudge.text import SPACELESS, casefold_text, make_snippet, query_terms

MAX_LISTED = 20  # hits while somebody judges
MAX_ID_MATCHES = 5  # of them documents whose id begins with what was typed
INDEX_VERSION = 2  # of the index: another number makes it anew
MAX_UNPROMPTED_DOCUMENTS = 20_000  # documents that are indexed in a few seconds, without asking
MAX_RANKED = 10_000  # hits that are put in order by how well they fit; of more, the first are shown
MAX_SNIPPETS = (
    20  # hits that a piece of the text is shown of: finding it takes longer than finding them
)
PROGRESS_STEP = 500  # documents between two words on the progress
MAX_WORD_CHARACTERS = 64  # letters of a word: what is longer is none
WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class IndexMatches:
    """The ids of documents, best first where they are `ranked` and otherwise in the order they came; `more` says that there are others."""

    ids: tuple[str, ...]
    ranked: bool = False
    more: bool = False


@dataclass(frozen=True, slots=True)
class SearchHit:
    """A document that is listed: its id, its title or first words, and a piece of its text that says why it was found."""

    id: str
    title: str
    text: str = ""
    facts: str = ""  # the first of its fields that are shown, in a line


@dataclass(frozen=True, slots=True)
class IndexState:
    """How many documents have a text, whether their words are indexed, and whether that has to be asked for since it takes long."""

    total: int
    ready: bool
    asks: bool


@dataclass(frozen=True, slots=True)
class SearchResults:
    """The documents that are listed, whether others fit too, and how the index stood."""

    hits: tuple[SearchHit, ...]
    more: bool
    index: IndexState


class SearchIndex:
    """The words of a project's documents, in a file of the user's cache that can be made again at any time."""

    def __init__(self, project: Project, cache: Path) -> None:
        self._project = project
        name = sha256(f"{project.seed} {project.path}".encode()).hexdigest()[:32]
        self.path = cache / "search" / f"{name}.sqlite"

    def state(self) -> IndexState:
        """Return how it stands; in a large project that takes longer than a search."""
        total = self._project.collection.document_count()  # texts come and never go
        with suppress(sqlite3.Error), closing(self._open()) as index:
            ready = index.execute("SELECT form, documents FROM state").fetchone() == (
                INDEX_VERSION,
                total,
            )
            return IndexState(total, ready, total > MAX_UNPROMPTED_DOCUMENTS)
        return IndexState(total, ready=False, asks=total > MAX_UNPROMPTED_DOCUMENTS)

    def build(self, progress: Progress = SILENT) -> None:
        """Index all documents; what was there before stays until it is done, and where it is cancelled."""
        part = self.path.with_suffix(".part")
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            part.unlink(missing_ok=True)
            with closing(sqlite3.connect(part, isolation_level=None)) as index:
                self._fill(index, progress)
            part.replace(self.path)
        except (sqlite3.Error, OSError) as fault:
            _discard(part)
            raise IrjudgeError(
                "The index could not be written to {folder}: {fault}.",
                folder=str(self.path.parent),
                fault=fault,
            ) from fault
        except BaseException:
            _discard(part)
            raise

    def search(self, query: str, most: int = 100) -> IndexMatches:
        """Return the documents that have all words of a query, in their title or text; a word may go on behind its last letter."""
        wanted = to_match_expression(query)
        if not wanted:
            return IndexMatches(())
        try:
            with closing(self._open()) as index:
                hits = [
                    row[0]
                    for row in index.execute(
                        "SELECT rowid FROM words WHERE words MATCH ? LIMIT ?",
                        (wanted, MAX_RANKED + 1),
                    )
                ]
                ranked = len(hits) <= MAX_RANKED
                if ranked:
                    best = "SELECT rowid FROM words WHERE words MATCH ? ORDER BY bm25(words, 5.0, 1.0), rowid LIMIT ?"
                    codes = [row[0] for row in index.execute(best, (wanted, most))]
                else:
                    codes = hits[:most]
        except sqlite3.Error as fault:
            raise IrjudgeError(
                "The index cannot be read: {fault}. Make it again.", fault=fault
            ) from fault
        names = self._project.collection.ids_of(codes)
        return IndexMatches(
            tuple(names[code] for code in codes if code in names), ranked, len(hits) > len(codes)
        )

    def _open(self) -> sqlite3.Connection:
        return sqlite3.connect(f"{self.path.as_uri()}?mode=ro", uri=True)

    def _fill(self, index: sqlite3.Connection, progress: Progress) -> None:
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
            (code, to_index_text(document.title), to_index_text(body_text(document)))
            for code, document in self._project.collection.iter_coded_documents()
        )
        for row in progress.through(
            rows, Message("Indexing documents"), total=total, every=PROGRESS_STEP
        ):
            index.execute("INSERT INTO words (rowid, title, body) VALUES (?, ?, ?)", row)
        index.execute("INSERT INTO state VALUES (?, ?)", (INDEX_VERSION, total))
        index.execute("COMMIT")


def search_documents(
    project: Project,
    cache: Path,
    query: str = "",
    most: int = 100,
    *,
    state: IndexState | None = None,
) -> SearchResults:
    """Return the documents that fit a query: by the beginning of their id, then by their words; without an index by a part of the id.

    A state that is known need not be found out again.
    """
    index, wanted = SearchIndex(project, cache), query.strip()
    state = state or index.state()
    if wanted and state.ready:
        found = index.search(query, most)
        ids = list(dict.fromkeys([*project.collection.beginning(wanted, most // 4), *found.ids]))
        return SearchResults(make_hits(project, ids, wanted), found.more, state)
    ids = project.collection.listed(wanted, most + 1)
    return SearchResults(make_hits(project, ids[:most], ""), len(ids) > most, state)


def make_hits(project: Project, ids: Sequence[str], query: str) -> tuple[SearchHit, ...]:
    """Return documents as they are listed, each of the first with the piece of its text that fits a query best."""
    titles, terms, names = (
        project.collection.titles(ids),
        query_terms(query),
        shown_field_names(project),
    )
    pieces: dict[str, str] = {}
    for id in ids[:MAX_SNIPPETS] if terms else ():
        document = project.collection.document(id)
        pieces[id] = make_snippet(document, terms).text if document else ""
    facts = {
        id: summarise_fields(select_fields(Document(id, b"", fields=each), names))
        for id, each in project.collection.fields_of(ids).items()
    }
    return tuple(
        SearchHit(id, titles.get(id, ""), pieces.get(id, ""), facts.get(id, "")) for id in ids
    )


def _discard(part: Path) -> None:
    with suppress(OSError):
        part.unlink(missing_ok=True)


def to_index_text(text: str) -> str:
    """Return a text as it is indexed: folded, and scripts without spaces as every two letters that follow each other.

    >>> to_index_text("Green 绿茶水 tea")
    'green  绿茶 茶水 水  tea'
    """
    folded = text.lower() if text.isascii() else casefold_text(text)
    return (
        folded
        if folded.isascii()
        else SPACELESS.sub(lambda run: f" {' '.join(_character_pairs(run[0]))} ", folded)
    )


def to_match_expression(query: str) -> str:
    """Return a query as FTS5 understands it: all words, the last of which may go on; empty where there is no word.

    A run of a script without spaces is found as a whole; nothing in a query is a command.

    >>> to_match_expression('tide "moon* OR 绿茶水')
    '"tide" "moon" "or" "绿茶 茶水"'
    >>> to_match_expression("tid")
    '"tid"*'
    """
    folded, parts = casefold_text(query), list[str]()
    for word in WORD.findall(SPACELESS.sub(lambda run: f" {run[0]} ", folded)):
        if not SPACELESS.match(word):
            parts.append(f'"{word[:MAX_WORD_CHARACTERS]}"')
        elif len(word) == 1:
            parts.append(f'"{word}"*')
        else:
            parts.append('"' + " ".join(list(_character_pairs(word))[:-1]) + '"')
    if (
        parts
        and not folded[-1:].isspace()
        and not SPACELESS.match(folded[-1:])
        and len(parts[-1]) > 4
    ):
        parts[-1] = parts[-1].rstrip("*") + "*"
    return " ".join(parts)


def _character_pairs(run: str) -> Iterator[str]:
    """Yield every two letters that follow each other, then the last, so that one letter finds whatever begins with it."""
    yield from (run[place : place + 2] for place in range(len(run)))


# Postings


def postings_path(project: Project, cache: Path) -> Path:
    """Return where the postings of the documents that a project has now lie in the cache, or will."""
    return cache / "postings" / f"{collection_fingerprint(project.collection.content())}.npz"


def project_postings(project: Project, cache: Path, progress: Progress = SILENT) -> Postings:
    """Return the postings of all documents of a project that have a text, made where the cache has none of just these."""
    path = postings_path(project, cache)
    found = load_cached_postings(path)
    if found is None:
        every = (document for _, document in project.collection.iter_coded_documents())
        found = make_postings(every, total=project.collection.document_count(), progress=progress)
        cache_postings(found, path)
    return found


# Documents that are alike


def project_near_duplicates(
    project: Project, cache: Path, overlap: float = DEFAULT_OVERLAP, progress: Progress = SILENT
) -> NearDuplicateGroups:
    """Return which documents of a project that have a text are nearly the same, found where the cache has no groups of just these."""
    path = (
        cache / "alike" / f"{collection_fingerprint(project.collection.content())}-{overlap:g}.json"
    )
    found = load_cached_groups(path)
    if found is None:
        found = find_near_duplicates(
            lambda: (document for _, document in project.collection.iter_coded_documents()),
            overlap=overlap,
            total=project.collection.document_count(),
            progress=progress,
        )
        cache_groups(found, path)
    return found


def find_documents(
    project: Project, postings: Postings, words: str, most: int = MAX_LISTED
) -> tuple[SearchHit, ...]:
    """Return the documents that fit words best by BM25, those first whose id begins with them; empty where there are no words."""
    wanted = words.strip()
    if not wanted:
        return ()
    named = project.collection.beginning(wanted, MAX_ID_MATCHES)
    best = rank_documents(
        postings, RANKER_REGISTRY.parse("bm25"), postings.read(wanted), most
    ).document.tolist()
    ids = list(
        dict.fromkeys(
            [
                *(name for name in named if name in postings.code),
                *(postings.documents[code] for code in best),
            ]
        )
    )
    return make_hits(project, ids[:most], wanted)
