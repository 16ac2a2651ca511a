"""The scale of a new project is one of the usual ones, one that is typed, or one from a file."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from irjudge.model.scale import Scale
from irjudge_ui.pages.project.scale_choice import SCALES, ScaleChoice


@pytest.fixture
def choice(qtbot: QtBot) -> ScaleChoice:
    made = ScaleChoice()
    qtbot.addWidget(made)
    return made


def test_the_usual_scales_are_in_the_list(choice: ScaleChoice) -> None:
    found = []
    for place in range(choice.box.count()):
        choice.box.setCurrentIndex(place)
        found.append(choice.scale)
    assert found == [Scale.parse(name) for name in SCALES] and choice.problem() == ""


@pytest.mark.parametrize(("typed", "highest"), [("0-1", 1), (" 0-99 ", 99), ("0-0", None), ("0-100", None), ("much", None), ("", None)])
def test_a_typed_scale_is_taken_or_said_to_be_none(choice: ScaleChoice, typed: str, highest: int | None) -> None:
    choice.box.setEditText(typed)
    assert (choice.scale and choice.scale.highest) == highest
    assert choice.problem() == ("" if highest else "Grades must be binary, 0-1 to 0-99, or a file.")


def test_the_name_of_a_file_is_not_a_scale_that_can_be_typed(choice: ScaleChoice, tmp_path: Path) -> None:
    path = tmp_path / "scale.json"
    path.write_text(Scale.parse("0-2").to_json(), encoding="utf-8")
    choice.box.setEditText(str(path))
    assert choice.scale is None and choice.problem()


def test_a_scale_comes_from_a_file(
    choice: ScaleChoice, tmp_path: Path, idle: Callable[[], None], monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    path = tmp_path / "own.json"
    path.write_text('{"name": "own", "grades": [{"value": 0, "label": "no"}, {"value": 5, "label": "yes"}]}', encoding="utf-8")
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(path), ""))
    for _ in range(2):  # chosen again it stands in the list once
        with qtbot.waitSignal(choice.changed):
            choice.file.click()
            idle()
    assert choice.scale is not None and choice.scale.values == (0, 5) and choice.box.currentText() == "own.json"
    assert choice.box.count() == len(SCALES) + 1
    choice.box.setCurrentText("0-2")
    assert choice.scale is not None and choice.scale.highest == 2


def test_a_file_that_is_no_scale_is_said_until_another_is_chosen(choice: ScaleChoice, tmp_path: Path, idle: Callable[[], None]) -> None:
    path = tmp_path / "own.json"
    path.write_text("[]", encoding="utf-8")
    choice.choose(path)
    idle()
    assert "own.json: this is not a scale" in choice.problem()
    choice.box.setCurrentText("0-2")
    assert choice.problem() == ""
