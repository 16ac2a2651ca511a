"""Layout tests of the page from 320 × 256 to 1920 × 1080, with and without a screen keyboard."""

from collections.abc import Iterator
from typing import Any

import pytest
from selenium.webdriver.common.keys import Keys

from irjudge.model import Document
from tests.lengths import short_or_long
from tests.web.browsers import Chromium
from tests.web.tasks import (
    TIDES,
    TOPICS,
    AssignedTask,
    assign_comparison_task,
    assign_task,
    disable_guard_time,
)

KEYBOARD = 300
MIN_HEIGHT_WITH_KEYBOARD = 200  # screens that are lower with their keyboard are not tested with one
SIZES = [
    *(
        (320, 256, False),
        (360, 640, True),
        (390, 844, True),
        (844, 390, True),
        (568, 320, True),
        (680, 410, False),
        (768, 1024, True),
    ),
    *((800, 600, False), (1024, 560, False), (1366, 768, False), (1920, 1080, False)),
]
# the lowest, a phone in both orientations, and a desktop
SOME = short_or_long([SIZES[0], SIZES[1], SIZES[3], SIZES[9]], SIZES)
WITH_KEYBOARD = [
    (width, height - KEYBOARD, touch)
    for width, height, touch in SIZES
    if height - KEYBOARD >= MIN_HEIGHT_WITH_KEYBOARD
]
PARTS = "button, input:not([type=file]), select, h1, h2, h3, p, label, dt, .numbers, .unsaved, .state p, .sheet > *, .result .title"
# Each part is scrolled into view as a reader would do; then all of it must be on the screen,
# uncovered.
LAYOUT_PROBLEMS = """
const [selector, touch] = arguments, faults = [], dialog = document.querySelector("dialog[open]");
const within = (part) => part.textContent.trim().slice(0, 40) || part.getAttribute("aria-label") || part.id || part.tagName;
const say = (what, part) => faults.push(`${what}: ${part.tagName.toLowerCase()}.${part.className} "${within(part)}"`);
if (document.documentElement.scrollWidth > innerWidth) faults.push("the page scrolls sideways");
for (const part of (dialog ?? document).querySelectorAll(selector)) {
  if (!part.checkVisibility({ visibilityProperty: true }) || part.closest(".spoken, .keys .key-list")) continue;
  part.scrollIntoView({ block: "nearest", inline: "nearest" });
  const box = part.getBoundingClientRect();
  if (!box.width || !box.height) continue;
  if (box.left < -1 || box.right > innerWidth + 1) say("cut at a side", part);
  const hidden = ["hidden", "clip"].includes(getComputedStyle(part).overflowX) && getComputedStyle(part).textOverflow !== "ellipsis";
  if ((part.matches("button, .unsaved") || hidden) && part.scrollWidth > part.clientWidth + 1) say("words cut", part);
  if (part.matches("button") && part.scrollHeight > part.clientHeight + 2) say("words cut below", part);
  const tall = box.height > innerHeight / 3;
  const points = tall ? [[0.5, 0.5]] : [[0.5, 0.5], [0.5, 0.12], [0.5, 0.88]];
  for (const [across, down] of points) {
    const x = box.left + box.width * across, y = Math.min(innerHeight - 2, Math.max(2, box.top + box.height * down));
    const hit = document.elementFromPoint(x, y);
    if (!tall && !(hit && (part.contains(hit) || hit.contains(part)))) {
      say(`covered by ${hit?.tagName}.${hit?.className}`, part);
      break;
    }
  }
  const target = part.matches("button, select, input:not([type=checkbox]), label:has(input)");
  if (touch && target && !part.closest("[hidden]") && (box.height < 43.5 || box.width < 43.5)) say("small for a finger", part);
}
const paper = document.querySelector(".grading:not(.resting) .paper, .opened .paper");
if (!dialog && paper && paper.clientHeight < 12 * 24 - 1) faults.push(`${paper.clientHeight} pixels of document`);
for (const part of dialog ? [] : document.querySelectorAll("main:not(.resting) .grade, main:not(.opened):not(.resting) .answers .action")) {
  const box = part.getBoundingClientRect();
  if (part.checkVisibility() && (box.top < 0 || box.bottom > innerHeight + 1)) say("out of view", part);
}
return faults;
"""


def make_long_documents() -> list[list[Document]]:
    """Return documents that fill one or two screens."""
    return [
        [
            Document(
                f"t{topic.id}d{index}",
                f"Document {index}. {TIDES * 9}".encode(),
                f"Paper {index} on {topic.id}: why it rises",
            )
            for index in range(4)
        ]
        for topic in TOPICS
    ]


@pytest.fixture(scope="module")
def tasks(tmp_path_factory: pytest.TempPathFactory) -> dict[str, AssignedTask]:
    folder = tmp_path_factory.mktemp("sizes")
    return {
        "grading": assign_task(
            folder / "grading",
            make_long_documents(),
            change=disable_guard_time,
            instructions="Read **all** of it.",
        ),
        "lists": assign_comparison_task(
            folder / "lists", documents=make_long_documents(), change=disable_guard_time
        ),
        "pairs": assign_comparison_task(
            folder / "pairs", documents=make_long_documents(), pairs=True, change=disable_guard_time
        ),
    }


def visit_states(chromium: Chromium, tasks: dict[str, AssignedTask]) -> Iterator[str]:
    """Visit the states of the page, with a note being typed if possible; yield each one's name."""
    chromium.set_screen(1366, 768)
    chromium.open(tasks["grading"].page, begin=False)
    yield "instructions"
    chromium.press(Keys.ENTER, "u", "n")
    chromium.send_keys("a note")
    yield "note"
    chromium.press(Keys.ENTER, "2")
    yield "grading"
    chromium.press("l")
    yield "list"
    chromium.press(Keys.ESCAPE, "?")
    yield "more"
    chromium.press(Keys.ESCAPE, *"123")
    yield "topic done"
    chromium.press(Keys.ENTER, *"1231")
    yield "all done"
    chromium.open(tasks["lists"].page)
    chromium.press("n")
    chromium.send_keys("why")
    yield "lists"
    chromium.press(Keys.ENTER, "o")
    yield "opened"
    chromium.open(tasks["pairs"].page)
    yield "pairs"


def find_problems(
    chromium: Chromium, tasks: dict[str, AssignedTask], sizes: list[tuple[int, int, bool]]
) -> dict[str, Any]:
    result = {}
    for state in visit_states(chromium, tasks):
        for width, height, touch in sizes:
            chromium.set_screen(width, height, touch=touch)
            result[f"{state} {width}x{height}"] = chromium.js(LAYOUT_PROBLEMS, PARTS, touch)
    return {name: each for name, each in result.items() if each}


def test_nothing_is_cut_covered_or_too_small_at_any_size_with_or_without_a_keyboard(
    chromium: Chromium, tasks: dict[str, AssignedTask]
) -> None:
    above_a_keyboard = short_or_long(WITH_KEYBOARD[::3], WITH_KEYBOARD)
    assert find_problems(chromium, tasks, [*SOME, *above_a_keyboard]) == {}
