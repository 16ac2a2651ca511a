"""A field for a day: typed as its reader writes days, or picked from a calendar."""

import re
from datetime import date
from itertools import product

from PySide6.QtCore import QDate, QLocale, QPoint, Qt
from PySide6.QtWidgets import QCalendarWidget, QFrame, QLineEdit, QPushButton

from irjudge_ui.widgets.layout import button, column, text
from irjudge_ui.widgets.theme import SPACE_XS, dress

FORMS = ("yyyy-MM-dd", "yyyy-M-d", "yyyy/M/d", "yyyy年M月d日")  # that name a day in every language
KINDS = (
    QLocale.FormatType.ShortFormat,
    QLocale.FormatType.LongFormat,
    QLocale.FormatType.NarrowFormat,
)
CENTURY = 2000


def read_day(words: str, locale: QLocale) -> date | None:
    """Return the day that words name, as all write it or as a locale does; None where they name none.

    Examples
    --------
    >>> english, german = QLocale("en_US"), QLocale("de_DE")
    >>> read_day("3/4/2027", english).isoformat(), read_day("3.4.27", german).isoformat(), read_day("soon", english)
    ('2027-03-04', '2027-04-03', None)
    """
    typed = " ".join(words.split())
    for form in (*FORMS, *_typed_forms(locale)):
        day = locale.toDate(typed, form, CENTURY)
        if day.isValid() and day.year() >= CENTURY:
            return date(day.year(), day.month(), day.day())
    return None


def _forms(locale: QLocale) -> list[str]:
    """Return the ways in which a locale writes days, with a short year and a long one, with the day of the week and without."""
    found = []
    for kind, long in product(KINDS, (True, False)):
        form = locale.dateFormat(kind)
        form = form if "yyyy" in form or not long else form.replace("yy", "yyyy")
        found += [form, form.replace("dddd", "").strip(" ,،")]
    return list(dict.fromkeys(found))


def _typed_forms(locale: QLocale) -> list[str]:
    """Return these ways, and the same for who leaves out a leading zero."""
    forms = _forms(locale)
    return [*forms, *(re.sub(r"\b(M|d)\1\b", r"\1", form) for form in forms)]


class DateField(QLineEdit):
    """Holds a day, or nothing. `pick` opens a calendar, and `said` tells which day was read; both stand where the form puts them."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.said = text("", "small")
        self.said.hide()
        self.pick: QPushButton = button(self.tr("Pick"))
        self.pick.setAccessibleName(self.tr("Pick from a calendar"))
        self.pick.clicked.connect(self._open)
        self.textChanged.connect(lambda _words: self._tell())

    @property
    def day(self) -> date | None:
        """The day that is typed; None where it is none."""
        return read_day(self.text(), QLocale())

    @staticmethod
    def written(day: QDate) -> str:
        """Return a day as its reader writes it."""
        locale = QLocale()
        return locale.toString(
            day, FORMS[0] if locale.language() == QLocale.Language.C else _forms(locale)[0]
        )

    def _tell(self) -> None:
        """Say which day was read, in full: 3/4 is another one elsewhere."""
        day = self.day
        self.said.setText(
            QLocale().toString(QDate(day.year, day.month, day.day), QLocale.FormatType.LongFormat)
            if day
            else ""
        )
        self.said.setVisible(day is not None)

    def _open(self) -> None:
        """Open a calendar below the field."""
        frame, calendar = QFrame(self, Qt.WindowType.Popup), QCalendarWidget()
        frame.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        frame.setObjectName("card")
        inside = column(calendar)
        inside.setContentsMargins(SPACE_XS, SPACE_XS, SPACE_XS, SPACE_XS)
        frame.setLayout(inside)
        dress(frame)
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
