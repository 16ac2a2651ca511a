"""Intervals for preferences that are not independent: one assessor gives many, and so does one topic."""

from dataclasses import dataclass, replace

import numpy as np

from irjudge.message import Message
from irjudge.model.preference import NOT_SAID, Preferences
from irjudge.model.ranking import Ints
from irjudge.stats.preferences.bradley_terry import Strengths, chances
from irjudge.stats.preferences.counts import PairCounts, in_one_order, oriented
from irjudge.stats.rankings import Floats, Longs
from irjudge.stats.sampling import Sampling
from irjudge.stats.seeded_random import Stream

SAMPLES = 2000
AT_ONCE = 4_000_000


@dataclass(frozen=True, slots=True, eq=False)
class NetPreference:
    """Wins less losses, over all answers, of P pairs, with its 95 % interval."""

    value: Floats  # shape (P,): between -1 and 1
    # shape (P,): NaN where there are fewer than two clusters of any kind
    low: Floats
    high: Floats
    how: str  # in words: what was drawn, and how often


def net_preference(
    preferences: Preferences, counts: PairCounts, *, sampling: Sampling | None = None
) -> NetPreference:
    """Return the net preference of each pair, its interval by drawing topics and assessors again.

    Topics and assessors are drawn with replacement, independently of each other; an answer counts as often as its topic was drawn times
    its assessor was. Where only one of them is known, or there is only one, the other alone is drawn; without either, single answers.

    Parameters
    ----------
    sampling
        Seed and number of samples, 2,000 where nothing else is said.

    References
    ----------
    Owen (2007), The pigeonhole bootstrap, Annals of Applied Statistics 1.

    Examples
    --------
    >>> from irjudge.model.preference import make_preferences
    >>> from irjudge.stats.preferences.counts import count_pairs
    >>> found = make_preferences(["a"] * 6, ["b"] * 6, [1, 1, 0, 1, -1, 1], topic=list("112233"))
    >>> net = net_preference(found, count_pairs(found))
    >>> net.value.tolist(), net.low.tolist(), net.high.tolist(), net.how
    ([0.5], [0.0], [1.0], 'topics drawn again 2,000 times, seed 0')
    """
    sampling = sampling or Sampling()
    samples = sampling.count(SAMPLES)
    preferences = in_one_order(preferences)
    clusters, name = _clusters(preferences)
    how = Message(
        "{name} drawn again {samples:,} times, seed {seed}",
        name=name,
        samples=samples,
        seed=sampling.seed,
    )
    value = (counts.wins - counts.losses) / np.maximum(1, counts.wins + counts.losses + counts.ties)
    drawn = _drawn(preferences, counts, clusters, samples, sampling)
    low, high = np.full(len(counts), np.nan), np.full(len(counts), np.nan)
    held = ~np.isnan(drawn).all(axis=0)
    if held.any():
        low[held], high[held] = np.nanquantile(drawn[:, held], (0.025, 0.975), axis=0)
    return NetPreference(value, np.minimum(low, value), np.maximum(high, value), how)


def _clusters(preferences: Preferences) -> tuple[list[Ints], str]:
    """Return the codes of what is drawn, shape (N,) each, and its name; an answer whose cluster is not said is one of its own."""
    known = {
        "topics": (preferences.topic, len(preferences.topics) > 1),
        "assessors": (preferences.assessor, len(preferences.assessors) > 1),
    }
    chosen = {name: _alone_where_unsaid(code) for name, (code, several) in known.items() if several}
    if not chosen:
        chosen = {"answers": np.arange(len(preferences), dtype=np.int32)}
    return list(chosen.values()), " and ".join(chosen)


def _alone_where_unsaid(code: Ints) -> Ints:
    unsaid = code == NOT_SAID
    result: Ints = np.unique(
        np.where(unsaid, code.max(initial=0) + 1 + np.arange(len(code)), code), return_inverse=True
    )[1].astype(np.int32)
    return result


def _drawn(
    preferences: Preferences,
    counts: PairCounts,
    clusters: list[Ints],
    samples: int,
    sampling: Sampling,
) -> Floats:
    """Return the net preference of each pair in each sample, shape (samples, P); NaN where a pair was not drawn at all."""
    one, two, sign = oriented(preferences)
    pair = np.searchsorted(counts.first * counts.items + counts.second, one * counts.items + two)
    order = np.argsort(pair, kind="stable")
    begins = np.searchsorted(pair[order], np.arange(len(counts)))
    clusters, sign = [code[order] for code in clusters], sign[order].astype(np.float64)
    stream = Stream(sampling.seed)
    found = np.empty((samples, len(counts)))
    rows = max(1, AT_ONCE // max(1, len(preferences)))
    for begin in range(0, samples, rows):
        sampling.progress.step(begin, samples, Message("Drawing topics and assessors"))
        size = min(rows, samples - begin)
        weight = np.ones((size, len(preferences)))
        for code in clusters:
            weight *= _times(stream, size, int(code.max(initial=-1)) + 1)[:, code]
        with np.errstate(invalid="ignore"):
            found[begin : begin + size] = np.add.reduceat(
                weight * sign, begins, axis=1
            ) / np.add.reduceat(weight, begins, axis=1)
    return found


def _times(stream: Stream, rows: int, clusters: int) -> Floats:
    """Return how often each cluster is drawn, shape (rows, clusters)."""
    drawn = stream.draws(rows, clusters, clusters) + np.arange(rows)[:, None] * clusters
    return (
        np.bincount(drawn.ravel(), minlength=rows * clusters)
        .reshape(rows, clusters)
        .astype(np.float64)
    )


def clustered(strengths: Strengths, preferences: Preferences) -> Strengths:
    """Return strengths, fitted to these answers, with the covariance widened where those of one topic, or of one assessor, go together.

    Returns
    -------
    Strengths
        The widest of three covariances, by the sum of the variances: as if all were independent, by topics, by assessors. A kind of
        cluster with fewer than two says nothing.

    References
    ----------
    Liang and Zeger (1986), Longitudinal data analysis using generalized linear models, Biometrika 73: the sandwich, with G / (G - 1).
    """
    places, scores = _scores(strengths, preferences)
    covariances = [strengths.covariance]
    bread = np.nan_to_num(strengths.covariance)
    for code, names in (
        (preferences.topic, preferences.topics),
        (preferences.assessor, preferences.assessors),
    ):
        groups = _alone_where_unsaid(code)
        number = int(groups.max(initial=-1)) + 1
        if len(names) > 1 and number > 1:
            width = len(bread)
            sums = np.bincount(
                (groups[:, None] * width + places).ravel(), scores.ravel(), number * width
            ).reshape(number, width)
            filling = bread @ sums.T
            covariances.append(
                np.where(
                    np.isnan(strengths.covariance),
                    np.nan,
                    filling @ filling.T * number / (number - 1),
                )
            )
    return replace(
        strengths,
        covariance=max(
            covariances, key=lambda each: float(np.nan_to_num(np.diag(each)[:-1]).sum())
        ),
    )


def _scores(strengths: Strengths, preferences: Preferences) -> tuple[Longs, Floats]:
    """Return the parameters that each answer speaks of, and its slopes there: shape (N, 3) each."""
    one, two, sign = oriented(preferences)
    counted = sign != 0 if strengths.tie is None else np.ones(len(sign), dtype=bool)
    chance = chances(strengths, one, two)
    outcome = np.stack((sign > 0, sign < 0, sign == 0)).astype(np.float64)
    left = np.where(counted, outcome - chance, 0.0)
    scores = np.stack((left[0] + left[2] / 2, left[1] + left[2] / 2, left[2]), axis=1)
    return np.stack((one, two, np.full(len(one), len(strengths.log_worth))), axis=1), scores
