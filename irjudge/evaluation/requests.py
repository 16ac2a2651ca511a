"""Options of evaluations, evaluation of runs in files or of a project, and tables of values."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from irjudge.errors import FormatError, IrjudgeError
from irjudge.evaluation.judged_runs import (
    TOPIC_POLICIES,
    TOPIC_POLICY_DESCRIPTIONS,
    TopicPolicy,
    join,
)
from irjudge.evaluation.table import (
    ALL_TOPICS,
    AVERAGE_DESCRIPTIONS,
    AVERAGES,
    MIN_TOPICS,
    Average,
    Evaluation,
    Policy,
    ResultTable,
    describe_basis,
    describe_missing_interval,
    deviations,
    evaluate_runs,
    intervals,
    parse_measures_and_texts,
    printed_value,
    read_ranking,
)
from irjudge.formats.bytes import Address, replace_surrogates
from irjudge.formats.rankings import (
    RankingReader,
    ReadingRequest,
    choose_distinct_run_names,
    expand_run_folders,
    read_qrels,
    read_run,
    read_tag,
)
from irjudge.message import Message, format_count
from irjudge.metrics import (
    GROUPS,
    PROFILE_RULES,
    PROFILES,
    Cell,
    Measure,
    Profile,
    TextItem,
    parse_texts,
)
from irjudge.model import (
    TIES,
    TIES_MEANING,
    AuxiliaryTable,
    JudgedRanking,
    Qrels,
    Run,
    Ties,
    make_qrels,
    replace_query_texts,
    select_topics,
    with_query_texts,
)
from irjudge.options import (
    ClusterOption,
    OnlyOption,
    Option,
    SourceOption,
    describe_choices,
)
from irjudge.progress import SILENT, Progress
from irjudge.store import PROJECT_SUFFIX, is_project

if TYPE_CHECKING:
    from irjudge.stats import Workers

DEFAULT_MEASURES = ("AP", "P@10", "nDCG@10", "RR")

RelOption = Annotated[int, Option("Minimum grade counted as relevant.", minimum=1)]
PerTopicOption = Annotated[
    bool,
    Option(
        "Print a row for each topic, not only the mean over the topics.",
        flags=("-q", "--per-topic"),
    ),
]
TopicsOption = Annotated[TopicPolicy, Option("Topics to average over.", choices=TOPIC_POLICIES)]
TiesOption = Annotated[Ties, Option("Order of documents with equal scores.", choices=TIES)]
# Options for topics and ties; their help texts explain each choice
AverageOption = Annotated[
    Average,
    Option(
        "How a measure is averaged over topics. " + describe_choices(AVERAGE_DESCRIPTIONS),
        choices=AVERAGES,
    ),
]
ExplainedTopicsOption = Annotated[
    TopicPolicy,
    Option(
        "Topics to average over. " + describe_choices(TOPIC_POLICY_DESCRIPTIONS),
        choices=TOPIC_POLICIES,
    ),
]
ExplainedTiesOption = Annotated[
    Ties,
    Option("Order of documents with equal scores. " + describe_choices(TIES_MEANING), choices=TIES),
]
DepthOption = Annotated[
    int | None, Option("Evaluate only the top DEPTH documents of each ranking.", minimum=1)
]


@dataclass(frozen=True, slots=True, kw_only=True)
class QrelsRequest:
    """Options for reading qrels and selecting topics, as a part of other requests.

    The path of the qrels is a separate argument. `which` selects the qrels of a project.
    """

    only: OnlyOption = ""
    reading: ReadingRequest = field(default_factory=ReadingRequest)
    which: SourceOption = None


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkersRequest:
    """Option that determines where computations run: on this computer or on a cluster.

    `cluster` is `local` (processes on all cores), the address of a Dask scheduler, or None (this
    process).
    """

    cluster: ClusterOption = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluationSettings:
    """Options for measures, for the policy, and for reading qrels and runs.

    These are the options that several commands share. Paths of files, selected topics, the kind
    of average and the cluster are not included; see `EvaluationRequest` and
    `ValueTableOptions`.
    """

    measures: Annotated[
        tuple[str, ...],
        Option(
            f"Measure or group of measures; may be repeated. [default: {' '.join(DEFAULT_MEASURES)}]",
            flags=("-m", "--measure"),
        ),
    ] = ()
    topics: ExplainedTopicsOption = "both"
    ties: ExplainedTiesOption = "trec"
    reading: ReadingRequest = field(default_factory=ReadingRequest)
    which: SourceOption = None
    rel: RelOption = 1
    highest: Annotated[
        int | None,
        Option(
            "Highest grade of the scale, for ERR, INST and other measures that divide by it. "
            "Default: for a project, the highest grade of its scale; for files, the highest "
            "grade in the qrels.",
            minimum=1,
        ),
    ] = None
    depth: DepthOption = None
    exclude_query_id: Annotated[
        bool,
        Option(
            "Leave out retrieved documents that have the same id as their topic, as BEIR does "
            "where queries are also documents."
        ),
    ] = False
    profile: Annotated[
        Profile,
        Option(
            "How measures are computed. "
            + describe_choices({name: rules.meaning for name, rules in PROFILE_RULES.items()}),
            choices=PROFILES,
        ),
    ] = "irjudge"

    def measure_names(self) -> list[str]:
        """Return the names of the measures; a string that contains several names is split."""
        return [name for measure in self.measures for name in measure.split()]

    def policy(self, only: str = "", *, average: Average = "macro") -> Policy:
        """Return the policy; `only` restricts it to some topics, see `Policy.only`."""
        return Policy(
            ties=self.ties,
            topics=self.topics,
            rel=self.rel,
            profile=self.profile,
            depth=self.depth,
            average=average,
            highest=self.highest,
            only=only,
            exclude_query_id=self.exclude_query_id,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluationRequest:
    """Options of an evaluation: topics, measures, policy, reading of files, and cluster.

    The paths of qrels and runs, the kind of average and auxiliary files are separate arguments.
    """

    only: OnlyOption = ""
    settings: EvaluationSettings = field(default_factory=EvaluationSettings)
    cluster: ClusterOption = None


@dataclass(frozen=True, slots=True, kw_only=True)
class IntervalRequest:
    """Options for the intervals of means: whether to add intervals, and the seed.

    The intervals are 95 % bootstrap intervals over topics.
    """

    interval: Annotated[
        bool,
        Option("Add a 95 % interval of the mean, from 10,000 resamples of the topics."),
    ] = False
    seed: Annotated[
        int,
        Option(
            "Random seed, for reproducible results.",
            minimum=0,
            show_default=True,
        ),
    ] = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ValueChecks:
    """Options for storing values, and for checks that fail if a run is worse than a reference.

    Values are stored under the name `keep`. The reference is a limit, a stored evaluation (by its
    name), or another run. A failed check causes exit code 3, and nothing is stored.
    """

    keep: Annotated[
        str | None,
        Option(
            "Save the values of all topics under a name, with the hash of every input: in "
            "the project, or next to QRELS in NAME.evaluations.jsonl. Nothing is saved if a "
            "check fails. A name can be reused; it then refers to the latest evaluation.",
            metavar="NAME",
        ),
    ] = None
    fail_below: Annotated[
        tuple[str, ...],
        Option(
            "Exit with code 3 if the value of a run is worse than a limit such as "
            "nDCG@10=0.45: below the limit, or above it for measures where lower is better; "
            "may be repeated.",
            metavar="MEASURE=VALUE",
        ),
    ] = ()
    fail_if_worse: Annotated[
        str | None,
        Option(
            "Exit with code 3 if a run is worse, by any of the measures, than it was in a "
            "saved evaluation, or worse than another run.",
            metavar="NAME|RUN",
        ),
    ] = None
    by: Annotated[
        float,
        Option(
            "With --fail-if-worse: fail only if the run is worse by more than this value.",
            minimum=0,
        ),
    ] = 0.0
    significant: Annotated[
        bool,
        Option(
            "With --fail-if-worse: fail only if the difference is significant (paired t-test "
            "at 0.05, with Holm's correction).",
        ),
    ] = False

    def with_measures(self, measure_names: Sequence[str]) -> tuple[str, ...]:
        """Return the measures in `measure_names`, then the measures with limits in `fail_below`."""
        return (*measure_names, *(floor.rpartition("=")[0] for floor in self.fail_below))


@dataclass(frozen=True, slots=True, kw_only=True)
class ValueTableOptions:
    """Options for the table of `irjudge evaluate`, and for storing and checking values.

    They determine how values are averaged, and whether the table has values of single topics,
    standard deviations, intervals, or ranks of the runs.
    """

    average: AverageOption = "macro"
    per_topic: PerTopicOption = False
    deviation: Annotated[bool, Option("Add the standard deviation over the topics.")] = False
    spread: IntervalRequest = field(default_factory=IntervalRequest)
    places: Annotated[
        bool,
        Option(
            "Sort by the first measure; for each run, show the ranks of its group (runs that "
            "do not differ significantly from the best of the group), and the range of ranks "
            "that the significant differences allow.",
        ),
    ] = False
    checks: ValueChecks = field(default_factory=ValueChecks)

    @property
    def spread_columns(self) -> list[str]:
        """Names of the requested columns for the variation over topics."""
        deviation = ["deviation"] if self.deviation else []
        return [*deviation, *(["low", "high"] if self.spread.interval else [])]

    def check(self, *, trec: bool) -> None:
        """Raise IrjudgeError if options contradict each other, or do not fit trec_eval's format.

        The format is checked only if `trec` is set.
        """
        if self.spread.interval and self.average != "macro":
            raise IrjudgeError(
                "--interval applies only to the mean; use it with --average macro, not with "
                "{average}.",
                average=self.average,
            )
        if trec and self.spread_columns:
            raise IrjudgeError(
                "The trec_eval format has no standard deviations or intervals; use --format "
                "text, csv or json."
            )
        if self.places and (trec or self.per_topic or self.spread_columns):
            raise IrjudgeError(
                "--places prints a separate table; use it with --format text, csv or json, and "
                "without options that add rows or columns."
            )


# Evaluation of files, or of a project


def evaluate_sources(
    qrels: Path,
    runs: Sequence[Path],
    request: EvaluationRequest | None = None,
    *,
    average: Average = "macro",
    tables: Sequence[AuxiliaryTable] = (),
    with_texts: bool = False,
    topics_chosen: bool = False,
    workers: "Workers | None" = None,
    progress: Progress = SILENT,
) -> Evaluation:
    """Evaluate runs from files with qrels from a file, or all runs of a project.

    Parameters
    ----------
    qrels
        The qrels, or a project.
    runs
        Run files, or folders of run files; empty for a project.
    request
        Measures, policy, and how the files are read; by default `DEFAULT_MEASURES`.
    average
        Average over the topics.
    tables
        Auxiliary files; they replace auxiliary files of the same kind in a project.
    with_texts
        Whether the measures may include text items such as `runid`.
    topics_chosen
        Whether the user selected the topics to evaluate, so that runs can be ranked although
        their topics differ.
    workers
        Workers that read the runs; by default those of the request.
    progress
        Progress of reading and evaluating.

    Returns
    -------
    Evaluation
        The values; its `warnings` are about the files or the project.

    Raises
    ------
    IrjudgeError
        If options or sources cannot be combined, or a file cannot be read. Warnings about files
        that were read earlier are added to the error as notes.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     qrels, run = Path(folder, "q.txt"), Path(folder, "a.run")
    ...     _ = qrels.write_text("1 0 x 1\\n"), run.write_text("1 Q0 y 1 2 a\\n1 Q0 x 2 1 a\\n")
    ...     settings = EvaluationSettings(measures=("RR",))
    ...     list(evaluate_sources(qrels, [run], EvaluationRequest(settings=settings)).rows())
    [('a', 'RR', 'all', 0.5)]
    """
    request = request or EvaluationRequest()
    settings, warnings = request.settings, list[str]()
    policy = settings.policy(request.only, average=average)
    measures, texts = _parse_measures(settings, policy, with_texts=with_texts)
    with (
        add_warnings_to_errors(warnings),
        _start_workers(request.cluster, workers) as started_workers,
    ):
        if is_project(qrels):
            from irjudge.evaluation.project_evaluation import evaluate_project  # noqa: PLC0415 -- slow
            from irjudge.judging import open_for_reading, select_qrels  # noqa: PLC0415
            from irjudge.stats import SERIAL  # noqa: PLC0415

            refuse_files(qrels, runs, settings.reading.reader())
            with open_for_reading(qrels, warnings) as project:
                choice = select_qrels(project, settings.which)
                warnings += choice.sentences
                evaluation = evaluate_project(
                    project,
                    measures,
                    policy,
                    choice,
                    texts=texts,
                    tables=tables,
                    workers=started_workers or SERIAL,
                    progress=progress,
                )
        else:
            evaluation = _evaluate_files(
                qrels,
                expand_run_folders(runs),
                settings,
                measures,
                policy,
                warnings,
                texts=texts,
                tables=tables,
                workers=started_workers,
                progress=progress,
            )
    return replace(evaluation, topics_chosen=topics_chosen, warnings=tuple(warnings))


def _parse_measures(
    settings: EvaluationSettings, policy: Policy, *, with_texts: bool
) -> tuple[tuple[Measure, ...], tuple[TextItem, ...]]:
    names = settings.measure_names() or list(DEFAULT_MEASURES)
    for name in names if not with_texts else ():
        # groups such as `all_trec` contain measures in addition to text items
        if name.lower() not in GROUPS and parse_texts(name):
            raise IrjudgeError(
                "The values of {measures} are texts, which only --format trec can print.",
                measures=name,
            )
    return parse_measures_and_texts(names, policy.rel, policy.profile)


def _evaluate_files(
    qrels: Path,
    runs: Sequence[Path],
    settings: EvaluationSettings,
    measures: Sequence[Measure],
    policy: Policy,
    warnings: list[str],
    *,
    texts: Sequence[TextItem],
    tables: Sequence[AuxiliaryTable],
    workers: "Workers | None",
    progress: Progress,
) -> Evaluation:
    with explain_exchange(qrels, runs):
        judged = read_judgments(qrels, runs, settings, warnings)
        rankings = iter_rankings(
            runs,
            judged,
            policy,
            settings.reading.reader(),
            warnings,
            tagged=PROFILE_RULES[policy.profile].uses_trec_order,
            needs_whole_run=bool(tables),
            workers=workers,
            progress=progress,
        )
        return evaluate_runs(
            judged,
            rankings,
            measures,
            policy,
            texts=texts,
            tables=tables,
            source=replace_surrogates(qrels.name),
            total=len(runs),
            progress=progress,
        )


def _start_workers(
    cluster: str | None, workers: "Workers | None"
) -> "AbstractContextManager[Workers | None]":
    """Return a context that yields `workers` or the workers of `cluster`; None if both are None."""
    if workers is not None or cluster is None:
        return nullcontext(workers)
    from irjudge.stats import workers_at  # noqa: PLC0415 -- only for clusters

    return workers_at(cluster)


def refuse_files(project: Path, runs: Sequence[Path], reader: RankingReader) -> None:
    """Raise IrjudgeError if runs, or options for reading files, are given with a project."""
    if runs:
        raise IrjudgeError(
            "{project} is a project with its own runs; give it without other files.",
            key="project-alone",
            project=project.name,
        )
    reader.refuse_project(project)


def refuse_source(path: Path, which: str | None) -> None:
    """Raise IrjudgeError if qrels of a project are selected for a file."""
    if which is not None:
        raise IrjudgeError(
            "{path} is not a project; --source applies only to projects.", path=path.name
        )


def read_judgments(
    qrels: Path,
    runs: Sequence[Path],
    request: QrelsRequest | EvaluationSettings,
    warnings: list[str],
) -> Qrels:
    """Read the qrels for some runs, and add warnings about the qrels to `warnings`.

    Raises IrjudgeError if there are no runs, if the qrels are named like a project that does not
    exist, or if qrels of a project are selected.
    """
    refuse_source(qrels, request.which)
    if not runs:
        if qrels.suffix == PROJECT_SUFFIX and not qrels.exists():
            raise IrjudgeError("{path} does not exist.", key="no-file", path=qrels)
        raise IrjudgeError(
            "No run is given; expected at least one after the qrels, or only a project (.irjudge).",
            key="no-runs",
        )
    judged = request.reading.reader().read_qrels(qrels)
    warnings += judged.warnings
    return judged


@contextmanager
def add_warnings_to_errors(warnings: Sequence[str]) -> Iterator[None]:
    """Add `warnings` as notes to an IrjudgeError that the block raises.

    >>> with add_warnings_to_errors(["a.run: 2 duplicates"]):
    ...     raise IrjudgeError("no measure")
    Traceback (most recent call last):
    ...
    irjudge.errors.IrjudgeError: no measure
    a.run: 2 duplicates
    """
    try:
        yield
    except IrjudgeError as error:
        for warning in warnings:
            error.add_note(warning)
        raise


@contextmanager
def explain_exchange(qrels: Path, runs: Sequence[Path]) -> Iterator[None]:
    """Replace a FormatError in the block if the cause is that a run and the qrels are exchanged."""
    try:
        yield
    except FormatError as error:
        raise (_make_exchange_error(qrels, runs) or error) from None


def _make_exchange_error(qrels: Path, runs: Sequence[Path]) -> IrjudgeError | None:
    if qrels in runs:
        return None
    try:
        read_run(qrels)
        read_qrels(runs[0])
    except (IrjudgeError, IndexError, OSError):
        return None
    return IrjudgeError(
        "{qrels} is a run, and {run} contains qrels; give the qrels first.",
        key="exchanged",
        qrels=qrels.name,
        run=runs[0].name,
    )


def iter_rankings(
    runs: Sequence[Path],
    qrels: Qrels,
    policy: Policy,
    reader: RankingReader,
    warnings: list[str],
    *,
    tagged: bool = False,
    needs_whole_run: bool = False,
    workers: "Workers | None" = None,
    progress: Progress = SILENT,
) -> Iterator[Run | JudgedRanking]:
    """Yield the data of each run that an evaluation needs; add warnings to `warnings`.

    One run is read at a time. If `tagged` is set, a single run is named after its tag, as in
    trec_eval; otherwise runs are named after their files.
    """
    names = [read_tag(runs[0])] if tagged and len(runs) == 1 else choose_distinct_run_names(runs)
    keywords: dict[str, Any] = {
        "needs_whole_run": needs_whole_run,
        "columns": reader.runs,
        "encoding": reader.encoding,
    }

    def read_each() -> Iterator[Run | JudgedRanking]:
        for index, (path, name) in enumerate(zip(runs, names, strict=True)):
            progress.step(index, len(runs), Message("Reading {file}", file=path.name))
            yield read_ranking(path, qrels, policy, name, **keywords)

    rankings = read_each()
    if workers is not None:
        from irjudge.evaluation.evaluation_in_parts import (  # noqa: PLC0415 -- only for clusters
            RunFile,
            read_rankings,
        )

        files = [
            RunFile(path.absolute() if path.exists() else path, name)
            for path, name in zip(runs, names, strict=True)
        ]
        rankings = read_rankings(files, qrels, policy, workers, progress=progress, **keywords)
    for ranking in rankings:
        warnings += ranking.warnings
        yield ranking
        del ranking  # frees memory before the next run is read


# Tables of values

RANK_COLUMNS = (
    *("run", "measure", "topic", "value"),
    *("group_first", "group_last", "highest_place", "lowest_place"),
)


def tabulate_values(
    evaluation: Evaluation, options: ValueTableOptions | None = None, *, wide: bool = False
) -> ResultTable:
    """Return the values of an evaluation as a table, and notes on how they were computed.

    Parameters
    ----------
    evaluation
        The values.
    options
        Rows and columns of the table.
    wide
        Whether each measure is a column, as in printed tables, instead of a row.

    Returns
    -------
    ResultTable
        Missing values are None.

    Raises
    ------
    IrjudgeError
        If ranks are requested (`options.places`) and runs cannot be ranked.

    Examples
    --------
    >>> from irjudge.evaluation.table import parse_measures
    >>> from irjudge.model import make_qrels, make_run
    >>> runs = [make_run("a", [("1", "y", 2.0), ("1", "x", 1.0)])]
    >>> table = evaluate_runs(make_qrels([("1", "x", 1)]), runs, parse_measures(["RR", "P@1"]))
    >>> list(tabulate_values(table, wide=True).rows)
    [['a', 0.5, 0.0]]
    >>> list(tabulate_values(table).rows)
    [('a', 'RR', 'all', 0.5), ('a', 'P@1', 'all', 0.0)]
    """
    options = options or ValueTableOptions()
    per_topic, spread = options.per_topic, options.spread_columns
    notes = describe_basis(evaluation)
    columns, rows = ["run", "measure", "topic", "value"], evaluation.rows(per_topic=per_topic)
    titles = dict(zip(evaluation.qrels.topics, evaluation.qrels.titles, strict=False))
    measures = [measure.name for measure in evaluation.measures]
    table: Iterable[Sequence[Cell]] = rows
    if options.places:
        notes = (*notes, *_describe_ranks(evaluation))
        columns, table = [*RANK_COLUMNS], _iter_rank_rows(evaluation)
        if wide:
            columns, table = ["places", "run", *measures, "places_left"], _rank_runs(evaluation)
    elif spread:
        columns, table = [*columns, *spread], _iter_spread_rows(evaluation, options)
    elif wide:
        topic = ["topic", *(["query"] if titles else [])] if per_topic else []
        columns, table = ["run", *topic, *measures], _iter_wide_rows(evaluation, titles, topic)
    elif per_topic and titles:
        columns.insert(3, "query")
        table = ((*row[:3], titles.get(row[2], ""), row[3]) for row in rows)
    if options.spread.interval:
        missing = (describe_missing_interval(run.run, len(run.topics)) for run in evaluation.runs)
        notes = (*filter(None, missing), *notes)
    return ResultTable(columns, table, evaluation.policy, notes)


def _iter_wide_rows(
    evaluation: Evaluation, titles: dict[str, str], topic: Sequence[str]
) -> Iterator[list[Cell]]:
    """Yield rows with a column per measure.

    Each run has a row of averages. If `topic` contains the names of columns for topics, rows of
    single topics precede it.
    """

    def format_values(values: Any) -> list[int | float]:
        return list(map(printed_value, evaluation.measures, values))

    for run in evaluation.runs:
        for column, name in enumerate(run.topics if topic else ()):
            title = [titles[name]] if titles else []
            yield [run.run, name, *title, *format_values(run.values[:, column])]
        yield [run.run, *("all", "")[: len(topic)], *format_values(run.summary)]


def _iter_spread_rows(evaluation: Evaluation, options: ValueTableOptions) -> Iterator[list[Cell]]:
    """Yield rows of values; only rows of arithmetic means have a deviation and an interval."""
    per_topic, spread = options.per_topic, options.spread_columns
    rows = iter(evaluation.rows(per_topic=per_topic))
    for run in evaluation.runs:
        columns = {"deviation": deviations(run.values).tolist()}
        if options.spread.interval and len(run.topics) >= MIN_TOPICS:
            limits = intervals(run.values, options.spread.seed)
            columns |= {"low": limits[:, 0].tolist(), "high": limits[:, 1].tolist()}
        for index, measure in enumerate(evaluation.measures):
            for _ in run.topics if per_topic else ():
                yield [*next(rows), *(None for _ in spread)]
            means = columns if measure.declaration.is_arithmetic_mean else {}
            yield [*next(rows), *(means[name][index] if name in means else None for name in spread)]


def _rank_runs(evaluation: Evaluation) -> list[list[Cell]]:
    """Return a row of ranks and values for each run, sorted by the first measure, best first.

    If averages are not comparable, ranks are empty, and the runs are not sorted.
    """
    from irjudge.evaluation.comparison import rank_runs  # noqa: PLC0415 -- imports scipy

    ranks = {
        run_rank.run: (run_rank.group, run_rank.interval) for run_rank in rank_runs(evaluation)
    }
    if not evaluation.is_rankable:
        ranks = dict.fromkeys((run.run for run in evaluation.runs), ("", ""))
    if not ranks:
        raise IrjudgeError(
            "Runs cannot be ranked by {measure}: a ranking needs at least two runs with common "
            "topics, and a measure of quality whose values are averaged.",
            key="no-places",
            measure=evaluation.measures[0].name,
        )
    values = {row[0]: row[1:] for row in _iter_wide_rows(evaluation, {}, ())}
    return [[group, run, *values[run], interval] for run, (group, interval) in ranks.items()]


def _iter_rank_rows(evaluation: Evaluation) -> Iterator[list[Cell]]:
    from irjudge.evaluation.comparison import rank_runs  # noqa: PLC0415 -- imports scipy

    for index, measure in enumerate(evaluation.measures):
        values = {
            run.run: printed_value(measure, float(run.summary[index])) for run in evaluation.runs
        }
        if not evaluation.is_rankable:
            for run, value in values.items():
                yield [run, measure.name, "all", value, *[None] * 4]
        for run_rank in rank_runs(evaluation, index):
            places = (run_rank.first, run_rank.last, run_rank.highest, run_rank.lowest)
            yield [run_rank.run, measure.name, "all", values[run_rank.run], *places]


def _describe_ranks(evaluation: Evaluation) -> Iterator[str]:
    if evaluation.is_rankable:
        pairs = len(evaluation.runs) * (len(evaluation.runs) - 1) // 2
        yield Message(
            "Ranks: two-sided paired t-tests of all pairs at 0.05, with Holm's correction for "
            "{comparisons}; with more comparisons, fewer differences are significant.",
            comparisons=format_count(pairs, "comparison"),
        )


# Values for a user who already knew some documents

USER_COLUMNS = ("run", "measure", "topic", "value")


@dataclass(frozen=True, slots=True, kw_only=True)
class UserRequest:
    """Options of an evaluation for a user who already knew some documents.

    The measures are coverage, novelty, and, if `wanted` is given, relative recall and recall
    effort. The paths of qrels and runs are separate arguments; known documents are given as qrels.
    """

    known: Annotated[
        Path | Address,
        Option("Qrels of the documents that the user knew before the search.", required=True),
    ]
    wanted: Annotated[
        int | None,
        Option(
            "Number of relevant documents that the user wants, for relative recall and recall "
            "effort.",
            minimum=1,
        ),
    ] = None
    depth: DepthOption = None
    rel: RelOption = 1
    only: OnlyOption = ""
    reading: ReadingRequest = field(default_factory=ReadingRequest)


def _use_ids_of(judged: Qrels, known_qrels: Qrels) -> Qrels:
    """Return the second qrels with the ids that queries with the same texts have in the first.

    Without texts, the ids are unchanged. Ids beside texts may be numbers of queries in each file.
    """
    if not (judged.titles and known_qrels.titles):
        return known_qrels
    ids = dict(zip(judged.titles, judged.topics, strict=True))
    named_qrels = with_query_texts(known_qrels, judged.titles)
    return replace(named_qrels, topics=replace_query_texts(named_qrels.topics, (), ids))


def evaluate_for_user(qrels: Path, runs: Sequence[Path], request: UserRequest) -> ResultTable:
    """Evaluate runs for a user who already knew some relevant documents.

    Parameters
    ----------
    qrels
        The qrels.
    runs
        Run files, or folders of run files.
    request
        Qrels of the known documents, number of wanted documents, and options for reading files.

    Returns
    -------
    ResultTable
        Coverage and novelty; if the number of wanted documents is given, also relative recall and
        recall effort. One row of `USER_COLUMNS` for each topic in both qrels, then their mean.

    Raises
    ------
    IrjudgeError
        If the qrels have no topic in common, or a file cannot be read.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     qrels, known, run = (Path(folder, name) for name in ("q.txt", "k.txt", "a.run"))
    ...     _ = qrels.write_text("1 0 x 1\\n1 0 y 1\\n"), known.write_text("1 0 x 1\\n")
    ...     _ = run.write_text("1 Q0 y 1 2 a\\n1 Q0 x 2 1 a\\n")
    ...     rows = list(evaluate_for_user(qrels, [run], UserRequest(known=known)).rows)
    >>> [(row[1], row[3]) for row in rows if row[2] == "all"]
    [('coverage', 1.0), ('novelty', 0.5)]
    """
    from irjudge.metrics import coverage, novelty, recall_effort, relative_recall  # noqa: PLC0415

    reader, known_source, rows = request.reading.reader(), request.known, list[Sequence[Cell]]()
    rel, cutoff, wanted = request.rel, request.depth, request.wanted
    judged, known_qrels = reader.read_qrels(qrels), reader.read_qrels(known_source)
    warnings = [*judged.warnings, *known_qrels.warnings]
    queries = judged if judged.titles else known_qrels
    known_qrels = _use_ids_of(judged, known_qrels)
    with add_warnings_to_errors(warnings):
        known_topics = {*known_qrels.topics}
        topics = [topic for topic in judged.topics if topic in known_topics]
        if not topics:
            raise IrjudgeError(
                "{first} and {second} have no topic in common.",
                first=qrels.name,
                second=known_source.name,
            )
        topics = list(select_topics(request.only, topics)) or topics
        # both qrels must have the same order of topics, since values are matched by position
        index_of = {topic: index for index, topic in enumerate(topics)}
        judged, known_qrels = (
            make_qrels(
                sorted(qrels_table.select_topics(topics).rows(), key=lambda row: index_of[row[0]])
            )
            for qrels_table in (judged, known_qrels)
        )
        for run in reader.read_runs(runs, qrels=queries):
            warnings += run.warnings
            new_run, known_run = (
                join(run, qrels_table, topics="qrels", rel=rel)
                for qrels_table in (judged, known_qrels)
            )
            values = {
                "coverage": coverage(known_run, rel=rel, cutoff=cutoff),
                "novelty": novelty(new_run, known_run, rel=rel, cutoff=cutoff),
            }
            if wanted:
                values |= {
                    "relative_recall": relative_recall(
                        new_run, wanted=wanted, rel=rel, cutoff=cutoff
                    ),
                    "recall_effort": recall_effort(new_run, wanted=wanted, rel=rel, cutoff=cutoff),
                }
            for measure, scores in values.items():
                pairs = zip(topics, scores.tolist(), strict=True)
                rows += ((run.name, measure, topic, score) for topic, score in pairs)
                rows.append((run.name, measure, ALL_TOPICS, float(scores.mean())))
    note = Message("Averaged only over these topics: {topics}.", topics=request.only)
    notes = (note,) if request.only else ()
    return ResultTable(USER_COLUMNS, rows, notes=notes, warnings=tuple(warnings))
