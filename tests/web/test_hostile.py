"""Tests of malicious documents and names in Chromium: no requests, no scripts, no keys lost."""

import socket
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from selenium.webdriver.common.keys import Keys

from irjudge.model import Document, Topic
from tests.journeys.test_hostile_documents import make_documents
from tests.web.browsers import Chromium, wait_until
from tests.web.tasks import assign_task, disable_guard_time

MARKUP = "<img src=x onerror='document.title=1'><script>document.title=2</script>&amp;\"'"
IS_UNHARMED = "return [document.title, !!window.state, document.querySelectorAll('iframe, object, embed, form[action], link, base').length]"
# names of properties that every JavaScript object has
INHERITED = ["constructor", "__proto__", "toString", "hasOwnProperty", "valueOf"]
MARKED = "return CSS.highlights.get('irjudge-own')?.size === 1 && document.activeElement.className === 'paper'"
TRAPS = {
    "names": "<p id=task name=task>a</p><form id=app name=body></form><a id=location name=cookie>b</a><p id='state'>c</p>",
    "keys": "<div tabindex=0 onkeydown='event.stopPropagation()' accesskey=2 contenteditable><input autofocus><textarea>x</textarea></div>",
    "cover": "<div style='position:fixed;inset:0;z-index:9999' class='banner'>over all</div><dialog open>no</dialog>",
    "ends": "</div></main></body></script></template><plaintext><!-- <noscript><style>*{display:none}</style>",
}


@pytest.fixture
def port() -> Iterator[tuple[int, list[bytes]]]:
    """A listening port, and the data it received."""
    heard: list[bytes] = []
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.1)
        over = threading.Event()

        def listen() -> None:
            while not over.is_set():
                try:
                    connection, _ = server.accept()
                    heard.append(connection.recv(200))
                    connection.close()
                except TimeoutError:
                    continue

        thread = threading.Thread(target=listen)
        thread.start()
        yield server.getsockname()[1], heard
        over.set()
        thread.join()


def test_no_document_sends_requests_runs_scripts_or_swallows_keys(
    chromium: Chromium, tmp_path: Path, port: tuple[int, list[bytes]]
) -> None:
    number, heard = port
    corpus = [
        Document(
            each.id,
            each.body.replace(b"127.0.0.1:9/", f"127.0.0.1:{number}/".encode()),
            each.title,
            each.kind,
        )
        for each in make_documents(tmp_path)
    ]
    corpus += [
        Document(f"trap-{name}", page.encode(), name, "html") for name, page in TRAPS.items()
    ]
    made = assign_task(
        tmp_path / "harm",
        [corpus],
        topics=[Topic("1", "harm")],
        scale="0-1",
        change=disable_guard_time,
    )
    chromium.open(made.page)
    title = chromium.js(IS_UNHARMED)
    for index in range(len(corpus)):
        assert chromium.js(IS_UNHARMED) == title
        chromium.js("document.querySelector('.paper').scrollTop = 1e9")
        chromium.press(str(index % 2))
        assert len(chromium.js("return document.querySelector('.state, .message').textContent")) > 0
    stored_actions = chromium.stored_actions()
    assert [action["payload"]["value"] for action in stored_actions] == [
        index % 2 for index in range(len(corpus))
    ]
    assert heard == []
    requests = chromium.js(
        "return performance.getEntriesByType('resource').map((entry) => entry.name)"
    )
    assert [name for name in requests if not name.startswith(("data:", "blob:"))] == []


def test_markup_in_ids_titles_notes_and_names_is_shown_as_text(
    chromium: Chromium, tmp_path: Path
) -> None:
    documents = [Document(f"{MARKUP}{index}", b"a tide", MARKUP) for index in range(2)]
    topics = [Topic(f"t{MARKUP}", MARKUP, MARKUP, MARKUP)]

    def insert_markup(task: dict[str, Any]) -> None:
        disable_guard_time(task)
        task.update(assessor=MARKUP, title=MARKUP)
        task["scale"]["grades"][1].update(label=MARKUP, help=MARKUP)

    chromium.open(
        assign_task(tmp_path / "markup", [documents], topics=topics, change=insert_markup).page,
        begin=False,
    )
    images = "return document.querySelectorAll('img, body script:not([type]) ~ img').length"
    assert MARKUP in chromium.text("dialog") and chromium.js(images) == 0
    chromium.press(Keys.ENTER, "n")
    chromium.send_keys(MARKUP, Keys.ENTER)
    chromium.wait_until_idle()
    chromium.press("h")
    chromium.send_keys(MARKUP[:90], Keys.ENTER)
    chromium.press("l")
    assert MARKUP in chromium.text("dialog .places")
    chromium.press(Keys.ESCAPE, "2", "1", Keys.ENTER)
    chromium.press_control(Keys.ENTER)
    assert chromium.js(images) == 0 and MARKUP in chromium.js("return document.title")
    chromium.press(Keys.ESCAPE)


def test_names_of_inherited_object_properties_are_plain_names(
    chromium: Chromium, tmp_path: Path
) -> None:
    def insert_names(task: dict[str, Any]) -> None:
        task["settings"]["guard_ms"] = 0
        task.update(
            assessor="__proto__", language="constructor", question="valueOf", unjudgeable=INHERITED
        )
        for grade, label in zip(task["scale"]["grades"], INHERITED, strict=False):
            grade.update(label=label, help=label)

    topics = [Topic(each, each, each) for each in INHERITED]
    documents = [
        [Document(f"{each}{index or ''}", f"{each} rises".encode(), each) for index in range(2)]
        for each in INHERITED
    ]
    made = assign_task(tmp_path / "inherited", documents, topics=topics, change=insert_names)
    chromium.open(made.page)
    text = chromium.js("return document.querySelector('.grade-card').textContent")
    assert all(each in text for each in INHERITED[:4]) and "native code" not in chromium.text(
        "main"
    )
    for index in range(len(INHERITED)):
        chromium.press("h")
        chromium.send_keys("rises", Keys.ENTER)
        wait_until(lambda: chromium.js(MARKED))
        # continue after the end of the topic
        chromium.press("x", Keys.ENTER, str(index % 4), *([Keys.ENTER] if index < 4 else []))
    stored_actions = chromium.stored_actions()
    assert [
        each["payload"]["reason"] for each in stored_actions if each["kind"] == "unjudgeable"
    ] == [INHERITED[0]] * len(INHERITED)
    chromium.open(made.page)
    chromium.press(Keys.BACKSPACE)
    wait_until(lambda: chromium.js(MARKED))


def test_an_external_link_asks_first(chromium: Chromium, tmp_path: Path) -> None:
    links = (
        "<p>See <a href='https://example.org/?a=<b>'>this</a> and <a href='#end'>the end</a>.</p>"
    )
    page = (links + "<p>word</p>" * 200 + "<p id=end>end</p>").encode()
    made = assign_task(
        tmp_path / "links",
        [[Document("d", page, "Links", "html")]],
        topics=[Topic("1", "links")],
        change=disable_guard_time,
        instructions="Read [the guide](https://example.com/guide) first.",
    )
    chromium.open(made.page, begin=False)
    chromium.js("document.querySelector('.instructions a').focus()")
    chromium.send_keys(Keys.ENTER)
    wait_until(lambda: chromium.text("dialog .address") == "https://example.com/guide")
    titles = "return [...document.querySelectorAll('dialog')].map((each) => document.getElementById(each.getAttribute('aria-labelledby')).textContent)"
    assert chromium.js(titles) == ["Instructions", "Open this address?"]
    chromium.press(Keys.ESCAPE)
    chromium.press(Keys.ESCAPE)
    tabs = len(chromium.driver.window_handles)
    chromium.click(".sheet a[data-link]")
    assert "https://example.org/" in chromium.text("dialog .address")
    chromium.press(Keys.ENTER)
    assert len(chromium.driver.window_handles) == tabs
    chromium.click(".sheet a[href]")
    assert (
        chromium.js("return document.querySelector('.paper').scrollTop") > 500
        and "#" not in chromium.driver.current_url
    )


OVERRIDE = "\u202e"


def test_a_long_title_does_not_widen_the_page_on_a_phone(
    chromium: Chromium, tmp_path: Path
) -> None:
    titles = ["A title " * 30, "tides" * 60, "short", "A title " * 30]
    documents = [
        Document(f"d{index}", b"The sea rises twice a day.", title)
        for index, title in enumerate(titles)
    ]
    topics = [Topic("1", "why are there two tides a day and not one, or three, " * 3)]
    page = assign_task(
        tmp_path / "long", [documents], topics=topics, change=disable_guard_time
    ).page
    chromium.set_screen(390, 844, touch=True)
    chromium.open(page)
    for grade in "0120":
        assert chromium.js("return [document.documentElement.scrollWidth, innerHeight]") == [
            390,
            844,
        ]
        chromium.press(grade)


def test_a_topic_without_a_description_is_shown_in_full_on_a_phone(
    chromium: Chromium, tmp_path: Path
) -> None:
    topics = [
        Topic("1", "why are there two tides a day and not one, or three, " * 3),
        Topic("2", "tide"),
    ]
    page = assign_task(tmp_path / "question", topics=topics, change=disable_guard_time).page
    chromium.set_screen(390, 844, touch=True)
    chromium.open(page)
    cut = """const title = document.querySelector('.topic h1');
      return title.scrollWidth > title.clientWidth || title.scrollHeight > title.clientHeight + 1"""
    offered = "return document.querySelector('.topic-more').checkVisibility()"
    seen = {}
    for _ in topics:
        chromium.run_async("requestAnimationFrame(() => requestAnimationFrame(arguments[0]))")
        seen[chromium.text(".topic h1")] = [chromium.js(cut), chromium.js(offered)]
        if chromium.js(offered):
            chromium.click(".topic-more")
            assert not chromium.js(cut)
        chromium.press(*"000000", Keys.ENTER)
    assert list(seen.values()) == [[True, True], [False, False]]


def test_a_direction_override_in_a_title_ends_with_it(chromium: Chromium, tmp_path: Path) -> None:
    documents = [Document(f"d{index}", b"The sea rises.", f"{OVERRIDE}abc") for index in range(3)]
    page = assign_task(
        tmp_path / "turned", [documents], topics=[Topic("1", "sea")], change=disable_guard_time
    ).page
    chromium.open(page)
    chromium.press("2")
    where = """
    const [text] = document.querySelector(".message p").childNodes, range = document.createRange();
    const left = (word) => {
      const at = text.data.indexOf(word);
      range.setStart(text, at);
      range.setEnd(text, at + word.length);
      return range.getBoundingClientRect().left;
    };
    return left("grade") < left("2.");
    """
    assert chromium.js(where)
