"""Tests of exercises in the window: hidden values, marked steps, and stored answers."""

import csv
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QDesktopServices
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QFileDialog, QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from irjudge.formats.exercises import ANSWER_COLUMNS
from irjudge.store import create_project_from_files, sample_sources
from irjudge_ui.pages.results.explain import ExplainView
from irjudge_ui.pages.results.what_if import DOCUMENT_COLUMN, GRADE_COLUMN
from irjudge_ui.pages.shared import EvaluationOptions, ValueRequest
from irjudge_ui.widgets import Table
from irjudge_ui.widgets.theme import LIGHT
from irjudge_ui.window import Window
from tests.numbers_in_text import find_numbers
from tests.ui.layout_checks import (
    SIZES,
    find_cut_texts,
    find_overlaps,
    process_layouts,
    set_size_and_theme,
)
from tests.ui.window_content import find_widget, is_shown

Idle = Callable[[], None]
Key = Qt.Key
ALT = Qt.KeyboardModifier.AltModifier

ONE_WINDOW = True


@pytest.fixture(scope="session")
def textbook(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("textbook") / "textbook.irjudge"
    sources, scale = sample_sources("textbook")
    create_project_from_files(path, sources, scale=scale)
    return path


@pytest.fixture
def first_page() -> str:
    return "explain"


@pytest.fixture
def explain_page(open_path: Callable[[Path], Window], textbook: Path) -> ExplainView:
    """The explanation page with a value of the sample."""
    view = open_path(textbook).pages.view("explain")
    assert isinstance(view, ExplainView)
    return view


@pytest.fixture
def page(explain_page: ExplainView, wait_until_idle: Idle) -> ExplainView:
    """The explanation page with an exercise started."""
    start_exercise(explain_page, wait_until_idle)
    return explain_page


def start_exercise(page: ExplainView, wait_until_idle: Idle) -> None:
    page.actions_by_id["exercise"].trigger()
    wait_until_idle()


def show_value(
    page: ExplainView, run: str, topic: str, measure: str, wait_until_idle: Idle
) -> None:
    """Choose the explained value with the controls at the top of the page."""
    for box, position in (
        (page.run, page.run.findText(run)),
        (page.topic, page.topic.findData(topic)),
    ):
        box.setCurrentIndex(position)
        box.activated.emit(position)
        wait_until_idle()
    line = page.measure.lineEdit()
    assert line
    line.setText(measure)
    QTest.keyClick(line, Key.Key_Return)
    wait_until_idle()


def choose_exercise(page: ExplainView, name: str, wait_until_idle: Idle) -> None:
    page.exercise.pick.setCurrentIndex(page.exercise.pick.findText(name))
    page.exercise.pick.activated.emit(page.exercise.pick.currentIndex())
    wait_until_idle()


def visible_text(page: ExplainView) -> str:
    """Return all visible text of the page."""
    labels = [
        each.text() for each in page.findChildren(type(page.description_label)) if each.isVisible()
    ]
    tables = [
        str(table.model().index(row, column).data())
        for table in (
            page.what_if.table,
            find_widget(page.what_if, "Ideal ranking", Table),
            page.calculation.table,
        )
        if table.isVisible()
        for row in range(table.model().rowCount())
        for column in range(table.model().columnCount())
    ]
    return "\n".join([*labels, *tables])


def is_asked(page: ExplainView, measure: str, topic: str) -> bool:
    """Return whether the page asks for the value of a measure on a topic."""
    questions = [line.split() for line in visible_text(page).splitlines() if "?" in line]
    return any(measure in text and f"{topic}?" in text for text in questions)


def verdict_on(page: ExplainView) -> tuple[str, list[str]]:
    """Return the sign and the numbers of the verdict on an answer."""
    (line,) = [each for each in visible_text(page).splitlines() if each[:2] in ("✓ ", "✕ ")]
    return line[0], find_numbers(line)


def type_step(page: ExplainView, rank: int, column: int, text: str) -> None:
    """Select a blank cell, type a value into it and press Enter."""
    table = page.what_if.table
    table.setFocus()
    table.setCurrentIndex(page.what_if.ranking.index(rank - 1, DOCUMENT_COLUMN + column))
    QTest.keyClicks(table, text[0])
    editor = QApplication.focusWidget()
    assert isinstance(editor, QLineEdit)
    QTest.keyClicks(editor, text[1:])
    QTest.keyClick(editor, Key.Key_Return)
    # the view takes the typed value in the next turn of the event loop
    QApplication.processEvents()


@pytest.mark.slow
def test_the_exercises_of_the_sample_start_without_setup(
    page: ExplainView, wait_until_idle: Idle
) -> None:
    assert (
        page.exercise.pick.count() == 17
        and page.exercise.pick.isVisible()
        and page.exercise.value.hasFocus()
    )
    assert is_asked(page, "AP", "q1") and page.exercise.pick.currentText() == "Average precision 2"
    page.exercise.next.click()
    wait_until_idle()
    assert is_asked(page, "AP", "six-relevant")


@pytest.mark.slow
def test_the_value_shown_before_is_hidden_and_asked_for(
    explain_page: ExplainView, wait_until_idle: Idle
) -> None:
    show_value(explain_page, "variant", "bpref", "P@3", wait_until_idle)
    value = "P@3 = 0.3333"
    assert value in visible_text(explain_page)
    start_exercise(explain_page, wait_until_idle)
    assert "What is P@3 for topic bpref?" in visible_text(
        explain_page
    ) and "0.3333" not in visible_text(explain_page)
    now = (
        explain_page.run.currentText(),
        explain_page.topic.currentData(),
        explain_page.measure.currentText(),
    )
    assert (
        now == ("variant", "bpref", "P@3")
        and explain_page.exercise.pick.currentText() == ""
        and explain_page.exercise.kind.isVisible()
    )
    assert explain_page.exercise.pick.count() == 17 and explain_page.exercise.next.isVisible(), (
        "those of the file are one click away"
    )
    explain_page.exercise.value.setText("1/3")
    explain_page.exercise.check.click()
    assert "✓ P@3 = 1/3 is correct." in visible_text(explain_page)
    start_exercise(explain_page, wait_until_idle)
    assert value in visible_text(explain_page), "and it is there again when the exercise ends"
    start_exercise(explain_page, wait_until_idle)
    assert "What is P@3 for topic bpref?" in visible_text(explain_page), (
        "also when the file of exercises was read before"
    )


@pytest.mark.slow
def test_a_value_that_has_an_exercise_in_the_file_is_that_exercise(
    explain_page: ExplainView, wait_until_idle: Idle
) -> None:
    for topic, name in (("q1", "Average precision 2"), ("ten-relevant", "")):
        show_value(explain_page, "textbook", topic, "AP", wait_until_idle)
        start_exercise(explain_page, wait_until_idle)
        assert explain_page.exercise.pick.currentText() == name, (
            "one that hides no value is not meant"
        )
        assert is_asked(explain_page, "AP", topic)
        start_exercise(explain_page, wait_until_idle)


@pytest.mark.slow
def test_a_value_opened_from_another_page_is_not_named_after_the_last_exercise(
    page: ExplainView, window: Window, wait_until_idle: Idle
) -> None:
    choose_exercise(page, "Average precision 1", wait_until_idle)
    page.set_request(ValueRequest("variant", "bpref", "P@3", EvaluationOptions("AP")))
    page.refresh()
    wait_until_idle()
    assert (
        "What is P@3 for topic bpref?" in visible_text(page)
        and page.exercise.pick.currentText() == ""
    )


@pytest.mark.slow
def test_the_page_does_not_reveal_the_value(page: ExplainView, wait_until_idle: Idle) -> None:
    choose_exercise(page, "Average precision 1", wait_until_idle)
    assert (
        "0.8304" not in visible_text(page)
        and "3.3214" not in visible_text(page)
        and "0.75" not in visible_text(page)
    )
    assert page.what_if.ranking.rowCount() == 7 and visible_text(page).count("___") == 21
    page.exercise.value.setText("0.9")
    page.exercise.check.click()
    assert "✕ AP is not 0.9." in visible_text(page) and "0.83" not in visible_text(page)


@pytest.mark.slow
def test_the_first_wrong_step_is_marked_in_its_cell(
    page: ExplainView, wait_until_idle: Idle
) -> None:
    choose_exercise(page, "Average precision 1", wait_until_idle)
    type_step(page, 1, 2, "1")
    type_step(page, 4, 2, "1/2")
    page.exercise.value.setFocus()
    QTest.keyClick(page.exercise.value, Key.Key_Return)
    model = page.what_if.ranking
    assert [model.index(row, DOCUMENT_COLUMN + 2).data() for row in (0, 1, 3)] == [
        "✓ 1",
        "___",
        "✕ 1/2",
    ]
    assert "rank 4, " in visible_text(page) and "column P@r" in visible_text(page)
    assert page.findChildren(QDialog) == [], "Enter ends the step and opens no document"
    type_step(page, 4, 2, "3/4")
    assert model.index(3, DOCUMENT_COLUMN + 2).data() == "3/4", (
        "a changed answer is not marked before it is checked"
    )


def test_tab_moves_between_blanks_and_a_double_click_edits_one(
    page: ExplainView, wait_until_idle: Idle
) -> None:
    choose_exercise(page, "Average precision 1", wait_until_idle)
    table, model = page.what_if.table, page.what_if.ranking
    at = model.index(0, DOCUMENT_COLUMN + 3)
    QTest.mouseDClick(
        table.viewport(), Qt.MouseButton.LeftButton, pos=table.visualRect(at).center()
    )
    table.setCurrentIndex(at)
    table.edit(at)
    for answer, key in (
        ("1", Key.Key_Tab),
        ("2", Key.Key_Tab),
        ("9", Key.Key_Backtab),
        ("3", Key.Key_Return),
    ):
        editor = QApplication.focusWidget()
        assert isinstance(editor, QLineEdit) and page.findChildren(QDialog) == []
        editor.setText(answer)
        QTest.keyClick(editor, key)
        QApplication.processEvents()
    assert model.answers == {(1, "sum"): "1", (2, "found"): "3", (2, "P@r"): "9"}, (
        "past rank, grade and document"
    )


@pytest.mark.slow
def test_a_chosen_topic_has_no_exercise_title_and_answer_files_are_next_to_the_project(
    page: ExplainView, wait_until_idle: Idle, monkeypatch: pytest.MonkeyPatch
) -> None:
    choose_exercise(page, "Average precision 1", wait_until_idle)
    page.topic.setCurrentIndex(0)
    page.topic.activated.emit(0)
    wait_until_idle()
    assert page.exercise.pick.currentText() == "" and is_asked(page, "AP", "q1")
    asked = list[str]()
    monkeypatch.setattr(
        QFileDialog,
        "getSaveFileName",
        lambda _parent, _title, start, *_rest, **_more: asked.append(start) or ("", ""),
    )
    page.exercise.save_button.click()
    assert page.project and asked == [str(page.project.path.with_name("answers.csv"))]


@pytest.mark.slow
def test_errors_are_named_first_and_a_wrong_value_alone_has_a_hint(
    page: ExplainView, wait_until_idle: Idle
) -> None:
    choose_exercise(page, "Average precision 1", wait_until_idle)
    page.exercise.value.setText("0.9")
    page.exercise.check.click()
    assert "✕ AP is not 0.9." in visible_text(page)
    type_step(page, 1, 2, "0.5")
    page.exercise.value.setText("0.83")
    page.exercise.check.click()
    verdict = next(line for line in visible_text(page).splitlines() if line.startswith("✕"))
    assert find_numbers(verdict) == ["1", "0.83"] and "column P@r" in verdict
    assert verdict.index("rank 1") < verdict.index("AP = 0.83"), "what is wrong comes first"


@pytest.mark.slow
def test_typed_values_are_kept_while_another_page_is_shown(
    page: ExplainView, window: Window, wait_until_idle: Idle
) -> None:
    choose_exercise(page, "Average precision 1", wait_until_idle)
    type_step(page, 1, 2, "1")
    page.exercise.value.setText("0.9")
    window.show_page("evaluate")
    wait_until_idle()
    window.show_page("explain")
    wait_until_idle()
    assert page.what_if.ranking.answers == {(1, "P@r"): "1"} and page.exercise.value.text() == "0.9"


@pytest.mark.slow
def test_digits_fill_in_steps_and_never_grade_and_rows_cannot_be_dragged(
    page: ExplainView, wait_until_idle: Idle
) -> None:
    choose_exercise(page, "Average precision 1", wait_until_idle)
    before = page.what_if.trial
    type_step(page, 3, 1, "2")
    QTest.keyClick(page.what_if.table, Key.Key_Down, ALT)
    assert page.what_if.trial is before and not page.what_if.table.dragEnabled()


@pytest.mark.slow
def test_a_correct_answer_equals_the_calculation(page: ExplainView, wait_until_idle: Idle) -> None:
    choose_exercise(page, "Average precision 1", wait_until_idle)
    page.exercise.value.setText("(1/1 + 2/2 + 3/4 + 4/7)/4")
    QTest.keyClick(page.exercise.value, Key.Key_Return)
    assert "✓ AP = (1/1 + 2/2 + 3/4 + 4/7)/4 is correct." in visible_text(page)


@pytest.mark.slow
def test_the_calculation_is_shown_on_request_and_later_answers_do_not_count(
    page: ExplainView, wait_until_idle: Idle
) -> None:
    choose_exercise(page, "Average precision 1", wait_until_idle)
    page.exercise.reveal.click()
    wait_until_idle()
    assert "AP = 0.8304" in visible_text(page) and is_shown(page, "Ranking")
    assert not page.exercise.check.isEnabled()
    page.exercise.next.click()
    wait_until_idle()
    assert (
        page.topic.currentData() == "q1"
        and page.exercise.check.isEnabled()
        and not page.calculation.isVisible()
    )


@pytest.mark.slow
def test_a_target_is_reached_by_moving_documents_and_too_many_moves_do_not_count(
    page: ExplainView, wait_until_idle: Idle
) -> None:
    choose_exercise(page, "One exchange", wait_until_idle)
    table = page.what_if.table
    assert not page.exercise.value.isVisible() and "Moves allowed: 1." in visible_text(page)
    page.exercise.check.click()
    assert verdict_on(page) == ("✕", ["0.7555", "0.79"])
    table.setCurrentIndex(page.what_if.ranking.index(2, DOCUMENT_COLUMN))
    QTest.keyClick(table, Key.Key_Up, ALT)
    QTest.keyClick(table, Key.Key_2)
    wait_until_idle()
    assert page.what_if.moves == ((3, 2),), "a digit grades nothing here"
    page.exercise.check.click()
    assert verdict_on(page) == ("✓", ["0.7888", "0.79"])
    page.reset()
    QTest.keyClick(table, Key.Key_Down, ALT)
    QTest.keyClick(table, Key.Key_Up, ALT)
    table.setCurrentIndex(page.what_if.ranking.index(2, DOCUMENT_COLUMN))
    QTest.keyClick(table, Key.Key_Up, ALT)
    page.exercise.check.click()
    assert "✕" in page.exercise.verdict.text() and "3; moves allowed: 1." in visible_text(page)
    page.undo()
    page.undo()
    page.undo()
    assert page.what_if.moves == ()


def test_every_answer_is_appended_to_the_file(
    page: ExplainView, wait_until_idle: Idle, tmp_path: Path
) -> None:
    path = tmp_path / "answers.csv"
    page.exercise.store_in(path)
    page.exercise.student.setText("Group 2")
    choose_exercise(page, "First relevant", wait_until_idle)
    page.exercise.value.setText("0.5")
    written: list[Path] = []
    page.wrote.connect(written.append)
    page.exercise.check.click()
    assert written == [path]
    page.exercise.value.setText("1/3")
    page.exercise.check.click()
    page.exercise.value.setText("a third")
    page.exercise.check.click()
    assert "'a third'" in visible_text(page)
    page.exercise.reveal.click()
    wait_until_idle()
    choose_exercise(page, "One exchange", wait_until_idle)
    page.what_if._shift(2, 1)
    page.exercise.check.click()
    rows = list(csv.DictReader(path.read_text(encoding="utf-8").splitlines()))
    assert tuple(rows[0]) == ANSWER_COLUMNS
    assert [(row["student"], row["exercise"], row["answer"], row["verdict"]) for row in rows] == [
        ("Group 2", "First relevant", "0.5", "wrong"),
        ("Group 2", "First relevant", "1/3", "right"),
        ("Group 2", "First relevant", "a third", "shown"),
        ("Group 2", "One exchange", "3>2", "right"),
    ]


@pytest.mark.usefixtures("own_window")
@pytest.mark.slow
def test_the_answers_file_is_named_and_its_folder_opened_by_one_click(
    page: ExplainView, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    monkeypatch.setattr(
        QDesktopServices, "openUrl", lambda url: asked.append(url.toLocalFile()) or True
    )
    assert "not saved" in visible_text(page) and not page.exercise.written.isVisible()
    page.exercise.store_in(tmp_path / "answers.csv")
    assert str(tmp_path / "answers.csv") in visible_text(page).replace("\u200b", "")
    page.exercise.written.folder.click()
    assert page.exercise.written.folder.isVisible() and asked == [str(tmp_path)]


def test_a_file_of_another_kind_takes_no_answer_and_this_is_reported(
    page: ExplainView, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "grades.csv"
    path.write_text("name,grade\n")
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_args, **_more: (str(path), ""))
    page.exercise.save_button.click()
    page.exercise.value.setText("0.5")
    page.exercise.check.click()
    assert "grades.csv, line 1: " in visible_text(page) and path.read_text() == "name,grade\n"


def test_a_teachers_file_is_opened_and_an_invalid_one_is_refused_with_a_message(
    page: ExplainView, wait_until_idle: Idle, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine = tmp_path / "mine.csv"
    mine.write_text("topic,measure,question\nq1,P@5,How many?\nq7,AP,\n")
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_args, **_more: (str(mine), ""))
    page.exercise.open.click()
    wait_until_idle()
    assert "exercise 2: " in visible_text(page) and "'q7'" in visible_text(page)
    mine.write_text("topic,measure,question\nq1,P@5,How many?\n")
    page.exercise.open.click()
    wait_until_idle()
    assert (
        page.exercise.pick.count() == 1
        and "How many?" in visible_text(page)
        and not page.exercise.next.isVisible()
    )


def test_any_topic_and_measure_can_be_an_exercise(
    open_window: Window, wait_until_idle: Idle
) -> None:
    open_window.show_page("explain")
    wait_until_idle()
    page = open_window.pages.view("explain")
    page.switch_exercise()
    wait_until_idle()
    assert not page.exercise.pick.isVisible() and is_asked(page, "AP", "1")
    page.measure.setEditText("P@5")
    QTest.keyClick(page.measure.lineEdit(), Key.Key_Return)
    wait_until_idle()
    assert is_asked(page, "P@5", "1")
    page.exercise.kind.setCurrentIndex(1)
    page.exercise.kind.activated.emit(1)
    wait_until_idle()
    assert "Move documents until P@5 is" in visible_text(page) and "or more." in visible_text(page)
    page.switch_exercise()
    wait_until_idle()
    assert (
        page.calculation.isVisible()
        and page.what_if.table.dragEnabled()
        and not page.exercise.isVisible()
    )
    page.what_if.table.setCurrentIndex(page.what_if.ranking.index(0, GRADE_COLUMN))
    QTest.keyClick(page.what_if.table, Key.Key_0)
    assert page.what_if.can_undo, "after an exercise documents can be graded again"


@pytest.mark.usefixtures("own_window")
@pytest.mark.slow
def test_opening_another_project_ends_the_exercise(
    page: ExplainView, window: Window, project_path: Path, wait_until_idle: Idle
) -> None:
    assert page.exercise.isVisible()
    window.open(project_path)
    window.show_page("explain")
    wait_until_idle()
    assert (
        page.exercise.isHidden() and page.exercise.files.isHidden() and page.calculation.isVisible()
    )
    start_exercise(page, wait_until_idle)
    assert page.exercise.isVisible() and is_asked(page, "AP", "1"), "one key asks, not two"


@pytest.mark.slow
def test_an_exercise_writes_nothing_to_the_project(
    page: ExplainView, wait_until_idle: Idle, textbook: Path
) -> None:
    before = textbook.read_bytes()
    choose_exercise(page, "One exchange", wait_until_idle)
    page.what_if._shift(2, 1)
    page.exercise.check.click()
    page.exercise.reveal.click()
    wait_until_idle()
    assert textbook.read_bytes() == before


@pytest.mark.usefixtures("own_window")
@pytest.mark.slow
def test_an_answered_exercise_is_completely_visible(
    page: ExplainView, window: Window, wait_until_idle: Idle
) -> None:
    window.resize(1366, 768)
    for index in range(page.exercise.pick.count()):
        choose_exercise(page, page.exercise.pick.itemText(index), wait_until_idle)
        assert page.exercise._exercise is not None
        page.exercise.value.setText(f"{page.exercise._exercise.solution.value:.6f}")
        page.exercise.check.click()
        wait_until_idle()
        assert page.exercise.verdict.isVisible()
        assert not page.exercise.save_button.visibleRegion().isEmpty(), (
            page.exercise.pick.currentText()
        )
        assert (
            page.exercise.save_button.visibleRegion().boundingRect()
            == page.exercise.save_button.rect()
        ), page.exercise.pick.currentText()


@pytest.mark.slow
def test_in_a_narrow_window_the_question_is_above_the_ranking(
    page: ExplainView, window: Window, wait_until_idle: Idle, qtbot: QtBot
) -> None:
    window.resize(800, 600)

    def is_above(upper: QWidget, lower: QWidget) -> bool:
        return (
            upper.mapTo(window, upper.rect().bottomLeft()).y()
            < lower.mapTo(window, lower.rect().topLeft()).y()
        )

    qtbot.waitUntil(lambda: is_above(page.exercise, page.what_if))
    assert page.exercise.check.visibleRegion().boundingRect() == page.exercise.check.rect()
    page.actions_by_id["exercise"].trigger()
    wait_until_idle()
    qtbot.waitUntil(lambda: is_above(page.what_if, page.calculation))


@pytest.mark.slow
@pytest.mark.parametrize("zoom", [1.0, 2.0])
def test_no_text_of_an_exercise_is_cut(
    page: ExplainView, window: Window, wait_until_idle: Idle, tmp_path: Path, zoom: float
) -> None:
    window.settings.set("zoom", zoom)
    page.exercise.store_in(tmp_path / "a folder with a long name" / "answers.csv")
    for size in SIZES:
        set_size_and_theme(window, size, LIGHT)
        for name in ("Average precision 1", "One exchange"):
            choose_exercise(page, name, wait_until_idle)
            process_layouts()
            assert find_cut_texts(window) == [] and find_overlaps(window) == [], (name, size)


def test_a_cancelled_question_is_asked_again_by_recompute(
    page: ExplainView, wait_until_idle: Idle
) -> None:
    show_value(page, page.run.currentText(), page.topic.currentData(), "P@5", wait_until_idle)
    page.exercise.kind.setCurrentIndex(1)  # reach a target by moving documents
    page.exercise.kind.activated.emit(1)
    page.cancel_jobs()
    page.restart_jobs()
    wait_until_idle()
    assert "P@5 is 0.6000" in visible_text(page) and not page.calculation.isVisible()
