"""Puts the settings of colours, type and highlight on the application."""

from PySide6.QtWidgets import QApplication

from irjudge_ui.settings import Settings
from irjudge_ui.widgets.theme import apply_theme, wanted_theme

LOOKS = ("theme", "zoom", "font", "highlight")  # the settings that change how the window looks


def apply_looks(application: QApplication, settings: Settings) -> None:
    """Let the whole application look as a user wants it."""
    theme, zoom, font, highlight = (settings.get(name) for name in LOOKS)
    apply_theme(application, wanted_theme(str(theme)), float(zoom), highlight=str(highlight), font=str(font))
