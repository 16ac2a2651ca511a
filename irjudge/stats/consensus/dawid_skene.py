"""Consensus by models of the workers, fitted by expectation maximisation: Dawid and Skene's, and the one-coin model."""

from collections.abc import Callable
from dataclasses import dataclass
from time import monotonic
from typing import Any, TypeAlias

import numpy as np
import scipy

from irjudge.message import Message
from irjudge.model.labels import Labels
from irjudge.progress import SILENT, Progress
from irjudge.stats.rankings import Floats

SECONDS = 120.0
# So many plain rounds settle which maximum is climbed before longer steps are tried.
PLAIN_ROUNDS = 20
TOLERANCE = 1e-7
DIGITS = 12


@dataclass(frozen=True, slots=True)
class Fitting:
    """How a model is fitted."""

    # imagined labels: so many in each cell of each worker's table (Dawid-Skene), or so many right and wrong (one-coin). 0 for none. GLAD
    # and MACE have priors of their own.
    smoothing: float = 1.0
    iterations: int | None = None  # at most; None for as many as it takes within `seconds`
    tolerance: float = TOLERANCE  # it is done when no probability of a grade moves by more
    seconds: float = (
        SECONDS  # where it has not come to rest after so long, it ends and says so; more than 0
    )
    progress: Progress = SILENT  # told after each iteration; the work stops when it is cancelled


@dataclass(frozen=True, slots=True, eq=False)
class Fitted:
    """A model of I items, W workers and K grades."""

    chances: Floats  # shape (I, K): how likely each grade is, by the model; the share of all grades for an item without a grade
    prior: Floats  # shape (K,): the share of each true grade
    tables: (
        Floats  # shape (W, K, K): how likely each worker answers the column where the row is true
    )
    likelihoods: tuple[
        float, ...
    ]  # the log-likelihood after each iteration, with the logarithm of the smoothing's weight; it never falls
    log_likelihood: float  # the last one, of the labels alone
    converged: bool  # whether probabilities came to rest
    # items of which the most likely grade could still be another one: its lead is less than twice what the probabilities of the item moved
    # in the second half of the rounds. 0 where they came to rest.
    unsettled: int = 0


# Takes how often each worker answered (column) where each grade (row) may be true, shape (W, K, K), and the smoothing; returns the
# tables and the logarithm of the smoothing's weight.
Maximise: TypeAlias = Callable[[Floats, float], tuple[Floats, float]]


def dawid_skene(labels: Labels, fitting: Fitting | None = None) -> Fitted:
    """Fit a table of confusions for each worker.

    Parameters
    ----------
    labels
        Every row counts, a worker's repeats too; those that say unjudgeable do not. Items with a known answer stay at it.
    fitting
        None for the usual one.

    Returns
    -------
    Fitted
        From the shares of the labels as a start, so that the same labels give the same result. That is a maximum near the start; there
        may be higher ones.

    References
    ----------
    Dawid and Skene (1979), Maximum likelihood estimation of observer error-rates using the EM algorithm, Applied Statistics 28.

    Examples
    --------
    >>> from irjudge.model.labels import make_labels
    >>> rows = [(f"d{item}", name, item % 2) for item in range(6) for name in ("ann", "bob")]
    >>> found = dawid_skene(make_labels([*rows, *((f"d{item}", "cem", 1) for item in range(6))]))
    >>> found.chances.argmax(axis=1).tolist(), found.converged
    ([0, 1, 0, 1, 0, 1], True)
    """
    return _fit(labels, fitting or Fitting(), _confusions)


def one_coin(labels: Labels, fitting: Fitting | None = None) -> Fitted:
    """Fit one accuracy for each worker, whose wrong answers are spread evenly over the other grades.

    Parameters and result are those of `dawid_skene`; `accuracies` reads the accuracies from the tables.

    Notes
    -----
    crowd-kit stops when the bound that it watches falls, which is no bound of this likelihood. On a crowd of 15,567 labels that is after
    two rounds, at -22,229.2 without smoothing; this one rests at -22,204.4. Rounds that go on from crowd-kit's end lead here.

    References
    ----------
    Zhang, Chen, Zhou and Jordan (2016), Spectral methods meet EM, JMLR 17, for the name and the model.
    """
    return _fit(labels, fitting or Fitting(), _coins)


def accuracies(fitted: Fitted) -> Floats:
    """Return how often each worker is right where grades are as frequent as the model says, shape (W,)."""
    right: Floats = np.einsum("wkk,k->w", fitted.tables, fitted.prior)
    return right


def _fit(labels: Labels, fitting: Fitting, maximise: Maximise) -> Fitted:
    grades, workers = len(labels.scale), len(labels.workers)
    graded = labels.label >= 0
    cells = labels.worker[graded].astype(np.int64) * grades + labels.label[graded]
    given = scipy.sparse.csr_array(
        (np.ones(len(cells)), (labels.item[graded], cells)),
        shape=(len(labels.items), workers * grades),
    )  # equal cells are added up
    chances = _start(labels)
    known = labels.gold >= 0 if labels.gold is not None else np.zeros(len(chances), dtype=bool)

    def step(chances: Floats) -> FittingRound:
        prior, tables, weight = _maximised(chances, given, fitting.smoothing, maximise)
        after, likelihood = _expected(given, prior, tables, chances, known)
        return FittingRound(chances, after, after, prior, tables, likelihood, likelihood + weight)

    return climb(chances, step, fitting)


@dataclass(frozen=True, slots=True, eq=False)
class FittingRound:
    """One round: the shares before and after it (rows add up to 1), what was fitted to those before, how likely that is."""

    before: Floats
    after: Floats
    chances: Floats  # those of the items; of models whose rounds go from chances to chances the same as `after`
    prior: Floats
    tables: Floats
    likelihood: float
    height: float

    @property
    def moved(self) -> float:
        """How far the share that moved most did."""
        return float(np.abs(self.after - self.before).max(initial=0.0))


def climb(start: Floats, step: Callable[[Floats], FittingRound], fitting: Fitting) -> Fitted:
    """Repeat rounds until the shares rest, with a longer step after each where it does not lower the likelihood (SQUAREM)."""
    heights: list[float] = []
    ends = monotonic() + fitting.seconds
    at = step(start)
    earlier = later = at.chances
    while True:
        heights.append(at.height)
        fitting.progress.step(len(heights), fitting.iterations, Message("Fitting assessors"))
        enough = fitting.iterations is not None and len(heights) >= fitting.iterations
        if at.moved < fitting.tolerance or enough or monotonic() > ends:
            break
        if (
            len(heights).bit_count() == 1
        ):  # rounds 1, 2, 4, 8 …: of two of them one lies at the half or before, and none else is kept
            earlier, later = later, at.chances
        follows = step(at.after)
        longer = step(_further(at, follows)) if len(heights) > PLAIN_ROUNDS else follows
        at = longer if longer.height >= follows.height else follows
    rests = at.moved < fitting.tolerance
    return Fitted(
        at.chances,
        at.prior,
        at.tables,
        tuple(heights),
        at.likelihood,
        rests,
        0 if rests else unsettled(at.chances, earlier),
    )


def _further(first: FittingRound, second: FittingRound) -> Floats:
    """Return the chances that two rounds seem to lead to.

    References
    ----------
    Varadhan and Roland (2008), Simple and globally convergent methods for accelerating the convergence of any EM algorithm, Scandinavian
    Journal of Statistics 35, 335–353: the scheme with the step length |r| / |v|.
    """
    step, bend = first.after - first.before, second.after - 2 * first.after + first.before
    length = max(1.0, float(np.linalg.norm(step)) / max(float(np.linalg.norm(bend)), 1e-300))
    reached = np.clip(first.before + 2 * length * step + length**2 * bend, 0, 1)
    sums = reached.sum(axis=1, keepdims=True)
    found: Floats = np.where(sums > 0, reached / np.where(sums > 0, sums, 1.0), second.after)
    return found.round(DIGITS)


def unsettled(chances: Floats, earlier: Floats) -> int:
    """Return how many items lead by less than twice what their chances moved since."""
    if chances.shape[1] < 2:
        return 0
    ordered = np.sort(chances, axis=1)
    return int((ordered[:, -1] - ordered[:, -2] < 2 * np.abs(chances - earlier).max(axis=1)).sum())


def _start(labels: Labels) -> Floats:
    """Return the shares of each item's labels; known answers are certain, and items without a grade have the shares of all."""
    counts = labels.counts().astype(np.float64)
    size = counts.sum(axis=1)
    counts[size == 0] = counts.sum(axis=0) if size.any() else 1.0
    chances: Floats = counts / counts.sum(axis=1, keepdims=True)
    if labels.gold is not None:
        chances[labels.gold >= 0] = np.eye(chances.shape[1])[labels.gold[labels.gold >= 0]]
    return chances


def _maximised(
    chances: Floats, given: Any, smoothing: float, maximise: Maximise
) -> tuple[Floats, Floats, float]:
    grades = chances.shape[1]
    answered = (
        (given.T @ chances).reshape(-1, grades, grades).swapaxes(1, 2)
    )  # worker, true, answer
    tables, weight = maximise(answered, smoothing)
    prior = (
        chances.mean(axis=0) if len(chances) else np.full(grades, 1 / grades)
    )  # without items no grade is likelier than another
    return prior, tables, weight


def _expected(
    given: Any, prior: Floats, tables: Floats, before: Floats, known: Any
) -> tuple[Floats, float]:
    """Return the chances of each grade and the log-likelihood of the labels."""
    grades = len(prior)
    with np.errstate(divide="ignore"):
        logs = given @ np.log(tables).swapaxes(1, 2).reshape(-1, grades) + np.log(prior)
    logs = np.where(known[:, None], np.where(before == 1, logs, -np.inf), logs)
    highest = logs.max(axis=1, keepdims=True)
    parts = np.exp(logs - highest)
    sums = parts.sum(axis=1, keepdims=True)
    # Grades that are equally likely stay so: the last digits depend on the order of the rows, and each iteration would magnify them.
    return np.round(parts / sums, DIGITS), float((np.log(sums) + highest).sum())


def _confusions(answered: Floats, smoothing: float) -> tuple[Floats, float]:
    filled = answered + smoothing
    sums = filled.sum(axis=2, keepdims=True)
    # A worker of whom nothing is known where a grade is true answers anything.
    tables = np.divide(filled, sums, out=np.full_like(filled, 1 / filled.shape[2]), where=sums > 0)
    return tables, smoothing * float(np.log(tables).sum()) if smoothing else 0.0


def _coins(answered: Floats, smoothing: float) -> tuple[Floats, float]:
    grades = answered.shape[1]
    right, every = (
        np.einsum("wkk->w", answered) + smoothing,
        answered.sum(axis=(1, 2)) + 2 * smoothing,
    )
    share = np.divide(right, every, out=np.full(len(every), 0.5), where=every > 0)
    if grades == 1:
        return np.ones_like(answered), 0.0
    own = np.eye(grades)
    tables = share[:, None, None] * own + ((1 - share) / (grades - 1))[:, None, None] * (1 - own)
    return tables, smoothing * float(
        (np.log(share) + np.log(1 - share)).sum()
    ) if smoothing else 0.0
