"""What tests of exchange share: a project, and the files of three assessors."""

import shutil
from pathlib import Path

import pytest

from irjudge.model import make_run
from irjudge.store import open_project
from tests.engine.exchange.classroom import build, hand_out


@pytest.fixture(scope="session")
def class_before(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project of a class, of which each test has a copy."""
    path = tmp_path_factory.mktemp("before") / "class.irjudge"
    build(path)
    return path


@pytest.fixture(scope="session")
def class_after(class_before: Path, tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """The project when it was handed out, and the files of three assessors."""
    path = Path(shutil.copy(class_before, tmp_path_factory.mktemp("after")))
    return [path, *(made.path for made in hand_out(path, path.parent / "out").files)]


@pytest.fixture
def project(tmp_path: Path, class_before: Path) -> Path:
    return Path(shutil.copy(class_before, tmp_path))


@pytest.fixture
def files(project: Path, class_after: list[Path]) -> list[Path]:
    """The files of three assessors, none of them judged yet."""
    handed_out, *made = class_after
    shutil.copy(handed_out, project)
    out = project.parent / "out"
    out.mkdir(exist_ok=True)
    return [Path(shutil.copy(path, out)) for path in made]


@pytest.fixture
def compared(project: Path) -> Path:
    """The project of a class with three runs that differ."""
    with open_project(project) as opened:
        rows = [
            (topic, f"t{topic}n{number}", float(number))
            for topic in ("051", "007", "9")
            for number in range(12)
        ]
        opened.rankings.add_run(make_run("quaggablend", rows))
    return project
