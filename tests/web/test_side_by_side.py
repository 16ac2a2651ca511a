"""Tests of side-by-side comparison in Chromium: lists and pairs of documents, one key each."""

from pathlib import Path
from typing import Any

import pytest
from selenium.webdriver.common.keys import Keys

from irjudge.model import ComparisonRules
from tests.web.browsers import Chromium
from tests.web.tasks import AssignedTask, assign_comparison_task, disable_guard_time
from tests.web.test_saving import BURNING


@pytest.fixture(scope="module")
def list_task(tmp_path_factory: pytest.TempPathFactory) -> AssignedTask:
    """Two lists of four results for each of two topics; opened results may be graded."""
    return assign_comparison_task(tmp_path_factory.mktemp("lists"), change=disable_guard_time)


@pytest.fixture(scope="module")
def pair_task(tmp_path_factory: pytest.TempPathFactory) -> AssignedTask:
    """Four pairs of documents for each of two topics."""
    return assign_comparison_task(
        tmp_path_factory.mktemp("pairs"), pairs=True, change=disable_guard_time
    )


def payloads(browser: Chromium) -> list[dict[str, Any]]:
    return [action["payload"] for action in browser.stored_actions()]


def test_one_key_prefers_a_side_and_undo_restores_the_panel(
    chromium: Chromium, list_task: AssignedTask
) -> None:
    chromium.open(list_task.page)
    first = chromium.text(".result .title")
    chromium.press("1", "3", "n")
    chromium.send_keys("because", Keys.ENTER)
    chromium.press(Keys.ARROW_RIGHT, hold=(Keys.SHIFT,))
    payload = payloads(chromium)[0]
    assert (payload["winner"], payload["strength"], payload["reasons"], payload["note"]) == (
        "right",
        2,
        ["more relevant", "more complete"],
        "because",
    )
    assert payload["sizes"] == [4, 4] and len(payload["sides"]) == 2 and payload["scrolled"][0] >= 1
    assert chromium.text(".result .title") != first
    chromium.press_control("z")
    assert chromium.text(".result .title") == first
    assert chromium.js(
        "return [...document.querySelectorAll('.reasons input')].map((box) => box.checked)"
    ) == [True, False, True, False]
    chromium.press("0", "s", Keys.ARROW_LEFT)
    assert [action["kind"] for action in chromium.stored_actions()] == [
        "preference",
        "undo",
        "preference",
        "skip",
        "preference",
    ]
    assert chromium.text(".state h1") == "All comparisons done"


def test_a_result_opens_in_full_and_can_be_graded_there(
    chromium: Chromium, list_task: AssignedTask
) -> None:
    chromium.open(list_task.page)
    chromium.press("o")
    assert chromium.title and chromium.text(".opened-result h2") == "Left, result 1"
    chromium.press("2", Keys.ARROW_LEFT)
    assert chromium.message and chromium.title, "the opened result stays, and why is told"
    assert [each["item"]["type"] for each in chromium.stored_actions()] == ["document"]
    chromium.press(Keys.ESCAPE, Keys.ARROW_LEFT)
    grade, preference = chromium.stored_actions()
    assert grade["item"]["type"] == "document" and grade["payload"]["value"] == 2
    assert preference["payload"]["opens"] == [1, 0] and preference["payload"]["dwell_ms"][0] > 0


CHECKED_REASONS = "return [...document.querySelectorAll('.reasons input')].filter((box) => box.checked).map((box) => box.value)"
NOTE = "return document.querySelector('.asking > input').value"


def test_undoing_a_grade_of_an_opened_result_keeps_the_unfinished_comparison(
    chromium: Chromium, list_task: AssignedTask
) -> None:
    chromium.open(list_task.page)
    chromium.press("1", "n")
    chromium.send_keys("because", Keys.ENTER)
    chromium.press("o", "2")
    chromium.press_control("z")
    assert not chromium.js("return !!document.querySelector('.opened-result [aria-pressed=true]')")
    chromium.press_control("z", shift=True)
    assert chromium.js("return !!document.querySelector('.opened-result [aria-pressed=true]')")
    chromium.press(Keys.ESCAPE)
    chromium.press_control("z")
    chromium.press(Keys.ARROW_LEFT)
    payload = payloads(chromium)[-1]
    assert (payload["reasons"], payload["note"]) == (["more relevant"], "because")
    assert payload["opens"] == [1, 0] and payload["dwell_ms"][0] > 0


def test_an_unfinished_answer_is_kept_while_its_comparison_is_skipped(
    chromium: Chromium, list_task: AssignedTask
) -> None:
    chromium.open(list_task.page)
    chromium.press("1", "n")
    chromium.send_keys("because", Keys.ENTER)
    chromium.press("s")
    assert chromium.js(CHECKED_REASONS) == [] and chromium.js(NOTE) == ""
    chromium.press(Keys.ARROW_LEFT)
    assert chromium.js(CHECKED_REASONS) == ["more relevant"] and chromium.js(NOTE) == "because"


def test_every_grade_that_could_not_be_stored_is_stored_on_retry(
    chromium: Chromium, list_task: AssignedTask
) -> None:
    chromium.open(list_task.page)
    chromium.js(BURNING)
    chromium.press("o", "2", Keys.ESCAPE, Keys.TAB, "o", "1")
    assert "Not saved" in chromium.message
    chromium.js("IDBDatabase.prototype.transaction = window.real")
    chromium.press(Keys.F5)
    actions = chromium.stored_actions()
    assert [each["payload"]["value"] for each in actions] == [2, 1]
    assert actions[0]["item"] != actions[1]["item"]


def test_the_instructions_begin_with_the_comparison_question(
    chromium: Chromium, tmp_path: Path
) -> None:
    given = "Grade one text at a time."
    chromium.open(assign_comparison_task(tmp_path / "told", instructions=given).page, begin=False)
    shown = chromium.text("dialog[open]")
    assert 0 < shown.index("two lists") < shown.index(given)


def test_the_same_documents_are_joined_on_request_only(
    chromium: Chromium, list_task: AssignedTask
) -> None:
    chromium.open(list_task.page)
    shown = "return [...document.querySelectorAll('.counterpart')].filter((mark) => mark.offsetParent).length"
    assert chromium.js(shown) == 0
    chromium.press("j")
    assert chromium.js(shown) > 0
    chromium.press("j")
    assert chromium.js(shown) == 0


def test_both_sides_must_be_viewed_if_the_options_require_it(
    chromium: Chromium, tmp_path: Path
) -> None:
    chromium.set_screen(360, 640, touch=True)
    chromium.open(
        assign_comparison_task(
            tmp_path / "must", rules=ComparisonRules(must_view=True), change=disable_guard_time
        ).page
    )
    chromium.press(Keys.ARROW_LEFT)
    assert chromium.stored_actions() == [] and "to the end" in chromium.message
    chromium.js("document.querySelectorAll('.side-scroll')[1].scrollIntoView({ block: 'center' })")
    chromium.press(Keys.PAGE_DOWN, Keys.PAGE_DOWN, Keys.PAGE_DOWN, Keys.PAGE_DOWN)
    chromium.run_async("setTimeout(arguments[0], 200)")
    chromium.press(Keys.ARROW_LEFT)
    assert payloads(chromium)[0]["scrolled"] == [4, 4]


@pytest.mark.parametrize("size", [(360, 640), (390, 844), (844, 390), (1366, 768)])
def test_every_device_offers_the_same_answers(
    chromium: Chromium, list_task: AssignedTask, size: tuple[int, int]
) -> None:
    chromium.set_screen(*size, touch=size[0] < 1000)
    chromium.open(list_task.page)
    shown = """return [...document.querySelectorAll('.answers .action')].filter((each) => {
      const box = each.getBoundingClientRect();
      return box.width && box.top >= 0 && box.bottom <= innerHeight;
    }).length"""
    assert chromium.js(shown) == 5


@pytest.mark.parametrize("size", [(360, 640), (390, 844)])
def test_on_a_phone_every_reason_is_visible(
    chromium: Chromium, list_task: AssignedTask, size: tuple[int, int]
) -> None:
    chromium.set_screen(*size, touch=True)
    chromium.open(list_task.page)
    covered = """return [...document.querySelectorAll('.reasons label')].filter((each) => {
      const box = each.getBoundingClientRect();
      const ends = [box.top + 2, box.bottom - 2].map((y) => document.elementFromPoint(box.left + 9, y));
      return !ends.every((part) => each.contains(part));
    }).map((each) => each.textContent)"""
    assert chromium.js("return document.querySelectorAll('.reasons label').length") == 4
    assert chromium.js(covered) == []
    chromium.click(".answers .action:nth-child(2)")
    assert chromium.js(covered) == []


@pytest.mark.parametrize("size", [(360, 640), (390, 844)])
def test_on_a_phone_the_last_answer_and_its_undo_are_visible(
    chromium: Chromium, list_task: AssignedTask, size: tuple[int, int]
) -> None:
    chromium.set_screen(*size, touch=True)
    chromium.open(list_task.page)
    chromium.click(".answers .action:nth-child(2)")
    assert [each["winner"] for each in payloads(chromium)] == ["left"]
    in_view = (
        "return [document.querySelector('.message p'), [...document.querySelectorAll('button')]"
        ".find((each) => each.textContent === 'Undo' && each.checkVisibility())].map((part) => {"
        " const box = part.getBoundingClientRect();"
        " return document.elementFromPoint(box.left + 8, box.top + box.height / 2) === part; })"
    )
    assert chromium.js(in_view) == [True, True]
    chromium.click_button("Undo")
    assert chromium.stored_actions()[-1]["kind"] == "undo"


def test_pairs_show_two_full_documents_and_mark_new_ones(
    chromium: Chromium, pair_task: AssignedTask
) -> None:
    chromium.open(pair_task.page)
    script = (
        "return [...document.querySelectorAll('.fresh-mark')].map((mark) => !!mark.offsetParent)"
    )
    assert (
        chromium.js(script) == [True, True]
        and chromium.js("return document.querySelectorAll('.sheet h1').length") == 2
    )
    chromium.press(Keys.ARROW_LEFT, "=")
    stored_payloads = payloads(chromium)
    assert (
        [each["winner"] for each in stored_payloads] == ["left", "tie"]
        and stored_payloads[1]["strength"] == 0
        and stored_payloads[0]["scrolled"] == [1, 1]
    )
    assert "sides" not in stored_payloads[0]
    assert chromium.js("return CSS.highlights.get('irjudge-hit').size") >= 2


def test_nothing_reveals_which_run_is_on_which_side(
    list_task: AssignedTask, pair_task: AssignedTask
) -> None:
    for made in (list_task, pair_task):
        text = made.page.read_text(encoding="utf-8")
        assert "zebrarank" not in text and "okapifuse" not in text
