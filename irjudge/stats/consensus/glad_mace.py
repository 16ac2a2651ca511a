"""Consensus by models of why a label is wrong: items that are difficult (GLAD), and workers who do not look (MACE)."""

from collections.abc import Callable
from dataclasses import dataclass
from time import monotonic

import numpy as np
import scipy

from irjudge.message import Message
from irjudge.model.labels import Flags, Labels
from irjudge.stats.consensus.dawid_skene import (
    DIGITS,
    Fitted,
    Fitting,
    FittingRound,
    climb,
    unsettled,
)
from irjudge.stats.rankings import Floats, Longs

LOOKS = 0.5  # MACE's Beta prior of both: a worker looks, or does not
STRATEGY = 10.0  # MACE's Dirichlet prior of each grade that a worker gives without looking
NEARLY = 1e-15  # GLAD ends when a round gains less, as a share of the height


@dataclass(frozen=True, slots=True, eq=False)
class _Answers:
    """N grades given, of I items by W workers on K grades."""

    item: Longs
    worker: Longs
    label: Longs
    items: int
    workers: int
    grades: int
    known: Flags  # shape (I, K): the grades that an item may have

    def by_item(self, values: Floats) -> Floats:
        return np.bincount(self.item, values, self.items).astype(np.float64)

    def by_worker(self, values: Floats | None = None) -> Floats:
        return np.bincount(self.worker, values, self.workers).astype(np.float64)

    def chances(self, wrong: Floats, right: Floats) -> tuple[Floats, float]:
        """Return each item's chances and the log-likelihood, from the logarithms of how likely each answer is if wrong, and if right."""
        cells = np.bincount(
            self.item * self.grades + self.label, right - wrong, self.items * self.grades
        )
        logs = cells.reshape(-1, self.grades) + self.by_item(wrong)[:, None] - np.log(self.grades)
        logs = np.where(self.known, logs, -np.inf)
        highest = logs.max(axis=1, keepdims=True)
        parts = np.exp(logs - highest)
        sums = parts.sum(axis=1, keepdims=True)
        # As in the models of confusions: last digits that depend on the order of the rows must not grow.
        return (parts / sums).round(DIGITS), float((np.log(sums) + highest).sum())


def _answers(labels: Labels) -> _Answers:
    graded = labels.label >= 0
    item, worker, label = (
        each[graded].astype(np.int64) for each in (labels.item, labels.worker, labels.label)
    )
    grades = len(labels.scale)
    known = np.ones((len(labels.items), grades), dtype=bool)
    if labels.gold is not None:
        known[labels.gold >= 0] = np.eye(grades, dtype=bool)[labels.gold[labels.gold >= 0]]
    return _Answers(item, worker, label, len(labels.items), len(labels.workers), grades, known)


def glad(labels: Labels, fitting: Fitting | None = None) -> Fitted:
    """Fit an ability for each worker and a difficulty for each item.

    Parameters
    ----------
    labels
        As for `dawid_skene`.
    fitting
        None for the usual one. It has no smoothing: abilities and the logarithms of ease have normal priors with mean 1 and variance 1.

    Returns
    -------
    Fitted
        The highest of labels and priors together that is reached from abilities and ease of 1; grades are equally usual beforehand. Tables
        have each worker's mean chance to be right over the items that they labelled.

    Notes
    -----
    A worker of ability α is right on an item of ease β with chance 1/(1 + exp(-αβ)); wrong answers are spread evenly over the other grades.
    Chances of true grades are summed out, and what is left is climbed at once, where others alternate (EM).

    References
    ----------
    Whitehill, Ruvolo, Wu, Bergsma and Movellan (2009), Whose vote should count more: optimal integration of labels from labelers of unknown
    expertise, NIPS 22.

    Examples
    --------
    >>> from irjudge.model.labels import make_labels
    >>> rows = [(f"d{item}", name, item % 2) for item in range(6) for name in ("ann", "bob")]
    >>> found = glad(make_labels([*rows, *((f"d{item}", "cem", 1) for item in range(6))]))
    >>> found.chances.argmax(axis=1).tolist(), found.converged
    ([0, 1, 0, 1, 0, 1], True)
    """
    answers, fitting = _answers(labels), fitting or Fitting()
    found = _ascend(
        np.ones(answers.workers + answers.items), lambda at: _glad_at(answers, at), fitting
    )
    chances, likelihood, _, _ = _glad_at(answers, found.at)
    earlier = _glad_at(answers, found.earlier)[0]
    ability, ease = np.split(found.at, [answers.workers])
    right = scipy.special.expit(ability[answers.worker] * np.exp(ease[answers.item]))
    given = answers.by_worker()
    share = np.divide(
        answers.by_worker(right), given, out=scipy.special.expit(ability * np.e), where=given > 0
    )
    own = np.eye(answers.grades)
    tables = share[:, None, None] * own + ((1 - share) / max(answers.grades - 1, 1))[
        :, None, None
    ] * (1 - own)
    if answers.grades == 1:
        tables = np.ones_like(tables)
    open_items = 0 if found.rests else unsettled(chances, earlier)
    return Fitted(
        chances, _even(answers), tables, tuple(found.heights), likelihood, found.rests, open_items
    )


def _glad_at(answers: _Answers, at: Floats) -> tuple[Floats, float, float, Floats]:
    """Return the chances, the log-likelihood, it with that of the priors, and the slope of the latter."""
    ability, ease = np.split(at, [answers.workers])
    easy = np.exp(np.minimum(ease, 50.0))[answers.item]
    strength = ability[answers.worker] * easy
    wrong = -np.logaddexp(0, strength)
    chances, likelihood = answers.chances(
        wrong - np.log(max(answers.grades - 1, 1)), strength + wrong
    )
    surprise = (chances[answers.item, answers.label] - scipy.special.expit(strength)) * easy
    slope = np.concatenate(
        (answers.by_worker(surprise), answers.by_item(surprise * ability[answers.worker]))
    ) - (at - 1)
    return chances, likelihood, likelihood - float(((at - 1) ** 2).sum()) / 2, slope.round(DIGITS)


@dataclass(slots=True)
class _Ascent:
    """Where a climb ended, where it was at half of the rounds or before, its heights, and whether it came to rest."""

    at: Floats
    earlier: Floats
    heights: list[float]
    rests: bool = True


def _ascend(
    start: Floats, look: Callable[[Floats], tuple[Floats, float, float, Floats]], fitting: Fitting
) -> _Ascent:
    ascent, later, ends = (
        _Ascent(start, start, [look(start)[2]]),
        start,
        monotonic() + fitting.seconds,
    )

    def lower(at: Floats) -> tuple[float, Floats]:
        _, _, height, slope = look(at)
        return -height, -slope

    def after_each(intermediate_result: scipy.optimize.OptimizeResult) -> None:
        nonlocal later
        ascent.heights.append(-float(intermediate_result.fun))
        rounds = len(ascent.heights) - 1
        fitting.progress.step(rounds, fitting.iterations, Message("Fitting assessors"))
        if rounds.bit_count() == 1:
            ascent.earlier, later = later, intermediate_result.x.copy()
        if monotonic() > ends:
            raise StopIteration

    fitting.progress.step(0, fitting.iterations, Message("Fitting assessors"))
    if len(start) and fitting.iterations != 0:
        most = fitting.iterations if fitting.iterations is not None else 1_000_000
        options = {
            "maxiter": most,
            "maxfun": 10 * most,
            "gtol": fitting.tolerance,
            "ftol": NEARLY if fitting.tolerance else 0.0,
        }
        found = scipy.optimize.minimize(
            lower, start, jac=True, method="L-BFGS-B", callback=after_each, options=options
        )
        ascent.at, ascent.rests = found.x, bool(found.success)
    return ascent


def mace(labels: Labels, fitting: Fitting | None = None) -> Fitted:
    """Fit for each worker how often they look, and which grades they give where they do not.

    Parameters
    ----------
    labels
        As for `dawid_skene`.
    fitting
        None for the usual one. It has no smoothing: the priors are Beta(.5, .5) for looking, and Dirichlet(10, …) for grades.

    Returns
    -------
    Fitted
        By variational Bayes, from workers who look half of the time and else give all grades alike, so that the same labels give the same
        result; grades are equally usual beforehand. `likelihoods` is the bound that is climbed. Tables are those of the posterior means.

    Notes
    -----
    A worker who looks gives the true grade.

    References
    ----------
    Hovy, Berg-Kirkpatrick, Vaswani and Hovy (2013), Learning whom to trust with MACE, NAACL-HLT.

    Examples
    --------
    >>> from irjudge.model.labels import make_labels
    >>> rows = [(f"d{item}", name, item % 2) for item in range(6) for name in ("ann", "bob")]
    >>> found = mace(make_labels([*rows, *((f"d{item}", "cem", 1) for item in range(6))]))
    >>> found.chances.argmax(axis=1).tolist(), found.converged
    ([0, 1, 0, 1, 0, 1], True)
    """
    answers = _answers(labels)
    even = np.full(answers.workers * answers.grades, -np.log(2 * answers.grades))
    start = _looked(answers, even, np.full(answers.workers, -np.log(2)))[1]
    return climb(start, lambda shares: _mace_round(answers, shares), fitting or Fitting())


def _looked(answers: _Answers, blind: Floats, looking: Floats) -> tuple[Floats, Floats, float]:
    """Return the items' chances, each worker's shares of grades given without looking and of looking, and the log-likelihood.

    Taken are logarithms of how likely a worker gives each grade without looking, shape (W K,), and of looking, shape (W,).
    """
    cells = answers.worker * answers.grades + answers.label
    guess, look = blind[cells], looking[answers.worker]
    right = np.logaddexp(guess, look)
    chances, likelihood = answers.chances(guess, right)
    seen = chances[answers.item, answers.label] * np.exp(look - right)
    unseen = np.bincount(cells, 1 - seen, answers.workers * answers.grades).reshape(
        -1, answers.grades
    )
    counts, given = np.column_stack((unseen, answers.by_worker(seen))), answers.by_worker()[:, None]
    shares = np.divide(
        counts, given, out=np.full_like(counts, 1 / (answers.grades + 1)), where=given > 0
    )
    return chances, shares.round(DIGITS), likelihood


def _mace_round(answers: _Answers, shares: Floats) -> FittingRound:
    counts = shares * answers.by_worker()[:, None]
    strategy = counts[:, :-1] + STRATEGY
    looking = np.column_stack((counts[:, :-1].sum(axis=1), counts[:, -1])) + LOOKS
    looks, grade = _expected_logarithm(looking), _expected_logarithm(strategy)
    chances, after, bound = _looked(answers, (grade + looks[:, :1]).reshape(-1), looks[:, 1])
    height = bound - _divergence(looking, looks, LOOKS) - _divergence(strategy, grade, STRATEGY)
    mean_looks, mean_grade = (
        each / each.sum(axis=1, keepdims=True) for each in (looking, strategy)
    )
    tables = (
        mean_looks[:, 1, None, None] * np.eye(answers.grades)
        + (mean_looks[:, :1] * mean_grade)[:, None, :]
    )
    given = np.log(tables[answers.worker, :, answers.label])
    logs = np.stack([answers.by_item(column) for column in given.T], axis=1) - np.log(
        answers.grades
    )
    likelihood = float(
        scipy.special.logsumexp(np.where(answers.known, logs, -np.inf), axis=1).sum()
    )
    return FittingRound(shares, after, chances, _even(answers), tables, likelihood, height)


def _expected_logarithm(counts: Floats) -> Floats:
    """Return what the logarithms of shares are on average, where the shares have Dirichlet distributions with these counts."""
    found: Floats = scipy.special.digamma(counts) - scipy.special.digamma(
        counts.sum(axis=1, keepdims=True)
    )
    return found


def _divergence(counts: Floats, logarithms: Floats, prior: float) -> float:
    """Return how far Dirichlet distributions are from their prior, which has the same count for each (Kullback-Leibler)."""
    kinds, gamma = counts.shape[1], scipy.special.gammaln
    apart = (
        gamma(counts.sum(axis=1))
        - gamma(counts).sum(axis=1)
        - gamma(kinds * prior)
        + kinds * gamma(prior)
    )
    return float((apart + ((counts - prior) * logarithms).sum(axis=1)).sum())


def _even(answers: _Answers) -> Floats:
    return np.full(answers.grades, 1 / answers.grades)
