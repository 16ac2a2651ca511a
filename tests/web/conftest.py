"""What tests in real browsers share: one Chromium for all of them, and pictures of what it shows."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

import pytest

from irjudge.web import local_names
from tests.web.browsers import Chromium, Firefox
from tests.web.tasks import Handed, at_once, handed

PICTURES = Path(__file__).parent / "pictures"
HOST = "teacher.example"
NAMES = (HOST, *local_names())


Browser = TypeVar("Browser", Chromium, Firefox)
CHROMIUM, FIREFOX = pytest.StashKey[Chromium](), pytest.StashKey[Firefox]()


@pytest.fixture
def browser(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, slow: None
) -> Chromium:
    """The name of the teacher's machine leads to this one. The long form keeps pictures."""
    pictures = bool(request.config.getoption("--full"))
    rules = ", ".join(f"MAP {name} 127.0.0.1" for name in NAMES)

    def start() -> Chromium:
        folder = tmp_path_factory.mktemp("chromium")
        return Chromium(
            folder / "profile",
            folder / "downloads",
            f"--host-resolver-rules={rules}",
            pictures=pictures,
        )

    return kept(request, CHROMIUM, start)


def kept(
    request: pytest.FixtureRequest, key: pytest.StashKey[Browser], start: Callable[[], Browser]
) -> Browser:
    """Return the browser of this folder's tests: a start takes seconds, and one that is left open works on for nothing."""
    folder = request.node.getparent(pytest.Dir)
    if key not in folder.stash:
        started = folder.stash[key] = start()

        def end() -> None:
            del folder.stash[key]
            started.quit()

        folder.addfinalizer(end)
    return folder.stash[key]


@pytest.fixture
def firefox(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, slow: None
) -> Iterator[Firefox]:
    """The Firefox as new: nothing kept."""
    started = kept(request, FIREFOX, lambda: Firefox(tmp_path_factory.mktemp("firefox"), *NAMES))
    yield started
    started.forget_storage()


@pytest.fixture
def device(browser: Chromium) -> Iterator[Chromium]:
    """The Chromium as new: one tab, nothing kept, a wide screen."""
    browser.size(1360, 820)
    for left in browser.downloads.glob("*"):
        left.unlink()
    yield browser
    browser.forget_storage()
    browser.complaints()


@pytest.fixture
def chromium(device: Chromium) -> Iterator[Chromium]:
    """The same; what it complains of fails the test."""
    yield device
    assert device.complaints() == []


@pytest.fixture(scope="module")
def tides(tmp_path_factory: pytest.TempPathFactory) -> Handed:
    """Twelve documents on two topics, to be graded from 0 to 3."""
    return handed(
        tmp_path_factory.mktemp("tides"), change=at_once, instructions="Read **all** of it."
    )


@pytest.fixture
def snap(chromium: Chromium) -> Callable[[str], None]:
    """Save a picture of the page, in the light and in the dark."""

    def take(name: str) -> None:
        chromium.snap(PICTURES / f"{name}.png")

    return take
