"""The option that says which columns of tables hold what, and which kind of files its words are about."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import click

from irjudge.errors import IrjudgeError
from irjudge.formats.decisions import ALIASES, PARTS, FileKind, columns_of
from irjudge.formats.rows.mapping import AS_RECOGNISED, ColumnMapping

Command = TypeVar("Command", bound=Callable[..., Any])
READ: tuple[FileKind, ...] = ("qrels", "runs")


@dataclass(frozen=True, slots=True)
class FileColumns:
    """What was said of the columns of qrels and of runs that a command reads."""

    qrels: ColumnMapping = AS_RECOGNISED
    runs: ColumnMapping = AS_RECOGNISED

    def of_files(self, path: Path) -> None:
        """Refuse what was said where a project is read."""
        if self.qrels or self.runs:
            raise IrjudgeError(f"{path.name} is a project, which is not read by columns; --columns is for files.")


AS_NAMED = FileColumns()
SAID_COLUMNS = "columns as they were said"  # of a command's context


def columns_option() -> Callable[[Command], Command]:
    """Return the option that says which columns of qrels and runs hold what; the command takes `FileColumns`."""
    words = (
        'Which columns of tables hold what, where their names do not tell, by name or number: "grade=stars" of qrels, "score=x" of runs; '
        '"qrels:document=page" or "runs:document=page" where it may be of either. May be repeated.'
    )
    return click.option("--columns", multiple=True, metavar="[KIND:]PART=COLUMN,...", callback=_read, help=words)


def _read(context: click.Context, _option: click.Parameter, said: Sequence[str]) -> FileColumns:
    context.meta[SAID_COLUMNS] = said
    return FileColumns(**columns_by_kind(READ, said))


def columns_by_kind(kinds: Collection[FileKind], said: Sequence[str]) -> dict[FileKind, ColumnMapping]:
    """Return the columns that were named of each kind of files: the kind stands in front, or is the only one that has these parts."""
    named: dict[FileKind, ColumnMapping] = {}
    for words in said:
        front, sign, pairs = words.partition(":")
        if not sign or front.strip() not in PARTS:  # a column's name may hold a colon
            front, pairs = _only_kind(kinds, words), words
        kind = next((kind for kind in kinds if kind == front.strip()), None)
        if kind is None:
            choices = " or ".join(f"{each}:" for each in kinds)
            raise IrjudgeError(f'--columns "{words}" does not say of which files; expected {choices or "files to read"} in front.')
        if kind in named:
            raise IrjudgeError(f"--columns names the columns of {kind} twice; expected all pairs in one, with commas between.")
        named[kind] = columns_of(kind, pairs)
    return named


def _only_kind(kinds: Collection[FileKind], pairs: str) -> str:
    """Return the only kind of files, or the only one that has all of the parts; nothing where several have."""
    parts = {pair.partition("=")[0].strip() for pair in pairs.split(",")}
    fitting = [kind for kind in kinds if parts <= {*PARTS[kind], *ALIASES.get(kind, ())}]
    if len(kinds) == 1:
        return next(iter(kinds))
    if len(fitting) == 1:
        return fitting[0]
    return ""
