"""Fixture of the session page of a window with a project."""

from collections.abc import Iterator

import pytest

from irjudge_ui.pages.session.session import SessionView
from irjudge_ui.window import Window


@pytest.fixture
def first_page() -> str:
    return "session"


@pytest.fixture
def page(open_window: Window) -> Iterator[SessionView]:
    view = open_window.pages.view("session")
    assert isinstance(view, SessionView)
    yield view
    open_window.close_project()
