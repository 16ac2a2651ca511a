"""Conversion of documents to safe HTML, and Content-Security-Policies."""

import re
from base64 import b64encode
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from html import escape, unescape

from irjudge.errors import Cancelled
from irjudge.model import Document
from irjudge.text import BLOCK_TAGS, to_slices

# Conversion of documents to safe HTML

# First bytes of image files, with the media subtype of the file
IMAGE_SIGNATURES = (
    (b"\x89PNG\r\n\x1a\n", "png"),
    (b"\xff\xd8\xff", "jpeg"),
    (b"GIF8", "gif"),
    (b"BM", "bmp"),
    (b"RIFF", "webp"),
)
# Start tag of a paragraph that is continued in the next part. Pages use a class instead of the
# style attribute, since their Content-Security-Policy forbids style attributes.
CONTINUED_PARAGRAPH = '<p style="margin-bottom:0px">'
EMPTY_DOCUMENT_HTML = "<p><i>This document is empty.</i></p>"
_TOKEN = re.compile(r"<(/?)([a-z0-9]++)([^<>]*+)>|([^<]++)")
_HREF = re.compile(r' href="([^"]*)"')
_ID = re.compile(r' id="([^"]*)"')
# characters that HTML parsers replace, and their replacements
_CLEAN = str.maketrans({"\r": "\n", "\0": "\ufffd"})


@dataclass(frozen=True, slots=True)
class BrowserDocument:
    """Document for the browser page: safe HTML, and its text.

    The positions of query terms, which the page highlights, are offsets in the text.
    """

    # consecutive parts of the HTML, each with balanced tags. The parts load and run nothing; the
    # address of an external link is in `data-link`.
    parts: tuple[str, ...]
    text: str  # text nodes of all parts, with newlines between blocks


def to_browser_document(
    document: Document, prefix: str, is_cancelled: Callable[[], bool] = lambda: False
) -> BrowserDocument:
    """Convert a document to safe HTML; raise `Cancelled` if `is_cancelled` returns True.

    >>> to_browser_document(Document("d1", b"<p id=x>Tide<br>and <a href='http://x.org'>moon</a>", "", "html"), "c0-").parts
    ('<p id="c0-x">Tide<br>\\nand <a data-link="http://x.org">moon</a></p>\\n',)
    """
    slices = [_make_image_html(document)] if document.kind == "image" else to_slices(document)
    texts: list[str] = []
    html_parts = []
    for html in slices:
        if is_cancelled():
            raise Cancelled
        html_parts.append(_sanitize_slice(html, prefix, texts))
    return BrowserDocument(tuple(html_parts), "".join(texts))


def _make_image_html(document: Document) -> str:
    title, address = escape(document.title), image_data_url(document.body)
    heading = f"<h1>{title}</h1>" if title else ""
    if not address:
        return f"{heading}<p><i>This picture is damaged.</i></p>"
    return f'{heading}<p><img src="{address}" alt="{title}"></p>'


def image_data_url(data: bytes) -> str:
    """Return an image as a data URL; empty if the format is not supported."""
    subtype = next((name for signature, name in IMAGE_SIGNATURES if data.startswith(signature)), "")
    return f"data:image/{subtype};base64,{b64encode(data).decode()}" if subtype else ""


def _sanitize_slice(html: str, prefix: str, texts: list[str]) -> str:
    html = html.replace(CONTINUED_PARAGRAPH, '<p class="continued">').replace(
        EMPTY_DOCUMENT_HTML, f'<p class="empty">{EMPTY_DOCUMENT_HTML[6:-8]}</p>'
    )
    parts: list[str] = []

    def end_line() -> None:
        parts.append("\n")
        texts.append("\n")

    for match in _TOKEN.finditer(html):
        end, name, attributes, text = match.groups()
        if text is not None:
            text = text.translate(_CLEAN)
            parts.append(text)
            texts.append(unescape(text) if "&" in text else text)
            continue
        is_block = name in BLOCK_TAGS
        if is_block and not end and texts and not texts[-1].endswith("\n"):
            end_line()
        parts.append(
            f"<{end}{name}{_sanitize_attributes(name, attributes, prefix)}>"
            if attributes
            else match[0]
        )
        if name == "pre" and not end:
            parts.append("\n")  # HTML parsers ignore the first newline of a <pre>
        if (is_block and end) or name in ("br", "hr"):
            end_line()
    return "".join(parts)


def _sanitize_attributes(name: str, attributes: str, prefix: str) -> str:
    if name == "a":
        attributes = _HREF.sub(
            lambda match: (
                f' href="#{prefix}{match[1][1:]}"'
                if match[1][:1] == "#"
                else f' data-link="{match[1]}"'
            ),
            attributes,
        )
    return _ID.sub(lambda match: f' id="{prefix}{match[1]}"', attributes)


# Content-Security-Policy of responses, pages, files and reports

# Policy of pages in files. It allows no content from the network, and only the script and the style
# sheet with the given hashes.
FILE_POLICY = "default-src 'none'; script-src '{}'; style-src '{}'; img-src data:; base-uri 'none'; form-action 'none'"
# policy of the pages of a session, which may connect to their server
SESSION_POLICY = f"{FILE_POLICY}; connect-src 'self'"
REPORT_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"  # no scripts
NO_FRAMES = "frame-ancestors 'none'"  # effective only in a header, not in a <meta> element
RESPONSE_POLICY = f"default-src 'none'; {NO_FRAMES}"  # policy of responses other than pages


def fill_policy(policy: str, script: str, style: str) -> str:
    """Return `policy` with the hashes of the only script and style sheet that it allows."""
    return policy.format(_hash_source(script), _hash_source(style))


def _hash_source(text: str) -> str:
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"
