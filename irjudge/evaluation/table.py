"""Table of runs, topics and measures, with averages and coverage."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal, TypeAlias, get_args

import numpy as np

from irjudge.errors import IrjudgeError, MeasureError
from irjudge.evaluation.judged_runs import (
    TOPIC_POLICIES,
    TOPIC_POLICY_DESCRIPTIONS,
    TopicPolicy,
    find_judged_ranks,
    join,
    join_auxiliary_table,
    read_judged_ranks,
    to_single_precision,
)
from irjudge.formats.bytes import open_input
from irjudge.formats.rankings import (
    choose_distinct_run_names,
    no_shared_topic_warning,
    read_run,
)
from irjudge.formats.rows import AS_RECOGNISED, ColumnMapping, map_in_parallel
from irjudge.message import SEMICOLON, Message, format_count, join_messages
from irjudge.metrics import (
    GROUPS,
    PROFILE_RULES,
    PROFILES,
    AuxiliaryRows,
    Cell,
    JudgedRun,
    Measure,
    Profile,
    Scores,
    TextItem,
    list_measures,
    merge_texts,
    parse_measure_name,
    parse_texts,
    relevance_strings,
)
from irjudge.model import (
    AUXILIARY_KINDS,
    TIES,
    TIES_MEANING,
    AuxiliaryTable,
    Floats,
    JudgedRanking,
    Qrels,
    Run,
    Ties,
    select_topics,
    with_query_ids,
)
from irjudge.options import check_choice, check_whole
from irjudge.progress import SILENT, Progress

# Averages over topics, and their confidence intervals

Average: TypeAlias = Literal["macro", "micro", "geometric", "median"]
AVERAGES: tuple[Average, ...] = get_args(Average)
AVERAGE_DESCRIPTIONS: dict[Average, str] = {
    "macro": Message("the mean over the topics"),
    "micro": Message("the measure computed from the counts summed over all topics"),
    "geometric": Message(
        "the geometric mean over the topics, with values below 0.00001 replaced by 0.00001"
    ),
    "median": Message("the median over the topics"),
}

# minimum of values in geometric means, as in trec_eval; lower values are replaced with it
MIN_GEOMETRIC_VALUE = 1e-5
CONFIDENCE_LEVEL = 0.95
RESAMPLES = 10_000
# number of resampled topics per call of numpy; more would not fit the processor cache, and the
# window would not stay responsive
TOPICS_PER_BATCH = 100_000


def summarise(
    measures: Sequence[Measure], values: Scores, judged_run: JudgedRun, average: Average = "macro"
) -> Scores:
    """Return the run values of M measures, shape (M,), from topic values, shape (M, T).

    Counts are always summed, pooled measures are always computed from summed counts, and the mean
    of geometric measures is always geometric. `average` applies to all other measures. Pooled
    values are computed from `judged_run`. The value is 0 without topics. Raises MeasureError if
    pooling is requested for a measure that is not computed from counts, or a geometric mean for a
    measure that can be negative.
    """
    if average != "macro":
        _check_average(measures, average)
    sorted_values = values[:, sorted(range(len(judged_run)), key=judged_run.topics.__getitem__)]
    return np.array(
        [
            _summarise_values(measure, row, judged_run, average)
            for measure, row in zip(measures, sorted_values, strict=True)
        ],
        dtype=np.float64,
    )


def _summarise_values(
    measure: Measure, values: Scores, judged_run: JudgedRun, average: Average
) -> float:
    declaration = measure.declaration
    if not len(values):
        return 0.0
    if declaration.summary == "sum":
        return _sum_in_order(values)
    if declaration.micro and (
        declaration.summary == "pooled" or (average == "micro" and declaration.mean == "arithmetic")
    ):
        counts = declaration.micro.counts(measure.select_judged(judged_run), **measure.settings)
        return float(declaration.micro.formula(*(count.sum(keepdims=True) for count in counts))[0])
    if declaration.mean == "geometric" or average == "geometric":
        return float(
            np.exp(
                _sum_in_order(
                    np.log(
                        np.maximum(
                            values, 0 if declaration.mean == "geometric" else MIN_GEOMETRIC_VALUE
                        )
                    )
                )
                / len(values)
            )
        )
    if average == "median":
        return float(np.median(values))
    return _sum_in_order(values) / len(values)


def _sum_in_order(values: Scores) -> float:
    """Return the sum in the order of the values, as in trec_eval.

    Another order of summation could change the last digit.
    """
    return float(np.cumsum(values)[-1])


def _check_average(measures: Sequence[Measure], average: Average) -> None:
    means = [measure for measure in measures if measure.declaration.summary == "mean"]
    if average == "micro":
        for measure in means:
            if measure.declaration.micro is None:
                pooled = ", ".join(measure.name for measure in list_measures() if measure.micro)
                raise MeasureError(
                    "{measure} has no micro average, because it is not computed from counts; "
                    "measures that have one: {measures}.",
                    key="no-micro-average",
                    measure=measure.name,
                    measures=pooled,
                )
    if average == "geometric":
        for measure in means:
            if measure.declaration.bounds[0] < 0:
                raise MeasureError(
                    "{measure} has no geometric mean, because its values may be below 0.",
                    key="no-geometric-mean",
                    measure=measure.name,
                )


def deviations(values: Scores) -> Scores:
    """Return the sample standard deviations over topics, shape (M,), of values, shape (M, T).

    The divisor is T − 1; with fewer than two topics the deviation is 0.

    >>> deviations(np.array([[0.0, 1.0], [0.5, 0.5]])).round(4)
    array([0.7071, 0.    ])
    """
    if values.shape[1] < 2:
        return np.zeros(len(values))
    return np.asarray(values.std(axis=1, ddof=1))


# minimum number of topics for an interval, since resamples of one topic are all equal
MIN_TOPICS = 2


def describe_missing_interval(run: str, topics: int) -> Message | None:
    """Return the reason why the mean over `topics` topics has no interval; None if it has one."""
    if topics >= MIN_TOPICS:
        return None
    return Message(
        "{run}: no interval, because {topics} cannot be resampled; at least {minimum} topics are "
        "needed.",
        key="no-interval",
        run=run,
        topics=format_count(topics, "topic"),
        minimum=MIN_TOPICS,
    )


def intervals(
    values: Scores, seed: int = 0, *, level: float = CONFIDENCE_LEVEL, resamples: int = RESAMPLES
) -> Scores:
    """Return the percentile bootstrap interval of the mean over topics, shape (M, 2).

    `values` has shape (M, T). All measures use the same resamples of T topics, drawn with
    replacement. The ends are nan for fewer topics than `MIN_TOPICS`, see
    `describe_missing_interval`. The confidence level is between 0 and 1. Equal seeds yield equal
    numbers on all machines.

    >>> intervals(np.array([[0.25, 0.25, 0.25]]))
    array([[0.25, 0.25]])
    """
    from irjudge.stats import RandomStream  # noqa: PLC0415 -- rarely used

    count = values.shape[1]
    if count < MIN_TOPICS:
        return np.full((len(values), 2), np.nan)
    stream, resampled_means = RandomStream(seed), []
    rows = max(1, TOPICS_PER_BATCH // count)
    for start in range(0, resamples, rows):
        resample = stream.draw_integers(min(rows, resamples - start), count, count)
        resampled_means.append(
            np.stack([row[resample].mean(axis=1) for row in values])
            if len(values)
            else np.empty((0, len(resample)))
        )
    tail = (1 - level) / 2
    return np.asarray(
        np.quantile(np.concatenate(resampled_means, axis=1), [tail, 1 - tail], axis=1).T
    )


# Coverage by auxiliary files: an error if no run is covered, a warning if a run is partly covered

MAX_EXAMPLES = 3


@dataclass(frozen=True, slots=True)
class _Match:
    run: str
    topics: int  # number of evaluated topics
    missing_topics: tuple[str, ...]  # topics without a row
    documents: int  # number of retrieved documents; 0 for a file about topics
    documents_with_row: int  # number of documents with a row


@dataclass(slots=True)
class AuxiliaryCoverage:
    """Accumulator of counts: how many topics and documents of runs have a row in auxiliary files.

    Runs are added one by one. `warnings()` then returns warnings about files that lack topics or
    documents, and raises an error if a file has no row for any of the runs.
    """

    tables: Sequence[AuxiliaryTable]
    _matches: dict[str, list[_Match]] = field(default_factory=dict)

    def add(self, run: str, judged_run: JudgedRun) -> None:
        """Count the topics and documents of a run that each auxiliary file describes.

        `judged_run` must contain the rows of the auxiliary files.
        """
        for table in self.tables:
            match = _match_table(run, judged_run, judged_run.auxiliary[table.kind], table)
            self._matches.setdefault(table.kind, []).append(match)

    def warnings(self) -> tuple[Message, ...]:
        """Return warnings about files that describe only a part of the added runs.

        Raises
        ------
        IrjudgeError
            If no row of a file belongs to an added run.
        """
        messages: list[Message] = []
        for table in self.tables:
            matches = [match for match in self._matches.get(table.kind, ()) if match.topics]
            if matches and all(len(match.missing_topics) == match.topics for match in matches):
                raise _make_no_match_error(table, matches)
            messages += (
                message for match in matches for message in _describe_partial_matches(table, match)
            )
        return tuple(messages)


def _match_table(
    run: str, judged_run: JudgedRun, rows: AuxiliaryRows, table: AuxiliaryTable
) -> _Match:
    is_used = rows.rank > 0 if AUXILIARY_KINDS.find(table.kind).by_document else rows.rank == 0
    topic, rank = rows.topic[is_used], rows.rank[is_used]
    has_row = np.zeros(len(judged_run.topics), dtype=bool)
    has_row[topic] = True
    missing_topics = tuple(judged_run.topics[index] for index in np.flatnonzero(~has_row).tolist())
    if not AUXILIARY_KINDS.find(table.kind).by_document:
        return _Match(run, len(judged_run.topics), missing_topics, 0, 0)
    documents_with_row = len(np.unique(np.stack([topic, rank]), axis=1).T)
    return _Match(
        run,
        len(judged_run.topics),
        missing_topics,
        int(judged_run.n_retrieved.sum()),
        documents_with_row,
    )


def _make_no_match_error(table: AuxiliaryTable, matches: Sequence[_Match]) -> IrjudgeError:
    column = "document" if AUXILIARY_KINDS.find(table.kind).by_document else "topic"
    names = {
        part: ", ".join([*dict.fromkeys(map(str, table.columns[part]))][:MAX_EXAMPLES])
        for part in ("run", column)
        if part in table.columns
    }
    values_text = "; ".join(f"{part}: {values}" for part, values in names.items() if values)
    return IrjudgeError(
        "{file}: no row belongs to an evaluated run ({runs}); number of rows: {count:,}. Do "
        "the ids match? Values in the file: {columns}. Runs are named after their file or tag.",
        key="side-matches-nothing",
        file=table.source or table.kind,
        count=len(table),
        runs=", ".join(match.run for match in matches[:MAX_EXAMPLES]),
        columns=values_text,
    )


def _describe_partial_matches(table: AuxiliaryTable, match: _Match) -> Iterator[Message]:
    values = {"file": table.source or table.kind, "run": match.run}
    if len(match.missing_topics) == match.topics:
        yield Message(
            "{file}: no row belongs to run {run}, so values of this run that depend on the "
            "file are meaningless.",
            key="side-lacks-run",
            **values,
        )
    elif match.documents and match.documents_with_row < match.documents:
        yield Message(
            "{file}, run {run}: retrieved documents without a row: {count:,} of {total:,}.",
            key="side-lacks-documents",
            count=match.documents - match.documents_with_row,
            total=match.documents,
            **values,
        )
    elif match.missing_topics and not match.documents:
        yield Message(
            "{file}, run {run}: topics without a row: {count:,} of {total:,}, for example {topic}.",
            key="side-lacks-topics",
            count=len(match.missing_topics),
            total=match.topics,
            topic=match.missing_topics[0],
            **values,
        )


# Values by run, topic and measure

MAX_LISTED_GROUPS = 4
MAX_LISTED_RUNS = 10


def list_measure_cautions(qrels: Qrels, measures: Sequence[Measure]) -> tuple[str, ...]:
    """Return a caution for each measure whose value is easily misinterpreted.

    >>> from irjudge.metrics import parse_measure_name
    >>> from irjudge.model import make_qrels
    >>> list_measure_cautions(make_qrels([("1", "d1", 1)]), parse_measure_name("SetF(beta=2)"))
    ('SetF(beta=2): irjudge interprets 2 as beta; ir_measures interprets the parameter of SetF as beta², which irjudge writes as set_F.2.',)
    """
    return (
        *_describe_group_cautions(qrels, [measure for measure in measures if measure.by_subtopics]),
        *_describe_setf_cautions(measures),
    )


def _describe_group_cautions(qrels: Qrels, measures: Sequence[Measure]) -> Iterator[str]:
    """Yield a caution if column 2 of the qrels varies, but no document has several subtopics."""
    if not measures:
        return
    used_groups = np.unique(qrels.group)
    if len(used_groups) < 2:
        return
    pairs = qrels.topic.astype(np.int64) * len(qrels.documents) + qrels.document
    if len(np.unique(pairs)) < len(pairs):
        return
    groups = [qrels.groups[code] for code in used_groups[:MAX_LISTED_GROUPS].tolist()] + (
        ["…"] if len(used_groups) > MAX_LISTED_GROUPS else []
    )
    names = ", ".join(measure.name for measure in measures)
    yield (
        Message(
            "{names}: column 2 of the qrels ({groups}) is read as subtopics, but no document "
            "belongs to two subtopics. If column 2 contains rounds of judging, the value is "
            "meaningless; with 0 in column 2, each topic is one subtopic.",
            names=names,
            groups=", ".join(groups),
        )
    )


def _describe_best_when_empty(
    measures: Sequence[Measure], runs: Sequence["RunScores"]
) -> Iterator[str]:
    """Yield a caution if topics without retrieved documents have the best value of a measure."""
    names = [
        measure.name
        for index, measure in enumerate(measures)
        if measure.direction and _is_best_when_empty(measure, index, runs)
    ]
    if names:
        yield Message(
            "{measures}: a topic without retrieved documents has the best possible value, so a run "
            "can improve its value by omitting topics.",
            key="best-when-empty",
            measures=", ".join(names),
        )


def _is_best_when_empty(measure: Measure, index: int, runs: Sequence["RunScores"]) -> bool:
    lowest, highest = measure.declaration.bounds
    values = [
        value
        for run in runs
        for topic, value in zip(run.topics, run.values[index].tolist(), strict=True)
        if topic in run.missing
    ]
    return bool(values) and set(values) == {lowest if measure.direction < 0 else highest}


def _describe_setf_cautions(measures: Sequence[Measure]) -> Iterator[str]:
    for measure in measures:
        beta = measure.values.get("beta")
        if measure.declaration.name == "SetF" and beta != 1 and not measure.typed_suffix:
            yield Message(
                "{measure}: irjudge interprets {beta:g} as beta; ir_measures interprets the "
                "parameter of SetF as beta², which irjudge writes as set_F.{beta:g}.",
                measure=measure.name,
                beta=beta,
            )


ALL_TOPICS = "all"
COVERAGE_DEPTH = 10


@dataclass(frozen=True, slots=True)
class Policy:
    """Rules of an evaluation, the same for all its runs and measures; all rules have defaults.

    The rules determine how rankings are read (order of ties, depth, excluded documents), which
    topics are evaluated, which grades are relevant, and how values are averaged over topics. The
    profile determines which program's rules are used where programs differ. `str(policy)` is the
    description of the rules in notes about results.
    """

    ties: Ties = "trec"  # order of documents with equal scores
    topics: TopicPolicy = "both"  # which topics are evaluated
    rel: int = 1  # lowest relevant grade
    profile: Profile = "irjudge"  # program whose rules are used where programs differ
    depth: int | None = None  # number of top documents to evaluate in each ranking; None for all
    average: Average = "macro"  # kind of average over topics
    # highest grade of the scale, for measures that divide by it; None for the highest grade of the
    # project's scale or, without a project, of the qrels
    highest: int | None = None
    # topics of the qrels to evaluate, in the syntax of `select_topics`; empty for all
    only: str = ""
    exclude_query_id: bool = False  # whether a document with the id of its topic is excluded

    def __post_init__(self) -> None:
        """Raise IrjudgeError if a choice is unknown, or a number is too small or not an integer."""
        check_choice("ties", self.ties, TIES)
        check_choice("topics", self.topics, TOPIC_POLICIES)
        check_choice("profile", self.profile, PROFILES)
        check_choice("average", self.average, AVERAGES)
        check_whole("rel", self.rel, minimum=1)
        for option, value, minimum in (("depth", self.depth, 1), ("highest", self.highest, 0)):
            if value is not None:
                check_whole(option, value, minimum=minimum)

    def select_topics(self, topics: Sequence[str]) -> Sequence[str]:
        """Return the topics of the qrels to evaluate: the topics in `only`, or all topics."""
        return (select_topics(self.only, topics) or topics) if self.only else topics

    def prepare(self, run: Run) -> Run:
        """Return the run without excluded documents.

        If `exclude_query_id` is set, documents with the id of their topic are excluded.
        """
        return run.without_queries() if self.exclude_query_id else run

    @property
    def single_precision(self) -> bool:
        """Whether scores are compared in single precision."""
        return PROFILE_RULES[self.profile].single_scores

    def __str__(self) -> str:
        parts = [
            Message(
                "{policy}; ties: {ties} ({meaning}); relevant: grade {rel} or higher",
                policy=TOPIC_POLICY_DESCRIPTIONS[self.topics],
                ties=self.ties,
                meaning=TIES_MEANING[self.ties],
                rel=self.rel,
            )
        ]
        if self.only:
            parts.append(Message("only these topics: {topics}", topics=self.only))
        if self.exclude_query_id:
            parts.append(Message("excluding documents with the same id as their topic"))
        if self.depth is not None:
            parts.append(Message("only ranks 1 to {depth:,} of each ranking", depth=self.depth))
        if self.average != "macro":
            parts.append(
                Message(
                    "average: {average} ({meaning})",
                    average=self.average,
                    meaning=AVERAGE_DESCRIPTIONS[self.average],
                )
            )
        if self.profile != "irjudge":
            parts.append(
                Message(
                    "profile: {profile} ({meaning})",
                    profile=self.profile,
                    meaning=PROFILE_RULES[self.profile].meaning,
                )
            )
        return join_messages(parts, SEMICOLON)


@dataclass(frozen=True, slots=True)
class Coverage:
    """Basis of a run's means: counts of topics and ties, and share of unjudged top documents."""

    topics: int  # number of averaged topics
    missing: int  # number of selected topics of the qrels that the run lacks
    unjudged_topics: int  # number of topics of the run that the qrels lack
    without_relevant: int  # number of averaged topics without a relevant document in the qrels
    # share of documents without a grade of 0 or more among the top 10 of all averaged topics,
    # between 0 and 1; 0 if nothing was retrieved
    unjudged_top: float
    tied: int  # number of documents with the same score as another document of the topic


@dataclass(frozen=True, slots=True, eq=False)
class RunScores:
    """Values of one run by measure and topic, with averages and coverage.

    The topics are those evaluated for this run, and can include topics that the run lacks
    (`missing`). The measures are those of the `Evaluation`.
    """

    run: str
    topics: tuple[str, ...]  # T evaluated topics
    values: Scores  # value by measure and topic, shape (M, T)
    # value over all topics, shape (M,): average, sum for counts, or value of the pooled counts; 0 if
    # there are no topics
    summary: Scores
    coverage: Coverage
    missing: frozenset[str] = frozenset()  # topics in `topics` that the run lacks
    # for each text item of the evaluation, a text for each topic; empty if the item is about the
    # whole run
    texts: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class HighestGrade:
    """Highest grade of the scale, and a text that describes its source for the user."""

    grade: int
    source: str  # for qrels with gains, also states the highest gain

    def __str__(self) -> str:
        return Message("{grade}, {source}", grade=self.grade, source=self.source)


def find_highest_grade(
    qrels: Qrels, policy: Policy, scale_highest: int | None = None
) -> HighestGrade:
    """Return the highest grade of the policy or, by default, of the scale or the qrels.

    `scale_highest` is ignored if the qrels have a higher grade. For qrels with gains, `source`
    in the result states the highest gain. Raises MeasureError if the policy's highest grade is less
    than a grade in the qrels or, for qrels with gains, less than a gain.
    """
    highest_judged = int(qrels.grade.max(initial=0))
    if qrels.gain is not None:
        if policy.highest is None:
            highest_judged = max(highest_judged, scale_highest or 0)
        return _find_highest_grade_with_gains(qrels.gain, highest_judged, policy)
    if policy.highest is not None:
        if policy.highest < highest_judged:
            raise MeasureError(
                "The highest grade is set to {highest}, but the qrels contain the grade {grade}.",
                highest=policy.highest,
                grade=highest_judged,
            )
        return HighestGrade(policy.highest, Message("as requested"))
    if scale_highest is not None and scale_highest >= highest_judged:
        return HighestGrade(scale_highest, Message("from the project's scale"))
    return HighestGrade(highest_judged, Message("the highest grade in the qrels"))


def find_highest_gain(qrels: Qrels, policy: Policy) -> float | None:
    """Return the highest gain that the policy sets or, by default, that the qrels contain.

    The result is None for qrels without gains.
    """
    if qrels.gain is None:
        return None
    return float(qrels.gain.max(initial=0)) if policy.highest is None else float(policy.highest)


def _find_highest_grade_with_gains(gain: Floats, grade: int, policy: Policy) -> HighestGrade:
    """Return the highest grade of qrels with gains; `source` also states the highest gain."""
    max_gain = float(gain.max(initial=0))
    if policy.highest is None:
        return HighestGrade(grade, Message("highest gain in the qrels: {gain:g}", gain=max_gain))
    if policy.highest < max_gain:
        raise MeasureError(
            "The highest gain is set to {highest}, but the qrels contain the gain {gain:g}.",
            highest=policy.highest,
            gain=max_gain,
        )
    return HighestGrade(
        max(grade, policy.highest), Message("as requested (also used as the highest gain)")
    )


@dataclass(frozen=True, slots=True, eq=False)
class Evaluation:
    """Result of an evaluation: values of all runs by the same measures and policy.

    The policy determines, among other things, which topics count, how tied documents are ordered
    and which grades are relevant. The qrels are included, but not the rankings of the runs. Runs
    can have different topics. If the values were stored before, the qrels are empty.
    """

    measures: tuple[Measure, ...]
    policy: Policy
    runs: tuple[RunScores, ...]  # one entry for each run
    qrels: Qrels  # qrels of the evaluation, needed for exports
    source: str = ""  # description of the origin of the qrels
    texts: tuple[TextItem, ...] = ()  # text items printed among the measures
    highest: HighestGrade | None = None  # highest grade of the scale, if a measure divides by it
    notes: tuple[str, ...] = ()  # notes that help to interpret the values

    topics_chosen: bool = False  # whether the user selected the topics to evaluate
    warnings: tuple[str, ...] = ()  # warnings about the files or the project

    @property
    def has_same_topics(self) -> bool:
        """Whether all runs were evaluated on the same topics."""
        return all(run.topics == self.runs[0].topics for run in self.runs)

    @property
    def is_rankable(self) -> bool:
        """Whether the averages of runs are comparable.

        Averages are comparable if all runs have the same topics, or if the user selected the
        topics.
        """
        return self.topics_chosen or self.has_same_topics

    @property
    def topics_warning(self) -> str:
        """Warning that averages are over different topics; empty if averages are comparable."""
        if self.is_rankable:
            return ""
        return warn_of_topics({run.run: run.topics for run in self.runs})

    @property
    def topics(self) -> tuple[str, ...]:
        """Topics evaluated for at least one run, in qrels order.

        If the values were stored before, the topics are in the order of the runs.
        """
        evaluated = dict.fromkeys(topic for run in self.runs for topic in run.topics)
        ordered = dict.fromkeys(topic for topic in self.qrels.topics if topic in evaluated)
        return tuple(ordered | evaluated)

    def select_measures(self, measures: Sequence[Measure]) -> "Evaluation":
        """Return the evaluation limited to some of its measures."""
        indices = [self.measures.index(measure) for measure in measures]
        runs = (
            replace(run, values=run.values[indices], summary=run.summary[indices])
            for run in self.runs
        )
        return replace(self, measures=tuple(measures), runs=tuple(runs))

    def topic_values(self) -> Scores:
        """Return the values by measure, run and topic of `topics`, shape (M, R, T).

        A value is NaN if the run was not evaluated on the topic.
        """
        columns = {topic: column for column, topic in enumerate(self.topics)}
        values = np.full((len(self.measures), len(self.runs), len(columns)), np.nan)
        for row, run in enumerate(self.runs):
            values[:, row, [columns[topic] for topic in run.topics]] = run.values
        return values

    def rows(self, *, per_topic: bool = False) -> Iterable[tuple[str, str, str, float]]:
        """Yield rows (run, measure, topic, value), in which the topic of averages is `all`.

        If `per_topic` is set, rows of single topics precede the row of the average.
        """
        for run in self.runs:
            for measure, values, summary in zip(
                self.measures, run.values, run.summary, strict=True
            ):
                if per_topic:
                    yield from (
                        (run.run, measure.name, topic, float(value))
                        for topic, value in zip(run.topics, values, strict=True)
                    )
                yield run.run, measure.name, ALL_TOPICS, float(summary)


@dataclass(frozen=True, slots=True, eq=False)
class ResultTable:
    """Table that an engine function returns, to show or to write, with notes and warnings.

    `rows` may be an iterator, which can be used only once.
    """

    columns: Sequence[str]
    rows: Iterable[Sequence[Cell]]
    policy: Policy | None = None  # policy of the evaluation; None if the rows depend on none
    notes: tuple[str, ...] = ()  # notes on how the values were computed
    warnings: tuple[str, ...] = ()  # warnings about the files or the project


def printed_value(measure: Measure, value: float) -> int | float:
    """Return a value as a number for printing; counts are converted to integers."""
    return round(value) if measure.declaration.summary == "sum" else float(value)


def topics_advice(evaluation: Evaluation) -> tuple[str, ...]:
    """Return the warning that runs have different topics, and advice on options that avoid this.

    The result is empty if averages are comparable.
    """
    advice = Message(
        "{warning} Choose --topics qrels, which counts a missing topic as an empty ranking, or "
        "give --topics both (the default) explicitly to compare the runs anyway.",
        warning=evaluation.topics_warning,
    )
    return (advice,) if evaluation.topics_warning else ()


def warn_of_topics(topics_by_run: Mapping[str, Sequence[str]]) -> Message:
    """Return a warning that averages of runs are over different topics."""
    counts = [f"{run}: {len(topics):,}" for run, topics in topics_by_run.items()]
    return Message(
        "The runs have different topics ({counts}), so their averages are not comparable.",
        key="different-topics",
        counts=", ".join(counts[:MAX_LISTED_RUNS])
        + (", …" if len(counts) > MAX_LISTED_RUNS else ""),
    )


def describe_basis(evaluation: Evaluation) -> tuple[str, ...]:
    """Return sentences about how means were computed: policy, highest grade, runs' coverage."""
    highest = evaluation.highest
    grade = Message("Highest grade of the scale: {grade}.", grade=highest)
    return (
        *topics_advice(evaluation),
        Message("Averaged over: {policy}.", policy=evaluation.policy),
        *((grade,) if highest else ()),
        *map(_describe_coverage, evaluation.runs),
        *evaluation.notes,
    )


def _describe_coverage(run: RunScores) -> str:
    coverage = run.coverage
    if not coverage.topics:
        return no_shared_topic_warning(run.run)
    parts = [format_count(coverage.topics, "topic")]
    if coverage.missing:
        topics = format_count(coverage.missing, "topic")
        parts.append(Message("{topics} of the qrels not in the run", topics=topics))
    if coverage.unjudged_topics:
        topics = format_count(coverage.unjudged_topics, "topic")
        parts.append(Message("{topics} of the run not in the qrels", topics=topics))
    if coverage.without_relevant:
        count = coverage.without_relevant
        parts.append(Message("topics without a relevant document: {count:,}", count=count))
    share = 100 * coverage.unjudged_top
    parts.append(Message("unjudged documents in the top 10: {share:.1f} %", share=share))
    if coverage.unjudged_top == 1:
        parts.append(
            Message("no document in the top 10 of any topic is judged (do the document ids match?)")
        )
    if coverage.tied:
        documents = format_count(coverage.tied, "document")
        parts.append(Message("{documents} with tied scores", documents=documents))
    return Message("{run}: {coverage}.", run=run.run, coverage=join_messages(parts))


def coverage_warnings(table: Evaluation) -> tuple[Message, ...]:
    """Return a warning for each run without topics of the qrels or without judged top documents.

    Top documents have ranks 1 to 10.
    """
    wanted_count = len(table.policy.select_topics(table.qrels.topics))
    messages = []
    for run in table.runs:
        if run.coverage.missing == wanted_count:
            messages.append(no_shared_topic_warning(run.run))
        elif run.coverage.unjudged_top == 1:
            problem = Message(
                "{run}: no document in the top 10 of any topic is judged. "
                "Do the document ids match?",
                key="no-judged-document",
                run=run.run,
            )
            messages.append(problem)
    return tuple(messages)


def parse_measures(
    names: Iterable[str], rel: int = 1, profile: Profile = "irjudge"
) -> tuple[Measure, ...]:
    """Return the measures with these names or in these groups, in order, without duplicates.

    Text items in a group such as `all_trec` are omitted. Raises MeasureError for an unknown name
    or parameter and for the name of a text item, and IrjudgeError if there is no name.
    """
    measures = {
        measure.name: measure
        for name in names
        for measure in parse_measure_name(name, rel=rel, profile=profile)
    }
    if not measures:
        raise IrjudgeError(
            "Give at least one measure, for example AP or nDCG@10; run `irjudge measures` for "
            "the list.",
            key="no-measure",
        )
    return tuple(measures.values())


def parse_measures_and_texts(
    names: Iterable[str], rel: int = 1, profile: Profile = "irjudge"
) -> tuple[tuple[Measure, ...], tuple[TextItem, ...]]:
    """Return the measures and text items with these names or in these groups, in order.

    Duplicates are omitted. Raises MeasureError for an unknown name or parameter, and IrjudgeError
    if there is no name.
    """
    names = list(names)
    texts = {name: parse_texts(name) for name in names}
    numbers = [name for name in names if texts[name] is None or name.strip().lower() in GROUPS]
    measures = parse_measures(numbers, rel, profile) if numbers or not names else ()
    return measures, merge_texts(
        tuple(text for messages in texts.values() for text in messages or ())
    )


def read_ranking(
    path: Path,
    qrels: Qrels,
    policy: Policy,
    name: str | None = None,
    *,
    needs_whole_run: bool = False,
    columns: ColumnMapping = AS_RECOGNISED,
    encoding: str | None = None,
) -> Run | JudgedRanking:
    """Read from a run file the data that `evaluate_runs` needs for these qrels and policy.

    The whole run is read if `needs_whole_run` or `policy.exclude_query_id` is set, and for a text
    file also if `columns` maps columns or `encoding` is given. Raises FormatError at the first
    invalid line.
    """
    needs_whole_run = needs_whole_run or policy.exclude_query_id
    with open_input(path) as file:
        # imported only if needed, since most runs are text files
        if not needs_whole_run and not file.first_rows():
            from irjudge.evaluation.column_retrieval import read_columnar_judged_ranks  # noqa: PLC0415

            ranking = read_columnar_judged_ranks(
                file,
                qrels,
                name,
                ties=policy.ties,
                single_precision=policy.single_precision,
                columns=columns,
            )
            if ranking:
                return ranking
        if path.is_dir():
            run = read_run(path, name, columns=columns, encoding=encoding)
            return policy.prepare(with_query_ids(run, qrels))
        judged_ranking = (
            None
            if needs_whole_run or columns or encoding
            else read_judged_ranks(
                file, qrels, name, ties=policy.ties, single_precision=policy.single_precision
            )
        )
        return judged_ranking or policy.prepare(
            with_query_ids(read_run(file, name, columns=columns, encoding=encoding), qrels)
        )


def evaluate_runs(
    qrels: Qrels,
    runs: Iterable[Run | JudgedRanking],
    measures: Sequence[Measure],
    policy: Policy | None = None,
    *,
    highest: int | None = None,
    highest_gain: float | None = None,
    collection: int | None = None,
    source: str = "",
    texts: Sequence[TextItem] = (),
    tables: Sequence[AuxiliaryTable] = (),
    is_part: bool = False,
    total: int | None = None,
    progress: Progress = SILENT,
) -> Evaluation:
    """Evaluate runs one at a time, so that memory is needed only for the largest run.

    Parameters
    ----------
    runs
        Runs, or `JudgedRanking` objects made with these qrels and this policy; a generator may read
        them from files. `tables` require whole runs, since documents outside the qrels matter.
    highest
        Highest grade of the project's scale.
    highest_gain
        Highest gain of all topics, if the qrels have gains but lack the topic with that gain.
    collection
        Number of documents of the collection; None if unknown.
    source
        Description of the origin of the qrels, for reports.
    texts
        Text items to print in addition to the measures.
    tables
        Auxiliary tables.
    is_part
        Whether only a part of the topics is evaluated: an auxiliary file may then have no rows for
        the runs, and `highest` is the highest grade of all topics.
    total
        Number of runs, for progress reports.

    Raises
    ------
    IrjudgeError
        If two runs have the same name, or an auxiliary file covers none of the runs.
    MeasureError
        If a measure cannot be averaged by the policy.
    """
    policy = policy or Policy()
    if is_part and highest is not None:  # the highest grade of the whole, with the policy applied
        scale = HighestGrade(max(highest, int(qrels.grade.max(initial=0))), "")
    else:
        scale = find_highest_grade(qrels, policy, highest)
    scores: list[RunScores] = []
    auxiliary_coverage = AuxiliaryCoverage(tables)
    for run_or_part in runs:
        run = policy.prepare(run_or_part) if isinstance(run_or_part, Run) else run_or_part
        if any(earlier_scores.run == run.name for earlier_scores in scores):
            raise IrjudgeError(
                "Two runs are named {run}, so their values could not be distinguished.",
                run=run.name,
            )
        retrieved = (
            run
            if isinstance(run, JudgedRanking)
            else find_judged_ranks(
                run, qrels, policy.ties, single_precision=policy.single_precision
            )
        )
        if (retrieved.ties, retrieved.single_precision) != (policy.ties, policy.single_precision):
            raise ValueError(
                Message(
                    "{run} was read with a tie order other than {ties}, or its scores were "
                    "compared in another precision.",
                    run=retrieved.name,
                    ties=policy.ties,
                )
            )
        judged = join(
            retrieved,
            qrels,
            topics=policy.topics,
            rel=policy.rel,
            highest=scale.grade,
            depth=policy.depth,
            collection=collection,
            only=policy.only,
        )
        max_gain = highest_gain if policy.highest is None else float(policy.highest)
        if qrels.gain is not None and max_gain is not None:
            judged = replace(judged, highest_gain=max_gain)
        judged = add_auxiliary_rows(judged, tables, run, qrels, policy)
        auxiliary_coverage.add(retrieved.name, judged)
        scores.append(_score_run(retrieved, qrels, judged, measures, texts, policy))
        progress.step(len(scores), total, Message("Evaluated {run}", run=retrieved.name))
        del run_or_part, run, retrieved, judged  # frees memory before the next run is read
    highest_grade = scale if any(measure.needs_highest for measure in measures) else None
    return Evaluation(
        tuple(measures),
        policy,
        tuple(scores),
        qrels,
        source,
        tuple(texts),
        highest_grade,
        (
            *list_measure_cautions(qrels, measures),
            *_describe_best_when_empty(measures, scores),
            *(() if is_part else auxiliary_coverage.warnings()),
        ),
    )


def evaluate_files(
    qrels: Qrels,
    paths: Sequence[Path],
    measures: Sequence[Measure],
    policy: Policy,
    *,
    source: str = "",
    progress: Progress = SILENT,
) -> Iterator[Evaluation]:
    """Yield the evaluation of the first run, then of the first two runs, and so on.

    Runs are named after their files.
    """

    def evaluate_file(path_and_name: tuple[Path, str | None]) -> Evaluation:
        path, name = path_and_name
        return evaluate_runs(
            qrels, [read_ranking(path, qrels, policy, name)], measures, policy, source=source
        )

    runs: tuple[RunScores, ...] = ()
    notes: dict[str, None] = {}
    # The next run is read while the current one is evaluated.
    with closing(
        map_in_parallel(evaluate_file, zip(paths, choose_distinct_run_names(paths), strict=True))
    ) as rankings:
        for index, path in enumerate(paths):
            progress.step(index, len(paths), Message("Reading {file}", file=path.name))
            table = next(rankings)
            runs += table.runs
            notes |= dict.fromkeys(table.notes)
            yield replace(table, runs=runs, notes=tuple(notes))


def add_auxiliary_rows(
    judged_run: JudgedRun,
    tables: Sequence[AuxiliaryTable],
    run: Run | JudgedRanking,
    qrels: Qrels,
    policy: Policy,
) -> JudgedRun:
    """Return a copy of a judged run with the rows of auxiliary files that belong to it."""
    if not tables:
        return judged_run
    if isinstance(run, JudgedRanking):
        raise TypeError("Auxiliary files need complete runs.")
    full_run = to_single_precision(run) if policy.single_precision else run
    return replace(
        judged_run,
        auxiliary={
            table.kind: join_auxiliary_table(
                table, full_run, judged_run, qrels, policy.ties, policy.depth
            )
            for table in tables
        },
    )


def _score_run(
    run: JudgedRanking,
    qrels: Qrels,
    judged_run: JudgedRun,
    measures: Sequence[Measure],
    texts: Sequence[TextItem],
    policy: Policy,
) -> RunScores:
    values = (
        np.stack([measure.compute(judged_run) for measure in measures])
        if measures
        else np.empty((0, len(judged_run)))
    )
    is_missing = judged_run.n_retrieved == 0
    if PROFILE_RULES[policy.profile].skips_missing:
        is_skipped = [measure.declaration.is_arithmetic_mean for measure in measures]
        values[np.ix_(is_skipped, is_missing)] = 0
    in_run = set(run.topics)
    retrieved_top = judged_run.count_retrieved(COVERAGE_DEPTH).sum()
    unjudged_count = retrieved_top - len(judged_run.judged_hits(COVERAGE_DEPTH).rank)
    return RunScores(
        run.name,
        judged_run.topics,
        values,
        _compute_summaries(measures, values, judged_run, policy),
        Coverage(
            topics=len(judged_run),
            missing=len({*policy.select_topics(qrels.topics)} - in_run),
            unjudged_topics=len(in_run.difference(qrels.topics)),
            without_relevant=int((judged_run.n_relevant(policy.rel) == 0).sum()),
            unjudged_top=float(unjudged_count / retrieved_top) if retrieved_top else 0.0,
            tied=run.tied,
        ),
        frozenset(
            topic
            for topic, topic_is_missing in zip(judged_run.topics, is_missing.tolist(), strict=True)
            if topic_is_missing
        ),
        tuple(
            relevance_strings(judged_run, text.length) if text.keyword == "relstring" else ()
            for text in texts
        ),
    )


def _compute_summaries(
    measures: Sequence[Measure], values: Scores, judged_run: JudgedRun, policy: Policy
) -> Scores:
    summaries = summarise(measures, values, judged_run, policy.average)
    counts = [is_total_of_grades_above_0(measure, policy) for measure in measures]
    if any(counts):
        summaries[counts] = judged_run.n_relevant(1).sum()
    return summaries


def is_total_of_grades_above_0(measure: Measure, policy: Policy) -> bool:
    """Return whether a run's value is the number of grades above 0, as in trec_eval.

    This number can differ from the sum over topics of the measure's values, which count relevant
    documents.
    """
    return (
        PROFILE_RULES[policy.profile].relevant_above_0
        and policy.topics == "qrels"
        and measure.declaration.name == "NumRel"
        and measure.values["rel"] == policy.rel
    )
