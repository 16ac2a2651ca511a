"""Strategies that draw documents by known chances, so that the values of runs can be estimated."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, TypeAlias

import numpy as np

from irjudge.errors import IrjudgeError
from irjudge.metrics.naming.parameters import Range
from irjudge.model.ranking import Floats, Longs
from irjudge.pooling.candidates import TopicLists
from irjudge.pooling.registry import strategy
from irjudge.stats.sampling import Chance

Relevant: TypeAlias = Callable[[int], bool]


@dataclass(frozen=True, slots=True, eq=False)
class Draw:
    """What was drawn for one topic."""

    order: list[int]  # the documents drawn, by code, in pool order
    stratum: Longs  # shape (n,): that of each document, drawn or not
    probability: Floats  # shape (n,): how likely each was to be drawn, in [0, 1]; more than 0 for those that were


Share = Annotated[float, Range(0, 1, above=True)]


@strategy(
    "sample",
    title="Random sample",
    formula="each document with the same probability",
    kind="sample",
    seeded=True,
)
def uniform(
    lists: TopicLists, chance: Chance, size: int | None, _relevant: Relevant, *, share: Share = 0.2
) -> Draw:
    """Draw a share of what the runs retrieved; orders runs best for its cost, by infAP, and finds the fewest relevant documents.

    References
    ----------
    Yilmaz and Aslam (2006), Estimating average precision with incomplete and imperfect judgments, CIKM, 102–111.
    """
    return _drawn(np.zeros(len(lists), dtype=np.int64), (share,), size, chance)


@strategy(
    "stratified",
    title="Stratified sample",
    formula="a share of each stratum; strata end at the ranks `edges`, by the lowest rank in any run",
    kind="sample",
    seeded=True,
)
def stratified(
    lists: TopicLists,
    chance: Chance,
    size: int | None,
    _relevant: Relevant,
    *,
    edges: Annotated[tuple[float, ...], Range(1)] = (10.0,),
    rates: Annotated[tuple[float, ...], Range(0, 1, above=True)] = (1.0, 0.2),
) -> Draw:
    """Judge the top of the runs whole and a sample of the rest, for estimates by xinfAP; with a size, the sample is what is left of it.

    References
    ----------
    Yilmaz, Kanoulas and Aslam (2008), A simple and efficient sampling method for estimating AP and NDCG, SIGIR, 603–610.
    """
    if len(rates) != len(edges) + 1 or list(edges) != sorted(set(edges)):
        raise IrjudgeError(
            "Strata that end at {edges} rising ranks need {needed} rates, got {rates}.",
            key="wrong-number-of-rates",
            edges=len(edges),
            needed=len(edges) + 1,
            rates=len(rates),
        )
    best = np.where(lists.rank > 0, lists.rank, np.iinfo(np.int32).max).min(axis=0)
    return _drawn(np.searchsorted(edges, best), rates, size, chance)


def _drawn(stratum: Longs, rates: tuple[float, ...], size: int | None, chance: Chance) -> Draw:
    """Draw from each stratum, without replacement, as many as its rate says."""
    there = np.bincount(stratum, minlength=len(rates))
    counts = (
        shares(there, np.array(rates)) if size is None else allotted(there, np.array(rates), size)
    )
    numbers = chance.numbers(len(stratum))
    order: list[int] = []
    for number, count in enumerate(counts.tolist()):
        mine = np.flatnonzero(stratum == number)
        order += mine[np.argsort(numbers[mine])][:count].tolist()
    return Draw(order, stratum, (counts / np.maximum(there, 1))[stratum])


def shares(there: Longs, rates: Floats) -> Longs:
    """Return how many to draw of each stratum by its rate, rounded; at least one of a stratum that has any.

    >>> shares(np.array([4, 10, 2, 0]), np.array([1, 0.25, 0.1, 0.5])).tolist()
    [4, 3, 1, 0]
    """
    return np.minimum(there, np.maximum(1, np.floor(there * rates + 0.5))).astype(np.int64)


def allotted(there: Longs, rates: Floats, size: int) -> Longs:
    """Return how many to draw of each stratum so that they make up `size`.

    Strata of rate 1 are taken whole where the size holds them; the others share what is left by rate times documents. Where the size
    holds less than that, all strata share it. A stratum that has any gives one at least, as long as there are as many.

    >>> allotted(np.array([4, 10, 20]), np.array([1, 0.5, 0.25]), 10).tolist()
    [4, 3, 3]
    >>> allotted(np.array([4, 10, 20]), np.array([1, 0.5, 0.25]), 100).tolist()
    [4, 10, 20]
    """
    size = min(size, int(there.sum()))
    whole = (rates >= 1) & (there > 0)
    others = int(np.count_nonzero(there[~whole]))
    fixed = (
        np.where(whole, there, 0) if there[whole].sum() + others <= size else np.zeros_like(there)
    )
    free = (there > 0) & (fixed == 0)
    counts = fixed + np.where(free, 1, 0) if size >= fixed.sum() + free.sum() else fixed.copy()
    weight = np.where(free, there * rates, 0.0)
    while counts.sum() < size:  # one by one: to the stratum that is furthest behind its share
        open_ = free & (counts < there)
        counts[np.argmax(np.where(open_, weight / (counts + 0.5), -1))] += 1
    return counts


@strategy(
    "active",
    title="Active sampling",
    formula="rank with chance ln(Z / rank) from runs weighted by the average precision seen in them, with replacement",
    kind="sample",
    adaptive=True,
    seeded=True,
    needs=("size",),
)
def active(
    lists: TopicLists,
    chance: Chance,
    size: int,
    relevant: Relevant,
    *,
    batch: Annotated[int, Range(1)] = 5,
) -> Draw:
    """Draw more from runs whose documents were relevant, with known probabilities, for estimates by Horvitz and Thompson.

    Notes
    -----
    Z is one more than the longest ranking, and each run keeps some weight, so that each document can be drawn. The weights of the runs
    change after each `batch` draws. A relevant document makes its own runs, and so itself, more likely to be drawn again; its probability
    is that which it would have without this. What was really likely would give estimates that are too low.

    References
    ----------
    Li and Kanoulas (2017), Active sampling for large-scale information retrieval evaluation, CIKM.
    """
    count = len(lists)
    if size >= count:
        return Draw(list(range(count)), np.zeros(count, dtype=np.int64), np.ones(count))
    prior, worth = _priors(lists)
    start = np.where(prior.any(axis=1), worth.mean(), 0.0)
    seen: dict[int, bool] = {}
    never = np.zeros(count)
    while len(seen) < size:
        found = [document for document, good in seen.items() if good]
        merit = start + worth[:, found].sum(axis=1)
        chances = merit @ prior / merit.sum()
        drawn = np.searchsorted(
            np.cumsum(chances), chance.numbers(max(batch, len(seen) // 10)) * chances.sum()
        ).tolist()
        times = _draws_until(drawn, seen, size)
        for document in dict.fromkeys(drawn[:times]):
            if document not in seen:
                seen[document] = relevant(document)
        others = merit[:, None] - worth[:, found]
        chances[found] = (others * prior[:, found]).sum(axis=0) / others.sum(axis=0)
        never += times * np.log1p(-np.minimum(chances, 1 - 2**-52))
    return Draw(list(seen), np.zeros(count, dtype=np.int64), -np.expm1(never))


def _draws_until(drawn: list[int], seen: dict[int, bool], size: int) -> int:
    """Return how many draws it takes until `size` different documents are seen; all of them where it takes more."""
    fresh: set[int] = set()
    for times, document in enumerate(drawn, 1):
        if document not in seen:
            fresh.add(document)
        if len(seen) + len(fresh) == size:
            return times
    return len(drawn)


def _priors(lists: TopicLists) -> tuple[Floats, Floats]:
    """Return each run's chance to draw each document, and what a relevant one there says for the run: shapes (S, n)."""
    longest = int(lists.rank.max(initial=0))
    ranks = np.arange(1, longest + 1)
    chance = np.concatenate(([0.0], np.log((longest + 1) / ranks)))[lists.rank]
    worth = np.concatenate(([0.0], np.cumsum(1 / ranks[::-1])[::-1]))[lists.rank]
    return chance / np.maximum(chance.sum(axis=1, keepdims=True), 1e-300), worth
