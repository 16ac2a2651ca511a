"""Card of one search result: rank, title and snippet with marked words."""

from collections.abc import Sequence
from dataclasses import dataclass
from unicodedata import bidirectional

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QFont,
    QFontMetricsF,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QTextCharFormat,
    QTextLayout,
    QTextOption,
)
from PySide6.QtWidgets import QWidget

from irjudge_ui.widgets.theme import (
    CARD_TITLE_FONT_SIZE,
    CONTROL_FONT_SIZE,
    SMALL_FONT_SIZE,
    SPACE_M,
    SPACE_S,
    SPACE_XS,
    current_theme,
    mark_format,
    scale_length,
)

CORNER_RADIUS = 10
TITLE_LINES, METADATA_LINES, TEXT_LINES = 3, 1, 2
PICTURE_SIDE = 56
Span = tuple[int, int]  # begin and end, in UTF-16 code units as Qt counts


@dataclass(frozen=True, slots=True)
class CardContent:
    """Content of a result card: rank, texts, spans to mark in the texts, accessible name.

    The rank is counted from 1. `metadata` is the line below the title; `pictured` is whether space
    is reserved for a picture, which is not included.
    """

    rank: int
    title: str
    text: str
    title_marks: tuple[Span, ...] = ()
    marks: tuple[Span, ...] = ()
    name: str = ""
    metadata: str = ""  # text of the line below the title
    pictured: bool = False  # whether to reserve space for a picture that is shown later


class ResultCard(QWidget):
    """Widget that draws one search result as a card; `opened` is emitted on Enter or a click.

    The card shows rank, title and snippet with marked terms, metadata and, if they are set later, a
    picture and a short note. Ranked lists on the side-by-side page consist of such cards.
    """

    opened = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, focusPolicy=Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self._content = CardContent(0, "", "")
        self._note = ""
        self._width = -1
        self._title, self._metadata, self._text = QTextLayout(), QTextLayout(), QTextLayout()
        self._height = 0.0
        self._picture = QImage()

    def show_result(self, content: CardContent) -> None:
        """Show another result on the card."""
        self._content, self._note, self._width, self._picture = content, "", -1, QImage()
        self.setAccessibleName(content.name)
        self.setAccessibleDescription(" ".join(filter(None, (content.metadata, content.text))))
        self.update()

    def show_picture(self, picture: QImage) -> None:
        """Show the picture, scaled to the reserved space."""
        side = round(scale_length(PICTURE_SIDE) * self.devicePixelRatioF())
        self._picture = picture.scaled(
            side,
            side,
            Qt.AspectRatioMode.KeepAspectRatio,
            Qt.TransformationMode.SmoothTransformation,
        )
        self._picture.setDevicePixelRatio(self.devicePixelRatioF())
        self.update()

    @property
    def has_picture(self) -> bool:
        return not self._picture.isNull()

    def show_note(self, note: str) -> None:
        """Show a short note next to the title; an empty note is hidden."""
        self._note, self._width = note, -1
        self.update()

    @property
    def note(self) -> str:
        """Note next to the title."""
        return self._note

    def height_for(self, width: int) -> int:
        """Return the height that the card needs at a width."""
        self._lay_out(width)
        return round(self._height)

    # Layout and painting

    def _lay_out(self, width: int) -> None:
        if width == self._width:
            return
        self._width = width
        title_font, body_font = (
            self._make_font(CARD_TITLE_FONT_SIZE, QFont.Weight.DemiBold),
            self._make_font(CONTROL_FONT_SIZE),
        )
        left = self._rank_width()
        note_width = self._note_width()
        text_width = width - 2 * SPACE_M - self._picture_width()
        self._title = _lay_out_text(
            self._content.title,
            title_font,
            self._content.title_marks,
            text_width - left - note_width,
            TITLE_LINES,
        )
        self._metadata = _lay_out_text(
            self._content.metadata, body_font, (), text_width, METADATA_LINES
        )
        self._text = _lay_out_text(
            self._content.text, body_font, self._content.marks, text_width, TEXT_LINES
        )
        text_height = self._title_height() + sum(
            SPACE_XS + height for height in map(_height, (self._metadata, self._text)) if height
        )
        self._height = 2 * SPACE_M + max(
            text_height, scale_length(PICTURE_SIDE) if self._content.pictured else 0
        )

    def _picture_width(self) -> float:
        return scale_length(PICTURE_SIDE) + SPACE_M if self._content.pictured else 0

    def _title_height(self) -> float:
        return max(
            _height(self._title),
            QFontMetricsF(self._make_font(CARD_TITLE_FONT_SIZE, QFont.Weight.DemiBold)).height(),
        )

    @property
    def is_mirrored(self) -> bool:
        """Whether the rank is at the right, because the text is right-to-left."""
        return is_right_to_left(self._content.title or self._content.text)

    def _rank_width(self) -> float:
        """Return the width reserved for the rank: two digits, so that titles are aligned."""
        return QFontMetricsF(self._make_font(SMALL_FONT_SIZE)).horizontalAdvance("00") + SPACE_S

    def _make_font(self, size: int, weight: QFont.Weight = QFont.Weight.Normal) -> QFont:
        font = QFont(self.font())
        font.setPixelSize(scale_length(size))
        font.setWeight(weight)
        return font

    def paintEvent(self, _event: QPaintEvent) -> None:
        theme, painter = current_theme(), QPainter(self)
        self._lay_out(self.width())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        has_focus = self.hasFocus()
        painter.setPen(
            QPen(
                QColor(theme.accent if has_focus or self.underMouse() else theme.line),
                2 if has_focus else 1,
            )
        )
        painter.setBrush(QColor(theme.surface))
        painter.drawRoundedRect(
            QRectF(self.rect()).adjusted(1, 1, -1, -1), CORNER_RADIUS, CORNER_RADIUS
        )
        title_font, note_font = (
            self._make_font(CARD_TITLE_FONT_SIZE, QFont.Weight.DemiBold),
            self._make_font(SMALL_FONT_SIZE),
        )
        baseline = SPACE_M + QFontMetricsF(title_font).ascent()
        painter.setFont(note_font)
        painter.setPen(QColor(theme.quiet))
        self._draw_aside(painter, str(self._content.rank), baseline, at_right=self.is_mirrored)
        self._draw_aside(painter, self._note, baseline, at_right=not self.is_mirrored)
        text_top = SPACE_M + self._title_height() + SPACE_XS
        metadata = _height(self._metadata)
        first = SPACE_M + (self._picture_width() if self.is_mirrored else 0)
        self._text.draw(
            painter, QPointF(first, text_top + (metadata + SPACE_XS if metadata else 0))
        )
        painter.setPen(QColor(theme.text))
        self._metadata.draw(painter, QPointF(first, text_top))
        self._title.draw(
            painter,
            QPointF(
                first + (self._note_width() if self.is_mirrored else self._rank_width()), SPACE_M
            ),
        )
        if not self._picture.isNull():
            picture_width = self._picture.width() / self._picture.devicePixelRatio()
            painter.drawImage(
                QPointF(
                    SPACE_M if self.is_mirrored else self.width() - SPACE_M - picture_width, SPACE_M
                ),
                self._picture,
            )

    def _draw_aside(self, painter: QPainter, text: str, baseline: float, *, at_right: bool) -> None:
        width = QFontMetricsF(painter.font()).horizontalAdvance(text)
        left, right = (
            (self._picture_width(), 0.0) if self.is_mirrored else (0.0, self._picture_width())
        )
        painter.drawText(
            QPointF(
                self.width() - SPACE_M - right - width if at_right else SPACE_M + left, baseline
            ),
            text,
        )

    def _note_width(self) -> float:
        return (
            QFontMetricsF(self._make_font(SMALL_FONT_SIZE)).horizontalAdvance(self._note) + SPACE_M
            if self._note
            else 0
        )

    def sizeHint(self) -> QSize:
        return QSize(self.width(), self.height_for(self.width()))

    # Qt overrides

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if (
            event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
            and not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        ):
            if not event.isAutoRepeat():
                self.opened.emit()
        else:
            super().keyPressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self.rect().contains(
            event.position().toPoint()
        ):
            self.opened.emit()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.update()

    def event(self, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Enter, QEvent.Type.Leave):
            self.update()
        elif event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._width = -1
        return super().event(event)


def is_right_to_left(text: str) -> bool:
    """Return whether the first strongly directional character is right-to-left.

    Examples
    --------
    >>> is_right_to_left("1. שלום"), is_right_to_left("1. hello שלום")
    (True, False)
    """
    direction = next((kind for kind in map(bidirectional, text) if kind in ("L", "R", "AL")), "L")
    return direction != "L"


def _lay_out_text(
    text: str, font: QFont, marks: Sequence[Span], width: float, max_lines: int
) -> QTextLayout:
    """Return the layout of a text in at most `max_lines` lines; an ellipsis marks omitted text."""
    if not text:  # Qt would lay out an empty text as one line
        return QTextLayout()
    layout, shortened = _break_lines(text, font, marks, width, max_lines), text
    # repeated, since the added ellipsis may need another line
    while shortened != "…" and (visible_length := _visible_length(layout)) < _length(shortened):
        shortened = (
            text.encode("utf-16-le")[: 2 * max(0, visible_length - 2)]
            .decode("utf-16-le", "ignore")
            .rstrip()
            + "…"
        )
        end = _length(shortened) - 1
        layout = _break_lines(
            shortened,
            font,
            [(begin, min(stop, end)) for begin, stop in marks if begin < end],
            width,
            max_lines,
        )
    return layout


def _length(text: str) -> int:
    """Return the length of a text in UTF-16 code units, as Qt counts."""
    return len(text.encode("utf-16-le")) // 2


def _visible_length(layout: QTextLayout) -> int:
    """Return the number of UTF-16 code units in the lines of a layout."""
    last = layout.lineAt(layout.lineCount() - 1)
    return last.textStart() + last.textLength() if layout.lineCount() else 0


def _break_lines(
    text: str, font: QFont, marks: Sequence[Span], width: float, max_lines: int
) -> QTextLayout:
    layout, option = QTextLayout(text, font), QTextOption()
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    option.setTextDirection(Qt.LayoutDirection.LayoutDirectionAuto)
    if is_right_to_left(text):
        option.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignAbsolute)
    layout.setTextOption(option)
    layout.setFormats([_make_format_range(span, mark_format()) for span in marks])
    layout.beginLayout()
    y = 0.0
    for _ in range(max_lines):
        line = layout.createLine()
        if not line.isValid():
            break
        line.setLineWidth(max(1.0, width))
        line.setPosition(QPointF(0, y))
        y += line.height()
    layout.endLayout()
    return layout


def _make_format_range(span: Span, text_format: QTextCharFormat) -> QTextLayout.FormatRange:
    format_range = QTextLayout.FormatRange()
    # type: ignore[attr-defined, unused-ignore]
    format_range.start = span[0]
    format_range.length = span[1] - span[0]
    format_range.format = text_format
    return format_range


def _height(layout: QTextLayout) -> float:
    return sum(layout.lineAt(index).height() for index in range(layout.lineCount()))
