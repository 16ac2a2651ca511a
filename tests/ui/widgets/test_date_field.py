"""Tests of the date field: dates are typed in the local format or picked, and shown in full."""

from collections.abc import Iterator
from datetime import date

import pytest
from PySide6.QtCore import QDate, QLocale
from PySide6.QtWidgets import QApplication, QCalendarWidget, QWidget
from pytestqt.qtbot import QtBot

from irjudge_ui.widgets import DateField, column
from irjudge_ui.widgets.inputs import parse_date

DAY = date(2027, 3, 4)


@pytest.mark.parametrize(
    ("locale", "typed"),
    [
        ("en_US", "2027-03-04"),
        ("en_US", "2027-3-4"),
        ("en_US", "3/4/2027"),
        ("en_US", "3/4/27"),
        ("en_US", "March 4, 2027"),
        ("en_US", "Thursday, March 4, 2027"),
        ("en_GB", "04/03/2027"),
        ("en_GB", "4/3/2027"),
        ("en_GB", " 4  March 2027 "),
        ("de_DE", "4.3.2027"),
        ("de_DE", "04.03.27"),
        ("de_DE", "4. März 2027"),
        ("zh_CN", "2027/3/4"),
        ("zh_CN", "2027年3月4日"),
        ("fr_FR", "2027年3月4日"),
    ],
)
def test_a_date_is_parsed_in_the_local_format(locale: str, typed: str) -> None:
    assert parse_date(typed, QLocale(locale)) == DAY


@pytest.mark.parametrize(
    "typed", ["", "soon", "2027", "4.3.2027", "13/13/2027", "2027-02-30", "0001-01-01"]
)
def test_text_that_is_not_a_date_is_parsed_as_none(typed: str) -> None:
    assert parse_date(typed, QLocale("en_US")) is None


@pytest.fixture(params=["en_US", "de_DE", "zh_CN"])
def field(request: pytest.FixtureRequest, qtbot: QtBot) -> Iterator[DateField]:
    before = QLocale()
    QLocale.setDefault(QLocale(request.param))
    made = DateField("Deadline")
    around = QWidget()
    around.setLayout(column(made, made.note))
    qtbot.addWidget(around)
    around.show()
    yield made
    QLocale.setDefault(before)


def test_a_picked_date_is_entered_and_shown_in_full(field: DateField, qtbot: QtBot) -> None:
    field.pick.click()
    calendar = field.findChild(QCalendarWidget)
    assert (
        calendar is not None
        and calendar.isVisible()
        and QApplication.activePopupWidget() is calendar.window()
    )
    calendar.activated.emit(QDate(2027, 3, 4))
    assert (
        field.day == DAY
        and "2027" in field.note.text()
        and len(field.note.text()) > len(field.text())
    )
    field.setText("soon")
    assert field.day is None and field.note.isHidden()
    field.setText(DateField.format_day(QDate(2027, 3, 4)))
    field.pick.click()
    again = next(each for each in field.findChildren(QCalendarWidget) if each.isVisible())
    assert again.selectedDate() == QDate(2027, 3, 4)
    again.window().close()
