"""Commands assign, merge, status and set-aside."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import click

from irjudge.cli.open_project import reading, to_write
from irjudge.cli.options import FILE, format_option, options_of, show, terminal_progress
from irjudge.cli.participants import pull
from irjudge.cli.projects import WITHOUT_TEXT
from irjudge.cli.streams import put, say, tell
from irjudge.errors import IrjudgeError
from irjudge.exchange import (
    IRTASK,
    PARTS,
    AssignmentReport,
    AssignmentRequest,
    Candidate,
    Forecast,
    TaskFileFormat,
    WorkStatus,
    assign_comparison,
    assign_pool,
    describe_backup,
    estimate_comparison,
    estimate_plan,
    forecast_work,
    list_assignment_files,
    list_progress_rows,
    measure_pace,
    measure_speed_by_length,
    merge_files,
    parse_candidates,
    parse_plans,
    plan_assignment,
    read_prices,
    read_work_status,
    reassign,
    set_prices,
)
from irjudge.exchange import withdraw_round as withdraw_files
from irjudge.judging import (
    GROUPS,
    Group,
    exclude_assessor,
    list_counted_assessors,
    list_excluded_assessors,
    list_pooled_without_text,
    make_display_names,
    readmit_assessor,
    set_counted_group,
)
from irjudge.message import format_count
from irjudge.progress import Progress
from irjudge.report import Cell
from irjudge.store import Project, StoredRanking
from irjudge.text import escape_control_characters
from irjudge.web import HTML, PAGED

TABLES = ("progress", "files", "speed", "forecast", "runs")
FORMS = {form.name: form for form in (IRTASK, HTML)}
ALL_BUT = "Let one group alone count: people of sessions, or the others; or everybody again. All judgments stay."


@click.command("assign")
@click.argument("project", type=FILE)
@options_of(AssignmentRequest)
@format_option()
def assign_command(project: Path, options: AssignmentRequest, form: str) -> None:
    """Share the pool of a PROJECT out among assessors: one file each. Done again, it assigns what a new pool brought.

    With --mode side-by-side they compare the results of runs instead, blind, or with --choice two documents at a time.
    """
    if options.withdraw_round is not None:
        _withdraw(project, options.withdraw_round, form)
        return
    if options.output is None and not options.preview:
        raise IrjudgeError("Name the folder for the files: -o FOLDER.", key="no-folder")
    if options.several and options.instead_of:
        raise IrjudgeError("--several is for grading documents that are handed out anew.")
    until = _date(options.deadline)
    files = (PAGED if options.page_images else FORMS)[options.file_form]
    files = replace(files, split=options.split)
    people = parse_candidates(options.assessors) if options.assessors else ()
    if not people and not options.instead_of:
        raise IrjudgeError(
            "Name the assessors: --assessors ann,bob or --assessors FILE.", key="no-assessors"
        )
    with (
        to_write(project, writing=not options.preview) as opened,
        terminal_progress() as progress,
    ):
        if options.preview:
            _preview(opened, people, options, files, progress)
            return
        how: dict[str, Any] = {"deadline": until, "progress": progress, "form": files}
        folder = options.output or Path()
        if options.instead_of:
            names = [person.name for person in people]
            made = reassign(opened, options.instead_of, folder, to=names, **how)
        elif options.mode == "side-by-side":
            asked = options.resolve_comparison(opened)
            made = assign_comparison(opened, people, asked, folder, **how)
        else:
            request = options.resolve(opened)
            made = assign_pool(opened, people, request, folder, gold_from=options.gold_from, **how)
    _show_files(made, files, form)


def _preview(
    project: Project,
    people: Sequence[Candidate],
    options: AssignmentRequest,
    files: TaskFileFormat,
    progress: Progress,
) -> None:
    if options.instead_of:
        raise IrjudgeError("--preview is for what is handed out anew, not with --instead-of.")
    if options.mode == "side-by-side":
        asked = options.resolve_comparison(project)
        tell(*estimate_comparison(project, people, asked, progress=progress).sentences())
        return
    plan, _ = plan_assignment(
        project, people, options.resolve(project), gold_from=options.gold_from
    )
    pages = files.page_images(project, plan) if files.page_images else None
    tell(*estimate_plan(plan, measure_pace(project), read_prices(project), pages).sentences())
    say(*plan.warnings)


def _withdraw(path: Path, number: int, form: str) -> None:
    with to_write(path) as project:
        out = withdraw_files(project, number)
        remaining = [
            each.file
            for each in project.assignments.all()
            if each.round == number and not each.withdrawn
        ]
    show(("assessor", "file"), ((each.assessor, each.file) for each in out), form)
    say(
        f"Withdrawn: {format_count(len(out), 'file')} of round {number}; what they asked for can be assigned anew. Delete them."
    )
    if remaining:
        say(f"Not withdrawn, since something of it came back: {', '.join(remaining)}.")


def _date(given: str | None) -> str:
    try:
        until = date.fromisoformat(given).isoformat() if given else ""
    except ValueError as fault:
        raise IrjudgeError(
            "The deadline {given!r} is no date, expected one such as 2026-03-01.", given=given
        ) from fault
    if until and until < _today().isoformat():
        say(f"The deadline {until} is over already.")
    return until


def _show_files(made: AssignmentReport, files: TaskFileFormat, form: str) -> None:
    show(
        ("assessor", "file", "topics", "items"),
        ((each.assessor, str(each.path), each.topics, each.items) for each in made.files),
        form,
    )
    say(*made.warnings, *files.told(each.path for each in made.files))


ADDRESSES = ("postgresql://", "postgres://")


def is_address(text: str) -> bool:
    """Return whether a text is the address of a database, not a file."""
    return text.startswith(ADDRESSES)


@click.command("merge")
@click.argument("project", type=FILE)
@click.argument("files", nargs=-1, required=True, metavar="FILE... | postgresql://…")
@click.option(
    "--every",
    type=click.FloatRange(1),
    help="With a database: again after so many seconds, until Ctrl+C: a living backup.",
)
@click.option(
    "--accept-gap",
    is_flag=True,
    help="Take what follows an event that cannot be used, too; the project notes what is missing.",
)
@format_option()
def merge_command(
    project: Path, files: tuple[str, ...], every: float | None, accept_gap: bool, form: str
) -> None:
    """Take the judgments in returned FILES, or in the database of a server, into a PROJECT and print the balance of each.

    Exit 2 when a file, or an event of one, could not be used; everything else is taken all the same.
    """
    addresses = [each for each in files if is_address(each)]
    if addresses or every:
        if len(files) != 1 or not addresses:
            raise IrjudgeError(
                "A database is merged alone: irjudge merge PROJECT postgresql://… ; --every is for one."
            )
        pull(project, addresses[0], every, form)
        return
    with to_write(project) as opened, terminal_progress() as progress:
        merged = merge_files(
            opened,
            [FILE.convert(each, None, None) for each in files],
            accept_gap=accept_gap,
            progress=progress,
        )
    columns = ("file", "assessor", "read", *PARTS)
    show(
        columns,
        ([getattr(balance, column) for column in columns] for balance in merged.balances),
        form,
    )
    for balance in merged.balances:
        say(*balance.sentences)
    say(*merged.warnings)
    if merged.waiting:
        say(
            f"Waiting in the project: {format_count(merged.waiting, 'event')}. Ask for a whole copy, or merge the file with --accept-gap."
        )
    say(
        describe_backup(merged.backup)
        if merged.backup
        else "Nothing is new; the project is as it was."
    )
    refused = [balance.file for balance in merged.balances if balance.refused]
    faulty = [
        balance.file for balance in merged.balances if balance.rejected and not balance.refused
    ]
    messages = (
        [
            f"{format_count(len(refused), 'file')} of {len(files)} could not be used: {', '.join(refused)}."
        ]
        if refused
        else []
    )
    messages += [f"Some of what {', '.join(faulty)} holds could not be used."] if faulty else []
    if messages:
        raise IrjudgeError(" ".join(messages))


@click.command("status")
@click.argument("project", type=FILE)
@click.option(
    "--show",
    "table",
    type=click.Choice(TABLES),
    default="progress",
    show_default=True,
    help="Which table is printed.",
)
@click.option(
    "--what-if",
    multiple=True,
    help="Forecast after a change: assessors=+1, less overlap (overlap=2), fewer ranks (depth=10). May be repeated: each alone, then all.",
)
@format_option()
def status_command(project: Path, table: str, what_if: tuple[str, ...], form: str) -> None:
    """Print how much of a PROJECT is judged by assessor and topic; or its files, the speed, when it will be done, or its runs."""
    asked = parse_plans(what_if)
    with reading(project) as opened:
        if table == "runs":
            _show_runs(opened.rankings.runs(), form)
            return
        textless = list_pooled_without_text(opened)
        if textless:
            say(WITHOUT_TEXT.format(len(textless), textless[0]))
        if table == "files":
            _show_outstanding(opened, form)
            return
        work, names = read_work_status(opened), make_display_names(opened)
        say(
            *(
                _aside(names.get(person.name, person.name), person.set_aside)
                for person in list_excluded_assessors(opened)
            )
        )
    if what_if or table == "forecast":
        tried = {name: forecast_work(work, _today(), change) for name, change in asked.items()}
        _show_forecasts([("as it is", forecast_work(work, _today())), *tried.items()], form)
    elif table == "speed":
        rows = [
            (speed.documents, float(speed.length), speed.median_seconds)
            for speed in measure_speed_by_length(work.done)
        ]
        show(("documents", "median_length", "median_seconds"), rows, form, decimals=1, opened=True)
    else:
        _show_progress(names, work, form)
        if work.unheld:
            say(
                f"A session still wants {format_count(len(work.unheld), 'judgment')} that nobody holds."
            )
        if not work.left:
            say(
                "There is nothing to judge yet: the project has no pool. Build one with `irjudge pool`."
            )


def _aside(name: str, reason: str | None) -> str:
    return f"Set aside, so that their judgments do not count: {name} ({reason})."


def _today() -> date:
    return datetime.now(UTC).date()


def _show_progress(names: Mapping[str, str], work: WorkStatus, form: str) -> None:
    rows = [
        (
            names.get(row.assessor, row.assessor),
            row.topic,
            row.judged,
            row.assigned,
            row.left,
            row.active_ms / 60_000,
            row.median_seconds,
        )
        for row in list_progress_rows(work)
    ]
    show(
        ("assessor", "topic", "judged", "assigned", "left", "active_minutes", "median_seconds"),
        rows,
        form,
        decimals=1,
        opened=True,
    )


def _show_outstanding(project: Project, form: str) -> None:
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
    rows = list_assignment_files(project, _today())
    show(
        columns,
        ([_plain(getattr(row, column)) for column in columns] for row in rows),
        form,
        opened=True,
    )
    if not rows:
        say("No file was handed out yet; `irjudge assign` makes them.")
    late = [row.file for row in rows if row.late]
    if late:
        say(f"Not returned after the deadline: {', '.join(late)}.")


def _show_runs(runs: Sequence[StoredRanking], form: str) -> None:
    """Print the runs; in text format followed by the ir_metadata of each."""
    rows = [(run.name, run.source, run.rows, run.metadata) for run in runs]
    if form != "text":
        show(("run", "file", "lines", "ir_metadata"), rows, form, opened=True)
        return
    show(("run", "file", "lines"), (row[:3] for row in rows), form)
    for run in runs:
        if run.metadata:
            put(f"\n{escape_control_characters(run.name)} says of itself (ir_metadata):\n")
            put(
                "".join(
                    f"  {escape_control_characters(line)}".rstrip() + "\n"
                    for line in run.metadata.split("\n")
                )
            )


def _plain(value: str | int | bool) -> Cell:
    return ("yes" if value else "no") if isinstance(value, bool) else value


def _show_forecasts(forecasts: Sequence[tuple[str, Forecast]], form: str) -> None:
    columns = ("plan", "left", "hours", "low", "high", "finish", "earliest", "latest")
    rows = []
    for name, each in forecasts:
        days = (
            day.isoformat() if day else None for day in (each.finish, each.earliest, each.latest)
        )
        rows.append((name, each.left, each.hours, each.low, each.high, *days))
    show(columns, rows, form, decimals=1, opened=True)
    if forecasts[0][1].hours is None:
        say("Nobody's time is known yet, so nothing can be forecast.")


@click.command("set-aside")
@click.argument("project", type=FILE)
@click.argument("assessor", required=False)
@click.option(
    "--reason", default="set aside by the organiser", show_default=True, help="Why, for the record."
)
@click.option("--back", is_flag=True, help="Let their judgments count again.")
@click.option("--all-but", "group", type=click.Choice(GROUPS), help=ALL_BUT)
def set_aside_command(
    project: Path, assessor: str | None, reason: str, back: bool, group: Group | None
) -> None:
    """Let the judgments of an ASSESSOR, or of all but a group, in a PROJECT not count any more; all of them stay."""
    if (assessor is None) == (group is None):
        raise click.UsageError("Name an assessor, or say with --all-but whose judgments count.")
    with to_write(project) as opened:
        if assessor is None:
            _count_group(opened, group or "everybody")
            return
        before = next(
            (person.set_aside for person in opened.assignments.people() if person.name == assessor),
            None,
        )
        if back:
            readmit_assessor(opened, assessor)
            message = "counts again" if before is not None else "was not set aside"
        else:
            exclude_assessor(opened, assessor, reason)
            already = f"was set aside already ({before}); the reason is now: {reason}"
            message = (
                "is set aside; the judgments stay and do not count" if before is None else already
            )
    tell(f"{assessor} {message}.")


def _count_group(project: Project, group: Group) -> None:
    set_counted_group(project, group)
    counting = [
        make_display_names(project).get(name, name) for name in list_counted_assessors(project)
    ]
    tell(f"Judgments of {group} count: {', '.join(counting) or 'nobody has judged yet'}.")


@click.command("price")
@click.argument("project", type=FILE)
@click.option("--hour", type=click.FloatRange(0), help="What an hour of judging costs.")
@click.option("--item", type=click.FloatRange(0), help="What a judgment costs.")
@click.option("--currency", help="Such as EUR.")
@format_option()
def price_command(
    project: Path, hour: float | None, item: float | None, currency: str | None, form: str
) -> None:
    """Set what judging costs in a PROJECT, for --preview; without an option, show it."""
    setting = any(value is not None for value in (hour, item, currency))
    with to_write(project, writing=setting) as opened:
        said = {
            name: value
            for name, value in (("hour", hour), ("item", item), ("currency", currency))
            if value is not None
        }
        prices = replace(read_prices(opened), **said)  # type: ignore[arg-type]
        if setting:
            set_prices(opened, prices)
    show(("hour", "item", "currency"), [(prices.hour, prices.item, prices.currency)], form)
