"""Turns a document into the HTML that the screen shows, plain text as paragraphs, in slices when it is long."""

import re
from collections.abc import Iterator
from html import escape, unescape
from itertools import chain, islice, pairwise
from math import ceil

from markdown_it import MarkdownIt

from irjudge.model.document import Document
from irjudge.text.direction import RIGHT_TO_LEFT
from irjudge.text.pieces import break_long_words, cut_before, windows
from irjudge.text.reasons import ALL_SAID, Unsaid, in_one_line
from irjudge.text.sanitize import title_of, tokens
from irjudge.text.slices import sliced
from irjudge.text.stems import HAN, KANA, SOUTHEAST

MARKDOWN_PART = 30_000  # characters of Markdown that are rendered at once
MOST_REFERENCES = 200
SOURCE = 2_000  # characters that are shown of the source of a page without anything to show
HEAD = 40  # pieces of a body in which its first heading is looked for

_EMPTY_LINES = re.compile(r"\A(?:[^\S\n]*+\n)++")
_BLANK_LINE = re.compile(r"\n[ \t]*\n")
_FENCE = re.compile(r"^ {0,3}(?:```|~~~)", re.MULTILINE)
_AROUND = re.compile("<(?:div|section|article|blockquote|p)>$")  # a heading may stand inside these
_REFERENCE = re.compile(r" {0,3}\[[^\]\n]{1,200}\]:[ \t]*[^\n]{1,2000}(?=\n|\Z)")


def to_html(document: Document) -> str:
    """Return harmless HTML for a document: its title as a heading, then its body.

    Empty bodies give a quiet sentence that says so; bodies that show nothing, such as a script alone, their source too.
    Nothing in the result loads anything.
    """
    return "".join(_all(document))


def to_slices(document: Document) -> Iterator[str]:
    """Yield what `to_html` returns in slices that are whole HTML each: at least one, the first a few screens long.

    Slices are made as they are asked for, so the first of a long document is there at once. An image has none that fits:
    its body is no text.
    """
    return sliced(_all(document))


def title_and_body(document: Document) -> tuple[str, str]:
    """Return the title as text and the body as harmless HTML."""
    return _title(document), "".join(_body(document))


def unsaid(document: Document) -> Unsaid:
    """Return what stands at the start of a body and only says the title again: no screen shows it, and the places of reasons count it."""
    text = _text(document) if document.kind == "text" else ""
    said = in_one_line(text[: repeated(document.title, text)])
    return Unsaid(len(in_one_line(document.title)), len(said) + 1) if said else ALL_SAID


def _title(document: Document) -> str:
    return document.title or (title_of(document.text) if document.kind == "html" else "")


def _all(document: Document) -> Iterator[str]:
    if title := _title(document):
        yield from chain(("<h1>",), words_of(title), ("</h1>",))
    body, waiting = _from_first_line(_unless_said(title, _body(document))), list[str]()
    for token in body:
        waiting.append(token)
        if _shows(token):
            yield from chain(waiting, body)
            return
    if unsaid(document) is ALL_SAID and not document.fields:
        yield from _nothing(document.text)


def _shows(token: str) -> bool:
    """Tell whether a reader sees anything of a tag or text: tags around nothing and letters without a shape show nothing."""
    if token.startswith("<"):
        return token == "<hr>" or token.startswith("<img")
    return any(sign.isprintable() and not sign.isspace() for sign in token)


def _nothing(source: str) -> Iterator[str]:
    """Yield what stands for a page that shows nothing: why, and the source it has, whose invisible signs are written out."""
    if not source or source.isspace():
        yield from ("<p>", "<i>", "This document is empty.", "</i>", "</p>")
        return
    yield from (
        "<p>",
        "<i>",
        "This document has nothing to show. Its source:",
        "</i>",
        "</p>",
        "<pre>",
    )
    yield from words_of(
        "".join(
            sign if sign.isprintable() or sign == "\n" else f"\\u{ord(sign):04x}"
            for sign in source[:SOURCE]
        )
    )
    yield "</pre>"
    if len(source) > SOURCE:
        yield from ("<p>", "<i>", f"{SOURCE:,} of {len(source):,} characters.", "</i>", "</p>")


def _unless_said(title: str, body: Iterator[str]) -> Iterator[str]:
    """Yield a body without a first heading that only says the title again."""
    head = list(islice(body, HEAD)) if title else []
    begin = next(
        (place for place, token in enumerate(head) if token.strip() and not _AROUND.match(token)),
        len(head),
    )
    end = next((place for place in range(begin, len(head)) if head[place] == "</h1>"), None)
    if end is not None and head[begin].startswith("<h1"):
        said = "".join(token for token in head[begin:end] if not token.startswith("<"))
        if unescape(said).split() == title.split():
            del head[begin : end + 1]
    return chain(head, body)


def _from_first_line(body: Iterator[str]) -> Iterator[str]:
    """Yield a body without the empty lines at its start, which would push the words down."""
    within = ""
    for token in body:
        if token.startswith("<"):
            within = token
            if token != "<br>":
                yield token
            if token.startswith("<img") or token == "<hr>":
                break
        elif token.isspace():
            yield "" if within == "<pre>" else token
        else:
            yield _EMPTY_LINES.sub("", token)
            break
    yield from body


def _body(document: Document) -> Iterator[str]:
    if document.kind == "html":
        return tokens(document.text)
    if document.kind == "markdown":
        return _markdown(document.text)
    return paragraphs(_plain(document))


def _plain(document: Document) -> str:
    """Return the text without its first lines where they only say the title again."""
    text = _text(document)
    return text[repeated(document.title, text) :]


def _text(document: Document) -> str:
    return document.text.replace("\r\n", "\n").replace("\r", "\n").strip()


def _markdown(text: str) -> Iterator[str]:
    """Yield Markdown part for part; a link may be defined in another part than it is used in."""
    render = MarkdownIt("commonmark").enable("table").render
    if len(text) <= MARKDOWN_PART:
        return tokens(render(text))
    references = "\n".join(islice(_references(text), MOST_REFERENCES)) + "\n\n"
    return chain.from_iterable(tokens(render(references + part)) for part in _markdown_parts(text))


def _references(text: str) -> Iterator[str]:
    """Yield the lines that define where links lead."""
    at = 0
    while (at := text.find("]:", at)) >= 0:
        if match := _REFERENCE.match(text, text.rfind("\n", 0, at) + 1):
            yield match[0]
        at = text.find("\n", at)
        if at < 0:
            return


def _markdown_parts(text: str) -> Iterator[str]:
    """Yield a long text in parts, cut at blank lines; a block of code that is cut goes on in the next part."""
    begin, fence = 0, ""
    while begin < len(text):
        end = _part_end(text, begin)
        part = fence + text[begin:end]
        marks = _FENCE.findall(part)
        fence = f"{marks[-1].strip()}\n" if len(marks) % 2 else ""
        yield part
        begin = end


def _part_end(text: str, begin: int) -> int:
    latest = begin + MARKDOWN_PART
    if latest >= len(text):
        return len(text)
    ends = [match.end() for match in _BLANK_LINE.finditer(text, begin + MARKDOWN_PART // 2, latest)]
    return ends[-1] if ends else cut_before(text, begin, latest)


LINES = 400  # in which the width of the lines is looked for: the first words of a long text are not kept waiting
NARROWEST, WIDEST = (
    40,
    120,
)  # letters; narrower lines are verses or columns, wider ones are paragraphs
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
    begin, *next_line = (
        ('<p class="first">', "</p>", '<p class="line">')
        if RIGHT_TO_LEFT.search(text)
        else ("<p>", "<br>")
    )
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
        elif starts:
            yield from ["</p>", begin] if before else [begin]
        else:
            yield from next_line
        yield from words_of(line.lstrip() if starts or goes_on else line)
        before = line
    if before:
        yield "</p>"


def words_of(text: str) -> Iterator[str]:
    """Yield a text as HTML that says it letter by letter, with places to break in what is too long."""
    return (escape(break_long_words(window), quote=False) for window in windows(text, 0, len(text)))


def wrapped_at(text: str) -> int:
    """Return the width to which the lines of a text were cut; 0 where they end for reasons of their own.

    >>> wrapped_at("The tides of the sea follow the moon, and\\nthe moon follows no one but the earth, on\\nwhich we stand.")
    41
    """
    pairs = [
        pair
        for pair in pairwise(islice(_lines(text), LINES))
        if pair[0].strip() and pair[1].strip()
    ]
    if len(pairs) < FEWEST:
        return 0
    lengths = sorted(len(line.rstrip()) for line, _ in pairs)
    width = lengths[ceil(REACH * len(lengths)) - 1]
    cut = sum(_is_cut(line, following, width) for line, following in pairs)
    return width if NARROWEST <= width <= WIDEST and cut >= CUT * len(pairs) else 0


def repeated(title: str, text: str) -> int:
    """Return how many characters at the start of a text say its title again, in lines of their own; 0 where none do.

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
    return length + 1 + len(following.split(None, 1)[0]) > width or (
        length >= HALF * width and following.lstrip()[0].islower()
    )


def _indented(line: str, following: str) -> bool:
    """Tell whether a line begins a paragraph by its indent."""
    return (
        _indent(following) > _indent(line)
        and bool(_SENTENCE_END.search(line))
        and not _ITEM.match(line)
    )


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _goes_on(line: str, following: str, width: int) -> bool:
    """Tell whether a line of a text that was cut to a width ends only for that."""
    if any(_COLUMNS.search(each) for each in (line, following)) or _JOINED.search(
        f"{line[-1:]}\n{following.lstrip()[:1]}"
    ):
        return False
    if _ITEM.match(following) or _indented(line, following):
        return False
    return _is_cut(line, following, width) or len(line.rstrip()) >= MOSTLY * width
