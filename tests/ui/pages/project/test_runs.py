"""Tests of the runs page: adding, creating and removing runs, and showing a ranking."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from irjudge.errors import CommitFailed
from irjudge.formats import read_run
from irjudge.store import Sources
from irjudge_ui.pages.frame.exports import model_to_table
from irjudge_ui.pages.project.runs import RunRequest, RunsView
from irjudge_ui.pages.shared import DocumentDialog
from irjudge_ui.window import Window
from tests.numbers_in_text import find_numbers
from tests.ui.window_content import visible_text

ONE_WINDOW = True

CTRL = Qt.KeyboardModifier.ControlModifier
Press = Callable[..., None]
Idle = Callable[[], None]


@pytest.fixture
def first_page() -> str:
    return "runs"


@pytest.fixture
def page(open_window: Window) -> RunsView:
    view = open_window.pages.view("runs")
    assert isinstance(view, RunsView)
    return view


def run_names(page: RunsView) -> list[str]:
    assert page.project is not None
    return [run.name for run in page.project.rankings.runs()]


def test_the_topic_stays_selected_when_topics_are_added_before_it(
    page: RunsView, wait_until_idle: Idle, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert page.project is not None
    titles = page.project.collection.topic_titles()
    page.topic.setCurrentIndex(1)
    topic = page.topic.currentData()
    with monkeypatch.context() as patch:
        patch.setattr(page.project.collection, "topic_titles", lambda: {"new": "", **titles})
        page.refresh()
    assert page.topic.currentData() == topic and page.topic.currentIndex() == 2
    wait_until_idle()


def test_the_ranking_of_the_selected_run_is_listed_with_its_grades(
    page: RunsView, wait_until_idle: Idle, qtmodeltester: ModelTester
) -> None:
    wait_until_idle()
    assert page.project is not None
    assert [row.name for row in page.runs.rows] == run_names(page)
    page.set_request(RunRequest("ql"))
    page.refresh()
    page.topic.setCurrentIndex(1)
    page.read_ranking()
    wait_until_idle()
    rows, topic = page.ranks.rows, page.topic.currentData()
    run = page.project.rankings.run("ql")
    retrieved = run.select_topics({topic}).document.to_pylist()
    assert rows and sorted(row.id for row in rows) == sorted(retrieved)
    assert [row.rank for row in rows] == [*range(1, len(rows) + 1)]
    assert [row.score for row in rows] == sorted((row.score for row in rows), reverse=True)
    assert any(row.grade is not None for row in rows)
    qtmodeltester.check(page.runs)
    qtmodeltester.check(page.ranks)
    page.rank_table.opened.emit(0)
    dialog = page.findChild(DocumentDialog)
    assert "ql" in visible_text(dialog)
    dialog.reject()


def test_missing_grades_are_empty_in_copied_rankings_and_sorted_last(
    page: RunsView, wait_until_idle: Idle
) -> None:
    page.set_request(RunRequest(run_names(page)[0]))
    page.refresh()
    page.topic.setCurrentIndex(0)
    page.read_ranking()
    wait_until_idle()
    grades = [row.grade for row in page.ranks.rows]
    graded, ungraded = [grade for grade in grades if grade is not None], grades.count(None)
    assert graded and ungraded
    model = page.rank_table.model()
    for order, expected in (
        (Qt.SortOrder.AscendingOrder, sorted(graded)),
        (Qt.SortOrder.DescendingOrder, sorted(graded, reverse=True)),
    ):
        page.rank_table.sortByColumn(model.columnCount() - 1, order)
        copied = [row[-1] for row in model_to_table(model, full_precision=True).rows]
        assert copied == [*map(str, expected), *[""] * ungraded]
        assert model.index(model.rowCount() - 1, model.columnCount() - 1).data() == "–"


@pytest.mark.slow
def test_a_change_made_on_one_page_of_the_collection_is_undone_on_another(
    page: RunsView, open_window: Window, press: Press, wait_until_idle: Idle
) -> None:
    before = run_names(page)
    page.run_table.selectRow(1)
    page.remove_run()
    open_window.show_page("collection")
    press("Z", CTRL)
    wait_until_idle()
    assert run_names(page) == before
    open_window.show_page("runs")
    press("Y", CTRL)
    wait_until_idle()
    assert len(run_names(page)) == len(before) - 1
    press("Z", CTRL)
    assert run_names(page) == before
    open_window.reopen()
    wait_until_idle()
    assert not any(page.actions_by_id[id].possible for id in ("undo-runs", "redo-runs")), (
        "a project that is opened again has no changes"
    )


def test_a_run_is_removed_and_restored(
    page: RunsView, press: Press, wait_until_idle: Callable[[], None]
) -> None:
    before = run_names(page)
    page.run_table.setFocus()
    page.run_table.selectRow(1)
    assert page.buttons["remove-run"].isEnabled()
    press(Qt.Key.Key_Backspace, CTRL)
    wait_until_idle()
    assert run_names(page) == [name for name in before if name != before[1]]
    press("Z", CTRL)
    wait_until_idle()
    assert run_names(page) == before


@pytest.mark.slow
def test_an_imported_run_is_removed_by_undo(
    page: RunsView,
    open_window: Window,
    press: Press,
    wait_until_idle: Callable[[], None],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    path = tmp_path / "mine.run"
    path.write_text("1 Q0 tides-made 1 2.0 mine\n1 Q0 red-tide 2 1.0 mine\n", encoding="utf-8")
    monkeypatch.setattr(QFileDialog, "getOpenFileNames", lambda *_: ([str(path)], ""))
    press("R", CTRL)
    wait_until_idle()
    assert "mine" in run_names(page) and page._chosen_run() == "mine"
    assert find_numbers(open_window.message.text())[0] == "2"
    press("Z", CTRL)
    assert "mine" not in run_names(page)


def test_a_change_that_cannot_be_saved_is_reported_and_nothing_has_changed(
    page: RunsView, open_window: Window, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise CommitFailed("Disk full.")

    assert page.project is not None
    before = run_names(page)
    monkeypatch.setattr(page.project.rankings, "remove_run", refuse)
    page.run_table.selectRow(0)
    page.remove_run()
    assert run_names(page) == before
    assert not page.actions_by_id["undo-runs"].possible
    assert open_window.message.text() == "✕ Disk full."


def test_metadata_of_the_selected_run_is_shown_below_the_runs(
    page: RunsView, tmp_path: Path, qtbot: QtBot
) -> None:
    assert not page.description_card.isVisible()
    path = tmp_path / "told.run"
    path.write_text(
        "# ir_metadata.start\n# actor:\n#   team: 'a & <b>lab</b>'\n# ir_metadata.end\n1 Q0 d1 1 2.0 told\n",
        encoding="utf-8",
    )
    page.adding.add(Sources(runs=(path,)))
    qtbot.waitUntil(lambda: page._chosen_run() == "told")
    rows = {
        page.run_table.model().index(row, 0).data(): row
        for row in range(page.run_table.model().rowCount())
    }
    page.run_table.selectRow(rows["told"])
    assert "Metadata of told (ir_metadata):" in visible_text(page)
    assert page.description_card.text.toPlainText() == "actor:\n  team: 'a & <b>lab</b>'"
    page.run_table.selectRow(rows["bm25"])
    assert not page.description_card.isVisible()


def test_the_ranking_of_another_run_is_not_listed_if_reading_is_cancelled(
    page: RunsView, wait_until_idle: Idle
) -> None:
    wait_until_idle()
    assert page.ranks.rows
    page.topic.setCurrentIndex(0)
    page.run_table.selectRow(1)
    page.cancel_jobs()
    assert not page.ranks.rows and not page.description_label.text()
    page.read_ranking()
    wait_until_idle()
    assert page.ranks.rows
    page.topic.setCurrentIndex(page.topic.count() - 1)
    page.read_ranking()
    page.cancel_jobs()
    assert not page.ranks.rows


def test_all_documents_of_a_run_are_counted_even_if_only_the_first_are_listed(
    page: RunsView, wait_until_idle: Idle, tmp_path: Path
) -> None:
    assert page.project is not None
    path = tmp_path / "long.run"
    path.write_text(
        "".join(f"1 Q0 d{rank} {rank} {2000 - rank} long\n" for rank in range(1, 1501)),
        encoding="utf-8",
    )
    page.project.rankings.add_run(read_run(path), "file")
    page.set_request(RunRequest("long"))
    page.refresh()
    page.topic.setCurrentIndex(page.topic.findData("1"))
    page.read_ranking()
    wait_until_idle()
    assert len(page.ranks.rows) == 1000
    assert find_numbers(page.description_label.text()) == ["1,000", "1,500"]


def test_a_requested_run_is_selected_even_if_the_filter_hides_it(
    page: RunsView, wait_until_idle: Idle
) -> None:
    page._run_filter.line.setText("bm25")
    wait_until_idle()
    assert page._chosen_run() == "bm25"
    page.set_request(RunRequest("ql"))
    page.refresh()
    wait_until_idle()
    assert page._chosen_run() == "ql" and page.ranks.rows
