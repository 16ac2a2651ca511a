"""Command `irjudge`, and the table of its subcommands; a subcommand is loaded when it is used."""

import os
import sys
import traceback
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, wraps
from io import StringIO
from pathlib import Path
from typing import Any, NamedTuple, cast

import click

from irjudge.catalogue import extension_problems
from irjudge.cli.streams import (
    be_quiet,
    end_json,
    hide_secrets,
    leave_stdout,
    prepare_streams,
    say,
    say_error,
    tell,
    to_stdout,
    warn_of_escaping,
)
from irjudge.errors import GateFailed, IrjudgeError, convert_os_error
from irjudge.formats.bytes import check_overwrite, protect_files
from irjudge.shipped import load_modules, release_version


class Entry(NamedTuple):
    """Entry of the table of commands: function of a command, and its summary.

    The summary is repeated in the table, so that `irjudge --help` loads no command.
    """

    name: str  # module:function, such as `irjudge.cli.search:search_command`
    summary: str


COMMANDS = {
    "sample": Entry(
        "irjudge.cli.projects:sample_command", "Create a project from a sample collection."
    ),
    "new": Entry(
        "irjudge.cli.projects:new_command",
        "Create a project from documents, topics, runs and qrels.",
    ),
    "import": Entry("irjudge.cli.projects:import_command", "Add files to a project."),
    "fields": Entry(
        "irjudge.cli.projects:fields_command",
        "List or choose the document fields that assessors see.",
    ),
    "remove-run": Entry("irjudge.cli.projects:remove_run_command", "Remove a run from a project."),
    "open": Entry("irjudge.cli.desktop:open_command", "Open a project in the window."),
    "answers": Entry(
        "irjudge.cli.projects:answers_command", "Create a project for judging answers of systems."
    ),
    "search": Entry(
        "irjudge.cli.search:search_command", "Search the documents of a project and save the run."
    ),
    "rankers": Entry("irjudge.cli.search:rankers_command", "List ranking and fusion methods."),
    "fuse": Entry("irjudge.cli.search:fuse_command", "Fuse several runs into one."),
    "certificate": Entry(
        "irjudge.cli.search:certificate_command", "Certify recall with a random sample."
    ),
    "duplicates": Entry("irjudge.cli.search:duplicates_command", "List near-duplicate documents."),
    "pool": Entry("irjudge.cli.pools:pool_command", "Build a pool from runs."),
    "strategies": Entry(
        "irjudge.cli.pools:strategies_command", "List pooling strategies and presets."
    ),
    "qrels": Entry("irjudge.cli.projects:qrels_command", "Print the qrels of a project."),
    "export": Entry("irjudge.cli.export:export_command", "Export a part of a project."),
    "assign": Entry(
        "irjudge.cli.assignments:assign_command", "Assign the pool to assessors, one file each."
    ),
    "costs": Entry("irjudge.cli.assignments:costs_command", "Set the judging costs of a project."),
    "paper": Entry(
        "irjudge.cli.export:paper_command",
        "Write a booklet for judging on paper, or enter one.",
    ),
    "merge": Entry(
        "irjudge.cli.assignments:merge_command", "Import returned files or a server's database."
    ),
    "status": Entry("irjudge.cli.assignments:status_command", "Print the progress of a project."),
    "serve": Entry("irjudge.cli.serve:serve_command", "Run a judging session in browsers."),
    "lead": Entry("irjudge.cli.lead:lead_command", "Lead the session of a server."),
    "participant": Entry(
        "irjudge.cli.participants:participant_command", "Show or change participants of sessions."
    ),
    "exclude": Entry(
        "irjudge.cli.assignments:exclude_command", "Exclude the judgments of an assessor."
    ),
    "agreement": Entry(
        "irjudge.cli.judgments:agreement_command", "Measure the agreement of assessors."
    ),
    "consensus": Entry(
        "irjudge.cli.judgments:consensus_command",
        "Resolve several grades of an item into one.",
    ),
    "ask": Entry("irjudge.cli.ask:ask_command", "Ask a model to grade the pool."),
    "audit": Entry(
        "irjudge.cli.audit:audit_command",
        "Compare a model's labels with human judgments.",
    ),
    "verify": Entry("irjudge.cli.projects:verify_command", "Check a project for damage."),
    "receipt": Entry("irjudge.cli.projects:receipt_command", "Print the receipt of a file."),
    "rescue": Entry(
        "irjudge.cli.projects:rescue_command", "Save what can be read of a damaged project."
    ),
    "evaluate": Entry("irjudge.cli.evaluate:evaluate_command", "Evaluate runs."),
    "history": Entry(
        "irjudge.cli.comparison:history_command", "List or compare stored evaluations."
    ),
    "convert": Entry(
        "irjudge.cli.export:convert_command", "Convert runs to Parquet for fast evaluation."
    ),
    "compare": Entry("irjudge.cli.comparison:compare_command", "Compare runs topic by topic."),
    "correlate": Entry(
        "irjudge.cli.comparison:correlate_command", "Correlate two rankings, or system rankings."
    ),
    "explain": Entry("irjudge.cli.evaluate:explain_command", "Explain a value step by step."),
    "exercise": Entry(
        "irjudge.cli.exercise:exercise_command", "Show an exercise, or check an answer."
    ),
    "bounds": Entry(
        "irjudge.cli.comparison:bounds_command", "Print bounds for incomplete judgments."
    ),
    "estimate": Entry("irjudge.cli.pools:estimate_command", "Estimate values from a sampled pool."),
    "reusability": Entry(
        "irjudge.cli.pools:reusability_command", "Test whether the pool is fair to new runs."
    ),
    "report": Entry(
        "irjudge.cli.report:report_command", "Write a report: workbook, web page, tables."
    ),
    "figure": Entry("irjudge.cli.figure:figure_command", "Draw a figure."),
    "measures": Entry(
        "irjudge.cli.evaluate:measures_command", "List the measures, or explain one."
    ),
    "user": Entry(
        "irjudge.cli.evaluate:user_command", "Evaluate runs for a user who knows some documents."
    ),
    "online": Entry("irjudge.cli.logs:online_command", "Compute click measures of search logs."),
    "clicks": Entry("irjudge.cli.logs:clicks_command", "Estimate relevance from clicks."),
    "interleaving": Entry(
        "irjudge.cli.logs:interleaving_command", "Evaluate interleaved searches."
    ),
    "preferences": Entry(
        "irjudge.cli.judgments:preferences_command", "Analyse side-by-side preferences."
    ),
    "desktop": Entry(
        "irjudge.cli.desktop:desktop_command", "Add irjudge to the menu of a Linux desktop."
    ),
    "doctor": Entry(
        "irjudge.cli.desktop:doctor_command",
        "Print information about this computer for bug reports.",
    ),
}
FORMER_NAMES = {"set-aside": "exclude", "person": "participant", "price": "costs"}
OUTPUT_PARAMETER = "output"  # name of the parameter for the output file, the same in all commands
# extensions of project files; an argument with one of these extensions is a file name, even if the
# file does not exist
PROJECT_FILE_SUFFIXES = (".irjudge", ".irtask")
USAGE_ERROR, INTERNAL_ERROR, CHECK_FAILED = 2, 1, 3
# NumPy uses one thread, since starting its threads takes a tenth of the start-up time. Worker
# processes have the same setting, so that their results are identical.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


class Commands(click.Group):
    """Click group of all commands; a command is loaded when it is used.

    If a file name is given instead of a command, the command `open` opens the file in the window.
    Former names of commands are accepted. OS errors are converted to IrjudgeError.
    """

    def list_commands(self, _context: click.Context) -> list[str]:
        """Return the names of the commands, in the order of `COMMANDS`."""
        return list(COMMANDS)

    def get_command(self, _context: click.Context, name: str) -> click.Command | None:
        """Load and return the command named `name`; return None if there is none."""
        return _load_command(name) if name in COMMANDS else None

    def format_commands(self, _context: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands with their summaries."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, entry.summary) for name, entry in COMMANDS.items()])

    def invoke(self, context: click.Context) -> Any:
        """Run a command; ignore a closed pipe, and convert other OS errors to IrjudgeError."""
        try:
            result = super().invoke(context)
            with to_stdout():
                sys.stdout.flush()
        except BrokenPipeError:
            leave_stdout()
            return 0
        except OSError as error:
            raise convert_os_error(error) from error
        return result

    def make_context(self, *args: Any, **extra: Any) -> click.Context:
        """Parse the command line; exit with code 0 if the output is closed while printing help."""
        try:
            with to_stdout():
                return super().make_context(*args, **extra)
        except BrokenPipeError:
            leave_stdout()
            raise click.exceptions.Exit(0) from None

    def resolve_command(
        self, context: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Accept former names of commands, and treat a file name as the argument of `open`."""
        if args:
            args = [FORMER_NAMES.get(args[0], args[0]), *args[1:]]
        if (
            args
            and args[0] not in COMMANDS
            and (Path(args[0]).is_file() or Path(args[0]).suffix in PROJECT_FILE_SUFFIXES)
        ):
            args = ["open", *args]
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            context.fail(_describe_unknown_command(args[0]))
        return super().resolve_command(context, args)


# names of similar commands in other programs, with the command of irjudge
COMMANDS_OF_OTHER_PROGRAMS = {
    "eval": "evaluate",
    "init": "new",
    "create": "new",
    "add": "import",
    "judge": "open",
    "kappa": "agreement",
    "diff": "compare",
    "ttest": "compare",
    "plot": "figure",
    "pooling": "pool",
    "metrics": "measures",
    "merge-runs": "fuse",
}


def _describe_unknown_command(name: str) -> str:
    from difflib import get_close_matches  # noqa: PLC0415 -- only for an error

    lower_name = name.lower()
    similar_names = (
        [COMMANDS_OF_OTHER_PROGRAMS[lower_name]] if lower_name in COMMANDS_OF_OTHER_PROGRAMS else []
    )
    similar_names += [
        match for match in get_close_matches(lower_name, COMMANDS, 3) if match not in similar_names
    ]
    default_message = f"No such command '{name}'."
    if not similar_names:
        return f"{default_message} `irjudge --help` lists the commands."
    return f"{default_message} Did you mean {' or '.join(similar_names)}?"


@cache
def _load_command(name: str) -> click.Command:
    """Load a command; add checks that it does not overwrite a project or an input file."""
    module, attribute = COMMANDS[name].name.split(":")
    command: click.Command = getattr(load_modules(module), attribute)
    command_function = cast(Callable[..., Any], command.callback)

    @wraps(command_function)
    def run_protected(*args: Any, **values: Any) -> Any:
        with protect_files(
            _iter_paths(value for name, value in values.items() if name != OUTPUT_PARAMETER)
        ):
            if isinstance(output := values.get(OUTPUT_PARAMETER), Path):
                # only the rules for appending are checked here; the rules for replacing are checked
                # when the file is written
                check_overwrite(output, is_append=True)
            return command_function(*args, **values)

    command.callback = run_protected
    command.params.append(_make_quiet_option())
    return command


def _make_quiet_option() -> click.Option:
    def set_quiet(_context: click.Context, _option: click.Parameter, is_quiet: bool) -> None:
        if is_quiet:
            be_quiet()

    return click.Option(
        ["--quiet"],
        is_flag=True,
        is_eager=True,
        expose_value=False,
        callback=set_quiet,
        help="Print no messages, only results and errors.",
    )


def _iter_paths(values: Iterable[Any]) -> Iterator[Path]:
    """Yield as paths the values of options and arguments that may be file names."""
    for value in values:
        if isinstance(value, (str, Path)):
            yield Path(value)
        elif isinstance(value, tuple):
            yield from _iter_paths(value)


def _print_release(context: click.Context, _option: click.Parameter, is_requested: bool) -> None:
    if is_requested and not context.resilient_parsing:
        tell(release_version())
        context.exit()


VERSION_HELP = "Print the version and its release or commit."


@click.group(
    cls=Commands,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_print_release,
    help=VERSION_HELP,
)
@click.pass_context
def irjudge(context: click.Context) -> None:
    """Judge search results and evaluate rankings. Without a command, irjudge opens its window."""
    if context.invoked_subcommand is None:
        from irjudge.cli.desktop import open_window  # noqa: PLC0415 -- only needed without a command

        open_window()


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command line; return 0, or 1 for a bug, 2 for wrong input, 3 for failed checks."""
    prepare_streams()
    hide_secrets(sys.argv[1:] if arguments is None else arguments)
    code = _run(arguments)
    try:
        end_json()
        with to_stdout():
            sys.stdout.flush()
    except BrokenPipeError:
        leave_stdout()
    except IrjudgeError as error:
        say_error(f"irjudge: {error}")
        return USAGE_ERROR
    finally:
        say(*extension_problems())
        warn_of_escaping()
    return code


def _run(arguments: Sequence[str] | None) -> int:
    try:
        return int(irjudge.main(args=arguments, prog_name="irjudge", standalone_mode=False) or 0)
    except click.exceptions.Abort:
        say_error("Cancelled.")
        return USAGE_ERROR
    except click.ClickException as error:
        output = StringIO()
        error.show(output)
        say_error(*output.getvalue().rstrip("\n").split("\n"))
        return USAGE_ERROR
    except IrjudgeError as error:
        say(*getattr(error, "__notes__", ()))
        say_error(f"irjudge: {error}")
        return CHECK_FAILED if isinstance(error, GateFailed) else USAGE_ERROR
    except Exception:  # noqa: BLE001 -- reports internal errors
        say_error(
            "An error occurred in irjudge. Please report it with these lines and the output of `irjudge doctor`:",
            release_version(),
        )
        say_error(*traceback.format_exc().split("\n"))
        return INTERNAL_ERROR
