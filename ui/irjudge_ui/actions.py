"""Every action of the window in one table: id, text, keys, where it works, what it calls, when it is enabled."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from operator import attrgetter
from typing import Any

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication, QObject, Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QApplication, QComboBox, QLineEdit, QWidget

from irjudge_ui.keymap import KeyMap, KeyPlace

ARROWS = {"Left": "←", "Right": "→", "Up": "↑", "Down": "↓"}


@dataclass(frozen=True, slots=True)
class Action:
    """One thing a person can do."""

    id: str  # its name in settings and tests
    # what it says, in English; translated where it is shown
    text: object  # PySide types the marker for lupdate so
    keys: tuple[str, ...]  # those it has until a person gives it another; `KEYS` knows the ones it has now
    page: str  # the id of the page where it works; empty for everywhere
    calls: str  # the method it calls, of the page's view, of a part of it (`reading.find`) or of the window
    enabled: str = ""  # the property of the same object or part that tells whether it can be done now; empty for always
    takes: tuple[str | int, ...] = ()  # what the method is called with

    @property
    def label(self) -> str:
        """The text in the user's language."""
        return QCoreApplication.translate("Action", str(self.text))


def _shows(page: str, text: object, key: str, enabled: str = "organises") -> Action:
    """Declare the action that shows a page."""
    return Action(page, text, (key,), "", "show_page", enabled, (page,))


ACTIONS = (
    _shows("new", QT_TRANSLATE_NOOP("Action", "New project"), "Ctrl+N", ""),
    Action("open", QT_TRANSLATE_NOOP("Action", "Open project"), ("Ctrl+O",), "", "ask_open"),
    _shows("files", QT_TRANSLATE_NOOP("Action", "Evaluate files"), "Ctrl+Alt+E", ""),
    Action("reopen", QT_TRANSLATE_NOOP("Action", "Open the project anew"), ("Ctrl+Shift+O",), "", "reopen", "has_project"),
    _shows("home", QT_TRANSLATE_NOOP("Action", "Start page"), "Ctrl+1", ""),
    _shows("collection", QT_TRANSLATE_NOOP("Action", "Collection"), "Ctrl+2"),
    _shows("browse", QT_TRANSLATE_NOOP("Action", "Look into the collection"), "Ctrl+8"),
    _shows("judge", QT_TRANSLATE_NOOP("Action", "Judge"), "Ctrl+3", "grades"),
    _shows("panels", QT_TRANSLATE_NOOP("Action", "Side by side"), "Ctrl+4", "compares"),
    _shows("assessors", QT_TRANSLATE_NOOP("Action", "Assessors"), "Ctrl+5"),
    _shows("session", QT_TRANSLATE_NOOP("Action", "Session"), "Alt+0"),
    _shows("agreement", QT_TRANSLATE_NOOP("Action", "Agreement"), "Alt+2"),
    _shows("adjudicate", QT_TRANSLATE_NOOP("Action", "Adjudicate"), "Alt+3"),
    _shows("quality", QT_TRANSLATE_NOOP("Action", "Quality"), "Alt+4"),
    _shows("preferences", QT_TRANSLATE_NOOP("Action", "Preferences"), "Alt+1"),
    _shows("evaluate", QT_TRANSLATE_NOOP("Action", "Evaluate"), "Ctrl+6"),
    _shows("explain", QT_TRANSLATE_NOOP("Action", "Explain"), "Alt+5"),
    _shows("figures", QT_TRANSLATE_NOOP("Action", "Figures"), "Alt+6"),
    _shows("live", QT_TRANSLATE_NOOP("Action", "Live evaluation"), "Alt+7"),
    _shows("compare", QT_TRANSLATE_NOOP("Action", "Compare"), "Ctrl+7"),
    _shows("correlate", QT_TRANSLATE_NOOP("Action", "Correlate"), "Alt+8"),
    _shows("rankings", QT_TRANSLATE_NOOP("Action", "Two rankings"), "Alt+9"),
    Action("copy-table", QT_TRANSLATE_NOOP("Action", "Copy table"), ("Ctrl+Shift+C",), "", "copying.copy_table", "copying.has_table"),
    Action("zoom-in", QT_TRANSLATE_NOOP("Action", "Larger text"), ("Ctrl++", "Ctrl+="), "", "looks.zoom_in"),
    Action("zoom-out", QT_TRANSLATE_NOOP("Action", "Smaller text"), ("Ctrl+-",), "", "looks.zoom_out"),
    Action("zoom-reset", QT_TRANSLATE_NOOP("Action", "Normal text size"), ("Ctrl+0",), "", "looks.zoom_reset"),
    _shows("settings", QT_TRANSLATE_NOOP("Action", "Settings"), "Ctrl+,", ""),
    Action("theme", QT_TRANSLATE_NOOP("Action", "Light or dark"), ("Ctrl+T",), "", "looks.switch_theme"),
    Action("shortcuts", QT_TRANSLATE_NOOP("Action", "All shortcuts"), ("?",), "", "show_shortcuts"),
    Action("help", QT_TRANSLATE_NOOP("Action", "Help"), ("F1",), "", "show_help"),
    _shows("guides", QT_TRANSLATE_NOOP("Action", "Guides"), "Ctrl+F1", ""),
    Action("quit", QT_TRANSLATE_NOOP("Action", "Quit"), ("Ctrl+Q",), "", "close"),
    Action("skip", QT_TRANSLATE_NOOP("Action", "skip for now"), ("S",), "judge", "skip", "can_judge"),
    Action("unjudgeable", QT_TRANSLATE_NOOP("Action", "cannot be judged"), ("X",), "judge", "ask_unjudgeable", "can_judge"),
    Action("unsure", QT_TRANSLATE_NOOP("Action", "unsure"), ("U",), "judge", "marking.switch_unsure", "can_judge"),
    Action("note", QT_TRANSLATE_NOOP("Action", "note"), ("N",), "judge", "marking.write_note", "can_judge"),
    Action("reason", QT_TRANSLATE_NOOP("Action", "keep selection as reason"), ("R",), "judge", "marking.keep_selection", "can_judge"),
    Action("passage", QT_TRANSLATE_NOOP("Action", "best passage"), ("B",), "judge", "reading.show_passage", "reading.has_hits"),
    Action("highlight", QT_TRANSLATE_NOOP("Action", "highlight a word"), ("H",), "judge", "reading.highlight", "can_judge"),
    Action("next-hit", QT_TRANSLATE_NOOP("Action", "next highlighted place"), ("J",), "judge", "reading.next_hit", "reading.has_hits"),
    Action(
        "previous-hit",
        QT_TRANSLATE_NOOP("Action", "previous highlighted place"),
        ("K",),
        "judge",
        "reading.previous_hit",
        "reading.has_hits",
    ),
    Action("find", QT_TRANSLATE_NOOP("Action", "find in document"), ("Ctrl+F",), "judge", "reading.find", "can_judge"),
    Action("find-next", QT_TRANSLATE_NOOP("Action", "find next"), ("F3",), "judge", "reading.find_next", "can_judge"),
    Action("find-previous", QT_TRANSLATE_NOOP("Action", "find previous"), ("Shift+F3",), "judge", "reading.find_previous", "can_judge"),
    Action("print", QT_TRANSLATE_NOOP("Action", "print the document"), ("Ctrl+P",), "judge", "menu.print", "can_judge"),
    Action("pages", QT_TRANSLATE_NOOP("Action", "show pages as pictures"), ("P",), "judge", "show_pages", "has_pages"),
    Action("jump", QT_TRANSLATE_NOOP("Action", "documents of a topic"), ("L",), "judge", "jump", "has_topic"),
    Action("back", QT_TRANSLATE_NOOP("Action", "the document judged before"), ("Backspace",), "judge", "back", "can_go_back"),
    Action("go-on", QT_TRANSLATE_NOOP("Action", "go on where you were"), ("G",), "judge", "go_on", "can_go_on"),
    Action("undo", QT_TRANSLATE_NOOP("Action", "undo"), ("Ctrl+Z",), "judge", "turns.undo", "turns.can_undo"),
    Action("redo", QT_TRANSLATE_NOOP("Action", "redo"), ("Ctrl+Shift+Z", "Ctrl+Y"), "judge", "turns.redo", "turns.can_redo"),
    Action("hand-in", QT_TRANSLATE_NOOP("Action", "hand in"), ("Ctrl+Return",), "judge", "closing.hand_in", "closing.can_hand_in"),
    Action("save-copy", QT_TRANSLATE_NOOP("Action", "save a copy"), ("Ctrl+Shift+S",), "judge", "saving.ask_copy", "saving.waits"),
    Action("retry", QT_TRANSLATE_NOOP("Action", "try again to save"), ("F5",), "judge", "saving.retry", "saving.waits"),
    Action("left", QT_TRANSLATE_NOOP("Action", "left better"), ("Left",), "panels", "prefer", "can_compare", ("left", 1)),
    Action("equal", QT_TRANSLATE_NOOP("Action", "about equal"), ("0", "="), "panels", "prefer", "can_compare", ("tie", 1)),
    Action("right", QT_TRANSLATE_NOOP("Action", "right better"), ("Right",), "panels", "prefer", "can_compare", ("right", 1)),
    Action("much-left", QT_TRANSLATE_NOOP("Action", "left much better"), ("Shift+Left",), "panels", "prefer", "can_compare", ("left", 2)),
    Action(
        "much-right", QT_TRANSLATE_NOOP("Action", "right much better"), ("Shift+Right",), "panels", "prefer", "can_compare", ("right", 2)
    ),
    Action("open-result", QT_TRANSLATE_NOOP("Action", "open the result"), ("O",), "panels", "results.open_focused", "results.can_open"),
    Action("link", QT_TRANSLATE_NOOP("Action", "scroll together or not"), ("L",), "panels", "switch_link", "can_compare"),
    Action("same", QT_TRANSLATE_NOOP("Action", "where the same documents stand"), ("J",), "panels", "switch_same", "results.can_open"),
    Action("panel-note", QT_TRANSLATE_NOOP("Action", "note"), ("N",), "panels", "foot.write_note", "can_compare"),
    Action("later", QT_TRANSLATE_NOOP("Action", "skip for now"), ("S",), "panels", "skip", "can_compare"),
    Action("panel-go-on", QT_TRANSLATE_NOOP("Action", "go on where you were"), ("G",), "panels", "go_on", "can_go_on"),
    Action("panel-undo", QT_TRANSLATE_NOOP("Action", "undo"), ("Ctrl+Z",), "panels", "turns.undo", "turns.can_undo"),
    Action("panel-redo", QT_TRANSLATE_NOOP("Action", "redo"), ("Ctrl+Shift+Z", "Ctrl+Y"), "panels", "turns.redo", "turns.can_redo"),
    Action("panel-hand-in", QT_TRANSLATE_NOOP("Action", "hand in"), ("Ctrl+Return",), "panels", "closing.hand_in", "closing.can_hand_in"),
    Action("panel-copy", QT_TRANSLATE_NOOP("Action", "save a copy"), ("Ctrl+Shift+S",), "panels", "saving.ask_copy", "saving.waits"),
    Action("panel-retry", QT_TRANSLATE_NOOP("Action", "try again to save"), ("F5",), "panels", "saving.retry", "saving.waits"),
    Action("undo-change", QT_TRANSLATE_NOOP("Action", "Undo the last change"), ("Ctrl+Z",), "collection", "undo_change", "can_undo"),
    Action(
        "redo-change",
        QT_TRANSLATE_NOOP("Action", "Redo the last change"),
        ("Ctrl+Shift+Z", "Ctrl+Y"),
        "collection",
        "redo_change",
        "can_redo",
    ),
    Action("build-pool", QT_TRANSLATE_NOOP("Action", "Build pool"), ("Ctrl+B",), "collection", "build_pool", "can_pool"),
    Action("add-runs", QT_TRANSLATE_NOOP("Action", "Add runs"), ("Ctrl+R",), "collection", "ask_runs", "can_change"),
    Action("remove-run", QT_TRANSLATE_NOOP("Action", "Remove run"), ("Ctrl+Backspace",), "collection", "remove_run", "can_remove"),
    Action("add-topics", QT_TRANSLATE_NOOP("Action", "Add topics"), ("Ctrl+Alt+T",), "collection", "ask_topics", "can_change"),
    Action("add-documents", QT_TRANSLATE_NOOP("Action", "Add documents"), ("Ctrl+Alt+D",), "collection", "ask_documents", "can_change"),
    Action("add-qrels", QT_TRANSLATE_NOOP("Action", "Import qrels"), ("Ctrl+I",), "collection", "ask_qrels", "can_change"),
    Action("add-sides", QT_TRANSLATE_NOOP("Action", "Import side files"), ("Ctrl+Alt+I",), "collection", "ask_sides", "can_change"),
    Action("prices", QT_TRANSLATE_NOOP("Action", "Prices"), ("Ctrl+P",), "collection", "ask_prices", "can_change"),
    Action("export", QT_TRANSLATE_NOOP("Action", "Export"), ("Ctrl+Shift+E",), "collection", "exporting.ask", "exporting.can_export"),
    Action(
        "import-judgments",
        QT_TRANSLATE_NOOP("Action", "Import judgments"),
        ("Ctrl+Shift+I",),
        "collection",
        "judgments.ask",
        "judgments.can_import",
    ),
    Action("export-qrels", QT_TRANSLATE_NOOP("Action", "Export qrels"), ("Ctrl+E",), "", "exports.ask_qrels", "exports.has_qrels"),
    Action("search", QT_TRANSLATE_NOOP("Action", "Search"), ("Ctrl+F",), "browse", "focus_search"),
    Action("make-index", QT_TRANSLATE_NOOP("Action", "Make the index"), ("Ctrl+Shift+M",), "browse", "make_index", "can_index"),
    Action("workbook", QT_TRANSLATE_NOOP("Action", "Write workbook"), ("Ctrl+W",), "evaluate", "ask_workbook", "has_table"),
    Action("files-report", QT_TRANSLATE_NOOP("Action", "Write workbook"), ("Ctrl+W",), "files", "ask_report", "has_table"),
    Action("measures", QT_TRANSLATE_NOOP("Action", "Choose measures"), ("Ctrl+L",), "evaluate", "focus_measures"),
    Action("catalogue", QT_TRANSLATE_NOOP("Action", "Catalogue"), ("Ctrl+Shift+L",), "evaluate", "choose_measures"),
    Action("save-figure", QT_TRANSLATE_NOOP("Action", "Save figure"), ("Ctrl+S",), "figures", "ask_save", "has_figure"),
    Action("copy-figure", QT_TRANSLATE_NOOP("Action", "Copy figure"), ("Ctrl+Shift+I",), "figures", "copy", "has_figure"),
    Action("figure-values", QT_TRANSLATE_NOOP("Action", "Values"), ("Ctrl+D",), "figures", "switch_values", "has_figure"),
    Action("exercise", QT_TRANSLATE_NOOP("Action", "Exercise"), ("Ctrl+Shift+X",), "explain", "switch_exercise", "has_ranking"),
    Action("undo-step", QT_TRANSLATE_NOOP("Action", "Undo"), ("Ctrl+Z",), "explain", "undo", "can_undo"),
    Action("reset-steps", QT_TRANSLATE_NOOP("Action", "Reset"), ("Ctrl+R",), "explain", "reset", "can_undo"),
    Action("live-measures", QT_TRANSLATE_NOOP("Action", "Choose measures"), ("Ctrl+L",), "live", "focus_measures"),
    Action("judge-next", QT_TRANSLATE_NOOP("Action", "Judge this topic"), ("Ctrl+J",), "live", "judge_next", "can_judge_next"),
    Action("open-next", QT_TRANSLATE_NOOP("Action", "Open document"), ("Ctrl+D",), "live", "open_next", "can_open_next"),
    Action("assign", QT_TRANSLATE_NOOP("Action", "Hand out"), ("Ctrl+Return",), "assessors", "assign", "can_assign"),
    Action("merge", QT_TRANSLATE_NOOP("Action", "Take files back"), ("Ctrl+M",), "assessors", "ask_files", "can_merge"),
    Action("browser-page", QT_TRANSLATE_NOOP("Action", "Page for a browser"), ("Ctrl+B",), "assessors", "ask_page", "can_write_page"),
    Action("give-away", QT_TRANSLATE_NOOP("Action", "Give the rest to others"), ("Ctrl+G",), "assessors", "give_away", "can_give"),
    Action("cannot-decide", QT_TRANSLATE_NOOP("Action", "cannot be judged"), ("X",), "adjudicate", "cannot_be_judged", "can_decide"),
    Action("put-off", QT_TRANSLATE_NOOP("Action", "decide later"), ("S",), "adjudicate", "put_off", "has_dispute"),
    Action("hide-names", QT_TRANSLATE_NOOP("Action", "hide or show names"), ("H",), "adjudicate", "hide_names", "has_dispute"),
    Action("why", QT_TRANSLATE_NOOP("Action", "write why"), ("N",), "adjudicate", "write_why", "has_dispute"),
    Action("undo-decision", QT_TRANSLATE_NOOP("Action", "undo"), ("Ctrl+Z",), "adjudicate", "turns.undo", "turns.can_undo"),
    Action("redo-decision", QT_TRANSLATE_NOOP("Action", "redo"), ("Ctrl+Shift+Z", "Ctrl+Y"), "adjudicate", "turns.redo", "turns.can_redo"),
    Action("save-decision", QT_TRANSLATE_NOOP("Action", "try again to save"), ("F5",), "adjudicate", "saving.retry", "saving.waits"),
    Action("set-aside", QT_TRANSLATE_NOOP("Action", "Set aside or count again"), ("Ctrl+D",), "quality", "set_aside", "can_set_aside"),
    Action("undo-aside", QT_TRANSLATE_NOOP("Action", "Undo"), ("Ctrl+Z",), "quality", "undo_change", "can_undo"),
    Action("redo-aside", QT_TRANSLATE_NOOP("Action", "Redo"), ("Ctrl+Shift+Z", "Ctrl+Y"), "quality", "redo_change", "can_redo"),
    Action("find-guide", QT_TRANSLATE_NOOP("Action", "Find in the guides"), ("Ctrl+F",), "guides", "ask"),
    Action("guide-next", QT_TRANSLATE_NOOP("Action", "Find next"), ("F3",), "guides", "walk", takes=(1,)),
    Action("guide-previous", QT_TRANSLATE_NOOP("Action", "Find previous"), ("Shift+F3",), "guides", "walk", takes=(-1,)),
)
BY_ID = {action.id: action for action in ACTIONS}
KEYS = KeyMap({action.id: KeyPlace(action.page, action.keys) for action in ACTIONS})


class LiveAction(QAction):
    """The Qt action of a row of the table. It has the keys that the row has now."""

    def __init__(self, action: Action, on: QWidget) -> None:
        super().__init__(action.label, on)
        self.setObjectName(action.id)
        self.setShortcutContext(Qt.ShortcutContext.WindowShortcut)  # a page that is not shown takes no shortcuts
        self.setAutoRepeat(False)
        KEYS.changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Take the keys of now."""
        self.setShortcuts([QKeySequence(key) for key in KEYS.keys(self.objectName())])


class KeyTeller(QObject):
    """Tells a part of the window how the key cap of an action reads, now and whenever it is another."""

    def __init__(self, id: str, tell: Callable[[str], Any], on: QObject) -> None:
        super().__init__(on)
        self._id, self._tell = id, tell
        KEYS.changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Tell it."""
        self._tell(key_cap(self._id))


def make(action: Action, target: QWidget, on: QWidget) -> QAction:
    """Return the Qt action that calls `target` when its keys are pressed inside `on`. A held key acts once."""
    made = LiveAction(action, on)
    made.triggered.connect(lambda: _call(action, target))
    on.addAction(made)
    return made


def make_all(page: str, target: QWidget, skip: Iterable[str] = ()) -> dict[str, QAction]:
    """Give an object the actions of its page."""
    return {action.id: make(action, target, target) for action in ACTIONS if action.page == page and action.id not in skip}


def can(action: Action, target: QWidget) -> bool:
    """Tell whether an action can be done now."""
    return not action.enabled or bool(attrgetter(action.enabled)(target))


def enter_typed() -> None:
    """Take what is typed in the field with the focus, as leaving it does."""
    field = QApplication.focusWidget()
    if isinstance(field, QComboBox):
        field = field.lineEdit()  # None where nothing can be typed
    if isinstance(field, QLineEdit) and not field.isReadOnly():
        field.editingFinished.emit()


def _call(action: Action, target: QWidget) -> None:
    enter_typed()
    if can(action, target):
        attrgetter(action.calls)(target)(*action.takes)


def key_cap(id: str) -> str:
    """Return how the key cap of an action reads now."""
    return shown_keys(KEYS.keys(id)[0])


def tell_key(id: str, tell: Callable[[str], Any], on: QObject) -> None:
    """Tell how the key cap of an action reads, now and whenever a person gives it another key, as long as `on` lives."""
    KeyTeller(id, tell, on)


def shown_keys(keys: str) -> str:
    """Return keys as they are printed on a key cap.

    Examples
    --------
    >>> shown_keys("Ctrl+Shift+Z"), shown_keys("Ctrl++"), shown_keys("+"), shown_keys("Shift+Left")
    ('Ctrl Shift Z', 'Ctrl +', '+', 'Shift ←')
    """
    words = (keys[:-1].replace("+", " ") + keys[-1:]).split(" ")
    return " ".join(ARROWS.get(word, word) for word in words)
