"""Command ask, which lets a model grade the pool of a project."""

from contextlib import ExitStack
from pathlib import Path

import click

from irjudge.audit import (
    AnswerFile,
    AskOptions,
    AskRequest,
    ChatEndpoint,
    ask_model,
    check_allowed,
    check_judge,
    describe_forecast,
    forecast_requests,
    import_answer_files,
    make_answers_path,
    parse_endpoint,
    set_allowed,
    write_prompts,
)
from irjudge.cli.open_project import open_verified
from irjudge.cli.options import FILE, options_of, terminal_progress
from irjudge.cli.streams import say, tell
from irjudge.errors import IrjudgeError
from irjudge.message import format_count
from irjudge.progress import Progress
from irjudge.store import ImportReport, Project


@click.command("ask")
@click.argument("project", type=FILE)
@options_of(AskRequest, "request")
def ask_command(project: Path, request: AskRequest) -> None:
    """Ask a model to grade the pool of a PROJECT; the answers become labels of the model.

    Without --send, only show what would be sent, and to which address; the PROJECT must allow
    sending (--allow). Answers are saved next to the PROJECT, and answered requests are not sent
    again.
    """
    with terminal_progress() as progress, ExitStack() as stack:
        file = stack.enter_context(open_verified(project))
        if request.allowed is not None:
            set_allowed(file, is_allowed=request.allowed)
            state = "allowed" if request.allowed else "forbidden"
            tell(f"Sending texts of {project.name} to models is now {state}.")
            return
        if request.answered:
            answer_file = stack.enter_context(AnswerFile(make_answers_path(project), project))
            _say_labels(import_answer_files(file, request.answered, answer_file, progress))
            return
        if not request.model or not (request.url or request.output):
            raise IrjudgeError(
                "Nothing to ask; give --model NAME, and either --endpoint URL or "
                "--write-prompts FOLDER.",
                key="no-endpoint",
            )
        if request.budget is not None and not request.price:
            raise IrjudgeError(
                "A budget needs prices: --price IN OUT, per million input tokens and per "
                "million output tokens.",
                key="no-prices",
            )
        endpoint = None
        if request.url and not request.output:
            endpoint = parse_endpoint(request.url, request.key_from)
        address = endpoint.address if endpoint else ""
        _ask_model(
            file, request.options(request.model, address=address), endpoint, request, progress
        )


def _ask_model(
    project: Project,
    options: AskOptions,
    endpoint: ChatEndpoint | None,
    request: AskRequest,
    progress: Progress,
) -> None:
    """Ask a model to grade a pool, or show what would be asked.

    With an endpoint, print the expected cost; if `request.send` is set, also ask the model and
    store its labels. Without an endpoint, write the prompts to the folder `request.output`, if
    given.
    """
    limits, folder = request.limits(), request.output
    if endpoint:
        check_allowed(project)
    check_judge(project, options.make_judge())
    with AnswerFile(make_answers_path(project.path), project.path) as answers:
        if endpoint is None:
            if folder:
                count = write_prompts(project, options, folder, answers, progress)
                tell(f"Wrote {format_count(count, 'prompt')} to {folder}.")
            return
        forecast = forecast_requests(project, options, answers, limits.requests, progress)
        say(*describe_forecast(forecast, endpoint, options, limits))
        if not request.send:
            say("Nothing was sent; use --send to send the requests.")
            return
        report = ask_model(
            project, options, endpoint, answers, limits, progress, open_count=forecast.requests
        )
        _say_labels(report.labels)
        say(*filter(None, [report.stop_reason]))
        tell(
            f"Sent {format_count(report.requests, 'request')}; "
            f"{format_count(report.unanswered_count, 'question')} not answered yet."
        )
        if report.unanswered_count and report.stop_reason:
            raise IrjudgeError(
                "Not all questions were asked; run the same command again to continue."
            )


def _say_labels(report: ImportReport) -> None:
    say(*report.warnings)
    tell(*report.sentences)
