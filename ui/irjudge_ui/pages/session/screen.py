"""The big screen of a session: how to join and how far it is, and nothing of what anybody judged."""

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QGuiApplication, QKeyEvent, QResizeEvent, QScreen
from PySide6.QtWidgets import QLabel, QWidget

from irjudge.store.sessions import ENDED, PAUSED
from irjudge.web.standing import SessionStanding
from irjudge_ui.actions import KEYS, key_cap
from irjudge_ui.keymap import pressed
from irjudge_ui.pages.session.hall import Hall
from irjudge_ui.widgets.layout import breakable, column, row, text
from irjudge_ui.widgets.meter import Meter
from irjudge_ui.widgets.qr_code import QrCode
from irjudge_ui.widgets.theme import SPACE_XL, dress
from irjudge_ui.words import filled

SIZE, QR_SIDE = (1024, 640), 300
TITLE, PLAIN, COUNT, ADDRESS, CODE = (
    0.028,
    0.034,
    0.046,
    0.055,
    0.1,
)  # heights of letters that are read from the last row, as shares of the screen's
BAR = 0.02
WIDE = 16 / 9  # of a beamer; on a narrower screen the width says how large letters can be
SHARES = (6, 5)  # of the width: words, and the code to scan


class BigScreen(QWidget):
    """A window of its own, for the beamer; where everybody has a link of their own, it shows no code."""

    def __init__(self, hall: Hall, title: str, *, by_code: bool = True) -> None:
        super().__init__(None, Qt.WindowType.Window)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setObjectName("page")
        self.setWindowTitle(title)
        self._letters: dict[QLabel, float] = {}
        self._people, self._meter = self._large("", COUNT), Meter(self.tr("Judgments"))
        self._state = self._large("", COUNT, "warning")
        self._state.hide()
        self._keys = text("", "small")
        self._code = QrCode(self.tr("Code to scan"), QR_SIDE)
        self._code.show_text(hall.link)
        self._code.setVisible(by_code)
        whole = row(self._words(hall, title, by_code=by_code), *([self._code] if by_code else []), spacing=SPACE_XL)
        for place, share in enumerate(SHARES[: whole.count()]):
            whole.setStretch(place, share)
        whole.setContentsMargins(SPACE_XL, SPACE_XL, SPACE_XL, SPACE_XL)
        self.setLayout(whole)
        dress(self)
        self.resize(*SIZE)
        self._tell_keys()
        hall.stands.connect(self._show)
        hall.destroyed.connect(self.close)
        if hall.standing:
            self._show(hall.standing)

    def fill(self, own: QScreen) -> None:
        """Fill a screen: another than that of whoever leads, where there is one."""
        others = [each for each in QGuiApplication.screens() if each is not own]
        self.setGeometry((others or [own])[0].availableGeometry())
        self.showFullScreen()
        self.raise_()
        self.activateWindow()

    def _words(self, hall: Hall, title: str, *, by_code: bool) -> QWidget:
        """Return what stands beside the code to scan."""
        ways = self._ways_in(hall) if by_code else [self._large(self.tr("Everybody opens the link that they were given."))]
        words = QWidget()
        words.setLayout(column(self._large(title, TITLE, "quiet"), None, *ways, None, self._state, self._people, self._meter, self._keys))
        return words

    def _ways_in(self, hall: Hall) -> list[QLabel]:
        code = hall.server.code
        return [
            self._large(self.tr("Scan the code, or open")),
            self._large(breakable(hall.address.removeprefix("http://")), ADDRESS),
            self._large(self.tr("Code")),
            self._large(f"{code[:4]} {code[4:]}", CODE, "strong"),
        ]

    def _large(self, words: str, share: float = PLAIN, style: str = "") -> QLabel:
        made = text(words, style)
        self._letters[made] = share
        return made

    def _show(self, standing: SessionStanding) -> None:
        judged, wanted = (sum(each[place] for each in standing.topics.values()) for place in (0, 1))
        self._people.setText(filled(self.tr("People here: %1"), str(sum(seat.here for seat in standing.seats))))
        states = {PAUSED: self.tr("⚠ Paused"), ENDED: self.tr("The session has ended.")}
        self._state.setText(states.get(standing.state, ""))
        self._state.setVisible(bool(self._state.text()))
        self._meter.show_count(judged, wanted)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Write as large as the screen allows."""
        super().resizeEvent(event)
        height = min(self.height(), round(self.width() / WIDE))
        for label, share in self._letters.items():
            label.setStyleSheet(f"font-size: {round(height * share)}px")
        letters, bar = round(height * COUNT), round(height * BAR)
        self._meter.setStyleSheet(
            f"QLabel {{ font-size: {letters}px }} "
            f"QProgressBar, QProgressBar::chunk {{ min-height: {bar}px; max-height: {bar}px; border-radius: {bar // 2}px }}"
        )

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Fill the screen or leave it with the key that opened it; Escape leaves it, and from a window closes."""
        if pressed(event) in KEYS.keys("big-screen"):
            self.setWindowState(self.windowState() ^ Qt.WindowState.WindowFullScreen)
        elif event.key() == Qt.Key.Key_Escape and self.isFullScreen():
            self.setWindowState(self.windowState() & ~Qt.WindowState.WindowFullScreen)
            self.resize(*SIZE)
        elif event.key() == Qt.Key.Key_Escape:
            self.close()
        else:
            super().keyPressEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        """Say which keys leave the full screen, or fill it."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.WindowStateChange:
            self._tell_keys()

    def _tell_keys(self) -> None:
        full = self.tr("Escape: a window again")
        window = filled(self.tr("%1: the full screen. Escape: close"), key_cap("big-screen"))
        self._keys.setText(full if self.isFullScreen() else window)

    def event(self, event: QEvent) -> bool:
        """Follow the theme: no page of the window holds it."""
        taken = super().event(event)
        if event.type() == QEvent.Type.ApplicationPaletteChange:
            dress(self)
        return taken
