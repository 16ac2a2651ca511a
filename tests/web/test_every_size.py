"""The page from 320 x 256 to 1920 x 1080, with a keyboard of 300 pixels and without: nothing is cut, nothing lies on anything."""

from collections.abc import Iterator
from typing import Any

import pytest
from selenium.webdriver.common.keys import Keys

from irjudge.model import Document
from tests.lengths import short_or_long
from tests.web.browsers import Chromium
from tests.web.tasks import TIDES, TOPICS, Handed, at_once, compared, handed

KEYBOARD = 300
LOWEST = 200  # a screen that is lower with its keyboard shows none
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
# the lowest, a phone held both ways, and a desk
SOME = short_or_long([SIZES[0], SIZES[1], SIZES[3], SIZES[9]], SIZES)
WITH_KEYBOARD = [
    (width, height - KEYBOARD, touch)
    for width, height, touch in SIZES
    if height - KEYBOARD >= LOWEST
]
PARTS = "button, input:not([type=file]), select, h1, h2, h3, p, label, dt, .numbers, .unsaved, .state p, .sheet > *, .result .title"
# Each part is brought into view as a reader would bring it; then it must stand inside the screen, whole, with nothing on it.
FAULTS = """
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


def long_ones() -> list[list[Document]]:
    """Documents of a screen or two."""
    return [
        [
            Document(
                f"t{topic.id}d{place}",
                f"Document {place}. {TIDES * 9}".encode(),
                f"Paper {place} on {topic.id}: why it rises",
            )
            for place in range(4)
        ]
        for topic in TOPICS
    ]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Handed]:
    folder = tmp_path_factory.mktemp("sizes")
    return {
        "grading": handed(
            folder / "grading", long_ones(), change=at_once, instructions="Read **all** of it."
        ),
        "lists": compared(folder / "lists", documents=long_ones(), change=at_once),
        "pairs": compared(folder / "pairs", documents=long_ones(), pairs=True, change=at_once),
    }


def states(chromium: Chromium, made: dict[str, Handed]) -> Iterator[str]:
    """Go through what the page can look like, with a note being typed where one can be."""
    chromium.size(1366, 768)
    chromium.open(made["grading"].page, begin=False)
    yield "instructions"
    chromium.press(Keys.ENTER, "u", "n")
    chromium.send("a note")
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
    chromium.open(made["lists"].page)
    chromium.press("n")
    chromium.send("why")
    yield "lists"
    chromium.press(Keys.ENTER, "o")
    yield "opened"
    chromium.open(made["pairs"].page)
    yield "pairs"


def faults(
    chromium: Chromium, made: dict[str, Handed], sizes: list[tuple[int, int, bool]]
) -> dict[str, Any]:
    found = {}
    for state in states(chromium, made):
        for width, height, touch in sizes:
            chromium.size(width, height, touch=touch)
            found[f"{state} {width}x{height}"] = chromium.js(FAULTS, PARTS, touch)
    return {name: each for name, each in found.items() if each}


def test_nothing_is_cut_covered_or_too_small_at_any_size_or_above_a_keyboard(
    chromium: Chromium, made: dict[str, Handed]
) -> None:
    above_a_keyboard = short_or_long(WITH_KEYBOARD[::3], WITH_KEYBOARD)
    assert faults(chromium, made, [*SOME, *above_a_keyboard]) == {}
