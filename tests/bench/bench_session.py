"""A class of 60 for a minute: one judgment every 2 s each, a tenth with a bad network. Run it by its name, not with the tests.

python -m pytest tests/bench/bench_session.py -s
"""

import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random

from irjudge.store.project import open_project
from tests.engine.exchange.classroom import build
from tests.engine.web.browsing import Person, ask
from tests.engine.web.test_server import Served

PEOPLE, SECONDS, EVERY = 60, 60.0, 2.0


def attend(served: Served, number: int, scale: str, end: float) -> tuple[Person, list[float]]:
    """One person: judges, waits, and now and then is not answered."""
    chance, waits = Random(number), []
    person = Person(served, f"Person {number}")  # type: ignore[arg-type]
    time.sleep(chance.random() * EVERY)
    while time.monotonic() < end:
        begun = time.monotonic()
        for place in person.open_places()[:1]:
            person.grade(place, chance.randrange(4), scale)
        if person.outbox and number % 10 == 0 and chance.random() < 0.2:
            ask(person.port, "/sync", {"protocol": 1, "actions": person.outbox}, headers={"Authorization": f"Bearer {person.token}"})
        sent = time.monotonic()
        person.sync()
        waits.append(time.monotonic() - sent)
        time.sleep(max(0.0, EVERY - (time.monotonic() - begun)))
    person.sync(want=0)
    return person, waits


def test_a_class_of_sixty(tmp_path: Path) -> None:
    path = tmp_path / "class.irjudge"
    build(path, topics=tuple(map(str, range(10))), documents=200)
    with open_project(path) as opened:
        scale = opened.scale.version
    served = Served(path, "--overlap", "3")
    with ThreadPoolExecutor(PEOPLE) as pool:
        end = time.monotonic() + SECONDS
        found = list(pool.map(lambda number: attend(served, number, scale, end), range(PEOPLE)))
    served.strike(2)
    waits = sorted(wait for _, mine in found for wait in mine)
    saved = {(each["client"], each["number"]) for person, _ in found for each in person.saved}
    with open_project(path, writing=False) as opened:
        kept = [(event.client, event.number) for event in opened.events.read()]
        assert opened.verify().faults == ()
    assert set(kept) == saved and len(kept) == len(saved)
    p50, p99 = (waits[len(waits) * share // 100] * 1000 for share in (50, 99))
    print(f"\n{len(kept)} judgments; acknowledged in {p50:.0f} ms (median), {p99:.0f} ms (99 %), {waits[-1] * 1000:.0f} ms at most")  # noqa: T201
