"""Tests of the message about a written file: open it, or show its folder."""

from pathlib import Path

import pytest
from PySide6.QtGui import QDesktopServices
from pytestqt.qtbot import QtBot

from irjudge_ui.widgets import WrittenFileButtons


@pytest.fixture
def opened_urls(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The URLs the system was asked to open; it has no program for qrels."""
    asked: list[str] = []
    monkeypatch.setattr(
        QDesktopServices,
        "openUrl",
        lambda url: asked.append(url.toLocalFile()) or not url.path().endswith("qrels"),
    )
    return asked


@pytest.fixture
def written_file(qtbot: QtBot) -> WrittenFileButtons:
    made = WrittenFileButtons()
    qtbot.addWidget(made)
    return made


def test_a_file_is_opened_or_shown_in_its_folder(
    written_file: WrittenFileButtons, opened_urls: list[str], tmp_path: Path
) -> None:
    assert not written_file.isVisible()
    written_file.offer(tmp_path / "report.xlsx")
    assert written_file.open.isVisible() and written_file.folder.isVisible()
    written_file.open.click()
    written_file.folder.click()
    assert opened_urls == [str(tmp_path / "report.xlsx"), str(tmp_path)]


def test_a_file_without_a_program_is_shown_in_its_folder(
    written_file: WrittenFileButtons, opened_urls: list[str], tmp_path: Path
) -> None:
    written_file.offer(tmp_path / "all.qrels")
    written_file.open.click()
    assert opened_urls == [str(tmp_path / "all.qrels"), str(tmp_path)]


def test_for_many_files_only_their_folder_is_offered(
    written_file: WrittenFileButtons, opened_urls: list[str], tmp_path: Path
) -> None:
    written_file.offer(tmp_path)
    assert not written_file.open.isVisible()
    written_file.folder.click()
    written_file.offer(tmp_path / "one.irtask")
    assert opened_urls == [str(tmp_path)] and written_file.open.isVisible()
