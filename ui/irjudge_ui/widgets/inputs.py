"""Input fields: a date, and a line of names shown as chips."""

import re
from collections.abc import Callable
from datetime import date
from itertools import product

from PySide6.QtCore import QDate, QEvent, QLocale, QObject, QPoint, Qt, Signal
from PySide6.QtGui import QFocusEvent, QHelpEvent, QMouseEvent
from PySide6.QtWidgets import (
    QCalendarWidget,
    QFrame,
    QLineEdit,
    QPushButton,
    QToolTip,
    QVBoxLayout,
    QWidget,
)

from irjudge_ui.messages import escape_markup, filled
from irjudge_ui.widgets.layout import Flow, clear, column, make_button, make_label, row
from irjudge_ui.widgets.theme import SPACE_S, SPACE_XS, apply_style

# Date field: typed in the format of the locale or picked from a calendar.

FORMS = ("yyyy-MM-dd", "yyyy-M-d", "yyyy/M/d", "yyyy年M月d日")  # accepted in every language
KINDS = (
    QLocale.FormatType.ShortFormat,
    QLocale.FormatType.LongFormat,
    QLocale.FormatType.NarrowFormat,
)
CENTURY = 2000


def parse_date(text: str, locale: QLocale) -> date | None:
    """Parse a date in ISO format, a common format or the locale's format.

    Returns None if the text is not a date.

    Examples
    --------
    >>> english, german = QLocale("en_US"), QLocale("de_DE")
    >>> parse_date("3/4/2027", english).isoformat(), parse_date("3.4.27", german).isoformat(), parse_date("soon", english)
    ('2027-03-04', '2027-04-03', None)
    """
    typed = " ".join(text.split())
    for form in (*FORMS, *_lenient_formats(locale)):
        day = locale.toDate(typed, form, CENTURY)
        if day.isValid() and day.year() >= CENTURY:
            return date(day.year(), day.month(), day.day())
    return None


def _locale_formats(locale: QLocale) -> list[str]:
    """Return the date formats of a locale: short and long year, with and without weekday."""
    formats = []
    for kind, long in product(KINDS, (True, False)):
        form = locale.dateFormat(kind)
        form = form if "yyyy" in form or not long else form.replace("yy", "yyyy")
        formats += [form, form.replace("dddd", "").strip(" ,،")]
    return list(dict.fromkeys(formats))


def _lenient_formats(locale: QLocale) -> list[str]:
    """Return these formats, plus variants with optional leading zeros."""
    forms = _locale_formats(locale)
    return [*forms, *(re.sub(r"\b(M|d)\1\b", r"\1", form) for form in forms)]


class DateField(QLineEdit):
    """Date field, possibly empty.

    The form places the button `pick`, which opens a calendar, and the label `said`, which shows the
    parsed date.
    """

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.note = make_label("", "small")
        self.note.hide()
        self.pick: QPushButton = make_button(self.tr("Pick"))
        self.pick.setAccessibleName(self.tr("Pick from a calendar"))
        self.pick.clicked.connect(self._open)
        self.textChanged.connect(lambda _text: self._tell())

    @property
    def day(self) -> date | None:
        """The date; None if the text is not a date."""
        return parse_date(self.text(), QLocale())

    @staticmethod
    def written(day: QDate) -> str:
        """Return a date formatted for the locale."""
        locale = QLocale()
        return locale.toString(
            day, FORMS[0] if locale.language() == QLocale.Language.C else _locale_formats(locale)[0]
        )

    def _tell(self) -> None:
        """Show the parsed date in full, since 3/4 is ambiguous."""
        day = self.day
        self.note.setText(
            QLocale().toString(QDate(day.year, day.month, day.day), QLocale.FormatType.LongFormat)
            if day
            else ""
        )
        self.note.setVisible(day is not None)

    def _open(self) -> None:
        frame, calendar = QFrame(self, Qt.WindowType.Popup), QCalendarWidget()
        frame.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        frame.setObjectName("card")
        inside = column(calendar)
        inside.setContentsMargins(SPACE_XS, SPACE_XS, SPACE_XS, SPACE_XS)
        frame.setLayout(inside)
        apply_style(frame)
        calendar.setAccessibleName(self.accessibleName())
        calendar.setVerticalHeaderFormat(QCalendarWidget.VerticalHeaderFormat.NoVerticalHeader)
        if day := self.day:
            calendar.setSelectedDate(QDate(day.year, day.month, day.day))

        def take(chosen: QDate) -> None:
            self.setText(self.written(chosen))
            frame.close()
            self.setFocus()

        calendar.clicked.connect(take)
        calendar.activated.connect(take)
        frame.move(self.mapToGlobal(QPoint(0, self.height())))
        frame.show()
        calendar.setFocus()


# Names in a text field, shown as chips unless the field is being edited.


class Chips(QWidget):
    """Names of a text field as chips. `removed` is emitted when one is removed."""

    removed = Signal()

    def __init__(self, line: QLineEdit, about: Callable[[str], str]) -> None:
        super().__init__()
        self._line, self._about = line, about
        self._chips = QWidget()
        self._flow = Flow(())
        self._chips.setLayout(self._flow)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.addWidget(self._chips)
        box.addWidget(line)
        line.hide()
        line.installEventFilter(self)
        line.textChanged.connect(lambda _text: self._fill())
        self.setFocusPolicy(
            Qt.FocusPolicy.TabFocus
        )  # otherwise a click on a chip's button would be handled here too
        self.setAccessibleName(line.accessibleName())
        self.setToolTip(escape_markup(line.toolTip()))
        self._fill()

    def edit(self) -> None:
        """Edit the names, with all text selected."""
        self._show_line(shown=True)
        self._line.setFocus()
        self._line.selectAll()

    def _show_line(self, *, shown: bool) -> None:
        self._line.setVisible(shown)
        self._chips.setVisible(not shown)
        self.setFocusPolicy(
            Qt.FocusPolicy.NoFocus if shown else Qt.FocusPolicy.TabFocus
        )  # Shift+Tab from the field must not return to it

    def _fill(self) -> None:
        clear(self._flow)
        for name in self._line.text().split():
            self._flow.addWidget(self._chip(name))
        self.updateGeometry()

    def _chip(self, name: str) -> QFrame:
        chip, remove = QFrame(), make_button("✕", "remove")
        chip.setObjectName("chip")
        chip.setProperty("named", name)
        remove.setAccessibleName(filled(self.tr("Remove {name}"), name=name))
        remove.setToolTip(escape_markup(remove.accessibleName()))
        remove.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # keyboard users edit the field
        remove.clicked.connect(lambda: self._remove(name))
        chip.setLayout(row(make_label(name, wrap=False), remove, spacing=SPACE_S // 2))
        return chip

    def _remove(self, name: str) -> None:
        self._line.setText(" ".join(each for each in self._line.text().split() if each != name))
        self.removed.emit()

    def tooltip_at(self, point: QPoint) -> str:
        """Return the tooltip of the chip at a point; elsewhere that of the whole field."""
        under = self.childAt(point)
        while under is not None and under is not self and under.property("named") is None:
            under = under.parentWidget()
        return (
            self._about(str(under.property("named")))
            if under is not None and under is not self
            else self.toolTip()
        )

    # Qt model interface

    def event(self, event: QEvent) -> bool:
        """Compute the tooltip when it is requested."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            QToolTip.showText(event.globalPos(), escape_markup(self.tooltip_at(event.pos())), self)
            return True
        return super().event(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if event.reason() != Qt.FocusReason.ActiveWindowFocusReason:
            self.edit()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        super().mousePressEvent(event)
        self.edit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Show the chips again when the field loses the focus."""
        if (
            watched is self._line
            and isinstance(event, QFocusEvent)
            and event.type() == QEvent.Type.FocusOut
        ):
            stays = event.reason() in (
                Qt.FocusReason.ActiveWindowFocusReason,
                Qt.FocusReason.PopupFocusReason,
            )
            self._show_line(shown=stays)
        return super().eventFilter(watched, event)
