"""Translations of all texts that users see, in one text file per language.

`resources/translations/LANGUAGE.tsv` has a line for each text: the English text, its translation
and, for ambiguous texts, the meaning. Window, browser page, reports and command line read this
file.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from irjudge.errors import FormatError
from irjudge.message import Message
from irjudge.shipped import shipped_folder

HEADER = "text\ttranslation\tmeaning"
ESCAPES = {"\\": "\\\\", "\n": "\\n", "\t": "\\t"}


@dataclass(frozen=True, slots=True)
class Catalogue:
    """Translations into one language, by English text and meaning.

    The meaning is empty unless the English text is ambiguous.
    """

    entries: Mapping[tuple[str, str], str]

    def translate(self, text: str, context: str = "") -> str:
        """Return the translation of a text, or the text itself if there is none."""
        translation = self.entries.get((text, context)) if context else None
        return translation or self.entries.get((text, "")) or text

    def translate_message(self, text: str) -> str:
        """Return the translation of a text, or of a message and the messages that it contains."""
        if isinstance(text, Message):
            return text.translate_with(self.translate)
        return self.translate(text)


def languages() -> list[str]:
    """Return the languages with a catalogue, such as `zh_CN`; English has none."""
    return sorted(
        path.stem for path in (shipped_folder("resources") / "translations").glob("*.tsv")
    )


@cache
def load_catalogue(language: str) -> Catalogue:
    """Return the catalogue of a language; the catalogue is empty if there are no translations."""
    path = shipped_folder("resources") / "translations" / f"{language}.tsv"
    return Catalogue(read_catalogue(path) if path.is_file() else {})


def read_catalogue(path: Path) -> dict[tuple[str, str], str]:
    """Read translations by text and meaning from a file.

    Raises
    ------
    FormatError
        If a line does not have two or three columns, or repeats an earlier line.
    """
    entries: dict[tuple[str, str], str] = {}
    lines = path.read_text(encoding="utf-8").split("\n")
    for line_number, line in enumerate(lines[1:], 2):
        if not line:
            continue
        columns = [unescape(part) for part in line.split("\t")]
        if len(columns) not in (2, 3):
            problem = Message(
                "{found} columns; expected the columns text, translation and meaning",
                found=len(columns),
            )
            raise FormatError(path, problem, line_number)
        text, translation, context = (*columns, "")[:3]
        if (text, context) in entries:
            raise FormatError(
                path, Message("the text {text} occurs more than once", text=repr(text)), line_number
            )
        entries[text, context] = translation
    return entries


def format_catalogue(entries: Mapping[tuple[str, str], str]) -> str:
    """Return the content of a catalogue file, sorted by text."""
    rows = [HEADER]
    for (text, context), translation in sorted(entries.items()):
        columns: Iterable[str] = (text, translation, context) if context else (text, translation)
        rows.append("\t".join(map(escape, columns)))
    return "\n".join(rows) + "\n"


def escape(text: str) -> str:
    r"""Escape the backslashes, tabs and line breaks of a text.

    >>> escape("a\nb\t\\c")
    'a\\nb\\t\\\\c'
    """
    return "".join(ESCAPES.get(character, character) for character in text)


def unescape(text: str) -> str:
    r"""Return the original text from a text that was escaped by `escape`.

    >>> unescape(escape("a\nb\\n")) == "a\nb\\n"
    True
    """
    if "\\" not in text:
        return text
    parts = text.split("\\\\")
    return "\\".join(part.replace("\\n", "\n").replace("\\t", "\t") for part in parts)
