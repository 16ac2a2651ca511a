"""Searching the collection while judging: what fits the words, without ranks of runs and without who retrieved it."""

from irjudge.search.collection_search import rank
from irjudge.search.postings import Postings
from irjudge.search.rankers import SHIPPED
from irjudge.store.project import Project
from irjudge.store.search_index import SearchHit, hits_of

MOST = 20  # hits that are listed
BY_ID = 5  # of them documents whose id begins with what was typed


def find_documents(project: Project, postings: Postings, words: str, most: int = MOST) -> tuple[SearchHit, ...]:
    """Return the documents that fit words best by BM25, those first whose id begins with them; empty where there are no words."""
    wanted = words.strip()
    if not wanted:
        return ()
    named = project.collection.beginning(wanted, BY_ID)
    best = rank(postings, SHIPPED.parse("bm25"), postings.read(wanted), most).document.tolist()
    ids = list(dict.fromkeys([*(name for name in named if name in postings.code), *(postings.documents[code] for code in best)]))
    return hits_of(project, ids[:most], wanted)
