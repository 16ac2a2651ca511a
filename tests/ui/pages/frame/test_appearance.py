"""Tests of the appearance: settings take effect at once, and the desktop's choice is followed."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from irjudge.palette import MARKS
from irjudge_ui.pages import Appearance, apply_appearance
from irjudge_ui.pages.settings import APPEARANCE_SETTINGS
from irjudge_ui.settings import Settings
from irjudge_ui.widgets import apply_theme, current_theme, scale_length
from irjudge_ui.widgets.theme import LIGHT, document_font


@pytest.fixture
def application(qtbot: QtBot) -> Iterator[QApplication]:
    instance = QApplication.instance()
    assert isinstance(instance, QApplication)
    yield instance
    apply_theme(instance, LIGHT)


def test_the_application_has_the_configured_appearance(
    application: QApplication, settings: Settings
) -> None:
    for name, value in {
        "theme": "contrast-dark",
        "zoom": 1.5,
        "font": "mono",
        "highlight": "pink",
    }.items():
        settings.set(name, value)
    apply_appearance(application, settings)
    assert current_theme().name == "contrast-dark" and current_theme().mark == MARKS["pink"][1]
    assert scale_length(100) == 150 and application.font().pixelSize() == round(13 * 1.5)
    assert document_font().families() != application.font().families()


@pytest.mark.parametrize(
    ("name", "value"), [("theme", "dark"), ("zoom", 1.2), ("font", "serif"), ("highlight", "blue")]
)
def test_a_change_takes_effect_at_once_and_is_signalled(
    application: QApplication, settings: Settings, qtbot: QtBot, name: str, value: object
) -> None:
    assert name in APPEARANCE_SETTINGS
    apply_appearance(application, settings)
    looks, before = Appearance(settings), (current_theme(), scale_length(100), document_font())
    with qtbot.waitSignal(looks.changed):
        settings.set(name, value)
    assert (current_theme(), scale_length(100), document_font()) != before


def test_switching_the_theme_keeps_high_contrast(
    application: QApplication, settings: Settings
) -> None:
    settings.set("theme", "contrast-light")
    apply_appearance(application, settings)
    Appearance(settings).switch_theme()
    assert settings.get("theme") == "contrast-dark"


class Desktop(QObject):
    """A desktop that emits changes of its appearance to this test only."""

    colorSchemeChanged = Signal(int)  # noqa: N815 -- Qt's names
    contrastPreferenceChanged = Signal(int)  # noqa: N815

    def accessibility(self) -> "Desktop":
        return self


@pytest.mark.parametrize("what", ["colorSchemeChanged", "contrastPreferenceChanged"])
def test_the_appearance_follows_the_desktop(
    application: QApplication,
    settings: Settings,
    qtbot: QtBot,
    monkeypatch: pytest.MonkeyPatch,
    what: str,
) -> None:
    desktop = Desktop()
    monkeypatch.setattr(QApplication, "styleHints", lambda: desktop)
    settings.set("theme", "dark")
    looks = Appearance(settings)
    with qtbot.waitSignal(looks.changed):
        getattr(desktop, what).emit(1)
    assert current_theme().name == "dark"
