"""Fixtures of the end-to-end tests: a window with fresh settings, a user, and screenshots."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from irjudge_ui import jobs
from irjudge_ui.settings import Settings
from irjudge_ui.widgets import apply_theme
from irjudge_ui.widgets.theme import DARK, LIGHT
from irjudge_ui.window import Window
from tests.journeys.simulated_user import CountedUser

PICTURES = Path(__file__).parent / "pictures"
PNG_QUALITY = 80  # compressing an image as far as possible takes several times as long
Snap = Callable[[str], None]


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    settings = Settings(tmp_path / "settings.ini")
    settings.set("samples", str(tmp_path))
    settings.set("theme", "light")
    return settings


@pytest.fixture
def open_window(qtbot: QtBot, settings: Settings) -> Iterator[Callable[[], Window]]:
    windows: list[Window] = []

    def make() -> Window:
        apply_theme(QApplication.instance(), LIGHT)
        window = Window(settings)
        qtbot.addWidget(window)
        window.resize(1360, 820)
        window.show()
        qtbot.waitExposed(window)
        windows.append(window)
        return window

    yield make
    for window in windows:
        window.close()
    qtbot.waitUntil(lambda: not jobs.is_busy(), timeout=20_000)


@pytest.fixture
def snap(qtbot: QtBot, full: bool) -> Callable[..., None]:
    """Function that saves a screenshot of a window or dialog.

    With `--full` also in the dark theme, which takes a second.
    """

    def take(window: Window, name: str, dialog: QWidget | None = None) -> None:
        PICTURES.mkdir(exist_ok=True)
        for theme in (DARK, LIGHT) if full else (LIGHT,):
            if full:
                window.settings.set("theme", theme.name)
                window.judge.refresh()
            qtbot.wait(60)
            assert (
                (dialog or window)
                .grab()
                .save(str(PICTURES / f"{name}-{theme.name}.png"), "PNG", PNG_QUALITY)
            )

    return take


@pytest.fixture
def user(
    open_window: Callable[[], Window], qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> CountedUser:
    return CountedUser(open_window(), qtbot, monkeypatch)
