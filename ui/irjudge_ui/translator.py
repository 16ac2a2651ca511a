"""Qt translator that uses the engine's catalogues of translations."""

from PySide6.QtCore import QObject, QTranslator

from irjudge.translations import load_catalogue


class CatalogueTranslator(QTranslator):
    """Translator for one language that finds translations by English text and, if given, meaning.

    The meaning is Qt's disambiguation. The translator ignores Qt's contexts, which are class
    names. It ignores numbers as well, so that there are no plural forms.
    """

    def __init__(self, parent: QObject, language: str) -> None:
        super().__init__(parent)
        self._catalogue = load_catalogue(language)

    def isEmpty(self) -> bool:
        return not self._catalogue.entries

    def translate(
        self,
        context: str | bytes,  # noqa: ARG002 -- Qt passes it
        source: str | bytes,
        disambiguation: str | bytes | None = None,
        number: int = -1,  # noqa: ARG002 -- Qt passes it
    ) -> str:
        text, meaning = _to_text(source), _to_text(disambiguation or "")
        translation = self._catalogue.translate(text, meaning)
        # None, so that Qt asks the next translator
        return None if translation == text else translation  # type: ignore[return-value]


def _to_text(text: str | bytes) -> str:
    return text.decode() if isinstance(text, bytes) else text
