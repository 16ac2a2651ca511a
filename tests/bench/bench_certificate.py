"""How often claims of recall hold: 1,000 stops of learning on each of three collections, once and with five looks; and the target way.

Each stop is of a topic drawn at random among those with enough relevant documents. Learning has judged what it asked for first, then a
sample of the rest is drawn and judged, and the certificate says how much was found at least. With five looks learning goes on between them
and each look has a new, larger sample; the stop is right where no look claimed too much. For the target way documents are drawn at random
until ten are relevant, and learning that was never told of them goes on until it has found all ten again.

`IRJUDGE_BENCH_STOPS` sets another number of stops, `IRJUDGE_BENCH_EVERY` takes every so many topics; `IRJUDGE_BENCH_CLUSTER` says who does
it, as `--cluster` does of commands. Each stop has a seed of its own, so that the numbers are the same.
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
from tests.bench.bench_learning import EVERY, Classic
from tests.bench.conftest import Bench

STOPS = int(os.environ.get("IRJUDGE_BENCH_STOPS", "1000"))
ENOUGH = 0.933  # of the stops: 95 % but for chance
LOOKS = 5
STOPPED_AT = {"cran": 60, "cacm": 100, "cisi": 150}  # judged before the first look
DRAWN = 100  # at the first look
GROWTH = 10  # of a batch: a tenth of what was judged


@dataclass(frozen=True)
class LearntTopic:
    """The documents of a topic in the order of learning, those it never came to last, and which are relevant."""

    order: np.ndarray
    relevant: np.ndarray  # in the same order


def learnt(collection: Classic, topic: Topic) -> LearntTopic:
    """Learn in batches that grow by a tenth until all that is relevant is found."""
    wanted = collection.wanted[topic.id]
    learner = collection.learner(topic)
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
    return LearntTopic(every, np.isin(every, [*wanted]))


def certified(
    topic: LearntTopic, random: np.random.Generator, judged: int, looks: int
) -> tuple[bool, float]:
    """Say whether every claim of a stop held, and return the last."""
    true, held, recall = int(topic.relevant.sum()), True, 0.0
    for look in range(looks):
        stop = judged + judged * look // LOOKS
        rest = topic.relevant[stop:]
        size = min(len(rest), DRAWN + DRAWN * look // LOOKS)
        drawn = int(random.permutation(rest)[:size].sum())
        found = int(topic.relevant[:stop].sum())
        recall = claim(found, len(rest), size, drawn, looks)
        held &= recall <= (found + drawn) / true + 1e-12
    return held, recall


KNOWN: dict[tuple[int, ...], float] = {}


def claim(*counts: int) -> float:
    """Return what a certificate claims; the same counts come often."""
    if counts not in KNOWN:
        KNOWN[counts] = RecallCertificate(*counts).recall
    return KNOWN[counts]


def by_target(topic: LearntTopic, random: np.random.Generator) -> tuple[bool, float]:
    """Say whether the target way reached its recall, and return it; what was drawn counts as found."""
    drawing = random.permutation(len(topic.order))
    hits = drawing[topic.relevant[drawing]][:TARGET_SAMPLE_SIZE]  # places in the order of learning
    drawn = drawing[: int(np.flatnonzero(drawing == hits[-1])[0]) + 1]
    found = (
        topic.relevant[: hits.max() + 1].sum()
        + (topic.relevant[drawn] & (drawn > hits.max())).sum()
    )
    recall = float(found / topic.relevant.sum())
    return recall >= TARGET_RECALL, recall


Way = Callable[[LearntTopic, np.random.Generator], tuple[bool, float]]


def stopped(shared: tuple[list[LearntTopic], Way], place: int) -> tuple[bool, float]:
    """Do the stop of a place, which has a seed of its own, whoever does it."""
    topics, way = shared
    random = np.random.default_rng((1, place))
    return way(topics[random.integers(len(topics))], random)


@pytest.mark.parametrize("name", STOPPED_AT)
def test_claims_hold_as_often_as_they_say(bench: Bench, data: Path, name: str) -> None:
    collection = Classic(data, name)
    with workers_at(os.environ.get("IRJUDGE_BENCH_CLUSTER")) as workers:
        topics = [*workers.map_tasks(learnt, collection, collection.topics[::EVERY], "Learning")]
        # where ten of them say something of the others
        large = [each for each in topics if each.relevant.sum() >= 2 * TARGET_SAMPLE_SIZE]
        ways: dict[str, tuple[list[LearntTopic], Way]] = {
            "certificate": (topics, partial(certified, judged=STOPPED_AT[name], looks=1)),
            f"certificate, {LOOKS} looks": (
                topics,
                partial(certified, judged=STOPPED_AT[name], looks=LOOKS),
            ),
            "target way": (large, by_target),
        }
        rows = []
        for way, (chosen, stop) in ways.items():
            stops = [
                *workers.map_tasks(
                    stopped, (chosen, stop), range(STOPS if chosen else 0), "Stopping"
                )
            ]
            recall = float(np.mean([recall for _, recall in stops] or [0]))
            rows.append((way, len(chosen), len(stops), sum(held for held, _ in stops), recall))
    bench.show(
        f"Claims of recall on {name}",
        ["way", "topics", "stops", "held", "recall claimed, of the target way reached"],
        rows,
    )
    assert all(held >= ENOUGH * count for _, _, count, held, _ in rows) and rows[0][2] == STOPS
