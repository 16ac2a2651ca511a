"""Commands for judgments of several assessors: agreement, consensus and preferences."""

from collections.abc import Sequence
from pathlib import Path

import click

from irjudge.audit import (
    PAIR_COLUMNS,
    AgreementRequest,
    ConsensusRequest,
    measure_agreement,
    resolve_labels,
)
from irjudge.cli.open_project import open_labels, open_verified
from irjudge.cli.options import (
    FILE,
    format_option,
    options_of,
    show,
    terminal_progress,
)
from irjudge.cli.projects import ManyFiles
from irjudge.cli.streams import say, tell
from irjudge.errors import IrjudgeError
from irjudge.evaluation import (
    PARTS,
    PREFERENCE_COLUMNS,
    PreferenceResults,
    PreferencesRequest,
    analyse_preferences,
)
from irjudge.formats.rankings import write_qrels
from irjudge.judging import (
    list_norming_sessions,
    read_consensus_method,
    set_consensus_method,
)
from irjudge.message import format_count
from irjudge.options import refuse_others
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
def agreement_command(file: Path, request: AgreementRequest, output_format: str) -> None:
    """Report the agreement of the assessors of a PROJECT or of a table of LABELS, with 95 %
    intervals. A table has a header with item (or topic and document), worker (or assessor) and
    label (or grade). Columns of --show assessors: 'agreement' is the mean share of the other
    assessors of an item who gave it the same grade; 'bias' is the mean of grade minus reference
    (above 0: lenient) and 'error' the mean distance from the reference, which is the gold grade
    or the majority of the other assessors; 'cost' is the expected cost of a label after
    correcting bias; 'quality' is 1 minus the ratio of this cost to that of a spammer (1 is
    perfect, 0 is uninformative); 'first_third', 'middle_third' and 'last_third' are the
    agreement with the other assessors in each third of the work; 'same_as_before' is the share
    of grades equal to the previous one; 'too_fast' is the number of labels given too quickly to
    skim the first 40 words; 'verdict' says whether anything is flagged or there is too little
    data, and 'why' gives the evidence. Columns with --ratings: 'came' is the imported grade,
    'same' the share of judgments with that grade, 'mean' the average grade given, and 'leniency'
    this average minus the mean imported grade. Intervals are computed from resampled topics.
    --show rounds has a row for each statistic of each norming round of the sessions of a
    project; the workbook also contains the judgments of each document in these rounds, with
    reasons.
    """
    with terminal_progress() as progress, open_labels(file) as source:
        if request.table == "rounds":
            from irjudge.report.workbook import round_rows  # noqa: PLC0415

            if not isinstance(source, Project):
                raise IrjudgeError(
                    "{file} is not a project; norming rounds belong to the sessions of a project.",
                    file=source.name,
                )
            sessions = list_norming_sessions(source, sampling=request.sampling(progress))
            if not sessions:
                raise IrjudgeError(
                    "{file} has no closed norming round. Start a session with rounds (`irjudge serve "
                    "--norming`).",
                    file=source.path.name,
                )
            show(ROUND_COLUMNS, list(round_rows(sessions)), output_format)
            return
        result = measure_agreement(source, request, progress=progress)
    say(*result.notes)
    show(result.columns, result.rows, output_format)
    say(*result.summary)


@click.command("consensus")
@click.argument("file", type=FILE, metavar="PROJECT|LABELS")
@options_of(ConsensusRequest, "request")
@format_option()
def consensus_command(file: Path, request: ConsensusRequest, output_format: str) -> None:
    """Combine the grades of several assessors for each item of a PROJECT or of a table of LABELS,
    and report the reason for each result. Adjudicated grades of a PROJECT always take
    precedence.
    """
    if request.keep:
        if not is_project(file):
            raise IrjudgeError(
                "{file} is not a project; --keep applies only to projects.", file=file.name
            )
        refuse_others(request, "keep", ("method", "truth", "disagreements", "output", "rel"))
        # the project is closed before models are fitted, which may take minutes
        with open_verified(file) as project:
            set_consensus_method(project, request.method or read_consensus_method(project))
    with terminal_progress() as progress, open_labels(file) as source:
        result = resolve_labels(source, request, progress=progress)
    say(*result.notes)
    if request.output:
        count = write_qrels(request.output, result.qrels)
        say(f"{format_count(count, 'pair')}, {result.consensus.rule.title.lower()}.")
    else:
        columns = result.columns
        if output_format == "text" and not request.disagreements:
            columns = [name for name in columns if name not in PAIR_COLUMNS]
        show(columns, (row[: len(columns)] for row in result.rows), output_format)
    say(*result.summary)


# Command preferences


@click.command("preferences")
@click.argument("file", metavar="PROJECT|FILE", type=FILE)
@options_of(PreferencesRequest, "request")
@format_option()
def preferences_command(file: Path, request: PreferencesRequest, output_format: str) -> None:
    """Report which of two systems or documents is preferred, with significance: wins, ties,
    strengths, contradictions, side bias, self-agreement. For a PROJECT, the side-by-side
    comparisons of runs are used or, with --documents, those of pairs of documents. A table has
    the columns left, right and winner (left, right, tie, or the name of one side), and
    optionally topic, assessor, strength (0 to 2) and seconds, in any order.
    """
    with terminal_progress() as progress:
        results = analyse_preferences(file, request, progress=progress)
    say(*results.warnings)
    _show_parts(results, request.parts or tuple(PARTS), output_format)
    say(*results.notes)


def _show_parts(results: PreferenceResults, parts: Sequence[str], output_format: str) -> None:
    """Print one table with all parts or, in text format, a table for each part.

    In text format, empty columns are omitted.
    """
    if output_format != "text":
        show(PREFERENCE_COLUMNS, results.rows(parts), output_format)
        return
    for part in (part for part in PARTS if part in parts):
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
                output_format,
            )
