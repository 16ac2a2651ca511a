"""The pool that continuous active learning would have judged, simulated on known judgments: which documents, in which order."""

from collections.abc import Sequence

import numpy as np

from irjudge.errors import IrjudgeError
from irjudge.message import Message
from irjudge.model.arrow import places_of
from irjudge.model.pool import Pool, Undrawn
from irjudge.model.ranking import Longs
from irjudge.model.topic import Topic
from irjudge.pooling.building import Judge
from irjudge.progress import SILENT, Progress
from irjudge.search.learning import Learner
from irjudge.search.postings import Postings
from irjudge.stats.streams import SEED, Chance

LEARNING = "learning"
PURPOSE = Message("Learns from each judgment which document of the whole collection is most likely to be relevant; needs no runs.")


def learner_of(postings: Postings, topic: Topic, seed: int = SEED) -> Learner:
    """Return what learns for a topic; its title, description and narrative are the topic's words."""
    query = postings.read("\n".join((topic.title, topic.description, topic.narrative)))
    drawn = np.argsort(Chance(seed, topic.id).numbers(len(postings)), kind="stable")
    return Learner(postings, query, drawn)


def order_by_learning(learner: Learner, documents: Sequence[str], topic: str, judge: Judge, size: int) -> list[int]:
    """Return the numbers of the documents that a learner asks for, in its order, up to `size`."""
    order: list[int] = []
    while len(order) < min(size, len(documents)):
        document = learner.next()
        learner.tell(document, relevant=judge(topic, documents[document]))
        order.append(document)
    return order


def learn_pool(
    postings: Postings, topics: Sequence[Topic], judge: Judge, size: int, *, seed: int = SEED, progress: Progress = SILENT
) -> Pool:
    """Build the pool of what would have been judged.

    Parameters
    ----------
    postings
        Of the collection.
    topics
        One or more.
    judge
        Says of each document, when its turn comes, whether it is relevant.
    size
        How many documents of each topic are judged, 1 or more; all where the collection has fewer.
    seed
        For the documents that are presumed not to be relevant. The same seed gives the same pool.
    progress
        Told after each topic; may stop the work.

    Returns
    -------
    Pool
        Of strategy `learning`, without runs; within a topic in the order of judging.

    Raises
    ------
    IrjudgeError
        When there is no topic or no document.
    """
    if not topics or not len(postings):
        raise IrjudgeError(
            "Learning needs documents and topics; there are {documents} and {topics}.", documents=len(postings), topics=len(topics)
        )
    orders = [
        order_by_learning(learner_of(postings, topic, seed), postings.documents, topic.id, judge, size)
        for topic in progress.through(topics, Message("Learning"), total=len(topics), every=1)
    ]
    codes = np.array([code for order in orders for code in order], dtype=np.int64)
    starts: Longs = np.concatenate(([0], np.cumsum([len(order) for order in orders]))).astype(np.int64)
    nothing = np.empty(0, dtype=np.int32)
    return Pool(
        topics=tuple(topic.id for topic in topics),
        starts=starts,
        document=postings.ids.take(places_of(codes)),
        strategy=LEARNING,
        parameters={"size": size, "seed": seed},
        runs=(),
        contribution_starts=np.zeros(len(codes) + 1, dtype=np.int64),
        contribution_run=nothing,
        contribution_rank=nothing,
        stratum=np.zeros(len(codes), dtype=np.int32),
        probability=np.ones(len(codes)),
        undrawn=Undrawn(np.zeros(len(topics) + 1, dtype=np.int64), postings.ids[:0], nothing),
    )
