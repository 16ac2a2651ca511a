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

# Consensus by models of the workers, fitted by expectation maximisation: Dawid and Skene's, and the one-coin model.

MAX_SECONDS = 120.0
# So many plain rounds settle which maximum is climbed before longer steps are tried.
MIN_PLAIN_ITERATIONS = 20
TOLERANCE = 1e-7
DECIMALS = 12


@dataclass(frozen=True, slots=True)
class FitOptions:
    """How a model is fitted."""

    # imagined labels: so many in each cell of each worker's table (Dawid-Skene), or so many right and wrong (one-coin). 0 for none. GLAD
    # and MACE have priors of their own.
    smoothing: float = 1.0
    iterations: int | None = None  # at most; None for as many as it takes within `seconds`
    tolerance: float = TOLERANCE  # it is done when no probability of a grade moves by more
    seconds: float = (
        MAX_SECONDS  # where it has not come to rest after so long, it ends and says so; more than 0
    )
    progress: Progress = SILENT  # told after each iteration; the work stops when it is cancelled


@dataclass(frozen=True, slots=True, eq=False)
class FittedModel:
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


def dawid_skene(labels: Labels, fitting: FitOptions | None = None) -> FittedModel:
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
    >>> from irjudge.model import make_labels
    >>> rows = [(f"d{item}", name, item % 2) for item in range(6) for name in ("ann", "bob")]
    >>> found = dawid_skene(make_labels([*rows, *((f"d{item}", "cem", 1) for item in range(6))]))
    >>> found.chances.argmax(axis=1).tolist(), found.converged
    ([0, 1, 0, 1, 0, 1], True)
    """
    return _fit(labels, fitting or FitOptions(), _confusion_tables)


def one_coin(labels: Labels, fitting: FitOptions | None = None) -> FittedModel:
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
    return _fit(labels, fitting or FitOptions(), _one_coin_tables)


def accuracies(fitted: FittedModel) -> Floats:
    """Return how often each worker is right where grades are as frequent as the model says, shape (W,)."""
    right: Floats = np.einsum("wkk,k->w", fitted.tables, fitted.prior)
    return right


def _fit(labels: Labels, fitting: FitOptions, maximise: Maximise) -> FittedModel:
    grades, workers = len(labels.scale), len(labels.workers)
    graded = labels.label >= 0
    cells = labels.worker[graded].astype(np.int64) * grades + labels.label[graded]
    given = scipy.sparse.csr_array(
        (np.ones(len(cells)), (labels.item[graded], cells)),
        shape=(len(labels.items), workers * grades),
    )  # equal cells are added up
    chances = _initial_chances(labels)
    known = labels.gold >= 0 if labels.gold is not None else np.zeros(len(chances), dtype=bool)

    def step(chances: Floats) -> FitIteration:
        prior, tables, weight = _maximisation(chances, given, fitting.smoothing, maximise)
        after, likelihood = _expectation(given, prior, tables, chances, known)
        return FitIteration(chances, after, after, prior, tables, likelihood, likelihood + weight)

    return run_em(chances, step, fitting)


@dataclass(frozen=True, slots=True, eq=False)
class FitIteration:
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


def run_em(
    start: Floats, step: Callable[[Floats], FitIteration], fitting: FitOptions
) -> FittedModel:
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
        longer = step(_extrapolate(at, follows)) if len(heights) > MIN_PLAIN_ITERATIONS else follows
        at = longer if longer.height >= follows.height else follows
    rests = at.moved < fitting.tolerance
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
    return found.round(DECIMALS)


def count_unsettled(chances: Floats, earlier: Floats) -> int:
    """Return how many items lead by less than twice what their chances moved since."""
    if chances.shape[1] < 2:
        return 0
    ordered = np.sort(chances, axis=1)
    return int((ordered[:, -1] - ordered[:, -2] < 2 * np.abs(chances - earlier).max(axis=1)).sum())


def _initial_chances(labels: Labels) -> Floats:
    """Return the shares of each item's labels; known answers are certain, and items without a grade have the shares of all."""
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
    )  # worker, true, answer
    tables, weight = maximise(answered, smoothing)
    prior = (
        chances.mean(axis=0) if len(chances) else np.full(grades, 1 / grades)
    )  # without items no grade is likelier than another
    return prior, tables, weight


def _expectation(
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
    return np.round(parts / sums, DECIMALS), float((np.log(sums) + highest).sum())


def _confusion_tables(answered: Floats, smoothing: float) -> tuple[Floats, float]:
    filled = answered + smoothing
    sums = filled.sum(axis=2, keepdims=True)
    # A worker of whom nothing is known where a grade is true answers anything.
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


# Consensus by models of why a label is wrong: items that are difficult (GLAD), and workers who do not look (MACE).

LOOKING_PRIOR = 0.5  # MACE's Beta prior of both: a worker looks, or does not
STRATEGY_PRIOR = 10.0  # MACE's Dirichlet prior of each grade that a worker gives without looking
GLAD_TOLERANCE = 1e-15  # GLAD ends when a round gains less, as a share of the height


@dataclass(frozen=True, slots=True, eq=False)
class _ItemLabels:
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
    >>> from irjudge.model import make_labels
    >>> rows = [(f"d{item}", name, item % 2) for item in range(6) for name in ("ann", "bob")]
    >>> found = glad(make_labels([*rows, *((f"d{item}", "cem", 1) for item in range(6))]))
    >>> found.chances.argmax(axis=1).tolist(), found.converged
    ([0, 1, 0, 1, 0, 1], True)
    """
    answers, fitting = _item_labels(labels), fitting or FitOptions()
    found = _maximise_by_ascent(
        np.ones(answers.workers + answers.items), lambda at: _glad_likelihood(answers, at), fitting
    )
    chances, likelihood, _, _ = _glad_likelihood(answers, found.at)
    earlier = _glad_likelihood(answers, found.earlier)[0]
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
    open_items = 0 if found.rests else count_unsettled(chances, earlier)
    return FittedModel(
        chances,
        _even_prior(answers),
        tables,
        tuple(found.heights),
        likelihood,
        found.rests,
        open_items,
    )


def _glad_likelihood(answers: _ItemLabels, at: Floats) -> tuple[Floats, float, float, Floats]:
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
    return chances, likelihood, likelihood - float(((at - 1) ** 2).sum()) / 2, slope.round(DECIMALS)


@dataclass(slots=True)
class _AscentState:
    """Where a climb ended, where it was at half of the rounds or before, its heights, and whether it came to rest."""

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
            "ftol": GLAD_TOLERANCE if fitting.tolerance else 0.0,
        }
        found = scipy.optimize.minimize(
            lower, start, jac=True, method="L-BFGS-B", callback=after_each, options=options
        )
        ascent.at, ascent.rests = found.x, bool(found.success)
    return ascent


def mace(labels: Labels, fitting: FitOptions | None = None) -> FittedModel:
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


def _even_prior(answers: _ItemLabels) -> Floats:
    return np.full(answers.grades, 1 / answers.grades)
