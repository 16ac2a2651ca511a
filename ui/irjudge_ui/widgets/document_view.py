"""Shows one document: it loads nothing, follows nothing, and tells when it was painted."""

from typing import Any

from PySide6.QtCore import QElapsedTimer, Qt, QTimer, QUrl, Signal
from PySide6.QtGui import QPaintEvent, QTextBlockFormat, QTextCursor, QTextOption
from PySide6.QtWidgets import QFrame, QTextBrowser

from irjudge_ui.widgets.theme import CARD_TITLE, DOCUMENT, PAGE_TITLE, current_theme

LINE_HEIGHT = 150
EMPTY = "about:blank"


class DocumentView(QTextBrowser):
    """A calm page of text. `painted` comes once after each `show_html`, when its first pixels are on screen."""

    painted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setOpenLinks(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAttribute(Qt.WidgetAttribute.WA_InputMethodEnabled, False)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setTabChangesFocus(True)
        self.setUndoRedoEnabled(False)
        self.setAccessibleName(self.tr("Document"))
        self._announced = True
        self._since = QElapsedTimer()

    def show_html(self, html: str, zoom: float = 1.0) -> None:
        """Show harmless HTML from its top."""
        self._announced = False
        self.document().setDefaultStyleSheet(_style(zoom))
        font = self.font()
        font.setPixelSize(round(DOCUMENT * zoom))
        self.document().setDefaultFont(font)
        self.setHtml(html)
        self._space_lines()
        self.verticalScrollBar().setValue(0)
        self.viewport().update()

    def milliseconds_since_painted(self) -> int:
        """Return how long the document has been on screen."""
        return int(self._since.elapsed()) if self._since.isValid() else 0

    def loadResource(self, kind: int, name: QUrl | str) -> Any:
        """Load nothing: only images that the page itself carries, which Qt reads from the page, are shown."""
        address = name.toString() if isinstance(name, QUrl) else name
        return super().loadResource(kind, name) if address.startswith("data:image/") else ""

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint, and announce the first paint of each document after it."""
        super().paintEvent(event)
        if not self._announced:
            self._announced = True
            self._since.start()
            QTimer.singleShot(0, self, self.painted.emit)

    def _space_lines(self) -> None:
        spacing = QTextBlockFormat()
        spacing.setLineHeight(LINE_HEIGHT, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
        cursor = QTextCursor(self.document())
        cursor.select(QTextCursor.SelectionType.Document)
        cursor.mergeBlockFormat(spacing)


def _style(zoom: float) -> str:
    theme = current_theme()
    return (
        f"h1 {{ font-size: {round(PAGE_TITLE * zoom)}px; font-weight: 600; margin: 0 0 12px 0; }}"
        f"h2, h3 {{ font-size: {round(CARD_TITLE * zoom)}px; font-weight: 600; margin: 12px 0 8px 0; }}"
        f"p {{ margin: 0 0 12px 0; }} a {{ color: {theme.accent}; }}"
    )
