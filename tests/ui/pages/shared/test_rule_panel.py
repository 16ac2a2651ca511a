"""The rule of consensus in the window: named, with what each would change, chosen and kept."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtWidgets import QComboBox

from irjudge.judging import choose_qrels, read_consensus_method
from irjudge.store import open_project
from irjudge_ui.window import Window

ONE_WINDOW = True


@pytest.fixture
def judged(window: Window, assessed_path: Path) -> Window:
    with open_project(assessed_path) as project:
        choose_qrels(project, "consensus")
    assert window.open(assessed_path)
    return window


def choose(box: QComboBox, data: str) -> None:
    box.setCurrentIndex(box.findData(data))
    box.activated.emit(box.currentIndex())


@pytest.mark.slow
def test_the_rule_in_force_is_named_and_another_is_kept_and_named_beside_numbers(
    judged: Window, idle: Callable[[], None]
) -> None:
    judged.show_page("evaluate")
    idle()
    page = judged.evaluation
    assert page.rule.isVisible() and page.rule.effects.text().startswith(
        "Majority: in use.\nLower median:"
    )
    assert "rule: Majority" in page.basis_label.text()
    choose(page.rule.rule, "lower-median")
    idle()
    assert (
        "Lower median: in use." in page.rule.effects.text()
        and "Majority: 2 of the grades would change." in page.rule.effects.text()
    )
    assert (
        "rule: Lower median" in page.basis_label.text()
        and page.policy.qrels.currentData() == "consensus"
    )
    judged.show_page("adjudicate")
    idle()
    desk = judged.pages.view("adjudicate")
    assert desk.rule.isVisible() and "Lower median: in use." in desk.rule.effects.text()
    choose(desk.rule.rule, "majority")
    idle()
    assert judged.project is not None and read_consensus_method(judged.project) == "majority"
    judged.reopen()
    judged.show_page("evaluate")
    idle()
    assert "Majority: in use." in page.rule.effects.text(), "the project keeps it"


@pytest.mark.slow
def test_where_no_consensus_is_used_no_rule_is_shown(
    open_window: Window, idle: Callable[[], None]
) -> None:
    open_window.show_page("evaluate")
    idle()
    assert not open_window.evaluation.rule.isVisible()
