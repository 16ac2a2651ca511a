"""Active learning: documents judged until a share of the relevant is found, compared with BM25.

The medians are over topics with at least 5 relevant documents; it fails if more are judged until 70
% are found than `MAX_JUDGED` allows. LISA, TIME and MED had no influence on the design of the
learner.

Also judging by active learning in the window on 100,000 documents: the time from the key to the
next document, and blocks of the window. The pause between keys is that of a quick reader, in which
the next document is computed; a shorter pause shows what is ready.
"""

import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from irjudge.formats import COLUMN_PARTS
from irjudge.formats.collections import read_documents, read_topics
from irjudge.formats.rankings import read_qrels
from irjudge.formats.rows import parse_columns
from irjudge.judging import LearningOptions, set_learning_options
from irjudge.judging.ledger import get_ledger
from irjudge.judging.sources import read_source
from irjudge.model import Topic
from irjudge.pooling import make_learner
from irjudge.search import RANKER_REGISTRY, Learner, make_postings, rank_documents
from irjudge.store import open_project
from tests.bench.big_project import big_project
from tests.bench.conftest import GAP_MS, Bench

SHARES = (0.5, 0.7, 0.8, 0.9)
MAX_JUDGED = {"cran": 40, "cacm": 48, "cisi": 150}  # judged until 70 % are found, median
MIN_RELEVANT = 5  # relevant documents of a topic
EVERY = int(os.environ.get("IRJUDGE_BENCH_EVERY", "1"))  # every n-th topic is used
FILES = {
    "cran": ("cran.all.1400", "cran.qry", "cran.qrels"),
    "cacm": ("cacm.all", "query.text", "qrels.text"),
    "cisi": ("CISI.ALL", "CISI.QRY", "CISI.REL"),
    "lisa": ("LISA[0-9]*", "LISA.QUE", "LISA.REL"),
    "time": ("TIME.ALL", "TIME.QUE", "TIME.REL"),
    "med": ("MED.ALL", "MED.QRY", "MED.REL"),
}


class Classic:
    """A collection with its topics that have a minimum number of relevant documents."""

    def __init__(self, data: Path, name: str, fewest: int = MIN_RELEVANT) -> None:
        documents, queries, relevance = FILES[name]
        folder = data / "classic" / name
        # its judgments count records by position
        columns = parse_columns("id=place", COLUMN_PARTS["documents"]) if name == "time" else None
        self.postings = make_postings(
            read_documents(sorted(folder.glob(documents)), warnings=[], columns=columns)
        )
        self.wanted: dict[str, set[int]] = {}  # the relevant documents of each topic
        for topic, document, grade in read_qrels(
            folder / relevance, "unjudged" if name == "cran" else None
        ).rows():
            if grade > 0 and document in self.postings.code:
                self.wanted.setdefault(topic, set()).add(self.postings.code[document])
        topics = read_topics(folder / queries, topic_ids="order" if name == "cran" else None).topics
        self.topics = tuple(
            topic for topic in topics if len(self.wanted.get(topic.id, ())) >= fewest
        )

    def make_learner(self, topic: Topic) -> Learner:
        """Return what learns for a topic."""
        return make_learner(self.postings, topic)


@pytest.mark.parametrize("name", FILES)
def test_few_documents_are_judged_until_most_relevant_ones_are_found(
    bench: Bench, data: Path, name: str
) -> None:
    collection = Classic(data, name)
    postings, wanted, topics = collection.postings, collection.wanted, collection.topics[::EVERY]
    judged, by_bm25, seconds, steps = [], [], 0.0, 0
    for topic in topics:
        relevant, begin = wanted[topic.id], time.perf_counter()
        learner, order, left = (
            collection.make_learner(topic),
            list[int](),
            shares_of(len(relevant))[-1],
        )
        while left:
            document = learner.next()
            learner.tell(document, relevant=document in relevant)
            order.append(document)
            left -= document in relevant
        seconds, steps = seconds + time.perf_counter() - begin, steps + len(order)
        judged.append(judged_until(order, relevant))
        query = postings.read("\n".join((topic.title, topic.description, topic.narrative)))
        ranking = rank_documents(
            postings, RANKER_REGISTRY.parse("bm25"), query, len(postings)
        ).document.tolist()
        by_bm25.append(
            judged_until(
                [*ranking, *(code for code in range(len(postings)) if code not in {*ranking})],
                relevant,
            )[1]
        )
    medians = np.median(judged, axis=0)
    row = (name, len(topics), *medians, np.median(by_bm25), 1000 * seconds / steps)
    columns = [
        "collection",
        "topics",
        *(f"{share:.0%}" for share in SHARES),
        "BM25's order, 70%",
        "ms a document",
    ]
    bench.show("Judged until a share of the relevant is found", columns, [row])
    assert medians[1] <= MAX_JUDGED.get(name, np.median(by_bm25))


def shares_of(relevant: int) -> list[int]:
    """Return the number of documents of each share."""
    return [int(np.ceil(share * relevant - 1e-9)) for share in SHARES]


def judged_until(order: list[int], relevant: set[int]) -> list[int]:
    """Return the number of documents of an order until each share is found."""
    relevant_counts = np.cumsum([document in relevant for document in order])
    return [int(np.searchsorted(relevant_counts, count)) + 1 for count in shares_of(len(relevant))]


DOCUMENTS, KEYS, KEY_MS = int(os.environ.get("IRJUDGE_BENCH_DOCUMENTS", "100000")), 300, 50
PAUSES = ("500", "5")  # milliseconds before a key: a quick reader, and almost none


@pytest.mark.parametrize("pause", PAUSES)
def test_the_next_document_is_shown_soon_after_a_key(
    bench: Bench, tmp_path: Path, pause: str
) -> None:
    path = Path(shutil.copy(big_project(DOCUMENTS), tmp_path / "learnt.irjudge"))
    with open_project(path) as project:
        set_learning_options(project, LearningOptions(2, KEYS))
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "IRJUDGE_BENCH_PAUSE_MS": pause}
    command = [
        sys.executable,
        Path(__file__).parent / "judge_big_project.py",
        path,
        tmp_path / "settings.ini",
        str(KEYS),
    ]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout)
    keys = np.array(result["took"]["key to next document painted"])
    gaps = np.array(result["gaps"]["keys"])
    computed = np.array(result["computed"]["keys"])
    rows = [
        (what, len(each), *np.percentile(each, (50, 99)), each.max())
        for what, each in (("key", keys), ("gap", gaps), ("own", computed))
    ]
    title = f"{KEYS} keys by learning, {DOCUMENTS:,} documents, {pause} ms before each; load {result['load'][0]:.1f}"
    bench.show(title, ["milliseconds", "n", "median", "p99", "most"], rows)
    with open_project(path, writing=False) as project:
        sources = [read_source(event) for event in get_ledger(project).judgments()]
        assert sources.count("learnt") > KEYS * 0.8
    assert computed.max() < GAP_MS, "the window's thread itself is never held up"
    assert result["load"][0] > (os.cpu_count() or 1) / 2 or np.percentile(keys, 99) < KEY_MS, (
        "on a quiet machine"
    )
