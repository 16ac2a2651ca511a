"""Consensus by models of the workers, fitted by expectation maximisation: Dawid and Skene's, and the one-coin model."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from scipy.sparse import csr_array

from irjudge.model.labels import Labels
from irjudge.progress import SILENT, Progress
from irjudge.stats.rankings import Floats

ITERATIONS = 200
TOLERANCE = 1e-7
DIGITS = 12


@dataclass(frozen=True, slots=True)
class Fitting:
    """How a model is fitted.

    Parameters
    ----------
    smoothing
        Imagined labels: so many in each cell of each worker's table (Dawid-Skene), or so many right and wrong (one-coin). 0 for none.
    iterations
        At most.
    tolerance
        It is done when no probability of a grade moves by more.
    progress
        Told after each iteration; the work stops when it is cancelled.
    """

    smoothing: float = 1.0
    iterations: int = ITERATIONS
    tolerance: float = TOLERANCE
    progress: Progress = SILENT


@dataclass(frozen=True, slots=True, eq=False)
class Fitted:
    """A model of I items, W workers and K grades.

    Parameters
    ----------
    chances
        Shape (I, K): how likely each grade is, by the model; the share of all grades for an item without a grade.
    prior
        Shape (K,): the share of each true grade.
    tables
        Shape (W, K, K): how likely each worker answers the column where the row is true.
    likelihoods
        The log-likelihood after each iteration, with the logarithm of the smoothing's weight; it never falls.
    log_likelihood
        The last one, of the labels alone.
    converged
        Whether probabilities came to rest.
    """

    chances: Floats
    prior: Floats
    tables: Floats
    likelihoods: tuple[float, ...]
    log_likelihood: float
    converged: bool


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
    given = csr_array(
        (np.ones(len(cells)), (labels.item[graded], cells)), shape=(len(labels.items), workers * grades)
    )  # equal cells are added up
    chances = _start(labels)
    known = labels.gold >= 0 if labels.gold is not None else np.zeros(len(chances), dtype=bool)
    likelihoods: list[float] = []
    prior, tables, likelihood, moved = np.empty(0), np.empty(0), -np.inf, np.inf
    for iteration in range(fitting.iterations):
        fitting.progress.step(iteration, fitting.iterations, "Fitting assessors")
        prior, tables, weight = _maximised(chances, given, fitting.smoothing, maximise)
        before = chances
        chances, likelihood = _expected(given, prior, tables, before, known)
        likelihoods.append(likelihood + weight)
        moved = float(np.abs(chances - before).max(initial=0.0))
        if moved < fitting.tolerance:
            break
    return Fitted(chances, prior, tables, tuple(likelihoods), likelihood, moved < fitting.tolerance)


def _start(labels: Labels) -> Floats:
    """Return the shares of each item's labels; known answers are certain, and items without a grade have the shares of all."""
    counts = labels.counts().astype(np.float64)
    size = counts.sum(axis=1)
    counts[size == 0] = counts.sum(axis=0) if size.any() else 1.0
    chances: Floats = counts / counts.sum(axis=1, keepdims=True)
    if labels.gold is not None:
        chances[labels.gold >= 0] = np.eye(chances.shape[1])[labels.gold[labels.gold >= 0]]
    return chances


def _maximised(chances: Floats, given: Any, smoothing: float, maximise: Maximise) -> tuple[Floats, Floats, float]:
    grades = chances.shape[1]
    answered = (given.T @ chances).reshape(-1, grades, grades).swapaxes(1, 2)  # worker, true, answer
    tables, weight = maximise(answered, smoothing)
    return chances.mean(axis=0), tables, weight


def _expected(given: Any, prior: Floats, tables: Floats, before: Floats, known: Any) -> tuple[Floats, float]:
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
    right, every = np.einsum("wkk->w", answered) + smoothing, answered.sum(axis=(1, 2)) + 2 * smoothing
    share = np.divide(right, every, out=np.full(len(every), 0.5), where=every > 0)
    if grades == 1:
        return np.ones_like(answered), 0.0
    own = np.eye(grades)
    tables = share[:, None, None] * own + ((1 - share) / (grades - 1))[:, None, None] * (1 - own)
    return tables, smoothing * float((np.log(share) + np.log(1 - share)).sum()) if smoothing else 0.0
