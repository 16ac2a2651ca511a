"""Accessibility tests of the browser page: axe, keyboard, large text, small screens."""

import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from selenium.webdriver.common.keys import Keys

from irjudge.palette import DARK, LIGHT
from tests.lengths import short_or_long
from tests.web.browsers import Chromium, Firefox
from tests.web.tasks import AssignedTask, assign_comparison_task, assign_task, disable_guard_time

# rules affected by the dark colour scheme, which changes nothing else
COLOURS = ["color-contrast", "link-in-text-block"]
AXE_VIOLATIONS = """
const done = arguments[arguments.length - 1], rules = arguments[0];
// The colours of the page behind a dialog are checked in the state without the dialog.
const part = (rules.length && document.querySelector("dialog[open]")) || document;
axe.run(part, { resultTypes: ["violations"], ...(rules.length && { runOnly: rules }) }).then(({ violations }) => done(
  violations
    .flatMap(({ id, nodes }) => nodes.map((node) => id + ": " + node.html.slice(0, 120) + " " + node.failureSummary.slice(0, 200)))));
"""
BACKGROUND = "document.documentElement.dataset.theme = arguments[0]; return getComputedStyle(document.body).backgroundColor;"
# Text that is cut where nothing scrolls, and elements outside the screen.
CUT_ELEMENTS = """
const cut = [];
for (const part of document.querySelectorAll("button, h1, h2, p, label, .meter, .unsaved")) {
  const box = part.getBoundingClientRect();
  const shown = part.offsetParent && box.width && getComputedStyle(part).visibility === "visible";
  const flows = document.documentElement.scrollHeight > innerHeight; // the whole page scrolls: `test_layout` looks at that
  const scrolls = flows || part.closest(".paper, .side-scroll, .inside, .left, .keys, .terms, .topic, .reasons, .resting-place, .sides");
  if (shown && !scrolls && (box.left < -1 || box.right > innerWidth + 1 || box.top < -1 || box.bottom > innerHeight + 1)) {
    cut.push(part.outerHTML.slice(0, 80) + JSON.stringify(box));
  }
}
return document.documentElement.scrollWidth > innerWidth ? ["the page scrolls sideways", ...cut] : cut;
"""


KEY_LINES = """
const seen = (part) => {
  const box = part.getBoundingClientRect(), card = part.closest(".keys").getBoundingClientRect();
  return box.top >= card.top && box.bottom <= card.bottom && box.right <= card.right && card.bottom <= innerHeight;
};
return [...document.querySelectorAll(".keys button")].map(seen);
"""
ENDS = "const box = document.querySelectorAll(arguments[0])[arguments[1]].getBoundingClientRect(); return [box.top, box.bottom]"
SCREENS = short_or_long(
    [(680, 410, False)], [(360, 640, True), (680, 410, False), (800, 600, False)]
)
# How axe is run: dark or light, screen size, and a selection of rules, or all of them.
# The last one is the default view: light, on a wide screen.
AXE_RUNS: list[tuple[bool, int, int, list[str]]] = [
    (True, 320, 256, COLOURS),
    *short_or_long(
        [],
        [
            (True, 844, 390, COLOURS),
            (True, 1360, 820, COLOURS),
            (False, 320, 256, COLOURS),
            (False, 844, 390, COLOURS),
        ],
    ),
    (False, 1360, 820, []),
]
CORNER = "const box = document.querySelector('[data-grade=\"2\"]').getBoundingClientRect(); return [box.x + 9, box.y + 9, box.height]"
CONTROLS = "return [...document.querySelectorAll('main button, main input')].filter((part) => part.offsetParent && !part.disabled).length"


@pytest.fixture(scope="module")
def axe() -> str:
    """The source of axe-core, which npm installs outside the project."""
    path = (
        Path(os.environ.get("IRJUDGE_WEB_TOOLS", "")) / "node_modules" / "axe-core" / "axe.min.js"
    )
    if "IRJUDGE_WEB_TOOLS" not in os.environ or not path.exists():
        sentence = "IRJUDGE_WEB_TOOLS names no folder with axe-core"
        pytest.fail(sentence) if os.environ.get("CI") == "true" else pytest.skip(sentence)
    return path.read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def list_task(tmp_path_factory: pytest.TempPathFactory) -> AssignedTask:
    return assign_comparison_task(tmp_path_factory.mktemp("lists"), change=disable_guard_time)


@pytest.fixture(scope="module")
def pair_task(tmp_path_factory: pytest.TempPathFactory) -> AssignedTask:
    return assign_comparison_task(
        tmp_path_factory.mktemp("pairs"), pairs=True, change=disable_guard_time
    )


def visit_states(
    chromium: Chromium,
    look: Callable[[str], None],
    tides: AssignedTask,
    list_task: AssignedTask,
    pair_task: AssignedTask,
) -> None:
    """Visit every state of the page, and call `look` in each."""
    chromium.open(tides.page, begin=False)
    look("start")
    chromium.press(Keys.ENTER, "2", "u", "n")
    chromium.send_keys("a note")
    chromium.press(Keys.ENTER)
    look("judging")
    for key, name in (("l", "list"), ("?", "shortcuts"), ("x", "reasons")):
        chromium.press(key)
        look(name)
        chromium.press(Keys.ESCAPE)
    chromium.press_control(",")
    chromium.js("document.querySelector('details').open = true")
    look("settings")
    chromium.press(Keys.ESCAPE)
    chromium.press_control("f")
    chromium.send_keys("moon")
    look("find")
    chromium.press(Keys.ESCAPE)
    chromium.press_control(Keys.ENTER)
    look("hand-in")
    chromium.click_button("Submit")
    chromium.wait_for_download("ann.result.json")
    chromium.run_async(
        "const done = arguments[0], look = () => document.querySelector('.receipt') ? done() : setTimeout(look, 5); look()"
    )
    look("receipt")
    chromium.press(Keys.ESCAPE, *"11111")
    look("topic-done")
    chromium.press(Keys.ENTER)
    look("right-to-left")
    chromium.press(*"123123")
    look("all-done")
    for made, name in ((list_task, "lists"), (pair_task, "pairs")):
        chromium.open(made.page)
        look(name)
        if made is list_task:
            chromium.press("o")
            look("opened")


def test_axe_finds_nothing_and_nothing_is_cut_in_any_state(
    chromium: Chromium,
    axe: str,
    tides: AssignedTask,
    list_task: AssignedTask,
    pair_task: AssignedTask,
    snap: Callable[[str], None],
) -> None:
    result: dict[str, Any] = {}

    def look(name: str) -> None:
        for width, height, touch in SCREENS:
            chromium.set_screen(width, height, touch=touch)
            result[f"{name}-{width}"] = chromium.js(CUT_ELEMENTS)
            snap(f"{name}-{width}")
        if not chromium.js("return !!window.axe"):
            chromium.js(axe)
        for dark, width, height, rules in AXE_RUNS:
            chromium.set_screen(width, height, dark=dark)
            scheme = f"{'dark' if dark else 'light'}-{width}"
            result[f"{name}-{scheme}"] = chromium.run_async(AXE_VIOLATIONS, rules)
            snap(f"{name}-{scheme}")

    visit_states(chromium, look, tides, list_task, pair_task)
    assert len(result) == 15 * (len(SCREENS) + len(AXE_RUNS))
    assert {name: each for name, each in result.items() if each} == {}


def test_the_page_uses_the_colours_of_the_system_or_the_chosen_ones(
    chromium: Chromium, firefox: Firefox, tides: AssignedTask
) -> None:
    def background(browser: Chromium | Firefox, chosen: str) -> str:
        parts = re.findall(r"\d+", str(browser.js(BACKGROUND, chosen)))
        return "#" + "".join(f"{int(part):02X}" for part in parts)

    chromium.open(tides.page)
    for dark, system in ((True, DARK), (False, LIGHT)):
        chromium.set_colour_scheme(dark=dark)
        backgrounds = [background(chromium, chosen) for chosen in ("system", "light", "dark")]
        assert backgrounds == [system.window, LIGHT.window, DARK.window]
    firefox.open(tides.page)
    assert [background(firefox, chosen) for chosen in ("light", "dark")] == [
        LIGHT.window,
        DARK.window,
    ]


def test_grades_have_the_colours_of_the_window(chromium: Chromium, tides: AssignedTask) -> None:
    chromium.open(tides.page)
    chromium.set_colour_scheme(dark=False)
    result = chromium.js(
        "return [...document.querySelectorAll('.grade')]"
        ".map((each) => getComputedStyle(each).backgroundColor)"
    )
    colours = [
        "#" + "".join(f"{int(part):02X}" for part in re.findall(r"\d+", each)) for each in result
    ]
    assert sorted(colours) == sorted([LIGHT.grade_zero, *LIGHT.grade_steps])


@pytest.mark.parametrize("language", ["en", "zh_CN"])
def test_the_card_of_keys_shows_all_of_them_on_a_small_screen(
    chromium: Chromium, tmp_path: Path, language: str
) -> None:
    def change(task: dict[str, Any]) -> None:
        disable_guard_time(task)
        task["language"] = language

    page = assign_task(tmp_path / "keys", change=change).page
    for height in (720, 800):
        chromium.set_screen(1280, height)
        chromium.open(page)
        assert chromium.js(KEY_LINES) == [True] * 9
        chromium.press(*"12")
        assert chromium.js(KEY_LINES) == [True] * 9
        chromium.press("u", "n")
        lines = chromium.js(KEY_LINES)
        assert lines[0] and lines[-1], (
            "with a note, some keys find no room; the key to all of them does"
        )
        chromium.clear_storage()


def test_one_tap_grades_on_a_phone_and_both_sides_are_above_the_answers(
    chromium: Chromium, tides: AssignedTask, list_task: AssignedTask
) -> None:
    chromium.set_screen(360, 640, touch=True)
    chromium.open(tides.page)
    box = chromium.js(CORNER)
    assert box[2] >= 44
    for kind in ("touchStart", "touchEnd"):
        points = [{"x": box[0], "y": box[1]}] if kind == "touchStart" else []
        chromium.driver.execute_cdp_cmd(
            "Input.dispatchTouchEvent", {"type": kind, "touchPoints": points}
        )
    chromium.run_async("setTimeout(arguments[0], 100)")
    chromium.wait_until_idle()
    assert [action["payload"]["value"] for action in chromium.stored_actions()] == [2]
    chromium.open(list_task.page)
    left, right, answer = (
        chromium.js(ENDS, *part)
        for part in ((".side-scroll", 0), (".side-scroll", 1), (".answers .action", 1))
    )
    assert left[1] <= right[0] < right[1] <= answer[0] + 200 and answer[1] <= 640, (
        "one above the other, and the answers below"
    )


MORE = "[...document.querySelectorAll('.strip button')].find((made) => made.textContent === 'More').click()"
ROWS = """
const inside = document.querySelector("dialog .inside"), rows = [...inside.querySelectorAll(".action")];
rows.at(-1).scrollIntoView();
const last = rows.at(-1).getBoundingClientRect(), foot = document.querySelector("dialog .choices").getBoundingClientRect();
return {
  title: document.querySelector("dialog h2").textContent,
  names: rows.map((row) => row.dataset.action),
  low: Math.min(...rows.map((row) => row.getBoundingClientRect().height)),
  keys: [...document.querySelectorAll("dialog kbd, dialog .of-keys")].filter((part) => part.checkVisibility()).length,
  wide: inside.scrollWidth - inside.clientWidth,
  reached: last.bottom <= foot.top && foot.bottom <= innerHeight,
};
"""


def test_on_a_phone_further_actions_are_a_list_of_touch_targets(
    chromium: Chromium, tides: AssignedTask, list_task: AssignedTask
) -> None:
    chromium.set_screen(360, 640, touch=True)
    for task in (tides, list_task):
        chromium.open(task.page)
        chromium.js(MORE)
        seen = chromium.js(ROWS)
        assert (
            seen["title"] == "More"
            and seen["low"] >= 44
            and seen["keys"] == 0
            and seen["wide"] == 0
            and seen["reached"]
        )
        assert "shortcuts" not in seen["names"] and len(seen["names"]) > 8, (
            "what is open does not offer itself"
        )
    chromium.set_screen(1360, 820)
    chromium.open(tides.page)
    chromium.press("?")
    seen = chromium.js(ROWS)
    assert seen["title"] == "All shortcuts" and seen["keys"] > len(seen["names"]), (
        "keys are for those who have them"
    )


def test_tab_reaches_every_control_and_the_focused_one_is_visible(
    chromium: Chromium, tides: AssignedTask
) -> None:
    chromium.open(tides.page)
    wanted = chromium.js(CONTROLS)
    chromium.js(
        "window.reached = new Set(); addEventListener('focusin', (event) => window.reached.add(event.target))"
    )
    for _ in range(wanted + 8):
        chromium.send_keys(Keys.TAB)
    reached = chromium.js(
        "return [...window.reached].filter((part) => part.matches('main button, main input')).length"
    )
    assert reached == wanted
    chromium.js("document.querySelector('.grade').focus()")
    chromium.send_keys(Keys.TAB)
    assert chromium.js("return getComputedStyle(document.activeElement).outlineStyle") == "solid"
    chromium.press(Keys.ENTER)
    assert len(chromium.stored_actions()) == 1 and chromium.js(
        "return document.activeElement.matches('.paper')"
    ), "the next document has the focus"


def test_messages_are_announced_and_visible_controls_have_a_name(
    chromium: Chromium, tides: AssignedTask
) -> None:
    chromium.open(tides.page)
    assert (
        chromium.js("return document.querySelector('.message p').getAttribute('role')") == "status"
    )
    assert chromium.js(
        "return document.querySelector('.paper').getAttribute('aria-label')"
    ).startswith("Document: ")
    assert (
        chromium.js(
            "return document.querySelector('.grade[data-grade=\"3\"]').getAttribute('aria-keyshortcuts')"
        )
        == "3"
    )


VISIBLE_BUTTONS = """
return [...document.querySelectorAll("main button")].filter((each) => each.checkVisibility()).map((each) => ({
  words: each.innerText.trim(),
  name: each.getAttribute("aria-label") ?? each.innerText.trim(),
  edge: parseFloat(getComputedStyle(each).borderTopWidth),
  height: each.getBoundingClientRect().height,
  action: each.classList.contains("action") && !each.closest(".links"),
}));
"""
VISIBLE_KEYS = (
    "return [...document.querySelectorAll('main kbd')].filter((each) => each.checkVisibility())"
    ".map((each) => each.parentElement.textContent)"
)


@pytest.mark.parametrize("size", [(1024, 768), (820, 1180)])
def test_on_a_tablet_actions_are_buttons_without_keys(
    chromium: Chromium, tides: AssignedTask, list_task: AssignedTask, size: tuple[int, int]
) -> None:
    chromium.set_screen(*size, touch=True)
    for task in (tides, list_task):
        chromium.open(task.page)
        chromium.wait_until_idle()
        actions = [each for each in chromium.js(VISIBLE_BUTTONS) if each["action"]]
        assert actions and all(each["edge"] > 0 and each["height"] >= 44 for each in actions)
        assert chromium.js(VISIBLE_KEYS) == []
    chromium.set_screen(1360, 820)


def test_no_two_buttons_on_a_phone_have_the_same_name(
    chromium: Chromium, tides: AssignedTask, list_task: AssignedTask
) -> None:
    chromium.set_screen(360, 640, touch=True)
    for task in (tides, list_task):
        chromium.open(task.page)
        chromium.wait_until_idle()
        buttons = chromium.js(VISIBLE_BUTTONS)
        for kind in ("words", "name"):
            names = [each[kind] for each in buttons]
            assert len(names) == len(set(names)), names
    chromium.set_screen(1360, 820)
