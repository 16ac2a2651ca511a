"""Sanitizing of untrusted HTML, and break opportunities in long words."""

import re
from collections import Counter
from collections.abc import Callable, Iterator
from html import escape, unescape

# Splitting of long texts at spaces, and break opportunities in words that are too long

# characters at which a line can break; a no-break space is not one of them
WHITE_SPACE = " \t\n\r\f\v"
# maximum number of characters without a break opportunity, since laying out a longer word takes
# quadratic time
MAX_WORD_LENGTH = 2000
# maximum number of ASCII characters without a break opportunity; words are shorter, but not all web
# addresses
MAX_STRING_LENGTH = 40
BREAK_OPPORTUNITY = "\u200b"
WINDOW_LENGTH = 64_000
# maximum number of characters of a character reference; the longest name in HTML has 32
MAX_REFERENCE_LENGTH = 40

_LONG_WORD = re.compile(rf"(?<![^{WHITE_SPACE}])[^{WHITE_SPACE}]{{{MAX_WORD_LENGTH},}}+")
# Characters of zero width: combining marks, joiners, and direction marks.
_ZERO_WIDTH_CHARACTERS = (
    "\u00ad\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u0610-\u061a\u064b-\u065f\u0e34-\u0e3a\u0e47-\u0e4e\u1ab0-\u1aff"
    "\u1dc0-\u1dff\u200b-\u200f\u202a-\u202e\u2060-\u206f\u20d0-\u20ff\ufe00-\ufe0f\ufe20-\ufe2f\ufeff"
)
MAX_ZERO_WIDTH_RUN = 100
_LONG_ZERO_WIDTH_RUN = re.compile(
    rf"(?<![{_ZERO_WIDTH_CHARACTERS}])([{_ZERO_WIDTH_CHARACTERS}]{{{MAX_ZERO_WIDTH_RUN}}})"
    rf"[{_ZERO_WIDTH_CHARACTERS}]++"
)
_LONG_STRING = re.compile(rf"[!-~]{{{MAX_STRING_LENGTH}}}(?=[!-~])")
_PIECE = re.compile(f".{{{MAX_WORD_LENGTH}}}", re.DOTALL)


def break_long_words(text: str) -> str:
    """Insert a break opportunity after every 2,000 characters without a space.

    Of consecutive zero-width characters, such as accents, only the first 100 are kept, since
    thousands of them would be drawn on top of each other.
    """
    if len(text) <= MAX_ZERO_WIDTH_RUN:
        return text
    text = text if text.isascii() else _LONG_ZERO_WIDTH_RUN.sub(r"\1", text)
    if len(text) < MAX_WORD_LENGTH:
        return text
    return _LONG_WORD.sub(
        lambda word: _PIECE.sub(lambda piece: piece[0] + BREAK_OPPORTUNITY, word[0]), text
    )


def break_strings(text: str) -> str:
    """Insert a break opportunity after every 40 ASCII characters without a space.

    >>> [len(piece) for piece in break_strings("see " + "x" * 100).split(BREAK_OPPORTUNITY)]
    [44, 40, 20]
    """
    return _LONG_STRING.sub(lambda piece: piece[0] + BREAK_OPPORTUNITY, text)


def iter_windows(text: str, begin: int, end: int, size: int = WINDOW_LENGTH) -> Iterator[str]:
    """Yield `text[begin:end]` in pieces of up to `size` characters, cut after spaces if possible.

    A piece does not end inside a character reference such as `&amp;`. If the range is empty,
    nothing is yielded.
    """
    while end - begin > size:
        cut_offset = find_cut_before(text, begin, begin + size)
        reference = text.rfind("&", max(begin + 1, cut_offset - MAX_REFERENCE_LENGTH), cut_offset)
        if (
            reference > 0
            and text[cut_offset - 1] not in WHITE_SPACE
            and ";" not in text[reference:cut_offset]
        ):
            cut_offset = reference
        yield text[begin:cut_offset]
        begin = cut_offset
    if begin < end:
        yield text[begin:end]


def find_cut_before(text: str, begin: int, latest: int) -> int:
    """Return the best offset at which to cut `text[begin:latest]`.

    It is the offset after the last line end in the second half or, if there is none, after the last
    space or tab in the second half. Without such white space, it is `latest`.
    """
    midpoint = (begin + latest) // 2
    for white_space in ("\n", " ", "\t"):
        if (position := text.rfind(white_space, midpoint, latest)) >= 0:
            return position + 1
    return latest


# Sanitizing of untrusted HTML: only listed elements are displayed, and nothing is loaded

BLOCK_TAGS = frozenset(
    "p div h1 h2 h3 h4 h5 h6 ul ol li dl dt dd blockquote pre table thead tbody tfoot tr td th caption section article".split()
)
INLINE_TAGS = frozenset(
    "b strong i em u s sub sup code tt kbd samp var cite q small big span a abbr".split()
)
SINGLE_TAGS = frozenset({"br", "hr", "img"})
ALLOWED_TAGS = BLOCK_TAGS | INLINE_TAGS | SINGLE_TAGS
# Elements that are removed together with their content, which is not meant to be read.
DROPPED_ELEMENTS = frozenset(
    "script style title iframe object embed svg math template noscript noframes applet audio video canvas select textarea".split()
)
# elements whose content is text, even if it looks like tags
RAW_TEXT_ELEMENTS = frozenset("script style title textarea iframe noframes".split())
VOID_TAGS = SINGLE_TAGS | frozenset(
    "area base basefont bgsound col frame input keygen link meta param source track wbr embed".split()
)
TABLE_PARTS = frozenset({"table", "thead", "tbody", "tfoot", "tr", "td", "th", "caption"})
TABLE_PART_TAGS = TABLE_PARTS - {"table"}
TABLE_SECTIONS = frozenset({"thead", "tbody", "tfoot"})
CELL_TAGS = frozenset({"td", "th", "caption"})
INDENTED_TAGS = frozenset({"ul", "ol", "blockquote", "dd"})
PAGE_TAGS = frozenset({"html", "body"})  # removed tags whose text direction is used nevertheless
MAX_DEPTH = 100
MAX_TABLE_DEPTH = 8
TABLE_PART_LEVELS = 6  # number of nesting levels that are reserved for the parts of a table
MAX_INDENT_DEPTH = 6  # maximum nesting of indented elements; more would leave no width for text
# For each start tag: the open elements that it ends implicitly, and boundary elements. Elements
# outside the innermost open boundary element stay open.
IMPLICIT_ENDS: dict[str, tuple[frozenset[str], frozenset[str]]] = {
    "li": (frozenset({"li"}), frozenset({"ul", "ol"}) | CELL_TAGS),
    **dict.fromkeys(("dt", "dd"), (frozenset({"dt", "dd"}), frozenset({"dl"}) | CELL_TAGS)),
    **dict.fromkeys(("td", "th"), (CELL_TAGS, frozenset({"table"}))),
    "tr": (CELL_TAGS | {"tr"}, frozenset({"table"})),
    **dict.fromkeys(
        ("thead", "tbody", "tfoot", "caption"),
        (CELL_TAGS | TABLE_SECTIONS | {"tr"}, frozenset({"table"})),
    ),
}
_TABLE = frozenset({"table"})
MAX_ADDRESS_LENGTH = 2000
# maximum number of characters of a tag; later attributes are ignored, except the data of an image
MAX_TAG_LENGTH = 100_000
DATA_IMAGE = re.compile(r"data:image/(png|jpeg|gif|webp|bmp);base64,[A-Za-z0-9+/=\s]+")
# Link targets that are permitted: web and e-mail addresses. They are opened only after
# confirmation.
ADDRESS = re.compile(r"(?:https?://|mailto:)[^\s\x00-\x20\x7f]+", re.IGNORECASE)
WHITE_SPACE_PATTERN = re.compile(f"[{WHITE_SPACE}]")

# Every pattern takes linear time and does not backtrack into matched text. To keep the window
# responsive, no pattern scans a whole page in one step, except those that skip irrelevant text.
TAG = r"<(?P<end>/?)(?P<name>[A-Za-z][^\s/<>]*+)(?P<rest>{rest})"
QUOTED = re.compile(TAG.format(rest=r"""(?:[^>"']++|"[^"]*+"|'[^']*+')*+""") + r"(?P<closed>>?)")
UNQUOTED = re.compile(TAG.format(rest="[^<>]*+") + "(?P<closed>>)")
ATTRIBUTE = re.compile(
    r"""(?<![^\s"'/])([^\s"'<>/=]++)\s*+=\s*+(?:"([^"]*+)"|'([^']*+)'|([^\s"'>]++))"""
)
HAS_DIRECTION = re.compile(r"""(?<![^\s"'/])dir\s*+=""", re.IGNORECASE)
HAS_ID = re.compile(r"""(?<![^\s"'/])(?:id|name)\s*+=""", re.IGNORECASE)
LONG_SOURCE = re.compile(
    r"""(?<![^\s"'/])src\s*=\s*(?:"(data:image/[^"]*+)"|'(data:image/[^']*+)')""", re.IGNORECASE
)
CONSECUTIVE_BLOCK_TAGS = re.compile(
    rf"(?:<(?:{'|'.join(sorted(BLOCK_TAGS - TABLE_PARTS - set(IMPLICIT_ENDS)))})>)++", re.IGNORECASE
)
HUGE_REFERENCE = re.compile(r"&#(?:[0-9]{8,}|[xX][0-9a-fA-F]{7,});?")


def sanitize(html: str) -> str:
    """Return a page as HTML with only text and structure, without external resources.

    Scripts, styles, frames and forms are removed, and so are all attributes except links to the web
    and inside the page, their anchors, the direction of tables, and images in data URLs. Elements
    are nested at most 100 levels deep, and tables 8 levels. The time is linear in the length of the
    page.

    >>> sanitize('<p onclick="x()">a <script>b</script><img src="http://x/y.png"> c')
    '<p>a  c</p>'
    """
    return "".join(iter_tokens(html))


def iter_tokens(html: str) -> Iterator[str]:
    """Yield sanitized HTML as tags and texts (see `sanitize`).

    Tags are balanced over the whole page. Texts are escaped; one text corresponds to at most 64,000
    characters of the page.
    """
    sanitizer = _Sanitizer()
    for text, tag in _iter_pieces(html, sanitizer.skip_deep_tags):
        sanitizer.add_text(text)
        if tag and tag["end"]:
            sanitizer.close_element(tag["name"].lower())
        elif tag:
            sanitizer.open_element(tag["name"].lower(), tag["rest"])
        yield from sanitizer.output
        sanitizer.output.clear()
    yield from sanitizer.iter_end_tags()


def extract_title(html: str) -> str:
    """Return the text of the first `<title>`; empty if there is none."""
    match = re.search(r"<title[^>]{0,200}>([^<]{0,2000})<", html[:100_000], re.IGNORECASE)
    return " ".join(_unescape(match[1]).split()) if match else ""


def _iter_pieces(
    html: str, skip: Callable[[str, int], int]
) -> Iterator[tuple[str, re.Match[str] | None]]:
    """Yield the texts and tags of a page, except comments and the content of scripts.

    `skip` returns the position after the tags at a given position that must be ignored.
    """
    pattern, position, begin = QUOTED, 0, 0
    while (position := html.find("<", position)) >= 0:
        declaration_end = _find_declaration_end(html, position)
        match = None if declaration_end else pattern.match(html, position)
        if match and not match["closed"]:
            # After a quotation mark that is not closed, quotation marks are ignored. Otherwise all
            # other text would be part of the tag.
            pattern = UNQUOTED
            continue
        if not match and not declaration_end:
            position += 1
            continue
        for text in iter_windows(html, begin, position):
            yield text, None
        yield "", match
        position = begin = skip(html, _find_element_end(html, match) if match else declaration_end)
    for text in iter_windows(html, begin, len(html)):
        yield text, None


def _find_declaration_end(html: str, position: int) -> int:
    """Return the end of the comment or declaration at `position`; 0 if there is none."""
    if html.startswith("<!--", position):
        return _find_comment_end(html, position + 4)
    if html.startswith(("<!", "<?"), position):
        return html.find(">", position) + 1 or len(html)
    return 0


def _find_comment_end(html: str, position: int) -> int:
    for empty_end in (">", "->"):
        if html.startswith(empty_end, position):
            return position + len(empty_end)
    while (position := html.find("--", position)) >= 0:
        for end in ("-->", "--!>"):
            if html.startswith(end, position):
                return position + len(end)
        position += 1
    return len(html)


def _find_element_end(html: str, match: re.Match[str]) -> int:
    """Return the position after a tag or, for an element such as a script, after its content."""
    content_begin, name = match.end(), match["name"].lower()
    if name not in RAW_TEXT_ELEMENTS or match["end"] or match["rest"].endswith("/"):
        return content_begin
    end = re.compile(rf"</{name}(?=[\s/>])", re.IGNORECASE)
    for begin in range(content_begin, len(html), WINDOW_LENGTH):
        if end_match := end.search(html, begin, begin + WINDOW_LENGTH + len(name) + 3):
            return end_match.start()
    return len(html)


def _unescape(text: str) -> str:
    """Return a text in which character references are replaced by characters."""
    return unescape(HUGE_REFERENCE.sub("\ufffd", text)) if "&" in text else text


def _parse_attributes(tag_rest: str) -> dict[str, str]:
    matches = ATTRIBUTE.finditer(tag_rest, 0, MAX_TAG_LENGTH)
    return {
        match[1].lower(): _unescape(match[2] or match[3] or match[4] or "") for match in matches
    }


class _Sanitizer:
    """Converter of texts and tags of a page to sanitized HTML, which is collected in `output`."""

    def __init__(self) -> None:
        self.output: list[str] = []
        self._open_tags: list[str] = []
        self._rejected_tags: Counter[str] = Counter()
        self._dropped_element: str | None = None
        self._dropped_depth = 0
        self._word_length = 0
        # text directions, each with the nesting depth of its tag; the first is that of the page
        self._directions = [(-1, "")]

    def open_element(self, tag: str, tag_rest: str) -> None:
        is_self_closing = tag_rest.endswith("/")
        if self._dropped_element:
            self._dropped_depth += tag == self._dropped_element and not is_self_closing
        elif tag in SINGLE_TAGS:
            self._append(_clean_single_tag(tag, tag_rest))
        elif is_self_closing:
            return
        elif tag in PAGE_TAGS:
            self._directions[0] = (-1, _read_direction(tag_rest) or self._directions[0][1])
        elif tag in DROPPED_ELEMENTS - VOID_TAGS:
            self._dropped_element, self._dropped_depth = tag, 1
        elif tag in ALLOWED_TAGS:
            self._open_allowed_element(tag, tag_rest)

    def skip_deep_tags(self, html: str, position: int) -> int:
        """Return the position after consecutive tags that would be nested too deeply."""
        if len(self._open_tags) < MAX_DEPTH or self._dropped_element or self._open_tags[-1] == "p":
            return position  # the next block tag is not ignored, since it ends the paragraph
        while match := CONSECUTIVE_BLOCK_TAGS.match(html, position, position + WINDOW_LENGTH):
            self._rejected_tags.update(match[0].lower()[1:-1].split("><"))
            position = match.end()
        return position

    def _open_allowed_element(self, tag: str, tag_rest: str) -> None:
        if tag in BLOCK_TAGS:  # the tag may end open elements implicitly
            block = next(
                (
                    index
                    for index in reversed(range(len(self._open_tags)))
                    if self._open_tags[index] not in INLINE_TAGS
                ),
                None,
            )
            if block is not None and self._open_tags[block] == "p":
                self._close_from(block)
            if tag in IMPLICIT_ENDS and not (
                tag in TABLE_PART_TAGS and self._rejected_tags["table"]
            ):
                closed_tags, boundary_tags = IMPLICIT_ENDS[tag]
                while (index := self._find_open_tag(closed_tags, boundary_tags)) is not None:
                    self._close_from(index)
        if self._is_too_deep(tag):
            self._rejected_tags[tag] += tag not in TABLE_PART_TAGS
            return
        self._open_table_parents(tag)
        if tag_rest and (direction := _read_direction(tag_rest)):
            self._directions.append((len(self._open_tags), direction))
        self._open_tags.append(tag)
        link = _clean_link(tag_rest) if tag == "a" else ""
        direction_attribute = self._make_direction_attribute() if tag == "table" else ""
        self.output.append(
            f"<{tag}{link}{_make_anchor_attribute(tag, tag_rest)}{direction_attribute}>"
        )

    def _make_direction_attribute(self) -> str:
        """Return a `dir` attribute with the text direction declared for the current position.

        The result is empty if this direction is neither rtl nor ltr.
        """
        direction = self._directions[-1][1]
        return f' dir="{direction}"' if direction in ("rtl", "ltr") else ""

    def close_element(self, tag: str) -> None:
        if self._dropped_element:
            self._dropped_depth -= tag == self._dropped_element
            if self._dropped_depth <= 0:
                self._dropped_element = None
        elif self._rejected_tags[tag]:
            self._rejected_tags[tag] -= 1
        elif tag not in TABLE_PART_TAGS or not self._rejected_tags["table"]:
            self._close_from(
                self._find_open_tag(frozenset({tag}), _TABLE if tag in TABLE_PARTS else CELL_TAGS)
            )

    def add_text(self, text: str) -> None:
        if self._dropped_element or not text:
            return
        unescaped_text = _unescape(text)
        gap_match = WHITE_SPACE_PATTERN.search(unescaped_text)
        first_word_length = gap_match.start() if gap_match else len(unescaped_text)
        # A line cannot break at a tag inside a word. Therefore the length of a word includes the
        # text before and after the tag.
        if self._word_length + first_word_length > MAX_WORD_LENGTH:
            self._append(BREAK_OPPORTUNITY)
            self._word_length = 0
        self._append(escape(break_strings(break_long_words(unescaped_text)), quote=False))
        self._word_length = (
            len(unescaped_text) - 1 - max(unescaped_text.rfind(space) for space in WHITE_SPACE)
            if gap_match
            else self._word_length + first_word_length
        )

    def _append(self, piece: str) -> None:
        if piece and not piece.isspace():
            self._open_table_parents("")
        if piece:
            self.output.append(piece)

    def _open_table_parents(self, tag: str) -> None:
        """Open the rows and cells that a table requires around a tag or text."""
        table_part = next((name for name in reversed(self._open_tags) if name in TABLE_PARTS), "td")
        if (
            table_part in CELL_TAGS
            or tag in TABLE_SECTIONS
            or tag == "caption"
            or (tag == "tr" and table_part != "tr")
        ):
            return
        missing_tags = ["tr", "td"] if table_part != "tr" else ["td"]
        for name in missing_tags[:-1] if tag in CELL_TAGS else missing_tags:
            self._open_tags.append(name)
            self.output.append(f"<{name}>")

    def _find_open_tag(self, names: frozenset[str], boundaries: frozenset[str]) -> int | None:
        """Return the index of the innermost open tag that has one of the names.

        The result is None if there is no such tag, or if an open boundary tag is inside it.
        """
        for index in reversed(range(len(self._open_tags))):
            if self._open_tags[index] in names:
                return index
            if self._open_tags[index] in boundaries:
                return None
        return None

    def _close_from(self, index: int | None) -> None:
        if index is not None:
            self.output += [f"</{name}>" for name in reversed(self._open_tags[index:])]
            del self._open_tags[index:]
            while self._directions[-1][0] >= index:
                self._directions.pop()

    def _is_too_deep(self, tag: str) -> bool:
        if tag in TABLE_PARTS:
            tables = self._open_tags.count("table")
            if tag in TABLE_PART_TAGS:
                return bool(self._rejected_tags["table"]) or not tables
            return tables >= MAX_TABLE_DEPTH or len(self._open_tags) > MAX_DEPTH - TABLE_PART_LEVELS
        return len(self._open_tags) >= MAX_DEPTH or (
            tag in INDENTED_TAGS
            and sum(name in INDENTED_TAGS for name in self._open_tags) >= MAX_INDENT_DEPTH
        )

    def iter_end_tags(self) -> Iterator[str]:
        """Yield the end tags of all open elements."""
        return (f"</{tag}>" for tag in reversed(self._open_tags))


def _clean_single_tag(tag: str, tag_rest: str) -> str:
    if tag != "img":
        return f"<{tag}>"
    attributes = _parse_attributes(tag_rest)
    source = attributes.get("src") or _find_long_source(tag_rest)
    if DATA_IMAGE.fullmatch(source):
        return f'<img src="{source}">'
    alt = attributes.get("alt", "")
    return f"[{escape(break_long_words(alt))}]" if alt else ""


def _find_long_source(tag_rest: str) -> str:
    """Return the data URL of an image in an overlong tag; empty if there is none."""
    match = (
        LONG_SOURCE.search(tag_rest, 0)
        if len(tag_rest) > MAX_TAG_LENGTH and "data:image/" in tag_rest[:MAX_TAG_LENGTH]
        else None
    )
    return (match[1] or match[2]) if match else ""


def _clean_link(tag_rest: str) -> str:
    target = _parse_attributes(tag_rest).get("href", "").strip()
    is_allowed = len(target) <= MAX_ADDRESS_LENGTH and (
        target.startswith("#") or ADDRESS.fullmatch(target)
    )
    return f' href="{escape(target)}"' if is_allowed else ""


def _read_direction(tag_rest: str) -> str:
    """Return the `dir` of a tag if it is `rtl`, `ltr` or `auto`; otherwise empty."""
    direction = (
        _parse_attributes(tag_rest).get("dir", "").strip().lower()
        if HAS_DIRECTION.search(tag_rest, 0, MAX_TAG_LENGTH)
        else ""
    )
    return direction if direction in ("rtl", "ltr", "auto") else ""


def _make_anchor_attribute(tag: str, tag_rest: str) -> str:
    """Return an `id` attribute with the anchor name of a tag; empty if the tag has no name."""
    if not HAS_ID.search(tag_rest, 0, MAX_TAG_LENGTH):
        return ""
    attributes = _parse_attributes(tag_rest)
    name = attributes.get("id") or (attributes.get("name", "") if tag == "a" else "")
    return f' id="{escape(name)}"' if name and len(name) <= MAX_ADDRESS_LENGTH else ""
