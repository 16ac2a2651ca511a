"""The language the window speaks: the desktop's, or the one chosen; it can change while the window is open."""

from PySide6.QtCore import QLibraryInfo, QLocale, QObject, QTranslator
from PySide6.QtWidgets import QApplication

from irjudge.shipped import shipped
from irjudge_ui.settings import Settings
from irjudge_ui.widgets.theme import apply_script


def locale_of(choice: str) -> QLocale:
    """Return the locale of a choice of the settings; `system` is the desktop's."""
    return QLocale() if choice == "system" else QLocale(choice)


class Language(QObject):
    """The translators of one application, ours and Qt's own for file dialogs; they follow the setting.

    Texts that are shown already stay as they are: whoever made them makes them anew.
    """

    def __init__(self, application: QApplication, settings: Settings) -> None:
        super().__init__(application)
        self._application, self._settings = application, settings
        self._installed: list[QTranslator] = []
        settings.changed.connect(lambda name: self.speak() if name == "language" else None)
        self.speak()

    def speak(self) -> None:
        """Speak the language of the settings from now on."""
        for translator in self._installed:
            self._application.removeTranslator(translator)
            translator.deleteLater()
        self._installed.clear()
        locale = locale_of(str(self._settings.get("language")))
        self._install(locale, "qtbase", QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath))
        apply_script(self._application, locale.name())
        if locale.language() != QLocale.Language.English:
            self._install(locale, "irjudge", str(shipped("resources") / "translations"))

    def _install(self, locale: QLocale, name: str, folder: str) -> None:
        translator = QTranslator(self)
        if translator.load(locale, name, "_", folder):
            self._application.installTranslator(translator)
            self._installed.append(translator)
