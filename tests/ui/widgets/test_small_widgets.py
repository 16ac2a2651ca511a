"""Tests of small widgets: number fields, tables, flow layouts, grades, plots, progress overlay."""

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, Qt
from PySide6.QtGui import QEnterEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QProgressBar, QPushButton, QToolTip, QWidget
from pytestqt.qtbot import QtBot

from irjudge_ui.charts import TopicPlot
from irjudge_ui.messages import escape_markup
from irjudge_ui.models import Column, TableModel
from irjudge_ui.pages.frame.progress import BusyOverlay
from irjudge_ui.widgets import (
    ChoiceBox,
    Flow,
    GradeBar,
    GradeButtons,
    LinkButton,
    Meter,
    NumberField,
    Table,
    apply_style,
    ask,
    make_breakable,
    make_button,
    make_flow,
    make_label,
)
from irjudge_ui.widgets.grades import fit_labels


def test_rows_of_a_choice_list_are_padded(qtbot: QtBot) -> None:
    box = ChoiceBox()
    qtbot.addWidget(box)
    box.addItems(["one", "two"])
    apply_style(box)
    box.show()
    assert box.view().sizeHintForRow(0) >= box.fontMetrics().height() + 10


def test_a_button_hidden_behind_a_dialog_is_no_longer_hovered(qtbot: QtBot) -> None:
    button = make_button("Open")
    qtbot.addWidget(button)
    button.show()
    middle = QPointF(button.rect().center())
    for _ in range(2):
        QApplication.sendEvent(button, QEnterEvent(middle, middle, button.mapToGlobal(middle)))
        assert button.underMouse()
        QApplication.sendEvent(button, QEvent(QEvent.Type.WindowActivate))
        assert not button.underMouse()


@pytest.fixture
def field(qtbot: QtBot) -> NumberField:
    made = NumberField(1, 20, 10, "Depth")
    qtbot.addWidget(made)
    made.show()
    return made


@pytest.mark.parametrize(
    ("key", "value"),
    [(Qt.Key.Key_Up, 11), (Qt.Key.Key_Down, 9), (Qt.Key.Key_PageUp, 20), (Qt.Key.Key_PageDown, 1)],
)
def test_a_number_is_stepped_with_the_arrow_keys_within_its_range(
    field: NumberField, key: Qt.Key, value: int
) -> None:
    heard: list[int] = []
    field.changed.connect(heard.append)
    QTest.keyClick(field, key)
    assert field.value() == value and heard == [value] and field.text() == str(value)


def test_a_number_is_signalled_once_entered_and_separately_while_it_is_typed(
    field: NumberField,
) -> None:
    heard, typed = list[int](), list[int]()
    field.changed.connect(heard.append)
    field.typed.connect(typed.append)
    field.selectAll()
    QTest.keyClicks(field, "15")
    assert heard == [] and typed == [1, 15] and field.value() == 15
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert heard == [15]
    field.clear()
    assert field.value() == 15


def test_text_that_is_not_a_number_in_the_range_is_rejected(field: NumberField) -> None:
    field.selectAll()
    QTest.keyClicks(field, "x99-")
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert 1 <= field.value() <= 20
    field.set_value(500)
    assert field.value() == 20


def test_a_number_field_grows_with_the_text(field: NumberField) -> None:
    font, before = field.font(), field.width()
    font.setPixelSize(60)
    field.setFont(font)
    assert field.width() > before


def test_enter_opens_the_row_of_a_table(qtbot: QtBot) -> None:
    table = Table(TableModel([Column("a", str)], ["x", "y"]), "Rows")
    qtbot.addWidget(table)
    table.selectRow(1)
    with qtbot.waitSignal(table.opened) as opened:
        QTest.keyClick(table, Qt.Key.Key_Return)
    assert opened.args == [1]


def test_a_table_is_as_high_as_its_rows_up_to_a_few(qtbot: QtBot) -> None:
    model = TableModel([Column("a", str)], ["x"])
    table = Table(model, "Rows", rows=3)
    qtbot.addWidget(table)
    heights = []
    for count in (1, 3, 9):
        model.fill(["x"] * count)
        heights.append(table.height())
    assert heights[0] < heights[1] == heights[2]


def test_widgets_of_a_flow_wrap_to_the_next_line_and_are_not_squeezed(qtbot: QtBot) -> None:
    labels = [make_label("some words", wrap=False) for _ in range(4)]
    holder = QWidget()
    qtbot.addWidget(holder)
    flow = Flow(labels)
    holder.setLayout(flow)
    wide, one = flow.sizeHint().width(), labels[0].sizeHint()
    assert flow.heightForWidth(wide) == one.height() < flow.heightForWidth(one.width())
    flow.setGeometry(QRect(0, 0, one.width() + 1, 500))
    assert [label.width() for label in labels] == [one.width()] * 4
    assert len({label.y() for label in labels}) == 4
    assert flow.itemAt(9) is None and flow.count() == 4


def test_a_path_may_wrap_after_each_folder_and_is_read_back_unchanged() -> None:
    assert make_breakable("/a/b_c").replace("\u200b", "") == "/a/b_c"
    assert make_breakable("/a/b").count("\u200b") == 2


def test_grades_are_highest_first_in_a_column_and_lowest_first_in_a_row(qtbot: QtBot) -> None:
    grades = GradeButtons([(0, "no"), (1, "yes"), (3, "very")])
    qtbot.addWidget(grades)
    grades.resize(300, 300)
    grades.show()
    assert grades.buttons[3].y() < grades.buttons[0].y()
    grades.set_row(True)
    grades.layout().activate()  # type: ignore[union-attr]
    assert grades.buttons[0].x() < grades.buttons[3].x()
    grades.set_row(True, highest_first=True)
    grades.layout().activate()  # type: ignore[union-attr]
    assert grades.buttons[3].x() < grades.buttons[0].x()
    with qtbot.waitSignal(grades.chosen) as chosen:
        grades.buttons[3].click()
    assert chosen.args == [3] and grades.buttons[3].accessibleName() == "Grade 3: very"


def test_a_segment_of_the_bar_never_shows_a_bare_count_which_looks_like_a_grade(
    qtbot: QtBot,
) -> None:
    bar = GradeBar([("0 not relevant", 40), ("3 key", 1)])
    qtbot.addWidget(bar)
    metrics = bar.fontMetrics()
    pieces = [("3 highly relevant", 1)]
    texts = [
        fit_labels(metrics, [width], pieces)
        for width in (500, metrics.horizontalAdvance("3: 1"), 5, 0)
    ]
    assert texts == [["3 highly relevant · 1"], ["3: 1"], [""], [""]]
    both = [*pieces, ("2 relevant", 2), ("1 unused", 0)]
    assert fit_labels(metrics, [500, 500, 0], both)[:2] == [
        "3 highly relevant · 1",
        "2 relevant · 2",
    ]
    narrow = metrics.horizontalAdvance("3: 1")
    assert fit_labels(metrics, [narrow, 500, 0], both) == ["3: 1", "2: 2", ""]
    assert bar.toolTip() == "0 not relevant: 40\n3 key: 1"
    bar.resize(300, 30)
    assert not bar.grab().isNull()


def test_a_link_wraps_into_the_lines_it_needs_and_breaks_words_that_are_too_long(
    qtbot: QtBot,
) -> None:
    short, long, word = (
        LinkButton(text) for text in ("moon", "a title of words " * 12, "Donau" * 20)
    )
    for made in (short, long, word):
        qtbot.addWidget(made)
    assert short.heightForWidth(200) < long.heightForWidth(200) and word.heightForWidth(
        200
    ) > 2 * short.heightForWidth(200)
    assert long.heightForWidth(400) < long.heightForWidth(200)
    assert word.text() == "Donau" * 20 and short.sizeHint().width() < long.sizeHint().width()


def test_the_plot_describes_the_point_under_the_mouse_as_text(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    announcements: list[str] = []
    monkeypatch.setattr(QToolTip, "showText", lambda at, text, widget: announcements.append(text))
    plot = TopicPlot("Values")
    qtbot.addWidget(plot)
    plot.resize(400, 200)
    plot.show()
    plot.show_values(
        ["<img src='file:///x'>", "b"], ["t1", "<b>t2"], np.array([[0.2, 0.8], [np.nan, 0.4]]), 0
    )
    qtbot.mouseMove(plot, QPoint(120, 100))
    qtbot.waitUntil(lambda: bool(announcements))
    assert (
        escape_markup("<b>t2") in announcements[-1]
        and "0.8000" in announcements[-1]
        and "<img" not in announcements[-1]
    )
    assert plot.accessibleDescription() == "Runs: 2; topics: 2"


@pytest.mark.parametrize(("runs", "topics"), [(0, 0), (1, 1), (3, 40)])
def test_the_plot_is_drawn_for_any_number_of_topics(qtbot: QtBot, runs: int, topics: int) -> None:
    plot = TopicPlot("Values")
    qtbot.addWidget(plot)
    plot.show_values(
        [str(run) for run in range(runs)],
        [str(topic) for topic in range(topics)],
        np.full((runs, topics), 2.0),
        0,
    )
    assert not plot.grab().isNull()


def test_a_meter_shows_numbers_and_a_bar(qtbot: QtBot) -> None:
    meter = Meter("All topics")
    qtbot.addWidget(meter)
    meter.show_count(1234, 2000)
    bar = meter.findChild(QProgressBar)
    assert bar is not None and (bar.value(), bar.maximum()) == (1234, 2000)
    assert "1,234 of 2,000" in [label.text() for label in meter.findChildren(QLabel)]
    meter.show_count(0, 0)
    assert bar.maximum() == 1


def test_the_overlay_shows_progress_cancels_once_and_returns_the_focus(
    qtbot: QtBot,
) -> None:
    holder = QWidget()
    qtbot.addWidget(holder)
    before = QPushButton("before", holder)
    holder.resize(600, 400)
    holder.show()
    with qtbot.waitActive(holder):
        holder.activateWindow()
    before.setFocus()
    busy, calls = BusyOverlay(holder), []
    busy.begin("Importing", lambda: calls.append(1))
    busy.show_progress(2, 10, "Reading")
    bar = busy.findChild(QProgressBar)
    assert bar is not None and (bar.value(), bar.maximum()) == (2, 10)
    assert busy.size() == holder.size() and busy._step.text() == "Reading  2 / 10"
    busy.show_progress(5, None, "Reading")
    assert bar.maximum() == 0
    for _ in range(2):
        QTest.keyClick(busy, Qt.Key.Key_Escape)
    assert calls == [1]
    busy.end()
    assert not busy.isVisible() and before.hasFocus()


def test_a_hidden_widget_of_a_flow_takes_no_room(qtbot: QtBot) -> None:
    three, two = make_flow(*map(QPushButton, "abc")), make_flow(*map(QPushButton, "ac"))
    for each in (three, two):
        qtbot.addWidget(each)
    three.findChildren(QPushButton)[1].hide()
    assert three.sizeHint() == two.sizeHint()


@pytest.mark.parametrize("sentence_count", [1, 30])
def test_a_question_is_never_cut(qtbot: QtBot, sentence_count: int) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    window.resize(1000, 900)
    window.show()
    message = " ".join(["Unsent judgments will be lost."] * sentence_count)
    dialog = ask(window, "End the session?", message, [("End", None)])
    label = next(each for each in dialog.findChildren(QLabel) if each.text() == message)
    qtbot.waitUntil(lambda: label.height() >= label.heightForWidth(label.width()))
