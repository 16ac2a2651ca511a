"""Result pages in the window: no step may block it, for any number of runs, topics, measures."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.bench.conftest import too_slow

HERE = Path(__file__).parent
MAX_PEAK_MB = 1000  # limit
COLUMNS = ["milliseconds", "until all is there", "longest gap", "computed in a gap"]
SIZES = [(129, 50), (100, 250)]


@pytest.mark.parametrize(("runs", "topics"), SIZES, ids=["129x50", "100x250"])
def test_result_pages_do_not_block_the_window(
    bench, tmp_path: Path, runs: int, topics: int
) -> None:
    command = [sys.executable, HERE / "evaluate_big_project.py", tmp_path, str(runs), str(topics)]
    done = subprocess.run(
        command,
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout)
    load = ", ".join(f"{each:.1f}" for each in result["load"])
    title = f"{runs} runs x {topics} topics x 30 measures; peak memory {result['peak']:.0f} MB; load {load} on {os.cpu_count()} cores"
    bench.show(title, COLUMNS, [(what, *took) for what, took in result["took"].items()])
    del result["took"]["open"]  # has its own limit
    assert too_slow(result["took"], result["load"][0]) == {} and result["peak"] < MAX_PEAK_MB
