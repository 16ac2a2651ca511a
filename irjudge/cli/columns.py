"""Options for the columns and grades of tables."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from irjudge.errors import IrjudgeError
from irjudge.formats.rankings import NEGATIVES, parse_grades
from irjudge.formats.rows import AS_RECOGNISED, ColumnMapping

if TYPE_CHECKING:
    from irjudge.evaluation import ReadingRequest
    from irjudge.formats import FileKind

Command = TypeVar("Command", bound=Callable[..., Any])
READ: tuple["FileKind", ...] = ("qrels", "runs")


@dataclass(frozen=True, slots=True)
class FileColumns:
    """What was said of the columns of qrels and of runs that a command reads, and of the grades in qrels."""

    qrels: ColumnMapping = AS_RECOGNISED
    runs: ColumnMapping = AS_RECOGNISED
    grades: Mapping[float, int] | None = None  # which grade becomes which

    def of_files(self, path: Path) -> None:
        """Refuse what was said where a project is read."""
        if self.qrels or self.runs:
            raise IrjudgeError(
                "{path} is a project, which is not read by columns; --columns is for files.",
                path=path.name,
            )
        if self.grades:
            raise IrjudgeError(
                "{path} is a project, whose grades are those of its scale; --grades is for files.",
                path=path.name,
            )


AS_NAMED = FileColumns()


def file_columns(reading: "ReadingRequest") -> FileColumns:
    """Return the columns and grades that the options of a command name."""
    return FileColumns(
        **columns_by_kind(READ, reading.columns),
        grades=parse_grades(reading.grades) if reading.grades else None,
    )


# Of a command's context
SAID_COLUMNS, SAID_GRADES = "columns as they were said", "grades as they were said"


def columns_option() -> Callable[[Command], Command]:
    """Return the option that says which columns of qrels and runs hold what; the command takes `FileColumns`."""
    words = (
        'Which columns of tables hold what, where their names do not tell, by name or number: "grade=stars" of qrels, "score=x" of runs; '
        '"qrels:document=page" or "runs:document=page" where it may be of either. May be repeated.'
    )
    return click.option(
        "--columns", multiple=True, metavar="[KIND:]PART=COLUMN,...", callback=_read, help=words
    )


def negative_option() -> Callable[[Command], Command]:
    """Return the option that says what negative grades mean."""
    words = "What negative grades in qrels mean; otherwise -1 is unjudged and -2 unjudgeable."
    return click.option("--negative", type=click.Choice(NEGATIVES), help=words)


def grades_options() -> Callable[[Command], Command]:
    """Return that option and the one that says what other grades become, which `FileColumns` has."""
    words = 'What the grades in qrels become, such as "1:4,2:3,-1:0" or "0.5:1,1:2".'
    # It is read before --columns, whose object takes it on.
    turning = click.option(
        "--grades",
        metavar="OLD:NEW,...",
        is_eager=True,
        expose_value=False,
        callback=_keep_grades,
        help=words,
    )
    return lambda command: negative_option()(turning(command))


def _keep_grades(context: click.Context, _option: click.Parameter, said: str | None) -> None:
    if said:
        context.meta[SAID_GRADES] = said


def _read(context: click.Context, _option: click.Parameter, said: Sequence[str]) -> FileColumns:
    context.meta[SAID_COLUMNS] = said
    return FileColumns(**columns_by_kind(READ, said), grades=grades_said())


def grades_said() -> Mapping[float, int] | None:
    """Return which grade becomes which, as the command that runs was told; None where nothing was said."""
    said = click.get_current_context().meta.get(SAID_GRADES)
    return parse_grades(said) if said else None


def columns_by_kind(
    kinds: Collection["FileKind"], said: Sequence[str]
) -> "dict[FileKind, ColumnMapping]":
    """Return the columns that were named of each kind of files: the kind stands in front, or is the only one that has these parts."""
    if not said:
        return {}
    from irjudge.formats import PARTS, parse_file_columns  # noqa: PLC0415 -- it knows all readers, which few commands need

    named: dict[FileKind, ColumnMapping] = {}
    for words in said:
        front, sign, pairs = words.partition(":")
        if not sign or front.strip() not in PARTS:  # a column's name may hold a colon
            front, pairs = _only_kind(kinds, words), words
        kind = next((kind for kind in kinds if kind == front.strip()), None)
        if kind is None:
            choices = " or ".join(f"{each}:" for each in kinds)
            raise IrjudgeError(
                '--columns "{words}" does not say of which files; expected {choices} in front.',
                words=words,
                choices=choices or "files to read",
            )
        if kind in named:
            raise IrjudgeError(
                "--columns names the columns of {kind} twice; expected all pairs in one, with commas "
                "between.",
                kind=kind,
            )
        named[kind] = parse_file_columns(kind, pairs)
    return named


def _only_kind(kinds: Collection["FileKind"], pairs: str) -> str:
    """Return the only kind of files, or the only one that has all of the parts; nothing where several have."""
    from irjudge.formats import ALIASES, PARTS  # noqa: PLC0415

    parts = {pair.partition("=")[0].strip() for pair in pairs.split(",")}
    fitting = [kind for kind in kinds if parts <= {*PARTS[kind], *ALIASES.get(kind, ())}]
    if len(kinds) == 1:
        return next(iter(kinds))
    if len(fitting) == 1:
        return fitting[0]
    return ""
