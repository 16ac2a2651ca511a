"""Tables with a header, as text, spreadsheets and columnar files."""

import csv
import io
import json
import re
import warnings
import zipfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import IO, Any, BinaryIO, Self, TypeAlias

import pyarrow as pa

from irjudge.errors import FormatError, Undecided
from irjudge.formats.bytes import (
    READ_ERRORS,
    ArchiveEntry,
    DeflatedArchive,
    FileSource,
    InputFile,
    check_decompressed_size,
    decode_text,
    format_megabytes,
    open_input,
    open_single_text,
    parse_encoding_option,
    read_limited,
    replace_surrogates,
    to_utf8_stream,
)
from irjudge.formats.reader_warnings import IGNORED_COLUMN, IGNORED_ID, ReaderWarnings, WarningKind
from irjudge.formats.rows.cells_without_formulas import unescape_rows
from irjudge.formats.rows.columns import MAX_SHOWN_CHARACTERS
from irjudge.formats.rows.decoded_size import (
    COLUMN_ERRORS,
    DecodedTotal,
    IpcFooter,
    check_column_type,
    check_size,
    measure_chunk,
    measure_rows,
    measure_text_size,
    read_at,
    read_column_chunks,
)
from irjudge.formats.rows.mapping import (
    AS_RECOGNISED,
    SAMPLED_ROWS,
    CandidateColumn,
    ColumnMapping,
    describe_columns,
    format_choices,
    format_columns,
    is_header,
    list_candidate_columns,
)
from irjudge.formats.rows.records import (
    MAX_LIST_BYTES,
    check_cell_count,
    has_rubrics,
    iter_json_lines,
    iter_json_list,
    list_head_lines,
    make_rubrics_error,
)
from irjudge.message import Message, join_messages
from irjudge.model import DOCUMENT_NAMES, MIN_ROUNDED_NUMBER, TOPIC_NAMES, is_id_like

# Rows of a spreadsheet (.xlsx) as text, read one by one, with limits on size

# maximum bytes of a part that is read completely, such as the styles; its elements need fifty times
# as many bytes in memory
MAX_PART_BYTES = 8 * 1024 * 1024
# Maximum number of XML elements of a part that is read completely. openpyxl needs 23 s and 0.7 GB
# for a million elements; spreadsheet programs allow 65,490 styles of up to three elements each.
MAX_PART_ELEMENTS = 200_000
# maximum bytes of all parts read before the first row, or from one row to the next
MAX_XML_BYTES = 16 << 20
# maximum tags before the first row, or from one row to the next; a row has up to 16,384 cells, and
# a cell up to six tags
MAX_TAGS = 400_000
# maximum bytes up to the end of a tag, including the text before it; a cell has at most 32,767
# characters
MAX_TAG_BYTES = 1 << 20
READ_BYTES = 64 << 10  # bytes per read; Expat parses an incomplete tag again at each read
MAX_PARTS = 10_000
MIN_BOMB_BYTES = 4 << 20  # total size of the parts above which the compression ratio is checked
# maximum characters of a number format; spreadsheet programs allow 255, before escaping
MAX_FORMAT_LENGTH = 1000
_LONG_FORMAT = re.compile(
    rb"""formatCode\s*+=\s*+(?:"[^"]{%d}|'[^']{%d})""" % (MAX_FORMAT_LENGTH, MAX_FORMAT_LENGTH)
)
# bytes that are counted for each opened part in addition to its content, since a file may have any
# number of parts
PART_OVERHEAD_BYTES = 4096
# number of shared strings that is always allowed; a larger number must not exceed the number of
# compressed bytes, since openpyxl needs four seconds for a million strings
MIN_CHECKED_STRINGS = 200_000
PICTURE_FOLDER = "xl/media/"
STREAMED_PARTS = re.compile(r"xl/(?:worksheets/.*|sharedStrings\.xml)", re.IGNORECASE)
MAX_ROWS = 1 << 20  # maximum number of rows in spreadsheet programs
MAX_COLUMNS = 256
WARNING_BATCH = 1000  # number of rows read together, while warnings of openpyxl are suppressed

SHEET_LEFT_OUT = WarningKind(
    "Read the first sheet; skipped 1 other: {first}.",
    "Read the first sheet; skipped {count} others. First: {first}.",
    key="sheet-left-out",
)

SHEET_CHOSEN = WarningKind(
    "Read the sheet {first}, which has the required columns; skipped the others.",
    "Read the sheet {first}, which has the required columns; skipped the others.",
    key="sheet-chosen",
)
ROWS_ABOVE = WarningKind(
    "Skipped 1 row above the header: {first}.",
    "Skipped {count} rows above the header. First: {first}.",
    key="rows-above-header",
)
MAX_HEADER_LENGTH = 1000  # maximum number of characters that are read from a header cell
MAX_ROWS_ABOVE = 20  # number of rows at the beginning of a sheet that may be the header

# escape sequences of characters that XML cannot represent; openpyxl does not decode them
_ESCAPED_CHARACTER = re.compile("_x([0-9A-Fa-f]{4})_")

# Errors that openpyxl and its XML parser raise for files that are not spreadsheets.
_WORKBOOK_ERRORS: tuple[type[Exception], ...] = (
    *READ_ERRORS,
    SyntaxError,
    TypeError,
    AttributeError,
    MemoryError,
    AssertionError,
)
_UNREADABLE: tuple[type[Exception], ...] = (*READ_ERRORS, FormatError)


def is_workbook(source: FileSource) -> bool:
    """Return whether a regular file is a zip archive named like a spreadsheet or containing one.

    For an unreadable file, the result is False.
    """
    try:
        with open_input(source) as file:
            return (
                file.path.is_file()
                and file.is_zip()
                and (file.path.suffix.lower() in (".xlsx", ".xlsm") or _has_sheets(file.raw()))
            )
    except (OSError, ValueError):
        return False


def iter_workbook_rows(
    source: FileSource,
    warnings: ReaderWarnings,
    column_kinds: Sequence["ColumnKind"] = (),
    columns: ColumnMapping = AS_RECOGNISED,
) -> Iterator[tuple[int, list[str]]]:
    """Yield the number, from 1, and the cells of each row of a sheet as text; at most 256 columns.

    The sheet is the one given in `columns` or, if none is given, the one with the best header. A
    header is a row that contains all column names in `columns` or, if there are none, names of two
    parts. Rows above the header are omitted. Integers have no decimal point, empty cells are empty
    texts, and dates are written as 2026-01-31. The text of a formula is its saved value.
    """
    with open_input(source) as file:
        _check_decompressed_size(file)
        with _convert_workbook_errors(file.path):
            sheets, archive = _open_workbook(file)
        yield from _iter_sheet_rows(file.path, sheets, archive, warnings, column_kinds, columns)


class _BoundedArchive(DeflatedArchive):
    """Zip archive of a spreadsheet that limits the bytes and tags read for one row or text.

    The limits are needed because openpyxl stores everything up to the next row in memory.
    """

    def __init__(self, file: InputFile) -> None:
        super().__init__(file.raw())
        self._path = file.path
        self.reset_limits()

    def reset_limits(self) -> None:
        """Reset the counts of bytes and tags when a row or text is complete."""
        self._remaining_bytes, self._tags_left = MAX_XML_BYTES, MAX_TAGS

    def count_bytes(self, size: int) -> None:
        """Count bytes that were read; raise FormatError if the limit of bytes is exceeded."""
        self._remaining_bytes -= size
        if self._remaining_bytes < 0:
            raise FormatError(
                self._path,
                Message(
                    "the spreadsheet has {limit} or more of data before the next row; save the "
                    "sheet as CSV and read the CSV file",
                    key="large-row",
                    limit=format_megabytes(MAX_XML_BYTES),
                ),
            )

    def count_tags(self, count: int, tag_size: int) -> None:
        """Count tags that were read; raise FormatError if the limit of tags is exceeded.

        FormatError is also raised if `tag_size`, the size of the longest tag in bytes, is too high.
        """
        self._tags_left -= count
        if self._tags_left < 0 or tag_size > MAX_TAG_BYTES:
            raise FormatError(
                self._path,
                Message(
                    "the spreadsheet has too many or too long elements before the next row; save "
                    "the sheet as CSV and read the CSV file",
                    key="large-row",
                ),
            )

    def open(self, name: str | zipfile.ZipInfo, *arguments: Any, **options: Any) -> Any:
        """Open a part; its bytes and tags are counted when they are read."""
        part = name if isinstance(name, zipfile.ZipInfo) else self.getinfo(name)
        check_decompressed_size(self._path, part.file_size, MIN_BOMB_BYTES, part.compress_size)
        self.count_bytes(PART_OVERHEAD_BYTES)
        return _CountedPart(super().open(name, *arguments, **options), self)

    def read(self, *arguments: Any, **options: Any) -> bytes:
        """Read a whole part; check the number of elements and the length of number formats.

        The length is limited because openpyxl parses number formats in quadratic time.
        """
        data = super().read(*arguments, **options)
        if (count := data.count(b"<") - data.count(b"</")) > MAX_PART_ELEMENTS:
            raise FormatError(
                self._path,
                Message(
                    "{problem}; save the sheet as CSV and read the CSV file",
                    key="large-part",
                    problem=Message(
                        "a part of the spreadsheet has {count:,} elements, such as styles or names; "
                        "expected at most {limit:,}",
                        count=count,
                        limit=MAX_PART_ELEMENTS,
                    ),
                ),
            )
        if _LONG_FORMAT.search(data):
            raise FormatError(
                self._path,
                Message(
                    "the spreadsheet has a number format of more than {limit} characters; save "
                    "the sheet as CSV and read the CSV file",
                    key="large-format",
                    limit=MAX_FORMAT_LENGTH,
                ),
            )
        return data


class _CountedPart:
    """Stream of a part of a spreadsheet; bytes and tags count towards the archive's limits."""

    def __init__(self, source: IO[bytes], archive: _BoundedArchive) -> None:
        self._source, self._archive = source, archive
        self._tag_size = 0  # number of bytes since the last tag ended

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def read(self, size: int = -1) -> bytes:
        """Read and count at least `READ_BYTES` bytes, unless the part ends.

        Tags are only counted in parts that are read in pieces.
        """
        data = self._source.read(max(size, READ_BYTES) if size >= 0 else size)
        self._archive.count_bytes(len(data))
        if size < 0:
            return data
        end = data.rfind(b">")
        self._tag_size = len(data) - end - 1 if end >= 0 else self._tag_size + len(data)
        self._archive.count_tags(data.count(b"<"), self._tag_size)
        return data

    def close(self) -> None:
        self._source.close()


def _open_workbook(file: InputFile) -> tuple[Sequence[Any], _BoundedArchive]:
    """Return the sheets of a spreadsheet, and its archive.

    Shared strings are read only when needed, so that a header can be read quickly.
    """
    from openpyxl.reader.excel import ExcelReader  # noqa: PLC0415 -- takes a tenth of a second, and few files are spreadsheets
    from openpyxl.worksheet._read_only import ReadOnlyWorksheet  # noqa: PLC0415
    from openpyxl.xml.constants import SHARED_STRINGS  # noqa: PLC0415

    class UnmeasuredSheet(ReadOnlyWorksheet):  # type: ignore[misc]
        def _get_size(self) -> None:
            """Do nothing; the overridden method reads all rows of a sheet of unknown size."""

    class LazyReader(ExcelReader):  # type: ignore[misc]
        def read_strings(self) -> None:
            part = self.package.find(SHARED_STRINGS)
            self.shared_strings = _SharedStrings(
                _iter_shared_strings(file.path, self.archive, part.PartName[1:])
                if part is not None
                else iter(())
            )

        def read_worksheets(self) -> None:
            for sheet, relationship in self.parser.find_sheets():
                if relationship.target not in self.valid_files:
                    continue
                if "chartsheet" in relationship.Type:
                    self.read_chartsheet(sheet, relationship)
                    continue
                self.wb._sheets.append(
                    UnmeasuredSheet(self.wb, sheet.name, relationship.target, self.shared_strings)
                )

    reader = LazyReader(file.raw(), read_only=True, data_only=True, keep_links=False)
    reader.archive = bounded_archive = _BoundedArchive(file)
    reader.read()
    return reader.wb.worksheets, bounded_archive


def _iter_shared_strings(path: Path, archive: _BoundedArchive, part: str) -> Iterator[str]:
    """Yield the shared strings of a spreadsheet; raise FormatError if there are too many."""
    from openpyxl.cell.text import Text  # noqa: PLC0415
    from openpyxl.xml.constants import SHEET_MAIN_NS  # noqa: PLC0415
    from openpyxl.xml.functions import iterparse  # noqa: PLC0415

    item, text_tag = f"{{{SHEET_MAIN_NS}}}si", f"{{{SHEET_MAIN_NS}}}t"
    limit = max(MIN_CHECKED_STRINGS, archive.getinfo(part).compress_size)
    count = 0
    with archive.open(part) as source:
        nodes = iterparse(source, ("start", "end"))
        _, root = next(nodes)
        for event, node in nodes:
            if event == "end" and node.tag == item:
                archive.reset_limits()
                count += 1
                if count > limit:
                    raise FormatError(
                        path,
                        Message(
                            "the spreadsheet has more than {limit:,} texts, which are too many for "
                            "its size; save the sheet as CSV and read the CSV file",
                            key="large-part",
                            limit=limit,
                        ),
                    )
                is_single = len(node) == 1 and node[0].tag == text_tag
                text = (node[0].text or "") if is_single else Text.from_tree(node).content
                yield text.replace("x005F_", "")
                root.clear()  # otherwise, it would contain an element for each string


class _SharedStrings:
    """Shared strings of a spreadsheet, which are read up to the highest index used so far."""

    def __init__(self, texts: Iterator[str]) -> None:
        self._texts, self._read_texts = texts, list[str]()

    def __getitem__(self, number: int) -> str:
        if number < 0:
            raise IndexError(number)
        if number >= len(self._read_texts):
            self._read_texts.extend(islice(self._texts, number + 1 - len(self._read_texts)))
        return self._read_texts[number]


def _find_header(
    path: Path, sheet: Any, column_kinds: Sequence["ColumnKind"], columns: ColumnMapping
) -> tuple[int, list[str]]:
    """Return the row number, from 1, and the cells of the header; number 0 if there is none.

    The header is the first row that contains all column names given by the user or, if there are
    none, names of two parts. If the user gave column numbers, there is no header.
    """
    if columns.numbers() is not None:
        return 0, []
    mapped_names = {name.lower() for _, name in columns.named if not name.isdecimal()}
    rows = sheet.iter_rows(max_row=MAX_ROWS_ABOVE, max_col=MAX_COLUMNS, values_only=True)
    for number, row in enumerate(_read_next_rows(path, rows), 1):
        cells = [
            _format_cell(value[:MAX_HEADER_LENGTH] if isinstance(value, str) else value).strip()
            for value in row
        ]
        if (
            mapped_names <= {cell.lower() for cell in cells}
            if mapped_names
            else names_parts(cells, column_kinds)
        ):
            return number, cells
    return 0, []


def _rate_header(
    cells: Sequence[str], column_kinds: Sequence["ColumnKind"]
) -> tuple[int, int, int, int]:
    """Return a sort key for headers; the best header has the highest key.

    The key consists of the number of required parts and the number of all parts in the header, how
    common the names of these parts are, and the negative number of columns.
    """
    names = {_normalise_column_name(cell) for cell in cells if cell}
    matches = [
        (part.needed, min(map(part.column_names.index, part_names)))
        for part in column_kinds
        if (part_names := names.intersection(part.column_names))
    ]
    return (
        sum(is_needed for is_needed, _ in matches),
        len(matches),
        -sum(rank for _, rank in matches),
        -len(names),
    )


def _choose_sheet(
    path: Path, sheets: Sequence[Any], column_kinds: Sequence["ColumnKind"], columns: ColumnMapping
) -> tuple[int, Any]:
    """Return the row number of the header, and the sheet to read.

    The row number is 0 if there is no header. The sheet is the one that the user named or, if the
    user named none, the first sheet with the best header.
    """
    if columns.sheet:
        name = columns.sheet.strip().casefold()
        titles = [sheet.title for sheet in sheets]
        sheets = [sheet for sheet in sheets if sheet.title.strip().casefold() == name]
        if not sheets:
            raise FormatError(
                path,
                Message(
                    "there is no sheet {sheet}; expected one of {sheets}",
                    key="unknown-sheet",
                    sheet=columns.sheet,
                    sheets=format_columns(titles),
                ),
            )
    headers = [(*_find_header(path, sheet, column_kinds, columns), sheet) for sheet in sheets]
    line, _, sheet = max(
        headers, key=lambda candidate: (candidate[0] > 0, _rate_header(candidate[1], column_kinds))
    )
    return line, sheet


def _iter_sheet_rows(
    path: Path,
    sheets: Sequence[Any],
    archive: _BoundedArchive,
    warnings: ReaderWarnings,
    column_kinds: Sequence["ColumnKind"],
    columns: ColumnMapping,
) -> Iterator[tuple[int, list[str]]]:
    if not sheets:
        raise FormatError(path, Message("the spreadsheet has no sheet with cells", key="no-sheet"))
    header, selected_rows = _choose_sheet(path, sheets, column_kinds, columns)
    if columns.sheet:
        pass  # the user selected the sheet, so that no warning is needed
    elif selected_rows is not sheets[0]:
        warnings.add(SHEET_CHOSEN, replace_surrogates(selected_rows.title))
    else:
        for sheet in sheets[1:]:
            warnings.add(SHEET_LEFT_OUT, replace_surrogates(sheet.title))
    # limits are necessary, since the dimensions stored in a sheet may be far too large
    archive.reset_limits()
    rows = _reset_limits_after_each(
        selected_rows.iter_rows(max_row=MAX_ROWS + 1, max_col=MAX_COLUMNS, values_only=True),
        archive,
    )
    batches: Iterator[list[tuple[object, ...]]] = iter(lambda: _read_next_rows(path, rows), [])
    text_length = 0  # number of characters of all cells; many cells can share one stored text
    for number, row in enumerate(chain.from_iterable(batches), 1):
        if number > MAX_ROWS:
            raise FormatError(
                path,
                Message(
                    "more than {limit:,} rows; expected a sheet that a spreadsheet program "
                    "can show",
                    key="too-many-rows",
                    limit=MAX_ROWS,
                ),
                number,
            )
        if row.count(None) == len(row):  # openpyxl adds all missing rows above a row
            continue
        text_length += sum(len(value) for value in row if isinstance(value, str))
        check_decompressed_size(path, text_length)
        if any(cells := [_format_cell(value) for value in row]):
            if number < header:
                warnings.add(ROWS_ABOVE, " ".join(filter(None, cells))[:MAX_SHOWN_CHARACTERS])
                continue
            yield number, cells[: 1 + max(index for index, cell in enumerate(cells) if cell)]


def _reset_limits_after_each(
    rows: Iterator[tuple[object, ...]], archive: _BoundedArchive
) -> Iterator[tuple[object, ...]]:
    for row in rows:
        archive.reset_limits()
        yield row


def _read_next_rows(path: Path, rows: Iterator[tuple[object, ...]]) -> list[tuple[object, ...]]:
    with _convert_workbook_errors(path):
        return list(islice(rows, WARNING_BATCH))


class ConvertedText(str):
    """Text of a spreadsheet cell that contains a date, time, duration or truth value, not a text.

    As an id, it is an error (`check_ids`): the spreadsheet program may have converted the id.
    """

    __slots__ = ()


def _format_cell(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return ConvertedText(str(value).upper())
    if isinstance(value, str):
        value = _ESCAPED_CHARACTER.sub(lambda match: chr(int(match[1], 16)), value)
    text = _format_scalar(value)
    return ConvertedText(text) if isinstance(value, datetime | date | time | timedelta) else text


def _format_scalar(value: object) -> str:
    if isinstance(value, float) and value.is_integer() and abs(value) < MIN_ROUNDED_NUMBER:
        return str(int(value))
    if isinstance(value, datetime | date | time):
        return value.isoformat()
    return replace_surrogates(str(value))


def _check_decompressed_size(file: InputFile) -> None:
    """Raise FormatError for a spreadsheet whose parts are too large in total after decompression.

    The declared sizes are checked; no member of a zip archive can exceed its declared size.
    Pictures are not checked, since they are not read.
    """
    path = file.path
    with _convert_workbook_errors(path), zipfile.ZipFile(file.raw()) as archive:
        parts = archive.infolist()
    if len(parts) > MAX_PARTS:
        raise FormatError(
            path,
            Message(
                "the spreadsheet has {count:,} parts; expected at most {limit:,}",
                key="too-many-parts",
                count=len(parts),
                limit=MAX_PARTS,
            ),
        )
    parts = [part for part in parts if not part.filename.startswith(PICTURE_FOLDER)]
    check_decompressed_size(path, sum(part.file_size for part in parts), MIN_BOMB_BYTES)
    for part in parts:
        check_decompressed_size(path, part.file_size, MIN_BOMB_BYTES, part.compress_size)
        if (
            part.file_size > MAX_PART_BYTES
            and part.filename.endswith((".xml", ".rels"))
            and not STREAMED_PARTS.fullmatch(part.filename)
        ):
            raise FormatError(
                path,
                Message(
                    "{problem}; save the sheet as CSV and read the CSV file",
                    key="large-part",
                    problem=Message(
                        "{name} in the spreadsheet has a size of {size}; expected at most {limit}",
                        name=part.filename,
                        size=format_megabytes(part.file_size),
                        limit=format_megabytes(MAX_PART_BYTES),
                    ),
                ),
            )


def _has_sheets(file: BinaryIO) -> bool:
    try:
        with zipfile.ZipFile(file) as archive:
            return any(name.startswith("xl/") for name in archive.namelist())
    except READ_ERRORS:
        return False


@contextmanager
def _convert_workbook_errors(path: Path) -> Iterator[None]:
    """Context manager that converts errors raised for a corrupt spreadsheet to FormatError."""
    try:
        with warnings.catch_warnings(
            action="ignore"
        ):  # openpyxl warns about styles and validations, which are not used
            yield
    except FormatError:
        raise
    except _WORKBOOK_ERRORS as error:
        raise FormatError(
            path,
            Message(
                "the spreadsheet is damaged and cannot be read ({reason})",
                key="damaged",
                reason=(str(error).splitlines() or [type(error).__name__])[0].rstrip(".")[:200],
            ),
        ) from error


# Tables with a header, from text, spreadsheets or columnar files. Columns are recognised by name or
# mapped by the user.

SEPARATORS = ",\t;"
FORMAT_BY_SEPARATOR = {",": "CSV", "\t": "TSV", ";": Message("CSV with semicolons")}
WORKBOOK, JSON, RECORDS = "spreadsheet", "JSON", Message("JSON records")
DETECTION_BYTES = 4096  # number of bytes read to detect the format
# number of bytes read to detect records; the first records may contain long texts
RECORD_DETECTION_BYTES = 64 * 1024
MAX_DIGITS = 9
# maximum number of separators in the first line, and in other lines, where texts may be long
MAX_HEADER_CELLS, MAX_CELLS = 20_000, 1_000_000
# pattern of a line; io.StringIO would take four bytes per character
_LINE = re.compile(r"[^\r\n]*+(?:\r\n?|\n)|[^\r\n]++")
_OBJECT_START = re.compile(rb'\s*+\{\s*+(?:\}\s*+$|"(?:[^"\\]|\\.)*+"\s*+:)')
_WHOLE_NUMBER = re.compile(r"([+-]?\d+)(?:\.0+)?", re.ASCII)
ID_PARTS = frozenset({"topic", "document", "item", "worker", "assessor", "id"})
# an id that was stored as a floating-point number, such as 3.49521944028119E+16, or the error of a
# formula
_CHANGED_ID = re.compile(
    r"-?(?:\d(?:\.\d+)?[eE]\+\d{2,3}|\d{16,}\.0)"
    r"|#(?:N/A|REF!|VALUE!|NAME\?|NUM!|NULL!|DIV/0!|SPILL!|CALC!)",
    re.ASCII,
)
NAMED_MAPPING = AS_RECOGNISED


@dataclass(frozen=True, slots=True)
class ColumnKind:
    """Declaration of a column, such as topic or grade: its name, and its names in files.

    It also states whether the column is required, and whether spaces around its texts are kept. The
    texts are converted by the reader of each format.
    """

    name: str  # name in messages and in `--columns`
    column_names: tuple[str, ...]  # names of the column in files, in order of preference
    needed: bool = True  # whether a table must have the column
    verbatim: bool = False  # whether spaces at the beginning and end of its texts are kept
    # whether suggested mappings for `--columns` include this column although it is optional
    suggested: bool = False


TOPIC = ColumnKind("topic", TOPIC_NAMES)
DOCUMENT = ColumnKind("document", DOCUMENT_NAMES)
ASSESSOR = ColumnKind(
    "assessor",
    tuple("assessor worker judge annotator rater user username user_id annotator_id".split()),
)
GRADE = ColumnKind(
    "grade",
    tuple(
        "grade label relevance rel relevancy relevance_label relevance_grade rating judgment judgement gain score".split()
    ),
)


Row: TypeAlias = tuple[int, list[str]]
"""Line number and cells of a row."""


@dataclass(slots=True)
class ReadTable:
    """Open table: the columns that contain its parts, and an iterator that reads its rows.

    `records` yields the texts of the parts of each row. The rows can be iterated only once.
    """

    path: Path
    format_name: str  # name of the format
    rows: Iterator[Row]  # line number and cells of each non-empty row; can be iterated only once
    index_of_part: dict[str, int]  # column index of each part that is present
    unread: tuple[str, ...] = ()  # names of columns that are not read
    header: tuple[str, ...] = ()  # names of all columns; empty if columns are mapped by number
    # parts whose texts keep spaces at the beginning and end
    verbatim: frozenset[str] = frozenset()
    mapping: ColumnMapping = NAMED_MAPPING  # column mapping given by the user

    def unmapped_cells(self) -> dict[str, list[str]]:
        """Return the non-empty cells of each column without a part; keys are names or numbers."""
        self.rows = iter(rows := list(self.rows))
        cells_by_index: dict[int, list[str]] = {
            index: [] for index, name in enumerate(self.header) if name
        }
        for line, cells in rows:
            for index, cell in enumerate(cells):
                if not cell or cell.isspace():
                    continue
                if index >= len(self.header) > 0:
                    raise self._make_long_row_error(index + 1, line)
                cells_by_index.setdefault(index, []).append(cell.strip())
        name_counts = Counter(self.header)
        return {
            self._format_column_option(index, name_counts): cells
            for index, cells in sorted(cells_by_index.items())
            if index not in self.index_of_part.values()
        }

    def _make_long_row_error(self, count: int, line: int) -> FormatError:
        return FormatError(
            self.path,
            Message(
                "{cells} columns; expected {header}, as in the header",
                key="column-count",
                cells=count,
                header=len(self.header),
            ),
            line,
        )

    def candidates(self) -> list[CandidateColumn]:
        """Return the columns, with their first values, as candidates for a suggested mapping."""
        sample = list(islice(self.rows, SAMPLED_ROWS))
        self.rows = chain(sample, self.rows)
        cells = [row_cells for _, row_cells in sample]
        if not self.header:
            return list_candidate_columns(
                [""] * max(map(len, cells), default=0), cells, has_header=True
            )
        return _list_candidates(self.format_name, self.header, cells)

    def columns(self) -> dict[str, str]:
        """Return the column of each part, as its name or number in `--columns`."""
        name_counts = Counter(self.header)
        return {
            part: self._format_column_option(index, name_counts)
            for part, index in self.index_of_part.items()
        }

    def _format_column_option(self, index: int, name_counts: Mapping[str, int]) -> str:
        """Return the name of a column for `--columns`, or else its number.

        The number is returned if the name is empty, repeated or contains a comma.
        """
        name = self.header[index] if index < len(self.header) else ""
        return name if name and "," not in name and name_counts[name] == 1 else str(index + 1)

    def describe_mapping(self) -> str:
        """Return the mapping as text for a message, such as `topic is qid, document is column 2`."""
        return join_messages(
            Message("{part} is {name}", part=part, name=self._format_column_name(index))
            for part, index in self.index_of_part.items()
        )

    def _format_column_name(self, index: int) -> str:
        column_name = self.header[index] if index < len(self.header) else ""
        return column_name or Message("column {place}", place=index + 1)

    def make_empty_cell_error(self, part: str, line: int) -> FormatError:
        """Return the error for an empty cell in a required column."""
        return FormatError(
            self.path,
            Message(
                "the {part} is empty{note}",
                key="empty-cell",
                part=part,
                note=Message(
                    "; of merged cells, only the first has a value, and a formula has a value "
                    "only after a spreadsheet program has saved the file"
                )
                if self.format_name == WORKBOOK
                else "",
            ),
            line,
        )

    def report_unread(self, warnings: ReaderWarnings) -> None:
        """Warn about each unread column that looks like an id; add the others as unread fields."""
        self.report_ignored_ids(warnings)
        ids = self._find_ignored_ids()
        warnings.add_unread(name for name in self.unread if name not in ids)

    def report_ignored_ids(self, warnings: ReaderWarnings) -> None:
        """Warn about columns that look like ids but are not read."""
        for name, part in self._find_ignored_ids().items():
            warnings.add(
                IGNORED_ID,
                Message(
                    "{name} ({part} is {column})",
                    name=name,
                    part=part,
                    column=self._format_column_name(self.index_of_part[part]),
                ),
            )

    def report_other_columns(self, part: ColumnKind, warnings: ReaderWarnings) -> None:
        """Warn about unread columns that have names of a part that was read from another column.

        There is no warning if the user mapped the part.
        """
        if part.name not in self.index_of_part or part.name in dict(self.mapping.named):
            return
        column = self._format_column_name(self.index_of_part[part.name])
        for name in self.unread:
            if _normalise_column_name(name) in part.column_names:
                warnings.add(
                    IGNORED_COLUMN,
                    Message(
                        "{name} ({part} is {column})", name=name, part=part.name, column=column
                    ),
                )

    def _find_ignored_ids(self) -> dict[str, str]:
        """Return the part, topic or document, of each unread column that looks like an id.

        A part is omitted if it is missing from the table or the user mapped it.
        """
        user_columns = dict(self.mapping.named)
        return {
            name: part
            for part in (TOPIC.name, DOCUMENT.name)
            if part in self.index_of_part and part not in user_columns
            for name in self.unread
            if is_id_like(part, name)
        }

    def records(self) -> Iterator[tuple[int, dict[str, str]]]:
        """Yield the line number of each row, and the text in each of its parts.

        Raises FormatError for a row of text that has fewer cells than needed, or more than the
        header: its cells may be shifted, for example by a decimal comma.
        """
        min_count = max(self.index_of_part.values()) + 1
        for line, cells in self.rows:
            if len(cells) < min_count and self.format_name != WORKBOOK:
                raise FormatError(
                    self.path,
                    Message(
                        "number of columns: {count}; expected at least {expected}, as in the "
                        "header",
                        key="column-count",
                        count=len(cells),
                        expected=min_count,
                    ),
                    line,
                )
            if len(cells) > len(self.header) > 0 and self.format_name != WORKBOOK:
                for index, cell in enumerate(cells[len(self.header) :], len(self.header) + 1):
                    if cell.strip():
                        raise self._make_long_row_error(index, line)
            texts = {
                part: cells[index] if index < len(cells) else ""
                for part, index in self.index_of_part.items()
            }
            check_ids(self.path, line, texts)
            yield (
                line,
                {
                    part: text if part in self.verbatim else text.strip()
                    for part, text in texts.items()
                },
            )


def check_ids(path: Path, line: int, texts: Mapping[str, str]) -> None:
    """Raise FormatError for an id that was converted to another type or is an error of a formula.


    Spreadsheet programs convert ids to rounded numbers, dates, times and truth values, which can
    make distinct ids equal.
    """
    for part in ID_PARTS.intersection(texts):
        text = texts[part].strip()
        if _CHANGED_ID.fullmatch(text) or isinstance(texts[part], ConvertedText):
            raise FormatError(
                path,
                Message(
                    "the {part} {text} is not the original id, but a rounded number, a time, a "
                    "truth value or an error of a formula; store ids as text and export the table "
                    "again",
                    key="changed-id",
                    part=part,
                    text=text[:MAX_SHOWN_CHARACTERS],
                ),
                line,
            )


def is_integer(text: str) -> bool:
    """Return whether the text of a cell is an integer."""
    return _WHOLE_NUMBER.fullmatch(text) is not None


def parse_integer(path: Path, name: str, text: str, line: int) -> int:
    """Return the integer in a cell; a spreadsheet program may have written 2 as `2.0`."""
    match = _WHOLE_NUMBER.fullmatch(text)
    if not match:
        raise FormatError(
            path,
            Message(
                "{name} {text!r} is not a whole number",
                key="not-whole",
                name=name,
                text=text[:MAX_SHOWN_CHARACTERS],
            ),
            line,
        )
    if len(match[1].lstrip("+-0")) > MAX_DIGITS:
        raise FormatError(
            path,
            Message(
                "{name} {text!r} is too large; expected at most {limit} digits",
                key="large-number",
                name=name,
                text=text[:MAX_SHOWN_CHARACTERS],
                limit=MAX_DIGITS,
            ),
            line,
        )
    return int(match[1])


def _normalise_column_name(name: str) -> str:
    """Return the name of a column in its standard form: `Query ID` becomes `query_id`."""
    return "_".join(name.lower().split())


def names_parts(cells: Sequence[str], column_kinds: Sequence[ColumnKind]) -> bool:
    """Return whether a row is a header, which contains names of at least two parts."""
    names = {_normalise_column_name(cell) for cell in cells}
    return sum(not names.isdisjoint(part.column_names) for part in column_kinds) > 1


def detect_header_separator(head: bytes, column_kinds: Sequence[ColumnKind]) -> str | None:
    """Return the separator of columns in a header line; None if the line is not a header."""
    return next(
        (
            separator
            for line in list_head_lines(head)[:1]
            for separator in SEPARATORS
            if names_parts(
                [cell.strip().strip('"') for cell in line.split(separator)], column_kinds
            )
        ),
        None,
    )


def detect_table_format(
    source: FileSource,
    header: Sequence[ColumnKind],
    columns: ColumnMapping = NAMED_MAPPING,
    encoding: str | None = None,
    *,
    records: bool = False,
) -> str:
    """Detect the format of a file: a table format or `JSON`; empty for plain lines.

    With `records`, JSON records count as a table format.
    """
    with open_input(source) as file:
        if not file.path.is_file():
            return ""
        if is_workbook(file):
            return WORKBOOK
        if format_name := detect_columnar_format(file):
            return format_name
        head = _read_head(file, encoding)
        if records and _detect_records(
            _read_head(file, encoding, RECORD_DETECTION_BYTES), header, columns
        ):
            return RECORDS
    # the pattern requires a key or an empty object, since an id in plain lines may begin with a
    # brace
    if _OBJECT_START.match(head.removeprefix(b"\xef\xbb\xbf")):
        if has_rubrics(head):
            raise make_rubrics_error(source if isinstance(source, Path) else source.path)
        return JSON
    separator = detect_header_separator(head, header)
    if separator is None and columns:
        separator = next(
            (
                separator
                for separator in SEPARATORS
                for line in list_head_lines(head)[:1]
                if separator in line
            ),
            None,
        )
    return FORMAT_BY_SEPARATOR.get(separator or "", "")


def _read_head(file: InputFile, encoding: str | None, size: int = DETECTION_BYTES) -> bytes:
    """Return the first bytes of a file, decompressed and in UTF-8; empty if it cannot be read.

    Errors are ignored, since they are reported when the table is read.
    """
    try:
        file.encoding = file.encoding or parse_encoding_option(encoding)
        raw = file.plain(last=False).read(size)
        if file.encoding or (raw.isascii() and b"\0" not in raw):
            return raw
        return to_utf8_stream(
            io.BufferedReader(io.BytesIO(raw)), file.path.name, ReaderWarnings()
        ).read(size)
    except _UNREADABLE:
        return b""


LIST_LAYOUT, LINES_LAYOUT, COLUMNS_LAYOUT, SPLIT_LAYOUT = "list", "lines", "columns", "split"
# First key in a JSON file of pandas, which is a column name. Its value is an object whose keys are
# row numbers, or a list.
_FIRST_KEY = re.compile(r'\{\s*+"((?:[^"\\]|\\.)*+)"\s*+:\s*+(?:(\{)\s*+"\d+"\s*+:|(\[))')


def _detect_records(head: bytes, column_kinds: Sequence[ColumnKind], columns: ColumnMapping) -> str:
    """Return the layout of JSON records; empty for other text.

    The records are a list of objects, one object per line, or an object that pandas wrote, by
    column or by row. Unless columns are mapped, the first record of a list or of lines must contain
    names of two parts.
    """
    text = head.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace").lstrip()
    begin = text.find("{") if text.startswith("[") else 0
    if not text.startswith(("{", "[")) or begin < 0 or text[1:begin].strip():
        return ""
    if begin == 0 and (first_key := _FIRST_KEY.match(text)):
        if first_key[1] == "columns" and first_key[3]:
            return SPLIT_LAYOUT
        known_names = {name for part in column_kinds for name in part.column_names}
        if first_key[2] and first_key[1].lower() in known_names:
            return COLUMNS_LAYOUT
    try:
        record, end = _DECODER.raw_decode(text, begin)
    except (ValueError, RecursionError):
        return ""
    is_unnamed = not columns and not names_parts([*record], column_kinds)
    if is_unnamed or (begin == 0 and (text[end:].lstrip() + "{")[0] != "{"):
        return ""
    return LIST_LAYOUT if text.startswith("[") else LINES_LAYOUT


_DECODER = json.JSONDecoder()


def _iter_record_rows(
    source: FileSource, format_name: str, warnings: ReaderWarnings, encoding: str | None
) -> Iterator[Row]:
    """Yield the field names, then the cells of each record; the cell of a nested value is empty."""
    for entry in open_single_text(source, warnings, encoding=parse_encoding_option(encoding)):
        if format_name in (LIST_LAYOUT, LINES_LAYOUT):
            records = [
                *(iter_json_list(entry) if format_name == LIST_LAYOUT else iter_json_lines(entry))
            ]
            names = [*dict.fromkeys(name for record in records for name in record.fields)]
            check_cell_count(entry.where, [record.fields for record in records], len(names))
            yield 1, [replace_surrogates(name) for name in names]
            for record in records:
                yield (
                    record.line or 1,
                    [_format_json_cell(record.fields.get(name)) for name in names],
                )
        else:
            path = entry.where
            text = decode_text(read_limited(entry.stream, path, MAX_LIST_BYTES), path)
            names, rows = _parse_pandas_columns(path, text, format_name)
            yield 1, [replace_surrogates(name) for name in names]
            yield from ((1, [_format_json_cell(value) for value in row]) for row in rows)


def _parse_pandas_columns(
    path: Path, text: str, format_name: str
) -> tuple[list[str], list[tuple[Any, ...]]]:
    try:
        content = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise FormatError(
            path, Message("not JSON ({reason})", key="not-json", reason=error)
        ) from None
    if format_name == SPLIT_LAYOUT:
        names, rows = content.get("columns"), content.get("data")
        if (
            isinstance(names, list)
            and all(isinstance(name, str) for name in names)
            and isinstance(rows, list)
            and all(isinstance(row, list) and len(row) == len(names) for row in rows)
        ):
            return names, [tuple(row) for row in rows]
    else:
        columns = [*content.values()]
        if all(
            isinstance(column, dict) and column.keys() == columns[0].keys() for column in columns
        ):
            return [*content], [
                tuple(column[row_name] for column in columns) for row_name in columns[0]
            ]
    raise FormatError(
        path,
        Message(
            "the columns of the JSON table have different lengths or row names; expected one "
            "value of each column in each row",
            key="ragged-table",
        ),
    )


def _format_json_cell(value: object) -> str:
    return "" if value is None or isinstance(value, list | dict) else _format_scalar(value)


def unescape_table(table: ReadTable, warnings: ReaderWarnings) -> ReadTable:
    """Remove the apostrophes that escape formulas in a table, and warn about escaped cells."""
    if table.format_name not in (WORKBOOK, JSON):
        table.rows = unescape_rows(table.rows, warnings)
    return table


def read_table(
    source: FileSource,
    column_kinds: Sequence[ColumnKind],
    warnings: ReaderWarnings,
    *,
    columns: ColumnMapping = NAMED_MAPPING,
    encoding: str | None = None,
    records: bool = False,
) -> ReadTable:
    """Read a table: delimited text with quotes, a sheet of a spreadsheet, or JSON records.

    Text is separated by commas, tabs or semicolons. JSON records are only read if `records` is
    True.
    """
    path = source if isinstance(source, Path) else source.path
    if is_workbook(source):
        return make_table(
            path,
            WORKBOOK,
            iter_workbook_rows(source, warnings, column_kinds, columns),
            column_kinds,
            columns,
        )
    if format_name := detect_columnar_format(source):
        rows = iter_column_rows(source, format_name, column_kinds, columns)
        return make_table(path, format_name, rows, column_kinds, columns)
    if records:
        with open_input(source) as file:
            record_layout = _detect_records(
                _read_head(file, encoding, RECORD_DETECTION_BYTES), column_kinds, columns
            )
        if record_layout:
            rows = _iter_record_rows(source, record_layout, warnings, encoding)
            return make_table(path, RECORDS, rows, column_kinds, columns)
    return next(
        read_text_table(entry, column_kinds)
        for entry in open_single_text(
            source, warnings, encoding=parse_encoding_option(encoding), columns=columns
        )
    )


def read_table_rows(
    path: Path,
    warnings: ReaderWarnings,
    encoding: str | None = None,
    *,
    column_kinds: Sequence[ColumnKind] = (),
    columns: ColumnMapping = NAMED_MAPPING,
) -> tuple[str, Iterator[Row]]:
    """Return the format of a table, and its rows including the header; see `read_table`."""
    if is_workbook(path):
        return WORKBOOK, iter_workbook_rows(path, warnings, column_kinds, columns)
    if format_name := detect_columnar_format(path):
        return format_name, iter_column_rows(path, format_name, column_kinds, columns)
    return next(
        _detect_text_rows(entry)
        for entry in open_single_text(path, warnings, encoding=parse_encoding_option(encoding))
    )


def read_text_table(entry: ArchiveEntry, column_kinds: Sequence[ColumnKind]) -> ReadTable:
    """Read a table from an open text file; see `read_table`."""
    format_name, rows = _detect_text_rows(entry)
    return make_table(entry.where, format_name, rows, column_kinds, entry.columns)


def _detect_text_rows(entry: ArchiveEntry) -> tuple[str, Iterator[Row]]:
    path = entry.where
    text = decode_text(read_limited(entry.stream, path, MAX_LIST_BYTES), path)
    if "\0" in text:
        raise FormatError(
            path,
            Message("contains a zero byte; this is not a text file", key="zero-byte"),
            text.count("\n", 0, text.index("\0")) + 1,
        )
    header = next((line for line in text.split("\n", 50) if line.strip()), "")
    separator = max(SEPARATORS, key=header.count)
    return FORMAT_BY_SEPARATOR[separator], _iter_text_rows(path, text, separator)


def make_table(
    path: Path,
    format_name: str,
    rows: Iterator[Row],
    column_kinds: Sequence[ColumnKind],
    columns: ColumnMapping,
) -> ReadTable:
    """Make a table from rows, of which the first is the header; see `read_table`."""
    first_row = next(rows, None)
    if first_row is None:
        raise FormatError(
            path,
            Message(
                "the file is empty, so there is no column {first}; expected a header and rows "
                "below it",
                key="empty-file",
                first=column_kinds[0].name,
            ),
            1,
        )
    line, header = first_row[0], [cell.strip() for cell in first_row[1]]
    verbatim = frozenset(part.name for part in column_kinds if part.verbatim)
    part_names = {part.name for part in column_kinds}
    if unknown_parts := [part for part, _ in columns.named if part not in part_names]:
        raise FormatError(
            path,
            Message(
                "--columns has an unknown key, {first}; the allowed keys are {parts}",
                key="unknown-part",
                first=unknown_parts[0],
                parts=", ".join(part.name for part in column_kinds),
            ),
        )
    sample = list(islice(rows, SAMPLED_ROWS))
    rows, cells = chain(sample, rows), [row_cells for _, row_cells in sample]
    numbers = columns.numbers()
    if numbers and {part.name for part in column_kinds if part.needed} <= set(numbers.values()):
        indices = {part: index for index, part in numbers.items()}
        has_header = _is_part_named(header, indices, column_kinds) and is_header(header, cells)
        data = rows if has_header else chain([first_row], rows)
        return ReadTable(path, format_name, data, indices, verbatim=verbatim, mapping=columns)
    candidates = _list_candidates(format_name, header, cells, column_kinds)
    indices = _find_part_columns(path, line, header, candidates, column_kinds, columns)
    unread_columns = tuple(
        name for index, name in enumerate(header) if index not in indices.values() and name
    )
    return ReadTable(
        path, format_name, rows, indices, unread_columns, tuple(header), verbatim, columns
    )


def _iter_text_rows(path: Path, text: str, separator: str) -> Iterator[Row]:
    lines = csv.reader(_iter_table_lines(path, text, separator), delimiter=separator, strict=True)
    try:
        for cells in lines:
            if any(cell and not cell.isspace() for cell in cells):
                yield lines.line_num, cells
    except csv.Error as error:
        raise FormatError(
            path,
            Message("the line cannot be split into columns ({error})", key="not-csv", error=error),
            lines.line_num,
        ) from error


def _iter_table_lines(path: Path, text: str, separator: str) -> Iterator[str]:
    """Yield the lines of a text; raise FormatError if a line has too many cells."""
    max_cells = MAX_HEADER_CELLS
    for number, match in enumerate(_LINE.finditer(text), 1):
        if match.end() - match.start() > max_cells and match[0].count(separator) > max_cells:
            raise FormatError(
                path,
                Message(
                    "the line has more than {limit:,} columns", key="many-columns", limit=max_cells
                ),
                number,
            )
        max_cells = MAX_CELLS
        yield match[0]


def _is_part_named(
    cells: list[str], indices: dict[str, int], column_kinds: Sequence[ColumnKind]
) -> bool:
    """Return whether the first row has a part's name in the column mapped to this part."""
    names_by_part = {part.name: part.column_names for part in column_kinds}
    return any(
        index < len(cells) and cells[index].lower() in names_by_part.get(part, ())
        for part, index in indices.items()
    )


def _list_candidates(
    format_name: str,
    header: Sequence[str],
    rows: Sequence[Sequence[str]],
    column_kinds: Sequence[ColumnKind] = (),
) -> list[CandidateColumn]:
    """Return the columns of a table as candidates for a suggested mapping.

    The first row is a header if it contains the name of a part, or if the format has column names.
    """
    known_names = {name for part in column_kinds for name in part.column_names}
    has_column_names = format_name in (
        JSON,
        RECORDS,
        *FORMAT_BY_MAGIC.values(),
    ) or not known_names.isdisjoint(map(_normalise_column_name, header))
    return list_candidate_columns(header, rows, has_header=True if has_column_names else None)


def _find_part_columns(
    path: Path,
    line: int,
    header: list[str],
    candidates: Sequence[CandidateColumn],
    column_kinds: Sequence[ColumnKind],
    columns: ColumnMapping,
) -> dict[str, int]:
    lowercase_names = [name.lower() for name in header]
    indices: dict[str, int] = {}
    for part in column_kinds:
        matches = next(
            (
                unassigned_indices
                for name in columns.names(part.name, part.column_names)
                if (
                    unassigned_indices := [
                        *{*_find_named_column(name, lowercase_names, columns)} - {*indices.values()}
                    ]
                )
            ),
            None,
        )
        if matches is not None:
            indices[part.name] = _find_only_column(path, line, header, part, matches)
        elif part.needed or part.name in dict(columns.named):
            known_columns = _match_columns(column_kinds, candidates, header, columns)
            raise Undecided(
                path,
                Message(
                    "the header has no {part}; {columns}",
                    key="no-column",
                    part=part.name,
                    columns=describe_columns(
                        candidates,
                        _select_parts(column_kinds, columns, known_columns),
                        known_columns=known_columns,
                    ),
                ),
                ("columns",),
                line,
            )
    return indices


def _select_parts(
    column_kinds: Sequence[ColumnKind], columns: ColumnMapping, known_columns: Mapping[str, str]
) -> list[str]:
    """Return the parts to include in a suggested mapping.

    These are the required parts, the parts that the user mapped, and those marked as `suggested`.
    """
    is_paired = {TOPIC.name, DOCUMENT.name} <= known_columns.keys()
    return [
        kind.name
        for kind in column_kinds
        if kind.needed
        or kind.name in dict(columns.named)
        or (kind.suggested and not (is_paired and kind.name == "item"))
    ]


def _match_columns(
    column_kinds: Sequence[ColumnKind],
    candidates: Sequence[CandidateColumn],
    header: list[str],
    columns: ColumnMapping,
) -> dict[str, str]:
    """Return the column of each part that the user mapped or that is recognised by name."""
    is_numbered = all(column.name == str(index) for index, column in enumerate(candidates, 1))
    lowercase_names = [""] * len(header) if is_numbered else [name.lower() for name in header]
    names = [column.name for column in candidates]
    names += header[len(names) :]  # the candidates are limited
    return {
        part.name: names[positions[0]]
        for part in column_kinds
        # in reverse order of preference, since later dictionary entries replace earlier ones
        for name in reversed(columns.names(part.name, part.column_names))
        if (positions := _find_named_column(name, lowercase_names, columns))
    }


def _find_only_column(
    path: Path, line: int, header: list[str], part: ColumnKind, indices: list[int]
) -> int:
    """Return the only index in `indices`; raise Undecided if several columns may be the part."""
    if len(indices) > 1:
        raise Undecided(
            path,
            Message(
                "the column {name} occurs {count} times; choose one with --columns {choice}",
                key="same-column",
                name=header[indices[0]],
                count=len(indices),
                choice=format_choices(f"{part.name}={index + 1}" for index in sorted(indices)),
            ),
            ("columns",),
            line,
        )
    return indices[0]


def _find_named_column(name: str, lowercase_names: list[str], columns: ColumnMapping) -> list[int]:
    """Return the indices of the columns with the given name.

    If there are none and the user mapped a part to a column number, `name` may be this number.
    """
    for key in (str.lower, _normalise_column_name):
        if matches := [
            index
            for index, column_name in enumerate(lowercase_names)
            if key(column_name) == name.lower()
        ]:
            return matches
    return (
        [int(name) - 1]
        if name in dict(columns.named).values()
        and name.isdecimal()
        and 0 < int(name) <= len(lowercase_names)
        else []
    )


PARQUET, ARROW = "Parquet", "Arrow IPC"
ENCRYPTED_MARK = b"PARE"  # first bytes of a Parquet file with an encrypted footer
# format of a file, by its first bytes
FORMAT_BY_MAGIC = {b"PAR1": PARQUET, ENCRYPTED_MARK: PARQUET, b"ARROW1": ARROW}
ROW_BATCH = 10_000  # number of rows read together
_SCALAR_TYPES = (str, int, float, bool, date, time, type(None))


def detect_columnar_format(source: FileSource) -> str:
    """Return the format of a regular columnar file; empty for other files."""
    try:
        with open_input(source) as file:
            return next(
                (
                    format_name
                    for mark, format_name in FORMAT_BY_MAGIC.items()
                    if file.path.is_file() and file.begins(mark)
                ),
                "",
            )
    except OSError:
        return ""


def iter_column_rows(
    source: FileSource,
    format_name: str,
    column_kinds: Sequence[ColumnKind] = (),
    columns: ColumnMapping = NAMED_MAPPING,
) -> Iterator[tuple[int, list[str]]]:
    """Yield the number, from 1, and the cells of each row as text; row 1 has the column names.

    Integers have no decimal point, and nulls are empty texts. Lists and objects are empty texts in
    columns that are not in `column_kinds`, and cause an error in others; if `column_kinds` is
    empty, they cause an error in every column.
    """
    with open_input(source) as file:
        try:
            names, batches = _open_columnar(file, format_name)
            yield 1, [replace_surrogates(name) for name in names]
            is_ignored = _find_ignored_columns(names, column_kinds, columns)
            first_row = 2
            for batch in batches:
                value_lists = [
                    [None] * batch.num_rows
                    if ignored and pa.types.is_nested(column.type)
                    else column.to_pylist()
                    for column, ignored in zip(batch.columns, is_ignored, strict=True)
                ]
                for line, values in enumerate(zip(*value_lists, strict=True), first_row):
                    yield (
                        line,
                        [
                            _format_value(file, name, value)
                            for name, value in zip(names, values, strict=True)
                        ],
                    )
                first_row += batch.num_rows
        except COLUMN_ERRORS as error:
            raise FormatError(
                file.path,
                Message(
                    "the {form} file cannot be read ({reason})",
                    key="unreadable",
                    form=format_name,
                    reason=(str(error).splitlines() or [type(error).__name__])[0].rstrip(".")[:200],
                ),
            ) from error


def _find_ignored_columns(
    names: Sequence[str], column_kinds: Sequence[ColumnKind], columns: ColumnMapping
) -> list[bool]:
    """Return for each column whether it cannot be one of the given kinds."""
    read_names = {
        name.lower()
        for kind in column_kinds
        for name in columns.names(kind.name, kind.column_names)
    }
    return [
        bool(read_names) and read_names.isdisjoint((name.lower(), str(number)))
        for number, name in enumerate(names, 1)
    ]


def _open_columnar(file: InputFile, format_name: str) -> tuple[list[str], Iterator[Any]]:
    """Return the column names, and an iterator of batches of rows."""
    if format_name == PARQUET:
        import pyarrow.parquet  # noqa: PLC0415 -- few files are Parquet

        parquet = pyarrow.parquet.ParquetFile(file.raw())
        _check_column_types(file, parquet.schema_arrow)
        return list(parquet.schema_arrow.names), _iter_parquet_batches(file, parquet)
    reader = pa.ipc.open_file(file.raw())
    _check_column_types(file, reader.schema)
    return list(reader.schema.names), _iter_ipc_batches(file, reader)


def _check_column_types(file: InputFile, schema: Any) -> None:
    for field in schema:
        check_column_type(file.path, field.name, field.type)


def _iter_parquet_batches(file: InputFile, parquet: Any) -> Iterator[Any]:
    source = pa.PythonFile(file.raw(), mode="r")
    total = DecodedTotal(source.size(), are_objects=True)
    total.check_rows(parquet.metadata.num_rows)
    for group, chunks in enumerate(read_column_chunks(partial(read_at, source), source.size())):
        if not parquet.metadata.row_group(group).num_rows:
            continue  # its column chunks have no pages
        for index, chunk in enumerate(chunks):
            data = read_at(source, chunk.begin, chunk.length)
            check_size(
                measure_chunk(parquet.metadata, group, index, chunk.path, data, source, ROW_BATCH),
                source.size(),
            )
        for batch in map(check_texts, parquet.iter_batches(ROW_BATCH, row_groups=[group])):
            total.add(measure_rows(batch), batch.num_rows)
            yield batch


def _iter_ipc_batches(file: InputFile, reader: Any) -> Iterator[Any]:
    source = pa.PythonFile(file.raw(), mode="r")
    total = DecodedTotal(source.size(), are_objects=True)
    footer = IpcFooter.read(partial(read_at, source), source.size())
    for index in range(reader.num_record_batches):
        size, rows = footer.size(partial(read_at, source), index)
        check_size(size, source.size())
        total.check_rows(rows)
        batch = check_texts(reader.get_batch(index))
        for first_row in range(0, batch.num_rows, ROW_BATCH):
            part = batch.slice(first_row, ROW_BATCH)
            check_size(sum(map(measure_text_size, part.columns)))
            total.add(measure_rows(part), part.num_rows)
            yield part


def check_texts(batch: Any) -> Any:
    """Return the rows after checking that their texts are UTF-8 and their codes are valid.

    Arrow does not check codes, and crashes on a code outside the dictionary. Raises
    pyarrow.ArrowInvalid for an invalid text or code.
    """
    batch.validate(full=True)
    return batch


def _format_value(file: InputFile, name: str, value: object) -> str:
    if value is None or value != value:
        return ""
    if not isinstance(value, _SCALAR_TYPES):
        raise FormatError(
            file.path,
            Message(
                "the column {name} contains {kind}; expected text or numbers",
                key="not-text",
                name=name,
                kind=type(value).__name__,
            ),
        )
    return _format_scalar(value)
