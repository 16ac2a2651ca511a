"""Tests of the choice of the consensus rule: its name, the effect of each rule, storing it."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtWidgets import QComboBox

from irjudge.judging import choose_qrels, read_consensus_method, set_consensus_method
from irjudge.store import open_project
from irjudge_ui.window import Window

ONE_WINDOW = True


@pytest.fixture
def judged_window(window: Window, assessed_path: Path) -> Window:
    with open_project(assessed_path) as project:
        choose_qrels(project, "consensus")
    assert window.open(assessed_path)
    return window


def choose_item(box: QComboBox, data: str) -> None:
    box.setCurrentIndex(box.findData(data))
    box.activated.emit(box.currentIndex())


@pytest.mark.slow
def test_the_rule_in_force_is_named_and_another_is_stored_and_named_next_to_numbers(
    judged_window: Window, wait_until_idle: Callable[[], None]
) -> None:
    judged_window.show_page("evaluate")
    wait_until_idle()
    page = judged_window.evaluation
    assert page.rule.isVisible() and page.rule.effects.text().startswith(
        "Majority: in use.\nLower median:"
    )
    assert "rule: Majority" in page.basis_label.text()
    choose_item(page.rule.rule, "lower-median")
    wait_until_idle()
    assert (
        "Lower median: in use." in page.rule.effects.text()
        and "Majority: 2 of the grades would change." in page.rule.effects.text()
    )
    assert (
        "rule: Lower median" in page.basis_label.text()
        and page.policy.qrels.currentData() == "consensus"
    )
    judged_window.show_page("adjudicate")
    wait_until_idle()
    adjudicate_page = judged_window.pages.view("adjudicate")
    assert (
        adjudicate_page.rule.isVisible()
        and "Lower median: in use." in adjudicate_page.rule.effects.text()
    )
    choose_item(adjudicate_page.rule.rule, "majority")
    wait_until_idle()
    assert (
        judged_window.project is not None
        and read_consensus_method(judged_window.project) == "majority"
    )
    judged_window.reopen()
    judged_window.show_page("evaluate")
    wait_until_idle()
    assert "Majority: in use." in page.rule.effects.text(), "the project keeps it"


@pytest.mark.slow
def test_without_consensus_qrels_no_rule_is_shown(
    open_window: Window, wait_until_idle: Callable[[], None]
) -> None:
    open_window.show_page("evaluate")
    wait_until_idle()
    assert not open_window.evaluation.rule.isVisible()


def test_the_effects_of_another_project_replace_those_of_the_first(
    judged_window: Window, assessed_path: Path, tmp_path: Path, wait_until_idle: Callable[[], None]
) -> None:
    other = Path(shutil.copy(assessed_path, tmp_path / "other.irjudge"))
    with open_project(other) as project:
        set_consensus_method(project, "lower-median")
    for path, rule in ((assessed_path, "Majority"), (other, "Lower median")):
        assert path == assessed_path or judged_window.open(path)
        judged_window.show_page("evaluate")
        wait_until_idle()
        panel = judged_window.evaluation.rule
        assert panel.rule.currentText() == rule
        assert f"{rule}: in use." in panel.effects.text()
