"""Fixtures of the tests of exchange: a project, and the files of three assessors."""

import shutil
from pathlib import Path

import pytest

from irjudge.model import make_run
from irjudge.store import open_project
from tests.engine.exchange.classroom import assign_class, build_class


@pytest.fixture(scope="session")
def class_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project of a class, of which each test gets a copy."""
    path = tmp_path_factory.mktemp("before") / "class.irjudge"
    build_class(path)
    return path


@pytest.fixture(scope="session")
def assigned_template(class_template: Path, tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """The project after assignment, and the files of three assessors."""
    path = Path(shutil.copy(class_template, tmp_path_factory.mktemp("after")))
    return [path, *(made.path for made in assign_class(path, path.parent / "out").files)]


@pytest.fixture
def project(tmp_path: Path, class_template: Path) -> Path:
    return Path(shutil.copy(class_template, tmp_path))


@pytest.fixture
def files(project: Path, assigned_template: list[Path]) -> list[Path]:
    """The files of three assessors, none of them judged yet."""
    handed_out, *made = assigned_template
    shutil.copy(handed_out, project)
    out = project.parent / "out"
    out.mkdir(exist_ok=True)
    return [Path(shutil.copy(path, out)) for path in made]


@pytest.fixture
def three_runs_project(project: Path) -> Path:
    """The project of a class with three different runs."""
    with open_project(project) as opened:
        rows = [
            (topic, f"t{topic}n{number}", float(number))
            for topic in ("051", "007", "9")
            for number in range(12)
        ]
        opened.rankings.add_run(make_run("quaggablend", rows))
    return project
