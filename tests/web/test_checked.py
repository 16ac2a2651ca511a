"""The page's modules are clean: types, habits and form are checked by tools of npm, which live outside the project."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.web.browsers import program

ROOT = Path(__file__).parents[2]
WEB, CHECKS = ROOT / "resources" / "web", ROOT / ".ci" / "web"


@pytest.fixture(scope="session")
def tools(slow: None) -> Path:
    """The folder into which `npm ci` put what `.ci/web/package.json` names."""
    folder = Path(os.environ.get("IRJUDGE_WEB_TOOLS", "")) / "node_modules"
    if "IRJUDGE_WEB_TOOLS" not in os.environ or not folder.is_dir():
        sentence = "IRJUDGE_WEB_TOOLS names no folder with the packages of .ci/web/package.json"
        pytest.fail(sentence) if os.environ.get("CI") == "true" else pytest.skip(sentence)
    return folder


@pytest.fixture
def checked(tools: Path, tmp_path: Path) -> Path:
    """The page beside the tools, as they want it."""
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
def test_the_modules_of_the_page_are_clean(command: list[str], checked: Path) -> None:
    tool, *arguments = command
    words = [program("node"), str(checked / "node_modules" / tool), *arguments]
    done = subprocess.run(
        words, cwd=checked, capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode == 0, done.stdout + done.stderr
