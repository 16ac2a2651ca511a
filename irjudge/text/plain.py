"""Plain text as paragraphs: lines that were only cut to a width go on, lines that mean something stay.

Where a line goes on a blank stands for its end. Reasons count any run of blanks as one, so their places stay what they were.
"""

import re
from collections.abc import Iterator
from html import escape
from itertools import islice, pairwise
from math import ceil

from irjudge.text.direction import RIGHT_TO_LEFT
from irjudge.text.pieces import break_long_words, windows
from irjudge.text.stems import HAN, KANA, SOUTHEAST

LINES = 400  # in which the width of the lines is looked for: the first words of a long text are not kept waiting
NARROWEST, WIDEST = 40, 120  # letters; narrower lines are verses or columns, wider ones are paragraphs
FEWEST = 2  # ends of lines that tell anything
CUT = 0.75  # of the ends stand where the next word had no room, or within a sentence
MOSTLY, HALF = 0.8, 0.5  # of the width
REACH = 0.95  # of the lines are not longer than the width; an address may be

_ITEM = re.compile(r"\s*(?:[-*•·–—>|]|\(?(?:\d{1,3}|[A-Za-z])[.)])(?=\s)")
_COLUMNS = re.compile(r"\S(?: {3,}|[ \t]*\t[ \t]*)\S")
_SIGN = rf"[{HAN}{KANA}{SOUTHEAST}\u3000-\u303f\uff00-\uffef]"  # in scripts without spaces a blank would be seen
_JOINED = re.compile(rf"{_SIGN}\n|\n{_SIGN}")
_SENTENCE_END = re.compile(r"[.!?:…][\"'”’»)\]]*\s*\Z")
_EDGES = " \t\r\n.,:;!?\"'"


def paragraphs(text: str) -> Iterator[str]:
    """Yield harmless HTML, as tags and texts: paragraphs, which blank lines part, and their lines.

    Where letters run from right to left, a line is a paragraph of its own: the direction of each goes by its own letters.
    """
    begin, *next_line = ('<p class="first">', "</p>", '<p class="line">') if RIGHT_TO_LEFT.search(text) else ("<p>", "<br>")
    text = text.strip()
    width = wrapped_at(text)
    before = ""
    for line in _lines(text):
        if not line or line.isspace():
            if before:
                yield "</p>"
            before = ""
            continue
        goes_on = " " if before and width and _goes_on(before, line, width) else ""
        starts = not before or (width and not goes_on and _indented(before, line))
        if goes_on:
            yield " "
        else:
            yield from ["</p>", begin] if starts and before else [begin] if starts else next_line
        yield from words_of(line.lstrip() if starts or goes_on else line)
        before = line
    if before:
        yield "</p>"


def words_of(text: str) -> Iterator[str]:
    """Yield a text as HTML that says it letter by letter, with places to break in what is too long."""
    return (escape(break_long_words(window), quote=False) for window in windows(text, 0, len(text)))


def wrapped_at(text: str) -> int:
    """Return the width to which the lines of a text were cut; 0 where they end for reasons of their own.

    Examples
    --------
    >>> wrapped_at("The tides of the sea follow the moon, and\\nthe moon follows no one but the earth, on\\nwhich we stand.")
    41
    """
    pairs = [pair for pair in pairwise(islice(_lines(text), LINES)) if pair[0].strip() and pair[1].strip()]
    if len(pairs) < FEWEST:
        return 0
    lengths = sorted(len(line.rstrip()) for line, _ in pairs)
    width = lengths[ceil(REACH * len(lengths)) - 1]
    cut = sum(_is_cut(line, following, width) for line, following in pairs)
    return width if NARROWEST <= width <= WIDEST and cut >= CUT * len(pairs) else 0


def repeated(title: str, text: str) -> int:
    """Return how many characters at the start of a text say its title again, in lines of their own; 0 where none do.

    Examples
    --------
    >>> text = "Tides of\\n the sea .\\n They come and go."
    >>> text[repeated("tides of the Sea", text):]
    ' They come and go.'
    """
    wanted = " ".join(title.split()).strip(_EDGES).casefold()
    at, said = 0, ""
    while wanted and at < len(text) and len(said) < len(wanted):
        end = text.find("\n", at) + 1 or len(text)
        said = f"{said} {' '.join(text[at:end].split())}".strip(_EDGES).casefold()
        at = end
        if not wanted.startswith(said):
            return 0
    return at if said and said == wanted else 0


def _lines(text: str) -> Iterator[str]:
    begin = 0
    while (end := text.find("\n", begin)) >= 0:
        yield text[begin:end]
        begin = end + 1
    yield text[begin:]


def _is_cut(line: str, following: str, width: int) -> bool:
    """Tell whether the first word of the next line had no room in a line, or a sentence goes on there."""
    length = len(line.rstrip())
    return length + 1 + len(following.split(None, 1)[0]) > width or (length >= HALF * width and following.lstrip()[0].islower())


def _indented(line: str, following: str) -> bool:
    """Tell whether a line begins a paragraph by its indent."""
    return _indent(following) > _indent(line) and bool(_SENTENCE_END.search(line)) and not _ITEM.match(line)


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _goes_on(line: str, following: str, width: int) -> bool:
    """Tell whether a line of a text that was cut to a width ends only for that."""
    if any(_COLUMNS.search(each) for each in (line, following)) or _JOINED.search(f"{line[-1:]}\n{following.lstrip()[:1]}"):
        return False
    if _ITEM.match(following) or _indented(line, following):
        return False
    return _is_cut(line, following, width) or len(line.rstrip()) >= MOSTLY * width
