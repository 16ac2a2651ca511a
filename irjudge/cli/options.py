"""Options, argument types, printing of tables, and progress bars for all commands."""

import functools
import stat
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast, get_args

import click
from click.core import ParameterSource

from irjudge.cli.streams import json_output, record_policy, say, to_stdout
from irjudge.errors import IrjudgeError
from irjudge.formats.bytes import (
    Address,
    copy_pipe,
    is_mistyped_address,
    parse_location,
    path_exists,
)
from irjudge.message import escape_control_characters
from irjudge.options import (
    Option,
    OptionField,
    build_options,
    check_conditions,
    declare_option,
    option_fields,
)
from irjudge.progress import SILENT, Progress
from irjudge.report import TABLE_FORMS, Cell, TableForm, write_table

if TYPE_CHECKING:
    from irjudge.evaluation import ResultTable

# Output of commands: format, tables and progress

Command = TypeVar("Command", bound=Callable[..., Any])


def format_option(*additional_formats: str) -> Callable[[Command], Command]:
    """Return a decorator that adds the option `--format`, with the given additional formats."""
    return click.option(
        "-f",
        "--format",
        "output_format",
        type=click.Choice([*TABLE_FORMS, *additional_formats]),
        default="text",
        show_default=True,
        help="Output format.",
    )


def _warn_of_cluster(
    _context: click.Context, _option: click.Parameter, where: str | None
) -> str | None:
    if where:
        from irjudge.stats import cluster_warning  # noqa: PLC0415 -- only needed for a cluster

        say(*filter(None, [cluster_warning(where)]))
    return where


def show(
    columns: Sequence[str],
    rows: Iterable[Sequence[Cell]],
    output_format: str,
    *,
    decimals: int = 4,
    for_spreadsheet: bool = False,
) -> None:
    """Print a table to stdout in an output format.

    If `for_spreadsheet` is set, CSV cells that look like formulas are escaped.
    """
    with json_output() if output_format == "json" else to_stdout() as stdout:
        write_table(
            columns,
            rows,
            cast(TableForm, output_format),
            stdout,
            decimals=decimals,
            for_spreadsheet=for_spreadsheet,
        )


def show_result(result: "ResultTable", output_format: str) -> None:
    """Print the table of a result to stdout, and the result's warnings and notes to stderr."""
    if result.policy:
        record_policy(result.policy)
    say(*result.warnings)
    show(result.columns, result.rows, output_format)
    say(*result.notes)


@contextmanager
def terminal_progress() -> Iterator[Progress]:
    """Yield a `Progress` that shows a bar on stderr, if stderr is a terminal."""
    if not sys.stderr.isatty():
        yield SILENT
        return
    from rich.console import Console  # noqa: PLC0415 -- only needed on a terminal
    from rich.markup import escape  # noqa: PLC0415
    from rich.progress import Progress as Bar  # noqa: PLC0415

    with Bar(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None)
        yield Progress(
            lambda done, total, what: bar.update(
                task,
                completed=done,
                total=total,
                description=escape(escape_control_characters(what)),
            )
        )


# Types of arguments for local files and object stores


def _require_local_path(location: Path, param: click.Parameter | None) -> Path:
    if isinstance(location, Address):
        raise IrjudgeError(
            "{address} is an address, but {argument} must be a local file.",
            address=str(location),
            argument=_describe_argument(param),
        )
    return location


def _describe_argument(param: click.Parameter | None) -> str:
    return param.human_readable_name if param else "the argument"


STDIN = Path("-")


def _copy_if_pipe(path: Path) -> Path:
    """Return the path from which to read an argument; `-` is standard input.

    A pipe is copied to a file, since the detection of the format reads its content repeatedly.
    """
    path = Path("/dev/stdin") if path == STDIN and not path.exists() else path
    try:
        is_fifo = stat.S_ISFIFO(path.stat().st_mode)
    except (OSError, ValueError):
        return path  # the error is reported when the file is read
    return copy_pipe(path) if is_fifo else path


class FileType(click.Path):
    """Click type of arguments that are a local path or a `file:` address.

    The value is a path. If `addresses` is set, an address in an object store, `-` for standard
    input, and a pipe are also accepted.
    """

    def __init__(self, *, addresses: bool = False, **checks: Any) -> None:
        super().__init__(path_type=Path, **checks)
        self._addresses = addresses

    def convert(self, value: Any, param: Any, context: Any) -> Any:
        """Convert an argument to a path or an address."""
        if value == "":  # `Path` would convert it to the current folder
            raise IrjudgeError(
                "The file name given for {argument} is empty; expected the name of a file.",
                key="empty-name",
                argument=_describe_argument(param),
            )
        location = parse_location(value) if isinstance(value, str) else value
        if isinstance(location, Address) and self._addresses:
            return location
        path = _require_local_path(location, param)
        if is_mistyped_address(str(path)) and not path_exists(path):
            raise IrjudgeError(
                "A file argument looks like an address with a password, but its scheme is not "
                "valid; expected an address such as https://HOST/PATH, or a file.",
                key="mistyped-address",
            )
        path = cast(Path, super().convert(path, param, context))
        return _copy_if_pipe(path) if self._addresses else path


class NameOrFileType(click.ParamType):  # type: ignore[type-arg]
    """Click type of arguments that are a name, a local path or a `file:` address.

    The value is a text. Addresses in an object store are rejected.
    """

    name = "text"

    def convert(self, value: str, param: Any, context: Any) -> str:  # noqa: ARG002 -- click's
        """Return a name or path unchanged, and the path of a `file:` address."""
        path = _require_local_path(parse_location(value), param)
        return value if path == Path(value) else str(path)


FILE = FileType()
NAME_OR_FILE = NameOrFileType()
# type of arguments for runs and qrels, which may be Parquet or Arrow IPC files in an object store
FILE_OR_ADDRESS = FileType(addresses=True)


# Command options that are declared in dataclasses


class NumberOrShareType(click.ParamType):  # type: ignore[type-arg]
    """Click type of options that are a whole number or a share; `5%` is converted to 0.05."""

    name = "number or share"

    def convert(
        self, value: str | float, param: click.Parameter | None, context: click.Context | None
    ) -> float:
        """Return a whole number or, for a share such as `5%`, a value below 1 such as 0.05."""
        text = str(value)
        try:
            number = float(text.removesuffix("%"))
        except ValueError:
            self.fail(f"{text!r} is neither a number nor a share such as 5%.", param, context)
        is_share = text.endswith("%")
        if not 0 <= number < (100 if is_share else 1e6) or (
            not is_share and not number.is_integer()
        ):
            self.fail(
                f"{text!r} is neither a whole number nor a share from 0% to below 100%.",
                param,
                context,
            )
        return number / 100 if is_share else number


# additional arguments of `click.option`, by kind of option
OPTION_SETTINGS_BY_KIND: dict[str, dict[str, Any]] = {
    "": {},
    "name or file": {"type": NAME_OR_FILE},
    "number or share": {"type": NumberOrShareType()},
    "topics": {"callback": lambda _context, _option, values: ",".join(values)},
    "cluster": {"callback": _warn_of_cluster},
}


def options_of(declaration: type, name: str = "options") -> Callable[[Command], Command]:
    """Return a decorator that adds the options of a dataclass to a command.

    The command receives an instance of the dataclass as the parameter `name`.
    """

    def add(command: Command) -> Command:
        @functools.wraps(command)
        def build(*args: Any, **values: Any) -> Any:
            group_values = {(*field.group, field.name): values.pop(field.name) for field in fields}
            options: Any = build_options(declaration, group_values)
            check_conditions(options, given_options())
            return command(*args, **values, **{name: options})

        fields, decorated_command = option_fields(declaration), cast(Command, build)
        for field in reversed(fields):
            decorated_command = _make_click_option(field)(decorated_command)
        return decorated_command

    return add


def option_of(annotation: Any, name: str, default: Any = None) -> Callable[[Command], Command]:
    """Return a decorator that adds to a command the option that an annotated type declares."""
    return _make_click_option(declare_option(annotation, name, default))


def given_options() -> frozenset[str]:
    """Return the names of the options on the command line, even if they have default values."""
    context = click.get_current_context()
    return frozenset(
        name
        for name in context.params
        if context.get_parameter_source(name) is not ParameterSource.DEFAULT
    )


def _make_click_option(declaration: OptionField) -> Callable[[Command], Command]:
    option, default = declaration.option, declaration.default
    settings: dict[str, Any] = {"help": option.help, "metavar": option.metavar}
    if option.required:
        settings["required"] = True
    elif declaration.repeated or option.kind == "topics":
        settings["multiple"] = True
    elif declaration.type is not bool or default is not False:
        settings["default"] = default
    if option.show_default or (
        option.show_default is None and default and not isinstance(default, (bool, tuple))
    ):
        settings["show_default"] = True
    if declaration.count > 1:
        settings["nargs"] = declaration.count
    flags = option.flags or (declaration.flag,)
    if declaration.type is bool and "/" not in flags[0]:
        settings["is_flag"] = True
    else:
        settings["type"] = _make_click_type(declaration, option)
    return click.option(
        *flags, declaration.name, **(settings | OPTION_SETTINGS_BY_KIND[option.kind])
    )


def _make_click_type(declaration: OptionField, option: Option) -> Any:
    if declaration.choices:
        return click.Choice(declaration.choices)
    if declaration.type in (int, float):
        low = option.minimum if option.above is None else option.above
        if low is None and option.maximum is None:
            return declaration.type
        range_type: Any = click.IntRange if declaration.type is int else click.FloatRange
        return range_type(low, option.maximum, min_open=option.above is not None)
    if declaration.type is Path:
        return FILE
    return FILE_OR_ADDRESS if Address in get_args(declaration.type) else None
