"""The settings page: every titled setting is there, counts at once, and nonsense goes back."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QLineEdit, QPushButton
from pytestqt.qtbot import QtBot

from irjudge_ui.settings import SETTINGS, Settings
from irjudge_ui.views.settings import SettingsView
from irjudge_ui.widgets.number_field import NumberField


@pytest.fixture
def page(qtbot: QtBot, settings: Settings) -> SettingsView:
    page = SettingsView(settings)
    qtbot.addWidget(page)
    page.show()
    return page


def test_every_setting_with_a_title_has_its_row_and_help(page: SettingsView) -> None:
    assert list(page.controls) == [setting.name for setting in SETTINGS if setting.title]
    assert all(control.accessibleName() and control.accessibleDescription() for control in page.controls.values())


def test_a_choice_counts_at_once(page: SettingsView, settings: Settings, qtbot: QtBot) -> None:
    box = page.controls["theme"]
    assert isinstance(box, QComboBox)
    box.setFocus()
    with qtbot.waitSignal(settings.changed):
        qtbot.keyClick(box, Qt.Key.Key_End)
    assert settings.get("theme") == "dark"


def test_a_number_counts_when_it_is_entered(page: SettingsView, settings: Settings, qtbot: QtBot) -> None:
    field = page.controls["guard_ms"]
    assert isinstance(field, NumberField)
    field.selectAll()
    qtbot.keyClicks(field, "250")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert settings.get("guard_ms") == 250


def test_nonsense_goes_back_to_what_it_was(page: SettingsView, settings: Settings, qtbot: QtBot) -> None:
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


def test_the_defaults_come_back(page: SettingsView, settings: Settings, qtbot: QtBot) -> None:
    settings.set("decimals", 2)
    settings.set("theme", "dark")
    (reset,) = [each for each in page.findChildren(QPushButton) if "defaults" in each.text()]
    qtbot.mouseClick(reset, Qt.MouseButton.LeftButton)
    assert (settings.get("decimals"), settings.get("theme")) == (4, "system")
