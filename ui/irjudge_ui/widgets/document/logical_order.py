"""Text in the order in which it is read: in tables from right to left, the screen has the cells of each row turned round."""

from collections.abc import Iterator

from PySide6.QtCore import Qt
from PySide6.QtGui import QTextBlock, QTextCursor, QTextDocument, QTextFormat, QTextFrame, QTextTable, QTextTableCell

DIRECTION = QTextFormat.Property.LayoutDirection.value
PARAGRAPH = "\u2029"  # what Qt has between two blocks of a selection


def has_turned(part: QTextFrame) -> bool:
    """Tell whether a part of a document has a table whose first column stands at the right."""
    return any(_is_turned(inside) or has_turned(inside) for inside in part.childFrames())


def free_of_direction(block: QTextBlock) -> None:
    """Let a paragraph run as its letters do, but in such a table: Qt gives the direction of a table to what stands behind it too."""
    look = block.blockFormat()
    if look.hasProperty(DIRECTION):
        cursor = QTextCursor(block)
        table = cursor.currentTable()
        if table is None or not _is_turned(table):
            look.clearProperty(DIRECTION)
            cursor.setBlockFormat(look)


def as_read(cursor: QTextCursor) -> tuple[str, str]:
    """Return the text before what is selected, and what is selected, in the order in which they are read.

    Places in them count as in a browser, whose texts are never turned round.
    """
    document, begin, end = cursor.document(), cursor.selectionStart(), cursor.selectionEnd()
    if not has_turned(document.rootFrame()):
        return _between(document, 0, begin), cursor.selectedText()
    before, selected = list[str](), list[str]()
    for block in _blocks(document.rootFrame()):
        first, last = block.position(), block.position() + block.length() - 1
        low, high = max(first, begin), min(last, end)
        if not selected:
            before.append(_between(document, first, low if low < high else last))
        if low < high:
            selected.append(_between(document, low, high))
    return PARAGRAPH.join(before), PARAGRAPH.join(selected)


def _is_turned(frame: QTextFrame) -> bool:
    return isinstance(frame, QTextTable) and frame.format().layoutDirection() == Qt.LayoutDirection.RightToLeft


def _between(document: QTextDocument, begin: int, end: int) -> str:
    cursor = QTextCursor(document)
    cursor.setPosition(begin)
    cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
    return cursor.selectedText()


def _blocks(part: QTextFrame | QTextTableCell) -> Iterator[QTextBlock]:
    """Yield the blocks of a part in the order in which they are read."""
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
    for row in range(table.rows()):
        for column in reversed(columns) if _is_turned(table) else columns:
            cell = table.cellAt(row, column)
            if (cell.row(), cell.column()) == (row, column):  # of a wide one the first place counts
                yield cell
