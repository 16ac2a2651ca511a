"""Tests of the measure chooser: complete, searchable by a few letters, selection by name."""

from collections.abc import Callable, Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from irjudge.evaluation import parse_measures
from irjudge.metrics import GROUPS, default_measure_name, list_measures, parse_measure_name
from irjudge_ui.pages.results import EvaluateView
from irjudge_ui.pages.results.measure_chooser import (
    COMMON_MEASURES,
    MeasureChooser,
    list_entries,
)
from irjudge_ui.widgets import apply_script, window_locale
from irjudge_ui.window import Window


@pytest.fixture
def dialog(qtbot: QtBot) -> Iterator[MeasureChooser]:
    parent = QWidget()
    qtbot.addWidget(parent)
    parent.resize(1200, 800)
    made = MeasureChooser(parent, "AP")
    made.open()
    yield made  # keeps the parent alive


def listed_measures(dialog: MeasureChooser) -> list[str]:
    return [entry.name for entry in dialog.list.rows]


def test_all_measures_and_groups_are_listed(dialog: MeasureChooser) -> None:
    measures = [declaration.name for declaration in list_measures()]
    assert sorted(listed_measures(dialog)) == sorted([*GROUPS, *measures])
    assert listed_measures(dialog)[: len(COMMON_MEASURES)] == list(
        COMMON_MEASURES
    ) and listed_measures(dialog)[-len(GROUPS) :] == list(GROUPS), "what is common comes first"


def test_arrow_keys_and_enter_work_from_the_filter(dialog: MeasureChooser) -> None:
    dialog.filter.setFocus()
    QTest.keyClick(dialog.filter, Qt.Key.Key_Down)
    QTest.keyClick(dialog.filter, Qt.Key.Key_Return)
    assert dialog.names.text() == "AP nDCG" and dialog.isVisible()
    QTest.keyClicks(dialog.filter, "recip")
    QTest.keyClick(dialog.filter, Qt.Key.Key_Return)
    assert dialog.names.text() == "AP nDCG RR"


@pytest.mark.parametrize("declaration", list_measures(), ids=lambda declaration: declaration.name)
def test_each_measure_has_a_name_that_can_be_typed(declaration) -> None:
    (measure,) = parse_measure_name(default_measure_name(declaration))
    assert measure.declaration is declaration


def test_each_entry_says_formula_and_reference() -> None:
    said_of = {entry.name: dict(entry.sections) for entry in list_entries()}
    for declaration in list_measures():
        description = said_of[declaration.name]
        assert description["Formula"] == declaration.formula
        assert description.get("Reference", "") == " ".join(declaration.references.split())


@pytest.mark.parametrize(
    ("letters", "first"),
    [
        ("ndcg", "nDCG"),
        ("recip", "RR"),
        ("buckley bpref", "Bpref"),
        ("all_trec", "all_trec"),
        ("ROBERTSON logist", None),
    ],
)
def test_a_few_letters_find_a_measure_by_name_title_formula_or_reference(
    dialog: MeasureChooser, letters: str, first: str | None
) -> None:
    QTest.keyClicks(dialog.filter, letters)
    assert listed_measures(dialog)[:1] == ([first] if first else [])
    assert (dialog.notation.text() == "") == (first is None)


def test_enter_takes_the_selected_measure_or_the_typed_text(
    dialog: MeasureChooser, qtbot: QtBot
) -> None:
    QTest.keyClicks(dialog.filter, "normalised discounted")
    QTest.keyClick(dialog.table, Qt.Key.Key_Return)
    dialog.notation.setText("nDCG(gain=exp2)@5")
    QTest.keyClick(dialog.notation, Qt.Key.Key_Return)
    QTest.keyClick(dialog.notation, Qt.Key.Key_Return)
    assert dialog.names.text() == "AP nDCG nDCG(gain=exp2)@5" and dialog.isVisible(), "each once"
    with qtbot.waitSignal(dialog.chosen) as chosen:
        QTest.mouseClick(dialog.buttons[-1], Qt.MouseButton.LeftButton)
    assert chosen.args == ["AP nDCG nDCG(gain=exp2)@5"]


@pytest.mark.parametrize("typed", ["Prezision@5", "P(cutoff=0)"])
def test_an_invalid_name_is_refused_with_the_reason(dialog: MeasureChooser, typed: str) -> None:
    dialog.notation.setText(typed)
    QTest.keyClick(dialog.notation, Qt.Key.Key_Return)
    assert (
        dialog.names.text() == "AP"
        and dialog.problem.isVisible()
        and typed.partition("(")[0] in dialog.problem.text()
    )
    dialog.notation.setText("RR")
    QTest.keyClick(dialog.notation, Qt.Key.Key_Return)
    assert not dialog.problem.isVisible()


def test_invalid_names_keep_the_dialog_open(dialog: MeasureChooser, qtbot: QtBot) -> None:
    dialog.names.setText("AP Prezision@5")
    with qtbot.assertNotEmitted(dialog.chosen):
        QTest.mouseClick(dialog.buttons[-1], Qt.MouseButton.LeftButton)
    assert dialog.isVisible()


def test_cancel_changes_nothing(dialog: MeasureChooser) -> None:
    chosen: list[str] = []
    dialog.chosen.connect(chosen.append)
    QTest.mouseClick(dialog.buttons[0], Qt.MouseButton.LeftButton)
    assert chosen == [] and not dialog.isVisible()


@pytest.mark.slow
def test_the_page_computes_the_chosen_measures(
    open_window: Window, wait_until_idle: Callable[[], None], qtbot: QtBot
) -> None:
    open_window.show_page("evaluate")
    wait_until_idle()
    page: EvaluateView = open_window.evaluation
    page.actions_by_id["catalogue"].trigger()
    dialog = page.findChild(MeasureChooser)
    assert dialog is not None and dialog.names.text() == page.measures.text()
    dialog.names.setText("official Bpref")
    with qtbot.waitSignal(dialog.destroyed):
        QTest.mouseClick(dialog.buttons[-1], Qt.MouseButton.LeftButton)
    wait_until_idle()
    assert page.table is not None and page.table.measures == parse_measures(["official", "Bpref"])


def test_descriptions_of_measures_are_in_the_language_of_the_window(qapp: QApplication) -> None:
    before = window_locale()
    try:
        descriptions = []
        for language in ("en_GB", "zh_CN"):
            apply_script(qapp, language)
            descriptions.append({entry.name: entry.sections[0][1] for entry in list_entries()})
    finally:
        apply_script(qapp, before)
    assert "mean of precision" in descriptions[0]["AP"]
    assert descriptions[1]["AP"] == "各相关文档所在名次处的精确率的平均。"
