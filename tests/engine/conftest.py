"""What tests of the engine share: a way to see how many Python objects some work makes."""

import gc
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from hypothesis import settings

from tests.pools import make_small_project

settings.register_profile("irjudge", deadline=None)  # a busy machine is no fault of the code
settings.load_profile("irjudge")


@pytest.fixture
def most_objects(slow: None) -> Callable[[Callable[[], Any]], int]:
    """Measure how many blocks of Python memory are held at most while `work` runs, looked at before every line of irjudge."""
    return _most_objects


def _most_objects(work: Callable[[], Any]) -> int:
    gc.collect()
    held = sys.getallocatedblocks
    before = most = held()

    def look(frame: FrameType, event: str, argument: Any) -> Any:
        return each_line(frame, event, argument) if "irjudge" in frame.f_code.co_filename else None

    def each_line(_frame: FrameType, _event: str, _argument: Any) -> Any:
        nonlocal most
        now = held()
        if now > most:
            most = now
        return each_line

    earlier = sys.gettrace()
    sys.settrace(look)
    try:
        work()
    finally:
        sys.settrace(earlier)
    return most - before


@pytest.fixture
def project_file(tmp_path: Path, small_project: Path) -> Path:
    """A project with two topics; the pool has d0 to d5 for `051` and d3 to d8 for `007`, each with its own text."""
    return Path(shutil.copy(small_project, tmp_path))


@pytest.fixture(scope="session")
def small_project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project of which each test has a copy."""
    path = tmp_path_factory.mktemp("project") / "small.irjudge"
    make_small_project(path)
    return path
