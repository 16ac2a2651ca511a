"""Who adds something writes it in one place, and finds it wherever a person would look."""

import os
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.parametrize("what", ["measure", "side", "statistic", "rule", "form", "action"])
def test_what_is_declared_in_one_place_is_found_everywhere(what: str) -> None:
    root = Path(__file__).parent.parent
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    done = subprocess.run(
        [sys.executable, "-m", "tests.declared_anew", what], cwd=root, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
