"""Commands for assignments: assign, merge, status, exclude and costs."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path

import click

from irjudge.cli.open_project import open_for_reading, open_verified
from irjudge.cli.options import FILE, format_option, options_of, show, terminal_progress
from irjudge.cli.participants import import_session_events
from irjudge.cli.streams import put, say, tell
from irjudge.errors import IrjudgeError
from irjudge.exchange import (
    EVENT_OUTCOMES,
    AssignmentRequest,
    Forecast,
    WorkStatus,
    assign,
    describe_backup,
    describe_textless,
    forecast_work,
    list_assignment_files,
    list_progress_rows,
    measure_speed_by_length,
    merge_files,
    parse_plans,
    preview_assignment,
    read_prices,
    read_work_status,
    set_prices,
    withdraw_round,
)
from irjudge.judging import (
    ASSESSOR_GROUPS,
    Group,
    exclude_assessor,
    list_counted_assessors,
    list_excluded_assessors,
    list_pooled_without_text,
    make_display_names,
    readmit_assessor,
    set_counted_group,
)
from irjudge.message import escape_control_characters, format_count
from irjudge.report import Cell
from irjudge.store import Project, StoredRanking
from irjudge.web import choose_file_format

STATUS_TABLES = ("progress", "files", "speed", "forecast", "runs")
ALL_BUT_HELP = (
    "Use only the judgments of session participants, only those of other assessors, or all "
    "judgments. No judgment is deleted."
)


@click.command("assign")
@click.argument("project", type=FILE)
@options_of(AssignmentRequest)
@format_option()
def assign_command(project: Path, options: AssignmentRequest, output_format: str) -> None:
    """Divide the pool of a PROJECT among assessors, and create a file for each assessor.

    Run the command again to assign the documents added by a new pool. With --mode side-by-side,
    assessors instead compare the results of runs without seeing the run names, or, with --choice,
    two documents at a time.
    """
    options.check_combination()
    if options.withdraw_round is not None:
        _withdraw(project, options.withdraw_round, output_format)
        return
    with (
        open_verified(project, writing=not options.preview) as opened_project,
        terminal_progress() as progress,
    ):
        files = choose_file_format(options)
        if options.preview:
            preview = preview_assignment(
                opened_project, options, file_format=files, progress=progress
            )
            tell(*preview.estimate.sentences())
            say(*preview.warnings)
            return
        report = assign(opened_project, options, file_format=files, progress=progress)
    rows = [(file.assessor, str(file.path), file.topics, file.items) for file in report.files]
    show(("assessor", "file", "topics", "items"), rows, output_format)
    say(*report.warnings, *report.notes)


def _withdraw(path: Path, round_number: int, output_format: str) -> None:
    with open_verified(path) as project:
        report = withdraw_round(project, round_number)
    show(
        ("assessor", "file"),
        ((assignment.assessor, assignment.file) for assignment in report.withdrawn),
        output_format,
    )
    say(
        f"Withdrawn: {format_count(len(report.withdrawn), 'file')} of round {round_number}; their items can be assigned again. Delete the files."
    )
    if report.returned_files:
        say(f"Not withdrawn, because parts were returned: {', '.join(report.returned_files)}.")


DATABASE_PREFIXES = ("postgresql://", "postgres://")


@click.command("merge")
@click.argument("project", type=FILE)
@click.argument("files", nargs=-1, required=True, metavar="FILE... | postgresql://…")
@click.option(
    "--every",
    type=click.FloatRange(1),
    help=(
        "With a database: repeat the import after this many seconds, until Ctrl+C, as a "
        "continuous backup."
    ),
)
@click.option(
    "--accept-gap",
    is_flag=True,
    help="Also import the events that follow an unusable event; the project records the gap.",
)
@format_option()
def merge_command(
    project: Path, files: tuple[str, ...], every: float | None, accept_gap: bool, output_format: str
) -> None:
    """Import the judgments in returned FILES, or in the database of a server, into a PROJECT, and
    print a summary for each file or database. Exit code 2 if a file, or an event in one, could
    not be used; everything else is still imported.
    """
    addresses = [file for file in files if file.startswith(DATABASE_PREFIXES)]
    if addresses or every:
        if len(files) != 1 or not addresses:
            raise IrjudgeError(
                "Import a database on its own, without other files (irjudge merge PROJECT "
                "postgresql://…); --every applies only to a database."
            )
        import_session_events(project, addresses[0], every, output_format)
        return
    with open_verified(project) as opened_project, terminal_progress() as progress:
        merged = merge_files(
            opened_project,
            [FILE.convert(file, None, None) for file in files],
            accept_gap=accept_gap,
            progress=progress,
        )
    columns = ("file", "assessor", "read", *EVENT_OUTCOMES)
    show(
        columns,
        ([getattr(report, column) for column in columns] for report in merged.reports),
        output_format,
    )
    say(*merged.sentences)
    if merged.waiting:
        say(
            f"Not used yet, because earlier events are missing: {format_count(merged.waiting, 'event')}. "
            "Ask for a complete copy, or merge the file with --accept-gap."
        )
    say(
        describe_backup(merged.backup)
        if merged.backup
        else "Nothing is new; the project is unchanged."
    )
    if merged.problem:
        raise IrjudgeError(merged.problem)


@click.command("status")
@click.argument("project", type=FILE)
@click.option(
    "--show",
    "table",
    type=click.Choice(STATUS_TABLES),
    default="progress",
    show_default=True,
    help="Which table to print.",
)
@click.option(
    "--what-if",
    multiple=True,
    help=(
        "Forecast the work after a change: more assessors (assessors=+1), less overlap "
        "(overlap=2) or fewer ranks (depth=10). May be repeated: each change is forecast "
        "alone, then all together."
    ),
)
@format_option()
def status_command(project: Path, table: str, what_if: tuple[str, ...], output_format: str) -> None:
    """Print the judging progress of a PROJECT by assessor and topic or, with --show, the
    assessors' files, the judging speed, the expected completion, or the runs.
    """
    plans = parse_plans(what_if)
    with open_for_reading(project) as opened_project:
        if table == "runs":
            _show_runs(opened_project.rankings.runs(), output_format)
            return
        pairs_without_text = list_pooled_without_text(opened_project)
        if pairs_without_text:
            say(describe_textless(pairs_without_text))
        if table == "files":
            _show_outstanding(opened_project, output_format)
            return
        work_status, names = read_work_status(opened_project), make_display_names(opened_project)
        say(
            *(
                f"Excluded assessors, whose judgments are ignored: "
                f"{names.get(assessor.name, assessor.name)} ({assessor.exclusion_reason})."
                for assessor in list_excluded_assessors(opened_project)
            )
        )
    if what_if or table == "forecast":
        forecasts_by_plan = {
            name: forecast_work(work_status, _get_today(), change) for name, change in plans.items()
        }
        _show_forecasts(
            [("as it is", forecast_work(work_status, _get_today())), *forecasts_by_plan.items()],
            output_format,
        )
    elif table == "speed":
        show(
            ("documents", "median_length", "median_seconds"),
            [
                (speed.documents, float(speed.length), speed.median_seconds)
                for speed in measure_speed_by_length(work_status.judgments)
            ],
            output_format,
            decimals=1,
            for_spreadsheet=True,
        )
    else:
        _show_progress(names, work_status, output_format)
        if work_status.unassigned:
            say(
                f"Judgments that a session still needs, not assigned to anyone: {len(work_status.unassigned):,}."
            )
        if not work_status.unjudged_pairs:
            say(
                "There is nothing to judge yet: the project has no pool. Build one with `irjudge pool`."
            )


def _get_today() -> date:
    return date.today()  # noqa: DTZ011 -- deadlines and forecasts are local dates


def _show_progress(names: Mapping[str, str], work_status: WorkStatus, output_format: str) -> None:
    rows = [
        (
            names.get(row.assessor, row.assessor),
            "all" if row.topic is None else row.topic,
            row.judged,
            row.assigned,
            row.left,
            row.active_ms / 60_000,
            row.median_seconds,
        )
        for row in list_progress_rows(work_status)
    ]
    show(
        ("assessor", "topic", "judged", "assigned", "left", "active_minutes", "median_seconds"),
        rows,
        output_format,
        decimals=1,
        for_spreadsheet=True,
    )


def _show_outstanding(project: Project, output_format: str) -> None:
    columns = (
        "assessor",
        "file",
        "email",
        "deadline",
        "judged",
        "assigned",
        "state",
        "returned",
        "handed_in",
        "late",
        "waiting",
    )
    rows = list_assignment_files(project, _get_today())
    show(
        columns,
        ([_format_cell(getattr(row, column)) for column in columns] for row in rows),
        output_format,
        for_spreadsheet=True,
    )
    if not rows:
        say("No file is assigned yet; create files with `irjudge assign`.")
    late_files = [row.file for row in rows if row.late]
    if late_files:
        say(f"Not returned after the deadline: {', '.join(late_files)}.")


def _show_runs(runs: Sequence[StoredRanking], output_format: str) -> None:
    """Print a table of runs and, in text format, the ir_metadata of each run."""
    rows = [(run.name, run.source, run.rows, run.metadata) for run in runs]
    if output_format != "text":
        show(("run", "file", "lines", "ir_metadata"), rows, output_format, for_spreadsheet=True)
        return
    show(("run", "file", "lines"), (row[:3] for row in rows), output_format)
    for run in runs:
        if run.metadata:
            put(f"\n{escape_control_characters(run.name)} has this metadata (ir_metadata):\n")
            put(
                "".join(
                    f"  {escape_control_characters(line)}".rstrip() + "\n"
                    for line in run.metadata.split("\n")
                )
            )


def _format_cell(value: str | int | bool) -> Cell:
    return ("yes" if value else "no") if isinstance(value, bool) else value


def _show_forecasts(forecasts: Sequence[tuple[str, Forecast]], output_format: str) -> None:
    columns = ("plan", "left", "hours", "low", "high", "finish", "earliest", "latest")
    rows = []
    for name, forecast in forecasts:
        days = (
            day.isoformat() if day else None
            for day in (forecast.finish, forecast.earliest, forecast.latest)
        )
        rows.append((name, forecast.left, forecast.hours, forecast.low, forecast.high, *days))
    show(columns, rows, output_format, decimals=1, for_spreadsheet=True)
    if forecasts[0][1].hours is None:
        say("No judging times are recorded yet, so there is no forecast.")


@click.command("exclude")
@click.argument("project", type=FILE)
@click.argument("assessor", required=False)
@click.option(
    "--reason",
    default="excluded by the organiser",
    show_default=True,
    help="Reason for the exclusion, which is stored in the project.",
)
@click.option("--undo", is_flag=True, help="Include the assessor's judgments again.")
@click.option("--all-but", "group", type=click.Choice(ASSESSOR_GROUPS), help=ALL_BUT_HELP)
def exclude_command(
    project: Path, assessor: str | None, reason: str, undo: bool, group: Group | None
) -> None:
    """Exclude the judgments of an ASSESSOR in a PROJECT, or use only those of a group of assessors;
    no judgment is deleted.
    """
    if (assessor is None) == (group is None):
        raise click.UsageError(
            "Give an assessor, or use --all-but to choose whose judgments are used."
        )
    with open_verified(project) as opened_project:
        if assessor is None:
            _use_only_group(opened_project, group or "everybody")
            return
        ids = {name: id for id, name in make_display_names(opened_project).items()}
        assessor_id = ids.get(assessor, assessor)
        previous_reason = next(
            (
                registered_assessor.exclusion_reason
                for registered_assessor in opened_project.assignments.registered_assessors()
                if registered_assessor.name == assessor_id
            ),
            None,
        )
        if undo:
            readmit_assessor(opened_project, assessor_id)
            message = "is included again" if previous_reason is not None else "was not excluded"
        else:
            exclude_assessor(opened_project, assessor_id, reason)
            repeated_message = (
                f"was already excluded ({previous_reason}); the reason is now “{reason}”"
            )
            message = (
                "is excluded; the judgments are kept but not used"
                if previous_reason is None
                else repeated_message
            )
    tell(f"{assessor} {message}.")


def _use_only_group(project: Project, group: Group) -> None:
    set_counted_group(project, group)
    counted_assessors = [
        make_display_names(project).get(name, name) for name in list_counted_assessors(project)
    ]
    tell(
        f"Assessors whose judgments are used ({group}): {', '.join(counted_assessors) or 'none yet'}."
    )


@click.command("costs")
@click.argument("project", type=FILE)
@click.option("--hour", type=click.FloatRange(0), help="Cost of an hour of judging.")
@click.option("--item", type=click.FloatRange(0), help="Cost of a judgment.")
@click.option("--currency", help="Currency, such as EUR.")
@format_option()
def costs_command(
    project: Path, hour: float | None, item: float | None, currency: str | None, output_format: str
) -> None:
    """Set the costs of judging that --preview uses for a PROJECT; without options, print the costs."""
    setting = any(value is not None for value in (hour, item, currency))
    with open_verified(project, writing=setting) as opened_project:
        given_prices = {
            name: value
            for name, value in (("hour", hour), ("item", item), ("currency", currency))
            if value is not None
        }
        prices = replace(read_prices(opened_project), **given_prices)  # type: ignore[arg-type]
        if setting:
            set_prices(opened_project, prices)
    show(("hour", "item", "currency"), [(prices.hour, prices.item, prices.currency)], output_format)
