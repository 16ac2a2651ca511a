"""Tests of the agreement page: the engine's numbers, cautious wording, and pairwise matrices."""

import shutil
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
    list_counted_assessors,
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
from tests.numbers_in_text import find_numbers
from tests.ui.window_content import find_widget, label_texts, visible_text

ONE_WINDOW = True


@pytest.fixture
def first_page() -> str:
    return "agreement"


@pytest.fixture
def page(assessed_window: Window) -> AgreementView:
    view = assessed_window.pages.view("agreement")
    assert isinstance(view, AgreementView)
    return view


def test_the_results_of_another_project_are_not_shown(
    page: AgreementView, assessed_window: Window, everyday: Path, tmp_path: Path
) -> None:
    assert page.statistics.rows and page.pair_plot.matrix.row_names
    other = Path(shutil.copy(everyday, tmp_path / "other.irjudge"))
    with open_project(other) as project:
        page.show_project(project)
        assert not page.statistics.rows and not page.pair_plot.matrix.row_names
        page.show_project(None)


def select_statistic(page: AgreementView, name: str) -> None:
    model = page.table.model()
    line = next(line for line in range(model.rowCount()) if model.index(line, 0).data() == name)
    page.table.setCurrentIndex(model.index(line, 0))


def test_no_agreement_of_other_judgments_is_shown_after_a_cancellation(
    page: AgreementView, wait_until_idle: Callable[[], None]
) -> None:
    assert page.project is not None and page.statistics.rows
    exclude_assessor(page.project, "cleo")
    for cancels in (True, False):
        page.refresh()
        if cancels:
            page.cancel_jobs()
        wait_until_idle()
        assert bool(page.statistics.rows) != cancels


@pytest.mark.slow
def test_the_numbers_equal_those_of_the_engine(page: AgreementView) -> None:
    assert page.project is not None
    given = project_labels(page.project)
    assert tuple(page.statistics.rows) == agreement(given)
    assert [each for part in page.topics.rows for each in part] == list(
        agreement_by_topic(given, ["raw-agreement", "alpha-nominal"])
    )
    assert [part[0].of for part in page.grades.rows] == ["0", "1", "2", "3"]
    [kappa] = agreement_of_pairs(given, ["kappa-nominal"])
    np.testing.assert_array_equal(page.pair_plot.matrix.values, kappa.matrix())
    assert page.pair_plot.matrix.row_names == ("ann", "bob", "cleo")
    assert "Assessors: 3; judgments: 18; documents: 6." in label_texts(page)


@pytest.mark.slow
def test_another_statistic_of_two_assessors_is_drawn(page: AgreementView) -> None:
    assert page.result is not None
    lease = page.pair_statistic_box.findText("Raw agreement")
    page.pair_statistic_box.setCurrentIndex(lease)
    page.pair_statistic_box.activated.emit(lease)
    assert page.pair_plot.matrix.values[0, 1] == pytest.approx(4 / 6)


def test_a_value_is_explained_with_its_data_and_without_a_verdict(
    page: AgreementView,
) -> None:
    select_statistic(page, "Raw agreement")
    # Worked by hand: agreeing pairs are 3, 0, 3, 1, 0, 1 of 3 each: 8 of 18.
    assert any(find_numbers(label)[:2] == ["44", "100"] for label in label_texts(page))
    assert "6 of 6 documents" in visible_text(page)
    select_statistic(page, "Krippendorff's alpha, nominal")
    assert any("(0)" in label and "(1)" in label for label in label_texts(page))
    text = " ".join(explain_value(each) for each in page.statistics.rows).lower()
    assert not [
        word
        for word in ("moderate", "substantial", "fair ", "almost perfect", "poor")
        if word in text
    ]


@pytest.mark.slow
def test_an_undefined_value_states_its_reason(
    page: AgreementView, wait_until_idle: Callable[[], None]
) -> None:
    project = page.project
    assert project is not None
    from_two = [each for each in page.statistics.rows if each.value is None]
    for each in from_two:
        assert explain_value(each).startswith("Undefined: ")
    exclude_assessor(project, "bob")
    page.refresh()
    wait_until_idle()
    assert any(text.startswith("Assessors: 2;") for text in label_texts(page))
    assert {statistic_title(each) for each in page.statistics.rows} >= {"Raw agreement"}


@pytest.mark.slow
def test_system_orders_by_assessor_are_drawn_next_to_the_consensus(
    page: AgreementView,
) -> None:
    assert page.orders is not None
    plot = page.order_plot.matrix
    assert (
        plot.row_names == ["ann", "bob", "cleo", "consensus"]
        and np.isnan(np.diag(plot.values)).all()
    )
    assert f"{page.orders.systems}; at least 5" in visible_text(page)
    assert page.measure.itemText(0) == "nDCG@10" and page.measure.count() > 1
    page.measure.setCurrentIndex(1)
    page.measure.activated.emit(1)
    assert page.order_plot.matrix.row_names[-1] == "consensus"


def test_after_cancel_no_earlier_result_is_shown_and_the_next_visit_computes(
    page: AgreementView, wait_until_idle: Callable[[], None]
) -> None:
    assert page.project is not None and page.statistics.rows
    exclude_assessor(page.project, list_counted_assessors(page.project)[0])
    page.refresh()
    page.cancel_jobs()
    assert not page.statistics.rows and page.result is None
    page.refresh()
    wait_until_idle()
    assert page.result is not None and page.statistics.rows


@pytest.mark.slow
def test_nothing_is_recomputed_while_nothing_has_changed(
    page: AgreementView, wait_until_idle: Callable[[], None]
) -> None:
    before = page.result
    page.refresh()
    wait_until_idle()
    assert page.result is before


def test_with_one_assessor_the_page_explains_its_purpose(
    open_window: Window, wait_until_idle: Callable[[], None]
) -> None:
    open_window.do("agreement")
    wait_until_idle()
    view = open_window.pages.view("agreement")
    assert isinstance(view, AgreementView) and view.state_stack.page is not None
    view.state_stack.page.buttons[0].click()
    assert open_window.pages.on_top() == "assessors"


def test_disputed_documents_are_listed_by_title_and_can_be_opened(
    page: AgreementView,
) -> None:
    assert page.project is not None
    rows = page.disagreed.rows
    # Worked by hand from GRADES: ann 2 2 0 1 3 0, bob 2 0 0 1 1 0, cleo 2 3 0 0 2 3; all three
    # agree on the first and the third.
    assert [row.distance for row in rows] == [3, 3, 2, 1]
    assert tuple(rows) == find_disagreements(project_labels(page.project)) and rows
    model = find_widget(page, "Documents with disagreement", Table).model()
    titles = page.project.collection.titles([row.document for row in rows])
    assert [model.index(line, 1).data() for line in range(model.rowCount())] == [
        titles[row.document] for row in rows
    ]
    assert model.index(0, 3).data() == ", ".join(
        f"{name} {label}" for name, label in rows[0].labels
    )
    find_widget(page, "Documents with disagreement", Table).opened.emit(0)
    dialog = page.findChild(DocumentDialog)
    assert dialog is not None and dialog.isVisible()
    dialog.close()


def add_participants(page: AgreementView, *names: str) -> None:
    """Make assessors participants of a session."""
    assert page.project is not None
    code = page.project.sessions.add("s", 1, {}, "2026-03-01T10:00:00.000Z")
    for name in names:
        assignment = page.project.assignments.add(Assignment(0, f"of {name}", name, "grade", 1), ())
        page.project.sessions.add_participant(
            Participant(
                name, code, assignment, name.title(), name.encode(), "2026-03-01T10:00:00.000Z"
            )
        )


def choose_group(page: AgreementView, group: str) -> None:
    page.group_box.setCurrentIndex(page.group_box.findData(group))
    page.group_box.activated.emit(page.group_box.currentIndex())


@pytest.mark.slow
def test_assessors_of_sessions_and_of_files_can_be_analysed_separately(
    page: AgreementView, assessed_window: Window, wait_until_idle: Callable[[], None]
) -> None:
    assert not page.group_box.isVisible(), "there is nothing to choose"
    add_participants(page, "bob", "cleo")
    page.refresh()
    wait_until_idle()
    assert (
        page.group_box.isVisible()
        and page.group_box.currentData() == "everybody"
        and len(page.pair_plot.matrix.row_names) == 3
    )
    choose_group(page, "sessions")
    wait_until_idle()
    assert page.pair_plot.matrix.row_names == ("Bob", "Cleo")
    assert (
        assessed_window.uncounted_warning.text() and assessed_window.uncounted_warning.isVisible()
    )
    choose_group(page, "everybody")
    wait_until_idle()
    assert (
        len(page.pair_plot.matrix.row_names) == 3
        and not assessed_window.uncounted_warning.isVisible()
    )


def test_a_group_of_one_shows_no_numbers_and_can_be_changed_back(
    page: AgreementView, wait_until_idle: Callable[[], None]
) -> None:
    add_participants(page, "bob", "cleo")
    choose_group(page, "others")
    wait_until_idle()
    assert (
        page.result is None
        and not page.statistics.rows
        and not page.disagreed.rows
        and page.state_stack.page is None
    )
    assert "Agreement needs" in visible_text(page) and page.group_box.isVisible()
    assert page.project is not None
    set_counted_group(page.project, "everybody")
    page.refresh()
    wait_until_idle()
    assert page.group_box.currentData() == "everybody" and len(page.pair_plot.matrix.row_names) == 3


def test_if_one_of_two_assessors_only_skipped_the_page_says_what_is_missing(
    open_path: Callable[[Path], Window], project_path: Path, wait_until_idle: Callable[[], None]
) -> None:
    with open_project(project_path) as project:
        ann, bob = Session(project, "ann"), Session(project, "bob")
        ann.grade(ann.advance(), 1)
        bob.skip(bob.advance())
    window = open_path(project_path)
    window.show_page("agreement")
    wait_until_idle()
    view = window.pages.view("agreement")
    assert isinstance(view, AgreementView)
    assert (
        "Agreement needs" in visible_text(view) and view.result is None and not view.statistics.rows
    )


def test_judgments_are_compared_with_imported_ratings_as_by_the_command(
    page: AgreementView, wait_until_idle: Callable[[], None]
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
    wait_until_idle()
    assert page.ratings.isVisible()
    actual, expected = page.ratings.result, compare_ratings(project, "shop")
    assert actual is not None
    parts: tuple[Part, ...] = ("all", "grades", "confusion", "conflicts")
    for part in parts:
        assert [*actual.comparison.rows(part)] == [*expected.rows(part)]
    assert expected.judged == len(came)
    assert any(find_numbers(text)[-2:] == ["6", "4"] for text in label_texts(page))
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


def test_the_agreement_of_other_assessors_is_not_shown_after_a_cancelled_computation(
    page: AgreementView, wait_until_idle: Callable[[], None]
) -> None:
    assert page.project is not None and page.statistics.rows
    exclude_assessor(page.project, "ann", "too fast")
    page.refresh()
    page.cancel_jobs()
    for model in (page.statistics, page.topics, page.grades, page.disagreed):
        assert not model.rows
    assert not page._basis_label.text()
    page.refresh()
    wait_until_idle()
    assert tuple(page.statistics.rows) == agreement(build_vote_labels(page.project))
