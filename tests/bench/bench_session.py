"""A class of 60 for a minute and three browsers, in a window's session with 30 live measures.

Run it by name: python -m pytest tests/bench/bench_session.py -s
"""

from pathlib import Path

from tests.bench.class_session import chromium, firefox, run_class

PEOPLE, SECONDS, EVERY = 60, 60.0, 2.0


def test_a_class_of_sixty_gets_timely_responses(tmp_path: Path) -> None:
    first = chromium(tmp_path / "one", last=True)
    second = chromium(tmp_path / "two", last=True)
    third = firefox(tmp_path / "three", last=True)
    try:
        browsers = [
            ("Cleo", first, first.driver.get),
            ("Dan", second, second.driver.get),
            ("Eva", third, third.driver.navigate),
        ]
        done = run_class(tmp_path / "class.irjudge", PEOPLE, SECONDS, EVERY, browsers)
    finally:
        for each in (first, second, third):
            each.quit()
    p50, p99 = (done.waits[len(done.waits) * share // 100] * 1000 for share in (50, 99))
    print(  # noqa: T201
        f"\n{done.judged} judgments count, {done.late} late; acknowledged in {p50:.0f} ms (median), {p99:.0f} ms (99 %)"
    )
    print(f"the window: {done.noted}")  # noqa: T201
    assert p99 < 100 and done.noted["latest"] < 100
