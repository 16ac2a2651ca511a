"""Commands that compare runs: compare, history, correlate and bounds."""

from collections.abc import Set
from itertools import pairwise
from pathlib import Path

import click

from irjudge.cli.open_project import open_verified
from irjudge.cli.options import (
    FILE_OR_ADDRESS,
    format_option,
    given_options,
    options_of,
    show,
    show_result,
    terminal_progress,
)
from irjudge.cli.streams import say, tell
from irjudge.errors import IrjudgeError
from irjudge.evaluation import (
    BoundsRequest,
    CorrelationRequest,
    EvaluationRequest,
    bound_sources,
    correlate_sources,
)
from irjudge.formats.rankings import is_leaderboard
from irjudge.options import option_fields
from irjudge.report import (
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
    qrels: Path, runs: tuple[Path, ...], request: RunComparisonRequest, output_format: str
) -> None:
    """Evaluate RUNS with QRELS, and compare the runs with each other topic by topic: differences,
    intervals, tests. To compare all runs of a project, give the project as QRELS, without RUNS.
    With --power or --difference, report the detectable difference and the number of topics
    needed.
    """
    given_names = given_options()
    if request.needs_topics:
        _reject_ignored_options(
            "--power and --difference print numbers of topics, not test results",
            given_names & {"tests", "correction", "interval", "seed", "samples"},
        )
    with terminal_progress() as progress:
        result = compare_sources(
            qrels, runs, request, topics_chosen="topics" in given_names, progress=progress
        )
    show_result(result, output_format)


@click.command("history")
@click.argument("source", type=FILE_OR_ADDRESS)
@click.option(
    "--changes",
    "what_changed",
    is_flag=True,
    help="Print what changed from each evaluation to the next: settings, and inputs (compared "
    "by their hashes).",
)
@click.option(
    "--forget", metavar="NAME", help="Remove the latest evaluation with this name from a project."
)
@format_option()
def history_command(
    source: Path, what_changed: bool, forget: str | None, output_format: str
) -> None:
    """Print the evaluations saved in a project or file (`evaluate --keep NAME`), oldest first."""
    if forget is not None:
        if not is_project(source):
            raise click.UsageError(
                f"--forget is for a project; {source.name} is a file with a line for each evaluation."
            )
        with open_verified(source) as project:
            deleted_evaluation = delete_stored_evaluation(project, forget)
        tell(f"Removed the saved evaluation {deleted_evaluation.dated_name}.")
        return
    evaluations = list_stored_evaluations(source)
    if what_changed:
        rows = (
            (evaluation.made, evaluation.name, change.subject, change.earlier, change.current)
            for previous_evaluation, evaluation in pairwise(evaluations)
            for change in evaluation_changes(previous_evaluation, evaluation)
        )
        show(("made", "name", "what", "before", "now"), rows, output_format)
    else:
        show(
            ("made", "name", "run", "measure", "value"),
            stored_evaluation_rows(evaluations),
            output_format,
        )
    if not evaluations:
        say(
            f"No evaluation is saved yet. Save one with `irjudge evaluate {source.name} --keep NAME`."
        )


@click.command("correlate")
@click.argument(
    "files", type=FILE_OR_ADDRESS, nargs=-1, metavar="RUN RUN | QRELS RUN... | LEADERBOARD..."
)
@options_of(CorrelationRequest, "request")
@format_option()
def correlate_command(
    files: tuple[Path, ...], request: CorrelationRequest, output_format: str
) -> None:
    """Compute the similarity of rankings: the rankings of two RUNS, topic by topic, or, with
    --systems, the system rankings of RUNS by different measures or qrels. With --systems, a
    LEADERBOARD (lines of run, measure, topic and value) can replace qrels and runs; its measures
    are then compared with each other. If several leaderboards are given, the first is the
    reference: its measures are compared with those of the others.
    """
    own_options = {
        "items",
        "top",
        "other",
        *(field.name for field in option_fields(EvaluationRequest)),
    }
    given_names = given_options() & own_options
    if request.systems:
        _reject_ignored_options("--systems compares measures", given_names & {"items", "top"})
        if files and not is_project(files[0]) and all(map(is_leaderboard, files)):
            _reject_ignored_options(
                "leaderboards already contain values", given_names - {"measures"}
            )
    else:
        _reject_ignored_options(
            "without --systems no measure is computed",
            given_names - {"items", "top", "depth", "ties", "columns"},
        )
    with terminal_progress() as progress:
        result = correlate_sources(
            files,
            request,
            ties=request.evaluation.settings.ties if "ties" in given_names else None,
            topics_chosen="topics" in given_names,
            progress=progress,
        )
    show_result(result, output_format)


def _reject_ignored_options(reason: str, ignored: Set[str]) -> None:
    """Raise IrjudgeError if options were given that would be ignored.

    `ignored` contains the names of these options; `reason` is the reason why they are ignored.
    """
    params = click.get_current_context().command.params
    option_names = {param.name: param.opts[0] for param in params}
    if ignored:
        raise IrjudgeError(
            "Cannot use {options}: {reason}.",
            options=" and ".join(sorted(option_names[name] for name in ignored)),
            reason=reason,
        )


# Command bounds


@click.command("bounds")
@click.argument("qrels", type=FILE_OR_ADDRESS)
@click.argument("runs", type=FILE_OR_ADDRESS, nargs=-1)
@options_of(BoundsRequest, "request")
@format_option()
def bounds_command(
    qrels: Path, runs: tuple[Path, ...], request: BoundsRequest, output_format: str
) -> None:
    """Print the lowest and highest values that RUNS can reach once all documents in QRELS are
    judged. For the runs of a project, give the project as QRELS, without RUNS. In QRELS, grade
    -1 means pooled but not judged yet. --next prints the weight of each document: how much its
    grade can change the difference run_a - run_b on its topic, positive if a relevant grade
    favours run_a.
    """
    show_result(bound_sources(qrels, runs, request), output_format)
