"""Functions for displayed texts: placeholders, lists, and translated engine messages."""

import re
from collections.abc import Iterable

from PySide6.QtCore import QCoreApplication

from irjudge.message import Message
from irjudge.text import RIGHT_TO_LEFT

FULL_WIDTH = "。，；：！？、）”\n"
ISOLATE_START, ISOLATE_ENDS = "\u2068", "\u2069"
WORD_JOINER = "\u2060"
MARKUP_PATTERN = re.compile(f"<(?!{WORD_JOINER})|&(?=lt;)")  # text that Qt treats as markup
PLACEHOLDER = re.compile(r"\{(\w+)\}")
translate = QCoreApplication.translate


def filled(template: str, /, **values: object) -> str:
    """Return a template with its placeholders replaced; braces in the values are plain text.

    A placeholder for which there is no value is left unchanged.

    Examples
    --------
    >>> filled("Saved {name} = {count}.", name="a{count}", count=2)
    'Saved a{count} = 2.'
    """
    return PLACEHOLDER.sub(lambda match: str(values.get(match[1], match[0])), template)


def isolate(text: str) -> str:
    """Return a text enclosed in bidirectional isolates, so that its direction is independent.

    Examples
    --------
    >>> isolate("tea"), isolate("شاي.") == "⁨شاي.⁩"
    ('tea', True)
    """
    return f"{ISOLATE_START}{text}{ISOLATE_ENDS}" if RIGHT_TO_LEFT.search(text) else text


def strip_isolates(text: str) -> str:
    """Return a text without the marks that `isolate` adds.

    Examples
    --------
    >>> strip_isolates(isolate("شاي.")) == "شاي."
    True
    """
    return text.replace(ISOLATE_START, "").replace(ISOLATE_ENDS, "")


def escape_markup(text: object) -> str:
    """Escape a text, so that Qt shows it as plain text, for example in a tooltip.

    An invisible character is inserted after each `<` that could begin a tag. Otherwise a name that
    looks like markup could make Qt load a file.

    Examples
    --------
    >>> escape_markup("p < 0.05") == "p <⁠ 0.05", escape_markup(None)
    (True, '')
    """
    return "" if text is None else MARKUP_PATTERN.sub(f"\\g<0>{WORD_JOINER}", str(text))


def with_title(id: str, title: str) -> str:
    """Return an id, followed by the title unless the title is empty or equal to the id.

    Examples
    --------
    >>> with_title("7", "tea"), with_title("7", ""), with_title("7", "7")
    ('7  tea', '7', '7')
    """
    return f"{id}  {isolate(title)}" if title and title != id else id


def shorten(name: str, max_length: int = 40) -> str:
    """Return a name, elided in the middle if it is longer than `max_length` characters.

    Examples
    --------
    >>> shorten("tea.run"), shorten("a-run-with-a-long-name.run", 13)
    ('tea.run', 'a-run-…me.run')
    """
    half_length = (max_length - 1) // 2
    return name if len(name) <= max_length else f"{name[:half_length]}…{name[-half_length:]}"


def translate_message(message: str) -> str:
    """Return an engine message in the window's language, or in English if not translated."""
    return (
        message.translate_with(_translate) if isinstance(message, Message) else _translate(message)
    )


def _translate(message: str) -> str:
    return QCoreApplication.translate("Engine", str(message))


def join_sentences(*parts: str) -> str:
    """Join non-empty sentences by spaces, except after full-width punctuation.

    Examples
    --------
    >>> join_sentences("Saved.", "", "Go on."), join_sentences("已保存。", "继续。")
    ('Saved. Go on.', '已保存。继续。')
    """
    text = ""
    for part in filter(None, parts):
        text += ("" if not text or text[-1] in FULL_WIDTH else " ") + part
    return text


def join_list(parts: Iterable[str]) -> str:
    """Join texts with the list separator of the window's language.

    Examples
    --------
    >>> join_list(["d1", "grade 2"])
    'd1, grade 2'
    """
    separator = translate("Language", "{first}, {second}")
    return separator.removeprefix("{first}").removesuffix("{second}").join(parts)
