"""Tests of PDF page images in browsers: offered if included, turned by keys, fitted to screens."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from selenium.webdriver.common.keys import Keys

from irjudge.exchange import WITH_PAGES
from irjudge.model import Document, Topic
from irjudge.web import task as pdf_pages
from tests.numbers_in_text import find_numbers
from tests.pdf_files import make_pdf
from tests.web.browsers import Chromium, Firefox, wait_until
from tests.web.tasks import (
    TOPICS,
    AssignedTask,
    assign_comparison_task,
    assign_task,
    make_documents,
)

PAGES = make_pdf(2)
LOADED = """
const done = arguments[arguments.length - 1], picture = document.querySelector("dialog img");
const told = () => [picture.alt, picture.naturalWidth, picture.naturalHeight];
const look = () => (picture?.complete && picture.naturalWidth ? done(told()) : setTimeout(look, 5));
look();
"""
# The black share of the bar at the bottom of a page: n tenths on page n.
BLACK_SHARE = """
const picture = document.querySelector("dialog img"), canvas = document.createElement("canvas");
[canvas.width, canvas.height] = [picture.naturalWidth, 1];
const context = canvas.getContext("2d");
context.drawImage(picture, 0, 5 - picture.naturalHeight);
const { data } = context.getImageData(0, 0, canvas.width, 1);
return Array.from({ length: canvas.width }, (_, at) => data[4 * at]).filter((red) => red < 128).length / canvas.width;
"""
SHOWN = (
    "const part = document.querySelector(arguments[0]); return Boolean(part && part.offsetParent)"
)
INSIDE = """
const parts = [...document.querySelectorAll("dialog, dialog *")].filter((part) => part.offsetParent !== null);
const boxes = parts.map((part) => part.getBoundingClientRect());
return boxes.every(({ left, right }) => left >= 0 && right <= innerWidth) && document.documentElement.scrollWidth <= innerWidth;
"""


def make_scans(topic: Topic, count: int) -> list[Document]:
    """Return documents of which the first is a scan of five pages."""
    first, *others = make_documents(topic, count)
    return [replace(first, pdf=make_pdf(5, (4.0, 5.0))), *others]


@pytest.fixture(scope="module")
def scan_task(tmp_path_factory: pytest.TempPathFactory) -> AssignedTask:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pdf_pages, "MAX_PAGES", 4)
        return assign_task(
            tmp_path_factory.mktemp("scans"),
            [make_scans(TOPICS[0], 3)],
            topics=TOPICS[:1],
            form=WITH_PAGES,
        )


def go_to_scan(browser: Chromium | Firefox, *, other: bool = False) -> None:
    """Skip until the scan, or another document, is shown."""
    wait_until(
        lambda: (browser.text(".sheet h1") == "Paper 0 on 051") is not other or browser.press("s")
    )


def test_the_pages_of_a_scan_are_shown_and_turned_by_keys(
    chromium: Chromium, scan_task: AssignedTask, snap: Callable[[str], None]
) -> None:
    chromium.open(scan_task.page)
    go_to_scan(chromium)
    assert (
        chromium.js(SHOWN, ".show-pages")
        and chromium.text(".show-pages") == "Show pages as imagesP"
    )
    chromium.press("p")
    assert (
        chromium.run_async(LOADED) == ["Page 1 of 5", 1000, 1250]
        and round(chromium.js(BLACK_SHARE), 1) == 0.1
    )
    assert (
        chromium.text("dialog h2") == "Paper 0 on 051"
        and chromium.js("return document.activeElement.className") == "page-frame"
    )
    chromium.press(Keys.ARROW_RIGHT, "2")
    assert (
        chromium.run_async(LOADED)[0] == chromium.text("dialog [role=status]") == "Page 2 of 5"
        and round(chromium.js(BLACK_SHARE), 1) == 0.2
    )
    chromium.press(*[Keys.ARROW_RIGHT] * 5)
    assert chromium.run_async(LOADED)[0] == "Page 4 of 5"
    assert find_numbers(chromium.text("dialog .turning > :last-child")) == ["1", "4"], (
        "as many as the file has"
    )
    assert chromium.js(
        "return [...document.querySelectorAll('dialog .turning button')].map((each) => each.disabled)"
    ) == [False, True]
    chromium.click_button("Previous page")
    assert chromium.run_async(LOADED)[0] == "Page 3 of 5"
    snap("pages")
    chromium.press(Keys.ESCAPE)
    assert not chromium.js(SHOWN, "dialog") and chromium.js(
        "return document.activeElement.matches('.paper')"
    )
    assert {action["kind"] for action in chromium.stored_actions()} <= {"skip"}, (
        "a digit grades nothing while pages are shown"
    )
    chromium.click(".show-pages")
    assert chromium.run_async(LOADED)[0] == "Page 1 of 5", "it can be opened again"


def test_without_page_images_none_are_offered(
    chromium: Chromium, scan_task: AssignedTask, tides: AssignedTask
) -> None:
    chromium.open(scan_task.page)
    go_to_scan(chromium, other=True)
    chromium.press("p")
    assert not chromium.js(SHOWN, ".show-pages") and chromium.message
    chromium.press("?")
    assert chromium.js(SHOWN, "[data-action=pages]")
    chromium.open(tides.page)
    chromium.press("p", "?")
    assert not chromium.js(SHOWN, ".show-pages") and not chromium.js(SHOWN, "[data-action=pages]")


@pytest.mark.parametrize(
    ("width", "height", "dark"), [(390, 760, False), (800, 600, True), (1360, 820, True)]
)
def test_pages_fit_every_screen(
    chromium: Chromium,
    scan_task: AssignedTask,
    snap: Callable[[str], None],
    width: int,
    height: int,
    dark: bool,
) -> None:
    chromium.set_screen(width, height, touch=width < 400, dark=dark)
    chromium.open(scan_task.page)
    go_to_scan(chromium)
    snap(f"pages-button-{width}")
    chromium.click(".show-pages")
    chromium.run_async(LOADED)
    snap(f"pages-{width}")
    assert chromium.js(INSIDE)
    assert chromium.js("return document.querySelector('.page-frame').clientHeight") > height / 3


def write_scan_comparison(folder: Path, *, pairs: bool) -> Path:
    """Write a page that compares documents which all have page images."""
    documents = [[replace(each, pdf=PAGES) for each in make_documents(topic)] for topic in TOPICS]
    return assign_comparison_task(folder, pairs=pairs, documents=documents, form=WITH_PAGES).page


def test_an_opened_result_shows_its_pages(chromium: Chromium, tmp_path: Path) -> None:
    chromium.open(write_scan_comparison(tmp_path / "lists", pairs=False))
    chromium.press("o")
    chromium.click(".opened-result .show-pages")
    assert chromium.run_async(LOADED)[0] == "Page 1 of 2"
    chromium.press(Keys.ESCAPE)
    assert chromium.js(SHOWN, ".opened-result .paper"), "Escape closes the pages alone"


def test_each_document_of_a_pair_shows_its_pages(
    chromium: Chromium, tmp_path: Path, snap: Callable[[str], None]
) -> None:
    chromium.open(write_scan_comparison(tmp_path / "pairs", pairs=True))
    snap("pages-pair")
    for side in range(2):
        chromium.js(
            "document.querySelectorAll('.side-head .show-pages')[arguments[0]].click()", side
        )
        assert chromium.run_async(LOADED)[0] == "Page 1 of 2"
        chromium.press(Keys.ESCAPE)
    assert chromium.stored_actions() == []


def test_firefox_shows_page_images_too(firefox: Firefox, scan_task: AssignedTask) -> None:
    firefox.open(scan_task.page)
    go_to_scan(firefox)
    firefox.press("p")
    assert firefox.run_async(LOADED) == ["Page 1 of 5", 1000, 1250]
