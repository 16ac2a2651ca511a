"""Parsing of browser pages as far as tests need it."""

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

from irjudge.store import Project
from irjudge.web import own_assignment
from irjudge.web.task import make_task


def parse_task(page: str) -> dict[str, Any]:
    """Return the task embedded in a page."""
    match = re.search('<script type="application/json" id="task">(.*?)</script>', page, re.DOTALL)
    assert match
    task: dict[str, Any] = json.loads(match[1])
    return task


def read_task(path: Path) -> dict[str, Any]:
    return parse_task(path.read_text(encoding="utf-8"))


class PageParser(HTMLParser):
    """Collects text nodes and tags; drops the line feed after <pre>, as HTML requires."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.text, self.tags, self._pre = "", list[tuple[str, dict[str, str | None]]](), False
        self.open: list[str] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        self._pre = tag == "pre"
        if tag not in ("br", "hr", "img"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag
        self._pre = False

    def handle_data(self, data: str) -> None:
        self.text += data.removeprefix("\n") if self._pre else data
        self._pre = False


def pieces_at(text: str, flat: list[int]) -> list[str]:
    """Return the pieces of a text at positions counted in UTF-16 units."""
    wide = text.encode("utf-16-le")
    return [
        wide[2 * begin : 2 * end].decode("utf-16-le")
        for begin, end in zip(flat[::2], flat[1::2], strict=True)
    ]


def make_task_of(project: Project, *, file: str = "") -> dict[str, Any]:
    """Return the task of an assessor's file."""
    own = own_assignment(project)
    return make_task(project, own, project.assignments.items(own.code), file=file)
