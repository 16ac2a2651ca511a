"""Agreement between orderings of systems."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass, field, fields, replace
from itertools import combinations
from pathlib import Path
from typing import Annotated, Literal, TypeAlias, get_args

import numpy as np

from irjudge.errors import IrjudgeError
from irjudge.evaluation.project_evaluation import evaluate_project
from irjudge.evaluation.requests import EvaluationRequest, add_warnings_to_errors, evaluate_sources
from irjudge.evaluation.table import (
    ALL_TOPICS,
    Evaluation,
    Policy,
    ResultTable,
    evaluate_runs,
    topics_advice,
)
from irjudge.formats.bytes import Address
from irjudge.formats.rankings import (
    SystemScores,
    choose_distinct_run_names,
    is_leaderboard,
    read_leaderboard,
)
from irjudge.judging import (
    QrelsChoice,
    build_vote_labels,
    compute_consensus,
    list_consensus_rows,
    read_consensus_method,
)
from irjudge.message import Message, format_count
from irjudge.metrics import Measure, is_lower_better, to_goodness
from irjudge.model import UNJUDGEABLE, UNJUDGED, Floats, Ints, Labels, Qrels, Run, Ties, make_qrels
from irjudge.options import Option, describe_choices
from irjudge.progress import SILENT, Progress
from irjudge.stats import (
    ITEMS,
    ITEMS_MEAN,
    SERIAL,
    Items,
    RankPair,
    Statistic,
    TopicPair,
    Workers,
    list_correlations,
    parse_statistics,
    rank_agreement,
    run_pairs,
    workers_at,
)
from irjudge.stats.consensus import CONSENSUS_RULES, Rule, consensus
from irjudge.store import Project, is_project, read_auxiliary_tables

DEFAULT_RUN_STATISTICS = ("tau", "tau-b", "tau-ap", "spearman", "rbo")
DEFAULT_SYSTEM_STATISTICS = ("tau", "tau-b", "tau-ap", "spearman")


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrelationRequest:
    """Options of `irjudge correlate`: statistics, items, and how files are read.

    By default, two rankings of documents are correlated for each topic. With `systems`, orderings
    of systems are correlated. They result from different measures, from a measure with two qrels,
    or from leaderboards. The paths of the files are separate arguments.
    """

    systems: Annotated[
        bool,
        Option(
            "Compare how several measures rank the runs, instead of how two runs rank the "
            "documents."
        ),
    ] = False
    by: Annotated[
        tuple[str, ...],
        Option(
            f"Statistic; may be repeated. Default: {' '.join(DEFAULT_RUN_STATISTICS)}. "
            + describe_choices(
                {correlation.name: correlation.title for correlation in list_correlations()}
            ),
            metavar="NAME",
        ),
    ] = ()
    items: Annotated[
        Items,
        Option(
            "How to treat items that are in only one of the rankings. "
            + describe_choices(ITEMS_MEAN),
            choices=ITEMS,
        ),
    ] = "common"
    top: Annotated[
        int | None,
        Option("Use only the top DEPTH documents of each ranking.", flags=("-k",), metavar="DEPTH"),
    ] = None
    other: Annotated[
        Path | Address | None,
        Option(
            "With --systems: compare each measure under QRELS with the same measure under these qrels.",
            flags=("--qrels",),
        ),
    ] = None
    evaluation: EvaluationRequest = field(default_factory=EvaluationRequest)


@dataclass(frozen=True, slots=True, eq=False)
class SystemOrdering:
    """Ordering of K systems, defined by their values of one measure; the systems are not sorted.

    Higher values are better: if lower values of the measure are better, values are negated. `name`
    is the name of the measure, if necessary with the name of the qrels, assessor or leaderboard.
    """

    name: str
    systems: tuple[str, ...]
    values: Floats


@dataclass(frozen=True, slots=True)
class OrderingPair:
    """Result of comparing two orderings: value of a statistic, and number of common systems.

    For an asymmetric statistic, the first ordering is the true one.
    """

    measure_a: str  # name of the first ordering, usually of its measure
    measure_b: str  # name of the second ordering
    statistic: str  # name of the statistic
    systems: int  # number of common systems
    value: float  # value of the statistic


ORDERING_COLUMNS = tuple(field.name for field in fields(OrderingPair))


def measure_orderings(evaluation: Evaluation, source: str = "") -> tuple[SystemOrdering, ...]:
    """Return the ordering of the runs by each measure; `source` is appended to measure names."""
    names = tuple(run.run for run in evaluation.runs)
    values = [
        to_goodness(measure, [run.summary[row] for run in evaluation.runs])
        for row, measure in enumerate(evaluation.measures)
    ]
    suffix = f" [{source}]" if source else ""
    return tuple(
        SystemOrdering(measure.name + suffix, names, measure_values)
        for measure, measure_values in zip(evaluation.measures, values, strict=True)
    )


def compare_orderings(
    pairs: Sequence[tuple[SystemOrdering, SystemOrdering]], statistics: Sequence[Statistic]
) -> Iterator[OrderingPair]:
    """Yield the value of each statistic for each pair of orderings, over their common systems.

    Systems are matched by name. Values that differ only by
    rounding are tied. Raises IrjudgeError if two orderings have fewer than two systems in common.
    """
    for first, second in pairs:
        second_index_by_name = {name: index for index, name in enumerate(second.systems)}
        common_indices = [
            (index, second_index_by_name[name])
            for index, name in enumerate(first.systems)
            if name in second_index_by_name
        ]
        if len(common_indices) < 2:
            raise IrjudgeError(
                "A comparison of system rankings needs at least two systems in common; {first} "
                "and {second} have {count} in common.",
                first=first.name,
                second=second.name,
                count=len(common_indices),
            )
        first_indices, second_indices = (
            list(indices) for indices in zip(*common_indices, strict=True)
        )
        pair = RankPair.of_scores(first.values[first_indices], second.values[second_indices])
        for statistic in statistics:
            yield OrderingPair(
                first.name,
                second.name,
                statistic.name,
                len(common_indices),
                statistic.compute(pair),
            )


def measure_pairs(evaluation: Evaluation) -> list[tuple[SystemOrdering, SystemOrdering]]:
    """Return the orderings by each pair of measures of one evaluation."""
    return list(combinations(measure_orderings(evaluation), 2))


def qrels_pairs(
    first: Evaluation, second: Evaluation, names: tuple[str, str]
) -> list[tuple[SystemOrdering, SystemOrdering]]:
    """Return the pair of orderings under two qrels for each measure.

    Both evaluations must have the same measures. `names` are labels of the qrels.
    """
    return list(
        zip(measure_orderings(first, names[0]), measure_orderings(second, names[1]), strict=True)
    )


def leaderboard_pairs(
    leaderboards: Sequence[SystemScores],
) -> list[tuple[SystemOrdering, SystemOrdering]]:
    """Return the pairs of orderings in leaderboards.

    In a single leaderboard, these are the orderings by each pair of measures. Otherwise each
    ordering of the first leaderboard is paired with each ordering of the other leaderboards.
    """
    orders = [
        _make_leaderboard_orderings(leaderboard, has_suffix=len(leaderboards) > 1)
        for leaderboard in leaderboards
    ]
    if len(orders) == 1:
        return list(combinations(orders[0], 2))
    return [
        (first, other_board_ordering)
        for first in orders[0]
        for leaderboard in orders[1:]
        for other_board_ordering in leaderboard
    ]


def _make_leaderboard_orderings(
    leaderboard: SystemScores, *, has_suffix: bool
) -> list[SystemOrdering]:
    suffix = f" [{leaderboard.name}]" if has_suffix else ""
    return [
        SystemOrdering(
            measure + suffix,
            tuple(values),
            np.array(list(values.values())) * (-1 if is_lower_better(measure) else 1),
        )
        for measure, values in leaderboard.values.items()
    ]


def ordering_matrix(orders: Sequence[SystemOrdering], statistic: Statistic) -> Floats:
    """Return the statistic of each pair of orderings of the same systems, shape (O, O).

    For an asymmetric statistic, the row is the true ordering.
    """
    return np.array(
        [
            [statistic.compute(RankPair.of_scores(a.values, b.values)) for b in orders]
            for a in orders
        ]
    )


def ordering_rows(pairs: Sequence[OrderingPair]) -> Iterator[tuple[str | int | float, ...]]:
    """Yield a row with the columns `ORDERING_COLUMNS` for each value of a statistic."""
    yield from (astuple(pair) for pair in pairs)


RUN_CORRELATION_COLUMNS = ("topic", "statistic", "items", "value")


def correlate_sources(
    files: Sequence[Path],
    request: CorrelationRequest | None = None,
    *,
    ties: Ties | None = None,
    topics_chosen: bool = False,
    progress: Progress = SILENT,
) -> ResultTable:
    """Correlate two runs topic by topic, or system rankings under different measures or qrels.

    Parameters
    ----------
    files
        Two runs; or, with `systems`, either qrels and runs, or a project, or leaderboards.
    request
        Statistics, and options of the comparison.
    ties
        Order of documents with equal scores, for two runs; None if they are tied.
    topics_chosen
        As for `evaluate_sources`.
    progress
        Progress of reading and comparing.

    Returns
    -------
    ResultTable
        A row per topic and statistic, and rows of the means (`RUN_CORRELATION_COLUMNS`); or a row
        per pair of orders and statistic (`ORDERING_COLUMNS`).

    Raises
    ------
    IrjudgeError
        If a statistic is unknown, files are missing or cannot be read, or there is nothing to
        compare.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     runs = [Path(folder, name) for name in "ab"]
    ...     _ = runs[0].write_text("1 Q0 x 1 2 a\\n1 Q0 y 2 1 a\\n")
    ...     _ = runs[1].write_text("1 Q0 y 1 2 b\\n1 Q0 x 2 1 b\\n")
    ...     list(correlate_sources(runs, CorrelationRequest(by=("tau",))).rows)
    [('1', 'tau', 2, -1.0), ('all', 'tau', 2, -1.0)]
    """
    request = request or CorrelationRequest()
    systems = request.systems
    defaults = DEFAULT_SYSTEM_STATISTICS if systems else DEFAULT_RUN_STATISTICS
    statistics = parse_statistics(
        name for names in request.by or defaults for name in names.split()
    )
    if systems:
        result = _correlate_systems(files, statistics, request, topics_chosen, progress)
    else:
        result = _correlate_runs(files, statistics, request, ties, progress)
    asymmetric_names = [
        statistic.name for statistic in statistics if not statistic.declaration.symmetric
    ]
    if not asymmetric_names:
        return result
    note = Message(
        "{names}: the ranking by the first measure is the reference ranking."
        if systems
        else "{names}: the ranking of the first run is the reference ranking.",
        names=", ".join(asymmetric_names),
    )
    return replace(result, notes=(*result.notes, note))


def _correlate_systems(
    files: Sequence[Path],
    statistics: Sequence[Statistic],
    request: CorrelationRequest,
    topics_chosen: bool,
    progress: Progress,
) -> ResultTable:
    if not files:
        raise IrjudgeError(
            "Nothing to correlate; give qrels and at least two runs, or only a project, or "
            "leaderboards.",
            key="no-runs",
        )
    if not is_project(files[0]) and all(map(is_leaderboard, files)):
        pairs, warnings = _read_leaderboard_pairs(
            files, request.evaluation.settings.measure_names()
        )
        return ResultTable(
            ORDERING_COLUMNS, _list_ordering_rows(pairs, statistics), warnings=tuple(warnings)
        )
    qrels, *runs = files
    if request.other is not None and is_project(qrels):
        raise IrjudgeError(
            "To compare two qrels, give a qrels file and run files instead of a project."
        )
    cluster = request.evaluation.cluster
    with workers_at(cluster) as workers:
        tables = [
            evaluate_sources(
                qrels_path,
                runs,
                request.evaluation,
                topics_chosen=topics_chosen,
                workers=workers if cluster else None,
                progress=progress,
            )
            for qrels_path in (qrels, request.other)
            if qrels_path is not None
        ]
    table, warnings = tables[0], [warning for table in tables for warning in table.warnings]
    with add_warnings_to_errors(warnings):
        rows = _list_ordering_rows(_list_ordering_pairs(tables, qrels, request.other), statistics)
    advice = dict.fromkeys(note for table in tables for note in topics_advice(table))
    notes = (*advice, Message("Averaged over: {policy}.", policy=table.policy))
    return ResultTable(ORDERING_COLUMNS, rows, table.policy, notes, tuple(warnings))


def _list_ordering_pairs(
    tables: Sequence[Evaluation], qrels: Path, other_qrels: Path | None
) -> list[tuple[SystemOrdering, SystemOrdering]]:
    """Return the pairs of orderings to compare: by two measures, or with two qrels.

    `tables` contains one evaluation, or one for each of the two qrels.
    """
    table = tables[0]
    if other_qrels is None and len(table.measures) < 2:
        raise IrjudgeError(
            "A comparison of system rankings needs at least two measures (-m AP -m P@10), or "
            "additional qrels (--qrels FILE).",
            key="one-order",
        )
    if len(table.runs) < 2:
        raise IrjudgeError(
            "A comparison of system rankings needs at least two systems, got {count}.",
            count=len(table.runs),
        )
    if other_qrels is None:
        return measure_pairs(table)
    other_name = other_qrels.name if other_qrels.name != qrels.name else str(other_qrels)
    return qrels_pairs(table, tables[1], (qrels.name, other_name))


def _list_ordering_rows(
    pairs: Sequence[tuple[SystemOrdering, SystemOrdering]], statistics: Sequence[Statistic]
) -> list[tuple[str | int | float, ...]]:
    return list(ordering_rows(list(compare_orderings(pairs, statistics))))


def _read_leaderboard_pairs(
    files: Sequence[Path], measures: Sequence[str]
) -> tuple[list[tuple[SystemOrdering, SystemOrdering]], list[str]]:
    """Return the pairs of system orderings in leaderboards, and warnings.

    The orderings are by `measures`, or by all measures if it is empty.
    """
    leaderboards, names = [read_leaderboard(path) for path in files], set(measures)
    if missing_names := names.difference(*(leaderboard.values for leaderboard in leaderboards)):
        raise IrjudgeError(
            "No leaderboard contains {missing}; expected one of {names}.",
            missing=", ".join(sorted(missing_names)),
            names=", ".join(
                dict.fromkeys(name for leaderboard in leaderboards for name in leaderboard.values)
            ),
        )
    warnings: list[str] = []
    same_names = [leaderboard.name for leaderboard in leaderboards].count(leaderboards[0].name) > 1
    for leaderboard, path in zip(leaderboards, files, strict=True):
        if leaderboard.unread:
            warnings.append(
                Message(
                    "{file}: skipped measures without a value for the topic `all`: {measures}.",
                    file=leaderboard.name,
                    measures=", ".join(leaderboard.unread),
                )
            )
        leaderboard.values = {
            name: values
            for name, values in leaderboard.values.items()
            if not names or name in names
        }
        leaderboard.name = str(path) if same_names else leaderboard.name
    pairs = leaderboard_pairs(leaderboards)
    if not pairs:
        with add_warnings_to_errors(warnings):
            raise IrjudgeError(
                "A comparison of system rankings needs a leaderboard with at least two "
                "measures, or two leaderboards.",
                key="one-order",
            )
    return pairs, warnings


def _correlate_runs(
    files: Sequence[Path],
    statistics: Sequence[Statistic],
    request: CorrelationRequest,
    ties: Ties | None,
    progress: Progress,
) -> ResultTable:
    settings, items = request.evaluation.settings, request.items
    depth = settings.depth if request.top is None else request.top
    if len(files) != 2:
        raise IrjudgeError(
            "Give two runs to correlate, got {count}; with --systems, give qrels and runs.",
            count=len(files),
        )
    if depth is not None and depth < 1:
        raise IrjudgeError("The depth must be at least 1, got {depth}.", depth=depth)
    first, second = map(settings.reading.reader().read_run, files, choose_distinct_run_names(files))
    warnings = (*first.warnings, *second.warnings)
    with add_warnings_to_errors(warnings):
        pairs = list(run_pairs(first, second, depth=depth, ties=ties, progress=progress))
    values = np.array(
        [[statistic.compute(pair.pair, items) for statistic in statistics] for pair in pairs]
    )
    counts = np.array(
        [[statistic.items(pair.pair, items) for statistic in statistics] for pair in pairs]
    )
    topics = [*(pair.topic for pair in pairs), ALL_TOPICS]
    counts = np.vstack((counts, counts.sum(axis=0)))
    values = np.vstack((values, [[float(column.mean()) for column in values.T]]))
    rows = [
        (topic, statistic.name, int(counts[row, column]), float(values[row, column]))
        for row, topic in enumerate(topics)
        for column, statistic in enumerate(statistics)
    ]
    notes = tuple(_describe_pairs(first, second, pairs, statistics, items, ties))
    return ResultTable(RUN_CORRELATION_COLUMNS, rows, notes=notes, warnings=warnings)


def _describe_pairs(
    first: Run,
    second: Run,
    pairs: Sequence[TopicPair],
    statistics: Sequence[Statistic],
    items: Items,
    ties: Ties | None,
) -> Iterator[str]:
    document_count = sum(len(pair.pair) for pair in pairs)
    common = sum(int(pair.pair.common.sum()) for pair in pairs)
    yield Message(
        "{topics}; in both rankings: {common:,} of {documents} ({share:.1f} %).",
        topics=format_count(len(pairs), "topic"),
        common=common,
        documents=format_count(document_count, "document"),
        share=100 * common / document_count if document_count else 0.0,
    )
    for run, other_run in ((first, second), (second, first)):
        if unshared_count := len(set(run.topics).difference(other_run.topics)):
            yield Message(
                "Topics of {run} that are not in {other}: {count:,}.",
                run=run.name,
                other=other_run.name,
                count=unshared_count,
            )
    orders = [statistic for statistic in statistics if statistic.declaration.kind == "order"]
    names = ", ".join(order.name for order in orders)
    sparse_pairs = sum(len(pair.pair.select_items(items)) < 2 for pair in pairs) if orders else 0
    if sparse_pairs:
        yield Message(
            "{names}: the values are 0 and meaningless for {topics}, because there are fewer "
            "than two documents to rank.",
            topics=format_count(sparse_pairs, "topic"),
            names=names,
        )
    if orders and common < document_count:
        yield Message("{names}: {items}.", names=names, items=ITEMS_MEAN[items])
    if ties is None and any(pair.pair.has_ties for pair in pairs):
        yield Message("Documents with equal scores are tied; use --ties to order them.")


MIN_SYSTEMS = 5  # with fewer systems, agreement of orderings by chance is too probable
CONSENSUS = "consensus"
VALUE_TOLERANCE = 1e-12  # smaller differences are rounding errors, so the values are tied
Grades = dict[tuple[str, str], int]
Rest: TypeAlias = Literal["consensus", "unjudged"]
RESTS: tuple[Rest, ...] = get_args(Rest)
REST_DESCRIPTIONS: dict[Rest, str] = {
    "consensus": Message(
        "documents that an assessor did not judge get the majority grade of the other "
        "assessors, so the system ranking depends only on grades"
    ),
    "unjudged": Message(
        "documents that an assessor did not judge count as unjudged, so the system ranking "
        "also depends on which documents were judged"
    ),
}


@dataclass(frozen=True, slots=True, eq=False)
class AssessorOrderings:
    """Orderings of the systems by the qrels of each assessor and by their consensus.

    There is an ordering for each measure and each assessor; the last is that of the consensus, the
    majority of the labels. By default, a document that an assessor did not judge has its consensus
    grade in the assessor's qrels. The method `matrix` correlates all pairs of orderings by one
    measure.
    """

    names: tuple[str, ...]  # A names: the assessors, then `consensus` (the majority)
    judged: tuple[int, ...]  # number of documents judged by each of `names`
    measures: tuple[str, ...]  # names of the measures
    # for each measure, the ordering of the systems under the qrels of each of `names`
    orders: tuple[tuple[SystemOrdering, ...], ...]
    topics_warning: str = ""  # first warning of an evaluation about its topics; see `Evaluation`

    @property
    def systems(self) -> int:
        """Number of systems."""
        return len(self.orders[0][0].systems) if self.orders else 0

    def pairs(self, statistics: Sequence[Statistic]) -> Iterator[OrderingPair]:
        """Yield each statistic for each pair of orderings by the same measure."""
        for orders in self.orders:
            yield from compare_orderings(list(combinations(orders, 2)), statistics)

    def matrix(self, statistic: Statistic, measure: int = 0) -> Floats:
        """Return the statistic of all pairs of orderings by one measure, shape (A, A).

        For an asymmetric statistic, the row is the true ordering.
        """
        return ordering_matrix(self.orders[measure], statistic)


def assessor_orderings(
    labels: Labels,
    runs: Callable[[], Iterable[Run]],
    measures: Sequence[Measure],
    policy: Policy | None = None,
    *,
    rest: Rest = "consensus",
    progress: Progress = SILENT,
) -> AssessorOrderings:
    """Evaluate runs with the judgments of each assessor in turn.

    Parameters
    ----------
    labels
        Integer grades, 0 or more, of documents for topics.
    runs
        Function that returns an iterator over two or more runs each time it is called, so that one
        run at a time is in memory.
    rest
        Treatment of documents that an assessor did not judge, see `REST_DESCRIPTIONS`.

    Raises
    ------
    IrjudgeError
        If labels have no topics, grades are not integers, or there are fewer than two assessors
        or runs.

    Examples
    --------
    >>> from irjudge.evaluation import parse_measures
    >>> from irjudge.model import Labels, make_labels
    >>> from irjudge.model import make_run
    >>> from irjudge.stats import parse_statistics
    >>> from dataclasses import replace
    >>> rows = [("1 d1", "ann", 1), ("1 d2", "ann", 0), ("1 d1", "bob", 0), ("1 d2", "bob", 1)]
    >>> labels = replace(make_labels(rows), pairs=(("1", "d1"), ("1", "d2")))
    >>> runs = [make_run("x", [("1", "d1", 2.0), ("1", "d2", 1.0)]), make_run("y", [("1", "d2", 2.0), ("1", "d1", 1.0)])]
    >>> orderings = assessor_orderings(labels, lambda: runs, parse_measures(["RR"]))
    >>> orderings.names, orderings.matrix(parse_statistics(["tau"])[0])[0].tolist()
    (('ann', 'bob', 'consensus'), [1.0, -1.0, 0.0])
    """
    latest_labels = labels.latest()
    majority = _find_majority_codes(latest_labels)
    if len(labels.workers) < 2:
        raise IrjudgeError(
            "A comparison of system rankings needs at least two assessors, got {workers}.",
            workers=len(labels.workers),
        )
    by_measure: list[list[SystemOrdering]] = [[] for _ in measures]
    judged_counts: list[int] = []
    warnings: list[str] = []
    names = (*labels.workers, CONSENSUS)
    for index, name in enumerate(names):
        progress.step(
            index, len(names), Message("Evaluating with the judgments of {name}", name=name)
        )
        qrels = (
            _make_assessor_qrels(latest_labels, majority, index, rest)
            if name is not CONSENSUS
            else make_qrels(_list_qrels_rows(latest_labels, majority))
        )
        judged_counts.append(
            int((latest_labels.worker == index).sum()) if name is not CONSENSUS else len(qrels)
        )
        table = evaluate_runs(
            qrels, runs(), measures, policy, highest=_find_highest_grade(latest_labels)
        )
        warnings += filter(None, [table.topics_warning])
        for orders, order in zip(by_measure, measure_orderings(table, name), strict=True):
            orders.append(order)
    return AssessorOrderings(
        names,
        tuple(judged_counts),
        tuple(measure.name for measure in measures),
        tuple(map(tuple, by_measure)),
        warnings[0] if warnings else "",
    )


def _find_majority_codes(labels: Labels) -> Ints:
    """Return the code of the majority label of each item.

    Raises IrjudgeError if qrels cannot represent the labels.
    """
    majority = consensus(labels)
    majority.qrels_rows()  # raises an error for labels that qrels cannot represent
    return majority.label


def _make_assessor_qrels(labels: Labels, majority: Ints, assessor: int, rest: Rest) -> Qrels:
    is_own = labels.worker == assessor
    codes = majority.copy() if rest == "consensus" else np.full_like(majority, UNJUDGED)
    codes[labels.item[is_own]] = labels.label[is_own]
    return make_qrels(_list_qrels_rows(labels, codes))


def _list_qrels_rows(labels: Labels, codes: Ints) -> list[tuple[str, str, int]]:
    values = labels.values if labels.values is not None else np.empty(0)
    return [
        (topic, document, int(values[code]) if code >= 0 else UNJUDGEABLE)
        for (topic, document), code in zip(labels.pairs or (), codes.tolist(), strict=True)
        if code != UNJUDGED
    ]


def _find_highest_grade(labels: Labels) -> int:
    return int(labels.values.max()) if labels.values is not None else 1


# Consensus rules


@dataclass(frozen=True, slots=True)
class RuleEffect:
    """Effect of using a consensus rule instead of the project's current rule.

    It contains the number of grades that would change, and the pairs of runs whose order by one
    measure would be reversed. For the current rule, nothing changes.
    """

    rule: Rule  # rule with integer grades, which are valid in qrels
    in_force: bool  # whether the project uses the rule
    labels: int  # number of (topic, document) pairs whose grade would change or disappear
    # pairs of runs whose order by the measure would be reversed
    swapped: tuple[tuple[str, str], ...]


def rule_effects(
    project: Project, measure: Measure, policy: Policy | None = None, progress: Progress = SILENT
) -> tuple[RuleEffect, ...]:
    """Return the effect of each rule with integer grades, in the order of the registry.

    Adjudicated grades never change. Raises IrjudgeError if an event cannot be read, or the measure
    needs data that the project lacks.
    """
    vote_labels, current_rule = build_vote_labels(project, progress), read_consensus_method(project)
    rules = [rule for rule in CONSENSUS_RULES.values() if not rule.is_real_valued]
    rows = {
        rule.name: list_consensus_rows(
            project, compute_consensus(project, rule.name, progress, labels=vote_labels)
        )
        for rule in rules
    }
    grades: dict[str, Grades] = {
        name: {(topic, document): grade for topic, document, grade in rule_rows}
        for name, rule_rows in rows.items()
    }
    values = {
        name: _compute_run_means(project, rule_rows, measure, policy, progress)
        for name, rule_rows in rows.items()
        if grades[name] != grades[current_rule]
    }
    current_means = (
        _compute_run_means(project, rows[current_rule], measure, policy, progress)
        if values
        else ((), np.zeros(0))
    )
    return tuple(
        RuleEffect(
            rule,
            rule.name == current_rule,
            _count_differences(grades[current_rule], grades[rule.name]),
            _list_swapped_pairs(current_means, values.get(rule.name, current_means)),
        )
        for rule in rules
    )


def _count_differences(first_grades: Grades, second_grades: Grades) -> int:
    return sum(
        first_grades.get(pair) != second_grades.get(pair)
        for pair in first_grades.keys() | second_grades.keys()
    )


def _compute_run_means(
    project: Project,
    rows: list[tuple[str, str, int]],
    measure: Measure,
    policy: Policy | None,
    progress: Progress,
) -> tuple[tuple[str, ...], Floats]:
    names = [run.name for run in project.rankings.runs()]
    if not names or not rows:
        return (), np.zeros(0)
    runs = (
        project.rankings.run(name)
        for name in progress.track(names, Message("Comparing rules"), total=len(names), every=1)
    )
    needed_kinds = frozenset(measure.declaration.needs)
    table = evaluate_runs(
        make_qrels(rows),
        runs,
        [measure],
        policy,
        highest=project.scale.highest,
        collection=project.collection.document_count() or None,
        tables=read_auxiliary_tables(project, needed_kinds) if needed_kinds else (),
        total=len(names),
    )
    (ordering,) = measure_orderings(table)
    return ordering.systems, ordering.values


def _list_swapped_pairs(
    ordering_before: tuple[tuple[str, ...], Floats], ordering_after: tuple[tuple[str, ...], Floats]
) -> tuple[tuple[str, str], ...]:
    (names, means_before), (_, means_after) = ordering_before, ordering_after
    return tuple(
        (names[a], names[b])
        for a, b in combinations(range(len(names)), 2)
        if (means_before[a] - means_before[b]) * (means_after[a] - means_after[b]) < 0
        and min(abs(means_before[a] - means_before[b]), abs(means_after[a] - means_after[b]))
        > VALUE_TOLERANCE
    )


# Correlations of the runs of a project


@dataclass(frozen=True, slots=True)
class PairCounts:
    """Numbers of pairs of items by their order in two rankings."""

    concordant: int  # pairs in the same order in both rankings
    discordant: int  # pairs in opposite orders
    tied: int  # pairs that are tied in at least one ranking

    @property
    def pairs(self) -> int:
        """Number of all pairs."""
        return self.concordant + self.discordant + self.tied


@dataclass(frozen=True, slots=True, eq=False)
class SystemOrders:
    """Content of the correlation page: orders of the same systems, and their correlations.

    The correlations are values of one statistic. The orders result from different measures, qrels
    or assessors, whose names are in `names`. Each order consists of a value per system; the systems
    are not sorted.

    `values[a, b]` is the correlation of orders a and b (NaN if undefined), shape (orders, orders).
    If the statistic is asymmetric, so is the matrix, and order a (the row) is the true one.
    """

    names: tuple[str, ...]
    orders: tuple[SystemOrdering, ...]
    statistic: Statistic
    values: Floats
    qrels_name: str = ""  # name of the qrels if all orders use the same qrels
    topics_warning: str = ""  # first warning about topics in the evaluations; empty if none

    def count_pairs(self, row: int, column: int) -> PairCounts:
        """Return the concordance counts of two orders."""
        return _count_common_pairs(
            RankPair.of_scores(self.orders[row].values, self.orders[column].values)
        )


@dataclass(frozen=True, slots=True)
class TopicCorrelation:
    """Comparison of the rankings of two runs for a topic, down to a depth if one is given.

    `value` is the correlation, NaN if undefined. `in_both` is the number of documents that are in
    both rankings, and `in_either` the number that are in at least one of them. `ranked` is the
    number of documents whose order is compared if the statistic compares orders, not lists. `pairs`
    counts pairs of documents that are in both rankings. A correlation is a row of a table on the
    correlation page.
    """

    topic: str
    value: float
    in_both: int
    in_either: int
    ranked: int
    pairs: PairCounts


@dataclass(frozen=True, slots=True)
class RunCorrelation:
    """Correlations of two runs of a project for each common topic.

    `first` and `second` are the names of the runs. `unmatched_topics` are two counts: topics of
    only the first run, and of only the second run. `titles` are the titles of the topics. The
    correlation page shows these correlations.
    """

    first: str
    second: str
    statistic: Statistic
    lines: tuple[TopicCorrelation, ...]
    unmatched_topics: tuple[int, int]
    titles: Mapping[str, str]


def _count_common_pairs(pair: RankPair) -> PairCounts:
    common_pair = pair.select_items("common")
    agreement = rank_agreement(common_pair.first, common_pair.second)
    return PairCounts(agreement.concordant, agreement.discordant, agreement.tied)


def correlate_project_runs(
    project: Project,
    first: str,
    second: str,
    statistic: Statistic,
    *,
    depth: int | None = None,
    items: Items = "common",
    progress: Progress = SILENT,
) -> RunCorrelation:
    """Correlate the rankings of two runs of a project, given by name, for each common topic."""
    first_run, second_run = project.rankings.run(first), project.rankings.run(second)
    lines = tuple(
        TopicCorrelation(
            pair.topic,
            statistic.compute(pair.pair, items),
            int(pair.pair.common.sum()),
            len(pair.pair),
            len(pair.pair.select_items(items)),
            _count_common_pairs(pair.pair),
        )
        for pair in run_pairs(first_run, second_run, depth=depth, progress=progress)
    )
    first_topics, second_topics = set(first_run.topics), set(second_run.topics)
    unmatched = len(first_topics - second_topics), len(second_topics - first_topics)
    titles = project.collection.topic_titles()
    return RunCorrelation(first, second, statistic, lines, unmatched, titles)


def correlate_project_orders(
    project: Project,
    measures: Sequence[Measure],
    policy: Policy,
    choices: Sequence[QrelsChoice | None],
    statistic: Statistic,
    *,
    workers: Workers = SERIAL,
    progress: Progress = SILENT,
) -> SystemOrders:
    """Correlate the orders of a project's runs by several measures, or with several qrels.

    Either `measures` or `choices` has several elements; None stands for the default qrels. Raises
    IrjudgeError if neither has.
    """
    if len(measures) * len(choices) < 2:
        raise IrjudgeError(
            "Comparing system rankings needs at least two qrels, got {count}.", count=len(choices)
        )
    tables = [
        evaluate_project(project, measures, policy, choice, progress, workers=workers)
        for choice in choices
    ]
    orders = [ordering for table in tables for ordering in measure_orderings(table)]
    names = [choice.name for choice in choices if choice] if len(choices) > 1 else []
    return SystemOrders(
        tuple(names or (measure.name for measure in measures)),
        tuple(orders),
        statistic,
        ordering_matrix(orders, statistic),
        "" if names else tables[0].source,
        next(filter(None, (table.topics_warning for table in tables)), ""),
    )


def correlate_project_assessors(
    project: Project,
    measure: Measure,
    policy: Policy,
    statistic: Statistic,
    *,
    progress: Progress = SILENT,
) -> SystemOrders:
    """Correlate the orders of a project's runs by one measure, with an order per assessor."""
    names = [run.name for run in project.rankings.runs()]
    orderings = assessor_orderings(
        build_vote_labels(project, progress),
        lambda: (project.rankings.run(name) for name in names),
        [measure],
        policy,
        progress=progress,
    )
    return SystemOrders(
        orderings.names,
        orderings.orders[0],
        statistic,
        orderings.matrix(statistic),
        topics_warning=orderings.topics_warning,
    )
