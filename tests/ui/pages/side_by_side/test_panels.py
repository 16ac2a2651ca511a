"""Tests of the side-by-side page: keys choose the better side, and the runs stay anonymous."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication, QLabel, QWidget
from pytestqt.qtbot import QtBot

from irjudge.errors import CommitFailed
from irjudge.exchange import (
    ComparisonOptions,
    assign_comparison,
    assign_comparison_to_owner,
    parse_candidates,
)
from irjudge.judging import (
    ComparisonSession,
    get_ledger,
    map_sides_to_runs,
    read_project_preferences,
)
from irjudge.model import ComparisonRules, Document, Scale, Topic, make_run
from irjudge.store import EventLog, create_project, open_project
from irjudge_ui.pages.shared import View
from irjudge_ui.pages.side_by_side import ComparisonView
from irjudge_ui.pages.side_by_side.result_lists import ComparedLists
from irjudge_ui.settings import Settings
from irjudge_ui.widgets.theme import LIGHT
from irjudge_ui.window import Window
from irjudge_ui.workspace import ActionRow, AnswerButton
from tests.ui.layout_checks import (
    find_cut_texts,
    find_overlaps,
    process_layouts,
    set_size_and_theme,
)
from tests.ui.window_content import find_widget

ONE_WINDOW = True

Key, Modifier = Qt.Key, Qt.KeyboardModifier
RUNS = ("zebrarank", "okapifuse")
Open = Callable[..., ComparisonView]


def make_project(path: Path, *, same: bool = False, long: bool = False) -> None:
    """Create three topics, two runs of four documents; `same` makes one topic's lists identical."""
    topics = ("051", "007", "9")
    with create_project(path, scale=Scale.parse("0-3")) as project:
        project.collection.add_topics(
            Topic(topic, f"tides of {topic}", "about tides") for topic in topics
        )
        text = "The tide comes and goes. " * (300 if long else 3)
        project.collection.add_documents(
            Document(
                f"t{topic}n{number}",
                f"{text} Harbour {number}.".encode(),
                f"Title {number} of {topic}",
            )
            for topic in topics
            for number in range(6)
        )
        for name, begin in zip(RUNS, (0, 2), strict=True):
            rows = [
                (topic, f"t{topic}n{number}", float(-number))
                for topic in topics
                for number in range(*((0, 4) if same and topic == "9" else (begin, begin + 4)))
            ]
            project.rankings.add_run(make_run(name, rows))


@pytest.mark.parametrize("maxima", [(100, 500), (500, 100)])
def test_linked_lists_of_different_lengths_scroll_by_the_same_steps_up_and_down(
    qtbot: QtBot, maxima: tuple[int, int]
) -> None:
    view = ComparedLists()
    qtbot.addWidget(view)
    for bar, maximum in zip(view.bars, maxima, strict=True):
        bar.setRange(0, maximum)
        bar.setSingleStep(10)
    longer = view.bars[maxima.index(max(maxima))]
    positions = []
    for lines in (4, 4, 4, 4, -4, -4, -4):
        view.step(lines=lines)
        positions.append(longer.value())
    assert positions == [120, 240, 360, 480, 360, 240, 120]
    view.step(lines=-3)
    assert [bar.value() for bar in view.bars] == [30, 30]


@pytest.fixture
def open_panels(window: Window, tmp_path: Path, qtbot: QtBot) -> Open:
    """Function that creates a project, assigns a comparison to its owner, and shows the page."""

    def make(*, same: bool = False, long: bool = False, **options: Any) -> ComparisonView:
        path = tmp_path / "compare.irjudge"
        make_project(path, same=same, long=long)
        with open_project(path) as project:
            assign_comparison_to_owner(
                project, ComparisonOptions((RUNS,), **{"seed": 3, **options})
            )
        assert window.open(path)
        window.do("panels")
        qtbot.waitUntil(lambda: window.panels.can_compare)
        return window.panels

    return make


def test_question_and_reasons_are_those_of_the_shown_comparison(open_panels: Open) -> None:
    view = open_panels()
    assert len(view.foot.boxes) == 4
    session = view.session
    assert session is not None
    rules = ComparisonRules(reasons=("clearer",), top=1)
    options = ComparisonOptions((RUNS,), depth=3, rules=rules, choice="top", seed=3)
    assign_comparison_to_owner(session.project, options)
    view.form.designed.emit("")
    assert len(view.foot.boxes) == 4
    assert view.session is not None
    while (lists := view.session.current()) is not None and lists.item.type == "panel":
        view.session.prefer(lists, "left")
        view.turns.move(view.session.advance)
    assert [box.text() for box in view.foot.boxes] == ["clearer"]
    assert any(text.startswith("Which document") for text in all_texts(view.foot))


def read_preferences(view: ComparisonView) -> list[dict[str, Any]]:
    assert view.session is not None
    return [
        dict(event.payload)
        for event in get_ledger(view.session.project).judgments()
        if event.kind == "preference"
    ]


def count_compared(view: ComparisonView) -> int:
    assert view.session is not None
    return view.session.count().judged


@pytest.mark.slow
@pytest.mark.parametrize(
    ("key", "modifier", "winner", "strength"),
    [
        (Key.Key_Left, Modifier.NoModifier, "left", 1),
        (Key.Key_Right, Modifier.NoModifier, "right", 1),
        (Key.Key_0, Modifier.NoModifier, "tie", 0),
        (Key.Key_Equal, Modifier.NoModifier, "tie", 0),
        (Key.Key_Left, Modifier.ShiftModifier, "left", 2),
        (Key.Key_Right, Modifier.ShiftModifier, "right", 2),
    ],
)
def test_one_key_chooses_the_better_side_and_shows_the_next_panel(
    open_panels: Open,
    press: Callable[..., None],
    qtbot: QtBot,
    key: Qt.Key,
    modifier: Qt.KeyboardModifier,
    winner: str,
    strength: int,
) -> None:
    view = open_panels()
    first = view.rendered_item
    assert first is not None
    press(key, modifier)
    qtbot.waitUntil(lambda: view.can_compare)
    assert view.rendered_item is not None and view.rendered_item.item != first.item
    (preference,) = read_preferences(view)
    assert (preference["winner"], preference["strength"], preference["sides"]) == (
        winner,
        strength,
        list(first.item.sides),
    )
    assert "undoes it" in view.foot.message.text()


def test_a_key_counts_only_for_rendered_lists_and_after_the_guard_time(
    open_panels: Open, settings: Settings, press: Callable[..., None], qtbot: QtBot
) -> None:
    settings.set("guard_ms", 5000)
    view = open_panels()
    press(Key.Key_Left)
    assert count_compared(view) == 0 and "had just appeared" in view.foot.message.text()
    settings.set("guard_ms", 0)
    view.prefer("left", 1)
    view.prefer("right", 1)  # the next lists are loading and not on screen
    assert count_compared(view) == 1
    qtbot.waitUntil(lambda: view.can_compare)


def test_a_held_key_answers_once(
    open_panels: Open, hold_key: Callable[..., None], qtbot: QtBot
) -> None:
    view = open_panels()
    focus = QApplication.focusWidget()
    assert focus is not None
    assert not any(action.autoRepeat() for action in view.actions_by_id.values())
    # an even number with the first press: if each toggled the box, it would be unchecked
    hold_key(focus, Key.Key_1, 9)
    assert [box.isChecked() for box in view.foot.boxes] == [True, False, False, False], (
        "a held digit ticks once"
    )


def test_an_answer_that_cannot_be_saved_stays_on_screen_and_is_retried(
    open_panels: Open, press: Callable[..., None], qtbot: QtBot
) -> None:
    view = open_panels()
    first = view.rendered_item
    assert first is not None

    def full_disk(*_: object) -> None:
        raise CommitFailed("Not saved: the disk is full.")

    with pytest.MonkeyPatch.context() as broken:
        broken.setattr(EventLog, "append", full_disk)
        press("1")
        press(Key.Key_Left)
    assert (
        view.rendered_item is first
        and count_compared(view) == 0
        and "disk is full" in view.foot.message.text()
    )
    assert view.foot.boxes[0].isChecked()
    press(Key.Key_F5)
    qtbot.waitUntil(lambda: view.can_compare)
    assert count_compared(view) == 1 and read_preferences(view)[0]["reasons"] == ["more relevant"]


def test_undo_and_redo_restore_answers_with_their_reasons(
    open_panels: Open, press: Callable[..., None], qtbot: QtBot
) -> None:
    view = open_panels()
    first = view.rendered_item
    assert first is not None
    press("2")
    press("N")
    for letter in "ODD":
        press(letter)
    press(Key.Key_Return)
    press(Key.Key_Right)
    qtbot.waitUntil(lambda: view.can_compare)
    assert read_preferences(view)[0]["note"] == "odd" and read_preferences(view)[0]["reasons"] == [
        "better order"
    ]
    press("Z", Modifier.ControlModifier)
    qtbot.waitUntil(lambda: view.can_compare)
    assert (
        count_compared(view) == 0
        and view.rendered_item is not None
        and view.rendered_item.item == first.item
    )
    assert view.foot.boxes[1].isChecked() and view.foot.note.text() == "odd"
    press("Y", Modifier.ControlModifier)
    qtbot.waitUntil(lambda: view.can_compare)
    assert count_compared(view) == 1


def continue_row(view: ComparisonView) -> ActionRow:
    return next(
        each for each in view.findChildren(ActionRow) if each.accessibleName() == "continue judging"
    )


def test_after_undo_the_row_to_continue_is_visible_at_every_size(
    open_panels: Open, press: Callable[..., None], window: Window, qtbot: QtBot
) -> None:
    view = open_panels()
    press(Key.Key_Right)
    qtbot.waitUntil(lambda: view.can_compare)
    front = view.rendered_item
    assert front is not None and not continue_row(view).isVisible()
    for zoom, size in ((1.0, (1366, 728)), (2.0, (800, 600))):
        window.settings.set("zoom", zoom)
        set_size_and_theme(window, size, LIGHT)
        press("Z", Modifier.ControlModifier)
        qtbot.waitUntil(lambda: view.can_compare)
        process_layouts()
        shown = continue_row(view)
        assert shown.isVisible() and shown.visibleRegion().boundingRect() == shown.rect()
        assert (
            find_cut_texts(window) == []
            and find_overlaps(window) == []
            and (window.width(), window.height()) == size
        )
        press("G") if zoom == 1 else qtbot.mouseClick(shown, Qt.MouseButton.LeftButton)
        qtbot.waitUntil(lambda: view.can_compare)
        assert (
            view.rendered_item is not None
            and view.rendered_item.item == front.item
            and not continue_row(view).isVisible()
        )
        press("Y", Modifier.ControlModifier)
        qtbot.waitUntil(lambda: view.can_compare)
        assert count_compared(view) == 1 and continue_row(view).isVisible(), (
            "what was brought back is compared"
        )
        press("G")
        qtbot.waitUntil(lambda: view.can_compare)


def test_a_skipped_panel_returns_at_the_end(
    open_panels: Open, press: Callable[..., None], qtbot: QtBot
) -> None:
    view = open_panels()
    first = view.rendered_item
    assert first is not None
    press("S")
    for _ in range(2):
        qtbot.waitUntil(lambda: view.can_compare)
        press(Key.Key_0)
    qtbot.waitUntil(lambda: view.can_compare)
    assert view.rendered_item is not None and view.rendered_item.item == first.item
    press(Key.Key_0)
    assert view.rendered_item is None and any(
        label.text() == "All comparisons done" for label in view.findChildren(QLabel)
    )
    assert view.state_page is not None
    with qtbot.waitSignal(view.wants) as asked:
        view.state_page.buttons[0].click()
    assert asked.args == ["preferences"]


@pytest.mark.usefixtures("own_window")
def test_a_result_opens_in_full_and_the_reading_is_recorded(
    open_panels: Open, press: Callable[..., None], qtbot: QtBot
) -> None:
    view = open_panels()
    card = view.lists.lists[1].cards.visible_cards[2]
    card.setFocus()
    press(Key.Key_Return)
    assert view.results.is_open and view.opened.view.toPlainText().startswith("Title")
    press(Key.Key_Left)
    assert count_compared(view) == 0 and "Close the open result" in view.foot.message.text()
    press(Key.Key_Escape)
    assert not view.results.is_open and QApplication.focusWidget() is card
    press("O")
    press(Key.Key_Escape)
    press(Key.Key_Right)
    (preference,) = read_preferences(view)
    assert (
        preference["opens"] == [0, 2]
        and preference["dwell_ms"][0] == 0
        and preference["scrolled"] == [4, 4]
    )


def test_an_opened_result_can_be_graded_only_if_the_options_allow_it(
    open_panels: Open, press: Callable[..., None]
) -> None:
    view = open_panels(rules=ComparisonRules(grading=True))
    assert view.session is not None and view.rendered_item is not None
    press("O")
    press("3")
    assert view.session.find_grade(view.rendered_item, view.rendered_item.left[0]) == 3
    assert view.opened._grades is not None and view.opened._grades.buttons[3].is_given
    press(Key.Key_Escape)
    assert count_compared(view) == 0


def test_without_permission_a_digit_on_an_opened_result_grades_nothing(
    open_panels: Open, press: Callable[..., None]
) -> None:
    view = open_panels()
    assert view.session is not None
    press("O")
    press("3")
    assert get_ledger(view.session.project).head is None


@pytest.mark.usefixtures("own_window")
def test_both_sides_must_be_viewed_first_if_the_options_require_it(
    open_panels: Open, press: Callable[..., None], window: Window
) -> None:
    view = open_panels(long=True, rules=ComparisonRules(must_view=True), depth=4)
    for each in view.lists.lists:
        each.area.setFixedHeight(100)
    view.lists.lists[0].lowest = view.lists.lists[1].lowest = 1
    press(Key.Key_Left)
    assert count_compared(view) == 0 and "scroll both sides" in view.foot.message.text()
    press(Key.Key_Space)
    for _ in range(12):
        press(Key.Key_Down)
    press(Key.Key_Left)
    assert count_compared(view) == 1


def test_sides_scroll_together_until_unlinked(
    open_panels: Open, press: Callable[..., None], window: Window
) -> None:
    view = open_panels()
    for each in view.lists.lists:
        each.area.setFixedHeight(100)
    QApplication.processEvents()
    left, right = view.lists.bars
    press(Key.Key_Down)
    assert left.value() == right.value() > 0
    press("L")
    before = right.value()
    press(Key.Key_Down)
    assert left.value() > right.value() == before


def test_documents_in_both_lists_are_marked_only_on_request(
    open_panels: Open, press: Callable[..., None]
) -> None:
    view = open_panels()
    cards = view.lists.lists[0].cards
    assert not any(card.note for card in cards.visible_cards)
    press("J")
    assert [card.note for card in cards.visible_cards].count("") == 2 and {
        card.note for card in cards.visible_cards
    } - {""} in (
        {"= 1", "= 2"},
        {"= 3", "= 4"},
    )
    press("J")
    assert not any(card.note for card in cards.visible_cards)


def test_identical_lists_are_recorded_and_never_shown(
    open_panels: Open, press: Callable[..., None], qtbot: QtBot
) -> None:
    view = open_panels(same=True)
    assert count_compared(view) == 1 and not view.turns.can_undo
    for _ in range(2):
        qtbot.waitUntil(lambda: view.can_compare)
        assert view.rendered_item is not None and view.rendered_item.topic.id != "9"
        press(Key.Key_0)
    assert any(
        "identical" in label.text() and "shown: 1" in label.text()
        for label in view.findChildren(QLabel)
    )


def all_texts(root: QWidget) -> list[str]:
    """Return all texts that are shown or announced by a screen reader."""
    widgets = [root, *root.findChildren(QWidget)]
    names = [
        text
        for each in widgets
        for text in (
            each.accessibleName(),
            each.accessibleDescription(),
            each.toolTip(),
            each.objectName(),
        )
    ]
    return names + [each.text() for each in widgets if isinstance(each, QLabel)]


@pytest.mark.slow
@pytest.mark.usefixtures("own_window")  # the preferences page has results after another test
def test_nothing_on_screen_reveals_which_run_is_on_which_side(
    open_panels: Open, press: Callable[..., None], qtbot: QtBot
) -> None:
    view = open_panels(same=True)
    for _ in range(2):
        qtbot.waitUntil(lambda: view.can_compare)
        press("O")
        assert not [text for text in all_texts(view.window()) for run in RUNS if run in text]
        press(Key.Key_Escape)
        press(Key.Key_Left)
    assert not [
        text for text in all_texts(view.state_stack.currentWidget()) for run in RUNS if run in text
    ]


def test_two_documents_are_compared_by_the_same_keys_and_new_ones_are_marked(
    open_panels: Open, press: Callable[..., None], qtbot: QtBot
) -> None:
    view = open_panels(choice="all", depth=2, topics=("051",))
    assert view._visible_sides is view.pair and [mark.isVisible() for mark in view.pair.marks] == [
        True,
        True,
    ]
    assert "tide" in view.pair.views[0].toPlainText() and view.pair.views[0].extraSelections()
    for _ in range(2):
        press(Key.Key_Right)
        qtbot.waitUntil(lambda: view.can_compare)
    assert view.rendered_item is not None
    assert [mark.isVisible() for mark in view.pair.marks] == [
        each.is_new for each in view.rendered_item.results
    ]
    assert sum(each.is_new for each in view.rendered_item.results) < 2
    assert "sides" not in read_preferences(view)[0]


def test_the_form_designs_a_comparison_that_starts_at_once(
    window: Window, tmp_path: Path, qtbot: QtBot, wait_until_idle: Callable[[], None]
) -> None:
    path = tmp_path / "compare.irjudge"
    make_project(path)
    assert window.open(path)
    window.do("panels")
    view = window.panels
    assert view.form.isVisible() and QApplication.focusWidget() is view.form.begin
    view.form.kind.setCurrentIndex(2)
    assert (
        view.form.description_label.text().startswith("Two documents")
        and not view.form.grading.isVisible()
    ), "documents are whole: none is opened"
    assert view.form.kind.width() >= view.form.kind.sizeHint().width()
    view.form.kind.setCurrentIndex(0)
    assert (
        view.form.description_label.text().startswith("Two result lists")
        and view.form.grading.isVisible()
    )
    view.form.topics.set_value(2)
    view.form.begin.click()
    wait_until_idle()
    qtbot.waitUntil(lambda: view.can_compare)
    assert view.session is not None and view.session.count().assigned == 2
    view._show_form()
    view.form.second.setCurrentIndex(0)
    same, second = view.form.same, view.form.second
    assert same.isVisible() and not view.form.begin.isEnabled()
    assert (
        0 < same.mapTo(view, QPoint()).y() - second.mapTo(view, QPoint()).y() < 3 * second.height()
    ), "said below the field"
    view.form.second.setCurrentIndex(1)
    assert not same.isVisible() and view.form.begin.isEnabled()


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "documents"), [(0, False), (1, True), (2, True)])
def test_check_boxes_of_the_form_name_the_compared_items(
    window: Window,
    tmp_path: Path,
    qtbot: QtBot,
    wait_until_idle: Callable[[], None],
    kind: int,
    documents: bool,
) -> None:
    path = tmp_path / "compare.irjudge"
    make_project(path)
    assert window.open(path)
    window.do("panels")
    view = window.panels
    view.form.kind.setCurrentIndex(kind)
    view.form.begin.click()
    wait_until_idle()
    qtbot.waitUntil(lambda: view.can_compare)
    ticks = [box.text() for box in view.foot.boxes]
    if documents:
        assert ticks == ["more relevant", "more complete", "clearer", "more trustworthy"]
    else:
        assert ticks == ["more relevant", "better order", "more complete", "less repetition"]


def test_a_comparison_file_opens_on_this_page_and_shows_no_other_work(
    window: Window, tmp_path: Path, qtbot: QtBot, settings: Settings
) -> None:
    path = tmp_path / "compare.irjudge"
    make_project(path)
    with open_project(path) as project:
        made = assign_comparison(
            project, parse_candidates("ann"), ComparisonOptions((RUNS,)), tmp_path
        )
    settings.add_name("ann")
    assert window.open(made.files[0].path)
    qtbot.waitUntil(lambda: window.panels.can_compare)
    shown = {name for name, button in window.navigation_bar.buttons.items() if button.isVisible()}
    assert (
        window.pages.on_top() == "panels"
        and shown.isdisjoint({"judge", "collection", "evaluate"})
        and "panels" in shown
    )
    assert isinstance(window.panels, View)


@pytest.mark.slow
def test_an_organiser_sees_the_preferences_by_run(
    open_panels: Open, press: Callable[..., None], qtbot: QtBot
) -> None:
    view = open_panels()
    for _ in range(3):
        qtbot.waitUntil(lambda: view.can_compare)
        press(Key.Key_Left)
    assert view.session is not None
    preferences = read_project_preferences(
        view.session.project, map_sides_to_runs(view.session.project)
    )
    assert preferences.items == tuple(sorted(RUNS)) and sorted(preferences.left.tolist()) in (
        [0, 0, 1],
        [0, 1, 1],
    )


@pytest.mark.slow
@pytest.mark.usefixtures("own_window")
def test_a_page_with_saving_suspended_preloads_nothing(
    open_panels: Open, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    asked: list[bool] = []
    monkeypatch.setattr(ComparisonSession, "prepare", lambda _session: asked.append(True) or True)
    view = open_panels()
    qtbot.waitUntil(lambda: len(asked) > 1)
    view.setEnabled(False)
    asked.clear()
    qtbot.wait(30)
    assert asked == []
    view.stop()


@pytest.mark.slow
def test_the_answers_are_large_buttons_of_equal_width_below_the_sides(open_panels: Open) -> None:
    view = open_panels()
    left, equal, right = (
        find_widget(view, name, AnswerButton)
        for name in ("left better", "about equal", "right better")
    )
    process_layouts()
    assert (
        len({left.width(), equal.width(), right.width()}) <= 2 and left.height() >= 40
    )  # rounding may leave one pixel
    assert left.x() < equal.x() < right.x() and left.y() == equal.y() == right.y()
    before = count_compared(view)
    equal.click()
    assert count_compared(view) == before + 1


def test_the_choices_of_the_form_are_kept_while_another_page_is_shown(
    window: Window, tmp_path: Path
) -> None:
    for name in ("first", "second"):
        make_project(tmp_path / f"{name}.irjudge")
    assert window.open(tmp_path / "first.irjudge")
    window.do("panels")
    form = window.panels.form
    form.first.setCurrentIndex(1)
    form.second.setCurrentIndex(0)
    form.topics.set_value(2)
    form.results.set_value(7)
    form.must_view.setChecked(True)
    window.show_page("evaluate")
    window.show_page("panels")
    assert (form.first.currentText(), form.second.currentText()) == (RUNS[1], RUNS[0])
    assert (form.topics.value(), form.results.value()) == (2, 7) and form.must_view.isChecked()
    assert window.open(tmp_path / "second.irjudge")
    window.show_page("panels")
    assert (form.first.currentText(), form.second.currentText()) == RUNS
    assert (form.topics.value(), form.results.value()) == (3, 10)
    assert not form.must_view.isChecked()
