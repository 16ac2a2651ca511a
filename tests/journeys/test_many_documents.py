"""Many keys one after the other in the real window leave one event each, in order, in a project of many documents."""

import json
import os
import subprocess
import sys
from pathlib import Path
from statistics import median
from typing import Any

import pytest

from irjudge.store import open_project

# the long form is there: a million documents, 10,000 keys, and bars to meet
BENCH = Path(__file__).parents[1] / "bench"
DOCUMENTS, KEYS = 10_000, 100


def python(script: str, *arguments: object) -> str:
    command = [sys.executable, str(BENCH / script), *map(str, arguments)]
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return Path(python("big_project.py", DOCUMENTS, tmp_path_factory.mktemp("many")).strip())


def show(result: dict[str, Any]) -> None:
    """Print what was measured: figures depend on the machine and on what else it does, so none is demanded."""
    for what, values in sorted(result["took"].items()):
        print(f"{what}: {len(values)}, median {median(values):.1f} ms, most {max(values):.1f} ms")  # noqa: T201
    print(  # noqa: T201
        f"longest gap {max(result['gaps']['keys']):.0f} ms; peak memory {max(result['peaks'].values()):.0f} MB"
    )


def test_every_key_leaves_one_event_in_order(path: Path) -> None:
    result = json.loads(python("judge_big_project.py", path, path.with_name("settings.ini"), KEYS))
    show(result)
    with open_project(path) as project:
        written = [
            [event.kind, event.item.topic, event.item.documents[0]]
            for event in project.events.read()
        ]
        assert len(written) == KEYS
        assert written == result["events"]
        assert {kind for kind, _, _ in written} == {"grade", "skip", "unsure", "note", "undo"}
        assert project.verify().problems == ()
