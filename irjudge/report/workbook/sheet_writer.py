"""Writing of tables as sheets of Excel workbooks with XlsxWriter."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from io import FileIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal, TypeAlias

import xlsxwriter
from xlsxwriter.exceptions import FileCreateError

from irjudge.errors import Cancelled, IrjudgeError
from irjudge.formats import LONE_SURROGATE, ReaderWarnings, WarningKind
from irjudge.message import Message
from irjudge.progress import SILENT, Progress

# Limits of Excel
MAX_ROWS = 1_048_576
MAX_COLUMNS = 16_384
MAX_CELL_LENGTH = 32_767  # maximum length of the text in a cell, in UTF-16 units

MAX_DECIMALS = 15
MIN_COLUMN_WIDTH, MAX_COLUMN_WIDTH = 8, 48  # minimum and maximum column width, in characters
HEADING_PADDING = 4  # width of the filter button and the indent in a heading, in characters
CELLS_PER_STEP = 4096  # number of cells between progress reports
# heights of rows, in points
HEADING_HEIGHT, ROW_HEIGHT, LINE_HEIGHT, ROW_PADDING, MAX_ROW_HEIGHT = 22, 17, 15, 3, 409
PAGE_WIDTH = 960  # width of a printed page between its margins, in pixels
MIN_SCALE = 60  # minimum print scale, in percent

# Options of XlsxWriter: texts are not converted to formulas, links or numbers, and a number that is
# not finite raises an error instead of being written as #NUM!.
OPTIONS = {
    "constant_memory": True,
    "strings_to_formulas": False,
    "strings_to_urls": False,
    "strings_to_numbers": False,
    "nan_inf_to_errors": False,
}

TRUNCATED_TEXT_WARNING = WarningKind(
    Message(
        "1 text is longer than the {limit:,} characters that fit in a cell, and was "
        "truncated: {{first}}.",
        limit=MAX_CELL_LENGTH,
    ),
    Message(
        "{{count}} texts are longer than the {limit:,} characters that fit in a cell, and were "
        "truncated. First: {{first}}.",
        limit=MAX_CELL_LENGTH,
    ),
    key="cut-cell",
)

Kind: TypeAlias = Literal["id", "words", "whole", "number", "share", "probability", "plain"]


@dataclass(frozen=True, slots=True)
class Formula:
    """Formula of a cell, and the result of the formula.

    Programs that do not compute formulas display `value`. `array` is True for array formulas.
    """

    text: str
    value: float
    array: bool = False


SheetCell: TypeAlias = str | int | float | Formula | None


@dataclass(frozen=True, slots=True)
class WorkbookColumn:
    """Declaration of a column of a table on a sheet: heading, format of cells, and width.

    The format is the kind of contents, such as `id`, `words`, `whole` or `share`. The values are
    separate arguments.
    """

    title: str  # heading of the column
    # `id`: text that remains text when it is edited; `words`: wrapped text; `whole`: integers;
    # `number`: numbers with the workbook's decimals; `share`: percentages; `probability`: numbers
    # in scientific notation if below 0.001, otherwise like `number`; `plain`: numbers without a
    # format
    kind: Kind = "id"
    width: int | None = None  # width in characters; None to fit the content
    is_key: bool = False  # whether only formulas need the column, so that it is not printed

    @property
    def numeric(self) -> bool:
        """Whether the column contains numbers."""
        return self.kind not in ("id", "words")


@dataclass(frozen=True, slots=True)
class TableSheet:
    """Name and last row of a sheet with a table or a part of it, for formulas that refer to it.

    Rows are counted from 1, and row 1 has the headings.
    """

    sheet: str
    last: int


def table_sheets(name: str, rows: int) -> list[TableSheet]:
    """Return the sheets that a table needs, such as `Qrels` and `Qrels 2`.

    `rows` is the number of rows without headings.

    >>> table_sheets("Qrels", 1_500_000)
    [TableSheet(sheet='Qrels', last=1048576), TableSheet(sheet='Qrels 2', last=451426)]
    """
    full_sheets, remaining_rows = divmod(rows, MAX_ROWS - 1)
    row_counts = [MAX_ROWS - 1] * full_sheets + (
        [remaining_rows] if remaining_rows or not full_sheets else []
    )
    return [
        TableSheet(_make_sheet_name(name, index), 1 + count)
        for index, count in enumerate(row_counts)
    ]


def sheet_index(row: int) -> int:
    """Return the index of the sheet that contains a row of a table.

    Rows are counted from 1, without headings and over all sheets of the table.
    """
    return (row - 1) // (MAX_ROWS - 1)


def _make_sheet_name(name: str, index: int) -> str:
    return f"{name} {index + 1}" if index else name


class WorkbookWriter:
    """Workbook of XlsxWriter that is being written, to which sheets are added.

    It also contains the formats of cells, the name and number of rows of each written sheet except
    Charts, and warnings about content that was changed or omitted.
    """

    def __init__(self, workbook: Any, decimals: int) -> None:
        self.workbook = workbook
        self.counts: list[tuple[str, int]] = []
        self.omissions: list[str] = []
        self._warnings = ReaderWarnings()
        self.heading = workbook.add_format(
            {"bold": True, "bottom": 1, "valign": "vcenter", "align": "left", "indent": 1}
        )
        self.heading_right = workbook.add_format(
            {"bold": True, "bottom": 1, "valign": "vcenter", "align": "right"}
        )
        number = f"0.{'0' * decimals}" if decimals else "0"
        format_options: dict[str, dict[str, object]] = {
            "id": {"num_format": "@", "align": "left", "indent": 1},
            "words": {"text_wrap": True, "valign": "top", "align": "left", "indent": 1},
            "whole": {"num_format": "0"},
            "number": {"num_format": number},
            "share": {"num_format": "0.0%"},
            "probability": {"num_format": f"[<0.001]0.0E+00;{number}"},
            "plain": {},
        }
        self.cell_formats = {
            kind: workbook.add_format({"valign": "vcenter"} | format_option)
            for kind, format_option in format_options.items()
        }

    @property
    def warnings(self) -> tuple[str, ...]:
        """Warnings about content that was changed or omitted."""
        return (*self._warnings.sentences(), *self.omissions)

    def fit_text(self, text: str, location: str) -> str:
        """Return a text that a cell can contain.

        Texts that are too long are truncated, and lone surrogates are replaced. Warnings report
        these changes with their `location`.
        """
        encoded_text = text.encode("utf-16-le", "surrogatepass")
        if len(encoded_text) > 2 * MAX_CELL_LENGTH:
            self._warnings.add(TRUNCATED_TEXT_WARNING, location)
            encoded_text = encoded_text[: 2 * MAX_CELL_LENGTH]
            # so that the text does not end with half of a surrogate pair
            encoded_text = encoded_text[:-2] if 0xD8 <= encoded_text[-1] <= 0xDB else encoded_text
        try:
            return encoded_text.decode("utf-16-le")
        except UnicodeDecodeError:
            self._warnings.add(LONE_SURROGATE, location)
            return "".join(
                "\ufffd" if 0xD800 <= ord(character) <= 0xDFFF else character
                for character in encoded_text.decode("utf-16-le", "surrogatepass")
            )


class _ProgressFile(FileIO):
    """Output file that reports progress at each write, so that the user can cancel.

    After an error or cancellation, it discards further writes without an error.
    """

    def __init__(self, path: Path, progress: Progress, description: str) -> None:
        super().__init__(path, "w")
        self._progress, self._description = progress, description
        self._discards_writes = False
        # after an error: the position in the file as if no write had been discarded
        self._position = 0

    def write(self, data: Any) -> int:
        """Write data, or discard them after an error; raise Cancelled if the user cancels."""
        if self._discards_writes:
            self._position += len(data)
            return len(data)
        try:
            self._position = super().tell()
            self._progress.step(self._position, None, self._description)
            return super().write(data)
        except (Cancelled, OSError):
            self._discards_writes = True
            raise

    def discard_writes(self) -> None:
        """Make further writes and flushes have no effect."""
        self._discards_writes = True

    # The following methods must work on a closed file, since the ZIP archive of the workbook calls
    # them when it is garbage-collected.

    def tell(self) -> int:
        return self._position if self._discards_writes else super().tell()

    def seek(self, offset: int, whence: int = 0) -> int:
        if not self._discards_writes:
            return super().seek(offset, whence)
        self._position = offset
        return offset

    def flush(self) -> None:
        """Flush the file, unless writes are discarded."""
        if not self._discards_writes:
            super().flush()


@contextmanager
def create_workbook(
    path: Path, *, decimals: int = 4, progress: Progress = SILENT, name: str = ""
) -> Iterator[WorkbookWriter]:
    """Yield a workbook to which sheets can be added; write it at the end of the `with` block.

    `decimals` is the number of decimals shown, and `name` the file name for progress reports.
    Raises IrjudgeError if `decimals` is out of range.
    """
    if not 0 <= decimals <= MAX_DECIMALS:
        raise IrjudgeError(
            "The number of decimals must be between 0 and {maximum}, got {decimals}.",
            maximum=MAX_DECIMALS,
            decimals=decimals,
        )
    output = _ProgressFile(path, progress, Message("Writing {name}", name=name or path.name))
    with (
        TemporaryDirectory(prefix="irjudge-", ignore_cleanup_errors=True) as temporary_folder,
        output as file,
    ):
        workbook = xlsxwriter.Workbook(file, {**OPTIONS, "tmpdir": temporary_folder})
        workbook.use_zip64()
        try:
            yield WorkbookWriter(workbook, decimals)
            workbook.close()
        except FileCreateError as error:
            raise (
                error.args[0]
                if error.args and isinstance(error.args[0], OSError)
                else OSError(str(error))
            ) from error
        finally:
            output.discard_writes()
            for sheet in workbook.worksheets():
                sheet.row_data_fh.close()


def write_formula(sheet: Any, row: int, column: int, formula: Formula, cell_format: Any) -> None:
    """Write a formula and its result to a cell; row and column are counted from 0."""
    if formula.array:
        sheet.write_array_formula(
            row, column, row, column, f"{{{formula.text}}}", cell_format, formula.value
        )
    else:
        sheet.write_formula(row, column, formula.text, cell_format, formula.value)


class SheetWriter:
    """Writer that adds a table to a workbook, row by row.

    When a sheet is full, the table continues on another sheet.
    """

    def __init__(
        self,
        workbook: WorkbookWriter,
        name: str,
        columns: Sequence[WorkbookColumn],
        *,
        frozen: int = 0,
    ) -> None:
        if len(columns) > MAX_COLUMNS:
            raise IrjudgeError(
                "The sheet {name} would need {count:,} columns, but a sheet can have at most "
                "{limit:,}. Choose fewer measures.",
                name=name,
                count=len(columns),
                limit=MAX_COLUMNS,
            )
        self._book, self._name, self._columns, self._frozen = workbook, name, tuple(columns), frozen
        self._layout = [
            (index, column, workbook.cell_formats[column.kind])
            for index, column in enumerate(columns)
        ]
        self._wraps_text = any(column.kind == "words" for column in columns)
        self._sheet_number = 0
        self._begin_sheet()

    def _begin_sheet(self) -> None:
        self._row = 0
        self._sheet = self._book.workbook.add_worksheet(
            _make_sheet_name(self._name, self._sheet_number)
        )
        self._sheet.set_default_row(ROW_HEIGHT)
        self._sheet.set_row(0, HEADING_HEIGHT)
        self._widths = [len(column.title) + HEADING_PADDING for column in self._columns]
        for index, column in enumerate(self._columns):
            cell_format = self._book.heading_right if column.numeric else self._book.heading
            self._sheet.write_string(0, index, self._fit_text(column.title, column), cell_format)

    def add(self, row: Sequence[SheetCell]) -> None:
        """Write the next row; a cell is left empty for None or an empty string."""
        if self._row == MAX_ROWS - 1:
            self.finish()
            self._sheet_number += 1
            self._begin_sheet()
        self._row += 1
        if self._wraps_text:
            lines = max(
                _count_lines(value, column)
                for column, value in zip(self._columns, row, strict=True)
            )
            self._sheet.set_row(self._row, min(ROW_PADDING + LINE_HEIGHT * lines, MAX_ROW_HEIGHT))
        for (index, column, cell_format), value in zip(self._layout, row, strict=True):
            if isinstance(value, str):
                if value:
                    self._write_text(index, column, value, cell_format)
            elif isinstance(value, Formula):
                write_formula(self._sheet, self._row, index, value, cell_format)
            elif value is not None:
                self._sheet.write_number(self._row, index, value, cell_format)

    def _write_text(self, index: int, column: WorkbookColumn, text: str, cell_format: Any) -> None:
        text = self._fit_text(text, column)
        self._sheet.write_string(self._row, index, text, cell_format)
        if len(text) >= self._widths[index]:
            self._widths[index] = len(text) + 1

    def _fit_text(self, text: str, column: WorkbookColumn) -> str:
        if text.isascii() and len(text) <= MAX_CELL_LENGTH:
            return text
        return self._book.fit_text(text, f"{self._sheet.name}, row {self._row + 1}, {column.title}")

    def finish(self) -> Any:
        """Complete the current sheet and return it.

        This sets its filter, column widths and print layout. The result is XlsxWriter's worksheet.
        """
        sheet, last = self._sheet, len(self._columns) - 1
        sheet.freeze_panes(1, self._frozen)
        sheet.autofilter(0, 0, self._row, last)
        widths = [
            column.width or min(max(width, MIN_COLUMN_WIDTH), MAX_COLUMN_WIDTH)
            for column, width in zip(self._columns, self._widths, strict=True)
        ]
        for index, width in enumerate(widths):
            sheet.set_column(index, index, width)
        # Excel marks texts such as the id 007 with a warning, which is suppressed here.
        sheet.ignore_errors({"number_stored_as_text": f"A1:XFD{MAX_ROWS}"})
        last_printed = max(index for index, column in enumerate(self._columns) if not column.is_key)
        if last_printed < last:
            sheet.print_area(0, 0, self._row, last_printed)
        set_print_layout(sheet, widths=widths[: last_printed + 1], frozen=self._frozen)
        self._book.counts.append((sheet.name, self._row))
        return sheet


def write_table(
    workbook: WorkbookWriter,
    name: str,
    columns: Sequence[WorkbookColumn],
    rows: Iterable[Sequence[SheetCell]],
    progress: Progress,
    *,
    frozen: int = 0,
    total: int | None = None,
) -> Any:
    """Write a table, report progress, and return the last of its sheets (XlsxWriter's worksheet).

    `frozen` is the number of columns that do not scroll; `total` is the number of rows, if known.
    """
    sheet = SheetWriter(workbook, name, columns, frozen=frozen)
    for row in progress.track(
        rows, f"Writing {name}", total=total, every=max(1, CELLS_PER_STEP // len(columns))
    ):
        sheet.add(row)
    return sheet.finish()


def set_print_layout(
    sheet: Any, heading_row: int = 0, *, widths: Sequence[int] = (), frozen: int = 0
) -> None:
    """Set how a sheet is printed: in landscape, one page wide, with the headings on each page.

    If text would be too small because of the total column width, the last columns are on further
    pages. Each further page repeats the first `frozen` columns.
    """
    sheet.set_landscape()
    sheet.repeat_rows(heading_row)
    if MIN_SCALE * sum(7 * width + 5 for width in widths) > 100 * PAGE_WIDTH:
        sheet.set_print_scale(MIN_SCALE)
        sheet.print_across()
        if frozen:
            sheet.repeat_columns(0, frozen - 1)
    else:
        sheet.fit_to_pages(1, 0)
    sheet.set_footer("&L&A&RPage &P of &N")


def _count_lines(value: SheetCell, column: WorkbookColumn) -> int:
    """Estimate the number of lines of a cell; it is more than 1 if the text is wrapped.

    The estimate is used for row heights, which LibreOffice does not compute.
    """
    if column.kind != "words" or not isinstance(value, str):
        return 1
    text_width = (column.width or MAX_COLUMN_WIDTH) - 4
    return sum(1 + len(line) // text_width for line in value.split("\n"))
