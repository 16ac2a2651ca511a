"""The `irjudge` command: without words it opens the window, with a file it opens that file."""

import os
import sys
import traceback
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, wraps
from importlib.util import find_spec
from io import StringIO
from pathlib import Path
from types import CodeType
from typing import Any, cast

import click

from irjudge.catalogue import troubles
from irjudge.cli.shared.streams import (
    leave_stdout,
    prepare_streams,
    say,
    say_spelt,
    tell,
    to_stdout,
)
from irjudge.errors import GateFailed, IrjudgeError
from irjudge.formats.bytes.atomic_write import spare, sparing
from irjudge.shipped import load, release

# Where each command is declared; its module is loaded when it is called, and for no list of commands: `--help` answers at once.
COMMANDS = {
    "sample": "irjudge.cli.projects:sample_command",
    "new": "irjudge.cli.projects:new_command",
    "import": "irjudge.cli.projects:import_command",
    "fields": "irjudge.cli.projects:fields_command",
    "remove-run": "irjudge.cli.projects:remove_run_command",
    "open": "irjudge.cli.launch:open_command",
    "answers": "irjudge.cli.answers:answers_command",
    "search": "irjudge.cli.search:search_command",
    "rankers": "irjudge.cli.search:rankers_command",
    "fuse": "irjudge.cli.search:fuse_command",
    "certificate": "irjudge.cli.search:certificate_command",
    "duplicates": "irjudge.cli.duplicates:duplicates_command",
    "pool": "irjudge.cli.pools:pool_command",
    "strategies": "irjudge.cli.pools:strategies_command",
    "qrels": "irjudge.cli.projects:qrels_command",
    "export": "irjudge.cli.export:export_command",
    "assign": "irjudge.cli.assignments:assign_command",
    "price": "irjudge.cli.assignments:price_command",
    "paper": "irjudge.cli.sessions.paper:paper_command",
    "merge": "irjudge.cli.assignments:merge_command",
    "status": "irjudge.cli.assignments:status_command",
    "serve": "irjudge.cli.sessions.serve:serve_command",
    "lead": "irjudge.cli.sessions.lead:lead_command",
    "person": "irjudge.cli.sessions.people:person_command",
    "set-aside": "irjudge.cli.assignments:set_aside_command",
    "agreement": "irjudge.cli.judges.agreement:agreement_command",
    "consensus": "irjudge.cli.judges.agreement:consensus_command",
    "ask": "irjudge.cli.judges.ask:ask_command",
    "audit": "irjudge.cli.judges.audit:audit_command",
    "verify": "irjudge.cli.projects:verify_command",
    "receipt": "irjudge.cli.projects:receipt_command",
    "rescue": "irjudge.cli.projects:rescue_command",
    "evaluate": "irjudge.cli.evaluate:evaluate_command",
    "history": "irjudge.cli.comparison:history_command",
    "convert": "irjudge.cli.export:convert_command",
    "compare": "irjudge.cli.comparison:compare_command",
    "correlate": "irjudge.cli.comparison:correlate_command",
    "explain": "irjudge.cli.evaluate:explain_command",
    "exercise": "irjudge.cli.exercise:exercise_command",
    "bounds": "irjudge.cli.bounds:bounds_command",
    "estimate": "irjudge.cli.pools:estimate_command",
    "reusability": "irjudge.cli.pools:reusability_command",
    "report": "irjudge.cli.report:report_command",
    "figure": "irjudge.cli.figure:figure_command",
    "measures": "irjudge.cli.evaluate:measures_command",
    "user": "irjudge.cli.evaluate:user_command",
    "online": "irjudge.cli.online:online_command",
    "clicks": "irjudge.cli.online:clicks_command",
    "interleaving": "irjudge.cli.online:interleaving_command",
    "preferences": "irjudge.cli.preferences:preferences_command",
    "desktop": "irjudge.cli.desktop:desktop_command",
    "doctor": "irjudge.cli.doctor:doctor_command",
}
OUTPUT = "output"  # what every command calls the file it writes
SUFFIXES = (".irjudge", ".irtask")  # meant as files, even where there is none
WRONG, FAULT, FAILED = 2, 1, 3
# The threads that numpy begins with take a tenth of a start; workers of a cluster have none either, and the same bits.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


class Commands(click.Group):
    """Loads a command when it is asked for; a file's name alone opens the file."""

    def list_commands(self, _context: click.Context) -> list[str]:
        """Return the names in the order in which a person meets them."""
        return list(COMMANDS)

    def get_command(self, _context: click.Context, name: str) -> click.Command | None:
        """Return a command; None when there is none of that name."""
        return _loaded(name) if name in COMMANDS else None

    def format_commands(self, _context: click.Context, formatter: click.HelpFormatter) -> None:
        """Write each command with what it does in few words."""
        limit = formatter.width - 6 - max(map(len, COMMANDS))  # as click has it
        with formatter.section("Commands"):
            formatter.write_dl(
                [
                    (name, click.Command(name, help=described(name)).get_short_help_str(limit))
                    for name in COMMANDS
                ]
            )

    def invoke(self, context: click.Context) -> Any:
        """Run a command; whoever reads its output may stop reading, and the disk it goes to may be full."""
        try:
            result = super().invoke(context)
            with to_stdout():
                sys.stdout.flush()
        except BrokenPipeError:
            leave_stdout()
            return 0
        except OSError as fault:
            what = (
                f"{fault.filename} cannot be used"
                if fault.filename
                else "The input could not be read"
            )
            raise IrjudgeError(
                "{what}: {strerror}.", what=what, strerror=fault.strerror or fault
            ) from fault
        return result

    def make_context(self, *args: Any, **more: Any) -> click.Context:
        """Read the command line; whoever asked for help may stop reading it."""
        try:
            with to_stdout():
                return super().make_context(*args, **more)
        except BrokenPipeError:
            leave_stdout()
            raise click.exceptions.Exit(0) from None

    def resolve_command(
        self, context: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Take a file's name for `open`."""
        if (
            args
            and args[0] not in COMMANDS
            and (Path(args[0]).is_file() or Path(args[0]).suffix in SUFFIXES)
        ):
            args = ["open", *args]
        return super().resolve_command(context, args)


def described(name: str) -> str | None:
    """Return what a command says of itself, out of its compiled module, which is not run: its libraries take a second to load."""
    module, attribute = COMMANDS[name].split(":")
    code = find_spec(module).loader.get_code(module)  # type: ignore[union-attr]
    function = next(
        each for each in code.co_consts if isinstance(each, CodeType) and each.co_name == attribute
    )
    words = function.co_consts[0]  # where Python keeps it
    return words if isinstance(words, str) else None


@cache
def _loaded(name: str) -> click.Command:
    """Return a command that refuses, before its work, to write over a project or over what it reads."""
    module, attribute = COMMANDS[name].split(":")
    command: click.Command = getattr(load(module), attribute)
    work = cast(Callable[..., Any], command.callback)

    @wraps(work)
    def careful(*args: Any, **values: Any) -> Any:
        with sparing(_paths(value for name, value in values.items() if name != OUTPUT)):
            if isinstance(output := values.get(OUTPUT), Path):
                spare(output, adding=True)  # where a file is replaced, more is refused
            return work(*args, **values)

    command.callback = careful
    return command


def _paths(values: Iterable[Any]) -> Iterator[Path]:
    """Yield whatever may be the name of a file among the values of options and arguments."""
    for value in values:
        if isinstance(value, (str, Path)):
            yield Path(value)
        elif isinstance(value, tuple):
            yield from _paths(value)


def _say_release(context: click.Context, _option: click.Parameter, asked: bool) -> None:
    if asked and not context.resilient_parsing:
        tell(release())
        context.exit()


VERSION_HELP = "Print the version, and the release or commit it was made from."


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
    callback=_say_release,
    help=VERSION_HELP,
)
@click.pass_context
def irjudge(context: click.Context) -> None:
    """Judge search results and evaluate rankings. Without a command it opens the window."""
    if context.invoked_subcommand is None:
        from irjudge.cli.launch import open_window  # noqa: PLC0415 -- only needed without a command

        open_window()


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code: 0, 2 for wrong usage or input, 1 for a fault of ours, 3 for values that fail."""
    prepare_streams()
    try:
        return int(irjudge.main(args=arguments, prog_name="irjudge", standalone_mode=False) or 0)
    except click.exceptions.Abort:
        say("Cancelled.")
        return WRONG
    except click.ClickException as fault:
        shown = StringIO()
        fault.show(shown)
        say(*shown.getvalue().rstrip("\n").split("\n"))
        return WRONG
    except IrjudgeError as fault:
        say(f"irjudge: {fault}")
        return FAILED if isinstance(fault, GateFailed) else WRONG
    except Exception:  # noqa: BLE001 -- the last place where a fault of ours can be said
        say(
            "irjudge has a fault. Please report it with these lines and what `irjudge doctor` prints:",
            release(),
        )
        say(*traceback.format_exc().split("\n"))
        return FAULT
    finally:
        say(*troubles())
        say_spelt()
