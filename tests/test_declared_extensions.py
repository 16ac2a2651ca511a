"""Tests that an extension declared in one place is listed everywhere."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def declaration_process() -> subprocess.CompletedProcess[str]:
    """Return the process that declares an extension of each kind and checks where it is listed."""
    root = Path(__file__).parent.parent
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    command = [sys.executable, "-m", "tests.declared_extensions"]
    return subprocess.run(
        command, cwd=root, env=environment, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize(
    "what", ["measure", "side", "statistic", "agreement", "figure", "rule", "form", "action"]
)
def test_an_extension_declared_once_is_listed_everywhere(
    what: str, declaration_process: subprocess.CompletedProcess[str]
) -> None:
    assert f"found {what}\n" in declaration_process.stdout, declaration_process.stderr
