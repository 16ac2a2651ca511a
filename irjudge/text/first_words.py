"""What a document without a title is recognised by: the words it begins with."""

import re
from html import unescape

from irjudge.model.document import Kind
from irjudge.text.sanitize import title_of

LONGEST = 80  # characters
FAR = 400  # characters of a line, blanks among them, that are looked at
OF_A_TEXT, OF_A_PAGE = 400, 2000  # bytes that are enough; the words of an HTML page come after its head

SILENT = re.compile(r"<!--.*?(?:-->|\Z)|<(script|style|head|template|svg)\b.*?(?:</\1\s*>|\Z)", re.IGNORECASE | re.DOTALL)
INLINE = re.compile(
    r"</?(?:a|abbr|b|big|cite|code|em|font|i|kbd|mark|q|s|small|span|strong|sub|sup|tt|u|var)\b[^<>]*(?:>|\Z)", re.IGNORECASE
)
TAG = re.compile(r"<[/!?A-Za-z][^<>]*(?:>|\Z)")
SIGNS = re.compile(r"\s*(?:#{1,6}\s+|>\s?|[-*+]\s+|[-=_*~`]{3,}\s*\Z)+")  # of a Markdown line: heading, quotation, list, rule
FORMS = re.compile(r"!?\[([^\]]*)\]\([^)]*\)|[*`]")


def first_words(head: bytes, kind: Kind) -> str:
    """Return the first line with words, cut to 80 characters; an HTML page's title where it has one; nothing for an image.

    Parameters
    ----------
    head
        The first bytes of a body, `OF_A_TEXT` or `OF_A_PAGE` of them; the last character may be cut through.
    kind
        How the body is to be read.

    Examples
    --------
    >>> first_words(b"\\n  Tides   of\\tthe sea\\nrise twice", "text"), first_words(b"<p class=x>The <b>moon</b><p>and", "html")
    ('Tides of the sea', 'The moon')
    """
    if kind == "image":
        return ""
    text = head.decode("utf-8", "ignore")
    if kind == "html":
        title, text = title_of(text), _plain(text)
        text = f"{title}\n{text}"
    for line in text.splitlines():
        words = " ".join(_unmarked(line) if kind == "markdown" else line.lstrip()[:FAR].split())
        if any(map(str.isalnum, words)):
            return words if len(words) <= LONGEST else words[: LONGEST - 1].rstrip() + "…"
    return ""


def _unmarked(line: str) -> list[str]:
    """Return the words of a line of Markdown without the signs of its form."""
    signs = SIGNS.match(line)
    return FORMS.sub(r"\1", line[signs.end() if signs else 0 :][:FAR]).split()


def _plain(html: str) -> str:
    """Return the words of a page's beginning, a line for each block; a tag that is cut off is none."""
    lines = html.replace("\n", " ").replace("\r", " ")  # a line of the source is none of the page
    return unescape(TAG.sub("\n", INLINE.sub("", SILENT.sub("\n", lines))))
