"""Makes HTML from strangers harmless: what is not on the list is not shown, and nothing is ever fetched."""

import re
from collections.abc import Iterator
from html import escape, unescape

BLOCKS = frozenset(
    "p div h1 h2 h3 h4 h5 h6 ul ol li dl dt dd blockquote pre table thead tbody tfoot tr td th caption section article".split()
)
INLINE = frozenset("b strong i em u s sub sup code tt kbd samp var cite q small big span a abbr".split())
SINGLE = frozenset({"br", "hr", "img"})
ALLOWED = BLOCKS | INLINE | SINGLE
# What stands between these tags is for machines, not for readers.
SILENT = frozenset(
    "script style title iframe object embed svg math template noscript noframes applet audio video canvas select textarea".split()
)
RAW = frozenset("script style title textarea iframe noframes".split())  # of these, what holds tags is text until their end
VOID = SINGLE | frozenset("area base basefont bgsound col frame input keygen link meta param source track wbr embed".split())
TABLE_PARTS = frozenset({"table", "thead", "tbody", "tfoot", "tr", "td", "th", "caption"})
DEEPEST = 100
DEEPEST_TABLE = 8
LONGEST_WORD = 2000  # QTextBrowser takes quadratic time over a line without a place to break
DATA_IMAGE = re.compile(r"data:image/(png|jpeg|gif|webp|bmp);base64,[A-Za-z0-9+/=\s]+")
GAP = " \t\n\r\f\v"  # where a line may break; the no-break space is not among them
FIRST_GAP = re.compile(f"[{GAP}]")
LONG_WORD = re.compile(rf"[^{GAP}]{{{LONGEST_WORD}}}")
BREAK = "\u200b"

# Every pattern takes linear time: what was matched once is never looked at again.
COMMENT = r"<!--(?:-?>|.*?(?:--!?>|\Z))|<[!?][^>]*+>?"
TAG = r"<(?P<end>/?)(?P<name>[A-Za-z][^\s/<>]*+)(?P<rest>{rest})"
QUOTED = re.compile(COMMENT + "|" + TAG.format(rest=r"""(?:[^>"']|"[^"]*+"|'[^']*+')*+""") + r"(?P<closed>>?)", re.DOTALL)
UNQUOTED = re.compile(COMMENT + "|" + TAG.format(rest="[^<>]*+") + "(?P<closed>>)", re.DOTALL)
ATTRIBUTE = re.compile(r"""(?<![^\s"'/])([^\s"'<>/=]++)\s*+=\s*+(?:"([^"]*+)"|'([^']*+)'|([^\s"'>]++))""")
HUGE_REFERENCE = re.compile(r"&#(?:[0-9]{8,}|[xX][0-9a-fA-F]{7,});?")


def sanitize(html: str) -> str:
    """Return HTML that keeps structure and words, and nothing that loads, runs or points outside.

    Scripts, styles, frames, forms and every attribute are dropped, but for links inside the page and images that the page
    itself carries as data. Nesting is cut at 100 levels, tables in tables at 8. Work grows with the length alone.

    Examples
    --------
    >>> sanitize('<p onclick="x()">a <script>b</script><img src="http://x/y.png"> c')
    '<p>a  c</p>'
    """
    cleaner = _Cleaner()
    for text, tag in _pieces(html):
        cleaner.say(text)
        if tag is None:
            continue
        if tag["end"]:
            cleaner.end(tag["name"].lower())
        else:
            cleaner.start(tag["name"].lower(), tag["rest"])
    return cleaner.result()


def break_long_words(text: str) -> str:
    """Put a place to break after every 2,000 characters without a space."""
    return LONG_WORD.sub(lambda word: word[0] + BREAK, text)


def title_of(html: str) -> str:
    """Return the text of the first <title>, or nothing."""
    found = re.search(r"<title[^>]{0,200}>([^<]{0,2000})<", html[:100_000], re.IGNORECASE)
    return " ".join(_plain(found[1]).split()) if found else ""


def _pieces(html: str) -> Iterator[tuple[str, re.Match[str] | None]]:
    """Yield each text and the tag after it, without comments, and without what scripts and styles hold."""
    pattern, at, begin = QUOTED, 0, 0
    while match := pattern.search(html, at):
        if match["name"] and not match["closed"]:
            pattern = UNQUOTED  # a quote that never ends would swallow all words to the end: from here on quotes do not count
            continue
        name = (match["name"] or "").lower()
        yield html[begin : match.start()], match if name else None
        at = begin = match.end()
        if name in RAW and not match["end"] and not match["rest"].endswith("/"):
            ends = re.compile(rf"</{name}(?=[\s/>])", re.IGNORECASE).search(html, at)
            at = begin = ends.start() if ends else len(html)
    yield html[begin:], None


def _plain(text: str) -> str:
    """Return text with its character references resolved."""
    return unescape(HUGE_REFERENCE.sub("\ufffd", text) if "&#" in text else text)


def _attributes(rest: str) -> dict[str, str]:
    return {match[1].lower(): _plain(match[2] or match[3] or match[4] or "") for match in ATTRIBUTE.finditer(rest)}


class _Cleaner:
    """Takes texts and tags in turn and keeps what is on the list."""

    def __init__(self) -> None:
        self._out: list[str] = []
        self._open: list[str] = []
        self._silent: str | None = None
        self._silent_depth = 0
        self._word = 0

    def start(self, tag: str, rest: str) -> None:
        """Take an opening tag; one that closes itself opens nothing."""
        alone = rest.endswith("/")
        if self._silent:
            self._silent_depth += tag == self._silent and not alone
        elif tag in SINGLE:
            self._out.append(_single(tag, rest))
        elif alone:
            return
        elif tag in SILENT - VOID:
            self._silent, self._silent_depth = tag, 1
        elif tag in ALLOWED and not self._too_deep(tag):
            self._open.append(tag)
            self._out.append(f"<{tag}{_inner_link(tag, rest)}>")

    def end(self, tag: str) -> None:
        """Take a closing tag."""
        if self._silent:
            self._silent_depth -= tag == self._silent
            if self._silent_depth <= 0:
                self._silent = None
        elif tag in self._open:
            while self._open:
                last = self._open.pop()
                self._out.append(f"</{last}>")
                if last == tag:
                    break

    def say(self, text: str) -> None:
        """Take a text between two tags."""
        if self._silent or not text:
            return
        words = _plain(text)
        gap = FIRST_GAP.search(words)
        head = gap.start() if gap else len(words)
        if self._word + head > LONGEST_WORD:  # tags inside a word are no place to break
            self._out.append(BREAK)
            self._word = 0
        self._out.append(escape(break_long_words(words), quote=False))
        self._word = len(words) - 1 - max(words.rfind(space) for space in GAP) if gap else self._word + head

    def _too_deep(self, tag: str) -> bool:
        return len(self._open) >= DEEPEST or (tag in TABLE_PARTS and self._open.count("table") >= DEEPEST_TABLE)

    def result(self) -> str:
        """Return all that was kept, with every open tag closed."""
        closing = [f"</{tag}>" for tag in reversed(self._open)]
        return "".join(self._out + closing)


def _single(tag: str, rest: str) -> str:
    if tag != "img":
        return f"<{tag}>"
    attributes = _attributes(rest)
    source = attributes.get("src", "")
    if DATA_IMAGE.fullmatch(source):
        return f'<img src="{source}">'
    words = attributes.get("alt", "")
    return f"[{escape(break_long_words(words))}]" if words else ""


def _inner_link(tag: str, rest: str) -> str:
    target = _attributes(rest).get("href", "") if tag == "a" else ""
    return f' href="{escape(target)}"' if target.startswith("#") else ""
