"""Fixtures of tests in browsers: browsers shared by the tests of a folder, and screenshots."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

import pytest

from irjudge.web import local_names
from tests.web.browsers import Chromium, Firefox
from tests.web.tasks import AssignedTask, assign_task, disable_guard_time

PICTURES = Path(__file__).parent / "pictures"
HOST = "teacher.example"
NAMES = (HOST, *local_names())


Browser = TypeVar("Browser", Chromium, Firefox)
CHROMIUM, FIREFOX = pytest.StashKey[Chromium](), pytest.StashKey[Firefox]()


@pytest.fixture
def browser(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, slow: None
) -> Chromium:
    """Chromium in which the teacher's host name leads to this machine.

    With `--full`, screenshots are saved.
    """
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

    return shared_browser(request, CHROMIUM, start)


def shared_browser(
    request: pytest.FixtureRequest, key: pytest.StashKey[Browser], start: Callable[[], Browser]
) -> Browser:
    """Return the browser shared by this folder's tests, because starting one takes seconds.

    It is closed after them, since an idle browser uses processor time.
    """
    folder = request.node.getparent(pytest.Dir)
    if key not in folder.stash:
        started = folder.stash[key] = start()

        def close() -> None:
            del folder.stash[key]
            started.quit()

        folder.addfinalizer(close)
    return folder.stash[key]


@pytest.fixture
def firefox(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, slow: None
) -> Iterator[Firefox]:
    """Firefox with empty storage."""
    started = shared_browser(
        request, FIREFOX, lambda: Firefox(tmp_path_factory.mktemp("firefox"), *NAMES)
    )
    yield started
    started.clear_storage()


@pytest.fixture
def device(browser: Chromium) -> Iterator[Chromium]:
    """Chromium with one tab, empty storage and a wide screen."""
    browser.set_screen(1360, 820)
    for left in browser.downloads.glob("*"):
        left.unlink()
    yield browser
    browser.clear_storage()
    browser.read_log()


@pytest.fixture
def chromium(device: Chromium) -> Iterator[Chromium]:
    """The same as `device`, but entries in the browser's log fail the test."""
    yield device
    assert device.read_log() == []


@pytest.fixture(scope="module")
def tides(tmp_path_factory: pytest.TempPathFactory) -> AssignedTask:
    """Twelve documents on two topics, graded from 0 to 3."""
    return assign_task(
        tmp_path_factory.mktemp("tides"),
        change=disable_guard_time,
        instructions="Read **all** of it.",
    )


@pytest.fixture
def snap(chromium: Chromium) -> Callable[[str], None]:
    """Function that saves a screenshot of the page."""

    def take(name: str) -> None:
        chromium.snap(PICTURES / f"{name}.png")

    return take
