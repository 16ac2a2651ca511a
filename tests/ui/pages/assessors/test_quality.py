"""The quality page: the engine's numbers, what stands out, and setting somebody aside without losing anything."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton

from irjudge.judging import Session, list_qrels_choices, project_labels, read_assigned_gold
from irjudge.stats import measure_quality
from irjudge.store import Project
from irjudge_ui.pages.assessors.quality import QualityView
from irjudge_ui.window import Window
from tests.numbers_in import numbers_in
from tests.ui.shown import is_shown, labels, named

ONE_WINDOW = True


@pytest.fixture
def first_page() -> str:
    return "quality"


@pytest.fixture
def page(assessed_window: Window) -> QualityView:
    view = assessed_window.pages.view("quality")
    assert isinstance(view, QualityView)
    return view


def choose(page: QualityView, name: str) -> None:
    model = page.table.model()
    line = next(line for line in range(model.rowCount()) if model.index(line, 0).data() == name)
    page.table.setCurrentIndex(model.index(line, 0))


def reasons(project: Project) -> dict[str, str | None]:
    return {person.name: person.set_aside for person in project.assignments.registered_assessors()}


def test_the_numbers_are_those_of_the_engine(page: QualityView) -> None:
    assert page.project is not None
    found = measure_quality(
        project_labels(page.project, repeats=True, gold=read_assigned_gold(page.project))
    )
    assert (
        [row.name for row in page.assessors.rows] == list(found.workers) == ["ann", "bob", "cleo"]
    )
    for row in page.assessors.rows:
        assert (
            row.quality.agreement.tolist() == found.agreement.tolist()
            and row.exclusion_reason is None
        )
    choose(page, "bob")
    assert page.answers.matrix.values.tolist() == found.tables[1].tolist()
    assert page.answers.matrix.rows == [
        "0",
        "1",
        "2",
        "3",
    ] and page.drift.accessibleDescription().startswith("first third: ")


def test_six_answers_are_too_little_to_tell(page: QualityView) -> None:
    choose(page, "cleo")
    assert "cleo" in labels(page) and page.description_label.text().startswith(
        "Too little data for a verdict."
    ), "six answers, however fast"
    assert page.table.model().index(2, 2).data() == "too little data"


def test_answers_that_came_before_anybody_can_read_stand_out(
    open_window: Window, project_path: Path, idle: Callable[[], None]
) -> None:
    assert open_window.project is not None
    session = Session(open_window.project, "dora")
    for number in range(12):
        work = session.current()
        assert work is not None
        session.grade(work, number % 4, active_ms=300)
        session.advance()
    page = open_window.pages.view("quality")
    open_window.do("quality")
    idle()
    assert isinstance(page, QualityView)
    choose(page, "dora")
    assert page.description_label.text().startswith("Some checks flag")
    assert numbers_in(page.description_label.text())[:2] == [
        "0.3",
        "100",
    ]  # seconds; percent too fast


def test_setting_aside_is_undone_and_every_judgment_stays(
    page: QualityView, press: Callable[..., None], idle: Callable[[], None]
) -> None:
    project = page.project
    assert project is not None
    events = project.events.count()
    choose(page, "cleo")
    page.reason.setText("too fast")
    named(page, "Exclude", QPushButton).click()
    idle()
    assert reasons(project) == {"cleo": "too fast"} and project.events.count() == events
    assert (
        "cleo" in labels(page)
        and is_shown(page, "Include again")
        and "Excluded. Reason: too fast." in page.description_label.text()
    )
    assert any(numbers_in(words)[:2] == ["2", "1"] for words in labels(page))
    assert "assessor cleo" not in [choice.name for choice in list_qrels_choices(project)]
    page.table.setFocus()
    press("z", Qt.KeyboardModifier.ControlModifier)
    idle()
    assert reasons(project) == {"cleo": None} and "assessor cleo" in [
        choice.name for choice in list_qrels_choices(project)
    ]
    press("y", Qt.KeyboardModifier.ControlModifier)
    idle()
    assert reasons(project) == {"cleo": "too fast"}
    named(page, "Include again", QPushButton).click()
    idle()
    assert reasons(project) == {"cleo": None}


def test_who_is_set_aside_no_longer_tells_how_good_the_others_are(
    page: QualityView, idle: Callable[[], None]
) -> None:
    project = page.project
    assert project is not None
    choose(page, "cleo")
    page.set_aside()
    idle()
    rows = {row.name: row for row in page.assessors.rows}
    alone = measure_quality(project_labels(project, excluded={"cleo"}, repeats=True))
    assert rows["ann"].quality.agreement[rows["ann"].index] == alone.agreement[0]
    everybody = measure_quality(project_labels(project, repeats=True))
    assert rows["cleo"].quality.agreement[rows["cleo"].index] == everybody.agreement[2], (
        "and is still seen against them"
    )


def test_where_nobody_judged_the_page_says_what_it_is_for(
    open_window: Window, idle: Callable[[], None]
) -> None:
    open_window.do("quality")
    idle()
    view = open_window.pages.view("quality")
    assert isinstance(view, QualityView) and view.state_stack.page is not None
    view.state_stack.page.buttons[0].click()
    assert open_window.pages.on_top() == "assessors"


@pytest.mark.slow
@pytest.mark.usefixtures("own_window")
def test_a_reason_typed_for_one_project_is_none_of_the_next_and_stays_while_others_judge(
    page: QualityView, assessed_window: Window, assessed_path: Path, idle: Callable[[], None]
) -> None:
    choose(page, "bob")
    page.reason.setText("too fast")
    assert page.project is not None
    session = Session(page.project, "dora")
    work = session.current()
    assert work is not None
    session.grade(work, 1, active_ms=4000)
    page.refresh()
    idle()
    assert [row.name for row in page.assessors.rows][
        -1
    ] == "dora" and page.reason.text() == "too fast"
    choose(page, "ann")
    assert page.reason.text() == "", "a reason is that of one assessor"
    page.reason.setText("too slow")
    assert assessed_window.open(
        Path(shutil.copy(assessed_path, assessed_path.with_name("other.irjudge")))
    )
    assessed_window.do("quality")
    idle()
    assert page.project.path.name == "other.irjudge" and page.reason.text() == ""
