"""Tests of the preferences page: the engine's numbers, cautious conclusions, and warnings."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from irjudge.evaluation import (
    PreferenceStatistic,
    evaluate_project,
    parse_measures,
    preference_results,
)
from irjudge.judging import map_sides_to_runs, read_project_preferences
from irjudge.model import Item, make_preferences
from irjudge.store import Project
from irjudge_ui.models import PairRow, build_pair_rows, connected_groups
from irjudge_ui.pages.side_by_side import conclusions as words
from irjudge_ui.pages.side_by_side.preferences import DOCUMENTS, PreferencesView
from irjudge_ui.window import Window
from tests.numbers_in_text import find_numbers
from tests.ui.full_project import LEFT, RUNS, compare_runs, record_preference, top_results
from tests.ui.window_content import is_shown, label_texts, visible_text

ONE_WINDOW = True


def compare_documents(project: Project, topic: str) -> None:
    first, second, third = top_results(project, "bm25", topic)
    for left, right, winner in (
        (first, second, LEFT),
        (second, third, LEFT),
        (third, first, LEFT),
        (second, first, "right"),
    ):
        record_preference(project, "ann", Item(topic, (left, right), ("", ""), "pair"), winner)


def answer_transitively(one: str, two: str, index: int) -> str:
    return "" if index == 0 and two == "ql" else min((one, two), key=("bm25", "ql", "title").index)


def answer_in_a_circle(one: str, two: str, _place: int) -> str:
    return {("bm25", "ql"): "bm25", ("ql", "title"): "ql", ("bm25", "title"): "title"}[one, two]


@pytest.fixture
def first_page() -> str:
    return "preferences"


@pytest.fixture
def show_page(
    open_window: Window, wait_until_idle: Callable[[], None]
) -> Callable[[], PreferencesView]:
    def do() -> PreferencesView:
        open_window.do("preferences")
        wait_until_idle()
        view = open_window.pages.view("preferences")
        assert isinstance(view, PreferencesView)
        return view

    return do


@pytest.fixture
def judged_project(open_window: Window) -> Project:
    assert open_window.project is not None
    compare_runs(open_window.project, ("ann", "bo"), answer_transitively)
    return open_window.project


def engine_findings(project: Project, share: float = 0.6) -> tuple[PreferenceStatistic, ...]:
    measures = parse_measures(["AP", "P@10", "nDCG@10", "RR"])
    preferences = read_project_preferences(project, map_sides_to_runs(project))
    return preference_results(
        preferences, share=share, evaluation=evaluate_project(project, measures)
    ).findings


def select_pair(page: PreferencesView, first: str, second: str) -> PairRow:
    row = [(line.first, line.second) for line in page.pairs.rows].index((first, second))
    page.table.selectRow(page.pairs.line_of(row).row())
    chosen = page.chosen()
    assert chosen is not None
    return chosen


def test_the_pairs_equal_those_of_the_engine(
    judged_project: Project, show_page: Callable[[], PreferencesView]
) -> None:
    page, findings = show_page(), engine_findings(judged_project)
    assert page.pairs.rows == build_pair_rows(findings)
    line = select_pair(page, "bm25", "ql")
    assert (line.wins, line.losses, line.ties) == (10, 0, 2)
    assert line.majorities is not None and (line.majorities.count, line.majorities.total) == (5, 5)
    assert page.by_topic.rows == [
        each
        for each in findings
        if each.part == "topics" and (each.first, each.second) == ("bm25", "ql")
    ]
    assert [each.assessor for each in page.by_assessor.rows] == ["ann", "bo"]
    assert [each.statistic for each in page.measures.rows] == ["AP", "P@10", "nDCG@10", "RR"]


def test_conclusions_use_topics_as_units_and_not_single_answers(
    judged_project: Project, show_page: Callable[[], PreferencesView]
) -> None:
    page = show_page()
    line = select_pair(page, "bm25", "ql")
    assert line.share.p == pytest.approx(2 / 2**10) and line.p == pytest.approx(
        2 / 2**5
    )  # ten answers, but five topics
    assert line.net.low is not None and line.net.low > 0 and not line.is_conclusive
    assert page.verdict.text().startswith("No conclusion")
    assert "bm25" in page.verdict.text() and "ql" in page.verdict.text()
    assert "does not prove" in page.description_label.text()
    sure = PairRow("", "a", "b", line.share, line.net, line.majorities, p_adjusted=0.04)
    unsure = replace(sure, net=replace(line.net, low=-0.01))
    assert (
        sure.is_conclusive
        and not unsure.is_conclusive
        and words.conclude_pair(unsure).startswith("No conclusion")
    )
    assert words.conclude_pair(sure).startswith("a is significantly preferred")
    assert "does not prove" not in words.explain_pair(sure)


@pytest.mark.slow
def test_the_adjusted_p_value_uses_the_number_of_pairs(
    judged_project: Project, show_page: Callable[[], PreferencesView]
) -> None:
    adjusted = {
        (line.first, line.second): (line.p, line.p_adjusted) for line in show_page().pairs.rows
    }
    assert adjusted["bm25", "title"] == pytest.approx(
        (2 / 2**6, 3 * 2 / 2**6)
    )  # the smallest of three


@pytest.mark.slow
def test_strengths_are_drawn_with_their_intervals_the_best_first(
    judged_project: Project, show_page: Callable[[], PreferencesView]
) -> None:
    page = show_page()
    result = [
        each
        for each in engine_findings(judged_project)
        if each.statistic.startswith("davidson log-worth")
    ]
    assert [row.name for row in page.plot._rows] == list(RUNS) == [each.first for each in result]
    assert [(row.value, row.low, row.high) for row in page.plot._rows] == [
        (each.value, each.low, each.high) for each in result
    ]
    assert "won or lost all" in visible_text(page) and "Davidson" in visible_text(page)
    assert "⚠ Never compared" not in visible_text(page) and "bm25 beats all others" in visible_text(
        page
    )


@pytest.mark.slow
def test_contradictions_are_described(
    open_window: Window, show_page: Callable[[], PreferencesView]
) -> None:
    assert open_window.project is not None
    compare_runs(open_window.project, ("ann",), answer_in_a_circle)
    text = visible_text(show_page())
    assert (
        "bm25 beats ql, ql beats title, title beats bm25." in text and "Circular triads: 1." in text
    )


def test_a_cycle_without_circular_triads_is_no_order() -> None:
    """a > b > c > d > a, and neither a and c nor b and d were compared."""
    preferences = make_preferences([*"abcd"], [*"bcda"], [1] * 4)
    (line,) = words.describe_contradictions(
        [each for each in preference_results(preferences).findings if each.part == "order"]
    ).splitlines()
    assert line == "⚠ a beats b, b beats c, c beats d, d beats a."


@pytest.mark.slow
def test_planning_parameters_can_be_changed(
    judged_project: Project,
    show_page: Callable[[], PreferencesView],
    wait_until_idle: Callable[[], None],
) -> None:
    page = show_page()
    select_pair(page, "bm25", "title")
    # 210 answers, none of them a tie
    assert any(find_numbers(text)[-4:] == ["60", "80", "198", "210"] for text in label_texts(page))
    page.share.set_value(75)
    page.share.changed.emit(75)
    wait_until_idle()
    assert any(find_numbers(text)[-4:] == ["75", "80", "23", "35"] for text in label_texts(page))


def test_side_bias_and_repeated_questions_are_described(
    open_window: Window,
    show_page: Callable[[], PreferencesView],
    wait_until_idle: Callable[[], None],
) -> None:
    project = open_window.project
    assert project is not None
    compare_documents(project, "1")
    page = show_page()
    assert "3 of 4 answers" in visible_text(page) and ": 75.0\u00a0%" in visible_text(page)
    assert "No side bias detected" in visible_text(page)
    assert "answer 1 of 1" in visible_text(page) and "0 of 1 times" in visible_text(page)
    documents = page.topic
    assert (
        page.kind.currentData() == DOCUMENTS
        and documents.currentData() == "1"
        and not page.share.isVisible()
    )
    assert [each.first for each in page.measures.rows if not each.topic] == [] and is_shown(
        page, "Agreement of the measures with the preferences"
    )


def test_side_bias_is_a_warning() -> None:
    def describe(value: float, p: float) -> str:
        return words.describe_side_bias(
            [PreferenceStatistic("sides", "", "", "", "", "left chosen", value, 0.1, 0.9, p, 1, 2)]
        )

    assert "choose the left side" in describe(0.8, 0.01) and "choose the right side" in describe(
        0.2, 0.01
    )
    assert "tend to" not in describe(0.8, 0.05) and "No side bias detected" in describe(0.8, 0.05)


def test_items_not_connected_by_comparisons_are_named() -> None:
    def make_row(first: str, second: str) -> PairRow:
        nothing = PreferenceStatistic("pairs", "", "", first, second, "")
        return PairRow("", first, second, nothing, nothing)

    groups = connected_groups(
        [make_row("a", "b"), make_row("c", "d"), make_row("b", "e"), make_row("f", "d")]
    )
    assert groups == [["a", "b", "e"], ["c", "d", "f"]]
    warning = words.warn_unconnected_groups(groups)
    assert all(", ".join(each) in warning for each in groups) and "e, c" not in warning
    assert words.warn_unconnected_groups(groups[:1]) == ""


def test_a_placeholder_in_a_name_is_kept() -> None:
    filled = words.filled("{run} won {count} %", run="{count}%", count=7)
    assert filled == "{count}% won 7 %"


def test_without_preferences_the_page_explains_its_purpose(
    show_page: Callable[[], PreferencesView],
) -> None:
    page = show_page()
    assert page.state_page is not None and not page.table.isVisible() and not page.kind.isVisible()
    assert page.state_page.buttons[0].hasFocus()


def test_unreadable_answers_are_reported_and_nothing_else_is_shown(
    open_window: Window, show_page: Callable[[], PreferencesView]
) -> None:
    assert open_window.project is not None
    record_preference(
        open_window.project,
        "ann",
        Item("1", ("d1", "d2"), ("", ""), "panel"),
        LEFT,
        sides=["x", "y"],
    )
    page = show_page()
    assert (
        "side x" in page.problem.text() and not page.table.isVisible() and page.state_page is None
    )


def test_the_number_of_answers_needed_belongs_to_the_win_rate_shown_with_it(
    judged_project: Project,
    show_page: Callable[[], PreferencesView],
    wait_until_idle: Callable[[], None],
) -> None:
    page = show_page()
    select_pair(page, "ql", "title")
    shown = page._plan_label.text()
    assert "60" in find_numbers(shown)
    page.share.set_value(90)
    page.share.changed.emit(90)
    page.cancel_jobs()
    select_pair(page, "bm25", "ql")
    select_pair(page, "ql", "title")
    assert page._plan_label.text() == shown
    page.refresh()
    wait_until_idle()
    assert "90" in find_numbers(page._plan_label.text())


def test_after_a_cancelled_computation_the_kind_is_that_of_the_results_shown(
    judged_project: Project,
    show_page: Callable[[], PreferencesView],
) -> None:
    compare_documents(judged_project, "1")
    page = show_page()
    kind = page.kind.currentData()
    other = 1 - page.kind.currentIndex()
    page.kind.setCurrentIndex(other)
    page.kind.activated.emit(other)
    page.cancel_jobs()
    assert page.kind.currentData() == kind
