"""Tests of saving in Chromium: result files, resuming, and refused, full or cleared storage."""

import hashlib
import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from selenium.webdriver.common.keys import Keys

from irjudge.exchange import merge_files
from irjudge.store import open_project
from tests.web.browsers import Chromium, wait_until
from tests.web.tasks import AssignedTask, assign_comparison_task, assign_task, disable_guard_time

RESULT = "ann.result.json"
REFUSED = "Object.defineProperty(window, 'indexedDB', { get() { throw new DOMException('no', 'SecurityError'); } });"
# Replaces the system's save dialog, so that the written data can be read.
FAKE_SAVE_DIALOG = """
window.written = [];
window.chosen = 0;
class Stream { async write(more) { this.text = (this.text ?? "") + more; } async close() { window.written.push(this.text); } }
window.showSaveFilePicker = async ({ suggestedName }) => {
  window.chosen += 1;
  return { name: suggestedName, createWritable: async () => new Stream() };
};
"""
BURNING = """
window.real = IDBDatabase.prototype.transaction;
IDBDatabase.prototype.transaction = () => { throw new DOMException('disk on fire'); };
"""


@pytest.fixture
def page(chromium: Chromium, tides: AssignedTask) -> Iterator[Chromium]:
    chromium.open(tides.page)
    return chromium


def save_result(browser: Chromium) -> Path:
    """Press the key for saving; return the file after the page has recorded the download."""
    browser.press_control("s")
    path = browser.wait_for_download(RESULT)
    wait_until(
        lambda: (
            browser.message.startswith("Saved as")
            or browser.text(".progress .unsaved") == "Everything saved to file"
        )
    )
    return path.rename(path.with_name(f"{len(list(path.parent.glob('*')))}-{RESULT}"))


def resume(browser: Chromium, path: Path) -> str:
    """Continue from a result file; return the message of the page."""
    browser.js("document.querySelector('dialog')?.close()")
    browser.js(
        "const input = document.querySelector('input[type=file]'); input.hidden = false; input.value = ''"
    )
    browser.driver.find_element("css selector", "input[type=file]").send_keys(str(path))
    browser.run_async(
        "const done = arguments[0]; const look = () => document.querySelector('dialog') ? done() : setTimeout(look, 5); look()"
    )
    browser.wait_until_idle()
    return browser.text("dialog")


def grades(actions: list[dict[str, Any]]) -> list[int]:
    return [action["payload"]["value"] for action in actions if action["kind"] == "grade"]


def test_one_key_saves_the_result_and_unsaved_judgments_are_counted(
    page: Chromium, tides: AssignedTask
) -> None:
    page.press("2", "u")
    assert page.text(".progress .unsaved") == "Not saved to file: 2"
    saved = json.loads(save_result(page).read_text(encoding="utf-8"))
    assert page.text(".progress .unsaved") == "Everything saved to file"
    assert (
        saved["irjudge"] == "result"
        and saved["assessor"] == "ann"
        and saved["receipt"]["count"] == 2
    )
    assert [json.loads(text) for _, text in saved["actions"]] == page.stored_actions()
    page.press("1")
    assert page.text(".progress .unsaved") == "Not saved to file: 1"


def test_the_result_is_merged_and_its_receipt_equals_that_of_the_page(
    page: Chromium, tides: AssignedTask
) -> None:
    page.press("2", "1")
    page.press_control(Keys.ENTER)
    page.click_button("Submit")
    path = page.wait_for_download(RESULT)
    last = json.loads(path.read_text(encoding="utf-8"))["receipt"]["last"]
    wait_until(lambda: page.text("dialog .code") != "")
    assert page.text("dialog .code").replace(" ", "") == last[:12]
    with open_project(tides.project) as project:
        assert "new" in str(merge_files(project, [path]))
        assert sorted(event.payload["value"] for event in project.events.read("ann")) == [1, 2]


def test_work_is_resumed_from_the_file_on_another_machine(
    page: Chromium, tides: AssignedTask
) -> None:
    page.press("2", "1", "3")
    title = page.title
    path = save_result(page)
    before = page.stored_actions()
    page.clear_storage()
    page.open(tides.page)
    assert page.stored_actions() == [] and page.title != title
    assert "Judgments imported: 3" in resume(page, path)
    page.press(Keys.ENTER)
    assert page.stored_actions() == before and page.title == title
    page.press("0")
    assert (
        grades(page.stored_actions()) == [2, 1, 3, 0]
        and page.stored_actions()[3]["client"] != before[0]["client"]
        and page.stored_actions()[3]["number"] == 1
    )
    assert "nothing new" in resume(page, path)


def test_the_intact_part_of_a_truncated_or_changed_file_is_imported_with_a_message(
    page: Chromium, tides: AssignedTask
) -> None:
    page.press("2", "1", "3")
    text = save_result(page).read_text(encoding="utf-8")
    cut = page.downloads / "cut.json"
    changed = page.downloads / "changed.json"
    other = page.downloads / "other.json"
    lines = text.split("\n")
    cut.write_text("\n".join(lines[:3])[:-7], encoding="utf-8")
    changed.write_text(text.replace('\\"value\\":1', '\\"value\\":0'), encoding="utf-8")
    other.write_text(text.replace(json.loads(text)["assignment"], "0" * 32), encoding="utf-8")
    for path in (cut, changed):
        page.clear_storage()
        page.open(tides.page)
        message = resume(page, path)
        assert "was truncated or changed" in message and "before the damaged part: 1" in message
        assert grades(page.stored_actions()) == [2]
    assert "another task" in resume(page, other)
    (page.downloads / "poem.json").write_text("A poem", encoding="utf-8")
    assert "not an irjudge result file" in resume(page, page.downloads / "poem.json")


def test_a_malformed_action_does_not_replace_the_stored_work(
    page: Chromium, tides: AssignedTask
) -> None:
    page.press("2")
    head, action, *_ = save_result(page).read_text(encoding="utf-8").split("\n")
    digest, stored = json.loads(action.removesuffix(","))
    malformed = json.dumps({**json.loads(stored), "number": 2, "payload": None})
    digest_after = hashlib.sha256(f"{digest}\n{malformed}".encode()).hexdigest()
    path = page.downloads / "malformed.json"
    path.write_text(
        "\n".join(
            (head, json.dumps([digest, stored]) + ",", json.dumps([digest_after, malformed]))
        ),
        encoding="utf-8",
    )
    assert "nothing new" in resume(page, path)
    assert [json.dumps(each) for each in page.stored_actions()] == [json.dumps(json.loads(stored))]
    page.js("document.querySelector('dialog').close()")
    page.press("1")
    assert grades(page.stored_actions()) == [2, 1]


def test_work_of_two_different_tasks_is_never_mixed(page: Chromium, tides: AssignedTask) -> None:
    page.press("2")
    path = save_result(page)
    page.clear_storage()
    page.open(tides.page)
    page.press("1", "1")
    assert "Two versions of your work" in resume(page, path)
    page.press(Keys.ENTER)
    assert grades(page.stored_actions()) == [1, 1]
    resume(page, path)
    page.click_button("Save this work")
    page.wait_for_download(RESULT)
    wait_until(lambda: grades(page.stored_actions()) == [2])


def test_a_chosen_file_is_written_automatically_afterwards(
    chromium: Chromium, tides: AssignedTask
) -> None:
    script = chromium.add_script(FAKE_SAVE_DIALOG)
    try:
        chromium.open(tides.page)
        chromium.press("2")
        chromium.press_control("s")
        wait_until(lambda: "saved automatically" in chromium.message)
        chromium.press("1")
        chromium.run_async(
            "const done = arguments[0]; const look = () => window.written.length > 1 ? done() : setTimeout(look, 20); look()"
        )
        written = chromium.js("return window.written")
        assert [json.loads(each)["receipt"]["count"] for each in written] == [1, 2]
    finally:
        chromium.remove_script(script)


def test_work_that_was_saved_before_a_file_was_imported_stays_in_its_file(
    chromium: Chromium, tides: AssignedTask
) -> None:
    chromium.open(tides.page)
    chromium.press("2")
    other = save_result(chromium)
    chromium.clear_storage()
    script = chromium.add_script(FAKE_SAVE_DIALOG)
    try:
        chromium.open(tides.page)
        chromium.press("1", "1")
        assert "Two versions of your work" in resume(chromium, other)
        chromium.click_button("Save this work")
        wait_until(lambda: grades(chromium.stored_actions()) == [2])
        chromium.press(Keys.ENTER, "3")
        assert "Not saved to file" in chromium.text(".progress .unsaved")
        chromium.press_control("s")
        wait_until(lambda: "saved automatically" in chromium.message)
        written = [json.loads(each) for each in chromium.js("return window.written")]
        assert [grades([json.loads(text) for _, text in each["actions"]]) for each in written] == [
            [1, 1],
            [2, 3],
        ]
        assert chromium.js("return window.chosen") == 2
    finally:
        chromium.remove_script(script)


def test_a_damaged_file_without_actions_does_not_replace_the_work(
    page: Chromium, tides: AssignedTask
) -> None:
    page.press("2")
    head, *_ = save_result(page).read_text(encoding="utf-8").split("\n")
    path = page.downloads / "damaged.json"
    path.write_text(head, encoding="utf-8")
    message = resume(page, path)
    assert "nothing new" in message and "was truncated or changed" in message
    assert grades(page.stored_actions()) == [2]


def test_a_read_only_tab_saves_submits_and_imports_nothing(
    page: Chromium, tides: AssignedTask
) -> None:
    page.press("2")
    path = save_result(page)
    first = page.driver.current_window_handle
    page.driver.switch_to.new_window("tab")
    try:
        page.open(tides.page, begin=False)
        second = page.driver.current_window_handle
        page.driver.switch_to.window(first)
        page.press("1", "3")
        save_result(page)
        page.driver.switch_to.window(second)
        page.press_control("s")
        assert "read-only" in page.message
        page.press_control(Keys.ENTER)
        assert not page.js("return document.querySelector('dialog')")
        assert "read-only" in resume(page, path)
        page.press(Keys.ESCAPE)
        page.js("getSelection().selectAllChildren(document.querySelector('.sheet h1'))")
        page.press("h")
        wait_until(lambda: "Highlighted" in page.message)
        assert len(list(page.downloads.glob("*"))) == 2
        page.driver.close()
    finally:
        page.driver.switch_to.window(first)
    page.press("0")
    assert grades(page.stored_actions()) == [2, 1, 3, 0]
    page.open(tides.page)
    assert page.text(".progress .unsaved") == "Not saved to file: 1"


def test_a_browser_without_storage_shows_a_warning_before_the_first_judgment(
    chromium: Chromium, tides: AssignedTask
) -> None:
    script = chromium.add_script(REFUSED)
    try:
        chromium.open(tides.page, begin=False)
        assert "This browser does not store data" in chromium.text("dialog")
        chromium.press(Keys.ENTER, "2", "1")
        assert "saves nothing" in chromium.text(".progress")
        path = save_result(chromium)
        chromium.open(tides.page, begin=False)
        assert "Judgments imported: 2" in resume(chromium, path)
    finally:
        chromium.remove_script(script)


def test_storage_cleared_while_the_page_is_open_is_restored(
    page: Chromium, tides: AssignedTask
) -> None:
    page.press("2", "1")
    page.driver.execute_cdp_cmd(
        "Storage.clearDataForOrigin", {"origin": "file://", "storageTypes": "all"}
    )
    page.press("3")
    page.open(tides.page)
    assert grades(page.stored_actions()) == [2, 1, 3]


def test_leaving_with_unsaved_work_asks_first(page: Chromium) -> None:
    asked = "const event = new Event('beforeunload', { cancelable: true }); dispatchEvent(event); return event.defaultPrevented"
    assert not page.js(asked)
    page.press("2")
    assert page.js(asked)
    save_result(page)
    assert not page.js(asked)


def test_a_note_being_typed_is_not_unsaved_work(page: Chromium) -> None:
    page.press("n")
    page.send_keys("see")
    page.js("dispatchEvent(new Event('pagehide'))")
    page.wait_until_idle()
    asked = "const event = new Event('beforeunload', { cancelable: true }); dispatchEvent(event); return event.defaultPrevented"
    assert [action["kind"] for action in page.stored_actions()] == ["draft"] and not page.js(asked)


def test_work_saved_first_by_another_tab_is_kept_and_a_message_says_so(page: Chromium) -> None:
    faster = """
    const done = arguments[arguments.length - 1], asked = indexedDB.open("irjudge");
    asked.onsuccess = () => {
      const change = asked.result.transaction(["tasks", "actions"], "readwrite");
      change.objectStore("tasks").getAllKeys().onsuccess = ({ target: { result: [assignment] } }) =>
        change.objectStore("actions").put({ assignment, order: 0, text: '{"kind":"of another tab"}' });
      change.oncomplete = () => { asked.result.close(); done(true); };
    };
    """
    title = page.title
    assert page.run_async(faster)
    page.press("2")
    assert page.title == title and "another tab" in page.message
    assert [action["kind"] for action in page.stored_actions()] == ["of another tab"]


def test_judgments_are_stored_after_an_unexpected_error(
    device: Chromium, tides: AssignedTask
) -> None:
    device.open(tides.page)
    missing_once = """
    const { focus } = HTMLElement.prototype;
    const get = () => { Object.defineProperty(HTMLElement.prototype, "focus", { value: focus }); };
    Object.defineProperty(HTMLElement.prototype, "focus", { get, configurable: true });
    """
    device.js(missing_once)
    device.press("2")
    wait_until(lambda: "focus is not a function" in device.text("dialog"))
    device.press(Keys.ESCAPE, "3")
    assert grades(device.stored_actions()) == [2, 3]
    assert not device.js("return !!document.querySelector('dialog')")
    device.press("1")
    assert grades(device.stored_actions()) == [2, 3, 1]


def test_pending_actions_are_renumbered_after_those_saved_before_them(page: Chromium) -> None:
    page.press("2")
    page.js(BURNING)
    page.press("3", "u")
    page.js("IDBDatabase.prototype.transaction = window.real")
    page.press(Keys.F5)
    assert [(action["number"], action["kind"]) for action in page.stored_actions()] == [
        (1, "grade"),
        (2, "unsure"),
        (3, "grade"),
    ]


def test_if_nothing_can_be_stored_the_document_and_the_typed_text_stay(
    page: Chromium, tides: AssignedTask
) -> None:
    page.press("2")
    title = page.title
    page.js(BURNING)
    page.press("n")
    page.send_keys("a note")
    page.click(".grade[data-grade='3']")
    assert (
        page.title == title
        and "Not saved" in page.message
        and "disk on fire" in page.message
        and "F5" in page.message
    )
    assert page.js("return document.querySelector('.marks input').value") == "a note"
    page.js("IDBDatabase.prototype.transaction = window.real")
    page.press(Keys.F5)
    assert page.title != title
    assert [action["kind"] for action in page.stored_actions()] == [
        "grade",
        "note",
        "grade",
    ] and grades(page.stored_actions()) == [2, 3]


def test_a_judgment_that_could_not_be_stored_is_not_called_kept_after_another_document_is_opened(
    page: Chromium,
) -> None:
    page.press("2")
    page.js(BURNING)
    page.press("3")
    assert "has been kept" in page.message
    page.press(Keys.BACKSPACE)
    assert "discarded" in page.message
    assert not page.js("return document.querySelector('.message button').checkVisibility()")
    page.js("IDBDatabase.prototype.transaction = window.real")
    page.press(Keys.F5)
    assert grades(page.stored_actions()) == [2]


SLOW_DISK = """
const open = IDBDatabase.prototype.transaction;
IDBDatabase.prototype.transaction = function (...names) {
  const transaction = open.apply(this, names);
  const delay = (call) => transaction.addEventListener("complete", () => setTimeout(call, 500));
  Object.defineProperty(transaction, "oncomplete", { set: delay });
  return transaction;
};
"""


def test_undo_while_a_judgment_is_being_stored_undoes_it(page: Chromium) -> None:
    page.js(SLOW_DISK)
    page.send_keys("2")
    page.press_control("z")
    wait_until(lambda: "Undone" in page.message)
    assert [action["kind"] for action in page.stored_actions()] == ["grade", "undo"]


@pytest.mark.skipif(
    os.name != "posix" or os.geteuid() != 0, reason="only root can mount a small disk"
)
def test_on_a_full_disk_no_judgment_the_page_moved_on_from_is_lost(tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    if subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=48m", "tmpfs", str(disk)],
        check=False,
        capture_output=True,
    ).returncode:
        pytest.skip("no small disk can be mounted here")
    try:
        made = assign_task(tmp_path / "tides", change=disable_guard_time)
        browser = Chromium(disk / "profile", tmp_path / "downloads")
        try:
            browser.open(made.page)
            browser.press("2")
            fill_disk(disk)
            shown = browser.title
            browser.press("n")
            browser.send_keys("x" * 200)
            browser.click(".grade[data-grade='1']")
            moved = browser.title != shown
            if not moved:
                assert "Not saved" in browser.message
            (disk / "filler").unlink()
            browser.press(Keys.F5)
            assert grades(browser.stored_actions()) == [2, 1]
        finally:
            browser.quit()
    finally:
        subprocess.run(["umount", "-l", str(disk)], check=True)


def fill_disk(disk: Path) -> None:
    """Fill a disk completely."""
    with (disk / "filler").open("wb", buffering=0) as file:
        for size in (1 << 20, 1 << 12, 1):
            try:
                while True:
                    file.write(bytes(size))
            except OSError:
                continue


def test_a_comparison_is_resumed_with_identical_lists_recorded_automatically(
    chromium: Chromium, tmp_path: Path
) -> None:
    made = assign_comparison_task(tmp_path / "sides", change=disable_guard_time)
    chromium.open(made.page)
    chromium.press(Keys.ARROW_LEFT, "0")
    path = save_result(chromium)
    with open_project(made.project) as project:
        merge_files(project, [path])
        assert sorted(event.payload["winner"] for event in project.events.read("ann")) == [
            "left",
            "tie",
        ]
