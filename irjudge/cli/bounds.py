"""The command that says how far values can still move: bounds."""

import itertools
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import click

from irjudge.cli.shared.columns import FileColumns, columns_option, grades_options
from irjudge.cli.shared.locations import FILE_OR_ADDRESS
from irjudge.cli.shared.open_project import reading, said_qrels
from irjudge.cli.shared.output import format_option, no_source, show, source_option, topic_option
from irjudge.cli.shared.streams import say
from irjudge.errors import IrjudgeError
from irjudge.evaluation.bounds import (
    DECISIVE_COLUMNS,
    DEFAULT_LIVE_MEASURES,
    PAIR_COLUMNS,
    RUN_COLUMNS,
    VERDICTS,
    WORLDS_MEAN,
    BoundsSetting,
    DifferenceBounds,
    decisive,
    grades_of,
    live,
    open_qrels,
    pair_bounds,
    provisional,
    run_bounds,
    unjudged_pairs,
)
from irjudge.evaluation.judged_runs import TOPIC_POLICIES, TOPICS_MEAN
from irjudge.evaluation.table import Policy, parse_measures
from irjudge.formats.rankings.qrels import read_qrels
from irjudge.formats.rankings.runs import names_apart, read_run
from irjudge.judging.judged_qrels import choices, project_qrels
from irjudge.message import counted
from irjudge.metrics.basis.bounds import WORLDS
from irjudge.metrics.naming.names import Measure
from irjudge.model.order import MEANING, TIES
from irjudge.model.ranking import Qrels, Run
from irjudge.model.topic import chosen_topics
from irjudge.report.tables import Cell
from irjudge.store.schema import is_project


def _meanings(meaning: dict[Any, str]) -> str:
    return "; ".join(f"{name}: {words}" for name, words in meaning.items()) + "."


@click.command("bounds")
@click.argument("qrels", type=FILE_OR_ADDRESS)
@click.argument("runs", type=FILE_OR_ADDRESS, nargs=-1)
@click.option(
    "-m",
    "--measure",
    "measures",
    multiple=True,
    help=f"A measure; may be repeated. Without it: {' '.join(DEFAULT_LIVE_MEASURES)}.",
)
@click.option(
    "--world",
    type=click.Choice(WORLDS),
    default="pool",
    show_default=True,
    help=_meanings(WORLDS_MEAN),
)
@click.option(
    "--difference",
    is_flag=True,
    help="The difference of every two runs, and whether its sign can still change.",
)
@click.option(
    "--next",
    "count",
    type=click.IntRange(1),
    metavar="N",
    help="With --difference: instead, the N unjudged documents that can move the difference of every two runs most.",
)
@click.option(
    "--per-topic", is_flag=True, help="With a row for each topic, not only for their mean."
)
@click.option(
    "--highest",
    type=click.IntRange(1, 99),
    help="The highest grade. By default the scale's, else the highest in the qrels.",
)
@click.option(
    "--topics",
    type=click.Choice(TOPIC_POLICIES),
    default="both",
    show_default=True,
    help=_meanings(TOPICS_MEAN),
)
@click.option(
    "--ties", type=click.Choice(TIES), default="trec", show_default=True, help=_meanings(MEANING)
)
@topic_option()
@grades_options()
@columns_option()
@source_option()
@click.option(
    "--rel",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    help="The lowest grade that is relevant.",
)
@click.option(
    "--depth", type=click.IntRange(1), help="Only the top DEPTH documents of each ranking count."
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
    negative: Any,
    which: str | None,
    columns: FileColumns,
    form: str,
    **wish: Any,
) -> None:
    """Print the lowest and highest values that RUNS can reach once all of QRELS is judged; or of all runs of a project, given alone.

    In QRELS, grade -1 is a document that is pooled and not judged yet. --next prints how far each document can move the difference
    run_a - run_b on its topic: its weight, above 0 where a relevant document would help run_a.
    """
    if count and not difference:
        raise IrjudgeError("--next tells two runs apart; give --difference with it.")
    policy = Policy(**wish)
    chosen = parse_measures(
        [name for each in measures or DEFAULT_LIVE_MEASURES for name in each.split()], policy.rel
    )
    judged, rankings, scale = (
        _project(qrels, runs, which, policy, columns)
        if is_project(qrels)
        else _files(qrels, runs, negative, which, columns)
    )
    if difference and len(rankings) < 2:
        raise IrjudgeError("A difference takes two runs or more, got {count}.", count=len(rankings))
    grades = (
        tuple(range(highest + 1))
        if highest
        else scale or grades_of(judged, chosen, BoundsSetting(world))
    )
    setting, averaged = BoundsSetting(world, grades), ""
    judged = judged.only(chosen_topics(policy.only, judged.topics) or judged.topics)
    if count:
        show(DECISIVE_COLUMNS, _decisive(judged, rankings, chosen, policy, setting, count), form)
    elif difference:
        found = [
            pair_bounds(judged, *pair, chosen, policy, setting)
            for pair in itertools.combinations(rankings, 2)
        ]
        show(PAIR_COLUMNS, (row for each in found for row in each.rows(per_topic=per_topic)), form)
        say(*_verdicts(found))
        averaged = _topics({f"{each.run_a} - {each.run_b}": len(each.topics) for each in found})
    else:
        reached = [run_bounds(judged, run, chosen, policy, setting) for run in rankings]
        show(RUN_COLUMNS, (row for each in reached for row in each.rows(per_topic=per_topic)), form)
        averaged = _topics({each.run: len(each.topics) for each in reached})
    say(*_remarks(judged, chosen, setting), *provisional(chosen), f"Averaged: {policy}{averaged}.")


def _topics(counts: dict[str, int]) -> str:
    """Return over how many topics each is averaged: once where all are alike."""
    if len(set(counts.values())) == 1:
        return f"; {counted(next(iter(counts.values())), 'topic')}"
    return (
        f"; topics: {', '.join(f'{name} {count:,}' for name, count in counts.items())}"
        if counts
        else ""
    )


def _files(
    qrels: Path, runs: Sequence[Path], negative: Any, which: str | None, columns: FileColumns
) -> tuple[Qrels, list[Run], None]:
    no_source(qrels, which)
    if not runs:
        raise IrjudgeError(
            "Name one run or more after the qrels, or a project alone.", key="no-runs"
        )
    judged = read_qrels(qrels, negative, grades=columns.grades, columns=columns.qrels)
    say(*judged.remarks)
    read = [
        read_run(path, name, columns=columns.runs)
        for path, name in zip(runs, names_apart(runs), strict=True)
    ]
    say(*(remark for run in read for remark in run.remarks))
    return judged, read, None


def _project(
    path: Path, runs: Sequence[Path], which: str | None, policy: Policy, columns: FileColumns
) -> tuple[Qrels, list[Run], tuple[int, ...]]:
    columns.of_files(path)
    if runs:
        raise IrjudgeError(
            "{path} is a project with runs of its own; give it alone.",
            key="project-alone",
            path=path.name,
        )
    with reading(path) as project:
        choice = said_qrels(project, which) if which is not None or choices(project) else None
        qrels = open_qrels(project, choice)
        if not len(qrels):
            raise IrjudgeError("{path} has neither qrels nor a pool to judge.", path=path.name)
        waiting = (
            set(qrels.topics) - set(project_qrels(project, choice).topics) if choice else set()
        )
        if waiting and policy.topics != "relevant":
            say(
                f"Topics of which nothing is judged yet: {len(waiting):,}. They are averaged here, for all that they can still become; "
                "`irjudge evaluate` leaves them out until then."
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
    table = live(judged, runs, measures, policy, setting)
    for measure, (a, b) in itertools.product(measures, itertools.combinations(table.standings, 2)):
        for each in decisive(table, a, b, measure, count):
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


def _verdicts(found: Sequence[DifferenceBounds]) -> list[str]:
    """Return what the verdicts mean that occur, and the remarks on the intervals, each once."""
    said = {str(row[-1]) for each in found for row in each.rows(per_topic=True)}
    meant = [f"{name}: {words}." for name, words in VERDICTS.items() if name in said]
    return [*meant, *dict.fromkeys(remark for each in found for remark in each.remarks)]


def _remarks(judged: Qrels, measures: Sequence[Measure], setting: BoundsSetting) -> Iterator[str]:
    grades = ", ".join(map(str, grades_of(judged, measures, setting)))
    count = unjudged_pairs(judged)
    yield f"World: {setting.world} ({WORLDS_MEAN[setting.world]}). {count:,} pooled documents are unjudged; grades: {grades}."
    if setting.world == "pool" and not count:
        yield (
            "Nothing can change: the qrels name no document with grade -1. `irjudge qrels PROJECT --unjudged` writes them; "
            "--world open lets any document be relevant."
        )
