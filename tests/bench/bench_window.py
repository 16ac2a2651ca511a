"""The window under load: theme, zoom and pages of large projects block it for at most 0.1 s."""

import json
import os
import subprocess
import sys
from pathlib import Path

from irjudge.judging import create_sample_project
from irjudge.model import Scale
from irjudge.store import Sources, create_project_from_files
from tests.bench.conftest import ROOT, Bench, too_slow

HERE = Path(__file__).parent


def test_no_step_blocks_the_window(bench: Bench, data: Path, tmp_path: Path) -> None:
    cran, path = data / "classic" / "cran", tmp_path / "cran.irjudge"
    files = Sources(
        documents=(cran / "cran.all.1400.trec-format",), topics=(cran / "cran.qry.trec-format",)
    )
    create_project_from_files(path, files, scale=Scale.parse("0-4"))
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "PYTHONPATH": str(ROOT)}
    command = [sys.executable, HERE / "use_window.py", tmp_path, path]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout)
    columns = [
        "milliseconds, the least of three",
        "until all is there",
        "longest gap",
        "computed in a gap",
    ]
    bench.show(
        f"The window under load; load of the machine {result['load'][0]:.1f}",
        columns,
        [(w, *row) for w, row in result["took"].items()],
    )
    assert result["marked"] and too_slow(result["took"], result["load"][0]) == {}


MAX_INDICATOR_MS = 100  # until a page shows its progress indicator


def test_a_computing_page_shows_its_progress_indicator_at_once(
    bench: Bench, tmp_path: Path
) -> None:
    path = tmp_path / "harbour.irjudge"
    create_sample_project(path, "harbour")
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "PYTHONPATH": str(ROOT)}
    command = [sys.executable, HERE / "show_progress_indicators.py", tmp_path, path]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout)
    middle = {page: times[len(times) // 2] for page, times in result["took"].items()}
    rows = [(page, *middle[page]) for page in middle]
    # a window that waits for a processor does not compute less
    busy = result["load"][0] > (os.cpu_count() or 1)
    bench.show(
        f"Until a page says that it works; load of the machine {result['load'][0]:.1f}",
        ["milliseconds, the median", "computed of that"],
        rows,
    )
    assert {page: took for page, took in middle.items() if took[busy] > MAX_INDICATOR_MS} == {}


def test_a_block_is_detected() -> None:
    took = {
        "quick": [900.0, 90.0, 80.0],
        "slow": [900.0, 101.0, 50.0],
        "ours": [900.0, 300.0, 250.0],
    }
    assert too_slow(took, load=0.0) == {"slow": 101.0, "ours": 300.0}
    assert too_slow(took, load=64.0 * (os.cpu_count() or 1)) == {"ours": 250.0}
