"""Tests of the comparison page: the engine's numbers, cautious conclusions, topic differences."""

import re
from collections.abc import Callable
from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox
from pytestqt.qtbot import QtBot

from irjudge.evaluation import (
    Evaluation,
    compare,
    compute_needed_topics,
    evaluate_project,
    parse_measures,
)
from irjudge_ui.pages.compare import compare as comparing
from irjudge_ui.pages.compare.compare import BEST_RUN, CompareView
from irjudge_ui.settings import Settings
from irjudge_ui.window import Window
from tests.numbers_in_text import find_numbers


@pytest.fixture
def first_page() -> str:
    return "compare"


@pytest.fixture
def page(open_window: Window) -> CompareView:
    view = open_window.pages.view("compare")
    assert isinstance(view, CompareView)
    return view


def choose_item(box: QComboBox, data: object) -> None:
    box.setCurrentIndex(box.findData(data))
    box.activated.emit(box.currentIndex())


def expected_pairs(page: CompareView, measure: str, test: str, **options: str) -> object:
    assert page.project is not None
    return compare(
        evaluate_project(page.project, parse_measures([measure])), tests=[test], **options
    ).pairs


def test_the_pairs_equal_those_of_the_engine(
    page: CompareView, wait_until_idle: Callable[[], None]
) -> None:
    assert tuple(page.pairs.rows) == expected_pairs(page, "AP", "t")
    choose_item(page.measure, "P@10")
    choose_item(page.test, "sign")
    choose_item(page.correction, "bonferroni")
    wait_until_idle()
    assert tuple(page.pairs.rows) == expected_pairs(page, "P@10", "sign", correction="bonferroni")
    choose_item(page.baseline, "title")
    wait_until_idle()
    assert tuple(page.pairs.rows) == expected_pairs(
        page, "P@10", "sign", correction="bonferroni", baseline="title"
    )
    assert [pair.run_b for pair in page.pairs.rows] == ["title"] * 3


def test_the_conclusion_follows_the_significance_test(
    page: CompareView, wait_until_idle: Callable[[], None]
) -> None:
    choose_item(page.correction, "none")
    wait_until_idle()
    conclusions = {}
    for line, pair in enumerate(page.pairs.rows):
        page.table.setCurrentIndex(page.table.model().index(line, 0))
        assert page.chosen() == pair
        conclusions[pair.run_a, pair.run_b] = (pair.p_adjusted < 0.05, page.verdict.text())
    assert {sure for sure, _ in conclusions.values()} == {True, False}
    for (one, two), (sure, conclusion) in conclusions.items():
        assert (
            conclusion.startswith("No conclusion") is not sure
            and one in conclusion
            and two in conclusion
        )
    assert conclusions["bm25", "title"][1].startswith("bm25 is significantly better")
    assert (
        "interval from" in page.description_label.text()
        and "Topics: " in page.description_label.text()
    )


@pytest.mark.parametrize(
    ("test", "better"), [("t", "ql"), ("permutation", "ql"), ("sign", "bm25"), ("wilcoxon", "bm25")]
)
def test_the_better_run_wins_more_topics_in_tests_of_signs_and_ranks(
    page: CompareView, test: str, better: str
) -> None:
    """Run bm25 wins 19 of 20 topics by .01 and loses one by .5: its mean is lower."""
    pair = replace(
        page.pairs.rows[0],
        run_a="bm25",
        run_b="ql",
        test=test,
        difference=-0.0155,
        p_adjusted=0.00004,
        wins=19,
        ties=0,
        losses=1,
    )
    assert page._describe_verdict(pair).startswith(f"{better} is significantly better than")


def test_the_detectable_difference_is_stated_and_drawn(page: CompareView) -> None:
    assert page.project is not None
    table = evaluate_project(page.project, parse_measures(["AP"]))
    needs = compute_needed_topics(table).rows
    for line, need in enumerate(needs[:-1]):
        page.table.setCurrentIndex(page.table.model().index(line, 0))
        assert (
            need.seen is not None
            and f"{need.seen:.4f}" in page.needed.text()
            and f"{need.needed:,} topics are needed" in page.needed.text()
        )
        assert f"{needs[-1].seen:.4f}" in page.needed.text() and "of 4 runs" in page.needed.text()
        names = [name for name, _ in page.curve.entries()]
        assert names == [
            f"{need.run_a} – {need.run_b}",
            "all 4 runs",
            "topics in this evaluation: 6",
        ]


def test_the_bars_are_the_differences_of_the_selected_pair(page: CompareView) -> None:
    pair = page.chosen()
    assert pair is not None
    values = page.plot._values
    assert values.tolist() == sorted(
        values.tolist(), reverse=True
    ) and values.mean() == pytest.approx(pair.difference)
    bm25, ql, equal = page.plot.accessibleDescription().split(", ")
    assert "bm25" in bm25 and "ql" in ql
    assert [find_numbers(each) for each in (bm25, ql, equal)] == [["3"], ["1"], ["2"]]
    assert not page.plot.grab().isNull()


def test_a_measure_and_its_complement_name_the_same_better_run(
    page: CompareView, settings: Settings, wait_until_idle: Callable[[], None]
) -> None:
    settings.set("measures", "F@10 E@10")
    page.refresh()
    choose_item(page.correction, "none")
    result = {}
    for name in ("F@10", "E@10"):
        choose_item(page.measure, name)
        choose_item(page.baseline, BEST_RUN)
        wait_until_idle()
        for line, pair in enumerate(page.pairs.rows):
            page.table.setCurrentIndex(page.table.model().index(line, 0))
            bars = sorted(re.findall(r"(\S+) better: (\d+)", page.plot.accessibleDescription()))
            verdict = page.verdict.text().replace(name, "")
            counts = pair.run_b, pair.wins, pair.ties, pair.losses
            result.setdefault(pair.run_a, []).append(
                (verdict, bars, counts, page.conclusion.text().replace(name, ""))
            )
    assert len(result) == 3 and all(one == other for one, other in result.values())


def test_without_two_runs_the_page_states_what_it_needs(
    page: CompareView, open_window: Window, wait_until_idle: Callable[[], None]
) -> None:
    assert page.project is not None
    for name in ("bm25", "ql", "tfidf"):
        page.project.rankings.remove_run(name)
    page.refresh()
    wait_until_idle()
    assert (
        page.empty.isVisible()
        and "at least two runs" in page.empty.text()
        and not page.table.isVisible()
    )


def test_a_bar_opens_the_explanation_of_its_topic(
    page: CompareView, open_window: Window, wait_until_idle: Callable[[], None]
) -> None:
    pair = page.chosen()
    assert pair is not None
    plot = page.plot
    frame = plot._frame()
    QTest.mouseClick(
        plot,
        Qt.MouseButton.LeftButton,
        pos=QPoint(int(frame.left() + plot._step(frame) / 2), int(frame.center().y())),
    )
    wait_until_idle()
    assert open_window.pages.on_top() == "explain"
    assert open_window.pages.view("explain").topic.currentData() == plot._topics[0]


def test_the_page_starts_with_a_summary_of_all_pairs(
    page: CompareView, wait_until_idle: Callable[[], None]
) -> None:
    sure = sum(pair.p_adjusted < 0.05 for pair in page.pairs.rows)
    assert "AP" in page.conclusion.text()
    assert find_numbers(page.conclusion.text()) == [str(sure), "6"]
    choose_item(page.baseline, "title")
    wait_until_idle()
    pairs = page.pairs.rows
    sure = [pair for pair in pairs if pair.p_adjusted < 0.05]
    better = sum(pair.difference > 0 for pair in sure)
    assert "title" in page.conclusion.text() and "AP" in page.conclusion.text()
    assert find_numbers(page.conclusion.text()) == [
        str(better),
        str(len(sure) - better),
        str(len(pairs) - len(sure)),
    ]


def test_several_baselines_share_one_correction(
    page: CompareView, wait_until_idle: Callable[[], None]
) -> None:
    assert not page.further.isVisible()
    choose_item(page.baseline, "title")
    page.further.tick(["bm25"])
    wait_until_idle()
    assert page.further.isVisible() and page.further.text() == "bm25"
    assert tuple(page.pairs.rows) == expected_pairs(page, "AP", "t", baseline=["title", "bm25"])
    assert len(page.pairs.rows) == 5, "three with title, two more with bm25"
    page.further.tick(["bm25", "ql", "title"])
    wait_until_idle()
    assert page.further.text() == "bm25 +2"
    assert tuple(page.pairs.rows) == expected_pairs(
        page, "AP", "t", baseline=["title", "bm25", "ql"]
    )


def test_baselines_are_checked_one_after_another_in_a_menu_that_stays_open(
    page: CompareView, wait_until_idle: Callable[[], None], qtbot: QtBot
) -> None:
    choose_item(page.baseline, "title")
    menu = page.further.menu()
    menu.popup(page.mapToGlobal(page.rect().center()))
    for name in ("bm25", "ql"):
        (action,) = (each for each in menu.actions() if each.data() == name)
        qtbot.mouseClick(menu, Qt.MouseButton.LeftButton, pos=menu.actionGeometry(action).center())
    assert menu.isVisible() and set(page.further.chosen) == {"bm25", "ql"}
    menu.close()
    wait_until_idle()
    assert {pair.run_b for pair in page.pairs.rows} <= {"title", "bm25", "ql"}


def test_many_pairs_are_limited_to_the_most_certain_and_a_message_says_so(
    page: CompareView, wait_until_idle: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    every = {(pair.run_a, pair.run_b): pair.p_adjusted for pair in page.pairs.rows}
    monkeypatch.setattr(comparing, "MAX_LISTED_PAIRS", 2)
    page.refresh()
    wait_until_idle()
    assert [pair.p_adjusted for pair in page.pairs.rows] == sorted(every.values())[:2]
    assert "the 2 most significant of 6 pairs" in page._notes.text()


def test_more_than_ten_runs_start_with_the_best_as_baseline(
    page: CompareView, wait_until_idle: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(comparing, "MAX_RUNS_FOR_ALL_PAIRS", 3)
    page.baseline.clear()
    page.refresh()
    wait_until_idle()
    assert page.baseline.currentText() == "the best run"
    means = {pair.run_a: pair.mean_a for pair in page.pairs.rows} | {
        pair.run_b: pair.mean_b for pair in page.pairs.rows
    }
    assert {pair.run_b for pair in page.pairs.rows} == {max(means, key=means.__getitem__)} and len(
        page.pairs.rows
    ) == 3


def test_all_pairs_stay_selected_when_the_page_is_shown_again(
    page: CompareView, wait_until_idle: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(comparing, "MAX_RUNS_FOR_ALL_PAIRS", 3)
    choose_item(page.baseline, None)
    page.refresh()
    wait_until_idle()
    assert page.baseline.currentIndex() == 0 and len(page.pairs.rows) == 6


def test_no_run_is_called_best_if_averages_are_over_different_topics(
    page: CompareView, wait_until_idle: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Evaluation, "is_rankable", property(lambda _table: False))
    for baseline, is_refused in ((BEST_RUN, True), ("ql", False), (None, False)):
        choose_item(page.baseline, baseline)
        wait_until_idle()
        assert page.problem.isVisibleTo(page) == is_refused
        assert page._table_card.isVisibleTo(page) != is_refused


def test_no_run_is_called_better_by_a_measure_that_is_not_about_quality(
    page: CompareView, settings: Settings, wait_until_idle: Callable[[], None]
) -> None:
    settings.set("measures", "AP APmin(universe=1000)")
    page.refresh()
    choose_item(page.correction, "none")
    choose_item(page.measure, "APmin(universe=1000)")
    choose_item(page.baseline, BEST_RUN)
    wait_until_idle()
    assert page.problem.isVisibleTo(page) and not page._table_card.isVisibleTo(page)
    choose_item(page.baseline, "ql")
    wait_until_idle()
    assert page._table_card.isVisibleTo(page)
    assert "higher" in page.conclusion.text() and "better" not in page.conclusion.text()
    model = page.table.model()
    headers = {
        model.headerData(section, Qt.Orientation.Horizontal)
        for section in range(model.columnCount())
    }
    assert {"Higher", "Lower"} <= headers and not {"Better", "Worse"} & headers


def test_a_note_above_the_table_says_that_means_are_over_different_topics(
    page: CompareView, wait_until_idle: Callable[[], None]
) -> None:
    assert page.topics_note.isHidden()
    assert page.project is not None
    run = page.project.rankings.run("bm25")
    page.project.rankings.add_run(replace(run.select_topics(run.topics[:4]), name="few"))
    page.refresh()
    wait_until_idle()
    assert page.topics_note.isVisible()
    assert page.topics_note.text().removeprefix("⚠ ") not in page._notes.text()


def test_in_a_small_window_the_test_of_a_pair_is_visible_without_scrolling(
    page: CompareView, wait_until_idle: Callable[[], None]
) -> None:
    window = page.window()
    before = window.size()
    window.resize(800, 600)
    wait_until_idle()
    assert page.table.horizontalScrollBar().maximum() == 0
    hidden = [
        column.header
        for section, column in enumerate(page.pairs.columns)
        if page.table.isColumnHidden(section)
    ]
    assert {"p adjusted", "Effect size", "Better", "Worse"}.isdisjoint(hidden)
    pair = page.pairs.rows[0]
    assert (
        f"{pair.mean_a:.4f}" in page.description_label.text()
        and f"{pair.mean_b:.4f}" in page.description_label.text()
    )
    window.resize(before)
