"""Readers of auxiliary files, which are tables with a header or JSON lines."""

import json
import math
from collections import ChainMap
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, TypeAlias

from irjudge.errors import FormatError
from irjudge.formats.bytes import (
    decode_text,
    open_single_text,
    read_limited,
    replace_surrogates,
)
from irjudge.formats.reader_warnings import ReaderWarnings
from irjudge.formats.rows import (
    JSON,
    MAX_LIST_BYTES,
    NUMBER_PATTERN,
    ColumnKind,
    ReadTable,
    detect_table_format,
    read_table,
)
from irjudge.message import Message
from irjudge.model import AUXILIARY_KINDS, AuxiliaryColumn, AuxiliaryKind, AuxiliaryTable

Cells: TypeAlias = Mapping[str, str]
MIN_NAMED_COLUMNS = 2  # minimum number of recognised columns in a header: the id and a value


def read_auxiliary_table(path: Path, name: str, *, encoding: str | None = None) -> AuxiliaryTable:
    """Read an auxiliary file of the kind called `name`."""
    auxiliary_kind, warnings = AUXILIARY_KINDS.find(name), ReaderWarnings()
    parts = _list_column_kinds(auxiliary_kind)
    if detect_table_format(path, parts, encoding=encoding) == JSON:
        records = _iter_objects(path, auxiliary_kind, warnings, encoding)
    else:
        table = read_table(path, parts, warnings, encoding=encoding)
        _check_unread_columns(table, auxiliary_kind)
        table.report_unread(warnings)
        records = table.records()
    columns: dict[str, list[str | float]] = {column.name: [] for column in auxiliary_kind.columns}
    seen_keys: set[tuple[str, ...]] = set()
    for line, cells in records:
        for column in auxiliary_kind.columns:
            columns[column.name].append(
                _parse_value(path, line, column, cells.get(column.name, ""))
            )
        key = tuple(cells.get(name, "") for name in auxiliary_kind.key_columns)
        if key in seen_keys:
            raise FormatError(
                path,
                Message(
                    "{names} occurs twice",
                    names=", ".join(
                        f"{name} {value}"
                        for name, value in zip(auxiliary_kind.key_columns, key, strict=True)
                        if value
                    ),
                ),
                line,
            )
        seen_keys.add(key)
    if not columns[auxiliary_kind.columns[0].name]:
        raise FormatError(
            path,
            Message("the file is empty; expected {form}", form=auxiliary_kind.column_description),
        )
    return AuxiliaryTable(name, columns, path.name, tuple(warnings.format_for(path.name)))


def _check_unread_columns(table: ReadTable, auxiliary_kind: AuxiliaryKind) -> None:
    """Raise FormatError if an unrecognised column may be a missing numeric column.

    Without this check, the default value of the missing column would be used silently.
    """
    for column in auxiliary_kind.columns:
        if (
            column.name in table.index_of_part
            or not isinstance(column.default, int | float)
            or math.isnan(column.default)
        ):
            continue
        choices = set(dict(column.choices))
        for name, cells in table.unmapped_cells().items():
            if cells and all(
                cell.lower() in choices if choices else NUMBER_PATTERN.fullmatch(cell)
                for cell in cells
            ):
                raise FormatError(
                    table.path,
                    Message(
                        "the column {column} is missing (is it called {name}?); expected {form}",
                        key="no-column",
                        column=column.name,
                        name=name,
                        form=auxiliary_kind.column_description,
                    ),
                    1,
                )


def detect_auxiliary_table(path: Path, encoding: str | None = None) -> AuxiliaryTable:
    """Read an auxiliary file; its kind is the one with the most columns in the header."""
    counts_by_kind = {
        auxiliary_kind.name: _count_named_columns(path, auxiliary_kind, encoding)
        for auxiliary_kind in AUXILIARY_KINDS.values()
    }
    highest_count = max(counts_by_kind.values(), default=0)
    best_kinds = [name for name, count in counts_by_kind.items() if count == highest_count]
    if highest_count < MIN_NAMED_COLUMNS or len(best_kinds) > 1:
        raise FormatError(
            path,
            Message(
                "unknown kind of auxiliary file; expected one of {kinds}",
                key="unknown-side-file",
                kinds="; ".join(
                    f"{auxiliary_kind.name}: {auxiliary_kind.column_description}"
                    for auxiliary_kind in AUXILIARY_KINDS.values()
                ),
            ),
        )
    return read_auxiliary_table(path, best_kinds[0], encoding=encoding)


def _count_named_columns(path: Path, auxiliary_kind: AuxiliaryKind, encoding: str | None) -> int:
    """Return the number of columns of a kind in a file; 0 if a required column is missing."""
    parts, warnings = _list_column_kinds(auxiliary_kind), ReaderWarnings()
    try:
        if detect_table_format(path, parts, encoding=encoding) != JSON:
            return len(read_table(path, parts, warnings, encoding=encoding).index_of_part)
        first_object = next(_iter_objects(path, auxiliary_kind, warnings, encoding), None)
    except FormatError:
        return 0
    return sum(bool(cell) for cell in first_object[1].values()) if first_object else 0


def _list_column_kinds(auxiliary_kind: AuxiliaryKind) -> list[ColumnKind]:
    return [
        ColumnKind(column.name, column.names, needed=column.default is None)
        for column in auxiliary_kind.columns
    ]


def _iter_objects(
    path: Path, auxiliary_kind: AuxiliaryKind, warnings: ReaderWarnings, encoding: str | None
) -> Iterator[tuple[int, Cells]]:
    """Yield the line and cells of each JSON object; an inner list of objects gives several rows."""
    (text,) = (
        decode_text(read_limited(entry.stream, path, MAX_LIST_BYTES), path)
        for entry in open_single_text(path, warnings, encoding=encoding)
    )
    for line, line_text in enumerate(text.split("\n"), 1):
        if not line_text.strip():
            continue
        try:
            data = json.loads(line_text)
        except (ValueError, RecursionError) as error:
            raise FormatError(
                path,
                Message("not JSON ({error}); expected one object per line", error=error),
                line,
            ) from error
        if not isinstance(data, dict):
            raise FormatError(path, "expected one object per line", line)
        for row in _flatten(data, auxiliary_kind):
            cells = {column.name: _format_cell(row, column) for column in auxiliary_kind.columns}
            if missing_column := next(
                (
                    column.name
                    for column in auxiliary_kind.columns
                    if column.default is None and not cells[column.name]
                ),
                None,
            ):
                raise FormatError(
                    path,
                    Message(
                        "the object has no {column}; expected {form}",
                        key="no-part",
                        column=missing_column,
                        form=auxiliary_kind.column_description,
                    ),
                    line,
                )
            yield line, cells


def _flatten(record: dict[str, Any], auxiliary_kind: AuxiliaryKind) -> Iterator[Mapping[str, Any]]:
    """Yield a row for each object in the first list of objects or, without one, the record.

    If the record has only empty lists, it is a row if it has all required columns.
    """
    list_fields = [
        value
        for value in record.values()
        if isinstance(value, list) and all(isinstance(item, dict) for item in value)
    ]
    rows = next(filter(None, list_fields), [])
    is_row = all(
        _format_cell(record, column) for column in auxiliary_kind.columns if column.default is None
    )
    if not rows and (is_row or not list_fields):
        rows = [{}]
    for row in rows:
        yield ChainMap(row, record)


def _format_cell(row: Mapping[str, Any], column: AuxiliaryColumn) -> str:
    value = next((row[name] for name in column.names if name in row), "")
    return "" if value is None or isinstance(value, list | dict) else replace_surrogates(str(value))


def _parse_value(path: Path, line: int, column: AuxiliaryColumn, text: str) -> str | float:
    """Return the value of a cell, as the text or number that its column requires."""
    if not text:
        if column.default is None:
            raise FormatError(
                path, Message("the {column} is empty", key="empty-cell", column=column.name), line
            )
        return column.default
    if column.kind == "text":
        return text
    if column.kind == "choice":
        choices = dict(column.choices)
        if text.lower() not in choices:
            raise FormatError(
                path,
                Message(
                    "{column} is {text!r}; expected {choices}",
                    key="unknown-choice",
                    column=column.name,
                    text=text[:40],
                    choices=", ".join(choices),
                ),
                line,
            )
        return choices[text.lower()]
    number = float(text) if NUMBER_PATTERN.fullmatch(text) else math.nan
    if not 0 <= number < math.inf:
        raise FormatError(
            path,
            Message(
                "{column} is {text!r}; expected a number of 0 or more",
                key="not-a-number",
                column=column.name,
                text=text[:40],
            ),
            line,
        )
    return number
