"""Tests of the help site in Chromium: accessibility, search, and interactive examples.

`IRJUDGE_SITE` names the folder written by `.ci/site`; without it these tests are skipped.
"""

import http.server
import os
import threading
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from tests.web.browsers import Chromium, wait_until

SITE = os.environ.get("IRJUDGE_SITE", "")
pytestmark = pytest.mark.skipif(not SITE, reason="IRJUDGE_SITE names no folder that .ci/site made")
SERIOUS_VIOLATIONS = """
const done = arguments[arguments.length - 1];
const counts = ({ impact }) => ["serious", "critical"].includes(impact);
axe.run(document, { resultTypes: ["violations"], iframes: false }).then(({ violations }) => done(
  violations.filter(counts).map(({ id, nodes }) => `${id} ${nodes[0].html.slice(0, 150)}`)));
"""
# The site generator shows its search results in a shadow root.
SEARCH_RESULTS = """
const own = (each) => (each.localName === "a" ? [each.innerText] : []);
const inside = (each) => (each.shadowRoot ? words(each.shadowRoot) : []);
const words = (part) => [...part.querySelectorAll("*")].flatMap((each) => [...inside(each), ...own(each)]);
return words(document);
"""


class SilentHandler(http.server.SimpleHTTPRequestHandler):
    """Serves files without logging."""

    def log_message(self, *_words: Any) -> None:
        """Log nothing."""


@pytest.fixture(scope="module")
def site() -> Iterator[str]:
    server = http.server.ThreadingHTTPServer(
        ("127.0.0.1", 0), partial(SilentHandler, directory=SITE)
    )
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def open_page(chromium: Chromium, site: str) -> Callable[..., Chromium]:
    def do(page: str, *, dark: bool = False, width: int = 1366) -> Chromium:
        chromium.set_screen(width, 800, dark=dark)
        chromium.driver.get(f"{site}/{page}")
        chromium.driver.execute_script("localStorage.clear()")
        chromium.driver.get(f"{site}/{page}")
        wait_until(
            lambda: chromium.driver.execute_script("return document.readyState") == "complete"
        )
        return chromium

    return do


@pytest.mark.parametrize(
    "page", ["index.html", "try.html", "first_ten.html", "commands.html", "zh/teachers.html"]
)
@pytest.mark.parametrize(("dark", "width"), [(False, 1366), (True, 390)])
def test_axe_finds_no_serious_problem(
    page: str, dark: bool, width: int, open_page: Callable[..., Chromium]
) -> None:
    driver = open_page(page, dark=dark, width=width).driver
    driver.set_script_timeout(200)
    tools = Path(os.environ["IRJUDGE_WEB_TOOLS"]) / "node_modules" / "axe-core" / "axe.min.js"
    driver.execute_script(tools.read_text(encoding="utf-8"))
    wait_until(lambda: driver.execute_async_script(SERIOUS_VIOLATIONS) == [])
    assert driver.execute_script("return document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize(
    ("start", "typed", "expected"),
    [("index.html", "nDCG", "nDCG"), ("zh/index.html", "归一化折损", "nDCG")],
)
def test_the_search_finds_a_measure(
    start: str, typed: str, expected: str, open_page: Callable[..., Chromium]
) -> None:
    driver = open_page(start).driver
    driver.find_element(By.TAG_NAME, "body").send_keys(Keys.CONTROL, "k")
    driver.switch_to.active_element.send_keys(typed)
    wait_until(
        lambda: any(
            each.strip().startswith(expected) for each in driver.execute_script(SEARCH_RESULTS)
        )
    )


def test_example_values_follow_judging_and_undo(
    open_page: Callable[..., Chromium],
) -> None:
    page = open_page("try.html")
    frame = page.driver.find_element(By.CSS_SELECTOR, ".try-frame")

    def values() -> list[str]:
        return [each.text for each in page.driver.find_elements(By.CSS_SELECTOR, "[data-try*='@']")]

    def in_frame(*keys: str, hold: tuple[str, ...] = ()) -> None:
        page.driver.switch_to.frame(frame)
        page.wait_until_idle()
        page.js("window.focus()")
        page.press(*keys, hold=hold)
        page.driver.switch_to.default_content()

    assert set(values()) == {"–"}
    in_frame(Keys.ENTER)  # closes the instructions
    wait_until(lambda: in_frame("3") or "–" not in values())
    judged = values()
    in_frame("z", hold=(Keys.CONTROL,))
    wait_until(lambda: values() != judged)
