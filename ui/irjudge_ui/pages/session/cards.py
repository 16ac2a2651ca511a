"""Cards to hand out in a class, printed to PDF: a name, the link of that person alone, and the link as a code to scan."""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QMarginsF, QRect, QRectF, Qt
from PySide6.QtGui import QFont, QPageLayout, QPageSize, QPainter, QPdfWriter, QPen, QTextOption
from PySide6.QtWidgets import QWidget

from irjudge.formats.bytes.replacing import replacing
from irjudge.report.booklet import CARD_WORDS
from irjudge.store.project import Project
from irjudge_ui.asking import ask_place
from irjudge_ui.widgets.qr_code import paint_code
from irjudge_ui.words import in_language

DPI, ACROSS, DOWN = 300, 2, 5  # cards of a page
MARGINS = QMarginsF(12, 12, 12, 12)  # millimetres
MILLIMETRE = DPI / 25.4
CODE, GAP = 34 * MILLIMETRE, 3 * MILLIMETRE
NAME, WORDS = 14.0, 8.0  # points
Link = tuple[str, str]


def ask_cards(parent: QWidget, project: Project, links: Sequence[Link]) -> Path | None:
    """Ask where the cards go, and print them; return the file, or None where nobody says where."""
    start = project.path.with_name(f"{project.path.stem}-cards.pdf")
    path, _ = ask_place(parent, QCoreApplication.translate("SessionView", "Print cards"), start, "PDF (*.pdf)")
    if path:
        print_cards(project.title, links, path)
    return path


def print_cards(title: str, links: Sequence[Link], path: Path) -> None:
    """Write a card for each name and link as PDF, in the language of the window."""
    with replacing(path) as part:
        writer = QPdfWriter(str(part))
        writer.setResolution(DPI)
        writer.setPageLayout(
            QPageLayout(QPageSize(QPageSize.PageSizeId.A4), QPageLayout.Orientation.Portrait, MARGINS, QPageLayout.Unit.Millimeter)
        )
        writer.setTitle(title)
        width, height = writer.width() // ACROSS, writer.height() // DOWN
        painter = QPainter(writer)
        for place, (name, link) in enumerate(links):
            line, at = divmod(place % (ACROSS * DOWN), ACROSS)
            if place and not (line or at):
                writer.newPage()
            _draw_card(painter, QRect(at * width, line * height, width, height), title, name, link)
        painter.end()


def _draw_card(painter: QPainter, box: QRect, title: str, name: str, link: str) -> None:
    painter.setPen(QPen(Qt.GlobalColor.gray, 2, Qt.PenStyle.DashLine))
    painter.drawRect(box)
    painter.setPen(Qt.GlobalColor.black)
    inside = QRectF(box).adjusted(GAP, GAP, -GAP, -GAP)
    side = min(CODE, inside.height())
    paint_code(painter, QRect(int(inside.left()), int(inside.center().y() - side / 2), int(side), int(side)), link)
    words = inside.adjusted(side + GAP, 0, 0, 0)
    for said, points, bold in (
        (name, NAME, True),
        (title, WORDS + 1, False),
        (link, WORDS, False),
        (in_language(CARD_WORDS), WORDS, False),
    ):
        words.setTop(words.top() + _draw_words(painter, words, said, points, bold=bold) + GAP / 2)


def _draw_words(painter: QPainter, room: QRectF, said: str, points: float, *, bold: bool) -> float:
    """Draw words from the top of a room, cut where that ends, and return how high they are."""
    letters = QFont(painter.font())
    letters.setPointSizeF(points)
    letters.setBold(bold)
    painter.setFont(letters)
    option = QTextOption(Qt.AlignmentFlag.AlignTop)
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    needed = painter.boundingRect(QRectF(room.left(), room.top(), room.width(), room.height()), said, option)
    painter.save()
    painter.setClipRect(room)
    painter.drawText(room, said, option)
    painter.restore()
    return min(needed.height(), room.height())
