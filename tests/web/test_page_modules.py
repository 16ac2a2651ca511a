"""Tests of the page's modules in Node, without a browser."""

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.web.browsers import find_program

WEB, TESTS = Path(__file__).parents[2] / "resources" / "web", Path(__file__).parent / "modules"


@pytest.mark.parametrize("name", sorted(path.name for path in TESTS.glob("*.test.mjs")))
def test_the_modules_of_the_page_behave_as_specified(name: str, tmp_path: Path) -> None:
    for path in (*WEB.glob("*.js"), *TESTS.glob("*.mjs")):
        shutil.copy(path, tmp_path)
    (tmp_path / "package.json").write_text('{"type": "module"}', "utf-8")
    command = [find_program("node"), name]
    done = subprocess.run(
        command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode == 0, done.stdout + done.stderr
