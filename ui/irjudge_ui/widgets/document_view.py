"""View of one document and the table of its fields; long texts are loaded in slices."""

import re
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from PySide6.QtCore import QElapsedTimer, QMimeData, QSize, Qt, QTimer, QUrl, Signal
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetrics,
    QImage,
    QPainter,
    QPaintEvent,
    QPixmap,
    QResizeEvent,
    QTextBlock,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
    QTextFrame,
    QTextLayout,
    QTextOption,
    QTextTable,
    QTextTableCell,
    QWheelEvent,
)
from PySide6.QtWidgets import QFrame, QGridLayout, QLabel, QTextBrowser, QWidget
from shiboken6 import isValid

from irjudge.text import BREAK_OPPORTUNITY, has_direction, is_within_word, mirror_tables
from irjudge_ui.messages import escape_markup
from irjudge_ui.widgets.layout import make_label, row
from irjudge_ui.widgets.pictures import DocumentPicture, PlacedPictures, read_address
from irjudge_ui.widgets.theme import (
    DOCUMENT,
    PAGE_TITLE,
    READING_WIDTH,
    SPACE_L,
    SPACE_M,
    SPACE_S,
    SPACE_XS,
    current_theme,
    document_font,
)

# Metadata of a document in a table under its title: a picture, names and texts.

PICTURE_SIDE = 128  # maximum width and height of a picture, in pixels
NAME_WIDTH = 0.4  # maximum share of the table width for names


class FieldsTable(QWidget):
    """Names and texts in two columns, next to a picture; all texts are plain."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._picture = make_label(wrap=False)
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
        """Show other rows; space is reserved for a picture that is still loading."""
        for _ in range(len(self._labels), len(rows)):
            self._add_row()
        for index, (name, value) in enumerate(self._labels):
            used = index < len(rows)
            name.setText(rows[index][0] if used else "")
            value.setText(rows[index][1] if used else "")
            name.setVisible(used)
            value.setVisible(used)
        self._used = len(rows)
        side = round(PICTURE_SIDE * zoom)
        self._picture.setFixedSize(QSize(side, side))
        self._picture.setPixmap(QPixmap())
        self._picture.setVisible(pictured)
        self.setAccessibleName("; ".join(f"{name}: {value}" for name, value in rows))

    def _add_row(self) -> None:
        made = make_label("", "quiet"), make_label()
        for column, label in enumerate(made):
            label.setParent(self)
            label.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeading)
            self._grid.addWidget(label, len(self._labels), column)
        self._labels.append(made)

    @property
    def rows(self) -> list[tuple[str, str]]:
        """The rows shown."""
        return [(name.text(), value.text()) for name, value in self._labels[: self._used]]

    @property
    def has_picture(self) -> bool:
        """Whether a picture is on screen."""
        return not self._picture.pixmap().isNull()

    @property
    def picture(self) -> QImage:
        """The picture shown; a null image if there is none."""
        return self._picture.pixmap().toImage()

    def show_picture(self, image: QImage) -> None:
        """Show the picture without enlarging it; if there is none, release its space."""
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
        """Set the width and the height needed for it; return the height."""
        max_width = round(width * NAME_WIDTH)
        for name, _ in self._labels:
            name.setMaximumWidth(max_width)
            name.setMinimumWidth(
                min(max_width, name.fontMetrics().horizontalAdvance(name.text()) + 1)
            )
        self._box.invalidate()
        height = max(self._box.totalHeightForWidth(width), self._box.totalMinimumSize().height())
        self.resize(width, height)
        return height


def reserve_space(document: QTextDocument, room: int) -> float:
    """Reserve space below the title (the first block), or above a text without a title.

    Return the top of this space.
    """
    first, outside, margin = document.firstBlock(), document.rootFrame(), document.documentMargin()
    titled, alone = bool(first.blockFormat().headingLevel()), not first.next().isValid()
    look = outside.frameFormat()
    look.setTopMargin(margin + (0 if titled else room + SPACE_M))
    look.setBottomMargin(
        margin + (room + SPACE_S if titled and alone else 0)
    )  # Qt ignores the bottom margin of the last block
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
    """Write the fields and the picture into a document in place of the table, for printing."""
    reserve_space(document, 0)
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


# Document view: loads nothing, follows no links, accepts long texts in slices, and reports the
# first paint.

DIRECTION = QTextFormat.Property.LayoutDirection.value
RIGHT = Qt.LayoutDirection.RightToLeft
PARAGRAPH = "\u2029"  # Qt's separator of two blocks in a selection


def has_reversed_table(part: QTextFrame) -> bool:
    """Return whether a part of a document has a right-to-left table."""
    return any(_is_turned(inside) or has_reversed_table(inside) for inside in part.childFrames())


def natural_height(document: QTextDocument) -> float:
    """Return the line height in the script that a document begins with.

    Scripts use different fonts.
    """
    block, sample = document.begin(), ""
    for _ in range(BLOCKS_SEEN):
        sample = max(sample, block.text()[:CHARACTERS_SEEN].strip(), key=len)
        block = block.next()
    layout = QTextLayout(sample, document.defaultFont())
    layout.beginLayout()
    line = layout.createLine()
    layout.endLayout()
    return line.height() if line.isValid() else QFontMetrics(document.defaultFont()).lineSpacing()


def clear_direction(block: QTextBlock) -> None:
    """Make a paragraph use the direction of its own text, except in a right-to-left table.

    Qt also applies the direction of a table to the text after it.
    """
    look = block.blockFormat()
    if look.hasProperty(DIRECTION):
        cursor = QTextCursor(block)
        table = cursor.currentTable()
        if table is None or not _is_turned(table):
            look.clearProperty(DIRECTION)
            cursor.setBlockFormat(look)


def align_list_direction(block: QTextBlock) -> None:
    """Give an item in another script the direction of its list, whose markers are on one side."""
    items = block.textList()
    if items and block.textDirection() != RIGHT and items.item(0).textDirection() == RIGHT:
        _set_right_to_left(block)


def align_table_numbers(document: QTextDocument, begin: int) -> None:
    """Align numbers in right-to-left tables with the words.

    Qt exposes tables only after the edit block ends.
    """
    if has_reversed_table(document.rootFrame()):
        edit, block = QTextCursor(document), document.findBlock(begin)
        edit.beginEditBlock()
        while block.isValid():
            table = (
                None
                if block.textDirection() == RIGHT or has_direction(block.text())
                else QTextCursor(block).currentTable()
            )
            if table and _is_turned(table):
                _set_right_to_left(block)
            block = block.next()
        edit.endEditBlock()


def set_reading_direction(document: QTextDocument) -> None:
    """Give each paragraph of a document the direction of its own text."""
    edit, block = QTextCursor(document), document.firstBlock()
    edit.beginEditBlock()  # without an edit block each change would lay out the whole document
    while block.isValid():
        clear_direction(block)
        align_list_direction(block)
        block = block.next()
    edit.endEditBlock()
    align_table_numbers(document, 0)


def _set_right_to_left(block: QTextBlock) -> None:
    look = block.blockFormat()
    look.setLayoutDirection(RIGHT)
    QTextCursor(block).setBlockFormat(look)


def to_reading_order(cursor: QTextCursor) -> tuple[str, str]:
    """Return the text before the selection and the selected text, in reading order.

    Positions count as in a browser, where text is never reversed.
    """
    document, begin, end = cursor.document(), cursor.selectionStart(), cursor.selectionEnd()
    if not has_reversed_table(document.rootFrame()):
        return _text_between(document, 0, begin), cursor.selectedText()
    before, selected = list[str](), list[str]()
    for block in _blocks(document.rootFrame()):
        first, last = block.position(), block.position() + block.length() - 1
        low, high = max(first, begin), min(last, end)
        if not selected:
            before.append(_text_between(document, first, low if low < high else last))
        if low < high:
            selected.append(_text_between(document, low, high))
    return PARAGRAPH.join(before), PARAGRAPH.join(selected)


def _is_turned(frame: QTextFrame) -> bool:
    return (
        isinstance(frame, QTextTable)
        and frame.format().layoutDirection() == Qt.LayoutDirection.RightToLeft
    )


def _text_between(document: QTextDocument, begin: int, end: int) -> str:
    cursor = QTextCursor(document)
    cursor.setPosition(begin)
    cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
    return cursor.selectedText()


def _blocks(part: QTextFrame | QTextTableCell) -> Iterator[QTextBlock]:
    """Yield the blocks of a part in reading order."""
    at, end = part.begin(), part.end()
    while at != end:
        frame = at.currentFrame()
        if isinstance(frame, QTextTable):
            for cell in _cells(frame):
                yield from _blocks(cell)
        elif frame is not None:
            yield from _blocks(frame)
        elif at.currentBlock().isValid():
            yield at.currentBlock()
        at += 1  # type: ignore[assignment, operator, unused-ignore]  # PySide's types lack it


def _cells(table: QTextTable) -> Iterator[QTextTableCell]:
    columns = range(table.columns())
    for line in range(table.rows()):
        for column in reversed(columns) if _is_turned(table) else columns:
            cell = table.cellAt(line, column)
            if (cell.row(), cell.column()) == (
                line,
                column,
            ):  # a cell that spans columns counts at its first position
                yield cell


LINE_HEIGHT = 1.5  # multiple of the font size
BLOCKS_SEEN, CHARACTERS_SEEN = 4, 60  # blocks and characters examined to determine the script
PREFORMATTED = 13  # font size in pixels, so that 80 columns fit the page


TURN_MS = 12  # maximum time for adding slices before the event loop runs
FIT_MS = 40
MAX_BLOCKS, BLOCKS_AT_ONCE = (
    2000,
    400,
)  # larger documents are deleted in several turns, this many blocks at once
MAX_LEAVING = 3
SENTINEL = "\u2060"
ANYWHERE, WORD_BOUNDARIES = (
    QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere,
    QTextOption.WrapMode.WordWrap,
)
TAG = re.compile("<[^<>]*+>")
ENDLESS = re.compile(
    "[^\\s\u200b\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]{48}"
)  # opportunities to break long Latin words, inserted by the engine
HAIR = 3  # tolerance in pixels of a layout wider than the view


class DocumentView(QTextBrowser):
    """Read-only view of one document.

    `painted` is emitted once per document, when its first pixels are on screen; `loaded` when
    all of its text is in, for a short one before `show_html` or `show_slices` returns.
    Positions in the text never change while slices arrive.
    """

    rendered = Signal()
    loaded = Signal()
    zoom_asked = Signal(int)  # 1 for larger, -1 for smaller
    hungry = Signal()  # all slices have been added, and more were announced
    link_asked = Signal(str)  # the URL that the user requested; the view never opens it

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("document")
        self.setOpenLinks(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWordWrapMode(ANYWHERE)
        self.setAttribute(Qt.WidgetAttribute.WA_InputMethodEnabled, False)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setTabChangesFocus(True)
        self.setAccessibleName(self.tr("Document"))
        self.anchorClicked.connect(self._on_link)
        self.highlighted.connect(
            lambda address: self.viewport().setToolTip(escape_markup(_decode_address(address)))
        )
        self.horizontalScrollBar().rangeChanged.connect(self._on_width)
        self.complete = True  # whether the whole text is loaded
        self._zoom, self._natural = 1.0, 1.0
        self._waiting = ""
        self._pending_anchor = ""
        self._tables = self._endless = (
            False  # whether the text contains a table, and words longer than a line
        )
        self._slices: deque[str] = deque()
        self._more = False
        self._pictures = PlacedPictures(self)
        self._announced = True
        self._after_paint = _timer(self, 0, self._announce)
        self._feeding = _timer(self, 0, self._insert_slices)
        self._fitting = _timer(self, FIT_MS, self._fit)
        self.fields = FieldsTable(
            self.viewport()
        )  # not part of the text, so that positions refer to the document alone
        self._fields_at = 0  # position of the fields
        self.verticalScrollBar().valueChanged.connect(lambda _value: self._move_fields())
        self._turned = 0
        self._zooming = _timer(self, FIT_MS, self._ask_zoom)
        self._leaving = deque[QTextDocument]()
        self._clearing = _timer(self, 0, self._clear_away)
        self._turn_page()

    # Content

    def let_pictures_be_tall(self) -> None:
        """Show page images as wide as the page, whatever their height."""
        self._pictures.tall = True

    def show_html(self, html: str, zoom: float = 1.0) -> None:
        """Show sanitised HTML from the top; for short texts."""
        self.show_slices([html], zoom)

    def show_slices(
        self,
        slices: Sequence[str],
        zoom: float = 1.0,
        *,
        more: bool = False,
        pictures: Mapping[str, DocumentPicture] | None = None,
    ) -> None:
        """Show sanitised HTML from the top.

        The first slice at once, the others from the event loop.
        """
        self._begin(zoom)
        self._announced = False
        self._pictures.take(pictures or {})
        self._choose_wrap_mode(slices[0])
        self._fill(slices[0])
        self.verticalScrollBar().setValue(0)
        self.viewport().update()
        self.add_slices(slices[1:], more=more)

    def _fill(self, html: str) -> None:
        """Insert the first slice and lay it out only once.

        A scroll bar that appears would repeat the layout.
        """
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        edit = QTextCursor(self.document())
        edit.beginEditBlock()
        self.setHtml(mirror_tables(html))
        self._format_from(0)
        edit.endEditBlock()
        if self._tables:
            align_table_numbers(self.document(), 0)
        self.document().idealWidth()  # forces the layout now; the scroll bar would be updated later
        self.document().documentLayout().documentSizeChanged.emit(self.document().size())
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)

    def _choose_wrap_mode(self, html: str) -> None:
        """From the first table on, wrap at word boundaries only; otherwise columns could become one
        character wide.

        A wide table then scrolls horizontally.
        """
        self._endless = self._endless or bool(ENDLESS.search(TAG.sub(" ", html)))
        self._tables = self._tables or "<table>" in html or "<table " in html
        self._wrap(WORD_BOUNDARIES if self._tables and not self._endless else ANYWHERE)

    def _wrap(self, mode: QTextOption.WrapMode) -> None:
        if self.wordWrapMode() != mode:
            self.setWordWrapMode(mode)

    def show_fields(
        self,
        rows: Sequence[tuple[str, str]],
        picture: DocumentPicture | None = None,
        *,
        pictured: bool = False,
    ) -> None:
        """Show the fields under the title; with `pictured`, reserve space for a picture loaded
        later.
        """
        self.fields.show_rows(rows, pictured=pictured, zoom=self._zoom)
        if picture:
            self.fields.show_picture(picture.image)
        self.fields.setVisible(bool(rows) or pictured)
        self._make_room()

    def _make_room(self) -> None:
        if not self.fields.isHidden():
            margin = round(self.document().documentMargin())
            room = self.fields.fit(self.viewport().width() - 2 * margin)
            self._fields_at = round(reserve_space(self.document(), room))
            self._move_fields()

    def _move_fields(self) -> None:
        self.fields.move(
            round(self.document().documentMargin()),
            self._fields_at - self.verticalScrollBar().value(),
        )

    def add_slices(
        self,
        slices: Sequence[str],
        *,
        more: bool = False,
        pictures: Mapping[str, DocumentPicture] | None = None,
    ) -> None:
        """Append slices to the current document."""
        self._pictures.take(pictures or {})
        self._slices.extend(slices)
        self._more = more
        if self._slices or more:
            self._feeding.start()
        else:
            self._end()

    def show_waiting(self, message: str = "") -> None:
        """Show an empty page or a short text until a document arrives.

        It does not count as painted.
        """
        self._begin(self._zoom)
        self._waiting = message
        self.setAccessibleDescription(message)
        self.clear()

    def _begin(self, zoom: float) -> None:
        self._after_paint.stop()  # what was just painted is not this document
        self._feeding.stop()
        self._slices.clear()
        self._pictures.clear()
        self.fields.hide()
        self._announced, self.complete, self._waiting, self._pending_anchor, self._zoom = (
            True,
            False,
            "",
            "",
            zoom,
        )
        self.setAccessibleDescription("")
        self.viewport().setToolTip("")
        self._hold_measure()
        self._turn_page()
        self._tables = self._endless = False
        self.clear()  # further changes would lay out the old document again
        self._wrap(ANYWHERE)
        self.document().setDefaultStyleSheet(_style(zoom))
        self.document().setDefaultFont(document_font(zoom))

    def _turn_page(self) -> None:
        """Start an empty document; a large old one is deleted in steps later, since deletion is
        slow.
        """
        if self.document().blockCount() < MAX_BLOCKS and self.document().parent() is self:
            return
        self.setExtraSelections([])
        page = QTextDocument(self)
        page.setUndoRedoEnabled(False)
        before = self.document()
        self.setDocument(page)  # this deletes the first document, which Qt owns
        if isValid(before):
            self._leaving.append(before)
            self._clearing.start()

    def _clear_away(self) -> None:
        """Delete an old document, some blocks per event loop turn, after pending slices."""
        if not self._leaving or not (self.complete or len(self._leaving) > MAX_LEAVING):
            return
        page, spent = self._leaving[0], QElapsedTimer()
        spent.start()
        left = page.blockCount() + 1
        while MAX_BLOCKS // 2 < page.blockCount() < left and spent.elapsed() < TURN_MS:
            left = page.blockCount()
            cursor = QTextCursor(page.findBlockByNumber(page.blockCount() - BLOCKS_AT_ONCE))
            cursor.movePosition(QTextCursor.MoveOperation.End, QTextCursor.MoveMode.KeepAnchor)
            cursor.removeSelectedText()
        if page.blockCount() <= MAX_BLOCKS // 2 or page.blockCount() == left:
            self._leaving.popleft().deleteLater()
        self._clearing.start()

    def _insert_slices(self) -> None:
        """Insert slices for a short time, then return to the event loop."""
        spent = QElapsedTimer()
        spent.start()
        while self._slices and spent.elapsed() < TURN_MS:
            self._append(self._slices.popleft())
        if self._slices:
            self._feeding.start()
        elif self._more:
            self.hungry.emit()
        else:
            self._end()

    def _append(self, html: str) -> None:
        """Append a slice; a selection that ends at the end of the text is not extended."""
        own, edit = self.textCursor(), QTextCursor(self.document())
        selected = own.anchor(), own.position()
        self._choose_wrap_mode(html)
        edit.beginEditBlock()
        edit.movePosition(QTextCursor.MoveOperation.End)
        begin = edit.position()
        edit.insertHtml(
            f"<p>{SENTINEL}</p>{mirror_tables(html)}"
        )  # the first block would be merged into the previous one and lose its format
        edit.setPosition(begin)
        edit.deleteChar()
        self._format_from(min(begin + 1, edit.document().characterCount() - 1))
        edit.endEditBlock()
        if self._tables:
            align_table_numbers(self.document(), begin)
        if max(selected) >= begin:
            own.setPosition(selected[0])
            own.setPosition(selected[1], QTextCursor.MoveMode.KeepAnchor)
            top = self.verticalScrollBar().value()
            self.setTextCursor(own)
            self.verticalScrollBar().setValue(top)  # Qt scrolled to the cursor

    def _fit(self) -> None:
        self._pictures.fit()
        self._make_room()

    def _end(self) -> None:
        self.complete = True
        self._make_room()
        self._clearing.start()
        if self._pending_anchor:
            self.scrollToAnchor(self._pending_anchor)
        self.loaded.emit()

    # Positions

    def show_range(self, begin: int, end: int) -> None:
        """Scroll a range of the text to the top of the view and select it."""
        cursor = QTextCursor(self.document())
        cursor.setPosition(begin)
        self.verticalScrollBar().setValue(
            self.verticalScrollBar().value() + self.cursorRect(cursor).top()
        )
        cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
        self.setTextCursor(cursor)

    def select_whole_words(self) -> None:
        """Extend the selection to whole words."""
        cursor, letter = self.textCursor(), self.document().characterAt
        begin, end = cursor.selectionStart(), cursor.selectionEnd()
        if begin == end:
            return
        while is_within_word(letter(begin - 1), letter(begin)):
            begin -= 1
        while is_within_word(letter(end - 1), letter(end)):
            end += 1
        cursor.setPosition(begin)
        cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
        self.setTextCursor(cursor)

    def selection(self) -> tuple[str, str]:
        """Return the text before the selection and the selected text, in reading order."""
        return to_reading_order(self.textCursor())

    @property
    def zoom(self) -> float:
        """Zoom of the document."""
        return self._zoom

    def loadResource(self, kind: int, name: QUrl | str) -> Any:
        """Load only embedded images, decoded as untrusted data."""
        address = name.toString() if isinstance(name, QUrl) else name
        if kind != QTextDocument.ResourceType.ImageResource.value:
            return ""
        image = self._pictures.image(address)
        if image is None and address.startswith("data:image/"):
            image = read_address(address).image
        return _nothing() if image is None or image.isNull() else image

    def createMimeDataFromSelection(self) -> QMimeData:
        """Copy the text without the break opportunities added to long words."""
        shown, copied = super().createMimeDataFromSelection(), QMimeData()
        turned = has_reversed_table(self.document().rootFrame())
        text = self.selection()[1].replace(PARAGRAPH, "\n") if turned else shown.text()
        copied.setText(text.replace(BREAK_OPPORTUNITY, ""))
        copied.setHtml(shown.html().replace(BREAK_OPPORTUNITY, ""))
        return copied

    def _on_link(self, address: QUrl) -> None:
        if not address.scheme() and not address.path() and address.hasFragment():
            before = self.verticalScrollBar().value()
            self.scrollToAnchor(address.fragment())
            if not self.complete and self.verticalScrollBar().value() == before:
                # The target may be in a slice that is not loaded yet
                self._pending_anchor = address.fragment()
        elif plain := _decode_address(address):
            self.link_asked.emit(plain)

    # Qt overrides

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self._waiting:
            painter = QPainter(self.viewport())
            painter.setPen(QColor(current_theme().quiet))
            margin = int(self.document().documentMargin())
            painter.drawText(
                self.viewport().rect().adjusted(margin, margin, -margin, -margin),
                Qt.AlignmentFlag.AlignTop,
                self._waiting,
            )
        if not self._announced and not self._after_paint.isActive():
            self._after_paint.start()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Scroll; with Ctrl request another zoom, one step per event loop turn."""
        if not event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            super().wheelEvent(event)
            return
        event.accept()
        self._turned = event.angleDelta().y() or self._turned
        if self._turned and not self._zooming.isActive():
            self._zooming.start()

    def _ask_zoom(self) -> None:
        turned, self._turned = self._turned, 0
        self.zoom_asked.emit(1 if turned > 0 else -1)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._hold_measure()
        super().resizeEvent(event)
        self._fitting.start()

    def _hold_measure(self) -> None:
        """Limit the line length for readability; on a wider page the text is centred."""
        spare = self.width() - round(READING_WIDTH * self._zoom)
        side = 0 if self._pictures.tall else max(0, spare // 2)
        if self.viewportMargins().left() != side:
            self.setViewportMargins(side, 0, side, 0)

    def _on_width(self, _least: int, max_excess: int) -> None:
        """Show the horizontal scroll bar only if the text is really wider than the view."""
        off, needed = Qt.ScrollBarPolicy.ScrollBarAlwaysOff, Qt.ScrollBarPolicy.ScrollBarAsNeeded
        self.setHorizontalScrollBarPolicy(off if max_excess <= HAIR else needed)

    def _announce(self) -> None:
        if self.isVisible():
            self._announced = True
            self.rendered.emit()

    def _format_from(self, begin: int) -> None:
        """Format the text from a position on: line height, heading sizes, picture widths."""
        if not begin:
            self._natural = natural_height(self.document())
        spacing = QTextBlockFormat()
        height = 100 * LINE_HEIGHT * DOCUMENT * self._zoom / self._natural
        spacing.setLineHeight(height, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
        spacing.setNonBreakableLines(
            False
        )  # wrap preformatted lines too, so that nothing is cut off
        cursor = QTextCursor(self.document())
        cursor.setPosition(begin)
        cursor.movePosition(QTextCursor.MoveOperation.End, QTextCursor.MoveMode.KeepAnchor)
        cursor.mergeBlockFormat(spacing)
        block = self.document().findBlock(begin)
        while block.isValid():
            if level := block.blockFormat().headingLevel():
                self._format_heading(block, level)
            clear_direction(block)
            align_list_direction(block)
            block = block.next()
        self._pictures.place_pictures(begin, self.document().characterCount() - 1)

    def _format_heading(self, block: QTextBlock, level: int) -> None:
        """Set the font size of a heading, which Qt would otherwise enlarge again."""
        at, fragments = block.begin(), list[tuple[int, int, QTextCharFormat]]()
        while not at.atEnd():
            piece = at.fragment()
            fragments.append(
                (piece.position(), piece.position() + piece.length(), piece.charFormat())
            )
            at += 1  # type: ignore[assignment, operator, unused-ignore]  # PySide's types lack it
        cursor = QTextCursor(self.document())
        for begin, end, look in fragments:
            cursor.setPosition(begin)
            cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
            cursor.setCharFormat(_heading(look, level, self._zoom))


def _timer(parent: QTextBrowser, milliseconds: int, call: Callable[[], None]) -> QTimer:
    """Return a single-shot timer."""
    timer = QTimer(parent)
    timer.setSingleShot(True)
    timer.setInterval(milliseconds)
    timer.timeout.connect(call)
    return timer


def _decode_address(address: QUrl) -> str:
    """Return a URL in unambiguous characters: other scripts and invisible ones are escaped."""
    return address.toString(QUrl.ComponentFormattingOption.FullyEncoded)


def _nothing() -> QImage:
    """Return an empty image; given none, Qt would look for a file of that name."""
    image = QImage(1, 1, QImage.Format.Format_ARGB32)
    image.fill(Qt.GlobalColor.transparent)
    return image


def _heading(heading: QTextCharFormat, level: int, zoom: float) -> QTextCharFormat:
    heading.clearProperty(QTextFormat.Property.FontSizeAdjustment.value)
    heading.setProperty(
        QTextFormat.Property.FontPixelSize.value,
        round((PAGE_TITLE if level == 1 else DOCUMENT + 1) * zoom),
    )
    heading.setFontWeight(QFont.Weight.DemiBold)
    return heading


def _style(zoom: float) -> str:
    theme, below = current_theme(), round(SPACE_M * zoom)
    return (
        f"h1, p {{ margin: 0 0 {below}px 0; }} p.line {{ margin: 0; }} p.first {{ margin: {below}px 0 0 0; }}"
        f"h2, h3, h4, h5, h6 {{ margin: {below}px 0 {round(SPACE_S * zoom)}px 0; }}"
        f"pre {{ font-size: {round(PREFORMATTED * zoom)}px; }}"
        f"a:link {{ color: {theme.accent}; }} table {{ border-collapse: collapse; margin: {below}px 0; }}"
        f"td, th {{ padding: {round(5 * zoom)}px {below}px; border: 1px solid {theme.line}; }} th {{ text-align: left; }}"
    )
