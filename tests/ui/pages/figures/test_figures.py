"""Tests of the figures page: live charts and rendered figures, saving, copying, and tables."""

import threading
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QPushButton, QWidget
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from irjudge.errors import IrjudgeError
from irjudge.formats import ReadingOptions
from irjudge.judging import import_judgments, read_project_qrels
from irjudge.model import ModelJudge
from irjudge.progress import Progress
from irjudge.report.figures import (
    FigureOptions,
    LineSeries,
    catalogue,
    find_figure,
    judge_project_rankings,
)
from irjudge.shipped import sample_folders
from irjudge.store import open_project
from irjudge_ui.actions import BY_ID
from irjudge_ui.pages import figures
from irjudge_ui.pages.figure_view import make_figure
from irjudge_ui.pages.figures import FiguresView, JobQueue
from irjudge_ui.widgets import PageScrollArea
from irjudge_ui.window import Window
from tests.ui.window_content import find_widget, visible_text


class RecordingClient:
    """Records results, and how many jobs ran at the same time."""

    def __init__(self) -> None:
        self.answers: list[Any] = []
        self.running = self.most = 0

    def work(self, answer: Any) -> Callable[[Progress], Any]:
        def function(progress: Progress) -> Any:
            self.running += 1
            self.most = max(self.most, self.running)
            self.running -= 1
            if isinstance(answer, Exception):
                raise answer
            return answer

        return function

    def submit(self, works: JobQueue, kind: str, answer: Any) -> None:
        works.ask(
            kind,
            self.work(answer),
            self.answers.append,
            lambda error, trace: self.answers.append((str(error), bool(trace))),
        )


def test_only_the_last_job_of_a_kind_reports_and_jobs_of_other_kinds_all_do(
    qtbot: Any, wait_until_idle: Callable[[], None]
) -> None:
    works, client = JobQueue(), RecordingClient()
    for kind, answer in (("show", 1), ("save", 2), ("show", 3), ("show", 4), ("copy", 5)):
        client.submit(works, kind, answer)
    wait_until_idle()
    assert sorted(client.answers) == [2, 4, 5] and client.most == 1


def test_an_error_is_reported_and_the_next_job_runs(
    qtbot: Any, wait_until_idle: Callable[[], None]
) -> None:
    works, client = JobQueue(), RecordingClient()
    client.submit(works, "show", IrjudgeError("Available: no qrels."))
    client.submit(works, "save", 7)
    wait_until_idle()
    assert client.answers == [("Available: no qrels.", False), 7]


def test_a_dropped_job_reports_nothing(qtbot: Any, wait_until_idle: Callable[[], None]) -> None:
    works, client = JobQueue(), RecordingClient()
    client.submit(works, "show", 1)
    client.submit(works, "save", 2)
    works.drop()
    client.submit(works, "copy", 3)
    wait_until_idle()
    assert client.answers == [3]


NAMES = [figure.name for figure in catalogue()]
# figures without data if one assessor and no model judged
EMPTY = {"assessor-agreement"} | {
    figure.name for figure in catalogue() if figure.input_kind == "models"
}
LIVE = {
    "topics-needed",
    "precision-recall",
    "precision-recall-raw",
    "gain",
    "topic-differences",
    "scatter",
    "system-ranks",
}


@pytest.fixture
def first_page() -> str:
    return "figures"


@pytest.fixture
def page(open_window: Window) -> FiguresView:
    view = open_window.pages.view("figures")
    assert isinstance(view, FiguresView)
    return view


def select_figure(page: FiguresView, name: str, wait_until_idle: Callable[[], None]) -> None:
    page.list.setCurrentRow(NAMES.index(name))
    wait_until_idle()


def test_no_other_figure_is_shown_or_saved_after_a_cancellation(
    page: FiguresView, wait_until_idle: Callable[[], None]
) -> None:
    select_figure(page, "precision-recall", wait_until_idle)
    for cancels in (True, False):
        page.list.setCurrentRow(NAMES.index("heat-map"))
        if cancels:
            page.cancel_jobs()
        wait_until_idle()
        assert page.stage.isVisible() != cancels and page.has_figure != cancels
        page.compute()
    wait_until_idle()


@pytest.mark.slow
def test_every_figure_is_shown_and_has_a_text_description(
    page: FiguresView, wait_until_idle: Callable[[], None], subtests: pytest.Subtests
) -> None:
    for name in (name for name in NAMES if name not in EMPTY):
        with subtests.test(name=name):
            select_figure(page, name, wait_until_idle)
            assert (
                page.rendered_figure is not None and page.rendered_figure.spec.figure.name == name
            )
            shown = page.stage.currentWidget()
            assert (shown is page.stage.picture) == (name not in LIVE) and bool(
                page.rendered_figure.picture
            ) == (name not in LIVE)
            text = shown.accessibleDescription()
            assert (
                page.rendered_figure.chart.title in text
                and page.rendered_figure.chart.columns[-1] in text
            )
            assert (
                page.title.text() == page.rendered_figure.chart.title
                and "settings: " in visible_text(page)
            )


def test_the_chart_equals_the_engines(page: FiguresView) -> None:
    assert page.project is not None and page.rendered_figure is not None
    wanted = find_figure("precision-recall").chart(
        judge_project_rankings(page.project), FigureOptions()
    )
    assert list(page.rendered_figure.chart.rows()) == list(wanted.rows())


def test_a_figure_and_its_caption_are_visible_on_a_small_screen(
    page: FiguresView, qtbot: QtBot
) -> None:
    page.window().resize(1350, 704)  # 1366 × 768 without the desktop's bars
    bar = page.findChild(PageScrollArea).verticalScrollBar()
    qtbot.waitUntil(lambda: page.height() < 640 and bar.maximum() == 0)


def test_a_figure_without_data_states_the_reason(
    page: FiguresView, wait_until_idle: Callable[[], None]
) -> None:
    select_figure(page, "assessor-agreement", wait_until_idle)
    assert "at least two assessors" in page.problem.text() and page.problem.isVisible()
    assert (
        not page.stage.isVisible()
        and not page.has_figure
        and not find_widget(page, BY_ID["save-figure"].label, QPushButton).isEnabled()
    )
    select_figure(page, "gain", wait_until_idle)
    assert page.stage.isVisible() and page.has_figure and not page.problem.isVisible()


@pytest.mark.slow
def test_topic_run_and_curve_can_be_selected(
    page: FiguresView, wait_until_idle: Callable[[], None]
) -> None:
    select_figure(page, "gain", wait_until_idle)
    for box, value in (
        (page.choices.boxes["topic"], "3"),
        (page.choices.boxes["runs"], "ql"),
        (page.choices.boxes["curve"], "cg"),
    ):
        box.setCurrentIndex(box.findData(value))
        box.activated.emit(box.currentIndex())
        wait_until_idle()
    assert (
        page.rendered_figure is not None
        and page.rendered_figure.chart.title == "Cumulative gain, topic 3"
    )
    assert page.rendered_figure.spec.options == FigureOptions(runs=("ql",), topic="3", curve="cg")
    select_figure(page, "heat-map", wait_until_idle)
    assert page.rendered_figure.spec.options == FigureOptions(runs=("ql",)), (
        "only what the figure looks at is asked for"
    )


@pytest.mark.slow
def test_other_measures_give_another_figure_and_an_invalid_one_is_reported(
    page: FiguresView, wait_until_idle: Callable[[], None]
) -> None:
    select_figure(page, "heat-map", wait_until_idle)
    for typed, title in (
        ("RR", "RR"),
        ("Prezision", ""),
        ("P@5", "P@5"),
    ):
        page.choices.measures.setFocus()
        page.choices.measures.selectAll()
        QTest.keyClicks(page.choices.measures, typed)
        QTest.keyClick(page.choices.measures, Qt.Key.Key_Return)
        wait_until_idle()
        assert (page.rendered_figure.chart.title if page.rendered_figure else "").partition(" ")[
            0
        ] == title
        assert page.problem.isVisible() == (not title)


def test_the_binormal_curve_is_drawn_with_the_highlighted_run(
    page: FiguresView, wait_until_idle: Callable[[], None]
) -> None:
    select_figure(page, "precision-recall", wait_until_idle)
    for box, data in (
        (page.choices.boxes["runs"], page.rendered_figure.runs[0] if page.rendered_figure else ""),
        (page.choices.boxes["fit"], "binormal"),
    ):
        box.setCurrentIndex(box.findData(data))
        box.activated.emit(box.currentIndex())
        wait_until_idle()
    assert page.rendered_figure is not None and isinstance(
        page.rendered_figure.chart.marks, LineSeries
    )
    assert [
        line.name for line in page.rendered_figure.chart.marks.lines if line.role == "guide"
    ] == [f"{page.rendered_figure.runs[0]}, binormal"]
    assert "the binormal curve" in visible_text(page)
    select_figure(page, "gain", wait_until_idle)
    assert not page.choices.boxes["fit"].isVisible()


def test_the_values_can_be_read_as_a_table(
    page: FiguresView, wait_until_idle: Callable[[], None], qtmodeltester: ModelTester
) -> None:
    page.switch_values()
    assert page.rendered_figure is not None and page.stage.shows_values
    model = page.stage.values
    cells = [
        [model.index(row, column).data() for column in range(3)] for row in range(model.rowCount())
    ]
    assert cells == [
        [run, f"{x:.1f}", f"{y:.4f}"] for run, x, y in page.rendered_figure.chart.rows()
    ]
    qtmodeltester.check(model)
    select_figure(page, "heat-map", wait_until_idle)
    assert page.stage.shows_values, "the table stays for the next figure"
    page.switch_values()
    assert page.stage.currentWidget() is page.stage.picture


@pytest.mark.slow
@pytest.mark.parametrize(
    ("named", "kind", "wanted", "begins"),
    [
        ("a", "PDF (*.pdf)", "a.pdf", b"%PDF"),
        ("b.svg", "PNG (*.png)", "b.svg", b"<?xml"),
        ("c", "", "c.png", b"\x89PNG"),
    ],
)
def test_a_figure_is_saved_to_a_file(
    page: FiguresView,
    wait_until_idle: Callable[[], None],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    named: str,
    kind: str,
    wanted: str,
    begins: bytes,
) -> None:
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / named), kind))
    written: list[Path] = []
    page.wrote.connect(written.append)
    page.ask_save()
    wait_until_idle()
    assert (tmp_path / wanted).read_bytes().startswith(begins) and written == [tmp_path / wanted]


def test_a_figure_that_cannot_be_saved_is_reported(
    page: FiguresView,
    wait_until_idle: Callable[[], None],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(
        QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "nowhere" / "a.png"), "")
    )
    page.ask_save()
    wait_until_idle()
    assert "nowhere does not exist" in page.problem.text() and page.has_figure


@pytest.mark.slow
def test_a_figure_is_copied_as_an_image_and_as_svg(
    page: FiguresView, wait_until_idle: Callable[[], None]
) -> None:
    page.copy()
    wait_until_idle()
    data = QGuiApplication.clipboard().mimeData()
    assert data.hasImage() and bytes(data.data("image/svg+xml").data()).startswith(b"<?xml")
    QGuiApplication.clipboard().clear()


def pixels_of(widget: QWidget) -> np.ndarray:
    image = widget.grab().toImage()
    return np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.bytesPerLine())


@pytest.mark.slow
@pytest.mark.parametrize("name", ["precision-recall", "heat-map"])
def test_a_figure_follows_the_theme(
    page: FiguresView, open_window: Window, wait_until_idle: Callable[[], None], name: str
) -> None:
    select_figure(page, name, wait_until_idle)
    light = pixels_of(page.stage).mean()
    open_window.appearance.switch_theme()
    page._redraw()
    wait_until_idle()
    assert pixels_of(page.stage).mean() < light - 30
    open_window.appearance.switch_theme()


def test_the_last_selected_figure_is_the_one_shown(
    page: FiguresView, wait_until_idle: Callable[[], None]
) -> None:
    for name in ("heat-map", "gain", "topic-spread", "scatter"):
        page.list.setCurrentRow(NAMES.index(name))
    wait_until_idle()
    assert page.rendered_figure is not None and page.rendered_figure.spec.figure.name == "scatter"
    assert page.stage.currentWidget() is page.stage.points


def test_the_values_of_a_figure_have_the_same_number_of_decimals_in_a_column(
    page: FiguresView, wait_until_idle: Callable[[], None]
) -> None:
    for name in ("gain", "topic-differences", "precision-recall"):
        select_figure(page, name, wait_until_idle)
        page._show_values(True)
        model = page.stage.table.model()
        for column in range(model.columnCount()):
            texts = [str(model.index(row, column).data()) for row in range(model.rowCount())]
            numbers = [text for text in texts if text.lstrip("-").replace(".", "", 1).isdigit()]
            assert len({len(text.partition(".")[2]) for text in numbers}) <= 1, (
                f"{name}: {numbers[:9]}"
            )


@pytest.mark.slow
def test_the_old_picture_is_hidden_while_another_is_drawn(
    page: FiguresView, wait_until_idle: Callable[[], None], qtbot: QtBot
) -> None:
    go = threading.Event()
    with pytest.MonkeyPatch.context() as slow:
        slow.setattr(
            figures, "make_figure", lambda *options: (go.wait(20), make_figure(*options))[1]
        )
        page.list.setCurrentRow(1)
        qtbot.waitUntil(lambda: not page.stage.isVisible())
        assert page.title.text() == "Drawing the figure …"
        go.set()
        wait_until_idle()
    assert (
        page.stage.isVisible()
        and page.rendered_figure is not None
        and page.rendered_figure.spec.figure is page.figure()
    )


def test_entries_are_stacked_without_gaps_at_every_width(page: FiguresView, qtbot: Any) -> None:
    for width in (900, 1400, 800, 1400):
        page.window().resize(width, 700)
        QTest.qWait(50)
        rectangles = [
            page.list.visualItemRect(page.list.item(row)) for row in range(page.list.count())
        ]
        qtbot.waitUntil(
            lambda: (
                page.list.visualItemRect(page.list.item(0)).width() == page.list.viewport().width()
            )
        )
        assert all(below.top() == above.bottom() + 1 for above, below in pairwise(rectangles)), (
            width
        )
        assert (page.list.minimumHeight() > 0) == (page.width() < 900), width


def test_models_that_are_left_out_of_a_figure_are_named(
    open_path: Callable[[Path], Window],
    harbour_path: Path,
    tmp_path: Path,
    wait_until_idle: Callable[[], None],
) -> None:
    with open_project(harbour_path) as project:
        topic = project.collection.topics()[0].id
        graded_ids = {document for _, document, _ in read_project_qrels(project).rows()}
        all_ids = project.collection.list_ids(limit=100_000)
        (tmp_path / "ungraded.txt").write_text(
            f"{topic} 0 {next(id for id in all_ids if id not in graded_ids)} 1\n"
        )
        labels = sample_folders()["harbour"] / "model_labels.txt"
        for name, path in (("left-out", tmp_path / "ungraded.txt"), ("gpt", labels)):
            import_judgments(project, path, ReadingOptions(judge=ModelJudge(name)))
    window = open_path(harbour_path)
    window.show_page("figures")
    wait_until_idle()
    page = window.pages.view("figures")
    assert isinstance(page, FiguresView)
    names = [
        page.list.item(row).data(Qt.ItemDataRole.UserRole).name for row in range(page.list.count())
    ]
    page.list.setCurrentRow(names.index("model-grades"))
    wait_until_idle()
    assert page.has_figure and "left-out" in page.problem.text()
