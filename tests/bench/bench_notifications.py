"""Notification times of sixty pages that judge and poll, and times of acknowledgements.

Run it by name: python -m pytest tests/bench/bench_notifications.py -s
"""

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from irjudge.store import ENDED, OPEN, PAUSED, open_project
from irjudge.web import SchedulingOptions, Server, SessionOptions, SharedSession
from tests.engine.exchange.classroom import build_class
from tests.engine.web.session_client import Json, Person, run_server

PAGES, SECONDS, EVERY = 60, 12.0, 2.0


def listen(person: Person, heard: list[float]) -> None:
    """Poll for notifications until the end, and record their times."""
    known: Json = {"state": "open", "message": "", "aside": False}
    while known["state"] != ENDED:
        response = person.call("/news", {"known": known})
        fresh = {name: response[name] for name in known}
        if fresh != known:
            heard.append(time.monotonic())
        known = fresh


def work(person: Person, late: float, end: float, scale: str) -> list[float]:
    """Judge at a steady pace; return the time of each acknowledgement."""
    waits = []
    time.sleep(late)
    while time.monotonic() < end:
        begun = time.monotonic()
        if items := person.open_items():
            person.grade(items[0], 1, scale)
        person.sync()
        waits.append(time.monotonic() - begun)
        time.sleep(max(0.0, EVERY - (time.monotonic() - begun)))
    return waits


def lag(server: Server, action: Callable[[SharedSession], None], heard: list[float]) -> float:
    """Return the seconds until the last page was notified."""
    before, begun = len(heard), time.monotonic()
    server.lead(action)
    while len(heard) < before + PAGES:
        time.sleep(0.005)
    return heard[before + PAGES - 1] - begun


def test_sixty_pages_are_notified_within_a_second(tmp_path: Path) -> None:
    path = tmp_path / "class.irjudge"
    build_class(path, topics=tuple(map(str, range(6))), documents=60)
    with open_project(path) as opened:
        scale = opened.scale.version
    heard, lags = list[float](), []
    with (
        run_server(path, SessionOptions(SchedulingOptions(overlap=3))) as server,
        ThreadPoolExecutor(2 * PAGES) as pool,
    ):
        people = [Person(server, f"Person {number}") for number in range(PAGES)]
        listening = [pool.submit(listen, person, heard) for person in people]
        end = time.monotonic() + SECONDS
        working = [
            pool.submit(work, person, number / PAGES * EVERY, end, scale)
            for number, person in enumerate(people)
        ]
        for action in (
            lambda session: session.set_state(PAUSED),
            lambda session: session.set_state(OPEN),
            lambda session: session.set_message("Five minutes."),
        ):
            time.sleep(SECONDS / 5)
            lags.append(lag(server, action, heard))
        waits = sorted(wait for each in working for wait in each.result())
        lags.append(lag(server, lambda session: session.set_state(ENDED), heard))
        for each in listening:
            each.result()
    p50, p99 = waits[len(waits) // 2] * 1000, waits[len(waits) * 99 // 100] * 1000
    print(f"\nheard by all {PAGES} after {[round(each * 1000) for each in lags]} ms")  # noqa: T201
    print(  # noqa: T201
        f"acknowledged in {p50:.0f} ms (median), {p99:.0f} ms (99 %), with all pages in the process of the server"
    )
    assert max(lags) < 1
