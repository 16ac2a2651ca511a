"""Tests of damaged files: never written, readable parts shown, and saved as a new project."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QFileDialog, QLabel
from pytestqt.qtbot import QtBot

from irjudge.store import open_project
from irjudge_ui import messages as words
from irjudge_ui.widgets import Dialog
from irjudge_ui.window import Window

ONE_WINDOW = True


@pytest.fixture
def damaged_path(open_window: Window, project_path: Path, qtbot: QtBot) -> Path:
    """A project with three judgments, whose second event was changed on disk."""
    for grade in (1, 2, 3):
        qtbot.waitUntil(lambda: open_window.judge.can_judge)
        open_window.judge.give(grade)
    assert open_window.project is not None
    body = list(open_window.project.events.read())[1].canonical_bytes
    open_window.close_project()
    content = project_path.read_bytes()
    assert content.count(body) == 1
    project_path.write_bytes(content.replace(body, body.replace(b'"value":2', b'"value":0')))
    return project_path


def open_dialog() -> Dialog:
    return next(
        each
        for each in QApplication.topLevelWidgets()
        if isinstance(each, Dialog) and each.isVisible()
    )


def click_button(label: str) -> None:
    next(made for made in open_dialog().buttons if made.text() == label).click()


@pytest.mark.slow
def test_opening_a_damaged_file_asks_first_and_does_not_write_it(
    open_window: Window, damaged_path: Path
) -> None:
    before = damaged_path.read_bytes()
    assert not open_window.open(damaged_path)
    text = "\n".join(label.text() for label in open_dialog().findChildren(QLabel))
    assert "event 2 of 3" in text and "irjudge rescue" not in text
    click_button("Leave unchanged")
    assert open_window.project is None and damaged_path.read_bytes() == before


def test_the_readable_part_of_a_damaged_file_is_shown_and_losses_are_listed(
    open_window: Window, damaged_path: Path, wait_until_idle: Callable[[], None]
) -> None:
    before = damaged_path.read_bytes()
    open_window.open(damaged_path)
    click_button("Open read-only")
    wait_until_idle()
    assert (
        open_window.project is not None
        and not open_window.project.writing
        and open_window.project.damage is not None
    )
    assert "Missing from the log" in open_window.read_only_label.text()
    open_window.show_page("evaluate")
    wait_until_idle()
    assert open_window.evaluation.has_table
    open_window.close_project()
    assert damaged_path.read_bytes() == before


def test_the_readable_part_is_saved_as_a_sound_project_that_can_be_judged(
    open_window: Window,
    damaged_path: Path,
    wait_until_idle: Callable[[], None],
    qtbot: QtBot,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    target = tmp_path / "sound.irjudge"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(target), ""))
    open_window.open(damaged_path)
    click_button("Save readable part")
    wait_until_idle()
    assert (
        open_window.project is not None
        and open_window.project.path == target
        and open_window.project.writing
    )
    assert (
        "Saved as sound.irjudge." in open_window.message.text()
        and "Missing from the log" in open_window.message.text()
    )
    qtbot.waitUntil(lambda: open_window.judge.can_judge)
    session = open_window.judge.session
    assert session is not None and session.count().judged == 2
    open_window.judge.give(1)
    assert session.count().judged == 3
    open_window.close_project()
    with open_project(target, writing=False) as project:
        assert not project.verify().problems


@pytest.mark.slow
@pytest.mark.parametrize("position", [0, 16, 47, 61, 70])
def test_a_file_with_a_damaged_header_can_be_saved_as_a_new_project_too(
    open_window: Window,
    project_path: Path,
    wait_until_idle: Callable[[], None],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    position: int,
) -> None:
    target = tmp_path / "sound.irjudge"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(target), ""))
    open_window.close_project()
    content = bytearray(project_path.read_bytes())
    content[position] ^= 0x41
    project_path.write_bytes(content)
    open_window.open(project_path)
    click_button("Save readable part")
    wait_until_idle()
    assert (
        open_window.project is not None
        and open_window.project.path == target
        and open_window.project.writing
    )
    assert (
        "Saved as sound.irjudge." in open_window.message.text()
        and project_path.read_bytes() == content
    )


@pytest.mark.slow
def test_damage_is_described_in_the_language_of_the_window(
    open_window: Window, damaged_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chinese = {
        "{file} is damaged: event {number} of {total} does not match its hash.": "{file} / {number} / {total}"
    }
    monkeypatch.setattr(words, "_translate", lambda template: chinese.get(template, template))
    open_window.open(damaged_path)
    assert any(
        label.text().startswith("project.irjudge / 2 / 3\n")
        for label in open_dialog().findChildren(QLabel)
    )
