"""A class in the session of a window: participants, browsers, and checks."""

import json
import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any, TypeVar

from irjudge.judging import get_ledger, project_labels
from irjudge.store import open_project
from irjudge.web import local_names
from tests.engine.exchange.classroom import build_class
from tests.engine.web.session_client import Person, send_request
from tests.web.browsers import Chromium, Firefox, wait_until

LEAD = Path(__file__).with_name("host_class_session.py")
OVERLAP = 3
# plain http with a host name, for which browsers offer neither Web Crypto nor locks
HOST = local_names()[-1]
B = TypeVar("B", Chromium, Firefox)


@dataclass
class WindowSession:
    """A window's session: its address, and the window's measurements at the end."""

    port: int
    code: str
    noted: dict[str, float] = field(default_factory=dict)


@contextmanager
def run_window_session(path: Path) -> Iterator[WindowSession]:
    """Run a window with a session in a child process."""
    command = [sys.executable, str(LEAD), str(path), str(path.with_suffix(".ini")), str(OVERLAP)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=LEAD.parents[2]
    ) as process:
        assert process.stdin and process.stdout
        port, code = process.stdout.readline().split()
        window_session = WindowSession(int(port), code)
        try:
            yield window_session
        finally:
            process.stdin.write("end\n")
            process.stdin.flush()
            window_session.noted |= json.loads(process.stdout.readline())
            process.wait(30)


def attend(
    led: WindowSession, number: int, scale: str, end: float, every: float
) -> tuple[Person, list[float]]:
    """Act as one participant: judge and wait, sometimes lose a response, leave and return."""
    chance, waits = Random(number), []
    person = Person(led, f"Person {number}")  # type: ignore[arg-type]
    time.sleep(chance.random() * every)
    while time.monotonic() < end:
        begun = time.monotonic()
        for index in person.open_items()[:1]:
            action = person.grade(index, chance.randrange(4), scale)
            if chance.random() < 0.03:
                person.undo(action)
                person.judged.discard(index)
        if (
            person.outbox and number % 10 == 0 and chance.random() < 0.3
        ):  # sent, but the response was lost
            headers = {"Authorization": f"Bearer {person.token}"}
            send_request(
                person.port,
                "/sync",
                {"protocol": 1, "client": person.client, "actions": person.outbox},
                headers=headers,
            )
        sent = time.monotonic()
        person.sync()
        waits.append(time.monotonic() - sent)
        if number % 7 == 0 and chance.random() < 0.05:
            time.sleep(every * 2)
            saved, judged = person.saved, person.judged
            person.open()
            person.saved, person.judged = saved, judged
        time.sleep(max(0.0, every - (time.monotonic() - begun)))
    person.sync(want=0)
    return person, waits


def start_browser(start: Callable[[], B], *, last: bool) -> B:
    """Start a browser; with `last` at the lowest priority.

    In a real class, each browser has a processor of its own.
    """
    if not last:
        return start()
    rank = os.sched_param(0)
    with ThreadPoolExecutor(
        1, initializer=lambda: os.sched_setscheduler(0, os.SCHED_IDLE, rank)
    ) as thread:  # inherited by child processes
        browser = thread.submit(start).result()
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(
            OSError
        ):  # it has ended meanwhile, or the priorities of Linux apply within the process group only
            pid = int(process.name)
            if os.sched_getscheduler(pid) == os.SCHED_IDLE and os.getsid(pid) != os.getsid(0):
                # otherwise its own process group gets a share of its own, even at low priority
                (process / "autogroup").write_text("19")
    return browser


def chromium(folder: Path, *, last: bool = False) -> Chromium:
    """Start Chromium, which resolves the teacher's host name to this machine."""
    return start_browser(
        lambda: Chromium(folder, folder, f"--host-resolver-rules=MAP {HOST} 127.0.0.1"), last=last
    )


def firefox(folder: Path, *, last: bool = False) -> Firefox:
    """Start Firefox."""
    return start_browser(lambda: Firefox(folder, HOST), last=last)


def judge_in_browser(
    browser: Any,
    go: Callable[[str], object],
    led: WindowSession,
    name: str,
    end: float,
    every: float,
) -> list[tuple[str, int]]:
    """Judge in a browser; return the ids of the actions that its page regards as acknowledged."""
    go(f"http://{HOST}:{led.port}/#{led.code}")
    wait_until(lambda: browser.js("return !!document.querySelector('.join')"), 60)
    assert browser.js("return [window.isSecureContext, typeof navigator.locks]") == [
        False,
        "undefined",
    ]
    browser.js(
        "document.querySelector('#name').value = arguments[0]; document.querySelector('.join button').click()",
        name,
    )
    wait_until(lambda: browser.js("return !!document.querySelector('.sheet h1')"), 60)
    browser.wait_until_idle()
    if browser.js("return !!document.querySelector('dialog[open]')"):
        browser.press("\ue007")
    while time.monotonic() < end:
        time.sleep(every)
        browser.press(str(int(time.monotonic()) % 4))
    wait_until(lambda: browser.text(".progress .unsaved") == "All sent", 60)
    return [(action["client"], action["number"]) for action in browser.stored_actions()]


@dataclass
class Outcome:
    """Judged number, sorted acknowledgement times in seconds, and the window's measurements."""

    judged: int
    late: int
    waits: list[float]
    noted: dict[str, float]


def run_class(
    path: Path,
    people: int,
    seconds: float,
    every: float,
    browsers: list[tuple[str, Any, Callable[[str], object]]],
) -> Outcome:
    """Let a class judge; check that nothing acknowledged is lost or doubled, and the overlap."""
    build_class(
        path,
        topics=tuple(map(str, range(10))),
        documents=max(40, int(people * seconds / every / OVERLAP / 10 * 1.5)),
    )
    with open_project(path) as opened:
        scale = opened.scale.version
    with run_window_session(path) as lesson, ThreadPoolExecutor(people + len(browsers)) as pool:
        end = time.monotonic() + seconds
        sitting = [
            pool.submit(judge_in_browser, browser, go, lesson, name, end, every)
            for name, browser, go in browsers
        ]
        results = list(
            pool.map(lambda number: attend(lesson, number, scale, end, every), range(people))
        )
        in_browsers = [each.result() for each in sitting]
    acknowledged = Counter(
        (each["client"], each["number"]) for person, _ in results for each in person.saved
    )
    acknowledged.update(name for mine in in_browsers for name in mine)
    assert all(mine for mine in in_browsers)
    with open_project(path, writing=False) as opened:
        stored_events = Counter((event.client, event.number) for event in opened.events.read())
        assert stored_events == acknowledged and set(stored_events.values()) == {1}
        labels = project_labels(opened)
        assert max(Counter(labels.item.tolist()).values()) <= OVERLAP
        every_one = sum(
            len(list(get_ledger(opened, name).judgments())) for name in opened.events.assessors()
        )
        late = sum(
            len(opened.sessions.late_items(person.id)) for person in opened.sessions.participants()
        )
        assert every_one - len(labels) == late
        assert opened.verify().problems == ()
    return Outcome(
        len(labels), late, sorted(wait for _, waits in results for wait in waits), lesson.noted
    )
