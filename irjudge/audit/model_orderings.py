"""Orderings of systems by the labels of a model and of assessors."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from irjudge.errors import IrjudgeError
from irjudge.evaluation import Evaluation, Policy, RunScores, evaluate_runs
from irjudge.message import Message
from irjudge.metrics import Measure, best_first, to_goodness
from irjudge.model import UNJUDGED, Floats, Longs, Run, make_qrels, ranking_order, to_arrow_column
from irjudge.progress import SILENT, Progress
from irjudge.stats import TIE_TOLERANCE, RankPair, Sampling, Statistic, parse_statistics
from irjudge.stats.significance import all_pairs, holm, run_test

Pair = tuple[str, str]
TOP_SYSTEMS = 20  # number of best systems for which a separate correlation is computed
SIGNIFICANCE_LEVEL = 0.05
MIN_TOPICS = 2  # minimum for a significance test
STATISTICS = ("tau-b", "tau-ap(tied=wrong)", "tau-ap")


@dataclass(frozen=True, slots=True)
class SystemRanks:
    """Value and rank of one run by assessors and by the model."""

    run: str
    # values and ranks (1 is best); tied runs share a rank
    people: float
    model: float
    people_place: int
    model_place: int


@dataclass(frozen=True, slots=True)
class SignificantPair:
    """Pair of runs with a significant difference by assessors or by the model.

    The better run by assessors comes first, or by the model if assessors' difference is not
    significant.
    """

    better: str
    worse: str
    # corrected p-values, and differences (first minus second)
    people_p: float
    model_p: float
    people_difference: float
    model_difference: float

    @property
    def kind(self) -> str:
        """`both`, `opposite`, `people only` or `model only`."""
        of_people, of_model = self.people_p < SIGNIFICANCE_LEVEL, self.model_p < SIGNIFICANCE_LEVEL
        if of_people and of_model:
            return "both" if self.people_difference * self.model_difference > 0 else "opposite"
        return "people only" if of_people else "model only"


@dataclass(frozen=True, slots=True)
class Circularity:
    """Run reranked by the model's labels, and its gain if the model also judges."""

    run: str  # reranked run
    runs: int  # number of ranked runs, including this one
    people_place: int
    model_place: int
    # values
    people: float
    model: float


@dataclass(frozen=True, slots=True, eq=False)
class ModelOrderings:
    """Orderings of R systems by assessors and by a model."""

    measure: str
    policy: str  # description
    systems: tuple[SystemRanks, ...]  # best by assessors first
    statistics: tuple[tuple[str, float], ...]  # name and value of each correlation of the orders
    top: float  # Kendall's tau-b for the `TOP_SYSTEMS` best systems by assessors
    by_topic: float  # mean tau-b over topics
    topics: int
    pairs: tuple[SignificantPair, ...]  # pairs significant by assessors, by the model, or both
    compared: int  # number of tested pairs
    circularity: Circularity | None
    topics_warning: str = ""  # warning about means over different topics; see `Evaluation`

    def count(self, kind: str) -> int:
        """Return the number of pairs of a kind; see `SignificantPair`."""
        return sum(pair.kind == kind for pair in self.pairs)

    def value(self, name: str) -> float:
        """Return a correlation by its name."""
        return dict(self.statistics)[name]


def compare_orderings(
    people: Mapping[Pair, int],
    model: Mapping[Pair, int],
    runs: Sequence[Run],
    measure: Measure,
    policy: Policy | None = None,
    *,
    highest: int | None = None,
    rerank: str | None = None,
    progress: Progress = SILENT,
) -> ModelOrderings:
    """Compare the orderings of two or more runs by grades of assessors and of a model.

    `rerank` is the run to rerank by the model's labels (by default the median run by assessors).
    Raises IrjudgeError for fewer than two runs or an unknown `rerank`.
    """
    if len(runs) < 2:
        raise IrjudgeError(
            "Comparing the orders of systems needs at least two systems, got {count}.",
            count=len(runs),
        )
    policy = policy or Policy()

    def evaluate(grades: Mapping[Pair, int], systems: Sequence[Run]) -> Evaluation:
        return evaluate_runs(
            make_qrels([(*pair, grade) for pair, grade in grades.items()]),
            systems,
            [measure],
            policy,
            highest=highest,
        )

    progress.step(0, 2, Message("Evaluating with human grades"))
    by_people = evaluate(people, runs)
    progress.step(1, 2, Message("Evaluating with the model's grades"))
    by_model = evaluate(model, runs)
    both = _mean_values(by_people), _mean_values(by_model)
    best = np.array(best_first(measure, both[0]))
    again = rerank_run(_choose_run(runs, rerank, best.tolist()), model, policy)
    alone = _mean_values(evaluate(people, [again])), _mean_values(evaluate(model, [again]))
    good = to_goodness(measure, both[0]), to_goodness(measure, both[1])
    ranks = tuple(rank_values(each) for each in good)
    rows = zip(*(each[best].tolist() for each in (*both, *ranks)), strict=True)
    tables = _select_shared_topics(by_people, by_model)
    pair, (tau, *others) = RankPair.of_scores(*good), parse_statistics(STATISTICS)
    top = best[:TOP_SYSTEMS]
    return ModelOrderings(
        measure=measure.name,
        policy=str(policy),
        systems=tuple(
            SystemRanks(runs[at].name, *row) for at, row in zip(best.tolist(), rows, strict=True)
        ),
        statistics=tuple((each.name, each.compute(pair)) for each in (tau, *others)),
        top=tau.compute(RankPair.of_scores(good[0][top], good[1][top])),
        by_topic=_mean_tau_by_topic([to_goodness(measure, each) for each in tables], tau),
        topics=tables[0].shape[1],
        pairs=tuple(_iter_significant_pairs(measure, [run.name for run in runs], *tables)),
        compared=len(runs) * (len(runs) - 1) // 2,
        circularity=_measure_circularity(measure, again.name, both, alone),
        topics_warning=by_people.topics_warning or by_model.topics_warning,
    )


def _mean_tau_by_topic(tables: Sequence[Floats], tau: Statistic) -> float:
    """Return the mean correlation of the orderings of a topic; nan without topics."""
    taus = [
        tau.compute(RankPair.of_scores(*values))
        for values in zip(*(table.T for table in tables), strict=True)
    ]
    return float(np.mean(taus)) if taus else float("nan")


def _mean_values(evaluation: Evaluation) -> Floats:
    """Return the mean of each run, shape (R,)."""
    return np.array([run.summary[0] for run in evaluation.runs])


def rank_values(values: Floats) -> Longs:
    """Return the rank of each value, 1 for the highest; ties (up to rounding) share a rank.

    >>> rank_values(np.array([.2, .9, .2])).tolist()
    [2, 1, 2]
    """
    ranks: Longs = (values[None, :] > values[:, None] + TIE_TOLERANCE).sum(axis=1) + 1
    return ranks


def _measure_circularity(
    measure: Measure, run: str, both: tuple[Floats, Floats], alone: tuple[Floats, Floats]
) -> Circularity:
    people_rank, model_rank = (
        int((to_goodness(measure, values - own[0]) > TIE_TOLERANCE).sum()) + 1
        for values, own in zip(both, alone, strict=True)
    )
    return Circularity(
        run, len(both[0]) + 1, people_rank, model_rank, float(alone[0][0]), float(alone[1][0])
    )


def _choose_run(runs: Sequence[Run], name: str | None, best: Sequence[int]) -> Run:
    """Return the run with a name, or the median run."""
    if name is None:
        return runs[best[len(best) // 2]]
    chosen = next((run for run in runs if run.name == name), None)
    if chosen is None:
        known = ", ".join(run.name for run in runs)
        raise IrjudgeError(
            "There is no run {name!r} to rerank; expected one of {known}.",
            key="unknown-run",
            name=name,
            known=known,
        )
    return chosen


def rerank_run(run: Run, model: Mapping[Pair, int], policy: Policy) -> Run:
    """Return a run sorted by the model's grades, unlabelled documents last.

    Documents with equal grades keep their order.

    >>> from irjudge.model import make_run
    >>> again = rerank_run(make_run("a", [("1", "d1", 3.0), ("1", "d2", 2.0), ("1", "d3", 1.0)]), {("1", "d3"): 2, ("1", "d1"): 0}, Policy())
    >>> again.document.to_pylist()
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
    again = order[np.lexsort((np.arange(len(order)), -grade, run.topic[order]))]
    score = np.concatenate(
        [np.arange(size, 0, -1, dtype=np.float64) for size in np.diff(run.starts)] or [np.zeros(0)]
    )
    return replace(
        run,
        document=run.document.take(to_arrow_column(again)),
        score=score,
        rank=np.full(len(run), -1, dtype=np.int32),
    )


def _select_shared_topics(*tables: Evaluation) -> tuple[Floats, ...]:
    """Return the values of topics shared by all runs and tables, shape (R, T) each."""
    shared = [set(run.topics) for table in tables for run in table.runs]
    topics = [topic for topic in tables[0].topics if all(topic in each for each in shared)]
    return tuple(
        np.stack([_values_of_topics(run, topics) for run in table.runs]) for table in tables
    )


def _values_of_topics(run: RunScores, topics: Sequence[str]) -> Floats:
    index_of = {topic: at for at, topic in enumerate(run.topics)}
    values: Floats = run.values[0][[index_of[topic] for topic in topics]] if topics else np.zeros(0)
    return values


def _iter_significant_pairs(
    measure: Measure, runs: Sequence[str], people: Floats, model: Floats
) -> Iterator[SignificantPair]:
    """Yield the pairs that are significant by one or both, in a paired t-test with Holm's
    correction.
    """
    if people.shape[1] < MIN_TOPICS:
        return
    pairs = all_pairs(len(runs))
    p = [holm(run_test("t", table, pairs, Sampling()).p) for table in (people, model)]
    differences = [
        table.mean(axis=1)[pairs[:, 0]] - table.mean(axis=1)[pairs[:, 1]]
        for table in (people, model)
    ]
    for at in np.flatnonzero((p[0] < SIGNIFICANCE_LEVEL) | (p[1] < SIGNIFICANCE_LEVEL)).tolist():
        by = to_goodness(measure, differences[0 if p[0][at] < SIGNIFICANCE_LEVEL else 1][at])
        first, second = pairs[at].tolist() if by >= 0 else pairs[at][::-1].tolist()
        sign = 1 if by >= 0 else -1
        values = (float(each[at]) for each in p), (sign * float(each[at]) for each in differences)
        yield SignificantPair(runs[first], runs[second], *values[0], *values[1])
