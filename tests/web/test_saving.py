"""Saving in a real Chromium: the result file, going on from it, and storage that is refused, full, or thrown away."""

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
from tests.web.tasks import Handed, at_once, compared, handed

RESULT = "ann.result.json"
REFUSED = "Object.defineProperty(window, 'indexedDB', { get() { throw new DOMException('no', 'SecurityError'); } });"
# Stands for the dialog of the system in which a person chooses a file: what is written can be looked at.
CHOSEN = """
window.written = [];
class Stream { async write(more) { this.text = (this.text ?? "") + more; } async close() { window.written.push(this.text); } }
window.showSaveFilePicker = async ({ suggestedName }) => ({ name: suggestedName, createWritable: async () => new Stream() });
"""
BURNING = """
window.real = IDBDatabase.prototype.transaction;
IDBDatabase.prototype.transaction = () => { throw new DOMException('disk on fire'); };
"""


@pytest.fixture
def page(chromium: Chromium, tides: Handed) -> Iterator[Chromium]:
    chromium.open(tides.page)
    return chromium


def save(browser: Chromium) -> Path:
    """Save by the key; return the file once the page knows too that it was saved, which it does a little later."""
    browser.control("s")
    path = browser.downloaded(RESULT)
    wait_until(
        lambda: (
            browser.message.startswith("Saved as")
            or browser.text(".progress .unsaved") == "Everything saved to file"
        )
    )
    return path.rename(path.with_name(f"{len(list(path.parent.glob('*')))}-{RESULT}"))


def take(browser: Chromium, path: Path) -> str:
    """Go on from a result file; return what the page says of it."""
    browser.js("document.querySelector('dialog')?.close()")
    browser.js(
        "const input = document.querySelector('input[type=file]'); input.hidden = false; input.value = ''"
    )
    browser.driver.find_element("css selector", "input[type=file]").send_keys(str(path))
    browser.later(
        "const done = arguments[0]; const look = () => document.querySelector('dialog') ? done() : setTimeout(look, 5); look()"
    )
    browser.settle()
    return browser.text("dialog")


def grades(actions: list[dict[str, Any]]) -> list[int]:
    return [action["payload"]["value"] for action in actions if action["kind"] == "grade"]


def test_one_key_saves_the_result_and_what_is_not_in_a_file_is_counted(
    page: Chromium, tides: Handed
) -> None:
    page.press("2", "u")
    assert page.text(".progress .unsaved") == "Not saved to file: 2"
    saved = json.loads(save(page).read_text(encoding="utf-8"))
    assert page.text(".progress .unsaved") == "Everything saved to file"
    assert (
        saved["irjudge"] == "result"
        and saved["assessor"] == "ann"
        and saved["receipt"]["count"] == 2
    )
    assert [json.loads(text) for _, text in saved["actions"]] == page.kept()
    page.press("1")
    assert page.text(".progress .unsaved") == "Not saved to file: 1"


def test_the_result_merges_and_its_receipt_is_that_of_the_page(
    page: Chromium, tides: Handed
) -> None:
    page.press("2", "1")
    page.control(Keys.ENTER)
    page.button("Submit")
    path = page.downloaded(RESULT)
    last = json.loads(path.read_text(encoding="utf-8"))["receipt"]["last"]
    wait_until(lambda: page.text("dialog .code") != "")
    assert page.text("dialog .code").replace(" ", "") == last[:12]
    with open_project(tides.project) as project:
        assert "new" in str(merge_files(project, [path]))
        assert sorted(event.payload["value"] for event in project.events.read("ann")) == [1, 2]


def test_work_goes_on_from_the_file_on_another_machine(page: Chromium, tides: Handed) -> None:
    page.press("2", "1", "3")
    title = page.title
    path = save(page)
    before = page.kept()
    page.forget_storage()
    page.open(tides.page)
    assert page.kept() == [] and page.title != title
    assert "Judgments imported: 3" in take(page, path)
    page.press(Keys.ENTER)
    assert page.kept() == before and page.title == title
    page.press("0")
    assert (
        grades(page.kept()) == [2, 1, 3, 0]
        and page.kept()[3]["client"] != before[0]["client"]
        and page.kept()[3]["number"] == 1
    )
    assert "nothing new" in take(page, path)


def test_of_a_cut_or_changed_file_the_sound_part_is_taken_and_said(
    page: Chromium, tides: Handed
) -> None:
    page.press("2", "1", "3")
    text = save(page).read_text(encoding="utf-8")
    cut = page.downloads / "cut.json"
    changed = page.downloads / "changed.json"
    other = page.downloads / "other.json"
    lines = text.split("\n")
    cut.write_text("\n".join(lines[:3])[:-7], encoding="utf-8")
    changed.write_text(text.replace('\\"value\\":1', '\\"value\\":0'), encoding="utf-8")
    other.write_text(text.replace(json.loads(text)["assignment"], "0" * 32), encoding="utf-8")
    for path in (cut, changed):
        page.forget_storage()
        page.open(tides.page)
        said = take(page, path)
        assert "was truncated or changed" in said and "before the damaged part: 1" in said
        assert grades(page.kept()) == [2]
    assert "another task" in take(page, other)
    (page.downloads / "poem.json").write_text("A poem", encoding="utf-8")
    assert "not an irjudge result file" in take(page, page.downloads / "poem.json")


def test_two_different_works_are_never_mixed(page: Chromium, tides: Handed) -> None:
    page.press("2")
    path = save(page)
    page.forget_storage()
    page.open(tides.page)
    page.press("1", "1")
    assert "Two versions of your work" in take(page, path)
    page.press(Keys.ENTER)
    assert grades(page.kept()) == [1, 1]
    take(page, path)
    page.button("Save this work")
    page.downloaded(RESULT)
    wait_until(lambda: grades(page.kept()) == [2])


def test_a_chosen_file_is_written_by_itself_from_then_on(chromium: Chromium, tides: Handed) -> None:
    script = chromium.before_pages(CHOSEN)
    try:
        chromium.open(tides.page)
        chromium.press("2")
        chromium.control("s")
        wait_until(lambda: "saved automatically" in chromium.message)
        chromium.press("1")
        chromium.later(
            "const done = arguments[0]; const look = () => window.written.length > 1 ? done() : setTimeout(look, 20); look()"
        )
        written = chromium.js("return window.written")
        assert [json.loads(each)["receipt"]["count"] for each in written] == [1, 2]
    finally:
        chromium.forget(script)


def test_a_browser_without_storage_says_so_before_the_first_judgment(
    chromium: Chromium, tides: Handed
) -> None:
    script = chromium.before_pages(REFUSED)
    try:
        chromium.open(tides.page, begin=False)
        assert "This browser does not store data" in chromium.text("dialog")
        chromium.press(Keys.ENTER, "2", "1")
        assert "saves nothing" in chromium.text(".progress")
        path = save(chromium)
        chromium.open(tides.page, begin=False)
        assert "Judgments imported: 2" in take(chromium, path)
    finally:
        chromium.forget(script)


def test_what_the_browser_throws_away_while_the_page_is_open_is_kept_again(
    page: Chromium, tides: Handed
) -> None:
    page.press("2", "1")
    page.driver.execute_cdp_cmd(
        "Storage.clearDataForOrigin", {"origin": "file://", "storageTypes": "all"}
    )
    page.press("3")
    page.open(tides.page)
    assert grades(page.kept()) == [2, 1, 3]


def test_leaving_with_unsaved_work_asks(page: Chromium) -> None:
    asked = "const event = new Event('beforeunload', { cancelable: true }); dispatchEvent(event); return event.defaultPrevented"
    assert not page.js(asked)
    page.press("2")
    assert page.js(asked)
    save(page)
    assert not page.js(asked)


def test_a_note_that_is_still_being_typed_is_no_unsaved_work(page: Chromium) -> None:
    page.press("n")
    page.send("see")
    page.js("dispatchEvent(new Event('pagehide'))")
    page.settle()
    asked = "const event = new Event('beforeunload', { cancelable: true }); dispatchEvent(event); return event.defaultPrevented"
    assert [action["kind"] for action in page.kept()] == ["draft"] and not page.js(asked)


def test_where_another_tab_was_faster_its_work_stays_and_that_is_said(page: Chromium) -> None:
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
    assert page.later(faster)
    page.press("2")
    assert page.title == title and "another tab" in page.message
    assert [action["kind"] for action in page.kept()] == ["of another tab"]


def test_what_waits_is_numbered_anew_behind_what_is_saved_before_it(page: Chromium) -> None:
    page.press("2")
    page.js(BURNING)
    page.press("3", "u")
    page.js("IDBDatabase.prototype.transaction = window.real")
    page.press(Keys.F5)
    assert [(action["number"], action["kind"]) for action in page.kept()] == [
        (1, "grade"),
        (2, "unsure"),
        (3, "grade"),
    ]


def test_when_nothing_can_be_written_the_document_stays_and_so_does_what_was_typed(
    page: Chromium, tides: Handed
) -> None:
    page.press("2")
    title = page.title
    page.js(BURNING)
    page.press("n")
    page.send("a note")
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
    assert [action["kind"] for action in page.kept()] == ["grade", "note", "grade"] and grades(
        page.kept()
    ) == [2, 3]


@pytest.mark.skipif(
    os.name != "posix" or os.geteuid() != 0, reason="only root can mount a small disk"
)
def test_on_a_full_disk_nothing_is_lost_that_the_page_moved_on_from(tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    if subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=48m", "tmpfs", str(disk)],
        check=False,
        capture_output=True,
    ).returncode:
        pytest.skip("no small disk can be mounted here")
    try:
        made = handed(tmp_path / "tides", change=at_once)
        browser = Chromium(disk / "profile", tmp_path / "downloads")
        try:
            browser.open(made.page)
            browser.press("2")
            _fill(disk)
            shown = browser.title
            browser.press("n")
            browser.send("x" * 200)
            browser.click(".grade[data-grade='1']")
            moved = browser.title != shown
            if not moved:
                assert "Not saved" in browser.message
            (disk / "filler").unlink()
            browser.press(Keys.F5)
            assert grades(browser.kept()) == [2, 1]
        finally:
            browser.quit()
    finally:
        subprocess.run(["umount", "-l", str(disk)], check=True)


def _fill(disk: Path) -> None:
    """Leave no byte on a disk."""
    with (disk / "filler").open("wb", buffering=0) as file:
        for size in (1 << 20, 1 << 12, 1):
            try:
                while True:
                    file.write(bytes(size))
            except OSError:
                continue


def test_a_comparison_comes_back_with_what_was_recorded_without_being_asked(
    chromium: Chromium, tmp_path: Path
) -> None:
    made = compared(tmp_path / "sides", change=at_once)
    chromium.open(made.page)
    chromium.press(Keys.ARROW_LEFT, "0")
    path = save(chromium)
    with open_project(made.project) as project:
        merge_files(project, [path])
        assert sorted(event.payload["winner"] for event in project.events.read("ann")) == [
            "left",
            "tie",
        ]
