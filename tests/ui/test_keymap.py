"""Tests of the current keys: defaults, left-hand layout and customisations, without conflicts."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence
from pytestqt.qtbot import QtBot

from irjudge.model import LEFT_HAND_KEYS
from irjudge_ui.actions import ACTIONS, BY_ID, KEYS
from irjudge_ui.keymap import (
    GRADE_BINDINGS,
    KeyBinding,
    KeyMap,
    is_assignable,
    normalize_key,
    pressed_key,
)
from irjudge_ui.settings import Settings

NONE = Qt.KeyboardModifier.NoModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier
CTRL = Qt.KeyboardModifier.ControlModifier
IDS = [*GRADE_BINDINGS, *BY_ID]
ACTIONS_BY_ID = {
    **GRADE_BINDINGS,
    **{action.id: KeyBinding(action.page, action.keys) for action in ACTIONS},
}

# Keys within reach of the left hand on an American keyboard; the right half begins at 6, Y, H, N.
LEFT_HALF = {*"`12345QWERTASDFGZXCVB", "F1", "F2", "F3", "F4", "F5"}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "irjudge.ini"


@pytest.fixture
def settings(file: Path) -> Settings:
    return Settings(file)


@pytest.fixture
def keys(settings: Settings) -> Iterator[KeyMap]:
    KEYS.use(settings)
    yield KEYS
    KEYS.use(None)


def find_conflicts(keys: KeyMap) -> list[tuple[str, str, str]]:
    """Return the pairs of actions available together that have a key in common."""
    conflicts = []
    for index, one in enumerate(IDS):
        for other in IDS[index + 1 :]:
            meet = ACTIONS_BY_ID[one].page == ACTIONS_BY_ID[other].page or "" in (
                ACTIONS_BY_ID[one].page,
                ACTIONS_BY_ID[other].page,
            )
            common = {normalize_key(key) for key in keys.keys(one)} & {
                normalize_key(key) for key in keys.keys(other)
            }
            conflicts += [(one, other, key) for key in common if meet]
    return conflicts


@pytest.mark.parametrize("hand", ["both", "left"])
def test_no_two_actions_or_grades_available_together_share_a_key(
    keys: KeyMap, settings: Settings, hand: str
) -> None:
    settings.set("hand", hand)
    assert find_conflicts(keys) == []
    assert all(normalize_key(key) for id in IDS for key in keys.keys(id))


def test_the_left_hand_reaches_every_grade_and_action_of_the_judging_page(
    keys: KeyMap, settings: Settings
) -> None:
    settings.set("hand", "left")
    needed = [
        *GRADE_BINDINGS,
        *(id for id in BY_ID if BY_ID[id].page == "judge"),
        "zoom-in",
        "zoom-out",
        "zoom-reset",
        "shortcuts",
        "help",
    ]
    assert [
        id
        for id in needed
        if id in ACTIONS_BY_ID and keys.keys(id)[0].split("+")[-1] not in LEFT_HALF
    ] == []


def test_the_left_hand_layout_names_existing_actions_and_keeps_the_digits() -> None:
    assert set(LEFT_HAND_KEYS) <= set(IDS)
    assert all(
        GRADE_BINDINGS[id].keys[0] in LEFT_HAND_KEYS.get(id, GRADE_BINDINGS[id].keys)
        for id in GRADE_BINDINGS
    )


def test_customised_keys_are_stored_as_one_readable_line_each(
    keys: KeyMap, file: Path, settings: Settings
) -> None:
    keys.change("skip", "F6")
    keys.change("settings", "Ctrl+Alt+,")
    keys.change("grade-2", ";")
    settings._store.sync()
    lines = file.read_text(encoding="utf-8").splitlines()
    assert lines[lines.index("[keys]") + 1 :][:2] == ['settings="Ctrl+Alt+,"', "skip=F6"]
    assert lines[lines.index("[grade_keys]") + 1] == '2=";"'
    KEYS.use(Settings(file))
    assert [KEYS.keys(id) for id in ("skip", "settings", "grade-2")] == [
        ("F6",),
        ("Ctrl+Alt+,",),
        (";",),
    ]


def test_unchanged_keys_send_no_signal(keys: KeyMap, settings: Settings, qtbot: QtBot) -> None:
    with qtbot.assertNotEmitted(keys.changed):
        keys.use(settings)
    with qtbot.waitSignal(keys.changed):
        keys.change("skip", "F6")


def test_restoring_the_default_removes_the_stored_line(
    keys: KeyMap, file: Path, settings: Settings, qtbot: QtBot
) -> None:
    keys.change("skip", "F6")
    keys.change("note", "F7")
    assert keys.is_customised("skip")
    with qtbot.waitSignal(keys.changed):
        keys.change("skip", "")
    settings._store.sync()
    assert keys.keys("skip") == BY_ID["skip"].keys and not keys.is_customised("skip")
    source = file.read_text(encoding="utf-8")
    assert "skip" not in source and "note=F7" in source


@pytest.mark.parametrize(
    "lines",
    [
        "[keys]\nskip=nothing such",
        "[keys]\nskip=",
        "[keys]\nskip=A, B",
        '[keys]\nskip="A, B"',
        "[keys]\nskip=Tab",
        "[keys]\nskip=Shift+Up",
        "[keys]\nskip=Ctrl+C",
        "[keys]\nskip=X",  # used by another action of the page
        "[keys]\nskip=2",  # used by a grade
        "[keys]\nskip=Ctrl+T",  # used everywhere
        "[keys]\nskip=F6\nunsure=F6",
        "[keys]\nno-such-action=F6",
        "[keys]\nskip=F6\nunjudgeable=S\nnote=F6\nreason=X",  # rejecting one invalidates others
        "[grade_keys]\n2=Ctrl+;",
        "[grade_keys]\n2=3",
        "[grade_keys]\n11=Y",
        "[grade_keys]\n2=Space",
    ],
)
def test_invalid_keys_in_the_file_are_replaced_by_the_default(lines: str, file: Path) -> None:
    file.write_text(lines + "\n", encoding="utf-8")
    KEYS.use(Settings(file))
    try:
        now = {id: KEYS.keys(id) for id in IDS if id != "unsure"}
        assert find_conflicts(KEYS) == []
    finally:
        KEYS.use(None)
    assert now == {id: declared.keys for id, declared in ACTIONS_BY_ID.items() if id != "unsure"}


def test_two_actions_may_exchange_their_keys(file: Path) -> None:
    file.write_text("[keys]\nskip=X\nunjudgeable=S\n[grade_keys]\n0=1\n1=0\n", encoding="utf-8")
    KEYS.use(Settings(file))
    swapped = [KEYS.keys(id) for id in ("skip", "unjudgeable", "grade-0", "grade-1")]
    KEYS.use(None)
    assert swapped == [("X",), ("S",), ("1",), ("0",)]


def test_customised_keys_take_precedence_over_the_left_hand_layout(
    keys: KeyMap, settings: Settings
) -> None:
    keys.change("note", "F6")
    keys.change("unsure", "Q")
    settings.set("hand", "left")
    assert keys.keys("note") == ("F6",) and keys.keys("reason") == LEFT_HAND_KEYS["reason"]
    assert keys.keys("unsure") == LEFT_HAND_KEYS["unsure"]  # Q is now the key of grade 6
    settings.set("hand", "both")
    assert keys.keys("unsure") == ("Q",) and keys.keys("reason") == BY_ID["reason"].keys


@pytest.mark.parametrize(
    ("id", "key", "other"),
    [
        ("skip", "X", "unjudgeable"),
        ("skip", "3", "grade-3"),
        ("skip", "ctrl+t", "theme"),
        ("theme", "X", "unjudgeable"),
        ("grade-3", "S", "skip"),
        ("skip", "Ctrl+B", ""),  # used by the collection page
        ("skip", "S", ""),  # its own key
        ("skip", "Shift+X", ""),
    ],
)
def test_a_conflict_message_names_the_other_action(
    keys: KeyMap, id: str, key: str, other: str
) -> None:
    assert keys.find_conflict(id, key) == other


@pytest.mark.parametrize(
    ("id", "key", "good"),
    [
        ("skip", "F6", True),
        ("skip", "Ctrl+Return", True),
        ("skip", "Shift+S", True),
        ("skip", "Return", False),
        ("skip", "Shift+Tab", False),
        ("skip", "Escape", False),
        ("skip", "Ctrl+V", False),
        ("grade-1", "J", True),
        ("grade-1", "F6", True),
        ("grade-1", "Shift+J", False),
    ],
)
def test_navigation_and_editing_keys_are_reserved_and_grades_take_one_key(
    id: str, key: str, good: bool
) -> None:
    assert is_assignable(id, key) is good


@pytest.mark.parametrize(
    ("key", "held", "text", "name"),
    [
        (Qt.Key.Key_S, NONE, "s", "S"),
        (Qt.Key.Key_S, NONE, "S", "S"),  # Caps Lock
        (Qt.Key.Key_S, SHIFT, "S", "Shift+S"),
        (Qt.Key.Key_Question, SHIFT, "?", "?"),
        (Qt.Key.Key_Plus, NONE, "+", "+"),
        (Qt.Key.Key_Comma, CTRL, "", "Ctrl+,"),
        (Qt.Key.Key_Z, CTRL | SHIFT, "\x1a", "Ctrl+Shift+Z"),
        (Qt.Key.Key_Exclam, CTRL | SHIFT, "", "Ctrl+!"),
        (Qt.Key.Key_F5, NONE, "", "F5"),
        (Qt.Key.Key_Backspace, NONE, "\x08", "Backspace"),
        (Qt.Key.Key_Space, NONE, " ", "Space"),
        (Qt.Key.Key_5, Qt.KeyboardModifier.KeypadModifier, "5", "5"),
        (Qt.Key.Key_Eacute, NONE, "é", "É"),
        (Qt.Key.Key_Shift, SHIFT, "", ""),
        (Qt.Key.Key_Control, CTRL, "", ""),
    ],
)
def test_a_pressed_key_is_written_as_in_the_table(
    key: Qt.Key, held: Qt.KeyboardModifier, text: str, name: str
) -> None:
    assert pressed_key(QKeyEvent(QEvent.Type.KeyPress, key, held, text)) == name


@pytest.mark.skipif(sys.platform == "darwin", reason="a Mac shows Ctrl as Command")
@pytest.mark.parametrize("action", ACTIONS, ids=lambda action: action.id)
def test_every_key_of_the_table_is_in_normal_form(action: object) -> None:
    assert [key for key in action.keys if QKeySequence(key).toString() != key] == []
