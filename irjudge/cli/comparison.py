"""Commands compare, history, correlate and bounds."""

import itertools
from collections.abc import Iterator, Sequence, Set
from itertools import pairwise
from pathlib import Path
from typing import Any

import click
import numpy as np

from irjudge.cli.evaluate import evaluated
from irjudge.cli.open_project import choose_qrels, reading, to_write
from irjudge.cli.options import (
    FILE_OR_ADDRESS,
    format_option,
    given_options,
    option_of,
    options_of,
    show,
    terminal_progress,
)
from irjudge.cli.stored_values import (
    describe_changes,
    find_stored_evaluation,
    list_stored_evaluations,
)
from irjudge.cli.streams import record_policy, say, tell
from irjudge.errors import IrjudgeError
from irjudge.evaluation import (
    ALL,
    COMPARISON_COLUMNS,
    DECISIVE_COLUMNS,
    DEFAULT_LIVE_MEASURES,
    DEFAULT_RUN_STATISTICS,
    DEFAULT_SYSTEM_STATISTICS,
    DEFAULT_TESTS,
    NEED_COLUMNS,
    ORDERING_COLUMNS,
    PAIR_COLUMNS,
    RUN_COLUMNS,
    TOPIC_POLICIES,
    TOPIC_POLICY_DESCRIPTIONS,
    VERDICTS,
    WORLD_DESCRIPTIONS,
    BoundsSetting,
    CorrelationRequest,
    DifferenceBounds,
    Evaluation,
    EvaluationRequest,
    PerTopicOption,
    Policy,
    QrelsRequest,
    compare,
    compare_orderings,
    compute_live_table,
    compute_needed_topics,
    count_unjudged_pairs,
    describe_unbounded_measures,
    explain_exchange,
    find_decisive_documents,
    leaderboard_pairs,
    measure_pairs,
    open_qrels,
    pair_bounds,
    parse_measures,
    possible_grades,
    qrels_pairs,
    read_judgments,
    refuse_files,
    run_bounds,
    topics_advice,
)
from irjudge.evaluation import ordering_rows as orderings_rows
from irjudge.formats.bytes import parse_location
from irjudge.formats.rankings import (
    RankingReader,
    distinct_run_names,
    expand_run_folders,
    is_leaderboard,
    read_leaderboard,
)
from irjudge.judging import list_qrels_choices, read_project_qrels
from irjudge.message import format_count
from irjudge.metrics import WORLDS, Measure
from irjudge.model import TIES, TIES_MEANING, Qrels, Run, Ties, select_topics
from irjudge.options import describe_choices, option_fields
from irjudge.report import (
    Cell,
    RunComparisonRequest,
    compare_with_stored,
    delete_stored_evaluation,
    evaluation_changes,
    stored_evaluation_rows,
)
from irjudge.stats import (
    ITEMS_MEAN,
    Items,
    Sampling,
    Statistic,
    TopicPair,
    Workers,
    parse_statistics,
    run_pairs,
    workers_at,
)
from irjudge.stats.significance import POWER, find_correction, find_test
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
    if request.needs_topics:
        _only(
            "--power and --difference print topics, not tests",
            given_options() & {"tests", "correction", "interval", "seed", "samples"},
        )
    chosen = [find_test(name).name for name in request.tests or DEFAULT_TESTS]
    find_correction(request.correction)
    stored_name = request.kept_name
    if stored_name is not None and (request.needs_topics or request.baselines):
        raise IrjudgeError(
            "--with compares runs with a saved evaluation; --baseline, --power and "
            "--difference compare them with each other."
        )
    runs = tuple(expand_run_folders(runs))
    if len(runs) == 1 and stored_name is None:
        raise IrjudgeError(
            "Comparing needs at least two runs, got one ({name}).", name=runs[0].name
        )
    with workers_at(request.evaluation.cluster) as workers:
        table = _evaluated(qrels, runs, request.evaluation, workers)
        names = [_named(each, runs, table) for each in request.baselines]
        if request.needs_topics:
            power = POWER if request.power is None else request.power
            _show_needs(table, names, power, request.difference, form)
            return
        before = None if stored_name is None else find_stored_evaluation(qrels, stored_name)
        with terminal_progress() as progress:
            how: dict[str, Any] = {
                "tests": chosen,
                "correction": request.correction,
                "interval": request.interval,
            }
            how["sampling"] = Sampling(
                seed=request.seed, samples=request.samples, progress=progress, workers=workers
            )
            comparison = (
                compare_with_stored(table, before, **how)
                if before
                else compare(table, baseline=names or None, **how)
            )
    record_policy(table.policy)
    show(COMPARISON_COLUMNS, comparison.rows(), form)
    say(
        f"Averaged: {table.policy}.",
        *comparison.notes,
        *(describe_changes(before, table, qrels, runs) if before else ()),
    )


def _evaluated(
    qrels: Path, runs: Sequence[Path], request: EvaluationRequest, workers: Workers
) -> Evaluation:
    return evaluated(qrels, runs, request, workers=workers)


def _show_needs(
    table: Evaluation, names: Sequence[str], power: float, difference: float | None, form: str
) -> None:
    if len(names) > 1:
        raise IrjudgeError(
            "The number of topics needed is computed for one baseline, but several were given; "
            "give --baseline once."
        )
    need = compute_needed_topics(
        table, baseline=names[0] if names else None, power=power, difference=difference
    )
    record_policy(table.policy)
    show(NEED_COLUMNS, need.cells(), form)
    say(f"Averaged: {table.policy}.", *need.notes, *table.notes)


def _named(baseline: str, runs: Sequence[Path], table: Evaluation) -> str:
    """Return the name of the baseline, which may be given as a file."""
    named = parse_location(baseline)
    return table.runs[list(runs).index(named)].run if named in runs else baseline


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
    Of several, the first is the reference: its measures are compared with those of the others."""
    systems, settings = request.systems, request.evaluation.settings
    defaults = DEFAULT_SYSTEM_STATISTICS if systems else DEFAULT_RUN_STATISTICS
    statistics = parse_statistics(name for each in request.by or defaults for name in each.split())
    own = {"items", "top", "other", *(each.name for each in option_fields(EvaluationRequest))}
    given = given_options() & (own - {"grades"})
    if systems:
        _only("--systems compares measures", given & {"items", "top"})
        _correlate_systems(files, statistics, request, form)
    else:
        _only(
            "without --systems no measure is computed",
            given - {"items", "top", "depth", "ties", "columns"},
        )
        _correlate_runs(
            files,
            statistics,
            request.items,
            settings.depth if request.top is None else request.top,
            settings.ties if "ties" in given else None,
            form,
            settings.reading.reader(),
        )
    if any(not each.declaration.symmetric for each in statistics):
        names = " and ".join(each.name for each in statistics if not each.declaration.symmetric)
        say(f"{names}: the first {'measure' if systems else 'run'} is the reference order.")


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


def _correlate_systems(
    files: Sequence[Path],
    statistics: Sequence[Statistic],
    request: CorrelationRequest,
    form: str,
) -> None:
    other = request.other
    if not files:
        raise IrjudgeError(
            "Nothing to correlate; give the qrels and at least two runs, a project alone, or leaderboards.",
            key="no-runs",
        )
    if not is_project(files[0]) and all(map(is_leaderboard, files)):
        _correlate_boards(files, statistics, request.evaluation.settings.measures, form)
        return
    if other and is_project(files[0]):
        raise IrjudgeError("Comparing two qrels needs run files; a project has its own runs.")
    with workers_at(request.evaluation.cluster) as workers:
        table = _evaluated(files[0], files[1:], request.evaluation, workers)
        second = None
        if other is not None and len(table.runs) >= 2:
            second = _evaluated(other, files[1:], request.evaluation, workers)
    if other is None and len(table.measures) < 2:
        raise IrjudgeError(
            "Comparing the orders of systems needs at least two measures (-m AP -m P@10), or "
            "other qrels (--qrels FILE).",
            key="one-order",
        )
    if len(table.runs) < 2:
        raise IrjudgeError(
            "Comparing the orders of systems needs at least two systems, got {count}.",
            count=len(table.runs),
        )
    if other is None or second is None:
        pairs = measure_pairs(table)
    else:
        names = files[0].name, other.name if other.name != files[0].name else str(other)
        pairs = qrels_pairs(table, second, names)
    show(
        ORDERING_COLUMNS,
        orderings_rows(list(compare_orderings(pairs, statistics))),
        form,
    )
    advice = [*topics_advice(table), *(topics_advice(second) if second else ())]
    record_policy(table.policy)
    say(*dict.fromkeys(advice), f"Averaged: {table.policy}.")


def _correlate_boards(
    files: Sequence[Path], statistics: Sequence[Statistic], wished: Sequence[str], form: str
) -> None:
    """Correlate the system rankings of leaderboards by the measures in `wished`."""
    boards, names = (
        [read_leaderboard(path) for path in files],
        {name for requested in wished for name in requested.split()},
    )
    missing = names.difference(*(board.values for board in boards))
    if missing:
        held = ", ".join(dict.fromkeys(name for board in boards for name in board.values))
        raise IrjudgeError(
            "No leaderboard has {missing}; expected one of {held}.",
            missing=" and ".join(sorted(missing)),
            held=held,
        )
    for board in boards:
        if board.unread:
            say(
                f"{board.name}: skipped without a value for the topic all: {', '.join(board.unread)}."
            )
        board.values = {
            name: values for name, values in board.values.items() if not names or name in names
        }
    if [board.name for board in boards].count(boards[0].name) > 1:
        for board, path in zip(boards, files, strict=True):
            board.name = str(path)
    pairs = leaderboard_pairs(boards)
    if not pairs:
        raise IrjudgeError(
            "Comparing the orders of systems needs a leaderboard of at least two measures, or "
            "two leaderboards.",
            key="one-order",
        )
    show(
        ORDERING_COLUMNS,
        orderings_rows(list(compare_orderings(pairs, statistics))),
        form,
    )


def _correlate_runs(
    files: Sequence[Path],
    statistics: Sequence[Statistic],
    items: Items,
    depth: int | None,
    ties: Ties | None,
    form: str,
    columns: RankingReader,
) -> None:
    if len(files) != 2:
        raise IrjudgeError(
            "Give two runs to correlate, got {count}; with --systems, qrels and runs.",
            count=len(files),
        )
    if depth is not None and depth < 1:
        raise IrjudgeError("The depth must be at least 1, got {depth}.", depth=depth)
    first, second = _runs(files, columns)
    with terminal_progress() as progress:
        pairs = list(run_pairs(first, second, depth=depth, ties=ties, progress=progress))
    values = np.array(
        [[statistic.compute(each.pair, items) for statistic in statistics] for each in pairs]
    )
    show(("topic", "statistic", "items", "value"), _rows(pairs, statistics, items, values), form)
    say(*_remarks(first, second, pairs, statistics, items, ties))


def _runs(files: Sequence[Path], columns: RankingReader) -> list[Run]:
    runs = [
        columns.read_run(path, name)
        for path, name in zip(files, distinct_run_names(files), strict=True)
    ]
    for run in runs:
        say(*run.warnings)
    return runs


def _rows(
    pairs: Sequence[TopicPair], statistics: Sequence[Statistic], items: Items, values: Any
) -> Iterator[tuple[Cell, ...]]:
    total = [0] * len(statistics)
    for row, each in enumerate(pairs):
        for column, statistic in enumerate(statistics):
            count = statistic.items(each.pair, items)
            total[column] += count
            yield each.topic, statistic.name, count, float(values[row, column])
    for column, statistic in enumerate(statistics):
        yield ALL, statistic.name, total[column], float(values[:, column].mean())


def _remarks(
    first: Run,
    second: Run,
    pairs: Sequence[TopicPair],
    statistics: Sequence[Statistic],
    items: Items,
    ties: Ties | None,
) -> Iterator[str]:
    held, common = (
        sum(len(each.pair) for each in pairs),
        sum(int(each.pair.common.sum()) for each in pairs),
    )
    share = 100 * common / held if held else 0.0
    yield f"{format_count(len(pairs), 'topic')}; {common:,} of their {format_count(held, 'document')} ({share:.1f} %) are in both rankings."
    for run, others in ((first, second), (second, first)):
        alone = len(set(run.topics).difference(others.topics))
        if alone:
            yield f"Topics of {run.name} that are not in {others.name}: {alone:,}."
    orders = [each for each in statistics if each.declaration.kind == "order"]
    names = ", ".join(each.name for each in orders)
    few = sum(len(each.pair.select_items(items)) < 2 for each in pairs) if orders else 0
    if few:
        yield f"{format_count(few, 'topic')} with fewer than two documents to order: the values of {names} are 0 there and meaningless."
    if orders and common < held:
        yield f"{names}: {ITEMS_MEAN[items]}."
    if ties is None and any(each.pair.has_ties for each in pairs):
        yield "Documents with equal scores are tied; use --ties to order them."


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
    yield f"World: {setting.world} ({WORLD_DESCRIPTIONS[setting.world]}). {count:,} pooled documents are unjudged; grades: {grades}."
    if setting.world == "pool" and not count:
        yield (
            "Nothing can change: the qrels contain no document with grade -1. `irjudge qrels PROJECT "
            "--unjudged` writes them; with --world open, any document may be relevant."
        )
