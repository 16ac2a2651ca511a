"""What tests in real browsers share: one Chromium a module, and pictures of what it shows."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.web.browsers import Chromium
from tests.web.tasks import Handed, at_once, handed

PICTURES = Path(__file__).parent / "pictures"


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chromium]:
    folder = tmp_path_factory.mktemp("chromium")
    started = Chromium(folder / "profile", folder / "downloads")
    yield started
    started.quit()


@pytest.fixture
def chromium(browser: Chromium) -> Iterator[Chromium]:
    """The module's Chromium as new: nothing kept, a wide screen; what it complains of fails the test."""
    browser.size(1360, 820)
    for left in browser.downloads.glob("*"):
        left.unlink()
    yield browser
    complaints = browser.complaints()
    browser.forget_storage()
    browser.complaints()
    assert complaints == []


@pytest.fixture(scope="module")
def tides(tmp_path_factory: pytest.TempPathFactory) -> Handed:
    """Twelve documents on two topics, to be graded from 0 to 3."""
    return handed(tmp_path_factory.mktemp("tides"), change=at_once, instructions="Read **all** of it.")


@pytest.fixture
def snap(chromium: Chromium) -> Callable[[str], None]:
    """Save a picture of the page, in the light and in the dark."""

    def take(name: str) -> None:
        chromium.snap(PICTURES / f"{name}.png")

    return take
