"""Rendering of documents as HTML, whole or in slices; positions of rationales."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from html import escape, unescape
from itertools import chain, islice, pairwise
from math import ceil
from typing import Any, NamedTuple

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock, blockquote, list_block, paragraph, table

from irjudge.model import Document
from irjudge.text.direction import RIGHT_TO_LEFT
from irjudge.text.highlight import LETTER_OR_MARK_PATTERN
from irjudge.text.sanitize import (
    BLOCK_TAGS,
    BREAK_OPPORTUNITY,
    CELL_TAGS,
    SINGLE_TAGS,
    TABLE_PARTS,
    break_long_words,
    extract_title,
    find_cut_before,
    iter_tokens,
    iter_windows,
)
from irjudge.text.stems import HAN, KANA, SOUTHEAST

# Text and position of a rationale, which are the same in the window and in a browser

# characters that count as white space; Qt inserts the last two around cells
BLANKS = (
    "\t\n\x0b\x0c\r\x1c-\x1f \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufdd0\ufdd1"
)
PICTURE = "\ufffc"  # placeholder that Qt inserts into a text for a picture
_DISPLAYED_CHARACTERS = {ord(BREAK_OPPORTUNITY): None, ord(PICTURE): None, 0: "\ufffd"}
BLANK_CHARACTERS = frozenset(re.findall(f"[{BLANKS}]", "".join(map(chr, range(0x10000)))))
_BLANKS = re.compile(f"[{BLANKS}]+")
_LEADING = re.compile(f"\\A[{BLANKS}{BREAK_OPPORTUNITY}{PICTURE}]+")


@dataclass(frozen=True, slots=True)
class Passage:
    """Passage that an assessor selected as rationale: its text, and its begin and end.

    Begin and end are offsets in the displayed text, in code points. A run of white space counts as
    one code point, and is one space in `text`; pictures do not count. A repeated title that is not
    displayed (`HiddenTitle`) is included in the offsets.
    """

    text: str
    begin: int
    end: int


class HiddenTitle(NamedTuple):
    """Position and length of a title that is repeated in a body.

    The repeated title is not displayed, but its characters are included in positions of passages.
    """

    position: int = 0
    length: int = 0


NO_HIDDEN_TITLE = HiddenTitle()


def find_selected_passage(
    before: str, selected: str, hidden: HiddenTitle = NO_HIDDEN_TITLE
) -> Passage | None:
    """Return the selected passage, given the displayed text before the selection.

    `hidden` is the result of `find_hidden_title` for the document. A run of white space counts as
    one character, since Qt and browsers separate blocks and cells by different white space.
    Pictures, and break opportunities in long words, do not count.

    >>> find_selected_passage("A  title\\u2029Tides ", " follow\\u2028the moon")
    Passage(text='follow the moon', begin=14, end=29)
    """
    leading_blanks = _LEADING.match(selected)
    text = collapse_blanks(selected)
    if not text:
        return None
    begin = len(collapse_blanks(f"{before}{leading_blanks[0] if leading_blanks else ''}x")) - 1
    if begin > hidden.position:
        begin += hidden.length
    return Passage(text, begin, begin + len(text))


def locate_passages(
    reasons: Iterable[Passage], displayed: str, hidden: HiddenTitle = NO_HIDDEN_TITLE
) -> list[tuple[int, int]]:
    """Return the spans of the passages that occur in a displayed text, in ascending order.

    >>> locate_passages([Passage("follow the", 8, 18)], "A  tide\\nfollow  the moon")
    []
    >>> locate_passages([Passage("follow the", 7, 17)], "A  tide\\nfollow  the moon")
    [(8, 19)]
    """
    offsets, after_blank = list[int](), False
    for index, character in enumerate(displayed):
        if character in BLANK_CHARACTERS:
            after_blank = bool(offsets)
        elif character not in (BREAK_OPPORTUNITY, PICTURE):
            offsets += [index - 1, index] if after_blank else [index]
            after_blank = False
    spans = []
    for reason in reasons:
        begin = reason.begin - (hidden.length if reason.begin > hidden.position else 0)
        last_character = begin + len(reason.text) - 1
        if 0 <= begin <= last_character < len(offsets):
            span = offsets[begin], offsets[last_character] + 1
            spans += [span] if collapse_blanks(displayed[slice(*span)]) == reason.text else []
    return sorted(spans)


def is_within_word(before: str, after: str) -> bool:
    """Return whether the position between two characters is inside a word.

    In scripts without spaces between words, the result is always False.

    >>> is_within_word("t", "i"), is_within_word("t", " "), is_within_word("\u6f6e", "\u6c50")
    (True, False, False)
    """
    return bool(LETTER_OR_MARK_PATTERN.match(before) and LETTER_OR_MARK_PATTERN.match(after))


def collapse_blanks(text: str) -> str:
    """Replace each run of white space in a text by one space; remove white space at both ends."""
    return _BLANKS.sub(" ", text.translate(_DISPLAYED_CHARACTERS)).strip(" ")


# Splitting of a long page into slices, which are displayed one after another. Each slice is valid
# HTML.

# Maximum weight of the first slice, and of other slices. Weight is proportional to layout time: a
# weight of 60,000 takes 10 ms.
FIRST_SLICE_WEIGHT, NEXT_SLICE_WEIGHT = 6_000, 20_000
# factor by which the weight of a slice or a cell may exceed the maximum weight before the slice or
# cell is split inside a block
MAX_GROWTH_FACTOR = 4
# A table with more cells than MAX_PLAIN_CELLS or a higher weight than MAX_PLAIN_WEIGHT is split
# between rows. A table with a higher weight than MAX_TABLE_WEIGHT is split inside a row.
MAX_PLAIN_CELLS = 400
MAX_PLAIN_WEIGHT = 300_000
MAX_TABLE_WEIGHT = 400_000
MAX_ROW_WEIGHT = 30_000  # weight of a row above which the row is split between cells
# minimum nesting depth at which tables are considered layout tables, which may be split
LAYOUT_TABLE_DEPTH = 3
# maximum number of characters of a block, since a paragraph is laid out as a whole
MAX_BLOCK_LENGTH = 10_000
CELL_WEIGHT, IMAGE_WEIGHT, BLOCK_WEIGHT, LINE_WEIGHT, INLINE_WEIGHT = (
    200,
    200,
    50,
    40,
    20,
)  # weights of tags
LINE_END_WEIGHT = 5  # weight of a line end inside a paragraph
MIN_SPLIT_LENGTH = 200

ROW_BOUNDARY_TAGS = frozenset({"tr", "thead", "tbody", "tfoot"})
MAX_REPEATED_LINK = 2000  # maximum number of characters of a link tag that each slice repeats
_ANCHOR, _LINK = re.compile(r' id="[^"]*+"'), re.compile(r' href="[^"]*+"')
CONTINUATION_TAGS = {"p": '<p style="margin-bottom:0px">'}


def slice_html(tokens: Iterable[str]) -> Iterator[str]:
    """Yield sanitized HTML in slices with balanced tags.

    The first slice fills a few screens; later slices are larger. A paragraph that is too long is
    split. A table with 400 cells or more is split between rows. A table that would have to be split
    inside a cell is converted to plain blocks. A smaller table is only split if its text is very
    long. If there are no tokens, nothing is yielded.
    """
    slicer = _Slicer()
    for token in tokens:
        yield from slicer.add_token(token)
    if slicer.has_content:
        yield slicer.end_slice()


class _OpenTag:
    """HTML tag that is open at the current position, with data that the slicer needs."""

    def __init__(self, name: str, token: str, index: int) -> None:
        self.name, self.token, self.position, self.items = name, token, index, 0
        self.end_tag = f"</{name}>"
        # whether the tag belongs to a table that is converted to plain blocks
        self.is_plain = False
        self.weight_before = 0  # weight of the slice up to this tag

    def drop(self) -> None:
        """Omit the tag and its end tag from later slices."""
        self.token = self.end_tag = ""
        self.is_plain = True

    def drop_attributes(self, *, link: bool) -> None:
        """Remove the anchor from the tag for later slices; with `link`, also the link target."""
        self.token = _ANCHOR.sub("", _LINK.sub("", self.token) if link else self.token)

    @property
    def reopening_tag(self) -> str:
        """Tag that opens the element again in the next slice."""
        return f'<ol start="{self.items + 1}">' if self.name == "ol" and self.token else self.token


class _Slicer:
    """Splitter of HTML tokens into slices; tags are closed and reopened at slice boundaries."""

    def __init__(self) -> None:
        # whether the slice contains text, an image, a line break or a rule, and not only other tags
        self.has_content = False
        self._tokens: list[str] = []
        self._stack: list[_OpenTag] = []
        self._max_slice_weight = FIRST_SLICE_WEIGHT
        self._weight = self._block_length = self._cell_count = 0

    def add_token(self, token: str) -> Iterator[str]:
        """Add a token; first yield the current slice if it must end before the token."""
        if not token.startswith("<"):
            yield from self._split_text(token)
        elif token.startswith("</"):
            self._close_tag()
        else:
            name = token[1:].split(" ", 1)[0].rstrip(">")
            if self._is_split_before(name):
                yield self.end_slice()
                if name == "br":
                    return
            if name in SINGLE_TAGS:
                self._add(token, IMAGE_WEIGHT if name == "img" else LINE_WEIGHT)
                self._block_length += LINE_END_WEIGHT
                self.has_content = True
            else:
                self._open_element(name, token)

    def end_slice(self) -> str:
        """Return the current slice, and begin the next slice with the tags that are open."""
        for entry in self._stack:
            if entry.name in CONTINUATION_TAGS and entry.token:
                self._tokens[entry.position] = entry.token = CONTINUATION_TAGS[entry.name]
        slice_text = "".join(self._tokens + [entry.end_tag for entry in reversed(self._stack)])
        innermost_cell = max(
            (index for index, entry in enumerate(self._stack) if entry.name in CELL_TAGS),
            default=-1,
        )
        for index, entry in enumerate(self._stack):
            if entry.name == "li" or (index <= innermost_cell and entry.name in TABLE_PARTS):
                entry.drop()
        self._tokens = []
        self._weight = 0
        self._block_length = 0
        self._cell_count = 0
        self.has_content = False
        self._max_slice_weight = NEXT_SLICE_WEIGHT
        link = next((entry for entry in reversed(self._stack) if entry.name == "a"), None)
        if link and len(link.token) > MAX_REPEATED_LINK:
            link = None
        for entry in self._stack:
            entry.drop_attributes(link=entry is not link)
            entry.position, entry.weight_before = len(self._tokens), 0
            self._tokens.append(entry.reopening_tag)
        return slice_text

    def _is_split_before(self, name: str) -> bool:
        """Return whether the slice must end before a tag with this name."""
        if not self.has_content:
            # a slice without content ends only if it has very many tags
            return self._weight >= self._compute_max_weight()
        return (name == "br" and self._block_length > MAX_BLOCK_LENGTH // 2) or (
            name in BLOCK_TAGS and self._is_full(name)
        )

    def _is_full(self, name: str) -> bool:
        """Return whether the slice is long enough to end before a block with this tag."""
        table_tags = [
            entry for entry in self._stack if entry.name in TABLE_PARTS and not entry.is_plain
        ]
        if not table_tags:
            return self._weight >= self._max_slice_weight
        if self._weight >= self._compute_max_weight():
            return True
        if table_tags[-1].name in CELL_TAGS:
            return (
                self._weight - table_tags[-1].weight_before
                >= self._max_slice_weight * MAX_GROWTH_FACTOR
            )
        if name in ROW_BOUNDARY_TAGS:
            return self._cell_count >= MAX_PLAIN_CELLS or self._weight >= MAX_PLAIN_WEIGHT
        return self._weight - table_tags[-1].weight_before >= MAX_ROW_WEIGHT

    def _compute_max_weight(self) -> int:
        """Return the weight at which a slice ends even inside a block."""
        return (
            MAX_TABLE_WEIGHT
            if 0 < self._compute_depth() < LAYOUT_TABLE_DEPTH
            else self._max_slice_weight * MAX_GROWTH_FACTOR
        )

    def _open_element(self, name: str, token: str) -> None:
        table_tag = next(
            (entry for entry in reversed(self._stack) if entry.name in TABLE_PARTS), None
        )
        entry = _OpenTag(name, token, len(self._tokens))
        if name in TABLE_PARTS and name != "table" and table_tag is not None and table_tag.is_plain:
            entry.token, entry.end_tag, entry.is_plain = "<div>", "</div>", True
        elif name == "li" and self._stack and self._stack[-1].name in ("ol", "ul"):
            self._stack[-1].items += 1
        self._stack.append(entry)
        entry.weight_before = self._weight
        if name == "table" and self._compute_depth() == 1:
            self._cell_count = 0
        if name in CELL_TAGS and not entry.is_plain:
            self._cell_count += 1
            self._weight += CELL_WEIGHT * 3 ** max(0, self._compute_depth() - 1)
        self._add(entry.token, BLOCK_WEIGHT if name in BLOCK_TAGS else INLINE_WEIGHT)
        self._block_length = self._block_length + INLINE_WEIGHT if name not in BLOCK_TAGS else 0

    def _close_tag(self) -> None:
        entry = self._stack.pop()
        self._add(entry.end_tag, 0)
        if entry.name in BLOCK_TAGS:
            self._block_length = 0

    def _split_text(self, text: str) -> Iterator[str]:
        if self._block_length >= MAX_BLOCK_LENGTH or self._weight >= self._compute_max_weight():
            yield self.end_slice()
        while len(text) > (available := self._count_available_characters()):
            # the text is split after a space if possible, and not inside a character reference
            cut_offset = find_cut_before(text, 0, available)
            reference = text.rfind("&", max(1, cut_offset - 5), cut_offset)
            cut_offset = (
                reference if reference > 0 and ";" not in text[reference:cut_offset] else cut_offset
            )
            self._add_text(text[:cut_offset])
            yield self.end_slice()
            text = text[cut_offset:]
        self._add_text(text)

    def _count_available_characters(self) -> int:
        characters_by_weight = (
            self._compute_max_weight() - self._weight
        ) // self._compute_layout_factor()
        return max(
            MIN_SPLIT_LENGTH, min(MAX_BLOCK_LENGTH - self._block_length, characters_by_weight)
        )

    def _compute_layout_factor(self) -> int:
        """Return how often Qt lays out a text: each enclosing table doubles the number."""
        return int(2 ** self._compute_depth())

    def _compute_depth(self) -> int:
        return sum(entry.name == "table" and not entry.is_plain for entry in self._stack)

    def _add_text(self, text: str) -> None:
        self._add(text, len(text))
        self._block_length += len(text)
        self.has_content = self.has_content or not text.isspace()

    def _add(self, piece: str, weight: int) -> None:
        self._tokens.append(piece)
        self._weight += weight * self._compute_layout_factor()


# Rendering of a document as HTML: plain text as paragraphs, long documents in slices

MARKDOWN_PART = 30_000  # number of characters of Markdown that are rendered together
MAX_REFERENCES = 200
# Maximum total characters of link targets in a document's reference links: a constant plus a
# multiple of the document's length.
MIN_LINK_CHARACTERS, MAX_LINK_GROWTH = 100_000, 4
# Maximum number of cells in all tables of a document: a constant plus one per two characters, since
# a cell and its separator take at least two.
MIN_TABLE_CELLS, CHARACTERS_PER_CELL = 1_000, 2
# Maximum number of Markdown elements (tokens of the parser) of a document that are rendered, since
# 100,000 take more than a second: a constant plus one per twenty characters. Prose has about one
# per twenty characters, lists and tables one per two to eight.
MIN_MARKDOWN_TOKENS, CHARACTERS_PER_TOKEN = 200_000, 20
TOKENS_PER_BRACKET = 2  # an opening bracket without a link takes as long as two tokens
# Maximum nesting level of Markdown lists and quotations; a list has two levels. The parser discards
# the text of elements whose level is 20 or more.
MAX_MARKDOWN_LEVEL = 18
# key in the environment of the Markdown parser: number of table cells that are still allowed
REMAINING_CELLS_KEY = "irjudge_cells_left"
# maximum number of characters of the source that are shown for a page without visible content
MAX_SHOWN_SOURCE = 2_000
# number of tokens at the beginning of a body among which the first heading is searched for
MAX_HEADING_PIECES = 40

_EMPTY_LINES = re.compile(r"\A(?:[^\S\n]*+\n)++")
_BLANK_LINE = re.compile(r"\n[ \t]*\n")
_FENCE = re.compile(r"^ {0,3}(?:```|~~~)", re.MULTILINE)
# start tags of elements that may contain the heading
_WRAPPER_TAG = re.compile("<(?:div|section|article|blockquote|p)>$")
_REFERENCE = re.compile(r" {0,3}\[[^\]\n]{1,200}\]:(?=[^\n])[ \t]*+[^\n]{0,2000}+(?=\n|\Z)")


def to_html(document: Document) -> str:
    """Return sanitized HTML of a document: title as heading, then body.

    An empty body is replaced by a notice. A body without visible content, such as a script, is
    replaced by a notice and its source. The result loads no external resources.
    """
    return "".join(_iter_html(document))


def to_slices(document: Document) -> Iterator[str]:
    """Yield the HTML that `to_html` returns in balanced slices; the first fills a few screens.

    A slice is generated when it is requested, so that the beginning of a long document is displayed
    immediately. Images are not supported, since their body is not text.
    """
    return slice_html(_iter_html(document))


def title_and_body(document: Document) -> tuple[str, str]:
    """Return the title of a document as text, and its body as sanitized HTML."""
    return _find_document_title(document), "".join(_iter_body(document))


def find_hidden_title(document: Document) -> HiddenTitle:
    """Return the position and length of a plain text's first lines if they repeat the title.

    These lines are not displayed. The result is `NO_HIDDEN_TITLE` if there are none.
    """
    text = _normalise_text(document) if document.kind == "text" else ""
    repeated_title = collapse_blanks(text[: measure_repeated_title(document.title, text)])
    return (
        HiddenTitle(len(collapse_blanks(document.title)), len(repeated_title) + 1)
        if repeated_title
        else NO_HIDDEN_TITLE
    )


def _find_document_title(document: Document) -> str:
    return document.title or (extract_title(document.text) if document.kind == "html" else "")


def _iter_html(document: Document) -> Iterator[str]:
    if title := _find_document_title(document):
        yield from chain(("<h1>",), iter_escaped_text(title), ("</h1>",))
    body = _drop_leading_blank_lines(_drop_repeated_heading(title, _iter_body(document)))
    leading_tokens = list[str]()
    for token in body:
        leading_tokens.append(token)
        if _is_visible(token):
            yield from chain(leading_tokens, body)
            return
    if find_hidden_title(document) is NO_HIDDEN_TITLE and not document.fields:
        yield from _iter_empty_page(document.text)


def _is_visible(token: str) -> bool:
    if token.startswith("<"):
        return token == "<hr>" or token.startswith("<img")
    return any(character.isprintable() and not character.isspace() for character in token)


def _iter_empty_page(source: str) -> Iterator[str]:
    """Yield a notice for a page without visible content, followed by its escaped source."""
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
    yield from iter_escaped_text(
        "".join(
            character
            if character.isprintable() or character == "\n"
            else f"\\u{ord(character):04x}"
            for character in source[:MAX_SHOWN_SOURCE]
        )
    )
    yield "</pre>"
    if len(source) > MAX_SHOWN_SOURCE:
        yield from (
            "<p>",
            "<i>",
            f"{MAX_SHOWN_SOURCE:,} of {len(source):,} characters.",
            "</i>",
            "</p>",
        )


def _drop_repeated_heading(title: str, body: Iterator[str]) -> Iterator[str]:
    """Yield a body; omit its first heading if it is the same as the title."""
    beginning = list(islice(body, MAX_HEADING_PIECES)) if title else []
    begin = next(
        (
            index
            for index, token in enumerate(beginning)
            if token.strip() and not _WRAPPER_TAG.match(token)
        ),
        len(beginning),
    )
    end = next(
        (index for index in range(begin, len(beginning)) if beginning[index] == "</h1>"), None
    )
    if end is not None and beginning[begin].startswith("<h1"):
        heading = "".join(token for token in beginning[begin:end] if not token.startswith("<"))
        if unescape(heading).split() == title.split():
            del beginning[begin : end + 1]
    return chain(beginning, body)


def _drop_leading_blank_lines(body: Iterator[str]) -> Iterator[str]:
    """Yield a body without the blank lines at its beginning."""
    open_tags = ""
    for token in body:
        if token.startswith("<"):
            open_tags = token
            if token != "<br>":
                yield token
            if token.startswith("<img") or token == "<hr>":
                break
        elif token.isspace():
            yield "" if open_tags == "<pre>" else token
        else:
            yield _EMPTY_LINES.sub("", token)
            break
    yield from body


def _iter_body(document: Document) -> Iterator[str]:
    if document.kind == "html":
        return iter_tokens(document.text)
    if document.kind == "markdown":
        return _render_markdown(document.text)
    # the first lines are omitted if they repeat the title
    text = _normalise_text(document)
    return iter_paragraph_tokens(text[measure_repeated_title(document.title, text) :])


def _normalise_text(document: Document) -> str:
    return _normalise_lines(document.text).strip()


def _normalise_lines(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


class _LinkDefinitions(dict[str, Any]):
    """Markdown link definitions, with a limit on the total length of targets and titles of links.

    Without this limit, every link of three characters, such as `[a]`, could repeat a target of
    thousands of characters.
    """

    def __init__(self, max_characters: int) -> None:
        super().__init__()
        self._characters_left = max_characters

    def get(self, label: str, default: Any = None) -> Any:
        """Return the definition of a label; the default if it is missing or exceeds the limit."""
        definition = super().get(label)
        if definition is not None:
            self._characters_left -= len(definition["href"]) + len(definition["title"])
        return definition if definition is not None and self._characters_left >= 0 else default


def _parse_table(state: StateBlock, first: int, end: int, silent: bool) -> bool:
    """Parse a Markdown table, with a maximum number of cells in all tables of the document.

    The limit is necessary because short rows are filled with empty cells: a row of one character
    has as many cells as the header. Rows beyond the limit are displayed as text.
    """
    if not table(state, first, end, True):
        return False
    delimiter_cells = state.getLines(first + 1, first + 2, 0, False).split("|")
    columns = sum(bool(cell.strip()) for cell in delimiter_cells)
    rows = state.env[REMAINING_CELLS_KEY] // columns
    if silent or not rows:
        return bool(rows)
    is_parsed = table(state, first, min(end, first + 1 + rows), False)
    state.env[REMAINING_CELLS_KEY] -= (state.line - first) * columns
    return is_parsed


def _parse_list(state: StateBlock, first: int, end: int, silent: bool) -> bool:
    """Parse a Markdown list; items below the maximum level become paragraphs."""
    if silent or state.level < MAX_MARKDOWN_LEVEL:
        return list_block(state, first, end, silent)
    return list_block(state, first, end, True) and _parse_flat(state, first, end)


def _parse_quotation(state: StateBlock, first: int, end: int, silent: bool) -> bool:
    """Parse a Markdown quotation; quotations below the maximum level become paragraphs."""
    if silent or state.level < MAX_MARKDOWN_LEVEL:
        return blockquote(state, first, end, silent)
    return blockquote(state, first, end, True) and _parse_flat(state, first, end)


def _parse_flat(state: StateBlock, first: int, end: int) -> bool:
    """Parse an item or a quotation as a paragraph.

    The `<div>` separates it from its neighbours also in a list whose items have no paragraphs.
    """
    state.push("flat_open", "div", 1)
    paragraph(state, first, end, False)
    state.push("flat_close", "div", -1)
    return True


def _make_markdown_parser() -> MarkdownIt:
    markdown = MarkdownIt("commonmark").enable("table")
    ruler, enclosing_blocks = markdown.block.ruler, ["paragraph", "reference", "blockquote"]
    ruler.at("table", _parse_table, {"alt": ["paragraph", "reference"]})
    ruler.at("list", _parse_list, {"alt": enclosing_blocks})
    ruler.at("blockquote", _parse_quotation, {"alt": [*enclosing_blocks, "list"]})
    return markdown


def _render_markdown(text: str) -> Iterator[str]:
    """Yield the HTML of a Markdown text, part by part; every part can use all link definitions.

    If there are too many elements, the source of the remaining parts is yielded as plain text.
    """
    markdown = _make_markdown_parser()
    environment = {
        "references": _LinkDefinitions(MIN_LINK_CHARACTERS + MAX_LINK_GROWTH * len(text)),
        REMAINING_CELLS_KEY: MIN_TABLE_CELLS + len(text) // CHARACTERS_PER_CELL,
    }
    if len(text) > MARKDOWN_PART:
        markdown.parse("\n".join(islice(_iter_references(text), MAX_REFERENCES)), environment)
    remaining_tokens = MIN_MARKDOWN_TOKENS + len(text) // CHARACTERS_PER_TOKEN
    for begin, part in _iter_markdown_parts(text):
        tokens = markdown.parse(part, environment)
        remaining_tokens -= sum(1 + len(token.children or ()) for token in tokens)
        remaining_tokens -= TOKENS_PER_BRACKET * part.count("[")
        if remaining_tokens < 0:
            yield from iter_paragraph_tokens(_normalise_lines(text[begin:]))
            return
        yield from iter_tokens(markdown.renderer.render(tokens, markdown.options, environment))


def _iter_references(text: str) -> Iterator[str]:
    """Yield the link definitions of a Markdown text."""
    offset = 0
    while (offset := text.find("]:", offset)) >= 0:
        if match := _REFERENCE.match(text, text.rfind("\n", 0, offset) + 1):
            yield match[0]
        offset = text.find("\n", offset)
        if offset < 0:
            return


def _iter_markdown_parts(text: str) -> Iterator[tuple[int, str]]:
    """Yield a Markdown text in parts, each after its offset, split at blank lines if possible.

    If a part ends inside a code block, the next part begins with the opening fence of the block.
    """
    begin, fence = 0, ""
    while begin < len(text):
        end = _find_part_end(text, begin)
        part = fence + text[begin:end]
        fence_marks = _FENCE.findall(part)
        fence = f"{fence_marks[-1].strip()}\n" if len(fence_marks) % 2 else ""
        yield begin, part
        begin = end


def _find_part_end(text: str, begin: int) -> int:
    latest_end = begin + MARKDOWN_PART
    if latest_end >= len(text):
        return len(text)
    blank_line_ends = [
        match.end() for match in _BLANK_LINE.finditer(text, begin + MARKDOWN_PART // 2, latest_end)
    ]
    return blank_line_ends[-1] if blank_line_ends else find_cut_before(text, begin, latest_end)


# number of lines used to detect the wrap width; more lines would delay the display of a long text
SAMPLE_LINES = 400
# limits of the wrap width in characters; if lines are narrower, the text is verse or columns; if
# they are wider, each line is a paragraph
MIN_WRAP_WIDTH = 40
MAX_WRAP_WIDTH = 120
MIN_LINES = 2  # minimum number of line ends from which wrapping can be detected
# Minimum share of line ends that wrapping explains: the next word would not have fitted on the
# line, or the sentence continues on the next line.
MIN_CUT_SHARE = 0.75
# Minimum length, as a share of the wrap width, of a line whose sentence continues on the next line.
# The second value applies if the next line begins with a lower-case letter.
MIN_FULL_SHARE, MIN_CONTINUED_SHARE = 0.8, 0.5
# minimum share of lines that are not longer than the wrap width; others may be web addresses
MIN_WIDTH_SHARE = 0.95

_ITEM = re.compile(r"\s*(?:[-*•·–—>|]|\(?(?:\d{1,3}|[A-Za-z])[.)])(?=\s)")
_COLUMNS = re.compile(r"(?<=\S)(?: *+\t[ \t]*+| {3,}+)(?=\S)")
# Characters of scripts without spaces. Lines are not joined at them, since the space that replaces
# the line end would be visible.
_SPACELESS_CHARACTER = rf"[{HAN}{KANA}{SOUTHEAST}\u3000-\u303f\uff00-\uffef]"
_JOINED_LINES = re.compile(rf"{_SPACELESS_CHARACTER}\n|\n{_SPACELESS_CHARACTER}")
_SENTENCE_END = re.compile(r"[.!?:…][\"'”’»)\]]*\s*\Z")
_EDGE_CHARACTERS = " \t\r\n.,:;!?\"'"


def iter_paragraph_tokens(text: str) -> Iterator[str]:
    """Yield a plain text as HTML tokens: paragraphs, divided by blank lines, and lines.

    In a right-to-left text, each line is a paragraph, so that its direction is detected separately.
    """
    paragraph_tag, *line_break_tags = (
        ('<p class="first">', "</p>", '<p class="line">')
        if RIGHT_TO_LEFT.search(text)
        else ("<p>", "<br>")
    )
    text = text.strip()
    width = detect_wrap_width(text)
    previous = ""
    for line in _iter_lines(text):
        if not line or line.isspace():
            if previous:
                yield "</p>"
            previous = ""
            continue
        separator = " " if previous and width and _is_continued(previous, line, width) else ""
        starts_paragraph = not previous or (
            width and not separator and _is_indented(previous, line)
        )
        if separator:
            yield " "
        elif starts_paragraph:
            yield from ["</p>", paragraph_tag] if previous else [paragraph_tag]
        else:
            yield from line_break_tags
        yield from iter_escaped_text(line.lstrip() if starts_paragraph or separator else line)
        previous = line
    if previous:
        yield "</p>"


def iter_escaped_text(text: str) -> Iterator[str]:
    """Yield a text as escaped HTML with break opportunities in long words."""
    return (
        escape(break_long_words(window), quote=False) for window in iter_windows(text, 0, len(text))
    )


def detect_wrap_width(text: str) -> int:
    """Return the width at which the lines of a text were wrapped; 0 if they were not wrapped.

    >>> detect_wrap_width("The tides of the sea follow the moon, and\\nthe moon follows no one but the earth, on\\nwhich we stand.")
    41
    """
    pairs = [
        pair
        for pair in pairwise(islice(_iter_lines(text), SAMPLE_LINES))
        if pair[0].strip() and pair[1].strip()
    ]
    if len(pairs) < MIN_LINES:
        return 0
    lengths = sorted(len(line.rstrip()) for line, _ in pairs)
    width = lengths[ceil(MIN_WIDTH_SHARE * len(lengths)) - 1]
    wrapped_lines = sum(_is_wrapped(line, next_line, width) for line, next_line in pairs)
    return (
        width
        if MIN_WRAP_WIDTH <= width <= MAX_WRAP_WIDTH and wrapped_lines >= MIN_CUT_SHARE * len(pairs)
        else 0
    )


def measure_repeated_title(title: str, text: str) -> int:
    """Return the total length of the first lines of a text if they repeat its title; otherwise 0.

    >>> text = "Tides of\\n the sea .\\n They come and go."
    >>> text[measure_repeated_title("tides of the Sea", text):]
    ' They come and go.'
    """
    folded_title = " ".join(title.split()).strip(_EDGE_CHARACTERS).casefold()
    # number of matching characters so far: in the text, and in the title
    offset = matched_count = 0
    while offset < len(text) and matched_count < len(folded_title):
        end = text.find("\n", offset) + 1 or len(text)
        words = " ".join(text[offset:end].split())
        piece = (
            f" {words}".rstrip(_EDGE_CHARACTERS) if matched_count else words.strip(_EDGE_CHARACTERS)
        ).casefold()
        if not folded_title.startswith(piece, matched_count):
            return 0
        offset, matched_count = end, matched_count + len(piece)
    return offset if matched_count and matched_count == len(folded_title) else 0


def _iter_lines(text: str) -> Iterator[str]:
    begin = 0
    while (end := text.find("\n", begin)) >= 0:
        yield text[begin:end]
        begin = end + 1
    yield text[begin:]


def _is_wrapped(line: str, next_line: str, width: int) -> bool:
    """Return whether the line end between two lines was inserted by wrapping at `width`."""
    length = len(line.rstrip())
    return length + 1 + len(next_line.split(None, 1)[0]) > width or (
        length >= MIN_CONTINUED_SHARE * width and next_line.lstrip()[0].islower()
    )


def _is_indented(line: str, next_line: str) -> bool:
    """Return whether a line ends a paragraph because the next line is indented more."""
    return (
        _measure_indent(next_line) > _measure_indent(line)
        and bool(_SENTENCE_END.search(line))
        and not _ITEM.match(line)
    )


def _measure_indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _is_continued(line: str, next_line: str, width: int) -> bool:
    """Return whether a line and the next one belong to the same wrapped paragraph."""
    if (
        _COLUMNS.search(line)
        or _COLUMNS.search(next_line)
        or _JOINED_LINES.search(f"{line[-1:]}\n{next_line.lstrip()[:1]}")
        or _ITEM.match(next_line)
        or _is_indented(line, next_line)
    ):
        return False
    return _is_wrapped(line, next_line, width) or len(line.rstrip()) >= MIN_FULL_SHARE * width
