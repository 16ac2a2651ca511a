"""Static checks of the page's modules: types, lint and format, by npm tools outside the project."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.web.browsers import find_program

ROOT = Path(__file__).parents[2]
WEB, CHECKS = ROOT / "resources" / "web", ROOT / ".ci" / "web"


@pytest.fixture(scope="session")
def tools(slow: None) -> Path:
    """The folder into which `npm ci` installed the packages of `.ci/web/package.json`."""
    folder = Path(os.environ.get("IRJUDGE_WEB_TOOLS", "")) / "node_modules"
    if "IRJUDGE_WEB_TOOLS" not in os.environ or not folder.is_dir():
        sentence = "IRJUDGE_WEB_TOOLS names no folder with the packages of .ci/web/package.json"
        pytest.fail(sentence) if os.environ.get("CI") == "true" else pytest.skip(sentence)
    return folder


@pytest.fixture
def page_copy(tools: Path, tmp_path: Path) -> Path:
    """A copy of the page in the folder layout that the tools expect."""
    shutil.copytree(WEB, tmp_path / "resources" / "web")
    shutil.copytree(
        CHECKS, tmp_path / "checks" / "web", ignore=shutil.ignore_patterns("node_modules")
    )
    shutil.copy(CHECKS / "eslint.config.mjs", tmp_path)
    (tmp_path / "node_modules").symlink_to(tools)
    return tmp_path


@pytest.mark.parametrize(
    "command",
    [
        ["typescript/bin/tsc", "-p", "checks/web/tsconfig.json"],
        ["eslint/bin/eslint.js", "resources/web"],
        [
            "prettier/bin/prettier.cjs",
            "--config",
            "checks/web/prettier.json",
            "--check",
            "resources/web",
        ],
    ],
    ids=["types", "habits", "form"],
)
def test_the_modules_of_the_page_pass_all_checks(command: list[str], page_copy: Path) -> None:
    tool, *arguments = command
    check_command = [find_program("node"), str(page_copy / "node_modules" / tool), *arguments]
    done = subprocess.run(
        check_command, cwd=page_copy, capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode == 0, done.stdout + done.stderr
