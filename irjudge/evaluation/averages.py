"""From the values of the topics to that of the run: averages, and how far they can be trusted."""

from collections.abc import Sequence
from typing import Literal, TypeAlias, get_args

import numpy as np

from irjudge.errors import MeasureError
from irjudge.message import Message, counted
from irjudge.metrics.basis.judged import JudgedRun, Scores
from irjudge.metrics.naming.names import Measure
from irjudge.metrics.naming.registry import catalogue

Average: TypeAlias = Literal["macro", "micro", "geometric", "median"]
AVERAGES: tuple[Average, ...] = get_args(Average)
AVERAGE_MEANS: dict[Average, str] = {
    "macro": Message("the mean over the topics"),
    "micro": Message("the counts of all topics added up, then the measure computed once"),
    "geometric": Message("the geometric mean over the topics, of 0.00001 where a value is less"),
    "median": Message("the median of the topics"),
}

# As in trec_eval, which prints four digits.
EPSILON = 1e-5
LEVEL = 0.95
RESAMPLES = 10_000
# Topics drawn at once: as many as a processor keeps at hand, and so few that a window beside them is never kept waiting.
DRAWN_AT_ONCE = 100_000


def summarise(
    measures: Sequence[Measure], values: Scores, judged: JudgedRun, average: Average = "macro"
) -> Scores:
    """Return the value of the run for each of M measures, from those of the topics, shape (M, T): shape (M,), 0 where there are no topics.

    Counts are always added up, and geometric measures always averaged geometrically; `average` is for all others. Pooled counts are made
    from `judged`. MeasureError when they are wanted of a measure that is not made of counts, or a geometric mean of one that can be
    negative.
    """
    if average != "macro":
        _must_allow(measures, average)
    ordered = values[:, sorted(range(len(judged)), key=judged.topics.__getitem__)]
    return np.array(
        [
            _summary(measure, row, judged, average)
            for measure, row in zip(measures, ordered, strict=True)
        ],
        dtype=np.float64,
    )


def _summary(measure: Measure, values: Scores, judged: JudgedRun, average: Average) -> float:
    declaration = measure.declaration
    if not len(values):
        return 0.0
    if declaration.summary == "sum":
        return _total(values)
    if declaration.micro and (
        declaration.summary == "pooled" or (average == "micro" and declaration.mean == "arithmetic")
    ):
        counts = declaration.micro.counts(measure.seen(judged), **measure.settings)
        return float(declaration.micro.formula(*(each.sum(keepdims=True) for each in counts))[0])
    if declaration.mean == "geometric" or average == "geometric":
        return float(
            np.exp(
                _total(
                    np.log(np.maximum(values, 0 if declaration.mean == "geometric" else EPSILON))
                )
                / len(values)
            )
        )
    if average == "median":
        return float(np.median(values))
    return _total(values) / len(values)


def _total(values: Scores) -> float:
    """Return the sum, added up one after another, as trec_eval does: another order could change the last digit printed."""
    return float(np.cumsum(values)[-1])


def _must_allow(measures: Sequence[Measure], average: Average) -> None:
    means = [measure for measure in measures if measure.declaration.summary == "mean"]
    if average == "micro":
        for measure in means:
            if measure.declaration.micro is None:
                pooled = ", ".join(each.name for each in catalogue() if each.micro)
                raise MeasureError(
                    "{measure} has no micro average, since it is not made of counts; these have one: {pooled}.",
                    key="no-micro-average",
                    measure=measure.name,
                    pooled=pooled,
                )
    if average == "geometric":
        for measure in means:
            if measure.declaration.bounds[0] < 0:
                raise MeasureError(
                    "{measure} has no geometric mean, since its values may be below 0.",
                    key="no-geometric-mean",
                    measure=measure.name,
                )


def deviations(values: Scores) -> Scores:
    """Return the standard deviation over the topics of values, shape (M, T), of a sample (divided by T − 1); 0 with fewer than two topics.

    >>> deviations(np.array([[0.0, 1.0], [0.5, 0.5]])).round(4)
    array([0.7071, 0.    ])
    """
    if values.shape[1] < 2:
        return np.zeros(len(values))
    return np.asarray(values.std(axis=1, ddof=1))


MIN_TOPICS = 2  # of a mean that has an interval: resamples of one topic are all the same


def describe_missing_interval(run: str, topics: int) -> Message | None:
    """Return why the mean of a run over so many topics has no interval; None where it has one."""
    if topics >= MIN_TOPICS:
        return None
    return Message(
        "{run}: no interval, since {topics} cannot be resampled; an interval takes {least} topics or more.",
        key="no-interval",
        run=run,
        topics=counted(topics, "topic"),
        least=MIN_TOPICS,
    )


def intervals(
    values: Scores, seed: int = 0, *, level: float = LEVEL, resamples: int = RESAMPLES
) -> Scores:
    """Return the percentile bootstrap interval of the mean over the topics of values, shape (M, T): lowest and highest, shape (M, 2).

    Every measure sees the same resamples of T topics, drawn with replacement; nan for fewer topics than `MIN_TOPICS`, see
    `describe_missing_interval`. The level, between 0 and 1, is how often
    the interval should hold the mean. The same seed gives the same numbers on every machine.

    >>> intervals(np.array([[0.25, 0.25, 0.25]]))
    array([[0.25, 0.25]])
    """
    from irjudge.stats.sampling import Stream  # noqa: PLC0415 -- few ask

    count = values.shape[1]
    if count < MIN_TOPICS:
        return np.full((len(values), 2), np.nan)
    stream, means = Stream(seed), []
    rows = max(1, DRAWN_AT_ONCE // count)
    for begin in range(0, resamples, rows):
        drawn = stream.draws(min(rows, resamples - begin), count, count)
        means.append(
            np.stack([row[drawn].mean(axis=1) for row in values])
            if len(values)
            else np.empty((0, len(drawn)))
        )
    tail = (1 - level) / 2
    return np.asarray(np.quantile(np.concatenate(means, axis=1), [tail, 1 - tail], axis=1).T)
