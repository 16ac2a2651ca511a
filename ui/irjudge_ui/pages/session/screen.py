"""The big screen of a session: how to join and how far it is, and nothing of what anybody judged."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QWidget

from irjudge.web.session import Standing
from irjudge_ui.pages.session.hall import Hall
from irjudge_ui.widgets.layout import column, row, text
from irjudge_ui.widgets.meter import Meter
from irjudge_ui.widgets.qr_code import QrCode
from irjudge_ui.widgets.theme import SPACE_XL
from irjudge_ui.words import filled

SIZE, QR_SIDE = (1024, 640), 420
LARGE, LARGEST = 28, 64  # pixels of letters that are read from the last row


class BigScreen(QWidget):
    """A window of its own, for the beamer."""

    def __init__(self, hall: Hall, title: str) -> None:
        super().__init__(None, Qt.WindowType.Window)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setObjectName("page")
        self.setWindowTitle(title)
        self._hall = hall
        self._code = QrCode(self.tr("Code to scan"), QR_SIDE)
        self._code.show_text(hall.link)
        self._people, self._meter = _large("", LARGE), Meter(self.tr("Judgments"))
        code = hall.server.code
        words = column(
            _large(title, LARGE),
            None,
            _large(self.tr("Scan the code, or open"), LARGE),
            _large(hall.address.removeprefix("http://"), LARGE + 8),
            _large(self.tr("Code"), LARGE),
            _large(f"{code[:4]} {code[4:]}", LARGEST),
            None,
            self._people,
            self._meter,
            spacing=SPACE_XL // 2,
        )
        whole = row(words, spacing=SPACE_XL)
        whole.addWidget(self._code, 1)
        whole.setContentsMargins(SPACE_XL, SPACE_XL, SPACE_XL, SPACE_XL)
        self.setLayout(whole)
        self.resize(*SIZE)
        hall.stands.connect(self._show)
        hall.destroyed.connect(self.close)

    def _show(self, standing: Standing) -> None:
        judged, wanted = (sum(each[place] for each in standing.topics.values()) for place in (0, 1))
        here = sum(seat.here for seat in standing.seats)
        self._people.setText(filled(self.tr("People here: %1. Judgments: %2 of %3."), f"{here}", f"{judged:,}", f"{wanted:,}"))
        self._meter.show_count(judged, wanted)


def _large(words: str, pixels: int) -> QLabel:
    made = text(words)
    made.setStyleSheet(f"font-size: {pixels}px")
    return made
