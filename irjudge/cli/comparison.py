"""Commands compare, history, correlate and bounds."""

import itertools
from collections.abc import Iterator, Sequence, Set
from itertools import pairwise
from pathlib import Path
from typing import Any

import click

from irjudge.cli.open_project import choose_qrels, reading, to_write
from irjudge.cli.options import (
    FILE_OR_ADDRESS,
    format_option,
    given_options,
    option_of,
    options_of,
    show,
    show_result,
    terminal_progress,
)
from irjudge.cli.streams import record_policy, say, tell
from irjudge.errors import IrjudgeError
from irjudge.evaluation import (
    DECISIVE_COLUMNS,
    DEFAULT_LIVE_MEASURES,
    PAIR_COLUMNS,
    RUN_COLUMNS,
    TOPIC_POLICIES,
    TOPIC_POLICY_DESCRIPTIONS,
    VERDICTS,
    WORLD_DESCRIPTIONS,
    BoundsSetting,
    CorrelationRequest,
    DifferenceBounds,
    EvaluationRequest,
    PerTopicOption,
    Policy,
    QrelsRequest,
    compute_live_table,
    correlate_sources,
    count_unjudged_pairs,
    describe_unbounded_measures,
    explain_exchange,
    find_decisive_documents,
    open_qrels,
    pair_bounds,
    parse_measures,
    possible_grades,
    read_judgments,
    refuse_files,
    run_bounds,
)
from irjudge.judging import list_qrels_choices, read_project_qrels
from irjudge.message import format_count
from irjudge.metrics import WORLDS, Measure
from irjudge.model import TIES, TIES_MEANING, Qrels, Run, select_topics
from irjudge.options import describe_choices, option_fields
from irjudge.report import (
    Cell,
    RunComparisonRequest,
    compare_sources,
    delete_stored_evaluation,
    evaluation_changes,
    list_stored_evaluations,
    stored_evaluation_rows,
)
from irjudge.store import is_project

# Commands compare, history and correlate


@click.command("compare")
@click.argument("qrels", type=FILE_OR_ADDRESS)
@click.argument("runs", type=FILE_OR_ADDRESS, nargs=-1)
@options_of(RunComparisonRequest, "request")
@format_option()
def compare_command(
    qrels: Path, runs: tuple[Path, ...], request: RunComparisonRequest, form: str
) -> None:
    """Compare RUNS topic by topic with QRELS: differences, intervals, tests.

    Or compare all runs of a project, given alone as QRELS. With --power or --difference, report the
    detectable difference and the number of topics needed.
    """
    given = given_options()
    if request.needs_topics:
        _only(
            "--power and --difference print topics, not tests",
            given & {"tests", "correction", "interval", "seed", "samples"},
        )
    with terminal_progress() as progress:
        result = compare_sources(
            qrels, runs, request, topics_chosen="topics" in given, progress=progress
        )
    show_result(result, form)


@click.command("history")
@click.argument("source", type=FILE_OR_ADDRESS)
@click.option(
    "--changes",
    "what_changed",
    is_flag=True,
    help="Print what changed from each evaluation to the next: settings, and inputs by their "
    "hashes.",
)
@click.option(
    "--forget", metavar="NAME", help="Remove the latest evaluation of this name from a project."
)
@format_option()
def history_command(source: Path, what_changed: bool, forget: str | None, form: str) -> None:
    """Print the evaluations saved in a project or file (`evaluate --keep NAME`), oldest first."""
    if forget is not None:
        _forget(source, forget)
        return
    evaluations = list_stored_evaluations(source)
    if what_changed:
        rows = (
            (now.made, now.name, each.what, each.before, each.now)
            for before, now in pairwise(evaluations)
            for each in evaluation_changes(before, now)
        )
        show(("made", "name", "what", "before", "now"), rows, form)
    else:
        show(("made", "name", "run", "measure", "value"), stored_evaluation_rows(evaluations), form)
    if not evaluations:
        say(
            f"No evaluation is saved yet. Save one with `irjudge evaluate {source.name} --keep NAME`."
        )


def _forget(source: Path, name: str) -> None:
    if not is_project(source):
        raise click.UsageError(
            f"--forget is for a project; {source.name} is a file with a line for each evaluation."
        )
    with to_write(source) as project:
        gone = delete_stored_evaluation(project, name)
    tell(f"Removed the saved evaluation {gone.dated_name}.")


@click.command("correlate")
@click.argument(
    "files", type=FILE_OR_ADDRESS, nargs=-1, metavar="RUN RUN | QRELS RUN... | LEADERBOARD..."
)
@options_of(CorrelationRequest, "request")
@format_option()
def correlate_command(files: tuple[Path, ...], request: CorrelationRequest, form: str) -> None:
    """Compute the similarity of two rankings: two RUNS topic by topic, or with --systems the
    orders of RUNS by measures or qrels. With --systems, a LEADERBOARD (lines of run, measure,
    topic and value) can replace qrels and runs; its measures are then compared with each other.
    If several are given, the first is the reference: its measures are compared with those of the
    others."""
    own = {"items", "top", "other", *(each.name for each in option_fields(EvaluationRequest))}
    given = given_options() & (own - {"grades"})
    if request.systems:
        _only("--systems compares measures", given & {"items", "top"})
    else:
        _only(
            "without --systems no measure is computed",
            given - {"items", "top", "depth", "ties", "columns"},
        )
    with terminal_progress() as progress:
        result = correlate_sources(
            files,
            request,
            ties=request.evaluation.settings.ties if "ties" in given else None,
            topics_chosen="topics" in given,
            progress=progress,
        )
    show_result(result, form)


def _only(why: str, ignored: Set[str]) -> None:
    """Raise IrjudgeError, with the reason `why`, if options are given that would be ignored."""
    params = click.get_current_context().command.params
    spelt = {each.name: each.opts[0] for each in params}
    if ignored:
        raise IrjudgeError(
            "Cannot use {wrong}: {why}.",
            wrong=" and ".join(sorted(spelt[name] for name in ignored)),
            why=why,
        )


# Command bounds


@click.command("bounds")
@click.argument("qrels", type=FILE_OR_ADDRESS)
@click.argument("runs", type=FILE_OR_ADDRESS, nargs=-1)
@click.option(
    "-m",
    "--measure",
    "measures",
    multiple=True,
    help=f"Measure; may be repeated. [default: {' '.join(DEFAULT_LIVE_MEASURES)}]",
)
@click.option(
    "--world",
    type=click.Choice(WORLDS),
    default="pool",
    show_default=True,
    help=describe_choices(WORLD_DESCRIPTIONS),
)
@click.option(
    "--difference",
    is_flag=True,
    help="Print the difference between every two runs, and whether its sign can still change.",
)
@click.option(
    "--next",
    "count",
    type=click.IntRange(1),
    metavar="N",
    help=(
        "With --difference: print instead the N unjudged documents that can change the "
        "difference of every two runs most."
    ),
)
@option_of(PerTopicOption, "per_topic", default=False)
@click.option(
    "--highest",
    type=click.IntRange(1, 99),
    help="Highest grade. Default: that of the scale, else the highest in the qrels.",
)
@click.option(
    "--topics",
    type=click.Choice(TOPIC_POLICIES),
    default="both",
    show_default=True,
    help=describe_choices(TOPIC_POLICY_DESCRIPTIONS),
)
@click.option(
    "--ties",
    type=click.Choice(TIES),
    default="trec",
    show_default=True,
    help=describe_choices(TIES_MEANING),
)
@options_of(QrelsRequest, "request")
@click.option(
    "--rel",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    help="Minimum grade counted as relevant.",
)
@click.option(
    "--depth",
    type=click.IntRange(1),
    help=("Evaluate only the top DEPTH documents of each ranking."),
)
@format_option()
def bounds_command(
    qrels: Path,
    runs: tuple[Path, ...],
    measures: tuple[str, ...],
    world: Any,
    difference: bool,
    count: int | None,
    per_topic: bool,
    highest: int | None,
    request: QrelsRequest,
    form: str,
    **wish: Any,
) -> None:
    """Print the lowest and highest values that RUNS can reach once all of QRELS is judged.
    With a project alone, print those of all its runs. In QRELS, grade -1 means pooled but not
    judged yet. --next prints how much each document can change the difference run_a - run_b on its
    topic: its weight, positive if a relevant document would help run_a."""
    if count and not difference:
        raise IrjudgeError("--next compares two runs; use it with --difference.")
    policy = Policy(**wish, only=request.only)
    record_policy(policy)
    chosen = parse_measures(
        [name for each in measures or DEFAULT_LIVE_MEASURES for name in each.split()], policy.rel
    )
    judged, rankings, scale = (
        _project(qrels, runs, request, policy)
        if is_project(qrels)
        else _files(qrels, runs, request)
    )
    if difference and len(rankings) < 2:
        raise IrjudgeError(
            "A difference needs at least two runs, got {count}.", count=len(rankings)
        )
    grades = (
        tuple(range(highest + 1))
        if highest
        else scale or possible_grades(judged, chosen, BoundsSetting(world))
    )
    setting, averaged = BoundsSetting(world, grades), ""
    judged = judged.only(select_topics(policy.only, judged.topics) or judged.topics)
    if count:
        show(DECISIVE_COLUMNS, _decisive(judged, rankings, chosen, policy, setting, count), form)
    elif difference:
        bounds = [
            pair_bounds(judged, *pair, chosen, policy, setting)
            for pair in itertools.combinations(rankings, 2)
        ]
        show(PAIR_COLUMNS, (row for each in bounds for row in each.rows(per_topic=per_topic)), form)
        say(*_verdicts(bounds))
        averaged = _topics({f"{each.run_a} - {each.run_b}": len(each.topics) for each in bounds})
    else:
        reached = [run_bounds(judged, run, chosen, policy, setting) for run in rankings]
        show(RUN_COLUMNS, (row for each in reached for row in each.rows(per_topic=per_topic)), form)
        averaged = _topics({each.run: len(each.topics) for each in reached})
    say(
        *_bounds_notes(judged, chosen, setting),
        *describe_unbounded_measures(chosen),
        f"Averaged: {policy}{averaged}.",
    )


def _topics(counts: dict[str, int]) -> str:
    """Return the number of topics of each mean as text, only once if all are equal."""
    if len(set(counts.values())) == 1:
        return f"; {format_count(next(iter(counts.values())), 'topic')}"
    return (
        f"; topics: {', '.join(f'{name} {count:,}' for name, count in counts.items())}"
        if counts
        else ""
    )


def _files(
    qrels: Path, runs: Sequence[Path], request: QrelsRequest
) -> tuple[Qrels, list[Run], None]:
    reader, warnings = request.reading.reader(), list[str]()
    with explain_exchange(qrels, runs):
        judged = read_judgments(qrels, runs, request, warnings)
    read = list(reader.read_runs(runs))
    say(*warnings, *(warning for run in read for warning in run.warnings))
    return judged, read, None


def _project(
    path: Path, runs: Sequence[Path], request: QrelsRequest, policy: Policy
) -> tuple[Qrels, list[Run], tuple[int, ...]]:
    which = request.which
    refuse_files(path, runs, request.reading.reader())
    with reading(path) as project:
        choice = (
            choose_qrels(project, which)
            if which is not None or list_qrels_choices(project)
            else None
        )
        qrels = open_qrels(project, choice)
        if not len(qrels):
            raise IrjudgeError("{path} has neither qrels nor a pool to judge.", path=path.name)
        waiting = (
            set(qrels.topics) - set(read_project_qrels(project, choice).topics) if choice else set()
        )
        if waiting and policy.topics != "relevant":
            say(
                f"Topics without judgments: {len(waiting):,}. They are averaged here over all possible judgments; "
                "`irjudge evaluate` excludes them."
            )
        return (
            qrels,
            [project.rankings.run(run.name) for run in project.rankings.runs()],
            project.scale.values,
        )


def _decisive(
    judged: Qrels,
    runs: Sequence[Run],
    measures: Sequence[Measure],
    policy: Policy,
    setting: BoundsSetting,
    count: int,
) -> Iterator[Sequence[Cell]]:
    table = compute_live_table(judged, runs, measures, policy, setting)
    for measure, (a, b) in itertools.product(measures, itertools.combinations(table.live_runs, 2)):
        for each in find_decisive_documents(table, a, b, measure, count):
            yield (
                measure.name,
                a,
                b,
                each.topic,
                each.document,
                each.rank_a or None,
                each.rank_b or None,
                each.weight,
            )


def _verdicts(bounds: Sequence[DifferenceBounds]) -> list[str]:
    """Return the meanings of the verdicts in the table, and notes on the intervals, without
    duplicates.
    """
    verdicts = {str(row[-1]) for each in bounds for row in each.rows(per_topic=True)}
    meant = [f"{name}: {meaning}." for name, meaning in VERDICTS.items() if name in verdicts]
    return [*meant, *dict.fromkeys(note for each in bounds for note in each.notes)]


def _bounds_notes(
    judged: Qrels, measures: Sequence[Measure], setting: BoundsSetting
) -> Iterator[str]:
    grades = ", ".join(map(str, possible_grades(judged, measures, setting)))
    count = count_unjudged_pairs(judged)
    yield f"World: {setting.world} ({WORLD_DESCRIPTIONS[setting.world]}). Unjudged pooled documents: {count:,}; possible grades: {grades}."
    if setting.world == "pool" and not count:
        yield (
            "Nothing can change: the qrels contain no document with grade -1. `irjudge qrels PROJECT "
            "--unjudged` writes them; with --world open, any document may be relevant."
        )
