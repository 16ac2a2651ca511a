"""Keys drawn as key caps beside what they do."""

from collections.abc import Iterable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QLabel

from irjudge_ui.widgets.layout import text
from irjudge_ui.widgets.theme import SPACE_M


def keycap(key: str) -> QLabel:
    """Return one key cap."""
    cap = text(key, "keycap", wrap=False)
    cap.setAlignment(Qt.AlignmentFlag.AlignCenter)
    return cap


def key_list(pairs: Iterable[tuple[str, str]]) -> QGridLayout:
    """Return key caps in one column and what they do in the next."""
    grid = QGridLayout()
    grid.setVerticalSpacing(6)
    grid.setHorizontalSpacing(SPACE_M)
    for line, (key, words) in enumerate(pairs):
        grid.addWidget(keycap(key), line, 0, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        grid.addWidget(text(words, "quiet"), line, 1, Qt.AlignmentFlag.AlignVCenter)
    grid.setColumnStretch(1, 1)
    return grid
