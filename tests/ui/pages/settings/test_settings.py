"""Tests of the settings page: every titled setting is shown, takes effect at once, is validated."""

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QFontDatabase, QWheelEvent
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QComboBox,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QWidget,
)
from pytestqt.qtbot import QtBot

from irjudge_ui.pages.settings import SettingsView
from irjudge_ui.settings import SETTINGS, Settings
from irjudge_ui.widgets import NumberField

ONE_WINDOW = True


@pytest.fixture
def page(qtbot: QtBot, settings: Settings) -> SettingsView:
    page = SettingsView(settings)
    qtbot.addWidget(page)
    page.show()
    return page


def test_every_setting_with_a_title_has_its_row_and_help(page: SettingsView) -> None:
    shown = [
        setting.name
        for setting in SETTINGS
        if setting.title and not isinstance(setting.default, dict)
    ]
    assert (
        sorted(page.controls) == sorted(shown) and page.keys.isVisible()
    )  # keys have a table of their own
    assert all(
        control.accessibleName() and control.accessibleDescription()
        for control in page.controls.values()
    )


def test_a_choice_takes_effect_at_once(
    page: SettingsView, settings: Settings, qtbot: QtBot
) -> None:
    box = page.controls["theme"]
    assert isinstance(box, QComboBox)
    box.setFocus()
    with qtbot.waitSignal(settings.changed):
        qtbot.keyClick(box, Qt.Key.Key_End)
    assert settings.get("theme") == "contrast-dark"


def test_a_number_takes_effect_when_it_is_entered(
    page: SettingsView, settings: Settings, qtbot: QtBot
) -> None:
    field = page.controls["guard_ms"]
    assert isinstance(field, NumberField)
    field.selectAll()
    qtbot.keyClicks(field, "250")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert settings.get("guard_ms") == 250


def test_controls_keep_their_width_when_the_font_is_set_again(page: SettingsView) -> None:
    fields = [page.controls[name] for name in ("guard_ms", "theme")]
    widths = [field.width() for field in fields]
    for field in fields:
        QApplication.sendEvent(field, QEvent(QEvent.Type.FontChange))
    assert [field.width() for field in fields] == widths and len(set(widths)) == 1


def test_a_check_box_takes_effect_at_once_and_is_shown(
    page: SettingsView, settings: Settings, qtbot: QtBot
) -> None:
    box = page.controls["best_passage"]
    assert isinstance(box, QCheckBox)
    qtbot.keyClick(box, Qt.Key.Key_Space)
    assert settings.get("best_passage") is True
    settings.set("best_passage", False)
    assert not box.isChecked()


def test_any_installed_font_can_be_chosen_for_documents(
    page: SettingsView, settings: Settings
) -> None:
    box = page.controls["font"]
    assert isinstance(box, QComboBox)
    choices = [box.itemData(index) for index in range(box.count())]
    assert choices[:4] == ["system", "serif", "sans", "mono"] and set(
        QFontDatabase.families()
    ) <= set(choices)
    settings.set("font", choices[-1])
    assert box.currentText() == choices[-1]


def test_languages_are_listed_by_their_own_names(page: SettingsView) -> None:
    box = page.controls["language"]
    assert isinstance(box, QComboBox)
    assert [box.itemText(index) for index in range(box.count())] == [
        "System",
        "English",
        "简体中文",
    ]


def test_the_wheel_scrolls_the_page_not_the_choices(page: SettingsView, settings: Settings) -> None:
    box = page.controls["theme"]
    position, nothing = QPointF(5, 5), QPoint()
    wheel = QWheelEvent(
        position,
        position,
        nothing,
        QPoint(0, -120),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    box.setFocus()
    QApplication.sendEvent(box, wheel)
    assert settings.get("theme") == "light" and not wheel.isAccepted()


@pytest.mark.parametrize(
    ("name", "typed", "message"),
    [
        ("zoom", "99", "0.7 to 3.0"),
        ("measures", "P@x", "Measures: "),
    ],
)
def test_an_invalid_value_is_refused_with_a_message_in_its_row(
    page: SettingsView, settings: Settings, qtbot: QtBot, name: str, typed: str, message: str
) -> None:
    field, before = page.controls[name], settings.get(name)
    assert isinstance(field, QLineEdit)
    field.selectAll()
    qtbot.keyClicks(field, typed)
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert page.rows[name].problem.isVisible() and message in page.rows[name].problem.text()
    assert settings.get(name) == before and field.text() == str(before)
    field.selectAll()
    qtbot.keyClicks(field, {"zoom": "1.5", "measures": "AP"}[name])
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert not page.rows[name].problem.isVisible()
    assert str(settings.get(name)) == {"zoom": "1.5", "measures": "AP"}[name]


def test_an_invalid_entry_is_reset_to_the_previous_value(
    page: SettingsView, settings: Settings, qtbot: QtBot
) -> None:
    field = page.controls["zoom"]
    assert isinstance(field, QLineEdit)
    for typed in ("huge", "99", "nan"):
        field.selectAll()
        qtbot.keyClicks(field, typed)
        qtbot.keyClick(field, Qt.Key.Key_Return)
        assert (settings.get("zoom"), field.text()) == (1.0, "1.0")


def test_a_change_made_elsewhere_is_shown(page: SettingsView, settings: Settings) -> None:
    settings.set("decimals", 2)
    assert page.controls["decimals"].text() == "2"


def test_the_defaults_are_restored(page: SettingsView, settings: Settings, qtbot: QtBot) -> None:
    settings.set("decimals", 2)
    settings.set("theme", "dark")
    settings.set("keys", {"skip": "F6"})
    settings.set("grade_keys", {"2": "F7"})
    (reset,) = [
        each for each in page.findChildren(QPushButton) if each.text().endswith("the defaults")
    ]
    qtbot.mouseClick(reset, Qt.MouseButton.LeftButton)
    assert (
        settings.get("decimals"),
        settings.get("theme"),
        settings.get("keys"),
        settings.get("grade_keys"),
    ) == (4, "system", {}, {})


def scroll_wheel(widget: QWidget, steps: int = 1) -> QWheelEvent:
    position, nothing = QPointF(5, 5), QPoint()
    wheel = QWheelEvent(
        position,
        widget.mapToGlobal(position),
        nothing,
        QPoint(0, -120 * steps),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(widget, wheel)
    return wheel


def test_the_wheel_over_the_keys_scrolls_the_page_unless_the_table_has_the_focus(
    page: SettingsView, qtbot: QtBot
) -> None:
    page.resize(800, 560)
    page.activateWindow()
    table = page.keys.table
    area = next(each for each in page.findChildren(QScrollArea) if each.isAncestorOf(table))
    qtbot.waitUntil(lambda: area.verticalScrollBar().maximum() > 0)
    before, inside = area.verticalScrollBar().value(), table.verticalScrollBar()
    assert not scroll_wheel(table.viewport()).isAccepted() and inside.value() == 0
    scroll_wheel(area.viewport())
    assert area.verticalScrollBar().value() > before and inside.value() == 0
    table.setFocus()
    scroll_wheel(table.viewport())
    assert inside.value() > 0


def test_the_initial_focus_is_at_the_top_of_the_page(page: SettingsView, qtbot: QtBot) -> None:
    page.focus()
    focus = QApplication.focusWidget()
    fields = [each for each in page.controls.values() if each.isVisible()]
    assert (
        focus
        is page.controls["theme"]
        is min(fields, key=lambda each: each.mapTo(page, each.rect().topLeft()).y())
    )
