"""Texts as numbers of terms: stems of words, every two letters of scripts without spaces, no stop words."""

import re
from array import array
from collections.abc import Iterable, Mapping
from html import unescape
from itertools import chain

from irjudge.model.document import Document
from irjudge.text.folding import fold_plainly
from irjudge.text.stems import (
    ASCII_WORD,
    HANGUL,
    SPACELESS,
    WORD,
    known_stop_words,
    script_of,
    stem,
    trim,
)

TAG = re.compile(r"<[^>]*+(?:>|\Z)")
# What is read of markup at once: text, and tags that begin neither a script, a style nor a comment.
PLAIN_MARKUP = re.compile(r"(?:[^<]++|<(?!!--|(?:script|style)\b)[^>]*+(?:>|\Z))++", re.IGNORECASE)
BLOCK = re.compile(r"<(?:!--|(script|style)\b[^>]*+>?)", re.IGNORECASE)
COMMENT_END = re.compile("-->")
BLOCK_ENDS = {name: re.compile(rf"</{name}\s*+>", re.IGNORECASE) for name in ("script", "style")}
ADDRESS = re.compile(r"[a-z]+://", re.IGNORECASE)
LONGEST = 64  # letters of a word: what is longer is none
STOP = -1  # the number of what is no term


def words_in(text: str) -> Iterable[str]:
    """Return the folded words of a text; a run of a script without spaces, Korean too, as every two letters that follow each other.

    >>> [*words_in("Green 绿茶水 tea")]
    ['green', 'tea', '绿茶', '茶水']
    """
    folded = text.lower() if text.isascii() else fold_plainly(text)
    if folded.isascii():
        return ASCII_WORD.findall(folded)
    words = WORD.findall(folded)
    korean = [word for word in words if HANGUL_FIRST <= word[0] <= HANGUL_LAST]
    runs = [*SPACELESS.findall(folded), *korean]
    if korean:
        words = [word for word in words if not HANGUL_FIRST <= word[0] <= HANGUL_LAST]
    return chain(words, *map(_pairs, runs)) if runs else words


HANGUL_FIRST, HANGUL_LAST = (
    HANGUL[-3],
    HANGUL[-1],
)  # syllables; letters of older Korean are rare and stand as words


def _pairs(run: str) -> list[str]:
    """Return every two letters that follow each other; one letter alone as it is."""
    return [run[place : place + 2] for place in range(max(1, len(run) - 1))]


class Vocabulary(dict[str, int]):
    """The number of the term that each word stands for; each different word is stemmed once, and -1 stands for no term.

    Languages of the words of each script are those of `guess_languages`, terms known so far stand in the order of their numbers, and a new
    term gets a number only where it `grows`.
    """

    def __init__(
        self, languages: Mapping[str, str], terms: Iterable[str] = (), *, grows: bool = True
    ) -> None:
        super().__init__()
        self.languages = dict(languages)
        self.numbers = {term: number for number, term in enumerate(terms)}
        self._grows = grows
        self._stop_words = known_stop_words(frozenset(languages.values()))

    def __missing__(self, word: str) -> int:
        term = self._term(word)
        if not term:
            number = STOP
        elif self._grows:
            number = self.numbers.setdefault(term, len(self.numbers))
        else:
            number = self.numbers.get(term, STOP)
        self[word] = number
        return number

    def _term(self, word: str) -> str:
        """Return what a word is found by; empty for a stop word and for what is too long to be one."""
        begin, end = trim(word)
        core = word[begin:end]
        if not core or core in self._stop_words or len(core) > LONGEST:
            return ""
        return stem(core, self.languages.get(script_of(core[0]), ""))

    def read(self, text: str) -> "array[int]":
        """Return the numbers of the terms of a text, in no order that means anything; -1 stands among them for what is none."""
        return array("i", [self[word] for word in words_in(text)])


def remove_markup(text: str) -> str:
    """Return the text of HTML: each tag, comment, script and style is a blank. It takes linear time.

    A comment, script or style that does not end begins with a tag like any other; `<` without `>` is text.

    >>> remove_markup("<p>1 < 2</p><script>x = '<b>'</script>end<!-- <i> -->.<!-- <b>3")
    ' 1  end . 3'
    """
    text, rest = text[: text.rfind(">") + 1], text[text.rfind(">") + 1 :]
    pieces, at, unclosed = [], 0, set[re.Pattern[str]]()
    while at < len(text):
        if plain := PLAIN_MARKUP.match(text, at):
            pieces.append(TAG.sub(" ", plain[0]))
            at = plain.end()
        if block := BLOCK.match(text, at):
            closing = BLOCK_ENDS[block[1].lower()] if block[1] else COMMENT_END
            end = None if closing in unclosed else closing.search(text, block.end())
            if end is None:
                unclosed.add(closing)
            pieces.append(" ")
            at = end.end() if end else text.index(">", at) + 1
    return "".join([*pieces, rest])


def body_words(document: Document) -> str:
    """Return the text of a document without its markup, then its fields; it is not shown, so nothing has to be harmless.

    An image has no text, and the address of a picture or page is no word of a field.

    >>> body_words(Document("p1", b"For rain.", fields=(("brand", "Nordwind"), ("page", "https://example.org/p1"))))
    'For rain.\\nNordwind'
    """
    text = unescape(remove_markup(document.text)) if document.kind == "html" else document.text
    fields = [
        each
        for name, each in document.fields
        if name != document.pictured and not ADDRESS.match(each)
    ]
    return "\n".join((text, *fields)) if fields else text


def searched_text(document: Document) -> str:
    """Return what a document is found by: its title and its text."""
    return f"{document.title}\n{body_words(document)}" if document.title else body_words(document)
