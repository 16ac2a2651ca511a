"""The agreement page: the engine's numbers, words that conclude no more than they allow, and matrices of two assessors."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from irjudge.audit import Part, compare_ratings
from irjudge.judging import (
    Session,
    build_vote_labels,
    exclude_assessor,
    grades_by_assessor,
    project_labels,
    set_counted_group,
)
from irjudge.model import Assignment, make_qrels
from irjudge.stats.agreement import agreement, agreement_by_topic, agreement_of_pairs
from irjudge.stats.consensus import find_disagreements
from irjudge.store import Participant, open_project
from irjudge_ui.pages.assessors.agreement import AgreementView, explain_value, statistic_title
from irjudge_ui.pages.shared import DocumentDialog
from irjudge_ui.widgets import Table
from irjudge_ui.window import Window
from tests.numbers_in import numbers_in
from tests.ui.shown import labels, named, says


@pytest.fixture
def first_page() -> str:
    return "agreement"


@pytest.fixture
def page(assessed_window: Window) -> AgreementView:
    view = assessed_window.pages.view("agreement")
    assert isinstance(view, AgreementView)
    return view


def choose(page: AgreementView, name: str) -> None:
    model = page.table.model()
    line = next(line for line in range(model.rowCount()) if model.index(line, 0).data() == name)
    page.table.setCurrentIndex(model.index(line, 0))


@pytest.mark.slow
def test_the_numbers_are_those_of_the_engine(page: AgreementView) -> None:
    assert page.project is not None
    given = project_labels(page.project)
    assert tuple(page.statistics.rows) == agreement(given)
    assert [each for part in page.topics.rows for each in part] == list(
        agreement_by_topic(given, ["raw-agreement", "alpha-nominal"])
    )
    assert [part[0].of for part in page.grades.rows] == ["0", "1", "2", "3"]
    [kappa] = agreement_of_pairs(given, ["kappa-nominal"])
    np.testing.assert_array_equal(page.pair_plot.matrix.values, kappa.matrix())
    assert page.pair_plot.matrix.rows == ("ann", "bob", "cleo")
    assert "Assessors: 3; judgments: 18; documents: 6." in labels(page)


@pytest.mark.slow
def test_another_statistic_of_two_is_drawn(page: AgreementView) -> None:
    assert page.result is not None
    place = page.pair_statistic_box.findText("Raw agreement")
    page.pair_statistic_box.setCurrentIndex(place)
    page.pair_statistic_box.activated.emit(place)
    assert page.pair_plot.matrix.values[0, 1] == pytest.approx(4 / 6)


def test_a_value_is_explained_with_what_it_rests_on_and_without_a_verdict(
    page: AgreementView,
) -> None:
    choose(page, "Raw agreement")
    # By hand: pairs that agree are 3, 0, 3, 1, 0, 1 of 3 each: 8 of 18.
    assert any(numbers_in(words)[:2] == ["44", "100"] for words in labels(page))
    assert "6 of 6 documents" in says(page)
    choose(page, "Krippendorff's alpha, nominal")
    assert any("(0)" in words and "(1)" in words for words in labels(page))
    said = " ".join(explain_value(each) for each in page.statistics.rows).lower()
    assert not [
        word
        for word in ("moderate", "substantial", "fair ", "almost perfect", "poor")
        if word in said
    ]


@pytest.mark.slow
def test_what_is_undefined_says_why(page: AgreementView, idle: Callable[[], None]) -> None:
    project = page.project
    assert project is not None
    from_two = [each for each in page.statistics.rows if each.value is None]
    for each in from_two:
        assert explain_value(each).startswith("Undefined: ")
    exclude_assessor(project, "bob")
    page.refresh()
    idle()
    assert any(words.startswith("Assessors: 2;") for words in labels(page))
    assert {statistic_title(each) for each in page.statistics.rows} >= {"Raw agreement"}


@pytest.mark.slow
def test_the_order_of_systems_under_each_assessor_is_drawn_beside_the_consensus(
    page: AgreementView,
) -> None:
    assert page.orders is not None
    plot = page.order_plot.matrix
    assert plot.rows == ["ann", "bob", "cleo", "consensus"] and np.isnan(np.diag(plot.values)).all()
    assert f"{page.orders.systems}; at least 5" in says(page)
    assert page.measure.itemText(0) == "nDCG@10" and page.measure.count() > 1
    page.measure.setCurrentIndex(1)
    page.measure.activated.emit(1)
    assert page.order_plot.matrix.rows[-1] == "consensus"


@pytest.mark.slow
def test_nothing_is_computed_again_while_nothing_changed(
    page: AgreementView, idle: Callable[[], None]
) -> None:
    before = page.result
    page.refresh()
    idle()
    assert page.result is before


def test_with_one_assessor_the_page_says_what_it_is_for(
    open_window: Window, idle: Callable[[], None]
) -> None:
    open_window.do("agreement")
    idle()
    view = open_window.pages.view("agreement")
    assert isinstance(view, AgreementView) and view.state_stack.page is not None
    view.state_stack.page.buttons[0].click()
    assert open_window.pages.on_top() == "assessors"


def test_the_documents_people_disagree_on_are_listed_by_title_and_opened(
    page: AgreementView,
) -> None:
    assert page.project is not None
    rows = page.disagreed.rows
    # By hand, of GRADES: ann 2 2 0 1 3 0, bob 2 0 0 1 1 0, cleo 2 3 0 0 2 3; all three agree on the first and the third.
    assert [row.distance for row in rows] == [3, 3, 2, 1]
    assert tuple(rows) == find_disagreements(project_labels(page.project)) and rows
    model = named(page, "Documents with disagreement", Table).model()
    titles = page.project.collection.titles([row.document for row in rows])
    assert [model.index(line, 1).data() for line in range(model.rowCount())] == [
        titles[row.document] for row in rows
    ]
    assert model.index(0, 3).data() == ", ".join(
        f"{name} {label}" for name, label in rows[0].labels
    )
    named(page, "Documents with disagreement", Table).opened.emit(0)
    dialog = page.findChild(DocumentDialog)
    assert dialog is not None and dialog.isVisible()
    dialog.close()


def let_join(page: AgreementView, *names: str) -> None:
    """Let assessors be people of a session."""
    assert page.project is not None
    code = page.project.sessions.add("s", 1, {}, "2026-03-01T10:00:00.000Z")
    for name in names:
        assignment = page.project.assignments.add(Assignment(0, f"of {name}", name, "grade", 1), ())
        page.project.sessions.join(
            Participant(
                name, code, assignment, name.title(), name.encode(), "2026-03-01T10:00:00.000Z"
            )
        )


def choose_group(page: AgreementView, group: str) -> None:
    page.group_box.setCurrentIndex(page.group_box.findData(group))
    page.group_box.activated.emit(page.group_box.currentIndex())


@pytest.mark.slow
def test_where_people_of_sessions_and_others_judged_it_can_be_chosen_who_counts(
    page: AgreementView, assessed_window: Window, idle: Callable[[], None]
) -> None:
    assert not page.group_box.isVisible(), "there is nothing to choose"
    let_join(page, "bob", "cleo")
    page.refresh()
    idle()
    assert (
        page.group_box.isVisible()
        and page.group_box.currentData() == "everybody"
        and len(page.pair_plot.matrix.rows) == 3
    )
    choose_group(page, "sessions")
    idle()
    assert page.pair_plot.matrix.rows == ("Bob", "Cleo")
    assert assessed_window.uncounted.text() and assessed_window.uncounted.isVisible()
    choose_group(page, "everybody")
    idle()
    assert len(page.pair_plot.matrix.rows) == 3 and not assessed_window.uncounted.isVisible()


def test_with_one_of_a_group_no_number_of_another_stays_and_the_way_back_is_there(
    page: AgreementView, idle: Callable[[], None]
) -> None:
    let_join(page, "bob", "cleo")
    choose_group(page, "others")
    idle()
    assert (
        page.result is None
        and not page.statistics.rows
        and not page.disagreed.rows
        and page.state_stack.page is None
    )
    assert "Agreement needs" in says(page) and page.group_box.isVisible()
    assert page.project is not None
    set_counted_group(page.project, "everybody")
    page.refresh()
    idle()
    assert page.group_box.currentData() == "everybody" and len(page.pair_plot.matrix.rows) == 3


def test_where_one_of_two_has_only_skipped_the_page_says_what_is_missing(
    opened: Callable[[Path], Window], project_path: Path, idle: Callable[[], None]
) -> None:
    with open_project(project_path) as project:
        ann, bob = Session(project, "ann"), Session(project, "bob")
        ann.grade(ann.advance(), 1)
        bob.skip(bob.advance())
    window = opened(project_path)
    window.show_page("agreement")
    idle()
    view = window.pages.view("agreement")
    assert isinstance(view, AgreementView)
    assert "Agreement needs" in says(view) and view.result is None and not view.statistics.rows


def test_what_was_judged_is_held_against_the_ratings_that_came_as_the_command_does(
    page: AgreementView, idle: Callable[[], None]
) -> None:
    project = page.project
    assert project is not None
    given = grades_by_assessor(build_vote_labels(project))
    came = {
        pair: 0 if number == 1 else grade
        for number, (pair, grade) in enumerate(given["ann"].items())
    }
    project.rankings.add_qrels("shop", make_qrels([(*pair, grade) for pair, grade in came.items()]))
    page.refresh()
    page.ratings.source.setCurrentIndex(page.ratings.source.findData("shop"))
    page.ratings.source.activated.emit(page.ratings.source.currentIndex())
    idle()
    assert page.ratings.isVisible()
    told, expected = page.ratings.result, compare_ratings(project, "shop")
    assert told is not None
    parts: tuple[Part, ...] = ("all", "grades", "confusion", "conflicts")
    for part in parts:
        assert [*told.comparison.rows(part)] == [*expected.rows(part)]
    assert expected.judged == len(came)
    assert any(numbers_in(words)[-2:] == ["6", "4"] for words in labels(page))
    table = page.ratings.table
    assert [table.model().index(line, 0).data() for line in range(4)] == [
        "Consensus of all assessors",
        "ann",
        "bob",
        "cleo",
    ]
    table.setCurrentIndex(table.model().index(1, 0))
    np.testing.assert_array_equal(
        page.ratings.confusion.matrix.values, expected.raters[1].confusion.total
    )
    assert [row.grade for row in page.ratings.grades.rows] == sorted({*came.values()})
    page.ratings.conflict_table.opened.emit(0)
    dialog = page.findChild(DocumentDialog)
    assert dialog is not None and dialog.isVisible()
    dialog.close()
