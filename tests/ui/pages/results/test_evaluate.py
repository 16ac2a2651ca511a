"""Tests of the evaluation page: the engine's numbers, and never those of an older request."""

import shutil
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pypdfium2
import pytest
from openpyxl import load_workbook
from PySide6.QtCore import Qt
from PySide6.QtGui import QDesktopServices
from PySide6.QtPrintSupport import QPrinter
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QLabel
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

import irjudge
from irjudge.errors import CommitFailed, IrjudgeError
from irjudge.evaluation import Policy, evaluate_project, parse_measures
from irjudge.judging import list_qrels_choices
from irjudge.model import Scale
from irjudge.report import reproduce_study
from irjudge.store import create_project
from irjudge_ui.pages.frame import CrashDialog, exports
from irjudge_ui.pages.results import EvaluateView, evaluate
from irjudge_ui.pages.results import leaderboard as evaluate_table
from irjudge_ui.pages.results.evaluate import PRINT_FORMAT
from irjudge_ui.pages.results.live import LiveView
from irjudge_ui.pages.shared.printing import print_html
from irjudge_ui.window import Window
from tests.ui.window_content import next_action, visible_text, workflow_text

ONE_WINDOW = True


@pytest.fixture
def first_page() -> str:
    return "evaluate"


@pytest.fixture
def page(open_window: Window) -> EvaluateView:
    return open_window.evaluation


def cells(page: EvaluateView) -> list[list[Any]]:
    model = page.runs
    return [
        [model.index(row, column).data() for column in range(model.columnCount())]
        for row in range(model.rowCount())
    ]


def expected_cells(page: EvaluateView, measures: str, policy: Policy) -> list[list[str]]:
    assert page.project is not None
    table = evaluate_project(
        page.project, parse_measures(measures.split(), policy.rel), policy, page.policy.choice()
    )
    best_first = sorted(table.runs, key=lambda run: -run.summary[0])
    return [[run.run, *(f"{value:.4f}" for value in run.summary)] for run in best_first]


def enter_measures(page: EvaluateView, measures: str) -> None:
    page.chips.edit()
    QTest.keyClicks(page.measures, measures)
    QTest.keyClick(page.measures, Qt.Key.Key_Return)


def test_the_table_shows_the_numbers_of_the_engine(
    page: EvaluateView, qtmodeltester: ModelTester
) -> None:
    assert [row[:-2] for row in cells(page)] == expected_cells(page, page.measures.text(), Policy())
    assert "Topics averaged: 6" in page.basis_label.text()
    assert len(page.topic_values.model.rows) == 6
    qtmodeltester.check(page.runs)
    qtmodeltester.check(page.topic_values.model)


GRADED = "ERR@20 RBP(p=0.5,gain=graded) nDCG@10 alpha-nDCG@10"


@pytest.mark.slow
@pytest.mark.parametrize("measures", ["", GRADED])
def test_numbers_equal_those_of_a_notebook_if_no_document_has_the_highest_grade(
    measures: str, page: EvaluateView, wait_until_idle: Callable[[], None]
) -> None:
    assert page.project is not None
    given = page.project.rankings.qrels(page.project.rankings.qrels_names()[0].name)
    qrels = replace(given, grade=np.minimum(given.grade, 2))
    page.project.rankings.add_qrels("modest", qrels)
    page.refresh()
    page.policy.qrels.setCurrentIndex(page.policy.qrels.findData("modest"))
    page._show_measures(measures or page.measures.text())
    page.compute()
    wait_until_idle()
    runs = [page.project.rankings.run(run.name) for run in page.project.rankings.runs()]
    frame = irjudge.evaluate(qrels, runs, page.measures.text(), highest=page.project.scale.highest)
    wide = frame.pivot(index="run", columns="measure", values="value")
    names = [column.header for column in page.runs.columns[1:-2]]
    choice = page.policy.choice()
    assert len(names) >= 4 and choice is not None and choice.name == "modest"
    shown = [[run.name, *(f"{wide[name][run.name]:.4f}" for name in names)] for run in runs]
    assert [row[:-2] for row in cells(page)] == sorted(
        shown, key=lambda row: -wide[names[0]][row[0]]
    )


def test_the_highest_grade_is_stated_if_a_measure_divides_by_it(
    page: EvaluateView, wait_until_idle: Callable[[], None]
) -> None:
    assert "Highest grade" not in page.basis_label.text(), "no default measure asks for it"
    enter_measures(page, "AP ERR@20")
    wait_until_idle()
    assert "scale: 3 (" in page.basis_label.text()


@pytest.mark.slow
def test_other_measures_and_another_policy_give_other_numbers(
    page: EvaluateView, wait_until_idle: Callable[[], None]
) -> None:
    enter_measures(page, "P@5 nDCG")
    page.policy.rel.set_value(2)
    page.policy.ties.setCurrentIndex(1)
    page.policy.topics.setCurrentIndex(1)
    page.policy.topics.activated.emit(1)
    wait_until_idle()
    assert [row[:-2] for row in cells(page)] == expected_cells(
        page, "P@5 nDCG", page.evaluation_options().policy()
    )
    assert (
        page.evaluation_options().policy().rel == 2
        and "grade 2 or higher" in page.basis_label.text()
    )


def test_an_invalid_measure_is_reported_and_the_table_is_kept(
    page: EvaluateView, wait_until_idle: Callable[[], None]
) -> None:
    before = cells(page)
    enter_measures(page, "AP Prezision@10")
    wait_until_idle()
    assert page.problem.isVisible() and "Prezision" in page.problem.text() and cells(page) == before
    enter_measures(page, "AP")
    wait_until_idle()
    assert not page.problem.isVisible() and cells(page) != before


@pytest.mark.slow
def test_measures_and_policy_are_stored_in_their_project_only(
    open_window: Window,
    page: EvaluateView,
    wait_until_idle: Callable[[], None],
    project_path: Path,
    everyday: Path,
    tmp_path: Path,
) -> None:
    page.policy.rel.set_value(2)
    page.policy.ties.setCurrentIndex(1)
    enter_measures(page, "RR P@3")
    wait_until_idle()
    other = shutil.copy(everyday, tmp_path / "other.irjudge")
    for path, measures, policy in (
        (other, "AP P@10 nDCG@10 RR", Policy()),
        (project_path, "RR P@3", page.evaluation_options().policy()),
    ):
        open_window.open(Path(path))
        open_window.show_page("evaluate")
        wait_until_idle()
        assert (page.measures.text(), page.evaluation_options().policy()) == (measures, policy)


@pytest.mark.slow
def test_the_selected_row_stays_selected(
    page: EvaluateView, wait_until_idle: Callable[[], None]
) -> None:
    page.run_table.setCurrentIndex(page.run_table.model().index(2, 3))
    chosen = page.run_table.currentIndex().siblingAtColumn(0).data()
    page.compute()
    wait_until_idle()
    now = page.run_table.currentIndex()
    assert (now.siblingAtColumn(0).data(), now.column()) == (
        chosen,
        3,
    ) and "nDCG@10" in visible_text(page)


@pytest.mark.slow
@pytest.mark.parametrize("fails", [False, True])
def test_a_late_result_never_overwrites_a_newer_one(
    fails: bool,
    page: EvaluateView,
    wait_until_idle: Callable[[], None],
    monkeypatch: pytest.MonkeyPatch,
    qtbot: QtBot,
) -> None:
    real, go = evaluate_table.evaluate_project, threading.Event()

    def slow(project: Any, measures: Any, *rest: Any, **named: Any) -> Any:
        if measures[0].name == "P@1":
            go.wait(5)
            if fails:
                raise IrjudgeError("too late")
        return real(project, measures, *rest, **named)

    monkeypatch.setattr(evaluate_table, "evaluate_project", slow)
    enter_measures(page, "P@1")
    enter_measures(page, "P@7")
    qtbot.waitUntil(lambda: page.table is not None and page.table.measures[0].name == "P@7")
    go.set()
    wait_until_idle()
    assert page.runs.columns[1].header == "P@7" and not page.problem.isVisible()


def test_an_internal_error_is_shown_with_details(
    page: EvaluateView,
    open_window: Window,
    wait_until_idle: Callable[[], None],
    monkeypatch: pytest.MonkeyPatch,
    qtbot: QtBot,
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(evaluate_table, "evaluate_project", broken)
    page.compute()
    wait_until_idle()
    dialog = open_window.findChild(CrashDialog)
    assert dialog is not None and "in broken" in dialog.details
    with qtbot.waitSignal(dialog.destroyed):
        dialog.close()


@pytest.mark.slow
def test_without_runs_or_qrels_the_page_says_what_is_missing(
    window: Window, tmp_path: Path, project_path: Path, wait_until_idle: Callable[[], None]
) -> None:
    empty = tmp_path / "empty.irjudge"
    with create_project(empty, scale=Scale.parse("binary")):
        pass
    window.open(empty)
    window.show_page("evaluate")
    page = window.evaluation
    assert (
        "no runs" in page.empty.text()
        and not page.run_table.isVisible()
        and not page.next_buttons["workbook"].isEnabled()
    )
    window.open(project_path)
    window.show_page("evaluate")
    wait_until_idle()
    assert (
        page.run_table.isVisible()
        and page.next_buttons["workbook"].isEnabled()
        and not page.empty.isVisible()
    )


@pytest.mark.slow
def test_a_few_judgments_do_not_replace_imported_qrels_until_they_are_selected(
    page: EvaluateView, open_window: Window, wait_until_idle: Callable[[], None], qtbot: QtBot
) -> None:
    assert [page.policy.qrels.itemText(index) for index in range(page.policy.qrels.count())] == [
        "qrels (61)"
    ]
    open_window.show_page("judge")
    qtbot.waitUntil(lambda: open_window.judge.can_judge)
    open_window.judge.give(2)
    open_window.show_page("evaluate")
    wait_until_idle()
    assert page.basis_label.text().startswith("Qrels: qrels (judgments: 61)."), (
        "one judgment covers less of the pool"
    )
    qtbot.keyClicks(page.policy.qrels, "judged")
    page.policy.qrels.activated.emit(page.policy.qrels.currentIndex())
    wait_until_idle()
    assert page.basis_label.text().startswith("Qrels: judged here (judgments: 1).")
    for name in ("compare", "live", "rankings", "explain"):
        open_window.show_page(name)
        wait_until_idle()
        texts = [each.text() for each in open_window.pages.view(name).findChildren(QLabel)]
        assert any("Qrels: judged here (judgments: 1)." in each for each in texts), name
    open_window.reopen()
    open_window.show_page("evaluate")
    wait_until_idle()
    assert page.basis_label.text().startswith("Qrels: judged here (judgments: 1)."), (
        "the project keeps what was chosen"
    )


def test_no_values_of_other_options_are_shown_after_a_cancellation(
    page: EvaluateView, wait_until_idle: Callable[[], None]
) -> None:
    for cancels in (True, False):
        page.policy.rel.set_value(2)
        page.policy.rel.changed.emit(2)
        if cancels:
            page.cancel_jobs()
        wait_until_idle()
        assert page.run_table.isVisible() != cancels and bool(page.runs.rows) != cancels


@pytest.mark.slow
def test_the_qrels_selected_last_are_used_on_whatever_page_they_were_selected(
    page: EvaluateView, open_window: Window, wait_until_idle: Callable[[], None], qtbot: QtBot
) -> None:
    assert page.project is not None
    open_window.show_page("judge")
    qtbot.waitUntil(lambda: open_window.judge.can_judge)
    open_window.judge.give(2)
    live = open_window.pages.view("live")
    assert isinstance(live, LiveView)
    for name, box, qrels in (
        ("evaluate", page.policy.qrels, "qrels"),
        ("live", live.qrels, "judged here"),
        ("evaluate", page.policy.qrels, "qrels"),
    ):
        open_window.show_page(name)
        wait_until_idle()
        box.setCurrentIndex(box.findData(qrels))
        box.activated.emit(box.currentIndex())
        for shown in ("evaluate", "live", "evaluate"):
            open_window.show_page(shown)
            wait_until_idle()
        assert page.basis_label.text().startswith(f"Qrels: {qrels} (")
        assert live.qrels.currentData() == qrels
        assert list_qrels_choices(page.project)[0].name == qrels  # used by the export


def write_report(page: EvaluateView, form: str) -> None:
    """Choose a report format and press Report."""
    page.form.setCurrentIndex(page.form.findData(form))
    page.ask_workbook()


def test_a_printed_report_states_how_its_numbers_were_computed(
    page: EvaluateView,
    wait_until_idle: Callable[[], None],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    pages: list[str] = []
    monkeypatch.setattr(exports, "print_report", lambda _window, made: pages.append(made))
    write_report(page, PRINT_FORMAT)
    wait_until_idle()
    assert "irjudge report " in pages[0], "the command that makes the same numbers"
    printer = QPrinter()
    printer.setOutputFormat(QPrinter.OutputFormat.PdfFormat)
    printer.setOutputFileName(str(tmp_path / "out.pdf"))
    print_html(printer, pages[0])
    assert (tmp_path / "out.pdf").read_bytes().startswith(b"%PDF")


COMPARED = [
    *(f"1.{number:04}" for number in range(14)),
    *(f"a_run_with_a_name_{number}" for number in range(2)),
]  # wider than a line


@pytest.mark.parametrize(("runs", "by_topic"), [(6, True), (40, False)])
def test_no_number_is_wrapped_in_print(
    tmp_path: Path, runs: int, by_topic: bool, qapp: QApplication
) -> None:
    row = "".join(f'<td class="n">0.{number:010}</td>' for number in range(runs))
    compared = "".join(f"<td>{each}</td>" for each in COMPARED)
    page = f"<style>p {{}}</style><table><tr>{compared}</tr></table><details><table><tr>{row}</tr></table></details>"
    printer = QPrinter(QPrinter.PrinterMode.HighResolution)
    printer.setOutputFormat(QPrinter.OutputFormat.PdfFormat)
    printer.setOutputFileName(str(tmp_path / "out.pdf"))
    print_html(printer, page)
    text = pypdfium2.PdfDocument(tmp_path / "out.pdf")[0].get_textpage()
    letters = [
        (text.get_text_range(at, 1), round(text.get_charbox(at, loose=True)[1]))
        for at in range(text.count_chars())
    ]
    lines = {
        height: "".join(letter for letter, at in letters if at == height and letter.strip())
        for _, height in letters
    }
    assert sorted(filter(None, lines.values())) == [
        "".join(f"0.{number:010}" for number in range(runs))
    ] * by_topic + ["".join(COMPARED)]


@pytest.mark.slow
def test_the_workbook_has_the_values_of_the_page(
    page: EvaluateView,
    open_window: Window,
    wait_until_idle: Callable[[], None],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "out.xlsx"), ""))
    write_report(page, ".xlsx")
    wait_until_idle()
    assert "Saved" in open_window.message.text(), [
        d.details for d in open_window.findChildren(CrashDialog)
    ]
    book = load_workbook(tmp_path / "out.xlsx", read_only=True)
    assert len(book.sheetnames) > 1
    book.close()
    opened: list[str] = []
    monkeypatch.setattr(
        QDesktopServices, "openUrl", lambda address: opened.append(address.toLocalFile()) or True
    )
    assert open_window.written_file_buttons.isVisible()
    open_window.written_file_buttons.open.click()
    open_window.written_file_buttons.folder.click()
    assert opened == [str(tmp_path / "out.xlsx"), str(tmp_path)]
    open_window.show_message("something else")
    assert not open_window.written_file_buttons.isVisible()


@pytest.mark.slow
def test_the_next_step_asks_for_the_workbooks_path_and_is_done_once_it_is_written(
    page: EvaluateView,
    open_window: Window,
    wait_until_idle: Callable[[], None],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "out.xlsx"), ""))
    open_window.show_page("explain")
    wait_until_idle()
    if next_action(open_window) == "workbook":
        open_window.steps.now.click()
    else:
        open_window._begin_step("workbook")
    wait_until_idle()
    assert open_window.pages.on_top() == "evaluate" and (tmp_path / "out.xlsx").exists()
    assert "✓\u00a0Report" in workflow_text(open_window)


@pytest.mark.slow
def test_a_dot_opens_the_explanation_of_its_number(
    page: EvaluateView, open_window: Window, wait_until_idle: Callable[[], None]
) -> None:
    run, topic = page.plot._runs[1], page.plot._topics[0]
    page.plot.picked.emit(run, topic)
    wait_until_idle()
    assert open_window.pages.on_top() == "explain"
    explained = open_window.pages.view("explain")
    assert (explained.run.currentText(), explained.topic.currentData()) == (run, topic)


@pytest.mark.slow
def test_a_report_is_written_in_the_chosen_format(
    page: EvaluateView,
    open_window: Window,
    wait_until_idle: Callable[[], None],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    subtests: pytest.Subtests,
) -> None:
    # figures take seconds; the study below has a report with figures
    monkeypatch.setattr("irjudge.report.writers.draw_figures", lambda *_: ())
    begin = {".html": "<!doctype html", ".tex": "%", ".md": "#", ".csv": "run,"}
    for number, (form, begins) in enumerate(begin.items()):
        with subtests.test(form=form):
            folder = tmp_path / str(number)
            folder.mkdir()
            monkeypatch.setattr(
                QFileDialog,
                "getSaveFileName",
                lambda *_, folder=folder: (str(folder / "report"), ""),
            )
            write_report(page, form)
            wait_until_idle()
            (written,) = folder.glob("report.*")
            assert written.suffix == form and written.read_text(
                encoding="utf-8"
            ).lower().startswith(begins)
            assert f"Saved {written.name}" in open_window.message.text()
            assert str(written) in open_window.message.toolTip()


@pytest.mark.slow
def test_a_study_written_by_the_window_is_reproduced_from_the_project(
    page: EvaluateView,
    open_window: Window,
    wait_until_idle: Callable[[], None],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "study"), ""))
    monkeypatch.setattr("irjudge.report.writers.draw_figures", lambda *_: ())
    write_report(page, ".zip")
    wait_until_idle()
    assert "Saved study.zip" in open_window.message.text()
    made = reproduce_study(tmp_path / "study.zip", [page.project.path])
    assert made.problems == () and made.values == sum(
        run.values.size + run.summary.size for run in page.table.runs
    )


def test_options_that_cannot_be_saved_are_reported_and_values_are_computed(
    page: EvaluateView, wait_until_idle: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise CommitFailed("Disk full.")

    monkeypatch.setattr(evaluate, "store_options", full)
    enter_measures(page, "P@3")
    wait_until_idle()
    assert page.problem.text() == "✕ Disk full." and page.problem.isVisible()
    assert [row[:-2] for row in cells(page)] == expected_cells(
        page, page.measures.text(), Policy()
    ) and "P@3" in page.measures.text()


def test_the_focus_returns_to_the_report_button_after_a_workflow_step(
    page: EvaluateView,
    open_window: Window,
    wait_until_idle: Callable[[], None],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "a"), ""))
    monkeypatch.setattr("irjudge.report.writers.draw_figures", lambda *_: ())
    page.form.setCurrentIndex(page.form.findData(".csv"))
    open_window.steps.now.setFocus()
    open_window._begin_step("workbook")
    wait_until_idle()
    assert (tmp_path / "a.csv").exists()
    assert open_window.focusWidget() is page._export_button


@pytest.mark.slow
def test_the_focus_is_on_the_report_button_after_a_report_is_written(
    page: EvaluateView, open_window: Window, wait_until_idle: Callable[[], None], tmp_path: Path
) -> None:
    wait_until_idle()
    page.chips.setFocus()
    page.report.emit(page.table, tmp_path / "a.csv")
    open_window.focusNextChild()
    wait_until_idle()
    assert (tmp_path / "a.csv").exists()
    assert open_window.focusWidget() is page._export_button
