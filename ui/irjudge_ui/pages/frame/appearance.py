"""Puts the settings of colours, type and highlight on the application, and changes them by key."""

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QApplication

from irjudge_ui.settings import Settings
from irjudge_ui.widgets.theme import apply_theme, current_theme, opposite, wanted_theme

LOOKS = ("theme", "zoom", "font", "highlight")  # the settings that change how the window looks
ZOOMS, STEP = (0.7, 3.0), 0.1


def apply_looks(application: QApplication, settings: Settings) -> None:
    """Let the whole application look as a user wants it."""
    theme, zoom, font, highlight = (settings.get(name) for name in LOOKS)
    apply_theme(
        application, wanted_theme(str(theme)), float(zoom), highlight=str(highlight), font=str(font)
    )


class Looks(QObject):
    """Follows the settings and the desktop. `changed` comes when the application has its new look."""

    changed = Signal()

    def __init__(self, settings: Settings, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._settings = settings
        settings.changed.connect(self._on_changed)
        hints = QApplication.styleHints()
        hints.colorSchemeChanged.connect(
            self._apply
        )  # not through a lambda: the desktop outlives every window
        hints.accessibility().contrastPreferenceChanged.connect(self._apply)

    def zoom_in(self) -> None:
        """Make all text larger."""
        self._zoom(float(self._settings.get("zoom")) + STEP)

    def zoom_out(self) -> None:
        """Make all text smaller."""
        self._zoom(float(self._settings.get("zoom")) - STEP)

    def zoom_reset(self) -> None:
        """Make text its normal size."""
        self._zoom(1.0)

    def _zoom(self, zoom: float) -> None:
        self._settings.set("zoom", round(min(max(zoom, ZOOMS[0]), ZOOMS[1]), 2))

    def switch_theme(self) -> None:
        """Change between light and dark, in the same contrast."""
        self._settings.set("theme", opposite(current_theme()))

    def _on_changed(self, name: str) -> None:
        if name in LOOKS:
            self._apply()

    def _apply(self) -> None:
        application = QApplication.instance()
        if isinstance(application, QApplication):
            apply_looks(application, self._settings)
        self.changed.emit()
