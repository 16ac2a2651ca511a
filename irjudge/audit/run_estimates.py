"""Estimates of the values of runs from a sampled pool, with or without labels by a model."""

from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import astuple, dataclass, field, replace
from pathlib import Path
from typing import Annotated, Literal, cast, get_args

import numpy as np

from irjudge.audit.judge_audit import JudgeAudit, audit_judge, read_audit_material
from irjudge.errors import IrjudgeError, ProjectError
from irjudge.evaluation import (
    INTERVAL_COLUMNS,
    VALUE_COLUMNS,
    IntervalRequest,
    JudgedPool,
    PerTopicOption,
    Policy,
    QrelsRequest,
    RelOption,
    ResultTable,
    TiesOption,
    TopicsOption,
    add_warnings_to_errors,
    estimate_runs,
    evaluate_runs,
    parse_measures,
    read_judged_pool,
)
from irjudge.exchange import read_model_grades
from irjudge.judging import (
    find_human_qrels,
    list_qrels_rows,
    read_model_judgments,
    select_qrels,
)
from irjudge.message import Message
from irjudge.metrics import Cell, Measure, discounts, gains
from irjudge.model import (
    TIES,
    UNJUDGEABLE,
    UNJUDGED,
    Flags,
    Floats,
    Longs,
    Pair,
    Pool,
    Run,
    Ties,
    make_qrels,
    merge_subtopic_grades,
    ranking_order,
    select_topics,
    topic_of_each_row,
)
from irjudge.options import Option, describe_choices
from irjudge.pooling import (
    ESTIMATES,
    PLAN_DEPTH,
    PLAN_STRATEGY,
    JudgePlanOptions,
    expected_grade_deviation,
    plan_pool,
    sampling_probabilities,
)
from irjudge.progress import SILENT, Progress
from irjudge.stats import (
    GUESSES,
    GUESSES_MEAN,
    MIN_LABELS,
    TOPICS_ARE,
    TOPICS_ARE_MEAN,
    Guess,
    SampledLabels,
    TopicsAre,
    expected_margin,
    lacks_sample,
    linear_estimates,
    spread_by_grade,
)
from irjudge.store import Project, is_project, open_project

LINEAR_MEASURES = ("P", "DCG")  # measures that are linear functions of the labels
DEFAULT_ESTIMATE_MEASURES = ("P@10", "DCG@10")
SHARE_OF_MAXIMUM_TITLE = "{measure} of the maximum"
# strategy for which inclusion probabilities depend on earlier judgments
ADAPTIVE_STRATEGY = "active"
# values of `RunEstimate.kind`; the command line prints them
ESTIMATE, TOO_FEW, APPROXIMATION = "estimate", "too few labels", "approximation"
# numbers of documents in the plans for which intervals are forecast
FORECAST_SIZES = (50, 100, 200, 400, 800, 1600, 3200)


@dataclass(frozen=True, slots=True)
class RunEstimateOptions:
    """Options for estimating values of runs from a model's grades and a sample of judgments.

    The options are measures, policy, how topics were chosen, and the method that predicts assessor
    grades from model grades (`guess`). With a baseline, differences from this run are estimated
    instead of values. Runs, grades and sample are separate arguments.
    """

    measures: tuple[Measure, ...]
    policy: Policy = Policy()  # noqa: RUF009 -- it never changes
    guess: Guess = "calibrated"
    topics: TopicsAre = "fixed"
    # with `topics="drawn"`, number of topics from which the judged topics were sampled; else None
    out_of: int | None = None
    of_maximum: bool = False  # whether to divide DCG by its maximum on the scale
    # run with which the other runs are compared; if given, differences from it are estimated
    baseline: str | None = None
    seed: int = 0  # seed for dividing the judgments randomly into folds


@dataclass(frozen=True, slots=True)
class RunEstimate:
    """Value of a measure for one run, estimated from sampled judgments and a model's grades.

    The value is a mean over topics. If there is a baseline, the value is the difference from the
    baseline's value. Measures that are not linear functions of the labels are only approximated,
    without an interval. `too_few` is set if the interval covers more than half of all possible
    values.
    """

    run: str
    measure: str
    value: float
    # ends of the 95 % interval; None for an approximation
    low: float | None
    high: float | None
    too_few: bool = False  # whether the interval covers more than half of all possible values

    @property
    def kind(self) -> str:
        """Kind of value: an estimate, an estimate from too few labels, or an approximation."""
        if self.low is None:
            return APPROXIMATION
        return TOO_FEW if self.too_few else ESTIMATE


@dataclass(frozen=True, slots=True, eq=False)
class PlanUniverse:
    """Table of the D documents that could be sampled for a pool, with their grades.

    The functions that estimate values of runs and forecast intervals use it. The pool is a judging
    plan or another random sample. A row is a document of a topic: first the
    sampled documents, then the others. The grades are by the model and, for judged documents, by
    assessors. All documents have an inclusion probability.
    """

    strategy: str  # name of the strategy that built the pool
    topics: tuple[str, ...]  # topic ids
    pairs: tuple[Pair, ...]
    topic: Longs  # index in `topics` for each document, shape (D,)
    code: Longs  # model grade of each document plus 1, shape (D,); 0 without such a grade
    # assessors' grade of each document, shape (D,); `UNJUDGEABLE`, or -1 if unjudged
    assessor_grade: Longs
    is_sampled: Flags  # whether each document was sampled, shape (D,)
    # inclusion probability of each document, sampled or not, shape (D,)
    probability: Floats
    highest_grade: int  # highest grade of the scale

    @property
    def waiting(self) -> int:
        """Number of sampled documents that are not judged yet."""
        return int((self.is_sampled & (self.assessor_grade == -1)).sum())

    def select_topics(self, selection: str) -> "PlanUniverse":
        """Return the documents of the selected topics, such as `1, 401-405`; all if it is empty.

        Raises IrjudgeError if a topic is not in the pool.
        """
        if not selection:
            return self
        selected_topics = select_topics(selection, self.topics)
        new_codes = {topic: code for code, topic in enumerate(selected_topics)}
        code_of_topic = np.array(
            [new_codes.get(topic, -1) for topic in self.topics], dtype=np.int64
        )
        topic = code_of_topic[self.topic]
        rows = np.flatnonzero(topic >= 0)
        return replace(
            self,
            topics=selected_topics,
            pairs=tuple(self.pairs[row] for row in rows.tolist()),
            topic=topic[rows],
            code=self.code[rows],
            assessor_grade=self.assessor_grade[rows],
            is_sampled=self.is_sampled[rows],
            probability=self.probability[rows],
        )


def make_plan_universe(
    pool: Pool,
    assessor_grades: Mapping[Pair, int],
    model: Mapping[Pair, int],
    *,
    highest_grade: int,
) -> PlanUniverse:
    """Return the documents that a judging plan could sample, with their grades.

    Raises
    ------
    IrjudgeError
        If the pool is not a sample, if its inclusion probabilities depend on earlier judgments, or
        if those of documents not sampled are unknown.
    """
    _check_sample(pool)
    sampled_topic = pool.topic.astype(np.int64)
    other_topic = topic_of_each_row(pool.unsampled.starts).astype(np.int64)
    topic = np.concatenate((sampled_topic, other_topic))
    documents = [*pool.document.to_pylist(), *pool.unsampled.document.to_pylist()]
    pairs = tuple(zip((pool.topics[code] for code in topic.tolist()), documents, strict=True))
    return PlanUniverse(
        pool.strategy,
        pool.topics,
        pairs,
        topic,
        np.array([model.get(pair, -1) + 1 for pair in pairs], dtype=np.int64),
        np.array([assessor_grades.get(pair, -1) for pair in pairs], dtype=np.int64),
        np.arange(len(pairs)) < len(sampled_topic),
        np.concatenate((pool.probability, pool.unsampled.probability)),
        highest_grade,
    )


def _check_sample(pool: Pool) -> None:
    if not pool.is_sample:
        raise IrjudgeError(
            "Estimates need a sampled pool, but this pool was not sampled. Build a sampled "
            'pool with the strategy "plan" (judging plan).'
        )
    if pool.strategy == ADAPTIVE_STRATEGY:
        raise IrjudgeError(
            "The strategy {strategy} chooses documents based on earlier judgments, so no "
            "interval can be computed; use a judging plan.",
            strategy=pool.strategy,
        )
    unknown_count = int((~(pool.unsampled.probability > 0)).sum())
    if unknown_count:
        raise IrjudgeError(
            "The pool does not store the inclusion probabilities of the documents that were "
            "not sampled ({count:,}). Rebuild the pool with the same options and seed; it will "
            "contain the same documents.",
            count=unknown_count,
        )


def estimate_runs_with_model(
    population: PlanUniverse, runs: Sequence[Run], options: RunEstimateOptions
) -> tuple[RunEstimate, ...]:
    """Estimate the values of runs from a judging plan whose sampled documents are all judged.

    Precision and DCG at a cutoff are estimated with intervals. Other measures are only
    approximated, without intervals, since they are not linear functions of the labels: the ideal
    DCG in nDCG and the number of relevant documents in AP would also have to be estimated, with
    bias. Runs without a sampled document are omitted (see `list_unsampled_runs`). Documents outside
    the plan count as not relevant. If the policy has `only`, the values are those of these topics.

    Raises
    ------
    IrjudgeError
        If a sampled document is not judged yet, if fewer than 50 are judged, if no document of any
        run was sampled, or if no document of the baseline was.
    """
    population = population.select_topics(options.policy.only)
    if population.waiting:
        raise IrjudgeError(
            "Sampled documents without a human judgment: {waiting:,}. Intervals need "
            "judgments of all sampled documents.",
            waiting=population.waiting,
        )
    names = [run.name for run in runs]
    if options.baseline is not None and options.baseline not in names:
        raise IrjudgeError(
            "There is no run {name!r}; expected one of {names}.",
            name=options.baseline,
            names=", ".join(names),
        )
    estimates: list[RunEstimate] = []
    for measure in options.measures:
        estimates += (
            _estimate_linear(population, runs, measure, options)
            if is_linear(measure)
            else _approximate_values(population, runs, measure, options)
        )
    return tuple(estimates)


def list_unsampled_runs(
    population: PlanUniverse, runs: Sequence[Run], measure: Measure, options: RunEstimateOptions
) -> tuple[str, ...]:
    """Return the runs that cannot be estimated, since no document that affects them was sampled."""
    population = population.select_topics(options.policy.only)
    weights = compute_run_weights(population, runs, measure, options.policy)
    is_unsampled = ~(weights[:, population.is_sampled] != 0).any(axis=1)
    return tuple(
        run.name
        for run, lacks_sample in zip(runs, is_unsampled.tolist(), strict=True)
        if lacks_sample
    )


def is_linear(measure: Measure) -> bool:
    """Return whether a measure is a linear function of the labels, so that its intervals are valid.

    >>> [is_linear(measure) for measure in parse_measures(["P@10", "DCG@5", "nDCG@10", "AP"])]
    [True, True, False, False]
    """
    return (
        measure.declaration.name in LINEAR_MEASURES
        and measure.values.get("cutoff") is not None
        and not measure.values.get("judged_only")
    )


def _estimate_linear(
    population: PlanUniverse, runs: Sequence[Run], measure: Measure, options: RunEstimateOptions
) -> list[RunEstimate]:
    unsampled_runs = list_unsampled_runs(population, runs, measure, options)
    runs = [run for run in runs if run.name not in unsampled_runs]
    if not runs or options.baseline in unsampled_runs:
        raise IrjudgeError(
            "No document of {runs} was sampled, so nothing can be estimated.",
            runs=", ".join(unsampled_runs) if options.baseline is None else options.baseline,
        )
    weights = compute_run_weights(population, runs, measure, options.policy)
    names = [run.name for run in runs]
    labels = make_sampled_labels(population, measure)
    if options.baseline is not None:
        baseline_index = names.index(options.baseline)
        differences = weights - weights[baseline_index]
        selected_rows = np.flatnonzero(
            ~lacks_sample(labels, differences) & (np.arange(len(names)) != baseline_index)
        )
        weights = differences[selected_rows]
        names = [names[index] for index in selected_rows.tolist()]
    maximum, title = _find_maximum_and_title(
        measure, population.highest_grade if options.of_maximum else None
    )
    linear_result = linear_estimates(
        labels,
        weights / maximum,
        guess=options.guess,
        topics=options.topics,
        out_of=options.out_of,
        seed=options.seed,
    )
    columns = (linear_result.value, linear_result.low, linear_result.high, linear_result.too_few)
    rows = zip(*(column.tolist() for column in columns), strict=True)
    return [RunEstimate(name, title, *row) for name, row in zip(names, rows, strict=True)]


def _find_maximum_and_title(measure: Measure, highest_grade: int | None) -> tuple[float, str]:
    """Return the divisor of the values of a measure, and the title of the quotient.

    If `highest_grade` is given, the divisor of DCG is the DCG of a ranking in which all documents
    have this grade. For other measures, the divisor is 1.
    """
    if highest_grade is None or measure.declaration.name != "DCG":
        return 1.0, measure.name
    ranks = np.arange(1.0, cast(int, measure.values["cutoff"]) + 1)
    weights = 1 / discounts(ranks, measure.values["discount"], float(measure.values["base"]))  # type: ignore[arg-type]
    maximum = weights.sum() * _compute_gains(np.array([highest_grade]), measure)[0]
    return float(maximum), SHARE_OF_MAXIMUM_TITLE.format(measure=measure.name)


def make_sampled_labels(population: PlanUniverse, measure: Measure) -> SampledLabels:
    """Return the labels of a plan, with the gain that a linear measure assigns to each label."""
    is_judged = population.is_sampled & (population.assessor_grade != -1)
    return SampledLabels(
        population.topic,
        population.code,
        _compute_gains(population.code - 1, measure),
        is_judged,
        np.where(is_judged, _compute_gains(population.assessor_grade, measure), 0.0),
        population.probability,
        len(population.topics),
        float(_compute_gains(np.array([population.highest_grade]), measure)[0]),
    )


def _compute_gains(grade: Longs, measure: Measure) -> Floats:
    """Return the gain of each grade; it is 0 for grades below 0."""
    values = measure.values
    if measure.declaration.name == "P":
        gain: Floats = (grade >= cast(int, values["rel"])).astype(np.float64)
        return gain
    return np.where(grade >= 0, gains(np.maximum(grade, 0), values["gain"]), 0.0)  # type: ignore[arg-type]


def compute_run_weights(
    population: PlanUniverse, runs: Sequence[Run], measure: Measure, policy: Policy
) -> Floats:
    """Return the weight of each document in the value of each run, shape (R, D)."""
    index_of = {pair: index for index, pair in enumerate(population.pairs)}
    cutoff = cast(int, measure.values["cutoff"])
    weights = np.zeros((len(runs), len(index_of)))
    for row, run in enumerate(runs):
        for pair, rank in _list_top_pairs(run, cutoff, policy):
            if pair in index_of:
                weights[row, index_of[pair]] = rank
    is_ranked = weights > 0
    if measure.declaration.name == "P":
        weights[is_ranked] = 1 / cutoff
    else:
        weights[is_ranked] = 1 / discounts(
            weights[is_ranked],
            measure.values["discount"],  # type: ignore[arg-type]
            float(measure.values["base"]),  # type: ignore[arg-type]
        )
    return weights


def _list_top_pairs(run: Run, cutoff: int, policy: Policy) -> list[tuple[Pair, int]]:
    order = ranking_order(run, policy.ties)
    order = np.arange(len(run)) if order is None else order
    rank = np.arange(len(run)) - run.starts[run.topic[order]] + 1
    rows = order[rank <= cutoff]
    names = run.document.take(rows).to_pylist()
    topics = (run.topics[code] for code in run.topic[rows].tolist())
    return list(zip(zip(topics, names, strict=True), rank[rank <= cutoff].tolist(), strict=True))


def _approximate_values(
    population: PlanUniverse, runs: Sequence[Run], measure: Measure, options: RunEstimateOptions
) -> list[RunEstimate]:
    """Return an approximate value of each run.

    The values are computed from the assessors' grades and, for unjudged documents, from the model's
    grades. The topics are those of the population.
    """
    rows = zip(
        population.pairs,
        population.assessor_grade.tolist(),
        (population.code - 1).tolist(),
        strict=True,
    )
    mixed_rows = [
        (*pair, assessor_grade if assessor_grade >= 0 else model)
        for pair, assessor_grade, model in rows
        if assessor_grade >= 0 or (assessor_grade == -1 and model >= 0)
    ]
    mixed_rows += [
        (*pair, UNJUDGEABLE)
        for pair, assessor_grade in zip(
            population.pairs, population.assessor_grade.tolist(), strict=True
        )
        if assessor_grade == UNJUDGEABLE
    ]
    table = evaluate_runs(
        make_qrels(mixed_rows),
        runs,
        [measure],
        replace(options.policy, topics="qrels", only=""),
        highest=population.highest_grade,
    )
    values = {run.run: float(run.summary[0]) for run in table.runs}
    baseline_value = values[options.baseline] if options.baseline is not None else 0.0
    return [
        RunEstimate(run, measure.name, value - baseline_value, None, None)
        for run, value in values.items()
        if run != options.baseline
    ]


def count_outside_plan(
    population: PlanUniverse, runs: Sequence[Run], measures: Sequence[Measure], policy: Policy
) -> dict[str, int]:
    """Return each run's number of top documents outside the plan; runs with none are omitted.

    If the policy has `only`, the documents of other topics are not counted.
    """
    population = population.select_topics(policy.only)
    if policy.only:
        runs = [run.select_topics(population.topics) for run in runs]
    plan_pairs = set(population.pairs)
    cutoff = max(
        (cast(int, measure.values["cutoff"]) for measure in measures if is_linear(measure)),
        default=PLAN_DEPTH,
    )
    counts = {
        run.name: sum(pair not in plan_pairs for pair, _ in _list_top_pairs(run, cutoff, policy))
        for run in runs
    }
    return {run: count for run, count in counts.items() if count}


# Forecast


@dataclass(frozen=True, slots=True)
class PlanForecast:
    """Forecast of the width of 95 % intervals for one measure, if a plan of a given size is judged.

    A forecast is one row of a table with several measures and plan sizes.
    """

    judgments: int  # size of the plan: expected number of documents to judge in total
    measure: str
    half_width: float  # expected half-width of the intervals of the runs' values, mean over runs


def forecast_margins(
    population: PlanUniverse,
    runs: Sequence[Run],
    options: RunEstimateOptions,
    highest_grade: int,
    sizes: Sequence[int] = FORECAST_SIZES,
) -> tuple[PlanForecast, ...]:
    """Return the expected half-width of intervals for each linear measure and each plan size.

    The spread of the assessors' grades, given the model's grade, is estimated from the judged
    documents. If there are fewer than 50, a prior for the scale is used.
    """
    population = population.select_topics(options.policy.only)
    forecasts: list[PlanForecast] = []
    for measure in options.measures:
        if is_linear(measure):
            weights = compute_run_weights(population, runs, measure, options.policy)
            labels = make_sampled_labels(population, measure)
            deviations = _estimate_spread(population, labels, measure, highest_grade)
            deviation = np.sqrt((weights**2).mean(axis=0)) * expected_grade_deviation(
                population.code, highest_grade
            )
            for size in [
                *(size for size in sizes if size < len(population.pairs)),
                len(population.pairs),
            ]:
                margins = expected_margin(
                    weights,
                    deviations,
                    sampling_probabilities(deviation, size),
                    labels.topics,
                    highest_gain=labels.highest,
                )
                forecasts.append(PlanForecast(size, measure.name, float(margins.mean())))
    return tuple(forecasts)


def _estimate_spread(
    population: PlanUniverse, labels: SampledLabels, measure: Measure, highest_grade: int
) -> Floats:
    """Return the expected standard deviation of each document's gain, shape (D,)."""
    if labels.labels >= MIN_LABELS:
        return spread_by_grade(labels)[population.code]
    highest_gain = float(_compute_gains(np.array([highest_grade]), measure)[0])
    return expected_grade_deviation(population.code, highest_grade) * highest_gain


@dataclass(frozen=True, slots=True)
class NextDocument:
    """Unjudged document of a judging plan, and its share of the variance of estimated values.

    `list_next_documents` returns them in the order in which assessors should judge them, for
    `irjudge estimate --show next`.
    """

    topic: str
    document: str
    is_in_plan: bool  # whether the plan contains the document; if not, a larger plan contains it
    # share of the document, 0 to 1, in the variance that all documents cause, judged ones included,
    # averaged over the runs
    variance_share: float


def list_next_documents(
    population: PlanUniverse,
    runs: Sequence[Run],
    options: RunEstimateOptions,
    highest_grade: int,
    larger_plan: Pool | None = None,
) -> tuple[NextDocument, ...]:
    """Return the documents to judge next: those of the plan, then those of a larger plan.

    `variance_share` is the share of a document in the variance of the first linear measure (DCG@10
    if there is none), averaged over runs. It orders the documents, but does not select them:
    intervals require known inclusion probabilities, which documents selected by uncertainty would
    not have.
    """
    population = population.select_topics(options.policy.only)
    measure = next(
        (measure for measure in options.measures if is_linear(measure)),
        parse_measures(["DCG@10"])[0],
    )
    weights = compute_run_weights(population, runs, measure, options.policy)
    deviations = _estimate_spread(
        population, make_sampled_labels(population, measure), measure, highest_grade
    )
    variance_shares = (weights**2).mean(axis=0) * deviations**2
    variance_shares = (
        variance_shares / variance_shares.sum() if variance_shares.sum() else variance_shares
    )
    larger_plan_pairs = set(_list_pairs(larger_plan)) if larger_plan is not None else set()
    rows = zip(
        population.pairs,
        population.is_sampled.tolist(),
        population.assessor_grade.tolist(),
        variance_shares.tolist(),
        strict=True,
    )
    documents = [
        NextDocument(*pair, bool(is_sampled), variance_share)
        for pair, is_sampled, assessor_grade, variance_share in rows
        if assessor_grade == -1 and (is_sampled or pair in larger_plan_pairs)
    ]
    return tuple(
        sorted(documents, key=lambda document: (not document.is_in_plan, -document.variance_share))
    )


@dataclass(frozen=True, slots=True, eq=False)
class ModelAudit:
    """Result of `audit_model` for the models page: audit, estimates of the runs, and forecasts.

    Values of runs are estimated from the model's labels and human judgments of a sample; the
    forecasts are for more judgments. There are neither unless `is_planned`: the newest pool is a
    sample, and there are runs. Forecasts can exist without estimates. `cautions` are warnings about
    the estimates, or the reason why they failed.
    """

    judge_audit: JudgeAudit
    is_planned: bool
    estimates: tuple[RunEstimate, ...] = ()
    forecasts: tuple[PlanForecast, ...] = ()
    cautions: tuple[str, ...] = ()


def audit_model(
    project: Project, name: str, measure: str, progress: Progress = SILENT
) -> ModelAudit:
    """Audit a model of a project, and estimate the values of the runs from the newest pool."""
    answers, (parsed_measure,) = read_model_judgments(project, name), parse_measures([measure])
    choice = find_human_qrels(project) or select_qrels(project)
    material = read_audit_material(project, parsed_measure, choice=choice, progress=progress)
    audit, pool = audit_judge(material, answers, progress=progress), project.rankings.pool()
    if pool is None or not pool.is_sample or not material.runs:
        return ModelAudit(audit, is_planned=False)
    options = RunEstimateOptions(parse_measures(DEFAULT_ESTIMATE_MEASURES), Policy())
    highest_grade = project.scale.highest
    forecasts: tuple[PlanForecast, ...] = ()
    assessor_grades = merge_subtopic_grades(
        row for row in list_qrels_rows(project, choice) if row[2] != UNJUDGED
    )  # unlike those of the audit, they include unjudgeable documents
    try:
        population = make_plan_universe(
            pool, assessor_grades, answers.grades, highest_grade=highest_grade
        )
        forecasts = forecast_margins(population, material.runs, options, highest_grade)
        estimates = estimate_runs_with_model(population, material.runs, options)
    except IrjudgeError as error:  # such as too few labels, or unjudged sampled documents
        return ModelAudit(audit, is_planned=True, forecasts=forecasts, cautions=(str(error),))
    return ModelAudit(
        audit,
        is_planned=True,
        estimates=estimates,
        forecasts=forecasts,
        cautions=list_cautions(population, material.runs, options, estimates),
    )


def _list_pairs(pool: Pool) -> list[Pair]:
    return list(
        zip(
            (pool.topics[code] for code in pool.topic.tolist()),
            pool.document.to_pylist(),
            strict=True,
        )
    )


def list_cautions(
    population: PlanUniverse,
    runs: Sequence[Run],
    options: RunEstimateOptions,
    estimates: Sequence[RunEstimate] = (),
) -> tuple[str, ...]:
    """Return warnings about estimates, such as wide intervals and runs that have no estimate."""
    warnings: list[str] = []
    if wide_count := sum(estimate.too_few for estimate in estimates):
        warnings.append(
            Message(
                "Too few labels: the intervals of {wide:,} of {all:,} values span more than "
                "half of the possible range.",
                wide=wide_count,
                all=len(estimates),
            )
        )
    for measure in filter(is_linear, options.measures):
        titles = {measure.name, SHARE_OF_MAXIMUM_TITLE.format(measure=measure.name)}
        estimated_runs = {estimate.run for estimate in estimates if estimate.measure in titles}
        missing_runs = [
            run.name for run in runs if run.name not in estimated_runs | {options.baseline}
        ]
        if estimates and missing_runs:
            warnings.append(
                Message(
                    "{measure}: no estimate for {runs}, because no document was sampled.",
                    key="no-estimate",
                    measure=measure.name,
                    runs=", ".join(missing_runs),
                )
            )
    nonlinear_measures = [measure.name for measure in options.measures if not is_linear(measure)]
    if nonlinear_measures:
        warnings.append(
            Message(
                "{names}: an approximation without an interval, because the value is not "
                "linear in the labels.",
                names=", ".join(nonlinear_measures),
            )
        )
    outside_counts = count_outside_plan(population, runs, options.measures, options.policy)
    for run, count in outside_counts.items():
        warnings.append(
            Message(
                "{run}: top documents that were not in the judging plan and count as not "
                "relevant: {count:,}.",
                run=run,
                count=count,
            )
        )
    if outside_counts and (covering_ties := _find_covering_ties(population, runs, options)):
        warnings.append(
            Message(
                "With the tie order {suggestion} instead of {ties}, all top documents would be in "
                "the judging plan. Choose {suggestion}.",
                key="other-ties",
                suggestion=covering_ties,
                ties=options.policy.ties,
            )
        )
    if population.strategy not in (PLAN_STRATEGY, "file"):
        warnings.append(
            Message(
                "The pool is not a judging plan: its documents were not sampled independently, "
                "so the intervals are approximate."
            )
        )
    return tuple(warnings)


def _find_covering_ties(
    population: PlanUniverse, runs: Sequence[Run], options: RunEstimateOptions
) -> Ties | None:
    """Return a tie order for which the plan contains all top documents; None if there is none."""
    for ties in TIES:
        if not count_outside_plan(
            population, runs, options.measures, replace(options.policy, ties=ties)
        ):
            return ties
    return None


# Estimates for runs in files or in a project

EstimateTable = Literal["values", "forecast", "next"]


@dataclass(frozen=True, slots=True, kw_only=True)
class EstimateRequest:
    """Options of `irjudge estimate`, which estimates values of runs from a sampled pool.

    If a model is given, its labels are corrected with the human judgments; otherwise, estimators
    such as xinfAP use the judgments alone. Some options apply only with a model, others only
    without one. The pool is an option; the qrels (or project) and the
    runs are separate arguments.
    """

    pool: Annotated[
        Path | None,
        Option("Judged pool: a CSV file written by `irjudge pool`.", flags=("--pool",)),
    ] = None
    measures: Annotated[
        tuple[str, ...],
        Option(
            "Estimator; may be repeated. Default: xinfAP, or statAP for a pool with unequal "
            "inclusion probabilities. "
            f"{'; '.join(f'{name}: {estimator.meaning}' for name, estimator in ESTIMATES.items())}.",
            flags=("-m", "--measure"),
        ),
    ] = ()
    per_topic: PerTopicOption = False
    spread: IntervalRequest = field(default_factory=IntervalRequest)
    rel: RelOption = 1
    topics: TopicsOption = "both"
    ties: TiesOption = "trec"
    model: Annotated[
        str | None,
        Option(
            "Name of a model in a PROJECT, or file with a model's labels. The labels are "
            "corrected with human judgments.",
            kind="name or file",
            metavar="NAME",
        ),
    ] = None
    guess: Annotated[
        Guess,
        Option(
            "With --model: the value predicted from the model's grade. "
            f"{describe_choices(GUESSES_MEAN)}",
            choices=GUESSES,
        ),
    ] = GUESSES[0]
    topics_are: Annotated[
        TopicsAre,
        Option(
            f"With --model: how the topics were chosen. {describe_choices(TOPICS_ARE_MEAN)}",
            choices=TOPICS_ARE,
        ),
    ] = TOPICS_ARE[0]
    topics_in_all: Annotated[
        int | None,
        Option(
            "With --topics-are drawn: the number of topics from which the evaluated topics "
            "were sampled.",
            minimum=1,
        ),
    ] = None
    of_maximum: Annotated[
        bool,
        Option(
            "With --model: report DCG divided by the maximum that the scale allows; this "
            "maximum is known, unlike the ideal DCG."
        ),
    ] = False
    baseline: Annotated[
        str | None,
        Option(
            "With --model: estimate how much each of the other runs differs from RUN.",
            metavar="RUN",
        ),
    ] = None
    show: Annotated[
        EstimateTable,
        Option(
            "With --model: what to print. values: values with intervals; forecast: the "
            "intervals expected with more judgments; next: the documents to judge next, "
            "starting with those that narrow the interval most.",
            choices=get_args(EstimateTable),
        ),
    ] = "values"
    qrels: QrelsRequest = field(default_factory=QrelsRequest)

    def model_options(self, policy: Policy) -> RunEstimateOptions:
        """Return the options for estimating with the labels of a model."""
        return RunEstimateOptions(
            parse_measures(self.measures or DEFAULT_ESTIMATE_MEASURES, policy.rel),
            policy,
            self.guess,
            self.topics_are,
            self.topics_in_all,
            self.of_maximum,
            self.baseline,
            self.spread.seed,
        )


DEFAULT_REQUEST = EstimateRequest()
MODEL_OPTIONS = ("guess", "topics_are", "topics_in_all", "of_maximum", "baseline", "show")


def estimate_sources(
    qrels: Path,
    runs: Sequence[Path],
    request: EstimateRequest | None = None,
    *,
    progress: Progress = SILENT,
) -> ResultTable:
    """Estimate the values of runs from the judged sample of a pool.

    Parameters
    ----------
    qrels
        The path of qrels or of a project. The qrels may be a judged sample of TREC, which also
        contains its pool.
    runs
        Run files, or folders of run files; empty for a project. The newest pool of a project is
        used.
    request
        Pool, measures, and how the files are read. If a model is given, its labels are corrected by
        the judgments; otherwise values are only estimated from the judgments.
    progress
        Progress over the runs; not reported with a model.

    Returns
    -------
    ResultTable
        A row per run and measure; if a model is given, the rows requested by `show`.

    Raises
    ------
    IrjudgeError
        If the pool, the runs or the judgments are missing, if an option requires a model, or if a
        file cannot be read.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     qrels, run = Path(folder, "q.prels"), Path(folder, "a.run")
    ...     _ = qrels.write_text("1 x 1 0 1.0\\n1 y 0 0 1.0\\n")
    ...     _ = run.write_text("1 Q0 y 1 2 a\\n1 Q0 x 2 1 a\\n")
    ...     list(estimate_sources(qrels, [run], EstimateRequest(measures=("statAP",))).rows)
    [('a', 'statAP', 'all', 0.5)]
    """
    request = request or DEFAULT_REQUEST
    policy = Policy(request.ties, request.topics, request.rel, only=request.qrels.only)
    missing_error = IrjudgeError(
        "The pool or the runs are missing; give the pool with --pool and at least one run "
        "after the qrels, or give only a project.",
        key="no-pool-file",
    )
    warnings = list[str]()
    with add_warnings_to_errors(warnings):
        judged_pool = read_judged_pool(
            qrels, runs, request.qrels, warnings, pool=request.pool, missing=missing_error
        )
        if request.model is not None:
            columns, rows, notes = _estimate_with_model(
                qrels, judged_pool, request, request.model, policy, warnings
            )
            return ResultTable(columns, rows, policy, notes, tuple(warnings))
        for name in MODEL_OPTIONS:
            if getattr(request, name) != getattr(DEFAULT_REQUEST, name):
                raise IrjudgeError(
                    "Use --{option} only with --model.", option=name.replace("_", "-")
                )
        estimates = estimate_runs(
            judged_pool.pool,
            judged_pool.qrels,
            judged_pool.runs,
            request.measures,
            rel=request.rel,
            ties=request.ties,
            policy=request.topics,
            only=request.qrels.only,
            total=len(judged_pool.runs),
            progress=progress,
        )
    columns, notes, seed = VALUE_COLUMNS, estimates.notes, None
    if request.spread.interval:
        columns, seed = (*columns, *INTERVAL_COLUMNS), request.spread.seed
        notes = (*notes, *estimates.missing_intervals)
    rows = list(estimates.rows(per_topic=request.per_topic, seed=seed))
    return ResultTable(columns, rows, policy, notes, tuple(warnings))


def _estimate_with_model(
    source: Path,
    judged_pool: JudgedPool,
    request: EstimateRequest,
    model: str,
    policy: Policy,
    warnings: list[str],
) -> tuple[tuple[str, ...], list[Sequence[Cell]], tuple[str, ...]]:
    """Return columns, rows and notes of estimates that correct a model's labels.

    Warnings about a file of labels are appended to `warnings`.
    """
    assessor_grades = merge_subtopic_grades(
        row for row in judged_pool.qrels.rows() if row[2] != UNJUDGED
    )
    opening_context = (
        open_project(source, writing=False) if is_project(source) else nullcontext(Path(model))
    )
    with opening_context as labels:
        grades, highest_grade = read_model_grades(labels, model, judged_pool.pool.topics, warnings)
    highest_grade = max(highest_grade, max(assessor_grades.values(), default=0))
    population = make_plan_universe(
        judged_pool.pool, assessor_grades, grades, highest_grade=highest_grade
    ).select_topics(policy.only)
    options, estimates = request.model_options(policy), tuple[RunEstimate, ...]()
    rows: list[Sequence[Cell]]
    if request.show == "forecast":
        columns: tuple[str, ...] = ("judgments", "measure", "reach")
        rows = [
            astuple(margin)
            for margin in forecast_margins(population, judged_pool.runs, options, highest_grade)
        ]
    elif request.show == "next":
        columns = ("topic", "document", "drawn", "takes_off")
        larger_plan = _make_double_plan(judged_pool, grades, highest_grade)
        rows = [
            (
                document.topic,
                document.document,
                "yes" if document.is_in_plan else "no",
                document.variance_share,
            )
            for document in list_next_documents(
                population, judged_pool.runs, options, highest_grade, larger_plan
            )
        ]
    else:
        columns = ("run", "measure", "value", "low", "high", "kind")
        estimates = estimate_runs_with_model(population, judged_pool.runs, options)
        rows = [tuple(getattr(estimate, name) for name in columns) for estimate in estimates]
    notes = _describe_model_estimates(population, options, model)
    cautions = list_cautions(population, judged_pool.runs, options, estimates)
    return columns, rows, (*notes, *cautions)


def _describe_model_estimates(
    population: PlanUniverse, options: RunEstimateOptions, model: str
) -> list[str]:
    sampled_count = int(population.is_sampled.sum())
    basis_text = Message(
        "Judged: {judged:,} of the {sampled:,} pairs sampled from {total:,}. For the other "
        "pairs, the estimates use the labels of the model {model}, corrected with the "
        "judgments.",
        judged=sampled_count - population.waiting,
        sampled=sampled_count,
        total=len(population.pairs),
        model=model,
    )
    difference = Message("Values are differences from {run}.", run=options.baseline)
    method = Message(
        "Value predicted from the model's grade: {estimate}. Topics ({topics}): {meaning}.",
        estimate=GUESSES_MEAN[options.guess],
        topics=options.topics,
        meaning=TOPICS_ARE_MEAN[options.topics],
    )
    return [basis_text, method] if options.baseline is None else [basis_text, difference, method]


def _make_double_plan(
    judged_pool: JudgedPool, grades: Mapping[tuple[str, str], int], highest_grade: int
) -> Pool | None:
    """Return a judging plan that contains the judged plan and has twice its size.

    Both plans have the same seed. The result is None if the pool is not a judging plan.
    """
    if judged_pool.pool.strategy != PLAN_STRATEGY:
        return None
    parameters = judged_pool.pool.parameters
    try:
        plan = JudgePlanOptions(
            str(parameters["model"]),
            2 * int(parameters["size"]),
            int(parameters["depth"]),
            int(parameters["seed"]),
            parameters["ties"],  # type: ignore[arg-type]
        )
    except (KeyError, ValueError) as error:
        raise ProjectError(
            "The judging plan does not record how it was made ({error}).", error=error
        ) from error
    return plan_pool(judged_pool.runs, plan, grades, highest_grade)
