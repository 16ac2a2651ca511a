"""The part of the settings page where keys are changed: every grade and action with its key caps, page by page."""

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QDialog, QVBoxLayout, QWidget

from irjudge_ui.actions import ACTIONS, BY_ID, KEYS, shown_keys
from irjudge_ui.keymap import GRADES, JUDGING, fits, pressed
from irjudge_ui.messages import filled
from irjudge_ui.models.tables import Column, TableModel
from irjudge_ui.widgets.key_caps import KEY_SEPARATOR, KeyButton, KeyCapDelegate, key_list
from irjudge_ui.widgets.layout import button, card, column, row, scrolling, text
from irjudge_ui.widgets.table import FilterLine, Table
from irjudge_ui.widgets.theme import SPACE_L, SPACE_M, SPACE_XL, dress, zoomed
from irjudge_ui.workspace.keyboard import grade_cap

SIZE = (520, 560)


class ShortcutsDialog(QDialog):
    """Shows every action with its keys, page by page; those of the page `first` stand at the top."""

    def __init__(self, parent: QWidget, first: str = "") -> None:
        super().__init__(parent)
        dress(self)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("All shortcuts"))
        room = parent.window().size()
        self.resize(
            *(
                min(zoomed(wish), most)
                for wish, most in zip(SIZE, (room.width(), room.height()), strict=True)
            )
        )
        pages = sorted(
            dict.fromkeys(action.page for action in ACTIONS), key=lambda page: page != first
        )
        cards = [self._page(page) for page in pages]
        inside = QWidget()
        inside.setLayout(column(*cards, None, spacing=SPACE_L))
        done = button(self.tr("Close"), "primary")
        done.clicked.connect(self.accept)
        box = QVBoxLayout(self)
        box.setContentsMargins(SPACE_XL, SPACE_XL, SPACE_XL, SPACE_XL)
        box.setSpacing(SPACE_L)
        box.addWidget(text(self.tr("All shortcuts"), "title"))
        box.addWidget(scrolling(inside, name=self.tr("Keys")), 1)
        box.addLayout(row(None, done))

    def _page(self, page: str) -> QWidget:
        title = BY_ID[page].label if page else self.tr("Everywhere")
        keys = [
            ("   ".join(shown_keys(key) for key in KEYS.keys(action.id)), action.label)
            for action in ACTIONS
            if action.page == page
        ]
        if page == JUDGING:
            keys.insert(
                0, (grade_keys(), self.tr("give the grade 0 … 9 and show the next document"))
            )
        return card(text(title, "heading"), key_list(keys))


def grade_keys() -> str:
    """Return the keys of the grades on one key cap, short where they are the digits."""
    caps = [grade_cap(grade) for grade in range(len(GRADES))]
    return "0 … 9" if caps == list("0123456789") else "  ".join(caps)


SHOWN_ROWS = 10


class KeysTable(QWidget):
    """Lists the keys of now. A row's key is changed with Enter, a double click or the button below."""

    def __init__(self) -> None:
        super().__init__()
        self.change = KeyButton(self.tr("Change"), self.tr("Press a key"), pressed)
        self._model = TableModel(self._columns(), _ids())
        self.table = Table(
            self._model, self.tr("Keys of grades and actions"), stretch=1, rows=SHOWN_ROWS
        )
        self.table.setItemDelegateForColumn(0, KeyCapDelegate(self.table))
        self.table.opened.connect(lambda _row: self.change.wait(True))
        self.table.selectionModel().currentChanged.connect(lambda *_: self._show_choice())
        self.change.waits.connect(self._show_waiting)
        self.change.taken.connect(self._take)
        self.back = button(self.tr("Back to its default"))
        self.back.clicked.connect(self._go_back)
        self.words = text("", "small")
        self.setLayout(
            column(
                FilterLine(self.table),
                self.table,
                row(self.change, self.back, None),
                self.words,
                spacing=SPACE_M,
            )
        )
        KEYS.changed.connect(self.refresh)
        self.choose(next(iter(GRADES)))

    def choose(self, id: str) -> None:
        """Select the row of a grade or action."""
        self.table.setCurrentIndex(self._model.line_of(self._model.rows.index(id)))

    @property
    def chosen(self) -> str:
        """The id of the selected row."""
        return str(self._model.at(self.table.currentIndex()))

    def refresh(self) -> None:
        """Show the keys of now."""
        self._model.go_on(self._model.rows)
        self.back.setEnabled(self.table.currentIndex().isValid() and KEYS.is_own(self.chosen))

    def _columns(self) -> list[Column]:
        return [
            Column(
                self.tr("Keys"),
                lambda id: KEY_SEPARATOR.join(shown_keys(key) for key in KEYS.keys(id)),
            ),
            Column(self.tr("What they do"), label_of),
            Column(self.tr("Where"), _where),
        ]

    def _show_choice(self) -> None:
        there = self.table.currentIndex().isValid()
        for each in (self.change, self.back):
            each.setEnabled(there)
        self._say("")
        if not there:
            return  # the filter leaves no row
        label = label_of(self.chosen)
        self.change.setAccessibleName(filled(self.tr("Change the key of {label}"), label=label))
        self.back.setAccessibleName(filled(self.tr("Give {label} its default key"), label=label))
        self.back.setEnabled(KEYS.is_own(self.chosen))

    def _show_waiting(self, waiting: bool) -> None:
        words = filled(
            self.tr("Press the new key of “{action}”. Escape leaves it as it is."),
            action=label_of(self.chosen),
        )
        self._say(words if waiting else "")

    def _take(self, key: str) -> None:
        problem = problem_with(self.chosen, key)
        if not problem:
            KEYS.change(self.chosen, key)
        self._say(problem, "error" if problem else "small")
        self.table.setFocus()

    def _go_back(self) -> None:
        KEYS.change(self.chosen, "")
        self._say("")
        self.table.setFocus()

    def _say(self, words: str, style: str = "small") -> None:
        self.words.setText("✕ " + words if style == "error" else words)
        if self.words.objectName() != style:
            self.words.setObjectName(style)
            self.words.style().polish(self.words)


def _ids() -> list[str]:
    """Return the grades and the actions, page by page, the judging page first."""
    pages = dict.fromkeys([JUDGING, *(action.page for action in ACTIONS)])
    return [*GRADES, *(action.id for page in pages for action in ACTIONS if action.page == page)]


def _where(id: str) -> str:
    page = JUDGING if id in GRADES else BY_ID[id].page
    return BY_ID[page].label if page else QCoreApplication.translate("KeysTable", "Everywhere")


def label_of(id: str) -> str:
    """Return what a grade or action is called, in the user's language."""
    if id in GRADES:
        return filled(
            QCoreApplication.translate("KeysTable", "grade {grade}"),
            grade=id.removeprefix("grade-"),
        )
    return BY_ID[id].label


def problem_with(id: str, key: str) -> str:
    """Return why a key cannot be that of an action or grade, in a sentence; empty when it can."""
    translate = QCoreApplication.translate
    if other := KEYS.clash(id, key):
        words = translate(
            "KeysTable", "{key} is the key of “{action}” already. Nothing was changed."
        )
        return filled(words, key=shown_keys(key), action=label_of(other))
    if fits(id, key):
        return ""
    if id in GRADES:
        words = translate(
            "KeysTable",
            "{key} cannot be the key of a grade: expected one key alone that neither moves the page nor presses buttons.",
        )
    else:
        words = translate(
            "KeysTable",
            "{key} moves the page or the focus, presses buttons or edits text: expected another key.",
        )
    return filled(words, key=shown_keys(key))
