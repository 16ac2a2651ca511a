"""Agreement of assessors on labels (overall or in groups), and on the order of systems."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import chain, combinations, groupby
from pathlib import Path
from typing import Annotated, Literal, TypeAlias, cast, get_args

from irjudge.audit.assessor_labels import (
    LabelSource,
    LabelsRequest,
    find_uncounted_assessors,
    read_assessor_labels,
)
from irjudge.audit.imported_ratings import (
    RATING_COLUMNS,
    Part,
    RatingsComparison,
    Row,
    compare_labels,
    compare_ratings,
)
from irjudge.errors import IrjudgeError
from irjudge.evaluation import (
    MIN_SYSTEMS,
    REST_DESCRIPTIONS,
    RESTS,
    Policy,
    Rest,
    assessor_orderings,
    compare_orderings,
    parse_measures,
)
from irjudge.formats.rankings import GradesRequest, choose_distinct_run_names, read_qrels, read_run
from irjudge.judging import (
    Group,
    build_vote_labels,
    group_assessors,
    make_display_names,
    read_counted_group,
    rename_workers,
)
from irjudge.message import Message, format_count, join_messages
from irjudge.model import Labels, Run, with_query_texts
from irjudge.options import Option, When, describe_choices
from irjudge.progress import SILENT, Progress
from irjudge.stats import (
    DEFAULT_SAMPLING_SEED,
    Sampling,
    SeedOption,
    judge_assessors,
    measure_quality,
    parse_statistics,
)
from irjudge.stats.agreement import (
    AGREEMENT,
    AGREEMENT_COLUMNS,
    DEFAULT_PAIR_STATISTICS,
    AgreementEstimate,
    PairAgreement,
    agreement,
    agreement_by_grade,
    agreement_by_topic,
    agreement_of_pairs,
    count_item_kinds,
)
from irjudge.stats.consensus import DisagreedDocument, find_disagreements
from irjudge.store import Project

AgreementTable: TypeAlias = Literal[
    "all", "pairs", "topics", "grades", "assessors", "systems", "confusion", "conflicts", "rounds"
]
SYSTEMS = When("table", ("systems",))
# statistics of a `ProjectAgreement` by pair, topic and grade; the first is shown by default
PROJECT_PAIR_STATISTICS = ("kappa", "raw-agreement", "scott-pi", "positive-agreement", "overlap")
TOPIC_STATISTICS = ("raw-agreement", "alpha-nominal")
GRADE_STATISTICS = ("positive-agreement", "alpha-nominal")
ORDERING_STATISTICS = ("tau", "tau-b", "tau-ap")
DEFAULT_ORDERING_MEASURE = "nDCG@10"
ASSESSOR_COLUMNS = (
    *("assessor", "labels", "unjudgeable", "gold", "right", "accuracy", "low", "high"),
    *("agreement", "bias", "error", "kappa", "cost", "quality"),
    *("first_third", "middle_third", "last_third", "repeats", "repeats_same", "same_as_before"),
    *("seconds", "too_fast", "verdict", "why"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class AgreementRequest:
    """Options of `irjudge agreement`: statistics, reported table, and how labels are read.

    `table` selects one table of results, such as `all` (all assessors together), `pairs` (pairs of
    assessors), `assessors`, or `systems` (systems ordered by each assessor's labels). Gold labels
    apply only to `assessors`, measures only to `systems`, and runs only to `systems` of a table of
    labels. If imported ratings are given, the labels are compared with them. `measure_agreement`
    computes all tables except `rounds` (norming sessions). The source of the labels, a project or
    a table, is a separate argument.
    """

    statistics: Annotated[
        tuple[str, ...],
        Option(
            f"Statistic; may be repeated. {'; '.join(f'{statistic.name}: {statistic.title}' for statistic in AGREEMENT.values())}.",
            flags=("-s", "--statistic"),
            metavar="NAME",
            when=(When("table", ("all", "pairs", "topics", "grades")),),
        ),
    ] = ()
    table: Annotated[
        AgreementTable,
        Option(
            "Part of the results to report.",
            flags=("--show",),
            choices=get_args(AgreementTable),
        ),
    ] = "all"
    ratings: Annotated[
        str | None,
        Option(
            "Imported ratings to compare the judgments with: for a PROJECT, the name of "
            "imported qrels; for LABELS, a file. Applies to --show all, grades, confusion and "
            "conflicts.",
            kind="name or file",
            metavar="NAME|QRELS",
        ),
    ] = None
    gold: Annotated[
        Path | None,
        Option(
            "Gold labels for --show assessors: a table with the columns item (or topic and "
            "document) and truth.",
            when=(When("table", ("assessors",)),),
        ),
    ] = None
    runs: Annotated[
        tuple[Path, ...],
        Option("With --show systems and a label file: the runs of the systems.", when=(SYSTEMS,)),
    ] = ()
    measures: Annotated[
        tuple[str, ...],
        Option(
            f"Measure for --show systems; may be repeated. Default: {DEFAULT_ORDERING_MEASURE}.",
            flags=("-m", "--measure"),
            when=(SYSTEMS,),
        ),
    ] = ()
    rest: Annotated[
        Rest,
        Option(
            "With --show systems: how to treat documents that an assessor did not judge. "
            f"{describe_choices(REST_DESCRIPTIONS)}",
            choices=RESTS,
            when=(SYSTEMS,),
        ),
    ] = "consensus"
    seed: SeedOption = DEFAULT_SAMPLING_SEED
    samples: Annotated[
        int | None,
        Option(
            "Number of bootstrap samples of items, for the intervals [default: 1,000].", minimum=1
        ),
    ] = None
    labels: LabelsRequest = field(default_factory=LabelsRequest)
    grades: GradesRequest = field(default_factory=GradesRequest)

    def sampling(self, progress: Progress) -> Sampling:
        """Return the options of the resampling that yields confidence intervals."""
        return Sampling(seed=self.seed, samples=self.samples, progress=progress)


@dataclass(frozen=True, slots=True)
class AgreementResult:
    """Result of `measure_agreement`: rows and columns of the requested table, and messages.

    The columns depend on `AgreementRequest.table` and on whether labels are compared with imported
    ratings. A row may describe, for example, a statistic, an assessor, or a conflict. Missing
    values are None.
    """

    columns: Sequence[str]
    rows: list[Row]
    # messages of the reader of the labels and, for the table `systems`, about the orderings
    notes: tuple[str, ...]
    # messages about how many labels or ratings were used, and how many were omitted; empty for the
    # table `assessors`
    summary: tuple[str, ...]


def measure_agreement(
    source: LabelSource, request: AgreementRequest, *, progress: Progress = SILENT
) -> AgreementResult:
    """Return a table of the agreement of assessors, from a project or from a table of labels.

    Missing values are None. The table of norming rounds is not available here;
    `list_norming_sessions` returns it.

    Raises
    ------
    IrjudgeError
        If options cannot be used with the table or the source, if there is no label, or if a
        statistic or measure is unknown.
    """
    if request.table == "rounds":
        raise ValueError("norming rounds have a table of their own, see list_norming_sessions")
    grades = request.grades
    if not request.ratings and (grades.negative or grades.gains):
        raise IrjudgeError(
            "--negative and --gains define how --ratings is read; give --ratings too."
        )
    labels, notes = read_assessor_labels(
        source,
        request.labels,
        gold=request.gold,
        grades=None if request.ratings else grades.rules(),
        keep_repeats=request.table == "assessors",
        progress=progress,
    )
    if ratings_table := _select_ratings_table(request):
        comparison = _compare_ratings(source, labels, request, progress)
        summary = _describe_comparison(comparison)
        return AgreementResult(
            RATING_COLUMNS[ratings_table], [*comparison.rows(ratings_table)], notes, summary
        )
    if request.table == "assessors":
        return AgreementResult(ASSESSOR_COLUMNS, _make_assessor_rows(labels, progress), notes, ())
    if request.table == "systems":
        estimates, ordering_notes = _compute_ordering_agreement(source, labels, request, progress)
        notes = (*notes, *ordering_notes)
    else:
        estimates = [*_iter_estimates(labels, request, progress)]
    columns = AGREEMENT_COLUMNS if request.table != "all" else AGREEMENT_COLUMNS[:-1]
    rows = [estimate.row()[: len(columns)] for estimate in estimates]
    return AgreementResult(columns, rows, notes, _describe_labels(labels))


@dataclass(frozen=True, slots=True)
class ProjectAgreement:
    """Content of the agreement page: agreement between the included assessors of a project.

    The estimates by pair, topic and grade are those of the statistics in
    `PROJECT_PAIR_STATISTICS`, `TOPIC_STATISTICS` and `GRADE_STATISTICS`.
    """

    labels: Labels  # votes of the assessors, who are identified by display name
    overall: tuple[AgreementEstimate, ...]  # one estimate of each statistic, for all assessors
    pairs: tuple[PairAgreement, ...]  # for each statistic, the values of all pairs of assessors
    # for each topic, one estimate of each statistic
    topics: tuple[tuple[AgreementEstimate, ...], ...]
    # for each grade, one estimate of each statistic
    grades: tuple[tuple[AgreementEstimate, ...], ...]
    disagreed: tuple[DisagreedDocument, ...]  # largest distance between labels first
    titles: dict[str, str]  # titles of the documents in `disagreed`, by id
    topic_titles: dict[str, str]  # titles of all topics, by id
    group: Group  # group of assessors whose votes are compared
    # whether both session participants and other assessors have judged, so that the user can choose
    has_several_groups: bool


def read_named_labels(project: Project, progress: Progress = SILENT) -> Labels:
    """Return the votes of the included assessors, who are identified by display name."""
    return rename_workers(build_vote_labels(project, progress), make_display_names(project))


def measure_project_agreement(
    project: Project, rel: int, progress: Progress = SILENT
) -> ProjectAgreement | None:
    """Return the agreement of a project's assessors; None if fewer than two have judged."""
    labels, sampling = read_named_labels(project, progress), Sampling(progress=progress)
    if len(labels.workers) < 2:
        return None
    disagreed = find_disagreements(labels)
    return ProjectAgreement(
        labels,
        agreement(labels, rel=rel, sampling=sampling),
        agreement_of_pairs(labels, PROJECT_PAIR_STATISTICS, rel=rel, sampling=sampling),
        _group_estimates(agreement_by_topic(labels, TOPIC_STATISTICS, rel=rel, sampling=sampling)),
        _group_estimates(agreement_by_grade(labels, GRADE_STATISTICS, sampling=sampling)),
        disagreed,
        project.collection.titles([row.document for row in disagreed]),
        project.collection.topic_titles(),
        read_counted_group(project),
        all(group_assessors(project).values()),
    )


def _group_estimates(
    estimates: Iterable[AgreementEstimate],
) -> tuple[tuple[AgreementEstimate, ...], ...]:
    return tuple(tuple(group) for _, group in groupby(estimates, key=lambda estimate: estimate.of))


def _select_ratings_table(request: AgreementRequest) -> Part | None:
    table, has_ratings = request.table, request.ratings is not None
    if table not in RATING_COLUMNS if has_ratings else table in ("confusion", "conflicts"):
        raise IrjudgeError(
            "--ratings can be used only with --show {choices}, and confusion and conflicts can "
            "be shown only with --ratings. Got --show {choice}.",
            choices=", ".join(RATING_COLUMNS),
            choice=table,
        )
    return cast(Part, table) if has_ratings else None


def _compare_ratings(
    source: LabelSource, labels: Labels, request: AgreementRequest, progress: Progress
) -> RatingsComparison:
    sampling, ratings, rules = request.sampling(progress), request.ratings, request.grades.rules()
    if isinstance(source, Project):
        if rules:
            raise IrjudgeError(
                "{path} is a project and uses the grades of its scale; --grades, --gains and "
                "--cuts apply only to files.",
                path=source.path.name,
            )
        uncounted_assessors = find_uncounted_assessors(source, request.labels.leave_out)
        return compare_ratings(source, ratings, leave_out=uncounted_assessors, sampling=sampling)
    path = Path(ratings or "")
    qrels = read_qrels(path, request.grades.negative, grades=rules)
    qrels = with_query_texts(qrels, {topic for topic, _ in labels.pairs or ()})
    return compare_labels(labels, qrels, path.name, sampling=sampling)


def _describe_comparison(comparison: RatingsComparison) -> tuple[str, ...]:
    unjudgeable_count = sum(
        rater.unjudgeable for rater in comparison.raters if not rater.is_consensus
    )
    sentences = [
        Message(
            "{source}: {judged:,} of {ratings} rejudged; conflicts: {conflicts:,}.",
            source=comparison.source,
            judged=comparison.judged,
            ratings=format_count(comparison.ratings, "rating"),
            conflicts=len(comparison.conflicts),
        )
    ]
    if comparison.off_scale:
        skipped_text = format_count(comparison.off_scale, "rating")
        sentences.append(
            Message("{skipped} skipped: the grade is not on the scale.", skipped=skipped_text)
        )
    if unjudgeable_count:
        labels = format_count(unjudgeable_count, "label")
        sentences.append(
            Message(
                "Not counted because the document was marked unjudgeable: {labels}.", labels=labels
            )
        )
    return tuple(sentences)


def _describe_labels(labels: Labels) -> tuple[str, ...]:
    counts, unjudgeable_count = count_item_kinds(labels), int((labels.label < 0).sum())
    counts_text = Message(
        "{labels} by {assessors} on {items}; {repeated} with at least two grades, giving {pairs}.",
        labels=format_count(len(labels), "label"),
        assessors=format_count(len(labels.workers), "assessor"),
        items=format_count(len(labels.items), "item"),
        repeated=format_count(counts.items, "item"),
        pairs=format_count(counts.pairs, "label pair"),
    )
    if not unjudgeable_count:
        return (counts_text,)
    excluded_text = format_count(unjudgeable_count, "label")
    return (counts_text, Message("Excluded as unjudgeable: {labels}.", labels=excluded_text))


def _make_assessor_rows(labels: Labels, progress: Progress) -> list[Row]:
    """Return a row with the columns `ASSESSOR_COLUMNS` for each assessor, best assessor first."""
    quality = measure_quality(labels, progress=progress)
    verdicts = judge_assessors(labels, progress=progress)
    columns = [
        *(quality.labels, quality.unjudgeable, quality.gold, quality.gold_right),
        *(quality.accuracy, quality.accuracy_low, quality.accuracy_high),
        *(quality.agreement, quality.bias, quality.error, quality.kappa),
        *(quality.cost, quality.quality, *quality.thirds.T),
        *(quality.repeats, quality.repeats_same, quality.same_as_before),
        *(quality.seconds, quality.too_fast),
    ]
    rows_of_values = zip(*(column.tolist() for column in columns), strict=True)
    rows = [
        (worker, *row, verdict.state, join_messages(verdict.evidence, "{first} {second}"))
        for worker, row, verdict in zip(quality.workers, rows_of_values, verdicts, strict=True)
    ]
    rows.sort(key=lambda row: -row[ASSESSOR_COLUMNS.index("quality")])
    return [tuple(None if cell != cell else cell for cell in row) for row in rows]


def _iter_estimates(
    labels: Labels, request: AgreementRequest, progress: Progress
) -> Iterator[AgreementEstimate]:
    names = [name for statistic in request.statistics for name in statistic.split()] or None
    rel, sampling = request.labels.rel, request.sampling(progress)
    if request.table == "pairs":
        pairs = agreement_of_pairs(labels, names or DEFAULT_PAIR_STATISTICS, rel=rel)
        return chain.from_iterable(pair.estimates() for pair in pairs)
    if request.table == "grades":
        compute_by_grade = partial(agreement_by_grade, labels, sampling=sampling)
        return iter(compute_by_grade(names) if names else compute_by_grade())
    if request.table == "all":
        return iter(agreement(labels, names, rel=rel, sampling=sampling))
    if labels.pairs is None:
        raise IrjudgeError(
            "The labels identify items, not documents of topics; give the columns topic and "
            "document.",
            key="no-topics",
        )
    return iter(agreement_by_topic(labels, names, rel=rel, sampling=sampling))


def _compute_ordering_agreement(
    source: LabelSource, labels: Labels, request: AgreementRequest, progress: Progress
) -> tuple[list[AgreementEstimate], tuple[str, ...]]:
    """Return how far pairs of assessors agree on the order of systems, and notes for users.

    There is a rank correlation for each pair of assessors, each measure and each statistic.
    """
    names = [
        name
        for measure in request.measures or (DEFAULT_ORDERING_MEASURE,)
        for name in measure.split()
    ]
    rel = request.labels.rel
    orderings = assessor_orderings(
        labels,
        _make_run_reader(source, request.runs),
        parse_measures(names, rel),
        Policy(rel=rel),
        rest=request.rest,
        progress=progress,
    )
    notes: list[str] = [
        Message(
            "Unjudged documents: {count} ({description}).",
            count=request.rest,
            description=REST_DESCRIPTIONS[request.rest],
        )
    ]
    if orderings.topics_warning:
        notes.append(orderings.topics_warning)
    if orderings.systems < MIN_SYSTEMS:
        notes.append(
            Message(
                "Too few systems to assess their ranking: {count:,}; at least {minimum} are "
                "needed.",
                count=orderings.systems,
                minimum=MIN_SYSTEMS,
            )
        )
    statistics = parse_statistics(ORDERING_STATISTICS)
    estimates = [
        AgreementEstimate(
            pair.statistic, measure, pair.systems, pair.systems, pair.value, of=" / ".join(names)
        )
        for measure, orders in zip(orderings.measures, orderings.orders, strict=True)
        for names, ordering_pair in zip(
            combinations(orderings.names, 2), combinations(orders, 2), strict=True
        )
        for pair in compare_orderings([ordering_pair], statistics)
    ]
    return estimates, tuple(notes)


def _make_run_reader(source: LabelSource, paths: Sequence[Path]) -> Callable[[], Iterable[Run]]:
    """Return a function that returns the runs; it reads the runs of a project one at a time."""
    if isinstance(source, Project):
        if paths:
            raise IrjudgeError(
                "{file} is a project with its own runs; give it without other files.",
                key="project-alone",
                file=source.path.name,
            )
        names = [run.name for run in source.rankings.runs()]
        return lambda: (source.rankings.run(name) for name in names)
    if len(paths) < 2:
        raise IrjudgeError(
            "A comparison of system rankings needs at least two runs, given with --runs; got "
            "{count}.",
            count=len(paths),
        )
    runs = [
        read_run(path, name)
        for path, name in zip(paths, choose_distinct_run_names(paths), strict=True)
    ]
    return lambda: runs
