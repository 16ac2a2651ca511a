"""Tables of crowd platforms, and task files for them.

A platform is an entry of `PLATFORMS`. All readers of labels, judgments and preferences recognise
these platforms.
"""

import csv
import hashlib
import io
import json
import re
import zipfile
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, astuple, dataclass, fields
from itertools import chain
from pathlib import Path
from typing import Any, Literal, cast, get_args

from irjudge.errors import FormatError, Undecided
from irjudge.formats.bytes import (
    MAX_LINE_BYTES,
    ArchiveEntry,
    collapse_whitespace,
    decode_text,
    open_input,
    open_single_text,
    parse_encoding_option,
    read_limited,
    replace_file,
    replace_surrogates,
)
from irjudge.formats.judgments.label_tools import (
    LABEL_TOOLS,
    is_label_tool_export,
    is_potato_header,
    join_answers,
    read_label_tool,
    read_potato_table,
)
from irjudge.formats.judgments.ratings import (
    RATING_COLUMNS,
    RepeatedName,
    iter_rating_rows,
    load_json,
    read_rating_book,
)
from irjudge.formats.rankings import read_qrels
from irjudge.formats.reader_warnings import ReaderWarnings, WarningKind
from irjudge.formats.rows import (
    AS_RECOGNISED,
    DOCUMENT,
    GRADE,
    JSON,
    MAX_LIST_BYTES,
    RECORDS,
    TOPIC,
    ColumnKind,
    ColumnMapping,
    Names,
    ReadTable,
    Record,
    Row,
    check_cell_count,
    check_repeated_fields,
    check_repeated_texts,
    detect_table_format,
    escape_formula,
    format_columns,
    has_rubrics,
    is_integer,
    is_workbook,
    iter_json_lines,
    iter_json_list,
    iter_json_objects,
    make_rubrics_error,
    make_table,
    read_table,
    read_table_rows,
    to_storable,
    unescape_formula,
    unescape_table,
)
from irjudge.message import Message
from irjudge.model import UNJUDGEABLE, UNJUDGED, Nugget

# Tables exported by crowd platforms, recognised by their headers

REJECTED_ANSWER = WarningKind(
    "Skipped 1 row that was rejected on the platform: {first}.",
    "Skipped {count} rows that were rejected on the platform. First: {first}.",
    key="rejected",
)
SKIPPED_ANSWER = WarningKind(
    "Did not read 1 row that was skipped or unfinished on the platform: {first}.",
    "Did not read {count} rows that were skipped or unfinished on the platform. First: {first}.",
    key="skipped",
)
CHECKBOX_COLUMN = re.compile(r"(?P<answer>Answer\..+)\.(?P<box>[^.]+)", re.IGNORECASE)
OBJECT_START = re.compile(rb'\{\s*+(?:"|\}|$)')
STUDIO_COLUMN = "annotation_id"
HEAD_BYTES = 4096  # number of bytes inspected to distinguish kinds of JSON files
ANSWER_PARTS = ("label", "grade", "winner")  # kinds of columns that contain a worker's answer


@dataclass(frozen=True, slots=True)
class Platform:
    """Crowd platform or Label Studio: names of the columns in its tables of results.

    From these names, `columns` makes the mapping of columns with which a table is read. All names
    and prefixes are in lower case.
    """

    name: str  # displayed name
    # columns that identify files of the platform; all must be present
    required_columns: tuple[str, ...]
    shown_prefix: str = ""  # prefix of the names of columns with data shown to workers
    answer_prefix: str = ""  # prefix of the names of columns with answers
    gold_prefix: str = ""  # prefix of the names of columns with gold answers
    # for each part of a row (assessor, label …), the possible column names, separated by spaces
    parts: Mapping[str, str] | None = None
    # name of a column, and its values in rejected rows; these rows are skipped
    rejected_rows: tuple[str, tuple[str, ...]] = ("", ())
    # name of a column, and its values in unanswered rows; these rows are skipped
    unanswered_rows: tuple[str, tuple[str, ...]] = ("", ())
    # suffix of the names of columns with gold answers; if set, a column contains answers only if
    # there is another column with the same name and this suffix
    gold_suffix: str = ""

    def columns(
        self, header: Sequence[str], column_kinds: Sequence[ColumnKind], mapping: ColumnMapping
    ) -> ColumnMapping:
        """Return the column mapping for a header; the user's mapping takes precedence."""
        names, column_of_part = [name.lower() for name in header], dict(mapping.named)
        answers = self._find_answer_columns(names)
        for part in column_kinds:
            index = (
                None
                if part.name in column_of_part
                else self._find_part_column(part, names, answers)
            )
            if index is not None and header[index] not in column_of_part.values():
                column_of_part[part.name] = header[index]
        if "item" not in column_of_part and not {"topic", "document"} <= column_of_part.keys():
            shown_columns = [
                name
                for name in header
                if self.shown_prefix and name.lower().startswith(self.shown_prefix)
            ]
            column_of_part |= self._map_item(shown_columns, names, header, column_kinds)
        gold_column = self._find_gold_column(column_of_part, names)
        if gold_column is not None and any(part.name == "gold" for part in column_kinds):
            column_of_part.setdefault("gold", header[gold_column])
        return ColumnMapping(tuple(column_of_part.items()))

    def _find_answer_columns(self, names: Sequence[str]) -> list[int]:
        if self.gold_suffix:
            known_names = frozenset(names)
            return [
                index for index, name in enumerate(names) if name + self.gold_suffix in known_names
            ]
        return [
            index
            for index, name in enumerate(names)
            if self.answer_prefix and name.startswith(self.answer_prefix)
        ]

    def _find_part_column(
        self, part: ColumnKind, names: Sequence[str], answers: Sequence[int]
    ) -> int | None:
        """Return the index of a part's column; None if it is not recognised.

        The column has the declared name, or a known name after the platform's prefix. Otherwise,
        if the part is an answer, the column is the only one with answers.
        """
        declared_name = next(
            (name for name in (self.parts or {}).get(part.name, "").split() if name in names), None
        )
        if declared_name is not None:
            return names.index(declared_name)
        prefix = self.answer_prefix if part.name in ANSWER_PARTS else self.shown_prefix
        first_index = next(
            (names.index(prefix + name) for name in part.column_names if prefix + name in names),
            None,
        )
        return (
            answers[0]
            if first_index is None and part.name in ANSWER_PARTS and len(answers) == 1
            else first_index
        )

    def _map_item(
        self,
        shown_columns: Sequence[str],
        names: Sequence[str],
        header: Sequence[str],
        column_kinds: Sequence[ColumnKind],
    ) -> dict[str, str]:
        """Return a mapping for the column that identifies items; empty if that column is unknown.

        Items are identified by the column shown to workers, if there is only one. If there is none,
        they are identified by the platform's unit id.
        """
        if not any(part.name == "item" for part in column_kinds):
            return {}
        if len(shown_columns) == 1:
            return {"item": shown_columns[0]}
        number = (self.parts or {}).get("unit", "")
        return (
            {"item": header[names.index(number)]} if number in names and not shown_columns else {}
        )

    def _find_gold_column(
        self, column_of_part: Mapping[str, str], names: Sequence[str]
    ) -> int | None:
        answer = next(
            (column_of_part[part].lower() for part in ANSWER_PARTS if part in column_of_part), ""
        )
        gold_column = (
            answer + self.gold_suffix
            if self.gold_suffix
            else self.gold_prefix + answer.removeprefix(self.answer_prefix)
        )
        return (
            names.index(gold_column)
            if answer and (self.gold_prefix or self.gold_suffix) and gold_column in names
            else None
        )

    def iter_usable_rows(
        self, header: Sequence[str], rows: Iterator[Row], warnings: ReaderWarnings
    ) -> Iterator[Row]:
        """Yield the rows that are neither rejected nor unanswered; warn about the other rows."""
        column_index_by_name = {name.lower(): number for number, name in enumerate(header)}
        rules = [
            (column_index_by_name[column], values, reason)
            for (column, values), reason in (
                (self.rejected_rows, REJECTED_ANSWER),
                (self.unanswered_rows, SKIPPED_ANSWER),
            )
            if column in column_index_by_name
        ]
        for line, cells in rows:
            warning = next(
                (
                    reason
                    for index, values, reason in rules
                    if index < len(cells) and cells[index].strip().lower() in values
                ),
                None,
            )
            if warning is None:
                yield line, cells
            else:
                warnings.add(warning, Message("line {line}", line=line))


TURK = Platform(
    "Mechanical Turk",
    ("hitid", "workerid"),
    "input.",
    "answer.",
    parts={
        "worker": "workerid",
        "assessor": "workerid",
        "seconds": "worktimeinseconds",
        "time": "submittime",
        "unit": "hitid",
    },
    rejected_rows=("assignmentstatus", ("rejected",)),
)
TOLOKA = Platform(
    "Toloka",
    ("assignment:assignment_id", "assignment:worker_id"),
    "input:",
    "output:",
    "golden:",
    parts={
        "worker": "assignment:worker_id",
        "assessor": "assignment:worker_id",
        "time": "assignment:submitted assignment:started",
        "unit": "assignment:task_id",
    },
    rejected_rows=("assignment:status", ("rejected",)),
    unanswered_rows=("assignment:status", ("expired", "skipped")),
)
APPEN = Platform(
    "Appen",
    ("_unit_id", "_worker_id", "_trust"),
    parts={
        "worker": "_worker_id",
        "assessor": "_worker_id",
        "time": "_created_at",
        "unit": "_unit_id",
    },
    rejected_rows=("_tainted", ("true",)),
    gold_suffix="_gold",
)
LABEL_STUDIO = Platform(
    "Label Studio",
    ("annotation.id", "annotation.completed_by"),
    "data.",
    "result.",
    "truth.",
    parts={
        "worker": "annotation.completed_by",
        "assessor": "annotation.completed_by",
        "seconds": "annotation.lead_time",
        "time": "annotation.created_at",
        "unit": "id",
    },
    unanswered_rows=("annotation.was_cancelled", ("true",)),
)
LABEL_STUDIO_MIN = Platform(  # JSON_MIN and CSV exports, whose columns have no prefixes
    "Label Studio",
    ("annotator", STUDIO_COLUMN, "lead_time"),
    parts={
        "worker": "annotator",
        "assessor": "annotator",
        "seconds": "lead_time",
        "time": "created_at",
        "unit": "id",
    },
)
PLATFORMS = (TURK, TOLOKA, APPEN, LABEL_STUDIO, LABEL_STUDIO_MIN)
# columns of Prolific's lists of submissions, which contain no answers
SUBMISSION_COLUMNS = ("submission id", "participant id", "status")


def detect_platform(header: Sequence[str]) -> Platform | None:
    """Return the platform that a header identifies; None if there is none.

    >>> detect_platform(["HITId", "WorkerId", "Answer.radio"]).name
    'Mechanical Turk'
    """
    names = {name.lower() for name in header}
    return next(
        (platform for platform in PLATFORMS if names.issuperset(platform.required_columns)), None
    )


def read_crowd_table(
    path: Path,
    column_kinds: Sequence[ColumnKind],
    warnings: ReaderWarnings,
    *,
    columns: ColumnMapping,
    encoding: str | None = None,
    assessor: str = "",
) -> ReadTable:
    """Read a table of a crowd platform, without rejected rows, or an export of a label tool.

    Labels without an assessor are attributed to `assessor`. A leading apostrophe that escapes a
    formula is removed: irjudge writes it in task files, and platforms return it.
    """
    return unescape_table(
        _make_crowd_table(
            path, column_kinds, warnings, columns=columns, encoding=encoding, assessor=assessor
        ),
        warnings,
    )


def _make_crowd_table(
    path: Path,
    column_kinds: Sequence[ColumnKind],
    warnings: ReaderWarnings,
    *,
    columns: ColumnMapping,
    encoding: str | None,
    assessor: str,
) -> ReadTable:
    if not path.is_file():  # a pipe can be read only once
        return read_table(path, column_kinds, warnings, columns=columns, encoding=encoding)
    # an archive inside an archive is only read as an export of a label tool
    is_tool_archive = zipfile.is_zipfile(path) and is_label_tool_export(path)
    if not columns and not is_tool_archive and (ratings_book := read_rating_book(path)):
        cells_by_row = chain([RATING_COLUMNS], iter_rating_rows(ratings_book))
        numbered_rows = ((line, list(cells)) for line, cells in enumerate(cells_by_row, 1))
        return make_table(path, ratings_book.format_name, numbered_rows, column_kinds, columns)
    if assessor and not columns and (lines := _read_qrels_rows(path, assessor, encoding)):
        return make_table(path, "qrels", lines, column_kinds, columns)
    format_name, line, header, rows = _open_export(
        path, warnings, encoding, assessor, column_kinds=column_kinds, columns=columns
    )
    if assessor and not columns:
        header, rows = _add_assessor_column(header, rows, column_kinds, assessor)
    if {name.lower() for name in header}.issuperset(SUBMISSION_COLUMNS):
        raise FormatError(
            path,
            Message(
                "this is a list of submissions without answers; to release submissions that "
                "were returned or timed out, use `irjudge import PROJECT --panel FILE`",
                key="submissions",
            ),
        )
    platform = detect_platform(header)
    if platform is not None:
        columns = columns if columns.numbers() else platform.columns(header, column_kinds, columns)
        rows = platform.iter_usable_rows(header, rows, warnings)
    elif not columns:
        rows = iter(row_list := list(rows))
        _refuse_column_per_assessor(path, header, row_list, column_kinds)
    return make_table(
        path,
        format_name,
        chain([(line, list(header))] if header else [], rows),
        column_kinds,
        columns,
    )


def is_qrels_file(path: Path, encoding: str | None = None) -> bool:
    """Return whether a file consists of qrels lines, which contain no names of assessors."""
    return path.is_file() and _read_qrels_rows(path, "", encoding) is not None


def _read_qrels_rows(path: Path, assessor: str, encoding: str | None) -> Iterator[Row] | None:
    """Return the header and rows of TREC qrels as judgments of `assessor`; None for other files."""
    if is_workbook(path) or detect_table_format(path, (TOPIC, DOCUMENT, GRADE), encoding=encoding):
        return None
    try:
        qrels = read_qrels(path, encoding=encoding)
    except FormatError:
        return None
    rows = [
        [topic, document, assessor, "unjudgeable" if grade == UNJUDGEABLE else str(grade)]
        for topic, document, grade in qrels.rows()
        if grade != UNJUDGED
    ]
    return chain([(1, ["topic", "document", "assessor", "grade"])], enumerate(rows, 1))


def _add_assessor_column(
    header: tuple[str, ...], rows: Iterator[Row], column_kinds: Sequence[ColumnKind], assessor: str
) -> tuple[tuple[str, ...], Iterator[Row]]:
    """Return the header and rows, with a column for `assessor` if no column contains assessors."""
    column_kind = next((kind for kind in column_kinds if kind.name in ("assessor", "worker")), None)
    platform = detect_platform(header)
    if (
        not header
        or column_kind is None
        or (platform and column_kind.name in (platform.parts or {}))
        or not {name.lower() for name in header}.isdisjoint(column_kind.column_names)
    ):
        return header, rows
    # first, so that short rows below a wide header need not be filled up
    return (column_kind.name, *header), ((line, [assessor, *cells]) for line, cells in rows)


def _refuse_column_per_assessor(
    path: Path, header: Sequence[str], rows: Sequence[Row], column_kinds: Sequence[ColumnKind]
) -> None:
    """Raise FormatError for a table in which each assessor has a column of grades."""
    part_names = {name.lower(): part.name for part in column_kinds for name in part.column_names}
    indices = {
        index for index, name in enumerate(header) if name and name.lower() not in part_names
    }
    if not indices or {
        part_names[name.lower()] for name in header if name and name.lower() in part_names
    } != {
        "topic",
        "document",
    }:
        return
    cells = [
        cell.strip() for _, cells in rows for index, cell in enumerate(cells) if index in indices
    ]
    if any(cells) and all(is_integer(part) for cell in cells if cell for part in cell.split("|")):
        raise FormatError(
            path,
            Message(
                "each assessor has a column ({judges}); expected one row per judgment, with the "
                "columns assessor and grade",
                key="column-per-assessor",
                judges=format_columns([header[index] for index in sorted(indices)]),
            ),
            1,
        )


def read_crowd_header(
    path: Path,
    encoding: str | None = None,
    *,
    column_kinds: Sequence[ColumnKind] = (),
    columns: ColumnMapping = AS_RECOGNISED,
) -> tuple[str, ...]:
    """Return the column names that `read_crowd_table` reads; empty for an empty file."""
    return _open_export(
        path, ReaderWarnings(), encoding, column_kinds=column_kinds, columns=columns
    )[2]


def _open_export(
    path: Path,
    warnings: ReaderWarnings,
    encoding: str | None,
    assessor: str = "",
    *,
    column_kinds: Sequence[ColumnKind] = (),
    columns: ColumnMapping = AS_RECOGNISED,
) -> tuple[str, int, tuple[str, ...], Iterator[Row]]:
    """Return the name of the format, the line number of the header, the column names and the rows.

    The columns of each group of checkboxes are merged into one.
    """
    if not is_workbook(path):
        if tool := read_label_tool(path, warnings, assessor):
            return tool[0], 1, *tool[1:]
        if lists := _read_parallel_lists(path, column_kinds, columns, encoding):
            return RECORDS, 1, *lists
        has_gold = any(part.name == "gold" for part in column_kinds)
        if studio := _read_label_studio(path, warnings, has_gold=has_gold):
            return JSON, 1, *studio
    format_name, rows = read_table_rows(
        path, warnings, encoding, column_kinds=column_kinds, columns=columns
    )
    line, header = next(rows, (1, []))
    names = tuple(cell.strip() for cell in header)
    if detect_platform(names) is LABEL_STUDIO_MIN:
        rows = ((line, [_parse_cell(cell) for cell in cells]) for line, cells in rows)
    if is_potato_header(names) or detect_platform(names) is TURK:
        row_list = list(rows)
        check_cell_count(path, [cells for _, cells in row_list], len(names))
        merge = read_potato_table if is_potato_header(names) else _merge_checkboxes
        return format_name, line, *merge(names, row_list)
    return format_name, line, names, rows


def _read_parallel_lists(
    path: Path, column_kinds: Sequence[ColumnKind], columns: ColumnMapping, encoding: str | None
) -> tuple[tuple[str, ...], Iterator[Row]] | None:
    """Return the header and rows of JSON lines with parallel lists; None for other files.

    Each record is an item with a list of workers and a list of their labels. If no field identifies
    items, the line number does. Raises Undecided if the list of labels is not recognised.
    """
    worker = next((part for part in column_kinds if part.name in ("worker", "assessor")), None)
    answer = next((part for part in column_kinds if part.name in ANSWER_PARTS), None)
    if worker is None or answer is None:
        return None
    entries = open_single_text(path, ReaderWarnings(), encoding=parse_encoding_option(encoding))
    records = iter_json_lines(next(iter(entries)))
    try:
        first_record = next(records, None)
    except FormatError:  # the file is not JSON lines
        return None
    worker_field = first_record and first_record.name(
        columns.names(worker.name, worker.column_names)
    )
    workers = first_record.fields[worker_field] if first_record and worker_field else None
    if first_record is None or worker_field is None or not isinstance(workers, list) or not workers:
        return None
    lists = [
        name
        for name, values in first_record.fields.items()
        if isinstance(values, list) and len(values) == len(workers) and name != worker_field
    ]
    if first_record.name(columns.names(answer.name, answer.column_names)) not in lists:
        problem = Message(
            "each record has lists with one value per worker; choose the list of labels with "
            '--columns "{part}={name}" (the lists are {lists})',
            key="which-list",
            part=answer.name,
            name=lists[0] if lists else "LIST",
            lists=format_columns(lists),
        )
        raise Undecided(path, problem, ("columns",), first_record.line)
    used_columns = {column for _, column in columns.named}.union(
        *(part.column_names for part in column_kinds)
    )
    header = [name for name in first_record.fields if name in used_columns]
    item_fields = {*header}.intersection(
        *[
            columns.names(part.name, part.column_names)
            for part in column_kinds
            if part.name == "item"
        ]
    )
    has_ids = bool(item_fields) or not any(part.name == "item" for part in column_kinds)
    return (*([] if has_ids else ["item"]), *map(replace_surrogates, header)), _iter_worker_rows(
        entries, chain([first_record], records), header, str(worker_field), is_numbered=not has_ids
    )


def _make_storable(value: object) -> object:
    """Return a text, or a list with its texts, without surrogates; each text is copied once."""
    if isinstance(value, list):
        return [replace_surrogates(item) if isinstance(item, str) else item for item in value]
    return replace_surrogates(value) if isinstance(value, str) else value


def _iter_worker_rows(
    entries: Iterator[ArchiveEntry],
    records: Iterable[Record],
    header: Sequence[str],
    worker_field: str,
    *,
    is_numbered: bool,
) -> Iterator[Row]:
    """Yield a row for each worker in each record; `worker_field` names the list of workers."""
    list_flags: list[bool] = []  # for each field in the header, whether its values are lists
    for record in records:
        names = record.fields.get(worker_field)
        count = len(names) if isinstance(names, list) else -1
        columns = [_make_storable(record.fields.get(name)) for name in header]
        record_list_flags = [isinstance(column, list) for column in columns]
        list_flags = list_flags or record_list_flags
        if record_list_flags != list_flags or {
            len(column) for column in columns if isinstance(column, list)
        } != {count}:
            raise FormatError(
                record.where,
                Message(
                    "the lists {lists} have different lengths; expected a value for each worker",
                    key="list-lengths",
                    lists=format_columns(header),
                ),
                record.line,
            )
        check_repeated_texts(
            record.where, count, (column for column in columns if isinstance(column, str))
        )
        for index in range(count):
            values = [column[index] if isinstance(column, list) else column for column in columns]
            cells = [value if isinstance(value, str) else "" for value in values]
            yield record.line, [*([str(record.line)] if is_numbered else []), *cells]
    deque(entries, maxlen=0)  # the file is closed when all entries have been read


def _merge_checkboxes(
    header: tuple[str, ...], rows: Sequence[Row]
) -> tuple[tuple[str, ...], Iterator[Row]]:
    """Return the header and rows after merging the columns of each group of checkboxes into one.

    The merged column of `Answer.grade.0` and `Answer.grade.1` contains the checked values.
    """
    checkbox_matches = {
        index: match
        for index, name in enumerate(header)
        if (match := CHECKBOX_COLUMN.fullmatch(name))
    }
    answers: dict[str, list[int]] = {}
    for index, box in checkbox_matches.items():
        if all(
            cells[index].lower() in ("", "true", "false") for _, cells in rows if index < len(cells)
        ):
            answers.setdefault(box["answer"], []).append(index)

    def join_checked(cells: list[str], indices: list[int]) -> str:
        return ", ".join(
            checkbox_matches[index]["box"]
            for index in indices
            if index < len(cells) and cells[index].lower() == "true"
        )

    merged_columns = {index for indices in answers.values() for index in indices}
    other_columns = [index for index in range(len(header)) if index not in merged_columns]
    other_rows = (
        (line, [cells[index] if index < len(cells) else "" for index in other_columns], cells)
        for line, cells in rows
    )
    return (*(header[index] for index in other_columns), *answers), (
        (line, [*cells, *(join_checked(box_cells, indices) for indices in answers.values())])
        for line, cells, box_cells in other_rows
    )


# Exports of Label Studio


def _read_label_studio(
    path: Path, warnings: ReaderWarnings, *, has_gold: bool
) -> tuple[tuple[str, ...], Iterator[Row]] | None:
    """Return the header and rows of a Label Studio export; None if the file is not JSON.

    There is a row for each annotation. If `has_gold`, annotations marked as ground truth are gold
    answers; otherwise, they are annotations like the others. Raises FormatError for other JSON
    files.
    """
    with open_input(path) as file:
        if file.has_several_files():
            return None
        stream = file.plain(last=False)
        begin = stream.read(64).removeprefix(b"\xef\xbb\xbf").lstrip()
        if OBJECT_START.match(begin):
            if has_rubrics(begin + stream.read(HEAD_BYTES)):
                raise make_rubrics_error(path)
            raise _make_unknown_tool_error(path)
        if begin[:1] != b"[":
            return None
        content = io.BufferedReader(cast(Any, file.plain()))
        data = read_limited(content, path, MAX_LIST_BYTES)
    try:
        tasks = load_json(decode_text(data, path))
    except RepeatedName as error:
        raise error.to_format_error(path) from None
    except (ValueError, RecursionError) as error:
        raise FormatError(
            path, Message("the JSON cannot be read ({error})", error=error)
        ) from error
    if not all(
        isinstance(task, dict)
        and (isinstance(task.get("annotations"), list) or STUDIO_COLUMN in task)
        for task in tasks
    ):
        raise _make_unknown_tool_error(path)
    records = [
        (number, record)
        for number, task in enumerate(tasks, 1)
        for record in _iter_annotations(path, number, task, has_gold=has_gold)
    ]
    if not records:
        raise _make_no_annotation_error(path, tasks)
    header = tuple(dict.fromkeys(name for _, record in records for name in record))
    check_cell_count(path, [record for _, record in records], len(header))
    rows = [
        (
            line,
            [
                to_storable(record.get(name, ""), f"{path.name}, line {line}", warnings)
                for name in header
            ],
        )
        for line, record in records
    ]
    return tuple(to_storable(name, path.name, warnings) for name in header), iter(rows)


def _make_unknown_tool_error(path: Path) -> FormatError:
    return FormatError(
        path,
        Message(
            "not an export of a known labelling tool ({tools}, Label Studio); expected an "
            "export of one of these tools, or a table with a header",
            key="unknown-json",
            tools=", ".join(tool.name for tool in LABEL_TOOLS),
        ),
    )


def _make_no_annotation_error(path: Path, tasks: Sequence[Mapping[str, Any]]) -> FormatError:
    if any(task.get("annotations") for task in tasks):
        return FormatError(
            path,
            Message(
                "all annotations are marked as ground truth, so there are no labels to compare "
                "with them; expected annotations that are not marked",
                key="only-ground-truth",
            ),
        )
    return FormatError(path, Message("the tasks have no annotations", key="no-annotation"))


def _iter_annotations(
    path: Path, number: int, task: Mapping[str, Any], *, has_gold: bool
) -> Iterator[dict[str, str]]:
    """Yield a record for each annotation of a task; see `_read_label_studio`."""
    if not isinstance(
        task.get("annotations"), list
    ):  # in JSON_MIN, an object contains the data of a task and the answers of one annotation
        yield {name: _format_answer(value) for name, value in task.items()}
        return
    annotations = [annotation for annotation in task["annotations"] if isinstance(annotation, dict)]
    gold_answers = _read_gold_answers(path, number, annotations) if has_gold else {}
    data = task.get("data") if isinstance(task.get("data"), dict) else {}
    shown_fields = {
        f"data.{name}": _to_text(value)
        for name, value in (data or {}).items()
        if not isinstance(value, dict | list)
    }
    check_repeated_fields(path, len(annotations), len(shown_fields))
    check_repeated_texts(
        path, len(annotations), chain(shown_fields.values(), gold_answers.values())
    )
    for annotation in annotations:
        if not (has_gold and annotation.get("ground_truth")):
            fields = {
                f"annotation.{name}": _to_text(annotation.get(name))
                for name in ("id", "lead_time", "created_at", "was_cancelled")
            }
            annotator = annotation.get("completed_by")
            fields["annotation.completed_by"] = _to_text(
                annotator.get("email") or annotator.get("id")
                if isinstance(annotator, dict)
                else annotator
            )
            yield {
                "id": _to_text(task.get("id")),
                **shown_fields,
                **gold_answers,
                **fields,
                **{
                    f"result.{name}": text
                    for name, text in join_answers(_iter_results(annotation)).items()
                },
            }


def _read_gold_answers(
    path: Path, number: int, annotations: Sequence[Mapping[str, Any]]
) -> dict[str, str]:
    """Return the answers in the ground truths of a task; raise FormatError if they differ."""
    gold_answers: dict[str, str] = {}
    for annotation in annotations:
        if not annotation.get("ground_truth"):
            continue
        for name, text in join_answers(_iter_results(annotation)).items():
            if gold_answers.setdefault(f"truth.{name}", text) != text:
                raise FormatError(
                    path,
                    Message(
                        "the task has the ground truths {previous!r} and {grade!r} for {name}; "
                        "expected one",
                        key="two-known-answers",
                        previous=gold_answers[f"truth.{name}"],
                        grade=text,
                        name=name,
                    ),
                    number,
                )
    return gold_answers


def _iter_results(annotation: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    results = annotation.get("result")
    for result in results if isinstance(results, list) else ():
        value = result.get("value") if isinstance(result, dict) else None
        if (choices := _parse_choices(value)) is not None:
            yield str(result.get("from_name", "choice")), choices


def _format_answer(value: Any) -> str:
    """Return a field of JSON_MIN as text; for an answer, return the choices."""
    answers = [
        choices
        for item in (value if isinstance(value, list) else [value])
        if (choices := _parse_choices(item)) is not None
    ]
    return ", ".join(answers) if answers else _to_text(value)


def _parse_cell(cell: str) -> str:
    """Return a CSV cell as text; a cell may contain a complex answer as JSON."""
    if not cell.startswith("[{"):
        return cell
    try:
        return replace_surrogates(_format_answer(json.loads(cell)))
    except (ValueError, RecursionError):
        return cell


def _parse_choices(value: Any) -> str | None:
    """Return the choices, rating or number in an object as text; None for other values.

    An example is `{"choices": ["2"]}`.
    """
    if not isinstance(value, dict):
        return None
    chosen_values = value.get("choices", value.get("rating", value.get("number")))
    if chosen_values is None:
        return None
    if isinstance(chosen_values, list):
        return ", ".join(map(str, chosen_values))
    return _to_text(chosen_values)


def _to_text(value: Any) -> str:
    if value is None:
        return ""
    return str(value).lower() if isinstance(value, bool) else str(value)


# Task files with a row per topic and document, for crowd platforms and labelling tools

EXPECTED = Message(
    'expected JSON lines like {{"qid": "7", "nuggets": [{{"text": "…", "importance": "vital"}}]}}'
)
TOPIC_ID_FIELDS: Names = ("qid", "topic_id", "narrative_id", "query_id", "topic", "id")
NUGGET_COLUMNS = (
    ColumnKind("topic", TOPIC_ID_FIELDS),
    ColumnKind("nugget", ("nugget", "text")),
    ColumnKind("importance", ("importance",), needed=False),
)
BANK_KEYS, QUESTION_KEYS = (
    ("nugget_bank", "claim_bank"),
    ("question", "claim"),
)  # keys of a NuggetBank
NUGGETS_KEY, TEXT_KEYS, IMPORTANCE_KEY = "nuggets", ("text", "nugget"), "importance"


def read_nuggets(path: Path) -> dict[str, tuple[Nugget, ...]]:
    """Read the nuggets of each topic from JSON, or from the table that `irjudge answers` prints."""
    nuggets_by_topic: dict[str, tuple[Nugget, ...]] = {}
    warnings = ReaderWarnings()
    if detect_table_format(path, NUGGET_COLUMNS) not in ("", JSON):
        return _read_nugget_table(path, warnings)
    for entry in open_single_text(path, warnings):
        is_list = entry.head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"[")
        for record in iter_json_list(entry) if is_list else iter_json_objects(entry):
            topic = record.id(TOPIC_ID_FIELDS, warnings)
            if topic in nuggets_by_topic:
                raise FormatError(
                    path,
                    Message(
                        "topic {topic} occurs twice; expected once",
                        key="same-topic",
                        topic=topic,
                    ),
                    record.line,
                )
            nugget_records = record.fields.get(NUGGETS_KEY) or _list_bank_nuggets(record.fields)
            if not isinstance(nugget_records, list) or not nugget_records:
                raise FormatError(
                    path,
                    Message(
                        "topic {topic} has no list of nuggets; {expected}",
                        key="no-nuggets",
                        topic=topic,
                        expected=EXPECTED,
                    ),
                    record.line,
                )
            nuggets_by_topic[topic] = tuple(
                dict.fromkeys(
                    _parse_nugget(nugget_record, record, warnings)
                    for nugget_record in nugget_records
                )
            )
    if not nuggets_by_topic:
        raise FormatError(
            path, Message("no nugget found; {expected}", key="no-nugget", expected=EXPECTED)
        )
    return nuggets_by_topic


def _read_nugget_table(path: Path, warnings: ReaderWarnings) -> dict[str, tuple[Nugget, ...]]:
    table = read_table(path, NUGGET_COLUMNS, warnings)
    nuggets_by_topic: dict[str, list[Nugget]] = {}
    for line, cells in table.records():
        for part in ("topic", "nugget"):
            if not cells[part]:
                raise table.make_empty_cell_error(part, line)
        nuggets_by_topic.setdefault(cells["topic"], []).append(
            Nugget(
                collapse_whitespace(cells["nugget"]),
                collapse_whitespace(cells.get("importance", "")),
            )
        )
    if not nuggets_by_topic:
        raise FormatError(
            path, Message("no nugget found; {expected}", key="no-nugget", expected=EXPECTED)
        )
    return {topic: tuple(nuggets) for topic, nuggets in nuggets_by_topic.items()}


def _list_bank_nuggets(content: Mapping[str, object]) -> list[object]:
    """Return the nuggets of a NuggetBank (v3): questions, then claims, each before its children.

    The text of a nugget that is a question ends with its known answers. Unsupported values of
    importance are ignored.
    """
    nugget_records: list[object] = []
    # a stack: the last nugget is the next one to be read
    pending_nuggets = [nugget for bank in BANK_KEYS for nugget in _list_items(content.get(bank))]
    pending_nuggets.reverse()
    while pending_nuggets:
        nugget = pending_nuggets.pop()
        if not isinstance(nugget, Mapping):
            nugget_records.append(nugget)
            continue
        text = next(
            (nugget[name] for name in QUESTION_KEYS if isinstance(nugget.get(name), str)), None
        )
        answer_texts = [
            answer_text
            for answer in _list_items(nugget.get("answers"))
            if (answer_text := _read_answer_text(answer))
        ]
        importance = (
            nugget.get(IMPORTANCE_KEY) if nugget.get(IMPORTANCE_KEY) in ("vital", "okay") else None
        )
        nugget_records.append(
            {
                TEXT_KEYS[0]: f"{text} ({'; '.join(answer_texts)})"
                if text and answer_texts
                else text,
                IMPORTANCE_KEY: importance,
            }
        )
        pending_nuggets += reversed(_list_items(nugget.get("sub_nuggets")))
    return nugget_records


def _list_items(content: object) -> list[object]:
    """Return the items of a list, or the values of an object."""
    return (
        list(content.values())
        if isinstance(content, Mapping)
        else list(content)
        if isinstance(content, list)
        else []
    )


def _read_answer_text(content: object) -> str:
    text = content.get("answer") if isinstance(content, Mapping) else content
    return text if isinstance(text, str) else ""


def _parse_nugget(content: object, record: Record, warnings: ReaderWarnings) -> Nugget:
    cells = content if isinstance(content, Mapping) else {TEXT_KEYS[0]: content}
    text = next((value for name in TEXT_KEYS if isinstance(value := cells.get(name), str)), "")
    importance = cells.get(IMPORTANCE_KEY)
    if not text.strip():
        raise FormatError(
            record.where,
            Message("a nugget has no text; {expected}", key="no-text", expected=EXPECTED),
            record.line,
        )
    location = f"{record.where.name}, line {record.line}"
    normalised = (
        collapse_whitespace(to_storable(importance, location, warnings))
        if isinstance(importance, str)
        else ""
    )
    return Nugget(collapse_whitespace(to_storable(text, location, warnings)), normalised)


# the default limit of the csv module is too small for long documents
csv.field_size_limit(MAX_LINE_BYTES)


@dataclass(frozen=True, slots=True)
class JudgingTask:
    """Row of a task file for a crowd platform or a labelling tool: a document and its topic.

    The row does not contain the instructions or the grades of the scale.
    """

    item: str  # code of topic and document, to which returned labels refer; see `make_item_id`
    topic: str  # topic id
    title: str  # title of the topic
    description: str  # description of the topic
    document: str  # document id
    document_title: str  # title of the document or, without a title, its first words
    text: str  # shown fields of the document, and its text without markup; an image has no text
    url: str = ""  # web address of the document; empty if unknown


TASK_COLUMNS = tuple(field.name for field in fields(JudgingTask))
TOLOKA_SUFFIX, STUDIO_SUFFIX, LINES_SUFFIX = ".tsv", ".json", ".jsonl"
TaskFormat = Literal["doccano", "potato"]
TASK_FORMATS: tuple[TaskFormat, ...] = get_args(TaskFormat)  # formats of task files in JSON lines


def make_item_id(topic: str, document: str) -> str:
    """Return an item code for a topic and document.

    Spreadsheet programs and crowd platforms do not change the code.

    >>> make_item_id("051", "d1")
    'p460391bb2c62e2be'
    """
    return "p" + hashlib.sha256(json.dumps([topic, document]).encode()).hexdigest()[:16]


def write_tasks(
    path: Path, tasks: Iterable[JudgingTask], task_format: TaskFormat | None = None
) -> int:
    """Write tasks atomically and return their number; `read_tasks` reads the same tasks.

    The file extension selects the format: `.tsv` for Toloka, `.json` for Label Studio, `.jsonl` for
    doccano or, with `task_format`, Potato; other files are CSV. Formulas are escaped
    (`escape_formula`) except in `.json` and `.jsonl`, which spreadsheet programs do not open.
    """
    count = 0
    suffix = path.suffix.lower()
    with replace_file(path) as part, part.open("w", encoding="utf-8", newline="") as file:
        if suffix == LINES_SUFFIX:
            for count, task in enumerate(tasks, 1):  # noqa: B007 -- the last number is the result
                file.write(
                    json.dumps(_make_tool_record(task, task_format), ensure_ascii=False) + "\n"
                )
            return count
        if suffix == STUDIO_SUFFIX:
            for count, task in enumerate(tasks, 1):
                file.write(
                    ("[" if count == 1 else ",")
                    + "\n"
                    + json.dumps({"data": asdict(task)}, ensure_ascii=False)
                )
            file.write("\n]\n" if count else "[]\n")
            return count
        table = csv.writer(file, delimiter=_find_separator(suffix))
        table.writerow(_make_header(suffix))
        for count, task in enumerate(tasks, 1):  # noqa: B007 -- the last number is the result
            table.writerow(map(escape_formula, astuple(task)))
    return count


def _make_tool_record(task: JudgingTask, task_format: TaskFormat | None) -> dict[str, Any]:
    """Return a task as a record for doccano or Potato; its text begins with the topic and title.

    The tools return the other fields unchanged with the labels.
    """
    task_fields = {name: value for name, value in asdict(task).items() if name != "text"}
    text = "\n\n".join(filter(None, (_format_first_line(task_fields), task.text)))
    if task_format == "potato":
        return {"id": task.item, "text": text, **task_fields}
    return {"text": text, "label": [], **task_fields}


def _format_first_line(fields: Mapping[str, str]) -> str:
    return "\n\n".join(
        filter(None, (fields[name] for name in ("title", "description", "document_title")))
    )


def _find_separator(format_name: str) -> str:
    return "\t" if format_name == TOLOKA_SUFFIX else ","


def _make_header(format_name: str) -> tuple[str, ...]:
    return (
        tuple(f"INPUT:{name}" for name in TASK_COLUMNS)
        if format_name == TOLOKA_SUFFIX
        else TASK_COLUMNS
    )


def read_tasks(path: Path) -> Iterator[JudgingTask]:
    """Yield the tasks in a file that `write_tasks` wrote."""
    read = {STUDIO_SUFFIX: _iter_studio_tasks, LINES_SUFFIX: _iter_tool_tasks}.get(
        path.suffix.lower(), _iter_table_tasks
    )
    try:
        yield from read(path)
    except (
        OSError,
        ValueError,
        TypeError,
        KeyError,
        AttributeError,
        RecursionError,
        csv.Error,
    ) as error:
        raise FormatError(path, Message("cannot be read ({error})", error=error)) from error


def _iter_studio_tasks(path: Path) -> Iterator[JudgingTask]:
    for task in json.loads(path.read_text(encoding="utf-8")):
        yield JudgingTask(**task["data"])


def _iter_tool_tasks(path: Path) -> Iterator[JudgingTask]:
    with path.open(encoding="utf-8") as file:
        for line in file:
            record = json.loads(line)
            fields = {name: record[name] for name in TASK_COLUMNS if name != "text"}
            text = record["text"].removeprefix(_format_first_line(fields)).removeprefix("\n\n")
            yield JudgingTask(**fields, text=text)


def _iter_table_tasks(path: Path) -> Iterator[JudgingTask]:
    suffix = path.suffix.lower()
    expected = _make_header(suffix)
    with path.open(encoding="utf-8", newline="") as file:
        rows = csv.reader(file, strict=True, delimiter=_find_separator(suffix))
        if tuple(next(rows, ())) != expected:
            raise FormatError(
                path,
                Message(
                    "the columns are not those of a task file; expected {columns}",
                    key="not-tasks",
                    columns=", ".join(expected),
                ),
                1,
            )
        for row in rows:
            if len(row) != len(TASK_COLUMNS):
                raise FormatError(
                    path,
                    Message(
                        "{count} columns; expected {expected}",
                        key="column-count",
                        count=len(row),
                        expected=len(TASK_COLUMNS),
                    ),
                    rows.line_num,
                )
            yield JudgingTask(*map(unescape_formula, row))
