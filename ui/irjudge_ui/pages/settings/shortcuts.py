"""The list of all shortcuts, and the short lists beside the work, made from the action table."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QVBoxLayout, QWidget

from irjudge_ui.actions import ACTIONS, BY_ID, KEYS, shown_keys
from irjudge_ui.desk.keyboard import grade_cap
from irjudge_ui.keymap import GRADES, JUDGING
from irjudge_ui.widgets.keycap import key_list
from irjudge_ui.widgets.layout import button, card, column, row, scrolling, text
from irjudge_ui.widgets.theme import SPACE_L, SPACE_XL, dress, zoomed

SIZE = (520, 560)


class ShortcutsDialog(QDialog):
    """Shows every action with its keys, page by page; those of the page `first` stand at the top."""

    def __init__(self, parent: QWidget, first: str = "") -> None:
        super().__init__(parent)
        dress(self)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("All shortcuts"))
        room = parent.window().size()
        self.resize(*(min(zoomed(wish), most) for wish, most in zip(SIZE, (room.width(), room.height()), strict=True)))
        pages = sorted(dict.fromkeys(action.page for action in ACTIONS), key=lambda page: page != first)
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
        keys = [("   ".join(shown_keys(key) for key in KEYS.keys(action.id)), action.label) for action in ACTIONS if action.page == page]
        if page == JUDGING:
            keys.insert(0, (grade_keys(), self.tr("give the grade 0 … 9 and show the next document")))
        return card(text(title, "heading"), key_list(keys))


def grade_keys() -> str:
    """Return the keys of the grades on one key cap, short where they are the digits."""
    caps = [grade_cap(grade) for grade in range(len(GRADES))]
    return "0 … 9" if caps == list("0123456789") else "  ".join(caps)
