"""Pages of PDF documents in a real browser: shown as pictures where the file carries them, turned by keys, on screens of every size."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from selenium.webdriver.common.keys import Keys

from irjudge.exchange import WITH_PAGES
from irjudge.model import Document, Topic
from irjudge.web import task as pdf_pages
from tests.numbers_in import numbers_in
from tests.scans import make_pdf
from tests.web.browsers import Chromium, Firefox, wait_until
from tests.web.tasks import TOPICS, Handed, compared, handed, plain

PAGES = make_pdf(2)
LOADED = """
const done = arguments[arguments.length - 1], picture = document.querySelector("dialog img");
const told = () => [picture.alt, picture.naturalWidth, picture.naturalHeight];
const look = () => (picture?.complete && picture.naturalWidth ? done(told()) : setTimeout(look, 5));
look();
"""
# Which share of the bar at the foot of a page is black: n tenths on page n.
BLACK = """
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


def scans(topic: Topic, count: int) -> list[Document]:
    """Documents of which the first is a scan of five pages."""
    first, *others = plain(topic, count)
    return [replace(first, pdf=make_pdf(5, (4.0, 5.0))), *others]


@pytest.fixture(scope="module")
def scanned(tmp_path_factory: pytest.TempPathFactory) -> Handed:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pdf_pages, "MAX_PAGES", 4)
        return handed(
            tmp_path_factory.mktemp("scans"),
            [scans(TOPICS[0], 3)],
            topics=TOPICS[:1],
            form=WITH_PAGES,
        )


def go_to_scan(browser: Chromium | Firefox, *, other: bool = False) -> None:
    """Skip until the scan is on the desk, or another document."""
    wait_until(
        lambda: (browser.text(".sheet h1") == "Paper 0 on 051") is not other or browser.press("s")
    )


def test_the_pages_of_a_scan_are_shown_and_turned_by_keys(
    chromium: Chromium, scanned: Handed, snap: Callable[[str], None]
) -> None:
    chromium.open(scanned.page)
    go_to_scan(chromium)
    assert (
        chromium.js(SHOWN, ".show-pages")
        and chromium.text(".show-pages") == "Show pages as imagesP"
    )
    chromium.press("p")
    assert (
        chromium.later(LOADED) == ["Page 1 of 5", 1000, 1250]
        and round(chromium.js(BLACK), 1) == 0.1
    )
    assert (
        chromium.text("dialog h2") == "Paper 0 on 051"
        and chromium.js("return document.activeElement.className") == "page-frame"
    )
    chromium.press(Keys.ARROW_RIGHT, "2")
    assert (
        chromium.later(LOADED)[0] == chromium.text("dialog [role=status]") == "Page 2 of 5"
        and round(chromium.js(BLACK), 1) == 0.2
    )
    chromium.press(*[Keys.ARROW_RIGHT] * 5)
    assert chromium.later(LOADED)[0] == "Page 4 of 5"
    assert numbers_in(chromium.text("dialog .turning > :last-child")) == ["1", "4"], (
        "as many as the file has"
    )
    assert chromium.js(
        "return [...document.querySelectorAll('dialog .turning button')].map((each) => each.disabled)"
    ) == [False, True]
    chromium.button("Previous page")
    assert chromium.later(LOADED)[0] == "Page 3 of 5"
    snap("pages")
    chromium.press(Keys.ESCAPE)
    assert not chromium.js(SHOWN, "dialog") and chromium.js(
        "return document.activeElement.matches('.paper')"
    )
    assert {action["kind"] for action in chromium.kept()} <= {"skip"}, (
        "a digit grades nothing while pages are shown"
    )
    chromium.click(".show-pages")
    assert chromium.later(LOADED)[0] == "Page 1 of 5", "it can be opened again"


def test_where_there_are_no_pages_nothing_offers_them(
    chromium: Chromium, scanned: Handed, tides: Handed
) -> None:
    chromium.open(scanned.page)
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
    scanned: Handed,
    snap: Callable[[str], None],
    width: int,
    height: int,
    dark: bool,
) -> None:
    chromium.size(width, height, touch=width < 400, dark=dark)
    chromium.open(scanned.page)
    go_to_scan(chromium)
    snap(f"pages-button-{width}")
    chromium.click(".show-pages")
    chromium.later(LOADED)
    snap(f"pages-{width}")
    assert chromium.js(INSIDE)
    assert chromium.js("return document.querySelector('.page-frame').clientHeight") > height / 3


def of_scans(folder: Path, *, pairs: bool) -> Path:
    """The page of a comparison of documents that all have pages."""
    documents = [[replace(each, pdf=PAGES) for each in plain(topic)] for topic in TOPICS]
    return compared(folder, pairs=pairs, documents=documents, form=WITH_PAGES).page


def test_a_result_that_is_opened_shows_its_pages(chromium: Chromium, tmp_path: Path) -> None:
    chromium.open(of_scans(tmp_path / "lists", pairs=False))
    chromium.press("o")
    chromium.click(".opened-result .show-pages")
    assert chromium.later(LOADED)[0] == "Page 1 of 2"
    chromium.press(Keys.ESCAPE)
    assert chromium.js(SHOWN, ".opened-result .paper"), "Escape closes the pages alone"


def test_each_document_of_a_pair_shows_its_pages(
    chromium: Chromium, tmp_path: Path, snap: Callable[[str], None]
) -> None:
    chromium.open(of_scans(tmp_path / "pairs", pairs=True))
    snap("pages-pair")
    for side in range(2):
        chromium.js(
            "document.querySelectorAll('.side-head .show-pages')[arguments[0]].click()", side
        )
        assert chromium.later(LOADED)[0] == "Page 1 of 2"
        chromium.press(Keys.ESCAPE)
    assert chromium.kept() == []


def test_firefox_shows_them_too(firefox: Firefox, scanned: Handed) -> None:
    firefox.open(scanned.page)
    go_to_scan(firefox)
    firefox.press("p")
    assert firefox.later(LOADED) == ["Page 1 of 5", 1000, 1250]
