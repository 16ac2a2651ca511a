"""Options for reading qrels and runs, and a reader that applies them."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from irjudge.errors import IrjudgeError
from irjudge.formats.rankings.grade_rules import GradeRules
from irjudge.formats.rankings.qrels import GradesRequest, Negative, read_qrels
from irjudge.formats.rankings.runs import choose_distinct_run_names, expand_run_folders, read_run
from irjudge.formats.rows import AS_RECOGNISED, ColumnMapping
from irjudge.message import Message, join_choices
from irjudge.model import Qrels, Run, with_query_ids
from irjudge.options import Option

if TYPE_CHECKING:
    from irjudge.formats.file_preview import FileKind, ReadingOptions

RANKING_KINDS: tuple["FileKind", ...] = ("qrels", "runs")

ColumnsOption = Annotated[
    tuple[str, ...],
    Option(
        "Map columns whose names are not recognised, by name or number: "
        '"grade=stars" for qrels, "score=x" for runs; "qrels:document=page" or '
        '"runs:document=page" if both kinds of files have such a column. May be repeated.',
        metavar="[KIND:]PART=COLUMN,...",
    ),
]

SheetOption = Annotated[
    tuple[str, ...],
    Option(
        "Sheet to read in spreadsheets. Default: the first sheet with the required columns. "
        '"qrels:Grades" or "runs:Ranking" applies to one kind of file. May be repeated.',
        flags=("--sheet",),
        metavar="[KIND:]NAME",
    ),
]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingRequest(GradesRequest):
    """Options of commands for reading qrels and runs: grades, columns, sheets and encoding.

    The conversion of grades and the meaning of negative grades apply only to qrels. The paths are
    not included; `reader` returns a reader that applies the options to any path. In the window, the
    request is created from the options chosen in a preview (`from_qrels_options`).
    """

    columns: ColumnsOption = ()
    sheets: SheetOption = ()
    encoding: Annotated[
        str | None,
        Option(
            "Encoding of the files, such as GB18030. Default: UTF-8, or UTF-16 if detected.",
            metavar="NAME",
        ),
    ] = None

    @classmethod
    def from_qrels_options(cls, options: "ReadingOptions") -> "ReadingRequest":
        """Return the reading options of qrels that were chosen in a preview.

        >>> from irjudge.formats import ReadingOptions
        >>> options = ReadingOptions(grades=GradeRules(cuts=(3, 5), gains=True))
        >>> ReadingRequest.from_qrels_options(options).cuts
        '3,5'
        """
        rules, columns = dict(GradeRules.from_grades(options.grades).options()), options.columns
        return cls(
            negative=options.negative,
            grades=rules.get("--grades"),
            gains="--gains" in rules,
            cuts=rules.get("--cuts"),
            columns=(f"qrels:{columns}",) if columns else (),
            sheets=(f"qrels:{columns.sheet}",) if columns.sheet else (),
            encoding=options.encoding,
        )

    def reader(self) -> "RankingReader":
        """Return a reader of qrels and runs that applies these options."""
        return RankingReader(
            **map_columns_by_kind(RANKING_KINDS, self.columns, self.sheets),
            grades=self.rules(),
            negative=self.negative,
            encoding=self.encoding,
        )


def no_shared_topic_warning(run: str) -> Message:
    """Return the warning that the evaluated topics of the qrels include none of a run's topics."""
    return Message(
        "{run}: no topic of the run is among the evaluated topics of the qrels, so its values are "
        "meaningless. Do the topic ids match?",
        key="no-shared-topic",
        run=run,
    )


@dataclass(frozen=True, slots=True)
class RankingReader:
    """Reader of qrels and runs that applies the options of a `ReadingRequest` to any path.

    It applies the rules for grades and the meaning of negative grades only to qrels.

    Examples
    --------
    >>> ReadingRequest(columns=("grade=stars",), cuts="3,5").reader().qrels
    ColumnMapping(named=(('grade', 'stars'),), sheet='')
    """

    qrels: ColumnMapping = AS_RECOGNISED  # columns and sheet of qrels
    runs: ColumnMapping = AS_RECOGNISED  # columns and sheet of runs
    grades: GradeRules | None = None  # conversion of ratings to grades
    negative: Negative | None = None  # meaning of negative grades
    encoding: str | None = None  # encoding of the text; None if it is detected

    def read_qrels(self, path: Path) -> Qrels:
        """Read qrels with these options."""
        return read_qrels(
            path,
            self.negative,
            grades=self.grades,
            columns=self.qrels,
            encoding=self.encoding,
        )

    def read_run(self, path: Path, name: str | None = None, *, qrels: Qrels | None = None) -> Run:
        """Read a run; without `name`, the run is named after its file.

        If `qrels` are given, topics that are texts of queries in them are replaced by the ids of
        these queries, and a warning is added to those of the run if they contain none of its
        topics.
        """
        run = read_run(path, name, columns=self.runs, encoding=self.encoding)
        if qrels is None:
            return run
        run = with_query_ids(run, qrels)
        if {*run.topics}.isdisjoint(qrels.topics):
            run = replace(run, warnings=(*run.warnings, no_shared_topic_warning(run.name)))
        return run

    def read_runs(self, paths: Sequence[Path], *, qrels: Qrels | None = None) -> Iterator[Run]:
        """Yield the runs at the paths and in folders, one at a time, each with a distinct name.

        For `qrels`, see `read_run`.
        """
        paths = expand_run_folders(paths)
        for path, name in zip(paths, choose_distinct_run_names(paths), strict=True):
            yield self.read_run(path, name, qrels=qrels)

    def refuse_project(self, path: Path) -> None:
        """Raise IrjudgeError for a project if options that only apply to files are given."""
        if self.qrels.sheet or self.runs.sheet:
            raise IrjudgeError(
                "{path} is a project; --sheet applies only to spreadsheets.", path=path.name
            )
        if self.qrels or self.runs:
            raise IrjudgeError(
                "{path} is a project; --columns applies only to files.",
                path=path.name,
            )
        if self.encoding:
            raise IrjudgeError(
                "{path} is a project, and the texts of a project always have the same "
                "encoding; --encoding applies only to files.",
                path=path.name,
            )
        if self.grades:
            raise IrjudgeError(
                "{path} is a project and uses the grades of its scale; --grades, --gains and "
                "--cuts apply only to files.",
                path=path.name,
            )


def map_columns_by_kind(
    kinds: Collection["FileKind"], mappings: Sequence[str], sheets: Sequence[str] = ()
) -> "dict[FileKind, ColumnMapping]":
    """Return the column mapping and sheet of each kind of file.

    The prefix of a mapping is the kind of file. If `kinds` contains several kinds, a mapping
    without a prefix applies to the only one that has all parts of the mapping.
    """
    mapping_of_kind = _map_columns_to_kinds(kinds, mappings) if mappings else {}
    for kind, sheet in _map_sheets_to_kinds(kinds, sheets).items():
        mapping_of_kind[kind] = replace(mapping_of_kind.get(kind, AS_RECOGNISED), sheet=sheet)
    return mapping_of_kind


def _describe_prefixes(kinds: Collection["FileKind"]) -> str:
    return join_choices([f"{kind}:" for kind in kinds]) if kinds else Message("files to read")


def _map_sheets_to_kinds(
    kinds: Collection["FileKind"], sheets: Sequence[str]
) -> "dict[FileKind, str]":
    """Return the sheet of each kind of file; a sheet without a kind applies to all other kinds."""
    sheet_of_kind: dict[FileKind, str] = {}
    kinds_with_sheet = {option.partition(":")[0].strip() for option in sheets if ":" in option}
    for sheet_option in sheets:
        # the name of a sheet cannot contain a colon
        prefix, colon, name = sheet_option.partition(":")
        kind = next((kind for kind in kinds if colon and kind == prefix.strip()), None)
        name = (name if colon else sheet_option).strip()
        if not name or (colon and kind is None):
            raise IrjudgeError(
                '--sheet "{option}" does not name a sheet of these files; expected the name of '
                "a sheet, optionally with {choices} before the name.",
                key="no-sheet-of-kind",
                option=sheet_option,
                choices=_describe_prefixes(kinds),
            )
        for sheet_kind in (
            [kind] if kind else [kind for kind in kinds if kind not in kinds_with_sheet]
        ):
            if sheet_kind in sheet_of_kind:
                raise IrjudgeError(
                    "--sheet is given twice for {kind}; expected one name.",
                    key="sheet-twice",
                    kind=sheet_kind,
                )
            sheet_of_kind[sheet_kind] = name
    return sheet_of_kind


def _map_columns_to_kinds(
    kinds: Collection["FileKind"], mappings: Sequence[str]
) -> "dict[FileKind, ColumnMapping]":
    from irjudge.formats.file_preview import (  # noqa: PLC0415 -- slow
        COLUMN_PARTS,
        parse_file_columns,
    )

    mapping_of_kind: dict[FileKind, ColumnMapping] = {}
    for mapping in mappings:
        prefix, colon, pairs = mapping.partition(":")
        # the name of a column may contain a colon
        if not colon or prefix.strip() not in COLUMN_PARTS:
            prefix, pairs = _find_only_kind(kinds, mapping), mapping
        kind = next((kind for kind in kinds if kind == prefix.strip()), None)
        if kind is None:
            raise IrjudgeError(
                '--columns "{mapping}" does not specify which files it applies to; expected '
                "{choices} before the mapping.",
                mapping=mapping,
                choices=_describe_prefixes(kinds),
            )
        if kind in mapping_of_kind:
            raise IrjudgeError(
                "--columns is given twice for {kind}; give all pairs in one option, "
                "separated by commas.",
                kind=kind,
            )
        mapping_of_kind[kind] = parse_file_columns(kind, pairs)
    return mapping_of_kind


def _find_only_kind(kinds: Collection["FileKind"], pairs: str) -> str:
    """Return the kind of file to which a mapping without a prefix applies; empty if ambiguous.

    This is the only kind in `kinds`, or the only one that has all parts of the mapping.
    """
    from irjudge.formats.file_preview import COLUMN_PARTS, PART_ALIASES  # noqa: PLC0415

    parts = {pair.partition("=")[0].strip() for pair in pairs.split(",")}
    matching_kinds = [
        kind for kind in kinds if parts <= {*COLUMN_PARTS[kind], *PART_ALIASES.get(kind, ())}
    ]
    if len(kinds) == 1:
        return next(iter(kinds))
    return matching_kinds[0] if len(matching_kinds) == 1 else ""
