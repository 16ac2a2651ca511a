"""Analysis of preferences: counts, repeats, Bradley–Terry and Davidson strengths, and intervals."""

import math
from dataclasses import dataclass, replace
from statistics import NormalDist
from typing import Any, Literal

import numpy as np
import scipy

from irjudge.errors import IrjudgeError
from irjudge.message import Message, join_messages
from irjudge.model import UNSPECIFIED, Floats, Ints, Longs, Preferences
from irjudge.stats.sampling import RandomStream, Sampling

# Wins, losses and ties of compared pairs; majorities and their cycles


@dataclass(frozen=True, slots=True, eq=False)
class PairCounts:
    """Wins, losses and ties of P compared pairs of items, over all assessors.

    The items are systems, counted over all topics, or the documents of one topic. An item of a pair
    wins if it was preferred, on whichever side it was shown.
    """

    items: int  # number of items, K; some may never have been compared
    first: Longs  # code of the first item, shape (P,); pairs are sorted by first and second item
    second: Longs  # code of the second item, above that of the first, shape (P,)
    wins: Floats  # number of wins of the first item, shape (P,)
    losses: Floats  # number of wins of the second item, shape (P,)
    ties: Floats  # number of ties, shape (P,)

    def __len__(self) -> int:
        return len(self.first)

    @classmethod
    def of_matrix(cls, wins: Floats, ties: Floats | None = None) -> "PairCounts":
        """Return the counts from matrices of wins and ties, shape (K, K) each.

        `wins` contains how often the row's item beat the column's. Of `ties`, only the part above
        the diagonal is used.

        >>> PairCounts.of_matrix(np.array([[0, 3], [1, 0]])).losses
        array([1.])
        """
        wins = np.asarray(wins, dtype=np.float64)
        tied = np.zeros_like(wins) if ties is None else np.asarray(ties, dtype=np.float64)
        first_item, second_item = np.triu_indices(len(wins), 1)
        is_compared = (
            wins[first_item, second_item]
            + wins[second_item, first_item]
            + tied[first_item, second_item]
            > 0
        )
        first_item, second_item = (
            first_item[is_compared].astype(np.int64),
            second_item[is_compared].astype(np.int64),
        )
        return cls(
            len(wins),
            first_item,
            second_item,
            wins[first_item, second_item],
            wins[second_item, first_item],
            tied[first_item, second_item],
        )


def count_pairs(preferences: Preferences) -> PairCounts:
    """Count wins, losses and ties of each compared pair over all topics and assessors.

    >>> from irjudge.model import make_preferences
    >>> counts = count_pairs(make_preferences(["a", "b", "a"], ["b", "a", "b"], [1, 1, 0]))
    >>> counts.wins.tolist(), counts.losses.tolist(), counts.ties.tolist()
    ([1.0], [1.0], [1.0])
    """
    lower_item, higher_item, sign = orient_pairs(preferences)
    items = len(preferences.items)
    pair, pair_index = np.unique(lower_item * items + higher_item, return_inverse=True)
    counts = (
        np.bincount(pair_index[sign == direction], minlength=len(pair)).astype(np.float64)
        for direction in (1, -1, 0)
    )
    return PairCounts(items, pair // max(1, items), pair % max(1, items), *counts)


def orient_pairs(preferences: Preferences) -> tuple[Longs, Longs, Longs]:
    """Return the lower item code, the higher item code and the outcome of each answer.

    The outcome is 1 if the item with the lower code won, -1 if the other won, and 0 for a tie.
    """
    is_reversed = preferences.left > preferences.right
    first_item = np.minimum(preferences.left, preferences.right)
    second_item = np.maximum(preferences.left, preferences.right)
    return (
        first_item.astype(np.int64),
        second_item.astype(np.int64),
        np.where(is_reversed, -preferences.winner, preferences.winner).astype(np.int64),
    )


def sort_canonically(preferences: Preferences) -> Preferences:
    """Sort answers so that their order does not depend on the given order or on the sides."""
    first_item, second_item, sign = orient_pairs(preferences)
    return preferences.where(
        np.lexsort((sign, second_item, first_item, preferences.assessor, preferences.topic))
    )


def connected_components(counts: PairCounts) -> Longs:
    """Return the code of each item's connected component, shape (K,).

    Items are connected if they were compared, directly or through other items.
    """
    return _find_components(counts.items, counts.first, counts.second, is_strong=False)


def copeland(counts: PairCounts) -> Longs:
    """Return the Copeland score of each item, shape (K,).

    It is the number of items that the item beats by majority, minus the number that beat it.

    References
    ----------
    Copeland (1951), A reasonable social welfare function, University of Michigan.

    Examples
    --------
    >>> copeland(PairCounts.of_matrix(np.array([[0, 6, 4], [4, 0, 6], [6, 4, 0]]))).tolist()
    [0, 0, 0]
    """
    majority = np.sign(counts.wins - counts.losses)
    score = np.bincount(counts.first, majority, counts.items) - np.bincount(
        counts.second, majority, counts.items
    )
    return score.astype(np.int64)


def condorcet_winner(counts: PairCounts) -> int | None:
    """Return the code of the item that beats all others by majority; None if there is none."""
    winners = np.flatnonzero(copeland(counts) == counts.items - 1)
    return int(winners[0]) if len(winners) and counts.items > 1 else None


def shortest_cycles(counts: PairCounts) -> list[tuple[int, ...]]:
    """Return a shortest cycle of each group of items that beat each other in cycles.

    In a cycle, each item beats the next one, and the last item beats the first. An item beats
    another if it wins more of their comparisons than it loses. The groups are the strongly
    connected components with two or more items.

    >>> shortest_cycles(PairCounts.of_matrix(np.array([[0, 6, 4], [4, 0, 6], [6, 4, 0]])))
    [(0, 1, 2)]
    """
    winners, losers = _compute_majorities(counts)
    group = _find_components(counts.items, winners, losers, is_strong=True)
    is_inside = group[winners] == group[losers]
    winners, losers = winners[is_inside], losers[is_inside]
    return [
        _find_shortest_cycle(counts.items, winners, losers, np.flatnonzero(group == group_number))
        for group_number in np.unique(group[winners]).tolist()
    ]


def count_circular_triads(counts: PairCounts) -> int:
    """Return the number of circular triads: groups of three items that beat each other in a cycle.

    References
    ----------
    Kendall and Babington Smith (1940), On the method of paired comparisons, Biometrika 31.
    """
    winners, losers = _compute_majorities(counts)
    beats = _make_preference_graph(counts.items, winners, losers)
    return round(float((beats @ beats).multiply(beats.T).sum()) / 3)


def _compute_majorities(counts: PairCounts) -> tuple[Longs, Longs]:
    """Return the winner and the loser of each pair in which one item won more comparisons."""
    first_wins, second_wins = counts.wins > counts.losses, counts.wins < counts.losses
    winners = np.concatenate((counts.first[first_wins], counts.second[second_wins]))
    return winners, np.concatenate((counts.second[first_wins], counts.first[second_wins]))


def _make_preference_graph(items: int, start: Longs, end: Longs) -> Any:
    return scipy.sparse.coo_array((np.ones(len(start)), (start, end)), shape=(items, items)).tocsr()


def _find_components(items: int, start: Longs, end: Longs, *, is_strong: bool) -> Longs:
    if not items:
        return np.empty(0, dtype=np.int64)
    components = scipy.sparse.csgraph.connected_components(
        _make_preference_graph(items, start, end), directed=is_strong, connection="strong"
    )[1]
    result: Longs = components.astype(np.int64)
    return result


def _find_shortest_cycle(
    items: int, winners: Longs, losers: Longs, members: Longs
) -> tuple[int, ...]:
    graph = _make_preference_graph(items, winners, losers)
    best_cycle: tuple[int, ...] = ()
    for start in members.tolist():
        order, predecessors = scipy.sparse.csgraph.breadth_first_order(graph, start)
        last_items = set(winners[losers == start].tolist())
        path = [next(item for item in order.tolist() if item in last_items)]
        while path[-1] != start:
            path.append(int(predecessors[path[-1]]))
        if not best_cycle or len(path) < len(best_cycle):
            best_cycle = tuple(reversed(path))
        if len(best_cycle) == 3:
            break
    return best_cycle


def is_strongly_connected(counts: PairCounts) -> bool:
    """Return whether each item is connected to every other item by a path of wins and ties.

    Otherwise strengths are not finite. A win connects the winner to the loser; a tie connects two
    items in both directions.
    """
    first_beats, second_beats = counts.wins + counts.ties > 0, counts.losses + counts.ties > 0
    start = np.concatenate((counts.first[first_beats], counts.second[second_beats]))
    end = np.concatenate((counts.second[first_beats], counts.first[second_beats]))
    return bool((_find_components(counts.items, start, end, is_strong=True) == 0).all())


# Strengths: Bradley–Terry, and Davidson's model with ties

Model = Literal["bradley-terry", "davidson"]
MAX_STEPS = 200
STEP_TOLERANCE = 1e-9  # Newton's method ends if all parameters change by less
LIKELIHOOD_SLACK = 1e-13  # relative decrease of a likelihood that may be a rounding error
MAX_HALVINGS = 40


@dataclass(frozen=True, slots=True, eq=False)
class Strengths:
    """Strengths of K items, estimated from paired comparisons, with their covariance.

    They are parameters of the Bradley–Terry model or, with ties, of Davidson's model, as natural
    logarithms. Only items that are connected by comparisons can be compared.
    """

    model: Model  # model name
    # natural logarithms of the worths π, shape (K,), with mean 0 in each connected component; nan
    # for an item never compared (Bradley–Terry ignores ties). Without ties, i beats j with
    # probability π_i / (π_i + π_j).
    log_worth: Floats
    # covariance of the K log-worths and of log ν, which is last, shape (K + 1, K + 1). It assumes
    # independent comparisons unless `cluster_covariance` has replaced it.
    covariance: Floats
    # Davidson's ν, 0 if there are no ties; None for Bradley–Terry. The probability of a tie of two
    # items of equal worth is ν / (2 + ν).
    tie_parameter: float | None
    # connected component of each item, shape (K,); strengths of items in different components
    # cannot be compared
    group: Longs
    # wins added for both items of every compared pair: 0.5 if a strength or ν would be infinite,
    # otherwise 0
    added_wins: float
    log_likelihood: float  # log-likelihood of the counts without added wins

    @property
    def error(self) -> Floats:
        """Standard error of each log-worth, shape (K,), relative to the mean of its component."""
        return np.sqrt(np.maximum(np.diag(self.covariance)[:-1], 0))

    def interval(self, confidence: float = 0.95) -> tuple[Floats, Floats]:
        """Return the lower and upper ends of the Wald intervals of log-worths, shape (K,) each."""
        half_width = NormalDist().inv_cdf((1 + confidence) / 2) * self.error
        return self.log_worth - half_width, self.log_worth + half_width


def bradley_terry(counts: PairCounts) -> Strengths:
    """Return Bradley–Terry strengths, with P(i beats j) = π_i / (π_i + π_j); ties are ignored.

    Returns
    -------
    Strengths
        If an item or a set of items never lost, or never won, against the items outside it, half a
        win is added for both items of every compared pair, so that strengths are finite.

    References
    ----------
    Bradley and Terry (1952), Rank analysis of incomplete block designs, Biometrika 39. Hunter
    (2004), MM algorithms for generalized Bradley-Terry models, Annals of Statistics 32, on when the
    maximum is finite.

    Examples
    --------
    >>> strengths = bradley_terry(PairCounts.of_matrix(np.array([[0, 3], [1, 0]])))
    >>> bool(np.isclose(strengths.log_worth[0] - strengths.log_worth[1], math.log(3)))
    True
    """
    is_compared = counts.wins + counts.losses > 0
    no_ties = np.zeros(int(is_compared.sum()))
    untied_counts = PairCounts(
        counts.items,
        counts.first[is_compared],
        counts.second[is_compared],
        counts.wins[is_compared],
        counts.losses[is_compared],
        no_ties,
    )
    return replace(_fit_strengths(untied_counts), model="bradley-terry", tie_parameter=None)


def davidson(counts: PairCounts) -> Strengths:
    """Return Davidson's strengths, with P(i beats j) = π_i / (π_i + π_j + ν√(π_i π_j)), and ν.

    Parameters
    ----------
    counts
        Wins, losses and ties. Without ties ν is 0, which is Bradley-Terry.

    Returns
    -------
    Strengths
        If a strength or ν would be infinite, half a win is added for both items of every compared
        pair.

    References
    ----------
    Davidson (1970), On extending the Bradley-Terry model to accommodate ties in paired comparison experiments, JASA 65.

    Examples
    --------
    >>> strengths = davidson(PairCounts.of_matrix(np.array([[0, 30], [18, 0]]), np.array([[0, 12], [0, 0]])))
    >>> difference = float(strengths.log_worth[0] - strengths.log_worth[1])
    >>> round(difference, 6), round(strengths.tie_parameter, 6)
    (0.510826, 0.516398)
    """
    return _fit_strengths(counts)


def outcome_probabilities(strengths: Strengths, first: Longs, second: Longs) -> Floats:
    """Return the estimated probabilities of win, loss and tie of each pair, shape (3, P).

    `first` and `second`, shape (P,), are item codes. Wins are those of the first item.

    >>> counts = PairCounts.of_matrix(np.array([[0, 30], [18, 0]]), np.array([[0, 12], [0, 0]]))
    >>> outcome_probabilities(davidson(counts), np.array([0]), np.array([1])).ravel().round(4).tolist()
    [0.5, 0.3, 0.2]
    """
    first_worth, second_worth = (
        np.exp(strengths.log_worth[first] / 2),
        np.exp(strengths.log_worth[second] / 2),
    )
    odds = np.stack(
        (
            first_worth / second_worth,
            second_worth / first_worth,
            np.full(len(first_worth), strengths.tie_parameter or 0.0),
        )
    )
    result: Floats = odds / odds.sum(axis=0)
    return result


def _fit_strengths(counts: PairCounts) -> Strengths:
    group = connected_components(counts)
    added_wins = (
        0.0 if all(_has_finite_maximum(part) for part in _split_by_group(counts, group)) else 0.5
    )
    theta, information = _PreferenceLikelihood(
        replace(counts, wins=counts.wins + added_wins, losses=counts.losses + added_wins), group
    ).find_maximum()
    is_uncompared = (
        np.bincount(np.concatenate((counts.first, counts.second)), minlength=counts.items) == 0
    )
    log_worth = np.where(is_uncompared, np.nan, theta[:-1])
    covariance = _centre_covariance_matrix(_compute_pseudo_inverse(information), group)
    is_undefined = np.append(is_uncompared, False)
    covariance[is_undefined] = covariance[:, is_undefined] = np.nan
    tie_parameter = math.exp(theta[-1]) if counts.ties.any() else 0.0
    likelihood = (
        _PreferenceLikelihood(counts, group).compute_log_likelihood(theta) if len(counts) else 0.0
    )
    return Strengths(
        "davidson", log_worth, covariance, tie_parameter, group, added_wins, likelihood
    )


def _split_by_group(counts: PairCounts, group: Longs) -> list[PairCounts]:
    """Return the counts of each component, with the component's items renumbered from 0."""
    parts = []
    for group_number in np.unique(group[counts.first]).tolist():
        members = np.flatnonzero(group == group_number)
        is_inside = group[counts.first] == group_number
        first, second = (
            np.searchsorted(members, codes[is_inside]) for codes in (counts.first, counts.second)
        )
        parts.append(
            PairCounts(
                len(members),
                first,
                second,
                counts.wins[is_inside],
                counts.losses[is_inside],
                counts.ties[is_inside],
            )
        )
    return parts


def _has_finite_maximum(counts: PairCounts) -> bool:
    """Return whether finite strengths and ν maximise the likelihood of a component's counts.

    The items must be strongly connected. With ties there is a second condition: there must be no
    numbers d_i and δ > 0 such that d is at least 2δ higher for each winner than for its loser, and
    differs by at most 2δ between tied items. Otherwise the likelihood never decreases if strengths
    change in the direction of d. Such numbers exist if and only if these constraints, with δ = 1,
    have no cycle of positive length.
    """
    if not is_strongly_connected(counts):
        return False
    if not counts.ties.any():
        return True
    has_won, has_lost, has_tied = counts.wins > 0, counts.losses > 0, counts.ties > 0
    higher_items = np.concatenate(
        (
            counts.first[has_won],
            counts.second[has_lost],
            counts.first[has_tied],
            counts.second[has_tied],
        )
    )
    lower_items = np.concatenate(
        (
            counts.second[has_won],
            counts.first[has_lost],
            counts.second[has_tied],
            counts.first[has_tied],
        )
    )
    min_difference = np.concatenate(
        (np.full(int(has_won.sum() + has_lost.sum()), 2.0), np.full(2 * int(has_tied.sum()), -2.0))
    )
    height = np.zeros(counts.items)
    # Bellman–Ford algorithm: without a positive cycle, heights do not change after K rounds
    for _ in range(counts.items + 1):
        new_height = height.copy()
        np.maximum.at(new_height, higher_items, height[lower_items] + min_difference)
        if (new_height == height).all():
            return False
        height = new_height
    return True


def _compute_pseudo_inverse(information: Floats) -> Floats:
    """Return the pseudo-inverse of an information matrix.

    The matrix is singular, since a constant can be added to the log-worths of a component.
    """
    return np.linalg.pinv(information, rcond=1e-10, hermitian=True).astype(np.float64)


def _centre_covariance_matrix(covariance: Floats, group: Longs) -> Floats:
    """Return the covariance of log-worths centred in each component, and of log ν (last)."""
    is_same_group = group[:, None] == group[None, :]
    centre = np.eye(len(group) + 1)
    centre[:-1, :-1] -= is_same_group / is_same_group.sum(axis=1, keepdims=True)
    return centre @ covariance @ centre.T


class _PreferenceLikelihood:
    """Log-likelihood of pair counts, and its maximisation by Newton's method.

    The parameters θ are the K log-worths and, last, log ν. The function is concave.
    """

    def __init__(self, counts: PairCounts, group: Longs) -> None:
        self._counts, self._group = counts, group
        self._outcomes = np.stack((counts.wins, counts.losses, counts.ties))
        self._total = self._outcomes.sum(axis=0)
        self._has_ties = bool(counts.ties.any())

    def find_maximum(self) -> tuple[Floats, Floats]:
        """Return the most likely θ, and the information matrix at this θ, shape (K + 1, K + 1).

        Raises IrjudgeError if Newton's method does not converge.
        """
        theta = np.zeros(self._counts.items + 1)
        value = self.compute_log_likelihood(theta)
        for _ in range(MAX_STEPS):
            gradient, information = self._compute_slopes(theta)
            step = _compute_pseudo_inverse(information) @ gradient
            step_size = 1.0
            while (
                new_value := self.compute_log_likelihood(theta + step_size * step)
            ) < value - LIKELIHOOD_SLACK * abs(value) and step_size > 2.0**-MAX_HALVINGS:
                step_size /= 2
            theta = theta + step_size * step
            largest_step = float(np.abs(step_size * step).max())
            value = new_value
            if largest_step < STEP_TOLERANCE:
                break
        else:
            raise IrjudgeError(
                "The estimate of the strengths did not converge in {steps} steps.", steps=MAX_STEPS
            )
        theta[:-1] -= (
            np.bincount(self._group, theta[:-1]) / np.maximum(1, np.bincount(self._group))
        )[self._group]
        return theta, self._compute_slopes(theta)[1]

    def compute_log_likelihood(self, theta: Floats) -> float:
        """Return the log-likelihood of the counts for parameters θ."""
        predictor = self._compute_predictors(theta)
        max_predictor = predictor.max(axis=0, initial=-np.inf)
        with np.errstate(invalid="ignore"):
            terms = np.where(self._outcomes > 0, self._outcomes * predictor, 0.0).sum(axis=0)
        return float(
            (
                terms
                - self._total
                * (max_predictor + np.log(np.exp(predictor - max_predictor).sum(axis=0)))
            ).sum()
        )

    def _compute_predictors(self, theta: Floats) -> Floats:
        """Return the log-odds of a win, a loss and a tie of each pair, shape (3, P)."""
        first_worth, second_worth = theta[self._counts.first], theta[self._counts.second]
        return np.stack(
            (
                first_worth,
                second_worth,
                theta[-1] + (first_worth + second_worth) / 2
                if self._has_ties
                else np.full(len(first_worth), -np.inf),
            )
        )

    def _compute_slopes(self, theta: Floats) -> tuple[Floats, Floats]:
        """Return the gradient and the information matrix of the log-likelihood at `theta`."""
        predictor = self._compute_predictors(theta)
        probabilities = np.exp(predictor - predictor.max(axis=0, initial=-np.inf))
        probabilities /= probabilities.sum(axis=0)
        # derivatives of each outcome's predictor (row) with respect to both log-worths and log ν
        derivatives = np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.5, 0.5, 1.0]])
        mean = derivatives.T @ probabilities
        columns = np.stack(
            (self._counts.first, self._counts.second, np.full(len(self._total), len(theta) - 1))
        )
        gradient_terms = derivatives.T @ self._outcomes - self._total * mean
        gradient = np.bincount(columns.ravel(), gradient_terms.ravel(), len(theta)).astype(
            np.float64
        )
        information = np.zeros((len(theta), len(theta)))
        for row in range(3):
            for column in range(3):
                spread = (derivatives[:, row] * derivatives[:, column]) @ probabilities - mean[
                    row
                ] * mean[column]
                np.add.at(information, (columns[row], columns[column]), self._total * spread)
        return gradient, information


# Intervals for dependent preferences, clustered by assessor and topic

DEFAULT_PREFERENCE_SAMPLES = 2000
MAX_VALUES_PER_BLOCK = 4_000_000


@dataclass(frozen=True, slots=True, eq=False)
class NetPreference:
    """Net preference of P pairs of items, with 95 % intervals.

    The net preference is wins minus losses of the first item, divided by the number of answers.
    """

    value: Floats  # net preference, between -1 and 1, shape (P,)
    low: Floats  # lower end, shape (P,); nan for a pair that is in no bootstrap sample
    high: Floats  # upper end, shape (P,); nan for a pair that is in no bootstrap sample
    method: str  # description of the resampling


def net_preference(
    preferences: Preferences, counts: PairCounts, *, sampling: Sampling | None = None
) -> NetPreference:
    """Return the net preference of each pair, with bootstrap intervals.

    Topics and assessors are resampled independently. The weight of an answer is the number of times
    that its topic was drawn, multiplied by the number of times that its assessor was drawn. Topics
    are resampled if there are two or more, and so are assessors. If neither topics nor assessors
    can be resampled, single answers are.

    Parameters
    ----------
    sampling
        Seed and number of samples, 2,000 by default.

    References
    ----------
    Owen (2007), The pigeonhole bootstrap, Annals of Applied Statistics 1.

    Examples
    --------
    >>> from irjudge.model import make_preferences
    >>> from irjudge.stats import count_pairs
    >>> signs = [1, 1, 0, 1, -1, 1]
    >>> preferences = make_preferences(["a"] * 6, ["b"] * 6, signs, topic=list("112233"))
    >>> net = net_preference(preferences, count_pairs(preferences))
    >>> net.value.tolist(), net.low.tolist(), net.high.tolist(), net.method
    ([0.5], [0.0], [1.0], 'topics resampled 2,000 times, seed 0')
    """
    sampling = sampling or Sampling()
    samples = sampling.count(DEFAULT_PREFERENCE_SAMPLES)
    preferences = sort_canonically(preferences)
    clusters, name = _list_cluster_codes(preferences)
    method_text = Message(
        "{name} resampled {samples:,} times, seed {seed}",
        name=name,
        samples=samples,
        seed=sampling.seed,
    )
    net_preferences = (counts.wins - counts.losses) / np.maximum(
        1, counts.wins + counts.losses + counts.ties
    )
    resamples = _resample_net_preferences(preferences, counts, clusters, samples, sampling)
    low, high = np.full(len(counts), np.nan), np.full(len(counts), np.nan)
    is_sampled = ~np.isnan(resamples).all(axis=0)
    if is_sampled.any():
        low[is_sampled], high[is_sampled] = np.nanquantile(
            resamples[:, is_sampled], (0.025, 0.975), axis=0
        )
    return NetPreference(
        net_preferences,
        np.minimum(low, net_preferences),
        np.maximum(high, net_preferences),
        method_text,
    )


def _list_cluster_codes(preferences: Preferences) -> tuple[list[Ints], str]:
    """Return the cluster codes of the answers for each kind of cluster, and the kinds as text.

    Clusters are topics, if there are two or more, and assessors, if there are two or more. Without
    such clusters, each answer is a cluster. An answer with an unknown topic or assessor is a
    cluster of its own.
    """
    codes_by_kind = {
        Message("topics"): (preferences.topic, len(preferences.topics) > 1),
        Message("assessors"): (preferences.assessor, len(preferences.assessors) > 1),
    }
    clusters = {
        name: _fill_missing_clusters(code)
        for name, (code, has_several) in codes_by_kind.items()
        if has_several
    }
    if not clusters:
        clusters = {Message("answers"): np.arange(len(preferences), dtype=np.int32)}
    return list(clusters.values()), join_messages(clusters, "{first} and {second}")


def _fill_missing_clusters(code: Ints) -> Ints:
    is_missing = code == UNSPECIFIED
    return np.unique(
        np.where(is_missing, code.max(initial=0) + 1 + np.arange(len(code)), code),
        return_inverse=True,
    )[1].astype(np.int32)


def _resample_net_preferences(
    preferences: Preferences,
    counts: PairCounts,
    clusters: list[Ints],
    samples: int,
    sampling: Sampling,
) -> Floats:
    """Return the net preference of each pair in each bootstrap sample, shape (samples, P).

    The value is nan if the sample has no answer for the pair.
    """
    first_item, second_item, sign = orient_pairs(preferences)
    pair = np.searchsorted(
        counts.first * counts.items + counts.second, first_item * counts.items + second_item
    )
    order = np.argsort(pair, kind="stable")
    starts = np.searchsorted(pair[order], np.arange(len(counts)))
    clusters, sign = [code[order] for code in clusters], sign[order].astype(np.float64)
    stream = RandomStream(sampling.seed)
    resamples = np.empty((samples, len(counts)))
    rows = max(1, MAX_VALUES_PER_BLOCK // max(1, len(preferences)))
    for start in range(0, samples, rows):
        sampling.progress.step(start, samples, Message("Resampling topics and assessors"))
        batch_size = min(rows, samples - start)
        weight = np.ones((batch_size, len(preferences)))
        for code in clusters:
            weight *= _draw_counts(stream, batch_size, int(code.max(initial=-1)) + 1)[:, code]
        with np.errstate(invalid="ignore"):
            resamples[start : start + batch_size] = np.add.reduceat(
                weight * sign, starts, axis=1
            ) / np.add.reduceat(weight, starts, axis=1)
    return resamples


def _draw_counts(stream: RandomStream, rows: int, clusters: int) -> Floats:
    """Return how often each cluster was drawn in each bootstrap sample, shape (rows, clusters)."""
    sampled = stream.draw_integers(rows, clusters, clusters) + np.arange(rows)[:, None] * clusters
    return (
        np.bincount(sampled.ravel(), minlength=rows * clusters)
        .reshape(rows, clusters)
        .astype(np.float64)
    )


def cluster_covariance(strengths: Strengths, preferences: Preferences) -> Strengths:
    """Return strengths with a covariance that is robust to clustering by topic or assessor.

    Returns
    -------
    Strengths
        The same strengths with one of three covariances: for independent answers, for answers
        clustered by topic, and for answers clustered by assessor. The covariance with the largest
        sum of variances of log-worths is used. Clustering by topic is ignored if there are fewer
        than two topics, and clustering by assessor if there are fewer than two assessors.

    References
    ----------
    Liang and Zeger (1986), Longitudinal data analysis using generalized linear models, Biometrika 73: the sandwich, with G / (G - 1).
    """
    columns, scores = _compute_score_contributions(strengths, preferences)
    covariances = [strengths.covariance]
    inverse_information = np.nan_to_num(strengths.covariance)
    for code, names in (
        (preferences.topic, preferences.topics),
        (preferences.assessor, preferences.assessors),
    ):
        groups = _fill_missing_clusters(code)
        group_count = int(groups.max(initial=-1)) + 1
        if len(names) > 1 and group_count > 1:
            parameter_count = len(inverse_information)
            sums = np.bincount(
                (groups[:, None] * parameter_count + columns).ravel(),
                scores.ravel(),
                group_count * parameter_count,
            ).reshape(group_count, parameter_count)
            score_effects = inverse_information @ sums.T
            covariances.append(
                np.where(
                    np.isnan(strengths.covariance),
                    np.nan,
                    score_effects @ score_effects.T * group_count / (group_count - 1),
                )
            )
    return replace(
        strengths,
        covariance=max(
            covariances, key=lambda covariance: float(np.nan_to_num(np.diag(covariance)[:-1]).sum())
        ),
    )


def _compute_score_contributions(
    strengths: Strengths, preferences: Preferences
) -> tuple[Longs, Floats]:
    """Return the contribution of each answer to the gradient of the log-likelihood.

    An answer depends on three parameters. The first array, shape (N, 3), contains their indexes;
    the second array, shape (N, 3), contains the answer's contributions to the derivatives.
    """
    first_item, second_item, sign = orient_pairs(preferences)
    is_counted = sign != 0 if strengths.tie_parameter is None else np.ones(len(sign), dtype=bool)
    probabilities = outcome_probabilities(strengths, first_item, second_item)
    outcome = np.stack((sign > 0, sign < 0, sign == 0)).astype(np.float64)
    residual = np.where(is_counted, outcome - probabilities, 0.0)
    scores = np.stack(
        (residual[0] + residual[2] / 2, residual[1] + residual[2] / 2, residual[2]), axis=1
    )
    return np.stack(
        (first_item, second_item, np.full(len(first_item), len(strengths.log_worth))), axis=1
    ), scores


# Choices of the left item, and repeated questions


@dataclass(frozen=True, slots=True)
class RepeatCounts:
    """Counts of questions that the same assessor answered repeatedly, and of equal answers."""

    total: int  # number of repeats, each compared with the previous answer to the question
    same: int  # number of repeats with the same answer
    swapped: int  # number of repeats with swapped sides
    swapped_same: int  # number of repeats with swapped sides and the same answer
    # number of repeats with swapped sides for which the assessor chose the same side, and thus the
    # other item; a high number indicates a position bias
    followed_side: int


def count_left_choices(preferences: Preferences) -> tuple[int, int]:
    """Return how many answers prefer the left item, and how many answers are not ties.

    >>> from irjudge.model import make_preferences
    >>> count_left_choices(make_preferences(["a", "b", "a"], ["b", "a", "b"], [1, -1, 0]))
    (1, 2)
    """
    return int((preferences.winner > 0).sum()), int((preferences.winner != 0).sum())


def count_shown_left(preferences: Preferences) -> tuple[int, int]:
    """Return how often the least balanced pair was shown with its lower item code on the left.

    The second number is how often this pair was shown in total. The least balanced pair has the
    largest difference between the numbers of times that its items were on the left. This difference
    confounds position bias with preference. The result is (0, 0) if there are no answers.

    >>> from irjudge.model import make_preferences
    >>> count_shown_left(make_preferences(["a", "b", "a"], ["b", "a", "c"], [1, -1, 0]))
    (1, 1)
    """
    first_item, second_item, _ = orient_pairs(preferences)
    if not len(first_item):
        return 0, 0
    _, pair = np.unique(first_item * len(preferences.items) + second_item, return_inverse=True)
    presentations = np.bincount(pair)
    left_counts = np.bincount(pair, preferences.left < preferences.right).astype(np.int64)
    least_balanced = int(np.argmax(np.abs(2 * left_counts - presentations)))
    return int(left_counts[least_balanced]), int(presentations[least_balanced])


def self_agreement(preferences: Preferences) -> RepeatCounts:
    """Compare each answer to a repeated question with the assessor's previous answer to it.

    `preferences` are N answers in the order in which they were given. Answers by unknown assessors
    are ignored.

    >>> from irjudge.model import make_preferences
    >>> self_agreement(make_preferences(["a", "b", "a"], ["b", "a", "b"], [1, -1, -1], assessor=["x"] * 3))
    RepeatCounts(total=2, same=1, swapped=2, swapped_same=1, followed_side=1)
    """
    _, _, sign = orient_pairs(preferences)
    earlier_rows, later_rows = _find_repeats(preferences)
    is_same_answer = sign[earlier_rows] == sign[later_rows]
    is_swapped = preferences.left[earlier_rows] != preferences.left[later_rows]
    is_same_side = (
        is_swapped
        & ~is_same_answer
        & (preferences.winner[earlier_rows] == preferences.winner[later_rows])
    )
    return RepeatCounts(
        len(earlier_rows),
        int(is_same_answer.sum()),
        int(is_swapped.sum()),
        int((is_same_answer & is_swapped).sum()),
        int(is_same_side.sum()),
    )


def drop_repeats(preferences: Preferences) -> Preferences:
    """Return the preferences without an assessor's later answers to the same question.

    `preferences` are N answers in the order in which they were given. All answers by unknown
    assessors, or about unknown topics, are included.

    >>> from irjudge.model import make_preferences
    >>> repeated = make_preferences(["a", "b"], ["b", "a"], [1, 1], topic=["1", "1"], assessor=["x", "x"])
    >>> drop_repeats(repeated).winner
    array([1], dtype=int32)
    """
    _, later_rows = _find_repeats(preferences)
    is_repeat = np.zeros(len(preferences), dtype=bool)
    is_repeat[later_rows] = True
    return preferences.where(~is_repeat | (preferences.topic == UNSPECIFIED))


def _find_repeats(preferences: Preferences) -> tuple[Longs, Longs]:
    """Return the rows of the previous and of the repeated answer, for each of R repeats.

    A repeat is an answer of an assessor who answered the same question before. Both results have
    shape (R,).
    """
    known_rows = np.flatnonzero(preferences.assessor != UNSPECIFIED)
    first_item, second_item, _ = orient_pairs(preferences)
    question = np.stack((second_item, first_item, preferences.topic, preferences.assessor))[
        :, known_rows
    ]
    # lexsort is stable, so that answers to the same question remain in the order of answering
    order = np.lexsort(question)
    is_repeat = (question[:, order[1:]] == question[:, order[:-1]]).all(axis=0)
    return known_rows[order[:-1][is_repeat]], known_rows[order[1:][is_repeat]]
