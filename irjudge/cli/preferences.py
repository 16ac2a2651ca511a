"""The command that says what preferences prove: preferences."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import click

from irjudge.cli.shared.columns import grades_options, grades_said
from irjudge.cli.shared.locations import FILE
from irjudge.cli.shared.open_project import reading
from irjudge.cli.shared.output import format_option, show, terminal_progress
from irjudge.cli.shared.streams import say, tell
from irjudge.errors import IrjudgeError
from irjudge.evaluation import preferences as preference_results
from irjudge.evaluation.judged_runs import join
from irjudge.evaluation.preferences import (
    PARTS,
    PREFERENCE_COLUMNS,
    SHARE,
    Finding,
    PreferenceResults,
    compatibility,
    compatibility_findings,
    preference_qrels,
)
from irjudge.evaluation.project_evaluation import evaluate_project
from irjudge.evaluation.table import Evaluation, evaluate_runs, parse_measures
from irjudge.formats.judgments import preferences as tables
from irjudge.formats.rankings.qrels import Negative, read_qrels
from irjudge.formats.rankings.runs import names_apart, read_run
from irjudge.formats.rows.mapping import parse_columns
from irjudge.judging.judged_qrels import choices
from irjudge.judging.preferences import preferences_in_force, project_preferences, sides_of
from irjudge.model.preference import Preferences
from irjudge.model.ranking import Run
from irjudge.stats.preferences import DEFAULT_PREFERENCE_SAMPLES
from irjudge.stats.sampling import DEFAULT_SAMPLING_SEED, HIGHEST_SEED, Sampling
from irjudge.store.project import Project
from irjudge.store.schema import is_project

USUAL = ("P@10", "nDCG@10")
NAMES = tuple(part.name for part in tables.PARTS)


@click.command("preferences")
@click.argument("file", metavar="PROJECT|FILE", type=FILE)
@click.option(
    "--columns",
    default="",
    metavar="PART=COLUMN,...",
    help=(
        "Which column holds what, by name or number: left=model_a,right=model_b,winner=5 … "
        f"of {', '.join(NAMES)}."
    ),
)
@click.option("--winners", metavar="PAIRS", help="What each answer means: A:left,B:right,same:tie.")
@click.option("--encoding", metavar="NAME", help="Of the file; otherwise it is detected.")
@click.option(
    "--documents",
    is_flag=True,
    help="Left and right are documents, compared within their topic, not systems; of a project, its pairs of documents.",
)
@click.option(
    "--part",
    "parts",
    multiple=True,
    type=click.Choice(list(PARTS)),
    help="Only this part; may be repeated.",
)
@click.option(
    "--share",
    type=click.FloatRange(0, 1),
    default=SHARE,
    show_default=True,
    help="The share of wins to plan for.",
)
@click.option(
    "--qrels",
    type=FILE,
    help="With --run: whether measures point the same way as preferences between runs.",
)
@click.option(
    "--run",
    "runs",
    type=FILE,
    multiple=True,
    help="A run that is one of the systems; with --documents, its compatibility.",
)
@click.option(
    "-m",
    "--measure",
    "measures",
    multiple=True,
    help=f"A measure; may be repeated. Without it: {' '.join(USUAL)}.",
)
@click.option(
    "--seed",
    type=click.IntRange(0, HIGHEST_SEED),
    default=DEFAULT_SAMPLING_SEED,
    show_default=True,
    help="The same seed gives the same intervals.",
)
@click.option(
    "--samples",
    type=click.IntRange(1),
    default=DEFAULT_PREFERENCE_SAMPLES,
    show_default=True,
    help="How often topics and assessors are drawn again.",
)
@grades_options()
@format_option()
def preferences_command(
    file: Path,
    columns: str,
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
    negative: Negative | None,
    form: str,
) -> None:
    """Say which of two is better, and how sure that is: wins, ties, strengths, contradictions, liking for a side, self-agreement.

    A PROJECT holds what was compared side by side in it, or merged into it: runs, or with --documents pairs of documents. A table has
    the columns left, right and winner (left, right, tie, or the name of one side), and where they are known topic, assessor,
    strength (0 to 2) and seconds, in any order.
    """
    if is_project(file):
        _only_for_files(columns, winners, encoding, qrels, runs, measures, negative, grades_said())
        with reading(file) as project:
            preferences, evaluation = _kept(project, documents=documents)
            runs_here = (project.rankings.run(each.name) for each in project.rankings.runs())
            more = _compatibility(preferences, runs_here) if preferences.documents else []
    else:
        meant = tables.parse_winners(winners) if winners is not None else None
        mapping = parse_columns(columns, NAMES)
        preferences = tables.read_preferences(
            file, columns=mapping, winners=meant, documents=documents, encoding=encoding
        )
        evaluation = _evaluation(qrels, runs, measures, documents, negative)
        more = _compatibility(preferences, _read(runs)) if documents else []
    with terminal_progress() as progress:
        found = preference_results(
            preferences,
            share=share,
            sampling=Sampling(seed=seed, samples=samples, progress=progress),
            evaluation=evaluation,
        )
    _show(PreferenceResults((*found.findings, *more), found.remarks), parts or tuple(PARTS), form)
    say(*found.remarks)


def _kept(project: Project, *, documents: bool) -> tuple[Preferences, Evaluation | None]:
    """Return the preferences of a project, between runs where there are any, and what measures say of its runs."""
    if documents or not any(preferences_in_force(project, "panel")):
        return project_preferences(project), None
    preferences = project_preferences(project, sides_of(project))
    known = {run.name for run in project.rankings.runs()}
    if not choices(project) or not known.issuperset(preferences.items):
        return preferences, None
    return preferences, evaluate_project(project, parse_measures(USUAL))


def _only_for_files(*given: object) -> None:
    if any(given):
        raise IrjudgeError(
            "--columns, --winners, --encoding, --qrels, --run, --measure, --negative and --grades are for tables; a project has its own."
        )


def _read(runs: Sequence[Path]) -> Iterator[Run]:
    return (read_run(path, name) for path, name in zip(runs, names_apart(runs), strict=True))


def _evaluation(
    qrels: Path | None,
    runs: Sequence[Path],
    measures: Sequence[str],
    documents: bool,
    negative: Negative | None,
) -> Evaluation | None:
    grades = grades_said()
    if not qrels and (grades or negative):
        raise IrjudgeError(
            "--grades and --negative say how --qrels is read; expected --qrels with them."
        )
    if documents and (qrels or measures):
        raise IrjudgeError(
            "Measures are compared with preferences between runs; with --documents, name runs alone."
        )
    if documents or not (qrels or runs or measures):
        return None
    if not qrels or not runs:
        raise IrjudgeError(
            "Whether measures point the same way takes --qrels and a --run for each system."
        )
    return evaluate_runs(
        read_qrels(qrels, negative, grades=grades), _read(runs), parse_measures(measures or USUAL)
    )


def _compatibility(preferences: Preferences, runs: Iterable[Run]) -> list[Finding]:
    qrels = preference_qrels(preferences)
    judged = ((run.name, join(run, qrels)) for run in runs)
    return [
        each
        for name, found in judged
        for each in compatibility_findings(name, found.topics, compatibility(found))
    ]


def _show(found: PreferenceResults, parts: Sequence[str], form: str) -> None:
    """Print one table for other programs, and for people one for each part, without the columns that it leaves empty."""
    if form != "text":
        show(PREFERENCE_COLUMNS, found.rows(parts), form)
        return
    for part in (each for each in PARTS if each in parts):
        rows = list(found.rows([part]))
        kept = [
            place
            for place, _ in enumerate(PREFERENCE_COLUMNS)
            if place and any(row[place] not in ("", None) for row in rows)
        ]
        if rows:
            tell(*([] if part == parts[0] else [""]), PARTS[part])
            show(
                [PREFERENCE_COLUMNS[place] for place in kept],
                ([row[place] for place in kept] for row in rows),
                form,
            )
