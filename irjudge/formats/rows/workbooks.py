"""Rows of a spreadsheet (.xlsx), read as text, one at a time, within bounds that a bomb would break."""

import re
import warnings
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, datetime, time
from itertools import chain, islice
from pathlib import Path
from typing import Any, BinaryIO

from irjudge.errors import FormatError
from irjudge.formats.bytes.archives import BROKEN, SUSPICIOUS_RATIO, SUSPICIOUS_SIZE
from irjudge.formats.bytes.one_file import Given, OneFile, one_file
from irjudge.formats.bytes.utf8 import megabytes, without_half_characters
from irjudge.formats.remarks import Oddity, Remarks
from irjudge.message import Message

ENDINGS = (".xlsx", ".xlsm")
LARGEST_PART = (
    8 * 1024 * 1024
)  # of what is read whole: styles, names; each of their elements costs fifty times its bytes
STREAMED = re.compile(r"xl/(?:worksheets/.*|sharedStrings\.xml)", re.IGNORECASE)
MOST_ROWS = 1 << 20  # as many as a spreadsheet has
MOST_COLUMNS = 256
BATCH = 1000  # rows that warnings are held off for at a time

SHEET_LEFT_OUT = Oddity(
    "The first sheet was read; 1 other sheet was left out: {first}.",
    "The first sheet was read; {count} other sheets were left out, beginning with {first}.",
    key="sheet-left-out",
)

# How a sheet's XML spells characters that XML cannot hold; openpyxl leaves it as it stands.
_ESCAPED = re.compile("_x([0-9A-Fa-f]{4})_")

# What openpyxl raises on files that are no spreadsheets; of XML too, whose errors are of these kinds.
_WRONG = (*BROKEN, SyntaxError, TypeError, AttributeError, MemoryError, AssertionError)


def is_workbook(given: Given) -> bool:
    """Tell whether a regular file is a zip archive that is named as a spreadsheet or holds one; never raises."""
    try:
        with one_file(given) as file:
            if not file.path.is_file() or not file.is_zip():
                return False
            return file.path.suffix.lower() in ENDINGS or _holds_sheets(file.raw())
    except (OSError, ValueError):
        return False


def workbook_rows(given: Given, remarks: Remarks) -> Iterator[tuple[int, list[str]]]:
    """Yield the number, from 1, and the cells of each row of the first sheet, as text; 256 columns at most.

    A whole number is written without a point, nothing as an empty text, a date as in 2026-01-31. Formulas give the value that was saved.
    """
    with one_file(given) as file:
        _weigh(file)
        with _faults(file.path):
            book = _opened(file.raw())
        yield from _rows(file.path, book, remarks)


def _opened(file: BinaryIO) -> Any:
    """Open a spreadsheet; the texts that cells share are read as far as a cell asks, so that a header costs what is in it."""
    from openpyxl.cell.text import Text  # noqa: PLC0415 -- takes a tenth of a second, and few files are spreadsheets
    from openpyxl.reader.excel import ExcelReader  # noqa: PLC0415
    from openpyxl.xml.constants import SHARED_STRINGS, SHEET_MAIN_NS  # noqa: PLC0415
    from openpyxl.xml.functions import iterparse  # noqa: PLC0415

    item, plain = f"{{{SHEET_MAIN_NS}}}si", f"{{{SHEET_MAIN_NS}}}t"

    def texts(archive: zipfile.ZipFile, part: str) -> Iterator[str]:
        with archive.open(part) as source:
            for _, node in iterparse(source):
                if node.tag == item:
                    alone = len(node) == 1 and node[0].tag == plain
                    yield ((node[0].text or "") if alone else Text.from_tree(node).content).replace(
                        "x005F_", ""
                    )
                    node.clear()

    class Reader(ExcelReader):  # type: ignore[misc]
        def read_strings(self) -> None:
            part = self.package.find(SHARED_STRINGS)
            self.shared_strings = _Shared(
                texts(self.archive, part.PartName[1:]) if part is not None else iter(())
            )

    reader = Reader(file, read_only=True, data_only=True, keep_links=False)
    reader.read()
    return reader.wb


class _Shared:
    """The texts that cells share, by number."""

    def __init__(self, texts: Iterator[str]) -> None:
        self._texts, self._read = texts, list[str]()

    def __getitem__(self, number: int) -> str:
        if number < 0:
            raise IndexError(number)
        if number >= len(self._read):
            self._read.extend(islice(self._texts, number + 1 - len(self._read)))
        return self._read[number]


def _rows(path: Path, book: Any, remarks: Remarks) -> Iterator[tuple[int, list[str]]]:
    sheets = book.worksheets
    if not sheets:
        raise FormatError(path, Message("the spreadsheet has no sheet with cells", key="no-sheet"))
    if len(sheets) > 1:
        for sheet in sheets[1:]:
            remarks.add(SHEET_LEFT_OUT, without_half_characters(sheet.title))
    # What a sheet says of its own size may be wrong by millions: bounds are given.
    rows = sheets[0].iter_rows(max_row=MOST_ROWS + 1, max_col=MOST_COLUMNS, values_only=True)
    batches: Iterator[list[tuple[object, ...]]] = iter(lambda: _next(path, rows), [])
    for number, row in enumerate(chain.from_iterable(batches), 1):
        if number > MOST_ROWS:
            raise FormatError(
                path,
                Message(
                    "more than {most_rows:,} rows, expected a sheet that a spreadsheet program can show",
                    key="too-many-rows",
                    most_rows=MOST_ROWS,
                ),
                number,
            )
        if row.count(None) < len(row) and any(cells := [_text(value) for value in row]):
            yield number, cells[: 1 + max(place for place, cell in enumerate(cells) if cell)]


def _next(path: Path, rows: Iterator[tuple[object, ...]]) -> list[tuple[object, ...]]:
    with _faults(path):
        return list(islice(rows, BATCH))


def _text(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    if isinstance(value, datetime | date | time):
        return value.isoformat()
    return without_half_characters(_ESCAPED.sub(lambda match: chr(int(match[1], 16)), str(value)))


def _weigh(file: OneFile) -> None:
    """Refuse what unpacks to much more than a spreadsheet would; no more than the sizes it states comes out of a zip archive."""
    path = file.path
    with _faults(path), zipfile.ZipFile(file.raw()) as archive:
        size, parts = path.stat().st_size, archive.infolist()
    unpacked = sum(part.file_size for part in parts)
    if unpacked > SUSPICIOUS_SIZE and unpacked > SUSPICIOUS_RATIO * size:
        raise FormatError(
            path,
            Message(
                "{size:,} packed bytes expand to {megabytes}; it looks like a bomb and is not read",
                key="bomb",
                size=size,
                megabytes=megabytes(unpacked),
            ),
        )
    for part in parts:
        if (
            part.file_size > LARGEST_PART
            and part.filename.endswith((".xml", ".rels"))
            and not STREAMED.fullmatch(part.filename)
        ):
            problem = Message(
                "{filename} in the spreadsheet has {size}, expected {most} at most",
                filename=part.filename,
                size=megabytes(part.file_size),
                most=megabytes(LARGEST_PART),
            )
            raise FormatError(
                path,
                Message(
                    "{problem}; save the sheet as CSV and read that",
                    key="large-part",
                    problem=problem,
                ),
            )


def _holds_sheets(file: BinaryIO) -> bool:
    try:
        with zipfile.ZipFile(file) as archive:
            return any(name.startswith("xl/") for name in archive.namelist())
    except BROKEN:
        return False


@contextmanager
def _faults(path: Path) -> Iterator[None]:
    """Say in a sentence what a broken file raises."""
    try:
        with warnings.catch_warnings(
            action="ignore"
        ):  # of styles and validations, which nobody here reads
            yield
    except FormatError:
        raise
    except _WRONG as fault:
        reason = (str(fault).splitlines() or [type(fault).__name__])[0].rstrip(".")
        raise FormatError(
            path,
            Message(
                "the spreadsheet is damaged and cannot be read ({reason})",
                key="damaged",
                reason=reason,
            ),
        ) from fault
