"""Display names of participants: whether a name is visible, and whether two names are equal."""

import unicodedata

from irjudge.model import normalise_unicode

MAX_NAME_LENGTH = 80  # maximum number of characters
# Invisible characters of Unicode categories whose other characters are visible: Hangul fillers, the
# blank Braille pattern, the combining grapheme joiner, inherent Khmer vowels, the musical null
# notehead.
BLANK_CHARACTERS = dict.fromkeys(
    map(ord, "\u115f\u1160\u3164\uffa0\u2800\u034f\u17b4\u17b5\U0001d159")
)
# invisible characters that change the form of the previous character
VARIATION_SELECTORS = dict.fromkeys(
    [*range(0x180B, 0x1810), *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)]
)
# first letters of Unicode categories of visible characters; marks without a letter are invisible
VISIBLE_CATEGORIES = ("L", "N", "P", "S")


def normalise_display_name(text: str) -> str:
    """Return a name with single spaces; empty if it is invisible, too long or not printable.

    >>> normalise_display_name("  Ann   Lee "), normalise_display_name("\\u3164"), normalise_display_name("\\u0301\\u0301")
    ('Ann Lee', '', '')
    """
    name = " ".join(text.split())
    is_valid = (
        len(name) <= MAX_NAME_LENGTH
        and name.isprintable()
        and name == name.translate(BLANK_CHARACTERS)
    )
    visible_text = name.translate(VARIATION_SELECTORS)
    return (
        name
        if is_valid
        and any(
            unicodedata.category(character)[0] in VISIBLE_CATEGORIES for character in visible_text
        )
        else ""
    )


def make_name_key(name: str) -> str:
    """Return a key that is the same for all spellings of a name.

    >>> make_name_key("Ａnn") == make_name_key("ANN"), make_name_key("Zoe\\u0301") == make_name_key("Zoé")
    (True, True)
    """
    plain_name = normalise_unicode(
        "NFKC", name.translate(BLANK_CHARACTERS).translate(VARIATION_SELECTORS)
    )
    return " ".join(normalise_unicode("NFKC", plain_name.casefold()).split())
