"""Tests of several documents on the judging page: focus, grading, and the recorded event."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFrame
from pytestqt.qtbot import QtBot

from irjudge.model import Document, PageSeen, Scale, Topic, make_run
from irjudge.store import create_project
from irjudge_ui.pages.judge import JudgeView
from irjudge_ui.window import Window
from tests.pools import depth_pool
from tests.ui.layout_checks import process_layouts

ONE_WINDOW = True
Key, Modifier = Qt.Key, Qt.KeyboardModifier
COUNT, DEFAULT_PER_PAGE = 8, 6


@pytest.fixture
def products(tmp_path: Path) -> Path:
    """A project of short documents with fields, one of them long."""
    path = tmp_path / "shop.irjudge"
    text = "For rain and mud. "
    documents = [
        Document(
            f"p{index}",
            (text * (200 if index == 3 else 2)).encode(),
            f"Shoe {index}",
            fields=(("price", f"{index}.50"),),
        )
        for index in range(COUNT)
    ]
    with create_project(path, scale=Scale.parse("0-3")) as project:
        project.collection.add_topics([Topic("1", "shoes for rain")])
        project.collection.add_documents(documents)
        run = make_run("r", [("1", each.id, float(-index)) for index, each in enumerate(documents)])
        project.rankings.add_run(run)
        project.rankings.add_pool(depth_pool([run], 100))
    return path


@pytest.fixture
def judge_page(window: Window, products: Path, qtbot: QtBot) -> JudgeView:
    assert window.open(products)
    window.show_page("judge")
    qtbot.waitUntil(lambda: window.judge.can_judge)
    return window.judge


def cards(judge_page: JudgeView) -> list[QFrame]:
    return [
        each
        for each in judge_page.several.findChildren(QFrame)
        if each.objectName().startswith("several") and each.isVisible()
    ]


def wait_until_shown(judge_page: JudgeView, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: judge_page.can_judge)


def wait_for_positions(judge_page: JudgeView, qtbot: QtBot) -> list[int]:
    """Return the positions of the cards after they have their heights.

    Cards are resized in later turns of the event loop, when their texts are loaded.
    """
    recent_positions: list[list[int]] = []

    def are_stable() -> bool:
        process_layouts()
        recent_positions.append([card.y() for card in cards(judge_page)])
        return len(recent_positions) >= 5 and all(
            positions == recent_positions[-1] for positions in recent_positions[-5:]
        )

    qtbot.waitUntil(lambda: all(card.height() > 60 for card in cards(judge_page)))
    qtbot.waitUntil(are_stable)
    return recent_positions[-1]


def focused_cards(judge_page: JudgeView) -> list[int]:
    return [
        line for line, card in enumerate(cards(judge_page)) if card.objectName() == "several-now"
    ]


def test_one_of_several_has_the_focus_and_the_shown_documents_are_recorded(
    judge_page: JudgeView, press: Callable[..., None], qtbot: QtBot
) -> None:
    assert cards(judge_page) == [] and judge_page.session is not None
    press("i")
    wait_until_shown(judge_page, qtbot)
    assert len(cards(judge_page)) == DEFAULT_PER_PAGE == len(
        judge_page.several.visible_items
    ) and focused_cards(judge_page) == [0]
    first = judge_page.several.visible_items
    tops = wait_for_positions(judge_page, qtbot)
    press("2")
    wait_until_shown(judge_page, qtbot)
    assert focused_cards(judge_page) == [1] and [card.y() for card in cards(judge_page)] == tops
    assert judge_page.document.hasFocus() and cards(judge_page)[1].isAncestorOf(judge_page.document)
    assert (
        "2 Relevant" in cards(judge_page)[0].accessibleName()
        and "current document" in cards(judge_page)[1].accessibleName()
    )
    press(Key.Key_Down, Modifier.AltModifier)
    wait_until_shown(judge_page, qtbot)
    assert focused_cards(judge_page) == [2] and judge_page.session.head is not None
    press("s")
    wait_until_shown(judge_page, qtbot)
    QTest.mouseClick(cards(judge_page)[0], Qt.MouseButton.LeftButton, pos=QPoint(20, 8))
    wait_until_shown(judge_page, qtbot)
    assert focused_cards(judge_page) == [0]
    press("3")
    wait_until_shown(judge_page, qtbot)
    press(Key.Key_Z, Modifier.ControlModifier)
    wait_until_shown(judge_page, qtbot)
    assert focused_cards(judge_page) == [0] and judge_page.several.visible_items == first
    window = judge_page.window()
    assert isinstance(window, Window) and window.project is not None
    order = tuple(item.document for item in first)
    judgments = [event for event in window.project.events.read() if event.kind in ("grade", "skip")]
    assert len(judgments) == 3
    for event in judgments:
        page = PageSeen.from_payload(event.payload)
        assert (
            page is not None
            and page.order == order
            and event.item.documents[0] in page.visible
            and len(page.visible) < DEFAULT_PER_PAGE
        )
    for _ in range(DEFAULT_PER_PAGE):
        press("1")
        wait_until_shown(judge_page, qtbot)
    assert len(cards(judge_page)) == COUNT - DEFAULT_PER_PAGE and not set(
        judge_page.several.visible_items
    ) & set(first), "the next page"
    press("i")
    wait_until_shown(judge_page, qtbot)
    assert (
        cards(judge_page) == []
        and judge_page.document.isVisible()
        and judge_page.document.hasFocus()
    )
    press("1")
    wait_until_shown(judge_page, qtbot)
    assert PageSeen.from_payload(list(window.project.events.read())[-1].payload) is None
