"""Table of all user actions of the window: id, text, default keys and page.

The window and the pages supply the functions that the actions call.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QT_TRANSLATE_NOOP, QObject, Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QApplication, QComboBox, QLineEdit, QWidget

from irjudge.message import Message
from irjudge.model import ARROW_SIGNS, JUDGING_KEYS
from irjudge_ui.keymap import KeyBinding, KeyMap
from irjudge_ui.messages import translate, translate_message

# key cap texts of keys whose names on keyboards differ from Qt's names
KEY_CAPS = {**ARROW_SIGNS, "Return": "Enter"}
# for each task, id of the page on which its judging keys work; empty for all pages
TASK_PAGES = {"grade": "judge", "compare": "panels", "": ""}


@dataclass(frozen=True, slots=True)
class Action:
    """Declaration of a user action, such as a menu command: id, text, default keys and page.

    The window or the page creates a `BoundAction` for it. The function that the action calls is not
    declared here; see `ActionHandler`.
    """

    id: str  # identifier, also used in the settings
    # English text, translated where it is shown
    text: object  # `object` is the type that PySide declares for QT_TRANSLATE_NOOP
    keys: tuple[str, ...]  # default keys; `KEYS` has the current keys
    page: str = ""  # id of the page on which the action works; empty for all pages
    # whether the action depends on what its page shows or has selected; the command palette offers
    # such an action only while its page is visible
    in_context: bool = False

    @property
    def label(self) -> str:
        """Text of the action in the user's language."""
        return (
            translate_message(self.text)
            if isinstance(self.text, Message)
            else translate("Action", str(self.text))
        )


@dataclass(frozen=True, slots=True)
class ActionHandler:
    """Function that an action calls, and a predicate: whether the action is enabled.

    Neither of them has arguments. The window and each page provide a handler for each of their
    actions.
    """

    do: Callable[[], object]
    can: Callable[[], bool] = lambda: True  # whether the action is enabled


def _judging_action(id: str, *, like: str = "", page: str | None = None) -> Action:
    """Declare a judging action that shares its text and keys with the web page.

    `like` is the id of the action whose text and keys are used, by default `id`.
    """
    declaration = JUDGING_KEYS[like or id]
    page_id = TASK_PAGES[declaration.where] if page is None else page
    return Action(id, declaration.text, declaration.keys, page_id, in_context=bool(page_id))


ACTIONS = (
    Action("new", QT_TRANSLATE_NOOP("Action", "New project"), ("Ctrl+N",)),
    Action("open", QT_TRANSLATE_NOOP("Action", "Open project"), ("Ctrl+O",)),
    Action("reopen", QT_TRANSLATE_NOOP("Action", "Reopen project"), ("Ctrl+Shift+O",)),
    Action("home", QT_TRANSLATE_NOOP("Action", "Home"), ("Ctrl+1",)),
    Action("files", QT_TRANSLATE_NOOP("Action", "Evaluate files"), ("Ctrl+Alt+E",)),
    Action("collection", QT_TRANSLATE_NOOP("Action", "Collection"), ("Ctrl+2",)),
    Action("browse", QT_TRANSLATE_NOOP("Action", "Documents"), ("Ctrl+8",)),
    Action("runs", QT_TRANSLATE_NOOP("Action", "Runs"), ("Ctrl+Alt+R",)),
    Action("judge", QT_TRANSLATE_NOOP("Action", "Judge"), ("Ctrl+3",)),
    Action("panels", QT_TRANSLATE_NOOP("Action", "Side by side"), ("Ctrl+4",)),
    Action("assessors", QT_TRANSLATE_NOOP("Action", "Assessors"), ("Ctrl+5",)),
    Action("session", QT_TRANSLATE_NOOP("Action", "Session"), ("Alt+0",)),
    Action("agreement", QT_TRANSLATE_NOOP("Action", "Agreement"), ("Alt+2",)),
    Action("adjudicate", QT_TRANSLATE_NOOP("Action", "Adjudicate"), ("Alt+3",)),
    Action("quality", QT_TRANSLATE_NOOP("Action", "Quality"), ("Alt+4",)),
    Action("models", QT_TRANSLATE_NOOP("Action", "Models"), ("Ctrl+9",)),
    Action("ask-models", QT_TRANSLATE_NOOP("Action", "Ask a model"), ("Ctrl+Alt+M",)),
    Action("preferences", QT_TRANSLATE_NOOP("Action", "Preferences"), ("Alt+1",)),
    Action("evaluate", QT_TRANSLATE_NOOP("Action", "Evaluate"), ("Ctrl+6",)),
    Action("explain", QT_TRANSLATE_NOOP("Action", "Explain"), ("Alt+5",)),
    Action("figures", QT_TRANSLATE_NOOP("Action", "Figures"), ("Alt+6",)),
    Action("live", QT_TRANSLATE_NOOP("Action", "Live evaluation"), ("Alt+7",)),
    Action("found", QT_TRANSLATE_NOOP("Action", "Recall"), ("Ctrl+Alt+F",)),
    Action("compare", QT_TRANSLATE_NOOP("Action", "Compare"), ("Ctrl+7",)),
    Action("correlate", QT_TRANSLATE_NOOP("Action", "Correlate"), ("Alt+8",)),
    Action("rankings", QT_TRANSLATE_NOOP("Action", "Two rankings"), ("Alt+9",)),
    Action("history", QT_TRANSLATE_NOOP("Action", "History"), ("Ctrl+Alt+H",)),
    Action("copy-table", QT_TRANSLATE_NOOP("Action", "Copy table"), ("Ctrl+Shift+C",)),
    Action(
        "copy-rows",
        QT_TRANSLATE_NOOP("Action", "Copy selected rows"),
        ("Ctrl+C",),
        in_context=True,
    ),
    Action("print", QT_TRANSLATE_NOOP("Action", "Print"), ("Ctrl+P",)),
    Action("zoom-in", QT_TRANSLATE_NOOP("Action", "Larger text"), ("Ctrl++", "Ctrl+=")),
    Action("zoom-out", QT_TRANSLATE_NOOP("Action", "Smaller text"), ("Ctrl+-",)),
    Action("zoom-reset", QT_TRANSLATE_NOOP("Action", "Normal text size"), ("Ctrl+0",)),
    Action("command-palette", QT_TRANSLATE_NOOP("Action", "Command palette"), ("Ctrl+K",)),
    _judging_action("settings"),
    Action("theme", QT_TRANSLATE_NOOP("Action", "Toggle light/dark theme"), ("Ctrl+T",)),
    _judging_action("shortcuts"),
    Action("help", QT_TRANSLATE_NOOP("Action", "Help"), JUDGING_KEYS["help"].keys),
    Action("guides", QT_TRANSLATE_NOOP("Action", "Guides"), ("Ctrl+F1",)),
    Action("quit", QT_TRANSLATE_NOOP("Action", "Quit"), ("Ctrl+Q", "Ctrl+W")),
    _judging_action("skip"),
    _judging_action("unjudgeable"),
    _judging_action("unsure"),
    _judging_action("note"),
    _judging_action("reason"),
    _judging_action("passage"),
    _judging_action("highlight"),
    _judging_action("next-hit"),
    _judging_action("previous-hit"),
    _judging_action("find"),
    _judging_action("find-next"),
    _judging_action("find-previous"),
    _judging_action("pages"),
    _judging_action("jump"),
    Action("order", QT_TRANSLATE_NOOP("Action", "judging order"), ("O",), "judge", in_context=True),
    Action(
        "why-shown",
        QT_TRANSLATE_NOOP("Action", "show why the last document was chosen"),
        ("Y",),
        "judge",
        in_context=True,
    ),
    _judging_action("search-collection"),
    Action(
        "alike",
        QT_TRANSLATE_NOOP("Action", "near-duplicates"),
        ("Ctrl+Alt+S",),
        "judge",
        in_context=True,
    ),
    _judging_action("back"),
    _judging_action("several"),
    _judging_action("next-on-page"),
    _judging_action("previous-on-page"),
    Action(
        "go-on",
        QT_TRANSLATE_NOOP("Action", "continue judging"),
        ("G",),
        "judge",
        in_context=True,
    ),
    _judging_action("undo", page="judge"),
    _judging_action("redo", page="judge"),
    _judging_action("hand-in", page="judge"),
    Action(
        "save-copy",
        QT_TRANSLATE_NOOP("Action", "save a copy"),
        ("Ctrl+Shift+S",),
        "judge",
        in_context=True,
    ),
    _judging_action("retry", page="judge"),
    _judging_action("left"),
    _judging_action("equal"),
    _judging_action("right"),
    _judging_action("much-left"),
    _judging_action("much-right"),
    _judging_action("open-result"),
    _judging_action("link"),
    _judging_action("same"),
    _judging_action("panel-note"),
    _judging_action("later"),
    Action(
        "panel-go-on",
        QT_TRANSLATE_NOOP("Action", "continue judging"),
        ("G",),
        "panels",
        in_context=True,
    ),
    _judging_action("panel-undo", like="undo", page="panels"),
    _judging_action("panel-redo", like="redo", page="panels"),
    _judging_action("panel-hand-in", like="hand-in", page="panels"),
    Action(
        "panel-copy",
        QT_TRANSLATE_NOOP("Action", "save a copy"),
        ("Ctrl+Shift+S",),
        "panels",
        in_context=True,
    ),
    _judging_action("panel-retry", like="retry", page="panels"),
    Action(
        "undo-change",
        QT_TRANSLATE_NOOP("Action", "Undo last change"),
        ("Ctrl+Z",),
        "collection",
        in_context=True,
    ),
    Action(
        "redo-change",
        QT_TRANSLATE_NOOP("Action", "Redo last change"),
        ("Ctrl+Shift+Z", "Ctrl+Y"),
        "collection",
        in_context=True,
    ),
    Action(
        "undo-documents",
        QT_TRANSLATE_NOOP("Action", "Undo last change"),
        ("Ctrl+Z",),
        "browse",
        in_context=True,
    ),
    Action(
        "redo-documents",
        QT_TRANSLATE_NOOP("Action", "Redo last change"),
        ("Ctrl+Shift+Z", "Ctrl+Y"),
        "browse",
        in_context=True,
    ),
    Action(
        "undo-runs",
        QT_TRANSLATE_NOOP("Action", "Undo last change"),
        ("Ctrl+Z",),
        "runs",
        in_context=True,
    ),
    Action(
        "redo-runs",
        QT_TRANSLATE_NOOP("Action", "Redo last change"),
        ("Ctrl+Shift+Z", "Ctrl+Y"),
        "runs",
        in_context=True,
    ),
    Action("build-pool", QT_TRANSLATE_NOOP("Action", "Build pool"), ("Ctrl+B",), "collection"),
    Action("add-runs", QT_TRANSLATE_NOOP("Action", "Add runs"), ("Ctrl+R",), "runs"),
    Action("add-topics", QT_TRANSLATE_NOOP("Action", "Add topics"), ("Ctrl+Alt+T",), "collection"),
    Action(
        "add-documents", QT_TRANSLATE_NOOP("Action", "Add documents"), ("Ctrl+Alt+D",), "browse"
    ),
    Action("make-run", QT_TRANSLATE_NOOP("Action", "Create run"), ("Ctrl+Shift+R",), "runs"),
    Action(
        "remove-run",
        QT_TRANSLATE_NOOP("Action", "Remove run"),
        ("Ctrl+Backspace",),
        "runs",
        in_context=True,
    ),
    Action("add-qrels", QT_TRANSLATE_NOOP("Action", "Import qrels"), ("Ctrl+I",), "collection"),
    Action(
        "add-sides",
        QT_TRANSLATE_NOOP("Action", "Import auxiliary files"),
        ("Ctrl+Alt+I",),
        "collection",
    ),
    Action("fields", QT_TRANSLATE_NOOP("Action", "Choose fields"), ("Ctrl+Shift+F",), "browse"),
    Action("prices", QT_TRANSLATE_NOOP("Action", "Judging costs"), ("Ctrl+Shift+P",), "collection"),
    Action("export", QT_TRANSLATE_NOOP("Action", "Export"), ("Ctrl+Shift+E",), "collection"),
    Action(
        "import-judgments",
        QT_TRANSLATE_NOOP("Action", "Import judgments"),
        ("Ctrl+Shift+I",),
        "collection",
    ),
    Action("export-qrels", QT_TRANSLATE_NOOP("Action", "Export qrels"), ("Ctrl+E",)),
    Action("search", QT_TRANSLATE_NOOP("Action", "Search"), ("Ctrl+F",), "browse"),
    Action("make-index", QT_TRANSLATE_NOOP("Action", "Build index"), ("Ctrl+Shift+M",), "browse"),
    Action("workbook", QT_TRANSLATE_NOOP("Action", "Report"), ("Ctrl+S",), "evaluate"),
    Action("measures", QT_TRANSLATE_NOOP("Action", "Choose measures"), ("Ctrl+L",), "evaluate"),
    Action("catalogue", QT_TRANSLATE_NOOP("Action", "All measures"), ("Ctrl+Shift+L",), "evaluate"),
    Action(
        "keep", QT_TRANSLATE_NOOP("Action", "Save current values"), ("Ctrl+Shift+K",), "history"
    ),
    Action("files-report", QT_TRANSLATE_NOOP("Action", "Report"), ("Ctrl+S",), "files"),
    Action("save-figure", QT_TRANSLATE_NOOP("Action", "Save figure"), ("Ctrl+S",), "figures"),
    Action("copy-figure", QT_TRANSLATE_NOOP("Action", "Copy figure"), ("Ctrl+Shift+I",), "figures"),
    Action("figure-values", QT_TRANSLATE_NOOP("Action", "Values"), ("Ctrl+D",), "figures"),
    Action("exercise", QT_TRANSLATE_NOOP("Action", "Exercise"), ("Ctrl+Shift+X",), "explain"),
    Action(
        "undo-step", QT_TRANSLATE_NOOP("Action", "Undo"), ("Ctrl+Z",), "explain", in_context=True
    ),
    Action(
        "reset-steps", QT_TRANSLATE_NOOP("Action", "Reset"), ("Ctrl+R",), "explain", in_context=True
    ),
    Action("live-measures", QT_TRANSLATE_NOOP("Action", "Choose measures"), ("Ctrl+L",), "live"),
    Action("judge-next", QT_TRANSLATE_NOOP("Action", "Judge this topic"), ("Ctrl+J",), "live"),
    Action("open-next", QT_TRANSLATE_NOOP("Action", "Open document"), ("Ctrl+D",), "live"),
    Action("assign", QT_TRANSLATE_NOOP("Action", "Assign"), ("Ctrl+Return",), "assessors"),
    Action("merge", QT_TRANSLATE_NOOP("Action", "Merge files"), ("Ctrl+M",), "assessors"),
    Action("browser-page", QT_TRANSLATE_NOOP("Action", "Browser page"), ("Ctrl+B",), "assessors"),
    Action(
        "give-away",
        QT_TRANSLATE_NOOP("Action", "Reassign remaining work"),
        ("Ctrl+G",),
        "assessors",
        in_context=True,
    ),
    Action("big-screen", QT_TRANSLATE_NOOP("Action", "Full screen"), ("F11",), "session"),
    Action("booklet", QT_TRANSLATE_NOOP("Action", "Print booklet"), ("Ctrl+Shift+B",), "assessors"),
    Action(
        "enter-paper",
        QT_TRANSLATE_NOOP("Action", "Enter paper judgments"),
        ("Ctrl+Shift+K",),
        "assessors",
    ),
    _judging_action("cannot-decide", like="unjudgeable", page="adjudicate"),
    Action(
        "put-off",
        QT_TRANSLATE_NOOP("Action", "decide later"),
        ("S",),
        "adjudicate",
        in_context=True,
    ),
    Action(
        "hide-names",
        QT_TRANSLATE_NOOP("Action", "hide or show names"),
        ("H",),
        "adjudicate",
        in_context=True,
    ),
    _judging_action("search-decision", like="search-collection", page="adjudicate"),
    Action("why", QT_TRANSLATE_NOOP("Action", "add reason"), ("N",), "adjudicate", in_context=True),
    _judging_action("undo-decision", like="undo", page="adjudicate"),
    _judging_action("redo-decision", like="redo", page="adjudicate"),
    _judging_action("save-decision", like="retry", page="adjudicate"),
    Action(
        "set-aside",
        QT_TRANSLATE_NOOP("Action", "Exclude or include assessor"),
        ("Ctrl+D",),
        "quality",
        in_context=True,
    ),
    Action(
        "undo-aside", QT_TRANSLATE_NOOP("Action", "Undo"), ("Ctrl+Z",), "quality", in_context=True
    ),
    Action(
        "redo-aside",
        QT_TRANSLATE_NOOP("Action", "Redo"),
        ("Ctrl+Shift+Z", "Ctrl+Y"),
        "quality",
        in_context=True,
    ),
    Action("add-labels", QT_TRANSLATE_NOOP("Action", "Import model labels"), ("Ctrl+I",), "models"),
    Action("ask-start", QT_TRANSLATE_NOOP("Action", "Ask"), ("Ctrl+Return",), "ask-models"),
    Action(
        "write-prompts",
        QT_TRANSLATE_NOOP("Action", "Save prompts"),
        ("Ctrl+Shift+P",),
        "ask-models",
    ),
    Action(
        "read-answers",
        QT_TRANSLATE_NOOP("Action", "Import responses"),
        ("Ctrl+Shift+I",),
        "ask-models",
    ),
    Action("save-audit", QT_TRANSLATE_NOOP("Action", "Save audit"), ("Ctrl+S",), "models"),
    Action("find-guide", QT_TRANSLATE_NOOP("Action", "Search guides"), ("Ctrl+F",), "guides"),
    Action(
        "guide-next", QT_TRANSLATE_NOOP("Action", "Find next"), ("F3",), "guides", in_context=True
    ),
    Action(
        "guide-previous",
        QT_TRANSLATE_NOOP("Action", "Find previous"),
        ("Shift+F3",),
        "guides",
        in_context=True,
    ),
)
BY_ID = {action.id: action for action in ACTIONS}
KEYS = KeyMap({action.id: KeyBinding(action.page, action.keys) for action in ACTIONS})


class BoundAction(QAction):
    """Qt action for an entry of `ACTIONS`, which calls a handler and belongs to a widget.

    When the action is triggered, the focused text field is committed; then the handler is called if
    it is enabled. The shortcuts are updated when the key map changes. A key that is held down
    triggers the action only once.
    """

    def __init__(self, action: Action, handler: ActionHandler, widget: QWidget) -> None:
        super().__init__(action.label, widget)
        self._handler = handler
        self.setObjectName(action.id)
        # shortcuts of hidden pages are inactive
        self.setShortcutContext(Qt.ShortcutContext.WindowShortcut)
        self.setAutoRepeat(False)
        KEYS.changed.connect(self.refresh)
        self.refresh()
        self.triggered.connect(self._call_handler)
        widget.addAction(self)

    @property
    def possible(self) -> bool:
        """Whether the handler is enabled."""
        return self._handler.can()

    def _call_handler(self) -> None:
        commit_focused_field()
        if self.possible:
            self._handler.do()

    def refresh(self) -> None:
        """Set the shortcuts to the current keys."""
        self.setShortcuts([QKeySequence(key) for key in KEYS.keys(self.objectName())])


class KeyCapUpdater(QObject):
    """Object that passes an action's key cap text to a function, initially and after each change.

    The text is that of the action's first key. The object exists as long as its owner.
    """

    def __init__(self, id: str, show: Callable[[str], Any], owner: QObject) -> None:
        super().__init__(owner)
        self._id, self._show = id, show
        KEYS.changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        self._show(key_cap_text(self._id))


def create_actions(
    widget: QWidget, handlers: Mapping[str, ActionHandler]
) -> dict[str, BoundAction]:
    """Create the Qt actions of the window or of a page; return them by id."""
    return {id: BoundAction(BY_ID[id], handler, widget) for id, handler in handlers.items()}


def commit_focused_field() -> None:
    """Commit the text of the focused field, as if the user had left the field."""
    field = QApplication.focusWidget()
    if isinstance(field, QComboBox):
        field = field.lineEdit()  # None if the box is not editable
    if isinstance(field, QLineEdit) and not field.isReadOnly():
        field.editingFinished.emit()


def key_cap_text(id: str) -> str:
    """Return the key cap text of an action's first key."""
    return format_keys(KEYS.keys(id)[0])


def bind_key_cap(id: str, show: Callable[[str], Any], owner: QObject) -> None:
    """Call `show` with an action's key cap text, and again whenever the keys change.

    The calls end when `owner` is deleted.
    """
    KeyCapUpdater(id, show, owner)


def format_keys(keys: str) -> str:
    """Return a key combination as displayed on a key cap.

    Examples
    --------
    >>> format_keys("Ctrl+Shift+Z"), format_keys("Ctrl++"), format_keys("+"), format_keys("Shift+Left")
    ('Ctrl Shift Z', 'Ctrl +', '+', 'Shift ←')
    """
    keys_text = (keys[:-1].replace("+", " ") + keys[-1:]).split(" ")
    return " ".join(KEY_CAPS.get(key_name, key_name) for key_name in keys_text)
