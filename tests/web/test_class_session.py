"""A short class test: participants and two browsers in a session, with the live page open.

The long form and its timings are in `tests/bench/bench_session.py`.
"""

from pathlib import Path

from tests.bench.class_session import run_class
from tests.lengths import short_or_long
from tests.web.browsers import Chromium, Firefox


def test_no_judgment_is_lost_or_doubled_and_the_overlap_is_reached(
    device: Chromium, firefox: Firefox, tmp_path: Path
) -> None:
    browsers = [("Cleo", device, device.driver.get), ("Dan", firefox, firefox.driver.navigate)]
    try:
        done = run_class(tmp_path / "class.irjudge", 12, short_or_long(5.0, 30.0), 0.5, browsers)
    finally:
        device.clear_storage(device.js("return location.origin"))
    assert done.judged > 50 and done.noted["measures"] == 30 and done.noted["tables"] > 1
