"""Tests of the comparison of two rankings: overlaps, ranks, joining lines, opening a document."""

import re
from collections.abc import Callable
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QLabel
from pytestqt.qtbot import QtBot

from irjudge.evaluation import (
    TopicOverlap,
    compare_tops,
    evaluate_project,
    join_rankings,
    parse_measures,
)
from irjudge.judging import read_project_qrels, select_qrels
from irjudge.model import make_qrels, make_run
from irjudge_ui.pages.compare.run_comparison import RunComparisonView
from irjudge_ui.pages.shared import DocumentDialog
from irjudge_ui.widgets import Table
from irjudge_ui.window import Window
from tests.ui.window_content import find_widget, is_shown, selected_row

LEFT = 0
MEASURES = ("AP", "P@10", "nDCG@10", "RR")


@pytest.fixture
def first_page() -> str:
    return "rankings"


@pytest.fixture
def page(open_window: Window, wait_until_idle: Callable[[], None]) -> RunComparisonView:
    open_window.do("rankings")
    wait_until_idle()
    view = open_window.pages.view("rankings")
    assert isinstance(view, RunComparisonView)
    return view


def choose_item(box: QComboBox, label: str) -> None:
    box.setCurrentIndex(box.findText(label))
    box.activated.emit(box.currentIndex())


def expected_overlaps(
    page: RunComparisonView, first: str, second: str, depth: int
) -> tuple[TopicOverlap, ...]:
    project = page.project
    assert project is not None
    runs = [project.rankings.run(name) for name in (first, second)]
    return compare_tops(
        *runs, depth=depth, evaluation=evaluate_project(project, parse_measures(MEASURES))
    )


def choose_topic(page: RunComparisonView, topic: str) -> None:
    item = [each.topic for each in page.topics.rows].index(topic)
    table = find_widget(page, "Topics", Table)
    table.selectRow(table.model().line_of(item).row())


@pytest.mark.slow
def test_topics_and_their_overlaps_equal_those_of_the_engine(
    page: RunComparisonView, wait_until_idle: Callable[[], None]
) -> None:
    assert tuple(page.topics.rows) == expected_overlaps(page, "bm25", "ql", 10)
    choose_item(page.second, "title")
    page.depth_field.set_value(3)
    page.depth_field.changed.emit(3)
    wait_until_idle()
    overlaps = expected_overlaps(page, "bm25", "title", 3)
    assert tuple(page.topics.rows) == overlaps and overlaps[0].rbo < overlaps[-1].rbo
    assert selected_row(find_widget(page, "Topics", Table))[0].split()[0] == "1"  # selected before


def test_a_topic_and_a_measure_selected_while_runs_are_compared_do_not_stop_the_comparison(
    page: RunComparisonView, wait_until_idle: Callable[[], None]
) -> None:
    choose_item(page.second, "title")
    choose_item(page.measure, "nDCG@10")
    choose_topic(page, "4")
    wait_until_idle()
    assert tuple(page.topics.rows) == expected_overlaps(page, "bm25", "title", 10)
    assert selected_row(find_widget(page, "Topics", Table))[0].split()[0] == "4"
    assert page.topics.headerData(2, Qt.Orientation.Horizontal) == "Δ nDCG@10"
    assert page.values.headerData(2, Qt.Orientation.Horizontal) == "title"


def test_no_comparison_of_other_runs_is_shown_after_a_cancellation(
    page: RunComparisonView, wait_until_idle: Callable[[], None]
) -> None:
    for cancels in (True, False):
        choose_item(page.second, "title")
        if cancels:
            page.cancel_jobs()
        wait_until_idle()
        assert is_shown(page, "Topics") != cancels


@pytest.mark.slow
def test_the_measure_determines_which_difference_is_shown(page: RunComparisonView) -> None:
    choose_item(page.measure, "nDCG@10")
    first = page.topics.rows[0]
    assert page.topics.index(0, 2).data() == f"{first.difference('nDCG@10'):+.4f}".replace("-", "−")
    assert page.topics.headerData(2, Qt.Orientation.Horizontal) == "Δ nDCG@10"
    assert [value[0] for value in page.values.rows] == list(MEASURES)


@pytest.mark.slow
def test_both_rankings_equal_those_of_the_engine_and_lines_join_equal_documents(
    page: RunComparisonView, wait_until_idle: Callable[[], None]
) -> None:
    project = page.project
    assert project is not None
    choose_topic(page, "4")
    wait_until_idle()
    grades = read_project_qrels(project, select_qrels(project)).topic_grades("4")
    rows = join_rankings(
        *(project.rankings.run(name) for name in ("bm25", "ql")), "4", grades=grades
    )
    for model, ranks in (
        (page.left, {row.document: row.first for row in rows}),
        (page.right, {row.document: row.second for row in rows}),
    ):
        assert [each.document for each in model.rows] == sorted(
            filter(ranks.get, ranks), key=lambda each: ranks[each] or 0
        )
    assert {each.document: each.mark for each in page.left.rows} == {
        row.document: "" if row.grade is None else str(row.grade) for row in rows if row.first
    }
    both = {row.document for row in rows if row.first and row.second}
    assert {document for _, _, document in page.rankings.lines.visible_lines()} == both and len(
        both
    ) < len(rows)
    overlap = next(each for each in page.topics.rows if each.topic == "4")
    assert page.venn._counts == (overlap.both, overlap.only_first, overlap.only_second)
    assert (
        f"Jaccard@10 {overlap.jaccard:.4f}, rank-biased overlap {overlap.rbo:.4f}."
        in page.description_label.text()
    )


def test_a_document_in_both_lists_is_selected_in_both_and_arrow_keys_switch_lists(
    page: RunComparisonView, press: Callable[..., None]
) -> None:
    left, right = page.rankings.lists
    left.setFocus()
    assert page.left.rows[0].other == 2
    press(Qt.Key.Key_Right)
    assert (
        right.hasFocus()
        and right.currentIndex().row() == 1
        and page.rankings.lines.chosen == page.left.rows[0].document
    )
    press(Qt.Key.Key_Up)
    assert left.selectionModel().selectedIndexes()[0].row() == 1
    alone = next(index for index, each in enumerate(page.right.rows) if each.other is None)
    right.setCurrentIndex(page.right.index(alone, 0))
    assert not left.selectionModel().selectedIndexes()
    press(Qt.Key.Key_Left)
    assert left.hasFocus() and left.currentIndex().row() == alone


def test_enter_opens_the_full_document(
    page: RunComparisonView, press: Callable[..., None], qtbot: QtBot
) -> None:
    page.rankings.lists[LEFT].setFocus()
    press(Qt.Key.Key_Return)
    dialog = page.findChildren(DocumentDialog)[0]
    qtbot.waitUntil(lambda: "Sailors wait for springs" in dialog.view.toPlainText())
    assert dialog.windowTitle() == page.left.rows[0].document
    qtbot.waitUntil(dialog.view.hasFocus)
    press(Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: not page.findChildren(DocumentDialog))
    assert page.window().focusWidget() is page.rankings.lists[LEFT]


@pytest.mark.parametrize(
    ("mark", "level", "expected"),
    [("2", (2, 3), "Grade 2."), ("✕", None, "Unjudgeable."), ("", None, "Not judged.")],
)
def test_the_dialog_names_the_judgment_of_the_document(
    page: RunComparisonView, mark: str, level: tuple[int, int] | None, expected: str
) -> None:
    ranked_document = page.left.rows[0]
    page.left.rows[0] = replace(ranked_document, mark=mark, level=level)
    page._open(ranked_document.document)
    (dialog,) = page.findChildren(DocumentDialog)
    assert any(label.text().endswith(f" {expected}") for label in dialog.findChildren(QLabel))


def test_a_document_without_text_is_reported(page: RunComparisonView, open_window: Window) -> None:
    page._open("no-such")
    assert "no-such" in open_window.message.text()


def test_all_content_has_accessible_text(page: RunComparisonView) -> None:
    descriptions = [
        page.left.index(index, 0).data(Qt.ItemDataRole.AccessibleTextRole)
        for index in range(len(page.left.rows))
    ]
    assert descriptions[0].startswith("1: Spring tides ") and "(spring-neap)" in descriptions[0]
    assert "grade 1" in descriptions[0] and "rank 2" in descriptions[0]
    assert any(each.endswith("only in this run") for each in descriptions)
    counts = re.findall(r": (\d+)", page.venn.accessibleDescription())
    assert counts == ["9", "1", "1"]  # in both, only in bm25, only in ql


def test_without_qrels_ranks_are_shown_without_grades(
    page: RunComparisonView, wait_until_idle: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "irjudge_ui.pages.shared.policy.EvaluationOptions.choice", lambda _self, _project: None
    )
    page.refresh()
    wait_until_idle()
    assert page.topics.rows and all(not each.values for each in page.topics.rows)
    assert page.topics.columnCount() == 2 and not is_shown(page, "Measures of this topic")
    assert {each.mark for each in page.left.rows} == {""} and page.measure.count() == 0


def test_runs_without_a_common_topic_are_reported_and_another_choice_works(
    page: RunComparisonView, open_window: Window, wait_until_idle: Callable[[], None]
) -> None:
    assert page.project is not None
    page.project.rankings.add_run(make_run("strange", [("no topic of theirs", "d1", 1.0)]))
    page.refresh()
    wait_until_idle()
    choose_item(page.second, "strange")
    wait_until_idle()
    assert "no topic in common" in page.problem.text() and not is_shown(page, "Topics")
    choose_item(page.second, "title")
    wait_until_idle()
    assert is_shown(page, "Topics") and not page.problem.isVisible()


def test_without_two_runs_the_page_explains_its_purpose(
    page: RunComparisonView, wait_until_idle: Callable[[], None]
) -> None:
    assert page.project is not None
    for name in ("bm25", "ql", "tfidf"):
        page.project.rankings.remove_run(name)
    page.refresh()
    wait_until_idle()
    assert (
        page.state_page is not None
        and page.state_page.isVisible()
        and not is_shown(page, "Topics")
        and not page.first.isVisible()
    )


def test_a_document_judged_for_several_subtopics_has_its_highest_grade() -> None:
    qrels = make_qrels([("1", "d1", 1), ("1", "d1", 3), ("2", "d1", 2)])
    assert qrels.topic_grades("1") == {"d1": 3} and qrels.topic_grades("3") == {}
