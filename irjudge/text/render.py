"""Turns a document into the HTML that the screen shows."""

import re
from html import escape

from markdown_it import MarkdownIt

from irjudge.model.document import Document
from irjudge.text.sanitize import break_long_words, sanitize, title_of

PARAGRAPHS = re.compile(r"\n[ \t]*\n\s*")


def to_html(document: Document) -> str:
    """Return harmless HTML for a document: its title as a heading, then its body.

    Empty bodies give a quiet sentence that says so. Nothing in the result loads anything.
    """
    title, body = title_and_body(document)
    heading = f"<h1>{escape(title)}</h1>" if title else ""
    return heading + (body if body.strip() else "<p><i>This document is empty.</i></p>")


def title_and_body(document: Document) -> tuple[str, str]:
    """Return the title as text and the body as harmless HTML."""
    text = document.text
    if document.kind == "html":
        return document.title or title_of(text), sanitize(text)
    if document.kind == "markdown":
        return document.title, sanitize(MarkdownIt("commonmark").enable("table").render(text))
    lines = text.replace("\r\n", "\n").replace("\r", "\n").strip()
    return document.title, "".join(f"<p>{_lines(part)}</p>" for part in PARAGRAPHS.split(lines) if part)


def _lines(paragraph: str) -> str:
    return escape(break_long_words(paragraph), quote=False).replace("\n", "<br>")
