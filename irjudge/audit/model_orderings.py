"""Orderings of systems according to assessors' grades and to a model's grades."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from irjudge.errors import IrjudgeError
from irjudge.evaluation import Evaluation, Policy, RunScores, evaluate_runs
from irjudge.message import Message
from irjudge.metrics import Measure, best_first, to_goodness
from irjudge.model import (
    UNJUDGED,
    Floats,
    Longs,
    Pair,
    Run,
    make_qrels,
    ranking_order,
    to_arrow_column,
)
from irjudge.progress import SILENT, Progress
from irjudge.stats import TIE_TOLERANCE, RankPair, Sampling, Statistic, parse_statistics
from irjudge.stats.significance import all_pairs, holm, run_test

TOP_SYSTEMS = 20  # number of best systems for which a separate correlation is computed
SIGNIFICANCE_LEVEL = 0.05
MIN_TOPICS = 2  # minimum number of topics for a significance test
STATISTICS = ("tau-b", "tau-ap(tied=wrong)", "tau-ap")


@dataclass(frozen=True, slots=True)
class SystemRanks:
    """Mean and rank of one run by one measure: from the assessors' and from the model's grades."""

    run: str
    people: float  # value computed from the assessors' grades
    model: float  # value computed from the model's grades
    # rank according to `people`, 1 for the best run; runs with the same value share a rank
    people_rank: int
    model_rank: int  # rank according to `model`


@dataclass(frozen=True, slots=True)
class SignificantPair:
    """Two runs whose values from the assessors' or from the model's grades differ significantly.

    The values are means over the topics that were evaluated with both. If the difference by the
    assessors' grades is significant, `better` is the better run by these grades. Otherwise,
    `better` is the better run by the model's grades.
    """

    better: str
    worse: str
    # p-value of a paired t-test with Holm's correction, for the assessors' grades
    people_p: float
    model_p: float  # the same for the model's grades
    # value of `better` minus value of `worse`, from the assessors' and from the model's grades
    people_difference: float
    model_difference: float

    @property
    def kind(self) -> str:
        """Which grades cause significant differences: `both`, `people only` or `model only`.

        The value is `opposite` if both differences are significant and have opposite signs.
        """
        is_significant_by_assessors, is_significant_by_model = (
            self.people_p < SIGNIFICANCE_LEVEL,
            self.model_p < SIGNIFICANCE_LEVEL,
        )
        if is_significant_by_assessors and is_significant_by_model:
            return "both" if self.people_difference * self.model_difference > 0 else "opposite"
        return "people only" if is_significant_by_assessors else "model only"


@dataclass(frozen=True, slots=True)
class Circularity:
    """Value of a run that the audit reranked by the model's grades, and its rank among all runs.

    The reranked run is added to the runs for this test. Value and rank are computed twice: from
    the assessors' grades, and from the model's grades. The difference shows how much the model
    favours a run that uses the model's grades.
    """

    run: str  # name of the reranked run
    runs: int  # number of ranked runs, including the reranked one
    people_rank: int  # rank according to the assessors' grades
    model_rank: int  # rank according to the model's grades
    people: float  # value computed from the assessors' grades
    model: float  # value computed from the model's grades


@dataclass(frozen=True, slots=True, eq=False)
class ModelOrderings:
    """Comparison of the orders of systems by the assessors' grades and by the model's grades.

    Both orders result from the same runs and one measure. The comparison contains the ranks of each
    system, rank correlations, and the pairs of systems that differ significantly by the assessors'
    or by the model's grades.
    """

    measure: str
    policy: str  # description of the policy with which the runs were evaluated
    systems: tuple[SystemRanks, ...]  # systems; the best by the assessors' grades is first
    # name and value of each correlation between the two orders
    statistics: tuple[tuple[str, float], ...]
    top_tau: float  # Kendall's tau-b for the `TOP_SYSTEMS` best systems by assessors' grades
    mean_topic_tau: float | None  # mean of tau-b over topics; None without topics
    topics: int  # number of topics that all runs have in both evaluations
    # pairs of systems that differ significantly
    pairs: tuple[SignificantPair, ...]
    tested_pairs: int  # number of pairs that were tested
    circularity: Circularity | None  # values and ranks of one run reranked by the model's grades
    topics_warning: str = ""  # warning if means are over different topics; see `Evaluation`

    def count_pairs(self, kind: str) -> int:
        """Return the number of pairs of this kind; see `SignificantPair.kind`."""
        return sum(pair.kind == kind for pair in self.pairs)

    def find_correlation(self, name: str) -> float:
        """Return the correlation with this name."""
        return dict(self.statistics)[name]


def compare_orderings(
    assessor_grades: Mapping[Pair, int],
    model: Mapping[Pair, int],
    runs: Sequence[Run],
    measure: Measure,
    policy: Policy | None = None,
    *,
    highest: int | None = None,
    rerank: str | None = None,
    progress: Progress = SILENT,
) -> ModelOrderings:
    """Compare the order of runs by the assessors' grades with their order by the model's grades.

    Both orders are over the topics in which assessors and model graded the same pair. Pairs that
    only the model graded are not used; pairs that only assessors graded are unjudged in the order
    by the model's grades. `rerank` is the name of the run to rerank by the model's grades; by
    default, it is the median run in the order by the assessors' grades. Raises IrjudgeError if
    there are fewer than two runs, or if `rerank` is unknown.
    """
    if len(runs) < 2:
        raise IrjudgeError(
            "A comparison of system rankings needs at least two systems, got {count}.",
            count=len(runs),
        )
    policy = policy or Policy()
    assessor_grades, model = _select_shared_topics(assessor_grades, model)

    def evaluate(grades: Mapping[Pair, int], systems: Sequence[Run]) -> Evaluation:
        return evaluate_runs(
            make_qrels([(*pair, grade) for pair, grade in grades.items()]),
            systems,
            [measure],
            policy,
            highest=highest,
        )

    progress.step(0, 2, Message("Evaluating with human grades"))
    assessor_evaluation = evaluate(assessor_grades, runs)
    progress.step(1, 2, Message("Evaluating with the model's grades"))
    model_evaluation = evaluate(model, runs)
    mean_values = _compute_mean_values(assessor_evaluation), _compute_mean_values(model_evaluation)
    best_order = np.array(best_first(measure, mean_values[0]))
    reranked_run = rerank_run(_choose_run(runs, rerank, best_order.tolist()), model, policy)
    reranked_means = (
        _compute_mean_values(evaluate(assessor_grades, [reranked_run])),
        _compute_mean_values(evaluate(model, [reranked_run])),
    )
    oriented_values = to_goodness(measure, mean_values[0]), to_goodness(measure, mean_values[1])
    ranks = tuple(rank_values(column) for column in oriented_values)
    rows = zip(*(column[best_order].tolist() for column in (*mean_values, *ranks)), strict=True)
    tables = _select_values_of_shared_topics(assessor_evaluation, model_evaluation)
    pair, (tau, *other_statistics) = (
        RankPair.of_scores(*oriented_values),
        parse_statistics(STATISTICS),
    )
    top_systems = best_order[:TOP_SYSTEMS]
    return ModelOrderings(
        measure=measure.name,
        policy=str(policy),
        systems=tuple(
            SystemRanks(runs[index].name, *row)
            for index, row in zip(best_order.tolist(), rows, strict=True)
        ),
        statistics=tuple(
            (statistic.name, statistic.compute(pair)) for statistic in (tau, *other_statistics)
        ),
        top_tau=tau.compute(
            RankPair.of_scores(oriented_values[0][top_systems], oriented_values[1][top_systems])
        ),
        mean_topic_tau=_compute_mean_tau([to_goodness(measure, table) for table in tables], tau),
        topics=tables[0].shape[1],
        pairs=tuple(_iter_significant_pairs(measure, [run.name for run in runs], *tables)),
        tested_pairs=len(runs) * (len(runs) - 1) // 2,
        circularity=_measure_circularity(measure, reranked_run.name, mean_values, reranked_means),
        topics_warning=assessor_evaluation.topics_warning or model_evaluation.topics_warning,
    )


def _select_shared_topics(
    assessor_grades: Mapping[Pair, int], model: Mapping[Pair, int]
) -> tuple[dict[Pair, int], dict[Pair, int]]:
    """Return the assessors' grades in shared topics, and the model's grades of the same pairs."""
    model_grades = {pair: grade for pair, grade in model.items() if pair in assessor_grades}
    topics = {topic for topic, _ in model_grades}
    return {
        pair: grade for pair, grade in assessor_grades.items() if pair[0] in topics
    }, model_grades


def _compute_mean_tau(tables: Sequence[Floats], tau: Statistic) -> float | None:
    """Return the mean of the correlations for single topics; None if there are no topics.

    The two tables contain the values of the runs, shape (R, T).
    """
    correlations = [
        tau.compute(RankPair.of_scores(*values))
        for values in zip(*(table.T for table in tables), strict=True)
    ]
    return float(np.mean(correlations)) if correlations else None


def _compute_mean_values(evaluation: Evaluation) -> Floats:
    """Return the mean value of each run, shape (R,)."""
    return np.array([run.summary[0] for run in evaluation.runs])


def rank_values(values: Floats) -> Longs:
    """Return the rank of each value, 1 for the highest; values equal up to rounding share a rank.

    >>> rank_values(np.array([.2, .9, .2])).tolist()
    [2, 1, 2]
    """
    ranks: Longs = (values[None, :] > values[:, None] + TIE_TOLERANCE).sum(axis=1) + 1
    return ranks


def _measure_circularity(
    measure: Measure,
    run: str,
    mean_values: tuple[Floats, Floats],
    reranked_means: tuple[Floats, Floats],
) -> Circularity:
    people_rank, model_rank = (
        int((to_goodness(measure, values - reranked_mean[0]) > TIE_TOLERANCE).sum()) + 1
        for values, reranked_mean in zip(mean_values, reranked_means, strict=True)
    )
    return Circularity(
        run,
        len(mean_values[0]) + 1,
        people_rank,
        model_rank,
        float(reranked_means[0][0]),
        float(reranked_means[1][0]),
    )


def _choose_run(runs: Sequence[Run], name: str | None, best_order: Sequence[int]) -> Run:
    """Return the run with this name; if None, the median run."""
    if name is None:
        return runs[best_order[len(best_order) // 2]]
    selected_run = next((run for run in runs if run.name == name), None)
    if selected_run is None:
        run_names = ", ".join(run.name for run in runs)
        raise IrjudgeError(
            "There is no run {name!r} to rerank; expected one of {names}.",
            key="unknown-run",
            name=name,
            names=run_names,
        )
    return selected_run


def rerank_run(run: Run, model: Mapping[Pair, int], policy: Policy) -> Run:
    """Return a run sorted by the model's grades; documents without a grade are last.

    Documents with equal grades are in the order of the run.

    >>> from irjudge.model import make_run
    >>> reranked_run = rerank_run(make_run("a", [("1", "d1", 3.0), ("1", "d2", 2.0), ("1", "d3", 1.0)]), {("1", "d3"): 2, ("1", "d1"): 0}, Policy())
    >>> reranked_run.document.to_pylist()
    ['d3', 'd1', 'd2']
    """
    order = ranking_order(run, policy.ties)
    order = np.arange(len(run)) if order is None else order
    names = zip(
        [run.topics[code] for code in run.topic[order].tolist()],
        run.document.take(to_arrow_column(order)).to_pylist(),
        strict=True,
    )
    grade = np.array([model.get(pair, UNJUDGED) for pair in names], dtype=np.int64)
    new_order = order[np.lexsort((np.arange(len(order)), -grade, run.topic[order]))]
    score = np.concatenate(
        [np.arange(size, 0, -1, dtype=np.float64) for size in np.diff(run.starts)] or [np.zeros(0)]
    )
    return replace(
        run,
        document=run.document.take(to_arrow_column(new_order)),
        score=score,
        rank=np.full(len(run), -1, dtype=np.int32),
    )


def _select_values_of_shared_topics(*tables: Evaluation) -> tuple[Floats, ...]:
    """Return the values of each table, shape (R, T), for the topics of all runs in all tables."""
    topic_sets = [set(run.topics) for table in tables for run in table.runs]
    topics = [
        topic for topic in tables[0].topics if all(topic in topic_set for topic_set in topic_sets)
    ]
    return tuple(np.stack([_select_values(run, topics) for run in table.runs]) for table in tables)


def _select_values(run: RunScores, topics: Sequence[str]) -> Floats:
    index_of = {topic: index for index, topic in enumerate(run.topics)}
    values: Floats = run.values[0][[index_of[topic] for topic in topics]] if topics else np.zeros(0)
    return values


def _iter_significant_pairs(
    measure: Measure, runs: Sequence[str], assessor_values: Floats, model_values: Floats
) -> Iterator[SignificantPair]:
    """Yield the pairs of runs that differ significantly, by the assessors' or the model's grades.

    The test is a paired t-test with Holm's correction.
    """
    if assessor_values.shape[1] < MIN_TOPICS:
        return
    pairs = all_pairs(len(runs))
    p = [
        holm(run_test("t", table, pairs, Sampling()).p) for table in (assessor_values, model_values)
    ]
    differences = [
        table.mean(axis=1)[pairs[:, 0]] - table.mean(axis=1)[pairs[:, 1]]
        for table in (assessor_values, model_values)
    ]
    for pair_index in np.flatnonzero(
        (p[0] < SIGNIFICANCE_LEVEL) | (p[1] < SIGNIFICANCE_LEVEL)
    ).tolist():
        difference = to_goodness(
            measure, differences[0 if p[0][pair_index] < SIGNIFICANCE_LEVEL else 1][pair_index]
        )
        first_values, second_values = (
            pairs[pair_index].tolist() if difference >= 0 else pairs[pair_index][::-1].tolist()
        )
        sign = 1 if difference >= 0 else -1
        values = (
            (float(p_of_run[pair_index]) for p_of_run in p),
            (sign * float(difference[pair_index]) for difference in differences),
        )
        yield SignificantPair(runs[first_values], runs[second_values], *values[0], *values[1])
