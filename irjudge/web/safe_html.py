"""Documents as harmless HTML, and the Content-Security-Policy."""

import re
from base64 import b64encode
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from html import escape, unescape

from irjudge.errors import Cancelled
from irjudge.model import Document
from irjudge.text import BLOCKS, to_slices

# Documents as a browser shows them: harmless HTML in pieces, and the text that places in it are counted in.

# Signs of a picture's file, and how a browser calls it.
IMAGE_SIGNATURES = (
    (b"\x89PNG\r\n\x1a\n", "png"),
    (b"\xff\xd8\xff", "jpeg"),
    (b"GIF8", "gif"),
    (b"BM", "bmp"),
    (b"RIFF", "webp"),
)
CONTINUED = (
    '<p style="margin-bottom:0px">'  # the policy of the page lets no style attribute through
)
EMPTY = "<p><i>This document is empty.</i></p>"
_TOKEN = re.compile(r"<(/?)([a-z0-9]++)([^<>]*+)>|([^<]++)")
_HREF = re.compile(r' href="([^"]*)"')
_ID = re.compile(r' id="([^"]*)"')
_CLEAN = str.maketrans(
    {"\r": "\n", "\0": "\ufffd"}
)  # what a browser reads otherwise than it was written


@dataclass(frozen=True, slots=True)
class BrowserDocument:
    """A document for a browser."""

    # HTML with every tag closed, at least one; one behind the other they are the document. No piece loads, runs or leads anywhere: a link
    # to the outside keeps its address as `data-link`.
    pieces: tuple[str, ...]
    text: str  # the text nodes of all pieces in their order, with a line's end between blocks


def to_browser_document(
    document: Document, prefix: str, is_cancelled: Callable[[], bool] = lambda: False
) -> BrowserDocument:
    """Return a document for a browser; raise `Cancelled` between two slices where that is asked for.

    >>> to_browser_document(Document("d1", b"<p id=x>Tide<br>and <a href='http://x.org'>moon</a>", "", "html"), "c0-").pieces
    ('<p id="c0-x">Tide<br>\\nand <a data-link="http://x.org">moon</a></p>\\n',)
    """
    slices = [_image_html(document)] if document.kind == "image" else to_slices(document)
    texts: list[str] = []
    pieces = []
    for html in slices:
        if is_cancelled():
            raise Cancelled
        pieces.append(_sanitize_slice(html, prefix, texts))
    return BrowserDocument(tuple(pieces), "".join(texts))


def _image_html(document: Document) -> str:
    title, address = escape(document.title), image_data_url(document.body)
    heading = f"<h1>{title}</h1>" if title else ""
    if not address:
        return f"{heading}<p><i>This picture is damaged.</i></p>"
    return f'{heading}<p><img src="{address}" alt="{title}"></p>'


def image_data_url(data: bytes) -> str:
    """Return a picture as an address that holds all of it; empty for what is none."""
    form = next((name for sign, name in IMAGE_SIGNATURES if data.startswith(sign)), "")
    return f"data:image/{form};base64,{b64encode(data).decode()}" if form else ""


def _sanitize_slice(html: str, prefix: str, texts: list[str]) -> str:
    """Return a slice as it goes into the page, and add its text nodes to `texts`."""
    html = html.replace(CONTINUED, '<p class="continued">').replace(
        EMPTY, f'<p class="empty">{EMPTY[6:-8]}</p>'
    )
    out: list[str] = []

    def end_line() -> None:
        out.append("\n")
        texts.append("\n")

    for match in _TOKEN.finditer(html):
        end, name, rest, words = match.groups()
        if words is not None:
            words = words.translate(_CLEAN)
            out.append(words)
            texts.append(unescape(words) if "&" in words else words)
            continue
        block = name in BLOCKS
        if block and not end and texts and not texts[-1].endswith("\n"):
            end_line()
        out.append(f"<{end}{name}{_sanitize_attributes(name, rest, prefix)}>" if rest else match[0])
        if name == "pre" and not end:
            out.append(
                "\n"
            )  # a browser leaves out the line's end that a <pre> begins with: this one
        if (block and end) or name in ("br", "hr"):
            end_line()
    return "".join(out)


def _sanitize_attributes(name: str, rest: str, prefix: str) -> str:
    if name == "a":
        rest = _HREF.sub(
            lambda found: (
                f' href="#{prefix}{found[1][1:]}"'
                if found[1][:1] == "#"
                else f' data-link="{found[1]}"'
            ),
            rest,
        )
    return _ID.sub(lambda found: f' id="{prefix}{found[1]}"', rest)


# The Content-Security-Policy of all that a browser gets from us: answers, pages of a session, files that judge, and reports.

# No page runs or loads what it did not come with; what runs and what is shown is named by its hash, and nothing comes from the network.
FILE_POLICY = "default-src 'none'; script-src '{}'; style-src '{}'; img-src data:; base-uri 'none'; form-action 'none'"
SESSION_POLICY = (
    f"{FILE_POLICY}; connect-src 'self'"  # of a page that a session serves: it speaks to its server
)
REPORT_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:"  # of what nothing runs in
)
NO_FRAMES = "frame-ancestors 'none'"  # a browser heeds it in a header only
RESPONSE_POLICY = f"default-src 'none'; {NO_FRAMES}"  # of what is no page


def fill_policy(policy: str, script: str, style: str) -> str:
    """Return a policy that lets a page run one script and show one style."""
    return policy.format(_hash_source(script), _hash_source(style))


def _hash_source(text: str) -> str:
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"
