"""Commands agreement, consensus and preferences."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import click

from irjudge.audit import (
    PAIR_COLUMNS,
    AgreementRequest,
    ConsensusRequest,
    SheetOption,
    measure_agreement,
    resolve_labels,
)
from irjudge.cli.open_project import open_labels, reading, to_write
from irjudge.cli.options import (
    FILE,
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
    PARTS,
    PREFERENCE_COLUMNS,
    Evaluation,
    PreferenceResults,
    PreferenceStatistic,
    compatibility,
    compatibility_statistics,
    evaluate_project,
    evaluate_runs,
    join,
    parse_measures,
    preference_qrels,
    preference_results,
)
from irjudge.formats.judgments import PREFERENCE_PARTS, parse_winners, read_preferences
from irjudge.formats.rankings import (
    GradesRequest,
    distinct_run_names,
    read_qrels,
    read_run,
    write_qrels,
)
from irjudge.formats.rows import parse_columns
from irjudge.judging import (
    iter_preferences,
    list_norming_sessions,
    list_qrels_choices,
    map_sides_to_runs,
    read_consensus_method,
    read_project_preferences,
    set_consensus_method,
)
from irjudge.message import format_count
from irjudge.model import Preferences, Run
from irjudge.report import Cell
from irjudge.stats import DEFAULT_PREFERENCE_SAMPLES, DEFAULT_SAMPLING_SEED, Sampling, SeedOption
from irjudge.store import Project, is_project

# Commands agreement and consensus

ROUND_COLUMNS = (
    *("session", "round", "of", "statistic", "scale", "people", "used"),
    *("value", "low", "high", "reason"),
)


@click.command("agreement", cls=ManyFiles)
@click.argument("file", type=FILE, metavar="PROJECT|LABELS")
@options_of(AgreementRequest, "request")
@format_option()
def agreement_command(file: Path, request: AgreementRequest, form: str) -> None:
    """Report the agreement of the assessors of a PROJECT or of a table of LABELS, with 95 %
    intervals. A table has a header with item (or topic and document), worker (or assessor) and
    label (or grade). Columns of --show assessors: 'agreement' is the mean share of the other
    assessors of an item who gave it the same grade; 'bias' is the mean of grade minus reference
    (above 0: lenient) and 'error' the mean distance from the reference, which is the gold grade
    or the majority of the other assessors; 'cost' is the expected cost of a label after
    correcting bias; 'quality' is 1 minus the ratio of this cost to that of a spammer (1 is
    perfect, 0 is uninformative); 'first_third', 'middle_third' and 'last_third' are the agreement
    with the other assessors in each third of the work; 'same_as_before' is the share of grades
    equal to the previous one; 'too_fast' is the number of labels given before the first 40 words
    can be skimmed; 'verdict' says whether anything is flagged or there is too little data, and
    'why' gives the evidence. Columns with --ratings: 'came' is the imported grade, 'same' the
    share of judgments with that grade, 'mean' the average grade given, and 'leniency' this average
    minus the mean imported grade. Intervals are computed from resampled topics. --show rounds
    has a row for each statistic of each norming round of the sessions of a project; the workbook
    also contains the judgments of each document in these rounds, with reasons.
    """
    with terminal_progress() as progress, open_labels(file) as source:
        if request.table == "rounds":
            show(ROUND_COLUMNS, _round_rows(source, request.sampling(progress)), form)
            return
        result = measure_agreement(source, request, progress=progress)
    say(*result.notes)
    show(result.columns, result.rows, form)
    say(*result.summary)


def _round_rows(source: Project | Path, sampling: Sampling) -> list[Sequence[Cell]]:
    """Return a row for each statistic of each norming round."""
    from irjudge.report.workbook import round_rows  # noqa: PLC0415

    if not isinstance(source, Project):
        raise IrjudgeError(
            "{file} is not a project; norming rounds belong to the sessions of a project.",
            file=source.name,
        )
    sessions = list_norming_sessions(source, sampling=sampling)
    if not sessions:
        raise IrjudgeError(
            "{file} has no closed norming round. Start a session with rounds (`irjudge serve "
            "--norming`).",
            file=source.path.name,
        )
    return list(round_rows(sessions))


@click.command("consensus")
@click.argument("file", type=FILE, metavar="PROJECT|LABELS")
@options_of(ConsensusRequest, "request")
@format_option()
def consensus_command(file: Path, request: ConsensusRequest, form: str) -> None:
    """Combine the grades of several assessors for each item of a PROJECT or of a table of
    LABELS, with reasons. Adjudicated grades of a PROJECT always win."""
    if request.keep:
        _store_method(file, request.method)
    with terminal_progress() as progress, open_labels(file) as source:
        result = resolve_labels(source, request, progress=progress)
    say(*result.notes)
    if request.output:
        count = write_qrels(request.output, result.qrels)
        say(f"{format_count(count, 'pair')}, {result.consensus.rule.title.lower()}.")
    else:
        columns = result.columns
        if form == "text" and not request.disagreements:
            columns = [name for name in columns if name not in PAIR_COLUMNS]
        show(columns, (row[: len(columns)] for row in result.rows), form)
    say(*result.summary)


def _store_method(file: Path, name: str | None) -> None:
    """Store a consensus method, by default the current one, in a project."""
    if not is_project(file):
        raise IrjudgeError("{file} is not a project; --keep is for projects.", file=file.name)
    # the project is closed before models are fitted, which may take minutes
    with to_write(file) as project:
        set_consensus_method(project, name or read_consensus_method(project))


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
@option_of(SheetOption, "sheet", "")
@click.option("--encoding", metavar="NAME", help="Encoding of the file; detected by default.")
@click.option(
    "--documents",
    is_flag=True,
    help=(
        "Left and right are documents of a topic, not systems. For a project: use its "
        "comparisons of documents, not those of runs."
    ),
)
@click.option(
    "--part",
    "parts",
    multiple=True,
    type=click.Choice(list(PARTS)),
    help="Print only this part of the results; may be repeated.",
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
    help="With --run: report whether measures agree in direction with preferences between runs.",
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
@option_of(SeedOption, "seed", DEFAULT_SAMPLING_SEED)
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
    """Print one table of all parts or, in text format, a table per part without empty columns."""
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
