"""Tests of several documents on one browser page: focus, grading, and the recorded presentation."""

from pathlib import Path
from typing import Any

from selenium.webdriver.common.keys import Keys

from irjudge.exchange import AssignmentOptions, merge_files
from irjudge.model import Document, PageSeen
from irjudge.store import open_project
from tests.web.browsers import Chromium
from tests.web.tasks import TOPICS, assign_task, disable_guard_time, make_documents

PAGE = """
const cards = [...document.querySelectorAll(".several-card")], focused = cards.filter((card) => card.getAttribute("aria-current"));
const top = document.querySelector(".several").getBoundingClientRect().top;
return {
  titles: cards.map((card) => card.querySelector(".paper:not([hidden]) h1").textContent),
  focused: focused.map((card) => cards.indexOf(card)),
  paper: cards.indexOf(document.activeElement.closest(".several-card")),
  names: cards.map((card) => card.querySelector("button").getAttribute("aria-label")),
  tops: cards.map((card) => Math.round(card.getBoundingClientRect().top - top + document.querySelector(".several").scrollTop)),
  hits: CSS.highlights.get("irjudge-hit")?.size ?? 0,
  wide: document.documentElement.scrollWidth > document.documentElement.clientWidth,
};
"""
CLICK = "document.querySelectorAll('.several-card')[arguments[0]].querySelector('.paper').click()"


def page(browser: Chromium) -> dict[str, Any]:
    shown: dict[str, Any] = browser.js(PAGE)
    return shown


def products(count: int) -> list[Document]:
    text = "A shoe for rain, mud and the tides. "
    return [
        Document(
            f"p{index}",
            (text * (60 if index == 2 else 1)).encode(),
            f"Shoe {index}",
            fields=(("price", f"{index}.50"),),
        )
        for index in range(count)
    ]


def test_one_of_several_has_the_focus_and_the_shown_documents_are_recorded(
    chromium: Chromium, tmp_path: Path
) -> None:
    browser = chromium
    browser.set_screen(1360, 560)
    options = AssignmentOptions(overlap=1, seed=5, several=4)
    made = assign_task(
        tmp_path,
        [products(7), make_documents(TOPICS[1])],
        options=options,
        change=disable_guard_time,
    )
    browser.open(made.page)
    first = page(browser)
    assert (
        len(first["titles"]) == 4
        and first["focused"] == [0] == [first["paper"]]
        and first["hits"] >= 4
    )
    browser.press("2")
    graded = page(browser)
    assert (
        graded["focused"] == [1] == [graded["paper"]]
        and graded["titles"] == first["titles"]
        and graded["tops"] == first["tops"]
    )
    assert graded["names"][0] == f"1 of 4, {first['titles'][0]}, 2 Relevant" and graded["names"][
        1
    ].endswith("current document")
    browser.press(Keys.DOWN, hold=(Keys.ALT,))
    browser.press("n", *"late", Keys.ENTER, "s")
    browser.js(CLICK, 0)
    browser.wait_until_idle()
    browser.press("3")
    assert page(browser)["focused"] == [1], (
        "after a changed grade the next open document has the focus"
    )
    browser.press("1")
    browser.press_control("z")
    assert page(browser)["focused"] == [1]
    browser.press("1", "0")
    after = page(browser)
    assert (
        after["focused"] == [0]
        and len(after["titles"]) == 3
        and not set(after["titles"]) & set(first["titles"])
    ), "the next page"
    stored_actions = browser.stored_actions()
    order = [title.replace("Shoe ", "p") for title in first["titles"]]
    for action in stored_actions:
        if action["kind"] in ("grade", "skip"):
            assert (
                action["payload"]["page"]["order"] == order
                and action["item"]["documents"][0] in action["payload"]["page"]["visible"]
            )
            assert action["payload"]["active_ms"] >= 0
    assert 1 <= len(stored_actions[0]["payload"]["page"]["visible"]) < 4, (
        "the last ones are below the view"
    )
    browser.press("i")
    assert not browser.js("return document.querySelector('.several').childElementCount")
    browser.press("1", "i")
    assert page(browser)["focused"] == [1]
    browser.set_screen(360, 640, touch=True)
    phone = page(browser)
    assert not phone["wide"] and phone["tops"] == sorted(set(phone["tops"])), "one below another"
    heights = browser.js(
        "return [...document.querySelectorAll('.several-head')].map((each) => each.offsetHeight)"
    )
    assert min(heights) >= 44
    browser.set_screen(683, 384)
    assert not page(browser)["wide"]
    browser.set_screen(1360, 820)
    browser.press_control("s")
    result = browser.wait_for_download("ann.result.json")
    with open_project(made.project) as project:
        (report,) = merge_files(project, [result]).reports
        stand = {
            event.item.documents[0]: event
            for event in project.events.read()
            if event.kind == "grade"
        }
    assert report.rejected == 0 and report.new + report.superseded == report.read == len(
        browser.stored_actions()
    )
    assert (
        PageSeen.from_payload(stand[order[0]].payload) is not None
        and stand[order[0]].payload["value"] == 3
    )
    assert sum(PageSeen.from_payload(event.payload) is None for event in stand.values()) == 1, (
        "the one that stood alone"
    )
    assert browser.read_log() == []


RESTING = """
const box = (name) => document.querySelector(name).getBoundingClientRect();
const [state, middle] = [box(".state"), box(".middle")], cards = document.querySelector(".several");
return {
  list: Boolean(cards.offsetParent),
  off: Math.abs((state.top + state.bottom) / 2 - (middle.top + middle.bottom) / 2),
  top: state.top - middle.top,
  background: getComputedStyle(document.querySelector(".middle")).backgroundColor,
};
"""


def test_a_typed_note_is_a_draft_after_the_focus_moves_to_another_document(
    chromium: Chromium, tmp_path: Path
) -> None:
    browser, note = chromium, "document.querySelector('.marks input').value"
    options = AssignmentOptions(overlap=1, seed=5, several=4)
    browser.open(assign_task(tmp_path, options=options, change=disable_guard_time).page)
    browser.press("n")
    # without an event, so that the timer which stores drafts does not run before
    browser.js(f"{note} = 'just typed'; {CLICK}", 2)
    browser.wait_until_idle()
    assert page(browser)["focused"] == [2] and browser.js(f"return {note}") == ""
    assert [each["payload"] for each in browser.stored_actions()] == [{"text": "just typed"}]
    browser.js(CLICK, 0)
    browser.wait_until_idle()
    assert browser.js(f"return {note}") == "just typed"
    assert len(browser.stored_actions()) == 1


def test_the_active_time_of_a_document_includes_earlier_focus_until_it_is_judged(
    chromium: Chromium, tmp_path: Path
) -> None:
    browser = chromium
    options = AssignmentOptions(overlap=1, seed=5, several=4)
    browser.open(assign_task(tmp_path, options=options, change=disable_guard_time).page)
    browser.js(
        "const now = performance.now.bind(performance); window.shift = 0; performance.now = () => now() + window.shift"
    )
    pause = "window.shift += arguments[0]; document.querySelector('.grading').dispatchEvent(new Event('wheel'))"
    for focused, milliseconds in ((0, 10_000), (2, 20_000), (0, 10_000)):
        browser.js(CLICK, focused)
        browser.wait_until_idle()
        browser.js(pause, milliseconds)
    browser.press("1")
    browser.js(CLICK, 2)
    browser.wait_until_idle()
    browser.press("2")
    browser.js(CLICK, 0)
    browser.wait_until_idle()
    browser.js("document.activeElement.blur(); window.shift += 5000")
    browser.press("3")
    times = [each["payload"]["active_ms"] // 5000 * 5 for each in browser.stored_actions()]
    assert times == [20, 20, 5]


def test_a_page_without_documents_shows_no_empty_frame_and_is_centred(
    chromium: Chromium, tmp_path: Path
) -> None:
    options = AssignmentOptions(overlap=1, seed=5, several=4)
    made = assign_task(
        tmp_path,
        [products(4), make_documents(TOPICS[1], 1)],
        options=options,
        change=disable_guard_time,
    )
    chromium.set_screen(1360, 820)
    chromium.open(made.page)
    for title in ("Topic done", "All done"):
        while not chromium.js("return !!document.querySelector('main.resting')"):
            chromium.press("2")
        assert chromium.text(".state h1").startswith(title)
        wide = chromium.js(RESTING)
        assert not wide["list"] and wide["off"] < 2 and wide["background"] != "rgba(0, 0, 0, 0)"
        chromium.set_screen(390, 844, touch=True)
        assert chromium.js(RESTING)["top"] < 2
        chromium.set_screen(1360, 820)
        if title == "Topic done":
            chromium.click_button("Next topic")
