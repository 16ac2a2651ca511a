"""Annotator models and their fitting: Dawid–Skene, one-coin, GLAD and MACE."""

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
# number of plain EM iterations before accelerated ones, so that the fit reaches the same local
# maximum as without acceleration
MIN_PLAIN_ITERATIONS = 20
TOLERANCE = 1e-7
DECIMALS = 12


@dataclass(frozen=True, slots=True)
class FitOptions:
    """Options for fitting an annotator model: smoothing, tolerance, limits and progress.

    The limits are a maximum number of iterations and a maximum time in seconds.
    """

    # pseudo-count that is added to each cell of a worker's table (Dawid-Skene), or to a worker's
    # counts of right and of wrong answers (one-coin); 0 for no smoothing. GLAD and MACE have their
    # own priors.
    smoothing: float = 1.0
    # maximum number of iterations; if None, only `seconds` limits the fit
    iterations: int | None = None
    # for models fitted by EM: the fit has converged if all probabilities change by less than this
    # value in an iteration; for GLAD: tolerance of the gradient
    tolerance: float = TOLERANCE
    seconds: float = MAX_SECONDS  # maximum time of the fit in seconds, above 0
    progress: Progress = SILENT  # receives the number of iterations, and can cancel the fit


@dataclass(frozen=True, slots=True, eq=False)
class FittedModel:
    """Result of fitting an annotator model to labels of I items by W workers, with K grades."""

    # posterior probability of each grade of each item, shape (I, K); for an item without labels, it
    # is the prior
    probabilities: Floats
    prior: Floats  # probability of each grade as the true grade of an item, shape (K,)
    # probability of each label (column) by each worker for each true grade (row), shape (W, K, K)
    tables: Floats
    # value that the fit maximises, after each iteration; never decreases. It is the log-likelihood
    # plus the log prior of the parameters or, for MACE, a variational lower bound.
    likelihoods: tuple[float, ...]
    log_likelihood: float  # final log-likelihood of the labels alone
    converged: bool  # whether the fit converged before it reached a limit
    # number of items whose most likely grade could change with more iterations; 0 if the fit
    # converged
    unsettled: int = 0


# Function that returns the most likely confusion tables and the log prior of the smoothing. Its
# arguments are the expected counts of answers (columns) for each true grade (rows), shape
# (W, K, K), and the smoothing.
Maximise: TypeAlias = Callable[[Floats, float], tuple[Floats, float]]


def dawid_skene(labels: Labels, fitting: FitOptions | None = None) -> FittedModel:
    """Fit a confusion matrix for each worker (Dawid and Skene).

    Parameters
    ----------
    labels
        All rows are used, including repeats by a worker; unjudgeable labels are ignored. Gold items
        keep their gold grade.
    fitting
        Options of the fit; None for the default.

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
    >>> fitted = dawid_skene(make_labels([*rows, *((f"d{item}", "cem", 1) for item in range(6))]))
    >>> fitted.probabilities.argmax(axis=1).tolist(), fitted.converged
    ([0, 1, 0, 1, 0, 1], True)
    """
    return _fit(labels, fitting or FitOptions(), _compute_confusion_tables)


def one_coin(labels: Labels, fitting: FitOptions | None = None) -> FittedModel:
    """Fit one accuracy per worker, with errors evenly distributed over the other grades.

    Parameters and result are those of `dawid_skene`.

    Notes
    -----
    crowd-kit stops when the quantity that it monitors decreases, although that quantity is not a
    bound on this likelihood. For a set of 15,567 labels it stops after two iterations, at a
    log-likelihood of -22,229.2 without smoothing; this function converges to -22,204.4, even if it
    starts from crowd-kit's result.

    References
    ----------
    Zhang, Chen, Zhou and Jordan (2016), Spectral methods meet EM, JMLR 17, for the name and the model.
    """
    return _fit(labels, fitting or FitOptions(), _compute_one_coin_tables)


def _fit(labels: Labels, fitting: FitOptions, maximise: Maximise) -> FittedModel:
    grades, workers = len(labels.scale), len(labels.workers)
    graded = labels.label >= 0
    cells = labels.worker[graded].astype(np.int64) * grades + labels.label[graded]
    answer_matrix = scipy.sparse.csr_array(
        (np.ones(len(cells)), (labels.item[graded], cells)),
        shape=(len(labels.items), workers * grades),
    )  # values with the same row and column are added
    probabilities = _compute_initial_probabilities(labels)
    has_gold = (
        labels.gold >= 0 if labels.gold is not None else np.zeros(len(probabilities), dtype=bool)
    )

    def step(probabilities: Floats) -> FitIteration:
        prior, tables, weight = _run_m_step(
            probabilities, answer_matrix, fitting.smoothing, maximise
        )
        updated_probabilities, likelihood = _run_e_step(
            answer_matrix, prior, tables, probabilities, has_gold
        )
        return FitIteration(
            probabilities,
            updated_probabilities,
            updated_probabilities,
            prior,
            tables,
            likelihood,
            likelihood + weight,
        )

    return run_em(probabilities, step, fitting)


@dataclass(frozen=True, slots=True, eq=False)
class FitIteration:
    """State of a fit after one EM iteration: iterated values, parameters and log-likelihood.

    The iterated values, `before` and `after` the iteration, are the probabilities of grades or, for
    MACE, the expected shares of inattentive labels (by grade) and attentive labels of each worker.
    """

    before: Floats
    after: Floats
    # as in `FittedModel`; for models that iterate on probabilities, they are equal to `after`
    probabilities: Floats
    prior: Floats  # as in `FittedModel`
    tables: Floats  # as in `FittedModel`
    likelihood: float  # log-likelihood of the labels alone
    # maximised value: log-likelihood plus log prior or, for MACE, the variational lower bound
    objective: float

    @property
    def largest_change(self) -> float:
        """Largest absolute change of an iterated value in this iteration."""
        return float(np.abs(self.after - self.before).max(initial=0.0))


def run_em(
    start: Floats, step: Callable[[Floats], FitIteration], fitting: FitOptions
) -> FittedModel:
    """Iterate EM steps, accelerated by SQUAREM, until convergence or a limit of the options."""
    objectives: list[float] = []
    deadline = monotonic() + fitting.seconds
    current = step(start)
    earlier = later = current.probabilities
    while True:
        objectives.append(current.objective)
        fitting.progress.step(
            len(objectives), fitting.iterations, Message("Fitting the assessor model")
        )
        is_last_iteration = fitting.iterations is not None and len(objectives) >= fitting.iterations
        if (
            current.largest_change < fitting.tolerance
            or is_last_iteration
            or monotonic() > deadline
        ):
            break
        # After iterations 1, 2, 4, 8 …, the probabilities are stored as `later`, and the previous
        # ones as `earlier`. Therefore `earlier` is from the first half of the iterations.
        if len(objectives).bit_count() == 1:
            earlier, later = later, current.probabilities
        next_iteration = step(current.after)
        accelerated_iteration = (
            step(_extrapolate(current, next_iteration))
            if len(objectives) > MIN_PLAIN_ITERATIONS
            else next_iteration
        )
        current = (
            accelerated_iteration
            if accelerated_iteration.objective >= next_iteration.objective
            else next_iteration
        )
    is_converged = current.largest_change < fitting.tolerance
    return FittedModel(
        current.probabilities,
        current.prior,
        current.tables,
        tuple(objectives),
        current.likelihood,
        is_converged,
        0 if is_converged else count_unsettled(current.probabilities, earlier),
    )


def _extrapolate(first: FitIteration, second: FitIteration) -> Floats:
    """Return the iterated values extrapolated from two successive iterations.

    References
    ----------
    Varadhan and Roland (2008), Simple and globally convergent methods for accelerating the
    convergence of any EM algorithm, Scandinavian Journal of Statistics 35, 335–353: the scheme with
    the step length |r| / |v|.
    """
    step, second_difference = (
        first.after - first.before,
        second.after - 2 * first.after + first.before,
    )
    length = max(
        1.0, float(np.linalg.norm(step)) / max(float(np.linalg.norm(second_difference)), 1e-300)
    )
    extrapolated_values = np.clip(
        first.before + 2 * length * step + length**2 * second_difference, 0, 1
    )
    sums = extrapolated_values.sum(axis=1, keepdims=True)
    return np.where(
        sums > 0, extrapolated_values / np.where(sums > 0, sums, 1.0), second.after
    ).round(DECIMALS)


def count_unsettled(probabilities: Floats, earlier_probabilities: Floats) -> int:
    """Return the number of items whose most likely grade may still change.

    These are the items whose highest probability exceeds the second highest by less than twice the
    largest change of the item's probabilities since `earlier_probabilities`.
    """
    if probabilities.shape[1] < 2:
        return 0
    ascending_probabilities = np.sort(probabilities, axis=1)
    return int(
        (
            ascending_probabilities[:, -1] - ascending_probabilities[:, -2]
            < 2 * np.abs(probabilities - earlier_probabilities).max(axis=1)
        ).sum()
    )


def _compute_initial_probabilities(labels: Labels) -> Floats:
    """Return the share of each grade among the labels of each item.

    Gold grades have probability 1, and unlabelled items get the shares among all labels.
    """
    counts = labels.count_grades().astype(np.float64)
    label_counts = counts.sum(axis=1)
    counts[label_counts == 0] = counts.sum(axis=0) if label_counts.any() else 1.0
    probabilities: Floats = counts / counts.sum(axis=1, keepdims=True)
    if labels.gold is not None:
        probabilities[labels.gold >= 0] = np.eye(probabilities.shape[1])[
            labels.gold[labels.gold >= 0]
        ]
    return probabilities


def _run_m_step(
    probabilities: Floats, answer_matrix: Any, smoothing: float, maximise: Maximise
) -> tuple[Floats, Floats, float]:
    grades = probabilities.shape[1]
    # axes: worker, true grade, answer
    answer_counts = (answer_matrix.T @ probabilities).reshape(-1, grades, grades).swapaxes(1, 2)
    tables, weight = maximise(answer_counts, smoothing)
    # the prior is uniform if there are no items
    prior = probabilities.mean(axis=0) if len(probabilities) else np.full(grades, 1 / grades)
    return prior, tables, weight


def _run_e_step(
    answer_matrix: Any, prior: Floats, tables: Floats, previous: Floats, has_gold: Any
) -> tuple[Floats, float]:
    """Return the posterior probabilities of grades, shape (I, K), and the labels' log-likelihood.

    `previous` are the probabilities before this step; gold grades keep the probability 1.
    """
    grades = len(prior)
    with np.errstate(divide="ignore"):
        logs = answer_matrix @ np.log(tables).swapaxes(1, 2).reshape(-1, grades) + np.log(prior)
    logs = np.where(has_gold[:, None], np.where(previous == 1, logs, -np.inf), logs)
    largest_log = logs.max(axis=1, keepdims=True)
    likelihoods = np.exp(logs - largest_log)
    sums = likelihoods.sum(axis=1, keepdims=True)
    # Rounded to preserve ties: the last digits depend on the order of rows, and each iteration
    # would amplify their differences.
    return np.round(likelihoods / sums, DECIMALS), float((np.log(sums) + largest_log).sum())


def _compute_confusion_tables(answer_counts: Floats, smoothing: float) -> tuple[Floats, float]:
    smoothed_counts = answer_counts + smoothing
    sums = smoothed_counts.sum(axis=2, keepdims=True)
    # A worker without labels for a true grade is assumed to answer uniformly
    tables = np.divide(
        smoothed_counts,
        sums,
        out=np.full_like(smoothed_counts, 1 / smoothed_counts.shape[2]),
        where=sums > 0,
    )
    return tables, smoothing * float(np.log(tables).sum()) if smoothing else 0.0


def _compute_one_coin_tables(answer_counts: Floats, smoothing: float) -> tuple[Floats, float]:
    grades = answer_counts.shape[1]
    right_counts = np.einsum("wkk->w", answer_counts) + smoothing
    total = answer_counts.sum(axis=(1, 2)) + 2 * smoothing
    share = np.divide(right_counts, total, out=np.full(len(total), 0.5), where=total > 0)
    if grades == 1:
        return np.ones_like(answer_counts), 0.0
    is_diagonal = np.eye(grades)
    tables = share[:, None, None] * is_diagonal + ((1 - share) / (grades - 1))[:, None, None] * (
        1 - is_diagonal
    )
    return tables, smoothing * float(
        (np.log(share) + np.log(1 - share)).sum()
    ) if smoothing else 0.0


# Models of the causes of errors: difficult items (GLAD) and inattentive workers (MACE)

ATTENTION_PRIOR = 0.5  # parameter of MACE's Beta prior of attention
STRATEGY_PRIOR = 10.0  # parameter of MACE's Dirichlet prior of grades given without attention
GLAD_TOLERANCE = 1e-15  # relative gain of the objective below which GLAD has converged


@dataclass(frozen=True, slots=True, eq=False)
class _ItemLabels:
    """Table of the judgeable labels for GLAD and MACE; items and workers are codes."""

    item: Longs
    worker: Longs
    label: Longs
    items: int
    workers: int
    grades: int
    # mask of the grades that each item may have, shape (I, K): only the gold grade, if there is one
    possible_grades: Flags

    def sum_by_item(self, values: Floats) -> Floats:
        return np.bincount(self.item, values, self.items).astype(np.float64)

    def sum_by_worker(self, values: Floats | None = None) -> Floats:
        return np.bincount(self.worker, values, self.workers).astype(np.float64)

    def compute_probabilities(self, log_wrong: Floats, log_right: Floats) -> tuple[Floats, float]:
        """Return the posterior probabilities of grades, shape (I, K), and the log-likelihood.

        `log_wrong` is the log-probability of each label if the label is wrong, and `log_right` its
        log-probability if the label is right.
        """
        cells = np.bincount(
            self.item * self.grades + self.label, log_right - log_wrong, self.items * self.grades
        )
        logs = (
            cells.reshape(-1, self.grades)
            + self.sum_by_item(log_wrong)[:, None]
            - np.log(self.grades)
        )
        logs = np.where(self.possible_grades, logs, -np.inf)
        largest_log = logs.max(axis=1, keepdims=True)
        likelihoods = np.exp(logs - largest_log)
        sums = likelihoods.sum(axis=1, keepdims=True)
        # rounded to preserve ties, see `_run_e_step`
        return (likelihoods / sums).round(DECIMALS), float((np.log(sums) + largest_log).sum())


def _make_item_labels(labels: Labels) -> _ItemLabels:
    graded = labels.label >= 0
    item, worker, label = (
        column[graded].astype(np.int64) for column in (labels.item, labels.worker, labels.label)
    )
    grades = len(labels.scale)
    is_possible = np.ones((len(labels.items), grades), dtype=bool)
    if labels.gold is not None:
        is_possible[labels.gold >= 0] = np.eye(grades, dtype=bool)[labels.gold[labels.gold >= 0]]
    return _ItemLabels(
        item, worker, label, len(labels.items), len(labels.workers), grades, is_possible
    )


def glad(labels: Labels, fitting: FitOptions | None = None) -> FittedModel:
    """Fit an ability for each worker and a difficulty for each item (GLAD).

    Parameters
    ----------
    labels
        Rows as for `dawid_skene`.
    fitting
        None for the default. Smoothing is ignored: abilities and the logarithms of ease have normal
        priors with mean 1 and variance 1.

    Returns
    -------
    FittedModel
        A local maximum of the posterior, reached from abilities and logarithms of ease of 1. The
        prior of grades is uniform. Tables contain each worker's probability of a correct label,
        averaged over the worker's labels.

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
    >>> fitted = glad(make_labels([*rows, *((f"d{item}", "cem", 1) for item in range(6))]))
    >>> fitted.probabilities.argmax(axis=1).tolist(), fitted.converged
    ([0, 1, 0, 1, 0, 1], True)
    """
    answers, fitting = _make_item_labels(labels), fitting or FitOptions()
    ascent = _maximise_by_ascent(
        np.ones(answers.workers + answers.items),
        lambda parameters: _compute_glad_likelihood(answers, parameters),
        fitting,
    )
    probabilities, likelihood, _, _ = _compute_glad_likelihood(answers, ascent.position)
    earlier = _compute_glad_likelihood(answers, ascent.earlier)[0]
    ability, ease = np.split(ascent.position, [answers.workers])
    right_probability = scipy.special.expit(ability[answers.worker] * np.exp(ease[answers.item]))
    answer_counts = answers.sum_by_worker()
    share = np.divide(
        answers.sum_by_worker(right_probability),
        answer_counts,
        out=scipy.special.expit(ability * np.e),
        where=answer_counts > 0,
    )
    is_diagonal = np.eye(answers.grades)
    tables = share[:, None, None] * is_diagonal + ((1 - share) / max(answers.grades - 1, 1))[
        :, None, None
    ] * (1 - is_diagonal)
    if answers.grades == 1:
        tables = np.ones_like(tables)
    return FittedModel(
        probabilities,
        np.full(answers.grades, 1 / answers.grades),
        tables,
        tuple(ascent.objectives),
        likelihood,
        ascent.is_converged,
        0 if ascent.is_converged else count_unsettled(probabilities, earlier),
    )


def _compute_glad_likelihood(
    answers: _ItemLabels, parameters: Floats
) -> tuple[Floats, float, float, Floats]:
    """Return the grades' probabilities, the log-likelihood, the log-posterior and its gradient.

    `parameters` are the workers' abilities, then the logarithms of the items' ease.
    """
    ability, log_ease = np.split(parameters, [answers.workers])
    ease_factor = np.exp(np.minimum(log_ease, 50.0))[answers.item]
    strength = ability[answers.worker] * ease_factor
    log_wrong = -np.logaddexp(0, strength)
    probabilities, likelihood = answers.compute_probabilities(
        log_wrong - np.log(max(answers.grades - 1, 1)), strength + log_wrong
    )
    residual = (
        probabilities[answers.item, answers.label] - scipy.special.expit(strength)
    ) * ease_factor
    slope = np.concatenate(
        (answers.sum_by_worker(residual), answers.sum_by_item(residual * ability[answers.worker]))
    ) - (parameters - 1)
    return (
        probabilities,
        likelihood,
        likelihood - float(((parameters - 1) ** 2).sum()) / 2,
        slope.round(DECIMALS),
    )


@dataclass(slots=True)
class _AscentState:
    """Progress and result of a gradient ascent.

    It contains the last position, a position from the first half of the iterations, the value of
    the objective after each iteration, and whether the ascent converged.
    """

    position: Floats
    earlier: Floats
    objectives: list[float]
    is_converged: bool = True


def _maximise_by_ascent(
    start: Floats,
    evaluate: Callable[[Floats], tuple[Floats, float, float, Floats]],
    fitting: FitOptions,
) -> _AscentState:
    ascent = _AscentState(start, start, [evaluate(start)[2]])
    later = start
    deadline = monotonic() + fitting.seconds

    def compute_loss(position: Floats) -> tuple[float, Floats]:
        _, _, objective, slope = evaluate(position)
        return -objective, -slope

    def record_iteration(intermediate_result: scipy.optimize.OptimizeResult) -> None:
        nonlocal later
        ascent.objectives.append(-float(intermediate_result.fun))
        iteration = len(ascent.objectives) - 1
        fitting.progress.step(iteration, fitting.iterations, Message("Fitting the assessor model"))
        if iteration.bit_count() == 1:
            ascent.earlier, later = later, intermediate_result.x.copy()
        if monotonic() > deadline:
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
            compute_loss,
            start,
            jac=True,
            method="L-BFGS-B",
            callback=record_iteration,
            options=options,
        )
        ascent.position, ascent.is_converged = optimum.x, bool(optimum.success)
    return ascent


def mace(labels: Labels, fitting: FitOptions | None = None) -> FittedModel:
    """Fit each worker's attention, and the grades that the worker gives inattentively (MACE).

    Parameters
    ----------
    labels
        Rows as for `dawid_skene`.
    fitting
        None for the default. Smoothing is ignored: the priors are Beta(.5, .5) for attention, and
        Dirichlet(10, …) for grades.

    Returns
    -------
    FittedModel
        Model fitted by variational Bayes. The initial values are the same for every worker:
        attentive half of the time, and all grades equally often otherwise. Therefore the result is
        deterministic. The prior of grades is uniform. `likelihoods` contains the bound that is
        maximised. Tables are computed from posterior means.

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
    >>> fitted = mace(make_labels([*rows, *((f"d{item}", "cem", 1) for item in range(6))]))
    >>> fitted.probabilities.argmax(axis=1).tolist(), fitted.converged
    ([0, 1, 0, 1, 0, 1], True)
    """
    answers = _make_item_labels(labels)
    log_uniform = np.full(answers.workers * answers.grades, -np.log(2 * answers.grades))
    start = _run_mace_e_step(answers, log_uniform, np.full(answers.workers, -np.log(2)))[1]
    return run_em(
        start, lambda shares: _run_mace_iteration(answers, shares), fitting or FitOptions()
    )


def _run_mace_e_step(
    answers: _ItemLabels, log_strategy: Floats, log_attention: Floats
) -> tuple[Floats, Floats, float]:
    """Return probabilities of grades, shares of attentive and other labels, and log-likelihood.

    The probabilities are posterior. The shares, shape (W, K + 1), are expected shares of each
    worker's labels: inattentive labels, with a column for each grade, and attentive labels, in the
    last column.
    `log_strategy`, shape (W K,), is the log-probability that a worker is inattentive and gives a
    grade. `log_attention`, shape (W,), is the log-probability that a worker is attentive.
    """
    cell_codes = answers.worker * answers.grades + answers.label
    log_guess, log_attentive = log_strategy[cell_codes], log_attention[answers.worker]
    log_right = np.logaddexp(log_guess, log_attentive)
    probabilities, likelihood = answers.compute_probabilities(log_guess, log_right)
    attention = probabilities[answers.item, answers.label] * np.exp(log_attentive - log_right)
    inattentive_counts = np.bincount(
        cell_codes, 1 - attention, answers.workers * answers.grades
    ).reshape(-1, answers.grades)
    counts = np.column_stack((inattentive_counts, answers.sum_by_worker(attention)))
    label_counts = answers.sum_by_worker()[:, None]
    shares = np.divide(
        counts,
        label_counts,
        out=np.full_like(counts, 1 / (answers.grades + 1)),
        where=label_counts > 0,
    )
    return probabilities, shares.round(DECIMALS), likelihood


def _run_mace_iteration(answers: _ItemLabels, shares: Floats) -> FitIteration:
    counts = shares * answers.sum_by_worker()[:, None]
    strategy_counts = counts[:, :-1] + STRATEGY_PRIOR
    attention_counts = (
        np.column_stack((counts[:, :-1].sum(axis=1), counts[:, -1])) + ATTENTION_PRIOR
    )
    log_attention, log_strategy = (
        _compute_expected_log(attention_counts),
        _compute_expected_log(strategy_counts),
    )
    probabilities, updated_shares, bound = _run_mace_e_step(
        answers, (log_strategy + log_attention[:, :1]).reshape(-1), log_attention[:, 1]
    )
    objective = (
        bound
        - _compute_divergence(attention_counts, log_attention, ATTENTION_PRIOR)
        - _compute_divergence(strategy_counts, log_strategy, STRATEGY_PRIOR)
    )
    mean_attention, mean_grade = (
        count / count.sum(axis=1, keepdims=True) for count in (attention_counts, strategy_counts)
    )
    tables = (
        mean_attention[:, 1, None, None] * np.eye(answers.grades)
        + (mean_attention[:, :1] * mean_grade)[:, None, :]
    )
    log_probabilities = np.log(tables[answers.worker, :, answers.label])
    logs = np.stack(
        [answers.sum_by_item(column) for column in log_probabilities.T], axis=1
    ) - np.log(answers.grades)
    likelihood = float(
        scipy.special.logsumexp(np.where(answers.possible_grades, logs, -np.inf), axis=1).sum()
    )
    return FitIteration(
        shares,
        updated_shares,
        probabilities,
        np.full(answers.grades, 1 / answers.grades),
        tables,
        likelihood,
        objective,
    )


def _compute_expected_log(counts: Floats) -> Floats:
    """Return E[log p] for Dirichlet distributions whose parameters are `counts`, one per row."""
    expected: Floats = scipy.special.digamma(counts) - scipy.special.digamma(
        counts.sum(axis=1, keepdims=True)
    )
    return expected


def _compute_divergence(counts: Floats, logarithms: Floats, prior: float) -> float:
    """Return the Kullback–Leibler divergence from a symmetric Dirichlet prior, summed over rows.

    `counts` are the parameters of Dirichlet distributions, and `logarithms` their E[log p].
    """
    kinds, gamma = counts.shape[1], scipy.special.gammaln
    divergence = (
        gamma(counts.sum(axis=1))
        - gamma(counts).sum(axis=1)
        - gamma(kinds * prior)
        + kinds * gamma(prior)
    )
    return float((divergence + ((counts - prior) * logarithms).sum(axis=1)).sum())
