"""View of one document and of a table of its fields; long texts are inserted in slices."""

import re
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from PySide6.QtCore import QElapsedTimer, QMimeData, QSize, Qt, QUrl, Signal
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
from PySide6.QtWidgets import QFrame, QLabel, QTextBrowser, QWidget
from shiboken6 import isValid

from irjudge.text import BREAK_OPPORTUNITY, has_direction, is_within_word, mirror_tables
from irjudge_ui.messages import escape_markup
from irjudge_ui.widgets.layout import make_grid, make_label, make_timer, row
from irjudge_ui.widgets.pictures import DocumentPicture, PlacedPictures, read_address
from irjudge_ui.widgets.text_marks import make_cursor, scroll_to
from irjudge_ui.widgets.theme import (
    DOCUMENT_FONT_SIZE,
    PAGE_TITLE_FONT_SIZE,
    READING_WIDTH,
    SPACE_L,
    SPACE_M,
    SPACE_S,
    SPACE_XS,
    current_theme,
    document_font,
)

# Table of a document's fields below its title

MAX_PICTURE_SIDE = 128  # maximum width and height of a picture, in pixels
MAX_NAME_SHARE = 0.4  # maximum share of the table width for names


class FieldsTable(QWidget):
    """Read-only table of a document's fields: names and texts, next to any picture.

    The table is placed over a `DocumentView`, in a space that is reserved below the title.
    """

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._picture = make_label(wrap=False, name=self.tr("Image of the document"))
        self._picture.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        self._grid = make_grid(SPACE_M, SPACE_XS, stretched=1)
        self._labels: list[tuple[QLabel, QLabel]] = []
        self._row_count = 0
        box = self._box = row(self._picture, self._grid, spacing=SPACE_L)
        box.setAlignment(self._picture, Qt.AlignmentFlag.AlignTop)
        box.setAlignment(self._grid, Qt.AlignmentFlag.AlignTop)
        box.setStretch(1, 1)
        self.setLayout(box)
        self.hide()

    def show_rows(self, rows: Sequence[tuple[str, str]], *, pictured: bool, zoom: float) -> None:
        """Replace the rows; if `pictured`, reserve space for a picture that is shown later."""
        for _ in range(len(self._labels), len(rows)):
            self._add_row()
        for index, (name, value) in enumerate(self._labels):
            is_used = index < len(rows)
            name.setText(rows[index][0] if is_used else "")
            value.setText(rows[index][1] if is_used else "")
            name.setVisible(is_used)
            value.setVisible(is_used)
        self._row_count = len(rows)
        side = round(MAX_PICTURE_SIDE * zoom)
        self._picture.setFixedSize(QSize(side, side))
        self._picture.setPixmap(QPixmap())
        self._picture.setVisible(pictured)
        self.setAccessibleName("; ".join(f"{name}: {value}" for name, value in rows))

    def _add_row(self) -> None:
        new_labels = make_label("", "quiet"), make_label()
        for column, label in enumerate(new_labels):
            label.setParent(self)
            label.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeading)
            self._grid.addWidget(label, len(self._labels), column)
        self._labels.append(new_labels)

    @property
    def rows(self) -> list[tuple[str, str]]:
        return [(name.text(), value.text()) for name, value in self._labels[: self._row_count]]

    @property
    def has_picture(self) -> bool:
        return not self._picture.pixmap().isNull()

    @property
    def picture(self) -> QImage:
        return self._picture.pixmap().toImage()

    def show_picture(self, image: QImage) -> None:
        """Show a picture, without enlarging it; for a null image, release the reserved space."""
        self._picture.setVisible(not image.isNull())
        if image.isNull():
            return
        ratio = self.devicePixelRatioF()
        target_size = self._picture.size() * ratio
        is_small_enough = (
            image.width() <= target_size.width() and image.height() <= target_size.height()
        )
        aspect_mode = Qt.AspectRatioMode.KeepAspectRatio
        transformation = Qt.TransformationMode.SmoothTransformation
        pixmap = QPixmap.fromImage(
            image if is_small_enough else image.scaled(target_size, aspect_mode, transformation)
        )
        pixmap.setDevicePixelRatio(ratio)
        self._picture.setPixmap(pixmap)

    def fit(self, width: int) -> int:
        """Set the width, and set the height to what the rows need; return the height."""
        max_width = round(width * MAX_NAME_SHARE)
        for name, _ in self._labels:
            name.setMaximumWidth(max_width)
            name.setMinimumWidth(
                min(max_width, name.fontMetrics().horizontalAdvance(name.text()) + 1)
            )
        self._box.invalidate()
        height = max(self._box.totalHeightForWidth(width), self._box.totalMinimumSize().height())
        self.resize(width, height)
        return height


def reserve_space(document: QTextDocument, reserved_height: int) -> float:
    """Reserve space below the title of a document or, without a title, above its text.

    The title is the first block. Return the vertical position of the top of the space.
    """
    first = document.firstBlock()
    root_frame = document.rootFrame()
    margin = document.documentMargin()
    has_title, is_only_block = bool(first.blockFormat().headingLevel()), not first.next().isValid()
    frame_format = root_frame.frameFormat()
    frame_format.setTopMargin(margin + (0 if has_title else reserved_height + SPACE_M))
    frame_format.setBottomMargin(
        margin + (reserved_height + SPACE_S if has_title and is_only_block else 0)
    )  # the frame has the margin, since Qt ignores the bottom margin of the last block
    if frame_format != root_frame.frameFormat():
        root_frame.setFrameFormat(frame_format)
    if has_title:
        spacing = QTextBlockFormat()
        spacing.setBottomMargin(SPACE_S + reserved_height + SPACE_L)
        if first.blockFormat().bottomMargin() != spacing.bottomMargin():
            QTextCursor(first).mergeBlockFormat(spacing)
        return document.documentLayout().blockBoundingRect(document.firstBlock()).bottom() + SPACE_S
    return margin


def write_rows(document: QTextDocument, rows: Sequence[tuple[str, str]], picture: QImage) -> None:
    """Insert the fields and the picture as text into a document, for printing."""
    reserve_space(document, 0)
    cursor = QTextCursor(document.firstBlock())
    if document.firstBlock().blockFormat().headingLevel():
        cursor.movePosition(QTextCursor.MoveOperation.EndOfBlock)
        cursor.insertBlock(QTextBlockFormat(), QTextCharFormat())
    if not picture.isNull():
        cursor.insertImage(picture)
        cursor.insertBlock()
    for name, value in rows:
        cursor.insertText(f"{name}: {value}")
        cursor.insertBlock()


# Document view, which never loads external resources and never follows links

DIRECTION_PROPERTY = QTextFormat.Property.LayoutDirection.value
RIGHT_TO_LEFT = Qt.LayoutDirection.RightToLeft
BLOCK_SEPARATOR = "\u2029"  # Qt's separator of two blocks in a selection


def has_reversed_table(frame: QTextFrame) -> bool:
    """Return whether a part of a document contains a right-to-left table."""
    return any(
        _is_right_to_left(child) or has_reversed_table(child) for child in frame.childFrames()
    )


def natural_height(document: QTextDocument) -> float:
    """Return the line height of the script in which a document begins.

    Line heights of scripts differ, since scripts use different fonts.
    """
    block, sample = document.begin(), ""
    for _ in range(EXAMINED_BLOCKS):
        sample = max(sample, block.text()[:EXAMINED_CHARACTERS].strip(), key=len)
        block = block.next()
    layout = QTextLayout(sample, document.defaultFont())
    layout.beginLayout()
    line = layout.createLine()
    layout.endLayout()
    return line.height() if line.isValid() else QFontMetrics(document.defaultFont()).lineSpacing()


def clear_direction(block: QTextBlock) -> None:
    """Remove a fixed direction of a paragraph, except in a right-to-left table.

    The direction of the paragraph then depends on its text. This is needed because Qt applies the
    direction of a table even to the text after the table.
    """
    block_format = block.blockFormat()
    if block_format.hasProperty(DIRECTION_PROPERTY):
        cursor = QTextCursor(block)
        table = cursor.currentTable()
        if table is None or not _is_right_to_left(table):
            block_format.clearProperty(DIRECTION_PROPERTY)
            cursor.setBlockFormat(block_format)


def align_list_direction(block: QTextBlock) -> None:
    """Make a list item right-to-left if its list is, so that the markers are aligned."""
    items = block.textList()
    if (
        items
        and block.textDirection() != RIGHT_TO_LEFT
        and items.item(0).textDirection() == RIGHT_TO_LEFT
    ):
        _set_right_to_left(block)


def align_table_numbers(document: QTextDocument, begin: int) -> None:
    """Align numbers in right-to-left tables like words, starting at position `begin`.

    The function must be called after the end of an edit block, since new tables are not accessible
    during the block.
    """
    if has_reversed_table(document.rootFrame()):
        cursor, block = QTextCursor(document), document.findBlock(begin)
        cursor.beginEditBlock()
        while block.isValid():
            table = (
                None
                if block.textDirection() == RIGHT_TO_LEFT or has_direction(block.text())
                else QTextCursor(block).currentTable()
            )
            if table and _is_right_to_left(table):
                _set_right_to_left(block)
            block = block.next()
        cursor.endEditBlock()


def set_reading_direction(document: QTextDocument) -> None:
    """Give each paragraph of a document the direction of its own text."""
    cursor, block = QTextCursor(document), document.firstBlock()
    cursor.beginEditBlock()  # without an edit block, each change would lay out the whole document
    while block.isValid():
        clear_direction(block)
        align_list_direction(block)
        block = block.next()
    cursor.endEditBlock()
    align_table_numbers(document, 0)


def _set_right_to_left(block: QTextBlock) -> None:
    block_format = block.blockFormat()
    block_format.setLayoutDirection(RIGHT_TO_LEFT)
    QTextCursor(block).setBlockFormat(block_format)


def to_reading_order(cursor: QTextCursor) -> tuple[str, str]:
    """Return the text before a selection and the selected text, in reading order.

    Qt reverses the cells of right-to-left tables; text positions in browsers follow the reading
    order.
    """
    document, begin, end = cursor.document(), cursor.selectionStart(), cursor.selectionEnd()
    if not has_reversed_table(document.rootFrame()):
        return make_cursor(document, 0, begin).selectedText(), cursor.selectedText()
    preceding, selected = list[str](), list[str]()
    for block in _iter_blocks(document.rootFrame()):
        first, last = block.position(), block.position() + block.length() - 1
        low, high = max(first, begin), min(last, end)
        if not selected:
            preceding.append(
                make_cursor(document, first, low if low < high else last).selectedText()
            )
        if low < high:
            selected.append(make_cursor(document, low, high).selectedText())
    return BLOCK_SEPARATOR.join(preceding), BLOCK_SEPARATOR.join(selected)


def _is_right_to_left(frame: QTextFrame) -> bool:
    return (
        isinstance(frame, QTextTable)
        and frame.format().layoutDirection() == Qt.LayoutDirection.RightToLeft
    )


def _iter_blocks(part: QTextFrame | QTextTableCell) -> Iterator[QTextBlock]:
    """Yield the blocks of a part of a document in reading order."""
    iterator, end = part.begin(), part.end()
    while iterator != end:
        frame = iterator.currentFrame()
        if isinstance(frame, QTextTable):
            for cell in _iter_cells(frame):
                yield from _iter_blocks(cell)
        elif frame is not None:
            yield from _iter_blocks(frame)
        elif iterator.currentBlock().isValid():
            yield iterator.currentBlock()
        iterator += 1  # type: ignore[assignment, operator, unused-ignore]  # types lack `+=`


def _iter_cells(table: QTextTable) -> Iterator[QTextTableCell]:
    columns = range(table.columns())
    for row_index in range(table.rows()):
        for column in reversed(columns) if _is_right_to_left(table) else columns:
            cell = table.cellAt(row_index, column)
            # a cell that spans several positions is yielded only at the first one
            if (cell.row(), cell.column()) == (row_index, column):
                yield cell


LINE_HEIGHT = 1.5  # line height as a multiple of the font size
# numbers of blocks, and of characters per block, that are examined to determine the script
EXAMINED_BLOCKS = 4
EXAMINED_CHARACTERS = 60
# font size of preformatted text in pixels; at this size, 80 characters fit on a line
PREFORMATTED_FONT_SIZE = 13


SLICE_TIME_MS = 12  # maximum time for inserting slices before the event loop runs again
FIT_INTERVAL_MS = 40
# minimum number of blocks of a document that is deleted in steps, and number of blocks per step
MAX_BLOCKS = 2000
MAX_CLEARED_BLOCKS = 400
MAX_OLD_PAGES = 3
SENTINEL = "\u2060"
WRAP_ANYWHERE = QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere
WORD_BOUNDARIES = QTextOption.WrapMode.WordWrap
TAG = re.compile("<[^<>]*+>")
# a word so long that the engine inserts break opportunities into it; East Asian characters do not
# count, since lines can be broken between them
LONG_WORDS = re.compile("[^\\s\u200b\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]{48}")
# maximum excess width of the text, in pixels, for which no scroll bar is shown
WIDTH_TOLERANCE = 3


class DocumentView(QTextBrowser):
    """Read-only view of one document, which is sanitised HTML.

    A long document is shown as slices (parts of the HTML), which are inserted one after another
    from the event loop. `rendered` is emitted once per document, when the beginning of the document
    is on screen. `loaded` is emitted when the whole text has been inserted; for a short document,
    this is before `show_html` or `show_slices` returns. Positions in the text do not change while
    slices are inserted. External links are not opened, and external resources are not loaded; a
    link to an anchor in the document scrolls to it.
    """

    rendered = Signal()
    loaded = Signal()
    zoom_requested = Signal(int)  # emitted with 1 to request larger, -1 smaller text
    more_requested = Signal()  # emitted when all slices are inserted but `has_more` was set
    link_requested = Signal(str)  # emitted with the URL of a clicked external link

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("document")
        self.setOpenLinks(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWordWrapMode(WRAP_ANYWHERE)
        self.setAttribute(Qt.WidgetAttribute.WA_InputMethodEnabled, False)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setTabChangesFocus(True)
        self.setAccessibleName(self.tr("Document"))
        self.anchorClicked.connect(self._on_link)
        self.highlighted.connect(
            lambda address: self.viewport().setToolTip(escape_markup(_encode_address(address)))
        )
        self.horizontalScrollBar().rangeChanged.connect(self._on_width)
        self.complete = True  # whether the whole text has been inserted
        self._zoom, self._natural_line_height = 1.0, 1.0
        self._waiting_text = ""
        self._pending_anchor = ""
        # whether the text contains tables, and whether it contains words longer than a line
        self._has_tables = self._has_long_words = False
        self._slices: deque[str] = deque()
        self._expects_more = False
        self._pictures = PlacedPictures(self)
        self._paint_announced = True
        self._paint_timer = make_timer(self, 0, self._emit_rendered)
        self._insert_timer = make_timer(self, 0, self._insert_slices)
        self._fit_timer = make_timer(self, FIT_INTERVAL_MS, self._fit)
        # the table of fields is a separate widget, so that positions refer to the document's text
        # only
        self.fields = FieldsTable(self.viewport())
        self._fields_position = 0  # vertical position of the table of fields
        self.verticalScrollBar().valueChanged.connect(lambda _value: self._move_fields())
        self._wheel_steps = 0
        self._zoom_timer = make_timer(self, FIT_INTERVAL_MS, self._ask_zoom)
        self._old_pages = deque[QTextDocument]()
        self._clear_timer = make_timer(self, 0, self._delete_old_pages)
        self._replace_page()

    # Content

    def allow_tall_pictures(self) -> None:
        """Show pictures as wide as the page, even if they are higher than the page."""
        self._pictures.are_tall = True

    def show_html(self, html: str, zoom: float = 1.0) -> None:
        """Show a short text, which must be sanitised HTML, from the top."""
        self.show_slices([html], zoom)

    def show_slices(
        self,
        slices: Sequence[str],
        zoom: float = 1.0,
        *,
        has_more: bool = False,
        pictures: Mapping[str, DocumentPicture] | None = None,
    ) -> None:
        """Show a document, which must be sanitised HTML, from the top.

        The first slice is inserted by this call, the others later from the event loop. `has_more`
        announces further slices, see `more_requested`.
        """
        self._begin(zoom)
        self._paint_announced = False
        self._pictures.register(pictures or {})
        self._choose_wrap_mode(slices[0])
        self._fill(slices[0])
        self.verticalScrollBar().setValue(0)
        self.viewport().update()
        self.add_slices(slices[1:], has_more=has_more)

    def _fill(self, html: str) -> None:
        """Insert the first slice, and lay it out only once.

        If a scroll bar appeared after the layout, the layout would be repeated.
        """
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        cursor = QTextCursor(self.document())
        cursor.beginEditBlock()
        self.setHtml(mirror_tables(html))
        self._format_from(0)
        cursor.endEditBlock()
        if self._has_tables:
            align_table_numbers(self.document(), 0)
        # called only to force the layout, so that the scroll bar does not change later
        self.document().idealWidth()
        self.document().documentLayout().documentSizeChanged.emit(self.document().size())
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)

    def _choose_wrap_mode(self, html: str) -> None:
        """Choose where lines are wrapped, given the text so far and the new text `html`.

        If there is a table, lines are wrapped only at word boundaries, so that columns do not
        become one character wide; a wide table scrolls horizontally. Without a table, or if there
        are very long words, lines can be wrapped anywhere.
        """
        self._has_long_words = self._has_long_words or bool(LONG_WORDS.search(TAG.sub(" ", html)))
        self._has_tables = self._has_tables or "<table>" in html or "<table " in html
        self._wrap(
            WORD_BOUNDARIES if self._has_tables and not self._has_long_words else WRAP_ANYWHERE
        )

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
        """Show fields of the document below its title.

        If `pictured`, reserve space for a picture that is shown later.
        """
        self.fields.show_rows(rows, pictured=pictured, zoom=self._zoom)
        if picture:
            self.fields.show_picture(picture.image)
        self.fields.setVisible(bool(rows) or pictured)
        self._reserve_fields_space()

    def _reserve_fields_space(self) -> None:
        if not self.fields.isHidden():
            fields_height = self.fields.fit(
                self.viewport().width() - 2 * round(self.document().documentMargin())
            )
            self._fields_position = round(reserve_space(self.document(), fields_height))
            self._move_fields()

    def _move_fields(self) -> None:
        self.fields.move(
            round(self.document().documentMargin()),
            self._fields_position - self.verticalScrollBar().value(),
        )

    def add_slices(
        self,
        slices: Sequence[str],
        *,
        has_more: bool = False,
        pictures: Mapping[str, DocumentPicture] | None = None,
    ) -> None:
        """Append slices to the current document; they are inserted from the event loop."""
        self._pictures.register(pictures or {})
        self._slices.extend(slices)
        self._expects_more = has_more
        if self._slices or has_more:
            self._insert_timer.start()
        else:
            self._end()

    def show_waiting(self, message: str = "") -> None:
        """Show an empty page or a short message until a document is shown.

        `rendered` is not emitted for the message.
        """
        self._begin(self._zoom)
        self._waiting_text = message
        self.setAccessibleDescription(message)
        self.clear()

    def _begin(self, zoom: float) -> None:
        self._paint_timer.stop()  # cancels `rendered` for the previous document
        self._insert_timer.stop()
        self._slices.clear()
        self._pictures.clear()
        self.fields.hide()
        self._paint_announced = True
        self.complete = False
        self._waiting_text = ""
        self._pending_anchor = ""
        self._zoom = zoom
        self.setAccessibleDescription("")
        self.viewport().setToolTip("")
        self._limit_line_length()
        self._replace_page()
        self._has_tables = self._has_long_words = False
        self.clear()  # cleared first, since changes to a document with text would repeat its layout
        self._wrap(WRAP_ANYWHERE)
        self.document().setDefaultStyleSheet(_make_style(zoom))
        self.document().setDefaultFont(document_font(zoom))

    def _replace_page(self) -> None:
        """Replace a large document by an empty document.

        The old document is later deleted in steps, since deleting it in one step would block the
        window.
        """
        if self.document().blockCount() < MAX_BLOCKS and self.document().parent() is self:
            return
        self.setExtraSelections([])
        page = QTextDocument(self)
        page.setUndoRedoEnabled(False)
        old_page = self.document()
        # Qt owns the initial document of the view, and deletes it in this call
        self.setDocument(page)
        if isValid(old_page):
            self._old_pages.append(old_page)
            self._clear_timer.start()

    def _delete_old_pages(self) -> None:
        """Delete a part of the old documents, once the current document is complete.

        The event loop calls this method again until all old documents are deleted.
        """
        if not self._old_pages or not (self.complete or len(self._old_pages) > MAX_OLD_PAGES):
            return
        page, timer = self._old_pages[0], QElapsedTimer()
        timer.start()
        remaining_blocks = page.blockCount() + 1
        while (
            MAX_BLOCKS // 2 < page.blockCount() < remaining_blocks
            and timer.elapsed() < SLICE_TIME_MS
        ):
            remaining_blocks = page.blockCount()
            cursor = QTextCursor(page.findBlockByNumber(page.blockCount() - MAX_CLEARED_BLOCKS))
            cursor.movePosition(QTextCursor.MoveOperation.End, QTextCursor.MoveMode.KeepAnchor)
            cursor.removeSelectedText()
        if page.blockCount() <= MAX_BLOCKS // 2 or page.blockCount() == remaining_blocks:
            self._old_pages.popleft().deleteLater()
        self._clear_timer.start()

    def _insert_slices(self) -> None:
        """Insert slices for up to `SLICE_TIME_MS`, then return to the event loop."""
        timer = QElapsedTimer()
        timer.start()
        while self._slices and timer.elapsed() < SLICE_TIME_MS:
            self._append(self._slices.popleft())
        if self._slices:
            self._insert_timer.start()
        elif self._expects_more:
            self.more_requested.emit()
        else:
            self._end()

    def _append(self, html: str) -> None:
        """Append a slice, without extending a selection that ends at the end of the text."""
        user_cursor, cursor = self.textCursor(), QTextCursor(self.document())
        selection = user_cursor.anchor(), user_cursor.position()
        self._choose_wrap_mode(html)
        cursor.beginEditBlock()
        cursor.movePosition(QTextCursor.MoveOperation.End)
        begin = cursor.position()
        # Qt merges the first inserted block into the previous one; therefore the first block is a
        # dummy, which is deleted below
        cursor.insertHtml(f"<p>{SENTINEL}</p>{mirror_tables(html)}")
        cursor.setPosition(begin)
        cursor.deleteChar()
        self._format_from(min(begin + 1, cursor.document().characterCount() - 1))
        cursor.endEditBlock()
        if self._has_tables:
            align_table_numbers(self.document(), begin)
        if max(selection) >= begin:
            top = self.verticalScrollBar().value()
            self.setTextCursor(make_cursor(self.document(), *selection))
            self.verticalScrollBar().setValue(top)  # undoes Qt's scrolling to the cursor

    def _fit(self) -> None:
        self._pictures.fit()
        self._reserve_fields_space()

    def _end(self) -> None:
        self.complete = True
        self._reserve_fields_space()
        self._clear_timer.start()
        if self._pending_anchor:
            self.scrollToAnchor(self._pending_anchor)
        self.loaded.emit()

    # Positions

    def show_range(self, begin: int, end: int) -> None:
        """Select a range of the text, and scroll its beginning to the top of the view."""
        scroll_to(self, begin)
        self.setTextCursor(make_cursor(self.document(), begin, end))

    def select_whole_words(self) -> None:
        """Extend the selection to whole words; do nothing if it is empty."""
        cursor, character_at = self.textCursor(), self.document().characterAt
        begin, end = cursor.selectionStart(), cursor.selectionEnd()
        if begin == end:
            return
        while is_within_word(character_at(begin - 1), character_at(begin)):
            begin -= 1
        while is_within_word(character_at(end - 1), character_at(end)):
            end += 1
        self.setTextCursor(make_cursor(self.document(), begin, end))

    def selection(self) -> tuple[str, str]:
        """Return the text before the selection and the selected text; see `to_reading_order`."""
        return to_reading_order(self.textCursor())

    @property
    def zoom(self) -> float:
        """Zoom factor of the document."""
        return self._zoom

    def loadResource(self, kind: int, name: QUrl | str) -> Any:
        """Return a registered or embedded image; other resources are never loaded."""
        address = name.toString() if isinstance(name, QUrl) else name
        if kind != QTextDocument.ResourceType.ImageResource.value:
            return ""
        image = self._pictures.image(address)
        if image is None and address.startswith("data:image/"):
            image = read_address(address).image
        return _make_empty_image() if image is None or image.isNull() else image

    def createMimeDataFromSelection(self) -> QMimeData:
        """Return the selection without the break opportunities that were added to long words."""
        displayed, copied = super().createMimeDataFromSelection(), QMimeData()
        has_reversed = has_reversed_table(self.document().rootFrame())
        text = (
            self.selection()[1].replace(BLOCK_SEPARATOR, "\n") if has_reversed else displayed.text()
        )
        copied.setText(text.replace(BREAK_OPPORTUNITY, ""))
        copied.setHtml(displayed.html().replace(BREAK_OPPORTUNITY, ""))
        return copied

    def _on_link(self, address: QUrl) -> None:
        if not address.scheme() and not address.path() and address.hasFragment():
            old_position = self.verticalScrollBar().value()
            self.scrollToAnchor(address.fragment())
            if not self.complete and self.verticalScrollBar().value() == old_position:
                # stored, since the target can be in a slice that is not inserted yet
                self._pending_anchor = address.fragment()
        elif readable_url := _encode_address(address):
            self.link_requested.emit(readable_url)

    # Qt overrides

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self._waiting_text:
            painter = QPainter(self.viewport())
            painter.setPen(QColor(current_theme().quiet))
            margin = int(self.document().documentMargin())
            painter.drawText(
                self.viewport().rect().adjusted(margin, margin, -margin, -margin),
                Qt.AlignmentFlag.AlignTop,
                self._waiting_text,
            )
        if not self._paint_announced and not self._paint_timer.isActive():
            self._paint_timer.start()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Scroll or, with Ctrl, request another zoom; steps in quick succession are combined."""
        if not event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            super().wheelEvent(event)
            return
        event.accept()
        self._wheel_steps = event.angleDelta().y() or self._wheel_steps
        if self._wheel_steps and not self._zoom_timer.isActive():
            self._zoom_timer.start()

    def _ask_zoom(self) -> None:
        steps, self._wheel_steps = self._wheel_steps, 0
        self.zoom_requested.emit(1 if steps > 0 else -1)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._limit_line_length()
        super().resizeEvent(event)
        self._fit_timer.start()

    def _limit_line_length(self) -> None:
        """Limit the line length for readability; in a wider view the text is centred."""
        spare_width = self.width() - round(READING_WIDTH * self._zoom)
        side = 0 if self._pictures.are_tall else max(0, spare_width // 2)
        if self.viewportMargins().left() != side:
            self.setViewportMargins(side, 0, side, 0)

    def _on_width(self, _min_excess: int, max_excess: int) -> None:
        """Show the horizontal scroll bar if the text is wider than the view plus a tolerance."""
        always_off = Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        self.setHorizontalScrollBarPolicy(
            always_off if max_excess <= WIDTH_TOLERANCE else Qt.ScrollBarPolicy.ScrollBarAsNeeded
        )

    def _emit_rendered(self) -> None:
        if self.isVisible():
            self._paint_announced = True
            self.rendered.emit()

    def _format_from(self, begin: int) -> None:
        """Format the text after position `begin`: line heights, headings, directions, pictures."""
        if not begin:
            self._natural_line_height = natural_height(self.document())
        spacing = QTextBlockFormat()
        height = 100 * LINE_HEIGHT * DOCUMENT_FONT_SIZE * self._zoom / self._natural_line_height
        spacing.setLineHeight(height, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
        # preformatted lines are also wrapped, so that nothing is cut off
        spacing.setNonBreakableLines(False)
        last = self.document().characterCount() - 1
        make_cursor(self.document(), begin, last).mergeBlockFormat(spacing)
        block = self.document().findBlock(begin)
        while block.isValid():
            if level := block.blockFormat().headingLevel():
                self._format_heading(block, level)
            clear_direction(block)
            align_list_direction(block)
            block = block.next()
        self._pictures.place_pictures(begin, last)

    def _format_heading(self, block: QTextBlock, level: int) -> None:
        """Set the font size of a heading, instead of Qt's larger size."""
        iterator, fragments = block.begin(), list[tuple[int, int, QTextCharFormat]]()
        while not iterator.atEnd():
            fragment = iterator.fragment()
            fragments.append(
                (
                    fragment.position(),
                    fragment.position() + fragment.length(),
                    fragment.charFormat(),
                )
            )
            iterator += 1  # type: ignore[assignment, operator, unused-ignore]  # types lack `+=`
        for begin, end, character_format in fragments:
            make_cursor(self.document(), begin, end).setCharFormat(
                _make_heading_style(character_format, level, self._zoom)
            )


def _encode_address(address: QUrl) -> str:
    """Return a URL in which all characters except ASCII are escaped.

    Other characters may be invisible, or look like ASCII characters.
    """
    return address.toString(QUrl.ComponentFormattingOption.FullyEncoded)


def _make_empty_image() -> QImage:
    """Return a transparent image, to be shown in place of a missing image.

    Without it, Qt would look for a file with the name of the missing image.
    """
    image = QImage(1, 1, QImage.Format.Format_ARGB32)
    image.fill(Qt.GlobalColor.transparent)
    return image


def _make_heading_style(heading: QTextCharFormat, level: int, zoom: float) -> QTextCharFormat:
    heading.clearProperty(QTextFormat.Property.FontSizeAdjustment.value)
    heading.setProperty(
        QTextFormat.Property.FontPixelSize.value,
        round((PAGE_TITLE_FONT_SIZE if level == 1 else DOCUMENT_FONT_SIZE + 1) * zoom),
    )
    heading.setFontWeight(QFont.Weight.DemiBold)
    return heading


def _make_style(zoom: float) -> str:
    theme, paragraph_spacing = current_theme(), round(SPACE_M * zoom)
    return (
        f"h1, p {{ margin: 0 0 {paragraph_spacing}px 0; }} p.line {{ margin: 0; }} p.first {{ margin: {paragraph_spacing}px 0 0 0; }}"
        f"h2, h3, h4, h5, h6 {{ margin: {paragraph_spacing}px 0 {round(SPACE_S * zoom)}px 0; }}"
        f"pre {{ font-size: {round(PREFORMATTED_FONT_SIZE * zoom)}px; }}"
        f"a:link {{ color: {theme.accent}; }} table {{ border-collapse: collapse; margin: {paragraph_spacing}px 0; }}"
        f"td, th {{ padding: {round(5 * zoom)}px {paragraph_spacing}px; border: 1px solid {theme.line}; }} th {{ text-align: left; }}"
    )
