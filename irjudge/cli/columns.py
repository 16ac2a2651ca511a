"""Options for the columns and grades of tables."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from irjudge.errors import IrjudgeError
from irjudge.formats.rankings import GradeRules, ReadingRequest
from irjudge.formats.rows import AS_RECOGNISED, ColumnMapping

if TYPE_CHECKING:
    from irjudge.formats import FileKind

READ: tuple["FileKind", ...] = ("qrels", "runs")


@dataclass(frozen=True, slots=True)
class FileColumns:
    """Column mappings of a command's qrels and runs, and grade rules for the qrels."""

    qrels: ColumnMapping = AS_RECOGNISED
    runs: ColumnMapping = AS_RECOGNISED
    grades: GradeRules | None = None  # conversion of ratings to grades
    encoding: str | None = None  # encoding of text; detected if None

    def of_files(self, path: Path) -> None:
        """Reject column and grade options for projects."""
        if self.qrels.sheet or self.runs.sheet:
            raise IrjudgeError("{path} is a project; --sheet is for spreadsheets.", path=path.name)
        if self.qrels or self.runs:
            raise IrjudgeError(
                "{path} is a project; --columns is for files.",
                path=path.name,
            )
        if self.encoding:
            raise IrjudgeError(
                "{path} is a project, whose texts have no encoding to choose; --encoding is for files.",
                path=path.name,
            )
        if self.grades:
            raise IrjudgeError(
                "{path} is a project, whose grades are those of its scale; --grades, --gains and --cuts are for files.",
                path=path.name,
            )


AS_NAMED = FileColumns()


def file_columns(reading: ReadingRequest) -> FileColumns:
    """Return the columns and grades given in the options of a command."""
    return FileColumns(
        **columns_by_kind(READ, reading.columns, reading.sheets),
        grades=reading.rules(),
        encoding=reading.encoding,
    )


def columns_by_kind(
    kinds: Collection["FileKind"], mappings: Sequence[str], sheets: Sequence[str] = ()
) -> "dict[FileKind, ColumnMapping]":
    """Return the column mapping and sheet for each kind of file, which is named by a prefix or is
    the only kind with these parts.
    """
    named = _mappings_by_kind(kinds, mappings) if mappings else {}
    for kind, sheet in _sheets_by_kind(kinds, sheets).items():
        named[kind] = replace(named.get(kind, AS_RECOGNISED), sheet=sheet)
    return named


def _sheets_by_kind(kinds: Collection["FileKind"], sheets: Sequence[str]) -> "dict[FileKind, str]":
    """Return the sheet for each kind of file; a sheet without a kind applies to all others."""
    named: dict[FileKind, str] = {}
    for given in sheets:
        front, sign, name = given.partition(":")  # sheet names contain no colon
        kind = next((each for each in kinds if sign and each == front.strip()), None)
        name = (name if sign else given).strip()
        if not name or (sign and kind is None):
            raise IrjudgeError(
                '--sheet "{given}" does not name a sheet of these files; expected the name '
                "of a sheet, or {choices} before it.",
                key="no-sheet-of-kind",
                given=given,
                choices=" or ".join(f"{each}:" for each in kinds),
            )
        for each in (
            [kind] if kind else [each for each in kinds if f"{each}:" not in _fronts(sheets)]
        ):
            if each in named:
                raise IrjudgeError(
                    "--sheet is given twice for {kind}; expected one name.",
                    key="sheet-twice",
                    kind=each,
                )
            named[each] = name
    return named


def _fronts(sheets: Sequence[str]) -> set[str]:
    return {f"{given.partition(':')[0].strip()}:" for given in sheets if ":" in given}


def _mappings_by_kind(
    kinds: Collection["FileKind"], mappings: Sequence[str]
) -> "dict[FileKind, ColumnMapping]":
    from irjudge.formats import PARTS, parse_file_columns  # noqa: PLC0415 -- slow

    named: dict[FileKind, ColumnMapping] = {}
    for mapping in mappings:
        front, sign, pairs = mapping.partition(":")
        if not sign or front.strip() not in PARTS:  # a column name may contain a colon
            front, pairs = _only_kind(kinds, mapping), mapping
        kind = next((kind for kind in kinds if kind == front.strip()), None)
        if kind is None:
            choices = " or ".join(f"{each}:" for each in kinds)
            raise IrjudgeError(
                '--columns "{words}" does not say which files it applies to; expected '
                "{choices} before it.",
                words=mapping,
                choices=choices or "files to read",
            )
        if kind in named:
            raise IrjudgeError(
                "--columns is given twice for {kind}; give all pairs in one option, "
                "separated by commas.",
                kind=kind,
            )
        named[kind] = parse_file_columns(kind, pairs)
    return named


def _only_kind(kinds: Collection["FileKind"], pairs: str) -> str:
    """Return the only kind of file, or the only one that has all of the parts; empty if there are
    several.
    """
    from irjudge.formats import ALIASES, PARTS  # noqa: PLC0415

    parts = {pair.partition("=")[0].strip() for pair in pairs.split(",")}
    fitting = [kind for kind in kinds if parts <= {*PARTS[kind], *ALIASES.get(kind, ())}]
    if len(kinds) == 1:
        return next(iter(kinds))
    if len(fitting) == 1:
        return fitting[0]
    return ""
