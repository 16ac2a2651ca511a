"""Tests of grading in Chromium: keys as in the window, judgments stored before moving on."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from selenium.webdriver.common.keys import Keys

from irjudge.model import Document
from tests.web.browsers import Chromium, wait_until
from tests.web.tasks import TOPICS, AssignedTask, assign_task, disable_guard_time


@pytest.fixture
def page(chromium: Chromium, tides: AssignedTask) -> Iterator[Chromium]:
    chromium.open(tides.page)
    return chromium


def kinds(browser: Chromium) -> list[str]:
    return [action["kind"] for action in browser.stored_actions()]


def values(browser: Chromium) -> list[int]:
    return [
        action["payload"]["value"]
        for action in browser.stored_actions()
        if action["kind"] == "grade"
    ]


def test_a_digit_grades_and_shows_the_next_document(page: Chromium) -> None:
    first = page.title
    page.press("2", "0", "3")
    assert values(page) == [2, 0, 3] and page.title != first
    assert [action["number"] for action in page.stored_actions()] == [1, 2, 3] and len(
        {action["client"] for action in page.stored_actions()}
    ) == 1
    assert "Ctrl Z" in page.message


def test_number_pads_and_french_keyboards_grade_by_position(page: Chromium) -> None:
    page.raw_key("3", "Numpad3")
    page.raw_key("End", "Numpad1")  # NumLock is off
    page.raw_key("é", "Digit2")
    page.raw_key("ν", "KeyN")  # Greek letters: the key at the position of N still writes a note
    assert values(page) == [3, 1, 2]
    assert page.js("return document.activeElement.matches('.marks input')")


def test_a_character_typed_with_alt_gr_has_its_own_meaning(page: Chromium) -> None:
    """Browsers report it as Alt, and as Ctrl and Alt on some systems."""
    press = """
    const held = { altKey: true, ctrlKey: arguments[1], modifierAltGraph: true, bubbles: true, cancelable: true };
    (document.activeElement ?? document.body).dispatchEvent(new KeyboardEvent('keydown', { key: arguments[0], code: 'KeyQ', ...held }));
    """
    for control in (False, True):
        page.js(press, "2", control)
        page.wait_until_idle()
    assert values(page) == [2, 2]
    page.press("n")
    page.js(press, "3", True)
    page.wait_until_idle()
    assert values(page) == [2, 2], "in a note it writes"


def test_time_away_counts_only_up_to_the_threshold(chromium: Chromium, tmp_path: Path) -> None:
    made = assign_task(
        tmp_path / "away",
        change=lambda task: (disable_guard_time(task), task["settings"].update(idle_ms=60_000)),
    )
    chromium.open(made.page)
    chromium.js(
        "const now = performance.now.bind(performance); performance.now = () => now() + 3_600_000"
    )
    chromium.press("2")
    (stored_action,) = chromium.stored_actions()
    assert 60_000 <= stored_action["payload"]["active_ms"] < 120_000


def test_a_held_key_grades_one_document(page: Chromium) -> None:
    page.send_keys("2")
    for _ in range(10):
        page.raw_key("2", "Digit2", repeat=True)
    assert values(page) == [2]


def test_a_key_right_after_rendering_is_ignored_with_a_message(
    chromium: Chromium, tmp_path: Path
) -> None:
    made = assign_task(
        tmp_path / "slow", change=lambda task: task["settings"].update(guard_ms=3000)
    )
    chromium.open(made.page)
    chromium.press("2")
    assert chromium.stored_actions() == [] and "just appeared" in chromium.message


def test_a_rationale_has_its_position_in_wrapped_text_and_without_a_repeated_title(
    chromium: Chromium, tmp_path: Path
) -> None:
    lines = [
        "Tides of the sea .",
        "The sea rises twice a day, and it falls as often; nobody who",
        "lives there wonders at it, and",
        "sailors wait.",
    ]
    document = Document("d", "\n".join(lines).encode(), "Tides of the sea")
    chromium.open(assign_task(tmp_path / "lines", [[document]], topics=TOPICS[:1]).page)
    assert (
        chromium.js("return document.querySelectorAll('.sheet br').length") == 0
        and chromium.text(".sheet").count("Tides of") == 1
    )
    chromium.js(
        "const text = document.querySelector('.sheet p').firstChild, at = text.data.indexOf('sailors');"
        "getSelection().setBaseAndExtent(text, at + 2, text, at + 5)"
    )
    chromium.press("r")
    begin = " ".join([document.title, *lines]).index("sailors")  # as counted in older logs
    assert chromium.stored_actions()[0]["payload"] == {
        "text": "sailors",
        "position": [begin, begin + 7],
    }


def test_undo_and_redo_cover_all_actions_also_after_a_reload(
    page: Chromium, tides: AssignedTask
) -> None:
    first = page.title
    page.press("2", "1")
    page.press_control("z")
    page.press_control("z")
    assert page.title == first and page.text(".meter .quiet").startswith("0 of")
    page.open(tides.page)
    page.press_control("z", shift=True)
    assert kinds(page) == ["grade", "grade", "undo", "undo", "redo"]
    assert page.stored_actions()[-1]["target"] == {
        name: page.stored_actions()[0][name] for name in ("client", "number")
    }
    assert page.stored_actions()[-1]["client"] != page.stored_actions()[0]["client"], (
        "each opening is a client of its own"
    )
    page.press("3")
    page.press_control("y")
    assert kinds(page)[-1] == "grade", "what was undone cannot be redone after something else"


def test_skipped_documents_return_at_the_end_of_their_topic(page: Chromium) -> None:
    first = page.title
    page.press("s")
    for _ in range(5):
        assert page.title != first
        page.press("1")
    assert page.title == first


def test_skipping_the_last_documents_of_a_topic_again_moves_on_to_the_next_topic(
    page: Chromium,
) -> None:
    page.press(*"1111")
    here = page.text(".topic h1")
    seen = []
    for _ in range(4):
        assert page.text(".topic h1") == here
        seen.append(page.title)
        page.press("s")
    assert seen[:2] == seen[2:] and page.text(".topic h1") != here
    page.press(*"111111")
    page.press(Keys.ENTER)
    assert page.text(".topic h1") == here and page.title == seen[0], (
        "they come back at the end of all"
    )


def test_the_ends_of_a_topic_and_of_the_work_show_a_summary(page: Chromium) -> None:
    page.press(*"112233")
    assert page.text(".state h1").startswith(
        "Topic done"
    ) and "Documents left: 6; topics: 1." in page.text(".state p")
    page.press(Keys.ENTER, *"112233")
    assert page.text(".state h1") == "All done"
    page.press_control("z")
    assert not page.js("return document.querySelector('.state')") and len(values(page)) == 12
    page.press("0")
    assert page.text(".state h1") == "All done"


def test_an_unjudgeable_document_has_a_reason(page: Chromium) -> None:
    page.press("x")
    assert "spam" in page.text("dialog").lower()
    page.press("3")
    assert (
        page.stored_actions()[0]["kind"] == "unjudgeable"
        and page.stored_actions()[0]["payload"]["reason"] == "spam"
    )


def test_notes_are_stored_while_they_are_typed_and_digits_in_them_never_grade(
    page: Chromium, tides: AssignedTask
) -> None:
    page.press("u", "n")
    page.send_keys("see 2 ", "and 3")
    wait_until(lambda: kinds(page) == ["unsure", "draft"])
    assert values(page) == []
    page.open(tides.page)
    assert page.js("return document.querySelector('.marks input').value") == "see 2 and 3"
    page.press("n", Keys.ENTER)
    assert (
        page.stored_actions()[-1]["payload"] == {"text": "see 2 and 3"}
        and page.stored_actions()[-1]["kind"] == "note"
    )
    page.press("n")
    page.send_keys(" more")
    page.click(".grade[data-grade='1']")
    assert [action["kind"] for action in page.stored_actions()[-2:]] == ["note", "grade"], (
        "a typed note is kept before a grade leaves it behind"
    )


NOTE = "return document.querySelector('.marks input').value"


def test_a_note_on_a_phone_does_not_move_the_document(
    chromium: Chromium, tides: AssignedTask
) -> None:
    chromium.set_screen(390, 844, touch=True)
    chromium.open(tides.page)
    chromium.js("document.querySelector('.sheet').style.minHeight = '200vh'")
    chromium.press("n")
    chromium.send_keys("why")
    assert chromium.js("return [document.activeElement.value, scrollY]") == ["why", 0]
    chromium.set_screen(390, 400, touch=True)  # too low for a bar with a note
    chromium.press(Keys.ESCAPE, "n")
    seen = """const box = document.activeElement.getBoundingClientRect();
    return document.elementFromPoint(box.left + 9, box.top + box.height / 2) === document.activeElement"""
    assert chromium.js(seen)


def test_a_note_is_stored_after_escape_and_after_a_reload(
    page: Chromium, tides: AssignedTask
) -> None:
    page.press("n")
    page.send_keys("kept", Keys.ESCAPE)
    page.wait_until_idle()
    assert page.js(NOTE) == "kept" and kinds(page) == ["draft"]
    assert "Unsaved note" in page.message
    page.press("n", Keys.ENTER)
    page.press("n", Keys.ESCAPE)
    assert kinds(page) == ["draft", "note"], "nothing was typed"
    page.press("n")
    page.send_keys(" reloaded")
    page.driver.refresh()  # at once, before the pause after which a draft is stored
    page.wait_until_idle()
    wait_until(lambda: page.js(NOTE) == "kept reloaded")
    assert page.stored_actions()[-1]["kind"] == "draft"
    page.press("n", Keys.ENTER)
    assert page.stored_actions()[-1]["payload"] == {"text": "kept reloaded"}
    assert not page.js("return sessionStorage.length"), "it was taken once"


def test_a_warning_is_hidden_with_its_document(page: Chromium) -> None:
    warns = "return document.querySelector('.message p').classList.contains('warning')"
    page.press("9")
    assert page.js(warns)
    page.press("2")
    assert not page.js(warns)
    page.press("9")
    assert page.js(warns)
    page.press(Keys.BACK_SPACE)  # the document judged before
    assert not page.js(warns)


MARKED = """
return [...(CSS.highlights.get(`irjudge-${arguments[0]}`) ?? [])].map((at) => {
  const range = document.createRange();
  range.setStart(at.startContainer, at.startOffset);
  range.setEnd(at.endContainer, at.endOffset);
  return range.toString();
});
"""


def test_a_rationale_is_the_selected_text_with_its_position_in_code_points(
    chromium: Chromium, tmp_path: Path
) -> None:
    document = Document("d", "🌙 over  the\n\n𝒮ea: two tides".encode(), "Moon")
    made = assign_task(
        tmp_path / "wide", [[document]], topics=TOPICS[:1], change=disable_guard_time
    )
    chromium.open(made.page)
    chromium.press("r")
    assert "Select text" in chromium.message
    chromium.js(
        """const sheet = document.querySelector(".sheet"), walker = document.createTreeWalker(sheet, 4), range = document.createRange();
        while (walker.nextNode()) { const at = walker.currentNode.data.indexOf("two");
          if (at >= 0) { range.setStart(walker.currentNode, at); range.setEnd(walker.currentNode, at + 9); } }
        getSelection().removeAllRanges(); getSelection().addRange(range);"""
    )
    chromium.press("r")
    text = "Moon 🌙 over the 𝒮ea: two tides"
    assert chromium.stored_actions()[0]["payload"] == {
        "text": "two tides",
        "position": [text.index("two"), len(text)],
    }
    assert chromium.js(MARKED, "reason") == ["two tides"], "a saved rationale is marked in the text"
    chromium.press_control("z")
    assert chromium.js(MARKED, "reason") == []


def test_a_selection_too_long_for_a_rationale_is_refused_with_a_message(
    chromium: Chromium, tmp_path: Path
) -> None:
    text = b"The sea rises. " * 1000
    documents = [[Document("d1", text), Document("d2", text)], [Document("d3", b"Other.")]]
    chromium.open(assign_task(tmp_path, documents, change=disable_guard_time).page)
    chromium.js("getSelection().selectAllChildren(document.querySelector('.sheet'))")
    chromium.press("r")
    assert "10,000" in chromium.message and kinds(chromium) == []
    assert not chromium.js("return getSelection().isCollapsed")


def test_a_tap_that_clears_the_selection_still_saves_the_rationale(
    chromium: Chromium, tides: AssignedTask
) -> None:
    chromium.set_screen(390, 844, touch=True)
    chromium.open(tides.page)
    chromium.js("getSelection().selectAllChildren(document.querySelector('.sheet h1'))")
    wait_until(lambda: chromium.js("return !document.querySelector('.keep').hidden"))
    chromium.js(
        "getSelection().removeAllRanges(); document.dispatchEvent(new Event('selectionchange'))"
    )
    chromium.click(".keep")
    assert chromium.stored_actions()[0]["payload"]["text"] == chromium.title
    assert chromium.js("return document.querySelector('.keep').hidden"), (
        "a saved rationale is not offered again"
    )
    chromium.js("getSelection().selectAllChildren(document.querySelector('.sheet p'))")
    wait_until(lambda: chromium.js("return !document.querySelector('.keep').hidden"))
    chromium.js("getSelection().removeAllRanges()")
    wait_until(lambda: chromium.js("return document.querySelector('.keep').hidden"))


def test_scales_above_nine_take_two_digits(chromium: Chromium, tmp_path: Path) -> None:
    chromium.open(assign_task(tmp_path / "wide", scale="0-12", change=disable_guard_time).page)
    chromium.press("1")
    assert "Grade 1_" in chromium.message
    chromium.press("1", "0", "7", "9", "9")
    assert values(chromium) == [11, 7] and "Grade 99 is not" in chromium.message


def test_the_first_digit_of_a_grade_is_forgotten_with_another_action_and_after_a_pause(
    chromium: Chromium, tmp_path: Path
) -> None:
    chromium.open(assign_task(tmp_path / "wide", scale="0-12", change=disable_guard_time).page)
    chromium.press("1", "u", "0")
    assert kinds(chromium) == ["unsure"] and "Grade 0_" in chromium.message
    chromium.press("7")
    assert values(chromium) == [7]
    chromium.press("1")
    chromium.click(".grade[data-grade='5']")
    assert "grade 5" in chromium.message
    chromium.press("1", "n", Keys.ESCAPE)
    assert "Grade 1_" not in chromium.message
    shorten_pause = "window.real = setTimeout; window.setTimeout = (call, ms) => window.real(call, ms === 3000 ? 0 : ms)"
    chromium.js(shorten_pause)
    chromium.press("1")
    wait_until(lambda: "Grade 1_" not in chromium.message)
    chromium.js("window.setTimeout = window.real")
    chromium.press("0", "2")
    assert values(chromium) == [7, 5, 2]


def test_calibration_documents_show_the_gold_grade_after_they_were_judged(
    chromium: Chromium, tmp_path: Path
) -> None:
    def set_gold_grade(task: dict[str, Any]) -> None:
        disable_guard_time(task)
        task["items"][0]["agreed"] = 3

    chromium.open(assign_task(tmp_path / "calibrated", change=set_gold_grade).page)
    assert "Agreed" not in chromium.text("body")
    chromium.press("1")
    assert "Known grade of" in chromium.message and "3 Highly relevant" in chromium.message


def test_any_document_of_any_topic_can_be_opened_from_the_list(page: Chromium) -> None:
    first = page.title
    page.press("2", "s", "l")
    assert page.js(
        "return [...document.querySelectorAll('.chip')].map((chip) => chip.textContent)"
    )[:3] == ["2", "skipped", "not judged"]
    page.press(Keys.HOME, Keys.ENTER)
    assert (
        page.title == first
        and page.js("return document.querySelector('.grade[data-grade=\"2\"]').ariaPressed")
        == "true"
    )
    page.press("0", Keys.BACKSPACE)
    assert page.title == first, "Backspace goes back to what was judged before"


def test_terms_are_highlighted_counted_added_and_visited(
    page: Chromium, tides: AssignedTask
) -> None:
    counts = "return [...document.querySelectorAll('.terms li')].map((li) => li.children[1].textContent + li.children[0].textContent)"
    assert page.js(counts) == ["tides1", "day1", "two0"], "those that the document has come first"
    page.press("h")
    page.send_keys("moon", Keys.ENTER)
    # terms are searched between two checks of the keyboard
    wait_until(lambda: page.js(counts)[-1:] == ["moon2"])
    assert page.js("return CSS.highlights.get('irjudge-own').size") == 2
    page.press("j", "j")
    assert "2 of 4" in page.text(".words")
    page.press("2")
    wait_until(lambda: page.js(counts)[-1:] == ["moon2"])  # own terms stay for the topic
    page.open(tides.page)
    wait_until(lambda: page.js(counts)[-1:] == ["moon2"])  # and after the page is opened again
    page.click(".terms .own .link")
    wait_until(lambda: len(page.js(counts)) == 3)


def test_find_marks_every_match_and_removes_all_marks_at_the_end(page: Chromium) -> None:
    page.press_control("f")
    page.send_keys(*"moon")
    wait_until(lambda: page.text(".find .quiet") == "1 of 2")
    assert page.js("return CSS.highlights.get('irjudge-found').size") == 2
    page.send_keys(Keys.ENTER)
    assert page.text(".find .quiet") == "2 of 2"
    page.press(Keys.ESCAPE, "2")
    assert values(page) == [2] and not page.js(
        "return CSS.highlights.has('irjudge-found') || CSS.highlights.has('irjudge-now')"
    )


def test_keys_can_be_changed_and_single_keys_turned_off(
    page: Chromium, tides: AssignedTask
) -> None:
    page.press_control(",")
    page.js("document.querySelector('details').open = true")
    page.js(
        "[...document.querySelectorAll('.key-table button')].find((b) => b.ariaLabel.endsWith(': unsure')).click()"
    )
    page.press("s")
    assert "already used" in page.text("details p")
    page.js(
        "[...document.querySelectorAll('.key-table button')].find((b) => b.ariaLabel.endsWith(': unsure')).click()"
    )
    page.press("w", Keys.ESCAPE, "u", "w")
    assert kinds(page) == ["unsure"] and page.text(".key-list").count("W") == 1
    page.open(tides.page)
    page.press("w")
    assert kinds(page) == ["unsure", "unsure"], "the key is remembered"
    page.press_control(",")
    page.js("document.querySelector('.check input').click()")
    page.press(Keys.ESCAPE, "2", "w", "s", "?")
    assert kinds(page) == ["unsure", "unsure"] and not page.js(
        "return document.querySelector('dialog')"
    )
    page.click(".grade[data-grade='2']")
    page.press_control("z")
    assert kinds(page)[-2:] == ["grade", "undo"]


def test_a_new_key_is_awaited_for_one_action_and_until_the_settings_are_closed(
    page: Chromium,
) -> None:
    def change(action: str) -> None:
        label = f"Change the key for: {action}"
        page.js("document.querySelector(`[aria-label='${arguments[0]}']`).click()", label)

    page.press_control(",")
    page.js("document.querySelector('details').open = true")
    change("unsure")
    change("skip for now")
    page.press("w")
    change("unsure")
    page.click_button("Close")
    page.press("q", "2", "u", "w")
    assert kinds(page) == ["grade", "unsure", "skip"]


def test_every_shortcut_of_the_list_has_an_effect(page: Chromium) -> None:
    page.press("?")
    ids = page.js(
        "return [...document.querySelectorAll('[data-action]')].map((button) => button.dataset.action)"
    )
    assert len(ids) >= 20
    for action in ids:
        if action not in ("save-result", "retry", "help", "shortcuts", "settings"):
            before = (
                page.js("return document.body.innerHTML.length"),
                page.message,
                len(page.stored_actions()),
            )
            if not page.js("return !!document.querySelector('dialog[open]')"):
                page.press("?")
            page.click(f"[data-action='{action}']")
            focused = page.js("return document.activeElement.tagName")
            after = (
                page.js("return document.body.innerHTML.length"),
                page.message,
                len(page.stored_actions()),
            )
            assert (
                after != before
                or focused == "INPUT"
                or action in ("next-hit", "previous-hit", "passage")
            ), action
            page.press(Keys.ESCAPE)


def test_chinese_is_used_if_it_is_chosen(page: Chromium) -> None:
    page.press_control(",")
    page.js(
        "const s = document.querySelectorAll('.setting select')[1]; s.value = 'zh_CN'; s.dispatchEvent(new Event('change'))"
    )
    page.wait_until_idle()
    assert page.js("return document.documentElement.lang") == "zh-Hans"
    assert page.text("dialog h2") == "设置" and page.text(".grade .label") == "高度相关"


def test_documents_and_topics_are_right_to_left_if_their_language_is(
    page: Chromium,
) -> None:
    page.press(*"112233", Keys.ENTER)
    assert (
        page.js("return getComputedStyle(document.querySelector('.topic h1')).direction") == "rtl"
    )


def test_a_second_tab_is_read_only_until_it_takes_over(page: Chromium, tides: AssignedTask) -> None:
    page.press("2")
    first = page.driver.current_window_handle
    page.driver.switch_to.new_window("tab")
    try:
        page.open(tides.page, begin=False)
        page.press("3")
        assert values(page) == [2] and "is read-only" in page.text(".banner")
        page.click_button("Judge here")
        page.press("3")
        assert values(page) == [2, 3]
        second = page.driver.current_window_handle
        page.driver.switch_to.window(first)
        page.press("1")
        assert values(page) == [2, 3] and "is read-only" in page.text(".banner")
        page.driver.switch_to.window(second)
        page.driver.close()
    finally:
        page.driver.switch_to.window(first)
    page.wait_until_idle()
    page.run_async("setTimeout(arguments[0], 200)")
    page.press("0")
    assert values(page) == [2, 3, 0], "the first goes on where the second stopped"
