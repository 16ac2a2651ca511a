"""Command ask."""

from contextlib import ExitStack
from pathlib import Path

import click

from irjudge.audit import (
    AnswerFile,
    AskOptions,
    ChatEndpoint,
    RequestLimits,
    ask_model,
    check_allowed,
    check_judge,
    describe_forecast,
    find_prompt,
    forecast_requests,
    import_answer_files,
    list_shipped_prompts,
    make_answers_path,
    parse_endpoint,
    set_allowed,
    write_prompts,
)
from irjudge.cli.open_project import to_write
from irjudge.cli.options import FILE, NAME_OR_FILE, terminal_progress, topic_option
from irjudge.cli.streams import say, tell
from irjudge.errors import IrjudgeError
from irjudge.message import format_count
from irjudge.progress import Progress
from irjudge.store import ImportReport, Project


@click.command("ask")
@click.argument("project", type=FILE)
@click.option(
    "--allow/--forbid",
    "allowed",
    default=None,
    help="Whether texts of this PROJECT may be sent to models; alone. At first not.",
)
@click.option(
    "--endpoint",
    "url",
    metavar="URL",
    help="Where the model answers, such as http://localhost:8080/v1.",
)
@click.option("--model", metavar="NAME", help="The model, as the endpoint knows it.")
@click.option(
    "--name",
    default="",
    help="What the assessor is called that its labels become. Default: the model.",
)
@click.option(
    "--prompt",
    type=NAME_OR_FILE,
    default="graded",
    show_default=True,
    metavar="NAME|FILE",
    help=f"{' or '.join(list_shipped_prompts())}, or a file of yours.",
)
@click.option(
    "--key-from",
    metavar="VARIABLE|keyring",
    help="The environment variable that holds the key, or keyring for the system's (`keyring set irjudge HOST`); it is written nowhere.",
)
@click.option(
    "--send", is_flag=True, help="Ask. Without it, it is only said what would be sent where."
)
@click.option("--limit", type=click.IntRange(1), help="Send at most so many requests now.")
@click.option(
    "--budget",
    type=click.FloatRange(0),
    help="Stop before all answers of the PROJECT cost more, by --price.",
)
@click.option(
    "--price",
    nargs=2,
    type=click.FloatRange(0),
    metavar="IN OUT",
    help="Of a million tokens sent and written.",
)
@click.option(
    "--repeats",
    type=click.IntRange(1, 20),
    default=1,
    show_default=True,
    help="How often each document is asked about.",
)
@click.option(
    "--at-once",
    type=click.IntRange(1, 32),
    default=1,
    show_default=True,
    help="How many requests are under way at a time.",
)
@click.option(
    "--timeout",
    type=click.FloatRange(1, 3600),
    default=120.0,
    show_default=True,
    help="Seconds that a reply may take.",
)
@click.option(
    "--temperature",
    type=click.FloatRange(0, 2),
    default=0.0,
    show_default=True,
    help="Of the model; 0 varies least.",
)
@click.option(
    "--answer-tokens",
    type=click.IntRange(1),
    default=300,
    show_default=True,
    help="How long an answer may be.",
)
@click.option(
    "--longest",
    type=click.IntRange(100),
    default=12_000,
    show_default=True,
    help="How many letters of a document are sent.",
)
@click.option(
    "--schema/--no-schema",
    default=True,
    help="Whether a JSON schema asks for the answer; some servers know none.",
)
@click.option(
    "--logprobs",
    is_flag=True,
    help="Ask for probabilities of grades too, and keep them; some servers have none.",
)
@click.option(
    "-o",
    "--write-prompts",
    "output",
    type=FILE,
    metavar="FOLDER",
    help="Write the requests to files instead; nothing is sent.",
)
@click.option(
    "--read-answers",
    "answered",
    type=FILE,
    metavar="FOLDER",
    help="Read the answers to these requests from the same folder.",
)
@topic_option()
def ask_command(
    project: Path,
    allowed: bool | None,
    url: str | None,
    model: str | None,
    name: str,
    prompt: str,
    key_from: str | None,
    send: bool,
    limit: int | None,
    budget: float | None,
    price: tuple[float, float] | None,
    repeats: int,
    at_once: int,
    timeout: float,
    temperature: float,
    answer_tokens: int,
    longest: int,
    schema: bool,
    logprobs: bool,
    output: Path | None,
    answered: Path | None,
    only: str,
) -> None:
    """Ask a model to grade the pool of a PROJECT, after saying what is sent where; its answers become labels of the model.

    The PROJECT has to allow it (--allow). Without --send nothing is sent. What was answered is kept beside the PROJECT and not asked
    again.
    """
    with terminal_progress() as progress, ExitStack() as opened:
        file = opened.enter_context(to_write(project))
        if allowed is not None:
            set_allowed(file, allowed=allowed)
            tell(f"Models {'may' if allowed else 'must not'} be asked about {project.name}.")
            return
        answers = (
            opened.enter_context(AnswerFile(make_answers_path(project), project))
            if answered
            else None
        )
        if answers and answered:
            _say_labels(import_answer_files(file, answered, answers, progress))
            return
        if not model or not (url or output):
            raise IrjudgeError(
                "Say whom to ask: --model NAME, and --endpoint URL or --write-prompts FOLDER.",
                key="no-endpoint",
            )
        if budget is not None and not price:
            raise IrjudgeError(
                "A budget needs prices: --price IN OUT, of a million tokens sent and written.",
                key="no-prices",
            )
        endpoint = parse_endpoint(url, key_from) if url and not output else None
        wish = AskOptions(
            model,
            find_prompt(prompt),
            name,
            repeats,
            only,
            longest,
            temperature,
            answer_tokens,
            schema,
            logprobs,
            endpoint.address if endpoint else "",
        )
        _go(
            file,
            wish,
            endpoint,
            output,
            RequestLimits(limit, budget, price or (0.0, 0.0), at_once, timeout),
            send,
            progress,
        )


def _go(
    project: Project,
    wish: AskOptions,
    endpoint: ChatEndpoint | None,
    folder: Path | None,
    limits: RequestLimits,
    send: bool,
    progress: Progress,
) -> None:
    """Write prompts to a folder, or say what asking takes and, where it is wished, ask."""
    if endpoint:
        check_allowed(project)
    check_judge(project, wish.judge())
    with AnswerFile(make_answers_path(project.path), project.path) as answers:
        if endpoint is None:
            if folder:
                count = write_prompts(project, wish, folder, answers, progress)
                tell(f"Wrote {format_count(count, 'prompt')} to {folder}.")
            return
        found = forecast_requests(project, wish, answers, limits.requests, progress)
        say(*describe_forecast(found, endpoint, wish, limits))
        if not send:
            say("Nothing was sent; --send asks.")
            return
        report = ask_model(project, wish, endpoint, answers, limits, progress, left=found.requests)
        _say_labels(report.labels)
        say(*filter(None, [report.stopped]))
        tell(
            f"Sent {format_count(report.requests, 'request')}; {format_count(report.open, 'question')} open."
        )
        if report.open and report.stopped:
            raise IrjudgeError("Not all was asked; the same command goes on where it stopped.")


def _say_labels(report: ImportReport) -> None:
    say(*report.remarks)
    tell(*report.done)
