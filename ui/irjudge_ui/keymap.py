"""Which keys do what now: those of the action table, of the hand's map, and on top of them the user's own."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QKeyCombination, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence

from irjudge.model import EDITING, LEFT_HAND, MOVING
from irjudge_ui.settings import Settings

KEY_SETTINGS = {
    "keys": "",
    "grade_keys": "grade-",
}  # each setting, and what comes before its names to make an id
JUDGING = "judge"


@dataclass(frozen=True, slots=True)
class KeyBinding:
    """Where an action works (a page's id, or empty for everywhere) and its keys; the first is shown."""

    page: str
    keys: tuple[str, ...]


GRADES = {f"grade-{value}": KeyBinding(JUDGING, (str(value),)) for value in range(10)}

MOVING_KEYS = {
    getattr(Qt.Key, f"Key_{name}") for name in (*MOVING, "Backtab", "Enter")
}  # Qt has two names for two of them
HELD = {
    getattr(Qt.Key, f"Key_{name}")
    for name in "Shift Control Alt AltGr Meta Super_L Super_R CapsLock NumLock Mode_switch".split()
}
SHIFT, KEYPAD, GROUP = (
    Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.KeypadModifier,
    Qt.KeyboardModifier.GroupSwitchModifier,
)


def normalize_key(key: str) -> str:
    """Return the one way in which a key is written; empty for what is no key.

    Examples
    --------
    >>> normalize_key("ctrl+z"), normalize_key("s"), normalize_key("?"), normalize_key("nothing such"), normalize_key("A, B")
    ('Ctrl+Z', 'S', '?', '', '')
    """
    sequence = QKeySequence(key)
    return sequence.toString() if sequence.count() == 1 else ""


def pressed_key(event: QKeyEvent) -> str:
    """Return the key of an event as it is written in the table; empty while only Shift, Ctrl or the like is down."""
    key, words = Qt.Key(event.key()), event.text()
    held = event.modifiers() & ~(KEYPAD | GROUP)
    if key in HELD:
        return ""
    if len(words) == 1 and words.isprintable() and words.strip() and not held & ~SHIFT:
        shift = (
            "Shift+" if words.isalpha() and held else ""
        )  # the Shift of ? is a part of the sign, that of Shift+A is not
        return normalize_key(shift + words)
    if (
        Qt.Key.Key_Exclam.value <= key.value <= Qt.Key.Key_AsciiTilde.value
        and not chr(key.value).isalnum()
    ):
        held &= ~SHIFT
    return normalize_key(QKeySequence(QKeyCombination(held, key)).toString())


def is_assignable(id: str, key: str) -> bool:
    """Tell whether a key can be made that of an action, clashes aside: grades take single keys, and no key that moves or edits."""
    if not normalize_key(key) or normalize_key(key) in EDITING:
        return False
    sequence: Any = QKeySequence(key)  # PySide's types lack its index
    combination: QKeyCombination = sequence[0]
    held = combination.keyboardModifiers()
    return not (combination.key() in MOVING_KEYS and not held & ~SHIFT) and not (
        id in GRADES and held
    )


class KeyMap(QObject):
    """The keys of every action and grade as they are now. `changed` comes when any of them is another."""

    changed = Signal()

    def __init__(self, table: Mapping[str, KeyBinding]) -> None:
        super().__init__()
        self._table = {**GRADES, **table}
        self._settings: Settings | None = None
        self._now = {id: place.keys for id, place in self._table.items()}
        self._judging = self._by_key()

    def use(self, settings: Settings | None) -> None:
        """Follow a user's settings from now on; None goes back to the table."""
        if self._settings is not None:
            self._settings.changed.disconnect(self._on_changed)
        self._settings = settings
        if settings is not None:
            settings.changed.connect(self._on_changed)
        self._refresh()

    def keys(self, id: str) -> tuple[str, ...]:
        """Return the keys of an action or of a grade (`grade-3`); the first is shown."""
        return self._now[id]

    def is_own(self, id: str) -> bool:
        """Tell whether the user chose the key."""
        return self._now[id] != self._preset(id)

    def judging(self, key: str) -> str:
        """Return what a key does on the judging page: the id of a grade, of an action of the page or of one that works everywhere."""
        return self._judging.get(key, "")

    @property
    def left(self) -> bool:
        """Whether the left hand judges alone."""
        return self._settings is not None and self._settings.get("hand") == "left"

    def clash(self, id: str, key: str) -> str:
        """Return the other action that has a key in the same place; empty when the key is free."""
        return _find_conflict(self._table, self._now, id, key)

    def change(self, id: str, key: str) -> None:
        """Make a key the only one of an action; empty goes back to the default."""
        if self._settings is None:
            return
        name = "grade_keys" if id in GRADES else "keys"
        own = dict(self._settings.get(name))
        own.pop(id.removeprefix(KEY_SETTINGS[name]), None)
        if key:
            own[id.removeprefix(KEY_SETTINGS[name])] = key
        self._settings.set(name, own)

    def _preset(self, id: str) -> tuple[str, ...]:
        return LEFT_HAND.get(id, self._table[id].keys) if self.left else self._table[id].keys

    def _own(self) -> dict[str, str]:
        """Return the user's own keys, less those that make no sense."""
        if self._settings is None:
            return {}
        kept = {
            before + id: key
            for name, before in KEY_SETTINGS.items()
            for id, key in self._settings.get(name).items()
        }
        return {
            id: normalize_key(key)
            for id, key in kept.items()
            if id in self._table and is_assignable(id, key)
        }

    def _on_changed(self, name: str) -> None:
        if name == "hand" or name in KEY_SETTINGS:
            self._refresh()

    def _refresh(self) -> None:
        """Put the user's own keys on top; those that clash with another key do not count."""
        preset, own = {id: self._preset(id) for id in self._table}, self._own()
        now = preset
        while own:
            now = {**preset, **{id: (key,) for id, key in own.items()}}
            clashing = [id for id, key in own.items() if _find_conflict(self._table, now, id, key)]
            if not clashing:
                break
            own = {id: key for id, key in own.items() if id not in clashing}
            now = preset
        if now != self._now:
            self._now = now
            self._judging = self._by_key()
            self.changed.emit()

    def _by_key(self) -> dict[str, str]:
        return {
            normalize_key(key): id
            for id, keys in self._now.items()
            if self._table[id].page in ("", JUDGING)
            for key in keys
        }


def _find_conflict(
    table: Mapping[str, KeyBinding], keys: Mapping[str, tuple[str, ...]], id: str, key: str
) -> str:
    here, wanted = table[id].page, normalize_key(key)
    for other, others in keys.items():
        meets = table[other].page == here or "" in (here, table[other].page)
        if other != id and meets and wanted in map(normalize_key, others):
            return other
    return ""
