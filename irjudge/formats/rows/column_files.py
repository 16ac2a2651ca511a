"""Rows of a table that is kept by columns (Parquet, Arrow IPC), read as text, a batch at a time."""

from collections.abc import Iterator
from datetime import date, datetime, time
from typing import Any

import pyarrow as pa

from irjudge.errors import FormatError
from irjudge.formats.bytes.single import Given, OneFile, one_file
from irjudge.formats.bytes.utf8 import without_half_characters
from irjudge.message import Message

PARQUET, ARROW = "Parquet", "Arrow IPC"
MARKS = {b"PAR1": PARQUET, b"ARROW1": ARROW}  # with which each begins
BATCH = 10_000  # rows
_TEXTS = (str, int, float, bool, date, time, type(None))


def column_form(given: Given) -> str:
    """Return which form a regular file of columns has; nothing for any other file."""
    try:
        with one_file(given) as file:
            return next((form for mark, form in MARKS.items() if file.path.is_file() and file.begins(mark)), "")
    except OSError:
        return ""


def column_rows(given: Given, form: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the number, from 1, and the cells of each row as text, the names of the columns first.

    A number without a fraction is written without a point, nothing as an empty text.
    """
    with one_file(given) as file:
        try:
            names, batches = _opened(file, form)
            yield 1, [without_half_characters(name) for name in names]
            first = 2
            for batch in batches:
                columns = [column.to_pylist() for column in batch.columns]
                for line, values in enumerate(zip(*columns, strict=True), first):
                    yield line, [_text(file, name, value) for name, value in zip(names, values, strict=True)]
                first += batch.num_rows
        except (pa.ArrowException, OSError, ValueError) as fault:
            reason = (str(fault).splitlines() or [type(fault).__name__])[0].rstrip(".")[:200]
            raise FormatError(file.path, Message("the {form} file cannot be read ({reason})", form=form, reason=reason)) from fault


def _opened(file: OneFile, form: str) -> tuple[list[str], Iterator[Any]]:
    """Return the names of the columns, and the rows in batches."""
    if form == PARQUET:
        import pyarrow.parquet  # noqa: PLC0415 -- few files are Parquet

        parquet = pyarrow.parquet.ParquetFile(file.raw())
        return list(parquet.schema_arrow.names), parquet.iter_batches(BATCH)
    reader = pa.ipc.open_file(file.raw())
    return list(reader.schema.names), (reader.get_batch(place) for place in range(reader.num_record_batches))


def _text(file: OneFile, name: str, value: object) -> str:
    if value is None or value != value:
        return ""
    if not isinstance(value, _TEXTS):
        problem = Message("the column {name} holds {kind}, expected text or numbers", name=name, kind=type(value).__name__)
        raise FormatError(file.path, problem)
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    if isinstance(value, datetime | date | time):
        return value.isoformat()
    return without_half_characters(str(value))
