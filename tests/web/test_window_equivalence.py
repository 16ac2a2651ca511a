"""Tests that random actions have the same results in the window and in Chromium."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, Protocol

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QListView
from pytestqt.qtbot import QtBot
from selenium.webdriver.common.keys import Keys

from irjudge.exchange import merge_files
from irjudge.judging import get_ledger
from irjudge.model import Document
from irjudge.store import open_project
from irjudge.text import utf16_length
from irjudge_ui.pages.judge import JudgeView
from irjudge_ui.pages.side_by_side import ComparisonView
from irjudge_ui.settings import Settings
from irjudge_ui.widgets import DocumentView, apply_theme
from irjudge_ui.widgets.theme import LIGHT
from irjudge_ui.window import Window
from tests.lengths import short_or_long
from tests.web.browsers import Chromium, Firefox
from tests.web.tasks import TIDES, AssignedTask, assign_comparison_task, assign_task
from tests.web.test_saving import save_result

Step = tuple[str, Any]
WORDS = ("tides", "near side", "Moon", "sea rises")
NAMES = {
    "Enter": "Return",
    "Backspace": "Backspace",
    "Home": "Home",
    "Down": "Down",
    "Left": "Left",
    "Right": "Right",
}
QT = {name: getattr(Qt.Key, f"Key_{key}") for name, key in NAMES.items()}
WEB = {
    name: getattr(Keys, f"ARROW_{name.upper()}", getattr(Keys, name.upper(), "")) for name in NAMES
}
# depends on time and on the size of the screen
IGNORED_FIELDS = ("active_ms", "dwell_ms", "scrolled", "opens")
SELECT = """
const sheet = document.querySelector(".sheet"), walker = document.createTreeWalker(sheet, 4), range = document.createRange();
while (walker.nextNode()) {
  const at = walker.currentNode.data.lastIndexOf(arguments[0]);
  if (at >= 0) { range.setStart(walker.currentNode, at); range.setEnd(walker.currentNode, at + arguments[0].length); }
}
getSelection().removeAllRanges();
getSelection().addRange(range);
"""


class Player(Protocol):
    """Performs actions of a script in the window or in the page."""

    def key(self, name: str) -> None: ...

    def write(self, words: str) -> None: ...

    def select(self, words: str) -> None: ...

    @property
    def status(self) -> tuple[bool, bool]:
        """Whether no document is shown, and whether the work is finished."""
        ...


class WindowPlayer:
    """Performs actions in the window."""

    def __init__(self, window: Window, view: JudgeView | ComparisonView, qtbot: QtBot) -> None:
        self._window, self._view, self._qtbot = window, view, qtbot

    def key(self, name: str) -> None:
        self._settle()
        held = Qt.KeyboardModifier.NoModifier
        for word, modifier in (
            ("Ctrl+", Qt.KeyboardModifier.ControlModifier),
            ("Shift+", Qt.KeyboardModifier.ShiftModifier),
        ):
            if word in name:
                held |= modifier
        bare = name.split("+")[-1]
        QTest.keyPress(self._focus(), QT.get(bare) or Qt.Key(ord(bare.upper())), held)
        self._settle()

    def write(self, words: str) -> None:
        QTest.keyClicks(self._focus(), words)

    def select(self, words: str) -> None:
        document = self._view.findChild(DocumentView)
        cursor = document.textCursor()
        text = document.toPlainText()
        begin = utf16_length(text[: text.rindex(words)])
        cursor.setPosition(begin)
        cursor.setPosition(begin + len(words), QTextCursor.MoveMode.KeepAnchor)
        document.setTextCursor(cursor)

    @property
    def rests(self) -> bool:
        return isinstance(self._view, JudgeView) and self._view.state_page is not None

    @property
    def status(self) -> tuple[bool, bool]:
        return self.rests, self.ended

    @property
    def ended(self) -> bool:
        count = self._view.session.count() if self._view.session else None
        return count is not None and not count.left

    def _focus(self) -> Any:
        def find_control() -> Any:
            lists = [
                each
                for each in QApplication.topLevelWidgets()
                if each.isModal() and each.isVisible()
            ]
            popup = QApplication.activePopupWidget()
            return popup or (
                lists[0].findChild(QListView, "places") if lists else QApplication.focusWidget()
            )

        self._qtbot.waitUntil(lambda: find_control() is not None)
        return find_control()

    def _settle(self) -> None:
        for _ in range(3):
            QApplication.processEvents()
        if (
            not self.rests
            and QApplication.activeModalWidget() is None
            and QApplication.activePopupWidget() is None
        ):
            able = "can_judge" if isinstance(self._view, JudgeView) else "can_compare"
            self._qtbot.waitUntil(lambda: self.rests or self.ended or getattr(self._view, able))


class PagePlayer:
    """Performs actions in the page."""

    def __init__(self, browser: Chromium | Firefox) -> None:
        self._browser = browser

    def key(self, name: str) -> None:
        held = tuple(
            key for word, key in (("Ctrl+", Keys.CONTROL), ("Shift+", Keys.SHIFT)) if word in name
        )
        bare = name.split("+")[-1]
        self._browser.press(WEB.get(bare, bare), hold=held)

    def write(self, words: str) -> None:
        self._browser.send_keys(*words)

    def select(self, words: str) -> None:
        self._browser.js(SELECT, words)

    @property
    def status(self) -> tuple[bool, bool]:
        state = self._browser.js(
            "const state = document.querySelector('.state'); return state && (state.querySelector('h1')?.textContent ?? '')"
        )
        return state is not None, state in ("All done", "All comparisons done")


def random_script(length: int, seed: int) -> list[Step]:
    """Return random actions, mostly grades."""
    random, steps = Random(seed), list[Step]()
    while len(steps) < length:
        kind = random.choices(
            ("grade", "undo", "redo", "skip", "unsure", "cannot", "note", "reason", "jump", "back"),
            (30, 22, 9, 5, 5, 4, 5, 5, 7, 4),
        )[0]
        what = {
            "grade": random.randrange(4),
            "cannot": random.randint(1, 4),
            "note": f"note {len(steps)}",
            "jump": random.randrange(5),
        }
        steps.append((kind, what.get(kind, random.choice(WORDS))))
    return steps


def play(player: Player, steps: list[Step]) -> None:
    for kind, what in steps:
        rests, ended = player.status
        if rests and not ended:
            player.key("Enter")
            ended = player.status[1]
        keys = {
            "undo": "Ctrl+z",
            "redo": "Ctrl+y",
            "skip": "s",
            "unsure": "u",
            "back": "Backspace",
            "grade": str(what),
        }
        if ended and kind != "undo":
            continue
        if kind == "reason":
            player.select(str(what))
        player.key({**keys, "cannot": "x", "note": "n", "jump": "l", "reason": "r"}[kind])
        if kind == "cannot":
            player.key(str(what))
        elif kind == "note":
            player.key("Ctrl+a")
            player.write(str(what))
            player.key("Enter")
        elif kind == "jump":
            for key in ["Home", *["Down"] * int(what), "Enter"]:
                player.key(key)


def merge_and_read(project: Path, returned: Path) -> tuple[list[Any], list[tuple[str, str, int]]]:
    """Merge a returned file into a copy of the project; return its items and the qrels."""
    copy = shutil.copy(project, returned.with_suffix(".irjudge"))
    with open_project(copy) as opened:
        merge_files(opened, [returned])
        ledger = get_ledger(opened, "ann")
        actions = []
        for key in sorted({event.item.key for event in opened.events.read("ann")}):
            judgment, marks = ledger.judgment(key), ledger.marks(key)
            messages = (
                {k: v for k, v in judgment.payload.items() if k not in IGNORED_FIELDS}
                if judgment
                else {}
            )
            actions.append(
                (
                    key,
                    judgment.kind if judgment else "",
                    messages,
                    marks.unsure,
                    marks.note,
                    marks.rationales,
                    ledger.is_skipped(key),
                )
            )
        qrels = sorted(
            (each[0][0], each[0][1][0], each[2]["value"]) for each in actions if each[1] == "grade"
        )
    return actions, qrels


@pytest.fixture
def window(qtbot: QtBot, tmp_path: Path) -> Iterator[Window]:
    settings = Settings(tmp_path / "settings.ini")
    settings.set("guard_ms", 0)
    settings.set("samples", str(tmp_path / "samples"))
    settings.add_name("ann")
    apply_theme(QApplication.instance(), LIGHT, 1.0)
    made = Window(settings)
    qtbot.addWidget(made)
    made.resize(1360, 820)
    made.show()
    made.activateWindow()
    qtbot.waitExposed(made)
    yield made
    made.close()


def comparable_actions(browser: Chromium | Firefox) -> list[Any]:
    """Return the actions stored by a browser, without time, client and screen size."""
    actions = []
    for action in browser.stored_actions():
        payload = {
            name: value for name, value in action["payload"].items() if name not in IGNORED_FIELDS
        }
        target = action["target"] and action["target"]["number"]
        actions.append((action["number"], action["kind"], action["item"], payload, target))
    return actions


def play_in_both(
    window: Window,
    qtbot: QtBot,
    chromium: Chromium,
    made: AssignedTask,
    steps: list[Step],
    kind: str,
) -> tuple[Any, Any, int]:
    window.open(made.task)
    view = window.judge if kind == "judge" else window.panels
    qtbot.waitUntil(lambda: view.session is not None and view.rendered_item is not None)
    play(WindowPlayer(window, view, qtbot), steps)
    window.close()
    chromium.open(made.page)
    play(PagePlayer(chromium), steps)
    return (
        merge_and_read(made.project, made.task),
        merge_and_read(made.project, save_result(chromium)),
        len(chromium.stored_actions()),
    )


def test_random_grading_gives_the_same_in_the_window_and_in_the_page(
    window: Window, qtbot: QtBot, chromium: Chromium, tmp_path: Path
) -> None:
    length, count = short_or_long((100, 14), (300, 40))
    body = f"{TIDES}\n\n🌙 {TIDES}"
    documents = [
        [
            Document(f"{topic}-{index}", f"{index}: {body}".encode(), f"Paper {index}")
            for index in range(count)
        ]
        for topic in "ab"
    ]
    made = assign_task(
        tmp_path / "same", documents, change=lambda task: task["settings"].update(guard_ms=0)
    )
    steps = random_script(length, seed=11)
    ours, theirs, actions = play_in_both(window, qtbot, chromium, made, steps, "judge")
    assert actions >= length * 2 // 3
    assert ours[0] == theirs[0]
    assert ours[1] == theirs[1] and len(ours[1]) > count // 2


@pytest.mark.parametrize("pairs", [True, False], ids=["pairs", "panels"])
def test_random_comparing_gives_the_same_in_the_window_and_in_the_page(
    window: Window, qtbot: QtBot, chromium: Chromium, tmp_path: Path, pairs: bool
) -> None:
    made = assign_comparison_task(
        tmp_path / "same", pairs=pairs, change=lambda task: task["settings"].update(guard_ms=0)
    )
    random = Random(3)
    keys = ["Left", "Right", "0", "Shift+Left", "Shift+Right", "s", "1", "3"]
    actions = (
        [random.choice(keys) for _ in range(7)]
        if pairs
        else ["1", "3", "Shift+Left", "Ctrl+z", "Ctrl+y", "2", "Right", "Left"]
    )
    steps: list[Step] = [("key", key) for key in [*actions, "Ctrl+z", "Right"]]

    def press_keys(player: Player, steps: list[Step]) -> None:
        for _, key in steps:
            player.key(key)

    window.open(made.task)
    qtbot.waitUntil(lambda: window.panels.session is not None and window.panels.can_compare)
    press_keys(WindowPlayer(window, window.panels, qtbot), steps)
    window.close()
    chromium.open(made.page)
    press_keys(PagePlayer(chromium), steps)
    ours, theirs = (
        merge_and_read(made.project, made.task),
        merge_and_read(made.project, save_result(chromium)),
    )
    assert ours[0] == theirs[0] and len(ours[0]) >= (3 if pairs else 2)


def test_a_short_script_gives_the_same_in_firefox_as_in_chromium(
    chromium: Chromium, firefox: Firefox, tmp_path: Path, full: bool
) -> None:
    made = assign_task(tmp_path / "same", change=lambda task: task["settings"].update(guard_ms=0))
    steps = [
        *random_script(60 if full else 24, seed=5),
        ("reason", WORDS[0]),
        ("note", "short"),
        ("skip", ""),
        ("jump", 1),
        ("undo", ""),
        ("redo", ""),
    ]
    firefox.open(made.page)
    play(PagePlayer(firefox), steps)
    theirs = comparable_actions(firefox)
    chromium.open(made.page)
    play(PagePlayer(chromium), steps)
    assert theirs == comparable_actions(chromium)
    assert {"grade", "undo", "redo", "skip", "note", "rationale"} <= {each[1] for each in theirs}
