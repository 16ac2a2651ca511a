"""Coverage of recall claims: 1,000 stops of active learning on each of three collections.

Each stop is of a random topic with enough relevant documents. After active learning, a sample of
the other documents is judged, and a certificate claims a minimum recall. With five looks, learning
continues between them, and each look has a new, larger sample; a stop is correct if no look claimed
too much. With the target method, random documents are judged until ten are relevant, and learning
without them continues until it has found all ten.

`IRJUDGE_BENCH_STOPS` sets the number of stops, `IRJUDGE_BENCH_EVERY` takes every n-th topic;
`IRJUDGE_BENCH_CLUSTER` sets where to run, like `--cluster` of commands. Each stop has its own seed,
so that the numbers are the same.
"""

import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from irjudge.model import Topic
from irjudge.stats import TARGET_RECALL, TARGET_SAMPLE_SIZE, RecallCertificate, workers_at
from tests.bench.bench_active_learning import EVERY, Classic
from tests.bench.conftest import Bench

STOPS = int(os.environ.get("IRJUDGE_BENCH_STOPS", "1000"))
MIN_CORRECT = 0.933  # required share of correct stops: 95 % minus random error
LOOKS = 5
STOPPED_AT = {"cran": 60, "cacm": 100, "cisi": 150}  # judged before the first look
SAMPLE_SIZE = 100  # at the first look
GROWTH = 10  # size of a batch: a tenth of the judged documents


@dataclass(frozen=True)
class LearnedTopic:
    """A topic's documents in the order of learning, the rest last, and which are relevant."""

    order: np.ndarray
    relevant: np.ndarray  # in the same order


def learn(collection: Classic, topic: Topic) -> LearnedTopic:
    """Learn in batches that grow by a tenth until all relevant documents are found."""
    wanted = collection.wanted[topic.id]
    learner = collection.make_learner(topic)
    order = list[int]()
    left = len(collection.wanted[topic.id])
    while left:
        batch, scores = [learner.next()], learner.scores()
        if scores is not None:
            scores[[*order, batch[0]]] = -np.inf
            batch += np.argsort(-scores, kind="stable")[: len(order) // GROWTH].tolist()
        for document in batch:
            learner.tell(document, relevant=document in wanted)
        order += batch
        left -= sum(document in wanted for document in batch)
    every = np.array([*order, *sorted({*range(len(collection.postings))} - {*order})])
    return LearnedTopic(every, np.isin(every, [*wanted]))


def certify(
    topic: LearnedTopic, random: np.random.Generator, judged: int, looks: int
) -> tuple[bool, float]:
    """Return whether all claims of a stop were true, and the last claim."""
    true, held, recall = int(topic.relevant.sum()), True, 0.0
    for look in range(looks):
        stop = judged + judged * look // LOOKS
        rest = topic.relevant[stop:]
        size = min(len(rest), SAMPLE_SIZE + SAMPLE_SIZE * look // LOOKS)
        sampled_relevant = int(random.permutation(rest)[:size].sum())
        relevant_count = int(topic.relevant[:stop].sum())
        recall = claim(relevant_count, len(rest), size, sampled_relevant, looks)
        held &= recall <= (relevant_count + sampled_relevant) / true + 1e-12
    return held, recall


KNOWN: dict[tuple[int, ...], float] = {}


def claim(*counts: int) -> float:
    """Return the claim of a certificate, cached because the same counts are frequent."""
    if counts not in KNOWN:
        KNOWN[counts] = RecallCertificate(*counts).recall
    return KNOWN[counts]


def stop_by_target(topic: LearnedTopic, random: np.random.Generator) -> tuple[bool, float]:
    """Return whether the target method reached its recall, and its recall with the sample."""
    drawing = random.permutation(len(topic.order))
    # positions in the order of learning
    hits = drawing[topic.relevant[drawing]][:TARGET_SAMPLE_SIZE]
    sample = drawing[: int(np.flatnonzero(drawing == hits[-1])[0]) + 1]
    stopping_points = (
        topic.relevant[: hits.max() + 1].sum()
        + (topic.relevant[sample] & (sample > hits.max())).sum()
    )
    recall = float(stopping_points / topic.relevant.sum())
    return recall >= TARGET_RECALL, recall


Way = Callable[[LearnedTopic, np.random.Generator], tuple[bool, float]]


def run_stop(shared: tuple[list[LearnedTopic], Way], index: int) -> tuple[bool, float]:
    """Run a stop with its own seed, on any worker."""
    topics, way = shared
    random = np.random.default_rng((1, index))
    return way(topics[random.integers(len(topics))], random)


@pytest.mark.parametrize("name", STOPPED_AT)
def test_claims_are_true_as_often_as_stated(bench: Bench, data: Path, name: str) -> None:
    collection = Classic(data, name)
    with workers_at(os.environ.get("IRJUDGE_BENCH_CLUSTER")) as workers:
        topics = [*workers.map_tasks(learn, collection, collection.topics[::EVERY], "Learning")]
        # only some of the collections with ten of them
        large = [each for each in topics if each.relevant.sum() >= 2 * TARGET_SAMPLE_SIZE]
        ways: dict[str, tuple[list[LearnedTopic], Way]] = {
            "certificate": (topics, partial(certify, judged=STOPPED_AT[name], looks=1)),
            f"certificate, {LOOKS} looks": (
                topics,
                partial(certify, judged=STOPPED_AT[name], looks=LOOKS),
            ),
            "target way": (large, stop_by_target),
        }
        rows = []
        for way, (chosen, stop) in ways.items():
            stops = [
                *workers.map_tasks(
                    run_stop, (chosen, stop), range(STOPS if chosen else 0), "Stopping"
                )
            ]
            recall = float(np.mean([recall for _, recall in stops] or [0]))
            rows.append((way, len(chosen), len(stops), sum(held for held, _ in stops), recall))
    bench.show(
        f"Claims of recall on {name}",
        ["way", "topics", "stops", "held", "recall claimed, of the target way reached"],
        rows,
    )
    assert all(held >= MIN_CORRECT * count for _, _, count, held, _ in rows) and rows[0][2] == STOPS
