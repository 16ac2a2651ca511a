"""The page of figures: the engine's numbers, live and as pictures, saved, copied and read as a table."""

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
from irjudge.progress import Progress
from irjudge.report.figures import (
    FigureOptions,
    LineSeries,
    catalogue,
    find_figure,
    judge_project_rankings,
)
from irjudge_ui.actions import BY_ID
from irjudge_ui.pages import figures
from irjudge_ui.pages.figure_view import make_figure
from irjudge_ui.pages.figures import FiguresView, JobQueue
from irjudge_ui.widgets import PageScrollArea
from irjudge_ui.window import Window
from tests.ui.shown import named, says


class Told:
    """Writes down what was answered, and how much ran at once."""

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

    def ask(self, works: JobQueue, kind: str, answer: Any) -> None:
        works.ask(
            kind,
            self.work(answer),
            self.answers.append,
            lambda fault, trace: self.answers.append((str(fault), bool(trace))),
        )


def test_of_one_kind_only_the_last_is_answered_and_others_all(
    qtbot: Any, idle: Callable[[], None]
) -> None:
    works, told = JobQueue(), Told()
    for kind, answer in (("show", 1), ("save", 2), ("show", 3), ("show", 4), ("copy", 5)):
        told.ask(works, kind, answer)
    idle()
    assert sorted(told.answers) == [2, 4, 5] and told.most == 1


def test_a_fault_is_told_and_the_next_work_goes_on(qtbot: Any, idle: Callable[[], None]) -> None:
    works, told = JobQueue(), Told()
    told.ask(works, "show", IrjudgeError("Available: no qrels."))
    told.ask(works, "save", 7)
    idle()
    assert told.answers == [("Available: no qrels.", False), 7]


def test_nobody_hears_of_work_that_was_dropped(qtbot: Any, idle: Callable[[], None]) -> None:
    works, told = JobQueue(), Told()
    told.ask(works, "show", 1)
    told.ask(works, "save", 2)
    works.drop()
    told.ask(works, "copy", 3)
    idle()
    assert told.answers == [3]


NAMES = [figure.name for figure in catalogue()]
# one assessor, and no model, judged
EMPTY = {"assessor-agreement"} | {figure.name for figure in catalogue() if figure.takes == "models"}
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


def choose(page: FiguresView, name: str, idle: Callable[[], None]) -> None:
    page.list.setCurrentRow(NAMES.index(name))
    idle()


@pytest.mark.slow
def test_every_figure_is_shown_and_says_in_words_what_it_shows(
    page: FiguresView, idle: Callable[[], None], subtests: pytest.Subtests
) -> None:
    for name in (name for name in NAMES if name not in EMPTY):
        with subtests.test(name=name):
            choose(page, name, idle)
            assert (
                page.rendered_figure is not None and page.rendered_figure.order.figure.name == name
            )
            shown = page.stage.currentWidget()
            assert (shown is page.stage.picture) == (name not in LIVE) and bool(
                page.rendered_figure.picture
            ) == (name not in LIVE)
            words = shown.accessibleDescription()
            assert (
                page.rendered_figure.chart.title in words
                and page.rendered_figure.chart.columns[-1] in words
            )
            assert page.title.text() == page.rendered_figure.chart.title and "settings: " in says(
                page
            )


def test_the_chart_is_the_engine_s(page: FiguresView) -> None:
    assert page.project is not None and page.rendered_figure is not None
    wanted = find_figure("precision-recall").chart(
        judge_project_rankings(page.project), FigureOptions()
    )
    assert list(page.rendered_figure.chart.rows()) == list(wanted.rows())


def test_a_figure_and_its_caption_are_in_view_on_a_small_screen(
    page: FiguresView, qtbot: QtBot
) -> None:
    page.window().resize(1350, 704)  # 1366 × 768 without the bars of a desktop
    bar = page.findChild(PageScrollArea).verticalScrollBar()
    qtbot.waitUntil(lambda: page.height() < 640 and bar.maximum() == 0)


def test_a_figure_that_has_nothing_to_show_says_why(
    page: FiguresView, idle: Callable[[], None]
) -> None:
    choose(page, "assessor-agreement", idle)
    assert "at least two assessors" in page.problem.text() and page.problem.isVisible()
    assert (
        not page.stage.isVisible()
        and not page.has_figure
        and not named(page, BY_ID["save-figure"].label, QPushButton).isEnabled()
    )
    choose(page, "gain", idle)
    assert page.stage.isVisible() and page.has_figure and not page.problem.isVisible()


@pytest.mark.slow
def test_a_topic_a_run_and_a_curve_can_be_chosen(
    page: FiguresView, idle: Callable[[], None]
) -> None:
    choose(page, "gain", idle)
    for box, value in (
        (page.choices.topic, "3"),
        (page.choices.run, "ql"),
        (page.choices.curve, "cg"),
    ):
        box.setCurrentIndex(box.findData(value))
        box.activated.emit(box.currentIndex())
        idle()
    assert (
        page.rendered_figure is not None
        and page.rendered_figure.chart.title == "Cumulative gain, topic 3"
    )
    assert page.rendered_figure.order.options == FigureOptions(runs=("ql",), topic="3", curve="cg")
    choose(page, "heat-map", idle)
    assert page.rendered_figure.order.options == FigureOptions(runs=("ql",)), (
        "only what the figure looks at is asked for"
    )


@pytest.mark.slow
def test_other_measures_give_another_figure_and_a_wrong_one_is_said(
    page: FiguresView, idle: Callable[[], None]
) -> None:
    choose(page, "heat-map", idle)
    for typed, title in (
        ("RR", "RR"),
        ("Prezision", ""),
        ("P@5", "P@5"),
    ):
        page.choices.measures.setFocus()
        page.choices.measures.selectAll()
        QTest.keyClicks(page.choices.measures, typed)
        QTest.keyClick(page.choices.measures, Qt.Key.Key_Return)
        idle()
        assert (page.rendered_figure.chart.title if page.rendered_figure else "").partition(" ")[
            0
        ] == title
        assert page.problem.isVisible() == (not title)


def test_the_binormal_curve_is_drawn_beside_the_run_that_stands_out(
    page: FiguresView, idle: Callable[[], None]
) -> None:
    choose(page, "precision-recall", idle)
    for box, data in (
        (page.choices.run, page.rendered_figure.runs[0] if page.rendered_figure else ""),
        (page.choices.fit, "binormal"),
    ):
        box.setCurrentIndex(box.findData(data))
        box.activated.emit(box.currentIndex())
        idle()
    assert page.rendered_figure is not None and isinstance(
        page.rendered_figure.chart.marks, LineSeries
    )
    assert [
        line.name for line in page.rendered_figure.chart.marks.lines if line.role == "guide"
    ] == [f"{page.rendered_figure.runs[0]}, binormal"]
    assert "the binormal curve" in says(page)
    choose(page, "gain", idle)
    assert not page.choices.fit.isVisible()


def test_the_values_can_be_read_as_a_table(
    page: FiguresView, idle: Callable[[], None], qtmodeltester: ModelTester
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
    choose(page, "heat-map", idle)
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
def test_a_figure_is_saved(
    page: FiguresView,
    idle: Callable[[], None],
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
    idle()
    assert (tmp_path / wanted).read_bytes().startswith(begins) and written == [tmp_path / wanted]


def test_what_cannot_be_saved_is_said(
    page: FiguresView, idle: Callable[[], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "nowhere" / "a.png"), "")
    )
    page.ask_save()
    idle()
    assert "nowhere does not exist" in page.problem.text() and page.has_figure


@pytest.mark.slow
def test_a_figure_is_copied_as_an_image_and_as_svg(
    page: FiguresView, idle: Callable[[], None]
) -> None:
    page.copy()
    idle()
    data = QGuiApplication.clipboard().mimeData()
    assert data.hasImage() and bytes(data.data("image/svg+xml").data()).startswith(b"<?xml")
    QGuiApplication.clipboard().clear()


def picture(widget: QWidget) -> np.ndarray:
    image = widget.grab().toImage()
    return np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.bytesPerLine())


@pytest.mark.slow
@pytest.mark.parametrize("name", ["precision-recall", "heat-map"])
def test_a_figure_follows_the_theme(
    page: FiguresView, open_window: Window, idle: Callable[[], None], name: str
) -> None:
    choose(page, name, idle)
    light = picture(page.stage).mean()
    open_window.appearance.switch_theme()
    page._redraw()
    idle()
    assert picture(page.stage).mean() < light - 30
    open_window.appearance.switch_theme()


def test_the_last_figure_asked_for_is_the_one_shown(
    page: FiguresView, idle: Callable[[], None]
) -> None:
    for name in ("heat-map", "gain", "topic-spread", "scatter"):
        page.list.setCurrentRow(NAMES.index(name))
    idle()
    assert page.rendered_figure is not None and page.rendered_figure.order.figure.name == "scatter"
    assert page.stage.currentWidget() is page.stage.points


def test_the_values_of_a_figure_have_one_number_of_decimals_in_a_column(
    page: FiguresView, idle: Callable[[], None]
) -> None:
    for name in ("gain", "topic-differences", "precision-recall"):
        choose(page, name, idle)
        page._show_values(True)
        model = page.stage.table.model()
        for column in range(model.columnCount()):
            texts = [str(model.index(row, column).data()) for row in range(model.rowCount())]
            numbers = [text for text in texts if text.lstrip("-").replace(".", "", 1).isdigit()]
            assert len({len(text.partition(".")[2]) for text in numbers}) <= 1, (
                f"{name}: {numbers[:9]}"
            )


@pytest.mark.slow
def test_the_old_picture_is_not_shown_while_another_is_drawn(
    page: FiguresView, idle: Callable[[], None], qtbot: QtBot
) -> None:
    go = threading.Event()
    with pytest.MonkeyPatch.context() as slow:
        slow.setattr(figures, "make_figure", lambda *wish: (go.wait(20), make_figure(*wish))[1])
        page.list.setCurrentRow(1)
        qtbot.waitUntil(lambda: not page.stage.isVisible())
        assert page.title.text() == "Drawing the figure …"
        go.set()
        idle()
    assert (
        page.stage.isVisible()
        and page.rendered_figure is not None
        and page.rendered_figure.order.figure is page.figure()
    )


def test_entries_follow_each_other_at_every_width(page: FiguresView, qtbot: Any) -> None:
    for width in (900, 1400, 800, 1400):
        page.window().resize(width, 700)
        QTest.qWait(50)
        places = [page.list.visualItemRect(page.list.item(row)) for row in range(page.list.count())]
        qtbot.waitUntil(
            lambda: (
                page.list.visualItemRect(page.list.item(0)).width() == page.list.viewport().width()
            )
        )
        assert all(below.top() == above.bottom() + 1 for above, below in pairwise(places)), width
        assert (page.list.minimumHeight() > 0) == (page.width() < 900), width
