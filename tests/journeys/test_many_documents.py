"""Test of rapid judging in a project of many documents: one event per key, in order."""

import json
import os
import subprocess
import sys
from pathlib import Path
from statistics import median
from typing import Any

import pytest

from irjudge.store import open_project

# has the long form: a million documents, 10,000 keys, and time limits
BENCH = Path(__file__).parents[1] / "bench"
DOCUMENTS, KEYS = 10_000, 100


def run_python(script: str, *arguments: object) -> str:
    command = [sys.executable, str(BENCH / script), *map(str, arguments)]
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def project_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return Path(run_python("big_project.py", DOCUMENTS, tmp_path_factory.mktemp("many")).strip())


def print_timing(result: dict[str, Any]) -> None:
    """Print the timing, without a limit, since it depends on the machine and its load."""
    for what, values in sorted(result["took"].items()):
        print(f"{what}: {len(values)}, median {median(values):.1f} ms, most {max(values):.1f} ms")  # noqa: T201
    print(  # noqa: T201
        f"longest gap {max(result['gaps']['keys']):.0f} ms; peak memory {max(result['peaks'].values()):.0f} MB"
    )


def test_every_key_leaves_one_event_in_order(project_path: Path) -> None:
    result = json.loads(
        run_python(
            "judge_big_project.py", project_path, project_path.with_name("settings.ini"), KEYS
        )
    )
    print_timing(result)
    with open_project(project_path) as project:
        written = [
            [event.kind, event.item.topic, event.item.documents[0]]
            for event in project.events.read()
        ]
        assert len(written) == KEYS
        assert written == result["events"]
        assert {kind for kind, _, _ in written} == {"grade", "skip", "unsure", "note", "undo"}
        assert project.verify().problems == ()
