"""Annotator models fitted by EM: Dawid–Skene, one-coin, GLAD and MACE."""

from collections.abc import Callable
from dataclasses import dataclass
from time import monotonic
from typing import Any, TypeAlias

import numpy as np
import scipy

from irjudge.message import Message
from irjudge.model import Flags, Floats, Labels, Longs
from irjudge.progress import SILENT, Progress

# Models of workers' confusions: Dawid–Skene and one-coin

MAX_SECONDS = 120.0
# Plain EM iterations before accelerated steps, so that these do not affect which maximum is reached
MIN_PLAIN_ITERATIONS = 20
TOLERANCE = 1e-7
DECIMALS = 12


@dataclass(frozen=True, slots=True)
class FitOptions:
    """Options for fitting an annotator model."""

    # pseudo-counts in each cell of each worker's table (Dawid-Skene), or of right and wrong answers
    # (one-coin); 0 for none. GLAD and MACE have their own priors.
    smoothing: float = 1.0
    # maximum number of iterations; None for no limit within `seconds`
    iterations: int | None = None
    tolerance: float = TOLERANCE  # converged if no probability of a grade changes by more
    seconds: float = MAX_SECONDS  # time limit, above 0, of a fit that does not converge
    progress: Progress = SILENT  # reported after each iteration; may raise Cancelled


@dataclass(frozen=True, slots=True, eq=False)
class FittedModel:
    """Fitted annotator model of I items, W workers and K grades."""

    # posterior probability of each grade, shape (I, K); the prior for an item without grades
    chances: Floats
    prior: Floats  # probability of each true grade, shape (K,)
    tables: Floats  # confusion probabilities, shape (W, K, K); rows are true grades
    likelihoods: tuple[
        float, ...
    ]  # log-likelihood after each iteration plus the log prior of the smoothing; never decreases
    log_likelihood: float  # final log-likelihood of the labels alone
    converged: bool  # whether the probabilities converged
    # items whose most likely grade may still change: its lead is less than twice the change of the
    # item's probabilities in the second half of the iterations. 0 after convergence.
    unsettled: int = 0


# Computes the best tables from expected counts of answers (column) per true grade (row), shape (W,
# K, K), and the smoothing; returns the tables and the log prior of the smoothing.
Maximise: TypeAlias = Callable[[Floats, float], tuple[Floats, float]]


def dawid_skene(labels: Labels, fitting: FitOptions | None = None) -> FittedModel:
    """Fit a confusion matrix for each worker (Dawid and Skene).

    Parameters
    ----------
    labels
        All rows are used, including repeats by a worker; unjudgeable labels are ignored. Gold items
        keep their gold grade. fitting None for the default.

    Returns
    -------
    FittedModel
        The fit is deterministic, beginning with the share of each label per item. The result is a
        local maximum; there may be higher ones.

    References
    ----------
    Dawid and Skene (1979), Maximum likelihood estimation of observer error-rates using the EM algorithm, Applied Statistics 28.

    Examples
    --------
    >>> from irjudge.model import make_labels
    >>> rows = [(f"d{item}", name, item % 2) for item in range(6) for name in ("ann", "bob")]
    >>> found = dawid_skene(make_labels([*rows, *((f"d{item}", "cem", 1) for item in range(6))]))
    >>> found.chances.argmax(axis=1).tolist(), found.converged
    ([0, 1, 0, 1, 0, 1], True)
    """
    return _fit(labels, fitting or FitOptions(), _confusion_tables)


def one_coin(labels: Labels, fitting: FitOptions | None = None) -> FittedModel:
    """Fit one accuracy per worker, with errors evenly distributed over the other grades.

    Parameters and result are those of `dawid_skene`; `accuracies` computes the accuracies from the tables.

    Notes
    -----
    crowd-kit stops when a monitored bound decreases, which is not a bound on this likelihood. For a
    crowd of 15,567 labels it stops after two iterations, at -22,229.2 without smoothing; this
    function converges at -22,204.4, also from crowd-kit's result.

    References
    ----------
    Zhang, Chen, Zhou and Jordan (2016), Spectral methods meet EM, JMLR 17, for the name and the model.
    """
    return _fit(labels, fitting or FitOptions(), _one_coin_tables)


def accuracies(fitted: FittedModel) -> Floats:
    """Return the accuracy of each worker under the model's grade distribution, shape (W,)."""
    right: Floats = np.einsum("wkk,k->w", fitted.tables, fitted.prior)
    return right


def _fit(labels: Labels, fitting: FitOptions, maximise: Maximise) -> FittedModel:
    grades, workers = len(labels.scale), len(labels.workers)
    graded = labels.label >= 0
    cells = labels.worker[graded].astype(np.int64) * grades + labels.label[graded]
    given = scipy.sparse.csr_array(
        (np.ones(len(cells)), (labels.item[graded], cells)),
        shape=(len(labels.items), workers * grades),
    )  # duplicate cells are summed
    chances = _initial_chances(labels)
    known = labels.gold >= 0 if labels.gold is not None else np.zeros(len(chances), dtype=bool)

    def step(chances: Floats) -> FitIteration:
        prior, tables, weight = _maximisation(chances, given, fitting.smoothing, maximise)
        after, likelihood = _expectation(given, prior, tables, chances, known)
        return FitIteration(chances, after, after, prior, tables, likelihood, likelihood + weight)

    return run_em(chances, step, fitting)


@dataclass(frozen=True, slots=True, eq=False)
class FitIteration:
    """One iteration: probabilities before and after, fitted parameters and likelihood."""

    before: Floats
    after: Floats
    chances: Floats  # probabilities of the items; equal to `after` for models that iterate on probabilities
    prior: Floats
    tables: Floats
    likelihood: float
    height: float

    @property
    def largest_change(self) -> float:
        """Largest change of a probability."""
        return float(np.abs(self.after - self.before).max(initial=0.0))


def run_em(
    start: Floats, step: Callable[[Floats], FitIteration], fitting: FitOptions
) -> FittedModel:
    """Iterate EM with SQUAREM acceleration until the probabilities converge."""
    heights: list[float] = []
    ends = monotonic() + fitting.seconds
    at = step(start)
    earlier = later = at.chances
    while True:
        heights.append(at.height)
        fitting.progress.step(
            len(heights), fitting.iterations, Message("Fitting the assessor model")
        )
        enough = fitting.iterations is not None and len(heights) >= fitting.iterations
        if at.largest_change < fitting.tolerance or enough or monotonic() > ends:
            break
        if (
            len(heights).bit_count() == 1
        ):  # states after iterations 1, 2, 4, 8 …, which limits memory; one of the last two is at or before the half
            earlier, later = later, at.chances
        follows = step(at.after)
        longer = step(_extrapolate(at, follows)) if len(heights) > MIN_PLAIN_ITERATIONS else follows
        at = longer if longer.height >= follows.height else follows
    rests = at.largest_change < fitting.tolerance
    return FittedModel(
        at.chances,
        at.prior,
        at.tables,
        tuple(heights),
        at.likelihood,
        rests,
        0 if rests else count_unsettled(at.chances, earlier),
    )


def _extrapolate(first: FitIteration, second: FitIteration) -> Floats:
    """Return the probabilities extrapolated from two iterations.

    References
    ----------
    Varadhan and Roland (2008), Simple and globally convergent methods for accelerating the
    convergence of any EM algorithm, Scandinavian Journal of Statistics 35, 335–353: the scheme with
    the step length |r| / |v|.
    """
    step, bend = first.after - first.before, second.after - 2 * first.after + first.before
    length = max(1.0, float(np.linalg.norm(step)) / max(float(np.linalg.norm(bend)), 1e-300))
    reached = np.clip(first.before + 2 * length * step + length**2 * bend, 0, 1)
    sums = reached.sum(axis=1, keepdims=True)
    limit: Floats = np.where(sums > 0, reached / np.where(sums > 0, sums, 1.0), second.after)
    return limit.round(DECIMALS)


def count_unsettled(chances: Floats, earlier: Floats) -> int:
    """Return the number of items whose lead is less than twice their recent change."""
    if chances.shape[1] < 2:
        return 0
    ordered = np.sort(chances, axis=1)
    return int((ordered[:, -1] - ordered[:, -2] < 2 * np.abs(chances - earlier).max(axis=1)).sum())


def _initial_chances(labels: Labels) -> Floats:
    """Return the share of each item's labels; gold is certain, and unlabelled items get the overall
    shares.
    """
    counts = labels.counts().astype(np.float64)
    size = counts.sum(axis=1)
    counts[size == 0] = counts.sum(axis=0) if size.any() else 1.0
    chances: Floats = counts / counts.sum(axis=1, keepdims=True)
    if labels.gold is not None:
        chances[labels.gold >= 0] = np.eye(chances.shape[1])[labels.gold[labels.gold >= 0]]
    return chances


def _maximisation(
    chances: Floats, given: Any, smoothing: float, maximise: Maximise
) -> tuple[Floats, Floats, float]:
    grades = chances.shape[1]
    answered = (
        (given.T @ chances).reshape(-1, grades, grades).swapaxes(1, 2)
    )  # worker, true grade, answer
    tables, weight = maximise(answered, smoothing)
    prior = (
        chances.mean(axis=0) if len(chances) else np.full(grades, 1 / grades)
    )  # uniform if there are no items
    return prior, tables, weight


def _expectation(
    given: Any, prior: Floats, tables: Floats, before: Floats, known: Any
) -> tuple[Floats, float]:
    """Return the posterior probabilities and the log-likelihood of the labels."""
    grades = len(prior)
    with np.errstate(divide="ignore"):
        logs = given @ np.log(tables).swapaxes(1, 2).reshape(-1, grades) + np.log(prior)
    logs = np.where(known[:, None], np.where(before == 1, logs, -np.inf), logs)
    highest = logs.max(axis=1, keepdims=True)
    parts = np.exp(logs - highest)
    sums = parts.sum(axis=1, keepdims=True)
    # Rounded to preserve ties, since the last digits depend on the order of rows and each iteration
    # would amplify them.
    return np.round(parts / sums, DECIMALS), float((np.log(sums) + highest).sum())


def _confusion_tables(answered: Floats, smoothing: float) -> tuple[Floats, float]:
    filled = answered + smoothing
    sums = filled.sum(axis=2, keepdims=True)
    # A worker without labels for a true grade is assumed to answer uniformly
    tables = np.divide(filled, sums, out=np.full_like(filled, 1 / filled.shape[2]), where=sums > 0)
    return tables, smoothing * float(np.log(tables).sum()) if smoothing else 0.0


def _one_coin_tables(answered: Floats, smoothing: float) -> tuple[Floats, float]:
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


# Models of the causes of errors: difficult items (GLAD) and inattentive workers (MACE)

LOOKING_PRIOR = 0.5  # parameter of MACE's Beta prior of attention
STRATEGY_PRIOR = 10.0  # parameter of MACE's Dirichlet prior of grades given without attention
GLAD_TOLERANCE = 1e-15  # GLAD has converged when the relative gain of the objective is less


@dataclass(frozen=True, slots=True, eq=False)
class _ItemLabels:
    """N grades by W workers for I items on K grades."""

    item: Longs
    worker: Longs
    label: Longs
    items: int
    workers: int
    grades: int
    known: Flags  # possible grades of each item, shape (I, K)

    def by_item(self, values: Floats) -> Floats:
        return np.bincount(self.item, values, self.items).astype(np.float64)

    def by_worker(self, values: Floats | None = None) -> Floats:
        return np.bincount(self.worker, values, self.workers).astype(np.float64)

    def chances(self, log_wrong: Floats, right: Floats) -> tuple[Floats, float]:
        """Return posterior probabilities and log-likelihood from the log-probabilities of answers."""
        cells = np.bincount(
            self.item * self.grades + self.label, right - log_wrong, self.items * self.grades
        )
        logs = (
            cells.reshape(-1, self.grades) + self.by_item(log_wrong)[:, None] - np.log(self.grades)
        )
        logs = np.where(self.known, logs, -np.inf)
        highest = logs.max(axis=1, keepdims=True)
        parts = np.exp(logs - highest)
        sums = parts.sum(axis=1, keepdims=True)
        # Rounded as in `_expectation`, so that differences in the last digits are not amplified
        return (parts / sums).round(DECIMALS), float((np.log(sums) + highest).sum())


def _item_labels(labels: Labels) -> _ItemLabels:
    graded = labels.label >= 0
    item, worker, label = (
        each[graded].astype(np.int64) for each in (labels.item, labels.worker, labels.label)
    )
    grades = len(labels.scale)
    known = np.ones((len(labels.items), grades), dtype=bool)
    if labels.gold is not None:
        known[labels.gold >= 0] = np.eye(grades, dtype=bool)[labels.gold[labels.gold >= 0]]
    return _ItemLabels(item, worker, label, len(labels.items), len(labels.workers), grades, known)


def glad(labels: Labels, fitting: FitOptions | None = None) -> FittedModel:
    """Fit an ability for each worker and a difficulty for each item (GLAD).

    Parameters
    ----------
    labels
        As for `dawid_skene`.
    fitting
        None for the default. Smoothing is ignored: abilities and the logarithms of ease have normal
        priors with mean 1 and variance 1.

    Returns
    -------
    FittedModel
        The maximum a posteriori reached from abilities and ease of 1, with a uniform prior of
        grades. Tables hold each worker's mean probability of a correct label over their items.

    Notes
    -----
    A worker of ability α is correct on an item of ease β with probability 1/(1 + exp(-αβ)); errors
    are evenly distributed over the other grades. True grades are marginalised, and the likelihood
    is maximised directly and not by EM.

    References
    ----------
    Whitehill, Ruvolo, Wu, Bergsma and Movellan (2009), Whose vote should count more: optimal
    integration of labels from labelers of unknown expertise, NIPS 22.

    Examples
    --------
    >>> from irjudge.model import make_labels
    >>> rows = [(f"d{item}", name, item % 2) for item in range(6) for name in ("ann", "bob")]
    >>> found = glad(make_labels([*rows, *((f"d{item}", "cem", 1) for item in range(6))]))
    >>> found.chances.argmax(axis=1).tolist(), found.converged
    ([0, 1, 0, 1, 0, 1], True)
    """
    answers, fitting = _item_labels(labels), fitting or FitOptions()
    parameters = _maximise_by_ascent(
        np.ones(answers.workers + answers.items), lambda at: _glad_likelihood(answers, at), fitting
    )
    chances, likelihood, _, _ = _glad_likelihood(answers, parameters.at)
    earlier = _glad_likelihood(answers, parameters.earlier)[0]
    ability, ease = np.split(parameters.at, [answers.workers])
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
    open_items = 0 if parameters.rests else count_unsettled(chances, earlier)
    return FittedModel(
        chances,
        _even_prior(answers),
        tables,
        tuple(parameters.heights),
        likelihood,
        parameters.rests,
        open_items,
    )


def _glad_likelihood(answers: _ItemLabels, at: Floats) -> tuple[Floats, float, float, Floats]:
    """Return probabilities, log-likelihood, log-posterior and its gradient."""
    ability, ease = np.split(at, [answers.workers])
    easy = np.exp(np.minimum(ease, 50.0))[answers.item]
    strength = ability[answers.worker] * easy
    log_wrong = -np.logaddexp(0, strength)
    chances, likelihood = answers.chances(
        log_wrong - np.log(max(answers.grades - 1, 1)), strength + log_wrong
    )
    surprise = (chances[answers.item, answers.label] - scipy.special.expit(strength)) * easy
    slope = np.concatenate(
        (answers.by_worker(surprise), answers.by_item(surprise * ability[answers.worker]))
    ) - (at - 1)
    return chances, likelihood, likelihood - float(((at - 1) ** 2).sum()) / 2, slope.round(DECIMALS)


@dataclass(slots=True)
class _AscentState:
    """State of a gradient ascent: position, previous position, objective values, convergence."""

    at: Floats
    earlier: Floats
    heights: list[float]
    rests: bool = True


def _maximise_by_ascent(
    start: Floats,
    look: Callable[[Floats], tuple[Floats, float, float, Floats]],
    fitting: FitOptions,
) -> _AscentState:
    ascent, later, ends = (
        _AscentState(start, start, [look(start)[2]]),
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
        fitting.progress.step(rounds, fitting.iterations, Message("Fitting the assessor model"))
        if rounds.bit_count() == 1:
            ascent.earlier, later = later, intermediate_result.x.copy()
        if monotonic() > ends:
            raise StopIteration

    fitting.progress.step(0, fitting.iterations, Message("Fitting the assessor model"))
    if len(start) and fitting.iterations != 0:
        max_iterations = fitting.iterations if fitting.iterations is not None else 1_000_000
        options = {
            "maxiter": max_iterations,
            "maxfun": 10 * max_iterations,
            "gtol": fitting.tolerance,
            "ftol": GLAD_TOLERANCE if fitting.tolerance else 0.0,
        }
        optimum = scipy.optimize.minimize(
            lower, start, jac=True, method="L-BFGS-B", callback=after_each, options=options
        )
        ascent.at, ascent.rests = optimum.x, bool(optimum.success)
    return ascent


def mace(labels: Labels, fitting: FitOptions | None = None) -> FittedModel:
    """Fit each worker's attention, and the grades they give without it (MACE).

    Parameters
    ----------
    labels
        As for `dawid_skene`.
    fitting
        None for the default. Smoothing is ignored: the priors are Beta(.5, .5) for attention, and
        Dirichlet(10, …) for grades.

    Returns
    -------
    FittedModel
        By variational Bayes, starting with workers who are attentive half of the time and otherwise
        give all grades equally often, so that results are deterministic; the prior of grades is
        uniform. `likelihoods` is the maximised bound. Tables are those of the posterior means.

    Notes
    -----
    An attentive worker gives the true grade.

    References
    ----------
    Hovy, Berg-Kirkpatrick, Vaswani and Hovy (2013), Learning whom to trust with MACE, NAACL-HLT.

    Examples
    --------
    >>> from irjudge.model import make_labels
    >>> rows = [(f"d{item}", name, item % 2) for item in range(6) for name in ("ann", "bob")]
    >>> found = mace(make_labels([*rows, *((f"d{item}", "cem", 1) for item in range(6))]))
    >>> found.chances.argmax(axis=1).tolist(), found.converged
    ([0, 1, 0, 1, 0, 1], True)
    """
    answers = _item_labels(labels)
    even = np.full(answers.workers * answers.grades, -np.log(2 * answers.grades))
    start = _mace_expectation(answers, even, np.full(answers.workers, -np.log(2)))[1]
    return run_em(start, lambda shares: _mace_iteration(answers, shares), fitting or FitOptions())


def _mace_expectation(
    answers: _ItemLabels, blind: Floats, looking: Floats
) -> tuple[Floats, Floats, float]:
    """Return posterior probabilities, expected counts per worker, and the log-likelihood.

    The arguments are log-probabilities of each worker's grades without attention, shape (W K,), and
    of attention, shape (W,).
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
    return chances, shares.round(DECIMALS), likelihood


def _mace_iteration(answers: _ItemLabels, shares: Floats) -> FitIteration:
    counts = shares * answers.by_worker()[:, None]
    strategy = counts[:, :-1] + STRATEGY_PRIOR
    looking = np.column_stack((counts[:, :-1].sum(axis=1), counts[:, -1])) + LOOKING_PRIOR
    looks, grade = _expected_log(looking), _expected_log(strategy)
    chances, after, bound = _mace_expectation(
        answers, (grade + looks[:, :1]).reshape(-1), looks[:, 1]
    )
    height = (
        bound
        - _divergence(looking, looks, LOOKING_PRIOR)
        - _divergence(strategy, grade, STRATEGY_PRIOR)
    )
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
    return FitIteration(shares, after, chances, _even_prior(answers), tables, likelihood, height)


def _expected_log(counts: Floats) -> Floats:
    """Return E[log p] of Dirichlet distributions with these counts."""
    expected: Floats = scipy.special.digamma(counts) - scipy.special.digamma(
        counts.sum(axis=1, keepdims=True)
    )
    return expected


def _divergence(counts: Floats, logarithms: Floats, prior: float) -> float:
    """Return the Kullback–Leibler divergence of Dirichlet distributions from a symmetric prior."""
    kinds, gamma = counts.shape[1], scipy.special.gammaln
    apart = (
        gamma(counts.sum(axis=1))
        - gamma(counts).sum(axis=1)
        - gamma(kinds * prior)
        + kinds * gamma(prior)
    )
    return float((apart + ((counts - prior) * logarithms).sum(axis=1)).sum())


def _even_prior(answers: _ItemLabels) -> Floats:
    return np.full(answers.grades, 1 / answers.grades)
