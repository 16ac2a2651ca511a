"""Splits folded text into words, guesses their language and finds their stems."""

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from irjudge.text.folding import fold_plainly
from irjudge.text.stop_words import QUIET_WORDS, STOP_WORDS

HAN: Final = "\u2e80-\u2fdf\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U000323af"
HIRAGANA: Final = "\u3041-\u309f"
KATAKANA: Final = "\u30a1-\u30ff\u31f0-\u31ff"
KANA: Final = HIRAGANA + KATAKANA
SOUTHEAST: Final = "\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0ecf\u0edc-\u0edf\u1000-\u103f\u1050-\u109f\u1780-\u17d3\u17d7\u17dc\u17dd"
HANGUL: Final = "\u1100-\u11ff\u3131-\u318e\uac00-\ud7af"
LONGEST_STEMMED = 64  # what is longer is no word of a language


def _marks() -> str:
    """Return the combining marks as ranges for a pattern: for Python they are no letters, and Hindi is full of them."""
    spaceless = re.compile(f"[{SOUTHEAST}]")
    codes = [*range(0x300, 0x3100), *range(0xA66F, 0xABF0), *range(0xFE20, 0xFE30)]
    marks = [chr(code) for code in codes if unicodedata.category(chr(code))[0] == "M" and not spaceless.match(chr(code))]
    return "".join(marks)


MARKS: Final = _marks()
SOUTHEAST_MARKS: Final = "\u0e31\u0e33-\u0e3a\u0e47-\u0e4e\u0eb1\u0eb3-\u0ebc\u0ec8-\u0ecf\u102b-\u103e\u1056-\u1059\u17b6-\u17d3\u17dd"
LETTER: Final = rf"[^\W_{HAN}{KANA}{SOUTHEAST}{HANGUL}]"
WORD = re.compile(rf"[{HANGUL}]++|{LETTER}++(?:[{MARKS}]++{LETTER}*+|'{LETTER}++)*+")
ASCII_WORD = re.compile("[a-z0-9]++(?:'[a-z0-9]++)*+")  # the same for folded ASCII, twice as fast
SPACELESS = re.compile(rf"[{HAN}{KANA}{SOUTHEAST}]+")
ELISION = re.compile(r"(?:[cdjlmnst]|qu|jusqu|lorsqu|puisqu|un|(?:[dns]|qu)?ell|d?all|sull|quest)'(?=\w\w)")
POSSESSIVE = re.compile(r"'s?\Z")

ARABIC_LETTERS = str.maketrans("یک", "يك")
NASAL = re.compile("[ङञणनम]्(?=[क-ह])")  # हिन्दी is also written हिंदी
SCRIPTS = {
    "ARABIC": "arabic",
    "ARMENIAN": "armenian",
    "CYRILLIC": "russian",
    "DEVANAGARI": "hindi",
    "GREEK": "greek",
    "TAMIL": "tamil",
}
LATIN = ("english", "german", "french", "spanish", "italian", "portuguese", "dutch", "swedish", "finnish")
TELLING: dict[str, Sequence[str]] = {
    "german": "äöüß",
    "french": "çèêëîïûœ",
    "spanish": "ñ¿¡",
    "portuguese": "ãõ",
    "swedish": "å",
    "finnish": ("yö", "ää"),
}
CODES = {"english": "en", "german": "de", "french": "fr", "spanish": "es", "italian": "it", "portuguese": "pt", "dutch": "nl"}
CODES |= {"swedish": "sv", "finnish": "fi", "arabic": "ar", "persian": "fa"}
# By what most letters of a text are: kana before Han, since Japanese has both.
WRITTEN = {
    "ja": re.compile(f"[{KANA}]"),
    "zh": re.compile(f"[{HAN}]"),
    "ko": re.compile(f"[{HANGUL}]"),
    "th": re.compile("[\u0e01-\u0e5b]"),
    "he": re.compile("[\u0590-\u05ff]"),
    "el": re.compile("[\u0370-\u03ff]"),
    "hi": re.compile("[\u0900-\u097f]"),
    "ta": re.compile("[\u0b80-\u0bff]"),
    "hy": re.compile("[\u0530-\u058f]"),
    "ru": re.compile("[\u0400-\u04ff]"),
    "ar": re.compile("[\u0600-\u06ff\u0750-\u077f\ufb50-\ufdff\ufe70-\ufefc]"),
    "en": re.compile("[A-Za-z\u00c0-\u024f]"),
}
KANA_SHARE = 0.1  # of the letters of a Japanese text, at least
READ = 2000  # characters by which the language of a text is told
UKRAINIAN = re.compile("[іїєґ]")
PERSIAN = re.compile("[پچژگکی]")
URDU = re.compile("[ٹڈڑںے]")


def guess_languages(text: str) -> dict[str, str]:
    """Return the language of the words of each script: that of the most stop words, English when little speaks for another.

    Keys are `LATIN`, `ARABIC` and other names of scripts as Unicode has them; a script without a stemmer is absent.

    Examples
    --------
    >>> guess_languages("Warum gibt es an der Nordsee Gezeiten?")["LATIN"]
    'german'
    """
    seen = Counter(match[0] for match in WORD.finditer(fold_plainly(text)))
    lowered = text.casefold()
    points = {language: sum(seen[word] for word in STOP_WORDS[language] if word in seen) for language in LATIN}
    for language, letters in TELLING.items():
        points[language] += sum(letter in lowered for letter in letters)
    best = max(LATIN, key=lambda language: points[language])
    languages = {**SCRIPTS, "LATIN": best if points[best] > max(1, points["english"]) else "english"}
    if URDU.search(text):
        del languages["ARABIC"]
    elif PERSIAN.search(text):
        languages["ARABIC"] = "persian"
    return languages


def language_of(text: str) -> str:
    """Return the language of a text as BCP 47 has it; empty where too little tells it.

    Examples
    --------
    >>> [language_of(text) for text in ("Warum gibt es an der Nordsee Gezeiten?", "لماذا يحدث المد", "潮汐はなぜ起こる", "d17")]
    ['de', 'ar', 'ja', '']
    """
    read = text[:READ]
    counts = {code: len(letters.findall(read)) for code, letters in WRITTEN.items()}
    if counts["ja"] > KANA_SHARE * (counts["zh"] + counts["ja"]):
        counts["ja"] += counts["zh"]
    most = max(counts, key=lambda code: counts[code])
    if most == "ru":
        return "uk" if UKRAINIAN.search(read) else "ru"
    if most == "ar":
        return CODES.get(guess_languages(read).get("ARABIC", ""), "ur")
    if most != "en":
        return most if counts[most] else ""
    guessed = guess_languages(read)["LATIN"]
    words = Counter(match[0] for match in WORD.finditer(fold_plainly(read)))
    return CODES[guessed] if guessed != "english" or sum(words[word] for word in STOP_WORDS["english"] if word in words) > 1 else ""


@lru_cache(maxsize=4096)
def script_of(letter: str) -> str:
    """Return the script of a letter as the first word of its Unicode name, such as `LATIN`; empty for none."""
    return unicodedata.name(letter, "").partition(" ")[0]


def trim(word: str) -> tuple[int, int]:
    """Return where the word itself begins and ends: without an article before an apostrophe and without a possessive ending.

    Examples
    --------
    >>> trim("l'océan"), trim("moon's"), trim("o'clock")
    ((2, 7), (0, 4), (0, 7))
    """
    if "'" not in word:
        return 0, len(word)
    before, after = ELISION.match(word), POSSESSIVE.search(word)
    return (before.end() if before else 0), (after.start() if after else len(word))


@lru_cache(maxsize=100_000)
def stem(word: str, language: str) -> str:
    """Return what the forms of a folded word share; accents on Latin letters do not count.

    A word without a language, or longer than 64 letters, is its own stem.
    """
    if len(word) > LONGEST_STEMMED:
        return word  # with a million accents on one letter, taking them off would take quadratic time
    if not language:
        return unaccented(word)
    if language == "arabic":
        word = word.translate(ARABIC_LETTERS)
    elif language == "english":
        word = unaccented(word)
    elif language == "hindi":
        word = NASAL.sub("ं", word)
    import snowballstemmer  # noqa: PLC0415 -- most commands show no text and need not load its 36 modules

    if language not in snowballstemmer.algorithms():  # it hands over to PyStemmer where that is installed, which may know fewer
        return unaccented(word)
    # A new stemmer each time: it keeps the word it works on, and two threads may ask at once.
    return unaccented(snowballstemmer.stemmer(language).stemWord(word))


def unaccented(word: str) -> str:
    """Return a word without accents if it begins with a Latin letter; other words as they are."""
    if word.isascii() or script_of(unicodedata.normalize("NFD", word[0])[0]) != "LATIN":
        return word
    return "".join(letter for letter in unicodedata.normalize("NFD", word) if not unicodedata.combining(letter))


@lru_cache(maxsize=16)
def known_stop_words(languages: frozenset[str]) -> frozenset[str]:
    """Return the stop words of some languages, folded like the words of a text."""
    lists = (words.get(language, frozenset()) for language in languages for words in (STOP_WORDS, QUIET_WORDS))
    return frozenset(fold_plainly(word) for words in lists for word in words)
