"""ruff and mypy are clean: their word is part of the tests, so that nobody has to remember them."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


# mypy makes much and drops little: to look for garbage takes a tenth of its time.
WITHOUT_COLLECTOR = "import gc; gc.disable(); gc.enable = gc.set_threshold = lambda *_: None; "
COMMANDS = {
    "ruff check": ["-m", "ruff", "check"],
    "ruff format": ["-m", "ruff", "format", "--check"],
    "mypy": ["-c", WITHOUT_COLLECTOR + "from mypy.__main__ import console_entry; console_entry()"],
}


@pytest.mark.parametrize("name", COMMANDS)
def test_the_code_is_clean(name: str) -> None:
    kept = (ROOT / ".mypy_cache").is_dir()
    made = {} if kept else {"MYPY_CACHE_DIR": os.devnull}  # to make one that nobody will use takes a fifth of the time
    command, environment = [sys.executable, *COMMANDS[name]], {**os.environ, **made}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
