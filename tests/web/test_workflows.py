"""Two workflows by visible elements only: a paid participant on a phone, and a host of 500."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from irjudge.store import OPEN, PAUSED
from irjudge.web import (
    CrowdPanel,
    SchedulingOptions,
    Server,
    ServerAddress,
    SessionOptions,
    StartPage,
    SurveyQuestion,
)
from tests.engine.exchange.classroom import build_class
from tests.engine.web.session_client import Person, make_server
from tests.web.browsers import Chromium, wait_until
from tests.web.conftest import HOST, PICTURES
from tests.web.test_layout import LAYOUT_PROBLEMS
from tests.web.test_session import is_all_sent

EACH, TAPS = 3, 6  # documents, and taps besides one for each document
CROWD, BY_HTTP, AT_ONE_ADDRESS = 500, 40, 100
SOON = 1.0  # seconds; checked only with `--full`, when no other test is running
# The middle of the only visible element with this text, where a finger would hit it; scrolled to if
# necessary.
VISIBLE_ELEMENT = """
const [words] = arguments, kinds = "button, label, a, summary";
const named = (part) => part.innerText.trim() || part.getAttribute("aria-label") || "";
const fits = [...document.querySelectorAll(kinds)].filter((part) => named(part).startsWith(words) && part.checkVisibility());
if (fits.length !== 1) return fits.length;
fits[0].scrollIntoView({ block: "nearest" });
const box = fits[0].getBoundingClientRect(), place = [box.left + box.width / 2, box.top + box.height / 2];
const hit = document.elementFromPoint(...place);
return hit && (fits[0].contains(hit) || hit.contains(fits[0])) ? place : -1;
"""


class TouchUser:
    """Taps visible elements of a page on a phone, and counts the taps."""

    def __init__(self, phone: Chromium) -> None:
        self.phone, self.taps = phone, 0

    def tap(self, label: str) -> None:
        """Tap the element whose text begins with the given words."""
        wait_until(lambda: isinstance(self.phone.js(VISIBLE_ELEMENT, label), list))
        x, y = self.phone.js(VISIBLE_ELEMENT, label)
        for kind, points in (("touchStart", [{"x": x, "y": y}]), ("touchEnd", [])):
            self.phone.driver.execute_cdp_cmd(
                "Input.dispatchTouchEvent", {"type": kind, "touchPoints": points}
            )
        self.taps += 1

    def type(self, field: str, text: str) -> None:
        """Tap a field and type into it with the phone's keyboard."""
        self.tap(field)
        self.phone.driver.execute_cdp_cmd("Input.insertText", {"text": text})

    def shows(self, text: str) -> Callable[[], bool]:
        return lambda: text in self.phone.js("return document.body.innerText")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    path = tmp_path / "class.irjudge"
    build_class(path, topics=("051",), documents=8)
    return path


@contextmanager
def run_server(project: Path, options: SessionOptions, device: Chromium) -> Iterator[Server]:
    server = make_server(project, options, address=ServerAddress(names=(HOST,)))
    server.start()
    try:
        yield server
    finally:
        device.clear_storage(f"http://{HOST}:{server.port}")
        server.stop()


def test_a_paid_participant_on_a_phone_judges_and_copies_the_completion_code(
    device: Chromium, project: Path
) -> None:
    panel = CrowdPanel(
        "prolific",
        "PROLIFIC_PID",
        completion="https://panel.example/done?cc=C123",
        code="C123",
        each=EACH,
    )
    often = SurveyQuestion("often", "How often do you search?", ("daily", "rarely"))
    start = StartPage(
        "You may stop at any time.", 3, (often,), (SurveyQuestion("hard", "What was hard?"),)
    )
    with run_server(
        project, SessionOptions(SchedulingOptions(overlap=2), panel=panel, start=start), device
    ) as server:
        device.set_screen(390, 844, touch=True)
        finger = TouchUser(device)
        device.driver.get(
            f"http://{HOST}:{server.port}/?PROLIFIC_PID=5f0a61c2e9d34b7f8a90c1d2&code={server.code}"
        )
        finger.tap("rarely")
        finger.tap("Agree and start")
        wait_until(lambda: device.js("return !!document.querySelector('.sheet h1')"))
        device.wait_until_idle()
        if device.js("return !!document.querySelector('dialog[open]')"):
            finger.tap("Start")
        for index in range(EACH):
            before = device.title
            device.run_async("setTimeout(arguments[0], 100)")  # the document has only just appeared
            finger.tap(str(index % 3))
            wait_until(
                lambda before=before: (
                    device.title != before or bool(finger.shows("What was hard?")())
                )
            )
        finger.type("What was hard?", "Nothing.")
        finger.tap("Send the answers")
        wait_until(finger.shows("C123"))
        device.snap(PICTURES / "road_worker.png")
        assert finger.shows("Copy the code")() and finger.shows("Complete the submission")()
        assert finger.taps - EACH <= TAPS
        wait_until(lambda: is_all_sent(device))
        (survey,) = server.lead(lambda session: session.store.surveys()).values()
        assert (survey["often"], survey["hard"]) == ("rarely", "Nothing.")
        assert [
            seat.judged for seat in server.lead(lambda session: session.status()).participants
        ] == [EACH]


def test_the_host_of_five_hundred_finds_any_participant_within_a_second(
    device: Chromium, project: Path, full: bool
) -> None:
    """With `--full`, all of them join and fetch their work by HTTP, as browsers do."""
    with run_server(project, SessionOptions(SchedulingOptions(overlap=CROWD)), device) as server:
        names = [f"Worker {number:03}" for number in range(CROWD)]
        count = CROWD if full else BY_HTTP
        people = [
            Person(server, name, source=f"127.0.0.{2 + index // AT_ONE_ADDRESS}")
            for index, name in enumerate(names[:count])
        ]
        for person in people:
            person.sync()
        server.lead(lambda session: [session.join(name) for name in names[count:]])
        device.set_screen(1366, 768)
        device.driver.get(f"http://{HOST}:{server.port}/lead#{server.leader}")
        wait_until(lambda: device.text(".lead-people h2") == f"Participants: {CROWD}")
        device.snap(PICTURES / "road_leader.png")
        assert (
            device.js(
                LAYOUT_PROBLEMS,
                ".lead-side *, .lead-state, .lead-people h2, .lead-people th, h1, h2",
                False,
            )
            == []
        )
        device.js("document.querySelector('[aria-label=\"Find a participant\"]').focus()")
        begun = time.monotonic()
        device.driver.execute_cdp_cmd("Input.insertText", {"text": "Worker 321"})
        wait_until(
            lambda: (
                device.js("return document.querySelectorAll('.lead-people tbody tr').length") == 1
            )
        )
        assert not full or time.monotonic() - begun < SOON
        for label, state in (("Pause", PAUSED), ("Continue", OPEN)):
            begun = time.monotonic()
            device.click_button(label)
            wait_until(
                lambda state=state: (device.text(".lead-state") == "Paused") == (state == PAUSED)
            )
            took = time.monotonic() - begun
            assert not full or took < SOON, f"{label} took {took:.1f} s"
            assert server.lead(lambda session: session.state) == state == people[0].sync()["state"]
