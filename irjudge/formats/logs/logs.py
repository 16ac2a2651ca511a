"""Search logs: JSON lines or CSV, one row a query; and the event logs of the LISP search platform, known by their content."""

import csv
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, islice
from pathlib import Path
from typing import Any, TypeAlias, cast

from irjudge.errors import FormatError
from irjudge.formats.bytes.single import open_plain
from irjudge.formats.bytes.utf8 import beginning, numbered_lines
from irjudge.formats.logs.columns import log_of
from irjudge.formats.logs.events import is_event, read_events
from irjudge.formats.logs.rows import FIELDS, LogRows, UnfitRow, kind, shorn
from irjudge.formats.remarks import Remarks
from irjudge.formats.rows.columns import NUMBER, WHOLE
from irjudge.model.search_log import SearchLog

Lines: TypeAlias = Iterator[tuple[int, str]]

EXPECTED = "expected JSON lines or CSV with a field session"
SEPARATORS = ",;\t"
TOGETHER = 200  # lines decoded in one call: few enough for the cache


def read_log(paths: Path | Sequence[Path]) -> SearchLog:
    """Read a log, plain or gzip, in UTF-8; several files are one log, and a folder is the files in it, by name."""
    given = [paths] if isinstance(paths, Path) else list(paths)
    rows, remarks = LogRows(), Remarks()
    for path in (file for each in given for file in _files(each)):
        _read(path, rows, remarks)
    if not len(rows):
        raise FormatError(given[0], "the log has no query")
    return log_of(rows, remarks)


def _files(path: Path) -> list[Path]:
    try:
        if not path.is_dir():
            return [path]
        files = sorted(each for each in path.iterdir() if each.is_file() and not each.name.startswith("."))
    except OSError as fault:
        raise FormatError(path, f"cannot be read ({fault.strerror or fault})") from fault
    if not files:
        raise FormatError(path, "the folder has no file, expected logs")
    return files


def _read(path: Path, rows: LogRows, remarks: Remarks) -> None:
    lines = _lines(path)
    number, first = next(lines, (1, ""))
    if not first:
        raise FormatError(path, f"the file is empty, {EXPECTED}")
    lines = chain([(number, first)], lines)
    if not first.lstrip().startswith("{"):
        _read_csv(path, lines, rows)
        return
    records = _Numbered(_objects(path, lines))
    row = next(records)
    objects = chain([row], records)
    try:
        if isinstance(row[1], dict) and is_event(row[1]):
            records.line = row[0]
            read_events(path, objects, rows, remarks)
            return
        for records.line, fields in objects:
            if type(fields) is not dict:
                raise UnfitRow(f"found {kind(fields)}, expected a JSON object")  # noqa: TRY301 -- the line is added below
            rows.add(fields)
    except UnfitRow as fault:
        raise FormatError(path, str(fault), records.line) from None


class _Numbered(Iterator[tuple[int, Any]]):
    """Remembers the line of what was taken last."""

    def __init__(self, records: Iterator[tuple[int, Any]]) -> None:
        self.line, self._records = 1, records

    def __next__(self) -> tuple[int, Any]:
        record = next(self._records)
        self.line = record[0]
        return record


def _lines(path: Path) -> Lines:
    with open_plain(path) as stream:
        try:
            for number, line in numbered_lines(stream, path):
                if "\0" in line:
                    raise FormatError(path, "a zero byte; this is not a text file in UTF-8", number)
                yield number, line
        except OSError as fault:
            raise FormatError(path, f"cannot be read to its end ({fault})") from fault


# JSON lines


def _constant(name: str) -> float:
    raise ValueError(f"found {name}, which is not JSON")


_JSON = json.JSONDecoder(parse_constant=_constant)


def _objects(path: Path, lines: Lines) -> Iterator[tuple[int, Any]]:
    """Yield what each line holds: many lines are decoded in one call, and one by one where that fails."""
    while batch := list(islice(lines, TOGETHER)):
        try:
            values = _JSON.decode("[" + ",".join([line for _, line in batch]) + "]")
        except (ValueError, RecursionError):
            values = []
        if len(values) == len(batch):
            yield from zip([number for number, _ in batch], values, strict=True)
        else:
            yield from ((number, _decoded(path, number, line)) for number, line in batch)


def _decoded(path: Path, number: int, line: str) -> Any:
    try:
        return _JSON.decode(line)
    except json.JSONDecodeError as fault:
        problem = f"not JSON ({fault.msg}, column {fault.colno}), expected one JSON object on each line"
        raise FormatError(path, problem, number) from None
    except RecursionError:
        raise FormatError(path, "the JSON is nested too deeply, expected one JSON object on each line", number) from None
    except ValueError as fault:
        raise FormatError(path, f"{str(fault).partition(';')[0]}, expected one JSON object on each line", number) from None


# CSV


def _read_csv(path: Path, lines: Lines, rows: LogRows) -> None:
    taken = _Numbered(cast(Iterator[tuple[int, Any]], lines))
    number, first = next(taken)
    separator = max(SEPARATORS, key=first.count)
    cells = csv.reader(chain([first], (f"{line}\n" for _, line in taken)), delimiter=separator, strict=True)
    try:
        columns = _header(path, next(cells, []), number, first)
        rows.unread.update(dict.fromkeys(name for name in columns if name not in FIELDS))
        _add_csv(path, cells, columns, taken, rows)
    except csv.Error as fault:
        raise FormatError(path, f"the line cannot be split into columns ({fault})", taken.line) from None


def _header(path: Path, names: list[str], number: int, first: str) -> list[str]:
    columns = [name.strip().lower() for name in names]
    if "session" not in columns:
        raise FormatError(path, f"found “{beginning(first.encode())}”, {EXPECTED}", number)
    if len(set(columns)) < len(columns):
        raise FormatError(path, "a column has the name of another, expected names that differ", number)
    return columns


def _add_csv(path: Path, cells: Iterable[list[str]], columns: list[str], taken: _Numbered, rows: LogRows) -> None:
    for row in cells:
        try:
            if len(row) != len(columns):
                raise UnfitRow(f"{len(row)} columns, expected {len(columns)} as in the header")  # noqa: TRY301 -- the line is added below
            rows.add({name: _CELLS[name](cell) for name, cell in zip(columns, row, strict=True) if cell and name in _CELLS})
        except UnfitRow as fault:
            raise FormatError(path, str(fault), taken.line) from None


def _number(cell: str) -> float:
    if not NUMBER.fullmatch(cell.strip()):
        raise UnfitRow(f"latency_ms {shorn(cell)} is not a number")
    return float(cell)


def _time(cell: str) -> float | str:
    return float(cell) if ":" not in cell and NUMBER.fullmatch(cell) else cell.strip()


def _results(cell: str) -> Any:
    if cell.startswith("["):
        return _json_cell(cell, "results")
    if not WHOLE.fullmatch(cell.strip()) or len(cell) > 20:
        raise UnfitRow(f"results {shorn(cell)}, expected a count or a JSON list of ids")
    return int(cell)


def _clicks(cell: str) -> Any:
    return _json_cell(cell, "clicks") if cell.startswith("[") else [_click(part) for part in cell.split()]


def _click(part: str) -> dict[str, Any]:
    """Return a click from `rank`, `rank:dwell` or `rank:dwell:act`."""
    rank, _, rest = part.partition(":")
    dwell, acts, act = rest.partition(":")
    if not WHOLE.fullmatch(rank) or len(rank) > 20 or (dwell and not NUMBER.fullmatch(dwell)):
        raise UnfitRow(f"click {shorn(part)}, expected rank, rank:dwell or rank:dwell:act")
    click: dict[str, Any] = {"rank": int(rank)}
    if dwell:
        click["dwell"] = float(dwell)
    if acts:
        click["act"] = act
    return click


def _json_cell(cell: str, name: str) -> Any:
    try:
        return _JSON.decode(cell)
    except (ValueError, RecursionError):
        raise UnfitRow(f"{name} {shorn(cell)} is not a JSON list") from None


_CELLS: dict[str, Callable[[str], Any]] = {
    "session": str,
    "time": _time,
    "results": _results,
    "clicks": _clicks,
    "latency_ms": _number,
    "variant": str,
}
