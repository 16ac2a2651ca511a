"""Input widgets: a date field, and a text field whose names are shown as chips."""

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
from irjudge_ui.widgets.layout import (
    Flow,
    clear,
    column,
    make_button,
    make_container,
    make_label,
    row,
    show_text,
)
from irjudge_ui.widgets.theme import SPACE_S, SPACE_XS, apply_style

# Date field, in which a date is typed or picked from a calendar

# date formats that are accepted in every language
COMMON_FORMATS = ("yyyy-MM-dd", "yyyy-M-d", "yyyy/M/d", "yyyy年M月d日")
LOCALE_FORMATS = (
    QLocale.FormatType.ShortFormat,
    QLocale.FormatType.LongFormat,
    QLocale.FormatType.NarrowFormat,
)
CENTURY = 2000


def parse_date(text: str, locale: QLocale) -> date | None:
    """Parse a date in ISO format, a common format or the locale's format.

    Return None if the text is not a date.

    Examples
    --------
    >>> english, german = QLocale("en_US"), QLocale("de_DE")
    >>> parse_date("3/4/2027", english).isoformat(), parse_date("3.4.27", german).isoformat(), parse_date("soon", english)
    ('2027-03-04', '2027-04-03', None)
    """
    entered_text = " ".join(text.split())
    for date_format in (*COMMON_FORMATS, *_lenient_formats(locale)):
        day = locale.toDate(entered_text, date_format, CENTURY)
        if day.isValid() and day.year() >= CENTURY:
            return date(day.year(), day.month(), day.day())
    return None


def _locale_formats(locale: QLocale) -> list[str]:
    """Return the date formats of a locale: year with 2 or 4 digits, with or without weekday."""
    formats = []
    for kind, has_long_year in product(LOCALE_FORMATS, (True, False)):
        date_format = locale.dateFormat(kind)
        date_format = (
            date_format
            if "yyyy" in date_format or not has_long_year
            else date_format.replace("yy", "yyyy")
        )
        formats += [date_format, date_format.replace("dddd", "").strip(" ,،")]
    return list(dict.fromkeys(formats))


def _lenient_formats(locale: QLocale) -> list[str]:
    """Return the date formats of a locale with and without leading zeros of day and month."""
    formats = _locale_formats(locale)
    return [*formats, *(re.sub(r"\b(M|d)\1\b", r"\1", date_format) for date_format in formats)]


class DateField(QLineEdit):
    """Text field for an optional date, typed in ISO format or a format of the user's locale.

    `day` is None if the field is empty or its text is not a date. The form that contains the field
    also places the button `pick`, which opens a calendar, and the label `note`, which shows the
    parsed date.
    """

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.note = make_label("", "small", hidden=True)
        self.pick: QPushButton = make_button(
            self.tr("Pick a date"), name=self.tr("Pick a date from a calendar"), clicked=self._open
        )
        self.textChanged.connect(lambda _text: self._show_date())

    @property
    def day(self) -> date | None:
        """Entered date; None if the field is empty or its text is not a date."""
        return parse_date(self.text(), QLocale())

    @staticmethod
    def format_day(day: QDate) -> str:
        """Return a date in a format of the locale, in which it can also be typed."""
        locale = QLocale()
        return locale.toString(
            day,
            COMMON_FORMATS[0]
            if locale.language() == QLocale.Language.C
            else _locale_formats(locale)[0],
        )

    def _show_date(self) -> None:
        """Show the parsed date in a long format, since a text such as 3/4 is ambiguous."""
        day = self.day
        show_text(
            self.note,
            QLocale().toString(QDate(day.year, day.month, day.day), QLocale.FormatType.LongFormat)
            if day
            else "",
        )

    def _open(self) -> None:
        frame, calendar = QFrame(self, Qt.WindowType.Popup), QCalendarWidget()
        frame.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        frame.setObjectName("card")
        frame.setLayout(column(calendar, margins=(SPACE_XS, SPACE_XS, SPACE_XS, SPACE_XS)))
        apply_style(frame)
        calendar.setAccessibleName(self.accessibleName())
        calendar.setVerticalHeaderFormat(QCalendarWidget.VerticalHeaderFormat.NoVerticalHeader)
        if day := self.day:
            calendar.setSelectedDate(QDate(day.year, day.month, day.day))

        def choose_date(selected: QDate) -> None:
            self.setText(self.format_day(selected))
            frame.close()
            self.setFocus()

        calendar.clicked.connect(choose_date)
        calendar.activated.connect(choose_date)
        frame.move(self.mapToGlobal(QPoint(0, self.height())))
        frame.show()
        calendar.setFocus()


# Text field whose names are displayed as chips while it is not edited


class Chips(QWidget):
    """Widget that shows the names in a text field as chips, or the field while it is edited.

    The names are separated by spaces. `tooltip_of` returns the tooltip of a name. `removed` is
    emitted when the user has removed a name with the button of its chip; the text of the field has
    then changed. The names are, for example, those of measures.
    """

    removed = Signal()

    def __init__(self, field: QLineEdit, tooltip_of: Callable[[str], str]) -> None:
        super().__init__(accessibleName=field.accessibleName())
        self._field, self._tooltip_of = field, tooltip_of
        self._flow = Flow(())
        self._chips = make_container(self._flow)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.addWidget(self._chips)
        box.addWidget(field)
        field.hide()
        field.installEventFilter(self)
        field.textChanged.connect(lambda _text: self._fill())
        # a click does not focus this widget: a click on a chip's remove button must not start
        # editing
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setToolTip(escape_markup(field.toolTip()))
        self._fill()

    def edit(self) -> None:
        """Show the text field instead of the chips, and select all its text."""
        self._show_field(visible=True)
        self._field.setFocus()
        self._field.selectAll()

    def _show_field(self, *, visible: bool) -> None:
        self._field.setVisible(visible)
        self._chips.setVisible(not visible)
        # otherwise Shift+Tab in the field would focus this widget, which would focus the field
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus if visible else Qt.FocusPolicy.TabFocus)

    def _fill(self) -> None:
        clear(self._flow)
        for name in self._field.text().split():
            self._flow.addWidget(self._make_chip(name))
        self.updateGeometry()

    def _make_chip(self, name: str) -> QFrame:
        chip = QFrame()
        remove = make_button(
            "✕",
            "remove",
            name=filled(self.tr("Remove {name}"), name=name),
            clicked=lambda: self._remove(name),
        )
        chip.setObjectName("chip")
        chip.setProperty("named", name)
        remove.setToolTip(escape_markup(remove.accessibleName()))
        # keyboard users do not need the button, since they can edit the names in the field
        remove.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        chip.setLayout(row(make_label(name, wrap=False), remove, spacing=SPACE_S // 2))
        return chip

    def _remove(self, name: str) -> None:
        self._field.setText(" ".join(part for part in self._field.text().split() if part != name))
        self.removed.emit()

    def tooltip_at(self, point: QPoint) -> str:
        """Return the tooltip of the chip at a point or, if there is none, of the field."""
        child = self.childAt(point)
        while child is not None and child is not self and child.property("named") is None:
            child = child.parentWidget()
        return (
            self._tooltip_of(str(child.property("named")))
            if child is not None and child is not self
            else self.toolTip()
        )

    # Qt overrides

    def event(self, event: QEvent) -> bool:
        """Show the tooltip of the chip under the mouse."""
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
        """Show the chips instead of the field when the field loses the focus to another widget."""
        if (
            watched is self._field
            and isinstance(event, QFocusEvent)
            and event.type() == QEvent.Type.FocusOut
        ):
            keeps_editing = event.reason() in (
                Qt.FocusReason.ActiveWindowFocusReason,
                Qt.FocusReason.PopupFocusReason,
            )
            self._show_field(visible=keeps_editing)
        return super().eventFilter(watched, event)
