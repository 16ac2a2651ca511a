"""Printing of reports, booklets for assessors, and cards with personal links as QR codes."""

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from PySide6.QtCore import QMarginsF, QRect, QRectF, QSizeF, Qt
from PySide6.QtGui import (
    QFont,
    QPageLayout,
    QPageSize,
    QPainter,
    QPdfWriter,
    QPen,
    QTextDocument,
    QTextOption,
)
from PySide6.QtPrintSupport import QPrintDialog, QPrinter
from PySide6.QtWidgets import QWidget

from irjudge.errors import IrjudgeError
from irjudge.exchange import Booklet, make_booklet
from irjudge.formats.bytes import replace_file
from irjudge.report import CARD_TEXT, booklet_lines
from irjudge.store import Project
from irjudge_ui.file_dialogs import ask_save_path
from irjudge_ui.messages import translate, translate_message
from irjudge_ui.widgets import paint_code, set_reading_direction

DPI, FONT_SIZE = 300, 10.5
# margins of pages in millimetres
MARGINS, CARD_MARGINS = QMarginsF(15, 16, 15, 16), QMarginsF(12, 12, 12, 12)
CARDS_PER_ROW, CARDS_PER_COLUMN = 2, 5  # cards per row and per column of a page
MILLIMETRE = DPI / 25.4
CODE_SIZE, CARD_GAP = 34 * MILLIMETRE, 3 * MILLIMETRE
NAME_SIZE, TEXT_SIZE = 14.0, 8.0  # font sizes in points
Link = tuple[str, str]
# minimum width in pixels at which a landscape page is laid out, and maximum width for a page with
# details; at the maximum width, printed text is 7 points high
MIN_PAGE_WIDTH = 1000
MAX_LINE_WIDTH = 1300
DETAILS_ELEMENT = re.compile(r"<details>.*?</details>", re.DOTALL)
# style sheet for browsers, which is removed before printing
STYLE = re.compile(r"<style>.*?</style>", re.DOTALL)
PRINT_STYLE_SHEET = "td, th { padding: 1px 7px; text-align: left; } .n { text-align: right; } .best { font-weight: bold; }"


@contextmanager
def _open_pdf(
    path: Path, title: str, margins: QMarginsF, *, is_private: bool = False
) -> Iterator[QPdfWriter]:
    """Yield a PDF writer; if the `with` block ends without an error, move the file to `path`.

    With `is_private`, a new file can be read only by its owner.
    """
    with replace_file(path, is_private=is_private) as temporary_path:
        writer = QPdfWriter(str(temporary_path))
        writer.setResolution(DPI)
        writer.setPageLayout(
            QPageLayout(
                QPageSize(QPageSize.PageSizeId.A4),
                QPageLayout.Orientation.Portrait,
                margins,
                QPageLayout.Unit.Millimeter,
            )
        )
        writer.setTitle(title)
        yield writer


def print_booklet(project: Project, names: Sequence[str], path: Path) -> Booklet:
    """Write the booklets of some assessors to a PDF file, in the window's language.

    The function can be called in a background thread.
    """
    # in a transaction, so that page codes are not stored if the booklet cannot be written
    with project.transaction():
        booklet = make_booklet(project, *names)
        page = "\n".join(booklet_lines(project, booklet.pages, translate_message))
        with _open_pdf(path, project.title, MARGINS) as writer:
            document = QTextDocument()
            # lay out the text at the resolution of the printed page
            document.documentLayout().setPaintDevice(writer)
            document.setDocumentMargin(0)
            font = document.defaultFont()
            # the font size is set in points: the window's size in pixels would be tiny on paper
            font.setPointSizeF(FONT_SIZE)
            document.setDefaultFont(font)
            document.setPageSize(QSizeF(writer.width(), writer.height()))
            document.setHtml(page)
            set_reading_direction(document)
            document.print_(writer)
    return booklet


def ask_cards(
    parent: QWidget, project: Project, links: Sequence[Link], fail: Callable[[str], object]
) -> None:
    """Ask for a path, and write cards with the links to it; `fail` is called with any error."""
    path, _ = ask_save_path(
        parent,
        translate("SessionView", "Print cards"),
        project.path.with_name(f"{project.path.stem}-cards.pdf"),
        "PDF (*.pdf)",
    )
    if path:
        try:
            print_cards(project.title, links, path)
        except IrjudgeError as error:
            fail(str(error))


def print_cards(title: str, links: Sequence[Link], path: Path) -> None:
    """Write a PDF file with a card for each name and link, in the window's language."""
    with _open_pdf(path, title, CARD_MARGINS, is_private=True) as writer:
        width, height = writer.width() // CARDS_PER_ROW, writer.height() // CARDS_PER_COLUMN
        painter = QPainter(writer)
        for index, (name, link) in enumerate(links):
            card_row, card_column = divmod(
                index % (CARDS_PER_ROW * CARDS_PER_COLUMN), CARDS_PER_ROW
            )
            if index and not (card_row or card_column):
                writer.newPage()
            _draw_card(
                painter,
                QRect(card_column * width, card_row * height, width, height),
                title,
                name,
                link,
            )
        painter.end()


def _draw_card(painter: QPainter, box: QRect, title: str, name: str, link: str) -> None:
    painter.setPen(QPen(Qt.GlobalColor.gray, 2, Qt.PenStyle.DashLine))
    painter.drawRect(box)
    painter.setPen(Qt.GlobalColor.black)
    text_area = QRectF(box).adjusted(CARD_GAP, CARD_GAP, -CARD_GAP, -CARD_GAP)
    code_side = min(CODE_SIZE, text_area.height())
    paint_code(
        painter,
        QRect(
            int(text_area.left()),
            int(text_area.center().y() - code_side / 2),
            int(code_side),
            int(code_side),
        ),
        link,
    )
    text_rect = text_area.adjusted(code_side + CARD_GAP, 0, 0, 0)
    for text, point_size, is_bold in (
        (name, NAME_SIZE, True),
        (title, TEXT_SIZE + 1, False),
        (link, TEXT_SIZE, False),
        (translate_message(CARD_TEXT), TEXT_SIZE, False),
    ):
        text_rect.setTop(
            text_rect.top()
            + _draw_text(painter, text_rect, text, point_size, bold=is_bold)
            + CARD_GAP / 2
        )


def _draw_text(painter: QPainter, area: QRectF, text: str, points: float, *, bold: bool) -> float:
    """Draw text from the top of a rectangle; text that does not fit is clipped.

    Return the height of the drawn text.
    """
    font = QFont(painter.font())
    font.setPointSizeF(points)
    font.setBold(bold)
    painter.setFont(font)
    option = QTextOption(Qt.AlignmentFlag.AlignTop)
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    text_area = painter.boundingRect(
        QRectF(area.left(), area.top(), area.width(), area.height()), text, option
    )
    painter.save()
    painter.setClipRect(area)
    painter.drawText(area, text, option)
    painter.restore()
    return min(text_area.height(), area.height())


def print_report(parent: QWidget, page: str) -> None:
    """Ask for a printer and print a page of HTML."""
    printer = QPrinter(QPrinter.PrinterMode.HighResolution)
    dialog = QPrintDialog(printer, parent)
    dialog.accepted.connect(lambda: print_html(printer, page))
    dialog.finished.connect(dialog.deleteLater)
    dialog.setModal(True)
    dialog.show()


def print_html(printer: QPrinter, page: str) -> None:
    """Print an HTML page, black on white, in landscape orientation.

    The text is scaled down so that no word or number is broken. `details` elements are omitted if
    the text would otherwise be too small to read.
    """
    document, wrap_option = QTextDocument(), QTextOption()
    wrap_option.setWrapMode(QTextOption.WrapMode.WordWrap)
    document.setDefaultTextOption(wrap_option)
    document.setDefaultStyleSheet(PRINT_STYLE_SHEET)
    plain_page = STYLE.sub("", page)
    for content in (plain_page, DETAILS_ELEMENT.sub("", plain_page)):
        document.setHtml(content)
        document.setTextWidth(MIN_PAGE_WIDTH)
        width = document.size().width()
        if width <= MAX_LINE_WIDTH:
            break
    printer.setPageOrientation(QPageLayout.Orientation.Landscape)
    page_rect = printer.pageLayout().paintRect(QPageLayout.Unit.Point)
    document.setPageSize(QSizeF(width, width * page_rect.height() / page_rect.width()))
    document.print_(printer)
