"""The way to a file that was just written: open it, or show where it lies; of a folder there is only the way there."""

from pathlib import Path

import pytest
from PySide6.QtGui import QDesktopServices
from pytestqt.qtbot import QtBot

from irjudge_ui.widgets import WrittenFileButtons


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What the system was asked to open; it has nothing for qrels."""
    asked: list[str] = []
    monkeypatch.setattr(
        QDesktopServices,
        "openUrl",
        lambda url: asked.append(url.toLocalFile()) or not url.path().endswith("qrels"),
    )
    return asked


@pytest.fixture
def written(qtbot: QtBot) -> WrittenFileButtons:
    made = WrittenFileButtons()
    qtbot.addWidget(made)
    return made


def test_a_file_is_opened_or_shown_in_its_folder(
    written: WrittenFileButtons, opened: list[str], tmp_path: Path
) -> None:
    assert not written.isVisible()
    written.offer(tmp_path / "report.xlsx")
    assert written.open.isVisible() and written.folder.isVisible()
    written.open.click()
    written.folder.click()
    assert opened == [str(tmp_path / "report.xlsx"), str(tmp_path)]


def test_what_the_system_has_no_program_for_is_shown_in_its_folder(
    written: WrittenFileButtons, opened: list[str], tmp_path: Path
) -> None:
    written.offer(tmp_path / "all.qrels")
    written.open.click()
    assert opened == [str(tmp_path / "all.qrels"), str(tmp_path)]


def test_of_many_files_there_is_the_way_to_their_folder(
    written: WrittenFileButtons, opened: list[str], tmp_path: Path
) -> None:
    written.offer(tmp_path)
    assert not written.open.isVisible()
    written.folder.click()
    written.offer(tmp_path / "one.irtask")
    assert opened == [str(tmp_path)] and written.open.isVisible()
