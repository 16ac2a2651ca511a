"""Turns a document into the HTML that the screen shows, in slices when it is long."""

import re
from collections.abc import Iterator
from html import unescape
from itertools import chain, islice

from markdown_it import MarkdownIt

from irjudge.model.document import Document
from irjudge.text.pieces import cut_before
from irjudge.text.plain import paragraphs, repeated, words_of
from irjudge.text.reasons import ALL_SAID, Unsaid, in_one_line
from irjudge.text.sanitize import title_of, tokens
from irjudge.text.slices import sliced

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
    if unsaid(document) is ALL_SAID:
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
    yield from ("<p>", "<i>", "This document has nothing to show. Its source:", "</i>", "</p>", "<pre>")
    yield from words_of("".join(sign if sign.isprintable() or sign == "\n" else f"\\u{ord(sign):04x}" for sign in source[:SOURCE]))
    yield "</pre>"
    if len(source) > SOURCE:
        yield from ("<p>", "<i>", f"{SOURCE:,} of {len(source):,} characters.", "</i>", "</p>")


def _unless_said(title: str, body: Iterator[str]) -> Iterator[str]:
    """Yield a body without a first heading that only says the title again."""
    head = list(islice(body, HEAD)) if title else []
    begin = next((place for place, token in enumerate(head) if token.strip() and not _AROUND.match(token)), len(head))
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
