"""What tests of judging in a browser share: a class, and the files of its assessors."""

from pathlib import Path

import pytest

from irjudge.model.ranking import make_run
from irjudge.store.project import open_project
from tests.engine.exchange.classroom import build, hand_out


@pytest.fixture
def project(tmp_path: Path) -> Path:
    path = tmp_path / "class.irjudge"
    build(path)
    return path


@pytest.fixture
def files(project: Path, tmp_path: Path) -> list[Path]:
    """The files of three assessors, none of them judged yet."""
    return [made.path for made in hand_out(project, tmp_path / "out").files]


@pytest.fixture
def compared(project: Path) -> Path:
    """The project of a class with three runs that differ."""
    with open_project(project) as opened:
        rows = [(topic, f"t{topic}n{number}", float(number)) for topic in ("051", "007", "9") for number in range(12)]
        opened.rankings.add_run(make_run("quaggablend", rows))
    return project
