"""Commands agreement, consensus and preferences."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any, Literal, TypeAlias, cast, get_args

import click

from irjudge.audit import RATING_COLUMNS, Part, RatingsComparison, compare_labels, compare_ratings
from irjudge.cli.columns import FileColumns
from irjudge.cli.open_project import reading, to_write
from irjudge.cli.options import (
    FILE,
    NAME_OR_FILE,
    format_option,
    option_of,
    options_of,
    show,
    terminal_progress,
)
from irjudge.cli.projects import ManyFiles
from irjudge.cli.streams import say, tell
from irjudge.errors import IrjudgeError
from irjudge.evaluation import (
    DEFAULT_SHARE,
    MIN_SYSTEMS,
    PARTS,
    PREFERENCE_COLUMNS,
    REST_DESCRIPTIONS,
    RESTS,
    Evaluation,
    Policy,
    PreferenceResults,
    PreferenceStatistic,
    Rest,
    assessor_orderings,
    compatibility,
    compatibility_statistics,
    evaluate_project,
    evaluate_runs,
    join,
    parse_measures,
    preference_qrels,
    preference_results,
)
from irjudge.formats.judgments import (
    PREFERENCE_PARTS,
    parse_label_columns,
    parse_winners,
    read_gold_labels,
    read_labels,
    read_preferences,
)
from irjudge.formats.rankings import (
    CutsOption,
    GradeRules,
    GradesRequest,
    distinct_run_names,
    parse_grade_rules,
    read_qrels,
    read_run,
    write_qrels,
)
from irjudge.formats.rows import parse_columns
from irjudge.judging import (
    DEFAULT_CONSENSUS_METHOD,
    build_vote_labels,
    compute_consensus,
    iter_preferences,
    list_consensus_rows,
    list_counted_assessors,
    list_norming_sessions,
    list_qrels_choices,
    list_test_pairs,
    make_display_names,
    map_sides_to_runs,
    project_labels,
    queue_disputes,
    read_assigned_gold,
    read_consensus_method,
    read_project_preferences,
    rename_workers,
    set_consensus_method,
)
from irjudge.message import Message, format_count
from irjudge.model import Labels, Preferences, Run, Scale
from irjudge.progress import Progress
from irjudge.report import Cell
from irjudge.stats import (
    DEFAULT_PREFERENCE_SAMPLES,
    DEFAULT_SAMPLING_SEED,
    MAX_SEED,
    Sampling,
    judge_assessors,
    measure_quality,
    parse_statistics,
)
from irjudge.stats.agreement import (
    AGREEMENT,
    AGREEMENT_COLUMNS,
    DEFAULT_PAIR_STATISTICS,
    AgreementEstimate,
    agreement,
    agreement_by_grade,
    agreement_by_topic,
    agreement_of_pairs,
    count_item_kinds,
)
from irjudge.stats.consensus import (
    CONSENSUS_COLUMNS,
    RULES,
    TIES,
    TIES_MEAN,
    Consensus,
    DisputedItem,
    FitOptions,
    RuleSettings,
    Ties,
    adjudication_queue,
    consensus,
    consensus_by_methods,
)
from irjudge.store import Project, is_project

# Commands agreement and consensus

Show: TypeAlias = Literal[
    "all", "pairs", "topics", "grades", "assessors", "systems", "confusion", "conflicts", "rounds"
]
SHOWS: tuple[Show, ...] = get_args(Show)
Repeats: TypeAlias = Literal["last", "first", "all", "refuse"]
REPEATS_MEAN: dict[Repeats, str] = {
    "last": "only the last label is used",
    "first": "only the first label is used",
    "all": "each label is a vote",
    "refuse": "an error is reported",
}
REPEATS = tuple(REPEATS_MEAN)
OF_SYSTEMS = ("tau", "tau-b", "tau-ap")
DEFAULT_MEASURE = "nDCG@10"
ROUND_COLUMNS = tuple(
    "session,round,of,statistic,scale,people,used,value,low,high,reason".split(",")
)
ASSESSOR_COLUMNS = (
    "assessor,labels,unjudgeable,gold,right,accuracy,low,high,agreement,bias,error,kappa,cost,quality,"
    "first_third,middle_third,last_third,repeats,repeats_same,same_as_before,seconds,too_fast,verdict,why"
).split(",")


def _meanings(meaning: Mapping[Any, str]) -> str:
    return "; ".join(f"{name}: {description}" for name, description in meaning.items()) + "."


def sheet_option() -> Callable[[Any], Any]:
    """Return the option `--sheet` of commands that read one table."""
    return click.option(
        "--sheet",
        default="",
        metavar="NAME",
        help="The sheet of a spreadsheet; by default the first one that has the columns.",
    )


def label_options(command: Any) -> Any:
    """Add the options for reading labels to a command."""
    columns = (
        "Map the columns of a label file, by name or number: "
        "item=2,worker=WorkerId,label=3; also topic, document, gold, seconds."
    )
    for option in reversed(
        (
            click.option("--columns", default="", metavar="PART=COLUMN,...", help=columns),
            sheet_option(),
            click.option(
                "--scale",
                metavar="SCALE",
                help=(
                    "Scale of a label file: binary, 0-1 to 0-99, or a JSON file. Default: "
                    "from its labels."
                ),
            ),
            click.option(
                "--repeats",
                "again",
                type=click.Choice(REPEATS),
                default="last",
                show_default=True,
                help=f"If one worker labels an item twice. {_meanings(REPEATS_MEAN)}",
            ),
            click.option(
                "--leave-out",
                multiple=True,
                metavar="NAME",
                help="Assessor to exclude; may be repeated.",
            ),
            click.option(
                "--rel",
                type=click.IntRange(1),
                default=1,
                show_default=True,
                help="Minimum grade counted as relevant.",
            ),
        )
    ):
        command = option(command)
    return command


@click.command("agreement", cls=ManyFiles)
@click.argument("file", type=FILE, metavar="PROJECT|LABELS")
@click.option(
    "-s",
    "--statistic",
    "statistics",
    multiple=True,
    metavar="NAME",
    help=f"Statistic; may be repeated. {'; '.join(f'{each.name}: {each.title}' for each in AGREEMENT.values())}.",
)
@click.option(
    "--show",
    "what",
    type=click.Choice(SHOWS),
    default="all",
    show_default=True,
    help="What to report.",
)
@click.option(
    "--ratings",
    type=NAME_OR_FILE,
    metavar="NAME|QRELS",
    help=(
        "Compare judgments with imported ratings: qrels of the PROJECT by name, or a file for "
        "LABELS. With --show all, grades, confusion or conflicts."
    ),
)
@click.option(
    "--gold",
    type=FILE,
    help="Gold labels: item (or topic and document) and truth. For --show assessors.",
)
@click.option(
    "--runs",
    type=FILE,
    multiple=True,
    help="For --show systems with a label file: the runs of the systems.",
)
@click.option(
    "-m",
    "--measure",
    "measures",
    multiple=True,
    help=f"Measure for --show systems; may be repeated. Default: {DEFAULT_MEASURE}.",
)
@click.option(
    "--rest",
    type=click.Choice(RESTS),
    default="consensus",
    show_default=True,
    help=f"For --show systems. {_meanings(REST_DESCRIPTIONS)}",
)
@click.option(
    "--seed",
    type=click.IntRange(0, MAX_SEED),
    default=DEFAULT_SAMPLING_SEED,
    show_default=True,
    help="Random seed, for reproducible intervals.",
)
@click.option(
    "--samples",
    type=click.IntRange(1),
    help="Number of bootstrap samples of items for intervals [default: 1,000].",
)
@label_options
@options_of(GradesRequest, "how")
@format_option()
def agreement_command(
    file: Path,
    statistics: tuple[str, ...],
    what: Show,
    ratings: str | None,
    gold: Path | None,
    runs: tuple[Path, ...],
    measures: tuple[str, ...],
    rest: Rest,
    seed: int,
    samples: int | None,
    rel: int,
    how: GradesRequest,
    form: str,
    **wish: Any,
) -> None:
    """Report the agreement of the assessors of a PROJECT or of a table of LABELS, with 95 %
    intervals. A table has a header with item (or topic and document), worker (or assessor) and
    label (or grade). Columns of --show assessors: agreement is the mean share of the others who
    gave an item the same grade, bias the mean of grade minus reference (above 0: lenient),
    error the mean distance from it; the reference is the gold grade, or the majority of the
    others. cost is the expected cost of a label after correcting bias, quality is 1 minus its
    ratio to a spammer's: 1 is perfect, 0 is uninformative. first_third, middle_third and
    last_third are the agreement with the others in each third of the work, same_as_before the
    share of grades equal to the previous one, too_fast counts labels given before the first 40
    words can be skimmed. verdict says whether anything is flagged, or that there are too few
    data, and why gives the evidence. Columns with --ratings: came is the imported grade, same
    the share of judgments with the same grade, mean the average grade given; leniency is the
    mean given minus the mean imported. Intervals are from samples of topics. --show rounds has
    a row for each statistic of each norming round of the sessions of a project; the workbook
    also contains the judgments of each document in them, with reasons."""
    chosen = [name for each in statistics for name in each.split()] or None
    with terminal_progress() as progress:
        sampling = Sampling(seed=seed, samples=samples, progress=progress)
        if what == "rounds":
            show(ROUND_COLUMNS, _round_rows(file, sampling), form)
            return
        if not ratings and (how.negative or how.gains):
            raise IrjudgeError(
                "--negative and --gains define how --ratings is read; give --ratings too."
            )
        rules = None if ratings else how.rules()
        labels = labels_of(file, gold, progress, repeats=what == "assessors", grades=rules, **wish)
        if part := _part(what, ratings):
            compared = _ratings_compared(
                file, labels, str(ratings), how, wish["leave_out"], sampling
            )
            show(RATING_COLUMNS[part], compared.rows(part), form)
            _say_ratings(compared)
            return
        if what == "assessors":
            show(ASSESSOR_COLUMNS, _assessor_rows(labels, progress), form)
            return
        if what == "systems":
            estimates: Iterable[AgreementEstimate] = _system_estimates(
                file, labels, runs, measures, rest, rel, progress
            )
        else:
            estimates = list(_estimates(labels, what, chosen, rel, sampling))
        columns = AGREEMENT_COLUMNS if what != "all" else AGREEMENT_COLUMNS[:-1]
        show(columns, (each.row()[: len(columns)] for each in estimates), form)
    _say_labels(labels)


def labels_of(
    file: Path,
    gold: Path | None,
    progress: Progress,
    *,
    columns: str,
    scale: str | None,
    leave_out: Sequence[str],
    sheet: str = "",
    grades: GradeRules | None = None,
    again: Repeats = "last",
    repeats: bool = False,
    votes: bool = False,
) -> Labels:
    """Return the labels in a project or a label file, for the options of a command.

    The labels of a project are the votes for a consensus or, with `repeats`, all judgments,
    including those of documents shown twice and of test documents. In a file, `again` selects among
    a worker's repeated labels of an item: `votes` allows all, and `repeats` returns all.
    """
    if is_project(file):
        if columns or sheet or scale or grades:
            raise IrjudgeError(
                "{file} is a project with a scale of its own; --columns, --sheet, --scale and "
                "--grades are for label files.",
                file=file.name,
            )
        with reading(file) as project:
            labels = _labels(project, _not_counting(project, leave_out), progress, repeats=repeats)
    else:
        on = Scale.parse(scale) if scale else None
        rules = label_rules(file, grades, scale)
        mapping = replace(parse_label_columns(columns), sheet=sheet)
        labels = read_labels(file, columns=mapping, rules=rules, progress=progress)
        labels = labels.without(leave_out) if leave_out else labels
        labels = labels if repeats else _counted_once(file, labels, again, votes=votes)
        labels = labels.with_scale(on.values) if on else labels
    say(*labels.warnings)
    if not len(labels):
        raise IrjudgeError("{file} has no human judgments yet.", key="no-judgments", file=file.name)
    if not gold:
        return labels
    return labels.with_gold(read_gold_labels(gold, rules=label_rules(file, grades, scale)))


def label_rules(file: Path, grades: GradeRules | None, scale: str | None) -> GradeRules:
    """Return the rules for grades, with words from the scale of the project or the option."""
    chosen = Scale.parse(scale) if scale else None
    if is_project(file):
        with reading(file) as project:
            chosen = project.scale
    levels = chosen.grades if chosen else ()
    words = {grade.label: grade.value for grade in levels if grade.label}
    return GradeRules.of(grades).with_words(words)


def _labels(project: Project, out: set[str], progress: Progress, *, repeats: bool) -> Labels:
    names = make_display_names(project)
    if repeats:
        return rename_workers(
            project_labels(
                project,
                leave_out=out,
                repeats=repeats,
                gold=read_assigned_gold(project),
                progress=progress,
            ),
            names,
        )
    labels = build_vote_labels(project, progress, leave_out=out)
    tests = len(list_test_pairs(project).intersection(labels.pairs or ()))
    if tests:
        say(
            f"Excluded: {format_count(tests, 'document')} outside the pool, assigned only to test assessors."
        )
    return rename_workers(labels, names)


def _counted_once(file: Path, labels: Labels, again: Repeats, *, votes: bool) -> Labels:
    """Resolve repeated labels of a worker and item according to `again`, and print a message."""
    repeats = len(labels) - len(labels.latest())
    if not repeats:
        return labels
    if again == "refuse":
        raise IrjudgeError(
            "{file}: repeated worker–item pairs: {rows}; choose the label to use with --repeats.",
            file=file.name,
            rows=format_count(repeats, "row"),
        )
    if again == "all" and not votes:
        raise IrjudgeError(
            "Agreement needs one label per worker and item; --repeats all is for consensus."
        )
    say(
        f"{file.name}: {format_count(repeats, 'row')} with a repeated worker–item pair; {REPEATS_MEAN[again]} (--repeats {again})."
    )
    if again == "last":
        return labels.latest()
    if again == "first":
        return labels.earliest()
    return labels


def _not_counting(project: Project, leave_out: Sequence[str]) -> set[str]:
    """Return the excluded assessors: those named, those excluded in the project, and the organiser
    if there are assignments.
    """
    ids = {name: id for id, name in make_display_names(project).items()}
    leave_out = [ids.get(name, name) for name in leave_out]
    strangers = sorted(set(leave_out) - set(project.events.assessors()))
    if strangers:
        raise IrjudgeError(
            "There is no assessor {strangers!r} to leave out; expected one of {assessors}.",
            strangers=strangers[0],
            assessors=", ".join(project.events.assessors()),
        )
    return {*leave_out, *(set(project.events.assessors()) - set(list_counted_assessors(project)))}


def _estimates(
    labels: Labels, what: Show, statistics: Sequence[str] | None, rel: int, sampling: Sampling
) -> Iterator[AgreementEstimate]:
    if what == "pairs":
        yield from chain.from_iterable(
            each.estimates()
            for each in agreement_of_pairs(labels, statistics or DEFAULT_PAIR_STATISTICS, rel=rel)
        )
    elif what == "grades":
        yield from (
            agreement_by_grade(labels, statistics, sampling=sampling)
            if statistics
            else agreement_by_grade(labels, sampling=sampling)
        )
    elif what == "topics":
        if labels.pairs is None:
            raise IrjudgeError(
                "These labels identify items, not documents of topics; give the columns topic "
                "and document.",
                key="no-topics",
            )
        yield from agreement_by_topic(labels, statistics, rel=rel, sampling=sampling)
    else:
        yield from agreement(labels, statistics, rel=rel, sampling=sampling)


def _system_estimates(
    file: Path,
    labels: Labels,
    runs: Sequence[Path],
    measures: Sequence[str],
    rest: Rest,
    rel: int,
    progress: Progress,
) -> list[AgreementEstimate]:
    """Return the rank correlation of systems for each pair of assessors, measure and statistic."""
    chosen = parse_measures(
        [name for each in measures or (DEFAULT_MEASURE,) for name in each.split()], rel
    )
    if is_project(file):
        if runs:
            raise IrjudgeError(
                "{file} is a project with its own runs; give it alone.",
                key="project-alone",
                file=file.name,
            )
        with reading(file) as project:
            names = [run.name for run in project.rankings.runs()]
            orderings = assessor_orderings(
                labels,
                lambda: (project.rankings.run(name) for name in names),
                chosen,
                Policy(rel=rel),
                rest=rest,
                progress=progress,
            )
    else:
        if len(runs) < 2:
            raise IrjudgeError(
                "Comparing the orders of systems needs at least two runs, given with --runs; "
                "got {count}.",
                count=len(runs),
            )
        read: list[Run] = [
            read_run(path, name) for path, name in zip(runs, distinct_run_names(runs), strict=True)
        ]
        orderings = assessor_orderings(
            labels, lambda: read, chosen, Policy(rel=rel), rest=rest, progress=progress
        )
    say(
        f"Unjudged documents: {rest} ({REST_DESCRIPTIONS[rest]}).",
        *filter(None, [orderings.topics_warning]),
    )
    if orderings.systems < MIN_SYSTEMS:
        say(
            Message(
                "Too few systems to assess their order: {count:,}; at least {least} are needed.",
                count=orderings.systems,
                least=MIN_SYSTEMS,
            )
        )
    return [
        AgreementEstimate(
            each.statistic,
            each.measure_a.rpartition(" [")[0],
            each.systems,
            each.systems,
            each.value,
            of=_two(each.measure_a, each.measure_b),
        )
        for each in orderings.pairs(parse_statistics(OF_SYSTEMS))
    ]


def _round_rows(file: Path, sampling: Sampling) -> list[Sequence[Cell]]:
    """Return a row for each statistic of each norming round."""
    from irjudge.report.workbook import round_rows  # noqa: PLC0415

    if not is_project(file):
        raise IrjudgeError(
            "{file} is not a project; norming rounds belong to the sessions of a project.",
            file=file.name,
        )
    with reading(file) as project:
        sessions = list_norming_sessions(project, sampling=sampling)
    if not sessions:
        raise IrjudgeError(
            "{file} has no closed norming round. Start a session with rounds (`irjudge serve "
            "--norming`).",
            file=file.name,
        )
    return list(round_rows(sessions))


def _two(*names: str) -> str:
    return " / ".join(name.rpartition(" [")[2].removesuffix("]") for name in names)


def _part(what: Show, ratings: str | None) -> Part | None:
    """Return the requested table of the comparison with ratings; None if there are no ratings."""
    if (ratings is None and what in ("confusion", "conflicts")) or (
        ratings is not None and what not in RATING_COLUMNS
    ):
        raise IrjudgeError(
            "--ratings can be used only with --show {rating_columns}, and --show confusion "
            "and conflicts need it; got --show {what}.",
            rating_columns=", ".join(RATING_COLUMNS),
            what=what,
        )
    return cast(Part, what) if ratings is not None else None


def _ratings_compared(
    file: Path,
    labels: Labels,
    ratings: str,
    how: GradesRequest,
    out: Sequence[str],
    sampling: Sampling,
) -> RatingsComparison:
    if not is_project(file):
        qrels = read_qrels(Path(ratings), how.negative, grades=how.rules())
        return compare_labels(labels, qrels, Path(ratings).name, sampling=sampling)
    FileColumns(grades=how.rules()).of_files(file)
    with reading(file) as project:
        return compare_ratings(
            project, ratings, leave_out=_not_counting(project, out), sampling=sampling
        )


def _say_ratings(comparison: RatingsComparison) -> None:
    say(
        f"{comparison.source}: {comparison.judged:,} of {format_count(comparison.ratings, 'rating')}"
        f" rejudged; conflicts: {len(comparison.conflicts):,}."
    )
    say(
        *(
            [
                f"{format_count(comparison.off_scale, 'rating')} skipped: the grade is not on the scale."
            ]
            if comparison.off_scale
            else []
        )
    )
    refused = sum(each.unjudgeable for each in comparison.raters if not each.is_consensus)
    say(*([f"{format_count(refused, 'label')} unjudgeable, not counted."] if refused else []))


def _assessor_rows(labels: Labels, progress: Progress) -> Iterator[Sequence[Cell]]:
    """Yield the statistics of each assessor, best first."""
    quality, verdicts = (
        measure_quality(labels, progress=progress),
        judge_assessors(labels, progress=progress),
    )
    columns = [
        quality.workers,
        *(
            quality.given,
            quality.unjudgeable,
            quality.gold,
            quality.gold_right,
            quality.accuracy,
            quality.accuracy_low,
            quality.accuracy_high,
        ),
        *(
            quality.agreement,
            quality.bias,
            quality.error,
            quality.kappa,
            quality.cost,
            quality.quality,
            *quality.thirds.T,
        ),
        *(
            quality.repeats,
            quality.repeats_same,
            quality.same_as_before,
            quality.seconds,
            quality.too_fast,
        ),
        *(
            tuple(each.state for each in verdicts),
            tuple(" ".join(each.evidence) for each in verdicts),
        ),
    ]
    rows = zip(
        *(column if isinstance(column, tuple) else column.tolist() for column in columns),
        strict=True,
    )
    for row in sorted(rows, key=lambda row: -row[ASSESSOR_COLUMNS.index("quality")]):
        yield [None if cell != cell else cell for cell in row]


def _say_labels(labels: Labels) -> None:
    counts, refused = count_item_kinds(labels), int((labels.label < 0).sum())
    say(
        f"{format_count(len(labels), 'label')} of {format_count(len(labels.workers), 'assessor')} on {format_count(len(labels.items), 'item')}; "
        f"{format_count(counts.items, 'item')} with at least two grades, giving {format_count(counts.pairs, 'pair')} of labels."
        + (f" {format_count(refused, 'label')} unjudgeable, excluded." if refused else "")
    )


@click.command("consensus")
@click.argument("file", type=FILE, metavar="PROJECT|LABELS")
@click.option(
    "--method",
    metavar="NAME",
    help="; ".join(
        f"{each.name}: {each.about[0].lower()}{each.about[1:].removesuffix('.')}"
        for each in RULES.values()
    )
    + f". Default: the method stored in the PROJECT, else {DEFAULT_CONSENSUS_METHOD}.",
)
@click.option(
    "--keep",
    is_flag=True,
    help=("From now on, use this consensus method for the qrels of the PROJECT."),
)
@click.option(
    "--ties",
    type=click.Choice(TIES),
    default="lower",
    show_default=True,
    help=f"Ties of a majority. {_meanings(TIES_MEAN)}",
)
@click.option(
    "--smoothing",
    type=click.FloatRange(0),
    default=1.0,
    show_default=True,
    help="Smoothing of models: number of labels of each kind that is added before fitting.",
)
@click.option(
    "--rounds",
    type=click.IntRange(1),
    help=(
        "Maximum number of iterations of a model. Default: until convergence, for at most two "
        "minutes."
    ),
)
@click.option(
    "--gold",
    type=FILE,
    help=(
        "Gold labels that constrain the models: item (or topic and document) and truth, or qrels."
    ),
)
@click.option(
    "--truth",
    type=FILE,
    help=(
        "Gold labels to compare every method with, as a table or qrels; they do not constrain "
        "the methods."
    ),
)
@click.option(
    "--disagreements",
    is_flag=True,
    help=(
        "Print the items with conflicting votes instead, most important first; then those on "
        "which only the methods disagree."
    ),
)
@click.option(
    "-o",
    "--output",
    type=FILE,
    metavar="QRELS",
    help="Write TREC qrels instead, for labels of topics and documents.",
)
@label_options
@click.option(
    "--grades",
    metavar="OLD:NEW,...",
    help='What the labels of a label file become, such as "1:4,2:3" or, for words, "Exact:3,Partial:1".',
)
@option_of(CutsOption, "cuts")
@format_option()
def consensus_command(
    file: Path,
    method: str | None,
    keep: bool,
    ties: Ties,
    smoothing: float,
    rounds: int | None,
    gold: Path | None,
    truth: Path | None,
    disagreements: bool,
    output: Path | None,
    rel: int,
    grades: str | None,
    cuts: str | None,
    form: str,
    **wish: Any,
) -> None:
    """Combine the grades of several assessors for each item of a PROJECT or of a table of
    LABELS, with reasons. Adjudicated grades of a PROJECT always win."""
    method = _method(file, method, keep=keep)
    with terminal_progress() as progress:
        rules = parse_grade_rules(grades, cuts=cuts)
        labels = labels_of(file, gold, progress, votes=True, grades=rules, **wish)
        settings = RuleSettings(ties, FitOptions(smoothing, rounds, progress=progress))
        found = (
            _read_consensus(file, labels, method, settings)
            if is_project(file)
            else consensus(labels, method, settings)
        )
        gold_rules = label_rules(file, rules, wish["scale"])
        others = consensus_by_methods(labels, RULES, settings) if truth or disagreements else ()
        against = (
            list(_against(others, read_gold_labels(truth, rules=gold_rules))) if truth else []
        )  # raises before anything is printed
    if output:
        count = write_qrels(
            output, _qrels_rows(file, found) if is_project(file) else found.qrels_rows()
        )
        say(f"{format_count(count, 'pair')}, {found.rule.title.lower()}.")
    elif disagreements:
        columns = ("item", *(each.rule.name for each in others), "votes", "weight")
        show(columns, _disputed_rows(file, others, rel), form)
    else:
        columns, rows = _consensus_table(found, paired=form != "text")
        show(columns, (row for row in rows if row[1] is not None or not is_project(file)), form)
    say(*against)
    if found.model is not None and not found.model.converged:
        done = format_count(len(found.model.likelihoods), "round")
        still = format_count(found.model.unsettled, "answer")
        say(
            f"The model had not converged after {done}. At its current rate of change, {still} or more could change."
        )


def _consensus_table(
    consensus: Consensus, *, paired: bool
) -> tuple[tuple[str, ...], Iterable[Sequence[Cell]]]:
    """Return columns and rows of a consensus; `paired` adds topic and document columns."""
    pairs = consensus.labels.pairs
    if not paired or pairs is None:
        return CONSENSUS_COLUMNS, consensus.rows()
    return (*CONSENSUS_COLUMNS, "topic", "document"), (
        (*row, *pair) for row, pair in zip(consensus.rows(), pairs, strict=True)
    )


def _method(file: Path, name: str | None, *, keep: bool) -> str:
    """Return the named consensus method, or else the stored one; `keep` stores it."""
    if not is_project(file):
        if keep:
            raise IrjudgeError("{file} is not a project; --keep is for projects.", file=file.name)
        return name or DEFAULT_CONSENSUS_METHOD
    with to_write(file, writing=keep) as project:
        return (
            set_consensus_method(project, name or read_consensus_method(project))
            if keep
            else name or read_consensus_method(project)
        )


def _read_consensus(file: Path, labels: Labels, method: str, settings: RuleSettings) -> Consensus:
    with reading(file) as project:
        return compute_consensus(project, method, labels=labels, settings=settings)


def _qrels_rows(file: Path, consensus: Consensus) -> list[tuple[str, str, int]]:
    with reading(file) as project:
        return list_consensus_rows(project, consensus)


def _queue_disputes(
    file: Path, consensus: Sequence[Consensus], rel: int
) -> tuple[DisputedItem, ...]:
    if not is_project(file):
        return adjudication_queue(consensus, rel=rel)
    with reading(file) as project:
        return queue_disputes(project, consensus, rel=rel)


def _grade_cell(labels: Labels, grade: float) -> Cell:
    if grade != grade:
        return None
    return f"{grade:g}" if labels.values is not None else labels.scale[int(grade)]


def _disputed_rows(
    file: Path, consensus: Sequence[Consensus], rel: int
) -> Iterator[Sequence[Cell]]:
    names, labels = [row[0] for row in consensus[0].rows()], consensus[0].labels
    for each in _queue_disputes(file, consensus, rel):
        grades = [_grade_cell(labels, grade) for grade in each.grades]
        yield [names[each.item], *grades, each.votes, each.weight]


def _against(consensus: Sequence[Consensus], truth: Any) -> Iterator[str]:
    """Yield the accuracy of each method on the gold items."""
    for each in consensus:
        right, known = replace(each, labels=each.labels.with_gold(truth)).right()
        yield f"{each.rule.title}: {right / known:.3f} correct, {right:,} of {format_count(known, 'item')} with gold labels."


# Command preferences

DEFAULT_PREFERENCE_MEASURES = ("P@10", "nDCG@10")
NAMES = tuple(part.name for part in PREFERENCE_PARTS)


@click.command("preferences")
@click.argument("file", metavar="PROJECT|FILE", type=FILE)
@click.option(
    "--columns",
    default="",
    metavar="PART=COLUMN,...",
    help=(
        "Map the columns, by name or number, such as left=model_a,right=model_b,winner=5. "
        f"Columns: {', '.join(NAMES)}."
    ),
)
@click.option(
    "--winners", metavar="PAIRS", help=("Meaning of each answer, such as A:left,B:right,same:tie.")
)
@sheet_option()
@click.option("--encoding", metavar="NAME", help="Encoding of the file; detected by default.")
@click.option(
    "--documents",
    is_flag=True,
    help=(
        "Left and right are documents of a topic, not systems; in a project, use its "
        "comparisons of documents."
    ),
)
@click.option(
    "--part",
    "parts",
    multiple=True,
    type=click.Choice(list(PARTS)),
    help="Print only this part; may be repeated.",
)
@click.option(
    "--share",
    type=click.FloatRange(0, 1),
    default=DEFAULT_SHARE,
    show_default=True,
    help="Win rate that the plan must be able to detect.",
)
@click.option(
    "--qrels",
    type=FILE,
    help="With --run: whether measures agree in direction with preferences between runs.",
)
@click.option(
    "--run",
    "runs",
    type=FILE,
    multiple=True,
    help="Run of one of the systems; with --documents, the run whose compatibility is computed.",
)
@click.option(
    "-m",
    "--measure",
    "measures",
    multiple=True,
    help=f"Measure; may be repeated. [default: {' '.join(DEFAULT_PREFERENCE_MEASURES)}]",
)
@click.option(
    "--seed",
    type=click.IntRange(0, MAX_SEED),
    default=DEFAULT_SAMPLING_SEED,
    show_default=True,
    help="Random seed, for reproducible intervals.",
)
@click.option(
    "--samples",
    type=click.IntRange(1),
    default=DEFAULT_PREFERENCE_SAMPLES,
    show_default=True,
    help="Number of resamples of topics and assessors.",
)
@options_of(GradesRequest, "how")
@format_option()
def preferences_command(
    file: Path,
    columns: str,
    sheet: str,
    winners: str | None,
    encoding: str | None,
    documents: bool,
    parts: tuple[str, ...],
    share: float,
    qrels: Path | None,
    runs: tuple[Path, ...],
    measures: tuple[str, ...],
    seed: int,
    samples: int,
    how: GradesRequest,
    form: str,
) -> None:
    """Report which of two systems or documents is preferred, with significance: wins, ties,
    strengths, contradictions, side bias, self-agreement. A PROJECT contains side-by-side
    comparisons, made or merged there: of runs, or with --documents of pairs of documents. A table
    has the columns left, right and winner (left, right, tie, or the name of one side), and
    optionally topic, assessor, strength (0 to 2) and seconds, in any order."""
    if is_project(file):
        asked = how != GradesRequest()
        _only_for_files(columns, sheet, winners, encoding, qrels, runs, measures, asked)
        with reading(file) as project:
            preferences, evaluation = _read_preferences(project, documents=documents)
            runs_here = (project.rankings.run(each.name) for each in project.rankings.runs())
            more = _compatibility(preferences, runs_here) if preferences.documents else []
    else:
        meant = parse_winners(winners) if winners is not None else None
        mapping = replace(parse_columns(columns, NAMES), sheet=sheet)
        preferences = read_preferences(
            file, columns=mapping, winners=meant, documents=documents, encoding=encoding
        )
        evaluation = _evaluation(qrels, runs, measures, documents, how)
        more = _compatibility(preferences, _read(runs)) if documents else []
    with terminal_progress() as progress:
        results = preference_results(
            preferences,
            share=share,
            sampling=Sampling(seed=seed, samples=samples, progress=progress),
            evaluation=evaluation,
        )
    _show(PreferenceResults((*results.findings, *more), results.notes), parts or tuple(PARTS), form)
    say(*results.notes)


def _read_preferences(
    project: Project, *, documents: bool
) -> tuple[Preferences, Evaluation | None]:
    """Return the preferences in a project and, for preferences between runs, their evaluation."""
    if documents or not any(iter_preferences(project, "panel")):
        return read_project_preferences(project), None
    preferences = read_project_preferences(project, map_sides_to_runs(project))
    known = {run.name for run in project.rankings.runs()}
    if not list_qrels_choices(project) or not known.issuperset(preferences.items):
        return preferences, None
    return preferences, evaluate_project(project, parse_measures(DEFAULT_PREFERENCE_MEASURES))


def _only_for_files(*given: object) -> None:
    if any(given):
        raise IrjudgeError(
            "--columns, --sheet, --winners, --encoding, --qrels, --run, --measure, --negative and "
            "--grades apply to tables; a project has its own settings."
        )


def _read(runs: Sequence[Path]) -> Iterator[Run]:
    return (read_run(path, name) for path, name in zip(runs, distinct_run_names(runs), strict=True))


def _evaluation(
    qrels: Path | None,
    runs: Sequence[Path],
    measures: Sequence[str],
    documents: bool,
    how: GradesRequest,
) -> Evaluation | None:
    if not qrels and how != GradesRequest():
        raise IrjudgeError(
            "--grades and --negative are options for reading --qrels; give --qrels too."
        )
    if documents and (qrels or measures):
        raise IrjudgeError(
            "Measures are compared with preferences between runs; with --documents, give runs only."
        )
    if documents or not (qrels or runs or measures):
        return None
    if not qrels or not runs:
        raise IrjudgeError(
            "Comparing the directions of measures needs --qrels and a --run for each system."
        )
    return evaluate_runs(
        read_qrels(qrels, how.negative, grades=how.rules()),
        _read(runs),
        parse_measures(measures or DEFAULT_PREFERENCE_MEASURES),
    )


def _compatibility(preferences: Preferences, runs: Iterable[Run]) -> list[PreferenceStatistic]:
    qrels = preference_qrels(preferences)
    judged = ((run.name, join(run, qrels)) for run in runs)
    return [
        each
        for name, result in judged
        for each in compatibility_statistics(name, result.topics, compatibility(result))
    ]


def _show(results: PreferenceResults, parts: Sequence[str], form: str) -> None:
    """Print one table of all parts or, as text, one per part without empty columns."""
    if form != "text":
        show(PREFERENCE_COLUMNS, results.rows(parts), form)
        return
    for part in (each for each in PARTS if each in parts):
        rows = list(results.rows([part]))
        columns = [
            index
            for index, _ in enumerate(PREFERENCE_COLUMNS)
            if index and any(row[index] not in ("", None) for row in rows)
        ]
        if rows:
            tell(*([] if part == parts[0] else [""]), PARTS[part])
            show(
                [PREFERENCE_COLUMNS[index] for index in columns],
                ([row[index] for index in columns] for row in rows),
                form,
            )
