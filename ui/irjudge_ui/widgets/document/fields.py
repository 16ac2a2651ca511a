"""What is known of a document beside its text, in a quiet table under its title: a picture, names and texts."""

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import (
    QImage,
    QPixmap,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
)
from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

from irjudge_ui.widgets.layout import row, text
from irjudge_ui.widgets.theme import SPACE_L, SPACE_M, SPACE_S, SPACE_XS

PICTURE_SIDE = 128  # pixels of a picture, as high and as wide as it may be
NAME_WIDTH = 0.4  # of the table, that names may take


class FieldsTable(QWidget):
    """Names and texts in two columns, beside a picture. All is shown as it stands: nothing in it is markup."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._picture = text(wrap=False)
        self._picture.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        self._picture.setAccessibleName(self.tr("Picture of the document"))
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(SPACE_M)
        self._grid.setVerticalSpacing(SPACE_XS)
        self._grid.setColumnStretch(1, 1)
        self._labels: list[tuple[QLabel, QLabel]] = []
        self._used = 0
        box = self._box = row(self._picture, self._grid, spacing=SPACE_L)
        box.setAlignment(self._picture, Qt.AlignmentFlag.AlignTop)
        box.setAlignment(self._grid, Qt.AlignmentFlag.AlignTop)
        box.setStretch(1, 1)
        self.setLayout(box)
        self.hide()

    def show_rows(self, rows: Sequence[tuple[str, str]], *, pictured: bool, zoom: float) -> None:
        """Take other rows; a picture that is on its way has its place already."""
        for _ in range(len(self._labels), len(rows)):
            self._add_row()
        for place, (name, value) in enumerate(self._labels):
            used = place < len(rows)
            name.setText(rows[place][0] if used else "")
            value.setText(rows[place][1] if used else "")
            name.setVisible(used)
            value.setVisible(used)
        self._used = len(rows)
        side = round(PICTURE_SIDE * zoom)
        self._picture.setFixedSize(QSize(side, side))
        self._picture.setPixmap(QPixmap())
        self._picture.setVisible(pictured)
        self.setAccessibleName("; ".join(f"{name}: {value}" for name, value in rows))

    def _add_row(self) -> None:
        made = text("", "quiet"), text()
        for column, label in enumerate(made):
            label.setParent(self)
            label.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeading)
            self._grid.addWidget(label, len(self._labels), column)
        self._labels.append(made)

    @property
    def rows(self) -> list[tuple[str, str]]:
        """What stands in the table."""
        return [(name.text(), value.text()) for name, value in self._labels[: self._used]]

    @property
    def has_picture(self) -> bool:
        """Whether a picture is on screen."""
        return not self._picture.pixmap().isNull()

    @property
    def picture(self) -> QImage:
        """The picture on screen; a null image without one."""
        return self._picture.pixmap().toImage()

    def show_picture(self, image: QImage) -> None:
        """Show the picture, never larger than it is; without one its place is given back."""
        self._picture.setVisible(not image.isNull())
        if image.isNull():
            return
        ratio = self.devicePixelRatioF()
        side = self._picture.size() * ratio
        fits = image.width() <= side.width() and image.height() <= side.height()
        keep, smooth = (
            Qt.AspectRatioMode.KeepAspectRatio,
            Qt.TransformationMode.SmoothTransformation,
        )
        pixmap = QPixmap.fromImage(image if fits else image.scaled(side, keep, smooth))
        pixmap.setDevicePixelRatio(ratio)
        self._picture.setPixmap(pixmap)

    def fit(self, width: int) -> int:
        """Be so wide and as high as that needs; return the height."""
        most = round(width * NAME_WIDTH)
        for name, _ in self._labels:
            name.setMaximumWidth(most)
            name.setMinimumWidth(min(most, name.fontMetrics().horizontalAdvance(name.text()) + 1))
        self._box.invalidate()
        height = max(self._box.totalHeightForWidth(width), self._box.totalMinimumSize().height())
        self.resize(width, height)
        return height


def make_room(document: QTextDocument, room: int) -> float:
    """Keep room under the title, which is the first block, or above a text that has none; return where it begins."""
    first, outside, margin = document.firstBlock(), document.rootFrame(), document.documentMargin()
    titled, alone = bool(first.blockFormat().headingLevel()), not first.next().isValid()
    look = outside.frameFormat()
    look.setTopMargin(margin + (0 if titled else room + SPACE_M))
    look.setBottomMargin(
        margin + (room + SPACE_S if titled and alone else 0)
    )  # Qt gives no room below the last block
    if look != outside.frameFormat():
        outside.setFrameFormat(look)
    if titled:
        below = QTextBlockFormat()
        below.setBottomMargin(SPACE_S + room + SPACE_L)
        if first.blockFormat().bottomMargin() != below.bottomMargin():
            QTextCursor(first).mergeBlockFormat(below)
        return document.documentLayout().blockBoundingRect(document.firstBlock()).bottom() + SPACE_S
    return margin


def write_rows(document: QTextDocument, rows: Sequence[tuple[str, str]], picture: QImage) -> None:
    """Write names, texts and a picture into a document where the table stood over it, as for paper."""
    make_room(document, 0)
    at = QTextCursor(document.firstBlock())
    if document.firstBlock().blockFormat().headingLevel():
        at.movePosition(QTextCursor.MoveOperation.EndOfBlock)
        at.insertBlock(QTextBlockFormat(), QTextCharFormat())
    if not picture.isNull():
        at.insertImage(picture)
        at.insertBlock()
    for name, value in rows:
        at.insertText(f"{name}: {value}")
        at.insertBlock()
