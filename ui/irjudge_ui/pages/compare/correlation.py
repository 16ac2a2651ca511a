"""How alike rankings are, computed beside the window: of documents topic by topic, and of systems in every two orders."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from PySide6.QtCore import QCoreApplication

from irjudge.errors import IrjudgeError
from irjudge.evaluation.project_evaluation import evaluate_project
from irjudge.evaluation.system_orderings import SystemOrdering, assessor_orderings, orderings
from irjudge.evaluation.table import Policy
from irjudge.judging.consensus import voting_labels
from irjudge.judging.judged_qrels import QrelsChoice, choices
from irjudge.metrics.names import Measure
from irjudge.model.ranking import Floats
from irjudge.progress import Progress
from irjudge.stats.correlation import Statistic, agreements
from irjudge.stats.rankings import Items, RankPair, run_pairs
from irjudge.store.project import Project
from irjudge_ui.jobs import CLUSTER_WORKERS
from irjudge_ui.messages import filled

translate = QCoreApplication.translate


@dataclass(frozen=True, slots=True)
class ConcordantPairs:
    """Pairs of items that stand in the same order in two rankings, in opposite order, and tied in one or both."""

    same: int
    swapped: int
    tied: int

    @property
    def pairs(self) -> int:
        """All of them."""
        return self.same + self.swapped + self.tied

    @classmethod
    def of(cls, pair: RankPair) -> "ConcordantPairs":
        """Count the pairs of the items that both hold."""
        both = pair.over("common")
        found, count = agreements(both.first, both.second), len(both)
        return cls(
            found.concordant,
            found.discordant,
            count * (count - 1) // 2 - found.concordant - found.discordant,
        )


@dataclass(frozen=True, slots=True)
class TopicLine:
    """What two rankings of one topic have in common: the value, documents in both and in either, and their pairs."""

    topic: str
    value: float
    both: int
    either: int
    counted: ConcordantPairs


@dataclass(frozen=True, slots=True)
class TwoRankings:
    """Two runs compared topic by topic, how many topics only one of them has, and what topics are called."""

    first: str
    second: str
    statistic: Statistic
    lines: tuple[TopicLine, ...]
    alone: tuple[int, int]
    titles: Mapping[str, str]

    @property
    def mean(self) -> float:
        """The mean of the topics."""
        return float(np.mean([line.value for line in self.lines]))


@dataclass(frozen=True, slots=True, eq=False)
class Orders:
    """Orders of the same systems, what each is called, and how alike every two are, shape (orders, orders)."""

    names: tuple[str, ...]
    orders: tuple[SystemOrdering, ...]
    statistic: Statistic
    values: Floats
    rests_on: str = ""  # the qrels, where all orders come of the same
    topics_warning: str = ""  # of the first evaluation that has one

    @property
    def systems(self) -> int:
        """How many systems they put in order."""
        return len(self.orders[0].systems)

    def counted(self, row: int, column: int) -> ConcordantPairs:
        """Count the pairs of systems in the order of two of them."""
        return ConcordantPairs.of(
            RankPair.of_scores(self.orders[row].values, self.orders[column].values)
        )


def compare_runs(
    project: Project,
    first: str,
    second: str,
    statistic: Statistic,
    depth: int | None,
    items: Items,
    progress: Progress,
) -> TwoRankings:
    """Compare the documents of two runs, topic by topic."""
    one, two = project.rankings.run(first), project.rankings.run(second)
    lines = tuple(
        TopicLine(
            each.topic,
            statistic.compute(each.pair, items),
            int(each.pair.common.sum()),
            len(each.pair),
            ConcordantPairs.of(each.pair),
        )
        for each in run_pairs(one, two, depth=depth, progress=progress)
    )
    alone = len(set(one.topics) - set(two.topics)), len(set(two.topics) - set(one.topics))
    return TwoRankings(first, second, statistic, lines, alone, project.collection.topic_titles())


def by_measure(
    project: Project,
    measures: Sequence[Measure],
    policy: Policy,
    choice: QrelsChoice | None,
    statistic: Statistic,
    progress: Progress,
) -> Orders:
    """Compare the orders in which measures put the runs."""
    if len(measures) < 2:
        raise IrjudgeError(
            filled(
                translate(
                    "Correlation", "Orders are compared between two measures or more, got {count}."
                ),
                count=len(measures),
            )
        )
    with CLUSTER_WORKERS.at_work(progress) as workers:
        table = evaluate_project(project, measures, policy, choice, progress, workers=workers)
    return replace(
        _compared([measure.name for measure in measures], orderings(table), statistic),
        rests_on=table.source,
        topics_warning=table.topics_warning,
    )


def by_qrels(
    project: Project, measure: Measure, policy: Policy, statistic: Statistic, progress: Progress
) -> Orders:
    """Compare the orders in which a measure puts the runs under each of the project's qrels."""
    offered = choices(project)
    if len(offered) < 2:
        raise IrjudgeError(
            filled(
                translate(
                    "Correlation", "Orders are compared between two qrels or more, got {count}."
                ),
                count=len(offered),
            )
        )
    with CLUSTER_WORKERS.at_work(progress) as workers:
        tables = [
            evaluate_project(project, [measure], policy, choice, progress, workers=workers)
            for choice in offered
        ]
    orders = [orderings(table)[0] for table in tables]
    found = _compared([choice.name for choice in offered], orders, statistic)
    warning = next(filter(None, (table.topics_warning for table in tables)), "")
    return replace(found, topics_warning=warning)


def by_assessor(
    project: Project, measure: Measure, policy: Policy, statistic: Statistic, progress: Progress
) -> Orders:
    """Compare the orders in which a measure puts the runs under each assessor's judgments."""
    labels = voting_labels(project, progress)
    names = [run.name for run in project.rankings.runs()]
    found = assessor_orderings(
        labels,
        lambda: (project.rankings.run(name) for name in names),
        [measure],
        policy,
        progress=progress,
    )
    compared = _compared(found.names, found.orders[0], statistic)
    return replace(compared, topics_warning=found.topics_warning)


def _compared(
    names: Sequence[str], orders: Sequence[SystemOrdering], statistic: Statistic
) -> Orders:
    values = [
        [statistic.compute(RankPair.of_scores(a.values, b.values)) for b in orders] for a in orders
    ]
    return Orders(tuple(names), tuple(orders), statistic, np.array(values))
