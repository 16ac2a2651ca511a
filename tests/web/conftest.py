"""What tests in real browsers share: one Chromium for all of them, and pictures of what it shows."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from irjudge.web.addresses import own_names
from tests.web.browsers import Chromium, Firefox
from tests.web.tasks import Handed, at_once, handed

PICTURES = Path(__file__).parent / "pictures"
HOST = "teacher.example"
NAMES = (HOST, *own_names())


@pytest.fixture(scope="session")
def browser(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chromium]:
    """A start takes seconds, so there is one; the name of the teacher's machine leads to this one. The long form keeps pictures."""
    folder = tmp_path_factory.mktemp("chromium")
    pictures = bool(request.config.getoption("--full"))
    rules = ", ".join(f"MAP {name} 127.0.0.1" for name in NAMES)
    started = Chromium(folder / "profile", folder / "downloads", f"--host-resolver-rules={rules}", pictures=pictures)
    yield started
    started.quit()


@pytest.fixture(scope="session")
def one_firefox(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Firefox]:
    """A start costs three seconds of work."""
    started = Firefox(tmp_path_factory.mktemp("firefox"), *NAMES)
    yield started
    started.quit()


@pytest.fixture
def firefox(one_firefox: Firefox) -> Iterator[Firefox]:
    """The Firefox as new: nothing kept."""
    yield one_firefox
    one_firefox.forget_storage()


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
    return handed(tmp_path_factory.mktemp("tides"), change=at_once, instructions="Read **all** of it.")


@pytest.fixture
def snap(chromium: Chromium) -> Callable[[str], None]:
    """Save a picture of the page, in the light and in the dark."""

    def take(name: str) -> None:
        chromium.snap(PICTURES / f"{name}.png")

    return take
