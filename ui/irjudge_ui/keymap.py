"""Current keys of all actions: defaults, left- or right-hand preset, and the user's own keys."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QKeyCombination, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence

from irjudge.model import EDITING_KEYS, LEFT_HAND_KEYS, NAVIGATION_KEYS
from irjudge_ui.settings import Settings

# settings that store keys; each value is the prefix that turns a stored name into an action id
KEY_SETTINGS = {"keys": "", "grade_keys": "grade-"}
JUDGE_PAGE = "judge"


@dataclass(frozen=True, slots=True)
class KeyBinding:
    """Default keys of an action or grade, with which a `KeyMap` is created.

    Key caps show the first key.
    """

    page: str  # id of the page on which the keys work; empty for all pages
    keys: tuple[str, ...]  # as texts of key sequences, such as `Ctrl+N`


GRADE_BINDINGS = {f"grade-{value}": KeyBinding(JUDGE_PAGE, (str(value),)) for value in range(10)}

# keys that move the cursor; Qt has two names for some of these keys
MOVING_KEYS = {getattr(Qt.Key, f"Key_{name}") for name in (*NAVIGATION_KEYS, "Backtab", "Enter")}
MODIFIER_KEYS = {
    getattr(Qt.Key, f"Key_{name}")
    for name in "Shift Control Alt AltGr Meta Super_L Super_R CapsLock NumLock Mode_switch".split()
}
SHIFT_MODIFIER = Qt.KeyboardModifier.ShiftModifier
KEYPAD = Qt.KeyboardModifier.KeypadModifier
GROUP_MODIFIER = Qt.KeyboardModifier.GroupSwitchModifier


def normalize_key(key: str) -> str:
    """Return Qt's spelling of a key combination; empty if the text is not one key combination.

    Examples
    --------
    >>> normalize_key("ctrl+z"), normalize_key("s"), normalize_key("?"), normalize_key("nothing such"), normalize_key("A, B")
    ('Ctrl+Z', 'S', '?', '', '')
    """
    sequence = QKeySequence(key)
    return sequence.toString() if sequence.count() == 1 else ""


def pressed_key(event: QKeyEvent) -> str:
    """Return the pressed key as it is spelled in `ACTIONS`; empty for a modifier alone."""
    key, text = Qt.Key(event.key()), event.text()
    modifiers = event.modifiers() & ~(KEYPAD | GROUP_MODIFIER)
    if key in MODIFIER_KEYS:
        return ""
    if len(text) == 1 and text.isprintable() and text.strip() and not modifiers & ~SHIFT_MODIFIER:
        # Shift is omitted if it is needed only to type the character, such as `?`
        shift_prefix = "Shift+" if text.isalpha() and modifiers else ""
        return normalize_key(shift_prefix + text)
    if (
        Qt.Key.Key_Exclam.value <= key.value <= Qt.Key.Key_AsciiTilde.value
        and not chr(key.value).isalnum()
    ):
        modifiers &= ~SHIFT_MODIFIER
    return normalize_key(QKeySequence(QKeyCombination(modifiers, key)).toString())


def is_assignable(id: str, key: str) -> bool:
    """Return whether a key is allowed for an action or grade; conflicts are not checked.

    Keys that move the cursor or edit text are not allowed, nor are modifiers in the key of a grade.
    """
    if not normalize_key(key) or normalize_key(key) in EDITING_KEYS:
        return False
    sequence: Any = QKeySequence(key)  # `Any`, since PySide's type stubs lack indexing
    combination: QKeyCombination = sequence[0]
    modifiers = combination.keyboardModifiers()
    return not (combination.key() in MOVING_KEYS and not modifiers & ~SHIFT_MODIFIER) and not (
        id in GRADE_BINDINGS and modifiers
    )


class KeyMap(QObject):
    """Current keys of every action and grade; `changed` is emitted after each change.

    The keys are the defaults or the left-hand preset, replaced by the user's own keys in the
    settings, except those that are invalid or conflict. `change` stores a key in the settings.
    """

    changed = Signal()

    def __init__(self, table: Mapping[str, KeyBinding]) -> None:
        super().__init__()
        self._table = {**GRADE_BINDINGS, **table}
        self._settings: Settings | None = None
        self._keys_by_id = {id: binding.keys for id, binding in self._table.items()}
        self._judging_ids = self._map_judging_keys()

    def use(self, settings: Settings | None) -> None:
        """Set the settings object that stores the user's keys; if None, use the default keys."""
        if self._settings is not None:
            self._settings.changed.disconnect(self._on_changed)
        self._settings = settings
        if settings is not None:
            settings.changed.connect(self._on_changed)
        self._refresh()

    def keys(self, id: str) -> tuple[str, ...]:
        """Return the keys of an action or grade (id such as `grade-3`); key caps show the first."""
        return self._keys_by_id[id]

    def is_customised(self, id: str) -> bool:
        """Return whether the keys of an action or grade differ from the keys of the preset."""
        return self._keys_by_id[id] != self._preset(id)

    def find_judging_id(self, key: str) -> str:
        """Return the id of the grade or action that a key triggers in judging; empty if none."""
        return self._judging_ids.get(key, "")

    @property
    def is_left_handed(self) -> bool:
        """Whether the left-hand preset is in use."""
        return self._settings is not None and self._settings.get("hand") == "left"

    def find_conflict(self, id: str, key: str) -> str:
        """Return the id of another action that uses a key on the same page; empty if there is none.

        `id` is the action to which the key would be assigned.
        """
        return _find_conflict(self._table, self._keys_by_id, id, key)

    def change(self, id: str, key: str) -> None:
        """Set the only key of an action or grade; an empty key restores the keys of the preset."""
        if self._settings is None:
            return
        name = "grade_keys" if id in GRADE_BINDINGS else "keys"
        user_keys = dict(self._settings.get(name))
        user_keys.pop(id.removeprefix(KEY_SETTINGS[name]), None)
        if key:
            user_keys[id.removeprefix(KEY_SETTINGS[name])] = key
        self._settings.set(name, user_keys)

    def _preset(self, id: str) -> tuple[str, ...]:
        return (
            LEFT_HAND_KEYS.get(id, self._table[id].keys)
            if self.is_left_handed
            else self._table[id].keys
        )

    def _user_keys(self) -> dict[str, str]:
        """Return the valid keys that the user assigned, by id of the action or grade."""
        if self._settings is None:
            return {}
        stored_keys = {
            prefix + id: key
            for name, prefix in KEY_SETTINGS.items()
            for id, key in self._settings.get(name).items()
        }
        return {
            id: normalize_key(key)
            for id, key in stored_keys.items()
            if id in self._table and is_assignable(id, key)
        }

    def _on_changed(self, name: str) -> None:
        if name == "hand" or name in KEY_SETTINGS:
            self._refresh()

    def _refresh(self) -> None:
        """Recompute the keys: those of the preset, and the user's own if they do not conflict."""
        preset, user_keys = {id: self._preset(id) for id in self._table}, self._user_keys()
        new_keys = preset
        while user_keys:
            new_keys = {**preset, **{id: (key,) for id, key in user_keys.items()}}
            conflicting = [
                id
                for id, key in user_keys.items()
                if _find_conflict(self._table, new_keys, id, key)
            ]
            if not conflicting:
                break
            user_keys = {id: key for id, key in user_keys.items() if id not in conflicting}
            new_keys = preset
        if new_keys != self._keys_by_id:
            self._keys_by_id = new_keys
            self._judging_ids = self._map_judging_keys()
            self.changed.emit()

    def _map_judging_keys(self) -> dict[str, str]:
        return {
            normalize_key(key): id
            for id, keys in self._keys_by_id.items()
            if self._table[id].page in ("", JUDGE_PAGE)
            for key in keys
        }


def _find_conflict(
    table: Mapping[str, KeyBinding], keys: Mapping[str, tuple[str, ...]], id: str, key: str
) -> str:
    page, normalized = table[id].page, normalize_key(key)
    for other, others in keys.items():
        shares_page = table[other].page == page or "" in (page, table[other].page)
        if other != id and shares_page and normalized in map(normalize_key, others):
            return other
    return ""
