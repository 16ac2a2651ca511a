"""Shows one document: it loads nothing, follows nothing, and tells when it was painted."""

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QElapsedTimer, Qt, QTimer, QUrl, Signal
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetrics,
    QImage,
    QPaintEvent,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
    QTextOption,
)
from PySide6.QtWidgets import QFrame, QTextBrowser, QTextEdit

from irjudge_ui.widgets.theme import DOCUMENT, PAGE_TITLE, SPACE_M, SPACE_S, current_theme

MOST_MARKS = 3000  # more are not drawn: each costs time at every paint
LINE_HEIGHT = 1.5  # of the letters' size


class DocumentView(QTextBrowser):
    """A calm page of text. `painted` comes once after each `show_html`, when its first pixels are on screen."""

    painted = Signal()
    loaded = Signal()  # once for each document, when all of its text is in: for a short one before `show_html` returns

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("document")
        self.setOpenLinks(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAttribute(Qt.WidgetAttribute.WA_InputMethodEnabled, False)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setTabChangesFocus(True)
        self.setUndoRedoEnabled(False)
        self.setAccessibleName(self.tr("Document"))
        self.complete = True  # whether all of the document's text is in
        self._announced = True
        self._since = QElapsedTimer()
        self._after_paint = QTimer(self)
        self._after_paint.setSingleShot(True)
        self._after_paint.timeout.connect(self._announce)

    def show_html(self, html: str, zoom: float = 1.0) -> None:
        """Show harmless HTML from its top."""
        self._announced = False
        self._after_paint.stop()  # what was painted just now is another document
        self._since.invalidate()
        self.document().setDefaultStyleSheet(_style(zoom))
        font = self.font()
        font.setPixelSize(round(DOCUMENT * zoom))
        self.document().setDefaultFont(font)
        self.setHtml(html)
        self._set_type(zoom)
        self.verticalScrollBar().setValue(0)
        self.viewport().update()
        self.loaded.emit()

    def mark(self, spans: Sequence[tuple[int, int]]) -> None:
        """Mark pieces of the shown text, given as ascending places as Qt counts them; marks of before go."""
        look = QTextCharFormat()
        look.setBackground(QColor(current_theme().mark))
        self.setExtraSelections([self._selection(begin, end, look) for begin, end in spans[:MOST_MARKS]])

    def _selection(self, begin: int, end: int, look: QTextCharFormat) -> QTextEdit.ExtraSelection:
        selection: Any = QTextEdit.ExtraSelection()  # PySide's types lack its two fields
        selection.format = look
        selection.cursor = QTextCursor(self.document())
        selection.cursor.setPosition(begin)
        selection.cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
        made: QTextEdit.ExtraSelection = selection
        return made

    def show_place(self, begin: int, end: int) -> None:
        """Bring a piece of the text to the top of the view and select it."""
        cursor = QTextCursor(self.document())
        cursor.setPosition(begin)
        self.verticalScrollBar().setValue(self.verticalScrollBar().value() + self.cursorRect(cursor).top())
        cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
        self.setTextCursor(cursor)

    def milliseconds_since_painted(self) -> int:
        """Return how long the document has been on screen."""
        return int(self._since.elapsed()) if self._since.isValid() else 0

    def loadResource(self, kind: int, name: QUrl | str) -> Any:
        """Load nothing: only images that the page itself carries, which Qt reads from the page, are shown."""
        address = name.toString() if isinstance(name, QUrl) else name
        if address.startswith("data:image/"):
            return super().loadResource(kind, name)
        return _nothing() if kind == QTextDocument.ResourceType.ImageResource.value else ""

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint, and announce the first paint of each document after it."""
        super().paintEvent(event)
        if not self._announced and not self._after_paint.isActive():
            self._after_paint.start(0)

    def _announce(self) -> None:
        if self.isVisible():
            self._announced = True
            self._since.start()
            self.painted.emit()

    def _set_type(self, zoom: float) -> None:
        """Give lines their distance and headings their size: Qt scales a heading on top of what the style says."""
        natural = QFontMetrics(self.document().defaultFont()).lineSpacing()
        spacing = QTextBlockFormat()
        spacing.setLineHeight(100 * LINE_HEIGHT * DOCUMENT * zoom / natural, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
        spacing.setNonBreakableLines(False)  # preformatted lines wrap too: nothing is cut at the right
        cursor = QTextCursor(self.document())
        cursor.select(QTextCursor.SelectionType.Document)
        cursor.mergeBlockFormat(spacing)
        block = self.document().begin()
        while block.isValid():
            if level := block.blockFormat().headingLevel():
                cursor = QTextCursor(block)
                cursor.select(QTextCursor.SelectionType.BlockUnderCursor)
                cursor.setCharFormat(_heading(cursor.charFormat(), level, zoom))
            block = block.next()


def _nothing() -> QImage:
    """Return an image without a mark: given none at all, Qt would look for a file of that name."""
    image = QImage(1, 1, QImage.Format.Format_ARGB32)
    image.fill(Qt.GlobalColor.transparent)
    return image


def _heading(heading: QTextCharFormat, level: int, zoom: float) -> QTextCharFormat:
    heading.clearProperty(QTextFormat.Property.FontSizeAdjustment.value)
    heading.setProperty(QTextFormat.Property.FontPixelSize.value, round((PAGE_TITLE if level == 1 else DOCUMENT + 1) * zoom))
    heading.setFontWeight(QFont.Weight.DemiBold)
    return heading


def _style(zoom: float) -> str:
    theme, below = current_theme(), round(SPACE_M * zoom)
    return (
        f"h1, p {{ margin: 0 0 {below}px 0; }} h2, h3, h4, h5, h6 {{ margin: {below}px 0 {round(SPACE_S * zoom)}px 0; }}"
        f"a {{ color: {theme.accent}; }}"
    )
