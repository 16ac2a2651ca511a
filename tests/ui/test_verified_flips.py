"""Tests that a file with one changed byte that passes `verify` opens and can be judged."""

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from irjudge_ui import jobs
from irjudge_ui.pages.shared.view import InstructionsDialog
from irjudge_ui.settings import Settings
from irjudge_ui.widgets import Dialog
from irjudge_ui.window import Window
from tests.byte_flips import changed_copies, make_class_project, passes_verification
from tests.lengths import short_or_long

PAGES = ("agreement", "evaluate", "quality", "adjudicate", "collection", "assessors")


@pytest.fixture(scope="module")
def classes(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    return make_class_project(tmp_path_factory.mktemp("class"))


@pytest.mark.slow
@pytest.mark.parametrize("which", [0, 1])
@pytest.mark.usefixtures("full")
def test_a_file_that_passes_verification_opens_and_can_be_judged(
    classes: tuple[Path, Path],
    tmp_path: Path,
    window: Window,
    settings: Settings,
    qtbot: QtBot,
    which: int,
) -> None:
    path, opened = tmp_path / classes[which].name, 0
    for name in ("teacher", "bob"):
        settings.add_name(name)
    for number, data in enumerate(
        changed_copies(classes[which].read_bytes(), 4 + which, short_or_long(8, 1000))
    ):
        path.write_bytes(data)
        if not passes_verification(path):
            continue
        assert window.open(path), number
        for dialog in window.findChildren(InstructionsDialog):
            dialog.buttons[-1].click()
        window.show_page("judge")
        qtbot.waitUntil(lambda: window.judge.can_judge)
        assert window.project is not None
        before = window.project.events.count()
        window.judge.give(1)
        assert window.project.events.count() == before + 1
        window.show_page(PAGES[number % len(PAGES)])
        qtbot.waitUntil(lambda: not jobs.is_busy())
        assert not [each for each in window.findChildren(Dialog) if each.isVisible()]
        window.close_project()
        assert passes_verification(path)
        opened += 1
    assert opened
