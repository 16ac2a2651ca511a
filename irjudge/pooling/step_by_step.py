"""Strategies that go document by document and learn from each judgment."""

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Annotated, TypeAlias

import numpy as np
import scipy

from irjudge.metrics.naming.parameters import Range
from irjudge.model.ranking import Floats
from irjudge.pooling.candidates import TopicLists
from irjudge.pooling.registry import strategy
from irjudge.stats.sampling import Chance

DECIMALS = 12  # values that differ by less are equal: sums over runs round


class Walk(ABC):
    """Goes through the n documents of one topic's rankings: `next` names one, `tell` says how it, or any other, was judged."""

    def __init__(self, lists: TopicLists) -> None:
        self._lists = lists
        self._retrieved = lists.rank > 0
        self._open = np.ones(len(lists), dtype=bool)
        self._open_in_run = self._retrieved.sum(axis=1)
        self._at = [0] * len(lists.rank)

    @property
    def judged(self) -> int:
        """How many documents are judged."""
        return int(np.count_nonzero(~self._open))

    @abstractmethod
    def next(self) -> int:
        """Return the document to judge next; there is one left."""

    def tell(self, document: int, *, relevant: bool) -> None:
        """Take a judgment, of the document that came next or of any other; one of a document that is judged changes nothing."""
        if self._open[document]:
            self._open[document] = False
            self._open_in_run -= self._retrieved[:, document]
            self._learn(document, relevant)

    @abstractmethod
    def _learn(self, document: int, relevant: bool) -> None:
        """Change what is known of the runs."""

    def _best_document(self, values: Floats) -> int:
        """Return the open document of the highest value, shape (n,); of equal ones that of the best rank, then the lowest id."""
        return int(np.argmax(np.where(self._open, np.round(values, DECIMALS), -np.inf)))

    def _best_run(self, values: Floats) -> int:
        """Return the run of the highest value, shape (S,), that has an open document; of equal ones the run given first."""
        return int(np.argmax(np.where(self._open_in_run > 0, np.round(values, DECIMALS), -np.inf)))

    def _first_open(self, run: int) -> int:
        """Return the first open document of a run that has one."""
        ranked = self._lists.ranked[run]
        while not self._open[ranked[self._at[run]]]:
            self._at[run] += 1
        return ranked[self._at[run]]


# Runs as arms: the best run's next document


Arms: TypeAlias = Callable[[Floats, Floats, int], Floats]


class RunWalk(Walk):
    """Takes the next unjudged document of the run of the highest value; of equal ones, of the run given first.

    The value, shape (S,), is made from relevant documents and judged documents of each run, shape (S,), and the number of all judged. Older
    judgments weigh `memory`: 1 as much as new ones, 0 nothing.
    """

    def __init__(self, lists: TopicLists, value: Arms, memory: float = 1.0) -> None:
        super().__init__(lists)
        self._value, self._memory = value, memory
        self._relevant, self._judged = np.zeros(len(lists.rank)), np.zeros(len(lists.rank))

    def next(self) -> int:
        """Return the next document of the best run."""
        return self._first_open(
            self._best_run(self._value(self._relevant, self._judged, self.judged))
        )

    def _learn(self, document: int, relevant: bool) -> None:
        mine = self._retrieved[:, document]
        self._relevant[mine] = self._memory * self._relevant[mine] + relevant
        self._judged[mine] = self._memory * self._judged[mine] + 1


class MoveToFront(Walk):
    """Stays with a run while its documents are relevant."""

    def __init__(self, lists: TopicLists) -> None:
        super().__init__(lists)
        self._priority = np.zeros(len(lists.rank))
        self._run = -1
        self._asked = -1

    def next(self) -> int:
        """Return the next document of the run it stays with, or of the first run of the highest priority."""
        if self._run < 0 or not self._open_in_run[self._run]:
            self._run = self._best_run(self._priority)
        self._asked = self._first_open(self._run)
        return self._asked

    def _learn(self, document: int, relevant: bool) -> None:
        if document == self._asked and not relevant:
            self._priority[self._run] -= 1
            self._run = -1


@strategy(
    "mtf",
    title="Move to front",
    formula="stay with a run while its documents are relevant",
    kind="walk",
    adaptive=True,
)
def move_to_front(lists: TopicLists, _chance: Chance) -> Walk:
    """Follow a run while it brings relevant documents, then the run that disappointed least often.

    References
    ----------
    Cormack, Palmer and Clarke (1998), Efficient construction of large test collections, SIGIR.
    """
    return MoveToFront(lists)


def _mean(relevant: Floats, judged: Floats, _total: int) -> Floats:
    return (1 + relevant) / (2 + judged)


@strategy(
    "maxmean",
    title="MaxMean",
    formula="run of the highest (1 + relevant) / (2 + judged)",
    kind="walk",
    adaptive=True,
)
def max_mean(lists: TopicLists, _chance: Chance) -> Walk:
    """Follow the run of the highest share of relevant documents so far; finds most relevant documents.

    References
    ----------
    Losada, Parapar and Barreiro (2017), Multi-armed bandits for adjudicating documents in pooling-based evaluation, IP&M.
    """
    return RunWalk(lists, _mean)


@strategy(
    "maxmean-ns",
    title="MaxMean, not stationary",
    formula="run of the highest (1 + relevant) / (2 + judged), older judgments times ρ",
    kind="walk",
    adaptive=True,
)
def max_mean_forgetting(
    lists: TopicLists, _chance: Chance, *, rho: Annotated[float, Range(0, 1)] = 0.0
) -> Walk:
    """Follow the run that brought relevant documents of late; at each new judgment of a run its older ones count `rho` times as much.

    References
    ----------
    Losada, Parapar and Barreiro (2017), Multi-armed bandits for adjudicating documents in pooling-based evaluation, IP&M.
    """
    return RunWalk(lists, _mean, rho)


@strategy(
    "thompson",
    title="Thompson sampling",
    formula="run of the highest draw from its Beta",
    kind="walk",
    adaptive=True,
    seeded=True,
)
def thompson(lists: TopicLists, chance: Chance) -> Walk:
    """Follow a run as often as it is likely to be the best.

    References
    ----------
    Losada, Parapar and Barreiro (2017), Multi-armed bandits for adjudicating documents in pooling-based evaluation, IP&M.
    """

    def draw(relevant: Floats, judged: Floats, _total: int) -> Floats:
        drawn: Floats = scipy.special.betaincinv(
            1 + relevant, 1 + judged - relevant, chance.numbers(len(judged))
        )
        return drawn

    return RunWalk(lists, draw)


@strategy(
    "ucb",
    title="UCB1-tuned",
    formula="μ + √(ln N / n · min(¼, μ(1 − μ) + √(2 ln N / n)))",
    kind="walk",
    adaptive=True,
)
def upper_confidence(lists: TopicLists, _chance: Chance) -> Walk:
    """Follow the run that may be the best, given how little is known of it; each run is tried once first.

    References
    ----------
    Auer, Cesa-Bianchi and Fischer (2002), Finite-time analysis of the multiarmed bandit problem, Machine Learning 47.
    """

    def bound(relevant: Floats, judged: Floats, total: int) -> Floats:
        times = np.maximum(judged, 1)
        mean, spread = relevant / times, math.log(max(total, 1)) / times
        upper = mean + np.sqrt(spread * np.minimum(0.25, mean * (1 - mean) + np.sqrt(2 * spread)))
        return np.where(judged > 0, upper, np.inf)

    return RunWalk(lists, bound)


@strategy(
    "greedy",
    title="ε-greedy",
    formula="any run with chance min(1, c · runs / (d² · step)), else the run of the highest (1 + relevant) / (2 + judged)",
    kind="walk",
    adaptive=True,
    seeded=True,
)
def epsilon_greedy(
    lists: TopicLists,
    chance: Chance,
    *,
    c: Annotated[float, Range(0)] = 0.01,
    d: Annotated[float, Range(0, above=True)] = 0.1,
) -> Walk:
    """Follow the run of the highest share of relevant documents, and now and then any run; less often as judging goes on.

    References
    ----------
    Auer, Cesa-Bianchi and Fischer (2002), Finite-time analysis of the multiarmed bandit problem, Machine Learning 47.
    """

    def explore(relevant: Floats, judged: Floats, total: int) -> Floats:
        anything, *values = chance.numbers(1 + len(judged))
        return (
            np.array(values)
            if anything < c * len(judged) / (d**2 * (total + 1))
            else _mean(relevant, judged, total)
        )

    return RunWalk(lists, explore)


# Runs as experts: the document that weighs most in good runs


class HedgeWalk(Walk):
    """Weighs the runs by their losses so far."""

    def __init__(self, lists: TopicLists, beta: float) -> None:
        super().__init__(lists)
        self._beta = beta
        size = len(lists)
        logs = np.log(np.arange(1, size + 1))
        tails = np.concatenate((np.cumsum(logs[::-1])[::-1], [0.0]))
        length = self._retrieved.sum(axis=1)
        lacking = tails[length] / np.maximum(size - length, 1)
        self._gain = math.log(max(size, 1)) - np.where(
            self._retrieved, np.log(np.maximum(lists.rank, 1)), lacking[:, None]
        )
        self._loss = np.zeros(len(lists.rank))

    def values(self) -> Floats:
        """Return what each document promises now, shape (n,)."""
        weight = self._beta ** (self._loss - self._loss.min())
        values: Floats = weight @ self._gain / weight.sum()
        return values

    def next(self) -> int:
        """Return the document that promises most."""
        return self._best_document(self.values())

    def _learn(self, document: int, relevant: bool) -> None:
        self._loss += (-0.5 if relevant else 0.5) * self._gain[:, document]


@strategy(
    "hedge",
    title="Hedge",
    formula="Σ weight · ln(n / rank), weight = β^loss",
    kind="walk",
    adaptive=True,
)
def hedge(
    lists: TopicLists, _chance: Chance, *, beta: Annotated[float, Range(0, 1, above=True)] = 0.1
) -> Walk:
    """Prefer what the runs rank high whose documents were relevant so far.

    References
    ----------
    Aslam, Pavlu and Savell (2003), A unified model for metasearch, pooling, and system evaluation, CIKM.
    """
    return HedgeWalk(lists, beta)


class RbpWalk(Walk):
    """Weighs the runs by what is not known of their rank-biased precision, and on wish by how good they can be."""

    def __init__(self, lists: TopicLists, p: float, *, quality: bool) -> None:
        super().__init__(lists)
        self._weight = np.where(self._retrieved, (1 - p) * p ** (lists.rank - 1.0), 0.0)
        self._residual, self._base = np.ones(len(lists.rank)), np.zeros(len(lists.rank))
        self._quality = quality

    def next(self) -> int:
        """Return the document that weighs most."""
        merit = (
            self._residual * (self._base + self._residual / 2) ** 3
            if self._quality
            else self._residual
        )
        return self._best_document(merit @ self._weight)

    def _learn(self, document: int, relevant: bool) -> None:
        self._residual -= self._weight[:, document]
        if relevant:
            self._base += self._weight[:, document]


@strategy(
    "rbp-b", title="RBP mass × residual", formula="Σ (1 − p) p^(rank − 1) · residual", kind="walk"
)
def rbp_residual(
    lists: TopicLists, _chance: Chance, *, p: Annotated[float, Range(0, 1)] = 0.8
) -> Walk:
    """Prefer documents that weigh most in runs of which least is known; judged documents count, their grades do not.

    References
    ----------
    Moffat, Webber and Zobel (2007), Strategic system comparisons via targeted relevance judgments, SIGIR.
    """
    return RbpWalk(lists, p, quality=False)


@strategy(
    "rbp-c",
    title="RBP mass × residual × quality",
    formula="Σ (1 − p) p^(rank − 1) · residual · (base + residual / 2)³",
    kind="walk",
    adaptive=True,
)
def rbp_quality(
    lists: TopicLists, _chance: Chance, *, p: Annotated[float, Range(0, 1)] = 0.8
) -> Walk:
    """Prefer documents that weigh most in runs that may be the best.

    References
    ----------
    Moffat, Webber and Zobel (2007), Strategic system comparisons via targeted relevance judgments, SIGIR.
    """
    return RbpWalk(lists, p, quality=True)
