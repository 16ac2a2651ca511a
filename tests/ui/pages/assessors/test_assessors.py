"""Tests of the assessors page: assigning files, importing results, and accounting of judgments."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QFileDialog, QLabel
from pytestqt.qtbot import QtBot

from irjudge.exchange import (
    IRTASK_FORMAT,
    WITH_PAGES,
    Forecast,
    ProgressRow,
    assign_comparison_to_owner,
    list_assignment_files,
    read_work_status,
    reassign,
)
from irjudge.exchange import ComparisonOptions as Comparison
from irjudge.judging import Session, list_pooled_without_text
from irjudge.model import Document
from irjudge.store import open_project
from irjudge.store.collection import PDF_PREFIX
from irjudge.web import HTML
from irjudge.web.page import HTML_WITH_PAGES
from irjudge_ui.pages.assessors import AssessorsView, assessors
from irjudge_ui.widgets import Dialog, Table
from irjudge_ui.window import Window
from tests.engine.exchange.browser_results import Browser
from tests.engine.web.page_parser import read_task
from tests.numbers_in_text import find_numbers
from tests.ui.layout_checks import process_layouts
from tests.ui.layout_checks import visible_rect as place_of
from tests.ui.window_content import find_widget, is_shown, visible_text, workflow_text

ONE_WINDOW = True


@pytest.fixture
def first_page() -> str:
    return "assessors"


@pytest.fixture
def page(open_window: Window) -> AssessorsView:
    view = open_window.pages.view("assessors")
    assert isinstance(view, AssessorsView)
    return view


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    made = tmp_path / "out"
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(made))
    return made


def assign_files(
    page: AssessorsView,
    wait_until_idle: Callable[[], None],
    names: str = "ann, bob, cleo",
    overlap: int = 2,
    **more: int,
) -> None:
    page.form.people.setText(names)
    page.form.overlap.set_value(overlap)
    for name, value in more.items():
        getattr(page.form, name).set_value(value)
    page.actions_by_id["assign"].trigger()
    wait_until_idle()


def judge(path: Path, count: int) -> None:
    with open_project(path) as task:
        session = Session(task)
        for _ in range(count):
            work = session.current()
            assert work is not None
            session.grade(work, 1, active_ms=4000)
            session.advance()


def table_rows(page: AssessorsView, table: str) -> list[list[str]]:
    model = getattr(page, table)
    return [
        [model.index(line, column).data() for column in range(model.columnCount())]
        for line in range(model.rowCount())
    ]


def test_before_anything_is_assigned_the_page_says_what_to_do(
    page: AssessorsView, open_window: Window
) -> None:
    assert "Enter the assessors" in page.empty.text() and not page.buttons["merge"].isEnabled()
    page.actions_by_id["assign"].trigger()
    people = page.form.field_errors[page.form.people]
    deadline = page.form.field_errors[page.form.deadline]
    assert (
        people.text().startswith("✕ Enter the names of the assessors")
        and people.isVisible()
        and page.form.people.hasFocus()
    )
    page.form.people.setText("ann")
    assert not people.isVisible(), "an error goes as soon as it is mended"
    page.form.deadline.setText("soon")
    page.actions_by_id["assign"].trigger()
    assert (
        "Cannot read the deadline" in deadline.text()
        and deadline.isVisible()
        and page.form.deadline.hasFocus()
    )
    assert deadline.mapTo(page, QPoint()).y() > page.form.deadline.mapTo(page, QPoint()).y()
    page.form.deadline.setText("2026-12-12")
    assert not deadline.isVisible() and "2026" in page.form.deadline.note.text()


def test_each_assessor_gets_a_file_of_the_pool(
    page: AssessorsView, folder: Path, wait_until_idle: Callable[[], None], open_window: Window
) -> None:
    assign_files(page, wait_until_idle)
    assert sorted(path.name for path in folder.iterdir()) == [
        "ann.irtask",
        "bob.irtask",
        "cleo.irtask",
    ]
    assert "Files saved in" in open_window.message.text()
    assert page.project is not None
    assert page.files.rows == list_assignment_files(page.project, date.today()) and {  # noqa: DTZ011
        row[2] for row in table_rows(page, "files")
    } == {"assigned"}
    assert sum(row.assigned for row in page.files.rows) == 2 * 34


def test_a_topic_named_all_is_distinguished_from_all_topics(page: AssessorsView) -> None:
    rows = [ProgressRow("ann", topic, 1, 2, 3000, 3.0) for topic in ("all", None)]
    page.progress.fill(rows)
    assert [row[1] for row in table_rows(page, "progress")] == ["all", "all topics"]


def test_the_estimate_does_not_move_the_assign_button(
    page: AssessorsView, wait_until_idle: Callable[[], None]
) -> None:
    def button_top() -> int:
        return page.buttons["assign"].mapTo(page, page.buttons["assign"].rect().topLeft()).y()

    wait_until_idle()
    before = button_top()
    page.form.people.setText("ann, bob")
    page.preview._ask()
    wait_until_idle()
    assert "Items per assessor" in page.preview.message.text()
    assert "30\N{NO-BREAK SPACE}s" in page.preview.message.text(), "a unit follows its number"
    assert button_top() == before


def test_another_project_is_shown_from_its_top(
    page: AssessorsView,
    open_window: Window,
    harbour_path: Path,
    wait_until_idle: Callable[[], None],
) -> None:
    open_window.resize(900, 500)
    wait_until_idle()
    bar = page._area.verticalScrollBar()
    bar.setValue(bar.maximum())
    assert bar.value() > 0
    assert open_window.open(harbour_path)
    assert bar.value() == 0


@pytest.mark.slow
def test_another_project_has_no_messages_or_options_of_the_previous_one(
    page: AssessorsView,
    open_window: Window,
    folder: Path,
    harbour_path: Path,
    wait_until_idle: Callable[[], None],
) -> None:
    assign_files(page, wait_until_idle)
    judge(folder / "cleo.irtask", 1)
    page.merge([folder / "cleo.irtask"])
    wait_until_idle()
    page.form.files.setCurrentIndex(1)
    assert page.reports.rows and is_shown(page, "Last import")
    assert open_window.open(harbour_path)
    wait_until_idle()
    assert (
        not page.reports.rows
        and not is_shown(page, "Last import")
        and page.form.files.currentIndex() == 0
    )


def test_files_are_written_next_to_the_project_unless_another_folder_is_chosen(
    page: AssessorsView, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun = list[str]()
    monkeypatch.setattr(
        QFileDialog, "getExistingDirectory", lambda _page, _title, start: begun.append(start) or ""
    )
    page.form.people.setText("ann")
    page.actions_by_id["assign"].trigger()
    assert page.project is not None and begun == [str(page.project.path.parent)]


def test_hidden_options_do_not_apply_to_the_next_assignment(page: AssessorsView) -> None:
    form = page.form
    for field, value in ((form.overlap, 3), (form.gold, 10), (form.repeats, 5)):
        field.set_value(value)
    form.forget()
    form.people.setText("ann, bob, cleo")
    request = form.read_request(["1"], ["bm25"])
    assert (request.overlap, request.gold, request.repeats) == (1, 0, 0)


def test_more_options_appear_below_their_link_which_does_not_move(
    page: AssessorsView, wait_until_idle: Callable[[], None], qtbot: QtBot
) -> None:
    wait_until_idle()
    form = page.form
    before = form.more.y()
    form.more.setChecked(True)
    qtbot.waitUntil(lambda: form.more.y() == before < form.gold.y() and form.gold.isVisible())


def test_the_estimate_follows_the_typed_overlap(page: AssessorsView, qtbot: QtBot) -> None:
    page.form.people.setText("ann, bob")
    qtbot.waitUntil(lambda: "(total 34)" in page.preview.message.text())
    page.form.overlap.selectAll()
    qtbot.keyClicks(page.form.overlap, "2")
    qtbot.waitUntil(lambda: "(total 68)" in page.preview.message.text())


def test_once_files_are_written_importing_results_is_the_next_step(
    page: AssessorsView, folder: Path, wait_until_idle: Callable[[], None], open_window: Window
) -> None:
    assign_files(page, wait_until_idle)
    assert (
        open_window.written_file_buttons.isVisible()
        and open_window.written_file_buttons._path == folder
    )
    page.preview._ask()
    wait_until_idle()
    way = workflow_text(open_window)
    assert "✓\u00a0Assign" in way and "▸\u00a0Merge" in way, way
    assert (
        page.form.people.text() == ""
        and page.preview.isVisible()
        and not find_numbers(page.preview.message.text())
    )
    assert page.buttons["merge"].hasFocus() and not page.buttons["assign"].isEnabled()


@pytest.mark.slow
def test_returned_files_are_merged_and_every_judgment_is_accounted_for(
    page: AssessorsView, folder: Path, wait_until_idle: Callable[[], None]
) -> None:
    assign_files(page, wait_until_idle)
    judge(folder / "ann.irtask", 5)
    judge(folder / "bob.irtask", 3)
    (folder / "broken.irtask").write_bytes(b"SQLite format 3" + bytes(3000))
    page.merge(
        [
            folder / "ann.irtask",
            folder / "bob.irtask",
            folder / "ann.irtask",
            folder / "broken.irtask",
        ]
    )
    wait_until_idle()
    reports = page.reports.rows
    assert [(each.read, each.new, each.identical) for each in reports[:3]] == [
        (5, 5, 0),
        (3, 3, 0),
        (5, 0, 5),
    ]
    hidden = [page._report_table.isColumnHidden(each) for each in range(len(page.reports.columns))]
    assert hidden[-5:] == [False, False, True, True, True]  # only unused counts are hidden
    assert (
        reports[3].refused
        and table_rows(page, "reports")[3][0] == "✕ broken.irtask"
        and "broken.irtask" in visible_text(page)
    )
    states = {row.assessor: (row.judged, row.state) for row in page.files.rows}
    assert states["ann"] == (5, "begun") and states["cleo"] == (0, "out")
    assert "Minutes of work: " in page.forecast.forecast_label.text()
    assert page.project is not None and len(read_work_status(page.project).judgments) == 8


def judgments_left(text: str) -> int:
    match = re.search(r"Judgments left: (\d+)\.", text)
    assert match is not None, text
    return int(match[1])


def test_a_forecast_of_a_few_seconds_is_not_rounded_to_zero_minutes(
    page: AssessorsView, monkeypatch: pytest.MonkeyPatch
) -> None:
    """10 seconds, with an interval from 6 to 24 seconds, are 0.17 (0.1 to 0.4) minutes."""
    forecast = Forecast(1, 10 / 3600, 6 / 3600, 24 / 3600, None, None, None)
    assert page.project is not None
    monkeypatch.setattr(assessors, "forecast_work", lambda *_: forecast)
    page.forecast.show_work(read_work_status(page.project))
    numbers = find_numbers(page.forecast.forecast_label.text())
    assert numbers == ["1", "0.2", "95", "0.1", "0.4"]


def test_without_remaining_work_there_is_no_what_if_forecast(
    page: AssessorsView, folder: Path, wait_until_idle: Callable[[], None]
) -> None:
    assert page.project is not None
    work = read_work_status(page.project)
    page.forecast.show_work(replace(work, unjudged_pairs={"ann": [("1", "d1")]}))
    assert page.forecast.what_if.isVisibleTo(page.forecast)
    page.forecast.show_work(replace(work, unjudged_pairs={"ann": []}))
    assert not page.forecast.what_if.isVisibleTo(page.forecast)


def test_what_if_changes_only_the_forecast(
    page: AssessorsView, folder: Path, wait_until_idle: Callable[[], None]
) -> None:
    assign_files(page, wait_until_idle)
    judge(folder / "ann.irtask", 6)
    page.merge([folder / "ann.irtask"])
    wait_until_idle()
    before = page.forecast.forecast_label.text()
    assert not page.forecast.variant_label.isVisibleTo(page)
    page.forecast.overlap.set_value(1)
    page.forecast.overlap.changed.emit(1)
    assert (
        page.forecast.variant_label.text().startswith("With these changes: ")
        and page.forecast.forecast_label.text() == before
    )
    assert judgments_left(page.forecast.variant_label.text()) < judgments_left(before)
    page.forecast.overlap.set_value(3)
    page.forecast.overlap.changed.emit(3)
    text = page.forecast.variant_label.text()
    assert text and not text.startswith("With these changes: "), (
        "more than is assigned has no forecast"
    )


@pytest.mark.slow
def test_the_remaining_work_of_a_dropout_is_assigned_to_the_others(
    page: AssessorsView, folder: Path, wait_until_idle: Callable[[], None]
) -> None:
    assign_files(page, wait_until_idle, overlap=1)
    judge(folder / "ann.irtask", 2)
    page.merge([folder / "ann.irtask"])
    wait_until_idle()
    table = find_widget(page, "Files", Table)
    line = [table.model().index(each, 0).data() for each in range(table.model().rowCount())].index(
        "ann"
    )
    table.setCurrentIndex(table.model().index(line, 0))
    assert page.row_actions["give-away"].isEnabled()
    left = next(row.assigned - row.judged for row in page.files.rows if row.assessor == "ann")
    page.actions_by_id["give-away"].trigger()
    wait_until_idle()
    rows = page.files.rows
    assert [row.state for row in rows if row.assessor == "ann"] == ["withdrawn"]
    assert sum(row.assigned for row in rows[3:]) == left and len(
        {path.name for path in folder.iterdir()}
    ) == len(rows)


def test_an_overdue_file_is_marked_with_a_sign(
    page: AssessorsView, folder: Path, wait_until_idle: Callable[[], None]
) -> None:
    page.form.deadline.setText((date.today() - timedelta(1)).isoformat())  # noqa: DTZ011
    assign_files(page, wait_until_idle)
    assert {row[2] for row in table_rows(page, "files")} == {"⚠ late: assigned"}


def drop(window: Window, paths: Sequence[Path]) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    # the drag proposes a move, as between folders of one disk
    shift = Qt.KeyboardModifier.ShiftModifier
    left = Qt.MouseButton.LeftButton
    copy, move = Qt.DropAction.CopyAction, Qt.DropAction.MoveAction
    entering = QDragEnterEvent(QPoint(20, 20), copy | move, data, left, shift)
    assert entering.proposedAction() == move
    QApplication.sendEvent(window, entering)
    if entering.isAccepted():
        dropping = QDropEvent(QPointF(20, 20), copy | move, data, left, shift)
        QApplication.sendEvent(window, dropping)
        assert entering.dropAction() == dropping.dropAction() == copy, "nobody removes the original"


@pytest.mark.slow
def test_files_dropped_on_the_window_are_merged(
    page: AssessorsView, folder: Path, wait_until_idle: Callable[[], None], open_window: Window
) -> None:
    assign_files(page, wait_until_idle)
    judge(folder / "cleo.irtask", 1)
    open_window.do("collection")
    drop(open_window, [folder / "readme.txt"])
    wait_until_idle()
    assert not page.reports.rows
    drop(open_window, [folder / "cleo.irtask", folder / "readme.txt"])
    wait_until_idle()
    assert open_window.pages.on_top() == "assessors" and [
        each.new for each in page.reports.rows
    ] == [1]


@pytest.mark.slow
def test_browser_pages_are_assigned_and_their_results_dropped(
    page: AssessorsView, folder: Path, wait_until_idle: Callable[[], None], open_window: Window
) -> None:
    page.form.files.setCurrentIndex(1)
    assign_files(page, wait_until_idle)
    assert sorted(path.name for path in folder.iterdir()) == ["ann.html", "bob.html", "cleo.html"]
    browser = Browser(read_task(folder / "ann.html"))
    browser.grade(0, 1)
    browser.grade(1, 2)
    open_window.do("collection")
    drop(open_window, [browser.save(folder / "ann.result (1).json")])
    wait_until_idle()
    assert [(each.assessor, each.new) for each in page.reports.rows] == [("ann", 2)]


def test_an_assigned_file_is_converted_to_a_browser_page(
    page: AssessorsView,
    folder: Path,
    wait_until_idle: Callable[[], None],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    open_window: Window,
) -> None:
    assign_files(page, wait_until_idle)
    assert not page.can_write_page
    find_widget(page, "Files", Table).selectRow(1)
    messages: list[str] = []
    page.message_shown.connect(messages.append)
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "bob.html"), ""))
    page.actions_by_id["browser-page"].trigger()
    wait_until_idle()
    task = read_task(tmp_path / "bob.html")
    with open_project(folder / "bob.irtask", writing=False) as opened:
        own = opened.assignments.assessor_assignment()
        assert own and (task["assignment"], task["assessor"]) == (own.id, "bob")
    assert "bob.html" in messages[-1] and "bob.result.json" in messages[-1]
    assert open_window.written_file_buttons._path == tmp_path / "bob.html"


@pytest.mark.slow
def test_an_assessors_file_shows_no_data_of_the_organiser(
    page: AssessorsView,
    folder: Path,
    wait_until_idle: Callable[[], None],
    open_window: Window,
    settings: object,
) -> None:
    assign_files(page, wait_until_idle)
    open_window.settings.add_name("ann")
    assert open_window.open(folder / "ann.irtask")
    wait_until_idle()
    visible = [
        name for name, made in open_window.navigation_bar.buttons.items() if made.isVisible()
    ]
    assert (
        not {"collection", "assessors", "evaluate", "compare"} & set(visible) and "judge" in visible
    )
    assert not open_window.is_organiser_project
    for action in ("collection", "assessors", "evaluate", "compare"):
        open_window.do(action)
        assert open_window.pages.on_top() == "judge"


def test_deadlines_are_shown_next_to_the_numbers_of_documents(
    page: AssessorsView, folder: Path, wait_until_idle: Callable[[], None], open_window: Window
) -> None:
    panel = open_window.judge.grade_panel
    page.form.deadline.setText("2100-01-02")
    assign_files(page, wait_until_idle)
    assert "2100" not in visible_text(panel), "the organiser's own work has no such day"
    open_window.settings.add_name("ann")
    assert open_window.open(folder / "ann.irtask")
    assert "due 2100-01-02" in visible_text(panel)


def test_two_runs_are_assigned_for_comparison(
    page: AssessorsView, folder: Path, wait_until_idle: Callable[[], None], open_window: Window
) -> None:
    page.form.mode.setCurrentIndex(1)
    page.form.mode.activated.emit(1)
    page.form.more.setChecked(True)
    assert page.form.repeats.isVisible() and not page.form.gold.isVisible(), (
        "known answers are those of documents"
    )
    assign_files(page, wait_until_idle, names="ann, bob", overlap=1)
    assert page.project is not None and {each.mode for each in page.project.assignments.all()} == {
        "side-by-side"
    }
    assert sorted(path.name for path in folder.iterdir()) == ["ann.irtask", "bob.irtask"]
    open_window.settings.add_name("ann")
    assert open_window.open(folder / "ann.irtask")
    assert open_window.pages.on_top() == "panels"


def test_an_assigned_pool_is_not_replaced_by_one_key(
    page: AssessorsView, folder: Path, wait_until_idle: Callable[[], None], open_window: Window
) -> None:
    assign_files(page, wait_until_idle)
    assert page.project is not None
    before = page.project.rankings.pool_version()
    open_window.show_page("collection")
    open_window.collection.build_pool()
    wait_until_idle()
    dialog = next(each for each in open_window.findChildren(Dialog) if each.isVisible())
    assert page.project.rankings.pool_version() == before
    assert "Assessors" in " ".join(each.text() for each in dialog.findChildren(QLabel))
    next(button for button in dialog.buttons if button.text() == "Build pool").click()
    wait_until_idle()
    assert page.project.rankings.pool_version() == before + 1


@pytest.mark.slow
def test_the_organisers_focus_starts_at_the_files(
    page: AssessorsView, folder: Path, wait_until_idle: Callable[[], None], open_window: Window
) -> None:
    assign_files(page, wait_until_idle)
    judge(folder / "ann.irtask", 3)
    judge(folder / "bob.irtask", 3)
    page.merge([folder / "ann.irtask", folder / "bob.irtask"])
    wait_until_idle()
    open_window.reopen()
    wait_until_idle()
    assert open_window.pages.on_top() == "assessors"
    open_window.show_page("collection")
    wait_until_idle()
    assert sum(row.judged for row in open_window.collection.topics.rows) > 0


def attach_pdf(page: AssessorsView) -> str:
    """Store a PDF file for a pooled document, and return the document's id."""
    assert page.project is not None
    project, pool = page.project, page.project.rankings.pool()
    assert pool is not None
    name: str = pool.document[0].as_py()
    project.collection.add_documents([Document("filed", b"", pdf=b"%PDF" + bytes(300_000))])
    project.set_setting(PDF_PREFIX + name, project.get_setting(PDF_PREFIX + "filed") or "")
    return name


def documents_with_pages(path: Path) -> set[str]:
    with open_project(path) as task:
        return {name for name in task.collection.list_ids() if task.collection.has_pages(name)}


@pytest.mark.slow
def test_page_images_are_included_if_the_box_is_checked(
    page: AssessorsView,
    folder: Path,
    wait_until_idle: Callable[[], None],
    open_window: Window,
    qtbot: QtBot,
) -> None:
    name = attach_pdf(page)
    assert not page.form.page_images.isChecked(), "files are larger with them"
    page.form.people.setText("ann, bob")
    page.form.overlap.set_value(2)
    page.form.page_images.click()
    qtbot.waitUntil(
        lambda: all(each in page.preview.message.text() for each in ("PDF file", ": 1; ", "0.3 MB"))
    )
    page.form.page_images.click()
    qtbot.waitUntil(lambda: "PDF file" not in page.preview.message.text())
    page.form.page_images.click()
    page.actions_by_id["assign"].trigger()
    wait_until_idle()
    assert (
        documents_with_pages(folder / "ann.irtask")
        == documents_with_pages(folder / "bob.irtask")
        == {name}
    )
    assert all(each in open_window.message.text() for each in ("2 files", " 0."))
    page.form.forget()
    assert not page.form.page_images.isChecked(), "another project is another wish"


def test_files_of_both_formats_can_have_page_images(page: AssessorsView) -> None:
    form = page.form
    for position, without, having in ((0, IRTASK_FORMAT, WITH_PAGES), (1, HTML, HTML_WITH_PAGES)):
        form.files.setCurrentIndex(position)
        form.files.activated.emit(position)
        for checked, chosen in ((False, without), (True, having)):
            form.page_images.setChecked(checked)
            assert form.page_images.isEnabled() and form.file_format == chosen


def test_remaining_work_goes_to_assessors_and_never_to_the_organiser(
    page: AssessorsView, folder: Path, wait_until_idle: Callable[[], None]
) -> None:
    assign_files(page, wait_until_idle, overlap=1)
    assert page.project is not None
    assign_comparison_to_owner(page.project, Comparison((("bm25", "ql"),)))
    made = reassign(page.project, "ann", folder / "more")
    assert {each.assessor for each in made.files} <= {"bob", "cleo"}


def choose_comparison(page: AssessorsView) -> None:
    page.form.people.setText("ann, bob")
    page.form.mode.setCurrentIndex(1)
    page.form.mode.activated.emit(1)


def test_a_comparison_shows_the_number_of_panels_before_files_are_written(
    page: AssessorsView, qtbot: QtBot
) -> None:
    assert page.project is not None
    before = page.project.writes
    choose_comparison(page)
    qtbot.waitUntil(lambda: find_numbers(page.preview.message.text())[:3] == ["34", "6", "6"])
    assert "(total 34)." in page.preview.message.text()
    page.form.runs.setText("bm25, ql")
    page.form.topics.setText("1-2")
    qtbot.waitUntil(lambda: find_numbers(page.preview.message.text())[:3] == ["2", "1", "2"])
    page.form.runs.setText("bm25, nowhere")
    qtbot.waitUntil(lambda: "nowhere" in page.preview.message.text())
    assert page.project.writes == before and not page.project.assignments.all()


@pytest.mark.slow
def test_only_the_named_runs_are_compared(
    page: AssessorsView, folder: Path, wait_until_idle: Callable[[], None]
) -> None:
    assert page.project is not None
    choose_comparison(page)
    page.form.runs.setText("bm25")
    page.actions_by_id["assign"].trigger()
    error_label = page.form.field_errors[page.form.runs]
    assert (
        "at least two runs" in error_label.text()
        and page.form.runs.hasFocus()
        and page.preview.message.text() == ""
    )
    page.form.runs.setText("bm25, ql")
    page.form.results.set_value(3)
    page.actions_by_id["assign"].trigger()
    wait_until_idle()
    (first, *_) = page.project.assignments.all()
    (wishes, *_) = (each.options for each in page.project.assignments.rounds())
    assert (wishes["runs"], wishes["depth"], first.mode) == ([["bm25", "ql"]], 3, "side-by-side")


@pytest.mark.slow
@pytest.mark.parametrize("size", [(1366, 768), (800, 600)])
def test_assignment_is_visible_without_scrolling_if_nothing_is_assigned(
    page: AssessorsView, open_window: Window, size: tuple[int, int]
) -> None:
    open_window.resize(*size)
    process_layouts()
    button = page.buttons["assign"]
    page.form.people.setFocus()
    assert place_of(button).size() == button.size()


def test_nothing_can_be_assigned_once_all_documents_with_text_are(
    make_window: Callable[[], Window],
    textless_path: Path,
    wait_until_idle: Callable[[], None],
    folder: Path,
) -> None:
    window = make_window()
    assert window.open(textless_path)
    window.show_page("assessors")
    view = window.pages.view("assessors")
    assert isinstance(view, AssessorsView) and view.project is not None
    wait_until_idle()
    textless = list_pooled_without_text(view.project)
    assert find_numbers(view._textless_note.text())[0] == str(len(textless))
    assert view.buttons["assign"].isEnabled()
    assign_files(view, wait_until_idle, "ann", 1)
    assert not view.buttons["assign"].isEnabled() and view._textless_note.isVisible()
    assert view.buttons["booklet"].isEnabled()
    view.form.mode.setCurrentIndex(1)
    view.form.mode.activated.emit(1)
    assert view.buttons["assign"].isEnabled()
