"""A class in short: people and two real browsers against the window's session, with the live view of thirty measures open.

The long form, and its times, is `tests/bench/bench_session.py`.
"""

from pathlib import Path

from tests.bench.class_at_work import chromium, firefox, hold_class
from tests.lengths import either


def test_nothing_is_lost_or_doubled_and_the_overlap_holds(tmp_path: Path) -> None:
    first, second = chromium(tmp_path / "one"), firefox(tmp_path / "two")
    try:
        browsers = [("Cleo", first, first.driver.get), ("Dan", second, second.driver.navigate)]
        done = hold_class(tmp_path / "class.irjudge", 12, either(5.0, 30.0), 0.5, browsers)
    finally:
        first.quit()
        second.quit()
    assert done.judged > 50 and done.noted["measures"] == 30 and done.noted["tables"] > 1
